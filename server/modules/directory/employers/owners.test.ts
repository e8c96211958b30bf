import { beforeAll, expect, it } from 'vitest'
import { aMember, createEmployer } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { pick } from '../../../test/pick.ts'
import { codeOf, refusalOf } from '../../../test/response.ts'

const api = useApi()
let maya: string
let colleague: { user_id: string; key: string }
let oak: string
let pine: string

const path = (id: string) => `/v1/employers/${id}` as const
const own = (id: string, owner_user_id: string | null) => api.put(path(id), { owner_user_id })
const namesOf = async (query: string) =>
  (await api.get(`/v1/employers?${query}`)).body.data.map(({ name }: { name: string }) => name)
const ownerOf = async (id: string, key = api.story.api_key) => (await api.get(path(id), { key })).body.data.owner

/** Oak belongs to Maya, Pine to a colleague, and Elm to no one. */
beforeAll(async () => {
  const { data: members } = (await api.get('/v1/organization-members')).body
  maya = pick(members, ({ name }) => name === 'Maya Okafor').user_id
  colleague = await aMember(api, api.story.organization_id, 'OPERATIONS')
  oak = await createEmployer(api, { name: 'Oak' })
  pine = await createEmployer(api, { name: 'Pine' })
  await createEmployer(api, { name: 'Elm' })
  await own(oak, maya)
  await own(pine, colleague.user_id)
})

it('shows the owner of an employer, in the book too, but not to a token bound to the employer', async () => {
  const owner = { user_id: maya, name: 'Maya Okafor' }
  expect(await ownerOf(oak)).toEqual(owner)
  const { data } = (await api.get('/v1/employers?search=Oak')).body
  expect(data.map((one) => one.owner)).toEqual([owner])
  const request = { grant_type: 'client_credentials', bound_entity: { type: 'employer', id: oak } }
  const token = (await api.post('/v1/auth/access-tokens', request)).body.access_token
  expect(await ownerOf(oak, token)).toBe(null)
})

it('filters, sorts, pages and counts the book by owner', async () => {
  expect(await namesOf(`owner_user_id=${maya}`)).toEqual(['Oak'])
  expect(await namesOf(`owner_user_id=${maya}&owner_user_id=${colleague.user_id}`)).toEqual(['Pine', 'Oak'])
  const both = `owner_user_id=${maya},${colleague.user_id}`
  expect(await namesOf(`${both}&sort=name`)).toEqual(['Oak', 'Pine'])
  expect(await namesOf(`${both}&limit=1&page=2`)).toEqual(['Oak'])
  expect(await namesOf(`${both}&benefit_lifecycle_stage=active`)).toEqual([])
  const counts = (await api.get(`/v1/employers/counts?owner_user_id=${maya}`)).body.data
  expect(counts.benefit_lifecycle_stage).toEqual([{ value: 'onboarding', employer_count: 1 }])
  expect(counts.owner.toSorted((a, b) => a.value.localeCompare(b.value))).toEqual(
    [maya, colleague.user_id].toSorted().map((value) => ({ value, employer_count: 1 })),
  )
  const across = { key: api.story.super_api_key }
  expect((await api.get(`/v1/employers?owner_user_id=${maya}`, across)).status).toBe(400)
})

it('lists only the tasks of the own employers with mine', async () => {
  const setups = async (query: string, key: string) =>
    (await api.get(`/v1/tasks?kind=employer_setup${query}`, { key })).body.data.map((task) => task.employer_name)
  expect((await setups('', colleague.key)).toSorted()).toEqual(['Elm', 'Oak', 'Pine'])
  expect(await setups('&mine=true', colleague.key)).toEqual(['Pine'])
  expect(await setups('&mine=true', api.story.api_key)).toEqual(['Oak'])
  const { groups } = (await api.get('/v1/tasks?mine=true', { key: colleague.key })).body
  expect(groups.find(({ kind }) => kind === 'employer_setup')?.total).toBe(1)
  const note = { text: 'Call them', mentioned_user_ids: [colleague.user_id] }
  await api.post(`${path(oak)}/notes`, note)
  const mentions = await api.get('/v1/tasks?kind=note_mention&mine=true', { key: colleague.key })
  expect(mentions.body.data).toHaveLength(1)
})

it('refuses an owner who is not a member, keeps the owner otherwise, and clears it with null', async () => {
  const rival = await aMember(api, api.story.rival_organization_id, 'ADMIN')
  expect(refusalOf(await own(oak, rival.user_id))).toEqual([400, 'invalid_request', 'owner_user_id'])
  expect(codeOf(await api.put(path(oak), { owner_user_id: maya }, { key: rival.key }))).toEqual([404, 'not_found'])
  await api.put(path(oak), { reference_id: 'OAK' })
  expect((await ownerOf(oak))?.user_id).toBe(maya)
  expect((await own(oak, null)).body.data.owner).toBe(null)
  await own(oak, maya)
})

it('shows no owner after the member has left', async () => {
  const leaver = await aMember(api, api.story.organization_id, 'OPERATIONS')
  await own(pine, leaver.user_id)
  const membership = `/operator/v1/organizations/${api.story.organization_id}/members/${leaver.user_id}` as const
  await api.call('DELETE', membership, { key: api.operator_key })
  expect(await ownerOf(pine)).toBe(null)
})

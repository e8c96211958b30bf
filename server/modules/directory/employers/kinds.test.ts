import fc from 'fast-check'
import { expect, it, beforeAll } from 'vitest'
import {
  theEmployer,
  createEmployer,
  createOrganization,
  importCatalog,
  openPlanYear,
  aMember,
} from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { hrisOf } from '../../../test/clients/hris.ts'
import { addDays } from '../../../kernel/days.ts'
import { endSubscription, grantSubscription } from './actions.ts'
import { benefit_families, hris_statuses, lifecycle_stages } from './schemas.ts'
import { caseCount } from '../../../test/case-count.ts'
import { pick } from '../../../test/pick.ts'
import { codeOf, refusalOf } from '../../../test/response.ts'

const api = useApi()
const hris = hrisOf(api)

/** The possible changes of an employer, or of all of them, chosen at random. */
const actions = ['open', 'end', 'grant', 'connect', 'pause', 'resume', 'disconnect', 'day', 'month', 'run'] as const
type Action = { action: (typeof actions)[number]; at: number; by: number }
const action: fc.Arbitrary<Action> = fc.record({
  action: fc.constantFrom(...actions, 'open', 'open', 'month', 'month'),
  at: fc.nat({ max: 4 }),
  by: fc.integer({ min: -60, max: 60 }),
})

/** The changes that always happen, so that employers differ from each other. */
const begun: Action[] = [
  { action: 'connect', at: 0, by: 0 },
  { action: 'open', at: 0, by: -9 },
  { action: 'open', at: 1, by: -60 },
  { action: 'connect', at: 2, by: 0 },
  { action: 'pause', at: 2, by: 0 },
  { action: 'end', at: 3, by: 1 },
  { action: 'day', at: 0, by: 0 },
]

type Row = {
  id: string
  benefit_families: string[]
  hris_status: { provider: string; status: string } | null
  benefit_lifecycle_stage: { stage: string }
}

/** The book without filters, with each filter, and with some combinations; each with the rows that should pass. */
const filters: [query: string, keeps: (row: Row) => boolean][] = [
  ['', (row) => row.benefit_lifecycle_stage.stage !== 'cancelled'],
  ...lifecycle_stages.map((stage): [string, (row: Row) => boolean] => [
    `benefit_lifecycle_stage=${stage}`,
    (row) => row.benefit_lifecycle_stage.stage === stage,
  ]),
  ...benefit_families.map((family): [string, (row: Row) => boolean] => [
    `benefit_family=${family}&include_cancelled=true`,
    (row) => row.benefit_families.includes(family.toUpperCase()),
  ]),
  ...hris_statuses.map((status): [string, (row: Row) => boolean] => [
    `hris_status=${status}&include_cancelled=true`,
    (row) => row.hris_status?.status === status,
  ]),
  ['hris_provider=sandbox&include_cancelled=true', (row) => row.hris_status?.provider === 'sandbox'],
  [
    'benefit_lifecycle_stage=active,renewal,open_enrollment&benefit_family=dental',
    (row) =>
      ['active', 'renewal', 'open_enrollment'].includes(row.benefit_lifecycle_stage.stage) &&
      row.benefit_families.includes('DENTAL'),
  ],
  [
    'benefit_lifecycle_stage=onboarding,active&hris_status=paused,active,pending',
    (row) =>
      ['onboarding', 'active'].includes(row.benefit_lifecycle_stage.stage) &&
      ['paused', 'active', 'pending'].includes(row.hris_status?.status ?? ''),
  ],
]

/** The states that occurred in any of the histories. */
const seen = new Set<string>()

/** The values of each filter, with the number of matching rows. */
function countsOf(rows: Row[]) {
  const live = rows.filter((row) => row.benefit_lifecycle_stage.stage !== 'cancelled')
  const counted = (values: (string | undefined)[]) =>
    [...Map.groupBy(values, (value) => value)]
      .flatMap(([value, those]) => (value === undefined ? [] : { value, employer_count: those.length }))
      .toSorted((a, b) => (a.value < b.value ? -1 : 1))
  return {
    benefit_lifecycle_stage: counted(rows.map((row) => row.benefit_lifecycle_stage.stage)),
    benefit_family: counted(live.flatMap((row) => row.benefit_families)),
    hris_status: counted(live.map((row) => row.hris_status?.status)),
    hris_provider: counted(live.map((row) => row.hris_status?.provider)),
    owner: [],
  }
}

it('each filter returns the matching rows in order, before and after the daily run', async () => {
  const property = fc.asyncProperty(fc.array(action, { minLength: 15, maxLength: 30 }), async (reported) => {
    let today = '2026-01-15'
    api.moveTo(today)
    const { id: organization_id, key } = await createOrganization(api)
    const catalog = await importCatalog(api, [], organization_id)
    const employers: string[] = []
    const years: Record<string, string> = {}
    const connections: Record<string, string> = {}
    for (let at = 0; at < 5; at++) {
      api.wait(1000)
      employers.push(await createEmployer(api, {}, { key }))
    }
    /** A refused action changes nothing. */
    const tried = (work: () => Promise<unknown>) => work().then(undefined, () => undefined)
    const rows = async (query: string): Promise<{ ids: string[]; rows: Row[]; total: number }> => {
      const { body } = await api.get(`/v1/employers?limit=100&${query}`, { key })
      return { ids: body.data.map(({ id }) => id), rows: body.data, total: body.pagination.total }
    }
    for (const { action, at, by } of [...begun, ...reported]) {
      const id = employers[at]!
      const connection = connections[id]
      const employer = () => api.act((ctx) => theEmployer(ctx, id))
      if (action === 'open') {
        const coverage_start = years[id] ?? addDays(today, by * 4)
        const coverage_end = addDays(coverage_start, 300)
        const open_enrollment =
          by > 0 ? { open_enrollment_start: addDays(today, -3), open_enrollment_end: addDays(today, by) } : {}
        const benefits = { ...(by % 2 === 0 && { benefits: [{ benefit_id: catalog.mvp.benefit_id }] }) }
        await tried(async () => {
          await openPlanYear(api, id, catalog, { coverage_start, coverage_end, ...open_enrollment, ...benefits })
          years[id] = addDays(coverage_end, 1)
        })
      } else if (action === 'end') {
        const found = await employer()
        await tried(() => api.act((ctx) => endSubscription(ctx, found, addDays(today, Math.abs(by)))))
      } else if (action === 'grant') {
        const found = await employer()
        await tried(() => api.act((ctx) => grantSubscription(ctx, found, addDays(today, by))))
      } else if (action === 'connect') {
        await tried(async () => {
          connections[id] = (await hris.connect({ source: 'sandbox' }, id)).id
        })
      } else if (action === 'day' || action === 'month') {
        today = addDays(today, action === 'day' ? 1 : 31)
        api.moveTo(today)
      } else if (action === 'run') {
        await api.runDays()
      } else if (connection !== undefined) await tried(() => hris[action](connection))
    }
    const book = await rows('include_cancelled=true')
    expect(book.total).toBe(employers.length)
    for (const { benefit_lifecycle_stage, hris_status } of book.rows)
      seen.add(benefit_lifecycle_stage.stage).add(hris_status?.status ?? 'none')
    for (const [query, keeps] of filters) {
      const kept = book.rows.filter(keeps).map((row) => row.id)
      const { ids, total } = await rows(query)
      expect([query, total, ids]).toEqual([query, kept.length, kept])
      const sorted = await rows(`sort=next_date&order=desc&${query}`)
      expect([query, sorted.total, sorted.ids.toSorted()]).toEqual([query, kept.length, kept.toSorted()])
    }
    expect((await api.get('/v1/employers/counts', { key })).body.data).toEqual(countsOf(book.rows))
  })
  await fc.assert(property, { numRuns: caseCount(2, 2), seed: 15, endOnFailure: true })
  expect([...seen]).toEqual(
    expect.arrayContaining(['cancelled', 'onboarding', 'active', 'renewal', 'pending', 'paused', 'none']),
  )
})

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

it('lists tasks with the member who is responsible, and only those of chosen members', async () => {
  const tasks = async (query: string, key: string) => (await api.get(`/v1/tasks?${query}`, { key })).body
  const setups = async (owners: string[]) => {
    const query = owners.map((user_id) => `owner_user_id=${user_id}`).join('&')
    const { data } = await tasks(`kind=employer_setup&${query}`, colleague.key)
    return data.map((task) => `${task.employer_name}: ${task.owner?.user_id}`).toSorted()
  }
  const [oaks, pines] = [`Oak: ${maya}`, `Pine: ${colleague.user_id}`]
  expect(await setups([])).toEqual(['Elm: undefined', oaks, pines])
  expect(await setups([maya])).toEqual([oaks])
  expect(await setups([maya, colleague.user_id])).toEqual([oaks, pines])
  const own = `owner_user_id=${colleague.user_id}`
  const { groups } = await tasks(own, colleague.key)
  expect(groups.find(({ kind }) => kind === 'employer_setup')?.total).toBe(1)
  const note = { text: 'Call them', mentioned_user_ids: [colleague.user_id] }
  await api.post(`${path(oak)}/notes`, note)
  const mentions = (await tasks(`kind=note_mention&${own}`, colleague.key)).data
  expect(mentions.map(({ employer_name, owner }) => [employer_name, owner?.user_id])).toEqual([
    ['Oak', colleague.user_id],
  ])
  expect((await tasks(`kind=note_mention&owner_user_id=${maya}`, colleague.key)).data).toEqual([])
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

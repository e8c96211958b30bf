import { beforeAll, describe, expect, it } from 'vitest'
import { codeOf } from '../../../test/response.ts'
import { createCoveredEmployer, createEmployer, importCatalog } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { sure } from '../../../test/pick.ts'

const api = useApi()
const operator = () => ({ key: api.operator_key })

type Page = { data: readonly { id: string }[]; next_offset: string | null }
const idsOf = ({ data }: Pick<Page, 'data'>) => data.map(({ id }) => id)

let bakery: string
let mill: string
/** The ids of each employer's statements, newest first. */
let of_bakery: string[]
let of_mill: string[]

const list = async (query = '', key = api.story.api_key) =>
  (await api.get(`/v1/payroll-deduction-statements${query}`, { key })).body
const of = async (employer_id: string) =>
  idsOf((await api.get(`/v1/employers/${employer_id}/payroll-deduction-statements`)).body)

/** All pages of a list with this limit. */
async function walk(query: string, limit: number): Promise<string[]> {
  const walked: string[] = []
  let offset: string | null = ''
  while (offset !== null) {
    const page: Page = await list(`?${query}limit=${limit}&offset=${offset}`)
    walked.push(...idsOf(page))
    offset = page.next_offset
  }
  return walked
}

beforeAll(async () => {
  const catalog = await importCatalog(api)
  bakery = await createCoveredEmployer(api, catalog)
  mill = await createCoveredEmployer(api, catalog, { name: 'Grist & 100% Mill' })
  await createEmployer(api, { name: 'Grist Without Statements' })
  await api.put(`/v1/employers/${bakery}/settings`, { pay_frequency: 'monthly' })
  await api.put(`/v1/employers/${mill}/settings`, { pay_frequency: 'semi_monthly' })
  for (const day of ['2026-04-01', '2026-04-16', '2026-05-01']) {
    api.moveTo(day)
    await api.runDays()
    await api.work()
  }
  of_bakery = await of(bakery)
  of_mill = await of(mill)
})

describe('the list of statements across employers', () => {
  it('shows the employer of each, latest period first', async () => {
    const { data, pagination, next_offset } = await list()
    const ends = data.map(({ period_end_date }) => period_end_date)
    expect(ends).toEqual(ends.toSorted().toReversed())
    expect(idsOf({ data }).toSorted()).toEqual([...of_bakery, ...of_mill].toSorted())
    expect(new Set(ends).size).toBeGreaterThan(2)
    expect([pagination, next_offset]).toEqual([{ limit: 20, next_offset: null }, null])
    const { employer_name, csv, csv_file_url: _, ...alone } = sure(data.find(({ employer_id }) => employer_id === mill))
    expect(employer_name).toBe('Grist & 100% Mill')
    const known = sure((await api.get(`/v1/employers/${mill}/payroll-deduction-statements`)).body.data[0])
    expect(alone).toEqual({ ...known, csv: undefined, csv_file_url: undefined })
    expect((await api.get(new URL(csv.download_url).pathname, { key: null })).text).toMatch(/^employee_id,/)
  })

  it('can be filtered by the months in which periods end, and by a name', async () => {
    const endsIn = async (month: string) =>
      (await list('?limit=100')).data
        .filter(({ period_end_date }) => period_end_date.startsWith(month))
        .map(({ id }) => id)
    for (const [query, wanted] of [
      ['?period_from=2026-04&period_to=2026-04', await endsIn('2026-04')],
      ['?period_from=2026-05', await endsIn('2026-05')],
      ['?period_to=2026-03', await endsIn('2026-03')],
      ['?search=grist', of_mill],
      ['?search=100%25 mill', of_mill],
      ['?search=GRIST&period_from=2026-06', []],
      ['?search=nobody', []],
    ] as const)
      expect([query, idsOf(await list(query))]).toEqual([query, wanted])
    expect(await endsIn('2026-04')).not.toEqual([])
  })

  it('continues after the previous page with any limit', async () => {
    const whole = idsOf(await list('?limit=100'))
    for (const limit of [1, 2, 3]) {
      expect(await walk('', limit)).toEqual(whole)
      expect(await walk('search=grist&', limit)).toEqual(of_mill)
    }
  })

  it('names an invalid filter, and refuses a cursor of another organization', async () => {
    for (const [query, field] of [
      ['?period_from=2026', 'period_from'],
      ['?period_to=2026-13', 'period_to'],
      ['?limit=101', 'limit'],
      ['?offset=20', 'offset'],
    ] as const) {
      const answer = await api.get(`/v1/payroll-deduction-statements${query}`)
      expect([query, answer.status, answer.error.details[0]?.field]).toEqual([query, 400, field])
    }
    const { next_offset } = await list('?limit=1')
    const foreign = await api.get(`/v1/payroll-deduction-statements?offset=${next_offset}`, {
      key: api.story.rival_api_key,
    })
    expect(codeOf(foreign)).toEqual([400, 'invalid_request'])
  })

  it('requires a role for money in the organization, and rejects bound tokens', async () => {
    expect((await list('', api.story.rival_api_key)).data).toEqual([])
    const bound_entity = { type: 'employer', id: bakery }
    const { body } = await api.post('/v1/auth/access-tokens', { grant_type: 'client_credentials', bound_entity })
    expect((await api.get('/v1/payroll-deduction-statements', { key: body.access_token })).status).toBe(403)
  })

  it('can be read by operators for each organization and employer', async () => {
    const at = `/operator/v1/organizations/${api.story.organization_id}/payroll-deduction-statements` as const
    expect(idsOf((await api.get(`${at}?search=grist`, operator())).body)).toEqual(of_mill)
    const own = await api.get(`/operator/v1/employers/${mill}/payroll-deduction-statements`, operator())
    expect(idsOf(own.body)).toEqual(of_mill)
    const nowhere = '/operator/v1/organizations/org_01kdq7b4w8e9rs2mh3n5t6v7xz/payroll-deduction-statements'
    for (const path of [nowhere, `${nowhere}?offset=x`])
      expect((await api.get(path as never, operator())).status, path).toBe(404)
  })
})

import { beforeAll, describe, expect, it } from 'vitest'
import { theEmployer, boundToken } from '../../../test/fixtures.ts'
import { codeOf, refusalOf } from '../../../test/response.ts'
import { useApi, type CallOptions } from '../../../test/harness.ts'
import { endSubscription, grantSubscription } from './actions.ts'

const api = useApi()
const path = '/v1/employers'

const body = (name: string, more: object = {}) => ({
  name,
  legal_name: `${name} LLC`,
  ein: `12-${String(name.length * 100_003).padStart(7, '0')}`,
  email: `${name.replaceAll(/[^a-z]/gi, '').toLowerCase()}@example.com`,
  address: { address_line_1: '1 Main St', city: 'Reno', state: 'NV', zipcode: '89501' },
  ...more,
})

const ids: Record<string, string> = {}
const names = async (query = '', options: CallOptions = {}) =>
  (await api.get(`${path}${query}`, options)).body.data.map(({ name }) => name)

/**
 * Harbor's book, oldest first. Anvil has been cancelled since yesterday; Cedar will be tomorrow. Rival has one
 * employer.
 */
beforeAll(async () => {
  const book = [
    body('Anvil Tools', { ein: '12-3456789' }),
    body('Bakery 100%'),
    body('Cedar_Cafe', { legal_name: 'Zest & Co' }),
    body('Délice', { email: 'delice@example.com' }),
  ]
  for (const employer of book) {
    api.wait(1000)
    ids[employer.name] = (await api.post(path, employer)).body.data.id
  }
  await api.post(path, body('Rival Bakery'), { key: api.story.rival_api_key })
  api.moveTo('2026-03-20')
  await api.act(async (ctx) => endSubscription(ctx, await theEmployer(ctx, ids['Anvil Tools']!), '2026-03-19'))
  await api.act(async (ctx) => endSubscription(ctx, await theEmployer(ctx, ids['Cedar_Cafe']!), '2026-03-21'))
})

const live = ['Délice', 'Cedar_Cafe', 'Bakery 100%']

describe('employers_list', () => {
  it('shows the book newest first, each row an Employer and its computed columns', async () => {
    const answer = await api.get(path)
    expect(answer.status).toBe(200)
    expect(answer.body.pagination).toEqual({ limit: 20, page: 1, total: 3, total_pages: 1 })
    expect(await names()).toEqual(live)
    const employer = (await api.get(`${path}/${ids['Délice']}`)).body.data
    expect(answer.body.data[0]).toEqual({
      ...employer,
      employer_id: employer.id,
      enrollment_rate_summary: { eligible: 0, enrolled: 0, percentage: 0 },
      benefit_families: [],
      hris_status: null,
      benefit_lifecycle_stage: { stage: 'onboarding', as_of_date: null },
      renews_on: null,
      employee_count: 0,
      monthly_premium_in_cents: null,
      next_date: null,
    })
  })

  it('hides cancelled employers unless they or their stage are requested', async () => {
    const { data, pagination } = (await api.get(`${path}?include_cancelled=true`)).body
    expect([data.length, pagination.total]).toEqual([4, 4])
    expect(data[3]?.benefit_lifecycle_stage).toEqual({ stage: 'cancelled', as_of_date: '2026-03-19' })
    expect(await names('?benefit_lifecycle_stage=cancelled')).toEqual(['Anvil Tools'])
    expect(await names('?benefit_lifecycle_stage=onboarding&include_cancelled=true')).toEqual(live)
    expect(await names('?search=Anvil')).toEqual([])
    expect(await names('?search=Anvil&include_cancelled=true')).toEqual(['Anvil Tools'])
  })

  it('shows an employer until its subscription ends tomorrow, and one that subscribed again', async () => {
    api.moveTo('2026-03-21')
    expect((await api.get(path)).body.pagination.total).toBe(2)
    await api.act(async (ctx) => grantSubscription(ctx, await theEmployer(ctx, ids['Cedar_Cafe']!), '2026-03-22'))
    expect((await api.get(path)).body.pagination.total).toBe(2)
    api.moveTo('2026-03-22')
    await api.runDays()
    expect(await names()).toEqual(live)
    expect((await api.get(path)).body.pagination.total).toBe(3)
    api.moveTo('2026-03-20')
  })

  it.each([
    ['part of the name, in any case', 'bAKe', ['Bakery 100%']],
    ['part of the name with accents, in any case', 'DÉL', ['Délice']],
    ['part of the legal name', 'zest &', ['Cedar_Cafe']],
    ['a percent sign, literally', '100%', ['Bakery 100%']],
    ['a percent sign, not as a wildcard', 'B%y', []],
    ['an underscore, not as a wildcard', 'r_C', ['Cedar_Cafe']],
    ['a single underscore', 'Cedar__afe', []],
    ['a backslash', '\\', []],
    ['an admin’s email address, in any case', 'DELICE@example.com', ['Délice']],
    ['part of an email address', 'delice@', []],
    ['the EIN', '12-3456789', ['Anvil Tools']],
    ['the EIN without its dash', '123456789', ['Anvil Tools']],
    ['part of the EIN', '12-345678', []],
    ['only spaces, which is no search', '  ', ['Délice', 'Cedar_Cafe', 'Bakery 100%', 'Anvil Tools']],
  ])('finds by %s', async (_, search, found) => {
    const query = `?include_cancelled=true&search=${encodeURIComponent(search)}`
    expect(await names(query)).toEqual(found)
    expect((await api.get(`${path}${query}`)).body.pagination.total).toBe(found.length)
  })

  it('finds employers by their exact id, but not by a disabled admin', async () => {
    expect(await names(`?search=${ids['Délice']}`)).toEqual(['Délice'])
    expect(await names(`?search=${ids['Délice']!.slice(0, -1)}`)).toEqual([])
    const disable = (at: string | null) =>
      api.act(({ db }) =>
        db.rows(`update employer_admins set disabled_at = $1 where email = 'delice@example.com'`, [at]),
      )
    await disable('2026-01-01')
    expect(await names('?search=delice@example.com')).toEqual([])
    await disable(null)
    expect(await names('?search=delice@example.com')).toEqual(['Délice'])
  })

  it('still finds an employer by its admin after its own email address changes', async () => {
    await api.put(`${path}/${ids['Bakery 100%']}`, { email: 'new@example.com' })
    expect(await names('?search=bakery@example.com')).toEqual(['Bakery 100%'])
    expect(await names('?search=new@example.com')).toEqual([])
  })

  it.each([
    ['?benefit_lifecycle_stage=ONBOARDING', live],
    ['?benefit_lifecycle_stage=active&benefit_lifecycle_stage=onboarding', live],
    ['?benefit_lifecycle_stage[]=renewal&benefit_lifecycle_stage[]=onboarding', live],
    ['?benefit_lifecycle_stage=active,%20open_enrollment', []],
    ['?benefit_lifecycle_stage=', live],
    ['?benefit_family=MEC,dental', []],
    ['?hris_status=active&hris_status=paused', []],
    ['?hris_provider=whatever', []],
    ['?unknown=1', live],
  ])('filters by %s', async (query, found) => {
    expect(await names(query)).toEqual(found)
    expect((await api.get(`${path}${query}`)).body.pagination.total).toBe(found.length)
  })

  it.each([
    ['benefit_family=gold', 'benefit_family[0]'],
    ['benefit_lifecycle_stage=onboarding,gone', 'benefit_lifecycle_stage[1]'],
    ['hris_status=lost', 'hris_status[0]'],
    ['include_cancelled=maybe', 'include_cancelled'],
    ['search=a%00b', 'search'],
    ['hris_provider=a%00b', 'hris_provider[0]'],
    [`search=${'s'.repeat(256)}`, 'search'],
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['page=0', 'page'],
    ['sort=oldest', 'sort'],
    ['order=up', 'order'],
  ])('refuses %s and names the field', async (query, field) => {
    expect(refusalOf(await api.get(`${path}?${query}`))).toEqual([400, 'invalid_request', field])
  })

  it.each(['search=%E2%80%8B', 'hris_provider=%E2%80%8B'])(
    'finds nothing for %s, which is invisible',
    async (query) => {
      expect((await api.get(`${path}?${query}`)).body.data).toEqual([])
    },
  )

  it('names the highest page number', async () => {
    const { text } = await api.get(`${path}?page=9007199254740993`)
    expect(text).toContain('page: must be a whole number from 1 to 999999999999999')
  })

  it('returns pages, and an empty one past the end with the correct total', async () => {
    const second = await api.get(`${path}?limit=2&page=2`)
    expect(second.body.data.map(({ name }) => name)).toEqual(['Bakery 100%'])
    expect(second.body.pagination).toEqual({ limit: 2, page: 2, total: 3, total_pages: 2 })
    const beyond = await api.get(`${path}?limit=100&page=999999999999999`)
    expect(beyond.body).toEqual({
      data: [],
      pagination: { limit: 100, page: 999999999999999, total: 3, total_pages: 1 },
    })
    const none = await api.get(`${path}?search=nobody`)
    expect(none.body).toEqual({ data: [], pagination: { limit: 20, page: 1, total: 0, total_pages: 0 } })
  })

  it('finds the start of a deep page from either end of the book', async () => {
    const { organization_id } = await api.act((ctx) => theEmployer(ctx, ids['Anvil Tools']!))
    await api.runtime.database.transaction([organization_id], async (db) => {
      const book = await db.rows<{ id: string }>(
        `select id from employers where organization_id = $1 and subscription_ended_on is null
          order by created_at desc, id desc`,
        [organization_id],
      )
      const start = (skipped: number, from_end: number) =>
        db.rows<{ id: string }>(`select id from book_page_start($1, 'infinity', $2, $3)`, [
          organization_id,
          skipped,
          from_end,
        ])
      for (const [at, { id }] of book.entries()) {
        expect((await start(at, 100)).map((row) => row.id)).toEqual([id])
        expect((await start(100, book.length - 1 - at)).map((row) => row.id)).toEqual([id])
      }
      expect(await start(book.length, 100)).toEqual([])
    })
  })

  it('shows each organization its own book, and all books or a selected one to callers that see all', async () => {
    const everything = { key: api.story.super_api_key }
    expect(await names('', { key: api.story.rival_api_key })).toEqual(['Rival Bakery'])
    expect(new Set(await names('', everything))).toEqual(new Set([...live, 'Rival Bakery']))
    expect((await api.get(`${path}?include_cancelled=true`, everything)).body.pagination.total).toBe(5)
    expect((await api.get(path, everything)).body.pagination.total).toBe(4)
    expect(new Set(await names('?search=bakery', everything))).toEqual(new Set(['Bakery 100%', 'Rival Bakery']))
    const headers = { 'x-service-organization': api.story.rival_organization_id }
    expect(await names('', { ...everything, headers })).toEqual(['Rival Bakery'])
    expect((await api.get(path, { ...everything, headers })).body.pagination.total).toBe(1)
  })

  it('requires callers of several organizations to select one', async () => {
    const many = { key: api.story.multi_organization_api_key }
    expect((await api.get(path, many)).error.code).toBe('organization_required')
    expect(await names('', { ...many, headers: { 'x-service-organization': api.story.organization_id } })).toEqual(live)
  })

  it('rejects bound tokens', async () => {
    const answer = await api.get(path, { key: await boundToken(api, 'employer', ids['Délice']!) })
    expect(codeOf(answer)).toEqual([403, 'forbidden'])
  })
})

import { beforeAll, describe, expect, it } from 'vitest'
import { codeOf } from '../../../test/response.ts'
import { createCoveredEmployer, createEmployer, importCatalog, boundToken } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { sure, first } from '../../../test/pick.ts'

const api = useApi()
const operator = () => ({ key: api.operator_key })

type Across = { invoice_id: string; employer_id: string }
const idsOf = ({ data }: { data: readonly Across[] }) => data.map(({ invoice_id }) => invoice_id)

let bakery: string
let mill: string
const ids = {} as Record<'open' | 'void' | 'draft' | 'paid' | 'others', string>

const operate = (employer_id: string, rest: string) =>
  api.post(`/operator/v1/employers/${employer_id}/invoices/${rest}` as never, {}, operator())

async function draft(employer_id: string): Promise<string> {
  await operate(employer_id, 'run')
  await api.work()
  const { data } = (await api.get(`/v1/employers/${employer_id}/invoices?include_drafts=true`)).body
  return sure(data[0]).invoice_id
}

const list = async (query = '', key = api.story.api_key) => (await api.get(`/v1/invoices${query}`, { key })).body
const found = async (query = '') => idsOf(await list(`${query}${query ? '&' : '?'}limit=100`))

/** All pages of a list with this limit. */
async function walk(query: string, limit: number): Promise<string[]> {
  const walked: string[] = []
  let offset: string | null = ''
  while (offset !== null) {
    const page: Awaited<ReturnType<typeof list>> = await list(`${query}&limit=${limit}&offset=${offset}`)
    walked.push(...idsOf(page))
    offset = page.next_offset
  }
  return walked
}

beforeAll(async () => {
  const catalog = await importCatalog(api)
  bakery = await createCoveredEmployer(api, catalog)
  mill = await createCoveredEmployer(api, catalog, { name: 'Grist & 100% Mill' })
  ids.void = await draft(bakery)
  await operate(bakery, `${ids.void}/void`)
  ids.open = await draft(bakery)
  await operate(bakery, `${ids.open}/issue`)
  ids.paid = await draft(mill)
  await operate(mill, `${ids.paid}/issue`)
  await operate(mill, `${ids.paid}/pay`)
  const third = await createCoveredEmployer(api, catalog)
  ids.draft = await draft(third)
})

describe('the list of invoices across employers', () => {
  it('shows the employer of each, newest first, without drafts by default', async () => {
    const { data, pagination, next_offset } = await list()
    expect(idsOf({ data })).toEqual([ids.paid, ids.open, ids.void])
    expect(data[0]).toMatchObject({ employer_id: mill, employer_name: 'Grist & 100% Mill', status: 'paid', age: null })
    expect([pagination, next_offset]).toEqual([{ limit: 20, next_offset: null }, null])
    const { employer_name: _, age, ...alone } = sure(data[1])
    expect(age).toBe('not_due')
    expect(alone).toEqual(sure((await api.get(`/v1/employers/${bakery}/invoices`)).body.data[0]))
    expect(await found('?include_drafts=true')).toEqual([ids.draft, ids.paid, ids.open, ids.void])
  })

  it('can be filtered by status, months, employer, number and name', async () => {
    for (const [query, wanted] of [
      ['?status=draft', [ids.draft]],
      ['?status=open', [ids.open]],
      ['?status=paid,void', [ids.paid, ids.void]],
      ['?status=overdue', []],
      ['?period_from=2026-03&period_to=2026-03', [ids.paid, ids.open, ids.void]],
      ['?period_from=2026-04', []],
      ['?period_to=2026-02', []],
      [`?employer_id=${bakery}`, [ids.open, ids.void]],
      [`?employer_id=${bakery}&status=void`, [ids.void]],
      ['?employer_id=empr_01kdq7b4w8e9rs2mh3n5t6v7xz', []],
      ['?search=grist', [ids.paid]],
      ['?search=100%25 mill', [ids.paid]],
      ['?search=%25', [ids.paid]],
      ['?search=GRIST&status=open', []],
      [`?search=${ids.open}`, [ids.open]],
      [`?search=${ids.open.toLowerCase()}`, [ids.open]],
      [`?search=${Number(ids.open.slice(4))}`, [ids.open]],
      [`?search=${ids.open}&employer_id=${mill}`, []],
      [`?search=${ids.open}&employer_id=${bakery}`, [ids.open]],
      [`?search=grist&employer_id=${mill}`, [ids.paid]],
      [`?search=grist&employer_id=${bakery}`, []],
      [`?search=${ids.draft}`, []],
      [`?search=${ids.draft}&include_drafts=true`, [ids.draft]],
      ['?search=INV-999999', []],
    ] as const)
      expect([query, await found(query)]).toEqual([query, wanted])
  })

  it('can be filtered by age, consistent with the totals by age', async () => {
    for (const [day, age] of [
      ['2026-04-09', 'not_due'],
      ['2026-04-10', 'to_30_days'],
      ['2026-05-09', 'to_30_days'],
      ['2026-05-10', 'to_60_days'],
      ['2026-06-08', 'to_60_days'],
      ['2026-06-09', 'to_90_days'],
      ['2026-07-08', 'to_90_days'],
      ['2026-07-09', 'longer'],
    ] as const) {
      api.moveTo(day)
      expect([day, await found(`?age=${age}`)]).toEqual([day, [ids.open]])
      const others = ['not_due', 'to_30_days', 'to_60_days', 'to_90_days', 'longer'].filter((one) => one !== age)
      expect([day, await found(`?age=${others.join(',')}`)]).toEqual([day, []])
      expect([day, await found('?status=overdue')]).toEqual([day, age === 'not_due' ? [] : [ids.open]])
      const { totals } = (await api.get('/v1/invoices/aging')).body
      const { total_in_cents } = sure((await list(`?age=${age}`)).data[0])
      const sum = totals[age === 'not_due' ? 'not_due_in_cents' : (`overdue_${age}_in_cents` as const)]
      expect([day, sum]).toEqual([day, total_in_cents])
    }
    api.moveTo('2026-03-10')
    expect(await found('?age=not_due&status=paid')).toEqual([])
  })

  it('continues after the previous page with any filter and limit', async () => {
    const whole = [ids.draft, ids.paid, ids.open, ids.void]
    for (const limit of [1, 2, 3, 4]) {
      expect(await walk('?include_drafts=true', limit)).toEqual(whole)
      expect(await walk(`?employer_id=${bakery}`, limit)).toEqual([ids.open, ids.void])
      // A letter that occurs in each name.
      expect(await walk('?include_drafts=true&search=e', limit)).toEqual(whole)
      expect(await walk('?status=open', limit)).toEqual([ids.open])
    }
  })

  it('names an invalid filter, and refuses a cursor of another organization', async () => {
    for (const [query, field] of [
      ['?status=late', 'status[0]'],
      ['?age=old', 'age[0]'],
      ['?period_from=2026', 'period_from'],
      ['?period_to=2026-13', 'period_to'],
      ['?employer_id=bakery', 'employer_id'],
      ['?limit=101', 'limit'],
      ['?offset=20', 'offset'],
    ] as const) {
      const answer = await api.get(`/v1/invoices${query}`)
      expect([query, answer.status, answer.error.details[0]?.field]).toEqual([query, 400, field])
    }
    const { next_offset } = await list('?limit=1')
    const foreign = await api.get(`/v1/invoices?offset=${next_offset}`, { key: api.story.rival_api_key })
    expect(codeOf(foreign)).toEqual([400, 'invalid_request'])
  })

  it('requires a role for money in the organization, and rejects bound tokens', async () => {
    expect((await list('', api.story.rival_api_key)).data).toEqual([])
    expect((await list(`?employer_id=${bakery}`, api.story.rival_api_key)).data).toEqual([])
    const key = await boundToken(api, 'employer', bakery)
    expect((await api.get('/v1/invoices', { key })).status).toBe(403)
  })

  it('can be read by operators for each organization', async () => {
    const at = `/operator/v1/organizations/${api.story.organization_id}/invoices` as const
    const { data } = (await api.get(`${at}?status=open`, operator())).body
    expect(idsOf({ data })).toEqual([ids.open])
    const { totals } = (await api.get(`${at}/aging`, operator())).body
    expect(totals).toEqual((await api.get('/v1/invoices/aging')).body.totals)
    const nowhere = '/operator/v1/organizations/org_01kdq7b4w8e9rs2mh3n5t6v7xz/invoices'
    for (const path of [nowhere, `${nowhere}/aging`, `${nowhere}?offset=x`] as const)
      expect((await api.get(path as never, operator())).status, path).toBe(404)
  })

  it('lets operators open one invoice with the lines and PDF that its partner sees', async () => {
    const its = `employers/${bakery}/invoices/${ids.open}` as const
    const lines = await api.get(`/operator/v1/${its}/lines`, operator())
    expect(lines.body).toEqual((await api.get(`/v1/${its}/lines`)).body)
    expect(lines.body.data).not.toEqual([])
    const { download_url } = (await api.get(`/operator/v1/${its}/pdf`, operator())).body.data
    const file = await api.get(new URL(download_url).pathname, { key: null })
    expect(file.headers.get('content-type')).toBe('application/pdf')
    for (const rest of ['lines', 'pdf'] as const)
      expect((await api.get(`/operator/v1/employers/${mill}/invoices/${ids.open}/${rest}`, operator())).status).toBe(
        404,
      )
  })

  it('ends a page at the scan limit, and returns where to continue', async () => {
    const many = await createEmployer(api)
    await api.database.pool.query(
      `insert into invoices (invoice_id, organization_id, number, employer_id, period, employer_name,
                             employer_legal_name, address_line_1, city, state, zipcode, billing_system, created_at,
                             drafted_at, drafted_on, voided_at, voided_on)
       select 'INV-' || 900000 + number, organization_id, 900000 + number, id, '2026-03-01', name, legal_name,
              address_line_1, city, state, zipcode, 'built_in', created_at, created_at, '2026-03-01', created_at,
              '2026-03-01'
         from employers cross join generate_series(1, 10001) as number where id = $1`,
      [many],
    )
    const first = await list('?status=open,paid')
    expect([idsOf(first), first.next_offset]).toEqual([[], expect.any(String)])
    const second = await list(`?status=open,paid&offset=${first.next_offset}`)
    expect([idsOf(second), second.next_offset]).toEqual([[ids.paid, ids.open], null])
    expect(await walk('?status=void,paid', 100)).toHaveLength(10_003)
    // Owed invoices have their own index.
    expect(idsOf(await list('?status=open'))).toEqual([ids.open])
  })
})

describe('the invoices of an employer', () => {
  let catalog: Awaited<ReturnType<typeof importCatalog>>
  let employer_id: string

  const aCoveredEmployer = () => createCoveredEmployer(api, catalog)

  const pathOf = <Rest extends string>(employer_id: string, rest = '' as Rest) =>
    `/v1/employers/${employer_id}/invoices${rest}` as const
  const operate = <Rest extends string>(employer_id: string, rest: Rest) =>
    api.post(`/operator${pathOf(employer_id, `/${rest}`)}`, {}, operator())

  /** Drafts the current month, and returns the id of the draft. */
  async function draft(employer_id: string): Promise<string> {
    const run = await operate(employer_id, 'run')
    expect(run.status, run.text).toBe(202)
    await api.work()
    return first((await api.get(pathOf(employer_id, '?include_drafts=true'))).body.data).invoice_id
  }

  beforeAll(async () => {
    catalog = await importCatalog(api)
    employer_id = await aCoveredEmployer()
  })

  describe('the list of invoices', () => {
    it('continues after the previous page even if invoices were added before it', async () => {
      const bakery = await aCoveredEmployer()
      const ids = [await draft(bakery)]
      for (let more = 0; more < 3; more++) {
        await operate(bakery, `${ids[0]}/void`)
        ids.unshift(await draft(bakery))
      }
      const newest = (await api.get(pathOf(bakery, '?limit=2&include_drafts=true'))).body
      expect(newest.data.map((one) => one.invoice_id)).toEqual(ids.slice(0, 2))
      expect(newest.pagination).toEqual({ limit: 2, next_offset: newest.next_offset })

      await operate(bakery, `${ids[0]}/void`)
      await draft(bakery)
      const older = (await api.get(pathOf(bakery, `?limit=2&include_drafts=true&offset=${newest.next_offset}`))).body
      expect(older.data.map((one) => one.invoice_id)).toEqual(ids.slice(2))
      expect([older.next_offset, older.pagination.next_offset]).toEqual([null, null])
      expect((await api.get(pathOf(bakery))).body).toMatchObject({ pagination: { limit: 20, next_offset: null } })
    })

    it('names the parameter when it refuses an invalid cursor or one of another employer', async () => {
      const bakery = await aCoveredEmployer()
      await operate(bakery, `${await draft(bakery)}/void`)
      await draft(bakery)
      const { next_offset } = (await api.get(pathOf(bakery, '?limit=1&include_drafts=true'))).body
      for (const [id, offset] of [
        [employer_id, `${next_offset}`],
        [bakery, `${next_offset}x`],
        [bakery, '20'],
        [bakery, 'WyJJTlYtMDAwMDAxIl0'],
      ] as const) {
        const answer = await api.get(pathOf(id, `?offset=${offset}`))
        expect(codeOf(answer), offset).toEqual([400, 'invalid_request'])
        expect(answer.error.details[0]?.field).toBe('offset')
      }
      expect((await api.get(pathOf(bakery, '?offset='))).status).toBe(200)
    })

    it('omits drafts by default on every page', async () => {
      const bakery = await aCoveredEmployer()
      const voided = await draft(bakery)
      await operate(bakery, `${voided}/void`)
      const id = await draft(bakery)
      const listed = async (query: string) =>
        (await api.get(pathOf(bakery, query))).body.data.map((one) => one.invoice_id)
      expect(await listed('?include_drafts=true')).toEqual([id, voided])
      for (const query of ['', '?include_drafts=false', '?include_drafts='])
        expect(await listed(query)).toEqual([voided])
      expect((await api.get(pathOf(bakery, '?limit=1'))).body).toMatchObject({ data: [{}], next_offset: null })
      expect((await api.get(pathOf(bakery, '?include_drafts=yes'))).status).toBe(400)
      expect(await listed('?status=draft')).toEqual([id])
      await operate(bakery, `${id}/issue`)
      expect(await listed('')).toEqual([id, voided])
    })

    it('can be filtered by status and months, and always returns the full amounts owed', async () => {
      const bakery = await aCoveredEmployer()
      const voided = await draft(bakery)
      await operate(bakery, `${voided}/void`)
      const id = await draft(bakery)
      const read = async (query = '') => (await api.get(pathOf(bakery, query))).body
      const nothing = { open_in_cents: 0, overdue_in_cents: 0, credit_in_cents: 0 }
      expect((await read('?include_drafts=true')).totals).toEqual(nothing)
      await operate(bakery, `${id}/issue`)
      const { totals, data } = await read('?status=void')
      const { total_in_cents, due_on } = first((await read('?status=open')).data)
      expect(data.map((one) => one.invoice_id)).toEqual([voided])
      expect([due_on, totals]).toEqual(['2026-04-09', { ...nothing, open_in_cents: total_in_cents }])
      for (const [query, found] of [
        ['?status=open', [id]],
        ['?status=overdue', []],
        ['?status=paid,void', [voided]],
        ['?status=OPEN&status=void', [id, voided]],
        ['?period_from=2026-03', [id, voided]],
        ['?period_from=2026-04', []],
        ['?period_to=2026-02', []],
        ['?period_from=2026-03&period_to=2026-03&status=void', [voided]],
      ] as const)
        expect([query, (await read(query)).data.map((one) => one.invoice_id)]).toEqual([query, found])
      for (const [query, field] of [
        ['?status=late', 'status[0]'],
        ['?period_from=2026', 'period_from'],
        ['?period_to=2026-13', 'period_to'],
      ] as const) {
        const answer = await api.get(pathOf(bakery, query))
        expect([answer.status, answer.error.details[0]?.field]).toEqual([400, field])
      }
      for (const [day, owed, overdue] of [
        ['2026-04-09', { ...totals }, []],
        ['2026-04-10', { ...totals, overdue_in_cents: total_in_cents }, [id]],
      ] as const) {
        api.moveTo(day)
        const late = await read('?status=overdue')
        expect([late.totals, late.data.map((one) => one.invoice_id)]).toEqual([owed, overdue])
      }
      api.moveTo('2026-03-10')
      await api.post(`/operator${pathOf(bakery, `/${id}/pay`)}`, {}, operator())
      expect((await read()).totals).toEqual(nothing)
    })

    it('is empty for a subscribed employer without invoices', async () => {
      const { body } = await api.get(pathOf(await createEmployer(api)))
      const totals = { open_in_cents: 0, overdue_in_cents: 0, credit_in_cents: 0 }
      expect(body).toEqual({ data: [], totals, pagination: { limit: 20, next_offset: null }, next_offset: null })
    })

    it('is refused for an employer that never had a subscription', async () => {
      const user = await api.post('/operator/v1/users', { name: 'Uma' }, operator())
      const organization = await api.post(
        '/operator/v1/organizations',
        { name: 'Real Benefits', type: 'BROKERAGE', admin_user_id: user.body.data.id, sandbox: false },
        operator(),
      )
      const made = await api.post(
        '/operator/v1/api-keys',
        { user_id: user.body.data.id, organization_id: organization.body.data.id, mode: 'live' },
        operator(),
      )
      const key = made.body.data.api_key
      const id = await createEmployer(api, {}, { key })
      expect(codeOf(await api.get(pathOf(id), { key }))).toEqual([422, 'employer_has_no_billing_account'])
      await api.post(`/operator/v1/employers/${id}/subscriptions`, { started_on: '2026-03-01' }, operator())
      expect((await api.get(pathOf(id), { key })).body.data).toEqual([])
    })
  })
})

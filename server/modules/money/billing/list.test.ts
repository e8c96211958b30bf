import { beforeAll, describe, expect, it } from 'vitest'
import { createCoveredEmployer, createEmployer, importCatalog } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { codeOf } from '../../../test/response.ts'
import { first } from '../../../test/pick.ts'

const api = useApi()
const operator = () => ({ key: api.operator_key })
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
    for (const query of ['', '?include_drafts=false', '?include_drafts=']) expect(await listed(query)).toEqual([voided])
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

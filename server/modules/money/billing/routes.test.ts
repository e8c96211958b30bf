import { Worker } from 'node:worker_threads'
import { extractText } from 'unpdf'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { createCoveredEmployer, importCatalog, boundToken } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { type ApiResponse, codeOf } from '../../../test/response.ts'
import { first, pick } from '../../../test/pick.ts'

const api = useApi()
const operator = () => ({ key: api.operator_key })
let catalog: Awaited<ReturnType<typeof importCatalog>>

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

let employer_id: string
let other_id: string
let invoice_id: string

beforeAll(async () => {
  catalog = await importCatalog(api)
  employer_id = await aCoveredEmployer()
  other_id = await aCoveredEmployer()
  invoice_id = await draft(employer_id)
})

describe('the amounts that employers owe', () => {
  it('are listed by age, for each employer and in total, until they are paid', async () => {
    const bakery = await aCoveredEmployer()
    const id = await draft(bakery)
    const owed = async (key = api.story.api_key) => (await api.get('/v1/invoices/aging?limit=100', { key })).body
    const ofBakery = async () => (await owed()).data.find((row) => row.employer_id === bakery)
    expect(await ofBakery()).toBeUndefined()
    await operate(bakery, `${id}/issue`)
    const { total_in_cents, due_on } = first((await api.get(pathOf(bakery))).body.data)
    const due = { invoice_count: 1, oldest_due_on: due_on, not_due_in_cents: total_in_cents, total_in_cents }
    expect(await ofBakery()).toMatchObject(due)
    const ages = [
      ['2026-03-10', 'not_due_in_cents'],
      ['2026-03-09', 'overdue_to_30_days_in_cents'],
      ['2026-02-08', 'overdue_to_30_days_in_cents'],
      ['2026-02-07', 'overdue_to_60_days_in_cents'],
      ['2026-01-09', 'overdue_to_60_days_in_cents'],
      ['2026-01-08', 'overdue_to_90_days_in_cents'],
      ['2025-12-10', 'overdue_to_90_days_in_cents'],
      ['2025-12-09', 'overdue_longer_in_cents'],
    ] as const
    for (const [day, age] of ages) {
      await api.database.reads.rows('update invoices set due_on = $1 where invoice_id = $2 returning 1', [day, id])
      expect((await ofBakery())?.[age], day).toBe(total_in_cents)
    }
    const { data, totals } = await owed()
    expect(data[0]?.employer_id, 'longest overdue first').toBe(bakery)
    expect(totals.total_in_cents).toBe(data.reduce((sum, row) => sum + row.total_in_cents, 0))
    expect(totals.overdue_longer_in_cents).toBe(total_in_cents)
    expect((await owed(api.story.rival_api_key)).data).toEqual([])
    await operate(bakery, `${id}/pay`)
    expect(await ofBakery()).toBeUndefined()
  })
})

describe('an invoice', () => {
  it('is numbered without gaps within its organization', async () => {
    const rows = await api.database.reads.rows<{ number: number }>(
      'select number from invoices where organization_id = $1 order by number',
      [api.story.organization_id],
    )
    expect(rows.map((row) => row.number)).toEqual(rows.map((_, at) => at + 1))
  })

  it('can be read by the token of its employer only', async () => {
    const own = await boundToken(api, 'employer', employer_id)
    const other = await boundToken(api, 'employer', other_id)
    const { employee_id } = first((await api.get(pathOf(employer_id, `/${invoice_id}/lines`))).body.data)
    const employee = await boundToken(api, 'employee', employee_id)
    const mine = await api.get(pathOf(employer_id, '?include_drafts=true'), { key: own })
    expect(mine.body.data.length).toBe(1)
    expect((await api.get(pathOf(employer_id, `/${invoice_id}/lines`), { key: own })).body.pagination.total).toBe(3)
    expect((await api.get(pathOf(employer_id, `/${invoice_id}/pdf`), { key: own })).status).toBe(200)
    expect((await api.get(pathOf(employer_id, `/${invoice_id}/reconciliation`), { key: own })).status).toBe(200)
    for (const key of [other, employee, api.story.rival_api_key]) {
      for (const rest of ['', `/${invoice_id}/lines`, `/${invoice_id}/pdf`, `/${invoice_id}/reconciliation`])
        expect((await api.get(pathOf(employer_id, rest), { key })).status, rest).toBe(404)
    }
  })

  it('is found only at its employer, and by its exact id', async () => {
    for (const [id, named] of [
      [other_id, invoice_id],
      [employer_id, 'INV-999999'],
      [employer_id, invoice_id.toLowerCase()],
      [employer_id, 'x'.repeat(256)],
      [employer_id, '%00'],
    ] as const)
      expect((await api.get(pathOf(id, `/${named}/lines`))).status, named).toBe(404)
  })

  it('goes from draft to open to paid once, and refuses other actions with a code', async () => {
    const bakery = await aCoveredEmployer()
    const id = await draft(bakery)
    const tasks = async () =>
      (await api.get(`/operator/v1/tasks?kind=invoice_drafted&employer_id=${bakery}`, operator())).body.data
    expect(await tasks()).toMatchObject([
      {
        resource_id: id,
        details: { period: '2026-03', issued_by_itself_on: '2026-03-13' },
        action: { path: `/operator/v1/employers/${bakery}/invoices/${id}/issue` },
      },
    ])
    expect(codeOf(await operate(bakery, `${id}/pay`))).toEqual([409, 'invoice_is_draft'])
    expect(codeOf(await operate(bakery, 'run'))).toEqual([409, 'invoice_already_drafted'])
    const issued = await operate(bakery, `${id}/issue`)
    expect(issued.body.data).toMatchObject({ status: 'open', issued_on: '2026-03-10', due_on: '2026-04-09' })
    expect((await operate(bakery, `${id}/issue`)).body).toEqual(issued.body)
    expect(await api.events(id)).toEqual(['invoice.issued'])
    expect(await tasks()).toEqual([])

    const paid = await operate(bakery, `${id}/pay`)
    expect(paid.body.data).toMatchObject({ status: 'paid', paid_on: '2026-03-10' })
    expect((await operate(bakery, `${id}/pay`)).body).toEqual(paid.body)
    expect(codeOf(await operate(bakery, `${id}/issue`))).toEqual([409, 'invoice_is_paid'])
    expect(codeOf(await operate(bakery, `${id}/void`))).toEqual([409, 'invoice_is_paid'])
    expect(codeOf(await operate(bakery, 'run'))).toEqual([409, 'invoice_already_drafted'])
  })

  it('can be paid on a given day between its issue and today', async () => {
    const bakery = await aCoveredEmployer()
    const id = await draft(bakery)
    const pay = (body?: unknown) => api.post(`/operator${pathOf(bakery, `/${id}/pay`)}`, body, operator())
    const fieldsOf = ({ status, error }: ApiResponse) => [status, error.details.map(({ field }) => field)]
    expect(codeOf(await pay({ paid_on: '2026-03-09' }))).toEqual([409, 'invoice_is_draft'])
    await operate(bakery, `${id}/issue`)
    api.moveTo('2026-03-20')
    for (const paid_on of ['2026-03-09', '2026-03-21', '2026-02-30'])
      expect(fieldsOf(await pay({ paid_on })), paid_on).toEqual([400, ['paid_on']])
    const paid = await pay({ paid_on: '2026-03-10' })
    expect(paid.body.data).toMatchObject({ status: 'paid', paid_on: '2026-03-10' })
    expect((await pay()).body).toEqual(paid.body)
    expect((await pay({ paid_on: '2026-03-15' })).body).toEqual(paid.body)
    api.moveTo('2026-03-10')
  })

  it('stays void once it is void', async () => {
    const bakery = await aCoveredEmployer()
    const id = await draft(bakery)
    const voided = await operate(bakery, `${id}/void`)
    expect(voided.body.data).toMatchObject({ status: 'void', issued_on: null, voided_on: '2026-03-10' })
    expect((await operate(bakery, `${id}/void`)).body).toEqual(voided.body)
    expect(codeOf(await operate(bakery, `${id}/issue`))).toEqual([409, 'invoice_is_void'])
    expect(codeOf(await operate(bakery, `${id}/pay`))).toEqual([409, 'invoice_is_void'])
  })

  it('states why it is void and which invoice replaced it', async () => {
    const bakery = await aCoveredEmployer()
    const id = await draft(bakery)
    const voiding = (body: unknown) => api.post(`/operator${pathOf(bakery, `/${id}/void`)}`, body, operator())
    const blank = await voiding({ reason: ' ' })
    expect([blank.status, blank.error.details[0]?.field]).toEqual([400, 'reason'])
    const found = async (invoice_id: string) => {
      const { data } = (await api.get(`${pathOf(bakery)}?include_drafts=true`)).body
      return pick(data, (each) => each.invoice_id === invoice_id)
    }
    expect(await found(id)).toMatchObject({ void_reason: null, replaced_by: null })
    const why = { void_reason: 'The wrong rates were imported.', replaced_by: null }
    expect((await voiding({ reason: why.void_reason })).body.data).toMatchObject(why)
    expect((await voiding({ reason: 'Another reason' })).body.data).toMatchObject(why)
    const second = await draft(bakery)
    expect(await found(id)).toMatchObject({ ...why, replaced_by: second })
    await operate(bakery, `${second}/void`)
    const third = await draft(bakery)
    expect(await found(id)).toMatchObject({ ...why, replaced_by: third })
    expect(await found(second)).toMatchObject({ void_reason: null, replaced_by: third })
  })

  it('is shown to the operator with its lines and its reconciliation', async () => {
    const list = await api.get(`/operator${pathOf(employer_id)}`, operator())
    expect(list.body).toEqual((await api.get(pathOf(employer_id, '?include_drafts=true'))).body)
    const proof = await api.get(`/operator${pathOf(employer_id, `/${invoice_id}/reconciliation`)}`, operator())
    expect(proof.body).toEqual((await api.get(pathOf(employer_id, `/${invoice_id}/reconciliation`))).body)
  })
})

describe('the PDF of an invoice', () => {
  const linkTo = async (employer_id: string, id: string): Promise<string> => {
    const answer = await api.get(pathOf(employer_id, `/${id}/pdf`))
    expect(answer.status, answer.text).toBe(200)
    return answer.body.data.download_url
  }
  const open = async (url: string) => {
    const file = await fetch(url)
    const bytes = Buffer.from(await file.arrayBuffer())
    expect(file.status, bytes.toString()).toBe(200)
    expect(file.headers.get('content-type')).toBe('application/pdf')
    expect(file.headers.get('content-length')).toBe(String(bytes.length))
    return bytes
  }
  const textOf = async (bytes: Buffer) => (await extractText(new Uint8Array(bytes), { mergePages: true })).text
  const kept = (id: string) =>
    api.database.reads.rows<{ rendered_state: string }>(
      'select rendered_state from invoice_pdfs where invoice_id = $1',
      [id],
    )

  it('is rendered once, and its link works without a key for fifteen minutes', async () => {
    const bakery = await aCoveredEmployer()
    const id = await draft(bakery)
    await operate(bakery, `${id}/issue`)
    await api.work()
    const { data } = (await api.get(pathOf(bakery, `/${id}/pdf`))).body
    expect(Date.parse(data.expires_at) - api.runtime.clock()).toBeGreaterThan(14 * 60_000)
    const bytes = await open(data.download_url)
    const text = await textOf(bytes)
    expect(text).toContain(`Invoice ${id}`)
    expect(text).toContain('Employee only')
    expect(text).not.toMatch(/\bEE\b|VOID|DRAFT/)
    expect((await fetch(data.download_url)).headers.get('content-disposition')).toContain(`${id}.pdf`)
    expect((await open(data.download_url)).equals(bytes)).toBe(true)

    const at = 'select rendered_at from invoice_pdfs where invoice_id = $1'
    const before = await api.database.reads.rows(at, [id])
    api.wait(1000)
    await api.database.pool.query(`select graphile_worker.add_job('render_invoice', json_build_object(
      'organization_id', '${api.story.organization_id}', 'invoice_id', '${id}'))`)
    await api.work()
    expect(await api.database.reads.rows(at, [id])).toEqual(before)
    api.wait(16 * 60_000)
    expect((await fetch(data.download_url)).status).toBe(404)
    api.moveTo('2026-03-10')
  })

  it('is rendered on demand even if the job failed, and once for concurrent requests', async () => {
    const bakery = await aCoveredEmployer()
    const id = await draft(bakery)
    await operate(bakery, `${id}/issue`)
    const failed = await api.database.reads.rows(
      `select graphile_worker.permanently_fail_jobs(array_agg(id)) from graphile_worker.jobs where key like $1`,
      [`render_invoice:%${id}`],
    )
    expect(failed).toHaveLength(1)
    await api.work()
    expect(await kept(id)).toEqual([])
    const url = await linkTo(bakery, id)
    const files = await Promise.all(Array.from({ length: 5 }, () => open(url)))
    expect(new Set(files.map((file) => file.toString('base64'))).size).toBe(1)
    expect(await kept(id)).toEqual([{ rendered_state: 'due' }])
  })

  it('of a draft is not stored, and rendered once for concurrent requests', async () => {
    const bakery = await aCoveredEmployer()
    const url = await linkTo(bakery, await draft(bakery))
    const sent = vi.spyOn(Worker.prototype, 'postMessage')
    await Promise.all(Array.from({ length: 8 }, () => open(url)))
    const documents = sent.mock.calls.filter(([message]) => (message as { document?: string }).document !== undefined)
    sent.mockRestore()
    // A request after the first rendering gets a new one.
    expect(documents.length).toBeLessThanOrEqual(2)
  })

  it('of a draft is marked as a draft and not stored', async () => {
    const bakery = await aCoveredEmployer()
    const id = await draft(bakery)
    const url = await linkTo(bakery, id)
    expect(await textOf(await open(url))).toMatch(/Draft invoice[^]*DRAFT: do not pay/)
    expect(await kept(id)).toEqual([])
    await operate(bakery, `${id}/issue`)
    expect(await textOf(await open(url))).not.toMatch(/draft/i)
    expect(await kept(id)).toEqual([{ rendered_state: 'due' }])
  })

  it('of a void invoice is marked as void immediately, replacing the stored one', async () => {
    const bakery = await aCoveredEmployer()
    const id = await draft(bakery)
    await operate(bakery, `${id}/issue`)
    const url = await linkTo(bakery, id)
    expect(await textOf(await open(url))).not.toContain('VOID')
    await operate(bakery, `${id}/void`)
    const opened = await open(url)
    expect(await textOf(opened)).toMatch(/Void invoice[^]*VOID: do not pay/)
    expect(await kept(id)).toEqual([{ rendered_state: 'void ' }])
    await api.work()
    expect((await open(await linkTo(bakery, id))).equals(opened)).toBe(true)

    const never_issued = await draft(bakery)
    await operate(bakery, `${never_issued}/void`)
    await api.work()
    expect(await kept(never_issued)).toEqual([{ rendered_state: 'void ' }])
    const replaced = await textOf(await open(await linkTo(bakery, id)))
    expect(replaced).not.toContain('Replaced by')
    const live = await draft(bakery)
    expect(await textOf(await open(await linkTo(bakery, id)))).toContain(`Replaced by ${live}`)
    expect(await kept(id)).toEqual([{ rendered_state: `void ${live}` }])
    expect(await textOf(await open(await linkTo(bakery, never_issued)))).toContain('VOID')
  })

  it('does not change when the invoice is paid', async () => {
    const bakery = await aCoveredEmployer()
    const id = await draft(bakery)
    await operate(bakery, `${id}/issue`)
    const before = await open(await linkTo(bakery, id))
    await operate(bakery, `${id}/pay`)
    expect((await open(await linkTo(bakery, id))).equals(before)).toBe(true)
  })

  it('is read in pieces, however large it is', async () => {
    const bakery = await aCoveredEmployer()
    const id = await draft(bakery)
    await operate(bakery, `${id}/issue`)
    const url = await linkTo(bakery, id)
    await open(url)
    const large = Buffer.from(Uint8Array.from({ length: 3_000_001 }, (_, at) => (at * 31) % 251))
    await api.database.pool.query('update invoice_pdfs set pdf = $2 where invoice_id = $1', [id, large])
    expect((await open(url)).equals(large)).toBe(true)
    const head = await fetch(url, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '3000001'])
  })
})

it('an invoice is collected by the billing system set before it was drafted', async () => {
  const path = `/operator/v1/organizations/${api.story.organization_id}/billing-system` as const
  const waiting = async () => {
    const { rows } = await api.database.pool.query(
      `select key from graphile_worker.jobs where task_identifier = 'mirror_invoice'`,
    )
    return rows.map((row) => row.key)
  }
  await api.put(path, { billing_system: 'stripe', stripe_secret_key: 'sk_test_0123456789' }, operator())
  const bakery = await aCoveredEmployer()
  const id = await draft(bakery)
  expect(await waiting()).toEqual([])
  await operate(bakery, `${id}/issue`)
  await operate(employer_id, `${invoice_id}/issue`)
  expect(await waiting()).toEqual([`mirror_invoice:${api.story.organization_id}:${id}`])
  await api.put(path, { billing_system: 'built_in' }, operator())
})

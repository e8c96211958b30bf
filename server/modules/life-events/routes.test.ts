import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll, describe, expect, it } from 'vitest'
import { scanner, scannerAt } from '../../integrations/scan/scanner.ts'
import { createEmployee, createEmployer, importCatalog, openPlanYear } from '../../test/cast.ts'
import { refusalOf } from '../../test/answer.ts'
import { useApi } from '../../test/harness.ts'
import { pick } from '../../test/pick.ts'

const api = useApi()
const unknown = 'qle_01kdq7b4w8e9rs2mh3n5t6v7xz'
const events = (employee_id: string) => `/v1/employees/${employee_id}/qualifying-life-events` as const
const asOperator = () => ({ key: api.operator_key })

let employer_id: string
let employee_id: string
beforeAll(async () => {
  employer_id = await createEmployer(api)
  employee_id = (await createEmployee(api, employer_id)).id
})

async function tokenFor(type: 'employee' | 'employer', id: string): Promise<string> {
  const bound_entity = { type, id }
  return (await api.post('/v1/auth/access-tokens', { grant_type: 'client_credentials', bound_entity })).body
    .access_token
}

/** Reports a life event of somebody new and returns what was answered. */
async function reported(said: object = {}) {
  const { id } = await createEmployee(api, employer_id)
  const answer = await api.post(events(id), { type: 'marriage', occurred_on: '2026-03-01', ...said })
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data
}

const decide = (life_event_id: string, decision: 'approve' | 'decline', body?: object, key = api.operator_key) =>
  api.post(`/operator/v1/qualifying-life-events/${life_event_id}/${decision}`, body, { key })

const documents = (life_event_id: string) => `/v1/qualifying-life-events/${life_event_id}/attachments` as const
const pdf = Buffer.from('%PDF-1.7\n%EOF\n')
const attach = (id: string, bytes: Buffer, file_name = 'certificate.pdf', more = {}) =>
  api.post(documents(id), { file_name, content: bytes.toString('base64') }, more)
const detach = (id: string, attachment_id: string, more = {}) =>
  api.call('DELETE', `${documents(id)}/${attachment_id}` as `/v1/qualifying-life-events/x/attachments/y`, more)
const most_bytes = 10 * 1024 * 1024

/** A file of so many bytes that begins as a PDF. */
function pdfOf(length: number): Buffer {
  const bytes = randomBytes(length)
  pdf.copy(bytes)
  return bytes
}

const piecesOf = (life_event_id: string) =>
  api.database.reads.rows<{ content_sealed: Buffer }>(
    `select content_sealed from life_event_attachment_pieces as piece
       join life_event_attachments as attachment on attachment.id = piece.attachment_id
      where attachment.life_event_id = $1`,
    [life_event_id],
  )

describe('life_events_attach', () => {
  it('keeps a document encrypted, and shows it to who may see the life event, by what it holds', async () => {
    const { id, employee_id } = await reported()
    const sent = pdfOf(700_000)
    const own = await tokenFor('employee', employee_id)
    const answer = await attach(id, sent, 'certificate.exe', { key: own })
    expect(answer.status, answer.text).toBe(201)
    const shown = {
      id: expect.stringMatching(/^att_/),
      file_name: 'certificate.exe',
      scan: 'none',
      file: { download_url: expect.any(String), expires_at: expect.any(String) },
      created_at: '2026-03-10T16:00:00.000Z',
    }
    expect(answer.body.data.attachments).toEqual([shown])
    const pending = await api.get('/operator/v1/qualifying-life-events?status=pending&limit=100', asOperator())
    const seen = pick(pending.body.data, (event) => event.id === id).attachments[0]!
    expect(seen).toEqual(shown)
    const file = await fetch(seen.file!.download_url)
    expect(Object.fromEntries(file.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="${seen.id}.pdf"`,
      'content-length': '700000',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
    expect(sent.equals(Buffer.from(await file.arrayBuffer()))).toBe(true)
    const pieces = await piecesOf(id)
    expect(pieces).toHaveLength(3)
    for (const { content_sealed } of pieces) expect(sent.includes(content_sealed.subarray(-64))).toBe(false)
    const others = [await tokenFor('employee', (await reported()).employee_id), api.story.rival_api_key]
    for (const key of others) expect((await attach(id, pdf, 'x.pdf', { key })).status).toBe(404)
    for (const key of others) expect((await detach(id, seen.id, { key })).status).toBe(404)
    const employers = await tokenFor('employer', employer_id)
    expect((await attach(id, pdf, 'x.pdf', { key: employers })).status).toBe(403)
    expect((await api.get(events(employee_id), { key: employers })).status).toBe(403)
    const trail = await api.get(`/v1/audit-entries?resource_id=${id}`)
    expect(trail.body.data.map(({ operation }) => operation)).toContain('life_events_attach')
  })

  it('takes 10 MiB, and refuses what is more, no file, of another kind, late, or too many', async () => {
    const { id, employee_id } = await reported()
    const large = pdfOf(most_bytes)
    const taken = await attach(id, large)
    expect(taken.status, taken.text).toBe(201)
    const file = await fetch(taken.body.data.attachments[0]!.file!.download_url)
    expect(large.equals(Buffer.from(await file.arrayBuffer()))).toBe(true)
    for (const content of [pdfOf(most_bytes + 3).toString('base64'), 'no base64!', '', undefined])
      expect(refusalOf(await api.post(documents(id), { file_name: 'a.pdf', content }))).toEqual([
        400,
        'invalid_request',
        'content',
      ])
    for (const text of ['MZ', '<svg xmlns="http://www.w3.org/2000/svg"/>', ' %PDF-1.7', 'RIFF....WAVE'])
      expect(refusalOf(await attach(id, Buffer.from(text)))).toEqual([400, 'invalid_request', 'content'])
    expect((await api.call('POST', documents(id), { raw: Buffer.alloc(16 * 1024 * 1024, 'a') })).status).toBe(413)
    for (let more = 1; more < 5; more++) expect((await attach(id, pdf)).status).toBe(201)
    expect(refusalOf(await attach(id, pdf))).toEqual([409, 'conflict', ''])
    const own = await tokenFor('employee', employee_id)
    const first = taken.body.data.attachments[0]!.id
    const detached = await detach(id, first, { key: own })
    expect([detached.status, detached.body.data.attachments.length]).toEqual([200, 4])
    expect((await fetch(taken.body.data.attachments[0]!.file!.download_url)).status).toBe(404)
    expect((await piecesOf(id)).length).toBe(4)
    await decide(id, 'decline', { reason: 'No' })
    const left = detached.body.data.attachments[0]!.id
    for (const refused of [await attach(id, pdf), await detach(id, left, { key: own })])
      expect(refused.error.code).toBe('life_event_already_decided')
    expect((await detach(id, left)).body.data.attachments).toHaveLength(3)
  })

  it('is shown once the scanner of the operator has seen it, and not kept when that refuses it', async () => {
    let answer = 503
    const asked: unknown[] = []
    const hook = createServer((request, response) => {
      const { 'content-type': type, 'content-length': length } = request.headers
      asked.push([type, length])
      request.resume().on('end', () => response.writeHead(answer).end())
    })
    await new Promise<void>((listening) => void hook.listen(0, '127.0.0.1', listening))
    api.runtime.integrations.set(scanner, scannerAt(`http://127.0.0.1:${(hook.address() as AddressInfo).port}/`))
    const { id, employee_id } = await reported()
    const scans = async () =>
      pick((await api.get(events(employee_id))).body.data, (event) => event.id === id).attachments.map(
        ({ scan, file }) => [scan, file !== null],
      )
    await attach(id, pdfOf(300_000))
    const dueNow = () => api.database.reads.rows('update graphile_worker._private_jobs set run_at = now()')
    await api.work()
    expect(await scans()).toEqual([['waiting', false]])
    answer = 204
    await dueNow()
    await api.work()
    expect(await scans()).toEqual([['clean', true]])
    answer = 422
    await attach(id, Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))
    await api.work()
    expect(await scans()).toEqual([
      ['clean', true],
      ['refused', false],
    ])
    expect(asked).toEqual([
      ['application/pdf', '300000'],
      ['application/pdf', '300000'],
      ['image/png', '8'],
    ])
    expect(await piecesOf(id)).toHaveLength(2)
    api.runtime.integrations.set(scanner, undefined)
    hook.close()
  })
})

describe('life_events_create', () => {
  it('leaves the life event to be decided about', async () => {
    const answer = await api.post(events(employee_id), {
      type: 'loss_of_coverage',
      occurred_on: '2026-02-28',
      description: ' The plan of a parent ended. ',
      status: 'approved',
    })
    expect(answer.status).toBe(201)
    expect(answer.body.data).toEqual({
      id: expect.stringMatching(/^qle_/),
      employee_id,
      employer_id,
      type: 'loss_of_coverage',
      occurred_on: '2026-02-28',
      description: 'The plan of a parent ended.',
      status: 'pending',
      decided_at: null,
      decision_reason: null,
      window_start: null,
      window_end: null,
      attachments: [],
      created_at: '2026-03-10T16:00:00.000Z',
      updated_at: '2026-03-10T16:00:00.000Z',
    })
  })

  it.each([
    ['no type', { type: undefined }, 'type'],
    ['an unknown type', { type: 'lottery' }, 'type'],
    ['no day', { occurred_on: undefined }, 'occurred_on'],
    ['a day that does not exist', { occurred_on: '2026-02-29' }, 'occurred_on'],
    ['a day after today', { occurred_on: '2026-03-11' }, 'occurred_on'],
    ['something other without a description', { type: 'other' }, 'description'],
    ['something other with a blank description', { type: 'other', description: ' ' }, 'description'],
    ['a description without end', { description: 'x'.repeat(1001) }, 'description'],
  ])('refuses %s and names the field', async (_, said, field) => {
    const answer = await api.post(events(employee_id), { type: 'marriage', occurred_on: '2026-03-01', ...said })
    expect(refusalOf(answer)).toEqual([400, 'invalid_request', field])
  })

  it('takes something other with its description', async () => {
    expect(await reported({ type: 'other', description: 'Came home' })).toMatchObject({ type: 'other' })
  })

  it('refuses what happened more than 60 days ago, let alone before the person was born', async () => {
    for (const occurred_on of ['2026-01-08', '1980-01-01'])
      expect(refusalOf(await api.post(events(employee_id), { type: 'divorce', occurred_on }))).toEqual([
        422,
        'life_event_too_old',
        undefined,
      ])
  })

  it('refuses a former employee from the day after the last', async () => {
    const leaver = await createEmployee(api, employer_id)
    const last_day = (termination_date: string) =>
      api.post(`/v1/employees/${leaver.id}/terminate`, { termination_date })
    await last_day('2026-03-10')
    expect((await api.post(events(leaver.id), { type: 'marriage', occurred_on: '2026-03-01' })).status).toBe(201)
    await last_day('2026-03-09')
    expect(refusalOf(await api.post(events(leaver.id), { type: 'marriage', occurred_on: '2026-03-01' }))).toEqual([
      409,
      'employee_is_not_employed',
      undefined,
    ])
  })
})

describe('life_events_list', () => {
  it('shows those of one employment, newest first, in pages', async () => {
    const { id } = await createEmployee(api, employer_id)
    for (const type of ['marriage', 'birth', 'adoption']) {
      await api.post(events(id), { type, occurred_on: '2026-03-01' })
      api.wait(1000)
    }
    api.moveTo('2026-03-10')
    const first = await api.get(`${events(id)}?limit=2`)
    expect(first.body.data.map(({ type }) => type)).toEqual(['adoption', 'birth'])
    expect(first.body.pagination).toEqual({ limit: 2, page: 1, total: 3, total_pages: 2 })
    expect((await api.get(`${events(id)}?limit=2&page=2`)).body.data).toHaveLength(1)
  })
})

describe('who may see and report', () => {
  it('is the employee, and no other employee', async () => {
    const key = await tokenFor('employee', employee_id)
    expect((await api.post(events(employee_id), { type: 'birth', occurred_on: '2026-03-01' }, { key })).status).toBe(
      201,
    )
    expect((await api.get(events(employee_id), { key })).body.pagination.total).toBeGreaterThan(0)
    const other = await createEmployee(api, employer_id)
    expect(refusalOf(await api.get(events(other.id), { key }))).toEqual([404, 'not_found', undefined])
    expect(refusalOf(await api.post(events(other.id), { type: 'birth', occurred_on: '2026-03-01' }, { key }))).toEqual([
      404,
      'not_found',
      undefined,
    ])
  })

  it('is not the employer', async () => {
    const key = await tokenFor('employer', employer_id)
    expect(refusalOf(await api.get(events(employee_id), { key }))).toEqual([403, 'forbidden', undefined])
    expect(
      refusalOf(await api.post(events(employee_id), { type: 'birth', occurred_on: '2026-03-01' }, { key })),
    ).toEqual([403, 'forbidden', undefined])
    const stranger = await tokenFor('employer', await createEmployer(api))
    expect(refusalOf(await api.get(events(employee_id), { key: stranger }))).toEqual([404, 'not_found', undefined])
  })

  it('is not Rival', async () => {
    const key = api.story.rival_api_key
    expect(refusalOf(await api.get(events(employee_id), { key }))).toEqual([404, 'not_found', undefined])
    expect(
      refusalOf(await api.post(events(employee_id), { type: 'birth', occurred_on: '2026-03-01' }, { key })),
    ).toEqual([404, 'not_found', undefined])
  })
})

describe('operator_list_life_events', () => {
  const list = (query: string) => api.get(`/operator/v1/qualifying-life-events?limit=100&${query}`, asOperator())
  const ids = (answer: Awaited<ReturnType<typeof list>>) => answer.body.data.map(({ id }) => id)

  it('shows those of every organization that are as asked, oldest first', async () => {
    const one = await reported()
    const other = await reported()
    api.wait(1000)
    const foreign = await reportedAtRival()
    api.moveTo('2026-03-10')
    await decide(one.id, 'decline', { reason: 'No certificate' })

    const pending = ids(await list('status=pending'))
    expect(pending).not.toContain(one.id)
    expect(pending.indexOf(other.id)).toBeGreaterThan(-1)
    expect(pending.indexOf(foreign)).toBeGreaterThan(pending.indexOf(other.id))
    expect(ids(await list('status=declined'))).toContain(one.id)
    expect(ids(await list(''))).toEqual(expect.arrayContaining([one.id, other.id, foreign]))
    expect(ids(await list(`status=pending&organization_id=${api.story.rival_organization_id}`))).toEqual([foreign])
    const shown = (await list(`organization_id=${api.story.organization_id}`)).body.data
    expect(shown.find(({ id }) => id === other.id)).toEqual({
      ...other,
      organization_id: api.story.organization_id,
    })
  })

  it('refuses a status and an organization that are none', async () => {
    expect(refusalOf(await list('status=open'))).toEqual([400, 'invalid_request', 'status'])
    expect(refusalOf(await list('organization_id=org_x'))).toEqual([400, 'invalid_request', 'organization_id'])
  })

  /** A life event of somebody at an employer of Rival. */
  async function reportedAtRival(): Promise<string> {
    const options = { key: api.story.rival_api_key }
    const at = await createEmployer(api, {}, options)
    const hired = await api.post(
      `/v1/employers/${at}/employees`,
      {
        first_name: 'Rita',
        last_name: 'Rival',
        email: 'rita@rival.example',
        date_of_birth: '1980-02-29',
        start_date: '2026-01-05',
      },
      options,
    )
    expect(hired.status, hired.text).toBe(201)
    return (await api.post(events(hired.body.data.id), { type: 'adoption', occurred_on: '2026-03-01' }, options)).body
      .data.id
  }
})

describe('operator_approve_life_event', () => {
  it('opens a window of today and 30 days more', async () => {
    const event = await reported()
    const answer = await decide(event.id, 'approve')
    const decided = {
      ...event,
      status: 'approved',
      decided_at: '2026-03-10T16:00:00.000Z',
      window_start: '2026-03-10',
      window_end: '2026-04-09',
    }
    expect(answer.status).toBe(200)
    expect(answer.body.data).toEqual({ ...decided, organization_id: api.story.organization_id })
    expect((await api.get(events(event.employee_id))).body.data).toEqual([decided])
  })

  it('lets the employee elect until the window closes, and tells each enrollment', async () => {
    const catalog = await importCatalog(api)
    const at = await createEmployer(api)
    const everyone = { classification: 'all', waiting_period: 'none' }
    expect((await api.post(`/v1/employers/${at}/benefit-eligibility-policies`, everyone)).status).toBe(201)
    await openPlanYear(api, at, catalog)
    const { id } = await createEmployee(api, at)
    const enrollments = async () => (await api.get(`/v1/employees/${id}/enrollments`)).body.data
    const windows = async () => (await enrollments()).map(({ window }) => window)
    const mec = pick(await enrollments(), ({ benefit }) => benefit.id === catalog.mec.benefit_id)
    const elect = () =>
      api.post(`/v1/enrollments/${mec.id}/elect`, { plan_id: catalog.mec.plan_id, coverage_tier: 'EE' })

    api.moveTo('2026-04-20')
    expect(await windows()).toEqual([null, null])
    expect(refusalOf(await elect())).toEqual([409, 'enrollment_window_closed', undefined])
    const event = await api.post(events(id), { type: 'loss_of_coverage', occurred_on: '2026-03-31' })
    expect(await windows()).toEqual([null, null])
    expect((await decide(event.body.data.id, 'approve')).status).toBe(200)
    const opened = { start: '2026-04-20', end: '2026-05-20' }
    expect(await windows()).toEqual([opened, opened])
    for (const { id: enrollment_id } of await enrollments())
      expect(await api.events(enrollment_id)).toEqual([
        'enrollment.granted',
        'enrollment.started',
        'enrollment.started',
      ])
    api.moveTo('2026-05-20')
    expect((await elect()).status).toBe(200)
    api.moveTo('2026-05-21')
    expect(refusalOf(await elect())).toEqual([409, 'enrollment_window_closed', undefined])
    api.moveTo('2026-03-10')
  })

  it('decides once, also when asked ten times at the same moment', async () => {
    const { id } = await reported()
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) => (at % 2 ? decide(id, 'approve') : decide(id, 'decline', { reason: 'No' }))),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(409)])
    expect(refusalOf(await decide(id, 'approve'))).toEqual([409, 'life_event_already_decided', undefined])
    expect(refusalOf(await decide(id, 'decline', { reason: 'No' }))).toEqual([
      409,
      'life_event_already_decided',
      undefined,
    ])
  })

  it('is not for partners, and not for what is not there', async () => {
    const { id } = await reported()
    expect(refusalOf(await decide(id, 'approve', undefined, api.story.api_key))).toEqual([
      401,
      'unauthorized',
      undefined,
    ])
    expect(refusalOf(await decide(unknown, 'approve'))).toEqual([404, 'not_found', undefined])
    expect(refusalOf(await decide(unknown, 'decline', { reason: 'No' }))).toEqual([404, 'not_found', undefined])
  })
})

describe('operator_decline_life_event', () => {
  it('tells the employee why, and opens nothing', async () => {
    const event = await reported()
    const answer = await decide(event.id, 'decline', { reason: ' The certificate is missing. ' })
    expect(answer.status).toBe(200)
    expect((await api.get(events(event.employee_id))).body.data).toEqual([
      {
        ...event,
        status: 'declined',
        decided_at: '2026-03-10T16:00:00.000Z',
        decision_reason: 'The certificate is missing.',
      },
    ])
  })

  it('refuses to say nothing', async () => {
    const { id } = await reported()
    expect(refusalOf(await decide(id, 'decline', {}))).toEqual([400, 'invalid_request', 'reason'])
    expect(refusalOf(await decide(id, 'decline', { reason: ' ' }))).toEqual([400, 'invalid_request', 'reason'])
  })
})

it('needs the operator from when it is reported until it is decided', async () => {
  const needing = async () =>
    (await api.get('/operator/v1/open-matters?kind=life_event_pending&limit=100', asOperator())).body.data
  const [one, other] = [await reported(), await reported()]
  const matter = pick(await needing(), ({ resource_id }) => resource_id === one.id)
  expect(matter).toMatchObject({ employer_id, details: { employee_id: one.employee_id, occurred_on: '2026-03-01' } })
  expect((await api.call('POST', matter.deed.path, asOperator())).status).toBe(200)
  await decide(other.id, 'decline', { reason: 'No certificate' })
  const left = (await needing()).map(({ resource_id }) => resource_id)
  expect(left).not.toContain(one.id)
  expect(left).not.toContain(other.id)
})

import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll, describe, expect, it } from 'vitest'
import { scanner, scannerAt } from '../../../integrations/scan/scanner.ts'
import { createEmployee, createEmployer, boundToken } from '../../../test/fixtures.ts'
import { refusalOf } from '../../../test/response.ts'
import { useApi } from '../../../test/harness.ts'
import { only, pick } from '../../../test/pick.ts'
import contract from '../../../../openapi.json' with { type: 'json' }

const api = useApi()
const events = (employee_id: string) => `/v1/employees/${employee_id}/qualifying-life-events` as const

let employer_id: string
beforeAll(async () => {
  employer_id = await createEmployer(api)
})

/** A life event that a new employee reports. */
async function reported() {
  const { id } = await createEmployee(api, employer_id)
  return (await api.post(events(id), { type: 'marriage', occurred_on: '2026-03-01' })).body.data
}

const documents = (life_event_id: string) => `/v1/qualifying-life-events/${life_event_id}/attachments` as const
const pdf = Buffer.from('%PDF-1.7\n%EOF\n')
const attach = (id: string, bytes: Buffer, file_name = 'certificate.pdf', more = {}) =>
  api.post(documents(id), { file_name, content: bytes.toString('base64') }, more)
const detach = (id: string, attachment_id: string, more = {}) =>
  api.call('DELETE', `${documents(id)}/${attachment_id}` as `/v1/qualifying-life-events/x/attachments/y`, more)
const max_bytes = 10 * 1024 * 1024

/** A file of this length that begins like a PDF. */
function pdfOf(length: number): Buffer {
  const bytes = randomBytes(length)
  pdf.copy(bytes)
  return bytes
}

const piecesOf = (life_event_id: string) =>
  api.database.reads.rows<{ content_sealed: Buffer }>(
    `select content_sealed from file_pieces as piece
       join life_event_attachments as attachment on attachment.id = piece.file_id
      where attachment.life_event_id = $1`,
    [life_event_id],
  )

describe('life_events_attach', () => {
  it('encrypts a document and serves it with its content type to callers who can read the event', async () => {
    const { id, employee_id } = await reported()
    const sent = pdfOf(700_000)
    const own = await boundToken(api, 'employee', employee_id)
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
    const pending = await api.get('/operator/v1/qualifying-life-events?status=pending&limit=100', {
      key: api.operator_key,
    })
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
    const others = [await boundToken(api, 'employee', (await reported()).employee_id), api.story.rival_api_key]
    for (const key of others) expect((await attach(id, pdf, 'x.pdf', { key })).status).toBe(404)
    for (const key of others) expect((await detach(id, seen.id, { key })).status).toBe(404)
    const employers = await boundToken(api, 'employer', employer_id)
    expect((await attach(id, pdf, 'x.pdf', { key: employers })).status).toBe(403)
    expect((await api.get(events(employee_id), { key: employers })).status).toBe(403)
    const audit_log = await api.get(`/v1/audit-entries?resource_id=${id}`)
    expect(audit_log.body.data.map(({ operation }) => operation)).toContain('life_events_attach')
  })

  it.each([
    ['application/pdf', pdf],
    ['image/png', Buffer.from('\x89PNG\r\n\x1a\n....', 'latin1')],
    ['image/jpeg', Buffer.from('\xff\xd8\xff\xe0', 'latin1')],
    ['image/webp', Buffer.from('RIFF....WEBPVP8 ', 'latin1')],
    ['image/heic', Buffer.from('....ftypheic....', 'latin1')],
  ])('serves a document as %s, a type that the contract declares for downloads', async (content_type, bytes) => {
    const answer = await attach((await reported()).id, bytes, 'scan.bin')
    const file = await fetch(only(answer.body.data.attachments).file!.download_url)
    expect(file.headers.get('content-type')).toBe(content_type)
    const { paths } = (await api.get('/v1/openapi.json')).body as { paths: typeof contract.paths }
    const declared = Object.keys(paths['/v1/downloads/{token}'].get.responses['200'].content)
    expect(declared).toContain(content_type)
    expect(declared.filter((type) => type.includes('*'))).toEqual([])
  })

  it('refuses a file name that displays another extension than it has', async () => {
    const answer = await attach((await reported()).id, pdf, 'certificate\u202efdp.exe')
    expect(refusalOf(answer)).toEqual([400, 'invalid_request', 'file_name'])
  })

  it('accepts 10 MiB, and refuses larger, missing, late or too many files and other types', async () => {
    const { id, employee_id } = await reported()
    const large = pdfOf(max_bytes)
    const taken = await attach(id, large)
    expect(taken.status, taken.text).toBe(201)
    const file = await fetch(taken.body.data.attachments[0]!.file!.download_url)
    expect(large.equals(Buffer.from(await file.arrayBuffer()))).toBe(true)
    for (const content of [pdfOf(max_bytes + 3).toString('base64'), 'no base64!', '', undefined])
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
    const own = await boundToken(api, 'employee', employee_id)
    const first = taken.body.data.attachments[0]!.id
    const detached = await detach(id, first, { key: own })
    expect([detached.status, detached.body.data.attachments.length]).toEqual([200, 4])
    expect((await fetch(taken.body.data.attachments[0]!.file!.download_url)).status).toBe(404)
    expect((await piecesOf(id)).length).toBe(4)
    const decline = `/operator/v1/qualifying-life-events/${id}/decline` as const
    await api.post(decline, { reason: 'No' }, { key: api.operator_key })
    const left = detached.body.data.attachments[0]!.id
    for (const refused of [await attach(id, pdf), await detach(id, left, { key: own })])
      expect(refused.error.code).toBe('life_event_already_decided')
    expect((await detach(id, left)).body.data.attachments).toHaveLength(3)
  })

  it('serves a document after the scan, and deletes it if the scanner refuses it', async () => {
    let answer = 503
    const requested: unknown[] = []
    const hook = createServer((request, response) => {
      const { 'content-type': type, 'content-length': length } = request.headers
      requested.push([type, length])
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
    expect(requested).toEqual([
      ['application/pdf', '300000'],
      ['application/pdf', '300000'],
      ['image/png', '8'],
    ])
    expect(await piecesOf(id)).toHaveLength(2)
    api.runtime.integrations.set(scanner, undefined)
    hook.close()
  })
})

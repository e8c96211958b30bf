import { createHash, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll, describe, expect, it } from 'vitest'
import { scanner, scannerAt } from '../../../integrations/scan/scanner.ts'
import {
  aMemberKey,
  createEmployee,
  createEmployer,
  importCatalog,
  boundToken,
  createOfferingEmployer,
} from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { pick } from '../../../test/pick.ts'
import { codeOf, refusalOf } from '../../../test/response.ts'

/** The library of documents, from the upload to the employees that a document concerns. */
const api = useApi()
let catalog: Awaited<ReturnType<typeof importCatalog>>
let employer_id: string
let benefit_plan_year_id: string

beforeAll(async () => {
  catalog = await importCatalog(api)
  ;({ employer_id, plan_year_id: benefit_plan_year_id } = await createOfferingEmployer(api, catalog))
})

const library = '/v1/documents'
const pdf = Buffer.from('%PDF-1.7\n%EOF\n')
const file = (bytes: Buffer = pdf) => ({ file_name: 'guide.pdf', content: bytes.toString('base64') })
const max_bytes = 25 * 1024 * 1024

/** A file of this length that begins like a PDF. */
function pdfOf(length: number): Buffer {
  const bytes = randomBytes(length)
  pdf.copy(bytes)
  return bytes
}

const upload = (more: object = {}, key = api.story.api_key) =>
  api.post(library, { kind: 'guide', title: 'Guide', ...file(), ...more }, { key })

/** Adds a document and returns it. */
async function added(more: object = {}) {
  const answer = await upload(more)
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data
}

const at = <Id extends string, End extends string>(id: Id, end: End) => `${library}/${id}/${end}` as const

/** A new hire with open benefits, who lists and opens documents with a token. */
async function newcomer(at_employer = employer_id) {
  const { id } = await createEmployee(api, at_employer, { start_date: '2026-03-09' })
  const key = await boundToken(api, 'employee', id)
  const documents = async (language = 'en') =>
    (await api.get(`/v1/employees/${id}/documents?limit=100&language=${language}`, { key })).body.data
  const sees = async (language?: string) => (await documents(language)).map((one) => one.title)
  const open = (document_id: string) => api.post(`/v1/employees/${id}/documents/${document_id}/open`, {}, { key })
  return { id, key, documents, sees, open }
}

const withdraw = (id: string) => api.post(at(id, 'withdraw'))

describe('documents_create', () => {
  it('encrypts a file, and serves it as an attachment under its title', async () => {
    const sent = pdfOf(600_000)
    const document = await added({ title: 'Guide ½ <b>2027</b>', ...file(sent) })
    expect(document).toEqual({
      id: expect.stringMatching(/^doc_/),
      organization_id: api.story.organization_id,
      scope: 'organization',
      employer_id: null,
      employer_name: null,
      benefit_plan_year_id: null,
      plan_id: null,
      plan_name: null,
      series_id: document.id,
      version: 1,
      kind: 'guide',
      title: 'Guide ½ <b>2027</b>',
      language: 'en',
      audience: 'employees',
      is_required_at_election: false,
      status: 'current',
      file_name: 'guide.pdf',
      content_type: 'application/pdf',
      bytes: 600_000,
      sha256: createHash('sha256').update(sent).digest('hex'),
      scan: 'none',
      effective_on: '2026-03-10',
      replaced_on: null,
      withdrawn_at: null,
      public_url: null,
      opened_count: 0,
      created_at: '2026-03-10T16:00:00.000Z',
      updated_at: '2026-03-10T16:00:00.000Z',
    })
    expect((await api.get(`${library}/${document.id}`)).body.data).toEqual(document)
    const { download_url } = (await api.get(at(document.id, 'download'))).body.data
    const got = await fetch(download_url)
    expect(Object.fromEntries(got.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': 'attachment; filename="Guide____b_2027__b_.pdf"',
      'x-content-type-options': 'nosniff',
    })
    expect(sent.equals(Buffer.from(await got.arrayBuffer()))).toBe(true)
    const pieces = await api.database.reads.rows<{ content_sealed: Buffer }>(
      'select content_sealed from file_pieces where file_id = $1',
      [document.id],
    )
    expect(pieces).toHaveLength(3)
    for (const { content_sealed } of pieces) expect(sent.includes(content_sealed.subarray(-64))).toBe(false)
    const audit_log = (await api.get(`/v1/audit-entries?resource_id=${document.id}`)).body.data
    expect(audit_log.map(({ operation }) => operation)).toContain('documents_create')
    const events = (await api.get(`/v1/webhook-events?resource_id=${document.id}`)).body.data
    expect(events.map(({ event_name }) => event_name)).toEqual(['document.created'])
    await withdraw(document.id)
  })

  it('accepts 25 MiB, and refuses one byte more, other types and scopes of other organizations', async () => {
    const large = await upload(file(pdfOf(max_bytes)))
    expect([large.status, large.body.data.bytes]).toEqual([201, max_bytes])
    await withdraw(large.body.data.id)
    const one_more = await upload(file(pdfOf(max_bytes + 1)))
    expect(refusalOf(one_more)).toEqual([400, 'invalid_request', 'content'])
    expect(one_more.error.details[0]?.message).toBe('must be at most 25 MiB')
    const raw = Buffer.alloc(37 * 1024 * 1024, 'a')
    expect((await api.call('POST', library, { raw })).status).toBe(413)
    const executable = Buffer.concat([Buffer.from('MZ\x90\0'), pdf])
    const page = Buffer.from('<!doctype html><script>alert(document.cookie)</script>%PDF-1.7')
    for (const bytes of [executable, page, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), Buffer.alloc(0)])
      expect(refusalOf(await upload(file(bytes)))).toEqual([400, 'invalid_request', 'content'])
    for (const [more, field] of [
      [{ kind: 'virus' }, 'kind'],
      [{ title: ' ' }, 'title'],
      [{ content: 'no base64!' }, 'content'],
      [{ file_name: 'guide\u202efdp.exe' }, 'file_name'],
      [{ audience: 'members', is_required_at_election: true }, 'is_required_at_election'],
      [{ employer_id, plan_id: catalog.dental.plan_id }, 'plan_id'],
      [{ effective_on: 'soon' }, 'effective_on'],
    ] as const)
      expect(refusalOf(await upload(more)), field).toEqual([400, 'invalid_request', field])
    const rival = api.story.rival_api_key
    for (const [scope, field] of [
      [{ employer_id }, 'employer_id'],
      [{ benefit_plan_year_id }, 'benefit_plan_year_id'],
      [{ plan_id: catalog.dental.plan_id }, 'plan_id'],
    ] as const)
      expect(refusalOf(await upload(scope, rival))).toEqual([400, 'invalid_request', field])
    expect((await api.get(`${library}?status=current`, { key: rival })).body.data).toEqual([])
  })

  it('serves a page that hides behind the first bytes of a PDF only as a PDF to save', async () => {
    const { id } = await added(file(Buffer.from('%PDF-1.7\n<!doctype html><script>alert(1)</script>')))
    const got = await fetch((await api.get(at(id, 'download'))).body.data.download_url)
    expect(got.headers.get('content-type')).toBe('application/pdf')
    expect(got.headers.get('content-disposition')).toMatch(/^attachment; filename="Guide.pdf"$/)
    expect(got.headers.get('x-content-type-options')).toBe('nosniff')
    await withdraw(id)
  })

  it('returns the same document to a repeated request', async () => {
    const headers = { 'idempotency-key': 'guide' }
    const body = { kind: 'form', title: 'Form', ...file() }
    const [first, again] = [await api.post(library, body, { headers }), await api.post(library, body, { headers })]
    expect([again.headers.get('idempotent-replayed'), again.text]).toEqual(['true', first.text])
    await withdraw(first.body.data.id)
  })

  it('is restricted to roles that manage employers, and hidden from other organizations', async () => {
    const { id } = await added()
    const sales = await aMemberKey(api, api.story.organization_id, 'SALES')
    expect((await upload({}, sales)).status).toBe(403)
    expect((await api.get(`${library}/${id}`, { key: sales })).status).toBe(200)
    expect((await api.get(at(id, 'receipts'), { key: sales })).status).toBe(403)
    const rival = { key: api.story.rival_api_key }
    for (const hidden of [
      await api.get(`${library}/${id}`, rival),
      await api.get(at(id, 'download'), rival),
      await api.get(at(id, 'receipts'), rival),
      await api.patch(`${library}/${id}`, { title: 'Mine' }, rival),
      await api.post(at(id, 'versions'), file(), rival),
      await api.post(at(id, 'translations'), { language: 'es', title: 'Mía', ...file() }, rival),
      await api.post(at(id, 'withdraw'), {}, rival),
    ])
      expect(codeOf(hidden)).toEqual([404, 'not_found'])
    await withdraw(id)
  })
})

describe('a document of the library', () => {
  it('is seen by the employees and employers that it concerns, in their language', async () => {
    const [ana, elsewhere] = [await newcomer(), await newcomer(await createEmployer(api))]
    const all = await added({ title: 'B: everyone' })
    const spanish = await api.post(at(all.id, 'translations'), { language: 'es', title: 'B: todos', ...file() })
    expect(spanish.body.data).toMatchObject({ series_id: all.id, language: 'es', version: 1, kind: 'guide' })
    const made = [
      spanish.body.data,
      all,
      await added({ title: 'A: bakery', employer_id }),
      await added({ title: 'C: year', benefit_plan_year_id }),
      await added({ title: 'D: plan', plan_id: catalog.dental.plan_id, kind: 'sbc' }),
      await added({ title: 'E: members', audience: 'members' }),
      await added({ title: 'F: later', effective_on: '2026-03-11' }),
    ]
    expect(made.map(({ scope }) => scope)).toEqual([
      'organization',
      'organization',
      'employer',
      'plan_year',
      'plan',
      'organization',
      'organization',
    ])
    expect(await ana.sees()).toEqual(['A: bakery', 'B: everyone', 'C: year', 'D: plan'])
    expect(await ana.sees('es')).toEqual(['A: bakery', 'B: todos', 'C: year', 'D: plan'])
    expect(await elsewhere.sees()).toEqual(['B: everyone'])
    const employer = { key: await boundToken(api, 'employer', employer_id) }
    const theirs = (await api.get(`${library}?status=current&language=en`, employer)).body.data
    expect(theirs.map(({ title }) => title).toSorted()).toEqual(['A: bakery', 'B: everyone', 'C: year', 'D: plan'])
    const members_only = pick(made, ({ audience }) => audience === 'members').id
    const of_year = made[3]!.id
    const hidden = [
      await api.get(`${library}/${members_only}`, employer),
      await api.get(at(of_year, 'download'), { key: await boundToken(api, 'employer', await createEmployer(api)) }),
      await ana.open(members_only),
      await elsewhere.open(of_year),
      await api.get(`/v1/employees/${ana.id}/documents`, { key: elsewhere.key }),
    ]
    for (const answer of hidden) expect(codeOf(answer)).toEqual([404, 'not_found'])
    expect((await api.get(library, { key: ana.key })).status).toBe(403)
    expect((await upload({}, employer.key)).status).toBe(403)
    const listed = async (query: string) =>
      (await api.get(`${library}?status=current&${query}`)).body.data.map(({ title }) => title).toSorted()
    expect(await listed('language=es')).toEqual(['B: todos'])
    expect(await listed('scope=plan')).toEqual(['D: plan'])
    expect(await listed(`employer_id=${employer_id}`)).toEqual(['A: bakery', 'C: year'])
    expect(await listed(`benefit_plan_year_id=${benefit_plan_year_id}`)).toEqual(['C: year'])
    expect(await listed(`plan_id=${catalog.dental.plan_id}&kind=sbc`)).toEqual(['D: plan'])
    for (const { id } of made) await withdraw(id)
    expect(await ana.sees()).toEqual([])
  })

  it('is replaced by a version starting on a day, and keeps its history', async () => {
    const ana = await newcomer()
    const first = await added({ title: 'Plan summary', kind: 'summary' })
    const later = await api.post(at(first.id, 'versions'), { ...file(), effective_on: '2026-04-01' })
    expect(later.body.data).toMatchObject({ status: 'scheduled', version: 2, series_id: first.id, kind: 'summary' })
    expect((await ana.documents()).map(({ id }) => id)).toEqual([first.id])
    expect(codeOf(await api.post(at(first.id, 'versions'), file()))).toEqual([409, 'document_is_replaced'])
    // The first version continues when the scheduled one is withdrawn, and is then replaced today.
    expect((await withdraw(later.body.data.id)).body.data.status).toBe('withdrawn')
    const third = (await api.post(at(first.id, 'versions'), { ...file(), title: 'Newer' })).body.data
    expect([third.version, third.title, third.status]).toEqual([3, 'Newer', 'current'])
    expect((await ana.documents()).map(({ id }) => id)).toEqual([third.id])
    const versions = (await api.get(`${library}?series_id=${first.id}`)).body.data
    expect(versions.map(({ version, status }) => `${version} ${status}`).toSorted()).toEqual([
      '1 replaced',
      '2 withdrawn',
      '3 current',
    ])
    expect((await api.get(at(first.id, 'download'))).status).toBe(200)
    const again = { language: 'en', title: 'Again', ...file() }
    expect(codeOf(await api.post(at(third.id, 'translations'), again))).toEqual([409, 'document_language_exists'])
    const changed = await api.patch(`${library}/${third.id}`, { audience: 'members', title: 'For us' })
    expect(changed.body.data).toMatchObject({ audience: 'members', title: 'For us' })
    const unfit = await api.patch(`${library}/${third.id}`, { is_required_at_election: true })
    expect(refusalOf(unfit)).toEqual([400, 'invalid_request', 'is_required_at_election'])
    expect(await ana.sees()).toEqual([])
    await withdraw(third.id)
    expect(codeOf(await withdraw(third.id))).toEqual([409, 'document_is_withdrawn'])
    const events = (await api.get(`/v1/webhook-events?resource_id=${third.id}`)).body.data
    expect(events.map(({ event_name }) => event_name).toSorted()).toEqual([
      'document.created',
      'document.updated',
      'document.withdrawn',
    ])
  })

  it('has one next version if several are uploaded at the same time', async () => {
    const { id } = await added()
    const answers = await Promise.all(Array.from({ length: 5 }, () => api.post(at(id, 'versions'), file())))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409])
    await withdraw(answers.find(({ status }) => status === 201)!.body.data.id)
  })

  it('has one current version if a scheduled one is withdrawn and replaced at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const first = await added()
      const { id } = (await api.post(at(first.id, 'versions'), { ...file(), effective_on: '2026-04-01' })).body.data
      const answers = await Promise.all([api.post(at(id, 'versions'), file()), withdraw(id)])
      for (const { status } of answers) expect([200, 201, 409]).toContain(status)
      const current = (await api.get(`${library}?series_id=${first.id}&status=current`)).body.data
      expect(current).toHaveLength(1)
      await withdraw(first.id)
      await withdraw(current[0]!.id)
    }
  })

  it('is opened by everyone with the permanent link if it is public', async () => {
    const first = await added({ audience: 'public', kind: 'notice', title: 'Transparency in coverage' })
    const link = first.public_url!
    expect(link).toBe(`${api.url}/documents/${first.id}`)
    const open = (url = link) => fetch(url, { redirect: 'follow' })
    expect(Buffer.from(await (await open()).arrayBuffer()).equals(pdf)).toBe(true)
    const newer = pdfOf(100)
    const second = (await api.post(at(first.id, 'versions'), file(newer))).body.data
    expect(Buffer.from(await (await open()).arrayBuffer()).equals(newer)).toBe(true)
    await api.patch(`${library}/${second.id}`, { audience: 'employees' })
    expect((await open()).status).toBe(404)
    for (const id of ['doc_x', first.id.replace(/.{4}$/, 'zzzz')])
      expect((await open(`${api.url}/documents/${id}`)).status).toBe(404)
    await withdraw(second.id)
  })

  it('can be opened after its scan, and never if the scanner refuses it', async () => {
    const ana = await newcomer()
    let answer = 200
    const hook = createServer(
      (request, response) => void request.resume().on('end', () => response.writeHead(answer).end()),
    )
    await new Promise<void>((listening) => void hook.listen(0, '127.0.0.1', listening))
    api.runtime.integrations.set(scanner, scannerAt(`http://127.0.0.1:${(hook.address() as AddressInfo).port}/`))
    try {
      const clean = await added({ title: 'Clean' })
      expect([clean.scan, await ana.sees()]).toEqual(['waiting', []])
      expect(codeOf(await api.get(at(clean.id, 'download')))).toEqual([409, 'document_not_available'])
      await api.work()
      expect(await ana.sees()).toEqual(['Clean'])
      answer = 422
      const infected = await added({ title: 'Infected', audience: 'public', is_required_at_election: true })
      await api.work()
      expect((await api.get(`${library}/${infected.id}`)).body.data.scan).toBe('refused')
      expect(await ana.sees()).toEqual(['Clean'])
      expect((await ana.open(infected.id)).status).toBe(404)
      expect((await fetch(infected.public_url!)).status).toBe(404)
      for (const { id } of [clean, infected]) await withdraw(id)
    } finally {
      api.runtime.integrations.set(scanner, undefined)
      await new Promise((closed) => hook.close(closed))
    }
  })
})

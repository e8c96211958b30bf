import { once } from 'node:events'
import { get } from 'node:http'
import { beforeAll, describe, expect, it } from 'vitest'
import { createEmployer, importCatalog, openPlanYear } from '../../test/fixtures.ts'
import { useApi } from '../../test/harness.ts'
import { first } from '../../test/pick.ts'
import { readConfig } from '../../kernel/config.ts'
import { downloadLink } from './downloads.ts'
import { newId } from '../../kernel/ids.ts'

const api = useApi()
const kind = 'payroll_deduction_statement_csv'
let employer_id: string
let statement_id: string

const linkTo = (key: object = {}) =>
  api.act((ctx) => downloadLink(ctx, { kind, organization_id: api.story.organization_id, id: statement_id, ...key }))
const open = (url: string, options: RequestInit = {}) => fetch(url, options)
type Refused = { error: { code: string } }
const codeOf = async (answer: Response) => [answer.status, ((await answer.json()) as Refused).error.code]

beforeAll(async () => {
  employer_id = await createEmployer(api)
  await openPlanYear(api, employer_id, await importCatalog(api))
  await api.work()
  const run = `/operator/v1/employers/${employer_id}/payroll-deduction-statements/run` as const
  statement_id = first((await api.post(run, {}, { key: api.operator_key })).body.data.opened_statement_ids)
  await api.work()
})

describe('a link', () => {
  it('works without a key, with any key, and with HEAD', async () => {
    const { download_url } = await linkTo()
    expect((await open(download_url)).status).toBe(200)
    expect((await open(download_url, { headers: { authorization: 'Bearer nonsense' } })).status).toBe(200)
    const head = await open(download_url, { method: 'HEAD' })
    expect([head.status, await head.text(), head.headers.get('content-type')]).toEqual([
      200,
      '',
      'text/csv; charset=utf-8',
    ])
  })

  it('works until its expiry and is refused from then on', async () => {
    const { download_url, expires_at } = await linkTo()
    const lifetime = Date.parse(expires_at) - api.runtime.clock()
    expect(lifetime).toBe(15 * 60_000)
    api.wait(lifetime - 1000)
    expect((await open(download_url)).status).toBe(200)
    api.wait(1000)
    const late = await open(download_url)
    expect(late.headers.get('cache-control')).toBe('no-store')
    expect(await codeOf(late)).toEqual([404, 'not_found'])
  })

  it('returns 404 if it is forged or its file is foreign, missing or of another kind', async () => {
    const { download_url } = await linkTo()
    const [head, body, signature] = download_url.split('/').at(-1)!.split('.')
    const others = await Promise.all([
      linkTo({ organization_id: api.story.rival_organization_id }),
      linkTo({ kind: 'nothing' }),
      linkTo({ kind: 'toString' }),
      linkTo({ id: newId('stmt') }),
    ])
    const changed = Buffer.from(JSON.stringify({ kind, id: statement_id })).toString('base64url')
    const tokens = [
      `${head}.${changed}.${signature}`,
      `${head}.${body}.`,
      `${head}.${body}`,
      'x',
      '%00',
      'a'.repeat(3000),
    ]
    const urls = [
      ...others.map((other) => other.download_url),
      ...tokens.map((token) => `${api.url}/v1/downloads/${token}`),
    ]
    for (const url of urls) expect(await codeOf(await open(url)), url).toEqual([404, 'not_found'])
  })

  it('is not accepted as an access token, and vice versa', async () => {
    const { access_token } = (await api.post('/v1/auth/access-tokens', { grant_type: 'client_credentials' })).body
    const { download_url } = await linkTo()
    expect((await open(`${api.url}/v1/downloads/${access_token.slice('obat_'.length)}`)).status).toBe(404)
    const key = `obat_${download_url.split('/').at(-1)}`
    expect((await api.get('/v1/employers', { key })).status).toBe(401)
  })

  it('responds to other methods with 405 and an Allow header', async () => {
    const { download_url } = await linkTo()
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const answer = await open(download_url, { method })
      expect(answer.headers.get('allow')).toBe('GET, HEAD')
      expect(await codeOf(answer)).toEqual([405, 'method_not_allowed'])
    }
  })

  it('begins with PUBLIC_URL, or else with the address that the server listens on', async () => {
    expect((await linkTo()).download_url.startsWith(`${api.url}/v1/downloads/`)).toBe(true)
    const settings = { ...api.runtime.settings, public_url: 'https://benefits.example.com' }
    const { download_url } = await api.act((ctx) =>
      downloadLink({ ...ctx, settings }, { kind, organization_id: api.story.organization_id, id: statement_id }),
    )
    expect(download_url.startsWith('https://benefits.example.com/v1/downloads/')).toBe(true)
  })
})

describe('the key that requested a link', () => {
  const operator = () => ({ key: api.operator_key })
  const linksOf = (key: string) => api.get(`/v1/employers/${employer_id}/payroll-deduction-statements`, { key })
  const statusOf = async (url: string) => (await open(url)).status

  /** A user of Harbor with a key and a link that it requested. */
  async function anOwner() {
    const user = await api.post('/operator/v1/users', { name: 'Uma' }, operator())
    const user_id: string = user.body.data.id
    const member = `/operator/v1/organizations/${api.story.organization_id}/members` as const
    expect((await api.post(member, { user_id, role: 'OPERATIONS' }, operator())).status).toBeLessThan(300)
    const made = await api.post('/operator/v1/api-keys', { user_id, mode: 'test' }, operator())
    const { id, api_key } = made.body.data
    const linked = await linksOf(api_key)
    expect(linked.status, linked.text).toBe(200)
    const url = first(linked.body.data).csv.download_url
    expect(await statusOf(url)).toBe(200)
    return { user_id, member: `${member}/${user_id}`, id, api_key, url }
  }

  it('ends its own links within 5 seconds of its revocation', async () => {
    const [first, other] = [await anOwner(), await anOwner()]
    expect((await api.call('DELETE', `/operator/v1/api-keys/${first.id}`, operator())).status).toBeLessThan(300)
    api.wait(5000)
    expect(await codeOf(await open(first.url))).toEqual([404, 'not_found'])
    expect(await statusOf(other.url)).toBe(200)
  })

  it('ends them when its owner leaves the organization', async () => {
    const { member, url } = await anOwner()
    expect((await api.call('DELETE', member, operator())).status).toBeLessThan(300)
    api.wait(5000)
    expect(await statusOf(url)).toBe(404)
  })

  it('ends them when its owner changes roles', async () => {
    const { user_id, member, api_key, url } = await anOwner()
    await api.call('DELETE', member, operator())
    const members = `/operator/v1/organizations/${api.story.organization_id}/members` as const
    expect((await api.post(members, { user_id, role: 'SALES' }, operator())).status).toBeLessThan(300)
    api.wait(5000)
    expect((await api.get('/v1/employers', { key: api_key })).status, 'it reaches the organization').toBe(200)
    expect(await statusOf(url)).toBe(404)
  })

  it('ends the links of its tokens', async () => {
    const { id, api_key } = await anOwner()
    const requested = { grant_type: 'client_credentials' }
    const key = (await api.post('/v1/auth/access-tokens', requested, { key: api_key })).body.access_token
    const url = first((await linksOf(key)).body.data).csv.download_url
    expect(await statusOf(url)).toBe(200)
    await api.call('DELETE', `/operator/v1/api-keys/${id}`, operator())
    api.wait(5000)
    expect(await statusOf(url)).toBe(404)
  })

  it('must be named in the link, or the link is refused', async () => {
    const { download_url } = await api.act((ctx) =>
      downloadLink(
        { ...ctx, caller: { ...ctx.caller, key_id: undefined as unknown as null } },
        { kind, organization_id: api.story.organization_id, id: statement_id },
      ),
    )
    expect(await statusOf(download_url)).toBe(404)
  })
})

describe('many concurrent downloads', () => {
  it('run up to a limit, then wait, then are refused, without delaying other organizations', async () => {
    const { organization_id } = api.story
    const invoice_id = 'INV-999999'
    await api.database.pool.query(
      `insert into invoices (invoice_id, organization_id, number, employer_id, period, employer_name,
          employer_legal_name,
                             address_line_1, city, state, zipcode, drafted_at, drafted_on, billing_system, created_at)
       values ($1, $2, 999999, $3, '2020-01-01', '', '', '', '', '', '', now(), '2020-01-01', 'built_in', now())`,
      [invoice_id, organization_id, employer_id],
    )
    await api.database.pool.query(
      `insert into invoice_pdfs (organization_id, invoice_id, pdf, rendered_at) 
       values ($1, $2, decode(repeat('00', 12000000), 'hex'), now())`,
      [organization_id, invoice_id],
    )
    const { download_url } = await linkTo({ kind: 'invoice_pdf', id: invoice_id })
    // The downloads start, but receive no more than the network buffers hold.
    const slow = await Promise.all(
      Array.from({ length: 100 }, async () => {
        const request = get(download_url, { agent: false })
        const [response] = await once(request, 'response')
        expect(response.statusCode).toBe(200)
        return request
      }),
    )
    // Fifty of these wait. The other one gets the first response.
    const requests = Array.from({ length: 51 }, () => open(download_url))
    const refused = await Promise.race(requests)
    expect([refused.headers.get('retry-after'), ...(await codeOf(refused))]).toEqual(['2', 503, 'unavailable'])
    const foreign = await linkTo({
      organization_id: api.story.rival_organization_id,
      kind: 'invoice_pdf',
      id: invoice_id,
    })
    expect(await codeOf(await open(foreign.download_url))).toEqual([404, 'not_found'])
    expect((await api.get(`/v1/employers/${employer_id}`)).status).toBe(200)
    for (const request of slow) request.destroy()
    const responses = await Promise.all(requests)
    expect(responses.map(({ status }) => status).toSorted()).toEqual([...Array(50).fill(200), 503])
    for (const response of responses) if (response !== refused) await response.body?.cancel()
  })
})

describe('the setting PUBLIC_URL', () => {
  it.each([
    ['https://benefits.example.com', 'https://benefits.example.com'],
    ['https://example.com/benefits/', 'https://example.com/benefits'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ])('accepts %s', (given, read) => {
    expect(readConfig({ PUBLIC_URL: given }).PUBLIC_URL).toBe(read)
  })

  it.each(['benefits.example.com', 'ftp://example.com', 'https://example.com/?a=b', 'https://me@example.com'])(
    'refuses %s',
    (given) => {
      expect(() => readConfig({ PUBLIC_URL: given })).toThrow('The setting PUBLIC_URL must be a URL such as')
    },
  )
})

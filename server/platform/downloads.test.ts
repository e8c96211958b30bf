import { beforeAll, describe, expect, it } from 'vitest'
import { createEmployer, importCatalog, openPlanYear } from '../test/cast.ts'
import { useApi } from '../test/harness.ts'
import { readConfig } from './config.ts'
import { downloadLink } from './downloads.ts'
import { newId } from './ids.ts'

const api = useApi()
const kind = 'payroll_deduction_statement_csv'
let employer_id: string
let statement_id: string

const linkTo = (key: object = {}) =>
  api.act((ctx) => downloadLink(ctx, { kind, organization_id: api.story.organization_id, id: statement_id, ...key }))
const open = (url: string, options: RequestInit = {}) => fetch(url, options)
const codeOf = async (answer: Response) => [answer.status, ((await answer.json()) as any).error.code]

beforeAll(async () => {
  employer_id = await createEmployer(api)
  await openPlanYear(api, employer_id, await importCatalog(api))
  await api.work()
  const run = `/operator/v1/employers/${employer_id}/payroll-deduction-statements/run`
  statement_id = (await api.post(run, {}, { key: api.operator_key })).body.data.opened_statement_ids[0]
  await api.work()
})

describe('a link', () => {
  it('opens without a key, with any key, and with HEAD', async () => {
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

  it('is refused from its expiry on, and opens until then', async () => {
    const { download_url, expires_at } = await linkTo()
    const lifetime = Date.parse(expires_at) - api.world.clock()
    expect(lifetime).toBe(15 * 60_000)
    api.wait(lifetime - 1000)
    expect((await open(download_url)).status).toBe(200)
    api.wait(1000)
    const late = await open(download_url)
    expect(late.headers.get('cache-control')).toBe('no-store')
    expect(await codeOf(late)).toEqual([404, 'not_found'])
  })

  it('leads to its own file alone: changed, foreign, of another kind or to nothing it is a 404', async () => {
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

  it('is no access token, and no access token is a link', async () => {
    const { access_token } = (await api.post('/v1/auth/access-tokens', { grant_type: 'client_credentials' })).body
    const { download_url } = await linkTo()
    expect((await open(`${api.url}/v1/downloads/${access_token.slice('obat_'.length)}`)).status).toBe(404)
    const key = `obat_${download_url.split('/').at(-1)}`
    expect((await api.get('/v1/employers', { key })).status).toBe(401)
  })

  it('answers other methods with 405 and those it has', async () => {
    const { download_url } = await linkTo()
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const answer = await open(download_url, { method })
      expect(answer.headers.get('allow')).toBe('GET, HEAD')
      expect(await codeOf(answer)).toEqual([405, 'method_not_allowed'])
    }
  })

  it('begins with the address that is set, or else with the one that the server listens on', async () => {
    expect((await linkTo()).download_url.startsWith(`${api.url}/v1/downloads/`)).toBe(true)
    const settings = { ...api.world.settings, public_url: 'https://benefits.example.com' }
    const { download_url } = await api.act((ctx) =>
      downloadLink({ ...ctx, settings }, { kind, organization_id: api.story.organization_id, id: statement_id }),
    )
    expect(download_url.startsWith('https://benefits.example.com/v1/downloads/')).toBe(true)
  })
})

describe('the setting PUBLIC_URL', () => {
  it.each([
    ['https://benefits.example.com', 'https://benefits.example.com'],
    ['https://example.com/benefits/', 'https://example.com/benefits'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ])('takes %s', (given, read) => {
    expect(readConfig({ PUBLIC_URL: given }).PUBLIC_URL).toBe(read)
  })

  it.each(['benefits.example.com', 'ftp://example.com', 'https://example.com/?a=b', 'https://me@example.com'])(
    'refuses %s',
    (given) => {
      expect(() => readConfig({ PUBLIC_URL: given })).toThrow('The setting PUBLIC_URL must be an address such as')
    },
  )
})

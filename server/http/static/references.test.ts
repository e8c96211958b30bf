import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { interfaces } from '../openapi/interfaces.ts'
import { refusalsOf } from '../openapi/openapi-errors.ts'
import { documentOf } from '../openapi/openapi.ts'
import { endpoints, incoming } from '../../modules.ts'
import { useApi } from '../../test/harness.ts'

const api = useApi()
const anonymous = { key: null }

type OpenOperations = Record<string, { operationId: string }>

describe.each(interfaces)('$document', (each) => {
  it('is served without a key, as committed except for the server URL', async () => {
    const { status, text } = await api.get(each.document, anonymous)
    expect(status).toBe(200)
    const committed = await readFile(new URL(`../../../${each.file}`, import.meta.url), 'utf8')
    expect(committed).toBe(documentOf(each, { endpoints, incoming }))
    expect(JSON.parse(text)).toEqual({
      ...JSON.parse(committed),
      servers: [{ url: api.url, description: 'This server' }],
    })
  })

  it('is at most 1.2 MB as committed', async () => {
    const committed = await readFile(new URL(`../../../${each.file}`, import.meta.url))
    expect(committed.length).toBeLessThanOrEqual(1_200_000)
  })

  // Generated clients and fuzzers learn nothing from a `default` response.
  it('declares every status that an operation may return by number, in shared components', () => {
    type Operation = { operationId: string; responses: Record<string, { $ref?: string }> }
    const { paths } = JSON.parse(documentOf(each, { endpoints, incoming })) as {
      paths: Record<string, Record<string, Operation>>
    }
    const operations = Object.values(paths).flatMap((path) => Object.values(path))
    for (const endpoint of endpoints.filter(({ path }) => path.startsWith(each.prefix))) {
      const { responses } = operations.find(({ operationId }) => operationId === endpoint.operation)!
      const refused = refusalsOf(endpoint).map(({ status }) => String(status))
      expect(Object.keys(responses), endpoint.operation).toEqual(
        [...new Set([...Object.keys(endpoint.returns), ...refused])].toSorted(),
      )
      for (const [status, name] of [
        ['401', 'Unauthorized'],
        ['403', endpoint.issues_credential ? 'ForbiddenOrSignInAgain' : 'Forbidden'],
        ['429', 'RateLimited'],
        ['500', 'InternalError'],
        ['503', 'Unavailable'],
      ] as const)
        expect(responses[status], `${endpoint.operation} ${status}`).toEqual({ $ref: `#/components/responses/${name}` })
    }
  })

  it('is compressed if the client accepts it, and revalidated by ETag', async () => {
    const send = (headers: Record<string, string>) => fetch(`${api.url}${each.document}`, { headers })
    const plain = await send({ 'accept-encoding': 'identity' })
    const whole = await plain.text()
    for (const [accepted, encoding] of [
      ['gzip, deflate, br', 'br'],
      ['gzip;q=1.0, br;q=0', 'gzip'],
      ['deflate', null],
    ] as const) {
      const answer = await send({ 'accept-encoding': accepted })
      expect(answer.headers.get('content-encoding')).toBe(encoding)
      expect(answer.headers.get('vary')).toContain('accept-encoding')
      expect(await answer.text()).toBe(whole)
      const etag = answer.headers.get('etag')!
      const again = await send({ 'accept-encoding': accepted, 'if-none-match': `"other", W/${etag}` })
      expect([again.status, await again.text()]).toEqual([304, ''])
      if (encoding) expect(Number(answer.headers.get('content-length'))).toBeLessThan(whole.length / 5)
    }
    expect((await send({ 'if-none-match': '"other"' })).status).toBe(200)
  })

  it('contains exactly the operations of its own paths', async () => {
    const { paths } = (await api.get(each.document, anonymous)).body as { paths: Record<string, OpenOperations> }
    const own = endpoints.filter((endpoint) => endpoint.path.startsWith(each.prefix))
    const reported = Object.values(paths).flatMap((path) => Object.values(path))
    expect(reported.map((operation) => operation.operationId).sort()).toEqual(
      [
        ...own.map((endpoint) => endpoint.operation),
        ...each.open(incoming).map((one) => one.operation.operationId),
      ].sort(),
    )
    expect(own.map((endpoint) => endpoint.tag).filter((tag) => !(tag in each.about.tags))).toEqual([])
  })

  it('has pages for people that load nothing from elsewhere', async () => {
    const page = await api.get(`${each.docs}/`, anonymous)
    expect(page.status).toBe(200)
    expect(page.text).toContain(each.document)
    const scripts = [...page.text.matchAll(/<script[^>]* src="([^"]+)"/g)].map((match) => match[1])
    expect(scripts).toEqual(['js/reference-page.js', 'js/scalar.js'])
    expect(page.text.match(/https?:\/\/[^"' ]+/g) ?? []).toEqual([])
    const policy = page.headers.get('content-security-policy')!
    expect(policy).not.toMatch(/https?:/)
    expect(page.text.match(/nonce="([^"]+)"/)![1]).toBe(/'nonce-([^']+)'/.exec(policy)![1])
    for (const path of scripts) {
      const { pathname } = new URL(path!, `${api.url}${each.docs}/`)
      expect((await api.get(pathname, anonymous)).status).toBe(200)
    }
  })
})

it('redirects references without a trailing slash', async () => {
  for (const { docs } of interfaces)
    expect((await fetch(api.url + docs, { redirect: 'manual' })).headers.get('location')).toBe(`${docs}/`)
})

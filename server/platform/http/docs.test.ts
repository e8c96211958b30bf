import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { documentOf, interfaces, openOperations } from './docs.ts'
import { endpoints, incoming } from '../../modules.ts'
import { useApi } from '../../test/harness.ts'

const api = useApi()
const anonymous = { key: null }

type OpenOperations = Record<string, { operationId: string }>

describe.each(interfaces)('$document', (each) => {
  it('is served without a key, and is what the repository holds', async () => {
    const { status, text } = await api.get(each.document, anonymous)
    expect(status).toBe(200)
    expect(text).toBe(await readFile(new URL(`../../../${each.file}`, import.meta.url), 'utf8'))
    expect(text).toBe(documentOf(each, { endpoints, incoming }))
  })

  it('holds the operations of its own paths and no others', async () => {
    const { paths } = (await api.get(each.document, anonymous)).body as { paths: Record<string, OpenOperations> }
    const own = endpoints.filter((endpoint) => endpoint.path.startsWith(each.prefix))
    const told = Object.values(paths).flatMap((path) => Object.values(path))
    expect(told.map((operation) => operation.operationId).sort()).toEqual(
      [
        ...own.map((endpoint) => endpoint.operation),
        ...openOperations(each, { endpoints, incoming }).map((one) => one.operation.operationId),
      ].sort(),
    )
    expect(own.map((endpoint) => endpoint.tag).filter((tag) => !(tag in each.about.tags))).toEqual([])
  })

  it('has pages for people that load nothing from elsewhere', async () => {
    const page = await api.get(`${each.docs}/`, anonymous)
    expect(page.status).toBe(200)
    expect(page.text).toContain(each.document)
    const scripts = [...page.text.matchAll(/<script[^>]* src="([^"]+)"/g)].map((match) => match[1])
    expect(scripts).toEqual(['js/docs-page.js', 'js/scalar.js'])
    expect(page.text.match(/https?:\/\/[^"' ]+/g) ?? []).toEqual([])
    const policy = page.headers.get('content-security-policy')!
    expect(policy).not.toMatch(/https?:/)
    expect(page.text.match(/nonce="([^"]+)"/)![1]).toBe(/'nonce-([^']+)'/.exec(policy)![1])
    for (const path of scripts) expect((await api.get(`${each.docs}/${path}`, anonymous)).status).toBe(200)
  })
})

it('leads from /docs to its pages', async () => {
  expect((await api.get('/docs', anonymous)).status).toBe(200)
})

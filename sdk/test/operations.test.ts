import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, it } from 'vitest'
import { ApiError, OpenBenefits } from 'openbenefits'
import { OpenBenefitsOperator } from 'openbenefits/operator'
import { newId, type Prefix } from '../../server/kernel/ids.ts'
import { endpoints } from '../../server/modules.ts'
import { openBrowser } from '../../server/test/clients/browser.ts'
import { crawl, type SendRequest } from '../../server/test/examples.ts'
import { useApi } from '../../server/test/harness.ts'
import { build } from '../tools/build.ts'
import { operationsOf, type OpenDocument } from '../tools/document.ts'
import { refusalsOf } from '../tools/methods.ts'
import { requestOf } from './replay.js'
import { bundled, olderNode } from './runtimes.ts'

/**
 * Calls every method of both APIs on the sandbox's story, with the crawler of the examples. Then repeats each call from
 * the recording in the other runtimes.
 */
const api = useApi({ with_story: 'usual_day' })

type Recorded = {
  name: string
  given: unknown[]
  exchanges: { request: object; status: number; text: string }[]
  value?: unknown
  code?: string
}

/** The last successful call of each method, or else the last refused one. */
const recorded = new Map<string, Recorded>()
const root = join(import.meta.dirname, '../..')
const documents = ['openapi.json', 'openapi.operator.json'].map(
  (file) => JSON.parse(readFileSync(join(root, file), 'utf8')) as OpenDocument,
)
const operations = documents.flatMap((document, at) =>
  operationsOf(document).map((operation) => ({
    operation: operation.operationId,
    name: [...(at === 1 ? ['operator'] : []), operation.called.group, operation.called.name].join('.'),
    refusals: refusalsOf(operation, document),
  })),
)
const named = new Map(operations.map(({ operation, name }) => [operation, name]))

type Client = Record<string, Record<string, (...given: unknown[]) => unknown>>

/** The HTTP exchanges of the current call. */
const exchanges: Recorded['exchanges'] = []
const recording = {
  maxRetries: 0,
  fetch: async (request: Request) => {
    const sent = await requestOf(request.clone())
    const response = await fetch(request)
    exchanges.push({ request: sent, status: response.status, text: await response.clone().text() })
    return response
  },
}

/** Calls a method. Undefined if it was refused. */
async function call(client: Client, name: string, given: unknown[]) {
  const [group, method] = name.replace('operator.', '').split('.')
  exchanges.length = 0
  try {
    const value = await client[group!]![method!]!(...given)
    const body = value instanceof Response ? await value.text() : value
    recorded.set(name, { name, given, exchanges: [...exchanges], value: body })
    return { status: exchanges.at(-1)!.status, body }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const before = recorded.get(name)
    if (!before || before.code !== undefined)
      recorded.set(name, { name, given, exchanges: [...exchanges], code: error.code })
    return undefined
  }
}

beforeAll(async () => {
  const { story } = api
  await api.work()
  const options = { ...recording, baseUrl: api.url }
  const ob = new OpenBenefits({ ...options, apiKey: story.api_key })
  const partner = ob as unknown as Client
  const operator = new OpenBenefitsOperator({ ...options, apiKey: story.operator_key }) as unknown as Client
  const { download_url } = await ob.auditEntries.export()
  await call(partner, 'downloads.get', [download_url.split('/').at(-1)])

  for (const [prefix, client] of [
    ['/v1/', partner],
    ['/operator/v1/', operator],
  ] as const) {
    const own = endpoints.filter(({ path, operation }) => path.startsWith(prefix) && named.has(operation))
    const callOperation: SendRequest = ({ operation, path: template }, path, body) =>
      call(client, named.get(operation)!, [...idsIn(path, template), ...(body === undefined ? [] : [body])])
    await crawl(own, callOperation, [story.organization_id], 3)
    // For resources that the story lacks, uses ids that do not exist.
    for (const { operation, params = {}, example } of own.filter((one) => !recorded.has(named.get(one.operation)!))) {
      const ids = Object.values(params).map((kind) => newId(kind as Prefix))
      await call(client, named.get(operation)!, [...ids, ...(example === undefined ? [] : [example])])
    }
  }
})

const idsIn = (path: string, template: string): string[] => {
  const pattern = new RegExp(`^${template.replaceAll(/{\w+}/g, '([^/]+)')}$`)
  return pattern.exec(path)!.slice(1)
}

it('has and calls a method for each operation of the OpenAPI documents', () => {
  expect(named.size).toBeGreaterThan(150)
  expect([...recorded.keys()].sort()).toEqual([...named.values()].sort())
})

it('most calls of the story succeed, and the others fail with an error code that their method declares', () => {
  const refused = [...recorded.values()].filter(({ code }) => code !== undefined)
  expect(refused.length).toBeLessThan(recorded.size / 4)
  for (const { name, code } of refused) expect(operations.find((one) => one.name === name)!.refusals).toContain(code)
})

it('behaves the same in the machine’s own Node', async (context) => {
  const node = olderNode(context)
  const dist = mkdtempSync(join(tmpdir(), 'openbenefits-older-'))
  context.onTestFinished(() => rmSync(dist, { recursive: true }))
  build(dist)
  writeFileSync(join(dist, 'recorded.json'), JSON.stringify([...recorded.values()]))
  const script = `
    import { readFileSync } from 'node:fs'
    import * as partner from ${JSON.stringify(join(dist, 'index.js'))}
    import * as operator from ${JSON.stringify(join(dist, 'operator.js'))}
    import { replay } from ${JSON.stringify(join(import.meta.dirname, 'replay.js'))}
    const recorded = JSON.parse(readFileSync(${JSON.stringify(join(dist, 'recorded.json'))}))
    console.log(JSON.stringify(await replay({ ...partner, ...operator }, recorded)))`
  const { stdout } = await promisify(execFile)(node, ['--input-type=module', '-e', script])
  expect(JSON.parse(stdout)).toEqual([])
})

it('behaves the same in a browser', async () => {
  const script = await bundled(`
    import * as partner from 'openbenefits'
    import * as operator from 'openbenefits/operator'
    import { replay } from ${JSON.stringify(join(import.meta.dirname, 'replay.js'))}
    globalThis.replayed = (recorded) => replay({ ...partner, ...operator }, recorded)`)
  const browser = await openBrowser()
  try {
    const page = await browser.newPage()
    await page.addScriptTag({ type: 'module', content: script })
    await page.waitForFunction('globalThis.replayed')
    const wrong = await page.evaluate(
      (recorded) => (globalThis as unknown as { replayed(recorded: unknown): Promise<string[]> }).replayed(recorded),
      [...recorded.values()],
    )
    expect(wrong).toEqual([])
  } finally {
    await browser.close()
  }
})

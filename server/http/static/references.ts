import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { interfaces, type Interface } from '../openapi/interfaces.ts'
import { basePathOf } from './built-files.ts'
import type { DrawnByScalar } from './reference-worker.ts'
import { serveFixedTexts, type FixedText } from './fixed-texts.ts'
import { Worker } from 'node:worker_threads'
import { limits_of_thread } from '../../kernel/concurrency/background-thread.ts'

const root = new URL('../../../', import.meta.url)

const committedDocument = ({ file }: Interface): string => readFileSync(new URL(file, root), 'utf8')

/** The OpenAPI document that the repository contains, with the public URL of the installation if it is known. */
const servedDocument = (served: Interface, public_url: string | null): string =>
  public_url === null
    ? committedDocument(served)
    : committedDocument(served).replace(
        '"servers": [{"url": "/"',
        () => `"servers": [{"url": ${JSON.stringify(public_url)}`,
      )

/** Serves the OpenAPI document of each interface, and its reference by Scalar. Neither needs a key. */
export function serveReferences(app: FastifyInstance, public_url: () => string | null): void {
  for (const served of interfaces) {
    const document = { path: served.document, content_type: 'application/json; charset=utf-8' }
    serveFixedTexts(app, [served.document], async () => [
      { ...document, text: () => servedDocument(served, public_url()) },
    ])
    serveFixedTexts(app, [`${served.docs}/*`], async () => referenceTexts(served, basePathOf(public_url())))
    app.get(served.docs, (_request, reply) => reply.redirect(`${basePathOf(public_url())}${served.docs}/`, 301))
  }
}

/** Scalar writes styles into the page and needs a nonce for its script. It loads nothing from other origins. */
const policyWith = (nonce: string) =>
  [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** Lets signed-in people try requests. It wraps `fetch`, so the page loads it before the script of Scalar. */
const script = readFileSync(join(import.meta.dirname, 'reference-page.js'), 'utf8')
const script_path = 'js/reference-page.js'
const script_type = 'text/javascript; charset=utf-8'

/** The bar above the reference: the way back to the guides, and the signed-in person. */
const bar_style = `#signed-in { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 12px; padding: 8px 24px;
  font: 13px/20px system-ui, sans-serif; color: var(--scalar-color-1); background: var(--scalar-background-2);
  border-bottom: 1px solid var(--scalar-border-color) }
  #signed-in a { color: var(--scalar-color-accent) }
  #signed-in a:first-child { font-weight: 600; margin-right: auto }`

const withBar = (page: string, base: string): string =>
  page.replace(
    '<head>',
    () =>
      `<head>\n    <link rel="icon" href="${base}/docs/icon.svg" type="image/svg+xml" />` +
      `\n    <style>${bar_style}</style>\n    <script src="${script_path}"></script>`,
  )

/**
 * Creates a document in a worker thread, because it would block requests here. The thread reads `workerData`, posts the
 * text as its only message and exits. Rejects if the thread fails.
 */
function makeInWorker(file: URL, workerData: unknown): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  // The worker does not inherit the flags of the process, because some of them, such as `--eval`, cannot start a file.
  const worker = new Worker(file, { execArgv: [], resourceLimits: limits_of_thread, workerData })
  worker
    // Node posts messages of its own, such as with `--watch`.
    .on('message', (message: unknown) => void (typeof message === 'string' && resolve(message)))
    .on('error', reject)
    .on('exit', () => reject(new Error(`The thread of ${file.pathname} ended without a result.`)))
  return promise
}

/** The page and the files of a reference. */
function referenceTexts({ docs, document, about }: Interface, base: string): FixedText[] {
  // The pages contain nothing from requests, so one nonce per process is enough.
  const nonce = randomBytes(16).toString('base64')
  const headers = { 'content-security-policy': policyWith(nonce) }
  const configuration = {
    url: document,
    pageTitle: about.title,
    nonce,
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    showDeveloperTools: 'never',
    hideClientButton: true,
  } as const
  // Loading Scalar takes long enough to delay every request of the process.
  const drawn = (path: string) =>
    makeInWorker(new URL('./reference-worker.ts', import.meta.url), {
      docs,
      configuration,
      path,
    } satisfies DrawnByScalar)
  const page = { path: `${docs}/`, text: async () => withBar(await drawn(`${docs}/`), base) }
  const drawer = { path: `${docs}/js/scalar.js`, text: () => drawn(`${docs}/js/scalar.js`) }
  return [
    { ...page, content_type: 'text/html; charset=utf-8', headers },
    { ...drawer, content_type: script_type, headers },
    { path: `${docs}/${script_path}`, content_type: script_type, text: () => script },
  ]
}

import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Endpoint } from '../endpoint.ts'
import { serveFixedTexts, type FixedText } from './fixed-texts.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { errorDocs } from './error-pages.ts'
import { interfaces, partner, type Documented, type Interface } from '../openapi/interfaces.ts'
import { makeApart } from './text-worker.ts'
import { eventDocs } from '../../docs-site/event-pages.ts'
import { barOf, headOf, type Surroundings } from '../../docs-site/frame.ts'
import { referenceDocs, type ShownDocument } from '../../docs-site/reference-pages.ts'
import {
  baseOf,
  filePages,
  siteTexts,
  surroundingsOf,
  type DocsPage,
  type Site,
  type TestIds,
} from '../../docs-site/site.ts'
import { slugOf } from '../../docs-site/chapters.ts'
import { sdkExamples } from '../../docs-site/sdk-examples.ts'
import { serveHome } from './home.ts'
import { events } from '../../runtime/event-types.ts'
import type { DrawnByScalar } from './docs-worker.ts'

const root = new URL('../../../', import.meta.url)

const committedDocument = ({ file }: Interface): string => readFileSync(new URL(file, root), 'utf8')

/** The document of an interface as the repository holds it, with the installation's address where that is known. */
const servedDocument = (each: Interface, public_url: string | null): string =>
  public_url === null
    ? committedDocument(each)
    : committedDocument(each).replace(
        '"servers": [{"url": "/"',
        () => `"servers": [{"url": ${JSON.stringify(public_url)}`,
      )

/** The reference of an interface, from its document as the repository holds it. */
function referenceOf(each: Interface, { endpoints }: Documented): DocsPage[] {
  let document: ShownDocument | undefined
  let examples: Map<string, string> | undefined
  const codes = new Map(
    endpoints.map((endpoint) => [endpoint.operation, (endpoint.refuses ?? []).map(({ code }) => code)]),
  )
  return referenceDocs({
    title: each.about.title,
    path: each.pages,
    tried: `${each.docs}/`,
    credential: each.is_called ? 'OPERATOR' : 'AUTH',
    description: each.about.description,
    tags: each.about.tags,
    document: () => (document ??= JSON.parse(committedDocument(each)) as ShownDocument),
    codesOf: (operation) => codes.get(operation) ?? [],
    sdk: () => (examples ??= sdkExamples(each.is_called ? 'operator' : 'v1')),
  })
}

/** Where an operation is told of, by its name, and by its method and path. */
const placesOf = ({ operation, method, path, summary, tag }: Endpoint): [string, string][] => {
  const { pages } = interfaces.find(({ prefix }) => path.startsWith(prefix))!
  const at = `${pages}/${slugOf(tag)}#${slugOf(summary)}`
  return [
    [operation, at],
    [`${method} ${path}`, at],
  ]
}

/** All of the documentation: guides, events, errors and references. */
async function siteOf(documented: Documented, public_url: () => string | null, test_ids: TestIds): Promise<Site> {
  const errors = errorDocs(documented.endpoints, public_url)
  const explained = new Map([
    ...documented.endpoints.flatMap(placesOf),
    ...errors.map(({ title, path }) => [title, path] as const),
    ...Object.keys(events).map((name) => [name, `/docs/events#${slugOf(name)}`] as const),
  ])
  const references = interfaces.flatMap((each) => referenceOf(each, documented))
  const pages = [...(await filePages(test_ids)), ...eventDocs(partner.webhooks!), ...errors, ...references]
  return { pages, explained, public_url }
}

/**
 * Serves each interface's document and the pages for people, which need no key and load nothing from elsewhere. In a
 * sandbox they show the ids of those whom the page of test data names.
 */
export function serveDocs(
  app: FastifyInstance,
  { settings }: Runtime,
  documented: Documented,
  findTestIds: () => Promise<TestIds> = async () => new Map(),
): void {
  const documents = interfaces.map((each) => ({
    path: each.document,
    content_type: 'application/json; charset=utf-8',
    text: () => servedDocument(each, settings.public_url),
  }))
  const paths = documents.map(({ path }) => path)
  serveFixedTexts(app, paths, async () => documents)
  serveFixedTexts(
    app,
    ['/docs', '/docs.md', '/docs/*', '/operator/docs/*', '/llms.txt', '/llms-full.txt'],
    async () => {
      const site = await siteOf(documented, () => settings.public_url, await findTestIds())
      return [...siteTexts(site), ...interfaces.flatMap((each) => triedTexts(each, () => surroundingsOf(site)))]
    },
  )
  app.get('/docs/', (_request, reply) => reply.redirect(`${baseOf(settings.public_url)}/docs`, 308))
  serveHome(app, () => settings.public_url)
  for (const each of interfaces)
    app.get(each.docs, (_request, reply) => reply.redirect(`${baseOf(settings.public_url)}${each.docs}/`, 301))
}

/** The browser itself refuses what the pages would load from another place. */
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

/** What the pages run beside what draws them: see there. */
const script = readFileSync(join(import.meta.dirname, 'docs-page.js'), 'utf8')
const script_path = 'js/docs-page.js'
const script_type = 'text/javascript; charset=utf-8'

/** The page with our bar at its top; our script stands before what draws the page, whose requests it gives a token. */
function withBar(page: string, around: Surroundings, section: string): string {
  return page
    .replace('<head>', () => `<head>\n    <script src="${script_path}"></script>${headOf(around).text}`)
    .replace('<body>', () => `<body>\n    ${barOf(around, section).text}`)
}

/** Where requests of an interface are tried. */
function triedTexts({ docs, section, document, about }: Interface, around: () => Surroundings): FixedText[] {
  // The pages hold no request's content, so one nonce for as long as the process lives lets in nothing else.
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
  // To load what draws them would hold up every request.
  const drawn = (path: string) =>
    makeApart(new URL('./docs-worker.ts', import.meta.url), { docs, configuration, path } satisfies DrawnByScalar)
  const page = { path: `${docs}/`, text: async () => withBar(await drawn(`${docs}/`), around(), section) }
  const drawer = { path: `${docs}/js/scalar.js`, text: () => drawn(`${docs}/js/scalar.js`) }
  return [
    { ...page, content_type: 'text/html; charset=utf-8', headers },
    { ...drawer, content_type: script_type, headers },
    { path: `${docs}/${script_path}`, content_type: script_type, text: () => script },
  ]
}

import { createServer, type Server } from 'node:http'
import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { basename, join } from 'node:path'
import { rolldown } from 'rolldown'
import { expect } from 'vitest'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import type { Api } from '../../server/test/harness.ts'
import { blockOf, blocksIn, readDocument } from '../../server/test/guides/code-blocks.ts'
import { sure } from '../../server/test/pick.ts'
import type { WidgetManifest } from '../../server/http/static/widgets.ts'

/** The manifest of the built files, with their sizes. */
export const readManifest = async (): Promise<WidgetManifest> =>
  JSON.parse(await readFile(join(import.meta.dirname, '../dist/manifest.json'), 'utf8'))

/** The HTML that the guide shows for a page. */
const guide = sure(blocksIn(readDocument('docs/widgets.md')).find(({ language }) => language === 'html')).code

/** The code that the guide shows for the npm package. */
const guide_of_npm = blockOf('docs/widgets.md', 'import ')

/** A partner's page made with the npm package, which serves all files itself. */
const npmPage = (id: string) => `<!doctype html><html lang="en"><head><title>Tallyfield Payroll</title>
  <meta name="viewport" content="width=device-width"><script type="module" src="/npm.js?for=${id}"></script></head>
  <body><main><h1>Benefits</h1></main></body></html>`

/** The folder of the published package. */
export const published = join(import.meta.dirname, '../package')

/** The URL of a file of the package, by its import name. */
async function addressIn(path: string): Promise<string> {
  const { exports } = JSON.parse(await readFile(join(published, 'package.json'), 'utf8'))
  return exports[path].default.replace('./', '/npm/')
}

/** A partner's React page. */
const react_page = `<!doctype html><html lang="en"><head><title>Tallyfield Payroll</title></head>
  <body><main><h1>Benefits</h1><div id="root"></div></main>
  <script type="module" src="/react.js"></script></body></html>`

/** A file of this folder, bundled for browsers. */
async function bundled(name: string): Promise<string> {
  const bundle = await rolldown({
    input: join(import.meta.dirname, name),
    platform: 'browser',
    resolve: { alias: { '@openbenefits/widgets/react': join(published, 'react.js') } },
    moduleTypes: { '.css': 'text' },
    transform: { target: 'es2024', define: { 'process.env.NODE_ENV': '"production"' } },
  })
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false })
  await bundle.close()
  return output[0].code
}

/** Global CSS rules of a page whose author did not consider widgets. */
const hostile = `* { color: red !important; font-size: 40px !important; text-transform: uppercase !important;
  letter-spacing: 1em !important; text-align: right !important }
  h1 { font-size: 20px !important; letter-spacing: 0 !important }
  button, input, h2, p, li { display: none !important }`

/** A page's styles for the parts and the density of widgets. */
const own_styles = `ob-employer-benefits { --ob-row: 52px }
  ob-employer-benefits::part(heading) { font-style: italic }`

const styles_by_name = { hostile, styled: own_styles }

/** Page content above and below a widget. */
const slotted = '<strong slot="header">Tallyfield header</strong><a slot="help" href="#help">Contact Tallyfield</a>'

/** A partner's page on its own origin. It issues tokens for the person named in its URL. */
export type Host = { url: string; close: () => Promise<void>; is_signed_out: boolean; tokens: number }

function pageOf(search: URLSearchParams, api: Api, manifest: Awaited<ReturnType<typeof readManifest>>): string {
  const [name, id] = [sure(search.get('widget')), sure(search.get('for'))]
  const more = ['lang', 'view', 'invoice', 'plan-year', 'employee', 'appearance'].flatMap((one) =>
    search.get(one) ? [` ${one}="${search.get(one)}"`] : [],
  )
  const sample = guide
    .replaceAll('https://benefits.example.com', api.url)
    .replaceAll('employee-dashboard', name)
    .replace('VERSION', manifest.version)
    .replace('INTEGRITY', sure(manifest.files[name]).integrity)
    .replace('for="EMPLOYEE"', `for="${id}"${more.join('')}`)
    .replace('/benefits-token', `/benefits-token?for=${id}`)
    .replace(`</ob-${name}>`, `${slotted}</ob-${name}>`)
  const styles = Object.keys(styles_by_name)
    .filter((style_name) => search.has(style_name))
    .map((style_name) => `<link rel="stylesheet" href="/${style_name}.css">`)
    .join('')
  return `<!doctype html><html lang="en"><head><title>Tallyfield Payroll</title>
    <meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">${styles}</head>
    <body><main><h1>Benefits</h1>${sample}</main></body></html>`
}

/** Serves a partner's page with a content security policy that allows the installation's script and no inline code. */
export async function openHost(api: Api, key: string, host = {} as Host): Promise<Host> {
  const manifest = await readManifest()
  const policy = `default-src 'self'; script-src 'self' ${api.url}; connect-src 'self' ${api.url}; style-src 'self'`
  Object.assign(host, { is_signed_out: false, tokens: 0 })
  const server: Server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    if (pathname === '/page') {
      response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': policy })
      return response.end(pageOf(searchParams, api, manifest))
    }
    if (pathname.endsWith('.css')) {
      response.writeHead(200, { 'content-type': 'text/css' })
      return response.end(styles_by_name[basename(pathname, '.css') as keyof typeof styles_by_name])
    }
    if (pathname === '/react.js') {
      response.writeHead(200, { 'content-type': 'text/javascript' })
      return response.end(await bundled('react-page.js'))
    }
    if (pathname === '/react') {
      response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': policy })
      return response.end(react_page)
    }
    if (pathname === '/npm') {
      const own = `default-src 'self'; connect-src 'self' ${api.url}`
      response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': own })
      return response.end(npmPage(sure(searchParams.get('for'))))
    }
    if (pathname === '/npm.js') {
      const id = sure(searchParams.get('for'))
      response.writeHead(200, { 'content-type': 'text/javascript' })
      return response.end(
        guide_of_npm
          .replace('@openbenefits/widgets/employee-dashboard', await addressIn('./employee-dashboard'))
          .replace('https://benefits.example.com', api.url)
          .replace('EMPLOYEE', id)
          .replace('/benefits-token', `/benefits-token?for=${id}`),
      )
    }
    if (pathname.startsWith('/npm/')) {
      response.writeHead(200, { 'content-type': 'text/javascript' })
      return response.end(await readFile(join(published, basename(pathname))))
    }
    if (pathname !== '/benefits-token') return response.writeHead(404).end()
    if (host.is_signed_out) return response.writeHead(401).end()
    host.tokens++
    const id = sure(searchParams.get('for'))
    const bound_entity = { type: id.startsWith('empl_') ? 'employee' : 'employer', id }
    const issued = await api.post('/v1/auth/access-tokens', { grant_type: 'client_credentials', bound_entity }, { key })
    const { access_token, expires_in } = issued.body
    return response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ access_token, expires_in }))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  host.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  host.close = () => new Promise((resolve) => void server.close(() => resolve()))
  return host
}

/** Waits until all requested data is shown. A widget shows placeholders until then. */
export async function settled(page: Page): Promise<void> {
  await expect.poll(() => page.locator('.bone, [aria-busy=true]').count()).toBe(0)
}

/** The key that moves the focus toward a control, or null if the control has it. */
const keyTowards = (one: any): 'Tab' | 'ArrowDown' | null => {
  const at = one.getRootNode().activeElement
  if (at === one) return null
  return at?.type === 'radio' && at.name === one.name ? 'ArrowDown' : 'Tab'
}

/** Moves to a control with the keyboard: the Tab key, and the arrow keys among radio buttons. */
export async function reach(page: Page, control: Locator): Promise<void> {
  await control.waitFor()
  for (let presses = 0; presses < 120; presses++) {
    const key = await control.evaluate(keyTowards)
    if (!key) return
    await page.keyboard.press(key)
  }
  throw new Error(`The keyboard cannot reach ${String(control)}.`)
}

/** Presses a control with the keyboard. */
export async function press(page: Page, control: Locator, key = 'Enter'): Promise<void> {
  await reach(page, control)
  await page.keyboard.press(key)
}

/** Types into a control: text, the name of an option, or the digits of a date. */
export async function type(page: Page, control: Locator, text: string): Promise<void> {
  await reach(page, control)
  await page.keyboard.type(text)
}

/** Logs the events that widgets dispatch to a page. */
const reportEvents = `for (const name of ['ob-ready', 'ob-elected', 'ob-waived', 'ob-error'])
  document.addEventListener(name, ({ detail }) => console.log(name, detail.code ?? ''))`

/** The headers and the body of responses that a test sends in place of the service. */
export const cors = { 'access-control-allow-origin': '*' }
export const signed_out = { error: { code: 'unauthorized', message: 'No.' }, trace_id: '', details: [] }

/** The windows of a phone and of a desktop. */
export const narrow = { viewport: { width: 360, height: 740 } }
export const wide = { viewport: { width: 1280, height: 800 } }

export type Visit = {
  page: Page
  complaints: string[]
  requests: string[]
  events: string[]
  close: () => Promise<void>
}

/**
 * A browser on a partner's page, with its console errors, its requests to the service, and the events of the widgets.
 */
export async function visit(browser: Browser, api: Api, url: string, more: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...more })
  const page = await context.newPage()
  page.setDefaultTimeout(90_000)
  const [complaints, requests, events]: [string[], string[], string[]] = [[], [], []]
  await page.addInitScript(reportEvents)
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.text().startsWith('ob-')) events.push(message.text().trim())
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text())
  })
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (request.method() !== 'OPTIONS' && pathname.startsWith('/v1/')) requests.push(`${request.method()} ${pathname}`)
  })
  await page.goto(url)
  return { page, complaints, requests, events, close: () => context.close() }
}

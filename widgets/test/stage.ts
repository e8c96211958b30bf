import { createServer, type Server } from 'node:http'
import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { basename, join } from 'node:path'
import { rolldown } from 'rolldown'
import { expect } from 'vitest'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import type { Api } from '../../server/test/harness.ts'
import { blockOf, blocksIn, readDocument } from '../../server/test/pasted.ts'
import { sure } from '../../server/test/pick.ts'
import type { WidgetManifest } from '../../server/http/static/widgets.ts'

/** What is built, with its sizes. */
export const readManifest = async (): Promise<WidgetManifest> =>
  JSON.parse(await readFile(join(import.meta.dirname, '../dist/manifest.json'), 'utf8'))

/** What the guide says to put into a page. */
const guide = sure(blocksIn(readDocument('docs/widgets.md')).find(({ language }) => language === 'html')).code

/** What it says to do with the package of npm. */
const guide_of_npm = blockOf('docs/widgets.md', 'import ')

/** A page that a partner has made with that package, of files that are all its own. */
const npmPage = (id: string) => `<!doctype html><html lang="en"><head><title>Tallyfield Payroll</title>
  <meta name="viewport" content="width=device-width"><script type="module" src="/npm.js?for=${id}"></script></head>
  <body><main><h1>Benefits</h1></main></body></html>`

/** The package as it is published. */
export const published = join(import.meta.dirname, '../package')

/** Where a page finds a file of the package, by the name under which it is imported. */
async function addressIn(path: string): Promise<string> {
  const { exports } = JSON.parse(await readFile(join(published, 'package.json'), 'utf8'))
  return exports[path].default.replace('./', '/npm/')
}

/** A page that a partner has written with React. */
const react_page = `<!doctype html><html lang="en"><head><title>Tallyfield Payroll</title></head>
  <body><main><h1>Benefits</h1><div id="root"></div></main><script type="module" src="/react.js"></script></body></html>`

/** A file of this folder as browsers take it, with what it imports. */
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

/** Rules of a page that were written for all of it, by somebody who did not think of widgets. */
const hostile = `* { color: red !important; font-size: 40px !important; text-transform: uppercase !important;
  letter-spacing: 1em !important; text-align: right !important }
  h1 { font-size: 20px !important; letter-spacing: 0 !important }
  button, input, h2, p, li { display: none !important }`

/** What a page says of the parts of widgets, and of how dense they are. */
const own_styles = `ob-employer-benefits { --ob-row: 52px }
  ob-employer-benefits::part(heading) { font-style: italic }`

const sheets = { hostile, styled: own_styles }

/** What a page puts above and below a widget. */
const slotted = '<strong slot="header">Tallyfield header</strong><a slot="help" href="#help">Ask Tallyfield</a>'

/** A page of a partner on an origin of its own, which issues tokens for whomever its address names. */
export type Host = { url: string; close: () => Promise<void>; is_signed_out: boolean; tokens: number }

/** Serves that page, under a policy that lets in the script of the installation, and nothing that is written in. */
export async function openHost(api: Api, key: string): Promise<Host> {
  const manifest = await readManifest()
  const policy = `default-src 'self'; script-src 'self' ${api.url}; connect-src 'self' ${api.url}; style-src 'self'`
  const page = (search: URLSearchParams) => {
    const [name, id] = [sure(search.get('widget')), sure(search.get('for'))]
    const more = ['lang', 'view', 'invoice', 'plan-year', 'employee', 'appearance'].flatMap((one) =>
      search.get(one) ? [` ${one}="${search.get(one)}"`] : [],
    )
    const pasted = guide
      .replaceAll('https://benefits.example.com', api.url)
      .replaceAll('employee-dashboard', name)
      .replace('VERSION', manifest.version)
      .replace('INTEGRITY', sure(manifest.files[name]).integrity)
      .replace('for="EMPLOYEE"', `for="${id}"${more.join('')}`)
      .replace('/benefits-token', `/benefits-token?for=${id}`)
      .replace(`</ob-${name}>`, `${slotted}</ob-${name}>`)
    const styles = Object.keys(sheets)
      .filter((sheet) => search.has(sheet))
      .map((sheet) => `<link rel="stylesheet" href="/${sheet}.css">`)
      .join('')
    return `<!doctype html><html lang="en"><head><title>Tallyfield Payroll</title>
      <meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">${styles}</head>
      <body><main><h1>Benefits</h1>${pasted}</main></body></html>`
  }
  const host: Host = { url: '', close: async () => {}, is_signed_out: false, tokens: 0 }
  const server: Server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    if (pathname === '/page') {
      response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': policy })
      return response.end(page(searchParams))
    }
    if (pathname.endsWith('.css')) {
      response.writeHead(200, { 'content-type': 'text/css' })
      return response.end(sheets[basename(pathname, '.css') as keyof typeof sheets])
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

/** Waits until all is there that is asked for: a widget holds the place of what is on its way. */
export async function settled(page: Page): Promise<void> {
  await expect.poll(() => page.locator('.bone, [aria-busy=true]').count(), { timeout: 30_000 }).toBe(0)
}

/** Whether a control has the focus. */
const is_there = (one: any): boolean => one.getRootNode().activeElement === one

/** Whether another radio button has it that belongs to the same question. */
const is_beside = (one: any): boolean => {
  const at = one.getRootNode().activeElement
  return at?.type === 'radio' && at !== one && at.name === one.name
}

/** Goes to a control as somebody does who has no mouse: by the Tab key, and among radio buttons by the arrows. */
export async function reach(page: Page, control: Locator): Promise<void> {
  await control.waitFor()
  for (let presses = 0; presses < 120; presses++) {
    if (await control.evaluate(is_there)) return
    await page.keyboard.press((await control.evaluate(is_beside)) ? 'ArrowDown' : 'Tab')
  }
  throw new Error(`The keyboard does not reach ${String(control)}.`)
}

/** Presses a control by the keyboard. */
export async function press(page: Page, control: Locator, key = 'Enter'): Promise<void> {
  await reach(page, control)
  await page.keyboard.press(key)
}

/** Types into a control that the keyboard reaches: text, the name of an option, or the digits of a day. */
export async function type(page: Page, control: Locator, text: string): Promise<void> {
  await reach(page, control)
  await page.keyboard.type(text)
}

/** Has a page say what its widgets tell it. */
const tellEvents = `for (const name of ['ob-ready', 'ob-elected', 'ob-waived', 'ob-error'])
  document.addEventListener(name, ({ detail }) => console.log(name, detail.code ?? ''))`

export type Visit = {
  page: Page
  complaints: string[]
  requests: string[]
  events: string[]
  close: () => Promise<void>
}

/** A browser at the page of a partner, with what it complains of, asks of the service, and is told. */
export async function visit(browser: Browser, api: Api, url: string, more: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...more })
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  const [complaints, requests, events]: [string[], string[], string[]] = [[], [], []]
  await page.addInitScript(tellEvents)
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

import { readFileSync } from 'node:fs'
import { arch, platform } from 'node:os'
import { fileURLToPath } from 'node:url'
import { chromium, type Browser, type Page } from 'playwright-core'

/** Of a browser that is started by root, in a machine without a network of its own. */
const args = ['--no-sandbox', '--disable-background-networking', '--disable-gpu']

/**
 * A browser without a window: on Linux x64 the one that npm brought, elsewhere the Chrome or Edge of the machine.
 * Throws a sentence when there is none.
 */
export async function openBrowser(): Promise<Browser> {
  if (platform() === 'linux' && arch() === 'x64') {
    const { default: packaged } = await import('@sparticuz/chromium')
    return chromium.launch({ executablePath: await packaged.executablePath(), args })
  }
  for (const channel of ['chrome', 'msedge']) {
    const browser = await chromium.launch({ channel, args }).catch(() => undefined)
    if (browser) return browser
  }
  throw new Error('No browser is here for the tests of pages: install Chrome or Edge.')
}

const axe_source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** What a page has against people who don't see it, or not well: the rule, and where. By all rules unless said. */
export async function faultsOf(page: Page, rules?: string[]): Promise<string[]> {
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axe_source)
  return page.evaluate(async (rules) => {
    // What is in order it would tell of at length, and where each fault is by a selector that is long to find.
    const options = { resultTypes: ['violations'], selectors: false, ...(rules && { runOnly: rules }) }
    // Of a table the first rows: the others are like them.
    const context = { include: [['html']], exclude: [['tbody tr:nth-child(n+6)']] }
    const { violations } = await (globalThis as unknown as { axe: Axe }).axe.run(context, options)
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`))
  }, rules)
}

type Axe = {
  run(context: object, options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>
}

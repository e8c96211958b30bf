import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { chromium, type Browser, type Page } from 'playwright-core'
import { unpackBrowser } from './packaged-browser.ts'

/** For a browser that is started by root on a machine without network. */
const args = ['--no-sandbox', '--disable-background-networking', '--disable-gpu']

/**
 * Opens a headless browser: on Linux x64 the one installed by npm, elsewhere the Chrome or Edge of the machine. Throws
 * if there is no browser.
 */
export async function openBrowser(): Promise<Browser> {
  const executablePath = await unpackBrowser()
  if (executablePath) return chromium.launch({ executablePath, args })
  for (const channel of ['chrome', 'msedge']) {
    const browser = await chromium.launch({ channel, args }).catch(() => undefined)
    if (browser) return browser
  }
  throw new Error('No browser was found for the page tests. Install Chrome or Edge.')
}

const axe_source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** Accessibility violations of a page, as rule and element. Checks all rules by default. */
export async function accessibilityViolations(page: Page, rules?: string[]): Promise<string[]> {
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axe_source)
  return page.evaluate(async (rules) => {
    // Only violations, and no selectors: reporting passed checks and computing selectors is slow.
    const options = { resultTypes: ['violations'], selectors: false, ...(rules && { runOnly: rules }) }
    // Only the first rows of a table, since the others have the same structure.
    const context = { include: [['html']], exclude: [['tbody tr:nth-child(n+6)']] }
    const { violations } = await (globalThis as unknown as { axe: Axe }).axe.run(context, options)
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`))
  }, rules)
}

type Axe = {
  run(context: object, options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>
}

import { arch, platform } from 'node:os'
import { chromium, type Browser } from 'playwright-core'

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

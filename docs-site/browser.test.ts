import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { accessibilityViolations, openBrowser } from '../server/test/clients/browser.ts'
import { useSite } from '../server/test/clients/docs-site.ts'

/** The documentation in a real browser. */
const api = useSite()
let browser: Browser
beforeAll(async () => void (browser = await openBrowser()))
afterAll(() => browser?.close())

/** Opens a page and works on it. Any complaint of the browser fails the test. */
async function on(path: string, options: BrowserContextOptions, work: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  try {
    await page.goto(api.url + path, { waitUntil: 'networkidle' })
    await work(page)
    expect(complaints).toEqual([])
  } finally {
    await context.close()
  }
}

const phone = { viewport: { width: 390, height: 780 } }
const dark = { colorScheme: 'dark' } as const

it.each([
  ['/docs/', {}],
  ['/docs/payroll-company', dark],
  ['/docs/test-data', phone],
  ['/docs/permissions', { ...phone, ...dark }],
  ['/docs/errors', dark],
  ['/docs/glossary', phone],
] as [string, BrowserContextOptions][])(
  '%s has no accessibility violations and fits its window %o',
  async (path, options) => {
    await on(path, options, async (page) => {
      expect(await accessibilityViolations(page)).toEqual([])
      expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
    })
  },
)

it('finds error codes and guides from the keyboard', async () => {
  await on('/docs/', {}, async (page) => {
    await page.keyboard.press('Control+k')
    await page.getByRole('searchbox').fill('EIN_ALREADY_EXISTS')
    await page.getByRole('option').first().waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/docs/errors#ein_already_exists')
  })
})

it('switches tabs and shows the ids of a sandbox', async () => {
  await on('/docs/payroll-company', {}, async (page) => {
    await page.locator('label', { hasText: 'TypeScript' }).first().click()
    await page.locator('.language-ts').first().waitFor()
    await page.goto(`${api.url}/docs/test-data`)
    await page
      .getByText(/^empr_/)
      .first()
      .waitFor()
  })
})

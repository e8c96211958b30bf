import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { faultsOf, openBrowser } from '../test/browser.ts'
import { createEmployer } from '../test/cast.ts'
import { useApi } from '../test/harness.ts'

/** What people do on the pages of the documentation, with a real browser. */
const api = useApi()
let browser: Browser
beforeAll(async () => void (browser = await openBrowser()), 60_000)
afterAll(() => browser?.close())

/** Work on a page; whatever the browser complains of fails the test. */
async function on(path: string, options: BrowserContextOptions, work: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  // A refusal is told of on the page.
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) complaints.push(message.text())
  })
  try {
    await page.goto(api.url + path)
    await work(page)
    expect(complaints).toEqual([])
  } finally {
    await context.close()
  }
}

const phone = { viewport: { width: 360, height: 780 } }
const dark = { colorScheme: 'dark' } as const

it.each([
  ['/docs', {}],
  ['/docs/payroll-company', dark],
  ['/docs/test-data', phone],
  ['/docs/permissions', phone],
  ['/docs/webhooks', {}],
  ['/docs/events', dark],
  ['/docs/errors', {}],
  ['/docs/errors/rate_limited', { ...phone, ...dark }],
  ['/docs/changelog', { ...phone, ...dark }],
  ['/docs/a-short-tour', phone],
  ['/docs/typescript', dark],
  ['/docs/glossary', phone],
  ['/docs/operations/settings', phone],
  ['/docs/api', dark],
  ['/docs/api/employers', phone],
  ['/docs/operator/plan-years', dark],
] as [string, BrowserContextOptions][])(
  '%s has no barriers, and is no wider than its window %o',
  async (path, options) => {
    await on(path, options, async (page) => {
      expect(await faultsOf(page)).toEqual([])
      const beyond = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
      expect(beyond).toBeLessThanOrEqual(0)
    })
  },
  60_000,
)

it('finds by keyboard, and goes there', async () => {
  await on('/docs', {}, async (page) => {
    await page.keyboard.press('Control+k')
    await page.keyboard.type('rate limit')
    await page.getByRole('option').first().waitFor()
    expect(await faultsOf(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    // Until the focus is back, what is pressed is still typed where one has searched.
    await page.locator('input:focus').waitFor({ state: 'detached' })
    await page.keyboard.press('/')
    await page.getByRole('combobox').fill('terminate an employee')
    await page.getByRole('option', { name: 'Terminate an employee' }).first().waitFor()
    await page.getByRole('combobox').fill('EIN_ALREADY_EXISTS')
    await page
      .getByRole('option', { name: /^Error EIN_ALREADY_EXISTS/ })
      .first()
      .waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/docs/errors/EIN_ALREADY_EXISTS*')
  })
}, 60_000)

it('suggests the closest words and the first guides when a search finds nothing', async () => {
  await on('/docs', {}, async (page) => {
    await page.keyboard.press('Control+k')
    const words = page.getByRole('combobox')
    await words.fill('dedcution')
    await page.getByText('Nothing matches “dedcution”').waitFor()
    await page
      .getByRole('option', { name: /^Search for deductions?$/ })
      .first()
      .waitFor()
    expect(await faultsOf(page)).toEqual([])
    await words.press('Enter')
    await page
      .getByRole('option', { name: /deduction statement/i })
      .first()
      .waitFor()
    expect(await words.inputValue()).toMatch(/^deductions?$/)
    await words.fill('qzxvqzxv')
    await page.getByText('Nothing matches “qzxvqzxv”').waitFor()
    await page
      .getByRole('option', { name: /^Guide/ })
      .first()
      .waitFor()
  })
}, 60_000)

it('copies what is pasted, shows one of several ways, and stays light or dark as chosen', async () => {
  await on('/docs/events', { permissions: ['clipboard-read', 'clipboard-write'] }, async (page) => {
    await page.getByRole('button', { name: 'Copy' }).first().click()
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain('SUBSCRIPTION=$(curl')
    await page.getByRole('tab', { name: 'Send me one' }).first().click()
    await page.getByText('event_name=employer.created').waitFor()
    await page.getByRole('button', { name: 'Theme: system' }).click()
    await page.getByRole('button', { name: 'Theme: light' }).click()
    await page.reload()
    await page.getByRole('button', { name: 'Theme: dark' }).waitFor()
    await page.getByText('event_name=employer.created').waitFor()
  })
})

it('has its contents behind a button on a phone', async () => {
  await on('/docs/census', phone, async (page) => {
    const link = page.getByRole('navigation', { name: 'Guides' }).getByRole('link', { name: 'Webhooks' })
    expect(await link.isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Contents' }).click()
    await link.click()
    await page.waitForURL('**/docs/webhooks')
  })
})

it('sends an event to a subscription of whoever is signed in, and tells others what is missing', async () => {
  await createEmployer(api)
  await on('/docs/events', {}, async (page) => {
    const ask = async (said: string) => {
      await page.getByRole('tab', { name: 'Send me one' }).first().click()
      await page.getByRole('button', { name: 'Send employer.created' }).click()
      await page.getByText(said).waitFor()
    }
    await ask('You are not signed in.')
    await page.goto(`${api.url}/sign-in`)
    await page.getByRole('button', { name: 'Maya Okafor' }).click()
    await page.goto(`${api.url}/docs/events`)
    await ask('There is no subscription yet')
    await api.post('/v1/webhook-subscriptions', { url: 'https://example.com/hooks' })
    await ask('is on its way to https://example.com/hooks.')
  })
}, 120_000)

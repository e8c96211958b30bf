import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sign_in_provider } from '../../../integrations/sign-in/provider.ts'
import { openBrowser } from '../../../test/clients/browser.ts'
import { openFakeOpenId, type FakeOpenId } from '../../../test/fakes/openid.ts'
import { useApi } from '../../../test/harness.ts'

/** Tests sign-in in a real browser, on the pages as they are served. */
const api = useApi()
let openid: FakeOpenId
let browser: Browser

beforeAll(async () => {
  openid = await openFakeOpenId(`${api.url}/sign-in/callback`, [{ id: 'pia', email: 'pia@example.com' }])
  api.runtime.integrations.set(sign_in_provider, openid.provider())
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await openid.close()
})

/** Runs work in a separate browser. Errors in the console of a page fail the test. */
async function inBrowser(work: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext()
  const page = await context.newPage()
  // Rendering a documentation page takes long on a busy machine.
  page.setDefaultTimeout(200_000)
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  try {
    await work(page)
    expect(complaints).toEqual([])
  } finally {
    await context.close()
  }
}

/** Sends the example of an operation from its documentation page, and expects this status. */
async function tryOperation(page: Page, operation: string, status: number): Promise<void> {
  await page.getByRole('button', { name: `Test Request (${operation})` }).click()
  const path = operation.split(' ')[1]!
  const [answer] = await Promise.all([
    page.waitForResponse((one) => new URL(one.url()).pathname === path),
    page.getByRole('dialog').getByRole('button', { name: /^send/i }).first().click(),
  ])
  expect(answer.status()).toBe(status)
}

it('an invited operator signs in, writes from a page of /operator/docs, and signs out', async () => {
  const invited = { name: 'Pia Lund', email: 'pia@example.com', role: 'operations' }
  const { url } = (await api.post('/operator/v1/operator-invitations', invited, { key: api.operator_key })).body.data
  await inBrowser(async (page) => {
    await page.goto(url)
    await page.getByRole('link', { name: 'Sign in and accept' }).click()
    await page.getByRole('button', { name: 'Be pia' }).click()
    await page.waitForURL(/\/console/)
    await page.goto(`${api.url}/operator/docs/#tag/people/POST/operator/v1/users`)
    await page.locator('#signed-in').waitFor()
    expect(await page.locator('#signed-in').innerText()).toContain('Signed in as Pia Lund, operations')
    await tryOperation(page, 'post /operator/v1/users', 201)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('link', { name: 'sign in' }).waitFor()
  })
})

it('a visitor of a sandbox signs in as one of its people and writes from a page of /docs/reference', async () => {
  await inBrowser(async (page) => {
    await page.goto(`${api.url}/sign-in`)
    await page.getByRole('button', { name: 'Maya Okafor' }).click()
    await page.waitForURL(/\/console/)
    await page.goto(`${api.url}/docs/reference/#tag/groups/POST/v1/groups`)
    await page.getByText('Signed in as Maya Okafor, ADMIN').waitFor()
    await tryOperation(page, 'post /v1/groups', 201)
  })
})

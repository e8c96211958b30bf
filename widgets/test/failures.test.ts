import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Browser } from 'playwright-core'
import { buildPages } from '../../console/test/stage.ts'
import { accessibilityViolations, openBrowser } from '../../server/test/clients/browser.ts'
import { useApi } from '../../server/test/harness.ts'
import { first } from '../../server/test/pick.ts'
import { cors, narrow, openHost, settled, signed_out, visit, wide, type Host } from './stage.ts'

/** Widgets while the service fails, is slow or cannot be reached. */
const cors_origins: string[] = []
const api = useApi({ with_story: 'usual_day', rate_limit: { per_minute: 1e6, burst: 1e6 }, cors_origins })
let browser: Browser
let host: Host

beforeAll(async () => {
  ;[browser] = await Promise.all([openBrowser(), api.work(), buildPages()])
  host = await openHost(api, api.story.api_key)
  cors_origins.push(host.url)
})
afterAll(async () => {
  await browser?.close()
  await host?.close()
})

const at = (widget: string, id: string) => `${host.url}/page?widget=${widget}&for=${id}`

describe.each([
  ['employee-dashboard', 'Hello, Femi'],
  ['employer-benefits', 'Benefits of Copper Kettle Café'],
  ['employer-billing', 'Billing for Copper Kettle Café'],
])('%s', (widget, heading) => {
  it('shows failures on a phone and on a desktop, and recovers from each', async () => {
    const key = api.story.api_key
    const { id: cafe } = first((await api.get('/v1/employers?search=Kettle', { key })).body.data)
    const femi = (await api.get(`/v1/employers/${cafe}/employees?search=Femi`, { key })).body.data
    const seen = await visit(browser, api, 'about:blank', wide)
    const { page } = seen
    const isRendered = async (state: string) => {
      for (const { viewport } of [wide, narrow]) {
        await page.setViewportSize(viewport)
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(viewport.width)
        expect(await accessibilityViolations(page), state).toEqual([])
      }
    }
    const isThere = async () => {
      await page.getByRole('heading', { name: heading, level: 2 }).waitFor()
      await settled(page)
      expect(await page.getByRole('alert').count()).toBe(0)
    }
    const troubles: [text_shown: string, begin: () => unknown][] = [
      ['Your session has ended.', () => (host.is_signed_out = true)],
      ['Your session has ended.', () => answers({ status: 401, json: signed_out })],
      ['Something went wrong on our side.', () => answers({ status: 500, body: 'oops' })],
      ['You are offline', () => page.route('**/v1/**', (route) => route.abort())],
    ]
    const answers = (answer: object) => page.route('**/v1/**', (route) => route.fulfill({ ...answer, headers: cors }))
    for (const [text_shown, begin] of troubles) {
      await begin()
      await page.goto(at(widget, widget === 'employee-dashboard' ? first(femi).id : cafe))
      await page.getByRole('alert').getByText(text_shown).waitFor()
      await isRendered(text_shown)
      host.is_signed_out = false
      await page.unroute('**/v1/**')
      await page.getByRole('button', { name: 'Try again' }).click()
      await isThere()
    }
    const arrival = Promise.withResolvers<void>()
    await page.route('**/v1/**', (route) => arrival.promise.then(() => route.continue()))
    await page.reload()
    await page.getByText('Loading').waitFor({ state: 'attached' })
    await isRendered('slow')
    arrival.resolve()
    await isThere()
    const reported = ['token_refused', 'unauthorized', 'upstream_error', 'offline'].flatMap((code) => [
      `ob-error ${code}`,
      'ob-ready',
    ])
    expect([seen.events, seen.complaints]).toEqual([[...reported, 'ob-ready'], []])
    await seen.close()
  })
})

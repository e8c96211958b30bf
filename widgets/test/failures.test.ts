import { describe, expect, it } from 'vitest'
import { accessibilityViolations } from '../../server/test/clients/browser.ts'
import { first } from '../../server/test/pick.ts'
import { cors, narrow, settled, signed_out, wide } from './stage.ts'
import { useWidgets } from './widgets.ts'

/** Widgets while the service fails, is slow or cannot be reached. */
const { api, at, host, see } = useWidgets()

describe.each([
  ['employee-dashboard', 'Hello, Femi'],
  ['employer-benefits', 'Benefits of Copper Kettle Café'],
  ['employer-billing', 'Billing for Copper Kettle Café'],
])('%s', (widget, heading) => {
  it('shows failures on a phone and on a desktop, and recovers from each', async () => {
    const key = api.story.api_key
    const { id: cafe } = first((await api.get('/v1/employers?search=Kettle', { key })).body.data)
    const femi = (await api.get(`/v1/employers/${cafe}/employees?search=Femi`, { key })).body.data
    const seen = await see('about:blank', wide)
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
      await expect.poll(() => page.getByRole('alert').count()).toBe(0)
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

/** The animation of a placeholder. */
const animationOf = (bone: any): string => (globalThis as any).getComputedStyle(bone).animationName

describe('an employer’s widgets', () => {
  it('handle a slow, failing or unreachable service, a page at 200%, and a React page', async () => {
    const key = api.story.api_key
    const { id, name } = first((await api.get('/v1/employers?search=Kettle', { key })).body.data)
    /** 640 px wide at twice the pixel density: a window of 1,280 px at 200% zoom. */
    const zoomed = { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 }
    const seen = await see(at('employer-benefits', id, '&styled=1'), zoomed)
    const { page } = seen
    await page.getByRole('heading', { name: 'People to remind' }).waitFor()
    await settled(page)
    const slant = (node: any) => (globalThis as any).getComputedStyle(node).fontStyle
    expect(await page.locator('[part=heading]').first().evaluate(slant)).toBe('italic')
    expect((await page.getByRole('button', { name: 'Overview' }).boundingBox())!.height).toBeGreaterThanOrEqual(52)
    const requested = [
      'auth/token',
      `employers/${id}`,
      `employers/${id}/benefit-plan-years`,
      'summary',
      'enrollments',
      'people',
    ]
    expect(seen.requests.map((one) => requested.find((end) => one.endsWith(end))).toSorted()).toEqual(
      requested.toSorted(),
    )
    const troubles = ['slow', 'at fault', 'at fault', 'at fault', 'fine']
    const motions: string[] = []
    const motion = () => page.locator('.bone').first().evaluate(animationOf)
    await page.route('**/hris', async (route) => {
      const trouble = troubles.shift()
      if (trouble === 'at fault') return route.fulfill({ status: 500, body: 'oops', headers: cors })
      if (trouble === 'slow') {
        await page.getByText('Loading').waitFor({ state: 'attached' })
        motions.push(await motion())
        await page.emulateMedia({ reducedMotion: 'no-preference' })
        motions.push(await motion())
      }
      return trouble === 'slow' ? route.abort() : route.continue()
    })
    await page.getByRole('button', { name: 'Payroll' }).click()
    await page.getByRole('alert').getByText('Something went wrong on our side.').waitFor()
    expect(motions).toEqual(['none', 'breathe'])
    await page.emulateMedia({ reducedMotion: 'reduce' })
    expect(await accessibilityViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Your payroll system' }).waitFor()
    await expect.poll(() => page.getByRole('alert').getByText('Something went wrong').count()).toBe(0)
    for (const view of ['Overview', 'People', 'Plan years']) {
      await page.getByRole('button', { name: view, exact: true }).click()
      await settled(page)
      for (const width of [320, 1600, 640]) {
        await page.setViewportSize({ width, height: 400 })
        expect(await page.evaluate('document.documentElement.scrollWidth'), view).toBeLessThanOrEqual(width)
      }
    }
    const events = () => page.locator('output').innerText()
    await page.goto(`${host.url}/react?for=${id}&service=${encodeURIComponent(`${api.url}/`)}`)
    await page.getByRole('heading', { name: `Billing for ${name}` }).waitFor()
    await page.getByRole('button', { name: 'People', exact: true }).click()
    await page.getByRole('heading', { name: 'People and enrollments' }).waitFor()
    expect((await events()).split(' ').toSorted()).toEqual(['people', 'ready', 'ready'])
    expect(seen.complaints).toEqual([])
    await seen.close()
  })
})

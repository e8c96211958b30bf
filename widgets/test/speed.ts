import { expect, it } from 'vitest'
import type { CDPSession, Page } from 'playwright-core'
import { buildPages } from '../../console/test/stage.ts'
import { openBrowser } from '../../server/test/clients/browser.ts'
import { useApi } from '../../server/test/harness.ts'
import { first } from '../../server/test/pick.ts'
import { openHost, settled, visit } from './stage.ts'

/**
 * Measures the first view of each widget on a warm service with a CPU slowed down four times: `SPEED=1 npm run shots`.
 * All times are milliseconds by the page's clock, from the page request until the whole view is drawn. Reports the
 * median of an empty page (`empty`) and of first visits with an empty cache (`never_there`), and the minimum and median
 * of later visits. For the fastest visit it also reports when script, token and data arrived, and the CPU time of the
 * main thread (total, script, style and layout), which other load on the machine does not lengthen. Finally it reports
 * the largest cumulative layout shift on a phone and on a desktop. Asserts nothing.
 */
const cors_origins: string[] = []
const api = useApi({ with_story: 'usual_day', rate_limit: { per_minute: 1e6, burst: 1e6 }, cors_origins })
const slowed = 4
const rounds = 9

/** The CPU time of the page's main thread so far, in milliseconds. */
async function worked(session: CDPSession): Promise<Record<'all' | 'script' | 'layout', number>> {
  const { metrics } = await session.send('Performance.getMetrics')
  const of = (name: string) => 1000 * (metrics.find((one) => one.name === name)?.value ?? 0)
  return {
    all: of('TaskDuration'),
    script: of('ScriptDuration'),
    layout: of('LayoutDuration') + of('RecalcStyleDuration'),
  }
}

/** The arrival time of script, token and data, in milliseconds after the page was requested. */
const arrivals = `Object
  .entries({ script: /[.]js$/, token: /benefits-token/, data: /[/]v1[/]/ })
  .map(([name, path]) => [
  name, Math.round(Math.max(...performance.getEntriesByType('resource').filter((one) => path.test(one.name))
    .map((one) => one.responseEnd)))])`

/** Records when the whole view is drawn, and the layout shift until then. */
const watch = `globalThis.drawn_at = 0
  globalThis.jumped = 0
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) jumped += value
  }).observe({ type: 'layout-shift', buffered: true })
  const measure = () => {
    const root = document.querySelector('[token-url]')?.shadowRoot
    if (root?.querySelector('h2') && !root.querySelector('.bone, [aria-busy=true]')) drawn_at = performance.now()
    else requestAnimationFrame(measure)
  }
  measure()`

async function once(page: Page, session: CDPSession, url: string) {
  const before = await worked(session)
  await page.goto(url)
  await expect.poll(() => page.evaluate('drawn_at')).toBeGreaterThan(0)
  await settled(page)
  const after = await worked(session)
  // A reload resets the counts.
  const since = (one: keyof typeof after) => Math.round(after[one] - (after.all >= before.all ? before[one] : 0))
  const there = Object.fromEntries((await page.evaluate(arrivals)) as [string, number][])
  const [taken, jumped] = (await page.evaluate('[Math.round(drawn_at), jumped]')) as [number, number]
  return { taken, ...there, worked: since('all'), on_script: since('script'), on_layout: since('layout'), jumped }
}

const middleOf = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!

/** The median time of a page without content. */
async function timeOfEmpty({ page, close }: { page: Page; close: () => unknown }, url: string): Promise<number> {
  await page.route('**/empty', (route) => route.fulfill({ contentType: 'text/html', body: '<title>.</title>' }))
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    await page.goto(`${url}/empty`)
    times.push(Number(await page.evaluate(`performance.getEntriesByType('navigation')[0].domComplete`)))
  }
  await close()
  return Math.round(middleOf(times))
}

it('measures the first view of each widget', async () => {
  await buildPages()
  await api.work()
  const { api_key: key } = api.story
  const [browser, host] = [await openBrowser(), await openHost(api, key)]
  cors_origins.push(host.url)
  const cafe = first((await api.get('/v1/employers?search=Kettle', { key })).body.data).id
  const femi = first((await api.get(`/v1/employers/${cafe}/employees?search=Femi`, { key })).body.data).id
  const measured: Record<string, object> = {}
  for (const [name, id] of [
    ['employee-dashboard', femi],
    ['employer-benefits', cafe],
    ['employer-billing', cafe],
  ] as const) {
    const url = `${host.url}/page?widget=${name}&for=${id}`
    const open = async () => {
      const seen = await visit(browser, api, 'about:blank')
      await seen.page.addInitScript(watch)
      const session = await seen.page.context().newCDPSession(seen.page)
      await session.send('Performance.enable', { timeDomain: 'threadTicks' })
      await session.send('Emulation.setCPUThrottlingRate', { rate: slowed })
      return { ...seen, session }
    }
    const of_new: number[] = []
    for (let round = 0; round < rounds; round++) {
      const { page, session, close } = await open()
      of_new.push((await once(page, session, url)).taken)
      await close()
    }
    const seen = await open()
    await seen.page.goto(url)
    const all: Awaited<ReturnType<typeof once>>[] = []
    for (let round = 0; round < rounds; round++) {
      await seen.page.setViewportSize({ width: round % 2 === 0 ? 360 : 1280, height: 800 })
      all.push(await once(seen.page, seen.session, `${url}&round=${round}`))
    }
    const jumps = (at: number) =>
      Math.max(...all.filter((_, round) => round % 2 === at).map(({ jumped }) => jumped)).toFixed(3)
    const [at_360, at_1280] = [jumps(0), jumps(1)]
    all.sort((a, b) => a.taken - b.taken)
    const { taken: lowest, jumped: _, ...of_lowest } = all[0]!
    const empty = await timeOfEmpty(await open(), host.url)
    const never_there = middleOf(of_new)
    measured[name] = {
      empty,
      never_there,
      lowest,
      middle: all[Math.floor(rounds / 2)]!.taken,
      ...of_lowest,
      at_360,
      at_1280,
    }
    await seen.close()
  }
  console.table(measured)
  await browser.close()
  await host.close()
})

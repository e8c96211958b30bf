import { it } from 'vitest'
import type { CDPSession, Page } from 'playwright-core'
import { buildPages } from '../../console/test/stage.ts'
import { openBrowser } from '../../server/test/browser.ts'
import { useApi } from '../../server/test/harness.ts'
import { first } from '../../server/test/pick.ts'
import { openHost, settled, visit } from './stage.ts'

/**
 * How long the first view of each widget takes on a warm service, on a processor four times as slow: `SPEED=1 npm run
 * shots`. Tells milliseconds from when the page was asked for until all of the view is there, the lowest and the middle
 * of several; of the lowest, when script, token and data were there, and what the page's own thread worked: in all, on
 * script, and on style and layout, in time of its processor, which others on the machine do not lengthen. Asserts
 * nothing.
 */
const cors_origins: string[] = []
const api = useApi({ told: 'usual_day', rate_limit: { per_minute: 1e6, burst: 1e6 }, cors_origins })
const slowed = 4
const rounds = 9

/** What the thread of a page has worked so far, in milliseconds. */
async function worked(session: CDPSession): Promise<Record<'all' | 'script' | 'layout', number>> {
  const { metrics } = await session.send('Performance.getMetrics')
  const of = (name: string) => 1000 * (metrics.find((one) => one.name === name)?.value ?? 0)
  return {
    all: of('TaskDuration'),
    script: of('ScriptDuration'),
    layout: of('LayoutDuration') + of('RecalcStyleDuration'),
  }
}

/** When what a page loads was there, in milliseconds after the page was asked for. */
const arrivals = `Object.entries({ script: /[.]js$/, token: /benefits-token/, data: /[/]v1[/]/ }).map(([name, path]) => [
  name, Math.round(Math.max(...performance.getEntriesByType('resource').filter((one) => path.test(one.name))
    .map((one) => one.responseEnd)))])`

async function once(page: Page, session: CDPSession, url: string) {
  const before = await worked(session)
  const begun = performance.now()
  await page.goto(url)
  await page.getByRole('heading', { level: 2 }).first().waitFor()
  await settled(page)
  const taken = Math.round(performance.now() - begun)
  const after = await worked(session)
  // A page that is loaded anew may count anew.
  const since = (one: keyof typeof after) => Math.round(after[one] - (after.all >= before.all ? before[one] : 0))
  const there = Object.fromEntries((await page.evaluate(arrivals)) as [string, number][])
  return { taken, ...there, worked: since('all'), on_script: since('script'), on_layout: since('layout') }
}

it('tells how long first views take', async () => {
  await buildPages()
  await api.work()
  const { api_key: key } = api.story
  const [browser, host] = [await openBrowser(), await openHost(api, key)]
  cors_origins.push(host.url)
  const cafe = first((await api.get('/v1/employers?search=Kettle', { key })).body.data).id
  const femi = first((await api.get(`/v1/employers/${cafe}/employees?search=Femi`, { key })).body.data).id
  const told: Record<string, object> = {}
  for (const [name, id] of [
    ['employee-dashboard', femi],
    ['employer-benefits', cafe],
    ['employer-billing', cafe],
  ] as const) {
    const seen = await visit(browser, api, `${host.url}/page?widget=${name}&for=${id}`)
    const session = await seen.page.context().newCDPSession(seen.page)
    await session.send('Performance.enable', { timeDomain: 'threadTicks' })
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowed })
    const all: Awaited<ReturnType<typeof once>>[] = []
    for (let round = 0; round < rounds; round++)
      all.push(await once(seen.page, session, `${host.url}/page?widget=${name}&for=${id}&round=${round}`))
    all.sort((a, b) => a.taken - b.taken)
    const { taken: lowest, ...of_lowest } = all[0]!
    told[name] = { lowest, middle: all[Math.floor(rounds / 2)]!.taken, ...of_lowest }
    await seen.close()
  }
  console.table(told)
  await browser.close()
  await host.close()
})

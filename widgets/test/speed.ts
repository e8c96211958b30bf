import { it } from 'vitest'
import { buildPages } from '../../console/test/stage.ts'
import { openBrowser } from '../../server/test/browser.ts'
import { useApi } from '../../server/test/harness.ts'
import { first } from '../../server/test/pick.ts'
import { openHost, settled, visit } from './stage.ts'

/**
 * How long the first view of each widget takes on a warm service, on a processor four times as slow: `SPEED=1 npm run
 * shots`. Tells milliseconds from when the page was asked for until all of the view is there, the lowest and the middle
 * of five, and asserts nothing.
 */
const cors_origins: string[] = []
const api = useApi({ told: 'usual_day', rate_limit: { per_minute: 1e6, burst: 1e6 }, cors_origins })
const slowed = 4
const rounds = 5

it('tells how long first views take', async () => {
  await buildPages()
  await api.work()
  const { api_key: key } = api.story
  const [browser, host] = [await openBrowser(), await openHost(api, key)]
  cors_origins.push(host.url)
  const cafe = first((await api.get('/v1/employers?search=Kettle', { key })).body.data).id
  const femi = first((await api.get(`/v1/employers/${cafe}/employees?search=Femi`, { key })).body.data).id
  const told: Record<string, { lowest: number; middle: number }> = {}
  for (const [name, id] of [
    ['employee-dashboard', femi],
    ['employer-benefits', cafe],
    ['employer-billing', cafe],
  ] as const) {
    const seen = await visit(browser, api, `${host.url}/page?widget=${name}&for=${id}`)
    const session = await seen.page.context().newCDPSession(seen.page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowed })
    const taken: number[] = []
    for (let round = 0; round < rounds; round++) {
      await seen.page.evaluate('sessionStorage.clear()')
      const begun = performance.now()
      await seen.page.goto(`${host.url}/page?widget=${name}&for=${id}&round=${round}`)
      await seen.page.getByRole('heading', { level: 2 }).first().waitFor()
      await settled(seen.page)
      taken.push(Math.round(performance.now() - begun))
    }
    taken.sort((a, b) => a - b)
    told[name] = { lowest: taken[0]!, middle: taken[Math.floor(rounds / 2)]! }
    await seen.close()
  }
  console.table(told)
  await browser.close()
  await host.close()
})

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { it } from 'vitest'
import { tasks } from '../../server/worker-tasks.ts'
import { seedDemoData } from '../../server/sandbox/demo/seed.ts'
import { openBrowser } from '../../server/test/clients/browser.ts'
import { createEmployee, createEmployer } from '../../server/test/fixtures.ts'
import { useApi } from '../../server/test/harness.ts'
import { buildPages, colleaguesOf, settled, userCalled, visitAs } from './stage.ts'

/**
 * Measures the response times of the console with a CPU slowed down four times: `SPEED=1 npm run shots`. Reports
 * milliseconds from an input to the next frame, as the browser measures them, and the CPU time of the longest task in
 * between, which is reliable on a shared machine. Asserts nothing.
 */
const api = useApi({ with_story: 'usual_day', rate_limit: { per_minute: 1e6, burst: 1e6 } })

const slowed = 4
/**
 * The trace categories. `SPEED=traces` keeps the traces, and `SPEED=functions` adds functions, which is slow.
 */
const categories = [
  'toplevel',
  'devtools.timeline',
  'disabled-by-default-devtools.timeline',
  ...(process.env.SPEED === 'functions' ? ['disabled-by-default-v8.cpu_profiler'] : []),
]
const folder = join(import.meta.dirname, '../shots')
mkdirSync(folder, { recursive: true })

/** The longest input delay since the last call, in steps of 8 ms. 0 if shorter than 16. */
const longestInput = async (page: Page): Promise<number> => {
  // The browser reports the last frame with a delay.
  await pause(600)
  return Number(await page.evaluate('Math.max(0, ...globalThis.inputs.splice(0))'))
}

type TracedEvent = { name: string; tdur?: number }

/** The CPU time of the longest task since the trace started, in milliseconds, including the slowdown. */
async function longestTask(browser: Browser, name: string): Promise<number> {
  const trace = (await browser.stopTracing()).toString()
  if (process.env.SPEED !== '1') writeFileSync(join(folder, `${name.replaceAll(' ', '-')}.json`), trace)
  const { traceEvents } = JSON.parse(trace) as { traceEvents: TracedEvent[] }
  const tasks = traceEvents.filter(({ name }) => name === 'RunTask' || name === 'ThreadControllerImpl::RunTask')
  return Math.round(Math.max(0, ...tasks.map(({ tdur = 0 }) => tdur)) / 1000)
}

const watchInputs = `
  globalThis.inputs = []
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries()) if (interactionId) globalThis.inputs.push(duration)
  }).observe({ type: 'event', durationThreshold: 16 })`

it('measures the response times of inputs', async () => {
  await buildPages()
  await seedDemoData(api.runtime, tasks, () => undefined)
  const key = api.story.api_key
  const employer_id = await createEmployer(api, {}, { key })
  const { id } = await createEmployee(api, employer_id, { last_name: 'Costa' }, { key })
  await colleaguesOf(api, id, 9_999)
  const browser = await openBrowser()
  const measured: Record<string, { input: number; longest_task: number }> = {}
  const visitOf = async (name: string, at: string) => {
    const { page } = await visitAs(browser, api, await userCalled(api, name))
    await page.goto(`${api.url}/console${at}`)
    await settled(page)
    const session = await page.context().newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowed })
    await page.evaluate(watchInputs)
    return page
  }
  const book = await visitOf('Ines Duarte', '/employers')
  const note = async (page: Page, name: string, act: () => Promise<unknown>) => {
    await browser.startTracing(page, { categories })
    await act()
    await settled(page)
    const input = await longestInput(page)
    measured[name] = { input, longest_task: await longestTask(browser, name) }
  }
  // By keyboard only, because finding the position for a mouse click would interrupt the page.
  const filter = async (page: Page, name: string) => page.getByRole('checkbox', { name }).focus()
  await book.locator('summary', { hasText: 'Stage' }).press('Enter')
  await filter(book, 'Renewal')
  await note(book, 'a filter of the employer list', () => book.keyboard.press('Space'))
  await book.getByRole('searchbox').focus()
  await note(book, 'letters into its search', () => book.keyboard.type('alder', { delay: 60 }))
  await note(book, 'the palette', () => book.keyboard.press('Control+k'))
  await note(book, 'letters into the palette', () => book.keyboard.type('hol', { delay: 60 }))
  await note(book, 'an entry of the palette', () => book.keyboard.press('Enter'))
  const roster = await visitOf('Maya Okafor', `/employers/${employer_id}/roster`)
  await note(roster, 'the end of 10,000 people', () => roster.keyboard.press('End'))
  await filter(roster, 'Active')
  await note(roster, 'a filter of 10,000 people', () => roster.keyboard.press('Space'))
  await roster.getByRole('searchbox').focus()
  await note(roster, 'letters into their search', () => roster.keyboard.type('costa', { delay: 60 }))
  await roster.getByRole('link', { name: 'Plans', exact: true }).focus()
  await note(roster, 'another tab', () => roster.keyboard.press('Enter'))
  console.table(measured)
  await browser.close()
})

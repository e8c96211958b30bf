import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { it } from 'vitest'
import { tasks } from '../../server/modules.ts'
import { plantStage } from '../../server/sandbox/stage/plant.ts'
import { openBrowser } from '../../server/test/browser.ts'
import { createEmployee, createEmployer } from '../../server/test/cast.ts'
import { useApi } from '../../server/test/harness.ts'
import { buildPages, colleaguesOf, settled, userCalled, visitAs } from './stage.ts'

/**
 * How long the console takes to answer what somebody does, on a processor four times as slow: `SPEED=1 npm run shots`.
 * Tells milliseconds from the input to the next picture, as the browser measures them, and of the longest task meanwhile
 * what it took of the processor: that holds on a machine that others use too. Asserts nothing.
 */
const api = useApi({ told: 'usual_day', rate_limit: { per_minute: 1e6, burst: 1e6 } })

const slowed = 4
/**
 * What is traced. Who looks for what takes long keeps the traces, `SPEED=traces`, or has them told by functions too,
 * `SPEED=functions`, which takes long itself.
 */
const categories = [
  'toplevel',
  'devtools.timeline',
  'disabled-by-default-devtools.timeline',
  ...(process.env.SPEED === 'functions' ? ['disabled-by-default-v8.cpu_profiler'] : []),
]
const folder = join(import.meta.dirname, '../shots')
mkdirSync(folder, { recursive: true })

/** The longest of the inputs since the last time this was asked, in steps of 8 ms; 0: shorter than 16. */
const longestInput = async (page: Page): Promise<number> => {
  // What was drawn last is measured a moment after it is there.
  await pause(600)
  return Number(await page.evaluate('Math.max(0, ...globalThis.inputs.splice(0))'))
}

type TracedEvent = { name: string; tdur?: number }

/** What the longest task since a trace was begun took of the processor, in milliseconds: it is slowed already. */
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

it('tells how long inputs take', async () => {
  await buildPages()
  await plantStage(api.runtime, tasks, () => undefined)
  const key = api.story.api_key
  const employer_id = await createEmployer(api, {}, { key })
  const { id } = await createEmployee(api, employer_id, { last_name: 'Costa' }, { key })
  await colleaguesOf(api, id, 9_999)
  const browser = await openBrowser()
  const told: Record<string, { input: number; longest_task: number }> = {}
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
    told[name] = { input, longest_task: await longestTask(browser, name) }
  }
  // By keys alone: where a mouse would have to press, the page would be asked meanwhile.
  const filter = async (page: Page, name: string) => page.getByRole('checkbox', { name }).focus()
  await filter(book, 'Renewal')
  await note(book, 'a filter of the book', () => book.keyboard.press('Space'))
  await book.getByRole('searchbox').focus()
  await note(book, 'letters into its search', () => book.keyboard.type('alder', { delay: 60 }))
  await note(book, 'the palette', () => book.keyboard.press('Control+k'))
  await note(book, 'letters into the palette', () => book.keyboard.type('hol', { delay: 60 }))
  await note(book, 'a way of the palette', () => book.keyboard.press('Enter'))
  const roster = await visitOf('Maya Okafor', `/employers/${employer_id}/roster`)
  await note(roster, 'the end of 10,000 people', () => roster.keyboard.press('End'))
  await filter(roster, 'Active')
  await note(roster, 'a filter of 10,000 people', () => roster.keyboard.press('Space'))
  await roster.getByRole('searchbox').focus()
  await note(roster, 'letters into their search', () => roster.keyboard.type('costa', { delay: 60 }))
  await roster.getByRole('link', { name: 'Plan years' }).focus()
  await note(roster, 'another tab', () => roster.keyboard.press('Enter'))
  console.table(told)
  await browser.close()
})

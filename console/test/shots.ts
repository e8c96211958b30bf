import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { sidebar } from '../../docs-site/pages.ts'
import { anEmployer } from '../../server/test/fixtures.ts'
import { openBrowser } from '../../server/test/clients/browser.ts'
import { openReceiver } from '../../server/test/fakes/receiver.ts'
import { useApi } from '../../server/test/harness.ts'
import { useWebhooks } from '../../server/test/clients/webhooks.ts'
import { tasks } from '../../server/worker-tasks.ts'
import { seedDemoData } from '../../server/sandbox/demo/seed.ts'
import { drawReadmePicture } from './readme-pictures.ts'
import { buildPages, pagesOfMember, pagesOfOperator, settled, userCalled, visitAs } from './stage.ts'

/**
 * Draws every page of the console and of the documentation in both themes at four widths. SHOTS selects pages by name:
 * `SHOTS=person,docs-events npm run shots`.
 */
const api = useApi({
  with_story: 'usual_day',
  rate_limit: { per_minute: 1e6, burst: 1e6 },
  outbound: { allow_loopback: true },
})
const webhooks = useWebhooks(api)
const receiver = await openReceiver()
const folder = join(import.meta.dirname, '../shots')
const widths = [360, 768, 1280, 1920]
const themes = ['light', 'dark'] as const

const wanted = process.env.SHOTS?.split(',')
if (!wanted) rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })

const isOfDocs = (shot: string) => shot === 'docs' || shot.startsWith('docs-')

/** Captures a page in both themes at each width. */
async function draw(page: Page, shot: string): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: width === 360 ? 740 : 800 })
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.waitForLoadState('networkidle')
      if (!isOfDocs(shot)) await settled(page)
      await page.evaluate('document.fonts.ready.then(() => undefined)')
      await page.screenshot({ path: join(folder, `${shot}-${width}-${colorScheme}.png`), fullPage: true })
    }
  }
}

/** The pages of a webhook with mostly successful deliveries, of a refused event, and of the request behind an event. */
async function pagesOfDeliveries(): Promise<Record<string, string>> {
  receiver.answer = (response, { body }) =>
    body.type === 'employee.updated' ? response.writeHead(503).end('Down for repairs') : response.writeHead(204).end()
  const { id } = await webhooks.subscribe(receiver.url)
  const refused = await webhooks.happen()
  const made = await api.post('/v1/employers', anEmployer())
  await webhooks.happen(3, 'employee.deduction_created')
  await api.deliver()
  const [event] = await webhooks.eventsOf(refused)
  return {
    'webhook-delivered': `/developers/webhooks/${id}`,
    'event-refused': `/developers/events/${event!.id}`,
    'trace-delivered': `/traces/${made.headers.get('x-request-id')}`,
  }
}

const isOfConsole = (shot: string) => !isOfDocs(shot) && shot !== 'readme'

it.runIf(wanted?.some(isOfConsole) ?? true)('draws every page of the console', async () => {
  await buildPages()
  await api.work()
  await seedDemoData(api.runtime, tasks, () => undefined)
  const browser = await openBrowser()
  const operated = await pagesOfOperator(api)
  const users: [string, Record<string, string>][] = [
    ['Maya Okafor', { ...(await pagesOfMember(api)), ...(await pagesOfDeliveries()) }],
    ['Tess Moreau', operated],
    [
      'Igor Blom',
      {
        'billed-invoices': operated['operated-invoices'],
        'billed-invoice': `${operated['operated-invoice']}?action=pay`,
      },
    ],
    [
      'Ines Duarte',
      { 'stage-home': '/', 'stage-book': '/employers', 'stage-ahead': '/employers/ahead', 'stage-money': '/money' },
    ],
  ]
  const complaints: string[] = []
  for (const [name, pages] of users) {
    const visit = await visitAs(browser, api, await userCalled(api, name))
    for (const [shot, path] of Object.entries(pages).filter(([shot]) => wanted?.includes(shot) ?? true)) {
      await visit.page.goto(`${api.url}/console${path}`)
      await draw(visit.page, shot)
    }
    complaints.push(...visit.complaints)
    await visit.close()
  }
  await browser.close()
  expect(complaints).toEqual([])
})

it.runIf(wanted?.includes('readme') ?? true)('draws the pictures of the README into docs/pictures', async () => {
  await buildPages()
  await api.work()
  const browser = await openBrowser()
  const operated = await pagesOfOperator(api)
  const seen_by_member = await pagesOfMember(api)
  const pictures: [string, Record<string, string | undefined>][] = [
    [
      'Maya Okafor',
      {
        timeline: seen_by_member['person-why'],
        invoice: seen_by_member.invoice,
      },
    ],
    ['Tess Moreau', { 'plan-year-builder': operated.builder }],
  ]
  for (const [user, paths] of pictures) {
    const { page, close } = await visitAs(browser, api, await userCalled(api, user))
    await page.setViewportSize({ width: 1280, height: 800 })
    for (const [name, path] of Object.entries(paths)) {
      await page.goto(`${api.url}/console${path}`)
      await drawReadmePicture(page, name, settled)
    }
    await close()
  }
  await browser.close()
})

/** The pages of the documentation. */
const pages_of_docs = Object.fromEntries(
  sidebar
    .flatMap(({ items }) => items)
    .map(({ link }) => [`docs${link.replace(/\/$/, '').replaceAll('/', '-')}`, `/docs${link}`]),
)

it.runIf(wanted?.some(isOfDocs) ?? true)('draws the pages of the documentation', async () => {
  await buildPages()
  const browser = await openBrowser()
  const page = await browser.newPage()
  for (const [shot, path] of Object.entries(pages_of_docs).filter(([shot]) => wanted?.includes(shot) ?? true)) {
    await page.goto(api.url + path)
    await draw(page, shot)
  }
  if (wanted?.includes('docs-search') ?? true) {
    await page.goto(`${api.url}/docs/`)
    await page.keyboard.press('Control+k')
    await page.getByRole('searchbox').fill('terminate')
    await page.getByRole('option').first().waitFor()
    await draw(page, 'docs-search')
  }
  await browser.close()
})

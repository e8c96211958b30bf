import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { buildPages } from '../../console/test/stage.ts'
import { openBrowser } from '../../server/test/browser.ts'
import { useApi } from '../../server/test/harness.ts'
import { first } from '../../server/test/pick.ts'
import { openHost, settled, visit, type Visit } from './stage.ts'

/** Draws every view of the widgets in both themes, narrow and wide, English and Spanish. SHOTS names those wanted. */
const cors_origins: string[] = []
const api = useApi({ told: 'usual_day', rate_limit: { per_minute: 1e6, burst: 1e6 }, cors_origins })
const folder = join(import.meta.dirname, '../shots')
const wanted = process.env.SHOTS?.split(',')
const sizes = [
  [360, 'es'],
  [1280, 'en'],
] as const

/** Answers each benefit otherwise than it is, goes on to the review, and submits. */
async function chooses({ page }: Visit, submits: boolean): Promise<void> {
  await page.locator('nav button').nth(1).click()
  await settled(page)
  const benefits = page.locator('fieldset')
  for (let at = 0; at < (await benefits.count()); at++)
    await benefits.nth(at).locator('input[type=radio]:enabled:not(:checked)').last().check()
  await settled(page)
  const main = page.locator('button.main')
  await page.locator('button.main:enabled:not([aria-disabled=true])').click()
  if (!submits) return
  await page.getByRole('table').waitFor()
  await main.click()
  await page.getByRole('button', { name: 'PDF' }).waitFor()
}

it('draws every view', async () => {
  await buildPages()
  await api.work()
  const { api_key: key } = api.story
  const browser = await openBrowser()
  const host = await openHost(api, key)
  cors_origins.push(host.url)
  if (!wanted) rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const employer = async (name: string) => first((await api.get(`/v1/employers?search=${name}`, { key })).body.data).id
  const [cafe, haulier] = [await employer('Kettle'), await employer('Granite')]
  const person = async (employer_id: string, name: string) =>
    first((await api.get(`/v1/employers/${employer_id}/employees?search=${name}`, { key })).body.data).id
  const [femi, noor] = [await person(cafe, 'Femi'), await person(haulier, 'Noor')]
  const [invoice] = (await api.get(`/v1/employers/${cafe}/invoices`, { key })).body.data
  const of = (id: string, views: string[]) =>
    views.map((view) => [view, `widget=employee-dashboard&for=${id}&view=${view}`] as const)
  const views = [
    ...of(femi, ['home', 'coverage', 'paychecks', 'why', 'me']),
    ...of(noor, ['choose', 'review', 'family', 'life-events', 'confirmation']),
    ...['overview', 'people', 'person', 'plan-years', 'plan-year', 'payroll'].map(
      (view) => [`benefits-${view}`, `widget=employer-benefits&for=${haulier}&view=${view}&employee=${noor}`] as const,
    ),
    ['billing', `widget=employer-billing&for=${cafe}`] as const,
    ['invoice', `widget=employer-billing&for=${cafe}&view=invoice&invoice=${invoice?.invoice_id}`] as const,
  ]
  const complaints: string[] = []
  for (const [name, query] of views.filter(([name]) => wanted?.includes(name) ?? true)) {
    for (const [width, lang] of sizes) {
      const seen = await visit(browser, api, `${host.url}/page?${query}&lang=${lang}`, {
        viewport: { width, height: 800 },
      })
      if (name === 'review' || name === 'confirmation') await chooses(seen, name === 'confirmation')
      for (const colorScheme of ['light', 'dark'] as const) {
        await seen.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await seen.page.getByRole('heading', { level: 2 }).first().waitFor()
        await settled(seen.page)
        await seen.page.screenshot({
          path: join(folder, `${name}-${width}-${lang}-${colorScheme}.png`),
          fullPage: true,
        })
      }
      complaints.push(...seen.complaints)
      await seen.close()
    }
  }
  await browser.close()
  await host.close()
  expect(complaints).toEqual([])
})

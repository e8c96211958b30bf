import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { faultsOf, openBrowser } from '../../server/test/browser.ts'
import { useApi } from '../../server/test/harness.ts'
import { censusesAtWork } from './journeys/censuses.ts'
import { developersAtWork } from './journeys/developers.ts'
import { membersAtWork } from './journeys/members.ts'
import { operatorsAtWork, operatorsOfMany } from './journeys/operators.ts'
import { requestsAreFew } from './journeys/requests.ts'
import { rolesAtWork } from './journeys/roles.ts'
import { troublesAtWork } from './journeys/troubles.ts'
import { buildPages, outOfReach, pagesOfMember, tooWideAt, turnTo, userCalled, visitAs, type Visit } from './stage.ts'

/**
 * What people do with the console, by the keyboard alone, in a real browser against the real service: one of each for
 * all journeys.
 */
const api = useApi({ told: 'usual_day', rate_limit: { per_minute: 1e6, burst: 1e6 } })
const scene = { api } as { api: typeof api; browser: Browser; maya: Visit }

beforeAll(async () => {
  ;[scene.browser] = await Promise.all([openBrowser(), api.work(), buildPages()])
  scene.maya = await visitAs(scene.browser, api, await userCalled(api, 'Maya Okafor'))
}, 120_000)
afterAll(() => scene.browser?.close())

membersAtWork(scene)
censusesAtWork(scene)
developersAtWork(scene)
troublesAtWork(scene)
rolesAtWork(scene)
operatorsAtWork(scene)
requestsAreFew(scene)
operatorsOfMany(scene)

/** Between them these pages show each color on each ground. */
const all_colors = ['book', 'roster', 'plan-year', 'invoice', 'person-why', 'keys', 'webhooks', 'nowhere']

it('has nothing that keeps people out, on any page in either theme', async () => {
  const { page } = scene.maya
  for (const [name, path] of Object.entries(await pagesOfMember(api))) {
    await turnTo(page, path)
    expect(await faultsOf(page), name).toEqual([])
    expect(await tooWideAt(page), name).toEqual([])
    expect(await outOfReach(page), name).toEqual([])
    if (!all_colors.includes(name)) continue
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await faultsOf(page, ['color-contrast']), `${name} in the dark`).toEqual([])
    await page.emulateMedia({ colorScheme: 'light' })
  }
  await page.locator('main a').first().focus()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Find' }).fill('a')
  await page.getByRole('option').first().waitFor()
  expect(await faultsOf(page), 'the palette').toEqual([])
  await page.keyboard.press('Escape')
  await page.locator('main :focus').waitFor()
  expect(scene.maya.complaints).toEqual([])
}, 300_000)

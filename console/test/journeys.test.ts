import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { accessibilityViolations, openBrowser } from '../../server/test/clients/browser.ts'
import { useApi } from '../../server/test/harness.ts'
import { additionsAtWork } from './journeys/additions.ts'
import { acaAtWork } from './journeys/aca.ts'
import { agreementsAtWork } from './journeys/agreements.ts'
import { censusesAtWork } from './journeys/censuses.ts'
import { developersAtWork } from './journeys/access/developers.ts'
import { homeAtWork } from './journeys/home.ts'
import { largeRosterAtWork } from './journeys/large-roster.ts'
import { documentsAtWork } from './journeys/documents.ts'
import { enrollmentAtWork } from './journeys/enrollment.ts'
import { exportsAtWork } from './journeys/exports.ts'
import { membersAtWork } from './journeys/access/members.ts'
import { notesAtWork } from './journeys/notes.ts'
import { operatorsAtWork, operatorsOfMany } from './journeys/access/operators.ts'
import { renewalsAtWork } from './journeys/renewals.ts'
import { requestsAreFew } from './journeys/requests.ts'
import { accountAtWork, rolesAtWork } from './journeys/access/roles.ts'
import { setupAtWork } from './journeys/setup.ts'
import { troublesAtWork } from './journeys/troubles.ts'
import { buildPages, outOfReach, pagesOfMember, tooWideAt, turnTo, userCalled, type Visit, visitAs } from './stage.ts'

/**
 * User journeys through the console, by keyboard only, in a real browser against the real service. All journeys share
 * one browser and one service.
 */
const api = useApi({ with_story: 'usual_day', rate_limit: { per_minute: 1e6, burst: 1e6 } })
const scene = { api } as { api: typeof api; browser: Browser; maya: Visit }

beforeAll(async () => {
  ;[scene.browser] = await Promise.all([openBrowser(), api.work(), buildPages()])
  scene.maya = await visitAs(scene.browser, api, await userCalled(api, 'Maya Okafor'))
}, 120_000)
afterAll(() => scene.browser?.close())

// Runs first, because other journeys complete tasks, and then these pages have fewer sections.
requestsAreFew(scene)
membersAtWork(scene)
homeAtWork(scene)
enrollmentAtWork(scene)
setupAtWork(scene)
notesAtWork(scene)
documentsAtWork(scene)
agreementsAtWork(scene)
censusesAtWork(scene)
renewalsAtWork(scene)
acaAtWork(scene)
developersAtWork(scene)
exportsAtWork(scene)
troublesAtWork(scene)
rolesAtWork(scene)
operatorsAtWork(scene)
accountAtWork(scene)
operatorsOfMany(scene)
additionsAtWork(scene)

/** Together, these pages show every color on every background. */
const all_colors = ['home', 'book', 'roster', 'plan-year', 'invoice', 'person-why', 'keys', 'webhooks', 'nowhere']

it('has no accessibility violations on any page of members, in either theme', async () => {
  const { page } = scene.maya
  for (const [name, path] of Object.entries(await pagesOfMember(api))) {
    await turnTo(page, path)
    expect(await accessibilityViolations(page), name).toEqual([])
    expect(await tooWideAt(page), name).toEqual([])
    expect(await outOfReach(page), name).toEqual([])
    if (!all_colors.includes(name)) continue
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await accessibilityViolations(page, ['color-contrast']), `${name} in the dark`).toEqual([])
    await page.emulateMedia({ colorScheme: 'light' })
  }
  await page.locator('main a').first().focus()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Find' }).fill('a')
  await page.getByRole('option').first().waitFor()
  expect(await accessibilityViolations(page), 'the palette').toEqual([])
  await page.keyboard.press('Escape')
  await page.locator('main :focus').waitFor()
  expect(scene.maya.complaints).toEqual([])
}, 300_000)

// Runs last, because every page and export about all people of the organization would have ten thousand rows.
largeRosterAtWork(scene)

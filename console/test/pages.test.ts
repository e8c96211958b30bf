import { expect, it } from 'vitest'
import { accessibilityViolations } from '../../server/test/clients/browser.ts'
import { exportsAtWork } from './journeys/exports.ts'
import { requestsAreFew } from './journeys/requests.ts'
import { rolesAtWork } from './journeys/access/roles.ts'
import { useScene } from './scene.ts'
import { outOfReach, pagesOfMember, tooWideAt, turnTo } from './stage.ts'

/** Rules that hold on every page. */
const scene = useScene()
requestsAreFew(scene)
rolesAtWork(scene)
exportsAtWork(scene)

/** Together, these pages show every color on every background. */
const all_colors = ['home', 'book', 'roster', 'plan-year', 'invoice', 'person-why', 'keys', 'webhooks', 'nowhere']

it('leaves a gap between rows with long names in a list on a phone', async () => {
  const { page } = scene.maya
  await turnTo(page, '/developers/events')
  await page.setViewportSize({ width: 360, height: 740 })
  const rows = page.getByRole('table', { name: 'Events' }).locator('tbody tr')
  await rows.first().waitFor()
  const gaps = await rows.evaluateAll((all) =>
    all.flatMap((row: any) => {
      const [name, text] = [row.querySelector('th'), row.querySelector('th a')]
      return text ? [name.clientHeight - text.getBoundingClientRect().height] : []
    }),
  )
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(6)
  await page.setViewportSize({ width: 1280, height: 800 })
}, 60_000)

it('has no accessibility violations on any page of members, in either theme', async () => {
  const { page } = scene.maya
  for (const [name, path] of Object.entries(await pagesOfMember(scene.api))) {
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
})

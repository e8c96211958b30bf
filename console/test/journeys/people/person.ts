import { expect, describe, it } from 'vitest'
import { sure } from '../../../../server/test/pick.ts'
import { type Scene, turnTo } from '../../stage.ts'

/** Questions of HR specialists about one person, and the words that they search for. */
export function personAtWork(scene: Scene) {
  describe('a person', () => {
    it.each([
      ['dispute', 'Check an invoice or a deduction'],
      ['new employee', 'Hire or import employees'],
      ['termination', 'Terminate, rehire or correct an employee'],
      ['birth', 'Report a life event or add a dependent'],
      ['reminder', 'Renew plans or remind employees to enroll'],
    ])('finds where to start when Maya types "%s"', async (typed, label) => {
      const { page } = scene.maya
      await turnTo(page, '/activity')
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Find' }).fill(typed)
      await page.getByRole('option', { name: label }).waitFor()
      await page.keyboard.press('Escape')
      await page.locator('main :focus').waitFor()
    })

    it('explains why paychecks differ by cents, and distinguishes the plan years of a benefit', async () => {
      const { page } = scene.maya
      await turnTo(page, `/people/${await edith(scene)}`)
      await page.getByText('Amounts are rounded so that the year adds up exactly').waitFor()
      const names = await page.getByRole('table', { name: 'Deductions' }).getByRole('rowheader').allInnerTexts()
      expect(names.length).toBeGreaterThan(1)
      expect(new Set(names).size).toBe(names.length)
    })

    it('keeps the typed last day after the preview of a termination', async () => {
      const { page } = scene.maya
      await turnTo(page, `/people/${await edith(scene)}`)
      await page.getByRole('link', { name: 'Terminate', exact: true }).press('Enter')
      await page.getByLabel('Last day').fill('2026-04-15')
      await page.getByRole('button', { name: 'Preview changes' }).press('Enter')
      await page.getByText(/Amounts already deducted or invoiced for later months are refunded/).waitFor()
      await page.getByRole('button', { name: 'Back' }).press('Enter')
      expect(await page.getByLabel('Last day').inputValue()).toBe('2026-04-15')
    })

    it('shows the newest changes of a person, and the others on request', async () => {
      const { page } = scene.maya
      await turnTo(page, `/people/${await edith(scene)}`)
      const changes = page.getByRole('table', { name: 'Activity' }).getByRole('rowheader')
      await expect.poll(() => changes.count()).toBe(8)
      await page.getByRole('button', { name: 'Show more' }).press('Enter')
      await expect.poll(() => changes.count()).toBeGreaterThan(8)
    })
  })
}

/** An employee with two plan years of a benefit in one calendar year. */
async function edith({ api }: Scene): Promise<string> {
  const { data } = (await api.get('/v1/members?search=larsen', { key: api.story.api_key })).body
  return sure(sure(data[0]).employments[0]).employee_id
}

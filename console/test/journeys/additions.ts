import { expect, it } from 'vitest'
import { accessibilityViolations } from '../../../server/test/clients/browser.ts'
import { createEmployer } from '../../../server/test/fixtures.ts'
import { only } from '../../../server/test/pick.ts'
import { settled, turnTo, type Scene } from '../stage.ts'

/** Members add one employee, a dependent and a life event, without a census. */
export function additionsAtWork(scene: Scene): void {
  it('adds an employee, a dependent and a life event, and shows refusals beside their fields', async () => {
    const { api } = scene
    const { page } = scene.maya
    const employer_id = await createEmployer(api, { name: 'Additions Bakery' })
    await turnTo(page, `/employers/${employer_id}/roster`)
    await page.getByRole('link', { name: 'Add employee' }).press('Enter')
    await page.getByRole('heading', { name: 'New employee' }).waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    await page.getByLabel('First name').fill('Ines')
    await page.getByLabel('Last name').fill("O'Brien")
    await page.getByRole('textbox', { name: 'Email' }).fill('ines@additions.example')
    await page.getByLabel('Date of birth').fill('2020-05-17')
    await page.getByLabel('First day of employment').fill('2026-03-02')
    await page.getByRole('button', { name: 'Add employee' }).press('Enter')
    await page.getByText(/18/).first().waitFor()
    await page.getByLabel('Date of birth').fill('1990-05-17')
    await page.getByRole('button', { name: 'Add employee' }).press('Enter')
    await page.getByRole('heading', { name: "Ines O'Brien" }).waitFor()

    await page.getByRole('link', { name: 'Add dependent' }).press('Enter')
    await page.getByLabel('First name').fill('Lina')
    await page.getByLabel('Last name').fill("O'Brien")
    await page.getByLabel('Date of birth').fill('2020-02-01')
    await page.getByRole('button', { name: 'Add dependent' }).press('Enter')
    await page.getByRole('table', { name: 'Dependents' }).getByText("Lina O'Brien").waitFor()

    await page.getByRole('link', { name: 'Report life event' }).press('Enter')
    await page.getByRole('heading', { name: 'New life event' }).waitFor()
    await page.getByLabel('Event', { exact: true }).selectOption('birth')
    await page.getByLabel('Day of the event').fill('2026-03-01')
    await settled(page)
    expect(await accessibilityViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Report life event' }).press('Enter')
    await page.getByRole('table', { name: 'Life events' }).getByText('Birth').waitFor()

    const { data } = (await api.get(`/v1/employers/${employer_id}/employees?search=obrien%20ines`)).body
    const { id } = only(data)
    const events = (await api.get(`/v1/employees/${id}/qualifying-life-events`)).body.data
    expect(events).toMatchObject([{ type: 'birth', occurred_on: '2026-03-01', status: 'pending' }])

    // A pending birth names who decides, and the dependent can be added meanwhile.
    await page.getByRole('link', { name: 'Birth', exact: true }).press('Enter')
    const next_step = page.getByText('The operator approves or declines the event.')
    await next_step.getByRole('link', { name: 'Add dependent' }).press('Enter')
    await page.getByRole('heading', { name: 'New dependent' }).waitFor()
    expect(await accessibilityViolations(page)).toEqual([])

    await turnTo(page, `/people/${id}/change?action=end`)
    await page.getByRole('heading', { name: "Terminate Ines O'Brien" }).waitFor()
    await page.getByLabel('Last day').fill('2025-06-30')
    await page.getByRole('button', { name: 'Preview changes' }).press('Enter')
    await page.getByRole('alert').getByText('must not be before').waitFor()
    expect(await page.getByRole('button', { name: 'Terminate' }).count()).toBe(0)
  })

  it('names the member who made a change in the audit log', async () => {
    const { page } = scene.maya
    await turnTo(page, '/audit')
    const entries = page.getByRole('table', { name: 'Audit log' })
    await entries.getByText('Maya Okafor').first().waitFor()
  })
}

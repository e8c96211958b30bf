import { expect, it } from 'vitest'
import { accessibilityViolations } from '../../../server/test/clients/browser.ts'
import { createEmployee, createEmployer } from '../../../server/test/fixtures.ts'
import { type Scene, settled, tooWideAt, turnTo } from '../stage.ts'

/** The ACA page of an employer that begins to measure hours. Today is 10 March 2026. */
export function acaAtWork(scene: Scene): void {
  const { api } = scene

  /** Presses a tab of the ACA page, and checks that the view has no accessibility violations and fits the window. */
  const show = async (name: string) => {
    const { page } = scene.maya
    await page.getByRole('navigation', { name: 'ACA', exact: true }).getByRole('link', { name }).press('Enter')
    await settled(page)
    expect(await accessibilityViolations(page), name).toEqual([])
    expect(await tooWideAt(page, [390, 1440]), name).toEqual([])
  }

  it('sets a measurement policy, imports hours after a dry run, and shows status, offers and forms', async () => {
    const { page } = scene.maya
    const employer_id = await createEmployer(api, { name: 'Prairie Temps' })
    const hire = { employee_class: 'Temporary', start_date: '2025-11-10', reference_id: 'T-1', last_name: 'Quill' }
    const { id } = await createEmployee(api, employer_id, hire)
    await turnTo(page, `/employers/${employer_id}/aca`)
    await page.getByText('Hours are not measured.').waitFor()
    await page.getByRole('link', { name: 'Set a measurement policy' }).press('Enter')
    await page.getByRole('button', { name: 'Preview' }).press('Enter')
    await page.getByRole('group', { name: 'Measurement periods' }).waitFor()
    await page.getByRole('button', { name: 'Save policy' }).press('Enter')
    await page.getByRole('heading', { name: 'Change policy' }).waitFor()
    await show('Hours')
    const rows = ['2025-12', '2026-01', '2026-02'].map((month) => `T-1,${month}-01,${month}-28,worked,170`)
    const csv = ['reference_id,period_starts_on,period_ends_on,kind,hours', ...rows].join('\n')
    await page
      .getByLabel(/Drop a CSV/)
      .setInputFiles({ name: 'hours.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
    await page.getByText('Nothing has changed yet.').waitFor()
    expect((await api.get(`/v1/employers/${employer_id}/hours`)).body.data).toEqual([])
    await page.getByRole('button', { name: 'Record 3 rows' }).press('Enter')
    await page.getByText('3 rows of hours.csv recorded.').waitFor()
    await api.work()
    await page.reload()
    await show('Status')
    await page.getByText('1 person averages 30 hours or more').waitFor()
    await page.getByRole('link', { name: /Quill/ }).waitFor()
    await show('Offers')
    await page.getByRole('button', { name: 'Derive forms' }).press('Enter')
    await page.getByText('A job derives the forms.').waitFor()
    await api.work()
    await page.reload()
    await show('Offers')
    await page.getByRole('table', { name: 'Offer test by month' }).waitFor()
    await show('Forms')
    await turnTo(page, `/people/${id}`)
    const lane = page.getByRole('group', { name: 'ACA' })
    await lane.getByRole('link', { name: /^Initial measurement/ }).press('Enter')
    await page.getByText('The initial measurement begins').waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
  }, 120_000)
}

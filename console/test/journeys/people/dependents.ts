import { expect, it } from 'vitest'
import { accessibilityViolations } from '../../../../server/test/clients/browser.ts'
import { createEmployee, createEmployer } from '../../../../server/test/fixtures.ts'
import { pick, sure } from '../../../../server/test/pick.ts'
import { pagesOfMember, tooWideAt, turnTo, type Scene } from '../../stage.ts'

/** Dependents: removal, corrections and documents. */
export function dependentsAtWork(scene: Scene): void {
  const { api } = scene

  it('removes a child after showing the cost and the last day to reverse that, and reinstates the child', async () => {
    const { page } = scene.maya
    const key = api.story.api_key
    const { 'end-dependent': path } = await pagesOfMember(api)
    const [employee_id, ada] = [sure(/empl_\w+/.exec(sure(path)))[0], sure(/dep_\w+/.exec(sure(path)))[0]]
    const family = async () => (await api.get(`/v1/employees/${employee_id}/dependents`, { key })).body.data
    const spouse = pick(await family(), ({ relationship }) => relationship === 'spouse')
    await turnTo(page, `/people/${employee_id}`)
    const table = page.getByRole('table', { name: 'Dependents' })
    const rowOf = (name: string) => table.getByRole('row', { name: new RegExp(`^${name}`) })
    await rowOf(spouse.first_name).getByRole('link', { name: 'Remove' }).press('Enter')
    const ending = page.getByRole('group', { name: `Remove ${spouse.first_name}` })
    await ending
      .getByText(
        'Dental: changes from Family to Employee + children on Apr 1, 2026. The employee pays $51.00 instead of',
      )
      .waitFor()
    await page.keyboard.press('Escape')
    await ending.waitFor({ state: 'detached' })
    expect(await page.evaluate('document.activeElement.innerText')).toBe('Remove')

    await rowOf('Ada').getByRole('link', { name: 'Remove' }).press('Enter')
    const confirmation = page.getByRole('group', { name: 'Remove Ada' })
    await confirmation.getByText('Coverage lasts until Mar 31, 2026').waitFor()
    await confirmation
      .getByText('Dental: Family coverage continues without them from Apr 1, 2026, at the same price.')
      .waitFor()
    await confirmation.getByText('You can reverse this until May 9, 2026.').waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    await confirmation.getByRole('button', { name: 'Remove Ada' }).press('Enter')
    await rowOf('Ada').getByText('Ended').waitFor()
    expect(pick(await family(), ({ id }) => id === ada)).toMatchObject({ active: false, covered_until: '2026-03-31' })
    await page.locator('main :focus').waitFor()
    await rowOf('Ada').getByRole('link', { name: 'Ada' }).press('Enter')
    const why = page.getByRole('complementary', { name: 'Why these dates' })
    await why.getByText('can reverse it until May 9, 2026').waitFor()
    await why.getByRole('link', { name: 'Show in the audit log' }).waitFor()

    await rowOf('Ada').getByRole('link', { name: 'Reinstate' }).press('Enter')
    const back = page.getByRole('group', { name: 'Reinstate Ada' })
    await back.getByText('Dental: continues with them after Mar 31, 2026').waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    await back.getByRole('button', { name: 'Reinstate Ada' }).press('Enter')
    await rowOf('Ada').getByText('Active').waitFor()
    expect(pick(await family(), ({ id }) => id === ada)).toMatchObject({ active: true, ended_on: null })
  })

  it('corrects the date of birth of a covered child, which moves the end of coverage', async () => {
    const { page } = scene.maya
    const key = api.story.api_key
    const { 'end-dependent': path } = await pagesOfMember(api)
    const employee_id = sure(/empl_\w+/.exec(sure(path)))[0]
    const family = (await api.get(`/v1/employees/${employee_id}/dependents`, { key })).body.data
    const child = pick(family, ({ relationship, ended_on }) => relationship === 'child' && ended_on === null)
    await turnTo(page, `/people/${employee_id}`)
    const row = page.getByRole('table', { name: 'Dependents' }).getByRole('row', { name: child.first_name })
    await row.getByRole('link', { name: 'Correct' }).press('Enter')
    const form = page.locator('form').filter({ has: page.getByRole('button', { name: 'Save correction' }) })
    await form.getByRole('button', { name: 'Save correction' }).press('Enter')
    await form.getByText('or another field must differ from its current value').first().waitFor()
    await form.getByLabel('Date of birth').fill('2001-02-03')
    expect(await accessibilityViolations(page)).toEqual([])
    await form.getByRole('button', { name: 'Save correction' }).press('Enter')
    await row.getByText(/^Feb.28,.2027$/).waitFor()
    await form.waitFor({ state: 'detached' })
    const after = (await api.get(`/v1/employees/${employee_id}/dependents`, { key })).body.data
    expect(pick(after, ({ id }) => id === child.id).date_of_birth).toBe('2001-02-03')
    await api.patch(`/v1/dependents/${child.id}`, { date_of_birth: child.date_of_birth }, { key })
  })

  it('opens the document of a dependent, rejects it with a reason, and verifies the dependent', async () => {
    const { page } = scene.maya
    const key = api.story.api_key
    const { id } = await createEmployee(api, await createEmployer(api, {}, { key }), {}, { key })
    const child = { relationship: 'child', first_name: 'Ada', last_name: 'Falk', date_of_birth: '2020-03-01' }
    const { data: ada } = (await api.post(`/v1/employees/${id}/dependents`, child, { key })).body
    const certificate = {
      file_name: 'certified-copy-of-the-birth-certificate.pdf',
      content: Buffer.from('%PDF-1.7').toString('base64'),
    }
    await api.post(`/v1/dependents/${ada.id}/attachments`, certificate, { key })
    const verification = async () =>
      sure((await api.get(`/v1/employees/${id}/dependents`, { key })).body.data[0]).verification
    const isAccessible = async () => {
      expect(await tooWideAt(page, [360, 390, 640, 1440])).toEqual([])
      expect(await accessibilityViolations(page)).toEqual([])
      await page.emulateMedia({ colorScheme: 'dark' })
      expect(await accessibilityViolations(page, ['color-contrast'])).toEqual([])
      await page.emulateMedia({ colorScheme: 'light' })
    }
    await page.goto(`${api.url}/console/?show=dependent_verification_pending`)
    const task = page.getByRole('row').filter({ hasText: 'Documents of a dependent to review: child' })
    await task.getByRole('link', { name: 'Review' }).press('Enter')
    const row = page.getByRole('table', { name: 'Dependents' }).getByRole('row', { name: /^Ada/ })
    await row.getByText('Pending').filter({ visible: true }).waitFor()
    const link = row.getByRole('link', { name: certificate.file_name })
    const opened = await fetch(sure(await link.getAttribute('href')))
    expect(await opened.text()).toBe('%PDF-1.7')

    await row.getByRole('link', { name: 'Reject' }).press('Enter')
    await page.getByRole('heading', { name: 'Reject the documents of Ada Falk' }).waitFor()
    await isAccessible()
    await page.getByLabel('Reason').fill('The name is not readable')
    await page.getByRole('button', { name: 'Reject', exact: true }).press('Enter')
    await row.getByText('The name is not readable').filter({ visible: true }).waitFor()
    expect(await verification()).toMatchObject({ status: 'rejected', reason: 'The name is not readable' })
    await row.getByRole('link', { name: 'Reject' }).waitFor({ state: 'detached' })

    const verify = row.getByRole('link', { name: 'Verify' })
    const confirmation = page.getByRole('group', { name: 'Verify Ada' })
    await verify.press('Enter')
    await confirmation.getByText('You can change the decision later.').waitFor()
    await confirmation.getByRole('link', { name: certificate.file_name }).waitFor()
    await page.keyboard.press('Escape')
    await confirmation.waitFor({ state: 'detached' })
    expect(await page.evaluate('document.activeElement.innerText')).toBe('Verify')
    await verify.press('Enter')
    await confirmation.getByRole('button', { name: 'Cancel' }).and(page.locator(':focus')).waitFor()
    await isAccessible()
    await confirmation.getByRole('button', { name: 'Verify Ada' }).press('Enter')
    await row.getByText('Verified').filter({ visible: true }).waitFor()
    expect(await verification()).toMatchObject({ status: 'verified', reason: null })
    await verify.waitFor({ state: 'detached' })
    await row.getByRole('link', { name: 'Reject' }).waitFor()
  })
}

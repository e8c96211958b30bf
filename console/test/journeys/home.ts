import { expect, it } from 'vitest'
import { accessibilityViolations } from '../../../server/test/clients/browser.ts'
import {
  aMember,
  aPerson,
  createEmployee,
  createEmployer,
  createOrganization,
  importCatalog,
  openPlanYear,
} from '../../../server/test/fixtures.ts'
import { sure } from '../../../server/test/pick.ts'
import { settled, tooWideAt, turnTo, userCalled, visitAs, type Scene } from '../stage.ts'

/** The journey through the first page of members. */
export function homeAtWork(scene: Scene): void {
  const { api } = scene

  it('shows a broker the tasks that need her today, and leads to each resource', async () => {
    const { page } = scene.maya
    await turnTo(page, '/')
    const needs = page.getByRole('table', { name: 'Needs your attention' })
    await needs.getByRole('row').filter({ hasText: 'Lost access to the payroll system' }).waitFor()
    const { groups } = (await api.get('/v1/tasks', { key: api.story.api_key })).body
    const total = groups.reduce((sum, group) => sum + group.total, 0)
    await page.getByText(`${total} tasks`).waitFor()

    const lapsing = sure(groups.find(({ kind }) => kind === 'enrollment_lapsing')).total
    const title = `${lapsing} enrollments will end without an election`
    await needs.getByRole('link', { name: `Show: ${title}` }).press('Enter')
    expect(page.url()).toMatch(/\?show=enrollment_lapsing$/)
    const nora = needs.getByRole('row').filter({ hasText: 'Nora Olsen' })
    await nora.getByText('Dental coverage will end without an election').waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    await needs.getByRole('link', { name: `Hide: ${title}` }).press('Enter')
    await nora.waitFor({ state: 'detached' })

    const event = needs.getByRole('row').filter({ hasText: 'Life event: loss of coverage' })
    await event.getByRole('link', { name: 'Review' }).press('Enter')
    await page.getByRole('heading', { name: 'Farid Rahimi' }).waitFor()
    await page.goBack()
    const windows = page.getByRole('table', { name: 'Open enrollment' })
    await windows
      .getByRole('row')
      .filter({ hasText: 'Granite Freight' })
      .getByRole('link', { name: /people$/ })
      .press('Enter')
    await page.getByRole('heading', { name: 'Granite Freight' }).waitFor()
    expect(page.url()).toMatch(/\/enrollment\?year=plyr_\w+&status=not_started&status=in_progress$/)
    await turnTo(page, '/')
    await page.getByText(/^\$[\d,.]+ overdue$/).waitFor()
    await page.getByText('Show as a table').press('Enter')
    const months = page.getByRole('table', { name: 'The last twelve months' })
    await months.getByRole('row').filter({ hasText: 'March 2026' }).getByText('%').waitFor()
    await expect.poll(() => months.getByRole('row').count()).toBe(13)
    expect(await accessibilityViolations(page)).toEqual([])
    await page.getByRole('link', { name: 'See in Money' }).press('Enter')
    await page.getByRole('heading', { name: 'Money' }).waitFor()
    expect(page.url()).toMatch(/\?status=overdue$/)
  })

  it('shows the owner of each employer in the list, and filters tasks by the employers of one owner', async () => {
    const { page } = scene.maya
    const { id } = sure((await api.get('/v1/employers?search=Granite')).body.data[0])
    await turnTo(page, `/employers/${id}/settings?show=details`)
    await page.getByLabel('Owner').selectOption('Maya Okafor')
    await page.getByRole('button', { name: 'Save details' }).press('Enter')
    await expect.poll(async () => (await api.get(`/v1/employers/${id}`)).body.data.owner?.name).toBe('Maya Okafor')
    expect(await accessibilityViolations(page)).toEqual([])

    await turnTo(page, '/employers')
    await page.locator('summary').filter({ hasText: 'Owner' }).press('Enter')
    await page
      .getByRole('group', { name: 'Owner' })
      .getByLabel(/^Maya Okafor/)
      .press('Space')
    const employers = page.getByRole('table', { name: 'Employers' })
    await expect.poll(() => employers.getByRole('rowheader').allInnerTexts()).toEqual(['Granite Freight'])
    expect(page.url()).toMatch(/\?owner=usr_\w+$/)

    await turnTo(page, '/')
    const needs = page.getByRole('table', { name: 'Needs your attention' })
    const lost = needs.getByRole('row').filter({ hasText: 'Lost access to the payroll system' })
    await lost.waitFor()
    await page.locator('summary').filter({ hasText: 'Owner' }).press('Enter')
    await page.getByRole('group', { name: 'Owner' }).getByLabel('Me').press('Space')
    await lost.waitFor({ state: 'detached' })
    await page
      .getByRole('table', { name: 'Open enrollment' })
      .getByRole('row', { name: /^Granite Freight/ })
      .waitFor()
    await page
      .getByRole('row', { name: /Granite Freight.*Maya Okafor/ })
      .first()
      .waitFor()
    expect(page.url()).toMatch(/\?owner=usr_\w+$/)
    expect(await accessibilityViolations(page)).toEqual([])
    await api.put(`/v1/employers/${id}`, { owner_user_id: null })
  })

  it.each([1440, 390])('verifies dependents together, with 10 seconds to undo, at a width of %s px', async (width) => {
    const key = api.story.api_key
    const employer_id = await createEmployer(api, {}, { key })
    const [ids, employees]: [string[], string[]] = [[], []]
    for (const first_name of ['Ada', 'Bea', 'Cy']) {
      const { id } = await createEmployee(api, employer_id, {}, { key })
      const child = { relationship: 'child', first_name, last_name: 'Falk', date_of_birth: '2020-03-01' }
      const { data } = (await api.post(`/v1/employees/${id}/dependents`, child, { key })).body
      const file = { file_name: `${first_name}.pdf`, content: Buffer.from('%PDF-1.7').toString('base64') }
      await api.post(`/v1/dependents/${data.id}/attachments`, file, { key })
      ids.push(data.id)
      employees.push(id)
    }
    const verifications = async () => {
      const read = (id: string) => api.get(`/v1/employees/${id}/dependents`, { key })
      return (await Promise.all(employees.map(read))).map(({ body }) => sure(body.data[0]).verification.status)
    }
    const { page, complaints, close } = await visitAs(scene.browser, api, await userCalled(api, 'Maya Okafor'), {
      viewport: { width, height: 844 },
    })
    await page.getByRole('link', { name: 'Verify dependents together' }).press('Enter')
    await page.getByRole('group', { name: 'Verify 3' }).getByRole('checkbox').last().press('Space')
    const confirmation = page.getByRole('group', { name: 'Verify 2' })
    await settled(page)
    expect(await accessibilityViolations(page)).toEqual([])
    expect(await tooWideAt(page, [width])).toEqual([])
    await scene.draw?.(page, `verify-together-${width}`)
    await confirmation.getByRole('button', { name: 'Verify 2' }).press('Enter')
    const toast = page.getByRole('status').filter({ hasText: 'Verifying 2 dependents' })
    await scene.draw?.(page, `verify-toast-${width}`)
    await toast.getByRole('button', { name: 'Undo' }).press('Enter')
    await toast.waitFor({ state: 'detached' })
    expect(await verifications()).toEqual(['pending', 'pending', 'pending'])

    await page.getByRole('link', { name: 'Verify dependents together' }).press('Enter')
    await page.getByRole('group', { name: 'Verify 3' }).getByRole('checkbox').last().press('Space')
    await confirmation.getByRole('button', { name: 'Verify 2' }).press('Enter')
    await toast.getByRole('button', { name: 'Verify now' }).press('Enter')
    await expect.poll(async () => (await verifications()).filter((status) => status === 'verified').length).toBe(2)
    // The last one is verified in its own row.
    const row = page.getByRole('row').filter({ hasText: 'Documents of a dependent to review' })
    await row.getByRole('button', { name: 'Verify' }).press('Enter')
    await row.getByRole('button', { name: 'Undo' }).press('Enter')
    await row.getByRole('button', { name: 'Verify' }).waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    expect(complaints).toEqual([])
    await close()
    for (const id of ids) await api.put(`/v1/dependents/${id}/verification`, { status: 'verified' }, { key })
  })

  it('shows only the employer to the HR team of a single employer, from the first file to a renewal', async () => {
    const { id, key } = await createOrganization(api)
    const { user_id } = await aMember(api, id, 'ADMIN')
    const visit = await visitAs(scene.browser, api, user_id)
    const { page } = visit
    await page.getByRole('link', { name: 'Add your first employer' }).waitFor()
    expect(await accessibilityViolations(page)).toEqual([])

    const employer_id = await createEmployer(api, { name: 'Larkspur Books' }, { key })
    await page.reload()
    await page.getByText('Set up Larkspur Books: 1 of 8').waitFor()
    await page.getByRole('link', { name: 'Continue' }).waitFor()
    await page.getByRole('link', { name: 'Larkspur Books' }).waitFor()

    const catalog = await importCatalog(api, [], id)
    await openPlanYear(api, employer_id, catalog, { coverage_start: '2025-06-01', coverage_end: '2026-05-31' })
    const employees = [aPerson(), aPerson({ date_of_birth: '2020-01-01' })]
    await api.post(`/v1/employers/${employer_id}/census-sync`, { employees }, { key })
    await api.work()
    await page.reload()
    await page.getByText('2 tasks').waitFor()
    const renewals = page.getByRole('table', { name: 'Renewals in the next 120 days' })
    const renewal = renewals.getByRole('row').filter({ hasText: 'Jun 1, 2025 – May 31, 2026' })
    await renewal.getByText('in 82 days').waitFor()
    await settled(page)
    await expect.poll(() => page.getByRole('columnheader', { name: 'Employer' }).count()).toBe(0)
    expect(await accessibilityViolations(page)).toEqual([])
    const needs = page.getByRole('table', { name: 'Needs your attention' })
    await needs.getByText('Census with 1 failed row').waitFor()
    await needs.getByRole('link', { name: 'See rows' }).press('Enter')
    await page.getByText('2 of 2 rows done').waitFor()
    expect(visit.complaints).toEqual([])
    await visit.close()
  })
}

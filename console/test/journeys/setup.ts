import { expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { accessibilityViolations } from '../../../server/test/clients/browser.ts'
import {
  aMember,
  anEmployer,
  aPerson,
  createEmployer,
  createLiveOrganization,
  createOrganization,
  importCatalog,
} from '../../../server/test/fixtures.ts'
import { first, sure } from '../../../server/test/pick.ts'
import { settled, tooWideAt, turnTo, userCalled, visitAs, type Scene } from '../stage.ts'

/** Fills the fields of a form by their labels, and sends it. */
async function fill(page: Page, values: Record<string, string>, button: string): Promise<void> {
  for (const [label, value] of Object.entries(values)) await page.getByLabel(label, { exact: true }).fill(value)
  await page.getByRole('button', { name: button }).press('Enter')
}

/** Opens a step of the checklist. */
const start = (page: Page, step: string) => page.getByRole('link', { name: `: ${step}` }).press('Enter')

const doneIn = (page: Page, count: number) => page.getByText(`${count} of 8 steps are done`).waitFor()

/** Journeys of new employers. */
export function setupAtWork(scene: Scene): void {
  const { api } = scene

  it.each([1440, 390])(
    'leads from a new employer to its first coverage without a dead end at a width of %s px',
    async (width) => {
      const { id, key } = await createOrganization(api)
      await importCatalog(api, [], id)
      const { user_id } = await aMember(api, id, 'ADMIN')
      const viewport = { width, height: 844 }
      const visit = await visitAs(scene.browser, api, user_id, { viewport })
      const { page } = visit
      const inspect = async (name: string) => {
        await settled(page)
        await scene.draw?.(page, `setup-${name}-${width}`)
        expect(await accessibilityViolations(page), name).toEqual([])
        expect(await tooWideAt(page), name).toEqual([])
      }
      await page.getByRole('link', { name: 'Add your first employer' }).press('Enter')
      const company = anEmployer({ name: `Juniper Home ${width}` })
      await fill(
        page,
        {
          Name: company.name,
          'Legal name': company.legal_name,
          EIN: company.ein,
          Email: company.email,
          'Street address': company.address.address_line_1,
          City: company.address.city,
          State: company.address.state,
          'ZIP code': company.address.zipcode,
        },
        'Add employer',
      )
      await doneIn(page, 1)
      await inspect('new')
      const employer_id = sure(page.url().split('/').at(-1))

      await start(page, 'Eligibility')
      await page.getByRole('button', { name: 'Continue' }).press('Enter')
      await inspect('eligibility')
      await page.getByRole('button', { name: 'Add policy' }).press('Enter')
      await doneIn(page, 2)
      await start(page, 'Payroll calendar')
      await page.getByRole('button', { name: 'Save settings' }).press('Enter')
      await doneIn(page, 3)
      await start(page, 'Contacts')
      await page.getByText('No name yet').waitFor()
      await fill(page, { Name: 'Ada Lindgren', Email: company.email }, 'Save contact')
      await doneIn(page, 4)
      await inspect('contacts')
      await start(page, 'Invitations')
      await page.getByRole('checkbox', { name: 'Invitation when a window opens' }).press('Space')
      await page.getByRole('button', { name: 'Save messages' }).press('Enter')
      await doneIn(page, 5)
      await start(page, 'Plan year')
      await page.getByRole('checkbox').first().press('Space')
      await inspect('request')
      await fill(page, { 'Coverage starts': '2026-03-01', 'Message (optional)': 'As agreed' }, 'Request a plan year')
      await page.getByText('Requested. The operator creates it.').waitFor()
      await inspect('requested')
      await start(page, 'Employees')
      await page.getByRole('link', { name: 'Upload a roster' }).press('Enter')
      await page.getByRole('heading', { name: 'Upload a roster' }).waitFor()
      // The journeys of censuses upload the file.
      await api.post(`/v1/employers/${employer_id}/census-sync`, { employees: [aPerson()] }, { key })
      await api.work()
      await turnTo(page, '/')
      await page.reload()
      await page.getByText(`Set up ${company.name}: 6 of 8`).waitFor()
      await inspect('today')

      const olive = await visitAs(scene.browser, api, await userCalled(api, 'Olive Marsh'), { viewport })
      await turnTo(olive.page, `/partners/employers/${employer_id}`)
      await olive.page.getByText('The partner requested a plan year.').waitFor()
      await start(olive.page, 'Plan year')
      await olive.page.getByText('As agreed').waitFor()
      expect(await accessibilityViolations(olive.page)).toEqual([])
      await scene.draw?.(olive.page, `setup-operator-${width}`)
      await turnTo(olive.page, '/today')
      const task = olive.page
        .getByRole('row')
        .filter({ hasText: company.name })
        .filter({ hasText: 'Plan year requested' })
      await task.getByRole('link', { name: 'Build' }).press('Enter')
      await expect.poll(() => olive.page.getByLabel('Coverage starts').inputValue()).toBe('2026-03-01')
      await olive.page.getByRole('button', { name: /^Open for / }).press('Enter')
      await olive.page.getByRole('table', { name: 'Plan years' }).getByText('Active').waitFor()
      expect(olive.complaints).toEqual([])
      await olive.close()

      await api.work()
      await page.getByRole('link', { name: 'Continue' }).waitFor()
      await page.reload()
      await page.getByText('Nothing needs your attention today.').waitFor()
      await turnTo(page, `/employers/${employer_id}`)
      await page.getByText('eligible people enrolled').first().waitFor()
      await expect.poll(() => page.getByText('steps are done').count()).toBe(0)
      const person = first((await api.get(`/v1/employers/${employer_id}/employees`, { key })).body.data)
      const enrollment = first((await api.get(`/v1/employees/${person.id}/enrollments`, { key })).body.data)
      const [plan] = (await api.get(`/v1/enrollments/${enrollment.id}`, { key })).body.data.plans
      const elect = { plan_id: sure(plan).id, coverage_tier: 'EE' }
      expect((await api.post(`/v1/enrollments/${enrollment.id}/elect`, elect, { key })).status).toBe(200)
      await turnTo(page, `/people/${person.id}`)
      await page.getByText('Enrolled').first().waitFor()
      expect(visit.complaints).toEqual([])
      await visit.close()
    },
  )

  it('lets the operator start the subscription that a new employer waits for', async () => {
    const { key } = await createLiveOrganization(api, 'Saltmarsh Advisors')
    const employer_id = await createEmployer(api, { name: 'Heron Optics' }, { key })
    const olive = await visitAs(scene.browser, api, await userCalled(api, 'Olive Marsh'))
    const { page } = olive
    await turnTo(page, `/partners/employers/${employer_id}`)
    await page.getByText('Start the subscription.').first().waitFor()
    await start(page, 'Go-live')
    await fill(page, { 'Subscription starts': '2026-03-01' }, 'Start subscription')
    await page.getByText('Begins with the plan year.').waitFor()
    await page.getByText('The partner completes this step.').first().waitFor()
    expect((await api.get(`/v1/employers/${employer_id}/setup`, { key })).body.data.is_subscribed).toBe(true)
    expect(olive.complaints).toEqual([])
    await olive.close()
  })
}

import { expect, it } from 'vitest'
import { accessibilityViolations } from '../../../server/test/clients/browser.ts'
import { sure } from '../../../server/test/pick.ts'
import { settled, tooWideAt, turnTo, userCalled, visitAs, type Scene } from '../stage.ts'

/** Journeys through the agreements that employees sign, and through the beneficiaries of a person. */
export function agreementsAtWork(scene: Scene): void {
  const { api } = scene
  const key = () => api.story.api_key

  const visit = async (width: number) => {
    const viewport = { width, height: 844 }
    const maya = await visitAs(scene.browser, api, await userCalled(api, 'Maya Okafor'), { viewport })
    const calm = async (name: string) => {
      await settled(maya.page)
      expect(await accessibilityViolations(maya.page), name).toEqual([])
      expect(await tooWideAt(maya.page), name).toEqual([])
      await scene.draw?.(maya.page, `${name}-${width}`)
    }
    return { ...maya, calm }
  }
  const employerCalled = async (name: string) =>
    sure((await api.get(`/v1/employers?search=${name}`, { key: key() })).body.data[0]).id

  it.each([1440, 390])(
    'previews and publishes an agreement of the organization and one of a plan year, at a width of %s px',
    async (width) => {
      const { page, calm, complaints, close } = await visit(width)
      await turnTo(page, '/settings/agreements')
      await page.getByRole('link', { name: 'Default text' }).press('Enter')
      await page
        .getByText(/I authorize my employer/)
        .first()
        .waitFor()
      await calm('agreement')
      await page.getByRole('link', { name: 'New version' }).press('Enter')
      const english = page.getByRole('textbox', { name: 'English text' })
      await english.fill('')
      await page.getByRole('button', { name: 'Preview' }).press('Enter')
      await page.getByRole('alert').getByText('is required').waitFor()
      await english.fill(`I agree, ${width}.\n\nI read everything.`)
      await calm('agreement-form')
      await page.getByRole('button', { name: 'Preview' }).press('Enter')
      const preview = page.getByRole('group', { name: 'Publish version' })
      await preview.getByText('for all plan years without their own text').waitFor()
      await preview.getByText('I read everything.').waitFor()
      await calm('agreement-preview')
      await preview.getByRole('button', { name: 'Publish version' }).press('Enter')
      const add = page.getByRole('link', { name: 'New version' })
      await add.waitFor()
      const texts = async () => (await api.get('/v1/enrollment-agreements', { key: key() })).body.data
      const published = `I agree, ${width}.\n\nI read everything.`
      expect((await texts()).find(({ text_en }) => text_en === published)?.plan_year).toBeNull()

      const ofYears = async () => (await texts()).flatMap(({ plan_year }) => plan_year?.employer_name ?? [])
      const before = await ofYears()
      const employer_id = await employerCalled('Granite')
      const years = (await api.get(`/v1/employers/${employer_id}/benefit-plan-years`, { key: key() })).body.data
      await turnTo(page, `/employers/${employer_id}/plan-years/${sure(years[0]).id}`)
      await page.getByRole('link', { name: 'Write a text for this plan year' }).press('Enter')
      await page.getByText(/^For the plan year .+ of Granite Freight\.$/).waitFor()
      await page.getByRole('button', { name: 'Preview' }).press('Enter')
      await preview.getByRole('button', { name: 'Publish version' }).press('Enter')
      await add.waitFor()
      await expect.poll(() => page.getByRole('row').filter({ hasText: 'Current' }).count()).toBe(2)
      expect(await ofYears()).toEqual([...before, 'Granite Freight'])
      await calm('agreements')
      expect(complaints).toEqual([])
      await close()
    },
  )

  it.each([1440, 390])(
    'designates the beneficiaries of a person, whose shares add up to 100 percent, at a width of %s px',
    async (width) => {
      const { page, calm, complaints, close } = await visit(width)
      const { data: people } = (await api.get('/v1/members?search=nora olsen', { key: key() })).body
      const employee_id = sure(sure(people[0]).employments[0]).employee_id
      const { data } = (await api.get(`/v1/employees/${employee_id}/enrollments`, { key: key() })).body
      const dental = sure(data.find(({ benefit, status }) => benefit.name === 'Dental' && status !== 'inactive'))
      const path = `/operator/v1/organizations/${api.story.organization_id}/benefits/${dental.benefit.id}` as const
      await api.patch(path, { takes_beneficiaries: true }, { key: api.operator_key })
      await turnTo(page, `/people/${employee_id}`)
      await page.getByRole('link', { name: /^(Designate|Change) the beneficiaries of Dental$/ }).press('Enter')
      const first = page.getByRole('group', { name: 'Beneficiary 1' })
      await first.getByLabel('Name').fill('Sam Costa')
      await first.getByLabel('Share in percent').fill('60')
      await page.getByRole('button', { name: 'Save beneficiaries' }).press('Enter')
      await page.getByRole('alert').getByText('must add up to 100 percent').waitFor()
      await page.getByRole('button', { name: 'Add beneficiary' }).press('Enter')
      const second = page.getByRole('group', { name: 'Beneficiary 2' })
      await second.getByLabel('Type').selectOption('Trust')
      await second.getByLabel('Name').fill('Costa Family Trust')
      await second.getByLabel('Share in percent').fill('40')
      await page.getByText('Primary: 100 of 100%').waitFor()
      await calm('beneficiaries-form')
      await page.getByRole('button', { name: 'Save beneficiaries' }).press('Enter')
      await page.getByText('Sam Costa (spouse), 60% · Costa Family Trust, 40%').waitFor()
      await page.getByText(/^Designated on .+ by your organization$/).waitFor()
      await page.getByRole('link', { name: 'Change the beneficiaries of Dental' }).press('Enter')
      await page.getByText('History', { exact: true }).press('Enter')
      await page.getByText('Sam Costa (spouse), 60% · Costa Family Trust, 40%').first().waitFor()
      await calm('beneficiaries')
      await api.put(`/v1/employees/${employee_id}/beneficiaries/${dental.benefit.id}`, { beneficiaries: [] })
      await api.patch(path, { takes_beneficiaries: false }, { key: api.operator_key })
      expect(complaints).toEqual([])
      await close()
    },
  )
}

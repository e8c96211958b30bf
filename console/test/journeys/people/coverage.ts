import { expect, it } from 'vitest'
import { accessibilityViolations } from '../../../../server/test/clients/browser.ts'
import { createEmployee, createEmployer } from '../../../../server/test/fixtures.ts'
import { sure } from '../../../../server/test/pick.ts'
import { turnTo, type Scene } from '../../stage.ts'

/** The coverage of people and its dates, with their reasons. */
export function coverageAtWork(scene: Scene): void {
  const { api } = scene

  it('explains in three steps from the palette why a person is not covered', async () => {
    const { page } = scene.maya
    await turnTo(page, '/groups')
    // Letters typed before the palette appears are not lost.
    await page.keyboard.press('Control+k')
    await page.keyboard.type('nora olsen')
    await page.getByRole('option', { name: /Nora Olsen/ }).waitFor()
    await expect.poll(() => page.getByRole('combobox', { name: 'Find' }).inputValue()).toBe('nora olsen')
    await page.keyboard.press('Enter')
    const care = page.getByRole('listitem').filter({ hasText: 'Essential Care' }).filter({ hasText: 'Not covered' })
    await care.getByText('No election before the window closed.').waitFor()
    await care.getByRole('link', { name: 'Essential Care: why?' }).press('Enter')
    const why = page.getByRole('complementary', { name: 'Why these dates' })
    await why.getByRole('heading', { name: 'Why Essential Care has these dates' }).waitFor()
    await why.getByText('Coverage would start').waitFor()
    await why.getByText('No election, and no enrollment window is open.').waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
  })

  it('finds a dependent in the palette and explains for each benefit whether she is covered', async () => {
    const { page } = scene.maya
    await turnTo(page, '/groups')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('lina had')
    await page.getByRole('option', { name: /^Lina Haddad Child of Noor Haddad, Granite Freight/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Noor Haddad' }).waitFor()
    await page.getByRole('heading', { name: 'Coverage of Lina Haddad' }).waitFor()
    expect(new URL(page.url()).search).toMatch(/why=dep_/)
    const coverage = page.getByRole('list', { name: /^Coverage of Lina on / })
    await coverage.getByText('Lina is named in the election of Lone Star Silver').waitFor()
    await coverage.getByText('The employee has not elected this benefit.').first().waitFor()
    expect(await coverage.getByRole('listitem').locator('.status').allInnerTexts()).toContain('Not covered')
    expect(await accessibilityViolations(page)).toEqual([])
  })

  it('promises no coverage to employees who are no longer eligible or live in another state', async () => {
    const { page } = scene.maya
    const key = api.story.api_key
    const bakery = sure((await api.get('/v1/employers?search=Sunrise', { key })).body.data[0]).id
    for (const [name, reason] of [
      ['Castillo', /^Not eligible since /],
      ['Kavya', 'The plan year is not offered in Vermont, where the employee lives.'],
    ] as const) {
      const { data } = (await api.get(`/v1/employers/${bakery}/employees?search=${name}`, { key })).body
      await turnTo(page, `/people/${sure(data[0]).id}`)
      const vision = page.getByRole('listitem').filter({ hasText: 'Vision' }).filter({ hasText: 'Not covered' })
      await vision.getByText(reason).waitFor()
      await expect.poll(() => page.getByText('Coverage can start').count()).toBe(0)
      if (name === 'Castillo') continue
      await page.getByText('5 Maple St, Bennington, VT 05201').waitFor()
      // Without coverage, no invoice has a line of the person.
      await expect.poll(() => page.getByRole('heading', { name: 'Invoices of the employer' }).count()).toBe(0)
      await page.getByRole('link', { name: 'Vision: why?' }).press('Enter')
      const why = page.getByRole('complementary', { name: 'Why these dates' })
      await why.getByText('Eligible from this day').waitFor()
      await why.getByRole('listitem').filter({ hasText: 'Vision' }).getByText(reason).waitFor()
    }
    await turnTo(page, `/employers/${bakery}/roster`)
    await page.getByRole('row').filter({ hasText: 'Luis Ortega' }).getByText('2 enrolled, 1 unanswered').waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
  })

  it('states that the amount deducted by payroll covers only reported pay periods', async () => {
    const { page } = scene.maya
    const key = api.story.api_key
    const note = page.getByText('Deducted by payroll covers only the pay periods that payroll has reported.')
    for (const [employer, name, has_report] of [
      ['Kettle', 'Femi', true],
      ['Maple', 'Rosa', false],
    ] as const) {
      const { id } = sure((await api.get(`/v1/employers?search=${employer}`, { key })).body.data[0])
      const { data } = (await api.get(`/v1/employers/${id}/employees?search=${name}`, { key })).body
      await turnTo(page, `/people/${sure(data[0]).id}`)
      await page.getByRole('table', { name: 'Deductions' }).waitFor()
      await expect.poll(() => note.count()).toBe(has_report ? 1 : 0)
    }
  })

  it('shows the coverage of a person as of a day in the previous plan year', async () => {
    const { page } = scene.maya
    const key = api.story.api_key
    const bakery = sure((await api.get('/v1/employers?search=Sunrise', { key })).body.data[0]).id
    const amara = sure((await api.get(`/v1/employers/${bakery}/employees?search=nwosu`, { key })).body.data[0])
    await turnTo(page, `/people/${amara.id}?as_of=2025-10-01`)
    const listed = page.getByRole('list', { name: /^On Oct.1,.2025$/ }).getByRole('listitem')
    const dental = listed.filter({ hasText: 'Dental' })
    await dental.getByText(/^Brightside PPO, Family, Dec.1,.2024 to Nov.30,.2025\.$/).waitFor()
    await dental.getByText('Covered', { exact: true }).waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    // The end of the current plan year is known on its last day.
    for (const [day, days] of [
      ['2026-11-29', /^Brightside PPO, Family, since Dec.1,.2025\.$/],
      ['2026-11-30', /^Brightside PPO, Family, Dec.1,.2025 to Nov.30,.2026\.$/],
    ] as const) {
      await turnTo(page, `/people/${amara.id}?as_of=${day}`)
      await page.getByRole('listitem').filter({ hasText: 'Dental' }).getByText(days).waitFor()
    }
  })

  it('shows the plan before a change, linked from the timeline', async () => {
    const { page } = scene.maya
    const key = api.story.api_key
    const cafe = sure((await api.get('/v1/employers?search=Kettle', { key })).body.data[0]).id
    const people = (await api.get(`/v1/employers/${cafe}/employees?limit=100`, { key })).body.data
    const enrollments = await Promise.all(
      people.map(async ({ id }) => (await api.get(`/v1/employees/${id}/enrollments`, { key })).body.data),
    )
    const changed = sure(enrollments.flat().find(({ elected_from, plan }) => elected_from && plan))
    await turnTo(page, `/people/${changed.employee_id}`)
    const covered = page.getByRole('list', { name: /^On / }).getByRole('listitem')
    await covered.filter({ hasText: 'Changed on' }).waitFor()
    const lane = page.getByRole('group', { name: 'Timeline' }).getByRole('group', { name: changed.benefit.name })
    await lane.getByRole('link', { name: /^Before a change/ }).press('Enter')
    const listed = covered.filter({ hasText: changed.benefit.name }).first()
    await listed.getByText(/From .*: (the employee pays|\S)/).waitFor()
    expect(new URL(page.url()).searchParams.get('as_of')! < changed.elected_from!).toBe(true)
    const happened = page.getByRole('complementary', { name: 'Why these dates' }).getByRole('list').last()
    await happened.getByText(changed.plan!.name).first().waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
  })

  it('explains the dates of every span of a person', async () => {
    const { page } = scene.maya
    const key = api.story.api_key
    const employer_id = await createEmployer(api, {}, { key })
    const { id } = await createEmployee(api, employer_id, {}, { key })
    const born = { relationship: 'child', first_name: 'Ada', last_name: 'Falk', date_of_birth: '2026-03-01' }
    const listed = { type: 'birth', occurred_on: '2026-03-01' }
    await api.put(`/v1/employees/${id}/wage`, { monthly_wage_in_cents: 420_000, effective_on: '2026-03-01' }, { key })
    for (const first_name of ['Ada', 'Bo'])
      await api.post(`/v1/employees/${id}/dependents`, { ...born, first_name }, { key })
    await api.post(`/v1/employees/${id}/qualifying-life-events`, listed, { key })
    await turnTo(page, `/people/${id}`)
    const line = page.getByRole('group', { name: 'Timeline' })
    const why = page.getByRole('complementary', { name: 'Why these dates' })
    for (const [lane, meaning] of [
      ['Dependents', 'The end of the month of the 26th birthday.'],
      ['Life events', 'Within the 60 days allowed.'],
      ['Pay', '$4,200.00 a month'],
    ] as const) {
      await line.getByRole('group', { name: lane }).getByRole('link').first().press('Enter')
      await why.getByText(meaning).waitFor()
    }
    // Twins have the same dates, and their spans do not overlap.
    const twins = line.getByRole('group', { name: 'Dependents' }).getByRole('link')
    const [ada, bo] = await twins.evaluateAll((links) => links.map((link: any) => link.getBoundingClientRect()))
    expect(bo!.top).toBeGreaterThanOrEqual(ada!.bottom)
    expect(await line.getByText('Why these dates?').count()).toBe(await line.getByRole('link').count())
    expect(await accessibilityViolations(page)).toEqual([])
    await page.getByRole('table', { name: 'Life events' }).getByRole('link', { name: 'Birth' }).press('Enter')
    await why.getByText('Within the 60 days allowed.').waitFor()
    expect(new URL(page.url()).searchParams.get('why')).toMatch(/^qle_/)
    // Resolve the life event, so that it is not an open task in later journeys.
    const reported = (await api.get(`/v1/employees/${id}/qualifying-life-events`, { key })).body.data
    const path = `/operator/v1/qualifying-life-events/${sure(reported[0]).id}/decline` as const
    await api.post(path, { reason: 'Reported twice' }, { key: api.operator_key })
  })
}

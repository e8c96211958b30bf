import { expect, it } from 'vitest'
import { accessibilityViolations } from '../../../server/test/clients/browser.ts'
import { addPolicy, createEmployee, createEmployer } from '../../../server/test/fixtures.ts'
import { only, pick } from '../../../server/test/pick.ts'
import { type Scene, settled, tooWideAt, turnTo, userCalled, visitAs } from '../stage.ts'

const forms_of_small_employers = '1095-B, for a smaller employer with a self-insured plan or an ICHRA'

/** The ACA page of an employer that begins to measure hours. Today is March 10, 2026. */
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
    await page.getByLabel('Policy for').selectOption('New policy')
    await page.getByLabel('Bargaining unit').fill('Local 12')
    await page.getByRole('button', { name: 'Preview' }).press('Enter')
    await page.getByRole('button', { name: 'Save policy' }).press('Enter')
    await page.getByLabel('Policy for').selectOption('Local 12')
    await page.getByRole('button', { name: 'Remove policy' }).press('Enter')
    await page.getByText('measured by the next policy').waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Remove policy' }).press('Enter')
    await page.getByRole('option', { name: 'Local 12' }).waitFor({ state: 'detached' })
    await show('Hours')
    const wrong = 'reference_id,period_starts_on,period_ends_on,kind,hours\nT-1,2025-12-01,2025-12-28,regular,170'
    await page
      .getByLabel(/Drop a CSV/)
      .setInputFiles({ name: 'wrong.csv', mimeType: 'text/csv', buffer: Buffer.from(wrong) })
    await page
      .getByRole('alert')
      .getByText(/^Line 2 kind must be one of/)
      .waitFor()
    const rows = ['2025-12', '2026-01', '2026-02'].map((month) => `T-1,${month}-01,${month}-28,worked,170`)
    const csv = ['reference_id,period_starts_on,period_ends_on,kind,hours', ...rows].join('\n')
    await page
      .getByLabel(/Drop a CSV/)
      .setInputFiles({ name: 'hours.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
    await page.getByText('Nothing has changed yet.').waitFor()
    expect((await api.get(`/v1/employers/${employer_id}/hours`)).body.data).toEqual([])
    await page.getByRole('button', { name: 'Record 3 rows' }).press('Enter')
    await page.getByText('3 rows of hours.csv recorded.').waitFor()
    const unknown = {
      reference_id: 'T-9',
      period_starts_on: '2026-03-01',
      period_ends_on: '2026-03-07',
      kind: 'worked',
    }
    await api.post(`/v1/employers/${employer_id}/hours`, { rows: [{ ...unknown, hours: 8 }] })
    await page.reload()
    await page.getByRole('listitem').filter({ hasText: 'T-9reference_id is not an employee of the employer' }).waitFor()
    await show('Hours')
    await api.work()
    await page.reload()
    await show('Status')
    await page.getByText('1 person averages 30 hours or more').waitFor()
    await page.getByRole('link', { name: /Quill/ }).press('Enter')
    await page
      .getByRole('complementary', { name: 'Why these dates' })
      .getByText(/a week on average/)
      .waitFor()
    await turnTo(page, `/employers/${employer_id}/aca`)
    await show('Offers')
    await page.getByRole('button', { name: 'Derive forms' }).press('Enter')
    await page.getByText('A job derives the forms.').waitFor()
    await api.work()
    await page.reload()
    await show('Offers')
    await page.getByRole('table', { name: 'Offer test by month' }).waitFor()
    await show('Forms')
    await page.getByRole('heading', { name: 'Tax forms for 2025' }).waitFor()
    await turnTo(page, `/people/${id}`)
    const lane = page.getByRole('group', { name: 'ACA' })
    await lane.getByRole('link', { name: /^Initial measurement/ }).press('Enter')
    await page.getByText('The initial measurement begins').waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
  })

  it('shows whose status an import of hours changes, and links to the people without reported hours', async () => {
    const { page } = scene.maya
    const employer_id = await createEmployer(api, { name: 'Juniper Packing' })
    const hire = { employee_class: 'Part Time', start_date: '2024-06-03' }
    const { id } = await createEmployee(api, employer_id, { ...hire, reference_id: 'J-1', last_name: 'Adler' })
    await createEmployee(api, employer_id, { ...hire, reference_id: 'J-2', last_name: 'Vale' })
    const policies = [{ method: 'look_back', standard_starts_on: '2024-10-15' }]
    await api.put(`/v1/employers/${employer_id}/measurement-policies`, { policies })
    await turnTo(page, `/employers/${employer_id}/aca?show=hours`)
    const month = (at: number) => new Date(Date.UTC(2024, 6 + at)).toISOString().slice(0, 7)
    const rows = Array.from({ length: 20 }, (_, at) => `J-1,${month(at)}-01,${month(at)}-28,worked,180`)
    const csv = ['reference_id,period_starts_on,period_ends_on,kind,hours', ...rows].join('\n')
    await page
      .getByLabel(/Drop a CSV/)
      .setInputFiles({ name: 'hours.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
    const changes = page.getByRole('list', { name: 'Status changes' }).getByRole('listitem')
    await changes.filter({ hasText: 'Adler' }).getByText('Not full-time').waitFor()
    await expect.poll(() => changes.count()).toBe(1)
    expect(await accessibilityViolations(page)).toEqual([])
    expect(await tooWideAt(page, [390, 1440])).toEqual([])
    await page.getByRole('button', { name: 'Record 20 rows' }).press('Enter')
    await page.getByText('20 rows of hours.csv recorded.').waitFor()
    await api.work()
    expect((await api.get(`/v1/employees/${id}/aca-status`)).body.data.is_full_time).toBe(true)
    await api.post(`/v1/employers/${employer_id}/forms-1095c/derive`, { tax_year: 2025 })
    await api.work()
    await turnTo(page, `/employers/${employer_id}/aca?show=filing&year=2025`)
    await page.getByRole('link', { name: '1 person counts' }).press('Enter')
    const chosen = page.getByRole('option', { name: 'No hours reported in months of 2025', selected: true })
    await chosen.waitFor({ state: 'attached' })
    const people = page.getByRole('table', { name: 'Full-time status' })
    await people.getByRole('link', { name: /Vale/ }).waitFor()
    await settled(page)
    await expect.poll(() => people.getByRole('link').count()).toBe(1)
  })

  it('overrides cells of a form with a reason, downloads its PDF, and removes the override', async () => {
    const { page } = scene.maya
    const employer_id = await createEmployer(api, { name: 'Delta Home Care' })
    const hire = { start_date: '2025-06-02', last_name: 'Reyes', compensation_type: 'Hourly' }
    const { id } = await createEmployee(api, employer_id, hire)
    const rows = [
      { employee_id: id, period_starts_on: '2026-01-01', period_ends_on: '2026-01-31', kind: 'worked', hours: 160 },
    ]
    await api.post(`/v1/employers/${employer_id}/hours`, { rows })
    await api.post(`/v1/employers/${employer_id}/forms-1095c/derive`, { tax_year: 2026 })
    await api.work()
    await turnTo(page, `/employers/${employer_id}/aca?show=forms&year=2026`)
    await page.getByRole('table', { name: 'Tax forms' }).getByRole('link', { name: /Reyes/ }).press('Enter')
    await page.locator('h2:focus', { hasText: 'Reyes' }).waitFor()
    await page.getByRole('button', { name: 'Override cells' }).press('Enter')
    const save = page.getByRole('button', { name: 'Save override' })
    await page.getByLabel('Line 16').fill('2b')
    await page.getByLabel('Reason').fill('On strike through February.')
    await save.press('Enter')
    await page.getByText('Select at least one month.').first().waitFor()
    const months = page.getByRole('group', { name: 'Months' })
    await months.getByLabel('Jan').press('Space')
    await months.getByLabel('Feb').press('Space')
    expect(await accessibilityViolations(page)).toEqual([])
    await save.press('Enter')
    await page.getByText('Overridden: On strike through February.').waitFor()
    await page.getByRole('button', { name: '16 Relief, Feb: 2B' }).press('Enter')
    await page.locator('.cell-reason', { hasText: 'On strike through February.' }).waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    expect(await tooWideAt(page, [390, 1440])).toEqual([])
    const [pdf] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download PDF' }).press('Enter'),
    ])
    expect(pdf.suggestedFilename()).toMatch(/1095-?c.*\.pdf$/i)
    await page.getByRole('button', { name: 'Override cells' }).press('Enter')
    await page.getByRole('group', { name: 'Months' }).getByLabel('Mar').press('Space')
    await page.getByLabel('Line 15').fill('a lot')
    await save.press('Enter')
    await page.getByText('Enter an amount in dollars.').first().waitFor()
    await page.getByLabel('Line 15').fill('')
    await page.getByLabel('Line 16').fill('2D')
    await save.press('Enter')
    await page.getByRole('button', { name: '16 Relief, Mar: 2D' }).waitFor()
    await page.getByRole('button', { name: '16 Relief, Feb: 2B' }).waitFor()
    await page.getByRole('button', { name: 'Override cells' }).press('Enter')
    await page.getByRole('button', { name: 'Remove override' }).press('Enter')
    await page.getByText('Overridden:').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /^16 Relief, Feb: (?!2B)/ }).waitFor()
    // Contributions to a multiemployer plan precede other relief.
    await page.getByRole('button', { name: 'Record wages' }).press('Enter')
    const wages = page.getByRole('region', { name: 'Wages' })
    await wages.getByLabel('Wages in box 1').fill('many')
    await wages.getByRole('button', { name: 'Preview changes' }).press('Enter')
    await wages.getByText('Enter an amount in dollars.').first().waitFor()
    await wages.getByLabel('Wages in box 1').fill('31,200')
    await wages.getByRole('group', { name: 'Months with contributions' }).getByLabel('Mar').press('Space')
    await wages.getByRole('button', { name: 'Preview changes' }).press('Enter')
    await wages.getByText(/^Line 16 Relief: .* becomes 2E \(Mar\)/).waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    expect(await tooWideAt(page, [390, 1440])).toEqual([])
    await wages.getByRole('button', { name: 'Save wages' }).press('Enter')
    await page.getByRole('button', { name: '16 Relief, Mar: 2E' }).waitFor()
    await expect.poll(() => wages.getByLabel('Wages in box 1').inputValue()).toBe('31,200')
    const { tax_facts } = (await api.get(`/v1/employees/${id}/form-1095c?tax_year=2026`)).body.data
    expect(tax_facts).toMatchObject({ w2_wages_in_cents: 3_120_000, multiemployer_months: [3] })
  })

  it('records COBRA of a former employee after a preview of what changes on the form', async () => {
    const { page } = scene.maya
    const employer_id = await createEmployer(api, { name: 'Orchard Care' })
    await addPolicy(api, employer_id)
    const { id } = await createEmployee(api, employer_id, { start_date: '2024-06-03', last_name: 'Ibarra' })
    const key = api.operator_key
    const catalog = `/operator/v1/organizations/${api.story.organization_id}/catalog` as const
    const { benefits } = (await api.get(catalog, { key })).body.data
    const { id: benefit_id } = pick(benefits, ({ product_code }) => product_code === 'MVP')
    const contribution_tiers = [{ coverage_tier: null, method: 'percentage', percentage: 50 }]
    await api.post(
      `/operator/v1/employers/${employer_id}/benefit-plan-years`,
      { coverage_start: '2026-01-01', benefits: [{ benefit_id, contribution_tiers }] },
      { key },
    )
    await api.work()
    const enrollment = only((await api.get(`/v1/employees/${id}/enrollments`)).body.data)
    const { plans } = (await api.get(`/v1/enrollments/${enrollment.id}`)).body.data
    await api.post(`/v1/enrollments/${enrollment.id}/elect`, { plan_id: plans[0]!.id, coverage_tier: 'EE' })
    await api.post(`/v1/employees/${id}/terminate`, { termination_date: '2026-01-31' })
    await api.work()
    await turnTo(page, `/people/${id}`)
    await page.getByRole('link', { name: 'Tax form' }).press('Enter')
    await page.getByRole('button', { name: 'Record COBRA' }).press('Enter')
    const cobra = page.getByRole('region', { name: 'COBRA' })
    const preview = async () => {
      await cobra.getByRole('group', { name: 'Months of COBRA' }).getByLabel('Feb').press('Space')
      await cobra.getByLabel('Monthly premium').fill('320')
      await cobra.getByRole('button', { name: 'Preview changes' }).press('Enter')
    }
    // The forms of the past year are due now. It has no coverage to continue.
    await preview()
    await cobra.getByRole('link', { name: 'Months of COBRA' }).waitFor()
    await page.getByLabel('Year').selectOption('2026')
    await cobra.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Record COBRA' }).press('Enter')
    await cobra.getByText('COBRA in 2026').waitFor()
    await preview()
    await cobra.getByText('Ibarra: Jan becomes Jan, Feb').waitFor()
    // The entries stay when the user changes them after the preview.
    await cobra.getByRole('button', { name: 'Change', exact: true }).press('Enter')
    await expect.poll(() => cobra.getByLabel('Feb').isChecked()).toBe(true)
    await expect.poll(() => cobra.getByLabel('Monthly premium').inputValue()).toBe('320')
    await cobra.getByRole('button', { name: 'Preview changes' }).press('Enter')
    await cobra.getByText('Ibarra: Jan becomes Jan, Feb').waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    expect(await tooWideAt(page, [390, 1440])).toEqual([])
    await cobra.getByRole('button', { name: 'Save COBRA' }).press('Enter')
    await cobra.getByText('Feb: elected, $320.00 a month.').waitFor()
    await cobra.getByRole('button', { name: 'Remove Feb' }).waitFor()
  })

  it('names the people for whom a plan year is not affordable, and the contribution that makes it so', async () => {
    const visit = await visitAs(scene.browser, api, await userCalled(api, 'Tess Moreau'))
    const { page } = visit
    const employer_id = await createEmployer(api, { name: 'Harvest Kitchen' })
    await addPolicy(api, employer_id)
    await createEmployee(api, employer_id, { start_date: '2025-06-02', last_name: 'Sandoval' })
    const key = api.operator_key
    const catalog = `/operator/v1/organizations/${api.story.organization_id}/catalog` as const
    const { benefits } = (await api.get(catalog, { key })).body.data
    const medical = pick(benefits, ({ product_code }) => product_code === 'MVP')
    const contribution_tiers = [{ coverage_tier: null, method: 'percentage', percentage: 50 }]
    const year = await api.post(
      `/operator/v1/employers/${employer_id}/benefit-plan-years`,
      { coverage_start: '2026-01-01', benefits: [{ benefit_id: medical.id, contribution_tiers }] },
      { key },
    )
    await api.work()
    await turnTo(page, `/partners/employers/${employer_id}/plan-years/build?from=${year.body.data.id}`)
    const note = page.getByRole('group').filter({ hasText: 'not affordable for 1 of 1 full-time employee' })
    await note.getByText(/An employer contribution of \$\d+\.\d\d makes it affordable/).press('Enter')
    await note.getByRole('link', { name: /Sandoval/ }).waitFor()
    await settled(page)
    expect(await accessibilityViolations(page)).toEqual([])
    await page.getByLabel('Employer contribution, employee only, exact value').first().fill('100')
    await note.waitFor({ state: 'detached' })
    expect(visit.complaints).toEqual([])
    await visit.close()
  })

  it('files the forms of a tax year, from the derivation to the acknowledgement of the IRS', async () => {
    const { page } = scene.maya
    const employer_id = await createEmployer(api, { name: 'Plains Freight' })
    const address = { address_line_1: '4 Elm St', city: 'Austin', state: 'TX', zipcode: '78701' }
    await createEmployee(api, employer_id, { start_date: '2024-06-03', employee_class: 'Full Time', address })
    const step = (name: string) => page.getByRole('region', { name })
    const check = async (name: string) => {
      await settled(page)
      expect(await accessibilityViolations(page), name).toEqual([])
      expect(await tooWideAt(page, [390, 1440]), name).toEqual([])
    }
    const whenWorked = async () => {
      await api.work()
      await page.reload()
    }
    await turnTo(page, `/employers/${employer_id}/aca?show=filing`)
    await step('Review exceptions').getByText('Derive the forms first.').waitFor()
    await step('Release').getByText('Blocked').waitFor()
    await check('not derived')
    await step('Derive').getByRole('button', { name: 'Derive forms' }).press('Enter')
    await page.getByText('A job derives the forms.').waitFor()
    await whenWorked()
    await step('Derive').getByText('1 form is due.').waitFor()
    await step('Review exceptions').getByRole('link', { name: 'Tax identifier missing: 1 form' }).waitFor()
    await step('Print and mail').getByText('Release the forms first.').waitFor()
    await expect.poll(() => page.getByText('Release the forms first.').count()).toBe(1)
    await step('Release').getByRole('button', { name: 'Release forms' }).press('Enter')
    await step('Release')
      .getByText(/exceptions? (is|are) not resolved/)
      .waitFor()
    await check('derived')
    await step('Release').getByRole('button', { name: 'Release forms' }).press('Enter')
    await step('Release').getByText('Released forms cannot change').waitFor({ state: 'detached' })
    await whenWorked()
    await step('Release').getByText('Only electronic, by consent').waitFor()
    await step('Print and mail').getByText('1 person gets the form on paper.').waitFor()
    const print = step('Print and mail').getByRole('button', { name: 'Print file (PDF)' })
    const [printed] = await Promise.all([page.waitForEvent('download'), print.press('Enter')])
    expect(printed.suggestedFilename()).toMatch(/\.pdf$/)
    await step('Print and mail').getByRole('button', { name: 'Record the mailing of 1 form' }).press('Enter')
    await step('Print and mail').getByText('Done').waitFor()
    await step('Print and mail')
      .getByRole('button', { name: /^Undo the mailing/ })
      .press('Enter')
    await step('Print and mail').getByText('Open').waitFor()
    await step('Transmit').getByText('Make files for the IRS').click()
    for (const [label, text] of [
      ['First name of the contact', 'Ana'],
      ['Last name of the contact', 'Costa'],
      ['Phone number of the contact', '6145550100'],
      ['Legal name of the transmitter', 'Harbor Benefits Inc'],
      ['EIN of the transmitter', '12-345678'],
      ['Transmitter control code (TCC)', 'BB0AA'],
      ['Software ID', '25A0000001'],
      ['Street address', '1 Main St'],
      ['City', 'Columbus'],
      ['State', 'OH'],
      ['ZIP code', '43215'],
    ] as const)
      await step('Transmit').getByLabel(label, { exact: true }).fill(text)
    await step('Transmit').getByRole('button', { name: 'Make files' }).press('Enter')
    await step('Transmit').getByRole('alert').getByText('must be an EIN').waitFor()
    await check('released')
    await step('Transmit').getByLabel('EIN of the transmitter').fill('12-3456789')
    await step('Transmit').getByRole('button', { name: 'Make files' }).press('Enter')
    await step('Transmit').getByText('Original, test: 1 form').waitFor()
    await step('Acknowledge').getByLabel('Receipt ID').fill('1095C-26-00001234')
    await step('Acknowledge').getByLabel('Status').selectOption('Accepted with errors')
    await step('Acknowledge').getByLabel('Errors').fill('<a/>')
    await step('Acknowledge').getByRole('button', { name: 'Record acknowledgement' }).press('Enter')
    await step('Acknowledge').getByRole('alert').getByText('must be the error file of an acknowledgement').waitFor()
    await step('Acknowledge').getByLabel('Errors').fill('AIRTN500; TIN Validation Failed; 1095C-26-00001234|1|1')
    await step('Acknowledge').getByRole('button', { name: 'Record acknowledgement' }).press('Enter')
    await step('Acknowledge').getByText('AIRTN500: TIN Validation Failed').waitFor()
    await step('Acknowledge').getByRole('link', { name: 'Show person' }).waitFor()
    await check('acknowledged')
    await page.getByLabel('Tax year').selectOption('2024')
    await step('Derive').getByText('Settings of the forms').click()
    await step('Derive').getByLabel('Form', { exact: true }).selectOption({ label: forms_of_small_employers })
    await step('Derive').getByLabel('First name of the contact for the IRS').fill('Ana')
    await step('Derive').getByRole('button', { name: 'Save settings' }).press('Enter')
    await step('Derive').getByRole('alert').getByText('leave all empty').waitFor()
    await step('Derive').getByLabel('Last name of the contact').fill('Costa')
    await step('Derive').getByLabel('Phone number of the contact').fill('614-555-0100')
    await step('Derive').getByRole('button', { name: 'Save settings' }).press('Enter')
    await step('Derive').getByText('Saved.').waitFor()
    await step('Derive').getByRole('button', { name: 'Derive forms' }).press('Enter')
    await page.getByText('A job derives the forms.').waitFor()
    await whenWorked()
    await step('Transmit').getByRole('button', { name: 'Form 1094-B (PDF)' }).waitFor()
    await step('Transmit').getByText('Blocked').waitFor()
    await step('Print and mail').getByText('No forms are due.').waitFor()
    await turnTo(page, `/employers/${employer_id}/aca?show=offers&year=2024`)
    await page.getByText('No offer test applies.').waitFor()
    await turnTo(page, `/employers/${employer_id}/aca?show=forms&year=2025&exception=not_notified`)
    await page.getByText('No forms match.').waitFor()
  })
}

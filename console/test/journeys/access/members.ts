import { expect, it } from 'vitest'
import { accessibilityViolations } from '../../../../server/test/clients/browser.ts'
import { aPerson, createEmployee, createEmployer } from '../../../../server/test/fixtures.ts'
import { pick, sure } from '../../../../server/test/pick.ts'
import { review } from '../censuses.ts'
import { settled, tooWideAt, turnTo, type Scene } from '../../stage.ts'

/** The numbers of shares such as "12 of 12" that the edge of their cell cuts off. */
const cut_shares = `[...document.querySelectorAll('td .share .number')]
  .filter((one) => one.getBoundingClientRect().right > one.closest('td').getBoundingClientRect().right)
  .map((one) => one.textContent)`

/** Journeys of a partner's members through the core of the console. */
export function membersAtWork(scene: Scene): void {
  const { api } = scene

  it('explains in three steps from the palette when the coverage of a person starts', async () => {
    const { page } = scene.maya
    // The first page after sign-in.
    await page.getByRole('heading', { name: 'Today', exact: true }).waitFor()
    await settled(page)
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Find' }).fill('rosa')
    await page.getByRole('option', { name: /Rosa Quist/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Rosa Quist' }).waitFor()
    await page
      .getByRole('group', { name: 'Timeline' })
      .getByRole('link', { name: /^Major Medical Silver/ })
      .press('Enter')
    const why = page.getByRole('complementary', { name: 'Why these dates' })
    await why.getByText('60 days').waitFor()
    await why.getByText('Elected').first().waitFor()
    expect(page.url()).toMatch(/why=enrl_/)
    await page.reload()
    await why.getByText('60 days').waitFor()
    await page.goBack()
    await why.waitFor({ state: 'detached' })
  })

  it('counts the plan year in open enrollment on the overview, and links to its reminders', async () => {
    const { page } = scene.maya
    const key = api.story.api_key
    const freight = sure((await api.get('/v1/employers?search=Granite', { key })).body.data[0]).id
    const years = (await api.get(`/v1/employers/${freight}/benefit-plan-years`, { key })).body.data
    const { enrollment_rate } = pick(years, ({ status }) => status === 'open_enrollment')
    await turnTo(page, `/employers/${freight}`)
    const { enrolled, eligible } = enrollment_rate
    await page.getByText(`${enrolled} of ${eligible}`).first().waitFor()
    await page.getByText(/^in the plan year /).waitFor()
    const link = page.getByRole('link', { name: 'Employees who have not responded' })
    expect(await link.getAttribute('href')).toContain(`/employers/${freight}/enrollment`)
  })

  it('shows and explains the elections of a person and the deductions of the year', async () => {
    const { page } = scene.maya
    const key = api.story.api_key
    const clinic = sure((await api.get('/v1/employers?search=Maple', { key })).body.data[0]).id
    const { data } = (await api.get(`/v1/employers/${clinic}/employees`, { key })).body
    const rosa = pick(data, ({ first_name }) => first_name === 'Rosa')
    const proof = (await api.get(`/v1/employees/${rosa.id}/deductions/proof?year=2026`, { key })).body.data
    const [due, collected] = [proof.due_in_cents, proof.collected_in_cents].map((cents) =>
      (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' }),
    )
    await turnTo(page, `/people/${rosa.id}`)
    const line = page.getByRole('group', { name: 'Timeline' })
    const why = page.getByRole('complementary', { name: 'Why these dates' })
    await line
      .getByRole('group', { name: 'Elections' })
      .getByRole('link', { name: /Major Medical: Major Medical Silver, Employee only/ })
      .press('Enter')
    await why.getByText(': Nearby Anytime, Employee only').waitFor()
    await line
      .getByRole('group', { name: 'Deductions' })
      .getByRole('link', { name: `${collected} of ${due} on statements` })
      .press('Enter')
    await why.getByText(`Due in 2026: ${due}`).waitFor()
    await why.getByText(`On statements so far: ${collected}`).waitFor()
    // Outstanding amounts are those that payroll reported as not taken. Amounts of later periods have another label.
    await why.getByText('Not requested yet: ').waitFor()
    const deductions = page.getByRole('table', { name: 'Deductions' })
    await deductions.getByRole('columnheader', { name: 'Outstanding' }).waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    expect(await tooWideAt(page)).toEqual([])
  })

  it('filters and sorts the employer list by menus and headings, in the URL', async () => {
    const { page } = scene.maya
    await turnTo(page, '/employers')
    expect(await page.evaluate(cut_shares)).toEqual([])
    await page.locator('summary', { hasText: 'Stage' }).press('Enter')
    const renewal = page.getByRole('checkbox', { name: 'Renewal 2' })
    await renewal.press('Space')
    const rows = page.getByRole('table', { name: 'Employers' }).getByRole('rowheader')
    const in_renewal = ['Copper Kettle Café', 'Maple Row Clinic']
    await expect.poll(() => rows.allTextContents()).toEqual(in_renewal)
    expect(page.url()).toMatch(/\?stage=renewal$/)
    expect(await accessibilityViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await renewal.waitFor({ state: 'hidden' })
    await page.reload()
    await expect.poll(() => rows.allTextContents()).toEqual(in_renewal)
    const premium = page.getByRole('columnheader', { name: 'Premium' })
    await premium.getByRole('button').press('Enter')
    await page.waitForURL(/stage=renewal&sort=monthly_premium&order=desc$/)
    expect(await premium.getAttribute('aria-sort')).toBe('descending')
    const first = async () => (await rows.allTextContents())[0]
    await settled(page)
    const highest = await first()
    await premium.getByRole('button').press('Enter')
    await page.waitForURL(/sort=monthly_premium$/)
    await expect.poll(first).toBe(in_renewal.find((name) => name !== highest))
    await page.locator('summary', { hasText: 'Payroll system' }).press('Enter')
    await page.getByRole('checkbox', { name: 'Gusto 1' }).press('Space')
    await expect.poll(() => rows.allTextContents()).toEqual(['Maple Row Clinic'])
    await page.waitForURL(/&payroll=gusto/)
  })

  it('corrects a typo of an employer, and adds an eligibility policy after a confirmation', async () => {
    const { page } = scene.maya
    const key = api.story.api_key
    const employer_id = await createEmployer(api, { email: 'ofice@typo.example.com' }, { key })
    await createEmployee(api, employer_id, { start_date: '2026-01-05' }, { key })
    await turnTo(page, `/employers/${employer_id}/settings?show=details`)
    await page.getByRole('textbox', { name: 'Email' }).fill('office@typo.example.com')
    await page.getByRole('textbox', { name: 'City' }).fill('Albany')
    await page.getByRole('button', { name: 'Save details' }).press('Enter')
    await page.getByText('Saved.').waitFor()
    const { email, address } = (await api.get(`/v1/employers/${employer_id}`, { key })).body.data
    expect([email, address.city]).toEqual(['office@typo.example.com', 'Albany'])
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Eligibility' }).press('Enter')
    await page.getByText('No policy yet.').waitFor()
    await page.getByRole('combobox', { name: 'Waiting period' }).selectOption('60 days')
    await page.getByRole('button', { name: 'Continue' }).press('Enter')
    const confirmation = page.getByRole('group', { name: 'Add policy' })
    await confirmation.getByText('Full time; waiting period: 60 days').waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    expect((await api.get(`/v1/employers/${employer_id}/benefit-eligibility-policies`, { key })).body.data).toEqual([])
    await confirmation.getByRole('button', { name: 'Add policy' }).press('Enter')
    const policies = page.getByRole('table', { name: 'Eligibility policies' })
    await policies.getByRole('row', { name: /Full time.*60 days.*Active/ }).waitFor()
    // The same policy again is refused before the confirmation, because it would change nothing.
    await page.getByRole('combobox', { name: 'Waiting period' }).selectOption('60 days')
    await page.getByRole('button', { name: 'Continue' }).press('Enter')
    await page.getByRole('alert').getByText('equal the active policy. Change one to replace it.').waitFor()
    await page.getByRole('combobox', { name: 'Waiting period' }).selectOption('30 days')
    await page.getByRole('button', { name: 'Continue' }).press('Enter')
    await page.getByRole('group', { name: 'Replace policy' }).waitFor()
  })

  it('keeps form entries when the service refuses a field, and shows the error at the field', async () => {
    const { page } = scene.maya
    await turnTo(page, '/employers/add')
    await page.getByLabel('Name', { exact: true }).fill('Blue Heron Coffee')
    await page.getByLabel('EIN').fill('12')
    await page.getByRole('button', { name: 'Add employer' }).press('Enter')
    const summary = page.getByRole('alert')
    // All fields of an empty address at once.
    await summary.getByRole('link', { name: 'ZIP code' }).waitFor()
    await summary.getByRole('link', { name: 'EIN' }).press('Enter')
    const ein = page.getByLabel('EIN')
    await expect.poll(() => page.locator('input:focus').inputValue()).toBe('12')
    expect(await ein.getAttribute('aria-invalid')).toBe('true')
    await expect.poll(() => page.getByLabel('Name', { exact: true }).inputValue()).toBe('Blue Heron Coffee')
  })

  it('previews a census, corrects a bad row in place, and applies it', async () => {
    const { page } = scene.maya
    const key = api.story.api_key
    const employer_id = await createEmployer(api, {}, { key })
    const employee_class = 'Full Time'
    const [ann, bob] = [
      { ...aPerson(), employee_class },
      { ...aPerson(), employee_class },
    ]
    await api.post(`/v1/employers/${employer_id}/census-sync`, { employees: [ann] }, { key })
    await api.work()
    const lines = [
      'First Name,Last Name,Email Address,Mobile,DOB,Hire Date,Employment type,Team',
      ...[
        { ...ann, employee_class: 'Part Time' },
        { ...bob, date_of_birth: '5/17/2019' },
      ].map((row) =>
        [
          row.first_name,
          row.last_name,
          row.email,
          row.phone,
          row.date_of_birth,
          row.start_date,
          row.employee_class,
          'x',
        ].join(),
      ),
    ]
    await turnTo(page, `/employers/${employer_id}/census`)
    const file = { name: 'roster.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\r\n')) }
    await page.getByLabel('Drop a CSV or Excel file here, or choose one').setInputFiles(file)
    await page.getByText('Not used: Team.').waitFor()
    await page.getByRole('button', { name: 'Check rows' }).press('Enter')
    await page.getByRole('heading', { name: '1 row to fix' }).waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    const cell = page.getByLabel(`Date of birth of ${bob.first_name} ${bob.last_name}`)
    await cell.fill('1990-05-17')
    await cell.press('Enter')
    await review(page)
    const plan = page.getByRole('region', { name: 'Changes from 2 rows' })
    await plan.getByText('Full time', { exact: true }).first().waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Add 1 and change 1' }).press('Enter')
    await page.getByText('0 of 2 rows done').waitFor()
    await api.work()
    await page.getByText('2 of 2 rows done').waitFor()
    const { data } = (await api.get(`/v1/employers/${employer_id}/employees`, { key })).body
    expect(data.map(({ employee_class }) => employee_class).toSorted()).toEqual(['Full Time', 'Part Time'])
  })

  it('previews a correction and applies it', async () => {
    const { page } = scene.maya
    const key = api.story.api_key
    const employer_id = await createEmployer(api, {}, { key })
    const hired = await api.post(`/v1/employers/${employer_id}/employees`, aPerson({ employee_class: 'Full Time' }), {
      key,
    })
    await turnTo(page, `/people/${hired.body.data.id}`)
    await page.getByRole('link', { name: 'Correct' }).press('Enter')
    await page.getByRole('combobox', { name: 'Class' }).press('P')
    await page.getByLabel('Bargaining unit').fill('Local 12')
    await page.getByRole('button', { name: 'Preview changes' }).press('Enter')
    const plan = page.getByRole('region', { name: /^Changes for/ })
    await plan.locator('del', { hasText: 'Full Time' }).waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    await plan.getByRole('button', { name: /^Change from/ }).press('Enter')
    await page.getByRole('link', { name: 'Correct' }).waitFor()
    await page
      .getByRole('definition')
      .filter({ hasText: /^Local 12$/ })
      .waitFor()
    const { data } = (await api.get(`/v1/employees/${hired.body.data.id}`, { key })).body
    expect(data.employee_class).toBe('Part Time')
  })

  it('reconciles an invoice with the amounts due, and links each line to its person', async () => {
    const { page } = scene.maya
    await turnTo(page, '/money')
    await page.getByRole('searchbox').fill('maple')
    await page.waitForURL(/\?search=maple$/)
    await page.getByRole('checkbox', { name: 'Paid' }).press('Space')
    await page.waitForURL(/\?search=maple&status=paid$/)
    await page.getByRole('button', { name: 'Save this view' }).waitFor()
    await settled(page)
    const invoices = page.getByRole('table', { name: 'Invoices' })
    const states = await invoices.locator('tbody .status').allTextContents()
    expect([...new Set(states)]).toEqual(['Paid'])
    await invoices.getByRole('rowheader').first().getByRole('link').press('Enter')
    await page.getByText('Reconciled').waitFor()
    const proof = page.getByRole('table', { name: 'Amounts due and billed' })
    const amounts = await proof
      .getByRole('row', { name: /^Premium/ })
      .getByRole('cell')
      .allTextContents()
    expect(amounts[0]).toBe(amounts[1])
    const [, invoice_id] = sure(/(INV-?\w+)$/.exec(page.url()))
    const employer_id = sure(/empr_\w+/.exec(page.url()))[0]
    const known = (
      await api.get(`/v1/employers/${employer_id}/invoices/${invoice_id}/reconciliation`, { key: api.story.api_key })
    ).body.data
    expect(amounts[0]).toBe(
      (known.due.premium_in_cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' }),
    )
    await page.getByRole('table', { name: 'Lines' }).getByRole('link', { name: 'Rosa Quist' }).first().press('Enter')
    await page.getByRole('complementary', { name: 'Why these dates' }).waitFor()
  })
}

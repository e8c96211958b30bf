import { readFile } from 'node:fs/promises'
import readWorkbook from 'read-excel-file/node'
import { expect, it } from 'vitest'
import { accessibilityViolations } from '../../../../server/test/clients/browser.ts'
import { aPerson, createEmployee, createEmployer } from '../../../../server/test/fixtures.ts'
import { pick, sure } from '../../../../server/test/pick.ts'
import { review } from '../censuses.ts'
import { pagesOfMember, settled, tooWideAt, turnTo, userCalled, visitAs, type Scene } from '../../stage.ts'

/** The numbers of shares such as "12 of 12" that the edge of their cell cuts off. */
const cut_shares = `[...document.querySelectorAll('td .share .number')]
  .filter((one) => one.getBoundingClientRect().right > one.closest('td').getBoundingClientRect().right)
  .map((one) => one.textContent)`

/** Journeys of a partner's members. */
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

  it('explains in three steps from the palette why a person is not covered', async () => {
    const { page } = scene.maya
    await turnTo(page, '/groups')
    // Letters typed before the palette appears are not lost.
    await page.keyboard.press('Control+k')
    await page.keyboard.type('nora olsen')
    await page.getByRole('option', { name: /Nora Olsen/ }).waitFor()
    expect(await page.getByRole('combobox', { name: 'Find' }).inputValue()).toBe('nora olsen')
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
      expect(await page.getByText('Coverage can start').count()).toBe(0)
      if (name === 'Castillo') continue
      await page.getByText('5 Maple St, Bennington, VT 05201').waitFor()
      // Without coverage, no invoice has a line of the person.
      expect(await page.getByRole('heading', { name: 'Invoices of the employer' }).count()).toBe(0)
      await page.getByRole('link', { name: 'Vision: why?' }).press('Enter')
      const why = page.getByRole('complementary', { name: 'Why these dates' })
      await why.getByText('Eligible from this day').waitFor()
      await why.getByRole('listitem').filter({ hasText: 'Vision' }).getByText(reason).waitFor()
    }
    await turnTo(page, `/employers/${bakery}/roster`)
    await page.getByRole('row').filter({ hasText: 'Luis Ortega' }).getByText('2 enrolled, 1 unanswered').waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
  })

  it('counts the plan year in open enrollment on the overview, and links to the unanswered enrollments', async () => {
    const { page } = scene.maya
    const key = api.story.api_key
    const freight = sure((await api.get('/v1/employers?search=Granite', { key })).body.data[0]).id
    const years = (await api.get(`/v1/employers/${freight}/benefit-plan-years`, { key })).body.data
    const { id, enrollment_rate } = pick(years, ({ status }) => status === 'open_enrollment')
    await turnTo(page, `/employers/${freight}`)
    const { enrolled, eligible } = enrollment_rate
    await page.getByText(`${enrolled} of ${eligible}`).first().waitFor()
    await page.getByText(/^in the plan year /).waitFor()
    const link = page.getByRole('link', { name: 'Employees who have not responded' })
    expect(await link.getAttribute('href')).toContain(id)
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
      expect(await note.count()).toBe(has_report ? 1 : 0)
    }
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

  it('exports all rows of a filtered list as CSV without formulas and as a workbook', async () => {
    const { page } = scene.maya
    const key = api.story.api_key
    const { data, pagination } = (await api.get('/v1/employers?limit=100', { key })).body
    const names = data.map(({ name }) => name)
    await createEmployer(api, { name: '=HYPERLINK("https://example.com")' }, { key })
    await turnTo(page, '/employers')
    const save = async (format: string) => {
      await page.locator('summary', { hasText: 'Export' }).press('Enter')
      const button = page.getByRole('button', { name: format, exact: true })
      await expect.poll(() => button.isEnabled()).toBe(true)
      const [saved] = await Promise.all([page.waitForEvent('download'), button.press('Enter')])
      await page.keyboard.press('Escape')
      return { name: saved.suggestedFilename(), path: (await saved.path())! }
    }
    const csv = await save('CSV')
    expect(csv.name).toBe('employers.csv')
    const lines = (await readFile(csv.path, 'utf8')).split(/\r?\n/).filter(Boolean)
    expect(lines[0]).toMatch(/^\uFEFFEmployer,Legal name,EIN,Email,Phone,Stage,Employees,/)
    expect(lines).toHaveLength(pagination.total + 2)
    expect(lines[1]).toMatch(/^"'=HYPERLINK/)
    const workbook = await save('Excel')
    expect(workbook.name).toBe('employers.xlsx')
    const [sheet] = await readWorkbook(workbook.path)
    const [header, ...rows] = sure(sheet).data
    const column = (name: string) => sure(header).indexOf(name)
    expect(rows.map((row) => row[column('Employer')])).toEqual(['=HYPERLINK("https://example.com")', ...names])
    expect(rows.slice(1).map((row) => row[column('Employees')])).toEqual(data.map((row) => row.employee_count))
    expect(rows.slice(1).map((row) => row[column('Premium')])).toEqual(
      data.map((row) => row.monthly_premium_in_cents && row.monthly_premium_in_cents / 100),
    )
    expect(
      rows.slice(1).map((row) => (row[column('Renews')] as Date | null)?.toISOString().slice(0, 10) ?? null),
    ).toEqual(data.map((row) => row.renews_on))
    await turnTo(page, '/employers?search=Granite')
    expect((await readFile((await save('CSV')).path, 'utf8')).trim().split(/\r?\n/)).toHaveLength(2)
    expect(await accessibilityViolations(page)).toEqual([])
  })

  it('keeps the focus on an employer when a refetch inserts another above it', async () => {
    const page = await scene.maya.page.context().newPage()
    await page.clock.install()
    await page.goto(`${api.url}/console/employers`)
    await settled(page)
    const cafe = page.getByRole('link', { name: 'Copper Kettle Café' })
    await cafe.focus()
    await createEmployer(api, { name: 'Aaron and Daughters' }, { key: api.story.api_key })
    // The list is refetched when the window is visible again and the rows are no longer fresh.
    await page.clock.fastForward(60_000)
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`)
    await page.getByRole('link', { name: 'Aaron and Daughters' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Copper Kettle Café' }).waitFor()
    await page.close()
  })

  it('remembers the columns of the employer list in this browser', async () => {
    const { page } = scene.maya
    await turnTo(page, '/employers')
    await page.locator('summary', { hasText: 'Columns' }).press('Enter')
    await page.getByRole('checkbox', { name: 'Premium' }).press('Space')
    await page.getByRole('columnheader', { name: 'Premium' }).waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('columnheader', { name: 'Next date' }).waitFor()
    expect(await page.getByRole('columnheader', { name: 'Premium' }).count()).toBe(0)
    await page.locator('summary', { hasText: 'Columns' }).press('Enter')
    await page.getByRole('checkbox', { name: 'Premium' }).press('Space')
    await page.getByRole('columnheader', { name: 'Premium' }).waitFor()
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
    const [ada, bo] = await twins.evaluateAll((links) => links.map((link) => link.getBoundingClientRect()))
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
    expect(await page.locator('input:focus').inputValue()).toBe('12')
    expect(await ein.getAttribute('aria-invalid')).toBe('true')
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Blue Heron Coffee')
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

  it('shows the people whose deductions changed since the previous statement', async () => {
    const { page } = scene.maya
    await turnTo(page, '/employers')
    await page.getByRole('link', { name: 'Copper Kettle Café' }).press('Enter')
    await page.locator('h1:focus', { hasText: 'Copper Kettle Café' }).waitFor()
    await page.getByRole('link', { name: 'Billing' }).press('Enter')
    await page.getByRole('link', { name: 'Statements' }).press('Enter')
    await page
      .getByRole('table', { name: 'Statements' })
      .getByRole('link', { name: 'Mar 1, 2026 – Mar 31, 2026' })
      .press('Enter')
    await page.getByRole('checkbox', { name: 'Changed 1', exact: true }).press('Space')
    const taken = page.getByRole('table', { name: 'Deductions' })
    await taken.getByText('$11.00 arrears from earlier paychecks').waitFor()
    await expect.poll(() => taken.getByRole('rowheader').allInnerTexts()).toEqual(['Femi Garba'])
    expect(page.url()).toMatch(/\?show=changed$/)
  })

  it('links a person to their lines of the latest statement and invoice, and to the benefits statement', async () => {
    const { page } = scene.maya
    const key = api.story.api_key
    const cafe = sure((await api.get('/v1/employers?search=Kettle', { key })).body.data[0]).id
    const femi = sure((await api.get(`/v1/employers/${cafe}/employees?search=Femi`, { key })).body.data[0]).id
    await turnTo(page, `/people/${femi}`)
    const [pdf] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Benefits statement (PDF)' }).press('Enter'),
    ])
    expect(pdf.suggestedFilename()).toMatch(/\.pdf$/)
    await page.getByRole('table', { name: 'Paychecks' }).getByRole('link').first().press('Enter')
    const names = (table: string) => page.getByRole('table', { name: table }).getByRole('rowheader').allInnerTexts()
    await expect.poll(async () => new Set(await names('Deductions'))).toEqual(new Set(['Femi Garba']))
    await page.getByRole('link', { name: 'Show all employees' }).press('Enter')
    await expect.poll(async () => new Set(await names('Deductions')).size).toBeGreaterThan(1)
    await turnTo(page, `/people/${femi}`)
    await page.getByRole('table', { name: 'Invoices' }).getByRole('link').first().press('Enter')
    await expect.poll(async () => new Set(await names('Lines'))).toEqual(new Set(['Femi Garba']))
    expect(await accessibilityViolations(page)).toEqual([])
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

  it('sends all members of a group from a file, corrects a refused row, and shows the failed rows', async () => {
    const { page } = scene.maya
    const key = api.story.api_key
    const { id } = sure((await api.get('/v1/groups', { key })).body.data[0])
    const members = (await api.get(`/v1/groups/${id}/members`, { key })).body.data
    const staying = members.filter(({ first_name }) => first_name !== 'Yusuf')
    expect(staying).toHaveLength(members.length - 1)
    const rows = staying.map(
      ({ reference_id, first_name, last_name, email, phone, date_of_birth, address, plan_id }) => {
        const { address_line_1, city, state, zipcode } = sure(address)
        const cells = [reference_id, first_name, last_name, email, phone, date_of_birth, address_line_1]
        return [...cells, city, state, zipcode, plan_id].join(',')
      },
    )
    const home = '9 Orchard Way,Winters,CA,95694,Essential Care Base'
    const lines = [
      'Number,First name,Last name,E-mail,Phone,DOB,Street,City,State,ZIP,Plan',
      ...rows,
      `VG-010,Tom,Ruiz,tom.ruiz@example.com,12,04/05/1980,${home}`,
      `VG-011,Ivy,Moss,ivy.moss@example.com,5305550198,2015-01-01,${home}`,
    ]
    await turnTo(page, `/groups/${id}`)
    await page.getByRole('link', { name: 'Upload members' }).press('Enter')
    const file = { name: 'growers.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) }
    await page.getByLabel('Drop a CSV or Excel file here, or choose one').setInputFiles(file)
    await page.getByRole('button', { name: 'Preview changes' }).press('Enter')
    await page.getByText('1 missing, will leave').first().waitFor()
    await page.getByText('2 will join').first().waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    const send = page.getByRole('button', { name: `Send the list of ${rows.length + 2} members` })
    // The list leaves one member out. The page names them, and the user confirms before anything is sent.
    const confirmation = page.getByRole('group', { name: `Send the list of ${rows.length + 2} members` })
    await send.press('Enter')
    await confirmation.getByText('1 person named above will leave the group.').waitFor()
    await confirmation.getByRole('button', { name: /^Send the list/ }).press('Enter')
    await page.getByRole('heading', { name: '1 row to correct first' }).waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    await page.getByLabel('Phone of Tom Ruiz').fill('5305550199')
    await page.keyboard.press('Enter')
    await send.press('Enter')
    await confirmation.getByRole('button', { name: /^Send the list/ }).press('Enter')
    await page.getByText('In progress.').waitFor()
    await api.work()
    await page.getByRole('table', { name: 'Failed rows' }).getByText('Under 18').waitFor()
    await page.getByRole('table', { name: 'Members' }).getByText('Tom Ruiz').waitFor()
    const now = (await api.get(`/v1/groups/${id}/members`, { key })).body.data
    const names = [...staying.map(({ first_name }) => first_name), 'Tom'].toSorted()
    expect(now.map(({ first_name }) => first_name).toSorted()).toEqual(names)
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

  it('shows the PDF alongside an invoice if the browser can, and otherwise offers the download', async () => {
    const { page } = scene.maya
    const { invoice } = await pagesOfMember(api)
    await turnTo(page, sure(invoice))
    await page.getByText('This browser does not display PDFs inside a page').waitFor()
    // The test browser has no PDF viewer, but the content security policy of frames still applies.
    const visit = await visitAs(scene.browser, api, await userCalled(api, 'Maya Okafor'))
    await visit.page.addInitScript(
      `Object.defineProperty(Navigator.prototype, 'pdfViewerEnabled', { get: () => true })`,
    )
    const fetched = visit.page.waitForResponse((answer) => answer.headers()['content-type'] === 'application/pdf')
    await visit.page.goto(`${api.url}/console${invoice}`)
    expect((await fetched).status()).toBe(200)
    await visit.page.locator('iframe[title^="PDF of INV-"][src^="blob:"]').waitFor()
    await settled(visit.page)
    expect(await accessibilityViolations(visit.page)).toEqual([])
    await visit.page.setViewportSize({ width: 360, height: 740 })
    await visit.page.getByText('It is too small to read here').waitFor()
    expect(visit.complaints).toEqual([])
    await visit.close()
  })

  it('updates the enrollment progress during open enrollment without a reload', async () => {
    const { page } = scene.maya
    const { 'plan-year-open': path } = await pagesOfMember(api)
    await turnTo(page, sure(path))
    const progress = page.getByText('have responded for every benefit')
    await progress.waitFor()
    const waived = async () => Number(/(\d+) waived all/.exec(await progress.innerText())?.[1])
    expect(await waived()).toBe(0)
    const [, employer_id, plan_year_id] = sure(/employers\/(\w+)\/plan-years\/(\w+)/.exec(sure(path)))
    const all = `/v1/employers/${employer_id}/benefit-plan-years/${plan_year_id}/enrollments` as const
    const { data } = (await api.get(all as never, { key: api.story.api_key })).body as {
      data: { enrollment_id: string; member_first_name: string }[]
    }
    const hers = data.filter(({ member_first_name }) => member_first_name === 'Priya')
    for (const { enrollment_id } of hers)
      await api.post(`/v1/enrollments/${enrollment_id}/waive` as never, {}, { key: api.story.api_key })
    await expect.poll(waived).toBe(1)
  })

  it('saves a named view of the employer list, and shows the events and the activity of a hire', async () => {
    const { page } = scene.maya
    await turnTo(page, '/employers?stage=renewal')
    await page.getByRole('button', { name: 'Save this view' }).press('Enter')
    await page.getByLabel('View name').fill('To renew')
    await page.keyboard.press('Enter')
    await turnTo(page, '/employers')
    await page.getByRole('link', { name: 'To renew' }).press('Enter')
    await page.waitForURL(/\?stage=renewal$/)
    await page.getByRole('button', { name: 'Delete To renew' }).press('Enter')
    await page.getByRole('link', { name: 'To renew' }).waitFor({ state: 'detached' })

    const key = api.story.api_key
    const employer_id = await createEmployer(api, {}, { key })
    const hired = await api.post(`/v1/employers/${employer_id}/employees`, aPerson(), { key })
    await turnTo(page, `/traces/${sure(hired.headers.get('x-request-id'))}`)
    await page.getByRole('heading', { name: 'employees_create' }).waitFor()
    await page.getByRole('table', { name: 'Events' }).getByText('employee.created').waitFor()
    await turnTo(page, `/employers/${employer_id}/activity`)
    const { first_name, last_name } = hired.body.data
    const listed = page.getByRole('table', { name: 'Activity' }).getByRole('rowheader')
    for (const name of [`${first_name} ${last_name} was hired`, 'The employer was added'])
      await expect.poll(() => listed.allTextContents()).toContain(name)
    await turnTo(page, '/activity')
    await listed.getByText(`${first_name} ${last_name} was hired`).press('Enter')
    await page.getByRole('heading', { name: `${first_name} ${last_name}` }).waitFor()
    await page.getByRole('table', { name: 'Activity' }).getByText('was hired').waitFor()
  })
}

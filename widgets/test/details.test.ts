import { describe, expect, it } from 'vitest'
import { accessibilityViolations } from '../../server/test/clients/browser.ts'
import { createEmployee, createEmployer } from '../../server/test/fixtures.ts'
import { blockOf } from '../../server/test/guides/code-blocks.ts'
import { first, pick } from '../../server/test/pick.ts'
import { aFamily, newcomer, personOf } from './employees.ts'
import { cors, narrow, press, settled, signed_out, wide, type Visit } from './stage.ts'
import { useWidgets } from './widgets.ts'

const { api, at, host, see } = useWidgets()

describe('ob-employee-dashboard', () => {
  it('draws coverage only for elected benefits, on the days that they covered the person', async () => {
    const ben = await see(at('employee-dashboard', await personOf(api, 'Sunrise', 'Castillo'), '&view=why'))
    await ben.page.getByText('Not eligible since').waitFor()
    await settled(ben.page)
    const care = ben.page.getByRole('listitem').filter({ hasText: 'Essential Care' })
    await care.getByText(/^Ended /).waitFor()
    const drawn = (seen: Visit, kind: string) => seen.page.locator(`svg rect.${kind}`).count()
    expect([await drawn(ben, 'covered'), await drawn(ben, 'over')]).toEqual([0, 1])
    await expect.poll(() => ben.page.getByText('You are not eligible').count()).toBe(2)
    expect(await accessibilityViolations(ben.page)).toEqual([])
    await ben.close()
    const chloe = await see(at('employee-dashboard', await personOf(api, 'Sunrise', 'Chloe'), '&view=why'))
    await chloe.page.getByText('You are in your waiting period.').waitFor()
    await settled(chloe.page)
    expect([await drawn(chloe, 'waiting'), await drawn(chloe, 'covered')]).toEqual([3, 1])
    await expect.poll(() => chloe.page.getByText('Action needed. Coverage can start').count()).toBe(2)
    await chloe.close()
    const kavya = await see(at('employee-dashboard', await personOf(api, 'Sunrise', 'Kavya'), '&view=why'))
    await kavya.page.getByText('Not offered in your state').first().waitFor()
    await expect.poll(() => kavya.page.getByText('Coverage can start').count()).toBe(0)
    await kavya.close()
    // Coverage that continues in the next plan year shows no end.
    const femi = await see(at('employee-dashboard', await personOf(api, 'Kettle', 'Femi'), '&view=why'))
    await femi.page.getByText('Covered from Apr 1, 2025').first().waitFor()
    await expect.poll(() => femi.page.getByText(/^Ends /).count()).toBe(0)
    await femi.close()
  })

  it("keeps its view in the page's URL with the code of the guide", async () => {
    const { page, close } = await see(at('employee-dashboard', await personOf(api, 'Sunrise', 'Chloe')), narrow)
    await page.evaluate(blockOf('docs/widgets.md', 'const dashboard'))
    await page.getByRole('button', { name: 'My benefits', exact: true }).click()
    await expect.poll(() => page.url()).toMatch(/\?view=[\w-]+$/)
    await page.goBack()
    await page.getByRole('heading', { name: /^Hello, / }).waitFor()
    await close()
  })

  it('does not promise benefits to a former employee', async () => {
    const id = await newcomer(api)
    const last_day = { termination_date: '2026-03-09' }
    expect((await api.post(`/v1/employees/${id}/terminate`, last_day, { key: api.story.api_key })).status).toBe(200)
    await api.work()
    const seen = await see(at('employee-dashboard', id), narrow)
    await seen.page.getByText('Your employment ended on Mar 9, 2026.').waitFor()
    expect(await seen.page.getByText(/not yet|once you are eligible/i).count()).toBe(0)
    await seen.close()
  })

  it('does not announce coverage that ends before it starts', async () => {
    const key = api.story.api_key
    const id = await newcomer(api)
    const { data } = (await api.get(`/v1/employees/${id}/enrollments`, { key })).body
    const dental = pick(data, ({ benefit }) => benefit.name === 'Dental')
    const { plans } = (await api.get(`/v1/enrollments/${dental.id}`, { key })).body.data
    const elect = { plan_id: first(plans).id, coverage_tier: 'EE' }
    await api.post(`/v1/enrollments/${dental.id}/elect`, elect, { key })
    const visitHome = () => see(at('employee-dashboard', id, '&view=home'), narrow)
    const before = await visitHome()
    await before.page.getByRole('heading', { name: 'Starting soon' }).waitFor()
    await before.close()
    // Coverage would start on April 1. The enrollment stays enrolled until the last day employed, and then ends.
    await api.post(`/v1/employees/${id}/terminate`, { termination_date: '2026-03-31' }, { key })
    await api.work()
    const ended = (await api.get(`/v1/enrollments/${dental.id}`, { key })).body.data
    expect([ended.status, ended.coverage_start, ended.coverage_end]).toEqual(['enrolled', '2026-04-01', '2026-03-31'])
    const { page, close } = await visitHome()
    await page.getByRole('heading', { level: 2 }).first().waitFor()
    await settled(page)
    await expect.poll(() => page.getByRole('heading', { name: 'Starting soon' }).count()).toBe(0)
    await close()
  })

  it('shows the fields of the child after a birth, and ends in the election once it is approved', async () => {
    const key = api.story.api_key
    const id = await newcomer(api)
    api.moveTo('2026-05-20')
    await api.runDays()
    const seen = await see(at('employee-dashboard', id, '&view=life-events'), narrow)
    const { page } = seen
    await page.getByLabel('What happened?').selectOption('Birth')
    await page.getByRole('heading', { name: 'The child' }).waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    await page.getByLabel('When?').fill('2026-05-18')
    await page.getByLabel('First name').fill('Ada')
    await page.getByLabel('Last name').fill('Hopper')
    await page.getByLabel('Date of birth').fill('2026-05-18')
    const proof = { name: 'certificate.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') }
    await page.getByLabel('Add a document as proof').last().setInputFiles(proof)
    await page.getByRole('button', { name: 'Report', exact: true }).click()
    await page.getByRole('link', { name: 'certificate.pdf' }).waitFor()
    const [event] = (await api.get(`/v1/employees/${id}/qualifying-life-events`, { key })).body.data
    expect(event).toMatchObject({ type: 'birth', occurred_on: '2026-05-18', status: 'pending' })
    const approval = `/operator/v1/qualifying-life-events/${event!.id}/approve` as const
    expect((await api.post(approval, {}, { key: api.operator_key })).status).toBe(200)
    await page.reload()
    await page.getByRole('button', { name: 'Choose my benefits' }).click()
    await page.getByRole('button', { name: 'All of us: you and Ada' }).click()
    await page.getByText('Covers you and Ada').waitFor()
    await settled(page)
    await page.getByRole('button', { name: 'Choose: Major Medical Silver' }).click()
    await page.getByRole('heading', { name: 'Dental', level: 2 }).waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    await seen.close()
    api.moveTo('2026-03-10')
  })

  it.each([390, 1440])(
    'shows the released tax forms and the disclosures before the consent to electronic delivery, at %s px',
    async (width) => {
      const key = api.story.api_key
      const employer_id = await createEmployer(api, {}, { key })
      const hire = { first_name: 'Grace', last_name: 'Hopper', start_date: '2024-06-03', employee_class: 'Full Time' }
      const { id } = await createEmployee(api, employer_id, hire, { key })
      const run = async (action: 'derive' | 'release') => {
        await api.post(`/v1/employers/${employer_id}/forms-1095c/${action}`, { tax_year: 2025 }, { key })
        await api.work()
      }
      await run('derive')
      const seen = await see(at('employee-dashboard', id), { viewport: { width, height: 844 } })
      const { page } = seen
      const button = (name: string) => page.getByRole('button', { name, exact: true })
      await button('More').click()
      await button('Tax forms').click()
      await page.getByText('You have no tax forms yet.').waitFor()
      expect(await accessibilityViolations(page)).toEqual([])
      await run('release')
      await page.reload()
      await button('More').click()
      await button('Tax forms').click()
      const link = page.getByRole('link', { name: 'Form 1095-C for 2025 (PDF)' })
      const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
      expect(download.suggestedFilename()).toBe('form-1095c-2025.pdf')
      const { legal_name, email, address } = (await api.get(`/v1/employers/${employer_id}`, { key })).body.data
      const disclosure = (text: string) => page.getByRole('listitem').filter({ hasText: text })
      for (const contact of [legal_name, email, address.city]) await disclosure(contact).first().waitFor()
      await page.getByText('If you do not agree, your employer gives you your forms on paper.').waitFor()
      await press(page, button('I agree to electronic delivery'))
      await page.getByRole('status').filter({ hasText: 'You agreed on' }).waitFor()
      await page.getByText('Your rights').click()
      expect(await accessibilityViolations(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
      const printed = async () =>
        (await api.get(`/v1/employers/${employer_id}/form-filing?tax_year=2025`, { key })).body.data.print_count
      expect(await printed()).toBe(0)
      await press(page, button('Withdraw my consent'))
      await page.getByRole('status').filter({ hasText: 'You withdrew your consent on' }).waitFor()
      expect(await accessibilityViolations(page)).toEqual([])
      expect([await printed(), seen.complaints]).toEqual([1, []])
      await seen.close()
    },
  )

  it('compares plans with the expected cost of a year, and explains each term', async () => {
    const seen = await see(at('employee-dashboard', await aFamily(api), '&view=enroll'), wide)
    const { page } = seen
    await page.getByRole('button', { name: 'Only me, Grace' }).click()
    await page.getByRole('button', { name: 'Compare plans' }).click()
    const row = (name: string) => page.getByRole('row').filter({ hasText: name }).getByRole('cell')
    await settled(page)
    const cells = async (name: string) => (await row(name).allInnerTexts()).map((text) => text.trim())
    expect(await accessibilityViolations(page)).toEqual([])
    const before = await cells('Expected cost for the year')
    await page.getByLabel('How much care do you expect to use?').selectOption('High')
    await expect.poll(() => cells('Expected cost for the year')).not.toEqual(before)
    await page.getByRole('button', { name: 'Annual deductible' }).click()
    await page.getByText('The amount you pay for covered care each year before').waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    // On a phone, everything that can be tapped is at least 44 px high.
    await page.setViewportSize(narrow.viewport)
    await page.getByText('Plan details').first().click()
    const targets = page.locator('ob-employee-dashboard').locator('a:not([slot]), button, summary, select')
    const heights = await targets.evaluateAll((all: any[]) =>
      all.filter((one) => one.checkVisibility()).map((one) => [one.textContent, one.getBoundingClientRect().height]),
    )
    expect(heights.length).toBeGreaterThan(10)
    expect(heights.filter(([, height]) => height < 44)).toEqual([])
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByText('Glossary').click()
    await page.getByText('Your share of the cost of covered care').waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    await seen.close()
  })

  /** Reports a marriage, attaches a file that is not a document, then one with a hostile name, and removes it. */
  const proveMarriage = async ({ page }: Visit) => {
    const name = '<img src=x onerror=alert(1)>.exe'
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('button', { name: 'Life events' }).click()
    await page.getByLabel('What happened?').selectOption('Marriage')
    await page.getByLabel('When?').fill('2026-03-01')
    await page.getByRole('button', { name: 'Report', exact: true }).click()
    await page.getByText('Thank you.').waitFor()
    await page.getByText('Mar 1, 2026').waitFor()
    const choose = (bytes: string) =>
      page
        .getByLabel('Add a document as proof')
        .first()
        .setInputFiles({ name, mimeType: 'application/pdf', buffer: Buffer.from(bytes) })
    await choose('MZ')
    await page.getByRole('alert').getByText('must be a PDF').waitFor()
    await choose('%PDF-1.7')
    await page.getByRole('link', { name }).waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    await page.getByRole('button', { name: `Remove ${name}` }).click()
    await page.getByRole('link', { name }).waitFor({ state: 'detached' })
  }

  it('shares one token among tabs, renews it once even after sleep, and retries by itself', async () => {
    const id = await newcomer(api)
    const seen = await see('about:blank', wide)
    const { page, events } = seen
    const context = page.context()
    await context.clock.install()
    const other = await context.newPage()
    const before = host.tokens
    const fetched = () => host.tokens - before
    for (const tab of [page, other]) {
      await tab.goto(at('employee-dashboard', id, '&view=me'))
      await tab.getByLabel('City').waitFor()
    }
    expect(fetched()).toBe(1)
    const channel = JSON.stringify(`openbenefits-token:${api.url}/ ${id}`)
    await other.evaluate(`globalThis.due = 0
      new BroadcastChannel(${channel}).onmessage = ({ data }) => { if (data.held) due = data.held.renew_at }`)
    await page.getByLabel('Phone').fill('(415) 555-0199')
    // The token is due for renewal after 12 of its 15 minutes. One of the tabs renews it.
    await context.clock.fastForward('13:00')
    await expect.poll(() => other.evaluate('due > Date.now()')).toBe(true)
    expect(fetched()).toBe(2)
    // The laptop sleeps for three hours. The token has expired when it wakes, and is renewed once.
    await context.clock.fastForward('03:00:00')
    await expect.poll(fetched).toBe(3)
    await expect.poll(() => page.getByLabel('Phone').inputValue()).toBe('(415) 555-0199')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    await other.getByRole('button', { name: 'More', exact: true }).click()
    await other.getByRole('button', { name: 'Dependents' }).click()
    await other.getByText('You have no dependents yet.').waitFor()
    expect(fetched()).toBe(3)
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.route('**/v1/**', (route) => route.abort())
    await page.getByRole('button', { name: 'Dependents' }).click()
    await page.getByText('You are offline').waitFor()
    await page.unroute('**/v1/**')
    await context.clock.fastForward('00:09')
    await page.getByText('You have no dependents yet.').waitFor()
    await page.getByText('You are offline').waitFor({ state: 'detached' })
    // After a sign-out elsewhere, the next failed request shows one message and dispatches one event.
    host.is_signed_out = true
    await context.clock.fastForward('03:00:00')
    await page.getByRole('button', { name: 'Home' }).click()
    await page.getByText('Your session has ended.').waitFor()
    await expect.poll(() => page.locator('.trouble').count()).toBe(1)
    host.is_signed_out = false
    expect(events).toEqual(['ob-ready', 'ob-error offline', 'ob-error token_refused'])
    expect(seen.complaints).toEqual([])
    await seen.close()
  })

  it('keeps form entries while offline, and shows one message when the session has ended', async () => {
    const id = await newcomer(api)
    const far = { ...wide, timezoneId: 'Pacific/Kiritimati' }
    const seen = await see(at('employee-dashboard', id, '&view=me'), far)
    const { page } = seen
    await page.getByLabel('Phone').fill('415')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('[aria-invalid=true]').waitFor()
    await expect.poll(() => page.getByLabel('Phone').inputValue()).toBe('415')
    await page.getByLabel('Phone').fill('(415) 555-0123')
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('You are offline').waitFor()
    await expect.poll(() => page.getByLabel('Phone').inputValue()).toBe('(415) 555-0123')
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    await proveMarriage(seen)
    // The user is signed out in the middle of a form, and signs in again in another tab. The entries are still there.
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('button', { name: 'Contact information', exact: true }).click()
    await page.getByLabel('City').fill('Troy')
    await page.route('**/contact', (route) => route.fulfill({ status: 401, json: signed_out, headers: cors }))
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Your session has ended.').waitFor()
    await page.getByLabel('City').waitFor({ state: 'hidden' })
    await page.unroute('**/contact')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByLabel('City').waitFor()
    await expect.poll(() => page.getByLabel('City').inputValue()).toBe('Troy')
    host.is_signed_out = true
    await page.reload()
    await page.getByText('Your session has ended.').waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    host.is_signed_out = false
    expect([...new Set(seen.events)]).toEqual([
      'ob-ready',
      'ob-error offline',
      'ob-error unauthorized',
      'ob-error token_refused',
    ])
    await seen.close()
  })
})

describe('ob-employer-benefits', () => {
  it('reminds selected people and then all others after a preview, schedules messages and lists them', async () => {
    const key = api.story.api_key
    const { id } = first((await api.get('/v1/employers?search=Granite', { key })).body.data)
    const path = `/v1/employers/${id}` as const
    const window = first((await api.get(`${path}/enrollment-windows`, { key })).body.data)
    const { can_answer, benefit_plan_year_id: year_id } = window
    const list = `${path}/enrollment-windows/${year_id}/people?can_answer=true` as const
    const chosen = first((await api.get(list, { key })).body.data)
    const name = `${chosen.member_first_name} ${chosen.member_last_name}`
    const messages = async () => (await api.get(`${path}/enrollment-messages`, { key })).body
    const seen = await see(at('employer-benefits', id, `&plan-year=${year_id}`), narrow)
    const { page } = seen
    const button = (text: string | RegExp) => page.getByRole('button', { name: text, exact: true })
    await button(`See all ${can_answer}`).click()
    await page.getByRole('checkbox', { name: `Select ${name}` }).check()
    await button('Remind 1').click()
    await page.getByText('person gets a reminder').waitFor()
    await page.getByText(`Hello ${chosen.member_first_name},`).waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    expect((await messages()).pagination.total).toBe(0)
    await button('Send 1 reminder').click()
    await page.getByText('1 person was reminded.').waitFor()
    await page.setViewportSize(wide.viewport)
    await page
      .getByRole('row', { name: /Reminder, By request/ })
      .getByText(name)
      .waitFor()
    await button(`Remind ${can_answer}`).click()
    await page.getByText('Got a message today').waitFor()
    await button(`Send ${can_answer - 1} reminders`).click()
    await page.getByText(`${can_answer - 1} people were reminded.`).waitFor()
    await page.getByLabel('Reminder halfway through').check()
    await button('Save messages').click()
    await page.getByText('The automatic messages were saved.').waitFor()
    await settled(page)
    expect(await accessibilityViolations(page)).toEqual([])
    expect((await api.get(`${path}/enrollment-schedule`, { key })).body.data).toMatchObject({ half_way: true })
    expect((await messages()).pagination.total).toBe(can_answer)
    expect(seen.complaints).toEqual([])
    await seen.close()
  })

  it('shows an employer the people by full-time status, and the offer test', async () => {
    const key = api.story.api_key
    const employer_id = await createEmployer(api, { name: 'Prairie Temps' }, { key })
    const path = `/v1/employers/${employer_id}` as const
    const hire = { employee_class: 'Full Time', start_date: '2025-06-02' }
    await createEmployee(api, employer_id, hire)
    const unmeasured = await see(at('employer-benefits', employer_id, '&view=aca'), narrow)
    await unmeasured.page.getByText('Hours are not measured.').waitFor()
    await unmeasured.close()
    const policies = [{ method: 'look_back', standard_starts_on: '2025-10-15' }]
    await api.put(`${path}/measurement-policies`, { policies }, { key })
    await api.post(`${path}/forms-1095c/derive`, { tax_year: 2026 }, { key })
    await api.work()
    for (const size of [narrow, wide]) {
      const seen = await see(at('employer-benefits', employer_id, '&view=aca'), size)
      const { page } = seen
      await page.getByText('full-time employees, of 1 in all').waitFor()
      await page.getByRole('group', { name: 'Offers of coverage in 2026' }).waitFor()
      await settled(page)
      expect(await accessibilityViolations(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(size.viewport.width)
      expect(seen.complaints).toEqual([])
      await seen.close()
    }
    const of_small_employers = {
      form_type: '1095-B',
      has_conditional_spouse_offer: false,
      uses_98_percent_method: false,
    }
    await api.put(`${path}/form-settings`, { tax_year: 2026, ...of_small_employers }, { key })
    await api.work()
    const small = await see(at('employer-benefits', employer_id, '&view=aca'), narrow)
    await small.page.getByText('full-time employees, of 1 in all').waitFor()
    await settled(small.page)
    await expect.poll(() => small.page.getByText('Offers of coverage in 2026').count()).toBe(0)
    await small.close()
  })
})

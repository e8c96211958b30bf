import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import type { Locator } from 'playwright-core'
import { accessibilityViolations } from '../../server/test/clients/browser.ts'
import { first, pick } from '../../server/test/pick.ts'
import { narrow, press, settled, type, wide, type Visit } from './stage.ts'
import { useWidgets } from './widgets.ts'

const { api, at, see } = useWidgets()

/** The file that a browser saves when a button is pressed. */
async function savedBy({ page }: Visit, name: string, part?: string): Promise<{ name: string; lines: string[] }> {
  const within = part === undefined ? page : page.getByRole('region', { name: part })
  const [download] = await Promise.all([page.waitForEvent('download'), within.getByRole('button', { name }).click()])
  const text = await readFile(await download.path(), 'utf8')
  return { name: download.suggestedFilename(), lines: text.trim().split('\r\n') }
}

describe('ob-employer-benefits', () => {
  it('shows an employer the people to remind, why a person waits, and the cost of each tier', async () => {
    const key = api.story.api_key
    const { id, name } = first((await api.get('/v1/employers?search=Granite', { key })).body.data)
    const years = `/v1/employers/${id}/benefit-plan-years` as const
    const pending = async ({ id: year_id }: { id: string }) =>
      (await api.get(`${years}/${year_id}/enrollments?election_status=pending&sort=window_end` as const, { key })).body
    const all_years = (await api.get(years, { key })).body.data
    const requested = await Promise.all(all_years.map(async (year) => ({ year, waiting: await pending(year) })))
    const { year, waiting } = pick(requested, (one) => one.waiting.pagination.total > 0)
    const list = `${years}/${year.id}/enrollments` as const
    const { people } = (await api.get(`${list}/summary` as const, { key })).body.data
    const all = (await api.get(list, { key })).body
    const next = first(waiting.data)
    const ending = (await api.get(`${list}?sort=coverage_end` as const, { key })).body.data
    const in_full = await Promise.all(
      all_years.map(async (one) => (await api.get(`${years}/${one.id}` as const, { key })).body.data),
    )
    const allowing = pick(in_full, (one) => one.contribution_strategy.ichra_contribution_classes.length > 0)
    const classes = allowing.contribution_strategy.ichra_contribution_classes
    const { today } = (await api.get('/v1/auth/token', { key })).body.data
    const all_ends = [
      'Name,Event,Until',
      `,Open enrollment,${year.open_enrollment_end}`,
      ...ending
        .filter(({ coverage_end: to, coverage_start: from }) => to && to >= today && to >= from)
        .map((one) => `${one.member_first_name} ${one.member_last_name},${one.benefit_name},${one.coverage_end}`),
      `,Plan year,${year.coverage_end}`,
    ]
    const next_name = `${next.member_first_name} ${next.member_last_name}`
    const window_people = `/v1/employers/${id}/enrollment-windows/${year.id}/people?can_answer=true` as const
    const { total } = (await api.get(window_people, { key })).body.pagination
    for (const size of [narrow, wide]) {
      const seen = await see(at('employer-benefits', id, `&plan-year=${year.id}`), size)
      const { page } = seen
      const button = (text: string | RegExp) => page.getByRole('button', { name: text, exact: true })
      await page.getByRole('heading', { name: `Benefits of ${name}` }).waitFor()
      await page.getByRole('heading', { name: 'People to remind' }).waitFor()
      await settled(page)
      const counts = page.getByRole('row', { name: /^Any benefit/ }).getByRole('cell')
      expect(await counts.allInnerTexts()).toEqual(
        [people.eligible, people.enrolled, people.waived, people.pending, people.expired].map(String),
      )
      expect(await accessibilityViolations(page)).toEqual([])
      const ends = await savedBy(seen, 'Save as CSV', 'Ending soon')
      expect(ends.lines).toEqual(all_ends)
      const go = (control: Locator) => (size === wide ? press(page, control) : control.click())
      await go(button(`See all ${total}`))
      await page.getByRole('heading', { name: 'Enrollment center' }).waitFor()
      await go(button('People'))
      await page.getByText(`${all.pagination.total} enrollment`).waitFor()
      await settled(page)
      expect(await accessibilityViolations(page)).toEqual([])
      if (size === wide) await type(page, page.getByLabel('Name or reference'), next.member_last_name)
      else await page.getByLabel('Name or reference').fill(next.member_last_name)
      await page.getByRole('row').nth(1).getByText(next_name).waitFor()
      const saved = await savedBy(seen, 'Save all as CSV')
      expect([saved.name, saved.lines.length]).toEqual([
        expect.stringMatching(/^enrollments-/),
        1 + all.pagination.total,
      ])
      await go(button(next_name).first())
      await page.getByRole('heading', { name: next_name, level: 2 }).waitFor()
      await settled(page)
      expect(await page.getByRole('definition').allInnerTexts()).not.toContain('false')
      expect(await accessibilityViolations(page)).toEqual([])
      const held = await savedBy(seen, 'Save as CSV', 'Enrollments')
      expect(held.lines[0]).toBe(
        'Benefit,Status,Window ends,Plan,Coverage level,From,Until,You pay per month,Employee pays per month',
      )
      expect(held.lines.slice(1).map((line) => line.split(',').slice(0, 3))).toContainEqual([
        next.benefit_name,
        'Pending',
        next.window_ends_on,
      ])
      await go(button('Plan years'))
      await go(button(new RegExp(`^${year.product_name}`)).first())
      await page.getByRole('heading', { name: 'Monthly cost by coverage level' }).waitFor()
      await settled(page)
      expect(await accessibilityViolations(page)).toEqual([])
      const prices = await savedBy(seen, 'Save as CSV', 'Monthly cost by coverage level')
      expect(prices.lines[0]).toBe('Benefit,Plan,Coverage level,Premium,You pay,Employee pays')
      await page.goto(at('employer-benefits', id, `&view=plan-year&plan-year=${allowing.id}`))
      const allowed = await savedBy(seen, 'Save as CSV', 'Monthly ICHRA allowance')
      expect(allowed.lines).toEqual([
        'Class,Allowance',
        ...classes.map(
          ({ name, allowance_in_cents: cents }) => `${name.includes(',') ? `"${name}"` : name},${cents / 100}`,
        ),
      ])
      await button('Payroll').click()
      await page.getByRole('heading', { name: 'Recent syncs' }).waitFor()
      await settled(page)
      expect(await accessibilityViolations(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(size.viewport.width)
      expect(seen.complaints).toEqual([])
      await seen.close()
    }
  })

  it('shows an employer the progress of open enrollment, and only the notes that are shared with it', async () => {
    const key = api.story.api_key
    const { id } = first((await api.get('/v1/employers?search=Granite', { key })).body.data)
    const path = `/v1/employers/${id}` as const
    const { people } = first((await api.get(`${path}/enrollment-windows`, { key })).body.data)
    await api.post(`${path}/notes`, { text: 'They may leave us' }, { key })
    await api.post(`${path}/notes`, { text: 'We <b>renew</b> in May', shared_with_employer: true }, { key })
    for (const size of [narrow, wide]) {
      const seen = await see(at('employer-benefits', id, '&view=enrollment'), size)
      const { page } = seen
      await page.getByRole('heading', { name: 'Enrollment center' }).waitFor()
      await page.getByText(`${people.eligible} people`, { exact: true }).waitFor()
      await page.getByText(`of ${people.eligible} people have finished`).waitFor()
      await settled(page)
      expect(await accessibilityViolations(page)).toEqual([])
      await page.getByLabel('Status').selectOption('enrolled')
      await page
        .getByRole('status')
        .filter({ hasText: `${people.enrolled} p` })
        .waitFor()
      await page.getByRole('button', { name: 'Notes', exact: true }).click()
      await page.getByText('We <b>renew</b> in May').waitFor()
      await expect.poll(() => page.getByText('They may leave us').count()).toBe(0)
      await settled(page)
      expect(await accessibilityViolations(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(size.viewport.width)
      expect(seen.complaints).toEqual([])
      await seen.close()
    }
  })
})

describe('ob-employer-billing', () => {
  /** An invoice of the story that adjusts an earlier month, and its adjustment line. */
  async function adjustedOf(key: string) {
    const employers = (await api.get('/v1/employers?limit=100', { key })).body.data
    for (const employer of employers) {
      const path = `/v1/employers/${employer.id}/invoices` as const
      const { data } = (await api.get(`${path}?include_drafts=true` as const, { key })).body
      for (const { invoice_id } of data) {
        const lines = (await api.get(`${path}/${invoice_id}/lines` as const, { key })).body.data
        const line = lines.find(({ kind }) => kind === 'adjustment')
        if (line) return { employer, invoice_id, line }
      }
    }
    throw new Error('The story has no adjustment.')
  }

  it('explains an adjustment of an earlier month to an accountant', async () => {
    const key = api.story.api_key
    const { employer, invoice_id, line } = await adjustedOf(key)
    const list = `/v1/employers/${employer.id}/invoices` as const
    const { totals } = (await api.get(list, { key })).body
    const paid = (await api.get(`${list}?status=paid&period_from=2026-01`, { key })).body.data
    const dollars = (cents: number) => (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' })
    for (const size of [narrow, wide]) {
      const seen = await see(at('employer-billing', employer.id), size)
      const { page } = seen
      // On a wide screen, use only the keyboard.
      const choose = async (label: string, option: string) => {
        const control = page.getByLabel(label)
        if (size === wide) await type(page, control, option.split(' ')[0]!)
        else await control.selectOption(option)
      }
      await page.getByRole('heading', { name: `Billing for ${employer.name}` }).waitFor()
      await page.getByText(dollars(totals.open_in_cents), { exact: true }).first().waitFor()
      await choose('Show', 'Paid')
      await choose('Year', 'This year')
      const rows = page.getByRole('group', { name: 'Invoices', exact: true })
      if (paid.length > 0) await rows.getByText(first(paid).invoice_id).waitFor()
      else await page.getByText('No invoices match.').waitFor()
      expect(await accessibilityViolations(page)).toEqual([])
      await choose('Show', 'All invoices')
      await choose('Year', 'All years')
      const lines = page.getByRole('button', { name: invoice_id })
      await (size === wide ? press(page, lines) : lines.click())
      await page.getByRole('heading', { name: `Invoice ${invoice_id}` }).waitFor()
      const text_shown = page.getByRole('region', { name: 'Adjustments for earlier months' })
      await text_shown
        .getByText(new RegExp(`${line.employee_name}: ${line.benefit_name} for`))
        .first()
        .waitFor()
      await settled(page)
      for (const width of [320, 1600]) {
        await page.setViewportSize({ width, height: 800 })
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
        expect(await accessibilityViolations(page), String(width)).toEqual([])
      }
      await page.getByRole('button', { name: 'All invoices' }).click()
      await settled(page)
      for (const width of [320, 1600]) {
        await page.setViewportSize({ width, height: 800 })
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
        expect(await accessibilityViolations(page), String(width)).toEqual([])
      }
      expect(seen.complaints).toEqual([])
      await seen.close()
    }
  })
})

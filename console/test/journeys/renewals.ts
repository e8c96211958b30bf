import { readFile } from 'node:fs/promises'
import { extractText } from 'unpdf'
import { expect, it } from 'vitest'
import { accessibilityViolations } from '../../../server/test/clients/browser.ts'
import { first, pick, sure } from '../../../server/test/pick.ts'
import { outOfReach, type Scene, tooWideAt, turnTo, userCalled, visitAs } from '../stage.ts'

const dollars = (cents: number) => (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' })

/** Journeys of members who prepare the renewal of an employer. */
export function renewalsAtWork(scene: Scene): void {
  const { api } = scene

  it.each([1440, 390])('compares scenarios of a renewal and downloads them as a PDF at %i px', async (width) => {
    const key = api.story.api_key
    const { id: employer_id } = first((await api.get('/v1/employers?search=Kettle', { key })).body.data)
    const path = `/v1/employers/${employer_id}/benefit-plan-years` as const
    const { id } = pick((await api.get(path, { key })).body.data, ({ is_current }) => is_current)
    const { page, complaints, close } = await visitAs(scene.browser, api, await userCalled(api, 'Maya Okafor'), {
      viewport: { width, height: 900 },
    })
    await turnTo(page, `/employers/${employer_id}/plan-years/${id}`)
    await page.getByRole('link', { name: 'Propose renewal' }).press('Enter')
    const costs = page.getByRole('table', { name: 'Cost by scenario' })
    await costs.waitFor()
    await page.getByText('A proposal for the plan year after').waitFor()
    await expect.poll(() => page.getByRole('combobox', { name: 'Renewal' }).inputValue()).toBe('passive')
    await page.getByLabel('Open enrollment from').fill('2026-11-02')
    await page.getByLabel('Open enrollment to').fill('2026-11-20')

    // The first scenario uses quotes of the carrier: the file with the current rates, with other premiums.
    const quoted = page.getByRole('group', { name: 'Scenario 1' })
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      quoted.getByRole('button', { name: 'Download this year’s rates' }).press('Enter'),
    ])
    const rates = (await readFile((await saved.path())!, 'utf8')).trim().split(/\r?\n/)
    const file = rates.map((line, at) => (at === 0 ? line : line.replace(/[\d.]+$/, '"$1,234.50"'))).join('\n')
    await quoted.getByLabel('Name').fill('As quoted')
    const choose = quoted.getByLabel('Quoted rates, as CSV or Excel')
    await choose.setInputFiles({
      name: 'wrong.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`${rates[0]}\nGold,EE,1`),
    })
    await page.getByRole('alert').getByText('Row 1: plan “Gold” is unknown.').waitFor()
    await choose.setInputFiles({ name: 'rates.csv', mimeType: 'text/csv', buffer: Buffer.from(file) })
    await quoted.getByText(`${rates.length - 1} rates from the file.`).waitFor()
    // The second scenario has a change in percent and another contribution.
    const other = page.getByRole('group', { name: 'Scenario 2' })
    await other.getByLabel('Name').fill('Employer pays 80%')
    await other.getByLabel('Premium change in percent').fill('7.25')
    await other.getByLabel('Employer pays, in percent').fill('80')

    await expect.poll(() => page.url()).toContain('employer%22%3A%2280')
    // The scenarios are in the URL.
    await page.reload()
    await expect.poll(() => other.getByLabel('Employer pays, in percent').inputValue()).toBe('80')
    await quoted.getByText(`${rates.length - 1} rates from the file.`).waitFor()

    const year = (await api.get(`${path}/${id}`, { key })).body.data
    const scenarios = [
      {
        name: 'As quoted',
        rates: year.contribution_strategy.contribution_tiers.map(({ benefit_plan_id, coverage_tier }) => ({
          benefit_plan_id,
          coverage_tier,
          premium_in_cents: 123_450,
        })),
      },
      {
        name: 'Employer pays 80%',
        premium_change_percent: 7.25,
        benefits: year.benefits.map((benefit) => ({
          benefit_id: benefit.id,
          contribution_tiers: [{ method: 'percentage', percentage: 80 }],
        })),
      },
    ]
    const { current, ...expected } = (
      await api.post(`${path}/${id}/renewal-proposals`, { scenarios, dry_run: true }, { key })
    ).body.data
    const total = costs.getByRole('row', { name: /^Total premium/ }).first()
    for (const { per_year } of [current, ...expected.scenarios])
      await total.getByText(dollars(per_year.premium_in_cents)).first().waitFor()
    const employer = costs.getByRole('row', { name: /^Employer pays/ }).first()
    const { employer_change_percent } = sure(expected.scenarios[1]).per_year
    await employer.getByText(`${Math.abs(sure(employer_change_percent)).toLocaleString('en-US')}%`).waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    expect(await tooWideAt(page)).toEqual([])
    expect(await outOfReach(page)).toEqual([])

    const [proposal] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download proposal as PDF' }).press('Enter'),
    ])
    expect(proposal.suggestedFilename()).toMatch(/^renewal-\d{4}-\d\d-\d\d\.pdf$/)
    const pdf = await readFile((await proposal.path())!)
    const { text } = await extractText(new Uint8Array(pdf), { mergePages: true })
    const texts = [
      'Renewal proposal',
      'Copper Kettle Café',
      'Nov 2, 2026 – Nov 20, 2026',
      'As quoted',
      'Employer pays 80%',
    ]
    for (const one of texts) expect(text).toContain(one)
    for (const { per_year } of [current, ...expected.scenarios])
      expect(text).toContain(dollars(per_year.employer_contribution_in_cents))
    expect(complaints).toEqual([])
    await close()
  })
}

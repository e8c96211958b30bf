import type { BenefitPlanYear, RenewalScenario } from 'openbenefits'
import { matchColumns, rowNumber, type RowField } from 'openbenefits/census-columns'
import { parseDollars } from '../../../format.ts'
import { downloadCsv, readWorksheets, spreadsheetOf } from '../../../parts/roster/spreadsheet.ts'

type Rates = NonNullable<RenewalScenario['rates']>
type Tier = Rates[number]['coverage_tier']

const fields: RowField[] = [
  { name: 'plan', label: 'Plan', needed: true, also: ['plan name', 'benefit plan'] },
  { name: 'tier', label: 'Coverage level', needed: true, also: ['tier', 'coverage tier', 'level'] },
  { name: 'premium', label: 'Premium', needed: true, also: ['rate', 'monthly premium', 'new rate', 'monthly rate'] },
]

const tiers: Record<Tier, string[]> = {
  EE: ['ee', 'employee', 'employee only'],
  ES: ['es', 'employee + spouse', 'employee and spouse'],
  EC: ['ec', 'employee + children', 'employee and children', 'employee + child(ren)'],
  EF: ['ef', 'family', 'employee + family', 'employee and family'],
}

const parseTier = (text: string) =>
  (Object.keys(tiers) as Tier[]).find((tier) => tiers[tier].includes(text.toLowerCase()))

/** Reads the premiums that a carrier quoted, by plan and coverage level. Throws an error with a readable message. */
export async function readRates(file: File, { contribution_strategy }: BenefitPlanYear): Promise<Rates> {
  const { contribution_tiers } = contribution_strategy
  const [worksheet] = await readWorksheets(file)
  const { lines, columns } = spreadsheetOf(file.name, worksheet!)
  const matched = matchColumns(columns, fields)
  const missing = fields.filter(({ name }) => !matched[name])
  if (missing.length > 0) throw new Error(`Missing columns: ${missing.map(({ label }) => label).join(', ')}.`)
  return lines.map((line, index) => {
    const cell = (name: string) => (line[matched[name]!] ?? '').trim()
    const wrong = (label: string, text: string) => new Error(`Row ${rowNumber(index)}: ${label} “${text}” is unknown.`)
    const named = cell('plan').toLowerCase()
    const plan = contribution_tiers.find(({ benefit_plan_name }) => benefit_plan_name.toLowerCase() === named)
    const coverage_tier = parseTier(cell('tier'))
    const premium_in_cents = parseDollars(cell('premium'))
    if (!plan) throw wrong('plan', cell('plan'))
    if (!coverage_tier) throw wrong('coverage level', cell('tier'))
    if (premium_in_cents === undefined) throw wrong('premium', cell('premium'))
    return { benefit_plan_id: plan.benefit_plan_id, coverage_tier, premium_in_cents }
  })
}

/** Downloads the current premiums as a file to fill in. */
export const downloadRates = ({ contribution_strategy }: BenefitPlanYear): void =>
  downloadCsv('rates.csv', {
    fields: fields.map(({ label }) => label),
    data: contribution_strategy.contribution_tiers.map((tier) => [
      tier.benefit_plan_name,
      tier.coverage_tier,
      (tier.premium_in_cents / 100).toFixed(2),
    ]),
  })

import { safe_harbor_codes, type CostLimits, type SafeHarbor } from '../affordability/rules.ts'
import type { MonthStatus } from '../offers/rules.ts'

/** The codes of line 14: the offer of coverage. 1I is reserved since 2020. */
// oxfmt-ignore
export const offer_codes = [
  '1A', '1B', '1C', '1D', '1E', '1F', '1G', '1H', '1J', '1K',
  '1L', '1M', '1N', '1O', '1P', '1Q', '1R', '1S', '1T', '1U',
] as const
export type OfferCode = (typeof offer_codes)[number]

/** The codes of line 16: safe harbors and other relief. 2I is reserved since 2016. */
export const relief_codes = ['2A', '2B', '2C', '2D', '2E', '2F', '2G', '2H'] as const
export type ReliefCode = (typeof relief_codes)[number]

/** An offer to a spouse that depends on a condition, such as no other coverage, is `conditional`. */
export type SpouseOffer = 'none' | 'conditional' | 'offered'

/** An offer of coverage to an employee in a calendar month. */
export type MonthOffer = {
  kind: 'group_plan' | 'ichra'
  /** False if the offer did not apply on every day of the month. */
  is_whole_month: boolean
  /** Whether a plan of the offer provides minimum value. Not relevant to an ICHRA. */
  has_minimum_value: boolean
  spouse: SpouseOffer
  children: boolean
  /** The monthly cost of the lowest-cost coverage for the employee alone. Null if unknown. */
  cost_in_cents: number | null
  /** Whether that cost is within the federal poverty line of the contiguous states. */
  is_within_mainland_poverty_line: boolean
  /** The safe harbor by which the offer is affordable. Null if it is not affordable by any. */
  safe_harbor: SafeHarbor | null
  /** The highest affordable costs. Null if a figure is unknown. */
  limits: CostLimits | null
  /** The location that determines the premium of an ICHRA, and its ZIP code. Not relevant to a group plan. */
  location: 'residence' | 'worksite'
  zipcode: string | null
}

/** The facts about a person in a calendar month. */
export type PersonMonth = {
  status: MonthStatus
  /** Another ALE member of the aggregated ALE group is the employer in the month, so this one does not report it. */
  is_elsewhere: boolean
  /** Null if nothing was offered. */
  offer: MonthOffer | null
  /** The employee was enrolled in the offered coverage on every day of the month. */
  is_enrolled: boolean
  /** The employment ended before the last day of the month, and the offer or coverage ended only for that reason. */
  left_in_month: boolean
  /** The employer contributes to a multiemployer plan that offers affordable coverage (interim relief). */
  has_multiemployer_relief: boolean
}

/** A value of a cell, and why it has that value. Null if the cell is empty. */
export type FormCell<Value> = { value: Value | null; reason: string }

/** The cells of one month of Part II. Line 15 is in cents. */
export type MonthCells = {
  line_14: FormCell<OfferCode>
  line_15: FormCell<number>
  line_16: FormCell<ReliefCode>
  line_17: FormCell<string>
}

const cell = <Value>(value: Value | null, reason: string): FormCell<Value> => ({ value, reason })

/** The code of line 14 of a group plan of minimum value, by the offer to spouse and children. */
const group_codes: Record<SpouseOffer, Record<'with_children' | 'without_children', OfferCode>> = {
  none: { without_children: '1B', with_children: '1C' },
  offered: { without_children: '1D', with_children: '1E' },
  conditional: { without_children: '1J', with_children: '1K' },
}

/** The code of line 14 of an affordable ICHRA. No code distinguishes a conditional offer to a spouse. */
const ichra_codes: Record<MonthOffer['location'], Record<'alone' | 'children' | 'family' | 'spouse', OfferCode>> = {
  residence: { alone: '1L', children: '1M', family: '1N', spouse: '1T' },
  worksite: { alone: '1O', children: '1P', family: '1Q', spouse: '1U' },
}

const list = new Intl.ListFormat('en-GB', { type: 'conjunction' })

/** The recipients of an offer, for the reasons: `the employee, the spouse and the children`. */
const recipientsOf = ({ spouse, children }: MonthOffer): string => {
  const by_spouse = { none: [], conditional: ['conditionally the spouse'], offered: ['the spouse'] }[spouse]
  return list.format(['the employee', ...by_spouse, ...(children ? ['the children'] : [])])
}

const elsewhere = 'Another ALE member of the aggregated ALE group is the employer in the month.'

/**
 * Line 14 of a month for an employee who was full-time in at least one month of the year (Instructions for Forms 1094-C
 * and 1095-C, Code Series 1).
 */
function offerOf({ status, is_elsewhere, offer }: PersonMonth): FormCell<OfferCode> {
  if (is_elsewhere) return cell('1H', elsewhere)
  if (!offer) return cell('1H', status === 'not_employed' ? 'Not employed in the month.' : 'No offer of coverage.')
  if (!offer.is_whole_month) return cell('1H', 'The offer did not apply on every day of the month.')
  if (status === 'not_employed') return cell('1H', 'Not employed in the month.')
  const to = recipientsOf(offer)
  if (offer.kind === 'ichra') return ichraOfferOf(offer, to)
  if (!offer.has_minimum_value) return cell('1F', `Minimum essential coverage without minimum value, offered to ${to}.`)
  if (offer.is_within_mainland_poverty_line && offer.spouse === 'offered' && offer.children)
    return cell('1A', `Qualifying offer to ${to}: minimum value, at a cost within the federal poverty line.`)
  const code = group_codes[offer.spouse][offer.children ? 'with_children' : 'without_children']
  return cell(code, `Minimum value offered to ${to}.`)
}

function ichraOfferOf(offer: MonthOffer, to: string): FormCell<OfferCode> {
  if (offer.safe_harbor === null) return cell('1R', `ICHRA offered to ${to} that is not affordable.`)
  const has_spouse = offer.spouse !== 'none'
  const recipients = has_spouse && offer.children ? 'family' : has_spouse ? 'spouse' : 'children'
  const code = ichra_codes[offer.location][has_spouse || offer.children ? recipients : 'alone']
  return cell(code, `Affordable ICHRA offered to ${to}, with the premium at the ${offer.location}.`)
}

/** The codes of line 14 that require an amount on line 15. */
// oxfmt-ignore
const with_cost: readonly OfferCode[] = [
  '1B', '1C', '1D', '1E', '1J', '1K', '1L', '1M', '1N', '1O', '1P', '1Q', '1T', '1U',
]

/** Line 15: the employee's monthly cost of the lowest-cost coverage for the employee alone. */
function costCell(code: OfferCode, offer: MonthOffer | null): FormCell<number> {
  if (!with_cost.includes(code)) return cell<number>(null, `Code ${code} has no amount.`)
  return offer!.cost_in_cents === null
    ? cell<number>(null, 'The cost is unknown, because a premium is missing.')
    : cell(offer!.cost_in_cents, 'The lowest cost of coverage for the employee alone.')
}

/**
 * Line 16 of a month (Code Series 2). Relief for multiemployer plans precedes all other codes. Enrollment precedes the
 * other codes. A limited non-assessment period precedes part-time status.
 */
function reliefOf(month: PersonMonth, code: OfferCode): FormCell<ReliefCode> {
  const { status, offer, is_enrolled, left_in_month } = month
  if (month.is_elsewhere) return cell('2A', elsewhere)
  if (status === 'not_employed') return cell('2A', 'Not employed on any day of the month.')
  if (month.has_multiemployer_relief) return cell('2E', 'Interim relief for contributions to a multiemployer plan.')
  if (is_enrolled) return cell('2C', 'Enrolled in the offered coverage on every day of the month.')
  if (status === 'limited_non_assessment') return cell('2D', 'In a limited non-assessment period.')
  if (status === 'part_time') return cell('2B', 'Not a full-time employee in the month.')
  if (left_in_month) return cell('2B', 'The offer ended in the month only because the employment ended.')
  if (code === '1H') return cell<ReliefCode>(null, 'Full-time without an offer: no relief applies.')
  if (code === '1F') return cell<ReliefCode>(null, 'Coverage without minimum value has no affordability safe harbor.')
  if (code === '1A') return cell<ReliefCode>(null, 'A qualifying offer needs no code.')
  const harbor = offer?.safe_harbor ?? null
  return harbor === null
    ? cell<ReliefCode>(null, `The offer is not affordable under any safe harbor${limitsOf(offer)}.`)
    : cell<ReliefCode>(safe_harbor_codes[harbor], `Affordable under the ${harbor.replaceAll('_', ' ')} safe harbor.`)
}

const inDollars = (cents: number): string => `$${(cents / 100).toFixed(2)}`

/** The cost of an unaffordable offer, and the highest affordable ones. Empty if a figure is unknown. */
function limitsOf(offer: MonthOffer | null): string {
  if (!offer?.limits || offer.cost_in_cents === null) return ''
  const { poverty_line, rate_of_pay } = offer.limits
  const by_pay = rate_of_pay === null ? ', and no wage is recorded' : ` and ${inDollars(rate_of_pay)} (rate of pay)`
  return `: ${inDollars(offer.cost_in_cents)} a month is above ${inDollars(poverty_line)} (poverty line)${by_pay}`
}

/** Whether a code of line 14 reports an affordable ICHRA. */
export const isIchraCode = (code: OfferCode): boolean =>
  Object.values(ichra_codes).some((codes) => Object.values(codes).includes(code))

/** The codes of line 16 that contradict a code of line 14: relief by an offer that the line does not report. */
const contradicted: Partial<Record<OfferCode, readonly ReliefCode[]>> = {
  '1H': ['2C', '2F', '2G', '2H'],
  '1F': ['2F', '2G', '2H'],
}

/** The derived amount, relief and ZIP code, unless another code on line 14 has none. */
export const cellsAllowedBy = (code: OfferCode, { line_15, line_16, line_17 }: MonthCells) => ({
  line_15: with_cost.includes(code) ? line_15 : costCell(code, null),
  line_16:
    line_16.value && contradicted[code]?.includes(line_16.value)
      ? cell<ReliefCode>(null, `Code ${line_16.value} does not apply with code ${code}.`)
      : line_16,
  line_17: isIchraCode(code) ? line_17 : locationCell(code, null),
})

/** Line 17: the ZIP code that determined the premium of an affordable ICHRA. */
function locationCell(code: OfferCode, offer: MonthOffer | null): FormCell<string> {
  if (!isIchraCode(code)) return cell<string>(null, `Code ${code} has no ZIP code.`)
  return cell(offer!.zipcode, `The ZIP code of the ${offer!.location}.`)
}

/** Part II of one month for an employee who was full-time in at least one month of the year. */
export function cellsOf(month: PersonMonth): MonthCells {
  const line_14 = offerOf(month)
  const code = line_14.value!
  return {
    line_14,
    line_15: costCell(code, month.offer),
    line_16: reliefOf(month, code),
    line_17: locationCell(code, month.offer),
  }
}

const whole_year = {
  '1G': 'Enrolled in self-insured coverage, and not a full-time employee in any month of the year.',
  '1S': 'Offered an ICHRA, and not a full-time employee in any month of the year.',
} as const

/**
 * Part II of a person who was a full-time employee in no month of the year: the code applies to all twelve months, and
 * all other lines stay empty.
 */
export function cellsOfWholeYear(code: keyof typeof whole_year): MonthCells {
  const empty = cell<never>(null, `Code ${code} applies to the whole year.`)
  return { line_14: cell(code, whole_year[code]), line_15: empty, line_16: empty, line_17: empty }
}

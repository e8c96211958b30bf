import { safe_harbor_codes, type SafeHarbor } from '../affordability/rules.ts'
import type { MonthStatus } from '../offers/rules.ts'
import {
  cellsAllowedBy,
  isIchraCode,
  type FormCell,
  type MonthCells,
  type MonthOffer,
  type OfferCode,
  type PersonMonth,
  type ReliefCode,
} from './code-rules.ts'

/** The cells of a month that replace the derived ones. An absent cell stays unchanged, and null empties it. */
export type MonthOverride = {
  month: number
  line_14?: OfferCode | undefined
  line_15_in_cents?: number | null | undefined
  line_16?: ReliefCode | null | undefined
  line_17?: string | null | undefined
}

export type StoredOverride = { months: MonthOverride[]; reason: string; updated_at: string }

/** A cell, and whether a user has overridden it. */
export type ShownCell<Value> = FormCell<Value> & { is_overridden: boolean }
export type ShownMonth = { [line in keyof MonthCells]: ShownCell<NonNullable<MonthCells[line]['value']>> }

const overriddenCell = <Value>(
  cell: FormCell<Value>,
  given: Value | null | undefined,
  reason: string,
): ShownCell<Value> =>
  given === undefined ? { ...cell, is_overridden: false } : { value: given, reason, is_overridden: true }

/** The cells of a year, with those that a user has overridden. */
export function withOverride(months: readonly MonthCells[], override: StoredOverride | null): ShownMonth[] {
  const reason = override?.reason ?? ''
  return months.map((cells, at) => {
    const given = override?.months.find(({ month }) => month === at + 1)
    const { line_15, line_16, line_17 } = given?.line_14 === undefined ? cells : cellsAllowedBy(given.line_14, cells)
    return {
      line_14: overriddenCell(cells.line_14, given?.line_14, reason),
      line_15: overriddenCell(line_15, given?.line_15_in_cents, reason),
      line_16: overriddenCell(line_16, given?.line_16, reason),
      line_17: overriddenCell(line_17, given?.line_17, reason),
    }
  })
}

/** The codes of offers that do not include the children. 1F and 1R leave it open. */
const without_children: readonly OfferCode[] = ['1B', '1D', '1J', '1L', '1O', '1T', '1U']
const open_about_children: readonly OfferCode[] = ['1F', '1R']

/** The offer that a code of line 14 reports. Null if it reports no offer. `derived` is the offer before overrides. */
function offerBy(code: OfferCode, derived: MonthOffer | null): MonthOffer | null {
  if (code === '1H') return null
  const children = derived !== null && open_about_children.includes(code) ? derived.children : true
  const is_qualifying = code === '1A'
  return {
    spouse: 'none',
    cost_in_cents: null,
    location: 'residence',
    zipcode: null,
    limits: null,
    ...derived,
    kind: isIchraCode(code) || code === '1R' ? 'ichra' : 'group_plan',
    is_whole_month: true,
    has_minimum_value: code !== '1F',
    children: children && !without_children.includes(code),
    is_within_mainland_poverty_line: is_qualifying,
    safe_harbor: is_qualifying ? 'federal_poverty_line' : (derived?.safe_harbor ?? null),
  }
}

/** The status that a code of line 16 reports. The safe harbors apply only to full-time employees. */
const reported_statuses: Partial<Record<ReliefCode, MonthStatus>> = {
  '2A': 'not_employed',
  '2B': 'part_time',
  '2D': 'limited_non_assessment',
  '2F': 'full_time',
  '2G': 'full_time',
  '2H': 'full_time',
}

const harbors = Object.fromEntries(Object.entries(safe_harbor_codes).map(([harbor, code]) => [code, harbor]))

/** The month as a code of line 16 reports it. Null: a full-time employee without relief. */
function monthWithRelief(code: ReliefCode | null, month: PersonMonth): PersonMonth {
  const { status, offer } = month
  // The last month of an employment has code 2B, and the employee stays full-time.
  if (code === '2B' && month.left_in_month) return month
  const safe_harbor = code === null ? null : ((harbors[code] as SafeHarbor | undefined) ?? null)
  return {
    status: code === null ? status : (reported_statuses[code] ?? status),
    is_elsewhere: month.is_elsewhere,
    offer: offer && { ...offer, safe_harbor: offer.is_within_mainland_poverty_line ? offer.safe_harbor : safe_harbor },
    is_enrolled: code === '2C',
    left_in_month: false,
    has_multiemployer_relief: code === '2E',
  }
}

/**
 * A month as its overridden cells report it. The offer test and Form 1094-C count these months, because the IRS
 * compares column (a) of Form 1094-C with the filed forms.
 */
export function reportedMonth(month: PersonMonth, given: MonthOverride | undefined): PersonMonth {
  if (!given) return month
  const { line_14, line_16 } = given
  const offered = line_14 === undefined ? month : { ...month, offer: offerBy(line_14, month.offer) }
  if (line_16 !== undefined) return monthWithRelief(line_16, offered)
  return line_14 === '1H' ? { ...offered, is_enrolled: false, left_in_month: false } : offered
}

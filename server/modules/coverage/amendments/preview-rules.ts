import { addDays, type Day } from '../../../kernel/days.ts'
import type { ElectionFacts, EnrollmentFacts } from '../elections/rules.ts'
import { addCost, no_cost, type Cost } from '../plan-years/contribution-rules.ts'
import type { PartialMonthRule } from '../../directory/catalog/schemas.ts'
import { chargedMonths, type Lapse } from '../../money/deductions/rules.ts'

/** The first day without coverage by the rules of the plan year, and the elections. */
type Side = { loses_on: Day; elections: ElectionFacts[] }

/** The effects of an amendment on an enrollment: its stored state and its state after the amendment. */
export type Previewed = {
  enrollment: Pick<EnrollmentFacts, 'coverage_start' | 'coverage_end'>
  before: Side
  after: Side
  lapses: Lapse[]
  first_open_month: Day
  /** The rules for partial months of plans that do not use the default rule. */
  partial_month_rules: Record<string, PartialMonthRule>
}

const costOf = (one: ElectionFacts | undefined) =>
  one
    ? {
        plan_id: one.plan_id,
        coverage_tier: one.coverage_tier,
        premium_in_cents: one.premium_in_cents!,
        employer_contribution_in_cents: one.employer_contribution_in_cents,
        employee_deduction_in_cents: one.employee_deduction_in_cents,
      }
    : null

type PreviewedCost = NonNullable<ReturnType<typeof costOf>>
type ChangedMonth = { month: string; before: PreviewedCost | null; after: PreviewedCost | null; is_corrected: boolean }
const sumsOf = (months: ChangedMonth[], side: 'before' | 'after'): Cost =>
  months.reduce((sum, month) => addCost(sum, month[side]), no_cost)

/**
 * The months of an enrollment that an amendment changes, with their cost before and after, their totals, and the first
 * day without coverage if that comes earlier. Elections stay: after the loss of a plan, the employee is shown without
 * another one.
 */
export function previewOf({ enrollment, before, after, lapses, first_open_month, partial_month_rules }: Previewed) {
  const { coverage_start, coverage_end } = enrollment
  // An end that the plan year caused can move to another day. Other ends stay.
  const own_end = coverage_end !== null && addDays(coverage_end, 1) === before.loses_on ? null : coverage_end
  const sideOf = ({ loses_on, elections: elected }: Side) => {
    const elections = elected.map((one) => ({ ...one, partial_month_rule: partial_month_rules[one.plan_id] }))
    const last = addDays(loses_on, -1)
    const end = own_end !== null && own_end < last ? own_end : last
    return { end, coverage: { coverage_start, coverage_end: end, lapses, elections } }
  }
  const [former, later] = [sideOf(before), sideOf(after)]
  const ends = former.end > later.end ? former.end : later.end
  const months: ChangedMonth[] = []
  for (let year = Number(coverage_start.slice(0, 4)); year <= Number(ends.slice(0, 4)); year++) {
    const was = new Map(chargedMonths(former.coverage, year).map(({ month, election }) => [month, election]))
    const is = new Map(chargedMonths(later.coverage, year).map(({ month, election }) => [month, election]))
    for (const month of [...new Set([...was.keys(), ...is.keys()])].sort()) {
      const sides = { before: costOf(was.get(month)), after: costOf(is.get(month)) }
      if (JSON.stringify(sides.before) !== JSON.stringify(sides.after))
        months.push({ month: month.slice(0, 7), ...sides, is_corrected: month >= first_open_month })
    }
  }
  const loses_coverage_on = later.end < former.end ? addDays(later.end, 1) : null
  return { loses_coverage_on, before: sumsOf(months, 'before'), after: sumsOf(months, 'after'), months }
}

/** The fields of a row that contribute to the totals. */
type PreviewedRow = ReturnType<typeof previewOf> & { employee_id: string; can_elect_again: boolean }

/** The totals of an amendment: the number of affected people, and the cost in cents of the months that change. */
export class PreviewTotals {
  readonly #all = new Set<string>()
  readonly #changed = new Set<string>()
  readonly #losing = new Set<string>()
  readonly #choosing = new Set<string>()
  #before = no_cost
  #after = no_cost

  add({ employee_id, months, loses_coverage_on, can_elect_again, before, after }: PreviewedRow): void {
    this.#all.add(employee_id)
    if (months.length > 0 || loses_coverage_on !== null) this.#changed.add(employee_id)
    if (loses_coverage_on !== null) this.#losing.add(employee_id)
    if (can_elect_again) this.#choosing.add(employee_id)
    this.#before = addCost(this.#before, before)
    this.#after = addCost(this.#after, after)
  }

  get sums() {
    return {
      employee_count: this.#all.size,
      changed_employee_count: this.#changed.size,
      losing_employee_count: this.#losing.size,
      electing_employee_count: this.#choosing.size,
      before: this.#before,
      after: this.#after,
    }
  }
}

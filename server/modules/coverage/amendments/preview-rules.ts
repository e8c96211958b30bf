import { addDays, type Day } from '../../../kernel/days.ts'
import type { ElectionFacts, EnrollmentFacts } from '../elections/rules.ts'
import type { PartialMonthRule } from '../../directory/catalog/schemas.ts'
import { chargedMonths, type Lapse } from '../../money/deductions/rules.ts'

/** From when to when an enrollment is covered by the rules of its plan year, and what is elected. */
type Side = { loses_on: Day; elections: ElectionFacts[] }

/** What an amendment would do to an enrollment: as it is by what is stored, and as it would be. */
export type Previewed = {
  enrollment: Pick<EnrollmentFacts, 'coverage_start' | 'coverage_end'>
  before: Side
  after: Side
  lapses: Lapse[]
  first_open_month: Day
  /** of plans that bill a month in which coverage starts or ends otherwise than usual */
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
type Sums = Pick<PreviewedCost, 'premium_in_cents' | 'employer_contribution_in_cents' | 'employee_deduction_in_cents'>

const nothing: Sums = { premium_in_cents: 0, employer_contribution_in_cents: 0, employee_deduction_in_cents: 0 }

const plus = (one: Sums, other: Sums | null): Sums => ({
  premium_in_cents: one.premium_in_cents + (other?.premium_in_cents ?? 0),
  employer_contribution_in_cents: one.employer_contribution_in_cents + (other?.employer_contribution_in_cents ?? 0),
  employee_deduction_in_cents: one.employee_deduction_in_cents + (other?.employee_deduction_in_cents ?? 0),
})

const sumsOf = (months: ChangedMonth[], side: 'before' | 'after'): Sums =>
  months.reduce((sum, month) => plus(sum, month[side]), nothing)

/**
 * The months of an enrollment that an amendment changes, at what they cost before and after, each and together, and the
 * first day that it is covered no more, if that comes earlier. Elections stay: who loses a plan is shown as if they
 * chose no other.
 */
export function previewOf({ enrollment, before, after, lapses, first_open_month, partial_month_rules }: Previewed) {
  const { coverage_start, coverage_end } = enrollment
  // What the plan year ended, it may end on another day; other ends stay.
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

/** What of a row its totals are taken from. */
type PreviewedRow = ReturnType<typeof previewOf> & { employee_id: string; chooses_again: boolean }

/** What an amendment would do in all: to how many people, and how many cents the months that change cost together. */
export class PreviewTotals {
  readonly #all = new Set<string>()
  readonly #changed = new Set<string>()
  readonly #losing = new Set<string>()
  readonly #choosing = new Set<string>()
  #before = nothing
  #after = nothing

  add({ employee_id, months, loses_coverage_on, chooses_again, before, after }: PreviewedRow): void {
    this.#all.add(employee_id)
    if (months.length > 0 || loses_coverage_on !== null) this.#changed.add(employee_id)
    if (loses_coverage_on !== null) this.#losing.add(employee_id)
    if (chooses_again) this.#choosing.add(employee_id)
    this.#before = plus(this.#before, before)
    this.#after = plus(this.#after, after)
  }

  get sums() {
    return {
      employee_count: this.#all.size,
      changed_employee_count: this.#changed.size,
      losing_employee_count: this.#losing.size,
      choosing_employee_count: this.#choosing.size,
      before: this.#before,
      after: this.#after,
    }
  }
}

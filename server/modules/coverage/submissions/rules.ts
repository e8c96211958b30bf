import { addDays, monthEnd, type Day } from '../../../kernel/days.ts'
import { declareRefusals, Refusal } from '../../../kernel/refusal.ts'
import type { BookedEnrollment, Paycheck } from '../../money/deductions/paycheck-rules.ts'
import { sumOfAmounts } from '../../money/deductions/rules.ts'
import type { PricedElection } from '../elections/price-rules.ts'

export const refusals = declareRefusals({
  enrollment_of_other_employee: [
    422,
    'One of the enrollments does not belong to this employee.',
    'Use ids from the enrollments of the employee.',
  ],
  choice_group_conflict: [
    422,
    'Only one benefit of a choice group can be elected.',
    'Elect one of them. The others are waived automatically.',
  ],
})

/** Converts a refusal of one answer: its fields name the position of the answer. */
export function refusalOfAnswer(index: number, { kind, details, headers }: Refusal): Refusal {
  const path = `answers[${index}]`
  const details_of_answer = details.map(({ field, message }) => ({
    field: field ? `${path}.${field}` : path,
    message,
  }))
  return new Refusal(
    kind,
    details_of_answer.length > 0 ? details_of_answer : [{ field: path, message: kind.message }],
    headers,
  )
}

/** An election in a submission: the days that it covers, and the other enrollments of its choice group. */
export type ElectedChoice = { index: number; enrollment_id: string; from: Day; through: Day; rival_ids: string[] }

/** Returns why elections can't be made together: two of them belong to one choice group and overlap. */
export function whyNotElectBoth(elected: ElectedChoice[]): Refusal | undefined {
  for (const { rival_ids, index, from, through } of elected) {
    const conflict = elected.find(
      (choice) =>
        choice.index > index &&
        rival_ids.includes(choice.enrollment_id) &&
        choice.from <= through &&
        from <= choice.through,
    )
    if (!conflict) continue
    const message = `can't be elected together with answers[${index}]`
    return new Refusal(refusals.choice_group_conflict, [{ field: `answers[${conflict.index}].enrollment_id`, message }])
  }
  return undefined
}

/**
 * The effect on an enrollment: elected starting on a day, waived, or covered until a last day. An elected enrollment
 * keeps its last day unless `last_day` is set.
 */
export type AnswerEffect =
  | { elections: PricedElection[]; start: Day; last_day?: Day | undefined }
  | 'waived'
  | { last_day: Day }

/** The effect of answers on another enrollment: it gives way to one of them, or continues instead of one. */
export function effectOnRival(
  { coverage }: BookedEnrollment,
  change: AnswerEffect | undefined,
): 'replaced' | 'continued' | undefined {
  if (change === 'waived') return 'replaced'
  if (!change?.last_day || coverage.coverage_end === change.last_day) return undefined
  return coverage.coverage_end === null || change.last_day < coverage.coverage_end ? 'replaced' : 'continued'
}

/** The enrollment in the form that payroll uses, after a change today. */
export function withChange(
  enrollment: BookedEnrollment,
  change: AnswerEffect | undefined,
  today: Day,
): BookedEnrollment {
  const { coverage } = enrollment
  if (change === undefined) return enrollment
  if (change === 'waived') return { ...enrollment, coverage: { ...coverage, elections: [] } }
  const { last_day: coverage_end = coverage.coverage_end } = change
  if (!('elections' in change)) return { ...enrollment, coverage: { ...coverage, coverage_end } }
  const { elections, start } = change
  const from = elections[0]!.effective_on
  const kept = coverage.elections.filter(({ effective_on }) => effective_on < from)
  const made = elections.map((election) => ({
    effective_on: election.effective_on,
    employee_deduction_in_cents: election.employee_deduction_in_cents,
    domestic_partner_share_in_cents: election.domestic_partner_share_in_cents ?? 0,
    elected_on: today,
    is_carried: false,
    follows: election.follows ?? false,
    bought_on_exchange: election.bought_on_exchange ?? null,
    is_unbilled: (election.individual_plan_name ?? null) !== null,
  }))
  return {
    ...enrollment,
    coverage: { ...coverage, coverage_start: start, coverage_end, elections: [...kept, ...made] },
  }
}

/** The first day of the first month that is charged for an election starting on a day. */
const firstChargedMonth = (day: Day): Day => (day.endsWith('-01') ? day : addDays(monthEnd(day), 1))

/** The day from which a part of an election applies, and the day from which all of it applies. */
type Taking = { effective_on: Day; settled_on: Day }

/**
 * The deductions for an election in coming paychecks: in the first paycheck for a month that the election affects, and
 * in the first one after all of it applies. Both are the same paycheck unless the election has several steps, so that
 * an employee never sees two amounts that differ by the cent of a rounding. Earlier paychecks follow the previous
 * election.
 */
export function paycheckDeductionsOf(
  enrollment_id: string,
  paychecks: Paycheck[],
  { effective_on, settled_on }: Taking,
) {
  const deducting = paychecks
    .map(({ period_start_date, period_end_date, lines }) => {
      const own = lines.filter((line) => line.enrollment_id === enrollment_id)
      const sum = (some_lines: typeof own) => sumOfAmounts(some_lines.map(({ amount_in_cents }) => amount_in_cents))
      const regular = sum(own.filter(({ kind }) => kind === 'deduction'))
      return { period_start_date, period_end_date, amount_in_cents: sum(own), regular, has_lines: own.length > 0 }
    })
    .filter(({ has_lines }) => has_lines)
  const since = (day: Day) => deducting.filter(({ period_end_date }) => period_end_date >= firstChargedMonth(day))
  const [first] = since(effective_on)
  const settled = since(settled_on).find(({ regular }) => regular !== 0)
  const paycheck = first && {
    period_start_date: first.period_start_date,
    period_end_date: first.period_end_date,
    amount_in_cents: first.amount_in_cents,
    corrections_in_cents: first.amount_in_cents - first.regular,
  }
  return { first_paycheck: paycheck ?? null, per_paycheck_in_cents: settled?.regular ?? 0 }
}

/** The last day of the paychecks to calculate. It includes at least two paychecks with deductions. */
export const lastPaycheckDay = (today: Day, starts: Day[]): Day => addDays([today, ...starts].sort().at(-1)!, 70)

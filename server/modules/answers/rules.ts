import { addDays, type Day } from '../../kernel/days.ts'
import { declareRefusals, Refusal } from '../../kernel/refusal.ts'
import type { BookedEnrollment, Paycheck } from '../deductions/paycheck-rules.ts'
import { sumOf } from '../deductions/rules.ts'
import type { ElectionRecord } from '../elections/queries.ts'

export const refusals = declareRefusals({
  enrollment_of_another: [
    422,
    'One of the enrollments is not of this employee.',
    'Take the ids from the enrollments of the employee.',
  ],
  one_of_a_choice: [
    422,
    'Of the benefits of a choice group one may be elected.',
    'Elect one of them; the others are waived by that.',
  ],
})

/** A refusal of one answer among several, whose fields say which it was. */
export function refusalAt(at: number, { kind, details, headers }: Refusal): Refusal {
  const place = `answers[${at}]`
  const named = details.map(({ field, message }) => ({ field: field ? `${place}.${field}` : place, message }))
  return new Refusal(kind, named.length > 0 ? named : [{ field: place, message: kind.message }], headers)
}

/** What is elected of an enrollment by an answer, and whom it shares a choice group with. */
export type ElectedTogether = { at: number; enrollment_id: string; rival_ids: string[] }

/** Why elections can't be made together: two are of one choice group. */
export function whyNotTogether(elected: ElectedTogether[]): Refusal | undefined {
  for (const { rival_ids, at } of elected) {
    const other = elected.find((one) => one.at > at && rival_ids.includes(one.enrollment_id))
    if (!other) continue
    const message = `can't be elected beside answers[${at}]`
    return new Refusal(refusals.one_of_a_choice, [{ field: `answers[${other.at}].enrollment_id`, message }])
  }
  return undefined
}

/** What becomes of an enrollment: elected from a day on, waived, or covered no longer than a day. */
export type Becoming = { elections: ElectionRecord[]; start: Day } | 'waived' | { last_day: Day }

/** An enrollment as payroll would know it once it has changed today. */
export function withChange(one: BookedEnrollment, change: Becoming | undefined, today: Day): BookedEnrollment {
  const { coverage } = one
  if (change === undefined) return one
  if (change === 'waived') return { ...one, coverage: { ...coverage, elections: [] } }
  if ('last_day' in change) return { ...one, coverage: { ...coverage, coverage_end: change.last_day } }
  const { elections, start } = change
  const from = elections[0]!.effective_on
  const kept = coverage.elections.filter(({ effective_on }) => effective_on < from)
  const made = elections.map((election) => ({
    effective_on: election.effective_on,
    employee_deduction_in_cents: election.employee_deduction_in_cents,
    domestic_partner_share_in_cents: election.domestic_partner_share_in_cents,
    elected_on: today,
    is_carried: false,
    follows: false,
    bought_on_exchange: election.bought_on_exchange ?? null,
    is_unbilled: (election.individual_plan_name ?? null) !== null,
  }))
  return { ...one, coverage: { ...coverage, coverage_start: start, elections: [...kept, ...made] } }
}

/**
 * What an enrollment takes from coming paychecks, of which those that end before a day go by what held before: from the
 * first one, and from one once all has begun.
 */
export function takenOf(enrollment_id: string, paychecks: Paycheck[], effective_on: Day) {
  const theirs = paychecks
    .filter(({ period_end_date }) => period_end_date >= effective_on)
    .map(({ period_start_date, period_end_date, lines }) => {
      const own = lines.filter((line) => line.enrollment_id === enrollment_id)
      const sum = (some: typeof own) => sumOf(some.map(({ amount_in_cents }) => amount_in_cents))
      const regular = sum(own.filter(({ kind }) => kind === 'deduction'))
      return { period_start_date, period_end_date, amount_in_cents: sum(own), regular, has_lines: own.length > 0 }
    })
    .filter(({ has_lines }) => has_lines)
  const [first, second] = theirs
  const paycheck = first && {
    period_start_date: first.period_start_date,
    period_end_date: first.period_end_date,
    amount_in_cents: first.amount_in_cents,
  }
  return { first_paycheck: paycheck ?? null, per_paycheck_in_cents: second?.regular ?? first?.regular ?? 0 }
}

/** Through which day paychecks are looked at, so that the second one that anything is taken from is among them. */
export const horizonOf = (today: Day, starts: Day[]): Day => addDays([today, ...starts].sort().at(-1)!, 70)

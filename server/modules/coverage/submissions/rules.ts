import { addDays, monthEnd, type Day } from '../../../kernel/days.ts'
import { declareRefusals, Refusal } from '../../../kernel/refusal.ts'
import type { BookedEnrollment, Paycheck } from '../../money/deductions/paycheck-rules.ts'
import { sumOf } from '../../money/deductions/rules.ts'
import type { PricedElection } from '../elections/amended-rules.ts'

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

/** What is elected of an enrollment by an answer, when it covers, and whom it shares a choice group with. */
export type ElectedTogether = { at: number; enrollment_id: string; from: Day; through: Day; rival_ids: string[] }

/** Why elections can't be made together: two are of one choice group, and share time. */
export function whyNotTogether(elected: ElectedTogether[]): Refusal | undefined {
  for (const { rival_ids, at, from, through } of elected) {
    const other = elected.find(
      (one) => one.at > at && rival_ids.includes(one.enrollment_id) && one.from <= through && from <= one.through,
    )
    if (!other) continue
    const message = `can't be elected beside answers[${at}]`
    return new Refusal(refusals.one_of_a_choice, [{ field: `answers[${other.at}].enrollment_id`, message }])
  }
  return undefined
}

/**
 * What becomes of an enrollment: elected from a day on, waived, or covered through a day and no longer. What is elected
 * keeps the last day that it has, unless another one is said.
 */
export type Becoming =
  | { elections: PricedElection[]; start: Day; last_day?: Day | undefined }
  | 'waived'
  | { last_day: Day }

/** What an answer to others does to an enrollment: it gives way to them, or goes on in the place of one. */
export function wayOf(
  { coverage }: BookedEnrollment,
  change: Becoming | undefined,
): 'gives_way' | 'goes_on' | undefined {
  if (change === 'waived') return 'gives_way'
  if (!change?.last_day || coverage.coverage_end === change.last_day) return undefined
  return coverage.coverage_end === null || change.last_day < coverage.coverage_end ? 'gives_way' : 'goes_on'
}

/** An enrollment as payroll would know it once it has changed today. */
export function withChange(one: BookedEnrollment, change: Becoming | undefined, today: Day): BookedEnrollment {
  const { coverage } = one
  if (change === undefined) return one
  if (change === 'waived') return { ...one, coverage: { ...coverage, elections: [] } }
  const { last_day: coverage_end = coverage.coverage_end } = change
  if (!('elections' in change)) return { ...one, coverage: { ...coverage, coverage_end } }
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
  return { ...one, coverage: { ...coverage, coverage_start: start, coverage_end, elections: [...kept, ...made] } }
}

/** The first month (its 1st day) that is charged by what holds from a day on. */
const chargedFrom = (day: Day): Day => (day.endsWith('-01') ? day : addDays(monthEnd(day), 1))

/** From which day on something of an election holds, and all of it. */
export type Taking = { effective_on: Day; settled_on: Day }

/**
 * What an enrollment takes from coming paychecks by an election: from the first one of a month that is charged by it,
 * and from one once all has begun. Those before go by what held until then.
 */
export function takenOf(enrollment_id: string, paychecks: Paycheck[], { effective_on, settled_on }: Taking) {
  const theirs = paychecks
    .map(({ period_start_date, period_end_date, lines }) => {
      const own = lines.filter((line) => line.enrollment_id === enrollment_id)
      const sum = (some: typeof own) => sumOf(some.map(({ amount_in_cents }) => amount_in_cents))
      const regular = sum(own.filter(({ kind }) => kind === 'deduction'))
      return { period_start_date, period_end_date, amount_in_cents: sum(own), regular, has_lines: own.length > 0 }
    })
    .filter(({ has_lines }) => has_lines)
  const since = (day: Day) => theirs.filter(({ period_end_date }) => period_end_date >= chargedFrom(day))
  const [first] = since(effective_on)
  const [one, another] = since(settled_on)
  const paycheck = first && {
    period_start_date: first.period_start_date,
    period_end_date: first.period_end_date,
    amount_in_cents: first.amount_in_cents,
  }
  return { first_paycheck: paycheck ?? null, per_paycheck_in_cents: another?.regular ?? one?.regular ?? 0 }
}

/** Through which day paychecks are looked at, so that the second one that anything is taken from is among them. */
export const horizonOf = (today: Day, starts: Day[]): Day => addDays([today, ...starts].sort().at(-1)!, 70)

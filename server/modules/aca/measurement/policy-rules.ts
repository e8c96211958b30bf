import { addDays, type Day } from '../../../kernel/days.ts'
import type { PayCalendar } from '../../../kernel/pay-calendar.ts'
import {
  administrativeDays,
  isWithinInitialLimit,
  type MeasurementPolicy,
  max_administrative_days,
} from './period-rules.ts'

/** A policy as stored: for a category of employees, without the pay calendar. */
export type StoredPolicy = Omit<MeasurementPolicy, 'payroll' | 'standard_starts_on'> & {
  compensation_type: 'Salary' | 'Hourly' | null
  state: string | null
  bargaining_unit: string | null
  is_collectively_bargained: boolean | null
  /** The day from which the policy replaces an earlier one of the category. Null without one. */
  effective_on: Day | null
  standard_starts_on: Day | null
  uses_payroll_periods: boolean
}

type Given<Input> = { [Field in keyof Input]?: Input[Field] | null | undefined }

/** Completes a policy with the defaults of omitted fields. */
export const withDefaults = ({
  method,
  ...input
}: Given<StoredPolicy> & Pick<StoredPolicy, 'method'>): StoredPolicy => ({
  compensation_type: input.compensation_type ?? null,
  state: input.state ?? null,
  bargaining_unit: input.bargaining_unit ?? null,
  is_collectively_bargained: input.is_collectively_bargained ?? (input.bargaining_unit ? true : null),
  effective_on: input.effective_on ?? null,
  method,
  standard_starts_on: method === 'look_back' ? (input.standard_starts_on ?? null) : null,
  standard_months: input.standard_months ?? 12,
  administrative_months: input.administrative_months ?? 2,
  stability_months: input.stability_months ?? 12,
  initial_months: input.initial_months ?? 12,
  initial_starts: input.initial_starts ?? 'start_date',
  initial_administrative_months: input.initial_administrative_months ?? 1,
  by_weeks: input.by_weeks ?? false,
  uses_payroll_periods: input.uses_payroll_periods ?? false,
  educational: input.educational ?? false,
  parity: input.parity ?? false,
})

/** A policy as responses show it: the monthly method has no periods. */
export const shownPolicy = (policy: StoredPolicy) =>
  policy.method === 'look_back'
    ? policy
    : {
        ...policy,
        standard_months: null,
        administrative_months: null,
        stability_months: null,
        initial_months: null,
        initial_starts: null,
        initial_administrative_months: null,
      }

/** The policy with a pay calendar for its payroll periods. Payroll periods of a month do not count (-3(d)(1)(ii)). */
export const appliedOf = (
  { standard_starts_on, ...policy }: StoredPolicy,
  calendar: PayCalendar,
): MeasurementPolicy => ({
  ...policy,
  standard_starts_on: standard_starts_on ?? '2026-01-01',
  payroll: policy.uses_payroll_periods && calendar.pay_frequency !== 'monthly' ? calendar : null,
})

/** Returns the field of a policy that the regulation does not allow, and why. */
export function whyNotMeasure(policy: StoredPolicy): { field: string; message: string } | undefined {
  const because = (field: keyof StoredPolicy, message: string) => ({ field, message })
  if (policy.bargaining_unit && !policy.is_collectively_bargained)
    return because('is_collectively_bargained', 'must not be false for a bargaining unit')
  if (policy.method === 'monthly') return undefined
  if (!policy.standard_starts_on) return because('standard_starts_on', 'is required for the method look_back')
  const { standard_months, stability_months, initial_months } = policy
  if (stability_months < Math.max(standard_months, initial_months))
    return because(
      'stability_months',
      'must not be less than standard_months and initial_months (54.4980H-3(d)(1)(iii))',
    )
  if (initial_months < standard_months - 1)
    return because(
      'initial_months',
      'must be at least standard_months less one, because status as not full-time must not last longer ' +
        '(54.4980H-3(d)(3)(iv))',
    )
  const applied = appliedOf(policy, { pay_frequency: 'monthly', first_pay_date: null })
  if (administrativeDays(applied) > max_administrative_days)
    return because('administrative_months', `must end at most ${max_administrative_days} days after a measurement`)
  if (!isWithinInitialLimit(applied))
    return because(
      'initial_administrative_months',
      'must end by the last day of the first calendar month that begins a year after the start date ' +
        '(54.4980H-3(d)(3)(vi)(B))',
    )
  return undefined
}

/**
 * The dated facts that determine the category of an employee: the compensation type, the bargaining unit and the state
 * of the worksite. The employee is in no unit before the first entry of `units` and while its value is null. The state
 * of residence applies before the first worksite: `state` today, and `former_states` before the days of earlier moves.
 */
type Categorized = {
  policies: StoredPolicy[]
  compensations: [from_on: Day, compensation_type: string][]
  units: [from_on: Day, bargaining_unit: string | null][]
  worksites: Worksite[]
  state: string | null
  former_states: [left_on: Day, state: string][]
}

/** The state of the worksite of an assignment. `ends_on` is null if its end is unknown. */
export type Worksite = [starts_on: Day, state: string, ends_on: Day | null]

/**
 * The worksite on a day: of the latest assignment in effect, or else of the latest one before, because a time between
 * assignments does not change the category.
 */
const worksiteOn = (worksites: readonly Worksite[], day: Day): Worksite | undefined =>
  worksites.findLast(([starts_on, , ends_on]) => starts_on <= day && (ends_on ?? day) >= day) ??
  worksites.findLast(([starts_on]) => starts_on <= day)

type Category = { type: string | null; unit: string | null; state: string | null }

/** Whether a policy applies to a category on a day (54.4980H-3(d)(1)(v)). */
const isFor = (policy: StoredPolicy, { type, unit, state }: Category, day: Day): boolean =>
  (policy.effective_on ?? day) <= day &&
  (policy.state ?? state) === state &&
  (policy.compensation_type ?? type) === type &&
  (policy.bargaining_unit ?? unit) === unit &&
  (policy.is_collectively_bargained ?? unit !== null) === (unit !== null)

/** The precedence of a policy: a unit precedes any or no unit, then a state, then a compensation type. */
const rankOf = ({ bargaining_unit, is_collectively_bargained, state, compensation_type }: StoredPolicy): number =>
  (bargaining_unit !== null ? 8 : 0) +
  (is_collectively_bargained !== null ? 4 : 0) +
  (state !== null ? 2 : 0) +
  (compensation_type !== null ? 1 : 0)

const by_month = withDefaults({ method: 'monthly' })

type PolicyOfDay = { from_on: Day; stored: StoredPolicy }

const byDay = <Entry extends [from_on: Day, ...unknown[]]>(entries: Entry[]) =>
  entries.toSorted(([a], [b]) => (a < b ? -1 : 1))

/**
 * The policy for each category that an employee was in, starting on the day of the change. If an employer changes the
 * periods of a category, its employees change policies as if they had transferred (Notice 2014-49). The first known
 * compensation type also counts for earlier days. A category without a policy after one with a policy is measured by
 * month, because the look-back method of 54.4980H-3(d) is optional. Empty without any policy.
 */
export function policiesOf(facts: Categorized): PolicyOfDay[] {
  const { policies, compensations, units, worksites, state } = facts
  const byEffect = ({ effective_on: a }: StoredPolicy, { effective_on: b }: StoredPolicy) =>
    (a ?? '') < (b ?? '') ? 1 : -1
  const ranked = policies.toSorted((a, b) => rankOf(b) - rankOf(a) || byEffect(a, b))
  const [types, memberships, sites] = [byDay(compensations), byDay(units), byDay(worksites)]
  const homes = byDay(facts.former_states)
  const changes = policies.flatMap(({ effective_on }) => effective_on ?? [])
  const ends = sites.flatMap(([, , ends_on]) => (ends_on === null ? [] : addDays(ends_on, 1)))
  const days = [...[...types, ...memberships, ...sites, ...homes].map(([from_on]) => from_on), ...ends]
  const terms = [...new Set(['0001-01-01', ...changes, ...days])].sort().map((from_on) => {
    const type = (types.findLast(([day]) => day <= from_on) ?? types[0])?.[1] ?? null
    const unit = memberships.findLast(([day]) => day <= from_on)?.[1] ?? null
    const home_state = homes.find(([left_on]) => left_on > from_on)?.[1] ?? state
    const worksite_state = worksiteOn(sites, from_on)?.[1] ?? home_state
    return { from_on, stored: ranked.find((policy) => isFor(policy, { type, unit, state: worksite_state }, from_on)) }
  })
  const first = terms.findIndex(({ stored }) => stored !== undefined)
  if (first < 0) return []
  return terms
    .slice(first)
    .map(({ from_on, stored = by_month }) => ({ from_on, stored }))
    .filter(({ stored }, index, all) => stored !== all[index - 1]?.stored)
}

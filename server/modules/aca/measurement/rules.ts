import { addDays, daysBetween, earliest, type Day } from '../../../kernel/days.ts'
import type { PayCalendar } from '../../../kernel/pay-calendar.ts'
import { averageOf, forever, isOn, isReported, openEnd, overlap, type ServiceHours } from './hour-rules.ts'
import { monthlyStatuses } from './month-rules.ts'
import type { MeasurementPeriod } from './period-rules.ts'
import { appliedOf, policiesOf, shownPolicy, type StoredPolicy, type Worksite } from './policy-rules.ts'
import type { AcaStatus } from './schemas.ts'
import type { MeasuredPerson, MeasuredStatus, Measurement, WorkHistory, WorkPosition } from './status-rules.ts'
import { measureTransfers, policyOn } from './transfer-rules.ts'

/** The facts about an employee that the rules need: the policies, all employments of the person, and the hours. */
export type WorkFacts = {
  employee_id: string
  employer_id: string
  compensations: [from_on: Day, compensation_type: string][]
  units: [from_on: Day, bargaining_unit: string | null][]
  worksites: Worksite[]
  state: string | null
  former_states: [left_on: Day, state: string][]
  policies: StoredPolicy[]
  calendar: PayCalendar
  employments: { id: string; starts_on: Day; ends_on: Day | null; classes: [from_on: Day, employee_class: string][] }[]
  hours: [starts_on: Day, ends_on: Day, kind: ServiceHours['kind'], hundredths: number][]
}

/** The positions of an employment by class. A missing class counts as Full Time; contractors are not employees. */
function positionsOf({ starts_on, ends_on, classes }: WorkFacts['employments'][number]): WorkPosition[] {
  const entries = [[starts_on, 'Full Time'] as const, ...classes.toSorted(([a], [b]) => (a < b ? -1 : 1))]
  return entries.flatMap(([from_on, employee_class], index) => {
    const next = entries[index + 1]?.[0]
    const starts = from_on > starts_on ? from_on : starts_on
    const ends = next === undefined ? ends_on : earliest(ends_on, next > starts_on ? addDays(next, -1) : '0001-01-01')
    if (employee_class === 'Individual Contractor' || (ends !== null && ends < starts)) return []
    return [{ starts_on: starts, ends_on: ends, is_full_time: employee_class === 'Full Time' }]
  })
}

/** The policies in effect until today. Without one, the first policy is. */
const termsOf = (facts: WorkFacts, today: Day) =>
  policiesOf(facts)
    .filter(({ from_on }, index) => index === 0 || from_on <= today)
    .map(({ from_on, stored }) => ({ from_on, policy: appliedOf(stored, facts.calendar) }))

const historyOf = ({ employments, hours }: WorkFacts): WorkHistory => ({
  positions: employments.flatMap(positionsOf),
  hours: hours.map(([starts_on, ends_on, kind, hundredths]) => ({ starts_on, ends_on, kind, hundredths })),
})

/** A status of an employee as stored. `decided_on`: the first day after the measurement that decided it. */
export type StoredStatus = Pick<MeasuredStatus, 'starts_on' | 'ends_on' | 'is_full_time' | 'reason'> & {
  decided_on: Day | null
}

/**
 * The measured result for an employee, to be stored. `due_on`: the next day on which the result can change without new
 * facts.
 */
export type MeasuredEmployee = {
  employee_id: string
  statuses: StoredStatus[]
  is_full_time: boolean | null
  due_on: Day | null
  is_trending: boolean
}

/** The number of days after which the average of a running measurement counts as a trend. */
const min_trend_days = 28

/**
 * Whether an employee averages at least 30 hours so far in a measurement that continues, but is neither full-time today
 * nor about to become so by a completed measurement. The average covers the days through the last reported one.
 */
function isTrending(history: WorkHistory, educational: boolean, { open }: MeasuredPerson, today: Day): boolean {
  const reported = history.hours
    .map(({ ends_on }) => ends_on)
    .sort()
    .at(-1)
  const until = reported && earliest(reported, addDays(today, -1))
  return open.some(({ measured }) => {
    if (!until || daysBetween(measured.starts_on, until) + 1 < min_trend_days) return false
    return averageOf(history.hours, { ...measured, ends_on: until }, educational).is_full_time
  })
}

/** Measures an employee with all employments and hours of the person. Null without a policy. */
export function measureEmployee(facts: WorkFacts, today: Day): MeasuredEmployee {
  const { employee_id } = facts
  const terms = termsOf(facts, today)
  const history = historyOf(facts)
  const nothing = { employee_id, statuses: [], is_full_time: null, due_on: null, is_trending: false }
  if (terms.length === 0 || history.positions.length === 0) return nothing
  const { method, educational } = policyOn(terms, today)
  const person = measureTransfers(history, terms, today)
  const statuses = statusesOf(facts, person)
  const is_full_time = statuses.find((status) => isOn(status, today))?.is_full_time ?? null
  const starts = [...statuses.map(({ starts_on }) => starts_on), ...policiesOf(facts).map(({ from_on }) => from_on)]
  const changes = starts.filter((day) => day > today)
  const ends = person.open.map(({ measured }) => addDays(measured.ends_on, 1))
  const next_month = method === 'monthly' && is_full_time !== null ? [`${addDays(today, 32).slice(0, 8)}01`] : []
  return {
    employee_id,
    statuses,
    is_full_time,
    due_on: earliest(...changes, ...(is_full_time === null ? [] : ends), ...next_month),
    is_trending:
      is_full_time === false &&
      !statuses.some((status) => status.is_full_time && status.starts_on > today) &&
      isTrending(history, educational, person, today),
  }
}

/** The statuses on the days of one employment. Adjacent ones with the same result and reason are joined. */
function statusesOf({ employments, employee_id }: WorkFacts, { statuses }: MeasuredPerson): StoredStatus[] {
  const own = employments.find(({ id }) => id === employee_id)!
  const joined: StoredStatus[] = []
  for (const { starts_on, ends_on, is_full_time, reason, measurement } of statuses) {
    const part = overlap({ starts_on, ends_on: ends_on ?? forever }, { ...own, ends_on: own.ends_on ?? forever })
    if (!part) continue
    const last = joined.at(-1)
    const until = openEnd(part.ends_on)
    const follows = last?.ends_on != null && addDays(last.ends_on, 1) === part.starts_on
    if (follows && last.is_full_time === is_full_time && last.reason === reason) last.ends_on = until
    else {
      const decided_on = measurement && addDays(measurement.measured.ends_on, 1)
      joined.push({ starts_on: part.starts_on, ends_on: until, is_full_time, reason, decided_on })
    }
  }
  return joined
}

/**
 * Whether a measurement found an employee full-time who was not, now or starting on a later day. Full-time status by
 * class alone is not published.
 */
export function isNewlyFullTime(stored: StoredStatus[], { statuses }: MeasuredEmployee, today: Day): boolean {
  const isFullTimeOn = (day: Day) => stored.some((status) => status.is_full_time && isOn(status, day))
  return statuses.some(({ starts_on, ends_on, is_full_time, reason }) => {
    const first = starts_on > today ? starts_on : today
    return is_full_time && reason !== 'expected_full_time' && (ends_on ?? forever) >= today && !isFullTimeOn(first)
  })
}

/** Days whose status differs between two measurements of an employee. Null for no status. */
type StatusChange = {
  starts_on: Day
  ends_on: Day | null
  is_full_time_before: boolean | null
  is_full_time_after: boolean | null
}

/** How the status of an employee changes with other facts, such as more hours. */
export function statusChanges(before: WorkFacts, after: WorkFacts, today: Day): StatusChange[] {
  const [old, other] = [measureEmployee(before, today).statuses, measureEmployee(after, today).statuses]
  const isFullTimeOn = (statuses: StoredStatus[], day: Day) =>
    statuses.find((status) => isOn(status, day))?.is_full_time ?? null
  const bounds = [...old, ...other].flatMap(({ starts_on, ends_on }) => [
    starts_on,
    ...(ends_on ? [addDays(ends_on, 1)] : []),
  ])
  const days = [...new Set(bounds)].sort()
  const changes: StatusChange[] = []
  days.forEach((starts_on, index) => {
    const is_full_time_before = isFullTimeOn(old, starts_on)
    const is_full_time_after = isFullTimeOn(other, starts_on)
    if (is_full_time_before === is_full_time_after) return
    const next = days[index + 1]
    const ends_on = next ? addDays(next, -1) : null
    const last = changes.at(-1)
    const follows = last?.ends_on != null && addDays(last.ends_on, 1) === starts_on
    if (follows && last.is_full_time_before === is_full_time_before && last.is_full_time_after === is_full_time_after)
      last.ends_on = ends_on
    else changes.push({ starts_on, ends_on, is_full_time_before, is_full_time_after })
  })
  return changes
}

const sentences: Record<AcaStatus['reason_code'], string> = {
  no_policy:
    'No measurement policy of the employer applies to this employee. Add one for the compensation type, state or ' +
    'bargaining unit of the employee, or one for all employees.',
  not_employed: 'Not employed on this day.',
  standard_measurement: 'The standard measurement period decides this stability period.',
  initial_measurement: 'The initial measurement period decides this stability period.',
  measuring: 'The initial measurement period or its administrative period has not ended.',
  expected_full_time: 'The employee class is Full Time.',
  not_expected_full_time: 'The employee class is not Full Time.',
  changed_to_full_time: 'The fourth full month after the change to the class Full Time has begun.',
  change_not_assessed: 'The fourth full month after the change to the class Full Time has not begun.',
  monthly_hours: 'The hours of this month decide.',
}

/**
 * Why an employee has a status, with the next step if a fact is missing. `deciding` is the measurement that decided it,
 * also on days after its stability period that no other measurement decides.
 */
function reasonOf(
  { policies }: WorkFacts,
  { positions }: WorkHistory,
  reason_code: AcaStatus['reason_code'],
  deciding: Measurement | null | undefined,
): string {
  if (positions.length === 0) return 'Hours of individual contractors are not measured.'
  if (policies.length === 0) return 'The employer has no measurement policy. Set one to measure hours.'
  if (deciding?.is_reported === false)
    return 'No hours are reported for the measurement period, so the employee class decides. Report the hours.'
  return sentences[reason_code]
}

const inHours = (hundredths: number): number => hundredths / 100

function shownMeasurement(measurement: Measurement, has_ended: boolean): AcaStatus['measurements'][number] {
  const { kind, measured, stability } = measurement
  const administrative = { starts_on: addDays(measured.ends_on, 1), ends_on: addDays(stability.starts_on, -1) }
  return {
    kind,
    measurement_period: measured,
    administrative_period: administrative.starts_on <= administrative.ends_on ? administrative : null,
    stability_period: stability,
    has_ended,
    is_reported: measurement.is_reported,
    hours: inHours(measurement.hundredths),
    average_weekly_hours: inHours(measurement.weekly_hundredths),
    is_full_time: measurement.is_full_time,
  }
}

/** The average so far of a measurement that continues. */
function averageSoFar(history: WorkHistory, educational: boolean, period: MeasurementPeriod, today: Day): Measurement {
  const until = earliest(period.measured.ends_on, addDays(today, -1))!
  const elapsed = { ...period.measured, ends_on: until < period.measured.starts_on ? period.measured.starts_on : until }
  const average = averageOf(history.hours, elapsed, educational)
  return { ...period, ...average, is_reported: isReported(history.hours, elapsed) }
}

/** Measurements whose stability period ended earlier are not shown. */
const shown_past_days = 366

/** Explains the status of an employee on a day by all that is known today. */
export function explainStatus(facts: WorkFacts, as_of: Day, today: Day): AcaStatus {
  const { employee_id, employer_id } = facts
  const policies = policiesOf(facts)
  const stored = policies.findLast(({ from_on }) => from_on <= as_of)?.stored ?? policies[0]?.stored
  const terms = termsOf(facts, today)
  const history = historyOf(facts)
  const person = stored && history.positions.length > 0 ? measureTransfers(history, terms, today) : undefined
  const statuses = person ? statusesOf(facts, person) : []
  const status = statuses.find((each) => isOn(each, as_of))
  const reason_code = status?.reason ?? (stored ? 'not_employed' : 'no_policy')
  const deciding = status && person?.statuses.find((each) => isOn(each, as_of))?.measurement
  const open =
    person?.open.map((period) => shownMeasurement(averageSoFar(history, stored!.educational, period, today), false)) ??
    []
  return {
    employee_id,
    employer_id,
    as_of,
    is_full_time: status?.is_full_time ?? null,
    reason_code,
    reason: reasonOf(facts, history, reason_code, deciding),
    status_starts_on: status?.starts_on ?? null,
    status_ends_on: status?.ends_on ?? null,
    measurement_policy: stored ? shownPolicy(stored) : null,
    service_starts_on: person?.services.findLast(({ starts_on }) => starts_on <= as_of)?.starts_on ?? null,
    statuses: statuses.map(({ reason, decided_on: _, ...each }) => ({ ...each, reason_code: reason })),
    measurements: [
      ...(person?.measurements ?? [])
        .filter(({ stability }) => stability.ends_on >= addDays(as_of, -shown_past_days))
        .map((each) => shownMeasurement(each, true)),
      ...open,
    ],
    months: person
      ? monthlyStatuses(history, terms, Number(as_of.slice(0, 4)), today).map(({ reason, ...month }) => ({
          ...month,
          reason_code: reason,
        }))
      : [],
  }
}

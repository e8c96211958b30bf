import { addDays, firstOnOrAfter, monthEnd, monthsAfter, type Day } from '../../../kernel/days.ts'
import {
  type Average,
  averageOf,
  forever,
  isCredited,
  isFullTimeMonth,
  isReported,
  joinSpans,
  lengthOf,
  openEnd,
  overlap,
  type ServiceHours,
  type Span,
} from './hour-rules.ts'
import { initialPeriod, type MeasurementPeriod, type MeasurementPolicy, standardPeriodsFrom } from './period-rules.ts'

/**
 * Days of employment in a position that is reasonably expected to be full-time, or in one whose hours vary, are
 * seasonal or part-time (54.4980H-1(a)(32), (38), (49)). Null if there is no end.
 */
export type WorkPosition = { starts_on: Day; ends_on: Day | null; is_full_time: boolean }

/** The employment of a person at an ALE member and all reported hours of service there. */
export type WorkHistory = { positions: WorkPosition[]; hours: ServiceHours[] }

/** A measurement that has ended, with its result. `is_reported`: whether any hours of the period are known. */
export type Measurement = MeasurementPeriod & Average & { is_reported: boolean }

export type MeasuredReason =
  | 'standard_measurement'
  | 'initial_measurement'
  | 'measuring'
  | 'expected_full_time'
  | 'not_expected_full_time'
  | 'changed_to_full_time'
  | 'change_not_assessed'
  | 'monthly_hours'

/** The status on some days, with the measurement that decided it. Null if the end is not known yet. */
export type MeasuredStatus = {
  starts_on: Day
  ends_on: Day | null
  is_full_time: boolean
  reason: MeasuredReason
  measurement: Measurement | null
}

const startDay = <Item extends { starts_on: Day }>(items: Item[]): Day => items[0]!.starts_on

const spanOf = ({ starts_on, ends_on }: WorkPosition): Span => ({ starts_on, ends_on: ends_on ?? forever })

/** The days of employment, joined across positions. */
export const employedSpans = ({ positions }: WorkHistory): Span[] => joinSpans(positions.map(spanOf))

const isExpected = ({ positions }: WorkHistory, day: Day): boolean =>
  positions.some((position) => position.is_full_time && overlap(spanOf(position), { starts_on: day, ends_on: day }))

/**
 * The spans of service. A person who returns after a break is a continuing employee, and the span contains the break,
 * unless the break has 13 consecutive weeks without hours of service (54.4980H-3(d)(6)(i)(A); 26 weeks at educational
 * organizations, (ii)(A)), or four weeks and more than the service before it (rule of parity, (iv)).
 */
export function servicesOf(history: WorkHistory, policy: MeasurementPolicy): Span[] {
  const services: Span[] = []
  let last_served: Day | null = null
  for (const span of servedSpans(history)) {
    const service = services.at(-1)
    if (!service || isNew(policy, service, last_served!, span.starts_on)) services.push({ ...span })
    else service.ends_on = span.ends_on
    last_served = span.ends_on
  }
  return services
}

function isNew(policy: MeasurementPolicy, service: Span, last_served: Day, returned_on: Day): boolean {
  const away = lengthOf({ starts_on: addDays(last_served, 1), ends_on: addDays(returned_on, -1) })
  const served = lengthOf({ starts_on: service.starts_on, ends_on: last_served })
  return away >= 7 * (policy.educational ? 26 : 13) || (policy.parity && away >= 28 && away > served)
}

/**
 * The days with hours of service. An employment counts from its first day until its first reported hours, and in whole
 * if no hours of it are reported.
 */
function servedSpans(history: WorkHistory): Span[] {
  const credited = history.hours.filter(isCredited)
  return joinSpans(
    employedSpans(history).flatMap((employed) => {
      const served = joinSpans(credited.flatMap((row) => overlap(row, employed) ?? []))
      if (!served[0]) return [employed]
      return [{ ...served[0], starts_on: employed.starts_on }, ...served.slice(1)]
    }),
  )
}

/** Measures the hours of a period. Without reported hours, the expectation at its end decides. */
function measure(history: WorkHistory, policy: MeasurementPolicy, period: MeasurementPeriod): Measurement {
  const average = averageOf(history.hours, period.measured, policy.educational)
  const is_reported = isReported(history.hours, period.measured)
  const is_full_time = is_reported ? average.is_full_time : isExpected(history, period.measured.ends_on)
  return { ...period, ...average, is_full_time, is_reported }
}

/** The days of a status that applies unless an earlier candidate covers them. */
type StatusCandidate = Span & Omit<MeasuredStatus, 'starts_on' | 'ends_on'>

/** Everything about a new employee that ends with the stability period of the first whole standard measurement. */
type NewService = { service: Span; initial: MeasurementPeriod | null; ongoing_on: Day }

/**
 * The day on which the position of a new variable-hour, seasonal or part-time employee became full-time, during the
 * initial measurement period. Null if it did not.
 */
function changedOn(history: WorkHistory, { service, initial }: NewService): Day | null {
  if (!initial) return null
  const changes = history.positions
    .filter(({ is_full_time, starts_on }) => is_full_time && starts_on > service.starts_on)
    .filter(({ starts_on }) => starts_on <= initial.measured.ends_on)
  return changes.length > 0 ? startDay(changes.toSorted((a, b) => (a.starts_on < b.starts_on ? -1 : 1))) : null
}

/**
 * The statuses before an employee is an ongoing employee. A new employee who is expected to be full-time is full-time
 * from the start date (54.4980H-3(d)(2)). Others are not until the stability period of the initial measurement
 * (-3(d)(3)), or the fourth full calendar month after a change to a full-time position (-3(d)(3)(vii)). The result of
 * the initial measurement applies until the first standard measurement takes effect (-3(d)(4)).
 */
function beginningCandidates(
  history: WorkHistory,
  beginning: NewService,
  measured: Measurement | null,
): StatusCandidate[] {
  const { service, initial, ongoing_on } = beginning
  const before_ongoing = addDays(ongoing_on, -1)
  const plain = { measurement: null, starts_on: service.starts_on, ends_on: before_ongoing }
  if (!initial) {
    const until = history.positions
      .map(({ starts_on }) => starts_on)
      .filter((day) => day > service.starts_on && day < ongoing_on && !isExpected(history, day))
      .map((day) => addDays(day, -1))
      .sort()[0]
    return [
      { ...plain, ends_on: until ?? before_ongoing, is_full_time: true, reason: 'expected_full_time' },
      { ...plain, is_full_time: false, reason: 'not_expected_full_time' },
    ]
  }
  const candidates: StatusCandidate[] = []
  if (measured?.is_full_time) {
    const { starts_on, ends_on } = measured.stability
    const until = ends_on > before_ongoing ? ends_on : before_ongoing
    const reason = 'initial_measurement'
    candidates.push({ starts_on, ends_on: until, is_full_time: true, reason, measurement: measured })
  }
  const changed_on = changedOn(history, beginning)
  if (changed_on) {
    const fourth = fourthMonth(changed_on)
    const full_time = { ...plain, starts_on: fourth, is_full_time: true, reason: 'changed_to_full_time' } as const
    const waiting = { ...plain, starts_on: changed_on, ends_on: addDays(fourth, -1), is_full_time: false } as const
    candidates.push(full_time, { ...waiting, reason: 'change_not_assessed' })
  }
  const stable_on = initial.stability.starts_on
  candidates.push({ ...plain, ends_on: addDays(stable_on, -1), is_full_time: false, reason: 'measuring' })
  candidates.push({ ...plain, is_full_time: false, reason: 'initial_measurement', measurement: measured })
  return candidates
}

/** The first day of the fourth full calendar month that follows a day (54.4980H-3(d)(2)(iii) and (3)(vii)). */
const fourthMonth = (day: Day): Day => monthsAfter(firstOnOrAfter(day), 3)

/**
 * The statuses of one service by the look-back measurement method. A standard measurement in which a person was
 * employed on each day decides its stability period (54.4980H-3(d)(1)). Full-time status from an initial measurement
 * lasts through its stability period, regardless of the result of a standard measurement, and not-full-time status
 * gives way to it (-3(d)(4)).
 */
function measuredCandidates(history: WorkHistory, policy: MeasurementPolicy, service: Span, as_of: Day) {
  const hasEnded = ({ measured }: MeasurementPeriod) => measured.ends_on < as_of
  const standards: Measurement[] = []
  let pending: MeasurementPeriod | null = null
  let ongoing_on: Day | null = null
  for (const period of standardPeriodsFrom(policy, service.starts_on)) {
    ongoing_on ??= period.stability.starts_on
    if (!hasEnded(period)) {
      pending = period
      break
    }
    if (period.starts_on > service.ends_on) break
    standards.push(measure(history, policy, period))
  }
  const initial = isExpected(history, service.starts_on) ? null : initialPeriod(policy, service.starts_on)
  const initial_measured = initial && hasEnded(initial) ? measure(history, policy, initial) : null
  const beginning = { service, initial, ongoing_on: ongoing_on! }
  const reason = 'standard_measurement'
  const byStandard = standards
    .map((measurement) => ({ ...measurement.stability, is_full_time: measurement.is_full_time, reason, measurement }))
    .toReversed() as StatusCandidate[]
  const open = [...(pending ? [pending] : []), ...(initial && !initial_measured ? [initial] : [])]
  const known_until = open.map(({ stability }) => stability.starts_on).toSorted()[0] ?? forever
  const candidates = [
    ...byStandard.filter(({ is_full_time }) => is_full_time),
    ...beginningCandidates(history, beginning, initial_measured),
    ...byStandard.filter(({ is_full_time }) => !is_full_time),
  ]
  return {
    candidates,
    known_until,
    measurements: [...(initial_measured ? [initial_measured] : []), ...standards],
    open,
  }
}

/** The monthly measurement method: each month by its own hours (54.4980H-3(c)), or by expectation until reported. */
function monthlyCandidates(
  history: WorkHistory,
  policy: MeasurementPolicy,
  service: Span,
  as_of: Day,
): StatusCandidate[] {
  const candidates: StatusCandidate[] = []
  const until = service.ends_on < as_of ? service.ends_on : as_of
  for (let month = `${service.starts_on.slice(0, 8)}01`; month <= until; month = monthsAfter(month, 1)) {
    const span = { starts_on: month, ends_on: monthEnd(month) }
    if (span.ends_on >= as_of || !isReported(history.hours, span)) continue
    const is_full_time = isFullTimeMonth(history.hours, month, policy.by_weeks)
    candidates.push({ ...span, is_full_time, reason: 'monthly_hours', measurement: null })
  }
  const expected = history.positions.map((position): StatusCandidate => {
    const { is_full_time } = position
    const reason = is_full_time ? 'expected_full_time' : 'not_expected_full_time'
    return { ...spanOf(position), is_full_time, reason, measurement: null }
  })
  return [...candidates, ...expected.toSorted((a, b) => Number(b.is_full_time) - Number(a.is_full_time))]
}

/** The statuses on the days of a span: on each day the first candidate that covers it, or else the status before. */
function statusesIn(span: Span, candidates: StatusCandidate[]): MeasuredStatus[] {
  const within = candidates.filter((candidate) => overlap(candidate, span))
  const bounds = within.flatMap(({ starts_on, ends_on }) => [starts_on, dayAfter(ends_on)])
  const days = [...new Set([span.starts_on, ...bounds])].filter((day) => day >= span.starts_on && day <= span.ends_on)
  const statuses: (MeasuredStatus & Span)[] = []
  for (const day of days.sort()) {
    const chosen = within.find((candidate) => candidate.starts_on <= day && candidate.ends_on >= day)
    const last = statuses.at(-1)
    if (!chosen || (last && isSame(chosen, last))) continue
    const { is_full_time, reason, measurement } = chosen
    if (last) last.ends_on = addDays(day, -1)
    statuses.push({ starts_on: day, ends_on: span.ends_on, is_full_time, reason, measurement })
  }
  return statuses
}

const dayAfter = (day: Day): Day => (day === forever ? forever : addDays(day, 1))

const isSame = (one: Omit<MeasuredStatus, 'starts_on' | 'ends_on'>, other: MeasuredStatus): boolean =>
  one.is_full_time === other.is_full_time && one.reason === other.reason && one.measurement === other.measurement

/** The outcome for a person: the status of each day of employment, and the measurements that ended or continue. */
export type MeasuredPerson = {
  services: Span[]
  statuses: MeasuredStatus[]
  measurements: Measurement[]
  open: MeasurementPeriod[]
}

/**
 * Measures a person. Only measurements that ended before `as_of` count. The status of the last known day continues
 * until a measurement ends it.
 */
export function measurePerson(history: WorkHistory, policy: MeasurementPolicy, as_of: Day): MeasuredPerson {
  const outcome: MeasuredPerson = { services: servicesOf(history, policy), statuses: [], measurements: [], open: [] }
  const employed = employedSpans(history)
  outcome.services.forEach(({ starts_on }, index) => {
    const next = outcome.services[index + 1]
    const days = { starts_on, ends_on: next ? addDays(next.starts_on, -1) : forever }
    const spans = employed.flatMap((span) => overlap(span, days) ?? [])
    const service = { starts_on, ends_on: spans.at(-1)!.ends_on }
    const { candidates, measurements, open } = candidatesOf(history, policy, service, as_of)
    for (const status of statusesIn(days, candidates)) {
      const parts = spans.flatMap((span) => overlap({ ...status, ends_on: status.ends_on! }, span) ?? [])
      outcome.statuses.push(...parts.map((part) => ({ ...status, ...part, ends_on: openEnd(part.ends_on) })))
    }
    outcome.measurements.push(...measurements)
    if (!next) outcome.open = open
  })
  return outcome
}

function candidatesOf(history: WorkHistory, policy: MeasurementPolicy, service: Span, as_of: Day) {
  if (policy.method === 'monthly')
    return { candidates: monthlyCandidates(history, policy, service, as_of), measurements: [], open: [] }
  const { candidates, known_until, ...rest } = measuredCandidates(history, policy, service, as_of)
  const last_known = addDays(known_until, -1)
  const known = candidates.filter(({ starts_on }) => starts_on <= last_known)
  return {
    ...rest,
    candidates: known.map((each) => (each.ends_on > last_known ? { ...each, ends_on: last_known } : each)),
  }
}

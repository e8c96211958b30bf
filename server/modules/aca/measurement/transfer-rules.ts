import { addDays, type Day } from '../../../kernel/days.ts'
import { forever, isOn, joinSpans, openEnd, overlap, type Span } from './hour-rules.ts'
import type { MeasurementPeriod, MeasurementPolicy } from './period-rules.ts'
import { type MeasuredPerson, type MeasuredStatus, measurePerson, type WorkHistory } from './status-rules.ts'

/** The policy for a person starting on a day, until the next one. A change of category can change the policy. */
export type PolicyTerm = { from_on: Day; policy: MeasurementPolicy }

/** The policy on a day. The first one also applies to earlier days. */
export const policyOn = (terms: PolicyTerm[], day: Day): MeasurementPolicy =>
  (terms.findLast(({ from_on }) => from_on <= day) ?? terms[0]!).policy

type Applied = { method: MeasurementPolicy['method']; person: MeasuredPerson }

/**
 * Measures a person whose policy changes with the position. Each policy is applied to the whole history, because hours
 * before a change count, and the statuses are joined at each change.
 */
export function measureTransfers(history: WorkHistory, terms: PolicyTerm[], as_of: Day): MeasuredPerson {
  const applied = terms.map(({ policy }): Applied => ({
    method: policy.method,
    person: measurePerson(history, policy, as_of),
  }))
  return applied.reduce((before, after, index) => ({
    method: after.method,
    person: joinResultsAt(terms[index]!.from_on, before, after),
  })).person
}

/** Joins the results of the policies before and after a change. */
function joinResultsAt(changed_on: Day, before: Applied, after: Applied): MeasuredPerson {
  const join = before.method === 'look_back' && after.method === 'look_back' ? betweenPeriods : betweenMethods
  const { until, window, undecided_on, isKept } = join(changed_on, before, after)
  const [old, other] = [before.person, after.person]
  const statuses = [
    ...clipStatuses(old.statuses, { starts_on: '0001-01-01', ends_on: addDays(changed_on, -1) }),
    ...window,
    ...clipStatuses(other.statuses, { starts_on: addDays(until, 1), ends_on: forever }),
  ]
  return {
    services: other.services,
    statuses: undecided_on ? continueStatus(undecided_on, statuses) : statuses,
    measurements: [
      ...old.measurements.filter(isKept),
      ...other.measurements.filter(({ stability }) => stability.ends_on > until),
    ],
    open: [...old.open.filter(isKept), ...other.open],
  }
}

/**
 * The time after a change of policy in which measurements by the old policy still decide. `until` is its last day and
 * `window` its statuses. `undecided_on` is the first day whose measurement has not ended. `isKept` selects the
 * measurements by the old policy that decide days after the change.
 */
type Transition = {
  until: Day
  window: MeasuredStatus[]
  undecided_on: Day | undefined
  isKept: (period: MeasurementPeriod) => boolean
}

const lastStableDay = (periods: MeasurementPeriod[], changed_on: Day): Day =>
  [addDays(changed_on, -1), ...periods.map(({ stability }) => stability.ends_on)].sort().at(-1)!

/**
 * A change between two look-back policies: the stability period of a measurement that ended before the change runs to
 * its end (Notice 2014-49).
 */
function betweenPeriods(changed_on: Day, { person }: Applied): Transition {
  const isKept = ({ measured }: MeasurementPeriod) => measured.ends_on < changed_on
  const until = lastStableDay(person.measurements.filter(isKept), changed_on)
  const window = clipStatuses(person.statuses, { starts_on: changed_on, ends_on: until })
  return { until, window, undecided_on: undefined, isKept }
}

/**
 * A change between the look-back and the monthly measurement method: until the end of the stability period of the
 * measurement during which the change occurs, a day is full-time if either method finds it so (54.4980H-3(f)(1)).
 * An employer may also treat a person who is not full-time at the change as such for the rest of the stability period;
 * this choice is not modeled.
 */
function betweenMethods(changed_on: Day, before: Applied, after: Applied): Transition {
  // A person who is measured by month has only measurements that an earlier change of policy kept. They all count.
  const isDuring =
    ({ method }: Applied) =>
    ({ measured }: MeasurementPeriod) =>
      method === 'monthly' || isOn(measured, changed_on)
  const open = [before, after].flatMap((one) => one.person.open.filter(isDuring(one)))
  const ended = [before, after].flatMap((one) => one.person.measurements.filter(isDuring(one)))
  const until = lastStableDay([...open, ...ended], changed_on)
  const span = { starts_on: changed_on, ends_on: until }
  return {
    until,
    window: mergeFullTime(before.person.statuses, after.person.statuses, span),
    undecided_on: open.map(({ stability }) => stability.starts_on).sort()[0],
    isKept: ({ measured }) => measured.starts_on <= changed_on,
  }
}

/** The statuses with the one before a day continued over the later days of employment, which nothing decides yet. */
function continueStatus(day: Day, statuses: MeasuredStatus[]): MeasuredStatus[] {
  const known = clipStatuses(statuses, { starts_on: '0001-01-01', ends_on: addDays(day, -1) })
  const last = known.pop()
  if (!last) return statuses
  const later = clipStatuses(statuses, { starts_on: day, ends_on: forever })
  const spans = joinSpans(
    [last, ...later].map(({ starts_on, ends_on }) => ({ starts_on, ends_on: ends_on ?? forever })),
  )
  return [...known, ...spans.map((span) => ({ ...last, ...span, ends_on: openEnd(span.ends_on) }))]
}

/** The parts of statuses within a span. */
const clipStatuses = (statuses: MeasuredStatus[], span: Span): MeasuredStatus[] =>
  statuses.flatMap((status) => {
    const part = overlap({ starts_on: status.starts_on, ends_on: status.ends_on ?? forever }, span)
    return part ? [{ ...status, ...part, ends_on: openEnd(part.ends_on) }] : []
  })

/** On each day of a span the status that is full-time, or else the other one. */
function mergeFullTime(one: MeasuredStatus[], other: MeasuredStatus[], span: Span): MeasuredStatus[] {
  const both = [...clipStatuses(other, span), ...clipStatuses(one, span)].toSorted(
    (a, b) => Number(b.is_full_time) - Number(a.is_full_time),
  )
  const bounds = both.flatMap(({ starts_on, ends_on }) => [starts_on, addDays(ends_on!, 1)])
  const days = [...new Set(bounds)].sort()
  return days.slice(0, -1).flatMap((starts_on, index) => {
    const status = both.find((each) => isOn(each, starts_on))
    return status ? [{ ...status, starts_on, ends_on: addDays(days[index + 1]!, -1) }] : []
  })
}

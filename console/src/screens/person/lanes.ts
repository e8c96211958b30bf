import type {
  AcaStatus,
  DeductionProof,
  Dependent,
  EligibilityExplanation,
  Employee,
  Enrollment,
  LifeEvent,
  WageEntry,
} from 'openbenefits'
import { addDays, formatDollars, toSentence, toneOf } from '../../format.ts'
import { classLabel } from '../../parts/benefits/labels.ts'
import { easternDayOf } from '../../zoned-days.ts'
import type { Lane, Span } from '../../parts/page/spans.ts'
import { answerOf, neverStarted, planAndLevel, enrollmentStatus, toneOfCoverage } from './coverage-status.ts'

export type Facts = {
  employee: Employee
  eligibility: EligibilityExplanation | undefined
  /** the selected day, if it is not today */
  as_of: string | undefined
  /** enrollments as of that day */
  enrollments: Enrollment[]
  dependents: Dependent[]
  life_events: LifeEvent[]
  wages: WageEntry[]
  /** the value for the selected year. Undefined if unknown or not visible to the user */
  proof: DeductionProof | undefined
  /** the measurement of hours. Undefined if unknown or not visible to the user */
  aca: AcaStatus | undefined
}

const dayBefore = (day: string) => addDays(day, -1)

/**
 * The facts about a person as lanes of spans. `linkTo` links to the explanation of a span, optionally as of another
 * day.
 */
export function lanesOf(
  { employee, eligibility, as_of, enrollments, dependents, life_events, wages, proof, aca }: Facts,
  linkTo: (why: string, on?: string) => NonNullable<Span['link']>,
): Lane[] {
  const benefits = Map.groupBy(enrollments, ({ benefit }) => benefit.name)
  return [
    { name: 'Employment', spans: [employmentSpan(employee, linkTo)] },
    { name: 'Class', spans: classSpans(employee, eligibility, linkTo) },
    { name: 'Pay', spans: separateOverlaps(wages.map((wage) => paySpans(wage, employee, linkTo))) },
    { name: 'ACA', spans: aca ? acaSpans(aca, linkTo) : [] },
    { name: 'Eligibility', spans: eligibility ? eligibleSpans(eligibility, linkTo) : [] },
    ...[...benefits].map(([name, those]) => ({
      name,
      spans: separateOverlaps(those.filter((one) => !neverStarted(one)).flatMap((one) => coverageSpans(one, linkTo))),
    })),
    { name: 'Windows', spans: enrollments.flatMap((one) => windowSpans(one, linkTo)) },
    { name: 'Elections', spans: electionsOf(enrollments, as_of).map((election) => electionSpan(election, linkTo)) },
    { name: 'Deductions', spans: proof ? deductionSpans(proof, enrollments, linkTo) : [] },
    { name: 'Life events', spans: life_events.map((event) => lifeEventSpan(event, linkTo)) },
    { name: 'Dependents', spans: dependents.flatMap((one) => dependentSpans(one, linkTo)) },
  ].filter(({ spans }) => spans.length > 0)
}

type LinkTo = Parameters<typeof lanesOf>[1]

const employmentSpan = ({ employer_name, hire_date, termination_date, status }: Employee, linkTo: LinkTo): Span => ({
  id: 'employment',
  label: employer_name,
  start: hire_date,
  end: termination_date,
  tone: toneOf(status),
  link: linkTo('employment'),
})

/** The classes of the employment. The current class is enough until the history is known. */
function classSpans(employee: Employee, explained: EligibilityExplanation | undefined, linkTo: LinkTo): Span[] {
  const { employee_class, classification_effective_date, termination_date: end } = employee
  const current = employee_class === null ? [] : [{ employee_class, effective_on: classification_effective_date }]
  const classes = (explained?.class_history ?? current).map(({ employee_class, effective_on: start }): Span => ({
    id: `class-${start}`,
    label: classLabel(employee_class),
    start,
    end,
    tone: 'over',
    link: linkTo('employment'),
  }))
  return separateOverlaps(classes.filter(({ start }) => end === null || start === null || start <= end))
}

const paySpans = (
  { monthly_wage_in_cents, effective_on }: WageEntry,
  { termination_date }: Employee,
  linkTo: LinkTo,
): Span => ({
  id: `pay-${effective_on}`,
  label: `${formatDollars(monthly_wage_in_cents)} a month`,
  start: effective_on,
  end: termination_date,
  tone: 'over',
  link: linkTo('pay'),
})

function eligibleSpans(explained: EligibilityExplanation, linkTo: LinkTo): Span[] {
  const { anchor, eligible_on: begins, eligibility_lost_on: lost } = explained
  const link = linkTo('eligibility')
  const spans: Span[] = []
  if (anchor && begins && anchor < begins)
    spans.push({ id: 'waiting', label: 'Waiting period', start: anchor, end: dayBefore(begins), tone: 'wait', link })
  if (begins) {
    const end = lost && dayBefore(lost)
    if (end === null || end >= begins)
      spans.push({ id: 'eligibility', label: 'Eligible', start: begins, end, tone: 'good', link })
  }
  return spans
}

/** The periods of each measurement of hours, and the statuses that follow from the class. */
function acaSpans({ measurements, statuses }: AcaStatus, linkTo: LinkTo): Span[] {
  const by_class = statuses.filter(({ reason_code }) => /expected|changed/.test(reason_code))
  return [
    ...by_class.map(({ starts_on, ends_on, is_full_time }): Span => ({
      id: `aca-class-${starts_on}`,
      label: `${is_full_time ? 'Full-time' : 'Not full-time'} by class`,
      start: starts_on,
      end: ends_on,
      tone: is_full_time ? 'good' : 'over',
      link: linkTo('aca'),
    })),
    ...measurements.flatMap((one) => measurementSpans(one, linkTo(`aca-${one.measurement_period.starts_on}`))),
  ]
}

function measurementSpans(one: AcaStatus['measurements'][number], link: NonNullable<Span['link']>): Span[] {
  const { kind, measurement_period, administrative_period, stability_period, has_ended, is_full_time } = one
  const id = `aca-${measurement_period.starts_on}`
  const daysOf = ({ starts_on: start, ends_on: end }: { starts_on: string; ends_on: string }) => ({ start, end })
  return [
    { id, label: `${toSentence(kind)} measurement`, ...daysOf(measurement_period), tone: 'wait', link },
    ...(administrative_period
      ? [
          {
            id: `${id}-administrative`,
            label: 'Administrative',
            ...daysOf(administrative_period),
            tone: 'over',
            link,
          } as const,
        ]
      : []),
    ...(has_ended
      ? [
          {
            id: `${id}-stability`,
            label: is_full_time ? 'Stability: full-time' : 'Stability: not full-time',
            ...daysOf(stability_period),
            tone: is_full_time ? 'good' : 'over',
            link,
          } as const,
        ]
      : []),
  ]
}

/** Coverage, split where the election changes. */
function coverageSpans(enrollment: Enrollment, linkTo: LinkTo): Span[] {
  const { id, coverage_start: start, coverage_end: end, elected_from, upcoming_election: next } = enrollment
  const common = { tone: toneOfCoverage(enrollment), link: linkTo(id) }
  const since = elected_from && elected_from > start ? elected_from : start
  const spans: Span[] = [{ ...common, id, label: describeElection(enrollment, 'now'), start: since, end }]
  if (since > start) {
    const until = dayBefore(since)
    spans.push({ ...common, id: `${id}-before`, label: 'Before a change', start, end: until, link: linkTo(id, until) })
  }
  if (next) spans.push({ ...common, id: `${id}-next`, label: planAndLevel(next), start: next.effective_on, end })
  return spans
}

/** A span without an end lasts until the next one starts. */
function separateOverlaps(spans: Span[]): Span[] {
  const ordered = spans.toSorted((a, b) => (a.start ?? '').localeCompare(b.start ?? ''))
  return ordered.map((span, at) => {
    const next = ordered[at + 1]?.start
    return next && (span.end === null || span.end >= next) && next > (span.start ?? '')
      ? { ...span, end: dayBefore(next) }
      : span
  })
}

const windowSpans = ({ id, window, benefit }: Enrollment, linkTo: LinkTo): Span[] =>
  window
    ? [{ id: `${id}-window`, label: `Enrollment window: ${benefit.name}`, ...window, tone: 'wait', link: linkTo(id) }]
    : []

/**
 * The state of an answer on the selected day. `now`: in effect. `ahead`: given, in effect from a later day. `later`:
 * given after the selected day.
 */
type ElectionState = 'now' | 'ahead' | 'later'

/** The answers given on a day, or in effect from a later day. */
export type Election = { id: string; day: string; stands: ElectionState; enrollments: Enrollment[] }

/** The answers in effect, grouped by the day on which they were given, and the upcoming ones. */
export function electionsOf(enrollments: Enrollment[], as_of: string | undefined): Election[] {
  const given = enrollments.filter(({ answered_at }) => answered_at !== null)
  const ahead = enrollments.filter(({ upcoming_election }) => upcoming_election !== null)
  return [
    ...[...Map.groupBy(given, ({ answered_at }) => easternDayOf(answered_at!))].map(([day, those]) => ({
      id: `answered-${day}`,
      day,
      stands: as_of !== undefined && day > as_of ? ('later' as const) : ('now' as const),
      enrollments: those,
    })),
    ...[...Map.groupBy(ahead, ({ upcoming_election }) => upcoming_election!.effective_on)].map(([day, those]) => ({
      id: `ahead-${day}`,
      day,
      stands: 'ahead' as const,
      enrollments: those,
    })),
  ]
}

/** The election of a benefit in a few words. */
export function describeElection(of: Enrollment, stands: ElectionState): string {
  const elected = stands === 'ahead' ? of.upcoming_election : of
  if (stands === 'later') return 'changed'
  if (elected?.plan && answerOf(of) === 'elected') return planAndLevel(elected)
  return toSentence(answerOf(of) === 'waived' ? 'waived' : enrollmentStatus(of))
}

const electionSpan = ({ id, day, stands, enrollments }: Election, linkTo: LinkTo): Span => ({
  id,
  label: enrollments.map((one) => `${one.benefit.name}: ${describeElection(one, stands)}`).join('; '),
  start: day,
  end: day,
  tone: stands === 'ahead' ? 'wait' : enrollments.some(({ plan }) => plan !== null) ? 'good' : 'over',
  link: linkTo(id),
})

/** The days of a year with deductions due, from the coverage of its enrollments. */
export function chargedDays({ year, enrollments: due }: DeductionProof, enrollments: Enrollment[]): [string, string] {
  const those = enrollments.filter(({ id }) => due.some(({ enrollment_id }) => enrollment_id === id))
  const within = (day: string) => [`${year}-01-01`, day, `${year}-12-31`].toSorted()[1]!
  const starts = those.map(({ coverage_start }) => within(coverage_start)).toSorted()
  const ends = those.map(({ coverage_end }) => within(coverage_end ?? `${year}-12-31`)).toSorted()
  return [starts[0] ?? `${year}-01-01`, ends.at(-1) ?? `${year}-12-31`]
}

/** The deductions on the statements of a year, and those that later statements request. */
function deductionSpans(proof: DeductionProof, enrollments: Enrollment[], linkTo: LinkTo): Span[] {
  const { due_in_cents: due, collected_in_cents: collected, through } = proof
  if (due === 0 && collected === 0) return []
  const [start, end] = chargedDays(proof, enrollments)
  const until = through === null || through < start ? dayBefore(start) : through > end ? end : through
  const is_even = proof.difference_in_cents === 0 && proof.outstanding_in_cents === 0
  const common = { link: linkTo('deductions') }
  const so_far: Span = {
    ...common,
    id: 'deductions',
    label: `${formatDollars(collected)} of ${formatDollars(due)} on statements`,
    start,
    end: until,
    tone: is_even ? 'good' : 'wait',
  }
  const to_come: Span = {
    ...common,
    id: 'deductions-to-come',
    label: `${formatDollars(due - collected)} to come`,
    start: addDays(until),
    end,
    tone: 'over',
  }
  return [...(until >= start ? [so_far] : []), ...(until < end && due > collected ? [to_come] : [])]
}

const lifeEventSpan = (event: LifeEvent, linkTo: LinkTo): Span => ({
  id: event.id,
  label: toSentence(event.type),
  start: event.occurred_on,
  end: event.window_end ?? event.occurred_on,
  tone: toneOf(event.status),
  link: linkTo(event.id),
})

function dependentSpans({ id, first_name, created_at, ended_on, covered_until }: Dependent, linkTo: LinkTo): Span[] {
  const start = easternDayOf(created_at)
  const end = covered_until ?? ended_on
  return end !== null && end < start ? [] : [{ id, label: first_name, start, end, tone: 'over', link: linkTo(id) }]
}

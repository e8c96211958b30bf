import type { Dependent, EligibilityExplanation, Employee, Enrollment, LifeEvent, ToldWage } from 'openbenefits'
import type { Lane, Span } from '../../parts/time-line.tsx'
import { inDollars, sentence, toneOf } from '../../parts/words.ts'

export type Facts = {
  employee: Employee
  eligibility: EligibilityExplanation | undefined
  enrollments: Enrollment[]
  dependents: Dependent[]
  life_events: LifeEvent[]
  wages: ToldWage[]
}

const dayBefore = (day: string) => new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10)

/** What is told of a person, as lanes of spans. `linkTo` leads to why the days of one are what they are. */
export function lanesOf(
  { employee, eligibility, enrollments, dependents, life_events, wages }: Facts,
  linkTo: (why: string) => NonNullable<Span['link']>,
): Lane[] {
  const benefits = Map.groupBy(enrollments, ({ benefit }) => benefit.name)
  return [
    { name: 'Employment', spans: [employmentOf(employee, linkTo)] },
    { name: 'Class', spans: classOf(employee, linkTo) },
    { name: 'Pay', spans: inTurn(wages.map((wage) => payOf(wage, employee))) },
    { name: 'Eligibility', spans: eligibility ? eligibleSpans(eligibility, linkTo) : [] },
    ...[...benefits].map(([name, those]) => ({ name, spans: inTurn(those.map((one) => coverageOf(one, linkTo))) })),
    { name: 'Windows', spans: enrollments.flatMap(windowOf) },
    { name: 'Life events', spans: life_events.map(lifeEventOf) },
    { name: 'Dependents', spans: dependents.flatMap(dependentOf) },
  ].filter(({ spans }) => spans.length > 0)
}

type LinkTo = Parameters<typeof lanesOf>[1]

const employmentOf = ({ employer_name, hire_date, termination_date, status }: Employee, linkTo: LinkTo): Span => ({
  id: 'employment',
  label: employer_name,
  start: hire_date,
  end: termination_date,
  tone: toneOf(status),
  link: linkTo('employment'),
})

const classOf = (employee: Employee, linkTo: LinkTo): Span[] =>
  employee.employee_class === null
    ? []
    : [
        {
          id: 'class',
          label: [employee.employee_class, employee.compensation_type].filter(Boolean).join(', '),
          start: employee.classification_effective_date,
          end: employee.termination_date,
          tone: 'over',
          link: linkTo('employment'),
        },
      ]

const payOf = ({ monthly_wage_in_cents, effective_on }: ToldWage, { termination_date }: Employee): Span => ({
  id: `pay-${effective_on}`,
  label: `${inDollars(monthly_wage_in_cents)} a month`,
  start: effective_on,
  end: termination_date,
  tone: 'over',
})

function eligibleSpans(explained: EligibilityExplanation, linkTo: LinkTo): Span[] {
  const { anchor, waiting_period_ends_on: begins, eligibility_lost_on: lost } = explained
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

const coverageOf = (enrollment: Enrollment, linkTo: LinkTo): Span => ({
  id: enrollment.id,
  label:
    enrollment.status === 'enrolled' && enrollment.plan
      ? [enrollment.plan.name, enrollment.coverage_tier].filter(Boolean).join(', ')
      : sentence(enrollment.status),
  start: enrollment.coverage_start,
  end: enrollment.coverage_end,
  tone: toneOf(enrollment.status),
  link: linkTo(enrollment.id),
})

/** One begins where the one before it gives way: an enrollment without an end lasts until the next plan year. */
function inTurn(spans: Span[]): Span[] {
  const ordered = spans.toSorted((a, b) => (a.start ?? '').localeCompare(b.start ?? ''))
  return ordered.map((span, at) => {
    const next = ordered[at + 1]?.start
    return next && (span.end === null || span.end >= next) && next > (span.start ?? '')
      ? { ...span, end: dayBefore(next) }
      : span
  })
}

const windowOf = ({ id, window, benefit }: Enrollment): Span[] =>
  window ? [{ id: `${id}-window`, label: `To choose ${benefit.name}`, ...window, tone: 'wait' }] : []

const lifeEventOf = (event: LifeEvent): Span => ({
  id: event.id,
  label: sentence(event.type),
  start: event.occurred_on,
  end: event.window_end ?? event.occurred_on,
  tone: toneOf(event.status),
})

const dependentOf = ({ id, first_name, created_at, ended_on, covered_until }: Dependent): Span[] => {
  const start = created_at.slice(0, 10)
  const end = covered_until ?? ended_on
  return end !== null && end < start ? [] : [{ id, label: first_name, start, end, tone: 'over' }]
}

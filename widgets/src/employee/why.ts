import { html, nothing, type TemplateResult } from 'lit'
import type { Day, EligibilityExplanation, Enrollment } from 'openbenefits'
import { addDays } from '../core/format.ts'
import { loadingPlaceholder, facts, heading, status } from '../core/parts.ts'
import { coverageSpan, covers, frameOf, lastDayOf, type Span, timeline } from '../core/timeline.ts'
import { inOrder } from './choices.ts'
import type { EmployeeHost } from './host.ts'

type Explained = EligibilityExplanation['benefits'][number]

/** A benefit, the explanation of its coverage start, and all its enrollments, oldest first. */
type BenefitHistory = { explained: Explained; enrollments: Enrollment[]; spans: Span[] }

/** Days that a timeline reaches back. A longer past would leave no room for recent dates. */
const reach = 400

/** The waiting period of a benefit, and its elected coverage. */
function spansOf({ anchor, aligned_day }: Explained, enrollments: Enrollment[], today: Day): Span[] {
  const waiting = { from: anchor, to: addDays(aligned_day, -1), kind: 'waiting' } as const
  return [
    ...(aligned_day > anchor ? [waiting] : []),
    ...enrollments.filter(covers).map((one) => coverageSpan(one, today)),
  ]
}

/** One history per benefit, with the explanation of its latest plan year. */
function historiesOf({ benefits, as_of }: EligibilityExplanation, all: Enrollment[]): BenefitHistory[] {
  const ended = inOrder(all).map((one) => ({ ...one, coverage_end: lastDayOf(one, all) }))
  return [...Map.groupBy(benefits, ({ benefit }) => benefit.id)].map(([id, those]) => {
    const explained = those.toSorted((a, b) => (a.floor < b.floor ? 1 : -1))[0]!
    const enrollments = ended.filter(({ benefit }) => benefit.id === id)
    return { explained, enrollments, spans: spansOf(explained, enrollments, as_of) }
  })
}

/** Explains when coverage starts, or since when the employee is covered, as text and as timelines. */
export function why(host: EmployeeHost): TemplateResult {
  const { w, f, explanation, enrollments } = host
  if (!explanation || !enrollments) return loadingPlaceholder(w.loading)
  const { reason_code, as_of, hire_date, eligible_on, eligibility_lost_on, benefits } = explanation
  const histories = historiesOf(explanation, enrollments)
  const all_spans = histories.flatMap(({ spans }) => spans)
  const [first, last] = frameOf(all_spans, as_of)
  const furthest = addDays(as_of, -reach)
  const frame: [Day, Day] = [first < furthest ? furthest : first, last]
  const isDrawn = (kind: Span['kind']) => all_spans.some((one) => one.kind === kind && isWithin(one, frame))
  const rule = benefits[0]?.rule
  return html`${heading(w.why)}
    <p>${w.why_codes[reason_code]}</p>
    ${facts([
      [w.hired, hire_date && f.day(hire_date)],
      [w.waiting_period, rule && w.rules[rule]],
      [w.eligible_from, eligible_on && f.day(eligible_on)],
      [w.eligibility_lost, eligibility_lost_on && f.day(eligibility_lost_on)],
      [w.today, f.day(as_of)],
    ])}
    <ul class="rows">
      ${histories.map((one) => benefit(host, one, as_of, frame))}
    </ul>
    <div class="stack quiet" aria-hidden="true">
      <p class="line"><span>${f.day(frame[0])}</span><span>${f.day(frame[1])}</span></p>
      <p>
        ${isDrawn('waiting') ? status(w.waiting_period, 'wait') : nothing}
        ${isDrawn('covered') ? status(w.covered, 'good') : nothing}
        ${isDrawn('over') ? status(w.coverage_over) : nothing} │ ${w.today}
      </p>
    </div>`
}

/** Whether any day of a span is inside the timeline. */
const isWithin = ({ to }: Span, [first]: [Day, Day]): boolean => to === null || to >= first

function benefit(host: EmployeeHost, history: BenefitHistory, today: Day, frame: [Day, Day]): TemplateResult {
  const { w, f } = host
  const name = host.nameOf(history.explained.benefit.name)
  const spans = history.spans.filter((one) => isWithin(one, frame))
  const [waiting] = spans.filter(({ kind }) => kind === 'waiting')
  const state = stateOf(host, history, today)
  const picture = [name, waiting && `${w.waiting_period}: ${f.span(waiting.from, waiting.to)}`, state].filter(Boolean)
  return html`<li class="stack tight">
    <div class="line">
      <strong>${name}</strong>
      <span class="quiet">${state}</span>
    </div>
    ${timeline(w.picture(picture.join('. ')), spans, today, frame)}
  </li>`
}

/** The state of a benefit: its current or next coverage, or else the reason for having none. */
function stateOf({ w, f }: EmployeeHost, { explained, enrollments }: BenefitHistory, today: Day): string {
  const covered = enrollments.filter(covers)
  const present = covered.find(({ coverage_end }) => coverage_end === null || coverage_end >= today)
  if (present) {
    const from = present.coverage_start
    const to = lastDayWithoutGap(present, covered)
    return from > today ? w.starts(f.day(from)) : to ? w.ends(f.day(to)) : `${w.covered} ${f.span(from, null)}`
  }
  const open = enrollments.findLast((one) => one.status === 'pending' || one.status === 'waived')
  if (open?.status === 'waived') return w.status.waived
  if (open) return open.window ? `${w.status.pending}. ${w.can_start(f.day(open.coverage_start))}` : w.status.expired
  const last = covered.at(-1)
  if (last) return w.has_ended(f.day(last.coverage_end!))
  if (explained.warnings.some(({ code }) => code === 'not_offered_in_state')) return w.not_offered_in_state
  return explained.coverage_start ? w.can_start(f.day(explained.coverage_start)) : w.not_eligible
}

/** The last day of continuous coverage, across plan years without a gap. Null if no end is known. */
function lastDayWithoutGap(present: Enrollment, covered: Enrollment[]): Day | null {
  let last = present.coverage_end
  for (const { coverage_start, coverage_end } of covered)
    if (last !== null && coverage_start > last && coverage_start <= addDays(last, 1)) last = coverage_end
  return last
}

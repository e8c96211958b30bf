import { html, svg, type TemplateResult } from 'lit'
import type { Day, Enrollment } from 'openbenefits'
import { addDays, daysBetween } from './format.ts'

/** A span of days, both ends included. Without an end it reaches the right edge of the timeline. */
export type Span = { from: Day; to: Day | null; kind: 'waiting' | 'covered' | 'over' }

/** Whether an enrollment covers the employee on any day. Pending, waived and never started enrollments do not. */
export const covers = ({ plan, upcoming_election, coverage_start, coverage_end }: Enrollment): boolean =>
  (plan !== null || upcoming_election !== null) && (coverage_end === null || coverage_end >= coverage_start)

/**
 * The last day of an enrollment's coverage. If it has no end of its own, it is the day before the next enrollment of
 * the same benefit starts coverage. Null if no end is known.
 */
export function lastDayOf(one: Enrollment, all: Enrollment[]): Day | null {
  if (one.coverage_end !== null) return one.coverage_end
  const [next] = all
    .filter(
      (other) => covers(other) && other.benefit.id === one.benefit.id && other.coverage_start > one.coverage_start,
    )
    .map(({ coverage_start }) => coverage_start)
    .sort()
  return next ? addDays(next, -1) : null
}

/** The days of coverage of an enrollment. */
export const coverageSpan = (one: { coverage_start: Day; coverage_end: Day | null }, today: Day): Span => ({
  from: one.coverage_start,
  to: one.coverage_end,
  kind: one.coverage_end !== null && one.coverage_end < today ? 'over' : 'covered',
})

/** The first and last day of a timeline that shows all spans and today, with a margin. */
export function frameOf(spans: Span[], today: Day): [Day, Day] {
  const days = [today, ...spans.flatMap(({ from, to }) => (to === null ? [from] : [from, to]))].sort()
  return [addDays(days[0]!, -10), addDays(days.at(-1)!, 30)]
}

/** Draws spans of days, with today marked. The label and the text next to it describe the same facts. */
export function timeline(label: string, spans: Span[], today: Day, [first, last]: [Day, Day]): TemplateResult {
  const whole = Math.max(1, daysBetween(first, last))
  const at = (day: Day) => Math.min(100, Math.max(0, (100 * daysBetween(first, day)) / whole))
  const bar = ({ from, to, kind }: Span) => {
    const [start, end] = [at(from), to === null ? 100 : at(addDays(to, 1))]
    const width = Math.max(0.4, end - start)
    return svg`<rect class=${kind} x="${start}%" y="5" width="${width}%" height="10" rx="3"></rect>`
  }
  return html`<svg role="img" aria-label=${label} height="20">
    <rect class="ground" x="0" y="9" width="100%" height="2"></rect>
    ${spans.map(bar)}
    <line class="today" x1="${at(today)}%" x2="${at(today)}%" y1="0" y2="20"></line>
  </svg>`
}

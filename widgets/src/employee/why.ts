import { html, nothing, type TemplateResult } from 'lit'
import type { Day, EligibilityExplanation } from 'openbenefits'
import { addDays } from '../core/format.ts'
import { bones, heading, status } from '../core/parts.ts'
import { frameOf, timeline, type Span } from '../core/timeline.ts'
import type { EmployeeHost } from './host.ts'

type Explained = EligibilityExplanation['benefits'][number]

/** Days that a picture reaches back: what was long ago would leave no room for what is near. */
const reach = 400

/** The days of waiting, and those of coverage; between them lies what coverage waits for besides: a plan year. */
const spansOf = ({ anchor, aligned_day, coverage_start }: Explained): Span[] => [
  ...(aligned_day > anchor ? [{ from: anchor, to: addDays(aligned_day, -1), kind: 'waiting' } as const] : []),
  { from: coverage_start, to: null, kind: 'covered' },
]

/** Why I am not covered yet, or since when: a picture of days, and the same in words. */
export function why(host: EmployeeHost): TemplateResult {
  const { w, f, explanation } = host
  if (!explanation) return bones(w.loading)
  const { reason_code, as_of, hire_date, waiting_period_ends_on, benefits } = explanation
  const [first, last] = frameOf(benefits.flatMap(spansOf), as_of)
  const furthest = addDays(as_of, -reach)
  const frame: [Day, Day] = [first < furthest ? furthest : first, last]
  const rule = benefits[0]?.rule
  const fact = (name: string, value: string | undefined) =>
    value
      ? html`<dt class="quiet">${name}</dt>
          <dd>${value}</dd>`
      : nothing
  return html`${heading(w.why)}
    <p>${w.why_codes[reason_code]}</p>
    <dl class="facts">
      ${fact(w.hired, hire_date ? f.day(hire_date) : undefined)} ${fact(w.waiting_period, rule && w.rules[rule])}
      ${fact(w.waiting_until, waiting_period_ends_on ? f.day(waiting_period_ends_on) : undefined)}
      ${fact(w.today, f.day(as_of))}
    </dl>
    <ul class="rows">
      ${benefits.map((one) => explained(host, one, as_of, frame))}
    </ul>
    <div class="stack quiet" aria-hidden="true">
      <p class="line"><span>${f.day(frame[0])}</span><span>${f.day(frame[1])}</span></p>
      <p>${status(w.waiting_period, 'wait')} ${status(w.covered, 'good')} │ ${w.today}</p>
    </div>`
}

function explained({ w, f }: EmployeeHost, one: Explained, today: Day, frame: [Day, Day]): TemplateResult {
  const { benefit, anchor, coverage_start } = one
  const said = w.waiting_from_to(benefit.name, f.day(anchor), f.day(coverage_start))
  // What was over before the picture begins is not in it.
  const spans = spansOf(one).filter(({ to }) => to === null || to >= frame[0])
  return html`<li class="stack tight">
    <div class="line">
      <strong>${benefit.name}</strong>
      <span class="quiet">${w.coverage_begins}: ${f.day(coverage_start)}</span>
    </div>
    ${timeline(w.picture(said), spans, today, frame)}
  </li>`
}

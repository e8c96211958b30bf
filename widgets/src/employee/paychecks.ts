import { html, nothing, type TemplateResult } from 'lit'
import type { Paycheck } from 'openbenefits'
import { loadingPlaceholder, facts, heading, status } from '../core/parts.ts'
import type { EmployeeHost } from './host.ts'

/** Deductions of past and upcoming paychecks, the reasons for changes, and the total of the year. */
export function paychecks(host: EmployeeHost): TemplateResult {
  const { w, f } = host
  const list = host.paychecks
  const { proof } = host
  if (!list || !proof) return loadingPlaceholder(w.loading)
  return html`${heading(w.paychecks)}
    ${
      list.length === 0
        ? html`<p class="quiet">${w.no_paychecks}</p>`
        : html`<ul class="rows">
              ${list.toReversed().map((one) => paycheck(host, one))}
            </ul>
            ${hasCentDifferences(list) ? html`<p class="quiet">${w.differ_by_a_cent}</p>` : nothing}`
    }
    <section class="stack" aria-labelledby="proof">
      <h3 id="proof">${w.proof(proof.year)}</h3>
      ${facts([
        [w.proof_due, f.money(proof.due_in_cents)],
        [w.proof_collected, f.money(proof.collected_in_cents)],
        [w.proof_left, f.money(proof.due_in_cents - proof.collected_in_cents)],
      ])}
    </section>`
}

/** Whether the regular deductions for a benefit differ by a cent between paychecks. */
function hasCentDifferences(list: Paycheck[]): boolean {
  const amounts = new Map<string, number>()
  return list.some(({ lines }) =>
    lines.some(({ kind, enrollment_id, tax_classification, amount_in_cents }) => {
      if (kind !== 'deduction') return false
      const key = `${enrollment_id} ${tax_classification}`
      const before = amounts.get(key)
      amounts.set(key, amount_in_cents)
      return before !== undefined && Math.abs(before - amount_in_cents) === 1
    }),
  )
}

/** Why a line is not the regular deduction of its pay period. A correction names the pay periods that it is for. */
function reasonOf({ w, f }: EmployeeHost, line: Paycheck['lines'][number]): string {
  const { kind, reason, corrected_period_start_date: from, corrected_period_end_date: to } = line
  if (!reason) return w.kinds[kind]
  return `${from && to ? w.correction_for(f.span(from, to)) : `${w.kinds[kind]}.`} ${w.corrections[reason]}`
}

/** A paycheck by its payday, the last day of its pay period. Other lines state their reason. */
function paycheck(host: EmployeeHost, one: Paycheck): TemplateResult {
  const { w, f } = host
  const { statement_id, period_end_date, total_in_cents, lines } = one
  return html`<li>
    <details ?open=${lines.some(({ kind }) => kind !== 'deduction')}>
      <summary>
        <span class="line">
          <span> ${f.day(period_end_date)} ${statement_id === null ? status(w.expected) : nothing} </span>
          <strong class="number">${f.money(total_in_cents)}</strong>
        </span>
      </summary>
      <ul class="stack tight made-of">
        ${lines.map(
          (line) =>
            html`<li class="line quiet">
              <span>
                ${host.nameOf(line.benefit_name)}, ${line.tax_classification === 'Pre-tax' ? w.pre_tax : w.post_tax}.
                ${line.kind === 'deduction' ? nothing : html`<strong>${reasonOf(host, line)}</strong>`}
              </span>
              <span class="number">${f.money(line.amount_in_cents)}</span>
            </li>`,
        )}
      </ul>
    </details>
  </li>`
}

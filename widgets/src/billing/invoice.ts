import { html, nothing, type TemplateResult } from 'lit'
import type { CoverageTier, InvoiceLine, Reconciliation } from 'openbenefits'
import { dollars, saveCsv } from '../core/csv.ts'
import { loadingPlaceholder, facts, heading, downloadHeading, table } from '../core/parts.ts'
import type { BillingHost } from './host.ts'
import { invoiceStatus } from './invoices.ts'
import type { BillingWords } from './words-en.ts'

/** One invoice: its cost split, adjustments, lines, and the comparison with payroll deductions. */
export function invoice(host: BillingHost): TemplateResult {
  const { w, f, one, lines, today, reconciliation } = host
  const back = html`<p><button class="plain" @click=${() => host.go('invoices')}>← ${w.back}</button></p>`
  if (one === null) return html`${back} ${heading(w.no_invoice)}`
  if (!one || !lines || !today) return loadingPlaceholder(w.loading)
  const adjusted = lines.filter(({ kind }) => kind !== 'coverage')
  return html`${back} ${heading(w.invoice(one.invoice_id))}
    <div class="line">
      <p class="stack tight">
        <span class="figure">${f.money(one.total_in_cents)}</span>
        <span class="quiet">
          ${f.month(one.period)} ${one.due_on ? `· ${w.due}: ${f.day(one.due_on)}` : nothing}
          ${invoiceStatus(host, one, today)}
        </span>
      </p>
      <div class="line start">
        ${
          one.payment_url
            ? html`<a class="main" href=${one.payment_url} target="_blank" rel="noopener noreferrer">${w.pay}</a>`
            : nothing
        }
        <button @click=${() => host.openPdf()}>${w.pdf}</button>
      </div>
    </div>
    ${facts([
      [w.your_part, f.money(one.employer_contribution_in_cents)],
      [w.their_part, f.money(one.employee_deduction_in_cents)],
    ])}
    ${adjusted.length > 0 ? adjustments(host, adjusted) : nothing} ${linesOf(host, lines)}
    ${proof(host, reconciliation)}`
}

/** One sentence per adjustment: the person, the month and the reason. */
function adjustments({ w, f }: BillingHost, adjusted: InvoiceLine[]): TemplateResult {
  const sentence = ({ reason, employee_name, benefit_name, month }: InvoiceLine) =>
    w.adjusted[reason ?? 'by_hand'](employee_name, benefit_name, f.month(month))
  return html`<section class="stack" aria-labelledby="adjustments">
    <h3 id="adjustments">${w.adjustments}</h3>
    <p class="quiet">${w.adjustments_words}</p>
    <ul class="rows">
      ${adjusted.map(
        (line) =>
          html`<li class="line">
            <span>${sentence(line)}</span>
            <strong class="number">${f.money(line.premium_in_cents)}</strong>
          </li>`,
      )}
    </ul>
  </section>`
}

/** The coverage level of a line. An unknown one stays unchanged. */
const tierIn = ({ tiers }: BillingWords, { coverage_tier: tier }: InvoiceLine): string =>
  tiers[tier as CoverageTier] ?? tier

function saveLines({ w, invoice }: BillingHost, lines: InvoiceLine[]): void {
  saveCsv(w.invoice(invoice), [
    [w.person, w.of_month, w.kind, w.benefit, w.plan, w.tier, w.employer, w.employee, w.total],
    ...lines.map((line) => [
      line.employee_name,
      line.month,
      w.kinds[line.kind],
      line.benefit_name,
      line.plan_name,
      tierIn(w, line),
      dollars(line.employer_contribution_in_cents),
      dollars(line.employee_deduction_in_cents),
      dollars(line.premium_in_cents),
    ]),
  ])
}

function linesOf(host: BillingHost, lines: InvoiceLine[]): TemplateResult {
  const { w, f } = host
  return html`<section class="stack" aria-labelledby="lines">
    ${downloadHeading('lines', w.lines, w.csv, () => saveLines(host, lines))}
    ${table(
      w.lines,
      [
        {
          name: w.person,
          of: ({ employee_name, kind, month }) =>
            html`${employee_name} ${kind === 'coverage' ? nothing : html`<div class="quiet">${f.month(month)}</div>`}`,
        },
        {
          name: w.plan,
          of: (line) =>
            html`${line.benefit_name}
              <div class="quiet">${line.plan_name}, ${tierIn(w, line)}</div>`,
        },
        { name: w.employer, of: (line) => f.money(line.employer_contribution_in_cents), is_number: true },
        { name: w.employee, of: (line) => f.money(line.employee_deduction_in_cents), is_number: true },
        { name: w.total, of: (line) => f.money(line.premium_in_cents), is_number: true },
      ],
      lines,
    )}
  </section>`
}

/** Compares the billed amounts with the amounts due today and with payroll deductions. */
function proof(host: BillingHost, found: Reconciliation | undefined): TemplateResult {
  const { w } = host
  if (!found) return html`<span class="bone"></span><span class="bone"></span>`
  return html`<section class="stack" aria-labelledby="proof">
      <h3 id="proof">${w.proof}</h3>
      ${found.differences.length === 0 ? html`<p>${w.agrees}</p>` : differences(host, found)}
    </section>
    ${deductionComparison(host, found.deductions)}`
}

/**
 * The differences by person, benefit and month. If the premium is right, shows the difference of the employee's share.
 */
function differences({ w, f }: BillingHost, { differences: named, difference_count: count }: Reconciliation) {
  const row = ({ employee_name, benefit_name, month, due, billed, difference }: (typeof named)[number]) => {
    const of = difference.premium_in_cents === 0 ? 'employee_deduction_in_cents' : 'premium_in_cents'
    const amounts = w.due_billed(f.money(due[of]), f.money(billed[of]))
    return html`<li class="line">
      <span>
        ${w.differing(employee_name, benefit_name, f.month(month))}
        <span class="quiet">${of === 'premium_in_cents' ? amounts : `${w.employee}: ${amounts}`}</span>
      </span>
      <strong class="number">${f.money(difference[of])}</strong>
    </li>`
  }
  return html`<p>${w.differs(count)}</p>
    <ul class="rows">
      ${named.map(row)}
    </ul>
    ${count > named.length ? html`<p class="quiet">${w.first_differences(named.length)}</p>` : nothing}`
}

/** Compares the employees' billed share of the year with their payroll deductions. */
function deductionComparison(host: BillingHost, deductions: Reconciliation['deductions']): TemplateResult {
  const { w, f } = host
  const { year, through, billed_in_cents, manual_adjustments_in_cents, collected_in_cents, difference_in_cents } =
    deductions
  return html`<section class="stack" aria-labelledby="deductions">
    <h3 id="deductions">${w.deductions}</h3>
    ${facts([
      [w.billed_year(year), f.money(billed_in_cents)],
      [w.by_hand, manual_adjustments_in_cents === 0 ? null : f.money(manual_adjustments_in_cents)],
      [through ? w.collected_until(f.day(through)) : w.collected, f.money(collected_in_cents)],
      [w.difference, f.money(difference_in_cents)],
    ])}
    ${deductions.difference_count === 0 ? nothing : differenceGroups(host, deductions)}
  </section>`
}

type DeductionDifference = Reconciliation['deductions']['differences'][number]

/** The cause of a difference between billed and deducted amounts. */
const describeDifference = ({ collected_in_cents, difference_in_cents }: DeductionDifference) =>
  collected_in_cents === 0 ? 'not_taken' : difference_in_cents > 0 ? 'taken_later' : 'taken_ahead'

/** The enrollments with a difference between billed and deducted amounts, grouped by cause. */
function differenceGroups(
  { w, f }: BillingHost,
  { differences: named, difference_count: count }: Reconciliation['deductions'],
) {
  const row = (one: DeductionDifference) => {
    const billed = one.billed_in_cents + one.manual_adjustments_in_cents
    return html`<li class="line">
      <span>
        ${one.employee_name}: ${one.benefit_name}
        <span class="quiet">${w.billed_taken(f.money(billed), f.money(one.collected_in_cents))}</span>
      </span>
      <strong class="number">${f.money(one.difference_in_cents)}</strong>
    </li>`
  }
  const kind = (rows: DeductionDifference[]) =>
    html`<p>${w.apart[describeDifference(rows[0]!)]}</p>
      <ul class="rows">
        ${rows.map(row)}
      </ul>`
  return html`<p class="quiet">${w.difference_words}</p>
    ${[...Map.groupBy(named, describeDifference).values()].map(kind)}
    ${count > named.length ? html`<p class="quiet">${w.largest_differences(named.length, count)}</p>` : nothing}`
}

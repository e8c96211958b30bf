import { html, nothing, svg, type TemplateResult } from 'lit'
import type { Day, Invoice, InvoicePage } from 'openbenefits'
import { dollars, saveCsv } from '../core/csv.ts'
import { loadingPlaceholder, filterSelect, heading, status, table } from '../core/parts.ts'
import { isOverdue, type BillingHost, type InvoiceFilter, type InvoicePeriod } from './host.ts'

const tones = { draft: '', open: 'wait', paid: 'good', void: '', overdue: 'bad' } as const

export const stateOf = (one: Invoice, today: Day) => (isOverdue(one, today) ? 'overdue' : one.status)

export const invoiceStatus = ({ w }: BillingHost, one: Invoice, today: Day): TemplateResult =>
  status(w.status[stateOf(one, today)], tones[stateOf(one, today)])

/** The balance due, the amounts billed by month, and the invoices. */
export function invoices(host: BillingHost): TemplateResult {
  const { w, employer, today, latest } = host
  if (!employer || !latest || !today) return loadingPlaceholder(w.loading)
  return html`${heading(w.title(employer.name))} ${balance(host, latest, today)} ${bars(host, latest.data)}
    <section class="stack" aria-labelledby="invoices">
      <h3 id="invoices">${w.invoices}</h3>
      ${latest.data.length === 0 ? html`<p class="quiet">${w.no_invoices}</p>` : list(host, today)}
    </section>`
}

function list(host: BillingHost, today: Day): TemplateResult {
  const { w, shown } = host
  return html`<div class="line">
      <div class="line start">
        ${filterSelect<InvoiceFilter>('filter', w.show, w.filters, host.filter, (filter) => host.narrow({ filter }))}
        ${filterSelect<InvoicePeriod>('period', w.of_when, w.periods, host.period, (period) => host.narrow({ period }))}
      </div>
      <button class="plain" @click=${() => shown && saveList(host, shown, today)}>${w.csv}</button>
    </div>
    ${
      !shown
        ? html`<span class="bone"></span>`
        : shown.length === 0
          ? html`<p class="quiet" role="status">${w.none_fit}</p>`
          : listed(host, shown, today)
    }`
}

function saveList({ w, employer }: BillingHost, shown: Invoice[], today: Day): void {
  saveCsv(w.title(employer?.name ?? ''), [
    [w.month, w.number, w.state, w.due, w.paid, w.employer, w.employee, w.total],
    ...shown.map((one) => [
      one.period,
      one.invoice_id,
      w.status[stateOf(one, today)],
      one.due_on,
      one.paid_on,
      dollars(one.employer_contribution_in_cents),
      dollars(one.employee_deduction_in_cents),
      dollars(one.total_in_cents),
    ]),
  ])
}

function balance({ w, f }: BillingHost, { totals, data }: InvoicePage, today: Day): TemplateResult {
  const { open_in_cents: open, overdue_in_cents: overdue, credit_in_cents: credit } = totals
  const ahead = data.filter(({ status, due_on }) => status === 'open' && due_on !== null && due_on >= today)
  const next_due_on = ahead.map(({ due_on }) => due_on).toSorted()[0]
  const figure = (name: string, cents: number) =>
    html`<div class="line">
      <dt class="quiet">${name}</dt>
      <dd>${f.money(cents)}</dd>
    </div>`
  return html`<section class="stack" part="figure">
    <p class="stack tight">
      <span class="quiet">${w.open}</span>
      <span class="figure">${f.money(open)}</span>
      <span class="quiet">${next_due_on ? w.due_next(f.day(next_due_on)) : open === 0 ? w.none_open : nothing}</span>
    </p>
    <dl>${overdue > 0 ? figure(w.overdue, overdue) : nothing} ${credit > 0 ? figure(w.credit, credit) : nothing}</dl>
  </section>`
}

const months_shown = 12
const slot = 100 / months_shown
const bar_width = 5

/** The twelve months ending with the given one, as `YYYY-MM`. */
const monthsUpTo = (last: string): string[] =>
  Array.from({ length: months_shown }, (_, at) => {
    const [year, month] = last.split('-').map(Number) as [number, number]
    return new Date(Date.UTC(year, month - months_shown + at, 1)).toISOString().slice(0, 7)
  })

/** The amounts billed in each of the last twelve months. */
function bars({ w, f }: BillingHost, list: Invoice[]): TemplateResult | typeof nothing {
  const by_month = new Map<string, number>()
  for (const { status, period, total_in_cents } of list)
    if (status !== 'void') by_month.set(period, (by_month.get(period) ?? 0) + total_in_cents)
  const last = [...by_month.keys()].toSorted().at(-1)
  if (!last || by_month.size < 2) return nothing
  const months = monthsUpTo(last).map((month) => [month, by_month.get(month) ?? 0] as const)
  const most = Math.max(1, ...months.map(([, cents]) => cents))
  const label = w.chart(f.list(months.map(([month, cents]) => `${f.month(month)} ${f.money(cents)}`)))
  const bar = ([, cents]: readonly [string, number], at: number) => {
    const height = Math.max(1, (84 * Math.max(0, cents)) / most)
    const x = (at + 0.5) * slot - bar_width / 2
    return svg`<rect class="bar" x="${x}%" width="${bar_width}%" y="${88 - height}" height="${height}" rx="2"></rect>`
  }
  return html`<figure class="stack chart">
    <figcaption class="line">
      <h3>${w.twelve_months}</h3>
      <span class="quiet">${w.at_most(f.money(most))}</span>
    </figcaption>
    <svg role="img" aria-label=${label} height="90">
      ${months.map(bar)}
      <rect class="ground" x="0" y="88" width="100%" height="1"></rect>
    </svg>
    <div class="line quiet" aria-hidden="true">
      <span>${f.month(months[0]![0])}</span><span>${f.month(months.at(-1)![0])}</span>
    </div>
  </figure>`
}

function listed(host: BillingHost, shown: Invoice[], today: Day): TemplateResult {
  const { w, f } = host
  return table(
    w.invoices,
    [
      { name: w.month, of: ({ period }) => f.month(period) },
      {
        name: w.number,
        of: (one) =>
          html`<button class="plain" @click=${() => host.show(one.invoice_id)}>${one.invoice_id}</button>
            ${invoiceStatus(host, one, today)}`,
      },
      {
        name: w.due,
        of: ({ due_on, paid_on }) =>
          html`${due_on ? f.day(due_on) : '–'}
          ${paid_on ? html`<div class="quiet">${w.paid_on(f.day(paid_on))}</div>` : nothing}`,
      },
      { name: w.total, of: ({ total_in_cents }) => f.money(total_in_cents), is_number: true },
    ],
    shown,
  )
}

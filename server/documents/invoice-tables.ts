import { easternDay } from '../kernel/days.ts'
import type { InvoiceAmounts, InvoiceCause, InvoiceDocument, InvoiceDocumentLine } from './invoice.ts'
import { styles, type Section } from './pdf-pages.ts'
import type { Cell, Column, TableRow } from './table.ts'

const amounts = ['premium_in_cents', 'employer_contribution_in_cents', 'employee_deduction_in_cents'] as const

const amountColumns: Column[] = ['Premium', 'Employer pays', 'Employee pays'].map((title) => ({
  title,
  width: 54,
  align: 'right',
}))

/** Text columns followed by amount columns. */
const columnsOf = (texts: Record<string, number>): Column[] => [
  ...Object.entries(texts).map(([title, width]): Column => ({ title, width, align: 'left' })),
  ...amountColumns,
]

const columns = {
  summary: columnsOf({ Summary: 342 }),
  coverage: columnsOf({ Employee: 108, Benefit: 42, Plan: 80, Tier: 88 }),
  adjustment: columnsOf({ Employee: 98, Month: 38, Benefit: 42, Plan: 76, Tier: 56 }),
}

/** The tables of an invoice: the summary, the coverage of the month, and the adjustments of earlier months. */
export function sectionsOf(document: InvoiceDocument): Section[] {
  const coverage = document.lines.filter((line) => line.kind === 'coverage')
  const adjustments = document.lines.filter((line) => line.kind === 'adjustment')
  const month = monthName(document.period)
  const sections = [summaryOf(document, coverage, adjustments)]
  if (coverage.length) sections.push(detailsOf(`Coverage for ${month}`, columns.coverage, coverage, coverageCells))
  if (adjustments.length)
    sections.push(detailsOf('Adjustments for earlier months', columns.adjustment, adjustments, adjustmentCells))
  return sections
}

function summaryOf(
  document: InvoiceDocument,
  coverage: InvoiceDocumentLine[],
  adjustments: InvoiceDocumentLine[],
): Section {
  const all = sumOf(document.lines)
  if (amounts.some((amount) => all[amount] !== document.totals[amount]))
    throw new Error(`the totals of invoice ${document.invoice_id} are not the sums of its lines`)
  return {
    columns: columns.summary,
    rows: [
      headerOf(columns.summary),
      {
        cells: [`Coverage for ${monthName(document.period)}`, ...dollars(sumOf(coverage))],
        style: styles.body,
      },
      { cells: ['Adjustments for earlier months', ...dollars(sumOf(adjustments))], style: styles.body, rule: 'thin' },
      {
        cells: [totalLabelOf(document), ...dollars(all)],
        style: styles.total,
        rule: 'strong',
      },
    ],
  }
}

function totalLabelOf({ status, totals }: InvoiceDocument): string {
  if (status === 'draft' || status === 'void') return 'Total'
  return totals.premium_in_cents < 0 ? 'Total credit' : 'Total due'
}

function detailsOf(
  title: string,
  columns: Column[],
  lines: InvoiceDocumentLine[],
  cellsOf: (line: InvoiceDocumentLine) => Cell[],
): Section {
  const texts = columns.length - amountColumns.length
  const rows = lines.flatMap((line, index): TableRow[] => {
    // Print the name only once for consecutive lines of one employee.
    const again = lines[index - 1]?.employee_name === line.employee_name
    const name = { text: line.employee_name, style: again ? styles.quiet : styles.body }
    // Keep a subtotal on the page of its last line, and a cause on the page of its line.
    const is_last = index === lines.length - 1
    const row: TableRow = {
      cells: [name, ...cellsOf(line), ...amounts.map((amount) => formatCents(line[amount]))],
      style: styles.body,
      rule: again ? undefined : 'thin',
      keep_with_next: is_last || line.cause !== null,
    }
    if (line.cause === null) return [row]
    const cause = { text: causeOf(line.cause), style: styles.quiet, span: texts }
    const cells = [cause, ...Array<string>(columns.length - 1).fill('')]
    return [row, { cells, style: styles.quiet, keep_with_next: is_last }]
  })
  const count = `${lines.length.toLocaleString('en-US')} ${lines.length === 1 ? 'line' : 'lines'}`
  const subtotal = { text: `Subtotal, ${count}`, span: texts }
  return {
    columns,
    rows: [
      { cells: [{ text: title, span: texts }], style: styles.title, keep_with_next: true },
      { ...headerOf(columns), keep_with_next: true },
      ...rows,
      {
        cells: [subtotal, ...Array<string>(texts - 1).fill(''), ...dollars(sumOf(lines))],
        style: styles.strong,
        rule: 'strong',
      },
    ],
  }
}

const headerOf = (columns: Column[]): TableRow => ({
  cells: columns.map((column) => column.title),
  style: styles.label,
  header: true,
})

const coverageCells = (line: InvoiceDocumentLine): Cell[] => [line.benefit_name, line.plan_name, line.coverage_tier]

const adjustmentCells = (line: InvoiceDocumentLine): Cell[] => [monthName(line.month, 'short'), ...coverageCells(line)]

const facts: Record<string, string> = {
  elected: 'Elected',
  waived: 'Waived',
  renewed: 'Renewed',
  resumed: 'Coverage resumed after a return',
  resumption_withdrawn: 'Return withdrawn',
  corrected: 'Enrollment corrected',
  terminated: 'Enrollment terminated',
  reissued: 'Enrollment reopened',
  ended: 'Coverage ended',
  end_changed: 'End of coverage changed',
  reinstated: 'Coverage reinstated',
  dependents_changed: 'Covered dependents changed',
  amended: 'Plan year amended',
  invoice_voided: 'Earlier invoice voided',
  manual_adjustment: 'Manual adjustment',
}

const reporters: Record<string, string> = {
  employee: ' by the employee',
  partner: ' by the partner',
  operator: ' by the operator',
}

/** Describes the cause of an adjustment: the fact, when it was reported and by whom, and the reason. */
function causeOf({ action, reported_at, reported_by, coverage_end, reason }: InvoiceCause): string {
  const until = action === 'ended' || action === 'end_changed' ? coverage_end : null
  const fact = `${facts[action] ?? action}${until === null ? '' : `, until ${dayName(until)}`}`
  const by = reporters[reported_by?.kind ?? ''] ?? ''
  return `${fact}. Reported ${dayName(easternDay(Date.parse(reported_at)))}${by}.${reason === null ? '' : ` ${reason}`}`
}

function sumOf(lines: InvoiceAmounts[]): InvoiceAmounts {
  const sum = { premium_in_cents: 0, employer_contribution_in_cents: 0, employee_deduction_in_cents: 0 }
  for (const line of lines) for (const amount of amounts) sum[amount] += line[amount]
  return sum
}

/** Formats 123450 as `1,234.50`. */
const formatCents = (amount: number): string => {
  const text = Math.abs(amount).toString().padStart(3, '0')
  const whole = text.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ',')
  return `${amount < 0 ? '-' : ''}${whole}.${text.slice(-2)}`
}

/** Formats an amount as `$1,234.50` or `-$1,234.50`. */
export const dollar = (amount: number): string => formatCents(amount).replace(/\d/, '$$$&')

const dollars = (sum: InvoiceAmounts): string[] => amounts.map((amount) => dollar(sum[amount]))

const names = {
  long: new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' }),
  short: new Intl.DateTimeFormat('en-US', { month: 'short', year: 'numeric', timeZone: 'UTC' }),
  day: new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }),
}

/** Formats any day of a month as `March 2026`. */
export const monthName = (day: string, style: 'long' | 'short' = 'long'): string => names[style].format(new Date(day))

/** Formats a day as `March 3, 2026`. */
export const dayName = (day: string): string => names.day.format(new Date(day))

import { common_en } from '../core/common-words.ts'
import { pluralIn } from '../core/format.ts'

const plural = pluralIn('en')

/** English. The other languages use its type. */
export const en = {
  ...common_en,
  title: (name: string) => `Billing for ${name}`,
  open: 'Open',
  overdue: 'Overdue',
  credit: 'Credit',
  none_open: 'Nothing is due.',
  due_next: (day: string) => `The next invoice is due ${day}.`,
  twelve_months: 'Twelve months',
  at_most: (money: string) => `up to ${money}`,
  chart: (rows: string) => `Bar chart of billed amounts: ${rows}`,
  show: 'Show',
  of_when: 'Year',
  periods: { all: 'All years', this_year: 'This year', last_year: 'Last year' },
  state: 'Status',
  paid: 'Paid',
  filters: { all: 'All invoices', open: 'Open or overdue', overdue: 'Overdue', paid: 'Paid', void: 'Void' },
  invoices: 'Invoices',
  no_invoices: 'No invoices yet. The first invoice is for the first month of coverage.',
  none_fit: 'No invoices match.',
  number: 'Invoice',
  month: 'Month',
  due: 'Due',
  total: 'Total',
  status: { draft: 'Draft', open: 'Open', paid: 'Paid', void: 'Void', overdue: 'Overdue' },
  paid_on: (day: string) => `paid ${day}`,
  invoice: (id: string) => `Invoice ${id}`,
  back: 'All invoices',
  no_invoice: 'Invoice not found.',
  pdf: 'Open the PDF',
  pay: 'Pay this invoice',
  your_part: 'Your share',
  their_part: 'Your employees’ share, through payroll',
  of_month: 'Coverage month',
  kind: 'Type',
  kinds: { coverage: 'Coverage', adjustment: 'Adjustment', manual_adjustment: 'Manual adjustment' },
  adjustments: 'Adjustments for earlier months',
  adjustments_words: 'Corrections for months that were already billed.',
  lines: 'Lines',
  person: 'Person',
  employer: 'You',
  employee: 'Employee',
  adjusted: {
    not_billed_before: (name: string, benefit: string, month: string) =>
      `${name}: ${benefit} for ${month} was not billed before and is billed now.`,
    no_longer_due: (name: string, benefit: string, month: string) =>
      `${name}: ${benefit} for ${month} was billed but is no longer due. The amount is credited.`,
    coverage_changed: (name: string, benefit: string, month: string) =>
      `${name}: ${benefit} for ${month} was billed for a different plan or coverage level.`,
    price_changed: (name: string, benefit: string, month: string) =>
      `${name}: ${benefit} for ${month} was billed at a different price or cost split.`,
    by_hand: (name: string, benefit: string, month: string) =>
      `${name}: ${benefit} for ${month} was adjusted manually, because its correction window has closed.`,
  },
  proof: 'Compared with the amounts due',
  agrees: 'All billed amounts match the amounts due today.',
  differs: (count: number) =>
    plural(count, { one: '# amount has', other: '# amounts have' }) +
    ' changed since this invoice. The next invoice corrects this.',
  differing: (name: string, benefit: string, month: string) => `${name}: ${benefit} for ${month}`,
  due_billed: (due: string, billed: string) => `${due} due, ${billed} billed`,
  first_differences: (count: number) => `Showing the latest ${count}.`,
  deductions: 'Compared with payroll deductions',
  billed_year: (year: number) => `Employees’ share billed for ${year}`,
  by_hand: 'Manual adjustments',
  collected: 'Deducted from paychecks for the year',
  collected_until: (day: string) => `Deducted from paychecks for the year, through ${day}`,
  difference: 'Difference',
  difference_words: 'Months and pay periods end on different days. Over a full year, the totals match.',
  billed_taken: (billed: string, taken: string) => `${billed} billed, ${taken} deducted.`,
  apart: {
    not_taken: 'Not deducted from any paycheck yet:',
    taken_later: 'The rest will be deducted from later paychecks:',
    taken_ahead: 'More was deducted than has been billed so far. Any excess will be refunded:',
  },
  largest_differences: (shown: number, count: number) => `Showing the largest ${shown} of ${count}.`,
}

export type BillingWords = typeof en

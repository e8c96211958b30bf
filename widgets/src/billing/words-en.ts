import { common_en } from '../core/common-words.ts'
import { pluralIn } from '../core/format.ts'

const plural = pluralIn('en')

/** English, by which the other languages are typed. */
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
  chart: (rows: string) => `Bars of what was billed: ${rows}`,
  show: 'Show',
  of_when: 'Year',
  periods: { all: 'All years', this_year: 'This year', last_year: 'Last year' },
  csv: 'Save as CSV',
  state: 'Status',
  paid: 'Paid',
  filters: { all: 'All invoices', open: 'Open or overdue', overdue: 'Overdue', paid: 'Paid', void: 'Void' },
  invoices: 'Invoices',
  no_invoices: 'No invoices yet. The first one comes with the first month of coverage.',
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
  of_month: 'Month of coverage',
  kind: 'Kind',
  kinds: { coverage: 'Coverage', adjustment: 'Adjustment', manual_adjustment: 'Manual adjustment' },
  benefit: 'Benefit',
  tier: 'Who is covered',
  adjustments: 'Adjustments of earlier months',
  adjustments_words: 'Corrections of months that were billed before.',
  lines: 'Lines',
  person: 'Person',
  plan: 'Plan',
  employer: 'You',
  employee: 'Employee',
  tiers: { EE: 'alone', ES: 'with spouse', EC: 'with children', EF: 'with family' } as Record<string, string>,
  adjusted: {
    not_billed_before: (name: string, benefit: string, month: string) =>
      `${name}: ${benefit} of ${month} was not billed before, and is billed now.`,
    no_longer_due: (name: string, benefit: string, month: string) =>
      `${name}: ${benefit} of ${month} was billed, and is no longer due: it is refunded.`,
    coverage_changed: (name: string, benefit: string, month: string) =>
      `${name}: ${benefit} of ${month} was billed for another plan or other people than were covered.`,
    price_changed: (name: string, benefit: string, month: string) =>
      `${name}: ${benefit} of ${month} costs something else than was billed, or is borne otherwise.`,
    by_hand: (name: string, benefit: string, month: string) =>
      `${name}: ${benefit} of ${month} was booked by hand, since no invoice reaches that month any more.`,
  },
  proof: 'Beside what is due',
  agrees: 'What was billed is what is due, by what is known now.',
  differs: (count: number) =>
    `In ${plural(count, { one: 'one place', other: '# places' })} the amount due has changed since. The next invoice corrects it.`,
  differing: (name: string, benefit: string, month: string) => `${name}: ${benefit} of ${month}`,
  due_billed: (due: string, billed: string) => `${due} due, ${billed} billed`,
  first_differences: (count: number) => `These are the latest ${count}.`,
  deductions: 'Beside what was taken from pay',
  billed_year: (year: number) => `Employees' part billed for ${year}`,
  by_hand: 'Manual adjustments',
  collected: 'Taken from pay for the year',
  collected_until: (day: string) => `Taken from pay for the year, until ${day}`,
  difference: 'Difference',
  difference_words: 'Months and pay periods end apart: over a whole year both come to the same.',
  billed_taken: (billed: string, taken: string) => `${billed} billed, ${taken} taken.`,
  apart: {
    not_taken: 'No paycheck has taken anything of these yet:',
    taken_later: 'The rest of these comes from later paychecks:',
    taken_ahead: 'Of these, paychecks took more than is billed so far. What stays too much is given back:',
  },
  largest_differences: (shown: number, count: number) => `These are the largest ${shown} of ${count}.`,
}

export type BillingWords = typeof en

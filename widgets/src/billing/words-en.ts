import { common_en } from '../core/common-words.ts'

/** English, by which the other languages are typed. */
export const en = {
  ...common_en,
  title: (name: string) => `Billing of ${name}`,
  open: 'Open',
  overdue: 'Overdue',
  credit: 'Credit',
  none_open: 'Nothing is open.',
  due_next: (money: string, day: string) => `${money} is due on ${day}.`,
  twelve_months: 'Twelve months',
  chart: (rows: string) => `Bars of what was billed: ${rows}`,
  show: 'Show',
  filters: { all: 'All invoices', open: 'Open', overdue: 'Overdue', paid: 'Paid', void: 'Void' },
  invoices: 'Invoices',
  no_invoices: 'No invoices yet. The first one comes with the first month of coverage.',
  none_fit: 'No invoice is like that.',
  number: 'Invoice',
  month: 'Month',
  due: 'Due',
  total: 'Total',
  status: { draft: 'Draft', open: 'Open', paid: 'Paid', void: 'Void', overdue: 'Overdue' },
  paid_on: (day: string) => `paid ${day}`,
  invoice: (id: string) => `Invoice ${id}`,
  back: 'All invoices',
  pdf: 'Open the PDF',
  your_part: 'You bear',
  their_part: 'Your employees bear, through their pay',
  of_month: 'Coverage of the month',
  adjustments: 'Adjustments of earlier months',
  adjustments_words: 'What was billed for a month before, and is due otherwise by what is known now.',
  lines: 'Lines',
  person: 'Person',
  plan: 'Plan',
  employer: 'You',
  employee: 'Employee',
  tiers: { EE: 'alone', ES: 'with spouse', EC: 'with children', EF: 'with family' } as Record<string, string>,
  adjusted: {
    more: (name: string, benefit: string, month: string) =>
      `${name}: ${benefit} of ${month} was billed too low, or not at all, and is billed now.`,
    less: (name: string, benefit: string, month: string) =>
      `${name}: ${benefit} of ${month} was billed too high, or was not covered, and is given back.`,
    manual: (name: string, benefit: string, month: string) =>
      `${name}: ${benefit} of ${month} was booked by hand, since no invoice reaches that month any more.`,
  },
  deductions: 'Beside what was taken from pay',
  billed_year: (year: number) => `Employees' part billed for ${year}`,
  by_hand: 'Booked by hand',
  collected: 'Taken from pay for the year',
  difference: 'Difference',
  difference_words: 'Months and pay periods end apart: over a whole year both come to the same.',
}

export type BillingWords = typeof en

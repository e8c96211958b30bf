import type { Form1095c } from 'openbenefits'
import { formatDollars } from '../../../format.ts'

/** The lines of Part II of Form 1095-C, and months as text. */

type Month = Form1095c['months'][number]
export type FormLine = 'line_14' | 'line_15_in_cents' | 'line_16' | 'line_17'

export const lines: readonly { line: FormLine; name: string }[] = [
  { line: 'line_14', name: '14 Offer' },
  { line: 'line_15_in_cents', name: '15 Cost' },
  { line: 'line_16', name: '16 Relief' },
  { line: 'line_17', name: '17 ZIP code' },
]

export const formatLine = (month: Month, line: FormLine): string => {
  const { value } = month[line]
  if (value === null) return '–'
  return typeof value === 'number' ? formatDollars(value) : value
}

const short_month = new Intl.DateTimeFormat('en-US', { month: 'short', timeZone: 'UTC' })

/** The short name of a month from 1 to 12. */
export const monthName = (month: number): string => short_month.format(Date.UTC(2026, month - 1, 1))

/** The months as options of a field. */
export const month_options = Array.from({ length: 12 }, (_, at) => [String(at + 1), monthName(at + 1)] as const)

/** Months from 1 to 12 as text: `All 12 months`, `Jan, Feb` or `no months`. */
export function formatMonthRanges(months: readonly number[]): string {
  if (months.length === 12) return 'All 12 months'
  return months.length === 0
    ? 'no months'
    : months
        .toSorted((a, b) => a - b)
        .map(monthName)
        .join(', ')
}

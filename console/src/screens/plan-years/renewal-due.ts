import { dayAfter } from '../../format.ts'

/** How many days before its end a plan year without a successor is due for renewal. */
const renewal_days = 120

/** The last plan year if it ends soon. Undefined if a later one exists, or if it has already ended. */
export function lastToRenew<Year extends { coverage_end: string }>(years: Year[], today: string): Year | undefined {
  const last = years.toSorted((a, b) => a.coverage_end.localeCompare(b.coverage_end)).at(-1)
  return last && last.coverage_end >= today && last.coverage_end <= dayAfter(today, renewal_days) ? last : undefined
}

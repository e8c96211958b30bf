import type { EmployerRow } from 'openbenefits'
import { addDays } from '../../format.ts'

type LifecycleStage = EmployerRow['benefit_lifecycle_stage']['stage']

/** How many days before its end a plan year without a successor is due for renewal. */
const renewal_days = 120

/**
 * The last plan year if it ends soon. Undefined if a later one exists, if it has already ended, or if the employer is
 * cancelled.
 */
export function latestUnrenewedYear<Year extends { coverage_end: string }>(
  years: Year[],
  stage: LifecycleStage,
  today: string,
): Year | undefined {
  if (stage === 'cancelled') return undefined
  const last = years.toSorted((a, b) => a.coverage_end.localeCompare(b.coverage_end)).at(-1)
  return last && last.coverage_end >= today && last.coverage_end <= addDays(today, renewal_days) ? last : undefined
}

import type { Enrollment } from 'openbenefits'
import { toneOf, type Tone } from '../../format.ts'

type Answered = Pick<Enrollment, 'status' | 'plan' | 'answered_at'>

/** The answer to an enrollment. The status of an ended one does not include it, so it follows from the plan. */
export function answerTo({ status, plan, answered_at }: Answered): 'elected' | 'waived' | undefined {
  if (status === 'enrolled' || status === 'waived') return status === 'enrolled' ? 'elected' : status
  if (status !== 'inactive') return undefined
  return plan ? 'elected' : answered_at ? 'waived' : undefined
}

/** Whether it ended before coverage started. */
export const neverBegan = ({ coverage_start, coverage_end }: Enrollment): boolean =>
  coverage_end !== null && coverage_end < coverage_start

/** Plan and tier, or the answer without a plan. */
export const planOf = ({ plan, coverage_tier }: Pick<Enrollment, 'plan' | 'coverage_tier'>): string =>
  [plan?.name, coverage_tier].filter(Boolean).join(', ')

/** Ended coverage keeps the color of coverage on its days. */
export const toneOfCoverage = (of: Enrollment): Tone =>
  answerTo(of) === 'elected' ? 'good' : of.status === 'inactive' ? 'over' : toneOf(of.status)

import type { Enrollment } from 'openbenefits'
import { toneOf, type Tone } from '../../parts/words.ts'

type Answered = Pick<Enrollment, 'status' | 'plan' | 'answered_at'>

/** What was answered to an enrollment. Of one that is over the status says that alone, and what it holds the rest. */
export function answerTo({ status, plan, answered_at }: Answered): 'elected' | 'waived' | undefined {
  if (status === 'enrolled' || status === 'waived') return status === 'enrolled' ? 'elected' : status
  if (status !== 'inactive') return undefined
  return plan ? 'elected' : answered_at ? 'waived' : undefined
}

/** Whether it ended before it covered anybody. */
export const neverBegan = ({ coverage_start, coverage_end }: Enrollment): boolean =>
  coverage_end !== null && coverage_end < coverage_start

/** Plan and tier, or what was said in their place. */
export const planOf = ({ plan, coverage_tier }: Pick<Enrollment, 'plan' | 'coverage_tier'>): string =>
  [plan?.name, coverage_tier].filter(Boolean).join(', ')

/** Coverage that is over was coverage: it looks like it on the days that it was. */
export const toneOfCoverage = (of: Enrollment): Tone =>
  answerTo(of) === 'elected' ? 'good' : of.status === 'inactive' ? 'over' : toneOf(of.status)

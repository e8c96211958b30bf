import type { z } from 'zod'
import { fieldOf, most_details, type Detail } from '../../kernel/refusal.ts'

/** The faults that Zod found, at most 100. Its default messages are replaced. Issues must be reported with inputs. */
export const detailsOf = (issues: z.core.$ZodIssue[]): Detail[] =>
  issues.slice(0, most_details).map((issue) => ({ field: fieldOf(issue.path), message: messageOf(issue) }))

function messageOf(issue: z.core.$ZodIssue): string {
  const is_missing = issue.path.length > 0 && (issue.input ?? null) === null
  if (is_missing && ['invalid_type', 'invalid_value'].includes(issue.code)) return 'is required'
  if (issue.code === 'invalid_type') return `must be ${/^[aio]/.test(issue.expected) ? 'an' : 'a'} ${issue.expected}`
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map((value) => String(value)).join(', ')}`
  if (issue.code === 'too_small' && issue.message.startsWith('Too small'))
    return bound(issue.origin, 'at least', issue.minimum)
  if (issue.code === 'too_big' && issue.message.startsWith('Too big'))
    return bound(issue.origin, 'at most', issue.maximum)
  return issue.message
}

const bound = (origin: string, side: string, limit: number | bigint) =>
  origin === 'array' ? `must contain ${side} ${limit}` : `must be ${side} ${limit}`

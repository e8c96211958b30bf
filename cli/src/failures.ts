import { ApiError, ConnectionError } from 'openbenefits'
import { CommanderError } from 'commander'
import { fieldInWords } from 'openbenefits/census-columns'

/** With what a command ends, as its help and cli/README.md say. */
export const exits = { done: 0, failed: 1, usage: 2, refused: 3, no_access: 4, unavailable: 5 } as const

/** A command that was called wrongly: nothing was sent. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** A command that did what it should and found faults, of which it has told already. */
export class FaultsFound extends Error {
  override name = 'FaultsFound'
}

/** What became of a command that failed: its exit code, and what is said of it to people and to programs. */
export type Failure = { exit: number; lines: string[]; error: Record<string, unknown> }

/**
 * What to say of an error: of a refusal each field with what is wrong, its code, and the trace id by which the
 * service's operator finds the request.
 */
export function failureOf(error: unknown): Failure {
  if (error instanceof ApiError) return refusalOf(error)
  const message = error instanceof Error ? error.message : String(error)
  const said = { lines: [message], error: { message } }
  if (error instanceof ConnectionError) return { exit: exits.unavailable, ...said }
  if (error instanceof UsageError || error instanceof CommanderError) return { exit: exits.usage, ...said }
  return { exit: exits.failed, ...said }
}

function refusalOf({ status, code, details, message, doc_url, trace_id }: ApiError): Failure {
  const whole = message.replace(`${code}: `, '')
  const wrong = details.map((each) => `${fieldInWords(each.field)}: ${each.message}`)
  const exit = status === 401 || status === 403 ? exits.no_access : status >= 500 ? exits.unavailable : exits.refused
  const lines = [
    ...(wrong.length > 0 ? wrong : [whole]),
    `code: ${code}`,
    ...(doc_url ? [`more: ${doc_url}`] : []),
    ...(trace_id ? [`trace_id: ${trace_id}`] : []),
  ]
  return { exit, lines, error: { status, code, message: whole, details, doc_url, trace_id } }
}

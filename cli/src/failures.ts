import { ApiError, ConnectionError, fieldInWords } from 'openbenefits'
import { CommanderError } from 'commander'

/** The exit codes, as documented in the help and in cli/README.md. */
export const exits = { done: 0, failed: 1, usage: 2, refused: 3, no_access: 4, unavailable: 5 } as const

/** Invalid arguments. Nothing was sent. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** The command worked and found problems, which it has already printed. */
export class FaultsFound extends Error {
  override name = 'FaultsFound'
}

/** A failed command: its exit code, and its error as text and as JSON. */
export type Failure = { exit: number; lines: string[]; error: Record<string, unknown> }

/**
 * Describes an error. A refusal has a message per field, its code, and the trace id of the request.
 */
export function failureOf(error: unknown): Failure {
  if (error instanceof ApiError) return refusalOf(error)
  const message = error instanceof Error ? error.message : String(error)
  const reported = { lines: [message], error: { message } }
  if (error instanceof ConnectionError) return { exit: exits.unavailable, ...reported }
  if (error instanceof UsageError || error instanceof CommanderError) return { exit: exits.usage, ...reported }
  return { exit: exits.failed, ...reported }
}

function refusalOf({ status, code, details, message, doc_url, trace_id }: ApiError): Failure {
  const whole = message.replace(`${code}: `, '')
  const wrong = details.map((detail) => `${fieldInWords(detail.field)}: ${detail.message}`)
  const exit = status === 401 || status === 403 ? exits.no_access : status >= 500 ? exits.unavailable : exits.refused
  const lines = [
    ...(wrong.length > 0 ? wrong : [whole]),
    `code: ${code}`,
    ...(doc_url ? [`more: ${doc_url}`] : []),
    ...(trace_id ? [`trace_id: ${trace_id}`] : []),
  ]
  return { exit, lines, error: { status, code, message: whole, details, doc_url, trace_id } }
}

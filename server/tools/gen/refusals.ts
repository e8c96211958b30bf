import type { Endpoint } from '../../http/endpoint.ts'
import { refusalsOf } from '../../http/openapi/openapi-errors.ts'
import { generic, type RefusalKind } from '../../kernel/refusal.ts'

/** The documentation lists the operations that return a code only up to this many. */
const max_operations = 12

/**
 * An error code as the documentation explains it, with the operations that return it. No operations if there are more
 * than `max_operations`.
 */
export type ExplainedRefusal = Required<Omit<RefusalKind, 'field'>> & { retry: string; operations: string[] }

/** Every code that the service returns, in the order of the codes. */
export function explainedRefusals(endpoints: Endpoint[]): ExplainedRefusal[] {
  const explained = new Map<string, ExplainedRefusal>()
  const add = (kind: RefusalKind, operation?: string) => {
    const { status, code, message, remedy = '' } = kind
    const known = explained.get(code) ?? { status, code, message, remedy, retry: retryOf(kind), operations: [] }
    if (operation && !known.operations.includes(operation)) known.operations.push(operation)
    explained.set(code, known)
  }
  for (const kind of Object.values(generic)) add(kind)
  for (const endpoint of endpoints) for (const kind of refusalsOf(endpoint)) add(kind, endpoint.operation)
  return [...explained.values()]
    .map((each) => (each.operations.length > max_operations ? { ...each, operations: [] } : each))
    .toSorted((a, b) => (a.code < b.code ? -1 : 1))
}

function retryOf({ status, code }: RefusalKind): string {
  if (code === 'idempotency_key_in_progress') return 'Yes, after `Retry-After` seconds, with the same Idempotency-Key.'
  if (status === 429 || status >= 500)
    return 'Yes, with exponential backoff and jitter, and never before `Retry-After`. Repeat a POST with the same key.'
  return 'No. The same request gets the same response until something changes.'
}

/** docs-site/refusals.json: one code per line, so that a review shows each change. */
export const refusalsDocument = (endpoints: Endpoint[]): string =>
  `[\n${explainedRefusals(endpoints)
    .map((refusal) => JSON.stringify(refusal))
    .join(',\n')}\n]\n`

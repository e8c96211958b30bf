/**
 * Batched queries: one statement that answers several requests for the same read.
 *
 *     read:     select ... where employee.id = :employee_id and <the reach of the caller>
 *     batched:  select requested.number, answer.* from unnest(:employee_id::text[]) with ordinality as requested ...
 *               cross join lateral (<the read, with the value of the request>) as answer
 *
 * The requests of a batch have the caller, the reach and the day in common and differ in their own values.
 */
import type { FairQueue } from '../../kernel/concurrency/fair-queue.ts'
import { isDatabaseError, type ScopedQuery, type StatementResult } from './scoped-query.ts'

/** How several requests for a read become one statement. */
export type BatchedQuery = {
  text: string
  /** positions in the values of a single read: values that differ per request, and values that all requests share */
  own: readonly number[]
  common: readonly number[]
  /** the maximum number of requests per statement */
  most: number
}

const forms = new Map<string, BatchedQuery>()

/** The batched form of the read with this text. Undefined if the read is not batched. */
export const batchedQueryOf = (text: string): BatchedQuery | undefined => forms.get(text)

/** Registers the batched form of a read. */
export const registerBatch = (text: string, form: BatchedQuery): void => void forms.set(text, form)

/**
 * SQL of a batched query. `own`: the names of the values that differ per request. The read receives them as text and
 * casts them. `nameOwn` returns the SQL of the read with other SQL for each of these names.
 */
export function batchedText(own: readonly string[], nameOwn: (named: (name: string) => string) => string): string {
  // The prefix avoids SQL keywords.
  const columns = [...own.map((name) => `its_${name}`), 'number']
  return `
  select requested.number, answer.*
    from unnest(${own.map((name) => `:${name}::text[]`).join(', ')}) with ordinality
         as requested (${columns.join(', ')})
   cross join lateral (${nameOwn((name) => `requested.its_${name}`)}) as answer`
}

const textOf = (value: unknown): string | null => (value === null ? null : String(value))

function batchedQuery(queries: ScopedQuery[], { text, own, common }: BatchedQuery): ScopedQuery {
  const [first] = queries as [ScopedQuery]
  if (queries.length === 1) return first
  const values = [
    ...own.map((index) => queries.map((query) => textOf(query.values![index]))),
    ...common.map((index) => first.values![index]),
  ]
  return { ...first, name: first.name && `${first.name}_together`, text, values }
}

/** Splits the rows of a batched query into the results of its requests. */
function resultsOf({ rows, fields }: StatementResult, count: number): StatementResult[] {
  const results = Array.from({ length: count }, (): StatementResult => ({ rows: [], fields: fields.slice(1) }))
  for (const { number, ...row } of rows) results[number - 1]!.rows.push(row)
  return results
}

/** Requests that share a statement. They join it until it starts or is full. */
type Batch = { queries: ScopedQuery[]; results: Promise<StatementResult[] | undefined> }

/** Runs a statement in a turn of `tenant`. It calls `take` when it starts. Undefined if it does not start. */
export type RunInTurn = (
  tenant: string,
  statement: string,
  take: () => { query: ScopedQuery; count: number },
) => Promise<StatementResult | undefined>

/**
 * Batches reads of one kind that arrive in the same turn of the event loop, or that wait for their turn. No request
 * waits for others to arrive. `turns` limits the statements of a kind that run at the same time; then more requests
 * share the next one. If a batched query fails, each of its requests runs alone, so that no request fails because of
 * another. The result is undefined if the request has to run alone.
 */
export function openReadBatcher(turns: FairQueue, runInTurn: RunInTurn) {
  const open = new Map<string, Batch>()

  async function run(key: string, tenant: string, statement: string, form: BatchedQuery, batch: Batch) {
    const { queries } = batch
    const close = () => void (open.get(key) === batch && open.delete(key))
    const take = () => {
      close()
      return { query: batchedQuery(queries, form), count: queries.length }
    }
    try {
      const result = await turns.run(key, () => runInTurn(tenant, statement, take))
      return result && queries.length > 1 ? resultsOf(result, queries.length) : result && [result]
    } catch (error) {
      if (queries.length > 1 && isDatabaseError(error)) return undefined
      throw error
    } finally {
      close()
    }
  }

  return async (tenant: string, statement: string, query: ScopedQuery, form: BatchedQuery) => {
    const { scope, position, values = [] } = query
    const { common, most } = form
    const key = JSON.stringify([tenant, statement, scope, position, common.map((index) => values[index])])
    let batch = open.get(key)
    if (!batch || batch.queries.length >= most) {
      const { promise: results, resolve } = Promise.withResolvers<StatementResult[] | undefined>()
      const opened: Batch = { queries: [], results }
      setImmediate(() => resolve(run(key, tenant, statement, form, opened)))
      open.set(key, (batch = opened))
    }
    const request_index = batch.queries.push(query) - 1
    return (await batch.results)?.[request_index]
  }
}

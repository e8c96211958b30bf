/**
 * Batched queries: one statement that answers several requests for the same read.
 *
 *     read:     select ... where employee.id = :employee_id and <the reach of the caller>
 *     batched:  select requested.number, answer.* from unnest(:employee_id::text[]) with ordinality as requested ...
 *               cross join lateral (<the read, with the value of the request>) as answer
 *
 * The requests have the caller, the reach and the day in common and differ in their own values. `read-batcher.ts`
 * decides which requests are batched.
 */
import type pg from 'pg'

/** How several requests for a read become one statement. */
export type BatchedQuery = {
  text: string
  /** positions in the values of a single read: values that differ per request, and values that all requests share */
  own: readonly number[]
  common: readonly number[]
  /** the maximum number of requests per statement, or of rows if the value at `rows_at` is a number of rows */
  most: number
  rows_at?: number | undefined
}

/** The part of a batch's capacity, `most`, that a request uses. */
export const weightOf = ({ most, rows_at }: BatchedQuery, values: readonly unknown[]): number =>
  rows_at === undefined ? 1 : Math.min(Number(values[rows_at]), most)

/** The part of the driver's result that we use. */
export type StatementResult = Pick<pg.QueryResult, 'rows' | 'fields'>

const forms = new Map<string, BatchedQuery>()

/** The batched form of the read with this text. Undefined if the read is not batched. */
export const batchedQueryOf = (text: string): BatchedQuery | undefined => forms.get(text)

/** Registers the batched form of a read. */
export const registerBatch = (text: string, form: BatchedQuery): void => void forms.set(text, form)

/** The column of a value in the list of requests. The prefix avoids SQL keywords. */
const columnOf = (name: string): string => `its_${name}`

/**
 * SQL of a batched query. `own`: the names of the values that differ per request. The read receives them as text and
 * casts them. `nameOwn` returns the SQL of the read with other SQL for each of these names.
 */
export const batchedText = (own: readonly string[], nameOwn: (named: (name: string) => string) => string): string => `
  select requested.number, answer.*
    from unnest(${own.map((name) => `:${name}::text[]`).join(', ')}) with ordinality
         as requested (${[...own.map(columnOf), 'number'].join(', ')})
   cross join lateral (${nameOwn((name) => `requested.${columnOf(name)}`)}) as answer`

/** A value in PostgreSQL's text format. */
function textOf(value: unknown): string | null {
  if (value === null) return null
  if (!Array.isArray(value)) return String(value)
  const items = value.map((item) =>
    item === null ? 'null' : `"${String(item).replaceAll(/["\\]/g, String.raw`\$&`)}"`,
  )
  return `{${items.join(',')}}`
}

/** The values of the batched query, built from the values of each request. */
export const batchedValues = ({ own, common }: BatchedQuery, values: readonly unknown[][]): unknown[] => [
  ...own.map((at) => values.map((each) => textOf(each[at]))),
  ...common.map((at) => values[0]![at]),
]

/** Splits the rows of a batched query into the results of its requests. */
export function answersOf({ rows, fields }: StatementResult, count: number): StatementResult[] {
  const shown = fields.slice(1)
  const answers = Array.from({ length: count }, (): StatementResult => ({ rows: [], fields: shown }))
  for (const { number, ...row } of rows) answers[number - 1]!.rows.push(row)
  return answers
}

import type pg from 'pg'

/**
 * How a read is asked several times in one statement: the requests differ in what is their own, and have the rest in
 * common, as whose reach it is and which day.
 */
export type Together = {
  text: string
  /** where in the values of a single one its own stand, and where what it has in common */
  own: readonly number[]
  common: readonly number[]
  /** how many go in one statement: requests, or rows where one of their own values says for how many each asks */
  most: number
  rows_at?: number | undefined
}

/** For how much of what may go in one statement a request counts. */
export const weightOf = ({ most, rows_at }: Together, values: readonly unknown[]): number =>
  rows_at === undefined ? 1 : Math.min(Number(values[rows_at]), most)

/** What is answered of a statement: what we use of the driver's result. */
export type StatementAnswer = Pick<pg.QueryResult, 'rows' | 'fields'>

const forms = new Map<string, Together>()

/** How the read of this text is asked together with others; undefined where it is not. */
export const togetherOf = (text: string): Together | undefined => forms.get(text)

/** Says how the read of a text is asked together with others. */
export const askTogether = (text: string, form: Together): void => void forms.set(text, form)

/** A value by name as a request has it. Some names are words of SQL: none stands alone. */
const asIts = (name: string): string => `its_${name}`

/**
 * SQL that asks a read for each of several requests. `own`: the names of what each of them has for itself, which the
 * read takes as text and casts to what else it is; `nameOwn` writes its text with something else for each.
 */
export const togetherText = (own: readonly string[], nameOwn: (named: (name: string) => string) => string): string => `
  select asked.number, answer.*
    from unnest(${own.map((name) => `:${name}::text[]`).join(', ')}) with ordinality
         as asked (${[...own.map(asIts), 'number'].join(', ')})
   cross join lateral (${nameOwn((name) => `asked.${asIts(name)}`)}) as answer`

/** A value as PostgreSQL writes it as text. */
function textOf(value: unknown): string | null {
  if (value === null) return null
  if (!Array.isArray(value)) return String(value)
  const items = value.map((item) =>
    item === null ? 'null' : `"${String(item).replaceAll(/["\\]/g, String.raw`\$&`)}"`,
  )
  return `{${items.join(',')}}`
}

/** The values of several single ones as the statement for all of them takes them. */
export const valuesTogether = ({ own, common }: Together, values: readonly unknown[][]): unknown[] => [
  ...own.map((at) => values.map((each) => textOf(each[at]))),
  ...common.map((at) => values[0]![at]),
]

/** What each of so many requests would have been answered by itself. */
export function answersOf({ rows, fields }: StatementAnswer, count: number): StatementAnswer[] {
  const shown = fields.slice(1)
  const answers = Array.from({ length: count }, (): StatementAnswer => ({ rows: [], fields: shown }))
  for (const { number, ...row } of rows) answers[number - 1]!.rows.push(row)
  return answers
}

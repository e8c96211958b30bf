import {
  dependencies,
  object_comments,
  statements,
  table_columns,
  table_constraints,
  unknown_objects,
} from './schema-catalogs.ts'

/** Runs a statement on a connection with the default search path, and returns its rows. */
type Query = (text: string) => Promise<any[]>

/** A statement of the dump. Its dependencies come before it. A part belongs to a table or view and follows it. */
type DumpStatement = { key: string; kind: Kind; part_of: string | null; sql: string }
type Kind = keyof typeof statements

type DumpedColumn = { table_key: string; line: string }
type Constraint = DumpedColumn & { key: string; table_name: string; refers_to: string | null; is_valid: boolean }

/**
 * Dumps the public schema of a database as SQL from the catalogs. The dump is deterministic: dependencies come first,
 * and everything else is sorted by name. Throws on objects that it cannot dump.
 */
export async function dumpSchema(query: Query): Promise<string> {
  await refuseUnknown(query)
  const dump_statements = new Map<string, DumpStatement>()
  for (const [kind, text] of Object.entries(statements)) {
    for (const row of await query(text)) dump_statements.set(row.key, { part_of: null, ...row, kind: kind as Kind })
  }
  const columns = Map.groupBy((await query(table_columns)) as DumpedColumn[], (row) => row.table_key)
  const constraints = Map.groupBy((await query(table_constraints)) as Constraint[], (row) => row.table_key)
  const comments = Map.groupBy(await query(object_comments), (row) => row.key)
  const needs = new Set((await query(dependencies)).map((row) => `${row.key} needs ${row.needs}`))
  const parts = Map.groupBy([...dump_statements.values()], (dump_statement) => dump_statement.part_of ?? '')

  const started = new Set<string>()
  const done = new Set<string>()
  const written: string[] = []
  const late: string[] = []
  const commentsOn = (key: string) => (comments.get(key) ?? []).map((comment) => comment.sql)

  const writeTable = ({ key, sql }: DumpStatement) => {
    const [inner, others] = partition(constraints.get(key) ?? [], ({ refers_to, is_valid }) =>
      Boolean(is_valid && (!refers_to || refers_to === key || done.has(refers_to))),
    )
    const body = [...(columns.get(key) ?? []), ...inner].map(({ line }) => `\n  ${line}`)
    written.push(`\n${sql.replace('(…)', () => `(${body.join(',')}\n)`)}`)
    written.push(...commentsOn(key), ...inner.flatMap((constraint) => commentsOn(constraint.key)))
    for (const { key, table_name, line } of others)
      late.push(`\nALTER TABLE ${table_name} ADD ${line};`, ...commentsOn(key))
  }

  const write = (key: string) => {
    const dump_statement = dump_statements.get(key)
    if (!dump_statement || started.has(key)) return
    started.add(key)
    for (const other of dump_statements.keys()) if (needs.has(`${key} needs ${other}`)) write(other)
    if (dump_statement.kind === 'table') writeTable(dump_statement)
    else written.push((dump_statement.part_of ? '' : '\n') + dump_statement.sql, ...commentsOn(key))
    done.add(key)
    for (const part of parts.get(key) ?? []) write(part.key)
  }
  for (const key of dump_statements.keys()) write(key)

  const head = ['-- The schema after all migrations, written by npm run gen.', 'SET check_function_bodies = off;']
  return `${[...head, ...written, ...late].join('\n')}\n`
}

async function refuseUnknown(query: Query): Promise<void> {
  const [unknown] = await query(unknown_objects)
  if (unknown) throw new Error(`The schema dump does not support ${unknown.name}.`)
}

function partition<Row>(rows: Row[], belongs: (row: Row) => boolean): [Row[], Row[]] {
  return [rows.filter(belongs), rows.filter((row) => !belongs(row))]
}

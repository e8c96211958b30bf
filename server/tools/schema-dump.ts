import {
  dependencies,
  object_comments,
  statements,
  table_columns,
  table_constraints,
  unknown_objects,
} from './schema-catalogs.ts'

/** Runs a statement on a connection whose search path is the usual one, and answers its rows. */
type Query = (text: string) => Promise<any[]>

/** A statement of the dump. Its dependencies come before it; a part belongs to a table or view and follows it. */
type Thing = { key: string; kind: Kind; part_of: string | null; sql: string }
type Kind = keyof typeof statements

type DumpedColumn = { table_key: string; line: string }
type Constraint = DumpedColumn & { key: string; table_name: string; refers_to: string | null; is_valid: boolean }

/**
 * The public schema of a database as SQL that makes it again, read from the catalogs: the same schema gives the same
 * bytes, and a statement comes after all that it needs, else in the order of names. Throws on what it can't write.
 */
export async function dumpSchema(query: Query): Promise<string> {
  await refuseUnknown(query)
  const things = new Map<string, Thing>()
  for (const [kind, text] of Object.entries(statements)) {
    for (const row of await query(text)) things.set(row.key, { part_of: null, ...row, kind: kind as Kind })
  }
  const columns = Map.groupBy((await query(table_columns)) as DumpedColumn[], (row) => row.table_key)
  const constraints = Map.groupBy((await query(table_constraints)) as Constraint[], (row) => row.table_key)
  const comments = Map.groupBy(await query(object_comments), (row) => row.key)
  const needs = new Set((await query(dependencies)).map((row) => `${row.key} needs ${row.needs}`))
  const parts = Map.groupBy([...things.values()], (thing) => thing.part_of ?? '')

  const begun = new Set<string>()
  const done = new Set<string>()
  const written: string[] = []
  const late: string[] = []
  const commentsOn = (key: string) => (comments.get(key) ?? []).map((comment) => comment.sql)

  const writeTable = ({ key, sql }: Thing) => {
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
    const thing = things.get(key)
    if (!thing || begun.has(key)) return
    begun.add(key)
    for (const other of things.keys()) if (needs.has(`${key} needs ${other}`)) write(other)
    if (thing.kind === 'table') writeTable(thing)
    else written.push((thing.part_of ? '' : '\n') + thing.sql, ...commentsOn(key))
    done.add(key)
    for (const part of parts.get(key) ?? []) write(part.key)
  }
  for (const key of things.keys()) write(key)

  const head = ['-- The schema after all migrations, written by npm run gen.', 'SET check_function_bodies = off;']
  return `${[...head, ...written, ...late].join('\n')}\n`
}

async function refuseUnknown(query: Query): Promise<void> {
  const [unknown] = await query(unknown_objects)
  if (unknown) throw new Error(`The dump of the schema does not know how to write this: ${unknown.name}.`)
}

function partition<Row>(rows: Row[], belongs: (row: Row) => boolean): [Row[], Row[]] {
  return [rows.filter(belongs), rows.filter((row) => !belongs(row))]
}

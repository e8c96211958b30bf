import { createHash } from 'node:crypto'
import { from_context, isBatched, type Statement } from '../../database/sql/statement.ts'
import type { Description } from './describe.ts'
import type { StatementReach } from '../plans/shards.ts'

export type Described = { statement: Statement; description: Description; reach: StatementReach }

/** The module of a statement, which its name begins with. */
const moduleOf = ({ statement }: Described) => statement.name.split('.')[0]!

const withoutName = ({ text }: Statement) => text.slice(text.indexOf('*/') + 2)

const nameWithoutVariant = ({ name }: Statement) => name.replace(/[( ].*$/, '')

/** Removes the indentation of the declaration. */
function outdented(text: string): string {
  const lines = text.split('\n').map((line) => line.trimEnd())
  const rest = lines.slice(1).filter((line) => line !== '')
  const indent = Math.min(...rest.map((line) => line.search(/\S/)))
  return [lines[0]!.trim(), ...lines.slice(1).map((line) => line.slice(indent))].join('\n').trim()
}

const title = `-- Every statement of the service as PostgreSQL receives it. Written by npm run gen, and not committed.
-- The second line of a statement is where a sharded database runs it (database/citus/placement.ts): on one shard,
-- on all shards on purpose, or at the coordinator.`

/**
 * The text of every statement by module, with the types of its values and columns. Nothing runs this file; it shows
 * changes in a review.
 */
export function statementsSql(described: Described[]): string {
  const modules = Map.groupBy(described, moduleOf)
  const sections = [...modules].map(([module, own]) =>
    [`-- ${module}: ${own.length} statements`, ...own.map(statementSql)].join('\n\n'),
  )
  return `${[title, ...sections].join('\n\n')}\n`
}

function statementSql({ statement, reach, description: { parameters, columns } }: Described): string {
  const takes = statement.parameters.map((name, at) => `$${at + 1} ${name} ${parameters[at]}`)
  const gives = columns.map(({ name, type }) => `${name} ${type}`)
  return [
    `-- ${statement.name}`,
    `-- ${reach}`,
    ...(takes.length > 0 ? [`-- takes ${takes.join(', ')}`] : []),
    ...(gives.length > 0 ? [`-- gives ${gives.join(', ')}`] : []),
    `${outdented(withoutName(statement))};`,
  ].join('\n')
}

/**
 * One line for each statement: its name, how many variants it has, where a sharded database runs it, and a hash of its
 * texts. A review sees which statements a change affects, and when one starts to query all servers.
 */
export function statementsList(described: Described[]): string {
  const by_name = Map.groupBy(described, ({ statement }) => nameWithoutVariant(statement))
  const lines = [...by_name].map(([name, variants]) => {
    const hash = createHash('sha256').update(variants.map(statementSql).join('\n')).digest('hex').slice(0, 12)
    const reaches = [...new Set(variants.map(({ reach }) => reach))].join('; ')
    return `${name}${variants.length > 1 ? ` (${variants.length} variants)` : ''}  ${reaches}  ${hash}`
  })
  return `${lines.toSorted().join('\n')}\n`
}

/** The JavaScript types of values that the driver returns. Other types are text. */
const read_as: Record<string, string> = {
  smallint: 'number',
  integer: 'number',
  bigint: 'number',
  oid: 'number',
  real: 'number',
  'double precision': 'number',
  boolean: 'boolean',
  json: 'any',
  jsonb: 'any',
  bytea: 'Buffer',
  void: 'unknown',
  record: 'unknown',
}

/** The JavaScript types of parameters. Every type also accepts text. */
const written_as: Record<string, string> = {
  smallint: 'number',
  integer: 'number',
  bigint: 'number | string',
  oid: 'number',
  numeric: 'number | string',
  real: 'number',
  'double precision': 'number',
  boolean: 'boolean',
  bytea: 'Uint8Array',
}

const typeOf = (types: Record<string, string>, type: string): string => {
  if (!type.endsWith('[]')) return types[type] ?? 'string'
  return `readonly (${typeOf(types, type.slice(0, -2))} | null)[]`
}

/** The content of database/sql/statement-types.ts: the types of all statements for the compiler. */
export function statementTypes(described: Described[]): string {
  const by_itself = described.filter(({ statement }) => !isBatched(statement))
  const by_name = Map.groupBy(by_itself, ({ statement }) => nameWithoutVariant(statement))
  const entries = [...by_name].map(([name, variants]) => {
    const takes = new Map<string, string>()
    const gives = new Map<string, string>()
    for (const { statement, description } of variants) {
      for (const [at, parameter] of statement.parameters.entries())
        if (!(parameter in from_context)) takes.set(parameter, typeOf(written_as, description.parameters[at]!))
      for (const column of description.columns) gives.set(column.name, typeOf(read_as, column.type))
    }
    const fields = (types: Map<string, string>) =>
      [...types].map(([field, type]) => `${field}: ${orNull(type)}`).join('; ')
    return `  '${name}': { takes: { ${fields(takes)} }; gives: { ${fields(gives)} } }`
  })
  return [
    '/** The parameters and columns of each statement, as PostgreSQL described them. Generated by npm run gen. */',
    'export type StatementTypes = {',
    ...entries,
    '}',
    '',
  ].join('\n')
}

const orNull = (type: string) => (type === 'any' || type === 'unknown' ? type : `${type} | null`)

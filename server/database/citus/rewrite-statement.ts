/**
 * Rewrites the statements of the service for Citus. Citus runs a statement on one server only if every table in it is
 * limited to one organization by an equality with a value. It does not follow equalities between columns:
 *
 *     from employees as employee join employers as employer on employer.organization_id = employee.organization_id
 *
 * becomes
 *
 *     from (select * from employees where organization_id = $1) as employee
 *     join (select * from employers where organization_id = $1) as employer on ...
 *
 * `organizations` itself stays on the coordinator. A statement that reads it receives the row as its last value.
 */
import type { CompiledStatement, DistributedStatement } from '../query/distribution.ts'
import { withName } from '../query/distribution.ts'
import { by_organization, organization_columns } from './placement.ts'

/** The condition of `inReach` on the organization. */
const in_reach_of_any = /\((\$\d+)::text\[\] is null or (\$?[\w.]+) = any\(\1\)\)/g

/** SQL for a caller who reaches one organization: an equality with a value. */
const limitToOne = (sql: string, parameters: readonly string[]): string => {
  const reach = `$${parameters.indexOf('reach_organization_ids') + 1}`
  return sql.replaceAll(in_reach_of_any, (found, parameter: string, organization: string) =>
    parameter === reach ? `${organization} = (${reach}::text[])[1]` : found,
  )
}

/** SQL of the organization that a statement concerns, as a value. Undefined if it concerns several. */
function organizationOf(parameters: readonly string[], of_one: boolean): string | undefined {
  const given = parameters.indexOf('organization_id')
  if (given >= 0) return `$${given + 1}`
  const reach = parameters.indexOf('reach_organization_ids')
  return of_one && reach >= 0 ? `($${reach + 1}::text[])[1]` : undefined
}

/** An equality of the organizations of two tables. */
const same_organization = /((?:\w+\.)?organization_id) = (\w+\.organization_id)\b/g

/** A table that a statement reads, with its alias. Not the target of a delete. */
const read_table = new RegExp(
  `(?<!\\bdelete )(\\b(?:from|join) )(organizations|${by_organization.join('|')})\\b(?! *\\()(?: as (\\w+))?`,
  'g',
)

/** A select without columns, which Citus cannot send to other servers. */
const no_columns = /\bselect\s+from\b/g

const sharded_table = new RegExp(`\\b(?:${by_organization.join('|')})\\b`)

/** Whether a statement ends with an insert from a select that returns nothing. */
function insertsFromSelect(sql: string): boolean {
  const index = sql.lastIndexOf('insert into ')
  const inserted = sql.slice(index)
  return (
    /(?:^|\))\s*$/.test(sql.slice(0, index)) &&
    /\bselect\b/.test(inserted) &&
    !/\bon conflict\b|\breturning\b/.test(inserted)
  )
}

/** A statement that locks an organization must read the row itself. */
const locks_organization = /\bfor (?:no key )?(?:update|share)\b(?! of (?!organizations?\b))/

/**
 * SQL that limits each sharded table to one organization. `row`: the parameter with the organization's row as JSON; if
 * absent, the statement reads the row. The replacements are functions because `$` is special in replacement strings.
 */
export function ofOrganization(sql: string, organization: string, row?: string): string {
  if (!sharded_table.test(sql)) return sql
  const organization_row_sql =
    row === undefined
      ? `select * from organizations where id = ${organization} offset 0`
      : `select * from jsonb_to_recordset(${row}::jsonb) as organizations (${organization_columns.join(', ')})`
  return sql
    .replaceAll(same_organization, (found, of: string) => `(${found} and ${of} = ${organization})`)
    .replaceAll(read_table, (_, before: string, table: string, alias = table) =>
      table === 'organizations'
        ? `${before}(${organization_row_sql}) as ${alias}`
        : `${before}(select * from ${table} where organization_id = ${organization}) as ${alias}`,
    )
}

const organization_row = `
  /* statement.handOver */ select coalesce(json_agg(organization), '[]')::text as json
                             from organizations as organization where id = $1`

function rewrite({ name, sql, parameters }: CompiledStatement, of_one: boolean): DistributedStatement {
  const requested = (of_one ? limitToOne(sql, parameters) : sql).replaceAll(no_columns, 'select 1 from')
  const organization = organizationOf(parameters, of_one)
  const row = organization && !locks_organization.test(requested) ? `$${parameters.length + 1}` : undefined
  const rewritten = organization ? ofOrganization(requested, organization, row) : requested
  // Without a returning clause, Citus copies the rows of an insert from a select, which row-level security forbids.
  const text = insertsFromSelect(rewritten) ? `${rewritten} returning true as written` : rewritten
  const takes_row = row !== undefined && rewritten.includes(`${row}::jsonb`)
  return { text: withName(name, text), last_value: takes_row ? organization_row : undefined }
}

/**
 * Rewritten statements by name. A process has hundreds of statements and uses few of them, so each is rewritten at its
 * first use.
 */
const rewritten = {
  of_one: new Map<string, DistributedStatement>(),
  multi_tenant: new Map<string, DistributedStatement>(),
}

/** Rewrites a statement for Citus, once. `of_one`: the caller reaches one organization. */
export function rewriteStatement(statement: CompiledStatement, of_one: boolean): DistributedStatement {
  const made = rewritten[of_one ? 'of_one' : 'multi_tenant']
  let found = made.get(statement.name)
  if (!found) made.set(statement.name, (found = rewrite(statement, of_one)))
  return found
}

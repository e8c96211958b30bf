import pg from 'pg'

/** Says of a statement that it serves organizations of whom it does not know beforehand, or all of them. */
export const every_organization = Symbol('every organization')

/** Whose rows a statement may touch: those of some organizations, by their ids, or of all. */
export type RowsOf = readonly string[] | typeof every_organization

/** Of a statement that touches nothing that belongs to an organization. */
export const no_organization: RowsOf = []

/** The setting by which PostgreSQL knows whose rows a statement may touch; `in_scope` asks it for each row. */
export const scope_setting = 'openbenefits.organizations'

/** More organizations than this are taken for all: each row of a statement is looked for among them. */
const most_by_name = 1000

/** What stands for an organization in a path may be anything; what is no id could say more than one. */
const is_id = /^\w+$/

/**
 * What the setting says: an id, several between commas, `*` for all, `-` for none. It is never empty: that is what a
 * session says that was told nothing, and PostgreSQL answers it with an error. What is no id names nobody.
 */
export function scopeOf(rows_of: RowsOf): string {
  if (rows_of === every_organization || rows_of.length > most_by_name) return '*'
  const ids = rows_of.filter((id) => is_id.test(id))
  if (ids.length === 0) return '-'
  return ids.length === 1 ? ids[0]! : `,${ids.join(',')},`
}

/** SQL: says it for the rest of a transaction. Where tenants are divided over several servers, to each of them. */
export const setScope = (scope: string): string => `set local ${scope_setting} = ${pg.escapeLiteral(scope)}`

/**
 * SQL for a session of ours, before all else, where tenants are divided: what is set in a transaction is handed on, and
 * each server has one session, so that each statement finds what those before it wrote.
 */
export const session_of_divided = `
  set citus.propagate_set_commands = 'local'; set citus.max_adaptive_executor_pool_size = 1`

/** SQL, one by one, of each transaction there: a function or trigger may read and write on its server too. */
export const settings_of_divided = ['set local citus.allow_nested_distributed_execution = on']

/** SQL of each transaction in a session that is not ours. */
export const settings_of_any_session = [
  `set local citus.propagate_set_commands = 'local'`,
  'set local citus.max_adaptive_executor_pool_size = 1',
]

/**
 * SQL of each transaction that writes where tenants are divided. Citus sees that the coordinator is written to, not
 * only the server of a tenant, so that it commits in two phases: both or none, whatever ends meanwhile.
 */
export const commit_as_whole = 'delete from whole_commits where id = 0'

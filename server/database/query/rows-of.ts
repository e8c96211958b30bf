/**
 * The scope of a statement: the organizations whose rows it may touch. Every connection is taken with `rows_of`, which
 * becomes a setting of the transaction. The policies of row-level security compare each row with that setting
 * (`in_scope`), so a statement without an organization in its conditions still sees no rows of another tenant. A
 * statement without the setting fails.
 */
import pg from 'pg'

/** The scope of statements that serve all organizations, or organizations that are not known beforehand. */
export const every_organization = Symbol('every organization')

/** The organizations whose rows a statement may touch: some, by their ids, or all. */
export type RowsOf = readonly string[] | typeof every_organization

/** The scope of statements that touch no rows of tenants. */
export const no_organization: RowsOf = []

/** The setting with the scope, which `in_scope` reads for each row. */
export const scope_setting = 'openbenefits.organizations'

/** Longer lists are replaced by the scope of all organizations, because PostgreSQL searches the list for each row. */
const max_by_name = 1000

/** The organization in a path can be any string. One with commas would be read as a list. */
const is_id = /^\w+$/

/**
 * The value of the setting: an id, several ids between commas, `*` for all, or `-` for none. It is never empty, because
 * the empty value means a session without a scope, which fails. Strings that are not ids are left out.
 */
export function scopeOf(rows_of: RowsOf): string {
  if (rows_of === every_organization || rows_of.length > max_by_name) return '*'
  const ids = rows_of.filter((id) => is_id.test(id))
  if (ids.length === 0) return '-'
  return ids.length === 1 ? ids[0]! : `,${ids.join(',')},`
}

/** SQL that sets the scope for the rest of a transaction. */
export const setScope = (scope: string): string => `set local ${scope_setting} = ${pg.escapeLiteral(scope)}`

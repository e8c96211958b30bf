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

/** What could say more than one organization is no id of any. */
const is_id = /^\w+$/

/**
 * What the setting says: an id, several between commas, `*` for all, `-` for none. It is never empty: that is what a
 * session says that was told nothing, and PostgreSQL answers it with an error. Throws for what is no id.
 */
export function scopeOf(rows_of: RowsOf): string {
  if (rows_of === every_organization || rows_of.length > most_by_name) return '*'
  if (rows_of.length === 0) return '-'
  if (!rows_of.every((id) => is_id.test(id))) throw new Error('A scope names what is no id of an organization.')
  return rows_of.length === 1 ? rows_of[0]! : `,${rows_of.join(',')},`
}

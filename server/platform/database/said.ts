/**
 * SQL: what is said of rows, `records`, as a `with` before the `update` of those rows, which takes it `from said`; and
 * by `isSaid` which row is meant. Rows are looked up by their keys: told `organization_id = :organization_id`,
 * PostgreSQL reads all of the organization, as long as it believes that the table is as small as when it last looked.
 */
export const withSaid = (records: string): string => `
  with said as materialized (select said.*, :organization_id::text as organization_id from ${records})`

/** SQL: whether a row is the one that is said by `key`. */
export const isSaid = (row: string, key: string): string => `
  ${row}.id = any(array(select ${key} from said)) and ${row}.id = said.${key}
  and ${row}.organization_id = said.organization_id`

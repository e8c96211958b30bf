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

/**
 * SQL: rows that are handed over by a parameter as JSON, each an array of values in the order of these columns, which
 * are text unless another type is named behind them. Objects take PostgreSQL three times as long to read.
 */
export const rowsFrom = (parameter: string, columns: readonly string[]): string => {
  const cells = columns.map((column, at) => {
    const [name, type] = column.split(' ')
    return `${type ? `(cells ->> ${at})::${type}` : `cells ->> ${at}`} as ${name}`
  })
  return `(select ${cells.join(', ')} from jsonb_array_elements(:${parameter}::jsonb) as handed (cells))`
}

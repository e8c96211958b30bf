/**
 * SQL: `input`, a `with` of the `records` that an update reads with `isInputRow`. Rows are found by their keys: with
 * `organization_id = :organization_id` alone, PostgreSQL would read the whole organization while its statistics
 * count few rows in the table.
 */
export const withInputRows = (records: string): string => `
  with input as materialized (select input.*, :organization_id::text as organization_id from ${records})`

/** SQL: whether the `column` of a row equals the `key` of an input row. Uses the index of `column`. */
export const isInputRow = (row: string, key: string, column = 'id'): string => `
  ${row}.${column} = any(array(select ${key} from input)) and ${row}.${column} = input.${key}
  and ${row}.organization_id = input.organization_id`

/**
 * SQL: the rows of an organization whose `key` is in a list of texts, each found in the index of the key, even while a
 * young table has no statistics.
 */
export const rowsWith = (parameter: string, table: string, row: string, key = 'id'): string => `
  unnest(:${parameter}::text[]) as wanted (id)
  cross join lateral (
    select * from ${table} where ${key} = wanted.id and organization_id = :organization_id offset 0) as ${row}`

/**
 * SQL: rows passed as one JSON parameter, each an array of values in the order of these columns. A column is text
 * unless a type follows its name. PostgreSQL takes three times as long to read objects.
 */
export const rowsFrom = (parameter: string, columns: readonly string[]): string => {
  const cells = columns.map((column, index) => {
    const [name, type] = column.split(' ')
    return `${type ? `(cells ->> ${index})::${type}` : `cells ->> ${index}`} as ${name}`
  })
  return `(select ${cells.join(', ')} from jsonb_array_elements(:${parameter}::jsonb) as handed (cells))`
}

/**
 * The values of rows by column, as the array parameters of an `unnest`: `:year::int[]` holds the `year` of each row. A
 * missing value is null.
 */
export const columnsOf = <Row extends object, Name extends keyof Row>(rows: readonly Row[], names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, rows.map((row) => row[name] ?? null)])) as {
    [name in Name]-?: (Exclude<Row[name], undefined> | (undefined extends Row[name] ? null : never))[]
  }

/** SQL: whether a row is in force on a day, which is from its `effective_on` to before its `until`. */
export const inForce = (row: string, $day: string): string =>
  `${row}.effective_on <= ${$day} and ${$day} < ${row}.until`

/**
 * SQL: the slot of a counter that this connection adds to. A counter of an organization has up to 64 rows, which add
 * up, so that writes of the organization do not wait for each other's commit. With one row per counter, 8 connections
 * created employers in one organization at 60% of their rate in eight organizations. With 16 rows, some of the
 * connections still shared one.
 */
export const counter_slot = 'pg_backend_pid() % 64'

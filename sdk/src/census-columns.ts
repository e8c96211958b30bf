import { choicesOf, folded, meaningKey, meaningOf, valueOf, type Meanings, type Reading } from './census-values.ts'
import type { CensusRow } from './v1/types.gen.ts'

export { choicesOf, meaningKey, meaningsOf, type Meanings, type Reading } from './census-values.ts'

/** A field of a row, with the alternative column names of spreadsheets. */
export type RowField = { name: string; label: string; needed: boolean; also: readonly string[] }

/** The fields of a census row, with the alternative column names of spreadsheets. */
export const census_fields = [
  { name: 'first_name', label: 'First name', needed: true, also: ['first', 'given name'] },
  { name: 'last_name', label: 'Last name', needed: true, also: ['last', 'surname', 'family name'] },
  { name: 'email', label: 'Email', needed: true, also: ['e-mail', 'email address', 'mail', 'work email'] },
  { name: 'phone', label: 'Phone', needed: true, also: ['phone number', 'mobile', 'telephone', 'cell'] },
  { name: 'date_of_birth', label: 'Date of birth', needed: true, also: ['dob', 'birth date', 'birthday'] },
  { name: 'start_date', label: 'Hire date', needed: false, also: ['first day', 'hired', 'date of hire', 'hired on'] },
  {
    name: 'termination_date',
    label: 'Termination date',
    needed: false,
    also: ['last day', 'term date', 'end date', 'terminated'],
  },
  {
    name: 'employee_class',
    label: 'Class',
    needed: false,
    also: ['employment type', 'employee type', 'status', 'type'],
  },
  { name: 'compensation_type', label: 'Pay type', needed: false, also: ['pay', 'compensation', 'flsa'] },
  {
    name: 'bargaining_unit',
    label: 'Bargaining unit',
    needed: false,
    also: ['union local', 'union code', 'union name'],
  },
  {
    name: 'reference_id',
    label: 'Reference',
    needed: false,
    // ADP exports an associate id and a file number, Workday a worker id.
    also: [
      'employee id',
      'employee number',
      'employee no',
      'employee code',
      'emp id',
      'emp no',
      'id',
      'number',
      'associate id',
      'file number',
      'worker id',
      'payroll id',
    ],
  },
  { name: 'suffix', label: 'Suffix', needed: false, also: [] },
  { name: 'gender', label: 'Gender', needed: false, also: ['sex'] },
  { name: 'address.address_line_1', label: 'Street address', needed: false, also: ['address', 'address 1', 'street'] },
  {
    name: 'address.address_line_2',
    label: 'Suite or floor',
    needed: false,
    also: ['address 2', 'suite', 'unit', 'apt'],
  },
  { name: 'address.city', label: 'City', needed: false, also: ['town'] },
  { name: 'address.state', label: 'State', needed: false, also: ['province'] },
  { name: 'address.zipcode', label: 'ZIP code', needed: false, also: ['zip', 'postal code', 'postcode'] },
] as const satisfies readonly RowField[]

/** The label of a field. */
export const labelOf = (field: string, fields: readonly RowField[] = census_fields): string =>
  fields.find(({ name }) => name === field)?.label ?? field

/** A parsed file: its columns in order, and its lines by column. */
export type Spreadsheet = { name: string; columns: string[]; lines: Record<string, string>[] }

/** Guesses the column of each field by name. A column is used for at most one field. */
export function matchColumns(columns: string[], fields: readonly RowField[] = census_fields): Record<string, string> {
  const matched: Record<string, string> = {}
  for (const { name, label, also } of fields) {
    const names = [name, name.replace('address.', ''), label, ...also].map(folded)
    const free = columns.filter((column) => !Object.values(matched).includes(column))
    const found = free.find((column) => names.includes(folded(column)))
    if (found) matched[name] = found
  }
  return matched
}

/** A line by API field, with `address.city` for nested fields. */
export type CensusLine = Record<string, string>

/** The text of a cell, without the apostrophe that keeps a spreadsheet from running it as a formula. */
const textOf = (cell = ''): string => cell.trim().replace(/^'(?=[=+\-@])/, '')

/** A field that an empty cell clears, if the file has its column. */
const cleared_field = 'bargaining_unit'

/** The lines of a file by API field, with parsed values. Empty cells are omitted, except in `cleared_field`. */
export function linesOf({ lines }: Spreadsheet, matched: Record<string, string>, reading: Reading): CensusLine[] {
  const columns = Object.entries(matched)
  return lines.map((line) => {
    const found: [field: string, value: string][] = []
    for (const [field, column] of columns) {
      const text = textOf(line[column])
      const value = text === '' ? '' : valueOf(field, text, reading)
      if (value !== '' || field === cleared_field) found.push([field, value])
    }
    return Object.fromEntries(found)
  })
}

/** Groups items by key, in order of first occurrence. Node 20 lacks `Map.groupBy`. */
function groupsOf<Item, Key>(items: Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group) group.push(item)
    else groups.set(keyOf(item), [item])
  }
  return groups
}

/**
 * A text in the column of a field with a fixed list, its number of rows, and its meaning. Empty if the value is
 * omitted.
 */
export type ColumnValue = { field: string; text: string; row_count: number; meaning: string | undefined }

/** The different texts in the columns of fields with a fixed list. A meaning applies to all rows with its text. */
export function valuesOf({ lines }: Spreadsheet, matched: Record<string, string>, meanings?: Meanings): ColumnValue[] {
  const listed = Object.entries(matched).filter(([field]) => choicesOf(field))
  return listed.flatMap(([field, column]) => {
    const texts = lines.map((line) => textOf(line[column])).filter((text) => text !== '')
    return [...groupsOf(texts, meaningKey).values()].map((same) => ({
      field,
      text: same[0]!,
      row_count: same.length,
      meaning: meaningOf(field, same[0]!, meanings),
    }))
  })
}

/** An error in a row. `index` is the position in the file, from 0. */
export type RowFailure = { index: number; field: string | null; reason: string }

/** The columns in front of a file of failed rows. Reading the file again ignores them. */
export const failure_columns: readonly string[] = ['failed_row', 'failed_field', 'failed_reason']

/** Adds an apostrophe to text that a spreadsheet would run as a formula. `linesOf` removes it again. */
const asText = (cell: string): string => (/^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell)

/** The failed rows of a file, preceded by row numbers (from 1) and reasons, to be corrected and sent again. */
export function failedRows(
  { columns, lines }: Spreadsheet,
  failures: RowFailure[],
): { fields: string[]; data: string[][] } {
  const by_row = [...groupsOf(failures, ({ index }) => index)].sort(([a], [b]) => a - b)
  const data = by_row.map(([index, found]) => [
    String(rowNumber(index)),
    found.map(({ field }) => field ?? '').join('; '),
    found.map(({ reason }) => reason).join('; '),
    ...columns.map((column) => asText(lines[index]?.[column] ?? '')),
  ])
  return { fields: [...failure_columns, ...columns], data }
}

/** A row in the API's format, for a census or for group members. */
export function rowOf<Row = CensusRow>(line: CensusLine): Row {
  const row: Record<string, unknown> = {}
  const address: Record<string, string> = {}
  for (const [field, value] of Object.entries(line)) {
    if (field.startsWith('address.')) address[field.slice('address.'.length)] = value
    else row[field] = field === cleared_field && value === '' ? null : value
  }
  // The service reports missing and invalid fields.
  return { ...row, ...(Object.keys(address).length > 0 && { address }) } as Row
}

/** The displayed number of a row. The first row below the column names is 1. */
export const rowNumber = (index: number): number => index + 1

/**
 * Converts the row numbers in a reason to those of the file. The service numbers the submitted rows, which may omit
 * rows of the file. `indexes` contains the file positions of the submitted rows.
 */
export const reasonInFile = (reason: string, indexes: number[]): string =>
  reason.replace(/\brow (\d+)\b/, (text, number: string) => {
    const index = indexes[Number(number) - 1]
    return index === undefined ? text : `row ${rowNumber(index)}`
  })

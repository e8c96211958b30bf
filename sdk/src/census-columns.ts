import { choicesOf, folded, meaningKey, meaningOf, valueOf, type Meanings, type Reading } from './census-values.ts'
import { rowNumber } from './row-names.ts'
import type { CensusRow } from './v1/types.gen.ts'

export { fieldInWords, reasonInFile, rowNumber } from './row-names.ts'
export { choicesOf, meaningKey, type Meanings, type Reading } from './census-values.ts'

/** What a row may say, and by which other names spreadsheets have it. */
export type RowField = { name: string; label: string; needed: boolean; also: readonly string[] }

/** What a row of a census may say, and by which other names spreadsheets have it. */
export const census_fields = [
  { name: 'first_name', label: 'First name', needed: true, also: ['first', 'given name'] },
  { name: 'last_name', label: 'Last name', needed: true, also: ['last', 'surname', 'family name'] },
  { name: 'email', label: 'E-mail', needed: true, also: ['email address', 'mail', 'work email'] },
  { name: 'phone', label: 'Phone', needed: true, also: ['phone number', 'mobile', 'telephone', 'cell'] },
  { name: 'date_of_birth', label: 'Date of birth', needed: true, also: ['dob', 'birth date', 'birthday'] },
  { name: 'start_date', label: 'First day', needed: false, also: ['hire date', 'hired', 'date of hire', 'hired on'] },
  { name: 'termination_date', label: 'Last day', needed: false, also: ['term date', 'end date', 'terminated'] },
  { name: 'employee_class', label: 'Class', needed: false, also: ['employment type', 'status', 'type'] },
  { name: 'compensation_type', label: 'Pay', needed: false, also: ['pay type', 'compensation', 'flsa'] },
  { name: 'reference_id', label: 'Reference', needed: false, also: ['employee id', 'id', 'employee number', 'number'] },
  { name: 'suffix', label: 'Suffix', needed: false, also: [] },
  { name: 'gender', label: 'Gender', needed: false, also: ['sex'] },
  { name: 'address.address_line_1', label: 'Street', needed: false, also: ['address', 'address 1', 'street'] },
  { name: 'address.address_line_2', label: 'Suite, floor', needed: false, also: ['address 2', 'unit', 'apt'] },
  { name: 'address.city', label: 'City', needed: false, also: ['town'] },
  { name: 'address.state', label: 'State', needed: false, also: ['province'] },
  { name: 'address.zipcode', label: 'ZIP code', needed: false, also: ['zip', 'postal code', 'postcode'] },
] as const satisfies readonly RowField[]

/** What people call a field. */
export const labelOf = (field: string, fields: readonly RowField[] = census_fields): string =>
  fields.find(({ name }) => name === field)?.label ?? field

/** A file: its columns in their order, and its lines by them. */
export type Sheet = { name: string; columns: string[]; lines: Record<string, string>[] }

/** Which column says which field, guessed by their names; a column says one field at most. */
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

/** What a line says, by the fields of the interface; `address.city` of its parts. */
export type CensusLine = Record<string, string>

/** The text of a cell, without the apostrophe that keeps a spreadsheet from running it as a formula. */
const textOf = (cell = ''): string => cell.trim().replace(/^'(?=[=+\-@])/, '')

/** The lines of a file by the fields of the interface, with values that are understood. Empty cells are left out. */
export const linesOf = ({ lines }: Sheet, matched: Record<string, string>, reading: Reading): CensusLine[] =>
  lines.map((line) => {
    const found = Object.entries(matched).map(([field, column]) => [field, textOf(line[column])] as const)
    return Object.fromEntries(
      found
        .filter(([, text]) => text !== '')
        .map(([field, text]) => [field, valueOf(field, text, reading)] as const)
        .filter(([, value]) => value !== ''),
    )
  })

/** Items by a key, in the order in which each key is first seen. `Map.groupBy` is not in Node 20. */
function groupsOf<Item, Key>(items: Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group) group.push(item)
    else groups.set(keyOf(item), [item])
  }
  return groups
}

/** A text in the column of a field with a fixed list, on how many rows, and its meaning: empty if left out. */
export type ColumnValue = { field: string; text: string; row_count: number; meaning: string | undefined }

/** The different texts in the columns of fields with a fixed list. A meaning applies to all rows with its text. */
export function valuesOf({ lines }: Sheet, matched: Record<string, string>, meanings?: Meanings): ColumnValue[] {
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

/** An error in a row. `index`: its position in the file, from 0. */
export type RowFailure = { index: number; field: string | null; reason: string }

/** The columns in front of a file of failed rows. Reading the file again ignores them. */
export const failure_columns: readonly string[] = ['failed_row', 'failed_field', 'failed_reason']

/** Text that a spreadsheet would run as a formula gets an apostrophe in front, which `linesOf` takes off again. */
const asText = (cell: string): string => (/^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell)

/** The failed rows of a file, with their numbers from 1 and the reasons in front, to be corrected and sent again. */
export function failedRows({ columns, lines }: Sheet, failures: RowFailure[]): { fields: string[]; data: string[][] } {
  const by_row = [...groupsOf(failures, ({ index }) => index)].sort(([a], [b]) => a - b)
  const data = by_row.map(([index, found]) => [
    String(rowNumber(index)),
    found.map(({ field }) => field ?? '').join('; '),
    found.map(({ reason }) => reason).join('; '),
    ...columns.map((column) => asText(lines[index]?.[column] ?? '')),
  ])
  return { fields: [...failure_columns, ...columns], data }
}

/** A row as the interface takes it, of a census or of the members of a group. */
export function rowOf<Row = CensusRow>(line: CensusLine): Row {
  const row: Record<string, unknown> = {}
  const address: Record<string, string> = {}
  for (const [field, value] of Object.entries(line)) {
    if (field.startsWith('address.')) address[field.slice('address.'.length)] = value
    else row[field] = value
  }
  // What is missing or wrong is the service's to say.
  return { ...row, ...(Object.keys(address).length > 0 && { address }) } as Row
}

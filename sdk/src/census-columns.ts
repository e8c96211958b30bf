import type { CensusRow } from './v1/types.gen.ts'

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

const folded = (name: string) =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim()

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

/** A day as spreadsheets of the United States write it, as the interface does; all else stays as it is. */
const dayOf = (text: string): string => {
  const [, month, day, year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text) ?? []
  return year ? `${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}` : text
}

const days = ['date_of_birth', 'start_date', 'termination_date']

/** What a line says, by the fields of the interface; `address.city` of its parts. */
export type CensusLine = Record<string, string>

/** The lines of a file by the names of the interface; empty cells say nothing. */
export const linesOf = ({ lines }: Sheet, matched: Record<string, string>): CensusLine[] =>
  lines.map((line) => {
    const said = Object.entries(matched).map(([field, column]) => [field, (line[column] ?? '').trim()] as const)
    return Object.fromEntries(
      said
        .filter(([, value]) => value !== '')
        .map(([field, value]) => [field, days.includes(field) ? dayOf(value) : value]),
    )
  })

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

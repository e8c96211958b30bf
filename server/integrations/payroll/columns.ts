import type { CsvRow } from '../../kernel/formats/csv.ts'
import { hris_fields, type HrisField, type HrisPerson, type HrisSettings } from './provider.ts'

/**
 * Other names of our fields in payroll systems, lower case without spaces and signs, best first. If a file has several
 * columns for a field, the first one that is not blank counts. Our own name comes first unless the list contains it.
 */
const names: Partial<Record<HrisField, string[]>> = {
  reference_id: ['reference', 'employeeid', 'employeenumber', 'employeeno', 'empid', 'workerid', 'id', 'fileno'],
  first_name: ['first', 'givenname', 'legalfirstname', 'employeefirstname'],
  last_name: ['last', 'surname', 'familyname', 'legallastname', 'employeelastname'],
  email: ['emailaddress', 'workemail', 'personalemail', 'mail'],
  phone: ['phonenumber', 'mobile', 'mobilephone', 'cellphone', 'homephone', 'workphone', 'telephone'],
  date_of_birth: ['dob', 'birthdate', 'birthday'],
  gender: ['sex'],
  start_date: ['rehiredate', 'mostrecenthiredate', 'startdate', 'hiredate', 'datehired', 'dateofhire', 'startedon'],
  termination_date: ['termdate', 'enddate', 'lastday', 'lastdayworked', 'terminatedon', 'dateofleaving'],
  employee_class: ['class', 'employeetype', 'employmenttype', 'employmentclass', 'workertype', 'classification'],
  compensation_type: ['paytype', 'salaryorhourly', 'compensation'],
  address_line_1: ['address', 'address1', 'street', 'street1', 'streetaddress', 'homeaddress'],
  address_line_2: ['address2', 'street2', 'apartment', 'unit'],
  state: ['province', 'region', 'statecode'],
  zipcode: ['zip', 'postalcode', 'postcode'],
}
const needed = ['first_name', 'last_name', 'email', 'date_of_birth'] as const

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/** Matches columns of social security numbers under any name, but not `Business Name` or `Company Tax ID`. */
const isUnwanted = (name: string): boolean =>
  /^ssn|ssn$|^ss(no|num|number)?$|soc(ial)?sec|^(employee)?taxid(no|num|number)?$/.test(plain(name)) ||
  /(?<![a-z])ssn(?![a-z])/i.test(name)

const namesOf = (field: HrisField): Set<string> => {
  const [own, others = []] = [plain(field), names[field]]
  return new Set(others.includes(own) ? others : [own, ...others])
}

/** The columns of a field, best first. Only one for the reference: two would number people twice. */
function columnsFor(field: HrisField, header: string[], chosen: HrisSettings['columns'] = {}): string[] {
  if (chosen[field] !== undefined) return [chosen[field].trim().toLowerCase()]
  const found = [...namesOf(field)].flatMap((known) => header.filter((name) => plain(name) === known))
  return field === 'reference_id' ? found.slice(0, 1) : found
}

/** Maps the columns of a file to fields. Returns a sentence with the reason if the file cannot be read. */
export function readerOf(header: string[], chosen: HrisSettings['columns']): string | ((row: CsvRow) => HrisPerson) {
  if (header.some(isUnwanted))
    return 'The file has a column of social security numbers, which are not accepted. Remove the column.'
  const columns = hris_fields.map((field) => ({ field, found: columnsFor(field, header, chosen) }))
  const lost = columns.find(({ found }) => found.some((name) => !header.includes(name)))
  if (lost) return `The file has no column that is called like the one chosen for ${lost.field}.`
  const mapped = columns.filter(({ found }) => found.length > 0)
  const missing = needed.filter((field) => !mapped.some((each) => each.field === field))
  if (missing.length > 0) return `The file has no column for ${missing.join(', ')}.`
  return (row) => {
    const person: HrisPerson = {}
    for (const { field, found } of mapped) person[field] = row[found.find((name) => row[name]?.trim()) ?? ''] ?? null
    return person
  }
}

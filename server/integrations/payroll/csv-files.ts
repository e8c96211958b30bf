import { lstat, mkdir, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { readCsv, type CsvRow, utf16In, type Encoding } from '../../kernel/formats/csv.ts'
import {
  HrisError,
  max_people,
  type HrisPerson,
  type HrisProvider,
  type HrisSettings,
  hris_fields,
  lasting_fields,
  type HrisField,
} from './provider.ts'
import { isId } from '../../kernel/ids.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { createReadStream } from 'node:fs'

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
  bargaining_unit: ['bargainingunitcode', 'unionlocal', 'unioncode', 'unionname'],
  address_line_1: ['address', 'address1', 'street', 'street1', 'streetaddress', 'homeaddress'],
  address_line_2: ['address2', 'street2', 'apartment', 'unit'],
  state: ['province', 'region', 'statecode'],
  zipcode: ['zip', 'postalcode', 'postcode'],
  period_starts_on: ['payperiodstart', 'payperiodstartdate', 'periodstart', 'periodstartdate', 'payperiodbegindate'],
  period_ends_on: ['payperiodend', 'payperiodenddate', 'periodend', 'periodenddate'],
  hours_worked: ['workedhours'],
  paid_leave_hours: ['ptohours', 'paidleave'],
}
const needed = ['first_name', 'last_name', 'email', 'date_of_birth'] as const

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/** Matches columns of Social Security numbers under any name, but not `Business Name` or `Company Tax ID`. */
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
export function readerOf(header: string[], settings: HrisSettings): string | ((row: CsvRow) => HrisPerson) {
  if (header.some(isUnwanted))
    return 'The file has a column of Social Security numbers, which are not accepted. Remove the column.'
  const columns = hris_fields.map((field) => ({ field, found: columnsFor(field, header, settings.columns) }))
  const lost = columns.find(({ found }) => found.some((name) => !header.includes(name)))
  if (lost)
    return `The file has no column "${settings.columns?.[lost.field]}", which the connection uses for ${lost.field}.`
  const mapped = columns.filter(({ found }) => found.length > 0)
  const isMissing = (field: HrisField) => !mapped.some((mapping) => mapping.field === field)
  const missing = needed.filter(isMissing)
  if (missing.length > 0) return `The file has no column for ${missing.join(', ')}.`
  const gone = lasting_fields.filter((field) => settings.reported?.includes(field) && isMissing(field))
  if (gone.length > 0)
    return `The file has no column for ${gone.join(', ')}, which earlier files had. Check whether it was renamed.`
  return (row) => {
    const person: HrisPerson = {}
    for (const { field, found } of mapped) person[field] = row[found.find((name) => row[name]?.trim()) ?? ''] ?? null
    return person
  }
}

/** Enough for 100,000 people with all columns. */
const largest_file = 256 * 1024 * 1024

/** Reads a file of people as a stream, in any common encoding. */
async function readPeople(path: string, settings: HrisSettings): Promise<HrisPerson[]> {
  const found = await lstat(path)
  if (!found.isFile()) throw new HrisError('unreadable', 'It is a link, not a regular file.', false)
  const people: HrisPerson[] = []
  let read: ((row: CsvRow) => HrisPerson) | undefined
  const take = (row: CsvRow) => {
    if (people.length >= max_people) {
      throw new HrisError('too_many_people', `The file has more than ${max_people} lines, which is the limit.`)
    }
    if (!read) {
      const found = readerOf(Object.keys(row), settings)
      if (typeof found === 'string') throw new HrisError('unreadable', found, false)
      read = found
    }
    people.push(read(row))
  }
  try {
    await readCsv(decodeFile(path, largest_file), take)
  } catch (error) {
    if (error instanceof FileTooLarge)
      throw new HrisError('unreadable', 'The file is larger than 256 MiB, which is the limit.', false)
    if (!(error instanceof Refusal)) throw error
    throw new HrisError('unreadable', `The file can't be read: ${error.details[0]?.message}.`, false)
  }
  if (people.length === 0) throw new HrisError('unreadable', 'The file contains no people.', false)
  return people
}

/** A file that changed more recently may be incomplete. */
const settled_after_ms = 10_000

/**
 * A folder for CSV files from payroll systems. A file name begins with its connection and ends with `csv`, as in
 * `hris_….csv`. A run renames the oldest file of its connection, so that no other run takes it and an interrupted run
 * finds it again. Afterwards the file is in `done` or `failed`.
 */
export const csvFolderProvider = (folder: string | undefined): HrisProvider => ({
  async fetch({ connection_id, run_id, settings }) {
    if (folder === undefined)
      throw new HrisError('no_file', 'There is no folder for files: set HRIS_DROP_DIR, or upload the file.')
    const path = (await findTaken(folder, run_id)) ?? (await claimOldestFile(folder, connection_id, run_id))
    if (!path) throw new HrisError('no_file', 'There is no file for this connection.')
    return readPeople(path, settings)
  },
  async settle(run_id, taken) {
    const path = folder && (await findTaken(folder, run_id))
    if (!path) return
    const target_folder = await subfolder(folder, taken ? 'done' : 'failed')
    await rename(path, join(target_folder, path.slice(path.lastIndexOf(run_id))))
  },
  async listWaiting() {
    const files = folder === undefined ? [] : await listFiles(folder)
    return [...new Set(files.map(({ connection_id }) => connection_id))]
  },
})

/** Returns a subfolder, and creates it if needed. */
async function subfolder(folder: string, name: 'working' | 'done' | 'failed'): Promise<string> {
  const path = join(folder, name)
  await mkdir(path, { recursive: true, mode: 0o700 })
  return path
}

async function findTaken(folder: string, run_id: string): Promise<string | undefined> {
  const working = await subfolder(folder, 'working')
  const name = (await readdir(working)).find((file_name) => file_name.startsWith(run_id))
  return name && join(working, name)
}

/** File names have at most 255 bytes: two ids take 63, and each remaining character up to 3. */
const max_name_length = 127

async function claimOldestFile(folder: string, connection_id: string, run_id: string): Promise<string | undefined> {
  const working = await subfolder(folder, 'working')
  const oldest = (await listFiles(folder))
    .filter((file) => file.connection_id === connection_id)
    .sort((a, b) => a.written_at - b.written_at)[0]
  if (!oldest) return undefined
  const path = join(working, `${run_id}-${oldest.name}`.slice(0, max_name_length))
  await rename(join(folder, oldest.name), path)
  return path
}

/**
 * Lists the complete files with the connection in their name. Links are ignored: they could expose other files of this
 * machine or of other connections.
 */
async function listFiles(folder: string) {
  const files = []
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const name of await readdir(folder)) {
    const connection_id = name.slice(0, 31)
    if (!isId('hris', connection_id) || !/^[^a-z0-9].*csv$/i.test(name.slice(31))) continue
    const found = await lstat(join(folder, name)).catch(() => undefined)
    if (found?.isFile() && Date.now() - found.mtimeMs >= settled_after_ms)
      files.push({ name, connection_id, written_at: found.mtimeMs })
  }
  return files
}

/** Thrown for a file that exceeds the limit of bytes to read. */
export class FileTooLarge extends Error {}

/**
 * Decodes a text file in pieces. The file is read twice, because only its end shows whether all of it is UTF-8. Throws
 * `FileTooLarge` if it has more than `max_bytes`, which can change while it is read, because a file may grow.
 */
export async function* decodeFile(path: string, max_bytes: number): AsyncGenerator<string> {
  const decoder = new TextDecoder(await encodingOf(path, max_bytes))
  for await (const bytes of bytesOf(path, max_bytes)) yield decoder.decode(bytes, { stream: true })
  yield decoder.decode()
}

async function* bytesOf(path: string, max_bytes: number): AsyncGenerator<Buffer> {
  let length = 0
  for await (const bytes of createReadStream(path) as AsyncIterable<Buffer>) {
    length += bytes.length
    if (length > max_bytes) throw new FileTooLarge(`The file has more than ${max_bytes} bytes.`)
    yield bytes
  }
}

async function encodingOf(path: string, max_bytes: number): Promise<Encoding> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let first = true
  try {
    for await (const bytes of bytesOf(path, max_bytes)) {
      const utf16 = first ? utf16In(bytes) : undefined
      if (utf16) return utf16
      first = false
      decoder.decode(bytes, { stream: true })
    }
    decoder.decode()
    return 'utf-8'
  } catch (error) {
    if (error instanceof TypeError) return 'windows-1252'
    throw error
  }
}

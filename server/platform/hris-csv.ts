import { mkdir, readdir, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { readCsv, type CsvRow } from './csv.ts'
import { decodeFile } from './encoding.ts'
import { isId } from './ids.ts'
import {
  HrisError,
  hris_fields,
  most_people,
  type HrisField,
  type HrisPerson,
  type HrisProvider,
  type HrisSettings,
} from './hris-provider.ts'
import { Refusal } from './refusal.ts'

/** What payroll systems call the fields besides our own names, without spaces, signs and case. */
const names: Partial<Record<HrisField, string[]>> = {
  reference_id: ['reference', 'employeeid', 'employeenumber', 'employeeno', 'empid', 'workerid', 'id', 'fileno'],
  first_name: ['first', 'givenname', 'legalfirstname', 'employeefirstname'],
  last_name: ['last', 'surname', 'familyname', 'legallastname', 'employeelastname'],
  email: ['emailaddress', 'workemail', 'personalemail', 'mail'],
  phone: ['phonenumber', 'mobile', 'mobilephone', 'cellphone', 'homephone', 'workphone', 'telephone'],
  date_of_birth: ['dob', 'birthdate', 'birthday', 'dateofbirth'],
  gender: ['sex'],
  start_date: ['hiredate', 'datehired', 'dateofhire', 'startedon', 'mostrecenthiredate', 'rehiredate'],
  termination_date: ['termdate', 'enddate', 'lastday', 'lastdayworked', 'terminatedon', 'dateofleaving'],
  employee_class: ['class', 'employeetype', 'employmenttype', 'employmentclass', 'workertype', 'classification'],
  compensation_type: ['paytype', 'salaryorhourly', 'compensation'],
  address_line_1: ['address', 'address1', 'street', 'street1', 'streetaddress', 'homeaddress'],
  address_line_2: ['address2', 'street2', 'apartment', 'unit'],
  state: ['province', 'region', 'statecode'],
  zipcode: ['zip', 'zip_code', 'postalcode', 'postcode'],
}
const needed = ['first_name', 'last_name', 'email', 'date_of_birth'] as const

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

const fieldsByName = new Map(
  hris_fields.flatMap((field) => [field, ...(names[field] ?? [])].map((name) => [plain(name), field] as const)),
)

/** Finds the fields in the columns of a file, or says in a sentence why it can't be read. */
export function readerOf(
  header: string[],
  columns: HrisSettings['columns'] = {},
): string | ((row: CsvRow) => HrisPerson) {
  if (header.some((name) => /^(ssn|socialsecurity(number|no)?|taxid)$/.test(plain(name))))
    return 'The file has a column of social security numbers, which we do not want: leave it out.'
  const chosen = Object.entries(columns) as [HrisField, string][]
  const lost = chosen.find(([, name]) => !header.includes(name.trim().toLowerCase()))
  if (lost) return `The file has no column that is called like the one chosen for ${lost[0]}.`
  const places = new Map<HrisField, string>(chosen.map(([field, name]) => [field, name.trim().toLowerCase()]))
  for (const name of header) {
    const field = fieldsByName.get(plain(name))
    if (field && !places.has(field)) places.set(field, name)
  }
  const missing = needed.filter((field) => !places.has(field))
  if (missing.length > 0) return `The file has no column for ${missing.join(', ')}.`
  return (row) => Object.fromEntries([...places].map(([field, name]) => [field, row[name] ?? null]))
}

/** Reads a file of people, in pieces and in whatever encoding it was saved. */
async function readPeople(path: string, columns: HrisSettings['columns']): Promise<HrisPerson[]> {
  const people: HrisPerson[] = []
  let read: ((row: CsvRow) => HrisPerson) | undefined
  const take = (row: CsvRow) => {
    if (people.length >= most_people) {
      throw new HrisError('too_many_people', `The file has more than ${most_people} lines, which is the most taken.`)
    }
    if (!read) {
      const found = readerOf(Object.keys(row), columns)
      if (typeof found === 'string') throw new HrisError('unreadable', found, false)
      read = found
    }
    people.push(read(row))
  }
  try {
    await readCsv(decodeFile(path), take)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new HrisError('unreadable', `The file can't be read: ${error.details[0]?.message}.`, false)
  }
  if (people.length === 0) throw new HrisError('unreadable', 'The file holds nobody.', false)
  return people
}

/** A file that was written to less than this long ago may not be whole yet. */
const settled_after_ms = 10_000

/**
 * A folder in which payroll systems, or those who export from them, lay down files of comma-separated values, each named
 * by its connection: `hris_….csv`, or anything between. A run takes the oldest file of its connection for itself by
 * renaming it, so that no other does and a run that was killed finds it again; afterwards it is in `done` or `failed`.
 */
export const csvDrop = (folder: string | undefined): HrisProvider => ({
  async fetch({ connection_id, run_id, settings }) {
    if (folder === undefined)
      throw new HrisError('no_file', 'There is no folder for files: set HRIS_DROP_DIR, or upload the file.')
    const path = (await findTaken(folder, run_id)) ?? (await takeOldest(folder, connection_id, run_id))
    if (!path) throw new HrisError('no_file', 'There is no file for this connection.')
    return readPeople(path, settings.columns)
  },
  async settle(run_id, taken) {
    const path = folder && (await findTaken(folder, run_id))
    if (!path) return
    const place = await subfolder(folder, taken ? 'done' : 'failed')
    await rename(path, join(place, path.slice(path.lastIndexOf(run_id))))
  },
  async listWaiting() {
    const files = folder === undefined ? [] : await listFiles(folder)
    return [...new Set(files.map(({ connection_id }) => connection_id))]
  },
})

/** A folder inside of ours, made when it is first needed. */
async function subfolder(folder: string, name: 'working' | 'done' | 'failed'): Promise<string> {
  const path = join(folder, name)
  await mkdir(path, { recursive: true, mode: 0o700 })
  return path
}

async function findTaken(folder: string, run_id: string): Promise<string | undefined> {
  const working = await subfolder(folder, 'working')
  const name = (await readdir(working)).find((each) => each.startsWith(run_id))
  return name && join(working, name)
}

async function takeOldest(folder: string, connection_id: string, run_id: string): Promise<string | undefined> {
  const working = await subfolder(folder, 'working')
  const oldest = (await listFiles(folder))
    .filter((file) => file.connection_id === connection_id)
    .sort((a, b) => a.written_at - b.written_at)[0]
  if (!oldest) return undefined
  const path = join(working, `${run_id}-${oldest.name}`)
  await rename(join(folder, oldest.name), path)
  return path
}

/** The files that lie there whole, each with the connection that its name begins with. */
async function listFiles(folder: string) {
  const files = []
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const name of await readdir(folder)) {
    const connection_id = name.slice(0, 31)
    if (!isId('hris', connection_id) || !/^[^a-z0-9].*csv$/i.test(name.slice(31))) continue
    const found = await stat(join(folder, name)).catch(() => undefined)
    if (found?.isFile() && Date.now() - found.mtimeMs >= settled_after_ms)
      files.push({ name, connection_id, written_at: found.mtimeMs })
  }
  return files
}

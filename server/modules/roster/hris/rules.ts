import {
  lasting_fields,
  type HrisField,
  type HrisPerson,
  type HrisSettings,
  type HrisSource,
} from '../../../integrations/payroll/provider.ts'
import { declareRefusals, generic, Refusal, type RefusalKind, invalid } from '../../../kernel/refusal.ts'
import { NewAddress, Phone } from '../../../kernel/fields.ts'
import { mapInSteps } from '../../../kernel/concurrency/time-slices.ts'
import type { StagedRow } from '../census/rules.ts'
import { RosterRow } from '../census/schemas.ts'
import type { NewHrisConnection } from './schemas.ts'

export const refusals = declareRefusals({
  hris_connection_already_exists: [
    409,
    'This employer already has an HRIS connection.',
    'Disconnect the current connection first.',
  ],
  hris_connection_has_ended: [409, 'This connection was disconnected.', 'Create a new connection.'],
  hris_connection_is_paused: [409, 'This connection is paused.', 'Resume the connection first.'],
  hris_connection_is_running: [409, 'This connection is neither paused nor inactive.', 'No action is needed.'],
  hris_connection_is_inactive: [
    409,
    'The payroll system rejected our credentials.',
    'Renew the access token, or resume the connection once access is restored.',
  ],
  hris_connection_without_files: [
    409,
    'Files can be uploaded only to a connection whose source is csv.',
    'Connect the employer with the source `csv`.',
  ],
  hris_connection_without_token: [
    409,
    'Only a connection whose source is finch has an access token.',
    'Omit the token. Only `finch` requires one.',
  ],
  hris_connection_is_not_sandbox: [
    409,
    'Only connections with the source `sandbox` have a fake payroll.',
    'Connect an employer of a sandbox with the source `sandbox`.',
  ],
  sandbox_payroll_not_allowed: [
    409,
    'Only employers of a sandbox organization can be connected to the fake payroll.',
    'Use `finch` or `csv` for a real employer.',
  ],
})

/** The number of attempts before a run fails. With the delays between them, that takes three and a half hours. */
export const max_attempts = 10

/** The default label of each source. */
export const labels: Record<HrisSource, string> = { finch: 'Finch', csv: 'CSV file', sandbox: 'Sandbox payroll' }

/** Whether a source is fetched every night. Files arrive at any time. */
export const isSyncedNightly = (source: HrisSource): boolean => source !== 'csv'

/** Explains why an employer cannot be connected this way. */
export function whyNotConnect(
  wanted: NewHrisConnection,
  { connected, sandbox }: { connected: boolean; sandbox: boolean },
): Refusal | RefusalKind | undefined {
  if (wanted.source === 'finch' && wanted.access_token === undefined)
    return invalid({ field: 'access_token', message: 'is required for finch' })
  if (connected) return refusals.hris_connection_already_exists
  return wanted.source === 'sandbox' && !sandbox ? refusals.sandbox_payroll_not_allowed : undefined
}

/** The state that determines which actions a connection allows. */
export type ConnectionStatus = {
  source: HrisSource
  status: 'active' | 'pending' | 'inactive' | 'paused'
  disconnected: boolean
}

export const whyNotChange = ({ disconnected }: ConnectionStatus): RefusalKind | undefined =>
  disconnected ? refusals.hris_connection_has_ended : undefined

export const whyNotPause = (status: ConnectionStatus): RefusalKind | undefined =>
  whyNotChange(status) ?? (status.status === 'paused' ? refusals.hris_connection_is_paused : undefined)

export const whyNotResume = (status: ConnectionStatus): RefusalKind | undefined =>
  whyNotChange(status) ??
  (status.status === 'paused' || status.status === 'inactive' ? undefined : refusals.hris_connection_is_running)

export const whyNotSync = (status: ConnectionStatus): RefusalKind | undefined =>
  whyNotPause(status) ?? (status.status === 'inactive' ? refusals.hris_connection_is_inactive : undefined)

export const whyNotUpload = (status: ConnectionStatus): RefusalKind | undefined =>
  whyNotPause(status) ?? (status.source === 'csv' ? undefined : refusals.hris_connection_without_files)

export const whyNotRenew = (status: ConnectionStatus): RefusalKind | undefined =>
  whyNotChange(status) ?? (status.source === 'finch' ? undefined : refusals.hris_connection_without_token)

export const whyNotSetPayroll = (status: ConnectionStatus): RefusalKind | undefined =>
  whyNotChange(status) ?? (status.source === 'sandbox' ? undefined : refusals.hris_connection_is_not_sandbox)

/** The permanent fields of the files of a connection, if this person's file is the first one to have one of them. */
export function newlyReported(
  { source, settings }: { source: HrisSource; settings: HrisSettings },
  person: HrisPerson,
): HrisField[] | undefined {
  const known = settings.reported ?? []
  const reported = lasting_fields.filter((field) => known.includes(field) || field in person)
  return source === 'csv' && reported.length > known.length ? reported : undefined
}

/** A word without case, spaces and punctuation: `Full-Time` and `full_time` are equal. */
const plain = (word: string): string => word.toLowerCase().replace(/[^a-z]/g, '')

const classes: Record<string, string> = {
  fulltime: 'Full Time',
  ft: 'Full Time',
  regularfulltime: 'Full Time',
  parttime: 'Part Time',
  pt: 'Part Time',
  regularparttime: 'Part Time',
  temporary: 'Temporary',
  temp: 'Temporary',
  intern: 'Intern',
  seasonal: 'Seasonal',
  individualcontractor: 'Individual Contractor',
  contractor: 'Individual Contractor',
}
const compensations: Record<string, string> = {
  salary: 'Salary',
  salaried: 'Salary',
  yearly: 'Salary',
  hourly: 'Hourly',
  hour: 'Hourly',
}
const genders: Record<string, string> = {
  female: 'Female',
  f: 'Female',
  woman: 'Female',
  male: 'Male',
  m: 'Male',
  man: 'Male',
  transgender: 'Transgender',
  nonbinary: 'Non-binary',
  x: 'Non-binary',
  declinetospecify: 'Prefer not to respond',
  prefernottorespond: 'Prefer not to respond',
}

/**
 * Converts a day as payroll systems write it: 2026-03-09, optionally followed by a time, or 3/9/2026. Returns anything
 * else unchanged.
 */
export function parseDay(text: string): string {
  const iso = /^(\d{4}-\d{2}-\d{2})(?:[T ].*)?$/.exec(text)?.[1]
  if (iso) return iso
  const [, month, day, year] = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4})$/.exec(text) ?? []
  return year ? `${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}` : text
}

/**
 * Converts a person of a payroll system to a row of the roster. An invalid optional detail (phone, address, gender) is
 * left out. Any other invalid field makes the row unusable; it keeps the fields that may identify the person.
 */
export function rowOf(person: HrisPerson): StagedRow {
  const fields: Partial<Record<keyof HrisPerson, string>> = {}
  for (const [field, value] of Object.entries(person)) {
    const text = value?.trim()
    if (text) fields[field as keyof HrisPerson] = text
  }
  const day = (value: string | undefined) => (value === undefined ? undefined : parseDay(value))
  const word = (value: string | undefined, known: Record<string, string>) =>
    value === undefined ? undefined : (known[plain(value)] ?? value)
  const row = {
    reference_id: fields.reference_id,
    first_name: fields.first_name,
    last_name: fields.last_name,
    suffix: fields.suffix,
    email: fields.email,
    phone: Phone.safeParse(fields.phone).data,
    date_of_birth: day(fields.date_of_birth),
    gender: fields.gender === undefined ? undefined : genders[plain(fields.gender)],
    start_date: day(fields.start_date),
    termination_date: day(fields.termination_date),
    employee_class: word(fields.employee_class, classes),
    compensation_type: word(fields.compensation_type, compensations),
    // An empty cell reports that the person is in no unit. A source without the column reports nothing.
    bargaining_unit: person.bargaining_unit === undefined ? undefined : (fields.bargaining_unit ?? null),
    address: NewAddress.safeParse(fields).data,
  }
  const parsed = RosterRow.safeParse(row)
  if (parsed.success) return parsed.data
  const { path, message, code } = parsed.error.issues[0]!
  const field = String(path[0])
  const is_present = row[field as keyof typeof row] !== undefined
  const why = is_present ? (code === 'custom' || code === 'too_big' ? message : 'is unknown') : 'is missing'
  return { ...usableOf(row), unusable: { field, reason: `${generic.invalid_request.code}: ${why}` } }
}

/** The hours of a person in a pay period, as a payroll system reports them. */
export type HrisHours = Pick<
  HrisPerson,
  'reference_id' | 'period_starts_on' | 'period_ends_on' | 'hours_worked' | 'paid_leave_hours'
>

const isFilled = (value: string | null | undefined): boolean => Boolean(value?.trim())

/** Whether a payroll system reports hours of a pay period with a person. */
const hasHours = ({ period_starts_on, period_ends_on, hours_worked, paid_leave_hours }: HrisPerson): boolean =>
  (isFilled(period_starts_on) || isFilled(period_ends_on)) && (isFilled(hours_worked) || isFilled(paid_leave_hours))

export function* hoursIn(people: HrisPerson[]): Generator<void, HrisHours[]> {
  const found = yield* mapInSteps(people, (person): HrisHours[] => {
    if (!hasHours(person)) return []
    const { reference_id, period_starts_on, period_ends_on, hours_worked, paid_leave_hours } = person
    return [{ reference_id, period_starts_on, period_ends_on, hours_worked, paid_leave_hours }]
  })
  return found.flat()
}

/** The rows of the roster. A person with the hours of several pay periods has one row. */
export function* rowsOf(people: HrisPerson[]): Generator<void, StagedRow[]> {
  const seen = new Set<string>()
  const rows = yield* mapInSteps(people, (person) => {
    const row = rowOf(person)
    if (!hasHours(person)) return [row]
    const text = JSON.stringify(row)
    if (seen.has(text)) return []
    seen.add(text)
    return [row]
  })
  return rows.flat()
}

/** The valid fields of a row that cannot be used. */
function usableOf(row: Record<string, unknown>): Partial<RosterRow> {
  const usable = Object.entries(RosterRow.shape).flatMap(([field, shape]) => {
    const parsed = shape.safeParse(row[field])
    return parsed.success && parsed.data !== undefined ? [[field, parsed.data]] : []
  })
  return Object.fromEntries(usable)
}

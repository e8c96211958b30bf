import type { HrisPerson, HrisSource } from '../../../integrations/payroll/provider.ts'
import { declareRefusals, generic, Refusal, type RefusalKind } from '../../../kernel/refusal.ts'
import { NewAddress, Phone } from '../../../kernel/fields.ts'
import { quickCheckOf, takenBy, unsure } from '../../../http/body/quick-validation.ts'
import type { StagedRow } from '../census/rules.ts'
import { RosterRow } from '../census/schemas.ts'
import type { NewHrisConnection } from './schemas.ts'

export const refusals = declareRefusals({
  hris_connection_already_exists: [
    409,
    'This employer has an HRIS connection: disconnect it first.',
    'Disconnect the present one first.',
  ],
  hris_connection_has_ended: [409, 'This connection was disconnected.', 'Connect the employer anew.'],
  hris_connection_is_paused: [409, 'This connection is paused.', 'Resume the connection first.'],
  hris_connection_is_running: [
    409,
    'This connection is neither paused nor inactive: there is nothing to resume.',
    'There is nothing to do.',
  ],
  hris_connection_is_inactive: [
    409,
    'The payroll system does not let us in any more: resume the connection when it does.',
    'Renew its access, or resume it once the payroll system lets us in.',
  ],
  hris_connection_takes_no_files: [
    409,
    'Files can be uploaded only to a connection whose source is csv.',
    'Connect the employer with the source `csv`.',
  ],
  hris_connection_takes_no_token: [
    409,
    'Only a connection whose source is finch has an access token.',
    'Only `finch` needs one: leave it out.',
  ],
  hris_connection_is_no_sandbox: [
    409,
    'Only a connection whose source is sandbox has a payroll that does as it is told.',
    'Connect an employer of a sandbox with the source `sandbox`.',
  ],
  sandbox_payroll_not_allowed: [
    409,
    'Only employers of a sandbox organization can be connected to the fake payroll.',
    'Use `finch` or `csv` for a real employer.',
  ],
})

/** How often a run is tried before it is given up: with the pauses between, that takes three and a half hours. */
export const most_attempts = 10

/** What each source is called where nothing else is said. */
export const labels: Record<HrisSource, string> = { finch: 'Finch', csv: 'CSV file', sandbox: 'Sandbox payroll' }

/** Whether a source is asked every night; files come when they come. */
export const isAskedNightly = (source: HrisSource): boolean => source !== 'csv'

/** Why an employer can't be connected so. */
export function whyNotConnect(
  wanted: NewHrisConnection,
  { connected, sandbox }: { connected: boolean; sandbox: boolean },
): Refusal | RefusalKind | undefined {
  if (wanted.source === 'finch' && wanted.access_token === undefined)
    return new Refusal(generic.invalid_request, [{ field: 'access_token', message: 'is required for finch' }])
  if (connected) return refusals.hris_connection_already_exists
  return wanted.source === 'sandbox' && !sandbox ? refusals.sandbox_payroll_not_allowed : undefined
}

/** What decides what may be done with a connection. */
export type Standing = {
  source: HrisSource
  status: 'active' | 'pending' | 'inactive' | 'paused'
  disconnected: boolean
}

export const whyNotChange = ({ disconnected }: Standing): RefusalKind | undefined =>
  disconnected ? refusals.hris_connection_has_ended : undefined

export const whyNotPause = (standing: Standing): RefusalKind | undefined =>
  whyNotChange(standing) ?? (standing.status === 'paused' ? refusals.hris_connection_is_paused : undefined)

export const whyNotResume = (standing: Standing): RefusalKind | undefined =>
  whyNotChange(standing) ??
  (standing.status === 'paused' || standing.status === 'inactive' ? undefined : refusals.hris_connection_is_running)

export const whyNotSync = (standing: Standing): RefusalKind | undefined =>
  whyNotPause(standing) ?? (standing.status === 'inactive' ? refusals.hris_connection_is_inactive : undefined)

export const whyNotUpload = (standing: Standing): RefusalKind | undefined =>
  whyNotPause(standing) ?? (standing.source === 'csv' ? undefined : refusals.hris_connection_takes_no_files)

export const whyNotRenew = (standing: Standing): RefusalKind | undefined =>
  whyNotChange(standing) ?? (standing.source === 'finch' ? undefined : refusals.hris_connection_takes_no_token)

export const whyNotSetPayroll = (standing: Standing): RefusalKind | undefined =>
  whyNotChange(standing) ?? (standing.source === 'sandbox' ? undefined : refusals.hris_connection_is_no_sandbox)

/** A word without case, spaces and signs: `Full-Time` and `full_time` are one. */
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

/** A day as payroll systems write it: 2026-03-09, also with a time after it, or 3/9/2026. Anything else stays. */
export function dayIn(said: string): string {
  const iso = /^(\d{4}-\d{2}-\d{2})(?:[T ].*)?$/.exec(said)?.[1]
  if (iso) return iso
  const [, month, day, year] = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4})$/.exec(said) ?? []
  return year ? `${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}` : said
}

const addressIn = takenBy(NewAddress)
const phoneIn = takenBy(Phone)
const rosterRowIn = quickCheckOf(RosterRow)

/**
 * A person of a payroll system as a row of the roster. What is wrong with an optional detail (phone, address, gender)
 * leaves it out; what is wrong with any other makes the row unusable, with the details that still tell who is meant.
 */
export function rowOf(person: HrisPerson): StagedRow {
  const said: Partial<Record<keyof HrisPerson, string>> = {}
  for (const [field, value] of Object.entries(person)) {
    const told = value?.trim()
    if (told) said[field as keyof HrisPerson] = told
  }
  const day = (value: string | undefined) => (value === undefined ? undefined : dayIn(value))
  const word = (value: string | undefined, known: Record<string, string>) =>
    value === undefined ? undefined : (known[plain(value)] ?? value)
  const row = {
    reference_id: said.reference_id,
    first_name: said.first_name,
    last_name: said.last_name,
    suffix: said.suffix,
    email: said.email,
    phone: phoneIn(said.phone),
    date_of_birth: day(said.date_of_birth),
    gender: said.gender === undefined ? undefined : genders[plain(said.gender)],
    start_date: day(said.start_date),
    termination_date: day(said.termination_date),
    employee_class: word(said.employee_class, classes),
    compensation_type: word(said.compensation_type, compensations),
    address: addressIn(said),
  }
  const quick = rosterRowIn(row)
  if (quick !== unsure) return quick as RosterRow
  const parsed = RosterRow.safeParse(row)
  if (parsed.success) return parsed.data
  const { path, message, code } = parsed.error.issues[0]!
  const field = String(path[0])
  const said_at_all = row[field as keyof typeof row] !== undefined
  const why = said_at_all
    ? code === 'custom' || code === 'too_big'
      ? message
      : 'is not one that we know'
    : 'is missing'
  return { ...usableOf(row), unusable: { field, reason: `${generic.invalid_request.code}: ${why}` } }
}

/** Of a row that can't be used, the fields that are as they should be. */
function usableOf(row: Record<string, unknown>): Partial<RosterRow> {
  const usable = Object.entries(RosterRow.shape).flatMap(([field, shape]) => {
    const parsed = shape.safeParse(row[field])
    return parsed.success && parsed.data !== undefined ? [[field, parsed.data]] : []
  })
  return Object.fromEntries(usable)
}

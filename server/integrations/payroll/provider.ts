import type { Day } from '../../kernel/days.ts'

/** The source of a connection: Finch, CSV files, or the simulated payroll of a sandbox. */
export const hris_sources = ['finch', 'csv', 'sandbox'] as const
export type HrisSource = (typeof hris_sources)[number]

/** The fields of a person that a payroll system may report. The last four are the hours of one pay period. */
export const hris_fields = [
  'reference_id',
  'first_name',
  'last_name',
  'suffix',
  'email',
  'phone',
  'date_of_birth',
  'gender',
  'start_date',
  'termination_date',
  'employee_class',
  'compensation_type',
  'bargaining_unit',
  'address_line_1',
  'address_line_2',
  'city',
  'state',
  'zipcode',
  'period_starts_on',
  'period_ends_on',
  'hours_worked',
  'paid_leave_hours',
] as const
export type HrisField = (typeof hris_fields)[number]

/**
 * The fields that determine who is covered and from when. A file that loses the column of one, for example because it
 * was renamed, must not be applied: without last days, people who left would stay employed and covered.
 */
export const lasting_fields = ['start_date', 'termination_date', 'employee_class'] as const satisfies HrisField[]

/** A person as the payroll system reports them: unvalidated text. */
export type HrisPerson = Partial<Record<HrisField, string | null>>

/** The connection and run for which a provider fetches people. */
export type HrisCall = {
  connection_id: string
  run_id: string
  attempt: number
  today: Day
  access_token: string | null
  settings: HrisSettings
}

/** The settings of a connection that only its provider uses. */
export type HrisSettings = {
  columns?: Partial<Record<HrisField, string>> | undefined
  /** the permanent fields for which earlier files had a column */
  reported?: HrisField[] | undefined
  /** the sandbox's payroll */
  payroll?: FakePayroll | undefined
}

export const sandbox_faults = [
  'late',
  'duplicate',
  'rehire',
  'future_termination',
  'changed_email',
  'half_page',
  'server_errors',
  'rate_limited',
  'garbage',
  'access_lost',
] as const
export type SandboxFault = (typeof sandbox_faults)[number]

/** The people of the simulated payroll. `times`: the number of attempts of each run that misbehave. Null for all. */
export type FakePayroll = { people: HrisPerson[]; fault: SandboxFault | null; times: number | null }

/** A payroll system. Never called inside a transaction. */
export type HrisProvider = {
  /** Fetches all people. Throws HrisError if one is missing. */
  fetch(call: HrisCall): Promise<HrisPerson[]>
  /** Called when a run ends. `taken`: whether its people were applied. May be called again. */
  settle?(run_id: string, taken: boolean): Promise<void>
  /** Lists the connections with new data. */
  listWaiting?(): Promise<string[]>
}
export type HrisProviders = Record<HrisSource, HrisProvider>

/** No employer is larger. A larger count is an error of the source. */
export const max_people = 100_000

export type HrisErrorCode =
  | 'access_lost'
  | 'rate_limited'
  | 'unavailable'
  | 'incomplete'
  | 'unreadable'
  | 'no_file'
  | 'too_many_people'

/** Errors that a retry cannot fix. */
const lasting = new Set<HrisErrorCode>(['access_lost', 'no_file', 'too_many_people'])

/** Why a fetch failed, as a sentence for the operator, without secrets or personal data. */
export class HrisError extends Error {
  readonly code: HrisErrorCode
  /** whether a retry may succeed */
  readonly passing: boolean

  constructor(code: HrisErrorCode, message: string, passing = !lasting.has(code)) {
    super(message)
    this.code = code
    this.passing = passing
  }
}

import type { Day } from '../../kernel/days.ts'

/** Who a connection is asked through: Finch, files of comma-separated values, or the fake payroll of a sandbox. */
export const hris_sources = ['finch', 'csv', 'sandbox'] as const
export type HrisSource = (typeof hris_sources)[number]

/** What a payroll system may tell of a person. */
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
  'address_line_1',
  'address_line_2',
  'city',
  'state',
  'zipcode',
] as const
export type HrisField = (typeof hris_fields)[number]

/** A person in the words of the payroll system: every detail is text that nobody has checked yet. */
export type HrisPerson = Partial<Record<HrisField, string | null>>

/** What a provider is told when it is to fetch: all it needs to know of a connection and a run of it. */
export type HrisCall = {
  connection_id: string
  run_id: string
  /** from 1: how often this run was tried */
  attempt: number
  today: Day
  access_token: string | null
  settings: HrisSettings
}

/** What is kept of a connection for its provider alone. */
export type HrisSettings = {
  /** the columns of files, by the field that they hold */
  columns?: Partial<Record<HrisField, string>> | undefined
  /** the sandbox's payroll */
  payroll?: FakePayroll | undefined
}

export const misbehaviours = [
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
export type Misbehaviour = (typeof misbehaviours)[number]

/**
 * The people of the fake payroll, and how it misbehaves; `times`: in so many attempts of each run, then not any more.
 */
export type FakePayroll = { people: HrisPerson[]; misbehaviour: Misbehaviour | null; times: number | null }

/** A payroll system. Never called inside a transaction. */
export type HrisProvider = {
  /** Everybody, or nobody: throws HrisError when not all could be fetched. */
  fetch(call: HrisCall): Promise<HrisPerson[]>
  /** Hears what became of a run: whether what it fetched was taken. Bears repetition. */
  settle?(run_id: string, taken: boolean): Promise<void>
  /** The connections for which something new waits. */
  listWaiting?(): Promise<string[]>
}
export type HrisProviders = Record<HrisSource, HrisProvider>

/** Employers are not larger than this; who says so sends us nonsense. */
export const most_people = 100_000

export type HrisErrorCode =
  | 'access_lost'
  | 'rate_limited'
  | 'unavailable'
  | 'incomplete'
  | 'unreadable'
  | 'no_file'
  | 'too_many_people'

/** Trying again changes nothing until somebody has done something about these. */
const lasting = new Set<HrisErrorCode>(['access_lost', 'no_file', 'too_many_people'])

/** Why nobody was fetched, as a sentence for the operator; it holds neither secrets nor anybody's data. */
export class HrisError extends Error {
  readonly code: HrisErrorCode
  /** whether the same may work a little later */
  readonly passing: boolean

  constructor(code: HrisErrorCode, message: string, passing = !lasting.has(code)) {
    super(message)
    this.code = code
    this.passing = passing
  }
}

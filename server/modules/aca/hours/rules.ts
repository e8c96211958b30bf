import type { FindFault } from '../../../http/endpoint.ts'
import { daysBetween, earliest, type Day } from '../../../kernel/days.ts'

/** The maximum number of failures and of changes that an outcome lists. */
export const max_listed = 1000

/** The maximum number of employees whose status changes a dry run finds. */
export const max_previewed = 500

/** A row of a report as sent. */
type SentHours = {
  employee_id?: string | undefined
  reference_id?: string | undefined
  period_starts_on: Day
  period_ends_on: Day
  kind: 'worked' | 'paid_leave' | 'special_unpaid_leave' | 'employment_break'
  hours?: number | undefined
  days?: number | undefined
  weeks?: number | undefined
  action?: 'record' | 'remove' | undefined
}

/**
 * The hours that count for a day and for a week of service of an employee who is not paid by the hour. Treas. Reg.
 * section 54.4980H-3(b)(3)(i)(B) and (C).
 */
const hours_per_day = 8
const hours_per_week = 40

/** The maximum days of a period. Hours in a longer period could not be allocated to calendar months. */
export const max_days_with_hours = 31

/** The maximum days of a period of leave or of a break: a leap year. */
export const max_days_of_leave = 366

/** Whether the days of a kind count, and not hours. */
const isCountedInDays = (kind: SentHours['kind']): boolean =>
  kind === 'special_unpaid_leave' || kind === 'employment_break'

/** The field and the reason why a row cannot be recorded. */
export function whyNotReportHours(row: SentHours): { field: string; message: string } | undefined {
  const amounts = (['hours', 'days', 'weeks'] as const).filter((field) => row[field] !== undefined)
  if (!row.employee_id && !row.reference_id)
    return { field: 'reference_id', message: 'is required, unless you send employee_id' }
  if (row.period_ends_on < row.period_starts_on)
    return { field: 'period_ends_on', message: 'must not be before period_starts_on' }
  const day_count = daysBetween(row.period_starts_on, row.period_ends_on) + 1
  const most = isCountedInDays(row.kind) ? max_days_of_leave : max_days_with_hours
  if (day_count > most) return { field: 'period_ends_on', message: `must end a period of at most ${most} days` }
  if (row.action === 'remove' || isCountedInDays(row.kind))
    return amounts[0] === undefined || row[amounts[0]] === 0
      ? undefined
      : {
          field: amounts[0],
          message: row.action === 'remove' ? 'is not allowed with remove' : 'has no hours of service',
        }
  if (amounts.length === 0) return { field: 'hours', message: 'is required, unless you send days or weeks' }
  if (amounts.length > 1) return { field: amounts[1]!, message: `is not allowed with ${amounts[0]}` }
  if (row.days !== undefined && row.days > day_count)
    return { field: 'days', message: `must be at most ${day_count}, the days of the period` }
  if (row.weeks !== undefined && row.weeks > Math.ceil(day_count / 7))
    return { field: 'weeks', message: `must be at most ${Math.ceil(day_count / 7)}, the weeks of the period` }
  return row.hours !== undefined && row.hours > day_count * 24
    ? { field: 'hours', message: `must be at most ${day_count * 24}, the hours of the period` }
    : undefined
}

/** Hundredths of the hours of service of a row. Null removes the recorded hours. */
function hundredthsOf({ hours, days, weeks, action }: SentHours): number | null {
  if (action === 'remove') return null
  return Math.round((hours ?? (days ?? 0) * hours_per_day + (weeks ?? 0) * hours_per_week) * 100)
}

/**
 * A checked row as the statements receive it: an array, which PostgreSQL reads faster than an object. The last value is
 * whether the hours follow from days or weeks.
 */
type StagedHours = [
  employee_id: string | null,
  reference_id: string | null,
  starts_on: Day,
  ends_on: Day,
  kind: SentHours['kind'],
  hundredths: number | null,
  by_equivalency: boolean,
]

export const stagedRowOf = (row: SentHours): StagedHours => [
  row.employee_id ?? null,
  row.reference_id ?? null,
  row.period_starts_on,
  row.period_ends_on,
  row.kind,
  hundredthsOf(row),
  row.days !== undefined || row.weeks !== undefined,
]

type EarlierPeriod = { starts_on: Day; ends_on: Day; at: number }

/**
 * Finds rows whose period overlaps with an earlier row of the same employee and kind. It compares a row only with the
 * earlier periods of its years. As these do not overlap, there are at most 366 per year.
 */
export function overlapFinder(): FindFault {
  const by_year = new Map<string, EarlierPeriod[]>()
  return ([employee_id, reference_id, starts_on, ends_on, kind]: StagedHours, at) => {
    const period = { starts_on, ends_on, at }
    const key = `${kind} ${employee_id ?? `reference ${reference_id}`}`
    const [first_year, last_year] = [starts_on.slice(0, 4), ends_on.slice(0, 4)]
    for (const year of first_year === last_year ? [first_year] : [first_year, last_year]) {
      const earlier = by_year.get(year + key)
      const other = earlier?.find((one) => one.starts_on <= ends_on && one.ends_on >= starts_on)
      if (other)
        return { field: `rows[${at}].period_starts_on`, message: `overlaps with the period of row ${other.at + 1}` }
      if (earlier) earlier.push(period)
      else by_year.set(year + key, [period])
    }
    return undefined
  }
}

/** The fault of a row that only the recorded data shows. */
export type Fault = 'unknown' | 'ambiguous' | 'not_employed' | 'future' | 'repeated' | 'hourly' | 'overlaps'

/** The number of rows by outcome. `late_count` is a part of `added_count`. */
type Counts = Record<`${'added' | 'changed' | 'removed' | 'unchanged' | 'late' | 'failed'}_count`, number>

/** A row that changes or removes earlier hours, or is late. */
type ChangedHours = {
  index: number
  employee_id: string
  kind: SentHours['kind']
  period_starts_on: Day
  period_ends_on: Day
  hours_before: number | null
  hours_after: number | null
  is_late: boolean
}

/** How a row identifies its employee. */
type EmployeeReference = { employee_id: string | null; reference_id: string | null }

/** A row that was not recorded. */
export type FailedHours = EmployeeReference & { field: string; reason: string }

/**
 * The outcome of a chunk of rows. The days are the first and the last one of its recorded periods, and the last ones of
 * rows with a reference and with an id.
 */
export type ChunkOutcome = Counts & {
  period_starts_on: Day | null
  period_ends_on: Day | null
  references_end_on: Day | null
  ids_end_on: Day | null
  failures: ({ index: number; fault: Fault } & EmployeeReference)[] | null
  changes: ChangedHours[] | null
  /** The rows that a dry run would record, of the first employees. */
  planned: PlannedHours[] | null
}

/** Hours that a report would record, or null to remove them, with the recorded hours that they replace. */
export type PlannedHours = [
  employee_id: string,
  starts_on: Day,
  ends_on: Day,
  kind: SentHours['kind'],
  hundredths: number | null,
  before: number | null,
  former_end: Day | null,
]

type RecordedHours = [starts_on: Day, ends_on: Day, kind: SentHours['kind'], hundredths: number]

/** The hours of a person after a report. Equal hours of another employment stay. */
export function hoursAfter(recorded: RecordedHours[], planned: PlannedHours[]): RecordedHours[] {
  const replaced = planned.flatMap(([, starts_on, , kind, , before, former_end]) =>
    before === null ? [] : [JSON.stringify([starts_on, former_end, kind, before])],
  )
  return [
    ...recorded.filter((hours) => {
      const at = replaced.indexOf(JSON.stringify(hours))
      if (at >= 0) replaced.splice(at, 1)
      return at < 0
    }),
    ...planned.flatMap(([, starts_on, ends_on, kind, hundredths]): RecordedHours[] =>
      hundredths === null ? [] : [[starts_on, ends_on, kind, hundredths]],
    ),
  ].toSorted(([a], [b]) => (a < b ? -1 : 1))
}

/** Why a row failed, by the fault that its statement found. */
const reasons: Record<Fault, [field: string, reason: string]> = {
  unknown: ['reference_id', 'is not an employee of the employer'],
  ambiguous: ['reference_id', 'belongs to several people in this period: send employee_id'],
  not_employed: ['period_starts_on', 'starts a period without a day of employment'],
  future: ['period_starts_on', 'must not be after today'],
  repeated: ['period_starts_on', 'overlaps with the period of another row of the same employee and kind'],
  hourly: ['hours', 'is required instead of days or weeks, because the employee is paid by the hour'],
  overlaps: ['period_starts_on', 'starts a period that overlaps with another recorded period: remove that one first'],
}

/** The latest of some days. Null without any day. */
export const lastDay = (...days: (Day | null)[]): Day | null =>
  days.reduce((a, b) => (a === null || (b !== null && b > a) ? b : a), null)

export function outcomeOf(chunks: ChunkOutcome[]) {
  const sumOf = (count: keyof Counts) => chunks.reduce((sum, chunk) => sum + chunk[count], 0)
  const failures = chunks.flatMap((chunk) => chunk.failures ?? []).slice(0, max_listed)
  return {
    added_count: sumOf('added_count'),
    changed_count: sumOf('changed_count'),
    removed_count: sumOf('removed_count'),
    unchanged_count: sumOf('unchanged_count'),
    late_count: sumOf('late_count'),
    failed_count: sumOf('failed_count'),
    failures: failures.map(({ fault, ...row }) => {
      const [field, reason] = reasons[fault]
      return { ...row, field: row.employee_id && field === 'reference_id' ? 'employee_id' : field, reason }
    }),
    changes: chunks.flatMap((chunk) => chunk.changes ?? []).slice(0, max_listed),
    planned: chunks.flatMap((chunk) => chunk.planned ?? []),
    period_starts_on: earliest(...chunks.map((chunk) => chunk.period_starts_on)),
    period_ends_on: lastDay(...chunks.map((chunk) => chunk.period_ends_on)),
  }
}

import { addDays, type Day } from '../../kernel/days.ts'
import type { ServiceHours } from '../../modules/aca/measurement/hour-rules.ts'
import type { MeasurementPolicy } from '../../modules/aca/measurement/period-rules.ts'
import type { WorkPosition } from '../../modules/aca/measurement/status-rules.ts'

/** Hours by week from the first day to the last, and the rest of the last week. */
export function weekly(from: Day, to: Day, hours: number): ServiceHours[] {
  const rows: ServiceHours[] = []
  for (let day = from; day <= to; day = addDays(day, 7)) {
    const end = addDays(day, 6) <= to ? addDays(day, 6) : to
    const days = Number(end.slice(8)) - Number(day.slice(8))
    const length = days >= 0 ? days + 1 : 7
    rows.push({ starts_on: day, ends_on: end, kind: 'worked', hundredths: Math.ceil((hours * 100 * length) / 7) })
  }
  return rows
}
/** A leave or break, without hours. */
export const leave = (kind: ServiceHours['kind'], starts_on: Day, ends_on: Day): ServiceHours[] => [
  { starts_on, ends_on, kind, hundredths: 0 },
]
/** A position whose hours vary. */
export const variable = (starts_on: Day, ends_on: Day | null = null): WorkPosition => ({
  starts_on,
  ends_on,
  is_full_time: false,
})
/** A position that is expected to be full-time. */
export const full_time = (starts_on: Day, ends_on: Day | null = null): WorkPosition => ({
  starts_on,
  ends_on,
  is_full_time: true,
})

/**
 * The policy of the examples of 54.4980H-3(d)(5): standard measurement from October 15, stability in calendar years.
 */
export const usual: MeasurementPolicy = {
  method: 'look_back',
  by_weeks: false,
  standard_starts_on: '2014-10-15',
  standard_months: 12,
  administrative_months: 2,
  stability_months: 12,
  initial_months: 12,
  initial_starts: 'start_date',
  initial_administrative_months: 1,
  payroll: null,
  educational: false,
  parity: false,
}
export const monthly: MeasurementPolicy = { ...usual, method: 'monthly' }

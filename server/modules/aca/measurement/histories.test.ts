import fc from 'fast-check'
import { expect, it } from 'vitest'
import { addDays, daysBetween, type Day } from '../../../kernel/days.ts'
import { caseCount } from '../../../test/case-count.ts'
import { MeasurementModel } from '../../../test/models/measurement-model.ts'
import type { ServiceHours } from './hour-rules.ts'
import { isWithinInitialLimit, type MeasurementPeriod, type MeasurementPolicy } from './period-rules.ts'
import { measurePerson, type MeasuredPerson, type WorkPosition, type WorkHistory } from './status-rules.ts'
import { measureTransfers } from './transfer-rules.ts'

/** Three years of random work: employments with breaks, changes of position, hours, leaves and breaks. */
const first = '2024-01-01'
const last = '2026-12-31'

const aPolicy: fc.Arbitrary<MeasurementPolicy> = fc
  .record({
    method: fc.constant('look_back' as const),
    by_weeks: fc.constant(false),
    standard_starts_on: fc.constantFrom('2024-01-01', '2023-10-15', '2025-05-31'),
    standard_months: fc.constantFrom(3, 6, 11, 12),
    administrative_months: fc.integer({ min: 0, max: 2 }),
    stability_months: fc.constantFrom(11, 12),
    initial_months: fc.integer({ min: 3, max: 12 }),
    initial_starts: fc.constantFrom('start_date' as const, 'first_of_month' as const),
    initial_administrative_months: fc.integer({ min: 0, max: 2 }),
    payroll: fc.constantFrom(null, { pay_frequency: 'bi_weekly' as const, first_pay_date: '2024-01-05' }),
    educational: fc.boolean(),
    parity: fc.boolean(),
  })
  .map((policy) => ({ ...policy, stability_months: policy.standard_months === 12 ? 12 : policy.stability_months }))
  .filter(isWithinInitialLimit)

const stretch = fc.record({
  days: fc.integer({ min: 5, max: 500 }),
  away: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.constantFrom(89, 90, 91, 92, 181, 182, 183)),
  position_days: fc.integer({ min: 1, max: 400 }),
  starts_full_time: fc.boolean(),
  changes: fc.boolean(),
  rows: fc.array(
    fc.record({
      length: fc.integer({ min: 1, max: 31 }),
      kind: fc.oneof(
        { weight: 12, arbitrary: fc.constant('worked' as const) },
        fc.constantFrom('paid_leave' as const, 'special_unpaid_leave' as const, 'employment_break' as const),
      ),
      gap: fc.oneof({ weight: 8, arbitrary: fc.constant(0) }, fc.constantFrom(20, 91, 120)),
      daily: fc.integer({ min: 0, max: 900 }),
    }),
    { maxLength: 40 },
  ),
})

function historyOf(start: Day, stretches: (typeof stretch extends fc.Arbitrary<infer Item> ? Item : never)[]) {
  const positions: WorkPosition[] = []
  const hours: ServiceHours[] = []
  let day = start
  for (const { days, away, position_days, starts_full_time, changes, rows } of stretches) {
    if (day > last) break
    const end = addDays(day, days - 1)
    const change_on = addDays(day, position_days)
    const is_changed = changes && change_on <= end
    positions.push({
      starts_on: day,
      ends_on: is_changed ? addDays(change_on, -1) : end,
      is_full_time: starts_full_time,
    })
    if (is_changed) positions.push({ starts_on: change_on, ends_on: end, is_full_time: !starts_full_time })
    let at = day
    for (const { length, kind, gap, daily } of rows) {
      const until = addDays(at, length - 1)
      const is_leave = kind === 'special_unpaid_leave' || kind === 'employment_break'
      if (until <= end) hours.push({ starts_on: at, ends_on: until, kind, hundredths: is_leave ? 0 : daily * length })
      at = addDays(until, 1 + gap)
    }
    day = addDays(end, away + 1)
  }
  return { positions, hours }
}

const aHistory: fc.Arbitrary<WorkHistory> = fc
  .tuple(fc.integer({ min: 0, max: 400 }), fc.array(stretch, { minLength: 1, maxLength: 4 }))
  .map(([offset, stretches]) => historyOf(addDays(first, offset), stretches))

/** Whether each day of employment is full-time. */
function daily({ statuses }: MeasuredPerson): Map<Day, boolean> {
  const days = new Map<Day, boolean>()
  for (const { starts_on, ends_on, is_full_time } of statuses)
    for (let day = starts_on; day <= (ends_on ?? last) && day <= last; day = addDays(day, 1))
      days.set(day, is_full_time)
  return days
}

const anEnd = fc.integer({ min: 300, max: daysBetween(first, last) }).map((days) => addDays(first, days))

it('agrees with a model that decides each day by itself', () => {
  let full_time = 0
  fc.assert(
    fc.property(aHistory, aPolicy, anEnd, (history, policy, as_of) => {
      const expected = new MeasurementModel(history, policy, as_of, first, last).fullTimeDays()
      expect([...daily(measurePerson(history, policy, as_of))].join('\n')).toBe([...expected].join('\n'))
      if ([...expected.values()].some(Boolean)) full_time++
    }),
    { numRuns: caseCount(1000, 40), endOnFailure: true },
  )
  expect(full_time).toBeGreaterThan(5)
})

it('measures the same regardless of the order in which hours and positions are listed', () => {
  fc.assert(
    fc.property(aHistory, aPolicy, anEnd, ({ positions, hours }, policy, as_of) => {
      const other = { positions: positions.toReversed(), hours: hours.toReversed() }
      expect(measurePerson(other, policy, as_of)).toEqual(measurePerson({ positions, hours }, policy, as_of))
    }),
    { numRuns: caseCount(200, 20), endOnFailure: true },
  )
})

it('changes no day when the policy after a change of position is the same', () => {
  fc.assert(
    fc.property(aHistory, aPolicy, anEnd, anEnd, (history, policy, from_on, as_of) => {
      const terms = [
        { from_on: first, policy },
        { from_on, policy: { ...policy } },
      ]
      expect(daily(measureTransfers(history, terms, as_of))).toEqual(daily(measurePerson(history, policy, as_of)))
    }),
    { numRuns: caseCount(200, 20), endOnFailure: true },
  )
})

it('is full-time if either method finds it so, after a change of method and until the next result', () => {
  let undecided = 0
  fc.assert(
    fc.property(aHistory, aPolicy, anEnd, anEnd, fc.boolean(), (history, by_period, day, other, is_first) => {
      const [from_on, as_of] = [day, other].sort() as [Day, Day]
      const by_month: MeasurementPolicy = { ...by_period, method: 'monthly' }
      const [policy, next] = is_first ? [by_period, by_month] : [by_month, by_period]
      const [before, after] = [measurePerson(history, policy, as_of), measurePerson(history, next, as_of)]
      const { measurements, open } = is_first ? before : after
      const isDuring = ({ measured }: MeasurementPeriod) => measured.starts_on <= from_on && from_on <= measured.ends_on
      const until = [...measurements, ...open]
        .filter(isDuring)
        .map(({ stability }) => stability.ends_on)
        .sort()
        .at(-1)
      const undecided_on = open
        .filter(isDuring)
        .map(({ stability }) => stability.starts_on)
        .sort()[0]
      if (undecided_on) undecided++
      const [old, now] = [daily(before), daily(after)]
      let known: boolean | undefined
      const expected = [...old.keys()].sort().map((one): [Day, boolean] => {
        const in_window = one >= from_on && until !== undefined && one <= until
        const found = in_window ? old.get(one)! || now.get(one)! : (one < from_on ? old : now).get(one)!
        known = undecided_on && one >= undecided_on ? (known ?? found) : found
        return [one, known]
      })
      const terms = [
        { from_on: first, policy },
        { from_on, policy: next },
      ]
      const joined = measureTransfers(history, terms, as_of)
      expect([...daily(joined)].join('\n')).toBe(expected.join('\n'))
      const ends = history.positions.map(({ ends_on }) => ends_on)
      const decided = joined.statuses.flatMap(({ ends_on }) => (ends_on && !ends.includes(ends_on) ? [ends_on] : []))
      expect(decided.filter((end) => undecided_on && end >= undecided_on)).toEqual([])
    }),
    { numRuns: caseCount(1000, 300), endOnFailure: true },
  )
  expect(undecided).toBeGreaterThan(5)
})

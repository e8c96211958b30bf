import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays, type Day } from '../../../kernel/days.ts'
import { lostCoverage, type CoveredDays } from './loss-rules.ts'

const covered = (from: Day, until: Day, enrollment_id = 'enrl_1', benefit_id = 'dental'): CoveredDays => ({
  employee_id: 'empl_1',
  benefit_id,
  enrollment_id,
  from,
  until,
})
const january_to_march = covered('2026-01-01', '2026-03-10')

describe('a change loses the coverage', () => {
  it.each([
    ['after a new end date', [covered('2026-01-01', '2026-01-31')], [covered('2026-02-01', '2026-03-10')]],
    ['before a new start date', [covered('2026-02-25', '2026-03-10')], [covered('2026-01-01', '2026-02-24')]],
    ['of all days if no enrollment is left', [], [january_to_march]],
    [
      'of the gap between two enrollments',
      [covered('2026-01-01', '2026-01-31'), covered('2026-03-01', '2026-03-10', 'enrl_2')],
      [covered('2026-02-01', '2026-02-28')],
    ],
    [
      'of days that only another benefit now covers',
      [covered('2026-01-01', '2026-03-10', 'enrl_2', 'vision')],
      [january_to_march],
    ],
    ['of no day that another enrollment covers', [covered('2025-12-01', '2026-04-30', 'enrl_2')], []],
    ['of no day if nothing changes', [january_to_march], []],
  ])('%s', (_, after, lost) => expect(lostCoverage([january_to_march], after)).toEqual(lost))

  it('of exactly those days that only the old enrollments cover', () => {
    const span = fc.tuple(fc.nat(30), fc.nat(10), fc.constantFrom('dental', 'vision'))
    const spans = fc.array(
      span.map(([start, days, benefit_id]) => {
        const from = addDays('2026-01-01', start)
        return covered(from, addDays(from, days), 'enrl_1', benefit_id)
      }),
      { maxLength: 6 },
    )
    const daysOf = (some: CoveredDays[]) =>
      new Set(
        some.flatMap(({ benefit_id, from, until }) => {
          const days: string[] = []
          for (let day = from; day <= until; day = addDays(day, 1)) days.push(`${benefit_id} ${day}`)
          return days
        }),
      )
    fc.assert(
      fc.property(spans, spans, (before, after) => {
        expect(daysOf(lostCoverage(before, after))).toEqual(daysOf(before).difference(daysOf(after)))
      }),
    )
  })
})

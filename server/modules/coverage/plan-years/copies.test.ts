import { describe, expect, it } from 'vitest'
import { windowOfCopy, type PlanYear } from './rules.ts'

describe('a copy', () => {
  const year = (coverage_start: string, opens: string | null, closes: string | null) =>
    ({ coverage_start, open_enrollment_start: opens, open_enrollment_end: closes }) as PlanYear
  it.each([
    ['a year later', year('2027-01-01', '2026-11-01', '2026-11-15'), '2028-01-01', ['2027-11-01', '2027-11-15']],
    ['a leap year later', year('2028-03-01', '2028-02-01', '2028-02-29'), '2029-03-01', ['2029-02-01', '2029-03-01']],
    ['two years later', year('2027-01-01', '2026-11-01', '2026-11-15'), '2029-01-01', ['2028-11-01', '2028-11-15']],
    [
      'moved by days after a short year',
      year('2027-04-01', '2027-03-01', '2027-03-20'),
      '2027-12-31',
      ['2027-11-30', '2027-12-19'],
    ],
    ['unless it would be over', year('2026-07-01', '2026-05-01', '2026-06-01'), '2027-07-01', [null, null]],
    [
      'even on its last day',
      year('2026-07-01', '2026-05-01', '2026-06-02'),
      '2027-07-01',
      ['2027-05-01', '2027-06-02'],
    ],
    ['unless it has no dates', year('2027-01-01', null, null), '2028-01-01', [null, null]],
  ])('has the open enrollment of the former plan year, %s', (_, former, start, [opens, closes]) =>
    expect(windowOfCopy(former, start as string, '2027-06-02')).toEqual({
      open_enrollment_start: opens,
      open_enrollment_end: closes,
    }),
  )
})

import { Refusal } from '../../../kernel/refusal.ts'
import { describe, expect, it } from 'vitest'
import { contrastWithWhite, daysToRun, whyNotMoveClock } from './rules.ts'

describe('the clock of an organization', () => {
  const sandbox = { sandbox: true, today: '2026-03-10', has_pending_work: false }
  const at_work = { ...sandbox, has_pending_work: true }

  it.each([
    ['accepts the current day', sandbox, '2026-03-10', undefined],
    ['moves to tomorrow', sandbox, '2026-03-11', undefined],
    ['moves by 731 days at once', sandbox, '2028-03-10', undefined],
    ['does not move by more than 731 days at once', sandbox, '2028-03-11', 'clock_moves_too_far'],
    ['never moves back', sandbox, '2026-03-09', 'clock_moves_forward_only'],
    ['does not move while jobs of the day are waiting', at_work, '2028-03-11', 'work_is_pending'],
    ['accepts the current day even while jobs are waiting', at_work, '2026-03-10', undefined],
    ['cannot move outside a sandbox', { ...sandbox, sandbox: false }, '2026-03-11', 'organization_is_not_a_sandbox'],
  ])('%s', (_, organization, day, code) => {
    const why = whyNotMoveClock(organization, day)
    expect((why instanceof Refusal ? why.kind : why)?.code).toBe(code)
  })
})

describe('the days to run', () => {
  it.each([
    ['none if today has run', '2026-03-10', []],
    ['none if a later day has run', '2026-03-12', []],
    ['today if yesterday has run', '2026-03-09', ['2026-03-10']],
    [
      'all missed days, in order',
      '2026-02-27',
      ['2026-02-28', ...Array.from({ length: 9 }, (_, i) => `2026-03-0${i + 1}`), '2026-03-10'],
    ],
    ['today if none ever ran', null, ['2026-03-10']],
  ])('are %s', (_, daily_run_on, days) => {
    expect(daysToRun(daily_run_on, '2026-03-10', '2026-03-10')).toEqual(days)
  })

  it('continue into future days if the clock moves', () => {
    expect(daysToRun('2026-03-10', '2026-03-10', '2026-03-12')).toEqual(['2026-03-11', '2026-03-12'])
    expect(daysToRun(null, '2026-03-10', '2026-03-11')).toEqual(['2026-03-10', '2026-03-11'])
  })
})

it.each([
  ['#000000', 21],
  ['#ffffff', 1],
  ['#767676', 4.54],
  ['#2748b3', 7.88],
])('the contrast of %s with white is %d', (color, contrast) => {
  expect(contrastWithWhite(color)).toBeCloseTo(contrast, 1)
})

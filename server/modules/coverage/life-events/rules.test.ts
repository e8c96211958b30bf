import { describe, expect, it } from 'vitest'
import { refusals as elections_refusals } from '../elections/rules.ts'
import { refusals, whyNotReport, windowFrom } from './rules.ts'

const today = '2026-03-10'
const employed = { terminated_on: null }

describe('a life event can be reported', () => {
  it.each([
    ['on the day of the event', today, employed, undefined],
    ['60 days later', '2026-01-09', employed, undefined],
    ['not 61 days later', '2026-01-08', employed, refusals.life_event_too_old],
    ['on the last day of employment', today, { terminated_on: today }, undefined],
    [
      'not on the day after the last day of employment',
      today,
      { terminated_on: '2026-03-09' },
      elections_refusals.employee_is_not_employed,
    ],
    [
      'not by a former employee, whatever its age',
      '2020-01-01',
      { terminated_on: '2026-03-09' },
      elections_refusals.employee_is_not_employed,
    ],
  ])('%s', (_, occurred_on, employment, why) => {
    expect(whyNotReport(occurred_on, employment, today)).toBe(why)
  })

  it('only once it has occurred, which is checked before the employment', () => {
    expect(whyNotReport('2026-03-11', { terminated_on: '2026-01-01' }, today)).toMatchObject({
      kind: { code: 'invalid_request' },
      details: [{ field: 'occurred_on' }],
    })
  })
})

describe('the window of an approval', () => {
  it.each([
    ['2026-03-10', '2026-04-09'],
    ['2026-01-30', '2026-03-01'],
    ['2028-01-30', '2028-02-29'],
    ['2026-12-15', '2027-01-14'],
  ])('from %s ends on %s', (window_start, window_end) => {
    expect(windowFrom(window_start)).toEqual({ window_start, window_end })
  })
})

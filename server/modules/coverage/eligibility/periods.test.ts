import { describe, expect, it } from 'vitest'
import { useApi } from '../../../test/harness.ts'
import { sqlRule } from '../../../test/sql-rules.ts'

/** The rules of save-eligibilities.sql beside those of the calendar, each asked alone. */
const api = useApi()

describe('a policy covers', () => {
  const covers = sqlRule(api, 'policy_covers', {
    employee_classes: ['Full Time', 'Intern'],
    compensation_types: null,
    employee_class: 'Full Time',
    compensation_type: null,
  })

  it.each([
    ['a class that it names', {}, true],
    ['any of several', { employee_class: 'Intern' }, true],
    ['no other', { employee_class: 'Part Time' }, false],
    ['whoever is paid as it names', { compensation_types: ['Hourly'], compensation_type: 'Hourly' }, true],
    ['nobody who is paid otherwise', { compensation_types: ['Hourly'], compensation_type: 'Salary' }, false],
    ['nobody of whom it is not known', { compensation_types: ['Hourly'] }, false],
    [
      'no other class, however they are paid',
      { employee_class: 'Part Time', compensation_types: ['Hourly'], compensation_type: 'Hourly' },
      false,
    ],
  ])('%s', async (_, given, expected) => expect(await covers(given)).toBe(expected))
})

describe('a first of a month on or after', () => {
  const firstOnOrAfter = sqlRule(api, 'first_on_or_after', { day: '2026-03-01' })

  it.each([
    ['a first is that day', '2026-03-01', '2026-03-01'],
    ['a second is the next', '2026-03-02', '2026-04-01'],
    ['a last is the next day', '2026-03-31', '2026-04-01'],
    ['a leap day is the next day', '2028-02-29', '2028-03-01'],
    ['a last of a year is in the next', '2026-12-31', '2027-01-01'],
  ])('%s', async (_, day, expected) => expect(await firstOnOrAfter({ day })).toBe(expected))
})

describe('a policy has been waited out', () => {
  const waitingEndsOn = sqlRule(api, 'waiting_ends_on', {
    anchored_on: '2026-03-10',
    waiting_period: 'none',
    policy_from_on: '-infinity',
    start_alignment: 'exact',
  })

  it.each([
    ['at once when there is no waiting', {}, '2026-03-10'],
    ['after 30 days', { waiting_period: '30_days' }, '2026-04-09'],
    ['after 60 days', { waiting_period: '60_days' }, '2026-05-09'],
    ['on the first of the next month', { waiting_period: 'first_of_following_month' }, '2026-04-01'],
    [
      'on the first of the month after, by who begins on a first',
      { waiting_period: 'first_of_following_month', anchored_on: '2026-03-01' },
      '2026-04-01',
    ],
    ['not before the policy itself, that came later', { policy_from_on: '2026-06-10' }, '2026-06-10'],
    [
      'when the days are over, if the policy came before',
      { waiting_period: '60_days', policy_from_on: '2026-04-01' },
      '2026-05-09',
    ],
    [
      'on the first of a month after a policy that came later',
      { waiting_period: 'first_of_following_month', policy_from_on: '2026-06-10' },
      '2026-07-01',
    ],
    [
      'on the first of a month on or after, where it is aligned',
      { waiting_period: '30_days', start_alignment: 'first_of_month' },
      '2026-05-01',
    ],
    ['at once when that is a first', { anchored_on: '2026-03-01', start_alignment: 'first_of_month' }, '2026-03-01'],
    [
      'no later than before, where it ends on a first anyway',
      { waiting_period: 'first_of_following_month', start_alignment: 'first_of_month' },
      '2026-04-01',
    ],
    [
      'on the 90th day at most, since 60 days and a month of 31 are no more',
      { waiting_period: '60_days', anchored_on: '2026-05-03', start_alignment: 'first_of_month' },
      '2026-08-01',
    ],
    [
      'on the first after an aligned policy that came later',
      { policy_from_on: '2026-06-10', start_alignment: 'first_of_month' },
      '2026-07-01',
    ],
    [
      'or with it, when it came on a first',
      { waiting_period: 'first_of_following_month', policy_from_on: '2026-06-01' },
      '2026-06-01',
    ],
  ])('%s', async (_, given, expected) => expect(await waitingEndsOn(given)).toBe(expected))
})

describe('after a period coverage lasts', () => {
  const coveredUntil = sqlRule(api, 'period_covered_until', {
    ended_on: '2026-04-01',
    left_on: 'infinity',
    terminated_on: null,
  })

  it.each([
    ['to the end of the month of the loss', {}, '2026-04-30'],
    ['without an end that is known', { ended_on: 'infinity' }, null],
    [
      'to the end of the month of the last day employed',
      { ended_on: '2026-04-01', left_on: '2026-04-01', terminated_on: '2026-03-31' },
      '2026-03-31',
    ],
    [
      'to the end of the month of a loss before the termination',
      { ended_on: '2026-02-10', left_on: '2026-04-01', terminated_on: '2026-03-31' },
      '2026-02-28',
    ],
  ])('%s', async (_, given, expected) => expect(await coveredUntil(given)).toBe(expected))
})

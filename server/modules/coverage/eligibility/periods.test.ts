import { describe, expect, it } from 'vitest'
import { useApi } from '../../../test/harness.ts'
import { sqlFunction } from '../../../test/postgres/sql-function.ts'

/** Tests the SQL functions of save-eligibilities.sql, except those of the calendar, one by one. */
const api = useApi()

describe('a policy covers', () => {
  const covers = sqlFunction(api, 'policy_covers', {
    employee_classes: ['Full Time', 'Intern'],
    compensation_types: null,
    employee_class: 'Full Time',
    compensation_type: null,
  })

  it.each([
    ['a class that it lists', {}, true],
    ['any of several classes', { employee_class: 'Intern' }, true],
    ['no other', { employee_class: 'Part Time' }, false],
    [
      'an employee with a compensation type that it lists',
      { compensation_types: ['Hourly'], compensation_type: 'Hourly' },
      true,
    ],
    [
      'no employee with another compensation type',
      { compensation_types: ['Hourly'], compensation_type: 'Salary' },
      false,
    ],
    ['no employee with an unknown compensation type', { compensation_types: ['Hourly'] }, false],
    [
      'no other class, whatever the compensation type',
      { employee_class: 'Part Time', compensation_types: ['Hourly'], compensation_type: 'Hourly' },
      false,
    ],
  ])('%s', async (_, given, expected) => expect(await covers(given)).toBe(expected))
})

describe('the first of a month on or after', () => {
  const firstOnOrAfter = sqlFunction(api, 'first_on_or_after', { day: '2026-03-01' })

  it.each([
    ['a first is the same day', '2026-03-01', '2026-03-01'],
    ['a second is the first of the next month', '2026-03-02', '2026-04-01'],
    ['a last day of a month is the next day', '2026-03-31', '2026-04-01'],
    ['a leap day is the next day', '2028-02-29', '2028-03-01'],
    ['the last day of a year is in the next year', '2026-12-31', '2027-01-01'],
  ])('%s', async (_, day, expected) => expect(await firstOnOrAfter({ day })).toBe(expected))
})

describe('a waiting period ends', () => {
  const waitingEndsOn = sqlFunction(api, 'waiting_ends_on', {
    anchored_on: '2026-03-10',
    waiting_period: 'none',
    policy_from_on: '-infinity',
    start_alignment: 'exact',
  })

  it.each([
    ['immediately with none', {}, '2026-03-10'],
    ['after 30 days', { waiting_period: '30_days' }, '2026-04-09'],
    ['after 60 days', { waiting_period: '60_days' }, '2026-05-09'],
    ['on the first of the next month', { waiting_period: 'first_of_following_month' }, '2026-04-01'],
    [
      'on the first of the month after, for an anchor on a first',
      { waiting_period: 'first_of_following_month', anchored_on: '2026-03-01' },
      '2026-04-01',
    ],
    ['not before a policy that was created later', { policy_from_on: '2026-06-10' }, '2026-06-10'],
    [
      'when the days are over, if the policy came before',
      { waiting_period: '60_days', policy_from_on: '2026-04-01' },
      '2026-05-09',
    ],
    [
      'on the first of a month after a policy that was created later',
      { waiting_period: 'first_of_following_month', policy_from_on: '2026-06-10' },
      '2026-07-01',
    ],
    [
      'on the first of a month on or after it, with an aligned start',
      { waiting_period: '30_days', start_alignment: 'first_of_month' },
      '2026-05-01',
    ],
    [
      'on the same day if it is a first',
      { anchored_on: '2026-03-01', start_alignment: 'first_of_month' },
      '2026-03-01',
    ],
    [
      'not later with an aligned start if it is a first anyway',
      { waiting_period: 'first_of_following_month', start_alignment: 'first_of_month' },
      '2026-04-01',
    ],
    [
      'on the 90th day at the latest, since 60 days and an alignment of up to 30 days never exceed it',
      { waiting_period: '60_days', anchored_on: '2026-05-03', start_alignment: 'first_of_month' },
      '2026-08-01',
    ],
    [
      'on the first after an aligned policy that was created later',
      { policy_from_on: '2026-06-10', start_alignment: 'first_of_month' },
      '2026-07-01',
    ],
    [
      'on the day of that policy if it is a first',
      { waiting_period: 'first_of_following_month', policy_from_on: '2026-06-01' },
      '2026-06-01',
    ],
  ])('%s', async (_, given, expected) => expect(await waitingEndsOn(given)).toBe(expected))
})

describe('after a period coverage lasts', () => {
  const coveredUntil = sqlFunction(api, 'period_covered_until', {
    ended_on: '2026-04-01',
    left_on: 'infinity',
    terminated_on: null,
  })

  it.each([
    ['until the end of the month of the loss', {}, '2026-04-30'],
    ['without a known end', { ended_on: 'infinity' }, null],
    [
      'until the end of the month of the last day of employment',
      { ended_on: '2026-04-01', left_on: '2026-04-01', terminated_on: '2026-03-31' },
      '2026-03-31',
    ],
    [
      'until the end of the month of a loss before the termination',
      { ended_on: '2026-02-10', left_on: '2026-04-01', terminated_on: '2026-03-31' },
      '2026-02-28',
    ],
  ])('%s', async (_, given, expected) => expect(await coveredUntil(given)).toBe(expected))
})

import { describe, expect, it } from 'vitest'
import { useApi } from '../../../test/harness.ts'
import { sqlFunction } from '../../../test/postgres/sql-function.ts'

/**
 * Tests the SQL functions of settle-enrollments.sql for choice groups: the days that a choice occupies, and the days
 * that it takes from earlier choices.
 */
const api = useApi()

describe('the days that an enrollment occupies in its choice group', () => {
  const heldDays = sqlFunction(api, 'held_days', {
    answer: 'enrolled',
    unsettled: true,
    coverage_end_fixed: false,
    coverage_start: '2026-02-01',
    coverage_end: null,
    anchored_on: '2026-01-20',
    span_start: '2026-03-01',
    span_end: null,
    ending_on: null,
    year_end: '2026-12-31',
  })

  it.each([
    ['last from its period to the end of the plan year', {}, '[2026-03-01,2027-01-01)'],
    ['end with its eligibility', { span_end: '2026-06-30', ending_on: '2026-06-15' }, '[2026-03-01,2026-07-01)'],
    ['are empty if eligibility ends before them', { span_end: '2026-03-31', ending_on: '2026-03-01' }, null],
    ['are empty without a period', { anchored_on: null }, null],
    ['are empty if it could only begin after the plan year', { span_start: '2027-01-01' }, null],
    ['are empty if it was waived', { answer: 'waived' }, null],
    ['are empty without an answer', { answer: null }, null],
    [
      'are those that the operator set',
      { coverage_end_fixed: true, coverage_end: '2026-05-31' },
      '[2026-02-01,2026-06-01)',
    ],
    ['are empty if the operator withdrew them', { coverage_end_fixed: true, coverage_end: '2026-01-31' }, null],
    ['are its own days if it is settled', { unsettled: false, anchored_on: null }, '[2026-02-01,2027-01-01)'],
  ])('%s', async (_, given, expected) => expect(await heldDays(given)).toBe(expected))
})

describe('an earlier choice lasts', () => {
  const chosenUntil = sqlFunction(api, 'chosen_until', {
    taken: '{[2026-04-01,2027-01-01)}',
    span_start: '2026-01-01',
    year_end: '2026-12-31',
  })

  it.each([
    ['until the day before the later choice begins', {}, '2026-03-31'],
    ['unchanged without a later choice', { taken: null }, null],
    ['unchanged if the other choice is for other days', { taken: '{[2027-01-01,2028-01-01)}' }, null],
    ['unchanged if the other choice ended before', { taken: '{[2025-01-01,2026-01-01)}' }, null],
    ['not at all if the other choice begins before', { taken: '{[2025-07-01,2026-07-01)}' }, '2025-12-31'],
    [
      'until the first of several later choices',
      { taken: '{[2026-04-01,2026-05-01),[2026-08-01,2027-01-01)}' },
      '2026-03-31',
    ],
    ['not at all if it could only begin after the plan year', { span_start: '2027-02-01' }, null],
  ])('%s', async (_, given, expected) => expect(await chosenUntil(given)).toBe(expected))
})

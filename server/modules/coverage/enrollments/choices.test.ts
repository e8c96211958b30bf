import { describe, expect, it } from 'vitest'
import { useApi } from '../../../test/harness.ts'
import { sqlRule } from '../../../test/sql-rules.ts'

/** What a choice of a group holds, and what it takes from earlier ones: rules of settle-enrollments.sql, each alone. */
const api = useApi()

describe('the days that an enrollment holds for its group', () => {
  const heldDays = sqlRule(api, 'held_days', {
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
    ['are those from its period on, to the end of the plan year', {}, '[2026-03-01,2027-01-01)'],
    ['end with its eligibility', { span_end: '2026-06-30', ending_on: '2026-06-15' }, '[2026-03-01,2026-07-01)'],
    ['are none when eligibility ends before them', { span_end: '2026-03-31', ending_on: '2026-03-01' }, null],
    ['are none without a period', { anchored_on: null }, null],
    ['are none when it could only begin after the plan year', { span_start: '2027-01-01' }, null],
    ['are none when it was waived', { answer: 'waived' }, null],
    ['are none while nobody answered', { answer: null }, null],
    [
      'are those that the operator set',
      { coverage_end_fixed: true, coverage_end: '2026-05-31' },
      '[2026-02-01,2026-06-01)',
    ],
    ['are none when the operator took them back', { coverage_end_fixed: true, coverage_end: '2026-01-31' }, null],
    ['are those that it had when it is settled', { unsettled: false, anchored_on: null }, '[2026-02-01,2027-01-01)'],
  ])('%s', async (_, given, expected) => expect(await heldDays(given)).toBe(expected))
})

describe('what was chosen earlier lasts', () => {
  const chosenUntil = sqlRule(api, 'chosen_until', {
    taken: '{[2026-04-01,2027-01-01)}',
    span_start: '2026-01-01',
    year_end: '2026-12-31',
  })

  it.each([
    ['until the day before another was chosen for', {}, '2026-03-31'],
    ['as ever where nothing was chosen later', { taken: null }, null],
    ['as ever where the other is of another time', { taken: '{[2027-01-01,2028-01-01)}' }, null],
    ['as ever where the other was over before', { taken: '{[2025-01-01,2026-01-01)}' }, null],
    ['not at all where the other covers from before', { taken: '{[2025-07-01,2026-07-01)}' }, '2025-12-31'],
    ['until the first of several', { taken: '{[2026-04-01,2026-05-01),[2026-08-01,2027-01-01)}' }, '2026-03-31'],
    ['nowhere where it could only begin after the plan year', { span_start: '2027-02-01' }, null],
  ])('%s', async (_, given, expected) => expect(await chosenUntil(given)).toBe(expected))
})

import { describe, expect, it } from 'vitest'
import { statements } from '../../../database/sql/statement.ts'
import { useApi } from '../../../test/harness.ts'
import { onOneServer } from '../../../test/postgres/sharded-queries.ts'
import { sqlFunction } from '../../../test/postgres/sql-function.ts'

/**
 * Tests the SQL functions of settle-enrollments.sql for grants and their days, one by one. Today is March 10, and the
 * plan year is 2026.
 */
const api = useApi()

const today = '2026-03-10'
const now = '2026-03-10T16:00:00.000Z'
const earlier = '2026-02-01T17:00:00.000Z'
const year = { year_start: '2026-01-01', year_end: '2026-12-31' }

describe('a plan year is offered', () => {
  const isOffered = sqlFunction(api, 'is_offered_in', { offered_states: ['NY', 'NJ'], state: 'NY' })

  it.each([
    ['in a state that it lists', {}, true],
    ['in no other state', { state: 'TX' }, false],
    ['in every state if it lists no states', { offered_states: [], state: 'TX' }, true],
    ['in an unknown state if it lists no states', { offered_states: [], state: null }, true],
    ['not in an unknown state if it lists states', { state: null }, null],
  ])('%s', async (_, given, expected) => expect(await isOffered(given)).toBe(expected))
})

describe('an offered benefit is granted', () => {
  const isGrantable = sqlFunction(api, 'is_grantable', { offered: true, open_enrollment_start: null, ...year, today })

  it.each([
    ['during the plan year', {}, true],
    ['before the plan year begins if it has no open enrollment', { today: '2025-12-01' }, true],
    ['not before open enrollment begins', { open_enrollment_start: '2025-11-01', today: '2025-10-31' }, false],
    ['from the first day of open enrollment on', { open_enrollment_start: '2025-11-01', today: '2025-11-01' }, true],
    [
      'from the first day of the plan year at the latest',
      { open_enrollment_start: '2026-02-01', today: '2026-01-01' },
      true,
    ],
    ['on the last day of the plan year', { today: '2026-12-31' }, true],
    ['not after the plan year', { today: '2027-01-01' }, false],
    ['not if it is not offered to this employee', { offered: false }, false],
  ])('%s', async (_, given, expected) => expect(await isGrantable(given)).toBe(expected))
})

describe('the window of a grant', () => {
  const windowEnd = sqlFunction(api, 'grant_window_ends_on', {
    anchored_on: '2025-01-01',
    known_on: '2025-01-01',
    moved_today: false,
    open_enrollment_start: '2026-03-01',
    open_enrollment_end: '2026-03-31',
    today,
  })

  it.each([
    ['is that of the plan year for employees who were eligible before open enrollment began', {}, today],
    [
      'is 30 days for employees who became eligible during open enrollment',
      { anchored_on: '2026-03-01' },
      '2026-04-09',
    ],
    ['is 30 days for employees who were reported during open enrollment', { known_on: '2026-03-02' }, '2026-04-09'],
    ['is 30 days for employees who moved into an offered state today', { moved_today: true }, '2026-04-09'],
    ['is 30 days before open enrollment', { today: '2026-02-27' }, '2026-03-29'],
    ['is 30 days after open enrollment', { today: '2026-04-01' }, '2026-05-01'],
    ['is that of the plan year on the first day of open enrollment', { today: '2026-03-01' }, '2026-03-01'],
    ['is that of the plan year on the last day of open enrollment', { today: '2026-03-31' }, '2026-03-31'],
    ['is 30 days without an open enrollment', { open_enrollment_start: null, open_enrollment_end: null }, '2026-04-09'],
  ])('%s', async (_, given, expected) => expect(await windowEnd(given)).toBe(expected))
})

describe('by the period of eligibility alone, an enrollment would begin', () => {
  const spanStart = sqlFunction(api, 'span_start', {
    unsettled: true,
    coverage_start: '2026-02-15',
    coverage_start_fixed: false,
    anchored_on: '2026-01-20',
    waited_on: '2026-02-01',
    benefit_starts_on: '2026-01-01',
    year_start: '2026-01-01',
    medical: true,
  })

  it.each([
    ['when the waiting period ends', {}, '2026-02-01'],
    ['with the benefit if that begins later', { benefit_starts_on: '2026-04-01' }, '2026-04-01'],
    ['with the plan year if that begins later', { year_start: '2026-07-01' }, '2026-07-01'],
    ['on the 90th day at the latest for medical benefits', { waited_on: '2026-06-01' }, '2026-04-20'],
    [
      'at the end of a waiting period of any length for other benefits',
      { waited_on: '2026-06-01', medical: false },
      '2026-06-01',
    ],
    ['on its first day if that was fixed', { coverage_start_fixed: true }, '2026-02-15'],
    ['on its first day if it is settled', { unsettled: false }, '2026-02-15'],
    ['on its first day if no period is left', { anchored_on: null, waited_on: null }, '2026-02-15'],
  ])('%s', async (_, given, expected) => expect(await spanStart(given)).toBe(expected))
})

describe('by the period of eligibility alone, an enrollment', () => {
  const usual = { lost_on: '2026-06-16', covered_until: '2026-06-30', year_end: '2026-12-31', today }
  const spanEnd = sqlFunction(api, 'span_end', usual)
  const { covered_until: _, ...loss } = usual
  const endingOn = sqlFunction(api, 'span_ending_on', loss)

  it.each([
    // title, facts, the last day of coverage, the day on which the enrollment ends
    ['ends with the month of the loss', {}, '2026-06-30', '2026-06-16'],
    ['has no end without a loss of eligibility', { lost_on: null, covered_until: null }, null, null],
    [
      'ends with the plan year if the month of the loss is longer',
      { year_end: '2026-06-20' },
      '2026-06-20',
      '2026-06-16',
    ],
    [
      'has no end yet if eligibility is lost in a later plan year',
      { lost_on: '2027-01-02', covered_until: '2027-01-31' },
      null,
      null,
    ],
    [
      'ends with a loss on the day after the plan year',
      { lost_on: '2027-01-01', covered_until: '2026-12-31' },
      '2026-12-31',
      '2027-01-01',
    ],
    [
      'has no end on the last day of the plan year',
      { lost_on: null, covered_until: null, today: '2026-12-31' },
      null,
      null,
    ],
    [
      'ended with the plan year once that is over',
      { lost_on: null, covered_until: null, today: '2027-01-01' },
      '2026-12-31',
      '2027-01-01',
    ],
    ['ends with a past loss too', { today: '2026-12-01' }, '2026-06-30', '2026-06-16'],
  ])('%s', async (__, { covered_until, ...given }: Record<string, string | null>, last_day, ends) => {
    expect(await spanEnd({ ...given, ...(covered_until !== undefined && { covered_until }) })).toBe(last_day)
    expect(await endingOn(given)).toBe(ends)
  })
})

describe('the last day of an enrollment that is settled, or whose last day was set,', () => {
  const keptEnd = sqlFunction(api, 'kept_end', {
    coverage_start: '2026-01-01',
    coverage_end: '2026-06-30',
    coverage_end_fixed: false,
    span_end: '2026-06-30',
    ending_on: '2026-06-16',
  })

  it.each([
    ['is kept', {}, '2026-06-30'],
    [
      'moves to an earlier day after a loss that is reported late',
      { span_end: '2026-04-30', ending_on: '2026-04-15' },
      '2026-04-30',
    ],
    ['moves to no later day after a withdrawn loss', { span_end: '2026-08-31', ending_on: '2026-08-15' }, '2026-06-30'],
    ['stays if eligibility continues', { span_end: null, ending_on: null }, '2026-06-30'],
    [
      'is the day before its first day if eligibility is lost before',
      { span_end: '2025-12-31', ending_on: '2025-12-15' },
      '2025-12-31',
    ],
    [
      'is the day before its first day if eligibility is lost on that day',
      { span_end: '2026-01-31', ending_on: '2026-01-01' },
      '2025-12-31',
    ],
    [
      'is the day that the operator set, whatever is lost',
      { coverage_end_fixed: true, span_end: '2026-04-30', ending_on: '2026-04-15' },
      '2026-06-30',
    ],
  ])('%s', async (_, given, expected) => expect(await keptEnd(given)).toBe(expected))
})

describe('an enrollment takes from later enrollments', () => {
  const takenUntil = sqlFunction(api, 'taken_until', {
    answer: 'enrolled',
    doubled: false,
    keeps_end: false,
    coverage_start: '2026-01-01',
    kept_end: '2026-05-31',
    span_start: '2026-01-01',
    span_end: '2026-06-30',
    ending_on: '2026-06-16',
  })

  it.each([
    ['the days until the end of its period', {}, '2026-06-30'],
    ['no known days while its end is unknown', { span_end: null, ending_on: null }, null],
    ['no days if it ends before it begins', { ending_on: '2026-01-01', span_end: '2026-01-31' }, null],
    ['the days until the end that it keeps', { keeps_end: true }, '2026-05-31'],
    ['no days if the end that it keeps is before its first day', { keeps_end: true, kept_end: '2025-12-31' }, null],
    ['its only day', { keeps_end: true, kept_end: '2026-01-01' }, '2026-01-01'],
    ['no days while it is pending', { answer: null }, null],
    ['no days if it is waived', { answer: 'waived' }, null],
    ['no days if another enrollment has its period', { doubled: true }, null],
  ])('%s', async (_, given, expected) => expect(await takenUntil(given)).toBe(expected))
})

describe('coverage begins', () => {
  const newStart = sqlFunction(api, 'new_coverage_start', {
    keeps_start: false,
    span_start: '2026-03-01',
    covered_before: null,
    taken_before: null,
    moved_on: null,
  })

  it.each([
    ['with its period', {}, '2026-03-01'],
    ['after the coverage of a former employment', { covered_before: '2026-03-31' }, '2026-04-01'],
    ['after the days that an earlier enrollment takes', { taken_before: '2026-04-30' }, '2026-05-01'],
    [
      'with its period if both ended before',
      { covered_before: '2026-01-31', taken_before: '2026-02-28' },
      '2026-03-01',
    ],
    ['on the day of a move into an offered state, not before', { moved_on: '2026-03-10' }, '2026-03-10'],
    ['with its period if that begins after the move', { moved_on: '2026-02-10' }, '2026-03-01'],
    [
      'on the day that was fixed, whatever came before',
      { keeps_start: true, taken_before: '2026-04-30' },
      '2026-03-01',
    ],
  ])('%s', async (_, given, expected) => expect(await newStart(given)).toBe(expected))
})

describe('an enrollment is void', () => {
  const isVoid = sqlFunction(api, 'is_void', {
    unsettled: true,
    anchored_on: '2026-01-01',
    doubled: false,
    new_start: '2026-02-01',
    year_end: '2026-12-31',
    offered: true,
    answer: null,
  })

  it.each([
    ['never if no rule excludes it', {}, false],
    ['without a period', { anchored_on: null }, true],
    ['if another enrollment has its period', { doubled: true }, true],
    ['if it could only begin after the plan year', { new_start: '2027-01-01' }, true],
    ['not if it begins on the last day of the plan year', { new_start: '2026-12-31' }, false],
    ['if it is no longer offered and is pending', { offered: false }, true],
    ['if it is no longer offered and was waived', { offered: false, answer: 'waived' }, true],
    ['not if it is no longer offered but elected', { offered: false, answer: 'enrolled' }, false],
    ['not if it is settled, whatever was lost since', { unsettled: false, anchored_on: null }, false],
  ])('%s', async (_, given, expected) => expect(await isVoid(given)).toBe(expected))
})

describe('an enrollment', () => {
  const usual = {
    keeps_end: false,
    void: false,
    answer: 'enrolled',
    new_start: '2026-01-01',
    span_end: '2026-06-30',
    ending_on: '2026-06-16',
    today,
  }
  const newEnd = sqlFunction(api, 'new_coverage_end', { ...usual, kept_end: '2026-05-31' })
  const newInactiveOn = sqlFunction(api, 'new_inactive_on', { ...usual, inactive_on: '2026-06-01' })
  const no_end = { span_end: null, ending_on: null }
  const lost_before = { ending_on: '2025-12-16', span_end: '2025-12-31' }

  it.each([
    // title, facts, the last day of coverage, the first inactive day
    ['covers until the end of the month, and is inactive after it', {}, '2026-06-30', '2026-07-01'],
    ['has no end if no end is known', no_end, null, null],
    ['that is pending has no end in the future, but is inactive with the loss', { answer: null }, null, '2026-06-16'],
    [
      'that is waived has no end in the future, but is inactive with the loss',
      { answer: 'waived' },
      null,
      '2026-06-16',
    ],
    [
      'that is pending never covered, once eligibility is lost',
      { answer: null, today: '2026-06-16' },
      '2025-12-31',
      '2026-06-16',
    ],
    ['ends on the day before its first day if eligibility is lost before', lost_before, '2025-12-31', '2025-12-16'],
    [
      'ends on the day before its first day if eligibility is lost on that day',
      { ending_on: '2026-01-01', span_end: '2026-01-31' },
      '2025-12-31',
      '2026-01-01',
    ],
    ['that is void never covered, and is inactive today', { void: true }, '2025-12-31', today],
    ['keeps an end that the operator set', { keeps_end: true, ...no_end }, '2026-05-31', '2026-06-01'],
  ])('%s', async (_, given, last_day, inactive_on) => {
    expect([await newEnd(given), await newInactiveOn(given)]).toEqual([last_day, inactive_on])
  })
})

describe('a termination', () => {
  const newTerminatedAt = sqlFunction(api, 'new_terminated_at', {
    unsettled: true,
    terminated_at: null,
    coverage_end_fixed: false,
    inactive_on: null,
    void: false,
    ending_on: null,
    today,
    now,
  })

  it.each([
    ['is not published without an end', {}, null],
    ['is not published ahead', { ending_on: '2026-03-11' }, null],
    ['is published on the day', { ending_on: today }, now],
    ['is published for a void enrollment', { void: true }, now],
    ['is published once', { ending_on: '2026-02-01', terminated_at: earlier }, earlier],
    ['is withdrawn with the loss', { terminated_at: earlier }, null],
    ['stays published for a settled enrollment', { unsettled: false, terminated_at: earlier }, earlier],
    [
      'is published when an end that the operator set takes effect',
      { coverage_end_fixed: true, inactive_on: today },
      now,
    ],
    [
      'is not published before an end that the operator set takes effect',
      { coverage_end_fixed: true, inactive_on: '2026-03-11', ending_on: '2026-03-01' },
      null,
    ],
  ])('%s', async (_, given, expected) => {
    const published = await newTerminatedAt(given)
    expect(published === null ? null : new Date(String(published)).toISOString()).toBe(expected)
  })
})

describe('the counts of a plan year include an enrollment', () => {
  const countsAs = sqlFunction(api, 'counts_as', { answer: null, inactive_on: null, year_end: '2026-12-31', today })

  it.each([
    ['as eligible while it is pending', {}, 'eligible'],
    ['as eligible if it is waived', { answer: 'waived' }, 'eligible'],
    ['as enrolled', { answer: 'enrolled' }, 'enrolled'],
    [
      'as enrolled until the day on which it is inactive',
      { answer: 'enrolled', inactive_on: '2026-03-11' },
      'enrolled',
    ],
    ['not if it is inactive', { answer: 'enrolled', inactive_on: '2026-03-10' }, null],
    [
      'forever with its status on the last day of the plan year',
      { answer: 'enrolled', inactive_on: '2027-01-01', today: '2027-05-01' },
      'enrolled',
    ],
  ])('%s', async (_, given, expected) => expect(await countsAs(given)).toBe(expected))
})

it.each(['enrollments.settleEnrollments', 'eligibility.saveEligibilities'])(
  'PostgreSQL inlines the rules into %s, and calls no function for each row',
  async (name) => {
    const functions = await api.database.reads.rows<{ proname: string }>(
      `select proname from pg_proc join pg_language on pg_language.oid = prolang
        where pronamespace = 'public'::regnamespace and lanname = 'sql' and provolatile = 'i'`,
    )
    expect(functions.length).toBeGreaterThan(20)
    // Sent directly to the pool, because `explain (generic_plan)` accepts no parameter values.
    const { rows } = await onOneServer(api.database, (pool) =>
      pool.query<{ 'QUERY PLAN': string }>(`explain (generic_plan, verbose) ${statements.get(name)!.text}`),
    )
    const text = rows.map((line) => line['QUERY PLAN']).join('\n')
    expect(functions.map(({ proname }) => proname).filter((rule) => text.includes(`${rule}(`))).toEqual([])
  },
)

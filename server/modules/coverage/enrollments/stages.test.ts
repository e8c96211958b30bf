import { describe, expect, it } from 'vitest'
import { statements } from '../../../database/sql/statement.ts'
import { useApi } from '../../../test/harness.ts'
import { onOneServer } from '../../../test/looking.ts'
import { sqlRule } from '../../../test/sql-rules.ts'

/**
 * What is granted, from when and until when: the rules of the stages of settle-enrollments.sql, each asked alone. Today
 * is 10 March, and the plan year is that of 2026.
 */
const api = useApi()

const today = '2026-03-10'
const now = '2026-03-10T16:00:00.000Z'
const earlier = '2026-02-01T17:00:00.000Z'
const year = { year_start: '2026-01-01', year_end: '2026-12-31' }

describe('a plan year is offered', () => {
  const isOffered = sqlRule(api, 'is_offered_in', { offered_states: ['NY', 'NJ'], state: 'NY' })

  it.each([
    ['in a state that it names', {}, true],
    ['in no other', { state: 'TX' }, false],
    ['in every state when it names none', { offered_states: [], state: 'TX' }, true],
    ['where no state is known, when it names none', { offered_states: [], state: null }, true],
    ['where no state is known, when it names some: nobody can tell', { state: null }, null],
  ])('%s', async (_, given, expected) => expect(await isOffered(given)).toBe(expected))
})

describe('what is offered is granted', () => {
  const isGrantable = sqlRule(api, 'is_grantable', { offered: true, open_enrollment_start: null, ...year, today })

  it.each([
    ['in a running plan year', {}, true],
    ['before the plan year begins, when it has no open enrollment', { today: '2025-12-01' }, true],
    ['not before open enrollment begins', { open_enrollment_start: '2025-11-01', today: '2025-10-31' }, false],
    ['from the first day of open enrollment on', { open_enrollment_start: '2025-11-01', today: '2025-11-01' }, true],
    [
      'at the latest from the first day of the plan year on',
      { open_enrollment_start: '2026-02-01', today: '2026-01-01' },
      true,
    ],
    ['on the last day of the plan year', { today: '2026-12-31' }, true],
    ['not after it', { today: '2027-01-01' }, false],
    ['not when it is not offered to this employee', { offered: false }, false],
  ])('%s', async (_, given, expected) => expect(await isGrantable(given)).toBe(expected))
})

describe('the window of a grant', () => {
  const windowEnd = sqlRule(api, 'grant_window_ends_on', {
    anchored_on: '2025-01-01',
    known_on: '2025-01-01',
    moved_today: false,
    open_enrollment_start: '2026-03-01',
    open_enrollment_end: '2026-03-31',
    today,
  })

  it.each([
    ['is that of the plan year, and no own, for who was eligible before open enrollment began', {}, today],
    ['is 30 days for who became eligible while it is open', { anchored_on: '2026-03-01' }, '2026-04-09'],
    ['is 30 days for who was told of while it is open', { known_on: '2026-03-02' }, '2026-04-09'],
    ['is 30 days for who moved into an offered state today', { moved_today: true }, '2026-04-09'],
    ['is 30 days before open enrollment', { today: '2026-02-27' }, '2026-03-29'],
    ['is 30 days after it', { today: '2026-04-01' }, '2026-05-01'],
    ['is that of the plan year on the first day of open enrollment', { today: '2026-03-01' }, '2026-03-01'],
    ['and on the last', { today: '2026-03-31' }, '2026-03-31'],
    ['is 30 days without an open enrollment', { open_enrollment_start: null, open_enrollment_end: null }, '2026-04-09'],
  ])('%s', async (_, given, expected) => expect(await windowEnd(given)).toBe(expected))
})

describe('by its period alone an enrollment would begin', () => {
  const spanStart = sqlRule(api, 'span_start', {
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
    ['when the waiting period is over', {}, '2026-02-01'],
    ['with the benefit, when that begins later', { benefit_starts_on: '2026-04-01' }, '2026-04-01'],
    ['with the plan year, when that begins later', { year_start: '2026-07-01' }, '2026-07-01'],
    ['on the 90th day at the latest when it is medical', { waited_on: '2026-06-01' }, '2026-04-20'],
    ['with the waiting period however long when it is not', { waited_on: '2026-06-01', medical: false }, '2026-06-01'],
    ['when it does, where that day was fixed', { coverage_start_fixed: true }, '2026-02-15'],
    ['when it did, where it is settled', { unsettled: false }, '2026-02-15'],
    ['when it did, where no period is left', { anchored_on: null, waited_on: null }, '2026-02-15'],
  ])('%s', async (_, given, expected) => expect(await spanStart(given)).toBe(expected))
})

describe('by its period alone an enrollment', () => {
  const usual = { lost_on: '2026-06-16', covered_until: '2026-06-30', year_end: '2026-12-31', today }
  const spanEnd = sqlRule(api, 'span_end', usual)
  const { covered_until: _, ...loss } = usual
  const endingOn = sqlRule(api, 'span_ending_on', loss)

  it.each([
    // what happens, the last day covered, the day on which it ends
    ['ends with the month of the loss', {}, '2026-06-30', '2026-06-16'],
    ['has no end while nobody is lost', { lost_on: null, covered_until: null }, null, null],
    [
      'ends with the plan year, when the month of the loss is longer',
      { year_end: '2026-06-20' },
      '2026-06-20',
      '2026-06-16',
    ],
    [
      'has no end yet when eligibility is lost in a later plan year',
      { lost_on: '2027-01-02', covered_until: '2027-01-31' },
      null,
      null,
    ],
    [
      'ends with the loss on the day after the plan year',
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
      'has ended with the plan year once that is over',
      { lost_on: null, covered_until: null, today: '2027-01-01' },
      '2026-12-31',
      '2027-01-01',
    ],
    ['ends by a loss that has been, too', { today: '2026-12-01' }, '2026-06-30', '2026-06-16'],
  ])('%s', async (__, { covered_until, ...given }: Record<string, string | null>, last_day, ends) => {
    expect(await spanEnd({ ...given, ...(covered_until !== undefined && { covered_until }) })).toBe(last_day)
    expect(await endingOn(given)).toBe(ends)
  })
})

describe('the end of what is settled or was set', () => {
  const keptEnd = sqlRule(api, 'kept_end', {
    coverage_start: '2026-01-01',
    coverage_end: '2026-06-30',
    coverage_end_fixed: false,
    span_end: '2026-06-30',
    ending_on: '2026-06-16',
  })

  it.each([
    ['is kept', {}, '2026-06-30'],
    ['comes earlier by a loss that is told late', { span_end: '2026-04-30', ending_on: '2026-04-15' }, '2026-04-30'],
    ['comes no later by one that is taken back', { span_end: '2026-08-31', ending_on: '2026-08-15' }, '2026-06-30'],
    ['is kept when eligibility goes on', { span_end: null, ending_on: null }, '2026-06-30'],
    [
      'is the day before its first when eligibility is lost before',
      { span_end: '2025-12-31', ending_on: '2025-12-15' },
      '2025-12-31',
    ],
    ['and when it is lost on the first', { span_end: '2026-01-31', ending_on: '2026-01-01' }, '2025-12-31'],
    [
      'is what the operator set, whatever is lost',
      { coverage_end_fixed: true, span_end: '2026-04-30', ending_on: '2026-04-15' },
      '2026-06-30',
    ],
  ])('%s', async (_, given, expected) => expect(await keptEnd(given)).toBe(expected))
})

describe('an enrollment takes from later ones', () => {
  const takenUntil = sqlRule(api, 'taken_until', {
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
    ['the days to the end of its period', {}, '2026-06-30'],
    ['nothing that could be told while its end is not known', { span_end: null, ending_on: null }, null],
    ['nothing when it ends before it begins', { ending_on: '2026-01-01', span_end: '2026-01-31' }, null],
    ['the days to the end that it keeps', { keeps_end: true }, '2026-05-31'],
    ['nothing when the end that it keeps is before its first day', { keeps_end: true, kept_end: '2025-12-31' }, null],
    ['its only day', { keeps_end: true, kept_end: '2026-01-01' }, '2026-01-01'],
    ['nothing while nobody has answered', { answer: null }, null],
    ['nothing when it is waived', { answer: 'waived' }, null],
    ['nothing when another has its period', { doubled: true }, null],
  ])('%s', async (_, given, expected) => expect(await takenUntil(given)).toBe(expected))
})

describe('coverage begins', () => {
  const newStart = sqlRule(api, 'new_coverage_start', {
    keeps_start: false,
    span_start: '2026-03-01',
    covered_before: null,
    taken_before: null,
    moved_on: null,
  })

  it.each([
    ['with its period', {}, '2026-03-01'],
    ['after what was covered in a former employment', { covered_before: '2026-03-31' }, '2026-04-01'],
    ['after what an earlier enrollment takes', { taken_before: '2026-04-30' }, '2026-05-01'],
    [
      'with its period when all of that is over',
      { covered_before: '2026-01-31', taken_before: '2026-02-28' },
      '2026-03-01',
    ],
    ['on the day of a move into an offered state, and not before', { moved_on: '2026-03-10' }, '2026-03-10'],
    ['with its period when that begins after the move', { moved_on: '2026-02-10' }, '2026-03-01'],
    [
      'on the day that was fixed, whatever came before',
      { keeps_start: true, taken_before: '2026-04-30' },
      '2026-03-01',
    ],
  ])('%s', async (_, given, expected) => expect(await newStart(given)).toBe(expected))
})

describe('nothing becomes of an enrollment', () => {
  const isVoid = sqlRule(api, 'is_void', {
    unsettled: true,
    anchored_on: '2026-01-01',
    doubled: false,
    new_start: '2026-02-01',
    year_end: '2026-12-31',
    offered: true,
    answer: null,
  })

  it.each([
    ['but something does when nothing stands against it', {}, false],
    ['for which no period is left', { anchored_on: null }, true],
    ['whose period another has', { doubled: true }, true],
    ['that could only begin after the plan year', { new_start: '2027-01-01' }, true],
    ['but one that begins on its last day', { new_start: '2026-12-31' }, false],
    ['that is no longer offered to who has not answered', { offered: false }, true],
    ['or to who waived it', { offered: false, answer: 'waived' }, true],
    ['but to who is enrolled', { offered: false, answer: 'enrolled' }, false],
    ['but of one that is settled, whatever was lost since', { unsettled: false, anchored_on: null }, false],
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
  const newEnd = sqlRule(api, 'new_coverage_end', { ...usual, kept_end: '2026-05-31' })
  const newInactiveOn = sqlRule(api, 'new_inactive_on', { ...usual, inactive_on: '2026-06-01' })
  const no_end = { span_end: null, ending_on: null }
  const lost_before = { ending_on: '2025-12-16', span_end: '2025-12-31' }

  it.each([
    // what happens, the last day of coverage, the day from which on it is inactive
    ['covers to the end of the month, and is inactive after', {}, '2026-06-30', '2026-07-01'],
    ['has no end while none is known', no_end, null, null],
    ['that nobody answered has no end ahead, but is inactive with the loss', { answer: null }, null, '2026-06-16'],
    ['that is waived, the same', { answer: 'waived' }, null, '2026-06-16'],
    [
      'that nobody answered never covered, once eligibility is lost',
      { answer: null, today: '2026-06-16' },
      '2025-12-31',
      '2026-06-16',
    ],
    ['ends on the day before its first, when eligibility is lost before', lost_before, '2025-12-31', '2025-12-16'],
    [
      'and when it is lost on the first',
      { ending_on: '2026-01-01', span_end: '2026-01-31' },
      '2025-12-31',
      '2026-01-01',
    ],
    ['of which nothing becomes never covered, and is inactive today', { void: true }, '2025-12-31', today],
    ['keeps an end that the operator set', { keeps_end: true, ...no_end }, '2026-05-31', '2026-06-01'],
  ])('%s', async (_, given, last_day, inactive_on) => {
    expect([await newEnd(given), await newInactiveOn(given)]).toEqual([last_day, inactive_on])
  })
})

describe('a termination', () => {
  const newTerminatedAt = sqlRule(api, 'new_terminated_at', {
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
    ['is not told while nothing ends', {}, null],
    ['is not told ahead', { ending_on: '2026-03-11' }, null],
    ['is told on the day', { ending_on: today }, now],
    ['is told when nothing becomes of an enrollment', { void: true }, now],
    ['is told once', { ending_on: '2026-02-01', terminated_at: earlier }, earlier],
    ['is taken back with the loss', { terminated_at: earlier }, null],
    ['stays told of what is settled', { unsettled: false, terminated_at: earlier }, earlier],
    ['is told when an end that the operator set takes effect', { coverage_end_fixed: true, inactive_on: today }, now],
    ['and not before', { coverage_end_fixed: true, inactive_on: '2026-03-11', ending_on: '2026-03-01' }, null],
  ])('%s', async (_, given, expected) => {
    const told = await newTerminatedAt(given)
    expect(told === null ? null : new Date(String(told)).toISOString()).toBe(expected)
  })
})

describe('the counts of a plan year hold an enrollment', () => {
  const countsAs = sqlRule(api, 'counts_as', { answer: null, inactive_on: null, year_end: '2026-12-31', today })

  it.each([
    ['as eligible while nobody answered', {}, 'eligible'],
    ['as eligible when it is waived', { answer: 'waived' }, 'eligible'],
    ['as enrolled', { answer: 'enrolled' }, 'enrolled'],
    [
      'as enrolled until the day on which it is inactive',
      { answer: 'enrolled', inactive_on: '2026-03-11' },
      'enrolled',
    ],
    ['not when it is inactive', { answer: 'enrolled', inactive_on: '2026-03-10' }, null],
    [
      'for ever as on the last day of the plan year',
      { answer: 'enrolled', inactive_on: '2027-01-01', today: '2027-05-01' },
      'enrolled',
    ],
  ])('%s', async (_, given, expected) => expect(await countsAs(given)).toBe(expected))
})

it.each(['enrollments.settleEnrollments', 'enrollments.saveCounted', 'eligibility.saveEligibilities'])(
  'PostgreSQL puts the rules into %s, and calls none of them for each row',
  async (name) => {
    const functions = await api.database.reads.rows<{ proname: string }>(
      `select proname from pg_proc join pg_language on pg_language.oid = prolang
        where pronamespace = 'public'::regnamespace and lanname = 'sql' and provolatile = 'i'`,
    )
    expect(functions.length).toBeGreaterThan(20)
    // By itself, and not prepared like every other: what a generic plan explains takes no values.
    const { rows } = await onOneServer(api.database, (pool) =>
      pool.query<{ 'QUERY PLAN': string }>(`explain (generic_plan, verbose) ${statements.get(name)!.text}`),
    )
    const text = rows.map((line) => line['QUERY PLAN']).join('\n')
    expect(functions.map(({ proname }) => proname).filter((rule) => text.includes(`${rule}(`))).toEqual([])
  },
)

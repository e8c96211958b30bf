import { describe, expect, it, beforeAll } from 'vitest'
import {
  createEmployee,
  createEmployer,
  importCatalog,
  openPlanYear,
  aPerson,
  addPolicy,
} from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { sqlFunction } from '../../../test/postgres/sql-function.ts'
import { employees_per_settlement, recalculate, recalculateEmployer } from './actions.ts'
import { isLockNotFree } from '../../../runtime/locks.ts'

/** Tests the SQL functions of settle-enrollments.sql that restore coverage after a withdrawn loss, one by one. */
const api = useApi()

const today = '2026-03-10'
const earlier = '2026-02-01T17:00:00.000Z'

describe('an enrollment is recalculated when facts change', () => {
  const follows = sqlFunction(api, 'follows_facts', { inactive_on: null, terminated_at: null, ended_by: null, today })
  const over = { inactive_on: '2026-03-10', terminated_at: earlier }

  it.each([
    ['while nothing ends it', {}, true],
    ['while its end is in the future', { inactive_on: '2026-03-11', terminated_at: earlier }, true],
    ['after its end, until that is published', { inactive_on: '2026-03-10' }, true],
    ['until its end is published and then withdrawn', { terminated_at: earlier }, true],
    ['after a loss, which can be withdrawn', { ...over, ended_by: 'loss' }, true],
    ['after another enrollment had its period, which that one can lose', { ...over, ended_by: 'duplicate' }, true],
    ['after its plan year ended, since that end can move', { ...over, ended_by: 'plan_year' }, true],
    ['not if the operator ended it', { ...over, ended_by: 'operator' }, false],
    [
      'not if it was no longer offered, because a new offer grants a new enrollment',
      { ...over, ended_by: 'offer' },
      false,
    ],
    ['not if the reason for its end is unknown', over, false],
  ])('%s', async (_, given, expected) => expect(await follows(given)).toBe(expected))
})

describe('an enrollment that was granted for a period from January 4', () => {
  const isOfPeriod = sqlFunction(api, 'is_of_period', {
    granted_for: '2027-01-04',
    inactive_on: null,
    hired_on: '2026-06-01',
    anchored_on: '2027-01-04',
    lost_on: null,
  })
  const hired_later = { hired_on: '2027-02-25', anchored_on: '2027-02-25' }

  it.each([
    ['belongs to that period', {}, true],
    ['belongs to that period if it begins earlier', { anchored_on: '2026-06-01' }, true],
    ['belongs to that period if it ends later', { lost_on: '2027-01-05' }, true],
    ['does not belong to a period that ends before', { anchored_on: '2026-06-01', lost_on: '2027-01-04' }, false],
    ['does not belong to a later period', { anchored_on: '2027-01-05' }, false],
    ['moves with a later hire date', hired_later, true],
    ['does not move if it ended before the new hire date', { ...hired_later, inactive_on: '2027-02-25' }, false],
    ['moves if it ends after the new hire date', { ...hired_later, inactive_on: '2027-02-26' }, true],
    ['does not move if the employment begins in another class', { ...hired_later, anchored_on: '2027-07-01' }, false],
  ])('%s', async (_, given, expected) => expect(await isOfPeriod(given)).toBe(expected))
})

describe('an enrollment has a window of 30 days', () => {
  const reopens = sqlFunction(api, 'window_reopens', {
    answer: null,
    inactive_on: null,
    new_inactive_on: null,
    coverage_start: '2026-01-01',
    new_start: '2026-01-01',
    today,
  })
  const over = { inactive_on: today }
  const moved = { new_start: '2026-02-01' }

  it.each([
    ['if it is active again and pending', over, true],
    ['if its first day moves to a later day', moved, true],
    ['if its first day moves to an earlier day', { new_start: '2025-12-01' }, true],
    ['not without a change', {}, false],
    ['not if an end in the future is withdrawn', { inactive_on: '2026-03-11' }, false],
    ['not if it stays inactive', { ...over, ...moved, new_inactive_on: today }, false],
    ['not if it was elected', { ...over, ...moved, answer: 'enrolled' }, false],
    ['not if it was waived', { ...over, ...moved, answer: 'waived' }, false],
    ['not when it is granted, since the grant has its own window', { coverage_start: null }, false],
  ])('%s', async (_, given, expected) => expect(await reopens(given)).toBe(expected))
})

describe('the reason for the end of an enrollment', () => {
  const endedBy = sqlFunction(api, 'new_ended_by', {
    ended_by: null,
    terminated_at: earlier,
    coverage_end_fixed: false,
    anchored_on: '2025-01-01',
    doubled: false,
    new_start: '2026-01-01',
    year_end: '2026-12-31',
    void: false,
    lost_on: '2026-03-10',
  })

  it.each([
    ['is the loss of eligibility', {}, 'loss'],
    ['is empty until it ends', { terminated_at: null }, null],
    ['is the reason that would end it now, whatever ended it first', { ended_by: 'plan_year' }, 'loss'],
    ['stays the operator who ended it', { ended_by: 'operator' }, 'operator'],
    ['stays the offer that was withdrawn', { ended_by: 'offer' }, 'offer'],
    ['stays the other enrollment of the same period', { ended_by: 'duplicate' }, 'duplicate'],
    ['is deleted when the enrollment is restored', { ended_by: 'loss', terminated_at: null }, null],
    ['is the operator who set its end', { coverage_end_fixed: true }, 'operator'],
    ['is the other enrollment of the same period', { doubled: true, void: true }, 'duplicate'],
    ['is a loss if no period is left', { anchored_on: null, void: true, lost_on: null }, 'loss'],
    ['is a loss if it could only begin after the plan year', { new_start: '2027-01-01', void: true }, 'loss'],
    ['is the offer that was withdrawn', { void: true, lost_on: null }, 'offer'],
    ['is the end of the plan year', { lost_on: null }, 'plan_year'],
    ['is the end of the plan year after a loss was withdrawn', { ended_by: 'loss', lost_on: null }, 'plan_year'],
    ['is a loss on the last day of the plan year too', { lost_on: '2027-01-01' }, 'loss'],
    ['is the end of the plan year for a loss in a later plan year', { lost_on: '2027-02-01' }, 'plan_year'],
  ])('%s', async (_, given, expected) => expect(await endedBy(given)).toBe(expected))
})

describe('a void enrollment keeps its first day', () => {
  const start = sqlFunction(api, 'kept_coverage_start', {
    id: 'enrl_1',
    void: true,
    coverage_start: '2026-01-01',
    new_start: '2026-02-01',
  })

  it.each([
    ['so that nothing moves after it ended', {}, '2026-01-01'],
    ['but any other enrollment gets the calculated first day', { void: false }, '2026-02-01'],
    ['except before it is granted', { id: null }, '2026-02-01'],
  ])('%s', async (_, given, expected) => expect(await start(given)).toBe(expected))
})

describe('of two enrollments for one period', () => {
  const rowsOf = (employee_id: string) =>
    api.database.reads.rows<{ id: string; ended_by: string | null }>(
      'select * from enrollments where employee_id = $1 order by granted_on, id',
      [employee_id],
    )

  it('the one that was granted first continues, not the one with the earlier first day', async () => {
    const employer_id = await createEmployer(api)
    await addPolicy(api, employer_id)
    await openPlanYear(api, employer_id, await importCatalog(api))
    await api.work()
    const { id } = await createEmployee(api, employer_id, { start_date: '2026-01-01' })
    const [first] = await rowsOf(id)
    await api.act((ctx) =>
      ctx.db.rows(
        `insert into enrollments select (jsonb_populate_record(enrollment, $2)).* from enrollments as enrollment
          where id = $1`,
        [first!.id, { id: 'enrl_0', granted_on: '2026-03-11', coverage_start: '2025-12-31' }],
      ),
    )

    await api.act((ctx) => recalculate(ctx, api.story.organization_id, [id]))
    const settled = await rowsOf(id)
    const endedBy = Object.fromEntries(settled.map((one) => [one.id, one.ended_by]))
    expect(endedBy).toMatchObject({ [first!.id]: null, enrl_0: 'duplicate' })
    await api.act((ctx) => recalculate(ctx, api.story.organization_id, [id]))
    expect(await rowsOf(id), 'a second recalculation changes nothing').toEqual(settled)
  })
})

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
    ['are empty while it is pending', { answer: null }, null],
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

describe('many employees', () => {
  /** Enough employees for two concurrent settlements, of which the first has several statements for its events. */
  const hired_once = employees_per_settlement + 100
  /** People with two employments, which are settled together. */
  const came_back = 3
  let employer_id: string
  let plan_year_id: string

  beforeAll(async () => {
    api.moveTo('2026-03-02')
    employer_id = await createEmployer(api)
    plan_year_id = await openPlanYear(api, employer_id, await importCatalog(api))
    for (let at = 0; at < came_back; at++) {
      const { id } = await createEmployee(api, employer_id, { start_date: '2026-01-05' })
      await api.post(`/v1/employees/${id}/terminate`, { termination_date: '2026-03-04' })
    }
    api.moveTo('2026-03-06')
    await api.runDays()
    const left = (await api.get(`/v1/employers/${employer_id}/employees?status=terminated`)).body.data
    for (const { id } of left) await api.post(`/v1/employees/${id}/rehire`, { start_date: '2026-03-05' })
    const employees = Array.from({ length: hired_once }, () => aPerson())
    await api.post(`/v1/employers/${employer_id}/census-sync`, { employees })
    await api.work()
  })

  /** The events of the employer after an event, in the order of the paginated list. */
  async function reportedAfter(after: string) {
    const published: { id: string; event_name: string; resource_id: string; sequence: number }[] = []
    for (;;) {
      const last = published.at(-1)?.id ?? after
      const { data } = (await api.get(`/v1/webhook-events?employer_id=${employer_id}&limit=100&after=${last}`)).body
      if (data.length === 0) return published
      published.push(...data)
    }
  }

  it('publishes one event for each of many changes in order, regardless of the number of transactions', async () => {
    const before = (await api.get(`/v1/webhook-events?employer_id=${employer_id}&limit=1`)).body.data[0]!
    await addPolicy(api, employer_id)
    await api.work()
    const [policy, ...published] = await reportedAfter(before.id)

    expect(policy!.event_name).toBe('employer.eligibility_policy_created')
    const idsOf = (name: string) =>
      published.filter((one) => one.event_name === name).map(({ resource_id }) => resource_id)
    const people = hired_once + came_back
    const eligible = idsOf('employee.eligibility_granted')
    expect([eligible.length, new Set(eligible).size]).toEqual([people, people])
    const granted = idsOf('enrollment.granted')
    expect([granted.length, new Set(granted).size]).toEqual([2 * people, 2 * people])
    expect(idsOf('enrollment.started')).toEqual(granted)
    expect(published).toHaveLength(people + 2 * granted.length)
    const of_each = Map.groupBy(published, ({ resource_id }) => resource_id)
    for (const id of granted)
      expect(of_each.get(id)!.map(({ event_name, sequence }) => [event_name, sequence])).toEqual([
        ['enrollment.granted', 1],
        ['enrollment.started', 2],
      ])
    const year = await api.database.reads.row<object>(
      'select enrollment_count, eligible_count, enrolled_count from benefit_plan_years where id = $1',
      [plan_year_id],
    )
    expect(year).toEqual({ enrollment_count: granted.length, eligible_count: people, enrolled_count: 0 })
    // Clients that read the newest first get the same order.
    const newest = (await api.get(`/v1/webhook-events?employer_id=${employer_id}&limit=100`)).body.data
    expect(newest.map(({ id }) => id)).toEqual(
      published
        .slice(-100)
        .map(({ id }) => id)
        .reverse(),
    )
  })

  it('grants each benefit once in two concurrent recalculations of an employer', async () => {
    const others = employees_per_settlement + 100
    const at = { organization_id: api.story.organization_id, employer_id: await createEmployer(api) }
    const path = `/v1/employers/${at.employer_id}`
    const policy = { classification: 'all', waiting_period: 'none' }
    await api.post(`${path}/benefit-eligibility-policies`, policy)
    await api.post(`${path}/census-sync`, { employees: Array.from({ length: others }, () => aPerson()) })
    await api.work()
    // All employees are already eligible, so that no other write makes the second recalculation wait for the first.
    const year_id = await openPlanYear(api, at.employer_id, await importCatalog(api))
    const ended = await Promise.allSettled([recalculateEmployer(api.runtime, at), recalculateEmployer(api.runtime, at)])
    for (const one of ended) if (one.status === 'rejected') expect(isLockNotFree(one.reason)).toBe(true)
    // The recalculation that finds locked employees runs again.
    await recalculateEmployer(api.runtime, at)
    const granted = await api.database.reads.row<object>(
      `select count(*)::int as count, count(distinct (employee_id, benefit_id))::int as different
       from enrollments where plan_year_id = $1`,
      [year_id],
    )
    expect(granted).toEqual({ count: 2 * others, different: 2 * others })
    const counts = await api.database.reads.row<object>(
      'select enrollment_count, eligible_count, enrolled_count from benefit_plan_years where id = $1',
      [year_id],
    )
    expect(counts).toEqual({ enrollment_count: 2 * others, eligible_count: others, enrolled_count: 0 })
  })
})

import { describe, expect, it } from 'vitest'
import { createEmployee, createEmployer, importCatalog, openPlanYear } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { sqlFunction } from '../../../test/postgres/sql-function.ts'
import { recalculate } from './actions.ts'

/** Tests the SQL functions of settle-enrollments.sql that restore coverage after a withdrawn loss, one by one. */
const api = useApi()

const today = '2026-03-10'
const earlier = '2026-02-01T17:00:00.000Z'

describe('an enrollment follows its facts', () => {
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
    await api.post(`/v1/employers/${employer_id}/benefit-eligibility-policies`, {
      classification: 'all',
      waiting_period: 'none',
    })
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

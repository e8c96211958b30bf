import { describe, expect, it } from 'vitest'
import { createEmployee, createEmployer, importCatalog, openPlanYear } from '../../../test/cast.ts'
import { useApi } from '../../../test/harness.ts'
import { sqlRule } from '../../../test/sql-rules.ts'
import { recalculate } from './actions.ts'

/** What a loss that is withdrawn gives back: the rules of settle-enrollments.sql that say so, each asked alone. */
const api = useApi()

const today = '2026-03-10'
const earlier = '2026-02-01T17:00:00.000Z'

describe('an enrollment follows its facts', () => {
  const follows = sqlRule(api, 'follows_facts', { inactive_on: null, terminated_at: null, ended_by: null, today })
  const over = { inactive_on: '2026-03-10', terminated_at: earlier }

  it.each([
    ['while nothing ends it', {}, true],
    ['while its end lies ahead', { inactive_on: '2026-03-11', terminated_at: earlier }, true],
    ['while its end has come and was not told', { inactive_on: '2026-03-10' }, true],
    ['when its end was told and taken back', { terminated_at: earlier }, true],
    ['when a loss ended it, which may be withdrawn', { ...over, ended_by: 'loss' }, true],
    ['when another had its period, which may lose it', { ...over, ended_by: 'duplicate' }, true],
    ['when its plan year is over, which may be changed', { ...over, ended_by: 'plan_year' }, true],
    ['not when the operator ended it', { ...over, ended_by: 'operator' }, false],
    ['not when it was offered no more: what is offered again is granted anew', { ...over, ended_by: 'offer' }, false],
    ['not when nobody knows what ended it', over, false],
  ])('%s', async (_, given, expected) => expect(await follows(given)).toBe(expected))
})

describe('an enrollment that was granted for a period from January 4', () => {
  const isOfPeriod = sqlRule(api, 'is_of_period', {
    granted_for: '2027-01-04',
    inactive_on: null,
    hired_on: '2026-06-01',
    anchored_on: '2027-01-04',
    lost_on: null,
  })
  const hired_later = { hired_on: '2027-02-25', anchored_on: '2027-02-25' }

  it.each([
    ['belongs to that period', {}, true],
    ['belongs to it when it begins earlier', { anchored_on: '2026-06-01' }, true],
    ['belongs to it when it ends later', { lost_on: '2027-01-05' }, true],
    ['does not belong to a period that ends before', { anchored_on: '2026-06-01', lost_on: '2027-01-04' }, false],
    ['does not belong to a later period', { anchored_on: '2027-01-05' }, false],
    ['moves with a hire date that becomes later', hired_later, true],
    ['does not move when it was over by the new hire date', { ...hired_later, inactive_on: '2027-02-25' }, false],
    ['moves when it ends after the new hire date', { ...hired_later, inactive_on: '2027-02-26' }, true],
    ['does not move when the employment begins in another class', { ...hired_later, anchored_on: '2027-07-01' }, false],
  ])('%s', async (_, given, expected) => expect(await isOfPeriod(given)).toBe(expected))
})

describe('an enrollment has a window of 30 days', () => {
  const reopens = sqlRule(api, 'window_reopens', {
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
    ['when it is active again and pending', over, true],
    ['when its first day becomes later', moved, true],
    ['when its first day becomes earlier', { new_start: '2025-12-01' }, true],
    ['not when nothing changes', {}, false],
    ['not when an end that lies ahead is withdrawn', { inactive_on: '2026-03-11' }, false],
    ['not when it stays inactive', { ...over, ...moved, new_inactive_on: today }, false],
    ['not when it was elected', { ...over, ...moved, answer: 'enrolled' }, false],
    ['not when it was waived', { ...over, ...moved, answer: 'waived' }, false],
    ['not when it is granted: the grant has its own', { coverage_start: null }, false],
  ])('%s', async (_, given, expected) => expect(await reopens(given)).toBe(expected))
})

describe('what ended an enrollment', () => {
  const endedBy = sqlRule(api, 'new_ended_by', {
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
    ['is nothing as long as it is not ended', { terminated_at: null }, null],
    ['is what would end it now, whatever ended it first', { ended_by: 'plan_year' }, 'loss'],
    ['stays the operator who ended it', { ended_by: 'operator' }, 'operator'],
    ['stays the offer that was taken away', { ended_by: 'offer' }, 'offer'],
    ['stays the other of two that had one period', { ended_by: 'duplicate' }, 'duplicate'],
    ['is forgotten when it is given back', { ended_by: 'loss', terminated_at: null }, null],
    ['is the operator who set its end', { coverage_end_fixed: true }, 'operator'],
    ['is the other of two that have one period', { doubled: true, void: true }, 'duplicate'],
    ['is a loss when no period is left', { anchored_on: null, void: true, lost_on: null }, 'loss'],
    ['is a loss when it could only begin after the plan year', { new_start: '2027-01-01', void: true }, 'loss'],
    ['is the offer that was taken away', { void: true, lost_on: null }, 'offer'],
    ['is the end of the plan year', { lost_on: null }, 'plan_year'],
    ['is the end of the plan year once a loss was taken back', { ended_by: 'loss', lost_on: null }, 'plan_year'],
    ['is a loss with the last day of the plan year too', { lost_on: '2027-01-01' }, 'loss'],
    ['is the end of the plan year for who is lost to a later one', { lost_on: '2027-02-01' }, 'plan_year'],
  ])('%s', async (_, given, expected) => expect(await endedBy(given)).toBe(expected))
})

describe('an enrollment of which nothing becomes keeps the first day that it had', () => {
  const start = sqlRule(api, 'kept_coverage_start', {
    id: 'enrl_1',
    void: true,
    coverage_start: '2026-01-01',
    new_start: '2026-02-01',
  })

  it.each([
    ['so that nothing moves once it is over', {}, '2026-01-01'],
    ['and any other has the first that follows', { void: false }, '2026-02-01'],
    ['as has one that is about to be granted', { id: null }, '2026-02-01'],
  ])('%s', async (_, given, expected) => expect(await start(given)).toBe(expected))
})

describe('of two enrollments that have one period', () => {
  const rowsOf = (employee_id: string) =>
    api.database.reads.rows<{ id: string; ended_by: string | null }>(
      'select * from enrollments where employee_id = $1 order by granted_on, id',
      [employee_id],
    )

  it('the one that was granted first stands, and not the one whose first day is earlier', async () => {
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
    expect(await rowsOf(id), 'and nothing changes when it is told again').toEqual(settled)
  })
})

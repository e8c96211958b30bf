import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createEmployee, importCatalog, boundToken, createOfferingEmployer } from '../../../test/fixtures.ts'
import { addDays } from '../../../kernel/days.ts'
import { codeOf, refusalOf } from '../../../test/response.ts'
import { useApi } from '../../../test/harness.ts'
import { pick } from '../../../test/pick.ts'
import { databaseContents } from '../../../test/postgres/database-contents.ts'

const api = useApi()

/** Moves to a day and runs its jobs. */
async function goOn(day: string): Promise<void> {
  await api.database.reads.rows('update organizations set daily_run_on = $1', [addDays(day, -1)])
  api.moveTo(day)
  await api.runDays()
  await api.work()
}

describe('coverage that ends or is issued again', () => {
  const forbidden = [403, 'forbidden']

  let employer_id: string
  let dental_plan: string
  beforeAll(async () => {
    const catalog = await importCatalog(api)
    dental_plan = catalog.dental.plan_id
    employer_id = (await createOfferingEmployer(api, catalog)).employer_id
  })
  beforeEach(() => api.moveTo('2026-03-10'))

  /** An employee with dental coverage since January, and the enrollment. */
  async function covered(): Promise<{ id: string; enrollment_id: string }> {
    const { id } = await createEmployee(api, employer_id)
    const { data } = (await api.get(`/v1/employees/${id}/enrollments`)).body
    const enrollment_id = pick(data, (row) => row.benefit.category === 'Dental').id
    const answer = await api.post(`/v1/enrollments/${enrollment_id}/elect`, {
      plan_id: dental_plan,
      coverage_tier: 'EE',
    })
    expect(answer.status, answer.text).toBe(200)
    return { id, enrollment_id }
  }

  /** Reports a life event that the operator approves today, which opens its window. */
  async function approved(employee_id: string, type = 'gain_of_coverage', occurred_on = '2026-03-01'): Promise<string> {
    const { body } = await api.post(`/v1/employees/${employee_id}/qualifying-life-events`, { type, occurred_on })
    const path = `/operator/v1/qualifying-life-events/${body.data.id}/approve`
    expect((await api.post(path, {}, { key: api.operator_key })).status).toBe(200)
    return body.data.id
  }

  const terminate = (enrollment_id: string, body: object = {}, key = api.story.api_key) =>
    api.post(`/v1/enrollments/${enrollment_id}/terminate`, body, { key })
  const reissue = (enrollment_id: string, body: object = {}, key = api.story.api_key) =>
    api.post(`/v1/enrollments/${enrollment_id}/reissue`, body, { key })
  const read = async (enrollment_id: string) => (await api.get(`/v1/enrollments/${enrollment_id}`)).body.data
  const eventsOf = async (resource_id: string): Promise<string[]> =>
    (await api.get(`/v1/webhook-events?resource_id=${resource_id}&limit=100`)).body.data
      .toSorted((a, b) => a.sequence - b.sequence)
      .map(({ event_name }) => event_name.slice('enrollment.'.length))

  describe('enrollments_terminate', () => {
    it('ends coverage with the month in the window of a life event, and grants nothing instead', async () => {
      const { id, enrollment_id } = await covered()
      const life_event_id = await approved(id)
      const answer = await terminate(enrollment_id, { reason: 'Covered by a spouse', life_event_id })
      expect(answer.status, answer.text).toBe(200)
      expect(answer.body.data).toMatchObject({ status: 'enrolled', coverage_end: '2026-03-31', terminated_at: null })
      const history = (await api.get(`/v1/enrollments/${enrollment_id}/history`)).body.data
      expect(history.at(-1)).toMatchObject({
        action: 'terminated',
        reason: 'Covered by a spouse',
        actor: { kind: 'partner' },
        window: { kind: 'life_event', life_event_id },
        coverage_end: '2026-03-31',
        elections: [{ coverage_tier: 'EE', employee_deduction_in_cents: 1_200 }],
      })
      await goOn('2026-04-01')
      expect(await read(enrollment_id)).toMatchObject({ status: 'inactive', coverage_end: '2026-03-31' })
      const { data } = (await api.get(`/v1/employees/${id}/enrollments`)).body
      expect(data).toHaveLength(2)
      expect((await eventsOf(enrollment_id)).slice(-2)).toEqual(['termination_rescheduled', 'terminated'])
    })

    it('ends with a later month of the plan year, unless eligibility ends before', async () => {
      const { id, enrollment_id } = await covered()
      await approved(id)
      const answer = await terminate(enrollment_id, { coverage_end: '2026-06-30' })
      expect(answer.body.data.coverage_end).toBe('2026-06-30')
      await api.post(`/v1/employees/${id}/terminate`, { termination_date: '2026-03-09' })
      expect((await read(enrollment_id)).coverage_end).toBe('2026-03-31')
    })

    it.each([
      ['a day that is not the last of a month', '2026-04-29'],
      ['a past month', '2026-02-28'],
      ['a day after the plan year', '2027-01-31'],
    ])('refuses %s', async (_, coverage_end) => {
      const { id, enrollment_id } = await covered()
      await approved(id)
      const answer = await terminate(enrollment_id, { coverage_end })
      expect(refusalOf(answer)).toEqual([400, 'invalid_request', 'coverage_end'])
      expect((await read(enrollment_id)).coverage_end).toBeNull()
    })

    it('requires the window of a life event: the one that is named', async () => {
      const { id, enrollment_id } = await covered()
      expect(codeOf(await terminate(enrollment_id))).toEqual([409, 'enrollment_window_closed'])
      await approved(id)
      const other = await approved((await covered()).id)
      const foreign = { life_event_id: other }
      expect(codeOf(await terminate(enrollment_id, foreign))).toEqual([409, 'enrollment_window_closed'])
      await goOn('2026-04-20')
      expect(codeOf(await terminate(enrollment_id))).toEqual([409, 'enrollment_window_closed'])
    })

    it('refuses coverage that was not elected, has not begun, or already ends by then', async () => {
      const { id, enrollment_id } = await covered()
      await approved(id)
      const { data } = (await api.get(`/v1/employees/${id}/enrollments`)).body
      const pending = pick(data, (row) => row.status === 'pending').id
      expect(codeOf(await terminate(pending))).toEqual([409, 'coverage_not_elected'])
      expect((await terminate(enrollment_id)).status).toBe(200)
      expect(codeOf(await terminate(enrollment_id))).toEqual([409, 'coverage_already_ends'])
      await goOn('2026-04-01')
      expect(codeOf(await terminate(enrollment_id))).toEqual([409, 'enrollment_is_inactive'])

      api.moveTo('2026-03-10')
      const late = await covered()
      await approved(late.id)
      const correction = { reason: 'Began later', coverage_start: '2026-05-01' }
      await api.post(`/operator/v1/enrollments/${late.enrollment_id}/corrections`, correction, {
        key: api.operator_key,
      })
      expect(codeOf(await terminate(late.enrollment_id))).toEqual([409, 'coverage_has_not_started'])
      await goOn('2026-04-30')
      await approved(late.id, 'gain_of_coverage', '2026-04-20')
      expect(codeOf(await terminate(late.enrollment_id))).toEqual([409, 'coverage_has_not_started'])
      await goOn('2026-05-01')
      expect((await terminate(late.enrollment_id)).body.data).toMatchObject({ coverage_end: '2026-05-31' })
    })

    it('refuses bound tokens, and hides enrollments of others', async () => {
      const { id, enrollment_id } = await covered()
      for (const action of [terminate, reissue]) {
        for (const key of [await boundToken(api, 'employee', id), await boundToken(api, 'employer', employer_id)])
          expect(codeOf(await action(enrollment_id, {}, key))).toEqual(forbidden)
        expect(codeOf(await action(enrollment_id, {}, api.story.rival_api_key))).toEqual([404, 'not_found'])
      }
    })
  })

  describe('enrollments_reissue', () => {
    it('reverses an end, before and after the last day, as if it had never been requested', async () => {
      const { id, enrollment_id } = await covered()
      await approved(id)
      const before = await read(enrollment_id)
      await terminate(enrollment_id)
      const max_running = await reissue(enrollment_id, { reason: 'Thought better of it' })
      expect(max_running.status, max_running.text).toBe(200)
      expect(max_running.body.data).toEqual({ ...before, updated_at: max_running.body.data.updated_at })
      await terminate(enrollment_id)
      await goOn('2026-04-01')
      expect((await read(enrollment_id)).status).toBe('inactive')
      expect((await reissue(enrollment_id)).status).toBe(200)
      const after = await read(enrollment_id)
      expect({ ...after, window: null, updated_at: null }).toEqual({ ...before, window: null, updated_at: null })
      expect((await eventsOf(enrollment_id)).slice(-3)).toEqual(['termination_rescheduled', 'terminated', 'reissued'])
      const history = (await api.get(`/v1/enrollments/${enrollment_id}/history`)).body.data
      expect(history.map(({ action }) => action)).toEqual([
        'granted',
        'elected',
        'terminated',
        'reissued',
        'terminated',
        'ended',
        'reissued',
      ])
    })

    it('restores only the days that eligibility allows', async () => {
      const { id, enrollment_id } = await covered()
      await approved(id)
      await terminate(enrollment_id, { coverage_end: '2026-06-30' })
      await api.post(`/v1/employees/${id}/terminate`, { termination_date: '2026-04-10' })
      const answer = await reissue(enrollment_id)
      expect(answer.body.data).toMatchObject({ status: 'enrolled', coverage_end: '2026-04-30' })
    })

    it('requires an open window and is possible for 60 days, except for operators', async () => {
      const { id, enrollment_id } = await covered()
      expect(codeOf(await reissue(enrollment_id))).toEqual([409, 'enrollment_is_not_ended'])
      await approved(id)
      await terminate(enrollment_id)
      await goOn('2026-05-30')
      expect(codeOf(await reissue(enrollment_id))).toEqual([409, 'enrollment_window_closed'])
      await goOn('2026-05-31')
      expect(codeOf(await reissue(enrollment_id))).toEqual([409, 'coverage_ended_long_ago'])
      const path = `/operator/v1/enrollments/${enrollment_id}/reissue` as const
      const answer = await api.post(path, { reason: 'Ended by mistake' }, { key: api.operator_key })
      expect(answer.status, answer.text).toBe(200)
      expect(answer.body.data).toMatchObject({ status: 'enrolled', coverage_end: null })
      const again = await api.post(path, { reason: 'Once more' }, { key: api.operator_key })
      expect(codeOf(again)).toEqual([409, 'enrollment_is_not_ended'])
    })
  })

  describe("a dry run of an operator's correction", () => {
    it('returns its effects and applies none of them', async () => {
      const { id, enrollment_id } = await covered()
      await api.work()
      const operator = { key: api.operator_key }
      const operate = <Action extends string>(action: Action, body: object) =>
        api.post(`/operator/v1/employees/${id}/${action}`, body, operator)
      const before = await databaseContents(api)
      const input = { termination_date: '2026-01-06', reason: 'Never came back' }
      const reported = await operate('terminate', { ...input, dry_run: true })
      expect(reported.status, reported.text).toBe(200)
      expect(reported.body.data).toMatchObject({ status: 'terminated', termination_date: '2026-01-06' })
      expect(reported.body.warnings).toMatchObject([{ code: 'rescission', enrollment_id }])
      const dental = ({ after }: { after: { id: string } }) => after.id === enrollment_id
      expect(pick(reported.body.enrollments, dental)).toMatchObject({
        before: { status: 'enrolled', coverage_end: null },
        after: { status: 'inactive', coverage_end: '2026-01-31' },
      })
      const requested = {
        employee_class: 'Part Time',
        effective_date: '2026-01-10',
        reason: 'Reported late',
        dry_run: true,
      }
      expect((await operate('corrections', requested)).body.data.employee_class).toBe('Part Time')
      const refused = await operate('reinstate', { reason: 'Mixed up', dry_run: true })
      expect(codeOf(refused)).toEqual([409, 'nothing_to_reinstate'])
      expect(await databaseContents(api)).toBe(before)
      await api.runtime.audit_log.close()
      const views = `/operator/v1/audit-entries?resource_id=${id}&operation=operator_terminate_employee` as const
      expect((await api.get(views, operator)).body.data).toMatchObject([{ status: 200, fields: null }])

      const done = await operate('terminate', input)
      const withoutTimes = ({ enrollments }: typeof done.body) =>
        enrollments.map(({ after: { updated_at: _, terminated_at: __, ...after } }) => after)
      expect(withoutTimes(done.body)).toEqual(withoutTimes(reported.body))
      expect(await databaseContents(api)).not.toBe(before)
      const back = await operate('reinstate', { reason: 'She works on', dry_run: true })
      expect(pick(back.body.enrollments, dental)).toMatchObject({ after: { status: 'enrolled', coverage_end: null } })
    })
  })
})

describe('a plan year that is over', () => {
  const asOperator = () => ({ key: api.operator_key })

  let catalog: Awaited<ReturnType<typeof importCatalog>>
  beforeAll(async () => {
    catalog = await importCatalog(api)
  })

  /** An employee with coverage in 2026. Returns the enrollment. */
  async function covered(employer_id: string) {
    const { id } = await createEmployee(api, employer_id, { start_date: '2026-01-01' })
    const { data } = (await api.get(`/v1/employees/${id}/enrollments`)).body
    const enrollment_id: string = data.find(({ benefit }) => benefit.category === 'Dental')!.id
    const election = { plan_id: catalog.dental.plan_id, coverage_tier: 'EE' }
    const elected = await api.post(`/v1/enrollments/${enrollment_id}/elect`, election)
    expect(elected.status, elected.text).toBe(200)
    return { id: id as string, enrollment_id }
  }

  const daysOf = async (enrollment_id: string) => {
    const { status, coverage_end } = (await api.get(`/v1/enrollments/${enrollment_id}`)).body.data
    return { status, coverage_end }
  }

  it('ends an enrollment with its plan year if the operator corrects it right after that year', async () => {
    const { employer_id } = await createOfferingEmployer(api, catalog)
    const ended = await covered(employer_id)
    const corrected = await covered(employer_id)
    const gained = { type: 'gain_of_coverage', occurred_on: '2026-03-01' }
    const event = await api.post(`/v1/employees/${ended.id}/qualifying-life-events`, gained)
    await api.post(`/operator/v1/qualifying-life-events/${event.body.data.id}/approve`, {}, asOperator())
    expect((await api.post(`/v1/enrollments/${ended.enrollment_id}/terminate`, {})).status).toBe(200)
    const correct = (enrollment_id: string, coverage_end: string) =>
      api.post(
        `/operator/v1/enrollments/${enrollment_id}/corrections`,
        { coverage_end, reason: 'Reported late' },
        asOperator(),
      )
    expect((await correct(corrected.enrollment_id, '2026-03-31')).status).toBe(201)
    await goOn('2026-04-01')
    for (const { enrollment_id } of [ended, corrected])
      expect(await daysOf(enrollment_id)).toEqual({ status: 'inactive', coverage_end: '2026-03-31' })

    await goOn('2027-05-01')
    const reissue = { reason: 'Ended by mistake' }
    const reissued = await api.post(`/operator/v1/enrollments/${ended.enrollment_id}/reissue`, reissue, asOperator())
    expect(reissued.status, reissued.text).toBe(200)
    const moved = await correct(corrected.enrollment_id, '2026-06-30')
    expect(moved.status, moved.text).toBe(201)
    expect(await daysOf(ended.enrollment_id)).toEqual({ status: 'inactive', coverage_end: '2026-12-31' })
    expect(await daysOf(corrected.enrollment_id)).toEqual({ status: 'inactive', coverage_end: '2026-06-30' })
  })
})

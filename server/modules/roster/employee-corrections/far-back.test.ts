import { beforeAll, describe, expect, it } from 'vitest'
import {
  aPerson,
  createEmployee,
  createEmployer,
  importCatalog,
  openPlanYear,
  theEmployee,
  theEnrollment,
  addPolicy,
} from '../../../test/fixtures.ts'
import type { ApiResponse } from '../../../test/response.ts'
import { useApi } from '../../../test/harness.ts'
import { first, pick } from '../../../test/pick.ts'
import fc from 'fast-check'
import { addDays, type Day } from '../../../kernel/days.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import { electEnrollment, waiveEnrollment } from '../../coverage/elections/actions.ts'
import { hireEmployee } from '../employees/actions.ts'
import { NewEmployee } from '../employees/schemas.ts'
import { locateEmployer } from '../../access/auth/queries.ts'
import { recalculate } from '../../coverage/enrollments/actions.ts'
import { correctEmployee, terminateRetroactively, reinstateEmployee } from './actions.ts'
import { caseCount } from '../../../test/case-count.ts'
import { whyNotReinstate } from './rules.ts'

const api = useApi()
let employer_id: string
let catalog: Awaited<ReturnType<typeof importCatalog>>

beforeAll(async () => {
  catalog = await importCatalog(api)
  employer_id = await createEmployer(api)
  await addPolicy(api, employer_id, { classification: 'full_time' })
  await openPlanYear(api, employer_id, catalog)
  await api.work()
})

async function electDental(employee_id: string): Promise<string> {
  const { data } = (await api.get(`/v1/employees/${employee_id}/enrollments`)).body
  const dental = pick(data, ({ benefit }) => benefit.category === 'Dental').id
  const body = { plan_id: catalog.dental.plan_id, coverage_tier: 'EE' }
  const answer = await api.post(`/v1/enrollments/${dental}/elect`, body)
  expect(answer.status, answer.text).toBe(200)
  return dental
}

/** Hires an employee with dental coverage since January. */
async function hireWithDental(input: Record<string, unknown> = {}) {
  const { id } = await createEmployee(api, employer_id, { start_date: '2025-06-02', ...input })
  return { id, dental: await electDental(id) }
}

const stateOf = async (enrollment_id: string) => {
  const { status, coverage_start, coverage_end } = (await api.get(`/v1/enrollments/${enrollment_id}`)).body.data
  return { status, coverage_start, coverage_end }
}
const since_january = { status: 'enrolled', coverage_start: '2026-01-01', coverage_end: null }
const terminate = (employee_id: string, body: object) => api.post(`/v1/employees/${employee_id}/terminate`, body)
const correct = (employee_id: string, body: object) =>
  api.post(`/operator/v1/employees/${employee_id}/corrections`, body, { key: api.operator_key })
const correctionsOf = async (employee_id: string) =>
  (await api.get(`/operator/v1/employees/${employee_id}/corrections`, { key: api.operator_key })).body.data
const refusal = ({ status, error }: ApiResponse) => [status, error.code, error.details[0]?.message]
const lastEvents = async (id: string, count: number) => (await api.events(id)).slice(-count)
const rescinding = 'more_than_60_days_back: removes coverage from more than 60 days ago; only the operator can do that'

/** Processes a census of one row, and returns its outcome. */
async function send(row: object) {
  const { body } = await api.post(`/v1/employers/${employer_id}/census-sync`, { employees: [row] })
  await api.work()
  return (await api.get(`/v1/employers/${employer_id}/census-sync/${body.data.census_sync_id}`)).body.data
}

describe('a class change that ends coverage', () => {
  const to = (employee_class: string, effective_date: string) => ({ employee_class, effective_date })
  const patch = (employee_id: string, body: object) => api.patch(`/v1/employees/${employee_id}`, body)

  it('restores the coverage if it is corrected immediately', async () => {
    const ida = await hireWithDental()
    await patch(ida.id, to('Part Time', '2026-02-10'))
    expect(await stateOf(ida.dental)).toMatchObject({ status: 'inactive', coverage_end: '2026-02-28' })
    await patch(ida.id, to('Full Time', '2026-02-10'))
    expect(await stateOf(ida.dental)).toEqual(since_january)
    expect(await lastEvents(ida.dental, 2)).toEqual(['enrollment.terminated', 'enrollment.reinstated'])
  })

  it('restores the first of two enrollments when a later report closes the gap between them', async () => {
    const jon = await hireWithDental()
    await patch(jon.id, to('Part Time', '2026-02-10'))
    await patch(jon.id, to('Full Time', '2026-03-05'))
    const before = (await api.get(`/v1/employees/${jon.id}/enrollments`)).body.data
    expect(before).toHaveLength(4)
    await patch(jon.id, to('Full Time', '2026-02-10'))
    expect(await stateOf(jon.dental)).toEqual(since_january)
    const { data } = (await api.get(`/v1/employees/${jon.id}/enrollments`)).body
    expect(data.filter(({ status }) => status !== 'inactive')).toHaveLength(2)
  })

  it('is accepted for any past day if no coverage of more than 60 days ago is lost', async () => {
    const kim = await hireWithDental()
    // Coverage continues until January 31, and January 9 is 60 days ago.
    expect((await patch(kim.id, to('Part Time', '2026-01-02'))).status).toBe(200)
    expect(await stateOf(kim.dental)).toMatchObject({ status: 'inactive', coverage_end: '2026-01-31' })
    const lee = await createEmployee(api, employer_id, { start_date: '2025-06-02', employee_class: 'Part Time' })
    expect((await patch(lee.id, to('Seasonal', '2025-07-01'))).status).toBe(200)
    const liv = await hireWithDental()
    await patch(liv.id, to('Part Time', '2026-02-10'))
    expect((await patch(liv.id, to('Intern', '2026-02-15'))).status).toBe(200)
  })

  it('is refused to partners if coverage of more than 60 days ago is lost', async () => {
    const ned = await hireWithDental()
    await terminate(ned.id, { termination_date: '2026-02-20' })
    expect(refusal(await patch(ned.id, to('Part Time', '2025-06-02')))).toEqual([
      400,
      'invalid_employee_update',
      rescinding,
    ])
    expect((await stateOf(ned.dental)).coverage_end).toBe('2026-02-28')
  })

  it('may be made by the operator, with a warning about the rescission', async () => {
    const mia = await hireWithDental()
    const body = { ...to('Part Time', '2025-12-02'), reason: 'Hours were cut' }
    const dry_run = await correct(mia.id, { ...body, dry_run: true })
    const lost = [{ enrollment_id: mia.dental, lost_from: '2026-01-01', lost_until: '2026-03-10' }]
    expect(dry_run.body.warnings).toMatchObject(lost)
    expect(await stateOf(mia.dental)).toEqual(since_january)
    expect((await correct(mia.id, body)).body.warnings).toMatchObject(lost)
    expect((await correct(mia.id, body)).body.warnings).toEqual([])
    const ahead = await correct(mia.id, { ...body, effective_date: '2026-03-11' })
    expect(refusal(ahead)[1]).toBe('invalid_employee_update')
    expect(await correctionsOf(mia.id)).toMatchObject([
      { action: 'corrected', effective_on: '2025-12-02', reason: 'Hours were cut' },
    ])
  })
})

describe('a later first day', () => {
  const move = (id: string, start_date: string) =>
    api.patch(`/v1/employees/${id}`, { effective_date: '2026-03-10', start_date })

  it('is refused only to partners if coverage of more than 60 days ago is lost', async () => {
    const oda = await hireWithDental()
    expect(refusal(await move(oda.id, '2026-01-20'))).toEqual([400, 'invalid_employee_update', rescinding])
    expect(await stateOf(oda.dental)).toEqual(since_january)
    expect((await api.get(`/v1/employees/${oda.id}`)).body.data.start_date).toBe('2025-06-02')
    expect(await lastEvents(oda.id, 1)).not.toEqual(['employee.updated'])

    const input = { start_date: '2026-01-20', reason: 'The contract was found' }
    const answer = await correct(oda.id, input)
    expect(answer.body.data.start_date).toBe('2026-01-20')
    expect(answer.body.warnings).toMatchObject([{ enrollment_id: oda.dental, lost_from: '2026-01-01' }])
    expect(await correctionsOf(oda.id)).toMatchObject([{ action: 'corrected', effective_on: '2026-01-20' }])
  })

  it('is accepted if coverage is unchanged or began less than 60 days ago', async () => {
    const pia = await hireWithDental()
    expect((await move(pia.id, '2025-11-03')).status).toBe(200)
    expect(await stateOf(pia.dental)).toMatchObject({ status: 'enrolled', coverage_start: '2026-01-01' })
    const quin = await hireWithDental({ start_date: '2026-02-16' })
    expect((await move(quin.id, '2026-03-02')).status).toBe(200)
  })

  it('opens one task for the operator in a census, however often the row is repeated', async () => {
    const row = aPerson({ start_date: '2025-06-02' })
    const { id, dental } = await hireWithDental(row)
    const tasks = async () =>
      (await api.get(`/operator/v1/tasks?employer_id=${employer_id}`, { key: api.operator_key })).body.data
    const later = { ...row, start_date: '2026-01-20' }
    const dry_run = await api.post(`/v1/employers/${employer_id}/census-sync?dry_run=true`, { employees: [later] })
    expect(first(dry_run.body.data.failures).reason).toContain(rescinding)
    for (const day of ['2026-03-11', '2026-03-12']) {
      api.moveTo(day)
      expect(first((await send(later)).failures)).toMatchObject({
        field: 'start_date',
        reason: `invalid_employee_update: ${rescinding}`,
      })
      expect(await tasks()).toMatchObject([
        {
          kind: 'start_too_old',
          resource_id: id,
          details: { start_date: '2026-01-20' },
          action: { operation: 'operator_correct_employee', path: `/operator/v1/employees/${id}/corrections` },
          opened_at: expect.stringContaining('2026-03-11'),
        },
      ])
    }
    expect(await stateOf(dental)).toEqual(since_january)
    await correct(id, { start_date: '2026-01-20', reason: 'As in the roster' })
    expect(await tasks()).toEqual([])
    expect((await send(later)).counts).toMatchObject({ unchanged: 1, failed: 0 })
    api.moveTo('2026-03-10')
  })
})

describe('a loss of coverage that is reversed', () => {
  /**
   * Two employees are identical. Losses of coverage are reported and reversed for one of them, in any order and after
   * any delay. In the end both must have the same enrollments.
   */
  const api = useApi({ begins_on: '2026-01-02' })
  const numRuns = caseCount(25)
  const reason = 'A mistake'

  let employer_id: string
  let dental_id: string
  let organization_id: string
  let born = 0

  beforeAll(async () => {
    const catalog = await importCatalog(api)
    organization_id = api.story.organization_id
    dental_id = catalog.dental.plan_id
    employer_id = await createEmployer(api)
    await addPolicy(api, employer_id, { classification: 'full_time', waiting_period: 'first_of_following_month' })
    await openPlanYear(api, employer_id, catalog)
    await api.work()
  })

  type Rows = { id: string; dental: boolean }[]
  const enrollmentsOf = (ctx: Ctx, employee_id: string) =>
    ctx.db.rows<Rows[number]>(
      `select enrollment.id, product.category = 'Dental' as dental from enrollments as enrollment
       join benefit_products as product on product.id = enrollment.benefit_id
      where enrollment.employee_id = $1 and coalesce(enrollment.inactive_on > $2, true)`,
      [employee_id, ctx.today],
    )

  /** Hires an employee who elects dental, waives it, or submits nothing. */
  async function hire(ctx: Ctx, start_date: Day, answer: 'elect' | 'waive' | 'none'): Promise<string> {
    const number = ++born
    const employer = (await locateEmployer(ctx, { employer_id }))!
    const input = { first_name: `Ann${number}`, last_name: `Twin${number}`, date_of_birth: '1990-01-01', start_date }
    const { id: employee_id } = await hireEmployee(
      ctx,
      employer,
      NewEmployee.parse({ ...input, email: `twin${number}@example.com` }),
    )
    for (const { id, dental } of await enrollmentsOf(ctx, employee_id)) {
      if (!dental || answer === 'none') continue
      const enrollment = await theEnrollment(ctx, id)
      if (answer === 'waive') await waiveEnrollment(ctx, enrollment, { reason })
      else await electEnrollment(ctx, enrollment, { plan_id: dental_id, coverage_tier: 'EE', dependent_ids: [] })
    }
    return employee_id
  }

  /** The present state of an employee's enrollments. */
  const present = (employee_id: string) =>
    api.act((ctx) =>
      ctx.db.rows(
        `select product.name, enrollment.coverage_start, enrollment.coverage_end, enrollment.answer,
              enrollment.inactive_on, enrollment.terminated_at is not null as ended, enrollment.ended_by,
              enrollment.counted_as,
              (select json_agg(json_build_array(election.effective_on, election.premium_in_cents))
                 from elections as election where election.enrollment_id = enrollment.id) as elected
         from enrollments as enrollment join benefit_products as product on product.id = enrollment.benefit_id
        where enrollment.employee_id = $1
          and not (enrollment.ended_by is not distinct from 'duplicate' and enrollment.answer is null)
        order by product.name, enrollment.anchored_on, enrollment.coverage_start, enrollment.answer nulls last`,
        [employee_id],
      ),
    )

  const moveStart = async (ctx: Ctx, id: string, start_date: Day) =>
    void (await correctEmployee(ctx, await theEmployee(ctx, id), { start_date, reason }))

  /** How each kind of loss is reported and reversed. */
  const losses = {
    termination: {
      report: async (ctx: Ctx, id: string, day: Day) =>
        void (await terminateRetroactively(ctx, await theEmployee(ctx, id), { termination_date: day, reason })),
      withdraw: async (ctx: Ctx, id: string) => reinstateEmployee(ctx, await theEmployee(ctx, id), { reason }, null),
    },
    hire_date: {
      report: (ctx: Ctx, id: string, day: Day) => moveStart(ctx, id, day),
      withdraw: (ctx: Ctx, id: string, _: Day, first_day: Day) => moveStart(ctx, id, first_day),
    },
    class: {
      report: async (ctx: Ctx, id: string, effective_date: Day) =>
        void (await correctEmployee(ctx, await theEmployee(ctx, id), {
          employee_class: 'Part Time',
          effective_date,
          reason,
        })),
      withdraw: async (ctx: Ctx, id: string, effective_date: Day) =>
        void (await correctEmployee(ctx, await theEmployee(ctx, id), {
          employee_class: 'Full Time',
          effective_date,
          reason,
        })),
    },
  }

  const story = fc.record({
    hired_before: fc.nat(90),
    answer: fc.constantFrom('elect', 'elect', 'waive', 'none'),
    /** The losses, how many days back they are reported, and the days between the actions. */
    kinds: fc.constantFrom<(keyof typeof losses)[]>(
      ['termination'],
      ['class'],
      ['class', 'termination'],
      ['hire_date'],
      ['hire_date', 'termination'],
    ),
    back: fc.integer({ min: 1, max: 50 }),
    pauses: fc.array(fc.nat(40), { minLength: 4, maxLength: 4 }),
    reversed: fc.boolean(),
  })

  it('restores the enrollments of an employee when a reported loss of coverage is reversed', async () => {
    await fc.assert(
      fc.asyncProperty(story, async ({ hired_before, answer, kinds, back, pauses, reversed }) => {
        let today = '2026-02-10'
        const pause = async (days: number) => {
          today = addDays(today, days)
          api.moveTo(today)
          await api.act((ctx) => recalculate(ctx, organization_id, [reported, spared]))
        }
        api.moveTo(today)
        const first_day = addDays(today, -hired_before)
        const reported = await api.act((ctx) => hire(ctx, first_day, answer))
        const spared = await api.act((ctx) => hire(ctx, first_day, answer))
        await pause(60)

        const days: Record<string, Day> = {}
        for (const [at, kind] of kinds.entries()) {
          await pause(pauses[at] ?? 0)
          const day = addDays(today, -back)
          days[kind] = day
          await api.act((ctx) => losses[kind].report(ctx, reported, day))
        }
        for (const [at, kind] of (reversed ? kinds.toReversed() : kinds).entries()) {
          await pause(pauses[2 + at] ?? 0)
          await api.act((ctx) => losses[kind].withdraw(ctx, reported, days[kind] as Day, first_day))
        }
        await pause(1)
        expect(await present(reported)).toEqual(await present(spared))
      }),
      { numRuns, seed: Number(process.env.TWINS_SEED ?? 20260310) },
    )
  })
})

const today = '2026-03-10'
const ended = { id: 'empl_1', terminated_on: '2026-02-20' }

describe('a termination can be reversed', () => {
  const refused = (...requested: Parameters<typeof whyNotReinstate>) => {
    const why = whyNotReinstate(...requested)
    return why && ('kind' in why ? why.kind.code : why.code)
  }

  it.each([
    ['if the employment has ended', ended, undefined],
    ['if the employment is going to end', { ...ended, terminated_on: '2026-05-01' }, undefined],
    ['60 days after the last day', { ...ended, terminated_on: '2026-01-09' }, undefined],
    ['not by partners after more than 60 days', { ...ended, terminated_on: '2026-01-08' }, 'invalid_employee_update'],
    ['not if no termination was reported', { ...ended, terminated_on: null }, 'nothing_to_reinstate'],
    ['not if the person was employed here again', { ...ended, id: 'empl_0' }, 'employee_was_rehired'],
  ])('%s', (_, employment, expected) => expect(refused(employment, { id: 'empl_1' }, today)).toBe(expected))

  it('by the operator, even if the employment ended years ago', () =>
    expect(refused({ ...ended, terminated_on: '2020-01-01' }, ended, today, null)).toBeUndefined())
})

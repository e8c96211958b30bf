import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createEmployee, createEmployer, importCatalog, openPlanYear } from '../../../test/fixtures.ts'
import { addDays } from '../../../kernel/days.ts'
import { codeOf } from '../../../test/response.ts'
import { useApi } from '../../../test/harness.ts'
import { only, pick } from '../../../test/pick.ts'

/** A dependent is removed by mistake and reinstated. Afterwards, everything is as if the removal had never happened. */
const api = useApi()

const wife = { relationship: 'spouse', first_name: 'Bell', last_name: 'Byron', date_of_birth: '1991-05-17' }

/** Moves to days and runs the jobs of each. */
async function goOn(...days: string[]): Promise<void> {
  for (const day of days) {
    await api.database.reads.rows('update organizations set daily_run_on = $1', [addDays(day, -1)])
    api.moveTo(day)
    await api.runDays()
    await api.work()
  }
}

async function medicalOf(employee_id: string, year: string) {
  const { data } = (await api.get(`/v1/employees/${employee_id}/enrollments?limit=100`)).body
  return pick(data, (row) => row.benefit.category === 'Medical' && row.benefit_plan_year_id === year).id
}

const read = async (enrollment_id: string) => (await api.get(`/v1/enrollments/${enrollment_id}`)).body.data

describe('a dependent who is reinstated', () => {
  const son = { relationship: 'child', first_name: 'Ralph', last_name: 'Byron', date_of_birth: '2012-07-02' }

  let catalog: Awaited<ReturnType<typeof importCatalog>>
  beforeAll(async () => {
    catalog = await importCatalog(api)
  })
  beforeEach(() => api.moveTo('2026-03-10'))

  /** A family of three, covered since January, at a new employer that pays monthly. */
  async function family() {
    const employer_id = await createEmployer(api)
    await api.put(`/v1/employers/${employer_id}/settings`, { pay_frequency: 'monthly' })
    const policy = { classification: 'all', waiting_period: 'none' }
    await api.post(`/v1/employers/${employer_id}/benefit-eligibility-policies`, policy)
    const year = await openPlanYear(api, employer_id, catalog)
    const { id } = await createEmployee(api, employer_id)
    const spouse = await added(id, wife)
    const dependent_ids = [spouse, await added(id, son)]
    await api.work()
    const enrollment_id = await medicalOf(id, year)
    await elect(enrollment_id, 'EF')
    return { id, employer_id, year, enrollment_id, spouse, dependent_ids: dependent_ids.toSorted() }
  }

  async function added(employee_id: string, person: object): Promise<string> {
    const answer = await api.post(`/v1/employees/${employee_id}/dependents`, person)
    expect(answer.status, answer.text).toBe(201)
    return answer.body.data.id
  }

  async function elect(enrollment_id: string, coverage_tier: string) {
    const input = { plan_id: catalog.mec.plan_id, coverage_tier }
    const answer = await api.post(`/v1/enrollments/${enrollment_id}/elect`, input)
    expect(answer.status, answer.text).toBe(200)
    await api.work()
  }

  async function end(dependent_id: string) {
    expect((await api.call('DELETE', `/v1/dependents/${dependent_id}`)).status).toBe(200)
    await api.work()
  }
  const requestBack = (dependent_id: string, input: { key?: string } = {}) =>
    api.post(`/v1/dependents/${dependent_id}/reinstate`, undefined, input)
  async function reinstate(dependent_id: string) {
    const answer = await requestBack(dependent_id)
    expect(answer.status, answer.text).toBe(200)
    await api.work()
    return answer.body.data
  }
  const coverOf = async (enrollment_id: string) => {
    const { coverage_tier, employee_deduction_in_cents, dependent_ids } = await read(enrollment_id)
    return [coverage_tier, employee_deduction_in_cents, dependent_ids.toSorted()]
  }

  /** The deductions and invoices of a year, in total and by the months that they are for. */
  async function moneyOf({ id, employer_id }: { id: string; employer_id: string }) {
    const proof = (await api.get(`/v1/employees/${id}/deductions/proof?year=2026`)).body.data
    const billed = await api.database.reads.rows(
      `select line.month::text, sum(line.premium_in_cents)::int as cents from invoice_lines as line
       join invoices as invoice using (invoice_id, organization_id)
      where invoice.employer_id = $1 group by line.month order by line.month`,
      [employer_id],
    )
    return { due: proof.due_in_cents, requested: proof.requested_in_cents, billed }
  }

  describe('a dependent who was removed by mistake', () => {
    it('is covered without a gap, and deducted and billed to the cent as if never removed', async () => {
      const [mistaken, other] = [await family(), await family()]
      await goOn('2026-03-31', '2026-04-01')
      api.moveTo('2026-04-02')
      await end(mistaken.spouse)
      await goOn('2026-05-01')
      expect(await coverOf(mistaken.enrollment_id)).toEqual(['EC', 8_250, [expect.any(String)]])
      await goOn('2026-06-01')
      expect(await reinstate(mistaken.spouse)).toMatchObject({ active: true, ended_on: null, covered_until: null })
      expect(await coverOf(mistaken.enrollment_id)).toEqual(['EF', 12_450, mistaken.dependent_ids])
      const history = (await api.get(`/v1/enrollments/${mistaken.enrollment_id}/history`)).body.data
      expect(history.at(-1)!.elections!.map((one) => [one.effective_on, one.coverage_tier])).toEqual([[null, 'EF']])
      await goOn('2026-07-01', '2026-08-01')
      const money = await moneyOf(mistaken)
      expect(money).toEqual(await moneyOf(other))
      expect(money.billed.length).toBeGreaterThan(4)
    })

    it('gets one event for the restored coverage, whether the end was announced or is past', async () => {
      const { spouse } = await family()
      await end(spouse)
      await reinstate(spouse)
      await end(spouse)
      await goOn('2026-04-01', '2026-04-20')
      await reinstate(spouse)
      expect(await reinstate(spouse)).toMatchObject({ active: true })
      expect(await api.events(spouse)).toEqual([
        'dependent.coverage_ending',
        'dependent.coverage_reinstated',
        'dependent.coverage_ending',
        'dependent.coverage_ended',
        'dependent.coverage_reinstated',
      ])
    })

    it('is covered by an election that was carried into the next plan year without the dependent', async () => {
      const { id, year, enrollment_id, spouse, dependent_ids } = await family()
      const window = { open_enrollment_start: '2026-11-01', open_enrollment_end: '2026-11-20' }
      const path = `/operator/v1/benefit-plan-years/${year}/copy` as const
      const next_year = (await api.post(path, window, { key: api.operator_key })).body.data.id
      await goOn('2026-11-10')
      await end(spouse)
      await goOn('2026-11-21', '2026-12-01')
      const renewed = await medicalOf(id, next_year)
      expect((await coverOf(renewed))[0]).toBe('EC')
      await goOn('2027-01-05')
      await reinstate(spouse)
      expect(await coverOf(renewed)).toEqual(['EF', 12_450, dependent_ids])
      expect(await coverOf(enrollment_id)).toEqual(['EF', 12_450, dependent_ids])
    })

    it('is covered by an election that was resumed for the employee without the dependent', async () => {
      const { id, year, spouse, dependent_ids } = await family()
      await goOn('2026-05-10')
      await end(spouse)
      await api.post(`/v1/employees/${id}/terminate`, { termination_date: '2026-05-09' })
      await goOn('2026-06-01', '2026-06-10')
      const answer = await api.post(`/v1/employees/${id}/rehire`, { start_date: '2026-06-10' })
      expect(answer.status, answer.text).toBe(201)
      await api.work()
      const back = await medicalOf(answer.body.data.id, year)
      expect((await coverOf(back))[0]).toBe('EC')
      await reinstate(spouse)
      expect(await coverOf(back)).toEqual(['EF', 12_450, dependent_ids])
    })

    it('is not covered by elections made in the meantime', async () => {
      const { enrollment_id, spouse } = await family()
      await end(spouse)
      await goOn('2026-04-01')
      await elect(enrollment_id, 'EC')
      await goOn('2026-05-02')
      await reinstate(spouse)
      expect((await coverOf(enrollment_id))[0]).toBe('EC')
    })
  })

  describe('dependents_reinstate', () => {
    it('is recorded in the audit log with the actor', async () => {
      const { spouse } = await family()
      await end(spouse)
      await reinstate(spouse)
      const { data } = (await api.get(`/v1/audit-entries?resource_id=${spouse}`)).body
      expect(data.map(({ operation }) => operation)).toContain('dependents_reinstate')
    })

    it('refuses dependents who were removed more than 60 days ago or replaced, and employee tokens', async () => {
      const { id, spouse, dependent_ids } = await family()
      const child = dependent_ids.find((one) => one !== spouse)!
      await end(spouse)
      await end(child)
      const bound_entity = { type: 'employee', id }
      const token = await api.post('/v1/auth/access-tokens', { grant_type: 'client_credentials', bound_entity })
      expect(codeOf(await requestBack(child, { key: token.body.access_token }))).toEqual([403, 'forbidden'])
      await added(id, { ...wife, first_name: 'Ada' })
      await added(id, son)
      expect(codeOf(await requestBack(spouse))).toEqual([409, 'spouse_already_exists'])
      expect(codeOf(await requestBack(child))).toEqual([409, 'dependent_already_exists'])
      expect(codeOf(await requestBack(spouse, { key: api.story.rival_api_key }))).toEqual([404, 'not_found'])
      const { spouse: other } = await family()
      await end(other)
      api.moveTo('2026-05-10')
      expect(codeOf(await requestBack(other))).toEqual([409, 'dependent_ended_long_ago'])
      api.moveTo('2026-05-09')
      await reinstate(other)
      expect(
        only(
          (await api.get(`/v1/webhook-events?resource_id=${other}&event_name=dependent.coverage_reinstated`)).body.data,
        ),
      ).toBeDefined()
    })
  })
})

describe('an end that is reported or withdrawn late', () => {
  let employer_id: string
  let plan_year_id: string
  let next_year_id: string
  let mec_plan: string
  let catalog: Awaited<ReturnType<typeof importCatalog>>
  beforeAll(async () => {
    catalog = await importCatalog(api)
    mec_plan = catalog.mec.plan_id
  })
  /** A plan year is renewed once, so each story needs an employer of its own. */
  beforeEach(async () => {
    api.moveTo('2026-03-10')
    employer_id = await createEmployer(api)
    const policy = { classification: 'all', waiting_period: 'none' }
    await api.post(`/v1/employers/${employer_id}/benefit-eligibility-policies`, policy)
    plan_year_id = await openPlanYear(api, employer_id, catalog)
    const path = `/operator/v1/benefit-plan-years/${plan_year_id}/copy` as const
    const window = { open_enrollment_start: '2026-11-01', open_enrollment_end: '2026-11-20' }
    next_year_id = (await api.post(path, window, asOperator())).body.data.id
    await api.work()
  })
  const asOperator = () => ({ key: api.operator_key })

  const daughter = { relationship: 'child', first_name: 'Anne', last_name: 'Byron', date_of_birth: '2000-05-20' }
  const son = { ...daughter, first_name: 'Ralph', date_of_birth: '2012-07-02' }
  const of_december = { ...daughter, date_of_birth: '2000-12-20' }

  async function elect(enrollment_id: string, coverage_tier: string) {
    const answer = await api.post(`/v1/enrollments/${enrollment_id}/elect`, { plan_id: mec_plan, coverage_tier })
    expect(answer.status, answer.text).toBe(200)
    await api.work()
  }

  /** An employee with coverage for these dependents since the hire date, with the coverage level that fits them. */
  async function family(coverage_tier: string, people: object[], input: object = {}) {
    const { id } = await createEmployee(api, employer_id, input as never)
    const dependent_ids: string[] = []
    for (const person of people) {
      const answer = await api.post(`/v1/employees/${id}/dependents`, person)
      expect(answer.status, answer.text).toBe(201)
      dependent_ids.push(answer.body.data.id)
    }
    await api.work()
    const enrollment_id = await medicalOf(id, plan_year_id)
    await elect(enrollment_id, coverage_tier)
    return { id, enrollment_id, dependent_ids }
  }
  const coverOf = async (enrollment_id: string) => {
    const { coverage_tier, employee_deduction_in_cents, dependent_ids } = await read(enrollment_id)
    return [coverage_tier, employee_deduction_in_cents, dependent_ids]
  }
  const approve = async (dependent_id: string) => {
    const path = `/operator/v1/dependents/${dependent_id}/disability` as const
    expect((await api.post(path, { reason: 'Certified' }, asOperator())).status).toBe(200)
    await api.work()
  }
  const publish = async (employee_id: string, action: 'terminate' | 'reinstate', input: object) => {
    const answer = await api.post(`/v1/employees/${employee_id}/${action}`, input)
    expect(answer.status, answer.text).toBe(200)
    await api.work()
  }
  const stepsOf = async (enrollment_id: string) =>
    (await api.get(`/v1/enrollments/${enrollment_id}/history`)).body.data
      .at(-1)!
      .elections!.map((one) => [one.effective_on, one.coverage_tier])

  describe('a reinstated employee', () => {
    it('covers no child who exceeded the age limit in the meantime, and gets an event and a window', async () => {
      const { id, enrollment_id, dependent_ids } = await family('EC', [daughter])
      await goOn('2026-05-10')
      await publish(id, 'terminate', { termination_date: '2026-05-09' })
      await goOn('2026-06-01', '2026-06-20')
      await publish(id, 'reinstate', {})
      expect(await coverOf(enrollment_id)).toEqual(['EE', 0, []])
      expect(await stepsOf(enrollment_id)).toEqual([
        [null, 'EC'],
        ['2026-06-01', 'EE'],
      ])
      expect(await api.events(only(dependent_ids))).toEqual(['dependent.coverage_ended'])
      expect((await read(enrollment_id)).window).toEqual({ start: '2026-06-20', end: '2026-07-20' })
    })

    it('does not extend coverage of dependents when the end is corrected to a later day', async () => {
      const { enrollment_id } = await family('EC', [daughter])
      const correct = async (coverage_end: string | null) => {
        const path = `/operator/v1/enrollments/${enrollment_id}/corrections` as const
        const answer = await api.post(path, { reason: 'So it was', coverage_end }, asOperator())
        expect(answer.status, answer.text).toBe(201)
        await api.work()
      }
      await goOn('2026-04-10')
      await correct('2026-04-30')
      await goOn('2026-05-01', '2026-06-01', '2026-07-10')
      await correct('2026-06-30')
      expect(await stepsOf(enrollment_id)).toEqual([
        [null, 'EC'],
        ['2026-06-01', 'EE'],
      ])
    })
  })

  describe('coverage that is restored for a returning employee', () => {
    it('has the cost of an amendment starting on its day', async () => {
      const { id } = await family('EC', [son])
      await goOn('2026-05-10')
      await publish(id, 'terminate', { termination_date: '2026-05-09' })
      const contribution_tiers = [{ coverage_tier: null, method: 'percentage', percentage: 40 }]
      const contributions = [{ benefit_id: catalog.mec.benefit_id, contribution_tiers }]
      const path = `/operator/v1/benefit-plan-years/${plan_year_id}/amendments` as const
      const amended = await api.post(path, { effective_on: '2026-07-01', reason: 'R', contributions }, asOperator())
      expect(amended.status, amended.text).toBe(201)
      await goOn('2026-06-10')
      const answer = await api.post(`/v1/employees/${id}/rehire`, { start_date: '2026-06-10' })
      await api.work()
      await goOn('2026-07-01')
      const back = await read(await medicalOf(answer.body.data.id, plan_year_id))
      expect(back).toMatchObject({ elected_by: 'return', employee_deduction_in_cents: 9_900 })
    })
  })

  describe('a future election', () => {
    it('keeps its source and time if a dependent ends before its first day', async () => {
      api.moveTo('2026-11-05')
      const { id, dependent_ids } = await family('ES', [wife], { start_date: '2026-10-20' })
      const ahead = await medicalOf(id, next_year_id)
      await elect(ahead, 'ES')
      const made = () =>
        api.database.reads.rows(
          `select elected_by, elected_at::date::text as elected_on, coverage_tier
           from elections where enrollment_id = $1`,
          [ahead],
        )
      await goOn('2026-12-10')
      await api.call('DELETE', `/v1/dependents/${only(dependent_ids)}`)
      await goOn('2027-01-01')
      // The time of the election determines whether January is deducted before tax.
      expect(await made()).toEqual([{ elected_by: 'partner', elected_on: '2026-11-05', coverage_tier: 'EE' }])
    })
  })

  describe('a child with an approved disability', () => {
    it('is covered after a renewal as if there were no age limit', async () => {
      const { id, enrollment_id, dependent_ids } = await family('EC', [of_december])
      await goOn('2026-11-01', '2026-11-21', '2026-12-31')
      const renewed = await medicalOf(id, next_year_id)
      expect(await coverOf(renewed)).toEqual(['EE', 0, []])
      await goOn('2027-01-01', '2027-01-15')
      expect(await coverOf(renewed)).toEqual(['EE', 0, []])
      await approve(only(dependent_ids))
      expect(await coverOf(enrollment_id)).toEqual(['EC', 8_250, dependent_ids])
      expect(await coverOf(renewed)).toEqual(['EC', 8_250, dependent_ids])
      expect(await read(renewed)).toMatchObject({ elected_by: 'renewal' })
    })

    it('is covered if the approval is before the age limit, too', async () => {
      const { id, dependent_ids } = await family('EC', [of_december])
      await goOn('2026-11-01', '2026-11-21', '2026-12-20')
      await approve(only(dependent_ids))
      expect(await coverOf(await medicalOf(id, next_year_id))).toEqual(['EC', 8_250, dependent_ids])
    })

    it('is covered by a later carried election, long after the end', async () => {
      const { id, enrollment_id, dependent_ids } = await family('EC', [daughter])
      await goOn('2026-06-01', '2026-11-01', '2026-11-21', '2027-01-01')
      const renewed = await medicalOf(id, next_year_id)
      expect(await coverOf(renewed)).toEqual(['EE', 0, []])
      await approve(only(dependent_ids))
      expect(await coverOf(enrollment_id)).toEqual(['EC', 8_250, dependent_ids])
      expect(await coverOf(renewed)).toEqual(['EC', 8_250, dependent_ids])
    })

    it('is covered by an election that was resumed with the employee', async () => {
      const { id, dependent_ids } = await family('EC', [daughter])
      await goOn('2026-05-10')
      await publish(id, 'terminate', { termination_date: '2026-05-09' })
      await goOn('2026-06-01', '2026-06-10')
      const answer = await api.post(`/v1/employees/${id}/rehire`, { start_date: '2026-06-10' })
      expect(answer.status, answer.text).toBe(201)
      await api.work()
      const back = await medicalOf(answer.body.data.id, plan_year_id)
      expect(await coverOf(back)).toEqual(['EE', 0, []])
      await approve(only(dependent_ids))
      expect(await coverOf(back)).toEqual(['EC', 8_250, dependent_ids])
      await goOn('2026-06-20')
      expect(await coverOf(back)).toEqual(['EC', 8_250, dependent_ids])
    })
  })
})

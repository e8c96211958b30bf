import { beforeAll, describe, expect, it } from 'vitest'
import { tasks } from '../../worker-tasks.ts'
import { recalculate } from '../../modules/coverage/enrollments/actions.ts'
import { listEmployeesAfter } from '../../modules/coverage/eligibility/queries.ts'
import { inOrganization } from '../../runtime/runtime.ts'
import { derivedState } from '../../test/models/coverage-checks.ts'
import { useApi } from '../../test/harness.ts'
import { books } from './employers.ts'
import { seedDemoData } from './seed.ts'

const api = useApi()
const key = {
  get key() {
    return api.operator_key
  },
}
const today = process.env.DEMO_DAY ?? '2026-03-10'
const ids = books.map(({ id }) => id)

/** Counts rows by their text. */
const counted = async (text: string, ...more: string[]): Promise<Record<string, number>> => {
  const rows = await api.database.reads.rows<{ what: string; count: number }>(text, [ids, ...more])
  return Object.fromEntries(rows.map(({ what: part, count }) => [part, count]))
}

describe('the demo data', () => {
  const reported: string[] = []
  let killed: unknown

  beforeAll(async () => {
    api.moveTo(today)
    const [, meridian] = ids
    const dying: typeof tasks = {
      ...tasks,
      draft_invoice: (runtime, payload) => {
        if ((payload as { organization_id: string }).organization_id === meridian) throw new Error('killed')
        return tasks.draft_invoice!(runtime, payload)
      },
    }
    killed = await seedDemoData(api.runtime, dying, ({ name }) => reported.push(name)).catch((error: unknown) => error)
    await seedDemoData(api.runtime, tasks, ({ name }) => reported.push(name))
  })

  it('resumes after an interrupted start and is never duplicated', async () => {
    expect(killed).toEqual(new Error('killed'))
    expect(reported.at(-1)).toBe('Meridian Payroll')
    expect(reported.toSorted()).toEqual(books.map(({ name }) => name).toSorted())
    await seedDemoData(api.runtime, tasks, ({ name }) => reported.push(name))
    expect(reported).toHaveLength(3)
  })

  it('has 41 employers in every stage, and 1,500 people with unique names', async () => {
    const rows = await Promise.all(
      ids.map(async (id) => (await api.get(`/operator/v1/employers?organization_id=${id}&limit=100`, key)).body.data),
    )
    const stages = Map.groupBy(rows.flat(), (row) => row.benefit_lifecycle_stage.stage)
    expect(Object.fromEntries([...stages].map(([stage, those]) => [stage, those.length]))).toEqual({
      active: 17,
      onboarding: 9,
      open_enrollment: 6,
      renewal: 6,
      cancelled: 3,
    })
    const people = await counted(
      `select 'people' as what, count(*) as count from members where organization_id = any($1)
        union all
       select 'names', count(distinct first_name || ' ' || last_name) from members where organization_id = any($1)
        union all
       select 'families', count(distinct member_id) from dependents where organization_id = any($1)
        union all
       select 'earn', count(distinct employee_id) from employee_wages where organization_id = any($1)
        union all
       select 'left', count(*) from employees where organization_id = any($1) and terminated_on is not null
        union all
       select 'beneficiaries', count(*) from beneficiary_designations where organization_id = any($1)`,
    )
    expect(people.earn).toBeGreaterThan(900)
    expect(people.people).toBeGreaterThan(1500)
    expect(people.names).toBe(people.people)
    expect(people.families).toBeGreaterThan(500)
    expect(people.left).toBeGreaterThan(5)
    expect(people.beneficiaries).toBeGreaterThan(20)
  })

  it('has a year of statements and invoices, paid, open and overdue', async () => {
    const money = await counted(
      `select 'statements' as what, count(*) as count from deduction_statements
        where organization_id = any($1) and generated_at is not null
        union all
       select 'months', count(distinct period) from invoices where organization_id = any($1)
        union all
       select 'paid', count(*) from invoices where organization_id = any($1) and paid_at is not null
        union all
       select 'late', count(*) from invoices
        where organization_id = any($1) and paid_at is null and voided_at is null and due_on < current_date`,
    )
    expect(money.months).toBeGreaterThanOrEqual(13)
    expect(money.statements).toBeGreaterThan(150)
    expect(money.paid).toBeGreaterThan(100)
    expect(money.late).toBeGreaterThan(5)
  })

  it('has a staffing firm with two years of hours, and people in each part of a measurement', async () => {
    const firm = await counted(
      `with firm as (
         select organization_id, employer_id from measurement_policies where organization_id = any($1)
       ), today as (
         select status.* from firm join measured_statuses as status using (organization_id, employer_id)
       )
       select 'weeks' as what, count(distinct period_starts_on) as count
         from hours_of_service join firm using (organization_id, employer_id)
        union all
       select case when is_full_time then 'full-time' when is_trending then 'trending' else 'others' end, count(*)
         from employee_measurements join firm using (organization_id, employer_id) group by 1
        union all
       select 'measuring', count(*) from today
        where reason = 'measuring' and $2::date between starts_on and coalesce(ends_on, 'infinity')
        union all
       select 'decided', count(*) from today where starts_on > $2::date and decided_on <= $2::date
        union all
       select 'on leave', count(distinct employee_id)
         from hours_of_service join firm using (organization_id, employer_id)
        where kind = 'special_unpaid_leave'
        union all
       select 'clients', count(distinct client_name) from assignments join firm using (organization_id, employer_id)
        union all
       select 'identifiers', count(*) from tax_identifiers where organization_id = any($1)
        union all
       select 'covered', count(*) from enrollments join firm using (organization_id, employer_id)
        where answer = 'enrolled'`,
      today,
    )
    expect(firm).toMatchObject({ clients: 6 })
    expect(firm.weeks).toBeGreaterThan(104)
    expect(firm['full-time']).toBeGreaterThan(120)
    expect(firm.trending).toBeGreaterThan(10)
    expect(firm.measuring).toBeGreaterThan(20)
    expect(firm.decided).toBeGreaterThan(0)
    expect(firm['on leave']).toBeGreaterThan(3)
    expect(firm.identifiers).toBeGreaterThan(250)
    expect(firm.identifiers).toBeLessThan(300)
    expect(firm.covered).toBeGreaterThan(100)
  })

  it('has a staffing firm that offered coverage in time, and filed the forms of the past year', async () => {
    const years = await api.database.reads.rows<{ tax_year: number; month: { [name: string]: number } }>(
      `select tax_year, jsonb_array_elements(counts -> 'months') as month
         from form_years join measurement_policies using (organization_id, employer_id)
        where organization_id = any($1)`,
      [ids],
    )
    expect(new Set(years.map(({ tax_year }) => tax_year))).toEqual(new Set([2025, 2026]))
    for (const { month } of years) {
      expect(month.full_time_count).toBeGreaterThan(100)
      expect(month.offered_count! / month.full_time_count!).toBeGreaterThan(0.95)
      expect(month.unprotected_count! / month.full_time_count!).toBeLessThan(0.1)
    }
    const { mailed } = (await api.database.reads.row<{ mailed: number }>(
      'select count(*) as mailed from released_forms where organization_id = any($1) and mailed_on is not null',
      [ids],
    ))!
    expect(mailed).toBeGreaterThan(100)
    const { status, form_count } = (await api.database.reads.row<{ status: string; form_count: number }>(
      'select status, form_count from form_transmissions where organization_id = any($1)',
      [ids],
    ))!
    expect([status, form_count]).toEqual(['accepted', mailed])
  })

  it('has failed syncs that were fixed, and webhooks with several attempts', async () => {
    const runs = await counted(
      `select coalesce(run.error_code, census.state) as what, count(*) as count from hris_runs as run
         left join lateral (
           select case when failures > 0 then 'with failures' else 'whole' end as state from (
             select count(*) as failures from census_failures
              where census_sync_id = run.census_sync_id and organization_id = run.organization_id) as counted) as census
           on run.census_sync_id is not null
        where run.organization_id = any($1) group by 1`,
    )
    expect(runs).toMatchObject({ access_lost: 3, 'with failures': 2 })
    const deliveries = await counted(
      `select case when delivered_at is not null then 'delivered'
                   when failed_at is not null then 'failed' else 'due' end
                || ' after ' || least(attempts, 2) as what, count(*) as count
         from webhook_deliveries where organization_id = any($1) group by 1`,
    )
    expect(Object.keys(deliveries).sort()).toEqual(['delivered after 1', 'delivered after 2', 'failed after 2'])
    const tasks = await counted(
      `select kind as what, count(*) as count from tasks
        where organization_id = any($1) and closed_at is null group by kind`,
    )
    expect(tasks).toMatchObject({
      census_held: 1,
      hris_access_lost: 1,
      life_event_pending: 6,
      webhook_disabled: 3,
    })
  })

  it('has events for each employer, and an audit log that leads to the requests behind them', async () => {
    const organization_id = ids[0]!
    const page = await api.get(`/operator/v1/audit-entries?organization_id=${organization_id}&limit=100`, key)
    const made = page.body.data.find(({ operation }) => operation === 'employers_create')!
    const path = `/operator/v1/organizations/${organization_id}/webhook-events` as const
    const caused = (await api.get(`${path}?trace_id=${made.trace_id}`, key)).body.data
    expect(caused.map(({ event_name }) => event_name)).toEqual(['employer.created'])
    const at_employer = await api.get(`${path}?employer_id=${made.resource_id}&event_name=employer.created`, key)
    expect(at_employer.body.data).toEqual(caused)
    const { events } = (await api.database.reads.row<{ events: number }>(
      'select count(*) as events from webhook_events where organization_id = any($1) and employer_id is null',
      [ids],
    ))!
    expect(events).toBe(0)
  })

  it('does not change when everything is recalculated, and leaves no waiting jobs', async () => {
    const before = await derivedState(api.database.reads)
    for (const organization_id of ids)
      await inOrganization(api.runtime, organization_id, async (ctx) => {
        const employers = await api.database.reads.rows<{ id: string }>(
          'select id from employers where organization_id = $1',
          [organization_id],
        )
        for (const { id: employer_id } of employers) {
          const all_people = await listEmployeesAfter(ctx, { organization_id, employer_id }, undefined, 100_000)
          await recalculate(ctx, organization_id, all_people)
        }
      })
    expect(await derivedState(api.database.reads)).toEqual(before)
    const { jobs } = (await api.database.reads.row<{ jobs: number }>(
      `select count(*) as jobs from graphile_worker._private_jobs where payload ->> 'organization_id' = any($1)`,
      [ids],
    ))!
    expect(jobs).toBe(0)
  })
})

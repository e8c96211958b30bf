import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { createEmployee, createEmployer, importCatalog, openPlanYear, addPolicy } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { repriceElections } from '../elections/price-actions.ts'
import { recalculate } from '../enrollments/actions.ts'
import { chargedMonths } from '../../money/deductions/rules.ts'
import { caseCount } from '../../../test/case-count.ts'

const api = useApi()
const asOperator = () => ({ key: api.operator_key })

const months = ['01', '02', '03', '04', '05', '06', '07', '08', '09', '10', '11', '12']
const firsts = months.map((month) => `2026-${month}-01`)

/** Silver and dental have a different price each month. */
const rising = (input: object, base: number) =>
  firsts.flatMap((effective_on, month) =>
    ['EE', 'ES', 'EC', 'EF'].map((coverage_tier, tier) => ({
      ...input,
      coverage_tier,
      premium_in_cents: base * (tier + 1) + 100 * month,
      effective_on,
    })),
  )

let catalog: Awaited<ReturnType<typeof importCatalog>>
beforeAll(async () => {
  const silver = { product_code: 'MVP', benefit: 'Major Medical', plan: 'Major Medical Silver' }
  const ppo = { carrier: 'Brightside Dental', product_code: 'VD', benefit: 'Dental', plan: 'Brightside PPO' }
  catalog = await importCatalog(api, [
    ...rising({ carrier: 'Evergreen Health', ...silver }, 42_000),
    ...rising(ppo, 3_200),
  ])
})

const share = (percentage: number) => [{ coverage_tier: null, method: 'percentage', percentage }]

type Person = {
  hired_on: string
  medical: 'silver' | 'bronze' | 'none'
  dental: boolean
  spouse: boolean
  leaves: string | null
}
const people = fc.array(
  fc.record<Person>({
    hired_on: fc.constantFrom('2026-01-05', '2026-02-17', '2026-03-09', '2026-03-10'),
    medical: fc.constantFrom('silver', 'silver', 'bronze', 'none'),
    dental: fc.boolean(),
    spouse: fc.boolean(),
    leaves: fc.constantFrom(null, null, null, '2026-08-14'),
  }),
  { minLength: 4, maxLength: 4 },
)

/** Random amendments. Some of them are refused because of earlier ones. */
const whats = () => {
  const { mvp, dental, vision } = catalog
  return fc.oneof(
    fc.constant({ repriced_plan_ids: [mvp.plan_id] }),
    fc.constant({ repriced_plan_ids: [mvp.plan_id, dental.plan_id] }),
    fc.integer({ min: 0, max: 100 }).map((percentage) => ({
      contributions: [{ benefit_id: mvp.benefit_id, contribution_tiers: share(percentage) }],
    })),
    fc.constantFrom({ closed_plan_ids: [mvp.plan_id] }, { closed_plan_ids: [mvp.other_plan_id] }),
    fc.constantFrom({ added_plan_ids: [mvp.plan_id] }, { added_plan_ids: [mvp.other_plan_id] }),
    fc.constant({ withdrawn_benefit_ids: [dental.benefit_id] }),
    fc.constant({ added_benefits: [{ benefit_id: vision.benefit_id, contribution_tiers: share(50) }] }),
    fc.constantFrom('2026-09-15', '2026-11-30', '2027-01-01').map((coverage_end) => ({ coverage_end })),
  )
}
const amendments = () =>
  fc.array(
    fc.record({ effective_on: fc.constantFrom(...firsts), what: whats() }).map(({ effective_on, what: part }) => ({
      effective_on,
      ...part,
      reason: 'Generated',
    })),
    { minLength: 2, maxLength: 4 },
  )

async function anEmployerOf(story: Person[]) {
  const employer_id = await createEmployer(api)
  await addPolicy(api, employer_id)
  const { mvp, dental } = catalog
  const benefits = [mvp, dental].map(({ benefit_id }) => ({ benefit_id, contribution_tiers: share(50) }))
  const plan_year_id = await openPlanYear(api, employer_id, catalog, { benefits })
  await api.work()
  const employee_ids = []
  for (const one of story) {
    const { id } = await createEmployee(api, employer_id, { start_date: one.hired_on })
    employee_ids.push(id)
    const coverage_tier = one.spouse ? 'ES' : 'EE'
    const wife = { relationship: 'spouse', first_name: 'Kim', last_name: 'Costa', date_of_birth: '1991-03-04' }
    if (one.spouse) await api.post(`/v1/employees/${id}/dependents`, wife)
    for (const enrollment of (await api.get(`/v1/employees/${id}/enrollments`)).body.data) {
      const is_dental = enrollment.benefit.category === 'Dental'
      if (is_dental ? !one.dental : one.medical === 'none') continue
      const medical = one.medical === 'silver' ? mvp.plan_id : mvp.other_plan_id
      const plan_id = is_dental ? dental.plan_id : medical
      const answer = await api.post(`/v1/enrollments/${enrollment.id}/elect`, { plan_id, coverage_tier })
      expect(answer.status, answer.text).toBe(200)
    }
    if (one.leaves) await api.post(`/v1/employees/${id}/terminate`, { termination_date: one.leaves })
  }
  return { employer_id, plan_year_id, employee_ids }
}
type Position = Awaited<ReturnType<typeof anEmployerOf>>

/** All derived rows except enrollments that are neither elected nor waived. */
async function derived({ employer_id, plan_year_id }: Position) {
  const rows = (sql: string, id: string) => api.database.reads.rows<Record<string, unknown>>(sql, [id])
  const of_employer = `from elections as election
    join enrollments as enrollment on enrollment.id = election.enrollment_id
    where enrollment.employer_id = $1`
  return {
    enrollments: await rows(
      `select id, coverage_start, coverage_end, inactive_on, answer, ended_by, terminated_at is null as live
         from enrollments where employer_id = $1 and answer is not null order by id`,
      employer_id,
    ),
    elections: await rows(
      `select election.*, election.effective_on::text as effective_on ${of_employer} order by enrollment_id, 3`,
      employer_id,
    ),
    rates: await rows(
      `select *, effective_on::text as effective_on, until::text as until from plan_year_rates
        where plan_year_id = $1 order by plan_id, coverage_tier, plan_year_rates.effective_on`,
      plan_year_id,
    ),
    offers: await rows(
      `select benefit_id, starts_on, ends_on, closed_plans, during::text as during, eligible_count, enrolled_count
         from plan_year_benefits where plan_year_id = $1 and withdrawn_at is null order by 1`,
      plan_year_id,
    ),
    year: await rows(
      'select coverage_end, as_opened, eligible_count, enrolled_count from benefit_plan_years where id = $1',
      plan_year_id,
    ),
  }
}

type Elected = { effective_on: string; plan_id: string; coverage_tier: string } & Record<string, unknown>

/** The cost of each elected enrollment in each month, by `enrollment_id month`. */
async function charges({ employer_id }: Position): Promise<Map<string, unknown>> {
  const enrollments = await api.database.reads.rows<{
    id: string
    coverage_start: string
    coverage_end: string | null
    elections: (Elected & { employee_deduction_in_cents: number })[]
  }>(
    `select enrollment.id, enrollment.coverage_start, least(enrollment.coverage_end, year.coverage_end) as coverage_end,
            (select json_agg(json_build_object(
                      'effective_on', effective_on, 'plan_id', plan_id, 'coverage_tier', coverage_tier,
                      'premium_in_cents', premium_in_cents,
                      'employer_contribution_in_cents', employer_contribution_in_cents,
                      'employee_deduction_in_cents', employee_deduction_in_cents))
               from elections where enrollment_id = enrollment.id) as elections
       from enrollments as enrollment join benefit_plan_years as year on year.id = enrollment.plan_year_id
      where enrollment.employer_id = $1 and enrollment.answer = 'enrolled'`,
    [employer_id],
  )
  return new Map(
    enrollments.flatMap(({ id, ...coverage }) =>
      [2026, 2027].flatMap((year) =>
        chargedMonths({ ...coverage, lapses: [] }, year).map(({ month, election: { effective_on: _, ...cost } }) => [
          `${id} ${month.slice(0, 7)}`,
          cost,
        ]),
      ),
    ) as [string, unknown][],
  )
}

const pathOf = ({ plan_year_id }: Position) => `/operator/v1/benefit-plan-years/${plan_year_id}/amendments` as const

it(
  'an amendment equals its dry run, changes nothing when repeated, and leaves nothing after its withdrawal',
  { timeout: 600_000 },
  async () => {
    let [reported, refused] = [0, 0]
    await fc.assert(
      fc.asyncProperty(people, amendments(), async (story, all) => {
        const position = await anEmployerOf(story)
        const states = [{ id: '', state: await derived(position) }]
        for (const input of all) {
          const expected = await charges(position)
          const preview = await api.post(pathOf(position), { ...input, dry_run: true, limit: 100 }, asOperator())
          if (preview.status !== 200) {
            expect(preview.status, preview.text).toBe(422)
            refused++
            continue
          }
          expect(await derived(position), 'a dry run changes nothing').toEqual(states.at(-1)!.state)
          for (const { enrollment_id, months: changed } of preview.body.data)
            for (const { month, after } of changed)
              if (after) expected.set(`${enrollment_id} ${month}`, after)
              else expected.delete(`${enrollment_id} ${month}`)
          const answer = await api.post(pathOf(position), input, asOperator())
          expect(answer.status, answer.text).toBe(201)
          await api.work()
          expect(await charges(position), 'the dry run predicted these charges').toEqual(expected)
          reported++

          const state = await derived(position)
          await api.act((ctx) =>
            recalculate(ctx, api.story.organization_id, position.employee_ids, { since: '2026-01-01' }),
          )
          const ids = state.enrollments.flatMap(({ id, answer: given }) => (given === 'enrolled' ? [String(id)] : []))
          expect(await api.act((ctx) => repriceElections(ctx, api.story.organization_id, ids))).toEqual([])
          expect(await derived(position), 'following it again changes nothing').toEqual(state)
          const [last] = (await api.get(pathOf(position), asOperator())).body.data
          states.push({ id: last!.id, state })
        }
        while (states.length > 1) {
          const { id } = states.pop()!
          const answer = await api.post(`${pathOf(position)}/${id}/withdraw`, { reason: 'Generated' }, asOperator())
          expect(answer.status, answer.text).toBe(200)
          await api.work()
          expect(await derived(position), 'after its withdrawal, all is as before').toEqual(states.at(-1)!.state)
        }
      }),
      { numRuns: caseCount(6, 6), seed: 20_260_310 },
    )
    expect(reported).toBeGreaterThan(8)
    expect(refused).toBeGreaterThan(0)
  },
)

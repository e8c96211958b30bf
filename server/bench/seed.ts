/** Fills a database in sets, past the service: what takes partners months has to be there in seconds. */
import pg from 'pg'
import { importCatalog } from '../modules/catalog/actions.ts'
import { CatalogRow } from '../modules/catalog/schemas.ts'
import { createEmployer } from '../modules/employers/actions.ts'
import { NewEmployer } from '../modules/employers/schemas.ts'
import { insertOrganization } from '../modules/organizations/queries.ts'
import { openPlanYear } from '../modules/plan-years/actions.ts'
import { NewPlanYear } from '../modules/plan-years/schemas.ts'
import { serviceCaller } from '../platform/caller.ts'
import type { Ctx } from '../platform/ctx.ts'
import { addDays, type Day } from '../kernel/days.ts'
import { openDatabase } from '../platform/database/database.ts'
import { newId } from '../kernel/ids.ts'
import { newSecretKeys } from '../platform/secrets.ts'
import { inOrganization, inTransaction, type Runtime } from '../platform/runtime.ts'
import { testRuntime } from '../test/runtime.ts'
import { later, type Service } from './stage.ts'

/** A runtime of our own over the database of a service, and a connection for what is plain SQL. */
export async function openBench({ database_url }: Service): Promise<{ runtime: Runtime; client: pg.Client }> {
  const database = openDatabase({ url: database_url })
  later(() => database.close())
  const client = new pg.Client({ connectionString: database_url })
  await client.connect()
  later(() => client.end())
  return { runtime: testRuntime(database, newSecretKeys(), Date.now), client }
}

/** Runs an action without the jobs that would follow: we do their work ourselves, where it is measured. */
export const withoutJobs = <T>(runtime: Runtime, organization_id: string, work: (ctx: Ctx) => Promise<T>): Promise<T> =>
  inOrganization(runtime, organization_id, (ctx) => work({ ...ctx, enqueue: async () => undefined }))

const plan = (said: object, premium_in_cents: number): CatalogRow[] =>
  ['EE', 'ES', 'EC', 'EF'].map((coverage_tier, at) =>
    CatalogRow.parse({
      ...said,
      coverage_tier,
      premium_in_cents: premium_in_cents * (at + 1),
      effective_on: '2020-01-01',
    }),
  )

const catalog = [
  ...plan({ carrier: 'Evergreen', product_code: 'MEC', benefit: 'Essential Care', plan: 'Base' }, 8_900),
  ...plan({ carrier: 'Brightside', product_code: 'VD', benefit: 'Dental', plan: 'PPO' }, 3_200),
]

let organizations = 0

/** Makes an organization and its catalog: medical and dental, each with a plan. */
export async function plantOrganization(runtime: Runtime): Promise<string> {
  const id = newId('org')
  const organization = {
    id,
    name: `Brokerage ${++organizations}`,
    type: null,
    idp_provider: 'service' as const,
    idp_org_id: id,
    super_in: false,
    sandbox: true,
  }
  await inTransaction(runtime, serviceCaller(id, 0), (ctx) => insertOrganization(ctx, organization))
  await withoutJobs(runtime, id, (ctx) => importCatalog(ctx, id, catalog))
  return id
}

/** An employer alone in its organization, and its plan year. */
export type Planted = { organization_id: string; employer_id: string; plan_year_id: string; plan_year_end: string }

/**
 * Makes an employer of so many people, and a plan year of medical and dental, of which half is over unless it is said
 * when it began.
 */
export async function plantEmployer(
  runtime: Runtime,
  client: pg.Client,
  employee_count: number,
  began_on?: Day,
): Promise<Planted> {
  const planted = await plantEmployers(runtime, client, { employers: 1, employee_count, began_on })
  return planted[0]!
}

/** The same of several employers of one organization. */
export async function plantEmployers(
  runtime: Runtime,
  client: pg.Client,
  { employers, employee_count, began_on }: { employers: number; employee_count: number; began_on?: Day | undefined },
): Promise<Planted[]> {
  const organization_id = await plantOrganization(runtime)
  const planted: Planted[] = []
  for (let number = 0; number < employers; number++)
    planted.push(await plantIn(runtime, client, organization_id, { number, employee_count, began_on }))
  return planted
}

function plantIn(
  runtime: Runtime,
  client: pg.Client,
  organization_id: string,
  { number, employee_count, began_on }: { number: number; employee_count: number; began_on?: Day | undefined },
): Promise<Planted> {
  return withoutJobs(runtime, organization_id, async (ctx) => {
    const employer_id = await createEmployer(ctx, organization_id, foundry(number))
    const { rows } = await client.query<{ benefit_id: string }>(
      'select id as benefit_id from benefit_products where organization_id = $1 order by category desc',
      [organization_id],
    )
    const employer = { employer_id, organization_id }
    const contribution_tiers = [{ method: 'percentage', percentage: 50 }]
    const coverage_start = began_on ?? addDays(ctx.today, -182)
    const benefits = rows.map(({ benefit_id }) => ({ benefit_id, contribution_tiers }))
    const plan_year_id = await openPlanYear(ctx, employer, NewPlanYear.parse({ coverage_start, benefits }))
    const most = (number + 1) * employee_count
    for (let first = number * employee_count + 1; first <= most; first += in_one_statement) {
      const last = Math.min(most, first + in_one_statement - 1)
      await ctx.db.rows(persons, [organization_id, first, last])
      await ctx.db.rows(roster, [organization_id, employer_id, ctx.today, first, last])
    }
    const [year] = await ctx.db.rows<{ coverage_end: string }>(
      'select coverage_end from benefit_plan_years where id = $1 and organization_id = $2',
      [plan_year_id, organization_id],
    )
    return { organization_id, employer_id, plan_year_id, plan_year_end: year!.coverage_end }
  })
}

const foundry = (number: number) =>
  NewEmployer.parse({
    name: `Foundry ${number}`,
    legal_name: `Foundry ${number} LLC`,
    ein: `45-${1_000_000 + number}`,
    email: `office${number}@foundry.example.com`,
    address: { address_line_1: '1 Post Rd', city: 'Albany', state: 'NY', zipcode: '12207' },
  })

/** So many people are written in a statement, since a statement has a minute. */
const in_one_statement = 10_000

/** SQL: people, numbered by their last name. */
const persons = `
  insert into members (id, organization_id, first_name, last_name, name_key, email, date_of_birth, state, created_at,
    updated_at, member_number)
  select new_id('mbr'), $1, 'Ana', 'Costa ' || number, 'ana|costa ' || number, 'ana.costa' || number || '@example.com',
         date '1960-01-01' + number % 14000, 'VA', now(), now(),
         (select member_count from organizations where id = $1) + row_number() over (order by number)
    from generate_series($2::int, $3::int) as number`

/**
 * SQL: employs those of these numbers, hired over three years until 40 days ago, so that no waiting period is over on
 * any of the next days. Four fifths Full Time, the rest Part Time; one in ten changed class after a month.
 */
const roster = `
  with people as materialized (
    select number, member_id, new_id('empl') as employee_id, $3::date - 40 - number * 7919 % 1055 as hired_on,
           case when number % 5 = 0 then 'Part Time' else 'Full Time' end as employee_class
      from (select id as member_id, substr(last_name, 7)::int as number
              from members where organization_id = $1) as member
     where number between $4::int and $5::int
  ), counted as (
    update employers set employee_count = employee_count + (select count(*) from people) where id = $2
      and organization_id = $1
  ), employed as (
    insert into employees (id, organization_id, employer_id, member_id, reference_id, hired_on, known_at, created_at,
      updated_at, roster_number)
    select employee_id, $1, $2, member_id, 'E-' || number, hired_on, now(), now(), now(), number from people
  )
  insert into employee_classifications (organization_id, employee_id, effective_on, employee_class, created_at)
  select $1, employee_id, hired_on, employee_class, now() from people
  union all
  select $1, employee_id, hired_on + 30, case employee_class when 'Part Time' then 'Full Time' else 'Part Time' end,
         now()
    from people where number % 50 in (3, 5, 13, 23, 33)`

/** Has everybody elect whatever they were granted, in tiers by turns. */
export async function plantElections(client: pg.Client, { organization_id }: Planted): Promise<void> {
  await client.query(
    `with chosen as (
       update enrollments set answer = 'enrolled', answered_at = now() where organization_id = $1
       returning id, plan_year_id, benefit_id,
                 (array['EE', 'ES', 'EC', 'EF'])[ascii(right(id, 1)) % 4 + 1] as coverage_tier)
     insert into elections (organization_id, enrollment_id, effective_on, plan_id, coverage_tier, tier_id,
       premium_in_cents,
                            employer_contribution_in_cents, employee_deduction_in_cents, elected_at)
     select $1, chosen.id, '-infinity', plan_id, coverage_tier, tier_id, premium_in_cents, least_contribution_in_cents,
            premium_in_cents - least_contribution_in_cents, now()
       from chosen join plan_year_rates as rate using (plan_year_id, benefit_id, coverage_tier)`,
    [organization_id],
  )
}

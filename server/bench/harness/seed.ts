/** Fills a database by SQL, without the service. This takes seconds for data that partners create over months. */
import type pg from 'pg'
import { createPolicy } from '../../modules/coverage/eligibility/actions.ts'
import { importCatalog } from '../../modules/directory/catalog/actions.ts'
import { CatalogRow } from '../../modules/directory/catalog/schemas.ts'
import { createEmployer } from '../../modules/directory/employers/actions.ts'
import { NewEmployer } from '../../modules/directory/employers/schemas.ts'
import { insertOrganization } from '../../modules/access/organizations/queries.ts'
import { openPlanYear } from '../../modules/coverage/plan-years/actions.ts'
import { NewPlanYear } from '../../modules/coverage/plan-years/schemas.ts'
import { serviceCaller } from '../../runtime/caller.ts'
import type { Ctx } from '../../runtime/ctx.ts'
import { addDays, easternDay, type Day } from '../../kernel/days.ts'
import { openDatabase } from '../../database/query/open-database.ts'
import { newId } from '../../kernel/ids.ts'
import { newSecretKeys } from '../../security/secrets.ts'
import { inOrganization, inTransaction, type Runtime } from '../../runtime/runtime.ts'
import { testRuntime } from '../../test/runtime.ts'
import { anEmployer } from './partner.ts'
import { connect, later, type Service } from './service.ts'

/** Opens a runtime on the database of a service, and a superuser's connection. */
export async function openBench({ database_url, env }: Service): Promise<{ runtime: Runtime; client: pg.Client }> {
  const database = openDatabase({ url: env.DATABASE_URL! })
  later(() => database.close())
  return { runtime: testRuntime(database, newSecretKeys(), Date.now), client: await connect(database_url) }
}

/** Runs an action and drops its jobs. */
export const withoutJobs = <T>(runtime: Runtime, organization_id: string, work: (ctx: Ctx) => Promise<T>): Promise<T> =>
  inOrganization(runtime, organization_id, (ctx) => work({ ...ctx, enqueue: async () => undefined }))

/** Creates an eligibility policy, with the usual waiting period unless another is given. */
export const seedPolicy = (
  runtime: Runtime,
  employer: Seeded,
  classification: 'full_time' | 'all',
  waiting_period: 'first_of_following_month' | 'none' = 'first_of_following_month',
) =>
  withoutJobs(runtime, employer.organization_id, (ctx) =>
    createPolicy(ctx, employer, { classification, waiting_period }),
  )

const plan = (input: object, premium_in_cents: number): CatalogRow[] =>
  ['EE', 'ES', 'EC', 'EF'].map((coverage_tier, at) =>
    CatalogRow.parse({
      ...input,
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

/** Creates an organization with a catalog: medical and dental, each with a plan. */
async function seedOrganization(runtime: Runtime): Promise<string> {
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

export type Seeded = { organization_id: string; employer_id: string; plan_year_id: string }

/** Creates an organization with one employer and its employees. The plan year is half over. */
export async function seedEmployer(runtime: Runtime, client: pg.Client, employee_count: number): Promise<Seeded> {
  const [seeded] = await seedEmployers(runtime, client, { employers: 1, employee_count })
  return seeded!
}

/** Creates an organization with several employers, each with the same number of employees. */
export async function seedEmployers(
  runtime: Runtime,
  client: pg.Client,
  { employers, employee_count, began_on }: { employers: number; employee_count: number; began_on?: Day },
): Promise<Seeded[]> {
  const seeded = await seedPlanYears(runtime, employers, began_on)
  await inBulk(client, async () => {
    for (const [number, employer] of seeded.entries())
      await seedPeople(client, employer, { first: number * employee_count + 1, count: employee_count })
  })
  return seeded
}

/**
 * Creates an organization with several employers, each with a plan year and no employees. The plan year is half over
 * unless `began_on` is set.
 */
export async function seedPlanYears(runtime: Runtime, employers: number, began_on?: Day): Promise<Seeded[]> {
  const organization_id = await seedOrganization(runtime)
  const seeded: Seeded[] = []
  for (let number = 0; number < employers; number++)
    seeded.push(await seedPlanYear(runtime, organization_id, number, began_on))
  return seeded
}

/** Adds `count` employers to the book of an organization. One in 20 is cancelled. */
export async function seedBook(client: pg.Client, organization_id: string, count: number): Promise<void> {
  await client.query(
    `insert into employers (id, organization_id, name, legal_name, ein_sealed, ein_hash, ein_last_four, email,
       address_line_1, city, state, zipcode, created_at, updated_at, subscription_ended_on)
     select new_id('empr'), $1, 'Mill ' || number, 'Mill ' || number || ' LLC', '', sha256(number::text::bytea), '0000',
            'mill' || number || '@example.com', '1 Post Rd', 'Albany', 'NY', '12207',
            now() - ($2::int - number) * interval '1 second', now(),
            case when number % 20 = 0 then current_date - 10 end
       from generate_series(1, $2::int) as number`,
    [organization_id, count],
  )
}

/** Inserts without triggers and foreign keys. */
export async function inBulk(client: pg.Client, work: () => Promise<void>): Promise<void> {
  await client.query('set session_replication_role = replica')
  await work()
  await client.query('set session_replication_role = origin')
}

/** Employs people numbered from `first`. `with_terminated`: every tenth of them has left. */
export async function seedPeople(
  client: pg.Client,
  { organization_id, employer_id }: Seeded,
  { first, count, with_terminated = false }: { first: number; count: number; with_terminated?: boolean },
): Promise<void> {
  const today = easternDay(Date.now())
  await client.query(people, [organization_id, employer_id, today, first, first + count - 1, with_terminated])
}

/** An employer without people, and a plan year of all benefits of the catalog. */
const seedPlanYear = (
  runtime: Runtime,
  organization_id: string,
  number: number,
  began_on: Day | undefined,
): Promise<Seeded> =>
  withoutJobs(runtime, organization_id, async (ctx) => {
    const employer_id = await createEmployer(ctx, organization_id, NewEmployer.parse(anEmployer(number)))
    const offered = await ctx.db.rows<{ benefit_id: string }>(
      'select id as benefit_id from benefit_products where organization_id = $1 order by category desc',
      [organization_id],
    )
    const employer = { employer_id, organization_id }
    const contribution_tiers = [{ method: 'percentage', percentage: 50 }]
    const coverage_start = began_on ?? addDays(ctx.today, -182)
    const benefits = offered.map(({ benefit_id }) => ({ benefit_id, contribution_tiers }))
    const plan_year_id = await openPlanYear(ctx, employer, NewPlanYear.parse({ coverage_start, benefits }))
    return { organization_id, employer_id, plan_year_id }
  })

/**
 * SQL: employs people numbered by their last names, hired over three years until 40 days ago, so that no waiting period
 * ends within the next days. Four fifths are Full Time, the rest Part Time; one in ten changed class after a month. One
 * in 1,000 has a rare name. Writes the columns that triggers would write.
 */
const people = `
  with people as materialized (
    select number, new_id('mbr') as member_id, new_id('empl') as employee_id, 'ana|' || lower(last_name) as name_key,
           last_name, case when $6 and number % 10 = 0 then $3::date - 5 - number % 35 end as terminated_on,
           'ana.costa' || number || '@example.com' as email,
           $3::date - 40 - (number::bigint * 7919 % 1055)::int as hired_on,
           case when number % 5 = 0 then 'Part Time' else 'Full Time' end as employee_class
      from generate_series($4::int, $5::int) as number
     cross join lateral (
       select 'Costa ' || number || case when number % 1000 = 0 then ' Quux' else '' end as last_name) as named
  ), known as (
    insert into members (id, organization_id, first_name, last_name, name_key, email, date_of_birth, state, created_at,
      updated_at)
    select member_id, $1, 'Ana', last_name, name_key, email, date '1960-01-01' + number % 14000, 'VA',
           timestamptz '2020-01-01' + number * interval '1 second', now()
      from people
  ), counted as (
    insert into organization_counts as counted (organization_id, slot, member_count) values ($1, 0, $5 - $4 + 1)
    on conflict (organization_id, slot) do update set member_count = counted.member_count + excluded.member_count
  ), employing as (
    update employers set employee_count = $5 - $4 + 1 where id = $2 and organization_id = $1
  ), employed as (
    insert into employees (id, organization_id, employer_id, member_id, reference_id, hired_on, terminated_on, known_at,
      deactivated_at, created_at, updated_at, roster_number, report_hash, search_key)
    select employee_id, $1, $2, member_id, 'E-' || number, hired_on, terminated_on, now(),
           case when terminated_on is not null then now() end, now(), now(), number - $4 + 1, employee_id,
           search_key(name_key, email)
      from people
  ), ended as (
    insert into roster_terminations (organization_id, employer_id, terminated_on, employee_count)
    select $1, $2, terminated_on, count(*) from people where terminated_on is not null group by terminated_on
  )
  insert into employee_classifications (organization_id, employee_id, effective_on, employee_class, created_at)
  select $1, employee_id, hired_on, employee_class, now() from people
  union all
  select $1, employee_id, hired_on + 30, case employee_class when 'Part Time' then 'Full Time' else 'Part Time' end,
         now()
    from people where number % 50 in (3, 5, 13, 23, 33)`

/** Elects every pending enrollment of an organization, with each tier in turn. */
export async function seedElections(client: pg.Client, { organization_id }: Seeded): Promise<void> {
  await client.query(
    `with chosen as (
       update enrollments
          set answer = 'enrolled', answered_at = now(),
              counted_as = case when counted_as is not null then 'enrolled' end
        where organization_id = $1 and answer is null
       returning id, plan_year_id, benefit_id,
                 (array['EE', 'ES', 'EC', 'EF'])[ascii(right(id, 1)) % 4 + 1] as coverage_tier
     ), years as (
       update benefit_plan_years set enrolled_count = eligible_count where organization_id = $1
     ), benefits as (
       update plan_year_benefits set enrolled_count = eligible_count where organization_id = $1)
     insert into elections (organization_id, enrollment_id, effective_on, plan_id, coverage_tier, tier_id,
       premium_in_cents,
                            employer_contribution_in_cents, employee_deduction_in_cents, elected_at)
     select $1, chosen.id, '-infinity', plan_id, coverage_tier, tier_id, premium_in_cents, min_contribution_in_cents,
            premium_in_cents - min_contribution_in_cents, now()
       from chosen join plan_year_rates as rate using (plan_year_id, benefit_id, coverage_tier)`,
    [organization_id],
  )
}

/** Fills a database in sets, past the service: what takes partners months has to be there in seconds. */
import pg from 'pg'
import { importCatalog } from '../modules/directory/catalog/actions.ts'
import { CatalogRow } from '../modules/directory/catalog/schemas.ts'
import { createEmployer } from '../modules/directory/employers/actions.ts'
import { NewEmployer } from '../modules/directory/employers/schemas.ts'
import { insertOrganization } from '../modules/access/organizations/queries.ts'
import { openPlanYear } from '../modules/coverage/plan-years/actions.ts'
import { NewPlanYear } from '../modules/coverage/plan-years/schemas.ts'
import { serviceCaller } from '../runtime/caller.ts'
import type { Ctx } from '../runtime/ctx.ts'
import { addDays, easternDay, type Day } from '../kernel/days.ts'
import { openDatabase } from '../database/query/database.ts'
import { newId } from '../kernel/ids.ts'
import { newSecretKeys } from '../security/secrets.ts'
import { inOrganization, inTransaction, type Runtime } from '../runtime/runtime.ts'
import { testRuntime } from '../test/runtime.ts'
import { later, type Service } from './stage.ts'

/**
 * A runtime of our own over the database of a service, as it asks, and a superuser's connection for what is plain SQL.
 */
export async function openBench({ database_url, env }: Service): Promise<{ runtime: Runtime; client: pg.Client }> {
  const database = openDatabase({ url: env.DATABASE_URL! })
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
    planted.push(await plantYear(runtime, organization_id, { number, began_on }))
  await client.query('set session_replication_role = replica')
  const putBack = await takeIndexes(client)
  for (const [number, { employer_id }] of planted.entries()) {
    const first = number * employee_count + 1
    const today = easternDay(runtime.clock())
    await client.query(people, [organization_id, employer_id, today, first, first + employee_count - 1])
  }
  await putBack()
  await client.query('set session_replication_role = origin')
  return planted
}

/** An employer without people, and a plan year of all benefits of the catalog. */
const plantYear = (
  runtime: Runtime,
  organization_id: string,
  { number, began_on }: { number: number; began_on?: Day | undefined },
): Promise<Planted> =>
  withoutJobs(runtime, organization_id, async (ctx) => {
    const employer_id = await createEmployer(ctx, organization_id, foundry(number))
    const offered = await ctx.db.rows<{ benefit_id: string }>(
      'select id as benefit_id from benefit_products where organization_id = $1 order by category desc',
      [organization_id],
    )
    const employer = { employer_id, organization_id }
    const contribution_tiers = [{ method: 'percentage', percentage: 50 }]
    const coverage_start = began_on ?? addDays(ctx.today, -182)
    const benefits = offered.map(({ benefit_id }) => ({ benefit_id, contribution_tiers }))
    const plan_year_id = await openPlanYear(ctx, employer, NewPlanYear.parse({ coverage_start, benefits }))
    const year = await ctx.db.row<{ coverage_end: string }>(
      'select coverage_end from benefit_plan_years where id = $1 and organization_id = $2',
      [plan_year_id, organization_id],
    )
    return { organization_id, employer_id, plan_year_id, plan_year_end: year!.coverage_end }
  })

const foundry = (number: number) =>
  NewEmployer.parse({
    name: `Foundry ${number}`,
    legal_name: `Foundry ${number} LLC`,
    ein: `45-${1_000_000 + number}`,
    email: `office${number}@foundry.example.com`,
    address: { address_line_1: '1 Post Rd', city: 'Albany', state: 'NY', zipcode: '12207' },
  })

/** Tables of which somebody has a row or more. */
const crowded = ['members', 'employees', 'enrollments', 'elections', 'webhook_events']

/**
 * Takes the indexes of large tables away, but those that tell rows apart, until they are put back: they are made in a
 * fraction of the time once everybody is there.
 */
export async function takeIndexes(client: pg.Client): Promise<() => Promise<void>> {
  const { rows } = await client.query<{ take: string; put: string }>(
    `select case when bound.conname is null then 'drop index ' || indexrelid::regclass
                 else format('alter table %s drop constraint %I', indrelid::regclass, bound.conname) end as take,
            case when bound.conname is null then replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ')
                 else format('alter table %s add constraint %I %s', indrelid::regclass, bound.conname,
                             pg_get_constraintdef(bound.oid)) end as put
       from pg_index left join pg_constraint as bound on bound.conindid = indexrelid
        and bound.conrelid = indrelid
      where indrelid = any($1::regclass[]) and coalesce(bound.contype = 'x', true)`,
    [crowded],
  )
  for (const { take } of rows) await client.query(take)
  return async () => {
    for (const { put } of rows) await client.query(put)
  }
}

/**
 * SQL: people, numbered by their last name, and employs them, hired over three years until 40 days ago, so that no
 * waiting period is over on any of the next days. Four fifths Full Time, the rest Part Time; one in ten changed class
 * after a month. What triggers would note is written along.
 */
const people = `
  with people as materialized (
    select number, new_id('mbr') as member_id, new_id('empl') as employee_id, 'ana|costa ' || number as name_key,
           'ana.costa' || number || '@example.com' as email, $3::date - 40 - number * 7919 % 1055 as hired_on,
           case when number % 5 = 0 then 'Part Time' else 'Full Time' end as employee_class
      from generate_series($4::int, $5::int) as number
  ), known as (
    insert into members (id, organization_id, first_name, last_name, name_key, email, date_of_birth, state, created_at,
      updated_at, member_number)
    select member_id, $1, 'Ana', 'Costa ' || number, name_key, email, date '1960-01-01' + number % 14000, 'VA', now(),
           now(), number
      from people
  ), counted as (
    update organizations set member_count = $5 where id = $1
  ), employing as (
    update employers set employee_count = $5 - $4 + 1 where id = $2 and organization_id = $1
  ), employed as (
    insert into employees (id, organization_id, employer_id, member_id, reference_id, hired_on, known_at, created_at,
      updated_at, roster_number, search_key)
    select employee_id, $1, $2, member_id, 'E-' || number, hired_on, now(), now(), now(), number - $4 + 1,
           search_key(name_key, email)
      from people
  )
  insert into employee_classifications (organization_id, employee_id, effective_on, employee_class, created_at)
  select $1, employee_id, hired_on, employee_class, now() from people
  union all
  select $1, employee_id, hired_on + 30, case employee_class when 'Part Time' then 'Full Time' else 'Part Time' end,
         now()
    from people where number % 50 in (3, 5, 13, 23, 33)`

/** Has everybody elect whatever they were granted and have not answered, in tiers by turns. */
export async function plantElections(client: pg.Client, { organization_id }: Planted): Promise<void> {
  await client.query(
    `with chosen as (
       update enrollments
          set answer = 'enrolled', answered_at = now(), counted = case when counted is not null then 'enrolled' end
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
     select $1, chosen.id, '-infinity', plan_id, coverage_tier, tier_id, premium_in_cents, least_contribution_in_cents,
            premium_in_cents - least_contribution_in_cents, now()
       from chosen join plan_year_rates as rate using (plan_year_id, benefit_id, coverage_tier)`,
    [organization_id],
  )
}

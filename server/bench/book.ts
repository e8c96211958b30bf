import type { ChildProcess } from 'node:child_process'
import type pg from 'pg'
import { addDays, easternDay } from '../kernel/days.ts'
import { line, ratios } from './figures.ts'
import type { Load, Loaded } from './load.ts'
import { askAgain, createEmployer } from './partner.ts'
import { openBench } from './seed.ts'
import { sized } from './sizes.ts'
import { answerOf, startHelper, startService, type Options, type Service } from './stage.ts'

const large = sized(10_000, 200)
const small = sized(1000, 100)
/** Besides the organization asked as, there are so many others with as many employers in all. */
const other_organizations = 100
/** There are many figures, so each is taken in a second, however long rounds else are. */
const seconds = sized(1, 0.05)

/** What is asked of the book; the first employer is searched for by all that it is known by. */
const questions = (employer_id: string): Record<string, string> => ({
  'the whole book': '',
  'page 50': 'page=50',
  'with the cancelled': 'include_cancelled=true',
  'benefit_family=dental': 'benefit_family=dental',
  ...Object.fromEntries(
    ['onboarding', 'open_enrollment', 'active', 'renewal', 'cancelled'].map((stage) => [
      stage,
      `benefit_lifecycle_stage=${stage}`,
    ]),
  ),
  'hris_status=active': 'hris_status=active',
  'hris_provider=gusto': 'hris_provider=gusto',
  'search by part of a name': 'search=foundry%2077',
  'search by two letters': 'search=77',
  'search by three letters of all': 'search=llc',
  'search by EIN': 'search=12-3000001',
  'search by e-mail': 'search=office1%40bakery.example.com',
  'search by id': `search=${employer_id}`,
})

/**
 * Requests per second of a page of 20 of the employer book: as an organization of 10,000 employers among 20,000 and as
 * one of 1000 among 2000, each in a service of its own, in turns; and as a caller who sees all of them. The ratio tells
 * what ten times the employers cost. With `--size` instead: the milliseconds of each as who sees all, among so many.
 */
export async function book({ rounds, size }: Options): Promise<void> {
  if (size !== undefined) return bookOfAll(rounds, size)
  const sides = [await openSide(large), await openSide(small)]
  const loader = startHelper('load.ts')
  const askers = { 'one organization': 'api_key', 'all organizations': 'super_api_key' } as const
  for (const [asker, key] of Object.entries(askers)) {
    for (const name of Object.keys(questions(''))) {
      const rates: number[][] = sides.map(() => [])
      for (let round = -1; round < rounds; round++) {
        for (const [at, { service, asked }] of sides.entries()) {
          const rate = await rateOf(loader, service.sandbox[key], service, `/v1/employers?${asked[name]}`)
          if (round >= 0) rates[at]!.push(rate)
        }
      }
      console.log(`  ${name}, ${asker}`)
      console.log(line('10,000', rates[0]!, 'requests/s'))
      console.log(line('1,000', rates[1]!, 'requests/s'))
      console.log(line('ratio', ratios(rates[0]!, rates[1]!)))
    }
  }
}

/** Milliseconds of the same questions of one who reaches all organizations, among so many employers of 101 of them. */
async function bookOfAll(rounds: number, size: number): Promise<void> {
  const { service, asked } = await openSide(size / 2)
  const taken = new Map<string, number[]>()
  for (let round = -1; round < rounds; round++)
    for (const [name, query] of Object.entries(asked)) {
      const milliseconds = await askAgain(service, { path: `/v1/employers?${query}` })
      if (round >= 0) taken.set(name, [...(taken.get(name) ?? []), milliseconds])
    }
  for (const [name, milliseconds] of taken) console.log(line(name, milliseconds, 'ms'))
}

async function rateOf(loader: ChildProcess, key: string, service: Service, path: string): Promise<number> {
  const loaded = answerOf<Loaded>(loader)
  loader.send({
    url: service.sandbox.base_url,
    paths: [path],
    authorization: `Bearer ${key}`,
    seconds,
  } satisfies Load)
  const { answered, seconds: taken } = await loaded
  return answered / taken
}

type Side = { service: Service; asked: Record<string, string> }

async function openSide(employer_count: number): Promise<Side> {
  const service = await startService()
  const { client } = await openBench(service)
  const employer_id = await createEmployer(service)
  // Past triggers and foreign keys, which ask for each row: what they would note is written along.
  await client.query('set session_replication_role = replica')
  await plantBook(client, [service.sandbox.organization_id], employer_count - 1)
  const { rows } = await client.query<{ id: string }>(
    `insert into organizations (id, name, idp_provider, sandbox, created_at, updated_at)
     select new_id('org'), 'Brokerage ' || number, 'service', true, now(), now()
       from generate_series(1, $1::int) as number
     returning id`,
    [other_organizations],
  )
  const others = rows.map(({ id }) => id)
  await plantBook(client, others, employer_count / other_organizations)
  await client.query('set session_replication_role = origin')
  await client.query('vacuum analyze')
  return { service, asked: questions(employer_id) }
}

/** Adds so many employers to the book of each organization: in every stage, most with plan years and people. */
export async function plantBook(client: pg.Client, organization_ids: string[], employer_count: number): Promise<void> {
  const today = easternDay(Date.now())
  const values = [organization_ids, employer_count]
  await client.query(
    `insert into benefit_products (id, organization_id, product_code, category, name, created_at, updated_at)
     select new_id('bprd'), organization_id, code, category, 'Offer of ' || code, now(), now()
       from unnest($1::text[]) as organization_id
      cross join (values ('MEC', 'Medical'), ('ICHRA', 'Medical'), ('VD', 'Dental'), ('VV', 'Vision'))
            as product (code, category)
     on conflict do nothing`,
    [organization_ids],
  )
  await client.query(employers, [...values, addDays(today, -40)])
  await client.query(
    `update organizations set employer_count = (select count(*) from employers
        where organization_id = organizations.id) where id = any($1)`,
    [organization_ids],
  )
  await client.query(connections, [organization_ids])
  await client.query(planYears, [organization_ids, today])
  await client.query(
    `insert into plan_year_benefits (organization_id, plan_year_id, benefit_id, position, starts_on,
        employer_id, during)
     select year.organization_id, year.id, product.id, row_number() over (partition by year.id order by product.id),
       year.coverage_start,
       year.employer_id, daterange(year.coverage_start, year.coverage_end, '[]')
       from benefit_plan_years as year
       join benefit_products as product on product.organization_id = year.organization_id
         and product.name like 'Offer of %'
      where year.organization_id = any($1) and (ascii(right(year.id, 1)) + ascii(right(product.id, 1))) % 2 = 0
     on conflict do nothing`,
    [organization_ids],
  )
  await client.query(
    `insert into plan_year_contributions
     select organization_id, plan_year_id, benefit_id, '-infinity', 'infinity',
            '{"contribution_tiers": [], "ichra_contribution_classes": []}'
       from plan_year_benefits where organization_id = any($1)
     on conflict do nothing`,
    [organization_ids],
  )
  await client.query(
    `insert into employer_benefits
     select benefits.* from employers as employer
      cross join lateral employer_benefits_on(employer.id, employer.organization_id, $2) as benefits
      where employer.organization_id = any($1)
     on conflict do nothing`,
    [organization_ids, today],
  )
  await client.query(entries, [organization_ids, today])
  // What a trigger counts, where there are any.
  await client.query(
    `insert into book_counts (organization_id, kind, employer_count)
     select organization_id, kind, count(*) from book_entries where organization_id = any($1) group by 1, 2
     on conflict (organization_id, kind) do update set employer_count = excluded.employer_count`,
    [organization_ids],
  )
}

/** SQL: the entries of the book, in place of those that a trigger made of new employers. */
const entries = `
  insert into book_entries (employer_id, organization_id, created_at, stage, families, provider, hris_status,
    holds_from, holds_until)
  select entry.* from employers as employer
   cross join lateral book_entry_on(employer.id, employer.organization_id, $2) as entry
   where employer.organization_id = any($1)
  on conflict (employer_id, organization_id) do update
    set stage = excluded.stage, families = excluded.families, provider = excluded.provider,
        hris_status = excluded.hris_status, holds_from = excluded.holds_from, holds_until = excluded.holds_until`

/** SQL: one in twenty is cancelled since $3. */
const employers = `
  with made as (
    insert into employers (id, organization_id, name, legal_name, ein_sealed, ein_hash, ein_last_four, email,
      phone_number, address_line_1, city,
                           state, zipcode, employee_count, subscription_ended_on, created_at, updated_at)
    select new_id('empr'), organization_id, 'Foundry ' || number, 'Foundry ' || number || ' LLC', '',
      sha256(number::text::bytea),
           lpad((number % 10000)::text, 4, '0'), 'office' || number || '@foundry.example.com',
             '5' || lpad(number::text, 9, '0'),
           number || ' Post Rd', 'Albany', 'NY', '12207', number % 200, case when number % 20 = 0 then $3::date end,
           now() - number * interval '1 hour', now()
      from unnest($1::text[]) as organization_id cross join generate_series(1, $2::int) as number
    returning id, organization_id, email, created_at)
  insert into employer_admins (id, organization_id, employer_id, email, created_at)
  select new_id('eadm'), organization_id, id, email, created_at from made`

/** SQL: plan years that began between 13 months ago and now, or are to begin, some with an open enrollment. */
const planYears = `
  insert into benefit_plan_years (id, organization_id, employer_id, year, coverage_start, coverage_end,
    open_enrollment_start, open_enrollment_end,
                                  eligible_count, enrolled_count, created_at, updated_at)
  select new_id('plyr'), organization_id, id, extract(year from starts_on), starts_on, starts_on + 364,
         case when elects then starts_on - 60 end, case when elects then starts_on + 30 end,
         employee_count, employee_count / 3, now(), now()
    from (select *, $2::date + 45 - (employee_count * 37 % 440)::int as starts_on, employee_count % 3 = 0 as elects
            from employers where organization_id = any($1) and employee_count % 10 < 8) as employer
   where not exists (select from benefit_plan_years as year where year.employer_id = employer.id
     and year.organization_id = employer.organization_id)`

/** SQL: three of four are connected, one in four of those to Gusto; most are active. */
const connections = `
  insert into hris_connections (id, organization_id, employer_id, source, provider, provider_label, connected_at,
    paused_at, last_synced_at,
                                synced_row_count, created_at, updated_at)
  select new_id('hris'), organization_id, id, 'csv', case when employee_count % 16 < 4 then 'gusto' else 'adp' end,
    'Payroll', now(),
         case when employee_count % 10 = 1 then now() end, case when employee_count % 10 > 2 then now() end,
           employee_count, now(), now()
    from employers where organization_id = any($1) and employee_count % 4 < 3
  on conflict do nothing`

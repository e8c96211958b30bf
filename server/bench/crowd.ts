/** A service that has outgrown its beginnings, filled in sets: many organizations and employers, and a crowd. */
import type pg from 'pg'
import { addDays, easternDay } from '../kernel/days.ts'
import { compile } from '../database/sql/statement.ts'
import { plantBook } from './book.ts'
import { takeIndexes } from './seed.ts'

/** How many, and which share of the people is employed by the first employer of the first organization. */
export type CrowdSize = { people: number; employers: number; organizations: number; largest_share: number }

/** The large employer of a crowd, its plan year and its organization, and one of the others. */
export type Crowd = {
  organization_id: string
  employer_id: string
  plan_year_id: string
  other: { organization_id: string; employer_id: string; plan_year_id: string }
}

let crowds = 0

/**
 * Plants organizations of equally many employers, with plan years, people who are employed, eligible and enrolled,
 * groups, life events, connections, subscriptions, events and invoices, as superuser, past triggers and foreign keys:
 * what those would note is written along. Ends with what autovacuum would do soon.
 */
export async function plantCrowd(client: pg.Client, size: CrowdSize): Promise<Crowd> {
  const crowd = ++crowds
  const today = easternDay(Date.now())
  await client.query(
    `set session_replication_role = replica; set work_mem = '256MB'; set maintenance_work_mem = '256MB'`,
  )
  const { rows } = await client.query<{ id: string }>(
    `insert into organizations (id, name, idp_provider, sandbox, created_at, updated_at)
     select new_id('org'), 'Brokerage ' || $1 || '-' || number, 'service', true, now(), now()
       from generate_series(1, $2::int) as number returning id`,
    [crowd, size.organizations],
  )
  const organization_ids = rows.map(({ id }) => id)
  await plantBook(client, organization_ids, Math.ceil(size.employers / size.organizations))
  await client.query('analyze')
  await client.query(`drop table if exists places, placed; ${makeIds}`)
  await client.query(places, [organization_ids])
  await client.query('analyze places')
  await client.query(placed, [size.people, Math.floor(size.people * size.largest_share)])
  await client.query('analyze placed')
  const values = { organization_ids, today, people: size.people, hired_until: addDays(today, -100) }
  const putBack = await takeIndexes(client)
  for (const step of steps) {
    const { text, parameters } = compile(step)
    await client.query(
      text,
      parameters.map((name) => values[name as keyof typeof values]),
    )
  }
  await putBack()
  await client.query(`set session_replication_role = origin; reset work_mem; reset maintenance_work_mem`)
  await client.query('vacuum analyze')
  return findCrowd(client, organization_ids)
}

async function findCrowd(client: pg.Client, organization_ids: string[]): Promise<Crowd> {
  const { rows } = await client.query<Crowd['other']>(
    `select year.organization_id, year.employer_id, year.id as plan_year_id
       from benefit_plan_years as year
       join employers as employer on employer.id = year.employer_id and employer.organization_id = year.organization_id
      where year.organization_id = any($1) and year.enrollment_count > 0
      order by employer.employee_count desc, employer.id`,
    [organization_ids],
  )
  return { ...rows[0]!, other: rows.at(-1)! }
}

/** SQL: ids that sort as they were made, much quicker than `new_id` makes them. */
const makeIds = `
  create sequence if not exists pg_temp.made;
  create or replace function pg_temp.made_id(prefix text) returns text volatile language sql as
    $$ select prefix || '_0' || lpad(nextval('pg_temp.made')::text, 25, '0') $$`

/** SQL: who employs, in the order of their size: the employers with a plan year that are not cancelled. */
const places = `
  create temp table places as
  select employer.id as employer_id, employer.organization_id, year.id as plan_year_id, year.coverage_start,
         row_number() over (order by employer.created_at desc, employer.id)::int as place
    from employers as employer
    join benefit_plan_years as year
      on year.employer_id = employer.id and year.organization_id = employer.organization_id
   where employer.organization_id = any($1) and employer.subscription_ended_on is null`

/**
 * SQL: where everybody is employed: so many at the first place, and the rest at the others in turns, all with names of
 * syllables, of which some are frequent and some are rare.
 */
const placed = `
  create temp table placed as
  select person.number, places.organization_id, places.employer_id, places.plan_year_id, places.coverage_start,
         pg_temp.made_id('mbr') as member_id, pg_temp.made_id('empl') as employee_id,
         (array['Ana', 'Bea', 'Carl', 'Dora', 'Emil', 'Faye', 'Gus', 'Hana', 'Ivo', 'Jane', 'Karl', 'Lena', 'Max'])
           [1 + person.number % 13] as first_name,
         (array['Bar', 'Cos', 'Del', 'Fer', 'Gar', 'Hol', 'Jor', 'Kel', 'Lam', 'Mar', 'Nov', 'Ost', 'Per', 'Quin',
                'Ros', 'San', 'Tor'])[1 + person.number * 7 % 17]
           || (array['an', 'bert', 'col', 'dez', 'el', 'fin', 'gan', 'hart', 'in'])[1 + person.number / 17 % 9]
           || (array['a', 'er', 'io', 'o', 'son', 'ski', 'ti'])[1 + person.number / 153 % 7]
           || case when person.number % 1000 = 0 then 'quux' else '' end as last_name
    from (select number, case when number <= $2::int then 1
                              else 2 + number % ((select max(place) from places) - 1) end as place
            from generate_series(1, $1::int) as number) as person
    join places using (place)`

/** SQL, one after the other: what stands in each table, once everybody has their place. */
const steps = [
  `insert into carriers (id, organization_id, name, created_at, updated_at)
   select pg_temp.made_id('carr'), id, 'Evergreen', now(), now() from unnest(:organization_ids::text[]) as id`,
  `insert into plans (id, organization_id, benefit_id, carrier_id, name, created_at, updated_at)
   select pg_temp.made_id('pln'), product.organization_id, product.id, carrier.id, 'Plan ' || number, now(), now()
     from benefit_products as product
     join carriers as carrier on carrier.organization_id = product.organization_id
    cross join generate_series(1, 2) as number
    where product.organization_id = any(:organization_ids)`,
  `insert into plan_tier_rates (id, organization_id, plan_id, coverage_tier, effective_on, premium_in_cents, created_at)
   select pg_temp.made_id('tier'), organization_id, id, tier, '2020-01-01', 10000, now()
     from plans cross join unnest(array['EE', 'ES', 'EC', 'EF']) as tier
    where organization_id = any(:organization_ids)`,
  `insert into plan_year_rates (organization_id, plan_year_id, benefit_id, plan_id, coverage_tier, tier_id,
     premium_in_cents, least_contribution_in_cents, most_contribution_in_cents, effective_on, until)
   select offer.organization_id, offer.plan_year_id, offer.benefit_id, plan.id, rate.coverage_tier, rate.id, 10000,
          5000, 5000, '-infinity', 'infinity'
     from plan_year_benefits as offer
     join plans as plan on plan.benefit_id = offer.benefit_id and plan.organization_id = offer.organization_id
     join plan_tier_rates as rate on rate.plan_id = plan.id and rate.organization_id = plan.organization_id
    where offer.organization_id = any(:organization_ids)`,
  `insert into employer_subscriptions (id, organization_id, employer_id, started_on, created_at)
   select pg_temp.made_id('sub'), organization_id, id, '2020-01-01', created_at from employers
    where organization_id = any(:organization_ids) and subscription_ended_on is null`,
  `insert into benefit_eligibility_policies (id, organization_id, employer_id, classification, waiting_period,
     employee_classes, effective_on, created_at, updated_at)
   select pg_temp.made_id('epol'), organization_id, id, 'full_time', 'first_of_following_month', '{Full Time}',
          '2020-01-01', now(), now()
     from employers where organization_id = any(:organization_ids)`,
  `insert into members (id, organization_id, first_name, last_name, name_key, email, phone, date_of_birth, gender,
     address_line_1, city, state, zipcode, created_at, updated_at, member_number)
   select member_id, organization_id, first_name, last_name, lower(first_name || '|' || last_name),
          lower(first_name || '.' || last_name || number) || '@example.com', lpad(number::text, 10, '2'),
          date '1960-01-01' + number % 14000, 'Female', number || ' Boxwood Ln', 'Arlington', 'VA', '22201',
          now() - number * interval '1 second', now(),
          row_number() over (partition by organization_id order by number desc)
     from placed`,
  `insert into employees (id, organization_id, employer_id, member_id, reference_id, hired_on, terminated_on, known_at,
     deactivated_at, created_at, updated_at, roster_number, search_key)
   select employee_id, organization_id, employer_id, member_id, 'E-' || number, :hired_until::date - number % 1000,
          case when number % 10 = 0 then :hired_until::date end, now(), case when number % 10 = 0 then now() end,
          now() - number * interval '1 second', now(),
          row_number() over (partition by employer_id order by number desc),
          search_key(lower(first_name || '|' || last_name),
                     lower(first_name || '.' || last_name || number) || '@example.com')
     from placed`,
  `insert into employee_classifications (organization_id, employee_id, effective_on, employee_class, created_at)
   select organization_id, employee_id, :hired_until::date - number % 1000,
          case when number % 5 = 0 then 'Part Time' else 'Full Time' end, now()
     from placed`,
  `insert into employee_compensations (organization_id, employee_id, effective_on, compensation_type, created_at)
   select organization_id, employee_id, :hired_until::date - number % 1000, 'Salary', now() from placed`,
  `insert into employee_eligibilities (organization_id, employer_id, employee_id, anchored_on, waited_on, policy_id,
     known_on)
   select placed.organization_id, placed.employer_id, employee_id, :hired_until::date - number % 1000,
          :hired_until::date - number % 1000 + 30, policy.id, :hired_until
     from placed
     join benefit_eligibility_policies as policy
       on policy.employer_id = placed.employer_id and policy.organization_id = placed.organization_id
    where number % 5 > 0`,
  `insert into eligibility_standings (organization_id, employer_id, employee_id, eligible)
   select organization_id, employer_id, employee_id, true from placed where number % 5 > 0`,
  `insert into enrollments (id, organization_id, employer_id, employee_id, plan_year_id, benefit_id, anchored_on,
     granted_on, window_ends_on, coverage_start, answer, answered_at, counted, created_at, updated_at)
   select pg_temp.made_id('enrl'), placed.organization_id, placed.employer_id, employee_id, placed.plan_year_id,
          offer.benefit_id, :hired_until::date - number % 1000, placed.coverage_start, :today::date + number % 40 - 10,
          placed.coverage_start, case when number % 2 = 0 then 'enrolled' end, case when number % 2 = 0 then now() end,
          case when number % 2 = 0 then 'enrolled' else 'eligible' end, now() - number * interval '1 second', now()
     from placed
     join plan_year_benefits as offer
       on offer.plan_year_id = placed.plan_year_id and offer.organization_id = placed.organization_id
    where number % 5 > 0`,
  `insert into elections (organization_id, enrollment_id, effective_on, plan_id, coverage_tier, tier_id,
     premium_in_cents, employer_contribution_in_cents, employee_deduction_in_cents, elected_at)
   select enrollment.organization_id, enrollment.id, '-infinity', rate.plan_id, 'EE', rate.tier_id, 10000, 5000, 5000,
          now()
     from enrollments as enrollment
    cross join lateral (
      select plan_id, tier_id from plan_year_rates as rate
       where rate.plan_year_id = enrollment.plan_year_id and rate.organization_id = enrollment.organization_id
         and rate.benefit_id = enrollment.benefit_id and rate.coverage_tier = 'EE'
       order by plan_id limit 1) as rate
    where enrollment.organization_id = any(:organization_ids) and enrollment.answer = 'enrolled'`,
  `insert into qualifying_life_events (id, organization_id, employer_id, employee_id, type, occurred_on, decision,
     decided_at, window_start, window_end, created_at, updated_at)
   select pg_temp.made_id('qle'), organization_id, employer_id, employee_id, 'marriage', :today::date - 10,
          case when number % 500 > 0 then 'approved' end, case when number % 500 > 0 then now() end,
          case when number % 500 > 0 then :today::date - 10 end, case when number % 500 > 0 then :today::date + 20 end,
          now() - number * interval '1 second', now()
     from placed where number % 50 = 0`,
  `insert into groups (id, organization_id, name, external_reference_id, created_at, updated_at)
   select pg_temp.made_id('grp'), id, 'Cooperative ' || number, 'coop-' || number, now() - number * interval '1 second',
          now()
     from unnest(:organization_ids::text[]) as id
    cross join generate_series(1, greatest(1, :people::int / 20000)) as number`,
  `insert into group_members (id, organization_id, group_id, member_id, reference_id, plan_id, joined_at, updated_at)
   select pg_temp.made_id('grpmbr'), placed.organization_id, club.id, member_id, 'M-' || number, plan.id,
          now() - number * interval '1 second', now()
     from placed
     join (select organization_id, min(id) as id from groups group by organization_id) as club using (organization_id)
     join (select organization_id, min(id) as id from plans group by organization_id) as plan using (organization_id)
    where number % 20 = 0`,
  `insert into webhook_subscriptions (id, organization_id, url, event_names, secret_sealed, created_at, updated_at)
   select pg_temp.made_id('wsub'), organization_ids[1 + number % cardinality(organization_ids)],
          'https://hooks.example.com/' || number, '{}', '', now() - number * interval '1 second', now()
     from (select :organization_ids::text[] as organization_ids) as known
    cross join generate_series(1, greatest(10, :people::int / 200)) as number`,
  `insert into webhook_events (id, organization_id, event_name, resource_type, resource_id, sequence, created_at,
     position, employer_id)
   select pg_temp.made_id('wevt'), organization_id, 'employee.created', 'employee', employee_id, 1,
          now() - number * interval '1 second', row_number() over (partition by organization_id order by number),
          employer_id
     from placed`,
  `insert into webhook_event_positions (organization_id, last_position)
   select organization_id, count(*) from placed group by organization_id`,
  `insert into webhook_deliveries (id, organization_id, subscription_id, webhook_event_id, attempts, delivered_at,
     created_at)
   select pg_temp.made_id('wdlv'), event.organization_id, taker.id, event.id, 1, now(), event.created_at
     from webhook_events as event
     join (select organization_id, min(id) as id from webhook_subscriptions group by organization_id) as taker
       using (organization_id)
    where event.organization_id = any(:organization_ids) and event.position % 10 = 0`,
  `insert into invoices (invoice_id, organization_id, number, employer_id, period, employer_name, employer_legal_name,
     address_line_1, city, state, zipcode, drafted_at, drafted_on, issued_at, issued_on, due_on, paid_at, paid_on,
     billing_system, created_at)
   select md5(id || month), organization_id, row_number() over (partition by organization_id), id,
          date_trunc('month', :today::date) - month * interval '1 month', name, legal_name, address_line_1, city, state,
          zipcode, now(), :today, now(), :today, :today, case when month > 1 then now() end,
          case when month > 1 then :today::date end, 'built_in', now()
     from employers cross join generate_series(1, 6) as month
    where organization_id = any(:organization_ids)`,
  `insert into graphile_worker._private_tasks (identifier) values ('sync_census') on conflict do nothing`,
  `insert into graphile_worker._private_jobs (task_id, payload, key, priority, run_at)
   select task.id, json_build_object('organization_id', organization_id, 'employer_id', employer.id),
          'crowd:' || employer.id, 0, now() + interval '1 year'
     from employers as employer cross join graphile_worker._private_tasks as task
    where employer.organization_id = any(:organization_ids) and task.identifier = 'sync_census'`,
  // What triggers, or those who write, would have counted.
  `update employers as employer set employee_count = coalesce(people.count, 0)
     from employers as counted
     left join (select employer_id, count(*) from placed group by employer_id) as people
       on people.employer_id = counted.id
    where employer.id = counted.id and employer.organization_id = any(:organization_ids)`,
  `update organizations as organization set member_count = people.count
     from (select organization_id, count(*) from placed group by organization_id) as people
    where organization.id = people.organization_id`,
  `update groups as club set member_count = joined.count
     from (select group_id, count(*) from group_members group by group_id) as joined where joined.group_id = club.id`,
  `update benefit_plan_years as year
      set enrollment_count = granted.count, eligible_count = granted.people, enrolled_count = granted.people / 2
     from (select plan_year_id, count(*), count(distinct employee_id) as people from enrollments
            where organization_id = any(:organization_ids) group by plan_year_id) as granted
    where year.id = granted.plan_year_id`,
]

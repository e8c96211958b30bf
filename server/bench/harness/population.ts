/** Many organizations and employers with people, plan years, enrollments and all derived rows. */
import type pg from 'pg'
import { easternDay } from '../../kernel/days.ts'
import { recalculateEmployer } from '../../modules/coverage/enrollments/actions.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { inBulk, seedElections, seedPeople, seedPlanYears, seedPolicy, type Seeded } from './seed.ts'

/** `largest_share`: the share of all people who work for the first employer. */
export type PopulationSize = { people: number; employers: number; organizations: number; largest_share: number }

/** Creates a population and returns its largest employer. Half of the enrollments of each organization are elected. */
export async function seedPopulation(runtime: Runtime, client: pg.Client, size: PopulationSize): Promise<Seeded> {
  const employers_each = Math.ceil(size.employers / size.organizations)
  const organizations: Seeded[][] = []
  const left = Array(size.organizations).fill(employers_each).values()
  const create = async () => {
    for (const count of left) organizations.push(await seedPlanYears(runtime, count))
  }
  await Promise.all([create(), create(), create(), create()])
  const seeded = organizations.flat()
  const largest = Math.floor(size.people * size.largest_share)
  const others = Math.max(1, Math.floor((size.people - largest) / Math.max(1, seeded.length - 1)))
  await inBulk(client, async () => {
    for (const employers of organizations)
      for (const [at, employer] of employers.entries()) {
        const is_largest = employer === seeded[0]
        const first = 1 + at * others + (at > 0 && employers === organizations[0] ? largest : 0)
        await seedPeople(client, employer, { first, count: is_largest ? largest : others, with_terminated: true })
      }
  })
  await client.query('analyze')
  for (const employer of seeded) {
    await seedPolicy(runtime, employer, 'full_time')
    await recalculateEmployer(runtime, employer)
  }
  for (const [at, employers] of organizations.entries()) if (at % 2 === 0) await seedElections(client, employers[0]!)
  await client.query('set session_replication_role = replica')
  const organization_ids = organizations.map(([employer]) => employer!.organization_id)
  for (const step of steps) await client.query(step, [organization_ids, easternDay(Date.now())])
  await client.query('set session_replication_role = origin')
  await client.query('vacuum analyze')
  return seeded[0]!
}

/** SQL: rows that no action above has written, with the counts that triggers would write. */
const steps = [
  `insert into hris_connections (id, organization_id, employer_id, source, provider, provider_label, connected_at,
     last_synced_at, synced_row_count, created_at, updated_at)
   select new_id('hris'), organization_id, id, 'csv', case when ascii(right(id, 1)) % 4 = 0 then 'gusto' else 'adp' end,
          'Payroll', now(), $2::date, employee_count, now(), now()
     from employers where organization_id = any($1) and ascii(right(id, 1)) % 4 < 3`,
  `insert into qualifying_life_events (id, organization_id, employer_id, employee_id, type, occurred_on, decision,
     decided_at, window_start, window_end, created_at, updated_at)
   select new_id('qle'), organization_id, employer_id, id, 'marriage', $2::date - 10, 'approved', now(), $2::date - 10,
          $2::date + 20, now(), now()
     from employees where organization_id = any($1) and substr(reference_id, 3)::int % 50 = 0`,
  `insert into groups (id, organization_id, name, external_reference_id, created_at, updated_at)
   select new_id('grp'), id, 'Cooperative', 'coop', now(), $2::date from organizations where id = any($1)`,
  `insert into group_members (id, organization_id, group_id, member_id, reference_id, plan_id, joined_at, updated_at)
   select new_id('grpmbr'), person.organization_id, club.id, person.member_id, person.reference_id, plan.id, now(),
          $2::date
     from employees as person
     join groups as club on club.organization_id = person.organization_id
     join (select organization_id, min(id) as id from plans group by organization_id) as plan
       on plan.organization_id = person.organization_id
    where person.organization_id = any($1) and substr(person.reference_id, 3)::int % 20 = 0`,
  `update groups as club set member_count = joined.count, updated_at = $2::date
     from (select group_id, count(*) from group_members where organization_id = any($1) group by group_id) as joined
    where joined.group_id = club.id`,
  `insert into webhook_subscriptions (id, organization_id, url, event_names, secret_sealed, created_at, updated_at)
   select new_id('wsub'), id, 'https://hooks.example.com/' || number, '{}', '', now(), $2::date
     from organizations cross join generate_series(1, 5) as number where id = any($1)`,
  `insert into webhook_deliveries (id, organization_id, subscription_id, webhook_event_id, attempts, delivered_at,
     created_at)
   select new_id('wdlv'), event.organization_id, taker.id, event.id, 1, now(), event.created_at
     from webhook_events as event
     join (select organization_id, min(id) as id from webhook_subscriptions group by organization_id) as taker
       using (organization_id)
    where event.organization_id = any($1) and event.position % 10 = 0 and $2::date is not null`,
  `insert into invoices (invoice_id, organization_id, number, employer_id, period, employer_name, employer_legal_name,
     address_line_1, city, state, zipcode, drafted_at, drafted_on, issued_at, issued_on, due_on, paid_at, paid_on,
     billing_system, created_at)
   select md5(id || month), organization_id, row_number() over (partition by organization_id), id,
          date_trunc('month', $2::date) - month * interval '1 month', name, legal_name, address_line_1, city, state,
          zipcode, now(), $2, now(), $2, $2, case when month > 1 then now() end, case when month > 1 then $2::date end,
          'built_in', now()
     from employers cross join generate_series(1, 6) as month where organization_id = any($1)`,
  `with task as (
     insert into graphile_worker._private_tasks (identifier) values ('sync_census')
     on conflict (identifier) do update set identifier = excluded.identifier returning id)
   insert into graphile_worker._private_jobs (task_id, payload, key, priority, run_at)
   select task.id, json_build_object('organization_id', organization_id, 'employer_id', employer.id),
          'population:' || employer.id, 0, $2::date + interval '1 year'
     from employers as employer cross join task where employer.organization_id = any($1)`,
]

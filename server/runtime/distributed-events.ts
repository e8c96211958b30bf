import { counter_slot } from '../database/sql/fragments.ts'
import { statement, type Scope } from '../database/sql/statement.ts'

/** SQL: the employer of a row `event`, by its resource. No row if the resource belongs to no employer. */
export const employerOf = (organization: string): string => `
  select event.resource_id as employer_id where event.resource_type = 'employer'
   union all
  select employer_id from employees
   where event.resource_type = 'employee' and id = event.resource_id and organization_id = ${organization}
   union all
  select employer_id from enrollments
   where event.resource_type = 'enrollment' and id = event.resource_id and organization_id = ${organization}
   union all
  select employer_id from benefit_plan_years
   where event.resource_type = 'benefit_plan_year' and id = event.resource_id
     and organization_id = ${organization}
   union all
  select employer_id from census_syncs
   where event.resource_type = 'census_sync' and id = event.resource_id and organization_id = ${organization}
   union all
  select employer_id from invoices
   where event.resource_type = 'invoice' and invoice_id = event.resource_id
     and organization_id = ${organization}
   union all
  select employer_id from documents
   where event.resource_type = 'document' and id = event.resource_id and organization_id = ${organization}`

const written = statement(
  'events.insertEvents',
  `insert into webhook_events
     (id, organization_id, event_name, resource_type, resource_id, sequence, created_at, employer_id, trace_id)
   select event.id, :organization_id, event.event_name, event.resource_type, event.resource_id,
          coalesce((select max(sequence) from webhook_events as earlier
                     where earlier.organization_id = :organization_id
                       and earlier.resource_id = event.resource_id), 0)
            + row_number() over (partition by event.resource_id order by event.position),
          :now, coalesce((
     select its.employer_id from (${employerOf(':organization_id')}) as its limit 1), ''), :own_trace_id
     from (select fact.*, split_part(fact.event_name, '.', 1) as resource_type
             from unnest(:ids::text[], :event_names::text[], :resource_ids::text[])
                  with ordinality as fact (id, event_name, resource_id, position)) as event`,
)

const counted = statement(
  'events.addToCounts',
  `insert into webhook_event_counts as known (organization_id, event_name, slot, event_count)
   select :organization_id, input.event_name, ${counter_slot}, count(*)
     from unnest(:event_names::text[]) as input (event_name)
      group by input.event_name order by input.event_name
   on conflict (organization_id, event_name, slot) do update
     set event_count = known.event_count + excluded.event_count`,
)

const announced = statement(
  'events.announceEvents',
  `insert into webhook_outbox (webhook_event_id, organization_id, event_name)
   select fact.id, :organization_id, fact.event_name
     from unnest(:ids::text[], :event_names::text[]) as fact (id, event_name)
    where fact.event_name <> all(:never_announced::text[])
      and exists (select from webhook_subscriptions as subscription
                   where subscription.organization_id = :organization_id
                     and subscription.disabled_at is null and subscription.deleted_at is null offset 0)`,
)

/** Events of one organization, by their ids, names and resources, in the order of the lists. */
export type EventsOfOne = { organization_id: string; ids: string[]; event_names: string[]; resource_ids: string[] }

/**
 * Writes events in a distributed database, in the transaction of the caller. It needs several statements, because one
 * statement cannot write both to the server of the organization and to the server with the outbox.
 */
export async function writeInSteps(ctx: Scope, events: EventsOfOne, never_announced: string[]): Promise<void> {
  const { organization_id, ids, event_names } = events
  await written.rows(ctx, events)
  await counted.rows(ctx, { organization_id, event_names })
  await announced.rows(ctx, { organization_id, ids, event_names, never_announced })
}

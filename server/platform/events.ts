import type { Ctx } from './ctx.ts'
import type { Db } from './database/database.ts'
import { statement } from './database/statement.ts'
import { newId } from '../kernel/ids.ts'

/**
 * The facts that receivers of webhooks may learn (decisions.md, section 8), and what we tell of their subscriptions.
 */
export const event_names = [
  'benefit_plan_year.amended',
  'dependent.coverage_ending',
  'dependent.coverage_ended',
  'employer.created',
  'employer.updated',
  'employer.eligibility_policy_created',
  'employee.created',
  'employee.updated',
  'employee.eligibility_granted',
  'employee.eligibility_terminated',
  'employee.deactivated',
  'employee.rehired',
  'employee.reinstated',
  'employee.deduction_created',
  'enrollment.granted',
  'enrollment.started',
  'enrollment.elected',
  'enrollment.accepted',
  'enrollment.waived',
  'enrollment.renewed',
  'enrollment.terminated',
  'enrollment.termination_rescheduled',
  'enrollment.reissued',
  'enrollment.reinstated',
  'enrollment.amended',
  'census_sync.completed',
  'group_member_sync.completed',
  'invoice.issued',
  'webhook_subscription.disabled',
  'webhook_subscription.test',
] as const
export type EventName = (typeof event_names)[number]

export type Fact = { event_name: EventName; organization_id: string; resource_id: string }

/** A test is for the subscription that asked for it, by a delivery of its own. */
const never_announced: EventName[] = ['webhook_subscription.test']

/**
 * Writes events in the transaction of the change they tell of, in the order given. The sequence counts per resource;
 * whoever changes a resource holds its lock, so two transactions never take the same number. The position counts per
 * organization, in the order of commits. Where the organization has subscriptions, they wait in the outbox for a
 * worker: whoever writes events or subscriptions of an organization holds its lock (decision 18), so none is missed.
 */
export async function recordEvents(ctx: Ctx, facts: Fact[]): Promise<void> {
  if (facts.length > 0) await writeEvents(ctx, facts)
}

/** Writes one event, and returns its id. */
export async function recordEvent(ctx: Ctx, fact: Fact): Promise<string> {
  const [id] = await writeEvents(ctx, [fact])
  return id!
}

const recorded = statement(
  'events.recordEvents',
  `with fact as materialized (
     select * from unnest(:ids::text[], :organization_ids::text[], :event_names::text[], :resource_ids::text[])
            with ordinality as fact (id, organization_id, event_name, resource_id, place)
   ), counter as (
     insert into webhook_event_positions as known (organization_id, last_position)
     select organization_id, count(*) from fact group by organization_id order by organization_id
     on conflict (organization_id) do update set last_position = known.last_position + excluded.last_position
     returning organization_id, last_position
   ), written as (
     insert into webhook_events
       (id, organization_id, event_name, resource_type, resource_id, sequence, created_at, position)
     select fact.id, fact.organization_id, fact.event_name, split_part(fact.event_name, '.', 1), fact.resource_id,
            coalesce((select max(sequence) from webhook_events as earlier
                       where earlier.organization_id = fact.organization_id
                         and earlier.resource_id = fact.resource_id), 0)
              + row_number() over (partition by fact.resource_id order by fact.place),
            :now,
            counter.last_position + 1
              - row_number() over (partition by fact.organization_id order by fact.place desc)
       from fact join counter on counter.organization_id = fact.organization_id
      order by fact.place
     returning id, organization_id, event_name
   ), counted as (
     insert into webhook_event_counts as known (organization_id, event_name, event_count)
     select organization_id, event_name, count(*) from written group by organization_id, event_name
     on conflict (organization_id, event_name) do update set event_count = known.event_count + excluded.event_count
   )
   insert into webhook_outbox (webhook_event_id, organization_id, event_name)
   select written.id, written.organization_id, written.event_name from written
    where written.event_name <> all(:never_announced::text[])
      and exists (select from webhook_subscriptions as subscription
                   where subscription.organization_id = written.organization_id
                     and subscription.disabled_at is null and subscription.deleted_at is null offset 0)`,
)

async function writeEvents(ctx: Ctx, facts: Fact[]): Promise<string[]> {
  const ids = facts.map(() => newId('wevt'))
  await recorded.rows(ctx, {
    ids,
    organization_ids: facts.map((fact) => fact.organization_id),
    event_names: facts.map((fact) => fact.event_name),
    resource_ids: facts.map((fact) => fact.resource_id),
    never_announced,
  })
  return ids
}

/** An event that no worker has turned into deliveries yet. */
export type OutboxEvent = { webhook_event_id: string; organization_id: string; event_name: EventName }

const taken = statement(
  'events.takeOutboxEvents',
  `delete from webhook_outbox
    where webhook_event_id = any(array(
            select webhook_event_id from webhook_outbox order by webhook_event_id limit :most for update skip locked))
   returning webhook_event_id, organization_id, event_name`,
)

/** Takes the oldest events out of the outbox, for whoever makes deliveries of them in the same transaction. */
export const takeOutboxEvents = (db: Db, most: number): Promise<OutboxEvent[]> =>
  taken.rows<OutboxEvent>({ db }, { most })

const positions = statement(
  'events.positionsOf',
  `select organization_id, last_position from webhook_event_positions
    where organization_id = any(:organization_ids)`,
)

/** The position of the newest event of organizations, by their ids; those without any are left out. */
export async function positionsOf(db: Db, organization_ids: string[]): Promise<Map<string, number>> {
  const rows = await positions.rows<{ organization_id: string; last_position: number }>({ db }, { organization_ids })
  return new Map(rows.map((row) => [row.organization_id, row.last_position]))
}

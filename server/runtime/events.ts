import type { Ctx } from './ctx.ts'
import type { Db } from '../database/query/database.ts'
import { statement } from '../database/sql/statement.ts'
import { endOneByOne, endWith, type LastStatement } from '../database/query/transactions.ts'
import { employerOf, writeDivided } from '../database/citus/sharded-events.ts'
import { chunksOf, writeBehind } from '../kernel/chunks.ts'
import type { EventName, Fact } from './event-types.ts'
import { newId } from '../kernel/ids.ts'

/** A test is for the subscription that asked for it, by a delivery of its own. */
const never_announced: EventName[] = ['webhook_subscription.test']

/**
 * Writes events in the transaction of the change they tell of, in the order given. The sequence counts per resource;
 * whoever changes a resource holds its lock, so two transactions never take the same number. The position counts per
 * organization, in the order of commits: who is at one employer, and others at others, holds them back until its end.
 * Where the organization has subscriptions, they wait in the outbox for a worker: whoever writes events or
 * subscriptions of an organization holds its lock (decision 18), so none is missed. Many are written by several
 * statements (decision 236).
 */
export async function recordEvents(ctx: Ctx, facts: Fact[]): Promise<void> {
  if (ctx.held_back) for (const fact of facts) ctx.held_back.push(fact)
  else await writeEvents(ctx, facts)
}

/** Writes one event of an organization at once, and returns its id. */
export async function recordEvent(ctx: Ctx, { organization_id, ...fact }: Fact): Promise<string> {
  const named = { ...fact, id: newId('wevt') }
  await insertEvents(ctx, organization_id, readyOf([named]))
  return named.id
}

/** What makes its resource: nothing was told of that before. */
const beginnings: EventName[] = ['employer.created', 'employee.created', 'employee.rehired', 'enrollment.granted']

/** SQL: of which employer resources of one kind are. No row is of two kinds, and most kinds are asked for none. */
const employersOf = (table: string, id: string, ids: string): string => `
  select ${id} as id, employer_id from ${table}
   where ${id} = any(:${ids}::text[]) and organization_id = :organization_id`

// Joined in full, since a planner who expects ten of each would else compare each with each (decision 211).
const recorded = statement(
  'events.recordEvents',
  `with its as materialized (
     select id, id as employer_id from unnest(:employer_ids::text[]) as employer (id)
      union all ${employersOf('employees', 'id', 'employee_ids')}
      union all ${employersOf('enrollments', 'id', 'enrollment_ids')}
      union all ${employersOf('benefit_plan_years', 'id', 'benefit_plan_year_ids')}
      union all ${employersOf('census_syncs', 'id', 'census_sync_ids')}
      union all ${employersOf('invoices', 'invoice_id', 'invoice_ids')}
   ), counter as (
     insert into webhook_event_positions as known (organization_id, last_position)
     values (:organization_id, cardinality(:ids::text[]))
     on conflict (organization_id) do update set last_position = known.last_position + excluded.last_position
     returning last_position
   ), written as (
     insert into webhook_events
       (id, organization_id, event_name, resource_type, resource_id, sequence, created_at, position, employer_id,
        trace_id)
     select fact.id, :organization_id, fact.event_name, split_part(fact.event_name, '.', 1), fact.resource_id,
            case when fact.is_of_new then 0
                 else coalesce((select max(sequence) from webhook_events as earlier
                                 where earlier.organization_id = :organization_id
                                   and earlier.resource_id = fact.resource_id), 0) end + fact.step,
            :now, (select last_position from counter) - cardinality(:ids::text[]) + fact.place,
            coalesce(its.employer_id, ''), :own_trace_id
       from unnest(:ids::text[], :event_names::text[], :resource_ids::text[], :steps::int[], :are_of_new::boolean[])
            with ordinality as fact (id, event_name, resource_id, step, is_of_new, place)
       full join its on its.id = fact.resource_id
   ), counted as (
     insert into webhook_event_counts as known (organization_id, event_name, event_count)
     select :organization_id, said.event_name, count(*)
       from unnest(:event_names::text[]) as said (event_name) group by said.event_name
     on conflict (organization_id, event_name) do update set event_count = known.event_count + excluded.event_count
   )
   insert into webhook_outbox (webhook_event_id, organization_id, event_name)
   select fact.id, :organization_id, fact.event_name
     from unnest(:ids::text[], :event_names::text[]) as fact (id, event_name)
    where fact.event_name <> all(:never_announced::text[])
      and exists (select from webhook_subscriptions as subscription
                   where subscription.organization_id = :organization_id
                     and subscription.disabled_at is null and subscription.deleted_at is null offset 0)`,
)

/** So many events are written by one statement, while those after them get their ids. */
const written_at_once = 2500

/** Writes events of each organization by itself, so that its tables and indexes are found before the first row is. */
async function writeEvents(ctx: Ctx, facts: Fact[]): Promise<void> {
  for (const [organization_id, its] of Map.groupBy(facts, (fact) => fact.organization_id)) {
    const write = (ready: ReadyEvents) => insertEvents(ctx, organization_id, ready)
    if (ctx.db.divided || its.length <= written_at_once) await write(readyOf(withIds(its)))
    else await writeBehind(chunksOf(its, written_at_once), async (piece) => readyOf(withIds(piece)), write)
  }
}

/**
 * Has a transaction end with the events that a write at one employer has held back until then, behind its other last
 * statements: together with its commit, unless they take several statements.
 */
export const endTelling = <T>(ctx: Ctx, result: T, ...last: LastStatement[]) => {
  const end = endWith(result, ...last, () => tellHeldBack(ctx))
  return ctx.held_back && ctx.held_back.length > written_at_once ? endOneByOne(end) : end
}

async function tellHeldBack(ctx: Ctx): Promise<void> {
  await writeEvents(ctx, ctx.held_back?.splice(0) ?? [])
}

/** What is told of one organization, and the id of the event. */
type NamedFact = Omit<Fact, 'organization_id'> & { id: string }

const withIds = (facts: Fact[]): NamedFact[] =>
  facts.map(({ event_name, resource_id }) => ({ event_name, resource_id, id: newId('wevt') }))

type ReadyEvents = ReturnType<typeof readyOf>

/** Events of one organization as they are written. */
const readyOf = (facts: NamedFact[]) => ({
  ids: facts.map(({ id }) => id),
  event_names: facts.map(({ event_name }) => event_name),
  resource_ids: facts.map(({ resource_id }) => resource_id),
  ...stepsOf(facts),
  ...idsByKind(facts),
})

async function insertEvents(ctx: Ctx, organization_id: string, ready: ReadyEvents): Promise<void> {
  const { ids, event_names, resource_ids } = ready
  if (ctx.db.divided) await writeDivided(ctx, { organization_id, ids, event_names, resource_ids }, never_announced)
  else await recorded.rows(ctx, { organization_id, ...ready, never_announced })
}

/** Which event of its resource each is among these, and whether the resource is new: then nothing was told before. */
function stepsOf(facts: NamedFact[]): { steps: number[]; are_of_new: boolean[] } {
  const counts = new Map<string, number>()
  const news = new Set<string>()
  const steps: number[] = []
  const are_of_new: boolean[] = []
  for (const { event_name, resource_id } of facts) {
    const step = (counts.get(resource_id) ?? 0) + 1
    counts.set(resource_id, step)
    if (beginnings.includes(event_name)) news.add(resource_id)
    steps.push(step)
    are_of_new.push(news.has(resource_id))
  }
  return { steps, are_of_new }
}

/** The resources of events by their kinds, of those that are of an employer. */
function idsByKind(facts: NamedFact[]) {
  const of_kinds = Map.groupBy(facts, ({ event_name }) => event_name.split('.')[0]!)
  const idsOf = (kind: string) => [...new Set((of_kinds.get(kind) ?? []).map(({ resource_id }) => resource_id))]
  return {
    employer_ids: idsOf('employer'),
    employee_ids: idsOf('employee'),
    enrollment_ids: idsOf('enrollment'),
    benefit_plan_year_ids: idsOf('benefit_plan_year'),
    census_sync_ids: idsOf('census_sync'),
    invoice_ids: idsOf('invoice'),
  }
}

const placed = statement(
  'events.placeEvents',
  `with event as materialized (
     select id, organization_id, resource_type, resource_id from webhook_events
      where employer_id is null order by organization_id, id limit :most
   ), saved as (
     update webhook_events as stored set employer_id = coalesce(its.employer_id, '')
       from event left join lateral (${employerOf('event.organization_id')}) as its on true
      where stored.id = event.id and stored.organization_id = event.organization_id
     returning 1)
   select count(*) as count from saved`,
)

/** Events of former versions in one transaction. */
const placed_at_once = 5000

/**
 * Looks up of which employer events are that were written when nobody asked; tells whether there are more. A database
 * is divided only when there are none.
 */
export const placeEvents = async (ctx: Pick<Ctx, 'db'>): Promise<boolean> =>
  !ctx.db.divided && (await placed.row<{ count: number }>(ctx, { most: placed_at_once }))!.count === placed_at_once

/** An event that no worker has turned into deliveries yet. */
export type OutboxEvent = { webhook_event_id: string; organization_id: string; event_name: EventName }

const taken = statement(
  'events.takeOutboxEvents',
  `with recursive waiting (organization_id) as (
     (select organization_id from webhook_outbox where organization_id > :after order by organization_id limit 1)
     union all
     select (select next.organization_id from webhook_outbox as next
              where next.organization_id > waiting.organization_id order by next.organization_id limit 1)
       from waiting where waiting.organization_id is not null
   ), found as (
     select event.webhook_event_id
       from waiting
      cross join lateral (
        select max(coalesce((:rooms::jsonb ->> taker.id)::int, :usual_room)) as room
          from webhook_subscriptions as taker
         where taker.organization_id = waiting.organization_id and taker.disabled_at is null
           and taker.deleted_at is null offset 0) as its
      cross join lateral (
        select min(webhook_event_id) < id_at('wevt', :waited_since::timestamptz) as is_overdue from webhook_outbox
         where organization_id = waiting.organization_id offset 0) as first
      cross join lateral (
        select webhook_event_id from webhook_outbox
         where organization_id = waiting.organization_id order by webhook_event_id
         limit case when first.is_overdue then :most else coalesce(its.room, :most) end
           for update skip locked) as event
      limit :most)
   delete from webhook_outbox where webhook_event_id = any(array(select webhook_event_id from found))
   returning webhook_event_id, organization_id, event_name`,
)

/**
 * Rooms by the ids of their subscriptions as JSON, in which PostgreSQL finds one without looking at all the others, as
 * it would for each organization in a list.
 */
export const roomsJson = (rooms: Map<string, number>): string => JSON.stringify(Object.fromEntries(rooms))

/** What is to be taken out of the outbox. */
export type OutboxClaim = {
  most: number
  /** For how many more there is room at subscriptions that are known, by id; `usual_room` at others. */
  rooms: Map<string, number>
  usual_room: number
  /** Takes up where the last round was broken off: after this organization. */
  after: string
  /** What has waited since then is taken whether there is room or not; an instant. */
  waited_since: string
}

/**
 * Takes events out of the outbox, for whoever makes deliveries of them in the same transaction: from organization to
 * organization, of each the oldest, as many as one of its subscriptions has room for.
 */
export const takeOutboxEvents = (db: Db, { rooms, ...claim }: OutboxClaim): Promise<OutboxEvent[]> =>
  taken.rows<OutboxEvent>({ db }, { ...claim, rooms: roomsJson(rooms) })

/** All that waits in the outbox, up to so many. */
export const anyOutboxEvents = (most: number): OutboxClaim => ({
  most,
  rooms: new Map(),
  usual_room: most,
  after: '',
  waited_since: new Date(0).toISOString(),
})

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

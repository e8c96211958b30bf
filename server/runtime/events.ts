import type { Ctx } from './ctx.ts'
import type { Db, LastStatement } from '../database/query/database.ts'
import { counter_slot } from '../database/sql/fragments.ts'
import { statement } from '../database/sql/statement.ts'
import { runLastStatements, commitWith } from '../database/query/transactions.ts'
import { writeInSteps } from './distributed-events.ts'
import { chunksOf, pipelineWrites } from '../kernel/concurrency/chunks.ts'
import type { EventName, NewEvent, HeldEvent } from './event-types.ts'
import { newId } from '../kernel/ids.ts'

/** A test event is only sent to its own subscription, by a separate delivery. */
const never_announced: EventName[] = ['webhook_subscription.test']

/**
 * Writes events in the transaction of their change, in this order. `sequence` counts per resource; a change holds the
 * lock of its resource, so two transactions never use the same number. A write under a lock collects its events and
 * writes them at its end, in one statement. If the organization has subscriptions, the events wait in the outbox for a
 * worker. Writers of events and of subscriptions hold the lock of the organization
 * (docs/design/data/locks-and-days.md), so no event is missed. Many events take several statements
 * (docs/design/service/jobs.md).
 */
export async function recordEvents(ctx: Ctx, events: NewEvent[]): Promise<void> {
  if (ctx.held_back) for (const event of events) ctx.held_back.push({ ...event, now: ctx.now })
  else await writeEvents(ctx, events)
}

/**
 * Sends statements together with the commit of a request, so that they need no round trip of their own. The request
 * must not read what they change. Jobs, daily runs and the command line send them immediately.
 */
export async function sendAtCommit({ at_end }: Ctx, send: LastStatement): Promise<void> {
  if (at_end) at_end.push(send)
  else await send()
}

/** Writes the same event of several resources. */
export const recordEventOfEach = (ctx: Ctx, event_name: EventName, organization_id: string, resource_ids: string[]) =>
  recordEvents(
    ctx,
    resource_ids.map((resource_id) => ({ event_name, organization_id, resource_id })),
  )

/** Writes one event immediately, and returns its id. */
export async function recordEvent(ctx: Ctx, { organization_id, ...event }: NewEvent): Promise<string> {
  const named = { ...event, id: newId('wevt') }
  await insertEvents(ctx, organization_id, readyOf([named]))
  return named.id
}

/** The events that create their resource, which therefore has no earlier events. */
const beginnings: EventName[] = ['employer.created', 'employee.created', 'employee.rehired', 'enrollment.granted']

/** SQL of the employers of resources of one kind. Most statements have resources of few kinds. */
const employersOf = (table: string, id: string, ids: string): string => `
  select ${id} as id, employer_id from ${table}
   where ${id} = any(:${ids}::text[]) and organization_id = :organization_id`

// Full joins, because the planner expects ten rows on each side and would otherwise compare all pairs
// (docs/design/data/sql.md). The last sequence is searched once per resource: a search after each row of one resource
// would visit all rows that the statement has inserted.
const recorded = statement(
  'events.recordEvents',
  `with its as materialized (
     select id, id as employer_id from unnest(:employer_ids::text[]) as employer (id)
      union all ${employersOf('employees', 'id', 'employee_ids')}
      union all ${employersOf('enrollments', 'id', 'enrollment_ids')}
      union all ${employersOf('benefit_plan_years', 'id', 'benefit_plan_year_ids')}
      union all ${employersOf('census_syncs', 'id', 'census_sync_ids')}
      union all ${employersOf('invoices', 'invoice_id', 'invoice_ids')}
      union all ${employersOf('documents', 'id', 'document_ids')}
   ), numbered as materialized (
     select resource.id, (select max(sequence) from webhook_events as earlier
                           where earlier.organization_id = :organization_id
                             and earlier.resource_id = resource.id) as sequence
       from unnest(:known_ids::text[]) as resource (id)
   ), written as (
     insert into webhook_events
       (id, organization_id, event_name, resource_type, resource_id, sequence, created_at, employer_id, trace_id)
     select event.id, :organization_id, event.event_name, split_part(event.event_name, '.', 1), event.resource_id,
            coalesce(numbered.sequence, 0) + event.step, :now, coalesce(its.employer_id, ''), :own_trace_id
       from unnest(:ids::text[], :event_names::text[], :resource_ids::text[], :steps::int[])
            as event (id, event_name, resource_id, step)
       full join its on its.id = event.resource_id
       full join numbered on numbered.id = event.resource_id
   ), counted as (
     insert into webhook_event_counts as known (organization_id, event_name, slot, event_count)
     select :organization_id, input.event_name, ${counter_slot}, count(*)
       from unnest(:event_names::text[]) as input (event_name)
      group by input.event_name order by input.event_name
     on conflict (organization_id, event_name, slot) do update
       set event_count = known.event_count + excluded.event_count
   )
   insert into webhook_outbox (webhook_event_id, organization_id, event_name)
   select event.id, :organization_id, event.event_name
     from unnest(:ids::text[], :event_names::text[]) as event (id, event_name)
    where event.event_name <> all(:never_announced::text[])
      and exists (select from webhook_subscriptions as subscription
                   where subscription.organization_id = :organization_id
                     and subscription.disabled_at is null and subscription.deleted_at is null offset 0)`,
)

/** The number of events per statement. The next events get their ids while a statement runs. */
const rows_per_write = 2500

/** Writes the events of each organization separately. */
async function writeEvents(ctx: Ctx, events: NewEvent[]): Promise<void> {
  for (const [organization_id, events_of_organization] of Map.groupBy(events, (event) => event.organization_id)) {
    const write = (ready: ReadyEvents) => insertEvents(ctx, organization_id, ready)
    if (ctx.db.distribution || events_of_organization.length <= rows_per_write)
      await write(readyOf(withIds(events_of_organization)))
    else
      await pipelineWrites(
        chunksOf(events_of_organization, rows_per_write),
        async (piece) => readyOf(withIds(piece)),
        write,
      )
  }
}

/**
 * Ends a transaction with the statements in `last`, those of `sendAtCommit` and the events that the write collected.
 * They are sent together with the commit, unless the events need several statements.
 */
export const endPublishing = <T>(ctx: Ctx, result: T, ...last: LastStatement[]) => {
  const end = commitWith(result, ...last, ...(ctx.at_end ?? []), () => publishHeldBack(ctx))
  return needsManyStatements(ctx.held_back ?? []) ? runLastStatements(end) : end
}

const needsManyStatements = (events: HeldEvent[]): boolean =>
  events.length > rows_per_write ||
  events.some(({ now, organization_id }) => now !== events[0]!.now || organization_id !== events[0]!.organization_id)

async function publishHeldBack(ctx: Ctx): Promise<void> {
  for (const events of byTime(ctx.held_back?.splice(0) ?? []))
    await writeEvents({ ...ctx, now: events[0]!.now }, events)
}

/** Splits events where the time changes, in order. Moving a test clock runs many days in one write. */
function byTime(events: HeldEvent[]): HeldEvent[][] {
  const runs: HeldEvent[][] = []
  for (const event of events) {
    const last = runs.at(-1)
    if (last?.[0]!.now === event.now) last.push(event)
    else runs.push([event])
  }
  return runs
}

type NamedEvent = Omit<NewEvent, 'organization_id'> & { id: string }

const withIds = (events: NewEvent[]): NamedEvent[] =>
  events.map(({ event_name, resource_id }) => ({ event_name, resource_id, id: newId('wevt') }))

type ReadyEvents = ReturnType<typeof readyOf>

/** The parameters of the statement that writes events. */
const readyOf = (events: NamedEvent[]) => ({
  ids: events.map(({ id }) => id),
  event_names: events.map(({ event_name }) => event_name),
  resource_ids: events.map(({ resource_id }) => resource_id),
  ...stepsOf(events),
  ...idsByKind(events),
})

async function insertEvents(ctx: Ctx, organization_id: string, ready: ReadyEvents): Promise<void> {
  const { ids, event_names, resource_ids } = ready
  if (ctx.db.distribution) await writeInSteps(ctx, { organization_id, ids, event_names, resource_ids }, never_announced)
  else await recorded.rows(ctx, { organization_id, ...ready, never_announced })
}

/** The number of each event among those of its resource, and the resources that may have earlier events. */
function stepsOf(events: NamedEvent[]): { steps: number[]; known_ids: string[] } {
  const counts = new Map<string, number>()
  const known_ids: string[] = []
  const steps = events.map(({ event_name, resource_id }) => {
    const step = (counts.get(resource_id) ?? 0) + 1
    counts.set(resource_id, step)
    if (step === 1 && !beginnings.includes(event_name)) known_ids.push(resource_id)
    return step
  })
  return { steps, known_ids }
}

/** The resources of events by kind, for the kinds that belong to an employer. */
function idsByKind(events: NamedEvent[]) {
  const of_kinds = Map.groupBy(events, ({ event_name }) => event_name.split('.')[0]!)
  const idsOf = (kind: string) => [...new Set((of_kinds.get(kind) ?? []).map(({ resource_id }) => resource_id))]
  return {
    employer_ids: idsOf('employer'),
    employee_ids: idsOf('employee'),
    enrollment_ids: idsOf('enrollment'),
    benefit_plan_year_ids: idsOf('benefit_plan_year'),
    census_sync_ids: idsOf('census_sync'),
    invoice_ids: idsOf('invoice'),
    document_ids: idsOf('document'),
  }
}

/** An event in the outbox, before a worker creates its deliveries. */
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
        select max(coalesce((:rooms::jsonb ->> taker.id)::int, :default_room)) as room
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

/** The capacity of subscriptions by id, as JSON. PostgreSQL finds a key in it without reading the whole list. */
export const roomsJson = (rooms: Map<string, number>): string => JSON.stringify(Object.fromEntries(rooms))

/** Selects the events to take out of the outbox. */
export type OutboxClaim = {
  most: number
  /** How many more events each known subscription accepts, by id. `default_room` applies to the others. */
  rooms: Map<string, number>
  default_room: number
  /** The last organization of the previous round, after which this one continues. */
  after: string
  /** Events that have waited since before this instant are taken even without room. */
  waited_since: string
}

/**
 * Takes events out of the outbox. The caller creates their deliveries in the same transaction. It visits one
 * organization after the other, and takes the oldest events of each, up to the largest capacity of its subscriptions.
 */
export const takeOutboxEvents = (db: Db, { rooms, ...claim }: OutboxClaim): Promise<OutboxEvent[]> =>
  taken.rows<OutboxEvent>({ db }, { ...claim, rooms: roomsJson(rooms) })

/** All events in the outbox, up to a number. */
export const anyOutboxEvents = (most: number): OutboxClaim => ({
  most,
  rooms: new Map(),
  default_room: most,
  after: '',
  waited_since: new Date(0).toISOString(),
})

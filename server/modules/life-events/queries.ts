import { inReachByNumber, reachOf } from '../../platform/caller.ts'
import type { Ctx } from '../../platform/ctx.ts'
import type { Day } from '../../kernel/days.ts'
import { offsetOf, type Page } from '../../kernel/pages.ts'
import {
  keyOf,
  liesAhead,
  pageJson,
  readWalk,
  walkJson,
  walkParameters,
} from '../../platform/database/numbered-pages.ts'
import type { LifeEventFilter, NewLifeEvent } from './schemas.ts'

const inReachOfEvent = inReachByNumber('event.organization_id', 'event.employer_id', 'event.employee_id')

/** SQL: the LifeEvent of the interface, from a row `event`; `more`: further columns. */
const eventJson = (more = '') => `
  select row_to_json(shown) as item from (
    select event.id, event.employee_id, event.employer_id, event.type, event.occurred_on, event.description,
           coalesce(event.decision, 'pending') as status, iso(event.decided_at) as decided_at, event.decision_reason,
           event.window_start, event.window_end, iso(event.created_at) as created_at, iso(event.updated_at) as updated_at
           ${more}) as shown`

const reportedJson = eventJson(', event.organization_id')

const one = (json: string) => `
  select shown.item::text as json from qualifying_life_events as event cross join lateral (${json}) as shown
   where event.id = $4 and ${inReachOfEvent}`

const one_event = one(eventJson())
const one_reported_event = one(reportedJson)

/** One LifeEvent as JSON, or undefined when it does not exist within reach. */
export const findLifeEvent = (ctx: Ctx, life_event_id: string) =>
  ctx.db.json(one_event, [...reachOf(ctx.caller), life_event_id])

/** One ReportedLifeEvent as JSON, for the operator. */
export const findReportedLifeEvent = (ctx: Ctx, life_event_id: string) =>
  ctx.db.json(one_reported_event, [...reachOf(ctx.caller), life_event_id])

/** A life event, and of whom. */
export type LifeEventKey = { life_event_id: string; organization_id: string; employee_id: string }

/** A life event within reach. */
export const locateLifeEvent = (ctx: Ctx, { life_event_id }: { life_event_id: string }) =>
  ctx.db.row<LifeEventKey>(
    `select event.id as life_event_id, event.organization_id, event.employee_id from qualifying_life_events as event
      where event.id = $4 and ${inReachOfEvent}`,
    [...reachOf(ctx.caller), life_event_id],
  )

const theirs = 'event.employee_id = place.id and event.organization_id = place.organization_id'

const events_of_employee = `
  with place as materialized (
    select employee.id, employee.organization_id from employees as employee
     where employee.id = $4 and ${inReachByNumber('employee.organization_id', 'employee.employer_id', 'employee.id')})
  ${pageJson(
    `select shown.item, keys.position from place
      cross join lateral (
        select event.*, row_number() over (order by event.created_at desc, event.id desc) as position
          from qualifying_life_events as event where ${theirs}
         order by event.created_at desc, event.id desc limit $5 offset $6) as keys
      cross join lateral (select keys.*) as event
      cross join lateral (${eventJson()}) as shown`,
    `(select (select count(*) from qualifying_life_events as event where ${theirs}) from place)`,
    '$5',
    '$7',
  )}`

/** A page of an employee's life events as JSON, newest first; undefined when the employee is out of reach. */
export const listLifeEvents = (ctx: Ctx, employee_id: string, page: Page) =>
  ctx.db.json(events_of_employee, [...reachOf(ctx.caller), employee_id, page.limit, offsetOf(page), page.page])

const byStatus = {
  pending: 'event.decision is null',
  approved: `event.decision = 'approved'`,
  declined: `event.decision = 'declined'`,
}

const walk = walkParameters(4)
const order = { oldest_first: true }

function reportedStatement({ status, organization_id }: LifeEventFilter): string {
  const conditions = [
    inReachOfEvent,
    ...(status ? [byStatus[status]] : []),
    ...(organization_id ? ['event.organization_id = $9'] : []),
  ].join(' and ')
  const lies_ahead = liesAhead('event', walk, order)
  return walkJson(
    `select shown.item, keys.position, ${keyOf('keys', order)} as key from (
       select event.*, row_number() over (order by event.created_at, event.id) as position
         from qualifying_life_events as event where ${conditions} and ${lies_ahead}
        order by event.created_at, event.id limit ${walk.$limit} offset ${walk.$offset}) as keys
      cross join lateral (select keys.*) as event
      cross join lateral (${reportedJson}) as shown`,
    `select count(*) as total, count(*) filter (where ${lies_ahead}) as ahead
       from qualifying_life_events as event where ${conditions}`,
    walk,
  )
}

/** A page of the life events of every organization within reach as JSON, oldest first. */
export const listReportedLifeEvents = (ctx: Ctx, filter: LifeEventFilter) =>
  readWalk(
    ctx,
    reportedStatement(filter),
    filter,
    reachOf(ctx.caller),
    filter.organization_id ? [filter.organization_id] : [],
  )

export type LifeEventRecord = NewLifeEvent & {
  id: string
  organization_id: string
  employer_id: string
  employee_id: string
  occurred_on: Day
}

export const insertLifeEvent = (ctx: Ctx, event: LifeEventRecord) =>
  ctx.db.rows(
    `insert into qualifying_life_events (id, organization_id, employer_id, employee_id, type, occurred_on, description, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $8)`,
    [
      event.id,
      event.organization_id,
      event.employer_id,
      event.employee_id,
      event.type,
      event.occurred_on,
      event.description ?? null,
      ctx.now,
    ],
  )

export type Decision =
  | { decision: 'approved'; window_start: Day; window_end: Day }
  | { decision: 'declined'; reason: string }

/** Decides about a life event; undefined when it was decided before. */
export const saveDecision = (ctx: Ctx, organization_id: string, life_event_id: string, made: Decision) =>
  ctx.db.row<{ id: string }>(
    `update qualifying_life_events
        set decision = $3, decision_reason = $4, window_start = $5, window_end = $6, decided_at = $7, updated_at = $7
      where id = $1 and organization_id = $2 and decision is null
     returning id`,
    [
      life_event_id,
      organization_id,
      made.decision,
      made.decision === 'declined' ? made.reason : null,
      made.decision === 'approved' ? made.window_start : null,
      made.decision === 'approved' ? made.window_end : null,
      ctx.now,
    ],
  )

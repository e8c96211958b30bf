import type { Day } from '../../../kernel/days.ts'
import { inReach } from '../../../database/sql/reach.ts'
import type { Ctx, ReadCtx } from '../../../runtime/ctx.ts'
import { read, statement, readVariants } from '../../../database/sql/statement.ts'
import type { Attachable } from './rules.ts'
import type { LifeEventKey, LifeEventFilter, NewLifeEvent } from './schemas.ts'
import { attachmentsJson, linkAttachments, type ShownAttachment } from '../../directory/files/queries.ts'
import { target_employee } from '../../access/auth/queries.ts'
import type { Page } from '../../../kernel/pages.ts'
import { keyOf, keysetPageJson, isAfterAnchor, readKeysetPage, targetList } from '../../../database/sql/pages.ts'
import { spansServers, distributedList } from '../../../database/sql/distributed-lists.ts'

const inReachOfEvent = inReach('event.organization_id', 'event.employer_id', 'event.employee_id')

const attachable_found = statement(
  'life-events.findAttachable',
  `select event.decision, employee.terminated_on,
          (select count(*) from life_event_attachments
            where life_event_id = event.id and organization_id = :organization_id)::int as attachment_count
     from qualifying_life_events as event
     join employees as employee on employee.id = event.employee_id and employee.organization_id = :organization_id
    where event.id = :life_event_id and event.organization_id = :organization_id`,
)

/** The facts that decide whether a document can be attached to a life event. */
export const findAttachable = async (ctx: Ctx, { organization_id, life_event_id }: LifeEventKey) =>
  (await attachable_found.row<Attachable & { terminated_on: Day | null }>(ctx, { organization_id, life_event_id }))!

export const locateAttachment = read(
  'life-events.locateAttachment',
  `select attachment.id as attachment_id, event.id as life_event_id, event.organization_id, event.employee_id
     from qualifying_life_events as event
     join life_event_attachments as attachment
       on attachment.life_event_id = event.id and attachment.organization_id = event.organization_id
    where event.id = :life_event_id and attachment.id = :attachment_id
      and ${inReachOfEvent}`,
).row<LifeEventKey & AttachmentPath>

export type AttachmentPath = { life_event_id: string; attachment_id: string }

export const insertAttachment = statement(
  'life-events.insertAttachment',
  `insert into life_event_attachments (id, organization_id, life_event_id, file_name, created_at)
   values (:id, :organization_id, :life_event_id, :file_name, :now)`,
).rows

const attachments = attachmentsJson('life_event_attachments', 'life_event_id', 'event')

type ShownEvent = { attachments: ShownAttachment[] }

const linkFiles = (ctx: ReadCtx, shown: ShownAttachment[]) => linkAttachments(ctx, 'life_event_attachment', shown)

/** Adds the download links to one life event or to a page of them. */
async function withFiles<Text extends string | undefined>(ctx: ReadCtx, json: Text): Promise<Text> {
  // Within a JSON string this text cannot occur, because its quotes would be escaped.
  if (!json?.includes('"file" : {')) return json
  const shown = JSON.parse(json) as ShownEvent | { data: ShownEvent[] }
  const events = 'data' in shown ? shown.data : [shown]
  for (const event of events) await linkFiles(ctx, event.attachments)
  return JSON.stringify(shown) as Text
}

const listed = read(
  'life-events.listAttachments',
  `select ${attachments} as attachments from qualifying_life_events as event
    where event.id = :life_event_id and ${inReachOfEvent}`,
)

/** The attachments of a life event with download links. Undefined if the life event is out of reach. */
export async function listAttachments(ctx: ReadCtx, life_event_id: string) {
  const found = await listed.row<ShownEvent>(ctx, { life_event_id })
  if (!found) return undefined
  await linkFiles(ctx, found.attachments)
  return found.attachments
}

/** SQL: the `LifeEvent` of the API, from a row `event`, plus the columns `more`. */
const eventJson = (more = '') => `
  select row_to_json(shown) as item from (
    select event.id, event.employee_id, event.employer_id, event.type, event.occurred_on, event.description,
           coalesce(event.decision, 'pending') as status, iso(event.decided_at) as decided_at, event.decision_reason,
           event.window_start, event.window_end, ${attachments} as attachments,
           iso(event.created_at) as created_at, iso(event.updated_at) as updated_at
           ${more}) as shown`

const reportedJson = eventJson(', event.organization_id')

const one = (json: string) => `
  select shown.item::text as json from qualifying_life_events as event cross join lateral (${json}) as shown
   where event.id = :life_event_id and ${inReachOfEvent}`

const one_event = statement('life-events.findLifeEvent', one(eventJson()))
const one_reported_event = statement('life-events.findReportedLifeEvent', one(reportedJson))

/** One `LifeEvent` as JSON. Undefined if it does not exist within reach. */
export const findLifeEvent = async (ctx: Ctx, life_event_id: string) =>
  withFiles(ctx, await one_event.json(ctx, { life_event_id }))

export const findReportedLifeEvent = async (ctx: Ctx, life_event_id: string) =>
  withFiles(ctx, await one_reported_event.json(ctx, { life_event_id }))

/** Finds a life event within reach. */
export const locateLifeEvent = read(
  'life-events.locateLifeEvent',
  `select event.id as life_event_id, event.organization_id, event.employee_id from qualifying_life_events as event
    where event.id = :life_event_id and ${inReachOfEvent}`,
).row<LifeEventKey>

const events_of_employee = targetList('life-events.listLifeEvents', {
  target: target_employee,
  from: `qualifying_life_events as event
          where event.employee_id = target.id and event.organization_id = target.organization_id`,
  row: 'event',
  order: 'event.created_at desc, event.id desc',
  item: `(${eventJson()})`,
})

/** A page of the life events of an employee as JSON, newest first. Undefined if the employee is out of reach. */
export const listLifeEvents = async (ctx: ReadCtx, employee_id: string, page: Page) =>
  withFiles(ctx, await events_of_employee(ctx, { employee_id }, page))

const byStatus = {
  pending: 'event.decision is null',
  approved: `event.decision = 'approved'`,
  declined: `event.decision = 'declined'`,
}

const order = { oldest_first: true }

const reported_choices = {
  status: [null, 'pending', 'approved', 'declined'],
  of_organization: [false, true],
} as const

const reportedOf = ({
  status,
  of_organization,
}: {
  status: keyof typeof byStatus | null
  of_organization: boolean
}): string =>
  [
    inReachOfEvent,
    ...(status ? [byStatus[status]] : []),
    ...(of_organization ? [`event.organization_id = :organization_id and event.created_at > '-infinity'`] : []),
  ].join(' and ')

const reported_page = readVariants('life-events.listReportedLifeEvents', reported_choices, (chosen) => {
  const conditions = reportedOf(chosen)
  const lies_ahead = isAfterAnchor('event', order)
  return keysetPageJson(
    `select shown.item, keys.position, ${keyOf('keys', order)} as key from (
       select event.*, row_number() over (order by event.created_at, event.id) as position
         from qualifying_life_events as event where ${conditions} and ${lies_ahead}
        order by event.created_at, event.id limit :limit offset :offset) as keys
      cross join lateral (select keys.*) as event
      cross join lateral (${reportedJson}) as shown`,
    `select count(*) as total, count(*) filter (where ${lies_ahead}) as ahead
       from qualifying_life_events as event where ${conditions}`,
  )
})

const reportedAcrossTenants = distributedList('life-events.reported', {
  from: 'qualifying_life_events as event',
  row: 'event',
  reach: inReachOfEvent,
  choices: { status: reported_choices.status },
  where: ({ status }) => (status ? byStatus[status] : 'true'),
  order,
  item: reportedJson,
  pages: 'by_key',
})

/** A page of the life events of all organizations within reach as JSON, oldest first. */
export async function listReportedLifeEvents(ctx: ReadCtx, filter: LifeEventFilter): Promise<string | undefined> {
  const { status = null, organization_id = null } = filter
  const chosen = { status, of_organization: organization_id !== null }
  const page = spansServers(ctx, organization_id)
    ? await reportedAcrossTenants(ctx, chosen, filter, {})
    : await readKeysetPage(ctx, reported_page(chosen), filter, { organization_id })
  return withFiles(ctx, page)
}

type LifeEventRecord = NewLifeEvent & {
  id: string
  organization_id: string
  employer_id: string
  employee_id: string
  occurred_on: Day
}

const inserted = statement(
  'life-events.insertLifeEvent',
  `insert into qualifying_life_events
     (id, organization_id, employer_id, employee_id, type, occurred_on, description, created_at, updated_at)
   values
     (:id, :organization_id, :employer_id, :employee_id, :type, :occurred_on, :description, :now, :now)`,
)

export const insertLifeEvent = (ctx: Ctx, event: LifeEventRecord) =>
  inserted.rows(ctx, { ...event, description: event.description ?? null })

const same = statement(
  'life-events.findSameLifeEvent',
  `select id from qualifying_life_events
    where employee_id = :employee_id and organization_id = :organization_id and type = :type
      and occurred_on = :occurred_on and description is not distinct from coalesce(:description, description)
      and decision is null
    limit 1`,
)

/**
 * Finds a pending life event of the same type and day, and for type `other` with the same description. Undefined if the
 * event is new.
 */
export const findSameLifeEvent = (
  ctx: Ctx,
  employee: { organization_id: string; employee_id: string },
  { type, occurred_on, description }: NewLifeEvent,
) => {
  const only = type === 'other' ? (description ?? null) : null
  return same.row<{ id: string }>(ctx, { ...employee, type, occurred_on, description: only })
}

export type Decision =
  | { decision: 'approved'; reason: string | null; window_start: Day; window_end: Day }
  | { decision: 'declined'; reason: string }

const saved_decision = statement(
  'life-events.saveDecision',
  `update qualifying_life_events
      set decision = :decision, decision_reason = :decision_reason, window_start = :window_start,
          window_end = :window_end, decided_at = :now, updated_at = :now
    where id = :life_event_id and organization_id = :organization_id and decision is null
   returning id`,
)

/** Saves the decision about a life event. Undefined if it is already decided. */
export const saveDecision = (ctx: Ctx, organization_id: string, life_event_id: string, made: Decision) =>
  saved_decision.row<{ id: string }>(ctx, {
    organization_id,
    life_event_id,
    decision: made.decision,
    decision_reason: made.reason,
    window_start: made.decision === 'approved' ? made.window_start : null,
    window_end: made.decision === 'approved' ? made.window_end : null,
  })

/** An employment where a dependent lost coverage after a day. */
export type CoverageLost = { employee_id: string; employer_id: string; covered_until: Day }

const opened = statement(
  'life-events.insertApproved',
  `insert into qualifying_life_events
     (id, organization_id, employer_id, employee_id, type, occurred_on, decision, decided_at, window_start, window_end,
      created_at, updated_at)
   select new_id('qle'), :organization_id, lost.employer_id, lost.employee_id, 'dependent_coverage_ended',
          lost.covered_until, 'approved', :now, :window_start, :window_end, :now, :now
     from jsonb_to_recordset(:lost::jsonb) as lost (employee_id text, employer_id text, covered_until date)`,
)

/** Inserts approved life events that need no decision. */
export const insertApproved = (
  ctx: Ctx,
  organization_id: string,
  lost: CoverageLost[],
  window: { window_start: Day; window_end: Day },
) => opened.rows(ctx, { organization_id, lost: JSON.stringify(lost), ...window })

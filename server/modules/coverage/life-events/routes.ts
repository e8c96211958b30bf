import { Paging } from '../../../kernel/pages.ts'
import {
  alsoForOperators,
  changed,
  data,
  dataOf,
  endpoint,
  made,
  partner,
  for_operators,
} from '../../../http/endpoint.ts'
import { enrolling } from '../../../runtime/permissions.ts'
import { locateEmployee } from '../../access/auth/queries.ts'
import { refusals as elections_refusals } from '../elections/rules.ts'
import { AttachmentList, sent_attachment } from '../../directory/files/schemas.ts'
import { attachFile, detachFile, approveLifeEvent, declineLifeEvent, reportLifeEvent } from './actions.ts'
import {
  listAttachments,
  locateAttachment,
  findLifeEvent,
  locateLifeEvent,
  findReportedLifeEvent,
  listLifeEvents,
  listReportedLifeEvents,
} from './queries.ts'
import {
  Approval,
  LifeEventDecline,
  LifeEvent,
  LifeEventFilter,
  LifeEventPage,
  NewLifeEvent,
  ReportedLifeEvent,
  ReportedLifeEventPage,
} from './schemas.ts'
import { refusals } from './rules.ts'

const tag = 'Life events'

const theirs = {
  tag,
  path: '/v1/employees/{employee_id}/qualifying-life-events',
  allows: [...partner, 'employee_token'],
  locate: locateEmployee,
} as const

const attachments = {
  tag,
  path: '/v1/qualifying-life-events/{life_event_id}/attachments',
  allows: theirs.allows,
  roles: enrolling,
  scopes: ['write', 'people'],
} as const

const one_event = { tag, locate: locateLifeEvent } as const

export const endpoints = [
  ...alsoForOperators(
    endpoint({
      ...theirs,
      operation: 'life_events_list',
      roles: enrolling,
      scopes: ['read', 'people'],
      method: 'GET',
      summary: 'List the life events of an employee',
      description: 'Lists the life events reported at this employment, newest first, with their decisions.',
      query: Paging,
      returns: { 200: LifeEventPage },
      handle: (ctx, { params, query }) => listLifeEvents(ctx, params.employee_id, query),
    }),
    {
      operation: 'operator_list_employee_life_events',
      sdk: 'lifeEvents.listOf',
      description: 'Lists the life events of the employee, newest first, with their decisions.',
      ...for_operators.read,
    },
  ),
  endpoint({
    ...theirs,
    operation: 'life_events_create',
    roles: enrolling,
    scopes: ['write', 'people'],
    method: 'POST',
    summary: 'Report a life event',
    description:
      'The operator approves or declines the life event. An approval opens a window of 30 days in which the ' +
      'employee can make the changes that are consistent with the event. A person who is added within 30 days ' +
      'of a birth, adoption or placement is covered from the day of that event.',
    body: NewLifeEvent,
    returns: { 201: dataOf(LifeEvent) },
    refuses: [
      elections_refusals.employee_is_not_employed,
      refusals.life_event_already_reported,
      refusals.life_event_too_old,
    ],
    example: { type: 'birth', occurred_on: '2026-03-01', description: 'A daughter, Anne' },
    handle: async (ctx, { located, body }) =>
      made(await reportLifeEvent(ctx, located, body), (id) => findLifeEvent(ctx, id)),
  }),
  endpoint({
    ...attachments,
    operation: 'life_events_list_attachments',
    allows: [...partner, 'employer_token', 'employee_token'],
    scopes: ['read', 'people'],
    locate: locateLifeEvent,
    method: 'GET',
    summary: 'List the documents of a life event',
    description: 'Lists at most 5 documents in the order in which they were added, each with a download link.',
    returns: { 200: AttachmentList },
    handle: async (ctx, { params }) => data(await listAttachments(ctx, params.life_event_id)),
  }),
  endpoint({
    ...attachments,
    operation: 'life_events_attach',
    locate: locateLifeEvent,
    method: 'POST',
    summary: 'Attach a document to a life event',
    description:
      'Accepts at most 5 documents until the life event is decided. The content of each must be a PDF, PNG, JPEG, ' +
      'WebP or HEIC file.',
    ...sent_attachment,
    repeats: 'briefly',
    returns: { 201: dataOf(LifeEvent) },
    refuses: [elections_refusals.employee_is_not_employed, refusals.life_event_already_decided],
    example: { file_name: 'certificate.pdf', content: 'JVBERi0xLjcKJSVFT0YK' },
    handle: (ctx, { located, body }) =>
      changed(attachFile(ctx, located, body), () => findLifeEvent(ctx, located.life_event_id)),
  }),
  endpoint({
    ...attachments,
    operation: 'life_events_detach',
    path: `${attachments.path}/{attachment_id}`,
    locate: locateAttachment,
    method: 'DELETE',
    summary: 'Remove a document from a life event',
    description:
      'Deletes the document with its content. Employee tokens can remove it until the life event is decided.',
    returns: { 200: dataOf(LifeEvent) },
    refuses: [elections_refusals.employee_is_not_employed, refusals.life_event_already_decided],
    handle: (ctx, { located }) => changed(detachFile(ctx, located), () => findLifeEvent(ctx, located.life_event_id)),
  }),
  endpoint({
    tag,
    operation: 'operator_list_life_events',
    ...for_operators.read,
    path: '/operator/v1/qualifying-life-events',
    summary: 'List life events',
    description:
      'Lists the life events of every organization, oldest first. Use `status=pending` for those that need a ' +
      'decision.',
    query: LifeEventFilter,
    returns: { 200: ReportedLifeEventPage },
    handle: (ctx, { query }) => listReportedLifeEvents(ctx, query),
  }),
  endpoint({
    ...one_event,
    operation: 'operator_approve_life_event',
    ...for_operators.administer,
    method: 'POST',
    path: '/operator/v1/qualifying-life-events/{life_event_id}/approve',
    summary: 'Approve a life event',
    description:
      'Opens a window from today until 30 days later. In it, the employee can make the changes that are ' +
      'consistent with the event. If you send `exception`, the reason for an exception, any change is allowed.',
    body: Approval,
    returns: { 200: dataOf(ReportedLifeEvent) },
    refuses: [refusals.life_event_already_decided],
    example: { exception: 'Her certificate shows the divorce of last year' },
    handle: (ctx, { located, body }) =>
      changed(approveLifeEvent(ctx, located, body.exception), () => findReportedLifeEvent(ctx, located.life_event_id)),
  }),
  endpoint({
    ...one_event,
    operation: 'operator_decline_life_event',
    ...for_operators.administer,
    method: 'POST',
    path: '/operator/v1/qualifying-life-events/{life_event_id}/decline',
    summary: 'Decline a life event',
    body: LifeEventDecline,
    returns: { 200: dataOf(ReportedLifeEvent) },
    refuses: [refusals.life_event_already_decided],
    example: { reason: 'The certificate is missing.' },
    handle: (ctx, { located, body }) =>
      changed(declineLifeEvent(ctx, located, body.reason), () => findReportedLifeEvent(ctx, located.life_event_id)),
  }),
]

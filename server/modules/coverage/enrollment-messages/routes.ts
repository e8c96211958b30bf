import { changed, data, dataOf, endpoint, partner } from '../../../http/endpoint.ts'
import { downloadLink } from '../../../http/files/downloads.ts'
import { onlyOrganization } from '../../../http/authorize.ts'
import { actingOrganization } from '../../../runtime/caller.ts'
import type { ReadCtx } from '../../../runtime/ctx.ts'
import { invalid } from '../../../kernel/refusal.ts'
import { administering, enrolling, operating } from '../../../runtime/permissions.ts'
import { locateEmployer } from '../../access/auth/queries.ts'
import { locatePlanYear } from '../plan-years/queries.ts'
import { changeSchedule, changeSettings, remind, showSettings } from './actions.ts'
import { findSchedule, listAllMessages, listMessages } from './queries.ts'
import { refusals } from './rules.ts'
import { contentFor, email_kind, redeemLink } from './sending-actions.ts'
import { findMessage } from './sending-queries.ts'
import {
  EnrollmentLink,
  EnrollmentLinkToken,
  EnrollmentMessageFilter,
  EnrollmentMessagePage,
  EnrollmentMessageSettings,
  EnrollmentMessageSettingsChange,
  EnrollmentReminders,
  EnrollmentSchedule,
  EnrollmentScheduleChange,
  MessageOfOrganizationFilter,
  MessageOfOrganizationPage,
  NewEnrollmentReminders,
  ShownEnrollmentMessage,
} from './schemas.ts'

const tag = 'Enrollment windows'
const of_employer = {
  tag,
  allows: [...partner, 'employer_token'],
  roles: enrolling,
  locate: locateEmployer,
} as const
const settings = {
  tag: 'Organizations',
  path: '/v1/enrollment-message-settings',
  allows: partner,
  roles: administering,
  organization: 'needed',
} as const

/** A message as JSON, with its email in a sandbox. */
async function showMessage(ctx: ReadCtx, enrollment_message_id: string): Promise<string | undefined> {
  const message = await findMessage(ctx, { enrollment_message_id })
  if (!message) return undefined
  const has_content = message.sandbox && message.status !== 'published'
  const { organization_id } = message
  const content = has_content && {
    ...contentFor(ctx, message),
    ...(await downloadLink(ctx, { kind: email_kind, organization_id, id: enrollment_message_id })),
  }
  return JSON.stringify({ ...JSON.parse(message.json), content: content || null })
}

export const endpoints = [
  endpoint({
    ...of_employer,
    operation: 'employers_remind_to_enroll',
    sdk: 'enrollmentWindows.remind',
    method: 'POST',
    path: '/v1/employers/{employer_id}/enrollment-reminders',
    summary: 'Remind employees to enroll',
    description:
      'Reminds the employees of a plan year who have pending benefits and an open window: all of them, or those ' +
      'in `employee_ids`. An employee gets at most one message about a plan year a day. Depending on the ' +
      '`enrollment_messages` of the organization, this service sends an email, or publishes an event for each ' +
      'employee and you send the message. With `dry_run`, nothing is sent.',
    scopes: ['write', 'people'],
    locks: 'employer',
    body: NewEnrollmentReminders,
    returns: { 200: dataOf(EnrollmentReminders), 202: dataOf(EnrollmentReminders) },
    refuses: [refusals.too_many_recipients],
    example: { benefit_plan_year_id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v7xz', dry_run: true },
    handle: async (ctx, { located, body }) => {
      const { employer_id } = located
      const plan_year = await locatePlanYear(ctx, { benefit_plan_year_id: body.benefit_plan_year_id, employer_id })
      if (!plan_year) throw invalid({ field: 'benefit_plan_year_id', message: 'is not a plan year of this employer' })
      const reminders = await remind(ctx, located, { ...body, plan_year_id: plan_year.benefit_plan_year_id })
      return { status: body.dry_run ? 200 : 202, body: data(reminders) }
    },
  }),
  endpoint({
    ...of_employer,
    operation: 'employers_list_enrollment_messages',
    sdk: 'enrollmentWindows.listMessages',
    method: 'GET',
    path: '/v1/employers/{employer_id}/enrollment-messages',
    summary: 'List the messages about enrollment',
    description: 'Lists invitations and reminders with their states, newest first.',
    scopes: ['read', 'people'],
    query: EnrollmentMessageFilter,
    returns: { 200: EnrollmentMessagePage },
    handle: (ctx, { params, query }) => listMessages(ctx, params.employer_id, query),
  }),
  endpoint({
    tag,
    operation: 'list_enrollment_messages',
    sdk: 'enrollmentWindows.listAllMessages',
    method: 'GET',
    path: '/v1/enrollment-messages',
    summary: 'List the messages of all employers',
    description: 'Lists the invitations and reminders of your organization with their states, newest first.',
    allows: partner,
    roles: enrolling,
    scopes: ['read', 'people'],
    organization: 'needed',
    query: MessageOfOrganizationFilter,
    returns: { 200: MessageOfOrganizationPage },
    handle: (ctx, { query: { status: statuses, ...page } }) =>
      listAllMessages(ctx, { organization_id: onlyOrganization(ctx.caller), statuses }, page),
  }),
  endpoint({
    tag,
    operation: 'get_enrollment_message',
    sdk: 'enrollmentWindows.getMessage',
    method: 'GET',
    path: '/v1/enrollment-messages/{enrollment_message_id}',
    summary: 'Get a message about enrollment',
    description: 'In a sandbox organization the response includes the email that would be sent.',
    allows: partner,
    roles: enrolling,
    scopes: ['read', 'people'],
    locate: (ctx, { enrollment_message_id }) => findMessage(ctx, { enrollment_message_id }),
    returns: { 200: dataOf(ShownEnrollmentMessage) },
    handle: async (ctx, { params }) => data(await showMessage(ctx, params.enrollment_message_id)),
  }),
  endpoint({
    ...of_employer,
    operation: 'employers_get_enrollment_schedule',
    sdk: 'enrollmentWindows.getSchedule',
    method: 'GET',
    path: '/v1/employers/{employer_id}/enrollment-schedule',
    summary: 'Get the schedule of messages',
    scopes: ['read', 'people'],
    returns: { 200: dataOf(EnrollmentSchedule) },
    handle: async (ctx, { params }) => data(await findSchedule(ctx, { employer_id: params.employer_id })),
  }),
  endpoint({
    ...of_employer,
    operation: 'employers_set_enrollment_schedule',
    sdk: 'enrollmentWindows.setSchedule',
    roles: operating,
    method: 'PUT',
    path: '/v1/employers/{employer_id}/enrollment-schedule',
    summary: 'Set the schedule of messages',
    description:
      'Sets the days on which employees with pending benefits get messages automatically: in open enrollment and ' +
      'in the windows of new hires, by the clock of the organization. Entries that you do not send are kept.',
    scopes: ['write', 'people'],
    locks: 'employer',
    body: EnrollmentScheduleChange,
    returns: { 200: dataOf(EnrollmentSchedule) },
    example: { opening: true, three_days_before: true, one_day_before: true },
    handle: (ctx, { located, body }) =>
      changed(changeSchedule(ctx, located, body), () => findSchedule(ctx, { employer_id: located.employer_id })),
  }),
  endpoint({
    ...settings,
    operation: 'get_enrollment_message_settings',
    sdk: 'enrollmentWindows.getMessageSettings',
    scopes: ['read'],
    method: 'GET',
    summary: 'Get the settings of messages about enrollment',
    returns: { 200: dataOf(EnrollmentMessageSettings) },
    handle: async (ctx) => data(await showSettings(ctx, actingOrganization(ctx.caller))),
  }),
  endpoint({
    ...settings,
    operation: 'set_enrollment_message_settings',
    sdk: 'enrollmentWindows.setMessageSettings',
    scopes: ['write'],
    method: 'PUT',
    summary: 'Set the settings of messages about enrollment',
    description: 'Fields that you do not send are kept.',
    body: EnrollmentMessageSettingsChange,
    returns: { 200: dataOf(EnrollmentMessageSettings) },
    refuses: [refusals.email_not_configured],
    example: { sender_name: 'Harbor Benefits', dashboard_url: 'https://example.com/benefits?token={token}' },
    handle: async (ctx, { body }) => {
      const organization_id = actingOrganization(ctx.caller)
      await changeSettings(ctx, organization_id, body)
      return { resource_id: organization_id, body: data(await showSettings(ctx, organization_id))! }
    },
  }),
  endpoint({
    tag,
    operation: 'redeem_enrollment_link',
    sdk: 'enrollmentWindows.redeemLink',
    method: 'POST',
    path: '/v1/enrollment-links',
    summary: 'Redeem the token of a link',
    description:
      'Returns the employee for whom the link in an email was created. Your server redeems the token when the ' +
      'employee opens your page, and then issues an access token for the employee. A token works once, for 3 days.',
    allows: partner,
    roles: enrolling,
    scopes: ['write', 'people'],
    organization: 'needed',
    body: EnrollmentLinkToken,
    returns: { 200: dataOf(EnrollmentLink) },
    refuses: [refusals.link_not_valid],
    example: { token: 'org_01kdq7b4w8e9rs2mh3n5t6v7xz.emsg_01kdq7b4w8e9rs2mh3n5t6v7xz.x' },
    handle: async (ctx, { body }) => {
      const link = await redeemLink(ctx, actingOrganization(ctx.caller), body.token)
      return { resource_id: link.employee_id, body: data(link) }
    },
  }),
]

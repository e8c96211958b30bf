import { z } from 'zod'
import { addDays, type Day } from '../../../kernel/days.ts'
import { path_params, isParam } from '../../../kernel/ids.ts'
import { declareRefusals, fieldOf, type Detail } from '../../../kernel/refusal.ts'
import type { Caller } from '../../../runtime/caller.ts'
import { scopes, type Role } from '../../../runtime/permissions.ts'
import type { ReadOperation } from '../../../runtime/ctx.ts'

export const refusals = declareRefusals({
  exports_need_email: [
    409,
    'This installation has no mail server, so it cannot send exports.',
    'Export the list in the console. The operator can set `SMTP_URL`, `SMTP_FROM` and `PUBLIC_URL`.',
  ],
  too_many_scheduled_exports: [
    409,
    'An organization can have at most 50 scheduled exports.',
    'Delete a scheduled export that is no longer needed.',
  ],
})

export const formats = ['csv', 'xlsx'] as const
export type ExportFormat = (typeof formats)[number]
export const frequencies = ['daily', 'weekly', 'monthly'] as const
export type Frequency = (typeof frequencies)[number]
export const delivery_statuses = ['queued', 'sending', 'sent', 'not_sent', 'failed'] as const
export const failure_reasons = [
  'no_access',
  'no_email',
  'list_not_found',
  'too_many_rows',
  'bounced',
  'refused',
  'interrupted',
  'not_accepted',
] as const
export type FailureReason = (typeof failure_reasons)[number]

export const most_exports = 50
export const most_recipients = 20
/** More rows would make a file that mail servers refuse. */
export const most_rows = 20_000

/** The parameters of a list, as in its URL: those of the path and those of the query. */
export type ListParameters = Record<string, string | string[]>

/** Parameters that select a page or its form. The service sets them itself. */
const paging = ['limit', 'page', 'offset']

/** The query schema of a list, without the parameters of its pages. */
const filtersOf = ({ query }: ReadOperation) =>
  z.strictObject(Object.fromEntries(Object.entries(query?.shape ?? {}).filter(([name]) => !paging.includes(name))))

/** Separates the parameters of the path from those of the query. */
export function splitParameters({ params = {} }: ReadOperation, parameters: ListParameters) {
  const entries = Object.entries(parameters)
  return {
    path: Object.fromEntries(entries.filter(([name]) => Object.hasOwn(params, name))) as Record<string, string>,
    query: Object.fromEntries(entries.filter(([name]) => !Object.hasOwn(params, name))),
  }
}

/** The faults of the parameters of a list. */
export function parameterFaults(list: ReadOperation, parameters: ListParameters): Detail[] {
  const { path, query } = splitParameters(list, parameters)
  const faults: Detail[] = Object.keys(list.params ?? {}).flatMap((name) => {
    const kind = path_params[name as keyof typeof path_params]
    const is_fine = typeof path[name] === 'string' && isParam(kind, path[name])
    return is_fine ? [] : [{ field: `parameters.${name}`, message: 'is required for this list and must be an id' }]
  })
  const parsed = filtersOf(list).safeParse(query)
  const wrong = parsed.error?.issues ?? []
  return [
    ...faults,
    ...wrong.flatMap((issue): Detail[] =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((name) => ({ field: `parameters.${name}`, message: 'is not a filter of this list' }))
        : [{ field: `parameters.${fieldOf(issue.path)}`, message: issue.message }],
    ),
  ]
}

/** Whether a role may read a list. */
export const mayRead = (list: ReadOperation, role: Role): boolean => list.roles.includes(role)

/** The first day after `today` on which an export is due: the next day, Monday, or first of a month. */
export function nextDue(frequency: Frequency, today: Day): Day {
  if (frequency === 'daily') return addDays(today, 1)
  const date = Temporal.PlainDate.from(today)
  if (frequency === 'weekly') return date.add({ days: 8 - date.dayOfWeek }).toString()
  return date.with({ day: 1 }).add({ months: 1 }).toString()
}

/** The recipient of an export as a caller, so that the file has only what the recipient may see. */
export const recipientCaller = (
  { organization_id, user_id, role }: { organization_id: string; user_id: string; role: Role },
  clock_offset_days: number,
): Caller => ({
  kind: 'session_token',
  credential_id: `export:${user_id}`,
  key_id: null,
  user_id,
  reach: { organization_ids: [organization_id], employer_id: null, employee_id: null },
  roles: { [organization_id]: role },
  super_role: null,
  scopes,
  mode: null,
  allowed_origins: null,
  expires_at: null,
  signed_in_at: null,
  rate_limited: false,
  operator_role: null,
  clocks: { [organization_id]: clock_offset_days },
})

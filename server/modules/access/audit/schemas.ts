import { z } from 'zod'
import { Id, Instant, Timestamp } from '../../../kernel/fields.ts'
import { CursorPagination, pageQuery } from '../../../kernel/pages.ts'

export const outcomes = ['succeeded', 'refused', 'failed'] as const

export const AuditEntry = z
  .object({
    id: Id('aud'),
    organization_id: Id('org').nullable().meta({ description: 'Null: it was of no one organization.' }),
    occurred_at: Timestamp.meta({ description: 'By the calendar, also where a sandbox has a clock of its own.' }),
    operation: z.string().meta({ description: 'The id of the operation.', example: 'employees_get' }),
    resource_id: z
      .string()
      .nullable()
      .meta({ description: 'What was read, made or changed: the last thing that the path names.' }),
    outcome: z.enum(outcomes).meta({ description: 'refused: a status from 400 on; failed: from 500 on.' }),
    status: z.int().meta({ description: 'The HTTP status of the answer.', example: 200 }),
    actor: z.object({
      kind: z.string().meta({
        description:
          'api_key, access_token, employer_token, employee_token or operator; session: who signed in; stranger: a ' +
          'credential that is not good. More kinds may come.',
      }),
      id: z.string().nullable().meta({
        description: 'The key; of a bound token the key, a slash, and what it is bound to.',
      }),
      user_id: Id('usr').nullable(),
    }),
    address: z.string().nullable().meta({ description: 'Where it came from.', example: '203.0.113.7' }),
    trace_id: z.string().meta({ description: 'The `X-Request-Id` of the answer.' }),
    fields: z
      .array(z.string())
      .nullable()
      .meta({ description: "The names of the body's fields, never their values; null where nothing was changed." }),
  })
  .meta({ id: 'AuditEntry', description: 'Who read or did what, when and from where. It holds nothing personal.' })

export const AuditEntryPage = z
  .object({
    data: z.array(AuditEntry),
    pagination: CursorPagination,
    next_offset: z.string().nullable().meta({ description: 'The same as `pagination.next_offset`.' }),
  })
  .meta({ id: 'AuditEntryPage' })

const name = (example: string) =>
  z
    .string()
    .regex(/^[\w/-]{1,100}$/, 'must be 1 to 100 letters, digits, _, - and /')
    .optional()
    .meta({ example })

const filters = {
  occurred_after: Instant.optional().meta({ description: 'Only what happened from this instant on.' }),
  occurred_before: Instant.optional().meta({ description: 'Only what happened before this instant.' }),
  actor: name('key_01kdq7b4w8e9rs2mh3n5t6v7xz').meta({ description: 'Only of this credential or user, by its id.' }),
  operation: name('employees_get').meta({ description: 'Only this operation, by its id.' }),
  resource_id: name('empl_01kdq7b4w8e9rs2mh3n5t6v7xz').meta({ description: 'Only of this resource.' }),
  trace_id: name('0d2f6a3c-5d1f-4a57-9f0e-6f0f3b0c9a11').meta({
    description: 'Only this request, by its `X-Request-Id`.',
  }),
  outcome: z.enum(outcomes).optional(),
}

const paging = {
  limit: pageQuery.limit,
  offset: z
    .string()
    .max(1000, 'must be the next_offset of a page of this list')
    .optional()
    .meta({ description: 'The `next_offset` of the page before; opaque, and only good for the same list.' }),
}

const organization_id = Id('org').optional().meta({ description: 'Only of this organization.' })

export const AuditFilter = z.object({ ...filters, ...paging })
export const OperatorAuditFilter = AuditFilter.extend({ organization_id })

const format = z
  .enum(['csv', 'ndjson'])
  .default('csv')
  .meta({ description: 'ndjson: an AuditEntry on each line.', example: 'csv' })

export const AuditExport = z.object({ ...filters, format })
export const OperatorAuditExport = AuditExport.extend({ organization_id })
export type AuditExport = z.output<typeof AuditExport>

/** Which entries are asked for; null: of all organizations. */
export type EntriesAsked = Omit<AuditExport, 'format'> & { organization_id: string | null }

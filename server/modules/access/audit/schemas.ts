import { z } from 'zod'
import { Id, Instant, Timestamp } from '../../../kernel/fields.ts'
import { cursorPageOf, cursorQuery } from '../../../kernel/pages.ts'

const AuditOutcome = z.enum(['succeeded', 'refused', 'failed']).meta({
  id: 'AuditOutcome',
  description: '`succeeded`: a status below 400. `refused`: 400 to 499. `failed`: 500 or higher.',
})

export const AuditEntry = z
  .object({
    id: Id('aud'),
    organization_id: Id('org')
      .nullable()
      .meta({ description: 'The organization. Null if the operation was not on a single organization.' }),
    occurred_at: Timestamp.meta({ description: 'The actual time, even if a sandbox has its own clock.' }),
    operation: z.string().meta({ description: 'The id of the operation.', example: 'employees_get' }),
    resource_id: z
      .string()
      .nullable()
      .meta({ description: 'The resource that was read, created or changed: the last one in the path.' }),
    outcome: AuditOutcome,
    status: z.int().meta({ description: 'The HTTP status of the response.', example: 200 }),
    actor: z.object({
      kind: z.string().meta({
        description:
          'The kind of credential: api_key, session_token, access_token, employer_token, employee_token or operator; ' +
          'unauthenticated for an invalid credential; service for the service itself. More kinds may be added.',
      }),
      id: z.string().nullable().meta({
        description: 'The id of the key. For a bound token: the key, a slash, and the entity it is bound to.',
      }),
      user_id: Id('usr').nullable(),
    }),
    address: z.string().nullable().meta({ description: 'The IP address of the client.', example: '203.0.113.7' }),
    trace_id: z.string().meta({ description: 'The `X-Request-Id` of the response.' }),
    fields: z.array(z.string()).nullable().meta({
      description: 'The names of the fields in the request body, never their values. Null if nothing was changed.',
    }),
  })
  .meta({
    id: 'AuditEntry',
    description: 'A read or write with its caller, time and address. It contains no personal data.',
  })

export const AuditEntryPage = cursorPageOf('AuditEntryPage', AuditEntry)

const name = (example: string) =>
  z
    .string()
    .regex(/^[\w/-]{1,100}$/, 'must be 1 to 100 letters, digits, _, - and /')
    .optional()
    .meta({ example })

const filters = {
  occurred_after: Instant.optional().meta({ description: 'Only entries at or after this instant.' }),
  occurred_before: Instant.optional().meta({ description: 'Only entries before this instant.' }),
  actor: name('key_01kdq7b4w8e9rs2mh3n5t6v7xz').meta({
    description: 'Only entries of this credential or user, by id.',
  }),
  operation: name('employees_get').meta({ description: 'Only entries of this operation, by id.' }),
  resource_id: name('empl_01kdq7b4w8e9rs2mh3n5t6v7xz').meta({ description: 'Only entries about this resource.' }),
  trace_id: name('0d2f6a3c-5d1f-4a57-9f0e-6f0f3b0c9a11').meta({
    description: 'Only the entry of this request, by its `X-Request-Id`.',
  }),
  outcome: AuditOutcome.optional().meta({ description: 'Only entries with this outcome.' }),
}

const organization_id = Id('org').optional().meta({ description: 'Only entries of this organization.' })

export const AuditFilter = z.object({ ...filters, ...cursorQuery('list') })
export const OperatorAuditFilter = AuditFilter.extend({ organization_id })

const format = z
  .enum(['csv', 'ndjson'])
  .default('csv')
  .meta({ description: 'The format of the file. `ndjson` has one AuditEntry per line.', example: 'csv' })

export const AuditExport = z.object({ ...filters, format })
export const OperatorAuditExport = AuditExport.extend({ organization_id })
export type AuditExport = z.output<typeof AuditExport>

/** Filters for audit entries. Without an organization, they cover all of them. */
export type EntriesFilter = Omit<AuditExport, 'format'> & { organization_id: string | null }

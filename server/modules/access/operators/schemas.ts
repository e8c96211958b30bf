import { z } from 'zod'
import { flag } from '../../../http/endpoint.ts'
import { operator_roles } from '../../../runtime/caller.ts'
import { Email, Id, Instant, text, Timestamp } from '../../../kernel/fields.ts'
import { pageQuery, Pagination } from '../../../kernel/pages.ts'

export const OperatorRole = z.enum(operator_roles).meta({
  id: 'OperatorRole',
  description:
    '`owner` may do everything; `operations` all but money and operators; `billing` reads and moves money; ' +
    '`support` reads.',
})

export const Operator = z
  .object({
    id: Id('usr'),
    name: z.string(),
    email: z.string().nullable(),
    role: OperatorRole,
    created_at: Timestamp,
    ended_at: Timestamp.nullable().meta({ description: 'Since when they are no operator any more.' }),
  })
  .meta({ id: 'Operator' })

export const OperatorList = z.object({ data: z.array(Operator), pagination: Pagination }).meta({ id: 'OperatorList' })

export const OperatorFilter = z.object({
  include_ended: flag.meta({ description: 'Whether those who are no operators any more are listed too.' }),
  ...pageQuery,
})

export type OperatorFilter = z.output<typeof OperatorFilter>

const key_fields = {
  name: text().meta({ description: 'What it is for.', example: 'Laptop' }),
  expires_at: Instant.nullish().meta({
    description: 'When it ends: within 366 days; after 90 days unless said.',
    example: undefined,
  }),
}

export const NewOperatorKey = z.object(key_fields).meta({ id: 'NewOperatorKey' })

export type NewOperatorKey = z.output<typeof NewOperatorKey>

export const NewOperator = z
  .object({
    name: text(),
    email: Email,
    role: OperatorRole,
    key: NewOperatorKey.nullish().meta({ description: 'Their first key; named "First key" unless said.' }),
  })
  .meta({ id: 'NewOperator' })

export type NewOperator = z.output<typeof NewOperator>

export const OperatorChanges = z.object({ role: OperatorRole }).meta({ id: 'OperatorChanges' })

export const OperatorKey = z
  .object({
    id: Id('opkey'),
    operator_id: Id('usr'),
    name: z.string(),
    last_four: z.string().meta({ description: 'The last four characters of the key.' }),
    created_by: Id('usr').nullable().meta({ description: 'The operator who made it; null: a command did.' }),
    created_at: Timestamp,
    last_used_at: Timestamp.nullable().meta({
      description: 'When it was used last, at most a minute behind.',
      on_null: 'null: not yet.',
    }),
    expires_at: Timestamp,
    revoked_at: Timestamp.nullable(),
  })
  .meta({ id: 'OperatorKey' })

export const OperatorCredential = z
  .object({
    user: z
      .object({ id: Id('usr'), name: z.string(), email: z.string().nullable() })
      .meta({ description: 'The operator.' }),
    role: OperatorRole,
    operator_key: z
      .object({
        id: Id('opkey'),
        name: z.string().meta({ description: 'What it is for.' }),
        last_four: z.string().meta({ description: 'The last four characters of the key.' }),
      })
      .nullable()
      .meta({ description: 'The key that was sent.', on_null: 'null: it is the token of a session.' }),
    signed_in_at: Timestamp.nullable().meta({
      description: 'When the operator signed in with a browser.',
      on_null: 'null: it is of no session.',
    }),
    expires_at: Timestamp.meta({ description: 'From this instant on it opens nothing.' }),
  })
  .meta({ id: 'OperatorCredential' })

export const OperatorKeyList = z
  .object({ data: z.array(OperatorKey), pagination: Pagination })
  .meta({ id: 'OperatorKeyList' })

const operator_key = z.string().meta({ description: 'The key itself, shown this once.' })

export const ShownOperatorKey = OperatorKey.extend({ operator_key }).meta({ id: 'ShownOperatorKey' })

export const MadeOperator = Operator.extend({
  key: ShownOperatorKey.meta({ description: 'Their first key, shown this once.' }),
}).meta({ id: 'MadeOperator' })

export const KeyPage = z.object(pageQuery)

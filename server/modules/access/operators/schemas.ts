import { z } from 'zod'
import { flag } from '../../../http/endpoint.ts'
import { operator_roles } from '../../../runtime/caller.ts'
import { Email, Id, Instant, text, Timestamp } from '../../../kernel/fields.ts'
import { pageOf, pageQuery } from '../../../kernel/pages.ts'

export const OperatorRole = z.enum(operator_roles).meta({
  id: 'OperatorRole',
  description:
    '`owner` can do everything. `operations` can do everything except money and operators. `billing` can read, ' +
    'and manages money. `support` can only read.',
})

export const Operator = z
  .object({
    id: Id('usr'),
    name: z.string().meta({ description: 'The name of the operator.' }),
    email: z.string().nullable(),
    role: OperatorRole,
    created_at: Timestamp,
    ended_at: Timestamp.nullable().meta({
      description: 'When the user stopped being an operator. Null for current operators.',
    }),
  })
  .meta({ id: 'Operator' })

export const OperatorList = pageOf('OperatorList', Operator)

export const OperatorFilter = z.object({
  include_ended: flag.meta({ description: 'Whether to include former operators.' }),
  ...pageQuery,
})

export type OperatorFilter = z.output<typeof OperatorFilter>

/** The lifetime of operator keys in days, by default and at most. */
export const key_days = { usual: 90, most: 366 }

const key_fields = {
  name: text().meta({ description: 'The name of the key.', example: 'Laptop' }),
  expires_at: Instant.nullish().meta({
    description: `When the key expires. At most ${key_days.most} days from now; the default is ${key_days.usual}.`,
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
    key: NewOperatorKey.nullish().meta({
      description: 'The first key of the operator. Its default name is "First key".',
    }),
  })
  .meta({ id: 'NewOperator' })

export type NewOperator = z.output<typeof NewOperator>

export const OperatorChanges = z.object({ role: OperatorRole }).meta({ id: 'OperatorChanges' })

export const OperatorKey = z
  .object({
    id: Id('opkey'),
    operator_id: Id('usr'),
    name: z.string().meta({ description: 'The name of the key.' }),
    last_four: z.string().meta({ description: 'The last four characters of the key.' }),
    created_by: Id('usr')
      .nullable()
      .meta({ description: 'The operator who created the key. Null if a command created it.' }),
    created_at: Timestamp,
    last_used_at: Timestamp.nullable().meta({
      description: 'When the key was last used. Up to a minute behind. Null if it was never used.',
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
        name: z.string().meta({ description: 'The name of the key.' }),
        last_four: z.string().meta({ description: 'The last four characters of the key.' }),
      })
      .nullable()
      .meta({ description: 'The key of the request. Null for a token of a session.' }),
    signed_in_at: Timestamp.nullable().meta({
      description: 'When the operator signed in with a browser. Null if it is not a session.',
    }),
    expires_at: Timestamp.meta({ description: 'When the credential expires.' }),
  })
  .meta({ id: 'OperatorCredential' })

export const OperatorKeyList = pageOf('OperatorKeyList', OperatorKey)

const operator_key = z.string().meta({ description: 'The key itself. Only this response shows it.' })

export const ShownOperatorKey = OperatorKey.extend({ operator_key }).meta({ id: 'ShownOperatorKey' })

export const CreatedOperator = Operator.extend({
  key: ShownOperatorKey.meta({ description: 'The first key of the operator. Only this response shows it.' }),
}).meta({ id: 'CreatedOperator' })

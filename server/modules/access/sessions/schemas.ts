import { z } from 'zod'
import { Id, Timestamp } from '../../../kernel/fields.ts'
import { pageQuery, Pagination } from '../../../kernel/pages.ts'

export const Session = z
  .object({
    id: Id('sess'),
    user_id: Id('usr'),
    user_name: z.string(),
    signed_in_with: z.enum(['openid', 'sandbox']),
    user_agent: z.string().nullable().meta({ description: 'As the browser called itself.' }),
    status: z.enum(['active', 'ended', 'revoked']),
    created_at: Timestamp,
    last_used_at: Timestamp.meta({ description: 'At most a minute old.' }),
    expires_at: Timestamp.meta({
      description: 'When it ends at the latest; an hour after its last use unless sooner.',
    }),
    revoked_at: Timestamp.nullable(),
  })
  .meta({ id: 'Session' })

export const SessionList = z.object({ data: z.array(Session), pagination: Pagination }).meta({ id: 'SessionList' })

export const SessionPage = z.object(pageQuery)

export const SessionFilter = z.object({
  user_id: z.string().optional().meta({ description: 'Those of one user.' }),
  ...pageQuery,
})

export type SessionFilter = z.output<typeof SessionFilter>

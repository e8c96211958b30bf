import { z } from 'zod'
import { Id, Timestamp } from '../../../kernel/fields.ts'
import { pageOf, pageQuery } from '../../../kernel/pages.ts'

export const Session = z
  .object({
    id: Id('sess'),
    user_id: Id('usr'),
    user_name: z.string(),
    signed_in_with: z.enum(['openid', 'sandbox']).meta({
      id: 'SignedInWith',
      description: 'openid: through the OpenID Connect provider. sandbox: by choosing a person of the sandbox.',
    }),
    user_agent: z.string().nullable().meta({ description: 'The User-Agent header of the browser.' }),
    status: z.enum(['active', 'ended', 'revoked']).meta({
      id: 'SessionStatus',
      description:
        'active: accepted. ended: the session reached its maximum age, or was not used for an hour. revoked: signed ' +
        'out.',
    }),
    created_at: Timestamp,
    last_used_at: Timestamp.meta({ description: 'When the session was last used. Up to a minute behind.' }),
    expires_at: Timestamp.meta({
      description: 'When the session ends at the latest. It ends earlier if it is unused for an hour.',
    }),
    revoked_at: Timestamp.nullable(),
  })
  .meta({ id: 'Session' })

export const SessionList = pageOf('SessionList', Session)

export const SessionFilter = z.object({
  user_id: z.string().optional().meta({ description: 'Only sessions of this user.' }),
  ...pageQuery,
})

export type SessionFilter = z.output<typeof SessionFilter>

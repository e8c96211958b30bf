import { data, dataOf, endpoint, partner, roles_to } from '../../../http/endpoint.ts'
import { everyone } from '../../../runtime/permissions.ts'
import { refuse } from '../../../kernel/refusal.ts'
import { revokeSession } from './actions.ts'
import { findSession, listOwnSessions, listSessions, locateOwnSession, locateSession } from './queries.ts'
import { whyNotRevoke } from './rules.ts'
import { Session, SessionFilter, SessionList, SessionPage } from './schemas.ts'

export { pages } from './page-routes.ts'

const own = { tag: 'Authentication', allows: partner, roles: everyone, organization: 'none' } as const
const operated = { tag: 'Operators', allows: ['operator'], organization: 'none', roles: roles_to.read } as const

export const endpoints = [
  endpoint({
    ...own,
    operation: 'sessions_list',
    scopes: ['read'],
    method: 'GET',
    path: '/v1/sessions',
    summary: 'List my sessions',
    description:
      "Where the credential's owner is signed in with a browser, or was in the last 90 days; the newest first.",
    query: SessionPage,
    returns: { 200: SessionList },
    handle: (ctx, { query }) => listOwnSessions(ctx, query),
  }),
  endpoint({
    ...own,
    operation: 'sessions_revoke',
    scopes: ['write'],
    method: 'DELETE',
    path: '/v1/sessions/{session_id}',
    summary: 'Sign out of a session',
    description: 'Ends it, and its access tokens within 5 seconds in every process.',
    params: { session_id: 'sess' },
    locate: locateOwnSession,
    returns: { 200: dataOf(Session) },
    changes_reach: true,
    handle: async (ctx, { located }) => {
      await revokeSession(ctx, located)
      return data(await findSession(ctx, located.session_id))
    },
  }),
  endpoint({
    ...operated,
    operation: 'operator_list_sessions',
    sdk: 'sessions.list',
    method: 'GET',
    path: '/operator/v1/sessions',
    summary: 'List sessions',
    description:
      'Who is signed in with a browser, or was in the last 90 days: operators and members, the newest first.',
    query: SessionFilter,
    returns: { 200: SessionList },
    handle: (ctx, { query }) => listSessions(ctx, query),
  }),
  endpoint({
    ...operated,
    operation: 'operator_revoke_session',
    sdk: 'sessions.revoke',
    method: 'DELETE',
    path: '/operator/v1/sessions/{session_id}',
    summary: 'Sign somebody out',
    description:
      "Ends a session, and its access tokens within 5 seconds in every process: one's own; those of members as an " +
      'owner or with the role `operations`; those of other operators as an owner.',
    params: { session_id: 'sess' },
    locate: locateSession,
    returns: { 200: dataOf(Session) },
    changes_reach: true,
    handle: async (ctx, { located }) => {
      refuse(whyNotRevoke(ctx.caller, located))
      await revokeSession(ctx, located)
      return data(await findSession(ctx, located.session_id))
    },
  }),
]

import { Paging } from '../../../kernel/pages.ts'
import { changed, data, dataOf, endpoint, partner, for_operators } from '../../../http/endpoint.ts'
import { everyone } from '../../../runtime/permissions.ts'
import { refuse } from '../../../kernel/refusal.ts'
import { revokeSession } from './actions.ts'
import { findSession, listOwnSessions, listSessions, locateOwnSession, locateSession } from './queries.ts'
import { listed_days, whyNotRevoke } from './rules.ts'
import { Session, SessionFilter, SessionList } from './schemas.ts'

export { pages } from './page-routes.ts'

const own = { tag: 'Authentication', allows: partner, roles: everyone, organization: 'none' } as const
const operated = { tag: 'Operators', ...for_operators.read } as const

export const endpoints = [
  endpoint({
    ...own,
    operation: 'sessions_list',
    scopes: ['read'],
    method: 'GET',
    path: '/v1/sessions',
    summary: 'List my sessions',
    description:
      "Returns the browser sessions of the credential's owner, newest first. " +
      `Ended sessions are listed for ${listed_days} days.`,
    query: Paging,
    returns: { 200: SessionList },
    handle: (ctx, { query }) => listOwnSessions(ctx, {}, query),
  }),
  endpoint({
    ...own,
    operation: 'sessions_revoke',
    scopes: ['write'],
    method: 'DELETE',
    path: '/v1/sessions/{session_id}',
    summary: 'Sign out of a session',
    description: 'Ends the session. Its access tokens stop working within 5 seconds in every process.',
    locate: locateOwnSession,
    returns: { 200: dataOf(Session) },
    changes_reach: true,
    handle: (ctx, { located }) => changed(revokeSession(ctx, located), () => findSession(ctx, located)),
  }),
  endpoint({
    ...operated,
    operation: 'operator_list_sessions',
    sdk: 'sessions.list',
    method: 'GET',
    path: '/operator/v1/sessions',
    summary: 'List sessions',
    description:
      'Returns the browser sessions of operators and members, newest first. ' +
      `Ended sessions are listed for ${listed_days} days.`,
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
    summary: 'End a session',
    description:
      'Ends the session. Its access tokens stop working within 5 seconds in every process. All operators can end ' +
      'their own sessions. `operations` can also end sessions of members, and owners can end any session.',
    locate: locateSession,
    returns: { 200: dataOf(Session) },
    changes_reach: true,
    handle: async (ctx, { located }) => {
      refuse(whyNotRevoke(ctx.caller, located))
      await revokeSession(ctx, located)
      return data(await findSession(ctx, located))
    },
  }),
]

import type { Module } from '../../runtime/module.ts'
import * as organizations from './organizations/routes.ts'
import * as operators from './operators/routes.ts'
import * as invitations from './invitations/routes.ts'
import * as sessions from './sessions/routes.ts'
import * as auth from './auth/routes.ts'
import * as usage from './usage/routes.ts'
import * as apiKeys from './api-keys/routes.ts'
import * as audit from './audit/routes.ts'
import { identity_provider } from '../../integrations/identity/provider.ts'
import { sign_in_provider } from '../../integrations/sign-in/provider.ts'
import { requestMissingMirror, tasks as organizations_tasks } from './organizations/actions.ts'
import { hasMirrorToRequest } from './organizations/queries.ts'
import { purgeSessions } from './sessions/queries.ts'
import { cleanUpUsage } from './usage/actions.ts'
import { export_kind, openExport, sealDay } from './audit/actions.ts'

/** The modules of the district in order: each imports only from those above, and from districts below. */
export const access_modules: Module[] = [
  {
    name: 'organizations',
    integrations: [identity_provider],
    tables: ['organizations', 'organization_counts', 'users', 'memberships', 'directory_counts'],
    endpoints: organizations.endpoints,
    tasks: organizations_tasks,
    runDay: [requestMissingMirror],
    hasDailyRun: hasMirrorToRequest,
  },
  { name: 'operators', tables: ['operators', 'operator_keys'], endpoints: operators.endpoints },
  { name: 'invitations', tables: ['operator_invitations', 'member_invitations'], endpoints: invitations.endpoints },
  {
    name: 'sessions',
    integrations: [sign_in_provider],
    tables: ['sessions', 'user_identities'],
    endpoints: sessions.endpoints,
    pages: sessions.pages,
    cleanUp: purgeSessions,
  },
  { name: 'auth', tables: [], endpoints: auth.endpoints },
  { name: 'api-keys', tables: ['api_keys'], endpoints: apiKeys.endpoints },
  { name: 'usage', tables: ['credential_usage'], endpoints: usage.endpoints, cleanUp: cleanUpUsage },
  {
    name: 'audit',
    tables: ['audit_seals'],
    endpoints: audit.endpoints,
    downloads: { [export_kind]: openExport },
    cleanUp: sealDay,
  },
]

import { operator_roles, type CallerKind } from '../../runtime/caller.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { roles } from '../../runtime/permissions.ts'

const tokens: [CallerKind, string][] = [
  ['session_token', 'session token'],
  ['access_token', 'unbound token'],
  ['employer_token', 'employer token'],
  ['employee_token', 'employee token'],
]

const introduction = `# Permissions

Generated from the endpoint records by \`npm run gen\`. \`server/test/contract.test.ts\` calls every operation below
with every role and kind of credential, for own and foreign resources.

An operation is allowed if all three of these allow it:

- **The role** of the key's owner in the organization. A token has at most the role of its key's owner, and follows
  changes within 5 seconds. Members of a \`super_in\` organization have their role in all organizations.
- **The kind of credential.** API keys can call all operations; tokens only where listed. A session token belongs to a
  member who signed in with a browser. An unbound token was issued by a key. A bound token gives access to its employer
  or employee only.
- **The scopes** of the key, which must include all scopes of the operation.

| Response | When |
|---|---|
| 403 \`organization_access_denied\` | \`X-Service-Organization\` names an organization out of the credential's reach |
| 404 \`not_found\` | the resource does not exist or is inaccessible; checked before the 403s below |
| 403 \`forbidden\` | the resource is accessible, but role, kind or scopes do not allow the operation |
| 403 \`sign_in_again\` | it creates a long-lived credential, and the sign-in was more than an hour ago |

A dash means 403. Bound tokens get a 404 if the path names a resource that they cannot access.
`

const of_operators = `## Operators

The permissions of operators by role, with a key or the access token of a session. Both follow changes of the role
within 5 seconds. Each operation states whose keys and sessions it can manage; operators can always manage their own.
The bootstrap key can only create the first owner with \`operator_create_operator\`.
`

const cell = (allowed: boolean) => (allowed ? 'yes' : '–')

const tableOf = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

const named = ({ operation, method, path }: Endpoint) => [`\`${operation}\``, `${method} \`${path}\``]

/** docs/permissions.md: the permissions on both APIs, from the declarations of their operations. */
export function permissionsDocument(endpoints: Endpoint[]): string {
  const head = ['Operation', 'Path', ...roles.map((role) => `\`${role}\``), ...tokens.map(([, name]) => name), 'Scopes']
  const rows = endpoints
    .filter(({ path }) => path.startsWith('/v1/'))
    .map((endpoint) => [
      ...named(endpoint),
      ...roles.map((role) => cell(endpoint.roles.includes(role))),
      ...tokens.map(([kind]) => cell(endpoint.allows.includes(kind))),
      (endpoint.scopes ?? []).map((scope) => `\`${scope}\``).join(' ') || '–',
    ])
  const operators_head = ['Operation', 'Path', ...operator_roles.map((role) => `\`${role}\``)]
  const operators_rows = endpoints
    .filter(({ path }) => path.startsWith('/operator/'))
    .map((endpoint) => [...named(endpoint), ...operator_roles.map((role) => cell(endpoint.roles.includes(role)))])
  return `${introduction}\n${tableOf(head, rows)}\n\n${of_operators}\n${tableOf(operators_head, operators_rows)}\n`
}

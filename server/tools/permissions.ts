import { operator_roles, type CallerKind } from '../runtime/caller.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { roles } from '../runtime/permissions.ts'

const tokens: [CallerKind, string][] = [
  ['session_token', 'session token'],
  ['access_token', 'unbound token'],
  ['employer_token', 'employer token'],
  ['employee_token', 'employee token'],
]

const introduction = `# Who may do what

Generated from the endpoint records by \`npm run gen\`, and held by \`server/test/contract.test.ts\`, which asks every
operation below with every role and kind of credential, for what is the organization's own and for what is another's.

An operation is performed when all three allow it:

- **The role** that the owner of the key has in the organization. A token has at most the role of its key's owner, and
  follows it within 5 seconds when it changes or ends. Members of a \`super_in\` organization act in their role there
  everywhere.
- **The kind of credential.** API keys may do all of it; tokens where it says so. A session token is of a member who is
  signed in with a browser, an unbound one was issued by a key. A bound token reaches its employer or employee and
  nothing else.
- **The scopes** of the key, each that the operation names.

| Answer | When |
|---|---|
| 403 \`organization_access_denied\` | \`X-Service-Organization\` names an organization out of reach |
| 404 \`not_found\` | the path names what does not exist or is out of reach: before any 403 of what follows |
| 403 \`forbidden\` | what the path names is within reach; role, kind or scopes do not allow the operation |
| 403 \`sign_in_again\` | it makes what outlasts a session, and the sign-in was more than an hour ago |

A dash is a 403, and for bound tokens a 404 where the path names something that they do not reach.
`

const of_operators = `## Operators

What operators may by their role, with a key or the access token of a session; both end or change within 5 seconds with
the role. Whose keys and sessions are whose to handle, each operation says: one's own always are. The bootstrap key
makes the first owner, by \`operator_create_operator\`, and nothing else.
`

const cell = (allowed: boolean) => (allowed ? 'yes' : '–')

const tableOf = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

const named = ({ operation, method, path }: Endpoint) => [`\`${operation}\``, `${method} \`${path}\``]

/** docs/permissions.md: who may do what on both interfaces, by the declarations of their operations. */
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

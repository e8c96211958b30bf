/** The signed-in user, and the access token that the session fetches. The session cookie allows nothing else. */

import { isProxyError, Offline, watchedFetch } from './connection.ts'

export type Membership = { id: string; name: string; role: string; today: string }

export type Session = {
  access_token: string
  expires_in: number
  session_id: string
  /** whether this is a sandbox, which allows switching users */
  sandbox: boolean
  organization_id: string | null
  role: string
  user: { id: string; name: string }
  operator_role: string | null
  organizations: Membership[]
  /** the present day of the service */
  today: string
  /** for operators: the latest present day of an organization, which a test clock may have moved */
  latest_today: string | null
}

/** No user is signed in, or the session has ended. */
export class NotSignedIn extends Error {}

// In two steps, because Vite treats `new URL('…', import.meta.url)` as an asset.
const { url: this_script } = import.meta

/** The URLs of the console and of the service, derived from the URL of this script. */
export const console_path = new URL('..', this_script).pathname
export const base_url = new URL('..', new URL(console_path, location.origin)).href.replace(/\/$/, '')

/** The role to act in: `operator`, the id of an organization, or null for the user's first role. */
const acting_as = new URLSearchParams(location.search).get('as')?.replaceAll('"', '') ?? null

/** The share of a token's lifetime after which it is renewed. */
const renewal_share = 0.8

/** Listeners for the end of the session. */
const end_listeners = new Set<() => void>()
export const onSessionEnd = (listener: () => void) => end_listeners.add(listener)

/** The session of this page. Pages render only after it is known. Switching the user or the role loads another page. */
export let session: Session

/** Whether the user acts as an operator. */
export const isOperator = (): boolean => session.organization_id === null

/** When to renew the token of the session. 0 if it was refused. */
let renew_at = 0
let pending: Promise<Session> | undefined

async function fetchSession(): Promise<Session> {
  const query = acting_as === null ? '' : `?as=${encodeURIComponent(acting_as)}`
  const answer = await watchedFetch(`${base_url}/sign-in/access-token${query}`, { method: 'POST' }).catch((error) => {
    throw new Offline('The service does not respond.', { cause: error })
  })
  if (isProxyError(answer)) throw new Offline('The service does not respond.')
  if (answer.status === 401) {
    for (const listener of end_listeners) listener()
    throw new NotSignedIn('This browser has no signed-in user.')
  }
  const body = await answer.json()
  if (!answer.ok) throw new Error(body.message)
  session = body
  renew_at = Date.now() + session.expires_in * 1000 * renewal_share
  return session
}

/** The session with a valid token. Concurrent calls share one request. */
export async function getSession(): Promise<Session> {
  if (Date.now() < renew_at) return session
  pending ??= fetchSession().finally(() => (pending = undefined))
  return pending
}

/** For the SDK: the current token, or a new one after a refusal. */
export async function getToken(refused?: string): Promise<string> {
  if (refused !== undefined && refused === session.access_token) renew_at = 0
  return (await getSession()).access_token
}

const areas = {
  book: ['ADMIN', 'OPERATIONS', 'SALES', 'ENROLLMENT_AGENT'],
  people: ['ADMIN', 'OPERATIONS', 'ENROLLMENT_AGENT'],
  employment: ['ADMIN', 'OPERATIONS'],
  money: ['ADMIN', 'OPERATIONS'],
  settings: ['ADMIN', 'OPERATIONS'],
  webhooks: ['ADMIN'],
  keys: ['ADMIN'],
} as const

const operator_areas = {
  administer: ['owner', 'operations'],
  bill: ['owner', 'billing'],
  own: ['owner'],
} as const
type MemberArea = keyof typeof areas
export type Area = MemberArea | keyof typeof operator_areas

const isMemberArea = (area: Area): area is MemberArea => area in areas

/**
 * Whether the user's role covers an area. All operators may read. The console hides actions outside the role's areas,
 * and the service checks again.
 */
export const isRoleAllowed = (area: Area): boolean =>
  isMemberArea(area)
    ? (areas[area] as readonly string[]).includes(session.role)
    : (operator_areas[area] as readonly string[]).includes(session.operator_role ?? '')

/**
 * The users who may open a page: operators, and members whose role opens an area. The console requests
 * nothing for a page that its user may not open.
 */
export type PageAccess = { members: MemberArea | null; operators: boolean }

export const canOpenPage = ({ members, operators }: PageAccess): boolean =>
  isOperator() ? operators : members !== null && isRoleAllowed(members)

/** The roles that cover an area, to show to other users. */
export const allowedRoles = (area: Area): string =>
  isMemberArea(area)
    ? areas[area].map((role) => role.toLowerCase().replace('_', ' ')).join(' or ')
    : operator_areas[area].join(' or ')

/**
 * The prefix of the keys of roster drafts, which survive a reload. A roster holds personal data, so a draft is in the
 * session storage of this tab, which other tabs cannot read and which is deleted with the tab. Its key names the user
 * and the employer. It is deleted when it is applied or discarded, when the user signs out, and when the console opens
 * signed out or for another user (docs/design/clients/console.md).
 */
export const draft_prefix = 'roster:'

/** Deletes the drafts of this tab, except those whose keys begin with `mine`. */
export function deleteDrafts(mine?: string): void {
  for (const key of Object.keys(sessionStorage))
    if (key.startsWith(draft_prefix) && !(mine && key.startsWith(mine))) sessionStorage.removeItem(key)
}

/** Who is signed in, and the access token that their session fetches: the one thing that its cookie is good for. */

import { isOfProxy, Offline, watchedFetch } from './connection.ts'

export type Place = { id: string; name: string; role: string }

export type Session = {
  access_token: string
  expires_in: number
  session_id: string
  /** whether this is a sandbox, whose people can be switched */
  sandbox: boolean
  organization_id: string | null
  role: string
  user: { id: string; name: string }
  operator_role: string | null
  organizations: Place[]
}

/** Nobody is signed in, or the session has ended. */
export class NotSignedIn extends Error {}

// Not at once: Vite takes that for the address of a file.
const { url: this_script } = import.meta

/** Where the console is, and the service around it: what stands before the folder of this script. */
export const console_path = new URL('..', this_script).pathname
export const base_url = new URL('..', new URL(console_path, location.origin)).href.replace(/\/$/, '')

/** As whom one acts: `operator`, the id of an organization, or null for the first thing that one is. */
const acting_as = new URLSearchParams(location.search).get('as')?.replaceAll('"', '') ?? null

/** A token is renewed after so much of its life. */
const worn = 0.8

/** Who wants to hear that nobody is signed in any more. */
const heard = new Set<() => void>()
export const onEnd = (hear: () => void) => heard.add(hear)

let current: { session: Session; renew_at: number } | undefined
let as_operator = false

/** Whether one acts as an operator. Acting as somebody else is another page. */
export const isOperator = (): boolean => as_operator
let asking: Promise<Session> | undefined

async function ask(): Promise<Session> {
  const query = acting_as === null ? '' : `?as=${encodeURIComponent(acting_as)}`
  const answer = await watchedFetch(`${base_url}/sign-in/access-token${query}`, { method: 'POST' }).catch((error) => {
    throw new Offline('The service does not answer.', { cause: error })
  })
  if (isOfProxy(answer)) throw new Offline('The service does not answer.')
  if (answer.status === 401) {
    for (const hear of heard) hear()
    throw new NotSignedIn('Nobody is signed in with this browser.')
  }
  const body = await answer.json()
  if (!answer.ok) throw new Error(body.message)
  current = { session: body, renew_at: Date.now() + body.expires_in * 1000 * worn }
  as_operator = body.organization_id === null
  return body
}

/** The session, with a token that is good for a while. Several who ask at once ask the service once. */
export async function getSession(): Promise<Session> {
  if (current && Date.now() < current.renew_at) return current.session
  asking ??= ask().finally(() => (asking = undefined))
  return asking
}

/** For the SDK: the token, or a new one in place of one that was refused. */
export async function getToken(refused?: string): Promise<string> {
  if (refused !== undefined && current?.session.access_token === refused) current = undefined
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

const isOfMembers = (area: Area): area is MemberArea => area in areas

/**
 * Whether somebody's role opens an area, of members or of operators, who all read: what is not open is not offered. The
 * service asks anew all the same.
 */
export const may = ({ role, operator_role }: Session, area: Area): boolean =>
  isOfMembers(area)
    ? (areas[area] as readonly string[]).includes(role)
    : (operator_areas[area] as readonly string[]).includes(operator_role ?? '')

/**
 * The users who may open a page: operators, and members whose role opens an area. The console requests
 * nothing for a page that its user may not open.
 */
export type Readers = { members: MemberArea | null; operators: boolean }

export const mayOpen = (session: Session, { members, operators }: Readers): boolean =>
  session.organization_id === null ? operators : members !== null && may(session, members)

/** Whom an area is up to, for those whose role it is not. */
export const whoMay = (area: Area): string =>
  isOfMembers(area)
    ? areas[area].map((role) => role.toLowerCase().replace('_', ' ')).join(' or ')
    : operator_areas[area].join(' or ')

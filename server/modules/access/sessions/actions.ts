import type { ProviderIdentity, SignInFlow } from '../../../integrations/sign-in/openid.ts'
import { recordAudit } from '../../../http/audit/audit.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import { signAccessToken } from '../../../http/access-tokens.ts'
import { newId } from '../../../kernel/ids.ts'
import { generic, Refusal, refuse } from '../../../kernel/refusal.ts'
import { sha256, type Secrets } from '../../../security/secrets.ts'
import { acceptInvitation } from '../invitations/actions.ts'
import {
  findBySecret,
  findGrantedRoles,
  findUserOfIdentity,
  insertIdentity,
  insertSession,
  findUser,
  listPeople,
  noteUse,
  saveFormerEnd,
  saveSessionRevocation,
  type DemoPerson,
  type NewSession,
  type SessionPath,
} from './queries.ts'
import {
  actingAs,
  endOfSession,
  isSessionAlive,
  isUseNoted,
  newSessionSecret,
  refusals,
  signedInAt,
  session_token_seconds,
  whyNotSignIn,
  type SessionClaims,
} from './rules.ts'

/** The operation of a sign-in in the audit log. */
export const sign_in = 'sign_in'

/** The browser that signs in, and the request with which it does. */
export type Browser = {
  user_agent: string | null
  address: string
  trace_id: string
  /** The secret of the browser's previous session, if any. */
  former: string | undefined
}

/** A new session with the secret of its cookie, which cannot be retrieved later. */
export type BegunSession = { secret: string }

async function beginSession(
  ctx: Ctx,
  { user_agent, address, trace_id, former }: Browser,
  who: Pick<NewSession, 'user_id' | 'signed_in_with' | 'signed_in_at'>,
): Promise<BegunSession> {
  // End the previous session of this browser. The browser loses its cookie, so the user could not sign out of it.
  if (former !== undefined) await saveFormerEnd(ctx, { secret_hash: sha256(former) })
  const secret = newSessionSecret()
  const id = newId('sess')
  const expires_at = endOfSession(ctx.real_now)
  await insertSession(ctx, { ...who, id, secret_hash: sha256(secret), user_agent, expires_at })
  await recordAudit(ctx, {
    operation: sign_in,
    organization_id: null,
    resource_id: id,
    fields: [],
    status: 200,
    actor: { kind: 'session', id, user_id: who.user_id },
    address,
    trace_id,
    holds_lock: false,
  })
  return { secret }
}

/**
 * Starts a session for a user who returns from the identity provider. Also accepts an invitation if there is one.
 * Refuses with 403 for users who were not invited, and for email domains that are not allowed.
 */
export async function signIn(
  ctx: Ctx,
  identity: ProviderIdentity,
  allowed_domains: readonly string[],
  invitation: string | null,
  browser: Browser,
): Promise<BegunSession> {
  refuse(whyNotSignIn(identity.email, allowed_domains))
  const known = await findUserOfIdentity(ctx, identity)
  const user_id = invitation === null ? known : await acceptInvitation(ctx, invitation, identity.email, known)
  if (user_id === undefined) throw new Refusal(refusals.not_invited)
  if (known === undefined) await insertIdentity(ctx, { ...identity, user_id })
  const signed_in_at = signedInAt(identity.authenticated_at, ctx.real_now)
  return beginSession(ctx, browser, { user_id, signed_in_with: 'openid', signed_in_at })
}

/** The users as whom a visitor of a sandbox can sign in, up to the limit of the page. Empty outside a sandbox. */
export const listSandboxPeople = async (ctx: Ctx, search: string | null): Promise<DemoPerson[]> =>
  ctx.settings.sandbox ? listPeople(ctx, { search }) : []

/** Starts a session as a user of a sandbox. Refuses with 404 for unknown users, and always outside a sandbox. */
export async function signInAtSandbox(ctx: Ctx, user_id: string, browser: Browser): Promise<BegunSession> {
  if (!ctx.settings.sandbox || !(await findUser(ctx, { user_id }))) throw new Refusal(refusals.not_in_sandbox)
  return beginSession(ctx, browser, { user_id, signed_in_with: 'sandbox', signed_in_at: ctx.real_now })
}

/**
 * Issues an access token for the session of a cookie. It acts as an operator (`operator`) or as a member of the
 * organization with this id; the default is the first role of the user. Refuses with 401 without a live session, and
 * with 403 for a role that the user lacks.
 */
export async function issueSessionToken(ctx: Ctx, secret: string, requested_role: string | null) {
  const session = await findBySecret(ctx, { secret_hash: sha256(secret) })
  if (!session || !isSessionAlive(session, ctx.real_now)) throw new Refusal(refusals.not_signed_in)
  const access = await findGrantedRoles(ctx, session.user_id)
  const acting = actingAs(access, requested_role)
  if ('code' in acting) throw new Refusal(acting)
  if (isUseNoted(session, ctx.real_now)) await noteUse(ctx, { session_id: session.id })
  const seconds_left = Math.floor((Date.parse(session.expires_at) - Date.parse(ctx.real_now)) / 1000)
  const expires_in = Math.min(session_token_seconds, seconds_left)
  const claims: Omit<SessionClaims, 'exp'> = { session_id: session.id, user_id: session.user_id, ...acting }
  const access_token = await signAccessToken(ctx.secrets, claims, ctx.real_now, expires_in)
  const { sandbox } = ctx.settings
  return { access_token, token_type: 'Bearer', expires_in, session_id: session.id, sandbox, ...acting, ...access }
}

/**
 * Ends a session. Its tokens stop working within 5 seconds in every process. Refuses with 404 if the session ended in
 * the meantime.
 */
export async function revokeSession(ctx: Ctx, { session_id }: SessionPath): Promise<void> {
  if (!(await saveSessionRevocation(ctx, { session_id }))) throw new Refusal(generic.not_found)
}

/** The state of a sign-in, which the browser keeps while it is at the identity provider. */
export type SignInAttempt = SignInFlow & { to: string | null; invitation: string | null; begun_at: string }

export const sealSignInAttempt = ({ encrypt }: Secrets, journey: SignInAttempt): string =>
  encrypt(JSON.stringify(journey)).toString('base64url')

/** Decrypts the state of a sign-in. Undefined if it is not from this installation. */
export function openSignInAttempt({ decrypt }: Secrets, sealed: string | undefined): SignInAttempt | undefined {
  if (sealed === undefined) return undefined
  try {
    return JSON.parse(decrypt(Buffer.from(sealed, 'base64url'))) as SignInAttempt
  } catch {
    return undefined
  }
}

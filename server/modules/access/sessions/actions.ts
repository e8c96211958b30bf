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
  findPlaces,
  findUserOfIdentity,
  insertIdentity,
  insertSession,
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
  isAlive,
  isUseNoted,
  newSessionSecret,
  refusals,
  signedInAt,
  token_lifetime,
  whyNotLetIn,
  type SessionClaims,
} from './rules.ts'

/** What the audit trail calls it when somebody signs in. */
export const sign_in = 'sign_in'

/** How a browser that signs in is known, and the request in which it does. */
export type Browser = {
  user_agent: string | null
  address: string
  trace_id: string
  /** the secret of the session that it had until now */
  former: string | undefined
}

/** A session that has begun: the secret of its cookie, which is not to be had again. */
export type BegunSession = { secret: string }

async function beginSession(
  ctx: Ctx,
  { user_agent, address, trace_id, former }: Browser,
  who: Pick<NewSession, 'user_id' | 'signed_in_with' | 'signed_in_at'>,
): Promise<BegunSession> {
  // Nobody could sign out of it any more.
  if (former !== undefined) await saveFormerEnd(ctx, sha256(former))
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
 * Begins the session of somebody who has come back from the provider, perhaps with an invitation that they accept by
 * this. 403 for whom nobody has invited, and for whose domain is not allowed.
 */
export async function signIn(
  ctx: Ctx,
  identity: ProviderIdentity,
  allowed_domains: readonly string[],
  invitation: string | null,
  browser: Browser,
): Promise<BegunSession> {
  refuse(whyNotLetIn(identity.email, allowed_domains))
  const known = await findUserOfIdentity(ctx, identity)
  const user_id = invitation === null ? known : await acceptInvitation(ctx, invitation, identity.email, known)
  if (user_id === undefined) throw new Refusal(refusals.not_invited)
  if (known === undefined) await insertIdentity(ctx, identity, user_id)
  const signed_in_at = signedInAt(identity.authenticated_at, ctx.real_now)
  return beginSession(ctx, browser, { user_id, signed_in_with: 'openid', signed_in_at })
}

/** The people as whom a visitor of a sandbox can sign in. Outside a sandbox there are none. */
export const listSandboxPeople = async (ctx: Ctx): Promise<DemoPerson[]> =>
  ctx.settings.sandbox ? listPeople(ctx) : []

/** Begins the session of one of the people of a sandbox. 404 for anyone else, and for everyone outside a sandbox. */
export async function signInAtSandbox(ctx: Ctx, user_id: string, browser: Browser): Promise<BegunSession> {
  const people = await listSandboxPeople(ctx)
  if (!people.some(({ id }) => id === user_id)) throw new Refusal(refusals.not_in_sandbox)
  return beginSession(ctx, browser, { user_id, signed_in_with: 'sandbox', signed_in_at: ctx.real_now })
}

/**
 * Issues an access token of 5 minutes for whom a cookie is of, as an operator (`operator`) or as a member of one
 * organization (its id), else as the first that they are. 401 without a session that is alive, 403 for what the user is
 * not.
 */
export async function issueSessionToken(ctx: Ctx, secret: string, said: string | null) {
  const session = await findBySecret(ctx, sha256(secret))
  if (!session || !isAlive(session, ctx.real_now)) throw new Refusal(refusals.not_signed_in)
  const places = await findPlaces(ctx, session.user_id)
  const acting = actingAs(places, said)
  if ('code' in acting) throw new Refusal(acting)
  if (isUseNoted(session, ctx.real_now)) await noteUse(ctx, session.id)
  const left = Math.floor((Date.parse(session.expires_at) - Date.parse(ctx.real_now)) / 1000)
  const expires_in = Math.min(token_lifetime, left)
  const claims: Omit<SessionClaims, 'exp'> = { session_id: session.id, user_id: session.user_id, ...acting }
  const access_token = await signAccessToken(ctx.secrets, claims, ctx.real_now, expires_in)
  const { sandbox } = ctx.settings
  return { access_token, token_type: 'Bearer', expires_in, session_id: session.id, sandbox, ...acting, ...places }
}

/** Ends a session, and with it its tokens within 5 seconds everywhere; 404 when it was ended since it was found. */
export async function revokeSession(ctx: Ctx, { session_id }: SessionPath): Promise<void> {
  if (!(await saveSessionRevocation(ctx, session_id))) throw new Refusal(generic.not_found)
}

/** What a browser keeps while it is at the provider. */
export type Journey = SignInFlow & { to: string | null; invitation: string | null; begun_at: string }

export const sealJourney = ({ encrypt }: Secrets, journey: Journey): string =>
  encrypt(JSON.stringify(journey)).toString('base64url')

/** What a browser brings back; undefined for what is not ours. */
export function openJourney({ decrypt }: Secrets, sealed: string | undefined): Journey | undefined {
  if (sealed === undefined) return undefined
  try {
    return JSON.parse(decrypt(Buffer.from(sealed, 'base64url'))) as Journey
  } catch {
    return undefined
  }
}

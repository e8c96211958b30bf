import type { Configuration } from 'openid-client'
import { Email } from '../../kernel/fields.ts'
import { boundedFetch } from '../outbound/response-limits.ts'

/** The values that a response of the provider must match. Kept in the browser, encrypted. */
export type SignInFlow = { state: string; nonce: string; verifier: string }

/** The person who signed in, by the claims of the provider. */
export type ProviderIdentity = {
  issuer: string
  subject: string
  /** ASCII. Null if the provider has not verified it, or if it is not a valid address */
  email: string | null
  /** when the person authenticated. Null if the provider does not report it */
  authenticated_at: string | null
}

export type SignInProvider = {
  /** Allowed domains of email addresses, lower case. Empty if every domain is allowed. */
  allowed_domains: readonly string[]
  /**
   * Returns the URL of the sign-in page, which returns the browser to `redirect_uri`. People whose authentication is
   * older than `max_age` seconds authenticate again, if the provider supports it. Throws if it cannot be reached.
   */
  begin(redirect_uri: string, max_age: number): Promise<{ url: string; flow: SignInFlow }>
  /**
   * Returns the identity of a browser that came back with the full `url`. Undefined if the sign-in failed or belongs to
   * another flow. Throws if the provider cannot be reached.
   */
  finish(url: string, flow: SignInFlow): Promise<ProviderIdentity | undefined>
}

export type OpenIdOptions = {
  issuer: string
  client_id: string
  client_secret: string
  allowed_domains: readonly string[]
}

/** The limits of one response, which is metadata, keys or a token. */
const bounds = { max_bytes: 1024 * 1024, time_limit: 10_000 }

/** Error codes of an invalid response. Every other error is a network failure. */
const is_refusal = /^OAUTH_|^ERR_JWT|^ERR_JWS/

/** The provider of an issuer. Its metadata are read with the first sign-in. */
export function openid(options: OpenIdOptions): SignInProvider {
  let known: Promise<Configuration> | undefined
  const configuration = () =>
    (known ??= discover(options).catch((error: unknown) => {
      known = undefined
      throw error
    }))
  return {
    allowed_domains: options.allowed_domains,
    async begin(redirect_uri, max_age) {
      const client = await import('openid-client')
      const flow = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
      }
      const url = client.buildAuthorizationUrl(await configuration(), {
        redirect_uri,
        scope: 'openid email profile',
        max_age: String(max_age),
        state: flow.state,
        nonce: flow.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(flow.verifier),
        code_challenge_method: 'S256',
      })
      return { url: url.href, flow }
    },
    async finish(url, flow) {
      try {
        return await identify(await configuration(), new URL(url), flow)
      } catch (error) {
        if (is_refusal.test((error as { code?: string }).code ?? '')) return undefined
        throw error
      }
    },
  }
}

async function discover({ issuer, client_id, client_secret }: OpenIdOptions): Promise<Configuration> {
  const { allowInsecureRequests, customFetch, discovery, enableNonRepudiationChecks } = await import('openid-client')
  const is_insecure = new URL(issuer).protocol === 'http:'
  return discovery(new URL(issuer), client_id, client_secret, undefined, {
    [customFetch]: boundedFetch(bounds),
    // TLS alone proves the origin of an ID token to the client; a proxy in between could still change it.
    execute: [enableNonRepudiationChecks, ...(is_insecure ? [allowInsecureRequests] : [])],
  })
}

/**
 * OpenID Connect Core, section 2: at most 255 characters. If blank values were accepted, everyone with a blank one
 * would share an account.
 */
const isSubject = (sub: string) => sub.trim() !== '' && sub.length <= 255

/**
 * The email address of a provider's claim. Null unless it is ASCII: normalizing and lowercasing turn the Kelvin sign
 * into `k`, and would match the account of another person.
 */
const addressOf = (email: unknown): string | null =>
  typeof email === 'string' && /^[!-~]+$/.test(email) ? (Email.safeParse(email).data ?? null) : null

async function identify(
  configuration: Configuration,
  url: URL,
  flow: SignInFlow,
): Promise<ProviderIdentity | undefined> {
  const { authorizationCodeGrant, fetchUserInfo } = await import('openid-client')
  const tokens = await authorizationCodeGrant(configuration, url, {
    expectedState: flow.state,
    expectedNonce: flow.nonce,
    pkceCodeVerifier: flow.verifier,
    idTokenExpected: true,
  })
  const claims = tokens.claims()!
  if (!isSubject(claims.sub)) return undefined
  // Some providers return the address only in the user info.
  const about =
    claims.email === undefined ? await fetchUserInfo(configuration, tokens.access_token, claims.sub) : claims
  const email = about.email_verified === true ? addressOf(about.email) : null
  const { auth_time } = claims
  const authenticated_at = auth_time === undefined ? null : new Date(auth_time * 1000).toISOString()
  return { issuer: claims.iss, subject: claims.sub, email, authenticated_at }
}

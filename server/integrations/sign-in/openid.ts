import type { Configuration } from 'openid-client'
import { Email } from '../../kernel/fields.ts'
import { boundedFetch } from '../outbound/bounded.ts'

/** What a browser has to bring back from the provider; it is kept in the browser, sealed. */
export type SignInFlow = { state: string; nonce: string; verifier: string }

/** Who signed in, as the provider says. */
export type ProviderIdentity = {
  issuer: string
  subject: string
  /** ASCII; null if the provider has not verified it, or if it is no address that could be invited */
  email: string | null
  /** the instant at which they proved who they are; null where the provider does not tell */
  authenticated_at: string | null
}

/** An OpenID provider, at which people sign in. */
export type SignInProvider = {
  /** Domains of e-mail addresses that are let in, lower case; empty: all that the provider lets in. */
  allowed_domains: readonly string[]
  /**
   * Where to send a browser that is to come back to `redirect_uri`. Whoever proved more than `max_age` seconds ago who
   * they are is to do so again, where the provider heeds that. Throws when it can't be reached.
   */
  begin(redirect_uri: string, max_age: number): Promise<{ url: string; flow: SignInFlow }>
  /**
   * Who came back with the whole address `url`; undefined when they did not sign in, or this is not the end of that
   * flow. Throws when the provider can't be reached.
   */
  finish(url: string, flow: SignInFlow): Promise<ProviderIdentity | undefined>
}

export type OpenIdOptions = {
  issuer: string
  client_id: string
  client_secret: string
  allowed_domains: readonly string[]
}

/** Of one answer: metadata, keys, or a token. */
const bounds = { most_bytes: 1024 * 1024, time_limit: 10_000 }

/** What openid-client says of an answer that is not what it should be; anything else is a network that failed. */
const is_refusal = /^OAUTH_|^ERR_JWT|^ERR_JWS/

/** The provider at an issuer, by its own metadata, which are read when they are first needed. */
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

/** OpenID Connect Core, section 2: at most 255 characters. A blank one would be shared by everyone who has none. */
const isSubject = (sub: string) => sub.trim() !== '' && sub.length <= 255

/**
 * The e-mail address of a provider's claim. Null unless it is ASCII: normalizing and lowercasing turn the Kelvin sign
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
  // Some providers tell of the address there alone.
  const about =
    claims.email === undefined ? await fetchUserInfo(configuration, tokens.access_token, claims.sub) : claims
  const email = about.email_verified === true ? addressOf(about.email) : null
  const { auth_time } = claims
  const authenticated_at = auth_time === undefined ? null : new Date(auth_time * 1000).toISOString()
  return { issuer: claims.iss, subject: claims.sub, email, authenticated_at }
}

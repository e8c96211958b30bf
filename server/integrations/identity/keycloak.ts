import type KeycloakAdminClient from '@keycloak/keycloak-admin-client'
import { boundedTo } from '../outbound/bounded.ts'
import type { IdentityProvider } from './provider.ts'

export type KeycloakOptions = {
  url: string
  realm: string
  client_id: string
  client_secret: string
  /** how long one call may take */
  timeout_ms?: number
}

type Organization = { id: string; name: string }

/** The attribute by which an organization in Keycloak is known to be ours. */
const our_id = 'openbenefits_organization_id'

/** Keycloak's own names are unique within a realm and hold 255 characters. */
const longest_name = 255

/** Of one answer: a token, or a few organizations. */
const most_bytes = 1024 * 1024

/**
 * Keycloak (26.4 and later, where an organization needs no domain) as the identity provider, through its
 * official admin client, which is loaded when it is first used.
 *
 * An answer may get lost after Keycloak has created the organization. So our id is its alias and an
 * attribute, and whoever wants to create it looks for it first: what is there already is adopted.
 */
export const keycloak = (options: KeycloakOptions): IdentityProvider => ({
  name: 'external_idp',
  async mirror(organization) {
    const client = await signIn(options)
    return (
      (await find(client, organization)) ??
      (await create(client, organization, organization.name)) ??
      (await find(client, organization)) ??
      (await create(client, organization, distinctName(organization))) ??
      fail(organization)
    )
  },
})

async function signIn(options: KeycloakOptions): Promise<KeycloakAdminClient> {
  const { default: KeycloakAdminClient } = await import('@keycloak/keycloak-admin-client')
  const timeout = options.timeout_ms ?? 10_000
  // Its own type knows nothing of the way that a request takes, which it hands on to `fetch`.
  const requestOptions = { dispatcher: boundedTo({ most_bytes, time_limit: timeout }) } as RequestInit
  const client = new KeycloakAdminClient({ baseUrl: options.url, realmName: options.realm, timeout, requestOptions })
  await client.auth({
    grantType: 'client_credentials',
    clientId: options.client_id,
    clientSecret: options.client_secret,
  })
  return client
}

/** The alias is compared here too: a tenant is never adopted on the word of a search alone. */
async function find(client: KeycloakAdminClient, { id }: Organization): Promise<string | undefined> {
  const found = await client.organizations.find({ q: `${our_id}:${id}` })
  return found.find((candidate) => candidate.alias === id)?.id
}

/** The id of the new organization; undefined when Keycloak has one with this alias or this name. */
async function create(client: KeycloakAdminClient, { id }: Organization, name: string): Promise<string | undefined> {
  try {
    const created = await client.organizations.create({
      name,
      alias: id,
      enabled: true,
      attributes: { [our_id]: [id] },
    })
    return created.id
  } catch (error) {
    if (isConflict(error)) return undefined
    throw error
  }
}

const isConflict = (error: unknown): boolean => (error as { response?: Response }).response?.status === 409

/** Two of our organizations may have one name; in Keycloak the second carries its id too. */
function distinctName({ id, name }: Organization): string {
  const suffix = ` (${id})`
  return name.slice(0, longest_name - suffix.length) + suffix
}

function fail({ id }: Organization): never {
  throw new Error(`Keycloak refuses ${id} as a duplicate but does not show the one it has.`)
}

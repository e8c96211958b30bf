import type KeycloakAdminClient from '@keycloak/keycloak-admin-client'
import { limitedDispatcher } from '../outbound/response-limits.ts'

export type KeycloakOptions = {
  url: string
  realm: string
  client_id: string
  client_secret: string
  /** how long one call may take */
  timeout_ms?: number
}

type Organization = { id: string; name: string }

/** The attribute that identifies our organizations in Keycloak. */
const our_id = 'openbenefits_organization_id'

/** Keycloak's own names are unique within a realm and hold 255 characters. */
const max_name_length = 255

/** The size limit of one response, which is a token or a few organizations. */
const max_bytes = 1024 * 1024

/**
 * Keycloak (26.4 and later, where an organization needs no domain) as the identity provider, through its
 * official admin client, which is loaded when it is first used.
 *
 * The response may get lost after Keycloak has created the organization. So our id is stored as its alias and as an
 * attribute, and an existing organization is adopted.
 */
export const keycloak = (options: KeycloakOptions) => ({
  name: 'external_idp' as const,
  async mirror(organization: Organization): Promise<string> {
    const client = await signIn(options)
    return (
      (await find(client, organization)) ??
      (await create(client, organization, organization.name)) ??
      (await find(client, organization)) ??
      (await create(client, organization, uniqueName(organization))) ??
      fail(organization)
    )
  },
})

async function signIn(options: KeycloakOptions): Promise<KeycloakAdminClient> {
  const { default: KeycloakAdminClient } = await import('@keycloak/keycloak-admin-client')
  const timeout = options.timeout_ms ?? 10_000
  // The client passes the dispatcher to `fetch`, but its type does not declare it.
  const requestOptions = { dispatcher: limitedDispatcher({ max_bytes, time_limit: timeout }) } as RequestInit
  const client = new KeycloakAdminClient({ baseUrl: options.url, realmName: options.realm, timeout, requestOptions })
  await client.auth({
    grantType: 'client_credentials',
    clientId: options.client_id,
    clientSecret: options.client_secret,
  })
  return client
}

/** Compares the alias too: a search result alone must never adopt another tenant's organization. */
async function find(client: KeycloakAdminClient, { id }: Organization): Promise<string | undefined> {
  const found = await client.organizations.find({ q: `${our_id}:${id}` })
  return found.find((candidate) => candidate.alias === id)?.id
}

/** Returns the id of the new organization. Undefined if Keycloak has one with this alias or name. */
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

/** Our organizations may share a name. In Keycloak the second gets its id as a suffix. */
function uniqueName({ id, name }: Organization): string {
  const suffix = ` (${id})`
  return name.slice(0, max_name_length - suffix.length) + suffix
}

function fail({ id }: Organization): never {
  throw new Error(`Keycloak rejects ${id} as a duplicate, but does not return the existing one.`)
}

import type { Config } from '../../kernel/config.ts'
import { keycloak } from './keycloak.ts'

/** Where the users of an organization sign in: the service itself, or an outside system that holds a tenant for it. */
export type IdentityProvider = {
  name: 'service' | 'external_idp'
  /**
   * Makes sure that the organization exists there, once however often this is called, and returns its id
   * there. Throws when that can't be confirmed now. Never called inside a transaction.
   */
  mirror(organization: { id: string; name: string }): Promise<string>
}

/** The built-in provider: an organization is its own tenant. */
export const ownIdentityProvider: IdentityProvider = { name: 'service', mirror: async ({ id }) => id }

type Settings = Pick<
  Config,
  'IDP_PROVIDER' | 'KEYCLOAK_URL' | 'KEYCLOAK_REALM' | 'KEYCLOAK_CLIENT_ID' | 'KEYCLOAK_CLIENT_SECRET'
>

/** The identity provider that the settings name. `readConfig` has seen to it that Keycloak's are complete. */
export function identityProviderOf(settings: Settings): IdentityProvider {
  if (settings.IDP_PROVIDER === 'service') return ownIdentityProvider
  return keycloak({
    url: settings.KEYCLOAK_URL!,
    realm: settings.KEYCLOAK_REALM!,
    client_id: settings.KEYCLOAK_CLIENT_ID!,
    client_secret: settings.KEYCLOAK_CLIENT_SECRET!,
  })
}

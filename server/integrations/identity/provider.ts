import { z } from 'zod'
import { integration } from '../../kernel/integration.ts'
import { keycloak } from './keycloak.ts'

/** Where the users of an organization sign in: the service itself, or an outside system that holds a tenant for it. */
export type IdentityProvider = {
  name: 'service' | 'external_idp'
  /**
   * Creates the organization at the provider if it does not exist there, and returns its id there. Can be called any
   * number of times. Throws if the provider cannot confirm it now. Never called inside a transaction.
   */
  mirror(organization: { id: string; name: string }): Promise<string>
}

/** The built-in provider: an organization is its own tenant. */
export const ownIdentityProvider: IdentityProvider = { name: 'service', mirror: async ({ id }) => id }

const keycloak_settings = {
  KEYCLOAK_URL: z.url('must be a URL such as https://id.example.com').optional(),
  KEYCLOAK_REALM: z.string().min(1).optional(),
  KEYCLOAK_CLIENT_ID: z.string().min(1).optional(),
  KEYCLOAK_CLIENT_SECRET: z.string().min(1).optional(),
}

export const identity_provider = integration({
  settings: {
    IDP_PROVIDER: z.enum(['service', 'external_idp'], { error: 'must be service or external_idp' }).default('service'),
    ...keycloak_settings,
  },
  missing: (settings) => {
    if (settings.IDP_PROVIDER === 'service') return undefined
    const names = Object.keys(keycloak_settings) as (keyof typeof keycloak_settings)[]
    const setting = names.find((name) => settings[name] === undefined)
    return setting && { setting, when: 'when IDP_PROVIDER is external_idp' }
  },
  open: (settings): IdentityProvider =>
    settings.IDP_PROVIDER === 'service'
      ? ownIdentityProvider
      : keycloak({
          url: settings.KEYCLOAK_URL!,
          realm: settings.KEYCLOAK_REALM!,
          client_id: settings.KEYCLOAK_CLIENT_ID!,
          client_secret: settings.KEYCLOAK_CLIENT_SECRET!,
        }),
})

import { z } from 'zod'
import { integration } from '../../kernel/integration.ts'
import { openid, type SignInProvider } from './openid.ts'

/** A provider on this machine is for development and tests. Any other requires TLS. */
const isIssuer = (text: string): boolean =>
  URL.canParse(text) && /^https:|^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:|\/|$)/.test(text)

const domain = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/

const settings = {
  OIDC_ISSUER: z.string().refine(isIssuer, 'must be an https URL such as https://id.example.com').optional(),
  OIDC_CLIENT_ID: z.string().min(1).optional(),
  OIDC_CLIENT_SECRET: z.string().min(1).optional(),
  OIDC_ALLOWED_DOMAINS: z
    .string()
    .transform((text) =>
      text
        .toLowerCase()
        .split(',')
        .map((text) => text.trim())
        .filter(Boolean),
    )
    .refine((domains) => domains.every((text) => domain.test(text)), 'must be domains such as example.com')
    .optional(),
}

/** The provider of the settings. Undefined if none is set. */
export const sign_in_provider = integration({
  settings,
  missing: ({ OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET }) => {
    if (OIDC_ISSUER === undefined) return undefined
    const when = 'when OIDC_ISSUER is set'
    if (OIDC_CLIENT_ID === undefined) return { setting: 'OIDC_CLIENT_ID', when }
    return OIDC_CLIENT_SECRET === undefined ? { setting: 'OIDC_CLIENT_SECRET', when } : undefined
  },
  open: ({ OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_ALLOWED_DOMAINS }): SignInProvider | undefined =>
    OIDC_ISSUER === undefined
      ? undefined
      : openid({
          issuer: OIDC_ISSUER,
          client_id: OIDC_CLIENT_ID!,
          client_secret: OIDC_CLIENT_SECRET!,
          allowed_domains: OIDC_ALLOWED_DOMAINS ?? [],
        }),
})

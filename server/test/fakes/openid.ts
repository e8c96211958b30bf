import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider, type Configuration } from 'oidc-provider'
import { openid, type SignInProvider } from '../../integrations/sign-in/openid.ts'

/** A person at the provider. `id` is their permanent identifier there. */
export type Account = { id: string; email: string; email_verified?: boolean }

const client = { client_id: 'openbenefits', client_secret: 'a-secret-of-the-client-of-the-tests' }

export type FakeOpenId = {
  issuer: string
  /** The provider as the service reaches it. */
  provider(allowed_domains?: string[]): SignInProvider
  close(): Promise<void>
}

/** A real local OpenID provider, `oidc-provider`, whose sign-in page has a button for each account. */
export async function openFakeOpenId(redirect_uri: string, accounts: Account[]): Promise<FakeOpenId> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, configurationOf(redirect_uri, accounts))
  const answer = provider.callback()
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const [, uid, account] = /^\/interaction\/([^/]+)(?:\/([^/]+))?$/.exec(request.url ?? '') ?? []
    if (uid === undefined) return void answer(request, response)
    if (request.method === 'POST')
      return void provider.interactionFinished(request, response, {
        login: { accountId: decodeURIComponent(account!) },
      })
    response.setHeader('content-type', 'text/html')
    response.end(
      accounts
        .map(({ id }) => `<form method="post" action="/interaction/${uid}/${id}"><button>Be ${id}</button></form>`)
        .join(''),
    )
  })
  return {
    issuer,
    provider: (allowed_domains = []) => openid({ issuer, ...client, allowed_domains }),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const configurationOf = (redirect_uri: string, accounts: Account[]): Configuration => ({
  clients: [{ ...client, redirect_uris: [redirect_uri] }],
  cookies: { keys: ['a key of the tests'] },
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
  features: { devInteractions: { enabled: false } },
  interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
  ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
  findAccount: (_context, id) => {
    const account = accounts.find((one) => one.id === id)
    if (!account) return undefined
    const { email, email_verified = true } = account
    return { accountId: id, claims: () => ({ sub: id, email, email_verified, name: id }) }
  },
  // Everyone who signs in here has consented.
  async loadExistingGrant({ oidc }) {
    const known = oidc.session?.grantIdFor(oidc.client!.clientId)
    if (known) return oidc.provider.Grant.find(known)
    const grant = new oidc.provider.Grant({ clientId: oidc.client!.clientId, accountId: oidc.session!.accountId! })
    grant.addOIDCScope('openid email profile')
    await grant.save()
    return grant
  },
})

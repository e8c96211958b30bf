import { sign_in_provider } from '../../../integrations/sign-in/provider.ts'
import type { SignInProvider } from '../../../integrations/sign-in/openid.ts'
import { integrationOf } from '../../../kernel/integration.ts'
import { generic, Refusal, refuse } from '../../../kernel/refusal.ts'
import { serviceCaller } from '../../../runtime/caller.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import { console_path } from '../../../http/static/console.ts'
import { html, type Html } from '../../../kernel/formats/html.ts'
import type { Cookie, WebPage, PageResponse, PageRequest } from '../../../http/static/pages.ts'
import { fresh_seconds } from '../../../http/authorize.ts'
import { inTransaction, type Runtime } from '../../../runtime/runtime.ts'
import { unauthenticated } from '../../../http/audit/audit-log.ts'
import { openInvitation } from '../invitations/actions.ts'
import {
  issueSessionToken,
  listSandboxPeople,
  openSignInAttempt,
  sealSignInAttempt,
  sign_in,
  signIn,
  signInAtSandbox,
  type BegunSession,
  type Browser,
} from './actions.ts'
import { sandboxSignInPage } from './sandbox-page-rules.ts'
import { type DemoPerson, max_people } from './queries.ts'
import { flow_lifetime, isSessionSecret, ownPath, refusals, session_lifetime, whyNotSignInAtHost } from './rules.ts'

const session_cookie = 'openbenefits'
const journey_cookie = 'openbenefits-sign-in'

/** Runs the action of a page in one transaction. Pages have no authenticated caller. */
const action = <T>(runtime: Runtime, work: (ctx: Ctx) => Promise<T>): Promise<T> =>
  inTransaction(runtime, serviceCaller(null), work)

function providerOf(runtime: Runtime): SignInProvider {
  const provider = integrationOf(runtime, sign_in_provider)
  if (!provider) throw new Refusal(refusals.no_sign_in)
  return provider
}

/** Awaits a request to the identity provider. Refuses with 502 if it fails. */
async function callProvider<T>({ runtime, trace_id }: PageRequest, requested: Promise<T>): Promise<T> {
  try {
    return await requested
  } catch (error) {
    runtime.log.warn({ err: error, trace_id }, 'request to the sign-in provider failed')
    throw new Refusal(generic.upstream_error)
  }
}

/** Counts a wrong secret against the address that sent it. */
async function withSecret<T>({ countInvalid, inTurn }: PageRequest, work: () => Promise<T>): Promise<T> {
  try {
    return await inTurn(work)
  } catch (error) {
    if (error instanceof Refusal && [401, 404].includes(error.kind.status)) countInvalid()
    throw error
  }
}

const browserOf = ({ user_agent, address, trace_id, cookie }: PageRequest): Browser => ({
  user_agent,
  address,
  trace_id,
  former: cookie(session_cookie),
})

const forgotten: Cookie = { name: journey_cookie, value: '', max_age: 0 }

const redirectSignedIn = ({ secret }: BegunSession, to: string | null, cookies: Cookie[] = []): PageResponse => ({
  see: to ?? console_path,
  cookies: [...cookies, { name: session_cookie, value: secret, max_age: session_lifetime }],
})

const callback = '/sign-in/callback'

async function begin(request: PageRequest): Promise<PageResponse> {
  const { runtime, query, base_url } = request
  const provider = providerOf(runtime)
  const { url, flow } = await callProvider(request, provider.begin(base_url + callback, fresh_seconds))
  const to = ownPath(query.get('to'))
  const begun_at = new Date(runtime.clock()).toISOString()
  const journey = { ...flow, to, invitation: query.get('invitation'), begun_at }
  return {
    see: url,
    cookies: [{ name: journey_cookie, value: sealSignInAttempt(runtime.secrets, journey), max_age: flow_lifetime }],
  }
}

/** Records refused sign-ins in the audit log. Successful ones are recorded with their session. */
const auditingRefusals =
  (respond: WebPage['respond']): WebPage['respond'] =>
  async (request) => {
    try {
      return await respond(request)
    } catch (error) {
      const { runtime, address, trace_id } = request
      if (error instanceof Refusal)
        runtime.audit_log.note({
          operation: sign_in,
          organization_id: null,
          resource_id: null,
          fields: null,
          status: error.kind.status,
          actor: { kind: unauthenticated, id: null, user_id: null },
          address,
          trace_id,
        })
      throw error
    }
  }

async function finish(request: PageRequest): Promise<PageResponse> {
  const { runtime, query, base_url } = request
  const provider = providerOf(runtime)
  const journey = openSignInAttempt(runtime.secrets, request.cookie(journey_cookie))
  const is_late = journey && runtime.clock() - Date.parse(journey.begun_at) > flow_lifetime * 1000
  if (!journey || is_late) throw new Refusal(refusals.sign_in_failed)
  const identity = await callProvider(request, provider.finish(`${base_url}${callback}?${query}`, journey))
  if (!identity) {
    // Counts as an invalid secret, because every failed callback costs a request to the provider.
    request.countInvalid()
    throw new Refusal(refusals.sign_in_failed)
  }
  const begun = await action(runtime, (ctx) =>
    signIn(ctx, identity, provider.allowed_domains, journey.invitation, browserOf(request)),
  )
  return redirectSignedIn(begun, journey.to, [forgotten])
}

const personOf = ({ id, name, operator_role, memberships }: DemoPerson, to: string): Html => {
  const roles = [
    ...(operator_role === null ? [] : [`Operator, ${operator_role}`]),
    ...(memberships ? [memberships] : []),
  ]
  return html`<li>
    <form method="post" action="/sign-in/people/${id}${to}">
      <button>${name}<small>${roles.join(' · ') || 'Belongs to no organization yet'}</small></button>
    </form>
  </li>`
}

const max_search_length = 200

/** Finds people who are not among the first ones of the list. */
const searchForm = (search: string | null, path: string | null): Html =>
  html`<form class="search" method="get" action="/sign-in">
    <label
      >Name <input type="search" name="search" value="${search ?? ''}" maxlength="${String(max_search_length)}"
    /></label>
    ${path === null ? [] : [html`<input type="hidden" name="to" value="${path}" />`]}
    <button>Search</button>
  </form>`

/**
 * The sign-in page, with a link to the identity provider if there is one. In a sandbox, also lists its users, with a
 * button for each kind of user unless a page requires sign-in.
 */
async function signInPage({ runtime, query, hostname }: PageRequest): Promise<PageResponse> {
  const { sandbox, public_url } = runtime.settings
  if (sandbox) refuse(whyNotSignInAtHost(hostname, public_url))
  const path = ownPath(query.get('to'))
  const to = path === null ? '' : `?to=${encodeURIComponent(path)}`
  const search = query.get('search')?.trim().slice(0, max_search_length) || null
  const people = await action(runtime, (ctx) => listSandboxPeople(ctx, search))
  const provider = integrationOf(runtime, sign_in_provider)
    ? [html`<p><a class="button" href="/sign-in/start${to}">Continue</a></p>`]
    : []
  if (!sandbox) {
    const body = provider.length > 0 ? html`${provider}` : html`<p>${refusals.no_sign_in.message}</p>`
    return { page: html.page('Sign in', body) }
  }
  const is_searchable = search !== null || people.length === max_people
  const list = html`${provider} ${is_searchable ? [searchForm(search, path)] : []}
    <ul class="people">
      ${people.map((person) => personOf(person, to))}
    </ul>
    ${people.length === 0 ? [html`<p>No person has this name.</p>`] : []}`
  if (path === null && search === null) return { page: sandboxSignInPage(people, list) }
  return {
    page: html.page(
      'Sign in as',
      html`<p>This is a sandbox. Choose a person to sign in as. You can switch at any time.</p>
        ${list}`,
    ),
  }
}

async function signInAsPerson(request: PageRequest): Promise<PageResponse> {
  const { runtime, params, query, hostname, is_own } = request
  if (!is_own) throw new Refusal(refusals.another_origin)
  refuse(whyNotSignInAtHost(hostname, runtime.settings.public_url))
  const begun = await withSecret(request, () =>
    action(runtime, (ctx) => signInAtSandbox(ctx, params.user_id!, browserOf(request))),
  )
  return redirectSignedIn(begun, ownPath(query.get('to')))
}

async function invited(request: PageRequest): Promise<PageResponse> {
  const { runtime, params } = request
  const token = params.token!
  const { name, email, role, organization } = await withSecret(request, () =>
    action(runtime, (ctx) => openInvitation(ctx, token)),
  )
  const purpose = organization === null ? 'to operate this installation' : `to ${organization}`
  const start = `/sign-in/start?invitation=${encodeURIComponent(token)}`
  const method = integrationOf(runtime, sign_in_provider)
    ? html`<a class="button" href="${start}">Sign in and accept</a>`
    : refusals.no_sign_in.message
  return {
    page: html.page(
      `Welcome, ${name}`,
      html`<p>You are invited ${purpose} with the role ${role}. Sign in as ${email} to accept.</p>
        <p>${method}</p>`,
    ),
  }
}

/**
 * Issues an access token, which is the only use of the session cookie. Accepts only requests from pages of this
 * installation.
 */
async function fetchToken(request: PageRequest): Promise<PageResponse> {
  const { runtime, query, is_own } = request
  if (!is_own) throw new Refusal(refusals.another_origin)
  const secret = request.cookie(session_cookie)
  if (secret === undefined || !isSessionSecret(secret)) throw new Refusal(refusals.not_signed_in)
  const requested = () => action(runtime, (ctx) => issueSessionToken(ctx, secret, query.get('as')))
  return { data: await withSecret(request, requested) }
}

export const pages: WebPage[] = [
  { method: 'GET', path: '/sign-in', respond: signInPage },
  { method: 'GET', path: '/sign-in/start', respond: begin },
  { method: 'GET', path: callback, respond: auditingRefusals(finish) },
  { method: 'POST', path: '/sign-in/people/{user_id}', respond: auditingRefusals(signInAsPerson) },
  { method: 'GET', path: '/invitations/{token}', respond: invited },
  { method: 'POST', path: '/sign-in/access-token', respond: fetchToken },
]

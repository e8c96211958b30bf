// Runs in the browser on the API references, /docs/reference and /operator/docs. Adds the access token of the signed-in
// person to the requests that they try, or a link to sign in. Plain JavaScript, served unchanged.

/** The path that a proxy puts before ours. */
const base = location.pathname.replace(/\/(?:operator\/docs|docs\/reference)\/?$/, '')
const is_operators = location.pathname.startsWith(`${base}/operator/`)
const interface_path = `${base}${is_operators ? '/operator' : ''}/v1/`
/** A token is renewed a minute before it expires. */
const margin_ms = 60_000

/**
 * @type {{ access_token: string, ends_at: number, session_id: string, role: string, user: { name: string },
 *   organization_id: string | null, organizations: { id: string, name: string }[] } | undefined}
 */
let token

/** Whether the signed-in person has no access to this interface. */
let is_signed_out = false

const send = window.fetch.bind(window)
const chosen = () => sessionStorage.getItem('openbenefits.organization')

/** Attempts to fetch a token while the service is unavailable, and the pause between them. */
const tries = 3
const pause_ms = 1000

async function fetchToken(left = tries - 1) {
  const as = is_operators ? 'operator' : chosen()
  const query = as === null ? '' : `?as=${encodeURIComponent(as)}`
  const response = await send(`${base}/sign-in/access-token${query}`, { method: 'POST' }).catch(Response.error)
  if (response.status === 403 && !is_operators && as !== null) {
    // Another person has signed in, or the membership ended.
    sessionStorage.removeItem('openbenefits.organization')
    return fetchToken()
  }
  if ((response.type === 'error' || response.status >= 500) && left > 0) {
    await new Promise((passed) => setTimeout(passed, pause_ms))
    return fetchToken(left - 1)
  }
  is_signed_out = response.status === 403
  if (!response.ok) return (token = undefined)
  const body = await response.json()
  return (token = { ...body, ends_at: Date.now() + body.expires_in * 1000 })
}

const freshToken = () => (token && token.ends_at - Date.now() > margin_ms ? token : fetchToken())

/** Whether a request goes to this API and has no credential that the reader entered. */
const needsToken = ({ url, headers }) =>
  new URL(url).origin === location.origin &&
  new URL(url).pathname.startsWith(interface_path) &&
  !/^Bearer \S/.test(headers.get('authorization') ?? '')

window.fetch = async (input, init) => {
  const request = new Request(input, init)
  if (!needsToken(request)) return send(input, init)
  const known = token && (await freshToken())
  if (known) request.headers.set('authorization', `Bearer ${known.access_token}`)
  return send(request)
}

async function signOut() {
  const { access_token, session_id } = await freshToken()
  const headers = { authorization: `Bearer ${access_token}` }
  await send(`${interface_path}sessions/${session_id}`, { method: 'DELETE', headers })
  location.reload()
}

/** @param {string} tag @param {object} properties @param {(Node | string)[]} inside */
const element = (tag, properties, ...inside) => {
  const made = Object.assign(document.createElement(tag), properties)
  made.append(...inside)
  return made
}

function organizationChoice({ organizations, organization_id }) {
  const onchange = (event) => {
    sessionStorage.setItem('openbenefits.organization', event.target.value)
    location.reload()
  }
  const choice = element('select', { ariaLabel: 'Organization', onchange })
  for (const { id, name } of organizations) choice.append(new Option(name, id, false, id === organization_id))
  return choice
}

function showSignedInPerson() {
  const bar = element('aside', { id: 'signed-in' }, element('a', { href: `${base}/docs/` }, 'OpenBenefits docs'))
  if (token) {
    bar.append(`Signed in as ${token.user.name}, ${token.role}. Requests that you send here act for them.`)
    if (!is_operators) bar.append(organizationChoice(token))
    bar.append(element('button', { onclick: signOut, type: 'button' }, 'Sign out'))
  } else {
    const href = `${base}/sign-in?to=${encodeURIComponent(location.pathname)}`
    const why = is_signed_out ? `You are not ${is_operators ? 'an operator' : 'a member of an organization'}. ` : ''
    bar.append(`${why}To try requests here, `, element('a', { href }, 'sign in'))
  }
  document.body.prepend(bar)
}

// The token may arrive before the body of the page.
const read = new Promise((is_read) => document.addEventListener('DOMContentLoaded', is_read, { once: true }))
void fetchToken()
  .catch(() => undefined)
  .then(() => read)
  .then(showSignedInPerson)

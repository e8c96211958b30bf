// Runs in the browser, on the references under /docs/reference and /operator/docs: requests that a signed-in person tries there carry an
// access token of theirs. Whoever is not signed in is told where to. Plain JavaScript: it is served as it is.

/** Where the service is: what stands before the path of these pages. */
const base = location.pathname.replace(/\/(?:operator\/docs|docs\/reference)\/?$/, '')
const is_operators = location.pathname.startsWith(`${base}/operator/`)
const interface_path = `${base}${is_operators ? '/operator' : ''}/v1/`
/** A token is fetched anew a minute before it ends. */
const margin_ms = 60_000

/** @type {{ access_token: string, ends_at: number, session_id: string, role: string, user: { name: string }, organization_id: string | null, organizations: { id: string, name: string }[] } | undefined} */
let token

/** Whether somebody is signed in who may try nothing here. */
let is_nobody_here = false

const send = window.fetch.bind(window)
const chosen = () => sessionStorage.getItem('openbenefits.organization')

/** How often the service is asked that can't answer right now, or is not reached, and after how long again. */
const tries = 3
const pause_ms = 1000

async function fetchToken(left = tries - 1) {
  const as = is_operators ? 'operator' : chosen()
  const query = as === null ? '' : `?as=${encodeURIComponent(as)}`
  const answer = await send(`${base}/sign-in/access-token${query}`, { method: 'POST' }).catch(Response.error)
  if (answer.status === 403 && !is_operators && as !== null) {
    // Somebody else is signed in by now, or is a member there no more.
    sessionStorage.removeItem('openbenefits.organization')
    return fetchToken()
  }
  if ((answer.type === 'error' || answer.status >= 500) && left > 0) {
    await new Promise((passed) => setTimeout(passed, pause_ms))
    return fetchToken(left - 1)
  }
  is_nobody_here = answer.status === 403
  if (!answer.ok) return (token = undefined)
  const body = await answer.json()
  return (token = { ...body, ends_at: Date.now() + body.expires_in * 1000 })
}

const freshToken = () => (token && token.ends_at - Date.now() > margin_ms ? token : fetchToken())

/** Whether a request is one that the page tries, without a credential that its reader typed. */
const isTried = ({ url, headers }) =>
  new URL(url).origin === location.origin &&
  new URL(url).pathname.startsWith(interface_path) &&
  !/^Bearer \S/.test(headers.get('authorization') ?? '')

window.fetch = async (input, init) => {
  const request = new Request(input, init)
  if (!isTried(request)) return send(input, init)
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

function showWho() {
  const bar = element('aside', { id: 'signed-in' })
  if (token) {
    bar.append(`Signed in as ${token.user.name}, ${token.role}. What you try here is done as them.`)
    if (!is_operators) bar.append(organizationChoice(token))
    bar.append(element('button', { onclick: signOut, type: 'button' }, 'Sign out'))
  } else {
    const href = `${base}/sign-in?to=${encodeURIComponent(location.pathname)}`
    const why = is_nobody_here ? `You are no ${is_operators ? 'operator' : 'member of an organization'}. ` : ''
    bar.append(`${why}To try requests here, `, element('a', { href }, 'sign in'))
  }
  document.querySelector('.ob-bar').after(bar)
}

// Who it is may be known before the page is read as far as to where that is shown.
const read = new Promise((is_read) => document.addEventListener('DOMContentLoaded', is_read, { once: true }))
void fetchToken()
  .catch(() => undefined)
  .then(() => read)
  .then(showWho)

// On the page of events: whoever is signed in has one sent to a subscription of theirs by a button, as by the command
// beside it.

const base = location.pathname.replace(/\/docs\/events$/, '')
const organization = () => sessionStorage.getItem('openbenefits.organization')

/** What somebody has to know who can't be sent anything, with where to go. */
class Obstacle extends Error {
  constructor(message, href, words) {
    super(message)
    this.link = href && Object.assign(document.createElement('a'), { href, textContent: words })
  }
}

/** A token of whoever is signed in, and what it calls. */
async function signedIn() {
  const as = organization()
  const query = as === null ? '' : `?as=${encodeURIComponent(as)}`
  const answer = await fetch(`${base}/sign-in/access-token${query}`, { method: 'POST' })
  if (!answer.ok) throw new Obstacle('You are not signed in. ', `${base}/sign-in?to=/docs/events`, 'Sign in')
  const { access_token, organization_id } = await answer.json()
  if (organization_id === null) throw new Obstacle('You are signed in as an operator, who has no subscriptions.')
  return async (method, path) => {
    const said = await fetch(base + path, { method, headers: { authorization: `Bearer ${access_token}` } })
    const body = await said.json()
    if (!said.ok) throw new Obstacle(`${body.message} `, body.error?.doc_url, body.error?.code)
    return body.data
  }
}

async function send(event_name) {
  const call = await signedIn()
  const subscription = (await call('GET', '/v1/webhook-subscriptions?limit=100')).find(({ enabled }) => enabled)
  if (!subscription)
    throw new Obstacle('There is no subscription yet: ', `${base}/docs/webhooks`, 'subscribe an address of yours')
  const path = `/v1/webhook-subscriptions/${subscription.id}/test?event_name=${event_name}`
  const { webhook_event_id } = await call('POST', path)
  return `${webhook_event_id} is on its way to ${subscription.url}.`
}

for (const figure of document.querySelectorAll('figure[data-tab="Send me one"]')) {
  const event_name = /event_name=([\w.]+)/.exec(figure.textContent)[1]
  const button = Object.assign(document.createElement('button'), { type: 'button', textContent: `Send ${event_name}` })
  const said = document.createElement('p')
  said.setAttribute('role', 'status')
  const row = Object.assign(document.createElement('div'), { className: 'action' })
  row.append(button, said)
  button.addEventListener('click', async () => {
    button.disabled = true
    try {
      said.replaceChildren(await send(event_name))
    } catch (error) {
      said.replaceChildren(error.message, ...(error.link ? [error.link] : []))
    }
    button.disabled = false
  })
  figure.append(row)
}

// The page of a made-up app: lets a visitor of the sandbox choose a widget and a person, and shows the code for it.
const at = (id) => document.getElementById(id)
const widgets = {
  'employee-dashboard': 'Employee Dashboard',
  'employer-benefits': 'Employer Benefits',
  'employer-billing': 'Employer Billing',
}
const address = new URL(location.href).searchParams
/** Where the service is, with the path that a proxy may have put before it. */
const base = new URL('../..', import.meta.url).href

const say = (...parts) => at('say').replaceChildren(...parts)

/** As whom the visitor acts, where that is to be said. */
let as = ''

/** Nobody is here whose widgets could be shown: the page has said why. */
class NothingToShow extends Error {}

/** A token of whoever is signed in here; a page of a partner has one issued that is bound to its person. */
async function issueToken() {
  const answer = await fetch(`${base}sign-in/access-token${as}`, { method: 'POST' })
  if (answer.status === 401) {
    const link = Object.assign(document.createElement('a'), {
      href: `${base}sign-in?to=/widgets`,
      textContent: 'Sign in',
    })
    say(link, ' first: the link that npm start printed lets you choose who you are.')
    throw new NothingToShow('Nobody is signed in.')
  }
  const session = await answer.json()
  if (session.organization_id) return session
  const [organization] = session.organizations ?? []
  if (!organization) {
    say('You are an operator here. Use the link that npm start printed anew, and be somebody of an organization.')
    throw new NothingToShow('Who is signed in belongs to no organization.')
  }
  as = `?as=${organization.id}`
  return issueToken()
}
async function list(path) {
  const { access_token } = await issueToken()
  const answer = await fetch(base + path, { headers: { authorization: `Bearer ${access_token}` } })
  return (await answer.json()).data
}

function offer(id, rows, wanted) {
  at(id).replaceChildren(...rows.map(([value, text]) => new Option(text, value, false, value === wanted)))
}

const codeOf = ({ name, id, lang, version, integrity }) =>
  [
    `<script type="module" src="${base}widgets/${version}/${name}.js"`,
    `  integrity="${integrity}" crossorigin></script>`,
    `<ob-${name} for="${id}" token-url="/benefits-token" lang="${lang}"></ob-${name}>`,
  ].join('\n')

/** Shows the chosen widget, and what a page writes for it. */
async function show(manifest) {
  const name = at('widget').value
  const is_employee = name === 'employee-dashboard'
  at('whose').hidden = !is_employee
  const id = is_employee ? at('employee').value : at('employer').value
  const lang = at('language').value
  history.replaceState(null, '', `?${new URLSearchParams({ widget: name, employer: at('employer').value, id, lang })}`)
  if (!id) return say('This employer has nobody.')
  await import(`${base}widgets/${manifest.version}/${name}.js`)
  const widget = document.createElement(`ob-${name}`)
  Object.assign(widget, { getToken: issueToken, baseUrl: base, lang })
  widget.setAttribute('for', id)
  at('stage').replaceChildren(widget)
  at('code').textContent = codeOf({ name, id, lang, version: manifest.version, ...manifest.files[name] })
  say('')
}

async function people() {
  const rows = await list(`v1/employers/${at('employer').value}/employees?limit=100`)
  offer(
    'employee',
    rows.map(({ id, first_name, last_name }) => [id, `${first_name} ${last_name}`]),
    address.get('id'),
  )
}

/** Fills the page, once it is known who is here. */
async function begin() {
  const answer = await fetch(`${base}widgets/manifest.json`)
  if (!answer.ok) return say((await answer.json()).error.message)
  const manifest = await answer.json()
  // Where most is to be seen comes first: the newest have nobody yet.
  const enrolled = ({ enrollment_rate_summary }) => enrollment_rate_summary.enrolled
  const employers = (await list('v1/employers?limit=100')).toSorted((a, b) => enrolled(b) - enrolled(a))
  if (employers.length === 0) return say('Your organization has no employers yet.')
  offer('widget', Object.entries(widgets), address.get('widget'))
  offer(
    'employer',
    employers.map(({ id, name }) => [id, name]),
    address.get('employer'),
  )
  at('language').value = address.get('lang') ?? 'en'
  await people()
  at('choose').hidden = false
  at('employer').addEventListener('change', async () => {
    await people()
    await show(manifest)
  })
  for (const id of ['widget', 'employee', 'language']) at(id).addEventListener('change', () => show(manifest))
  at('copy').addEventListener('click', () => navigator.clipboard.writeText(at('code').textContent))
  at('code-panel').hidden = false
  await show(manifest)
}

begin().catch((error) => {
  if (!(error instanceof NothingToShow)) throw error
})

// The page of a fictional app. A sandbox visitor selects a widget and a person, and gets the code to embed it.
const at = (id) => document.getElementById(id)
const widgets = {
  'employee-dashboard': 'Employee Dashboard',
  'employer-benefits': 'Employer Benefits',
  'employer-billing': 'Employer Billing',
}
const address = new URL(location.href).searchParams
/** Whether the widget is shown in the frame of a phone. */
const is_phone = address.get('frame') === 'phone'
/** The URL of the service, including any path prefix of a proxy. */
const base = new URL('../..', import.meta.url).href

/** The words of the page in each language. The markup has the English ones, and the Spanish ones in `data-es`. */
const worded = [...document.querySelectorAll('[data-es]')].map((element) => ({
  element,
  words: { en: element.textContent, es: element.dataset.es },
}))

at('language').value = address.get('lang') === 'es' ? 'es' : 'en'
const lang = () => at('language').value

/** The present day of the organization, which a test clock may have moved. */
let today

/** Shows the words around the widget in the selected language. */
function showWords() {
  document.documentElement.lang = lang()
  for (const { element, words } of worded) element.textContent = words[lang()]
  if (!today) return
  const day = new Date(today).toLocaleDateString(`${lang()}-US`, { dateStyle: 'medium', timeZone: 'UTC' })
  at('today').textContent = `${{ en: 'Today is', es: 'Hoy es' }[lang()]} ${day}`
}

const showMessage = (...parts) => at('say').replaceChildren(...parts)

/** The query that selects the organization to act for, if the visitor must select one. */
let as = ''

/** There is nothing to show. The page already displays the reason. */
class NothingToShow extends Error {}

/** Issues a token of the signed-in user. A partner's page would issue one bound to its own user. */
async function issueToken() {
  const answer = await fetch(`${base}sign-in/access-token${as}`, { method: 'POST' })
  if (answer.status === 401) {
    const link = Object.assign(document.createElement('a'), {
      href: `${base}sign-in?to=/widgets`,
      textContent: 'Sign in',
    })
    showMessage(link, ' to see the widgets. The link that npm start printed lets you choose a user.')
    throw new NothingToShow('No user is signed in.')
  }
  const session = await answer.json()
  if (session.organization_id) {
    today = session.organizations.find(({ id }) => id === session.organization_id).today
    showWords()
    return session
  }
  const [organization] = session.organizations ?? []
  if (!organization) {
    showMessage(
      'You are signed in as an operator. Open the link that npm start printed again, and choose a member of an ' +
        'organization.',
    )
    throw new NothingToShow('The signed-in user belongs to no organization.')
  }
  as = `?as=${organization.id}`
  return issueToken()
}
async function list(path) {
  const { access_token } = await issueToken()
  const answer = await fetch(base + path, { headers: { authorization: `Bearer ${access_token}` } })
  if (!answer.ok) {
    showMessage('The service responded with an error. Reload the page to try again.')
    throw new NothingToShow(`${path}: ${answer.status}`)
  }
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

/** The view in the URL, so that Back, Forward and links work. Widgets leave the history to the page. */
const viewInUrl = () => new URL(location.href).searchParams.get('view') ?? ''

at('stage').addEventListener('ob-navigate', ({ detail: { view } }) => {
  const url = new URL(location.href)
  url.searchParams.set('view', view)
  if (view !== viewInUrl()) history.pushState(null, '', url)
})
addEventListener('popstate', () => {
  const [now, widget] = [new URL(location.href).searchParams, at('stage').firstElementChild]
  // An entry from before another widget or person was selected.
  if (widget?.localName !== `ob-${now.get('widget')}` || widget.for !== now.get('id')) return location.reload()
  widget.view = viewInUrl()
})

/** The number of the latest selection. The code of an earlier one may load later. */
let latest = 0

/** Shows the selected widget, with its first view by default, and the code that embeds it. */
async function show(manifest, view = '') {
  const selection = ++latest
  const name = at('widget').value
  const is_employee = name === 'employee-dashboard'
  at('whose').hidden = !is_employee
  const id = is_employee ? at('employee').value : at('employer').value
  showWords()
  const shown = { widget: name, employer: at('employer').value, id, lang: lang(), ...(is_phone && { frame: 'phone' }) }
  history.replaceState(null, '', `?${new URLSearchParams({ ...shown, ...(view && { view }) })}`)
  if (!id) return showMessage('This employer has no employees.')
  await import(`${base}widgets/${manifest.version}/${name}.js`)
  if (selection !== latest) return
  const widget = document.createElement(`ob-${name}`)
  Object.assign(widget, { getToken: issueToken, baseUrl: base, lang: lang(), view })
  widget.setAttribute('for', id)
  at('stage').replaceChildren(widget)
  at('code').textContent = codeOf({ name, id, lang: lang(), version: manifest.version, ...manifest.files[name] })
  showMessage('')
}

/** The first employee who can elect today, and the employer, if any: one without an election, otherwise anyone. */
async function findElector(employers) {
  for (const employer of employers.filter(({ benefit_lifecycle_stage: { stage } }) => stage !== 'onboarding')) {
    const path = `v1/employers/${employer.id}/benefit-plan-years`
    const years = (await list(`${path}?limit=100`)).filter(({ status }) => status === 'open_enrollment')
    for (const { benefit_plan_year_id } of years)
      for (const status of ['pending', 'enrolled']) {
        const [first] = await list(`${path}/${benefit_plan_year_id}/enrollments?election_status=${status}&limit=1`)
        if (first) return { employer: employer.id, id: first.employee_id }
      }
  }
  return {}
}

async function people() {
  const rows = await list(`v1/employers/${at('employer').value}/employees?limit=100`)
  offer(
    'employee',
    rows.map(({ id, first_name, last_name }) => [id, `${first_name} ${last_name}`]),
    address.get('id'),
  )
}

/** Fills the page once the user is known. */
async function begin() {
  const answer = await fetch(`${base}widgets/manifest.json`)
  if (!answer.ok) return showMessage((await answer.json()).error.message)
  const manifest = await answer.json()
  // Start with an employer in open enrollment, whose pages all have content, or else with the most enrollments.
  const isOpen = ({ benefit_lifecycle_stage: { stage } }) => Number(stage === 'open_enrollment')
  const enrolled = ({ enrollment_rate_summary }) => enrollment_rate_summary.enrolled
  const employers = (await list('v1/employers?limit=100')).toSorted(
    (a, b) => isOpen(b) - isOpen(a) || enrolled(b) - enrolled(a),
  )
  if (employers.length === 0) return showMessage('Your organization has no employers yet.')
  offer('widget', Object.entries(widgets), address.get('widget'))
  offer(
    'employer',
    employers.map(({ id, name }) => [id, name]),
    address.get('employer'),
  )
  if (is_phone) document.body.classList.add('phone')
  if (is_phone && !address.has('id')) {
    const { employer, id } = await findElector(employers)
    if (employer) at('employer').value = employer
    if (id) address.set('id', id)
  }
  await people()
  at('choose').hidden = false
  at('employer').addEventListener('change', async () => {
    await people()
    await show(manifest)
  })
  for (const id of ['widget', 'employee']) at(id).addEventListener('change', () => show(manifest))
  at('language').addEventListener('change', () => show(manifest, viewInUrl()))
  at('copy').addEventListener('click', () => navigator.clipboard.writeText(at('code').textContent))
  at('code-panel').hidden = false
  await show(manifest, viewInUrl())
}

begin().catch((error) => {
  if (!(error instanceof NothingToShow)) throw error
})

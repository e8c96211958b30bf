import { html, type Html } from '../../../kernel/formats/html.ts'
import type { DemoPerson } from './queries.ts'

type Door = { title: string; as: DemoPerson; text: string; to: string; drawPicture: Html }

const picture = (shapes: Html): Html => html`<svg viewBox="0 0 160 90" aria-hidden="true">${shapes}</svg>`

const tasks = picture(html`
  <path class="bar" d="M16 24h56" />
  <path d="M16 46h128M16 60h128M16 74h84" />
  <path class="accent" d="M128 24h16" />
`)
const timeline = picture(html`
  <path d="M16 26h128M16 46h128M16 66h128" />
  <path class="bar" d="M16 26h84M44 46h100M72 66h50" />
  <path class="today" d="M104 12v66" />
`)
const chart = picture(html`
  <path class="bar" d="M28 68V50M54 68V38M80 68V46M132 68V32" />
  <path class="accent" d="M106 68V26" />
  <path d="M16 76h128" />
`)
const phone = picture(html`
  <rect x="56" y="8" width="48" height="104" rx="9" />
  <path class="bar" d="M66 26h18" />
  <path d="M66 40h28M66 52h28" />
  <path class="accent" d="M66 70h28" />
`)

/**
 * The doors of a sandbox: buttons that sign the visitor in as one of the four kinds of people who use the product. A
 * door is missing if the sandbox has no such person.
 */
function doorsOf(people: readonly DemoPerson[]): Door[] {
  const owner = people.find(({ operator_role }) => operator_role === 'owner')
  const broker = people.find(({ memberships, operator_role }) => memberships !== null && operator_role === null)
  const doors: Door[] = []
  if (owner)
    doors.push({
      title: 'Operator',
      as: owner,
      text: 'Runs the installation: tasks, partners, plan years and invoices.',
      to: '/console/today',
      drawPicture: tasks,
    })
  if (broker)
    doors.push(
      {
        title: 'Broker',
        as: broker,
        text: 'Manages a book of employers: rosters, coverage over time and money.',
        to: '/console/',
        drawPicture: timeline,
      },
      {
        title: 'HR',
        as: broker,
        text: 'Sees one employer inside a payroll app: participation, people and invoices.',
        to: '/widgets?widget=employer-benefits',
        drawPicture: chart,
      },
      {
        title: 'Employee',
        as: broker,
        text: 'Compares plans, elects coverage and sees the cost per paycheck, on a phone.',
        to: '/widgets?widget=employee-dashboard&frame=phone',
        drawPicture: phone,
      },
    )
  return doors
}

const style = `
  body { max-width: 60rem; margin-top: 8vh }
  .doors { display: grid; grid-template-columns: repeat(auto-fit, minmax(190px, 1fr)); gap: 16px; margin: 0 0 32px }
  .doors li, .people li { border: 0 }
  .doors form { height: 100% }
  .doors button { height: 100%; display: flex; flex-direction: column; padding: 12px 12px 16px; border-radius: 8px;
    border: 1px solid light-dark(#e2e5e9, #2a2f37) }
  .doors button:hover { border-color: light-dark(#2f55cc, #9db2ff) }
  .doors b { font-weight: 620 }
  .doors svg { width: 100%; margin-bottom: 12px; border-radius: 6px; background: light-dark(#f7f8f9, #15181d);
    fill: none; stroke: light-dark(#c9cfd6, #3a414b); stroke-width: 2; stroke-linecap: round }
  .doors .bar { stroke: light-dark(#8b929c, #6d7580); stroke-width: 6 }
  .doors .accent { stroke: light-dark(#2f55cc, #9db2ff); stroke-width: 6 }
  .doors .today { stroke: light-dark(#2f55cc, #9db2ff) }
  .people { display: grid; grid-template-columns: repeat(auto-fit, minmax(260px, 1fr)); margin-bottom: 24px }
  @media (max-width: 480px) {
    .doors button { display: grid; grid-template-columns: 104px 1fr; column-gap: 12px; align-content: center }
    .doors svg { grid-row: 1 / 3; margin: 0 }
    .doors b { align-self: end }
  }`

/** The front page of a sandbox. Each door signs the visitor in with one click, any number of times. */
export function sandboxSignInPage(people: readonly DemoPerson[], list: Html): Html {
  const doors = doorsOf(people).map(
    ({ title, as, text, to, drawPicture }) =>
      html`<li>
        <form method="post" action="/sign-in/people/${as.id}?to=${encodeURIComponent(to)}">
          <button>${drawPicture}<b>${title}</b><small>${text}</small></button>
        </form>
      </li>`,
  )
  const body = html`<p>
      This sandbox has a year and a half of made-up employers, people and money. Choose a view; return to this page to
      switch.
    </p>
    <ul class="doors">
      ${doors}
    </ul>
    <h2>Sign in as a specific person</h2>
    ${list}
    <p>
      <a href="/docs">Documentation</a> · <a href="/docs/reference/">API reference</a> · <a href="/widgets">Widgets</a>
    </p>`
  return html.page('OpenBenefits sandbox', body, style)
}

import { html, type Html } from '../../../kernel/formats/html.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { PageResponse, PageRequest, WebPage } from '../../../http/static/pages.ts'
import { widget_policy, widgetScript } from '../../../http/static/widgets.ts'
import { serviceCaller } from '../../../runtime/caller.ts'
import { inTransaction } from '../../../runtime/runtime.ts'
import { issueEmployeeToken } from '../../access/auth/actions.ts'
import { refusals as sign_in_refusals } from '../../access/sessions/rules.ts'
import { refusals } from './rules.ts'
import { openLink, setUnsubscribed } from './sending-actions.ts'
import { readMessageToken, visit_seconds, type EmployeeVisit, type MessageKey } from './token-rules.ts'

const { another_origin, not_signed_in } = sign_in_refusals

const page = (title: string, english: string, spanish: string, more: Html = html``): PageResponse => ({
  page: html.page(
    title,
    html`<p>${english}</p>
      <p lang="es">${spanish}</p>
      ${more}`,
  ),
})

/** Shows a page with a button to confirm, because mail scanners open links. */
async function confirmUnsubscribe({ runtime, params, countInvalid }: PageRequest): Promise<PageResponse> {
  const token = params.token!
  if (!readMessageToken(runtime.secrets.tokenKeys(), 'unsubscribe', token)) {
    countInvalid()
    throw new Refusal(refusals.link_not_valid)
  }
  return page(
    'Stop enrollment reminders?',
    'You will no longer get reminders by email. You will still get a notice when an enrollment period opens.',
    'Ya no recibirá recordatorios por correo electrónico. ' +
      'Seguirá recibiendo un aviso cuando se abra un período de inscripción.',
    html`<form method="post" action="/unsubscribe/${token}"><button>Stop reminders · No recibir más</button></form>`,
  )
}

/** Also accepts the one-click requests of mail programs (RFC 8058), which do not come from a page. */
async function stopReminders(request: PageRequest): Promise<PageResponse> {
  await saveChoice(request, true)
  return page(
    'Reminders stopped',
    'You will no longer get enrollment reminders by email.',
    'Ya no recibirá recordatorios de inscripción por correo electrónico.',
    html`<form method="post" action="/unsubscribe/${request.params.token!}/undo">
      <button>Get reminders again · Volver a recibirlos</button>
    </form>`,
  )
}

async function continueReminders(request: PageRequest): Promise<PageResponse> {
  await saveChoice(request, false)
  return page(
    'Reminders continue',
    'You will get enrollment reminders by email again.',
    'Volverá a recibir recordatorios de inscripción por correo electrónico.',
  )
}

async function saveChoice({ runtime, params, countInvalid }: PageRequest, is_unsubscribed: boolean): Promise<void> {
  if (await setUnsubscribed(runtime, params.token!, is_unsubscribed)) return
  countInvalid()
  throw new Refusal(refusals.link_not_valid)
}

const visit_cookie = 'openbenefits-employee'

/** Shows a page with a button, because mail scanners open links and would use up the token. */
async function confirmVisit(request: PageRequest): Promise<PageResponse> {
  const { runtime, params, countInvalid } = request
  const token = params.token!
  const message = readMessageToken(runtime.secrets.tokenKeys(), 'dashboard', token)
  if (!message) {
    countInvalid()
    return linkEnded
  }
  if (isVisiting(request, message)) return dashboard
  return page(
    'Choose your benefits',
    'This link is only for you. Your visit ends after an hour.',
    'Este enlace es solo para usted. Su visita termina después de una hora.',
    html`<form method="post" action="/benefits/${token}"><button>Continue · Continuar</button></form>`,
  )
}

const dashboard = { see: '/benefits' }

const linkEnded: PageResponse = {
  status: 409,
  ...page(
    'This link has ended',
    'A link works once, for 3 days, and your visit ends after an hour. Request a new link from your employer.',
    'Un enlace funciona una sola vez, durante 3 días, y su visita termina después de una hora. ' +
      'Solicite un enlace nuevo a su empleador.',
  ),
}

/** Redeems the token of a link, and keeps the visit in a cookie, so that no address of a page contains a secret. */
async function beginVisit(request: PageRequest): Promise<PageResponse> {
  const { runtime, params, is_own, countInvalid } = request
  if (!is_own) throw new Refusal(another_origin)
  const message = readMessageToken(runtime.secrets.tokenKeys(), 'dashboard', params.token!)
  if (!message) {
    countInvalid()
    return linkEnded
  }
  if (isVisiting(request, message)) return dashboard
  try {
    const visit = await inTransaction(runtime, serviceCaller(message.organization_id), (ctx) =>
      openLink(ctx, message, request),
    )
    const value = runtime.secrets.encrypt(JSON.stringify(visit)).toString('base64url')
    return { ...dashboard, cookies: [{ name: visit_cookie, value, max_age: visit_seconds }] }
  } catch (error) {
    if (error instanceof Refusal) return linkEnded
    throw error
  }
}

/** The visit in the cookie of a browser. Undefined if the cookie is missing or the visit has ended. */
function visitOf({ runtime, cookie }: PageRequest): EmployeeVisit | undefined {
  const sealed = cookie(visit_cookie)
  if (sealed === undefined) return undefined
  try {
    const visit = JSON.parse(runtime.secrets.decrypt(Buffer.from(sealed, 'base64url'))) as EmployeeVisit
    return Date.parse(visit.ends_at) > runtime.clock() ? visit : undefined
  } catch {
    return undefined
  }
}

/**
 * Whether the visit of a link continues in this browser. The back button of a phone returns to the link, which works
 * only once.
 */
const isVisiting = (request: PageRequest, { enrollment_message_id }: MessageKey): boolean =>
  visitOf(request)?.enrollment_message_id === enrollment_message_id

const dashboard_style = `
  body { max-width: 60rem; margin: 0 auto; padding: 20px 20px 48px }
  h1 { margin: 0 }
  .mark { display: none }
  ob-employee-dashboard { display: block; margin: 0 -20px }`

/** Shows the employee dashboard during a visit. */
async function showDashboard(request: PageRequest): Promise<PageResponse> {
  const visit = visitOf(request)
  if (!visit) return linkEnded
  const is_spanish = request.query.get('lang') === 'es'
  const other = is_spanish
    ? html`<a href="/benefits" lang="en">English</a>`
    : html`<a href="/benefits?lang=es" lang="es">Español</a>`
  const body = html`<p>${other}</p>
    <ob-employee-dashboard for="${visit.employee_id}" token-url="/benefits/access-token"></ob-employee-dashboard>
    ${await widgetScript('employee-dashboard')}`
  const title = is_spanish ? 'Sus beneficios' : 'Your benefits'
  return { page: html.page(title, body, dashboard_style, is_spanish ? 'es' : 'en'), policy: widget_policy }
}

/** Issues the access tokens of a visit, which is the only use of its cookie. */
async function fetchToken(request: PageRequest): Promise<PageResponse> {
  if (!request.is_own) throw new Refusal(another_origin)
  const visit = visitOf(request)
  if (!visit) throw new Refusal(not_signed_in)
  const { ends_at, ...claims } = visit
  const caller = serviceCaller(visit.organization_id)
  return { data: await inTransaction(request.runtime, caller, (ctx) => issueEmployeeToken(ctx, claims, ends_at)) }
}

export const pages: WebPage[] = [
  { method: 'GET', path: '/benefits', respond: showDashboard },
  { method: 'POST', path: '/benefits/access-token', respond: fetchToken },
  { method: 'GET', path: '/benefits/{token}', respond: confirmVisit },
  { method: 'POST', path: '/benefits/{token}', respond: beginVisit },
  { method: 'GET', path: '/unsubscribe/{token}', respond: confirmUnsubscribe },
  { method: 'POST', path: '/unsubscribe/{token}', respond: stopReminders },
  { method: 'POST', path: '/unsubscribe/{token}/undo', respond: continueReminders },
]

import { html, type Html } from '../../../kernel/formats/html.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { PageResponse, PageRequest, WebPage } from '../../../http/static/pages.ts'
import { refusals } from './rules.ts'
import { setUnsubscribed } from './sending-actions.ts'
import { readMessageToken } from './token-rules.ts'

const page = (title: string, english: string, spanish: string, more: Html = html``): PageResponse => ({
  page: html.page(
    title,
    html`<p>${english}</p>
      <p lang="es">${spanish}</p>
      ${more}`,
  ),
})

/** Shows a page with a button to confirm, because mail scanners open links. */
async function confirmUnsubscribe({ runtime, params, countWrong }: PageRequest): Promise<PageResponse> {
  const token = params.token!
  if (!readMessageToken(runtime.secrets.tokenKeys(), 'unsubscribe', token)) {
    countWrong()
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

async function saveChoice({ runtime, params, countWrong }: PageRequest, is_unsubscribed: boolean): Promise<void> {
  if (await setUnsubscribed(runtime, params.token!, is_unsubscribed)) return
  countWrong()
  throw new Refusal(refusals.link_not_valid)
}

export const pages: WebPage[] = [
  { method: 'GET', path: '/unsubscribe/{token}', answer: confirmUnsubscribe },
  { method: 'POST', path: '/unsubscribe/{token}', answer: stopReminders },
  { method: 'POST', path: '/unsubscribe/{token}/undo', answer: continueReminders },
]

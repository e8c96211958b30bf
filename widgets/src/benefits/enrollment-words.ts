import type { EnrollmentMessage, EnrollmentReminders, EnrollmentSchedule } from 'openbenefits'
import { pluralIn } from '../core/format.ts'

/** The entries of a schedule. */
export type Occasion = Exclude<keyof EnrollmentSchedule, 'updated_at'>
type SkipReason = EnrollmentReminders['skipped'][number]['reason']

const plural = pluralIn('en')

const en = {
  title: 'Enrollment center',
  no_windows: 'No enrollment window is open. The next one appears here.',
  finished_of: (eligible: number) => `of ${eligible} people have finished`,
  days_left: 'Days left',
  by_benefit_and_class: 'By benefit and class',
  responded: 'Responded',
  some_of: (some: number, all: number) => `${some} of ${all}`,
  people_found: (many: number) => plural(many, { one: '# person', other: '# people' }),
  last_message: 'Last message',
  last_activity: 'Last activity',
  select: (name: string) => `Select ${name}`,
  email_statuses: { reachable: '', missing: 'No email', bounced: 'Email bounced', unsubscribed: 'Unsubscribed' },
  remind: (many: number) => `Remind ${many}`,
  reminded: (many: number) => plural(many, { one: '# person was reminded.', other: '# people were reminded.' }),
  back: 'Back to the enrollment center',
  reminder: 'Remind people to enroll',
  recipients: (many: number) => plural(many, { one: 'person gets a reminder', other: 'people get a reminder' }),
  not_reminded: 'Not reminded',
  skipped: {
    not_in_plan_year: 'Not in this plan year',
    answered: 'Have responded',
    window_closed: 'Window closed',
    other_status: 'Different status',
    messaged_today: 'Got a message today',
    no_email: 'No email',
    address_bounced: 'Email bounced',
    unsubscribed: 'Unsubscribed',
  } satisfies Record<SkipReason, string>,
  no_recipients: 'No one can be reminded now.',
  sent_by_administrator: 'Your benefits administrator sends these reminders.',
  preview: 'Email',
  send: (many: number) => plural(many, { one: 'Send # reminder', other: 'Send # reminders' }),
  schedule: 'Automatic messages',
  schedule_words: 'For people who have not responded, during open enrollment and the first 30 days of new hires.',
  entries: {
    opening: 'Invitation when a window opens',
    half_way: 'Reminder halfway through',
    three_days_before: 'Reminder 3 days before the last day',
    one_day_before: 'Reminder the day before the last day',
  } satisfies Record<Occasion, string>,
  save: 'Save messages',
  saved: 'The automatic messages were saved.',
  messages: 'Sent messages',
  no_messages: 'No messages yet. Invitations and reminders appear here.',
  message: 'Message',
  kinds: { invitation: 'Invitation', reminder: 'Reminder' },
  occasions: {
    request: 'By request',
    opening: 'Window opened',
    half_way: 'Halfway',
    three_days_before: '3 days before',
    one_day_before: '1 day before',
  } satisfies Record<EnrollmentMessage['occasion'], string>,
  day: 'Day',
  states: {
    published: 'With administrator',
    queued: 'Queued',
    sending: 'Sending',
    sent: 'Sent',
    failed: 'Failed',
    cancelled: 'Canceled',
  } satisfies Record<EnrollmentMessage['status'], string>,
}

type EnrollmentWords = typeof en

const plural_es = pluralIn('es')

const es: EnrollmentWords = {
  title: 'Centro de inscripción',
  no_windows: 'No hay ningún plazo de inscripción abierto. El próximo aparecerá aquí.',
  finished_of: (eligible) => `de ${eligible} personas han terminado`,
  days_left: 'Días restantes',
  by_benefit_and_class: 'Por beneficio y clase',
  responded: 'Respondieron',
  some_of: (some, all) => `${some} de ${all}`,
  people_found: (many) => plural_es(many, { one: '# persona', other: '# personas' }),
  last_message: 'Último mensaje',
  last_activity: 'Última actividad',
  select: (name) => `Seleccionar a ${name}`,
  email_statuses: {
    reachable: '',
    missing: 'Sin correo',
    bounced: 'Correo rechazado',
    unsubscribed: 'No desea recordatorios',
  },
  remind: (many) => `Enviar recordatorio a ${many}`,
  reminded: (many) =>
    plural_es(many, { one: 'Se envió un recordatorio a # persona.', other: 'Se enviaron recordatorios a # personas.' }),
  back: 'Volver al centro de inscripción',
  reminder: 'Recordatorio de inscripción',
  recipients: (many) =>
    plural_es(many, { one: 'persona recibe un recordatorio', other: 'personas reciben un recordatorio' }),
  not_reminded: 'Sin recordatorio',
  skipped: {
    not_in_plan_year: 'No están en este año del plan',
    answered: 'Ya respondieron',
    window_closed: 'Plazo cerrado',
    other_status: 'Otro estado',
    messaged_today: 'Recibieron un mensaje hoy',
    no_email: 'Sin correo',
    address_bounced: 'Correo rechazado',
    unsubscribed: 'No desean recordatorios',
  },
  no_recipients: 'No hay nadie a quien enviar un recordatorio ahora.',
  sent_by_administrator: 'Su administrador de beneficios envía estos recordatorios.',
  preview: 'Correo electrónico',
  send: (many) => plural_es(many, { one: 'Enviar # recordatorio', other: 'Enviar # recordatorios' }),
  schedule: 'Mensajes automáticos',
  schedule_words:
    'Para quienes no han respondido, durante la inscripción abierta y los primeros 30 días de los nuevos empleados.',
  entries: {
    opening: 'Invitación cuando se abre un plazo',
    half_way: 'Recordatorio a la mitad del plazo',
    three_days_before: 'Recordatorio 3 días antes del último día',
    one_day_before: 'Recordatorio el día antes del último día',
  },
  save: 'Guardar mensajes',
  saved: 'Se guardaron los mensajes automáticos.',
  messages: 'Mensajes enviados',
  no_messages: 'Todavía no hay mensajes. Las invitaciones y los recordatorios aparecerán aquí.',
  message: 'Mensaje',
  kinds: { invitation: 'Invitación', reminder: 'Recordatorio' },
  occasions: {
    request: 'A pedido',
    opening: 'Plazo abierto',
    half_way: 'A la mitad',
    three_days_before: '3 días antes',
    one_day_before: '1 día antes',
  },
  day: 'Día',
  states: {
    published: 'Con el administrador',
    queued: 'En cola',
    sending: 'Enviando',
    sent: 'Enviado',
    failed: 'Fallido',
    cancelled: 'Cancelado',
  },
}

/** The enrollment center loads separately, so its words are not among those of the first file. */
export const enrollmentWords = ({ language }: { language: 'en' | 'es' }): EnrollmentWords =>
  language === 'es' ? es : en

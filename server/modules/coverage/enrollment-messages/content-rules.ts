import { html, type Html } from '../../../kernel/formats/html.ts'
import type { Day } from '../../../kernel/days.ts'
import type { MessageLanguage } from './rules.ts'
import { type MessageKind } from '../enrollment-windows/schemas.ts'

/** The facts of an email. */
export type ContentFacts = {
  kind: MessageKind
  language: MessageLanguage
  first_name: string
  employer_name: string
  closes_on: Day
  link: string
  /** Null for invitations, which are a required notice. */
  unsubscribe_url: string | null
  accent_color: string | null
}

export type Content = { subject: string; text: string; html: string }

type EmailWords = {
  locale: string
  subject: Record<MessageKind, (employer: string, day: string) => string>
  hello: (name: string) => string
  body: Record<MessageKind, (employer: string, day: string) => string[]>
  link: string
  once: string
  unsubscribe: string
}

const en: EmailWords = {
  locale: 'en-US',
  subject: {
    invitation: (employer, day) => `Choose your ${employer} benefits by ${day}`,
    reminder: (employer, day) => `Reminder: choose your ${employer} benefits by ${day}`,
  },
  hello: (name) => `Hello ${name},`,
  body: {
    invitation: (employer, day) => [
      `Benefits enrollment at ${employer} is open. You can choose or waive your benefits until ${day}.`,
      'If you do not choose by then, you may have to wait for the next enrollment period.',
    ],
    reminder: (employer, day) => [
      `You have not finished your benefits enrollment at ${employer}. The last day is ${day}.`,
      'You can choose a plan or waive coverage for each benefit. It takes about 10 minutes.',
    ],
  },
  link: 'Choose my benefits',
  once: 'This link is only for you. It works once, for 3 days.',
  unsubscribe: 'Stop enrollment reminders',
}

const es: EmailWords = {
  locale: 'es-US',
  subject: {
    invitation: (employer, day) => `Elija sus beneficios de ${employer} a más tardar el ${day}`,
    reminder: (employer, day) => `Recordatorio: elija sus beneficios de ${employer} a más tardar el ${day}`,
  },
  hello: (name) => `Hola, ${name}:`,
  body: {
    invitation: (employer, day) => [
      `La inscripción de beneficios de ${employer} está abierta. ` +
        `Puede elegir o rechazar sus beneficios hasta el ${day}.`,
      'Si no elige antes de esa fecha, es posible que tenga que esperar el próximo período de inscripción.',
    ],
    reminder: (employer, day) => [
      `Aún no ha terminado su inscripción de beneficios de ${employer}. El último día es el ${day}.`,
      'Puede elegir un plan o rechazar la cobertura de cada beneficio. Toma unos 10 minutos.',
    ],
  },
  link: 'Elegir mis beneficios',
  once: 'Este enlace es solo para usted. Funciona una sola vez, durante 3 días.',
  unsubscribe: 'No recibir más recordatorios de inscripción',
}

const chosen: Record<MessageLanguage, EmailWords[]> = { en: [en], es: [es], both: [en, es] }

/** A day in words. Without a year, because windows are short. */
const inWords = (day: Day, { locale }: EmailWords) =>
  Temporal.PlainDate.from(day).toLocaleString(locale, { month: 'long', day: 'numeric' })

const textOf = (facts: ContentFacts, words: EmailWords): string => {
  const { kind, first_name, employer_name, closes_on, link, unsubscribe_url } = facts
  return [
    words.hello(first_name),
    ...words.body[kind](employer_name, inWords(closes_on, words)),
    `${words.link}: ${link}`,
    words.once,
    ...(unsubscribe_url === null ? [] : [`${words.unsubscribe}: ${unsubscribe_url}`]),
  ].join('\n\n')
}

/**
 * The accent color of the console, used unless the organization has its own. Either color has enough contrast with
 * white.
 */
const default_accent = '#2748b3'

const sectionOf = (facts: ContentFacts, words: EmailWords): Html => {
  const { kind, first_name, employer_name, closes_on, link, unsubscribe_url } = facts
  const button =
    `display:inline-block;padding:12px 20px;border-radius:6px;color:#ffffff;text-decoration:none;` +
    `font-weight:600;background:${facts.accent_color ?? default_accent}`
  return html`<div lang="${words.locale}" style="padding:24px 0">
    <p style="margin:0 0 16px">${words.hello(first_name)}</p>
    ${words.body[kind](employer_name, inWords(closes_on, words)).map(
      (paragraph) => html`<p style="margin:0 0 16px">${paragraph}</p>`,
    )}
    <p style="margin:0 0 16px"><a href="${link}" style="${button}">${words.link}</a></p>
    <p style="margin:0 0 16px;font-size:14px;color:#565e69">${words.once}</p>
    ${
      unsubscribe_url === null
        ? html``
        : html`<p style="margin:24px 0 0;font-size:14px">
            <a href="${unsubscribe_url}" style="color:#565e69">${words.unsubscribe}</a>
          </p>`
    }
  </div>`
}

/**
 * The page of an email with sections. The layout is one column of paragraphs, which every mail program displays well at
 * any width. A template language is therefore not needed.
 */
export const pageOf = (subject: string, locale: string, sections: Html[]): string =>
  html`<!doctype html>
    <html lang="${locale}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>${subject}</title>
      </head>
      <body style="margin:0;background:#ffffff;color:#16191d;font:16px/24px system-ui,'Segoe UI',sans-serif">
        <div style="max-width:520px;margin:0 auto;padding:8px 16px">${sections}</div>
      </body>
    </html>`.text

/** Between the sections of the text of an email. */
export const section_break = '\n\n———\n\n'

/** The email of a message, with a section for each language. */
export function contentOf(facts: ContentFacts): Content {
  const { kind, language, employer_name, closes_on } = facts
  const sections = chosen[language]
  const subject = sections.map((words) => words.subject[kind](employer_name, inWords(closes_on, words))).join(' · ')
  const page = sections.map((words) => sectionOf(facts, words))
  const text = sections.map((words) => textOf(facts, words)).join(section_break)
  return { subject, text, html: pageOf(subject, sections[0]!.locale, page) }
}

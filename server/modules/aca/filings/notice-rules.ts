import { html } from '../../../kernel/formats/html.ts'
import { pageOf, section_break, type Content } from '../../coverage/enrollment-messages/content-rules.ts'
import type { MessageLanguage } from '../../coverage/enrollment-messages/rules.ts'
import type { FormType } from '../forms/rules.ts'

/** The facts of the email about a posted form. `page`: the address of the page of the partner. Null if it has none. */
export type NoticeContent = {
  language: MessageLanguage
  form_type: FormType
  tax_year: number
  is_corrected: boolean
  first_name: string
  legal_name: string
  email: string
  page: string | null
}

type NoticeWords = { locale: string; hello: (name: string) => string; body: (facts: NoticeContent) => string[] }

const en: NoticeWords = {
  locale: 'en-US',
  hello: (name) => `Hello ${name},`,
  body: ({ form_type, tax_year, is_corrected, legal_name, email, page }) => [
    `Your ${is_corrected ? 'corrected ' : ''}Form ${form_type} for ${tax_year} from ${legal_name} is available ` +
      'online.',
    `To see and print it, open your benefits page${page === null ? '' : ` at ${page}`}, choose "Tax forms", and open ` +
      'the PDF.',
    `You get this email because you consented to receive tax forms electronically. Questions: ${email}`,
  ],
}

const es: NoticeWords = {
  locale: 'es-US',
  hello: (name) => `Hola, ${name}:`,
  body: ({ form_type, tax_year, is_corrected, legal_name, email, page }) => [
    `Su Formulario ${form_type}${is_corrected ? ' corregido' : ''} de ${tax_year} de ${legal_name} está disponible ` +
      'en línea.',
    `Para verlo e imprimirlo, abra su página de beneficios${page === null ? '' : ` en ${page}`}, elija "Formularios ` +
      'de impuestos" y abra el PDF.',
    `Recibe este correo porque dio su consentimiento para recibir los formularios de impuestos electrónicamente. ` +
      `Preguntas: ${email}`,
  ],
}

const chosen: Record<MessageLanguage, NoticeWords[]> = { en: [en], es: [es], both: [en, es] }

/**
 * The email about a posted form. The regulation requires the words in capitals in the subject, and instructions to
 * access and print the form. A corrected form needs another notice (26 CFR 301.6056-2(a)(6)).
 */
export function noticeOf(facts: NoticeContent): Content {
  const sections = chosen[facts.language].map((words) => ({
    locale: words.locale,
    paragraphs: [words.hello(facts.first_name), ...words.body(facts)],
  }))
  const subject = `IMPORTANT TAX RETURN DOCUMENT AVAILABLE: Form ${facts.form_type} for ${facts.tax_year}`
  const page = sections.map(
    ({ locale, paragraphs }) =>
      html`<div lang="${locale}" style="padding:24px 0">
        ${paragraphs.map((paragraph) => html`<p style="margin:0 0 16px">${paragraph}</p>`)}
      </div>`,
  )
  const text = sections.map(({ paragraphs }) => paragraphs.join('\n\n')).join(section_break)
  return { subject, text, html: pageOf(subject, sections[0]!.locale, page) }
}

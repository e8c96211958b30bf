import { createTransport } from 'nodemailer'
import { z } from 'zod'
import { count } from '../../kernel/config.ts'
import { Email } from '../../kernel/fields.ts'
import { integration } from '../../kernel/integration.ts'

export type OutgoingMail = {
  /** The id without angle brackets. It stays the same if the message is sent again. */
  message_id: string
  sender_name: string
  to: { name: string; address: string }
  reply_to: string | null
  subject: string
  text: string
  html: string
  headers: Record<string, string>
  attachments?: { filename: string; contentType: string; content: Buffer }[]
}

/**
 * The result of an attempt. `bounced`: the server refused the address permanently. `refused`: it refused the message
 * permanently. `postponed`: the message was certainly not accepted, and a later attempt may succeed. `unknown`: the
 * connection broke, and the server may have accepted the message.
 */
export type MailOutcome = {
  result: 'sent' | 'bounced' | 'refused' | 'postponed' | 'unknown'
  smtp_status: number | null
}

/**
 * The maximum number of emails per minute, in total and for one organization. The limit for one organization keeps it
 * from delaying the emails of others.
 */
export type MailRate = { in_total: number; of_organization: number }

export type Mailer = {
  /** The domain of message ids. */
  domain: string
  rate: MailRate
  send(mail: OutgoingMail): Promise<MailOutcome>
}

type MailError = { responseCode?: number; response?: string; command?: string; syscall?: string; code?: string }

/**
 * Whether the reply concerns the recipient: it rejects RCPT TO, or has an enhanced status code about addresses (RFC
 * 3463).
 */
const isAboutAddress = ({ command, response = '' }: MailError): boolean =>
  command === 'RCPT TO' || /^5\d\d[ -]5\.1\./.test(response)

/** Whether an error occurred before the server greeted us. */
const isBeforeSession = ({ syscall, code }: MailError): boolean =>
  syscall === 'connect' || syscall === 'getaddrinfo' || ['EDNS', 'ETLS', 'EAUTH', 'ECONNREFUSED'].includes(code ?? '')

/** Classifies an error of an attempt by its SMTP status and the command that failed. */
export function outcomeOf(error: MailError): MailOutcome {
  const { responseCode: smtp_status = null, command } = error
  if (smtp_status === null) return { result: isBeforeSession(error) ? 'postponed' : 'unknown', smtp_status }
  // If the server refuses our sign-in or our sender, the settings are wrong, and an operator can fix them.
  const is_final = smtp_status >= 500 && (command === 'RCPT TO' || command === 'DATA')
  if (!is_final) return { result: 'postponed', smtp_status }
  return { result: isAboutAddress(error) ? 'bounced' : 'refused', smtp_status }
}

const local_hosts = ['localhost', '127.0.0.1', '[::1]']

const mailerAt = (url: string, from: string, per_minute: number): Mailer => {
  const transport = createTransport({
    url,
    requireTLS: url.startsWith('smtp:') && !local_hosts.includes(new URL(url).hostname),
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
  })
  return {
    domain: from.split('@')[1]!,
    rate: { in_total: per_minute, of_organization: Math.ceil(per_minute / 3) },
    async send({ message_id, sender_name, to, reply_to, ...mail }) {
      try {
        await transport.sendMail({
          ...mail,
          messageId: `<${message_id}>`,
          from: { name: sender_name, address: from },
          to,
          ...(reply_to !== null && { replyTo: reply_to }),
          disableFileAccess: true,
          disableUrlAccess: true,
        })
        return { result: 'sent', smtp_status: 250 }
      } catch (error) {
        return outcomeOf(error as MailError)
      }
    },
  }
}

/** Sends email over SMTP. Undefined without a server. */
export const mailer = integration({
  settings: {
    SMTP_URL: z
      .string()
      .refine(
        (text) => /^smtps?:\/\/[^\s/]+\/?$/.test(text) && URL.canParse(text),
        'must be a URL such as smtp://user:password@mail.example.com:587',
      )
      .optional(),
    SMTP_FROM: Email.optional(),
    SMTP_PER_MINUTE: count(1, 100_000).default(300),
  },
  // Emails link to the page on which employees unsubscribe, so a mail server also requires the public URL.
  missing: ({ SMTP_URL, ...needed }) => {
    const setting = (['PUBLIC_URL', 'SMTP_FROM'] as const).find((name) => needed[name] === undefined)
    return SMTP_URL !== undefined && setting ? { setting, when: 'when SMTP_URL is set' } : undefined
  },
  open: ({ SMTP_URL, SMTP_FROM, SMTP_PER_MINUTE }): Mailer | undefined =>
    SMTP_URL === undefined || SMTP_FROM === undefined ? undefined : mailerAt(SMTP_URL, SMTP_FROM, SMTP_PER_MINUTE),
})

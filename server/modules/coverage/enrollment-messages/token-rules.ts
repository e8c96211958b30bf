import { createHmac, timingSafeEqual } from 'node:crypto'
import { day_ms } from '../../../kernel/days.ts'
import { isId } from '../../../kernel/ids.ts'

/*
 * Tokens of messages. A token consists of the ids of an organization and a message, and a signature. It is derived from
 * the message, so that a second attempt sends the same links and no secret is stored. It contains no personal data.
 */

/**
 * `dashboard`: opens the employee's page once. `unsubscribe`: stops reminders. A token is only accepted for its own
 * purpose.
 */
export type TokenPurpose = 'dashboard' | 'unsubscribe'

export type MessageKey = { organization_id: string; enrollment_message_id: string }

/** The lifetime of a dashboard token. */
const lasts_ms = 3 * day_ms

export const endOfLink = (now: string): string => new Date(Date.parse(now) + lasts_ms).toISOString()

/** An employee's visit to the benefits page, which starts with the link in an email. */
export type EmployeeVisit = MessageKey & { employee_id: string; ends_at: string }

/** The length of a visit in seconds. The browser keeps it in a cookie. */
export const visit_seconds = 60 * 60

export const endOfVisit = (now: string): string => new Date(Date.parse(now) + visit_seconds * 1000).toISOString()

const signatureOf = (key: Buffer, purpose: TokenPurpose, { organization_id, enrollment_message_id }: MessageKey) =>
  createHmac('sha256', key).update(`${purpose} ${organization_id} ${enrollment_message_id}`).digest()

/** The token of a message, signed with the first key. */
export const messageToken = (keys: Buffer[], purpose: TokenPurpose, message: MessageKey): string =>
  `${message.organization_id}.${message.enrollment_message_id}.` +
  signatureOf(keys[0]!, purpose, message).toString('base64url')

/** Reads a token. Undefined if it is malformed, or no key has signed it for this purpose. */
export function readMessageToken(keys: Buffer[], purpose: TokenPurpose, token: string): MessageKey | undefined {
  const [organization_id = '', enrollment_message_id = '', signature = '', ...more] = token.split('.')
  if (more.length > 0 || !isId('org', organization_id) || !isId('emsg', enrollment_message_id)) return undefined
  const message = { organization_id, enrollment_message_id }
  const sent = Buffer.from(signature, 'base64url')
  const is_signed = keys.some((key) => {
    const expected = signatureOf(key, purpose, message)
    return expected.length === sent.length && timingSafeEqual(expected, sent)
  })
  return is_signed ? message : undefined
}

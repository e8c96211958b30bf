import { describe, expect, it } from 'vitest'
import { outcomeOf } from '../../../integrations/mail/mailer.ts'
import { contentOf, type ContentFacts } from './content-rules.ts'
import { deliveryOf, modeOf, messageOccasion, whyNotMessage, type Invitee } from './rules.ts'

const every = { opening: true, half_way: true, three_days_before: true, one_day_before: true }
const window = { opens_on: '2026-11-01', closes_on: '2026-11-15', was_invited: false }

describe('messageOccasion', () => {
  it.each([
    ['2026-10-31', undefined],
    ['2026-11-01', 'opening'],
    ['2026-11-02', 'opening'],
    ['2026-11-03', undefined],
    ['2026-11-08', 'half_way'],
    ['2026-11-12', 'three_days_before'],
    ['2026-11-14', 'one_day_before'],
    ['2026-11-15', undefined],
  ])('on %s is %s', (today, occasion) => expect(messageOccasion(every, window, today)).toBe(occasion))

  it('invites once, and follows only the chosen entries', () => {
    expect(messageOccasion(every, { ...window, was_invited: true }, '2026-11-02')).toBeUndefined()
    expect(messageOccasion({ ...every, half_way: false }, window, '2026-11-08')).toBeUndefined()
  })

  it('prefers the last days in a short window', () => {
    const short = { opens_on: '2026-11-01', closes_on: '2026-11-03', was_invited: true }
    expect(messageOccasion(every, short, '2026-11-02')).toBe('one_day_before')
  })
})

const person: Invitee = {
  employee_id: 'empl_1',
  member_id: 'mbr_1',
  plan_year_id: 'plyr_1',
  employer_id: 'empr_1',
  status: 'not_started',
  enrollment_id: 'enrl_1',
  opens_on: '2026-11-01',
  closes_on: '2026-11-15',
  email: 'ana@example.com',
  has_bounced: false,
  has_unsubscribed: false,
  was_messaged_today: false,
}

it.each([
  [{}, 'reminder', 'send', undefined],
  [{ enrollment_id: null }, 'reminder', 'send', 'answered'],
  [{ closes_on: null }, 'reminder', 'send', 'window_closed'],
  [{ was_messaged_today: true }, 'reminder', 'events', 'messaged_today'],
  [{ email: null }, 'reminder', 'send', 'no_email'],
  [{ email: null }, 'reminder', 'events', undefined],
  [{ has_bounced: true }, 'invitation', 'send', 'address_bounced'],
  [{ has_unsubscribed: true }, 'reminder', 'send', 'unsubscribed'],
  [{ has_unsubscribed: true }, 'invitation', 'send', undefined],
] as const)('with %j, a message (%s, %s) is skipped for this reason: %s', (change, kind, mode, reason) =>
  expect(whyNotMessage({ ...person, ...change }, kind, mode)).toBe(reason),
)

it('publishes events unless the service can send, and follows the choice of the organization', () => {
  expect(modeOf(null, deliveryOf(false, false))).toBe('events')
  expect(modeOf('send', deliveryOf(false, false))).toBe('events')
  expect(modeOf(null, deliveryOf(false, true))).toBe('send')
  expect(modeOf('events', deliveryOf(false, true))).toBe('events')
  expect(deliveryOf(true, true)).toBe('mailbox')
})

describe('outcomeOf', () => {
  it.each([
    [{ responseCode: 550, command: 'RCPT TO' }, 'bounced'],
    [{ responseCode: 550, command: 'DATA', response: '550 5.1.1 No such user' }, 'bounced'],
    [{ responseCode: 554, command: 'DATA', response: '554 5.7.1 Spam' }, 'refused'],
    [{ responseCode: 451, command: 'RCPT TO' }, 'postponed'],
    [{ responseCode: 535, command: 'AUTH PLAIN' }, 'postponed'],
    [{ responseCode: 550, command: 'MAIL FROM' }, 'postponed'],
    [{ code: 'ESOCKET', syscall: 'connect', command: 'CONN' }, 'postponed'],
    [{ code: 'EDNS', command: 'CONN' }, 'postponed'],
    [{ code: 'ETIMEDOUT', command: 'CONN' }, 'unknown'],
    [{ code: 'ECONNECTION', command: 'CONN' }, 'unknown'],
  ])('of %j is %s', (error, result) => expect(outcomeOf(error).result).toBe(result))
})

const facts: ContentFacts = {
  kind: 'reminder',
  language: 'es',
  first_name: 'Ana <b>',
  employer_name: 'Cole & Co',
  closes_on: '2026-11-15',
  link: 'https://benefits.example.com/benefits/x',
  unsubscribe_url: 'https://benefits.example.com/unsubscribe/x',
  accent_color: null,
}

it('writes an email in one language, and escapes names', () => {
  const { subject, text, html } = contentOf(facts)
  expect(subject).toBe('Recordatorio: elija sus beneficios de Cole & Co a más tardar el 15 de noviembre')
  expect(text).toContain('Hola, Ana <b>:')
  expect(html).toContain('Ana &lt;b&gt;')
  expect(html).not.toContain('Hello')
  expect(contentOf({ ...facts, language: 'both' }).text).toMatch(/Hello Ana <b>,[^]*Hola, Ana <b>:/)
})

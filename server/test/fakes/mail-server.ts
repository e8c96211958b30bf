import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll } from 'vitest'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { mailer } from '../../integrations/mail/mailer.ts'
import type { Api } from '../harness.ts'

/** An error reply of the mail server, such as 550. */
const reply = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode })

/** A real SMTP server on this machine. It keeps the messages that it accepts. */
export type MailServer = {
  received: Email[]
  /** The settings with which the service uses it. */
  settings: { SMTP_URL: string; SMTP_FROM: string; SMTP_PER_MINUTE: number }
  /** The reply to a recipient by address: an error status, or `hang_up` to drop the connection after the message. */
  faults: Map<string, number | 'hang_up'>
}

/** Starts a mail server, and makes the service use it. */
export function useMailServer(api: Api): MailServer {
  const state: MailServer = {
    received: [],
    settings: { SMTP_URL: '', SMTP_FROM: 'benefits@mail.example.com', SMTP_PER_MINUTE: 300 },
    faults: new Map(),
  }
  const keep = async (stream: Readable, { rcptTo }: { rcptTo: { address: string }[] }, done: () => void) => {
    state.received.push(await PostalMime.parse(await buffer(stream)))
    const hangs_up = rcptTo.some(({ address }) => state.faults.get(address) === 'hang_up')
    if (hangs_up) server.connections.forEach((connection) => connection.close())
    else done()
  }
  const server: SMTPServer = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo({ address }, _session, done) {
      const fault = state.faults.get(address)
      done(typeof fault === 'number' ? reply(fault, 'Recipient refused') : null)
    },
    onData(stream, session, done) {
      void keep(stream, session.envelope, done)
    },
  })
  beforeAll(async () => {
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', () => resolve()))
    const { port } = server.server.address() as { port: number }
    state.settings.SMTP_URL = `smtp://127.0.0.1:${port}`
    api.runtime.integrations.set(mailer, mailer.open(state.settings))
  })
  afterAll(() => {
    api.runtime.integrations.set(mailer, undefined)
    return new Promise<void>((resolve) => server.close(() => resolve()))
  })
  return state
}

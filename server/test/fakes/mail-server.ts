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
  /** The reply to a recipient by address: an error status, or `hang_up` to drop the connection after the message. */
  faults: Map<string, number | 'hang_up'>
}

/** Starts a mail server, and sets it as the one of the service. */
export function useMailServer(api: Api): MailServer {
  const state: MailServer = { received: [], faults: new Map() }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo({ address }, _session, done) {
      const fault = state.faults.get(address)
      done(typeof fault === 'number' ? reply(fault, 'Recipient refused') : null)
    },
    onData(stream, session, done) {
      const pieces: Buffer[] = []
      stream.on('data', (piece: Buffer) => pieces.push(piece))
      stream.on('end', () => {
        void PostalMime.parse(Buffer.concat(pieces)).then((mail) => {
          state.received.push(mail)
          const hangs_up = session.envelope.rcptTo.some(({ address }) => state.faults.get(address) === 'hang_up')
          if (hangs_up) server.connections.forEach((connection) => connection.close())
          else done()
        })
      })
    },
  })
  beforeAll(async () => {
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', () => resolve()))
    const { port } = server.server.address() as { port: number }
    api.runtime.integrations.set(
      mailer,
      mailer.open({ SMTP_URL: `smtp://127.0.0.1:${port}`, SMTP_FROM: 'benefits@mail.example.com' }),
    )
  })
  afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return state
}

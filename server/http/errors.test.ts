import { Writable } from 'node:stream'
import Fastify from 'fastify'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { sendError } from './errors.ts'
import { declareRefusals, generic, Refusal } from '../kernel/refusal.ts'
import { busy } from '../kernel/fair-queue.ts'

const { not_ready } = declareRefusals({ not_ready: [503, 'Not ready.'] })

/** The status of an answer for which this was thrown; and what was logged as an error. */
async function answerTo(error: Error) {
  const logged: string[] = []
  const stream = new Writable({ write: (line, _, done) => (logged.push(JSON.parse(line).msg), done()) })
  const app = Fastify({ loggerInstance: pino({ level: 'error' }, stream) })
  app.setErrorHandler((error: Error, request, reply) => sendError(error, request, reply))
  app.get('/', async () => {
    throw error
  })
  const { statusCode } = await app.inject('/')
  await app.close()
  return [statusCode, ...logged]
}

it('does not log as an error that something is not ready yet, or that too much is asked for', async () => {
  expect(await answerTo(new Refusal(not_ready))).toEqual([503])
  expect(await answerTo(busy())).toEqual([503])
})

it('logs as an error whatever else is answered with 500 and above', async () => {
  expect(await answerTo(new Error('oops'))).toEqual([500, generic.internal_error.message])
  const gone = Object.assign(new Error('gone'), { code: 'ECONNREFUSED' })
  expect(await answerTo(gone)).toEqual([503, generic.unavailable.message])
  expect(await answerTo(new Refusal(generic.upstream_error))).toEqual([502, generic.upstream_error.message])
})

it('answers 503 when PostgreSQL can not write or read its files, or has no room', async () => {
  for (const code of ['42501', '53100', '58030', '58P01'])
    expect(await answerTo(Object.assign(new Error('refused'), { code }))).toEqual([503, generic.unavailable.message])
})

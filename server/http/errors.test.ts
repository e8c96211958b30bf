import { Writable } from 'node:stream'
import Fastify from 'fastify'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { sendError } from './errors.ts'
import { declareRefusals, generic, Refusal } from '../kernel/refusal.ts'
import { busy } from '../kernel/concurrency/fair-queue.ts'

const { not_ready } = declareRefusals({ not_ready: [503, 'Not ready.'] })

/** Returns the status of a response to an error, and the messages logged as errors. */
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

it('does not log expected 503s as errors', async () => {
  expect(await answerTo(new Refusal(not_ready))).toEqual([503])
  expect(await answerTo(busy())).toEqual([503])
})

it('logs every other response of 500 and above as an error', async () => {
  expect(await answerTo(new Error('oops'))).toEqual([500, generic.internal_error.message])
  const gone = Object.assign(new Error('gone'), { code: 'ECONNREFUSED' })
  expect(await answerTo(gone)).toEqual([503, generic.unavailable.message])
  expect(await answerTo(new Refusal(generic.upstream_error))).toEqual([502, generic.upstream_error.message])
})

it('returns 503 when PostgreSQL cannot access its files or has no disk space', async () => {
  for (const code of ['42501', '53100', '58030', '58P01'])
    expect(await answerTo(Object.assign(new Error('refused'), { code }))).toEqual([503, generic.unavailable.message])
})

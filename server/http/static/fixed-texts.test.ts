import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { senderOf } from './fixed-texts.ts'

it('creates a text once, and retries on the next request after a failure', async () => {
  let made = 0
  const app = Fastify()
  app.get(
    '/',
    senderOf('text/plain', async () => {
      made++
      if (made === 1) throw new Error('The thread ended.')
      return 'a text'
    }),
  )
  const send = () => app.inject({ url: '/', headers: { 'accept-encoding': 'identity' } })
  expect((await send()).statusCode).toBe(500)
  const answers = [await send(), await send()]
  expect(answers.map(({ statusCode, payload }) => [statusCode, payload])).toEqual([
    [200, 'a text'],
    [200, 'a text'],
  ])
  expect(made).toBe(2)
})

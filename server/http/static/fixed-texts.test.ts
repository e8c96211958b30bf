import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { senderOf } from './fixed-texts.ts'

it('makes a text once, and again for the next who asks where that went wrong', async () => {
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
  const ask = () => app.inject({ url: '/', headers: { 'accept-encoding': 'identity' } })
  expect((await ask()).statusCode).toBe(500)
  const answers = [await ask(), await ask()]
  expect(answers.map(({ statusCode, payload }) => [statusCode, payload])).toEqual([
    [200, 'a text'],
    [200, 'a text'],
  ])
  expect(made).toBe(2)
})

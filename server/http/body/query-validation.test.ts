import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Refusal } from '../../kernel/refusal.ts'
import type { Endpoint } from '../endpoint.ts'
import { parseQuery } from './query-validation.ts'

describe('a parameter', () => {
  const query = { query: z.object({ limit: z.string().optional(), kinds: z.array(z.string()) }) } as unknown as Endpoint
  const whyNot = (sent: Record<string, unknown>) => {
    try {
      return parseQuery(query, sent)
    } catch (error) {
      return (error as Refusal).details[0]!.field
    }
  }

  it.each([
    ['once', { limit: '1' }, { limit: '1', kinds: [] }],
    ['as a list', { 'kinds[]': ['a', 'b'], 'kinds[1]': 'c', kinds: 'd,e' }, { kinds: ['a', 'b', 'c', 'd', 'e'] }],
    ['under an unknown name', { 'sort[by]': 'x', constructor: 'y' }, { kinds: [] }],
  ])('may be sent %s', (_, sent, taken) => expect(whyNot(sent)).toEqual(taken))

  it.each([[{ 'limit[a]': '1' }], [{ 'limit[': '1' }], [{ limit: '1', 'limit[0][1]': '2' }], [{ limit: ['1', '2'] }]])(
    'may not be sent as %j',
    (sent) => expect(whyNot(sent)).toBe('limit'),
  )
})

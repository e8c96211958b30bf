import { expect, it, vi } from 'vitest'
import type { Endpoint } from '../endpoint.ts'
import { openValidationPool } from './validation-pool.ts'

it('refuses a body with 503 after a minute, and validates the next one', async () => {
  const script = `export default ({ operation }) => {
    if (operation === 'endless') for (;;);
    return { parsed: { body: operation, fields: [] } }
  }`
  const pool = openValidationPool(new URL(`data:text/javascript,${encodeURIComponent(script)}`))
  const parse = (operation: string) => {
    const raw = { media_type: 'application/json', bytes: new Uint8Array(new ArrayBuffer(1)) } as const
    return pool.parse('org_x', { operation } as Endpoint, raw, undefined)
  }
  expect(await parse('first')).toMatchObject({ body: 'first' })
  const over = new AbortController()
  vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(over.signal)
  const refused = parse('endless')
  setTimeout(() => over.abort(), 50)
  await expect(refused).rejects.toMatchObject({ kind: { code: 'unavailable' }, headers: { 'retry-after': '2' } })
  expect(await parse('next')).toMatchObject({ body: 'next' })
})

import { describe, expect, it } from 'vitest'
import type { Ctx } from '../runtime/ctx.ts'
import { cursorOf, readCursor } from './cursors.ts'
import { newSecretKeys, openSecrets } from '../security/secrets.ts'

const ctx = { secrets: openSecrets(newSecretKeys()) } as Ctx
const cursor = cursorOf(ctx, 'invoices empr_a', ['2026-03-01', 42])

describe('a cursor', () => {
  it('returns the row that it was created from', () => {
    expect(readCursor(ctx, 'invoices empr_a', cursor)).toEqual(['2026-03-01', 42])
    expect(cursor).toMatch(/^[\w.-]+$/)
  })

  it('is valid for its own list only', () => {
    expect(readCursor(ctx, 'invoices empr_b', cursor)).toBeUndefined()
    expect(readCursor({ secrets: openSecrets(newSecretKeys()) } as Ctx, 'invoices empr_a', cursor)).toBeUndefined()
  })

  it('is refused in any other encoding', () => {
    const [body = '', signature = ''] = cursor.split('.')
    const other = Buffer.from('["2026-02-01",42]').toString('base64url')
    for (const wrong of [
      '',
      '.',
      'x',
      body,
      signature,
      `${body}.`,
      `.${signature}`,
      `${other}.${signature}`,
      `${cursor}.`,
      `${cursor}=`,
      ` ${cursor}`,
      cursor.slice(0, -1),
      `${body}.${signature.slice(0, -1)}${signature.endsWith('A') ? 'B' : 'A'}`,
      '[1]',
      'é.ü',
      '20',
    ])
      expect(readCursor(ctx, 'invoices empr_a', wrong), wrong).toBeUndefined()
  })
})

import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ReadCtx } from '../runtime/ctx.ts'

/**
 * Signatures of a cursor, one per key. Cursors are opaque and continue a list after a row, even if rows were added
 * before it. The signature covers the list, so that changed cursors and cursors of other lists are refused.
 */
const signaturesOf = (ctx: ReadCtx, list: string, body: string): Buffer[] =>
  ctx.secrets
    .tokenKeys()
    .map((key) => createHmac('sha256', key).update(`cursor\n${list}\n${body}`).digest().subarray(0, 16))

/**
 * The cursor after a row of a list, such as `invoices empr_…`. `row` contains the values that the list is ordered by.
 */
export function cursorOf(ctx: ReadCtx, list: string, row: readonly (string | number)[]): string {
  const body = Buffer.from(JSON.stringify(row)).toString('base64url')
  return `${body}.${signaturesOf(ctx, list, body)[0]!.toString('base64url')}`
}

/** The row of a cursor. Undefined if the cursor is not valid for this list. */
export function readCursor(ctx: ReadCtx, list: string, cursor: string): (string | number)[] | undefined {
  const [body = '', sent = '', ...more] = cursor.split('.')
  const signature = Buffer.from(sent, 'base64url')
  // The last bits of a base64 text may vary. Only our own encoding is accepted.
  const isSignature = (expected: Buffer) =>
    sent === expected.toString('base64url') && timingSafeEqual(signature, expected)
  const is_valid = more.length === 0 && signaturesOf(ctx, list, body).some(isSignature)
  return is_valid ? JSON.parse(Buffer.from(body, 'base64url').toString()) : undefined
}

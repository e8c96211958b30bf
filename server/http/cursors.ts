import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ReadCtx } from '../runtime/ctx.ts'

/**
 * Opaque cursors of lists that go on after a row, whatever was added in front of it meanwhile. A cursor is signed for
 * its list: one that was changed, made up, or is another list's is not read.
 */
const seals = (ctx: ReadCtx, list: string, body: string): Buffer[] =>
  ctx.secrets
    .tokenKeys()
    .map((key) => createHmac('sha256', key).update(`cursor\n${list}\n${body}`).digest().subarray(0, 16))

/** The cursor after a row of a list, such as `invoices empr_…`; `row` is what the list is ordered by. */
export function cursorOf(ctx: ReadCtx, list: string, row: readonly (string | number)[]): string {
  const body = Buffer.from(JSON.stringify(row)).toString('base64url')
  return `${body}.${seals(ctx, list, body)[0]!.toString('base64url')}`
}

/** The row that a cursor of a list stands for; undefined when it is none of this list's. */
export function readCursor(ctx: ReadCtx, list: string, cursor: string): (string | number)[] | undefined {
  const [body = '', sent = '', ...more] = cursor.split('.')
  const signature = Buffer.from(sent, 'base64url')
  // Of a text in base64 the last bits may differ: only the one spelling that we send is ours.
  const isSent = (expected: Buffer) => sent === expected.toString('base64url') && timingSafeEqual(signature, expected)
  const ours = more.length === 0 && seals(ctx, list, body).some(isSent)
  return ours ? JSON.parse(Buffer.from(body, 'base64url').toString()) : undefined
}

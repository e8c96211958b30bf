import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ReadCtx } from '../ctx.ts'

/**
 * Opaque cursors of lists that go on after a row, whatever was added in front of it meanwhile. A cursor is signed for
 * its list: one that was changed, made up, or is another list's is not read.
 */
const seal = (ctx: ReadCtx, list: string, body: string): Buffer =>
  createHmac('sha256', ctx.secrets.token_key).update(`cursor\n${list}\n${body}`).digest().subarray(0, 16)

/** The cursor after a row of a list, such as `invoices empr_…`; `row` is what the list is ordered by. */
export function cursorOf(ctx: ReadCtx, list: string, row: readonly (string | number)[]): string {
  const body = Buffer.from(JSON.stringify(row)).toString('base64url')
  return `${body}.${seal(ctx, list, body).toString('base64url')}`
}

/** The row that a cursor of a list stands for; undefined when it is none of this list's. */
export function readCursor(ctx: ReadCtx, list: string, cursor: string): (string | number)[] | undefined {
  const [body = '', sent = '', ...more] = cursor.split('.')
  const signature = Buffer.from(sent, 'base64url')
  const expected = seal(ctx, list, body)
  // Of a text in base64 the last bits may differ: only the one spelling that we send is ours.
  const ours = more.length === 0 && sent === expected.toString('base64url') && timingSafeEqual(signature, expected)
  return ours ? JSON.parse(Buffer.from(body, 'base64url').toString()) : undefined
}

import { createHmac, timingSafeEqual } from 'node:crypto'
import { wrong_offset } from '../kernel/pages.ts'
import { generic, invalid, Refusal } from '../kernel/refusal.ts'
import type { ReadCtx } from '../runtime/ctx.ts'

/** The values of a row that a list is ordered by. */
type Row = readonly (string | number)[]

/**
 * Signatures of a cursor, one per key. Cursors are opaque and continue a list after a row, even if rows were added
 * before it. The signature covers the list, so that changed cursors and cursors of other lists are refused.
 */
const signaturesOf = (ctx: ReadCtx, list: string, body: string): Buffer[] =>
  ctx.secrets
    .tokenKeys()
    .map((key) => createHmac('sha256', key).update(`cursor\n${list}\n${body}`).digest().subarray(0, 16))

/**
 * The cursor after a row of a list, such as `invoices empr_…`.
 */
export function cursorOf(ctx: ReadCtx, list: string, row: Row): string {
  const body = Buffer.from(JSON.stringify(row)).toString('base64url')
  return `${body}.${signaturesOf(ctx, list, body)[0]!.toString('base64url')}`
}

/** The row of a cursor. Undefined if the cursor is not valid for this list. */
export function readCursor(ctx: ReadCtx, list: string, cursor: string): Row | undefined {
  const [body = '', sent = '', ...more] = cursor.split('.')
  const signature = Buffer.from(sent, 'base64url')
  // The last bits of a base64 text may vary. Only our own encoding is accepted.
  const isSignature = (expected: Buffer) =>
    sent === expected.toString('base64url') && timingSafeEqual(signature, expected)
  const is_valid = more.length === 0 && signaturesOf(ctx, list, body).some(isSignature)
  return is_valid ? JSON.parse(Buffer.from(body, 'base64url').toString()) : undefined
}

/**
 * The row after which a page starts, from the `offset` of the request. Refuses a cursor of another list with 400, or
 * with 404 if `locate` does not find the resource of the list.
 */
export async function rowBefore(
  ctx: ReadCtx,
  list: string,
  offset: string | undefined,
  locate: () => Promise<unknown>,
): Promise<Row | undefined> {
  const row = offset === undefined ? undefined : readCursor(ctx, list, offset)
  if (row || offset === undefined) return row
  throw (await locate()) ? invalid({ field: 'offset', message: wrong_offset }) : new Refusal(generic.not_found)
}

/** The body of a page whose rows are `items` as JSON. `next` is its last row, or null on the last page. */
export function cursorPage(
  ctx: ReadCtx,
  list: string,
  { items, limit, next, fields = '' }: { items: string; limit: number; next: Row | null; fields?: string },
): string {
  const next_offset = JSON.stringify(next && cursorOf(ctx, list, next))
  const pagination = `{"limit":${limit},"next_offset":${next_offset}}`
  return `{"data":[${items}],${fields}"pagination":${pagination},"next_offset":${next_offset}}`
}

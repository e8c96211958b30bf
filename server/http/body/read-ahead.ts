import { isUtf8 } from 'node:buffer'
import { StringDecoder } from 'node:string_decoder'
import type { RawBody } from './bodies.ts'
import type { FindFault, SentBody } from '../endpoint.ts'
import { fingerprintOfRows } from '../idempotency.ts'
import { RowsCheck, type Asked, type Shape } from './validate.ts'
import { invalid, type Detail } from '../../kernel/refusal.ts'
import { stageRows } from '../../kernel/staged-rows.ts'
import { readJson } from '../../kernel/strict-json.ts'

/** A body of which the rows wait for a job. */
export type StagedBody = SentBody & { rows: Required<NonNullable<SentBody['rows']>> }

/** Characters that may come without the end of a row among them. */
const most_unread = 1024 * 1024

const isBlank = (sign: string | undefined): boolean => sign === ' ' || sign === '\n' || sign === '\r' || sign === '\t'

/** Where the sign before `end` stands that is no blank; -1 where there is none. */
function signBefore(text: string, end: number): number {
  let at = end - 1
  while (isBlank(text[at])) at--
  return at
}

/** Where the last row ends behind which another begins, and where that begins; undefined where none does. */
function lastBreak(text: string): { end: number; next: number } | undefined {
  for (let next = text.lastIndexOf('{'); next > 0; next = text.lastIndexOf('{', next - 1)) {
    const comma = signBefore(text, next)
    const end = text[comma] === ',' ? signBefore(text, comma) : -1
    if (text[end] === '}') return { end: end + 1, next }
  }
  return undefined
}

/**
 * Reads a body with many rows while it comes. It looks for rows by their brackets, which may be part of a text: what is
 * no JSON then, and all that is odd otherwise, is left to `parseBody`, which reads the whole body. So what it finds is
 * what that would find.
 */
export class ReadingAhead {
  readonly #rows: StagedBody['rows']
  readonly #head: RegExp
  readonly #decoder = new StringDecoder('utf8')
  readonly #checking: RowsCheck
  readonly #findFault: FindFault
  readonly #fingerprint: ReturnType<typeof fingerprintOfRows> | undefined
  readonly #faults: Detail[] = []
  readonly #pieces: Uint8Array<ArrayBuffer>[] = []
  /** rows that are too few for a piece */
  #checked: unknown[] = []
  /** what has come and is not read */
  #text = ''
  #has_begun = false
  #is_odd = false
  #count = { values: 1 }

  constructor({ body, rows }: StagedBody, asked: Asked | undefined) {
    this.#rows = rows
    this.#head = new RegExp(`^[ \\n\\r\\t]*\\{[ \\n\\r\\t]*"${rows.field}"[ \\n\\r\\t]*:[ \\n\\r\\t]*\\[`)
    this.#checking = new RowsCheck(body!, rows.field, {})
    this.#findFault = rows.staged.faultFinder()
    this.#fingerprint = asked && fingerprintOfRows(asked.query, asked.organization, rows.field)
  }

  /** Reads what has come next, up to the end of a row. */
  take(bytes: Uint8Array): void {
    if (this.#is_odd) return
    this.#text += this.#decoder.write(bytes)
    if (!this.#has_begun) {
      const [head] = this.#head.exec(this.#text) ?? []
      this.#is_odd = head === undefined
      this.#has_begun = head !== undefined
      this.#text = this.#text.slice(head?.length)
    }
    const found = lastBreak(this.#text)
    if (!found) this.#is_odd ||= this.#text.length > most_unread
    else {
      const rows = this.#text.slice(0, found.end)
      this.#text = this.#text.slice(found.next)
      this.#read(rows)
    }
  }

  #read(text: string): void {
    if (this.#is_odd) return
    const { field, most } = this.#rows
    let list: unknown[]
    try {
      // As it is in the body, for what is too deep there; commas between pieces count, and what is around them once.
      const body = readJson(`{"${field}":[${text}]}`, this.#count) as Record<string, unknown[]>
      this.#count.values--
      // Another name is there where the list of rows had ended before.
      list = Object.keys(body).length === 1 ? body[field]! : []
    } catch {
      this.#is_odd = true
      return
    }
    const first = this.#checking.count
    this.#is_odd = list.length === 0 || first + list.length > most
    if (this.#is_odd) return
    const checked = this.#checking.take(list)
    if (this.#checking.has_faults) return
    this.#fingerprint?.add(list)
    this.#faults.push(...checked.flatMap((row, at) => this.#findFault(row, first + at) ?? []))
    this.#checked.push(...checked)
    const { size } = this.#rows.staged
    if (this.#checked.length >= size) this.#stage(this.#checked.length - (this.#checked.length % size))
  }

  #stage(count: number): void {
    this.#pieces.push(...stageRows(this.#checked.slice(0, count), this.#rows.staged.size).pieces)
    this.#checked = this.#checked.slice(count)
  }

  /** What the body is, which has come whole; undefined where that is left to `parseBody`. Throws as that does. */
  finish({ bytes }: RawBody): Shape | undefined {
    const text = this.#text + this.#decoder.end()
    const closing = signBefore(text, text.length)
    const end = text[closing] === '}' ? signBefore(text, closing) : -1
    if (!this.#has_begun || text[end] !== ']' || !isUtf8(bytes)) return undefined
    this.#read(text.slice(0, end))
    if (this.#is_odd) return undefined
    const { field } = this.#rows
    const { [field]: _, ...body } = this.#checking.end() as Record<string, unknown>
    if (this.#faults.length > 0) throw invalid(...this.#faults)
    this.#stage(this.#checked.length)
    return {
      body,
      staged: { count: this.#checking.count, pieces: this.#pieces },
      fields: [field],
      ...(this.#fingerprint && { fingerprint: this.#fingerprint.digest() }),
    }
  }
}

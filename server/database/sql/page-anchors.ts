import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'

/** The key of a row in the order of a list: its creation time and its id. */
export type RowKey = readonly string[]

/** The end of a page: its number and the key of its last row. */
type End = { page: number; key: RowKey }

const max_lists = 5000
const max_ends = 16
const kept_for_ms = 10 * 60_000

/**
 * Keeps where the pages of a list ended, so that the next page starts after the last row of the previous one even if
 * rows have left the list since. Each process keeps these anchors for ten minutes and for a limited number of lists.
 * Without an anchor, the page is counted from the start.
 */
export class PageAnchors {
  readonly #ends = new LRUCache<string, End[]>({ max: max_lists, ttl: kept_for_ms })

  /** The name of a list: a hash of its reader and all its parameters except the page. */
  static nameOf(...parts: unknown[]): string {
    return createHash('sha256').update(JSON.stringify(parts)).digest('base64')
  }

  /** The nearest known end before a page. */
  before(list: string, page: number): End | undefined {
    return this.#ends.get(list)?.findLast((end) => end.page < page)
  }

  /** Remembers where a page ended. If its end has changed, later ends belong to an earlier walk and are dropped. */
  note(list: string, end: End): void {
    const ends = this.#ends.get(list) ?? []
    const previous = ends.find(({ page }) => page === end.page)
    const is_same = previous !== undefined && previous.key.every((part, index) => part === end.key[index])
    const kept = ends.filter(({ page }) => page < end.page || (is_same && page > end.page))
    this.#ends.set(list, [...kept, end].sort((a, b) => a.page - b.page).slice(-max_ends))
  }
}

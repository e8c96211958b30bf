import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'

/** What a list is ordered by: when a row came, and its id. */
export type RowKey = [string, string]

/** Where a page ended. */
type End = { page: number; key: RowKey }

const most_walks = 5000
const most_ends = 16
const kept_for_ms = 10 * 60_000

/**
 * Where the pages ended that somebody read of a list lately, so that the next page begins behind the last one, though
 * rows of it have left the list since. Kept by each process for itself, for ten minutes and of so many lists; who comes
 * later, or to another process, is counted in from the front.
 */
export class PageAnchors {
  readonly #ends = new LRUCache<string, End[]>({ max: most_walks, ttl: kept_for_ms })

  /** The name of a list: who reads it, and everything that it is asked with but the page. Holds nothing readable. */
  static nameOf(...parts: unknown[]): string {
    return createHash('sha256').update(JSON.stringify(parts)).digest('base64')
  }

  /** The end nearest before a page, of those that are known. */
  before(list: string, page: number): End | undefined {
    return this.#ends.get(list)?.findLast((end) => end.page < page)
  }

  /** Notes where a page ended. If that has changed, the ends behind it are of another walk, and are forgotten. */
  note(list: string, end: End): void {
    const ends = this.#ends.get(list) ?? []
    const former = ends.find(({ page }) => page === end.page)
    const is_same = former !== undefined && former.key.every((part, at) => part === end.key[at])
    const kept = ends.filter(({ page }) => page < end.page || (is_same && page > end.page))
    this.#ends.set(list, [...kept, end].sort((a, b) => a.page - b.page).slice(-most_ends))
  }
}

import type { Client } from './client.ts'
import type { Call, Query } from './operations.ts'

/** The default page size, which is the maximum of the service. */
const rows_at_once = 100

/**
 * A list. Await it for the requested page, or iterate over it for all rows starting with that page. Iteration works for
 * numbered pages and for cursors, and you can stop at any time. No request is sent before you await or iterate.
 */
export class Pages<Row, Page> implements PromiseLike<Page>, AsyncIterable<Row> {
  readonly #client: Client
  readonly #call: Call

  constructor(client: Client, call: Call) {
    this.#client = client
    this.#call = call
  }

  // oxlint-disable-next-line unicorn/no-thenable -- a list can be awaited
  then<A = Page, B = never>(
    onPage?: ((page: Page) => A | PromiseLike<A>) | null,
    onError?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return (this.#client.call(this.#call) as Promise<Page>).then(onPage, onError)
  }

  /** All pages starting with the requested one, as returned by the service. */
  async *pages(): AsyncGenerator<Page, void> {
    const { by, rows } = this.#call.operation.paged!
    // Without a limit, the service returns all organizations.
    const first: Query = { ...(rows === 'data' && { limit: rows_at_once }), ...this.#call.query }
    let query = first
    for (let seen = 0, is_last = false; !is_last;) {
      const page = (await this.#client.call({ ...this.#call, query })) as PageBody
      yield page as Page
      const { next_offset: offset, pagination, total = 0 } = page
      const [at, found] = [Number(query.page ?? 1), (page[rows] as unknown[]).length]
      seen += found
      const is_at_end = pagination ? at >= pagination.total_pages : seen >= total
      is_last = found === 0 || (by === 'cursor' ? !offset : is_at_end)
      query = { ...first, ...(by === 'cursor' ? { offset } : { page: at + 1 }) }
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Row, void> {
    const { rows } = this.#call.operation.paged!
    for await (const page of this.pages()) yield* (page as PageBody)[rows] as Row[]
  }
}

type Paging = { next_offset?: string | null; pagination?: { total_pages: number }; total?: number }
type PageBody = Record<string, unknown> & Paging

import type { Client } from './client.ts'
import type { Call, Query } from './operations.ts'

/** How many rows are asked for at once, unless the caller says so: the most that the service gives. */
const rows_at_once = 100

/**
 * A list. Await it for the page that was asked for; iterate over it for all rows from there on, page by page, whether
 * the service counts its pages or has a cursor. Nothing is sent before either. Break off whenever you have enough.
 */
export class Pages<Row, Page> implements PromiseLike<Page>, AsyncIterable<Row> {
  readonly #client: Client
  readonly #call: Call

  constructor(client: Client, call: Call) {
    this.#client = client
    this.#call = call
  }

  // oxlint-disable-next-line unicorn/no-thenable -- a list may be awaited
  then<A = Page, B = never>(
    onPage?: ((page: Page) => A | PromiseLike<A>) | null,
    onError?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return (this.#client.call(this.#call) as Promise<Page>).then(onPage, onError)
  }

  /** All pages from the one that was asked for on, each as the service answers it. */
  async *pages(): AsyncGenerator<Page, void> {
    const { by, rows } = this.#call.operation.paged!
    // A list of organizations is whole unless a limit is said.
    const first: Query = { ...(rows === 'data' && { limit: rows_at_once }), ...this.#call.query }
    let asked = first
    for (let seen = 0, is_last = false; !is_last;) {
      const page = (await this.#client.call({ ...this.#call, query: asked })) as Answered
      yield page as Page
      const { next_offset: offset, pagination, total = 0 } = page
      const [at, found] = [Number(asked.page ?? 1), (page[rows] as unknown[]).length]
      seen += found
      const is_at_end = pagination ? at >= pagination.total_pages : seen >= total
      is_last = found === 0 || (by === 'cursor' ? !offset : is_at_end)
      asked = { ...first, ...(by === 'cursor' ? { offset } : { page: at + 1 }) }
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Row, void> {
    const { rows } = this.#call.operation.paged!
    for await (const page of this.pages()) yield* (page as Answered)[rows] as Row[]
  }
}

type Paging = { next_offset?: string | null; pagination?: { total_pages: number }; total?: number }
type Answered = Record<string, unknown> & Paging

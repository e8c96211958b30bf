/** How many rows are asked for at once, unless the caller says so: the most that the service gives. */
const rows_at_once = 100;
/**
 * A list. Await it for the page that was asked for; iterate over it for all rows from there on, page by page, whether
 * the service counts its pages or has a cursor. Nothing is sent before either. Break off whenever you have enough.
 */
export class Pages {
    #client;
    #call;
    constructor(client, call) {
        this.#client = client;
        this.#call = call;
    }
    // oxlint-disable-next-line unicorn/no-thenable -- a list may be awaited
    then(onPage, onError) {
        return this.#client.call(this.#call).then(onPage, onError);
    }
    /** All pages from the one that was asked for on, each as the service answers it. */
    async *pages() {
        const { by, rows } = this.#call.operation.paged;
        // A list of organizations is whole unless a limit is said.
        const first = { ...(rows === 'data' && { limit: rows_at_once }), ...this.#call.query };
        let asked = first;
        for (let seen = 0, is_last = false; !is_last;) {
            const page = (await this.#client.call({ ...this.#call, query: asked }));
            yield page;
            const { next_offset: offset, pagination, total = 0 } = page;
            const [at, found] = [Number(asked.page ?? 1), page[rows].length];
            seen += found;
            const is_at_end = pagination ? at >= pagination.total_pages : seen >= total;
            is_last = found === 0 || (by === 'cursor' ? !offset : is_at_end);
            asked = { ...first, ...(by === 'cursor' ? { offset } : { page: at + 1 }) };
        }
    }
    async *[Symbol.asyncIterator]() {
        const { rows } = this.#call.operation.paged;
        for await (const page of this.pages())
            yield* page[rows];
    }
}

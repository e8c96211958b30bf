import type { Client } from './client.ts';
import type { Call } from './operations.ts';
/**
 * A list. Await it for the page that was asked for; iterate over it for all rows from there on, page by page, whether
 * the service counts its pages or has a cursor. Nothing is sent before either. Break off whenever you have enough.
 */
export declare class Pages<Row, Page> implements PromiseLike<Page>, AsyncIterable<Row> {
    #private;
    constructor(client: Client, call: Call);
    then<A = Page, B = never>(onPage?: ((page: Page) => A | PromiseLike<A>) | null, onError?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<A | B>;
    /** All pages from the one that was asked for on, each as the service answers it. */
    pages(): AsyncGenerator<Page, void>;
    [Symbol.asyncIterator](): AsyncGenerator<Row, void>;
}

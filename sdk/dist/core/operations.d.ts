import type { CallOptions } from './options.ts';
/**
 * An operation as the tables of methods write it: its method, its path, and what is particular about it. `query` and
 * `body`: what it takes after the ids of its path. `keyed`: repeats are known by an Idempotency-Key. `data`: the answer
 * stands in an envelope. `file`: the answer is no JSON. `pages:rows` and `cursor:rows`: it answers pages, whose rows
 * are in the field so called.
 */
export type Operation = {
    /** `employers.create`, as clients call it */
    name: string;
    method: string;
    /** `/v1/employers/{employer_id}` */
    path: string;
    has: ReadonlySet<string>;
    paged?: {
        by: string;
        rows: string;
    };
};
/** Groups of methods, each with its operations by what they are called. */
export type OperationTable = Record<string, Record<string, string>>;
export type Query = Record<string, unknown>;
/** A call of a method, taken apart. */
export type Call = {
    operation: Operation;
    path: string;
    query: Query;
    body: unknown;
    options: CallOptions;
};
export declare function readOperation(name: string, text: string): Operation;
/** What a method was called with: the ids of its path in their order, its body, its query, and options. */
export declare function readCall(operation: Operation, given: unknown[]): Call;
/** The query as it stands in an address: several values of one parameter one after the other. */
export declare function queryText(query: Query): string;

import { type Operation } from './core/operations.ts';
export type { Operation } from './core/operations.ts';
/**
 * Every operation of both interfaces by what clients call it, those of operators with `operator.` in front: for
 * programs that offer them by name, such as a command line.
 */
export declare const operations: Operation[];

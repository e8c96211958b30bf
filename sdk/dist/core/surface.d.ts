import type { Client } from './client.ts';
import { type OperationTable } from './operations.ts';
/** Gives an object a method for each operation of a table, in their groups. */
export declare function addMethods(target: object, table: OperationTable, client: Client, prefix?: string): void;

import { readOperation, type Operation, type OperationTable } from './core/operations.ts'
import { operations as of_operators } from './operator/methods.gen.ts'
import { operations as of_partners } from './v1/methods.gen.ts'

export type { Operation } from './core/operations.ts'

const listed = (table: OperationTable, prefix: string): Operation[] =>
  Object.entries(table).flatMap(([group, own]) =>
    Object.entries(own).map(([name, text]) => readOperation(`${prefix}${group}.${name}`, text)),
  )

/**
 * All operations of both APIs by method name, with the prefix `operator.` for operators. For programs that call
 * operations by name, such as a command line.
 */
export const operations: Operation[] = [...listed(of_partners, ''), ...listed(of_operators, 'operator.')]

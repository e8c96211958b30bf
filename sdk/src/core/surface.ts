import type { Client } from './client.ts'
import { readCall, readOperation, type OperationTable } from './operations.ts'
import { Pages } from './pages.ts'

/** Adds a method for each operation of a table to an object, by group. */
export function addMethods(target: object, table: OperationTable, client: Client, prefix = ''): void {
  for (const [group, own] of Object.entries(table)) {
    const all = Object.entries(own).map(([name, text]) => [name, methodOf(client, `${prefix}${group}.${name}`, text)])
    Object.assign(target, { [group]: Object.fromEntries(all) })
  }
}

function methodOf(client: Client, name: string, text: string): (...given: unknown[]) => unknown {
  const operation = readOperation(name, text)
  if (operation.paged) return (...given) => new Pages(client, readCall(operation, given))
  return async (...given) => {
    const result = await client.call(readCall(operation, given))
    return operation.has.has('data') ? (result as { data: unknown }).data : result
  }
}

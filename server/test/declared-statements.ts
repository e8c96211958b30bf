import { afterAll } from 'vitest'
import { statements } from '../database/sql/statement.ts'

/** Removes a file's statements named `test.…` after its tests, since the files of a worker share the registry. */
export const removeTestStatements = () =>
  afterAll(() => {
    for (const name of statements.keys()) if (name.startsWith('test.')) statements.delete(name)
  })

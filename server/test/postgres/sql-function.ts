import type { useApi } from '../harness.ts'

type Value = string | boolean | readonly string[] | null

/** Calls a rule that is a function of the database, with default arguments and the differences of a case. */
export const sqlFunction =
  <Usual extends Record<string, Value>>(api: Pick<ReturnType<typeof useApi>, 'database'>, name: string, usual: Usual) =>
  async (given: Partial<Record<keyof Usual, Value>> = {}): Promise<Value> => {
    const values = { ...usual, ...given }
    const named = Object.keys(values).map((parameter, at) => `${parameter} => $${at + 1}`)
    const row = await api.database.reads.row<{ answer: Value }>(
      `select ${name}(${named.join(', ')}) as answer`,
      Object.values(values),
    )
    return row!.answer
  }

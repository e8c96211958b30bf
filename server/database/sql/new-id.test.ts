import { TypeID } from 'typeid-js'
import { expect, it } from 'vitest'
import { isId } from '../../kernel/ids.ts'
import { useApi } from '../../test/harness.ts'

const api = useApi()

it('new_id creates ascending UUIDs of version 7 with the current time, like the service', async () => {
  const before = Date.now()
  const { rows } = await api.database.pool.query<{ id: string }>(
    `select new_id('enrl') as id from generate_series(1, 5000)`,
  )
  const ids = rows.map(({ id }) => id)
  expect(ids.filter((id) => !isId('enrl', id))).toEqual([])
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids).size).toBe(5000)
  for (const id of ids) {
    const uuid = TypeID.fromString(id, 'enrl').toUUID()
    expect(uuid).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
    expect(TypeID.fromUUID('enrl', uuid).toString()).toBe(id)
    expect(Math.abs(Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16) - before)).toBeLessThan(60_000)
  }
})

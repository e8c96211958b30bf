import { beforeAll, expect, inject, it } from 'vitest'
import { useApi } from '../../test/harness.ts'
import { openDatabase, type Db } from './database.ts'
import { no_organization } from './rows-of.ts'
import { endWith, type TransactionEnd } from './transactions.ts'

const api = useApi()

/** Divided, the last statements are sent one by one. */
const divided = inject('servers').length > 1

beforeAll(() => api.database.pool.query('create table ended (number integer primary key)'))

const ended = async (): Promise<number[]> =>
  (await api.database.pool.query<{ number: number }>('select number from ended order by number')).rows.map(
    ({ number }) => number,
  )

const insert = (db: Db, number: number) => db.rows('insert into ended values ($1)', [number])

const transaction = <T>(work: (db: Db) => Promise<T | TransactionEnd<T>>) =>
  api.database.transaction<T>(no_organization, work)

it('commits the statements that end a transaction with those before them, and answers the result', async () => {
  const answered = await transaction(async (db) => {
    await insert(db, 1)
    return endWith(
      'done',
      () => insert(db, 2),
      () => insert(db, 3),
    )
  })
  expect(answered).toBe('done')
  expect(await ended()).toEqual([1, 2, 3])
})

it.skipIf(divided)('sends them and the commit before the first of them is answered', async () => {
  const holder = await api.database.pool.connect()
  await holder.query('select pg_advisory_lock(240)')
  const told: string[] = []
  const waiting = Promise.withResolvers<Db>()
  const over = transaction(async (db) => {
    const first = () => db.rows('select pg_advisory_xact_lock(240)').then(() => told.push('first'))
    const last = async () => {
      told.push('last is sent')
      await insert(db, 4)
    }
    setImmediate(() => waiting.resolve(db))
    return endWith('done', first, last)
  })
  const db = await waiting.promise
  await expect(insert(db, 5)).rejects.toThrow('behind the commit')
  await holder.query('select pg_advisory_unlock(240)')
  holder.release()
  expect(await over).toBe('done')
  expect(told).toEqual(['last is sent', 'first'])
  expect(await ended()).toEqual([1, 2, 3, 4])
})

it('throws why one of them failed, whichever that is, and commits nothing', async () => {
  for (const numbers of [
    [1, 11, 12],
    [10, 1, 12],
    [10, 11, 1],
  ]) {
    const failing = transaction(async (db) => endWith('done', ...numbers.map((number) => () => insert(db, number))))
    await expect(failing).rejects.toMatchObject({ code: '23505' })
  }
  expect(await ended()).toEqual(expect.not.arrayContaining([10, 11, 12]))
})

it('commits nothing when one of them fails before it is sent', async () => {
  const failing = transaction(async (db) =>
    endWith(
      'done',
      () => insert(db, 13),
      async () => {
        throw new Error('There is nothing to seal it with.')
      },
      () => insert(db, 14),
    ),
  )
  await expect(failing).rejects.toThrow('There is nothing to seal it with.')
  expect(await ended()).toEqual(expect.not.arrayContaining([13, 14]))
})

it('begins anew where PostgreSQL asks for that at the end', async () => {
  let attempts = 0
  const answered = await transaction(async (db) => {
    attempts++
    const raising = `do $$ begin raise serialization_failure; end $$`
    return endWith(
      attempts,
      () => insert(db, 15),
      () => (attempts < 3 ? db.rows(raising) : insert(db, 16)),
    )
  })
  expect(answered).toBe(3)
  expect(await ended()).toEqual(expect.arrayContaining([15, 16]))
})

it('throws what is found at the commit itself', async () => {
  await api.database.pool.query(
    'create table later (number integer, constraint once unique (number) deferrable initially deferred)',
  )
  const failing = transaction(async (db) => endWith('done', () => db.rows('insert into later values (1), (1)')))
  await expect(failing).rejects.toMatchObject({ code: '23505', constraint: 'once' })
})

it('throws where PostgreSQL rolled back what somebody had taken for written', async () => {
  const failing = transaction(async (db) => {
    await insert(db, 1).catch(() => undefined)
    return 'done'
  })
  await expect(failing).rejects.toMatchObject({ code: '23505' })
})

it('throws when the connection breaks at the end, and goes on with another', async () => {
  const { options } = api.database.pool
  const database = openDatabase({ url: options.connectionString!, write_connections: 1 })
  const broken = database.transaction(no_organization, async (db) =>
    endWith('done', () => db.rows('select pg_terminate_backend(pg_backend_pid())')),
  )
  await expect(broken).rejects.toThrow('terminating connection')
  expect(await database.transaction(no_organization, (db) => db.row('select 1 as found'))).toEqual({ found: 1 })
  await database.close()
})

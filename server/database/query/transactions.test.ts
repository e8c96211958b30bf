import { beforeAll, expect, inject, it, describe } from 'vitest'
import { useApi } from '../../test/harness.ts'
import type { Db, TransactionEnd } from './database.ts'
import { openDatabase } from './open-database.ts'
import { no_organization } from './rows-of.ts'
import { commitWith } from './transactions.ts'
import { createEmployer } from '../../test/fixtures.ts'
import { inEmployer, inEmployerConcurrently } from '../../runtime/runtime.ts'

const api = useApi()

/** A distributed database receives the last statements one by one. */
const sharded = inject('servers').length > 1

beforeAll(() => api.database.pool.query('create table ended (number integer primary key)'))

const ended = async (): Promise<number[]> =>
  (await api.database.pool.query<{ number: number }>('select number from ended order by number')).rows.map(
    ({ number }) => number,
  )

const insert = (db: Db, number: number) => db.rows('insert into ended values ($1)', [number])

const transaction = <T>(work: (db: Db) => Promise<T | TransactionEnd<T>>) =>
  api.database.transaction<T>(no_organization, work)

it('commits the last statements with those before them, and returns the result', async () => {
  const answered = await transaction(async (db) => {
    await insert(db, 1)
    return commitWith(
      'done',
      () => insert(db, 2),
      () => insert(db, 3),
    )
  })
  expect(answered).toBe('done')
  expect(await ended()).toEqual([1, 2, 3])
})

it.skipIf(sharded)('sends the last statements and the commit without waiting for the first one', async () => {
  const holder = await api.database.pool.connect()
  await holder.query('select pg_advisory_lock(240)')
  const configured: string[] = []
  const waiting = Promise.withResolvers<Db>()
  const over = transaction(async (db) => {
    const first = () => db.rows('select pg_advisory_xact_lock(240)').then(() => configured.push('first'))
    const last = async () => {
      configured.push('last is sent')
      await insert(db, 4)
    }
    setImmediate(() => waiting.resolve(db))
    return commitWith('done', first, last)
  })
  const db = await waiting.promise
  await expect(insert(db, 5)).rejects.toThrow('after its transaction had ended')
  await holder.query('select pg_advisory_unlock(240)')
  holder.release()
  expect(await over).toBe('done')
  expect(configured).toEqual(['last is sent', 'first'])
  expect(await ended()).toEqual([1, 2, 3, 4])
})

it('throws the error of the last statement that failed, and commits nothing', async () => {
  for (const numbers of [
    [1, 11, 12],
    [10, 1, 12],
    [10, 11, 1],
  ]) {
    const failing = transaction(async (db) => commitWith('done', ...numbers.map((number) => () => insert(db, number))))
    await expect(failing).rejects.toMatchObject({ code: '23505' })
  }
  expect(await ended()).toEqual(expect.not.arrayContaining([10, 11, 12]))
})

it('commits nothing when a last statement fails before it is sent', async () => {
  const failing = transaction(async (db) =>
    commitWith(
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

it('repeats the transaction after a serialization failure at its end', async () => {
  let attempts = 0
  const answered = await transaction(async (db) => {
    attempts++
    const raising = `do $$ begin raise serialization_failure; end $$`
    return commitWith(
      attempts,
      () => insert(db, 15),
      () => (attempts < 3 ? db.rows(raising) : insert(db, 16)),
    )
  })
  expect(answered).toBe(3)
  expect(await ended()).toEqual(expect.arrayContaining([15, 16]))
})

it('throws an error of the commit itself', async () => {
  await api.database.pool.query(
    'create table later (number integer, constraint once unique (number) deferrable initially deferred)',
  )
  const failing = transaction(async (db) => commitWith('done', () => db.rows('insert into later values (1), (1)')))
  await expect(failing).rejects.toMatchObject({ code: '23505', constraint: 'once' })
})

it('throws if PostgreSQL rolled back although the action ignored an error', async () => {
  const failing = transaction(async (db) => {
    await insert(db, 1).catch(() => undefined)
    return 'done'
  })
  await expect(failing).rejects.toMatchObject({ code: '23505' })
})

it('awaits its sent writes at the end, and fails with the first error', async () => {
  await transaction(async (db) => {
    await db.send([insert(db, 20), insert(db, 21)])
    return 'done'
  })
  expect(await ended()).toEqual(expect.arrayContaining([20, 21]))
  const failing = transaction(async (db) => {
    await db.send([insert(db, 22), insert(db, 20), insert(db, 23)])
    await db.row('select 1 as one')
  })
  await expect(failing).rejects.toMatchObject({ code: '23505' })
  const failing_in_node = transaction(async (db) => {
    await db.send([insert(db, 24), Promise.reject(new Error('There is nothing to write.'))])
    return 'done'
  })
  await expect(failing_in_node).rejects.toThrow('There is nothing to write.')
  expect(await ended()).toEqual(expect.not.arrayContaining([22, 23, 24]))
})

it('refuses statements that a failed action starts after the rollback', async () => {
  const late = Promise.withResolvers<void>()
  let refused: Promise<unknown> | undefined
  const failing = transaction(async (db) => {
    refused = late.promise.then(() => insert(db, 25))
    refused.catch(() => undefined)
    throw new Error('The action gave up.')
  })
  await expect(failing).rejects.toThrow('gave up')
  late.resolve()
  await expect(refused).rejects.toThrow('after its transaction had ended')
  expect(await ended()).not.toContain(25)
})

it('throws if the connection breaks at the end, and opens another one', async () => {
  const { options } = api.database.pool
  const database = openDatabase({ url: options.connectionString!, write_connections: 1 })
  const broken = database.transaction(no_organization, async (db) =>
    commitWith('done', () => db.rows('select pg_terminate_backend(pg_backend_pid())')),
  )
  await expect(broken).rejects.toThrow('terminating connection')
  expect(await database.transaction(no_organization, (db) => db.row('select 1 as found'))).toEqual({ found: 1 })
  await database.close()
})

describe('concurrent transactions', () => {
  const api = useApi()
  let at: { organization_id: string; employer_id: string }

  beforeAll(async () => {
    at = { organization_id: api.story.organization_id, employer_id: await createEmployer(api) }
  })

  /** Takes longer than locking a free employer. */
  async function makeRoundTrips() {
    for (let times = 0; times < 20; times++) await api.database.pool.query('select 1')
  }

  it('run their first phase concurrently and their second one at a time, without other writes in between', async () => {
    const noted: string[] = []
    const [both_in, reported] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const others = (name: string) =>
      inEmployerConcurrently(
        api.runtime,
        at,
        async () => {
          noted.push(`${name} settles`)
          await both_in.promise
          return name
        },
        async (_, settled) => {
          noted.push(`${settled} publishes`)
          await reported.promise
          noted.push(`${settled} has published`)
        },
      )
    const lanes = [others('a'), others('b')]
    await expect.poll(() => noted.toSorted()).toEqual(['a settles', 'b settles'])
    const alone = inEmployer(api.runtime, at, async () => void noted.push('alone'))
    both_in.resolve()
    await expect.poll(() => noted).toHaveLength(3)
    await makeRoundTrips()
    reported.resolve()
    await Promise.all([...lanes, alone])
    const [first, second] = noted[2] === 'a publishes' ? 'ab' : 'ba'
    expect(noted.slice(2)).toEqual([
      `${first} publishes`,
      `${first} has published`,
      `${second} publishes`,
      `${second} has published`,
      'alone',
    ])
  })

  it('waits for an exclusive lock of the employer', async () => {
    const noted: string[] = []
    const over = Promise.withResolvers<void>()
    const alone = inEmployer(api.runtime, at, async () => {
      noted.push('alone')
      await over.promise
      noted.push('no longer alone')
    })
    await expect.poll(() => noted).toEqual(['alone'])
    const settle = async () => void noted.push('settles')
    const others = inEmployerConcurrently(api.runtime, at, settle, async () => undefined)
    await makeRoundTrips()
    over.resolve()
    await Promise.all([alone, others])
    expect(noted).toEqual(['alone', 'no longer alone', 'settles'])
  })
})

import { expect, it } from 'vitest'
import { urlOf, useApi } from '../../test/harness.ts'
import { openDatabase } from './open-database.ts'
import { no_organization } from './rows-of.ts'
import { sessionOf, SteadyPool } from './session.ts'

const api = useApi()

it('keeps a connection free for a write while the maximum number of jobs is in transactions', async () => {
  const database = openDatabase({ url: await urlOf(api), write_connections: 1, job_connections: 2 })
  const over = Promise.withResolvers<void>()
  const jobs = [1, 2].map(() => database.transactionOfJob(no_organization, () => over.promise))
  expect(await database.transaction(no_organization, (db) => db.row('select 1 as written'))).toEqual({ written: 1 })
  over.resolve()
  await Promise.all(jobs)
  await database.close()
})

it('reports the PostgreSQL process id only for sessions of jobs', async () => {
  const configured: number[] = []
  const database = openDatabase({ url: await urlOf(api), onJobSession: (process) => configured.push(process) })
  const own = 'select pg_backend_pid() as process'
  await database.transaction(no_organization, (db) => db.row(own))
  const { process } = (await database.transactionOfJob(no_organization, (db) => db.row<{ process: number }>(own)))!
  expect(configured).toEqual([process])
  await database.close()
})

it('does not queue reads behind a slow one while another connection is idle', async () => {
  const { reads, pool } = api.database
  const holder = await pool.connect()
  await holder.query('select pg_advisory_lock(1)')
  const slow = reads.rows('select pg_advisory_lock(1)')
  for (let n = 0; n < 10; n++) expect(await reads.row('select 1 as answered')).toEqual({ answered: 1 })
  await holder.query('select pg_advisory_unlock(1)')
  holder.release()
  await slow
})

it('rejects statements after a failed one with its error', async () => {
  const input = api.database.transaction(no_organization, async (db) => {
    const first = db.row('select 1 / (select 0) as sharded')
    const behind = db.row('select 2 as behind')
    first.catch(() => undefined)
    await behind
  })
  await expect(input).rejects.toMatchObject({ code: '22012' })
})

it('opens a session although the password is replaced several times in the meantime', async () => {
  const url = await urlOf(api)
  const passwords = ['first', 'second', new URL(url).password]
  const current = async () => decodeURIComponent(passwords.length > 1 ? passwords.shift()! : passwords[0]!)
  const pool = new SteadyPool({ ...sessionOf({ url, password: current }), max: 1 })
  expect((await pool.query('select 1 as number')).rows).toEqual([{ number: 1 }])
  await pool.end()
})

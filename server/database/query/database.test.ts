import { expect, it } from 'vitest'
import { urlOf, useApi } from '../../test/harness.ts'
import { openDatabase } from './database.ts'
import { no_organization } from './rows-of.ts'

const api = useApi()

it('has a connection for a write while as many jobs as may run are in their transactions', async () => {
  const database = openDatabase({ url: await urlOf(api), write_connections: 1, job_connections: 2 })
  const over = Promise.withResolvers<void>()
  const jobs = [1, 2].map(() => database.transactionOfJob(no_organization, () => over.promise))
  expect(await database.transaction(no_organization, (db) => db.row('select 1 as written'))).toEqual({ written: 1 })
  over.resolve()
  await Promise.all(jobs)
  await database.close()
})

it('tells which process of the server has a session for jobs, and of no other session', async () => {
  const told: number[] = []
  const database = openDatabase({ url: await urlOf(api), onJobSession: (process) => told.push(process) })
  const own = 'select pg_backend_pid() as process'
  await database.transaction(no_organization, (db) => db.row(own))
  const { process } = (await database.transactionOfJob(no_organization, (db) => db.row<{ process: number }>(own)))!
  expect(told).toEqual([process])
  await database.close()
})

it('lets no read wait behind a slow one while another connection has nothing to do', async () => {
  const { reads, pool } = api.database
  const holder = await pool.connect()
  await holder.query('select pg_advisory_lock(1)')
  const slow = reads.rows('select pg_advisory_lock(1)')
  for (let n = 0; n < 10; n++) expect(await reads.row('select 1 as answered')).toEqual({ answered: 1 })
  await holder.query('select pg_advisory_unlock(1)')
  holder.release()
  await slow
})

it('tells whoever waits for a statement behind one that failed why that one did', async () => {
  const said = api.database.transaction(no_organization, async (db) => {
    const first = db.row('select 1 / (select 0) as divided')
    const behind = db.row('select 2 as behind')
    first.catch(() => undefined)
    await behind
  })
  await expect(said).rejects.toMatchObject({ code: '22012' })
})

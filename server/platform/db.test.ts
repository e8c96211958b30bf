import { expect, it } from 'vitest'
import { useApi } from '../test/harness.ts'

const api = useApi()

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

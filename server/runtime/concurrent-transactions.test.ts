import { beforeAll, expect, it, vi } from 'vitest'
import { createEmployer } from '../test/fixtures.ts'
import { useApi } from '../test/harness.ts'
import { inEmployer, inEmployerConcurrently } from './runtime.ts'

const api = useApi()
let at: { organization_id: string; employer_id: string }

beforeAll(async () => {
  at = { organization_id: api.story.organization_id, employer_id: await createEmployer(api) }
})

/** Takes longer than locking a free employer. */
async function makeRoundTrips() {
  for (let times = 0; times < 20; times++) await api.database.pool.query('select 1')
}

it('settles employees concurrently and publishes one job at a time, without other writes in between', async () => {
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
  await vi.waitFor(() => expect(noted.toSorted()).toEqual(['a settles', 'b settles']))
  const alone = inEmployer(api.runtime, at, async () => void noted.push('alone'))
  both_in.resolve()
  await vi.waitFor(() => expect(noted).toHaveLength(3))
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
  await vi.waitFor(() => expect(noted).toEqual(['alone']))
  const settle = async () => void noted.push('settles')
  const others = inEmployerConcurrently(api.runtime, at, settle, async () => undefined)
  await makeRoundTrips()
  over.resolve()
  await Promise.all([alone, others])
  expect(noted).toEqual(['alone', 'no longer alone', 'settles'])
})

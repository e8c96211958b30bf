import { beforeAll, expect, it, vi } from 'vitest'
import { createEmployer } from '../test/cast.ts'
import { useApi } from '../test/harness.ts'
import { inEmployer, inEmployerBeside } from './runtime.ts'

const api = useApi()
let at: { organization_id: string; employer_id: string }

beforeAll(async () => {
  at = { organization_id: api.story.organization_id, employer_id: await createEmployer(api) }
})

/** As often as takes longer than to come to an employer that is free. */
async function goToAndFro() {
  for (let times = 0; times < 20; times++) await api.database.pool.query('select 1')
}

it('settles people of an employer beside each other, and tells one by one, while nobody else is there', async () => {
  const noted: string[] = []
  const [both_in, told] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const beside = (name: string) =>
    inEmployerBeside(
      api.runtime,
      at,
      async () => {
        noted.push(`${name} settles`)
        await both_in.promise
        return name
      },
      async (_, settled) => {
        noted.push(`${settled} tells`)
        await told.promise
        noted.push(`${settled} has told`)
      },
    )
  const lanes = [beside('a'), beside('b')]
  await vi.waitFor(() => expect(noted.toSorted()).toEqual(['a settles', 'b settles']))
  const alone = inEmployer(api.runtime, at, async () => void noted.push('alone'))
  both_in.resolve()
  await vi.waitFor(() => expect(noted).toHaveLength(3))
  await goToAndFro()
  told.resolve()
  await Promise.all([...lanes, alone])
  const [first, second] = noted[2] === 'a tells' ? 'ab' : 'ba'
  expect(noted.slice(2)).toEqual([
    `${first} tells`,
    `${first} has told`,
    `${second} tells`,
    `${second} has told`,
    'alone',
  ])
})

it('waits for who has the employer alone', async () => {
  const noted: string[] = []
  const over = Promise.withResolvers<void>()
  const alone = inEmployer(api.runtime, at, async () => {
    noted.push('alone')
    await over.promise
    noted.push('alone no more')
  })
  await vi.waitFor(() => expect(noted).toEqual(['alone']))
  const settle = async () => void noted.push('settles')
  const beside = inEmployerBeside(api.runtime, at, settle, async () => undefined)
  await goToAndFro()
  over.resolve()
  await Promise.all([alone, beside])
  expect(noted).toEqual(['alone', 'alone no more', 'settles'])
})

import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tasks } from '../modules.ts'
import { scopeOf, session_of_divided, setScope, settings_of_divided } from '../database/query/rows-of.ts'
import { plantStory } from '../sandbox/story.ts'
import { urlOf, useApi } from './harness.ts'
import { isNotSupported, lookedAt } from './looking.ts'
import { allStatements, mirror, mirrored, samplesOf, Values, watchRowsOf, withoutConditions } from './second-lock.ts'

const api = useApi()

/** All variants by `SECOND_LOCK=all`; else every so many, beginning with one that `SECOND_LOCK=7` chooses. */
const { SECOND_LOCK = '0' } = process.env
const step = SECOND_LOCK === 'all' ? 1 : 5
const first_one = SECOND_LOCK === 'all' ? 0 : Number(SECOND_LOCK) % step

type Attempt = { name: string; text: string }

let organization_id: string
let service: pg.Client
let owner: pg.PoolClient

/** What grows from one moment to the next, whoever is there. */
const ages = /late_seconds\\*":\d+/g

/** What is said before each, one by one: Citus hands on the text in which a statement came. */
const scoped = () => [
  'begin',
  ...(api.database.divided ? settings_of_divided : []),
  `set local statement_timeout = '5s'`,
  setScope(scopeOf([organization_id])),
]

/** Works in a scope, and leaves nothing behind. */
async function inScope<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  for (const text of scoped()) await client.query(text)
  return work().finally(() => client.query('rollback'))
}

/** What a statement answers, or is refused with; it is refused if it touches a row of the mirrored organization. */
async function outcomeOf(client: pg.ClientBase, { text }: Attempt): Promise<string> {
  const ask = (asked: string) => inScope(client, () => client.query(asked))
  try {
    const { rowCount, rows } = await ask(text).catch((error: Error) => {
      // Many a statement that names no organization can't be done where tenants are divided, unless it is of all rows.
      if (!isNotSupported(error)) throw error
      return ask(lookedAt(text))
    })
    return JSON.stringify([rowCount, rows.map((row) => JSON.stringify(row).replaceAll(ages, 'late')).sort()])
  } catch (error) {
    return String(error)
  }
}

async function outcomesOf(client: pg.ClientBase, attempts: Attempt[]): Promise<string[]> {
  const outcomes: string[] = []
  for (const attempt of attempts) outcomes.push(await outcomeOf(client, attempt))
  return outcomes
}

/** Which of these answer otherwise once the mirrored organization is there; `appear` makes it. */
async function differing(asked: [pg.ClientBase, Attempt[]][], appear: () => Promise<void>): Promise<string[][]> {
  const alone: string[][] = []
  for (const [client, attempts] of asked) alone.push(await outcomesOf(client, attempts))
  await appear()
  const shown: string[][] = []
  for (const [at, [client, attempts]] of asked.entries()) {
    const beside = await outcomesOf(client, attempts)
    shown.push(attempts.flatMap(({ name }, each) => (alone[at]![each] === beside[each] ? [] : [name])))
  }
  return shown
}

describe('a statement that forgets its organization', () => {
  const tried: Attempt[] = []
  let shown_to_service: string[]
  let shown_to_owner: string[]

  beforeAll(async () => {
    organization_id = (await plantStory(api.runtime, tasks)).organization_id
    owner = await api.database.pool.connect()
    service = new pg.Client({ connectionString: await urlOf(api) })
    await service.connect()
    if (api.database.divided) await service.query(session_of_divided)
    const values = new Values(await samplesOf(owner, organization_id), organization_id, {
      today: '2026-03-10',
      now: '2026-03-10T16:00:00.000Z',
    })
    const variants = allStatements().flatMap((asked) =>
      withoutConditions(asked).map((text) => ({ name: asked.name, text: values.into(text, asked) })),
    )
    tried.push(...variants.filter((_, at) => at % step === first_one))
    await watchRowsOf(owner, mirrored(organization_id))
    const shown = await differing(
      [
        [service, tried],
        [owner, tried],
      ],
      () => mirror(owner, organization_id),
    )
    ;[shown_to_service, shown_to_owner] = shown as [string[], string[]]
  }, 600_000)
  afterAll(async () => {
    await service.end()
    owner.release()
  })

  it('is tried in many ways', () => {
    expect(tried.length).toBeGreaterThan(1000 / step)
  })

  it('neither shows nor changes anything of another by the role that serves', () => {
    expect(shown_to_service).toEqual([])
  })

  it('would without the second lock, in a good share of them', () => {
    expect(shown_to_owner.length / tried.length).toBeGreaterThan(0.1)
  })
})

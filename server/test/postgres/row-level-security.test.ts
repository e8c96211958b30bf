import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scopeOf, setScope } from '../../database/query/rows-of.ts'
import { urlOf, useApi } from '../harness.ts'
import { isNotSupported, readingWholeTables } from './sharded-queries.ts'
import {
  allStatements,
  mirror,
  mirrored,
  samplesOf,
  Values,
  watchRowsOf,
  withoutConditions,
} from './row-level-security.ts'
import { share } from '../case-count.ts'

const api = useApi({ with_story: 'usual_day' })

/** `RLS_VARIANTS=all` tries all variants. Otherwise a sample is tried, and `RLS_VARIANTS=7` selects another sample. */
const { RLS_VARIANTS = '0' } = process.env
const step = RLS_VARIANTS === 'all' ? 1 : Math.ceil(5 / Math.min(share, 1))
const first_one = RLS_VARIANTS === 'all' ? 0 : Number(RLS_VARIANTS) % step

type Attempt = { name: string; text: string }

let organization_id: string
let service: pg.Client
let owner: pg.PoolClient

/** Values that increase with time. */
const ages = /late_seconds\\*":\d+/g

/** Statements sent before each attempt, separately, because Citus forwards the whole text of a query. */
const scoped = () => [
  'begin',
  ...(api.database.distribution?.transaction ?? []),
  `set local statement_timeout = '5s'`,
  setScope(scopeOf([organization_id])),
]

/** Works in a scope and rolls back. */
async function inScope<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  for (const text of scoped()) await client.query(text)
  return work().finally(() => client.query('rollback'))
}

/** The result or error of a statement. Touching a row of the mirrored organization is an error. */
async function outcomeOf(client: pg.ClientBase, { text }: Attempt): Promise<string> {
  const send = (requested: string) => inScope(client, () => client.query(requested))
  try {
    const { rowCount, rows } = await send(text).catch((error: Error) => {
      // With sharding, many statements without an organization are not supported unless they affect all rows.
      if (!isNotSupported(error)) throw error
      return send(readingWholeTables(text))
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

/** The attempts whose outcome changes when the mirrored organization appears. `appear` creates it. */
async function differing(requested: [pg.ClientBase, Attempt[]][], appear: () => Promise<void>): Promise<string[][]> {
  const alone: string[][] = []
  for (const [client, attempts] of requested) alone.push(await outcomesOf(client, attempts))
  await appear()
  const shown: string[][] = []
  for (const [at, [client, attempts]] of requested.entries()) {
    const others = await outcomesOf(client, attempts)
    shown.push(attempts.flatMap(({ name }, each) => (alone[at]![each] === others[each] ? [] : [name])))
  }
  return shown
}

describe('a statement without its organization condition', () => {
  const tried: Attempt[] = []
  let shown_to_service: string[]
  let shown_to_owner: string[]

  beforeAll(async () => {
    organization_id = api.story.organization_id
    owner = await api.database.pool.connect()
    service = new pg.Client({ connectionString: await urlOf(api) })
    await service.connect()
    if (api.database.distribution) await service.query(api.database.distribution.session)
    const values = new Values(await samplesOf(owner, organization_id), organization_id, {
      today: '2026-03-10',
      now: '2026-03-10T16:00:00.000Z',
    })
    const variants = (await allStatements(service)).flatMap((requested) =>
      withoutConditions(requested).map((text) => ({ name: requested.name, text: values.into(text, requested) })),
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

  it('is attempted in many variants', () => {
    expect(tried.length).toBeGreaterThan(1000 / step)
  })

  it('neither shows nor changes rows of another organization with the role that serves', () => {
    expect(shown_to_service).toEqual([])
  })

  it('would do so without row-level security, in a good share of the variants', () => {
    expect(shown_to_owner.length / tried.length).toBeGreaterThan(0.1)
  })
})

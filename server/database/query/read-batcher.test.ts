import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { openReadBatcher, type BatchedQuery } from './read-batcher.ts'
import { FairQueue } from '../../kernel/concurrency/fair-queue.ts'
import fc from 'fast-check'
import pg from 'pg'
import { createEmployee, createEmployer } from '../../test/fixtures.ts'
import { useApi } from '../../test/harness.ts'
import { findEmployee, listEmployees } from '../../modules/roster/employees/queries.ts'
import { EmployeeFilter } from '../../modules/roster/employees/schemas.ts'
import { inReach } from '../sql/reach.ts'
import { serviceCaller } from '../../runtime/caller.ts'
import type { ReadCtx } from '../../runtime/ctx.ts'
import { contextOf } from '../../runtime/runtime.ts'
import { read } from '../sql/statement.ts'

const form: BatchedQuery = { text: 'together', own: [0], common: [1], most: 3 }

/** A batcher whose statements end when the test ends them. `sent` lists the values of each statement. */
function openBatcher() {
  const sent: unknown[][] = []
  const ends: { answer: () => void; fail: (error: Error) => void }[] = []
  const turns = new FairQueue({
    max_running: Infinity,
    max_running_per_key: 2,
    max_waiting_per_key: 1,
    timeout_ms: 1000,
  })
  const run = openReadBatcher(turns, async (_owner, _statement, take) => {
    const taken = take()
    const { values = [] } = taken.query
    const own = taken.count === 1 ? [values[0]] : (values[0] as unknown[])
    sent.push(own)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    ends.push({ answer: resolve, fail: reject })
    await promise
    if (taken.count === 1) return { rows: [{ name: own[0] }], fields: [] }
    return { rows: own.map((name, at) => ({ number: at + 1, name })), fields: [] }
  })
  const query = async (name: string, common = 'x', tenant = 'somebody') => {
    const query = { text: 'alone', scope: 'org_1', values: [name, common] }
    const answer = await run(tenant, 's1', query, form)
    return answer?.rows.map((row) => row.name)
  }
  return { sent, ends, query }
}

/** Waits until the turn of the event loop has ended and its promise callbacks have run. */
async function turn(): Promise<void> {
  for (let n = 0; n < 3; n++) await new Promise((resolve) => setImmediate(resolve))
}

describe('reads of one kind', () => {
  it('are batched if they arrive together, up to the maximum, and each gets its own result', async () => {
    const { sent, ends, query } = openBatcher()
    const answers = Promise.all(['a', 'b', 'c', 'd'].map((name) => query(name)))
    await turn()
    expect(sent).toEqual([['a', 'b', 'c'], ['d']])
    for (const { answer } of ends) answer()
    expect(await answers).toEqual([['a'], ['b'], ['c'], ['d']])
  })

  it('run immediately while few are in progress, and are batched from then on', async () => {
    const { sent, ends, query } = openBatcher()
    const answers = []
    for (const name of ['a', 'b', 'c', 'd']) {
      answers.push(query(name))
      await turn()
    }
    expect(sent).toEqual([['a'], ['b']])
    ends[0]!.answer()
    await turn()
    expect(sent).toEqual([['a'], ['b'], ['c', 'd']])
    for (const { answer } of ends) answer()
    expect(await Promise.all(answers)).toEqual([['a'], ['b'], ['c'], ['d']])
  })

  it('are not batched with reads of another caller or with other common values', async () => {
    const { sent, query } = openBatcher()
    void query('a')
    void query('b', 'y')
    void query('c', 'x', 'another tenant')
    await turn()
    expect(sent).toEqual([['a'], ['b'], ['c']])
  })

  it('all fail when the connection is lost', async () => {
    const { ends, query } = openBatcher()
    const answers = Promise.allSettled(['a', 'b'].map((name) => query(name)))
    await turn()
    ends[0]!.fail(new Error('The connection is gone.'))
    expect((await answers).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  })
})

describe('a queued read', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
  afterEach(() => void vi.useRealTimers())

  const refused = { kind: { status: 503 } }

  it('is refused with 503 after the timeout', async () => {
    const { ends, query } = openBatcher()
    const under_way = [query('a')]
    await turn()
    under_way.push(query('b'))
    await turn()
    const waited = Promise.allSettled([query('c')])
    await turn()
    vi.advanceTimersByTime(1001)
    expect(await waited).toMatchObject([{ reason: refused }])
    for (const { answer } of ends) answer()
    expect(await Promise.all(under_way)).toEqual([['a'], ['b']])
  })

  it('is refused immediately if the queue is full', async () => {
    const { query } = openBatcher()
    // Two statements run, and a third waits with three requests.
    for (const name of 'abcdefghi') void query(name)
    await expect(query('j')).rejects.toMatchObject(refused)
  })
})

describe('a batched query', () => {
  const api = useApi()

  /** The context of reads for a tenant. A new tenant name has no measured speeds yet. */
  const reading = (tenant: string, organization_id = api.story.organization_id): ReadCtx =>
    contextOf(api.runtime, serviceCaller(organization_id), api.database.readsOf(tenant, [organization_id]))

  /** The texts of all queries that are sent over shared connections during `work`. */
  async function sentBy(work: () => Promise<unknown>): Promise<string[]> {
    const { query } = pg.Client.prototype
    const sent: string[] = []
    pg.Client.prototype.query = function (this: pg.Client, ...requested: unknown[]) {
      const [first] = requested as [string | { text: string }]
      sent.push(typeof first === 'string' ? first : first.text)
      return query.apply(this, requested as never) as never
    }
    try {
      await work()
    } finally {
      pg.Client.prototype.query = query
    }
    return sent
  }

  const sharded = read(
    'batch-test.sharded',
    `select (12 / :by::int)::text as json from organizations as organization
    where organization.id = :named and ${inReach('organization.id')}`,
    { batch: 8 },
  )
  const shard = (ctx: ReadCtx, by: number) => sharded.json(ctx, { by, named: api.story.organization_id } as never)

  describe('concurrent reads by key', () => {
    it('are batched in a few statements', { retry: 2 }, async ({ task }) => {
      // A busy machine may make a quick read slow.
      const timer = vi.spyOn(performance, 'now').mockReturnValue(performance.now())
      onTestFinished(() => timer.mockRestore())
      const ctx = reading(`few${task.result?.retryCount ?? 0}`)
      // This first read shows that the statement is quick.
      await shard(ctx, 4)
      const sent = await sentBy(() => Promise.all(Array.from({ length: 20 }, (_, at) => shard(ctx, at + 1))))
      const requested = sent.filter((text) => text.includes('batch-test.sharded'))
      // A distributed database runs each read alone.
      const is_batched = !api.runtime.database.distribution
      expect(requested).toHaveLength(is_batched ? 3 : 20)
      for (const text of requested) expect(text.includes('batch-test.sharded together')).toBe(is_batched)
    })

    it('return the same results as single reads, whatever else is in the batch', async () => {
      const employer_id = await createEmployer(api)
      const key = api.story.rival_api_key
      const foreign = await createEmployee(api, await createEmployer(api, {}, { key }), {}, { key })
      const ids = [foreign.id, 'empl_missing', `"\\ , {}'`]
      for (let n = 0; n < 6; n++) ids.push((await createEmployee(api, employer_id)).id)
      const own = reading('own')
      const others = reading('others', api.story.rival_organization_id)
      const question = fc.record({
        of_others: fc.boolean(),
        what: fc.oneof(
          fc.record({ id: fc.constantFrom(...ids) }),
          fc.record({ page: fc.integer({ min: 1, max: 5 }), limit: fc.integer({ min: 1, max: 3 }) }),
        ),
      })
      type Question = { of_others: boolean; what: { id: string } | { page: number; limit: number } }
      const query = ({ of_others, what: part }: Question) => {
        const ctx = of_others ? others : own
        if ('id' in part) return findEmployee(ctx, { employee_id: part.id })
        const filter = EmployeeFilter.parse({ page: String(part.page), limit: String(part.limit) })
        return listEmployees(ctx, employer_id, filter)
      }
      await fc.assert(
        fc.asyncProperty(fc.array(question, { minLength: 2, maxLength: 30 }), async (questions) => {
          const batched = await Promise.all(questions.map(query))
          for (const [at, question] of questions.entries()) expect(batched[at]).toBe(await query(question))
        }),
        { numRuns: 15 },
      )
    })
  })

  describe('a read that PostgreSQL refuses', () => {
    it('fails alone', async () => {
      const ctx = reading('refused')
      expect(await shard(ctx, 4)).toBe('3')
      const answers = await Promise.allSettled([1, 0, 3, 0, 2].map((by) => shard(ctx, by)))
      expect(answers).toMatchObject([
        { value: '12' },
        { reason: { code: '22012' } },
        { value: '4' },
        { reason: { code: '22012' } },
        { value: '6' },
      ])
    })
  })
})

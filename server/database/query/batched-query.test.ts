import fc from 'fast-check'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { createEmployee, createEmployer } from '../../test/fixtures.ts'
import { useApi } from '../../test/harness.ts'
import { findEmployee, listEmployees } from '../../modules/roster/employees/queries.ts'
import { EmployeeFilter } from '../../modules/roster/employees/schemas.ts'
import { inReach } from '../../database/sql/reach.ts'
import { serviceCaller } from '../../runtime/caller.ts'
import type { ReadCtx } from '../../runtime/ctx.ts'
import { contextOf } from '../../runtime/runtime.ts'
import { read } from '../sql/statement.ts'

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
  // A busy machine may make a quick read slow for a while.
  it('are batched in a few statements', { retry: 2 }, async ({ task }) => {
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
      if ('id' in part) return findEmployee(ctx, part.id)
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

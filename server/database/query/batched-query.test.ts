import fc from 'fast-check'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { createEmployee, createEmployer } from '../../test/cast.ts'
import { useApi } from '../../test/harness.ts'
import { findEmployee, listEmployees } from '../../modules/roster/employees/queries.ts'
import { EmployeeFilter } from '../../modules/roster/employees/schemas.ts'
import { inReach } from '../../database/sql/reach.ts'
import { serviceCaller } from '../../runtime/caller.ts'
import type { ReadCtx } from '../../runtime/ctx.ts'
import { contextOf } from '../../runtime/runtime.ts'
import { read } from '../sql/statement.ts'

const api = useApi()

/** Reads of an organization. Each of a name of its own is somebody who reads, of whom nothing is known yet. */
const reading = (whose: string, organization_id = api.story.organization_id): ReadCtx =>
  contextOf(api.runtime, serviceCaller(organization_id), api.database.readsOf(whose, [organization_id]))

/** The texts of what PostgreSQL is asked over shared connections while something is done. */
async function sentBy(work: () => Promise<unknown>): Promise<string[]> {
  const { query } = pg.Client.prototype
  const sent: string[] = []
  pg.Client.prototype.query = function (this: pg.Client, ...asked: unknown[]) {
    const [first] = asked as [string | { text: string }]
    sent.push(typeof first === 'string' ? first : first.text)
    return query.apply(this, asked as never) as never
  }
  try {
    await work()
  } finally {
    pg.Client.prototype.query = query
  }
  return sent
}

const divided = read(
  'together-test.divided',
  `select (12 / :by::int)::text as json from organizations as organization
    where organization.id = :named and ${inReach('organization.id')}`,
  { together: 8 },
)
const divide = (ctx: ReadCtx, by: number) => divided.json(ctx, { by, named: api.story.organization_id } as never)

describe('reads by key that come at once', () => {
  // A machine that does much else may make a quick read a slow one for a while.
  it('go in few statements', { retry: 2 }, async ({ task }) => {
    const ctx = reading(`few${task.result?.retryCount ?? 0}`)
    // What is quick is known by then.
    await divide(ctx, 4)
    const sent = await sentBy(() => Promise.all(Array.from({ length: 20 }, (_, at) => divide(ctx, at + 1))))
    const asked = sent.filter((text) => text.includes('together-test.divided'))
    // Where tenants are divided each goes by itself.
    const are_together = !api.runtime.database.divided
    expect(asked).toHaveLength(are_together ? 3 : 20)
    for (const text of asked) expect(text.includes('together-test.divided together')).toBe(are_together)
  })

  it('are answered as each by itself, whoever asks beside them', async () => {
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
    const ask = ({ of_others, what }: Question) => {
      const ctx = of_others ? others : own
      if ('id' in what) return findEmployee(ctx, what.id)
      const filter = EmployeeFilter.parse({ page: String(what.page), limit: String(what.limit) })
      return listEmployees(ctx, employer_id, filter)
    }
    await fc.assert(
      fc.asyncProperty(fc.array(question, { minLength: 2, maxLength: 30 }), async (questions) => {
        const together = await Promise.all(questions.map(ask))
        for (const [at, question] of questions.entries()) expect(together[at]).toBe(await ask(question))
      }),
      { numRuns: 15 },
    )
  })
})

describe('a read that PostgreSQL refuses', () => {
  it('is refused alone', async () => {
    const ctx = reading('refused')
    expect(await divide(ctx, 4)).toBe('3')
    const answers = await Promise.allSettled([1, 0, 3, 0, 2].map((by) => divide(ctx, by)))
    expect(answers).toMatchObject([
      { value: '12' },
      { reason: { code: '22012' } },
      { value: '4' },
      { reason: { code: '22012' } },
      { value: '6' },
    ])
  })
})

import { describe, expect, it } from 'vitest'
import { aPerson, createEmployer } from '../test/fixtures.ts'
import { codeOf } from '../test/response.ts'
import { countWaiting, useApi } from '../test/harness.ts'
import { lockClock } from '../runtime/clock.ts'
import { every_organization } from '../database/query/rows-of.ts'
import { stepByStep } from '../runtime/runtime.ts'

const connections = 10
const api = useApi({ write_connections: connections, timeout_ms: 25_000 })
const short_timeout = useApi({ timeout_ms: 100 })

const employees = (employer_id: string) => `/v1/employers/${employer_id}/employees` as const

describe('a locked organization', () => {
  it('does not block writes of other organizations, and performs its queued writes afterwards', async () => {
    const employer_id = await createEmployer(api)
    const waiting = await api.database.transaction(every_organization, async (db) => {
      await lockClock(db, api.story.organization_id)
      const sent = Array.from({ length: connections + 2 }, (_, number) =>
        api.put(`/v1/employers/${employer_id}`, { reference_id: `R-${number}` }),
      )
      await expect.poll(() => countWaiting(api), { timeout: 20_000 }).toBe(connections + 2)
      expect(await createEmployer(api, {}, { key: api.story.rival_api_key })).toMatch(/^empr_/)
      expect((await api.get(employees(employer_id))).status).toBe(200)
      return { sent }
    })
    expect((await Promise.all(waiting.sent)).map(({ status }) => status)).toEqual(
      Array.from({ length: connections + 2 }, () => 200),
    )
  })

  it('returns 503 for writes if the lock is not available in time', async () => {
    const employer_id = await createEmployer(short_timeout)
    await short_timeout.database.transaction(every_organization, async (db) => {
      await lockClock(db, short_timeout.story.organization_id)
      const refused = await short_timeout.post(employees(employer_id), aPerson())
      expect(codeOf(refused)).toEqual([503, 'unavailable'])
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    })
    expect((await short_timeout.post(employees(employer_id), aPerson())).status).toBe(201)
  })

  it('runs queued writes before the next step of a job', async () => {
    const employer_id = await createEmployer(api)
    const position = { organization_id: api.story.organization_id, employer_ids: [employer_id] }
    const counts_at_steps: number[] = []
    const sent: Promise<{ status: number }>[] = []
    await stepByStep(api.runtime, position, async ({ db }) => {
      const { count } = (await db.row<{ count: number }>(
        'select count(*) as count from employees where employer_id = $1 and organization_id = $2',
        [employer_id, position.organization_id],
      ))!
      counts_at_steps.push(count)
      if (counts_at_steps.length > 1) return false
      sent.push(...Array.from({ length: 3 }, () => api.post(employees(employer_id), aPerson())))
      await expect.poll(() => countWaiting(api), { timeout: 20_000 }).toBe(3)
      return true
    })
    expect(counts_at_steps).toEqual([0, 3])
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([201, 201, 201])
  })

  it('returns 503 if a row lock is not available in time', async () => {
    const employer_id = await createEmployer(short_timeout)
    await short_timeout.database.transaction(every_organization, async (db) => {
      await db.rows('select 1 as one from employers where id = $1 and organization_id = $2 for update', [
        employer_id,
        short_timeout.story.organization_id,
      ])
      const refused = await short_timeout.put(`/v1/employers/${employer_id}`, { reference_id: 'R-1' })
      expect(refused.status).toBe(503)
      expect(refused.headers.get('retry-after')).toMatch(/^([5-9]|10)$/)
    })
  })
})

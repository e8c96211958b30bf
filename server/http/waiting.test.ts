import { describe, expect, it } from 'vitest'
import { aPerson, createEmployer } from '../test/cast.ts'
import { codeOf } from '../test/answer.ts'
import { countWaiting, useApi } from '../test/harness.ts'
import { lockClock } from '../runtime/clock.ts'
import { every_organization } from '../database/query/rows-of.ts'
import { stepByStep } from '../runtime/runtime.ts'

const connections = 10
const api = useApi({ write_connections: connections, patience_ms: 25_000 })
const impatient = useApi({ patience_ms: 100 })

const employees = (employer_id: string) => `/v1/employers/${employer_id}/employees` as const

describe('an organization that somebody has locked', () => {
  it('keeps no other from writing, however many of its writes wait, and has them done afterwards', async () => {
    const employer_id = await createEmployer(api)
    const waiting = await api.database.transaction(every_organization, async (db) => {
      await lockClock(db, api.story.organization_id)
      const sent = Array.from({ length: connections + 2 }, () => api.post(employees(employer_id), aPerson()))
      await expect.poll(() => countWaiting(api), { timeout: 20_000 }).toBe(connections + 2)
      expect(await createEmployer(api, {}, { key: api.story.rival_api_key })).toMatch(/^empr_/)
      expect((await api.get(employees(employer_id))).status).toBe(200)
      return { sent }
    })
    expect((await Promise.all(waiting.sent)).map(({ status }) => status)).toEqual(
      Array.from({ length: connections + 2 }, () => 201),
    )
    expect((await api.get(employees(employer_id))).body.pagination.total).toBe(connections + 2)
  })

  it('answers its writes with 503 when the lock is not had in time', async () => {
    const employer_id = await createEmployer(impatient)
    await impatient.database.transaction(every_organization, async (db) => {
      await lockClock(db, impatient.story.organization_id)
      const refused = await impatient.post(employees(employer_id), aPerson())
      expect(codeOf(refused)).toEqual([503, 'unavailable'])
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    })
    expect((await impatient.post(employees(employer_id), aPerson())).status).toBe(201)
  })

  it('has writes that wait go before the next step of a job, each of them', async () => {
    const employer_id = await createEmployer(api)
    const place = { organization_id: api.story.organization_id, employer_ids: [employer_id] }
    const there_at_steps: number[] = []
    const sent: Promise<{ status: number }>[] = []
    await stepByStep(api.runtime, place, async ({ db }) => {
      const { count } = (await db.row<{ count: number }>(
        'select count(*) as count from employees where employer_id = $1 and organization_id = $2',
        [employer_id, place.organization_id],
      ))!
      there_at_steps.push(count)
      if (there_at_steps.length > 1) return false
      sent.push(...Array.from({ length: 3 }, () => api.post(employees(employer_id), aPerson())))
      await expect.poll(() => countWaiting(api), { timeout: 20_000 }).toBe(3)
      return true
    })
    expect(there_at_steps).toEqual([0, 3])
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([201, 201, 201])
  })

  it('answers so when it is a row within that is not had in time', async () => {
    const employer_id = await createEmployer(impatient)
    await impatient.database.transaction(every_organization, async (db) => {
      await db.rows('select 1 as one from employers where id = $1 and organization_id = $2 for update', [
        employer_id,
        impatient.story.organization_id,
      ])
      const refused = await impatient.put(`/v1/employers/${employer_id}`, { reference_id: 'R-1' })
      expect(refused.status).toBe(503)
      expect(refused.headers.get('retry-after')).toMatch(/^([5-9]|10)$/)
    })
  })
})

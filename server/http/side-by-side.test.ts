import { describe, expect, it } from 'vitest'
import { recalculateEmployer } from '../modules/coverage/enrollments/actions.ts'
import { codeOf, refusalOf } from '../test/response.ts'
import { anEmployer, aPerson, createEmployee, createEmployer, importCatalog, openPlanYear } from '../test/fixtures.ts'
import { countWaiting, useApi, type Api } from '../test/harness.ts'
import { randomFrom } from '../test/service/killed-process.ts'
import { first, only } from '../test/pick.ts'
import { databaseContents } from '../test/postgres/database-contents.ts'
import { enterOrganization, lockOrganization, lockEmployers, lockIdleOrganizations } from '../runtime/locks.ts'
import { newId } from '../kernel/ids.ts'
import { every_organization } from '../database/query/rows-of.ts'
import { recordEvents } from '../runtime/events.ts'
import { inEmployer, stepByStep } from '../runtime/runtime.ts'

// The wait for a lock among many depends on the machine.
const api = useApi({ timeout_ms: 60_000 })
const short_timeout = useApi({ timeout_ms: 100 })
const catalogs = new Map<Api, ReturnType<typeof importCatalog>>()

/** An employer with a benefit and this many employees who may elect it, with their enrollments. */
async function anEmployerOf(count: number, at = api) {
  at.wait(60_000)
  if (!catalogs.has(at)) catalogs.set(at, importCatalog(at))
  const { benefit_id, plan_id } = (await catalogs.get(at)!).mec
  const employer_id = await createEmployer(at)
  await at.post(`/v1/employers/${employer_id}/benefit-eligibility-policies`, {
    classification: 'all',
    waiting_period: 'first_of_following_month',
  })
  await openPlanYear(at, employer_id, await catalogs.get(at)!, { benefits: [{ benefit_id }] })
  await at.work()
  const enrollments: string[] = []
  for (let number = 0; number < count; number++) {
    const { id } = await createEmployee(at, employer_id, { start_date: '2026-03-09' })
    enrollments.push(first((await at.get(`/v1/employees/${id}/enrollments`)).body.data).id)
  }
  return {
    organization_id: at.story.organization_id,
    employer_id,
    enrollments,
    elect: (id = enrollments[0]) => at.post(`/v1/enrollments/${id!}/elect`, { plan_id, coverage_tier: 'EE' }),
    waive: (id = enrollments[0]) => at.post(`/v1/enrollments/${id!}/waive`, {}),
  }
}

type Employer = Awaited<ReturnType<typeof anEmployerOf>>

/** Holds the lock of an employer during `work`, like a write to it. */
const whileLocked = <T>({ organization_id, employer_id }: Employer, work: () => Promise<T>) =>
  api.database.transaction(every_organization, async (db) => {
    await enterOrganization(db, organization_id)
    await lockEmployers(db, { organization_id, employer_ids: [employer_id] })
    return work()
  })

const idle = (organization_id: string) =>
  api.database.transaction(every_organization, (db) =>
    lockIdleOrganizations({ db }, { organization_ids: [organization_id] }),
  )

/** A write that locks the whole organization. */
const updateEmployer = (employer_id: string) => api.put(`/v1/employers/${employer_id}`, { reference_id: newId('org') })

describe('a write at one employer', () => {
  it('waits for another write at that employer, but not for writes at other employers', async () => {
    const [here, there] = [await anEmployerOf(1), await anEmployerOf(1)]
    const { waiting } = await whileLocked(here, async () => {
      const sent = here.elect()
      await expect.poll(() => countWaiting(api)).toBe(1)
      expect((await there.elect()).status).toBe(200)
      expect(await countWaiting(api)).toBe(1)
      return { waiting: sent }
    })
    expect((await waiting).status).toBe(200)
  })

  it('waits for writes that lock the whole organization, and vice versa', async () => {
    const here = await anEmployerOf(1)
    const { organization_id } = here
    const { waiting } = await api.database.transaction(every_organization, async (db) => {
      await lockOrganization(db, organization_id)
      const sent = here.elect()
      await expect.poll(() => countWaiting(api)).toBe(1)
      return { waiting: sent }
    })
    expect((await waiting).status).toBe(200)
    const { updating } = await whileLocked(here, async () => {
      const sent = updateEmployer(here.employer_id)
      await expect.poll(() => countWaiting(api)).toBe(1)
      expect(await idle(organization_id)).toEqual([])
      return { updating: sent }
    })
    expect((await updating).status).toBe(200)
    expect(await idle(organization_id)).toEqual([organization_id])
  })

  it('does not overtake a write that waits for the whole organization', async () => {
    const [here, there] = [await anEmployerOf(0), await anEmployerOf(1)]
    const { updating, late } = await whileLocked(here, async () => {
      const sent = updateEmployer(there.employer_id)
      await expect.poll(() => countWaiting(api)).toBe(1)
      const next = there.elect()
      await expect.poll(() => countWaiting(api)).toBe(2)
      return { updating: sent, late: next }
    })
    expect((await updating).status).toBe(200)
    expect((await late).status).toBe(200)
  })

  it('creates one person once, when two employers hire the same person at the same time', async () => {
    const employers = [await createEmployer(api), await createEmployer(api), await createEmployer(api)]
    const person = aPerson()
    const hired = await Promise.all(
      employers.map((employer_id) => api.post(`/v1/employers/${employer_id}/employees`, person)),
    )
    expect(hired.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(new Set(hired.map(({ body }) => body.data.member_id)).size).toBe(1)
  })

  it('refuses all but one of several identical employers at the same time, each with the same conflict', async () => {
    const employer = anEmployer()
    const created = await Promise.all(Array.from({ length: 6 }, () => api.post('/v1/employers', employer)))
    const refused = created.filter(({ status }) => status !== 201)
    expect(refused).toHaveLength(5)
    expect(new Set(refused.map((answer) => refusalOf(answer).join())).size).toBe(1)
  })

  it('returns 503 if the lock is not available in time', async () => {
    const { organization_id, waive } = await anEmployerOf(1, short_timeout)
    await short_timeout.database.transaction(every_organization, async (db) => {
      await lockOrganization(db, organization_id)
      expect(codeOf(await waive())).toEqual([503, 'unavailable'])
    })
    expect((await waive()).status).toBe(200)
  })

  it('publishes its events after those of writes that ended before it', async () => {
    const [here, there] = [await anEmployerOf(0), await anEmployerOf(1)]
    const { organization_id, employer_id: resource_id } = here
    const former = only((await api.get('/v1/webhook-events?limit=1')).body.data).id
    await inEmployer(api.runtime, here, async (ctx) => {
      await recordEvents(ctx, [{ event_name: 'employer.updated', organization_id, resource_id }])
      expect((await there.elect()).status).toBe(200)
    })
    const since = (await api.get(`/v1/webhook-events?after=${former}`)).body.data
    expect(since.map(({ event_name }) => event_name)).toEqual([
      'enrollment.elected',
      'enrollment.accepted',
      'employer.updated',
    ])
  })
})

describe('a recalculation of an employer', () => {
  it('does not wait for writes if no enrollment differs', async () => {
    const here = await anEmployerOf(2)
    const before = await databaseContents(api)
    await whileLocked(here, () => recalculateEmployer(api.runtime, here))
    expect(await databaseContents(api)).toBe(before)
  })

  it('updates the enrollments that differ, after waiting for the lock', async () => {
    const here = await anEmployerOf(2)
    const [first_one, other] = here.enrollments
    await api.database.pool.query('update enrollments set coverage_start = coverage_start + 1 where id = $1', [other])
    const recalculated = await whileLocked(here, async () => {
      const recalculating = recalculateEmployer(api.runtime, here)
      await expect.poll(() => countWaiting(api)).toBe(1)
      return { recalculating }
    })
    await recalculated.recalculating
    const starts = await Promise.all([first_one, other].map((id) => api.get(`/v1/enrollments/${id!}`)))
    expect(new Set(starts.map(({ body }) => body.data.coverage_start)).size).toBe(1)
  })
})

describe('concurrent writes at several employers of one organization', () => {
  it('give the same result as sequential writes', async () => {
    const employers = [await anEmployerOf(6), await anEmployerOf(6), await anEmployerOf(6)]
    const random = randomFrom(7)
    for (let round = 0; round < 3; round++) {
      api.wait(60_000)
      const answers = employers.flatMap(({ enrollments, elect, waive }) =>
        enrollments.map((id) => (random(2) === 0 ? elect(id) : waive(id))),
      )
      const twice = employers.map(({ enrollments, elect }) => elect(enrollments[random(6)]))
      const [answered] = await Promise.all([
        Promise.all([...answers, ...twice]),
        ...employers.map((employer) => recalculateEmployer(api.runtime, employer)),
        createEmployer(api),
      ])
      expect(answered.map(({ status, text }) => (status === 200 ? status : text))).toEqual(answered.map(() => 200))
    }

    for (const { employer_id, enrollments } of employers) {
      const year = only((await api.get(`/v1/employers/${employer_id}/benefit-plan-years`)).body.data)
      const held = await Promise.all(enrollments.map((id) => api.get(`/v1/enrollments/${id}`)))
      const enrolled = held.filter(({ body }) => body.data.status === 'enrolled').length
      expect(year.enrollment_rate).toMatchObject({ eligible: enrollments.length, enrolled })
    }
    const before = await databaseContents(api)
    for (const employer of employers) await recalculateEmployer(api.runtime, employer)
    expect(await databaseContents(api)).toBe(before)
  })

  it('number and count their events without gaps, in total and per resource', async () => {
    const employers = [await anEmployerOf(4), await anEmployerOf(4), await anEmployerOf(4)]
    await Promise.all(employers.flatMap(({ enrollments, elect }) => enrollments.map((id) => elect(id))))
    await api.get('/v1/webhook-events?wait=0')
    const { rows } = await api.database.pool.query(
      `
      select count(*)::int as events, count(distinct position)::int as positions, max(position)::int as last,
             (select last_position::int from webhook_event_positions where organization_id = $1) as published,
             (select sum(event_count)::int from webhook_event_counts where organization_id = $1) as counted,
             (select count(*)::int from (select from webhook_events where organization_id = $1 group by resource_id
                                         having max(sequence) <> count(*)) as broken) as broken
        from webhook_events where organization_id = $1`,
      [api.story.organization_id],
    )
    const { events, ...of } = only(rows)
    expect(events).toBeGreaterThan(0)
    expect(of).toEqual({ positions: events, last: events, published: events, counted: events, broken: 0 })
  })
})

describe('waiting writes', () => {
  const connections = 10
  const api = useApi({ write_connections: connections, timeout_ms: 25_000 })
  const short_timeout = useApi({ timeout_ms: 100 })

  const employees = (employer_id: string) => `/v1/employers/${employer_id}/employees` as const

  describe('a locked organization', () => {
    it('does not block writes of other organizations, and performs its queued writes afterwards', async () => {
      const employer_id = await createEmployer(api)
      const waiting = await api.database.transaction(every_organization, async (db) => {
        await lockOrganization(db, api.story.organization_id)
        const sent = Array.from({ length: connections + 2 }, (_, number) =>
          api.put(`/v1/employers/${employer_id}`, { reference_id: `R-${number}` }),
        )
        await expect.poll(() => countWaiting(api)).toBe(connections + 2)
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
        await lockOrganization(db, short_timeout.story.organization_id)
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
        await expect.poll(() => countWaiting(api)).toBe(3)
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
})

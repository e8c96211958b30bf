import { describe, expect, it } from 'vitest'
import { recalculateEmployer } from '../modules/coverage/enrollments/actions.ts'
import { codeOf } from '../test/answer.ts'
import { createEmployee, createEmployer, importCatalog, openPlanYear } from '../test/cast.ts'
import { countWaiting, useApi, type Api } from '../test/harness.ts'
import { randomFrom } from '../test/killed.ts'
import { first, only } from '../test/pick.ts'
import { stored } from '../test/stored.ts'
import { enter, lockClock, lockEmployersClock, lockIdle } from '../runtime/clock.ts'
import { every_organization } from '../database/query/rows-of.ts'
import { recordEvents } from '../runtime/events.ts'
import { inEmployer } from '../runtime/runtime.ts'

// How long the last of many waits depends on the machine.
const api = useApi({ patience_ms: 60_000 })
const impatient = useApi({ patience_ms: 100 })
const catalogs = new Map<Api, ReturnType<typeof importCatalog>>()

/** An employer with a benefit, and so many people who may elect it: their enrollments. */
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

/** Is at an employer, as a write there is, for as long as `work` takes. */
const whileAt = <T>({ organization_id, employer_id }: Employer, work: () => Promise<T>) =>
  api.database.transaction(every_organization, async (db) => {
    await enter(db, organization_id)
    await lockEmployersClock(db, { organization_id, employer_ids: [employer_id] })
    return work()
  })

const idle = (organization_id: string) =>
  api.database.transaction(every_organization, (db) => lockIdle(db, [organization_id]))

describe('a write at one employer', () => {
  it('waits for another one there, and for none at another employer', async () => {
    const [here, there] = [await anEmployerOf(1), await anEmployerOf(1)]
    const { waiting } = await whileAt(here, async () => {
      const sent = here.elect()
      await expect.poll(() => countWaiting(api)).toBe(1)
      expect((await there.elect()).status).toBe(200)
      expect(await countWaiting(api)).toBe(1)
      return { waiting: sent }
    })
    expect((await waiting).status).toBe(200)
  })

  it('waits for who has the organization whole, and they for it', async () => {
    const here = await anEmployerOf(1)
    const { organization_id } = here
    const { waiting } = await api.database.transaction(every_organization, async (db) => {
      await lockClock(db, organization_id)
      const sent = here.elect()
      await expect.poll(() => countWaiting(api)).toBe(1)
      return { waiting: sent }
    })
    expect((await waiting).status).toBe(200)
    const { creating } = await whileAt(here, async () => {
      const sent = createEmployer(api)
      await expect.poll(() => countWaiting(api)).toBe(1)
      expect(await idle(organization_id)).toEqual([])
      return { creating: sent }
    })
    expect(await creating).toMatch(/^empr_/)
    expect(await idle(organization_id)).toEqual([organization_id])
  })

  it('passes nobody who waits for the organization', async () => {
    const [here, there] = [await anEmployerOf(0), await anEmployerOf(1)]
    const { creating, late } = await whileAt(here, async () => {
      const sent = createEmployer(api)
      await expect.poll(() => countWaiting(api)).toBe(1)
      const next = there.elect()
      await expect.poll(() => countWaiting(api)).toBe(2)
      return { creating: sent, late: next }
    })
    expect(await creating).toMatch(/^empr_/)
    expect((await late).status).toBe(200)
  })

  it('is a 503 where the organization is not had in time', async () => {
    const { organization_id, waive } = await anEmployerOf(1, impatient)
    await impatient.database.transaction(every_organization, async (db) => {
      await lockClock(db, organization_id)
      expect(codeOf(await waive())).toEqual([503, 'unavailable'])
    })
    expect((await waive()).status).toBe(200)
  })

  it('tells what happened behind those who ended before it, whenever it began', async () => {
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
  it('waits for nobody who writes there, where nobody differs', async () => {
    const here = await anEmployerOf(2)
    const before = await stored(api)
    await whileAt(here, () => recalculateEmployer(api.runtime, here))
    expect(await stored(api)).toBe(before)
  })

  it('settles those who differ, and waits for the lock with them', async () => {
    const here = await anEmployerOf(2)
    const [first_one, other] = here.enrollments
    await api.database.pool.query('update enrollments set coverage_start = coverage_start + 1 where id = $1', [other])
    const recalculated = await whileAt(here, async () => {
      const recalculating = recalculateEmployer(api.runtime, here)
      await expect.poll(() => countWaiting(api)).toBe(1)
      return { recalculating }
    })
    await recalculated.recalculating
    const starts = await Promise.all([first_one, other].map((id) => api.get(`/v1/enrollments/${id!}`)))
    expect(new Set(starts.map(({ body }) => body.data.coverage_start)).size).toBe(1)
  })
})

describe('writes at several employers of one organization at once', () => {
  it('come to what they come to one by one', async () => {
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
    const before = await stored(api)
    for (const employer of employers) await recalculateEmployer(api.runtime, employer)
    expect(await stored(api)).toBe(before)
  })

  it('number their events without a gap, for each resource as well, and count them', async () => {
    const employers = [await anEmployerOf(4), await anEmployerOf(4), await anEmployerOf(4)]
    await Promise.all(employers.flatMap(({ enrollments, elect }) => enrollments.map((id) => elect(id))))
    const { rows } = await api.database.pool.query(
      `
      select count(*)::int as events, count(distinct position)::int as positions, max(position)::int as last,
             (select last_position::int from webhook_event_positions where organization_id = $1) as told,
             (select sum(event_count)::int from webhook_event_counts where organization_id = $1) as counted,
             (select count(*)::int from (select from webhook_events where organization_id = $1 group by resource_id
                                         having max(sequence) <> count(*)) as broken) as broken
        from webhook_events where organization_id = $1`,
      [api.story.organization_id],
    )
    const { events, ...of } = only(rows)
    expect(events).toBeGreaterThan(0)
    expect(of).toEqual({ positions: events, last: events, told: events, counted: events, broken: 0 })
  })
})

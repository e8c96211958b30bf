import { beforeEach, describe, expect, it } from 'vitest'
import { addDays, easternDay } from '../../platform/days.ts'
import { startWorker } from '../../platform/worker.ts'
import { crontab, tasks, turnDay } from '../../modules.ts'
import { createEmployee, createEmployer } from '../../test/cast.ts'
import { urlOf, useApi } from '../../test/harness.ts'
import { establishOrganization } from './actions.ts'
import { saveTurn } from './queries.ts'

const api = useApi()

/** What was turned, in order: `[organization_id, day]`. */
let turned: [string, string][]
/** The organization whose turn fails, if any. */
let failing: string | undefined

beforeEach(async () => {
  turned = []
  failing = undefined
  api.world.turnDay = async (ctx, organization_id) => {
    await turnDay(ctx, organization_id)
    if (organization_id === failing) throw new Error('this turn fails')
    turned.push([organization_id, ctx.today])
  }
  await turnedOn(easternDay(api.world.clock()))
})

/** Has all organizations turned up to a day; null: never. */
const turnedOn = (day: string | null) => api.database.reads.rows('update organizations set turned_on = $1', [day])

const organizations = () => [
  api.story.organization_id,
  api.story.rival_organization_id,
  api.story.super_organization_id,
]

const daysOf = (organization_id: string) => turned.filter(([id]) => id === organization_id).map(([, day]) => day)

/** The three days after the one on which these tests begin, on the last of which the clock stands. */
function threeDaysLater(): string[] {
  const before = easternDay(api.world.clock())
  const days = [1, 2, 3].map((count) => addDays(before, count))
  api.moveTo(days[2]!)
  return days
}

describe('the turn of the day', () => {
  it('comes to every organization once per day, in order, however often it is called', async () => {
    const days = threeDaysLater()
    await api.turnDays()
    await api.turnDays()
    expect(turned).toEqual(
      organizations()
        .toSorted()
        .flatMap((id) => days.map((day) => [id, day])),
    )
  })

  it('comes once though ten turn at once', async () => {
    const days = threeDaysLater()
    await Promise.all(Array.from({ length: 10 }, () => api.turnDays()))
    expect(turned).toHaveLength(9)
    for (const id of organizations()) expect(daysOf(id)).toEqual(days)
  })

  it('catches up over the change of the clocks, each day once', async () => {
    api.moveTo('2026-10-30')
    await turnedOn('2026-10-29')
    api.moveTo('2026-11-03')
    await api.turnDays()
    expect(daysOf(api.story.organization_id)).toEqual([
      '2026-10-30',
      '2026-10-31',
      '2026-11-01',
      '2026-11-02',
      '2026-11-03',
    ])
    api.moveTo('2026-03-10')
  })

  it('begins with today where no day was ever turned', async () => {
    await turnedOn(null)
    await api.turnDays()
    expect(turned).toEqual(
      organizations()
        .toSorted()
        .map((id) => [id, easternDay(api.world.clock())]),
    )
  })

  it('has nothing to bring an organization on the day it is made', async () => {
    const made = await api.act((ctx) =>
      establishOrganization(ctx, {
        name: 'Young Benefits',
        type: null,
        super_in: false,
        sandbox: true,
        admin_user_id: null,
      }),
    )
    await api.turnDays()
    expect(turned).toEqual([])
    const [day] = threeDaysLater()
    await api.turnDays()
    expect(daysOf(JSON.parse(made!).id)[0]).toBe(day)
  })

  it('comes to the others though it fails for one, says so, and comes to that one later', async () => {
    const days = threeDaysLater()
    failing = organizations().toSorted()[1]!
    await expect(api.turnDays()).rejects.toThrow('some organizations: 1.')
    expect(daysOf(failing)).toEqual([])
    for (const id of organizations()) if (id !== failing) expect(daysOf(id)).toEqual(days)
    const mended = failing
    failing = undefined
    turned = []
    await api.turnDays()
    expect([turned.length, daysOf(mended)]).toEqual([3, days])
  })

  it('leaves one run waiting though hours go by in which it fails', async () => {
    threeDaysLater()
    failing = api.story.organization_id
    // As if a worker came back after three hours: it makes up for each of them.
    await api.database.pool.query(
      `insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution)
       values ('turn_days', now() - interval '1 day', now() - interval '3 hours')`,
    )
    const worker = await startWorker(api.world, await urlOf(api), {
      tasks,
      crontab: crontab.replace('?', '?fill=1d&'),
      concurrency: 1,
    })
    const waiting = async () =>
      (
        await api.database.pool.query(
          `select key, last_error is not null as failed from graphile_worker.jobs
            where task_identifier = 'turn_days' and attempts < max_attempts`,
        )
      ).rows
    await expect.poll(waiting).toContainEqual({ key: 'turn_days', failed: true })
    await worker.stop()
    expect(await waiting()).toHaveLength(1)
  })

  it('leaves nothing behind of a day that failed, and announces once', async () => {
    const { id } = await createEmployee(api, await createEmployer(api))
    const last_day = easternDay(api.world.clock())
    await api.post(`/v1/employees/${id}/terminate`, { termination_date: last_day })
    threeDaysLater()
    failing = api.story.organization_id
    await expect(api.turnDays()).rejects.toThrow('could not be turned')
    expect(await api.events(id)).not.toContain('employee.deactivated')
    failing = undefined
    await api.turnDays()
    await turnedOn(last_day)
    await api.turnDays()
    expect((await api.events(id)).filter((name) => name === 'employee.deactivated')).toHaveLength(1)
  })

  it('does not come again for days that were turned when the machine’s clock is set back', async () => {
    const today = easternDay(api.world.clock())
    await api.act((ctx) => saveTurn(ctx, api.story.organization_id, addDays(today, 2), 0))
    threeDaysLater()
    await api.turnDays()
    expect(daysOf(api.story.organization_id)).toEqual([addDays(today, 3)])
  })
})

import { addDays, type Day } from '../../kernel/days.ts'
import type { Ctx } from '../../runtime/ctx.ts'

/**
 * A second model of grant windows, without code of the engine: it predicts each snapshot of all enrollments from the
 * snapshot before.
 */
type Seen = { id: string; pending: boolean; inactive_on: Day | null; coverage_start: Day; window_ends_on: Day }

const isActive = ({ inactive_on }: Seen, today: Day) => inactive_on === null || today < inactive_on

/**
 * The last day of the window of an enrollment that the previous snapshot contains. A pending enrollment that became
 * active or pending again, or that now begins on another day, has at least 30 days from today. Nothing else moves a
 * window, and nothing shortens it.
 */
function windowEnd(was: Seen, now: Seen, today: Day): Day {
  const has_time = now.pending && isActive(now, today)
  const is_back = !isActive(was, today) || !was.pending
  if (!has_time || !(is_back || was.coverage_start !== now.coverage_start)) return was.window_ends_on
  const in_30_days = addDays(today, 30)
  return was.window_ends_on > in_30_days ? was.window_ends_on : in_30_days
}

export class WindowModel {
  readonly #seen = new Map<string, Seen>()
  /** The enrollments whose windows differ from the model, with both snapshots. */
  readonly wrong: unknown[] = []
  /** How many windows opened again. */
  reopened = 0

  /** Compares every enrollment with the snapshot before. Call it at least at the first and last moment of a day. */
  async check(ctx: Ctx): Promise<void> {
    const rows = await ctx.db.rows<Seen>(
      `select id, answer is null as pending, inactive_on, coverage_start, window_ends_on from enrollments`,
    )
    for (const now of rows) {
      const was = this.#seen.get(now.id)
      this.#seen.set(now.id, now)
      if (!was) continue
      const expected = windowEnd(was, now, ctx.today)
      if (expected !== was.window_ends_on) this.reopened++
      if (now.window_ends_on !== expected) this.wrong.push({ was, now, expected, today: ctx.today })
    }
  }
}

import { z } from 'zod'
import { hearNotices } from '../../platform/database/notifications.ts'
import { task } from '../../platform/jobs/worker.ts'
import type { Runtime } from '../../platform/runtime.ts'
import { endDeliveries, giveUp, openDispatcher, replayStep } from './actions.ts'
import { ReplayStep, DisableRequest } from './schemas.ts'

export const tasks = {
  replay_webhook_events: task(ReplayStep, replayStep),
  give_up_webhook_subscription: task(DisableRequest, giveUp),
  end_webhook_deliveries: task(
    z.object({ organization_id: z.string(), subscription_id: z.string() }),
    (runtime, { organization_id, subscription_id }) => endDeliveries(runtime, organization_id, subscription_id),
  ),
}

/** How often what became due by time alone is looked for, in milliseconds: the first retry is after 5 seconds. */
const look_every_ms = 500

/**
 * Delivers for as long as the worker lives, beside its jobs: woken by a notice when events are committed, and by time for
 * retries. Not a job itself, since attempts of many receivers are under way at once and none may wait for another.
 */
export function attend(runtime: Runtime, url: string): { stop(): Promise<void> } {
  const deliverer = openDispatcher(runtime)
  const notices = hearNotices(url, 'webhook_outbox', deliverer.wake)
  const looking = setInterval(deliverer.wake, look_every_ms)
  return {
    async stop() {
      clearInterval(looking)
      await Promise.all([notices.stop(), deliverer.stop()])
    },
  }
}

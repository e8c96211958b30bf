import { z } from 'zod'
import { task } from '../../../jobs/worker.ts'
import { endDeliveries, giveUp, replayStep } from './actions.ts'
import { ReplayStep, DisableRequest } from './schemas.ts'

export const tasks = {
  replay_webhook_events: task(ReplayStep, replayStep),
  give_up_webhook_subscription: task(DisableRequest, giveUp),
  end_webhook_deliveries: task(
    z.object({ organization_id: z.string(), subscription_id: z.string() }),
    (runtime, { organization_id, subscription_id }) => endDeliveries(runtime, organization_id, subscription_id),
  ),
}

import { z } from 'zod'
import { task } from '../../../jobs/worker.ts'
import { followSoon } from './actions.ts'

export const tasks = {
  follow_dependents: task(z.object({ organization_id: z.string(), dependent_ids: z.array(z.string()) }), followSoon),
}

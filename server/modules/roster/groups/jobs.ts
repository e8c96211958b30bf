import { z } from 'zod'
import { task } from '../../../jobs/worker.ts'
import { syncGroupMembers } from './actions.ts'

export const tasks = {
  sync_group_members: task(z.object({ organization_id: z.string(), group_id: z.string() }), syncGroupMembers),
}

import { z } from 'zod'
import { task } from '../../../jobs/worker.ts'
import { processCensus } from './actions.ts'

export const tasks = {
  process_census: task(z.object({ organization_id: z.string(), employer_id: z.string() }), processCensus),
}

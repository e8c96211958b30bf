import { z } from 'zod'
import { task } from '../../../jobs/worker.ts'
import { collectFiles, settleRuns, syncConnection } from './actions.ts'

export const tasks = {
  sync_hris: task(z.object({ organization_id: z.string(), connection_id: z.string() }), syncConnection),
  settle_hris: task(z.object({ organization_id: z.string(), employer_id: z.string() }), settleRuns),
  collect_hris_files: task(z.unknown(), collectFiles),
}

import { z } from 'zod'
import { task } from '../../../jobs/worker.ts'
import { announceOpenEnrollment, recalculateEmployer } from './actions.ts'

export const tasks = {
  recalculate_employer: task(z.object({ organization_id: z.string(), employer_id: z.string() }), recalculateEmployer),
  announce_open_enrollment: task(
    z.object({ organization_id: z.string(), plan_year_id: z.string() }),
    announceOpenEnrollment,
  ),
}

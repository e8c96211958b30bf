import { task } from '../../platform/jobs/worker.ts'
import { RenewalJob, renewPlanYear } from './actions.ts'

export const tasks = { renew_plan_year: task(RenewalJob, renewPlanYear) }

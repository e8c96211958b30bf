import { task } from '../../../jobs/worker.ts'
import { ReturnsJob, resumeSoon } from './actions.ts'

export const tasks = { resume_elections: task(ReturnsJob, resumeSoon) }

import { task } from '../../../jobs/worker.ts'
import { AmendmentJob, followAmendment } from './actions.ts'

export const tasks = { follow_amendment: task(AmendmentJob, followAmendment) }

import { declareRefusals } from '../../../kernel/refusal.ts'

export const refusals = declareRefusals({
  job_is_running: [409, 'The job runs already.', 'Wait for it: when it fails it is tried again, or can be run again.'],
})

import { declareRefusals } from '../../../kernel/refusal.ts'

export const refusals = declareRefusals({
  job_is_running: [409, 'The job is already running.', 'Wait for it. If it fails, it is retried or can be run again.'],
})

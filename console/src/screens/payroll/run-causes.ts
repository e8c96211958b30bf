import type { HrisRun } from 'openbenefits/operator'

/** Labels for the causes of a sync run. */
export const run_causes: Record<HrisRun['cause'], string> = {
  schedule: 'Nightly sync',
  operator: 'Operator',
  upload: 'File upload',
  drop: 'File drop',
}

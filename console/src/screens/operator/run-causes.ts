import type { HrisRun } from 'openbenefits/operator'

/** What started a run of a payroll system. */
export const run_causes: Record<HrisRun['cause'], string> = {
  schedule: 'Nightly sync',
  operator: 'Operator',
  upload: 'File upload',
  drop: 'File drop',
}

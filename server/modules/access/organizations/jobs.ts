import { z } from 'zod'
import { task } from '../../../jobs/worker.ts'
import { mirrorOrganization, runOrganizationDay } from './actions.ts'

const Named = z.object({ organization_id: z.string() })

export const tasks = {
  mirror_organization: task(Named, (runtime, { organization_id }) => mirrorOrganization(runtime, organization_id)),
  run_day: task(Named, (runtime, { organization_id }) => runOrganizationDay(runtime, organization_id)),
}

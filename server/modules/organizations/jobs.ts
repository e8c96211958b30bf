import { z } from 'zod'
import { task } from '../../platform/jobs/worker.ts'
import { mirrorOrganization, turnOrganization } from './actions.ts'

const Named = z.object({ organization_id: z.string() })

export const tasks = {
  mirror_organization: task(Named, (world, { organization_id }) => mirrorOrganization(world, organization_id)),
  turn_organization: task(Named, (world, { organization_id }) => turnOrganization(world, organization_id)),
}

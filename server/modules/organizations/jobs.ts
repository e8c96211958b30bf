import { z } from 'zod'
import { task } from '../../platform/worker.ts'
import { mirrorOrganization } from './actions.ts'

export const tasks = {
  mirror_organization: task(z.object({ organization_id: z.string() }), (world, { organization_id }) =>
    mirrorOrganization(world, organization_id),
  ),
}

import { z } from 'zod'
import { task } from '../../platform/jobs/worker.ts'
import { generateStatements } from './actions.ts'

export const tasks = {
  generate_statements: task(
    z.object({ organization_id: z.string(), employer_id: z.string() }),
    (runtime, { organization_id, employer_id }) => generateStatements(runtime, { organization_id, employer_id }),
  ),
}

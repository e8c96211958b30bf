import { onEmployers } from '../../../platform/jobs/together.ts'
import { generateStatements } from './actions.ts'

export const tasks = {
  generate_statements: onEmployers(generateStatements),
}

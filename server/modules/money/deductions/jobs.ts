import { onEmployers } from '../../../jobs/batches.ts'
import { generateStatements } from './actions.ts'

export const tasks = {
  generate_statements: onEmployers(generateStatements),
}

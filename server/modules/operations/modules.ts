import type { Module } from '../../runtime/module.ts'
import * as jobs from './jobs/routes.ts'
import * as overview from './overview/routes.ts'
import * as operator from './operator/routes.ts'

/** The modules of the district in order: each imports only from those above, and from districts below. */
export const operations_modules: Module[] = [
  { name: 'jobs', tables: [], endpoints: jobs.endpoints },
  { name: 'overview', tables: [], endpoints: overview.endpoints },
  { name: 'operator', tables: [], endpoints: operator.endpoints },
]

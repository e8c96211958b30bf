import type { Module } from '../../runtime/module.ts'
import * as employees from './employees/routes.ts'
import * as members from './members/routes.ts'
import * as employeeCorrections from './employee-corrections/routes.ts'
import * as census from './census/routes.ts'
import * as hris from './hris/routes.ts'
import * as groups from './groups/routes.ts'
import { payroll } from '../../integrations/payroll/providers.ts'
import { deactivateEmployees } from './employees/actions.ts'
import { hasLeaversToPublish } from './employees/queries.ts'
import { requestDueSyncs, tasks as hris_tasks } from './hris/actions.ts'
import { hasSyncsDue } from './hris/run-queries.ts'
import { tasks as census_tasks } from './census/actions.ts'
import { tasks as groups_tasks } from './groups/actions.ts'

/** The modules of the district in order: each imports only from those above, and from districts below. */
export const roster_modules: Module[] = [
  {
    name: 'employees',
    tables: [
      'employees',
      'employee_classifications',
      'employee_compensations',
      'employee_bargaining_units',
      'roster_terminations',
    ],
    endpoints: employees.endpoints,
    runDay: [deactivateEmployees],
    hasDailyRun: hasLeaversToPublish,
  },
  { name: 'members', tables: [], endpoints: members.endpoints },
  { name: 'employee-corrections', tables: ['employee_corrections'], endpoints: employeeCorrections.endpoints },
  {
    name: 'census',
    tables: ['census_syncs', 'census_chunks', 'census_failures', 'census_warnings', 'census_changes', 'census_seen'],
    endpoints: census.endpoints,
    tasks: census_tasks,
  },
  {
    name: 'hris',
    integrations: [payroll],
    // Every minute: import new files from the payroll folder.
    schedule: ['* * * * * collect_hris_files ?jobKey=collect_hris_files'],
    tables: ['hris_connections', 'hris_runs', 'hris_run_hours'],
    endpoints: hris.endpoints,
    tasks: hris_tasks,
    runDay: [requestDueSyncs],
    hasDailyRun: hasSyncsDue,
  },
  {
    name: 'groups',
    tables: ['groups', 'group_members', 'group_member_syncs', 'group_member_chunks', 'group_member_failures'],
    endpoints: groups.endpoints,
    tasks: groups_tasks,
  },
]

import { z } from 'zod'
import type { Endpoint } from './platform/endpoint.ts'
import { task, type Task } from './platform/worker.ts'
import { turnDays as turn, type Turn } from './platform/turn.ts'
import type { World } from './platform/world.ts'
import { requestMissingMirrors } from './modules/organizations/actions.ts'
import * as organizationsJobs from './modules/organizations/jobs.ts'
import * as organizations from './modules/organizations/routes.ts'
import * as auth from './modules/auth/routes.ts'
import { noteSubscriptionsBeginning } from './modules/employers/queries.ts'
import * as employers from './modules/employers/routes.ts'
import * as eligibility from './modules/eligibility/routes.ts'
import { deactivateEmployees } from './modules/employees/actions.ts'
import * as employees from './modules/employees/routes.ts'
import * as censusJobs from './modules/census/jobs.ts'
import * as census from './modules/census/routes.ts'
import * as operator from './modules/operator/routes.ts'

/** A noun of the service. */
export type Module = {
  name: string
  /** the tables that only this module writes */
  tables: string[]
  endpoints: Endpoint[]
  /** what happens later, by the name of the job */
  tasks?: Record<string, Task>
  /** what the turn of the Eastern day brings, once per day and in order, in one transaction */
  turnDay?: Turn
}

/**
 * THE LIST: every module in order. A module imports only from those above it. Deleting a module's folder and
 * its line here deletes the feature, and the compiler names everyone who leaned on it.
 */
export const modules: Module[] = [
  {
    name: 'organizations',
    tables: ['organizations', 'users', 'memberships'],
    endpoints: organizations.endpoints,
    tasks: organizationsJobs.tasks,
    turnDay: requestMissingMirrors,
  },
  { name: 'auth', tables: ['api_keys'], endpoints: auth.endpoints },
  {
    name: 'employers',
    tables: ['employers', 'employer_admins', 'employer_subscriptions'],
    endpoints: employers.endpoints,
    turnDay: noteSubscriptionsBeginning,
  },
  { name: 'eligibility', tables: ['benefit_eligibility_policies'], endpoints: eligibility.endpoints },
  { name: 'people', tables: ['members'], endpoints: [] },
  {
    name: 'employees',
    tables: ['employees', 'employee_classifications', 'employee_compensations'],
    endpoints: employees.endpoints,
    turnDay: deactivateEmployees,
  },
  {
    name: 'census',
    tables: ['census_syncs', 'census_chunks', 'census_failures', 'census_seen'],
    endpoints: census.endpoints,
    tasks: censusJobs.tasks,
  },
  { name: 'operator', tables: [], endpoints: operator.endpoints },
]

/** Tables of platform/, which belong to no module. */
export const platform_tables = [
  'webhook_events',
  'audit_entries',
  'idempotency_keys',
  'rate_limits',
  'turned_days',
  'migrations',
]

export const endpoints = modules.flatMap((module) => module.endpoints)

/** Turns the Eastern days that have come, module by module in the order of the list. */
export const turnDays = (world: World): Promise<void> =>
  turn(
    world,
    modules.flatMap((module) => module.turnDay ?? []),
  )

export const tasks: Record<string, Task> = Object.assign(
  { turn_days: task(z.unknown(), turnDays) },
  ...modules.map((module) => module.tasks ?? {}),
)

/** The hourly look at the calendar; a worker that starts does it too. */
export const crontab = '1 * * * * turn_days'

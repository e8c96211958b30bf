import { task } from '../../../jobs/worker.ts'
import { EmployeesJob, RenewalJob, renewEmployees, renewPlanYear } from './actions.ts'

export const tasks = {
  renew_plan_year: task(RenewalJob, renewPlanYear),
  renew_employees: task(EmployeesJob, renewEmployees),
}

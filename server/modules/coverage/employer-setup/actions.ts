import { invalid, refuse } from '../../../kernel/refusal.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import type { EmployerKey } from '../../access/auth/queries.ts'
import { closeTasksOf, openTasks } from '../../directory/tasks/actions.ts'
import { deletePlanYearRequest, isCancelledEmployer, listUnknownPlans, savePlanYearRequest } from './queries.ts'
import { requestFaults, refusals } from './rules.ts'
import type { NewPlanYearRequest } from './schemas.ts'

const kind = 'plan_year_requested'

/** Opens a task for the operator that requests a plan year. A later request of the employer replaces it. */
export async function requestPlanYear(ctx: Ctx, employer: EmployerKey, request: NewPlanYearRequest): Promise<void> {
  const { organization_id, employer_id } = employer
  const { plan_ids = [], coverage_start, open_enrollment_start, open_enrollment_end } = request
  const is_cancelled = await isCancelledEmployer(ctx, { organization_id, employer_id })
  refuse(is_cancelled ? refusals.employer_is_cancelled : undefined)
  const unknown = await listUnknownPlans(ctx, { organization_id, plan_ids })
  const unknown_plans = plan_ids.flatMap((id, index) =>
    unknown.includes(id) ? { field: `plan_ids[${index}]`, message: 'is not a plan of the organization' } : [],
  )
  const faults = [...requestFaults(request, ctx.today), ...unknown_plans]
  if (faults.length > 0) throw invalid(...faults)
  await savePlanYearRequest(ctx, employer, request)
  const details = {
    coverage_start,
    open_enrollment_start: open_enrollment_start ?? null,
    open_enrollment_end: open_enrollment_end ?? null,
    plan_count: plan_ids.length,
  }
  await openTasks(ctx, [{ kind, organization_id, employer_id, resource_id: employer_id, details }])
}

/** Ends the request of an employer, because it was withdrawn or a plan year was opened. */
export async function endPlanYearRequest(ctx: Ctx, employer: EmployerKey): Promise<void> {
  const { organization_id, employer_id } = employer
  if (await deletePlanYearRequest(ctx, employer)) await closeTasksOf(ctx, { organization_id, employer_id, kind })
}

import { inReach } from '../../../database/sql/reach.ts'
import { read, statement } from '../../../database/sql/statement.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import { isCancelled } from '../../directory/employers/book-row-queries.ts'
import type { EmployerKey } from '../../access/auth/queries.ts'
import type { NewPlanYearRequest } from './schemas.ts'

export const findEmployerSetup = read(
  'employer-setup.findEmployerSetup',
  `select (select row_to_json(shown) from (
     select employer.id as employer_id, counted.done_count, counted.step_count,
            is_subscribed(employer.id, employer.organization_id, :today::date) as is_subscribed, counted.steps,
            (select row_to_json(request) from (
               select kept.coverage_start, kept.coverage_end, kept.open_enrollment_start, kept.open_enrollment_end,
                      (select coalesce(json_agg(json_build_object(
                                'id', plan.id, 'name', plan.name, 'benefit_id', benefit.id,
                                'benefit_name', benefit.name) order by benefit.name, plan.name, plan.id), '[]')
                         from plans as plan
                         join benefit_products as benefit
                           on benefit.id = plan.benefit_id and benefit.organization_id = employer.organization_id
                        where plan.id = any(kept.plan_ids) and plan.organization_id = employer.organization_id)
                        as plans,
                      kept.message, iso(kept.requested_at) as requested_at
                 from plan_year_requests as kept
                where kept.employer_id = employer.id and kept.organization_id = employer.organization_id) as request)
              as plan_year_request) as shown)::text as json
     from employers as employer
    cross join lateral (
      select count(*) filter (where step.status = 'done') as done_count, count(*) as step_count,
             json_agg(json_build_object('step', step.step, 'status', step.status, 'actor', step.actor,
                                        'starts_on', step.starts_on) order by step.ordinal) as steps
        from employer_setup(employer.id, employer.organization_id, :today::date) as step) as counted
    where employer.id = :employer_id and ${inReach('employer.organization_id', 'employer.id')}`,
).json

/** Finds the given plans that do not belong to the organization. */
export const listUnknownPlans = statement(
  'employer-setup.listUnknownPlans',
  `select input.plan_id from unnest(:plan_ids::text[]) as input (plan_id)
    where not exists (select from plans as plan
                       where plan.id = input.plan_id and plan.organization_id = :organization_id)`,
).column

/** Whether the subscription of an employer has ended. */
export const isCancelledEmployer = statement(
  'employer-setup.isCancelledEmployer',
  `select from employers as employer
    where employer.id = :employer_id and employer.organization_id = :organization_id and ${isCancelled}`,
).exists

const saved = statement(
  'employer-setup.savePlanYearRequest',
  `insert into plan_year_requests
     (organization_id, employer_id, coverage_start, coverage_end, open_enrollment_start, open_enrollment_end, plan_ids,
      message, requested_at)
   values (:organization_id, :employer_id, :coverage_start, :coverage_end, :open_enrollment_start,
           :open_enrollment_end, :plan_ids::text[], :message, :now)
   on conflict (employer_id, organization_id) do update
     set coverage_start = excluded.coverage_start, coverage_end = excluded.coverage_end,
         open_enrollment_start = excluded.open_enrollment_start, open_enrollment_end = excluded.open_enrollment_end,
         plan_ids = excluded.plan_ids, message = excluded.message, requested_at = excluded.requested_at`,
)

/** Saves the request of an employer for a plan year, which replaces an earlier one. */
export const savePlanYearRequest = (ctx: Ctx, employer: EmployerKey, request: NewPlanYearRequest) =>
  saved.rows(ctx, {
    organization_id: employer.organization_id,
    employer_id: employer.employer_id,
    coverage_start: request.coverage_start,
    coverage_end: request.coverage_end ?? null,
    open_enrollment_start: request.open_enrollment_start ?? null,
    open_enrollment_end: request.open_enrollment_end ?? null,
    plan_ids: request.plan_ids ?? [],
    message: request.message ?? null,
  })

/** Deletes the request of an employer for a plan year. Returns whether there was one. */
export const deletePlanYearRequest = statement(
  'employer-setup.deletePlanYearRequest',
  `delete from plan_year_requests where employer_id = :employer_id and organization_id = :organization_id
   returning employer_id`,
).exists

import { dataOf, endpoint, partner } from '../../../http/endpoint.ts'
import { enrolling } from '../../../runtime/permissions.ts'
import { locatePlanYear } from '../plan-years/queries.ts'
import { listPlanYearEnrollments, summarizePlanYearEnrollments } from './queries.ts'
import { PlanYearEnrollmentFilter, PlanYearEnrollmentPage, PlanYearEnrollmentSummary } from './schemas.ts'

const of_plan_year = {
  tag: 'Plan years',
  method: 'GET',
  allows: [...partner, 'employer_token'],
  roles: enrolling,
  scopes: ['read', 'people'],
  organization: 'header',
  locate: locatePlanYear,
} as const

export const endpoints = [
  endpoint({
    ...of_plan_year,
    operation: 'employers_list_benefit_plan_year_enrollments',
    sdk: 'planYears.listEnrollments',
    path: '/v1/employers/{employer_id}/benefit-plan-years/{benefit_plan_year_id}/enrollments',
    summary: 'List the enrollments of a plan year',
    description: 'Lists one row for each enrollment, decided or not. The default order is newest first.',
    query: PlanYearEnrollmentFilter,
    returns: { 200: PlanYearEnrollmentPage },
    handle: (ctx, { params, query }) => listPlanYearEnrollments(ctx, params, query),
  }),
  endpoint({
    ...of_plan_year,
    operation: 'employers_summarize_benefit_plan_year_enrollments',
    organization: 'path',
    sdk: 'planYears.summarizeEnrollments',
    path: '/v1/employers/{employer_id}/benefit-plan-years/{benefit_plan_year_id}/enrollments/summary',
    summary: 'Count the enrollments of a plan year',
    returns: { 200: dataOf(PlanYearEnrollmentSummary) },
    handle: (ctx, { params }) => summarizePlanYearEnrollments(ctx, params),
  }),
]

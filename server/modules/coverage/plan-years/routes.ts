import { data, dataOf, endpoint, partner, roles_to } from '../../../http/endpoint.ts'
import { enrolling, everyone } from '../../../runtime/permissions.ts'
import { z } from 'zod'
import { locateEmployer } from '../../access/auth/queries.ts'
import { listPlanYearEnrollments, summarizePlanYearEnrollments } from './enrollment-queries.ts'
import { findPlanYear, listPlanYears, listWholePlanYears, locatePlanYear } from './queries.ts'
import { PlanYearEnrollmentFilter, PlanYearEnrollmentPage, PlanYearEnrollmentSummary } from './enrollment-schemas.ts'
import { BenefitPlanYear, BenefitPlanYearRow, PlanYearFilter } from './schemas.ts'

/** What a partner and an employer's own token may read. */
const read = {
  tag: 'Plan years',
  method: 'GET',
  allows: [...partner, 'employer_token'],
  organization: 'header',
} as const
const ofEmployer = { params: { employer_id: 'empr' }, locate: locateEmployer } as const
const ofPlanYear = {
  params: { employer_id: 'empr', benefit_plan_year_id: 'plyr' },
  locate: locatePlanYear,
} as const

const operated = { tag: 'Plan years', allows: ['operator'], organization: 'none' } as const

export const endpoints = [
  endpoint({
    ...read,
    ...ofEmployer,
    operation: 'employers_list_benefit_plan_years',
    sdk: 'planYears.list',
    roles: everyone,
    scopes: ['read'],
    path: '/v1/employers/{employer_id}/benefit-plan-years',
    summary: 'List the plan years of an employer',
    description: 'Newest first, without pages. Fields that speak of one benefit speak of the leading one.',
    query: PlanYearFilter,
    returns: { 200: dataOf(z.array(BenefitPlanYearRow)) },
    handle: (ctx, { params, query }) => listPlanYears(ctx, params.employer_id, query.year),
  }),
  endpoint({
    ...read,
    ...ofPlanYear,
    operation: 'employers_get_benefit_plan_year',
    sdk: 'planYears.get',
    roles: everyone,
    scopes: ['read'],
    path: '/v1/employers/{employer_id}/benefit-plan-years/{benefit_plan_year_id}',
    summary: 'Get a plan year',
    description: 'With the enrollment rate of each benefit, what the employer contributes, and who is eligible.',
    returns: { 200: dataOf(BenefitPlanYear) },
    handle: async (ctx, { params }) => data(await findPlanYear(ctx, params.benefit_plan_year_id, params.employer_id)),
  }),
  endpoint({
    ...read,
    ...ofPlanYear,
    operation: 'employers_list_benefit_plan_year_enrollments',
    sdk: 'planYears.listEnrollments',
    roles: enrolling,
    scopes: ['read', 'people'],
    path: '/v1/employers/{employer_id}/benefit-plan-years/{benefit_plan_year_id}/enrollments',
    summary: 'List the enrollments of a plan year',
    description: 'One row for each enrollment, whatever was answered, newest first unless `sort` says otherwise.',
    query: PlanYearEnrollmentFilter,
    returns: { 200: PlanYearEnrollmentPage },
    handle: (ctx, { params, query }) => listPlanYearEnrollments(ctx, params, query),
  }),
  endpoint({
    ...read,
    ...ofPlanYear,
    operation: 'employers_summarize_benefit_plan_year_enrollments',
    organization: 'path',
    sdk: 'planYears.summarizeEnrollments',
    roles: enrolling,
    scopes: ['read', 'people'],
    path: '/v1/employers/{employer_id}/benefit-plan-years/{benefit_plan_year_id}/enrollments/summary',
    summary: 'Count the enrollments of a plan year',
    returns: { 200: dataOf(PlanYearEnrollmentSummary) },
    handle: (ctx, { params }) => summarizePlanYearEnrollments(ctx, params),
  }),
  endpoint({
    ...operated,
    ...ofEmployer,
    operation: 'operator_list_benefit_plan_years',
    sdk: 'planYears.list',
    roles: roles_to.read,
    method: 'GET',
    path: '/operator/v1/employers/{employer_id}/benefit-plan-years',
    summary: 'List the plan years of an employer',
    description: 'Each in full, newest first.',
    returns: { 200: dataOf(z.array(BenefitPlanYear)) },
    handle: (ctx, { params }) => listWholePlanYears(ctx, params.employer_id),
  }),
]

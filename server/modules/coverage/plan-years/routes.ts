import { data, dataOf, endpoint, partner, for_operators } from '../../../http/endpoint.ts'
import { everyone } from '../../../runtime/permissions.ts'
import { z } from 'zod'
import { locateEmployer } from '../../access/auth/queries.ts'
import { findPlanYear, listPlanYears, listWholePlanYears, locatePlanYear } from './queries.ts'
import { BenefitPlanYear, BenefitPlanYearRow, PlanYearFilter } from './schemas.ts'

/** The common properties of endpoints that partners and employer tokens can call. */
const read = {
  tag: 'Plan years',
  method: 'GET',
  allows: [...partner, 'employer_token'],
  organization: 'header',
} as const
const ofPlanYear = { locate: locatePlanYear } as const

export const endpoints = [
  endpoint({
    ...read,
    locate: locateEmployer,
    operation: 'employers_list_benefit_plan_years',
    sdk: 'planYears.list',
    roles: everyone,
    scopes: ['read'],
    path: '/v1/employers/{employer_id}/benefit-plan-years',
    summary: 'List the plan years of an employer',
    description:
      'Returns all plan years, newest first, without pagination. Singular fields, such as `carrier`, describe the ' +
      'first benefit.',
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
    description:
      'Returns the plan year with the enrollment rate of each benefit, the employer contributions and the ' +
      'eligibility policy.',
    returns: { 200: dataOf(BenefitPlanYear) },
    handle: async (ctx, { params }) => data(await findPlanYear(ctx, params.benefit_plan_year_id, params.employer_id)),
  }),
  endpoint({
    tag: 'Plan years',
    locate: locateEmployer,
    operation: 'operator_list_benefit_plan_years',
    sdk: 'planYears.list',
    ...for_operators.read,
    path: '/operator/v1/employers/{employer_id}/benefit-plan-years',
    summary: 'List the plan years of an employer',
    description: 'Returns all fields of each plan year, newest first.',
    returns: { 200: dataOf(z.array(BenefitPlanYear)) },
    handle: (ctx, { params }) => listWholePlanYears(ctx, params),
  }),
]

import { data, dataOf, endpoint, made, partner, roles_to } from '../../platform/endpoint.ts'
import { enrolling, everyone } from '../../platform/permissions.ts'
import { z } from 'zod'
import { locateEmployer } from '../auth/queries.ts'
import { changePlanYear, copyPlanYear, openPlanYear } from './actions.ts'
import { listPlanYearEnrollments } from './enrollment-queries.ts'
import { findPlanYear, listPlanYears, listWholePlanYears, locatePlanYear } from './queries.ts'
import { refusals } from './refusal-rules.ts'
import { PlanYearEnrollmentFilter, PlanYearEnrollmentPage } from './enrollment-schemas.ts'
import {
  BenefitPlanYear,
  BenefitPlanYearRow,
  NewPlanYear,
  PlanYearChanges,
  PlanYearCopy,
  PlanYearFilter,
} from './schemas.ts'

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
const ofPlanYearAlone = { params: { benefit_plan_year_id: 'plyr' }, locate: locatePlanYear } as const

const offerRefusals = [
  refusals.invalid_plan_year,
  refusals.unknown_benefit,
  refusals.unknown_plan,
  refusals.plan_has_no_rate,
  refusals.contribution_does_not_fit,
  refusals.contribution_missing,
  refusals.invalid_plan_successors,
  refusals.invalid_choice_groups,
]

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
    description: 'One row for each enrollment, whatever was answered, newest first.',
    query: PlanYearEnrollmentFilter,
    returns: { 200: PlanYearEnrollmentPage },
    handle: (ctx, { params, query }) => listPlanYearEnrollments(ctx, params, query),
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
  endpoint({
    ...operated,
    ...ofEmployer,
    operation: 'operator_open_benefit_plan_year',
    sdk: 'planYears.open',
    roles: roles_to.administer,
    method: 'POST',
    path: '/operator/v1/employers/{employer_id}/benefit-plan-years',
    summary: 'Open a plan year',
    description:
      'Offers benefits of the catalog at its prices on coverage_start; what the employer pays is said per benefit. May ' +
      'have begun already. Who is granted what follows within seconds.',
    body: NewPlanYear,
    returns: { 201: dataOf(BenefitPlanYear) },
    refuses: [refusals.plan_year_overlaps, ...offerRefusals],
    example: {
      coverage_start: '2099-01-01',
      open_enrollment_start: '2098-11-01',
      open_enrollment_end: '2098-11-30',
      benefits: [
        {
          benefit_id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v7xz',
          contribution_tiers: [
            { coverage_tier: 'EE', method: 'percentage', percentage: 62.5 },
            { coverage_tier: null, method: 'fixed', amount_in_cents: 25000 },
          ],
        },
      ],
    },
    handle: async (ctx, { located, body }) =>
      made(await openPlanYear(ctx, located, body), (id) => findPlanYear(ctx, id)),
  }),
  endpoint({
    ...operated,
    ...ofPlanYearAlone,
    operation: 'operator_change_benefit_plan_year',
    sdk: 'planYears.update',
    roles: roles_to.administer,
    method: 'PATCH',
    path: '/operator/v1/benefit-plan-years/{benefit_plan_year_id}',
    summary: 'Change a plan year before it starts',
    description:
      'Benefits are replaced as a whole, and all prices taken from the catalog again. Once somebody has elected, coverage ' +
      'dates and what is offered already stay as they are, with its prices; benefits may be added. `renewal` and ' +
      '`plan_successors`, sent alone, may change later, too: who can be carried by them is carried then.',
    body: PlanYearChanges,
    returns: { 200: dataOf(BenefitPlanYear) },
    refuses: [
      refusals.plan_year_has_started,
      refusals.plan_year_is_amended,
      refusals.plan_year_has_elections,
      refusals.plan_year_overlaps,
      ...offerRefusals,
    ],
    example: { offered_states: ['NY', 'NJ'] },
    handle: async (ctx, { located, body }) => {
      await changePlanYear(ctx, located, body)
      return data(await findPlanYear(ctx, located.benefit_plan_year_id))
    },
  }),
  endpoint({
    ...operated,
    ...ofPlanYearAlone,
    operation: 'operator_copy_benefit_plan_year',
    sdk: 'planYears.copy',
    roles: roles_to.administer,
    method: 'POST',
    path: '/operator/v1/benefit-plan-years/{benefit_plan_year_id}/copy',
    summary: 'Open the next plan year like another',
    description:
      'The same benefits, plans, contributions and states, at the prices of the catalog on the new coverage_start. It is ' +
      'renewed passively unless said: whoever does not answer keeps what they had.',
    body: PlanYearCopy,
    returns: { 201: dataOf(BenefitPlanYear) },
    refuses: [refusals.plan_year_overlaps, ...offerRefusals],
    example: { coverage_start: '2098-01-01', open_enrollment_start: '2097-11-01', open_enrollment_end: '2097-11-30' },
    handle: async (ctx, { located, body }) =>
      made(await copyPlanYear(ctx, located, body), (id) => findPlanYear(ctx, id)),
  }),
]

import type { Ctx } from '../../../runtime/ctx.ts'
import { endpoint, for_operators, type Reply } from '../../../http/endpoint.ts'
import { locateEmployer } from '../../access/auth/queries.ts'
import { changePlanYear, copyPlanYear, openPlanYear } from '../plan-years/actions.ts'
import { findPlanYear, locatePlanYear, type PlanYearKey } from '../plan-years/queries.ts'
import { refusals } from '../plan-years/offer-rules.ts'
import { previewPlanYear } from './actions.ts'
import { OpenedPlanYear, PlanYearChange, PlanYearOpening, PlanYearRepetition, type PreviewPaging } from './schemas.ts'

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

const on_a_dry_run =
  ' With `dry_run`, nothing changes, and the 200 response has a `preview`: a page of the grants and their costs.'

/** The whole response: the plan year, and the preview of a dry run. */
async function opened(ctx: Ctx, key: PlanYearKey, { dry_run, limit, page }: PreviewPaging): Promise<Reply> {
  const plan_year = await findPlanYear(ctx, key.benefit_plan_year_id)
  if (plan_year === undefined) return undefined
  const preview = dry_run ? await previewPlanYear(ctx, key, { limit: limit ?? 20, page: page ?? 1 }) : null
  const body = `{"data":${plan_year},"preview":${JSON.stringify(preview)}}`
  return { status: dry_run ? 200 : 201, resource_id: key.benefit_plan_year_id, body }
}

export const endpoints = [
  endpoint({
    tag: 'Plan years',
    locate: locateEmployer,
    operation: 'operator_open_benefit_plan_year',
    sdk: 'planYears.open',
    ...for_operators.administer,
    method: 'POST',
    path: '/operator/v1/employers/{employer_id}/benefit-plan-years',
    summary: 'Open a plan year',
    description:
      'Offers benefits of the catalog at its prices on coverage_start, with an employer contribution for each ' +
      `benefit. The plan year may have started already. Enrollments are granted within seconds.${on_a_dry_run}`,
    body: PlanYearOpening,
    returns: { 200: OpenedPlanYear, 201: OpenedPlanYear },
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
    handle: async (ctx, { located, body: { dry_run, limit, page, ...input } }) => {
      const benefit_plan_year_id = await openPlanYear(ctx, located, input)
      return opened(ctx, { ...located, benefit_plan_year_id }, { dry_run, limit, page })
    },
  }),
  endpoint({
    tag: 'Plan years',
    locate: locatePlanYear,
    operation: 'operator_change_benefit_plan_year',
    sdk: 'planYears.update',
    ...for_operators.administer,
    method: 'PATCH',
    path: '/operator/v1/benefit-plan-years/{benefit_plan_year_id}',
    summary: 'Change a plan year before it starts',
    description:
      'Replaces the whole list of benefits and uses the current prices of the catalog. Once an employee has ' +
      "elected, coverage dates, existing benefits and their prices can't change, but you can add benefits. You " +
      'can change `renewal` and `plan_successors` later too, if you send no other fields. Employees who can ' +
      `then be carried over are carried over immediately.${on_a_dry_run}`,
    body: PlanYearChange,
    returns: { 200: OpenedPlanYear },
    refuses: [
      refusals.plan_year_has_started,
      refusals.plan_year_is_amended,
      refusals.plan_year_has_elections,
      refusals.plan_year_overlaps,
      ...offerRefusals,
    ],
    example: { offered_states: ['NY', 'NJ'] },
    handle: async (ctx, { located, body: { dry_run, limit, page, ...changes } }) => {
      await changePlanYear(ctx, located, changes)
      const reply = await opened(ctx, located, { dry_run, limit, page })
      return reply && { ...(reply as { body: string }), status: 200 }
    },
  }),
  endpoint({
    tag: 'Plan years',
    locate: locatePlanYear,
    operation: 'operator_copy_benefit_plan_year',
    sdk: 'planYears.copy',
    ...for_operators.administer,
    method: 'POST',
    path: '/operator/v1/benefit-plan-years/{benefit_plan_year_id}/copy',
    summary: 'Copy a plan year to the next one',
    description:
      'Opens a plan year with the same benefits, plans, contributions and states, at the prices of the catalog ' +
      'on the new coverage_start. The open enrollment moves with it. The default renewal is passive: employees who ' +
      `do not respond keep their elections.${on_a_dry_run}`,
    body: PlanYearRepetition,
    returns: { 200: OpenedPlanYear, 201: OpenedPlanYear },
    refuses: [refusals.plan_year_overlaps, ...offerRefusals],
    example: {
      coverage_start: '2098-01-01',
      open_enrollment_start: '2097-11-01',
      open_enrollment_end: '2097-11-30',
      dry_run: true,
    },
    handle: async (ctx, { located, body: { dry_run, limit, page, ...input } }) => {
      const benefit_plan_year_id = await copyPlanYear(ctx, located, input)
      return opened(ctx, { ...located, benefit_plan_year_id }, { dry_run, limit, page })
    },
  }),
]

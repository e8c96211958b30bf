import { Paging } from '../../../kernel/pages.ts'
import { changed, dataOf, endpoint, made, partner, for_operators } from '../../../http/endpoint.ts'
import { everyone } from '../../../runtime/permissions.ts'
import { locatePlanYear } from '../plan-years/queries.ts'
import { refusals as planYearRefusals } from '../plan-years/offer-rules.ts'
import { amendPlanYear, withdrawAmendment, previewAmendment } from './actions.ts'
import { findAmendment, listAmendments, locateAmendment } from './queries.ts'
import { refusals } from './rules.ts'
import { Amendment, AmendmentPage, AmendmentPreview, AmendmentWithdrawal, NewAmendment } from './schemas.ts'

const listed = {
  tag: 'Plan years',
  method: 'GET',
  locate: locatePlanYear,
  query: Paging,
  summary: 'List the amendments of a plan year',
  returns: { 200: AmendmentPage },
} as const
const operated = { tag: 'Plan years', method: 'POST', ...for_operators.administer } as const

export const endpoints = [
  endpoint({
    ...listed,
    operation: 'employers_list_benefit_plan_year_amendments',
    sdk: 'planYears.listAmendments',
    roles: everyone,
    scopes: ['read'],
    path: '/v1/employers/{employer_id}/benefit-plan-years/{benefit_plan_year_id}/amendments',
    description:
      'Lists the changes that the operator made to a plan year after its start, newest first, with their first ' +
      'days and reasons.',
    allows: partner,
    handle: (ctx, { params, query }) => listAmendments(ctx, params.benefit_plan_year_id, query, params.employer_id),
  }),
  endpoint({
    ...listed,
    operation: 'operator_list_benefit_plan_year_amendments',
    sdk: 'planYears.listAmendments',
    path: '/operator/v1/benefit-plan-years/{benefit_plan_year_id}/amendments',
    description: 'Returns the amendments as partners see them.',
    ...for_operators.read,
    handle: (ctx, { params, query }) => listAmendments(ctx, params.benefit_plan_year_id, query),
  }),
  endpoint({
    ...operated,
    operation: 'operator_amend_benefit_plan_year',
    sdk: 'planYears.amend',
    path: '/operator/v1/benefit-plan-years/{benefit_plan_year_id}/amendments',
    summary: 'Amend a plan year',
    description:
      'Changes the rates, contributions, plans, benefits or end of a plan year. The change applies from the ' +
      'first of a month, or retroactively from the first day of the plan year. Elections stay and are repriced. ' +
      'Employees who lose a plan can elect another one within 30 days. Statements and invoices carry the ' +
      'corrections. With `dry_run`, nothing changes, and the 200 response contains a page of the effects.',
    locate: locatePlanYear,
    body: NewAmendment,
    returns: { 200: AmendmentPreview, 201: dataOf(Amendment) },
    refuses: [
      refusals.too_many_amendments,
      refusals.invalid_amendment,
      planYearRefusals.plan_year_overlaps,
      planYearRefusals.invalid_plan_year,
      planYearRefusals.unknown_benefit,
      planYearRefusals.unknown_plan,
      planYearRefusals.plan_has_no_rate,
      planYearRefusals.contribution_does_not_fit,
      planYearRefusals.contribution_missing,
    ],
    example: {
      effective_on: '2099-07-01',
      reason: 'The carrier corrected its rates',
      repriced_plan_ids: ['pln_01kdq7b4w8e9rs2mh3n5t6v7xz'],
      dry_run: true,
    },
    handle: async (ctx, { located, body }) => {
      if (body.dry_run) return { status: 200, body: await previewAmendment(ctx, located, body) }
      const reply = await made(await amendPlanYear(ctx, located, body), (id) =>
        findAmendment(ctx, { amendment_id: id }),
      )
      return reply && { status: 201, ...(reply as { body: string }) }
    },
  }),
  endpoint({
    ...operated,
    operation: 'operator_withdraw_benefit_plan_year_amendment',
    sdk: 'planYears.withdrawAmendment',
    path: '/operator/v1/benefit-plan-years/{benefit_plan_year_id}/amendments/{amendment_id}/withdraw',
    summary: 'Withdraw an amendment',
    description:
      'Withdraws the last amendment in force. The plan year offers what it did before, and all employees have ' +
      'the coverage that they would have without the amendment. Employees who elected another plan in the ' +
      'meantime return to the plan that had been closed.',
    locate: locateAmendment,
    body: AmendmentWithdrawal,
    returns: { 200: dataOf(Amendment) },
    refuses: [
      refusals.amendment_is_withdrawn,
      refusals.amendment_is_not_last,
      refusals.invalid_amendment,
      planYearRefusals.plan_year_overlaps,
    ],
    example: { reason: 'Applied to the wrong employer' },
    handle: (ctx, { located, body }) =>
      changed(withdrawAmendment(ctx, located, body.reason), () => findAmendment(ctx, located)),
  }),
]

import { data, dataOf, endpoint, made, partner, roles_to } from '../../../http/endpoint.ts'
import { everyone } from '../../../runtime/permissions.ts'
import { locatePlanYear } from '../plan-years/queries.ts'
import { refusals as planYearRefusals } from '../plan-years/refusal-rules.ts'
import { amendPlanYear, withdrawAmendment } from './actions.ts'
import { previewAmendment } from './preview-actions.ts'
import { findAmendment, listAmendments, locateAmendment } from './queries.ts'
import { refusals } from './rules.ts'
import {
  Amendment,
  AmendmentPage,
  AmendmentPaging,
  AmendmentPreview,
  AmendmentWithdrawal,
  NewAmendment,
} from './schemas.ts'

const listed = {
  tag: 'Plan years',
  method: 'GET',
  locate: locatePlanYear,
  query: AmendmentPaging,
  summary: 'List the amendments of a plan year',
  returns: { 200: AmendmentPage },
} as const
const operated = {
  tag: 'Plan years',
  method: 'POST',
  allows: ['operator'],
  roles: roles_to.administer,
  organization: 'none',
} as const

export const endpoints = [
  endpoint({
    ...listed,
    operation: 'employers_list_benefit_plan_year_amendments',
    sdk: 'planYears.listAmendments',
    roles: everyone,
    scopes: ['read'],
    path: '/v1/employers/{employer_id}/benefit-plan-years/{benefit_plan_year_id}/amendments',
    description: 'The last one first: what the operator changed while the plan year runs, from when on and why.',
    allows: partner,
    organization: 'path',
    params: { employer_id: 'empr', benefit_plan_year_id: 'plyr' },
    handle: (ctx, { params, query }) => listAmendments(ctx, params.benefit_plan_year_id, query, params.employer_id),
  }),
  endpoint({
    ...listed,
    operation: 'operator_list_benefit_plan_year_amendments',
    sdk: 'planYears.listAmendments',
    path: '/operator/v1/benefit-plan-years/{benefit_plan_year_id}/amendments',
    description: 'What partners see of them.',
    allows: ['operator'],
    roles: roles_to.read,
    organization: 'none',
    params: { benefit_plan_year_id: 'plyr' },
    handle: (ctx, { params, query }) => listAmendments(ctx, params.benefit_plan_year_id, query),
  }),
  endpoint({
    ...operated,
    operation: 'operator_amend_benefit_plan_year',
    sdk: 'planYears.amend',
    path: '/operator/v1/benefit-plan-years/{benefit_plan_year_id}/amendments',
    summary: 'Amend a plan year',
    description:
      'From the first of a month on, or, from its first day, as if it had always been so: rates, what the employer ' +
      'pays, plans and benefits that come or go, its end. Elections stay and are priced anew; who loses a plan may ' +
      'choose another within 30 days. Statements and invoices follow as corrections. With `dry_run` nothing changes, ' +
      'and the answer, 200, tells a page of what would become of everybody.',
    params: { benefit_plan_year_id: 'plyr' },
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
      const reply = await made(await amendPlanYear(ctx, located, body), (id) => findAmendment(ctx, id))
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
      'The last one that holds: the plan year offers again what it did before, and everybody has what they would, ' +
      'had it never been told. Who has chosen another plan since has the one that was closed again.',
    params: { benefit_plan_year_id: 'plyr', amendment_id: 'amnd' },
    locate: locateAmendment,
    body: AmendmentWithdrawal,
    returns: { 200: dataOf(Amendment) },
    refuses: [
      refusals.amendment_is_withdrawn,
      refusals.amendment_is_not_last,
      refusals.invalid_amendment,
      planYearRefusals.plan_year_overlaps,
    ],
    example: { reason: 'Told for the wrong employer' },
    handle: async (ctx, { located, body }) => {
      await withdrawAmendment(ctx, located, body.reason)
      return data(await findAmendment(ctx, located.amendment_id))
    },
  }),
]

import type { Day } from '../../../kernel/days.ts'
import type { ReadCtx } from '../../../runtime/ctx.ts'
import { data, dataOf, endpoint, made, partner, roles_to } from '../../../http/endpoint.ts'
import { enrolling, operating } from '../../../runtime/permissions.ts'
import { locateEmployee, locateEmployer } from '../../access/auth/queries.ts'
import { createPolicy } from './actions.ts'
import { findEligibilityFacts, findPolicy, listPolicies, locatePolicy } from './queries.ts'
import { explain, refusals } from './rules.ts'
import {
  BenefitEligibilityPolicy,
  BenefitEligibilityPolicyPage,
  EligibilityExplanation,
  EligibilityQuery,
  NewBenefitEligibilityPolicy,
  PolicyPaging,
} from './schemas.ts'

const tag = 'Eligibility'

/** Why somebody is eligible on a day, or not, as the whole answer. */
async function explained(ctx: ReadCtx, employee_id: string, as_of: Day) {
  const facts = await findEligibilityFacts(ctx, employee_id, as_of)
  return facts && data(JSON.stringify(explain(facts, as_of)))
}

export const endpoints = [
  endpoint({
    operation: 'create_benefit_eligibility_policy',
    sdk: 'eligibilityPolicies.create',
    method: 'POST',
    path: '/v1/employers/{employer_id}/benefit-eligibility-policies',
    tag,
    summary: 'Create an eligibility policy',
    description:
      'The new policy becomes the active one; the former is archived. One with `benefit_ids` is for ' +
      'those benefits alone, and archives those that were for some of them: no benefit is in two, and' +
      ' at most one is for all the rest.',
    allows: partner,
    roles: operating,
    scopes: ['write'],
    organization: 'path',
    params: { employer_id: 'empr' },
    locate: locateEmployer,
    body: NewBenefitEligibilityPolicy,
    returns: { 201: dataOf(BenefitEligibilityPolicy) },
    refuses: [refusals.benefit_has_policy, refusals.policy_benefit_unknown],
    example: { classification: 'full_time', waiting_period: 'first_of_following_month' },
    handle: async (ctx, { located, body }) => made(await createPolicy(ctx, located, body), (id) => findPolicy(ctx, id)),
  }),
  endpoint({
    operation: 'employers_list_benefit_eligibility_policies',
    sdk: 'eligibilityPolicies.list',
    method: 'GET',
    path: '/v1/employers/{employer_id}/benefit-eligibility-policies',
    tag,
    summary: 'List the eligibility policies of an employer',
    description: 'Newest first, archived ones too.',
    allows: partner,
    roles: enrolling,
    scopes: ['read'],
    organization: 'path',
    params: { employer_id: 'empr' },
    locate: locateEmployer,
    query: PolicyPaging,
    returns: { 200: BenefitEligibilityPolicyPage },
    handle: (ctx, { params, query }) => listPolicies(ctx, params.employer_id, query),
  }),
  endpoint({
    operation: 'get_benefit_eligibility_policy',
    sdk: 'eligibilityPolicies.get',
    method: 'GET',
    path: '/v1/benefit-eligibility-policies/{policy_id}',
    tag,
    summary: 'Get an eligibility policy',
    description: 'Active or archived.',
    allows: partner,
    roles: enrolling,
    scopes: ['read'],
    organization: 'path',
    params: { policy_id: 'epol' },
    locate: locatePolicy,
    returns: { 200: dataOf(BenefitEligibilityPolicy) },
    handle: async (ctx, { params }) => data(await findPolicy(ctx, params.policy_id)),
  }),
  endpoint({
    operation: 'employees_explain_eligibility',
    method: 'GET',
    path: '/v1/employees/{employee_id}/eligibility',
    tag,
    summary: 'Explain the eligibility of an employee',
    description:
      'Anchor, class, policy, rule, raw day, floor and cap, and the first day of coverage that follows, per benefit ' +
      'of the plan years that are not over on that day. A benefit with a policy of its own is explained by that one.',
    allows: [...partner, 'employer_token', 'employee_token'],
    roles: enrolling,
    scopes: ['read', 'people'],
    organization: 'path',
    params: { employee_id: 'empl' },
    locate: locateEmployee,
    query: EligibilityQuery,
    returns: { 200: dataOf(EligibilityExplanation) },
    handle: (ctx, { params, query }) => explained(ctx, params.employee_id, query.as_of ?? ctx.today),
  }),
  endpoint({
    operation: 'operator_explain_eligibility',
    sdk: 'employees.explainEligibility',
    method: 'GET',
    path: '/operator/v1/employees/{employee_id}/eligibility',
    tag: 'Employees',
    summary: 'Explain the eligibility of an employee',
    description: 'As partners are told it.',
    roles: roles_to.read,
    allows: ['operator'],
    organization: 'none',
    params: { employee_id: 'empl' },
    locate: locateEmployee,
    query: EligibilityQuery,
    returns: { 200: dataOf(EligibilityExplanation) },
    handle: (ctx, { params, query }) => explained(ctx, params.employee_id, query.as_of ?? ctx.today),
  }),
]

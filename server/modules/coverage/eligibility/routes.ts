import { Paging } from '../../../kernel/pages.ts'
import type { Day } from '../../../kernel/days.ts'
import type { ReadCtx } from '../../../runtime/ctx.ts'
import { alsoForOperators, data, dataOf, endpoint, made, partner, for_operators } from '../../../http/endpoint.ts'
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
} from './schemas.ts'

const tag = 'Eligibility'

/** The `EligibilityExplanation` as the whole response. */
async function explained(ctx: ReadCtx, employee_id: string, as_of: Day) {
  const facts = await findEligibilityFacts(ctx, { employee_id, as_of })
  return facts && data(explain(facts, as_of))
}

const of_employer = { tag, allows: partner, locate: locateEmployer } as const

export const endpoints = [
  endpoint({
    ...of_employer,
    operation: 'create_benefit_eligibility_policy',
    sdk: 'eligibilityPolicies.create',
    method: 'POST',
    path: '/v1/employers/{employer_id}/benefit-eligibility-policies',
    summary: 'Create an eligibility policy',
    description:
      'Creates an active policy and archives the previous one. A policy with `benefit_ids` applies to those ' +
      'benefits only, and archives earlier policies for some of them. A benefit never has two policies, and at ' +
      'most one policy applies to all remaining benefits.',
    roles: operating,
    scopes: ['write'],
    body: NewBenefitEligibilityPolicy,
    returns: { 201: dataOf(BenefitEligibilityPolicy) },
    refuses: [refusals.benefit_has_policy, refusals.policy_benefit_unknown],
    example: { classification: 'full_time', waiting_period: 'first_of_following_month' },
    handle: async (ctx, { located, body }) =>
      made(await createPolicy(ctx, located, body), (id) => findPolicy(ctx, { policy_id: id })),
  }),
  endpoint({
    ...of_employer,
    operation: 'employers_list_benefit_eligibility_policies',
    sdk: 'eligibilityPolicies.list',
    method: 'GET',
    path: '/v1/employers/{employer_id}/benefit-eligibility-policies',
    summary: 'List the eligibility policies of an employer',
    description: 'Lists active and archived policies, newest first.',
    roles: enrolling,
    scopes: ['read'],
    query: Paging,
    returns: { 200: BenefitEligibilityPolicyPage },
    handle: (ctx, { params, query }) => listPolicies(ctx, params, query),
  }),
  endpoint({
    operation: 'get_benefit_eligibility_policy',
    sdk: 'eligibilityPolicies.get',
    method: 'GET',
    path: '/v1/benefit-eligibility-policies/{policy_id}',
    tag,
    summary: 'Get an eligibility policy',
    description: 'Returns an active or archived policy.',
    allows: partner,
    roles: enrolling,
    scopes: ['read'],
    locate: locatePolicy,
    returns: { 200: dataOf(BenefitEligibilityPolicy) },
    handle: async (ctx, { params }) => data(await findPolicy(ctx, params)),
  }),
  ...alsoForOperators(
    endpoint({
      operation: 'employees_explain_eligibility',
      method: 'GET',
      path: '/v1/employees/{employee_id}/eligibility',
      tag,
      summary: 'Explain the eligibility of an employee',
      description:
        'Returns the class, the policy and the period of eligibility on that day. For each benefit in plan years ' +
        'that have not ended by then, it shows how the first day of coverage is calculated: anchor, rule, raw ' +
        'day, floor and cap. A benefit with a policy of its own is explained by that policy.',
      allows: [...partner, 'employer_token', 'employee_token'],
      roles: enrolling,
      scopes: ['read', 'people'],
      locate: locateEmployee,
      query: EligibilityQuery,
      returns: { 200: dataOf(EligibilityExplanation) },
      handle: (ctx, { params, query }) => explained(ctx, params.employee_id, query.as_of ?? ctx.today),
    }),
    {
      operation: 'operator_explain_eligibility',
      tag: 'Employees',
      description: 'Returns the same explanation as the partner endpoint.',
      ...for_operators.read,
    },
  ),
]

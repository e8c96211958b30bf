import { Paging } from '../../../kernel/pages.ts'
import type { Day } from '../../../kernel/days.ts'
import type { ReadCtx } from '../../../runtime/ctx.ts'
import { cursorPage, rowBefore } from '../../../http/cursors.ts'
import { alsoForOperators, data, dataOf, endpoint, partner, for_operators } from '../../../http/endpoint.ts'
import { onlyOrganization } from '../../../http/authorize.ts'
import { enrolling, operating } from '../../../runtime/permissions.ts'
import { locateEmployee, locateEmployer } from '../../access/auth/queries.ts'
import { locateOrganization } from '../../access/organizations/queries.ts'
import { runStatements } from './actions.ts'
import { listStatementsAcross, listStatements } from './queries.ts'
import { findDeductionFacts, findPaychecks } from './paycheck-queries.ts'
import { proveYear } from './proof-rules.ts'
import {
  DeductionProof,
  DeductionProofQuery,
  PaycheckList,
  StatementPage,
  StatementRowFilter,
  StatementRowPage,
  StatementRun,
  StatementRunAccepted,
} from './schemas.ts'

const tag = 'Deductions'

const firstOf = (month: string | undefined) => (month === undefined ? null : (`${month}-01` as Day))

/** The proof of a year, by default the current one, as the response body. */
async function proven(ctx: ReadCtx, employee_id: string, year = Number(ctx.today.slice(0, 4))) {
  const facts = await findDeductionFacts(ctx, { employee_id, year })
  return facts && data({ employee_id, year, ...proveYear(facts, year) })
}

/** A page of the statements of all employers of an organization as the response body. Undefined if out of reach. */
async function pageAcross(ctx: ReadCtx, organization_id: string, filter: StatementRowFilter) {
  const { limit, offset } = filter
  const list = `payroll deduction statements of ${organization_id}`
  const [day, id] = (await rowBefore(ctx, list, offset, () => locateOrganization(ctx, { organization_id }))) ?? []
  const page = await listStatementsAcross(ctx, organization_id, {
    ...filter,
    period_from: firstOf(filter.period_from),
    period_to: firstOf(filter.period_to),
    after: day === undefined ? undefined : [day as Day, String(id)],
  })
  if (!page) return undefined
  return cursorPage(ctx, list, { limit, items: JSON.stringify(page.data).slice(1, -1), next: page.next })
}

const about_across =
  'Returns the statements, newest first, each with a link to its lines as CSV. To get the next page, send ' +
  '`next_offset` of the previous page as `offset`, until it is null.'

const reads = { tag, method: 'GET', roles: operating, scopes: ['read', 'money'] } as const

export const endpoints = [
  endpoint({
    ...reads,
    operation: 'payroll_deduction_statements_list',
    sdk: 'statements.listAll',
    path: '/v1/payroll-deduction-statements',
    summary: 'List the payroll deduction statements of all employers',
    description: about_across,
    allows: partner,
    organization: 'needed',
    query: StatementRowFilter,
    returns: { 200: StatementRowPage },
    handle: (ctx, { query }) => pageAcross(ctx, onlyOrganization(ctx.caller), query),
  }),
  ...alsoForOperators(
    endpoint({
      ...reads,
      operation: 'employers_list_payroll_deduction_statements',
      sdk: 'statements.list',
      path: '/v1/employers/{employer_id}/payroll-deduction-statements',
      summary: 'List the payroll deduction statements of an employer',
      description: 'Returns one statement per pay period, newest first, each with a link to its lines as CSV.',
      allows: [...partner, 'employer_token'],
      locate: locateEmployer,
      query: Paging,
      returns: { 200: StatementPage },
      handle: (ctx, { params, query }) => listStatements(ctx, params.employer_id, query),
    }),
    { operation: 'operator_list_payroll_deduction_statements', ...for_operators.read },
  ),
  ...alsoForOperators(
    endpoint({
      ...reads,
      operation: 'employees_prove_deductions',
      sdk: 'deductions.prove',
      path: '/v1/employees/{employee_id}/deductions/proof',
      summary: "Get the deduction proof of an employee's year",
      description: 'Returns the due, collected and corrected amounts, per enrollment and in total.',
      allows: [...partner, 'employer_token', 'employee_token'],
      locate: locateEmployee,
      query: DeductionProofQuery,
      returns: { 200: dataOf(DeductionProof) },
      handle: (ctx, { params, query }) => proven(ctx, params.employee_id, query.year),
    }),
    { operation: 'operator_prove_deductions', ...for_operators.read },
  ),
  endpoint({
    operation: 'employees_list_paychecks',
    sdk: 'deductions.listPaychecks',
    method: 'GET',
    path: '/v1/employees/{employee_id}/paychecks',
    tag,
    summary: "List an employee's paychecks of a year",
    description:
      'Returns the paychecks with deductions, oldest first. Past ones come from statements. Those of the next 62 ' +
      'days are calculated by the same rules and the current facts. Paychecks without deductions are omitted.',
    allows: [...partner, 'employer_token', 'employee_token'],
    roles: enrolling,
    scopes: ['read', 'people'],
    locate: locateEmployee,
    query: DeductionProofQuery,
    returns: { 200: PaycheckList },
    handle: async (ctx, { params, query }) => {
      const year = query.year ?? Number(ctx.today.slice(0, 4))
      return data(await findPaychecks(ctx, params.employee_id, year))
    },
  }),
  endpoint({
    operation: 'operator_list_all_payroll_deduction_statements',
    sdk: 'statements.listAll',
    path: '/operator/v1/organizations/{organization_id}/payroll-deduction-statements',
    tag,
    summary: 'List the payroll deduction statements of all employers of an organization',
    description: about_across,
    ...for_operators.read,
    locate: locateOrganization,
    query: StatementRowFilter,
    returns: { 200: StatementRowPage },
    handle: (ctx, { params, query }) => pageAcross(ctx, params.organization_id, query),
  }),
  endpoint({
    operation: 'operator_run_payroll_deduction_statements',
    sdk: 'statements.run',
    ...for_operators.administer,
    method: 'POST',
    path: '/operator/v1/employers/{employer_id}/payroll-deduction-statements/run',
    tag,
    summary: 'Generate the due statements of an employer',
    description:
      "Does the daily run's work for one employer: opens the statements that are due and generates them within " +
      'seconds, including incomplete ones. Repeating it changes nothing.',
    locate: locateEmployer,
    body: StatementRun,
    returns: { 202: dataOf(StatementRunAccepted) },
    example: { day: '2026-03-10' },
    handle: async (ctx, { located, body }) => data(await runStatements(ctx, located, body.day)),
  }),
]

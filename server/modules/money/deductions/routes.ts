import type { Day } from '../../../kernel/days.ts'
import { generic, refuse } from '../../../kernel/refusal.ts'
import type { ReadCtx } from '../../../runtime/ctx.ts'
import { cursorOf, readCursor } from '../../../http/cursors.ts'
import { data, dataOf, endpoint, partner, roles_to } from '../../../http/endpoint.ts'
import { onlyOrganization } from '../../../http/authorize.ts'
import { enrolling, operating } from '../../../runtime/permissions.ts'
import { locateEmployee, locateEmployer } from '../../access/auth/queries.ts'
import { locateOrganization } from '../../access/organizations/queries.ts'
import { runStatements } from './actions.ts'
import { listStatementsAcross } from './across-queries.ts'
import { findDeductionFacts } from './proof-queries.ts'
import { findPaychecks } from './paycheck-queries.ts'
import { proveYear } from './proof-rules.ts'
import { listStatements } from './queries.ts'
import {
  DeductionProof,
  DeductionProofQuery,
  PaycheckList,
  StatementFilter,
  StatementPage,
  StatementRowFilter,
  StatementRowPage,
  StatementRun,
  StatementRunAccepted,
} from './schemas.ts'

const tag = 'Deductions'

const firstOf = (month: string | undefined) => (month === undefined ? null : (`${month}-01` as Day))

/** The proof of a year, the present one unless said, as the whole answer. */
async function proven(ctx: ReadCtx, employee_id: string, year = Number(ctx.today.slice(0, 4))) {
  const facts = await findDeductionFacts(ctx, employee_id, year)
  return facts && data(JSON.stringify({ employee_id, year, ...proveYear(facts, year) }))
}

/** A page of the statements of all employers of an organization as the whole answer; undefined out of reach. */
async function pageAcross(ctx: ReadCtx, organization_id: string, filter: StatementRowFilter) {
  const { limit, offset } = filter
  const list = `payroll deduction statements of ${organization_id}`
  const [day, id] = (offset === undefined ? undefined : readCursor(ctx, list, offset)) ?? []
  if (offset !== undefined && day === undefined) {
    if (!(await locateOrganization(ctx, { organization_id }))) return undefined
    refuse(generic.invalid_request, { field: 'offset', message: 'must be the next_offset of a page of this list' })
  }
  const page = await listStatementsAcross(ctx, organization_id, {
    ...filter,
    period_from: firstOf(filter.period_from),
    period_to: firstOf(filter.period_to),
    after: day === undefined ? undefined : [day as Day, String(id)],
  })
  if (!page) return undefined
  const next_offset = page.next && cursorOf(ctx, list, page.next)
  return JSON.stringify({ data: page.data, pagination: { limit, next_offset }, next_offset })
}

const about_across =
  'Newest first, each with a link to its lines as CSV. The next page is asked for with the `next_offset` of the one ' +
  'before as `offset`, until it is null.'

export const endpoints = [
  endpoint({
    operation: 'payroll_deduction_statements_list',
    sdk: 'statements.listAll',
    method: 'GET',
    path: '/v1/payroll-deduction-statements',
    tag,
    summary: 'List the payroll deduction statements of all employers',
    description: about_across,
    allows: partner,
    roles: operating,
    scopes: ['read', 'money'],
    organization: 'needed',
    query: StatementRowFilter,
    returns: { 200: StatementRowPage },
    handle: (ctx, { query }) => pageAcross(ctx, onlyOrganization(ctx.caller), query),
  }),
  endpoint({
    operation: 'employers_list_payroll_deduction_statements',
    sdk: 'statements.list',
    method: 'GET',
    path: '/v1/employers/{employer_id}/payroll-deduction-statements',
    tag,
    summary: 'List the payroll deduction statements of an employer',
    description: 'One per pay period, newest first, each with a link to its lines as CSV.',
    allows: [...partner, 'employer_token'],
    roles: operating,
    scopes: ['read', 'money'],
    organization: 'path',
    params: { employer_id: 'empr' },
    locate: locateEmployer,
    query: StatementFilter,
    returns: { 200: StatementPage },
    handle: (ctx, { params, query }) => listStatements(ctx, params.employer_id, query),
  }),
  endpoint({
    operation: 'employees_prove_deductions',
    sdk: 'deductions.prove',
    method: 'GET',
    path: '/v1/employees/{employee_id}/deductions/proof',
    tag,
    summary: "Prove an employee's deductions of a year",
    description: 'What was due, collected and corrected, per enrollment and in total.',
    allows: [...partner, 'employer_token', 'employee_token'],
    roles: operating,
    scopes: ['read', 'money'],
    organization: 'path',
    params: { employee_id: 'empl' },
    locate: locateEmployee,
    query: DeductionProofQuery,
    returns: { 200: dataOf(DeductionProof) },
    handle: (ctx, { params, query }) => proven(ctx, params.employee_id, query.year),
  }),
  endpoint({
    operation: 'employees_list_paychecks',
    sdk: 'deductions.listPaychecks',
    method: 'GET',
    path: '/v1/employees/{employee_id}/paychecks',
    tag,
    summary: "List an employee's paychecks of a year",
    description:
      'What statements took from each, oldest first, and what the next 62 days will, by the same rules and what is ' +
      'known now. Those that nothing is taken from are left out.',
    allows: [...partner, 'employer_token', 'employee_token'],
    roles: enrolling,
    scopes: ['read', 'people'],
    organization: 'path',
    params: { employee_id: 'empl' },
    locate: locateEmployee,
    query: DeductionProofQuery,
    returns: { 200: PaycheckList },
    handle: async (ctx, { params, query }) => {
      const year = query.year ?? Number(ctx.today.slice(0, 4))
      const paychecks = await findPaychecks(ctx, params.employee_id, year)
      return paychecks && data(JSON.stringify(paychecks))
    },
  }),
  endpoint({
    operation: 'operator_list_all_payroll_deduction_statements',
    sdk: 'statements.listAll',
    method: 'GET',
    path: '/operator/v1/organizations/{organization_id}/payroll-deduction-statements',
    tag,
    summary: 'List the payroll deduction statements of all employers of an organization',
    description: about_across,
    roles: roles_to.read,
    allows: ['operator'],
    organization: 'none',
    params: { organization_id: 'org' },
    locate: locateOrganization,
    query: StatementRowFilter,
    returns: { 200: StatementRowPage },
    handle: (ctx, { params, query }) => pageAcross(ctx, params.organization_id, query),
  }),
  endpoint({
    operation: 'operator_list_payroll_deduction_statements',
    sdk: 'statements.list',
    method: 'GET',
    path: '/operator/v1/employers/{employer_id}/payroll-deduction-statements',
    tag,
    summary: 'List the payroll deduction statements of an employer',
    description: 'One per pay period, newest first, each with a link to its lines as CSV.',
    roles: roles_to.read,
    allows: ['operator'],
    organization: 'none',
    params: { employer_id: 'empr' },
    locate: locateEmployer,
    query: StatementFilter,
    returns: { 200: StatementPage },
    handle: (ctx, { params, query }) => listStatements(ctx, params.employer_id, query),
  }),
  endpoint({
    operation: 'operator_run_payroll_deduction_statements',
    sdk: 'statements.run',
    roles: roles_to.administer,
    method: 'POST',
    path: '/operator/v1/employers/{employer_id}/payroll-deduction-statements/run',
    tag,
    summary: 'Run the statement day of an employer',
    description:
      'What the daily run does for all: opens the statements that are due, and has them generated within seconds, ' +
      'also one that was left unfinished. Done again it changes nothing.',
    allows: ['operator'],
    organization: 'none',
    params: { employer_id: 'empr' },
    locate: locateEmployer,
    body: StatementRun,
    returns: { 202: dataOf(StatementRunAccepted) },
    example: { day: '2026-03-10' },
    handle: async (ctx, { located, body }) => data(JSON.stringify(await runStatements(ctx, located, body.day))),
  }),
  endpoint({
    operation: 'operator_prove_deductions',
    sdk: 'deductions.prove',
    method: 'GET',
    path: '/operator/v1/employees/{employee_id}/deductions/proof',
    tag,
    summary: "Prove an employee's deductions of a year",
    description: 'What was due, collected and corrected, per enrollment and in total.',
    roles: roles_to.read,
    allows: ['operator'],
    organization: 'none',
    params: { employee_id: 'empl' },
    locate: locateEmployee,
    query: DeductionProofQuery,
    returns: { 200: dataOf(DeductionProof) },
    handle: (ctx, { params, query }) => proven(ctx, params.employee_id, query.year),
  }),
]

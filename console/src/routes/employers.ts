import { createRoute } from '@tanstack/react-router'
import { query_client } from '../api.ts'
import { employerRowQuery } from '../queries.ts'
import { canOpenPage } from '../session.ts'
import * as values from './filter-values.ts'
import { members, operators, page, tab } from './page.tsx'
import { parseList, parseChoice, optional, type Search, parseText, parseTexts, parseYes } from './search.ts'

/** The pages of one employer, for members and for operators. */

/** The view, the people by status, the year, the problem of listed forms, and the employee of the shown form. */
type AcaSearch = Partial<Record<'show' | 'group' | 'year' | 'exception' | 'employee', string>>

/** step: the open step of the setup */
const readSetup = ({ step }: Search) => optional({ step: parseChoice(step, values.setup_steps) })

/** employee: the person whose lines are shown */
const readStatement = ({ show, employee }: Search) =>
  optional({ show: parseList(show, values.deduction_changes), employee: parseText(employee) })

const employer = createRoute({
  ...page('/employers/$employer_id', members('book'), () => import('../screens/employer/employer.tsx'), 'Employer'),
  loader: ({ params }) =>
    canOpenPage(members('book')) && void query_client.prefetchQuery(employerRowQuery(params.employer_id)),
})
const employerParent = () => employer

const employer_pages = [
  createRoute({
    ...tab(employerParent, '/', () => import('../screens/employer/overview.tsx'), 'Overview'),
    validateSearch: readSetup,
  }),
  createRoute({
    ...tab(employerParent, 'roster', () => import('../screens/employer/roster.tsx'), 'Roster', 'people'),
    validateSearch: ({ search, status, add }: Search) =>
      optional({
        search: parseText(search),
        status: parseList(status, values.employment_statuses),
        add: parseYes(add),
      }),
  }),
  createRoute({
    ...tab(
      employerParent,
      'enrollment',
      () => import('../screens/enrollment/enrollment.tsx'),
      'EnrollmentCenter',
      'people',
    ),
    validateSearch: ({ year, search, status, chosen, remind, message }: Search) =>
      optional({
        /** the plan year of the window */
        year: parseText(year),
        search: parseText(search),
        status: parseList(status, values.participation_statuses),
        /** the people to remind */
        chosen: parseTexts(chosen),
        remind: parseYes(remind),
        /** the shown message */
        message: parseText(message),
      }),
  }),
  createRoute({
    ...tab(employerParent, 'documents', () => import('../screens/documents/documents.tsx'), 'EmployerDocuments'),
    validateSearch: ({ add }: Search) => optional({ add: parseYes(add) }),
  }),
  createRoute(tab(employerParent, 'plan-years', () => import('../screens/plan-years/plan-years.tsx'), 'PlanYears')),
  createRoute({
    ...tab(
      employerParent,
      'plan-years/$plan_year_id',
      () => import('../screens/plan-years/plan-year.tsx'),
      'PlanYearPage',
    ),
    validateSearch: ({ search, status }: Search) =>
      optional({ search: parseText(search), status: parseList(status, values.election_statuses) }),
  }),
  createRoute({
    ...tab(
      employerParent,
      'plan-years/$plan_year_id/renewal',
      () => import('../screens/plan-years/proposal/proposal.tsx'),
      'ProposalPage',
    ),
    /** draft: the terms and scenarios, as JSON */
    validateSearch: ({ draft }: Search) => optional({ draft: parseText(draft) }),
  }),
  createRoute({
    ...tab(employerParent, 'census', () => import('../screens/census/census.tsx'), 'CensusPage'),
    validateSearch: ({ sync, step, mode }: Search) =>
      optional({
        /** the submitted census */
        sync: parseText(sync),
        /** the current step with a file */
        step: parseChoice(step, ['map', 'fix', 'review']),
        /** whether people who are missing from the file are terminated; overrides the settings */
        mode: parseChoice(mode, ['merge', 'replace']),
      }),
  }),
  createRoute(
    tab(employerParent, 'statements', () => import('../screens/money/statements.tsx'), 'Statements', 'money'),
  ),
  createRoute({
    ...tab(
      employerParent,
      'statements/$statement_id',
      () => import('../screens/money/statement.tsx'),
      'StatementPage',
      'money',
    ),
    validateSearch: readStatement,
  }),
  createRoute(tab(employerParent, 'invoices', () => import('../screens/money/invoices.tsx'), 'Invoices', 'money')),
  createRoute({
    ...tab(employerParent, 'invoices/$invoice_id', () => import('../screens/money/invoice.tsx'), 'Invoice', 'money'),
    validateSearch: ({ employee }: Search) => optional({ employee: parseText(employee) }),
  }),
  createRoute({
    ...tab(employerParent, 'aca', () => import('../screens/aca/aca.tsx'), 'Aca', 'employment'),
    validateSearch: optional<AcaSearch>,
  }),
  createRoute(
    tab(employerParent, 'activity', () => import('../screens/activity/activity.tsx'), 'EmployerActivity', 'people'),
  ),
  createRoute({
    ...tab(employerParent, 'settings', () => import('../screens/employer/settings.tsx'), 'Settings', 'settings'),
    validateSearch: ({ show }: Search) => optional({ show: parseChoice(show, ['details', 'eligibility', 'contacts']) }),
  }),
] as const
export const employer_routes = employer.addChildren(employer_pages)

const operated = createRoute(
  page(
    '/partners/employers/$employer_id',
    operators,
    () => import('../screens/employer/employer.tsx'),
    'OperatedEmployer',
  ),
)
const operatedParent = () => operated

const operated_pages = [
  createRoute({
    ...tab(operatedParent, '/', () => import('../screens/employer/overview.tsx'), 'OperatedOverview'),
    validateSearch: readSetup,
  }),
  createRoute(
    tab(operatedParent, 'plan-years', () => import('../screens/plan-years/plan-years.tsx'), 'OperatedPlanYears'),
  ),
  createRoute({
    ...tab(
      operatedParent,
      'plan-years/build',
      () => import('../screens/plan-years/builder/builder.tsx'),
      'BuilderPage',
    ),
    /** from: the plan year to copy */
    validateSearch: ({ from }: Search) => optional({ from: parseText(from) }),
  }),
  createRoute({
    ...tab(operatedParent, 'employees', () => import('../screens/person/people.tsx'), 'PeopleAtEmployer'),
    validateSearch: ({ search }: Search) => optional({ search: parseText(search) }),
  }),
  createRoute(tab(operatedParent, 'hris', () => import('../screens/payroll/hris.tsx'), 'HrisPage')),
  createRoute(tab(operatedParent, 'statements', () => import('../screens/money/statements.tsx'), 'Statements')),
  createRoute({
    ...tab(operatedParent, 'statements/$statement_id', () => import('../screens/money/statement.tsx'), 'StatementPage'),
    validateSearch: readStatement,
  }),
  createRoute(tab(operatedParent, 'invoices', () => import('../screens/money/invoices.tsx'), 'OperatedInvoices')),
  createRoute({
    ...tab(
      operatedParent,
      'invoices/$invoice_id',
      () => import('../screens/money/operated-invoice.tsx'),
      'OperatedInvoice',
    ),
    /** action: the action to confirm */
    validateSearch: ({ action, employee }: Search) =>
      optional({ action: parseChoice(action, values.invoice_actions), employee: parseText(employee) }),
  }),
] as const
export const operated_employer_routes = operated.addChildren(operated_pages)

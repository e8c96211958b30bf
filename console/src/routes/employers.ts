import { createRoute } from '@tanstack/react-router'
import { query_client } from '../api.ts'
import { employerRow } from '../queries.ts'
import { mayOpen } from '../session.ts'
import * as values from './filter-values.ts'
import { members, operators, page, tab } from './page.tsx'
import { listOf, oneOf, optional, type Search, text, texts, yes } from './search.ts'

/** The pages of one employer, for members and for operators. */

/** The view, the people by status, the year, the problem of listed forms, and the employee of the shown form. */
type AcaSearch = Partial<Record<'show' | 'group' | 'year' | 'exception' | 'employee', string>>

/** step: the open step of the setup */
const readSetup = ({ step }: Search) => optional({ step: oneOf(step, values.setup_steps) })

/** employee: the person whose lines are shown */
const readStatement = ({ show, employee }: Search) =>
  optional({ show: listOf(show, values.deduction_changes), employee: text(employee) })

const employer = createRoute({
  ...page('/employers/$employer_id', members('book'), () => import('../screens/employer/employer.tsx'), 'Employer'),
  loader: ({ params }) => mayOpen(members('book')) && void query_client.prefetchQuery(employerRow(params.employer_id)),
})
const ofEmployer = () => employer

const employer_pages = [
  createRoute({
    ...tab(ofEmployer, '/', () => import('../screens/employer/overview.tsx'), 'Overview'),
    validateSearch: readSetup,
  }),
  createRoute({
    ...tab(ofEmployer, 'roster', () => import('../screens/employer/roster.tsx'), 'Roster', 'people'),
    validateSearch: ({ search, status, add }: Search) =>
      optional({ search: text(search), status: listOf(status, values.employment_statuses), add: yes(add) }),
  }),
  createRoute({
    ...tab(
      ofEmployer,
      'enrollment',
      () => import('../screens/enrollment/enrollment.tsx'),
      'EnrollmentCenter',
      'people',
    ),
    validateSearch: ({ year, search, status, chosen, remind, message }: Search) =>
      optional({
        /** the plan year of the window */
        year: text(year),
        search: text(search),
        status: listOf(status, values.participation_statuses),
        /** the people to remind */
        chosen: texts(chosen),
        remind: yes(remind),
        /** the shown message */
        message: text(message),
      }),
  }),
  createRoute({
    ...tab(ofEmployer, 'documents', () => import('../screens/documents/documents.tsx'), 'EmployerDocuments'),
    validateSearch: ({ add }: Search) => optional({ add: yes(add) }),
  }),
  createRoute(tab(ofEmployer, 'plan-years', () => import('../screens/plan-years/plan-years.tsx'), 'PlanYears')),
  createRoute({
    ...tab(ofEmployer, 'plan-years/$plan_year_id', () => import('../screens/plan-years/plan-year.tsx'), 'PlanYear'),
    validateSearch: ({ search, status }: Search) =>
      optional({ search: text(search), status: listOf(status, values.election_statuses) }),
  }),
  createRoute({
    ...tab(
      ofEmployer,
      'plan-years/$plan_year_id/renewal',
      () => import('../screens/plan-years/proposal/proposal.tsx'),
      'RenewalProposal',
    ),
    /** draft: the terms and scenarios, as JSON */
    validateSearch: ({ draft }: Search) => optional({ draft: text(draft) }),
  }),
  createRoute({
    ...tab(ofEmployer, 'census', () => import('../screens/census/census.tsx'), 'Census'),
    validateSearch: ({ sync, step, mode }: Search) =>
      optional({
        /** the submitted census */
        sync: text(sync),
        /** the current step with a file */
        step: oneOf(step, ['map', 'fix', 'review']),
        /** whether people who are missing from the file are terminated; overrides the settings */
        mode: oneOf(mode, ['merge', 'replace']),
      }),
  }),
  createRoute(tab(ofEmployer, 'statements', () => import('../screens/money/statements.tsx'), 'Statements', 'money')),
  createRoute({
    ...tab(
      ofEmployer,
      'statements/$statement_id',
      () => import('../screens/money/statement.tsx'),
      'Statement',
      'money',
    ),
    validateSearch: readStatement,
  }),
  createRoute(tab(ofEmployer, 'invoices', () => import('../screens/money/invoices.tsx'), 'Invoices', 'money')),
  createRoute({
    ...tab(ofEmployer, 'invoices/$invoice_id', () => import('../screens/money/invoice.tsx'), 'Invoice', 'money'),
    validateSearch: ({ employee }: Search) => optional({ employee: text(employee) }),
  }),
  createRoute({
    ...tab(ofEmployer, 'aca', () => import('../screens/aca/aca.tsx'), 'Aca', 'employment'),
    validateSearch: optional<AcaSearch>,
  }),
  createRoute(
    tab(ofEmployer, 'activity', () => import('../screens/activity/activity.tsx'), 'EmployerActivity', 'people'),
  ),
  createRoute({
    ...tab(ofEmployer, 'settings', () => import('../screens/employer/settings.tsx'), 'Settings', 'settings'),
    validateSearch: ({ show }: Search) => optional({ show: oneOf(show, ['details', 'eligibility', 'contacts']) }),
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
const ofOperated = () => operated

const operated_pages = [
  createRoute({
    ...tab(ofOperated, '/', () => import('../screens/employer/overview.tsx'), 'OperatedOverview'),
    validateSearch: readSetup,
  }),
  createRoute(tab(ofOperated, 'plan-years', () => import('../screens/plan-years/plan-years.tsx'), 'OperatedPlanYears')),
  createRoute({
    ...tab(ofOperated, 'plan-years/build', () => import('../screens/plan-years/builder/builder.tsx'), 'Builder'),
    /** from: the plan year to copy */
    validateSearch: ({ from }: Search) => optional({ from: text(from) }),
  }),
  createRoute({
    ...tab(ofOperated, 'employees', () => import('../screens/person/people.tsx'), 'PeopleAtEmployer'),
    validateSearch: ({ search }: Search) => optional({ search: text(search) }),
  }),
  createRoute(tab(ofOperated, 'hris', () => import('../screens/payroll/hris.tsx'), 'Hris')),
  createRoute(tab(ofOperated, 'statements', () => import('../screens/money/statements.tsx'), 'Statements')),
  createRoute({
    ...tab(ofOperated, 'statements/$statement_id', () => import('../screens/money/statement.tsx'), 'Statement'),
    validateSearch: readStatement,
  }),
  createRoute(tab(ofOperated, 'invoices', () => import('../screens/money/invoices.tsx'), 'OperatedInvoices')),
  createRoute({
    ...tab(
      ofOperated,
      'invoices/$invoice_id',
      () => import('../screens/money/operated-invoice.tsx'),
      'OperatedInvoice',
    ),
    /** action: the action to confirm */
    validateSearch: ({ action, employee }: Search) =>
      optional({ action: oneOf(action, values.invoice_actions), employee: text(employee) }),
  }),
] as const
export const operated_employer_routes = operated.addChildren(operated_pages)

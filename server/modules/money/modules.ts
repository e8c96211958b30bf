import type { Module } from '../../runtime/module.ts'
import * as deductions from './deductions/routes.ts'
import * as billingSystems from './billing-systems/routes.ts'
import * as billing from './billing/routes.ts'
import * as payrollActuals from './payroll-actuals/routes.ts'
import * as reconciliation from './reconciliation/routes.ts'
import * as stripeInvoices from './stripe-invoices/routes.ts'
import { stripe } from '../../integrations/stripe/stripe.ts'
import { dailyStatements, tasks as deductions_tasks } from './deductions/actions.ts'
import { hasStatementsDue, findStatementCsv } from './deductions/queries.ts'
import * as billingActions from './billing/actions.ts'
import { hasDailyInvoices } from './billing/queries.ts'
import { requestMirrors, tasks as stripe_invoices_tasks } from './stripe-invoices/actions.ts'
import { hasInvoicesToMirror } from './stripe-invoices/queries.ts'

/** The modules of the district in order: each imports only from those above, and from districts below. */
export const money_modules: Module[] = [
  {
    name: 'deductions',
    tables: ['deduction_statements', 'deduction_lines', 'deduction_balances'],
    endpoints: deductions.endpoints,
    tasks: deductions_tasks,
    downloads: { payroll_deduction_statement_csv: findStatementCsv },
    runDay: [dailyStatements],
    hasDailyRun: hasStatementsDue,
  },
  { name: 'billing-systems', tables: ['billing_systems'], endpoints: billingSystems.endpoints },
  {
    name: 'billing',
    integrations: [stripe],
    tables: ['invoice_counters', 'invoices', 'invoice_lines', 'invoice_runs', 'invoice_pdfs'],
    endpoints: billing.endpoints,
    tasks: billingActions.tasks,
    downloads: { invoice_pdf: billingActions.openInvoicePdf },
    runDay: [billingActions.scheduleInvoices, billingActions.requestDrafts, billingActions.issueDrafts],
    hasDailyRun: hasDailyInvoices,
  },
  { name: 'payroll-actuals', tables: ['payroll_actuals', 'payroll_shortfalls'], endpoints: payrollActuals.endpoints },
  { name: 'reconciliation', tables: [], endpoints: reconciliation.endpoints },
  {
    name: 'stripe-invoices',
    integrations: [stripe],
    tables: ['stripe_customers', 'stripe_invoices'],
    endpoints: [],
    tasks: stripe_invoices_tasks,
    incoming: stripeInvoices.incoming,
    runDay: [requestMirrors],
    hasDailyRun: hasInvoicesToMirror,
  },
]

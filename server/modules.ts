import type { Module } from './runtime/module.ts'
import * as organizations from './modules/access/organizations/routes.ts'
import * as operators from './modules/access/operators/routes.ts'
import * as invitations from './modules/access/invitations/routes.ts'
import * as sessions from './modules/access/sessions/routes.ts'
import * as auth from './modules/access/auth/routes.ts'
import * as usage from './modules/access/usage/routes.ts'
import * as apiKeys from './modules/access/api-keys/routes.ts'
import * as audit from './modules/access/audit/routes.ts'
import * as ichra from './modules/directory/ichra/routes.ts'
import * as operatorTasks from './modules/directory/tasks/routes.ts'
import * as employers from './modules/directory/employers/routes.ts'
import * as scheduledExports from './modules/directory/scheduled-exports/routes.ts'
import * as notes from './modules/directory/notes/routes.ts'
import * as documents from './modules/directory/documents/routes.ts'
import * as catalog from './modules/directory/catalog/routes.ts'
import * as eligibility from './modules/coverage/eligibility/routes.ts'
import * as employerSetup from './modules/coverage/employer-setup/routes.ts'
import * as planYears from './modules/coverage/plan-years/routes.ts'
import * as trends from './modules/coverage/trends/routes.ts'
import * as enrollments from './modules/coverage/enrollments/routes.ts'
import * as planYearEnrollments from './modules/coverage/plan-year-enrollments/routes.ts'
import * as elections from './modules/coverage/elections/routes.ts'
import * as enrollmentAgreements from './modules/coverage/enrollment-agreements/routes.ts'
import * as enrollmentDrafts from './modules/coverage/enrollment-drafts/routes.ts'
import * as enrollmentMessages from './modules/coverage/enrollment-messages/routes.ts'
import * as enrollmentMessagePages from './modules/coverage/enrollment-messages/page-routes.ts'
import * as enrollmentWindows from './modules/coverage/enrollment-windows/routes.ts'
import * as terminations from './modules/coverage/terminations/routes.ts'
import * as openings from './modules/coverage/openings/routes.ts'
import * as renewals from './modules/coverage/renewals/routes.ts'
import * as renewalProposals from './modules/coverage/renewal-proposals/routes.ts'
import * as benefitsStatements from './modules/coverage/benefits-statements/routes.ts'
import * as beneficiaries from './modules/coverage/beneficiaries/routes.ts'
import * as dependents from './modules/coverage/dependents/routes.ts'
import * as lifeEvents from './modules/coverage/life-events/routes.ts'
import * as deductions from './modules/money/deductions/routes.ts'
import * as submissions from './modules/coverage/submissions/routes.ts'
import * as amendments from './modules/coverage/amendments/routes.ts'
import * as billingSystems from './modules/money/billing-systems/routes.ts'
import * as billing from './modules/money/billing/routes.ts'
import * as manualAdjustments from './modules/coverage/manual-adjustments/routes.ts'
import * as payrollActuals from './modules/money/payroll-actuals/routes.ts'
import * as reconciliation from './modules/money/reconciliation/routes.ts'
import * as stripeInvoices from './modules/money/stripe-invoices/routes.ts'
import * as employees from './modules/roster/employees/routes.ts'
import * as members from './modules/roster/members/routes.ts'
import * as employeeCorrections from './modules/roster/employee-corrections/routes.ts'
import * as census from './modules/roster/census/routes.ts'
import * as hris from './modules/roster/hris/routes.ts'
import * as groups from './modules/roster/groups/routes.ts'
import * as aleGroups from './modules/aca/ale-groups/routes.ts'
import * as assignments from './modules/aca/assignments/routes.ts'
import * as hours from './modules/aca/hours/routes.ts'
import * as measurement from './modules/aca/measurement/routes.ts'
import * as largeEmployer from './modules/aca/large-employer/routes.ts'
import * as forms from './modules/aca/forms/routes.ts'
import * as taxIdentifiers from './modules/aca/tax-identifiers/routes.ts'
import * as webhooks from './modules/events/webhooks/routes.ts'
import * as activity from './modules/events/activity/routes.ts'
import * as webhookDeliveries from './modules/events/webhook-deliveries/routes.ts'
import * as jobs from './modules/operations/jobs/routes.ts'
import * as overview from './modules/operations/overview/routes.ts'
import * as operator from './modules/operations/operator/routes.ts'
import { identity_provider } from './integrations/identity/provider.ts'
import { sign_in_provider } from './integrations/sign-in/provider.ts'
import { payroll } from './integrations/payroll/providers.ts'
import { scanner } from './integrations/scan/scanner.ts'
import { mailer } from './integrations/mail/mailer.ts'
import { stripe } from './integrations/stripe/stripe.ts'
import type { Incoming } from './http/callbacks.ts'
import { requestMissingMirror, tasks as organizations_tasks } from './modules/access/organizations/actions.ts'
import { hasMirrorToRequest } from './modules/access/organizations/queries.ts'
import { purgeSessions } from './modules/access/sessions/queries.ts'
import { cleanUpUsage } from './modules/access/usage/actions.ts'
import { export_kind, openExport, sealDay } from './modules/access/audit/actions.ts'
import { noteSubscriptionsBeginning, refreshBook } from './modules/directory/employers/actions.ts'
import { hasDailyBook } from './modules/directory/employers/queries.ts'
import { openDocumentFile } from './modules/directory/documents/actions.ts'
import { tasks as files_tasks } from './modules/directory/files/actions.ts'
import { dailyExports } from './modules/directory/scheduled-exports/actions.ts'
import { hasExportsDue } from './modules/directory/scheduled-exports/queries.ts'
import { tasks as scheduled_exports_tasks } from './modules/directory/scheduled-exports/sending-actions.ts'
import { dailyEmployerBenefits } from './modules/coverage/plan-years/actions.ts'
import { hasDailyBenefits } from './modules/coverage/plan-years/queries.ts'
import { openWindows, dailyEnrollments, tasks as enrollments_tasks } from './modules/coverage/enrollments/actions.ts'
import { hasDailyEnrollments } from './modules/coverage/enrollments/recalculation-queries.ts'
import { openEnrollmentsCsv } from './modules/coverage/plan-year-enrollments/queries.ts'
import { dailyRenewals, tasks as renewals_tasks } from './modules/coverage/renewals/actions.ts'
import { proposal_downloads } from './modules/coverage/renewal-proposals/actions.ts'
import { hasDailyRenewals } from './modules/coverage/renewals/queries.ts'
import { dailyDrafts } from './modules/coverage/enrollment-drafts/actions.ts'
import { hasClosedDrafts } from './modules/coverage/enrollment-drafts/queries.ts'
import { dailyMessages } from './modules/coverage/enrollment-messages/actions.ts'
import { hasScheduledMessages } from './modules/coverage/enrollment-messages/queries.ts'
import { tasks as enrollment_messages_tasks } from './modules/coverage/enrollment-messages/sending-actions.ts'
import { openAttachment } from './modules/coverage/life-events/actions.ts'
import { dailyEnds, tasks as dependent_coverage_tasks } from './modules/coverage/dependent-coverage/actions.ts'
import { hasDependentsEnding } from './modules/coverage/dependent-coverage/queries.ts'
import { dailyStatements, tasks as deductions_tasks } from './modules/money/deductions/actions.ts'
import { hasStatementsDue, findStatementCsv } from './modules/money/deductions/queries.ts'
import * as storedConfirmations from './modules/coverage/submissions/stored-confirmation-actions.ts'
import { statement_downloads } from './modules/coverage/benefits-statements/actions.ts'
import * as billingActions from './modules/money/billing/actions.ts'
import { hasDailyInvoices } from './modules/money/billing/queries.ts'
import { requestMirrors, tasks as stripe_invoices_tasks } from './modules/money/stripe-invoices/actions.ts'
import { hasInvoicesToMirror } from './modules/money/stripe-invoices/queries.ts'
import { deactivateEmployees } from './modules/roster/employees/actions.ts'
import { hasLeaversToPublish } from './modules/roster/employees/queries.ts'
import { requestDueSyncs, tasks as hris_tasks } from './modules/roster/hris/actions.ts'
import { hasSyncsDue } from './modules/roster/hris/run-queries.ts'
import { cleanUpDeliveries, tasks as webhook_deliveries_tasks } from './modules/events/webhook-deliveries/actions.ts'
import { tasks as amendment_tasks } from './modules/coverage/amendments/actions.ts'
import { tasks as returns_tasks } from './modules/coverage/returns/actions.ts'
import { tasks as census_tasks } from './modules/roster/census/actions.ts'
import { tasks as groups_tasks } from './modules/roster/groups/actions.ts'
import { form_downloads } from './modules/aca/forms/actions.ts'
import { measurement_work } from './modules/aca/measurement/actions.ts'
import { deliverWebhooks } from './modules/events/webhook-deliveries/background.ts'

/** All modules in order: each imports only from those above. Deleting a folder and its line deletes the feature. */
export const modules: Module[] = [
  {
    name: 'organizations',
    integrations: [identity_provider],
    tables: ['organizations', 'organization_counts', 'users', 'memberships', 'directory_counts'],
    endpoints: organizations.endpoints,
    tasks: organizations_tasks,
    runDay: [requestMissingMirror],
    hasDailyRun: hasMirrorToRequest,
  },
  { name: 'operators', tables: ['operators', 'operator_keys'], endpoints: operators.endpoints },
  { name: 'invitations', tables: ['operator_invitations', 'member_invitations'], endpoints: invitations.endpoints },
  {
    name: 'sessions',
    integrations: [sign_in_provider],
    tables: ['sessions', 'user_identities'],
    endpoints: sessions.endpoints,
    pages: sessions.pages,
    cleanUp: purgeSessions,
  },
  { name: 'auth', tables: [], endpoints: auth.endpoints },
  { name: 'api-keys', tables: ['api_keys'], endpoints: apiKeys.endpoints },
  { name: 'usage', tables: ['credential_usage'], endpoints: usage.endpoints, cleanUp: cleanUpUsage },
  {
    name: 'audit',
    tables: ['audit_seals'],
    endpoints: audit.endpoints,
    downloads: { [export_kind]: openExport },
    cleanUp: sealDay,
  },
  {
    name: 'ichra',
    tables: ['lowest_cost_silver_premiums', 'employee_wages', 'affordability_figures'],
    endpoints: ichra.endpoints,
  },
  { name: 'tasks', tables: ['tasks'], endpoints: operatorTasks.endpoints },
  {
    name: 'employers',
    tables: ['employers', 'employer_admins', 'employer_subscriptions', 'book_entries', 'book_counts'],
    endpoints: employers.endpoints,
    runDay: [noteSubscriptionsBeginning, refreshBook],
    hasDailyRun: hasDailyBook,
  },
  { name: 'notes', tables: ['notes', 'note_mentions'], endpoints: notes.endpoints },
  {
    name: 'catalog',
    tables: ['carriers', 'benefit_products', 'plans', 'plan_tier_rates', 'plan_area_rates', 'ichra_allowances'],
    endpoints: catalog.endpoints,
  },
  { name: 'files', tables: ['files', 'file_pieces'], endpoints: [], tasks: files_tasks, integrations: [scanner] },
  {
    name: 'documents',
    tables: ['documents', 'document_receipts'],
    endpoints: documents.endpoints,
    pages: documents.pages,
    downloads: { document: openDocumentFile },
  },
  { name: 'people', tables: ['members'], endpoints: [] },
  { name: 'identities', tables: [], endpoints: [] },
  {
    name: 'eligibility',
    tables: ['benefit_eligibility_policies', 'employee_eligibilities', 'eligibility_statuses'],
    endpoints: eligibility.endpoints,
  },
  { name: 'employer-setup', tables: ['plan_year_requests'], endpoints: employerSetup.endpoints },
  {
    name: 'plan-years',
    tables: [
      'benefit_plan_years',
      'plan_year_benefits',
      'plan_year_rates',
      'plan_year_contributions',
      'employer_benefits',
    ],
    endpoints: planYears.endpoints,
    runDay: [dailyEmployerBenefits],
    hasDailyRun: hasDailyBenefits,
  },
  { name: 'evidence', tables: ['enrollment_evidence'], endpoints: [] },
  { name: 'grants', tables: [], endpoints: [] },
  {
    name: 'enrollments',
    tables: ['enrollments'],
    endpoints: enrollments.endpoints,
    tasks: enrollments_tasks,
    runDay: [openWindows, dailyEnrollments],
    hasDailyRun: hasDailyEnrollments,
  },
  {
    name: 'plan-year-enrollments',
    tables: [],
    endpoints: planYearEnrollments.endpoints,
    downloads: { plan_year_enrollments_csv: openEnrollmentsCsv },
  },
  { name: 'trends', tables: [], endpoints: trends.endpoints },
  { name: 'enrollment-windows', tables: [], endpoints: enrollmentWindows.endpoints },
  {
    name: 'elections',
    tables: ['elections', 'covered_dependents', 'enrollment_corrections'],
    endpoints: elections.endpoints,
  },
  { name: 'returns', tables: [], endpoints: [], tasks: returns_tasks },
  { name: 'terminations', tables: [], endpoints: terminations.endpoints },
  {
    name: 'renewals',
    tables: [],
    endpoints: renewals.endpoints,
    tasks: renewals_tasks,
    runDay: [dailyRenewals],
    hasDailyRun: hasDailyRenewals,
  },
  {
    name: 'renewal-proposals',
    tables: ['renewal_proposals'],
    endpoints: renewalProposals.endpoints,
    downloads: proposal_downloads,
  },
  {
    name: 'enrollment-drafts',
    tables: ['enrollment_drafts'],
    endpoints: enrollmentDrafts.endpoints,
    runDay: [dailyDrafts],
    hasDailyRun: hasClosedDrafts,
  },
  {
    name: 'enrollment-agreements',
    tables: ['enrollment_agreements', 'enrollment_signatures'],
    endpoints: enrollmentAgreements.endpoints,
  },
  {
    name: 'enrollment-messages',
    integrations: [mailer],
    tables: [
      'enrollment_message_settings',
      'enrollment_schedules',
      'enrollment_messages',
      'bounced_addresses',
      'reminder_unsubscribes',
    ],
    endpoints: enrollmentMessages.endpoints,
    pages: enrollmentMessagePages.pages,
    tasks: enrollment_messages_tasks,
    runDay: [dailyMessages],
    hasDailyRun: hasScheduledMessages,
  },
  { name: 'openings', tables: [], endpoints: openings.endpoints },
  { name: 'dependents', tables: ['dependents'], endpoints: dependents.endpoints },
  { name: 'beneficiaries', tables: ['beneficiary_designations'], endpoints: beneficiaries.endpoints },
  {
    name: 'life-events',
    tables: ['qualifying_life_events', 'life_event_attachments'],
    endpoints: lifeEvents.endpoints,
    downloads: { life_event_attachment: openAttachment },
  },
  {
    name: 'dependent-coverage',
    tables: ['dependent_coverage_ends'],
    endpoints: [],
    tasks: dependent_coverage_tasks,
    runDay: [dailyEnds],
    hasDailyRun: hasDependentsEnding,
  },
  {
    name: 'deductions',
    tables: ['deduction_statements', 'deduction_lines', 'deduction_balances'],
    endpoints: deductions.endpoints,
    tasks: deductions_tasks,
    downloads: { payroll_deduction_statement_csv: findStatementCsv },
    runDay: [dailyStatements],
    hasDailyRun: hasStatementsDue,
  },
  {
    name: 'submissions',
    tables: ['enrollment_confirmations'],
    endpoints: submissions.endpoints,
    tasks: storedConfirmations.tasks,
    downloads: storedConfirmations.confirmations,
  },
  { name: 'benefits-statements', tables: [], endpoints: benefitsStatements.endpoints, downloads: statement_downloads },
  { name: 'amendments', tables: ['plan_year_amendments'], endpoints: amendments.endpoints, tasks: amendment_tasks },
  { name: 'billing-systems', tables: ['billing_systems'], endpoints: billingSystems.endpoints },
  {
    name: 'billing',
    integrations: [stripe],
    tables: ['invoice_counters', 'invoices', 'invoice_lines', 'invoice_runs', 'invoice_pdfs'],
    endpoints: billing.endpoints,
    tasks: billingActions.tasks,
    downloads: { invoice_pdf: billingActions.openInvoicePdf },
    runDay: [billingActions.noteInvoices, billingActions.requestDrafts, billingActions.issueDrafts],
    hasDailyRun: hasDailyInvoices,
  },
  { name: 'manual-adjustments', tables: ['manual_adjustments'], endpoints: manualAdjustments.endpoints },
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
  {
    name: 'employees',
    tables: ['employees', 'employee_classifications', 'employee_compensations', 'roster_terminations'],
    endpoints: employees.endpoints,
    runDay: [deactivateEmployees],
    hasDailyRun: hasLeaversToPublish,
  },
  { name: 'members', tables: [], endpoints: members.endpoints },
  { name: 'employee-corrections', tables: ['employee_corrections'], endpoints: employeeCorrections.endpoints },
  {
    name: 'census',
    tables: ['census_syncs', 'census_chunks', 'census_failures', 'census_warnings', 'census_changes', 'census_seen'],
    endpoints: census.endpoints,
    tasks: census_tasks,
  },
  {
    name: 'hris',
    integrations: [payroll],
    // Every minute: import new files from the payroll folder.
    schedule: ['* * * * * collect_hris_files ?jobKey=collect_hris_files'],
    tables: ['hris_connections', 'hris_runs'],
    endpoints: hris.endpoints,
    tasks: hris_tasks,
    runDay: [requestDueSyncs],
    hasDailyRun: hasSyncsDue,
  },
  {
    name: 'groups',
    tables: ['groups', 'group_members', 'group_member_syncs', 'group_member_chunks', 'group_member_failures'],
    endpoints: groups.endpoints,
    tasks: groups_tasks,
  },
  { name: 'ale-groups', tables: ['ale_groups', 'ale_members'], endpoints: aleGroups.endpoints },
  { name: 'assignments', tables: ['assignments'], endpoints: assignments.endpoints },
  { name: 'hours', tables: ['hours_of_service', 'hours_reports'], endpoints: hours.endpoints },
  { name: 'measurement', endpoints: measurement.endpoints, ...measurement_work },
  { name: 'large-employer', tables: [], endpoints: largeEmployer.endpoints },
  { name: 'affordability', tables: [], endpoints: [] },
  { name: 'offers', tables: [], endpoints: [] },
  { name: 'tax-identifiers', tables: ['tax_identifiers'], endpoints: taxIdentifiers.endpoints },
  { name: 'forms', tables: ['form_1095c_overrides'], endpoints: forms.endpoints, downloads: form_downloads },
  { name: 'webhooks', tables: ['webhook_subscriptions'], endpoints: webhooks.endpoints },
  { name: 'activity', tables: [], endpoints: activity.endpoints },
  {
    name: 'scheduled-exports',
    integrations: [mailer],
    tables: ['scheduled_exports', 'export_deliveries'],
    endpoints: scheduledExports.endpoints,
    tasks: scheduled_exports_tasks,
    runDay: [dailyExports],
    hasDailyRun: hasExportsDue,
  },
  {
    name: 'webhook-deliveries',
    tables: ['webhook_deliveries'],
    endpoints: webhookDeliveries.endpoints,
    tasks: webhook_deliveries_tasks,
    cleanUp: cleanUpDeliveries,
    background: deliverWebhooks,
  },
  { name: 'jobs', tables: [], endpoints: jobs.endpoints },
  { name: 'overview', tables: [], endpoints: overview.endpoints },
  { name: 'operator', tables: [], endpoints: operator.endpoints },
]

/** All endpoints, in the order of the contract. */
export const endpoints = modules.flatMap((module) => module.endpoints)

/** The external systems that modules connect to. */
export const integrations = new Set(modules.flatMap((module) => module.integrations ?? []))

/** Endpoints that external systems call. */
export const incoming: Incoming[] = modules.flatMap((module) => module.incoming ?? [])

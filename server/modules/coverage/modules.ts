import type { Module } from '../../runtime/module.ts'
import * as eligibility from './eligibility/routes.ts'
import * as employerSetup from './employer-setup/routes.ts'
import * as planYears from './plan-years/routes.ts'
import * as trends from './trends/routes.ts'
import * as enrollments from './enrollments/routes.ts'
import * as planYearEnrollments from './plan-year-enrollments/routes.ts'
import * as elections from './elections/routes.ts'
import * as enrollmentAgreements from './enrollment-agreements/routes.ts'
import * as enrollmentDrafts from './enrollment-drafts/routes.ts'
import * as enrollmentMessages from './enrollment-messages/routes.ts'
import * as enrollmentMessagePages from './enrollment-messages/page-routes.ts'
import * as enrollmentWindows from './enrollment-windows/routes.ts'
import * as terminations from './terminations/routes.ts'
import * as openings from './openings/routes.ts'
import * as renewals from './renewals/routes.ts'
import * as renewalProposals from './renewal-proposals/routes.ts'
import * as benefitsStatements from './benefits-statements/routes.ts'
import * as beneficiaries from './beneficiaries/routes.ts'
import * as dependents from './dependents/routes.ts'
import * as lifeEvents from './life-events/routes.ts'
import * as submissions from './submissions/routes.ts'
import * as amendments from './amendments/routes.ts'
import * as manualAdjustments from './manual-adjustments/routes.ts'
import { mailer } from '../../integrations/mail/mailer.ts'
import { dailyEmployerBenefits } from './plan-years/actions.ts'
import { hasDailyBenefits } from './plan-years/queries.ts'
import { openWindows, dailyEnrollments, tasks as enrollments_tasks } from './enrollments/actions.ts'
import { hasDailyEnrollments } from './enrollments/recalculation-queries.ts'
import { openEnrollmentsCsv } from './plan-year-enrollments/queries.ts'
import { dailyRenewals, tasks as renewals_tasks } from './renewals/actions.ts'
import { proposal_downloads } from './renewal-proposals/actions.ts'
import { hasDailyRenewals } from './renewals/queries.ts'
import { dailyDrafts } from './enrollment-drafts/actions.ts'
import { hasClosedDrafts } from './enrollment-drafts/queries.ts'
import { dailyMessages } from './enrollment-messages/actions.ts'
import { hasScheduledMessages } from './enrollment-messages/queries.ts'
import { email_downloads, tasks as enrollment_messages_tasks } from './enrollment-messages/sending-actions.ts'
import { openAttachment } from '../directory/files/actions.ts'
import { dailyEnds, tasks as dependent_coverage_tasks } from './dependent-coverage/actions.ts'
import { hasDependentsEnding } from './dependent-coverage/queries.ts'
import { downloads as confirmation_downloads, tasks as confirmation_tasks } from './submissions/confirmation-actions.ts'
import { statement_downloads } from './benefits-statements/actions.ts'
import { tasks as amendment_tasks } from './amendments/actions.ts'
import { tasks as returns_tasks } from './returns/actions.ts'

/** The modules of the district in order: each imports only from those above, and from districts below. */
export const coverage_modules: Module[] = [
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
    downloads: email_downloads,
    runDay: [dailyMessages],
    hasDailyRun: hasScheduledMessages,
  },
  { name: 'openings', tables: [], endpoints: openings.endpoints },
  {
    name: 'dependents',
    tables: ['dependents', 'dependent_attachments'],
    endpoints: dependents.endpoints,
    downloads: { dependent_attachment: openAttachment },
  },
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
    name: 'submissions',
    tables: ['enrollment_confirmations'],
    endpoints: submissions.endpoints,
    tasks: confirmation_tasks,
    downloads: confirmation_downloads,
  },
  { name: 'benefits-statements', tables: [], endpoints: benefitsStatements.endpoints, downloads: statement_downloads },
  { name: 'amendments', tables: ['plan_year_amendments'], endpoints: amendments.endpoints, tasks: amendment_tasks },
  { name: 'manual-adjustments', tables: ['manual_adjustments'], endpoints: manualAdjustments.endpoints },
]

// Generated from openapi.operator.json by npm run gen.

/** The refusal codes of every method with a credential. */
type Refused = 'invalid_organization_header' | 'invalid_request' | 'unauthorized' | 'organization_access_denied' | 'api_key_in_browser' | 'origin_not_allowed' | 'forbidden' | 'rate_limited' | 'internal_error' | 'unavailable'

/** The refusal codes of each method. */
export interface OperatorErrors {
  'sandbox.getClock': Refused | 'not_found'
  'sandbox.moveClock': Refused | 'not_found' | 'conflict' | 'organization_is_not_a_sandbox' | 'clock_moves_forward_only' | 'work_is_pending' | 'payload_too_large' | 'unsupported_media_type' | 'clock_moves_too_far'
  'authentication.getToken': Refused
  'operators.list': Refused
  'operators.create': Refused | 'sign_in_again' | 'idempotency_key_in_progress' | 'idempotency_response_expired' | 'conflict' | 'owner_exists' | 'payload_too_large' | 'unsupported_media_type' | 'idempotency_key_reused'
  'operators.update': Refused | 'sign_in_again' | 'not_found' | 'conflict' | 'last_owner' | 'payload_too_large' | 'unsupported_media_type'
  'operators.dismiss': Refused | 'not_found' | 'conflict' | 'last_owner'
  'operators.listKeys': Refused | 'not_found'
  'operators.createKey': Refused | 'sign_in_again' | 'not_found' | 'idempotency_key_in_progress' | 'idempotency_response_expired' | 'conflict' | 'payload_too_large' | 'unsupported_media_type' | 'idempotency_key_reused'
  'operators.revokeKey': Refused | 'not_found' | 'conflict'
  'operators.listInvitations': Refused
  'operators.invite': Refused | 'sign_in_again' | 'idempotency_key_in_progress' | 'idempotency_response_expired' | 'conflict' | 'payload_too_large' | 'unsupported_media_type' | 'idempotency_key_reused'
  'operators.withdrawInvitation': Refused | 'not_found' | 'conflict'
  'invitations.list': Refused | 'not_found'
  'invitations.create': Refused | 'sign_in_again' | 'not_found' | 'idempotency_key_in_progress' | 'idempotency_response_expired' | 'conflict' | 'too_many_invitations' | 'payload_too_large' | 'unsupported_media_type' | 'idempotency_key_reused'
  'invitations.withdraw': Refused | 'not_found' | 'conflict'
  'sessions.list': Refused
  'sessions.revoke': Refused | 'not_found' | 'conflict'
  'organizations.listUsage': Refused | 'not_found'
  'apiKeys.listUsage': Refused | 'not_found'
  'auditEntries.list': Refused
  'auditEntries.export': Refused
  'ichra.importLowestCostSilverPremiums': Refused | 'idempotency_key_in_progress' | 'conflict' | 'payload_too_large' | 'unsupported_media_type' | 'idempotency_key_reused'
  'ichra.listLowestCostSilverPremiums': Refused
  'ichra.setAffordabilityFigures': Refused | 'idempotency_key_in_progress' | 'conflict' | 'payload_too_large' | 'unsupported_media_type' | 'idempotency_key_reused'
  'ichra.listAffordabilityFigures': Refused
  'tasks.list': Refused
  'employers.get': Refused | 'not_found'
  'employers.getSettings': Refused | 'not_found'
  'employers.list': Refused
  'employers.listAdmins': Refused | 'not_found'
  'employers.addAdmin': Refused | 'not_found' | 'idempotency_key_in_progress' | 'conflict' | 'employer_admin_already_exists' | 'payload_too_large' | 'unsupported_media_type' | 'idempotency_key_reused'
  'employers.removeAdmin': Refused | 'not_found' | 'conflict'
  'employers.administer': Refused | 'not_found' | 'conflict' | 'months_adjusted_manually' | 'payload_too_large' | 'unsupported_media_type'
  'notes.listOfEmployer': Refused | 'not_found'
  'notes.addToEmployer': Refused | 'not_found' | 'idempotency_key_in_progress' | 'conflict' | 'payload_too_large' | 'unsupported_media_type' | 'idempotency_key_reused'
  'notes.listOfEmployee': Refused | 'not_found'
  'notes.addToEmployee': Refused | 'not_found' | 'idempotency_key_in_progress' | 'conflict' | 'payload_too_large' | 'unsupported_media_type' | 'idempotency_key_reused'
  'notes.update': Refused | 'not_found' | 'conflict' | 'note_of_another_author' | 'payload_too_large' | 'unsupported_media_type'
  'notes.delete': Refused | 'not_found' | 'conflict' | 'note_of_another_author'
  'catalog.import': Refused | 'not_found' | 'idempotency_key_in_progress' | 'conflict' | 'payload_too_large' | 'unsupported_media_type' | 'idempotency_key_reused' | 'benefit_has_another_product_code' | 'benefit_has_another_category'
  'catalog.get': Refused | 'not_found'
  'catalog.updateBenefit': Refused | 'not_found' | 'conflict' | 'payload_too_large' | 'unsupported_media_type'
  'employees.explainEligibility': Refused | 'not_found'
  'employers.getSetup': Refused | 'not_found'
  'planYears.list': Refused | 'not_found'
  'planYears.open': Refused | 'not_found' | 'idempotency_key_in_progress' | 'conflict' | 'plan_year_overlaps' | 'payload_too_large' | 'unsupported_media_type' | 'idempotency_key_reused' | 'invalid_plan_year' | 'unknown_benefit' | 'unknown_plan' | 'plan_has_no_rate' | 'contribution_does_not_fit' | 'contribution_missing' | 'invalid_plan_successors' | 'invalid_choice_groups'
  'enrollments.list': Refused | 'not_found'
  'enrollments.get': Refused | 'not_found'
  'enrollments.getHistory': Refused | 'not_found'
  'enrollments.correct': Refused | 'not_found' | 'idempotency_key_in_progress' | 'conflict' | 'enrollment_is_inactive' | 'payload_too_large' | 'unsupported_media_type' | 'idempotency_key_reused' | 'plan_not_offered' | 'individual_plan_does_not_fit' | 'dependents_do_not_fit_tier' | 'dependent_not_coverable'
  'enrollments.reissue': Refused | 'not_found' | 'idempotency_key_in_progress' | 'conflict' | 'enrollment_is_not_ended' | 'choice_group_taken' | 'payload_too_large' | 'unsupported_media_type' | 'idempotency_key_reused'
  'planYears.update': Refused | 'not_found' | 'conflict' | 'plan_year_has_started' | 'plan_year_is_amended' | 'plan_year_has_elections' | 'plan_year_overlaps' | 'payload_too_large' | 'unsupported_media_type' | 'invalid_plan_year' | 'unknown_benefit' | 'unknown_plan' | 'plan_has_no_rate' | 'contribution_does_not_fit' | 'contribution_missing' | 'invalid_plan_successors' | 'invalid_choice_groups'
  'planYears.copy': Refused | 'not_found' | 'idempotency_key_in_progress' | 'conflict' | 'plan_year_overlaps' | 'payload_too_large' | 'unsupported_media_type' | 'idempotency_key_reused' | 'invalid_plan_year' | 'unknown_benefit' | 'unknown_plan' | 'plan_has_no_rate' | 'contribution_does_not_fit' | 'contribution_missing' | 'invalid_plan_successors' | 'invalid_choice_groups'
  'dependents.list': Refused | 'not_found'
  'dependents.approveDisability': Refused | 'not_found' | 'idempotency_key_in_progress' | 'conflict' | 'dependent_already_disabled' | 'payload_too_large' | 'unsupported_media_type' | 'idempotency_key_reused'
  'dependents.withdrawDisability': Refused | 'not_found' | 'conflict' | 'dependent_not_disabled'
  'lifeEvents.listOf': Refused | 'not_found'
  'lifeEvents.list': Refused
  'lifeEvents.approve': Refused | 'not_found' | 'idempotency_key_in_progress' | 'conflict' | 'life_event_already_decided' | 'payload_too_large' | 'unsupported_media_type' | 'idempotency_key_reused'
  'lifeEvents.decline': Refused | 'not_found' | 'idempotency_key_in_progress' | 'conflict' | 'life_event_already_decided' | 'payload_too_large' | 'unsupported_media_type' | 'idempotency_key_reused'
  'planYears.listAmendments': Refused | 'not_found'
  'planYears.amend': Refused | 'not_found' | 'idempotency_key_in_progress' | 'conflict' | 'too_many_amendments' | 'plan_year_overlaps' | 'payload_too_large' | 'unsupported_media_type' | 'idempotency_key_reused' | 'invalid_amendment' | 'invalid_plan_year' | 'unknown_benefit' | 'unknown_plan' | 'plan_has_no_rate' | 'contribution_does_not_fit' | 'contribution_missing'
  'planYears.withdrawAmendment': Refused | 'not_found' | 'idempotency_key_in_progress' | 'conflict' | 'amendment_is_withdrawn' | 'amendment_is_not_last' | 'plan_year_overlaps' | 'payload_too_large' | 'unsupported_media_type' | 'idempotency_key_reused' | 'invalid_amendment'
  'manualAdjustments.list': Refused | 'not_found'
  'manualAdjustments.book': Refused | 'not_found' | 'idempotency_key_in_progress' | 'conflict' | 'payload_too_large' | 'unsupported_media_type' | 'idempotency_key_reused' | 'month_in_correction_window'
  'statements.list': Refused | 'not_found'
  'deductions.prove': Refused | 'not_found'
  'statements.listAll': Refused | 'not_found'
  'statements.run': Refused | 'not_found' | 'idempotency_key_in_progress' | 'conflict' | 'payload_too_large' | 'unsupported_media_type' | 'idempotency_key_reused'
  'billingSystem.get': Refused | 'not_found'
  'billingSystem.choose': Refused | 'not_found' | 'conflict' | 'payload_too_large' | 'unsupported_media_type' | 'stripe_secret_key_missing'
  'invoices.getPdf': Refused | 'not_found' | 'upstream_error'
  'invoices.listLines': Refused | 'not_found'
  'invoices.listAll': Refused | 'not_found'
  'invoices.listAging': Refused | 'not_found'
  'invoices.list': Refused | 'not_found' | 'employer_has_no_billing_account'
  'invoices.runDay': Refused | 'not_found' | 'idempotency_key_in_progress' | 'conflict' | 'invoice_already_drafted' | 'idempotency_key_reused'
  'invoices.issue': Refused | 'not_found' | 'idempotency_key_in_progress' | 'conflict' | 'invoice_is_paid' | 'invoice_is_void' | 'idempotency_key_reused'
  'invoices.pay': Refused | 'not_found' | 'idempotency_key_in_progress' | 'conflict' | 'invoice_is_draft' | 'invoice_is_void' | 'payload_too_large' | 'unsupported_media_type' | 'idempotency_key_reused'
  'invoices.void': Refused | 'not_found' | 'idempotency_key_in_progress' | 'conflict' | 'invoice_is_paid' | 'payload_too_large' | 'unsupported_media_type' | 'idempotency_key_reused'
  'invoices.getReconciliation': Refused | 'not_found'
  'employees.get': Refused | 'not_found'
  'members.get': Refused | 'not_found'
  'members.listEnrollments': Refused | 'not_found'
  'dependents.find': Refused
  'members.find': Refused
  'employees.reinstate': Refused | 'invalid_employee_update' | 'not_found' | 'idempotency_key_in_progress' | 'conflict' | 'employer_has_no_active_subscription' | 'nothing_to_reinstate' | 'employee_was_rehired' | 'payload_too_large' | 'unsupported_media_type' | 'idempotency_key_reused'
  'employees.terminate': Refused | 'invalid_employee_update' | 'not_found' | 'idempotency_key_in_progress' | 'conflict' | 'employee_already_terminated' | 'payload_too_large' | 'unsupported_media_type' | 'idempotency_key_reused'
  'employees.correct': Refused | 'invalid_employee_update' | 'not_found' | 'idempotency_key_in_progress' | 'conflict' | 'payload_too_large' | 'unsupported_media_type' | 'idempotency_key_reused'
  'employees.listCorrections': Refused | 'not_found'
  'census.listOpen': Refused
  'census.list': Refused | 'not_found'
  'census.get': Refused | 'not_found'
  'census.confirm': Refused | 'not_found' | 'idempotency_key_in_progress' | 'conflict' | 'census_sync_not_held' | 'employer_has_hris_connection' | 'census_sync_superseded' | 'idempotency_key_reused'
  'census.discard': Refused | 'not_found' | 'idempotency_key_in_progress' | 'conflict' | 'census_sync_not_held' | 'idempotency_key_reused'
  'hris.connect': Refused | 'not_found' | 'idempotency_key_in_progress' | 'conflict' | 'hris_connection_already_exists' | 'sandbox_payroll_not_allowed' | 'payload_too_large' | 'unsupported_media_type' | 'idempotency_key_reused'
  'hris.listConnections': Refused | 'not_found'
  'hris.getConnection': Refused | 'not_found'
  'hris.pause': Refused | 'not_found' | 'idempotency_key_in_progress' | 'conflict' | 'hris_connection_has_ended' | 'hris_connection_is_paused' | 'idempotency_key_reused'
  'hris.resume': Refused | 'not_found' | 'idempotency_key_in_progress' | 'conflict' | 'hris_connection_has_ended' | 'hris_connection_is_running' | 'idempotency_key_reused'
  'hris.renewAccess': Refused | 'not_found' | 'conflict' | 'hris_connection_has_ended' | 'hris_connection_without_token' | 'payload_too_large' | 'unsupported_media_type'
  'hris.disconnect': Refused | 'not_found' | 'idempotency_key_in_progress' | 'conflict' | 'hris_connection_has_ended' | 'idempotency_key_reused'
  'hris.sync': Refused | 'not_found' | 'idempotency_key_in_progress' | 'conflict' | 'hris_connection_has_ended' | 'hris_connection_is_paused' | 'hris_connection_is_inactive' | 'idempotency_key_reused'
  'hris.uploadFile': Refused | 'not_found' | 'idempotency_key_in_progress' | 'conflict' | 'hris_connection_has_ended' | 'hris_connection_is_paused' | 'hris_connection_without_files' | 'employer_has_no_active_subscription' | 'payload_too_large' | 'unsupported_media_type' | 'idempotency_key_reused'
  'hris.setSandboxPayroll': Refused | 'not_found' | 'conflict' | 'hris_connection_has_ended' | 'hris_connection_is_not_sandbox' | 'payload_too_large' | 'unsupported_media_type'
  'hris.listRuns': Refused | 'not_found'
  'hris.getRun': Refused | 'not_found'
  'hris.listRunPeople': Refused | 'not_found'
  'hris.confirmRun': Refused | 'not_found' | 'idempotency_key_in_progress' | 'conflict' | 'census_sync_not_held' | 'census_sync_superseded' | 'idempotency_key_reused'
  'hris.listOpenConnections': Refused
  'groups.listMemberSyncs': Refused
  'groups.getMemberSync': Refused | 'not_found'
  'employers.getAffordability': Refused | 'not_found'
  'webhookSubscriptions.list': Refused
  'webhookEvents.list': Refused | 'not_found'
  'webhookEvents.countByDay': Refused | 'not_found'
  'webhookEvents.listDeliveries': Refused | 'not_found'
  'webhookSubscriptions.listDeliveries': Refused | 'not_found'
  'webhookSubscriptions.resume': Refused | 'not_found' | 'idempotency_key_in_progress' | 'conflict' | 'webhook_subscription_disabled_on_request' | 'idempotency_key_reused'
  'jobs.list': Refused
  'jobs.get': Refused | 'not_found'
  'jobs.run': Refused | 'not_found' | 'idempotency_key_in_progress' | 'conflict' | 'job_is_running' | 'idempotency_key_reused'
  'overview.get': Refused
  'users.list': Refused
  'users.create': Refused | 'idempotency_key_in_progress' | 'conflict' | 'payload_too_large' | 'unsupported_media_type' | 'idempotency_key_reused'
  'users.get': Refused | 'not_found'
  'organizations.list': Refused
  'organizations.create': Refused | 'sign_in_again' | 'idempotency_key_in_progress' | 'conflict' | 'payload_too_large' | 'unsupported_media_type' | 'idempotency_key_reused'
  'organizations.get': Refused | 'not_found'
  'organizations.runDay': Refused | 'not_found' | 'idempotency_key_in_progress' | 'conflict' | 'idempotency_key_reused'
  'memberships.list': Refused | 'not_found'
  'memberships.grant': Refused | 'sign_in_again' | 'not_found' | 'idempotency_key_in_progress' | 'conflict' | 'membership_already_exists' | 'payload_too_large' | 'unsupported_media_type' | 'idempotency_key_reused'
  'memberships.end': Refused | 'not_found' | 'conflict'
  'apiKeys.create': Refused | 'sign_in_again' | 'idempotency_key_in_progress' | 'idempotency_response_expired' | 'conflict' | 'payload_too_large' | 'unsupported_media_type' | 'idempotency_key_reused' | 'user_is_not_a_member' | 'key_of_other_mode'
  'apiKeys.list': Refused
  'apiKeys.revoke': Refused | 'not_found' | 'conflict'
  'subscriptions.list': Refused | 'not_found'
  'subscriptions.grant': Refused | 'not_found' | 'idempotency_key_in_progress' | 'conflict' | 'employer_has_active_subscription' | 'payload_too_large' | 'unsupported_media_type' | 'idempotency_key_reused'
  'subscriptions.end': Refused | 'not_found' | 'idempotency_key_in_progress' | 'conflict' | 'employer_has_no_active_subscription' | 'payload_too_large' | 'unsupported_media_type' | 'idempotency_key_reused' | 'subscription_ends_before_it_starts'
}

// Generated from openapi.operator.json by npm run gen.

/** The refusal codes of every method with a credential. */
type Refused = 'invalid_organization_header' | 'invalid_request' | 'unauthorized' | 'organization_access_denied' | 'api_key_in_browser' | 'origin_not_allowed' | 'forbidden' | 'rate_limited' | 'internal_error' | 'unavailable'

interface Refusals {
  Conflict: 'conflict'
  ConflictOrInProgress: 'idempotency_key_in_progress' | 'conflict'
  ConflictOrResponseExpired: 'idempotency_key_in_progress' | 'idempotency_response_expired' | 'conflict'
  ForbiddenOrSignInAgain: 'sign_in_again'
  IdempotencyKeyReused: 'idempotency_key_reused'
  NotFound: 'not_found'
  OperatorAddEmployerAdminConflict: 'idempotency_key_in_progress' | 'conflict' | 'employer_admin_already_exists'
  OperatorAdministerEmployerConflict: 'conflict' | 'months_adjusted_manually'
  OperatorAmendBenefitPlanYearConflict: 'idempotency_key_in_progress' | 'conflict' | 'too_many_amendments' | 'plan_year_overlaps'
  OperatorAmendBenefitPlanYearUnprocessable: 'idempotency_key_reused' | 'invalid_amendment' | 'invalid_plan_year' | 'unknown_benefit' | 'unknown_plan' | 'plan_has_no_rate' | 'contribution_does_not_fit' | 'contribution_missing'
  OperatorApproveDisabilityConflict: 'idempotency_key_in_progress' | 'conflict' | 'dependent_already_disabled'
  OperatorApproveLifeEventConflict: 'idempotency_key_in_progress' | 'conflict' | 'life_event_already_decided'
  OperatorBookManualAdjustmentUnprocessable: 'idempotency_key_reused' | 'month_in_correction_window'
  OperatorChangeBenefitPlanYearConflict: 'conflict' | 'plan_year_has_started' | 'plan_year_is_amended' | 'plan_year_has_elections' | 'plan_year_overlaps'
  OperatorChangeBenefitPlanYearUnprocessable: 'invalid_plan_year' | 'unknown_benefit' | 'unknown_plan' | 'plan_has_no_rate' | 'contribution_does_not_fit' | 'contribution_missing' | 'invalid_plan_successors' | 'invalid_choice_groups'
  OperatorChangeOperatorConflict: 'conflict' | 'last_owner'
  OperatorChooseBillingSystemUnprocessable: 'stripe_secret_key_missing'
  OperatorConfirmCensusSyncConflict: 'idempotency_key_in_progress' | 'conflict' | 'census_sync_not_held' | 'employer_has_hris_connection' | 'census_sync_superseded'
  OperatorConfirmHrisRunConflict: 'idempotency_key_in_progress' | 'conflict' | 'census_sync_not_held' | 'census_sync_superseded'
  OperatorConnectHrisConflict: 'idempotency_key_in_progress' | 'conflict' | 'hris_connection_already_exists' | 'sandbox_payroll_not_allowed'
  OperatorCorrectEnrollmentConflict: 'idempotency_key_in_progress' | 'conflict' | 'enrollment_is_inactive'
  OperatorCorrectEnrollmentUnprocessable: 'idempotency_key_reused' | 'plan_not_offered' | 'individual_plan_does_not_fit' | 'dependents_do_not_fit_tier' | 'dependent_not_coverable'
  OperatorCreateApiKeyUnprocessable: 'idempotency_key_reused' | 'user_is_not_a_member' | 'key_of_other_mode'
  OperatorCreateOperatorConflict: 'idempotency_key_in_progress' | 'idempotency_response_expired' | 'conflict' | 'owner_exists'
  OperatorDiscardCensusSyncConflict: 'idempotency_key_in_progress' | 'conflict' | 'census_sync_not_held'
  OperatorDisconnectHrisConflict: 'idempotency_key_in_progress' | 'conflict' | 'hris_connection_has_ended'
  OperatorEndSubscriptionConflict: 'idempotency_key_in_progress' | 'conflict' | 'employer_has_no_active_subscription'
  OperatorEndSubscriptionUnprocessable: 'idempotency_key_reused' | 'subscription_ends_before_it_starts'
  OperatorGrantMembershipConflict: 'idempotency_key_in_progress' | 'conflict' | 'membership_already_exists'
  OperatorGrantSubscriptionConflict: 'idempotency_key_in_progress' | 'conflict' | 'employer_has_active_subscription'
  OperatorImportCatalogUnprocessable: 'idempotency_key_reused' | 'benefit_has_another_product_code' | 'benefit_has_another_category'
  OperatorInviteMemberConflict: 'idempotency_key_in_progress' | 'idempotency_response_expired' | 'conflict' | 'too_many_invitations'
  OperatorIssueInvoiceConflict: 'idempotency_key_in_progress' | 'conflict' | 'invoice_is_paid' | 'invoice_is_void'
  OperatorListInvoicesUnprocessable: 'employer_has_no_billing_account'
  OperatorMoveClockConflict: 'conflict' | 'organization_is_not_a_sandbox' | 'clock_moves_forward_only' | 'work_is_pending'
  OperatorMoveClockUnprocessable: 'clock_moves_too_far'
  OperatorOpenBenefitPlanYearConflict: 'idempotency_key_in_progress' | 'conflict' | 'plan_year_overlaps'
  OperatorOpenBenefitPlanYearUnprocessable: 'idempotency_key_reused' | 'invalid_plan_year' | 'unknown_benefit' | 'unknown_plan' | 'plan_has_no_rate' | 'contribution_does_not_fit' | 'contribution_missing' | 'invalid_plan_successors' | 'invalid_choice_groups'
  OperatorPauseHrisConflict: 'idempotency_key_in_progress' | 'conflict' | 'hris_connection_has_ended' | 'hris_connection_is_paused'
  OperatorPayInvoiceConflict: 'idempotency_key_in_progress' | 'conflict' | 'invoice_is_draft' | 'invoice_is_void'
  OperatorReinstateEmployeeBadRequest: 'invalid_employee_update'
  OperatorReinstateEmployeeConflict: 'idempotency_key_in_progress' | 'conflict' | 'employer_has_no_active_subscription' | 'nothing_to_reinstate' | 'employee_was_rehired'
  OperatorReissueEnrollmentConflict: 'idempotency_key_in_progress' | 'conflict' | 'enrollment_is_not_ended' | 'choice_group_taken'
  OperatorRenewHrisAccessConflict: 'conflict' | 'hris_connection_has_ended' | 'hris_connection_without_token'
  OperatorResumeHrisConflict: 'idempotency_key_in_progress' | 'conflict' | 'hris_connection_has_ended' | 'hris_connection_is_running'
  OperatorResumeWebhookSubscriptionConflict: 'idempotency_key_in_progress' | 'conflict' | 'webhook_subscription_disabled_on_request'
  OperatorRunInvoiceDayConflict: 'idempotency_key_in_progress' | 'conflict' | 'invoice_already_drafted'
  OperatorRunJobConflict: 'idempotency_key_in_progress' | 'conflict' | 'job_is_running'
  OperatorSetSandboxPayrollConflict: 'conflict' | 'hris_connection_has_ended' | 'hris_connection_is_not_sandbox'
  OperatorSyncHrisConflict: 'idempotency_key_in_progress' | 'conflict' | 'hris_connection_has_ended' | 'hris_connection_is_paused' | 'hris_connection_is_inactive'
  OperatorTerminateEmployeeConflict: 'idempotency_key_in_progress' | 'conflict' | 'employee_already_terminated'
  OperatorUploadHrisFileConflict: 'idempotency_key_in_progress' | 'conflict' | 'hris_connection_has_ended' | 'hris_connection_is_paused' | 'hris_connection_without_files' | 'employer_has_no_active_subscription'
  OperatorVoidInvoiceConflict: 'idempotency_key_in_progress' | 'conflict' | 'invoice_is_paid'
  OperatorWithdrawBenefitPlanYearAmendmentConflict: 'idempotency_key_in_progress' | 'conflict' | 'amendment_is_withdrawn' | 'amendment_is_not_last' | 'plan_year_overlaps'
  OperatorWithdrawBenefitPlanYearAmendmentUnprocessable: 'idempotency_key_reused' | 'invalid_amendment'
  OperatorWithdrawDisabilityConflict: 'conflict' | 'dependent_not_disabled'
  PayloadTooLarge: 'payload_too_large'
  UnsupportedMediaType: 'unsupported_media_type'
  UpstreamError: 'upstream_error'
}

/** The refusal codes of each method. */
export interface OperatorErrors {
  'sandbox.getClock': Refused | Refusals['NotFound']
  'sandbox.moveClock': Refused | Refusals['NotFound' | 'OperatorMoveClockConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'OperatorMoveClockUnprocessable']
  'authentication.getToken': Refused
  'operators.list': Refused
  'operators.create': Refused | Refusals['ForbiddenOrSignInAgain' | 'OperatorCreateOperatorConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'IdempotencyKeyReused']
  'operators.update': Refused | Refusals['ForbiddenOrSignInAgain' | 'NotFound' | 'OperatorChangeOperatorConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType']
  'operators.dismiss': Refused | Refusals['NotFound' | 'OperatorChangeOperatorConflict']
  'operators.listKeys': Refused | Refusals['NotFound']
  'operators.createKey': Refused | Refusals['ForbiddenOrSignInAgain' | 'NotFound' | 'ConflictOrResponseExpired' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'IdempotencyKeyReused']
  'operators.revokeKey': Refused | Refusals['NotFound' | 'Conflict']
  'operators.listInvitations': Refused
  'operators.invite': Refused | Refusals['ForbiddenOrSignInAgain' | 'ConflictOrResponseExpired' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'IdempotencyKeyReused']
  'operators.withdrawInvitation': Refused | Refusals['NotFound' | 'Conflict']
  'invitations.list': Refused | Refusals['NotFound']
  'invitations.create': Refused | Refusals['ForbiddenOrSignInAgain' | 'NotFound' | 'OperatorInviteMemberConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'IdempotencyKeyReused']
  'invitations.withdraw': Refused | Refusals['NotFound' | 'Conflict']
  'sessions.list': Refused
  'sessions.revoke': Refused | Refusals['NotFound' | 'Conflict']
  'organizations.listUsage': Refused | Refusals['NotFound']
  'apiKeys.listUsage': Refused | Refusals['NotFound']
  'auditEntries.list': Refused
  'auditEntries.export': Refused
  'ichra.importLowestCostSilverPremiums': Refused | Refusals['ConflictOrInProgress' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'IdempotencyKeyReused']
  'ichra.listLowestCostSilverPremiums': Refused
  'ichra.setAffordabilityFigures': Refused | Refusals['ConflictOrInProgress' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'IdempotencyKeyReused']
  'ichra.listAffordabilityFigures': Refused
  'tasks.list': Refused
  'employers.get': Refused | Refusals['NotFound']
  'employers.getSettings': Refused | Refusals['NotFound']
  'employers.list': Refused
  'employers.listAdmins': Refused | Refusals['NotFound']
  'employers.addAdmin': Refused | Refusals['NotFound' | 'OperatorAddEmployerAdminConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'IdempotencyKeyReused']
  'employers.removeAdmin': Refused | Refusals['NotFound' | 'Conflict']
  'employers.administer': Refused | Refusals['NotFound' | 'OperatorAdministerEmployerConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType']
  'catalog.import': Refused | Refusals['NotFound' | 'ConflictOrInProgress' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'OperatorImportCatalogUnprocessable']
  'catalog.get': Refused | Refusals['NotFound']
  'employees.explainEligibility': Refused | Refusals['NotFound']
  'employers.getSetup': Refused | Refusals['NotFound']
  'planYears.list': Refused | Refusals['NotFound']
  'planYears.open': Refused | Refusals['NotFound' | 'OperatorOpenBenefitPlanYearConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'OperatorOpenBenefitPlanYearUnprocessable']
  'enrollments.list': Refused | Refusals['NotFound']
  'enrollments.get': Refused | Refusals['NotFound']
  'enrollments.getHistory': Refused | Refusals['NotFound']
  'enrollments.correct': Refused | Refusals['NotFound' | 'OperatorCorrectEnrollmentConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'OperatorCorrectEnrollmentUnprocessable']
  'enrollments.reissue': Refused | Refusals['NotFound' | 'OperatorReissueEnrollmentConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'IdempotencyKeyReused']
  'planYears.update': Refused | Refusals['NotFound' | 'OperatorChangeBenefitPlanYearConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'OperatorChangeBenefitPlanYearUnprocessable']
  'planYears.copy': Refused | Refusals['NotFound' | 'OperatorOpenBenefitPlanYearConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'OperatorOpenBenefitPlanYearUnprocessable']
  'dependents.list': Refused | Refusals['NotFound']
  'dependents.approveDisability': Refused | Refusals['NotFound' | 'OperatorApproveDisabilityConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'IdempotencyKeyReused']
  'dependents.withdrawDisability': Refused | Refusals['NotFound' | 'OperatorWithdrawDisabilityConflict']
  'lifeEvents.listOf': Refused | Refusals['NotFound']
  'lifeEvents.list': Refused
  'lifeEvents.approve': Refused | Refusals['NotFound' | 'OperatorApproveLifeEventConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'IdempotencyKeyReused']
  'lifeEvents.decline': Refused | Refusals['NotFound' | 'OperatorApproveLifeEventConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'IdempotencyKeyReused']
  'statements.list': Refused | Refusals['NotFound']
  'deductions.prove': Refused | Refusals['NotFound']
  'statements.listAll': Refused | Refusals['NotFound']
  'statements.run': Refused | Refusals['NotFound' | 'ConflictOrInProgress' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'IdempotencyKeyReused']
  'planYears.listAmendments': Refused | Refusals['NotFound']
  'planYears.amend': Refused | Refusals['NotFound' | 'OperatorAmendBenefitPlanYearConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'OperatorAmendBenefitPlanYearUnprocessable']
  'planYears.withdrawAmendment': Refused | Refusals['NotFound' | 'OperatorWithdrawBenefitPlanYearAmendmentConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'OperatorWithdrawBenefitPlanYearAmendmentUnprocessable']
  'billingSystem.get': Refused | Refusals['NotFound']
  'billingSystem.choose': Refused | Refusals['NotFound' | 'Conflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'OperatorChooseBillingSystemUnprocessable']
  'invoices.getPdf': Refused | Refusals['NotFound' | 'UpstreamError']
  'invoices.listLines': Refused | Refusals['NotFound']
  'invoices.listAll': Refused | Refusals['NotFound']
  'invoices.listAging': Refused | Refusals['NotFound']
  'invoices.list': Refused | Refusals['NotFound' | 'OperatorListInvoicesUnprocessable']
  'invoices.runDay': Refused | Refusals['NotFound' | 'OperatorRunInvoiceDayConflict' | 'IdempotencyKeyReused']
  'invoices.issue': Refused | Refusals['NotFound' | 'OperatorIssueInvoiceConflict' | 'IdempotencyKeyReused']
  'invoices.pay': Refused | Refusals['NotFound' | 'OperatorPayInvoiceConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'IdempotencyKeyReused']
  'invoices.void': Refused | Refusals['NotFound' | 'OperatorVoidInvoiceConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'IdempotencyKeyReused']
  'manualAdjustments.list': Refused | Refusals['NotFound']
  'manualAdjustments.book': Refused | Refusals['NotFound' | 'ConflictOrInProgress' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'OperatorBookManualAdjustmentUnprocessable']
  'invoices.getReconciliation': Refused | Refusals['NotFound']
  'employees.get': Refused | Refusals['NotFound']
  'members.get': Refused | Refusals['NotFound']
  'members.listEnrollments': Refused | Refusals['NotFound']
  'dependents.find': Refused
  'members.find': Refused
  'employees.reinstate': Refused | Refusals['OperatorReinstateEmployeeBadRequest' | 'NotFound' | 'OperatorReinstateEmployeeConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'IdempotencyKeyReused']
  'employees.terminate': Refused | Refusals['OperatorReinstateEmployeeBadRequest' | 'NotFound' | 'OperatorTerminateEmployeeConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'IdempotencyKeyReused']
  'employees.correct': Refused | Refusals['OperatorReinstateEmployeeBadRequest' | 'NotFound' | 'ConflictOrInProgress' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'IdempotencyKeyReused']
  'employees.listCorrections': Refused | Refusals['NotFound']
  'census.listOpen': Refused
  'census.list': Refused | Refusals['NotFound']
  'census.get': Refused | Refusals['NotFound']
  'census.confirm': Refused | Refusals['NotFound' | 'OperatorConfirmCensusSyncConflict' | 'IdempotencyKeyReused']
  'census.discard': Refused | Refusals['NotFound' | 'OperatorDiscardCensusSyncConflict' | 'IdempotencyKeyReused']
  'hris.connect': Refused | Refusals['NotFound' | 'OperatorConnectHrisConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'IdempotencyKeyReused']
  'hris.listConnections': Refused | Refusals['NotFound']
  'hris.getConnection': Refused | Refusals['NotFound']
  'hris.pause': Refused | Refusals['NotFound' | 'OperatorPauseHrisConflict' | 'IdempotencyKeyReused']
  'hris.resume': Refused | Refusals['NotFound' | 'OperatorResumeHrisConflict' | 'IdempotencyKeyReused']
  'hris.renewAccess': Refused | Refusals['NotFound' | 'OperatorRenewHrisAccessConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType']
  'hris.disconnect': Refused | Refusals['NotFound' | 'OperatorDisconnectHrisConflict' | 'IdempotencyKeyReused']
  'hris.sync': Refused | Refusals['NotFound' | 'OperatorSyncHrisConflict' | 'IdempotencyKeyReused']
  'hris.uploadFile': Refused | Refusals['NotFound' | 'OperatorUploadHrisFileConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'IdempotencyKeyReused']
  'hris.setSandboxPayroll': Refused | Refusals['NotFound' | 'OperatorSetSandboxPayrollConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType']
  'hris.listRuns': Refused | Refusals['NotFound']
  'hris.getRun': Refused | Refusals['NotFound']
  'hris.listRunPeople': Refused | Refusals['NotFound']
  'hris.confirmRun': Refused | Refusals['NotFound' | 'OperatorConfirmHrisRunConflict' | 'IdempotencyKeyReused']
  'hris.listOpenConnections': Refused
  'groups.listMemberSyncs': Refused
  'groups.getMemberSync': Refused | Refusals['NotFound']
  'webhookSubscriptions.list': Refused
  'webhookEvents.list': Refused | Refusals['NotFound']
  'webhookEvents.countByDay': Refused | Refusals['NotFound']
  'webhookEvents.listDeliveries': Refused | Refusals['NotFound']
  'webhookSubscriptions.listDeliveries': Refused | Refusals['NotFound']
  'webhookSubscriptions.resume': Refused | Refusals['NotFound' | 'OperatorResumeWebhookSubscriptionConflict' | 'IdempotencyKeyReused']
  'jobs.list': Refused
  'jobs.get': Refused | Refusals['NotFound']
  'jobs.run': Refused | Refusals['NotFound' | 'OperatorRunJobConflict' | 'IdempotencyKeyReused']
  'overview.get': Refused
  'users.list': Refused
  'users.create': Refused | Refusals['ConflictOrInProgress' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'IdempotencyKeyReused']
  'users.get': Refused | Refusals['NotFound']
  'organizations.list': Refused
  'organizations.create': Refused | Refusals['ForbiddenOrSignInAgain' | 'ConflictOrInProgress' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'IdempotencyKeyReused']
  'organizations.get': Refused | Refusals['NotFound']
  'organizations.runDay': Refused | Refusals['NotFound' | 'ConflictOrInProgress' | 'IdempotencyKeyReused']
  'memberships.list': Refused | Refusals['NotFound']
  'memberships.grant': Refused | Refusals['ForbiddenOrSignInAgain' | 'NotFound' | 'OperatorGrantMembershipConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'IdempotencyKeyReused']
  'memberships.end': Refused | Refusals['NotFound' | 'Conflict']
  'apiKeys.create': Refused | Refusals['ForbiddenOrSignInAgain' | 'ConflictOrResponseExpired' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'OperatorCreateApiKeyUnprocessable']
  'apiKeys.list': Refused
  'apiKeys.revoke': Refused | Refusals['NotFound' | 'Conflict']
  'subscriptions.list': Refused | Refusals['NotFound']
  'subscriptions.grant': Refused | Refusals['NotFound' | 'OperatorGrantSubscriptionConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'IdempotencyKeyReused']
  'subscriptions.end': Refused | Refusals['NotFound' | 'OperatorEndSubscriptionConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'OperatorEndSubscriptionUnprocessable']
}

// Generated from openapi.json by npm run gen.

/** The refusal codes of every method with a credential. */
type Refused = 'invalid_organization_header' | 'invalid_request' | 'unauthorized' | 'organization_access_denied' | 'api_key_in_browser' | 'origin_not_allowed' | 'forbidden' | 'rate_limited' | 'internal_error' | 'unavailable'

interface Refusals {
  ApiKeysCreateConflict: 'idempotency_key_in_progress' | 'idempotency_response_expired' | 'conflict' | 'too_many_api_keys'
  ApiKeysCreateUnprocessable: 'idempotency_key_reused' | 'user_is_not_a_member' | 'key_exceeds_creator'
  ApiKeysRotateUnprocessable: 'idempotency_key_reused' | 'key_exceeds_creator'
  Conflict: 'conflict'
  ConflictOrInProgress: 'idempotency_key_in_progress' | 'conflict'
  ConflictOrResponseExpired: 'idempotency_key_in_progress' | 'idempotency_response_expired' | 'conflict'
  CreateBenefitEligibilityPolicyConflict: 'idempotency_key_in_progress' | 'conflict' | 'benefit_has_policy'
  CreateBenefitEligibilityPolicyUnprocessable: 'idempotency_key_reused' | 'policy_benefit_unknown'
  CreateOrganizationConflict: 'idempotency_key_in_progress' | 'conflict' | 'organization_already_exists'
  DependentsCreateConflict: 'idempotency_key_in_progress' | 'conflict' | 'employee_is_not_employed' | 'too_many_dependents' | 'spouse_already_exists' | 'dependent_already_exists'
  DependentsCreateUnprocessable: 'idempotency_key_reused' | 'dependent_too_old'
  DependentsEndConflict: 'conflict' | 'employee_is_not_employed' | 'dependent_already_ended'
  DependentsReinstateConflict: 'idempotency_key_in_progress' | 'conflict' | 'dependent_ended_long_ago' | 'too_many_dependents' | 'spouse_already_exists' | 'dependent_already_exists'
  DependentsUpdateConflict: 'conflict' | 'employee_is_not_employed' | 'dependent_already_ended' | 'spouse_already_exists' | 'dependent_already_exists' | 'dependent_is_covered'
  DependentsUpdateUnprocessable: 'dependent_too_old'
  EmployeesAnswerEnrollmentsConflict: 'idempotency_key_in_progress' | 'conflict' | 'employee_is_not_employed' | 'enrollment_is_inactive' | 'enrollment_window_closed' | 'change_not_consistent' | 'coverage_ends_first' | 'coverage_has_started'
  EmployeesAnswerEnrollmentsUnprocessable: 'idempotency_key_reused' | 'enrollment_of_other_employee' | 'choice_group_conflict' | 'plan_not_offered' | 'individual_plan_does_not_fit' | 'dependents_do_not_fit_tier' | 'dependent_not_coverable'
  EmployeesCreateEmployeeBadRequest: 'organization_required' | 'invalid_employee_update'
  EmployeesCreateEmployeeConflict: 'idempotency_key_in_progress' | 'conflict' | 'employer_has_hris_connection' | 'employer_has_no_active_subscription' | 'employee_already_exists' | 'ambiguous_person' | 'reference_of_other_person'
  EmployeesCreateEmployeeUnprocessable: 'idempotency_key_reused' | 'email_taken' | 'invalid_account_update'
  EmployeesRehireConflict: 'idempotency_key_in_progress' | 'conflict' | 'employer_has_no_active_subscription' | 'employee_not_terminated'
  EmployeesReinstateConflict: 'idempotency_key_in_progress' | 'conflict' | 'employer_has_no_active_subscription' | 'nothing_to_reinstate' | 'employee_was_rehired'
  EmployeesTerminateConflict: 'idempotency_key_in_progress' | 'conflict' | 'employee_already_terminated'
  EmployeesUpdateBadRequest: 'invalid_employee_update'
  EmployeesUpdateContactConflict: 'conflict' | 'employee_is_not_employed'
  EmployersAddAdminConflict: 'idempotency_key_in_progress' | 'conflict' | 'employer_admin_already_exists'
  EmployersConfirmCensusSyncConflict: 'idempotency_key_in_progress' | 'conflict' | 'census_sync_not_held' | 'employer_has_hris_connection' | 'census_sync_superseded'
  EmployersCreateConflict: 'idempotency_key_in_progress' | 'conflict' | 'EIN_ALREADY_EXISTS' | 'NAME_ALREADY_EXISTS' | 'LEGAL_NAME_ALREADY_EXISTS' | 'EMAIL_ALREADY_EXISTS' | 'PHONE_ALREADY_EXISTS'
  EmployersCreateUnprocessable: 'idempotency_key_reused' | 'po_box_not_allowed'
  EmployersListInvoicesUnprocessable: 'employer_has_no_billing_account'
  EmployersRemindToEnrollUnprocessable: 'idempotency_key_reused' | 'too_many_recipients'
  EmployersSubmitCensusSyncConflict: 'idempotency_key_in_progress' | 'conflict' | 'employer_has_hris_connection' | 'employer_has_no_active_subscription'
  EmployersUpdateConflict: 'conflict' | 'EIN_ALREADY_EXISTS' | 'NAME_ALREADY_EXISTS' | 'LEGAL_NAME_ALREADY_EXISTS' | 'EMAIL_ALREADY_EXISTS' | 'PHONE_ALREADY_EXISTS'
  EmployersUpdateUnprocessable: 'po_box_not_allowed'
  EnrollmentsElectConflict: 'idempotency_key_in_progress' | 'conflict' | 'employee_is_not_employed' | 'enrollment_is_inactive' | 'enrollment_window_closed' | 'change_not_consistent' | 'coverage_ends_first'
  EnrollmentsElectUnprocessable: 'idempotency_key_reused' | 'plan_not_offered' | 'individual_plan_does_not_fit' | 'dependents_do_not_fit_tier' | 'dependent_not_coverable'
  EnrollmentsReissueConflict: 'idempotency_key_in_progress' | 'conflict' | 'enrollment_is_not_ended' | 'choice_group_taken' | 'coverage_ended_long_ago' | 'enrollment_window_closed'
  EnrollmentsTerminateConflict: 'idempotency_key_in_progress' | 'conflict' | 'enrollment_is_inactive' | 'coverage_not_elected' | 'enrollment_window_closed' | 'change_not_consistent' | 'coverage_has_not_started' | 'coverage_already_ends'
  EnrollmentsWaiveConflict: 'idempotency_key_in_progress' | 'conflict' | 'employee_is_not_employed' | 'enrollment_is_inactive' | 'enrollment_window_closed' | 'change_not_consistent' | 'coverage_has_started'
  ForbiddenOrSignInAgain: 'sign_in_again'
  GroupsCreateConflict: 'idempotency_key_in_progress' | 'conflict' | 'external_reference_id_already_exists'
  GroupsUpdateConflict: 'conflict' | 'external_reference_id_already_exists'
  IdempotencyKeyReused: 'idempotency_key_reused'
  InvalidRequestOrNoOrganization: 'organization_required'
  InvitationsCreateConflict: 'idempotency_key_in_progress' | 'idempotency_response_expired' | 'conflict' | 'too_many_invitations'
  LifeEventsAttachConflict: 'idempotency_key_in_progress' | 'idempotency_response_expired' | 'conflict' | 'employee_is_not_employed' | 'life_event_already_decided'
  LifeEventsCreateConflict: 'idempotency_key_in_progress' | 'conflict' | 'employee_is_not_employed'
  LifeEventsCreateUnprocessable: 'idempotency_key_reused' | 'life_event_too_old'
  LifeEventsDetachConflict: 'conflict' | 'employee_is_not_employed' | 'life_event_already_decided'
  NotFound: 'not_found'
  PayloadTooLarge: 'payload_too_large'
  RedeemEnrollmentLinkConflict: 'idempotency_key_in_progress' | 'conflict' | 'link_not_valid'
  SetEnrollmentMessageSettingsConflict: 'conflict' | 'email_not_configured'
  Unprocessable: 'unprocessable'
  UnsupportedMediaType: 'unsupported_media_type'
  UpstreamError: 'upstream_error'
  WebhookDeliveriesRedeliverConflict: 'idempotency_key_in_progress' | 'conflict' | 'webhook_subscription_is_disabled'
  WebhookSubscriptionsCreateConflict: 'idempotency_key_in_progress' | 'idempotency_response_expired' | 'conflict' | 'too_many_webhook_subscriptions'
  WebhookSubscriptionsCreateUnprocessable: 'idempotency_key_reused' | 'webhook_url_not_allowed'
  WebhookSubscriptionsReplayUnprocessable: 'idempotency_key_reused' | 'replay_too_far_back'
  WebhookSubscriptionsRotateSecretConflict: 'idempotency_key_in_progress' | 'idempotency_response_expired' | 'conflict' | 'too_many_webhook_secrets'
  WebhookSubscriptionsTestConflict: 'idempotency_key_in_progress' | 'conflict' | 'webhook_subscription_is_disabled' | 'event_never_occurred'
  WebhookSubscriptionsUpdateUnprocessable: 'webhook_url_not_allowed'
}

/** The refusal codes of each method. */
export interface PartnerErrors {
  'organizations.list': Refused
  'organizations.create': Refused | Refusals['CreateOrganizationConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'IdempotencyKeyReused']
  'organizations.setBranding': Refused | Refusals['InvalidRequestOrNoOrganization' | 'Conflict' | 'PayloadTooLarge' | 'UnsupportedMediaType']
  'invitations.list': Refused | Refusals['InvalidRequestOrNoOrganization']
  'invitations.create': Refused | Refusals['InvalidRequestOrNoOrganization' | 'ForbiddenOrSignInAgain' | 'InvitationsCreateConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'IdempotencyKeyReused']
  'invitations.withdraw': Refused | Refusals['NotFound' | 'Conflict']
  'sessions.list': Refused
  'sessions.revoke': Refused | Refusals['NotFound' | 'Conflict']
  'authentication.getToken': Refused
  'tokens.issue': Refused | Refusals['NotFound' | 'ConflictOrInProgress' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'IdempotencyKeyReused']
  'apiKeys.create': Refused | Refusals['InvalidRequestOrNoOrganization' | 'ForbiddenOrSignInAgain' | 'ApiKeysCreateConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'ApiKeysCreateUnprocessable']
  'apiKeys.list': Refused | Refusals['InvalidRequestOrNoOrganization']
  'apiKeys.get': Refused | Refusals['NotFound']
  'apiKeys.update': Refused | Refusals['ForbiddenOrSignInAgain' | 'NotFound' | 'Conflict' | 'PayloadTooLarge' | 'UnsupportedMediaType']
  'apiKeys.revoke': Refused | Refusals['NotFound' | 'Conflict']
  'apiKeys.rotate': Refused | Refusals['ForbiddenOrSignInAgain' | 'NotFound' | 'ConflictOrResponseExpired' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'ApiKeysRotateUnprocessable']
  'apiKeys.reportLeak': Refused | Refusals['NotFound' | 'ConflictOrInProgress' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'IdempotencyKeyReused']
  'auditEntries.list': Refused | Refusals['InvalidRequestOrNoOrganization']
  'auditEntries.export': Refused | Refusals['InvalidRequestOrNoOrganization']
  'employees.setWage': Refused | Refusals['NotFound' | 'Conflict' | 'PayloadTooLarge' | 'UnsupportedMediaType']
  'employees.listWages': Refused | Refusals['NotFound']
  'tasks.list': Refused | Refusals['InvalidRequestOrNoOrganization']
  'employers.list': Refused | Refusals['InvalidRequestOrNoOrganization']
  'employers.create': Refused | Refusals['InvalidRequestOrNoOrganization' | 'EmployersCreateConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'EmployersCreateUnprocessable']
  'employers.get': Refused | Refusals['InvalidRequestOrNoOrganization' | 'NotFound']
  'employers.update': Refused | Refusals['InvalidRequestOrNoOrganization' | 'NotFound' | 'EmployersUpdateConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'EmployersUpdateUnprocessable']
  'employers.getSettings': Refused | Refusals['NotFound']
  'employers.updateSettings': Refused | Refusals['InvalidRequestOrNoOrganization' | 'NotFound' | 'Conflict' | 'PayloadTooLarge' | 'UnsupportedMediaType']
  'employers.listAdmins': Refused | Refusals['NotFound']
  'employers.addAdmin': Refused | Refusals['NotFound' | 'EmployersAddAdminConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'IdempotencyKeyReused']
  'employers.removeAdmin': Refused | Refusals['NotFound' | 'Conflict']
  'plans.list': Refused | Refusals['InvalidRequestOrNoOrganization']
  'eligibilityPolicies.create': Refused | Refusals['NotFound' | 'CreateBenefitEligibilityPolicyConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'CreateBenefitEligibilityPolicyUnprocessable']
  'eligibilityPolicies.list': Refused | Refusals['NotFound']
  'eligibilityPolicies.get': Refused | Refusals['NotFound']
  'employees.explainEligibility': Refused | Refusals['NotFound']
  'employers.getSetup': Refused | Refusals['NotFound']
  'employers.requestPlanYear': Refused | Refusals['NotFound' | 'Conflict' | 'PayloadTooLarge' | 'UnsupportedMediaType']
  'employers.withdrawPlanYearRequest': Refused | Refusals['NotFound' | 'Conflict']
  'planYears.list': Refused | Refusals['InvalidRequestOrNoOrganization' | 'NotFound']
  'planYears.get': Refused | Refusals['InvalidRequestOrNoOrganization' | 'NotFound']
  'enrollments.list': Refused | Refusals['NotFound']
  'enrollments.get': Refused | Refusals['NotFound']
  'enrollments.getHistory': Refused | Refusals['NotFound']
  'planYears.listEnrollments': Refused | Refusals['InvalidRequestOrNoOrganization' | 'NotFound']
  'planYears.summarizeEnrollments': Refused | Refusals['NotFound']
  'enrollmentWindows.list': Refused | Refusals['NotFound']
  'enrollmentWindows.listPeople': Refused | Refusals['NotFound']
  'enrollments.elect': Refused | Refusals['NotFound' | 'EnrollmentsElectConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'EnrollmentsElectUnprocessable']
  'enrollments.waive': Refused | Refusals['NotFound' | 'EnrollmentsWaiveConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'IdempotencyKeyReused']
  'enrollments.terminate': Refused | Refusals['NotFound' | 'EnrollmentsTerminateConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'IdempotencyKeyReused']
  'enrollments.reissue': Refused | Refusals['NotFound' | 'EnrollmentsReissueConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'IdempotencyKeyReused']
  'planYears.getRenewal': Refused | Refusals['NotFound']
  'enrollmentWindows.remind': Refused | Refusals['NotFound' | 'ConflictOrInProgress' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'EmployersRemindToEnrollUnprocessable']
  'enrollmentWindows.listMessages': Refused | Refusals['NotFound']
  'enrollmentWindows.getMessage': Refused | Refusals['NotFound']
  'enrollmentWindows.getSchedule': Refused | Refusals['NotFound']
  'enrollmentWindows.setSchedule': Refused | Refusals['NotFound' | 'Conflict' | 'PayloadTooLarge' | 'UnsupportedMediaType']
  'enrollmentWindows.getMessageSettings': Refused | Refusals['InvalidRequestOrNoOrganization']
  'enrollmentWindows.setMessageSettings': Refused | Refusals['InvalidRequestOrNoOrganization' | 'SetEnrollmentMessageSettingsConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType']
  'enrollmentWindows.redeemLink': Refused | Refusals['InvalidRequestOrNoOrganization' | 'RedeemEnrollmentLinkConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'IdempotencyKeyReused']
  'dependents.list': Refused | Refusals['NotFound']
  'dependents.create': Refused | Refusals['NotFound' | 'DependentsCreateConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'DependentsCreateUnprocessable']
  'dependents.update': Refused | Refusals['NotFound' | 'DependentsUpdateConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'DependentsUpdateUnprocessable']
  'dependents.end': Refused | Refusals['NotFound' | 'DependentsEndConflict']
  'dependents.reinstate': Refused | Refusals['NotFound' | 'DependentsReinstateConflict' | 'IdempotencyKeyReused']
  'lifeEvents.list': Refused | Refusals['NotFound']
  'lifeEvents.create': Refused | Refusals['NotFound' | 'LifeEventsCreateConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'LifeEventsCreateUnprocessable']
  'lifeEvents.listAttachments': Refused | Refusals['NotFound']
  'lifeEvents.attach': Refused | Refusals['NotFound' | 'LifeEventsAttachConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'IdempotencyKeyReused']
  'lifeEvents.detach': Refused | Refusals['NotFound' | 'LifeEventsDetachConflict']
  'statements.listAll': Refused | Refusals['InvalidRequestOrNoOrganization']
  'statements.list': Refused | Refusals['NotFound']
  'deductions.prove': Refused | Refusals['NotFound']
  'deductions.listPaychecks': Refused | Refusals['NotFound']
  'enrollments.answer': Refused | Refusals['NotFound' | 'EmployeesAnswerEnrollmentsConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'EmployeesAnswerEnrollmentsUnprocessable']
  'enrollments.getConfirmation': Refused | Refusals['NotFound']
  'planYears.listAmendments': Refused | Refusals['NotFound']
  'invoices.listAll': Refused | Refusals['InvalidRequestOrNoOrganization']
  'invoices.listAging': Refused | Refusals['InvalidRequestOrNoOrganization']
  'invoices.list': Refused | Refusals['InvalidRequestOrNoOrganization' | 'NotFound' | 'EmployersListInvoicesUnprocessable']
  'invoices.getPdf': Refused | Refusals['InvalidRequestOrNoOrganization' | 'NotFound' | 'UpstreamError']
  'invoices.listLines': Refused | Refusals['NotFound']
  'manualAdjustments.list': Refused | Refusals['NotFound']
  'statements.recordActuals': Refused | Refusals['NotFound' | 'ConflictOrInProgress' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'IdempotencyKeyReused']
  'statements.listActuals': Refused | Refusals['NotFound']
  'invoices.getReconciliation': Refused | Refusals['NotFound']
  'employees.get': Refused | Refusals['NotFound']
  'employees.update': Refused | Refusals['EmployeesUpdateBadRequest' | 'NotFound' | 'Conflict' | 'PayloadTooLarge' | 'UnsupportedMediaType']
  'employees.updateContact': Refused | Refusals['EmployeesUpdateBadRequest' | 'NotFound' | 'EmployeesUpdateContactConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType']
  'employees.terminate': Refused | Refusals['EmployeesUpdateBadRequest' | 'NotFound' | 'EmployeesTerminateConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'IdempotencyKeyReused']
  'employees.rehire': Refused | Refusals['EmployeesUpdateBadRequest' | 'NotFound' | 'EmployeesRehireConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'IdempotencyKeyReused']
  'employees.create': Refused | Refusals['EmployeesCreateEmployeeBadRequest' | 'NotFound' | 'EmployeesCreateEmployeeConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'EmployeesCreateEmployeeUnprocessable']
  'employees.list': Refused | Refusals['InvalidRequestOrNoOrganization' | 'NotFound' | 'Unprocessable']
  'members.list': Refused | Refusals['InvalidRequestOrNoOrganization' | 'Unprocessable']
  'members.get': Refused | Refusals['NotFound']
  'members.listEmployments': Refused | Refusals['NotFound']
  'members.listEnrollments': Refused | Refusals['NotFound']
  'dependents.search': Refused | Refusals['InvalidRequestOrNoOrganization' | 'Unprocessable']
  'employees.reinstate': Refused | Refusals['EmployeesUpdateBadRequest' | 'NotFound' | 'EmployeesReinstateConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'IdempotencyKeyReused']
  'census.submit': Refused | Refusals['NotFound' | 'EmployersSubmitCensusSyncConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'IdempotencyKeyReused']
  'census.list': Refused | Refusals['NotFound']
  'census.get': Refused | Refusals['NotFound']
  'census.confirm': Refused | Refusals['NotFound' | 'EmployersConfirmCensusSyncConflict' | 'IdempotencyKeyReused']
  'hris.listProviders': Refused | Refusals['InvalidRequestOrNoOrganization']
  'hris.get': Refused | Refusals['InvalidRequestOrNoOrganization' | 'NotFound']
  'groups.list': Refused | Refusals['InvalidRequestOrNoOrganization']
  'groups.create': Refused | Refusals['InvalidRequestOrNoOrganization' | 'GroupsCreateConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'IdempotencyKeyReused']
  'groups.get': Refused | Refusals['NotFound']
  'groups.update': Refused | Refusals['NotFound' | 'GroupsUpdateConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType']
  'groups.listMembers': Refused | Refusals['NotFound']
  'groups.syncMembers': Refused | Refusals['NotFound' | 'ConflictOrInProgress' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'IdempotencyKeyReused']
  'groups.listMemberSyncs': Refused | Refusals['NotFound']
  'groups.getMemberSync': Refused | Refusals['NotFound']
  'webhookSubscriptions.create': Refused | Refusals['InvalidRequestOrNoOrganization' | 'WebhookSubscriptionsCreateConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'WebhookSubscriptionsCreateUnprocessable']
  'webhookSubscriptions.list': Refused | Refusals['InvalidRequestOrNoOrganization']
  'webhookSubscriptions.get': Refused | Refusals['NotFound']
  'webhookSubscriptions.update': Refused | Refusals['NotFound' | 'Conflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'WebhookSubscriptionsUpdateUnprocessable']
  'webhookSubscriptions.delete': Refused | Refusals['NotFound' | 'Conflict']
  'webhookSubscriptions.rotateSecret': Refused | Refusals['NotFound' | 'WebhookSubscriptionsRotateSecretConflict' | 'IdempotencyKeyReused']
  'webhookEvents.list': Refused | Refusals['InvalidRequestOrNoOrganization']
  'webhookEvents.get': Refused | Refusals['NotFound']
  'webhookEvents.listDeliveries': Refused | Refusals['NotFound']
  'webhookDeliveries.redeliver': Refused | Refusals['NotFound' | 'WebhookDeliveriesRedeliverConflict' | 'IdempotencyKeyReused']
  'webhookSubscriptions.test': Refused | Refusals['NotFound' | 'WebhookSubscriptionsTestConflict' | 'IdempotencyKeyReused']
  'webhookSubscriptions.replay': Refused | Refusals['NotFound' | 'WebhookDeliveriesRedeliverConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'WebhookSubscriptionsReplayUnprocessable']
  'webhookSubscriptions.listDeliveries': Refused | Refusals['NotFound']
  'downloads.get': 'not_found' | 'unavailable'
}

/** Descriptions of enumerations without their own, by their component name. */
export const enum_words: Record<string, string> = {
  ApiKeyStatus:
    'active: accepted. expired: past `expires_at`. revoked: no longer accepted, by request or because it leaked.',
  AuditEntryOutcome: 'succeeded: a status from 200 to 399. refused: 400 to 499. failed: 500 or higher.',
  BenefitPlanYearStatus:
    'upcoming: before coverage, outside open enrollment. open_enrollment: before coverage, in open enrollment. ' +
    'active: coverage is in force. inactive: coverage has ended.',
  CensusOrigin: 'api: sent by the partner. hris: fetched from a payroll system.',
  DeductionMethod:
    'annualized: twelve monthly amounts are spread evenly over the paydays of a year. per_month: each monthly amount ' +
    'is spread over the paydays of its month.',
  DisabledReason:
    'Why deliveries stopped. requested: you disabled the subscription. gone: the receiver returned 410. failing: no ' +
    'delivery succeeded for 5 days.',
  ElectionStatus:
    'Enrolled, Waived: the latest decision of the employee. Pending: no decision yet. Expired: no decision, and no ' +
    'window is open.',
  EligibilityStatus:
    'eligible: the waiting period has ended. waiting: in the waiting period. not_eligible: not in a covered class, ' +
    'or not employed.',
  EmployerLifecycleStage:
    'onboarding: no coverage has started. open_enrollment: in an open enrollment. active: coverage is in force. ' +
    'renewal: coverage ends within 90 days. cancelled: the subscription has ended.',
  EmploymentStatus: 'active: until the end of the last day. terminated: from the day after.',
  EnrollmentActorKind:
    'employee: an employee token. partner: a key or session of your organization. operator: a correction. renewal, ' +
    'rule: the service itself.',
  EnrollmentStatus:
    'pending: no decision yet. enrolled, waived: the latest decision of the employee. inactive: ended, or no longer ' +
    'offered.',
  EnrollmentWindowKind: 'The reason for the window: a new grant, open enrollment or a life event.',
  FinalDeductions:
    'collect: the last paycheck includes everything due until coverage ends. waive: it includes only its regular ' +
    'deduction, and nothing is deducted later.',
  GroupMemberOperation: 'The requested operation. Only `add` can fail.',
  HrisStatus:
    'pending: nothing has been synced yet. active: kept in sync. paused: not in sync, and you may edit the roster. ' +
    'inactive: the payroll system rejected our credentials.',
  IdpProvider: 'service: this service. external_idp: an identity provider in which the organization has a tenant.',
  InvoiceStatus: 'draft: may still change. open: issued. paid: settled. void: no longer owed.',
  LifeEventStatus:
    'pending: waiting for the operator. approved: opened an election window. declined: opened no window.',
  InvitationStatus:
    'pending: can be accepted. accepted: used. expired: more than 7 days old. revoked: withdrawn, or its sender may ' +
    'no longer invite.',
  MembershipRole:
    'ADMIN: everything. OPERATIONS: everything except members, keys and webhooks. ENROLLMENT_AGENT: people and ' +
    'their enrollments. SALES: employers and plan years, but no people.',
  PolicyStatus: 'The state of the coverage. Cancelled: it ended before it began.',
  RevokedBecause: 'requested: an admin or the operator revoked the key. leaked: a finder reported it.',
  SessionStatus:
    'active: accepted. ended: the session reached its maximum age, or was not used for an hour. revoked: signed out.',
  SignedInWith: 'openid: through the OpenID Connect provider. sandbox: by choosing a person of the sandbox.',
  TaxClassification: 'Whether the deduction is pre-tax or post-tax.',
  WebhookDeliveryStatus:
    'Pending: waiting for an attempt. In Progress: being sent. Delivered: the receiver accepted it. Failed: the last ' +
    'retry failed.',
}

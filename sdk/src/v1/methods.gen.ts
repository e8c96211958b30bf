// Generated from openapi.json by npm run gen.

import type { OperationTable } from '../core/operations.ts'
import type { CallOptions } from '../core/options.ts'
import type { Pages } from '../core/pages.ts'
import type {
  AccessToken,
  AccessTokenRequest,
  Amendment,
  AmendmentPage,
  AnswerQuote,
  ApiKey,
  ApiKeyChanges,
  ApiKeyId,
  ApiKeyPage,
  AuditEntry,
  AuditEntryPage,
  BenefitEligibilityPolicy,
  BenefitEligibilityPolicyPage,
  BenefitPlanYear,
  BenefitPlanYearId,
  BenefitPlanYearRow,
  Branding,
  CensusAcceptance,
  CensusOutcome,
  CensusSubmission,
  CensusSync,
  CensusSyncId,
  CensusSyncPage,
  ContactChanges,
  Credential,
  DeductionProof,
  Dependent,
  DependentChanges,
  DependentId,
  DependentPage,
  DownloadLink,
  Election,
  EligibilityExplanation,
  EligibilityPolicyId,
  Employee,
  EmployeeChanges,
  EmployeeId,
  EmployeePage,
  Employer,
  EmployerChanges,
  EmployerHris,
  EmployerId,
  EmployerPage,
  EmployerRow,
  EmployerSettings,
  EmployerSettingsChanges,
  Enrollment,
  EnrollmentDetail,
  EnrollmentEvidence,
  EnrollmentEvidencePage,
  EnrollmentId,
  EnrollmentPage,
  EnrollmentReissue,
  EnrollmentTermination,
  FoundDependent,
  FoundDependentPage,
  Group,
  GroupChanges,
  GroupId,
  GroupMember,
  GroupMemberPage,
  GroupMemberSubmission,
  GroupMemberSync,
  GroupMemberSyncAcceptance,
  GroupMemberSyncId,
  GroupMemberSyncPage,
  GroupMemberSyncRow,
  GroupPage,
  HiredEmployee,
  HrisProviderList,
  InvitationId,
  Invoice,
  InvoiceAging,
  InvoiceAgingPage,
  InvoiceLine,
  InvoiceLinePage,
  InvoicePage,
  InvoiceRow,
  InvoiceRowPage,
  IssuedApiKey,
  LeakReport,
  LifeEvent,
  LifeEventAttachment,
  LifeEventAttachmentId,
  LifeEventId,
  LifeEventPage,
  ManualAdjustment,
  ManualAdjustmentPage,
  Member,
  MemberId,
  MemberInvitation,
  MemberInvitationList,
  MemberPage,
  MyOrganization,
  MyOrganizations,
  NewAnswers,
  NewApiKey,
  NewBenefitEligibilityPolicy,
  NewDependent,
  NewEmployee,
  NewEmployer,
  NewGroup,
  NewLifeEvent,
  NewLifeEventAttachment,
  NewMemberInvitation,
  NewOrganization,
  NewWebhookReplay,
  NewWebhookSubscription,
  Organization,
  Paycheck,
  PayrollActual,
  PayrollActualPage,
  PayrollActualsOutcome,
  PayrollActualsUpload,
  PayrollDeductionStatement,
  PayrollDeductionStatementPage,
  PayrollDeductionStatementRow,
  PayrollDeductionStatementRowPage,
  Plan,
  PlanPage,
  PlanYearEnrollmentPage,
  PlanYearEnrollmentRow,
  PlanYearEnrollmentSummary,
  Reconciliation,
  Rehire,
  Reinstatement,
  RenewalPage,
  RenewalRow,
  RevokedApiKey,
  Rotation,
  Session,
  SessionId,
  SessionList,
  ShownMemberInvitation,
  StatementId,
  Termination,
  ToldWage,
  Wage,
  WagePage,
  Waiver,
  WebhookDelivery,
  WebhookDeliveryId,
  WebhookDeliveryPage,
  WebhookEvent,
  WebhookEventId,
  WebhookEventPage,
  WebhookMessage,
  WebhookReplay,
  WebhookSubscription,
  WebhookSubscriptionChanges,
  WebhookSubscriptionId,
  WebhookSubscriptionPage,
  WebhookSubscriptionWithSecret,
  ListOrganizationsQuery,
  InvitationsListQuery,
  SessionsListQuery,
  ApiKeysListQuery,
  AuditEntriesListQuery,
  AuditEntriesExportQuery,
  EmployeesListWagesQuery,
  EmployersListQuery,
  PlansListQuery,
  EmployersListBenefitEligibilityPoliciesQuery,
  EmployeesExplainEligibilityQuery,
  EmployersListBenefitPlanYearsQuery,
  EmployersListBenefitPlanYearEnrollmentsQuery,
  EmployeesListEnrollmentsQuery,
  EnrollmentsGetHistoryQuery,
  EmployersGetBenefitPlanYearRenewalQuery,
  DependentsListQuery,
  LifeEventsListQuery,
  PayrollDeductionStatementsListQuery,
  EmployersListPayrollDeductionStatementsQuery,
  EmployeesProveDeductionsQuery,
  EmployeesListPaychecksQuery,
  EmployeesGetConfirmationQuery,
  EmployersListBenefitPlanYearAmendmentsQuery,
  InvoicesListQuery,
  InvoicesListAgingQuery,
  EmployersListInvoicesQuery,
  EmployersListInvoiceLinesQuery,
  EmployersListManualAdjustmentsQuery,
  EmployersListPayrollActualsQuery,
  EmployersListEmployeesQuery,
  MembersListQuery,
  MembersListEmploymentsQuery,
  MembersListEnrollmentsQuery,
  DependentsSearchQuery,
  EmployersSubmitCensusSyncQuery,
  EmployersListCensusSyncsQuery,
  GroupsListQuery,
  GroupsListMembersQuery,
  GroupsListMemberSyncsQuery,
  WebhookSubscriptionsListQuery,
  WebhookEventsListQuery,
  WebhookEventsListDeliveriesQuery,
  WebhookSubscriptionsTestQuery,
  WebhookSubscriptionsListDeliveriesQuery,
} from './types.gen.ts'

/** Every operation as the client calls it; core/operations.ts reads them. */
export const operations: OperationTable = {
  organizations: {
    list: 'GET /v1/organizations query page:organizations',
    create: 'POST /v1/organizations body keyed',
    setBranding: 'PUT /v1/organization-branding body data',
  },
  invitations: {
    list: 'GET /v1/invitations query page:data',
    create: 'POST /v1/invitations body keyed data',
    withdraw: 'DELETE /v1/invitations/{invitation_id} data',
  },
  sessions: {
    list: 'GET /v1/sessions query page:data',
    revoke: 'DELETE /v1/sessions/{session_id} data',
  },
  authentication: {
    getToken: 'GET /v1/auth/token data',
  },
  tokens: {
    issue: 'POST /v1/auth/access-tokens body keyed',
  },
  apiKeys: {
    create: 'POST /v1/api-keys body keyed data',
    list: 'GET /v1/api-keys query page:data',
    get: 'GET /v1/api-keys/{api_key_id} data',
    update: 'PATCH /v1/api-keys/{api_key_id} body data',
    revoke: 'DELETE /v1/api-keys/{api_key_id} data',
    rotate: 'POST /v1/api-keys/{api_key_id}/rotate body keyed data',
    reportLeak: 'POST /v1/api-keys/report-leak body keyed data',
  },
  auditEntries: {
    list: 'GET /v1/audit-entries query cursor:data',
    export: 'GET /v1/audit-entries/export query data',
  },
  employees: {
    setWage: 'PUT /v1/employees/{employee_id}/wage body data',
    listWages: 'GET /v1/employees/{employee_id}/wage query page:data',
    explainEligibility: 'GET /v1/employees/{employee_id}/eligibility query data',
    get: 'GET /v1/employees/{employee_id} data',
    update: 'PATCH /v1/employees/{employee_id} body data',
    updateContact: 'PATCH /v1/employees/{employee_id}/contact body data',
    terminate: 'POST /v1/employees/{employee_id}/terminate body keyed data',
    rehire: 'POST /v1/employees/{employee_id}/rehire body keyed data',
    create: 'POST /v1/employers/{employer_id}/employees body keyed data',
    list: 'GET /v1/employers/{employer_id}/employees query page:data',
    reinstate: 'POST /v1/employees/{employee_id}/reinstate body keyed data',
  },
  employers: {
    list: 'GET /v1/employers query page:data',
    create: 'POST /v1/employers body keyed data',
    get: 'GET /v1/employers/{employer_id} data',
    update: 'PUT /v1/employers/{employer_id} body data',
    getSettings: 'GET /v1/employers/{employer_id}/settings data',
    updateSettings: 'PUT /v1/employers/{employer_id}/settings body data',
  },
  plans: {
    list: 'GET /v1/plans query page:data',
  },
  eligibilityPolicies: {
    create: 'POST /v1/employers/{employer_id}/benefit-eligibility-policies body keyed data',
    list: 'GET /v1/employers/{employer_id}/benefit-eligibility-policies query page:data',
    get: 'GET /v1/benefit-eligibility-policies/{policy_id} data',
  },
  planYears: {
    list: 'GET /v1/employers/{employer_id}/benefit-plan-years query data',
    get: 'GET /v1/employers/{employer_id}/benefit-plan-years/{benefit_plan_year_id} data',
    listEnrollments: 'GET /v1/employers/{employer_id}/benefit-plan-years/{benefit_plan_year_id}/enrollments query page:data',
    summarizeEnrollments: 'GET /v1/employers/{employer_id}/benefit-plan-years/{benefit_plan_year_id}/enrollments/summary data',
    getRenewal: 'GET /v1/employers/{employer_id}/benefit-plan-years/{benefit_plan_year_id}/renewal query page:data',
    listAmendments: 'GET /v1/employers/{employer_id}/benefit-plan-years/{benefit_plan_year_id}/amendments query page:data',
  },
  enrollments: {
    list: 'GET /v1/employees/{employee_id}/enrollments query page:data',
    get: 'GET /v1/enrollments/{enrollment_id} data',
    getHistory: 'GET /v1/enrollments/{enrollment_id}/history query page:data',
    elect: 'POST /v1/enrollments/{enrollment_id}/elect body keyed data',
    waive: 'POST /v1/enrollments/{enrollment_id}/waive body keyed data',
    terminate: 'POST /v1/enrollments/{enrollment_id}/terminate body keyed data',
    reissue: 'POST /v1/enrollments/{enrollment_id}/reissue body keyed data',
    answer: 'POST /v1/employees/{employee_id}/enrollment-answers body keyed data',
    getConfirmation: 'GET /v1/employees/{employee_id}/enrollment-answers/pdf query data',
  },
  dependents: {
    list: 'GET /v1/employees/{employee_id}/dependents query page:data',
    create: 'POST /v1/employees/{employee_id}/dependents body keyed data',
    update: 'PATCH /v1/dependents/{dependent_id} body data',
    end: 'DELETE /v1/dependents/{dependent_id} data',
    reinstate: 'POST /v1/dependents/{dependent_id}/reinstate keyed data',
    search: 'GET /v1/dependents query page:data',
  },
  lifeEvents: {
    list: 'GET /v1/employees/{employee_id}/qualifying-life-events query page:data',
    create: 'POST /v1/employees/{employee_id}/qualifying-life-events body keyed data',
    listAttachments: 'GET /v1/qualifying-life-events/{life_event_id}/attachments data',
    attach: 'POST /v1/qualifying-life-events/{life_event_id}/attachments body keyed data',
    detach: 'DELETE /v1/qualifying-life-events/{life_event_id}/attachments/{attachment_id} data',
  },
  statements: {
    listAll: 'GET /v1/payroll-deduction-statements query cursor:data',
    list: 'GET /v1/employers/{employer_id}/payroll-deduction-statements query page:data',
    recordActuals: 'POST /v1/employers/{employer_id}/payroll-deduction-statements/{statement_id}/actuals body keyed data',
    listActuals: 'GET /v1/employers/{employer_id}/payroll-deduction-statements/{statement_id}/actuals query page:data',
  },
  deductions: {
    prove: 'GET /v1/employees/{employee_id}/deductions/proof query data',
    listPaychecks: 'GET /v1/employees/{employee_id}/paychecks query data',
  },
  invoices: {
    listAll: 'GET /v1/invoices query cursor:data',
    listAging: 'GET /v1/invoices/aging query page:data',
    list: 'GET /v1/employers/{employer_id}/invoices query cursor:data',
    getPdf: 'GET /v1/employers/{employer_id}/invoices/{invoice_id}/pdf data',
    listLines: 'GET /v1/employers/{employer_id}/invoices/{invoice_id}/lines query page:data',
    getReconciliation: 'GET /v1/employers/{employer_id}/invoices/{invoice_id}/reconciliation data',
  },
  manualAdjustments: {
    list: 'GET /v1/employers/{employer_id}/manual-adjustments query page:data',
  },
  members: {
    list: 'GET /v1/members query page:data',
    get: 'GET /v1/members/{member_id} data',
    listEmployments: 'GET /v1/members/{member_id}/employments query page:data',
    listEnrollments: 'GET /v1/members/{member_id}/enrollments query page:data',
  },
  census: {
    submit: 'POST /v1/employers/{employer_id}/census-sync body query keyed data',
    list: 'GET /v1/employers/{employer_id}/census-sync query page:data',
    get: 'GET /v1/employers/{employer_id}/census-sync/{census_sync_id} data',
    confirm: 'POST /v1/employers/{employer_id}/census-sync/{census_sync_id}/confirm keyed data',
  },
  hris: {
    listProviders: 'GET /v1/employers/hris-providers data',
    get: 'GET /v1/employers/{employer_id}/hris data',
  },
  groups: {
    list: 'GET /v1/groups query page:data',
    create: 'POST /v1/groups body keyed data',
    get: 'GET /v1/groups/{group_id} data',
    update: 'PATCH /v1/groups/{group_id} body data',
    listMembers: 'GET /v1/groups/{group_id}/members query page:data',
    syncMembers: 'POST /v1/groups/{group_id}/members/sync body keyed data',
    listMemberSyncs: 'GET /v1/groups/{group_id}/members/sync query page:data',
    getMemberSync: 'GET /v1/groups/{group_id}/members/sync/{request_id} data',
  },
  webhookSubscriptions: {
    create: 'POST /v1/webhook-subscriptions body keyed data',
    list: 'GET /v1/webhook-subscriptions query page:data',
    get: 'GET /v1/webhook-subscriptions/{webhook_subscription_id} data',
    update: 'PATCH /v1/webhook-subscriptions/{webhook_subscription_id} body data',
    delete: 'DELETE /v1/webhook-subscriptions/{webhook_subscription_id} data',
    rotateSecret: 'POST /v1/webhook-subscriptions/{webhook_subscription_id}/rotate-secret keyed data',
    test: 'POST /v1/webhook-subscriptions/{webhook_subscription_id}/test query keyed data',
    replay: 'POST /v1/webhook-subscriptions/{webhook_subscription_id}/replay body keyed data',
    listDeliveries: 'GET /v1/webhook-subscriptions/{webhook_subscription_id}/deliveries query page:data',
  },
  webhookEvents: {
    list: 'GET /v1/webhook-events query page:data',
    get: 'GET /v1/webhook-events/{webhook_event_id} data',
    listDeliveries: 'GET /v1/webhook-events/{webhook_event_id}/deliveries query page:data',
  },
  webhookDeliveries: {
    redeliver: 'POST /v1/webhook-deliveries/{webhook_delivery_id}/redeliver keyed data',
  },
  downloads: {
    get: 'GET /v1/downloads/{token} file',
  },
}

/** All methods of the partner interface. */
export interface PartnerMethods {
  organizations: OrganizationsMethods
  invitations: InvitationsMethods
  sessions: SessionsMethods
  authentication: AuthenticationMethods
  tokens: TokensMethods
  apiKeys: ApiKeysMethods
  auditEntries: AuditEntriesMethods
  employees: EmployeesMethods
  employers: EmployersMethods
  plans: PlansMethods
  eligibilityPolicies: EligibilityPoliciesMethods
  planYears: PlanYearsMethods
  enrollments: EnrollmentsMethods
  dependents: DependentsMethods
  lifeEvents: LifeEventsMethods
  statements: StatementsMethods
  deductions: DeductionsMethods
  invoices: InvoicesMethods
  manualAdjustments: ManualAdjustmentsMethods
  members: MembersMethods
  census: CensusMethods
  hris: HrisMethods
  groups: GroupsMethods
  webhookSubscriptions: WebhookSubscriptionsMethods
  webhookEvents: WebhookEventsMethods
  webhookDeliveries: WebhookDeliveriesMethods
  downloads: DownloadsMethods
}

export interface OrganizationsMethods {
  /**
   * List my organizations. `GET /v1/organizations`
   *
   * Lists the organizations that the key's owner is an active member of, oldest membership first, with the owner's role in each: of those that the key is open to, one where it is bound. The list is whole unless `limit` or `page` is sent. It is empty for a user who belongs to none.
   *
   * For keys, unbound tokens. Any role.
   *
   * @example
   * ```ts
   * for await (const row of ob.organizations.list()) console.log(row)
   * // {
   * //   id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   name: 'Harbor Benefits',
   * //   type: 'BROKERAGE',
   * //   idp_org_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   idp_provider: 'service',
   * //   super_in: false,
   * //   role: 'ADMIN'
   * // }
   * ```
   */
  list(query?: ListOrganizationsQuery, options?: CallOptions): Pages<MyOrganization, MyOrganizations>

  /**
   * Create an organization. `POST /v1/organizations`
   *
   * Creates an organization and makes the key's owner its ADMIN. With an external identity provider, `idp_org_id` stays null until the provider has confirmed the tenant. One organization per user.
   *
   * For keys, unbound tokens. Any role. Scopes: write.
   *
   * @throws {ApiError} among others `organization_already_exists`
   *
   * @example
   * ```ts
   * await ob.organizations.create({
   *   name: 'Northwind Benefits',
   *   type: 'BROKERAGE'
   * })
   * // {
   * //   id: 'org_01kdq7b4w8e9rs2mh3n5t6v702',
   * //   name: 'Northwind Benefits',
   * //   type: 'BROKERAGE',
   * //   idp_org_id: 'org_01kdq7b4w8e9rs2mh3n5t6v702',
   * //   idp_provider: 'service',
   * //   super_in: false
   * // }
   * ```
   */
  create(body: NewOrganization, options?: CallOptions): Promise<Organization>

  /**
   * Set how widgets look. `PUT /v1/organization-branding`
   *
   * Unless a page says otherwise.
   *
   * For keys, unbound tokens. Roles: ADMIN. Scopes: write.
   *
   * @example
   * ```ts
   * await ob.organizations.setBranding({
   *   accent_color: '#7a1f5c'
   * })
   * // {
   * //   accent_color: '#7a1f5c'
   * // }
   * ```
   */
  setBranding(body: Branding, options?: CallOptions): Promise<Branding>
}

export interface InvitationsMethods {
  /**
   * List invitations. `GET /v1/invitations`
   *
   * Those to the organization, the newest first, with what became of them.
   *
   * For keys, unbound tokens. Roles: ADMIN. Scopes: read, keys.
   *
   * @example
   * ```ts
   * for await (const row of ob.invitations.list()) console.log(row)
   * // {
   * //   id: 'inv_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   name: 'Ada Lindgren',
   * //   email: 'ada@example.com',
   * //   role: 'ENROLLMENT_AGENT',
   * //   status: 'revoked',
   * //   invited_by: 'usr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   expires_at: '2026-03-17T16:00:00.000Z',
   * //   accepted_at: null,
   * //   accepted_by: null,
   * //   revoked_at: '2026-03-10T16:00:00.000Z',
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700'
   * // }
   * ```
   */
  list(query?: InvitationsListQuery, options?: CallOptions): Pages<MemberInvitation, MemberInvitationList>

  /**
   * Invite somebody to the organization. `POST /v1/invitations`
   *
   * The answer has a link, which is shown this once and good for 7 days. Whoever opens it signs in with the provider of the installation, with the very address that was invited.
   *
   * For keys, session tokens. Roles: ADMIN. Scopes: read, write, people, money, webhooks, keys.
   *
   * @throws {ApiError} among others `too_many_invitations`
   *
   * @example
   * ```ts
   * await ob.invitations.create({
   *   name: 'Ada Lindgren',
   *   email: 'ada@example.com',
   *   role: 'ENROLLMENT_AGENT'
   * })
   * // {
   * //   id: 'inv_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   name: 'Ada Lindgren',
   * //   email: 'ada@example.com',
   * //   role: 'ENROLLMENT_AGENT',
   * //   status: 'pending',
   * //   invited_by: 'usr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   expires_at: '2026-03-17T16:00:00.000Z',
   * //   accepted_at: null,
   * //   accepted_by: null,
   * //   revoked_at: null,
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   url: 'http://127.0.0.1:42525/invitations/org_01kdq7b4w8e9rs2mh3n5t6v700.URxSkDN4evvLuCR8FMAixDByA5w3mlzsUv0xqnh80zI'
   * // }
   * ```
   */
  create(body: NewMemberInvitation, options?: CallOptions): Promise<ShownMemberInvitation>

  /**
   * Take back an invitation. `DELETE /v1/invitations/{invitation_id}`
   *
   * For keys, unbound tokens. Roles: ADMIN. Scopes: write, keys.
   *
   * @example
   * ```ts
   * await ob.invitations.withdraw(invitation_id)
   * // {
   * //   id: 'inv_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   name: 'Ada Lindgren',
   * //   email: 'ada@example.com',
   * //   role: 'ENROLLMENT_AGENT',
   * //   status: 'revoked',
   * //   invited_by: 'usr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   expires_at: '2026-03-17T16:00:00.000Z',
   * //   accepted_at: null,
   * //   accepted_by: null,
   * //   revoked_at: '2026-03-10T16:00:00.000Z',
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700'
   * // }
   * ```
   */
  withdraw(invitation_id: InvitationId, options?: CallOptions): Promise<MemberInvitation>
}

export interface SessionsMethods {
  /**
   * List my sessions. `GET /v1/sessions`
   *
   * Where the credential's owner is signed in with a browser, or was in the last 90 days; the newest first.
   *
   * For keys, unbound tokens. Any role. Scopes: read.
   *
   * @example
   * ```ts
   * for await (const row of ob.sessions.list()) console.log(row)
   * // {
   * //   id: 'sess_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   user_id: 'usr_01kdq7b4w8e9rs2mh3n5t6v703',
   * //   user_name: 'Maya Okafor',
   * //   signed_in_with: 'sandbox',
   * //   user_agent: 'node',
   * //   status: 'revoked',
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   last_used_at: '2026-03-10T16:00:00.000Z',
   * //   expires_at: '2026-03-11T04:00:00.000Z',
   * //   revoked_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  list(query?: SessionsListQuery, options?: CallOptions): Pages<Session, SessionList>

  /**
   * Sign out of a session. `DELETE /v1/sessions/{session_id}`
   *
   * Ends it, and its access tokens within 5 seconds in every process.
   *
   * For keys, unbound tokens. Any role. Scopes: write.
   *
   * @example
   * ```ts
   * await ob.sessions.revoke(session_id)
   * // {
   * //   id: 'sess_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   user_id: 'usr_01kdq7b4w8e9rs2mh3n5t6v703',
   * //   user_name: 'Maya Okafor',
   * //   signed_in_with: 'sandbox',
   * //   user_agent: 'node',
   * //   status: 'revoked',
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   last_used_at: '2026-03-10T16:00:00.000Z',
   * //   expires_at: '2026-03-11T04:00:00.000Z',
   * //   revoked_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  revoke(session_id: SessionId, options?: CallOptions): Promise<Session>
}

export interface AuthenticationMethods {
  /**
   * Describe the credential. `GET /v1/auth/token`
   *
   * Describes the credential that is sent. For a key, a session or an unbound token: its owner, the organization that it acts as, roles, scopes, expiry and today. For a bound token: the bound entity, the organization with its branding, expiry and today, and nothing about the owner of the key.
   *
   * For keys, unbound, employer, employee tokens. Any role.
   *
   * @example
   * ```ts
   * await ob.authentication.getToken()
   * // {
   * //   kind: 'api_key',
   * //   api_key: {
   * //     id: 'key_01kdq7b4w8e9rs2mh3n5t6v701',
   * //     name: 'Harbor',
   * //     last_four: 'nxi4'
   * //   },
   * //   user: {
   * //     id: 'usr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //     name: 'Maya Okafor',
   * //     email: 'maya@example.com'
   * //   },
   * //   organization: {
   * //     id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //     name: 'Harbor Benefits',
   * //     sandbox: true,
   * //     accent_color: '#7a1f5c'
   * //   },
   * //   bound_entity: null,
   * //   roles: [
   * //     {
   * //       organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //       role: 'ADMIN'
   * //     }
   * //   ],
   * //   super_in: false,
   * //   scopes: [
   * //     'read'
   * //   ],
   * //   mode: 'test',
   * //   signed_in_at: null,
   * //   expires_at: null,
   * //   today: '2026-03-10'
   * // }
   * ```
   */
  getToken(options?: CallOptions): Promise<Credential>
}

export interface TokensMethods {
  /**
   * Issue a short-lived access token. `POST /v1/auth/access-tokens`
   *
   * Issues a token of 15 minutes from an API key, for browser widgets when bound to one employer or employee. Authorize the signed-in user first, and return only the token and its expiry to the browser.
   *
   * For keys. Any role.
   *
   * @example
   * ```ts
   * await ob.tokens.issue({
   *   grant_type: 'client_credentials'
   * })
   * // {
   * //   access_token: 'obat_eyJhbGciOiJIUzI1NiJ9.eyJr.c2ln',
   * //   token_type: 'Bearer',
   * //   expires_in: 900,
   * //   bound_entity: null
   * // }
   * ```
   */
  issue(body: AccessTokenRequest, options?: CallOptions): Promise<AccessToken>
}

export interface ApiKeysMethods {
  /**
   * Create an API key. `POST /v1/api-keys`
   *
   * Creates a key of your organization, for yourself or another member, whose role it has. It is for no more than the key that makes it, and ends no later; made by somebody signed in, after 90 days unless said, and within 366. It is shown in this answer and never again.
   *
   * For keys, session tokens. Roles: ADMIN. Scopes: write, keys.
   *
   * @throws {ApiError} among others `too_many_api_keys`, `user_is_not_a_member`, `key_beyond_its_maker`
   *
   * @example
   * ```ts
   * await ob.apiKeys.create({
   *   name: 'Nightly payroll',
   *   scopes: [
   *     'read',
   *     'money'
   *   ]
   * })
   * // {
   * //   id: 'key_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   name: 'Widgets',
   * //   allowed_origins: [
   * //     'https://app.example.com'
   * //   ],
   * //   user_id: 'usr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   mode: 'test',
   * //   last_four: 'E1ks',
   * //   scopes: [
   * //     'read'
   * //   ],
   * //   status: 'active',
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   created_by: 'usr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   last_used_at: null,
   * //   expires_at: null,
   * //   rotated_at: '2026-03-10T16:00:00.000Z',
   * //   former_secret_expires_at: '2026-03-11T16:00:00.000Z',
   * //   revoked_at: null,
   * //   revoked_because: null,
   * //   api_key: 'obk_test_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'
   * // }
   * ```
   */
  create(body: NewApiKey, options?: CallOptions): Promise<IssuedApiKey>

  /**
   * List API keys. `GET /v1/api-keys`
   *
   * The keys that are bound to your organization, newest first, those that have ended too; with `unbound=true` those that reach it otherwise.
   *
   * For keys, unbound tokens. Roles: ADMIN. Scopes: read, keys.
   *
   * @example
   * ```ts
   * for await (const row of ob.apiKeys.list()) console.log(row)
   * // {
   * //   id: 'key_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   name: 'Widgets',
   * //   allowed_origins: [
   * //     'https://app.example.com'
   * //   ],
   * //   user_id: 'usr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   mode: 'test',
   * //   last_four: 'E1ks',
   * //   scopes: [
   * //     'read'
   * //   ],
   * //   status: 'revoked',
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   created_by: 'usr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   last_used_at: null,
   * //   expires_at: null,
   * //   rotated_at: '2026-03-10T16:00:00.000Z',
   * //   former_secret_expires_at: '2026-03-11T16:00:00.000Z',
   * //   revoked_at: '2026-03-10T16:00:00.000Z',
   * //   revoked_because: 'requested'
   * // }
   * ```
   */
  list(query?: ApiKeysListQuery, options?: CallOptions): Pages<ApiKey, ApiKeyPage>

  /**
   * Get an API key. `GET /v1/api-keys/{api_key_id}`
   *
   * For keys, unbound tokens. Roles: ADMIN. Scopes: read, keys.
   *
   * @example
   * ```ts
   * await ob.apiKeys.get(api_key_id)
   * // {
   * //   id: 'key_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   name: 'Widgets',
   * //   allowed_origins: [
   * //     'https://app.example.com'
   * //   ],
   * //   user_id: 'usr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   mode: 'test',
   * //   last_four: 'E1ks',
   * //   scopes: [
   * //     'read'
   * //   ],
   * //   status: 'revoked',
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   created_by: 'usr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   last_used_at: null,
   * //   expires_at: null,
   * //   rotated_at: '2026-03-10T16:00:00.000Z',
   * //   former_secret_expires_at: '2026-03-11T16:00:00.000Z',
   * //   revoked_at: '2026-03-10T16:00:00.000Z',
   * //   revoked_because: 'requested'
   * // }
   * ```
   */
  get(api_key_id: ApiKeyId, options?: CallOptions): Promise<ApiKey>

  /**
   * Update an API key. `PATCH /v1/api-keys/{api_key_id}`
   *
   * Changes its name, and from which pages its bound tokens may be sent. All else of a key stays.
   *
   * For keys, session tokens. Roles: ADMIN. Scopes: write, keys.
   *
   * @example
   * ```ts
   * await ob.apiKeys.update(api_key_id, {
   *   name: 'Widgets',
   *   allowed_origins: [
   *     'https://app.example.com'
   *   ]
   * })
   * // {
   * //   id: 'key_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   name: 'Widgets',
   * //   allowed_origins: [
   * //     'https://app.example.com'
   * //   ],
   * //   user_id: 'usr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   mode: 'test',
   * //   last_four: 'E1ks',
   * //   scopes: [
   * //     'read'
   * //   ],
   * //   status: 'revoked',
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   created_by: 'usr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   last_used_at: null,
   * //   expires_at: null,
   * //   rotated_at: '2026-03-10T16:00:00.000Z',
   * //   former_secret_expires_at: '2026-03-11T16:00:00.000Z',
   * //   revoked_at: '2026-03-10T16:00:00.000Z',
   * //   revoked_because: 'requested'
   * // }
   * ```
   */
  update(api_key_id: ApiKeyId, body?: ApiKeyChanges, options?: CallOptions): Promise<ApiKey>

  /**
   * Revoke an API key. `DELETE /v1/api-keys/{api_key_id}`
   *
   * Ends the key and every token that was issued from it, within 5 seconds in every process.
   *
   * For keys, session tokens. Roles: ADMIN. Scopes: write, keys.
   *
   * @example
   * ```ts
   * await ob.apiKeys.revoke(api_key_id)
   * // {
   * //   id: 'key_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   name: 'Widgets',
   * //   allowed_origins: [
   * //     'https://app.example.com'
   * //   ],
   * //   user_id: 'usr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   mode: 'test',
   * //   last_four: 'E1ks',
   * //   scopes: [
   * //     'read'
   * //   ],
   * //   status: 'revoked',
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   created_by: 'usr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   last_used_at: null,
   * //   expires_at: null,
   * //   rotated_at: '2026-03-10T16:00:00.000Z',
   * //   former_secret_expires_at: '2026-03-11T16:00:00.000Z',
   * //   revoked_at: '2026-03-10T16:00:00.000Z',
   * //   revoked_because: 'requested'
   * // }
   * ```
   */
  revoke(api_key_id: ApiKeyId, options?: CallOptions): Promise<ApiKey>

  /**
   * Rotate an API key. `POST /v1/api-keys/{api_key_id}/rotate`
   *
   * Makes a new secret of the same key, which is shown in this answer and never again. The former one opens as well for `overlap_hours`; the one before that no longer. Tokens that were issued last to their end.
   *
   * For keys, session tokens. Roles: ADMIN. Scopes: write, keys.
   *
   * @throws {ApiError} among others `key_beyond_its_maker`
   *
   * @example
   * ```ts
   * await ob.apiKeys.rotate(api_key_id, {
   *   overlap_hours: 24
   * })
   * // {
   * //   id: 'key_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   name: 'Widgets',
   * //   allowed_origins: [
   * //     'https://app.example.com'
   * //   ],
   * //   user_id: 'usr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   mode: 'test',
   * //   last_four: 'E1ks',
   * //   scopes: [
   * //     'read'
   * //   ],
   * //   status: 'active',
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   created_by: 'usr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   last_used_at: null,
   * //   expires_at: null,
   * //   rotated_at: '2026-03-10T16:00:00.000Z',
   * //   former_secret_expires_at: '2026-03-11T16:00:00.000Z',
   * //   revoked_at: null,
   * //   revoked_because: null,
   * //   api_key: 'obk_test_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'
   * // }
   * ```
   */
  rotate(api_key_id: ApiKeyId, body?: Rotation, options?: CallOptions): Promise<IssuedApiKey>

  /**
   * Report a leaked API key. `POST /v1/api-keys/report-leak`
   *
   * Revokes a key that was found where it should not be, at once and whoever it belongs to: having it is reason enough. It may be sent by itself, as the credential of this request. Its organization learns by the event `api_key.revoked`.
   *
   * For keys. Any role.
   *
   * @example
   * ```ts
   * await ob.apiKeys.reportLeak({
   *   api_key: 'obk_test_000000000000000000000000000000000000000'
   * })
   * // {
   * //   id: 'key_01kdq7b4w8e9rs2mh3n5t6v702',
   * //   revoked_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  reportLeak(body: LeakReport, options?: CallOptions): Promise<RevokedApiKey>
}

export interface AuditEntriesMethods {
  /**
   * List who read and did what. `GET /v1/audit-entries`
   *
   * Each operation on the organization and on what belongs to it, by whichever credential, the service’s operator included: when, who, from where, what, and with which outcome. Newest first. The next page is asked for with the `next_offset` of the one before as `offset`, until it is null: a page may hold fewer entries than its limit, or none, and others come behind it. What was read is in it within a second.
   *
   * For keys, unbound tokens. Roles: ADMIN. Scopes: read, keys.
   *
   * @example
   * ```ts
   * for await (const row of ob.auditEntries.list()) console.log(row)
   * // {
   * //   id: 'aud_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   occurred_at: '2026-03-10T16:00:00.000Z',
   * //   operation: 'webhook_subscriptions_replay',
   * //   resource_id: 'wsub_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   outcome: 'succeeded',
   * //   status: 202,
   * //   actor: {
   * //     kind: 'api_key',
   * //     id: 'key_01kdq7b4w8e9rs2mh3n5t6v701',
   * //     user_id: 'usr_01kdq7b4w8e9rs2mh3n5t6v700'
   * //   },
   * //   address: '127.0.0.1',
   * //   trace_id: '74d792f5-f3f1-45a5-accc-954b3244db44',
   * //   fields: [
   * //     'since'
   * //   ]
   * // }
   * ```
   */
  list(query?: AuditEntriesListQuery, options?: CallOptions): Pages<AuditEntry, AuditEntryPage>

  /**
   * Get a link to the audit entries as a file. `GET /v1/audit-entries/export`
   *
   * Of all that are asked for, newest first, as they are when the link is opened.
   *
   * For keys, unbound tokens. Roles: ADMIN. Scopes: read, keys.
   *
   * @example
   * ```ts
   * await ob.auditEntries.export()
   * // {
   * //   download_url: 'https://benefits.example.com/v1/downloads/eyJhbGciOiJIUzI1NiJ9.eyJr.c2ln',
   * //   expires_at: '2026-03-10T16:15:00.000Z'
   * // }
   * ```
   */
  export(query?: AuditEntriesExportQuery, options?: CallOptions): Promise<DownloadLink>
}

export interface EmployeesMethods {
  /**
   * Tell what an employee earns. `PUT /v1/employees/{employee_id}/wage`
   *
   * By the month, from a day on; another one for the same day takes its place. It only tells whether ICHRA is affordable: without it, the federal poverty line does.
   *
   * For keys, unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: write, people.
   *
   * @example
   * ```ts
   * await ob.employees.setWage(employee_id, {
   *   monthly_wage_in_cents: 320000,
   *   effective_on: '2026-01-01'
   * })
   * // {
   * //   monthly_wage_in_cents: 320000,
   * //   effective_on: '2026-01-01'
   * // }
   * ```
   */
  setWage(employee_id: EmployeeId, body: Wage, options?: CallOptions): Promise<Wage>

  /**
   * List what was told of what an employee earns. `GET /v1/employees/{employee_id}/wage`
   *
   * By the month, the latest `effective_on` first. For those who may tell it: nobody else is shown a wage.
   *
   * For keys, unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: read, people.
   *
   * @example
   * ```ts
   * for await (const row of ob.employees.listWages(employee_id)) console.log(row)
   * // {
   * //   monthly_wage_in_cents: 390000,
   * //   effective_on: '2025-03-07'
   * // }
   * ```
   */
  listWages(employee_id: EmployeeId, query?: EmployeesListWagesQuery, options?: CallOptions): Pages<ToldWage, WagePage>

  /**
   * Explain the eligibility of an employee. `GET /v1/employees/{employee_id}/eligibility`
   *
   * Anchor, class, policy, rule, raw day, floor and cap, and the first day of coverage that follows, per benefit of the plan years that are not over on that day. A benefit with a policy of its own is explained by that one.
   *
   * For keys, unbound, employer, employee tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: read, people.
   *
   * @example
   * ```ts
   * await ob.employees.explainEligibility(employee_id)
   * // {
   * //   employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v704',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v704',
   * //   as_of: '2026-03-10',
   * //   status: 'not_eligible',
   * //   reason_code: 'employment_ended',
   * //   reason: 'Employed until 2026-02-18.',
   * //   hire_date: '2020-11-02',
   * //   termination_date: '2026-02-18',
   * //   employee_class: 'Full Time',
   * //   compensation_type: null,
   * //   eligibility_policy: {
   * //     id: 'epol_01kdq7b4w8e9rs2mh3n5t6v702',
   * //     classification: 'full_time',
   * //     employee_classes: [
   * //       'Full Time'
   * //     ],
   * //     compensation_types: null,
   * //     waiting_period: 'first_of_following_month',
   * //     start_alignment: 'exact',
   * //     service_credit_weeks: 13,
   * //     benefit_ids: []
   * //   },
   * //   anchor: '2020-11-02',
   * //   waiting_period_ends_on: '2020-12-01',
   * //   eligibility_lost_on: '2026-02-19',
   * //   covered_until: '2026-02-28',
   * //   benefits: [
   * //     {
   * //       benefit: {
   * //         id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v700',
   * //         category: 'Medical',
   * //         name: 'Essential Care',
   * //         product_code: 'MEC'
   * //       },
   * //       benefit_plan_year_id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v702',
   * //       anchor: '2020-11-02',
   * //       rule: 'first_of_following_month',
   * //       raw_day: '2020-12-01',
   * //       start_alignment: 'exact',
   * //       aligned_day: '2020-12-01',
   * //       service_from: null,
   * //       eligibility_policy_id: 'epol_01kdq7b4w8e9rs2mh3n5t6v702',
   * //       floor: '2025-12-01',
   * //       cap: '2021-01-31',
   * //       coverage_start: '2025-12-01',
   * //       enrollment: {
   * //         id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v704',
   * //         coverage_start: '2025-12-01',
   * //         coverage_end: '2026-02-28'
   * //       },
   * //       warnings: []
   * //     }
   * //   ],
   * //   benefits_out_of_reach: [],
   * //   warnings: []
   * // }
   * ```
   */
  explainEligibility(employee_id: EmployeeId, query?: EmployeesExplainEligibilityQuery, options?: CallOptions): Promise<EligibilityExplanation>

  /**
   * Get an employee. `GET /v1/employees/{employee_id}`
   *
   * For keys, unbound, employer, employee tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: read, people.
   *
   * @example
   * ```ts
   * await ob.employees.get(employee_id)
   * // {
   * //   id: 'empl_01kdq7b4w8e9rs2mh3n5t6v706',
   * //   member_id: 'mbr_01kdq7b4w8e9rs2mh3n5t6v703',
   * //   reference_id: 'AN-1984',
   * //   first_name: 'Amara',
   * //   last_name: 'Nwosu',
   * //   suffix: null,
   * //   email: 'amara.nwosu@example.com',
   * //   date_of_birth: '1984-02-29',
   * //   gender: 'Female',
   * //   phone: '5185550101',
   * //   employee_class: 'Full Time',
   * //   status: 'active',
   * //   hire_date: '2019-04-01',
   * //   termination_date: null,
   * //   address: null,
   * //   enrollments: [
   * //     {
   * //       id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v706',
   * //       status: 'waived',
   * //       answered_at: '2025-11-04T17:00:00.000Z'
   * //     }
   * //   ],
   * //   created_at: '2024-10-09T16:00:00.000Z',
   * //   updated_at: '2024-10-09T16:00:00.000Z',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v704',
   * //   employer_name: 'Sunrise Bakery',
   * //   start_date: '2019-04-01',
   * //   classification_effective_date: '2019-04-01',
   * //   compensation_type: 'Salary',
   * //   compensation_type_effective_date: '2019-04-01',
   * //   deductions: [
   * //     {
   * //       benefit_name: 'Dental',
   * //       deduction_amount_in_cents: 3969,
   * //       deduction_category: null,
   * //       frequency: 'bi_weekly',
   * //       period_start_date: '2026-02-26',
   * //       period_end_date: '2026-03-11',
   * //       tax_classification: 'Pre-tax',
   * //       kind: 'deduction',
   * //       reason: null,
   * //       corrected_period_start_date: null,
   * //       corrected_period_end_date: null
   * //     }
   * //   ]
   * // }
   * ```
   */
  get(employee_id: EmployeeId, options?: CallOptions): Promise<Employee>

  /**
   * Update an employee. `PATCH /v1/employees/{employee_id}`
   *
   * Changes any of the seven fields, all or nothing. `effective_date` is the day from which the class and the compensation type hold; an earlier day than that of the present value inserts into the history.
   *
   * For keys, unbound tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: write, people.
   *
   * @throws {ApiError} among others `invalid_employee_update`
   *
   * @example
   * ```ts
   * await ob.employees.update(employee_id, {
   *   effective_date: '2026-03-01',
   *   employee_class: 'Part Time'
   * })
   * // {
   * //   id: 'empl_01kdq7b4w8e9rs2mh3n5t6v706',
   * //   member_id: 'mbr_01kdq7b4w8e9rs2mh3n5t6v703',
   * //   reference_id: 'AN-1984',
   * //   first_name: 'Amara',
   * //   last_name: 'Nwosu',
   * //   suffix: null,
   * //   email: 'amara.nwosu@example.com',
   * //   date_of_birth: '1984-02-29',
   * //   gender: 'Female',
   * //   phone: '5185550101',
   * //   employee_class: 'Full Time',
   * //   status: 'active',
   * //   hire_date: '2019-04-01',
   * //   termination_date: null,
   * //   address: null,
   * //   enrollments: [
   * //     {
   * //       id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v706',
   * //       status: 'waived',
   * //       answered_at: '2025-11-04T17:00:00.000Z'
   * //     }
   * //   ],
   * //   created_at: '2024-10-09T16:00:00.000Z',
   * //   updated_at: '2024-10-09T16:00:00.000Z',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v704',
   * //   employer_name: 'Sunrise Bakery',
   * //   start_date: '2019-04-01',
   * //   classification_effective_date: '2019-04-01',
   * //   compensation_type: 'Salary',
   * //   compensation_type_effective_date: '2019-04-01',
   * //   deductions: [
   * //     {
   * //       benefit_name: 'Dental',
   * //       deduction_amount_in_cents: 3969,
   * //       deduction_category: null,
   * //       frequency: 'bi_weekly',
   * //       period_start_date: '2026-02-26',
   * //       period_end_date: '2026-03-11',
   * //       tax_classification: 'Pre-tax',
   * //       kind: 'deduction',
   * //       reason: null,
   * //       corrected_period_start_date: null,
   * //       corrected_period_end_date: null
   * //     }
   * //   ]
   * // }
   * ```
   */
  update(employee_id: EmployeeId, body: EmployeeChanges, options?: CallOptions): Promise<Employee>

  /**
   * Update an employee's contact data. `PATCH /v1/employees/{employee_id}/contact`
   *
   * How to reach the person; while employed they may set phone and address right themselves.
   *
   * For keys, unbound, employee tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: write, people.
   *
   * @throws {ApiError} among others `invalid_employee_update`, `employee_is_not_employed`
   *
   * @example
   * ```ts
   * await ob.employees.updateContact(employee_id, {
   *   phone: '4155550123'
   * })
   * // {
   * //   id: 'empl_01kdq7b4w8e9rs2mh3n5t6v706',
   * //   member_id: 'mbr_01kdq7b4w8e9rs2mh3n5t6v703',
   * //   reference_id: 'AN-1984',
   * //   first_name: 'Amara',
   * //   last_name: 'Nwosu',
   * //   suffix: null,
   * //   email: 'amara.nwosu@example.com',
   * //   date_of_birth: '1984-02-29',
   * //   gender: 'Female',
   * //   phone: '5185550101',
   * //   employee_class: 'Full Time',
   * //   status: 'active',
   * //   hire_date: '2019-04-01',
   * //   termination_date: null,
   * //   address: null,
   * //   enrollments: [
   * //     {
   * //       id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v706',
   * //       status: 'waived',
   * //       answered_at: '2025-11-04T17:00:00.000Z'
   * //     }
   * //   ],
   * //   created_at: '2024-10-09T16:00:00.000Z',
   * //   updated_at: '2024-10-09T16:00:00.000Z',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v704',
   * //   employer_name: 'Sunrise Bakery',
   * //   start_date: '2019-04-01',
   * //   classification_effective_date: '2019-04-01',
   * //   compensation_type: 'Salary',
   * //   compensation_type_effective_date: '2019-04-01',
   * //   deductions: [
   * //     {
   * //       benefit_name: 'Dental',
   * //       deduction_amount_in_cents: 3969,
   * //       deduction_category: null,
   * //       frequency: 'bi_weekly',
   * //       period_start_date: '2026-02-26',
   * //       period_end_date: '2026-03-11',
   * //       tax_classification: 'Pre-tax',
   * //       kind: 'deduction',
   * //       reason: null,
   * //       corrected_period_start_date: null,
   * //       corrected_period_end_date: null
   * //     }
   * //   ]
   * // }
   * ```
   */
  updateContact(employee_id: EmployeeId, body?: ContactChanges, options?: CallOptions): Promise<Employee>

  /**
   * Terminate an employee. `POST /v1/employees/{employee_id}/terminate`
   *
   * Sets the last day employed, up to 60 days past or in the future. The status turns on the day after.
   *
   * For keys, unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: write, people.
   *
   * @throws {ApiError} among others `invalid_employee_update`, `employee_already_terminated`
   *
   * @example
   * ```ts
   * await ob.employees.terminate(employee_id, {
   *   termination_date: '2099-12-31',
   *   reason: 'Retires'
   * })
   * // {
   * //   id: 'empl_01kdq7b4w8e9rs2mh3n5t6v706',
   * //   member_id: 'mbr_01kdq7b4w8e9rs2mh3n5t6v703',
   * //   reference_id: 'AN-1984',
   * //   first_name: 'Amara',
   * //   last_name: 'Nwosu',
   * //   suffix: null,
   * //   email: 'amara.nwosu@example.com',
   * //   date_of_birth: '1984-02-29',
   * //   gender: 'Female',
   * //   phone: '5185550101',
   * //   employee_class: 'Full Time',
   * //   status: 'active',
   * //   hire_date: '2019-04-01',
   * //   termination_date: null,
   * //   address: null,
   * //   enrollments: [
   * //     {
   * //       id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v706',
   * //       status: 'waived',
   * //       answered_at: '2025-11-04T17:00:00.000Z'
   * //     }
   * //   ],
   * //   created_at: '2024-10-09T16:00:00.000Z',
   * //   updated_at: '2024-10-09T16:00:00.000Z',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v704',
   * //   employer_name: 'Sunrise Bakery',
   * //   start_date: '2019-04-01',
   * //   classification_effective_date: '2019-04-01',
   * //   compensation_type: 'Salary',
   * //   compensation_type_effective_date: '2019-04-01',
   * //   deductions: [
   * //     {
   * //       benefit_name: 'Dental',
   * //       deduction_amount_in_cents: 3969,
   * //       deduction_category: null,
   * //       frequency: 'bi_weekly',
   * //       period_start_date: '2026-02-26',
   * //       period_end_date: '2026-03-11',
   * //       tax_classification: 'Pre-tax',
   * //       kind: 'deduction',
   * //       reason: null,
   * //       corrected_period_start_date: null,
   * //       corrected_period_end_date: null
   * //     }
   * //   ]
   * // }
   * ```
   */
  terminate(employee_id: EmployeeId, body: Termination, options?: CallOptions): Promise<Employee>

  /**
   * Rehire a former employee. `POST /v1/employees/{employee_id}/rehire`
   *
   * A new employment of the same person, with an id of its own; what is not said is as in the former one.
   *
   * For keys, unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: write, people.
   *
   * @throws {ApiError} among others `invalid_employee_update`, `employer_has_no_active_subscription`, `employee_not_terminated`
   *
   * @example
   * ```ts
   * await ob.employees.rehire(employee_id, {
   *   start_date: '2026-03-01'
   * })
   * // {
   * //   id: 'empl_01kdq7b4w8e9rs2mh3n5t6v706',
   * //   member_id: 'mbr_01kdq7b4w8e9rs2mh3n5t6v703',
   * //   reference_id: 'AN-1984',
   * //   first_name: 'Amara',
   * //   last_name: 'Nwosu',
   * //   suffix: null,
   * //   email: 'amara.nwosu@example.com',
   * //   date_of_birth: '1984-02-29',
   * //   gender: 'Female',
   * //   phone: '5185550101',
   * //   employee_class: 'Full Time',
   * //   status: 'active',
   * //   hire_date: '2019-04-01',
   * //   termination_date: null,
   * //   address: null,
   * //   enrollments: [
   * //     {
   * //       id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v706',
   * //       status: 'waived',
   * //       answered_at: '2025-11-04T17:00:00.000Z'
   * //     }
   * //   ],
   * //   created_at: '2024-10-09T16:00:00.000Z',
   * //   updated_at: '2024-10-09T16:00:00.000Z',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v704',
   * //   employer_name: 'Sunrise Bakery',
   * //   start_date: '2019-04-01',
   * //   classification_effective_date: '2019-04-01',
   * //   compensation_type: 'Salary',
   * //   compensation_type_effective_date: '2019-04-01',
   * //   deductions: [
   * //     {
   * //       benefit_name: 'Dental',
   * //       deduction_amount_in_cents: 3969,
   * //       deduction_category: null,
   * //       frequency: 'bi_weekly',
   * //       period_start_date: '2026-02-26',
   * //       period_end_date: '2026-03-11',
   * //       tax_classification: 'Pre-tax',
   * //       kind: 'deduction',
   * //       reason: null,
   * //       corrected_period_start_date: null,
   * //       corrected_period_end_date: null
   * //     }
   * //   ]
   * // }
   * ```
   */
  rehire(employee_id: EmployeeId, body: Rehire, options?: CallOptions): Promise<Employee>

  /**
   * Create an employee. `POST /v1/employers/{employer_id}/employees`
   *
   * Adds a person to the roster. A person whom the organization knows is linked to the employer, not duplicated, and never guessed: if the request is refused as `email_taken` or `ambiguous_person`, send `member_id`, `employee_id` or `distinct`. `warnings` name what a linked person does not take over from the request.
   *
   * For keys, unbound tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: write, people.
   *
   * @throws {ApiError} among others `invalid_employee_update`, `employer_has_hris_connection`, `employer_has_no_active_subscription`, `employee_already_exists`, `ambiguous_person`, `reference_of_another`, `email_taken`, `invalid_account_update`
   *
   * @example
   * ```ts
   * await ob.employees.create(employer_id, {
   *   first_name: 'Ada',
   *   last_name: 'Byron',
   *   email: 'ada.byron@example.com',
   *   date_of_birth: '1990-12-10',
   *   start_date: '2026-03-02',
   *   phone: '4155550123',
   *   employee_class: 'Full Time',
   *   compensation_type: 'Salary',
   *   reference_id: 'E-1001'
   * })
   * // {
   * //   id: 'empl_01kdq7b4w8e9rs2mh3n5t6v70a',
   * //   member_id: 'mbr_01kdq7b4w8e9rs2mh3n5t6v706',
   * //   reference_id: null,
   * //   first_name: 'Ada',
   * //   last_name: 'Byron',
   * //   suffix: null,
   * //   email: 'ada.byron@example.com',
   * //   date_of_birth: '1990-05-17',
   * //   gender: null,
   * //   phone: '4155550123',
   * //   employee_class: 'Full Time',
   * //   status: 'active',
   * //   hire_date: '2026-01-05',
   * //   termination_date: null,
   * //   address: null,
   * //   enrollments: [],
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   updated_at: '2026-03-10T16:00:00.000Z',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v707',
   * //   employer_name: 'Bakery F',
   * //   start_date: '2026-01-05',
   * //   classification_effective_date: '2026-01-05',
   * //   compensation_type: null,
   * //   compensation_type_effective_date: null,
   * //   deductions: [],
   * //   warnings: [
   * //     {
   * //       field: 'phone',
   * //       message: 'differs from what is known of this person, which stays as it is'
   * //     }
   * //   ]
   * // }
   * ```
   */
  create(employer_id: EmployerId, body: NewEmployee, options?: CallOptions): Promise<HiredEmployee>

  /**
   * List the employees of an employer. `GET /v1/employers/{employer_id}/employees`
   *
   * For keys, unbound, employer tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: read, people.
   *
   * @example
   * ```ts
   * for await (const row of ob.employees.list(employer_id)) console.log(row)
   * // {
   * //   id: 'empl_01kdq7b4w8e9rs2mh3n5t6v706',
   * //   member_id: 'mbr_01kdq7b4w8e9rs2mh3n5t6v703',
   * //   reference_id: 'AN-1984',
   * //   first_name: 'Amara',
   * //   last_name: 'Nwosu',
   * //   suffix: null,
   * //   email: 'amara.nwosu@example.com',
   * //   date_of_birth: '1984-02-29',
   * //   gender: 'Female',
   * //   phone: '5185550101',
   * //   employee_class: 'Full Time',
   * //   status: 'active',
   * //   hire_date: '2019-04-01',
   * //   termination_date: null,
   * //   address: null,
   * //   enrollments: [
   * //     {
   * //       id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v706',
   * //       status: 'waived',
   * //       answered_at: '2025-11-04T17:00:00.000Z'
   * //     }
   * //   ],
   * //   created_at: '2024-10-09T16:00:00.000Z',
   * //   updated_at: '2024-10-09T16:00:00.000Z',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v704',
   * //   employer_name: 'Sunrise Bakery',
   * //   start_date: '2019-04-01',
   * //   classification_effective_date: '2019-04-01',
   * //   compensation_type: 'Salary',
   * //   compensation_type_effective_date: '2019-04-01',
   * //   deductions: [
   * //     {
   * //       benefit_name: 'Dental',
   * //       deduction_amount_in_cents: 3969,
   * //       deduction_category: null,
   * //       frequency: 'bi_weekly',
   * //       period_start_date: '2026-02-26',
   * //       period_end_date: '2026-03-11',
   * //       tax_classification: 'Pre-tax',
   * //       kind: 'deduction',
   * //       reason: null,
   * //       corrected_period_start_date: null,
   * //       corrected_period_end_date: null
   * //     }
   * //   ]
   * // }
   * ```
   */
  list(employer_id: EmployerId, query?: EmployersListEmployeesQuery, options?: CallOptions): Pages<Employee, EmployeePage>

  /**
   * Take back a termination. `POST /v1/employees/{employee_id}/reinstate`
   *
   * The last termination is taken back as if it had not been told, up to 60 days after the last day employed. What it ended is what it would be now (`enrollment.reinstated`, `employee.reinstated`), and money follows by corrections.
   *
   * For keys, unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: write, people.
   *
   * @throws {ApiError} among others `invalid_employee_update`, `employer_has_no_active_subscription`, `nothing_to_reinstate`, `employed_again`
   *
   * @example
   * ```ts
   * await ob.employees.reinstate(employee_id, {
   *   reason: 'Left out of the file by mistake'
   * })
   * // {
   * //   id: 'empl_01kdq7b4w8e9rs2mh3n5t6v706',
   * //   member_id: 'mbr_01kdq7b4w8e9rs2mh3n5t6v703',
   * //   reference_id: 'AN-1984',
   * //   first_name: 'Amara',
   * //   last_name: 'Nwosu',
   * //   suffix: null,
   * //   email: 'amara.nwosu@example.com',
   * //   date_of_birth: '1984-02-29',
   * //   gender: 'Female',
   * //   phone: '5185550101',
   * //   employee_class: 'Full Time',
   * //   status: 'active',
   * //   hire_date: '2019-04-01',
   * //   termination_date: null,
   * //   address: null,
   * //   enrollments: [
   * //     {
   * //       id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v706',
   * //       status: 'waived',
   * //       answered_at: '2025-11-04T17:00:00.000Z'
   * //     }
   * //   ],
   * //   created_at: '2024-10-09T16:00:00.000Z',
   * //   updated_at: '2024-10-09T16:00:00.000Z',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v704',
   * //   employer_name: 'Sunrise Bakery',
   * //   start_date: '2019-04-01',
   * //   classification_effective_date: '2019-04-01',
   * //   compensation_type: 'Salary',
   * //   compensation_type_effective_date: '2019-04-01',
   * //   deductions: [
   * //     {
   * //       benefit_name: 'Dental',
   * //       deduction_amount_in_cents: 3969,
   * //       deduction_category: null,
   * //       frequency: 'bi_weekly',
   * //       period_start_date: '2026-02-26',
   * //       period_end_date: '2026-03-11',
   * //       tax_classification: 'Pre-tax',
   * //       kind: 'deduction',
   * //       reason: null,
   * //       corrected_period_start_date: null,
   * //       corrected_period_end_date: null
   * //     }
   * //   ]
   * // }
   * ```
   */
  reinstate(employee_id: EmployeeId, body?: Reinstatement, options?: CallOptions): Promise<Employee>
}

export interface EmployersMethods {
  /**
   * List the employer book. `GET /v1/employers`
   *
   * The employers of your organization with their computed columns, newest first. Cancelled employers are hidden unless include_cancelled is true or their stage is asked for.
   *
   * For keys, unbound tokens. Any role. Scopes: read.
   *
   * @example
   * ```ts
   * for await (const row of ob.employers.list()) console.log(row)
   * // {
   * //   id: 'empr_01kdq7b4w8e9rs2mh3n5t6v702',
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   name: 'Blue Heron Coffee',
   * //   legal_name: 'Blue Heron Coffee Roasters LLC',
   * //   ein: '**-***5386',
   * //   reference_id: 'crm-20419',
   * //   email: 'benefits@blueheron.example',
   * //   phone_number: '4155550199',
   * //   active: true,
   * //   address: {
   * //     address_line_1: '18 Harbor St',
   * //     address_line_2: 'Suite 4',
   * //     city: 'San Francisco',
   * //     state: 'CA',
   * //     zipcode: '94105'
   * //   },
   * //   eligibility_policy_id: 'epol_01kdq7b4w8e9rs2mh3n5t6v703',
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   updated_at: '2026-03-10T16:00:00.000Z',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v702',
   * //   enrollment_rate_summary: {
   * //     eligible: 0,
   * //     enrolled: 0,
   * //     percentage: 0
   * //   },
   * //   benefit_families: [],
   * //   hris_status: null,
   * //   benefit_lifecycle_stage: {
   * //     stage: 'onboarding',
   * //     as_of_date: null
   * //   },
   * //   renews_on: null
   * // }
   * ```
   */
  list(query?: EmployersListQuery, options?: CallOptions): Pages<EmployerRow, EmployerPage>

  /**
   * Create an employer. `POST /v1/employers`
   *
   * EIN, name, legal name, e-mail address and phone number are each unique within the organization. The e-mail address becomes the first admin of the employer. In the sandbox the employer has a subscription at once.
   *
   * For keys, unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: write.
   *
   * @throws {ApiError} among others `EIN_ALREADY_EXISTS`, `NAME_ALREADY_EXISTS`, `LEGAL_NAME_ALREADY_EXISTS`, `EMAIL_ALREADY_EXISTS`, `PHONE_ALREADY_EXISTS`, `po_box_not_allowed`
   *
   * @example
   * ```ts
   * await ob.employers.create({
   *   name: 'Blue Heron Coffee',
   *   legal_name: 'Blue Heron Coffee Roasters LLC',
   *   ein: '47-2915386',
   *   email: 'benefits@blueheron.example',
   *   phone_number: '4155550199',
   *   reference_id: 'crm-20418',
   *   address: {
   *     address_line_1: '18 Harbor St',
   *     address_line_2: 'Suite 4',
   *     city: 'San Francisco',
   *     state: 'CA',
   *     zipcode: '94105'
   *   }
   * })
   * // {
   * //   id: 'empr_01kdq7b4w8e9rs2mh3n5t6v702',
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   name: 'Blue Heron Coffee',
   * //   legal_name: 'Blue Heron Coffee Roasters LLC',
   * //   ein: '**-***5386',
   * //   reference_id: 'crm-20419',
   * //   email: 'benefits@blueheron.example',
   * //   phone_number: '4155550199',
   * //   active: true,
   * //   address: {
   * //     address_line_1: '18 Harbor St',
   * //     address_line_2: 'Suite 4',
   * //     city: 'San Francisco',
   * //     state: 'CA',
   * //     zipcode: '94105'
   * //   },
   * //   eligibility_policy_id: 'epol_01kdq7b4w8e9rs2mh3n5t6v703',
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   updated_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  create(body: NewEmployer, options?: CallOptions): Promise<Employer>

  /**
   * Get an employer. `GET /v1/employers/{employer_id}`
   *
   * For keys, unbound, employer tokens. Any role. Scopes: read.
   *
   * @example
   * ```ts
   * await ob.employers.get(employer_id)
   * // {
   * //   id: 'empr_01kdq7b4w8e9rs2mh3n5t6v702',
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   name: 'Blue Heron Coffee',
   * //   legal_name: 'Blue Heron Coffee Roasters LLC',
   * //   ein: '**-***5386',
   * //   reference_id: 'crm-20419',
   * //   email: 'benefits@blueheron.example',
   * //   phone_number: '4155550199',
   * //   active: true,
   * //   address: {
   * //     address_line_1: '18 Harbor St',
   * //     address_line_2: 'Suite 4',
   * //     city: 'San Francisco',
   * //     state: 'CA',
   * //     zipcode: '94105'
   * //   },
   * //   eligibility_policy_id: 'epol_01kdq7b4w8e9rs2mh3n5t6v703',
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   updated_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  get(employer_id: EmployerId, options?: CallOptions): Promise<Employer>

  /**
   * Update an employer. `PUT /v1/employers/{employer_id}`
   *
   * Only the fields that are sent change, all of them or none. null clears reference_id and phone_number; the address is replaced as a whole. The EIN can not be changed.
   *
   * For keys, unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: write.
   *
   * @throws {ApiError} among others `EIN_ALREADY_EXISTS`, `NAME_ALREADY_EXISTS`, `LEGAL_NAME_ALREADY_EXISTS`, `EMAIL_ALREADY_EXISTS`, `PHONE_ALREADY_EXISTS`, `po_box_not_allowed`
   *
   * @example
   * ```ts
   * await ob.employers.update(employer_id, {
   *   reference_id: 'crm-20419',
   *   active: true
   * })
   * // {
   * //   id: 'empr_01kdq7b4w8e9rs2mh3n5t6v702',
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   name: 'Blue Heron Coffee',
   * //   legal_name: 'Blue Heron Coffee Roasters LLC',
   * //   ein: '**-***5386',
   * //   reference_id: 'crm-20419',
   * //   email: 'benefits@blueheron.example',
   * //   phone_number: '4155550199',
   * //   active: true,
   * //   address: {
   * //     address_line_1: '18 Harbor St',
   * //     address_line_2: 'Suite 4',
   * //     city: 'San Francisco',
   * //     state: 'CA',
   * //     zipcode: '94105'
   * //   },
   * //   eligibility_policy_id: 'epol_01kdq7b4w8e9rs2mh3n5t6v703',
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   updated_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  update(employer_id: EmployerId, body?: EmployerChanges, options?: CallOptions): Promise<Employer>

  /**
   * Get the settings of an employer. `GET /v1/employers/{employer_id}/settings`
   *
   * Those that you set, and those that the operator does.
   *
   * For keys, unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: read.
   *
   * @example
   * ```ts
   * await ob.employers.getSettings(employer_id)
   * // {
   * //   pay_frequency: 'monthly',
   * //   first_pay_date: null,
   * //   deduction_method: 'annualized',
   * //   census_mode: 'merge',
   * //   deductions_per_year: null,
   * //   final_deductions: 'collect',
   * //   arrears_limit_percent: 50,
   * //   administered_from: '2025-10-01',
   * //   correction_reach_months: 3
   * // }
   * ```
   */
  getSettings(employer_id: EmployerId, options?: CallOptions): Promise<EmployerSettings>

  /**
   * Update the settings of an employer. `PUT /v1/employers/{employer_id}/settings`
   *
   * Only the fields that are sent change; the answer carries all settings.
   *
   * For keys, unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: write.
   *
   * @example
   * ```ts
   * await ob.employers.updateSettings(employer_id, {
   *   pay_frequency: 'semi_monthly',
   *   first_pay_date: '2026-01-15'
   * })
   * // {
   * //   pay_frequency: 'monthly',
   * //   first_pay_date: null,
   * //   deduction_method: 'annualized',
   * //   census_mode: 'merge',
   * //   deductions_per_year: null,
   * //   final_deductions: 'collect',
   * //   arrears_limit_percent: 50,
   * //   administered_from: '2025-10-01',
   * //   correction_reach_months: 3
   * // }
   * ```
   */
  updateSettings(employer_id: EmployerId, body?: EmployerSettingsChanges, options?: CallOptions): Promise<EmployerSettings>
}

export interface PlansMethods {
  /**
   * List plans. `GET /v1/plans`
   *
   * The plans that the operator has given the organization, by name.
   *
   * For keys, unbound tokens. Any role. Scopes: read.
   *
   * @example
   * ```ts
   * for await (const row of ob.plans.list()) console.log(row)
   * // {
   * //   id: 'pln_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   name: 'Brightside DHMO',
   * //   benefit_id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   carrier: 'Brightside Dental',
   * //   network_names: [
   * //     'Brightside'
   * //   ],
   * //   spd_file_url: null,
   * //   partial_month_rule: 'full_month_on_first'
   * // }
   * ```
   */
  list(query?: PlansListQuery, options?: CallOptions): Pages<Plan, PlanPage>
}

export interface EligibilityPoliciesMethods {
  /**
   * Create an eligibility policy. `POST /v1/employers/{employer_id}/benefit-eligibility-policies`
   *
   * The new policy becomes the active one; the former is archived. One with `benefit_ids` is for those benefits alone, and archives those that were for some of them: no benefit is in two, and at most one is for all the rest.
   *
   * For keys, unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: write.
   *
   * @throws {ApiError} among others `benefit_has_policy`, `policy_benefit_unknown`
   *
   * @example
   * ```ts
   * await ob.eligibilityPolicies.create(employer_id, {
   *   classification: 'full_time',
   *   waiting_period: 'first_of_following_month'
   * })
   * // {
   * //   id: 'epol_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   active: true,
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   classification: 'all',
   * //   employee_classes: [
   * //     'Full Time'
   * //   ],
   * //   compensation_types: null,
   * //   waiting_period: '30_days',
   * //   start_alignment: 'exact',
   * //   service_credit_weeks: 13,
   * //   benefit_ids: [],
   * //   created_at: '2025-03-03T17:00:00.000Z',
   * //   updated_at: '2025-03-03T17:00:00.000Z'
   * // }
   * ```
   */
  create(employer_id: EmployerId, body: NewBenefitEligibilityPolicy, options?: CallOptions): Promise<BenefitEligibilityPolicy>

  /**
   * List the eligibility policies of an employer. `GET /v1/employers/{employer_id}/benefit-eligibility-policies`
   *
   * Newest first, archived ones too.
   *
   * For keys, unbound tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: read.
   *
   * @example
   * ```ts
   * for await (const row of ob.eligibilityPolicies.list(employer_id)) console.log(row)
   * // {
   * //   id: 'epol_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   active: true,
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   classification: 'all',
   * //   employee_classes: [
   * //     'Full Time'
   * //   ],
   * //   compensation_types: null,
   * //   waiting_period: '30_days',
   * //   start_alignment: 'exact',
   * //   service_credit_weeks: 13,
   * //   benefit_ids: [],
   * //   created_at: '2025-03-03T17:00:00.000Z',
   * //   updated_at: '2025-03-03T17:00:00.000Z'
   * // }
   * ```
   */
  list(employer_id: EmployerId, query?: EmployersListBenefitEligibilityPoliciesQuery, options?: CallOptions): Pages<BenefitEligibilityPolicy, BenefitEligibilityPolicyPage>

  /**
   * Get an eligibility policy. `GET /v1/benefit-eligibility-policies/{policy_id}`
   *
   * Active or archived.
   *
   * For keys, unbound tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: read.
   *
   * @example
   * ```ts
   * await ob.eligibilityPolicies.get(policy_id)
   * // {
   * //   id: 'epol_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   active: true,
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   classification: 'all',
   * //   employee_classes: [
   * //     'Full Time'
   * //   ],
   * //   compensation_types: null,
   * //   waiting_period: '30_days',
   * //   start_alignment: 'exact',
   * //   service_credit_weeks: 13,
   * //   benefit_ids: [],
   * //   created_at: '2025-03-03T17:00:00.000Z',
   * //   updated_at: '2025-03-03T17:00:00.000Z'
   * // }
   * ```
   */
  get(policy_id: EligibilityPolicyId, options?: CallOptions): Promise<BenefitEligibilityPolicy>
}

export interface PlanYearsMethods {
  /**
   * List the plan years of an employer. `GET /v1/employers/{employer_id}/benefit-plan-years`
   *
   * Newest first, without pages. Fields that speak of one benefit speak of the leading one.
   *
   * For keys, unbound, employer tokens. Any role. Scopes: read.
   *
   * @example
   * ```ts
   * await ob.planYears.list(employer_id)
   * // [
   * //   {
   * //     id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v702',
   * //     benefit_plan_year_id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v702',
   * //     benefit_id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v700',
   * //     year: 2025,
   * //     family: 'mec',
   * //     product_name: 'Essential Care',
   * //     carrier: 'Evergreen Health',
   * //     network_names: [
   * //       'First Health'
   * //     ],
   * //     premium_in_cents: 9300,
   * //     employee_contribution: {
   * //       min_cents: 0,
   * //       max_cents: 13000
   * //     },
   * //     employer_contribution: {
   * //       min_cents: 8600,
   * //       max_cents: 13000
   * //     },
   * //     status: 'active',
   * //     coverage_start: '2025-12-01',
   * //     coverage_end: '2026-11-30',
   * //     open_enrollment_start: '2025-11-01',
   * //     open_enrollment_end: '2025-11-14',
   * //     offered_states: [
   * //       'NY'
   * //     ],
   * //     renewal: 'active',
   * //     plan_successors: {},
   * //     notice_due_on: null,
   * //     benefits: [
   * //       {
   * //         id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v700',
   * //         category: 'Medical',
   * //         name: 'Essential Care',
   * //         product_code: 'MEC'
   * //       }
   * //     ],
   * //     benefit_families: [
   * //       'DENTAL'
   * //     ],
   * //     enrollment_rate: {
   * //       eligible: 9,
   * //       enrolled: 7,
   * //       percentage: 78
   * //     },
   * //     is_current: true
   * //   }
   * // ]
   * ```
   */
  list(employer_id: EmployerId, query?: EmployersListBenefitPlanYearsQuery, options?: CallOptions): Promise<BenefitPlanYearRow[]>

  /**
   * Get a plan year. `GET /v1/employers/{employer_id}/benefit-plan-years/{benefit_plan_year_id}`
   *
   * With the enrollment rate of each benefit, what the employer contributes, and who is eligible.
   *
   * For keys, unbound, employer tokens. Any role. Scopes: read.
   *
   * @example
   * ```ts
   * await ob.planYears.get(employer_id, benefit_plan_year_id)
   * // {
   * //   id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   benefit_plan_year_id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   benefit_id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v702',
   * //   year: 2026,
   * //   family: 'ichra',
   * //   product_name: 'Own Choice',
   * //   carrier: 'Evergreen Health',
   * //   network_names: [
   * //     'First Health'
   * //   ],
   * //   premium_in_cents: 17100,
   * //   employee_contribution: null,
   * //   employer_contribution: {
   * //     min_cents: 15000,
   * //     max_cents: 60000
   * //   },
   * //   status: 'open_enrollment',
   * //   coverage_start: '2026-05-01',
   * //   coverage_end: '2027-04-30',
   * //   open_enrollment_start: '2026-03-05',
   * //   open_enrollment_end: '2026-03-19',
   * //   offered_states: [],
   * //   renewal: 'active',
   * //   plan_successors: {},
   * //   notice_due_on: '2026-01-31',
   * //   benefits: [
   * //     {
   * //       id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v702',
   * //       category: 'Medical',
   * //       name: 'Own Choice',
   * //       product_code: 'ICHRA',
   * //       enrollment_rate: {
   * //         eligible: 4,
   * //         enrolled: 1,
   * //         percentage: 25
   * //       }
   * //     }
   * //   ],
   * //   choice_groups: [
   * //     {
   * //       name: 'medical',
   * //       benefit_ids: [
   * //         'bprd_01kdq7b4w8e9rs2mh3n5t6v702'
   * //       ]
   * //     }
   * //   ],
   * //   benefit_families: [
   * //     'DENTAL'
   * //   ],
   * //   enrollment_rate: {
   * //     eligible: 4,
   * //     enrolled: 1,
   * //     percentage: 25
   * //   },
   * //   spd_file_url: null,
   * //   contribution_strategy: {
   * //     contribution_tiers: [
   * //       {
   * //         benefit_id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v701',
   * //         coverage_tier: 'EE',
   * //         method: 'fixed',
   * //         amount_in_cents: 1500,
   * //         percentage: null,
   * //         benefit_plan_id: 'pln_01kdq7b4w8e9rs2mh3n5t6v700',
   * //         benefit_plan_name: 'Brightside DHMO',
   * //         benefit_plan_tier_name: 'Employee only',
   * //         premium_in_cents: 1450,
   * //         employer_contribution_in_cents: 1450,
   * //         cost: 0,
   * //         cost_per_dependent: 0,
   * //         dependents_required_in: false,
   * //         spouse_required_in: false
   * //       }
   * //     ],
   * //     contribution_rules: [
   * //       {
   * //         method: 'fixed',
   * //         benefit_id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v701',
   * //         coverage_tier: null,
   * //         amount_in_cents: 1500
   * //       }
   * //     ],
   * //     ichra_contribution_classes: [
   * //       {
   * //         name: 'Part Time',
   * //         state: null,
   * //         max_age: null,
   * //         min_age: null,
   * //         location: 'Unspecified',
   * //         benefit_id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v702',
   * //         employment: 'Part Time',
   * //         compensation: 'Unspecified',
   * //         coverage_tier: null,
   * //         family_status: 'Unspecified',
   * //         employee_class: 'Part Time',
   * //         location_value: null,
   * //         amount_in_cents: 15000,
   * //         allowance_in_cents: 15000,
   * //         contribution_class_id: 'iccl_01kdq7b4w8e9rs2mh3n5t6v700'
   * //       }
   * //     ]
   * //   },
   * //   eligibility_policy: {
   * //     id: 'epol_01kdq7b4w8e9rs2mh3n5t6v701',
   * //     active: true,
   * //     employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v701',
   * //     classification: 'all',
   * //     employee_classes: [
   * //       'Full Time'
   * //     ],
   * //     compensation_types: null,
   * //     waiting_period: '30_days',
   * //     start_alignment: 'exact',
   * //     service_credit_weeks: 13,
   * //     benefit_ids: [],
   * //     termination_rule: 'END_OF_N_MONTHS',
   * //     termination_n_months: 0,
   * //     rules: [
   * //       {
   * //         employee_class: 'Full Time',
   * //         compensation_type: 'All',
   * //         eligible_geographical_location: {
   * //           type: 'All',
   * //           state_codes: []
   * //         }
   * //       }
   * //     ],
   * //     created_at: '2025-03-03T17:00:00.000Z',
   * //     updated_at: '2025-03-03T17:00:00.000Z'
   * //   }
   * // }
   * ```
   */
  get(employer_id: EmployerId, benefit_plan_year_id: BenefitPlanYearId, options?: CallOptions): Promise<BenefitPlanYear>

  /**
   * List the enrollments of a plan year. `GET /v1/employers/{employer_id}/benefit-plan-years/{benefit_plan_year_id}/enrollments`
   *
   * One row for each enrollment, whatever was answered, newest first unless `sort` says otherwise.
   *
   * For keys, unbound, employer tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: read, people.
   *
   * @example
   * ```ts
   * for await (const row of ob.planYears.listEnrollments(employer_id, benefit_plan_year_id)) console.log(row)
   * // {
   * //   member_id: 'mbr_01kdq7b4w8e9rs2mh3n5t6v704',
   * //   employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v709',
   * //   employee_external_reference_id: 'NH-1986',
   * //   member_first_name: 'Noor',
   * //   member_last_name: 'Haddad',
   * //   election_status: 'Pending',
   * //   policy_status: null,
   * //   dependent_count: 0,
   * //   carrier: null,
   * //   plan: null,
   * //   tier: null,
   * //   premium_in_cents: null,
   * //   employer_contribution_in_cents: null,
   * //   employee_deduction_in_cents: null,
   * //   enrollment_id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v70d',
   * //   benefit_id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   benefit_name: 'Dental',
   * //   coverage_start: '2026-05-01',
   * //   coverage_end: null,
   * //   window_ends_on: '2026-03-19',
   * //   affordability: null,
   * //   missing_figures: null
   * // }
   * ```
   */
  listEnrollments(employer_id: EmployerId, benefit_plan_year_id: BenefitPlanYearId, query?: EmployersListBenefitPlanYearEnrollmentsQuery, options?: CallOptions): Pages<PlanYearEnrollmentRow, PlanYearEnrollmentPage>

  /**
   * Count the enrollments of a plan year. `GET /v1/employers/{employer_id}/benefit-plan-years/{benefit_plan_year_id}/enrollments/summary`
   *
   * For keys, unbound, employer tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: read, people.
   *
   * @example
   * ```ts
   * await ob.planYears.summarizeEnrollments(employer_id, benefit_plan_year_id)
   * // {
   * //   people: {
   * //     eligible: 4,
   * //     enrolled: 1,
   * //     waived: 0,
   * //     pending: 4,
   * //     expired: 0
   * //   },
   * //   benefits: [
   * //     {
   * //       benefit_id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v702',
   * //       counts: {
   * //         eligible: 4,
   * //         enrolled: 1,
   * //         waived: 0,
   * //         pending: 3,
   * //         expired: 0
   * //       }
   * //     }
   * //   ],
   * //   csv_url: 'http://127.0.0.1:42525/v1/downloads/eyJhbGciOiJIUzI1NiJ9.eyJraW5kIjoicGxhbl95ZWFyX2Vucm9sbG1lbnRzX2NzdiIsIm9yZ2FuaXphdGlvbl9pZCI6Im9yZ18wMW04amdrZnBxZjIxOHEwc3hzMncwbTN0NiIsImlkIjoicGx5cl8wMW04amdrbTdmZjIxOHE4N3pmNjNibmN3bSIsImtleV9pZCI6ImtleV8wMW04amdrZnE2ZjIxOHEwdngwNmFqemc3cCIsInJvbGUiOiJBRE1JTiIsImFza2VkX2J5Ijp7ImtpbmQiOiJhcGlfa2V5IiwiaWQiOiJrZXlfMDFtOGpna2ZxNmYyMThxMHZ4MDZhanpnN3AiLCJ1c2VyX2lkIjoidXNyXzAxbThqZ2tmcHpmMjE4cTB0anh4amN5dm03In0sImlzcyI6Im9wZW5iZW5lZml0cyBkb3dubG9hZHMiLCJleHAiOjE3NzMxNTkzMDB9.4ZRttw_Mu6agi7lKWFd3dC6bWUdhFxPRdGBrJv04XEw'
   * // }
   * ```
   */
  summarizeEnrollments(employer_id: EmployerId, benefit_plan_year_id: BenefitPlanYearId, options?: CallOptions): Promise<PlanYearEnrollmentSummary>

  /**
   * Tell who is carried into a plan year. `GET /v1/employers/{employer_id}/benefit-plan-years/{benefit_plan_year_id}/renewal`
   *
   * Beforehand and afterwards: who was enrolled or had waived at the end of the plan year before, and has not answered, is carried to what, at which cost; who is not, and why. A row for each employee and benefit, by their ids.
   *
   * For keys, unbound tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: read, people.
   *
   * @example
   * ```ts
   * for await (const row of ob.planYears.getRenewal(employer_id, benefit_plan_year_id)) console.log(row)
   * // {
   * //   member_id: 'mbr_01kdq7b4w8e9rs2mh3n5t6v707',
   * //   employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v707',
   * //   employee_external_reference_id: 'OP-1979',
   * //   member_first_name: 'Owen',
   * //   member_last_name: 'Pryce',
   * //   benefit_id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   benefit_name: 'Dental',
   * //   former_enrollment_id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v70e',
   * //   former_plan: 'Brightside DHMO',
   * //   former_coverage_tier: 'EE',
   * //   enrollment_id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v70f',
   * //   outcome: 'lapses',
   * //   reason: 'active_renewal',
   * //   coverage_start: '2026-05-01',
   * //   plan: null,
   * //   answer: null,
   * //   coverage_tier: null,
   * //   premium_in_cents: null,
   * //   employer_contribution_in_cents: null,
   * //   employee_deduction_in_cents: null,
   * //   dependent_ids: []
   * // }
   * ```
   */
  getRenewal(employer_id: EmployerId, benefit_plan_year_id: BenefitPlanYearId, query?: EmployersGetBenefitPlanYearRenewalQuery, options?: CallOptions): Pages<RenewalRow, RenewalPage>

  /**
   * List the amendments of a plan year. `GET /v1/employers/{employer_id}/benefit-plan-years/{benefit_plan_year_id}/amendments`
   *
   * The last one first: what the operator changed while the plan year runs, from when on and why.
   *
   * For keys, unbound tokens. Any role. Scopes: read.
   *
   * @example
   * ```ts
   * for await (const row of ob.planYears.listAmendments(employer_id, benefit_plan_year_id)) console.log(row)
   * // {
   * //   id: 'amnd_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   benefit_plan_year_id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   effective_on: '2026-01-01',
   * //   reason: 'The café pays more for whoever enrolls alone',
   * //   repriced_plan_ids: [],
   * //   contributions: [
   * //     {
   * //       benefit_id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v700',
   * //       contribution_tiers: [
   * //         {
   * //           method: 'percentage',
   * //           percentage: 75,
   * //           coverage_tier: 'EE'
   * //         }
   * //       ]
   * //     }
   * //   ],
   * //   added_plan_ids: [],
   * //   closed_plan_ids: [],
   * //   added_benefits: [],
   * //   withdrawn_benefit_ids: [],
   * //   coverage_end: null,
   * //   reported_at: '2025-12-10T17:00:00.000Z',
   * //   withdrawn_at: '2026-03-10T16:00:00.000Z',
   * //   withdrawal_reason: 'Told for the wrong employer'
   * // }
   * ```
   */
  listAmendments(employer_id: EmployerId, benefit_plan_year_id: BenefitPlanYearId, query?: EmployersListBenefitPlanYearAmendmentsQuery, options?: CallOptions): Pages<Amendment, AmendmentPage>
}

export interface EnrollmentsMethods {
  /**
   * List the enrollments of an employee. `GET /v1/employees/{employee_id}/enrollments`
   *
   * One per benefit, plan year and time of being eligible, newest first.
   *
   * For keys, unbound, employer, employee tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: read, people.
   *
   * @example
   * ```ts
   * for await (const row of ob.enrollments.list(employee_id)) console.log(row)
   * // {
   * //   id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v708',
   * //   employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v708',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v704',
   * //   benefit: {
   * //     id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v703',
   * //     category: 'Vision',
   * //     name: 'Vision',
   * //     product_code: 'VV'
   * //   },
   * //   status: 'enrolled',
   * //   coverage_start: '2025-12-01',
   * //   coverage_end: null,
   * //   employee_deduction_in_cents: 790,
   * //   employer_contribution_in_cents: 790,
   * //   domestic_partner_share_in_cents: 0,
   * //   answered_at: '2025-11-06T17:00:00.000Z',
   * //   elected_by: null,
   * //   terminated_at: null,
   * //   created_at: '2025-11-02T17:00:00.000Z',
   * //   updated_at: '2025-11-06T17:00:00.000Z',
   * //   benefit_plan_year_id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v702',
   * //   plan_year_start: '2025-12-01',
   * //   plan_year_end: '2026-11-30',
   * //   plan: {
   * //     id: 'pln_01kdq7b4w8e9rs2mh3n5t6v703',
   * //     name: 'Clearview Basic',
   * //     carrier: 'Clearview Vision'
   * //   },
   * //   elected_from: null,
   * //   coverage_tier: 'ES',
   * //   premium_in_cents: 1580,
   * //   individual_plan_name: null,
   * //   bought_on_exchange: null,
   * //   dependent_ids: [
   * //     'dep_01kdq7b4w8e9rs2mh3n5t6v701'
   * //   ],
   * //   upcoming_election: null,
   * //   window: null,
   * //   allowed_changes: null
   * // }
   * ```
   */
  list(employee_id: EmployeeId, query?: EmployeesListEnrollmentsQuery, options?: CallOptions): Pages<Enrollment, EnrollmentPage>

  /**
   * Get an enrollment. `GET /v1/enrollments/{enrollment_id}`
   *
   * With the plans that can be elected and what they cost per month.
   *
   * For keys, unbound, employer, employee tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: read, people.
   *
   * @example
   * ```ts
   * await ob.enrollments.get(enrollment_id)
   * // {
   * //   id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v707',
   * //   employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v707',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   benefit: {
   * //     id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v702',
   * //     category: 'Medical',
   * //     name: 'Own Choice',
   * //     product_code: 'ICHRA'
   * //   },
   * //   status: 'waived',
   * //   coverage_start: '2026-05-01',
   * //   coverage_end: null,
   * //   employee_deduction_in_cents: 0,
   * //   employer_contribution_in_cents: 0,
   * //   domestic_partner_share_in_cents: 0,
   * //   answered_at: '2026-03-10T16:00:00.000Z',
   * //   elected_by: 'partner',
   * //   terminated_at: null,
   * //   created_at: '2026-03-05T17:00:00.000Z',
   * //   updated_at: '2026-03-10T16:00:00.000Z',
   * //   benefit_plan_year_id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   plan_year_start: '2026-05-01',
   * //   plan_year_end: '2027-04-30',
   * //   plan: null,
   * //   elected_from: null,
   * //   coverage_tier: null,
   * //   premium_in_cents: null,
   * //   individual_plan_name: null,
   * //   bought_on_exchange: null,
   * //   dependent_ids: [],
   * //   upcoming_election: null,
   * //   window: {
   * //     start: '2026-03-05',
   * //     end: '2026-03-19'
   * //   },
   * //   allowed_changes: {
   * //     add: true,
   * //     change_plan: true,
   * //     waive: true,
   * //     drop: [
   * //       'spouse'
   * //     ]
   * //   },
   * //   affordability: 'Affordable',
   * //   missing_figures: [],
   * //   notice_due_on: '2026-01-31',
   * //   plans: [
   * //     {
   * //       id: 'pln_01kdq7b4w8e9rs2mh3n5t6v702',
   * //       name: 'Lone Star Silver',
   * //       carrier: 'Evergreen Health',
   * //       network_names: [
   * //         'First Health'
   * //       ],
   * //       spd_file_url: null,
   * //       facts: {
   * //         copays: [
   * //           'Primary care: $40'
   * //         ],
   * //         metal_level: 'Silver',
   * //         hsa_eligible: false,
   * //         sbc_file_url: 'https://plans.example.com/lone-star-silver-sbc.pdf',
   * //         deductible_in_cents: 480000,
   * //         out_of_pocket_limit_in_cents: 920000
   * //       },
   * //       tiers: [
   * //         {
   * //           coverage_tier: 'EE',
   * //           premium_in_cents: 43700,
   * //           employer_contribution_in_cents: 43700,
   * //           employee_deduction_in_cents: 0
   * //         }
   * //       ]
   * //     }
   * //   ]
   * // }
   * ```
   */
  get(enrollment_id: EnrollmentId, options?: CallOptions): Promise<EnrollmentDetail>

  /**
   * Read the history of an enrollment. `GET /v1/enrollments/{enrollment_id}/history`
   *
   * Everything that was done to it, in the order in which it was: each grant, answer, correction and end, with who did it, why, in which window, and what it cost then.
   *
   * For keys, unbound, employer, employee tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: read, people.
   *
   * @example
   * ```ts
   * for await (const row of ob.enrollments.getHistory(enrollment_id)) console.log(row)
   * // {
   * //   action: 'granted',
   * //   recorded_at: '2026-03-05T17:00:00.000Z',
   * //   actor: {
   * //     kind: 'rule',
   * //     id: null
   * //   },
   * //   reason: null,
   * //   reason_code: null,
   * //   window: {
   * //     kind: 'grant',
   * //     start: '2026-03-05',
   * //     end: '2026-03-05',
   * //     life_event_id: null
   * //   },
   * //   coverage_start: '2026-05-01',
   * //   coverage_end: null,
   * //   answer: null,
   * //   elections: null,
   * //   offered: null
   * // }
   * ```
   */
  getHistory(enrollment_id: EnrollmentId, query?: EnrollmentsGetHistoryQuery, options?: CallOptions): Pages<EnrollmentEvidence, EnrollmentEvidencePage>

  /**
   * Elect a plan. `POST /v1/enrollments/{enrollment_id}/elect`
   *
   * While a window is open: 30 days from the grant, open enrollment, or 30 days after a qualifying life event is approved. Before coverage begins it replaces what was elected; after that it holds from the first of the next month, but who is added after a birth, adoption or placement is covered from that day. Until then nobody leaves and no plan changes.
   *
   * For keys, unbound, employee tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: write, people.
   *
   * @throws {ApiError} among others `employee_is_not_employed`, `enrollment_is_inactive`, `enrollment_window_closed`, `change_not_consistent`, `coverage_ends_first`, `plan_not_offered`, `individual_plan_does_not_fit`, `dependents_do_not_fit_tier`, `dependent_not_coverable`
   *
   * @example
   * ```ts
   * await ob.enrollments.elect(enrollment_id, {
   *   plan_id: 'pln_01kdq7b4w8e9rs2mh3n5t6v7xz',
   *   coverage_tier: 'EE'
   * })
   * // {
   * //   id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v707',
   * //   employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v707',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   benefit: {
   * //     id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v702',
   * //     category: 'Medical',
   * //     name: 'Own Choice',
   * //     product_code: 'ICHRA'
   * //   },
   * //   status: 'waived',
   * //   coverage_start: '2026-05-01',
   * //   coverage_end: null,
   * //   employee_deduction_in_cents: 0,
   * //   employer_contribution_in_cents: 0,
   * //   domestic_partner_share_in_cents: 0,
   * //   answered_at: '2026-03-10T16:00:00.000Z',
   * //   elected_by: 'partner',
   * //   terminated_at: null,
   * //   created_at: '2026-03-05T17:00:00.000Z',
   * //   updated_at: '2026-03-10T16:00:00.000Z',
   * //   benefit_plan_year_id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   plan_year_start: '2026-05-01',
   * //   plan_year_end: '2027-04-30',
   * //   plan: null,
   * //   elected_from: null,
   * //   coverage_tier: null,
   * //   premium_in_cents: null,
   * //   individual_plan_name: null,
   * //   bought_on_exchange: null,
   * //   dependent_ids: [],
   * //   upcoming_election: null,
   * //   window: {
   * //     start: '2026-03-05',
   * //     end: '2026-03-19'
   * //   },
   * //   allowed_changes: {
   * //     add: true,
   * //     change_plan: true,
   * //     waive: true,
   * //     drop: [
   * //       'spouse'
   * //     ]
   * //   },
   * //   affordability: 'Affordable',
   * //   missing_figures: [],
   * //   notice_due_on: '2026-01-31',
   * //   plans: [
   * //     {
   * //       id: 'pln_01kdq7b4w8e9rs2mh3n5t6v702',
   * //       name: 'Lone Star Silver',
   * //       carrier: 'Evergreen Health',
   * //       network_names: [
   * //         'First Health'
   * //       ],
   * //       spd_file_url: null,
   * //       facts: {
   * //         copays: [
   * //           'Primary care: $40'
   * //         ],
   * //         metal_level: 'Silver',
   * //         hsa_eligible: false,
   * //         sbc_file_url: 'https://plans.example.com/lone-star-silver-sbc.pdf',
   * //         deductible_in_cents: 480000,
   * //         out_of_pocket_limit_in_cents: 920000
   * //       },
   * //       tiers: [
   * //         {
   * //           coverage_tier: 'EE',
   * //           premium_in_cents: 43700,
   * //           employer_contribution_in_cents: 43700,
   * //           employee_deduction_in_cents: 0
   * //         }
   * //       ]
   * //     }
   * //   ]
   * // }
   * ```
   */
  elect(enrollment_id: EnrollmentId, body: Election, options?: CallOptions): Promise<EnrollmentDetail>

  /**
   * Waive a benefit. `POST /v1/enrollments/{enrollment_id}/waive`
   *
   * While a window is open, and before coverage begins. Waiving again is the last answer.
   *
   * For keys, unbound, employee tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: write, people.
   *
   * @throws {ApiError} among others `employee_is_not_employed`, `enrollment_is_inactive`, `enrollment_window_closed`, `change_not_consistent`, `coverage_has_started`
   *
   * @example
   * ```ts
   * await ob.enrollments.waive(enrollment_id, {
   *   reason: 'Covered by a spouse'
   * })
   * // {
   * //   id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v707',
   * //   employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v707',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   benefit: {
   * //     id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v702',
   * //     category: 'Medical',
   * //     name: 'Own Choice',
   * //     product_code: 'ICHRA'
   * //   },
   * //   status: 'waived',
   * //   coverage_start: '2026-05-01',
   * //   coverage_end: null,
   * //   employee_deduction_in_cents: 0,
   * //   employer_contribution_in_cents: 0,
   * //   domestic_partner_share_in_cents: 0,
   * //   answered_at: '2026-03-10T16:00:00.000Z',
   * //   elected_by: 'partner',
   * //   terminated_at: null,
   * //   created_at: '2026-03-05T17:00:00.000Z',
   * //   updated_at: '2026-03-10T16:00:00.000Z',
   * //   benefit_plan_year_id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   plan_year_start: '2026-05-01',
   * //   plan_year_end: '2027-04-30',
   * //   plan: null,
   * //   elected_from: null,
   * //   coverage_tier: null,
   * //   premium_in_cents: null,
   * //   individual_plan_name: null,
   * //   bought_on_exchange: null,
   * //   dependent_ids: [],
   * //   upcoming_election: null,
   * //   window: {
   * //     start: '2026-03-05',
   * //     end: '2026-03-19'
   * //   },
   * //   allowed_changes: {
   * //     add: true,
   * //     change_plan: true,
   * //     waive: true,
   * //     drop: [
   * //       'spouse'
   * //     ]
   * //   },
   * //   affordability: 'Affordable',
   * //   missing_figures: [],
   * //   notice_due_on: '2026-01-31',
   * //   plans: [
   * //     {
   * //       id: 'pln_01kdq7b4w8e9rs2mh3n5t6v702',
   * //       name: 'Lone Star Silver',
   * //       carrier: 'Evergreen Health',
   * //       network_names: [
   * //         'First Health'
   * //       ],
   * //       spd_file_url: null,
   * //       facts: {
   * //         copays: [
   * //           'Primary care: $40'
   * //         ],
   * //         metal_level: 'Silver',
   * //         hsa_eligible: false,
   * //         sbc_file_url: 'https://plans.example.com/lone-star-silver-sbc.pdf',
   * //         deductible_in_cents: 480000,
   * //         out_of_pocket_limit_in_cents: 920000
   * //       },
   * //       tiers: [
   * //         {
   * //           coverage_tier: 'EE',
   * //           premium_in_cents: 43700,
   * //           employer_contribution_in_cents: 43700,
   * //           employee_deduction_in_cents: 0
   * //         }
   * //       ]
   * //     }
   * //   ]
   * // }
   * ```
   */
  waive(enrollment_id: EnrollmentId, body?: Waiver, options?: CallOptions): Promise<EnrollmentDetail>

  /**
   * End coverage after a life event. `POST /v1/enrollments/{enrollment_id}/terminate`
   *
   * Ends coverage that was elected and has begun with the end of this month, or of a later one of the plan year, while the window of an approved life event is open. Coverage that ends before for other reasons still does. It is taken back by opening it anew.
   *
   * For keys, unbound tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: write, people.
   *
   * @throws {ApiError} among others `enrollment_is_inactive`, `coverage_not_elected`, `enrollment_window_closed`, `change_not_consistent`, `coverage_has_not_started`, `coverage_already_ends`
   *
   * @example
   * ```ts
   * await ob.enrollments.terminate(enrollment_id, {
   *   reason: 'Covered by the new spouse',
   *   coverage_end: '2026-03-31'
   * })
   * // {
   * //   id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v707',
   * //   employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v707',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   benefit: {
   * //     id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v702',
   * //     category: 'Medical',
   * //     name: 'Own Choice',
   * //     product_code: 'ICHRA'
   * //   },
   * //   status: 'waived',
   * //   coverage_start: '2026-05-01',
   * //   coverage_end: null,
   * //   employee_deduction_in_cents: 0,
   * //   employer_contribution_in_cents: 0,
   * //   domestic_partner_share_in_cents: 0,
   * //   answered_at: '2026-03-10T16:00:00.000Z',
   * //   elected_by: 'partner',
   * //   terminated_at: null,
   * //   created_at: '2026-03-05T17:00:00.000Z',
   * //   updated_at: '2026-03-10T16:00:00.000Z',
   * //   benefit_plan_year_id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   plan_year_start: '2026-05-01',
   * //   plan_year_end: '2027-04-30',
   * //   plan: null,
   * //   elected_from: null,
   * //   coverage_tier: null,
   * //   premium_in_cents: null,
   * //   individual_plan_name: null,
   * //   bought_on_exchange: null,
   * //   dependent_ids: [],
   * //   upcoming_election: null,
   * //   window: {
   * //     start: '2026-03-05',
   * //     end: '2026-03-19'
   * //   },
   * //   allowed_changes: {
   * //     add: true,
   * //     change_plan: true,
   * //     waive: true,
   * //     drop: [
   * //       'spouse'
   * //     ]
   * //   },
   * //   affordability: 'Affordable',
   * //   missing_figures: [],
   * //   notice_due_on: '2026-01-31',
   * //   plans: [
   * //     {
   * //       id: 'pln_01kdq7b4w8e9rs2mh3n5t6v702',
   * //       name: 'Lone Star Silver',
   * //       carrier: 'Evergreen Health',
   * //       network_names: [
   * //         'First Health'
   * //       ],
   * //       spd_file_url: null,
   * //       facts: {
   * //         copays: [
   * //           'Primary care: $40'
   * //         ],
   * //         metal_level: 'Silver',
   * //         hsa_eligible: false,
   * //         sbc_file_url: 'https://plans.example.com/lone-star-silver-sbc.pdf',
   * //         deductible_in_cents: 480000,
   * //         out_of_pocket_limit_in_cents: 920000
   * //       },
   * //       tiers: [
   * //         {
   * //           coverage_tier: 'EE',
   * //           premium_in_cents: 43700,
   * //           employer_contribution_in_cents: 43700,
   * //           employee_deduction_in_cents: 0
   * //         }
   * //       ]
   * //     }
   * //   ]
   * // }
   * ```
   */
  terminate(enrollment_id: EnrollmentId, body?: EnrollmentTermination, options?: CallOptions): Promise<EnrollmentDetail>

  /**
   * Open anew what was ended on request. `POST /v1/enrollments/{enrollment_id}/reissue`
   *
   * Takes an end on request back as if it had not been, without a gap: what was elected holds as before, and what was not deducted and billed meanwhile follows as corrections. While the window of an approved life event is open, and up to 60 days after the last day of coverage.
   *
   * For keys, unbound tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: write, people.
   *
   * @throws {ApiError} among others `enrollment_is_not_ended`, `choice_group_taken`, `coverage_ended_long_ago`, `enrollment_window_closed`
   *
   * @example
   * ```ts
   * await ob.enrollments.reissue(enrollment_id, {
   *   reason: 'The new coverage fell through'
   * })
   * // {
   * //   id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v707',
   * //   employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v707',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   benefit: {
   * //     id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v702',
   * //     category: 'Medical',
   * //     name: 'Own Choice',
   * //     product_code: 'ICHRA'
   * //   },
   * //   status: 'waived',
   * //   coverage_start: '2026-05-01',
   * //   coverage_end: null,
   * //   employee_deduction_in_cents: 0,
   * //   employer_contribution_in_cents: 0,
   * //   domestic_partner_share_in_cents: 0,
   * //   answered_at: '2026-03-10T16:00:00.000Z',
   * //   elected_by: 'partner',
   * //   terminated_at: null,
   * //   created_at: '2026-03-05T17:00:00.000Z',
   * //   updated_at: '2026-03-10T16:00:00.000Z',
   * //   benefit_plan_year_id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   plan_year_start: '2026-05-01',
   * //   plan_year_end: '2027-04-30',
   * //   plan: null,
   * //   elected_from: null,
   * //   coverage_tier: null,
   * //   premium_in_cents: null,
   * //   individual_plan_name: null,
   * //   bought_on_exchange: null,
   * //   dependent_ids: [],
   * //   upcoming_election: null,
   * //   window: {
   * //     start: '2026-03-05',
   * //     end: '2026-03-19'
   * //   },
   * //   allowed_changes: {
   * //     add: true,
   * //     change_plan: true,
   * //     waive: true,
   * //     drop: [
   * //       'spouse'
   * //     ]
   * //   },
   * //   affordability: 'Affordable',
   * //   missing_figures: [],
   * //   notice_due_on: '2026-01-31',
   * //   plans: [
   * //     {
   * //       id: 'pln_01kdq7b4w8e9rs2mh3n5t6v702',
   * //       name: 'Lone Star Silver',
   * //       carrier: 'Evergreen Health',
   * //       network_names: [
   * //         'First Health'
   * //       ],
   * //       spd_file_url: null,
   * //       facts: {
   * //         copays: [
   * //           'Primary care: $40'
   * //         ],
   * //         metal_level: 'Silver',
   * //         hsa_eligible: false,
   * //         sbc_file_url: 'https://plans.example.com/lone-star-silver-sbc.pdf',
   * //         deductible_in_cents: 480000,
   * //         out_of_pocket_limit_in_cents: 920000
   * //       },
   * //       tiers: [
   * //         {
   * //           coverage_tier: 'EE',
   * //           premium_in_cents: 43700,
   * //           employer_contribution_in_cents: 43700,
   * //           employee_deduction_in_cents: 0
   * //         }
   * //       ]
   * //     }
   * //   ]
   * // }
   * ```
   */
  reissue(enrollment_id: EnrollmentId, body?: EnrollmentReissue, options?: CallOptions): Promise<EnrollmentDetail>

  /**
   * Elect and waive several benefits at once. `POST /v1/employees/{employee_id}/enrollment-answers`
   *
   * All or nothing, each as if elected or waived by itself. Tells what it comes to per month and per paycheck; with `dry_run` only that.
   *
   * For keys, unbound, employee tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: write, people.
   *
   * @throws {ApiError} among others `employee_is_not_employed`, `enrollment_is_inactive`, `enrollment_window_closed`, `change_not_consistent`, `coverage_ends_first`, `coverage_has_started`, `enrollment_of_another`, `one_of_a_choice`, `plan_not_offered`, `individual_plan_does_not_fit`, `dependents_do_not_fit_tier`, `dependent_not_coverable`
   *
   * @example
   * ```ts
   * await ob.enrollments.answer(employee_id, {
   *   answers: [
   *     {
   *       enrollment_id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v7xz',
   *       waive: {
   *         reason: 'Covered by a spouse'
   *       }
   *     }
   *   ],
   *   dry_run: true
   * })
   * // {
   * //   employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   answers: [
   * //     {
   * //       enrollment_id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v700',
   * //       benefit: {
   * //         id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v701',
   * //         category: 'Dental',
   * //         name: 'Dental',
   * //         product_code: 'VD'
   * //       },
   * //       answer: 'enrolled',
   * //       plan_id: 'pln_01kdq7b4w8e9rs2mh3n5t6v700',
   * //       coverage_tier: 'EE',
   * //       dependent_ids: [],
   * //       effective_on: '2026-05-01',
   * //       premium_in_cents: 1450,
   * //       employer_contribution_in_cents: 1450,
   * //       employee_deduction_in_cents: 0,
   * //       first_paycheck: null,
   * //       per_paycheck_in_cents: 0
   * //     }
   * //   ],
   * //   gives_way: [],
   * //   goes_on: [],
   * //   employee_deduction_in_cents: 0,
   * //   employer_contribution_in_cents: 1450,
   * //   per_paycheck_in_cents: 0,
   * //   dry_run: true
   * // }
   * ```
   */
  answer(employee_id: EmployeeId, body: NewAnswers, options?: CallOptions): Promise<AnswerQuote>

  /**
   * Get a link to the PDF of what somebody has chosen. `GET /v1/employees/{employee_id}/enrollment-answers/pdf`
   *
   * The elections and waivers of the plan years of the latest submission, grouped by plan year, as they are when the link is opened; with the first paychecks from which something is deducted for them.
   *
   * For keys, unbound, employee tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: read, people.
   *
   * @example
   * ```ts
   * await ob.enrollments.getConfirmation(employee_id)
   * // {
   * //   download_url: 'https://benefits.example.com/v1/downloads/eyJhbGciOiJIUzI1NiJ9.eyJr.c2ln',
   * //   expires_at: '2026-03-10T16:15:00.000Z'
   * // }
   * ```
   */
  getConfirmation(employee_id: EmployeeId, query?: EmployeesGetConfirmationQuery, options?: CallOptions): Promise<DownloadLink>
}

export interface DependentsMethods {
  /**
   * List the dependents of an employee. `GET /v1/employees/{employee_id}/dependents`
   *
   * The dependents of the person, the same at each of their employments, in the order in which they were added. Those who have ended are among them.
   *
   * For keys, unbound, employee tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: read, people.
   *
   * @example
   * ```ts
   * for await (const row of ob.dependents.list(employee_id)) console.log(row)
   * // {
   * //   id: 'dep_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   member_id: 'mbr_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   relationship: 'child',
   * //   first_name: 'Anne Isabella',
   * //   last_name: 'Byron',
   * //   suffix: null,
   * //   date_of_birth: '2022-09-22',
   * //   gender: 'Female',
   * //   active: false,
   * //   ended_on: '2026-03-10',
   * //   covered_until: '2026-03-31',
   * //   disabled: false,
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   updated_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  list(employee_id: EmployeeId, query?: DependentsListQuery, options?: CallOptions): Pages<Dependent, DependentPage>

  /**
   * Add a dependent. `POST /v1/employees/{employee_id}/dependents`
   *
   * Adds a spouse or child to the person. This covers nobody yet: the dependent is named when an enrollment is elected.
   *
   * For keys, unbound, employee tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: write, people.
   *
   * @throws {ApiError} among others `employee_is_not_employed`, `too_many_dependents`, `spouse_already_exists`, `dependent_already_exists`, `dependent_too_old`
   *
   * @example
   * ```ts
   * await ob.dependents.create(employee_id, {
   *   relationship: 'child',
   *   first_name: 'Anne',
   *   last_name: 'Byron',
   *   date_of_birth: '2022-09-22'
   * })
   * // {
   * //   id: 'dep_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   member_id: 'mbr_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   relationship: 'child',
   * //   first_name: 'Anne Isabella',
   * //   last_name: 'Byron',
   * //   suffix: null,
   * //   date_of_birth: '2022-09-22',
   * //   gender: 'Female',
   * //   active: false,
   * //   ended_on: '2026-03-10',
   * //   covered_until: '2026-03-31',
   * //   disabled: false,
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   updated_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  create(employee_id: EmployeeId, body: NewDependent, options?: CallOptions): Promise<Dependent>

  /**
   * Update a dependent. `PATCH /v1/dependents/{dependent_id}`
   *
   * Sets right what is known of a dependent, all or nothing. A new date of birth moves the end of coverage that comes with the 26th birthday.
   *
   * For keys, unbound, employee tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: write, people.
   *
   * @throws {ApiError} among others `employee_is_not_employed`, `dependent_already_ended`, `spouse_already_exists`, `dependent_already_exists`, `dependent_is_covered`, `dependent_too_old`
   *
   * @example
   * ```ts
   * await ob.dependents.update(dependent_id, {
   *   first_name: 'Anne Isabella',
   *   gender: 'Female'
   * })
   * // {
   * //   id: 'dep_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   member_id: 'mbr_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   relationship: 'child',
   * //   first_name: 'Anne Isabella',
   * //   last_name: 'Byron',
   * //   suffix: null,
   * //   date_of_birth: '2022-09-22',
   * //   gender: 'Female',
   * //   active: false,
   * //   ended_on: '2026-03-10',
   * //   covered_until: '2026-03-31',
   * //   disabled: false,
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   updated_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  update(dependent_id: DependentId, body?: DependentChanges, options?: CallOptions): Promise<Dependent>

  /**
   * End a dependent. `DELETE /v1/dependents/{dependent_id}`
   *
   * Makes today the last day as a dependent; coverage ends on the last day of this month. The dependent stays readable, and is reinstated if that was a mistake.
   *
   * For keys, unbound, employee tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: write, people.
   *
   * @throws {ApiError} among others `employee_is_not_employed`, `dependent_already_ended`
   *
   * @example
   * ```ts
   * await ob.dependents.end(dependent_id)
   * // {
   * //   id: 'dep_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   member_id: 'mbr_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   relationship: 'child',
   * //   first_name: 'Anne Isabella',
   * //   last_name: 'Byron',
   * //   suffix: null,
   * //   date_of_birth: '2022-09-22',
   * //   gender: 'Female',
   * //   active: false,
   * //   ended_on: '2026-03-10',
   * //   covered_until: '2026-03-31',
   * //   disabled: false,
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   updated_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  end(dependent_id: DependentId, options?: CallOptions): Promise<Dependent>

  /**
   * Reinstate a dependent who was ended. `POST /v1/dependents/{dependent_id}/reinstate`
   *
   * Takes the end back as if it had not been told, up to 60 days after it. Whom an election in force still names is covered without a gap, and money follows by corrections; what was elected meanwhile stands. Who has not ended stays as they are.
   *
   * For keys, unbound tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: write, people.
   *
   * @throws {ApiError} among others `dependent_ended_long_ago`, `too_many_dependents`, `spouse_already_exists`, `dependent_already_exists`
   *
   * @example
   * ```ts
   * await ob.dependents.reinstate(dependent_id)
   * // {
   * //   id: 'dep_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   member_id: 'mbr_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   relationship: 'child',
   * //   first_name: 'Anne Isabella',
   * //   last_name: 'Byron',
   * //   suffix: null,
   * //   date_of_birth: '2022-09-22',
   * //   gender: 'Female',
   * //   active: false,
   * //   ended_on: '2026-03-10',
   * //   covered_until: '2026-03-31',
   * //   disabled: false,
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   updated_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  reinstate(dependent_id: DependentId, options?: CallOptions): Promise<Dependent>

  /**
   * Search dependents. `GET /v1/dependents`
   *
   * The spouses and children of the people of one organization, found by name, newest first; those who have ended are among them. A caller who reaches several organizations names one.
   *
   * For keys, unbound tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: read, people.
   *
   * @example
   * ```ts
   * for await (const row of ob.dependents.search()) console.log(row)
   * // {
   * //   id: 'dep_01kdq7b4w8e9rs2mh3n5t6v702',
   * //   active: true,
   * //   gender: null,
   * //   suffix: null,
   * //   disabled: false,
   * //   ended_on: null,
   * //   last_name: 'Haddad',
   * //   member_id: 'mbr_01kdq7b4w8e9rs2mh3n5t6v704',
   * //   created_at: '2025-03-06T17:00:00.000Z',
   * //   first_name: 'Zaid',
   * //   updated_at: '2025-03-06T17:00:00.000Z',
   * //   employments: [
   * //     {
   * //       status: 'active',
   * //       employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v709',
   * //       employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v701',
   * //       reference_id: 'NH-1986',
   * //       employer_name: 'Granite Freight'
   * //     }
   * //   ],
   * //   relationship: 'child',
   * //   covered_until: '2045-04-30',
   * //   date_of_birth: '2019-04-17',
   * //   member_last_name: 'Haddad',
   * //   member_first_name: 'Noor'
   * // }
   * ```
   */
  search(query?: DependentsSearchQuery, options?: CallOptions): Pages<FoundDependent, FoundDependentPage>
}

export interface LifeEventsMethods {
  /**
   * List the life events of an employee. `GET /v1/employees/{employee_id}/qualifying-life-events`
   *
   * Those reported at this employment, newest first, with what was decided about them.
   *
   * For keys, unbound, employee tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: read, people.
   *
   * @example
   * ```ts
   * for await (const row of ob.lifeEvents.list(employee_id)) console.log(row)
   * // {
   * //   id: 'qle_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v70b',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v704',
   * //   type: 'birth',
   * //   occurred_on: '2026-03-01',
   * //   description: 'A daughter, Anne',
   * //   status: 'pending',
   * //   decided_at: null,
   * //   decision_reason: null,
   * //   window_start: null,
   * //   window_end: null,
   * //   attachments: [
   * //     {
   * //       id: 'att_01kdq7b4w8e9rs2mh3n5t6v700',
   * //       file_name: 'certificate.pdf',
   * //       scan: 'none',
   * //       file: {
   * //         download_url: 'https://benefits.example.com/v1/downloads/eyJhbGciOiJIUzI1NiJ9.eyJr.c2ln',
   * //         expires_at: '2026-03-10T16:15:00.000Z'
   * //       },
   * //       created_at: '2026-03-10T16:00:00.000Z'
   * //     }
   * //   ],
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   updated_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  list(employee_id: EmployeeId, query?: LifeEventsListQuery, options?: CallOptions): Pages<LifeEvent, LifeEventPage>

  /**
   * Report a life event. `POST /v1/employees/{employee_id}/qualifying-life-events`
   *
   * The operator decides about it. An approval opens a window of 30 days in which the employee may make the changes that are consistent with the event. People who are added within 30 days of a birth, adoption or placement are covered from that day.
   *
   * For keys, unbound, employee tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: write, people.
   *
   * @throws {ApiError} among others `employee_is_not_employed`, `life_event_too_old`
   *
   * @example
   * ```ts
   * await ob.lifeEvents.create(employee_id, {
   *   type: 'birth',
   *   occurred_on: '2026-03-01',
   *   description: 'A daughter, Anne'
   * })
   * // {
   * //   id: 'qle_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v70b',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v704',
   * //   type: 'birth',
   * //   occurred_on: '2026-03-01',
   * //   description: 'A daughter, Anne',
   * //   status: 'pending',
   * //   decided_at: null,
   * //   decision_reason: null,
   * //   window_start: null,
   * //   window_end: null,
   * //   attachments: [
   * //     {
   * //       id: 'att_01kdq7b4w8e9rs2mh3n5t6v700',
   * //       file_name: 'certificate.pdf',
   * //       scan: 'none',
   * //       file: {
   * //         download_url: 'https://benefits.example.com/v1/downloads/eyJhbGciOiJIUzI1NiJ9.eyJr.c2ln',
   * //         expires_at: '2026-03-10T16:15:00.000Z'
   * //       },
   * //       created_at: '2026-03-10T16:00:00.000Z'
   * //     }
   * //   ],
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   updated_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  create(employee_id: EmployeeId, body: NewLifeEvent, options?: CallOptions): Promise<LifeEvent>

  /**
   * List the documents of a life event. `GET /v1/qualifying-life-events/{life_event_id}/attachments`
   *
   * In the order in which they were added, each with a link to its file. There are at most 5.
   *
   * For keys, unbound, employer, employee tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: read, people.
   *
   * @example
   * ```ts
   * await ob.lifeEvents.listAttachments(life_event_id)
   * // [
   * //   {
   * //     id: 'att_01kdq7b4w8e9rs2mh3n5t6v700',
   * //     file_name: 'certificate.pdf',
   * //     scan: 'none',
   * //     file: {
   * //       download_url: 'https://benefits.example.com/v1/downloads/eyJhbGciOiJIUzI1NiJ9.eyJr.c2ln',
   * //       expires_at: '2026-03-10T16:15:00.000Z'
   * //     },
   * //     created_at: '2026-03-10T16:00:00.000Z'
   * //   }
   * // ]
   * ```
   */
  listAttachments(life_event_id: LifeEventId, options?: CallOptions): Promise<LifeEventAttachment[]>

  /**
   * Attach a document to a life event. `POST /v1/qualifying-life-events/{life_event_id}/attachments`
   *
   * Until it is decided: at most 5, each a PDF, PNG, JPEG, WebP or HEIC by what it holds.
   *
   * For keys, unbound, employee tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: write, people.
   *
   * @throws {ApiError} among others `employee_is_not_employed`, `life_event_already_decided`
   *
   * @example
   * ```ts
   * await ob.lifeEvents.attach(life_event_id, {
   *   file_name: 'certificate.pdf',
   *   content: 'JVBERi0xLjcKJSVFT0YK'
   * })
   * // {
   * //   id: 'qle_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v70b',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v704',
   * //   type: 'birth',
   * //   occurred_on: '2026-03-01',
   * //   description: 'A daughter, Anne',
   * //   status: 'pending',
   * //   decided_at: null,
   * //   decision_reason: null,
   * //   window_start: null,
   * //   window_end: null,
   * //   attachments: [
   * //     {
   * //       id: 'att_01kdq7b4w8e9rs2mh3n5t6v700',
   * //       file_name: 'certificate.pdf',
   * //       scan: 'none',
   * //       file: {
   * //         download_url: 'https://benefits.example.com/v1/downloads/eyJhbGciOiJIUzI1NiJ9.eyJr.c2ln',
   * //         expires_at: '2026-03-10T16:15:00.000Z'
   * //       },
   * //       created_at: '2026-03-10T16:00:00.000Z'
   * //     }
   * //   ],
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   updated_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  attach(life_event_id: LifeEventId, body: NewLifeEventAttachment, options?: CallOptions): Promise<LifeEvent>

  /**
   * Take a document off a life event. `DELETE /v1/qualifying-life-events/{life_event_id}/attachments/{attachment_id}`
   *
   * Its content is deleted. Employee tokens can until it is decided.
   *
   * For keys, unbound, employee tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: write, people.
   *
   * @throws {ApiError} among others `employee_is_not_employed`, `life_event_already_decided`
   *
   * @example
   * ```ts
   * await ob.lifeEvents.detach(life_event_id, attachment_id)
   * // {
   * //   id: 'qle_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v70b',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v704',
   * //   type: 'birth',
   * //   occurred_on: '2026-03-01',
   * //   description: 'A daughter, Anne',
   * //   status: 'pending',
   * //   decided_at: null,
   * //   decision_reason: null,
   * //   window_start: null,
   * //   window_end: null,
   * //   attachments: [
   * //     {
   * //       id: 'att_01kdq7b4w8e9rs2mh3n5t6v700',
   * //       file_name: 'certificate.pdf',
   * //       scan: 'none',
   * //       file: {
   * //         download_url: 'https://benefits.example.com/v1/downloads/eyJhbGciOiJIUzI1NiJ9.eyJr.c2ln',
   * //         expires_at: '2026-03-10T16:15:00.000Z'
   * //       },
   * //       created_at: '2026-03-10T16:00:00.000Z'
   * //     }
   * //   ],
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   updated_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  detach(life_event_id: LifeEventId, attachment_id: LifeEventAttachmentId, options?: CallOptions): Promise<LifeEvent>
}

export interface StatementsMethods {
  /**
   * List the payroll deduction statements of all employers. `GET /v1/payroll-deduction-statements`
   *
   * Newest first, each with a link to its lines as CSV. The next page is asked for with the `next_offset` of the one before as `offset`, until it is null.
   *
   * For keys, unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: read, money.
   *
   * @example
   * ```ts
   * for await (const row of ob.statements.listAll()) console.log(row)
   * // {
   * //   id: 'stmt_01kdq7b4w8e9rs2mh3n5t6v702',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v703',
   * //   period_start_date: '2026-03-01',
   * //   period_end_date: '2026-03-31',
   * //   frequency: 'monthly',
   * //   year: 2026,
   * //   number: 3,
   * //   period_count: 12,
   * //   employee_count: 12,
   * //   line_count: 16,
   * //   total_in_cents: 32425,
   * //   generated_at: '2026-03-01T17:00:00.000Z',
   * //   employer_name: 'Copper Kettle Café',
   * //   csv: {
   * //     download_url: 'https://benefits.example.com/v1/downloads/eyJhbGciOiJIUzI1NiJ9.eyJr.c2ln',
   * //     expires_at: '2026-03-10T16:15:00.000Z'
   * //   },
   * //   statement_id: 'stmt_01kdq7b4w8e9rs2mh3n5t6v702',
   * //   period_start: '2026-03-01',
   * //   period_end: '2026-03-31',
   * //   run_date: '2026-03-01',
   * //   total_deduction_cents: 32425,
   * //   csv_file_url: 'http://127.0.0.1:42525/v1/downloads/eyJhbGciOiJIUzI1NiJ9.eyJraW5kIjoicGF5cm9sbF9kZWR1Y3Rpb25fc3RhdGVtZW50X2NzdiIsIm9yZ2FuaXphdGlvbl9pZCI6Im9yZ18wMW04amdrZnBxZjIxOHEwc3hzMncwbTN0NiIsImlkIjoic3RtdF8wMW04amdrbWMwZjIxOHE4YXBxaGJqeTY3aCIsImtleV9pZCI6ImtleV8wMW04amdrZnE2ZjIxOHEwdngwNmFqemc3cCIsInJvbGUiOiJBRE1JTiIsImFza2VkX2J5Ijp7ImtpbmQiOiJhcGlfa2V5IiwiaWQiOiJrZXlfMDFtOGpna2ZxNmYyMThxMHZ4MDZhanpnN3AiLCJ1c2VyX2lkIjoidXNyXzAxbThqZ2tmcHpmMjE4cTB0anh4amN5dm03In0sImlzcyI6Im9wZW5iZW5lZml0cyBkb3dubG9hZHMiLCJleHAiOjE3NzMxNTkzMDB9.5S1WJgMKpHDkKM0OTlFQRmh4urn-VUP-BU2q0YDoYT8',
   * //   deduction_frequency: 'monthly',
   * //   deduction_frequency_label: 'Monthly'
   * // }
   * ```
   */
  listAll(query?: PayrollDeductionStatementsListQuery, options?: CallOptions): Pages<PayrollDeductionStatementRow, PayrollDeductionStatementRowPage>

  /**
   * List the payroll deduction statements of an employer. `GET /v1/employers/{employer_id}/payroll-deduction-statements`
   *
   * One per pay period, newest first, each with a link to its lines as CSV.
   *
   * For keys, unbound, employer tokens. Roles: ADMIN, OPERATIONS. Scopes: read, money.
   *
   * @example
   * ```ts
   * for await (const row of ob.statements.list(employer_id)) console.log(row)
   * // {
   * //   id: 'stmt_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   period_start_date: '2026-03-01',
   * //   period_end_date: '2026-03-15',
   * //   frequency: 'semi_monthly',
   * //   year: 2026,
   * //   number: 5,
   * //   period_count: 24,
   * //   employee_count: 3,
   * //   line_count: 3,
   * //   total_in_cents: 38925,
   * //   generated_at: '2026-03-01T17:00:00.000Z',
   * //   csv: {
   * //     download_url: 'https://benefits.example.com/v1/downloads/eyJhbGciOiJIUzI1NiJ9.eyJr.c2ln',
   * //     expires_at: '2026-03-10T16:15:00.000Z'
   * //   },
   * //   statement_id: 'stmt_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   period_start: '2026-03-01',
   * //   period_end: '2026-03-15',
   * //   run_date: '2026-03-01',
   * //   total_deduction_cents: 38925,
   * //   csv_file_url: 'http://127.0.0.1:42525/v1/downloads/eyJhbGciOiJIUzI1NiJ9.eyJraW5kIjoicGF5cm9sbF9kZWR1Y3Rpb25fc3RhdGVtZW50X2NzdiIsIm9yZ2FuaXphdGlvbl9pZCI6Im9yZ18wMW04amdrZnBxZjIxOHEwc3hzMncwbTN0NiIsImlkIjoic3RtdF8wMW04amdrbWMwZjIxOHE4YTZoOTlja25jdyIsImtleV9pZCI6ImtleV8wMW04amdrZnE2ZjIxOHEwdngwNmFqemc3cCIsInJvbGUiOiJBRE1JTiIsImFza2VkX2J5Ijp7ImtpbmQiOiJhcGlfa2V5IiwiaWQiOiJrZXlfMDFtOGpna2ZxNmYyMThxMHZ4MDZhanpnN3AiLCJ1c2VyX2lkIjoidXNyXzAxbThqZ2tmcHpmMjE4cTB0anh4amN5dm03In0sImlzcyI6Im9wZW5iZW5lZml0cyBkb3dubG9hZHMiLCJleHAiOjE3NzMxNTkzMDB9.logwjZKc_jmDlKYlad7xD5BXV1Tej3cXuHY846u_mNA',
   * //   deduction_frequency: 'semi_monthly',
   * //   deduction_frequency_label: 'Semi-monthly'
   * // }
   * ```
   */
  list(employer_id: EmployerId, query?: EmployersListPayrollDeductionStatementsQuery, options?: CallOptions): Pages<PayrollDeductionStatement, PayrollDeductionStatementPage>

  /**
   * Tell what payroll really took. `POST /v1/employers/{employer_id}/payroll-deduction-statements/{statement_id}/actuals`
   *
   * As JSON or CSV, again and again: of each enrollment what was told last counts. A row names the employee by employee_id or reference_id, and by enrollment_id or benefit_name what for; without either, the only one in the statement. Rows of one enrollment add up. A row that names nothing of this statement fails, the others count. What was taken less later statements ask for again as `arrears`.
   *
   * For keys, unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: write, money.
   *
   * @example
   * ```ts
   * await ob.statements.recordActuals(employer_id, statement_id, {
   *   actuals: [
   *     {
   *       reference_id: 'E-1',
   *       benefit_name: 'Dental',
   *       taken_in_cents: 600
   *     }
   *   ]
   * })
   * // {
   * //   statement_id: 'stmt_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   row_count: 1,
   * //   recorded_count: 0,
   * //   failures: [
   * //     {
   * //       index: 0,
   * //       field: 'reference_id',
   * //       reason: 'has nothing in this statement'
   * //     }
   * //   ]
   * // }
   * ```
   */
  recordActuals(employer_id: EmployerId, statement_id: StatementId, body: PayrollActualsUpload | string, options?: CallOptions): Promise<PayrollActualsOutcome>

  /**
   * List what payroll told of a statement. `GET /v1/employers/{employer_id}/payroll-deduction-statements/{statement_id}/actuals`
   *
   * By employee and enrollment, beside what the statement asked for.
   *
   * For keys, unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: read, money.
   *
   * @example
   * ```ts
   * for await (const row of ob.statements.listActuals(employer_id, statement_id)) console.log(row)
   * // {
   * //   employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v703',
   * //   enrollment_id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v70c',
   * //   requested_in_cents: 2200,
   * //   taken_in_cents: 0,
   * //   difference_in_cents: 2200,
   * //   reported_at: '2026-02-26T17:00:00.000Z'
   * // }
   * ```
   */
  listActuals(employer_id: EmployerId, statement_id: StatementId, query?: EmployersListPayrollActualsQuery, options?: CallOptions): Pages<PayrollActual, PayrollActualPage>
}

export interface DeductionsMethods {
  /**
   * Prove an employee's deductions of a year. `GET /v1/employees/{employee_id}/deductions/proof`
   *
   * What was due, collected and corrected, per enrollment and in total.
   *
   * For keys, unbound, employer, employee tokens. Roles: ADMIN, OPERATIONS. Scopes: read, money.
   *
   * @example
   * ```ts
   * await ob.deductions.prove(employee_id)
   * // {
   * //   employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v703',
   * //   year: 2026,
   * //   through: '2026-03-31',
   * //   enrollments: [
   * //     {
   * //       enrollment_id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v703',
   * //       benefit_name: 'Essential Care',
   * //       due_in_cents: 6675,
   * //       scheduled_in_cents: 6675,
   * //       collected_in_cents: 6675,
   * //       corrections_in_cents: 0,
   * //       difference_in_cents: 0,
   * //       manual_adjustments_in_cents: 0,
   * //       arrears_in_cents: 0,
   * //       requested_in_cents: 6675,
   * //       taken_in_cents: null,
   * //       outstanding_in_cents: 0,
   * //       waived_in_cents: 0
   * //     }
   * //   ],
   * //   due_in_cents: 54000,
   * //   scheduled_in_cents: 13275,
   * //   collected_in_cents: 13275,
   * //   corrections_in_cents: 0,
   * //   difference_in_cents: 0,
   * //   manual_adjustments_in_cents: 0,
   * //   arrears_in_cents: 1100,
   * //   requested_in_cents: 14375,
   * //   taken_in_cents: 0,
   * //   outstanding_in_cents: 1100,
   * //   waived_in_cents: 0
   * // }
   * ```
   */
  prove(employee_id: EmployeeId, query?: EmployeesProveDeductionsQuery, options?: CallOptions): Promise<DeductionProof>

  /**
   * List an employee's paychecks of a year. `GET /v1/employees/{employee_id}/paychecks`
   *
   * What statements took from each, oldest first, and what the next 62 days will, by the same rules and what is known now. Those that nothing is taken from are left out.
   *
   * For keys, unbound, employer, employee tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: read, people.
   *
   * @example
   * ```ts
   * await ob.deductions.listPaychecks(employee_id)
   * // [
   * //   {
   * //     statement_id: 'stmt_01kdq7b4w8e9rs2mh3n5t6v700',
   * //     period_start_date: '2026-01-01',
   * //     period_end_date: '2026-01-15',
   * //     lines: [
   * //       {
   * //         enrollment_id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v70b',
   * //         benefit_name: 'Own Choice',
   * //         kind: 'deduction',
   * //         reason: null,
   * //         cause: null,
   * //         year: 2026,
   * //         amount_in_cents: 18925,
   * //         tax_classification: 'Pre-tax',
   * //         corrected_period_start_date: null,
   * //         corrected_period_end_date: null
   * //       }
   * //     ],
   * //     total_in_cents: 18925
   * //   }
   * // ]
   * ```
   */
  listPaychecks(employee_id: EmployeeId, query?: EmployeesListPaychecksQuery, options?: CallOptions): Promise<Paycheck[]>
}

export interface InvoicesMethods {
  /**
   * List the invoices of all employers. `GET /v1/invoices`
   *
   * Newest first. The next page is asked for with the `next_offset` of the one before as `offset`, until it is null: a page may hold fewer invoices than its limit, or none, and others come behind it. Drafts are left out unless `include_drafts=true`, or `status` names them.
   *
   * For keys, unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: read, money.
   *
   * @example
   * ```ts
   * for await (const row of ob.invoices.listAll()) console.log(row)
   * // {
   * //   invoice_id: 'INV-000045',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v704',
   * //   employer_name: 'Sunrise Bakery',
   * //   age: null,
   * //   period: '2026-03',
   * //   status: 'draft',
   * //   total: 1569.8,
   * //   total_in_cents: 156980,
   * //   employer_contribution_in_cents: 98640,
   * //   employee_deduction_in_cents: 58340,
   * //   line_count: 16,
   * //   drafted_on: '2026-03-09',
   * //   issued_on: null,
   * //   due_on: null,
   * //   paid_on: null,
   * //   voided_on: null,
   * //   void_reason: null,
   * //   replaced_by: null,
   * //   payment_url: null
   * // }
   * ```
   */
  listAll(query?: InvoicesListQuery, options?: CallOptions): Pages<InvoiceRow, InvoiceRowPage>

  /**
   * List what employers owe, by its age. `GET /v1/invoices/aging`
   *
   * Each employer with invoices that are issued and neither paid nor void, the longest overdue first; and the same of all employers together.
   *
   * For keys, unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: read, money.
   *
   * @example
   * ```ts
   * for await (const row of ob.invoices.listAging()) console.log(row)
   * // {
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v704',
   * //   employer_name: 'Sunrise Bakery',
   * //   invoice_count: 2,
   * //   oldest_due_on: '2026-02-03',
   * //   not_due_in_cents: 0,
   * //   overdue_to_30_days_in_cents: 111580,
   * //   overdue_to_60_days_in_cents: 111580,
   * //   overdue_to_90_days_in_cents: 0,
   * //   overdue_longer_in_cents: 0,
   * //   total_in_cents: 223160
   * // }
   * ```
   */
  listAging(query?: InvoicesListAgingQuery, options?: CallOptions): Pages<InvoiceAging, InvoiceAgingPage>

  /**
   * List the invoices of an employer. `GET /v1/employers/{employer_id}/invoices`
   *
   * Newest first. The next page is asked for with the `next_offset` of the one before as `offset`; on the last page it is null. Drafts are left out unless `include_drafts=true`, or `status` names them.
   *
   * For keys, unbound, employer tokens. Roles: ADMIN, OPERATIONS. Scopes: read, money.
   *
   * @throws {ApiError} among others `employer_has_no_billing_account`
   *
   * @example
   * ```ts
   * for await (const row of ob.invoices.list(employer_id)) console.log(row)
   * // {
   * //   invoice_id: 'INV-000007',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   period: '2025-05',
   * //   status: 'paid',
   * //   total: 1993,
   * //   total_in_cents: 199300,
   * //   employer_contribution_in_cents: 121450,
   * //   employee_deduction_in_cents: 77850,
   * //   line_count: 4,
   * //   drafted_on: '2025-05-01',
   * //   issued_on: '2025-05-04',
   * //   due_on: '2025-06-03',
   * //   paid_on: '2025-05-28',
   * //   voided_on: null,
   * //   void_reason: null,
   * //   replaced_by: null,
   * //   payment_url: null
   * // }
   * ```
   */
  list(employer_id: EmployerId, query?: EmployersListInvoicesQuery, options?: CallOptions): Pages<Invoice, InvoicePage>

  /**
   * Get a link to the PDF of an invoice. `GET /v1/employers/{employer_id}/invoices/{invoice_id}/pdf`
   *
   * The link opens for 15 minutes without a key, at once. A draft and a void invoice say so on every page. Where the organization collects with Stripe, the PDF is that of Stripe, from when the invoice is there until it is voided.
   *
   * For keys, unbound, employer tokens. Roles: ADMIN, OPERATIONS. Scopes: read, money.
   *
   * @example
   * ```ts
   * await ob.invoices.getPdf(employer_id, invoice_id)
   * // {
   * //   download_url: 'https://benefits.example.com/v1/downloads/eyJhbGciOiJIUzI1NiJ9.eyJr.c2ln',
   * //   expires_at: '2026-03-10T16:15:00.000Z'
   * // }
   * ```
   */
  getPdf(employer_id: EmployerId, invoice_id: string, options?: CallOptions): Promise<DownloadLink>

  /**
   * List the lines of an invoice. `GET /v1/employers/{employer_id}/invoices/{invoice_id}/lines`
   *
   * One for each enrollment that was covered on the 1st of the month, and one for each earlier month that was billed otherwise than is due by now. Their premiums add up to the total of the invoice.
   *
   * For keys, unbound, employer tokens. Roles: ADMIN, OPERATIONS. Scopes: read, money.
   *
   * @example
   * ```ts
   * for await (const row of ob.invoices.listLines(employer_id, invoice_id)) console.log(row)
   * // {
   * //   kind: 'coverage',
   * //   reason: null,
   * //   cause: null,
   * //   month: '2026-01',
   * //   employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v707',
   * //   employee_name: 'Amara Nwosu',
   * //   enrollment_id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v706',
   * //   benefit_name: 'Dental',
   * //   plan_name: 'Brightside PPO',
   * //   coverage_tier: 'EF',
   * //   premium_in_cents: 10300,
   * //   employer_contribution_in_cents: 2000,
   * //   employee_deduction_in_cents: 8300
   * // }
   * ```
   */
  listLines(employer_id: EmployerId, invoice_id: string, query?: EmployersListInvoiceLinesQuery, options?: CallOptions): Pages<InvoiceLine, InvoiceLinePage>

  /**
   * Prove an invoice. `GET /v1/employers/{employer_id}/invoices/{invoice_id}/reconciliation`
   *
   * For the month of the invoice and those before within reach of corrections: what the enrollments cost as known now, what all invoices billed, and where that differs, which the next invoice adjusts. And the employees' part beside what was deducted from their pay.
   *
   * For keys, unbound, employer tokens. Roles: ADMIN, OPERATIONS. Scopes: read, money.
   *
   * @example
   * ```ts
   * await ob.invoices.getReconciliation(employer_id, invoice_id)
   * // {
   * //   invoice_id: 'INV-000033',
   * //   months: [
   * //     '2025-10'
   * //   ],
   * //   lines: {
   * //     line_count: 10,
   * //     total_in_cents: 111580,
   * //     difference_in_cents: 0
   * //   },
   * //   due: {
   * //     premium_in_cents: 401460,
   * //     employer_contribution_in_cents: 229430,
   * //     employee_deduction_in_cents: 172030
   * //   },
   * //   billed: {
   * //     premium_in_cents: 401460,
   * //     employer_contribution_in_cents: 229430,
   * //     employee_deduction_in_cents: 172030
   * //   },
   * //   difference: {
   * //     premium_in_cents: 0,
   * //     employer_contribution_in_cents: 0,
   * //     employee_deduction_in_cents: 0
   * //   },
   * //   difference_count: 0,
   * //   differences: [],
   * //   deductions: {
   * //     year: 2026,
   * //     through: '2026-03-11',
   * //     billed_in_cents: 149420,
   * //     manual_adjustments_in_cents: 0,
   * //     collected_in_cents: 112725,
   * //     difference_in_cents: 36695,
   * //     difference_count: 9,
   * //     differences: [
   * //       {
   * //         employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v70c',
   * //         employee_name: 'Imani Brooks',
   * //         enrollment_id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v70a',
   * //         benefit_name: 'Essential Care',
   * //         billed_in_cents: 8600,
   * //         manual_adjustments_in_cents: 0,
   * //         collected_in_cents: 0,
   * //         difference_in_cents: 8600
   * //       }
   * //     ]
   * //   }
   * // }
   * ```
   */
  getReconciliation(employer_id: EmployerId, invoice_id: string, options?: CallOptions): Promise<Reconciliation>
}

export interface ManualAdjustmentsMethods {
  /**
   * List what was booked by hand for an employer. `GET /v1/employers/{employer_id}/manual-adjustments`
   *
   * Newest first: amounts for months that corrections reach no more, each with its reason. They are lines of the kind `manual_adjustment` in a statement and on an invoice.
   *
   * For keys, unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: read, money.
   *
   * @example
   * ```ts
   * for await (const row of ob.manualAdjustments.list(employer_id)) console.log(row)
   * // {
   * //   id: 'madj_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v703',
   * //   employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v702',
   * //   enrollment_id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v702',
   * //   month: '2025-06',
   * //   employee_deduction_in_cents: 1200,
   * //   employer_contribution_in_cents: 0,
   * //   tax_classification: 'Post-tax',
   * //   reason: 'Told a year late: covered since June',
   * //   booked_on: '2026-03-10',
   * //   created_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  list(employer_id: EmployerId, query?: EmployersListManualAdjustmentsQuery, options?: CallOptions): Pages<ManualAdjustment, ManualAdjustmentPage>
}

export interface MembersMethods {
  /**
   * List or search people. `GET /v1/members`
   *
   * The people of one organization, newest first: at whichever employer they work or worked, and those of groups. A caller who reaches several organizations names one, also where other reads would span them all.
   *
   * For keys, unbound tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: read, people.
   *
   * @example
   * ```ts
   * for await (const row of ob.members.list()) console.log(row)
   * // {
   * //   id: 'mbr_01kdq7b4w8e9rs2mh3n5t6v706',
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   first_name: 'Ada',
   * //   last_name: 'Byron',
   * //   suffix: null,
   * //   email: 'ada.byron@example.com',
   * //   date_of_birth: '1990-05-17',
   * //   gender: null,
   * //   phone: '4155550123',
   * //   address: null,
   * //   employments: [
   * //     {
   * //       employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v70a',
   * //       employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v707',
   * //       employer_name: 'Bakery F',
   * //       reference_id: null,
   * //       status: 'active'
   * //     }
   * //   ],
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   updated_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  list(query?: MembersListQuery, options?: CallOptions): Pages<Member, MemberPage>

  /**
   * Get a person. `GET /v1/members/{member_id}`
   *
   * With where they work and worked.
   *
   * For keys, unbound tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: read, people.
   *
   * @example
   * ```ts
   * await ob.members.get(member_id)
   * // {
   * //   id: 'mbr_01kdq7b4w8e9rs2mh3n5t6v706',
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   first_name: 'Ada',
   * //   last_name: 'Byron',
   * //   suffix: null,
   * //   email: 'ada.byron@example.com',
   * //   date_of_birth: '1990-05-17',
   * //   gender: null,
   * //   phone: '4155550123',
   * //   address: null,
   * //   employments: [
   * //     {
   * //       employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v70a',
   * //       employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v707',
   * //       employer_name: 'Bakery F',
   * //       reference_id: null,
   * //       status: 'active'
   * //     }
   * //   ],
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   updated_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  get(member_id: MemberId, options?: CallOptions): Promise<Member>

  /**
   * List the employments of a person. `GET /v1/members/{member_id}/employments`
   *
   * As employees: one for each time at each employer, newest first. A rehire is an employment of its own.
   *
   * For keys, unbound tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: read, people.
   *
   * @example
   * ```ts
   * for await (const row of ob.members.listEmployments(member_id)) console.log(row)
   * // {
   * //   id: 'empl_01kdq7b4w8e9rs2mh3n5t6v706',
   * //   member_id: 'mbr_01kdq7b4w8e9rs2mh3n5t6v703',
   * //   reference_id: 'AN-1984',
   * //   first_name: 'Amara',
   * //   last_name: 'Nwosu',
   * //   suffix: null,
   * //   email: 'amara.nwosu@example.com',
   * //   date_of_birth: '1984-02-29',
   * //   gender: 'Female',
   * //   phone: '5185550101',
   * //   employee_class: 'Full Time',
   * //   status: 'active',
   * //   hire_date: '2019-04-01',
   * //   termination_date: null,
   * //   address: null,
   * //   enrollments: [
   * //     {
   * //       id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v706',
   * //       status: 'waived',
   * //       answered_at: '2025-11-04T17:00:00.000Z'
   * //     }
   * //   ],
   * //   created_at: '2024-10-09T16:00:00.000Z',
   * //   updated_at: '2024-10-09T16:00:00.000Z',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v704',
   * //   employer_name: 'Sunrise Bakery',
   * //   start_date: '2019-04-01',
   * //   classification_effective_date: '2019-04-01',
   * //   compensation_type: 'Salary',
   * //   compensation_type_effective_date: '2019-04-01',
   * //   deductions: [
   * //     {
   * //       benefit_name: 'Dental',
   * //       deduction_amount_in_cents: 3969,
   * //       deduction_category: null,
   * //       frequency: 'bi_weekly',
   * //       period_start_date: '2026-02-26',
   * //       period_end_date: '2026-03-11',
   * //       tax_classification: 'Pre-tax',
   * //       kind: 'deduction',
   * //       reason: null,
   * //       corrected_period_start_date: null,
   * //       corrected_period_end_date: null
   * //     }
   * //   ]
   * // }
   * ```
   */
  listEmployments(member_id: MemberId, query?: MembersListEmploymentsQuery, options?: CallOptions): Pages<Employee, EmployeePage>

  /**
   * List the enrollments of a person. `GET /v1/members/{member_id}/enrollments`
   *
   * Those of all employments together, newest first.
   *
   * For keys, unbound tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: read, people.
   *
   * @example
   * ```ts
   * for await (const row of ob.members.listEnrollments(member_id)) console.log(row)
   * // {
   * //   id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v708',
   * //   employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v708',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v704',
   * //   benefit: {
   * //     id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v703',
   * //     category: 'Vision',
   * //     name: 'Vision',
   * //     product_code: 'VV'
   * //   },
   * //   status: 'enrolled',
   * //   coverage_start: '2025-12-01',
   * //   coverage_end: null,
   * //   employee_deduction_in_cents: 790,
   * //   employer_contribution_in_cents: 790,
   * //   domestic_partner_share_in_cents: 0,
   * //   answered_at: '2025-11-06T17:00:00.000Z',
   * //   elected_by: null,
   * //   terminated_at: null,
   * //   created_at: '2025-11-02T17:00:00.000Z',
   * //   updated_at: '2025-11-06T17:00:00.000Z',
   * //   benefit_plan_year_id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v702',
   * //   plan_year_start: '2025-12-01',
   * //   plan_year_end: '2026-11-30',
   * //   plan: {
   * //     id: 'pln_01kdq7b4w8e9rs2mh3n5t6v703',
   * //     name: 'Clearview Basic',
   * //     carrier: 'Clearview Vision'
   * //   },
   * //   elected_from: null,
   * //   coverage_tier: 'ES',
   * //   premium_in_cents: 1580,
   * //   individual_plan_name: null,
   * //   bought_on_exchange: null,
   * //   dependent_ids: [
   * //     'dep_01kdq7b4w8e9rs2mh3n5t6v701'
   * //   ],
   * //   upcoming_election: null,
   * //   window: null,
   * //   allowed_changes: null
   * // }
   * ```
   */
  listEnrollments(member_id: MemberId, query?: MembersListEnrollmentsQuery, options?: CallOptions): Pages<Enrollment, EnrollmentPage>
}

export interface CensusMethods {
  /**
   * Submit a census. `POST /v1/employers/{employer_id}/census-sync`
   *
   * Processes 1 to 10,000 rows asynchronously. People are matched, never duplicated and never guessed; a row that fails is reported, the others go through. With `mode=replace` people missing from the body are terminated as of today; when that would end over 20 % of the roster and 5 people, or anybody while a row was refused, the sync is `held` until confirmed. With `dry_run=true` the answer is a 200 with the outcome, and nothing changes. Other query parameters are refused.
   *
   * For keys, unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: write, people.
   *
   * @throws {ApiError} among others `employer_has_hris_connection`, `employer_has_no_active_subscription`
   *
   * @example
   * ```ts
   * await ob.census.submit(employer_id, {
   *   employees: [
   *     {
   *       first_name: 'Grace',
   *       last_name: 'Murray',
   *       email: 'grace.murray@example.com',
   *       phone: '2125550147',
   *       date_of_birth: '1988-12-09',
   *       start_date: '2026-01-05',
   *       employee_class: 'Full Time',
   *       reference_id: 'E-2001',
   *       address: {
   *         address_line_1: '12 Boxwood Ln',
   *         city: 'Arlington',
   *         state: 'VA',
   *         zipcode: '22201'
   *       }
   *     }
   *   ]
   * })
   * // {
   * //   census_sync_id: 'csyn_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v703',
   * //   origin: 'hris',
   * //   mode: 'replace',
   * //   dry_run: false,
   * //   state: 'completed',
   * //   row_count: 12,
   * //   processed_count: 12,
   * //   counts: {
   * //     created: 0,
   * //     updated: 1,
   * //     unchanged: 11,
   * //     rehired: 0,
   * //     terminated: 0,
   * //     failed: 0
   * //   },
   * //   missing_count: null,
   * //   missing: null,
   * //   failures: [],
   * //   warnings: [],
   * //   planned: null,
   * //   accepted_at: '2026-01-09T17:00:00.000Z',
   * //   completed_at: '2026-01-09T17:00:00.000Z'
   * // }
   * ```
   */
  submit(employer_id: EmployerId, body: CensusSubmission, query?: EmployersSubmitCensusSyncQuery, options?: CallOptions): Promise<CensusOutcome | CensusAcceptance>

  /**
   * List the censuses of an employer. `GET /v1/employers/{employer_id}/census-sync`
   *
   * The latest first, without their rows.
   *
   * For keys, unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: read, people.
   *
   * @example
   * ```ts
   * for await (const row of ob.census.list(employer_id)) console.log(row)
   * // {
   * //   census_sync_id: 'csyn_01kdq7b4w8e9rs2mh3n5t6v702',
   * //   origin: 'hris',
   * //   mode: 'replace',
   * //   state: 'completed',
   * //   row_count: 4,
   * //   counts: {
   * //     created: 0,
   * //     updated: 0,
   * //     unchanged: 4,
   * //     rehired: 0,
   * //     terminated: 0,
   * //     failed: 0
   * //   },
   * //   missing_count: null,
   * //   accepted_at: '2026-03-10T16:00:00.000Z',
   * //   completed_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  list(employer_id: EmployerId, query?: EmployersListCensusSyncsQuery, options?: CallOptions): Pages<CensusSync, CensusSyncPage>

  /**
   * Get the outcome of a census. `GET /v1/employers/{employer_id}/census-sync/{census_sync_id}`
   *
   * Readable while the census runs: `processed_count` of `row_count` rows are done.
   *
   * For keys, unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: read, people.
   *
   * @example
   * ```ts
   * await ob.census.get(employer_id, census_sync_id)
   * // {
   * //   census_sync_id: 'csyn_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v703',
   * //   origin: 'hris',
   * //   mode: 'replace',
   * //   dry_run: false,
   * //   state: 'completed',
   * //   row_count: 12,
   * //   processed_count: 12,
   * //   counts: {
   * //     created: 0,
   * //     updated: 1,
   * //     unchanged: 11,
   * //     rehired: 0,
   * //     terminated: 0,
   * //     failed: 0
   * //   },
   * //   missing_count: null,
   * //   missing: null,
   * //   failures: [],
   * //   warnings: [],
   * //   planned: null,
   * //   accepted_at: '2026-01-09T17:00:00.000Z',
   * //   completed_at: '2026-01-09T17:00:00.000Z'
   * // }
   * ```
   */
  get(employer_id: EmployerId, census_sync_id: CensusSyncId, options?: CallOptions): Promise<CensusOutcome>

  /**
   * Confirm a held census. `POST /v1/employers/{employer_id}/census-sync/{census_sync_id}/confirm`
   *
   * Lets a replacing census that is `held` terminate the people who are missing from it.
   *
   * For keys, unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: write, people.
   *
   * @throws {ApiError} among others `census_sync_not_held`, `employer_has_hris_connection`, `census_sync_superseded`
   *
   * @example
   * ```ts
   * await ob.census.confirm(employer_id, census_sync_id)
   * // {
   * //   census_sync_id: 'csyn_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v703',
   * //   origin: 'hris',
   * //   mode: 'replace',
   * //   dry_run: false,
   * //   state: 'completed',
   * //   row_count: 12,
   * //   processed_count: 12,
   * //   counts: {
   * //     created: 0,
   * //     updated: 1,
   * //     unchanged: 11,
   * //     rehired: 0,
   * //     terminated: 0,
   * //     failed: 0
   * //   },
   * //   missing_count: null,
   * //   missing: null,
   * //   failures: [],
   * //   warnings: [],
   * //   planned: null,
   * //   accepted_at: '2026-01-09T17:00:00.000Z',
   * //   completed_at: '2026-01-09T17:00:00.000Z'
   * // }
   * ```
   */
  confirm(employer_id: EmployerId, census_sync_id: CensusSyncId, options?: CallOptions): Promise<CensusOutcome>
}

export interface HrisMethods {
  /**
   * List HRIS providers. `GET /v1/employers/hris-providers`
   *
   * The providers that employers of the book are connected to, for its filter `hris_provider`.
   *
   * For keys, unbound tokens. Any role. Scopes: read.
   *
   * @example
   * ```ts
   * await ob.hris.listProviders()
   * // [
   * //   {
   * //     provider: 'adp',
   * //     provider_label: 'ADP'
   * //   }
   * // ]
   * ```
   */
  listProviders(options?: CallOptions): Promise<HrisProviderList['data']>

  /**
   * Get an employer's HRIS connection. `GET /v1/employers/{employer_id}/hris`
   *
   * While it is `pending`, `active` or `inactive`, the connection keeps the roster: creating employees and submitting a census are refused. `pending`: nothing was synced yet. `inactive`: the payroll system does not let us in any more.
   *
   * For keys, unbound, employer tokens. Roles: ADMIN, OPERATIONS. Scopes: read.
   *
   * @example
   * ```ts
   * await ob.hris.get(employer_id)
   * // {
   * //   hris: {
   * //     provider: 'rippling',
   * //     provider_label: 'Rippling',
   * //     status: 'active',
   * //     last_sync_on: '2026-03-10',
   * //     synced_row_count: 4,
   * //     recent_runs: [
   * //       {
   * //         state: 'completed',
   * //         requested_at: '2026-03-10T16:00:00.000Z',
   * //         counts: {
   * //           created: 0,
   * //           updated: 0,
   * //           unchanged: 4,
   * //           rehired: 0,
   * //           terminated: 0,
   * //           failed: 0
   * //         }
   * //       }
   * //     ]
   * //   }
   * // }
   * ```
   */
  get(employer_id: EmployerId, options?: CallOptions): Promise<EmployerHris>
}

export interface GroupsMethods {
  /**
   * List groups. `GET /v1/groups`
   *
   * The groups of your organization, newest first.
   *
   * For keys, unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: read, people.
   *
   * @example
   * ```ts
   * for await (const row of ob.groups.list()) console.log(row)
   * // {
   * //   id: 'grp_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   name: 'Valley Growers Cooperative',
   * //   external_reference_id: 'VALLEY-GROWERS',
   * //   created_at: '2025-09-04T16:00:00.000Z',
   * //   updated_at: '2025-09-04T16:00:00.000Z'
   * // }
   * ```
   */
  list(query?: GroupsListQuery, options?: CallOptions): Pages<Group, GroupPage>

  /**
   * Create a group. `POST /v1/groups`
   *
   * The `external_reference_id` is unique within the organization; the name need not be.
   *
   * For keys, unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: write, people.
   *
   * @throws {ApiError} among others `external_reference_id_already_exists`
   *
   * @example
   * ```ts
   * await ob.groups.create({
   *   external_reference_id: 'coop-8',
   *   name: 'Hillside Growers Cooperative'
   * })
   * // {
   * //   id: 'grp_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   name: 'Valley Growers Cooperative',
   * //   external_reference_id: 'VALLEY-GROWERS',
   * //   created_at: '2025-09-04T16:00:00.000Z',
   * //   updated_at: '2025-09-04T16:00:00.000Z'
   * // }
   * ```
   */
  create(body: NewGroup, options?: CallOptions): Promise<Group>

  /**
   * Get a group. `GET /v1/groups/{group_id}`
   *
   * For keys, unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: read, people.
   *
   * @example
   * ```ts
   * await ob.groups.get(group_id)
   * // {
   * //   id: 'grp_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   name: 'Valley Growers Cooperative',
   * //   external_reference_id: 'VALLEY-GROWERS',
   * //   created_at: '2025-09-04T16:00:00.000Z',
   * //   updated_at: '2025-09-04T16:00:00.000Z'
   * // }
   * ```
   */
  get(group_id: GroupId, options?: CallOptions): Promise<Group>

  /**
   * Update a group. `PATCH /v1/groups/{group_id}`
   *
   * Only the fields that are sent change; null leaves a field as it is.
   *
   * For keys, unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: write, people.
   *
   * @throws {ApiError} among others `external_reference_id_already_exists`
   *
   * @example
   * ```ts
   * await ob.groups.update(group_id, {
   *   name: 'Hillside Growers'
   * })
   * // {
   * //   id: 'grp_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   name: 'Valley Growers Cooperative',
   * //   external_reference_id: 'VALLEY-GROWERS',
   * //   created_at: '2025-09-04T16:00:00.000Z',
   * //   updated_at: '2025-09-04T16:00:00.000Z'
   * // }
   * ```
   */
  update(group_id: GroupId, body?: GroupChanges, options?: CallOptions): Promise<Group>

  /**
   * List the members of a group. `GET /v1/groups/{group_id}/members`
   *
   * Who belongs to the group now, newest first.
   *
   * For keys, unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: read, people.
   *
   * @example
   * ```ts
   * for await (const row of ob.groups.listMembers(group_id)) console.log(row)
   * // {
   * //   id: 'grpmbr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   group_id: 'grp_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   member_id: 'mbr_01kdq7b4w8e9rs2mh3n5t6v705',
   * //   reference_id: 'VG-004',
   * //   plan_id: 'pln_01kdq7b4w8e9rs2mh3n5t6v704',
   * //   first_name: 'Yusuf',
   * //   last_name: 'Demir',
   * //   email: null,
   * //   phone: '5305550104',
   * //   date_of_birth: '1993-11-12',
   * //   address: {
   * //     address_line_1: '22 Creek Ln',
   * //     address_line_2: null,
   * //     city: 'Winters',
   * //     state: 'CA',
   * //     zipcode: '95694'
   * //   },
   * //   joined_at: '2026-01-03T17:00:00.000Z',
   * //   updated_at: '2026-01-03T17:00:00.000Z'
   * // }
   * ```
   */
  listMembers(group_id: GroupId, query?: GroupsListMembersQuery, options?: CallOptions): Pages<GroupMember, GroupMemberPage>

  /**
   * Submit all members of a group. `POST /v1/groups/{group_id}/members/sync`
   *
   * Accepts up to 10,000 members and brings the group into step asynchronously, by `reference_id`: who is unknown is added, who is known is updated, who is missing is removed. A person whom the organization knows is linked, not duplicated. A row that fails is reported, the others go through. The requests of one group are worked off in order.
   *
   * For keys, unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: write, people.
   *
   * @example
   * ```ts
   * await ob.groups.syncMembers(group_id, {
   *   members: [
   *     {
   *       reference_id: 'M-1001',
   *       first_name: 'Nora',
   *       last_name: 'Ekström',
   *       email: 'nora.ekstrom@example.com',
   *       phone: '5305550116',
   *       date_of_birth: '1984-06-30',
   *       address: {
   *         address_line_1: '4 Orchard Way',
   *         city: 'Winters',
   *         state: 'CA',
   *         zipcode: '95694'
   *       },
   *       plan_id: 'pln_01kdq7b4w8e9rs2mh3n5t6v7xz'
   *     }
   *   ]
   * })
   * // {
   * //   accepted_at: '2026-03-10T16:00:00.000Z',
   * //   group_id: 'grp_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   request_id: 'grpmsr_01kdq7b4w8e9rs2mh3n5t6v700'
   * // }
   * ```
   */
  syncMembers(group_id: GroupId, body: GroupMemberSubmission, options?: CallOptions): Promise<GroupMemberSyncAcceptance>

  /**
   * List the member sync requests of a group. `GET /v1/groups/{group_id}/members/sync`
   *
   * The latest first, each with how much it did.
   *
   * For keys, unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: read, people.
   *
   * @example
   * ```ts
   * for await (const row of ob.groups.listMemberSyncs(group_id)) console.log(row)
   * // {
   * //   request_id: 'grpmsr_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   group_id: 'grp_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   accepted_at: '2026-01-03T17:00:00.000Z',
   * //   completed_at: '2026-01-03T17:00:00.000Z',
   * //   added_count: 1,
   * //   removed_count: 1,
   * //   failure_count: 1
   * // }
   * ```
   */
  listMemberSyncs(group_id: GroupId, query?: GroupsListMemberSyncsQuery, options?: CallOptions): Pages<GroupMemberSyncRow, GroupMemberSyncPage>

  /**
   * Get a member sync request. `GET /v1/groups/{group_id}/members/sync/{request_id}`
   *
   * While it is in flight `completed_at` and `results` are null.
   *
   * For keys, unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: read, people.
   *
   * @example
   * ```ts
   * await ob.groups.getMemberSync(group_id, request_id)
   * // {
   * //   request_id: 'grpmsr_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   group_id: 'grp_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   accepted_at: '2026-01-03T17:00:00.000Z',
   * //   completed_at: '2026-01-03T17:00:00.000Z',
   * //   results: {
   * //     added_group_member_ids: [
   * //       'grpmbr_01kdq7b4w8e9rs2mh3n5t6v700'
   * //     ],
   * //     removed_group_member_ids: [
   * //       'grpmbr_01kdq7b4w8e9rs2mh3n5t6v701'
   * //     ],
   * //     failures: [
   * //       {
   * //         operation: 'add',
   * //         reason: 'under_18',
   * //         reference_id: 'VG-005'
   * //       }
   * //     ]
   * //   }
   * // }
   * ```
   */
  getMemberSync(group_id: GroupId, request_id: GroupMemberSyncId, options?: CallOptions): Promise<GroupMemberSync>
}

export interface WebhookSubscriptionsMethods {
  /**
   * Subscribe to events. `POST /v1/webhook-subscriptions`
   *
   * Sends the organization's events from now on to an address, signed by the secret that is answered here and never again. Tell receivers apart by subscribing each; an organization has at most 50.
   *
   * For keys, unbound tokens. Roles: ADMIN. Scopes: write, webhooks.
   *
   * @throws {ApiError} among others `too_many_webhook_subscriptions`, `webhook_url_not_allowed`
   *
   * @example
   * ```ts
   * await ob.webhookSubscriptions.create({
   *   url: 'https://example.com/hooks',
   *   event_names: [
   *     'employee.created',
   *     'enrollment.elected'
   *   ]
   * })
   * // {
   * //   id: 'wsub_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   url: 'https://example.com/hooks',
   * //   event_names: [
   * //     'employee.created'
   * //   ],
   * //   description: 'Payroll',
   * //   enabled: true,
   * //   disabled_at: null,
   * //   disabled_reason: null,
   * //   failing_since: null,
   * //   former_secret_until: '2026-03-11T16:00:00.000Z',
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   updated_at: '2026-03-10T16:00:00.000Z',
   * //   secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'
   * // }
   * ```
   */
  create(body: NewWebhookSubscription, options?: CallOptions): Promise<WebhookSubscriptionWithSecret>

  /**
   * List webhook subscriptions. `GET /v1/webhook-subscriptions`
   *
   * For keys, unbound tokens. Roles: ADMIN. Scopes: read, webhooks.
   *
   * @example
   * ```ts
   * for await (const row of ob.webhookSubscriptions.list()) console.log(row)
   * // {
   * //   id: 'wsub_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   url: 'https://example.com/hooks',
   * //   event_names: [
   * //     'employee.created'
   * //   ],
   * //   description: 'Payroll',
   * //   enabled: true,
   * //   disabled_at: null,
   * //   disabled_reason: null,
   * //   failing_since: null,
   * //   former_secret_until: '2026-03-11T16:00:00.000Z',
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   updated_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  list(query?: WebhookSubscriptionsListQuery, options?: CallOptions): Pages<WebhookSubscription, WebhookSubscriptionPage>

  /**
   * Get a webhook subscription. `GET /v1/webhook-subscriptions/{webhook_subscription_id}`
   *
   * For keys, unbound tokens. Roles: ADMIN. Scopes: read, webhooks.
   *
   * @example
   * ```ts
   * await ob.webhookSubscriptions.get(webhook_subscription_id)
   * // {
   * //   id: 'wsub_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   url: 'https://example.com/hooks',
   * //   event_names: [
   * //     'employee.created'
   * //   ],
   * //   description: 'Payroll',
   * //   enabled: true,
   * //   disabled_at: null,
   * //   disabled_reason: null,
   * //   failing_since: null,
   * //   former_secret_until: '2026-03-11T16:00:00.000Z',
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   updated_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  get(webhook_subscription_id: WebhookSubscriptionId, options?: CallOptions): Promise<WebhookSubscription>

  /**
   * Change a webhook subscription. `PATCH /v1/webhook-subscriptions/{webhook_subscription_id}`
   *
   * What waits to be delivered goes to the new address. One that was disabled is sent events again with `enabled: true`, from then on; replay those that it missed.
   *
   * For keys, unbound tokens. Roles: ADMIN. Scopes: write, webhooks.
   *
   * @throws {ApiError} among others `webhook_url_not_allowed`
   *
   * @example
   * ```ts
   * await ob.webhookSubscriptions.update(webhook_subscription_id, {
   *   description: 'Payroll'
   * })
   * // {
   * //   id: 'wsub_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   url: 'https://example.com/hooks',
   * //   event_names: [
   * //     'employee.created'
   * //   ],
   * //   description: 'Payroll',
   * //   enabled: true,
   * //   disabled_at: null,
   * //   disabled_reason: null,
   * //   failing_since: null,
   * //   former_secret_until: '2026-03-11T16:00:00.000Z',
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   updated_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  update(webhook_subscription_id: WebhookSubscriptionId, body?: WebhookSubscriptionChanges, options?: CallOptions): Promise<WebhookSubscription>

  /**
   * Delete a webhook subscription. `DELETE /v1/webhook-subscriptions/{webhook_subscription_id}`
   *
   * Answers it as it was. What waits to be delivered is not sent any more.
   *
   * For keys, unbound tokens. Roles: ADMIN. Scopes: write, webhooks.
   *
   * @example
   * ```ts
   * await ob.webhookSubscriptions.delete(webhook_subscription_id)
   * // {
   * //   id: 'wsub_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   url: 'https://example.com/hooks',
   * //   event_names: [
   * //     'employee.created'
   * //   ],
   * //   description: 'Payroll',
   * //   enabled: true,
   * //   disabled_at: null,
   * //   disabled_reason: null,
   * //   failing_since: null,
   * //   former_secret_until: '2026-03-11T16:00:00.000Z',
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   updated_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  delete(webhook_subscription_id: WebhookSubscriptionId, options?: CallOptions): Promise<WebhookSubscription>

  /**
   * Rotate the secret of a webhook subscription. `POST /v1/webhook-subscriptions/{webhook_subscription_id}/rotate-secret`
   *
   * For 24 hours each delivery is signed by the former secret too, so that receivers change over in between: by each of them, if it is rotated again, and at most 4.
   *
   * For keys, unbound tokens. Roles: ADMIN. Scopes: write, webhooks.
   *
   * @throws {ApiError} among others `too_many_webhook_secrets`
   *
   * @example
   * ```ts
   * await ob.webhookSubscriptions.rotateSecret(webhook_subscription_id)
   * // {
   * //   id: 'wsub_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   url: 'https://example.com/hooks',
   * //   event_names: [
   * //     'employee.created'
   * //   ],
   * //   description: 'Payroll',
   * //   enabled: true,
   * //   disabled_at: null,
   * //   disabled_reason: null,
   * //   failing_since: null,
   * //   former_secret_until: '2026-03-11T16:00:00.000Z',
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   updated_at: '2026-03-10T16:00:00.000Z',
   * //   secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'
   * // }
   * ```
   */
  rotateSecret(webhook_subscription_id: WebhookSubscriptionId, options?: CallOptions): Promise<WebhookSubscriptionWithSecret>

  /**
   * Test a webhook subscription. `POST /v1/webhook-subscriptions/{webhook_subscription_id}/test`
   *
   * Sends it, and no other, an event `webhook_subscription.test`, or the newest event of a name, whichever names it takes.
   *
   * For keys, unbound tokens. Roles: ADMIN. Scopes: write, webhooks.
   *
   * @throws {ApiError} among others `webhook_subscription_is_disabled`, `no_event_of_this_name`
   *
   * @example
   * ```ts
   * await ob.webhookSubscriptions.test(webhook_subscription_id)
   * // {
   * //   id: 'wdlv_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   webhook_event_id: 'wevt_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   subscription_id: 'wsub_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   status: 'Pending',
   * //   attempts: 0,
   * //   response_status: null,
   * //   response_body: null,
   * //   started_at: null,
   * //   delivered_at: null,
   * //   failed_at: null,
   * //   failure_reason: '',
   * //   next_attempt_at: '2026-03-10T16:00:00.000Z',
   * //   created_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  test(webhook_subscription_id: WebhookSubscriptionId, query?: WebhookSubscriptionsTestQuery, options?: CallOptions): Promise<WebhookDelivery>

  /**
   * Replay events to a webhook subscription. `POST /v1/webhook-subscriptions/{webhook_subscription_id}/replay`
   *
   * Sends the events of a time that the subscription takes and has not got: those that failed for good, and those of while it was disabled or not there. What was delivered, or waits, is not sent again.
   *
   * For keys, unbound tokens. Roles: ADMIN. Scopes: write, webhooks.
   *
   * @throws {ApiError} among others `webhook_subscription_is_disabled`, `replay_too_far_back`
   *
   * @example
   * ```ts
   * await ob.webhookSubscriptions.replay(webhook_subscription_id, {
   *   since: '2026-03-01T00:00:00Z'
   * })
   * // {
   * //   subscription_id: 'wsub_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   since: '2026-03-01T00:00:00.000Z',
   * //   until: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  replay(webhook_subscription_id: WebhookSubscriptionId, body: NewWebhookReplay, options?: CallOptions): Promise<WebhookReplay>

  /**
   * List the deliveries of a webhook subscription. `GET /v1/webhook-subscriptions/{webhook_subscription_id}/deliveries`
   *
   * With what the receiver answered last.
   *
   * For keys, unbound tokens. Roles: ADMIN. Scopes: read, webhooks.
   *
   * @example
   * ```ts
   * for await (const row of ob.webhookSubscriptions.listDeliveries(webhook_subscription_id)) console.log(row)
   * // {
   * //   id: 'wdlv_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   webhook_event_id: 'wevt_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   subscription_id: 'wsub_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   status: 'Pending',
   * //   attempts: 0,
   * //   response_status: null,
   * //   response_body: null,
   * //   started_at: null,
   * //   delivered_at: null,
   * //   failed_at: null,
   * //   failure_reason: '',
   * //   next_attempt_at: '2026-03-10T16:00:00.000Z',
   * //   created_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  listDeliveries(webhook_subscription_id: WebhookSubscriptionId, query?: WebhookSubscriptionsListDeliveriesQuery, options?: CallOptions): Pages<WebhookDelivery, WebhookDeliveryPage>
}

export interface WebhookEventsMethods {
  /**
   * List events. `GET /v1/webhook-events`
   *
   * What happened in the organization, newest first. To follow it, name the last event that you have in `after` and let the answer `wait`, as one request of your rate limit; a credential may wait in 5 at a time.
   *
   * For keys, unbound tokens. Roles: ADMIN. Scopes: read, webhooks.
   *
   * @example
   * ```ts
   * for await (const row of ob.webhookEvents.list()) console.log(row)
   * // {
   * //   id: 'wevt_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   event_name: 'employee.created',
   * //   resource_type: 'employee',
   * //   resource_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v70a',
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   sequence: 1,
   * //   created_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  list(query?: WebhookEventsListQuery, options?: CallOptions): Pages<WebhookEvent, WebhookEventPage>

  /**
   * Get an event. `GET /v1/webhook-events/{webhook_event_id}`
   *
   * For keys, unbound tokens. Roles: ADMIN. Scopes: read, webhooks.
   *
   * @example
   * ```ts
   * await ob.webhookEvents.get(webhook_event_id)
   * // {
   * //   id: 'wevt_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   event_name: 'employee.created',
   * //   resource_type: 'employee',
   * //   resource_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v70a',
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   sequence: 1,
   * //   created_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  get(webhook_event_id: WebhookEventId, options?: CallOptions): Promise<WebhookEvent>

  /**
   * List the deliveries of an event. `GET /v1/webhook-events/{webhook_event_id}/deliveries`
   *
   * One for each subscription that took it, and one for each redelivery and replay, newest first.
   *
   * For keys, unbound tokens. Roles: ADMIN. Scopes: read, webhooks.
   *
   * @example
   * ```ts
   * for await (const row of ob.webhookEvents.listDeliveries(webhook_event_id)) console.log(row)
   * // {
   * //   id: 'wdlv_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   webhook_event_id: 'wevt_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   subscription_id: 'wsub_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   status: 'Pending',
   * //   attempts: 0,
   * //   response_status: null,
   * //   response_body: null,
   * //   started_at: null,
   * //   delivered_at: null,
   * //   failed_at: null,
   * //   failure_reason: '',
   * //   next_attempt_at: '2026-03-10T16:00:00.000Z',
   * //   created_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  listDeliveries(webhook_event_id: WebhookEventId, query?: WebhookEventsListDeliveriesQuery, options?: CallOptions): Pages<WebhookDelivery, WebhookDeliveryPage>
}

export interface WebhookDeliveriesMethods {
  /**
   * Deliver an event again. `POST /v1/webhook-deliveries/{webhook_delivery_id}/redeliver`
   *
   * To the subscription of that delivery, however it ended, as a delivery of its own with the same `webhook-id`.
   *
   * For keys, unbound tokens. Roles: ADMIN. Scopes: write, webhooks.
   *
   * @throws {ApiError} among others `webhook_subscription_is_disabled`
   *
   * @example
   * ```ts
   * await ob.webhookDeliveries.redeliver(webhook_delivery_id)
   * // {
   * //   id: 'wdlv_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   webhook_event_id: 'wevt_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   subscription_id: 'wsub_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   status: 'Pending',
   * //   attempts: 0,
   * //   response_status: null,
   * //   response_body: null,
   * //   started_at: null,
   * //   delivered_at: null,
   * //   failed_at: null,
   * //   failure_reason: '',
   * //   next_attempt_at: '2026-03-10T16:00:00.000Z',
   * //   created_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  redeliver(webhook_delivery_id: WebhookDeliveryId, options?: CallOptions): Promise<WebhookDelivery>
}

export interface DownloadsMethods {
  /**
   * Download a file. `GET /v1/downloads/{token}`
   *
   * Links come in the `download_url` of other answers. They open without a key, and are a 404 from `expires_at` on, or within 5 seconds after the API key that asked for them was revoked, or its owner left or got another role. Too many at once are a 503 with `Retry-After`, and who takes less than 256 KiB in 30 seconds is hung up on.
   *
   * @example
   * ```ts
   * await ob.downloads.get(token)
   * ```
   */
  get(token: string, options?: CallOptions): Promise<Response>
}

/** The codes that every method with a credential may be refused with. */
type Refused = 'invalid_organization_header' | 'invalid_request' | 'unauthorized' | 'organization_access_denied' | 'api_key_in_browser' | 'origin_not_allowed' | 'forbidden' | 'rate_limited' | 'internal_error' | 'unavailable'

interface Refusals {
  ApiKeysCreateConflict: 'idempotency_key_in_progress' | 'idempotency_answer_forgotten' | 'conflict' | 'too_many_api_keys'
  ApiKeysCreateUnprocessable: 'idempotency_key_reused' | 'user_is_not_a_member' | 'key_beyond_its_maker'
  ApiKeysRotateUnprocessable: 'idempotency_key_reused' | 'key_beyond_its_maker'
  Conflict: 'conflict'
  ConflictOrAnswerForgotten: 'idempotency_key_in_progress' | 'idempotency_answer_forgotten' | 'conflict'
  ConflictOrInProgress: 'idempotency_key_in_progress' | 'conflict'
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
  EmployeesAnswerEnrollmentsUnprocessable: 'idempotency_key_reused' | 'enrollment_of_another' | 'one_of_a_choice' | 'plan_not_offered' | 'individual_plan_does_not_fit' | 'dependents_do_not_fit_tier' | 'dependent_not_coverable'
  EmployeesCreateEmployeeBadRequest: 'organization_required' | 'invalid_employee_update'
  EmployeesCreateEmployeeConflict: 'idempotency_key_in_progress' | 'conflict' | 'employer_has_hris_connection' | 'employer_has_no_active_subscription' | 'employee_already_exists' | 'ambiguous_person' | 'reference_of_another'
  EmployeesCreateEmployeeUnprocessable: 'idempotency_key_reused' | 'email_taken' | 'invalid_account_update'
  EmployeesRehireConflict: 'idempotency_key_in_progress' | 'conflict' | 'employer_has_no_active_subscription' | 'employee_not_terminated'
  EmployeesReinstateConflict: 'idempotency_key_in_progress' | 'conflict' | 'employer_has_no_active_subscription' | 'nothing_to_reinstate' | 'employed_again'
  EmployeesTerminateConflict: 'idempotency_key_in_progress' | 'conflict' | 'employee_already_terminated'
  EmployeesUpdateBadRequest: 'invalid_employee_update'
  EmployeesUpdateContactConflict: 'conflict' | 'employee_is_not_employed'
  EmployersConfirmCensusSyncConflict: 'idempotency_key_in_progress' | 'conflict' | 'census_sync_not_held' | 'employer_has_hris_connection' | 'census_sync_superseded'
  EmployersCreateConflict: 'idempotency_key_in_progress' | 'conflict' | 'EIN_ALREADY_EXISTS' | 'NAME_ALREADY_EXISTS' | 'LEGAL_NAME_ALREADY_EXISTS' | 'EMAIL_ALREADY_EXISTS' | 'PHONE_ALREADY_EXISTS'
  EmployersCreateUnprocessable: 'idempotency_key_reused' | 'po_box_not_allowed'
  EmployersListInvoicesUnprocessable: 'employer_has_no_billing_account'
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
  InvitationsCreateConflict: 'idempotency_key_in_progress' | 'idempotency_answer_forgotten' | 'conflict' | 'too_many_invitations'
  LifeEventsAttachConflict: 'idempotency_key_in_progress' | 'idempotency_answer_forgotten' | 'conflict' | 'employee_is_not_employed' | 'life_event_already_decided'
  LifeEventsCreateConflict: 'idempotency_key_in_progress' | 'conflict' | 'employee_is_not_employed'
  LifeEventsCreateUnprocessable: 'idempotency_key_reused' | 'life_event_too_old'
  LifeEventsDetachConflict: 'conflict' | 'employee_is_not_employed' | 'life_event_already_decided'
  NotFound: 'not_found'
  PayloadTooLarge: 'payload_too_large'
  Unprocessable: 'unprocessable'
  UnsupportedMediaType: 'unsupported_media_type'
  UpstreamError: 'upstream_error'
  WebhookDeliveriesRedeliverConflict: 'idempotency_key_in_progress' | 'conflict' | 'webhook_subscription_is_disabled'
  WebhookSubscriptionsCreateConflict: 'idempotency_key_in_progress' | 'idempotency_answer_forgotten' | 'conflict' | 'too_many_webhook_subscriptions'
  WebhookSubscriptionsCreateUnprocessable: 'idempotency_key_reused' | 'webhook_url_not_allowed'
  WebhookSubscriptionsReplayUnprocessable: 'idempotency_key_reused' | 'replay_too_far_back'
  WebhookSubscriptionsRotateSecretConflict: 'idempotency_key_in_progress' | 'idempotency_answer_forgotten' | 'conflict' | 'too_many_webhook_secrets'
  WebhookSubscriptionsTestConflict: 'idempotency_key_in_progress' | 'conflict' | 'webhook_subscription_is_disabled' | 'no_event_of_this_name'
  WebhookSubscriptionsUpdateUnprocessable: 'webhook_url_not_allowed'
}

/** The codes that each method may be refused with. */
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
  'apiKeys.rotate': Refused | Refusals['ForbiddenOrSignInAgain' | 'NotFound' | 'ConflictOrAnswerForgotten' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'ApiKeysRotateUnprocessable']
  'apiKeys.reportLeak': Refused | Refusals['NotFound' | 'ConflictOrInProgress' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'IdempotencyKeyReused']
  'auditEntries.list': Refused | Refusals['InvalidRequestOrNoOrganization']
  'auditEntries.export': Refused | Refusals['InvalidRequestOrNoOrganization']
  'employees.setWage': Refused | Refusals['NotFound' | 'Conflict' | 'PayloadTooLarge' | 'UnsupportedMediaType']
  'employees.listWages': Refused | Refusals['NotFound']
  'employers.list': Refused | Refusals['InvalidRequestOrNoOrganization']
  'employers.create': Refused | Refusals['InvalidRequestOrNoOrganization' | 'EmployersCreateConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'EmployersCreateUnprocessable']
  'employers.get': Refused | Refusals['InvalidRequestOrNoOrganization' | 'NotFound']
  'employers.update': Refused | Refusals['InvalidRequestOrNoOrganization' | 'NotFound' | 'EmployersUpdateConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'EmployersUpdateUnprocessable']
  'employers.getSettings': Refused | Refusals['NotFound']
  'employers.updateSettings': Refused | Refusals['InvalidRequestOrNoOrganization' | 'NotFound' | 'Conflict' | 'PayloadTooLarge' | 'UnsupportedMediaType']
  'plans.list': Refused | Refusals['InvalidRequestOrNoOrganization']
  'eligibilityPolicies.create': Refused | Refusals['NotFound' | 'CreateBenefitEligibilityPolicyConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'CreateBenefitEligibilityPolicyUnprocessable']
  'eligibilityPolicies.list': Refused | Refusals['NotFound']
  'eligibilityPolicies.get': Refused | Refusals['NotFound']
  'employees.explainEligibility': Refused | Refusals['NotFound']
  'planYears.list': Refused | Refusals['InvalidRequestOrNoOrganization' | 'NotFound']
  'planYears.get': Refused | Refusals['InvalidRequestOrNoOrganization' | 'NotFound']
  'planYears.listEnrollments': Refused | Refusals['InvalidRequestOrNoOrganization' | 'NotFound']
  'planYears.summarizeEnrollments': Refused | Refusals['NotFound']
  'enrollments.list': Refused | Refusals['NotFound']
  'enrollments.get': Refused | Refusals['NotFound']
  'enrollments.getHistory': Refused | Refusals['NotFound']
  'enrollments.elect': Refused | Refusals['NotFound' | 'EnrollmentsElectConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'EnrollmentsElectUnprocessable']
  'enrollments.waive': Refused | Refusals['NotFound' | 'EnrollmentsWaiveConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'IdempotencyKeyReused']
  'enrollments.terminate': Refused | Refusals['NotFound' | 'EnrollmentsTerminateConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'IdempotencyKeyReused']
  'enrollments.reissue': Refused | Refusals['NotFound' | 'EnrollmentsReissueConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'IdempotencyKeyReused']
  'planYears.getRenewal': Refused | Refusals['NotFound']
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

type Posted<Name extends string> = Omit<WebhookMessage, 'type' | 'data'> & {
  type: Name
  data: Omit<WebhookMessage['data'], 'event_name' | 'resource_type'> & {
    event_name: Name
    resource_type: Name extends `${infer Resource}.${string}` ? Resource : never
  }
}

/** What is posted to webhooks, by the name of the event. */
export interface WebhookMessages {
  /** The operator amended a plan year that runs, or withdrew an amendment. */
  'benefit_plan_year.amended': Posted<'benefit_plan_year.amended'>
  /** Coverage of a dependent ends in 60 days, by age. */
  'dependent.coverage_ending': Posted<'dependent.coverage_ending'>
  /** Coverage of a dependent ended; the employee has 30 days to choose anew. */
  'dependent.coverage_ended': Posted<'dependent.coverage_ended'>
  /** Coverage of a dependent goes on after all: the end that was told is none. */
  'dependent.coverage_reinstated': Posted<'dependent.coverage_reinstated'>
  /** An employer was created. */
  'employer.created': Posted<'employer.created'>
  /** An employer or its settings changed. */
  'employer.updated': Posted<'employer.updated'>
  /** An employer has a new eligibility policy. */
  'employer.eligibility_policy_created': Posted<'employer.eligibility_policy_created'>
  /** Somebody was hired. */
  'employee.created': Posted<'employee.created'>
  /** What is known of an employee changed. */
  'employee.updated': Posted<'employee.updated'>
  /** The waiting period of an employee is over. */
  'employee.eligibility_granted': Posted<'employee.eligibility_granted'>
  /** An employee is eligible no longer. */
  'employee.eligibility_terminated': Posted<'employee.eligibility_terminated'>
  /** An employment ended: yesterday was its last day. */
  'employee.deactivated': Posted<'employee.deactivated'>
  /** Somebody who had left is employed again, by a new employment. */
  'employee.rehired': Posted<'employee.rehired'>
  /** A termination was taken back. */
  'employee.reinstated': Posted<'employee.reinstated'>
  /** A statement takes something from the pay of an employee. */
  'employee.deduction_created': Posted<'employee.deduction_created'>
  /** A benefit is open to an employee, who has not answered yet. */
  'enrollment.granted': Posted<'enrollment.granted'>
  /** The window to answer opened. */
  'enrollment.started': Posted<'enrollment.started'>
  /** An employee elected a plan. */
  'enrollment.elected': Posted<'enrollment.elected'>
  /** An election was taken: it comes with each `enrollment.elected`. */
  'enrollment.accepted': Posted<'enrollment.accepted'>
  /** An employee waived a benefit. */
  'enrollment.waived': Posted<'enrollment.waived'>
  /** Nobody answered, and what was had in the former plan year holds again. */
  'enrollment.renewed': Posted<'enrollment.renewed'>
  /** Somebody came back in time, and what they had elected when they left holds again. */
  'enrollment.resumed': Posted<'enrollment.resumed'>
  /** Somebody was away for too long after all: what had been resumed, or waived for it, is unanswered again. */
  'enrollment.resumption_withdrawn': Posted<'enrollment.resumption_withdrawn'>
  /** An enrollment ends: `coverage_end` says when. */
  'enrollment.terminated': Posted<'enrollment.terminated'>
  /** The last day of an enrollment moved. */
  'enrollment.termination_rescheduled': Posted<'enrollment.termination_rescheduled'>
  /** An enrollment that was ended on request is open anew. */
  'enrollment.reissued': Posted<'enrollment.reissued'>
  /** A loss was withdrawn, and the enrollment is what it would be without it. */
  'enrollment.reinstated': Posted<'enrollment.reinstated'>
  /** What is elected costs something else, since the plan year was amended. */
  'enrollment.amended': Posted<'enrollment.amended'>
  /** A census was worked off: its outcome says what became of each row. */
  'census_sync.completed': Posted<'census_sync.completed'>
  /** A member sync was worked off: its results say who came and went. */
  'group_member_sync.completed': Posted<'group_member_sync.completed'>
  /** An invoice was issued, and is due. */
  'invoice.issued': Posted<'invoice.issued'>
  /** An API key of the organization was made. */
  'api_key.created': Posted<'api_key.created'>
  /** An API key has another secret. */
  'api_key.rotated': Posted<'api_key.rotated'>
  /** An API key was revoked, by an ADMIN, the operator, or whoever found it. */
  'api_key.revoked': Posted<'api_key.revoked'>
  /** Nothing is sent to this subscription any more: it says why. */
  'webhook_subscription.disabled': Posted<'webhook_subscription.disabled'>
  /** You asked for a test; it is sent to this subscription alone. */
  'webhook_subscription.test': Posted<'webhook_subscription.test'>
}

/** An event that was verified: `type` tells which. Later versions of the service may send others. */
export type VerifiedEvent = WebhookMessages[keyof WebhookMessages]

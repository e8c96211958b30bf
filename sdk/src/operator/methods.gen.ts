// Generated from openapi.operator.json by npm run gen.

import type { OperationTable } from '../core/operations.ts'
import type { CallOptions } from '../core/options.ts'
import type { Pages } from '../core/pages.ts'
import type {
  AffordabilityFigures,
  Amendment,
  AmendmentAnswer,
  AmendmentPage,
  AmendmentPreview,
  AmendmentWithdrawal,
  ApiKey,
  ApiKeyId,
  ApiKeyPage,
  AuditEntry,
  AuditEntryPage,
  BenefitPlanYear,
  BenefitPlanYearAmendmentId,
  BenefitPlanYearId,
  BillingSystemChanges,
  BillingSystemSettings,
  Catalog,
  CatalogImport,
  CatalogImportOutcome,
  CensusOutcome,
  CensusSync,
  CensusSyncId,
  CensusSyncPage,
  ClockMove,
  CorrectedEmployee,
  CorrectedEnrollment,
  CredentialUsage,
  Declining,
  DeductionProof,
  Dependent,
  DependentId,
  DependentPage,
  Disability,
  DownloadLink,
  EligibilityExplanation,
  Employee,
  EmployeeCorrection,
  EmployeeCorrectionPage,
  EmployeeId,
  Employer,
  EmployerAdmin,
  EmployerAdminId,
  EmployerAdminPage,
  EmployerAdministration,
  EmployerId,
  EmployerPage,
  EmployerRow,
  EmployerSettings,
  Enrollment,
  EnrollmentCorrection,
  EnrollmentDetail,
  EnrollmentEvidence,
  EnrollmentEvidencePage,
  EnrollmentId,
  EnrollmentPage,
  FoundDependent,
  FoundDependentPage,
  GroupMemberSync,
  GroupMemberSyncId,
  GroupMemberSyncPage,
  GroupMemberSyncRow,
  HrisAccess,
  HrisConnection,
  HrisConnectionId,
  HrisConnectionPage,
  HrisRun,
  HrisRunId,
  HrisRunPage,
  HrisRunPerson,
  HrisRunPersonPage,
  HrisRunRow,
  HrisUpload,
  InvitationId,
  Invoice,
  InvoiceAging,
  InvoiceAgingPage,
  InvoiceLine,
  InvoiceLinePage,
  InvoicePage,
  InvoicePayment,
  InvoiceRow,
  InvoiceRowPage,
  InvoiceRun,
  InvoiceVoiding,
  IssuedApiKey,
  Job,
  JobPage,
  LifeEvent,
  LifeEventApproval,
  LifeEventId,
  LifeEventPage,
  LowestCostSilverImport,
  LowestCostSilverImportOutcome,
  LowestCostSilverPage,
  LowestCostSilverPremium,
  MadeOperator,
  ManualAdjustment,
  ManualAdjustmentPage,
  Member,
  MemberId,
  MemberInvitation,
  MemberInvitationList,
  MemberPage,
  Membership,
  MembershipOfUser,
  MembershipPage,
  MovedClock,
  NewAffordabilityFigures,
  NewAmendment,
  NewApiKey,
  NewEmployerAdmin,
  NewHrisConnection,
  NewManualAdjustment,
  NewMemberInvitation,
  NewMembership,
  NewOperator,
  NewOperatorInvitation,
  NewOperatorKey,
  NewPlanYear,
  NewSubscription,
  NewUser,
  OpenCensusSync,
  OpenCensusSyncPage,
  OpenedPlanYear,
  OperatedOrganization,
  OperatedOrganizationPage,
  OperatedUser,
  OperatedUserPage,
  OperationUsage,
  OperationUsagePage,
  Operator,
  OperatorChanges,
  OperatorCredential,
  OperatorEmployeeChanges,
  OperatorInvitation,
  OperatorInvitationList,
  OperatorKey,
  OperatorKeyId,
  OperatorKeyList,
  OperatorList,
  OperatorReinstatement,
  OperatorReissue,
  OperatorTermination,
  Organization,
  OrganizationClock,
  OrganizationId,
  OrganizationSetup,
  Overview,
  PayrollDeductionStatement,
  PayrollDeductionStatementPage,
  PayrollDeductionStatementRow,
  PayrollDeductionStatementRowPage,
  PlanYearChanges,
  PlanYearCopy,
  Reconciliation,
  ReportedLifeEvent,
  ReportedLifeEventPage,
  RevokedApiKey,
  SandboxPayroll,
  Session,
  SessionId,
  SessionList,
  ShownMemberInvitation,
  ShownOperatorInvitation,
  ShownOperatorKey,
  StatementRun,
  StatementRunAccepted,
  Subscription,
  SubscriptionEnd,
  SubscriptionPage,
  Task,
  TaskPage,
  UsagePage,
  User,
  UserId,
  WebhookDelivery,
  WebhookDeliveryPage,
  WebhookEvent,
  WebhookEventId,
  WebhookEventPage,
  WebhookEventsByDay,
  WebhookReplay,
  WebhookSubscription,
  WebhookSubscriptionId,
  WebhookSubscriptionPage,
  OperatorListOperatorsQuery,
  OperatorListOperatorKeysQuery,
  OperatorListOperatorInvitationsQuery,
  OperatorListInvitationsQuery,
  OperatorListSessionsQuery,
  OperatorListUsageQuery,
  OperatorListApiKeyUsageQuery,
  OperatorListAuditEntriesQuery,
  OperatorExportAuditEntriesQuery,
  OperatorListLowestCostSilverPremiumsQuery,
  OperatorListTasksQuery,
  OperatorListEmployersQuery,
  OperatorListEmployerAdminsQuery,
  OperatorImportCatalogQuery,
  OperatorExplainEligibilityQuery,
  OperatorListEmployeeEnrollmentsQuery,
  OperatorGetEnrollmentHistoryQuery,
  OperatorListDependentsQuery,
  OperatorListLifeEventsQuery,
  OperatorListEmployeeLifeEventsQuery,
  OperatorListAllPayrollDeductionStatementsQuery,
  OperatorListPayrollDeductionStatementsQuery,
  OperatorProveDeductionsQuery,
  OperatorListBenefitPlanYearAmendmentsQuery,
  OperatorListAllInvoicesQuery,
  OperatorListInvoiceAgingQuery,
  OperatorListInvoicesQuery,
  OperatorListInvoiceLinesQuery,
  OperatorListManualAdjustmentsQuery,
  OperatorFindDependentsQuery,
  OperatorFindMembersQuery,
  OperatorListMemberEnrollmentsQuery,
  OperatorListEmployeeCorrectionsQuery,
  OperatorListOpenCensusSyncsQuery,
  OperatorListCensusSyncsQuery,
  OperatorListHrisRunsQuery,
  OperatorListHrisRunPeopleQuery,
  OperatorListOpenHrisConnectionsQuery,
  OperatorListGroupMemberSyncsQuery,
  OperatorListWebhookSubscriptionsQuery,
  OperatorListWebhookEventsQuery,
  OperatorCountWebhookEventsQuery,
  OperatorListWebhookDeliveriesQuery,
  OperatorListWebhookEventDeliveriesQuery,
  OperatorListJobsQuery,
  OperatorListUsersQuery,
  OperatorListOrganizationsQuery,
  OperatorListMembershipsQuery,
  OperatorListApiKeysQuery,
  OperatorListSubscriptionsQuery,
} from './types.gen.ts'

/** Every operation as the client calls it; core/operations.ts reads them. */
export const operations: OperationTable = {
  sandbox: {
    getClock: 'GET /operator/v1/organizations/{organization_id}/clock data',
    moveClock: 'PUT /operator/v1/organizations/{organization_id}/clock body data',
  },
  authentication: {
    getToken: 'GET /operator/v1/auth/token data',
  },
  operators: {
    list: 'GET /operator/v1/operators query page:data',
    create: 'POST /operator/v1/operators body keyed data',
    update: 'PATCH /operator/v1/operators/{operator_id} body data',
    dismiss: 'DELETE /operator/v1/operators/{operator_id} data',
    listKeys: 'GET /operator/v1/operators/{operator_id}/keys query page:data',
    createKey: 'POST /operator/v1/operators/{operator_id}/keys body keyed data',
    revokeKey: 'DELETE /operator/v1/operators/{operator_id}/keys/{operator_key_id} data',
    listInvitations: 'GET /operator/v1/operator-invitations query page:data',
    invite: 'POST /operator/v1/operator-invitations body keyed data',
    withdrawInvitation: 'DELETE /operator/v1/operator-invitations/{operator_invitation_id} data',
  },
  invitations: {
    list: 'GET /operator/v1/organizations/{organization_id}/invitations query page:data',
    create: 'POST /operator/v1/organizations/{organization_id}/invitations body keyed data',
    withdraw: 'DELETE /operator/v1/invitations/{invitation_id} data',
  },
  sessions: {
    list: 'GET /operator/v1/sessions query page:data',
    revoke: 'DELETE /operator/v1/sessions/{session_id} data',
  },
  organizations: {
    listUsage: 'GET /operator/v1/organizations/{organization_id}/usage query page:data',
    list: 'GET /operator/v1/organizations query page:data',
    create: 'POST /operator/v1/organizations body keyed data',
    get: 'GET /operator/v1/organizations/{organization_id} data',
    runDay: 'POST /operator/v1/organizations/{organization_id}/daily-run keyed data',
  },
  apiKeys: {
    listUsage: 'GET /operator/v1/api-keys/{api_key_id}/usage query page:data',
    create: 'POST /operator/v1/api-keys body keyed data',
    list: 'GET /operator/v1/api-keys query page:data',
    revoke: 'DELETE /operator/v1/api-keys/{api_key_id} data',
  },
  auditEntries: {
    list: 'GET /operator/v1/audit-entries query cursor:data',
    export: 'GET /operator/v1/audit-entries/export query data',
  },
  ichra: {
    importLowestCostSilverPremiums: 'POST /operator/v1/lowest-cost-silver-premiums/import body keyed data',
    listLowestCostSilverPremiums: 'GET /operator/v1/lowest-cost-silver-premiums query page:data',
    setAffordabilityFigures: 'POST /operator/v1/affordability-figures body keyed data',
    listAffordabilityFigures: 'GET /operator/v1/affordability-figures data',
  },
  tasks: {
    list: 'GET /operator/v1/tasks query page:data',
  },
  employers: {
    list: 'GET /operator/v1/employers query page:data',
    get: 'GET /operator/v1/employers/{employer_id} data',
    getSettings: 'GET /operator/v1/employers/{employer_id}/settings data',
    listAdmins: 'GET /operator/v1/employers/{employer_id}/admins query page:data',
    addAdmin: 'POST /operator/v1/employers/{employer_id}/admins body keyed data',
    removeAdmin: 'DELETE /operator/v1/employers/{employer_id}/admins/{employer_admin_id} data',
    administer: 'PATCH /operator/v1/employers/{employer_id}/administration body data',
  },
  catalog: {
    import: 'POST /operator/v1/organizations/{organization_id}/catalog/import body query keyed data',
    get: 'GET /operator/v1/organizations/{organization_id}/catalog data',
  },
  employees: {
    explainEligibility: 'GET /operator/v1/employees/{employee_id}/eligibility query data',
    get: 'GET /operator/v1/employees/{employee_id} data',
    reinstate: 'POST /operator/v1/employees/{employee_id}/reinstate body keyed',
    terminate: 'POST /operator/v1/employees/{employee_id}/terminate body keyed',
    correct: 'POST /operator/v1/employees/{employee_id}/corrections body keyed',
    listCorrections: 'GET /operator/v1/employees/{employee_id}/corrections query page:data',
  },
  planYears: {
    list: 'GET /operator/v1/employers/{employer_id}/benefit-plan-years data',
    open: 'POST /operator/v1/employers/{employer_id}/benefit-plan-years body keyed',
    update: 'PATCH /operator/v1/benefit-plan-years/{benefit_plan_year_id} body',
    copy: 'POST /operator/v1/benefit-plan-years/{benefit_plan_year_id}/copy body keyed',
    listAmendments: 'GET /operator/v1/benefit-plan-years/{benefit_plan_year_id}/amendments query page:data',
    amend: 'POST /operator/v1/benefit-plan-years/{benefit_plan_year_id}/amendments body keyed',
    withdrawAmendment: 'POST /operator/v1/benefit-plan-years/{benefit_plan_year_id}/amendments/{amendment_id}/withdraw body keyed data',
  },
  enrollments: {
    list: 'GET /operator/v1/employees/{employee_id}/enrollments query page:data',
    get: 'GET /operator/v1/enrollments/{enrollment_id} data',
    getHistory: 'GET /operator/v1/enrollments/{enrollment_id}/history query page:data',
    correct: 'POST /operator/v1/enrollments/{enrollment_id}/corrections body keyed',
    reissue: 'POST /operator/v1/enrollments/{enrollment_id}/reissue body keyed',
  },
  dependents: {
    approveDisability: 'POST /operator/v1/dependents/{dependent_id}/disability body keyed data',
    withdrawDisability: 'DELETE /operator/v1/dependents/{dependent_id}/disability data',
    list: 'GET /operator/v1/employees/{employee_id}/dependents query page:data',
    find: 'GET /operator/v1/dependents query page:data',
  },
  lifeEvents: {
    list: 'GET /operator/v1/qualifying-life-events query page:data',
    approve: 'POST /operator/v1/qualifying-life-events/{life_event_id}/approve body keyed data',
    decline: 'POST /operator/v1/qualifying-life-events/{life_event_id}/decline body keyed data',
    listOf: 'GET /operator/v1/employees/{employee_id}/qualifying-life-events query page:data',
  },
  statements: {
    listAll: 'GET /operator/v1/organizations/{organization_id}/payroll-deduction-statements query cursor:data',
    list: 'GET /operator/v1/employers/{employer_id}/payroll-deduction-statements query page:data',
    run: 'POST /operator/v1/employers/{employer_id}/payroll-deduction-statements/run body keyed data',
  },
  deductions: {
    prove: 'GET /operator/v1/employees/{employee_id}/deductions/proof query data',
  },
  billingSystem: {
    get: 'GET /operator/v1/organizations/{organization_id}/billing-system data',
    choose: 'PUT /operator/v1/organizations/{organization_id}/billing-system body data',
  },
  invoices: {
    listAll: 'GET /operator/v1/organizations/{organization_id}/invoices query cursor:data',
    listAging: 'GET /operator/v1/organizations/{organization_id}/invoices/aging query page:data',
    list: 'GET /operator/v1/employers/{employer_id}/invoices query cursor:data',
    listLines: 'GET /operator/v1/employers/{employer_id}/invoices/{invoice_id}/lines query page:data',
    getPdf: 'GET /operator/v1/employers/{employer_id}/invoices/{invoice_id}/pdf data',
    runDay: 'POST /operator/v1/employers/{employer_id}/invoices/run keyed data',
    issue: 'POST /operator/v1/employers/{employer_id}/invoices/{invoice_id}/issue keyed data',
    pay: 'POST /operator/v1/employers/{employer_id}/invoices/{invoice_id}/pay body keyed data',
    void: 'POST /operator/v1/employers/{employer_id}/invoices/{invoice_id}/void body keyed data',
    getReconciliation: 'GET /operator/v1/employers/{employer_id}/invoices/{invoice_id}/reconciliation data',
  },
  manualAdjustments: {
    list: 'GET /operator/v1/employers/{employer_id}/manual-adjustments query page:data',
    book: 'POST /operator/v1/enrollments/{enrollment_id}/manual-adjustments body keyed data',
  },
  members: {
    find: 'GET /operator/v1/members query page:data',
    get: 'GET /operator/v1/members/{member_id} data',
    listEnrollments: 'GET /operator/v1/members/{member_id}/enrollments query page:data',
  },
  census: {
    listOpen: 'GET /operator/v1/census-syncs query page:data',
    list: 'GET /operator/v1/employers/{employer_id}/census-syncs query page:data',
    get: 'GET /operator/v1/census-syncs/{census_sync_id} data',
    confirm: 'POST /operator/v1/census-syncs/{census_sync_id}/confirm keyed data',
    discard: 'POST /operator/v1/census-syncs/{census_sync_id}/discard keyed data',
  },
  hris: {
    connect: 'POST /operator/v1/employers/{employer_id}/hris-connections body keyed data',
    listConnections: 'GET /operator/v1/employers/{employer_id}/hris-connections data',
    getConnection: 'GET /operator/v1/hris-connections/{hris_connection_id} data',
    pause: 'POST /operator/v1/hris-connections/{hris_connection_id}/pause keyed data',
    resume: 'POST /operator/v1/hris-connections/{hris_connection_id}/resume keyed data',
    renewAccess: 'PUT /operator/v1/hris-connections/{hris_connection_id}/access-token body data',
    disconnect: 'POST /operator/v1/hris-connections/{hris_connection_id}/disconnect keyed data',
    sync: 'POST /operator/v1/hris-connections/{hris_connection_id}/sync keyed data',
    uploadFile: 'POST /operator/v1/hris-connections/{hris_connection_id}/upload body keyed data',
    tellSandboxPayroll: 'PUT /operator/v1/hris-connections/{hris_connection_id}/payroll body data',
    listRuns: 'GET /operator/v1/hris-connections/{hris_connection_id}/runs query page:data',
    getRun: 'GET /operator/v1/hris-runs/{hris_run_id} data',
    listRunPeople: 'GET /operator/v1/hris-runs/{hris_run_id}/people query page:data',
    confirmRun: 'POST /operator/v1/hris-runs/{hris_run_id}/confirm keyed data',
    listOpenConnections: 'GET /operator/v1/hris-connections query page:data',
  },
  groups: {
    listMemberSyncs: 'GET /operator/v1/group-member-syncs query page:data',
    getMemberSync: 'GET /operator/v1/group-member-syncs/{request_id} data',
  },
  webhookSubscriptions: {
    list: 'GET /operator/v1/webhook-subscriptions query page:data',
    listDeliveries: 'GET /operator/v1/webhook-subscriptions/{webhook_subscription_id}/deliveries query page:data',
    resume: 'POST /operator/v1/webhook-subscriptions/{webhook_subscription_id}/resume keyed data',
  },
  webhookEvents: {
    list: 'GET /operator/v1/organizations/{organization_id}/webhook-events query page:data',
    countByDay: 'GET /operator/v1/organizations/{organization_id}/webhook-events/by-day query data',
    listDeliveries: 'GET /operator/v1/webhook-events/{webhook_event_id}/deliveries query page:data',
  },
  jobs: {
    list: 'GET /operator/v1/jobs query page:data',
    get: 'GET /operator/v1/jobs/{job_id} data',
    run: 'POST /operator/v1/jobs/{job_id}/run keyed data',
  },
  overview: {
    get: 'GET /operator/v1/overview data',
  },
  users: {
    list: 'GET /operator/v1/users query page:data',
    create: 'POST /operator/v1/users body keyed data',
    get: 'GET /operator/v1/users/{user_id} data',
  },
  memberships: {
    list: 'GET /operator/v1/organizations/{organization_id}/members query page:data',
    grant: 'POST /operator/v1/organizations/{organization_id}/members body keyed data',
    end: 'DELETE /operator/v1/organizations/{organization_id}/members/{user_id} data',
  },
  subscriptions: {
    list: 'GET /operator/v1/employers/{employer_id}/subscriptions query page:data',
    grant: 'POST /operator/v1/employers/{employer_id}/subscriptions body keyed data',
    end: 'POST /operator/v1/employers/{employer_id}/subscriptions/end body keyed data',
  },
}

/** All methods of the operator interface. */
export interface OperatorMethods {
  sandbox: SandboxMethods
  authentication: AuthenticationMethods
  operators: OperatorsMethods
  invitations: InvitationsMethods
  sessions: SessionsMethods
  organizations: OrganizationsMethods
  apiKeys: ApiKeysMethods
  auditEntries: AuditEntriesMethods
  ichra: IchraMethods
  tasks: TasksMethods
  employers: EmployersMethods
  catalog: CatalogMethods
  employees: EmployeesMethods
  planYears: PlanYearsMethods
  enrollments: EnrollmentsMethods
  dependents: DependentsMethods
  lifeEvents: LifeEventsMethods
  statements: StatementsMethods
  deductions: DeductionsMethods
  billingSystem: BillingSystemMethods
  invoices: InvoicesMethods
  manualAdjustments: ManualAdjustmentsMethods
  members: MembersMethods
  census: CensusMethods
  hris: HrisMethods
  groups: GroupsMethods
  webhookSubscriptions: WebhookSubscriptionsMethods
  webhookEvents: WebhookEventsMethods
  jobs: JobsMethods
  overview: OverviewMethods
  users: UsersMethods
  memberships: MembershipsMethods
  subscriptions: SubscriptionsMethods
}

export interface SandboxMethods {
  /**
   * Read the clock of an organization. `GET /operator/v1/organizations/{organization_id}/clock`
   *
   * The day on which an organization is: that of the calendar in New York, unless its clock was moved.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * await operator.sandbox.getClock(organization_id)
   * // {
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   today: '2026-03-10',
   * //   clock_offset_days: 0,
   * //   has_work: true
   * // }
   * ```
   */
  getClock(organization_id: OrganizationId, options?: CallOptions): Promise<OrganizationClock>

  /**
   * Move the clock of a sandbox organization. `PUT /operator/v1/organizations/{organization_id}/clock`
   *
   * Takes a sandbox organization to a later day, to see what time alone brings. Every day on the way is run in order, as it would have been in its time, before the answer is sent. The clock then goes on from there and never back, by at most 731 days in one request; the present day is accepted and changes nothing. While work about its employers waits it is refused: try again in a moment. Other organizations, credentials and their limits stay on the calendar. Other processes write on the new day at once, and read on it within 5 seconds.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @throws {ApiError} among others `organization_is_not_a_sandbox`, `clock_moves_forward_only`, `work_is_waiting`, `clock_moves_too_far`
   *
   * @example
   * ```ts
   * await operator.sandbox.moveClock(organization_id, {
   *   today: '2027-07-01'
   * })
   * // {
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v703',
   * //   today: '2026-03-12',
   * //   clock_offset_days: 2,
   * //   days_turned: 2
   * // }
   * ```
   */
  moveClock(organization_id: OrganizationId, body: ClockMove, options?: CallOptions): Promise<MovedClock>
}

export interface AuthenticationMethods {
  /**
   * Say what a credential is. `GET /operator/v1/auth/token`
   *
   * Tells of the credential that is sent: whose it is, in which role, which key, and until when.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * await operator.authentication.getToken()
   * // {
   * //   user: {
   * //     id: 'usr_01kdq7b4w8e9rs2mh3n5t6v702',
   * //     name: 'Olive Marsh',
   * //     email: 'olive@example.com'
   * //   },
   * //   role: 'owner',
   * //   operator_key: {
   * //     id: 'opkey_01kdq7b4w8e9rs2mh3n5t6v700',
   * //     name: 'The sandbox',
   * //     last_four: 'CbG6'
   * //   },
   * //   signed_in_at: null,
   * //   expires_at: '2027-03-11T16:00:00.000Z'
   * // }
   * ```
   */
  getToken(options?: CallOptions): Promise<OperatorCredential>
}

export interface OperatorsMethods {
  /**
   * List the operators. `GET /operator/v1/operators`
   *
   * Who operates the installation, and in which role.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.operators.list()) console.log(row)
   * // {
   * //   id: 'usr_01kdq7b4w8e9rs2mh3n5t6v706',
   * //   name: 'Olive Marsh',
   * //   email: 'olive@example.com',
   * //   role: 'owner',
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   ended_at: null
   * // }
   * ```
   */
  list(query?: OperatorListOperatorsQuery, options?: CallOptions): Pages<Operator, OperatorList>

  /**
   * Make somebody an operator. `POST /operator/v1/operators`
   *
   * With a first key, which is shown in this answer and never again: hand it over on a safe way. The bootstrap key of the settings makes the first operator, who is an owner, and is refused from then on.
   *
   * Accepts operators with the role `owner` or `bootstrap`.
   *
   * @throws {ApiError} among others `owner_exists`
   *
   * @example
   * ```ts
   * await operator.operators.create({
   *   name: 'Olive Marsh',
   *   email: 'olive@example.com',
   *   role: 'operations'
   * })
   * // {
   * //   id: 'usr_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   name: 'Olive Marsh',
   * //   email: 'olive@example.com',
   * //   role: 'operations',
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   ended_at: null,
   * //   key: {
   * //     id: 'opkey_01kdq7b4w8e9rs2mh3n5t6v701',
   * //     operator_id: 'usr_01kdq7b4w8e9rs2mh3n5t6v701',
   * //     name: 'First key',
   * //     last_four: 'oLFF',
   * //     created_by: 'usr_01kdq7b4w8e9rs2mh3n5t6v702',
   * //     created_at: '2026-03-10T16:00:00.000Z',
   * //     last_used_at: null,
   * //     expires_at: '2026-06-08T16:00:00.000Z',
   * //     revoked_at: null,
   * //     operator_key: 'obop_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'
   * //   }
   * // }
   * ```
   */
  create(body: NewOperator, options?: CallOptions): Promise<MadeOperator>

  /**
   * Give an operator another role. `PATCH /operator/v1/operators/{operator_id}`
   *
   * Their keys go on with it, within 5 seconds in every process.
   *
   * Accepts operators with the role `owner`.
   *
   * @throws {ApiError} among others `last_owner`
   *
   * @example
   * ```ts
   * await operator.operators.update(operator_id, {
   *   role: 'support'
   * })
   * // {
   * //   id: 'usr_01kdq7b4w8e9rs2mh3n5t6v706',
   * //   name: 'Olive Marsh',
   * //   email: 'olive@example.com',
   * //   role: 'owner',
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   ended_at: null
   * // }
   * ```
   */
  update(operator_id: UserId, body: OperatorChanges, options?: CallOptions): Promise<Operator>

  /**
   * Dismiss an operator. `DELETE /operator/v1/operators/{operator_id}`
   *
   * Ends their role and all their keys, within 5 seconds in every process, for good.
   *
   * Accepts operators with the role `owner`.
   *
   * @throws {ApiError} among others `last_owner`
   *
   * @example
   * ```ts
   * await operator.operators.dismiss(operator_id)
   * // {
   * //   id: 'usr_01kdq7b4w8e9rs2mh3n5t6v706',
   * //   name: 'Olive Marsh',
   * //   email: 'olive@example.com',
   * //   role: 'owner',
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   ended_at: null
   * // }
   * ```
   */
  dismiss(operator_id: UserId, options?: CallOptions): Promise<Operator>

  /**
   * List the keys of an operator. `GET /operator/v1/operators/{operator_id}/keys`
   *
   * The newest first, the ended and revoked among them: of oneself, and for an owner of all.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.operators.listKeys(operator_id)) console.log(row)
   * // {
   * //   id: 'opkey_01kdq7b4w8e9rs2mh3n5t6v703',
   * //   operator_id: 'usr_01kdq7b4w8e9rs2mh3n5t6v705',
   * //   name: 'Laptop',
   * //   last_four: 'zf2I',
   * //   created_by: 'usr_01kdq7b4w8e9rs2mh3n5t6v702',
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   last_used_at: null,
   * //   expires_at: '2026-06-08T16:00:00.000Z',
   * //   revoked_at: null
   * // }
   * ```
   */
  listKeys(operator_id: UserId, query?: OperatorListOperatorKeysQuery, options?: CallOptions): Pages<OperatorKey, OperatorKeyList>

  /**
   * Create an operator key. `POST /operator/v1/operators/{operator_id}/keys`
   *
   * For oneself; an owner for any operator. It may what the operator may, is shown in this answer and never again, and ends.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * await operator.operators.createKey(operator_id, {
   *   name: 'Laptop'
   * })
   * // {
   * //   id: 'opkey_01kdq7b4w8e9rs2mh3n5t6v703',
   * //   operator_id: 'usr_01kdq7b4w8e9rs2mh3n5t6v705',
   * //   name: 'Laptop',
   * //   last_four: 'zf2I',
   * //   created_by: 'usr_01kdq7b4w8e9rs2mh3n5t6v702',
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   last_used_at: null,
   * //   expires_at: '2026-06-08T16:00:00.000Z',
   * //   revoked_at: null,
   * //   operator_key: 'obop_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'
   * // }
   * ```
   */
  createKey(operator_id: UserId, body: NewOperatorKey, options?: CallOptions): Promise<ShownOperatorKey>

  /**
   * Revoke an operator key. `DELETE /operator/v1/operators/{operator_id}/keys/{operator_key_id}`
   *
   * Of oneself; an owner of any operator. Ends it within 5 seconds in every process.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * await operator.operators.revokeKey(operator_id, operator_key_id)
   * // {
   * //   id: 'opkey_01kdq7b4w8e9rs2mh3n5t6v703',
   * //   operator_id: 'usr_01kdq7b4w8e9rs2mh3n5t6v705',
   * //   name: 'Laptop',
   * //   last_four: 'zf2I',
   * //   created_by: 'usr_01kdq7b4w8e9rs2mh3n5t6v702',
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   last_used_at: null,
   * //   expires_at: '2026-06-08T16:00:00.000Z',
   * //   revoked_at: null
   * // }
   * ```
   */
  revokeKey(operator_id: UserId, operator_key_id: OperatorKeyId, options?: CallOptions): Promise<OperatorKey>

  /**
   * List the invitations of operators. `GET /operator/v1/operator-invitations`
   *
   * The newest first, with what became of them.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.operators.listInvitations()) console.log(row)
   * // {
   * //   id: 'inv_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   name: 'Pia Lund',
   * //   email: 'pia@example.com',
   * //   role: 'support',
   * //   status: 'pending',
   * //   invited_by: 'usr_01kdq7b4w8e9rs2mh3n5t6v702',
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   expires_at: '2026-03-17T16:00:00.000Z',
   * //   accepted_at: null,
   * //   accepted_by: null,
   * //   revoked_at: null
   * // }
   * ```
   */
  listInvitations(query?: OperatorListOperatorInvitationsQuery, options?: CallOptions): Pages<OperatorInvitation, OperatorInvitationList>

  /**
   * Invite somebody to operate. `POST /operator/v1/operator-invitations`
   *
   * The answer has a link, which is shown this once and good for 7 days. Whoever opens it signs in with the provider of the installation, with the very address that was invited. An operator with that address who has only keys signs in as themselves from then on.
   *
   * Accepts operators with the role `owner`.
   *
   * @example
   * ```ts
   * await operator.operators.invite({
   *   name: 'Pia Lund',
   *   email: 'pia@example.com',
   *   role: 'support'
   * })
   * // {
   * //   id: 'inv_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   name: 'Pia Lund',
   * //   email: 'pia@example.com',
   * //   role: 'support',
   * //   status: 'pending',
   * //   invited_by: 'usr_01kdq7b4w8e9rs2mh3n5t6v702',
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   expires_at: '2026-03-17T16:00:00.000Z',
   * //   accepted_at: null,
   * //   accepted_by: null,
   * //   revoked_at: null,
   * //   url: 'http://127.0.0.1:42525/invitations/operator.cfqiYfMoUmk9rdbFttnuM4tbPu70mNrCdDIjYINRjug'
   * // }
   * ```
   */
  invite(body: NewOperatorInvitation, options?: CallOptions): Promise<ShownOperatorInvitation>

  /**
   * Take back the invitation of an operator. `DELETE /operator/v1/operator-invitations/{operator_invitation_id}`
   *
   * Accepts operators with the role `owner`.
   *
   * @example
   * ```ts
   * await operator.operators.withdrawInvitation(operator_invitation_id)
   * // {
   * //   id: 'inv_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   name: 'Pia Lund',
   * //   email: 'pia@example.com',
   * //   role: 'support',
   * //   status: 'pending',
   * //   invited_by: 'usr_01kdq7b4w8e9rs2mh3n5t6v702',
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   expires_at: '2026-03-17T16:00:00.000Z',
   * //   accepted_at: null,
   * //   accepted_by: null,
   * //   revoked_at: null
   * // }
   * ```
   */
  withdrawInvitation(operator_invitation_id: InvitationId, options?: CallOptions): Promise<OperatorInvitation>
}

export interface InvitationsMethods {
  /**
   * List the invitations to an organization. `GET /operator/v1/organizations/{organization_id}/invitations`
   *
   * The newest first, with what became of them.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.invitations.list(organization_id)) console.log(row)
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
  list(organization_id: OrganizationId, query?: OperatorListInvitationsQuery, options?: CallOptions): Pages<MemberInvitation, MemberInvitationList>

  /**
   * Invite somebody to an organization. `POST /operator/v1/organizations/{organization_id}/invitations`
   *
   * The answer has a link, which is shown this once and good for 7 days. Whoever opens it signs in with the provider of the installation, with the very address that was invited. A member with that address who has only keys signs in as themselves from then on.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @throws {ApiError} among others `too_many_invitations`
   *
   * @example
   * ```ts
   * await operator.invitations.create(organization_id, {
   *   name: 'Ada Lindgren',
   *   email: 'ada@example.com',
   *   role: 'ADMIN'
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
  create(organization_id: OrganizationId, body: NewMemberInvitation, options?: CallOptions): Promise<ShownMemberInvitation>

  /**
   * Take back an invitation to an organization. `DELETE /operator/v1/invitations/{invitation_id}`
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @example
   * ```ts
   * await operator.invitations.withdraw(invitation_id)
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
   * List sessions. `GET /operator/v1/sessions`
   *
   * Who is signed in with a browser, or was in the last 90 days: operators and members, the newest first.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.sessions.list()) console.log(row)
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
  list(query?: OperatorListSessionsQuery, options?: CallOptions): Pages<Session, SessionList>

  /**
   * Sign somebody out. `DELETE /operator/v1/sessions/{session_id}`
   *
   * Ends a session, and its access tokens within 5 seconds in every process: one's own; those of members as an owner or with the role `operations`; those of other operators as an owner.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * await operator.sessions.revoke(session_id)
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

export interface OrganizationsMethods {
  /**
   * List what the credentials of an organization did. `GET /operator/v1/organizations/{organization_id}/usage`
   *
   * Each credential with how often it called since a day, who called most first. Written down every 30 seconds.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.organizations.listUsage(organization_id)) console.log(row)
   * // {
   * //   credential_id: 'key_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   request_count: 1,
   * //   refused_count: 0,
   * //   limited_count: 0,
   * //   failed_count: 0,
   * //   last_used_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  listUsage(organization_id: OrganizationId, query?: OperatorListUsageQuery, options?: CallOptions): Pages<CredentialUsage, UsagePage>

  /**
   * List or find organizations. `GET /operator/v1/organizations`
   *
   * Newest first, with the last day that was run for each.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.organizations.list()) console.log(row)
   * // {
   * //   id: 'org_01kdq7b4w8e9rs2mh3n5t6v702',
   * //   name: 'Northwind Benefits',
   * //   type: 'BROKERAGE',
   * //   idp_org_id: 'org_01kdq7b4w8e9rs2mh3n5t6v702',
   * //   idp_provider: 'service',
   * //   super_in: false,
   * //   sandbox: true,
   * //   employer_count: 0,
   * //   member_count: 0,
   * //   today: '2026-03-10',
   * //   last_day_run_on: '2026-03-10',
   * //   late: false,
   * //   created_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  list(query?: OperatorListOrganizationsQuery, options?: CallOptions): Pages<OperatedOrganization, OperatedOrganizationPage>

  /**
   * Create an organization. `POST /operator/v1/organizations`
   *
   * Unlike a partner, the operator may create any number, of users who have one already, and with super_in: its members then read across every organization.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @example
   * ```ts
   * await operator.organizations.create({
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
  create(body: OrganizationSetup, options?: CallOptions): Promise<Organization>

  /**
   * Get an organization. `GET /operator/v1/organizations/{organization_id}`
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * await operator.organizations.get(organization_id)
   * // {
   * //   id: 'org_01kdq7b4w8e9rs2mh3n5t6v702',
   * //   name: 'Northwind Benefits',
   * //   type: 'BROKERAGE',
   * //   idp_org_id: 'org_01kdq7b4w8e9rs2mh3n5t6v702',
   * //   idp_provider: 'service',
   * //   super_in: false,
   * //   sandbox: true,
   * //   employer_count: 0,
   * //   member_count: 0,
   * //   today: '2026-03-10',
   * //   last_day_run_on: '2026-03-10',
   * //   late: false,
   * //   created_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  get(organization_id: OrganizationId, options?: CallOptions): Promise<OperatedOrganization>

  /**
   * Run the day of an organization now. `POST /operator/v1/organizations/{organization_id}/daily-run`
   *
   * Has the days run that have come and are not run yet, before other work. `last_day_run_on` tells how far that is; of an organization that is not late nothing is run twice.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @example
   * ```ts
   * await operator.organizations.runDay(organization_id)
   * // {
   * //   id: 'org_01kdq7b4w8e9rs2mh3n5t6v702',
   * //   name: 'Northwind Benefits',
   * //   type: 'BROKERAGE',
   * //   idp_org_id: 'org_01kdq7b4w8e9rs2mh3n5t6v702',
   * //   idp_provider: 'service',
   * //   super_in: false,
   * //   sandbox: true,
   * //   employer_count: 0,
   * //   member_count: 0,
   * //   today: '2026-03-10',
   * //   last_day_run_on: '2026-03-10',
   * //   late: false,
   * //   created_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  runDay(organization_id: OrganizationId, options?: CallOptions): Promise<OperatedOrganization>
}

export interface ApiKeysMethods {
  /**
   * List what an API key did. `GET /operator/v1/api-keys/{api_key_id}/usage`
   *
   * By day and operation, the latest day first, at most 1,000 rows; tokens that were issued by the key count as it.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.apiKeys.listUsage(api_key_id)) console.log(row)
   * // {
   * //   day: '2026-03-10',
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   operation: 'employers_list',
   * //   request_count: 1,
   * //   refused_count: 0,
   * //   limited_count: 0,
   * //   failed_count: 0,
   * //   last_used_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  listUsage(api_key_id: ApiKeyId, query?: OperatorListApiKeyUsageQuery, options?: CallOptions): Pages<OperationUsage, OperationUsagePage>

  /**
   * Create an API key. `POST /operator/v1/api-keys`
   *
   * The key is shown in this answer and never again. Hand it over on a safe way.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @throws {ApiError} among others `user_is_not_a_member`, `key_is_of_another_mode`
   *
   * @example
   * ```ts
   * await operator.apiKeys.create({
   *   user_id: 'usr_01kdq7b4w8e9rs2mh3n5t6v7xz',
   *   mode: 'live'
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
   * List API keys. `GET /operator/v1/api-keys`
   *
   * The keys of all organizations and users, newest first, those that have ended too.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.apiKeys.list()) console.log(row)
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
  list(query?: OperatorListApiKeysQuery, options?: CallOptions): Pages<ApiKey, ApiKeyPage>

  /**
   * Revoke an API key. `DELETE /operator/v1/api-keys/{api_key_id}`
   *
   * Ends the key and every token that was issued from it, within 5 seconds in every process.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @example
   * ```ts
   * await operator.apiKeys.revoke(api_key_id)
   * // {
   * //   id: 'key_01kdq7b4w8e9rs2mh3n5t6v702',
   * //   revoked_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  revoke(api_key_id: ApiKeyId, options?: CallOptions): Promise<RevokedApiKey>
}

export interface AuditEntriesMethods {
  /**
   * List who read and did what. `GET /operator/v1/audit-entries`
   *
   * Of every organization, and what was of none, such as lists of all. Newest first. The next page is asked for with the `next_offset` of the one before as `offset`, until it is null: a page may hold fewer entries than its limit, or none, and others come behind it. What was read is in it within a second.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.auditEntries.list()) console.log(row)
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
  list(query?: OperatorListAuditEntriesQuery, options?: CallOptions): Pages<AuditEntry, AuditEntryPage>

  /**
   * Get a link to the audit entries as a file. `GET /operator/v1/audit-entries/export`
   *
   * Of all that are asked for, newest first, as they are when the link is opened.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * await operator.auditEntries.export()
   * // {
   * //   download_url: 'https://benefits.example.com/v1/downloads/eyJhbGciOiJIUzI1NiJ9.eyJr.c2ln',
   * //   expires_at: '2026-03-10T16:15:00.000Z'
   * // }
   * ```
   */
  export(query?: OperatorExportAuditEntriesQuery, options?: CallOptions): Promise<DownloadLink>
}

export interface IchraMethods {
  /**
   * Import the lowest-cost silver premiums. `POST /operator/v1/lowest-cost-silver-premiums/import`
   *
   * Public figures that hold for every organization: the premium of the lowest-cost silver plan for one person, by state, perhaps county, age and month. They tell whether ICHRA is affordable. Adds what is new and changes what differs; importing the same again changes nothing.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @example
   * ```ts
   * await operator.ichra.importLowestCostSilverPremiums({
   *   rows: [
   *     {
   *       state: 'NY',
   *       age: '0+',
   *       effective_on: '2026-01-01',
   *       premium_in_cents: 71250
   *     },
   *     {
   *       state: 'IL',
   *       county: 'Cook',
   *       age: '40',
   *       effective_on: '2026-01-01',
   *       premium_in_cents: 46310
   *     }
   *   ]
   * })
   * // {
   * //   row_count: 2,
   * //   changed_count: 2
   * // }
   * ```
   */
  importLowestCostSilverPremiums(body: LowestCostSilverImport | string, options?: CallOptions): Promise<LowestCostSilverImportOutcome>

  /**
   * List the lowest-cost silver premiums. `GET /operator/v1/lowest-cost-silver-premiums`
   *
   * By state, county, month and age; of one state or county if asked.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.ichra.listLowestCostSilverPremiums()) console.log(row)
   * // {
   * //   state: 'IL',
   * //   county: 'Cook',
   * //   effective_on: '2026-01-01',
   * //   min_age: 40,
   * //   max_age: 40,
   * //   premium_in_cents: 46310
   * // }
   * ```
   */
  listLowestCostSilverPremiums(query?: OperatorListLowestCostSilverPremiumsQuery, options?: CallOptions): Pages<LowestCostSilverPremium, LowestCostSilverPage>

  /**
   * Tell what the law says of a year. `POST /operator/v1/affordability-figures`
   *
   * Public figures that hold for every organization, by which ICHRA is affordable: they come with releases, and count as they are told here where they are. What is not sent stays. Answers with those of every year.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @example
   * ```ts
   * await operator.ichra.setAffordabilityFigures({
   *   year: 2026,
   *   required_contribution_percentage: 9.96,
   *   poverty_guidelines: {
   *     contiguous: 15960,
   *     alaska: 19950,
   *     hawaii: 18360
   *   }
   * })
   * // [
   * //   {
   * //     year: 2027,
   * //     required_contribution_percentage: 10.22,
   * //     poverty_guidelines: null
   * //   }
   * // ]
   * ```
   */
  setAffordabilityFigures(body: NewAffordabilityFigures, options?: CallOptions): Promise<AffordabilityFigures[]>

  /**
   * List what the law says of each year. `GET /operator/v1/affordability-figures`
   *
   * The last year first: what was told, and else what came with the service.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * await operator.ichra.listAffordabilityFigures()
   * // [
   * //   {
   * //     year: 2027,
   * //     required_contribution_percentage: 10.22,
   * //     poverty_guidelines: null
   * //   }
   * // ]
   * ```
   */
  listAffordabilityFigures(options?: CallOptions): Promise<AffordabilityFigures[]>
}

export interface TasksMethods {
  /**
   * List tasks. `GET /operator/v1/tasks`
   *
   * The open tasks of all organizations, oldest first, each with the operation that completes it.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.tasks.list()) console.log(row)
   * // {
   * //   id: 'task_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   kind: 'enrollment_lapsing',
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   organization_name: 'Harbor Benefits',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v703',
   * //   employer_name: 'Copper Kettle Café',
   * //   person_name: 'Nora Olsen',
   * //   resource_id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v709',
   * //   details: {
   * //     reason: 'plan_not_offered',
   * //     coverage_ends_on: '2026-04-01',
   * //     benefit_id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v701',
   * //     employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v70c',
   * //     benefit_plan_year_id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v703',
   * //     former_enrollment_id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v70a'
   * //   },
   * //   opened_at: '2026-02-01T17:00:00.000Z',
   * //   action: {
   * //     operation: 'operator_correct_enrollment',
   * //     method: 'POST',
   * //     path: '/operator/v1/enrollments/enrl_01kdq7b4w8e9rs2mh3n5t6v709/corrections'
   * //   }
   * // }
   * ```
   */
  list(query?: OperatorListTasksQuery, options?: CallOptions): Pages<Task, TaskPage>
}

export interface EmployersMethods {
  /**
   * List or find employers. `GET /operator/v1/employers`
   *
   * Of every organization or of one, newest first, cancelled ones too, as partners see them in their book.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.employers.list()) console.log(row)
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
  list(query?: OperatorListEmployersQuery, options?: CallOptions): Pages<EmployerRow, EmployerPage>

  /**
   * Get an employer. `GET /operator/v1/employers/{employer_id}`
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * await operator.employers.get(employer_id)
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
   * Get the settings of an employer. `GET /operator/v1/employers/{employer_id}/settings`
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * await operator.employers.getSettings(employer_id)
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
   * List who looks after an employer. `GET /operator/v1/employers/{employer_id}/admins`
   *
   * The first first; who was removed is left out.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.employers.listAdmins(employer_id)) console.log(row)
   * // {
   * //   id: 'eadm_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v707',
   * //   email: 'office5@bakery.example.com',
   * //   name: null,
   * //   phone: null,
   * //   created_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  listAdmins(employer_id: EmployerId, query?: OperatorListEmployerAdminsQuery, options?: CallOptions): Pages<EmployerAdmin, EmployerAdminPage>

  /**
   * Add who looks after an employer. `POST /operator/v1/employers/{employer_id}/admins`
   *
   * Partners find the employer by the address. It opens nothing by itself.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @throws {ApiError} among others `employer_admin_already_exists`
   *
   * @example
   * ```ts
   * await operator.employers.addAdmin(employer_id, {
   *   email: 'ada@blueheron.example',
   *   name: 'Ada Lindgren',
   *   phone: '4155550123'
   * })
   * // {
   * //   id: 'eadm_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v707',
   * //   email: 'office5@bakery.example.com',
   * //   name: null,
   * //   phone: null,
   * //   created_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  addAdmin(employer_id: EmployerId, body: NewEmployerAdmin, options?: CallOptions): Promise<EmployerAdmin>

  /**
   * Remove who looks after an employer. `DELETE /operator/v1/employers/{employer_id}/admins/{employer_admin_id}`
   *
   * The employer is found by the address no more. Added again, they are there again.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @example
   * ```ts
   * await operator.employers.removeAdmin(employer_id, employer_admin_id)
   * // {
   * //   id: 'eadm_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v707',
   * //   email: 'office5@bakery.example.com',
   * //   name: null,
   * //   phone: null,
   * //   created_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  removeAdmin(employer_id: EmployerId, employer_admin_id: EmployerAdminId, options?: CallOptions): Promise<EmployerAdmin>

  /**
   * Set how an employer is administered. `PATCH /operator/v1/employers/{employer_id}/administration`
   *
   * Takes an employer over in mid-year: from its go-live day on everything is deducted and billed, and nothing before it. Only the fields that are sent change; the answer carries all settings of the employer.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @throws {ApiError} among others `months_booked_by_hand`
   *
   * @example
   * ```ts
   * await operator.employers.administer(employer_id, {
   *   administered_from: '2026-01-01'
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
  administer(employer_id: EmployerId, body?: EmployerAdministration, options?: CallOptions): Promise<EmployerSettings>
}

export interface CatalogMethods {
  /**
   * Import into an organization's catalog. `POST /operator/v1/organizations/{organization_id}/catalog/import`
   *
   * Creates and changes what the rows speak of, all of it or nothing, and leaves all else as it is. Carriers and benefits are known by their names, plans by their names within a benefit, rates by plan, coverage tier and day, whatever the case of letters. The allowances of a plan replace all that it had, in the order of the rows. Importing the same again changes nothing. Plan years keep the prices they were opened with until they are saved again. With `dry_run=true` nothing changes, and the answer tells row by row what would.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @throws {ApiError} among others `benefit_has_another_product_code`, `benefit_has_another_category`
   *
   * @example
   * ```ts
   * await operator.catalog.import(organization_id, {
   *   rows: [
   *     {
   *       carrier: 'Evergreen Health',
   *       product_code: 'MEC',
   *       benefit: 'Essential Care',
   *       plan: 'Essential Care Base',
   *       networks: [
   *         'First Health'
   *       ],
   *       spd_file_url: 'https://plans.example.com/essential-care-base.pdf',
   *       coverage_tier: 'EE',
   *       premium_in_cents: 8900,
   *       effective_on: '2026-01-01'
   *     },
   *     {
   *       carrier: 'Evergreen Health',
   *       product_code: 'ICHRA',
   *       benefit: 'Own Choice',
   *       plan: 'Own Choice Allowance',
   *       employee_class: 'Full Time',
   *       max_age: 39,
   *       allowance_in_cents: 35000
   *     }
   *   ]
   * })
   * // {
   * //   carriers: {
   * //     created: 1,
   * //     updated: 0,
   * //     unchanged: 0
   * //   },
   * //   benefits: {
   * //     created: 2,
   * //     updated: 0,
   * //     unchanged: 0
   * //   },
   * //   plans: {
   * //     created: 2,
   * //     updated: 0,
   * //     unchanged: 0
   * //   },
   * //   rates: {
   * //     created: 1,
   * //     updated: 0,
   * //     unchanged: 0
   * //   },
   * //   allowances: {
   * //     created: 1,
   * //     updated: 0,
   * //     unchanged: 0,
   * //     removed: 0
   * //   },
   * //   planned: null
   * // }
   * ```
   */
  import(organization_id: OrganizationId, body: CatalogImport | string, query?: OperatorImportCatalogQuery, options?: CallOptions): Promise<CatalogImportOutcome>

  /**
   * Get an organization's catalog. `GET /operator/v1/organizations/{organization_id}/catalog`
   *
   * All of it, by name, with the ids under which plan years take it up.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * await operator.catalog.get(organization_id)
   * // {
   * //   carriers: [
   * //     {
   * //       id: 'carr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //       name: 'Brightside Dental'
   * //     }
   * //   ],
   * //   benefits: [
   * //     {
   * //       id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v701',
   * //       name: 'Dental',
   * //       product_code: 'VD',
   * //       category: 'Dental',
   * //       family: 'dental',
   * //       plans: [
   * //         {
   * //           id: 'pln_01kdq7b4w8e9rs2mh3n5t6v700',
   * //           name: 'Brightside DHMO',
   * //           carrier: {
   * //             id: 'carr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //             name: 'Brightside Dental'
   * //           },
   * //           network_names: [
   * //             'Brightside'
   * //           ],
   * //           spd_file_url: null,
   * //           partial_month_rule: 'full_month_on_first',
   * //           facts: {
   * //             copays: [
   * //               'Cleaning: $0'
   * //             ],
   * //             metal_level: null,
   * //             hsa_eligible: null,
   * //             sbc_file_url: null,
   * //             deductible_in_cents: 0,
   * //             out_of_pocket_limit_in_cents: null
   * //           },
   * //           tier_rates: [
   * //             {
   * //               id: 'tier_01kdq7b4w8e9rs2mh3n5t6v700',
   * //               coverage_tier: 'EE',
   * //               premium_in_cents: 1450,
   * //               effective_on: '2024-07-18'
   * //             }
   * //           ],
   * //           area_rates: [],
   * //           ichra_allowances: []
   * //         }
   * //       ]
   * //     }
   * //   ]
   * // }
   * ```
   */
  get(organization_id: OrganizationId, options?: CallOptions): Promise<Catalog>
}

export interface EmployeesMethods {
  /**
   * Explain the eligibility of an employee. `GET /operator/v1/employees/{employee_id}/eligibility`
   *
   * As partners are told it.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * await operator.employees.explainEligibility(employee_id)
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
  explainEligibility(employee_id: EmployeeId, query?: OperatorExplainEligibilityQuery, options?: CallOptions): Promise<EligibilityExplanation>

  /**
   * Get an employee. `GET /operator/v1/employees/{employee_id}`
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * await operator.employees.get(employee_id)
   * // {
   * //   id: 'empl_01kdq7b4w8e9rs2mh3n5t6v705',
   * //   member_id: 'mbr_01kdq7b4w8e9rs2mh3n5t6v702',
   * //   reference_id: 'RQ-1977',
   * //   first_name: 'Rosa',
   * //   last_name: 'Quist',
   * //   suffix: null,
   * //   email: 'rosa.quist@example.com',
   * //   date_of_birth: '1977-01-31',
   * //   gender: null,
   * //   phone: '6085550103',
   * //   employee_class: 'Full Time',
   * //   status: 'active',
   * //   hire_date: '2015-06-01',
   * //   termination_date: null,
   * //   address: {
   * //     address_line_1: '7 Lakeside Rd',
   * //     address_line_2: null,
   * //     city: 'Madison',
   * //     state: 'WI',
   * //     zipcode: '53703',
   * //     county: null
   * //   },
   * //   enrollments: [
   * //     {
   * //       id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v705',
   * //       status: 'enrolled',
   * //       answered_at: '2025-05-05T16:00:00.000Z'
   * //     }
   * //   ],
   * //   created_at: '2025-04-10T16:00:00.000Z',
   * //   updated_at: '2025-09-05T16:00:00.000Z',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v705',
   * //   employer_name: 'Maple Row Clinic',
   * //   start_date: '2015-06-01',
   * //   classification_effective_date: '2015-06-01',
   * //   compensation_type: null,
   * //   compensation_type_effective_date: null,
   * //   deductions: [
   * //     {
   * //       benefit_name: 'Major Medical',
   * //       deduction_amount_in_cents: 8400,
   * //       deduction_category: null,
   * //       frequency: 'monthly',
   * //       period_start_date: '2026-03-01',
   * //       period_end_date: '2026-03-31',
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
   * Take back a termination, however long ago. `POST /operator/v1/employees/{employee_id}/reinstate`
   *
   * As partners do it, without the limit of 60 days. The reason is kept. With `dry_run` nothing changes, and the answer tells what would.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @throws {ApiError} among others `invalid_employee_update`, `employer_has_no_active_subscription`, `nothing_to_reinstate`, `employed_again`
   *
   * @example
   * ```ts
   * await operator.employees.reinstate(employee_id, {
   *   reason: 'The employer had mistaken her for somebody else'
   * })
   * // {
   * //   data: {
   * //     id: 'empl_01kdq7b4w8e9rs2mh3n5t6v701',
   * //     member_id: 'mbr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //     reference_id: 'FR-1995',
   * //     first_name: 'Farid',
   * //     last_name: 'Rahimi',
   * //     suffix: null,
   * //     email: 'farid.rahimi@example.com',
   * //     date_of_birth: '1995-05-12',
   * //     gender: null,
   * //     phone: null,
   * //     employee_class: 'Part Time',
   * //     status: 'active',
   * //     hire_date: '2026-02-06',
   * //     termination_date: '2099-12-31',
   * //     address: null,
   * //     enrollments: [
   * //       {
   * //         id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v701',
   * //         status: 'inactive',
   * //         answered_at: '2026-02-08T17:00:00.000Z'
   * //       }
   * //     ],
   * //     created_at: '2026-02-06T17:00:00.000Z',
   * //     updated_at: '2026-03-10T16:00:00.000Z',
   * //     employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v704',
   * //     employer_name: 'Sunrise Bakery',
   * //     start_date: '2026-02-06',
   * //     classification_effective_date: '2026-03-01',
   * //     compensation_type: null,
   * //     compensation_type_effective_date: null,
   * //     deductions: []
   * //   },
   * //   warnings: [],
   * //   enrollments: [
   * //     {
   * //       before: {
   * //         id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v701',
   * //         employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v701',
   * //         employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v704',
   * //         benefit: {
   * //           id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v703',
   * //           category: 'Vision',
   * //           name: 'Vision',
   * //           product_code: 'VV'
   * //         },
   * //         status: 'waived',
   * //         coverage_start: '2026-03-01',
   * //         coverage_end: null,
   * //         employee_deduction_in_cents: 0,
   * //         employer_contribution_in_cents: 0,
   * //         domestic_partner_share_in_cents: 0,
   * //         answered_at: '2026-02-08T17:00:00.000Z',
   * //         elected_by: null,
   * //         terminated_at: null,
   * //         created_at: '2026-02-06T17:00:00.000Z',
   * //         updated_at: '2026-02-08T17:00:00.000Z',
   * //         benefit_plan_year_id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v702',
   * //         plan_year_start: '2025-12-01',
   * //         plan_year_end: '2026-11-30',
   * //         plan: null,
   * //         elected_from: null,
   * //         coverage_tier: null,
   * //         premium_in_cents: null,
   * //         individual_plan_name: null,
   * //         bought_on_exchange: null,
   * //         dependent_ids: [],
   * //         upcoming_election: null,
   * //         window: {
   * //           start: '2026-03-10',
   * //           end: '2026-04-09'
   * //         },
   * //         allowed_changes: {
   * //           add: true,
   * //           change_plan: true,
   * //           waive: true,
   * //           drop: [
   * //             'spouse'
   * //           ]
   * //         }
   * //       },
   * //       after: {
   * //         id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v701',
   * //         employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v701',
   * //         employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v704',
   * //         benefit: {
   * //           id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v703',
   * //           category: 'Vision',
   * //           name: 'Vision',
   * //           product_code: 'VV'
   * //         },
   * //         status: 'inactive',
   * //         coverage_start: '2026-03-01',
   * //         coverage_end: '2026-02-28',
   * //         employee_deduction_in_cents: 0,
   * //         employer_contribution_in_cents: 0,
   * //         domestic_partner_share_in_cents: 0,
   * //         answered_at: '2026-02-08T17:00:00.000Z',
   * //         elected_by: null,
   * //         terminated_at: '2026-03-10T16:00:00.000Z',
   * //         created_at: '2026-02-06T17:00:00.000Z',
   * //         updated_at: '2026-03-10T16:00:00.000Z',
   * //         benefit_plan_year_id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v702',
   * //         plan_year_start: '2025-12-01',
   * //         plan_year_end: '2026-11-30',
   * //         plan: null,
   * //         elected_from: null,
   * //         coverage_tier: null,
   * //         premium_in_cents: null,
   * //         individual_plan_name: null,
   * //         bought_on_exchange: null,
   * //         dependent_ids: [],
   * //         upcoming_election: null,
   * //         window: null,
   * //         allowed_changes: null
   * //       }
   * //     }
   * //   ]
   * // }
   * ```
   */
  reinstate(employee_id: EmployeeId, body: OperatorReinstatement, options?: CallOptions): Promise<CorrectedEmployee>

  /**
   * Terminate an employee, however long ago. `POST /operator/v1/employees/{employee_id}/terminate`
   *
   * As partners do it, without the limit of 60 days. The reason is kept, and `warnings` name what is rescinded. With `dry_run` nothing changes, and the answer tells what would.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @throws {ApiError} among others `invalid_employee_update`, `employee_already_terminated`
   *
   * @example
   * ```ts
   * await operator.employees.terminate(employee_id, {
   *   termination_date: '2099-12-31',
   *   reason: 'Told late by the employer'
   * })
   * // {
   * //   data: {
   * //     id: 'empl_01kdq7b4w8e9rs2mh3n5t6v701',
   * //     member_id: 'mbr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //     reference_id: 'FR-1995',
   * //     first_name: 'Farid',
   * //     last_name: 'Rahimi',
   * //     suffix: null,
   * //     email: 'farid.rahimi@example.com',
   * //     date_of_birth: '1995-05-12',
   * //     gender: null,
   * //     phone: null,
   * //     employee_class: 'Part Time',
   * //     status: 'active',
   * //     hire_date: '2026-02-06',
   * //     termination_date: '2099-12-31',
   * //     address: null,
   * //     enrollments: [
   * //       {
   * //         id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v701',
   * //         status: 'inactive',
   * //         answered_at: '2026-02-08T17:00:00.000Z'
   * //       }
   * //     ],
   * //     created_at: '2026-02-06T17:00:00.000Z',
   * //     updated_at: '2026-03-10T16:00:00.000Z',
   * //     employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v704',
   * //     employer_name: 'Sunrise Bakery',
   * //     start_date: '2026-02-06',
   * //     classification_effective_date: '2026-03-01',
   * //     compensation_type: null,
   * //     compensation_type_effective_date: null,
   * //     deductions: []
   * //   },
   * //   warnings: [],
   * //   enrollments: [
   * //     {
   * //       before: {
   * //         id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v701',
   * //         employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v701',
   * //         employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v704',
   * //         benefit: {
   * //           id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v703',
   * //           category: 'Vision',
   * //           name: 'Vision',
   * //           product_code: 'VV'
   * //         },
   * //         status: 'waived',
   * //         coverage_start: '2026-03-01',
   * //         coverage_end: null,
   * //         employee_deduction_in_cents: 0,
   * //         employer_contribution_in_cents: 0,
   * //         domestic_partner_share_in_cents: 0,
   * //         answered_at: '2026-02-08T17:00:00.000Z',
   * //         elected_by: null,
   * //         terminated_at: null,
   * //         created_at: '2026-02-06T17:00:00.000Z',
   * //         updated_at: '2026-02-08T17:00:00.000Z',
   * //         benefit_plan_year_id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v702',
   * //         plan_year_start: '2025-12-01',
   * //         plan_year_end: '2026-11-30',
   * //         plan: null,
   * //         elected_from: null,
   * //         coverage_tier: null,
   * //         premium_in_cents: null,
   * //         individual_plan_name: null,
   * //         bought_on_exchange: null,
   * //         dependent_ids: [],
   * //         upcoming_election: null,
   * //         window: {
   * //           start: '2026-03-10',
   * //           end: '2026-04-09'
   * //         },
   * //         allowed_changes: {
   * //           add: true,
   * //           change_plan: true,
   * //           waive: true,
   * //           drop: [
   * //             'spouse'
   * //           ]
   * //         }
   * //       },
   * //       after: {
   * //         id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v701',
   * //         employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v701',
   * //         employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v704',
   * //         benefit: {
   * //           id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v703',
   * //           category: 'Vision',
   * //           name: 'Vision',
   * //           product_code: 'VV'
   * //         },
   * //         status: 'inactive',
   * //         coverage_start: '2026-03-01',
   * //         coverage_end: '2026-02-28',
   * //         employee_deduction_in_cents: 0,
   * //         employer_contribution_in_cents: 0,
   * //         domestic_partner_share_in_cents: 0,
   * //         answered_at: '2026-02-08T17:00:00.000Z',
   * //         elected_by: null,
   * //         terminated_at: '2026-03-10T16:00:00.000Z',
   * //         created_at: '2026-02-06T17:00:00.000Z',
   * //         updated_at: '2026-03-10T16:00:00.000Z',
   * //         benefit_plan_year_id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v702',
   * //         plan_year_start: '2025-12-01',
   * //         plan_year_end: '2026-11-30',
   * //         plan: null,
   * //         elected_from: null,
   * //         coverage_tier: null,
   * //         premium_in_cents: null,
   * //         individual_plan_name: null,
   * //         bought_on_exchange: null,
   * //         dependent_ids: [],
   * //         upcoming_election: null,
   * //         window: null,
   * //         allowed_changes: null
   * //       }
   * //     }
   * //   ]
   * // }
   * ```
   */
  terminate(employee_id: EmployeeId, body: OperatorTermination, options?: CallOptions): Promise<CorrectedEmployee>

  /**
   * Correct the class, compensation type or first day of an employee, however long ago. `POST /operator/v1/employees/{employee_id}/corrections`
   *
   * As partners change them, also if that takes away coverage of more than 60 days ago. The reason is stored, and `warnings` list the rescinded days. With `dry_run` nothing changes, and the answer tells what would.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @throws {ApiError} among others `invalid_employee_update`
   *
   * @example
   * ```ts
   * await operator.employees.correct(employee_id, {
   *   employee_class: 'Part Time',
   *   effective_date: '2026-03-01',
   *   reason: 'The employer reported it late'
   * })
   * // {
   * //   data: {
   * //     id: 'empl_01kdq7b4w8e9rs2mh3n5t6v701',
   * //     member_id: 'mbr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //     reference_id: 'FR-1995',
   * //     first_name: 'Farid',
   * //     last_name: 'Rahimi',
   * //     suffix: null,
   * //     email: 'farid.rahimi@example.com',
   * //     date_of_birth: '1995-05-12',
   * //     gender: null,
   * //     phone: null,
   * //     employee_class: 'Part Time',
   * //     status: 'active',
   * //     hire_date: '2026-02-06',
   * //     termination_date: '2099-12-31',
   * //     address: null,
   * //     enrollments: [
   * //       {
   * //         id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v701',
   * //         status: 'inactive',
   * //         answered_at: '2026-02-08T17:00:00.000Z'
   * //       }
   * //     ],
   * //     created_at: '2026-02-06T17:00:00.000Z',
   * //     updated_at: '2026-03-10T16:00:00.000Z',
   * //     employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v704',
   * //     employer_name: 'Sunrise Bakery',
   * //     start_date: '2026-02-06',
   * //     classification_effective_date: '2026-03-01',
   * //     compensation_type: null,
   * //     compensation_type_effective_date: null,
   * //     deductions: []
   * //   },
   * //   warnings: [],
   * //   enrollments: [
   * //     {
   * //       before: {
   * //         id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v701',
   * //         employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v701',
   * //         employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v704',
   * //         benefit: {
   * //           id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v703',
   * //           category: 'Vision',
   * //           name: 'Vision',
   * //           product_code: 'VV'
   * //         },
   * //         status: 'waived',
   * //         coverage_start: '2026-03-01',
   * //         coverage_end: null,
   * //         employee_deduction_in_cents: 0,
   * //         employer_contribution_in_cents: 0,
   * //         domestic_partner_share_in_cents: 0,
   * //         answered_at: '2026-02-08T17:00:00.000Z',
   * //         elected_by: null,
   * //         terminated_at: null,
   * //         created_at: '2026-02-06T17:00:00.000Z',
   * //         updated_at: '2026-02-08T17:00:00.000Z',
   * //         benefit_plan_year_id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v702',
   * //         plan_year_start: '2025-12-01',
   * //         plan_year_end: '2026-11-30',
   * //         plan: null,
   * //         elected_from: null,
   * //         coverage_tier: null,
   * //         premium_in_cents: null,
   * //         individual_plan_name: null,
   * //         bought_on_exchange: null,
   * //         dependent_ids: [],
   * //         upcoming_election: null,
   * //         window: {
   * //           start: '2026-03-10',
   * //           end: '2026-04-09'
   * //         },
   * //         allowed_changes: {
   * //           add: true,
   * //           change_plan: true,
   * //           waive: true,
   * //           drop: [
   * //             'spouse'
   * //           ]
   * //         }
   * //       },
   * //       after: {
   * //         id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v701',
   * //         employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v701',
   * //         employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v704',
   * //         benefit: {
   * //           id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v703',
   * //           category: 'Vision',
   * //           name: 'Vision',
   * //           product_code: 'VV'
   * //         },
   * //         status: 'inactive',
   * //         coverage_start: '2026-03-01',
   * //         coverage_end: '2026-02-28',
   * //         employee_deduction_in_cents: 0,
   * //         employer_contribution_in_cents: 0,
   * //         domestic_partner_share_in_cents: 0,
   * //         answered_at: '2026-02-08T17:00:00.000Z',
   * //         elected_by: null,
   * //         terminated_at: '2026-03-10T16:00:00.000Z',
   * //         created_at: '2026-02-06T17:00:00.000Z',
   * //         updated_at: '2026-03-10T16:00:00.000Z',
   * //         benefit_plan_year_id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v702',
   * //         plan_year_start: '2025-12-01',
   * //         plan_year_end: '2026-11-30',
   * //         plan: null,
   * //         elected_from: null,
   * //         coverage_tier: null,
   * //         premium_in_cents: null,
   * //         individual_plan_name: null,
   * //         bought_on_exchange: null,
   * //         dependent_ids: [],
   * //         upcoming_election: null,
   * //         window: null,
   * //         allowed_changes: null
   * //       }
   * //     }
   * //   ]
   * // }
   * ```
   */
  correct(employee_id: EmployeeId, body: OperatorEmployeeChanges, options?: CallOptions): Promise<CorrectedEmployee>

  /**
   * List what was set right of an employee. `GET /operator/v1/employees/{employee_id}/corrections`
   *
   * Reinstatements, and what the operator set further back than partners may; the latest first.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.employees.listCorrections(employee_id)) console.log(row)
   * // {
   * //   action: 'corrected',
   * //   effective_on: '2026-03-01',
   * //   reason: 'The employer reported it late',
   * //   credential_id: 'opkey_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   corrected_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  listCorrections(employee_id: EmployeeId, query?: OperatorListEmployeeCorrectionsQuery, options?: CallOptions): Pages<EmployeeCorrection, EmployeeCorrectionPage>
}

export interface PlanYearsMethods {
  /**
   * List the plan years of an employer. `GET /operator/v1/employers/{employer_id}/benefit-plan-years`
   *
   * Each in full, newest first.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * await operator.planYears.list(employer_id)
   * // [
   * //   {
   * //     id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v701',
   * //     benefit_plan_year_id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v701',
   * //     benefit_id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v702',
   * //     year: 2026,
   * //     family: 'ichra',
   * //     product_name: 'Own Choice',
   * //     carrier: 'Evergreen Health',
   * //     network_names: [
   * //       'First Health'
   * //     ],
   * //     premium_in_cents: 17100,
   * //     employee_contribution: null,
   * //     employer_contribution: {
   * //       min_cents: 15000,
   * //       max_cents: 60000
   * //     },
   * //     status: 'open_enrollment',
   * //     coverage_start: '2026-05-01',
   * //     coverage_end: '2027-04-30',
   * //     open_enrollment_start: '2026-03-05',
   * //     open_enrollment_end: '2026-03-19',
   * //     offered_states: [],
   * //     renewal: 'active',
   * //     plan_successors: {},
   * //     notice_due_on: '2026-01-31',
   * //     benefits: [
   * //       {
   * //         id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v702',
   * //         category: 'Medical',
   * //         name: 'Own Choice',
   * //         product_code: 'ICHRA',
   * //         enrollment_rate: {
   * //           eligible: 4,
   * //           enrolled: 0,
   * //           percentage: 0
   * //         }
   * //       }
   * //     ],
   * //     choice_groups: [
   * //       {
   * //         name: 'medical',
   * //         benefit_ids: [
   * //           'bprd_01kdq7b4w8e9rs2mh3n5t6v702'
   * //         ]
   * //       }
   * //     ],
   * //     benefit_families: [
   * //       'DENTAL'
   * //     ],
   * //     enrollment_rate: {
   * //       eligible: 4,
   * //       enrolled: 1,
   * //       percentage: 25
   * //     },
   * //     spd_file_url: null,
   * //     contribution_strategy: {
   * //       contribution_tiers: [
   * //         {
   * //           benefit_id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v701',
   * //           coverage_tier: 'EE',
   * //           method: 'fixed',
   * //           amount_in_cents: 1500,
   * //           percentage: null,
   * //           benefit_plan_id: 'pln_01kdq7b4w8e9rs2mh3n5t6v700',
   * //           benefit_plan_name: 'Brightside DHMO',
   * //           benefit_plan_tier_name: 'Employee only',
   * //           premium_in_cents: 1450,
   * //           employer_contribution_in_cents: 1450,
   * //           cost: 0,
   * //           cost_per_dependent: 0,
   * //           dependents_required_in: false,
   * //           spouse_required_in: false
   * //         }
   * //       ],
   * //       contribution_rules: [
   * //         {
   * //           method: 'fixed',
   * //           benefit_id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v701',
   * //           coverage_tier: null,
   * //           amount_in_cents: 1500
   * //         }
   * //       ],
   * //       ichra_contribution_classes: [
   * //         {
   * //           name: 'Part Time',
   * //           state: null,
   * //           max_age: null,
   * //           min_age: null,
   * //           location: 'Unspecified',
   * //           benefit_id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v702',
   * //           employment: 'Part Time',
   * //           compensation: 'Unspecified',
   * //           coverage_tier: null,
   * //           family_status: 'Unspecified',
   * //           employee_class: 'Part Time',
   * //           location_value: null,
   * //           amount_in_cents: 15000,
   * //           allowance_in_cents: 15000,
   * //           contribution_class_id: 'iccl_01kdq7b4w8e9rs2mh3n5t6v700'
   * //         }
   * //       ]
   * //     },
   * //     eligibility_policy: {
   * //       id: 'epol_01kdq7b4w8e9rs2mh3n5t6v701',
   * //       active: true,
   * //       employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v701',
   * //       classification: 'all',
   * //       employee_classes: [
   * //         'Full Time'
   * //       ],
   * //       compensation_types: null,
   * //       waiting_period: '30_days',
   * //       start_alignment: 'exact',
   * //       service_credit_weeks: 13,
   * //       benefit_ids: [],
   * //       termination_rule: 'END_OF_N_MONTHS',
   * //       termination_n_months: 0,
   * //       rules: [
   * //         {
   * //           employee_class: 'Full Time',
   * //           compensation_type: 'All',
   * //           eligible_geographical_location: {
   * //             type: 'All',
   * //             state_codes: []
   * //           }
   * //         }
   * //       ],
   * //       created_at: '2025-03-03T17:00:00.000Z',
   * //       updated_at: '2025-03-03T17:00:00.000Z'
   * //     }
   * //   }
   * // ]
   * ```
   */
  list(employer_id: EmployerId, options?: CallOptions): Promise<BenefitPlanYear[]>

  /**
   * Open a plan year. `POST /operator/v1/employers/{employer_id}/benefit-plan-years`
   *
   * Offers benefits of the catalog at its prices on coverage_start; what the employer pays is said per benefit. May have begun already. Who is granted what follows within seconds. With `dry_run` nothing changes, and the answer, 200, has a `preview`: a page of who would be granted what, and what they would pay.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @throws {ApiError} among others `plan_year_overlaps`, `invalid_plan_year`, `unknown_benefit`, `unknown_plan`, `plan_has_no_rate`, `contribution_does_not_fit`, `contribution_missing`, `invalid_plan_successors`, `invalid_choice_groups`
   *
   * @example
   * ```ts
   * await operator.planYears.open(employer_id, {
   *   coverage_start: '2099-01-01',
   *   open_enrollment_start: '2098-11-01',
   *   open_enrollment_end: '2098-11-30',
   *   benefits: [
   *     {
   *       benefit_id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v7xz',
   *       contribution_tiers: [
   *         {
   *           coverage_tier: 'EE',
   *           method: 'percentage',
   *           percentage: 62.5
   *         },
   *         {
   *           coverage_tier: null,
   *           method: 'fixed',
   *           amount_in_cents: 25000
   *         }
   *       ]
   *     }
   *   ]
   * })
   * // {
   * //   data: {
   * //     id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v704',
   * //     benefit_plan_year_id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v704',
   * //     benefit_id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v701',
   * //     year: 2098,
   * //     family: 'dental',
   * //     product_name: 'Dental',
   * //     carrier: 'Brightside Dental',
   * //     network_names: [
   * //       'Brightside'
   * //     ],
   * //     premium_in_cents: 1450,
   * //     employee_contribution: {
   * //       min_cents: 0,
   * //       max_cents: 1200
   * //     },
   * //     employer_contribution: {
   * //       min_cents: 906,
   * //       max_cents: 10300
   * //     },
   * //     status: 'upcoming',
   * //     coverage_start: '2098-01-01',
   * //     coverage_end: '2098-12-31',
   * //     open_enrollment_start: '2097-11-01',
   * //     open_enrollment_end: '2097-11-30',
   * //     offered_states: [
   * //       'NY'
   * //     ],
   * //     renewal: 'passive',
   * //     plan_successors: {},
   * //     notice_due_on: null,
   * //     benefits: [
   * //       {
   * //         id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v701',
   * //         category: 'Dental',
   * //         name: 'Dental',
   * //         product_code: 'VD',
   * //         enrollment_rate: {
   * //           eligible: 0,
   * //           enrolled: 0,
   * //           percentage: 0
   * //         }
   * //       }
   * //     ],
   * //     choice_groups: [],
   * //     benefit_families: [
   * //       'DENTAL'
   * //     ],
   * //     enrollment_rate: {
   * //       eligible: 0,
   * //       enrolled: 0,
   * //       percentage: 0
   * //     },
   * //     spd_file_url: null,
   * //     contribution_strategy: {
   * //       contribution_tiers: [
   * //         {
   * //           benefit_id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v701',
   * //           coverage_tier: 'EE',
   * //           method: 'percentage',
   * //           amount_in_cents: null,
   * //           percentage: 62.5,
   * //           benefit_plan_id: 'pln_01kdq7b4w8e9rs2mh3n5t6v700',
   * //           benefit_plan_name: 'Brightside DHMO',
   * //           benefit_plan_tier_name: 'Employee only',
   * //           premium_in_cents: 1450,
   * //           employer_contribution_in_cents: 906,
   * //           cost: 544,
   * //           cost_per_dependent: 0,
   * //           dependents_required_in: false,
   * //           spouse_required_in: false
   * //         }
   * //       ],
   * //       contribution_rules: [
   * //         {
   * //           method: 'percentage',
   * //           benefit_id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v701',
   * //           percentage: 62.5,
   * //           coverage_tier: 'EE'
   * //         }
   * //       ],
   * //       ichra_contribution_classes: []
   * //     },
   * //     eligibility_policy: null
   * //   },
   * //   preview: {
   * //     as_of: '2097-11-01',
   * //     data: [],
   * //     totals: {
   * //       employee_count: 0,
   * //       granted_employee_count: 0,
   * //       carried_employee_count: 0,
   * //       lapsing_employee_count: 0,
   * //       affordable_employee_count: 0,
   * //       unaffordable_employee_count: 0,
   * //       before: {
   * //         premium_in_cents: 0,
   * //         employer_contribution_in_cents: 0,
   * //         employee_deduction_in_cents: 0
   * //       },
   * //       after: {
   * //         premium_in_cents: 0,
   * //         employer_contribution_in_cents: 0,
   * //         employee_deduction_in_cents: 0
   * //       }
   * //     },
   * //     pagination: {
   * //       limit: 20,
   * //       page: 1,
   * //       total: 0,
   * //       total_pages: 0
   * //     }
   * //   }
   * // }
   * ```
   */
  open(employer_id: EmployerId, body: NewPlanYear, options?: CallOptions): Promise<OpenedPlanYear>

  /**
   * Change a plan year before it starts. `PATCH /operator/v1/benefit-plan-years/{benefit_plan_year_id}`
   *
   * Benefits are replaced as a whole, and all prices taken from the catalog again. Once somebody has elected, coverage dates and what is offered already stay as they are, with its prices; benefits may be added. `renewal` and `plan_successors`, sent alone, may change later, too: who can be carried by them is carried then. With `dry_run` nothing changes, and the answer, 200, has a `preview`: a page of who would be granted what, and what they would pay.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @throws {ApiError} among others `plan_year_has_started`, `plan_year_is_amended`, `plan_year_has_elections`, `plan_year_overlaps`, `invalid_plan_year`, `unknown_benefit`, `unknown_plan`, `plan_has_no_rate`, `contribution_does_not_fit`, `contribution_missing`, `invalid_plan_successors`, `invalid_choice_groups`
   *
   * @example
   * ```ts
   * await operator.planYears.update(benefit_plan_year_id, {
   *   offered_states: [
   *     'NY',
   *     'NJ'
   *   ]
   * })
   * // {
   * //   data: {
   * //     id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v704',
   * //     benefit_plan_year_id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v704',
   * //     benefit_id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v701',
   * //     year: 2098,
   * //     family: 'dental',
   * //     product_name: 'Dental',
   * //     carrier: 'Brightside Dental',
   * //     network_names: [
   * //       'Brightside'
   * //     ],
   * //     premium_in_cents: 1450,
   * //     employee_contribution: {
   * //       min_cents: 0,
   * //       max_cents: 1200
   * //     },
   * //     employer_contribution: {
   * //       min_cents: 906,
   * //       max_cents: 10300
   * //     },
   * //     status: 'upcoming',
   * //     coverage_start: '2098-01-01',
   * //     coverage_end: '2098-12-31',
   * //     open_enrollment_start: '2097-11-01',
   * //     open_enrollment_end: '2097-11-30',
   * //     offered_states: [
   * //       'NY'
   * //     ],
   * //     renewal: 'passive',
   * //     plan_successors: {},
   * //     notice_due_on: null,
   * //     benefits: [
   * //       {
   * //         id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v701',
   * //         category: 'Dental',
   * //         name: 'Dental',
   * //         product_code: 'VD',
   * //         enrollment_rate: {
   * //           eligible: 0,
   * //           enrolled: 0,
   * //           percentage: 0
   * //         }
   * //       }
   * //     ],
   * //     choice_groups: [],
   * //     benefit_families: [
   * //       'DENTAL'
   * //     ],
   * //     enrollment_rate: {
   * //       eligible: 0,
   * //       enrolled: 0,
   * //       percentage: 0
   * //     },
   * //     spd_file_url: null,
   * //     contribution_strategy: {
   * //       contribution_tiers: [
   * //         {
   * //           benefit_id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v701',
   * //           coverage_tier: 'EE',
   * //           method: 'percentage',
   * //           amount_in_cents: null,
   * //           percentage: 62.5,
   * //           benefit_plan_id: 'pln_01kdq7b4w8e9rs2mh3n5t6v700',
   * //           benefit_plan_name: 'Brightside DHMO',
   * //           benefit_plan_tier_name: 'Employee only',
   * //           premium_in_cents: 1450,
   * //           employer_contribution_in_cents: 906,
   * //           cost: 544,
   * //           cost_per_dependent: 0,
   * //           dependents_required_in: false,
   * //           spouse_required_in: false
   * //         }
   * //       ],
   * //       contribution_rules: [
   * //         {
   * //           method: 'percentage',
   * //           benefit_id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v701',
   * //           percentage: 62.5,
   * //           coverage_tier: 'EE'
   * //         }
   * //       ],
   * //       ichra_contribution_classes: []
   * //     },
   * //     eligibility_policy: null
   * //   },
   * //   preview: {
   * //     as_of: '2097-11-01',
   * //     data: [],
   * //     totals: {
   * //       employee_count: 0,
   * //       granted_employee_count: 0,
   * //       carried_employee_count: 0,
   * //       lapsing_employee_count: 0,
   * //       affordable_employee_count: 0,
   * //       unaffordable_employee_count: 0,
   * //       before: {
   * //         premium_in_cents: 0,
   * //         employer_contribution_in_cents: 0,
   * //         employee_deduction_in_cents: 0
   * //       },
   * //       after: {
   * //         premium_in_cents: 0,
   * //         employer_contribution_in_cents: 0,
   * //         employee_deduction_in_cents: 0
   * //       }
   * //     },
   * //     pagination: {
   * //       limit: 20,
   * //       page: 1,
   * //       total: 0,
   * //       total_pages: 0
   * //     }
   * //   }
   * // }
   * ```
   */
  update(benefit_plan_year_id: BenefitPlanYearId, body?: PlanYearChanges, options?: CallOptions): Promise<OpenedPlanYear>

  /**
   * Open the next plan year like another. `POST /operator/v1/benefit-plan-years/{benefit_plan_year_id}/copy`
   *
   * The same benefits, plans, contributions and states, at the prices of the catalog on the new coverage_start, with the open enrollment moved along. It is renewed passively unless said: whoever does not answer keeps what they had. With `dry_run` nothing changes, and the answer, 200, has a `preview`: a page of who would be granted what, and what they would pay.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @throws {ApiError} among others `plan_year_overlaps`, `invalid_plan_year`, `unknown_benefit`, `unknown_plan`, `plan_has_no_rate`, `contribution_does_not_fit`, `contribution_missing`, `invalid_plan_successors`, `invalid_choice_groups`
   *
   * @example
   * ```ts
   * await operator.planYears.copy(benefit_plan_year_id, {
   *   coverage_start: '2098-01-01',
   *   open_enrollment_start: '2097-11-01',
   *   open_enrollment_end: '2097-11-30',
   *   dry_run: true
   * })
   * // {
   * //   data: {
   * //     id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v704',
   * //     benefit_plan_year_id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v704',
   * //     benefit_id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v701',
   * //     year: 2098,
   * //     family: 'dental',
   * //     product_name: 'Dental',
   * //     carrier: 'Brightside Dental',
   * //     network_names: [
   * //       'Brightside'
   * //     ],
   * //     premium_in_cents: 1450,
   * //     employee_contribution: {
   * //       min_cents: 0,
   * //       max_cents: 1200
   * //     },
   * //     employer_contribution: {
   * //       min_cents: 906,
   * //       max_cents: 10300
   * //     },
   * //     status: 'upcoming',
   * //     coverage_start: '2098-01-01',
   * //     coverage_end: '2098-12-31',
   * //     open_enrollment_start: '2097-11-01',
   * //     open_enrollment_end: '2097-11-30',
   * //     offered_states: [
   * //       'NY'
   * //     ],
   * //     renewal: 'passive',
   * //     plan_successors: {},
   * //     notice_due_on: null,
   * //     benefits: [
   * //       {
   * //         id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v701',
   * //         category: 'Dental',
   * //         name: 'Dental',
   * //         product_code: 'VD',
   * //         enrollment_rate: {
   * //           eligible: 0,
   * //           enrolled: 0,
   * //           percentage: 0
   * //         }
   * //       }
   * //     ],
   * //     choice_groups: [],
   * //     benefit_families: [
   * //       'DENTAL'
   * //     ],
   * //     enrollment_rate: {
   * //       eligible: 0,
   * //       enrolled: 0,
   * //       percentage: 0
   * //     },
   * //     spd_file_url: null,
   * //     contribution_strategy: {
   * //       contribution_tiers: [
   * //         {
   * //           benefit_id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v701',
   * //           coverage_tier: 'EE',
   * //           method: 'percentage',
   * //           amount_in_cents: null,
   * //           percentage: 62.5,
   * //           benefit_plan_id: 'pln_01kdq7b4w8e9rs2mh3n5t6v700',
   * //           benefit_plan_name: 'Brightside DHMO',
   * //           benefit_plan_tier_name: 'Employee only',
   * //           premium_in_cents: 1450,
   * //           employer_contribution_in_cents: 906,
   * //           cost: 544,
   * //           cost_per_dependent: 0,
   * //           dependents_required_in: false,
   * //           spouse_required_in: false
   * //         }
   * //       ],
   * //       contribution_rules: [
   * //         {
   * //           method: 'percentage',
   * //           benefit_id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v701',
   * //           percentage: 62.5,
   * //           coverage_tier: 'EE'
   * //         }
   * //       ],
   * //       ichra_contribution_classes: []
   * //     },
   * //     eligibility_policy: null
   * //   },
   * //   preview: {
   * //     as_of: '2097-11-01',
   * //     data: [],
   * //     totals: {
   * //       employee_count: 0,
   * //       granted_employee_count: 0,
   * //       carried_employee_count: 0,
   * //       lapsing_employee_count: 0,
   * //       affordable_employee_count: 0,
   * //       unaffordable_employee_count: 0,
   * //       before: {
   * //         premium_in_cents: 0,
   * //         employer_contribution_in_cents: 0,
   * //         employee_deduction_in_cents: 0
   * //       },
   * //       after: {
   * //         premium_in_cents: 0,
   * //         employer_contribution_in_cents: 0,
   * //         employee_deduction_in_cents: 0
   * //       }
   * //     },
   * //     pagination: {
   * //       limit: 20,
   * //       page: 1,
   * //       total: 0,
   * //       total_pages: 0
   * //     }
   * //   }
   * // }
   * ```
   */
  copy(benefit_plan_year_id: BenefitPlanYearId, body?: PlanYearCopy, options?: CallOptions): Promise<OpenedPlanYear>

  /**
   * List the amendments of a plan year. `GET /operator/v1/benefit-plan-years/{benefit_plan_year_id}/amendments`
   *
   * What partners see of them.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.planYears.listAmendments(benefit_plan_year_id)) console.log(row)
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
  listAmendments(benefit_plan_year_id: BenefitPlanYearId, query?: OperatorListBenefitPlanYearAmendmentsQuery, options?: CallOptions): Pages<Amendment, AmendmentPage>

  /**
   * Amend a plan year. `POST /operator/v1/benefit-plan-years/{benefit_plan_year_id}/amendments`
   *
   * From the first of a month on, or, from its first day, as if it had always been so: rates, what the employer pays, plans and benefits that come or go, its end. Elections stay and are priced anew; who loses a plan may choose another within 30 days. Statements and invoices follow as corrections. With `dry_run` nothing changes, and the answer, 200, tells a page of what would become of everybody.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @throws {ApiError} among others `too_many_amendments`, `plan_year_overlaps`, `invalid_amendment`, `invalid_plan_year`, `unknown_benefit`, `unknown_plan`, `plan_has_no_rate`, `contribution_does_not_fit`, `contribution_missing`
   *
   * @example
   * ```ts
   * await operator.planYears.amend(benefit_plan_year_id, {
   *   effective_on: '2099-07-01',
   *   reason: 'The carrier corrected its rates',
   *   repriced_plan_ids: [
   *     'pln_01kdq7b4w8e9rs2mh3n5t6v7xz'
   *   ],
   *   dry_run: true
   * })
   * // {
   * //   data: [],
   * //   totals: {
   * //     employee_count: 0,
   * //     changed_employee_count: 0,
   * //     losing_employee_count: 0,
   * //     choosing_employee_count: 0,
   * //     before: {
   * //       premium_in_cents: 0,
   * //       employer_contribution_in_cents: 0,
   * //       employee_deduction_in_cents: 0
   * //     },
   * //     after: {
   * //       premium_in_cents: 0,
   * //       employer_contribution_in_cents: 0,
   * //       employee_deduction_in_cents: 0
   * //     }
   * //   },
   * //   pagination: {
   * //     limit: 20,
   * //     page: 1,
   * //     total: 0,
   * //     total_pages: 0
   * //   }
   * // }
   * ```
   */
  amend(benefit_plan_year_id: BenefitPlanYearId, body: NewAmendment, options?: CallOptions): Promise<AmendmentPreview | AmendmentAnswer>

  /**
   * Withdraw an amendment. `POST /operator/v1/benefit-plan-years/{benefit_plan_year_id}/amendments/{amendment_id}/withdraw`
   *
   * The last one that holds: the plan year offers again what it did before, and everybody has what they would, had it never been told. Who has chosen another plan since has the one that was closed again.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @throws {ApiError} among others `amendment_is_withdrawn`, `amendment_is_not_last`, `plan_year_overlaps`, `invalid_amendment`
   *
   * @example
   * ```ts
   * await operator.planYears.withdrawAmendment(benefit_plan_year_id, amendment_id, {
   *   reason: 'Told for the wrong employer'
   * })
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
  withdrawAmendment(benefit_plan_year_id: BenefitPlanYearId, amendment_id: BenefitPlanYearAmendmentId, body: AmendmentWithdrawal, options?: CallOptions): Promise<Amendment>
}

export interface EnrollmentsMethods {
  /**
   * List the enrollments of an employee. `GET /operator/v1/employees/{employee_id}/enrollments`
   *
   * One per benefit, plan year and time of being eligible, newest first.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.enrollments.list(employee_id)) console.log(row)
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
  list(employee_id: EmployeeId, query?: OperatorListEmployeeEnrollmentsQuery, options?: CallOptions): Pages<Enrollment, EnrollmentPage>

  /**
   * Get an enrollment. `GET /operator/v1/enrollments/{enrollment_id}`
   *
   * With the plans that can be elected and what they cost per month.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * await operator.enrollments.get(enrollment_id)
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
   * Read the history of an enrollment. `GET /operator/v1/enrollments/{enrollment_id}/history`
   *
   * Everything that was done to it, in the order in which it was.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.enrollments.getHistory(enrollment_id)) console.log(row)
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
  getHistory(enrollment_id: EnrollmentId, query?: OperatorGetEnrollmentHistoryQuery, options?: CallOptions): Pages<EnrollmentEvidence, EnrollmentEvidencePage>

  /**
   * Set an enrollment right. `POST /operator/v1/enrollments/{enrollment_id}/corrections`
   *
   * Elects or waives outside of the windows, or sets the first or last day of coverage; the engine leaves such days alone. The reason is kept. Nothing leaves inactive: of an inactive enrollment only days in the past may be set right. With `dry_run` nothing changes, and the answer, 200, tells what would.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @throws {ApiError} among others `enrollment_is_inactive`, `plan_not_offered`, `individual_plan_does_not_fit`, `dependents_do_not_fit_tier`, `dependent_not_coverable`
   *
   * @example
   * ```ts
   * await operator.enrollments.correct(enrollment_id, {
   *   reason: 'The form was lost in the mail',
   *   waive: true
   * })
   * // {
   * //   data: {
   * //     id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v702',
   * //     employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v702',
   * //     employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v703',
   * //     benefit: {
   * //       id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v701',
   * //       category: 'Dental',
   * //       name: 'Dental',
   * //       product_code: 'VD'
   * //     },
   * //     status: 'waived',
   * //     coverage_start: '2025-04-01',
   * //     coverage_end: null,
   * //     employee_deduction_in_cents: 0,
   * //     employer_contribution_in_cents: 0,
   * //     domestic_partner_share_in_cents: 0,
   * //     answered_at: '2026-03-10T16:00:00.000Z',
   * //     elected_by: 'operator',
   * //     terminated_at: null,
   * //     created_at: '2025-09-06T16:00:00.000Z',
   * //     updated_at: '2026-03-10T16:00:00.000Z',
   * //     benefit_plan_year_id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //     plan_year_start: '2025-04-01',
   * //     plan_year_end: '2026-03-31',
   * //     plan: null,
   * //     elected_from: null,
   * //     coverage_tier: null,
   * //     premium_in_cents: null,
   * //     individual_plan_name: null,
   * //     bought_on_exchange: null,
   * //     dependent_ids: [],
   * //     upcoming_election: null,
   * //     window: null,
   * //     allowed_changes: null,
   * //     plans: [
   * //       {
   * //         id: 'pln_01kdq7b4w8e9rs2mh3n5t6v700',
   * //         name: 'Brightside DHMO',
   * //         carrier: 'Brightside Dental',
   * //         network_names: [
   * //           'Brightside'
   * //         ],
   * //         spd_file_url: null,
   * //         facts: {
   * //           copays: [
   * //             'Cleaning: $0'
   * //           ],
   * //           metal_level: null,
   * //           hsa_eligible: null,
   * //           sbc_file_url: null,
   * //           deductible_in_cents: 0,
   * //           out_of_pocket_limit_in_cents: null
   * //         },
   * //         tiers: [
   * //           {
   * //             coverage_tier: 'EE',
   * //             premium_in_cents: 1450,
   * //             employer_contribution_in_cents: 1000,
   * //             employee_deduction_in_cents: 450
   * //           }
   * //         ]
   * //       }
   * //     ],
   * //     affordability: null,
   * //     missing_figures: null,
   * //     notice_due_on: null
   * //   },
   * //   enrollments: [
   * //     {
   * //       before: {
   * //         id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v702',
   * //         employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v702',
   * //         employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v703',
   * //         benefit: {
   * //           id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v701',
   * //           category: 'Dental',
   * //           name: 'Dental',
   * //           product_code: 'VD'
   * //         },
   * //         status: 'enrolled',
   * //         coverage_start: '2025-04-01',
   * //         coverage_end: null,
   * //         employee_deduction_in_cents: 2200,
   * //         employer_contribution_in_cents: 1000,
   * //         domestic_partner_share_in_cents: 0,
   * //         answered_at: '2025-09-09T16:00:00.000Z',
   * //         elected_by: null,
   * //         terminated_at: null,
   * //         created_at: '2025-09-06T16:00:00.000Z',
   * //         updated_at: '2026-01-09T17:00:00.000Z',
   * //         benefit_plan_year_id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //         plan_year_start: '2025-04-01',
   * //         plan_year_end: '2026-03-31',
   * //         plan: {
   * //           id: 'pln_01kdq7b4w8e9rs2mh3n5t6v701',
   * //           name: 'Brightside PPO',
   * //           carrier: 'Brightside Dental'
   * //         },
   * //         elected_from: null,
   * //         coverage_tier: 'EE',
   * //         premium_in_cents: 3200,
   * //         individual_plan_name: null,
   * //         bought_on_exchange: null,
   * //         dependent_ids: [],
   * //         upcoming_election: null,
   * //         window: null,
   * //         allowed_changes: null
   * //       },
   * //       after: {
   * //         id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v702',
   * //         employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v702',
   * //         employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v703',
   * //         benefit: {
   * //           id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v701',
   * //           category: 'Dental',
   * //           name: 'Dental',
   * //           product_code: 'VD'
   * //         },
   * //         status: 'waived',
   * //         coverage_start: '2025-04-01',
   * //         coverage_end: null,
   * //         employee_deduction_in_cents: 0,
   * //         employer_contribution_in_cents: 0,
   * //         domestic_partner_share_in_cents: 0,
   * //         answered_at: '2026-03-10T16:00:00.000Z',
   * //         elected_by: 'operator',
   * //         terminated_at: null,
   * //         created_at: '2025-09-06T16:00:00.000Z',
   * //         updated_at: '2026-03-10T16:00:00.000Z',
   * //         benefit_plan_year_id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //         plan_year_start: '2025-04-01',
   * //         plan_year_end: '2026-03-31',
   * //         plan: null,
   * //         elected_from: null,
   * //         coverage_tier: null,
   * //         premium_in_cents: null,
   * //         individual_plan_name: null,
   * //         bought_on_exchange: null,
   * //         dependent_ids: [],
   * //         upcoming_election: null,
   * //         window: null,
   * //         allowed_changes: null
   * //       }
   * //     }
   * //   ]
   * // }
   * ```
   */
  correct(enrollment_id: EnrollmentId, body: EnrollmentCorrection, options?: CallOptions): Promise<CorrectedEnrollment>

  /**
   * Open anew what was ended on request. `POST /operator/v1/enrollments/{enrollment_id}/reissue`
   *
   * As partners do, without a window and however long ago it was. The reason is kept. With `dry_run` nothing changes, and the answer tells what would.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @throws {ApiError} among others `enrollment_is_not_ended`, `choice_group_taken`
   *
   * @example
   * ```ts
   * await operator.enrollments.reissue(enrollment_id, {
   *   reason: 'Ended by mistake'
   * })
   * // {
   * //   data: {
   * //     id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v702',
   * //     employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v702',
   * //     employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v703',
   * //     benefit: {
   * //       id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v701',
   * //       category: 'Dental',
   * //       name: 'Dental',
   * //       product_code: 'VD'
   * //     },
   * //     status: 'waived',
   * //     coverage_start: '2025-04-01',
   * //     coverage_end: null,
   * //     employee_deduction_in_cents: 0,
   * //     employer_contribution_in_cents: 0,
   * //     domestic_partner_share_in_cents: 0,
   * //     answered_at: '2026-03-10T16:00:00.000Z',
   * //     elected_by: 'operator',
   * //     terminated_at: null,
   * //     created_at: '2025-09-06T16:00:00.000Z',
   * //     updated_at: '2026-03-10T16:00:00.000Z',
   * //     benefit_plan_year_id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //     plan_year_start: '2025-04-01',
   * //     plan_year_end: '2026-03-31',
   * //     plan: null,
   * //     elected_from: null,
   * //     coverage_tier: null,
   * //     premium_in_cents: null,
   * //     individual_plan_name: null,
   * //     bought_on_exchange: null,
   * //     dependent_ids: [],
   * //     upcoming_election: null,
   * //     window: null,
   * //     allowed_changes: null,
   * //     plans: [
   * //       {
   * //         id: 'pln_01kdq7b4w8e9rs2mh3n5t6v700',
   * //         name: 'Brightside DHMO',
   * //         carrier: 'Brightside Dental',
   * //         network_names: [
   * //           'Brightside'
   * //         ],
   * //         spd_file_url: null,
   * //         facts: {
   * //           copays: [
   * //             'Cleaning: $0'
   * //           ],
   * //           metal_level: null,
   * //           hsa_eligible: null,
   * //           sbc_file_url: null,
   * //           deductible_in_cents: 0,
   * //           out_of_pocket_limit_in_cents: null
   * //         },
   * //         tiers: [
   * //           {
   * //             coverage_tier: 'EE',
   * //             premium_in_cents: 1450,
   * //             employer_contribution_in_cents: 1000,
   * //             employee_deduction_in_cents: 450
   * //           }
   * //         ]
   * //       }
   * //     ],
   * //     affordability: null,
   * //     missing_figures: null,
   * //     notice_due_on: null
   * //   },
   * //   enrollments: [
   * //     {
   * //       before: {
   * //         id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v702',
   * //         employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v702',
   * //         employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v703',
   * //         benefit: {
   * //           id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v701',
   * //           category: 'Dental',
   * //           name: 'Dental',
   * //           product_code: 'VD'
   * //         },
   * //         status: 'enrolled',
   * //         coverage_start: '2025-04-01',
   * //         coverage_end: null,
   * //         employee_deduction_in_cents: 2200,
   * //         employer_contribution_in_cents: 1000,
   * //         domestic_partner_share_in_cents: 0,
   * //         answered_at: '2025-09-09T16:00:00.000Z',
   * //         elected_by: null,
   * //         terminated_at: null,
   * //         created_at: '2025-09-06T16:00:00.000Z',
   * //         updated_at: '2026-01-09T17:00:00.000Z',
   * //         benefit_plan_year_id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //         plan_year_start: '2025-04-01',
   * //         plan_year_end: '2026-03-31',
   * //         plan: {
   * //           id: 'pln_01kdq7b4w8e9rs2mh3n5t6v701',
   * //           name: 'Brightside PPO',
   * //           carrier: 'Brightside Dental'
   * //         },
   * //         elected_from: null,
   * //         coverage_tier: 'EE',
   * //         premium_in_cents: 3200,
   * //         individual_plan_name: null,
   * //         bought_on_exchange: null,
   * //         dependent_ids: [],
   * //         upcoming_election: null,
   * //         window: null,
   * //         allowed_changes: null
   * //       },
   * //       after: {
   * //         id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v702',
   * //         employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v702',
   * //         employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v703',
   * //         benefit: {
   * //           id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v701',
   * //           category: 'Dental',
   * //           name: 'Dental',
   * //           product_code: 'VD'
   * //         },
   * //         status: 'waived',
   * //         coverage_start: '2025-04-01',
   * //         coverage_end: null,
   * //         employee_deduction_in_cents: 0,
   * //         employer_contribution_in_cents: 0,
   * //         domestic_partner_share_in_cents: 0,
   * //         answered_at: '2026-03-10T16:00:00.000Z',
   * //         elected_by: 'operator',
   * //         terminated_at: null,
   * //         created_at: '2025-09-06T16:00:00.000Z',
   * //         updated_at: '2026-03-10T16:00:00.000Z',
   * //         benefit_plan_year_id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //         plan_year_start: '2025-04-01',
   * //         plan_year_end: '2026-03-31',
   * //         plan: null,
   * //         elected_from: null,
   * //         coverage_tier: null,
   * //         premium_in_cents: null,
   * //         individual_plan_name: null,
   * //         bought_on_exchange: null,
   * //         dependent_ids: [],
   * //         upcoming_election: null,
   * //         window: null,
   * //         allowed_changes: null
   * //       }
   * //     }
   * //   ]
   * // }
   * ```
   */
  reissue(enrollment_id: EnrollmentId, body: OperatorReissue, options?: CallOptions): Promise<CorrectedEnrollment>
}

export interface DependentsMethods {
  /**
   * Approve that a dependent is disabled. `POST /operator/v1/dependents/{dependent_id}/disability`
   *
   * A disabled child has no age limit. One whose coverage ended by age is covered again as if it had not, where what was elected then still names them.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @throws {ApiError} among others `dependent_already_disabled`
   *
   * @example
   * ```ts
   * await operator.dependents.approveDisability(dependent_id, {
   *   reason: 'Certificate of 3 March'
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
  approveDisability(dependent_id: DependentId, body: Disability, options?: CallOptions): Promise<Dependent>

  /**
   * Take back that a dependent is disabled. `DELETE /operator/v1/dependents/{dependent_id}/disability`
   *
   * From today on: coverage of a child who is too old ends with this month.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @throws {ApiError} among others `dependent_not_disabled`
   *
   * @example
   * ```ts
   * await operator.dependents.withdrawDisability(dependent_id)
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
  withdrawDisability(dependent_id: DependentId, options?: CallOptions): Promise<Dependent>

  /**
   * List the dependents of an employee. `GET /operator/v1/employees/{employee_id}/dependents`
   *
   * The dependents of the person, in the order in which they were added, with those who have ended.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.dependents.list(employee_id)) console.log(row)
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
  list(employee_id: EmployeeId, query?: OperatorListDependentsQuery, options?: CallOptions): Pages<Dependent, DependentPage>

  /**
   * Find dependents. `GET /operator/v1/dependents`
   *
   * Spouses and children of people of every organization or of one, newest first. They are found by name and never listed. Each search is in the audit log.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.dependents.find()) console.log(row)
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
  find(query?: OperatorFindDependentsQuery, options?: CallOptions): Pages<FoundDependent, FoundDependentPage>
}

export interface LifeEventsMethods {
  /**
   * List life events. `GET /operator/v1/qualifying-life-events`
   *
   * Of every organization, oldest first: with `status=pending`, those to decide about.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.lifeEvents.list()) console.log(row)
   * // {
   * //   id: 'qle_01kdq7b4w8e9rs2mh3n5t6v702',
   * //   employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v70b',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v704',
   * //   type: 'divorce',
   * //   occurred_on: '2025-12-10',
   * //   description: null,
   * //   status: 'approved',
   * //   decided_at: '2025-12-14T17:00:00.000Z',
   * //   decision_reason: null,
   * //   window_start: '2025-12-14',
   * //   window_end: '2026-01-13',
   * //   attachments: [],
   * //   created_at: '2025-12-12T17:00:00.000Z',
   * //   updated_at: '2025-12-14T17:00:00.000Z',
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700'
   * // }
   * ```
   */
  list(query?: OperatorListLifeEventsQuery, options?: CallOptions): Pages<ReportedLifeEvent, ReportedLifeEventPage>

  /**
   * Approve a life event. `POST /operator/v1/qualifying-life-events/{life_event_id}/approve`
   *
   * Opens a window from today to 30 days after, in which the employee may make the changes that the event allows. With `exception`, its reason, any change is allowed.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @throws {ApiError} among others `life_event_already_decided`
   *
   * @example
   * ```ts
   * await operator.lifeEvents.approve(life_event_id, {
   *   exception: 'Her certificate shows the divorce of last year'
   * })
   * // {
   * //   id: 'qle_01kdq7b4w8e9rs2mh3n5t6v702',
   * //   employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v70b',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v704',
   * //   type: 'divorce',
   * //   occurred_on: '2025-12-10',
   * //   description: null,
   * //   status: 'approved',
   * //   decided_at: '2025-12-14T17:00:00.000Z',
   * //   decision_reason: null,
   * //   window_start: '2025-12-14',
   * //   window_end: '2026-01-13',
   * //   attachments: [],
   * //   created_at: '2025-12-12T17:00:00.000Z',
   * //   updated_at: '2025-12-14T17:00:00.000Z',
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700'
   * // }
   * ```
   */
  approve(life_event_id: LifeEventId, body?: LifeEventApproval, options?: CallOptions): Promise<ReportedLifeEvent>

  /**
   * Decline a life event. `POST /operator/v1/qualifying-life-events/{life_event_id}/decline`
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @throws {ApiError} among others `life_event_already_decided`
   *
   * @example
   * ```ts
   * await operator.lifeEvents.decline(life_event_id, {
   *   reason: 'The certificate is missing.'
   * })
   * // {
   * //   id: 'qle_01kdq7b4w8e9rs2mh3n5t6v702',
   * //   employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v70b',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v704',
   * //   type: 'divorce',
   * //   occurred_on: '2025-12-10',
   * //   description: null,
   * //   status: 'approved',
   * //   decided_at: '2025-12-14T17:00:00.000Z',
   * //   decision_reason: null,
   * //   window_start: '2025-12-14',
   * //   window_end: '2026-01-13',
   * //   attachments: [],
   * //   created_at: '2025-12-12T17:00:00.000Z',
   * //   updated_at: '2025-12-14T17:00:00.000Z',
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700'
   * // }
   * ```
   */
  decline(life_event_id: LifeEventId, body: Declining, options?: CallOptions): Promise<ReportedLifeEvent>

  /**
   * List the life events of an employee. `GET /operator/v1/employees/{employee_id}/qualifying-life-events`
   *
   * Newest first, with what was decided about them.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.lifeEvents.listOf(employee_id)) console.log(row)
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
  listOf(employee_id: EmployeeId, query?: OperatorListEmployeeLifeEventsQuery, options?: CallOptions): Pages<LifeEvent, LifeEventPage>
}

export interface StatementsMethods {
  /**
   * List the payroll deduction statements of all employers of an organization. `GET /operator/v1/organizations/{organization_id}/payroll-deduction-statements`
   *
   * Newest first, each with a link to its lines as CSV. The next page is asked for with the `next_offset` of the one before as `offset`, until it is null.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.statements.listAll(organization_id)) console.log(row)
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
  listAll(organization_id: OrganizationId, query?: OperatorListAllPayrollDeductionStatementsQuery, options?: CallOptions): Pages<PayrollDeductionStatementRow, PayrollDeductionStatementRowPage>

  /**
   * List the payroll deduction statements of an employer. `GET /operator/v1/employers/{employer_id}/payroll-deduction-statements`
   *
   * One per pay period, newest first, each with a link to its lines as CSV.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.statements.list(employer_id)) console.log(row)
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
  list(employer_id: EmployerId, query?: OperatorListPayrollDeductionStatementsQuery, options?: CallOptions): Pages<PayrollDeductionStatement, PayrollDeductionStatementPage>

  /**
   * Run the statement day of an employer. `POST /operator/v1/employers/{employer_id}/payroll-deduction-statements/run`
   *
   * What the daily run does for all: opens the statements that are due, and has them generated within seconds, also one that was left unfinished. Done again it changes nothing.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @example
   * ```ts
   * await operator.statements.run(employer_id, {
   *   day: '2026-03-10'
   * })
   * // {
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v706',
   * //   day: '2026-03-10',
   * //   opened_statement_ids: []
   * // }
   * ```
   */
  run(employer_id: EmployerId, body?: StatementRun, options?: CallOptions): Promise<StatementRunAccepted>
}

export interface DeductionsMethods {
  /**
   * Prove an employee's deductions of a year. `GET /operator/v1/employees/{employee_id}/deductions/proof`
   *
   * What was due, collected and corrected, per enrollment and in total.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * await operator.deductions.prove(employee_id)
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
  prove(employee_id: EmployeeId, query?: OperatorProveDeductionsQuery, options?: CallOptions): Promise<DeductionProof>
}

export interface BillingSystemMethods {
  /**
   * Read the billing system of an organization. `GET /operator/v1/organizations/{organization_id}/billing-system`
   *
   * Secrets are never shown.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * await operator.billingSystem.get(organization_id)
   * // {
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   billing_system: 'built_in',
   * //   configured: true,
   * //   stripe_secret_key_set: false,
   * //   stripe_webhook_secret_set: false,
   * //   updated_at: '2027-07-01T16:00:00.000Z'
   * // }
   * ```
   */
  get(organization_id: OrganizationId, options?: CallOptions): Promise<BillingSystemSettings>

  /**
   * Choose the billing system of an organization. `PUT /operator/v1/organizations/{organization_id}/billing-system`
   *
   * Where invoices are collected that are drafted from now on; those that are there stay where they are. A secret that is not sent stays as it is.
   *
   * Accepts operators with the role `owner` or `billing`.
   *
   * @throws {ApiError} among others `stripe_secret_key_missing`
   *
   * @example
   * ```ts
   * await operator.billingSystem.choose(organization_id, {
   *   billing_system: 'built_in'
   * })
   * // {
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   billing_system: 'built_in',
   * //   configured: true,
   * //   stripe_secret_key_set: false,
   * //   stripe_webhook_secret_set: false,
   * //   updated_at: '2027-07-01T16:00:00.000Z'
   * // }
   * ```
   */
  choose(organization_id: OrganizationId, body: BillingSystemChanges, options?: CallOptions): Promise<BillingSystemSettings>
}

export interface InvoicesMethods {
  /**
   * List the invoices of all employers of an organization. `GET /operator/v1/organizations/{organization_id}/invoices`
   *
   * Newest first. The next page is asked for with the `next_offset` of the one before as `offset`, until it is null: a page may hold fewer invoices than its limit, or none, and others come behind it. Drafts are left out unless `include_drafts=true`, or `status` names them.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.invoices.listAll(organization_id)) console.log(row)
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
  listAll(organization_id: OrganizationId, query?: OperatorListAllInvoicesQuery, options?: CallOptions): Pages<InvoiceRow, InvoiceRowPage>

  /**
   * List what the employers of an organization owe, by its age. `GET /operator/v1/organizations/{organization_id}/invoices/aging`
   *
   * Each employer with invoices that are issued and neither paid nor void, the longest overdue first; and the same of all employers together.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.invoices.listAging(organization_id)) console.log(row)
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
  listAging(organization_id: OrganizationId, query?: OperatorListInvoiceAgingQuery, options?: CallOptions): Pages<InvoiceAging, InvoiceAgingPage>

  /**
   * List the invoices of an employer. `GET /operator/v1/employers/{employer_id}/invoices`
   *
   * Newest first, page by page as partners get them, and drafts too.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @throws {ApiError} among others `employer_has_no_billing_account`
   *
   * @example
   * ```ts
   * for await (const row of operator.invoices.list(employer_id)) console.log(row)
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
  list(employer_id: EmployerId, query?: OperatorListInvoicesQuery, options?: CallOptions): Pages<Invoice, InvoicePage>

  /**
   * List the lines of an invoice. `GET /operator/v1/employers/{employer_id}/invoices/{invoice_id}/lines`
   *
   * What partners see of it.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.invoices.listLines(employer_id, invoice_id)) console.log(row)
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
  listLines(employer_id: EmployerId, invoice_id: string, query?: OperatorListInvoiceLinesQuery, options?: CallOptions): Pages<InvoiceLine, InvoiceLinePage>

  /**
   * Get a link to the PDF of an invoice. `GET /operator/v1/employers/{employer_id}/invoices/{invoice_id}/pdf`
   *
   * What partners get: it opens for 15 minutes without a key.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * await operator.invoices.getPdf(employer_id, invoice_id)
   * // {
   * //   download_url: 'https://benefits.example.com/v1/downloads/eyJhbGciOiJIUzI1NiJ9.eyJr.c2ln',
   * //   expires_at: '2026-03-10T16:15:00.000Z'
   * // }
   * ```
   */
  getPdf(employer_id: EmployerId, invoice_id: string, options?: CallOptions): Promise<DownloadLink>

  /**
   * Bill the present month of an employer now. `POST /operator/v1/employers/{employer_id}/invoices/run`
   *
   * The worker drafts the invoice within seconds, if there is anything to bill. It does so by itself on the first of the month; this is for after an invoice was voided.
   *
   * Accepts operators with the role `owner` or `billing`.
   *
   * @throws {ApiError} among others `invoice_already_drafted`
   *
   * @example
   * ```ts
   * await operator.invoices.runDay(employer_id)
   * // {
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v706',
   * //   period: '2026-03'
   * // }
   * ```
   */
  runDay(employer_id: EmployerId, options?: CallOptions): Promise<InvoiceRun>

  /**
   * Issue an invoice. `POST /operator/v1/employers/{employer_id}/invoices/{invoice_id}/issue`
   *
   * A draft is issued by itself on the third day after it was drafted. An open invoice stays as it is.
   *
   * Accepts operators with the role `owner` or `billing`.
   *
   * @throws {ApiError} among others `invoice_is_paid`, `invoice_is_void`
   *
   * @example
   * ```ts
   * await operator.invoices.issue(employer_id, invoice_id)
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
  issue(employer_id: EmployerId, invoice_id: string, options?: CallOptions): Promise<Invoice>

  /**
   * Mark an invoice as paid. `POST /operator/v1/employers/{employer_id}/invoices/{invoice_id}/pay`
   *
   * For an open invoice that was paid. A paid one stays as it is.
   *
   * Accepts operators with the role `owner` or `billing`.
   *
   * @throws {ApiError} among others `invoice_is_draft`, `invoice_is_void`
   *
   * @example
   * ```ts
   * await operator.invoices.pay(employer_id, invoice_id)
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
  pay(employer_id: EmployerId, invoice_id: string, body?: InvoicePayment, options?: CallOptions): Promise<Invoice>

  /**
   * Void an invoice. `POST /operator/v1/employers/{employer_id}/invoices/{invoice_id}/void`
   *
   * What it billed counts as not billed: the next invoice bills it, as far as it reaches. A void invoice stays as it is.
   *
   * Accepts operators with the role `owner` or `billing`.
   *
   * @throws {ApiError} among others `invoice_is_paid`
   *
   * @example
   * ```ts
   * await operator.invoices.void(employer_id, invoice_id)
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
  void(employer_id: EmployerId, invoice_id: string, body?: InvoiceVoiding, options?: CallOptions): Promise<Invoice>

  /**
   * Prove an invoice. `GET /operator/v1/employers/{employer_id}/invoices/{invoice_id}/reconciliation`
   *
   * What partners see of it.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * await operator.invoices.getReconciliation(employer_id, invoice_id)
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
   * List what was booked by hand for an employer. `GET /operator/v1/employers/{employer_id}/manual-adjustments`
   *
   * What partners see of them.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.manualAdjustments.list(employer_id)) console.log(row)
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
  list(employer_id: EmployerId, query?: OperatorListManualAdjustmentsQuery, options?: CallOptions): Pages<ManualAdjustment, ManualAdjustmentPage>

  /**
   * Book an amount by hand. `POST /operator/v1/enrollments/{enrollment_id}/manual-adjustments`
   *
   * For a month that corrections reach no more: the next statement asks payroll for the part of the employee, and the next invoice bills it with that of the employer. It never changes; the opposite amounts take it back.
   *
   * Accepts operators with the role `owner` or `billing`.
   *
   * @throws {ApiError} among others `month_within_reach`
   *
   * @example
   * ```ts
   * await operator.manualAdjustments.book(enrollment_id, {
   *   month: '2025-06',
   *   employee_deduction_in_cents: 1200,
   *   reason: 'Told a year late: covered since June'
   * })
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
  book(enrollment_id: EnrollmentId, body: NewManualAdjustment, options?: CallOptions): Promise<ManualAdjustment>
}

export interface MembersMethods {
  /**
   * Find people. `GET /operator/v1/members`
   *
   * Of every organization or of one, the newest first, with where they work and worked. People are looked for and never listed: who asks must know something of them. Each look is in the audit trail.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.members.find()) console.log(row)
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
  find(query?: OperatorFindMembersQuery, options?: CallOptions): Pages<Member, MemberPage>

  /**
   * Get a person. `GET /operator/v1/members/{member_id}`
   *
   * With where they work and worked.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * await operator.members.get(member_id)
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
   * List the enrollments of a person. `GET /operator/v1/members/{member_id}/enrollments`
   *
   * Those of all employments together, newest first.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.members.listEnrollments(member_id)) console.log(row)
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
  listEnrollments(member_id: MemberId, query?: OperatorListMemberEnrollmentsQuery, options?: CallOptions): Pages<Enrollment, EnrollmentPage>
}

export interface CensusMethods {
  /**
   * List the censuses that are under way or held. `GET /operator/v1/census-syncs`
   *
   * Of every employer, the oldest first.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.census.listOpen()) console.log(row)
   * // {
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v708',
   * //   processed_count: 0,
   * //   employer_name: 'Bakery B',
   * //   census_sync_id: 'csyn_01kdq7b4w8e9rs2mh3n5t6v704',
   * //   origin: 'api',
   * //   mode: 'merge',
   * //   state: 'queued',
   * //   row_count: 1,
   * //   counts: {
   * //     created: 0,
   * //     updated: 0,
   * //     unchanged: 0,
   * //     rehired: 0,
   * //     terminated: 0,
   * //     failed: 0
   * //   },
   * //   missing_count: null,
   * //   accepted_at: '2026-03-10T16:00:00.000Z',
   * //   completed_at: null,
   * //   held_at: null
   * // }
   * ```
   */
  listOpen(query?: OperatorListOpenCensusSyncsQuery, options?: CallOptions): Pages<OpenCensusSync, OpenCensusSyncPage>

  /**
   * List the censuses of an employer. `GET /operator/v1/employers/{employer_id}/census-syncs`
   *
   * The latest first, without their rows.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.census.list(employer_id)) console.log(row)
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
  list(employer_id: EmployerId, query?: OperatorListCensusSyncsQuery, options?: CallOptions): Pages<CensusSync, CensusSyncPage>

  /**
   * Get the outcome of a census. `GET /operator/v1/census-syncs/{census_sync_id}`
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * await operator.census.get(census_sync_id)
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
  get(census_sync_id: CensusSyncId, options?: CallOptions): Promise<CensusOutcome>

  /**
   * Confirm a held census. `POST /operator/v1/census-syncs/{census_sync_id}/confirm`
   *
   * Has the people who are missing from it terminated, as its partner can.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @throws {ApiError} among others `census_sync_not_held`, `employer_has_hris_connection`, `census_sync_superseded`
   *
   * @example
   * ```ts
   * await operator.census.confirm(census_sync_id)
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
  confirm(census_sync_id: CensusSyncId, options?: CallOptions): Promise<CensusOutcome>

  /**
   * Let a held census end nobody. `POST /operator/v1/census-syncs/{census_sync_id}/discard`
   *
   * It is completed, and who is missing from it stays. What its rows said was done before, and stays done.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @throws {ApiError} among others `census_sync_not_held`
   *
   * @example
   * ```ts
   * await operator.census.discard(census_sync_id)
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
  discard(census_sync_id: CensusSyncId, options?: CallOptions): Promise<CensusOutcome>
}

export interface HrisMethods {
  /**
   * Connect an employer to its payroll system. `POST /operator/v1/employers/{employer_id}/hris-connections`
   *
   * Finch and the fake payroll are asked at once, then every night. An employer has one connection at a time.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @throws {ApiError} among others `hris_connection_already_exists`, `sandbox_payroll_not_allowed`
   *
   * @example
   * ```ts
   * await operator.hris.connect(employer_id, {
   *   source: 'csv',
   *   provider: 'paychex',
   *   provider_label: 'Paychex',
   *   columns: {
   *     reference_id: 'File #'
   *   }
   * })
   * // {
   * //   id: 'hris_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   source: 'csv',
   * //   provider: 'rippling',
   * //   provider_label: 'Rippling',
   * //   status: 'active',
   * //   columns: {},
   * //   connected_at: '2026-03-10T16:00:00.000Z',
   * //   paused_at: null,
   * //   disconnected_at: null,
   * //   last_attempt_at: '2026-03-10T16:00:00.000Z',
   * //   last_synced_at: '2026-03-10T16:00:00.000Z',
   * //   synced_row_count: 4,
   * //   last_error: null,
   * //   next_sync_on: null
   * // }
   * ```
   */
  connect(employer_id: EmployerId, body: NewHrisConnection, options?: CallOptions): Promise<HrisConnection>

  /**
   * List an employer's connections. `GET /operator/v1/employers/{employer_id}/hris-connections`
   *
   * The present one and former ones, newest first.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * await operator.hris.listConnections(employer_id)
   * // [
   * //   {
   * //     id: 'hris_01kdq7b4w8e9rs2mh3n5t6v701',
   * //     organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //     employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v701',
   * //     source: 'csv',
   * //     provider: 'rippling',
   * //     provider_label: 'Rippling',
   * //     status: 'active',
   * //     columns: {},
   * //     connected_at: '2026-03-10T16:00:00.000Z',
   * //     paused_at: null,
   * //     disconnected_at: null,
   * //     last_attempt_at: '2026-03-10T16:00:00.000Z',
   * //     last_synced_at: '2026-03-10T16:00:00.000Z',
   * //     synced_row_count: 4,
   * //     last_error: null,
   * //     next_sync_on: null
   * //   }
   * // ]
   * ```
   */
  listConnections(employer_id: EmployerId, options?: CallOptions): Promise<HrisConnection[]>

  /**
   * Get a connection. `GET /operator/v1/hris-connections/{hris_connection_id}`
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * await operator.hris.getConnection(hris_connection_id)
   * // {
   * //   id: 'hris_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   source: 'csv',
   * //   provider: 'rippling',
   * //   provider_label: 'Rippling',
   * //   status: 'active',
   * //   columns: {},
   * //   connected_at: '2026-03-10T16:00:00.000Z',
   * //   paused_at: null,
   * //   disconnected_at: null,
   * //   last_attempt_at: '2026-03-10T16:00:00.000Z',
   * //   last_synced_at: '2026-03-10T16:00:00.000Z',
   * //   synced_row_count: 4,
   * //   last_error: null,
   * //   next_sync_on: null
   * // }
   * ```
   */
  getConnection(hris_connection_id: HrisConnectionId, options?: CallOptions): Promise<HrisConnection>

  /**
   * Pause a connection. `POST /operator/v1/hris-connections/{hris_connection_id}/pause`
   *
   * Nothing is fetched until it is resumed, and the partner may create employees and submit a census. Those are recognised, not duplicated, when it goes on.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @throws {ApiError} among others `hris_connection_has_ended`, `hris_connection_is_paused`
   *
   * @example
   * ```ts
   * await operator.hris.pause(hris_connection_id)
   * // {
   * //   id: 'hris_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   source: 'csv',
   * //   provider: 'rippling',
   * //   provider_label: 'Rippling',
   * //   status: 'active',
   * //   columns: {},
   * //   connected_at: '2026-03-10T16:00:00.000Z',
   * //   paused_at: null,
   * //   disconnected_at: null,
   * //   last_attempt_at: '2026-03-10T16:00:00.000Z',
   * //   last_synced_at: '2026-03-10T16:00:00.000Z',
   * //   synced_row_count: 4,
   * //   last_error: null,
   * //   next_sync_on: null
   * // }
   * ```
   */
  pause(hris_connection_id: HrisConnectionId, options?: CallOptions): Promise<HrisConnection>

  /**
   * Resume a connection. `POST /operator/v1/hris-connections/{hris_connection_id}/resume`
   *
   * After a pause, or after access was lost and given again. It is fetched at once.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @throws {ApiError} among others `hris_connection_has_ended`, `hris_connection_is_running`
   *
   * @example
   * ```ts
   * await operator.hris.resume(hris_connection_id)
   * // {
   * //   id: 'hris_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   source: 'csv',
   * //   provider: 'rippling',
   * //   provider_label: 'Rippling',
   * //   status: 'active',
   * //   columns: {},
   * //   connected_at: '2026-03-10T16:00:00.000Z',
   * //   paused_at: null,
   * //   disconnected_at: null,
   * //   last_attempt_at: '2026-03-10T16:00:00.000Z',
   * //   last_synced_at: '2026-03-10T16:00:00.000Z',
   * //   synced_row_count: 4,
   * //   last_error: null,
   * //   next_sync_on: null
   * // }
   * ```
   */
  resume(hris_connection_id: HrisConnectionId, options?: CallOptions): Promise<HrisConnection>

  /**
   * Renew the access token of a connection. `PUT /operator/v1/hris-connections/{hris_connection_id}/access-token`
   *
   * It is tried at once unless the connection is paused, and kept encrypted. An inactive one goes on.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @throws {ApiError} among others `hris_connection_has_ended`, `hris_connection_takes_no_token`
   *
   * @example
   * ```ts
   * await operator.hris.renewAccess(hris_connection_id, {
   *   access_token: 'the new access token'
   * })
   * // {
   * //   id: 'hris_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   source: 'csv',
   * //   provider: 'rippling',
   * //   provider_label: 'Rippling',
   * //   status: 'active',
   * //   columns: {},
   * //   connected_at: '2026-03-10T16:00:00.000Z',
   * //   paused_at: null,
   * //   disconnected_at: null,
   * //   last_attempt_at: '2026-03-10T16:00:00.000Z',
   * //   last_synced_at: '2026-03-10T16:00:00.000Z',
   * //   synced_row_count: 4,
   * //   last_error: null,
   * //   next_sync_on: null
   * // }
   * ```
   */
  renewAccess(hris_connection_id: HrisConnectionId, body: HrisAccess, options?: CallOptions): Promise<HrisConnection>

  /**
   * Disconnect an employer. `POST /operator/v1/hris-connections/{hris_connection_id}/disconnect`
   *
   * For good: the access token is forgotten, and the roster is the partner’s to keep. Nobody is terminated.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @throws {ApiError} among others `hris_connection_has_ended`
   *
   * @example
   * ```ts
   * await operator.hris.disconnect(hris_connection_id)
   * // {
   * //   id: 'hris_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   source: 'csv',
   * //   provider: 'rippling',
   * //   provider_label: 'Rippling',
   * //   status: 'active',
   * //   columns: {},
   * //   connected_at: '2026-03-10T16:00:00.000Z',
   * //   paused_at: null,
   * //   disconnected_at: null,
   * //   last_attempt_at: '2026-03-10T16:00:00.000Z',
   * //   last_synced_at: '2026-03-10T16:00:00.000Z',
   * //   synced_row_count: 4,
   * //   last_error: null,
   * //   next_sync_on: null
   * // }
   * ```
   */
  disconnect(hris_connection_id: HrisConnectionId, options?: CallOptions): Promise<HrisConnection>

  /**
   * Sync now. `POST /operator/v1/hris-connections/{hris_connection_id}/sync`
   *
   * Answers the run that fetches everybody; one that waits to be tried again is tried now.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @throws {ApiError} among others `hris_connection_has_ended`, `hris_connection_is_paused`, `hris_connection_is_inactive`
   *
   * @example
   * ```ts
   * await operator.hris.sync(hris_connection_id)
   * // {
   * //   id: 'hrun_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   hris_connection_id: 'hris_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v705',
   * //   cause: 'operator',
   * //   state: 'completed',
   * //   requested_at: '2026-01-29T17:00:00.000Z',
   * //   attempt_count: 1,
   * //   fetched_at: '2026-01-29T17:00:00.000Z',
   * //   ended_at: '2026-01-29T17:00:00.000Z',
   * //   error: null,
   * //   outcome: {
   * //     census_sync_id: 'csyn_01kdq7b4w8e9rs2mh3n5t6v703',
   * //     employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v705',
   * //     origin: 'hris',
   * //     mode: 'replace',
   * //     dry_run: false,
   * //     state: 'completed',
   * //     row_count: 2,
   * //     processed_count: 2,
   * //     counts: {
   * //       created: 0,
   * //       updated: 0,
   * //       unchanged: 2,
   * //       rehired: 0,
   * //       terminated: 0,
   * //       failed: 0
   * //     },
   * //     missing_count: null,
   * //     missing: null,
   * //     failures: [],
   * //     warnings: [],
   * //     planned: null,
   * //     accepted_at: '2026-01-29T17:00:00.000Z',
   * //     completed_at: '2026-01-29T17:00:00.000Z'
   * //   }
   * // }
   * ```
   */
  sync(hris_connection_id: HrisConnectionId, options?: CallOptions): Promise<HrisRun>

  /**
   * Upload a file. `POST /operator/v1/hris-connections/{hris_connection_id}/upload`
   *
   * The whole roster as `text/csv`, in UTF-8, UTF-16 or Windows-1252, or its rows as JSON. Whoever is missing from it is terminated as of today, unless that would be many: then the run is `held`.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @throws {ApiError} among others `hris_connection_has_ended`, `hris_connection_is_paused`, `hris_connection_takes_no_files`, `employer_has_no_active_subscription`
   *
   * @example
   * ```ts
   * await operator.hris.uploadFile(hris_connection_id, {
   *   rows: [
   *     {
   *       'File #': 'E-2001',
   *       'First Name': 'Grace',
   *       'Last Name': 'Murray',
   *       'Work Email': 'grace.murray@example.com',
   *       DOB: '12/09/1988',
   *       'Hire Date': '01/05/2026'
   *     }
   *   ]
   * })
   * // {
   * //   id: 'hrun_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   hris_connection_id: 'hris_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v705',
   * //   cause: 'operator',
   * //   state: 'completed',
   * //   requested_at: '2026-01-29T17:00:00.000Z',
   * //   attempt_count: 1,
   * //   fetched_at: '2026-01-29T17:00:00.000Z',
   * //   ended_at: '2026-01-29T17:00:00.000Z',
   * //   error: null,
   * //   outcome: {
   * //     census_sync_id: 'csyn_01kdq7b4w8e9rs2mh3n5t6v703',
   * //     employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v705',
   * //     origin: 'hris',
   * //     mode: 'replace',
   * //     dry_run: false,
   * //     state: 'completed',
   * //     row_count: 2,
   * //     processed_count: 2,
   * //     counts: {
   * //       created: 0,
   * //       updated: 0,
   * //       unchanged: 2,
   * //       rehired: 0,
   * //       terminated: 0,
   * //       failed: 0
   * //     },
   * //     missing_count: null,
   * //     missing: null,
   * //     failures: [],
   * //     warnings: [],
   * //     planned: null,
   * //     accepted_at: '2026-01-29T17:00:00.000Z',
   * //     completed_at: '2026-01-29T17:00:00.000Z'
   * //   }
   * // }
   * ```
   */
  uploadFile(hris_connection_id: HrisConnectionId, body: HrisUpload | string, options?: CallOptions): Promise<HrisRun>

  /**
   * Tell the fake payroll what to say. `PUT /operator/v1/hris-connections/{hris_connection_id}/payroll`
   *
   * Whom it employs, and how it misbehaves when it is next asked: `late`, `server_errors`, `rate_limited`, `garbage`, `half_page` and `access_lost` fetch nothing; `duplicate`, `rehire`, `future_termination` and `changed_email` are about the first of its people.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @throws {ApiError} among others `hris_connection_has_ended`, `hris_connection_is_no_sandbox`
   *
   * @example
   * ```ts
   * await operator.hris.tellSandboxPayroll(hris_connection_id, {
   *   misbehaviour: 'server_errors',
   *   times: 2
   * })
   * // {
   * //   id: 'hris_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   source: 'csv',
   * //   provider: 'rippling',
   * //   provider_label: 'Rippling',
   * //   status: 'active',
   * //   columns: {},
   * //   connected_at: '2026-03-10T16:00:00.000Z',
   * //   paused_at: null,
   * //   disconnected_at: null,
   * //   last_attempt_at: '2026-03-10T16:00:00.000Z',
   * //   last_synced_at: '2026-03-10T16:00:00.000Z',
   * //   synced_row_count: 4,
   * //   last_error: null,
   * //   next_sync_on: null
   * // }
   * ```
   */
  tellSandboxPayroll(hris_connection_id: HrisConnectionId, body?: SandboxPayroll, options?: CallOptions): Promise<HrisConnection>

  /**
   * List the runs of a connection. `GET /operator/v1/hris-connections/{hris_connection_id}/runs`
   *
   * Newest first.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.hris.listRuns(hris_connection_id)) console.log(row)
   * // {
   * //   id: 'hrun_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   hris_connection_id: 'hris_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   cause: 'drop',
   * //   state: 'completed',
   * //   requested_at: '2026-03-10T16:00:00.000Z',
   * //   attempt_count: 1,
   * //   fetched_at: '2026-03-10T16:00:00.000Z',
   * //   ended_at: '2026-03-10T16:00:00.000Z',
   * //   error: null,
   * //   row_count: 4,
   * //   counts: {
   * //     created: 0,
   * //     updated: 0,
   * //     unchanged: 4,
   * //     rehired: 0,
   * //     terminated: 0,
   * //     failed: 0
   * //   }
   * // }
   * ```
   */
  listRuns(hris_connection_id: HrisConnectionId, query?: OperatorListHrisRunsQuery, options?: CallOptions): Pages<HrisRunRow, HrisRunPage>

  /**
   * Get a run. `GET /operator/v1/hris-runs/{hris_run_id}`
   *
   * With the outcome of its census: counts, and each row that failed.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * await operator.hris.getRun(hris_run_id)
   * // {
   * //   id: 'hrun_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   hris_connection_id: 'hris_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v705',
   * //   cause: 'operator',
   * //   state: 'completed',
   * //   requested_at: '2026-01-29T17:00:00.000Z',
   * //   attempt_count: 1,
   * //   fetched_at: '2026-01-29T17:00:00.000Z',
   * //   ended_at: '2026-01-29T17:00:00.000Z',
   * //   error: null,
   * //   outcome: {
   * //     census_sync_id: 'csyn_01kdq7b4w8e9rs2mh3n5t6v703',
   * //     employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v705',
   * //     origin: 'hris',
   * //     mode: 'replace',
   * //     dry_run: false,
   * //     state: 'completed',
   * //     row_count: 2,
   * //     processed_count: 2,
   * //     counts: {
   * //       created: 0,
   * //       updated: 0,
   * //       unchanged: 2,
   * //       rehired: 0,
   * //       terminated: 0,
   * //       failed: 0
   * //     },
   * //     missing_count: null,
   * //     missing: null,
   * //     failures: [],
   * //     warnings: [],
   * //     planned: null,
   * //     accepted_at: '2026-01-29T17:00:00.000Z',
   * //     completed_at: '2026-01-29T17:00:00.000Z'
   * //   }
   * // }
   * ```
   */
  getRun(hris_run_id: HrisRunId, options?: CallOptions): Promise<HrisRun>

  /**
   * List whom a run changed. `GET /operator/v1/hris-runs/{hris_run_id}/people`
   *
   * Each with what became of them. Who was refused is told with the run, and all others are as they were.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.hris.listRunPeople(hris_run_id)) console.log(row)
   * // {
   * //   employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v702',
   * //   reference_id: 'IJ-1998',
   * //   first_name: 'Ivo',
   * //   last_name: 'Jonas',
   * //   outcome: 'reinstated',
   * //   changed_at: '2026-01-09T17:00:00.000Z',
   * //   differences: [
   * //     {
   * //       after: null,
   * //       field: 'termination_date',
   * //       before: '2026-01-05'
   * //     }
   * //   ]
   * // }
   * ```
   */
  listRunPeople(hris_run_id: HrisRunId, query?: OperatorListHrisRunPeopleQuery, options?: CallOptions): Pages<HrisRunPerson, HrisRunPersonPage>

  /**
   * Confirm a held run. `POST /operator/v1/hris-runs/{hris_run_id}/confirm`
   *
   * Lets it terminate the people who are missing from it.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @throws {ApiError} among others `census_sync_not_held`, `census_sync_superseded`
   *
   * @example
   * ```ts
   * await operator.hris.confirmRun(hris_run_id)
   * // {
   * //   id: 'hrun_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   hris_connection_id: 'hris_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v705',
   * //   cause: 'operator',
   * //   state: 'completed',
   * //   requested_at: '2026-01-29T17:00:00.000Z',
   * //   attempt_count: 1,
   * //   fetched_at: '2026-01-29T17:00:00.000Z',
   * //   ended_at: '2026-01-29T17:00:00.000Z',
   * //   error: null,
   * //   outcome: {
   * //     census_sync_id: 'csyn_01kdq7b4w8e9rs2mh3n5t6v703',
   * //     employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v705',
   * //     origin: 'hris',
   * //     mode: 'replace',
   * //     dry_run: false,
   * //     state: 'completed',
   * //     row_count: 2,
   * //     processed_count: 2,
   * //     counts: {
   * //       created: 0,
   * //       updated: 0,
   * //       unchanged: 2,
   * //       rehired: 0,
   * //       terminated: 0,
   * //       failed: 0
   * //     },
   * //     missing_count: null,
   * //     missing: null,
   * //     failures: [],
   * //     warnings: [],
   * //     planned: null,
   * //     accepted_at: '2026-01-29T17:00:00.000Z',
   * //     completed_at: '2026-01-29T17:00:00.000Z'
   * //   }
   * // }
   * ```
   */
  confirmRun(hris_run_id: HrisRunId, options?: CallOptions): Promise<HrisRun>

  /**
   * List the connections of all employers. `GET /operator/v1/hris-connections`
   *
   * Those that are not disconnected, newest first, at most 1,000, each with what its last sync came to.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.hris.listOpenConnections()) console.log(row)
   * // {
   * //   id: 'hris_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   source: 'csv',
   * //   provider: 'rippling',
   * //   provider_label: 'Rippling',
   * //   status: 'active',
   * //   columns: {},
   * //   connected_at: '2026-03-10T16:00:00.000Z',
   * //   paused_at: null,
   * //   disconnected_at: null,
   * //   last_attempt_at: '2026-03-10T16:00:00.000Z',
   * //   last_synced_at: '2026-03-10T16:00:00.000Z',
   * //   synced_row_count: 4,
   * //   last_error: null,
   * //   next_sync_on: null
   * // }
   * ```
   */
  listOpenConnections(query?: OperatorListOpenHrisConnectionsQuery, options?: CallOptions): Pages<HrisConnection, HrisConnectionPage>
}

export interface GroupsMethods {
  /**
   * List member sync requests. `GET /operator/v1/group-member-syncs`
   *
   * Of every organization or of one, newest first, at most 1,000, each with how much it did.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.groups.listMemberSyncs()) console.log(row)
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
  listMemberSyncs(query?: OperatorListGroupMemberSyncsQuery, options?: CallOptions): Pages<GroupMemberSyncRow, GroupMemberSyncPage>

  /**
   * Get a member sync request. `GET /operator/v1/group-member-syncs/{request_id}`
   *
   * While it is in flight `completed_at` and `results` are null.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * await operator.groups.getMemberSync(request_id)
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
  getMemberSync(request_id: GroupMemberSyncId, options?: CallOptions): Promise<GroupMemberSync>
}

export interface WebhookSubscriptionsMethods {
  /**
   * List webhook subscriptions. `GET /operator/v1/webhook-subscriptions`
   *
   * Of every organization or of one, newest first, at most 1,000, by how they fare; those that are disabled, the last disabled first.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.webhookSubscriptions.list()) console.log(row)
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
  list(query?: OperatorListWebhookSubscriptionsQuery, options?: CallOptions): Pages<WebhookSubscription, WebhookSubscriptionPage>

  /**
   * List the deliveries of a webhook subscription. `GET /operator/v1/webhook-subscriptions/{webhook_subscription_id}/deliveries`
   *
   * With what the receiver answered last.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.webhookSubscriptions.listDeliveries(webhook_subscription_id)) console.log(row)
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
  listDeliveries(webhook_subscription_id: WebhookSubscriptionId, query?: OperatorListWebhookDeliveriesQuery, options?: CallOptions): Pages<WebhookDelivery, WebhookDeliveryPage>

  /**
   * Send a webhook subscription what it missed. `POST /operator/v1/webhook-subscriptions/{webhook_subscription_id}/resume`
   *
   * Once its receiver is there again: one that was given up is enabled, and what could not be delivered, or happened meanwhile, is sent, up to 60 days back. What was delivered is not sent again.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @throws {ApiError} among others `webhook_subscription_disabled_on_request`
   *
   * @example
   * ```ts
   * await operator.webhookSubscriptions.resume(webhook_subscription_id)
   * // {
   * //   subscription_id: 'wsub_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   since: '2026-03-01T00:00:00.000Z',
   * //   until: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  resume(webhook_subscription_id: WebhookSubscriptionId, options?: CallOptions): Promise<WebhookReplay>
}

export interface WebhookEventsMethods {
  /**
   * List the events of an organization. `GET /operator/v1/organizations/{organization_id}/webhook-events`
   *
   * Newest first, by name, by what they are about, and by when they happened.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.webhookEvents.list(organization_id)) console.log(row)
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
  list(organization_id: OrganizationId, query?: OperatorListWebhookEventsQuery, options?: CallOptions): Pages<WebhookEvent, WebhookEventPage>

  /**
   * Count the events of an organization by day. `GET /operator/v1/organizations/{organization_id}/webhook-events/by-day`
   *
   * What days brought, such as those on which a test clock was moved ahead.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * await operator.webhookEvents.countByDay(organization_id)
   * // {
   * //   days: [
   * //     {
   * //       day: '2026-03-10',
   * //       happened: [
   * //         {
   * //           event_name: 'census_sync.completed',
   * //           event_count: 1
   * //         }
   * //       ]
   * //     }
   * //   ],
   * //   is_whole: true
   * // }
   * ```
   */
  countByDay(organization_id: OrganizationId, query?: OperatorCountWebhookEventsQuery, options?: CallOptions): Promise<WebhookEventsByDay>

  /**
   * List the deliveries of an event. `GET /operator/v1/webhook-events/{webhook_event_id}/deliveries`
   *
   * One for each subscription that took it, and one for each redelivery and replay, newest first.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.webhookEvents.listDeliveries(webhook_event_id)) console.log(row)
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
  listDeliveries(webhook_event_id: WebhookEventId, query?: OperatorListWebhookEventDeliveriesQuery, options?: CallOptions): Pages<WebhookDelivery, WebhookDeliveryPage>
}

export interface JobsMethods {
  /**
   * List jobs. `GET /operator/v1/jobs`
   *
   * What was given up, what runs or what waits, at most the first 1,000. A job that fails is tried again for some days, after growing pauses; then it is given up and waits for somebody to run it.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.jobs.list()) console.log(row)
   * // {
   * //   id: '1',
   * //   task: 'process_census',
   * //   key: 'census:empr_01kdq7b4w8e9rs2mh3n5t6v708',
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   state: 'waiting',
   * //   attempts: 0,
   * //   max_attempts: 25,
   * //   has_failed: false,
   * //   run_at: '2026-11-29T02:02:12.737Z',
   * //   started_at: null,
   * //   created_at: '2026-11-29T02:02:12.737Z'
   * // }
   * ```
   */
  list(query?: OperatorListJobsQuery, options?: CallOptions): Pages<Job, JobPage>

  /**
   * Get a job. `GET /operator/v1/jobs/{job_id}`
   *
   * While it is not done.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * await operator.jobs.get(job_id)
   * // {
   * //   id: '1',
   * //   task: 'process_census',
   * //   key: 'census:empr_01kdq7b4w8e9rs2mh3n5t6v708',
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   state: 'waiting',
   * //   attempts: 0,
   * //   max_attempts: 25,
   * //   has_failed: false,
   * //   run_at: '2026-11-29T02:02:12.737Z',
   * //   started_at: null,
   * //   created_at: '2026-11-29T02:02:12.737Z'
   * // }
   * ```
   */
  get(job_id: string, options?: CallOptions): Promise<Job>

  /**
   * Run a job now. `POST /operator/v1/jobs/{job_id}/run`
   *
   * One that waits or was given up begins at the next free place, with all of its attempts before it.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @throws {ApiError} among others `job_is_running`
   *
   * @example
   * ```ts
   * await operator.jobs.run(job_id)
   * // {
   * //   id: '1',
   * //   task: 'process_census',
   * //   key: 'census:empr_01kdq7b4w8e9rs2mh3n5t6v708',
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   state: 'waiting',
   * //   attempts: 0,
   * //   max_attempts: 25,
   * //   has_failed: false,
   * //   run_at: '2026-11-29T02:02:12.737Z',
   * //   started_at: null,
   * //   created_at: '2026-11-29T02:02:12.737Z'
   * // }
   * ```
   */
  run(job_id: string, options?: CallOptions): Promise<Job>
}

export interface OverviewMethods {
  /**
   * Get what happened since yesterday. `GET /operator/v1/overview`
   *
   * In all organizations, and whether jobs, webhooks and days keep up.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * await operator.overview.get()
   * // {
   * //   since: '2026-03-09T04:00:00.000Z',
   * //   happened: [
   * //     {
   * //       event_name: 'employer.created',
   * //       event_count: 5
   * //     }
   * //   ],
   * //   is_whole: true,
   * //   failed_request_count: 0,
   * //   jobs_given_up: 0,
   * //   job_late_seconds: 7,
   * //   job_running_seconds: 0,
   * //   webhook_late_seconds: 0,
   * //   organizations_late: 0,
   * //   last_day_run_on: '2026-03-10'
   * // }
   * ```
   */
  get(options?: CallOptions): Promise<Overview>
}

export interface UsersMethods {
  /**
   * List or find users. `GET /operator/v1/users`
   *
   * Newest first, each with where they belong. Members and operators alike.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.users.list()) console.log(row)
   * // {
   * //   id: 'usr_01kdq7b4w8e9rs2mh3n5t6v704',
   * //   name: 'Ada Lindgren',
   * //   email: 'ada@example.com',
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   operator_role: null,
   * //   memberships: []
   * // }
   * ```
   */
  list(query?: OperatorListUsersQuery, options?: CallOptions): Pages<OperatedUser, OperatedUserPage>

  /**
   * Create a user. `POST /operator/v1/users`
   *
   * A user owns API keys and belongs to organizations; a new one belongs to none.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @example
   * ```ts
   * await operator.users.create({
   *   name: 'Ada Lindgren',
   *   email: 'ada@example.com'
   * })
   * // {
   * //   id: 'usr_01kdq7b4w8e9rs2mh3n5t6v704',
   * //   name: 'Ada Lindgren',
   * //   email: 'ada@example.com',
   * //   created_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  create(body: NewUser, options?: CallOptions): Promise<User>

  /**
   * Get a user. `GET /operator/v1/users/{user_id}`
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * await operator.users.get(user_id)
   * // {
   * //   id: 'usr_01kdq7b4w8e9rs2mh3n5t6v704',
   * //   name: 'Ada Lindgren',
   * //   email: 'ada@example.com',
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   operator_role: null,
   * //   memberships: []
   * // }
   * ```
   */
  get(user_id: UserId, options?: CallOptions): Promise<OperatedUser>
}

export interface MembershipsMethods {
  /**
   * List the members of an organization. `GET /operator/v1/organizations/{organization_id}/members`
   *
   * The first first, former ones too.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.memberships.list(organization_id)) console.log(row)
   * // {
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   user_id: 'usr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   role: 'ADMIN',
   * //   name: 'Maya Okafor',
   * //   email: 'maya@example.com',
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   ended_at: null
   * // }
   * ```
   */
  list(organization_id: OrganizationId, query?: OperatorListMembershipsQuery, options?: CallOptions): Pages<MembershipOfUser, MembershipPage>

  /**
   * Make a user a member of an organization. `POST /operator/v1/organizations/{organization_id}/members`
   *
   * The keys of the user that are not bound to another organization reach it within 5 seconds. To change a role, end the membership first.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @throws {ApiError} among others `membership_already_exists`
   *
   * @example
   * ```ts
   * await operator.memberships.grant(organization_id, {
   *   user_id: 'usr_01kdq7b4w8e9rs2mh3n5t6v7xz',
   *   role: 'OPERATIONS'
   * })
   * // {
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v702',
   * //   user_id: 'usr_01kdq7b4w8e9rs2mh3n5t6v703',
   * //   role: 'OPERATIONS'
   * // }
   * ```
   */
  grant(organization_id: OrganizationId, body: NewMembership, options?: CallOptions): Promise<Membership>

  /**
   * End a membership. `DELETE /operator/v1/organizations/{organization_id}/members/{user_id}`
   *
   * The user's keys and their tokens lose the organization within 5 seconds.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @example
   * ```ts
   * await operator.memberships.end(organization_id, user_id)
   * // {
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v702',
   * //   user_id: 'usr_01kdq7b4w8e9rs2mh3n5t6v703',
   * //   role: 'OPERATIONS'
   * // }
   * ```
   */
  end(organization_id: OrganizationId, user_id: UserId, options?: CallOptions): Promise<Membership>
}

export interface SubscriptionsMethods {
  /**
   * List an employer's subscriptions. `GET /operator/v1/employers/{employer_id}/subscriptions`
   *
   * All it has or had, the latest first.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.subscriptions.list(employer_id)) console.log(row)
   * // {
   * //   id: 'sub_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v706',
   * //   started_on: '2025-05-08',
   * //   ended_on: '2026-03-10'
   * // }
   * ```
   */
  list(employer_id: EmployerId, query?: OperatorListSubscriptionsQuery, options?: CallOptions): Pages<Subscription, SubscriptionPage>

  /**
   * Give an employer a subscription. `POST /operator/v1/employers/{employer_id}/subscriptions`
   *
   * Employees can be created for an employer while it has one.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @throws {ApiError} among others `employer_has_active_subscription`
   *
   * @example
   * ```ts
   * await operator.subscriptions.grant(employer_id, {
   *   started_on: '2026-01-01'
   * })
   * // {
   * //   id: 'sub_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v706',
   * //   started_on: '2025-05-08',
   * //   ended_on: '2026-03-10'
   * // }
   * ```
   */
  grant(employer_id: EmployerId, body: NewSubscription, options?: CallOptions): Promise<Subscription>

  /**
   * End an employer's subscription. `POST /operator/v1/employers/{employer_id}/subscriptions/end`
   *
   * Ends the latest subscription on a day; an end that lies ahead may be moved by asking again.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @throws {ApiError} among others `employer_has_no_active_subscription`, `subscription_ends_before_it_starts`
   *
   * @example
   * ```ts
   * await operator.subscriptions.end(employer_id, {
   *   ended_on: '2026-12-31'
   * })
   * // {
   * //   id: 'sub_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v706',
   * //   started_on: '2025-05-08',
   * //   ended_on: '2026-03-10'
   * // }
   * ```
   */
  end(employer_id: EmployerId, body: SubscriptionEnd, options?: CallOptions): Promise<Subscription>
}

/** The codes that every method with a credential may be refused with. */
type Refused = 'invalid_organization_header' | 'invalid_request' | 'unauthorized' | 'organization_access_denied' | 'api_key_in_browser' | 'origin_not_allowed' | 'forbidden' | 'rate_limited' | 'internal_error' | 'unavailable'

interface Refusals {
  Conflict: 'conflict'
  ConflictOrAnswerForgotten: 'idempotency_key_in_progress' | 'idempotency_answer_forgotten' | 'conflict'
  ConflictOrInProgress: 'idempotency_key_in_progress' | 'conflict'
  ForbiddenOrSignInAgain: 'sign_in_again'
  IdempotencyKeyReused: 'idempotency_key_reused'
  NotFound: 'not_found'
  OperatorAddEmployerAdminConflict: 'idempotency_key_in_progress' | 'conflict' | 'employer_admin_already_exists'
  OperatorAdministerEmployerConflict: 'conflict' | 'months_booked_by_hand'
  OperatorAmendBenefitPlanYearConflict: 'idempotency_key_in_progress' | 'conflict' | 'too_many_amendments' | 'plan_year_overlaps'
  OperatorAmendBenefitPlanYearUnprocessable: 'idempotency_key_reused' | 'invalid_amendment' | 'invalid_plan_year' | 'unknown_benefit' | 'unknown_plan' | 'plan_has_no_rate' | 'contribution_does_not_fit' | 'contribution_missing'
  OperatorApproveDisabilityConflict: 'idempotency_key_in_progress' | 'conflict' | 'dependent_already_disabled'
  OperatorApproveLifeEventConflict: 'idempotency_key_in_progress' | 'conflict' | 'life_event_already_decided'
  OperatorBookManualAdjustmentUnprocessable: 'idempotency_key_reused' | 'month_within_reach'
  OperatorChangeBenefitPlanYearConflict: 'conflict' | 'plan_year_has_started' | 'plan_year_is_amended' | 'plan_year_has_elections' | 'plan_year_overlaps'
  OperatorChangeBenefitPlanYearUnprocessable: 'invalid_plan_year' | 'unknown_benefit' | 'unknown_plan' | 'plan_has_no_rate' | 'contribution_does_not_fit' | 'contribution_missing' | 'invalid_plan_successors' | 'invalid_choice_groups'
  OperatorChangeOperatorConflict: 'conflict' | 'last_owner'
  OperatorChooseBillingSystemUnprocessable: 'stripe_secret_key_missing'
  OperatorConfirmCensusSyncConflict: 'idempotency_key_in_progress' | 'conflict' | 'census_sync_not_held' | 'employer_has_hris_connection' | 'census_sync_superseded'
  OperatorConfirmHrisRunConflict: 'idempotency_key_in_progress' | 'conflict' | 'census_sync_not_held' | 'census_sync_superseded'
  OperatorConnectHrisConflict: 'idempotency_key_in_progress' | 'conflict' | 'hris_connection_already_exists' | 'sandbox_payroll_not_allowed'
  OperatorCorrectEnrollmentConflict: 'idempotency_key_in_progress' | 'conflict' | 'enrollment_is_inactive'
  OperatorCorrectEnrollmentUnprocessable: 'idempotency_key_reused' | 'plan_not_offered' | 'individual_plan_does_not_fit' | 'dependents_do_not_fit_tier' | 'dependent_not_coverable'
  OperatorCreateApiKeyUnprocessable: 'idempotency_key_reused' | 'user_is_not_a_member' | 'key_is_of_another_mode'
  OperatorCreateOperatorConflict: 'idempotency_key_in_progress' | 'idempotency_answer_forgotten' | 'conflict' | 'owner_exists'
  OperatorDiscardCensusSyncConflict: 'idempotency_key_in_progress' | 'conflict' | 'census_sync_not_held'
  OperatorDisconnectHrisConflict: 'idempotency_key_in_progress' | 'conflict' | 'hris_connection_has_ended'
  OperatorEndSubscriptionConflict: 'idempotency_key_in_progress' | 'conflict' | 'employer_has_no_active_subscription'
  OperatorEndSubscriptionUnprocessable: 'idempotency_key_reused' | 'subscription_ends_before_it_starts'
  OperatorGrantMembershipConflict: 'idempotency_key_in_progress' | 'conflict' | 'membership_already_exists'
  OperatorGrantSubscriptionConflict: 'idempotency_key_in_progress' | 'conflict' | 'employer_has_active_subscription'
  OperatorImportCatalogUnprocessable: 'idempotency_key_reused' | 'benefit_has_another_product_code' | 'benefit_has_another_category'
  OperatorInviteMemberConflict: 'idempotency_key_in_progress' | 'idempotency_answer_forgotten' | 'conflict' | 'too_many_invitations'
  OperatorIssueInvoiceConflict: 'idempotency_key_in_progress' | 'conflict' | 'invoice_is_paid' | 'invoice_is_void'
  OperatorListInvoicesUnprocessable: 'employer_has_no_billing_account'
  OperatorMoveClockConflict: 'conflict' | 'organization_is_not_a_sandbox' | 'clock_moves_forward_only' | 'work_is_waiting'
  OperatorMoveClockUnprocessable: 'clock_moves_too_far'
  OperatorOpenBenefitPlanYearConflict: 'idempotency_key_in_progress' | 'conflict' | 'plan_year_overlaps'
  OperatorOpenBenefitPlanYearUnprocessable: 'idempotency_key_reused' | 'invalid_plan_year' | 'unknown_benefit' | 'unknown_plan' | 'plan_has_no_rate' | 'contribution_does_not_fit' | 'contribution_missing' | 'invalid_plan_successors' | 'invalid_choice_groups'
  OperatorPauseHrisConflict: 'idempotency_key_in_progress' | 'conflict' | 'hris_connection_has_ended' | 'hris_connection_is_paused'
  OperatorPayInvoiceConflict: 'idempotency_key_in_progress' | 'conflict' | 'invoice_is_draft' | 'invoice_is_void'
  OperatorReinstateEmployeeBadRequest: 'invalid_employee_update'
  OperatorReinstateEmployeeConflict: 'idempotency_key_in_progress' | 'conflict' | 'employer_has_no_active_subscription' | 'nothing_to_reinstate' | 'employed_again'
  OperatorReissueEnrollmentConflict: 'idempotency_key_in_progress' | 'conflict' | 'enrollment_is_not_ended' | 'choice_group_taken'
  OperatorRenewHrisAccessConflict: 'conflict' | 'hris_connection_has_ended' | 'hris_connection_takes_no_token'
  OperatorResumeHrisConflict: 'idempotency_key_in_progress' | 'conflict' | 'hris_connection_has_ended' | 'hris_connection_is_running'
  OperatorResumeWebhookSubscriptionConflict: 'idempotency_key_in_progress' | 'conflict' | 'webhook_subscription_disabled_on_request'
  OperatorRunInvoiceDayConflict: 'idempotency_key_in_progress' | 'conflict' | 'invoice_already_drafted'
  OperatorRunJobConflict: 'idempotency_key_in_progress' | 'conflict' | 'job_is_running'
  OperatorSyncHrisConflict: 'idempotency_key_in_progress' | 'conflict' | 'hris_connection_has_ended' | 'hris_connection_is_paused' | 'hris_connection_is_inactive'
  OperatorTellSandboxPayrollConflict: 'conflict' | 'hris_connection_has_ended' | 'hris_connection_is_no_sandbox'
  OperatorTerminateEmployeeConflict: 'idempotency_key_in_progress' | 'conflict' | 'employee_already_terminated'
  OperatorUploadHrisFileConflict: 'idempotency_key_in_progress' | 'conflict' | 'hris_connection_has_ended' | 'hris_connection_is_paused' | 'hris_connection_takes_no_files' | 'employer_has_no_active_subscription'
  OperatorVoidInvoiceConflict: 'idempotency_key_in_progress' | 'conflict' | 'invoice_is_paid'
  OperatorWithdrawBenefitPlanYearAmendmentConflict: 'idempotency_key_in_progress' | 'conflict' | 'amendment_is_withdrawn' | 'amendment_is_not_last' | 'plan_year_overlaps'
  OperatorWithdrawBenefitPlanYearAmendmentUnprocessable: 'idempotency_key_reused' | 'invalid_amendment'
  OperatorWithdrawDisabilityConflict: 'conflict' | 'dependent_not_disabled'
  PayloadTooLarge: 'payload_too_large'
  UnsupportedMediaType: 'unsupported_media_type'
  UpstreamError: 'upstream_error'
}

/** The codes that each method may be refused with. */
export interface OperatorErrors {
  'sandbox.getClock': Refused | Refusals['NotFound']
  'sandbox.moveClock': Refused | Refusals['NotFound' | 'OperatorMoveClockConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'OperatorMoveClockUnprocessable']
  'authentication.getToken': Refused
  'operators.list': Refused
  'operators.create': Refused | Refusals['ForbiddenOrSignInAgain' | 'OperatorCreateOperatorConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'IdempotencyKeyReused']
  'operators.update': Refused | Refusals['ForbiddenOrSignInAgain' | 'NotFound' | 'OperatorChangeOperatorConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType']
  'operators.dismiss': Refused | Refusals['NotFound' | 'OperatorChangeOperatorConflict']
  'operators.listKeys': Refused | Refusals['NotFound']
  'operators.createKey': Refused | Refusals['ForbiddenOrSignInAgain' | 'NotFound' | 'ConflictOrAnswerForgotten' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'IdempotencyKeyReused']
  'operators.revokeKey': Refused | Refusals['NotFound' | 'Conflict']
  'operators.listInvitations': Refused
  'operators.invite': Refused | Refusals['ForbiddenOrSignInAgain' | 'ConflictOrAnswerForgotten' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'IdempotencyKeyReused']
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
  'employers.list': Refused
  'employers.get': Refused | Refusals['NotFound']
  'employers.getSettings': Refused | Refusals['NotFound']
  'employers.listAdmins': Refused | Refusals['NotFound']
  'employers.addAdmin': Refused | Refusals['NotFound' | 'OperatorAddEmployerAdminConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'IdempotencyKeyReused']
  'employers.removeAdmin': Refused | Refusals['NotFound' | 'Conflict']
  'employers.administer': Refused | Refusals['NotFound' | 'OperatorAdministerEmployerConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType']
  'catalog.import': Refused | Refusals['NotFound' | 'ConflictOrInProgress' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'OperatorImportCatalogUnprocessable']
  'catalog.get': Refused | Refusals['NotFound']
  'employees.explainEligibility': Refused | Refusals['NotFound']
  'planYears.list': Refused | Refusals['NotFound']
  'planYears.open': Refused | Refusals['NotFound' | 'OperatorOpenBenefitPlanYearConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'OperatorOpenBenefitPlanYearUnprocessable']
  'enrollments.list': Refused | Refusals['NotFound']
  'enrollments.get': Refused | Refusals['NotFound']
  'enrollments.getHistory': Refused | Refusals['NotFound']
  'enrollments.correct': Refused | Refusals['NotFound' | 'OperatorCorrectEnrollmentConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'OperatorCorrectEnrollmentUnprocessable']
  'enrollments.reissue': Refused | Refusals['NotFound' | 'OperatorReissueEnrollmentConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'IdempotencyKeyReused']
  'planYears.update': Refused | Refusals['NotFound' | 'OperatorChangeBenefitPlanYearConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'OperatorChangeBenefitPlanYearUnprocessable']
  'planYears.copy': Refused | Refusals['NotFound' | 'OperatorOpenBenefitPlanYearConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'OperatorOpenBenefitPlanYearUnprocessable']
  'dependents.approveDisability': Refused | Refusals['NotFound' | 'OperatorApproveDisabilityConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'IdempotencyKeyReused']
  'dependents.withdrawDisability': Refused | Refusals['NotFound' | 'OperatorWithdrawDisabilityConflict']
  'dependents.list': Refused | Refusals['NotFound']
  'lifeEvents.list': Refused
  'lifeEvents.approve': Refused | Refusals['NotFound' | 'OperatorApproveLifeEventConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'IdempotencyKeyReused']
  'lifeEvents.decline': Refused | Refusals['NotFound' | 'OperatorApproveLifeEventConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'IdempotencyKeyReused']
  'lifeEvents.listOf': Refused | Refusals['NotFound']
  'statements.listAll': Refused | Refusals['NotFound']
  'statements.list': Refused | Refusals['NotFound']
  'statements.run': Refused | Refusals['NotFound' | 'ConflictOrInProgress' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'IdempotencyKeyReused']
  'deductions.prove': Refused | Refusals['NotFound']
  'planYears.listAmendments': Refused | Refusals['NotFound']
  'planYears.amend': Refused | Refusals['NotFound' | 'OperatorAmendBenefitPlanYearConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'OperatorAmendBenefitPlanYearUnprocessable']
  'planYears.withdrawAmendment': Refused | Refusals['NotFound' | 'OperatorWithdrawBenefitPlanYearAmendmentConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'OperatorWithdrawBenefitPlanYearAmendmentUnprocessable']
  'billingSystem.get': Refused | Refusals['NotFound']
  'billingSystem.choose': Refused | Refusals['NotFound' | 'Conflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'OperatorChooseBillingSystemUnprocessable']
  'invoices.listAll': Refused | Refusals['NotFound']
  'invoices.listAging': Refused | Refusals['NotFound']
  'invoices.list': Refused | Refusals['NotFound' | 'OperatorListInvoicesUnprocessable']
  'invoices.listLines': Refused | Refusals['NotFound']
  'invoices.getPdf': Refused | Refusals['NotFound' | 'UpstreamError']
  'invoices.runDay': Refused | Refusals['NotFound' | 'OperatorRunInvoiceDayConflict' | 'IdempotencyKeyReused']
  'invoices.issue': Refused | Refusals['NotFound' | 'OperatorIssueInvoiceConflict' | 'IdempotencyKeyReused']
  'invoices.pay': Refused | Refusals['NotFound' | 'OperatorPayInvoiceConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'IdempotencyKeyReused']
  'invoices.void': Refused | Refusals['NotFound' | 'OperatorVoidInvoiceConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'IdempotencyKeyReused']
  'manualAdjustments.list': Refused | Refusals['NotFound']
  'manualAdjustments.book': Refused | Refusals['NotFound' | 'ConflictOrInProgress' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'OperatorBookManualAdjustmentUnprocessable']
  'invoices.getReconciliation': Refused | Refusals['NotFound']
  'employees.get': Refused | Refusals['NotFound']
  'dependents.find': Refused
  'members.find': Refused
  'members.get': Refused | Refusals['NotFound']
  'members.listEnrollments': Refused | Refusals['NotFound']
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
  'hris.tellSandboxPayroll': Refused | Refusals['NotFound' | 'OperatorTellSandboxPayrollConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType']
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
  'webhookSubscriptions.listDeliveries': Refused | Refusals['NotFound']
  'webhookSubscriptions.resume': Refused | Refusals['NotFound' | 'OperatorResumeWebhookSubscriptionConflict' | 'IdempotencyKeyReused']
  'webhookEvents.listDeliveries': Refused | Refusals['NotFound']
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
  'apiKeys.create': Refused | Refusals['ForbiddenOrSignInAgain' | 'ConflictOrAnswerForgotten' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'OperatorCreateApiKeyUnprocessable']
  'apiKeys.list': Refused
  'apiKeys.revoke': Refused | Refusals['NotFound' | 'Conflict']
  'subscriptions.list': Refused | Refusals['NotFound']
  'subscriptions.grant': Refused | Refusals['NotFound' | 'OperatorGrantSubscriptionConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'IdempotencyKeyReused']
  'subscriptions.end': Refused | Refusals['NotFound' | 'OperatorEndSubscriptionConflict' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'OperatorEndSubscriptionUnprocessable']
}

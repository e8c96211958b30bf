// Generated from openapi.operator.json by npm run gen.

import type { OperationTable } from '../core/operations.ts'
import type { CallOptions } from '../core/options.ts'
import type { Pages } from '../core/pages.ts'
import type {
  AffordabilityFigures,
  Amendment,
  AmendmentPage,
  AmendmentPreview,
  AmendmentResponse,
  AmendmentWithdrawal,
  ApiKey,
  ApiKeyId,
  ApiKeyPage,
  AuditEntry,
  AuditEntryPage,
  BenefitId,
  BenefitPlanYear,
  BenefitPlanYearAmendmentId,
  BenefitPlanYearId,
  BillingSystemChanges,
  BillingSystemSettings,
  Catalog,
  CatalogBenefitChanges,
  CatalogImport,
  CatalogImportOutcome,
  CensusOutcome,
  CensusSync,
  CensusSyncId,
  CensusSyncPage,
  ClockMove,
  CorrectedEmployee,
  CorrectedEnrollment,
  CreatedOperator,
  CredentialUsage,
  DeductionProof,
  DeletedNote,
  Dependent,
  DependentId,
  DependentPage,
  Disability,
  Document,
  DocumentId,
  DocumentPage,
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
  EmployerAffordability,
  EmployerId,
  EmployerPage,
  EmployerRow,
  EmployerSettings,
  EmployerSetup,
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
  LifeEventDecline,
  LifeEventId,
  LifeEventPage,
  LowestCostSilverImport,
  LowestCostSilverImportOutcome,
  LowestCostSilverPage,
  LowestCostSilverPremium,
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
  NewNote,
  NewOperator,
  NewOperatorInvitation,
  NewOperatorKey,
  NewPlanYear,
  NewSubscription,
  NewUser,
  Note,
  NoteChanges,
  NoteId,
  NotePage,
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
  OperatorListEmployerNotesQuery,
  OperatorListEmployeeNotesQuery,
  OperatorImportCatalogQuery,
  OperatorListDocumentsQuery,
  OperatorExplainEligibilityQuery,
  OperatorListEmployeeEnrollmentsQuery,
  OperatorGetEnrollmentHistoryQuery,
  OperatorListDependentsQuery,
  OperatorListEmployeeLifeEventsQuery,
  OperatorListLifeEventsQuery,
  OperatorListBenefitPlanYearAmendmentsQuery,
  OperatorListManualAdjustmentsQuery,
  OperatorListPayrollDeductionStatementsQuery,
  OperatorProveDeductionsQuery,
  OperatorListAllPayrollDeductionStatementsQuery,
  OperatorListInvoiceLinesQuery,
  OperatorListAllInvoicesQuery,
  OperatorListInvoiceAgingQuery,
  OperatorListInvoicesQuery,
  OperatorListMemberEnrollmentsQuery,
  OperatorFindDependentsQuery,
  OperatorFindMembersQuery,
  OperatorListEmployeeCorrectionsQuery,
  OperatorListCensusSyncsQuery,
  OperatorListHrisRunsQuery,
  OperatorListHrisRunPeopleQuery,
  OperatorListOpenHrisConnectionsQuery,
  OperatorListGroupMemberSyncsQuery,
  OperatorEmployersGetAffordabilityQuery,
  OperatorListWebhookSubscriptionsQuery,
  OperatorListWebhookEventsQuery,
  OperatorCountWebhookEventsQuery,
  OperatorListWebhookEventDeliveriesQuery,
  OperatorListWebhookDeliveriesQuery,
  OperatorListJobsQuery,
  OperatorListUsersQuery,
  OperatorListOrganizationsQuery,
  OperatorListMembershipsQuery,
  OperatorListApiKeysQuery,
  OperatorListSubscriptionsQuery,
} from './types.gen.ts'

/** All operations by method name, encoded for core/operations.ts. */
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
    get: 'GET /operator/v1/employers/{employer_id} data',
    getSettings: 'GET /operator/v1/employers/{employer_id}/settings data',
    list: 'GET /operator/v1/employers query page:data',
    listAdmins: 'GET /operator/v1/employers/{employer_id}/admins query page:data',
    addAdmin: 'POST /operator/v1/employers/{employer_id}/admins body keyed data',
    removeAdmin: 'DELETE /operator/v1/employers/{employer_id}/admins/{employer_admin_id} data',
    administer: 'PATCH /operator/v1/employers/{employer_id}/administration body data',
    getSetup: 'GET /operator/v1/employers/{employer_id}/setup data',
    getAffordability: 'GET /operator/v1/employers/{employer_id}/affordability query data',
  },
  notes: {
    listOfEmployer: 'GET /operator/v1/employers/{employer_id}/notes query page:data',
    addToEmployer: 'POST /operator/v1/employers/{employer_id}/notes body keyed data',
    listOfEmployee: 'GET /operator/v1/employees/{employee_id}/notes query page:data',
    addToEmployee: 'POST /operator/v1/employees/{employee_id}/notes body keyed data',
    update: 'PATCH /operator/v1/notes/{note_id} body data',
    delete: 'DELETE /operator/v1/notes/{note_id} data',
  },
  catalog: {
    import: 'POST /operator/v1/organizations/{organization_id}/catalog/import body query keyed data',
    get: 'GET /operator/v1/organizations/{organization_id}/catalog data',
    updateBenefit: 'PATCH /operator/v1/organizations/{organization_id}/benefits/{benefit_id} body data',
  },
  documents: {
    list: 'GET /operator/v1/organizations/{organization_id}/documents query page:data',
    get: 'GET /operator/v1/documents/{document_id} data',
    getLink: 'GET /operator/v1/documents/{document_id}/download data',
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
    list: 'GET /operator/v1/employees/{employee_id}/dependents query page:data',
    approveDisability: 'POST /operator/v1/dependents/{dependent_id}/disability body keyed data',
    withdrawDisability: 'DELETE /operator/v1/dependents/{dependent_id}/disability data',
    find: 'GET /operator/v1/dependents query page:data',
  },
  lifeEvents: {
    listOf: 'GET /operator/v1/employees/{employee_id}/qualifying-life-events query page:data',
    list: 'GET /operator/v1/qualifying-life-events query page:data',
    approve: 'POST /operator/v1/qualifying-life-events/{life_event_id}/approve body keyed data',
    decline: 'POST /operator/v1/qualifying-life-events/{life_event_id}/decline body keyed data',
  },
  manualAdjustments: {
    list: 'GET /operator/v1/employers/{employer_id}/manual-adjustments query page:data',
    book: 'POST /operator/v1/enrollments/{enrollment_id}/manual-adjustments body keyed data',
  },
  statements: {
    list: 'GET /operator/v1/employers/{employer_id}/payroll-deduction-statements query page:data',
    listAll: 'GET /operator/v1/organizations/{organization_id}/payroll-deduction-statements query cursor:data',
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
    getPdf: 'GET /operator/v1/employers/{employer_id}/invoices/{invoice_id}/pdf data',
    listLines: 'GET /operator/v1/employers/{employer_id}/invoices/{invoice_id}/lines query page:data',
    listAll: 'GET /operator/v1/organizations/{organization_id}/invoices query cursor:data',
    listAging: 'GET /operator/v1/organizations/{organization_id}/invoices/aging query page:data',
    list: 'GET /operator/v1/employers/{employer_id}/invoices query cursor:data',
    runDay: 'POST /operator/v1/employers/{employer_id}/invoices/run keyed data',
    issue: 'POST /operator/v1/employers/{employer_id}/invoices/{invoice_id}/issue keyed data',
    pay: 'POST /operator/v1/employers/{employer_id}/invoices/{invoice_id}/pay body keyed data',
    void: 'POST /operator/v1/employers/{employer_id}/invoices/{invoice_id}/void body keyed data',
    getReconciliation: 'GET /operator/v1/employers/{employer_id}/invoices/{invoice_id}/reconciliation data',
  },
  members: {
    get: 'GET /operator/v1/members/{member_id} data',
    listEnrollments: 'GET /operator/v1/members/{member_id}/enrollments query page:data',
    find: 'GET /operator/v1/members query page:data',
  },
  census: {
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
    setSandboxPayroll: 'PUT /operator/v1/hris-connections/{hris_connection_id}/payroll body data',
    listRuns: 'GET /operator/v1/hris-connections/{hris_connection_id}/runs query page:data',
    getRun: 'GET /operator/v1/hris-runs/{hris_run_id} data',
    listRunPeople: 'GET /operator/v1/hris-runs/{hris_run_id}/people query page:data',
    confirmRun: 'POST /operator/v1/hris-runs/{hris_run_id}/confirm keyed data',
    listOpenConnections: 'GET /operator/v1/hris-connections query page:data',
  },
  groups: {
    getMemberSync: 'GET /operator/v1/group-member-syncs/{request_id} data',
    listMemberSyncs: 'GET /operator/v1/group-member-syncs query page:data',
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

/** All methods of the operator API. */
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
  notes: NotesMethods
  catalog: CatalogMethods
  documents: DocumentsMethods
  employees: EmployeesMethods
  planYears: PlanYearsMethods
  enrollments: EnrollmentsMethods
  dependents: DependentsMethods
  lifeEvents: LifeEventsMethods
  manualAdjustments: ManualAdjustmentsMethods
  statements: StatementsMethods
  deductions: DeductionsMethods
  billingSystem: BillingSystemMethods
  invoices: InvoicesMethods
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
   * Get the clock of an organization. `GET /operator/v1/organizations/{organization_id}/clock`
   *
   * Returns today's date at the organization: today in New York, unless its clock was moved.
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
   * //   has_pending_work: true
   * // }
   * ```
   */
  getClock(organization_id: OrganizationId, options?: CallOptions): Promise<OrganizationClock>

  /**
   * Move the clock of a sandbox organization. `PUT /operator/v1/organizations/{organization_id}/clock`
   *
   * Moves a sandbox organization to a later day, so that you can test changes that depend on time. Every day in between runs in order before the response is sent. The clock continues from there and never moves back. One request can move it by at most 731 days; the current day is accepted and changes nothing. The request is refused while jobs about its employers are waiting, so retry it a moment later. Other organizations, credentials and their limits stay on the calendar. Writes of other processes use the new day immediately, and their reads use it within 5 seconds.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @throws {ApiError} among others `organization_is_not_a_sandbox`, `clock_moves_forward_only`, `work_is_pending`, `clock_moves_too_far`
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
   * //   days_run: 2
   * // }
   * ```
   */
  moveClock(organization_id: OrganizationId, body: ClockMove, options?: CallOptions): Promise<MovedClock>
}

export interface AuthenticationMethods {
  /**
   * Describe the credential. `GET /operator/v1/auth/token`
   *
   * Describes the credential of the request: the operator, role, key and expiry.
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
   * //     id: 'opkey_01kdq7b4w8e9rs2mh3n5t6v701',
   * //     name: 'The sandbox',
   * //     last_four: '4XGo'
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
   * List operators. `GET /operator/v1/operators`
   *
   * Returns the operators of the installation with their roles.
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
   * Create an operator. `POST /operator/v1/operators`
   *
   * Creates an operator with a first key. The response shows the key once, so hand it over through a secure channel. The bootstrap key from the settings creates the first operator, who must be an owner. It is rejected from then on.
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
   * //     id: 'opkey_01kdq7b4w8e9rs2mh3n5t6v700',
   * //     operator_id: 'usr_01kdq7b4w8e9rs2mh3n5t6v701',
   * //     name: 'First key',
   * //     last_four: 'Wd1M',
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
  create(body: NewOperator, options?: CallOptions): Promise<CreatedOperator>

  /**
   * Change the role of an operator. `PATCH /operator/v1/operators/{operator_id}`
   *
   * The new role also applies to existing keys, within 5 seconds in every process.
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
   * //   id: 'usr_01kdq7b4w8e9rs2mh3n5t6v705',
   * //   name: 'Lena Strand',
   * //   email: 'lena@example.com',
   * //   role: 'support',
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   ended_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  update(operator_id: UserId, body: OperatorChanges, options?: CallOptions): Promise<Operator>

  /**
   * Dismiss an operator. `DELETE /operator/v1/operators/{operator_id}`
   *
   * Permanently ends the operator's role and revokes all keys, within 5 seconds in every process.
   *
   * Accepts operators with the role `owner`.
   *
   * @throws {ApiError} among others `last_owner`
   *
   * @example
   * ```ts
   * await operator.operators.dismiss(operator_id)
   * // {
   * //   id: 'usr_01kdq7b4w8e9rs2mh3n5t6v705',
   * //   name: 'Lena Strand',
   * //   email: 'lena@example.com',
   * //   role: 'support',
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   ended_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  dismiss(operator_id: UserId, options?: CallOptions): Promise<Operator>

  /**
   * List the keys of an operator. `GET /operator/v1/operators/{operator_id}/keys`
   *
   * Returns the keys, newest first, including expired and revoked ones. Operators can list their own keys; owners can list any operator's keys.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.operators.listKeys(operator_id)) console.log(row)
   * // {
   * //   id: 'opkey_01kdq7b4w8e9rs2mh3n5t6v702',
   * //   operator_id: 'usr_01kdq7b4w8e9rs2mh3n5t6v705',
   * //   name: 'Laptop',
   * //   last_four: '8bza',
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
   * Operators create keys for themselves; owners create keys for any operator. The key has the operator's role and always expires. The response shows it once.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * await operator.operators.createKey(operator_id, {
   *   name: 'Laptop'
   * })
   * // {
   * //   id: 'opkey_01kdq7b4w8e9rs2mh3n5t6v702',
   * //   operator_id: 'usr_01kdq7b4w8e9rs2mh3n5t6v705',
   * //   name: 'Laptop',
   * //   last_four: '8bza',
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
   * Operators revoke their own keys; owners revoke any operator's keys. The key stops working within 5 seconds in every process.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * await operator.operators.revokeKey(operator_id, operator_key_id)
   * // {
   * //   id: 'opkey_01kdq7b4w8e9rs2mh3n5t6v702',
   * //   operator_id: 'usr_01kdq7b4w8e9rs2mh3n5t6v706',
   * //   name: 'The sandbox',
   * //   last_four: 'J8AP',
   * //   created_by: null,
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   last_used_at: null,
   * //   expires_at: '2199-01-01T00:00:00.000Z',
   * //   revoked_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  revokeKey(operator_id: UserId, operator_key_id: OperatorKeyId, options?: CallOptions): Promise<OperatorKey>

  /**
   * List operator invitations. `GET /operator/v1/operator-invitations`
   *
   * Returns the invitations of operators with their status, newest first.
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
   * Invite an operator. `POST /operator/v1/operator-invitations`
   *
   * The response includes a link, which is shown once and expires after 7 days. The invited person opens it and signs in at the identity provider of the installation with the invited email address. An existing operator with that address who only has keys can sign in from then on.
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
   * //   url: 'http://127.0.0.1:37923/invitations/operator.7AB0GzwxcTz26GkDInIfKtw5cgHE4UsnZ0iSHnoWFBY'
   * // }
   * ```
   */
  invite(body: NewOperatorInvitation, options?: CallOptions): Promise<ShownOperatorInvitation>

  /**
   * Withdraw an operator invitation. `DELETE /operator/v1/operator-invitations/{operator_invitation_id}`
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
   * //   status: 'revoked',
   * //   invited_by: 'usr_01kdq7b4w8e9rs2mh3n5t6v702',
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   expires_at: '2026-03-17T16:00:00.000Z',
   * //   accepted_at: null,
   * //   accepted_by: null,
   * //   revoked_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  withdrawInvitation(operator_invitation_id: InvitationId, options?: CallOptions): Promise<OperatorInvitation>
}

export interface InvitationsMethods {
  /**
   * List the invitations to an organization. `GET /operator/v1/organizations/{organization_id}/invitations`
   *
   * Returns the invitations with their status, newest first.
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
   * Invite a person to an organization. `POST /operator/v1/organizations/{organization_id}/invitations`
   *
   * The response includes a link, which is shown once and expires after 7 days. The invited person opens it and signs in at the identity provider of the installation with the invited email address. An existing member with that address who only has keys can sign in from then on.
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
   * //   url: 'http://127.0.0.1:37923/invitations/org_01kdq7b4w8e9rs2mh3n5t6v700.AAmUMuuvDAGImji6aDgcJUkTGd-delXzHLMdOnE92Xw'
   * // }
   * ```
   */
  create(organization_id: OrganizationId, body: NewMemberInvitation, options?: CallOptions): Promise<ShownMemberInvitation>

  /**
   * Withdraw an invitation to an organization. `DELETE /operator/v1/invitations/{invitation_id}`
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
   * Returns the browser sessions of operators and members, newest first. Ended sessions are listed for 90 days.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.sessions.list()) console.log(row)
   * // {
   * //   id: 'sess_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   user_id: 'usr_01kdq7b4w8e9rs2mh3n5t6v707',
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
   * End a session. `DELETE /operator/v1/sessions/{session_id}`
   *
   * Ends the session. Its access tokens stop working within 5 seconds in every process. All operators can end their own sessions. `operations` can also end sessions of members, and owners can end any session.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * await operator.sessions.revoke(session_id)
   * // {
   * //   id: 'sess_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   user_id: 'usr_01kdq7b4w8e9rs2mh3n5t6v707',
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
   * List the usage of an organization's credentials. `GET /operator/v1/organizations/{organization_id}/usage`
   *
   * Returns the number of requests of each credential since a day, in descending order. Updated every 30 seconds.
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
   * Returns organizations, newest first, each with the state of its daily run.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.organizations.list()) console.log(row)
   * // {
   * //   id: 'org_01kdq7b4w8e9rs2mh3n5t6v703',
   * //   name: 'Lantern Benefits',
   * //   type: 'BROKERAGE',
   * //   idp_org_id: 'org_01kdq7b4w8e9rs2mh3n5t6v703',
   * //   idp_provider: 'service',
   * //   super_in: false,
   * //   sandbox: true,
   * //   employer_count: 0,
   * //   member_count: 0,
   * //   today: '2026-03-12',
   * //   last_day_run_on: '2026-03-12',
   * //   late: false,
   * //   created_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  list(query?: OperatorListOrganizationsQuery, options?: CallOptions): Pages<OperatedOrganization, OperatedOrganizationPage>

  /**
   * Create an organization. `POST /operator/v1/organizations`
   *
   * Operators can create any number of organizations, even for a user who already has one. With `super_in`, the members can read all organizations.
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
   * //   id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   name: 'Harbor Benefits',
   * //   type: 'BROKERAGE',
   * //   idp_org_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   idp_provider: 'service',
   * //   super_in: false,
   * //   sandbox: true,
   * //   employer_count: 12,
   * //   member_count: 38,
   * //   today: '2026-03-10',
   * //   last_day_run_on: '2026-03-10',
   * //   late: false,
   * //   created_at: '2024-07-18T16:00:00.000Z'
   * // }
   * ```
   */
  get(organization_id: OrganizationId, options?: CallOptions): Promise<OperatedOrganization>

  /**
   * Run the day of an organization now. `POST /operator/v1/organizations/{organization_id}/daily-run`
   *
   * Runs the daily jobs of all days that are due, before other work. `last_day_run_on` shows the progress. Repeating the request runs no day twice.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @example
   * ```ts
   * await operator.organizations.runDay(organization_id)
   * // {
   * //   id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   name: 'Harbor Benefits',
   * //   type: 'BROKERAGE',
   * //   idp_org_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   idp_provider: 'service',
   * //   super_in: false,
   * //   sandbox: true,
   * //   employer_count: 12,
   * //   member_count: 38,
   * //   today: '2026-03-10',
   * //   last_day_run_on: '2026-03-10',
   * //   late: false,
   * //   created_at: '2024-07-18T16:00:00.000Z'
   * // }
   * ```
   */
  runDay(organization_id: OrganizationId, options?: CallOptions): Promise<OperatedOrganization>
}

export interface ApiKeysMethods {
  /**
   * List the usage of an API key. `GET /operator/v1/api-keys/{api_key_id}/usage`
   *
   * Returns the usage by day and operation, latest day first, at most 1,000 rows. It includes requests with tokens issued by the key.
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
   * The key is in this response and cannot be retrieved again. Use a secure channel to pass it on.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @throws {ApiError} among others `user_is_not_a_member`, `key_of_other_mode`
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
   * //   last_four: '44Ua',
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
   * Returns the keys of all organizations and users, newest first, including expired and revoked ones.
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
   * //   last_four: '44Ua',
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
   * Ends the key and all tokens issued from it, within 5 seconds in every process.
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
   * List audit entries. `GET /operator/v1/audit-entries`
   *
   * Returns the entries of all organizations, including operations of no single organization, such as lists across all. Newest first. To get the next page, send `next_offset` of the previous page as `offset`, until it is null. A page may have fewer entries than its limit, or none, even if more pages follow. A request appears in the list within a second.
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
   * //   operation: 'employers_preview_measurement_policies',
   * //   resource_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   outcome: 'succeeded',
   * //   status: 200,
   * //   actor: {
   * //     kind: 'api_key',
   * //     id: 'key_01kdq7b4w8e9rs2mh3n5t6v701',
   * //     user_id: 'usr_01kdq7b4w8e9rs2mh3n5t6v700'
   * //   },
   * //   address: '127.0.0.1',
   * //   trace_id: '59450fce-d141-4029-8561-b54705450a3d',
   * //   fields: [
   * //     'policies'
   * //   ]
   * // }
   * ```
   */
  list(query?: OperatorListAuditEntriesQuery, options?: CallOptions): Pages<AuditEntry, AuditEntryPage>

  /**
   * Export audit entries. `GET /operator/v1/audit-entries/export`
   *
   * Returns a link to a file of all matching entries, newest first. The file is generated when the link is opened.
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
   * Imports public figures for all organizations: the monthly premium of the lowest-cost silver plan for one person, by state, optional county, age and month. They determine whether an ICHRA is affordable. Adds new premiums and updates existing ones. Importing the same rows again changes nothing.
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
   * Returns the premiums by state, county, month and age, optionally for one state or county.
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
   * Save the affordability figures of a year. `POST /operator/v1/affordability-figures`
   *
   * Saves public figures for all organizations that determine whether coverage is affordable, and the assessable payments of large employers. Releases include them; figures saved here take precedence. Figures you do not send keep their value. Returns the figures of every year.
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
   *   },
   *   assessable_payments: {
   *     no_offer: 3340,
   *     unaffordable_offer: 5010
   *   }
   * })
   * // [
   * //   {
   * //     year: 2027,
   * //     required_contribution_percentage: 10.22,
   * //     poverty_guidelines: null,
   * //     assessable_payments: {
   * //       no_offer: 3780,
   * //       unaffordable_offer: 5670
   * //     }
   * //   }
   * // ]
   * ```
   */
  setAffordabilityFigures(body: NewAffordabilityFigures, options?: CallOptions): Promise<AffordabilityFigures[]>

  /**
   * List the affordability figures. `GET /operator/v1/affordability-figures`
   *
   * Returns the figures of each year, latest first. Saved figures take precedence over those in the release.
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
   * //     poverty_guidelines: null,
   * //     assessable_payments: {
   * //       no_offer: 3780,
   * //       unaffordable_offer: 5670
   * //     }
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
   * Returns the open tasks, oldest first, each with the operation that completes it.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.tasks.list()) console.log(row)
   * // {
   * //   id: 'task_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   kind: 'enrollment_lapsing',
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   organization_name: 'Harbor Benefits',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v707',
   * //   employer_name: 'Copper Kettle Café',
   * //   person_name: 'Nora Olsen',
   * //   resource_id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v70c',
   * //   details: {
   * //     reason: 'plan_not_offered',
   * //     benefit_id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v701',
   * //     employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v70h',
   * //     coverage_ends_on: '2026-04-01',
   * //     benefit_plan_year_id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v706',
   * //     former_enrollment_id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v70d'
   * //   },
   * //   opened_at: '2026-02-01T17:00:00.000Z',
   * //   action: {
   * //     operation: 'operator_correct_enrollment',
   * //     method: 'POST',
   * //     path: '/operator/v1/enrollments/enrl_01kdq7b4w8e9rs2mh3n5t6v70c/corrections'
   * //   }
   * // }
   * ```
   */
  list(query?: OperatorListTasksQuery, options?: CallOptions): Pages<Task, TaskPage>
}

export interface EmployersMethods {
  /**
   * Get an employer. `GET /operator/v1/employers/{employer_id}`
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * await operator.employers.get(employer_id)
   * // {
   * //   id: 'empr_01kdq7b4w8e9rs2mh3n5t6v703',
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   name: 'Sunrise Bakery',
   * //   legal_name: 'Sunrise Bakery LLC',
   * //   ein: '**-***0917',
   * //   reference_id: 'SUNRISE',
   * //   email: 'office@sunrise-bakery.example.com',
   * //   phone_number: '5185550142',
   * //   active: true,
   * //   address: {
   * //     address_line_1: '100 Post Oak Rd',
   * //     address_line_2: null,
   * //     city: 'Albany',
   * //     state: 'NY',
   * //     zipcode: '12207'
   * //   },
   * //   eligibility_policy_id: 'epol_01kdq7b4w8e9rs2mh3n5t6v702',
   * //   owner: {
   * //     user_id: 'usr_01kdq7b4w8e9rs2mh3n5t6v703',
   * //     name: 'Omar Haddad'
   * //   },
   * //   created_at: '2024-10-06T16:00:00.000Z',
   * //   updated_at: '2026-02-18T17:00:00.000Z'
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
   * //   census_values: [],
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
   * List or find employers. `GET /operator/v1/employers`
   *
   * Returns employers of all organizations or of one, newest first, including cancelled ones. Each has the columns of the employer book.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.employers.list()) console.log(row)
   * // {
   * //   id: 'empr_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   name: 'Copper Cove Cannery',
   * //   legal_name: 'Bakery H LLC',
   * //   ein: '**-***0007',
   * //   reference_id: null,
   * //   email: 'office7@bakery.example.com',
   * //   phone_number: null,
   * //   active: true,
   * //   address: {
   * //     address_line_1: '7 Post Rd',
   * //     address_line_2: null,
   * //     city: 'Albany',
   * //     state: 'NY',
   * //     zipcode: '12207'
   * //   },
   * //   eligibility_policy_id: null,
   * //   owner: null,
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   updated_at: '2026-03-10T16:00:00.000Z',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v701',
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
   * //   renews_on: null,
   * //   employee_count: 0,
   * //   monthly_premium_in_cents: null,
   * //   next_date: null
   * // }
   * ```
   */
  list(query?: OperatorListEmployersQuery, options?: CallOptions): Pages<EmployerRow, EmployerPage>

  /**
   * List the admins of an employer. `GET /operator/v1/employers/{employer_id}/admins`
   *
   * Returns the current admins, oldest first.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.employers.listAdmins(employer_id)) console.log(row)
   * // {
   * //   id: 'eadm_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v708',
   * //   email: 'office5@bakery.example.com',
   * //   name: null,
   * //   phone: null,
   * //   created_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  listAdmins(employer_id: EmployerId, query?: OperatorListEmployerAdminsQuery, options?: CallOptions): Pages<EmployerAdmin, EmployerAdminPage>

  /**
   * Add an admin to an employer. `POST /operator/v1/employers/{employer_id}/admins`
   *
   * The employer can be found by the email address of an admin. An admin has no access to the service. The first admin has no name until you send one with the same email address.
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
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v704',
   * //   email: 'ada@blueheron.example',
   * //   name: 'Ada Lindgren',
   * //   phone: '4155550123',
   * //   created_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  addAdmin(employer_id: EmployerId, body: NewEmployerAdmin, options?: CallOptions): Promise<EmployerAdmin>

  /**
   * Remove an admin from an employer. `DELETE /operator/v1/employers/{employer_id}/admins/{employer_admin_id}`
   *
   * The employer can no longer be found by this email address. You can add the admin again.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @example
   * ```ts
   * await operator.employers.removeAdmin(employer_id, employer_admin_id)
   * // {
   * //   id: 'eadm_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v704',
   * //   email: 'ada@blueheron.example',
   * //   name: 'Ada Lindgren',
   * //   phone: '4155550123',
   * //   created_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  removeAdmin(employer_id: EmployerId, employer_admin_id: EmployerAdminId, options?: CallOptions): Promise<EmployerAdmin>

  /**
   * Update the administration of an employer. `PATCH /operator/v1/employers/{employer_id}/administration`
   *
   * Sets the go-live day and the correction window of an employer. Use it to take over an employer in the middle of a plan year: deductions and invoices start with the go-live day. Only the fields you send change. The response contains all settings of the employer.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @throws {ApiError} among others `months_adjusted_manually`
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
   * //   census_values: [],
   * //   deductions_per_year: null,
   * //   final_deductions: 'collect',
   * //   arrears_limit_percent: 50,
   * //   administered_from: '2025-10-01',
   * //   correction_reach_months: 3
   * // }
   * ```
   */
  administer(employer_id: EmployerId, body?: EmployerAdministration, options?: CallOptions): Promise<EmployerSettings>

  /**
   * Get the setup of an employer. `GET /operator/v1/employers/{employer_id}/setup`
   *
   * Returns the steps from a new employer to its first coverage. Each step follows from the current data of the employer, so no request completes a step by itself.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * await operator.employers.getSetup(employer_id)
   * // {
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v709',
   * //   done_count: 1,
   * //   step_count: 8,
   * //   is_subscribed: true,
   * //   steps: [
   * //     {
   * //       step: 'details',
   * //       status: 'done',
   * //       actor: null,
   * //       starts_on: null
   * //     }
   * //   ],
   * //   plan_year_request: {
   * //     coverage_start: '2026-05-01',
   * //     coverage_end: null,
   * //     open_enrollment_start: '2026-04-01',
   * //     open_enrollment_end: null,
   * //     plans: [
   * //       {
   * //         id: 'pln_01kdq7b4w8e9rs2mh3n5t6v700',
   * //         name: 'Brightside DHMO',
   * //         benefit_id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v701',
   * //         benefit_name: 'Dental'
   * //       }
   * //     ],
   * //     message: 'As agreed',
   * //     requested_at: '2026-03-10T16:00:00.000Z'
   * //   }
   * // }
   * ```
   */
  getSetup(employer_id: EmployerId, options?: CallOptions): Promise<EmployerSetup>

  /**
   * Get the affordable cost of coverage at an employer. `GET /operator/v1/employers/{employer_id}/affordability`
   *
   * Returns the highest monthly cost of coverage for the employee alone that is affordable for every full-time employee, by the federal poverty line or the rate of pay. `cost_in_cents` limits the list to employees for whom that cost is not affordable.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * await operator.employers.getAffordability(employer_id)
   * // {
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   plan_year_start: '2026-01-01',
   * //   required_contribution_percentage: 9.96,
   * //   full_time_count: 3,
   * //   poverty_line_cost_in_cents: 12989,
   * //   affordable_cost_in_cents: 38844,
   * //   unaffordable_count: null,
   * //   employees: [
   * //     {
   * //       employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v700',
   * //       first_name: 'Priya',
   * //       last_name: 'Nair',
   * //       monthly_wage_in_cents: 390000,
   * //       affordable_cost_in_cents: 38844,
   * //       safe_harbor: 'rate_of_pay'
   * //     }
   * //   ]
   * // }
   * ```
   */
  getAffordability(employer_id: EmployerId, query?: OperatorEmployersGetAffordabilityQuery, options?: CallOptions): Promise<EmployerAffordability>
}

export interface NotesMethods {
  /**
   * List the notes about an employer. `GET /operator/v1/employers/{employer_id}/notes`
   *
   * Lists the notes, newest first. Members of the organization and operators see all notes. With a token bound to the employer, the list has only the notes that are shared with the employer, without mentions.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.notes.listOfEmployer(employer_id)) console.log(row)
   * // {
   * //   id: 'note_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employee_id: null,
   * //   text: 'Ada prefers calls before 10 am.',
   * //   shared_with_employer: false,
   * //   author: 'organization',
   * //   author_user_id: 'usr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   author_name: 'Maya Okafor',
   * //   mentions: [
   * //     {
   * //       user_id: 'usr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //       name: 'Maya Okafor',
   * //       done_at: null
   * //     }
   * //   ],
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   edited_at: null
   * // }
   * ```
   */
  listOfEmployer(employer_id: EmployerId, query?: OperatorListEmployerNotesQuery, options?: CallOptions): Pages<Note, NotePage>

  /**
   * Add a note about an employer. `POST /operator/v1/employers/{employer_id}/notes`
   *
   * You become the author of the note. Only you can change it. You can delete it, and an `ADMIN` of the organization can delete the notes of its members.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @example
   * ```ts
   * await operator.notes.addToEmployer(employer_id, {
   *   text: 'Ada prefers calls before 10 am.',
   *   shared_with_employer: false
   * })
   * // {
   * //   id: 'note_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employee_id: null,
   * //   text: 'Ada prefers calls before 10 am.',
   * //   shared_with_employer: false,
   * //   author: 'organization',
   * //   author_user_id: 'usr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   author_name: 'Maya Okafor',
   * //   mentions: [
   * //     {
   * //       user_id: 'usr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //       name: 'Maya Okafor',
   * //       done_at: null
   * //     }
   * //   ],
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   edited_at: null
   * // }
   * ```
   */
  addToEmployer(employer_id: EmployerId, body: NewNote, options?: CallOptions): Promise<Note>

  /**
   * List the notes about an employee. `GET /operator/v1/employees/{employee_id}/notes`
   *
   * Lists the notes about this employment, newest first. Members of the organization and operators see all notes. With a token bound to the employer, the list has only the notes that are shared with the employer, without mentions.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.notes.listOfEmployee(employee_id)) console.log(row)
   * // {
   * //   id: 'note_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employee_id: null,
   * //   text: 'Ada prefers calls before 10 am.',
   * //   shared_with_employer: false,
   * //   author: 'organization',
   * //   author_user_id: 'usr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   author_name: 'Maya Okafor',
   * //   mentions: [
   * //     {
   * //       user_id: 'usr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //       name: 'Maya Okafor',
   * //       done_at: null
   * //     }
   * //   ],
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   edited_at: null
   * // }
   * ```
   */
  listOfEmployee(employee_id: EmployeeId, query?: OperatorListEmployeeNotesQuery, options?: CallOptions): Pages<Note, NotePage>

  /**
   * Add a note about an employee. `POST /operator/v1/employees/{employee_id}/notes`
   *
   * You become the author of the note. Only you can change it. You can delete it, and an `ADMIN` of the organization can delete the notes of its members.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @example
   * ```ts
   * await operator.notes.addToEmployee(employee_id, {
   *   text: 'Ada prefers calls before 10 am.',
   *   shared_with_employer: false
   * })
   * // {
   * //   id: 'note_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employee_id: null,
   * //   text: 'Ada prefers calls before 10 am.',
   * //   shared_with_employer: false,
   * //   author: 'organization',
   * //   author_user_id: 'usr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   author_name: 'Maya Okafor',
   * //   mentions: [
   * //     {
   * //       user_id: 'usr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //       name: 'Maya Okafor',
   * //       done_at: null
   * //     }
   * //   ],
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   edited_at: null
   * // }
   * ```
   */
  addToEmployee(employee_id: EmployeeId, body: NewNote, options?: CallOptions): Promise<Note>

  /**
   * Change a note. `PATCH /operator/v1/notes/{note_id}`
   *
   * Changes a note that you wrote.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @throws {ApiError} among others `note_of_another_author`
   *
   * @example
   * ```ts
   * await operator.notes.update(note_id, {
   *   shared_with_employer: true
   * })
   * // {
   * //   id: 'note_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employee_id: null,
   * //   text: 'Ada prefers calls before 10 am.',
   * //   shared_with_employer: false,
   * //   author: 'organization',
   * //   author_user_id: 'usr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   author_name: 'Maya Okafor',
   * //   mentions: [
   * //     {
   * //       user_id: 'usr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //       name: 'Maya Okafor',
   * //       done_at: null
   * //     }
   * //   ],
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   edited_at: null
   * // }
   * ```
   */
  update(note_id: NoteId, body?: NoteChanges, options?: CallOptions): Promise<Note>

  /**
   * Delete a note. `DELETE /operator/v1/notes/{note_id}`
   *
   * Deletes a note that you wrote, with the tasks of its mentions. Its text is not kept. An `ADMIN` can also delete the notes of other members, but not those of operators.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @throws {ApiError} among others `note_of_another_author`
   *
   * @example
   * ```ts
   * await operator.notes.delete(note_id)
   * // {
   * //   id: 'note_01kdq7b4w8e9rs2mh3n5t6v700'
   * // }
   * ```
   */
  delete(note_id: NoteId, options?: CallOptions): Promise<DeletedNote>
}

export interface CatalogMethods {
  /**
   * Import into an organization's catalog. `POST /operator/v1/organizations/{organization_id}/catalog/import`
   *
   * Creates and changes the items in the rows, all or none, and leaves other items unchanged. Carriers and benefits match by name, plans by name within a benefit, and rates by plan, coverage tier and effective day. Matching ignores case. The allowances in the rows replace all allowances of their plan, in the order of the rows. Importing the same rows again changes nothing. Plan years keep the prices they were opened with until they are saved again. With `dry_run=true`, nothing changes and the response lists the planned changes.
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
   * Returns the complete catalog, sorted by name. Plan years refer to its ids.
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
   * //       takes_beneficiaries: true,
   * //       required_dependent_fields: [],
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
   * //           minimum_essential: false,
   * //           minimum_value: false,
   * //           self_insured: false,
   * //           facts: {
   * //             copays: [
   * //               'Cleaning: $0'
   * //             ],
   * //             id_card_url: 'https://brightside.example.com/id-card',
   * //             metal_level: null,
   * //             hsa_eligible: null,
   * //             deductible_in_cents: 0,
   * //             member_services_url: null,
   * //             member_services_phone: '8005550120',
   * //             coinsurance_percentage: null,
   * //             provider_directory_url: 'https://brightside.example.com/dentists',
   * //             family_deductible_in_cents: null,
   * //             out_of_pocket_limit_in_cents: null,
   * //             out_of_network_deductible_in_cents: null,
   * //             family_out_of_pocket_limit_in_cents: null,
   * //             out_of_network_coinsurance_percentage: null,
   * //             out_of_network_family_deductible_in_cents: null,
   * //             out_of_network_out_of_pocket_limit_in_cents: null,
   * //             out_of_network_family_out_of_pocket_limit_in_cents: null
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

  /**
   * Update a benefit of the catalog. `PATCH /operator/v1/organizations/{organization_id}/benefits/{benefit_id}`
   *
   * Sets whether employees designate beneficiaries for the benefit, and the data that it requires of dependents. If it no longer takes beneficiaries, designations stay in the history. New requirements apply to new elections. Returns the catalog.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @example
   * ```ts
   * await operator.catalog.updateBenefit(organization_id, benefit_id, {
   *   takes_beneficiaries: true,
   *   required_dependent_fields: [
   *     'gender'
   *   ]
   * })
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
   * //       takes_beneficiaries: true,
   * //       required_dependent_fields: [],
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
   * //           minimum_essential: false,
   * //           minimum_value: false,
   * //           self_insured: false,
   * //           facts: {
   * //             copays: [
   * //               'Cleaning: $0'
   * //             ],
   * //             id_card_url: 'https://brightside.example.com/id-card',
   * //             metal_level: null,
   * //             hsa_eligible: null,
   * //             deductible_in_cents: 0,
   * //             member_services_url: null,
   * //             member_services_phone: '8005550120',
   * //             coinsurance_percentage: null,
   * //             provider_directory_url: 'https://brightside.example.com/dentists',
   * //             family_deductible_in_cents: null,
   * //             out_of_pocket_limit_in_cents: null,
   * //             out_of_network_deductible_in_cents: null,
   * //             family_out_of_pocket_limit_in_cents: null,
   * //             out_of_network_coinsurance_percentage: null,
   * //             out_of_network_family_deductible_in_cents: null,
   * //             out_of_network_out_of_pocket_limit_in_cents: null,
   * //             out_of_network_family_out_of_pocket_limit_in_cents: null
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
  updateBenefit(organization_id: OrganizationId, benefit_id: BenefitId, body?: CatalogBenefitChanges, options?: CallOptions): Promise<Catalog>
}

export interface DocumentsMethods {
  /**
   * List the documents of an organization. `GET /operator/v1/organizations/{organization_id}/documents`
   *
   * Lists all versions in all languages, newest first.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.documents.list(organization_id)) console.log(row)
   * // {
   * //   id: 'doc_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   scope: 'employer',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employer_name: 'Granite Freight',
   * //   benefit_plan_year_id: null,
   * //   plan_id: null,
   * //   plan_name: null,
   * //   series_id: 'doc_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   version: 1,
   * //   kind: 'guide',
   * //   title: 'Benefits guide 2027',
   * //   language: 'en',
   * //   audience: 'employees',
   * //   is_required_at_election: false,
   * //   status: 'current',
   * //   file_name: 'guide-2027.pdf',
   * //   content_type: 'application/pdf',
   * //   bytes: 9,
   * //   sha256: '0716f9264c9fe19f5d7455276107f3ddcc1d3497f63d60689a73558ae8a1bf5e',
   * //   scan: 'none',
   * //   effective_on: '2026-03-10',
   * //   replaced_on: null,
   * //   withdrawn_at: null,
   * //   public_url: null,
   * //   opened_count: 1,
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   updated_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  list(organization_id: OrganizationId, query?: OperatorListDocumentsQuery, options?: CallOptions): Pages<Document, DocumentPage>

  /**
   * Get a document. `GET /operator/v1/documents/{document_id}`
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * await operator.documents.get(document_id)
   * // {
   * //   id: 'doc_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   scope: 'employer',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employer_name: 'Granite Freight',
   * //   benefit_plan_year_id: null,
   * //   plan_id: null,
   * //   plan_name: null,
   * //   series_id: 'doc_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   version: 1,
   * //   kind: 'guide',
   * //   title: 'Benefits guide 2027',
   * //   language: 'en',
   * //   audience: 'employees',
   * //   is_required_at_election: false,
   * //   status: 'current',
   * //   file_name: 'guide-2027.pdf',
   * //   content_type: 'application/pdf',
   * //   bytes: 9,
   * //   sha256: '0716f9264c9fe19f5d7455276107f3ddcc1d3497f63d60689a73558ae8a1bf5e',
   * //   scan: 'none',
   * //   effective_on: '2026-03-10',
   * //   replaced_on: null,
   * //   withdrawn_at: null,
   * //   public_url: null,
   * //   opened_count: 0,
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   updated_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  get(document_id: DocumentId, options?: CallOptions): Promise<Document>

  /**
   * Get a download link to a document. `GET /operator/v1/documents/{document_id}/download`
   *
   * Works for replaced and withdrawn versions too. The link records no receipt.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @throws {ApiError} among others `document_not_available`
   *
   * @example
   * ```ts
   * await operator.documents.getLink(document_id)
   * // {
   * //   download_url: 'https://benefits.example.com/v1/downloads/eyJhbGciOiJIUzI1NiJ9.eyJr.c2ln',
   * //   expires_at: '2026-03-10T16:15:00.000Z'
   * // }
   * ```
   */
  getLink(document_id: DocumentId, options?: CallOptions): Promise<DownloadLink>
}

export interface EmployeesMethods {
  /**
   * Explain the eligibility of an employee. `GET /operator/v1/employees/{employee_id}/eligibility`
   *
   * Returns the same explanation as the partner endpoint.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * await operator.employees.explainEligibility(employee_id)
   * // {
   * //   employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v706',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v703',
   * //   as_of: '2026-03-10',
   * //   status: 'not_eligible',
   * //   reason_code: 'employment_ended',
   * //   reason: 'Employed until 2026-02-18.',
   * //   hire_date: '2020-11-02',
   * //   termination_date: '2026-02-18',
   * //   employee_class: 'Full Time',
   * //   compensation_type: null,
   * //   class_history: [
   * //     {
   * //       employee_class: 'Full Time',
   * //       effective_on: '2020-11-02'
   * //     }
   * //   ],
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
   * //     benefit_ids: [],
   * //     eligibility_basis: 'employee_class'
   * //   },
   * //   anchor: '2020-11-02',
   * //   eligible_on: '2020-12-01',
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
   * //       benefit_plan_year_id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v703',
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
   * //   benefits_without_period: [],
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
   * //   id: 'empl_01kdq7b4w8e9rs2mh3n5t6v707',
   * //   member_id: 'mbr_01kdq7b4w8e9rs2mh3n5t6v702',
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
   * //       id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v705',
   * //       status: 'waived',
   * //       answered_at: '2025-11-04T17:00:00.000Z'
   * //     }
   * //   ],
   * //   created_at: '2024-10-09T16:00:00.000Z',
   * //   updated_at: '2024-10-09T16:00:00.000Z',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v703',
   * //   employer_name: 'Sunrise Bakery',
   * //   start_date: '2019-04-01',
   * //   classification_effective_date: '2019-04-01',
   * //   compensation_type: 'Salary',
   * //   compensation_type_effective_date: '2019-04-01',
   * //   bargaining_unit: null,
   * //   bargaining_unit_effective_date: null,
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
   * Reinstate an employee without a time limit. `POST /operator/v1/employees/{employee_id}/reinstate`
   *
   * Works like the partner endpoint, but without a time limit. The reason is stored. With `dry_run`, nothing changes, and the response shows what would change.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @throws {ApiError} among others `invalid_employee_update`, `employer_has_no_active_subscription`, `nothing_to_reinstate`, `employee_was_rehired`
   *
   * @example
   * ```ts
   * await operator.employees.reinstate(employee_id, {
   *   reason: 'The employer confused her with another employee'
   * })
   * // {
   * //   data: {
   * //     id: 'empl_01kdq7b4w8e9rs2mh3n5t6v703',
   * //     member_id: 'mbr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //     reference_id: 'SA-1990',
   * //     first_name: 'Samir',
   * //     last_name: 'Aziz',
   * //     suffix: null,
   * //     email: 'samir.aziz@example.com',
   * //     date_of_birth: '1990-10-02',
   * //     gender: null,
   * //     phone: null,
   * //     employee_class: 'Part Time',
   * //     status: 'active',
   * //     hire_date: '2021-02-15',
   * //     termination_date: '2099-12-31',
   * //     address: null,
   * //     enrollments: [
   * //       {
   * //         id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v701',
   * //         status: 'enrolled',
   * //         answered_at: '2025-05-06T16:00:00.000Z'
   * //       }
   * //     ],
   * //     created_at: '2025-04-10T16:00:00.000Z',
   * //     updated_at: '2026-03-10T16:00:00.000Z',
   * //     employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v706',
   * //     employer_name: 'Maple Row Clinic',
   * //     start_date: '2021-02-15',
   * //     classification_effective_date: '2026-03-01',
   * //     compensation_type: null,
   * //     compensation_type_effective_date: null,
   * //     bargaining_unit: null,
   * //     bargaining_unit_effective_date: null,
   * //     deductions: []
   * //   },
   * //   warnings: [],
   * //   enrollments: [
   * //     {
   * //       before: {
   * //         id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v701',
   * //         employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v703',
   * //         employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v706',
   * //         benefit: {
   * //           id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v703',
   * //           category: 'Medical',
   * //           name: 'Virtual Primary Care',
   * //           product_code: 'VPC'
   * //         },
   * //         required_dependent_fields: [],
   * //         status: 'enrolled',
   * //         election_status: 'Enrolled',
   * //         coverage_start: '2025-05-01',
   * //         coverage_end: null,
   * //         employee_deduction_in_cents: 0,
   * //         employer_contribution_in_cents: 1900,
   * //         domestic_partner_share_in_cents: 0,
   * //         answered_at: '2025-05-06T16:00:00.000Z',
   * //         elected_by: null,
   * //         terminated_at: null,
   * //         created_at: '2025-04-20T16:00:00.000Z',
   * //         updated_at: '2025-05-06T16:00:00.000Z',
   * //         benefit_plan_year_id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v704',
   * //         choice_group: null,
   * //         plan_year_start: '2025-05-01',
   * //         plan_year_end: '2026-04-30',
   * //         plan: {
   * //           id: 'pln_01kdq7b4w8e9rs2mh3n5t6v702',
   * //           name: 'Nearby Anytime',
   * //           carrier: 'Nearby Care'
   * //         },
   * //         elected_from: null,
   * //         coverage_tier: 'EE',
   * //         premium_in_cents: 1900,
   * //         individual_plan_name: null,
   * //         bought_on_exchange: null,
   * //         dependent_ids: [],
   * //         upcoming_election: null,
   * //         window: null,
   * //         allowed_changes: null
   * //       },
   * //       after: {
   * //         id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v701',
   * //         employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v703',
   * //         employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v706',
   * //         benefit: {
   * //           id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v703',
   * //           category: 'Medical',
   * //           name: 'Virtual Primary Care',
   * //           product_code: 'VPC'
   * //         },
   * //         required_dependent_fields: [],
   * //         status: 'enrolled',
   * //         election_status: 'Enrolled',
   * //         coverage_start: '2025-05-01',
   * //         coverage_end: '2026-03-31',
   * //         employee_deduction_in_cents: 0,
   * //         employer_contribution_in_cents: 1900,
   * //         domestic_partner_share_in_cents: 0,
   * //         answered_at: '2025-05-06T16:00:00.000Z',
   * //         elected_by: null,
   * //         terminated_at: '2026-03-10T16:00:00.000Z',
   * //         created_at: '2025-04-20T16:00:00.000Z',
   * //         updated_at: '2026-03-10T16:00:00.000Z',
   * //         benefit_plan_year_id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v704',
   * //         choice_group: null,
   * //         plan_year_start: '2025-05-01',
   * //         plan_year_end: '2026-04-30',
   * //         plan: {
   * //           id: 'pln_01kdq7b4w8e9rs2mh3n5t6v702',
   * //           name: 'Nearby Anytime',
   * //           carrier: 'Nearby Care'
   * //         },
   * //         elected_from: null,
   * //         coverage_tier: 'EE',
   * //         premium_in_cents: 1900,
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
   * Terminate an employee without a time limit. `POST /operator/v1/employees/{employee_id}/terminate`
   *
   * Works like the partner endpoint, but without a time limit. The reason is stored, and `warnings` list the rescinded coverage. With `dry_run`, nothing changes, and the response shows what would change.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @throws {ApiError} among others `invalid_employee_update`, `employee_already_terminated`
   *
   * @example
   * ```ts
   * await operator.employees.terminate(employee_id, {
   *   termination_date: '2099-12-31',
   *   reason: 'Reported late by the employer'
   * })
   * // {
   * //   data: {
   * //     id: 'empl_01kdq7b4w8e9rs2mh3n5t6v703',
   * //     member_id: 'mbr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //     reference_id: 'SA-1990',
   * //     first_name: 'Samir',
   * //     last_name: 'Aziz',
   * //     suffix: null,
   * //     email: 'samir.aziz@example.com',
   * //     date_of_birth: '1990-10-02',
   * //     gender: null,
   * //     phone: null,
   * //     employee_class: 'Part Time',
   * //     status: 'active',
   * //     hire_date: '2021-02-15',
   * //     termination_date: '2099-12-31',
   * //     address: null,
   * //     enrollments: [
   * //       {
   * //         id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v701',
   * //         status: 'enrolled',
   * //         answered_at: '2025-05-06T16:00:00.000Z'
   * //       }
   * //     ],
   * //     created_at: '2025-04-10T16:00:00.000Z',
   * //     updated_at: '2026-03-10T16:00:00.000Z',
   * //     employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v706',
   * //     employer_name: 'Maple Row Clinic',
   * //     start_date: '2021-02-15',
   * //     classification_effective_date: '2026-03-01',
   * //     compensation_type: null,
   * //     compensation_type_effective_date: null,
   * //     bargaining_unit: null,
   * //     bargaining_unit_effective_date: null,
   * //     deductions: []
   * //   },
   * //   warnings: [],
   * //   enrollments: [
   * //     {
   * //       before: {
   * //         id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v701',
   * //         employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v703',
   * //         employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v706',
   * //         benefit: {
   * //           id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v703',
   * //           category: 'Medical',
   * //           name: 'Virtual Primary Care',
   * //           product_code: 'VPC'
   * //         },
   * //         required_dependent_fields: [],
   * //         status: 'enrolled',
   * //         election_status: 'Enrolled',
   * //         coverage_start: '2025-05-01',
   * //         coverage_end: null,
   * //         employee_deduction_in_cents: 0,
   * //         employer_contribution_in_cents: 1900,
   * //         domestic_partner_share_in_cents: 0,
   * //         answered_at: '2025-05-06T16:00:00.000Z',
   * //         elected_by: null,
   * //         terminated_at: null,
   * //         created_at: '2025-04-20T16:00:00.000Z',
   * //         updated_at: '2025-05-06T16:00:00.000Z',
   * //         benefit_plan_year_id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v704',
   * //         choice_group: null,
   * //         plan_year_start: '2025-05-01',
   * //         plan_year_end: '2026-04-30',
   * //         plan: {
   * //           id: 'pln_01kdq7b4w8e9rs2mh3n5t6v702',
   * //           name: 'Nearby Anytime',
   * //           carrier: 'Nearby Care'
   * //         },
   * //         elected_from: null,
   * //         coverage_tier: 'EE',
   * //         premium_in_cents: 1900,
   * //         individual_plan_name: null,
   * //         bought_on_exchange: null,
   * //         dependent_ids: [],
   * //         upcoming_election: null,
   * //         window: null,
   * //         allowed_changes: null
   * //       },
   * //       after: {
   * //         id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v701',
   * //         employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v703',
   * //         employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v706',
   * //         benefit: {
   * //           id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v703',
   * //           category: 'Medical',
   * //           name: 'Virtual Primary Care',
   * //           product_code: 'VPC'
   * //         },
   * //         required_dependent_fields: [],
   * //         status: 'enrolled',
   * //         election_status: 'Enrolled',
   * //         coverage_start: '2025-05-01',
   * //         coverage_end: '2026-03-31',
   * //         employee_deduction_in_cents: 0,
   * //         employer_contribution_in_cents: 1900,
   * //         domestic_partner_share_in_cents: 0,
   * //         answered_at: '2025-05-06T16:00:00.000Z',
   * //         elected_by: null,
   * //         terminated_at: '2026-03-10T16:00:00.000Z',
   * //         created_at: '2025-04-20T16:00:00.000Z',
   * //         updated_at: '2026-03-10T16:00:00.000Z',
   * //         benefit_plan_year_id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v704',
   * //         choice_group: null,
   * //         plan_year_start: '2025-05-01',
   * //         plan_year_end: '2026-04-30',
   * //         plan: {
   * //           id: 'pln_01kdq7b4w8e9rs2mh3n5t6v702',
   * //           name: 'Nearby Anytime',
   * //           carrier: 'Nearby Care'
   * //         },
   * //         elected_from: null,
   * //         coverage_tier: 'EE',
   * //         premium_in_cents: 1900,
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
   * Correct the class, compensation type, bargaining unit or first day of an employee without a time limit. `POST /operator/v1/employees/{employee_id}/corrections`
   *
   * Works like the partner endpoint, but may remove coverage of more than 60 days ago. The reason is stored, and `warnings` list the rescinded days. With `dry_run`, nothing changes, and the response shows what would change.
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
   * //     id: 'empl_01kdq7b4w8e9rs2mh3n5t6v703',
   * //     member_id: 'mbr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //     reference_id: 'SA-1990',
   * //     first_name: 'Samir',
   * //     last_name: 'Aziz',
   * //     suffix: null,
   * //     email: 'samir.aziz@example.com',
   * //     date_of_birth: '1990-10-02',
   * //     gender: null,
   * //     phone: null,
   * //     employee_class: 'Part Time',
   * //     status: 'active',
   * //     hire_date: '2021-02-15',
   * //     termination_date: '2099-12-31',
   * //     address: null,
   * //     enrollments: [
   * //       {
   * //         id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v701',
   * //         status: 'enrolled',
   * //         answered_at: '2025-05-06T16:00:00.000Z'
   * //       }
   * //     ],
   * //     created_at: '2025-04-10T16:00:00.000Z',
   * //     updated_at: '2026-03-10T16:00:00.000Z',
   * //     employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v706',
   * //     employer_name: 'Maple Row Clinic',
   * //     start_date: '2021-02-15',
   * //     classification_effective_date: '2026-03-01',
   * //     compensation_type: null,
   * //     compensation_type_effective_date: null,
   * //     bargaining_unit: null,
   * //     bargaining_unit_effective_date: null,
   * //     deductions: []
   * //   },
   * //   warnings: [],
   * //   enrollments: [
   * //     {
   * //       before: {
   * //         id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v701',
   * //         employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v703',
   * //         employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v706',
   * //         benefit: {
   * //           id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v703',
   * //           category: 'Medical',
   * //           name: 'Virtual Primary Care',
   * //           product_code: 'VPC'
   * //         },
   * //         required_dependent_fields: [],
   * //         status: 'enrolled',
   * //         election_status: 'Enrolled',
   * //         coverage_start: '2025-05-01',
   * //         coverage_end: null,
   * //         employee_deduction_in_cents: 0,
   * //         employer_contribution_in_cents: 1900,
   * //         domestic_partner_share_in_cents: 0,
   * //         answered_at: '2025-05-06T16:00:00.000Z',
   * //         elected_by: null,
   * //         terminated_at: null,
   * //         created_at: '2025-04-20T16:00:00.000Z',
   * //         updated_at: '2025-05-06T16:00:00.000Z',
   * //         benefit_plan_year_id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v704',
   * //         choice_group: null,
   * //         plan_year_start: '2025-05-01',
   * //         plan_year_end: '2026-04-30',
   * //         plan: {
   * //           id: 'pln_01kdq7b4w8e9rs2mh3n5t6v702',
   * //           name: 'Nearby Anytime',
   * //           carrier: 'Nearby Care'
   * //         },
   * //         elected_from: null,
   * //         coverage_tier: 'EE',
   * //         premium_in_cents: 1900,
   * //         individual_plan_name: null,
   * //         bought_on_exchange: null,
   * //         dependent_ids: [],
   * //         upcoming_election: null,
   * //         window: null,
   * //         allowed_changes: null
   * //       },
   * //       after: {
   * //         id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v701',
   * //         employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v703',
   * //         employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v706',
   * //         benefit: {
   * //           id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v703',
   * //           category: 'Medical',
   * //           name: 'Virtual Primary Care',
   * //           product_code: 'VPC'
   * //         },
   * //         required_dependent_fields: [],
   * //         status: 'enrolled',
   * //         election_status: 'Enrolled',
   * //         coverage_start: '2025-05-01',
   * //         coverage_end: '2026-03-31',
   * //         employee_deduction_in_cents: 0,
   * //         employer_contribution_in_cents: 1900,
   * //         domestic_partner_share_in_cents: 0,
   * //         answered_at: '2025-05-06T16:00:00.000Z',
   * //         elected_by: null,
   * //         terminated_at: '2026-03-10T16:00:00.000Z',
   * //         created_at: '2025-04-20T16:00:00.000Z',
   * //         updated_at: '2026-03-10T16:00:00.000Z',
   * //         benefit_plan_year_id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v704',
   * //         choice_group: null,
   * //         plan_year_start: '2025-05-01',
   * //         plan_year_end: '2026-04-30',
   * //         plan: {
   * //           id: 'pln_01kdq7b4w8e9rs2mh3n5t6v702',
   * //           name: 'Nearby Anytime',
   * //           carrier: 'Nearby Care'
   * //         },
   * //         elected_from: null,
   * //         coverage_tier: 'EE',
   * //         premium_in_cents: 1900,
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
   * List the corrections of an employee. `GET /operator/v1/employees/{employee_id}/corrections`
   *
   * Returns reinstatements, and corrections by the operator that partners can no longer make, newest first.
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
   * //   credential_id: 'opkey_01kdq7b4w8e9rs2mh3n5t6v701',
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
   * Returns all fields of each plan year, newest first.
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
   * //           enrolled: 1,
   * //           percentage: 25
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
   * //       enrolled: 2,
   * //       percentage: 50
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
   * //       id: 'epol_01kdq7b4w8e9rs2mh3n5t6v700',
   * //       active: true,
   * //       employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //       classification: 'all',
   * //       employee_classes: [
   * //         'Full Time'
   * //       ],
   * //       compensation_types: null,
   * //       waiting_period: '30_days',
   * //       start_alignment: 'exact',
   * //       service_credit_weeks: 13,
   * //       benefit_ids: [],
   * //       eligibility_basis: 'employee_class',
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
   * Offers benefits of the catalog at its prices on coverage_start, with an employer contribution for each benefit. The plan year may have started already. Enrollments are granted within seconds. With `dry_run`, nothing changes, and the 200 response has a `preview`: a page of the grants and their costs.
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
   * //     id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v705',
   * //     benefit_plan_year_id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v705',
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
   * Replaces the whole list of benefits and uses the current prices of the catalog. Once an employee has elected, coverage dates, existing benefits and their prices can't change, but you can add benefits. You can change `renewal` and `plan_successors` later too, if you send no other fields. Employees who can then be carried over are carried over immediately. With `dry_run`, nothing changes, and the 200 response has a `preview`: a page of the grants and their costs.
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
   * //     id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v705',
   * //     benefit_plan_year_id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v705',
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
   * Copy a plan year to the next one. `POST /operator/v1/benefit-plan-years/{benefit_plan_year_id}/copy`
   *
   * Opens a plan year with the same benefits, plans, contributions and states, at the prices of the catalog on the new coverage_start. The open enrollment moves with it. The default renewal is passive: employees who do not respond keep their elections. With `dry_run`, nothing changes, and the 200 response has a `preview`: a page of the grants and their costs.
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
   * //     id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v705',
   * //     benefit_plan_year_id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v705',
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
   * Returns the amendments as partners see them.
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
   * //   reason: 'The café pays more for employees who enroll alone',
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
   * //   withdrawal_reason: 'Applied to the wrong employer'
   * // }
   * ```
   */
  listAmendments(benefit_plan_year_id: BenefitPlanYearId, query?: OperatorListBenefitPlanYearAmendmentsQuery, options?: CallOptions): Pages<Amendment, AmendmentPage>

  /**
   * Amend a plan year. `POST /operator/v1/benefit-plan-years/{benefit_plan_year_id}/amendments`
   *
   * Changes the rates, contributions, plans, benefits or end of a plan year. The change applies from the first of a month, or retroactively from the first day of the plan year. Elections stay and are repriced. Employees who lose a plan can elect another one within 30 days. Statements and invoices carry the corrections. With `dry_run`, nothing changes, and the 200 response contains a page of the effects.
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
   * //     electing_employee_count: 0,
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
  amend(benefit_plan_year_id: BenefitPlanYearId, body: NewAmendment, options?: CallOptions): Promise<AmendmentPreview | AmendmentResponse>

  /**
   * Withdraw an amendment. `POST /operator/v1/benefit-plan-years/{benefit_plan_year_id}/amendments/{amendment_id}/withdraw`
   *
   * Withdraws the last amendment in force. The plan year offers what it did before, and all employees have the coverage that they would have without the amendment. Employees who elected another plan in the meantime return to the plan that had been closed.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @throws {ApiError} among others `amendment_is_withdrawn`, `amendment_is_not_last`, `plan_year_overlaps`, `invalid_amendment`
   *
   * @example
   * ```ts
   * await operator.planYears.withdrawAmendment(benefit_plan_year_id, amendment_id, {
   *   reason: 'Applied to the wrong employer'
   * })
   * // {
   * //   id: 'amnd_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   benefit_plan_year_id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   effective_on: '2026-01-01',
   * //   reason: 'The café pays more for employees who enroll alone',
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
   * //   withdrawal_reason: 'Applied to the wrong employer'
   * // }
   * ```
   */
  withdrawAmendment(benefit_plan_year_id: BenefitPlanYearId, amendment_id: BenefitPlanYearAmendmentId, body: AmendmentWithdrawal, options?: CallOptions): Promise<Amendment>
}

export interface EnrollmentsMethods {
  /**
   * List the enrollments of an employee. `GET /operator/v1/employees/{employee_id}/enrollments`
   *
   * Lists one enrollment for each benefit, plan year and period of eligibility, newest first.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.enrollments.list(employee_id)) console.log(row)
   * // {
   * //   id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   benefit: {
   * //     id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v701',
   * //     category: 'Dental',
   * //     name: 'Dental',
   * //     product_code: 'VD'
   * //   },
   * //   required_dependent_fields: [],
   * //   status: 'enrolled',
   * //   election_status: 'Enrolled',
   * //   coverage_start: '2026-05-01',
   * //   coverage_end: null,
   * //   employee_deduction_in_cents: 0,
   * //   employer_contribution_in_cents: 1450,
   * //   domestic_partner_share_in_cents: 0,
   * //   answered_at: '2026-03-10T16:00:00.000Z',
   * //   elected_by: 'partner',
   * //   terminated_at: null,
   * //   created_at: '2026-03-05T17:00:00.000Z',
   * //   updated_at: '2026-03-10T16:00:00.000Z',
   * //   benefit_plan_year_id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   choice_group: null,
   * //   plan_year_start: '2026-05-01',
   * //   plan_year_end: '2027-04-30',
   * //   plan: {
   * //     id: 'pln_01kdq7b4w8e9rs2mh3n5t6v700',
   * //     name: 'Brightside DHMO',
   * //     carrier: 'Brightside Dental'
   * //   },
   * //   elected_from: null,
   * //   coverage_tier: 'EE',
   * //   premium_in_cents: 1450,
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
   * //   }
   * // }
   * ```
   */
  list(employee_id: EmployeeId, query?: OperatorListEmployeeEnrollmentsQuery, options?: CallOptions): Pages<Enrollment, EnrollmentPage>

  /**
   * Get an enrollment. `GET /operator/v1/enrollments/{enrollment_id}`
   *
   * Returns the enrollment with the plans that can be elected and their monthly cost.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * await operator.enrollments.get(enrollment_id)
   * // {
   * //   id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v706',
   * //   employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v708',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   benefit: {
   * //     id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v702',
   * //     category: 'Medical',
   * //     name: 'Own Choice',
   * //     product_code: 'ICHRA'
   * //   },
   * //   required_dependent_fields: [],
   * //   status: 'enrolled',
   * //   election_status: 'Enrolled',
   * //   coverage_start: '2026-05-01',
   * //   coverage_end: null,
   * //   employee_deduction_in_cents: 5000,
   * //   employer_contribution_in_cents: 45000,
   * //   domestic_partner_share_in_cents: 0,
   * //   answered_at: '2026-03-07T17:00:00.000Z',
   * //   elected_by: null,
   * //   terminated_at: null,
   * //   created_at: '2026-03-05T17:00:00.000Z',
   * //   updated_at: '2026-03-07T17:00:00.000Z',
   * //   benefit_plan_year_id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   choice_group: 'medical',
   * //   plan_year_start: '2026-05-01',
   * //   plan_year_end: '2027-04-30',
   * //   plan: {
   * //     id: 'pln_01kdq7b4w8e9rs2mh3n5t6v704',
   * //     name: 'Own Choice Medical',
   * //     carrier: 'Evergreen Health'
   * //   },
   * //   elected_from: null,
   * //   coverage_tier: 'EE',
   * //   premium_in_cents: 50000,
   * //   individual_plan_name: null,
   * //   bought_on_exchange: false,
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
   * //       id: 'pln_01kdq7b4w8e9rs2mh3n5t6v705',
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
   * //         id_card_url: 'https://evergreen.example.com/id-card',
   * //         metal_level: 'Silver',
   * //         hsa_eligible: false,
   * //         deductible_in_cents: 480000,
   * //         member_services_url: 'https://evergreen.example.com/members',
   * //         member_services_phone: '8005550110',
   * //         coinsurance_percentage: null,
   * //         provider_directory_url: 'https://evergreen.example.com/doctors',
   * //         family_deductible_in_cents: null,
   * //         out_of_pocket_limit_in_cents: 920000,
   * //         out_of_network_deductible_in_cents: null,
   * //         family_out_of_pocket_limit_in_cents: null,
   * //         out_of_network_coinsurance_percentage: null,
   * //         out_of_network_family_deductible_in_cents: null,
   * //         out_of_network_out_of_pocket_limit_in_cents: null,
   * //         out_of_network_family_out_of_pocket_limit_in_cents: null
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
   * Lists every action in chronological order.
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
   * //   offered: null,
   * //   signature: null,
   * //   confirmation: null
   * // }
   * ```
   */
  getHistory(enrollment_id: EnrollmentId, query?: OperatorGetEnrollmentHistoryQuery, options?: CallOptions): Pages<EnrollmentEvidence, EnrollmentEvidencePage>

  /**
   * Correct an enrollment. `POST /operator/v1/enrollments/{enrollment_id}/corrections`
   *
   * Elects or waives outside of the windows, or sets the first or last day of coverage. Later calculations keep the days that you set. The reason is stored. An inactive enrollment stays inactive; you can only correct its past days. With `dry_run`, nothing changes, and the 200 response shows the effects.
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
   * //     employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v704',
   * //     employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v707',
   * //     benefit: {
   * //       id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v701',
   * //       category: 'Dental',
   * //       name: 'Dental',
   * //       product_code: 'VD'
   * //     },
   * //     required_dependent_fields: [],
   * //     status: 'waived',
   * //     election_status: 'Waived',
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
   * //     choice_group: null,
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
   * //           id_card_url: 'https://brightside.example.com/id-card',
   * //           metal_level: null,
   * //           hsa_eligible: null,
   * //           deductible_in_cents: 0,
   * //           member_services_url: null,
   * //           member_services_phone: '8005550120',
   * //           coinsurance_percentage: null,
   * //           provider_directory_url: 'https://brightside.example.com/dentists',
   * //           family_deductible_in_cents: null,
   * //           out_of_pocket_limit_in_cents: null,
   * //           out_of_network_deductible_in_cents: null,
   * //           family_out_of_pocket_limit_in_cents: null,
   * //           out_of_network_coinsurance_percentage: null,
   * //           out_of_network_family_deductible_in_cents: null,
   * //           out_of_network_out_of_pocket_limit_in_cents: null,
   * //           out_of_network_family_out_of_pocket_limit_in_cents: null
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
   * //         employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v704',
   * //         employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v707',
   * //         benefit: {
   * //           id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v701',
   * //           category: 'Dental',
   * //           name: 'Dental',
   * //           product_code: 'VD'
   * //         },
   * //         required_dependent_fields: [],
   * //         status: 'enrolled',
   * //         election_status: 'Enrolled',
   * //         coverage_start: '2025-04-01',
   * //         coverage_end: null,
   * //         employee_deduction_in_cents: 2200,
   * //         employer_contribution_in_cents: 1000,
   * //         domestic_partner_share_in_cents: 0,
   * //         answered_at: '2025-09-09T16:00:00.000Z',
   * //         elected_by: null,
   * //         terminated_at: null,
   * //         created_at: '2025-09-06T16:00:00.000Z',
   * //         updated_at: '2025-09-09T16:00:00.000Z',
   * //         benefit_plan_year_id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //         choice_group: null,
   * //         plan_year_start: '2025-04-01',
   * //         plan_year_end: '2026-03-31',
   * //         plan: {
   * //           id: 'pln_01kdq7b4w8e9rs2mh3n5t6v703',
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
   * //         employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v704',
   * //         employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v707',
   * //         benefit: {
   * //           id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v701',
   * //           category: 'Dental',
   * //           name: 'Dental',
   * //           product_code: 'VD'
   * //         },
   * //         required_dependent_fields: [],
   * //         status: 'waived',
   * //         election_status: 'Waived',
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
   * //         choice_group: null,
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
   * Reissue coverage that was ended on request. `POST /operator/v1/enrollments/{enrollment_id}/reissue`
   *
   * Works like the partner endpoint, but without a window or a time limit. The reason is stored. With `dry_run`, nothing changes, and the response shows the effects.
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
   * //     employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v704',
   * //     employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v707',
   * //     benefit: {
   * //       id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v701',
   * //       category: 'Dental',
   * //       name: 'Dental',
   * //       product_code: 'VD'
   * //     },
   * //     required_dependent_fields: [],
   * //     status: 'waived',
   * //     election_status: 'Waived',
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
   * //     choice_group: null,
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
   * //           id_card_url: 'https://brightside.example.com/id-card',
   * //           metal_level: null,
   * //           hsa_eligible: null,
   * //           deductible_in_cents: 0,
   * //           member_services_url: null,
   * //           member_services_phone: '8005550120',
   * //           coinsurance_percentage: null,
   * //           provider_directory_url: 'https://brightside.example.com/dentists',
   * //           family_deductible_in_cents: null,
   * //           out_of_pocket_limit_in_cents: null,
   * //           out_of_network_deductible_in_cents: null,
   * //           family_out_of_pocket_limit_in_cents: null,
   * //           out_of_network_coinsurance_percentage: null,
   * //           out_of_network_family_deductible_in_cents: null,
   * //           out_of_network_out_of_pocket_limit_in_cents: null,
   * //           out_of_network_family_out_of_pocket_limit_in_cents: null
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
   * //         employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v704',
   * //         employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v707',
   * //         benefit: {
   * //           id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v701',
   * //           category: 'Dental',
   * //           name: 'Dental',
   * //           product_code: 'VD'
   * //         },
   * //         required_dependent_fields: [],
   * //         status: 'enrolled',
   * //         election_status: 'Enrolled',
   * //         coverage_start: '2025-04-01',
   * //         coverage_end: null,
   * //         employee_deduction_in_cents: 2200,
   * //         employer_contribution_in_cents: 1000,
   * //         domestic_partner_share_in_cents: 0,
   * //         answered_at: '2025-09-09T16:00:00.000Z',
   * //         elected_by: null,
   * //         terminated_at: null,
   * //         created_at: '2025-09-06T16:00:00.000Z',
   * //         updated_at: '2025-09-09T16:00:00.000Z',
   * //         benefit_plan_year_id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //         choice_group: null,
   * //         plan_year_start: '2025-04-01',
   * //         plan_year_end: '2026-03-31',
   * //         plan: {
   * //           id: 'pln_01kdq7b4w8e9rs2mh3n5t6v703',
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
   * //         employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v704',
   * //         employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v707',
   * //         benefit: {
   * //           id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v701',
   * //           category: 'Dental',
   * //           name: 'Dental',
   * //           product_code: 'VD'
   * //         },
   * //         required_dependent_fields: [],
   * //         status: 'waived',
   * //         election_status: 'Waived',
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
   * //         choice_group: null,
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
   * List the dependents of an employee. `GET /operator/v1/employees/{employee_id}/dependents`
   *
   * Lists the dependents of the person in the order in which they were added, including removed ones.
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
   * //   address: null,
   * //   verification: {
   * //     status: 'verified',
   * //     decided_at: '2026-03-10T16:00:00.000Z',
   * //     reason: null
   * //   },
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   updated_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  list(employee_id: EmployeeId, query?: OperatorListDependentsQuery, options?: CallOptions): Pages<Dependent, DependentPage>

  /**
   * Approve that a dependent is disabled. `POST /operator/v1/dependents/{dependent_id}/disability`
   *
   * Removes the age limit of a disabled child. If coverage of the child ended because of age, it is restored in each election that still includes the child.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @throws {ApiError} among others `dependent_already_disabled`
   *
   * @example
   * ```ts
   * await operator.dependents.approveDisability(dependent_id, {
   *   reason: 'Certificate of March 3'
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
   * //   address: null,
   * //   verification: {
   * //     status: 'verified',
   * //     decided_at: '2026-03-10T16:00:00.000Z',
   * //     reason: null
   * //   },
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   updated_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  approveDisability(dependent_id: DependentId, body: Disability, options?: CallOptions): Promise<Dependent>

  /**
   * Withdraw the approval of a disability. `DELETE /operator/v1/dependents/{dependent_id}/disability`
   *
   * Restores the age limit as of today. Coverage of a child over the limit ends with this month.
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
   * //   address: null,
   * //   verification: {
   * //     status: 'verified',
   * //     decided_at: '2026-03-10T16:00:00.000Z',
   * //     reason: null
   * //   },
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   updated_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  withdrawDisability(dependent_id: DependentId, options?: CallOptions): Promise<Dependent>

  /**
   * Find dependents. `GET /operator/v1/dependents`
   *
   * Returns dependents of all organizations or of one, newest first. They can only be searched by name, not listed. Each search is recorded in the audit log.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.dependents.find()) console.log(row)
   * // {
   * //   id: 'dep_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   active: true,
   * //   gender: null,
   * //   suffix: null,
   * //   address: null,
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
   * //       employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v701',
   * //       employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //       reference_id: 'NH-1986',
   * //       employer_name: 'Granite Freight'
   * //     }
   * //   ],
   * //   relationship: 'child',
   * //   verification: {
   * //     reason: null,
   * //     status: 'unverified',
   * //     decided_at: null
   * //   },
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
   * List the life events of an employee. `GET /operator/v1/employees/{employee_id}/qualifying-life-events`
   *
   * Lists the life events of the employee, newest first, with their decisions.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.lifeEvents.listOf(employee_id)) console.log(row)
   * // {
   * //   id: 'qle_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v702',
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
   * //       id: 'att_01kdq7b4w8e9rs2mh3n5t6v701',
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

  /**
   * List life events. `GET /operator/v1/qualifying-life-events`
   *
   * Lists the life events of every organization, oldest first. Use `status=pending` for those that need a decision.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.lifeEvents.list()) console.log(row)
   * // {
   * //   id: 'qle_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v70g',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v703',
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
   * Opens a window from today until 30 days later. In it, the employee can make the changes that are consistent with the event. If you send `exception`, the reason for an exception, any change is allowed.
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
   * //   id: 'qle_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v702',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v704',
   * //   type: 'birth',
   * //   occurred_on: '2026-03-01',
   * //   description: 'A daughter, Anne',
   * //   status: 'approved',
   * //   decided_at: '2026-03-10T16:00:00.000Z',
   * //   decision_reason: 'Her certificate shows the divorce of last year',
   * //   window_start: '2026-03-10',
   * //   window_end: '2026-04-09',
   * //   attachments: [],
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   updated_at: '2026-03-10T16:00:00.000Z',
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
   * //   id: 'qle_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v702',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v704',
   * //   type: 'birth',
   * //   occurred_on: '2026-03-01',
   * //   description: 'A daughter, Anne',
   * //   status: 'approved',
   * //   decided_at: '2026-03-10T16:00:00.000Z',
   * //   decision_reason: 'Her certificate shows the divorce of last year',
   * //   window_start: '2026-03-10',
   * //   window_end: '2026-04-09',
   * //   attachments: [],
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   updated_at: '2026-03-10T16:00:00.000Z',
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700'
   * // }
   * ```
   */
  decline(life_event_id: LifeEventId, body: LifeEventDecline, options?: CallOptions): Promise<ReportedLifeEvent>
}

export interface ManualAdjustmentsMethods {
  /**
   * List the manual adjustments of an employer. `GET /operator/v1/employers/{employer_id}/manual-adjustments`
   *
   * Returns the manual adjustments as partners see them.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.manualAdjustments.list(employer_id)) console.log(row)
   * // {
   * //   id: 'madj_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v707',
   * //   employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v704',
   * //   enrollment_id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v702',
   * //   month: '2025-06',
   * //   employee_deduction_in_cents: 1200,
   * //   employer_contribution_in_cents: 0,
   * //   tax_classification: 'Post-tax',
   * //   reason: 'Reported a year late: covered since June',
   * //   booked_on: '2026-03-10',
   * //   created_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  list(employer_id: EmployerId, query?: OperatorListManualAdjustmentsQuery, options?: CallOptions): Pages<ManualAdjustment, ManualAdjustmentPage>

  /**
   * Book a manual adjustment. `POST /operator/v1/enrollments/{enrollment_id}/manual-adjustments`
   *
   * Books amounts for a month before the correction window, but not before the go-live day. The next statement requests the employee's part from payroll, and the next invoice bills it together with the employer's part. An adjustment can't be changed. To reverse it, book the opposite amounts.
   *
   * Accepts operators with the role `owner` or `billing`.
   *
   * @throws {ApiError} among others `month_in_correction_window`, `month_before_go_live`
   *
   * @example
   * ```ts
   * await operator.manualAdjustments.book(enrollment_id, {
   *   month: '2025-06',
   *   employee_deduction_in_cents: 1200,
   *   reason: 'Reported a year late: covered since June'
   * })
   * // {
   * //   id: 'madj_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v707',
   * //   employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v704',
   * //   enrollment_id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v702',
   * //   month: '2025-06',
   * //   employee_deduction_in_cents: 1200,
   * //   employer_contribution_in_cents: 0,
   * //   tax_classification: 'Post-tax',
   * //   reason: 'Reported a year late: covered since June',
   * //   booked_on: '2026-03-10',
   * //   created_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  book(enrollment_id: EnrollmentId, body: NewManualAdjustment, options?: CallOptions): Promise<ManualAdjustment>
}

export interface StatementsMethods {
  /**
   * List the payroll deduction statements of an employer. `GET /operator/v1/employers/{employer_id}/payroll-deduction-statements`
   *
   * Returns one statement per pay period, newest first, each with a link to its lines as CSV.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.statements.list(employer_id)) console.log(row)
   * // {
   * //   id: 'stmt_01kdq7b4w8e9rs2mh3n5t6v702',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v700',
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
   * //   statement_id: 'stmt_01kdq7b4w8e9rs2mh3n5t6v702',
   * //   period_start: '2026-03-01',
   * //   period_end: '2026-03-15',
   * //   run_date: '2026-03-01',
   * //   total_deduction_cents: 38925,
   * //   csv_file_url: 'http://127.0.0.1:37923/v1/downloads/eyJhbGciOiJIUzI1NiJ9.eyJraW5kIjoicGF5cm9sbF9kZWR1Y3Rpb25fc3RhdGVtZW50X2NzdiIsIm9yZ2FuaXphdGlvbl9pZCI6Im9yZ18wMW04cDVocnh5ZThwdmh6cWJzbXA5N3J0dCIsImlkIjoic3RtdF8wMW04cDVoeHo5ZThwdmo3OGgxeTY5OGdwZCIsImtleV9pZCI6ImtleV8wMW04cDVocnl2ZThwdmh6c2VwN2NrenBwZyIsInJvbGUiOiJBRE1JTiIsInJlcXVlc3RlZF9ieSI6eyJraW5kIjoiYXBpX2tleSIsImlkIjoia2V5XzAxbThwNWhyeXZlOHB2aHpzZXA3Y2t6cHBnIiwidXNlcl9pZCI6InVzcl8wMW04cDVocnlkZThwdmh6cjFkM2RnMjE5YSJ9LCJpc3MiOiJvcGVuYmVuZWZpdHMgZG93bmxvYWRzIiwiZXhwIjoxNzczMTU5MzAwfQ.v_ftvauQe0LwGpijv-mWF5padUt9RtFTFW7jrE7Mmqg',
   * //   deduction_frequency: 'semi_monthly',
   * //   deduction_frequency_label: 'Semi-monthly'
   * // }
   * ```
   */
  list(employer_id: EmployerId, query?: OperatorListPayrollDeductionStatementsQuery, options?: CallOptions): Pages<PayrollDeductionStatement, PayrollDeductionStatementPage>

  /**
   * List the payroll deduction statements of all employers of an organization. `GET /operator/v1/organizations/{organization_id}/payroll-deduction-statements`
   *
   * Returns the statements, newest first, each with a link to its lines as CSV. To get the next page, send `next_offset` of the previous page as `offset`, until it is null.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.statements.listAll(organization_id)) console.log(row)
   * // {
   * //   id: 'stmt_01kdq7b4w8e9rs2mh3n5t6v703',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v707',
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
   * //   statement_id: 'stmt_01kdq7b4w8e9rs2mh3n5t6v703',
   * //   period_start: '2026-03-01',
   * //   period_end: '2026-03-31',
   * //   run_date: '2026-03-01',
   * //   total_deduction_cents: 32425,
   * //   csv_file_url: 'http://127.0.0.1:37923/v1/downloads/eyJhbGciOiJIUzI1NiJ9.eyJraW5kIjoicGF5cm9sbF9kZWR1Y3Rpb25fc3RhdGVtZW50X2NzdiIsIm9yZ2FuaXphdGlvbl9pZCI6Im9yZ18wMW04cDVocnh5ZThwdmh6cWJzbXA5N3J0dCIsImlkIjoic3RtdF8wMW04cDVoeHo5ZThwdmo3OTY4MnExZTFhNCIsImtleV9pZCI6ImtleV8wMW04cDVocnl2ZThwdmh6c2VwN2NrenBwZyIsInJvbGUiOiJBRE1JTiIsInJlcXVlc3RlZF9ieSI6eyJraW5kIjoiYXBpX2tleSIsImlkIjoia2V5XzAxbThwNWhyeXZlOHB2aHpzZXA3Y2t6cHBnIiwidXNlcl9pZCI6InVzcl8wMW04cDVocnlkZThwdmh6cjFkM2RnMjE5YSJ9LCJpc3MiOiJvcGVuYmVuZWZpdHMgZG93bmxvYWRzIiwiZXhwIjoxNzczMTU5MzAwfQ.-8Y8h5tzfm_F4N_3T7IXIBM9mpKne3W2eFsGuH2GcAw',
   * //   deduction_frequency: 'monthly',
   * //   deduction_frequency_label: 'Monthly'
   * // }
   * ```
   */
  listAll(organization_id: OrganizationId, query?: OperatorListAllPayrollDeductionStatementsQuery, options?: CallOptions): Pages<PayrollDeductionStatementRow, PayrollDeductionStatementRowPage>

  /**
   * Generate the due statements of an employer. `POST /operator/v1/employers/{employer_id}/payroll-deduction-statements/run`
   *
   * Does the daily run's work for one employer: opens the statements that are due and generates them within seconds, including incomplete ones. Repeating it changes nothing.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @example
   * ```ts
   * await operator.statements.run(employer_id, {
   *   day: '2026-03-10'
   * })
   * // {
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v70a',
   * //   day: '2026-03-10',
   * //   opened_statement_ids: []
   * // }
   * ```
   */
  run(employer_id: EmployerId, body?: StatementRun, options?: CallOptions): Promise<StatementRunAccepted>
}

export interface DeductionsMethods {
  /**
   * Get the deduction proof of an employee's year. `GET /operator/v1/employees/{employee_id}/deductions/proof`
   *
   * Returns the due, collected and corrected amounts, per enrollment and in total.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * await operator.deductions.prove(employee_id)
   * // {
   * //   employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v705',
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
   * Get the billing system of an organization. `GET /operator/v1/organizations/{organization_id}/billing-system`
   *
   * Returns the settings. Secrets are never shown.
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
   * Set the billing system of an organization. `PUT /operator/v1/organizations/{organization_id}/billing-system`
   *
   * Sets the system that collects future invoices. Existing invoices stay in their system. Secrets that you do not send are kept.
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
   * Get a link to the PDF of an invoice. `GET /operator/v1/employers/{employer_id}/invoices/{invoice_id}/pdf`
   *
   * Returns the same link as the partner endpoint. It works for 15 minutes without a key.
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
   * List the lines of an invoice. `GET /operator/v1/employers/{employer_id}/invoices/{invoice_id}/lines`
   *
   * Returns the fields that partners see.
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
   * //   month: '2026-02',
   * //   employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v707',
   * //   employee_name: 'Amara Nwosu',
   * //   enrollment_id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v707',
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
   * List the invoices of all employers of an organization. `GET /operator/v1/organizations/{organization_id}/invoices`
   *
   * Returns the invoices, newest first. To get the next page, send `next_offset` of the previous page as `offset`, until it is null. A page may have fewer invoices than its limit, or none, even if more pages follow. Drafts are omitted unless you send `include_drafts=true` or filter by that status.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.invoices.listAll(organization_id)) console.log(row)
   * // {
   * //   invoice_id: 'INV-000045',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v703',
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
   * List the amounts that the employers of an organization owe, by age. `GET /operator/v1/organizations/{organization_id}/invoices/aging`
   *
   * Returns each employer with invoices that are issued and neither paid nor void, longest overdue first, and the totals of all employers.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.invoices.listAging(organization_id)) console.log(row)
   * // {
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v703',
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
   * Returns the invoices, newest first, in the same pages as the partner endpoint, and includes drafts.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @throws {ApiError} among others `employer_has_no_billing_account`
   *
   * @example
   * ```ts
   * for await (const row of operator.invoices.list(employer_id)) console.log(row)
   * // {
   * //   invoice_id: 'INV-000042',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   period: '2026-03',
   * //   status: 'open',
   * //   total: 1993,
   * //   total_in_cents: 199300,
   * //   employer_contribution_in_cents: 121450,
   * //   employee_deduction_in_cents: 77850,
   * //   line_count: 4,
   * //   drafted_on: '2026-03-01',
   * //   issued_on: '2026-03-04',
   * //   due_on: '2026-04-03',
   * //   paid_on: null,
   * //   voided_on: null,
   * //   void_reason: null,
   * //   replaced_by: null,
   * //   payment_url: null
   * // }
   * ```
   */
  list(employer_id: EmployerId, query?: OperatorListInvoicesQuery, options?: CallOptions): Pages<Invoice, InvoicePage>

  /**
   * Draft the current month of an employer. `POST /operator/v1/employers/{employer_id}/invoices/run`
   *
   * The worker drafts the invoice within seconds if there is anything to bill. It does so automatically on the first of each month. Use this operation after voiding an invoice.
   *
   * Accepts operators with the role `owner` or `billing`.
   *
   * @throws {ApiError} among others `invoice_already_drafted`
   *
   * @example
   * ```ts
   * await operator.invoices.runDay(employer_id)
   * // {
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v70a',
   * //   period: '2026-03'
   * // }
   * ```
   */
  runDay(employer_id: EmployerId, options?: CallOptions): Promise<InvoiceRun>

  /**
   * Issue an invoice. `POST /operator/v1/employers/{employer_id}/invoices/{invoice_id}/issue`
   *
   * Makes a draft payable. Drafts are issued automatically three days after they were drafted. An open invoice stays unchanged.
   *
   * Accepts operators with the role `owner` or `billing`.
   *
   * @throws {ApiError} among others `invoice_is_paid`, `invoice_is_void`
   *
   * @example
   * ```ts
   * await operator.invoices.issue(employer_id, invoice_id)
   * // {
   * //   invoice_id: 'INV-000015',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v703',
   * //   period: '2025-08',
   * //   status: 'paid',
   * //   total: 766,
   * //   total_in_cents: 76600,
   * //   employer_contribution_in_cents: 42500,
   * //   employee_deduction_in_cents: 34100,
   * //   line_count: 6,
   * //   drafted_on: '2025-08-01',
   * //   issued_on: '2025-08-04',
   * //   due_on: '2025-09-03',
   * //   paid_on: '2025-08-20',
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
   * Records the payment of an open invoice. A paid invoice stays unchanged.
   *
   * Accepts operators with the role `owner` or `billing`.
   *
   * @throws {ApiError} among others `invoice_is_draft`, `invoice_is_void`
   *
   * @example
   * ```ts
   * await operator.invoices.pay(employer_id, invoice_id)
   * // {
   * //   invoice_id: 'INV-000015',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v703',
   * //   period: '2025-08',
   * //   status: 'paid',
   * //   total: 766,
   * //   total_in_cents: 76600,
   * //   employer_contribution_in_cents: 42500,
   * //   employee_deduction_in_cents: 34100,
   * //   line_count: 6,
   * //   drafted_on: '2025-08-01',
   * //   issued_on: '2025-08-04',
   * //   due_on: '2025-09-03',
   * //   paid_on: '2025-08-20',
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
   * Cancels the invoice. The next invoice within the correction window bills its amounts again. A void invoice stays unchanged.
   *
   * Accepts operators with the role `owner` or `billing`.
   *
   * @throws {ApiError} among others `invoice_is_paid`
   *
   * @example
   * ```ts
   * await operator.invoices.void(employer_id, invoice_id)
   * // {
   * //   invoice_id: 'INV-000015',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v703',
   * //   period: '2025-08',
   * //   status: 'paid',
   * //   total: 766,
   * //   total_in_cents: 76600,
   * //   employer_contribution_in_cents: 42500,
   * //   employee_deduction_in_cents: 34100,
   * //   line_count: 6,
   * //   drafted_on: '2025-08-01',
   * //   issued_on: '2025-08-04',
   * //   due_on: '2025-09-03',
   * //   paid_on: '2025-08-20',
   * //   voided_on: null,
   * //   void_reason: null,
   * //   replaced_by: null,
   * //   payment_url: null
   * // }
   * ```
   */
  void(employer_id: EmployerId, invoice_id: string, body?: InvoiceVoiding, options?: CallOptions): Promise<Invoice>

  /**
   * Reconcile an invoice. `GET /operator/v1/employers/{employer_id}/invoices/{invoice_id}/reconciliation`
   *
   * Returns the fields that partners see.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * await operator.invoices.getReconciliation(employer_id, invoice_id)
   * // {
   * //   invoice_id: 'INV-000037',
   * //   months: [
   * //     '2025-11'
   * //   ],
   * //   lines: {
   * //     line_count: 10,
   * //     total_in_cents: 111580,
   * //     difference_in_cents: 0
   * //   },
   * //   due: {
   * //     premium_in_cents: 448940,
   * //     employer_contribution_in_cents: 263670,
   * //     employee_deduction_in_cents: 185270
   * //   },
   * //   billed: {
   * //     premium_in_cents: 448940,
   * //     employer_contribution_in_cents: 263670,
   * //     employee_deduction_in_cents: 185270
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
   * //         employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v70f',
   * //         employee_name: 'Imani Brooks',
   * //         enrollment_id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v70b',
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

export interface MembersMethods {
  /**
   * Get a person. `GET /operator/v1/members/{member_id}`
   *
   * Returns the person with present and former employments.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * await operator.members.get(member_id)
   * // {
   * //   id: 'mbr_01kdq7b4w8e9rs2mh3n5t6v707',
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   first_name: 'Rosa',
   * //   last_name: 'Quist',
   * //   suffix: null,
   * //   email: 'rosa.quist@example.com',
   * //   date_of_birth: '1977-01-31',
   * //   gender: null,
   * //   phone: '6085550103',
   * //   address: {
   * //     address_line_1: '7 Lakeside Rd',
   * //     address_line_2: null,
   * //     city: 'Madison',
   * //     state: 'WI',
   * //     zipcode: '53703',
   * //     county: null
   * //   },
   * //   employments: [
   * //     {
   * //       employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v70d',
   * //       employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v706',
   * //       employer_name: 'Maple Row Clinic',
   * //       reference_id: 'RQ-1977',
   * //       status: 'active'
   * //     }
   * //   ],
   * //   created_at: '2025-04-10T16:00:00.000Z',
   * //   updated_at: '2025-09-05T16:00:00.000Z'
   * // }
   * ```
   */
  get(member_id: MemberId, options?: CallOptions): Promise<Member>

  /**
   * List the enrollments of a person. `GET /operator/v1/members/{member_id}/enrollments`
   *
   * Returns the enrollments of all employments, newest first.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.members.listEnrollments(member_id)) console.log(row)
   * // {
   * //   id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   benefit: {
   * //     id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v701',
   * //     category: 'Dental',
   * //     name: 'Dental',
   * //     product_code: 'VD'
   * //   },
   * //   required_dependent_fields: [],
   * //   status: 'enrolled',
   * //   election_status: 'Enrolled',
   * //   coverage_start: '2026-05-01',
   * //   coverage_end: null,
   * //   employee_deduction_in_cents: 0,
   * //   employer_contribution_in_cents: 1450,
   * //   domestic_partner_share_in_cents: 0,
   * //   answered_at: '2026-03-10T16:00:00.000Z',
   * //   elected_by: 'partner',
   * //   terminated_at: null,
   * //   created_at: '2026-03-05T17:00:00.000Z',
   * //   updated_at: '2026-03-10T16:00:00.000Z',
   * //   benefit_plan_year_id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   choice_group: null,
   * //   plan_year_start: '2026-05-01',
   * //   plan_year_end: '2027-04-30',
   * //   plan: {
   * //     id: 'pln_01kdq7b4w8e9rs2mh3n5t6v700',
   * //     name: 'Brightside DHMO',
   * //     carrier: 'Brightside Dental'
   * //   },
   * //   elected_from: null,
   * //   coverage_tier: 'EE',
   * //   premium_in_cents: 1450,
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
   * //   }
   * // }
   * ```
   */
  listEnrollments(member_id: MemberId, query?: OperatorListMemberEnrollmentsQuery, options?: CallOptions): Pages<Enrollment, EnrollmentPage>

  /**
   * Find people. `GET /operator/v1/members`
   *
   * Returns people of all organizations or of one, newest first, with their present and former employments. They can only be searched, not listed. Each search is recorded in the audit log.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.members.find()) console.log(row)
   * // {
   * //   id: 'mbr_01kdq7b4w8e9rs2mh3n5t6v706',
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   first_name: 'Ana C',
   * //   last_name: 'Costa C',
   * //   suffix: null,
   * //   email: 'ana.costa2@example.com',
   * //   date_of_birth: '1990-05-17',
   * //   gender: null,
   * //   phone: '2025000002',
   * //   address: null,
   * //   employments: [
   * //     {
   * //       employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v70c',
   * //       employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v705',
   * //       employer_name: 'Bakery B',
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
}

export interface CensusMethods {
  /**
   * List the censuses of an employer. `GET /operator/v1/employers/{employer_id}/census-syncs`
   *
   * Returns the censuses, newest first, without the result of each row.
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
   * Returns the census with the outcome of its rows. While it runs, `processed_count` of `row_count` rows are done.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * await operator.census.get(census_sync_id)
   * // {
   * //   census_sync_id: 'csyn_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v705',
   * //   origin: 'api',
   * //   mode: 'merge',
   * //   dry_run: false,
   * //   state: 'completed',
   * //   row_count: 1,
   * //   processed_count: 1,
   * //   counts: {
   * //     created: 1,
   * //     updated: 0,
   * //     unchanged: 0,
   * //     rehired: 0,
   * //     terminated: 0,
   * //     failed: 0
   * //   },
   * //   missing_count: null,
   * //   missing: null,
   * //   failures: [],
   * //   warnings: [
   * //     {
   * //       index: 0,
   * //       reference_id: null,
   * //       field: 'employee_class',
   * //       reason: 'is unknown and counts as Full Time'
   * //     }
   * //   ],
   * //   planned: null,
   * //   accepted_at: '2026-03-10T16:00:00.000Z',
   * //   completed_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  get(census_sync_id: CensusSyncId, options?: CallOptions): Promise<CensusOutcome>

  /**
   * Confirm a held census. `POST /operator/v1/census-syncs/{census_sync_id}/confirm`
   *
   * Terminates the people who are missing from a replacing census that is `held`.
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
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v705',
   * //   origin: 'api',
   * //   mode: 'merge',
   * //   dry_run: false,
   * //   state: 'completed',
   * //   row_count: 1,
   * //   processed_count: 1,
   * //   counts: {
   * //     created: 1,
   * //     updated: 0,
   * //     unchanged: 0,
   * //     rehired: 0,
   * //     terminated: 0,
   * //     failed: 0
   * //   },
   * //   missing_count: null,
   * //   missing: null,
   * //   failures: [],
   * //   warnings: [
   * //     {
   * //       index: 0,
   * //       reference_id: null,
   * //       field: 'employee_class',
   * //       reason: 'is unknown and counts as Full Time'
   * //     }
   * //   ],
   * //   planned: null,
   * //   accepted_at: '2026-03-10T16:00:00.000Z',
   * //   completed_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  confirm(census_sync_id: CensusSyncId, options?: CallOptions): Promise<CensusOutcome>

  /**
   * Discard a held census. `POST /operator/v1/census-syncs/{census_sync_id}/discard`
   *
   * Completes the census without terminating the missing people. Changes made by its rows remain.
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
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v705',
   * //   origin: 'api',
   * //   mode: 'merge',
   * //   dry_run: false,
   * //   state: 'completed',
   * //   row_count: 1,
   * //   processed_count: 1,
   * //   counts: {
   * //     created: 1,
   * //     updated: 0,
   * //     unchanged: 0,
   * //     rehired: 0,
   * //     terminated: 0,
   * //     failed: 0
   * //   },
   * //   missing_count: null,
   * //   missing: null,
   * //   failures: [],
   * //   warnings: [
   * //     {
   * //       index: 0,
   * //       reference_id: null,
   * //       field: 'employee_class',
   * //       reason: 'is unknown and counts as Full Time'
   * //     }
   * //   ],
   * //   planned: null,
   * //   accepted_at: '2026-03-10T16:00:00.000Z',
   * //   completed_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  discard(census_sync_id: CensusSyncId, options?: CallOptions): Promise<CensusOutcome>
}

export interface HrisMethods {
  /**
   * Connect an employer to its payroll system. `POST /operator/v1/employers/{employer_id}/hris-connections`
   *
   * Connections with the sources `finch` and `sandbox` sync immediately, then every night. An employer has one connection at a time.
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
   * //   id: 'hris_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v706',
   * //   source: 'finch',
   * //   provider: 'gusto',
   * //   provider_label: 'Gusto',
   * //   status: 'active',
   * //   columns: {},
   * //   connected_at: '2026-01-29T17:00:00.000Z',
   * //   paused_at: null,
   * //   disconnected_at: null,
   * //   last_attempt_at: '2026-03-09T16:00:00.000Z',
   * //   last_synced_at: '2026-01-29T17:00:00.000Z',
   * //   synced_row_count: 2,
   * //   last_error: {
   * //     code: 'access_lost',
   * //     message: 'Finch rejected the access token. Let the employer sign in again.'
   * //   },
   * //   next_sync_on: '2026-03-11'
   * // }
   * ```
   */
  connect(employer_id: EmployerId, body: NewHrisConnection, options?: CallOptions): Promise<HrisConnection>

  /**
   * List an employer's connections. `GET /operator/v1/employers/{employer_id}/hris-connections`
   *
   * Returns the current and former connections, newest first.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * await operator.hris.listConnections(employer_id)
   * // [
   * //   {
   * //     id: 'hris_01kdq7b4w8e9rs2mh3n5t6v700',
   * //     organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //     employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v706',
   * //     source: 'finch',
   * //     provider: 'gusto',
   * //     provider_label: 'Gusto',
   * //     status: 'active',
   * //     columns: {},
   * //     connected_at: '2026-01-29T17:00:00.000Z',
   * //     paused_at: null,
   * //     disconnected_at: null,
   * //     last_attempt_at: '2026-03-09T16:00:00.000Z',
   * //     last_synced_at: '2026-01-29T17:00:00.000Z',
   * //     synced_row_count: 2,
   * //     last_error: {
   * //       code: 'access_lost',
   * //       message: 'Finch rejected the access token. Let the employer sign in again.'
   * //     },
   * //     next_sync_on: '2026-03-11'
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
   * //   id: 'hris_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v706',
   * //   source: 'finch',
   * //   provider: 'gusto',
   * //   provider_label: 'Gusto',
   * //   status: 'active',
   * //   columns: {},
   * //   connected_at: '2026-01-29T17:00:00.000Z',
   * //   paused_at: null,
   * //   disconnected_at: null,
   * //   last_attempt_at: '2026-03-09T16:00:00.000Z',
   * //   last_synced_at: '2026-01-29T17:00:00.000Z',
   * //   synced_row_count: 2,
   * //   last_error: {
   * //     code: 'access_lost',
   * //     message: 'Finch rejected the access token. Let the employer sign in again.'
   * //   },
   * //   next_sync_on: '2026-03-11'
   * // }
   * ```
   */
  getConnection(hris_connection_id: HrisConnectionId, options?: CallOptions): Promise<HrisConnection>

  /**
   * Pause a connection. `POST /operator/v1/hris-connections/{hris_connection_id}/pause`
   *
   * Pauses syncing until the connection is resumed. In the meantime, the partner may create employees and submit a census. When the connection resumes, these people are linked, not duplicated.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @throws {ApiError} among others `hris_connection_has_ended`, `hris_connection_is_paused`
   *
   * @example
   * ```ts
   * await operator.hris.pause(hris_connection_id)
   * // {
   * //   id: 'hris_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v706',
   * //   source: 'finch',
   * //   provider: 'gusto',
   * //   provider_label: 'Gusto',
   * //   status: 'active',
   * //   columns: {},
   * //   connected_at: '2026-01-29T17:00:00.000Z',
   * //   paused_at: null,
   * //   disconnected_at: null,
   * //   last_attempt_at: '2026-03-09T16:00:00.000Z',
   * //   last_synced_at: '2026-01-29T17:00:00.000Z',
   * //   synced_row_count: 2,
   * //   last_error: {
   * //     code: 'access_lost',
   * //     message: 'Finch rejected the access token. Let the employer sign in again.'
   * //   },
   * //   next_sync_on: '2026-03-11'
   * // }
   * ```
   */
  pause(hris_connection_id: HrisConnectionId, options?: CallOptions): Promise<HrisConnection>

  /**
   * Resume a connection. `POST /operator/v1/hris-connections/{hris_connection_id}/resume`
   *
   * Resumes the connection after a pause, or after access was restored, and syncs it immediately.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @throws {ApiError} among others `hris_connection_has_ended`, `hris_connection_is_running`
   *
   * @example
   * ```ts
   * await operator.hris.resume(hris_connection_id)
   * // {
   * //   id: 'hris_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v706',
   * //   source: 'finch',
   * //   provider: 'gusto',
   * //   provider_label: 'Gusto',
   * //   status: 'active',
   * //   columns: {},
   * //   connected_at: '2026-01-29T17:00:00.000Z',
   * //   paused_at: null,
   * //   disconnected_at: null,
   * //   last_attempt_at: '2026-03-09T16:00:00.000Z',
   * //   last_synced_at: '2026-01-29T17:00:00.000Z',
   * //   synced_row_count: 2,
   * //   last_error: {
   * //     code: 'access_lost',
   * //     message: 'Finch rejected the access token. Let the employer sign in again.'
   * //   },
   * //   next_sync_on: '2026-03-11'
   * // }
   * ```
   */
  resume(hris_connection_id: HrisConnectionId, options?: CallOptions): Promise<HrisConnection>

  /**
   * Renew the access token of a connection. `PUT /operator/v1/hris-connections/{hris_connection_id}/access-token`
   *
   * Stores the token encrypted and tries it immediately, unless the connection is paused. An inactive connection resumes.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @throws {ApiError} among others `hris_connection_has_ended`, `hris_connection_without_token`
   *
   * @example
   * ```ts
   * await operator.hris.renewAccess(hris_connection_id, {
   *   access_token: 'the new access token'
   * })
   * // {
   * //   id: 'hris_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v706',
   * //   source: 'finch',
   * //   provider: 'gusto',
   * //   provider_label: 'Gusto',
   * //   status: 'active',
   * //   columns: {},
   * //   connected_at: '2026-01-29T17:00:00.000Z',
   * //   paused_at: null,
   * //   disconnected_at: null,
   * //   last_attempt_at: '2026-03-09T16:00:00.000Z',
   * //   last_synced_at: '2026-01-29T17:00:00.000Z',
   * //   synced_row_count: 2,
   * //   last_error: {
   * //     code: 'access_lost',
   * //     message: 'Finch rejected the access token. Let the employer sign in again.'
   * //   },
   * //   next_sync_on: '2026-03-11'
   * // }
   * ```
   */
  renewAccess(hris_connection_id: HrisConnectionId, body: HrisAccess, options?: CallOptions): Promise<HrisConnection>

  /**
   * Disconnect an employer. `POST /operator/v1/hris-connections/{hris_connection_id}/disconnect`
   *
   * Disconnects permanently: the access token is deleted, and the partner maintains the roster. No employee is terminated.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @throws {ApiError} among others `hris_connection_has_ended`
   *
   * @example
   * ```ts
   * await operator.hris.disconnect(hris_connection_id)
   * // {
   * //   id: 'hris_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v706',
   * //   source: 'finch',
   * //   provider: 'gusto',
   * //   provider_label: 'Gusto',
   * //   status: 'active',
   * //   columns: {},
   * //   connected_at: '2026-01-29T17:00:00.000Z',
   * //   paused_at: null,
   * //   disconnected_at: null,
   * //   last_attempt_at: '2026-03-09T16:00:00.000Z',
   * //   last_synced_at: '2026-01-29T17:00:00.000Z',
   * //   synced_row_count: 2,
   * //   last_error: {
   * //     code: 'access_lost',
   * //     message: 'Finch rejected the access token. Let the employer sign in again.'
   * //   },
   * //   next_sync_on: '2026-03-11'
   * // }
   * ```
   */
  disconnect(hris_connection_id: HrisConnectionId, options?: CallOptions): Promise<HrisConnection>

  /**
   * Sync now. `POST /operator/v1/hris-connections/{hris_connection_id}/sync`
   *
   * Returns the run that fetches all people. If a run is waiting for a retry, it is retried now.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @throws {ApiError} among others `hris_connection_has_ended`, `hris_connection_is_paused`, `hris_connection_is_inactive`
   *
   * @example
   * ```ts
   * await operator.hris.sync(hris_connection_id)
   * // {
   * //   id: 'hrun_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   hris_connection_id: 'hris_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v706',
   * //   cause: 'operator',
   * //   state: 'completed',
   * //   requested_at: '2026-01-29T17:00:00.000Z',
   * //   attempt_count: 1,
   * //   fetched_at: '2026-01-29T17:00:00.000Z',
   * //   ended_at: '2026-01-29T17:00:00.000Z',
   * //   error: null,
   * //   outcome: {
   * //     census_sync_id: 'csyn_01kdq7b4w8e9rs2mh3n5t6v703',
   * //     employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v706',
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
   * Upload a roster file. `POST /operator/v1/hris-connections/{hris_connection_id}/upload`
   *
   * Uploads the whole roster as `text/csv` in UTF-8, UTF-16 or Windows-1252, or as JSON rows. People missing from it are terminated as of today. If there are too many of them, the run is `held`.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @throws {ApiError} among others `hris_connection_has_ended`, `hris_connection_is_paused`, `hris_connection_without_files`, `employer_has_no_active_subscription`
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
   * //   id: 'hrun_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   hris_connection_id: 'hris_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v706',
   * //   cause: 'operator',
   * //   state: 'completed',
   * //   requested_at: '2026-01-29T17:00:00.000Z',
   * //   attempt_count: 1,
   * //   fetched_at: '2026-01-29T17:00:00.000Z',
   * //   ended_at: '2026-01-29T17:00:00.000Z',
   * //   error: null,
   * //   outcome: {
   * //     census_sync_id: 'csyn_01kdq7b4w8e9rs2mh3n5t6v703',
   * //     employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v706',
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
   * Set the fake payroll of a sandbox. `PUT /operator/v1/hris-connections/{hris_connection_id}/payroll`
   *
   * Sets the people of the fake payroll and the fault that it simulates in the next sync: `late`, `server_errors`, `rate_limited`, `garbage`, `half_page` and `access_lost` fetch nothing; `duplicate`, `rehire`, `future_termination` and `changed_email` affect the first person.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @throws {ApiError} among others `hris_connection_has_ended`, `hris_connection_is_not_sandbox`
   *
   * @example
   * ```ts
   * await operator.hris.setSandboxPayroll(hris_connection_id, {
   *   fault: 'server_errors',
   *   times: 2
   * })
   * // {
   * //   id: 'hris_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v706',
   * //   source: 'finch',
   * //   provider: 'gusto',
   * //   provider_label: 'Gusto',
   * //   status: 'active',
   * //   columns: {},
   * //   connected_at: '2026-01-29T17:00:00.000Z',
   * //   paused_at: null,
   * //   disconnected_at: null,
   * //   last_attempt_at: '2026-03-09T16:00:00.000Z',
   * //   last_synced_at: '2026-01-29T17:00:00.000Z',
   * //   synced_row_count: 2,
   * //   last_error: {
   * //     code: 'access_lost',
   * //     message: 'Finch rejected the access token. Let the employer sign in again.'
   * //   },
   * //   next_sync_on: '2026-03-11'
   * // }
   * ```
   */
  setSandboxPayroll(hris_connection_id: HrisConnectionId, body?: SandboxPayroll, options?: CallOptions): Promise<HrisConnection>

  /**
   * List the runs of a connection. `GET /operator/v1/hris-connections/{hris_connection_id}/runs`
   *
   * Returns the runs, newest first.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.hris.listRuns(hris_connection_id)) console.log(row)
   * // {
   * //   id: 'hrun_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   hris_connection_id: 'hris_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v700',
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
   * Returns the run with the outcome of its census: the counts, and each row that failed.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * await operator.hris.getRun(hris_run_id)
   * // {
   * //   id: 'hrun_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   hris_connection_id: 'hris_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v706',
   * //   cause: 'operator',
   * //   state: 'completed',
   * //   requested_at: '2026-01-29T17:00:00.000Z',
   * //   attempt_count: 1,
   * //   fetched_at: '2026-01-29T17:00:00.000Z',
   * //   ended_at: '2026-01-29T17:00:00.000Z',
   * //   error: null,
   * //   outcome: {
   * //     census_sync_id: 'csyn_01kdq7b4w8e9rs2mh3n5t6v703',
   * //     employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v706',
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
   * List the people changed by a run. `GET /operator/v1/hris-runs/{hris_run_id}/people`
   *
   * Returns each changed person with the outcome. Rows that failed are in the run itself. All other people are unchanged.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.hris.listRunPeople(hris_run_id)) console.log(row)
   * // {
   * //   employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v70b',
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
   * Terminates the people who are missing from the roster.
   *
   * Accepts operators with the role `owner` or `operations`.
   *
   * @throws {ApiError} among others `census_sync_not_held`, `census_sync_superseded`
   *
   * @example
   * ```ts
   * await operator.hris.confirmRun(hris_run_id)
   * // {
   * //   id: 'hrun_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   hris_connection_id: 'hris_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v706',
   * //   cause: 'operator',
   * //   state: 'completed',
   * //   requested_at: '2026-01-29T17:00:00.000Z',
   * //   attempt_count: 1,
   * //   fetched_at: '2026-01-29T17:00:00.000Z',
   * //   ended_at: '2026-01-29T17:00:00.000Z',
   * //   error: null,
   * //   outcome: {
   * //     census_sync_id: 'csyn_01kdq7b4w8e9rs2mh3n5t6v703',
   * //     employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v706',
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
   * Returns connections that are not disconnected, newest first, at most 1,000, each with the outcome of its last sync.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.hris.listOpenConnections()) console.log(row)
   * // {
   * //   id: 'hris_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v700',
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
   * Get a member sync request. `GET /operator/v1/group-member-syncs/{request_id}`
   *
   * `completed_at` and `results` are null until it completes.
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

  /**
   * List member sync requests. `GET /operator/v1/group-member-syncs`
   *
   * Returns requests of all organizations or of one, newest first, at most 1,000, with the counts of each.
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
}

export interface WebhookSubscriptionsMethods {
  /**
   * List webhook subscriptions. `GET /operator/v1/webhook-subscriptions`
   *
   * Returns the subscriptions of one organization or all, newest first, at most 1,000, optionally by health. Disabled ones are sorted by when they were disabled, latest first.
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
   * Returns the deliveries with the last response of the receiver.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.webhookSubscriptions.listDeliveries(webhook_subscription_id)) console.log(row)
   * ```
   */
  listDeliveries(webhook_subscription_id: WebhookSubscriptionId, query?: OperatorListWebhookDeliveriesQuery, options?: CallOptions): Pages<WebhookDelivery, WebhookDeliveryPage>

  /**
   * Replay missed events to a webhook subscription. `POST /operator/v1/webhook-subscriptions/{webhook_subscription_id}/resume`
   *
   * Enables a subscription that was disabled after failures, and sends the events that it missed, up to 60 days back. Delivered events are not sent again.
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
   * Returns the events, newest first. You can filter by name, related ids and time.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.webhookEvents.list(organization_id)) console.log(row)
   * // {
   * //   id: 'wevt_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   event_name: 'employee.measured_full_time',
   * //   resource_type: 'employee',
   * //   resource_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   sequence: 24,
   * //   created_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  list(organization_id: OrganizationId, query?: OperatorListWebhookEventsQuery, options?: CallOptions): Pages<WebhookEvent, WebhookEventPage>

  /**
   * Count the events of an organization by day. `GET /operator/v1/organizations/{organization_id}/webhook-events/by-day`
   *
   * Returns the number of events per day, for example after a test clock was moved.
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
   * //       event_counts: [
   * //         {
   * //           event_name: 'census_sync.completed',
   * //           event_count: 1
   * //         }
   * //       ]
   * //     }
   * //   ],
   * //   is_complete: true
   * // }
   * ```
   */
  countByDay(organization_id: OrganizationId, query?: OperatorCountWebhookEventsQuery, options?: CallOptions): Promise<WebhookEventsByDay>

  /**
   * List the deliveries of an event. `GET /operator/v1/webhook-events/{webhook_event_id}/deliveries`
   *
   * Returns one delivery for each subscription to the event, and one for each redelivery and replay, newest first.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.webhookEvents.listDeliveries(webhook_event_id)) console.log(row)
   * ```
   */
  listDeliveries(webhook_event_id: WebhookEventId, query?: OperatorListWebhookEventDeliveriesQuery, options?: CallOptions): Pages<WebhookDelivery, WebhookDeliveryPage>
}

export interface JobsMethods {
  /**
   * List jobs. `GET /operator/v1/jobs`
   *
   * Returns jobs that failed permanently, are running or are waiting, at most the first 1,000. A failing job is retried for some days with growing delays. Then it fails permanently and waits until an operator runs it.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.jobs.list()) console.log(row)
   * // {
   * //   id: '1',
   * //   task: 'process_census',
   * //   key: 'census:empr_01kdq7b4w8e9rs2mh3n5t6v705',
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   state: 'waiting',
   * //   attempts: 0,
   * //   max_attempts: 25,
   * //   has_failed: false,
   * //   run_at: '2026-11-30T12:05:59.386Z',
   * //   started_at: null,
   * //   created_at: '2026-11-30T12:05:59.386Z'
   * // }
   * ```
   */
  list(query?: OperatorListJobsQuery, options?: CallOptions): Pages<Job, JobPage>

  /**
   * Get a job. `GET /operator/v1/jobs/{job_id}`
   *
   * Returns a job. It can be read until it is done.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * await operator.jobs.get(job_id)
   * // {
   * //   id: '1',
   * //   task: 'process_census',
   * //   key: 'census:empr_01kdq7b4w8e9rs2mh3n5t6v705',
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   state: 'waiting',
   * //   attempts: 0,
   * //   max_attempts: 25,
   * //   has_failed: false,
   * //   run_at: '2026-11-30T12:05:59.386Z',
   * //   started_at: null,
   * //   created_at: '2026-11-30T12:05:59.386Z'
   * // }
   * ```
   */
  get(job_id: string, options?: CallOptions): Promise<Job>

  /**
   * Run a job now. `POST /operator/v1/jobs/{job_id}/run`
   *
   * Runs a waiting or permanently failed job as soon as a worker is free, and resets its attempts.
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
   * //   key: 'census:empr_01kdq7b4w8e9rs2mh3n5t6v705',
   * //   organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   state: 'waiting',
   * //   attempts: 0,
   * //   max_attempts: 25,
   * //   has_failed: false,
   * //   run_at: '2026-11-30T12:05:59.386Z',
   * //   started_at: null,
   * //   created_at: '2026-11-30T12:05:59.386Z'
   * // }
   * ```
   */
  run(job_id: string, options?: CallOptions): Promise<Job>
}

export interface OverviewMethods {
  /**
   * Get the activity since yesterday. `GET /operator/v1/overview`
   *
   * Returns counts for all organizations, and the delays of jobs, webhooks and daily runs.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * await operator.overview.get()
   * // {
   * //   since: '2026-03-09T04:00:00.000Z',
   * //   event_counts: [
   * //     {
   * //       event_name: 'employer.created',
   * //       event_count: 6
   * //     }
   * //   ],
   * //   is_complete: true,
   * //   failed_request_count: 0,
   * //   failed_job_count: 0,
   * //   job_late_seconds: 4,
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
   * Returns members and operators, newest first, each with their organizations.
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
   * A user owns API keys and belongs to organizations. A new user belongs to none.
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
   * //   id: 'usr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   name: 'Maya Okafor',
   * //   email: 'maya@example.com',
   * //   created_at: '2024-07-18T16:00:00.000Z',
   * //   operator_role: null,
   * //   memberships: [
   * //     {
   * //       organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v700',
   * //       organization_name: 'Harbor Benefits',
   * //       role: 'ADMIN',
   * //       created_at: '2026-03-10T16:00:00.000Z',
   * //       ended_at: null
   * //     }
   * //   ]
   * // }
   * ```
   */
  get(user_id: UserId, options?: CallOptions): Promise<OperatedUser>
}

export interface MembershipsMethods {
  /**
   * List the members of an organization. `GET /operator/v1/organizations/{organization_id}/members`
   *
   * Returns the members, oldest first, including former ones.
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
   * //   user_id: 'usr_01kdq7b4w8e9rs2mh3n5t6v700',
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
   * //   user_id: 'usr_01kdq7b4w8e9rs2mh3n5t6v700',
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
   * Returns the current and former subscriptions, newest first.
   *
   * Accepts operators with the role `owner`, `operations`, `billing` or `support`.
   *
   * @example
   * ```ts
   * for await (const row of operator.subscriptions.list(employer_id)) console.log(row)
   * // {
   * //   id: 'sub_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v70a',
   * //   started_on: '2025-05-08',
   * //   ended_on: '2026-03-10'
   * // }
   * ```
   */
  list(employer_id: EmployerId, query?: OperatorListSubscriptionsQuery, options?: CallOptions): Pages<Subscription, SubscriptionPage>

  /**
   * Grant a subscription to an employer. `POST /operator/v1/employers/{employer_id}/subscriptions`
   *
   * An employer needs an active subscription to create employees.
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
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v70b',
   * //   started_on: '2026-03-10',
   * //   ended_on: '2026-12-31'
   * // }
   * ```
   */
  grant(employer_id: EmployerId, body: NewSubscription, options?: CallOptions): Promise<Subscription>

  /**
   * End an employer's subscription. `POST /operator/v1/employers/{employer_id}/subscriptions/end`
   *
   * Ends the latest subscription on a day. A day in the future can be changed by another request.
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
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v70b',
   * //   started_on: '2026-03-10',
   * //   ended_on: '2026-12-31'
   * // }
   * ```
   */
  end(employer_id: EmployerId, body: SubscriptionEnd, options?: CallOptions): Promise<Subscription>
}

// Generated from openapi.json by npm run gen.

import type { OperationTable } from '../core/operations.ts'
import type { CallOptions } from '../core/options.ts'
import type { Pages } from '../core/pages.ts'
import type {
  AcaOverview,
  AcaStatus,
  AccessToken,
  AccessTokenRequest,
  ActivityEntry,
  ActivityPage,
  AleGroup,
  AleGroupId,
  AleGroupPage,
  Amendment,
  AmendmentPage,
  ApiKey,
  ApiKeyChanges,
  ApiKeyId,
  ApiKeyPage,
  Assignment,
  AssignmentId,
  AssignmentPage,
  Attachment,
  AttachmentId,
  AuditEntry,
  AuditEntryPage,
  BeneficiariesInput,
  BeneficiaryDesignation,
  BenefitBeneficiaries,
  BenefitEligibilityPolicy,
  BenefitEligibilityPolicyPage,
  BenefitId,
  BenefitPlanYear,
  BenefitPlanYearId,
  BenefitPlanYearRow,
  BenefitsStatement,
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
  DeletedAleGroup,
  DeletedAssignment,
  DeletedNote,
  DeletedScheduledExport,
  Dependent,
  DependentChanges,
  DependentId,
  DependentPage,
  DisplayNames,
  Document,
  DocumentChange,
  DocumentId,
  DocumentPage,
  DocumentReceipt,
  DocumentReceiptPage,
  DownloadLink,
  Election,
  ElectronicDelivery,
  ElectronicDeliveryInput,
  EligibilityExplanation,
  EligibilityPolicyId,
  Employee,
  EmployeeChanges,
  EmployeeDocument,
  EmployeeDocumentPage,
  EmployeeId,
  EmployeePage,
  EmployeeTaxFactsInput,
  EmployeeTaxForms,
  Employer,
  EmployerAdmin,
  EmployerAdminId,
  EmployerAdminPage,
  EmployerAffordability,
  EmployerChanges,
  EmployerCounts,
  EmployerHris,
  EmployerId,
  EmployerPage,
  EmployerRow,
  EmployerSettings,
  EmployerSettingsChanges,
  EmployerSetup,
  Enrollment,
  EnrollmentAgreement,
  EnrollmentAnswers,
  EnrollmentConfirmation,
  EnrollmentDetail,
  EnrollmentDraft,
  EnrollmentDraftInput,
  EnrollmentEvidence,
  EnrollmentEvidencePage,
  EnrollmentId,
  EnrollmentLink,
  EnrollmentLinkToken,
  EnrollmentMessage,
  EnrollmentMessageId,
  EnrollmentMessagePage,
  EnrollmentMessageSettings,
  EnrollmentMessageSettingsChange,
  EnrollmentPage,
  EnrollmentQuote,
  EnrollmentReissue,
  EnrollmentReminders,
  EnrollmentSchedule,
  EnrollmentScheduleChange,
  EnrollmentTermination,
  EnrollmentWindow,
  EnrollmentWindowPerson,
  EnrollmentWindowPersonPage,
  Form1094c,
  Form1095c,
  Form1095cDerivation,
  Form1095cPage,
  FormAcknowledgement,
  FormFiling,
  FormSettings,
  FormSettingsInput,
  FormTransmission,
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
  HoursOutcome,
  HoursReport,
  HoursReportPage,
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
  LargeEmployerStatus,
  LeakReport,
  LifeEvent,
  LifeEventId,
  LifeEventPage,
  ManualAdjustment,
  ManualAdjustmentPage,
  MeasuredEmployee,
  MeasuredEmployeePage,
  MeasurementPolicies,
  MeasurementPreview,
  Member,
  MemberId,
  MemberInvitation,
  MemberInvitationList,
  MemberPage,
  MentionChange,
  MyOrganization,
  MyOrganizations,
  NewAleGroup,
  NewApiKey,
  NewAssignment,
  NewAttachment,
  NewBenefitEligibilityPolicy,
  NewDependent,
  NewDependentVerification,
  NewDocument,
  NewDocumentTranslation,
  NewDocumentVersion,
  NewEmployee,
  NewEmployer,
  NewEmployerAdmin,
  NewEnrollmentAgreement,
  NewEnrollmentReminders,
  NewForm1095cDerivation,
  NewForm1095cOverride,
  NewForm1095cRelease,
  NewFormMailing,
  NewFormTransmission,
  NewGroup,
  NewHoursReport,
  NewLifeEvent,
  NewMeasurementPolicies,
  NewMemberInvitation,
  NewNote,
  NewOrganization,
  NewPlanYearRequest,
  NewRenewalProposal,
  NewScheduledExport,
  NewTaxIdentifier,
  NewWebhookReplay,
  NewWebhookSubscription,
  Note,
  NoteChanges,
  NoteId,
  NotePage,
  OfferTest,
  Organization,
  OrganizationEnrollmentMessage,
  OrganizationEnrollmentMessagePage,
  OrganizationMember,
  OrganizationMemberPage,
  PartnerTask,
  PartnerTaskPage,
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
  RenewalProposal,
  RenewalProposalId,
  RenewalProposalPage,
  RenewalProposalSummary,
  RenewalRow,
  ReviewedForm1095c,
  RevokedApiKey,
  Rotation,
  ScheduledExport,
  ScheduledExportId,
  ScheduledExportPage,
  ServiceHours,
  ServiceHoursPage,
  Session,
  SessionId,
  SessionList,
  ShownEnrollmentMessage,
  ShownMemberInvitation,
  StatementId,
  TaxFactsInput,
  TaxFactsSaved,
  TaxIdentifier,
  Termination,
  Trends,
  UnopenedDocument,
  UnopenedDocumentPage,
  Wage,
  WageEntry,
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
  ListOrganizationMembersQuery,
  InvitationsListQuery,
  SessionsListQuery,
  ApiKeysListQuery,
  AuditEntriesListQuery,
  AuditEntriesExportQuery,
  EmployeesListWagesQuery,
  TasksListQuery,
  EmployersListQuery,
  EmployersCountQuery,
  EmployersListAdminsQuery,
  EmployersListNotesQuery,
  EmployeesListNotesQuery,
  PlansListQuery,
  DocumentsListQuery,
  DocumentsListReceiptsQuery,
  DocumentsListUnopenedQuery,
  EmployeesListDocumentsQuery,
  EmployersListBenefitEligibilityPoliciesQuery,
  EmployeesExplainEligibilityQuery,
  EmployersListBenefitPlanYearsQuery,
  EmployeesListEnrollmentsQuery,
  EnrollmentsGetHistoryQuery,
  EmployersListBenefitPlanYearEnrollmentsQuery,
  TrendsGetQuery,
  EmployersListEnrollmentWindowPeopleQuery,
  EmployersGetBenefitPlanYearRenewalQuery,
  EmployersListRenewalProposalsQuery,
  EmployersListEnrollmentMessagesQuery,
  ListEnrollmentMessagesQuery,
  DependentsListQuery,
  LifeEventsListQuery,
  EmployeesGetConfirmationQuery,
  EmployeesGetBenefitsStatementQuery,
  EmployeesGetBenefitsStatementPdfQuery,
  EmployersListBenefitPlanYearAmendmentsQuery,
  EmployersListManualAdjustmentsQuery,
  PayrollDeductionStatementsListQuery,
  EmployersListPayrollDeductionStatementsQuery,
  EmployeesProveDeductionsQuery,
  EmployeesListPaychecksQuery,
  InvoicesListQuery,
  InvoicesListAgingQuery,
  EmployersListInvoicesQuery,
  EmployersListInvoiceLinesQuery,
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
  AleGroupsListQuery,
  EmployeesListAssignmentsQuery,
  EmployersListAcaStatusesQuery,
  EmployeesGetAcaStatusQuery,
  EmployersReportHoursQuery,
  EmployersListHoursQuery,
  EmployersListHoursReportsQuery,
  EmployeesListHoursQuery,
  EmployersGetLargeEmployerStatusQuery,
  EmployersGetAffordabilityQuery,
  EmployeesGetForm1095cQuery,
  EmployeesGetForm1095cPdfQuery,
  EmployersGetFormSettingsQuery,
  EmployersListForms1095cQuery,
  EmployersGetOfferTestQuery,
  EmployersGetFormFilingQuery,
  EmployersGetPrintFileQuery,
  EmployersGetForm1094cQuery,
  EmployersGetForm1094cPdfQuery,
  EmployersListFormTransmissionsQuery,
  WebhookSubscriptionsListQuery,
  WebhookEventsListQuery,
  ActivityListQuery,
  ScheduledExportsListQuery,
  WebhookEventsListDeliveriesQuery,
  WebhookSubscriptionsTestQuery,
  WebhookSubscriptionsListDeliveriesQuery,
} from './types.gen.ts'

/** All operations by method name, encoded for core/operations.ts. */
export const operations: OperationTable = {
  organizations: {
    list: 'GET /v1/organizations query page:organizations',
    create: 'POST /v1/organizations body keyed',
    listMembers: 'GET /v1/organization-members query page:data',
    setBranding: 'PUT /v1/organization-branding body data',
    setDisplayNames: 'PUT /v1/organization-display-names body data',
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
    getAcaStatus: 'GET /v1/employees/{employee_id}/aca-status query data',
    getForm1095c: 'GET /v1/employees/{employee_id}/form-1095c query data',
    overrideForm1095c: 'PUT /v1/employees/{employee_id}/form-1095c body data',
    getForm1095cPdf: 'GET /v1/employees/{employee_id}/form-1095c/pdf query data',
    updateTaxFacts: 'PATCH /v1/employees/{employee_id}/tax-facts body data',
    listTaxIdentifiers: 'GET /v1/employees/{employee_id}/tax-identifier data',
    setTaxIdentifier: 'PUT /v1/employees/{employee_id}/tax-identifier body data',
    getTaxForms: 'GET /v1/employees/{employee_id}/tax-forms data',
    setElectronicDelivery: 'PUT /v1/employees/{employee_id}/electronic-delivery body data',
  },
  tasks: {
    list: 'GET /v1/tasks query page:data',
  },
  employers: {
    list: 'GET /v1/employers query page:data',
    create: 'POST /v1/employers body keyed data',
    count: 'GET /v1/employers/counts query data',
    get: 'GET /v1/employers/{employer_id} data',
    update: 'PUT /v1/employers/{employer_id} body data',
    getSettings: 'GET /v1/employers/{employer_id}/settings data',
    updateSettings: 'PUT /v1/employers/{employer_id}/settings body data',
    listAdmins: 'GET /v1/employers/{employer_id}/admins query page:data',
    addAdmin: 'POST /v1/employers/{employer_id}/admins body keyed data',
    removeAdmin: 'DELETE /v1/employers/{employer_id}/admins/{employer_admin_id} data',
    getSetup: 'GET /v1/employers/{employer_id}/setup data',
    requestPlanYear: 'PUT /v1/employers/{employer_id}/plan-year-request body data',
    withdrawPlanYearRequest: 'DELETE /v1/employers/{employer_id}/plan-year-request data',
    listAcaStatuses: 'GET /v1/employers/{employer_id}/aca-statuses query page:data',
    getLargeEmployerStatus: 'GET /v1/employers/{employer_id}/large-employer-status query data',
    getAcaOverview: 'GET /v1/employers/{employer_id}/aca-overview data',
    getAffordability: 'GET /v1/employers/{employer_id}/affordability query data',
    getFormSettings: 'GET /v1/employers/{employer_id}/form-settings query data',
    setFormSettings: 'PUT /v1/employers/{employer_id}/form-settings body data',
    updateTaxFacts: 'PATCH /v1/employers/{employer_id}/tax-facts body data',
    deriveForms1095c: 'POST /v1/employers/{employer_id}/forms-1095c/derive body keyed data',
    listForms1095c: 'GET /v1/employers/{employer_id}/forms-1095c query page:data',
    getOfferTest: 'GET /v1/employers/{employer_id}/offer-test query data',
    getFormFiling: 'GET /v1/employers/{employer_id}/form-filing query data',
    releaseForms1095c: 'POST /v1/employers/{employer_id}/forms-1095c/release body keyed data',
    getPrintFile: 'GET /v1/employers/{employer_id}/forms-1095c/print-file query data',
    recordFormMailing: 'PUT /v1/employers/{employer_id}/forms-1095c/mailing body data',
    getForm1094c: 'GET /v1/employers/{employer_id}/form-1094c query data',
    getForm1094cPdf: 'GET /v1/employers/{employer_id}/form-1094c/pdf query data',
    listFormTransmissions: 'GET /v1/employers/{employer_id}/form-1094c/transmissions query data',
    transmitForms: 'POST /v1/employers/{employer_id}/form-1094c/transmissions body keyed data',
    acknowledgeForms: 'POST /v1/employers/{employer_id}/form-1094c/acknowledgements body keyed data',
  },
  notes: {
    listOfEmployer: 'GET /v1/employers/{employer_id}/notes query page:data',
    addToEmployer: 'POST /v1/employers/{employer_id}/notes body keyed data',
    listOfEmployee: 'GET /v1/employees/{employee_id}/notes query page:data',
    addToEmployee: 'POST /v1/employees/{employee_id}/notes body keyed data',
    update: 'PATCH /v1/notes/{note_id} body data',
    delete: 'DELETE /v1/notes/{note_id} data',
    markMention: 'PUT /v1/notes/{note_id}/mention body data',
  },
  plans: {
    list: 'GET /v1/plans query page:data',
  },
  documents: {
    list: 'GET /v1/documents query page:data',
    create: 'POST /v1/documents body keyed data',
    get: 'GET /v1/documents/{document_id} data',
    update: 'PATCH /v1/documents/{document_id} body data',
    getLink: 'GET /v1/documents/{document_id}/download data',
    listReceipts: 'GET /v1/documents/{document_id}/receipts query page:data',
    listUnopened: 'GET /v1/documents/{document_id}/unopened query page:data',
    listOfEmployee: 'GET /v1/employees/{employee_id}/documents query page:data',
    open: 'POST /v1/employees/{employee_id}/documents/{document_id}/open keyed data',
    translate: 'POST /v1/documents/{document_id}/translations body keyed data',
    replace: 'POST /v1/documents/{document_id}/versions body keyed data',
    withdraw: 'POST /v1/documents/{document_id}/withdraw keyed data',
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
    listRenewalProposals: 'GET /v1/employers/{employer_id}/benefit-plan-years/{benefit_plan_year_id}/renewal-proposals query page:data',
    proposeRenewal: 'POST /v1/employers/{employer_id}/benefit-plan-years/{benefit_plan_year_id}/renewal-proposals body keyed data',
    getRenewalProposalPdf: 'GET /v1/employers/{employer_id}/renewal-proposals/{renewal_proposal_id}/pdf data',
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
    getDraft: 'GET /v1/employees/{employee_id}/enrollment-draft data',
    saveDraft: 'PUT /v1/employees/{employee_id}/enrollment-draft body data',
    discardDraft: 'DELETE /v1/employees/{employee_id}/enrollment-draft data',
    listAgreements: 'GET /v1/enrollment-agreements data',
    createAgreement: 'POST /v1/enrollment-agreements body keyed data',
    listAgreementsToSign: 'GET /v1/employees/{employee_id}/enrollment-agreements data',
    answer: 'POST /v1/employees/{employee_id}/enrollment-answers body keyed data',
    getConfirmation: 'GET /v1/employees/{employee_id}/enrollment-answers/pdf query data',
    listConfirmations: 'GET /v1/employees/{employee_id}/enrollment-confirmations data',
    getStatement: 'GET /v1/employees/{employee_id}/benefits-statement query data',
    getStatementPdf: 'GET /v1/employees/{employee_id}/benefits-statement/pdf query data',
  },
  trends: {
    get: 'GET /v1/trends query data',
  },
  enrollmentWindows: {
    list: 'GET /v1/employers/{employer_id}/enrollment-windows data',
    listPeople: 'GET /v1/employers/{employer_id}/enrollment-windows/{benefit_plan_year_id}/people query page:data',
    remind: 'POST /v1/employers/{employer_id}/enrollment-reminders body keyed data',
    listMessages: 'GET /v1/employers/{employer_id}/enrollment-messages query page:data',
    listAllMessages: 'GET /v1/enrollment-messages query page:data',
    getMessage: 'GET /v1/enrollment-messages/{enrollment_message_id} data',
    getSchedule: 'GET /v1/employers/{employer_id}/enrollment-schedule data',
    setSchedule: 'PUT /v1/employers/{employer_id}/enrollment-schedule body data',
    getMessageSettings: 'GET /v1/enrollment-message-settings data',
    setMessageSettings: 'PUT /v1/enrollment-message-settings body data',
    redeemLink: 'POST /v1/enrollment-links body keyed data',
  },
  dependents: {
    list: 'GET /v1/employees/{employee_id}/dependents query page:data',
    create: 'POST /v1/employees/{employee_id}/dependents body keyed data',
    update: 'PATCH /v1/dependents/{dependent_id} body data',
    end: 'DELETE /v1/dependents/{dependent_id} data',
    reinstate: 'POST /v1/dependents/{dependent_id}/reinstate keyed data',
    listAttachments: 'GET /v1/dependents/{dependent_id}/attachments data',
    attach: 'POST /v1/dependents/{dependent_id}/attachments body keyed data',
    detach: 'DELETE /v1/dependents/{dependent_id}/attachments/{dependent_attachment_id} data',
    decideVerification: 'PUT /v1/dependents/{dependent_id}/verification body data',
    search: 'GET /v1/dependents query page:data',
    setTaxIdentifier: 'PUT /v1/dependents/{dependent_id}/tax-identifier body data',
  },
  beneficiaries: {
    list: 'GET /v1/employees/{employee_id}/beneficiaries data',
    designate: 'PUT /v1/employees/{employee_id}/beneficiaries/{benefit_id} body data',
    listHistory: 'GET /v1/employees/{employee_id}/beneficiaries/{benefit_id}/history data',
  },
  lifeEvents: {
    list: 'GET /v1/employees/{employee_id}/qualifying-life-events query page:data',
    create: 'POST /v1/employees/{employee_id}/qualifying-life-events body keyed data',
    listAttachments: 'GET /v1/qualifying-life-events/{life_event_id}/attachments data',
    attach: 'POST /v1/qualifying-life-events/{life_event_id}/attachments body keyed data',
    detach: 'DELETE /v1/qualifying-life-events/{life_event_id}/attachments/{attachment_id} data',
  },
  manualAdjustments: {
    list: 'GET /v1/employers/{employer_id}/manual-adjustments query page:data',
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
  aleGroups: {
    list: 'GET /v1/ale-groups query page:data',
    create: 'POST /v1/ale-groups body keyed data',
    get: 'GET /v1/ale-groups/{ale_group_id} data',
    replace: 'PUT /v1/ale-groups/{ale_group_id} body data',
    delete: 'DELETE /v1/ale-groups/{ale_group_id} data',
  },
  assignments: {
    list: 'GET /v1/employees/{employee_id}/assignments query page:data',
    add: 'POST /v1/employees/{employee_id}/assignments body keyed data',
    replace: 'PUT /v1/assignments/{assignment_id} body data',
    delete: 'DELETE /v1/assignments/{assignment_id} data',
  },
  measurementPolicies: {
    get: 'GET /v1/employers/{employer_id}/measurement-policies data',
    set: 'PUT /v1/employers/{employer_id}/measurement-policies body data',
    preview: 'POST /v1/employers/{employer_id}/measurement-policies/preview body keyed data',
  },
  hours: {
    report: 'POST /v1/employers/{employer_id}/hours body query keyed data',
    listOfEmployer: 'GET /v1/employers/{employer_id}/hours query page:data',
    listReports: 'GET /v1/employers/{employer_id}/hours-reports query page:data',
    listOfEmployee: 'GET /v1/employees/{employee_id}/hours query page:data',
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
  activity: {
    list: 'GET /v1/activity query page:data',
  },
  scheduledExports: {
    list: 'GET /v1/scheduled-exports query page:data',
    create: 'POST /v1/scheduled-exports body keyed data',
    get: 'GET /v1/scheduled-exports/{scheduled_export_id} data',
    delete: 'DELETE /v1/scheduled-exports/{scheduled_export_id} data',
  },
  webhookDeliveries: {
    redeliver: 'POST /v1/webhook-deliveries/{webhook_delivery_id}/redeliver keyed data',
  },
  downloads: {
    get: 'GET /v1/downloads/{token} file',
  },
}

/** All methods of the partner API. */
export interface PartnerMethods {
  organizations: OrganizationsMethods
  invitations: InvitationsMethods
  sessions: SessionsMethods
  authentication: AuthenticationMethods
  tokens: TokensMethods
  apiKeys: ApiKeysMethods
  auditEntries: AuditEntriesMethods
  employees: EmployeesMethods
  tasks: TasksMethods
  employers: EmployersMethods
  notes: NotesMethods
  plans: PlansMethods
  documents: DocumentsMethods
  eligibilityPolicies: EligibilityPoliciesMethods
  planYears: PlanYearsMethods
  enrollments: EnrollmentsMethods
  trends: TrendsMethods
  enrollmentWindows: EnrollmentWindowsMethods
  dependents: DependentsMethods
  beneficiaries: BeneficiariesMethods
  lifeEvents: LifeEventsMethods
  manualAdjustments: ManualAdjustmentsMethods
  statements: StatementsMethods
  deductions: DeductionsMethods
  invoices: InvoicesMethods
  members: MembersMethods
  census: CensusMethods
  hris: HrisMethods
  groups: GroupsMethods
  aleGroups: AleGroupsMethods
  assignments: AssignmentsMethods
  measurementPolicies: MeasurementPoliciesMethods
  hours: HoursMethods
  webhookSubscriptions: WebhookSubscriptionsMethods
  webhookEvents: WebhookEventsMethods
  activity: ActivityMethods
  scheduledExports: ScheduledExportsMethods
  webhookDeliveries: WebhookDeliveriesMethods
  downloads: DownloadsMethods
}

export interface OrganizationsMethods {
  /**
   * List my organizations. `GET /v1/organizations`
   *
   * Lists the organizations of which the key's owner is an active member and which the key reaches, with the owner's role in each, oldest membership first. A bound key lists only its organization. The list is complete unless you send `limit` or `page`. It is empty for a user without organizations.
   *
   * Accepts API keys and unbound tokens. Any role.
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
   * Creates an organization and makes the key's owner its ADMIN. With an external identity provider, `idp_org_id` stays null until the provider has confirmed the tenant. Each user can create one organization.
   *
   * Accepts API keys and unbound tokens. Any role. Scopes: write.
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
   * //   id: 'org_01kdq7b4w8e9rs2mh3n5t6v703',
   * //   name: 'Lantern Benefits',
   * //   type: 'BROKERAGE',
   * //   idp_org_id: 'org_01kdq7b4w8e9rs2mh3n5t6v703',
   * //   idp_provider: 'service',
   * //   super_in: false
   * // }
   * ```
   */
  create(body: NewOrganization, options?: CallOptions): Promise<Organization>

  /**
   * List the members of your organization. `GET /v1/organization-members`
   *
   * Lists the current members by name. Notes can mention them.
   *
   * Accepts API keys and unbound tokens. Any role. Scopes: read.
   *
   * @example
   * ```ts
   * for await (const row of ob.organizations.listMembers()) console.log(row)
   * // {
   * //   user_id: 'usr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   name: 'Maya Okafor',
   * //   email: 'maya@example.com',
   * //   role: 'ADMIN'
   * // }
   * ```
   */
  listMembers(query?: ListOrganizationMembersQuery, options?: CallOptions): Pages<OrganizationMember, OrganizationMemberPage>

  /**
   * Update the branding of widgets. `PUT /v1/organization-branding`
   *
   * Sets the default branding. A page that embeds a widget can override it.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN. Scopes: write.
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

  /**
   * Update the names of benefits that employees see. `PUT /v1/organization-display-names`
   *
   * Replaces the names of benefits and categories in widgets, confirmations and benefits statements, per language. Names in the catalog and on invoices do not change. `GET /v1/auth/token` returns the names.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN. Scopes: write.
   *
   * @example
   * ```ts
   * await ob.organizations.setDisplayNames({
   *   display_names: [
   *     {
   *       language: 'es',
   *       name: 'Dental',
   *       display_name: 'Cuidado dental'
   *     }
   *   ]
   * })
   * // {
   * //   display_names: [
   * //     {
   * //       language: 'es',
   * //       name: 'Dental',
   * //       display_name: 'Cuidado dental'
   * //     }
   * //   ]
   * // }
   * ```
   */
  setDisplayNames(body: DisplayNames, options?: CallOptions): Promise<DisplayNames>
}

export interface InvitationsMethods {
  /**
   * List invitations. `GET /v1/invitations`
   *
   * Returns the invitations to your organization with their status, newest first.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN. Scopes: read, keys.
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
   * Invite a person to your organization. `POST /v1/invitations`
   *
   * The response includes a link, which is shown once and expires after 7 days. The invited person opens it and signs in at the identity provider of the installation with the invited email address.
   *
   * Accepts API keys and session tokens. Roles: ADMIN. Scopes: read, write, people, money, webhooks, keys, tax.
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
   * //   url: 'http://127.0.0.1:37923/invitations/org_01kdq7b4w8e9rs2mh3n5t6v700.AAmUMuuvDAGImji6aDgcJUkTGd-delXzHLMdOnE92Xw'
   * // }
   * ```
   */
  create(body: NewMemberInvitation, options?: CallOptions): Promise<ShownMemberInvitation>

  /**
   * Withdraw an invitation. `DELETE /v1/invitations/{invitation_id}`
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN. Scopes: write, keys.
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
   * Returns the browser sessions of the credential's owner, newest first. Ended sessions are listed for 90 days.
   *
   * Accepts API keys and unbound tokens. Any role. Scopes: read.
   *
   * @example
   * ```ts
   * for await (const row of ob.sessions.list()) console.log(row)
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
  list(query?: SessionsListQuery, options?: CallOptions): Pages<Session, SessionList>

  /**
   * Sign out of a session. `DELETE /v1/sessions/{session_id}`
   *
   * Ends the session. Its access tokens stop working within 5 seconds in every process.
   *
   * Accepts API keys and unbound tokens. Any role. Scopes: write.
   *
   * @example
   * ```ts
   * await ob.sessions.revoke(session_id)
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

export interface AuthenticationMethods {
  /**
   * Describe the credential. `GET /v1/auth/token`
   *
   * Describes the credential of the request. For a key, a session or an unbound token: its owner, the organization it acts as, roles, scopes, expiry and today's date. For a bound token: the bound entity, the organization with its branding, expiry and today's date, but nothing about the owner of the key.
   *
   * Accepts API keys, unbound tokens, employer tokens and employee tokens. Any role.
   *
   * @example
   * ```ts
   * await ob.authentication.getToken()
   * // {
   * //   kind: 'api_key',
   * //   api_key: {
   * //     id: 'key_01kdq7b4w8e9rs2mh3n5t6v701',
   * //     name: 'Harbor',
   * //     last_four: 'I0ZY'
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
   * //     accent_color: '#7a1f5c',
   * //     display_names: [
   * //       {
   * //         name: 'Dental',
   * //         language: 'es',
   * //         display_name: 'Cuidado dental'
   * //       }
   * //     ]
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
   * Issues a token of 15 minutes from an API key, for browser widgets if bound to one employer or employee. Authorize the signed-in user first, and return only the token and its expiry to the browser.
   *
   * Accepts API keys. Any role.
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
   * Creates a key of your organization for you or another member, with the role of that member. A key cannot grant scopes that the creating key lacks or outlive it. A key that a browser session creates ends after 90 days by default and 366 at most. The response shows it once.
   *
   * Accepts API keys and session tokens. Roles: ADMIN. Scopes: write, keys.
   *
   * @throws {ApiError} among others `too_many_api_keys`, `user_is_not_a_member`, `key_exceeds_creator`
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
   * List API keys. `GET /v1/api-keys`
   *
   * Returns the keys that are bound to your organization, newest first, including expired and revoked ones. With `unbound=true`, returns the unbound keys that reach your organization instead.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN. Scopes: read, keys.
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
  list(query?: ApiKeysListQuery, options?: CallOptions): Pages<ApiKey, ApiKeyPage>

  /**
   * Get an API key. `GET /v1/api-keys/{api_key_id}`
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN. Scopes: read, keys.
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
  get(api_key_id: ApiKeyId, options?: CallOptions): Promise<ApiKey>

  /**
   * Update an API key. `PATCH /v1/api-keys/{api_key_id}`
   *
   * Changes the name or the allowed origins of a key. Other properties cannot change.
   *
   * Accepts API keys and session tokens. Roles: ADMIN. Scopes: write, keys.
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
  update(api_key_id: ApiKeyId, body?: ApiKeyChanges, options?: CallOptions): Promise<ApiKey>

  /**
   * Revoke an API key. `DELETE /v1/api-keys/{api_key_id}`
   *
   * Revokes the key and every token issued from it. All processes reject them within 5 seconds.
   *
   * Accepts API keys and session tokens. Roles: ADMIN. Scopes: write, keys.
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
  revoke(api_key_id: ApiKeyId, options?: CallOptions): Promise<ApiKey>

  /**
   * Rotate an API key. `POST /v1/api-keys/{api_key_id}/rotate`
   *
   * Creates a new secret for the key. The response shows it once. The previous secret stays valid for `overlap_hours`; older secrets stop working immediately. Tokens that were already issued stay valid until they expire.
   *
   * Accepts API keys and session tokens. Roles: ADMIN. Scopes: write, keys.
   *
   * @throws {ApiError} among others `key_exceeds_creator`
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
  rotate(api_key_id: ApiKeyId, body?: Rotation, options?: CallOptions): Promise<IssuedApiKey>

  /**
   * Report a leaked API key. `POST /v1/api-keys/report-leak`
   *
   * Revokes a leaked key immediately. Possession of the key is sufficient authorization, so you may also send the key as the credential of this request. Its organization receives the event `api_key.revoked`.
   *
   * Accepts API keys. Any role.
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
   * List audit entries. `GET /v1/audit-entries`
   *
   * Returns each operation on the organization and its resources, with its time, caller, address and outcome. Operations of the operator are included. Newest first. To get the next page, send `next_offset` of the previous page as `offset`, until it is null. A page may have fewer entries than its limit, or none, even if more pages follow. A request appears in the list within a second.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN. Scopes: read, keys.
   *
   * @example
   * ```ts
   * for await (const row of ob.auditEntries.list()) console.log(row)
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
  list(query?: AuditEntriesListQuery, options?: CallOptions): Pages<AuditEntry, AuditEntryPage>

  /**
   * Export audit entries. `GET /v1/audit-entries/export`
   *
   * Returns a link to a file of all matching entries, newest first. The file is generated when the link is opened.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN. Scopes: read, keys.
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
   * Report the wage of an employee. `PUT /v1/employees/{employee_id}/wage`
   *
   * Reports a monthly wage starting on a day. A later report for the same day replaces it. The wage only determines whether an ICHRA is affordable; without one, the federal poverty line applies.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: write, people.
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
   * List the reported wages of an employee. `GET /v1/employees/{employee_id}/wage`
   *
   * Returns the monthly wages, latest `effective_on` first. Only callers that may report wages can read them.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: read, people.
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
  listWages(employee_id: EmployeeId, query?: EmployeesListWagesQuery, options?: CallOptions): Pages<WageEntry, WagePage>

  /**
   * Explain the eligibility of an employee. `GET /v1/employees/{employee_id}/eligibility`
   *
   * Returns the class, the policy and the period of eligibility on that day. For each benefit in plan years that have not ended by then, it shows how the first day of coverage is calculated: anchor, rule, raw day, floor and cap. A benefit with a policy of its own is explained by that policy.
   *
   * Accepts API keys, unbound tokens, employer tokens and employee tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: read, people.
   *
   * @example
   * ```ts
   * await ob.employees.explainEligibility(employee_id)
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
  explainEligibility(employee_id: EmployeeId, query?: EmployeesExplainEligibilityQuery, options?: CallOptions): Promise<EligibilityExplanation>

  /**
   * Get an employee. `GET /v1/employees/{employee_id}`
   *
   * Accepts API keys, unbound tokens, employer tokens and employee tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: read, people.
   *
   * @example
   * ```ts
   * await ob.employees.get(employee_id)
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
   * Update an employee. `PATCH /v1/employees/{employee_id}`
   *
   * Changes the fields that you send, all or none. `effective_date` is the day of a move, and the day from which the class and the compensation type apply. A day before the start of the current value inserts into the history.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: write, people.
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
  update(employee_id: EmployeeId, body: EmployeeChanges, options?: CallOptions): Promise<Employee>

  /**
   * Update an employee's contact data. `PATCH /v1/employees/{employee_id}/contact`
   *
   * While employed, employees may change their own phone and address.
   *
   * Accepts API keys, unbound tokens and employee tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: write, people.
   *
   * @throws {ApiError} among others `invalid_employee_update`, `employee_is_not_employed`
   *
   * @example
   * ```ts
   * await ob.employees.updateContact(employee_id, {
   *   phone: '4155550123'
   * })
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
  updateContact(employee_id: EmployeeId, body?: ContactChanges, options?: CallOptions): Promise<Employee>

  /**
   * Terminate an employee. `POST /v1/employees/{employee_id}/terminate`
   *
   * Sets the last day employed: at most 60 days ago, or in the future. The status changes on the following day.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: write, people.
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
  terminate(employee_id: EmployeeId, body: Termination, options?: CallOptions): Promise<Employee>

  /**
   * Rehire a former employee. `POST /v1/employees/{employee_id}/rehire`
   *
   * Creates a new employment of the same person, with its own id. Omitted fields are taken from the previous employment.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: write, people.
   *
   * @throws {ApiError} among others `invalid_employee_update`, `employer_has_no_active_subscription`, `employee_not_terminated`
   *
   * @example
   * ```ts
   * await ob.employees.rehire(employee_id, {
   *   start_date: '2026-03-01'
   * })
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
  rehire(employee_id: EmployeeId, body: Rehire, options?: CallOptions): Promise<Employee>

  /**
   * Create an employee. `POST /v1/employers/{employer_id}/employees`
   *
   * Adds a person to the roster. A person whom the organization knows is linked to the employer, not duplicated. Ambiguous matches are refused as `email_taken` or `ambiguous_person`; then send `member_id`, `employee_id` or `distinct`. `warnings` list the fields of the request that were not saved, because the linked person keeps other values.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: write, people.
   *
   * @throws {ApiError} among others `invalid_employee_update`, `employer_has_hris_connection`, `employer_has_no_active_subscription`, `employee_already_exists`, `ambiguous_person`, `reference_of_other_person`, `email_taken`, `invalid_account_update`
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
   * //   member_id: 'mbr_01kdq7b4w8e9rs2mh3n5t6v701',
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
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v708',
   * //   employer_name: 'Bakery F',
   * //   start_date: '2026-01-05',
   * //   classification_effective_date: '2026-01-05',
   * //   compensation_type: null,
   * //   compensation_type_effective_date: null,
   * //   bargaining_unit: null,
   * //   bargaining_unit_effective_date: null,
   * //   deductions: [],
   * //   warnings: [
   * //     {
   * //       field: 'phone',
   * //       message: 'differs from the stored value, which stays unchanged'
   * //     }
   * //   ]
   * // }
   * ```
   */
  create(employer_id: EmployerId, body: NewEmployee, options?: CallOptions): Promise<HiredEmployee>

  /**
   * List the employees of an employer. `GET /v1/employers/{employer_id}/employees`
   *
   * Accepts API keys, unbound tokens and employer tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: read, people.
   *
   * @throws {ApiError} among others `unprocessable`
   *
   * @example
   * ```ts
   * for await (const row of ob.employees.list(employer_id)) console.log(row)
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
  list(employer_id: EmployerId, query?: EmployersListEmployeesQuery, options?: CallOptions): Pages<Employee, EmployeePage>

  /**
   * Reinstate an employee. `POST /v1/employees/{employee_id}/reinstate`
   *
   * Reverses the last termination, up to 60 days after the last day employed. Coverage becomes what it would be without the termination, and corrections adjust deductions and invoices. Publishes `employee.reinstated` and `enrollment.reinstated`.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: write, people.
   *
   * @throws {ApiError} among others `invalid_employee_update`, `employer_has_no_active_subscription`, `nothing_to_reinstate`, `employee_was_rehired`
   *
   * @example
   * ```ts
   * await ob.employees.reinstate(employee_id, {
   *   reason: 'Left out of the file by mistake'
   * })
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
  reinstate(employee_id: EmployeeId, body?: Reinstatement, options?: CallOptions): Promise<Employee>

  /**
   * Explain the full-time status of an employee. `GET /v1/employees/{employee_id}/aca-status`
   *
   * Returns whether the employee is full-time on that day, by which measurement, and until when, with each measurement, administrative and stability period and the months of the calendar year.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: read, people.
   *
   * @example
   * ```ts
   * await ob.employees.getAcaStatus(employee_id)
   * // {
   * //   employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   as_of: '2026-03-10',
   * //   is_full_time: true,
   * //   reason_code: 'standard_measurement',
   * //   reason: 'The standard measurement period decides this stability period.',
   * //   status_starts_on: '2024-01-01',
   * //   status_ends_on: null,
   * //   measurement_policy: {
   * //     compensation_type: null,
   * //     state: null,
   * //     bargaining_unit: null,
   * //     is_collectively_bargained: null,
   * //     effective_on: null,
   * //     method: 'look_back',
   * //     standard_starts_on: '2025-10-15',
   * //     standard_months: 12,
   * //     administrative_months: 2,
   * //     stability_months: 12,
   * //     initial_months: 12,
   * //     initial_starts: 'start_date',
   * //     initial_administrative_months: 1,
   * //     by_weeks: false,
   * //     uses_payroll_periods: false,
   * //     educational: false,
   * //     parity: false
   * //   },
   * //   service_starts_on: '2022-03-01',
   * //   statuses: [
   * //     {
   * //       starts_on: '2022-03-01',
   * //       ends_on: '2023-12-31',
   * //       is_full_time: true,
   * //       reason_code: 'expected_full_time'
   * //     }
   * //   ],
   * //   measurements: [
   * //     {
   * //       kind: 'standard',
   * //       measurement_period: {
   * //         starts_on: '2023-10-15',
   * //         ends_on: '2024-10-14'
   * //       },
   * //       administrative_period: {
   * //         starts_on: '2024-10-15',
   * //         ends_on: '2024-12-31'
   * //       },
   * //       stability_period: {
   * //         starts_on: '2025-01-01',
   * //         ends_on: '2025-12-31'
   * //       },
   * //       has_ended: true,
   * //       is_reported: false,
   * //       hours: 0,
   * //       average_weekly_hours: 0,
   * //       is_full_time: true
   * //     }
   * //   ],
   * //   months: [
   * //     {
   * //       month: '2026-01-01',
   * //       status: 'full_time',
   * //       reason_code: 'standard_measurement'
   * //     }
   * //   ]
   * // }
   * ```
   */
  getAcaStatus(employee_id: EmployeeId, query?: EmployeesGetAcaStatusQuery, options?: CallOptions): Promise<AcaStatus>

  /**
   * Get Form 1095-C or 1095-B of an employee. `GET /v1/employees/{employee_id}/form-1095c`
   *
   * Derives the form of a year from employment, offers, enrollments and wages. Each cell has a reason. Months that are not over are derived from what is known today. `form_type` of the form settings of the employer selects the form.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: read, people, tax.
   *
   * @example
   * ```ts
   * await ob.employees.getForm1095c(employee_id)
   * // {
   * //   employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v70a',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v707',
   * //   tax_year: 2026,
   * //   form_type: '1095-C',
   * //   need: 'full_time',
   * //   employee: {
   * //     first_name: 'Chloe',
   * //     last_name: 'Ek',
   * //     suffix: null,
   * //     date_of_birth: '2001-11-19',
   * //     tax_identifier_last_four: null
   * //   },
   * //   months: [
   * //     {
   * //       month: 1,
   * //       status: 'not_employed',
   * //       line_14: {
   * //         value: '1H',
   * //         reason: 'Not employed in the month.',
   * //         is_overridden: false
   * //       },
   * //       line_16: {
   * //         value: '2A',
   * //         reason: 'Not employed on any day of the month.',
   * //         is_overridden: false
   * //       },
   * //       line_17: {
   * //         value: null,
   * //         reason: 'Code 1H has no ZIP code.',
   * //         is_overridden: false
   * //       },
   * //       line_15_in_cents: {
   * //         value: null,
   * //         reason: 'Code 1H has no amount.',
   * //         is_overridden: false
   * //       }
   * //     }
   * //   ],
   * //   origin_of_coverage: null,
   * //   covered_people: [
   * //     {
   * //       person_id: 'mbr_01kdq7b4w8e9rs2mh3n5t6v704',
   * //       first_name: 'Chloe',
   * //       last_name: 'Ek',
   * //       suffix: null,
   * //       date_of_birth: '2001-11-19',
   * //       tax_identifier_last_four: null,
   * //       months: [
   * //         false
   * //       ]
   * //     }
   * //   ],
   * //   tax_facts: {
   * //     w2_wages_in_cents: null,
   * //     multiemployer_months: [],
   * //     continuation_coverage: [
   * //       {
   * //         months: [
   * //           5
   * //         ],
   * //         is_enrolled: true,
   * //         monthly_premium_in_cents: 48960
   * //       }
   * //     ]
   * //   },
   * //   exceptions: [
   * //     'no_offer'
   * //   ],
   * //   names_not_accepted: [],
   * //   filing_errors: [],
   * //   override: null
   * // }
   * ```
   */
  getForm1095c(employee_id: EmployeeId, query?: EmployeesGetForm1095cQuery, options?: CallOptions): Promise<Form1095c>

  /**
   * Override cells of Form 1095-C. `PUT /v1/employees/{employee_id}/form-1095c`
   *
   * Sets cells of lines 14 to 17 instead of the derived ones, with a reason. Replaces an earlier override of the year. An empty list of months removes it. The offer test and Form 1094-C count the months as the form reports them, so that a job derives all forms again after an override.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: write, people, tax.
   *
   * @throws {ApiError} among others `form_without_cells`
   *
   * @example
   * ```ts
   * await ob.employees.overrideForm1095c(employee_id, {
   *   tax_year: 2026,
   *   reason: 'The offer was made on paper',
   *   months: [
   *     {
   *       month: 3,
   *       line_14: '1E',
   *       line_15_in_cents: 12000,
   *       line_16: '2G'
   *     }
   *   ]
   * })
   * // {
   * //   employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v70a',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v707',
   * //   tax_year: 2026,
   * //   form_type: '1095-C',
   * //   need: 'full_time',
   * //   employee: {
   * //     first_name: 'Chloe',
   * //     last_name: 'Ek',
   * //     suffix: null,
   * //     date_of_birth: '2001-11-19',
   * //     tax_identifier_last_four: null
   * //   },
   * //   months: [
   * //     {
   * //       month: 1,
   * //       status: 'not_employed',
   * //       line_14: {
   * //         value: '1H',
   * //         reason: 'Not employed in the month.',
   * //         is_overridden: false
   * //       },
   * //       line_16: {
   * //         value: '2A',
   * //         reason: 'Not employed on any day of the month.',
   * //         is_overridden: false
   * //       },
   * //       line_17: {
   * //         value: null,
   * //         reason: 'Code 1H has no ZIP code.',
   * //         is_overridden: false
   * //       },
   * //       line_15_in_cents: {
   * //         value: null,
   * //         reason: 'Code 1H has no amount.',
   * //         is_overridden: false
   * //       }
   * //     }
   * //   ],
   * //   origin_of_coverage: null,
   * //   covered_people: [
   * //     {
   * //       person_id: 'mbr_01kdq7b4w8e9rs2mh3n5t6v704',
   * //       first_name: 'Chloe',
   * //       last_name: 'Ek',
   * //       suffix: null,
   * //       date_of_birth: '2001-11-19',
   * //       tax_identifier_last_four: null,
   * //       months: [
   * //         false
   * //       ]
   * //     }
   * //   ],
   * //   tax_facts: {
   * //     w2_wages_in_cents: null,
   * //     multiemployer_months: [],
   * //     continuation_coverage: [
   * //       {
   * //         months: [
   * //           5
   * //         ],
   * //         is_enrolled: true,
   * //         monthly_premium_in_cents: 48960
   * //       }
   * //     ]
   * //   },
   * //   exceptions: [
   * //     'no_offer'
   * //   ],
   * //   names_not_accepted: [],
   * //   filing_errors: [],
   * //   override: null
   * // }
   * ```
   */
  overrideForm1095c(employee_id: EmployeeId, body: NewForm1095cOverride, options?: CallOptions): Promise<Form1095c>

  /**
   * Get a link to the PDF of Form 1095-C. `GET /v1/employees/{employee_id}/form-1095c/pdf`
   *
   * Returns a link to the employee's copy of the form, in the layout of the IRS. It shows the last four digits of tax identifiers.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: read, people, tax.
   *
   * @example
   * ```ts
   * await ob.employees.getForm1095cPdf(employee_id)
   * // {
   * //   download_url: 'https://benefits.example.com/v1/downloads/eyJhbGciOiJIUzI1NiJ9.eyJr.c2ln',
   * //   expires_at: '2026-03-10T16:15:00.000Z'
   * // }
   * ```
   */
  getForm1095cPdf(employee_id: EmployeeId, query?: EmployeesGetForm1095cPdfQuery, options?: CallOptions): Promise<DownloadLink>

  /**
   * Update the tax facts of an employee. `PATCH /v1/employees/{employee_id}/tax-facts`
   *
   * Stores the facts of one employee, and returns the form that follows from them. Facts that you do not send stay unchanged. With `dry_run`, nothing changes.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: write, people, tax.
   *
   * @example
   * ```ts
   * await ob.employees.updateTaxFacts(employee_id, {
   *   tax_year: 2026,
   *   w2_wages_in_cents: 3120000
   * })
   * // {
   * //   employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v70a',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v707',
   * //   tax_year: 2026,
   * //   form_type: '1095-C',
   * //   need: 'full_time',
   * //   employee: {
   * //     first_name: 'Chloe',
   * //     last_name: 'Ek',
   * //     suffix: null,
   * //     date_of_birth: '2001-11-19',
   * //     tax_identifier_last_four: null
   * //   },
   * //   months: [
   * //     {
   * //       month: 1,
   * //       status: 'not_employed',
   * //       line_14: {
   * //         value: '1H',
   * //         reason: 'Not employed in the month.',
   * //         is_overridden: false
   * //       },
   * //       line_16: {
   * //         value: '2A',
   * //         reason: 'Not employed on any day of the month.',
   * //         is_overridden: false
   * //       },
   * //       line_17: {
   * //         value: null,
   * //         reason: 'Code 1H has no ZIP code.',
   * //         is_overridden: false
   * //       },
   * //       line_15_in_cents: {
   * //         value: null,
   * //         reason: 'Code 1H has no amount.',
   * //         is_overridden: false
   * //       }
   * //     }
   * //   ],
   * //   origin_of_coverage: null,
   * //   covered_people: [
   * //     {
   * //       person_id: 'mbr_01kdq7b4w8e9rs2mh3n5t6v704',
   * //       first_name: 'Chloe',
   * //       last_name: 'Ek',
   * //       suffix: null,
   * //       date_of_birth: '2001-11-19',
   * //       tax_identifier_last_four: null,
   * //       months: [
   * //         false
   * //       ]
   * //     }
   * //   ],
   * //   tax_facts: {
   * //     w2_wages_in_cents: null,
   * //     multiemployer_months: [],
   * //     continuation_coverage: [
   * //       {
   * //         months: [
   * //           5
   * //         ],
   * //         is_enrolled: true,
   * //         monthly_premium_in_cents: 48960
   * //       }
   * //     ]
   * //   },
   * //   exceptions: [
   * //     'no_offer'
   * //   ],
   * //   names_not_accepted: [],
   * //   filing_errors: [],
   * //   override: null
   * // }
   * ```
   */
  updateTaxFacts(employee_id: EmployeeId, body: EmployeeTaxFactsInput, options?: CallOptions): Promise<Form1095c>

  /**
   * List the tax identifiers of an employee and the dependents. `GET /v1/employees/{employee_id}/tax-identifier`
   *
   * Returns the last four digits of the tax identifiers of the employee and the current dependents, and the people without one.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: read, people, tax.
   *
   * @example
   * ```ts
   * await ob.employees.listTaxIdentifiers(employee_id)
   * // [
   * //   {
   * //     person_id: 'mbr_01kdq7b4w8e9rs2mh3n5t6v709',
   * //     relationship: 'employee',
   * //     last_four: '9999',
   * //     updated_at: '2026-03-10T16:00:00.000Z'
   * //   }
   * // ]
   * ```
   */
  listTaxIdentifiers(employee_id: EmployeeId, options?: CallOptions): Promise<TaxIdentifier[]>

  /**
   * Store the tax identifier of an employee. `PUT /v1/employees/{employee_id}/tax-identifier`
   *
   * Stores the tax identifier of the person. It is the same at each employment. The number is encrypted with a key of its own and is only used for tax forms. Responses contain its last four digits. Storing another number replaces it.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: write, people, tax.
   *
   * @example
   * ```ts
   * await ob.employees.setTaxIdentifier(employee_id, {
   *   tax_identifier: '219-09-9999'
   * })
   * // {
   * //   person_id: 'mbr_01kdq7b4w8e9rs2mh3n5t6v709',
   * //   relationship: 'employee',
   * //   last_four: '9999',
   * //   updated_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  setTaxIdentifier(employee_id: EmployeeId, body: NewTaxIdentifier, options?: CallOptions): Promise<TaxIdentifier>

  /**
   * List the released tax forms of an employee. `GET /v1/employees/{employee_id}/tax-forms`
   *
   * Returns the latest released form of each tax year with a download link, and the consent to electronic delivery. A year has two forms if the employer changed its EIN after a release.
   *
   * Accepts API keys, unbound tokens and employee tokens. Roles: ADMIN, OPERATIONS. Scopes: read, people, tax.
   *
   * @example
   * ```ts
   * await ob.employees.getTaxForms(employee_id)
   * // {
   * //   furnisher: {
   * //     legal_name: 'Granite Freight Inc.',
   * //     address: {
   * //       address_line_1: '1 Polk Ave',
   * //       address_line_2: null,
   * //       city: 'Austin',
   * //       state: 'TX',
   * //       zipcode: '78701'
   * //     },
   * //     phone_number: null,
   * //     email: 'people@granite-freight.example.com'
   * //   },
   * //   electronic_delivery: {
   * //     consents: true,
   * //     given_at: '2026-03-10T16:00:00.000Z',
   * //     withdrawn_at: null
   * //   },
   * //   forms: [
   * //     {
   * //       tax_year: 2025,
   * //       form: '1095-C',
   * //       version: 1,
   * //       is_corrected: false,
   * //       released_at: '2026-03-10T16:00:00.000Z',
   * //       file: {
   * //         download_url: 'https://benefits.example.com/v1/downloads/eyJhbGciOiJIUzI1NiJ9.eyJr.c2ln',
   * //         expires_at: '2026-03-10T16:15:00.000Z'
   * //       }
   * //     }
   * //   ]
   * // }
   * ```
   */
  getTaxForms(employee_id: EmployeeId, options?: CallOptions): Promise<EmployeeTaxForms>

  /**
   * Consent to electronic delivery of tax forms. `PUT /v1/employees/{employee_id}/electronic-delivery`
   *
   * Records that the employee consents to receive the tax forms of the EIN of the employer only electronically, or withdraws the consent. Only the employee can consent, to each EIN separately (26 CFR 301.6056-2). Show the disclosures that the regulation requires first.
   *
   * Accepts employee tokens. Roles: ADMIN, OPERATIONS. Scopes: write, people, tax.
   *
   * @example
   * ```ts
   * await ob.employees.setElectronicDelivery(employee_id, {
   *   consents: true
   * })
   * // {
   * //   consents: true,
   * //   given_at: '2026-03-10T16:00:00.000Z',
   * //   withdrawn_at: null
   * // }
   * ```
   */
  setElectronicDelivery(employee_id: EmployeeId, body: ElectronicDeliveryInput, options?: CallOptions): Promise<ElectronicDelivery>
}

export interface TasksMethods {
  /**
   * List tasks. `GET /v1/tasks`
   *
   * Returns the work that waits for you, by due date. Tasks without a deadline are ordered by the day on which they were opened. The list contains only tasks about resources that your role and scopes can read: tasks about people require `people`, invoices `money`, and webhooks `webhooks`.
   *
   * Accepts API keys and unbound tokens. Any role. Scopes: read.
   *
   * @example
   * ```ts
   * for await (const row of ob.tasks.list()) console.log(row)
   * // {
   * //   id: 'task_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   kind: 'invoice_overdue',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v703',
   * //   employer_name: 'Sunrise Bakery',
   * //   owner: {
   * //     user_id: 'usr_01kdq7b4w8e9rs2mh3n5t6v703',
   * //     name: 'Omar Haddad'
   * //   },
   * //   employee_id: null,
   * //   person_name: null,
   * //   people_count: null,
   * //   resource_id: 'INV-000033',
   * //   details: {
   * //     period: '2026-01',
   * //     total_in_cents: 111580
   * //   },
   * //   opened_at: '2026-02-04T05:00:00.000Z',
   * //   due_on: '2026-02-03',
   * //   action: {
   * //     operation: 'employers_get_invoice_pdf',
   * //     method: 'GET',
   * //     path: '/v1/employers/empr_01kdq7b4w8e9rs2mh3n5t6v703/invoices/INV-000033/pdf'
   * //   }
   * // }
   * ```
   */
  list(query?: TasksListQuery, options?: CallOptions): Pages<PartnerTask, PartnerTaskPage>
}

export interface EmployersMethods {
  /**
   * List the employer book. `GET /v1/employers`
   *
   * Returns the employers of your organization with their computed columns, newest first. Cancelled employers are hidden unless `include_cancelled` is true or you filter by their stage.
   *
   * Accepts API keys and unbound tokens. Any role. Scopes: read.
   *
   * @example
   * ```ts
   * for await (const row of ob.employers.list()) console.log(row)
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
  list(query?: EmployersListQuery, options?: CallOptions): Pages<EmployerRow, EmployerPage>

  /**
   * Create an employer. `POST /v1/employers`
   *
   * EIN, name, legal name, email address and phone number are each unique within the organization. The email address becomes the first admin of the employer. In a sandbox, the employer's subscription starts immediately.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: write.
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
  create(body: NewEmployer, options?: CallOptions): Promise<Employer>

  /**
   * Count employers by filter. `GET /v1/employers/counts`
   *
   * Returns the number of employers that each value of a filter would match, in addition to the search and the other filters of the request.
   *
   * Accepts API keys and unbound tokens. Any role. Scopes: read.
   *
   * @example
   * ```ts
   * await ob.employers.count()
   * // {
   * //   benefit_lifecycle_stage: [
   * //     {
   * //       value: 'active',
   * //       employer_count: 1
   * //     }
   * //   ],
   * //   benefit_family: [
   * //     {
   * //       value: 'DENTAL',
   * //       employer_count: 3
   * //     }
   * //   ],
   * //   hris_status: [
   * //     {
   * //       value: 'active',
   * //       employer_count: 2
   * //     }
   * //   ],
   * //   hris_provider: [
   * //     {
   * //       value: 'adp',
   * //       employer_count: 1
   * //     }
   * //   ],
   * //   owner: [
   * //     {
   * //       value: 'usr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //       employer_count: 1
   * //     }
   * //   ]
   * // }
   * ```
   */
  count(query?: EmployersCountQuery, options?: CallOptions): Promise<EmployerCounts>

  /**
   * Get an employer. `GET /v1/employers/{employer_id}`
   *
   * Accepts API keys, unbound tokens and employer tokens. Any role. Scopes: read.
   *
   * @example
   * ```ts
   * await ob.employers.get(employer_id)
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
   * Update an employer. `PUT /v1/employers/{employer_id}`
   *
   * Only the fields you send change, all or none. Null clears `reference_id` and `phone_number`. The address is replaced as a whole. The EIN cannot change.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: write.
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
  update(employer_id: EmployerId, body?: EmployerChanges, options?: CallOptions): Promise<Employer>

  /**
   * Get the settings of an employer. `GET /v1/employers/{employer_id}/settings`
   *
   * Returns all settings, including those that only the operator can change.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: read.
   *
   * @example
   * ```ts
   * await ob.employers.getSettings(employer_id)
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
   * Update the settings of an employer. `PUT /v1/employers/{employer_id}/settings`
   *
   * Only the fields you send change. The response contains all settings.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: write.
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
   * //   census_values: [],
   * //   deductions_per_year: null,
   * //   final_deductions: 'collect',
   * //   arrears_limit_percent: 50,
   * //   administered_from: '2025-10-01',
   * //   correction_reach_months: 3
   * // }
   * ```
   */
  updateSettings(employer_id: EmployerId, body?: EmployerSettingsChanges, options?: CallOptions): Promise<EmployerSettings>

  /**
   * List the admins of an employer. `GET /v1/employers/{employer_id}/admins`
   *
   * Returns the current admins, oldest first.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: read.
   *
   * @example
   * ```ts
   * for await (const row of ob.employers.listAdmins(employer_id)) console.log(row)
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
  listAdmins(employer_id: EmployerId, query?: EmployersListAdminsQuery, options?: CallOptions): Pages<EmployerAdmin, EmployerAdminPage>

  /**
   * Add an admin to an employer. `POST /v1/employers/{employer_id}/admins`
   *
   * The employer can be found by the email address of an admin. An admin has no access to the service. The first admin has no name until you send one with the same email address.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: write.
   *
   * @throws {ApiError} among others `employer_admin_already_exists`
   *
   * @example
   * ```ts
   * await ob.employers.addAdmin(employer_id, {
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
   * Remove an admin from an employer. `DELETE /v1/employers/{employer_id}/admins/{employer_admin_id}`
   *
   * The employer can no longer be found by this email address. You can add the admin again.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: write.
   *
   * @example
   * ```ts
   * await ob.employers.removeAdmin(employer_id, employer_admin_id)
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
   * Get the setup of an employer. `GET /v1/employers/{employer_id}/setup`
   *
   * Returns the steps from a new employer to its first coverage. Each step follows from the current data of the employer, so no request completes a step by itself.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: read.
   *
   * @example
   * ```ts
   * await ob.employers.getSetup(employer_id)
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
   * Request a plan year. `PUT /v1/employers/{employer_id}/plan-year-request`
   *
   * Opens a task for the operator, who opens plan years with their benefits and contributions. A later request replaces it, and the next plan year of the employer completes it.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: write.
   *
   * @throws {ApiError} among others `employer_is_cancelled`
   *
   * @example
   * ```ts
   * await ob.employers.requestPlanYear(employer_id, {
   *   coverage_start: '2027-01-01',
   *   open_enrollment_start: '2026-11-01',
   *   open_enrollment_end: '2026-11-30'
   * })
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
  requestPlanYear(employer_id: EmployerId, body: NewPlanYearRequest, options?: CallOptions): Promise<EmployerSetup>

  /**
   * Withdraw the request for a plan year. `DELETE /v1/employers/{employer_id}/plan-year-request`
   *
   * Closes the task of the operator. Without a request, nothing changes.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: write.
   *
   * @example
   * ```ts
   * await ob.employers.withdrawPlanYearRequest(employer_id)
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
  withdrawPlanYearRequest(employer_id: EmployerId, options?: CallOptions): Promise<EmployerSetup>

  /**
   * List the full-time statuses of employees. `GET /v1/employers/{employer_id}/aca-statuses`
   *
   * Returns the measured current employees of an employer with their status today, latest hire first. `is_trending` finds employees who will be full-time if their hours continue.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: read, people.
   *
   * @example
   * ```ts
   * for await (const row of ob.employers.listAcaStatuses(employer_id)) console.log(row)
   * // {
   * //   employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   person_name: 'Noor Haddad',
   * //   is_full_time: true,
   * //   reason_code: 'standard_measurement',
   * //   status_starts_on: '2020-01-01',
   * //   status_ends_on: null,
   * //   is_in_administrative_period: false,
   * //   is_trending: false,
   * //   next_change_on: '2026-10-15',
   * //   measured_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  listAcaStatuses(employer_id: EmployerId, query?: EmployersListAcaStatusesQuery, options?: CallOptions): Pages<MeasuredEmployee, MeasuredEmployeePage>

  /**
   * Get the large employer status of an employer. `GET /v1/employers/{employer_id}/large-employer-status`
   *
   * Returns whether the employer is an applicable large employer in a calendar year, with the full-time employees and full-time equivalents of each month of the year before. All employers of an ALE group count together.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: read.
   *
   * @example
   * ```ts
   * await ob.employers.getLargeEmployerStatus(employer_id)
   * // {
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   year: 2026,
   * //   is_large: false,
   * //   reason_code: 'fewer_than_50',
   * //   reason: 'The employer had fewer than 50 full-time employees and equivalents on average.',
   * //   average_count: 3,
   * //   months_above: [],
   * //   months: [
   * //     {
   * //       month: '2025-01-01',
   * //       full_time_count: 3,
   * //       full_time_equivalents: 0,
   * //       total: 3,
   * //       total_without_seasonal_workers: 3
   * //     }
   * //   ]
   * // }
   * ```
   */
  getLargeEmployerStatus(employer_id: EmployerId, query?: EmployersGetLargeEmployerStatusQuery, options?: CallOptions): Promise<LargeEmployerStatus>

  /**
   * Get the ACA overview of an employer. `GET /v1/employers/{employer_id}/aca-overview`
   *
   * Returns the last day with reported hours, the current employees by full-time status, and the number of those near full-time status.
   *
   * Accepts API keys, unbound tokens and employer tokens. Roles: ADMIN, OPERATIONS. Scopes: read.
   *
   * @example
   * ```ts
   * await ob.employers.getAcaOverview(employer_id)
   * // {
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   as_of: '2026-03-10',
   * //   hours_reported_through: '2026-02-14',
   * //   has_measurement_policies: true,
   * //   employee_count: 4,
   * //   counts: {
   * //     full_time: 3,
   * //     not_full_time: 1,
   * //     initial_measurement: 0,
   * //     administrative_period: 0,
   * //     not_measured: 0
   * //   },
   * //   trending_count: 0
   * // }
   * ```
   */
  getAcaOverview(employer_id: EmployerId, options?: CallOptions): Promise<AcaOverview>

  /**
   * Get the affordable cost of coverage at an employer. `GET /v1/employers/{employer_id}/affordability`
   *
   * Returns the highest monthly cost of coverage for the employee alone that is affordable for every full-time employee, by the federal poverty line or the rate of pay. `cost_in_cents` limits the list to employees for whom that cost is not affordable.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: read, people, money.
   *
   * @example
   * ```ts
   * await ob.employers.getAffordability(employer_id)
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
  getAffordability(employer_id: EmployerId, query?: EmployersGetAffordabilityQuery, options?: CallOptions): Promise<EmployerAffordability>

  /**
   * Get the settings of the forms of a tax year. `GET /v1/employers/{employer_id}/form-settings`
   *
   * Returns settings that apply to all forms under the EIN of the employer.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: read, tax.
   *
   * @example
   * ```ts
   * await ob.employers.getFormSettings(employer_id)
   * // {
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v704',
   * //   tax_year: 2026,
   * //   form_type: '1095-C',
   * //   contact: {
   * //     last_name: 'Costa',
   * //     first_name: 'Ana',
   * //     phone_number: '6145550100'
   * //   },
   * //   has_conditional_spouse_offer: true,
   * //   uses_98_percent_method: false
   * // }
   * ```
   */
  getFormSettings(employer_id: EmployerId, query?: EmployersGetFormSettingsQuery, options?: CallOptions): Promise<FormSettings>

  /**
   * Set the settings of the forms of a tax year. `PUT /v1/employers/{employer_id}/form-settings`
   *
   * Replaces the settings of all forms under the EIN of the employer. Derived forms are derived again. An employer that is not an applicable large employer and has a self-insured plan or an ICHRA sets `form_type` to `1095-B`. All other operations about tax forms then use Forms 1095-B and 1094-B.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: write, tax.
   *
   * @throws {ApiError} among others `form_type_fixed`
   *
   * @example
   * ```ts
   * await ob.employers.setFormSettings(employer_id, {
   *   tax_year: 2026,
   *   form_type: '1095-C',
   *   contact: {
   *     first_name: 'Ana',
   *     last_name: 'Costa',
   *     phone_number: '6145550100'
   *   },
   *   has_conditional_spouse_offer: true,
   *   uses_98_percent_method: false
   * })
   * // {
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v704',
   * //   tax_year: 2026,
   * //   form_type: '1095-C',
   * //   contact: {
   * //     last_name: 'Costa',
   * //     first_name: 'Ana',
   * //     phone_number: '6145550100'
   * //   },
   * //   has_conditional_spouse_offer: true,
   * //   uses_98_percent_method: false
   * // }
   * ```
   */
  setFormSettings(employer_id: EmployerId, body: FormSettingsInput, options?: CallOptions): Promise<FormSettings>

  /**
   * Update wages of Form W-2, COBRA and multiemployer plans. `PATCH /v1/employers/{employer_id}/tax-facts`
   *
   * Stores facts for Form 1095-C that only the employer knows: the wages in box 1 of Form W-2, for the safe harbor of code 2F, the months with contributions to a multiemployer plan, for code 2E, and COBRA continuation coverage. Facts that you do not send stay unchanged. Wages of several employments under one EIN add up.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: write, people, tax.
   *
   * @example
   * ```ts
   * await ob.employers.updateTaxFacts(employer_id, {
   *   tax_year: 2025,
   *   employees: [
   *     {
   *       employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v7xz',
   *       w2_wages_in_cents: 3120000
   *     }
   *   ]
   * })
   * // {
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   tax_year: 2026
   * // }
   * ```
   */
  updateTaxFacts(employer_id: EmployerId, body: TaxFactsInput, options?: CallOptions): Promise<TaxFactsSaved>

  /**
   * Derive the Forms 1095-C of an employer. `POST /v1/employers/{employer_id}/forms-1095c/derive`
   *
   * Starts a job that derives and stores the forms of a tax year of all people under the EIN of the employer, and of the other EINs of its aggregated ALE group. The list of forms and the offer test then return the results. Afterwards, the daily run derives them again after changes, until the end of the next year. A future year is refused.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: write, people, tax.
   *
   * @example
   * ```ts
   * await ob.employers.deriveForms1095c(employer_id, {
   *   tax_year: 2026
   * })
   * // {
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   tax_year: 2026
   * // }
   * ```
   */
  deriveForms1095c(employer_id: EmployerId, body: NewForm1095cDerivation, options?: CallOptions): Promise<Form1095cDerivation>

  /**
   * List the Forms 1095-C of an employer. `GET /v1/employers/{employer_id}/forms-1095c`
   *
   * Returns the forms that are due for a year by their last derivation, those with exceptions first, for a review before filing. A person gets one form, even with several employments under one EIN.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: read, people, tax.
   *
   * @example
   * ```ts
   * for await (const row of ob.employers.listForms1095c(employer_id)) console.log(row)
   * // {
   * //   need: 'self_insured_coverage',
   * //   line_14: [
   * //     '1S'
   * //   ],
   * //   line_16: [
   * //     null
   * //   ],
   * //   last_name: 'Abara',
   * //   exceptions: [
   * //     'tax_identifier_missing'
   * //   ],
   * //   first_name: 'Quinn',
   * //   employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v709'
   * // }
   * ```
   */
  listForms1095c(employer_id: EmployerId, query?: EmployersListForms1095cQuery, options?: CallOptions): Pages<ReviewedForm1095c, Form1095cPage>

  /**
   * Get the offer test of an employer. `GET /v1/employers/{employer_id}/offer-test`
   *
   * Returns the 95 percent offer test of section 4980H for each month of a year by the last derivation of Forms 1095-C, with the counts of Form 1094-C and the highest assessable payments.
   *
   * Accepts API keys, unbound tokens and employer tokens. Roles: ADMIN, OPERATIONS. Scopes: read, people.
   *
   * @example
   * ```ts
   * await ob.employers.getOfferTest(employer_id)
   * // {
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   year: 2026,
   * //   form_type: '1095-C',
   * //   derived_at: '2026-03-10T16:00:00.000Z',
   * //   form_count: 4,
   * //   has_qualifying_offer: false,
   * //   exposure_in_cents: 0,
   * //   months: [
   * //     {
   * //       month: 1,
   * //       total_count: 4,
   * //       offered_count: 3,
   * //       full_time_count: 3,
   * //       unprotected_count: 0,
   * //       passes: true,
   * //       offered_percent: 100,
   * //       exposure_kind: 'none',
   * //       exposure_in_cents: 0
   * //     }
   * //   ]
   * // }
   * ```
   */
  getOfferTest(employer_id: EmployerId, query?: EmployersGetOfferTestQuery, options?: CallOptions): Promise<OfferTest>

  /**
   * Get the state of the tax forms of a tax year. `GET /v1/employers/{employer_id}/form-filing`
   *
   * Returns when the forms were derived and released, and the numbers of forms.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: read, tax.
   *
   * @example
   * ```ts
   * await ob.employers.getFormFiling(employer_id)
   * // {
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   tax_year: 2025,
   * //   form_type: '1095-C',
   * //   derived_at: '2026-03-10T16:00:00.000Z',
   * //   form_count: 4,
   * //   unreported_hours_count: 0,
   * //   released_at: '2026-03-10T16:00:00.000Z',
   * //   released_count: 4,
   * //   unreleased_count: 0,
   * //   corrected_count: 0,
   * //   changed_count: 0,
   * //   print_count: 4,
   * //   print_parts: [
   * //     1
   * //   ],
   * //   unnotified_count: 0,
   * //   unmailed_count: 4,
   * //   furnished_on: null,
   * //   mailings: [],
   * //   exceptions: [
   * //     {
   * //       exception: 'no_offer',
   * //       form_count: 3
   * //     }
   * //   ],
   * //   deadlines: [
   * //     {
   * //       jurisdiction: 'IRS',
   * //       step: 'furnish',
   * //       form: '1095-C',
   * //       due_on: '2026-03-02'
   * //     }
   * //   ]
   * // }
   * ```
   */
  getFormFiling(employer_id: EmployerId, query?: EmployersGetFormFilingQuery, options?: CallOptions): Promise<FormFiling>

  /**
   * Release the tax forms of a tax year. `POST /v1/employers/{employer_id}/forms-1095c/release`
   *
   * Releases the derived forms of all people under the EIN. A job stores an encrypted copy of each form, which never changes again, and employees can download theirs. Releasing again makes corrected forms of those that changed since, of all forms if the employer changed its name, EIN or address, and of people for whom a form is no longer due.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: write, people, tax.
   *
   * @throws {ApiError} among others `tax_year_not_over`, `forms_not_derived`
   *
   * @example
   * ```ts
   * await ob.employers.releaseForms1095c(employer_id, {
   *   tax_year: 2025
   * })
   * // {
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   tax_year: 2025,
   * //   form_type: '1095-C',
   * //   derived_at: '2026-03-10T16:00:00.000Z',
   * //   form_count: 4,
   * //   unreported_hours_count: 0,
   * //   released_at: '2026-03-10T16:00:00.000Z',
   * //   released_count: 4,
   * //   unreleased_count: 0,
   * //   corrected_count: 0,
   * //   changed_count: 0,
   * //   print_count: 4,
   * //   print_parts: [
   * //     1
   * //   ],
   * //   unnotified_count: 0,
   * //   unmailed_count: 4,
   * //   furnished_on: null,
   * //   mailings: [],
   * //   exceptions: [
   * //     {
   * //       exception: 'no_offer',
   * //       form_count: 3
   * //     }
   * //   ],
   * //   deadlines: [
   * //     {
   * //       jurisdiction: 'IRS',
   * //       step: 'furnish',
   * //       form: '1095-C',
   * //       due_on: '2026-03-02'
   * //     }
   * //   ]
   * // }
   * ```
   */
  releaseForms1095c(employer_id: EmployerId, body: NewForm1095cRelease, options?: CallOptions): Promise<FormFiling>

  /**
   * Get a link to the print file of tax forms. `GET /v1/employers/{employer_id}/forms-1095c/print-file`
   *
   * Returns a link to a PDF with the released forms of people without consent to electronic delivery or with a failed notice, to print and mail. A part has up to 200 forms. Returns 404 for a part without forms.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: read, people, tax.
   *
   * @example
   * ```ts
   * await ob.employers.getPrintFile(employer_id)
   * // {
   * //   download_url: 'https://benefits.example.com/v1/downloads/eyJhbGciOiJIUzI1NiJ9.eyJr.c2ln',
   * //   expires_at: '2026-03-10T16:15:00.000Z'
   * // }
   * ```
   */
  getPrintFile(employer_id: EmployerId, query?: EmployersGetPrintFileQuery, options?: CallOptions): Promise<DownloadLink>

  /**
   * Record the mailing of paper tax forms. `PUT /v1/employers/{employer_id}/forms-1095c/mailing`
   *
   * Records the day on which the print file was mailed. It applies to the forms that were in any part of it on that day and have no mailing yet. Forms that are corrected later, or whose notice fails later, need another mailing.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: write, people, tax.
   *
   * @throws {ApiError} among others `mailed_before_release`
   *
   * @example
   * ```ts
   * await ob.employers.recordFormMailing(employer_id, {
   *   tax_year: 2025,
   *   mailed_on: '2026-02-17'
   * })
   * // {
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   tax_year: 2025,
   * //   form_type: '1095-C',
   * //   derived_at: '2026-03-10T16:00:00.000Z',
   * //   form_count: 4,
   * //   unreported_hours_count: 0,
   * //   released_at: '2026-03-10T16:00:00.000Z',
   * //   released_count: 4,
   * //   unreleased_count: 0,
   * //   corrected_count: 0,
   * //   changed_count: 0,
   * //   print_count: 4,
   * //   print_parts: [
   * //     1
   * //   ],
   * //   unnotified_count: 0,
   * //   unmailed_count: 4,
   * //   furnished_on: null,
   * //   mailings: [],
   * //   exceptions: [
   * //     {
   * //       exception: 'no_offer',
   * //       form_count: 3
   * //     }
   * //   ],
   * //   deadlines: [
   * //     {
   * //       jurisdiction: 'IRS',
   * //       step: 'furnish',
   * //       form: '1095-C',
   * //       due_on: '2026-03-02'
   * //     }
   * //   ]
   * // }
   * ```
   */
  recordFormMailing(employer_id: EmployerId, body: NewFormMailing, options?: CallOptions): Promise<FormFiling>

  /**
   * Get Form 1094-C or 1094-B of an employer. `GET /v1/employers/{employer_id}/form-1094c`
   *
   * Returns the transmittal of the forms under the EIN of the employer by their last derivation. Each value has a reason. Overridden cells count as the forms report them.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: read, tax.
   *
   * @example
   * ```ts
   * await ob.employers.getForm1094c(employer_id)
   * // {
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   tax_year: 2025,
   * //   form_type: '1095-C',
   * //   derived_at: '2026-03-10T16:00:00.000Z',
   * //   employer: {
   * //     legal_name: 'Granite Freight Inc.',
   * //     ein: '**-***3377'
   * //   },
   * //   form: {
   * //     is_authoritative: {
   * //       value: true,
   * //       reason: 'One transmittal contains all forms of the ALE member.'
   * //     },
   * //     form_count: {
   * //       value: 4,
   * //       reason: 'The forms that are due, by the last derivation.'
   * //     },
   * //     is_in_group: {
   * //       value: false,
   * //       reason: 'The employer is in no aggregated ALE group.'
   * //     },
   * //     has_qualifying_offer: {
   * //       value: false,
   * //       reason: 'No employee got a qualifying offer for all months as a full-time employee.'
   * //     },
   * //     uses_98_percent_method: {
   * //       value: false,
   * //       reason: 'The employer does not use the method.'
   * //     },
   * //     months: [
   * //       {
   * //         month: 1,
   * //         minimum_essential_coverage: {
   * //           value: true,
   * //           reason: '0 of 3 full-time employees were offered coverage.'
   * //         },
   * //         full_time_count: {
   * //           value: 3,
   * //           reason: 'Full-time employees without those in a limited non-assessment period.'
   * //         },
   * //         total_count: {
   * //           value: 4,
   * //           reason: 'The employees on the last day of the month.'
   * //         }
   * //       }
   * //     ]
   * //   },
   * //   other_members: []
   * // }
   * ```
   */
  getForm1094c(employer_id: EmployerId, query?: EmployersGetForm1094cQuery, options?: CallOptions): Promise<Form1094c>

  /**
   * Get a link to the PDF of Form 1094-C or 1094-B. `GET /v1/employers/{employer_id}/form-1094c/pdf`
   *
   * Returns a link to the form in the layout of the IRS. Returns 404 before the forms are derived.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: read, tax.
   *
   * @example
   * ```ts
   * await ob.employers.getForm1094cPdf(employer_id)
   * // {
   * //   download_url: 'https://benefits.example.com/v1/downloads/eyJhbGciOiJIUzI1NiJ9.eyJr.c2ln',
   * //   expires_at: '2026-03-10T16:15:00.000Z'
   * // }
   * ```
   */
  getForm1094cPdf(employer_id: EmployerId, query?: EmployersGetForm1094cPdfQuery, options?: CallOptions): Promise<DownloadLink>

  /**
   * List the files of tax forms for the IRS. `GET /v1/employers/{employer_id}/form-1094c/transmissions`
   *
   * Returns the transmissions of a tax year, with links to their files, the acknowledgements and the errors by employee. The files contain whole tax identifiers.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: read, people, tax.
   *
   * @example
   * ```ts
   * await ob.employers.listFormTransmissions(employer_id)
   * // []
   * ```
   */
  listFormTransmissions(employer_id: EmployerId, query?: EmployersListFormTransmissionsQuery, options?: CallOptions): Promise<FormTransmission[]>

  /**
   * Make files of released forms for the IRS. `POST /v1/employers/{employer_id}/form-1094c/transmissions`
   *
   * Makes a transmission of the released forms that were not transmitted, in the format of Affordable Care Act Information Returns (AIR): a file with the forms and a manifest. If all people have a filed form, it contains corrections. After a rejection, it replaces the rejected transmission. The schemas of the IRS are not public, so the files are not validated against them. Run the test scenarios of the IRS before you file.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: write, people, tax.
   *
   * @throws {ApiError} among others `forms_not_released`, `form_address_missing`, `form_name_not_accepted`, `transmission_pending`, `nothing_to_transmit`
   *
   * @example
   * ```ts
   * await ob.employers.transmitForms(employer_id, {
   *   tax_year: 2025,
   *   is_test: false,
   *   contact: {
   *     first_name: 'Ana',
   *     last_name: 'Costa',
   *     phone_number: '6145550100'
   *   },
   *   transmitter: {
   *     name: 'Harbor Benefits Inc',
   *     ein: '12-3456789',
   *     tcc: 'BB0AA',
   *     software_id: '25A0000001',
   *     address_line_1: '1 Main St',
   *     city: 'Columbus',
   *     state: 'OH',
   *     zipcode: '43215'
   *   }
   * })
   * // []
   * ```
   */
  transmitForms(employer_id: EmployerId, body: NewFormTransmission, options?: CallOptions): Promise<FormTransmission[]>

  /**
   * Record an acknowledgement of the IRS. `POST /v1/employers/{employer_id}/form-1094c/acknowledgements`
   *
   * Records the receipt id, the status and the errors of a transmission, as JSON or as the error file of the IRS (XML). Corrections refer to the receipt id. The forms of a rejected transmission or a test can be transmitted again, and its files can no longer be downloaded. Only the acknowledgement of the latest transmission can be recorded.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: write, people, tax.
   *
   * @throws {ApiError} among others `unknown_transmission`, `transmission_not_latest`
   *
   * @example
   * ```ts
   * await ob.employers.acknowledgeForms(employer_id, {
   *   unique_transmission_id: '2b1f8c1e-0d8f-4f5c-9a3c-6a3d1f0b7e11:SYS12:BB0AA::T',
   *   receipt_id: '1095C-26-00001234',
   *   status: 'accepted_with_errors',
   *   errors: [
   *     {
   *       unique_record_id: '1095C-26-00001234|1|2',
   *       code: 'AIRTN500',
   *       message: 'TIN Validation Failed'
   *     }
   *   ]
   * })
   * // []
   * ```
   */
  acknowledgeForms(employer_id: EmployerId, body: FormAcknowledgement, options?: CallOptions): Promise<FormTransmission[]>
}

export interface NotesMethods {
  /**
   * List the notes about an employer. `GET /v1/employers/{employer_id}/notes`
   *
   * Lists the notes, newest first. Members of the organization and operators see all notes. With a token bound to the employer, the list has only the notes that are shared with the employer, without mentions.
   *
   * Accepts API keys, unbound tokens and employer tokens. Any role. Scopes: read.
   *
   * @example
   * ```ts
   * for await (const row of ob.notes.listOfEmployer(employer_id)) console.log(row)
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
  listOfEmployer(employer_id: EmployerId, query?: EmployersListNotesQuery, options?: CallOptions): Pages<Note, NotePage>

  /**
   * Add a note about an employer. `POST /v1/employers/{employer_id}/notes`
   *
   * You become the author of the note. Only you can change it. You can delete it, and an `ADMIN` of the organization can delete the notes of its members.
   *
   * Accepts API keys and unbound tokens. Any role. Scopes: write.
   *
   * @example
   * ```ts
   * await ob.notes.addToEmployer(employer_id, {
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
   * List the notes about an employee. `GET /v1/employees/{employee_id}/notes`
   *
   * Lists the notes about this employment, newest first. Members of the organization and operators see all notes. With a token bound to the employer, the list has only the notes that are shared with the employer, without mentions.
   *
   * Accepts API keys, unbound tokens and employer tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: read, people.
   *
   * @example
   * ```ts
   * for await (const row of ob.notes.listOfEmployee(employee_id)) console.log(row)
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
  listOfEmployee(employee_id: EmployeeId, query?: EmployeesListNotesQuery, options?: CallOptions): Pages<Note, NotePage>

  /**
   * Add a note about an employee. `POST /v1/employees/{employee_id}/notes`
   *
   * You become the author of the note. Only you can change it. You can delete it, and an `ADMIN` of the organization can delete the notes of its members.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: write, people.
   *
   * @example
   * ```ts
   * await ob.notes.addToEmployee(employee_id, {
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
   * Change a note. `PATCH /v1/notes/{note_id}`
   *
   * Changes a note that you wrote.
   *
   * Accepts API keys and unbound tokens. Any role. Scopes: write.
   *
   * @throws {ApiError} among others `note_of_another_author`
   *
   * @example
   * ```ts
   * await ob.notes.update(note_id, {
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
   * Delete a note. `DELETE /v1/notes/{note_id}`
   *
   * Deletes a note that you wrote, with the tasks of its mentions. Its text is not kept. An `ADMIN` can also delete the notes of other members, but not those of operators.
   *
   * Accepts API keys and unbound tokens. Any role. Scopes: write.
   *
   * @throws {ApiError} among others `note_of_another_author`
   *
   * @example
   * ```ts
   * await ob.notes.delete(note_id)
   * // {
   * //   id: 'note_01kdq7b4w8e9rs2mh3n5t6v700'
   * // }
   * ```
   */
  delete(note_id: NoteId, options?: CallOptions): Promise<DeletedNote>

  /**
   * Mark your mention in a note as done. `PUT /v1/notes/{note_id}/mention`
   *
   * Completes the task that your mention opened, or opens it again.
   *
   * Accepts API keys and unbound tokens. Any role. Scopes: write.
   *
   * @throws {ApiError} among others `not_mentioned`
   *
   * @example
   * ```ts
   * await ob.notes.markMention(note_id, {
   *   done: true
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
  markMention(note_id: NoteId, body: MentionChange, options?: CallOptions): Promise<Note>
}

export interface PlansMethods {
  /**
   * List plans. `GET /v1/plans`
   *
   * Returns the plans in your organization's catalog, sorted by name. The operator maintains the catalog.
   *
   * Accepts API keys and unbound tokens. Any role. Scopes: read.
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
   * //   partial_month_rule: 'full_month_on_first',
   * //   minimum_essential: false,
   * //   minimum_value: false,
   * //   self_insured: false
   * // }
   * ```
   */
  list(query?: PlansListQuery, options?: CallOptions): Pages<Plan, PlanPage>
}

export interface DocumentsMethods {
  /**
   * List the documents of the library. `GET /v1/documents`
   *
   * Lists all versions in all languages, newest first. With a token bound to an employer, the list has only the documents that concern the employer and are not for members only.
   *
   * Accepts API keys, unbound tokens and employer tokens. Any role. Scopes: read.
   *
   * @example
   * ```ts
   * for await (const row of ob.documents.list()) console.log(row)
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
  list(query?: DocumentsListQuery, options?: CallOptions): Pages<Document, DocumentPage>

  /**
   * Add a document to the library. `POST /v1/documents`
   *
   * Adds a document for the organization, an employer, a plan year or a plan. The content must be a PDF, PNG, JPEG, WebP or HEIC file of at most 25 MiB. It is stored encrypted, and cannot be opened before its virus scan, if the installation scans files.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: write.
   *
   * @example
   * ```ts
   * await ob.documents.create({
   *   kind: 'guide',
   *   title: 'Benefits guide 2027',
   *   file_name: 'silver-2027.pdf',
   *   content: 'JVBERi0xLjcKJSVFT0YK'
   * })
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
  create(body: NewDocument, options?: CallOptions): Promise<Document>

  /**
   * Get a document. `GET /v1/documents/{document_id}`
   *
   * Accepts API keys, unbound tokens and employer tokens. Any role. Scopes: read.
   *
   * @example
   * ```ts
   * await ob.documents.get(document_id)
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
   * Change a document. `PATCH /v1/documents/{document_id}`
   *
   * To change the file, upload a new version.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: write.
   *
   * @example
   * ```ts
   * await ob.documents.update(document_id, {
   *   is_required_at_election: true
   * })
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
  update(document_id: DocumentId, body?: DocumentChange, options?: CallOptions): Promise<Document>

  /**
   * Get a download link to a document. `GET /v1/documents/{document_id}/download`
   *
   * Works for replaced and withdrawn versions too. The link records no receipt.
   *
   * Accepts API keys, unbound tokens and employer tokens. Any role. Scopes: read.
   *
   * @throws {ApiError} among others `document_not_available`
   *
   * @example
   * ```ts
   * await ob.documents.getLink(document_id)
   * // {
   * //   download_url: 'https://benefits.example.com/v1/downloads/eyJhbGciOiJIUzI1NiJ9.eyJr.c2ln',
   * //   expires_at: '2026-03-10T16:15:00.000Z'
   * // }
   * ```
   */
  getLink(document_id: DocumentId, options?: CallOptions): Promise<DownloadLink>

  /**
   * List the employees who opened a document. `GET /v1/documents/{document_id}/receipts`
   *
   * Lists the first time at which each employee opened this version, newest first.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: read, people.
   *
   * @example
   * ```ts
   * for await (const row of ob.documents.listReceipts(document_id)) console.log(row)
   * // {
   * //   document_id: 'doc_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   member_first_name: 'Priya',
   * //   member_last_name: 'Nair',
   * //   opened_at: '2026-03-10T16:00:00.000Z',
   * //   reported_by: 'partner'
   * // }
   * ```
   */
  listReceipts(document_id: DocumentId, query?: DocumentsListReceiptsQuery, options?: CallOptions): Pages<DocumentReceipt, DocumentReceiptPage>

  /**
   * List the employees who have not opened a document. `GET /v1/documents/{document_id}/unopened`
   *
   * Lists the current employees whom the document concerns and who have opened no current version in any language, in the order of their hire. Empty unless the document is current.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: read, people.
   *
   * @example
   * ```ts
   * for await (const row of ob.documents.listUnopened(document_id)) console.log(row)
   * // {
   * //   employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v708',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employer_name: 'Granite Freight',
   * //   member_first_name: 'Owen',
   * //   member_last_name: 'Pryce'
   * // }
   * ```
   */
  listUnopened(document_id: DocumentId, query?: DocumentsListUnopenedQuery, options?: CallOptions): Pages<UnopenedDocument, UnopenedDocumentPage>

  /**
   * List the documents that concern an employee. `GET /v1/employees/{employee_id}/documents`
   *
   * Lists the current documents of the organization, the employer, the plan years and the plans in which the employee is enrolled or can enroll, each in one language, by title.
   *
   * Accepts API keys, unbound tokens and employee tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: read, people.
   *
   * @example
   * ```ts
   * for await (const row of ob.documents.listOfEmployee(employee_id)) console.log(row)
   * // {
   * //   id: 'doc_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   kind: 'guide',
   * //   title: 'Benefits guide 2027',
   * //   language: 'en',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   benefit_plan_year_id: null,
   * //   plan_id: null,
   * //   is_required_at_election: false,
   * //   content_type: 'application/pdf',
   * //   bytes: 9,
   * //   effective_on: '2026-03-10',
   * //   opened_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  listOfEmployee(employee_id: EmployeeId, query?: EmployeesListDocumentsQuery, options?: CallOptions): Pages<EmployeeDocument, EmployeeDocumentPage>

  /**
   * Open a document as an employee. `POST /v1/employees/{employee_id}/documents/{document_id}/open`
   *
   * Returns a download link and records that the employee opened this version. Call it with your key if your own page shows the document to the employee.
   *
   * Accepts API keys, unbound tokens and employee tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: write, people.
   *
   * @example
   * ```ts
   * await ob.documents.open(employee_id, document_id)
   * // {
   * //   download_url: 'https://benefits.example.com/v1/downloads/eyJhbGciOiJIUzI1NiJ9.eyJr.c2ln',
   * //   expires_at: '2026-03-10T16:15:00.000Z'
   * // }
   * ```
   */
  open(employee_id: EmployeeId, document_id: DocumentId, options?: CallOptions): Promise<DownloadLink>

  /**
   * Add a document in another language. `POST /v1/documents/{document_id}/translations`
   *
   * The translation has the same scope, kind and audience. Employees get the document in their language, and a receipt in one language counts for all. The content must be a PDF, PNG, JPEG, WebP or HEIC file of at most 25 MiB. It is stored encrypted, and cannot be opened before its virus scan, if the installation scans files.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: write.
   *
   * @throws {ApiError} among others `document_is_withdrawn`, `document_is_replaced`, `document_language_exists`
   *
   * @example
   * ```ts
   * await ob.documents.translate(document_id, {
   *   language: 'es',
   *   title: 'Guía de beneficios 2027',
   *   file_name: 'silver-2027.pdf',
   *   content: 'JVBERi0xLjcKJSVFT0YK'
   * })
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
  translate(document_id: DocumentId, body: NewDocumentTranslation, options?: CallOptions): Promise<Document>

  /**
   * Upload a new version of a document. `POST /v1/documents/{document_id}/versions`
   *
   * The new version is a document of its own. It takes the place of the replaced one on its `effective_on`, with the same scope, kind, language and audience. The replaced version keeps its file and its receipts. A required document must be opened again. The content must be a PDF, PNG, JPEG, WebP or HEIC file of at most 25 MiB. It is stored encrypted, and cannot be opened before its virus scan, if the installation scans files.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: write.
   *
   * @throws {ApiError} among others `document_is_withdrawn`, `document_is_replaced`
   *
   * @example
   * ```ts
   * await ob.documents.replace(document_id, {
   *   file_name: 'silver-2027.pdf',
   *   content: 'JVBERi0xLjcKJSVFT0YK'
   * })
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
  replace(document_id: DocumentId, body: NewDocumentVersion, options?: CallOptions): Promise<Document>

  /**
   * Withdraw a document. `POST /v1/documents/{document_id}/withdraw`
   *
   * Employees no longer see this version. Its file and its receipts are kept. If a scheduled version is withdrawn, the version before it continues.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: write.
   *
   * @throws {ApiError} among others `document_is_withdrawn`
   *
   * @example
   * ```ts
   * await ob.documents.withdraw(document_id)
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
  withdraw(document_id: DocumentId, options?: CallOptions): Promise<Document>
}

export interface EligibilityPoliciesMethods {
  /**
   * Create an eligibility policy. `POST /v1/employers/{employer_id}/benefit-eligibility-policies`
   *
   * Creates an active policy and archives the previous one. A policy with `benefit_ids` applies to those benefits only, and archives earlier policies for some of them. A benefit never has two policies, and at most one policy applies to all remaining benefits.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: write.
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
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v702',
   * //   classification: 'full_time',
   * //   employee_classes: [
   * //     'Full Time'
   * //   ],
   * //   compensation_types: null,
   * //   waiting_period: 'none',
   * //   start_alignment: 'exact',
   * //   service_credit_weeks: 13,
   * //   benefit_ids: [],
   * //   eligibility_basis: 'employee_class',
   * //   created_at: '2026-02-14T17:00:00.000Z',
   * //   updated_at: '2026-02-14T17:00:00.000Z'
   * // }
   * ```
   */
  create(employer_id: EmployerId, body: NewBenefitEligibilityPolicy, options?: CallOptions): Promise<BenefitEligibilityPolicy>

  /**
   * List the eligibility policies of an employer. `GET /v1/employers/{employer_id}/benefit-eligibility-policies`
   *
   * Lists active and archived policies, newest first.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: read.
   *
   * @example
   * ```ts
   * for await (const row of ob.eligibilityPolicies.list(employer_id)) console.log(row)
   * // {
   * //   id: 'epol_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   active: true,
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   classification: 'all',
   * //   employee_classes: [
   * //     'Full Time'
   * //   ],
   * //   compensation_types: null,
   * //   waiting_period: '30_days',
   * //   start_alignment: 'exact',
   * //   service_credit_weeks: 13,
   * //   benefit_ids: [],
   * //   eligibility_basis: 'employee_class',
   * //   created_at: '2025-03-03T17:00:00.000Z',
   * //   updated_at: '2025-03-03T17:00:00.000Z'
   * // }
   * ```
   */
  list(employer_id: EmployerId, query?: EmployersListBenefitEligibilityPoliciesQuery, options?: CallOptions): Pages<BenefitEligibilityPolicy, BenefitEligibilityPolicyPage>

  /**
   * Get an eligibility policy. `GET /v1/benefit-eligibility-policies/{policy_id}`
   *
   * Returns an active or archived policy.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: read.
   *
   * @example
   * ```ts
   * await ob.eligibilityPolicies.get(policy_id)
   * // {
   * //   id: 'epol_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   active: true,
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v702',
   * //   classification: 'full_time',
   * //   employee_classes: [
   * //     'Full Time'
   * //   ],
   * //   compensation_types: null,
   * //   waiting_period: 'none',
   * //   start_alignment: 'exact',
   * //   service_credit_weeks: 13,
   * //   benefit_ids: [],
   * //   eligibility_basis: 'employee_class',
   * //   created_at: '2026-02-14T17:00:00.000Z',
   * //   updated_at: '2026-02-14T17:00:00.000Z'
   * // }
   * ```
   */
  get(policy_id: EligibilityPolicyId, options?: CallOptions): Promise<BenefitEligibilityPolicy>
}

export interface PlanYearsMethods {
  /**
   * List the plan years of an employer. `GET /v1/employers/{employer_id}/benefit-plan-years`
   *
   * Returns all plan years, newest first, without pagination. Singular fields, such as `carrier`, describe the first benefit.
   *
   * Accepts API keys, unbound tokens and employer tokens. Any role. Scopes: read.
   *
   * @example
   * ```ts
   * await ob.planYears.list(employer_id)
   * // [
   * //   {
   * //     id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v703',
   * //     benefit_plan_year_id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v703',
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
   * Returns the plan year with the enrollment rate of each benefit, the employer contributions and the eligibility policy.
   *
   * Accepts API keys, unbound tokens and employer tokens. Any role. Scopes: read.
   *
   * @example
   * ```ts
   * await ob.planYears.get(employer_id, benefit_plan_year_id)
   * // {
   * //   id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v702',
   * //   benefit_plan_year_id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v702',
   * //   benefit_id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   year: 2024,
   * //   family: 'mec',
   * //   product_name: 'Essential Care',
   * //   carrier: 'Evergreen Health',
   * //   network_names: [
   * //     'First Health'
   * //   ],
   * //   premium_in_cents: 8900,
   * //   employee_contribution: {
   * //     min_cents: 0,
   * //     max_cents: 12450
   * //   },
   * //   employer_contribution: {
   * //     min_cents: 8250,
   * //     max_cents: 12450
   * //   },
   * //   status: 'inactive',
   * //   coverage_start: '2024-12-01',
   * //   coverage_end: '2025-11-30',
   * //   open_enrollment_start: '2024-11-01',
   * //   open_enrollment_end: '2024-11-14',
   * //   offered_states: [],
   * //   renewal: 'active',
   * //   plan_successors: {},
   * //   notice_due_on: null,
   * //   benefits: [
   * //     {
   * //       id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v700',
   * //       category: 'Medical',
   * //       name: 'Essential Care',
   * //       product_code: 'MEC',
   * //       enrollment_rate: {
   * //         eligible: 3,
   * //         enrolled: 3,
   * //         percentage: 100
   * //       }
   * //     }
   * //   ],
   * //   choice_groups: [
   * //     {
   * //       name: 'medical',
   * //       benefit_ids: [
   * //         'bprd_01kdq7b4w8e9rs2mh3n5t6v700'
   * //       ]
   * //     }
   * //   ],
   * //   benefit_families: [
   * //     'DENTAL'
   * //   ],
   * //   enrollment_rate: {
   * //     eligible: 3,
   * //     enrolled: 3,
   * //     percentage: 100
   * //   },
   * //   spd_file_url: 'https://plans.example.com/essential-care-base.pdf',
   * //   contribution_strategy: {
   * //     contribution_tiers: [
   * //       {
   * //         benefit_id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v700',
   * //         coverage_tier: 'EE',
   * //         method: 'percentage',
   * //         amount_in_cents: null,
   * //         percentage: 100,
   * //         benefit_plan_id: 'pln_01kdq7b4w8e9rs2mh3n5t6v701',
   * //         benefit_plan_name: 'Essential Care Base',
   * //         benefit_plan_tier_name: 'Employee only',
   * //         premium_in_cents: 8900,
   * //         employer_contribution_in_cents: 8900,
   * //         cost: 0,
   * //         cost_per_dependent: 0,
   * //         dependents_required_in: false,
   * //         spouse_required_in: false
   * //       }
   * //     ],
   * //     contribution_rules: [
   * //       {
   * //         method: 'percentage',
   * //         benefit_id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v700',
   * //         percentage: 100,
   * //         coverage_tier: 'EE'
   * //       }
   * //     ],
   * //     ichra_contribution_classes: []
   * //   },
   * //   eligibility_policy: {
   * //     id: 'epol_01kdq7b4w8e9rs2mh3n5t6v702',
   * //     active: true,
   * //     employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v703',
   * //     classification: 'full_time',
   * //     employee_classes: [
   * //       'Full Time'
   * //     ],
   * //     compensation_types: null,
   * //     waiting_period: 'first_of_following_month',
   * //     start_alignment: 'exact',
   * //     service_credit_weeks: 13,
   * //     benefit_ids: [],
   * //     eligibility_basis: 'employee_class',
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
   * //     created_at: '2024-10-06T16:00:00.000Z',
   * //     updated_at: '2024-10-06T16:00:00.000Z'
   * //   }
   * // }
   * ```
   */
  get(employer_id: EmployerId, benefit_plan_year_id: BenefitPlanYearId, options?: CallOptions): Promise<BenefitPlanYear>

  /**
   * List the enrollments of a plan year. `GET /v1/employers/{employer_id}/benefit-plan-years/{benefit_plan_year_id}/enrollments`
   *
   * Lists one row for each enrollment, decided or not. The default order is newest first.
   *
   * Accepts API keys, unbound tokens and employer tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: read, people.
   *
   * @example
   * ```ts
   * for await (const row of ob.planYears.listEnrollments(employer_id, benefit_plan_year_id)) console.log(row)
   * // {
   * //   member_id: 'mbr_01kdq7b4w8e9rs2mh3n5t6v708',
   * //   employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v70e',
   * //   employee_external_reference_id: 'EL-1961',
   * //   member_first_name: 'Edith',
   * //   member_last_name: 'Larsen',
   * //   election_status: 'Enrolled',
   * //   policy_status: 'Coverage Ended',
   * //   dependent_count: 1,
   * //   carrier: 'Brightside Dental',
   * //   plan: 'Brightside PPO',
   * //   tier: 'EC',
   * //   premium_in_cents: 7100,
   * //   employer_contribution_in_cents: 2000,
   * //   employee_deduction_in_cents: 5100,
   * //   enrollment_id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v70a',
   * //   benefit_id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   benefit_name: 'Dental',
   * //   coverage_start: '2024-12-01',
   * //   coverage_end: '2025-11-30',
   * //   window_ends_on: null,
   * //   affordability: null,
   * //   missing_figures: null
   * // }
   * ```
   */
  listEnrollments(employer_id: EmployerId, benefit_plan_year_id: BenefitPlanYearId, query?: EmployersListBenefitPlanYearEnrollmentsQuery, options?: CallOptions): Pages<PlanYearEnrollmentRow, PlanYearEnrollmentPage>

  /**
   * Count the enrollments of a plan year. `GET /v1/employers/{employer_id}/benefit-plan-years/{benefit_plan_year_id}/enrollments/summary`
   *
   * Accepts API keys, unbound tokens and employer tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: read, people.
   *
   * @example
   * ```ts
   * await ob.planYears.summarizeEnrollments(employer_id, benefit_plan_year_id)
   * // {
   * //   people: {
   * //     eligible: 3,
   * //     enrolled: 3,
   * //     waived: 0,
   * //     pending: 0,
   * //     expired: 0
   * //   },
   * //   benefits: [
   * //     {
   * //       benefit_id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v700',
   * //       counts: {
   * //         eligible: 3,
   * //         enrolled: 3,
   * //         waived: 0,
   * //         pending: 0,
   * //         expired: 0
   * //       }
   * //     }
   * //   ],
   * //   csv_url: 'http://127.0.0.1:37923/v1/downloads/eyJhbGciOiJIUzI1NiJ9.eyJraW5kIjoicGxhbl95ZWFyX2Vucm9sbG1lbnRzX2NzdiIsIm9yZ2FuaXphdGlvbl9pZCI6Im9yZ18wMW04cDVocnh5ZThwdmh6cWJzbXA5N3J0dCIsImlkIjoicGx5cl8wMW04cDVoc2s5ZThwdmowZnRzZHdwMDdqOCIsImtleV9pZCI6ImtleV8wMW04cDVocnl2ZThwdmh6c2VwN2NrenBwZyIsInJvbGUiOiJBRE1JTiIsInJlcXVlc3RlZF9ieSI6eyJraW5kIjoiYXBpX2tleSIsImlkIjoia2V5XzAxbThwNWhyeXZlOHB2aHpzZXA3Y2t6cHBnIiwidXNlcl9pZCI6InVzcl8wMW04cDVocnlkZThwdmh6cjFkM2RnMjE5YSJ9LCJpc3MiOiJvcGVuYmVuZWZpdHMgZG93bmxvYWRzIiwiZXhwIjoxNzczMTU5MzAwfQ.fWyacupmko2ACRYrDcwS2zaS29f9keJWKppy7JWwcXM'
   * // }
   * ```
   */
  summarizeEnrollments(employer_id: EmployerId, benefit_plan_year_id: BenefitPlanYearId, options?: CallOptions): Promise<PlanYearEnrollmentSummary>

  /**
   * List the renewal decisions of a plan year. `GET /v1/employers/{employer_id}/benefit-plan-years/{benefit_plan_year_id}/renewal`
   *
   * Lists a row for each employee and benefit, ordered by their ids, before and after the renewal. An employee is carried over if they were enrolled or had waived at the end of the previous plan year and have neither elected nor waived since. The row shows the election and its cost, or the reason why the employee is not carried over.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: read, people.
   *
   * @example
   * ```ts
   * for await (const row of ob.planYears.getRenewal(employer_id, benefit_plan_year_id)) console.log(row)
   * ```
   */
  getRenewal(employer_id: EmployerId, benefit_plan_year_id: BenefitPlanYearId, query?: EmployersGetBenefitPlanYearRenewalQuery, options?: CallOptions): Pages<RenewalRow, RenewalPage>

  /**
   * List the renewal proposals of a plan year. `GET /v1/employers/{employer_id}/benefit-plan-years/{benefit_plan_year_id}/renewal-proposals`
   *
   * Lists the stored proposals, newest first. Each can be shared as a PDF.
   *
   * Accepts API keys and unbound tokens. Any role. Scopes: read.
   *
   * @example
   * ```ts
   * for await (const row of ob.planYears.listRenewalProposals(employer_id, benefit_plan_year_id)) console.log(row)
   * // {
   * //   renewal_proposal_id: 'prop_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v707',
   * //   benefit_plan_year_id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v706',
   * //   coverage_start: '2027-04-01',
   * //   coverage_end: '2028-03-31',
   * //   scenarios: [
   * //     {
   * //       name: 'As quoted',
   * //       per_year: {
   * //         premium_in_cents: 806436,
   * //         premium_change_percent: 6.5,
   * //         employee_change_percent: 8.8,
   * //         employer_change_percent: 4.3,
   * //         employee_deduction_in_cents: 406992,
   * //         employer_contribution_in_cents: 399444
   * //       }
   * //     }
   * //   ],
   * //   created_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  listRenewalProposals(employer_id: EmployerId, benefit_plan_year_id: BenefitPlanYearId, query?: EmployersListRenewalProposalsQuery, options?: CallOptions): Pages<RenewalProposalSummary, RenewalProposalPage>

  /**
   * Propose the renewal of a plan year. `POST /v1/employers/{employer_id}/benefit-plan-years/{benefit_plan_year_id}/renewal-proposals`
   *
   * Compares the cost of the enrollments that cover the last day of the plan year with their cost in the next plan year, by scenario: new rates as a change in percent or as quotes, and contributions. Without them, a scenario has the prices and contributions that a copy of the plan year would have. The proposal is stored, so that it can be shared as a PDF. It changes no plan year. With `dry_run`, it is not stored.
   *
   * Accepts API keys and unbound tokens. Any role. Scopes: write.
   *
   * @throws {ApiError} among others `invalid_plan_year`, `unknown_benefit`, `unknown_plan`, `plan_has_no_rate`, `contribution_does_not_fit`, `contribution_missing`, `invalid_plan_successors`
   *
   * @example
   * ```ts
   * await ob.planYears.proposeRenewal(employer_id, benefit_plan_year_id, {
   *   coverage_start: '2098-01-01',
   *   scenarios: [
   *     {
   *       name: 'As quoted',
   *       premium_change_percent: 6.5
   *     },
   *     {
   *       name: 'Negotiated',
   *       premium_change_percent: 4
   *     }
   *   ],
   *   dry_run: true
   * })
   * // {
   * //   renewal_proposal_id: null,
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v707',
   * //   benefit_plan_year_id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v706',
   * //   coverage_start: '2027-04-01',
   * //   coverage_end: '2028-03-31',
   * //   open_enrollment_start: '2027-02-01',
   * //   open_enrollment_end: '2027-02-14',
   * //   renewal: 'passive',
   * //   enrolled_employee_count: 11,
   * //   current: {
   * //     per_year: {
   * //       premium_in_cents: 757200,
   * //       employer_contribution_in_cents: 383100,
   * //       employee_deduction_in_cents: 374100,
   * //       premium_change_percent: null,
   * //       employer_change_percent: null,
   * //       employee_change_percent: null
   * //     },
   * //     per_head: {
   * //       premium_in_cents: 68836,
   * //       employer_contribution_in_cents: 34827,
   * //       employee_deduction_in_cents: 34009
   * //     },
   * //     tiers: [
   * //       {
   * //         coverage_tier: 'EE',
   * //         enrollment_count: 14,
   * //         premium_in_cents: 757200,
   * //         employer_contribution_in_cents: 383100,
   * //         employee_deduction_in_cents: 374100,
   * //         premium_change_percent: null,
   * //         employer_change_percent: null,
   * //         employee_change_percent: null
   * //       }
   * //     ],
   * //     plans: [
   * //       {
   * //         benefit_id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v701',
   * //         benefit_name: 'Dental',
   * //         benefit_plan_id: 'pln_01kdq7b4w8e9rs2mh3n5t6v703',
   * //         benefit_plan_name: 'Brightside PPO',
   * //         coverage_tier: 'EE',
   * //         enrollment_count: 11,
   * //         premium_in_cents: 3200,
   * //         employer_contribution_in_cents: 1000,
   * //         employee_deduction_in_cents: 2200
   * //       }
   * //     ]
   * //   },
   * //   scenarios: [
   * //     {
   * //       name: 'As quoted',
   * //       per_year: {
   * //         premium_in_cents: 806436,
   * //         employer_contribution_in_cents: 399444,
   * //         employee_deduction_in_cents: 406992,
   * //         premium_change_percent: 6.5,
   * //         employer_change_percent: 4.3,
   * //         employee_change_percent: 8.8
   * //       },
   * //       per_head: {
   * //         premium_in_cents: 73312,
   * //         employer_contribution_in_cents: 36313,
   * //         employee_deduction_in_cents: 36999
   * //       },
   * //       tiers: [
   * //         {
   * //           coverage_tier: 'EE',
   * //           enrollment_count: 14,
   * //           premium_in_cents: 806436,
   * //           employer_contribution_in_cents: 399444,
   * //           employee_deduction_in_cents: 406992,
   * //           premium_change_percent: 6.5,
   * //           employer_change_percent: 4.3,
   * //           employee_change_percent: 8.8
   * //         }
   * //       ],
   * //       plans: [
   * //         {
   * //           benefit_id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v701',
   * //           benefit_name: 'Dental',
   * //           benefit_plan_id: 'pln_01kdq7b4w8e9rs2mh3n5t6v703',
   * //           benefit_plan_name: 'Brightside PPO',
   * //           coverage_tier: 'EE',
   * //           enrollment_count: 11,
   * //           premium_in_cents: 3408,
   * //           employer_contribution_in_cents: 1000,
   * //           employee_deduction_in_cents: 2408
   * //         }
   * //       ]
   * //     }
   * //   ],
   * //   created_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  proposeRenewal(employer_id: EmployerId, benefit_plan_year_id: BenefitPlanYearId, body: NewRenewalProposal, options?: CallOptions): Promise<RenewalProposal>

  /**
   * Get a link to the PDF of a renewal proposal. `GET /v1/employers/{employer_id}/renewal-proposals/{renewal_proposal_id}/pdf`
   *
   * The link works for 15 minutes without a key.
   *
   * Accepts API keys and unbound tokens. Any role. Scopes: read.
   *
   * @example
   * ```ts
   * await ob.planYears.getRenewalProposalPdf(employer_id, renewal_proposal_id)
   * // {
   * //   download_url: 'https://benefits.example.com/v1/downloads/eyJhbGciOiJIUzI1NiJ9.eyJr.c2ln',
   * //   expires_at: '2026-03-10T16:15:00.000Z'
   * // }
   * ```
   */
  getRenewalProposalPdf(employer_id: EmployerId, renewal_proposal_id: RenewalProposalId, options?: CallOptions): Promise<DownloadLink>

  /**
   * List the amendments of a plan year. `GET /v1/employers/{employer_id}/benefit-plan-years/{benefit_plan_year_id}/amendments`
   *
   * Lists the changes that the operator made to a plan year after its start, newest first, with their first days and reasons.
   *
   * Accepts API keys and unbound tokens. Any role. Scopes: read.
   *
   * @example
   * ```ts
   * for await (const row of ob.planYears.listAmendments(employer_id, benefit_plan_year_id)) console.log(row)
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
  listAmendments(employer_id: EmployerId, benefit_plan_year_id: BenefitPlanYearId, query?: EmployersListBenefitPlanYearAmendmentsQuery, options?: CallOptions): Pages<Amendment, AmendmentPage>
}

export interface EnrollmentsMethods {
  /**
   * List the enrollments of an employee. `GET /v1/employees/{employee_id}/enrollments`
   *
   * Lists one enrollment for each benefit, plan year and period of eligibility, newest first.
   *
   * Accepts API keys, unbound tokens, employer tokens and employee tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: read, people.
   *
   * @example
   * ```ts
   * for await (const row of ob.enrollments.list(employee_id)) console.log(row)
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
  list(employee_id: EmployeeId, query?: EmployeesListEnrollmentsQuery, options?: CallOptions): Pages<Enrollment, EnrollmentPage>

  /**
   * Get an enrollment. `GET /v1/enrollments/{enrollment_id}`
   *
   * Returns the enrollment with the plans that can be elected and their monthly cost.
   *
   * Accepts API keys, unbound tokens, employer tokens and employee tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: read, people.
   *
   * @example
   * ```ts
   * await ob.enrollments.get(enrollment_id)
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
   * Read the history of an enrollment. `GET /v1/enrollments/{enrollment_id}/history`
   *
   * Lists every grant, election, waiver, correction and end in chronological order. Each entry shows the actor, the reason, the window and the cost at that time.
   *
   * Accepts API keys, unbound tokens, employer tokens and employee tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: read, people.
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
   * //   offered: null,
   * //   signature: null,
   * //   confirmation: null
   * // }
   * ```
   */
  getHistory(enrollment_id: EnrollmentId, query?: EnrollmentsGetHistoryQuery, options?: CallOptions): Pages<EnrollmentEvidence, EnrollmentEvidencePage>

  /**
   * Elect a plan. `POST /v1/enrollments/{enrollment_id}/elect`
   *
   * Elects a plan while a window is open: 30 days from the grant, open enrollment, or 30 days after a qualifying life event is approved. Before coverage begins, the election replaces the earlier one. After that, it takes effect on the first of the next month; until then, no dependents are dropped and the plan does not change. People who are added after a birth, adoption or placement are covered from that day.
   *
   * Accepts API keys, unbound tokens and employee tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: write, people.
   *
   * @throws {ApiError} among others `employee_is_not_employed`, `enrollment_is_inactive`, `enrollment_window_closed`, `change_not_consistent`, `coverage_ends_first`, `required_document_not_opened`, `plan_not_offered`, `individual_plan_does_not_fit`, `dependents_do_not_fit_tier`, `dependent_not_coverable`, `dependent_data_missing`
   *
   * @example
   * ```ts
   * await ob.enrollments.elect(enrollment_id, {
   *   plan_id: 'pln_01kdq7b4w8e9rs2mh3n5t6v7xz',
   *   coverage_tier: 'EE'
   * })
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
  elect(enrollment_id: EnrollmentId, body: Election, options?: CallOptions): Promise<EnrollmentDetail>

  /**
   * Waive a benefit. `POST /v1/enrollments/{enrollment_id}/waive`
   *
   * Waives the benefit while a window is open and before coverage begins. You can waive again, for example to change the reason.
   *
   * Accepts API keys, unbound tokens and employee tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: write, people.
   *
   * @throws {ApiError} among others `employee_is_not_employed`, `enrollment_is_inactive`, `enrollment_window_closed`, `change_not_consistent`, `coverage_has_started`, `required_document_not_opened`
   *
   * @example
   * ```ts
   * await ob.enrollments.waive(enrollment_id, {
   *   reason: 'Covered by a spouse'
   * })
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
  waive(enrollment_id: EnrollmentId, body?: Waiver, options?: CallOptions): Promise<EnrollmentDetail>

  /**
   * End coverage after a life event. `POST /v1/enrollments/{enrollment_id}/terminate`
   *
   * Ends elected coverage that has already begun, while the window of an approved life event is open. The last day is the end of this month, or of a later month of the plan year. It does not extend coverage that ends earlier for another reason. To reverse the end, reissue the enrollment.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: write, people.
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
  terminate(enrollment_id: EnrollmentId, body?: EnrollmentTermination, options?: CallOptions): Promise<EnrollmentDetail>

  /**
   * Reissue coverage that was ended on request. `POST /v1/enrollments/{enrollment_id}/reissue`
   *
   * Reverses a requested end of coverage, without a gap. The earlier election applies again, and corrections deduct and bill the missed amounts. Possible while the window of an approved life event is open, up to 60 days after the last day of coverage.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: write, people.
   *
   * @throws {ApiError} among others `enrollment_is_not_ended`, `choice_group_taken`, `coverage_ended_long_ago`, `enrollment_window_closed`
   *
   * @example
   * ```ts
   * await ob.enrollments.reissue(enrollment_id, {
   *   reason: 'The new coverage fell through'
   * })
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
  reissue(enrollment_id: EnrollmentId, body?: EnrollmentReissue, options?: CallOptions): Promise<EnrollmentDetail>

  /**
   * Get the unfinished election of an employee. `GET /v1/employees/{employee_id}/enrollment-draft`
   *
   * Returns the choices that the employee has made on any device but not submitted. Choices whose enrollment, plan or dependent is gone are left out. Without a draft, `saved_at` is null and the lists are empty.
   *
   * Accepts API keys, unbound tokens and employee tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: read, people.
   *
   * @example
   * ```ts
   * await ob.enrollments.getDraft(employee_id)
   * // {
   * //   employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   dependent_ids: [],
   * //   answers: [
   * //     {
   * //       enrollment_id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v700',
   * //       elect: {
   * //         plan_id: 'pln_01kdq7b4w8e9rs2mh3n5t6v700',
   * //         dependent_ids: [],
   * //         individual_plan: null,
   * //         bought_on_exchange: null
   * //       },
   * //       waive: null
   * //     }
   * //   ],
   * //   window_ends_on: '2026-03-19',
   * //   saved_at: '2026-03-10T16:00:00.000Z',
   * //   version: '5d8319ddd3cb07e8d2ab61ade713e0ed'
   * // }
   * ```
   */
  getDraft(employee_id: EmployeeId, options?: CallOptions): Promise<EnrollmentDraft>

  /**
   * Save the unfinished election of an employee. `PUT /v1/employees/{employee_id}/enrollment-draft`
   *
   * Replaces the draft of the employee. The choices may be incomplete, but must refer to open enrollments, offered plans and active dependents. Nothing is elected. Submitting `enrollment-answers` discards the draft, and so do a save without any choice and the end of the window.
   *
   * Accepts API keys, unbound tokens and employee tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: write, people.
   *
   * @throws {ApiError} among others `enrollment_window_closed`, `draft_has_changed`, `enrollment_not_open`, `plan_not_offered`, `dependent_not_coverable`
   *
   * @example
   * ```ts
   * await ob.enrollments.saveDraft(employee_id, {
   *   dependent_ids: [],
   *   answers: []
   * })
   * // {
   * //   employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   dependent_ids: [],
   * //   answers: [
   * //     {
   * //       enrollment_id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v700',
   * //       elect: {
   * //         plan_id: 'pln_01kdq7b4w8e9rs2mh3n5t6v700',
   * //         dependent_ids: [],
   * //         individual_plan: null,
   * //         bought_on_exchange: null
   * //       },
   * //       waive: null
   * //     }
   * //   ],
   * //   window_ends_on: '2026-03-19',
   * //   saved_at: '2026-03-10T16:00:00.000Z',
   * //   version: '5d8319ddd3cb07e8d2ab61ade713e0ed'
   * // }
   * ```
   */
  saveDraft(employee_id: EmployeeId, body: EnrollmentDraftInput, options?: CallOptions): Promise<EnrollmentDraft>

  /**
   * Discard the unfinished election of an employee. `DELETE /v1/employees/{employee_id}/enrollment-draft`
   *
   * Deletes the draft and returns an empty one. Elections and waivers that were submitted stay.
   *
   * Accepts API keys, unbound tokens and employee tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: write, people.
   *
   * @example
   * ```ts
   * await ob.enrollments.discardDraft(employee_id)
   * // {
   * //   employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   dependent_ids: [],
   * //   answers: [
   * //     {
   * //       enrollment_id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v700',
   * //       elect: {
   * //         plan_id: 'pln_01kdq7b4w8e9rs2mh3n5t6v700',
   * //         dependent_ids: [],
   * //         individual_plan: null,
   * //         bought_on_exchange: null
   * //       },
   * //       waive: null
   * //     }
   * //   ],
   * //   window_ends_on: '2026-03-19',
   * //   saved_at: '2026-03-10T16:00:00.000Z',
   * //   version: '5d8319ddd3cb07e8d2ab61ade713e0ed'
   * // }
   * ```
   */
  discardDraft(employee_id: EmployeeId, options?: CallOptions): Promise<EnrollmentDraft>

  /**
   * List the agreements that employees sign. `GET /v1/enrollment-agreements`
   *
   * Lists the last 100 versions, newest first, and the default text last. The latest text of a plan year applies to it, or else the latest text for all plan years.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN. Scopes: read.
   *
   * @example
   * ```ts
   * await ob.enrollments.listAgreements()
   * // [
   * //   {
   * //     id: 'eagr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //     benefit_plan_year_id: null,
   * //     plan_year: null,
   * //     version: 1,
   * //     text_en: 'I authorize my employer to deduct my share of the cost from my paychecks.',
   * //     text_es: 'I authorize my employer to deduct my share of the cost from my paychecks.',
   * //     created_at: '2026-03-10T16:00:00.000Z'
   * //   }
   * // ]
   * ```
   */
  listAgreements(options?: CallOptions): Promise<EnrollmentAgreement[]>

  /**
   * Create a version of the agreement that employees sign. `POST /v1/enrollment-agreements`
   *
   * The new text applies immediately to signatures of the organization, or only of the plan year in `benefit_plan_year_id`. Earlier signatures keep the version that the employee read.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN. Scopes: write.
   *
   * @example
   * ```ts
   * await ob.enrollments.createAgreement({
   *   text_en: 'I authorize my employer to deduct my share of the cost from my paychecks.',
   *   text_es: 'Autorizo a mi empleador a descontar mi parte del costo de mis cheques de pago.'
   * })
   * // {
   * //   id: 'eagr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   benefit_plan_year_id: null,
   * //   plan_year: null,
   * //   version: 1,
   * //   text_en: 'I authorize my employer to deduct my share of the cost from my paychecks.',
   * //   text_es: 'I authorize my employer to deduct my share of the cost from my paychecks.',
   * //   created_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  createAgreement(body: NewEnrollmentAgreement, options?: CallOptions): Promise<EnrollmentAgreement>

  /**
   * List the agreements that an employee signs. `GET /v1/employees/{employee_id}/enrollment-agreements`
   *
   * Returns the current text of each plan year in which the employee is enrolled or can enroll, each text once. Send their ids with the `signature` of `enrollment-answers`.
   *
   * Accepts API keys, unbound tokens and employee tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: read, people.
   *
   * @example
   * ```ts
   * await ob.enrollments.listAgreementsToSign(employee_id)
   * // [
   * //   {
   * //     id: 'eagr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //     benefit_plan_year_id: null,
   * //     plan_year: null,
   * //     version: 1,
   * //     text_en: 'I authorize my employer to deduct my share of the cost from my paychecks.',
   * //     text_es: 'I authorize my employer to deduct my share of the cost from my paychecks.',
   * //     created_at: '2026-03-10T16:00:00.000Z'
   * //   }
   * // ]
   * ```
   */
  listAgreementsToSign(employee_id: EmployeeId, options?: CallOptions): Promise<EnrollmentAgreement[]>

  /**
   * Elect and waive several benefits at once. `POST /v1/employees/{employee_id}/enrollment-answers`
   *
   * Saves all elections and waivers or none. Each is checked like a single one. Returns the cost per month and per paycheck. With `dry_run`, nothing changes and you only get the cost.
   *
   * Accepts API keys, unbound tokens and employee tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: write, people.
   *
   * @throws {ApiError} among others `employee_is_not_employed`, `enrollment_is_inactive`, `enrollment_window_closed`, `change_not_consistent`, `coverage_ends_first`, `coverage_has_started`, `agreement_has_changed`, `required_document_not_opened`, `enrollment_of_other_employee`, `choice_group_conflict`, `plan_not_offered`, `individual_plan_does_not_fit`, `dependents_do_not_fit_tier`, `dependent_not_coverable`, `dependent_data_missing`
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
   * //   replaced: [],
   * //   continued: [],
   * //   employee_deduction_in_cents: 0,
   * //   employer_contribution_in_cents: 1450,
   * //   per_paycheck_in_cents: 0,
   * //   dry_run: true
   * // }
   * ```
   */
  answer(employee_id: EmployeeId, body: EnrollmentAnswers, options?: CallOptions): Promise<EnrollmentQuote>

  /**
   * Get a link to the PDF of an employee's elections. `GET /v1/employees/{employee_id}/enrollment-answers/pdf`
   *
   * Returns a link to a PDF of the current elections and waivers, grouped by plan year. It covers the plan years of the latest submission and shows the first paychecks with deductions.
   *
   * Accepts API keys, unbound tokens and employee tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: read, people.
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

  /**
   * List the stored confirmations of an employee. `GET /v1/employees/{employee_id}/enrollment-confirmations`
   *
   * Each request to `enrollment-answers` that is not a dry run stores a PDF of the elections and waivers, in the language of the signature. The PDF is encrypted and never changes. Lists the last 100, latest first. The history of an enrollment names them.
   *
   * Accepts API keys, unbound tokens and employee tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: read, people.
   *
   * @example
   * ```ts
   * await ob.enrollments.listConfirmations(employee_id)
   * // [
   * //   {
   * //     id: 'conf_01kdq7b4w8e9rs2mh3n5t6v700',
   * //     submitted_at: '2026-03-10T16:00:00.000Z',
   * //     language: 'en',
   * //     enrollment_ids: [
   * //       'enrl_01kdq7b4w8e9rs2mh3n5t6v700'
   * //     ],
   * //     sha256: 'c6ae80aa2d8394ac5e258080ed767a4c55ffdf99fb10a48b11d5f25d6fead83f',
   * //     file: {
   * //       download_url: 'https://benefits.example.com/v1/downloads/eyJhbGciOiJIUzI1NiJ9.eyJr.c2ln',
   * //       expires_at: '2026-03-10T16:15:00.000Z'
   * //     }
   * //   }
   * // ]
   * ```
   */
  listConfirmations(employee_id: EmployeeId, options?: CallOptions): Promise<EnrollmentConfirmation[]>

  /**
   * Get the cost of the benefits of an employee in a year. `GET /v1/employees/{employee_id}/benefits-statement`
   *
   * Returns the share of the employee and the contribution of the employer, per benefit and in total, to the cent. Future months are included as if the current elections continued.
   *
   * Accepts API keys, unbound tokens and employee tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: read, people.
   *
   * @example
   * ```ts
   * await ob.enrollments.getStatement(employee_id)
   * // {
   * //   employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   year: 2026,
   * //   benefits: [
   * //     {
   * //       enrollment_id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v700',
   * //       benefit_name: 'Dental',
   * //       months: 8,
   * //       employee_in_cents: 0,
   * //       employer_in_cents: 11600,
   * //       total_in_cents: 11600
   * //     }
   * //   ],
   * //   employee_in_cents: 0,
   * //   employer_in_cents: 11600,
   * //   total_in_cents: 11600,
   * //   deducted_in_cents: 0,
   * //   through: '2026-03-15'
   * // }
   * ```
   */
  getStatement(employee_id: EmployeeId, query?: EmployeesGetBenefitsStatementQuery, options?: CallOptions): Promise<BenefitsStatement>

  /**
   * Get a link to the benefits statement of a year as a PDF. `GET /v1/employees/{employee_id}/benefits-statement/pdf`
   *
   * Returns a link to a PDF of the benefits statement for the employee.
   *
   * Accepts API keys, unbound tokens and employee tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: read, people.
   *
   * @example
   * ```ts
   * await ob.enrollments.getStatementPdf(employee_id)
   * // {
   * //   download_url: 'https://benefits.example.com/v1/downloads/eyJhbGciOiJIUzI1NiJ9.eyJr.c2ln',
   * //   expires_at: '2026-03-10T16:15:00.000Z'
   * // }
   * ```
   */
  getStatementPdf(employee_id: EmployeeId, query?: EmployeesGetBenefitsStatementPdfQuery, options?: CallOptions): Promise<DownloadLink>
}

export interface TrendsMethods {
  /**
   * Get trends. `GET /v1/trends`
   *
   * Returns the participation and the premium of the last twelve months, for charts.
   *
   * Accepts API keys and unbound tokens. Any role. Scopes: read.
   *
   * @example
   * ```ts
   * await ob.trends.get()
   * // {
   * //   months: [
   * //     {
   * //       month: '2025-04',
   * //       participation: {
   * //         eligible: 16,
   * //         enrolled: 16,
   * //         percentage: 100
   * //       },
   * //       premium_in_cents: 76600
   * //     }
   * //   ]
   * // }
   * ```
   */
  get(query?: TrendsGetQuery, options?: CallOptions): Promise<Trends>
}

export interface EnrollmentWindowsMethods {
  /**
   * List the enrollment windows of an employer. `GET /v1/employers/{employer_id}/enrollment-windows`
   *
   * Lists the plan years in which employees can still elect or waive, latest first: open enrollment is open or in the future, or a new hire has pending benefits. The counts are of employees, by benefit and by class.
   *
   * Accepts API keys, unbound tokens and employer tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: read, people.
   *
   * @example
   * ```ts
   * await ob.enrollmentWindows.list(employer_id)
   * // [
   * //   {
   * //     benefit_plan_year_id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v701',
   * //     year: 2026,
   * //     coverage_start: '2026-05-01',
   * //     coverage_end: '2027-04-30',
   * //     open_enrollment_start: '2026-03-05',
   * //     open_enrollment_end: '2026-03-19',
   * //     is_open: true,
   * //     days_left: 9,
   * //     people: {
   * //       eligible: 4,
   * //       enrolled: 0,
   * //       waived: 0,
   * //       in_progress: 2,
   * //       not_started: 2
   * //     },
   * //     can_answer: 4,
   * //     benefits: [
   * //       {
   * //         benefit_id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v702',
   * //         benefit_name: 'Own Choice',
   * //         eligible: 4,
   * //         enrolled: 1,
   * //         waived: 0,
   * //         unanswered: 3
   * //       }
   * //     ],
   * //     classes: [
   * //       {
   * //         employee_class: 'Full Time',
   * //         eligible: 3,
   * //         enrolled: 0,
   * //         waived: 0,
   * //         in_progress: 2,
   * //         not_started: 1
   * //       }
   * //     ]
   * //   }
   * // ]
   * ```
   */
  list(employer_id: EmployerId, options?: CallOptions): Promise<EnrollmentWindow[]>

  /**
   * List the people of an enrollment window. `GET /v1/employers/{employer_id}/enrollment-windows/{benefit_plan_year_id}/people`
   *
   * Lists each employee once, in the order of their names, with the progress of enrollment.
   *
   * Accepts API keys, unbound tokens and employer tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: read, people.
   *
   * @example
   * ```ts
   * for await (const row of ob.enrollmentWindows.listPeople(employer_id, benefit_plan_year_id)) console.log(row)
   * ```
   */
  listPeople(employer_id: EmployerId, benefit_plan_year_id: BenefitPlanYearId, query?: EmployersListEnrollmentWindowPeopleQuery, options?: CallOptions): Pages<EnrollmentWindowPerson, EnrollmentWindowPersonPage>

  /**
   * Remind employees to enroll. `POST /v1/employers/{employer_id}/enrollment-reminders`
   *
   * Reminds the employees of a plan year who have pending benefits and an open window: all of them, or those in `employee_ids`. An employee gets at most one message about a plan year a day. Depending on the `enrollment_messages` of the organization, this service sends an email, or publishes an event for each employee and you send the message. With `dry_run`, nothing is sent.
   *
   * Accepts API keys, unbound tokens and employer tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: write, people.
   *
   * @throws {ApiError} among others `too_many_recipients`
   *
   * @example
   * ```ts
   * await ob.enrollmentWindows.remind(employer_id, {
   *   benefit_plan_year_id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v7xz',
   *   dry_run: true
   * })
   * // {
   * //   enrollment_messages: 'send',
   * //   recipients: [
   * //     {
   * //       employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v708'
   * //     }
   * //   ],
   * //   skipped: [],
   * //   preview: {
   * //     subject: 'Reminder: choose your Granite Freight benefits by March 19',
   * //     text: "Hello Owen,\n\nYou have not finished your benefits enrollment at Granite Freight. The last day is March 19.\n\nYou can choose a plan or waive coverage for each benefit. It takes about 10 minutes.\n\nChoose my benefits: https://portal.example.com/benefits?token=preview\n\nThis link is only for you. It works once, for 3 days.\n\nStop enrollment reminders: http://127.0.0.1:37923/unsubscribe/preview',
   * //     html: '<!doctype html>\n    <html lang=\"en-US\">\n      <head>\n        <meta charset=\"utf-8\" />\n        <meta name=\"viewport\" content=\"width=device-width\" />\n        <title>Reminder: choose your Granite Freight benefits by March 19</title>\n      </head>\n      <body style=\"margin:0;background:#ffffff;color:#16191d;font:16px/24px system-ui,'Segoe UI',sans-serif\">\n        <div style=\"max-width:520px;margin:0 auto;padding:8px 16px\"><div lang=\"en-US\" style=\"padding:24px 0\">\n    <p style=\"margin:0 0 16px\">Hello Owen,</p>\n    <p style=\"margin:0 0 16px\">You have not finished your benefits enrollment at Granite Freight. The last day is March 19.</p><p style=\"margin:0 0 16px\">You can choose a plan or waive coverage for each benefit. It takes about 10 minutes.</p>\n    <p style=\"margin:0 0 16px\"><a href=\"https://portal.example.com/benefits?token=preview\" style=\"display:inline-block;padding:12px 20px;border-radius:6px;color:#ffffff;text-decoration:none;font-weight:600;background:#7a1f5c\">Choose my benefits</a></p>\n    <p style=\"margin:0 0 16px;font-size:14px;color:#565e69\">This link is only for you. It works once, for 3 days.</p>\n    <p style=\"margin:24px 0 0;font-size:14px\">\n            <a href=\"http://127.0.0.1:37923/unsubscribe/preview\" style=\"color:#565e69\">Stop enrollment reminders</a>\n          </p>\n  </div></div>\n      </body>\n    </html>"
   * //   }
   * // }
   * ```
   */
  remind(employer_id: EmployerId, body: NewEnrollmentReminders, options?: CallOptions): Promise<EnrollmentReminders>

  /**
   * List the messages about enrollment. `GET /v1/employers/{employer_id}/enrollment-messages`
   *
   * Lists invitations and reminders with their states, newest first.
   *
   * Accepts API keys, unbound tokens and employer tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: read, people.
   *
   * @example
   * ```ts
   * for await (const row of ob.enrollmentWindows.listMessages(employer_id)) console.log(row)
   * // {
   * //   id: 'emsg_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   member_first_name: 'Noor',
   * //   member_last_name: 'Haddad',
   * //   benefit_plan_year_id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   kind: 'reminder',
   * //   occasion: 'request',
   * //   due_on: '2026-03-10',
   * //   status: 'sent',
   * //   email: 'noor.haddad@example.com',
   * //   reason: null,
   * //   smtp_status: null,
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   finished_at: '2026-03-10T16:00:00.000Z',
   * //   link_used_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  listMessages(employer_id: EmployerId, query?: EmployersListEnrollmentMessagesQuery, options?: CallOptions): Pages<EnrollmentMessage, EnrollmentMessagePage>

  /**
   * List the messages of all employers. `GET /v1/enrollment-messages`
   *
   * Lists the invitations and reminders of your organization with their states, newest first.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: read, people.
   *
   * @example
   * ```ts
   * for await (const row of ob.enrollmentWindows.listAllMessages()) console.log(row)
   * // {
   * //   id: 'emsg_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   member_first_name: 'Noor',
   * //   member_last_name: 'Haddad',
   * //   benefit_plan_year_id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   kind: 'reminder',
   * //   occasion: 'request',
   * //   due_on: '2026-03-10',
   * //   status: 'sent',
   * //   email: 'noor.haddad@example.com',
   * //   reason: null,
   * //   smtp_status: null,
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   finished_at: '2026-03-10T16:00:00.000Z',
   * //   link_used_at: '2026-03-10T16:00:00.000Z',
   * //   employer_name: 'Granite Freight'
   * // }
   * ```
   */
  listAllMessages(query?: ListEnrollmentMessagesQuery, options?: CallOptions): Pages<OrganizationEnrollmentMessage, OrganizationEnrollmentMessagePage>

  /**
   * Get a message about enrollment. `GET /v1/enrollment-messages/{enrollment_message_id}`
   *
   * In a sandbox organization the response includes the email that would be sent.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: read, people.
   *
   * @example
   * ```ts
   * await ob.enrollmentWindows.getMessage(enrollment_message_id)
   * // {
   * //   id: 'emsg_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   member_first_name: 'Noor',
   * //   member_last_name: 'Haddad',
   * //   benefit_plan_year_id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   kind: 'reminder',
   * //   occasion: 'request',
   * //   due_on: '2026-03-10',
   * //   status: 'sent',
   * //   email: 'noor.haddad@example.com',
   * //   reason: null,
   * //   smtp_status: null,
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   finished_at: '2026-03-10T16:00:00.000Z',
   * //   link_used_at: '2026-03-10T16:00:00.000Z',
   * //   content: {
   * //     subject: 'Reminder: choose your Granite Freight benefits by March 19',
   * //     text: "Hello Noor,\n\nYou have not finished your benefits enrollment at Granite Freight. The last day is March 19.\n\nYou can choose a plan or waive coverage for each benefit. It takes about 10 minutes.\n\nChoose my benefits: https://portal.example.com/benefits?token=org_01kdq7b4w8e9rs2mh3n5t6v700.emsg_01kdq7b4w8e9rs2mh3n5t6v700.ACDFSi9rCYGbfz7gam8A9CHbgySkDnktIqm89dRxvIY\n\nThis link is only for you. It works once, for 3 days.\n\nStop enrollment reminders: http://127.0.0.1:37923/unsubscribe/org_01kdq7b4w8e9rs2mh3n5t6v700.emsg_01kdq7b4w8e9rs2mh3n5t6v700.4LYRXAU7JcZE2wf0Cl7YZXMcZuSro3_4yxkHfAHFc-E',
   * //     html: '<!doctype html>\n    <html lang=\"en-US\">\n      <head>\n        <meta charset=\"utf-8\" />\n        <meta name=\"viewport\" content=\"width=device-width\" />\n        <title>Reminder: choose your Granite Freight benefits by March 19</title>\n      </head>\n      <body style=\"margin:0;background:#ffffff;color:#16191d;font:16px/24px system-ui,'Segoe UI',sans-serif\">\n        <div style=\"max-width:520px;margin:0 auto;padding:8px 16px\"><div lang=\"en-US\" style=\"padding:24px 0\">\n    <p style=\"margin:0 0 16px\">Hello Noor,</p>\n    <p style=\"margin:0 0 16px\">You have not finished your benefits enrollment at Granite Freight. The last day is March 19.</p><p style=\"margin:0 0 16px\">You can choose a plan or waive coverage for each benefit. It takes about 10 minutes.</p>\n    <p style=\"margin:0 0 16px\"><a href=\"https://portal.example.com/benefits?token=org_01kdq7b4w8e9rs2mh3n5t6v700.emsg_01kdq7b4w8e9rs2mh3n5t6v700.ACDFSi9rCYGbfz7gam8A9CHbgySkDnktIqm89dRxvIY\" style=\"display:inline-block;padding:12px 20px;border-radius:6px;color:#ffffff;text-decoration:none;font-weight:600;background:#7a1f5c\">Choose my benefits</a></p>\n    <p style=\"margin:0 0 16px;font-size:14px;color:#565e69\">This link is only for you. It works once, for 3 days.</p>\n    <p style=\"margin:24px 0 0;font-size:14px\">\n            <a href=\"http://127.0.0.1:37923/unsubscribe/org_01kdq7b4w8e9rs2mh3n5t6v700.emsg_01kdq7b4w8e9rs2mh3n5t6v700.4LYRXAU7JcZE2wf0Cl7YZXMcZuSro3_4yxkHfAHFc-E\" style=\"color:#565e69\">Stop enrollment reminders</a>\n          </p>\n  </div></div>\n      </body>\n    </html>',
   * //     download_url: 'https://benefits.example.com/v1/downloads/eyJhbGciOiJIUzI1NiJ9.eyJr.c2ln',
   * //     expires_at: '2026-03-10T16:15:00.000Z"
   * //   }
   * // }
   * ```
   */
  getMessage(enrollment_message_id: EnrollmentMessageId, options?: CallOptions): Promise<ShownEnrollmentMessage>

  /**
   * Get the schedule of messages. `GET /v1/employers/{employer_id}/enrollment-schedule`
   *
   * Accepts API keys, unbound tokens and employer tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: read, people.
   *
   * @example
   * ```ts
   * await ob.enrollmentWindows.getSchedule(employer_id)
   * // {
   * //   opening: true,
   * //   half_way: false,
   * //   three_days_before: true,
   * //   one_day_before: true,
   * //   updated_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  getSchedule(employer_id: EmployerId, options?: CallOptions): Promise<EnrollmentSchedule>

  /**
   * Set the schedule of messages. `PUT /v1/employers/{employer_id}/enrollment-schedule`
   *
   * Sets the days on which employees with pending benefits get messages automatically: in open enrollment and in the windows of new hires, by the clock of the organization. Entries that you do not send are kept.
   *
   * Accepts API keys, unbound tokens and employer tokens. Roles: ADMIN, OPERATIONS. Scopes: write, people.
   *
   * @example
   * ```ts
   * await ob.enrollmentWindows.setSchedule(employer_id, {
   *   opening: true,
   *   three_days_before: true,
   *   one_day_before: true
   * })
   * // {
   * //   opening: true,
   * //   half_way: false,
   * //   three_days_before: true,
   * //   one_day_before: true,
   * //   updated_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  setSchedule(employer_id: EmployerId, body?: EnrollmentScheduleChange, options?: CallOptions): Promise<EnrollmentSchedule>

  /**
   * Get the settings of messages about enrollment. `GET /v1/enrollment-message-settings`
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN. Scopes: read.
   *
   * @example
   * ```ts
   * await ob.enrollmentWindows.getMessageSettings()
   * // {
   * //   enrollment_messages: 'send',
   * //   delivery: 'mailbox',
   * //   sender_name: 'Harbor Benefits',
   * //   reply_to: null,
   * //   dashboard_url: 'https://example.com/benefits?token={token}',
   * //   language: 'en',
   * //   updated_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  getMessageSettings(options?: CallOptions): Promise<EnrollmentMessageSettings>

  /**
   * Set the settings of messages about enrollment. `PUT /v1/enrollment-message-settings`
   *
   * Fields that you do not send are kept.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN. Scopes: write.
   *
   * @throws {ApiError} among others `email_not_configured`
   *
   * @example
   * ```ts
   * await ob.enrollmentWindows.setMessageSettings({
   *   sender_name: 'Harbor Benefits',
   *   dashboard_url: 'https://example.com/benefits?token={token}'
   * })
   * // {
   * //   enrollment_messages: 'send',
   * //   delivery: 'mailbox',
   * //   sender_name: 'Harbor Benefits',
   * //   reply_to: null,
   * //   dashboard_url: 'https://example.com/benefits?token={token}',
   * //   language: 'en',
   * //   updated_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  setMessageSettings(body?: EnrollmentMessageSettingsChange, options?: CallOptions): Promise<EnrollmentMessageSettings>

  /**
   * Redeem the token of a link. `POST /v1/enrollment-links`
   *
   * Returns the employee for whom the link in an email was created. Your server redeems the token when the employee opens your page, and then issues an access token for the employee. A token works once, for 3 days.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: write, people.
   *
   * @throws {ApiError} among others `link_not_valid`
   *
   * @example
   * ```ts
   * await ob.enrollmentWindows.redeemLink({
   *   token: 'org_01kdq7b4w8e9rs2mh3n5t6v7xz.emsg_01kdq7b4w8e9rs2mh3n5t6v7xz.x'
   * })
   * // {
   * //   employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   benefit_plan_year_id: 'plyr_01kdq7b4w8e9rs2mh3n5t6v701'
   * // }
   * ```
   */
  redeemLink(body: EnrollmentLinkToken, options?: CallOptions): Promise<EnrollmentLink>
}

export interface DependentsMethods {
  /**
   * List the dependents of an employee. `GET /v1/employees/{employee_id}/dependents`
   *
   * Lists the dependents of the person in the order in which they were added, including removed ones. The list is the same at each employment of the person.
   *
   * Accepts API keys, unbound tokens and employee tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: read, people.
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
  list(employee_id: EmployeeId, query?: DependentsListQuery, options?: CallOptions): Pages<Dependent, DependentPage>

  /**
   * Add a dependent. `POST /v1/employees/{employee_id}/dependents`
   *
   * Adds a spouse, domestic partner or child to the person. This does not start coverage. Name the dependent when you elect an enrollment.
   *
   * Accepts API keys, unbound tokens and employee tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: write, people.
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
  create(employee_id: EmployeeId, body: NewDependent, options?: CallOptions): Promise<Dependent>

  /**
   * Update a dependent. `PATCH /v1/dependents/{dependent_id}`
   *
   * Changes the data of a dependent, all or nothing. A new date of birth moves the end of coverage that follows the 26th birthday. A new date of birth or relationship withdraws the decision of the verification, which is then `pending` if there are documents, and otherwise `unverified`.
   *
   * Accepts API keys, unbound tokens and employee tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: write, people.
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
  update(dependent_id: DependentId, body?: DependentChanges, options?: CallOptions): Promise<Dependent>

  /**
   * Remove a dependent. `DELETE /v1/dependents/{dependent_id}`
   *
   * Makes today the last day as a dependent. Coverage ends on the last day of this month. The dependent stays readable and can be reinstated if this was a mistake.
   *
   * Accepts API keys, unbound tokens and employee tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: write, people.
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
  end(dependent_id: DependentId, options?: CallOptions): Promise<Dependent>

  /**
   * Reinstate a removed dependent. `POST /v1/dependents/{dependent_id}/reinstate`
   *
   * Reverses the removal of a dependent, up to 60 days after it. If a current election names the dependent, coverage continues without a gap and corrections adjust the amounts. Elections made in the meantime stay unchanged. A dependent who was not removed does not change.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: write, people.
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
  reinstate(dependent_id: DependentId, options?: CallOptions): Promise<Dependent>

  /**
   * List the documents of a dependent. `GET /v1/dependents/{dependent_id}/attachments`
   *
   * Lists at most 5 documents that prove the relationship, in the order in which they were added, each with a download link.
   *
   * Accepts API keys, unbound tokens, employer tokens and employee tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: read, people.
   *
   * @example
   * ```ts
   * await ob.dependents.listAttachments(dependent_id)
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
  listAttachments(dependent_id: DependentId, options?: CallOptions): Promise<Attachment[]>

  /**
   * Attach a document to a dependent. `POST /v1/dependents/{dependent_id}/attachments`
   *
   * Attaches a document that proves the relationship, such as a birth or marriage certificate: a PDF, PNG, JPEG, WebP or HEIC file. The verification is then `pending`, and `dependent.verification_requested` is published.
   *
   * Accepts API keys, unbound tokens and employee tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: write, people.
   *
   * @throws {ApiError} among others `employee_is_not_employed`, `dependent_already_ended`, `dependent_already_verified`
   *
   * @example
   * ```ts
   * await ob.dependents.attach(dependent_id, {
   *   file_name: 'certificate.pdf',
   *   content: 'JVBERi0xLjcKJSVFT0YK'
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
  attach(dependent_id: DependentId, body: NewAttachment, options?: CallOptions): Promise<Dependent>

  /**
   * Remove a document from a dependent. `DELETE /v1/dependents/{dependent_id}/attachments/{dependent_attachment_id}`
   *
   * Deletes the document with its content. Employee tokens can remove it until the dependent is verified. Without documents, a pending dependent is unverified again.
   *
   * Accepts API keys, unbound tokens and employee tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: write, people.
   *
   * @throws {ApiError} among others `employee_is_not_employed`, `dependent_already_verified`
   *
   * @example
   * ```ts
   * await ob.dependents.detach(dependent_id, dependent_attachment_id)
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
  detach(dependent_id: DependentId, dependent_attachment_id: AttachmentId, options?: CallOptions): Promise<Dependent>

  /**
   * Verify or reject a dependent. `PUT /v1/dependents/{dependent_id}/verification`
   *
   * Decides whether the documents prove the relationship. A later decision replaces an earlier one. Publishes `dependent.verification_decided`. A rejection does not end coverage: remove the dependent to do so.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: write, people.
   *
   * @example
   * ```ts
   * await ob.dependents.decideVerification(dependent_id, {
   *   status: 'verified'
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
  decideVerification(dependent_id: DependentId, body: NewDependentVerification, options?: CallOptions): Promise<Dependent>

  /**
   * Search dependents. `GET /v1/dependents`
   *
   * Returns the dependents of the people of one organization, found by name, newest first, including removed ones. A caller with several organizations must specify one.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: read, people.
   *
   * @throws {ApiError} among others `unprocessable`
   *
   * @example
   * ```ts
   * for await (const row of ob.dependents.search()) console.log(row)
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
  search(query?: DependentsSearchQuery, options?: CallOptions): Pages<FoundDependent, FoundDependentPage>

  /**
   * Store the tax identifier of a dependent. `PUT /v1/dependents/{dependent_id}/tax-identifier`
   *
   * Stores the tax identifier of a dependent. The number is encrypted with a key of its own and is only used for tax forms. Responses contain its last four digits. Storing another number replaces it.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: write, people, tax.
   *
   * @example
   * ```ts
   * await ob.dependents.setTaxIdentifier(dependent_id, {
   *   tax_identifier: '078-05-1120'
   * })
   * // {
   * //   person_id: 'mbr_01kdq7b4w8e9rs2mh3n5t6v709',
   * //   relationship: 'employee',
   * //   last_four: '9999',
   * //   updated_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  setTaxIdentifier(dependent_id: DependentId, body: NewTaxIdentifier, options?: CallOptions): Promise<TaxIdentifier>
}

export interface BeneficiariesMethods {
  /**
   * List the beneficiaries of an employee. `GET /v1/employees/{employee_id}/beneficiaries`
   *
   * Lists the benefits that take beneficiaries and that the employee has elected or can elect, by name, each with its current beneficiaries. They apply to all plan years of the benefit.
   *
   * Accepts API keys, unbound tokens and employee tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: read, people.
   *
   * @example
   * ```ts
   * await ob.beneficiaries.list(employee_id)
   * // [
   * //   {
   * //     benefit_id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v701',
   * //     benefit_name: 'Dental',
   * //     beneficiaries: [
   * //       {
   * //         name: 'Sam Costa',
   * //         type: 'person',
   * //         level: 'primary',
   * //         relationship: 'spouse',
   * //         date_of_birth: null,
   * //         share_percentage: 100
   * //       }
   * //     ],
   * //     designated_at: '2026-03-10T16:00:00.000Z',
   * //     designated_by: 'partner'
   * //   }
   * // ]
   * ```
   */
  list(employee_id: EmployeeId, options?: CallOptions): Promise<BenefitBeneficiaries[]>

  /**
   * Designate the beneficiaries of a benefit. `PUT /v1/employees/{employee_id}/beneficiaries/{benefit_id}`
   *
   * Replaces the beneficiaries of the benefit, at any time during the employment. The shares of the primary beneficiaries add up to 100 percent, and so do those of the contingent ones. Earlier designations stay in the history.
   *
   * Accepts API keys, unbound tokens and employee tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: write, people.
   *
   * @throws {ApiError} among others `employee_is_not_employed`, `benefit_takes_no_beneficiaries`
   *
   * @example
   * ```ts
   * await ob.beneficiaries.designate(employee_id, benefit_id, {
   *   beneficiaries: [
   *     {
   *       level: 'primary',
   *       type: 'person',
   *       name: 'Sam Costa',
   *       relationship: 'spouse',
   *       share_percentage: 100
   *     },
   *     {
   *       level: 'contingent',
   *       type: 'estate',
   *       share_percentage: 100
   *     }
   *   ]
   * })
   * // {
   * //   benefit_id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   benefit_name: 'Dental',
   * //   beneficiaries: [
   * //     {
   * //       name: 'Sam Costa',
   * //       type: 'person',
   * //       level: 'primary',
   * //       relationship: 'spouse',
   * //       date_of_birth: null,
   * //       share_percentage: 100
   * //     }
   * //   ],
   * //   designated_at: '2026-03-10T16:00:00.000Z',
   * //   designated_by: 'partner'
   * // }
   * ```
   */
  designate(employee_id: EmployeeId, benefit_id: BenefitId, body: BeneficiariesInput, options?: CallOptions): Promise<BenefitBeneficiaries>

  /**
   * List the designations of beneficiaries for a benefit. `GET /v1/employees/{employee_id}/beneficiaries/{benefit_id}/history`
   *
   * Lists the last 100 designations, latest first. The first one applies.
   *
   * Accepts API keys, unbound tokens and employee tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: read, people.
   *
   * @example
   * ```ts
   * await ob.beneficiaries.listHistory(employee_id, benefit_id)
   * // [
   * //   {
   * //     beneficiaries: [
   * //       {
   * //         name: 'Sam Costa',
   * //         type: 'person',
   * //         level: 'primary',
   * //         relationship: 'spouse',
   * //         date_of_birth: null,
   * //         share_percentage: 100
   * //       }
   * //     ],
   * //     designated_at: '2026-03-10T16:00:00.000Z',
   * //     designated_by: 'partner'
   * //   }
   * // ]
   * ```
   */
  listHistory(employee_id: EmployeeId, benefit_id: BenefitId, options?: CallOptions): Promise<BeneficiaryDesignation[]>
}

export interface LifeEventsMethods {
  /**
   * List the life events of an employee. `GET /v1/employees/{employee_id}/qualifying-life-events`
   *
   * Lists the life events reported at this employment, newest first, with their decisions.
   *
   * Accepts API keys, unbound tokens and employee tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: read, people.
   *
   * @example
   * ```ts
   * for await (const row of ob.lifeEvents.list(employee_id)) console.log(row)
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
  list(employee_id: EmployeeId, query?: LifeEventsListQuery, options?: CallOptions): Pages<LifeEvent, LifeEventPage>

  /**
   * Report a life event. `POST /v1/employees/{employee_id}/qualifying-life-events`
   *
   * The operator approves or declines the life event. An approval opens a window of 30 days in which the employee can make the changes that are consistent with the event. A person who is added within 30 days of a birth, adoption or placement is covered from the day of that event.
   *
   * Accepts API keys, unbound tokens and employee tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: write, people.
   *
   * @throws {ApiError} among others `employee_is_not_employed`, `life_event_already_reported`, `life_event_too_old`
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
  create(employee_id: EmployeeId, body: NewLifeEvent, options?: CallOptions): Promise<LifeEvent>

  /**
   * List the documents of a life event. `GET /v1/qualifying-life-events/{life_event_id}/attachments`
   *
   * Lists at most 5 documents in the order in which they were added, each with a download link.
   *
   * Accepts API keys, unbound tokens, employer tokens and employee tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: read, people.
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
  listAttachments(life_event_id: LifeEventId, options?: CallOptions): Promise<Attachment[]>

  /**
   * Attach a document to a life event. `POST /v1/qualifying-life-events/{life_event_id}/attachments`
   *
   * Accepts at most 5 documents until the life event is decided. The content of each must be a PDF, PNG, JPEG, WebP or HEIC file.
   *
   * Accepts API keys, unbound tokens and employee tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: write, people.
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
  attach(life_event_id: LifeEventId, body: NewAttachment, options?: CallOptions): Promise<LifeEvent>

  /**
   * Remove a document from a life event. `DELETE /v1/qualifying-life-events/{life_event_id}/attachments/{attachment_id}`
   *
   * Deletes the document with its content. Employee tokens can remove it until the life event is decided.
   *
   * Accepts API keys, unbound tokens and employee tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: write, people.
   *
   * @throws {ApiError} among others `employee_is_not_employed`, `life_event_already_decided`
   *
   * @example
   * ```ts
   * await ob.lifeEvents.detach(life_event_id, attachment_id)
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
  detach(life_event_id: LifeEventId, attachment_id: AttachmentId, options?: CallOptions): Promise<LifeEvent>
}

export interface ManualAdjustmentsMethods {
  /**
   * List the manual adjustments of an employer. `GET /v1/employers/{employer_id}/manual-adjustments`
   *
   * Lists amounts for months before the correction window with their reasons, newest first. In statements and on invoices, they are lines of the kind `manual_adjustment`.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: read, money.
   *
   * @example
   * ```ts
   * for await (const row of ob.manualAdjustments.list(employer_id)) console.log(row)
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
  list(employer_id: EmployerId, query?: EmployersListManualAdjustmentsQuery, options?: CallOptions): Pages<ManualAdjustment, ManualAdjustmentPage>
}

export interface StatementsMethods {
  /**
   * List the payroll deduction statements of all employers. `GET /v1/payroll-deduction-statements`
   *
   * Returns the statements, newest first, each with a link to its lines as CSV. To get the next page, send `next_offset` of the previous page as `offset`, until it is null.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: read, money.
   *
   * @example
   * ```ts
   * for await (const row of ob.statements.listAll()) console.log(row)
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
  listAll(query?: PayrollDeductionStatementsListQuery, options?: CallOptions): Pages<PayrollDeductionStatementRow, PayrollDeductionStatementRowPage>

  /**
   * List the payroll deduction statements of an employer. `GET /v1/employers/{employer_id}/payroll-deduction-statements`
   *
   * Returns one statement per pay period, newest first, each with a link to its lines as CSV.
   *
   * Accepts API keys, unbound tokens and employer tokens. Roles: ADMIN, OPERATIONS. Scopes: read, money.
   *
   * @example
   * ```ts
   * for await (const row of ob.statements.list(employer_id)) console.log(row)
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
  list(employer_id: EmployerId, query?: EmployersListPayrollDeductionStatementsQuery, options?: CallOptions): Pages<PayrollDeductionStatement, PayrollDeductionStatementPage>

  /**
   * Report actual payroll deductions. `POST /v1/employers/{employer_id}/payroll-deduction-statements/{statement_id}/actuals`
   *
   * Send JSON or CSV, as often as needed. The last report for an enrollment applies. A row identifies the employee by `employee_id` or `reference_id`, and the enrollment by `enrollment_id` or `benefit_name`. Omit the enrollment if the employee has only one in the statement. Rows of the same enrollment add up. Rows without a match in the statement fail; the others are recorded. Later statements collect shortfalls as `arrears`.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: write, money.
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
   * //       reason: 'has no lines in this statement'
   * //     }
   * //   ]
   * // }
   * ```
   */
  recordActuals(employer_id: EmployerId, statement_id: StatementId, body: PayrollActualsUpload | string, options?: CallOptions): Promise<PayrollActualsOutcome>

  /**
   * List actual payroll deductions. `GET /v1/employers/{employer_id}/payroll-deduction-statements/{statement_id}/actuals`
   *
   * Returns the reported amounts by employee and enrollment, with the amounts that the statement requested.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: read, money.
   *
   * @example
   * ```ts
   * for await (const row of ob.statements.listActuals(employer_id, statement_id)) console.log(row)
   * // {
   * //   employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v705',
   * //   enrollment_id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v709',
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
   * Get the deduction proof of an employee's year. `GET /v1/employees/{employee_id}/deductions/proof`
   *
   * Returns the due, collected and corrected amounts, per enrollment and in total.
   *
   * Accepts API keys, unbound tokens, employer tokens and employee tokens. Roles: ADMIN, OPERATIONS. Scopes: read, money.
   *
   * @example
   * ```ts
   * await ob.deductions.prove(employee_id)
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
  prove(employee_id: EmployeeId, query?: EmployeesProveDeductionsQuery, options?: CallOptions): Promise<DeductionProof>

  /**
   * List an employee's paychecks of a year. `GET /v1/employees/{employee_id}/paychecks`
   *
   * Returns the paychecks with deductions, oldest first. Past ones come from statements. Those of the next 62 days are calculated by the same rules and the current facts. Paychecks without deductions are omitted.
   *
   * Accepts API keys, unbound tokens, employer tokens and employee tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: read, people.
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
   * //         enrollment_id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v708',
   * //         benefit_name: 'Own Choice',
   * //         kind: 'deduction',
   * //         reason: null,
   * //         cause: null,
   * //         year: 2026,
   * //         amount_in_cents: 2500,
   * //         tax_classification: 'Pre-tax',
   * //         corrected_period_start_date: null,
   * //         corrected_period_end_date: null
   * //       }
   * //     ],
   * //     total_in_cents: 2500
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
   * Returns the invoices, newest first. To get the next page, send `next_offset` of the previous page as `offset`, until it is null. A page may have fewer invoices than its limit, or none, even if more pages follow. Drafts are omitted unless you send `include_drafts=true` or filter by that status.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: read, money.
   *
   * @example
   * ```ts
   * for await (const row of ob.invoices.listAll()) console.log(row)
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
  listAll(query?: InvoicesListQuery, options?: CallOptions): Pages<InvoiceRow, InvoiceRowPage>

  /**
   * List the amounts that employers owe, by age. `GET /v1/invoices/aging`
   *
   * Returns each employer with invoices that are issued and neither paid nor void, longest overdue first, and the totals of all employers.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: read, money.
   *
   * @example
   * ```ts
   * for await (const row of ob.invoices.listAging()) console.log(row)
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
  listAging(query?: InvoicesListAgingQuery, options?: CallOptions): Pages<InvoiceAging, InvoiceAgingPage>

  /**
   * List the invoices of an employer. `GET /v1/employers/{employer_id}/invoices`
   *
   * Returns the invoices, newest first. To get the next page, send `next_offset` of the previous page as `offset`, until it is null. Drafts are omitted unless you send `include_drafts=true` or filter by that status.
   *
   * Accepts API keys, unbound tokens and employer tokens. Roles: ADMIN, OPERATIONS. Scopes: read, money.
   *
   * @throws {ApiError} among others `employer_has_no_billing_account`
   *
   * @example
   * ```ts
   * for await (const row of ob.invoices.list(employer_id)) console.log(row)
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
  list(employer_id: EmployerId, query?: EmployersListInvoicesQuery, options?: CallOptions): Pages<Invoice, InvoicePage>

  /**
   * Get a link to the PDF of an invoice. `GET /v1/employers/{employer_id}/invoices/{invoice_id}/pdf`
   *
   * The link works for 15 minutes without a key. Drafts and void invoices are marked on every page. If the organization collects with Stripe, the link leads to the PDF at Stripe, once Stripe has the invoice and until it is voided.
   *
   * Accepts API keys, unbound tokens and employer tokens. Roles: ADMIN, OPERATIONS. Scopes: read, money.
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
   * Returns a line for each enrollment that was covered on the 1st of the month, and an adjustment for each earlier month that was billed incorrectly. The premiums of the lines add up to the total of the invoice.
   *
   * Accepts API keys, unbound tokens and employer tokens. Roles: ADMIN, OPERATIONS. Scopes: read, money.
   *
   * @example
   * ```ts
   * for await (const row of ob.invoices.listLines(employer_id, invoice_id)) console.log(row)
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
  listLines(employer_id: EmployerId, invoice_id: string, query?: EmployersListInvoiceLinesQuery, options?: CallOptions): Pages<InvoiceLine, InvoiceLinePage>

  /**
   * Reconcile an invoice. `GET /v1/employers/{employer_id}/invoices/{invoice_id}/reconciliation`
   *
   * Compares the current cost of the enrollments with the amounts billed by all invoices, for the month of the invoice and the earlier months in the correction window. The next invoice adjusts the differences. Also compares the employees' share with their deductions.
   *
   * Accepts API keys, unbound tokens and employer tokens. Roles: ADMIN, OPERATIONS. Scopes: read, money.
   *
   * @example
   * ```ts
   * await ob.invoices.getReconciliation(employer_id, invoice_id)
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
   * List or search people. `GET /v1/members`
   *
   * Returns people of one organization, newest first: present and former employees of any employer, and group members. The list never covers several organizations: a caller that reaches several must specify one.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: read, people.
   *
   * @throws {ApiError} among others `unprocessable`
   *
   * @example
   * ```ts
   * for await (const row of ob.members.list()) console.log(row)
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
  list(query?: MembersListQuery, options?: CallOptions): Pages<Member, MemberPage>

  /**
   * Get a person. `GET /v1/members/{member_id}`
   *
   * Returns the person with present and former employments.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: read, people.
   *
   * @example
   * ```ts
   * await ob.members.get(member_id)
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
   * List the employments of a person. `GET /v1/members/{member_id}/employments`
   *
   * Returns an employee for each employment at each employer, newest first. A rehire is a separate employment.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: read, people.
   *
   * @example
   * ```ts
   * for await (const row of ob.members.listEmployments(member_id)) console.log(row)
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
  listEmployments(member_id: MemberId, query?: MembersListEmploymentsQuery, options?: CallOptions): Pages<Employee, EmployeePage>

  /**
   * List the enrollments of a person. `GET /v1/members/{member_id}/enrollments`
   *
   * Returns the enrollments of all employments, newest first.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: read, people.
   *
   * @example
   * ```ts
   * for await (const row of ob.members.listEnrollments(member_id)) console.log(row)
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
  listEnrollments(member_id: MemberId, query?: MembersListEnrollmentsQuery, options?: CallOptions): Pages<Enrollment, EnrollmentPage>
}

export interface CensusMethods {
  /**
   * Submit a census. `POST /v1/employers/{employer_id}/census-sync`
   *
   * Processes 1 to 10,000 rows asynchronously. People are matched and never duplicated; ambiguous rows fail instead of being guessed. A failing row is reported and the others are processed. With `mode=replace`, people missing from the body are terminated as of today. If that would terminate more than 5 people and more than 20% of the roster, or anyone at all while a row failed, the census is `held` until it is confirmed. With `dry_run=true` the response is 200 with the outcome, and nothing changes. Other query parameters are refused.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: write, people.
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
  submit(employer_id: EmployerId, body: CensusSubmission, query?: EmployersSubmitCensusSyncQuery, options?: CallOptions): Promise<CensusOutcome | CensusAcceptance>

  /**
   * List the censuses of an employer. `GET /v1/employers/{employer_id}/census-sync`
   *
   * Returns the censuses, newest first, without the result of each row.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: read, people.
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
   * Returns the census with the outcome of its rows. While it runs, `processed_count` of `row_count` rows are done.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: read, people.
   *
   * @example
   * ```ts
   * await ob.census.get(employer_id, census_sync_id)
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
  get(employer_id: EmployerId, census_sync_id: CensusSyncId, options?: CallOptions): Promise<CensusOutcome>

  /**
   * Confirm a held census. `POST /v1/employers/{employer_id}/census-sync/{census_sync_id}/confirm`
   *
   * Terminates the people who are missing from a replacing census that is `held`.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: write, people.
   *
   * @throws {ApiError} among others `census_sync_not_held`, `employer_has_hris_connection`, `census_sync_superseded`
   *
   * @example
   * ```ts
   * await ob.census.confirm(employer_id, census_sync_id)
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
  confirm(employer_id: EmployerId, census_sync_id: CensusSyncId, options?: CallOptions): Promise<CensusOutcome>
}

export interface HrisMethods {
  /**
   * List HRIS providers. `GET /v1/employers/hris-providers`
   *
   * Returns the payroll systems of the employers in the employer book, as values for its filter `hris_provider`.
   *
   * Accepts API keys and unbound tokens. Any role. Scopes: read.
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
   * Returns the connection. While it is `pending`, `active` or `inactive`, it maintains the roster, and requests that create employees or submit a census are refused. `pending`: nothing has been synced yet. `inactive`: the payroll system rejected our credentials.
   *
   * Accepts API keys, unbound tokens and employer tokens. Roles: ADMIN, OPERATIONS. Scopes: read.
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
   * Returns the groups of your organization, newest first.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: read, people.
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
   * The `external_reference_id` must be unique within the organization. The name need not be.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: write, people.
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
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: read, people.
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
   * Only the fields that are sent change. Null leaves a field unchanged.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: write, people.
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
   * Returns the current members of the group, newest first.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: read, people.
   *
   * @example
   * ```ts
   * for await (const row of ob.groups.listMembers(group_id)) console.log(row)
   * // {
   * //   id: 'grpmbr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   group_id: 'grp_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   member_id: 'mbr_01kdq7b4w8e9rs2mh3n5t6v705',
   * //   reference_id: 'VG-004',
   * //   plan_id: 'pln_01kdq7b4w8e9rs2mh3n5t6v702',
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
   * Accepts up to 10,000 members and synchronizes the group asynchronously, by `reference_id`: new members are added, known ones are updated and missing ones are removed. A person whom the organization knows is linked, not duplicated. A failing row is reported and the others are processed. The requests of one group are processed in order.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: write, people.
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
   * Returns the requests, newest first, with the counts of each.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: read, people.
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
   * `completed_at` and `results` are null until it completes.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: read, people.
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

export interface AleGroupsMethods {
  /**
   * List aggregated ALE groups. `GET /v1/ale-groups`
   *
   * Returns the groups of your organization, newest first. An employer without a group counts alone.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: read.
   *
   * @example
   * ```ts
   * for await (const row of ob.aleGroups.list()) console.log(row)
   * // {
   * //   id: 'aleg_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   name: 'Granite Group',
   * //   members: [
   * //     {
   * //       employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //       legal_name: 'Granite Freight Inc.',
   * //       ein: '**-***3377',
   * //       employers: [
   * //         {
   * //           employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v701',
   * //           employer_name: 'Copper Cove Cannery'
   * //         }
   * //       ]
   * //     }
   * //   ],
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   updated_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  list(query?: AleGroupsListQuery, options?: CallOptions): Pages<AleGroup, AleGroupPage>

  /**
   * Create an aggregated ALE group. `POST /v1/ale-groups`
   *
   * Employers under common control count together when the law determines whether they are an applicable large employer (ALE). Each EIN of the group is an ALE member. If one company employs people at several employers, as a staffing firm does at its clients, list those employers in `employer_ids` of its ALE member: the hours of a person add up.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: write.
   *
   * @throws {ApiError} among others `employer_in_other_ale_group`
   *
   * @example
   * ```ts
   * await ob.aleGroups.create({
   *   name: 'Northwind Staffing',
   *   members: [
   *     {
   *       employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v7xz'
   *     }
   *   ]
   * })
   * // {
   * //   id: 'aleg_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   name: 'Granite Group',
   * //   members: [
   * //     {
   * //       employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //       legal_name: 'Granite Freight Inc.',
   * //       ein: '**-***3377',
   * //       employers: [
   * //         {
   * //           employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v701',
   * //           employer_name: 'Copper Cove Cannery'
   * //         }
   * //       ]
   * //     }
   * //   ],
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   updated_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  create(body: NewAleGroup, options?: CallOptions): Promise<AleGroup>

  /**
   * Get an aggregated ALE group. `GET /v1/ale-groups/{ale_group_id}`
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: read.
   *
   * @example
   * ```ts
   * await ob.aleGroups.get(ale_group_id)
   * // {
   * //   id: 'aleg_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   name: 'Granite Group',
   * //   members: [
   * //     {
   * //       employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //       legal_name: 'Granite Freight Inc.',
   * //       ein: '**-***3377',
   * //       employers: [
   * //         {
   * //           employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v701',
   * //           employer_name: 'Copper Cove Cannery'
   * //         }
   * //       ]
   * //     }
   * //   ],
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   updated_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  get(ale_group_id: AleGroupId, options?: CallOptions): Promise<AleGroup>

  /**
   * Replace an aggregated ALE group. `PUT /v1/ale-groups/{ale_group_id}`
   *
   * Replaces the name and all ALE members of the group.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: write.
   *
   * @throws {ApiError} among others `employer_in_other_ale_group`
   *
   * @example
   * ```ts
   * await ob.aleGroups.replace(ale_group_id, {
   *   name: 'Northwind Staffing',
   *   members: [
   *     {
   *       employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v7xz'
   *     }
   *   ]
   * })
   * // {
   * //   id: 'aleg_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   name: 'Granite Group',
   * //   members: [
   * //     {
   * //       employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //       legal_name: 'Granite Freight Inc.',
   * //       ein: '**-***3377',
   * //       employers: [
   * //         {
   * //           employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v701',
   * //           employer_name: 'Copper Cove Cannery'
   * //         }
   * //       ]
   * //     }
   * //   ],
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   updated_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  replace(ale_group_id: AleGroupId, body: NewAleGroup, options?: CallOptions): Promise<AleGroup>

  /**
   * Delete an aggregated ALE group. `DELETE /v1/ale-groups/{ale_group_id}`
   *
   * Each of its employers becomes an ALE member of its own again. Their hours remain.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: write.
   *
   * @example
   * ```ts
   * await ob.aleGroups.delete(ale_group_id)
   * // {
   * //   id: 'aleg_01kdq7b4w8e9rs2mh3n5t6v700'
   * // }
   * ```
   */
  delete(ale_group_id: AleGroupId, options?: CallOptions): Promise<DeletedAleGroup>
}

export interface AssignmentsMethods {
  /**
   * List the assignments of an employee. `GET /v1/employees/{employee_id}/assignments`
   *
   * Returns the assignments of this employment, the latest first day first.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: read, people.
   *
   * @example
   * ```ts
   * for await (const row of ob.assignments.list(employee_id)) console.log(row)
   * // {
   * //   id: 'asgn_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v702',
   * //   client_name: 'Harbor Cannery',
   * //   worksite: {
   * //     address_line_1: '7 Pier Rd',
   * //     address_line_2: null,
   * //     city: 'Astoria',
   * //     state: 'OR',
   * //     zipcode: '97103',
   * //     county: 'Clatsop'
   * //   },
   * //   starts_on: '2026-03-02',
   * //   ends_on: '2026-06-30',
   * //   hourly_rate_in_cents: 1850,
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   updated_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  list(employee_id: EmployeeId, query?: EmployeesListAssignmentsQuery, options?: CallOptions): Pages<Assignment, AssignmentPage>

  /**
   * Add an assignment. `POST /v1/employees/{employee_id}/assignments`
   *
   * Records work at a client of the employer. The worksite on the first day of coverage determines the rating area and the poverty guideline for the affordability of an ICHRA; without one, the home address does.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: write, people.
   *
   * @example
   * ```ts
   * await ob.assignments.add(employee_id, {
   *   client_name: 'Harbor Cannery',
   *   worksite: {
   *     address_line_1: '7 Pier Rd',
   *     city: 'Astoria',
   *     state: 'OR',
   *     zipcode: '97103',
   *     county: 'Clatsop'
   *   },
   *   starts_on: '2026-03-02',
   *   hourly_rate_in_cents: 1850
   * })
   * // {
   * //   id: 'asgn_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v702',
   * //   client_name: 'Harbor Cannery',
   * //   worksite: {
   * //     address_line_1: '7 Pier Rd',
   * //     address_line_2: null,
   * //     city: 'Astoria',
   * //     state: 'OR',
   * //     zipcode: '97103',
   * //     county: 'Clatsop'
   * //   },
   * //   starts_on: '2026-03-02',
   * //   ends_on: '2026-06-30',
   * //   hourly_rate_in_cents: 1850,
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   updated_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  add(employee_id: EmployeeId, body: NewAssignment, options?: CallOptions): Promise<Assignment>

  /**
   * Replace an assignment. `PUT /v1/assignments/{assignment_id}`
   *
   * Replaces all values of the assignment, for example to set its last day.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: write, people.
   *
   * @example
   * ```ts
   * await ob.assignments.replace(assignment_id, {
   *   client_name: 'Harbor Cannery',
   *   worksite: {
   *     address_line_1: '7 Pier Rd',
   *     city: 'Astoria',
   *     state: 'OR',
   *     zipcode: '97103',
   *     county: 'Clatsop'
   *   },
   *   starts_on: '2026-03-02',
   *   hourly_rate_in_cents: 1850,
   *   ends_on: '2026-06-30'
   * })
   * // {
   * //   id: 'asgn_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v702',
   * //   client_name: 'Harbor Cannery',
   * //   worksite: {
   * //     address_line_1: '7 Pier Rd',
   * //     address_line_2: null,
   * //     city: 'Astoria',
   * //     state: 'OR',
   * //     zipcode: '97103',
   * //     county: 'Clatsop'
   * //   },
   * //   starts_on: '2026-03-02',
   * //   ends_on: '2026-06-30',
   * //   hourly_rate_in_cents: 1850,
   * //   created_at: '2026-03-10T16:00:00.000Z',
   * //   updated_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  replace(assignment_id: AssignmentId, body: NewAssignment, options?: CallOptions): Promise<Assignment>

  /**
   * Delete an assignment. `DELETE /v1/assignments/{assignment_id}`
   *
   * Deletes an assignment that was recorded by mistake. To end one, replace it with its last day.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: write, people.
   *
   * @example
   * ```ts
   * await ob.assignments.delete(assignment_id)
   * // {
   * //   id: 'asgn_01kdq7b4w8e9rs2mh3n5t6v701'
   * // }
   * ```
   */
  delete(assignment_id: AssignmentId, options?: CallOptions): Promise<DeletedAssignment>
}

export interface MeasurementPoliciesMethods {
  /**
   * Get the measurement policies of an employer. `GET /v1/employers/{employer_id}/measurement-policies`
   *
   * Returns how the employer determines which employees are full-time under section 4980H.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: read.
   *
   * @example
   * ```ts
   * await ob.measurementPolicies.get(employer_id)
   * // {
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   policies: [
   * //     {
   * //       compensation_type: null,
   * //       state: null,
   * //       bargaining_unit: null,
   * //       is_collectively_bargained: null,
   * //       effective_on: null,
   * //       method: 'look_back',
   * //       standard_starts_on: '2025-10-15',
   * //       standard_months: 12,
   * //       administrative_months: 2,
   * //       stability_months: 12,
   * //       initial_months: 12,
   * //       initial_starts: 'start_date',
   * //       initial_administrative_months: 1,
   * //       by_weeks: false,
   * //       uses_payroll_periods: false,
   * //       educational: false,
   * //       parity: false
   * //     }
   * //   ]
   * // }
   * ```
   */
  get(employer_id: EmployerId, options?: CallOptions): Promise<MeasurementPolicies>

  /**
   * Set the measurement policies of an employer. `PUT /v1/employers/{employer_id}/measurement-policies`
   *
   * Replaces all policies, one for each category of employees. A job then measures every employee by the recorded hours of service. Policies that the regulation does not allow are refused.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: write.
   *
   * @example
   * ```ts
   * await ob.measurementPolicies.set(employer_id, {
   *   policies: [
   *     {
   *       method: 'look_back',
   *       standard_starts_on: '2025-10-15'
   *     }
   *   ]
   * })
   * // {
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   policies: [
   * //     {
   * //       compensation_type: null,
   * //       state: null,
   * //       bargaining_unit: null,
   * //       is_collectively_bargained: null,
   * //       effective_on: null,
   * //       method: 'look_back',
   * //       standard_starts_on: '2025-10-15',
   * //       standard_months: 12,
   * //       administrative_months: 2,
   * //       stability_months: 12,
   * //       initial_months: 12,
   * //       initial_starts: 'start_date',
   * //       initial_administrative_months: 1,
   * //       by_weeks: false,
   * //       uses_payroll_periods: false,
   * //       educational: false,
   * //       parity: false
   * //     }
   * //   ]
   * // }
   * ```
   */
  set(employer_id: EmployerId, body: NewMeasurementPolicies, options?: CallOptions): Promise<MeasurementPolicies>

  /**
   * Preview the periods of measurement policies. `POST /v1/employers/{employer_id}/measurement-policies/preview`
   *
   * Returns the measurement, administrative and stability periods that policies would have, and changes nothing. Policies that the regulation does not allow are refused.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: write.
   *
   * @example
   * ```ts
   * await ob.measurementPolicies.preview(employer_id, {
   *   policies: [
   *     {
   *       method: 'look_back',
   *       standard_starts_on: '2025-10-15'
   *     }
   *   ]
   * })
   * // {
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   policies: [
   * //     {
   * //       standard_periods: [
   * //         {
   * //           measurement_period: {
   * //             starts_on: '2024-10-15',
   * //             ends_on: '2025-10-14'
   * //           },
   * //           administrative_period: {
   * //             starts_on: '2025-10-15',
   * //             ends_on: '2025-12-31'
   * //           },
   * //           stability_period: {
   * //             starts_on: '2026-01-01',
   * //             ends_on: '2026-12-31'
   * //           }
   * //         }
   * //       ],
   * //       initial_period: {
   * //         measurement_period: {
   * //           starts_on: '2026-03-10',
   * //           ends_on: '2027-03-09'
   * //         },
   * //         administrative_period: {
   * //           starts_on: '2027-03-10',
   * //           ends_on: '2027-04-30'
   * //         },
   * //         stability_period: {
   * //           starts_on: '2027-05-01',
   * //           ends_on: '2028-04-30'
   * //         }
   * //       }
   * //     }
   * //   ]
   * // }
   * ```
   */
  preview(employer_id: EmployerId, body: NewMeasurementPolicies, options?: CallOptions): Promise<MeasurementPreview>
}

export interface HoursMethods {
  /**
   * Report hours of service. `POST /v1/employers/{employer_id}/hours`
   *
   * Send JSON or CSV with up to 100,000 rows, as often as needed. The last report for an employee, kind and period applies, and `action: remove` removes it. A row identifies the employee by `employee_id` or `reference_id`, and has `hours`, or `days` or `weeks` of an employee who is not paid by the hour. A period that overlaps with another recorded period of the same kind fails: remove that period first. Rows with a fault fail; the others are recorded. With `dry_run=true`, the response has the same outcome, and nothing changes.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: write, people.
   *
   * @example
   * ```ts
   * await ob.hours.report(employer_id, {
   *   rows: [
   *     {
   *       reference_id: 'E-1',
   *       period_starts_on: '2026-02-01',
   *       period_ends_on: '2026-02-14',
   *       kind: 'worked',
   *       hours: 76.5
   *     }
   *   ]
   * })
   * // {
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   dry_run: false,
   * //   reported_at: '2026-03-10T16:00:00.000Z',
   * //   row_count: 2,
   * //   added_count: 0,
   * //   changed_count: 1,
   * //   removed_count: 0,
   * //   unchanged_count: 0,
   * //   late_count: 0,
   * //   failed_count: 1,
   * //   failures: [
   * //     {
   * //       index: 1,
   * //       employee_id: null,
   * //       reference_id: 'E-0',
   * //       field: 'reference_id',
   * //       reason: 'is not an employee of the employer'
   * //     }
   * //   ],
   * //   changes: [
   * //     {
   * //       index: 0,
   * //       employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v700',
   * //       kind: 'worked',
   * //       period_starts_on: '2026-02-01',
   * //       period_ends_on: '2026-02-14',
   * //       hours_before: 76.5,
   * //       hours_after: 72,
   * //       is_late: false
   * //     }
   * //   ],
   * //   status_changes: []
   * // }
   * ```
   */
  report(employer_id: EmployerId, body: NewHoursReport | string, query?: EmployersReportHoursQuery, options?: CallOptions): Promise<HoursOutcome>

  /**
   * List the hours of service of an employer. `GET /v1/employers/{employer_id}/hours`
   *
   * Returns the recorded hours of all employees, latest period first, then by employee and kind.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: read, people.
   *
   * @example
   * ```ts
   * for await (const row of ob.hours.listOfEmployer(employer_id)) console.log(row)
   * // {
   * //   employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   kind: 'worked',
   * //   period_starts_on: '2026-02-01',
   * //   period_ends_on: '2026-02-14',
   * //   hours: 72,
   * //   reported_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  listOfEmployer(employer_id: EmployerId, query?: EmployersListHoursQuery, options?: CallOptions): Pages<ServiceHours, ServiceHoursPage>

  /**
   * List the reports of hours of an employer. `GET /v1/employers/{employer_id}/hours-reports`
   *
   * Returns the reports, newest first, including those of the payroll system of an HRIS connection.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: read, people.
   *
   * @example
   * ```ts
   * for await (const row of ob.hours.listReports(employer_id)) console.log(row)
   * // {
   * //   id: 'hrep_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   origin: 'api',
   * //   reported_at: '2026-03-10T16:00:00.000Z',
   * //   period_starts_on: '2026-02-01',
   * //   period_ends_on: '2026-02-14',
   * //   row_count: 2,
   * //   added_count: 0,
   * //   changed_count: 1,
   * //   removed_count: 0,
   * //   unchanged_count: 0,
   * //   late_count: 0,
   * //   failed_count: 1,
   * //   failures: [
   * //     {
   * //       employee_id: null,
   * //       reference_id: 'E-0',
   * //       field: 'reference_id',
   * //       reason: 'is not an employee of the employer'
   * //     }
   * //   ]
   * // }
   * ```
   */
  listReports(employer_id: EmployerId, query?: EmployersListHoursReportsQuery, options?: CallOptions): Pages<HoursReport, HoursReportPage>

  /**
   * List the hours of service of an employee. `GET /v1/employees/{employee_id}/hours`
   *
   * Returns the recorded hours of this employment, latest period first, then by kind.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: read, people.
   *
   * @example
   * ```ts
   * for await (const row of ob.hours.listOfEmployee(employee_id)) console.log(row)
   * // {
   * //   employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   kind: 'worked',
   * //   period_starts_on: '2026-02-01',
   * //   period_ends_on: '2026-02-14',
   * //   hours: 72,
   * //   reported_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  listOfEmployee(employee_id: EmployeeId, query?: EmployeesListHoursQuery, options?: CallOptions): Pages<ServiceHours, ServiceHoursPage>
}

export interface WebhookSubscriptionsMethods {
  /**
   * Subscribe to events. `POST /v1/webhook-subscriptions`
   *
   * Sends the organization's future events to a URL, signed with the secret in this response, which is shown only once. Create a subscription for each receiver. An organization can have at most 50.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN. Scopes: write, webhooks.
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
   * Accepts API keys and unbound tokens. Roles: ADMIN. Scopes: read, webhooks.
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
   * Accepts API keys and unbound tokens. Roles: ADMIN. Scopes: read, webhooks.
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
   * Waiting deliveries go to the new URL. `enabled: true` enables a disabled subscription for future events. To send the missed events, replay them.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN. Scopes: write, webhooks.
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
   * Returns the deleted subscription. Waiting deliveries are not sent.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN. Scopes: write, webhooks.
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
   * For 24 hours, deliveries are also signed with the previous secret, so that receivers can switch in the meantime. After several rotations, up to 4 previous secrets sign.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN. Scopes: write, webhooks.
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
   * Sends a test event, or the latest event of the given name, to this subscription only. The event is sent even if the subscription does not include its name.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN. Scopes: write, webhooks.
   *
   * @throws {ApiError} among others `webhook_subscription_is_disabled`, `event_never_occurred`
   *
   * @example
   * ```ts
   * await ob.webhookSubscriptions.test(webhook_subscription_id)
   * // {
   * //   id: 'wdlv_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   webhook_event_id: 'wevt_01kdq7b4w8e9rs2mh3n5t6v701',
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
   * Sends the events of a period that the subscription should have received but did not: those whose last retry failed, and those that occurred while it was disabled or before it existed. Delivered and waiting events are not sent again.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN. Scopes: write, webhooks.
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
   * Returns the deliveries with the last response of the receiver.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN. Scopes: read, webhooks.
   *
   * @example
   * ```ts
   * for await (const row of ob.webhookSubscriptions.listDeliveries(webhook_subscription_id)) console.log(row)
   * ```
   */
  listDeliveries(webhook_subscription_id: WebhookSubscriptionId, query?: WebhookSubscriptionsListDeliveriesQuery, options?: CallOptions): Pages<WebhookDelivery, WebhookDeliveryPage>
}

export interface WebhookEventsMethods {
  /**
   * List events. `GET /v1/webhook-events`
   *
   * Returns the events of the organization, newest first. To follow them, send the last event you have as `after`, and `wait` for new ones. Each request counts as one for the rate limit. A credential can wait in 5 requests at a time.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN. Scopes: read, webhooks.
   *
   * @example
   * ```ts
   * for await (const row of ob.webhookEvents.list()) console.log(row)
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
  list(query?: WebhookEventsListQuery, options?: CallOptions): Pages<WebhookEvent, WebhookEventPage>

  /**
   * Get an event. `GET /v1/webhook-events/{webhook_event_id}`
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN. Scopes: read, webhooks.
   *
   * @example
   * ```ts
   * await ob.webhookEvents.get(webhook_event_id)
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
  get(webhook_event_id: WebhookEventId, options?: CallOptions): Promise<WebhookEvent>

  /**
   * List the deliveries of an event. `GET /v1/webhook-events/{webhook_event_id}/deliveries`
   *
   * Returns one delivery for each subscription to the event, and one for each redelivery and replay, newest first.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN. Scopes: read, webhooks.
   *
   * @example
   * ```ts
   * for await (const row of ob.webhookEvents.listDeliveries(webhook_event_id)) console.log(row)
   * ```
   */
  listDeliveries(webhook_event_id: WebhookEventId, query?: WebhookEventsListDeliveriesQuery, options?: CallOptions): Pages<WebhookDelivery, WebhookDeliveryPage>
}

export interface ActivityMethods {
  /**
   * List activity. `GET /v1/activity`
   *
   * Returns the changes of an organization, an employer or an employee, newest first, with names. Each entry is a webhook event, but the deductions of a payday are one entry, except in the list of an employee. Reads are only in the audit log.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS, ENROLLMENT_AGENT. Scopes: read, people.
   *
   * @example
   * ```ts
   * for await (const row of ob.activity.list()) console.log(row)
   * // {
   * //   id: 'wevt_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   event_name: 'employee.measured_full_time',
   * //   resource_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   employer_name: 'Granite Freight',
   * //   employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v701',
   * //   person_name: 'Noor Haddad',
   * //   benefit_name: null,
   * //   payday: null,
   * //   people_count: null,
   * //   total_in_cents: null,
   * //   document_title: null,
   * //   created_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  list(query?: ActivityListQuery, options?: CallOptions): Pages<ActivityEntry, ActivityPage>
}

export interface ScheduledExportsMethods {
  /**
   * List the scheduled exports. `GET /v1/scheduled-exports`
   *
   * Lists the exports of your organization, newest first, each with its latest deliveries.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: read.
   *
   * @example
   * ```ts
   * for await (const row of ob.scheduledExports.list()) console.log(row)
   * // {
   * //   id: 'sexp_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   name: 'Employers, each Monday',
   * //   list: 'employers',
   * //   parameters: {},
   * //   format: 'xlsx',
   * //   frequency: 'weekly',
   * //   recipients: [
   * //     {
   * //       user_id: 'usr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //       name: 'Maya Okafor',
   * //       email: 'maya@example.com'
   * //     }
   * //   ],
   * //   next_on: '2026-03-16',
   * //   latest_on: null,
   * //   latest_deliveries: [],
   * //   created_by: 'usr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   created_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  list(query?: ScheduledExportsListQuery, options?: CallOptions): Pages<ScheduledExport, ScheduledExportPage>

  /**
   * Schedule an export. `POST /v1/scheduled-exports`
   *
   * Sends a list as a file by email, to members of your organization. The daily run of the organization sends it, for the first time after today. Each recipient gets a message of their own, whose file has only the rows and amounts that the recipient may see. A sandbox sends no email.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: write.
   *
   * @throws {ApiError} among others `exports_need_email`, `too_many_scheduled_exports`
   *
   * @example
   * ```ts
   * await ob.scheduledExports.create({
   *   name: 'Employers, each Monday',
   *   list: 'employers',
   *   format: 'xlsx',
   *   frequency: 'weekly'
   * })
   * // {
   * //   id: 'sexp_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   name: 'Employers, each Monday',
   * //   list: 'employers',
   * //   parameters: {},
   * //   format: 'xlsx',
   * //   frequency: 'weekly',
   * //   recipients: [
   * //     {
   * //       user_id: 'usr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //       name: 'Maya Okafor',
   * //       email: 'maya@example.com'
   * //     }
   * //   ],
   * //   next_on: '2026-03-16',
   * //   latest_on: null,
   * //   latest_deliveries: [],
   * //   created_by: 'usr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   created_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  create(body: NewScheduledExport, options?: CallOptions): Promise<ScheduledExport>

  /**
   * Get a scheduled export. `GET /v1/scheduled-exports/{scheduled_export_id}`
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: read.
   *
   * @example
   * ```ts
   * await ob.scheduledExports.get(scheduled_export_id)
   * // {
   * //   id: 'sexp_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   name: 'Employers, each Monday',
   * //   list: 'employers',
   * //   parameters: {},
   * //   format: 'xlsx',
   * //   frequency: 'weekly',
   * //   recipients: [
   * //     {
   * //       user_id: 'usr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //       name: 'Maya Okafor',
   * //       email: 'maya@example.com'
   * //     }
   * //   ],
   * //   next_on: '2026-03-16',
   * //   latest_on: null,
   * //   latest_deliveries: [],
   * //   created_by: 'usr_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   created_at: '2026-03-10T16:00:00.000Z'
   * // }
   * ```
   */
  get(scheduled_export_id: ScheduledExportId, options?: CallOptions): Promise<ScheduledExport>

  /**
   * Delete a scheduled export. `DELETE /v1/scheduled-exports/{scheduled_export_id}`
   *
   * Deletes the export with its deliveries. Files that wait to be sent are discarded.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN, OPERATIONS. Scopes: write.
   *
   * @example
   * ```ts
   * await ob.scheduledExports.delete(scheduled_export_id)
   * // {
   * //   id: 'sexp_01kdq7b4w8e9rs2mh3n5t6v700'
   * // }
   * ```
   */
  delete(scheduled_export_id: ScheduledExportId, options?: CallOptions): Promise<DeletedScheduledExport>
}

export interface WebhookDeliveriesMethods {
  /**
   * Deliver an event again. `POST /v1/webhook-deliveries/{webhook_delivery_id}/redeliver`
   *
   * Sends the event to the subscription of this delivery again, regardless of its outcome, as a new delivery with the same `webhook-id`.
   *
   * Accepts API keys and unbound tokens. Roles: ADMIN. Scopes: write, webhooks.
   *
   * @throws {ApiError} among others `webhook_subscription_is_disabled`
   *
   * @example
   * ```ts
   * await ob.webhookDeliveries.redeliver(webhook_delivery_id)
   * // {
   * //   id: 'wdlv_01kdq7b4w8e9rs2mh3n5t6v700',
   * //   webhook_event_id: 'wevt_01kdq7b4w8e9rs2mh3n5t6v701',
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
   * Downloads the file behind a `download_url` of another response. The link needs no key. It returns 404 from `expires_at` on, and within 5 seconds after its API key is revoked or the owner of the key leaves or changes roles. Too many concurrent downloads return 503 with `Retry-After`. Connections that receive less than 256 KiB in 30 seconds are closed.
   *
   * @example
   * ```ts
   * await ob.downloads.get(token)
   * ```
   */
  get(token: string, options?: CallOptions): Promise<Response>
}

type Posted<Name extends string> = Omit<WebhookMessage, 'type' | 'data'> & {
  type: Name
  data: Omit<WebhookMessage['data'], 'event_name' | 'resource_type'> & {
    event_name: Name
    resource_type: Name extends `${infer Resource}.${string}` ? Resource : never
  }
}

/** Webhook messages by event name. */
export interface WebhookMessages {
  /** The operator amended a running plan year, or withdrew an amendment. */
  'benefit_plan_year.amended': Posted<'benefit_plan_year.amended'>
  /** Coverage of a dependent ends because of age in 60 days. */
  'dependent.coverage_ending': Posted<'dependent.coverage_ending'>
  /** Coverage of a dependent ended. The employee has 30 days to change elections. */
  'dependent.coverage_ended': Posted<'dependent.coverage_ended'>
  /** The announced end of a dependent’s coverage was withdrawn. */
  'dependent.coverage_reinstated': Posted<'dependent.coverage_reinstated'>
  /** A dependent has documents that await verification. */
  'dependent.verification_requested': Posted<'dependent.verification_requested'>
  /** A dependent was verified or rejected. */
  'dependent.verification_decided': Posted<'dependent.verification_decided'>
  /** A document, a new version or a translation was added to the library. */
  'document.created': Posted<'document.created'>
  /** The title, kind, audience or requirement of a document changed. */
  'document.updated': Posted<'document.updated'>
  /** A document was withdrawn. */
  'document.withdrawn': Posted<'document.withdrawn'>
  /** An employer was created. */
  'employer.created': Posted<'employer.created'>
  /** An employer or its settings changed. */
  'employer.updated': Posted<'employer.updated'>
  /** An employer has a new eligibility policy. */
  'employer.eligibility_policy_created': Posted<'employer.eligibility_policy_created'>
  /** A note about an employer mentions a member of your organization. */
  'employer.user_mentioned': Posted<'employer.user_mentioned'>
  /** An employee was hired. */
  'employee.created': Posted<'employee.created'>
  /** The data of an employee changed. */
  'employee.updated': Posted<'employee.updated'>
  /** The waiting period of an employee ended. */
  'employee.eligibility_granted': Posted<'employee.eligibility_granted'>
  /** An employee is no longer eligible. */
  'employee.eligibility_terminated': Posted<'employee.eligibility_terminated'>
  /** Hours of service made an employee full-time, starting today or on a later day. */
  'employee.measured_full_time': Posted<'employee.measured_full_time'>
  /** A stability period ended, and the employee is no longer full-time. */
  'employee.stability_ended': Posted<'employee.stability_ended'>
  /** An employment ended. Yesterday was its last day. */
  'employee.deactivated': Posted<'employee.deactivated'>
  /** A former employee was rehired with a new employment. */
  'employee.rehired': Posted<'employee.rehired'>
  /** A termination was reversed. */
  'employee.reinstated': Posted<'employee.reinstated'>
  /** A statement contains a deduction of an employee. */
  'employee.deduction_created': Posted<'employee.deduction_created'>
  /** An employee opened a version of a document for the first time. */
  'employee.document_opened': Posted<'employee.document_opened'>
  /** A mail server refused the email address of an employee permanently. Nothing is sent to it until it changes. */
  'employee.email_bounced': Posted<'employee.email_bounced'>
  /** A tax form was posted for an employee who consented to electronic delivery. */
  'employee.tax_form_posted': Posted<'employee.tax_form_posted'>
  /** A note about an employee mentions a member of your organization. */
  'employee.user_mentioned': Posted<'employee.user_mentioned'>
  /** A window opened, and you should invite the employee. The enrollment is one of those that are neither elected nor waived. */
  'enrollment.invitation_due': Posted<'enrollment.invitation_due'>
  /** You should remind the employee. The enrollment is one of those that are neither elected nor waived. */
  'enrollment.reminder_due': Posted<'enrollment.reminder_due'>
  /** A benefit was granted to an employee, who has not made a choice yet. */
  'enrollment.granted': Posted<'enrollment.granted'>
  /** The election window opened. */
  'enrollment.started': Posted<'enrollment.started'>
  /** An employee elected a plan. */
  'enrollment.elected': Posted<'enrollment.elected'>
  /** An election was accepted. Follows each `enrollment.elected`. */
  'enrollment.accepted': Posted<'enrollment.accepted'>
  /** An employee waived a benefit. */
  'enrollment.waived': Posted<'enrollment.waived'>
  /** The employee neither elected nor waived, so the previous coverage was renewed. */
  'enrollment.renewed': Posted<'enrollment.renewed'>
  /** An employee was rehired in time, and their previous election applies again. */
  'enrollment.resumed': Posted<'enrollment.resumed'>
  /** The employee turned out to have been away too long, so the resumed election or waiver was withdrawn. */
  'enrollment.resumption_withdrawn': Posted<'enrollment.resumption_withdrawn'>
  /** An enrollment ends on its `coverage_end`. */
  'enrollment.terminated': Posted<'enrollment.terminated'>
  /** The last day of an enrollment moved. */
  'enrollment.termination_rescheduled': Posted<'enrollment.termination_rescheduled'>
  /** An enrollment that ended on request was reopened. */
  'enrollment.reissued': Posted<'enrollment.reissued'>
  /** A loss of eligibility was withdrawn, and the enrollment was restored. */
  'enrollment.reinstated': Posted<'enrollment.reinstated'>
  /** The cost of an election changed, because the plan year was amended. */
  'enrollment.amended': Posted<'enrollment.amended'>
  /** A census was processed. Its outcome lists the result of each row. */
  'census_sync.completed': Posted<'census_sync.completed'>
  /** A member sync was processed. Its results list added and removed members. */
  'group_member_sync.completed': Posted<'group_member_sync.completed'>
  /** An invoice was issued and is due. */
  'invoice.issued': Posted<'invoice.issued'>
  /** An API key of the organization was created. */
  'api_key.created': Posted<'api_key.created'>
  /** An API key was rotated. */
  'api_key.rotated': Posted<'api_key.rotated'>
  /** An API key was revoked by an ADMIN, the operator, or someone who found it. */
  'api_key.revoked': Posted<'api_key.revoked'>
  /** The subscription was disabled. It contains the reason. */
  'webhook_subscription.disabled': Posted<'webhook_subscription.disabled'>
  /** A test that you requested. It is sent only to this subscription. */
  'webhook_subscription.test': Posted<'webhook_subscription.test'>
}

/** A verified event, identified by `type`. Later versions may send other events. */
export type VerifiedEvent = WebhookMessages[keyof WebhookMessages]

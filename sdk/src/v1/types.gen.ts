// Generated from openapi.json by npm run gen.

import type {
  Address,
  AdjustmentCause,
  Affordability,
  ApiKey,
  ApiKeyId,
  ApiKeyMode,
  ApiKeyScope,
  Attachment,
  AuditOutcome,
  BenefitCategory,
  BenefitFamily,
  BenefitId,
  BenefitPlanYear,
  BenefitPlanYearId,
  BenefitPlanYearStatus,
  CensusCounts,
  CensusMode,
  CensusOrigin,
  CensusSyncId,
  CensusValue,
  CompensationType,
  ContributionTier,
  CorrectionReason,
  CoverageTier,
  Day,
  Deduction,
  DeductionLineKind,
  DeductionMethod,
  DependentId,
  DependentRelationship,
  DisabledReason,
  DocumentAudience,
  DocumentId,
  DocumentKind,
  DocumentScope,
  DocumentStatus,
  DownloadLink,
  Election,
  ElectionStatus,
  EligibilityBasis,
  EligibilityPolicyId,
  Email,
  Employee,
  EmployeeClass,
  EmployeeId,
  EmployerId,
  EmployerLifecycleStage,
  EmploymentStatus,
  EnrolledBenefit,
  EnrollmentAgreementId,
  EnrollmentAnswer,
  EnrollmentConfirmationId,
  EnrollmentId,
  EnrollmentRate,
  EnrollmentSummary,
  FinalDeductions,
  GroupId,
  GroupMemberId,
  GroupMemberSyncId,
  HrisRunState,
  HrisStatus,
  IdpProvider,
  InvoiceAge,
  Language,
  LifeEvent,
  LifeEventId,
  MemberId,
  MembershipRole,
  MissingFigure,
  MonthlyRange,
  OrganizationId,
  OrganizationType,
  Pagination,
  PartialMonthRule,
  PayFrequency,
  Phone,
  PlanId,
  PolicyClassification,
  PolicyStartAlignment,
  PolicyWaitingPeriod,
  Renewal,
  RenewalOutcome,
  RenewalReason,
  Residence,
  State,
  StatementId,
  TaskId,
  TaxClassification,
  Timestamp,
  UserId,
  WaiverReason,
  WebhookDelivery,
  WebhookEvent,
  WebhookEventId,
  WebhookEventName,
  WebhookSubscription,
  WebhookSubscriptionId,
} from '../shared/types.gen.ts'

export type * from '../shared/types.gen.ts'

/**
 * The employer mandate of section 4980H at an employer today.
 */
export type AcaOverview = {
    employer_id: EmployerId;
    /**
     * Today.
     */
    as_of: Day;
    /**
     * The last day of the latest reported period. Null before the first report of hours.
     */
    hours_reported_through: Day | null;
    /**
     * Whether the employer measures hours.
     */
    has_measurement_policies: boolean;
    /**
     * The current employees.
     */
    employee_count: number;
    /**
     * The current employees by status.
     */
    counts: {
        /**
         * Employees who are full-time today.
         */
        full_time: number;
        /**
         * Employees who are not full-time today.
         */
        not_full_time: number;
        /**
         * New employees whose first measurement continues.
         */
        initial_measurement: number;
        /**
         * New employees whose first stability period has not begun.
         */
        administrative_period: number;
        /**
         * Employees without a status.
         */
        not_measured: number;
    };
    /**
     * Employees who are not full-time, but average at least 30 hours a week so far.
     */
    trending_count: number;
};

export type AcaOverviewResponse = {
    data: AcaOverview;
};

/**
 * Explains whether an employee is full-time under section 4980H of the Internal Revenue Code.
 */
export type AcaStatus = {
    employee_id: EmployeeId;
    employer_id: EmployerId;
    /**
     * The day to which the result applies.
     */
    as_of: Day;
    /**
     * Whether the employee is full-time on that day. Null if not employed, or without a policy.
     */
    is_full_time: boolean | null;
    reason_code: MeasuredReason;
    /**
     * The reason as a human-readable sentence.
     */
    reason: string;
    /**
     * The first day of this status. Null without a status.
     */
    status_starts_on: Day | null;
    /**
     * The last day of this status. Null if not known yet.
     */
    status_ends_on: Day | null;
    /**
     * The policy that applies to the employee. Null if there is no such policy.
     */
    measurement_policy: MeasurementPolicy | null;
    /**
     * The first day of service after the last long break, which is the start date. Null without service.
     */
    service_starts_on: Day | null;
    /**
     * The statuses on all days of this employment, in order.
     */
    statuses: Array<{
        starts_on: Day;
        /**
         * The last day. Null if it is not known yet.
         */
        ends_on: Day | null;
        /**
         * Whether the employee is full-time on these days.
         */
        is_full_time: boolean;
        reason_code: MeasuredReason;
    }>;
    /**
     * Ended and current measurements, in order.
     */
    measurements: Array<Measurement>;
    /**
     * The months of the calendar year of `as_of`. Empty without a policy.
     */
    months: Array<{
        /**
         * The first day of the month.
         */
        month: Day;
        status: MonthlyFullTimeStatus;
        /**
         * The reason, as a stable code. hours_not_reported: part-time by the class, because no hours are reported.
         */
        reason_code: string;
    }>;
};

export type AcaStatusResponse = {
    data: AcaStatus;
};

export type AccessToken = {
    /**
     * Send it as `Authorization: Bearer …`.
     */
    access_token: string;
    /**
     * Always `Bearer`.
     */
    token_type: 'Bearer';
    /**
     * Seconds until the token expires.
     */
    expires_in: number;
    /**
     * The employer or employee that the token is bound to. It reaches nothing else. Null if the token is unbound, like its API key.
     */
    bound_entity: {
        /**
         * Whether the token is bound to an employer or an employee.
         */
        type: BoundEntityType;
        /**
         * The id of the employer (`empr_…`) or the employee (`empl_…`).
         */
        id: string;
    } | null;
};

export type AccessTokenRequest = {
    /**
     * Always `client_credentials`.
     */
    grant_type: 'client_credentials';
    /**
     * The employer or employee that the token is bound to. It reaches nothing else. Null means the same as omitting the field.
     */
    bound_entity?: BoundEntity | null;
};

/**
 * A change with the current names of its person, employer, benefit and document.
 */
export type ActivityEntry = {
    /**
     * The id of the webhook event about the same change, or of the deduction statement of a payday.
     */
    id: string;
    /**
     * The name of the event.
     */
    event_name: WebhookEventName;
    /**
     * The resource that changed.
     */
    resource_id: string;
    /**
     * The employer. Null if the change concerns no employer.
     */
    employer_id: EmployerId | null;
    /**
     * The name of the employer. Null if the change concerns no employer.
     */
    employer_name: string | null;
    /**
     * The employee that the change concerns. Null if the change does not concern one employee.
     */
    employee_id: EmployeeId | null;
    /**
     * The name of the employee or dependent. Null if the change does not concern one person.
     */
    person_name: string | null;
    /**
     * The name of the benefit. Null if the change concerns no enrollment.
     */
    benefit_name: string | null;
    /**
     * The last day of the pay period whose deductions were calculated. Null for other changes.
     */
    payday: Day | null;
    /**
     * The number of people with these deductions. Null for other changes.
     */
    people_count: number | null;
    /**
     * The total of these deductions or of the issued invoice, in cents. Null for other changes, and for callers who may not read money.
     */
    total_in_cents: number | null;
    /**
     * The title of the document. Null if the change concerns no document.
     */
    document_title: string | null;
    /**
     * When the change happened.
     */
    created_at: Timestamp;
};

export type ActivityPage = {
    data: Array<ActivityEntry>;
    pagination: Pagination;
};

/**
 * An employer whose people an ALE member employs.
 */
export type AleEmployer = {
    employer_id: EmployerId;
    /**
     * The display name of the employer.
     */
    employer_name: string;
};

/**
 * An aggregated ALE group: employers that count as one employer under section 414 of the tax code.
 */
export type AleGroup = {
    id: AleGroupId;
    /**
     * The name of the group.
     */
    name: string;
    /**
     * The ALE members, by legal name.
     */
    members: Array<AleMember>;
    /**
     * When the record was created.
     */
    created_at: Timestamp;
    /**
     * When the record last changed.
     */
    updated_at: Timestamp;
};

/**
 * The aggregated ALE group. Its id begins with `aleg_`.
 */
export type AleGroupId = string;

export type AleGroupPage = {
    data: Array<AleGroup>;
    pagination: Pagination;
};

export type AleGroupResponse = {
    data: AleGroup;
};

export type AleMember = {
    /**
     * The employer whose EIN the ALE member has.
     */
    employer_id: EmployerId;
    /**
     * The legal business name of that employer.
     */
    legal_name: string;
    /**
     * The employer identification number (EIN), masked except for the last four digits.
     */
    ein: string;
    /**
     * The other employers of the ALE member, by name.
     */
    employers: Array<AleEmployer>;
};

export type ApiKeyChanges = {
    /**
     * A name that describes the purpose of the key. Null means the same as omitting the field.
     */
    name?: string | null;
    /**
     * The pages whose browsers may send bound tokens of the key. An empty list allows none. Null applies the origins that the operator configured as the default. If absent, the origins do not change.
     */
    allowed_origins?: Array<string> | null;
};

export type ApiKeyResponse = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: ApiKey;
};

/**
 * Work of an employee at a client of the employer, such as a temporary job.
 */
export type Assignment = {
    id: AssignmentId;
    employee_id: EmployeeId;
    /**
     * The company that the employee works for.
     */
    client_name: string;
    /**
     * Where the employee works. Null if not provided.
     */
    worksite: Residence | null;
    /**
     * The first day of the assignment.
     */
    starts_on: Day;
    /**
     * The last day of the assignment. Null if it has no end.
     */
    ends_on: Day | null;
    /**
     * The hourly wage, in cents. Null if not provided.
     */
    hourly_rate_in_cents: number | null;
    /**
     * When the record was created.
     */
    created_at: Timestamp;
    /**
     * When the record last changed.
     */
    updated_at: Timestamp;
};

/**
 * The assignment. Its id begins with `asgn_`.
 */
export type AssignmentId = string;

export type AssignmentPage = {
    data: Array<Assignment>;
    pagination: Pagination;
};

export type AssignmentResponse = {
    data: Assignment;
};

export type AttachmentList = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: Array<Attachment>;
};

/**
 * Replaces the earlier beneficiaries of the benefit.
 */
export type BeneficiariesInput = {
    /**
     * The beneficiaries. The shares of each level add up to 100. Empty removes all.
     */
    beneficiaries: Array<{
        level: BeneficiaryLevel;
        type: BeneficiaryType;
        /**
         * The full name of the person or trust. Absent for the estate. Null means the same as omitting the field.
         */
        name?: string | null;
        /**
         * Required for a person. Null means the same as omitting the field.
         */
        relationship?: BeneficiaryRelationship | null;
        /**
         * The date of birth of a person. Null means the same as omitting the field.
         */
        date_of_birth?: Day | null;
        /**
         * The share in percent, with at most two decimals.
         */
        share_percentage: number;
    }>;
};

/**
 * A person, estate or trust that receives a benefit when the employee dies.
 */
export type Beneficiary = {
    level: BeneficiaryLevel;
    type: BeneficiaryType;
    /**
     * The full name. Null for the estate.
     */
    name: string | null;
    /**
     * The relationship to the employee. Null for an estate or a trust.
     */
    relationship: BeneficiaryRelationship | null;
    /**
     * The date of birth. Null if it was not given.
     */
    date_of_birth: Day | null;
    /**
     * The share in percent.
     */
    share_percentage: number;
};

export type BeneficiaryDesignation = {
    /**
     * The beneficiaries. Empty without a designation.
     */
    beneficiaries: Array<Beneficiary>;
    /**
     * When the beneficiaries were designated. Null if they never were.
     */
    designated_at: Timestamp | null;
    /**
     * The kind of caller that sent them. Null without a designation.
     */
    designated_by: DesignatedBy | null;
};

/**
 * The designations of beneficiaries for a benefit.
 */
export type BeneficiaryHistory = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: Array<BeneficiaryDesignation>;
};

/**
 * Contingent beneficiaries receive the benefit if no primary beneficiary is alive.
 */
export type BeneficiaryLevel = 'primary' | 'contingent';

/**
 * The relationship of the person to the employee.
 */
export type BeneficiaryRelationship = 'spouse' | 'domestic_partner' | 'child' | 'parent' | 'sibling' | 'other';

/**
 * A person, the estate of the employee or a trust.
 */
export type BeneficiaryType = 'person' | 'estate' | 'trust';

/**
 * The beneficiaries of one benefit of an employee.
 */
export type BenefitBeneficiaries = {
    benefit_id: BenefitId;
    /**
     * The name of the benefit.
     */
    benefit_name: string;
    /**
     * The beneficiaries. Empty without a designation.
     */
    beneficiaries: Array<Beneficiary>;
    /**
     * When the beneficiaries were designated. Null if they never were.
     */
    designated_at: Timestamp | null;
    /**
     * The kind of caller that sent them. Null without a designation.
     */
    designated_by: DesignatedBy | null;
};

export type BenefitBeneficiariesList = {
    data: Array<BenefitBeneficiaries>;
};

export type BenefitBeneficiariesResponse = {
    data: BenefitBeneficiaries;
};

/**
 * The rules that decide which employees of an employer are eligible for benefits, and after which waiting period.
 */
export type BenefitEligibilityPolicy = {
    id: EligibilityPolicyId;
    /**
     * Whether this policy is in force. False if it is archived.
     */
    active: boolean;
    employer_id: EmployerId;
    /**
     * With `employee_classes`: `full_time` or `part_time` if the policy covers exactly that class, otherwise `all`. `employee_classes` lists the classes that it covers.
     */
    classification: PolicyClassification;
    /**
     * The classes that the policy covers.
     */
    employee_classes: Array<EmployeeClass>;
    /**
     * Covers only employees with one of these compensation types, and no employees whose type is unknown. Null covers all types.
     */
    compensation_types: Array<CompensationType> | null;
    waiting_period: PolicyWaitingPeriod;
    start_alignment: PolicyStartAlignment;
    /**
     * The maximum absence in weeks after which an employee who is rehired, or returns to a covered class, does not wait again. Coverage then begins on the first of the next month, or immediately with the waiting period `none`, and the elections of the plan year apply again. With 0, every return begins a new waiting period.
     */
    service_credit_weeks: number;
    /**
     * The benefits that the policy applies to. Empty for all benefits without a policy of their own.
     */
    benefit_ids: Array<BenefitId>;
    eligibility_basis: EligibilityBasis;
    /**
     * When the record was created.
     */
    created_at: Timestamp;
    /**
     * When the record last changed.
     */
    updated_at: Timestamp;
};

export type BenefitEligibilityPolicyPage = {
    data: Array<BenefitEligibilityPolicy>;
    pagination: Pagination;
};

export type BenefitEligibilityPolicyResponse = {
    data: BenefitEligibilityPolicy;
};

export type BenefitPlanYearResponse = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: BenefitPlanYear;
};

export type BenefitPlanYearRow = {
    /**
     * The same value as `benefit_plan_year_id`.
     */
    id: BenefitPlanYearId;
    benefit_plan_year_id: BenefitPlanYearId;
    /**
     * The first of `benefits`. Singular fields, such as `carrier`, describe it.
     */
    benefit_id: BenefitId;
    /**
     * The year of the plan year. By default, the year of its start.
     */
    year: number;
    /**
     * The product family of the benefit.
     */
    family: BenefitFamily;
    /**
     * The name of the first benefit.
     */
    product_name: string;
    /**
     * The carrier of the plan with the lowest premium. Null if no plan has a price.
     */
    carrier: string | null;
    /**
     * The networks of the plan.
     */
    network_names: Array<string>;
    /**
     * The lowest monthly premium for an employee alone in cents. Null if no plan has a price.
     */
    premium_in_cents: number | null;
    /**
     * The lowest and highest monthly amount across the plans and coverage levels of the first benefit. Null if there are no prices.
     */
    employee_contribution: MonthlyRange | null;
    /**
     * The lowest and highest monthly amount across the plans and coverage levels of the first benefit. Null if there are no prices.
     */
    employer_contribution: MonthlyRange | null;
    status: BenefitPlanYearStatus;
    /**
     * The first day of coverage.
     */
    coverage_start: Day;
    /**
     * The last day of coverage.
     */
    coverage_end: Day;
    /**
     * The first day of open enrollment. Without open enrollment, the start of coverage.
     */
    open_enrollment_start: Day;
    /**
     * The last day of open enrollment. Null without open enrollment.
     */
    open_enrollment_end: Day | null;
    /**
     * The states where it is offered. Empty means everywhere.
     */
    offered_states: Array<string>;
    renewal: Renewal;
    /**
     * The replacements of plans that are no longer offered. Each key is the id of a former plan, and its value is the id of the plan that replaces it.
     */
    plan_successors: {
        [key: string]: string;
    };
    /**
     * The day by which employees must receive the notice of an ICHRA, 90 days before the start. Null without an ICHRA.
     */
    notice_due_on: Day | null;
    /**
     * The benefits.
     */
    benefits: Array<{
        id: BenefitId;
        /**
         * The category of the benefit, such as Medical.
         */
        category: BenefitCategory;
        /**
         * The display name of the benefit.
         */
        name: string;
        /**
         * The product code of the benefit.
         */
        product_code: string;
    }>;
    /**
     * The families of all benefits, in upper case.
     */
    benefit_families: Array<string>;
    /**
     * The numbers of eligible and enrolled employees.
     */
    enrollment_rate: EnrollmentRate;
    /**
     * Whether today is within the coverage dates.
     */
    is_current: boolean;
};

export type BenefitPlanYearRowListResponse = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: Array<BenefitPlanYearRow>;
};

/**
 * The cost of the benefits of an employee in a year. Months before the correction window have the amounts that invoices billed, and others follow the elections.
 */
export type BenefitsStatement = {
    employee_id: EmployeeId;
    /**
     * The calendar year.
     */
    year: number;
    /**
     * The benefits with a cost in the year.
     */
    benefits: Array<{
        enrollment_id: EnrollmentId;
        /**
         * The name of the benefit.
         */
        benefit_name: string;
        /**
         * The number of months that are charged.
         */
        months: number;
        /**
         * The share of the employee for the year, in cents.
         */
        employee_in_cents: number;
        /**
         * The contribution of the employer for the year, in cents.
         */
        employer_in_cents: number;
        /**
         * The cost for the year: both shares, in cents.
         */
        total_in_cents: number;
    }>;
    /**
     * The share of the employee for the year, in cents.
     */
    employee_in_cents: number;
    /**
     * The contribution of the employer for the year, in cents.
     */
    employer_in_cents: number;
    /**
     * The cost for the year: both shares, in cents.
     */
    total_in_cents: number;
    /**
     * The part of the employee share that was deducted so far, in cents.
     */
    deducted_in_cents: number;
    /**
     * The last day of the latest deduction statement. Null before the first statement.
     */
    through: Day | null;
};

export type BenefitsStatementResponse = {
    data: BenefitsStatement;
};

export type BoundCredential = {
    kind: BoundCredentialKind;
    /**
     * The employer or employee that the token is bound to.
     */
    bound_entity: {
        /**
         * Whether the token is bound to an employer or an employee.
         */
        type: BoundEntityType;
        /**
         * The id of the employer (`empr_…`) or the employee (`empl_…`).
         */
        id: string;
    };
    /**
     * The organization of the bound entity, with its branding.
     */
    organization: {
        id: OrganizationId;
        /**
         * The name of the organization.
         */
        name: string;
        /**
         * Whether the organization is a sandbox.
         */
        sandbox: boolean;
        /**
         * The brand color of its widgets. Null if it is not set.
         */
        accent_color: string | null;
        /**
         * The names of benefits that employees see.
         */
        display_names: Array<DisplayName>;
    };
    /**
     * When the token expires.
     */
    expires_at: Timestamp;
    /**
     * Today at the organization that the credential acts as, by its clock if it is a sandbox. Else today in New York.
     */
    today: Day;
};

/**
 * Whether the token is bound to an employer or an employee.
 */
export type BoundCredentialKind = 'employer_token' | 'employee_token';

/**
 * The one employer or employee that a token is bound to.
 */
export type BoundEntity = {
    /**
     * Whether to bind the token to an employer or an employee.
     */
    type: BoundEntityType;
    /**
     * The id of the employer (`empr_…`) or the employee (`empl_…`).
     */
    id: string;
};

export type BoundEntityType = 'employee' | 'employer';

export type Branding = {
    /**
     * A color such as `#2748b3`, with a contrast of at least 4.5 to 1 with white. Null for the OpenBenefits default.
     */
    accent_color: string | null;
};

export type BrandingResponse = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: Branding;
};

export type CensusAcceptance = {
    /**
     * When the service accepted the submission, which is then processed in the background.
     */
    accepted_at: Timestamp;
    employer_id: EmployerId;
    census_sync_id: CensusSyncId;
};

export type CensusAcceptanceResponse = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: CensusAcceptance;
};

export type CensusRow = {
    /**
     * The legal first name.
     */
    first_name: string;
    /**
     * The legal last name.
     */
    last_name: string;
    /**
     * The email address. Not case-sensitive.
     */
    email: Email;
    phone: Phone;
    /**
     * The date of birth.
     */
    date_of_birth: Day;
    /**
     * A US address. Null means the same as omitting the field.
     */
    address?: NewResidence | null;
    /**
     * The compensation type. Null means the same as omitting the field.
     */
    compensation_type?: CompensationType | null;
    /**
     * The bargaining unit: the employees under one collective bargaining agreement, by a name of your own. Null clears it.
     */
    bargaining_unit?: string | null;
    /**
     * The employee class, which determines eligibility and allowances. Null means the same as omitting the field.
     */
    employee_class?: EmployeeClass | null;
    /**
     * Your own reference. Null means the same as omitting the field.
     */
    reference_id?: string | null;
    /**
     * The first day of employment. Null means the same as omitting the field.
     */
    start_date?: Day | null;
    /**
     * The last day of employment. Null means the same as omitting the field.
     */
    termination_date?: Day | null;
    /**
     * The suffix of the name, such as Jr. or III. Null means the same as omitting the field.
     */
    suffix?: string | null;
    /**
     * The gender that the person reported. Null means the same as omitting the field.
     */
    gender?: Gender | null;
    /**
     * The person, if the organization knows them. Null means the same as omitting the field.
     */
    member_id?: MemberId | null;
    /**
     * The person, by one of their employments at any employer. Null means the same as omitting the field.
     */
    employee_id?: EmployeeId | null;
    /**
     * True for a new person, however similar to an existing one. Requires a separate email. Null means the same as omitting the field.
     */
    distinct?: boolean | null;
};

export type CensusSubmission = {
    /**
     * The rows, at most 10,000.
     */
    employees: Array<CensusRow>;
};

/**
 * The contact data to change. Omitted fields stay unchanged, and null clears the phone.
 */
export type ContactChanges = {
    /**
     * The email address. Not case-sensitive. Null means the same as omitting the field.
     */
    email?: Email | null;
    /**
     * A US phone number of 10 digits. Null clears it.
     */
    phone?: Phone | null;
    /**
     * A US address. Null means the same as omitting the field.
     */
    address?: ResidentialAddress | null;
};

export type ContinuationCoverage = {
    /**
     * The months with continuation coverage, or with an offer of it that was declined, from 1 to 12.
     */
    months: Array<number>;
    /**
     * Whether the employee elected continuation coverage.
     */
    is_enrolled: boolean;
    /**
     * The monthly premium for the employee alone of the lowest-cost plan of minimum value.
     */
    monthly_premium_in_cents: number;
};

/**
 * A credential. A bound token has no owner, roles or scopes.
 */
export type Credential = KeyCredential | BoundCredential;

export type CredentialResponse = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: Credential;
};

export type DeletedAleGroup = {
    /**
     * The deleted group.
     */
    id: AleGroupId;
};

export type DeletedAleGroupResponse = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: DeletedAleGroup;
};

export type DeletedAssignment = {
    /**
     * The deleted assignment.
     */
    id: AssignmentId;
};

export type DeletedAssignmentResponse = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: DeletedAssignment;
};

export type DeletedScheduledExport = {
    /**
     * The deleted export.
     */
    id: ScheduledExportId;
};

export type DeletedScheduledExportResponse = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: DeletedScheduledExport;
};

/**
 * Only the fields that you send change. If one field is refused, nothing changes.
 */
export type DependentChanges = {
    /**
     * The relationship of the person to the employee. Null means the same as omitting the field.
     */
    relationship?: DependentRelationship | null;
    /**
     * The legal first name. Null means the same as omitting the field.
     */
    first_name?: string | null;
    /**
     * The legal last name. Null means the same as omitting the field.
     */
    last_name?: string | null;
    /**
     * Null clears it.
     */
    suffix?: string | null;
    /**
     * The date of birth. Null means the same as omitting the field.
     */
    date_of_birth?: Day | null;
    /**
     * Null clears it.
     */
    gender?: Gender | null;
    /**
     * Null: the dependent lives at the address of the employee.
     */
    address?: NewAddress | null;
};

/**
 * Whether the documents prove the relationship.
 */
export type DependentVerificationDecision = 'verified' | 'rejected';

export type DesignatedBy = 'employee' | 'partner' | 'operator' | 'rule';

export type DisplayName = {
    /**
     * The language in which employees see the name.
     */
    language: Language;
    /**
     * The name of a benefit in the catalog, or of a category.
     */
    name: string;
    /**
     * The name that employees see.
     */
    display_name: string;
};

export type DisplayNames = {
    /**
     * All names, which replace the earlier ones.
     */
    display_names: Array<DisplayName>;
};

export type DisplayNamesResponse = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: DisplayNames;
};

/**
 * Only the fields you send change. All but the title also change for the translations and versions.
 */
export type DocumentChange = {
    /**
     * The title, in the language of the document. Null means the same as omitting the field.
     */
    title?: string | null;
    /**
     * The kind of a document. `sbc`: Summary of Benefits and Coverage. `spd`: summary plan description. `summary`: another summary. `guide`: a benefits guide. `notice`: a legal notice. `form`: a form to fill in. Null means the same as omitting the field.
     */
    kind?: DocumentKind | null;
    /**
     * The people who see a document. `members`: members of the organization. `employees`: also the employer and the employees whom it concerns. `public`: also everyone who has its `public_url`. Null means the same as omitting the field.
     */
    audience?: DocumentAudience | null;
    /**
     * Whether employees must open the document before they elect or waive the benefits that it concerns. Null means the same as omitting the field.
     */
    is_required_at_election?: boolean | null;
};

/**
 * The proof that an employee opened a version of a document.
 */
export type DocumentReceipt = {
    /**
     * The version that was opened.
     */
    document_id: DocumentId;
    employee_id: EmployeeId;
    employer_id: EmployerId;
    /**
     * The first name of the employee.
     */
    member_first_name: string;
    /**
     * The last name of the employee.
     */
    member_last_name: string;
    /**
     * When the employee first opened this version.
     */
    opened_at: Timestamp;
    reported_by: ReceiptSource;
};

export type DocumentReceiptPage = {
    data: Array<DocumentReceipt>;
    pagination: Pagination;
};

/**
 * A choice that is not submitted yet.
 */
export type DraftedAnswer = {
    enrollment_id: EnrollmentId;
    /**
     * The chosen plan and dependents. Null for a waiver.
     */
    elect: {
        /**
         * One of the `plans` of the enrollment.
         */
        plan_id: PlanId;
        /**
         * The dependents to cover.
         */
        dependent_ids: Array<DependentId>;
        /**
         * The plan that the employee bought, for ICHRA. Null for other benefits.
         */
        individual_plan: {
            /**
             * The name of the plan that the employee bought.
             */
            name: string;
            /**
             * Cents per month.
             */
            premium_in_cents: number;
        } | null;
        /**
         * Whether that plan was bought on an exchange. Null for other benefits.
         */
        bought_on_exchange: boolean | null;
    } | null;
    /**
     * The intended waiver. Null for an election.
     */
    waive: {
        /**
         * The reason. Null if none was chosen.
         */
        reason_code: WaiverReason | null;
    } | null;
};

/**
 * The consent of a person to receive the tax forms of the EIN of the employer electronically.
 */
export type ElectronicDelivery = {
    /**
     * Whether the consent is in force.
     */
    consents: boolean;
    /**
     * When the employee last consented. Null if the employee never consented.
     */
    given_at: Timestamp | null;
    /**
     * When the employee withdrew the consent. Null if the consent is in force or was never given.
     */
    withdrawn_at: Timestamp | null;
};

export type ElectronicDeliveryInput = {
    /**
     * True to receive tax forms only electronically, or false to withdraw the consent.
     */
    consents: boolean;
};

export type ElectronicDeliveryResponse = {
    data: ElectronicDelivery;
};

/**
 * How this service can deliver email: by the SMTP server of the installation, to the mailbox of a sandbox, which shows messages and sends nothing, or not at all.
 */
export type EmailDelivery = 'smtp' | 'mailbox' | 'none';

export type EmployeeChanges = {
    /**
     * The day from which the class, the compensation type and the bargaining unit apply, and the day of a move. Not after today.
     */
    effective_date: Day;
    /**
     * The email address. Not case-sensitive. Null means the same as omitting the field.
     */
    email?: Email | null;
    /**
     * A US phone number of 10 digits. Null clears it.
     */
    phone?: Phone | null;
    /**
     * The gender that the person reported. Null clears it.
     */
    gender?: Gender | null;
    /**
     * A US address. Null means the same as omitting the field.
     */
    address?: ResidentialAddress | null;
    /**
     * The employee class, which determines eligibility and allowances. Null means the same as omitting the field.
     */
    employee_class?: EmployeeClass | null;
    /**
     * The first day of employment. Null means the same as omitting the field.
     */
    start_date?: Day | null;
    /**
     * The compensation type. Null means the same as omitting the field.
     */
    compensation_type?: CompensationType | null;
    /**
     * The bargaining unit: the employees under one collective bargaining agreement, by a name of your own. Null clears it.
     */
    bargaining_unit?: string | null;
};

/**
 * A document that concerns an employee, in one language.
 */
export type EmployeeDocument = {
    /**
     * The document.
     */
    id: DocumentId;
    kind: DocumentKind;
    /**
     * The title, in the language of the document.
     */
    title: string;
    /**
     * The language of the document.
     */
    language: Language;
    /**
     * The employer that the document concerns. Also set for a plan year. Null for all employers.
     */
    employer_id: EmployerId | null;
    /**
     * The plan year that the document concerns. Null for all plan years.
     */
    benefit_plan_year_id: BenefitPlanYearId | null;
    /**
     * The plan that the document concerns, in every plan year that offers it. Null for all plans.
     */
    plan_id: PlanId | null;
    /**
     * Whether employees must open the document before they elect or waive the benefits that it concerns.
     */
    is_required_at_election: boolean;
    /**
     * The media type, detected from the content.
     */
    content_type: string;
    /**
     * The size of the file in bytes.
     */
    bytes: number;
    /**
     * The first day on which the document is shown.
     */
    effective_on: Day;
    /**
     * When the employee first opened the current version in any language. Null until then.
     */
    opened_at: Timestamp | null;
};

export type EmployeeDocumentPage = {
    data: Array<EmployeeDocument>;
    pagination: Pagination;
};

export type EmployeePage = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: Array<Employee>;
    pagination: Pagination;
};

export type EmployeeTaxFactsInput = {
    /**
     * The wages in box 1 of Form W-2. Null if they are unknown.
     */
    w2_wages_in_cents?: number | null;
    /**
     * The months with contributions to a multiemployer plan that offers affordable coverage (code 2E).
     */
    multiemployer_months?: Array<number>;
    /**
     * Periods of COBRA. Each continues the last medical coverage that began before the end of its first month.
     */
    continuation_coverage?: Array<ContinuationCoverage>;
    /**
     * The calendar year that the form reports.
     */
    tax_year: number;
    /**
     * Returns the form with the facts, and saves nothing.
     */
    dry_run?: boolean;
};

/**
 * The released tax forms of an employee.
 */
export type EmployeeTaxForms = {
    /**
     * The employer with the EIN. Its contacts are part of the disclosures before a consent.
     */
    furnisher: TaxFormFurnisher;
    electronic_delivery: ElectronicDelivery;
    /**
     * The latest released form of each tax year and EIN, newest year first.
     */
    forms: Array<ReleasedTaxForm>;
};

export type EmployeeTaxFormsResponse = {
    data: EmployeeTaxForms;
};

/**
 * Only the fields you send change. If any field is refused, nothing changes.
 */
export type EmployerChanges = {
    /**
     * The display name. Null means the same as omitting the field.
     */
    name?: string | null;
    /**
     * The legal business name. Null means the same as omitting the field.
     */
    legal_name?: string | null;
    /**
     * The current EIN, if you send it. The EIN cannot change, so a different one is refused. Null means the same as omitting the field.
     */
    ein?: string | null;
    /**
     * The email address. Not case-sensitive. Null means the same as omitting the field.
     */
    email?: Email | null;
    /**
     * Null clears it.
     */
    phone_number?: Phone | null;
    /**
     * Null clears it.
     */
    reference_id?: string | null;
    /**
     * The member of your organization responsible for the employer. Null clears it.
     */
    owner_user_id?: UserId | null;
    /**
     * A US address, which replaces the whole address. Null means the same as omitting the field.
     */
    address?: NewAddress | null;
    /**
     * Whether the employer is currently active. Null means the same as omitting the field.
     */
    active?: boolean | null;
};

/**
 * The number of employers for each value of each filter, among the employers that match the search and the other filters. Values without employers are omitted.
 */
export type EmployerCounts = {
    /**
     * By stage, including `cancelled`.
     */
    benefit_lifecycle_stage: Array<EmployerValueCount>;
    /**
     * By benefit family, in uppercase.
     */
    benefit_family: Array<EmployerValueCount>;
    /**
     * By the state of the payroll connection.
     */
    hris_status: Array<EmployerValueCount>;
    /**
     * By the provider of the payroll connection.
     */
    hris_provider: Array<EmployerValueCount>;
    /**
     * By the user id of the owner.
     */
    owner: Array<EmployerValueCount>;
};

export type EmployerCountsResponse = {
    data: EmployerCounts;
};

export type EmployerHris = {
    /**
     * The connection. Null if the employer is not connected.
     */
    hris: {
        /**
         * The value for the filter `hris_provider` of the employer book.
         */
        provider: string;
        /**
         * The display name.
         */
        provider_label: string;
        status: HrisStatus;
        /**
         * The day of the last successful sync, in New York. Null before the first sync.
         */
        last_sync_on: Day | null;
        /**
         * The number of usable rows in that sync. Null before the first sync.
         */
        synced_row_count: number | null;
        /**
         * The last 10 syncs, newest first.
         */
        recent_runs: Array<{
            state: HrisRunState;
            /**
             * When the run was requested.
             */
            requested_at: Timestamp;
            /**
             * The number of rows by outcome. Null until known.
             */
            counts: CensusCounts | null;
        }>;
    } | null;
};

export type EmployerHrisResponse = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: EmployerHris;
};

export type EmployerOrder = 'newest' | 'name' | 'employee_count' | 'enrollment' | 'monthly_premium' | 'next_date';

/**
 * Only the fields that are sent change.
 */
export type EmployerSettingsChanges = {
    /**
     * The pay frequency. Null means the same as omitting the field.
     */
    pay_frequency?: PayFrequency | null;
    /**
     * The first pay date. Null if pay periods follow the calendar.
     */
    first_pay_date?: Day | null;
    /**
     * How monthly amounts become deductions per pay period. Null means the same as omitting the field.
     */
    deduction_method?: DeductionMethod | null;
    /**
     * How a census treats employees who are missing from it. Null means the same as omitting the field.
     */
    census_mode?: CensusMode | null;
    /**
     * The texts in roster files and the values they stand for. Replaces the whole list. Null means the same as omitting the field.
     */
    census_values?: Array<CensusValue> | null;
    /**
     * 24 with bi_weekly pay: the third payday of a month has no deduction. 48 with weekly pay: the fifth payday has none. Null: every payday has one. Changing `pay_frequency` resets it to null.
     */
    deductions_per_year?: 24 | 48 | null;
    /**
     * The deductions on the last paycheck of a terminated employee. Null means the same as omitting the field.
     */
    final_deductions?: FinalDeductions | null;
    /**
     * The maximum arrears per pay period, in percent of a normal deduction. Null means the same as omitting the field.
     */
    arrears_limit_percent?: number | null;
};

export type EmployerValueCount = {
    /**
     * The value of the filter.
     */
    value: string;
    /**
     * The number of employers with this value.
     */
    employer_count: number;
};

/**
 * An agreement that employees sign with their elections.
 */
export type EnrollmentAgreement = {
    /**
     * The version of the text. Null for the default text, which applies until you create your own.
     */
    id: EnrollmentAgreementId | null;
    /**
     * The plan year of the text. Null if it applies to all plan years without their own text.
     */
    benefit_plan_year_id: BenefitPlanYearId | null;
    /**
     * The employer and the days of the plan year. Null if the text applies to all plan years.
     */
    plan_year: {
        employer_id: EmployerId;
        /**
         * The display name of the employer.
         */
        employer_name: string;
        /**
         * The first day of coverage.
         */
        coverage_start: Day;
        /**
         * The last day of coverage.
         */
        coverage_end: Day;
    } | null;
    /**
     * The number of the version, from 1. 0 for the default text.
     */
    version: number;
    /**
     * The English text.
     */
    text_en: string;
    /**
     * The Spanish text.
     */
    text_es: string;
    /**
     * When the version was created. Null for the default text.
     */
    created_at: Timestamp | null;
};

export type EnrollmentAgreementList = {
    data: Array<EnrollmentAgreement>;
};

export type EnrollmentAgreementResponse = {
    data: EnrollmentAgreement;
};

export type EnrollmentAnswers = {
    /**
     * One election or waiver for each enrollment.
     */
    answers: Array<{
        enrollment_id: EnrollmentId;
        /**
         * The election. Send either this or `waive`. Null means the same as omitting the field.
         */
        elect?: Election | null;
        /**
         * Waives the benefit. Null means the same as omitting the field.
         */
        waive?: Waiver | null;
    }>;
    /**
     * The signature of the employee. It is stored with the elections and shown in their history. Null means the same as omitting the field.
     */
    signature?: NewEnrollmentSignature | null;
    /**
     * If true, the response shows the cost and nothing changes. Null means the same as omitting the field.
     */
    dry_run?: boolean | null;
};

/**
 * The stored confirmation of a submission.
 */
export type EnrollmentConfirmation = {
    /**
     * The id, as in the history of the enrollments.
     */
    id: EnrollmentConfirmationId;
    /**
     * When the elections and waivers were submitted.
     */
    submitted_at: Timestamp;
    /**
     * The language of the document.
     */
    language: Language;
    /**
     * The enrollments of the submission.
     */
    enrollment_ids: Array<EnrollmentId>;
    /**
     * The SHA-256 of the PDF in hexadecimal. The PDF never changes. Null for a few seconds, until the PDF is rendered.
     */
    sha256: string | null;
    /**
     * The download link of the PDF.
     */
    file: DownloadLink;
};

export type EnrollmentConfirmationList = {
    data: Array<EnrollmentConfirmation>;
};

export type EnrollmentCounts = {
    /**
     * The number of employees who can elect.
     */
    eligible: number;
    /**
     * The number of employees who are enrolled.
     */
    enrolled: number;
    /**
     * The number of employees who have waived.
     */
    waived: number;
    /**
     * The number of employees who have not decided yet.
     */
    pending: number;
    /**
     * The number of employees who did not decide in time.
     */
    expired: number;
};

/**
 * The unfinished election of an employee. Empty without a draft.
 */
export type EnrollmentDraft = {
    employee_id: EmployeeId;
    /**
     * The dependents to cover unless a benefit differs. Ended dependents are left out.
     */
    dependent_ids: Array<DependentId>;
    /**
     * The choices that can still be made. Those for closed enrollments or withdrawn plans are left out.
     */
    answers: Array<DraftedAnswer>;
    /**
     * The last day of the open window, after which the draft is discarded. Null if no window is open.
     */
    window_ends_on: Day | null;
    /**
     * When the draft was last saved. Null without a draft.
     */
    saved_at: Timestamp | null;
    /**
     * Identifies the saved choices. Send it with the next save. Equal choices have the same version. Null without a draft.
     */
    version: string | null;
};

/**
 * An unfinished election. It replaces the saved draft.
 */
export type EnrollmentDraftInput = {
    /**
     * The dependents to cover unless a benefit differs.
     */
    dependent_ids: Array<DependentId>;
    /**
     * The choices so far, at most one for each enrollment. Undecided benefits are absent.
     */
    answers: Array<{
        enrollment_id: EnrollmentId;
        /**
         * The plan and the dependents chosen so far. Send either this or `waive`. Null means the same as omitting the field.
         */
        elect?: {
            /**
             * One of the `plans` of the enrollment.
             */
            plan_id: PlanId;
            /**
             * The dependents to cover.
             */
            dependent_ids: Array<DependentId>;
            /**
             * The plan that the employee bought, for ICHRA. Null means the same as omitting the field.
             */
            individual_plan?: {
                /**
                 * The name of the plan that the employee bought.
                 */
                name: string;
                /**
                 * Cents per month.
                 */
                premium_in_cents: number;
            } | null;
            /**
             * Whether that plan was bought on an exchange. Null means the same as omitting the field.
             */
            bought_on_exchange?: boolean | null;
        } | null;
        /**
         * The employee wants to waive the benefit. Null means the same as omitting the field.
         */
        waive?: {
            /**
             * The other coverage or reason. `public_plan`: Medicare, Medicaid and similar programs. Null means the same as omitting the field.
             */
            reason_code?: WaiverReason | null;
        } | null;
    }>;
    /**
     * The `version` of the draft that the employee continued. Null without a draft. The request is refused if another device has saved other choices since. Without this field, the request replaces any draft.
     */
    version?: string | null;
};

export type EnrollmentDraftResponse = {
    data: EnrollmentDraft;
};

/**
 * Whether reminders by email reach the employee. `missing`: no address. `bounced`: the mail server refused it. `unsubscribed`: only invitations are sent.
 */
export type EnrollmentEmailStatus = 'reachable' | 'missing' | 'bounced' | 'unsubscribed';

/**
 * The employee for whom a link was created.
 */
export type EnrollmentLink = {
    employee_id: EmployeeId;
    employer_id: EmployerId;
    benefit_plan_year_id: BenefitPlanYearId;
};

export type EnrollmentLinkResponse = {
    data: EnrollmentLink;
};

export type EnrollmentLinkToken = {
    /**
     * The token from the link.
     */
    token: string;
};

export type EnrollmentMessage = {
    /**
     * The message.
     */
    id: EnrollmentMessageId;
    employer_id: EmployerId;
    employee_id: EmployeeId;
    /**
     * The legal first name.
     */
    member_first_name: string;
    /**
     * The legal last name.
     */
    member_last_name: string;
    benefit_plan_year_id: BenefitPlanYearId;
    kind: EnrollmentMessageKind;
    occasion: EnrollmentMessageOccasion;
    /**
     * The day of the message, by the clock of the organization.
     */
    due_on: Day;
    status: EnrollmentMessageStatus;
    /**
     * The address that it was sent to. Null if you send it.
     */
    email: string | null;
    /**
     * Why it failed or was canceled. `bounced`: the mail server refused the address. `refused`: it refused the message. `interrupted`: the connection broke, and the message may have been delivered. `not_accepted`: the mail server did not accept it within 3 days. Null otherwise.
     */
    reason: 'bounced' | 'refused' | 'interrupted' | 'not_accepted' | 'no_longer_due' | null;
    /**
     * The last status code of the mail server. Null without one.
     */
    smtp_status: number | null;
    /**
     * When the record was created.
     */
    created_at: Timestamp;
    /**
     * When it was sent, failed, or was canceled. Null until then.
     */
    finished_at: Timestamp | null;
    /**
     * When its one-time token was redeemed. Null until then.
     */
    link_used_at: Timestamp | null;
};

/**
 * An email as text and as HTML.
 */
export type EnrollmentMessageContent = {
    /**
     * The subject.
     */
    subject: string;
    /**
     * The email as text.
     */
    text: string;
    /**
     * The email as HTML.
     */
    html: string;
};

export type EnrollmentMessageId = string;

/**
 * `invitation`: a window opened. `reminder`: benefits are pending.
 */
export type EnrollmentMessageKind = 'invitation' | 'reminder';

/**
 * The language of emails: English, Spanish, or both in one email.
 */
export type EnrollmentMessageLanguage = 'en' | 'es' | 'both';

/**
 * The sender of messages about enrollment. `send`: this service emails employees. `events`: it publishes `enrollment.invitation_due` and `enrollment.reminder_due`, and you send them.
 */
export type EnrollmentMessageMode = 'send' | 'events';

/**
 * Why the message was created: a `request`, or an entry of the schedule.
 */
export type EnrollmentMessageOccasion = 'request' | 'opening' | 'half_way' | 'three_days_before' | 'one_day_before';

export type EnrollmentMessagePage = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: Array<EnrollmentMessage>;
    pagination: Pagination;
};

export type EnrollmentMessageSettings = {
    enrollment_messages: EnrollmentMessageMode;
    delivery: EmailDelivery;
    /**
     * The name that employees see as the sender. Null for the name of the organization.
     */
    sender_name: string | null;
    /**
     * The address that receives replies. Null if it is not set.
     */
    reply_to: string | null;
    /**
     * Your page with the benefits of an employee. `{token}` in it is replaced by a one-time token, which you redeem with `POST /v1/enrollment-links`. Null for the page of this service, which shows the employee dashboard.
     */
    dashboard_url: string | null;
    language: EnrollmentMessageLanguage;
    /**
     * When the record last changed. Null if it was never changed.
     */
    updated_at: Timestamp | null;
};

export type EnrollmentMessageSettingsChange = {
    /**
     * The sender of messages. Null keeps it.
     */
    enrollment_messages?: EnrollmentMessageMode | null;
    /**
     * The name that employees see as the sender. Null clears it.
     */
    sender_name?: string | null;
    /**
     * The address that receives replies. Null clears it.
     */
    reply_to?: Email | null;
    /**
     * Your page with the benefits of an employee. `{token}` in it is replaced by a one-time token, which you redeem with `POST /v1/enrollment-links`. Null clears it.
     */
    dashboard_url?: string | null;
    /**
     * The language of emails. Null keeps it.
     */
    language?: EnrollmentMessageLanguage | null;
};

export type EnrollmentMessageSettingsResponse = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: EnrollmentMessageSettings;
};

/**
 * The state of a message. `published`: the event was published. `queued`: waits to be sent. `sending`: the mail server is being contacted. `sent`: the mail server accepted it, or it is in the mailbox of the sandbox. `failed`: it was not sent, or may not have been. `cancelled`: it was no longer due.
 */
export type EnrollmentMessageStatus = 'published' | 'queued' | 'sending' | 'sent' | 'failed' | 'cancelled';

/**
 * The cost of the elections, calculated by the rules of payroll deductions.
 */
export type EnrollmentQuote = {
    employee_id: EmployeeId;
    /**
     * Whether this was only a preview that changed nothing.
     */
    dry_run: boolean;
    /**
     * The elections and waivers in the order in which they were sent.
     */
    answers: Array<{
        enrollment_id: EnrollmentId;
        benefit: EnrolledBenefit;
        /**
         * Whether it is an election or a waiver.
         */
        answer: EnrollmentAnswer;
        /**
         * The plan. Null for a waiver.
         */
        plan_id: PlanId | null;
        /**
         * The coverage level after the whole election has taken effect. Null for a waiver.
         */
        coverage_tier: CoverageTier | null;
        /**
         * The dependents who are covered with the employee. Empty if there are none.
         */
        dependent_ids: Array<DependentId>;
        /**
         * The first day on which the election applies. Null for a waiver.
         */
        effective_on: Day | null;
        /**
         * Cents per month.
         */
        premium_in_cents: number;
        /**
         * Cents per month.
         */
        employer_contribution_in_cents: number;
        /**
         * Cents per month.
         */
        employee_deduction_in_cents: number;
        /**
         * The regular deduction of the first paycheck after the whole election has taken effect, in cents. Later paychecks can differ by a cent, so that the year adds up exactly.
         */
        per_paycheck_in_cents: number;
        /**
         * The first paycheck with a deduction for this election. Null without such a paycheck.
         */
        first_paycheck: {
            /**
             * The first day of the pay period.
             */
            period_start_date: Day;
            /**
             * The last day of the pay period.
             */
            period_end_date: Day;
            /**
             * The deduction for this benefit in cents, including corrections for earlier paychecks.
             */
            amount_in_cents: number;
            /**
             * The part of the amount that is for earlier paychecks, in cents.
             */
            corrections_in_cents: number;
        } | null;
    }>;
    /**
     * Other enrollments of the same choice group that are waived or end.
     */
    replaced: Array<EnrollmentId>;
    /**
     * Other enrollments that continue, because their replacement is waived.
     */
    continued: Array<EnrollmentId>;
    /**
     * The monthly total of all elections, in cents.
     */
    employee_deduction_in_cents: number;
    /**
     * The monthly total of all elections, in cents.
     */
    employer_contribution_in_cents: number;
    /**
     * The total of all elections per paycheck, in cents.
     */
    per_paycheck_in_cents: number;
};

export type EnrollmentQuoteResponse = {
    data: EnrollmentQuote;
};

export type EnrollmentReissue = {
    /**
     * The reason, as text. Null means the same as omitting the field.
     */
    reason?: string | null;
};

export type EnrollmentReminders = {
    enrollment_messages: EnrollmentMessageMode;
    /**
     * The employees who are reminded.
     */
    recipients: Array<{
        employee_id: EmployeeId;
    }>;
    /**
     * The employees who are not reminded. Without `employee_ids`, only those with pending benefits.
     */
    skipped: Array<{
        employee_id: EmployeeId;
        reason: ReminderSkipReason;
    }>;
    /**
     * The email to the first recipient of a dry run, with a link that does not work. Null without a dry run, an email or a recipient.
     */
    preview: EnrollmentMessageContent | null;
};

export type EnrollmentRemindersResponse = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: EnrollmentReminders;
};

/**
 * The messages that employees of an employer get automatically.
 */
export type EnrollmentSchedule = {
    /**
     * Whether employees get an invitation when their window opens.
     */
    opening: boolean;
    /**
     * Whether they get a reminder halfway through their window.
     */
    half_way: boolean;
    /**
     * Whether they get a reminder 3 days before the last day.
     */
    three_days_before: boolean;
    /**
     * Whether they get a reminder the day before the last day.
     */
    one_day_before: boolean;
    /**
     * When the record last changed. Null if it was never changed.
     */
    updated_at: Timestamp | null;
};

export type EnrollmentScheduleChange = {
    /**
     * Whether employees get an invitation when their window opens. Null means the same as omitting the field.
     */
    opening?: boolean | null;
    /**
     * Whether they get a reminder halfway through their window. Null means the same as omitting the field.
     */
    half_way?: boolean | null;
    /**
     * Whether they get a reminder 3 days before the last day. Null means the same as omitting the field.
     */
    three_days_before?: boolean | null;
    /**
     * Whether they get a reminder the day before the last day. Null means the same as omitting the field.
     */
    one_day_before?: boolean | null;
};

export type EnrollmentScheduleResponse = {
    data: EnrollmentSchedule;
};

export type EnrollmentTermination = {
    /**
     * The reason, as text. Null means the same as omitting the field.
     */
    reason?: string | null;
    /**
     * The approved life event whose window is used. By default, any life event with an open window. Null means the same as omitting the field.
     */
    life_event_id?: LifeEventId | null;
    /**
     * The last day of coverage, which must be the last day of a month. The default is the end of this month. Null means the same as omitting the field.
     */
    coverage_end?: Day | null;
};

/**
 * The progress of enrollment in a plan year.
 */
export type EnrollmentWindow = {
    benefit_plan_year_id: BenefitPlanYearId;
    /**
     * The plan year.
     */
    year: number;
    /**
     * The first day of coverage.
     */
    coverage_start: Day;
    /**
     * The last day of coverage.
     */
    coverage_end: Day;
    /**
     * The first day of open enrollment. Null without an open enrollment.
     */
    open_enrollment_start: Day | null;
    /**
     * The last day of open enrollment. Null without an open enrollment.
     */
    open_enrollment_end: Day | null;
    /**
     * Whether today is a day of open enrollment.
     */
    is_open: boolean;
    /**
     * Days until the last day of open enrollment, 0 on that day. Null unless open enrollment is open.
     */
    days_left: number | null;
    people: ParticipationCounts;
    /**
     * The number of employees with a pending benefit and an open window, of open enrollment or as new hires.
     */
    can_answer: number;
    /**
     * The number of elections and waivers by benefit.
     */
    benefits: Array<{
        benefit_id: BenefitId;
        /**
         * The name of the benefit.
         */
        benefit_name: string;
        /**
         * The number of employees to whom the benefit is granted.
         */
        eligible: number;
        /**
         * Employees who elected it.
         */
        enrolled: number;
        /**
         * Employees who waived it.
         */
        waived: number;
        /**
         * The number of employees who have neither elected nor waived it.
         */
        unanswered: number;
    }>;
    /**
     * The progress by the current class of the employees.
     */
    classes: Array<{
        /**
         * The employee class, which determines eligibility and allowances.
         */
        employee_class: EmployeeClass;
        /**
         * The number of employees who can still elect or waive, or have done so.
         */
        eligible: number;
        /**
         * The number of employees who have decided about every benefit and elected at least one.
         */
        enrolled: number;
        /**
         * The number of employees who have waived every benefit.
         */
        waived: number;
        /**
         * The number of employees who have elected or waived some benefits but not all, or have saved a draft.
         */
        in_progress: number;
        /**
         * The number of employees who have neither elected or waived any benefit nor saved a draft.
         */
        not_started: number;
    }>;
};

export type EnrollmentWindowList = {
    data: Array<EnrollmentWindow>;
};

export type EnrollmentWindowPerson = {
    employee_id: EmployeeId;
    member_id: MemberId;
    /**
     * Your own reference for the employee. Null if not provided.
     */
    employee_external_reference_id: string | null;
    /**
     * The legal first name.
     */
    member_first_name: string;
    /**
     * The legal last name.
     */
    member_last_name: string;
    /**
     * The email address. Not case-sensitive. Null if unknown.
     */
    email: string | null;
    /**
     * The employee class, which determines eligibility and allowances.
     */
    employee_class: EmployeeClass;
    status: ParticipationStatus;
    /**
     * The number of benefits granted in the plan year.
     */
    benefit_count: number;
    /**
     * The number of those that are elected or waived.
     */
    answered_count: number;
    /**
     * The last day on which the employee can elect or waive. Null if no benefit is pending or no window is open.
     */
    window_ends_on: Day | null;
    /**
     * The time of the latest election, waiver or saved draft. Renewals do not count. Null before the first one.
     */
    last_activity_at: Timestamp | null;
    email_status: EnrollmentEmailStatus;
    /**
     * The last invitation or reminder about this plan year. Null before the first one.
     */
    last_message: {
        /**
         * The day of the message.
         */
        due_on: Day;
        kind: EnrollmentMessageKind;
        status: EnrollmentMessageStatus;
    } | null;
};

export type EnrollmentWindowPersonPage = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: Array<EnrollmentWindowPerson>;
    pagination: Pagination;
};

/**
 * The file of a recipient on a day.
 */
export type ExportDelivery = {
    user_id: UserId;
    /**
     * The name of the recipient.
     */
    name: string;
    status: ExportDeliveryStatus;
    /**
     * no_access: the recipient is no longer a member whose role can read the list. no_email: the recipient has no email address. list_not_found: the employer or plan year no longer exists. too_many_rows: the list has more than 20,000 rows. bounced: the mail server refused the address. refused: it refused the message. interrupted: the connection broke while it was sent. not_accepted: the mail server postponed it for 3 days. Null unless it failed.
     */
    reason: 'no_access' | 'no_email' | 'list_not_found' | 'too_many_rows' | 'bounced' | 'refused' | 'interrupted' | 'not_accepted' | null;
    /**
     * The number of rows. Null until the file exists.
     */
    row_count: number | null;
    /**
     * When it was sent or failed. Null until then.
     */
    finished_at: Timestamp | null;
};

/**
 * queued: waits to be sent. sending: is being sent. sent: the mail server accepted it. not_sent: a sandbox sends no email. failed: see `reason`.
 */
export type ExportDeliveryStatus = 'queued' | 'sending' | 'sent' | 'not_sent' | 'failed';

/**
 * The format of the file: CSV or Excel.
 */
export type ExportFormat = 'csv' | 'xlsx';

/**
 * daily: every day. weekly: on Mondays. monthly: on the first of the month.
 */
export type ExportFrequency = 'daily' | 'weekly' | 'monthly';

/**
 * The exported list: employers: the rows of `employers_list`. people: the rows of `members_list`. employees: the rows of `employers_list_employees`. enrollment_people: the rows of `employers_list_enrollment_window_people`. enrollments: the rows of `employers_list_benefit_plan_year_enrollments`. invoices: the rows of `invoices_list`. receivables: the rows of `invoices_list_aging`. statements: the rows of `payroll_deduction_statements_list`.
 */
export type ExportList = 'employers' | 'people' | 'employees' | 'enrollment_people' | 'enrollments' | 'invoices' | 'receivables' | 'statements';

/**
 * The assessable payment of section 4980H(a), of section 4980H(b), or none.
 */
export type ExposureKind = 'no_offer' | 'unaffordable_offer' | 'none';

/**
 * The first 20 rows that were not recorded.
 */
export type FailedHours = Array<{
    /**
     * The employee as sent. Null if the row had none.
     */
    employee_id: EmployeeId | null;
    /**
     * The reference as sent. Null if the row had none.
     */
    reference_id: string | null;
    /**
     * The field with the fault.
     */
    field: string;
    /**
     * The fault, without personal data.
     */
    reason: string;
}>;

/**
 * Form 1094-C or 1094-B of an employer, with a reason for each value.
 */
export type Form1094c = {
    employer_id: EmployerId;
    /**
     * The calendar year that the forms report.
     */
    tax_year: number;
    form_type: TaxFormType;
    /**
     * When the forms were last derived. Null before the first derivation.
     */
    derived_at: Timestamp | null;
    /**
     * The employer with the EIN.
     */
    employer: Form1094cMember;
    /**
     * The form. Null before the first derivation.
     */
    form: Form1094cCells | null;
    /**
     * Part IV: at most 30 other members of the group, those with the most full-time employees first.
     */
    other_members: Array<Form1094cMember>;
};

/**
 * Parts I to III of Form 1094-C.
 */
export type Form1094cCells = {
    /**
     * Line 19: whether this is the authoritative transmittal.
     */
    is_authoritative: {
        /**
         * Whether it applies.
         */
        value: boolean;
        /**
         * Why it has this value.
         */
        reason: string;
    };
    /**
     * Lines 18 and 20, or line 9 of Form 1094-B: the number of forms.
     */
    form_count: {
        /**
         * The number.
         */
        value: number;
        /**
         * Why it has this value.
         */
        reason: string;
    };
    /**
     * Line 21: whether the ALE member is in an aggregated ALE group.
     */
    is_in_group: {
        /**
         * Whether it applies.
         */
        value: boolean;
        /**
         * Why it has this value.
         */
        reason: string;
    };
    /**
     * Line 22, box A: the Qualifying Offer Method.
     */
    has_qualifying_offer: {
        /**
         * Whether it applies.
         */
        value: boolean;
        /**
         * Why it has this value.
         */
        reason: string;
    };
    /**
     * Line 22, box D: the 98% Offer Method.
     */
    uses_98_percent_method: {
        /**
         * Whether it applies.
         */
        value: boolean;
        /**
         * Why it has this value.
         */
        reason: string;
    };
    /**
     * Lines 24 to 35. Empty for Form 1094-B.
     */
    months: Array<Form1094cMonth>;
};

export type Form1094cMember = {
    /**
     * The legal name.
     */
    legal_name: string;
    /**
     * The last four digits of the EIN, masked.
     */
    ein: string;
};

export type Form1094cMonth = {
    /**
     * The month, from 1 to 12.
     */
    month: number;
    /**
     * Column (a): an offer to 95 percent of full-time employees.
     */
    minimum_essential_coverage: {
        /**
         * Whether it applies.
         */
        value: boolean;
        /**
         * Why it has this value.
         */
        reason: string;
    };
    /**
     * Column (b): full-time employees outside limited non-assessment periods.
     */
    full_time_count: {
        /**
         * The count. Null with the 98% Offer Method.
         */
        value: number | null;
        /**
         * Why it has this value.
         */
        reason: string;
    };
    /**
     * Column (c): the employees on the last day of the month.
     */
    total_count: {
        /**
         * The number.
         */
        value: number;
        /**
         * Why it has this value.
         */
        reason: string;
    };
};

export type Form1094cResponse = {
    data: Form1094c;
};

/**
 * Form 1095-C or 1095-B of an employee for a year, with a reason for each cell.
 */
export type Form1095c = {
    employee_id: EmployeeId;
    employer_id: EmployerId;
    /**
     * The calendar year that the form reports.
     */
    tax_year: number;
    form_type: TaxFormType;
    need: Form1095cNeed;
    /**
     * The employee of Part I.
     */
    employee: {
        /**
         * The legal first name.
         */
        first_name: string;
        /**
         * The legal last name.
         */
        last_name: string;
        /**
         * The suffix of the name, such as Jr. or III. Null without a suffix.
         */
        suffix: string | null;
        /**
         * The date of birth.
         */
        date_of_birth: Day;
        /**
         * The last four digits of the tax identifier. Null if none is stored.
         */
        tax_identifier_last_four: string | null;
    };
    /**
     * Part II, January to December. Empty for Form 1095-B.
     */
    months: Array<Form1095cMonth>;
    /**
     * Line 8 of Form 1095-B. B: employer-sponsored coverage. G: ICHRA. Null for Form 1095-C.
     */
    origin_of_coverage: 'B' | 'G' | null;
    /**
     * The people in self-insured coverage, the employee first: Part III of Form 1095-C, Part IV of Form 1095-B.
     */
    covered_people: Array<Form1095cCoveredPerson>;
    tax_facts: TaxFacts;
    /**
     * The problems to check, the most urgent first.
     */
    exceptions: Array<Form1095cException>;
    /**
     * The first and last names, of the employee or a covered person, that the IRS does not accept.
     */
    names_not_accepted: Array<string>;
    /**
     * The errors that the IRS reported in filed forms and that no later transmission corrects, latest first.
     */
    filing_errors: Array<FormFilingError>;
    /**
     * The override of a person. Null if every cell is derived.
     */
    override: {
        /**
         * The reason, as text.
         */
        reason: string;
        /**
         * When the record last changed.
         */
        updated_at: Timestamp;
    } | null;
};

export type Form1095cCoveredPerson = {
    /**
     * The member id of the employee, or the id of a dependent.
     */
    person_id: string;
    /**
     * The legal first name.
     */
    first_name: string;
    /**
     * The legal last name.
     */
    last_name: string;
    /**
     * The suffix of the name, such as Jr. or III. Null without a suffix.
     */
    suffix: string | null;
    /**
     * The date of birth.
     */
    date_of_birth: Day;
    /**
     * The last four digits of the tax identifier. Null if none is stored.
     */
    tax_identifier_last_four: string | null;
    /**
     * For each month, whether at least one day was covered.
     */
    months: Array<boolean>;
};

/**
 * An accepted derivation of Forms 1095-C.
 */
export type Form1095cDerivation = {
    employer_id: EmployerId;
    /**
     * The calendar year that the form reports.
     */
    tax_year: number;
};

export type Form1095cDerivationResponse = {
    data: Form1095cDerivation;
};

/**
 * no_offer: a month as a full-time employee without an offer or relief. unaffordable_offer: an offer without minimum value, or affordable by no safe harbor. cost_unknown: a premium is missing. hours_not_reported: a month counts as part-time only because no hours are reported. tax_identifier_missing and address_missing: the form lacks them. name_not_accepted: the first or last name of a person on the form has digits, or letters other than A to Z, which the IRS does not accept. Accents are removed. overridden: a person set a cell.
 */
export type Form1095cException = 'no_offer' | 'unaffordable_offer' | 'cost_unknown' | 'hours_not_reported' | 'tax_identifier_missing' | 'address_missing' | 'name_not_accepted' | 'overridden';

export type Form1095cMonth = {
    /**
     * The month, from 1 to 12.
     */
    month: number;
    status: MandateStatus;
    /**
     * Line 14: the offer of coverage.
     */
    line_14: {
        value: Form1095cOfferCode;
        /**
         * Why the cell has this value, or the reason of the override.
         */
        reason: string;
        /**
         * Whether a person set the cell.
         */
        is_overridden: boolean;
    };
    /**
     * Line 15: the lowest monthly cost for the employee alone.
     */
    line_15_in_cents: {
        /**
         * The amount. Null if the cell is empty.
         */
        value: number | null;
        /**
         * Why the cell has this value, or the reason of the override.
         */
        reason: string;
        /**
         * Whether a person set the cell.
         */
        is_overridden: boolean;
    };
    /**
     * Line 16: safe harbors and other relief.
     */
    line_16: {
        /**
         * The code. Null if the cell is empty.
         */
        value: Form1095cReliefCode | null;
        /**
         * Why the cell has this value, or the reason of the override.
         */
        reason: string;
        /**
         * Whether a person set the cell.
         */
        is_overridden: boolean;
    };
    /**
     * Line 17: the ZIP code that determined the premium of an ICHRA.
     */
    line_17: {
        /**
         * The ZIP code. Null if the cell is empty.
         */
        value: string | null;
        /**
         * Why the cell has this value, or the reason of the override.
         */
        reason: string;
        /**
         * Whether a person set the cell.
         */
        is_overridden: boolean;
    };
};

export type Form1095cMonthOverride = {
    /**
     * The month, from 1 to 12.
     */
    month: number;
    line_14?: Form1095cOfferCode;
    /**
     * Line 15. Null empties the cell.
     */
    line_15_in_cents?: number | null;
    /**
     * Line 16. Null empties the cell.
     */
    line_16?: Form1095cReliefCode | null;
    /**
     * Line 17. Null empties the cell.
     */
    line_17?: string | null;
};

/**
 * full_time: the employee was full-time in at least one month. self_insured_coverage: the person was enrolled in self-insured coverage. not_full_time: no Form 1095-C is due. not_covered: no Form 1095-B is due.
 */
export type Form1095cNeed = 'full_time' | 'self_insured_coverage' | 'not_full_time' | 'not_covered';

/**
 * A code of line 14, which describes the offer of coverage. 1L to 1U are about ICHRAs.
 */
export type Form1095cOfferCode = '1A' | '1B' | '1C' | '1D' | '1E' | '1F' | '1G' | '1H' | '1J' | '1K' | '1L' | '1M' | '1N' | '1O' | '1P' | '1Q' | '1R' | '1S' | '1T' | '1U';

export type Form1095cPage = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: Array<ReviewedForm1095c>;
    pagination: Pagination;
};

/**
 * A code of line 16: the status of the employee, the enrollment, or an affordability safe harbor.
 */
export type Form1095cReliefCode = '2A' | '2B' | '2C' | '2D' | '2E' | '2F' | '2G' | '2H';

export type Form1095cResponse = {
    data: Form1095c;
};

export type FormAcknowledgement = {
    /**
     * The transmission.
     */
    unique_transmission_id: string;
    /**
     * The receipt id of the IRS.
     */
    receipt_id: string;
    status: FormTransmissionStatus;
    /**
     * The errors of the acknowledgement. Empty without errors.
     */
    errors?: Array<{
        /**
         * The form, as `receipt|1|record`. Null means the same as omitting the field.
         */
        unique_record_id?: string | null;
        /**
         * The error code of the IRS.
         */
        code: string;
        /**
         * The error message of the IRS.
         */
        message: string;
    }>;
    /**
     * The error file of the acknowledgement (XML), instead of `errors`.
     */
    errors_xml?: string;
};

/**
 * The person whom the IRS may call about the forms.
 */
export type FormContact = {
    /**
     * The legal first name.
     */
    first_name: string;
    /**
     * The legal last name.
     */
    last_name: string;
    phone_number: Phone;
};

export type FormDeadline = {
    /**
     * The IRS, or a state where employees live.
     */
    jurisdiction: 'IRS' | 'CA' | 'DC' | 'MA' | 'NJ' | 'RI';
    /**
     * furnish: to the employees. file: with the jurisdiction.
     */
    step: 'furnish' | 'file';
    /**
     * The form.
     */
    form: string;
    /**
     * The last day.
     */
    due_on: Day;
};

export type FormExceptionCount = {
    exception: Form1095cException;
    /**
     * The number of forms.
     */
    form_count: number;
};

/**
 * The state of the forms of a tax year, for all people under the EIN of the employer.
 */
export type FormFiling = {
    employer_id: EmployerId;
    /**
     * The calendar year that the forms report.
     */
    tax_year: number;
    form_type: TaxFormType;
    /**
     * When the forms were last derived. Null before the first derivation.
     */
    derived_at: Timestamp | null;
    /**
     * The forms that are due, by the last derivation.
     */
    form_count: number;
    /**
     * The people with a month that counts as part-time only because no hours are reported, by the last derivation. Those without a full-time month have no form, unless they are enrolled in self-insured coverage.
     */
    unreported_hours_count: number;
    /**
     * When the forms were last released. Null before the first release.
     */
    released_at: Timestamp | null;
    /**
     * The people with a released form that is due.
     */
    released_count: number;
    /**
     * The people with a form that is due and without any released form, by the last derivation.
     */
    unreleased_count: number;
    /**
     * Those whose latest form is a corrected form.
     */
    corrected_count: number;
    /**
     * The forms that a release would store: new ones, those that differ from the latest released form or whose employer changed its name, EIN or address, and released forms that are no longer due.
     */
    changed_count: number;
    /**
     * The released forms to furnish on paper: of people without consent to electronic delivery, or with a failed notice.
     */
    print_count: number;
    /**
     * The parts of the print file that have forms. A released form never moves to another part.
     */
    print_parts: Array<number>;
    /**
     * The people with a consent whose notice of the posted form failed: without an email address, with one that bounced, or refused by the mail server. Their forms are in the print file.
     */
    unnotified_count: number;
    /**
     * The forms of the print file that no mailing was recorded for.
     */
    unmailed_count: number;
    /**
     * The first day on which each person with a released form had received one, by mail or by a notice of the posted form. Compare it with the deadlines to furnish. Null until then.
     */
    furnished_on: Day | null;
    /**
     * The recorded mailings of paper forms, including forms that were corrected since.
     */
    mailings: Array<FormMailing>;
    /**
     * The problems of the derived forms, the most urgent first.
     */
    exceptions: Array<FormExceptionCount>;
    /**
     * The deadlines of the IRS, and of the states with such laws in which employees live.
     */
    deadlines: Array<FormDeadline>;
};

export type FormFilingError = {
    /**
     * The error code of the IRS.
     */
    code: string;
    /**
     * The error message of the IRS.
     */
    message: string;
    /**
     * When the acknowledgement was recorded.
     */
    reported_at: Timestamp;
};

export type FormFilingResponse = {
    data: FormFiling;
};

export type FormMailing = {
    /**
     * The day of the mailing.
     */
    mailed_on: Day;
    /**
     * The number of forms.
     */
    form_count: number;
    /**
     * The name of the user who recorded it. Null if an API key recorded it, or if the user was deleted.
     */
    recorded_by_name: string | null;
};

/**
 * The settings of the forms of a tax year, for the EIN of the employer.
 */
export type FormSettings = {
    employer_id: EmployerId;
    /**
     * The calendar year that the form reports.
     */
    tax_year: number;
    form_type: TaxFormType;
    /**
     * The contact on Form 1094-C or 1094-B. Null if none is named.
     */
    contact: FormContact | null;
    /**
     * Whether the offer to a spouse depends on a condition, such as no other coverage (codes 1J and 1K).
     */
    has_conditional_spouse_offer: boolean;
    /**
     * Whether Form 1094-C uses the 98% Offer Method.
     */
    uses_98_percent_method: boolean;
};

export type FormSettingsInput = {
    /**
     * The calendar year that the form reports.
     */
    tax_year: number;
    form_type?: TaxFormType;
    /**
     * The contact on Form 1094-C or 1094-B. Null for none.
     */
    contact?: FormContact | null;
    /**
     * Whether the offer to a spouse depends on a condition, such as no other coverage (codes 1J and 1K).
     */
    has_conditional_spouse_offer: boolean;
    /**
     * Whether Form 1094-C uses the 98% Offer Method.
     */
    uses_98_percent_method: boolean;
};

export type FormSettingsResponse = {
    data: FormSettings;
};

/**
 * Files of released forms for the IRS.
 */
export type FormTransmission = {
    /**
     * The unique transmission id in the manifest.
     */
    unique_transmission_id: string;
    /**
     * O: original. R: replacement after a rejection. C: correction.
     */
    type: 'O' | 'R' | 'C';
    /**
     * Whether the files are for the test system of the IRS.
     */
    is_test: boolean;
    /**
     * The number of forms, without the transmittal.
     */
    form_count: number;
    /**
     * When the transmission was made.
     */
    made_at: Timestamp;
    /**
     * The status that the IRS reported. Null before the acknowledgement.
     */
    status: FormTransmissionStatus | null;
    /**
     * The receipt id of the IRS. Null before the acknowledgement.
     */
    receipt_id: string | null;
    /**
     * The errors that the IRS reported.
     */
    errors: Array<{
        /**
         * The form, as `receipt|1|record`. Null if it concerns no form.
         */
        unique_record_id: string | null;
        /**
         * The employee on the form. Null if the error concerns no form.
         */
        employee_id: EmployeeId | null;
        /**
         * The error code.
         */
        code: string;
        /**
         * The error message.
         */
        message: string;
    }>;
    /**
     * When the acknowledgement was recorded. Null before the acknowledgement.
     */
    acknowledged_at: Timestamp | null;
    /**
     * The file with the forms.
     */
    request: DownloadLink;
    /**
     * The manifest.
     */
    manifest: DownloadLink;
};

export type FormTransmissionListResponse = {
    /**
     * The transmissions, latest first.
     */
    data: Array<FormTransmission>;
};

/**
 * The status that the IRS reported.
 */
export type FormTransmissionStatus = 'accepted' | 'accepted_with_errors' | 'rejected';

/**
 * The transmitter of information returns to the IRS.
 */
export type FormTransmitter = {
    /**
     * The street and number.
     */
    address_line_1: string;
    /**
     * The apartment, suite or similar. Null means the same as omitting the field.
     */
    address_line_2?: string | null;
    /**
     * The city.
     */
    city: string;
    state: State;
    /**
     * The ZIP code of five or nine digits.
     */
    zipcode: Zipcode;
    /**
     * The legal name of the transmitter.
     */
    name: string;
    /**
     * The EIN.
     */
    ein: string;
    /**
     * The transmitter control code (TCC) of the IRS.
     */
    tcc: string;
    /**
     * The software id of the tax year that the IRS issued to the transmitter.
     */
    software_id: string;
};

/**
 * A change of full-time status that a report of hours would cause.
 */
export type FullTimeStatusChange = {
    employee_id: EmployeeId;
    /**
     * The name of the person.
     */
    person_name: string;
    /**
     * The first day whose status changes, usually the first of a month.
     */
    starts_on: Day;
    /**
     * The last day. Null if it is not known yet.
     */
    ends_on: Day | null;
    /**
     * Whether the employee is full-time on these days by the recorded hours. Null without a status.
     */
    is_full_time_before: boolean | null;
    /**
     * Whether the employee is full-time on these days with the hours of the report. Null without a status.
     */
    is_full_time_after: boolean | null;
};

export type Gender = 'Male' | 'Female' | 'Transgender' | 'Non-binary' | 'Prefer not to respond';

export type Group = {
    id: GroupId;
    organization_id: OrganizationId;
    /**
     * The name of the group.
     */
    name: string;
    /**
     * Your own reference, unique within the organization.
     */
    external_reference_id: string;
    /**
     * When the record was created.
     */
    created_at: Timestamp;
    /**
     * When the record last changed.
     */
    updated_at: Timestamp;
};

/**
 * Only the fields that are sent change.
 */
export type GroupChanges = {
    /**
     * Your own reference, unique within the organization. Null means the same as omitting the field.
     */
    external_reference_id?: string | null;
    /**
     * The name of the group. Null means the same as omitting the field.
     */
    name?: string | null;
};

export type GroupMember = {
    /**
     * The id of the group member.
     */
    id: GroupMemberId;
    group_id: GroupId;
    /**
     * The person, who may also be an employee.
     */
    member_id: MemberId;
    /**
     * Your own reference.
     */
    reference_id: string;
    plan_id: PlanId;
    /**
     * The legal first name.
     */
    first_name: string;
    /**
     * The legal last name.
     */
    last_name: string;
    /**
     * The email address. Not case-sensitive. Null if unknown.
     */
    email: string | null;
    /**
     * A US phone number of 10 digits. Null if unknown.
     */
    phone: string | null;
    /**
     * The date of birth.
     */
    date_of_birth: Day;
    /**
     * A US address. Null if unknown.
     */
    address: Address | null;
    /**
     * The time at which the person joined the group. A person who returns gets a new time.
     */
    joined_at: Timestamp;
    /**
     * When the record last changed.
     */
    updated_at: Timestamp;
};

export type GroupMemberAddress = {
    /**
     * The street and number.
     */
    address_line_1: string;
    /**
     * The apartment, suite or similar. Null means the same as omitting the field.
     */
    address_line_2?: string | null;
    /**
     * The city.
     */
    city: string;
    /**
     * A US state or territory, by its two-letter code or its full name.
     */
    state: string;
    /**
     * The ZIP code of five or nine digits.
     */
    zipcode: Zipcode;
};

export type GroupMemberPage = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: Array<GroupMember>;
    pagination: Pagination;
};

export type GroupMemberRow = {
    /**
     * Your own id of the member, unique within the group.
     */
    reference_id: string;
    /**
     * The legal first name.
     */
    first_name: string;
    /**
     * The legal last name.
     */
    last_name: string;
    /**
     * The email address. Not case-sensitive. Null means the same as omitting the field.
     */
    email?: Email | null;
    phone: Phone;
    /**
     * The date of birth.
     */
    date_of_birth: Day;
    /**
     * A US address.
     */
    address: GroupMemberAddress;
    /**
     * A plan of the organization. See `GET /v1/plans`.
     */
    plan_id: string;
    /**
     * The person, if the organization knows them. Null means the same as omitting the field.
     */
    member_id?: MemberId | null;
    /**
     * True for a new person, however similar to an existing one. Requires a separate email. Null means the same as omitting the field.
     */
    distinct?: boolean | null;
};

/**
 * All members of the group. An empty list removes all members.
 */
export type GroupMemberSubmission = {
    /**
     * The rows, at most 10,000. An empty list removes all members.
     */
    members: Array<GroupMemberRow>;
};

export type GroupMemberSyncAcceptance = {
    /**
     * The member sync. Use it to read the outcome.
     */
    request_id: GroupMemberSyncId;
    group_id: GroupId;
    /**
     * When the service accepted the submission, which is then processed in the background.
     */
    accepted_at: Timestamp;
};

export type GroupMemberSyncAcceptanceResponse = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: GroupMemberSyncAcceptance;
};

export type GroupPage = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: Array<Group>;
    pagination: Pagination;
};

export type GroupResponse = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: Group;
};

export type HiredEmployee = {
    id: EmployeeId;
    member_id: MemberId;
    /**
     * Your own reference. Null if not provided.
     */
    reference_id: string | null;
    /**
     * The legal first name.
     */
    first_name: string;
    /**
     * The legal last name.
     */
    last_name: string;
    /**
     * The suffix of the name, such as Jr. or III. Null without a suffix.
     */
    suffix: string | null;
    /**
     * The email address. Not case-sensitive.
     */
    email: string;
    /**
     * The date of birth.
     */
    date_of_birth: Day;
    /**
     * The gender that the person reported. Null if unknown.
     */
    gender: string | null;
    /**
     * A US phone number of 10 digits. Null if unknown.
     */
    phone: string | null;
    /**
     * The employee class, which determines eligibility and allowances. Null if unknown, or for every class.
     */
    employee_class: EmployeeClass | null;
    status: EmploymentStatus;
    /**
     * The first day of employment. Null if unknown.
     */
    hire_date: Day | null;
    /**
     * The last day employed. In the future if scheduled. Null if there is no end date.
     */
    termination_date: Day | null;
    /**
     * A US address. Null if unknown.
     */
    address: Residence | null;
    /**
     * The enrollments.
     */
    enrollments: Array<EnrollmentSummary>;
    /**
     * When the record was created.
     */
    created_at: Timestamp;
    /**
     * When the record last changed.
     */
    updated_at: Timestamp;
    employer_id: EmployerId;
    /**
     * The display name of the employer.
     */
    employer_name: string;
    /**
     * The same value as `hire_date`. Null if unknown.
     */
    start_date: Day | null;
    /**
     * The first day of the class. Null if unknown.
     */
    classification_effective_date: Day | null;
    /**
     * The compensation type. Null if unknown.
     */
    compensation_type: CompensationType | null;
    /**
     * The first day of the compensation type. Null if unknown.
     */
    compensation_type_effective_date: Day | null;
    /**
     * The bargaining unit: the employees under one collective bargaining agreement, by a name of your own. Null if the employee is in no unit.
     */
    bargaining_unit: string | null;
    /**
     * The first day in the bargaining unit. Null if the employee is in no unit.
     */
    bargaining_unit_effective_date: Day | null;
    deductions: Array<Deduction>;
    /**
     * Fields of the request that were not saved, because the linked person keeps other values. Absent if there are none.
     */
    warnings?: Array<{
        /**
         * The field name of the request.
         */
        field: string;
        /**
         * A message for people. Its wording may change.
         */
        message: string;
    }>;
};

export type HiredEmployeeResponse = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: HiredEmployee;
};

export type HoursChange = {
    /**
     * The index of the row, from 0.
     */
    index: number;
    employee_id: EmployeeId;
    kind: HoursKind;
    period_starts_on: Day;
    period_ends_on: Day;
    /**
     * The hours of the earlier report. Null if there were none.
     */
    hours_before: number | null;
    /**
     * The hours of this report. Null if it removes them.
     */
    hours_after: number | null;
    /**
     * Whether an earlier report of the employer already covered the period.
     */
    is_late: boolean;
};

/**
 * `worked`: hours worked. `paid_leave`: paid hours without work, such as vacation, illness, holidays or jury duty with pay. `special_unpaid_leave`: unpaid leave under FMLA or USERRA, or for jury duty. `employment_break`: a break of at least four weeks without hours, in an educational organization.
 */
export type HoursKind = 'worked' | 'paid_leave' | 'special_unpaid_leave' | 'employment_break';

export type HoursOutcome = {
    employer_id: EmployerId;
    /**
     * Whether nothing was changed.
     */
    dry_run: boolean;
    /**
     * The time of the report.
     */
    reported_at: Timestamp;
    /**
     * The number of rows.
     */
    row_count: number;
    /**
     * Rows of periods that had no hours of this employee and kind.
     */
    added_count: number;
    /**
     * Rows that replaced different hours of an earlier report.
     */
    changed_count: number;
    /**
     * Rows that removed the hours of an earlier report.
     */
    removed_count: number;
    /**
     * Rows that were recorded before, or had nothing to remove.
     */
    unchanged_count: number;
    /**
     * Added rows of periods that an earlier report of the employer already covered.
     */
    late_count: number;
    /**
     * Rows that were not recorded.
     */
    failed_count: number;
    /**
     * The first 1000 rows that were not recorded. All others are recorded.
     */
    failures: Array<{
        /**
         * The employee as sent. Null if the row had none.
         */
        employee_id: EmployeeId | null;
        /**
         * The reference as sent. Null if the row had none.
         */
        reference_id: string | null;
        /**
         * The field with the fault.
         */
        field: string;
        /**
         * The fault, without personal data.
         */
        reason: string;
        /**
         * The index of the row, from 0.
         */
        index: number;
    }>;
    /**
     * The first 1000 rows that change or remove earlier hours, or that are late.
     */
    changes: Array<HoursChange>;
    /**
     * With `dry_run`, how full-time status would change by the measurement policies, for the first 500 employees of the report, those with changed, removed or late hours first. Includes the other employments of the same people in the aggregated ALE group, because their hours add up. Otherwise empty.
     */
    status_changes: Array<FullTimeStatusChange>;
};

export type HoursOutcomeResponse = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: HoursOutcome;
};

export type HoursReport = {
    /**
     * The id of the report.
     */
    id: HoursReportId;
    /**
     * `api`: a request. `hris`: a payroll system, with the roster.
     */
    origin: CensusOrigin;
    /**
     * The time of the report.
     */
    reported_at: Timestamp;
    /**
     * The first day of the earliest recorded period. Null if all rows failed.
     */
    period_starts_on: Day | null;
    /**
     * The last day of the latest recorded period. Null if all rows failed.
     */
    period_ends_on: Day | null;
    /**
     * The number of rows.
     */
    row_count: number;
    /**
     * Rows of periods that had no hours of this employee and kind.
     */
    added_count: number;
    /**
     * Rows that replaced different hours of an earlier report.
     */
    changed_count: number;
    /**
     * Rows that removed the hours of an earlier report.
     */
    removed_count: number;
    /**
     * Rows that were recorded before, or had nothing to remove.
     */
    unchanged_count: number;
    /**
     * Added rows of periods that an earlier report of the employer already covered.
     */
    late_count: number;
    /**
     * Rows that were not recorded.
     */
    failed_count: number;
    /**
     * The refused rows. All other rows were processed.
     */
    failures: FailedHours;
};

export type HoursReportId = string;

export type HoursReportPage = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: Array<HoursReport>;
    pagination: Pagination;
};

export type HrisProviderList = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: Array<{
        /**
         * The value for the filter `hris_provider` of the employer book.
         */
        provider: string;
        /**
         * The display name.
         */
        provider_label: string;
    }>;
};

/**
 * `start_date`: the initial measurement begins on the start date. `first_of_month`: it begins on the first of a month, on or after the start date.
 */
export type InitialMeasurementStart = 'start_date' | 'first_of_month';

export type KeyCredential = {
    kind: KeyCredentialKind;
    /**
     * The key, or the key that issued the token. Null for a session.
     */
    api_key: {
        id: ApiKeyId;
        /**
         * The name of the key. Null if it has no name.
         */
        name: string | null;
        /**
         * The last four characters of the secret.
         */
        last_four: string;
    } | null;
    /**
     * The owner of the key or session.
     */
    user: {
        id: UserId;
        /**
         * The name of the user.
         */
        name: string;
        /**
         * The email address. Not case-sensitive. Null if unknown.
         */
        email: string | null;
    };
    /**
     * The organization that the credential acts as. Null if the credential reaches none or several. Specify one with the request.
     */
    organization: {
        id: OrganizationId;
        /**
         * The name of the organization.
         */
        name: string;
        /**
         * Whether the organization is a sandbox.
         */
        sandbox: boolean;
        /**
         * The brand color of its widgets. Null if it is not set.
         */
        accent_color: string | null;
        /**
         * The names of benefits that employees see.
         */
        display_names: Array<DisplayName>;
    } | null;
    /**
     * Always null, because the credential is not bound.
     */
    bound_entity: null;
    /**
     * The owner's role in each organization that the credential reaches.
     */
    roles: Array<{
        organization_id: OrganizationId;
        role: MembershipRole;
    }>;
    /**
     * Whether the credential can read across every organization.
     */
    super_in: boolean;
    /**
     * The scopes of the key.
     */
    scopes: Array<ApiKeyScope>;
    /**
     * `test` keys reach sandbox organizations, and `live` keys reach all others. Null for a session, which reaches both modes.
     */
    mode: ApiKeyMode | null;
    /**
     * When the owner signed in with a browser. Null if it is not a session.
     */
    signed_in_at: Timestamp | null;
    /**
     * When the credential expires. Null if it does not expire.
     */
    expires_at: Timestamp | null;
    /**
     * Today at the organization that the credential acts as, by its clock if it is a sandbox. Else today in New York.
     */
    today: Day;
};

/**
 * An API key, a token of a session, or an unbound access token.
 */
export type KeyCredentialKind = 'api_key' | 'session_token' | 'access_token';

/**
 * `fewer_than_50`, `at_least_50`: the average decides. `seasonal_worker_exception`: more than 50 employees in at most four months, and only because of seasonal workers.
 */
export type LargeEmployerReason = 'fewer_than_50' | 'at_least_50' | 'seasonal_worker_exception';

/**
 * Whether an employer is an applicable large employer, from the hours of service of the year before. An employee without hours in that year counts by class.
 */
export type LargeEmployerStatus = {
    employer_id: EmployerId;
    /**
     * The calendar year of the status.
     */
    year: number;
    /**
     * Whether the employer is an applicable large employer in that year.
     */
    is_large: boolean;
    reason_code: LargeEmployerReason;
    /**
     * The reason as a human-readable sentence.
     */
    reason: string;
    /**
     * Full-time employees and equivalents per month of the year before, on average, rounded down.
     */
    average_count: number;
    /**
     * The first days of months with more than 50 employees.
     */
    months_above: Array<Day>;
    /**
     * The months of the year before, in order.
     */
    months: Array<{
        /**
         * The first day of the month.
         */
        month: Day;
        /**
         * Employees with at least 130 hours of service.
         */
        full_time_count: number;
        /**
         * The hours of all others, at most 120 of each, divided by 120.
         */
        full_time_equivalents: number;
        /**
         * Full-time employees and equivalents.
         */
        total: number;
        /**
         * The total without employees of the class Seasonal.
         */
        total_without_seasonal_workers: number;
    }>;
};

export type LargeEmployerStatusResponse = {
    data: LargeEmployerStatus;
};

export type LeakReport = {
    /**
     * The complete key that was found.
     */
    api_key: string;
};

export type LifeEventResponse = {
    data: LifeEvent;
};

/**
 * The type of the event. `placement` is the placement of a child with the employee for adoption or foster care.
 */
export type LifeEventType = 'marriage' | 'divorce' | 'birth' | 'adoption' | 'placement' | 'death_of_dependent' | 'loss_of_coverage' | 'gain_of_coverage' | 'change_of_residence' | 'change_of_employment' | 'other';

/**
 * full_time: a full-time employee. part_time: an employee who is not full-time. limited_non_assessment: in a period without an assessable payment, such as a waiting period. not_employed: not an employee on any day.
 */
export type MandateStatus = 'full_time' | 'part_time' | 'limited_non_assessment' | 'not_employed';

/**
 * The full-time status of an employee by the last measurement.
 */
export type MeasuredEmployee = {
    employee_id: EmployeeId;
    /**
     * The name of the person.
     */
    person_name: string;
    /**
     * Whether the employee is full-time today. Null before the first day of employment, or without a policy.
     */
    is_full_time: boolean | null;
    /**
     * `standard_measurement`, `initial_measurement`: the average of that measurement. `measuring`: the initial measurement or its administrative period continues. `expected_full_time`, `not_expected_full_time`: the class, until hours decide. `changed_to_full_time`: the fourth full month after a change of class has begun. `change_not_assessed`: it has not begun yet. `monthly_hours`: the hours of the month. `no_policy`: no measurement policy applies to the employee. Null without a status.
     */
    reason_code: MeasuredReason | null;
    /**
     * The first day of this status. Null without a status.
     */
    status_starts_on: Day | null;
    /**
     * The last day of this status. Null without a status, or if its end is not known yet.
     */
    status_ends_on: Day | null;
    /**
     * Whether the initial measurement is over, and the stability period that it decides has not begun.
     */
    is_in_administrative_period: boolean;
    /**
     * Whether the employee is not full-time, but averages at least 30 hours a week (130 a month) so far in a measurement that continues.
     */
    is_trending: boolean;
    /**
     * The next day on which the status can change without new hours. Null if there is no such day.
     */
    next_change_on: Day | null;
    /**
     * The time of the last measurement.
     */
    measured_at: Timestamp;
};

export type MeasuredEmployeePage = {
    data: Array<MeasuredEmployee>;
    pagination: Pagination;
};

/**
 * `standard_measurement`, `initial_measurement`: the average of that measurement. `measuring`: the initial measurement or its administrative period continues. `expected_full_time`, `not_expected_full_time`: the class, until hours decide. `changed_to_full_time`: the fourth full month after a change of class has begun. `change_not_assessed`: it has not begun yet. `monthly_hours`: the hours of the month. `no_policy`: no measurement policy applies to the employee.
 */
export type MeasuredReason = 'no_policy' | 'not_employed' | 'standard_measurement' | 'initial_measurement' | 'measuring' | 'expected_full_time' | 'not_expected_full_time' | 'changed_to_full_time' | 'change_not_assessed' | 'monthly_hours';

export type Measurement = {
    kind: MeasurementKind;
    /**
     * The days whose hours count.
     */
    measurement_period: {
        starts_on: Day;
        ends_on: Day;
    };
    /**
     * The days until the stability period. Null if it follows immediately.
     */
    administrative_period: {
        starts_on: Day;
        ends_on: Day;
    } | null;
    /**
     * The days that the result decides.
     */
    stability_period: {
        starts_on: Day;
        ends_on: Day;
    };
    /**
     * Whether the measurement period is over. If not, `hours` are those so far.
     */
    has_ended: boolean;
    /**
     * Whether any hours of the period were reported.
     */
    is_reported: boolean;
    /**
     * Hours of service in the period.
     */
    hours: number;
    /**
     * The weekly average, without special unpaid leave.
     */
    average_weekly_hours: number;
    /**
     * Whether the average is at least 30 hours a week. Without reported hours, the class decides.
     */
    is_full_time: boolean;
};

/**
 * `initial`: the first measurement of a new employee. `standard`: one of the periods of all ongoing employees.
 */
export type MeasurementKind = 'initial' | 'standard';

/**
 * `monthly`: the hours of a month decide that month. `look_back`: the average of a measurement period decides about the stability period that follows it.
 */
export type MeasurementMethod = 'monthly' | 'look_back';

export type MeasurementPeriod = {
    /**
     * The days whose hours count.
     */
    measurement_period: {
        starts_on: Day;
        ends_on: Day;
    };
    /**
     * The days until the stability period. Null if it follows immediately.
     */
    administrative_period: {
        starts_on: Day;
        ends_on: Day;
    } | null;
    /**
     * The days that the result decides.
     */
    stability_period: {
        starts_on: Day;
        ends_on: Day;
    };
};

/**
 * The measurement policies of an employer by category. If several match an employee, one for the bargaining unit applies before one for any or no unit, then one for the state, then one for the compensation type.
 */
export type MeasurementPolicies = {
    employer_id: EmployerId;
    policies: Array<MeasurementPolicy>;
};

export type MeasurementPoliciesResponse = {
    data: MeasurementPolicies;
};

/**
 * How an employer determines which employees are full-time.
 */
export type MeasurementPolicy = {
    /**
     * The policy is for employees with this compensation type. Null for all.
     */
    compensation_type: CompensationType | null;
    /**
     * The policy is for employees who work in this state. Null for all.
     */
    state: string | null;
    /**
     * The policy is for employees in this bargaining unit. Null for all.
     */
    bargaining_unit: string | null;
    /**
     * True: the policy is for employees in any bargaining unit. False: for those in none. Null for all. True if `bargaining_unit` is set.
     */
    is_collectively_bargained: boolean | null;
    /**
     * The day from which the policy replaces an earlier one of its category. Stability periods that were measured before it run to their end. Null if the policy has no first day.
     */
    effective_on: Day | null;
    method: MeasurementMethod;
    /**
     * The length of standard measurement periods in months. Null for `monthly`.
     */
    standard_months: number | null;
    /**
     * Full calendar months between a standard measurement period and its stability period, after a partial month. At most 90 days in all. Null for `monthly`.
     */
    administrative_months: number | null;
    /**
     * The length of stability periods in months. Not shorter than the measurement period. Null for `monthly`.
     */
    stability_months: number | null;
    /**
     * The length of the initial measurement of new variable-hour, seasonal and part-time employees in months. Null for `monthly`.
     */
    initial_months: number | null;
    /**
     * `start_date`: the initial measurement begins on the start date. `first_of_month`: it begins on the first of a month, on or after the start date. Null for `monthly`.
     */
    initial_starts: InitialMeasurementStart | null;
    /**
     * Full calendar months between an initial measurement and its stability period, after a partial month. A month that would exceed 90 days is left out. Null for `monthly`.
     */
    initial_administrative_months: number | null;
    /**
     * Whether the monthly method counts weeks: 120 hours in four of them, or 150 in five.
     */
    by_weeks: boolean;
    /**
     * Whether measurements contain whole payroll periods: they begin with the one that contains the first day, and end before the one that contains the day after the last. No effect with a monthly payroll.
     */
    uses_payroll_periods: boolean;
    /**
     * Whether the employer is an educational organization, with breaks in service of 26 weeks, not 13.
     */
    educational: boolean;
    /**
     * Whether an employee is new after a break of at least four weeks that is longer than the service before it.
     */
    parity: boolean;
    /**
     * The first day of a standard measurement period. The others precede and follow it. Null for `monthly`.
     */
    standard_starts_on: Day | null;
};

/**
 * The periods that measurement policies would have.
 */
export type MeasurementPreview = {
    employer_id: EmployerId;
    /**
     * The periods of each policy, in the order of the request.
     */
    policies: Array<{
        /**
         * The standard measurement that continues today, the one before and the one after. Empty for the monthly method.
         */
        standard_periods: Array<MeasurementPeriod>;
        /**
         * The initial measurement of a new employee who starts today. Null for the monthly method.
         */
        initial_period: MeasurementPeriod | null;
    }>;
};

export type MeasurementPreviewResponse = {
    data: MeasurementPreview;
};

export type MentionChange = {
    /**
     * True completes your task. False opens it again.
     */
    done: boolean;
};

/**
 * `full_time`, `part_time`: the status in the month. `limited_non_assessment`: no assessable payment is due for the month, such as during an initial measurement. `not_employed`: no day of employment.
 */
export type MonthlyFullTimeStatus = 'full_time' | 'part_time' | 'limited_non_assessment' | 'not_employed';

export type MyOrganization = {
    id: OrganizationId;
    /**
     * The name of the organization.
     */
    name: string;
    /**
     * The type of the organization. Null if not provided.
     */
    type: OrganizationType | null;
    /**
     * The id of the tenant at the identity provider. Null until the provider has confirmed it.
     */
    idp_org_id: string | null;
    idp_provider: IdpProvider;
    /**
     * Whether its members can read across every organization.
     */
    super_in: boolean;
    /**
     * The key owner's role in this organization.
     */
    role: MembershipRole;
};

export type MyOrganizations = {
    /**
     * The organizations, oldest membership first.
     */
    organizations: Array<MyOrganization>;
    /**
     * The number of items on all pages.
     */
    total: number;
};

/**
 * A US address.
 */
export type NewAddress = {
    /**
     * The street and number.
     */
    address_line_1: string;
    /**
     * The apartment, suite or similar. Null means the same as omitting the field.
     */
    address_line_2?: string | null;
    /**
     * The city.
     */
    city: string;
    state: State;
    /**
     * The ZIP code of five or nine digits.
     */
    zipcode: Zipcode;
};

export type NewAleGroup = {
    /**
     * The name of the group.
     */
    name: string;
    /**
     * The ALE members. An employer belongs to at most one, in one group.
     */
    members: Array<NewAleMember>;
};

export type NewAleMember = {
    /**
     * The employer whose EIN the ALE member has, such as the staffing firm.
     */
    employer_id: EmployerId;
    /**
     * Other employers whose people the ALE member employs, such as the clients of a staffing firm. The hours of a person at all of them add up. Null means the same as omitting the field.
     */
    employer_ids?: Array<EmployerId> | null;
};

export type NewApiKey = {
    /**
     * A name that describes the purpose of the key.
     */
    name: string;
    /**
     * The member who owns the key, whose role it has. Default: the caller. Null means the same as omitting the field.
     */
    user_id?: UserId | null;
    /**
     * Scopes of the key: `read`, `write`, and the areas `people`, `money`, `webhooks`, `keys` and `tax`. Employers, plan years and the catalog need no area. Each operation lists the scopes it requires, and a key needs all of them. Default: all scopes of the caller. Null means the same as omitting the field.
     */
    scopes?: Array<ApiKeyScope> | null;
    /**
     * When the key and its tokens expire. Default: never. Null means the same as omitting the field.
     */
    expires_at?: Timestamp | null;
    /**
     * The pages whose browsers may send bound tokens of the key. An empty list allows none. Null applies the origins that the operator configured as the default.
     */
    allowed_origins?: Array<string> | null;
};

export type NewAssignment = {
    /**
     * The company that the employee works for.
     */
    client_name: string;
    /**
     * Where the employee works. The county determines the ICHRA rating area. Null means the same as omitting the field.
     */
    worksite?: NewResidence | null;
    /**
     * The first day of the assignment.
     */
    starts_on: Day;
    /**
     * The last day of the assignment, if it is known. Null means the same as omitting the field.
     */
    ends_on?: Day | null;
    /**
     * The hourly wage, in cents. Null means the same as omitting the field.
     */
    hourly_rate_in_cents?: number | null;
};

export type NewAttachment = {
    /**
     * The name to show for the file.
     */
    file_name: string;
    /**
     * The file in base64, at most 10 MiB.
     */
    content: string;
};

export type NewBenefitEligibilityPolicy = {
    /**
     * The covered employee classes as one value. Null means the same as omitting the field.
     */
    classification?: PolicyClassification | null;
    /**
     * The classes that the policy covers. Send this or `classification`. Null means the same as omitting the field.
     */
    employee_classes?: Array<EmployeeClass> | null;
    /**
     * Covers only employees with one of these compensation types, and no employees whose type is unknown. Null covers all types.
     */
    compensation_types?: Array<CompensationType> | null;
    waiting_period: PolicyWaitingPeriod;
    /**
     * The day on which coverage can start after the waiting period. Null means the same as omitting the field.
     */
    start_alignment?: PolicyStartAlignment | null;
    /**
     * The service credit in weeks, as in BenefitEligibilityPolicy. The default is 13. Null means the same as omitting the field.
     */
    service_credit_weeks?: number | null;
    /**
     * The benefits that the policy applies to. Empty for all benefits without a policy of their own. Null means the same as omitting the field.
     */
    benefit_ids?: Array<BenefitId> | null;
    /**
     * The default is `employee_class`. Null means the same as omitting the field.
     */
    eligibility_basis?: EligibilityBasis | null;
};

export type NewDependent = {
    relationship: DependentRelationship;
    /**
     * The legal first name.
     */
    first_name: string;
    /**
     * The legal last name.
     */
    last_name: string;
    /**
     * The suffix of the name, such as Jr. or III. Null means the same as omitting the field.
     */
    suffix?: string | null;
    /**
     * The date of birth, which must not be in the future.
     */
    date_of_birth: Day;
    /**
     * The gender that the person reported. Null means the same as omitting the field.
     */
    gender?: Gender | null;
    /**
     * The address, if it differs from that of the employee. Null means the same as omitting the field.
     */
    address?: NewAddress | null;
    /**
     * Allows you to add a child after the month of the 26th birthday. The child can be covered once the operator has approved the disability. Null means the same as omitting the field.
     */
    disabled?: boolean | null;
};

export type NewDependentVerification = {
    status: DependentVerificationDecision;
    /**
     * The reason, which the employee can read. Required if you reject the documents. Null means the same as omitting the field.
     */
    reason?: string | null;
};

/**
 * Send at most one of `employer_id`, `benefit_plan_year_id` and `plan_id`. Without one, the document concerns the whole organization.
 */
export type NewDocument = {
    /**
     * The employer that the document concerns. Null means the same as omitting the field.
     */
    employer_id?: EmployerId | null;
    /**
     * The plan year that the document concerns. Null means the same as omitting the field.
     */
    benefit_plan_year_id?: BenefitPlanYearId | null;
    /**
     * The plan that the document concerns, in every plan year that offers it. Null means the same as omitting the field.
     */
    plan_id?: PlanId | null;
    kind: DocumentKind;
    /**
     * The title, in the language of the document.
     */
    title: string;
    /**
     * The language of the document.
     */
    language?: Language;
    audience?: DocumentAudience;
    /**
     * Whether employees must open the document before they elect or waive the benefits that it concerns.
     */
    is_required_at_election?: boolean;
    /**
     * The name to show for the file.
     */
    file_name: string;
    /**
     * The file in base64, at most 25 MiB.
     */
    content: string;
    /**
     * The first day on which the document is shown. The default is today. Null means the same as omitting the field.
     */
    effective_on?: Day | null;
};

export type NewDocumentTranslation = {
    /**
     * The language of the translation.
     */
    language: Language;
    /**
     * The title, in the language of the document.
     */
    title: string;
    /**
     * The name to show for the file.
     */
    file_name: string;
    /**
     * The file in base64, at most 25 MiB.
     */
    content: string;
    /**
     * The first day on which the document is shown. The default is today. Null means the same as omitting the field.
     */
    effective_on?: Day | null;
};

export type NewDocumentVersion = {
    /**
     * The title, in the language of the document. The default is the title of the replaced version. Null means the same as omitting the field.
     */
    title?: string | null;
    /**
     * The name to show for the file.
     */
    file_name: string;
    /**
     * The file in base64, at most 25 MiB.
     */
    content: string;
    /**
     * The first day on which the document is shown. The default is today. Null means the same as omitting the field.
     */
    effective_on?: Day | null;
};

export type NewEmployee = {
    /**
     * The legal first name.
     */
    first_name: string;
    /**
     * The legal last name.
     */
    last_name: string;
    /**
     * The email address. Not case-sensitive.
     */
    email: Email;
    /**
     * The date of birth.
     */
    date_of_birth: Day;
    /**
     * The first day of employment.
     */
    start_date: Day;
    /**
     * A US phone number of 10 digits. Null means the same as omitting the field.
     */
    phone?: Phone | null;
    /**
     * The suffix of the name, such as Jr. or III. Null means the same as omitting the field.
     */
    suffix?: string | null;
    /**
     * The gender that the person reported. Null means the same as omitting the field.
     */
    gender?: Gender | null;
    /**
     * A US address. Null means the same as omitting the field.
     */
    address?: ResidentialAddress | null;
    /**
     * The employee class, which determines eligibility and allowances. Null means the same as omitting the field.
     */
    employee_class?: EmployeeClass | null;
    /**
     * The compensation type. Null means the same as omitting the field.
     */
    compensation_type?: CompensationType | null;
    /**
     * The bargaining unit: the employees under one collective bargaining agreement, by a name of your own. Null means the same as omitting the field.
     */
    bargaining_unit?: string | null;
    /**
     * Your own reference. Null means the same as omitting the field.
     */
    reference_id?: string | null;
    /**
     * The person, if the organization knows them. Null means the same as omitting the field.
     */
    member_id?: MemberId | null;
    /**
     * The person, by one of their employments at any employer. Null means the same as omitting the field.
     */
    employee_id?: EmployeeId | null;
    /**
     * True for a new person, however similar to an existing one. Requires a separate email. Null means the same as omitting the field.
     */
    distinct?: boolean | null;
};

export type NewEmployer = {
    /**
     * The display name.
     */
    name: string;
    /**
     * The legal business name.
     */
    legal_name: string;
    /**
     * The employer identification number (EIN). Responses mask it except for the last four digits.
     */
    ein: string;
    /**
     * The email address for billing and communications. Becomes the first admin of the employer.
     */
    email: Email;
    address: NewAddress;
    /**
     * A US phone number of 10 digits. Null means the same as omitting the field.
     */
    phone_number?: Phone | null;
    /**
     * Your own reference. Null means the same as omitting the field.
     */
    reference_id?: string | null;
};

export type NewEnrollmentAgreement = {
    /**
     * The plan year for which the text replaces your general text. Without it, the text applies to all plan years. Null means the same as omitting the field.
     */
    benefit_plan_year_id?: BenefitPlanYearId | null;
    /**
     * The English text. Line breaks are kept.
     */
    text_en: string;
    /**
     * The Spanish text. Line breaks are kept.
     */
    text_es: string;
};

export type NewEnrollmentReminders = {
    benefit_plan_year_id: BenefitPlanYearId;
    /**
     * The employees to remind, at most 1000. Default: every employee with pending benefits. Null means the same as omitting the field.
     */
    employee_ids?: Array<EmployeeId> | null;
    /**
     * Reminds only employees with one of these statuses. Null means the same as omitting the field.
     */
    status?: Array<UnfinishedStatus> | null;
    /**
     * Returns the recipients and a preview, and sends nothing. Null means the same as omitting the field.
     */
    dry_run?: boolean | null;
};

/**
 * The signature of an employee on elections and waivers.
 */
export type NewEnrollmentSignature = {
    /**
     * The name that the employee typed. It may differ from the name on record.
     */
    name: string;
    /**
     * The ids of the agreements that the employee read. The default text has no id.
     */
    agreement_ids: Array<EnrollmentAgreementId>;
    /**
     * The employee agrees to pre-tax deductions where the law allows them.
     */
    pre_tax_consent: true;
    /**
     * The language in which the employee read the agreements.
     */
    language: Language;
};

export type NewForm1095cDerivation = {
    /**
     * The calendar year that the form reports.
     */
    tax_year: number;
};

export type NewForm1095cOverride = {
    /**
     * The calendar year that the form reports.
     */
    tax_year: number;
    /**
     * Why the cells differ from the derived ones.
     */
    reason: string;
    /**
     * The cells to set, by month. Absent cells stay derived, and null empties a cell. An empty list removes the override.
     */
    months: Array<Form1095cMonthOverride>;
};

export type NewForm1095cRelease = {
    /**
     * The calendar year that the forms report.
     */
    tax_year: number;
};

export type NewFormMailing = {
    /**
     * The calendar year that the forms report.
     */
    tax_year: number;
    /**
     * The day of the mailing. Not after today.
     */
    mailed_on: Day;
    /**
     * True records the mailing of all forms of the print file that have none yet. False removes the mailing of this day, if it was recorded by mistake.
     */
    is_mailed?: boolean;
};

export type NewFormTransmission = {
    /**
     * The calendar year that the forms report.
     */
    tax_year: number;
    /**
     * Whether the files are for the test system of the IRS (AATS).
     */
    is_test: boolean;
    contact: FormContact;
    transmitter: FormTransmitter;
};

export type NewGroup = {
    /**
     * Your own permanent id of the group, unique within the organization.
     */
    external_reference_id: string;
    /**
     * The display name.
     */
    name: string;
};

export type NewHours = {
    /**
     * The employment. A person has one per employer. Null means the same as omitting the field.
     */
    employee_id?: EmployeeId | null;
    /**
     * Your own reference of the employee, instead of `employee_id`. Null means the same as omitting the field.
     */
    reference_id?: string | null;
    /**
     * The first day of the period, usually a pay period.
     */
    period_starts_on: Day;
    /**
     * The last day of the period: at most 31 days with hours, at most 366 days of unpaid leave or break.
     */
    period_ends_on: Day;
    kind: HoursKind;
    /**
     * The hours of service in the period. Not for unpaid leave and breaks, whose days count. Null means the same as omitting the field.
     */
    hours?: number | null;
    /**
     * Days with service, instead of `hours`, for employees who are not paid by the hour. Each counts as 8 hours. Null means the same as omitting the field.
     */
    days?: number | null;
    /**
     * Weeks with service, instead of `hours`, for employees who are not paid by the hour. Each counts as 40 hours. Null means the same as omitting the field.
     */
    weeks?: number | null;
    /**
     * `remove` deletes the recorded hours of this employee, kind and period. Default: `record`. Null means the same as omitting the field.
     */
    action?: NewHoursAction | null;
};

export type NewHoursAction = 'record' | 'remove';

export type NewHoursReport = {
    /**
     * The rows, at most 100,000.
     */
    rows: Array<NewHours>;
};

export type NewLifeEvent = {
    type: LifeEventType;
    /**
     * The day of the event: at most 60 days ago, not in the future.
     */
    occurred_on: Day;
    /**
     * A description of the event. Required for `other`. Null means the same as omitting the field.
     */
    description?: string | null;
};

export type NewMeasurementPolicies = {
    /**
     * All policies of the employer. An empty list ends measurement.
     */
    policies: Array<NewMeasurementPolicy>;
};

/**
 * Defaults: standard and initial measurements of 12 months, stability of 12 months, administration until one full month has passed after an initial and two after a standard measurement.
 */
export type NewMeasurementPolicy = {
    /**
     * The policy is for employees with this compensation type. Null for all.
     */
    compensation_type?: CompensationType | null;
    /**
     * The policy is for employees who work in this state. Null for all.
     */
    state?: State | null;
    /**
     * The policy is for employees in this bargaining unit. Null for all.
     */
    bargaining_unit?: string | null;
    /**
     * True: the policy is for employees in any bargaining unit. False: for those in none. Null for all. True if `bargaining_unit` is set.
     */
    is_collectively_bargained?: boolean | null;
    /**
     * The day from which the policy replaces an earlier one of its category. Stability periods that were measured before it run to their end. Null if the policy has no first day.
     */
    effective_on?: Day | null;
    method: MeasurementMethod;
    /**
     * The first day of a standard measurement period. The others precede and follow it. Required for `look_back`. Null means the same as omitting the field.
     */
    standard_starts_on?: Day | null;
    /**
     * The length of standard measurement periods in months. Null means the same as omitting the field.
     */
    standard_months?: number | null;
    /**
     * Full calendar months between a standard measurement period and its stability period, after a partial month. At most 90 days in all. Null means the same as omitting the field.
     */
    administrative_months?: number | null;
    /**
     * The length of stability periods in months. Not shorter than the measurement period. Null means the same as omitting the field.
     */
    stability_months?: number | null;
    /**
     * The length of the initial measurement of new variable-hour, seasonal and part-time employees in months. Null means the same as omitting the field.
     */
    initial_months?: number | null;
    /**
     * `start_date`: the initial measurement begins on the start date. `first_of_month`: it begins on the first of a month, on or after the start date. Null means the same as omitting the field.
     */
    initial_starts?: InitialMeasurementStart | null;
    /**
     * Full calendar months between an initial measurement and its stability period, after a partial month. A month that would exceed 90 days is left out. Null means the same as omitting the field.
     */
    initial_administrative_months?: number | null;
    /**
     * Whether the monthly method counts weeks: 120 hours in four of them, or 150 in five. Null means the same as omitting the field.
     */
    by_weeks?: boolean | null;
    /**
     * Whether measurements contain whole payroll periods: they begin with the one that contains the first day, and end before the one that contains the day after the last. No effect with a monthly payroll. Null means the same as omitting the field.
     */
    uses_payroll_periods?: boolean | null;
    /**
     * Whether the employer is an educational organization, with breaks in service of 26 weeks, not 13. Null means the same as omitting the field.
     */
    educational?: boolean | null;
    /**
     * Whether an employee is new after a break of at least four weeks that is longer than the service before it. Null means the same as omitting the field.
     */
    parity?: boolean | null;
};

export type NewOrganization = {
    /**
     * The name of the organization.
     */
    name: string;
    /**
     * The type of the organization. Null means the same as omitting the field.
     */
    type?: OrganizationType | null;
};

export type NewPayrollActual = {
    /**
     * The employment. A person has one per employer. Null means the same as omitting the field.
     */
    employee_id?: EmployeeId | null;
    /**
     * Your own reference of the employee, instead of `employee_id`. Null means the same as omitting the field.
     */
    reference_id?: string | null;
    /**
     * The enrollment. Null means the same as omitting the field.
     */
    enrollment_id?: EnrollmentId | null;
    /**
     * The benefit name in the statement, instead of `enrollment_id`. Null means the same as omitting the field.
     */
    benefit_name?: string | null;
    /**
     * The amount that payroll deducted, in cents. Negative for a refund.
     */
    taken_in_cents: number;
};

export type NewPlanYearRequest = {
    /**
     * The first day of coverage. At most one year ago or two years ahead.
     */
    coverage_start: Day;
    /**
     * The last day of coverage. At most, and by default, one year of coverage. Null means the same as omitting the field.
     */
    coverage_end?: Day | null;
    /**
     * The first day of open enrollment. Null means the same as omitting the field.
     */
    open_enrollment_start?: Day | null;
    /**
     * The last day of open enrollment. Null means the same as omitting the field.
     */
    open_enrollment_end?: Day | null;
    /**
     * The plans to offer, from the catalog of your organization. Null means the same as omitting the field.
     */
    plan_ids?: Array<PlanId> | null;
    /**
     * A message to the operator. Null means the same as omitting the field.
     */
    message?: string | null;
};

export type NewRenewalProposal = {
    /**
     * The first day of coverage. The default is the day after the end of the previous plan year. Null means the same as omitting the field.
     */
    coverage_start?: Day | null;
    /**
     * The first day of open enrollment. Required with open_enrollment_end. By default, the open enrollment of the previous plan year moves by the same number of days as coverage_start. It is omitted if it would end before today. Null means the same as omitting the field.
     */
    open_enrollment_start?: Day | null;
    /**
     * The last day of open enrollment. Must not be after coverage_end. Null means the same as omitting the field.
     */
    open_enrollment_end?: Day | null;
    /**
     * How employees who neither elect nor waive are treated. The default is passive. Null means the same as omitting the field.
     */
    renewal?: Renewal | null;
    /**
     * The replacements of plans that are no longer offered. Each key is the id of a former plan, and its value is the id of an offered plan of the same benefit. Null means the same as omitting the field.
     */
    plan_successors?: {
        [key in PlanId]?: PlanId;
    } | null;
    /**
     * One to four scenarios, which are compared.
     */
    scenarios: Array<RenewalScenario>;
    /**
     * If true, returns the proposal without storing it. Null means the same as omitting the field.
     */
    dry_run?: boolean | null;
};

/**
 * A US address. The county determines the ICHRA rating area.
 */
export type NewResidence = {
    /**
     * The street and number.
     */
    address_line_1: string;
    /**
     * The apartment, suite or similar. Null means the same as omitting the field.
     */
    address_line_2?: string | null;
    /**
     * The city.
     */
    city: string;
    state: State;
    /**
     * The ZIP code of five or nine digits.
     */
    zipcode: Zipcode;
    /**
     * The county, with or without the word County or Parish. Null means the same as omitting the field.
     */
    county?: string | null;
};

export type NewScheduledExport = {
    /**
     * The name of the export, which becomes the subject of the emails.
     */
    name: string;
    list: ExportList;
    /**
     * The parameters of the list as in its URL: the ids of its path, such as `employer_id`, and its filters. A filter with several values is an array. The default is the whole list. Null means the same as omitting the field.
     */
    parameters?: {
        [key: string]: string | Array<string>;
    } | null;
    format: ExportFormat;
    frequency: ExportFrequency;
    /**
     * The members of your organization who receive the file. Their role must allow reading the list. Each file has only what its recipient may see. The default is your own user. Null means the same as omitting the field.
     */
    recipient_user_ids?: Array<UserId> | null;
};

export type NewTaxIdentifier = {
    /**
     * The Social Security number or individual taxpayer identification number. It is encrypted when it is stored, and no response contains it.
     */
    tax_identifier: string;
};

export type NewWebhookReplay = {
    /**
     * The first instant, at most 60 days ago.
     */
    since: Timestamp;
    /**
     * The last instant. Defaults to now.
     */
    until?: Timestamp;
};

export type NewWebhookSubscription = {
    /**
     * The URL that receives events: https on the public internet, at port 443 or a port of 1024 or higher.
     */
    url: string;
    /**
     * The names of events to send. Empty for all, including those of later versions. Null means the same as omitting the field.
     */
    event_names?: Array<SubscribedEventName> | null;
    /**
     * A description for your own use. Null means the same as omitting the field.
     */
    description?: string | null;
};

/**
 * The 95 percent offer test of section 4980H by month, with the counts of Form 1094-C and the highest assessable payments. Overridden cells count as the form reports them. Payments are due only if a full-time employee receives a premium tax credit.
 */
export type OfferTest = {
    employer_id: EmployerId;
    /**
     * The calendar year.
     */
    year: number;
    form_type: TaxFormType;
    /**
     * When the forms were last derived. Null before the first derivation. The test then has no months.
     */
    derived_at: Timestamp | null;
    /**
     * The number of forms: line 20 of Form 1094-C, line 9 of Form 1094-B.
     */
    form_count: number;
    /**
     * Whether box A of line 22 of Form 1094-C applies.
     */
    has_qualifying_offer: boolean;
    /**
     * The sum of the months. Null if the assessable payments of the year are unknown, and for an employer with Forms 1095-B, which owes none.
     */
    exposure_in_cents: number | null;
    /**
     * January to December. Empty before the first derivation.
     */
    months: Array<OfferTestMonth>;
};

export type OfferTestMonth = {
    /**
     * The month, from 1 to 12.
     */
    month: number;
    /**
     * Full-time employees outside limited non-assessment periods.
     */
    full_time_count: number;
    /**
     * Those who were offered coverage for themselves and their children for the whole month.
     */
    offered_count: number;
    /**
     * The percentage of full-time employees with an offer, rounded down to one decimal. Null if there are no full-time employees.
     */
    offered_percent: number | null;
    /**
     * Whether at most 5 percent or, if greater, five full-time employees lack an offer.
     */
    passes: boolean;
    /**
     * Full-time employees who are neither covered nor offered affordable coverage of minimum value.
     */
    unprotected_count: number;
    /**
     * The employees on the last day of the month.
     */
    total_count: number;
    /**
     * The kind of the assessable payment. Null if the amounts are unknown, or for Forms 1095-B.
     */
    exposure_kind: ExposureKind | null;
    /**
     * The highest assessable payment of the month. Null if `exposure_kind` is null.
     */
    exposure_in_cents: number | null;
};

export type OfferTestResponse = {
    data: OfferTest;
};

export type OrganizationEnrollmentMessage = {
    /**
     * The message.
     */
    id: EnrollmentMessageId;
    employer_id: EmployerId;
    employee_id: EmployeeId;
    /**
     * The legal first name.
     */
    member_first_name: string;
    /**
     * The legal last name.
     */
    member_last_name: string;
    benefit_plan_year_id: BenefitPlanYearId;
    kind: EnrollmentMessageKind;
    occasion: EnrollmentMessageOccasion;
    /**
     * The day of the message, by the clock of the organization.
     */
    due_on: Day;
    status: EnrollmentMessageStatus;
    /**
     * The address that it was sent to. Null if you send it.
     */
    email: string | null;
    /**
     * Why it failed or was canceled. `bounced`: the mail server refused the address. `refused`: it refused the message. `interrupted`: the connection broke, and the message may have been delivered. `not_accepted`: the mail server did not accept it within 3 days. Null otherwise.
     */
    reason: 'bounced' | 'refused' | 'interrupted' | 'not_accepted' | 'no_longer_due' | null;
    /**
     * The last status code of the mail server. Null without one.
     */
    smtp_status: number | null;
    /**
     * When the record was created.
     */
    created_at: Timestamp;
    /**
     * When it was sent, failed, or was canceled. Null until then.
     */
    finished_at: Timestamp | null;
    /**
     * When its one-time token was redeemed. Null until then.
     */
    link_used_at: Timestamp | null;
    /**
     * The display name of the employer.
     */
    employer_name: string;
};

export type OrganizationEnrollmentMessagePage = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: Array<OrganizationEnrollmentMessage>;
    pagination: Pagination;
};

export type OrganizationMember = {
    user_id: UserId;
    /**
     * The name of the member.
     */
    name: string;
    /**
     * The email address of the member. Null if it is unknown.
     */
    email: string | null;
    role: MembershipRole;
};

export type OrganizationMemberPage = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: Array<OrganizationMember>;
    pagination: Pagination;
};

/**
 * The number of employees by their progress.
 */
export type ParticipationCounts = {
    /**
     * The number of employees who can still elect or waive, or have done so.
     */
    eligible: number;
    /**
     * The number of employees who have decided about every benefit and elected at least one.
     */
    enrolled: number;
    /**
     * The number of employees who have waived every benefit.
     */
    waived: number;
    /**
     * The number of employees who have elected or waived some benefits but not all, or have saved a draft.
     */
    in_progress: number;
    /**
     * The number of employees who have neither elected or waived any benefit nor saved a draft.
     */
    not_started: number;
};

/**
 * The progress of an employee. `not_started`: no benefit is elected or waived. `in_progress`: some are, or the employee has saved an unfinished election. `enrolled`: all are, and at least one is elected. `waived`: all are waived.
 */
export type ParticipationStatus = 'not_started' | 'in_progress' | 'enrolled' | 'waived';

/**
 * Work that waits for you. A completed task disappears from the list.
 */
export type PartnerTask = {
    /**
     * The id of the task.
     */
    id: TaskId;
    kind: PartnerTaskKind;
    /**
     * The employer. Null if not applicable.
     */
    employer_id: EmployerId | null;
    /**
     * The name of that employer. Null if it concerns no single employer.
     */
    employer_name: string | null;
    /**
     * The member who is responsible: you for your mentions, otherwise the owner of the employer. Null if the employer has no owner, or if the task concerns no employer.
     */
    owner: {
        user_id: UserId;
        /**
         * The name of the member.
         */
        name: string;
    } | null;
    /**
     * The person that it concerns. Null if it concerns no single person.
     */
    employee_id: EmployeeId | null;
    /**
     * The name of the person that it concerns. Null if it concerns no single person.
     */
    person_name: string | null;
    /**
     * The number of people that it concerns: those who have not responded, are enrolled, would be terminated, are in a row that failed, are trending toward full-time status, or have a tax form. Null if it concerns no people.
     */
    people_count: number | null;
    /**
     * The id of the resource that it concerns.
     */
    resource_id: string;
    /**
     * Further ids, days, numbers and words by name, such as `type` of a life event, `benefit_name` of an enrollment, `eligible_count` of a window and `total_in_cents` of an invoice.
     */
    details: {
        [key: string]: string | number | boolean | null;
    };
    /**
     * The time when the task was opened.
     */
    opened_at: Timestamp;
    /**
     * The deadline: the last day of the window or of the plan year, the due date of the invoice, the day on which a draft is issued, 30 days after a document of a dependent, the day on which coverage would end, the day before a status can change, or the last day to furnish or to file tax forms. Null if it has no deadline.
     */
    due_on: Day | null;
    /**
     * The operation that completes the task, or the one that shows its resource.
     */
    action: {
        /**
         * The operation id.
         */
        operation: string;
        /**
         * The HTTP method.
         */
        method: string;
        /**
         * The path, with ids filled in.
         */
        path: string;
    };
};

/**
 * The tasks of a kind.
 */
export type PartnerTaskGroup = {
    kind: PartnerTaskKind;
    /**
     * The number of tasks of this kind.
     */
    total: number;
    /**
     * The number of people that it concerns: those who have not responded, are enrolled, would be terminated, are in a row that failed, are trending toward full-time status, or have a tax form. Null if it concerns no people.
     */
    people_count: number | null;
    /**
     * The earliest deadline. Null if none has a deadline.
     */
    due_on: Day | null;
};

/**
 * life_event_pending: a reported life event waits for the decision of the operator. dependent_verification_pending: documents of a dependent wait for your decision; `resource_id` is the dependent. open_enrollment_pending: people have not responded in an open enrollment window; `resource_id` is the plan year. enrollment_lapsing: an employee enrolled at the end of a plan year has neither elected nor waived in the next one and is not carried over; `resource_id` is the enrollment in the next plan year. renewal_due: a plan year ends within 120 days, or has ended, and none follows it; `resource_id` is the plan year. employer_setup: the first coverage of an employer has not started, and steps of its setup are open, for the latest 50 employers. note_mention: a note mentions you, until you mark the mention as done; `resource_id` is the note. census_held: a census that would terminate many employees waits for confirmation. census_failed: the latest census of an employer failed, or rows of it did, within the last 30 days. hris_access_lost: the payroll system rejected our credentials; the operator renews them. hris_sync_failed: the latest sync with the payroll system failed for another reason and is repeated. For these two, `resource_id` is the connection. full_time_trend: part-time employees average at least 30 hours a week so far in a measurement that continues; `resource_id` is the employer. tax_identifiers_missing: Forms 1095-C or 1095-B lack tax identifiers. tax_forms_due: those of the past year were not released. tax_forms_unmailed: released forms of the past year were not mailed, although the people did not consent to electronic delivery or the notice failed. tax_forms_unfiled: Forms 1095-C of the past year were released, and the IRS has accepted no transmission of them. Both disappear at the end of the year. tax_form_errors: the IRS rejected a transmission of these forms, to be replaced within 60 days, or reported errors in forms, until a later transmission contains them. For these five, `resource_id` is the employer with the EIN. invoice_overdue: an issued invoice is not paid. invoice_drafted: a draft that is issued automatically after three days. webhook_disabled: a receiver was gone or failed for 5 days. webhook_deliveries_failed: a receiver did not accept an event in 14 attempts, but accepts others. For these two, `resource_id` is the subscription.
 */
export type PartnerTaskKind = 'life_event_pending' | 'dependent_verification_pending' | 'open_enrollment_pending' | 'enrollment_lapsing' | 'employer_setup' | 'note_mention' | 'renewal_due' | 'census_held' | 'census_failed' | 'hris_access_lost' | 'hris_sync_failed' | 'full_time_trend' | 'tax_identifiers_missing' | 'tax_forms_due' | 'tax_forms_unmailed' | 'tax_forms_unfiled' | 'tax_form_errors' | 'invoice_overdue' | 'invoice_drafted' | 'webhook_disabled' | 'webhook_deliveries_failed';

export type PartnerTaskPage = {
    /**
     * The tasks by kind, on all pages and regardless of `kind`. The most urgent kind is first.
     */
    groups: Array<PartnerTaskGroup>;
    data: Array<PartnerTask>;
    pagination: Pagination;
};

/**
 * The deductions of one paycheck of an employee.
 */
export type Paycheck = {
    /**
     * The statement that contains the paycheck. Null for an upcoming paycheck without a statement.
     */
    statement_id: StatementId | null;
    /**
     * The first day of the pay period.
     */
    period_start_date: Day;
    /**
     * The last day of the pay period.
     */
    period_end_date: Day;
    /**
     * The sum of the lines, in cents.
     */
    total_in_cents: number;
    /**
     * The deductions of the paycheck, line by line.
     */
    lines: Array<{
        enrollment_id: EnrollmentId;
        /**
         * The name of the benefit.
         */
        benefit_name: string;
        kind: DeductionLineKind;
        /**
         * Null if the line is not a correction.
         */
        reason: CorrectionReason | null;
        /**
         * The first day of the pay periods that a correction is for. Null if the line is not a correction.
         */
        corrected_period_start_date: Day | null;
        /**
         * The last day of the pay periods that a correction is for. Null if the line is not a correction.
         */
        corrected_period_end_date: Day | null;
        /**
         * The cause of a correction: the latest change of the enrollment since the previous statement. Null for other lines, and if no recorded change explains it.
         */
        cause: AdjustmentCause | null;
        /**
         * The calendar year that the deduction belongs to.
         */
        year: number;
        /**
         * The amount in cents. Negative for a refund.
         */
        amount_in_cents: number;
        tax_classification: TaxClassification;
    }>;
};

export type PaycheckList = {
    data: Array<Paycheck>;
};

/**
 * The amount that payroll reported as deducted for an enrollment in a pay period.
 */
export type PayrollActual = {
    employee_id: EmployeeId;
    enrollment_id: EnrollmentId;
    /**
     * The amount that the statement requested, or refunded.
     */
    requested_in_cents: number;
    /**
     * The amount that payroll deducted, in cents. Negative for a refund.
     */
    taken_in_cents: number;
    /**
     * The requested amount less the deducted amount: arrears.
     */
    difference_in_cents: number;
    /**
     * When payroll reported the amount.
     */
    reported_at: Timestamp;
};

export type PayrollActualPage = {
    data: Array<PayrollActual>;
    pagination: Pagination;
};

export type PayrollActualsOutcome = {
    statement_id: StatementId;
    /**
     * The number of rows.
     */
    row_count: number;
    /**
     * Number of enrollments with a recorded amount.
     */
    recorded_count: number;
    /**
     * The rows without a match. All others are recorded.
     */
    failures: Array<{
        /**
         * The index of the row, from 0.
         */
        index: number;
        /**
         * The name of the invalid field.
         */
        field: string;
        /**
         * Why the row was not recorded.
         */
        reason: string;
    }>;
};

export type PayrollActualsOutcomeResponse = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: PayrollActualsOutcome;
};

export type PayrollActualsUpload = {
    /**
     * The amounts that payroll deducted, one row per employee and enrollment.
     */
    actuals: Array<NewPayrollActual>;
};

export type Plan = {
    id: PlanId;
    /**
     * The name of the plan.
     */
    name: string;
    benefit_id: BenefitId;
    /**
     * The name of the carrier.
     */
    carrier: string;
    /**
     * The networks of the plan.
     */
    network_names: Array<string>;
    /**
     * The URL of the summary plan description. Null if not provided.
     */
    spd_file_url: string | null;
    partial_month_rule: PartialMonthRule;
    /**
     * Whether the plan is minimum essential coverage. Excepted benefits such as dental are not.
     */
    minimum_essential: boolean;
    /**
     * Whether the plan pays at least 60% of the expected costs, with hospital and physician services.
     */
    minimum_value: boolean;
    /**
     * Whether the employer bears the claims, so that Form 1095-C lists the covered people in Part III.
     */
    self_insured: boolean;
};

export type PlanPage = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: Array<Plan>;
    pagination: Pagination;
};

export type PlanYearEnrollmentPage = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: Array<PlanYearEnrollmentRow>;
    pagination: Pagination;
};

export type PlanYearEnrollmentRow = {
    member_id: MemberId;
    employee_id: EmployeeId;
    /**
     * Your own reference for the employee. Null if not provided.
     */
    employee_external_reference_id: string | null;
    /**
     * The legal first name.
     */
    member_first_name: string;
    /**
     * The legal last name.
     */
    member_last_name: string;
    election_status: ElectionStatus;
    /**
     * The state of the coverage. `Cancelled`: coverage never began. Null unless enrolled.
     */
    policy_status: 'Coverage Upcoming' | 'Coverage Effective' | 'Coverage Ended' | 'Cancelled' | null;
    /**
     * The number of covered dependents.
     */
    dependent_count: number;
    /**
     * The name of the carrier. Null if no plan is selected.
     */
    carrier: string | null;
    /**
     * The name of the elected plan. Null unless enrolled.
     */
    plan: string | null;
    /**
     * The coverage level. Null unless enrolled.
     */
    tier: CoverageTier | null;
    /**
     * The full monthly cost of the plan. Null unless enrolled.
     */
    premium_in_cents: number | null;
    /**
     * The monthly contribution of the employer, in cents. Null unless enrolled.
     */
    employer_contribution_in_cents: number | null;
    /**
     * The monthly cost to the employee, in cents. Null unless enrolled.
     */
    employee_deduction_in_cents: number | null;
    enrollment_id: EnrollmentId;
    benefit_id: BenefitId;
    /**
     * The name of the benefit.
     */
    benefit_name: string;
    /**
     * The first day of coverage.
     */
    coverage_start: Day;
    /**
     * The last day of coverage. Null if there is no end date.
     */
    coverage_end: Day | null;
    /**
     * The last day on which the employee can elect or waive. Null if no window is open or planned.
     */
    window_ends_on: Day | null;
    /**
     * The affordability of an ICHRA for the employee alone. Null for other benefits, and if a figure is missing.
     */
    affordability: Affordability | null;
    /**
     * Why the affordability of an ICHRA is null: the missing figures. Null for other benefits.
     */
    missing_figures: Array<MissingFigure> | null;
};

/**
 * The counts of the enrollments of a plan year.
 */
export type PlanYearEnrollmentSummary = {
    /**
     * Counts each employee once. An employee with at least one election counts as `enrolled`, and with at least one open enrollment as `pending`, possibly as both.
     */
    people: EnrollmentCounts;
    /**
     * The benefits.
     */
    benefits: Array<{
        benefit_id: BenefitId;
        /**
         * The number of enrollments by status.
         */
        counts: EnrollmentCounts;
    }>;
    /**
     * A link to the whole list as CSV, valid for 15 minutes.
     */
    csv_url: string;
};

export type PlanYearEnrollmentSummaryResponse = {
    data: PlanYearEnrollmentSummary;
};

/**
 * The terms of a benefit that differ from those of the scenario.
 */
export type ProposedBenefit = {
    benefit_id: BenefitId;
    /**
     * The change of the premiums of this benefit. By default, the change of the scenario applies. Null means the same as omitting the field.
     */
    premium_change_percent?: number | null;
    /**
     * The contributions by coverage level. By default, they stay as in the plan year. Not for ICHRA. Null means the same as omitting the field.
     */
    contribution_tiers?: Array<ContributionTier> | null;
};

/**
 * The cost of the current enrollments.
 */
export type ProposedCosts = {
    /**
     * The cost of twelve months.
     */
    per_year: {
        /**
         * The full premium in cents.
         */
        premium_in_cents: number;
        /**
         * The employer contribution in cents.
         */
        employer_contribution_in_cents: number;
        /**
         * The employee deductions in cents.
         */
        employee_deduction_in_cents: number;
        /**
         * The change of the premium from the current plan year, in percent with one decimal. Null for the current plan year, or if the current amount is 0.
         */
        premium_change_percent: number | null;
        /**
         * The change of the employer contribution in percent. Null for the current plan year, or if the current amount is 0.
         */
        employer_change_percent: number | null;
        /**
         * The change of the employee deduction in percent. Null for the current plan year, or if the current amount is 0.
         */
        employee_change_percent: number | null;
    };
    /**
     * The cost of twelve months divided by the enrolled employees.
     */
    per_head: {
        /**
         * The full premium in cents.
         */
        premium_in_cents: number;
        /**
         * The employer contribution in cents.
         */
        employer_contribution_in_cents: number;
        /**
         * The employee deductions in cents.
         */
        employee_deduction_in_cents: number;
    };
    tiers: Array<ProposedTier>;
    plans: Array<ProposedPlan>;
};

/**
 * The cost per month of one enrollment in a plan and coverage level. The average if the cost depends on the person.
 */
export type ProposedPlan = {
    benefit_id: BenefitId;
    /**
     * The name of the benefit.
     */
    benefit_name: string;
    benefit_plan_id: PlanId;
    /**
     * The name of the plan.
     */
    benefit_plan_name: string;
    coverage_tier: CoverageTier;
    /**
     * The number of enrollments.
     */
    enrollment_count: number;
    /**
     * The full premium in cents.
     */
    premium_in_cents: number;
    /**
     * The employer contribution in cents.
     */
    employer_contribution_in_cents: number;
    /**
     * The employee deductions in cents.
     */
    employee_deduction_in_cents: number;
};

/**
 * The premium of a plan for a coverage level in the next plan year.
 */
export type ProposedRate = {
    benefit_plan_id: PlanId;
    coverage_tier: CoverageTier;
    /**
     * The full premium in cents per month.
     */
    premium_in_cents: number;
};

/**
 * The cost per year of all enrollments in a coverage level.
 */
export type ProposedTier = {
    coverage_tier: CoverageTier;
    /**
     * The number of enrollments.
     */
    enrollment_count: number;
    /**
     * The full premium in cents.
     */
    premium_in_cents: number;
    /**
     * The employer contribution in cents.
     */
    employer_contribution_in_cents: number;
    /**
     * The employee deductions in cents.
     */
    employee_deduction_in_cents: number;
    /**
     * The change of the premium from the current plan year, in percent with one decimal. Null for the current plan year, or if the current amount is 0.
     */
    premium_change_percent: number | null;
    /**
     * The change of the employer contribution in percent. Null for the current plan year, or if the current amount is 0.
     */
    employer_change_percent: number | null;
    /**
     * The change of the employee deduction in percent. Null for the current plan year, or if the current amount is 0.
     */
    employee_change_percent: number | null;
};

/**
 * `employee`: opened with a token of the employee. `partner`: reported by your own systems.
 */
export type ReceiptSource = 'employee' | 'partner';

export type Rehire = {
    /**
     * The first day of employment.
     */
    start_date: Day;
    /**
     * The employee class, which determines eligibility and allowances. Null means the same as omitting the field.
     */
    employee_class?: EmployeeClass | null;
    /**
     * The compensation type. Null means the same as omitting the field.
     */
    compensation_type?: CompensationType | null;
    /**
     * The bargaining unit: the employees under one collective bargaining agreement, by a name of your own. Null means the same as omitting the field.
     */
    bargaining_unit?: string | null;
    /**
     * Your own reference. Null means the same as omitting the field.
     */
    reference_id?: string | null;
};

export type Reinstatement = {
    /**
     * The reason. It is stored with the correction, which the operator can list. Null means the same as omitting the field.
     */
    reason?: string | null;
};

export type ReleasedTaxForm = {
    /**
     * The calendar year that the forms report.
     */
    tax_year: number;
    form: TaxFormType;
    /**
     * The number of the release of this form, from 1.
     */
    version: number;
    /**
     * Whether it corrects an earlier released form.
     */
    is_corrected: boolean;
    /**
     * When the form was released.
     */
    released_at: Timestamp;
    file: DownloadLink;
};

/**
 * Why an employee is not reminded. `not_in_plan_year`: no benefit of the plan year. `answered`: no benefit is pending. `window_closed`: the employee cannot elect or waive today. `other_status`: excluded by `status`. `messaged_today`: a message about this plan year was created today. For emails also `no_email`, `address_bounced` and `unsubscribed`.
 */
export type ReminderSkipReason = 'not_in_plan_year' | 'answered' | 'window_closed' | 'other_status' | 'messaged_today' | 'no_email' | 'address_bounced' | 'unsubscribed';

export type RenewalPage = {
    data: Array<RenewalRow>;
    pagination: Pagination;
};

export type RenewalProposal = {
    /**
     * The proposal. Null for a dry run.
     */
    renewal_proposal_id: RenewalProposalId | null;
    employer_id: EmployerId;
    /**
     * The plan year that is renewed.
     */
    benefit_plan_year_id: BenefitPlanYearId;
    /**
     * The first day of the next plan year.
     */
    coverage_start: Day;
    /**
     * The last day of the next plan year.
     */
    coverage_end: Day;
    /**
     * Null without open enrollment.
     */
    open_enrollment_start: Day | null;
    /**
     * Null without open enrollment.
     */
    open_enrollment_end: Day | null;
    renewal: Renewal;
    /**
     * The number of employees who are covered on the last day of the plan year.
     */
    enrolled_employee_count: number;
    /**
     * The cost of the enrollments in the current plan year.
     */
    current: ProposedCosts;
    /**
     * The cost of the same enrollments in each scenario, in the order of the request.
     */
    scenarios: Array<{
        /**
         * The cost of twelve months.
         */
        per_year: {
            /**
             * The full premium in cents.
             */
            premium_in_cents: number;
            /**
             * The employer contribution in cents.
             */
            employer_contribution_in_cents: number;
            /**
             * The employee deductions in cents.
             */
            employee_deduction_in_cents: number;
            /**
             * The change of the premium from the current plan year, in percent with one decimal. Null for the current plan year, or if the current amount is 0.
             */
            premium_change_percent: number | null;
            /**
             * The change of the employer contribution in percent. Null for the current plan year, or if the current amount is 0.
             */
            employer_change_percent: number | null;
            /**
             * The change of the employee deduction in percent. Null for the current plan year, or if the current amount is 0.
             */
            employee_change_percent: number | null;
        };
        /**
         * The cost of twelve months divided by the enrolled employees.
         */
        per_head: {
            /**
             * The full premium in cents.
             */
            premium_in_cents: number;
            /**
             * The employer contribution in cents.
             */
            employer_contribution_in_cents: number;
            /**
             * The employee deductions in cents.
             */
            employee_deduction_in_cents: number;
        };
        tiers: Array<ProposedTier>;
        plans: Array<ProposedPlan>;
        /**
         * The name of the scenario.
         */
        name: string;
    }>;
    /**
     * When the record was created.
     */
    created_at: Timestamp;
};

export type RenewalProposalId = string;

export type RenewalProposalPage = {
    data: Array<RenewalProposalSummary>;
    pagination: Pagination;
};

export type RenewalProposalResponse = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: RenewalProposal;
};

/**
 * A stored proposal.
 */
export type RenewalProposalSummary = {
    employer_id: EmployerId;
    /**
     * The plan year that is renewed.
     */
    benefit_plan_year_id: BenefitPlanYearId;
    /**
     * The first day of the next plan year.
     */
    coverage_start: Day;
    /**
     * The last day of the next plan year.
     */
    coverage_end: Day;
    /**
     * When the record was created.
     */
    created_at: Timestamp;
    /**
     * The proposal.
     */
    renewal_proposal_id: RenewalProposalId;
    /**
     * The compared scenarios.
     */
    scenarios: Array<{
        /**
         * The name of the scenario.
         */
        name: string;
        /**
         * The cost of twelve months.
         */
        per_year: {
            /**
             * The full premium in cents.
             */
            premium_in_cents: number;
            /**
             * The employer contribution in cents.
             */
            employer_contribution_in_cents: number;
            /**
             * The employee deductions in cents.
             */
            employee_deduction_in_cents: number;
            /**
             * The change of the premium from the current plan year, in percent with one decimal. Null for the current plan year, or if the current amount is 0.
             */
            premium_change_percent: number | null;
            /**
             * The change of the employer contribution in percent. Null for the current plan year, or if the current amount is 0.
             */
            employer_change_percent: number | null;
            /**
             * The change of the employee deduction in percent. Null for the current plan year, or if the current amount is 0.
             */
            employee_change_percent: number | null;
        };
    }>;
};

/**
 * The effect of a renewal on the coverage of an employee by a benefit in the next plan year.
 */
export type RenewalRow = {
    member_id: MemberId;
    employee_id: EmployeeId;
    /**
     * Your own reference for the employee. Null if not provided.
     */
    employee_external_reference_id: string | null;
    /**
     * The legal first name.
     */
    member_first_name: string;
    /**
     * The legal last name.
     */
    member_last_name: string;
    benefit_id: BenefitId;
    /**
     * The name of the benefit.
     */
    benefit_name: string;
    /**
     * The enrollment in the previous plan year. Null without one.
     */
    former_enrollment_id: EnrollmentId | null;
    /**
     * The coverage on the last day of the previous plan year. Null without coverage.
     */
    former_plan: string | null;
    /**
     * The previous coverage level. Null without previous coverage.
     */
    former_coverage_tier: CoverageTier | null;
    /**
     * The enrollment in this plan year. Null until it is granted.
     */
    enrollment_id: EnrollmentId | null;
    outcome: RenewalOutcome;
    /**
     * The reason why the employee is not carried over. `coverage_ended`: coverage ended before the last day of the plan year. `nothing_to_carry`: the employee had neither elected nor waived. `benefit_not_offered`: the benefit is no longer offered. `not_eligible`: no enrollment could begin. `coverage_gap`: the previous plan year did not end on the day before. `active_renewal`: the plan year requires each employee to elect. `choice_group`: the employee has another benefit of the choice group. `plan_not_offered`: neither the plan nor a successor is offered. `tier_not_offered`: the coverage level that fits the remaining dependents is not offered. `no_premium`: the plan has no premium for one of the people in the employee's area. `after_renewal`: the facts changed after the renewal. Null if not provided.
     */
    reason: RenewalReason | null;
    /**
     * Whether the employee is enrolled or has waived, stored or by a future renewal. Null if the employee is not carried over.
     */
    answer: EnrollmentAnswer | null;
    /**
     * The first day of coverage. Null if unknown.
     */
    coverage_start: Day | null;
    /**
     * The plan. Null unless enrolled.
     */
    plan: {
        id: PlanId;
        /**
         * The name of the plan.
         */
        name: string;
        /**
         * The name of the carrier.
         */
        carrier: string;
    } | null;
    /**
     * The coverage level. Null without coverage.
     */
    coverage_tier: CoverageTier | null;
    /**
     * The full monthly premium in cents, at the price of this plan year. Null unless enrolled.
     */
    premium_in_cents: number | null;
    /**
     * The monthly contribution of the employer, in cents. Null unless enrolled.
     */
    employer_contribution_in_cents: number | null;
    /**
     * The monthly cost to the employee, in cents. Null unless enrolled.
     */
    employee_deduction_in_cents: number | null;
    /**
     * The dependents who are covered with the employee. Empty if there are none.
     */
    dependent_ids: Array<DependentId>;
};

/**
 * Rates and contributions for the next plan year.
 */
export type RenewalScenario = {
    /**
     * The name of the scenario.
     */
    name: string;
    /**
     * The change of all premiums in percent, with at most two decimals. It applies to the rates of the catalog on coverage_start, or for ICHRA to the current premiums. The default is 0. Amounts are rounded half up to cents. Null means the same as omitting the field.
     */
    premium_change_percent?: number | null;
    /**
     * Quoted premiums, to which no change in percent applies. Not for ICHRA. Null means the same as omitting the field.
     */
    rates?: Array<ProposedRate> | null;
    /**
     * The benefits. Null means the same as omitting the field.
     */
    benefits?: Array<ProposedBenefit> | null;
};

export type ResidentialAddress = {
    /**
     * The street and number. Null means the same as omitting the field.
     */
    address_line_1?: string | null;
    /**
     * The apartment, suite or similar. Null means the same as omitting the field.
     */
    address_line_2?: string | null;
    /**
     * An alias of `address_line_1`. Null means the same as omitting the field.
     */
    street_1?: string | null;
    /**
     * An alias of `address_line_2`. Null means the same as omitting the field.
     */
    street_2?: string | null;
    /**
     * The city.
     */
    city: string;
    state: State;
    /**
     * The ZIP code of five or nine digits. Null means the same as omitting the field.
     */
    zipcode?: Zipcode | null;
    /**
     * An alias of `zipcode`. Null means the same as omitting the field.
     */
    zip_code?: Zipcode | null;
    /**
     * Determines the rating area for an ICHRA. Null means the same as omitting the field.
     */
    county?: string | null;
};

export type ReviewedForm1095c = {
    employee_id: EmployeeId;
    /**
     * The legal first name.
     */
    first_name: string;
    /**
     * The legal last name.
     */
    last_name: string;
    need: Form1095cNeed;
    /**
     * The problems to check, the most urgent first.
     */
    exceptions: Array<Form1095cException>;
    /**
     * The codes of line 14, January to December. Empty for Form 1095-B.
     */
    line_14: Array<Form1095cOfferCode>;
    /**
     * The codes of line 16. Empty for Form 1095-B.
     */
    line_16: Array<Form1095cReliefCode | null>;
};

export type Rotation = {
    /**
     * How many hours the previous secret stays valid, from 0 to 168.
     */
    overlap_hours?: number;
};

/**
 * A list that is sent by email on a schedule.
 */
export type ScheduledExport = {
    /**
     * The scheduled export.
     */
    id: ScheduledExportId;
    /**
     * The name of the export, which becomes the subject of the emails.
     */
    name: string;
    list: ExportList;
    /**
     * The parameters of the list as in its URL: the ids of its path, such as `employer_id`, and its filters. A filter with several values is an array.
     */
    parameters: {
        [key: string]: string | Array<string>;
    };
    format: ExportFormat;
    frequency: ExportFrequency;
    /**
     * The members of your organization who receive the file. Their role must allow reading the list. Each file has only what its recipient may see.
     */
    recipients: Array<{
        user_id: UserId;
        /**
         * The name of the member.
         */
        name: string;
        /**
         * The email address. Null if unknown.
         */
        email: string | null;
    }>;
    /**
     * The next day on which the file is sent.
     */
    next_on: Day;
    /**
     * The last day on which the file was sent. Null if it was never due.
     */
    latest_on: Day | null;
    /**
     * The deliveries of that day, by recipient.
     */
    latest_deliveries: Array<ExportDelivery>;
    /**
     * The user who created it. Null if the credential had no user.
     */
    created_by: UserId | null;
    /**
     * When the record was created.
     */
    created_at: Timestamp;
};

export type ScheduledExportId = string;

export type ScheduledExportPage = {
    data: Array<ScheduledExport>;
    pagination: Pagination;
};

export type ScheduledExportResponse = {
    data: ScheduledExport;
};

/**
 * The hours of service of an employee in a period.
 */
export type ServiceHours = {
    employee_id: EmployeeId;
    kind: HoursKind;
    period_starts_on: Day;
    period_ends_on: Day;
    /**
     * Hours with at most two decimals. 0 for unpaid leave and breaks.
     */
    hours: number;
    /**
     * When these hours were reported.
     */
    reported_at: Timestamp;
};

export type ServiceHoursPage = {
    data: Array<ServiceHours>;
    pagination: Pagination;
};

export type ShownEnrollmentMessage = {
    /**
     * The message.
     */
    id: EnrollmentMessageId;
    employer_id: EmployerId;
    employee_id: EmployeeId;
    /**
     * The legal first name.
     */
    member_first_name: string;
    /**
     * The legal last name.
     */
    member_last_name: string;
    benefit_plan_year_id: BenefitPlanYearId;
    kind: EnrollmentMessageKind;
    occasion: EnrollmentMessageOccasion;
    /**
     * The day of the message, by the clock of the organization.
     */
    due_on: Day;
    status: EnrollmentMessageStatus;
    /**
     * The address that it was sent to. Null if you send it.
     */
    email: string | null;
    /**
     * Why it failed or was canceled. `bounced`: the mail server refused the address. `refused`: it refused the message. `interrupted`: the connection broke, and the message may have been delivered. `not_accepted`: the mail server did not accept it within 3 days. Null otherwise.
     */
    reason: 'bounced' | 'refused' | 'interrupted' | 'not_accepted' | 'no_longer_due' | null;
    /**
     * The last status code of the mail server. Null without one.
     */
    smtp_status: number | null;
    /**
     * When the record was created.
     */
    created_at: Timestamp;
    /**
     * When it was sent, failed, or was canceled. Null until then.
     */
    finished_at: Timestamp | null;
    /**
     * When its one-time token was redeemed. Null until then.
     */
    link_used_at: Timestamp | null;
    /**
     * The email, in a sandbox organization. `download_url` is a page with the email as HTML. Null in other organizations, and if you send it.
     */
    content: {
        /**
         * The subject.
         */
        subject: string;
        /**
         * The email as text.
         */
        text: string;
        /**
         * The email as HTML.
         */
        html: string;
        /**
         * Returns the file with GET, without a key. Anyone with the link can download it.
         */
        download_url: string;
        /**
         * The link returns 404 from then on, or sooner if its API key ends or changes roles.
         */
        expires_at: Timestamp;
    } | null;
};

export type ShownEnrollmentMessageResponse = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: ShownEnrollmentMessage;
};

export type SortDirection = 'asc' | 'desc';

export type SubscribedEventName = 'benefit_plan_year.amended' | 'dependent.coverage_ending' | 'dependent.coverage_ended' | 'dependent.coverage_reinstated' | 'dependent.verification_requested' | 'dependent.verification_decided' | 'document.created' | 'document.updated' | 'document.withdrawn' | 'employer.created' | 'employer.updated' | 'employer.eligibility_policy_created' | 'employer.user_mentioned' | 'employee.created' | 'employee.updated' | 'employee.eligibility_granted' | 'employee.eligibility_terminated' | 'employee.measured_full_time' | 'employee.stability_ended' | 'employee.deactivated' | 'employee.rehired' | 'employee.reinstated' | 'employee.deduction_created' | 'employee.document_opened' | 'employee.email_bounced' | 'employee.tax_form_posted' | 'employee.user_mentioned' | 'enrollment.invitation_due' | 'enrollment.reminder_due' | 'enrollment.granted' | 'enrollment.started' | 'enrollment.elected' | 'enrollment.accepted' | 'enrollment.waived' | 'enrollment.renewed' | 'enrollment.resumed' | 'enrollment.resumption_withdrawn' | 'enrollment.terminated' | 'enrollment.termination_rescheduled' | 'enrollment.reissued' | 'enrollment.reinstated' | 'enrollment.amended' | 'census_sync.completed' | 'group_member_sync.completed' | 'invoice.issued' | 'api_key.created' | 'api_key.rotated' | 'api_key.revoked' | 'webhook_subscription.disabled';

/**
 * The facts of an employment and a tax year that only the employer knows.
 */
export type TaxFacts = {
    /**
     * The wages in box 1 of Form W-2. Null if they are unknown.
     */
    w2_wages_in_cents: number | null;
    /**
     * The months with contributions to a multiemployer plan that offers affordable coverage (code 2E).
     */
    multiemployer_months: Array<number>;
    /**
     * Periods of COBRA. Each continues the last medical coverage that began before the end of its first month.
     */
    continuation_coverage: Array<ContinuationCoverage>;
};

export type TaxFactsInput = {
    /**
     * The calendar year that the form reports.
     */
    tax_year: number;
    /**
     * The employees, each once.
     */
    employees: Array<TaxFactsOfEmployee>;
};

export type TaxFactsOfEmployee = {
    employee_id: EmployeeId;
    /**
     * The wages in box 1 of Form W-2. Null if they are unknown.
     */
    w2_wages_in_cents?: number | null;
    /**
     * The months with contributions to a multiemployer plan that offers affordable coverage (code 2E).
     */
    multiemployer_months?: Array<number>;
    /**
     * Periods of COBRA. Each continues the last medical coverage that began before the end of its first month.
     */
    continuation_coverage?: Array<ContinuationCoverage>;
};

export type TaxFactsSaved = {
    employer_id: EmployerId;
    /**
     * The calendar year that the form reports.
     */
    tax_year: number;
};

export type TaxFactsSavedResponse = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: TaxFactsSaved;
};

export type TaxFormFurnisher = {
    /**
     * The legal name.
     */
    legal_name: string;
    /**
     * A US address.
     */
    address: Address;
    /**
     * 10 digits. Null if unknown.
     */
    phone_number: string | null;
    /**
     * The email address.
     */
    email: string;
};

/**
 * 1095-C: of an applicable large employer, with Form 1094-C. 1095-B: of another employer with a self-insured plan or an ICHRA, with Form 1094-B.
 */
export type TaxFormType = '1095-B' | '1095-C';

/**
 * Whether the tax identifier of a person is stored. Never the number.
 */
export type TaxIdentifier = {
    /**
     * The member id of the employee, or the id of the dependent.
     */
    person_id: string;
    relationship: TaxIdentifierHolder;
    /**
     * The last four digits. Null if no tax identifier is stored.
     */
    last_four: string | null;
    /**
     * When the record last changed. Null if no tax identifier is stored.
     */
    updated_at: Timestamp | null;
};

/**
 * The employee, or the relationship of the dependent.
 */
export type TaxIdentifierHolder = 'employee' | 'spouse' | 'domestic_partner' | 'child';

export type TaxIdentifierList = {
    data: Array<TaxIdentifier>;
};

export type TaxIdentifierResponse = {
    data: TaxIdentifier;
};

export type Termination = {
    /**
     * The last day employed: at most 60 days ago, or in the future.
     */
    termination_date: Day;
    /**
     * The reason, as text. Null means the same as omitting the field.
     */
    reason?: string | null;
};

export type TrendMonth = {
    /**
     * A month.
     */
    month: string;
    /**
     * The employees eligible for coverage on the first of the month, and how many were enrolled.
     */
    participation: EnrollmentRate;
    /**
     * The total of the invoices for the month, including drafts and without voided ones. Null if your role and scopes do not include money.
     */
    premium_in_cents: number | null;
};

/**
 * Participation and premium by month.
 */
export type Trends = {
    /**
     * The last twelve months, oldest first. The last one is the current month.
     */
    months: Array<TrendMonth>;
};

export type TrendsResponse = {
    data: Trends;
};

/**
 * `not_started`: no benefit is elected or waived. `in_progress`: some are.
 */
export type UnfinishedStatus = 'not_started' | 'in_progress';

/**
 * An employee who has not opened a document.
 */
export type UnopenedDocument = {
    employee_id: EmployeeId;
    employer_id: EmployerId;
    /**
     * The name of the employer.
     */
    employer_name: string;
    /**
     * The first name of the employee.
     */
    member_first_name: string;
    /**
     * The last name of the employee.
     */
    member_last_name: string;
};

export type UnopenedDocumentPage = {
    data: Array<UnopenedDocument>;
    pagination: Pagination;
};

export type Wage = {
    /**
     * The monthly wage, in cents.
     */
    monthly_wage_in_cents: number;
    /**
     * The first day of the wage.
     */
    effective_on: Day;
};

export type WageEntry = {
    /**
     * The monthly wage, in cents.
     */
    monthly_wage_in_cents: number;
    /**
     * The first day on which it applies.
     */
    effective_on: Day;
};

export type WagePage = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: Array<WageEntry>;
    pagination: Pagination;
};

export type WageResponse = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: Wage;
};

export type Waiver = {
    /**
     * The reason, as text. Null means the same as omitting the field.
     */
    reason?: string | null;
    /**
     * The reason as a code. Null means the same as omitting the field.
     */
    reason_code?: WaiverReason | null;
};

export type WebhookDeliveryResponse = {
    data: WebhookDelivery;
};

export type WebhookEventResponse = {
    data: WebhookEvent;
};

/**
 * The body posted to a subscription, signed according to Standard Webhooks 1.0. `webhook-id` is the event id, `webhook-timestamp` is the send time in Unix seconds, and `webhook-signature` signs both and the body.
 */
export type WebhookMessage = {
    /**
     * The name of the event.
     */
    type: string;
    /**
     * When the event occurred.
     */
    timestamp: Timestamp;
    /**
     * The event, without personal data.
     */
    data: {
        /**
         * The id of the event. It is the same in every attempt, so use it to detect repeats.
         */
        event_id: WebhookEventId;
        /**
         * The same as `type`.
         */
        event_name: string;
        /**
         * The type of the resource: the part of the event name before the dot.
         */
        resource_type: string;
        /**
         * The id of the resource. Read it to get the current state.
         */
        resource_id: string;
        organization_id: OrganizationId;
        /**
         * The same as `timestamp`.
         */
        created_at: Timestamp;
        /**
         * The number of the event within its resource, from 1. Higher numbers are later.
         */
        sequence: number;
    };
};

export type WebhookSubscriptionChanges = {
    /**
     * The URL that receives events: https on the public internet, at port 443 or a port of 1024 or higher. Null means the same as omitting the field.
     */
    url?: string | null;
    /**
     * The names of events to send. Empty for all, including those of later versions. Null means the same as omitting the field.
     */
    event_names?: Array<SubscribedEventName> | null;
    /**
     * A description for your own use. Null means the same as omitting the field.
     */
    description?: string | null;
    /**
     * False stops deliveries, and true resumes them. Replay events that were missed in between. Null means the same as omitting the field.
     */
    enabled?: boolean | null;
};

export type WebhookSubscriptionResponse = {
    data: WebhookSubscription;
};

export type WebhookSubscriptionWithSecret = {
    id: WebhookSubscriptionId;
    organization_id: OrganizationId;
    /**
     * The URL that receives the events.
     */
    url: string;
    /**
     * The names of the events that are sent. Empty for all.
     */
    event_names: Array<WebhookEventName>;
    /**
     * A description for people. Null if not provided.
     */
    description: string | null;
    /**
     * Whether events are sent.
     */
    enabled: boolean;
    /**
     * The time when deliveries stopped. Null while enabled.
     */
    disabled_at: Timestamp | null;
    /**
     * `requested` by you, `gone` because the receiver responded with 410, or `failing` for 5 days. Null while enabled.
     */
    disabled_reason: DisabledReason | null;
    /**
     * The first failed attempt since the last successful one. Null unless failing.
     */
    failing_since: Timestamp | null;
    /**
     * After a rotation: when the latest previous secret stops signing. Null if it no longer signs.
     */
    former_secret_until: Timestamp | null;
    /**
     * When the record was created.
     */
    created_at: Timestamp;
    /**
     * When the record last changed.
     */
    updated_at: Timestamp;
    /**
     * Signs deliveries (Standard Webhooks 1.0). Shown only once.
     */
    secret: string;
};

export type WebhookSubscriptionWithSecretResponse = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: WebhookSubscriptionWithSecret;
};

/**
 * Five or nine digits: `94105`, `94105-1234` or `941051234`.
 */
export type Zipcode = string;

export type ListOrganizationsQuery = {
    /**
     * Items per page, from 1 to 100. Defaults to 20 if only `page` is sent.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type ListOrganizationMembersQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type InvitationsListQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type SessionsListQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type ApiKeysListQuery = {
    /**
     * Returns the unbound keys of members that reach your organization, instead of the keys bound to it. Their names and origins are omitted, and they cannot be changed here.
     */
    unbound?: boolean;
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type AuditEntriesListQuery = {
    /**
     * Only entries at or after this instant.
     */
    occurred_after?: Timestamp;
    /**
     * Only entries before this instant.
     */
    occurred_before?: Timestamp;
    /**
     * Only entries of this credential or user, by id.
     */
    actor?: string;
    /**
     * Only entries of this operation, by id.
     */
    operation?: string;
    /**
     * Only entries about this resource.
     */
    resource_id?: string;
    /**
     * Only the entry of this request, by its `X-Request-Id`.
     */
    trace_id?: string;
    /**
     * Only entries with this outcome.
     */
    outcome?: AuditOutcome;
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * The `next_offset` of the previous page. Opaque, and only valid for the same list.
     */
    offset?: string;
};

export type AuditEntriesExportQuery = {
    /**
     * Only entries at or after this instant.
     */
    occurred_after?: Timestamp;
    /**
     * Only entries before this instant.
     */
    occurred_before?: Timestamp;
    /**
     * Only entries of this credential or user, by id.
     */
    actor?: string;
    /**
     * Only entries of this operation, by id.
     */
    operation?: string;
    /**
     * Only entries about this resource.
     */
    resource_id?: string;
    /**
     * Only the entry of this request, by its `X-Request-Id`.
     */
    trace_id?: string;
    /**
     * Only entries with this outcome.
     */
    outcome?: AuditOutcome;
    /**
     * The format of the file. `ndjson` has one AuditEntry per line.
     */
    format?: 'csv' | 'ndjson';
};

export type EmployeesListWagesQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type TasksListQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
    /**
     * Only tasks of these kinds.
     */
    kind?: Array<PartnerTaskKind>;
    /**
     * Only tasks of this employer.
     */
    employer_id?: EmployerId;
    /**
     * Only tasks that one of these members owns.
     */
    owner_user_id?: Array<UserId>;
};

export type EmployersListQuery = {
    /**
     * Part of the name or legal name, or the exact EIN (with or without its dash), employer id, or email address of a current admin.
     */
    search?: string;
    /**
     * Only employers with an active benefit in one of these families.
     */
    benefit_family?: Array<BenefitFamily>;
    /**
     * Only employers in one of these stages.
     */
    benefit_lifecycle_stage?: Array<EmployerLifecycleStage>;
    /**
     * Only employers connected to one of these providers, in any case. The HRIS providers endpoint lists the values.
     */
    hris_provider?: Array<string>;
    /**
     * Only employers whose connection is in one of these states.
     */
    hris_status?: Array<HrisStatus>;
    /**
     * Only employers that one of these members owns. Requires one organization.
     */
    owner_user_id?: Array<UserId>;
    /**
     * Whether to include cancelled employers. They are also included if you filter by their stage.
     */
    include_cancelled?: boolean;
    /**
     * The order of the list. `enrollment` is the share of eligible employees who are enrolled. Employers without a value come last. All orders but `newest` require one organization.
     */
    sort?: EmployerOrder;
    /**
     * Ascending or descending. Has no effect on `newest`.
     */
    order?: SortDirection;
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type EmployersCountQuery = {
    /**
     * Part of the name or legal name, or the exact EIN (with or without its dash), employer id, or email address of a current admin.
     */
    search?: string;
    /**
     * Only employers with an active benefit in one of these families.
     */
    benefit_family?: Array<BenefitFamily>;
    /**
     * Only employers in one of these stages.
     */
    benefit_lifecycle_stage?: Array<EmployerLifecycleStage>;
    /**
     * Only employers connected to one of these providers, in any case. The HRIS providers endpoint lists the values.
     */
    hris_provider?: Array<string>;
    /**
     * Only employers whose connection is in one of these states.
     */
    hris_status?: Array<HrisStatus>;
    /**
     * Only employers that one of these members owns. Requires one organization.
     */
    owner_user_id?: Array<UserId>;
    /**
     * Whether to include cancelled employers. They are also included if you filter by their stage.
     */
    include_cancelled?: boolean;
};

export type EmployersListAdminsQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type EmployersListNotesQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type EmployeesListNotesQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type PlansListQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type DocumentsListQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
    /**
     * Returns only documents of this employer and its plan years.
     */
    employer_id?: EmployerId;
    /**
     * Returns only documents of this plan year.
     */
    benefit_plan_year_id?: BenefitPlanYearId;
    /**
     * Returns only documents of this plan.
     */
    plan_id?: PlanId;
    /**
     * Returns only versions and translations of this document.
     */
    series_id?: DocumentId;
    /**
     * Returns only documents with this scope.
     */
    scope?: DocumentScope;
    /**
     * Returns only documents of this kind.
     */
    kind?: DocumentKind;
    /**
     * Returns only documents in this language.
     */
    language?: Language;
    /**
     * Returns only documents with this status.
     */
    status?: DocumentStatus;
};

export type DocumentsListReceiptsQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type DocumentsListUnopenedQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
    /**
     * Returns only employees of this employer.
     */
    employer_id?: EmployerId;
};

export type EmployeesListDocumentsQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
    /**
     * The preferred language. A document without this translation is returned in another language.
     */
    language?: Language;
};

export type EmployersListBenefitEligibilityPoliciesQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type EmployeesExplainEligibilityQuery = {
    /**
     * The day to explain. The default is today.
     */
    as_of?: Day;
};

export type EmployersListBenefitPlanYearsQuery = {
    /**
     * Returns only plan years of this year.
     */
    year?: number;
};

export type EmployeesListEnrollmentsQuery = {
    /**
     * Shows each enrollment on this day, past or future, according to current data. The default is today.
     */
    as_of?: Day;
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type EnrollmentsGetHistoryQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type EmployersListBenefitPlanYearEnrollmentsQuery = {
    /**
     * Returns only enrollments with one of these statuses. Case-insensitive.
     */
    election_status?: Array<'enrolled' | 'waived' | 'pending' | 'expired'>;
    /**
     * `window_end` and `coverage_end` sort the earliest future end first.
     */
    sort?: 'newest' | 'name' | 'window_end' | 'coverage_start' | 'coverage_end';
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
    /**
     * Part of the name, or several words of it in any order, ignoring case and accents. Or the exact reference of the employee or group member, or the exact `mbr_`, `empl_` or `grpmbr_` id.
     */
    search?: string;
};

export type TrendsGetQuery = {
    /**
     * Only this employer. By default, all employers together.
     */
    employer_id?: EmployerId;
};

export type EmployersListEnrollmentWindowPeopleQuery = {
    /**
     * Returns only employees with one of these statuses. Case-insensitive.
     */
    status?: Array<ParticipationStatus>;
    /**
     * Returns only employees with a pending benefit and an open window, whom you can remind.
     */
    can_answer?: boolean;
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
    /**
     * Part of the name or email address, or several words of the name in any order, ignoring case and accents.
     */
    search?: string;
};

export type EmployersGetBenefitPlanYearRenewalQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type EmployersListRenewalProposalsQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type EmployersListEnrollmentMessagesQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
    /**
     * Only messages about this plan year.
     */
    benefit_plan_year_id?: BenefitPlanYearId;
    /**
     * Only messages to this employee.
     */
    employee_id?: EmployeeId;
    /**
     * Only messages with one of these states. Case-insensitive.
     */
    status?: Array<EnrollmentMessageStatus>;
};

export type ListEnrollmentMessagesQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
    /**
     * Only messages with one of these states. Case-insensitive.
     */
    status?: Array<EnrollmentMessageStatus>;
};

export type DependentsListQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type LifeEventsListQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type EmployeesGetConfirmationQuery = {
    /**
     * The language of the document.
     */
    language?: Language;
};

export type EmployeesGetBenefitsStatementQuery = {
    /**
     * The calendar year. Default: the current one.
     */
    year?: number;
};

export type EmployeesGetBenefitsStatementPdfQuery = {
    /**
     * The calendar year. Default: the current one.
     */
    year?: number;
    /**
     * The language of the document.
     */
    language?: Language;
};

export type EmployersListBenefitPlanYearAmendmentsQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type EmployersListManualAdjustmentsQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type PayrollDeductionStatementsListQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * The `next_offset` of the previous page. Opaque, and only valid for the same organization.
     */
    offset?: string;
    /**
     * Only statements that end in this month or later.
     */
    period_from?: string;
    /**
     * Only statements that end in this month or earlier.
     */
    period_to?: string;
    /**
     * Part of the name or legal name of an employer. At most 100 employers.
     */
    search?: string;
};

export type EmployersListPayrollDeductionStatementsQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type EmployeesProveDeductionsQuery = {
    /**
     * The calendar year. Default: the current one.
     */
    year?: number;
};

export type EmployeesListPaychecksQuery = {
    /**
     * The calendar year. Default: the current one.
     */
    year?: number;
};

export type InvoicesListQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * The `next_offset` of the previous page. Opaque, and only valid for the same organization.
     */
    offset?: string;
    /**
     * `overdue`: open and due before today.
     */
    status?: Array<'draft' | 'open' | 'overdue' | 'paid' | 'void'>;
    /**
     * Only invoices of this month or later.
     */
    period_from?: string;
    /**
     * Only invoices of this month or earlier.
     */
    period_to?: string;
    /**
     * Whether to include drafts, which are not final.
     */
    include_drafts?: boolean;
    /**
     * Only invoices that are issued and neither paid nor void, by the time since the due date: not due, 1 to 30 days, 31 to 60 days, 61 to 90 days, or longer.
     */
    age?: Array<InvoiceAge>;
    /**
     * Only invoices of this employer.
     */
    employer_id?: EmployerId;
    /**
     * Part of the name or legal name of an employer (at most 100 employers), or the id or number of an invoice.
     */
    search?: string;
};

export type InvoicesListAgingQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type EmployersListInvoicesQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * The `next_offset` of the previous page. Opaque, and only valid for the same employer.
     */
    offset?: string;
    /**
     * `overdue`: open and due before today.
     */
    status?: Array<'draft' | 'open' | 'overdue' | 'paid' | 'void'>;
    /**
     * Only invoices of this month or later.
     */
    period_from?: string;
    /**
     * Only invoices of this month or earlier.
     */
    period_to?: string;
    /**
     * Whether to include drafts, which are not final.
     */
    include_drafts?: boolean;
};

export type EmployersListInvoiceLinesQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
    /**
     * Only lines of this employee.
     */
    employee_id?: EmployeeId;
};

export type EmployersListPayrollActualsQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type EmployersListEmployeesQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
    /**
     * Only employees with this status.
     */
    employment_status?: EmploymentStatus;
    /**
     * Part of a name or email address, or several words of the name in any order. Ignores case and accents.
     */
    search?: string;
};

export type MembersListQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
    /**
     * Part of a name or email address, or several words of the name in any order, ignoring case and accents. Or a full `member_id`, `employee_id` or `reference_id`.
     */
    search?: string;
};

export type MembersListEmploymentsQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type MembersListEnrollmentsQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type DependentsSearchQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
    /**
     * The beginning of the full name or last name of the dependent, or the full last name and then the first name, ignoring case and accents. Or a `dependent_id`.
     */
    search?: string;
};

export type EmployersSubmitCensusSyncQuery = {
    /**
     * Overrides the employer's `census_mode`.
     */
    mode?: CensusMode;
    /**
     * If true, returns the outcome and changes nothing.
     */
    dry_run?: boolean;
};

export type EmployersListCensusSyncsQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type GroupsListQuery = {
    /**
     * Only the group with exactly this reference.
     */
    external_reference_id?: string;
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type GroupsListMembersQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type GroupsListMemberSyncsQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type AleGroupsListQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type EmployeesListAssignmentsQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type EmployersListAcaStatusesQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
    /**
     * Only employees who are full-time today, or who are not.
     */
    is_full_time?: boolean;
    /**
     * Only employees, current or former, who count as part-time in months without reported hours, by the derived forms of this tax year. Includes those of other employers with the same EIN, whose forms are filed together.
     */
    hours_not_reported_in?: number;
    /**
     * Only employees who are trending toward full-time status, or who are not.
     */
    is_trending?: boolean;
};

export type EmployeesGetAcaStatusQuery = {
    /**
     * The day to explain. The default is today.
     */
    as_of?: Day;
};

export type EmployersReportHoursQuery = {
    /**
     * If true, returns the outcome and changes nothing.
     */
    dry_run?: boolean;
};

export type EmployersListHoursQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
    /**
     * Only hours of this kind.
     */
    kind?: HoursKind;
    /**
     * Only periods that start on this day or later.
     */
    from?: Day;
    /**
     * Only periods that start on this day or earlier.
     */
    to?: Day;
};

export type EmployersListHoursReportsQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type EmployeesListHoursQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
    /**
     * Only hours of this kind.
     */
    kind?: HoursKind;
    /**
     * Only periods that start on this day or later.
     */
    from?: Day;
    /**
     * Only periods that start on this day or earlier.
     */
    to?: Day;
};

export type EmployersGetLargeEmployerStatusQuery = {
    /**
     * The calendar year of the status; the workforce of the year before decides. The default is this year.
     */
    year?: number;
};

export type EmployersGetAffordabilityQuery = {
    /**
     * The first day of the plan year. The default is today.
     */
    plan_year_start?: Day;
    /**
     * The monthly cost of the lowest-cost plan of minimum value for the employee alone.
     */
    cost_in_cents?: number;
};

export type EmployeesGetForm1095cQuery = {
    /**
     * The calendar year that the form reports. Default: the current year.
     */
    tax_year?: number;
};

export type EmployeesGetForm1095cPdfQuery = {
    /**
     * The calendar year that the form reports. Default: the current year.
     */
    tax_year?: number;
};

export type EmployersGetFormSettingsQuery = {
    /**
     * The calendar year that the form reports. Default: the current year.
     */
    tax_year?: number;
};

export type EmployersListForms1095cQuery = {
    /**
     * The calendar year that the form reports. Default: the current year.
     */
    tax_year?: number;
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
    /**
     * Only forms with this problem.
     */
    exception?: Form1095cException;
    /**
     * Only forms of people whose notice of the posted form failed, or of all others.
     */
    has_failed_notice?: boolean;
};

export type EmployersGetOfferTestQuery = {
    /**
     * The calendar year of the test. Default: the current year.
     */
    year?: number;
};

export type EmployersGetFormFilingQuery = {
    /**
     * The calendar year that the forms report. Default: the year before the current one.
     */
    tax_year?: number;
};

export type EmployersGetPrintFileQuery = {
    /**
     * The calendar year that the forms report. Default: the year before the current one.
     */
    tax_year?: number;
    /**
     * A part of the print file, one of `print_parts`. Default: 1.
     */
    part?: number;
};

export type EmployersGetForm1094cQuery = {
    /**
     * The calendar year that the forms report. Default: the year before the current one.
     */
    tax_year?: number;
};

export type EmployersGetForm1094cPdfQuery = {
    /**
     * The calendar year that the forms report. Default: the year before the current one.
     */
    tax_year?: number;
};

export type EmployersListFormTransmissionsQuery = {
    /**
     * The calendar year that the forms report. Default: the year before the current one.
     */
    tax_year?: number;
};

export type WebhookSubscriptionsListQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type WebhookEventsListQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
    /**
     * Only events of these names.
     */
    event_name?: Array<WebhookEventName>;
    /**
     * Only events of these kinds of resources.
     */
    resource_type?: Array<'benefit_plan_year' | 'dependent' | 'document' | 'employer' | 'employee' | 'enrollment' | 'census_sync' | 'group_member_sync' | 'invoice' | 'api_key' | 'webhook_subscription'>;
    /**
     * Only events of this resource.
     */
    resource_id?: string;
    /**
     * Only events of this employer, its employees and their resources, except dependents.
     */
    employer_id?: EmployerId;
    /**
     * Only events caused directly by the request with this `X-Request-Id`, not by its jobs.
     */
    trace_id?: string;
    /**
     * Only events after this instant.
     */
    created_after?: Timestamp;
    /**
     * Only events before this instant.
     */
    created_before?: Timestamp;
    /**
     * Only events committed after this one, oldest first. Reading pages this way neither misses nor repeats events.
     */
    after?: WebhookEventId;
    /**
     * If the first page would be empty, waits up to this many seconds, 0 to 20, for an event. Oldest first.
     */
    wait?: number;
};

export type ActivityListQuery = {
    /**
     * Only changes to this employer, its employees and their enrollments.
     */
    employer_id?: EmployerId;
    /**
     * Only changes to this employee, their enrollments and their dependents.
     */
    employee_id?: EmployeeId;
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type ScheduledExportsListQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type WebhookEventsListDeliveriesQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type WebhookSubscriptionsTestQuery = {
    /**
     * Sends the latest event of this name instead of a test event.
     */
    event_name?: WebhookEventName;
};

export type WebhookSubscriptionsListDeliveriesQuery = {
    /**
     * `failed` (default): the last retry failed; latest first. `waiting`: to be delivered, next first. `any`: all deliveries of the latest 500 events, latest first.
     */
    outcome?: 'failed' | 'waiting' | 'any';
    /**
     * Only deliveries of events with this name, among the first 10,000.
     */
    event_name?: WebhookEventName;
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

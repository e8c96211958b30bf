// Generated from openapi.operator.json by npm run gen.

import type {
  Affordability,
  Amendment,
  AnyLifeEventType,
  ApiKeyMode,
  ApiKeyScope,
  Attachment,
  AuditOutcome,
  BenefitCategory,
  BenefitFamily,
  BenefitId,
  BenefitPlanYear,
  BenefitPlanYearId,
  CensusCounts,
  CensusOutcome,
  CompensationType,
  ContributionTier,
  CoverageTier,
  Day,
  DependentField,
  DocumentId,
  DocumentKind,
  DocumentScope,
  DocumentStatus,
  Election,
  Email,
  Employee,
  EmployeeClass,
  EmployeeId,
  EmployerId,
  Enrollment,
  EnrollmentAnswer,
  EnrollmentDetail,
  EnrollmentId,
  EnrollmentStatus,
  HrisRunState,
  HrisStatus,
  IdpProvider,
  InvitationId,
  InvitationStatus,
  Invoice,
  InvoiceAge,
  Language,
  LifeEventId,
  LifeEventStatus,
  ManualAdjustment,
  MembershipRole,
  MissingFigure,
  Organization,
  OrganizationId,
  OrganizationType,
  Pagination,
  PartialMonthRule,
  Phone,
  PlanFacts,
  PlanId,
  ProductCode,
  Renewal,
  RenewalOutcome,
  RenewalReason,
  State,
  StatementId,
  TaskId,
  TaxClassification,
  Timestamp,
  UserId,
  WebhookEventName,
} from '../shared/types.gen.ts'

export type * from '../shared/types.gen.ts'

/**
 * A benefit that is offered starting that day, at the catalog prices of that day.
 */
export type AddedBenefit = {
    benefit_id: BenefitId;
    /**
     * The plans to offer. The default is every plan of the benefit that has a rate on coverage_start. Null means the same as omitting the field.
     */
    plan_ids?: Array<PlanId> | null;
    /**
     * The contributions by coverage level, for all benefits except ICHRA. Without a match for a coverage level, the employee pays the full premium. Null means the same as omitting the field.
     */
    contribution_tiers?: Array<ContributionTier> | null;
    /**
     * The allowances, for ICHRA. The default is the allowances of the catalog's plans. Employees without a match get no allowance. Null means the same as omitting the field.
     */
    ichra_contribution_classes?: Array<IchraContributionClass> | null;
};

export type AffordabilityFigures = {
    /**
     * The calendar year.
     */
    year: number;
    /**
     * Null if unknown.
     */
    required_contribution_percentage: number | null;
    /**
     * The federal poverty guidelines for one person, in dollars per year. Null if unknown.
     */
    poverty_guidelines: {
        /**
         * The guideline for the contiguous states and the District of Columbia.
         */
        contiguous: number;
        /**
         * The guideline for Alaska.
         */
        alaska: number;
        /**
         * The guideline for Hawaii.
         */
        hawaii: number;
    } | null;
    /**
     * The assessable payments of applicable large employers for months of the year (section 4980H(a) and (b)), in dollars per year for each full-time employee. Null if unknown.
     */
    assessable_payments: AssessablePayments | null;
};

export type AffordabilityFiguresList = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: Array<AffordabilityFigures>;
};

/**
 * The complete contribution of the employer to a benefit starting that day.
 */
export type AmendedContribution = {
    benefit_id: BenefitId;
    /**
     * The contributions by coverage level, for all benefits except ICHRA. Null means the same as omitting the field.
     */
    contribution_tiers?: Array<ContributionTier> | null;
    /**
     * The allowances, for ICHRA. Null means the same as omitting the field.
     */
    ichra_contribution_classes?: Array<IchraContributionClass> | null;
};

export type AmendedSums = {
    /**
     * The full monthly premium, in cents.
     */
    premium_in_cents: number;
    /**
     * The monthly contribution of the employer, in cents.
     */
    employer_contribution_in_cents: number;
    /**
     * The monthly cost to the employee, in cents.
     */
    employee_deduction_in_cents: number;
};

/**
 * The effects for every employee enrolled in an affected benefit: one row for each enrollment, newest first.
 */
export type AmendmentPreview = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: Array<PreviewedEnrollment>;
    /**
     * The totals of all pages. Null for more than 5000 enrollments, in which case you can add up the rows.
     */
    totals: AmendmentTotals | null;
    pagination: Pagination;
};

export type AmendmentResponse = {
    data: Amendment;
};

/**
 * The effects of an amendment, added up over all employees.
 */
export type AmendmentTotals = {
    /**
     * The number of employees with an affected enrollment.
     */
    employee_count: number;
    /**
     * The number of employees with a changed month or an end of coverage.
     */
    changed_employee_count: number;
    /**
     * The number of employees who lose coverage on their `loses_coverage_on`.
     */
    losing_employee_count: number;
    /**
     * The number of employees who lose a plan but have 30 days to elect another plan of the benefit.
     */
    electing_employee_count: number;
    /**
     * The total cost of the changed months before the amendment.
     */
    before: AmendedSums;
    /**
     * The total cost of the changed months after the amendment. An employee who loses a plan is shown without another one.
     */
    after: AmendedSums;
};

export type AmendmentWithdrawal = {
    /**
     * The reason, for audits.
     */
    reason: string;
};

export type AssessablePayments = {
    /**
     * The amount for employers that do not offer coverage to 95 percent of full-time employees.
     */
    no_offer: number;
    /**
     * The amount for each full-time employee whose offer is unaffordable or lacks minimum value.
     */
    unaffordable_offer: number;
};

export type BenefitPlanYearListResponse = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: Array<BenefitPlanYear>;
};

/**
 * The system that collects invoices: `built_in` or `stripe`.
 */
export type BillingSystem = 'built_in' | 'stripe';

export type BillingSystemChanges = {
    billing_system: BillingSystem;
    /**
     * The secret key of the Stripe account. It is never shown. If omitted, the stored one stays. Null means the same as omitting the field.
     */
    stripe_secret_key?: string | null;
    /**
     * The secret that signs webhooks of Stripe. It is never shown. If omitted, the stored one stays. Null means the same as omitting the field.
     */
    stripe_webhook_secret?: string | null;
};

/**
 * The system that collects the invoices of an organization.
 */
export type BillingSystemSettings = {
    organization_id: OrganizationId;
    billing_system: BillingSystem;
    /**
     * Whether the billing system has all required settings.
     */
    configured: boolean;
    /**
     * Whether a secret key is stored.
     */
    stripe_secret_key_set: boolean;
    /**
     * Whether a signing secret is stored.
     */
    stripe_webhook_secret_set: boolean;
    /**
     * When the record last changed. Null if it was never changed.
     */
    updated_at: Timestamp | null;
};

export type BillingSystemSettingsResponse = {
    data: BillingSystemSettings;
};

export type CarrierId = string;

/**
 * The benefits and plans that the employers of an organization can offer.
 */
export type Catalog = {
    /**
     * The carriers.
     */
    carriers: Array<{
        /**
         * The id of the carrier.
         */
        id: CarrierId;
        /**
         * The name of the carrier.
         */
        name: string;
    }>;
    /**
     * The benefits.
     */
    benefits: Array<{
        id: BenefitId;
        /**
         * The display name of the benefit.
         */
        name: string;
        /**
         * The product code of the benefit.
         */
        product_code: ProductCode;
        /**
         * The category of the benefit, such as Medical.
         */
        category: BenefitCategory;
        /**
         * The product family of the benefit.
         */
        family: BenefitFamily;
        /**
         * Whether employees designate beneficiaries for it.
         */
        takes_beneficiaries: boolean;
        /**
         * The data that each dependent must have before the benefit can cover them.
         */
        required_dependent_fields: Array<DependentField>;
        /**
         * The plans of the benefit.
         */
        plans: Array<{
            id: PlanId;
            /**
             * The name of the plan.
             */
            name: string;
            /**
             * The name of the carrier.
             */
            carrier: {
                /**
                 * The id of the carrier.
                 */
                id: CarrierId;
                /**
                 * The name of the carrier.
                 */
                name: string;
            };
            /**
             * The networks of the plan.
             */
            network_names: Array<string>;
            /**
             * The URL of the summary plan description. Null if not provided.
             */
            spd_file_url: string | null;
            facts: PlanFacts;
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
            /**
             * The premiums by coverage level.
             */
            tier_rates: Array<{
                /**
                 * The id of the premium.
                 */
                id: TierRateId;
                coverage_tier: CoverageTier;
                /**
                 * The full monthly premium, in cents.
                 */
                premium_in_cents: number;
                /**
                 * The first day on which it applies.
                 */
                effective_on: Day;
            }>;
            /**
             * The premiums by rating area.
             */
            area_rates: Array<{
                /**
                 * A US state or territory, by its two-letter code.
                 */
                state: string;
                /**
                 * The county. Null for counties without their own premiums.
                 */
                county: string | null;
                /**
                 * The first day on which it applies.
                 */
                effective_on: Day;
                /**
                 * The premiums by age or by coverage level.
                 */
                rates: Array<{
                    /**
                     * The coverage tier. Null for premiums by age.
                     */
                    coverage_tier: CoverageTier | null;
                    /**
                     * The minimum age. Null if there is no minimum.
                     */
                    min_age: number | null;
                    /**
                     * The maximum age. Null if there is no maximum.
                     */
                    max_age: number | null;
                    /**
                     * The full monthly premium, in cents.
                     */
                    premium_in_cents: number;
                }>;
            }>;
            /**
             * The ICHRA allowances of the plan.
             */
            ichra_allowances: Array<{
                /**
                 * The employee class, which determines eligibility and allowances. Null if unknown, or for every class.
                 */
                employee_class: EmployeeClass | null;
                /**
                 * The minimum age. Null if there is no minimum.
                 */
                min_age: number | null;
                /**
                 * The maximum age. Null if there is no maximum.
                 */
                max_age: number | null;
                /**
                 * A US state or territory, by its two-letter code. Null for every state.
                 */
                state: string | null;
                /**
                 * The coverage level. Null for every coverage level.
                 */
                coverage_tier: CoverageTier | null;
                /**
                 * The maximum monthly reimbursement by the employer, in cents.
                 */
                allowance_in_cents: number;
            }>;
        }>;
    }>;
};

/**
 * Only the fields that you send change.
 */
export type CatalogBenefitChanges = {
    /**
     * Whether employees designate beneficiaries for the benefit, as for life and accident insurance. Null means the same as omitting the field.
     */
    takes_beneficiaries?: boolean | null;
    /**
     * The data that each dependent must have before the benefit can cover them. Null means the same as omitting the field.
     */
    required_dependent_fields?: Array<DependentField> | null;
};

export type CatalogImport = {
    rows: Array<CatalogRow>;
};

/**
 * The outcome of each item of the import. An item in several rows counts once.
 */
export type CatalogImportOutcome = {
    /**
     * The carriers.
     */
    carriers: {
        /**
         * The number of new rows.
         */
        created: number;
        /**
         * The number of changed rows.
         */
        updated: number;
        /**
         * The number of unchanged rows.
         */
        unchanged: number;
    };
    /**
     * The benefits.
     */
    benefits: {
        /**
         * The number of new rows.
         */
        created: number;
        /**
         * The number of changed rows.
         */
        updated: number;
        /**
         * The number of unchanged rows.
         */
        unchanged: number;
    };
    /**
     * The plans of the benefit.
     */
    plans: {
        /**
         * The number of new rows.
         */
        created: number;
        /**
         * The number of changed rows.
         */
        updated: number;
        /**
         * The number of unchanged rows.
         */
        unchanged: number;
    };
    /**
     * Premiums, including those of rating areas.
     */
    rates: {
        /**
         * The number of new rows.
         */
        created: number;
        /**
         * The number of changed rows.
         */
        updated: number;
        /**
         * The number of unchanged rows.
         */
        unchanged: number;
    };
    /**
     * The ICHRA allowances.
     */
    allowances: {
        /**
         * The number of new rows.
         */
        created: number;
        /**
         * The number of changed rows.
         */
        updated: number;
        /**
         * The number of unchanged rows.
         */
        unchanged: number;
        /**
         * The number of removed rows.
         */
        removed: number;
    };
    /**
     * The first 1000 changes, in the order of the rows. Null unless this is a dry run.
     */
    planned: Array<CatalogPlannedChange> | null;
};

export type CatalogImportOutcomeResponse = {
    data: CatalogImportOutcome;
};

/**
 * The kind of item.
 */
export type CatalogKind = 'carrier' | 'benefit' | 'plan' | 'premium' | 'allowance';

/**
 * The planned action on the item.
 */
export type CatalogOutcome = 'created' | 'updated' | 'removed';

/**
 * A planned change of an import.
 */
export type CatalogPlannedChange = {
    /**
     * The first row with the item, from 0. Null if it was removed.
     */
    index: number | null;
    kind: CatalogKind;
    outcome: CatalogOutcome;
    /**
     * A readable name. For a premium or an allowance: its plan and the people it applies to.
     */
    name: string;
    /**
     * The planned changes.
     */
    differences: Array<{
        /**
         * The name of the cell.
         */
        field: string;
        /**
         * The value in the format of a row cell. Null if empty.
         */
        before: string | number | Array<string> | null;
        /**
         * The value in the format of a row cell. Null if empty.
         */
        after: string | number | Array<string> | null;
    }>;
};

export type CatalogResponse = {
    data: Catalog;
};

/**
 * A plan. With `premium_in_cents`, also its premium for a coverage tier, or for an age or tier in a rating area (`state` and optionally `county`). With `allowance_in_cents`, also an ICHRA allowance for employees who match the class, age, state and coverage tier of the row.
 */
export type CatalogRow = {
    /**
     * The name of the carrier.
     */
    carrier: string;
    /**
     * The product code of the benefit.
     */
    product_code: 'EBA' | 'VPC' | 'VPC_CORE' | 'MEC' | 'MEC2' | 'MEC_PLUS' | 'MVP' | 'MVP2' | 'MVPSL' | 'MVPSL2' | 'VD' | 'VV' | 'ICHRA' | 'ICHRA_PREMIUM_PLUS' | 'ICHRA_REIMBURSEMENT_ONLY';
    /**
     * The display name of the benefit. Defaults to the name of the product. Null means the same as omitting the field.
     */
    benefit?: string | null;
    /**
     * Defaults to Dental for VD, Vision for VV, else Medical. An existing benefit keeps its category, which can no longer change once a plan year has offered it. Null means the same as omitting the field.
     */
    category?: 'Medical' | 'Dental' | 'Vision' | 'Hospital' | null;
    /**
     * The name of the plan.
     */
    plan: string;
    /**
     * A list, or one string separated by `;`. If absent, unchanged. Null means the same as omitting the field.
     */
    networks?: Array<string> | string | null;
    /**
     * The URL of the summary plan description. If absent, unchanged. Null means the same as omitting the field.
     */
    spd_file_url?: string | null;
    /**
     * If absent, an existing plan keeps its rule and a new plan gets `full_month_on_first`. Null means the same as omitting the field.
     */
    partial_month_rule?: 'full_month_on_first' | '15th_rule' | 'daily' | null;
    /**
     * The annual deductible of one person. Null means the same as omitting the field.
     */
    deductible_in_cents?: number | null;
    /**
     * The annual deductible of a family. Null means the same as omitting the field.
     */
    family_deductible_in_cents?: number | null;
    /**
     * The annual out-of-pocket maximum of one person. Null means the same as omitting the field.
     */
    out_of_pocket_limit_in_cents?: number | null;
    /**
     * The annual out-of-pocket maximum of a family. Null means the same as omitting the field.
     */
    family_out_of_pocket_limit_in_cents?: number | null;
    /**
     * The percentage that the person pays after the deductible. Null means the same as omitting the field.
     */
    coinsurance_percentage?: number | null;
    /**
     * The annual deductible of one person outside the network. Null means the same as omitting the field.
     */
    out_of_network_deductible_in_cents?: number | null;
    /**
     * The annual deductible of a family outside the network. Null means the same as omitting the field.
     */
    out_of_network_family_deductible_in_cents?: number | null;
    /**
     * The annual out-of-pocket maximum of one person outside the network. Null means the same as omitting the field.
     */
    out_of_network_out_of_pocket_limit_in_cents?: number | null;
    /**
     * The annual out-of-pocket maximum of a family outside the network. Null means the same as omitting the field.
     */
    out_of_network_family_out_of_pocket_limit_in_cents?: number | null;
    /**
     * The percentage that the person pays after the deductible, outside the network. 100 if the plan does not cover care there. Null means the same as omitting the field.
     */
    out_of_network_coinsurance_percentage?: number | null;
    /**
     * The copays, such as `Primary care: $25; Specialist: $50`. Null means the same as omitting the field.
     */
    copays?: Array<string> | string | null;
    /**
     * The metal level of the plan. Null means the same as omitting the field.
     */
    metal_level?: 'Catastrophic' | 'Bronze' | 'Expanded Bronze' | 'Silver' | 'Gold' | 'Platinum' | null;
    /**
     * Whether the plan is compatible with a health savings account. Null means the same as omitting the field.
     */
    hsa_eligible?: boolean | string | null;
    /**
     * The page on which people find a doctor of the network. Null means the same as omitting the field.
     */
    provider_directory_url?: string | null;
    /**
     * The page of the carrier on which members get their ID card. Null means the same as omitting the field.
     */
    id_card_url?: string | null;
    /**
     * The phone number of the member services of the carrier. Null means the same as omitting the field.
     */
    member_services_phone?: Phone | null;
    /**
     * The website of the carrier for members. Null means the same as omitting the field.
     */
    member_services_url?: string | null;
    /**
     * Whether the plan is minimum essential coverage. Excepted benefits such as dental are not. If absent, unchanged; a new plan has the usual value of its product. Null means the same as omitting the field.
     */
    minimum_essential?: boolean | string | null;
    /**
     * Whether the plan pays at least 60% of the expected costs, with hospital and physician services. If absent, unchanged; a new plan has the usual value of its product. Null means the same as omitting the field.
     */
    minimum_value?: boolean | string | null;
    /**
     * Whether the employer bears the claims, so that Form 1095-C lists the covered people in Part III. If absent, unchanged; a new plan has the usual value of its product. Null means the same as omitting the field.
     */
    self_insured?: boolean | string | null;
    /**
     * The coverage tier of the premium or the allowance. Null means the same as omitting the field.
     */
    coverage_tier?: 'EE' | 'ES' | 'EC' | 'EF' | null;
    /**
     * The monthly premium, from `effective_on` until a later rate. Null means the same as omitting the field.
     */
    premium_in_cents?: number | null;
    /**
     * The first day of the premium. Required with a premium. Null means the same as omitting the field.
     */
    effective_on?: Day | null;
    /**
     * The monthly allowance. ICHRA products only. Null means the same as omitting the field.
     */
    allowance_in_cents?: number | null;
    /**
     * The employee class of the allowance. If absent, all classes. Null means the same as omitting the field.
     */
    employee_class?: 'Full Time' | 'Part Time' | 'Temporary' | 'Intern' | 'Seasonal' | 'Individual Contractor' | null;
    /**
     * The minimum age of the allowance, inclusive. Null means the same as omitting the field.
     */
    min_age?: number | null;
    /**
     * The maximum age of the allowance, inclusive. Null means the same as omitting the field.
     */
    max_age?: number | null;
    /**
     * The state of the allowance, or of the rating area of the premium. Null means the same as omitting the field.
     */
    state?: State | null;
    /**
     * The county of the rating area. Absent for the rest of the state. Null means the same as omitting the field.
     */
    county?: string | null;
    /**
     * The age or age range of a premium in a state: `21`, `0-14`, `64+` or `64 and over`. Replaces the coverage tier. Null means the same as omitting the field.
     */
    age?: string | null;
};

/**
 * Benefits of which an employee can hold one at a time.
 */
export type ChoiceGroup = {
    /**
     * The name of the group. Plan years of an employer that use the same name share one group.
     */
    name: string;
    /**
     * The benefits in the group.
     */
    benefit_ids: Array<BenefitId>;
};

export type ClockMove = {
    /**
     * The new current day of the organization: today or a later day.
     */
    today: Day;
};

export type CorrectedEmployee = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: Employee;
    /**
     * Removed past coverage. This may be a rescission, which requires notice to the employee.
     */
    warnings: Array<{
        /**
         * A stable, machine-readable code.
         */
        code: 'rescission';
        /**
         * A message for people. Its wording may change.
         */
        message: string;
        enrollment_id: EnrollmentId;
        /**
         * The first day of the removed coverage.
         */
        lost_from: Day;
        /**
         * The last day of the removed coverage, today at the latest.
         */
        lost_until: Day;
    }>;
    /**
     * The enrollments of the employee that changed, or would change in a dry run.
     */
    enrollments: Array<EnrollmentChange>;
};

/**
 * A corrected enrollment, with all enrollments that changed.
 */
export type CorrectedEnrollment = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: EnrollmentDetail;
    /**
     * The enrollments of the employee that changed, or would change in a dry run.
     */
    enrollments: Array<EnrollmentChange>;
};

export type CreatedOperator = {
    id: UserId;
    /**
     * The name of the operator.
     */
    name: string;
    /**
     * The email address. Not case-sensitive. Null if unknown.
     */
    email: string | null;
    role: OperatorRole;
    /**
     * When the record was created.
     */
    created_at: Timestamp;
    /**
     * When the user stopped being an operator. Null for current operators.
     */
    ended_at: Timestamp | null;
    /**
     * The first key of the operator. Only this response shows it.
     */
    key: ShownOperatorKey;
};

export type CreatedOperatorResponse = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: CreatedOperator;
};

export type CredentialUsage = {
    /**
     * An API key (including tokens issued by it), a session, or an operator key.
     */
    credential_id: string;
    /**
     * Number of requests, regardless of the outcome.
     */
    request_count: number;
    /**
     * Of those, requests that were refused: statuses 400 to 499 except 429.
     */
    refused_count: number;
    /**
     * Of those, requests that exceeded the rate limit: status 429.
     */
    limited_count: number;
    /**
     * Of those, requests that failed: statuses of 500 or higher.
     */
    failed_count: number;
    /**
     * The time of the last response.
     */
    last_used_at: Timestamp;
};

export type Disability = {
    /**
     * The evidence for the approval. It is stored with the dependent.
     */
    reason: string;
};

export type EmployeeCorrection = {
    /**
     * The recorded action.
     */
    action: EmployeeCorrectionAction;
    /**
     * The last day employed that was reported or reversed, or the first day that the correction affects.
     */
    effective_on: Day;
    /**
     * The reason, as text. Null if not provided.
     */
    reason: string | null;
    /**
     * The credential of the caller who made the correction.
     */
    credential_id: string;
    /**
     * When the correction was made.
     */
    corrected_at: Timestamp;
};

export type EmployeeCorrectionAction = 'terminated' | 'reinstated' | 'corrected';

export type EmployeeCorrectionPage = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: Array<EmployeeCorrection>;
    pagination: Pagination;
};

/**
 * Only the fields you send change.
 */
export type EmployerAdministration = {
    /**
     * The go-live day. A month is deducted and billed if its 1st is on or after this day. Amounts that were already deducted or billed otherwise are corrected within the correction window. Null if there is no start date.
     */
    administered_from?: Day | null;
    /**
     * The correction window of invoices and statements, from 0 to 12 months. The default is 3. Null means the same as omitting the field.
     */
    correction_reach_months?: number | null;
};

/**
 * An enrollment that changed.
 */
export type EnrollmentChange = {
    /**
     * The enrollment before the change. Null if the change itself grants it.
     */
    before: Enrollment | null;
    /**
     * The enrollment after the change. In a dry run, a new enrollment has only a temporary id.
     */
    after: Enrollment;
};

/**
 * The fields to correct. Omitted fields stay unchanged.
 */
export type EnrollmentCorrection = {
    /**
     * The reason, which is stored permanently with the enrollment.
     */
    reason: string;
    /**
     * The election as it should have been recorded. Null means the same as omitting the field.
     */
    election?: Election | null;
    /**
     * Whether the benefit was waived. Null means the same as omitting the field.
     */
    waive?: boolean | null;
    /**
     * The first day of coverage. Null removes the correction.
     */
    coverage_start?: Day | null;
    /**
     * The last day of coverage. If coverage never began, the day before coverage_start. Null removes the correction.
     */
    coverage_end?: Day | null;
    /**
     * If true, the response shows the effects and nothing changes. Null means the same as omitting the field.
     */
    dry_run?: boolean | null;
};

export type HrisAccess = {
    /**
     * The access token of the payroll system. It is stored encrypted and never shown.
     */
    access_token: string;
};

export type HrisConnection = {
    id: HrisConnectionId;
    organization_id: OrganizationId;
    employer_id: EmployerId;
    /**
     * The source of the data.
     */
    source: HrisSource;
    /**
     * The value for the filter `hris_provider` of the employer book.
     */
    provider: string;
    /**
     * The display name.
     */
    provider_label: string;
    /**
     * The status of the connection. Null after it was disconnected.
     */
    status: HrisStatus | null;
    /**
     * The column names of uploaded files that differ from the usual ones, by field.
     */
    columns: {
        [key: string]: string;
    };
    /**
     * When the employer was connected.
     */
    connected_at: Timestamp;
    /**
     * When the connection was paused. Null unless paused.
     */
    paused_at: Timestamp | null;
    /**
     * When the connection was disconnected. Null unless disconnected.
     */
    disconnected_at: Timestamp | null;
    /**
     * The time of the last attempt. Null before the first attempt.
     */
    last_attempt_at: Timestamp | null;
    /**
     * The time of the last successful sync. Null before the first sync.
     */
    last_synced_at: Timestamp | null;
    /**
     * The number of usable rows. Null before the first sync.
     */
    synced_row_count: number | null;
    /**
     * Why the latest run did not succeed. Null after a success.
     */
    last_error: {
        /**
         * A stable, machine-readable code.
         */
        code: string;
        /**
         * A message for people. Its wording may change.
         */
        message: string;
    } | null;
    /**
     * The night of the next sync. Null if none is scheduled.
     */
    next_sync_on: Day | null;
};

/**
 * The HRIS connection. Its id begins with `hris_`.
 */
export type HrisConnectionId = string;

export type HrisConnectionList = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: Array<HrisConnection>;
};

export type HrisConnectionPage = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: Array<HrisConnection>;
    pagination: Pagination;
};

export type HrisConnectionResponse = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: HrisConnection;
};

export type HrisField = 'reference_id' | 'first_name' | 'last_name' | 'suffix' | 'email' | 'phone' | 'date_of_birth' | 'gender' | 'start_date' | 'termination_date' | 'employee_class' | 'compensation_type' | 'bargaining_unit' | 'address_line_1' | 'address_line_2' | 'city' | 'state' | 'zipcode' | 'period_starts_on' | 'period_ends_on' | 'hours_worked' | 'paid_leave_hours';

export type HrisPerson = {
    [key in HrisField]?: string | null;
};

export type HrisRun = {
    id: HrisRunId;
    hris_connection_id: HrisConnectionId;
    employer_id: EmployerId;
    /**
     * Why it ran.
     */
    cause: HrisRunCause;
    state: HrisRunState;
    /**
     * When the run was requested.
     */
    requested_at: Timestamp;
    /**
     * The number of attempts so far.
     */
    attempt_count: number;
    /**
     * The time at which all people were fetched and submitted as a census. Null until then.
     */
    fetched_at: Timestamp | null;
    /**
     * When it ended. Null until it ends.
     */
    ended_at: Timestamp | null;
    /**
     * Why the latest run did not succeed. Null after a success.
     */
    error: {
        /**
         * A stable, machine-readable code.
         */
        code: string;
        /**
         * A message for people. Its wording may change.
         */
        message: string;
    } | null;
    /**
     * The outcome of its census, with each row that failed. Null until it is known.
     */
    outcome: CensusOutcome | null;
};

export type HrisRunCause = 'schedule' | 'operator' | 'upload' | 'drop';

/**
 * The run of an HRIS connection. Its id begins with `hrun_`.
 */
export type HrisRunId = string;

export type HrisRunPage = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: Array<HrisRunRow>;
    pagination: Pagination;
};

/**
 * A person changed by a run.
 */
export type HrisRunPerson = {
    employee_id: EmployeeId;
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
    outcome: HrisRunPersonOutcome;
    /**
     * The time of the last change to the person.
     */
    changed_at: Timestamp;
    /**
     * The changes by field: all reported fields of a new person, the last day of a missing one. Null if the census changed no field.
     */
    differences: Array<{
        /**
         * The name of the field.
         */
        field: string;
        /**
         * The value before the change. Null if the field had no value.
         */
        before: string | null;
        /**
         * The value after the change. Null if the field has no value.
         */
        after: string | null;
    }> | null;
};

/**
 * If several apply, the first of: `created` (hired), `rehired` (hired again), `reinstated` (a termination was reversed), `terminated` (a last day was reported, or the person was missing), `updated` (another change).
 */
export type HrisRunPersonOutcome = 'created' | 'rehired' | 'reinstated' | 'terminated' | 'updated';

export type HrisRunPersonPage = {
    data: Array<HrisRunPerson>;
    pagination: Pagination;
};

export type HrisRunResponse = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: HrisRun;
};

export type HrisRunRow = {
    id: HrisRunId;
    hris_connection_id: HrisConnectionId;
    employer_id: EmployerId;
    /**
     * Why it ran.
     */
    cause: HrisRunCause;
    state: HrisRunState;
    /**
     * When the run was requested.
     */
    requested_at: Timestamp;
    /**
     * The number of attempts so far.
     */
    attempt_count: number;
    /**
     * The time at which all people were fetched and submitted as a census. Null until then.
     */
    fetched_at: Timestamp | null;
    /**
     * When it ended. Null until it ends.
     */
    ended_at: Timestamp | null;
    /**
     * Why the latest run did not succeed. Null after a success.
     */
    error: {
        /**
         * A stable, machine-readable code.
         */
        code: string;
        /**
         * A message for people. Its wording may change.
         */
        message: string;
    } | null;
    /**
     * The number of people that the run fetched. Null until all people are fetched.
     */
    row_count: number | null;
    /**
     * The number of rows by outcome. Null until known.
     */
    counts: CensusCounts | null;
};

export type HrisSource = 'finch' | 'csv' | 'sandbox';

/**
 * The whole roster. Columns are recognized by most of the names that payroll systems use.
 */
export type HrisUpload = {
    /**
     * The rows, at most 10,000.
     */
    rows: Array<{
        [key: string]: string | null;
    }>;
};

/**
 * The allowance for employees of a class, age, state and coverage level. Null matches every value. The first match applies.
 */
export type IchraContributionClass = {
    /**
     * The name of the class of employees.
     */
    name: string;
    /**
     * The employee class, which determines eligibility and allowances. Null means the same as omitting the field.
     */
    employee_class?: EmployeeClass | null;
    /**
     * The minimum age. Null means the same as omitting the field.
     */
    min_age?: number | null;
    /**
     * The maximum age. Null means the same as omitting the field.
     */
    max_age?: number | null;
    /**
     * A US state or territory, by its two-letter code. Null means the same as omitting the field.
     */
    state?: State | null;
    /**
     * The coverage level that the rule applies to. Null for every coverage level.
     */
    coverage_tier?: CoverageTier | null;
    /**
     * Cents per month.
     */
    allowance_in_cents: number;
};

export type InvoicePayment = {
    /**
     * The day of the payment, from the issue date to today. Defaults to today. Null means the same as omitting the field.
     */
    paid_on?: Day | null;
};

export type InvoiceResponse = {
    data: Invoice;
};

/**
 * A requested draft of an invoice.
 */
export type InvoiceRun = {
    employer_id: EmployerId;
    /**
     * A month, `YYYY-MM`.
     */
    period: string;
};

export type InvoiceRunResponse = {
    data: InvoiceRun;
};

export type InvoiceVoiding = {
    /**
     * The reason for voiding the invoice. The partner sees it on the invoice and its PDF. Null means the same as omitting the field.
     */
    reason?: string | null;
};

/**
 * Background work. Deleted when done.
 */
export type Job = {
    /**
     * The number of the job.
     */
    id: string;
    /**
     * The name of the task.
     */
    task: string;
    /**
     * The key of the job. A later job with the same key replaces it. Random for jobs without a subject. Null if a later job has replaced it.
     */
    key: string | null;
    /**
     * The organization. Null if not applicable.
     */
    organization_id: OrganizationId | null;
    state: JobState;
    /**
     * The number of attempts so far.
     */
    attempts: number;
    /**
     * The maximum number of attempts.
     */
    max_attempts: number;
    /**
     * Whether the last attempt failed. The log has the error, by the number of the job.
     */
    has_failed: boolean;
    /**
     * The earliest time to run.
     */
    run_at: Timestamp;
    /**
     * The time at which it started to run. Null if it is not running.
     */
    started_at: Timestamp | null;
    /**
     * When the record was created.
     */
    created_at: Timestamp;
};

export type JobPage = {
    data: Array<Job>;
    pagination: Pagination;
};

export type JobResponse = {
    data: Job;
};

/**
 * `waiting`: for its time or its turn. `failed`: it used all its attempts and is not retried.
 */
export type JobState = 'waiting' | 'running' | 'failed';

export type LifeEventApproval = {
    /**
     * The reason for an exception. It allows any change in the window, including changes that are not consistent with the event. The partner and the employee can read it. Null means the same as omitting the field.
     */
    exception?: string | null;
};

export type LifeEventDecline = {
    /**
     * The partner and the employee can read it.
     */
    reason: string;
};

export type LowestCostSilverImport = {
    /**
     * The rows, at most 10,000.
     */
    rows: Array<LowestCostSilverRow>;
};

export type LowestCostSilverImportOutcome = {
    /**
     * The number of rows.
     */
    row_count: number;
    /**
     * The number of rows with changes.
     */
    changed_count: number;
};

export type LowestCostSilverImportOutcomeResponse = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: LowestCostSilverImportOutcome;
};

export type LowestCostSilverPage = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: Array<LowestCostSilverPremium>;
    pagination: Pagination;
};

export type LowestCostSilverPremium = {
    /**
     * A US state or territory, by its two-letter code.
     */
    state: string;
    /**
     * The county. Null for counties without their own premiums.
     */
    county: string | null;
    /**
     * The first day on which it applies.
     */
    effective_on: Day;
    /**
     * The minimum age.
     */
    min_age: number;
    /**
     * The maximum age. Null if there is no upper limit.
     */
    max_age: number | null;
    /**
     * The full monthly premium, in cents.
     */
    premium_in_cents: number;
};

export type LowestCostSilverRow = {
    state: State;
    /**
     * The county, with or without the word County or Parish. Null means the same as omitting the field.
     */
    county?: string | null;
    /**
     * The age or age range: `21`, `0-14` or `64+`.
     */
    age: string;
    /**
     * The first day on which it applies.
     */
    effective_on: Day;
    /**
     * The monthly premium for one person.
     */
    premium_in_cents: number;
};

export type ManualAdjustmentResponse = {
    data: ManualAdjustment;
};

export type Membership = {
    organization_id: OrganizationId;
    user_id: UserId;
    role: MembershipRole;
};

export type MembershipOfUser = {
    organization_id: OrganizationId;
    user_id: UserId;
    role: MembershipRole;
    /**
     * The name of the member.
     */
    name: string;
    /**
     * The email address. Not case-sensitive. Null if unknown.
     */
    email: string | null;
    /**
     * The time of creation.
     */
    created_at: Timestamp;
    /**
     * The time at which it ended. Null if it has not ended.
     */
    ended_at: Timestamp | null;
};

export type MembershipPage = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: Array<MembershipOfUser>;
    pagination: Pagination;
};

export type MembershipResponse = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: Membership;
};

export type MovedClock = {
    organization_id: OrganizationId;
    /**
     * The current day of the organization.
     */
    today: Day;
    /**
     * How many days its clock is ahead of the calendar in New York.
     */
    clock_offset_days: number;
    /**
     * The number of days for which daily jobs ran.
     */
    days_run: number;
};

export type MovedClockResponse = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: MovedClock;
};

export type NewAffordabilityFigures = {
    /**
     * The calendar year of the figures.
     */
    year: number;
    /**
     * The largest share of income that affordable coverage may cost, for plan years that start in this year. Null means the same as omitting the field.
     */
    required_contribution_percentage?: number | null;
    /**
     * The federal poverty guidelines of the year for one person, in dollars per year. Null means the same as omitting the field.
     */
    poverty_guidelines?: {
        /**
         * The guideline for the contiguous states and the District of Columbia.
         */
        contiguous: number;
        /**
         * The guideline for Alaska.
         */
        alaska: number;
        /**
         * The guideline for Hawaii.
         */
        hawaii: number;
    } | null;
    /**
     * The assessable payments of applicable large employers for months of the year (section 4980H(a) and (b)), in dollars per year for each full-time employee. Null means the same as omitting the field.
     */
    assessable_payments?: AssessablePayments | null;
};

export type NewAmendment = {
    /**
     * The first of a month of the plan year, or its first day for a retroactive correction.
     */
    effective_on: Day;
    /**
     * The reason, for audits.
     */
    reason: string;
    /**
     * If true, the response shows the effects and nothing changes. Null means the same as omitting the field.
     */
    dry_run?: boolean | null;
    /**
     * For a dry run, the number of items per page. The default is 20. Null means the same as omitting the field.
     */
    limit?: number | null;
    /**
     * For a dry run, the page number, starting with 1. Null means the same as omitting the field.
     */
    page?: number | null;
    /**
     * Plans that get the catalog rates of effective_on. Null means the same as omitting the field.
     */
    repriced_plan_ids?: Array<PlanId> | null;
    /**
     * The contributions of the employer starting that day. Null or omitted keeps the current ones.
     */
    contributions?: Array<AmendedContribution> | null;
    /**
     * Added plans of offered benefits, at the rates of the catalog. Null means the same as omitting the field.
     */
    added_plan_ids?: Array<PlanId> | null;
    /**
     * Plans that end coverage before that day. Employees with one of them can elect another plan of the benefit. Null means the same as omitting the field.
     */
    closed_plan_ids?: Array<PlanId> | null;
    /**
     * Benefits that are offered starting that day. Null or omitted adds none.
     */
    added_benefits?: Array<AddedBenefit> | null;
    /**
     * Benefits that end coverage before that day. Null means the same as omitting the field.
     */
    withdrawn_benefit_ids?: Array<BenefitId> | null;
    /**
     * The new last day of the plan year. Must not be before effective_on. Null or omitted leaves it unchanged. A plan year has at most 366 days.
     */
    coverage_end?: Day | null;
};

export type NewApiKey = {
    /**
     * The owner of the key. The key has the user's role in each organization.
     */
    user_id: UserId;
    /**
     * The organization to which the key is bound. Null: the user's current organizations.
     */
    organization_id?: OrganizationId | null;
    /**
     * For a key that is not bound: whether it is also valid for organizations that the user joins later. Null means the same as omitting the field.
     */
    follows_memberships?: boolean | null;
    mode: ApiKeyMode;
    /**
     * A name that describes the use of the key. Null means the same as omitting the field.
     */
    name?: string | null;
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

export type NewHrisConnection = {
    /**
     * The source of the data: `finch`; `csv` for files that are uploaded or put in the drop folder; `sandbox` for a fake payroll.
     */
    source: HrisSource;
    /**
     * The payroll system behind the source, such as `gusto`. Default: the source. Null means the same as omitting the field.
     */
    provider?: string | null;
    /**
     * The display name of `provider`. Only with `provider`. Null means the same as omitting the field.
     */
    provider_label?: string | null;
    /**
     * The access token of the payroll system, required for finch. It is stored encrypted and never shown. Null means the same as omitting the field.
     */
    access_token?: string | null;
    /**
     * The column of each field. Only needed for files with unusual column names. Null means the same as omitting the field.
     */
    columns?: {
        [key in HrisField]?: string;
    } | null;
};

export type NewManualAdjustment = {
    /**
     * The month of the adjustment in the format `YYYY-MM`.
     */
    month: string;
    /**
     * The amount that payroll deducts from the employee and the invoice bills. A negative amount is a refund.
     */
    employee_deduction_in_cents: number;
    /**
     * The amount that the invoice bills the employer in addition. The default is 0. Null means the same as omitting the field.
     */
    employer_contribution_in_cents?: number | null;
    /**
     * Whether the deduction is pre-tax or post-tax. The default is `Post-tax`. Null means the same as omitting the field.
     */
    tax_classification?: TaxClassification | null;
    /**
     * The reason, for audits.
     */
    reason: string;
};

export type NewMembership = {
    user_id: UserId;
    role: MembershipRole;
};

export type NewOperator = {
    /**
     * The name of the operator.
     */
    name: string;
    /**
     * The email address. Not case-sensitive.
     */
    email: Email;
    role: OperatorRole;
    /**
     * The first key of the operator. Its default name is "First key". Null means the same as omitting the field.
     */
    key?: NewOperatorKey | null;
};

export type NewOperatorInvitation = {
    /**
     * The name of the invited person.
     */
    name: string;
    /**
     * The person must sign in with this email address.
     */
    email: Email;
    role: OperatorRole;
};

export type NewOperatorKey = {
    /**
     * The name of the key.
     */
    name: string;
    /**
     * When the key expires. At most 366 days from now; the default is 90. Null means the same as omitting the field.
     */
    expires_at?: Timestamp | null;
};

export type NewPlanYear = {
    /**
     * The year of the plan year. The default is the year of coverage_start. Null means the same as omitting the field.
     */
    year?: number | null;
    /**
     * The first day of coverage.
     */
    coverage_start: Day;
    /**
     * The last day of coverage. The default is one year after coverage_start, minus one day. At most 366 days in total. Null means the same as omitting the field.
     */
    coverage_end?: Day | null;
    /**
     * The first day of open enrollment. Required with open_enrollment_end. Null means the same as omitting the field.
     */
    open_enrollment_start?: Day | null;
    /**
     * The last day of open enrollment. Must not be after coverage_end. Null means the same as omitting the field.
     */
    open_enrollment_end?: Day | null;
    /**
     * The states where the plan year is offered. An empty list means everywhere. Null means the same as omitting the field.
     */
    offered_states?: Array<State> | null;
    /**
     * How employees who neither elect nor waive are treated. The default is active. Null means the same as omitting the field.
     */
    renewal?: Renewal | null;
    /**
     * The replacements of plans that are no longer offered. Each key is the id of a former plan, and its value is the id of an offered plan of the same benefit. Replaces the whole map. Null means the same as omitting the field.
     */
    plan_successors?: {
        [key in PlanId]?: PlanId;
    } | null;
    /**
     * The offered benefits. Singular fields of the plan year, such as `carrier`, describe the first one.
     */
    benefits: Array<NewPlanYearBenefit>;
    /**
     * By default, all EBA, MEC, MVP and ICHRA products form one group, `medical`. An empty list means no groups. Null means the same as omitting the field.
     */
    choice_groups?: Array<ChoiceGroup> | null;
    /**
     * If true, the response shows the effects and nothing changes. Null means the same as omitting the field.
     */
    dry_run?: boolean | null;
    /**
     * For a dry run, the number of employees per page. The default is 20. Null means the same as omitting the field.
     */
    limit?: number | null;
    /**
     * For a dry run, the page number, starting with 1. Null means the same as omitting the field.
     */
    page?: number | null;
};

/**
 * A benefit that a plan year offers.
 */
export type NewPlanYearBenefit = {
    benefit_id: BenefitId;
    /**
     * The plans to offer. The default is every plan of the benefit that has a rate on coverage_start. Null means the same as omitting the field.
     */
    plan_ids?: Array<PlanId> | null;
    /**
     * The first day of the benefit. The default is coverage_start. Null means the same as omitting the field.
     */
    starts_on?: Day | null;
    /**
     * The contributions by coverage level, for all benefits except ICHRA. Without a match for a coverage level, the employee pays the full premium. Null means the same as omitting the field.
     */
    contribution_tiers?: Array<ContributionTier> | null;
    /**
     * The allowances, for ICHRA. The default is the allowances of the catalog's plans. Employees without a match get no allowance. Null means the same as omitting the field.
     */
    ichra_contribution_classes?: Array<IchraContributionClass> | null;
};

export type NewSubscription = {
    /**
     * The first day of the subscription.
     */
    started_on: Day;
};

export type NewUser = {
    /**
     * The name of the user.
     */
    name: string;
    /**
     * The email address. Not case-sensitive. Null means the same as omitting the field.
     */
    email?: Email | null;
};

export type OpenedPlanYear = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: BenefitPlanYear;
    /**
     * The preview of a dry run. Otherwise null.
     */
    preview: PlanYearPreview | null;
};

/**
 * An organization, with the state of its daily run.
 */
export type OperatedOrganization = {
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
     * Whether it is a sandbox.
     */
    sandbox: boolean;
    /**
     * The number of employers.
     */
    employer_count: number;
    /**
     * The number of people.
     */
    member_count: number;
    /**
     * The current day of the organization.
     */
    today: Day;
    /**
     * The last day whose daily run is complete. Null before the first run.
     */
    last_day_run_on: Day | null;
    /**
     * Whether a daily run is due and not complete. True from midnight until it completes.
     */
    late: boolean;
    /**
     * When the record was created.
     */
    created_at: Timestamp;
};

export type OperatedOrganizationPage = {
    data: Array<OperatedOrganization>;
    pagination: Pagination;
};

export type OperatedOrganizationResponse = {
    data: OperatedOrganization;
};

/**
 * A user, with their organizations.
 */
export type OperatedUser = {
    id: UserId;
    /**
     * The name of the user.
     */
    name: string;
    /**
     * The email address. Not case-sensitive. Null if unknown.
     */
    email: string | null;
    /**
     * When the record was created.
     */
    created_at: Timestamp;
    /**
     * The operator role of the user. Null if the user is not an operator.
     */
    operator_role: 'owner' | 'operations' | 'billing' | 'support' | null;
    /**
     * Present and former organizations, oldest first.
     */
    memberships: Array<{
        organization_id: OrganizationId;
        /**
         * The name of the organization.
         */
        organization_name: string;
        role: MembershipRole;
        /**
         * The time of creation.
         */
        created_at: Timestamp;
        /**
         * The time at which it ended. Null if it has not ended.
         */
        ended_at: Timestamp | null;
    }>;
};

export type OperatedUserPage = {
    data: Array<OperatedUser>;
    pagination: Pagination;
};

export type OperatedUserResponse = {
    data: OperatedUser;
};

export type OperationUsage = {
    /**
     * The calendar day in Eastern time.
     */
    day: Day;
    /**
     * The organization. Null for requests to no single organization.
     */
    organization_id: OrganizationId | null;
    /**
     * The id of the operation.
     */
    operation: string;
    /**
     * Number of requests, regardless of the outcome.
     */
    request_count: number;
    /**
     * Of those, requests that were refused: statuses 400 to 499 except 429.
     */
    refused_count: number;
    /**
     * Of those, requests that exceeded the rate limit: status 429.
     */
    limited_count: number;
    /**
     * Of those, requests that failed: statuses of 500 or higher.
     */
    failed_count: number;
    /**
     * The time of the last response.
     */
    last_used_at: Timestamp;
};

export type OperationUsagePage = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: Array<OperationUsage>;
    pagination: Pagination;
};

export type Operator = {
    id: UserId;
    /**
     * The name of the operator.
     */
    name: string;
    /**
     * The email address. Not case-sensitive. Null if unknown.
     */
    email: string | null;
    role: OperatorRole;
    /**
     * When the record was created.
     */
    created_at: Timestamp;
    /**
     * When the user stopped being an operator. Null for current operators.
     */
    ended_at: Timestamp | null;
};

export type OperatorChanges = {
    role: OperatorRole;
};

export type OperatorCredential = {
    /**
     * The operator.
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
    role: OperatorRole;
    /**
     * The key of the request. Null for a token of a session.
     */
    operator_key: {
        id: OperatorKeyId;
        /**
         * The name of the key.
         */
        name: string;
        /**
         * The last four characters of the key.
         */
        last_four: string;
    } | null;
    /**
     * When the operator signed in with a browser. Null if it is not a session.
     */
    signed_in_at: Timestamp | null;
    /**
     * When the credential expires.
     */
    expires_at: Timestamp;
};

export type OperatorCredentialResponse = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: OperatorCredential;
};

export type OperatorEmployeeChanges = {
    /**
     * The employee class, which determines eligibility and allowances. Null means the same as omitting the field.
     */
    employee_class?: EmployeeClass | null;
    /**
     * The compensation type. Null means the same as omitting the field.
     */
    compensation_type?: CompensationType | null;
    /**
     * The bargaining unit: the employees under one collective bargaining agreement, by a name of your own. Null clears it.
     */
    bargaining_unit?: string | null;
    /**
     * The first day of the employment. It may be any number of days ago. Null means the same as omitting the field.
     */
    start_date?: Day | null;
    /**
     * The day from which the class, the compensation type and the bargaining unit apply. Default: today. Null means the same as omitting the field.
     */
    effective_date?: Day | null;
    /**
     * The reason. It is stored with the correction, which the operator can list.
     */
    reason: string;
    /**
     * If true, the response shows the effects and nothing changes. Null means the same as omitting the field.
     */
    dry_run?: boolean | null;
};

export type OperatorInvitation = {
    /**
     * The id of the invitation.
     */
    id: InvitationId;
    /**
     * The name of the invited person.
     */
    name: string;
    /**
     * The email address. Not case-sensitive.
     */
    email: string;
    status: InvitationStatus;
    /**
     * The user who sent the invitation. Null if a command sent it.
     */
    invited_by: UserId | null;
    /**
     * When the record was created.
     */
    created_at: Timestamp;
    /**
     * When it expires.
     */
    expires_at: Timestamp;
    /**
     * When the user accepted the invitation. Null until then.
     */
    accepted_at: Timestamp | null;
    /**
     * The user who accepted the invitation. Null until accepted.
     */
    accepted_by: UserId | null;
    /**
     * When it was revoked. Null unless revoked.
     */
    revoked_at: Timestamp | null;
    role: OperatorRole;
};

export type OperatorInvitationList = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: Array<OperatorInvitation>;
    pagination: Pagination;
};

export type OperatorInvitationResponse = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: OperatorInvitation;
};

export type OperatorKey = {
    id: OperatorKeyId;
    /**
     * The operator.
     */
    operator_id: UserId;
    /**
     * The name of the key.
     */
    name: string;
    /**
     * The last four characters of the key.
     */
    last_four: string;
    /**
     * The operator who created the key. Null if a command created it.
     */
    created_by: UserId | null;
    /**
     * When the record was created.
     */
    created_at: Timestamp;
    /**
     * When the key was last used. Up to a minute behind. Null if it was never used.
     */
    last_used_at: Timestamp | null;
    /**
     * When it expires.
     */
    expires_at: Timestamp;
    /**
     * When it was revoked. Null unless revoked.
     */
    revoked_at: Timestamp | null;
};

/**
 * The operator key. Its id begins with `opkey_`.
 */
export type OperatorKeyId = string;

export type OperatorKeyList = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: Array<OperatorKey>;
    pagination: Pagination;
};

export type OperatorKeyResponse = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: OperatorKey;
};

export type OperatorList = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: Array<Operator>;
    pagination: Pagination;
};

export type OperatorReinstatement = {
    /**
     * The reason. It is stored with the correction, which the operator can list.
     */
    reason: string;
    /**
     * If true, the response shows the effects and nothing changes. Null means the same as omitting the field.
     */
    dry_run?: boolean | null;
};

export type OperatorReissue = {
    /**
     * The reason, which is stored permanently with the enrollment.
     */
    reason: string;
    /**
     * If true, the response shows the effects and nothing changes. Null means the same as omitting the field.
     */
    dry_run?: boolean | null;
};

export type OperatorResponse = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: Operator;
};

/**
 * `owner` can do everything. `operations` can do everything except money and operators. `billing` can read, and manages money. `support` can only read.
 */
export type OperatorRole = 'owner' | 'operations' | 'billing' | 'support';

export type OperatorTermination = {
    /**
     * The last day employed, in the future or any number of days ago, but not before the first day.
     */
    termination_date: Day;
    /**
     * The reason. It is stored with the correction, which the operator can list.
     */
    reason: string;
    /**
     * If true, the response shows the effects and nothing changes. Null means the same as omitting the field.
     */
    dry_run?: boolean | null;
};

export type OrganizationClock = {
    organization_id: OrganizationId;
    /**
     * The current day of the organization.
     */
    today: Day;
    /**
     * How many days its clock is ahead of the calendar in New York.
     */
    clock_offset_days: number;
    /**
     * Whether jobs about its employers are waiting. Until they have run, results are incomplete and the clock cannot move.
     */
    has_pending_work: boolean;
};

export type OrganizationClockResponse = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: OrganizationClock;
};

export type OrganizationResponse = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: Organization;
};

export type OrganizationSetup = {
    /**
     * The name of the organization.
     */
    name: string;
    /**
     * The type of the organization. Null means the same as omitting the field.
     */
    type?: OrganizationType | null;
    /**
     * Whether its members can read all organizations. Default: false. Null means the same as omitting the field.
     */
    super_in?: boolean | null;
    /**
     * Whether it is a sandbox. Default: the setting of the installation. Null means the same as omitting the field.
     */
    sandbox?: boolean | null;
    /**
     * The user who becomes its ADMIN, if any. Null means the same as omitting the field.
     */
    admin_user_id?: UserId | null;
};

/**
 * The events since yesterday and the health of the service.
 */
export type Overview = {
    /**
     * The beginning of yesterday in Eastern time.
     */
    since: Timestamp;
    /**
     * The events since then in all organizations, most frequent first.
     */
    event_counts: Array<{
        /**
         * The name of the event.
         */
        event_name: WebhookEventName;
        /**
         * The number of events with this name.
         */
        event_count: number;
    }>;
    /**
     * Whether all events are counted. At most the latest 10,000 are.
     */
    is_complete: boolean;
    /**
     * Requests with a response of 500 or more on those days. Updated every 30 seconds.
     */
    failed_request_count: number;
    /**
     * Jobs that used all their attempts, at most 1000.
     */
    failed_job_count: number;
    /**
     * The delay of the oldest job that is due but not started, in seconds. 0 if none is late.
     */
    job_late_seconds: number;
    /**
     * The number of seconds for which the longest job has been running. If that is hours, the job is stuck.
     */
    job_running_seconds: number;
    /**
     * The delay of the oldest webhook that is due but not sent, in seconds. 0 if none is late.
     */
    webhook_late_seconds: number;
    /**
     * Organizations whose daily run is not finished an hour after midnight, at most 1000.
     */
    organizations_late: number;
    /**
     * The earliest `last_day_run_on` of all organizations. Null before the first run.
     */
    last_day_run_on: Day | null;
};

export type OverviewResponse = {
    data: Overview;
};

/**
 * Only the fields that you send change. Null keeps the current value, except for the open enrollment, which it removes.
 */
export type PlanYearChanges = {
    /**
     * The year of the plan year. Unless you set it, it is the year of coverage_start. Null means the same as omitting the field.
     */
    year?: number | null;
    /**
     * The first day of coverage. Null means the same as omitting the field.
     */
    coverage_start?: Day | null;
    /**
     * The last day of coverage. Null means the same as omitting the field.
     */
    coverage_end?: Day | null;
    /**
     * The first day of open enrollment. To remove it, send null here and for open_enrollment_end.
     */
    open_enrollment_start?: Day | null;
    /**
     * The last day of open enrollment. Must not be after coverage_end. Null clears it.
     */
    open_enrollment_end?: Day | null;
    /**
     * The states where the plan year is offered. An empty list means everywhere. Null means the same as omitting the field.
     */
    offered_states?: Array<State> | null;
    /**
     * How employees who neither elect nor waive are treated. It can still change after coverage_start. Null means the same as omitting the field.
     */
    renewal?: Renewal | null;
    /**
     * The replacements of plans that are no longer offered. Each key is the id of a former plan, and its value is the id of an offered plan of the same benefit. Replaces the whole map. It can still change after coverage_start. Null means the same as omitting the field.
     */
    plan_successors?: {
        [key in PlanId]?: PlanId;
    } | null;
    /**
     * The offered benefits. Replaces the whole list: omitted benefits are withdrawn. Null means the same as omitting the field.
     */
    benefits?: Array<NewPlanYearBenefit> | null;
    /**
     * Replaces the whole list. By default, existing benefits keep their group, and among new benefits, all EBA, MEC, MVP and ICHRA products form one group, `medical`. Null means the same as omitting the field.
     */
    choice_groups?: Array<ChoiceGroup> | null;
    /**
     * If true, the response shows the effects and nothing changes. Null means the same as omitting the field.
     */
    dry_run?: boolean | null;
    /**
     * For a dry run, the number of employees per page. The default is 20. Null means the same as omitting the field.
     */
    limit?: number | null;
    /**
     * For a dry run, the page number, starting with 1. Null means the same as omitting the field.
     */
    page?: number | null;
};

export type PlanYearCopy = {
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
     * If true, the response shows the effects and nothing changes. Null means the same as omitting the field.
     */
    dry_run?: boolean | null;
    /**
     * For a dry run, the number of employees per page. The default is 20. Null means the same as omitting the field.
     */
    limit?: number | null;
    /**
     * For a dry run, the page number, starting with 1. Null means the same as omitting the field.
     */
    page?: number | null;
};

/**
 * The grants of a plan year with their costs.
 */
export type PlanYearPreview = {
    /**
     * The day for which the preview is calculated with current data: the start of open enrollment.
     */
    as_of: Day;
    /**
     * One row for each benefit of each employee on the page, newest employees first.
     */
    data: Array<PreviewedOffer>;
    /**
     * The totals of all pages. Null for more than 1000 employees, in which case you can add up the rows.
     */
    totals: PlanYearTotals | null;
    /**
     * The position of this page in the list of employees.
     */
    pagination: Pagination;
};

/**
 * The effects of a plan year, added up over all employees.
 */
export type PlanYearTotals = {
    /**
     * The number of employees whose employment does not end before coverage_start.
     */
    employee_count: number;
    /**
     * The number of employees who would have an enrollment.
     */
    granted_employee_count: number;
    /**
     * The number of employees who would be carried over, or who have already elected or waived.
     */
    carried_employee_count: number;
    /**
     * The number of employees who would lose a benefit unless they elect.
     */
    lapsing_employee_count: number;
    /**
     * The number of employees who are offered affordable coverage.
     */
    affordable_employee_count: number;
    /**
     * The number of employees who are offered an ICHRA or MVP, but no affordable one.
     */
    unaffordable_employee_count: number;
    /**
     * The monthly total of elections in the previous plan year.
     */
    before: PreviewedSums;
    /**
     * The monthly total of elections in this plan year, stored or by the renewal.
     */
    after: PreviewedSums;
};

/**
 * The affordability of the coverage that the employer must offer.
 */
export type PreviewedAffordability = {
    /**
     * Whether the employee can afford the plan.
     */
    verdict: Affordability;
    /**
     * The safe harbor that makes the plan affordable: the federal poverty line, or else the compensation. W-2 wages are only known later. Null if it is not affordable.
     */
    safe_harbor: 'federal_poverty_line' | 'rate_of_pay' | null;
    /**
     * The monthly cost of the cheapest plan for the employee alone.
     */
    self_only_cost_in_cents: number;
};

/**
 * The monthly cost of the election.
 */
export type PreviewedCost = {
    plan_id: PlanId;
    coverage_tier: CoverageTier;
    /**
     * The full monthly premium, in cents.
     */
    premium_in_cents: number;
    /**
     * The monthly contribution of the employer, in cents.
     */
    employer_contribution_in_cents: number;
    /**
     * The monthly cost to the employee, in cents.
     */
    employee_deduction_in_cents: number;
};

export type PreviewedEnrollment = {
    enrollment_id: EnrollmentId;
    employee_id: EmployeeId;
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
     * The first day without coverage, if the employee loses the plan, the benefit or the plan year. Null for all others.
     */
    loses_coverage_on: Day | null;
    /**
     * Whether the employee loses a plan of a benefit that continues. The benefit is then granted again, with 30 days to elect.
     */
    can_elect_again: boolean;
    /**
     * The total cost of the changed months before the amendment.
     */
    before: AmendedSums;
    /**
     * The total cost of the changed months after the amendment. An employee who loses a plan is shown without another one.
     */
    after: AmendedSums;
    /**
     * The changed months in order.
     */
    months: Array<{
        /**
         * `YYYY-MM`
         */
        month: string;
        /**
         * The amounts of the month. Null without coverage.
         */
        before: {
            plan_id: PlanId;
            coverage_tier: CoverageTier;
            /**
             * The full monthly premium, in cents.
             */
            premium_in_cents: number;
            /**
             * The monthly contribution of the employer, in cents.
             */
            employer_contribution_in_cents: number;
            /**
             * The monthly cost to the employee, in cents.
             */
            employee_deduction_in_cents: number;
        } | null;
        /**
         * The amounts of the month. Null without coverage.
         */
        after: {
            plan_id: PlanId;
            coverage_tier: CoverageTier;
            /**
             * The full monthly premium, in cents.
             */
            premium_in_cents: number;
            /**
             * The monthly contribution of the employer, in cents.
             */
            employer_contribution_in_cents: number;
            /**
             * The monthly cost to the employee, in cents.
             */
            employee_deduction_in_cents: number;
        } | null;
        /**
         * Whether statements and invoices correct the month automatically. False if the month is before the correction window, in which case it can only be corrected manually.
         */
        is_corrected: boolean;
    }>;
};

/**
 * The effect of a plan year on an employee and a benefit.
 */
export type PreviewedOffer = {
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
     * The status of the enrollment at that time. Null if the employee would not be granted one.
     */
    status: EnrollmentStatus | null;
    /**
     * The first day of coverage in the plan year. Null without an enrollment.
     */
    coverage_start: Day | null;
    /**
     * The electable plans with their monthly cost for this employee. Empty without an enrollment.
     */
    plans: Array<{
        id: PlanId;
        /**
         * The name of the plan.
         */
        name: string;
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
        facts: PlanFacts;
        /**
         * The monthly cost by coverage level.
         */
        tiers: Array<{
            coverage_tier: CoverageTier;
            /**
             * The full monthly premium in cents. Null for ICHRA while it depends on the plan that the employee buys.
             */
            premium_in_cents: number | null;
            /**
             * The employer contribution per month in cents. Null for ICHRA while it depends on the plan that the employee buys.
             */
            employer_contribution_in_cents: number | null;
            /**
             * The employee deduction per month in cents. Null for ICHRA while it depends on the plan that the employee buys.
             */
            employee_deduction_in_cents: number | null;
        }>;
    }>;
    /**
     * The affordability of an ICHRA or of plans of minimum value (MVP). Null for other benefits, and if a figure is missing.
     */
    affordability: PreviewedAffordability | null;
    /**
     * Why the affordability of an ICHRA or MVP is null: the missing figures. Null for other benefits.
     */
    missing_figures: Array<MissingFigure> | null;
    /**
     * The election in the previous plan year. Null if there was none.
     */
    former: PreviewedCost | null;
    /**
     * The outcome for the earlier coverage. Null if there is neither earlier coverage nor an election or waiver.
     */
    outcome: RenewalOutcome | null;
    /**
     * The reason why the employee is not carried over. `coverage_ended`: coverage ended before the last day of the plan year. `nothing_to_carry`: the employee had neither elected nor waived. `benefit_not_offered`: the benefit is no longer offered. `not_eligible`: no enrollment could begin. `coverage_gap`: the previous plan year did not end on the day before. `active_renewal`: the plan year requires each employee to elect. `choice_group`: the employee has another benefit of the choice group. `plan_not_offered`: neither the plan nor a successor is offered. `tier_not_offered`: the coverage level that fits the remaining dependents is not offered. `no_premium`: the plan has no premium for one of the people in the employee's area. `after_renewal`: the facts changed after the renewal. Null if not provided.
     */
    reason: RenewalReason | null;
    /**
     * Whether the employee is enrolled or has waived, stored or by the renewal. Null if the employee has done neither.
     */
    answer: EnrollmentAnswer | null;
    /**
     * The stored election, or the one that the renewal would make. Null without an election.
     */
    elected: PreviewedCost | null;
};

/**
 * Cents per month.
 */
export type PreviewedSums = {
    /**
     * The full monthly premium, in cents.
     */
    premium_in_cents: number;
    /**
     * The monthly contribution of the employer, in cents.
     */
    employer_contribution_in_cents: number;
    /**
     * The monthly cost to the employee, in cents.
     */
    employee_deduction_in_cents: number;
};

/**
 * A life event as operators see it, with its organization.
 */
export type ReportedLifeEvent = {
    id: LifeEventId;
    employee_id: EmployeeId;
    employer_id: EmployerId;
    /**
     * The type of the event. The type `dependent_coverage_ended` is never reported: it is added, already approved, on the day after coverage of a dependent ends.
     */
    type: AnyLifeEventType;
    /**
     * The day of the event.
     */
    occurred_on: Day;
    /**
     * A description for people. Null if not provided.
     */
    description: string | null;
    status: LifeEventStatus;
    /**
     * When the operator approved or declined the event. Null until then.
     */
    decided_at: Timestamp | null;
    /**
     * The reason for a decline, or the reason for an exception that allows any change. Null if not provided.
     */
    decision_reason: string | null;
    /**
     * The first day of the window that the approval opened. Null if there is no window.
     */
    window_start: Day | null;
    /**
     * The last day of the window. Null if there is no window.
     */
    window_end: Day | null;
    /**
     * The documents that support the event.
     */
    attachments: Array<Attachment>;
    /**
     * When the record was created.
     */
    created_at: Timestamp;
    /**
     * When the record last changed.
     */
    updated_at: Timestamp;
    organization_id: OrganizationId;
};

export type ReportedLifeEventPage = {
    data: Array<ReportedLifeEvent>;
    pagination: Pagination;
};

export type ReportedLifeEventResponse = {
    data: ReportedLifeEvent;
};

export type SandboxFault = 'late' | 'duplicate' | 'rehire' | 'future_termination' | 'changed_email' | 'half_page' | 'server_errors' | 'rate_limited' | 'garbage' | 'access_lost';

export type SandboxPayroll = {
    /**
     * The people it employs from now on. Default: unchanged. Null means the same as omitting the field.
     */
    people?: Array<HrisPerson> | null;
    /**
     * The simulated fault. Default: none. Null means the same as omitting the field.
     */
    fault?: SandboxFault | null;
    /**
     * The number of attempts of each run with the fault. Default: all. Null means the same as omitting the field.
     */
    times?: number | null;
};

export type ShownOperatorInvitation = {
    /**
     * The id of the invitation.
     */
    id: InvitationId;
    /**
     * The name of the invited person.
     */
    name: string;
    /**
     * The email address. Not case-sensitive.
     */
    email: string;
    status: InvitationStatus;
    /**
     * The user who sent the invitation. Null if a command sent it.
     */
    invited_by: UserId | null;
    /**
     * When the record was created.
     */
    created_at: Timestamp;
    /**
     * When it expires.
     */
    expires_at: Timestamp;
    /**
     * When the user accepted the invitation. Null until then.
     */
    accepted_at: Timestamp | null;
    /**
     * The user who accepted the invitation. Null until accepted.
     */
    accepted_by: UserId | null;
    /**
     * When it was revoked. Null unless revoked.
     */
    revoked_at: Timestamp | null;
    role: OperatorRole;
    /**
     * The invitation link, shown once. It can be used once within 7 days.
     */
    url: string;
};

export type ShownOperatorInvitationResponse = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: ShownOperatorInvitation;
};

export type ShownOperatorKey = {
    id: OperatorKeyId;
    /**
     * The operator.
     */
    operator_id: UserId;
    /**
     * The name of the key.
     */
    name: string;
    /**
     * The last four characters of the key.
     */
    last_four: string;
    /**
     * The operator who created the key. Null if a command created it.
     */
    created_by: UserId | null;
    /**
     * When the record was created.
     */
    created_at: Timestamp;
    /**
     * When the key was last used. Up to a minute behind. Null if it was never used.
     */
    last_used_at: Timestamp | null;
    /**
     * When it expires.
     */
    expires_at: Timestamp;
    /**
     * When it was revoked. Null unless revoked.
     */
    revoked_at: Timestamp | null;
    /**
     * The key itself. Only this response shows it.
     */
    operator_key: string;
};

export type ShownOperatorKeyResponse = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: ShownOperatorKey;
};

export type StatementRun = {
    /**
     * The last day for which statements are generated. At most today, which is the default. Null means the same as omitting the field.
     */
    day?: Day | null;
};

export type StatementRunAccepted = {
    employer_id: EmployerId;
    /**
     * The day through which statements are generated.
     */
    day: Day;
    /**
     * The statements that this request opened, in the order of their periods.
     */
    opened_statement_ids: Array<StatementId>;
};

export type StatementRunAcceptedResponse = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: StatementRunAccepted;
};

export type Subscription = {
    id: SubscriptionId;
    employer_id: EmployerId;
    /**
     * The first day of the subscription.
     */
    started_on: Day;
    /**
     * The day after the last day of the subscription. Null without an end.
     */
    ended_on: Day | null;
};

export type SubscriptionEnd = {
    /**
     * The day after the last day of the subscription.
     */
    ended_on: Day;
};

/**
 * The subscription. Its id begins with `sub_`.
 */
export type SubscriptionId = string;

export type SubscriptionPage = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: Array<Subscription>;
    pagination: Pagination;
};

export type SubscriptionResponse = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: Subscription;
};

/**
 * Work that waits for an operator. A completed task disappears from the list.
 */
export type Task = {
    /**
     * The id of the task.
     */
    id: TaskId;
    kind: TaskKind;
    /**
     * The organization. Null if it concerns no single organization.
     */
    organization_id: OrganizationId | null;
    /**
     * The name of that organization. Null if it concerns no single organization.
     */
    organization_name: string | null;
    /**
     * The employer. Null if not applicable.
     */
    employer_id: EmployerId | null;
    /**
     * The name of that employer. Null if it concerns no single employer.
     */
    employer_name: string | null;
    /**
     * The name of the person that it concerns. Null if it concerns no single person.
     */
    person_name: string | null;
    /**
     * The id of the resource that it concerns.
     */
    resource_id: string;
    /**
     * Further ids, days, numbers and webhook addresses by name. No personal data.
     */
    details: {
        [key: string]: string | number | boolean | null;
    };
    /**
     * The time when the task was opened.
     */
    opened_at: Timestamp;
    /**
     * The operation that completes the task.
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
 * termination_too_old: a roster reports a last day of employment more than 60 days ago. reinstatement_too_old: a roster lists an employee whom an earlier roster left out more than 60 days ago. start_too_old: a roster reports a first day that would take away coverage of more than 60 days ago. For these three, `resource_id` is the employee. enrollment_lapsing: an employee enrolled at the end of a plan year has neither elected nor waived in the next one and is not carried over; `resource_id` is the enrollment in the next plan year. enrollment_superseded: a loss was withdrawn after the employee had made another election; `resource_id` is the enrollment that continues. census_held: a census that would terminate many employees waits for confirmation; `resource_id` is the census, which can be discarded instead. life_event_pending: a reported life event waits for approval. hris_access_lost: the payroll system rejected our credentials; renewing them resumes the connection. webhook_disabled: a receiver was gone or failed for 5 days; resuming the subscription sends the missed events. webhook_deliveries_failed: a receiver did not accept an event in 14 attempts, but accepts others. invoice_drafted: a draft that is issued automatically after three days. plan_year_requested: a partner requests a plan year; `resource_id` is the employer. job_failed: a job that used up its attempts; `resource_id` is the job. daily_run_late: the daily run of an organization has not finished an hour after midnight; `resource_id` is the organization. affordability_figure_missing: a public figure is missing, and affordability or the assessable payments of large employers need it within 120 days; `resource_id` is the year.
 */
export type TaskKind = 'enrollment_lapsing' | 'termination_too_old' | 'reinstatement_too_old' | 'start_too_old' | 'census_held' | 'enrollment_superseded' | 'life_event_pending' | 'hris_access_lost' | 'webhook_disabled' | 'webhook_deliveries_failed' | 'invoice_drafted' | 'plan_year_requested' | 'job_failed' | 'daily_run_late' | 'affordability_figure_missing';

export type TaskPage = {
    data: Array<Task>;
    pagination: Pagination;
};

export type TierRateId = string;

export type UsagePage = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: Array<CredentialUsage>;
    pagination: Pagination;
};

export type User = {
    id: UserId;
    /**
     * The name of the user.
     */
    name: string;
    /**
     * The email address. Not case-sensitive. Null if unknown.
     */
    email: string | null;
    /**
     * When the record was created.
     */
    created_at: Timestamp;
};

export type UserResponse = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: User;
};

/**
 * The number of events of each name per day.
 */
export type WebhookEventsByDay = {
    /**
     * Days in ascending order, and the most frequent events of a day first.
     */
    days: Array<{
        /**
         * A day with events.
         */
        day: Day;
        /**
         * The events of the day.
         */
        event_counts: Array<{
            /**
             * The name of the event.
             */
            event_name: WebhookEventName;
            /**
             * The number of events with this name on that day.
             */
            event_count: number;
        }>;
    }>;
    /**
     * Whether the counts are complete. At most the earliest 20,000 events are counted.
     */
    is_complete: boolean;
};

export type WebhookEventsByDayResponse = {
    data: WebhookEventsByDay;
};

export type OperatorListOperatorsQuery = {
    /**
     * Whether to include former operators.
     */
    include_ended?: boolean;
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type OperatorListOperatorKeysQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type OperatorListOperatorInvitationsQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type OperatorListInvitationsQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type OperatorListSessionsQuery = {
    /**
     * Only sessions of this user.
     */
    user_id?: string;
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type OperatorListUsageQuery = {
    /**
     * The first day. Default: 30 days ago. Usage is kept for 90 days.
     */
    since?: Day;
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type OperatorListApiKeyUsageQuery = {
    /**
     * The first day. Default: 30 days ago. Usage is kept for 90 days.
     */
    since?: Day;
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type OperatorListAuditEntriesQuery = {
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
    /**
     * Only entries of this organization.
     */
    organization_id?: OrganizationId;
};

export type OperatorExportAuditEntriesQuery = {
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
    /**
     * Only entries of this organization.
     */
    organization_id?: OrganizationId;
};

export type OperatorListLowestCostSilverPremiumsQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
    /**
     * Only premiums of this state.
     */
    state?: State;
    /**
     * Only premiums that apply in this county: its own and those of its state.
     */
    county?: string;
};

export type OperatorListTasksQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
    /**
     * Only tasks of this kind.
     */
    kind?: TaskKind;
    /**
     * Only tasks of this organization.
     */
    organization_id?: OrganizationId;
    /**
     * Only tasks of this employer.
     */
    employer_id?: EmployerId;
};

export type OperatorListEmployersQuery = {
    /**
     * Only employers of this organization. With it, `search` matches any part of a name.
     */
    organization_id?: OrganizationId;
    /**
     * The start of a name or legal name, or the exact id, EIN or admin email address. At least 3 characters. Finds at most 1000 results.
     */
    search?: string;
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type OperatorListEmployerAdminsQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type OperatorListEmployerNotesQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type OperatorListEmployeeNotesQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type OperatorImportCatalogQuery = {
    /**
     * If true, returns the planned changes without making them.
     */
    dry_run?: boolean;
};

export type OperatorListDocumentsQuery = {
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

export type OperatorExplainEligibilityQuery = {
    /**
     * The day to explain. The default is today.
     */
    as_of?: Day;
};

export type OperatorListEmployeeEnrollmentsQuery = {
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

export type OperatorGetEnrollmentHistoryQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type OperatorListDependentsQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type OperatorListEmployeeLifeEventsQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type OperatorListLifeEventsQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
    /**
     * Returns only life events with this status.
     */
    status?: LifeEventStatus;
    /**
     * Returns only life events of this organization.
     */
    organization_id?: OrganizationId;
};

export type OperatorListBenefitPlanYearAmendmentsQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type OperatorListManualAdjustmentsQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type OperatorListPayrollDeductionStatementsQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type OperatorProveDeductionsQuery = {
    /**
     * The calendar year. Default: the current one.
     */
    year?: number;
};

export type OperatorListAllPayrollDeductionStatementsQuery = {
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

export type OperatorListInvoiceLinesQuery = {
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

export type OperatorListAllInvoicesQuery = {
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

export type OperatorListInvoiceAgingQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type OperatorListInvoicesQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * The `next_offset` of the previous page. Opaque, and only valid for the same employer.
     */
    offset?: string;
};

export type OperatorListMemberEnrollmentsQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type OperatorFindDependentsQuery = {
    /**
     * The beginning of the last name of the dependent, a first and full last name in either order, or a full `dependent_id`. At least 3 characters. Finds at most 1000 results.
     */
    search?: string;
    /**
     * Only dependents of this organization.
     */
    organization_id?: OrganizationId;
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type OperatorFindMembersQuery = {
    /**
     * The beginning of a last name, a first and full last name in either order, or a full email address, `member_id`, `employee_id` or `reference_id`. At least 3 characters. Finds at most 1000 results.
     */
    search?: string;
    /**
     * Only people of this organization.
     */
    organization_id?: OrganizationId;
    /**
     * Only present and former employees of this employer.
     */
    employer_id?: EmployerId;
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type OperatorListEmployeeCorrectionsQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type OperatorListCensusSyncsQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type OperatorListHrisRunsQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type OperatorListHrisRunPeopleQuery = {
    /**
     * Only people with one of these outcomes.
     */
    outcome?: Array<HrisRunPersonOutcome>;
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type OperatorListOpenHrisConnectionsQuery = {
    /**
     * Only connections whose last sync did not succeed.
     */
    failing?: boolean;
    /**
     * Only connections of this organization.
     */
    organization_id?: OrganizationId;
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type OperatorListGroupMemberSyncsQuery = {
    /**
     * Only requests that are not completed.
     */
    under_way?: boolean;
    /**
     * Only requests of this organization.
     */
    organization_id?: OrganizationId;
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type OperatorEmployersGetAffordabilityQuery = {
    /**
     * The first day of the plan year. The default is today.
     */
    plan_year_start?: Day;
    /**
     * The monthly cost of the lowest-cost plan of minimum value for the employee alone.
     */
    cost_in_cents?: number;
};

export type OperatorListWebhookSubscriptionsQuery = {
    /**
     * `failing`: the last attempt failed, but deliveries continue. `disabled`: deliveries have stopped.
     */
    health?: 'failing' | 'disabled';
    /**
     * Only subscriptions of this organization.
     */
    organization_id?: OrganizationId;
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type OperatorListWebhookEventsQuery = {
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
};

export type OperatorCountWebhookEventsQuery = {
    /**
     * The first day to count, in Eastern time.
     */
    from?: Day;
};

export type OperatorListWebhookEventDeliveriesQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type OperatorListWebhookDeliveriesQuery = {
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

export type OperatorListJobsQuery = {
    /**
     * The state of the jobs. Default: `failed`.
     */
    state?: JobState;
    /**
     * Only jobs of this organization.
     */
    organization_id?: OrganizationId;
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type OperatorListUsersQuery = {
    /**
     * The beginning of a name, or a full id or email address. At least 3 characters. Finds at most 1000 results.
     */
    search?: string;
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type OperatorListOrganizationsQuery = {
    /**
     * The beginning of a name, or a full id. At least 3 characters. Finds at most 1000 results.
     */
    search?: string;
    /**
     * Only organizations whose daily run is late. Ignored with `search`, which finds all.
     */
    late?: boolean;
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type OperatorListMembershipsQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type OperatorListApiKeysQuery = {
    /**
     * Only keys bound to this organization.
     */
    organization_id?: OrganizationId;
    /**
     * Only keys of this user.
     */
    user_id?: UserId;
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

export type OperatorListSubscriptionsQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
};

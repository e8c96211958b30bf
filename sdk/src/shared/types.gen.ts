// Generated from openapi.json and openapi.operator.json by npm run gen.

export type Address = {
    /**
     * The street and number.
     */
    address_line_1: string;
    /**
     * The apartment, suite or similar. Null if the address has none.
     */
    address_line_2: string | null;
    /**
     * The city.
     */
    city: string;
    /**
     * A US state or territory, by its two-letter code.
     */
    state: string;
    /**
     * The ZIP code of five or nine digits.
     */
    zipcode: string;
};

/**
 * The cause of an adjustment, and who reported it and when.
 */
export type AdjustmentCause = {
    action: AdjustmentCauseAction;
    /**
     * The operation id of the request that reported it, as in the audit log. Null for background work, and for entries without a recorded request.
     */
    operation: string | null;
    /**
     * When it was reported.
     */
    reported_at: Timestamp;
    /**
     * The caller that reported it. `rule`: background work, such as a census. Null if it was not recorded.
     */
    reported_by: {
        kind: EnrollmentActorKind;
        /**
         * The employee, or the API key of the partner. Null for others, and for bound tokens.
         */
        id: string | null;
    } | null;
    /**
     * The start of coverage after the change. Null if the enrollment did not change.
     */
    coverage_start: Day | null;
    /**
     * The last day of coverage after the change. Null if it has no end or did not change.
     */
    coverage_end: Day | null;
    /**
     * The reason for the change, as text. Null if no reason was given.
     */
    reason: string | null;
};

/**
 * The action on the enrollment, as in its history. invoice_voided: an invoice for the month was voided. manual_adjustment: the operator booked it manually.
 */
export type AdjustmentCauseAction = 'elected' | 'waived' | 'renewed' | 'resumed' | 'resumption_withdrawn' | 'corrected' | 'terminated' | 'reissued' | 'ended' | 'end_changed' | 'reinstated' | 'dependents_changed' | 'amended' | 'invoice_voided' | 'manual_adjustment';

/**
 * Why the month is adjusted: it was not billed; it should not have been billed; another plan or tier was in force; or the price or the split between employer and employee changed.
 */
export type AdjustmentReason = 'not_billed_before' | 'no_longer_due' | 'coverage_changed' | 'price_changed';

export type Affordability = 'Affordable' | 'Not Affordable';

/**
 * lowest_cost_silver_premium: for the state or county and age, imported by the operator. required_contribution_percentage: the share of income that coverage may cost, published by the IRS. poverty_guidelines: published by the Department of Health and Human Services.
 */
export type AffordabilityFigure = 'lowest_cost_silver_premium' | 'required_contribution_percentage' | 'poverty_guidelines';

/**
 * The safe harbor that sets this limit: the federal poverty line, or the rate of pay.
 */
export type AffordabilityLimit = 'federal_poverty_line' | 'rate_of_pay';

/**
 * A change to a plan year starting on a day.
 */
export type Amendment = {
    /**
     * The id of the amendment.
     */
    id: BenefitPlanYearAmendmentId;
    benefit_plan_year_id: BenefitPlanYearId;
    /**
     * The first day on which it applies.
     */
    effective_on: Day;
    /**
     * The reason that the operator gave.
     */
    reason: string;
    /**
     * Plans that got new catalog rates.
     */
    repriced_plan_ids: Array<PlanId>;
    /**
     * The contributions of the employer to these benefits starting that day, as sent.
     */
    contributions: Array<{
        benefit_id: BenefitId;
        /**
         * The share of the premium that the employer pays, by coverage level. The first match applies.
         */
        contribution_tiers?: Array<{
            [key: string]: unknown;
        }>;
        /**
         * The allowances of an ICHRA. The first match applies.
         */
        ichra_contribution_classes?: Array<{
            [key: string]: unknown;
        }>;
    }>;
    /**
     * Plans that are offered starting that day.
     */
    added_plan_ids: Array<PlanId>;
    /**
     * Plans that end coverage before that day.
     */
    closed_plan_ids: Array<PlanId>;
    /**
     * Benefits that are offered starting that day, as sent.
     */
    added_benefits: Array<{
        benefit_id: BenefitId;
        /**
         * The share of the premium that the employer pays, by coverage level. The first match applies.
         */
        contribution_tiers?: Array<{
            [key: string]: unknown;
        }>;
        /**
         * The allowances of an ICHRA. The first match applies.
         */
        ichra_contribution_classes?: Array<{
            [key: string]: unknown;
        }>;
        /**
         * The plans that were sent for the benefit.
         */
        plan_ids?: Array<PlanId>;
    }>;
    /**
     * Benefits that end coverage before that day.
     */
    withdrawn_benefit_ids: Array<BenefitId>;
    /**
     * The new last day of the plan year. Null if the amendment does not change it.
     */
    coverage_end: Day | null;
    /**
     * When the operator made the amendment.
     */
    reported_at: Timestamp;
    /**
     * When the amendment was withdrawn. Null while it is in force.
     */
    withdrawn_at: Timestamp | null;
    /**
     * Why the amendment was withdrawn. Null while it is in force.
     */
    withdrawal_reason: string | null;
};

export type AmendmentPage = {
    data: Array<Amendment>;
    pagination: Pagination;
};

export type AnyLifeEventType = 'marriage' | 'divorce' | 'birth' | 'adoption' | 'placement' | 'death_of_dependent' | 'loss_of_coverage' | 'gain_of_coverage' | 'change_of_residence' | 'change_of_employment' | 'other' | 'dependent_coverage_ended';

export type ApiKey = {
    id: ApiKeyId;
    /**
     * The purpose of the key. Null if the key has no name.
     */
    name: string | null;
    /**
     * The member who owns the key, whose role it has.
     */
    user_id: UserId;
    /**
     * The organization that the key is bound to. Null if the key is unbound.
     */
    organization_id: OrganizationId | null;
    mode: ApiKeyMode;
    /**
     * The last four characters of the secret.
     */
    last_four: string;
    /**
     * Scopes of the key: `read`, `write`, and the areas `people`, `money`, `webhooks`, `keys` and `tax`. Employers, plan years and the catalog need no area. Each operation lists the scopes it requires, and a key needs all of them.
     */
    scopes: Array<ApiKeyScope>;
    /**
     * The pages whose browsers may send bound tokens of the key. An empty list allows none. Null applies the origins that the operator configured as the default.
     */
    allowed_origins: Array<string> | null;
    status: ApiKeyStatus;
    /**
     * When the record was created.
     */
    created_at: Timestamp;
    /**
     * The member or operator who created the key. Null if the installation created it.
     */
    created_by: UserId | null;
    /**
     * When the key or one of its tokens was last used. Up to a minute behind. Null if it was never used.
     */
    last_used_at: Timestamp | null;
    /**
     * When the key expires. Null if it does not expire.
     */
    expires_at: Timestamp | null;
    /**
     * When the secret was last rotated. Null if it was never rotated.
     */
    rotated_at: Timestamp | null;
    /**
     * When the previous secret expires. Null if there is no valid previous secret.
     */
    former_secret_expires_at: Timestamp | null;
    /**
     * When the key was revoked. Null if it is not revoked.
     */
    revoked_at: Timestamp | null;
    /**
     * Why the key was revoked. `leaked` means that it was reported as found. Null if it is not revoked.
     */
    revoked_because: RevokedBecause | null;
};

/**
 * The API key. Its id begins with `key_`.
 */
export type ApiKeyId = string;

/**
 * `test` keys reach sandbox organizations, and `live` keys reach all others.
 */
export type ApiKeyMode = 'live' | 'test';

export type ApiKeyPage = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: Array<ApiKey>;
    pagination: Pagination;
};

export type ApiKeyScope = 'read' | 'write' | 'people' | 'money' | 'webhooks' | 'keys' | 'tax';

/**
 * active: accepted. expired: past `expires_at`. revoked: no longer accepted, by request or because it leaked.
 */
export type ApiKeyStatus = 'active' | 'expired' | 'revoked';

export type Attachment = {
    /**
     * The id of the document.
     */
    id: AttachmentId;
    /**
     * The name of the file, as sent.
     */
    file_name: string;
    scan: FileScan;
    /**
     * The download link. Null until the scan has finished, and if the scanner refused the file.
     */
    file: DownloadLink | null;
    /**
     * When the record was created.
     */
    created_at: Timestamp;
};

export type AttachmentId = string;

/**
 * A read or write with its caller, time and address. It contains no personal data.
 */
export type AuditEntry = {
    /**
     * The id of the entry.
     */
    id: AuditEntryId;
    /**
     * The organization. Null if the operation was not on a single organization.
     */
    organization_id: OrganizationId | null;
    /**
     * The actual time, even if a sandbox has its own clock.
     */
    occurred_at: Timestamp;
    /**
     * The id of the operation.
     */
    operation: string;
    /**
     * The resource that was read, created or changed: the last one in the path. Null if the operation has no single resource.
     */
    resource_id: string | null;
    outcome: AuditOutcome;
    /**
     * The HTTP status of the response.
     */
    status: number;
    /**
     * The caller.
     */
    actor: {
        /**
         * The kind of credential: api_key, session_token, access_token, employer_token, employee_token or operator; unauthenticated for an invalid credential; service for the service itself. More kinds may be added.
         */
        kind: string;
        /**
         * The id of the key. For a bound token: the key, a slash, and the entity it is bound to. Null without an id.
         */
        id: string | null;
        /**
         * The user. Null if the caller is not a user.
         */
        user_id: UserId | null;
    };
    /**
     * The IP address of the client. Null if unknown.
     */
    address: string | null;
    /**
     * The `X-Request-Id` of the response.
     */
    trace_id: string;
    /**
     * The names of the fields in the request body, never their values. Null if nothing was changed.
     */
    fields: Array<string> | null;
};

export type AuditEntryId = string;

export type AuditEntryPage = {
    data: Array<AuditEntry>;
    pagination: CursorPagination;
    /**
     * The same value as `pagination.next_offset`. Null on the last page.
     */
    next_offset: string | null;
};

/**
 * `succeeded`: a status below 400. `refused`: 400 to 499. `failed`: 500 or higher.
 */
export type AuditOutcome = 'succeeded' | 'refused' | 'failed';

export type BenefitCategory = 'Medical' | 'Dental' | 'Vision' | 'Hospital';

export type BenefitExplanation = {
    /**
     * The benefit.
     */
    benefit: {
        id: BenefitId;
        /**
         * The category of the benefit, such as Medical.
         */
        category: string;
        /**
         * The display name of the benefit.
         */
        name: string;
        /**
         * The product code of the benefit.
         */
        product_code: string;
    };
    benefit_plan_year_id: BenefitPlanYearId;
    /**
     * The first day of the waiting period.
     */
    anchor: Day;
    rule: PolicyWaitingPeriod;
    /**
     * The first day after the waiting period by its rule alone, before `start_alignment`, `floor` and `cap` apply.
     */
    raw_day: Day;
    start_alignment: PolicyStartAlignment;
    /**
     * The raw day, or the first of the next month if `start_alignment` requires it.
     */
    aligned_day: Day;
    /**
     * For an employee who returned within the service credit: the first day of the earlier service, from which the waiting period continues. Coverage begins on the first of the next month at the earliest, or immediately with the waiting period `none`. Null for new employees and for those who returned too late.
     */
    service_from: Day | null;
    /**
     * The policy whose waiting period applies.
     */
    eligibility_policy_id: EligibilityPolicyId;
    /**
     * The earliest possible day: the start of the plan year, of the benefit, or of a policy that was created later, whichever is last.
     */
    floor: Day;
    /**
     * The latest first day after the waiting period for medical products under any rule, 90 days after the anchor. Null if there is no limit.
     */
    cap: Day | null;
    /**
     * The first day of coverage: the latest of the day after the waiting period, the start of the plan year and the start of the benefit. Null if eligibility is lost before that day, so that coverage cannot start.
     */
    coverage_start: Day | null;
    /**
     * The enrollment that was granted, if any. A life event, a correction or earlier coverage can have moved its days. Null if none was granted.
     */
    enrollment: {
        id: EnrollmentId;
        /**
         * The first day of coverage.
         */
        coverage_start: Day;
        /**
         * The last day of coverage. Null if there is no end date.
         */
        coverage_end: Day | null;
    } | null;
    /**
     * Problems to review, which did not cause a refusal. Empty if there are none.
     */
    warnings: Array<EligibilityWarning>;
};

export type BenefitFamily = 'mec' | 'mvp' | 'ichra' | 'vpc' | 'dental' | 'vision';

export type BenefitFamilyTag = 'MEC' | 'MVP' | 'ICHRA' | 'VPC' | 'DENTAL' | 'VISION';

/**
 * The benefit. Its id begins with `bprd_`.
 */
export type BenefitId = string;

export type BenefitPlanYear = {
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
        /**
         * The numbers of eligible and enrolled employees.
         */
        enrollment_rate: EnrollmentRate;
    }>;
    /**
     * An employee can hold one benefit of each group at a time. Electing one waives the others, or ends them on the day before.
     */
    choice_groups: Array<{
        /**
         * The name of the choice group, such as `medical`.
         */
        name: string;
        /**
         * The benefits in the group.
         */
        benefit_ids: Array<BenefitId>;
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
     * The URL of the summary plan description of the first benefit. Null if not provided.
     */
    spd_file_url: string | null;
    /**
     * How much the employer contributes to each benefit.
     */
    contribution_strategy: {
        /**
         * The price of each plan for each coverage level, for all benefits except ICHRA.
         */
        contribution_tiers: Array<PricedTier>;
        /**
         * The contribution rules that the operator sent.
         */
        contribution_rules: Array<{
            /**
             * The coverage level that the rule applies to. Null for every coverage level.
             */
            coverage_tier: CoverageTier | null;
            /**
             * A fixed amount.
             */
            method: 'fixed';
            /**
             * Cents per month.
             */
            amount_in_cents: number;
            benefit_id: BenefitId;
        } | {
            /**
             * The coverage level that the rule applies to. Null for every coverage level.
             */
            coverage_tier: CoverageTier | null;
            /**
             * A percentage of the premium.
             */
            method: 'percentage';
            /**
             * The percentage of the premium, with at most two decimals. Amounts are rounded half up to cents.
             */
            percentage: number;
            benefit_id: BenefitId;
        }>;
        /**
         * The allowances of an ICHRA.
         */
        ichra_contribution_classes: Array<ShownIchraClass>;
    };
    /**
     * The active policy of the employer. Null if no policy applies.
     */
    eligibility_policy: PlanYearEligibilityPolicy | null;
};

export type BenefitPlanYearAmendmentId = string;

/**
 * The plan year. Its id begins with `plyr_`.
 */
export type BenefitPlanYearId = string;

/**
 * upcoming: coverage has not started, and open enrollment is not open. open_enrollment: coverage has not started, and open enrollment is open. active: coverage is in force. inactive: coverage has ended.
 */
export type BenefitPlanYearStatus = 'active' | 'upcoming' | 'open_enrollment' | 'inactive';

export type BenefitWithoutPeriod = {
    /**
     * The benefit.
     */
    benefit: {
        id: BenefitId;
        /**
         * The category of the benefit, such as Medical.
         */
        category: string;
        /**
         * The display name of the benefit.
         */
        name: string;
        /**
         * The product code of the benefit.
         */
        product_code: string;
    };
    benefit_plan_year_id: BenefitPlanYearId;
    /**
     * The policy that determines eligibility and its start. Null if no policy applies.
     */
    eligibility_policy: PolicyInForce | null;
    reason_code: EligibilityReasonCode;
    /**
     * Why the policy never covered the employee.
     */
    reason: string;
};

export type CensusCounts = {
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
     * The number of rehired people.
     */
    rehired: number;
    /**
     * The number of terminated employments.
     */
    terminated: number;
    /**
     * The number of refused rows.
     */
    failed: number;
};

export type CensusFailure = {
    /**
     * The position in the submission, from 0.
     */
    index: number;
    /**
     * Your own reference. Null if not provided.
     */
    reference_id: string | null;
    /**
     * The name of the invalid field. Null if the whole row is invalid.
     */
    field: string | null;
    /**
     * The error or warning, without personal data.
     */
    reason: string;
};

/**
 * A person who is missing from a replacing census.
 */
export type CensusMissing = {
    employee_id: EmployeeId;
    /**
     * The legal first name.
     */
    first_name: string;
    /**
     * The legal last name.
     */
    last_name: string;
    /**
     * Your own reference. Null if not provided.
     */
    reference_id: string | null;
};

/**
 * `merge` leaves missing people unchanged. `replace` terminates them.
 */
export type CensusMode = 'merge' | 'replace';

/**
 * api: sent by the partner. hris: fetched from a payroll system.
 */
export type CensusOrigin = 'api' | 'hris';

export type CensusOutcome = {
    /**
     * The census. Null for a dry run, which is not stored.
     */
    census_sync_id: CensusSyncId | null;
    employer_id: EmployerId;
    origin: CensusOrigin;
    mode: CensusMode;
    /**
     * Whether this was only a preview that changed nothing.
     */
    dry_run: boolean;
    state: CensusSyncState;
    /**
     * The number of rows.
     */
    row_count: number;
    /**
     * The number of rows processed so far.
     */
    processed_count: number;
    /**
     * The number of rows by outcome.
     */
    counts: CensusCounts;
    /**
     * How many people a confirmation would terminate. Null unless held.
     */
    missing_count: number | null;
    /**
     * The first 1000 people, by name, who are missing and would be terminated. Null unless the census is held or a dry run.
     */
    missing: Array<CensusMissing> | null;
    /**
     * The refused rows. All other rows were processed.
     */
    failures: Array<CensusFailure>;
    warnings: Array<CensusWarning>;
    /**
     * The first 1000 rows that would change something. Null unless this is a dry run.
     */
    planned: Array<CensusPlannedRow> | null;
    /**
     * When the service accepted the submission, which is then processed in the background.
     */
    accepted_at: Timestamp;
    /**
     * When processing ended. Null until then.
     */
    completed_at: Timestamp | null;
};

export type CensusOutcomeResponse = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: CensusOutcome;
};

/**
 * The planned changes of a row.
 */
export type CensusPlannedRow = {
    /**
     * The position in the submission, from 0.
     */
    index: number;
    outcome: CensusRowOutcome;
    /**
     * The employment. Null for a new one.
     */
    employee_id: EmployeeId | null;
    /**
     * The planned changes.
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
    }>;
};

/**
 * The planned action on the employment.
 */
export type CensusRowOutcome = 'created' | 'updated' | 'rehired' | 'terminated';

export type CensusSync = {
    census_sync_id: CensusSyncId;
    origin: CensusOrigin;
    mode: CensusMode;
    state: CensusSyncState;
    /**
     * The number of rows.
     */
    row_count: number;
    /**
     * The number of rows by outcome.
     */
    counts: CensusCounts;
    /**
     * How many people a confirmation would terminate. Null unless held.
     */
    missing_count: number | null;
    /**
     * When the service accepted the submission, which is then processed in the background.
     */
    accepted_at: Timestamp;
    /**
     * When processing ended. Null until then.
     */
    completed_at: Timestamp | null;
};

/**
 * The census. Use it to read the outcome. Its id begins with `csyn_`.
 */
export type CensusSyncId = string;

export type CensusSyncPage = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: Array<CensusSync>;
    pagination: Pagination;
};

/**
 * `queued`: waits for its turn. `processing`: rows are being processed. `completed`: all rows are processed. `held`: waits for a confirmation before people are terminated. `failed`: stopped by an error.
 */
export type CensusSyncState = 'queued' | 'processing' | 'completed' | 'held' | 'failed';

/**
 * A text in the roster files of an employer, and the value it stands for.
 */
export type CensusValue = {
    /**
     * The name of the field.
     */
    field: string;
    /**
     * The text in the file. Case and punctuation are ignored.
     */
    text: string;
    /**
     * The value that it stands for. Null omits the field.
     */
    value: string | null;
};

/**
 * A row that was processed, and a field of it to check: corrected, not adopted, or unknown (an unknown class counts as Full Time).
 */
export type CensusWarning = {
    /**
     * The position in the submission, from 0.
     */
    index: number;
    /**
     * Your own reference. Null if not provided.
     */
    reference_id: string | null;
    /**
     * The name of the invalid field. Null if the whole row is invalid.
     */
    field: string | null;
    /**
     * The error or warning, without personal data.
     */
    reason: string;
};

export type CompensationType = 'Salary' | 'Hourly';

/**
 * The contribution of the employer for a coverage level. The first match applies.
 */
export type ContributionTier = {
    /**
     * The coverage level that the rule applies to. Null for every coverage level.
     */
    coverage_tier?: CoverageTier | null;
    /**
     * A fixed amount.
     */
    method: 'fixed';
    /**
     * Cents per month.
     */
    amount_in_cents: number;
} | {
    /**
     * The coverage level that the rule applies to. Null for every coverage level.
     */
    coverage_tier?: CoverageTier | null;
    /**
     * A percentage of the premium.
     */
    method: 'percentage';
    /**
     * The percentage of the premium, with at most two decimals. Amounts are rounded half up to cents.
     */
    percentage: number;
};

/**
 * Why there is a correction. not_deducted_before: nothing was deducted. no_longer_due: nothing is due. tax_classification_changed: the tax classification changed. amount_changed: another amount is due.
 */
export type CorrectionReason = 'not_deducted_before' | 'no_longer_due' | 'tax_classification_changed' | 'amount_changed';

/**
 * The coverage level. `EE`: employee only. `ES`: employee and spouse. `EC`: employee and children. `EF`: family.
 */
export type CoverageTier = 'EE' | 'ES' | 'EC' | 'EF';

/**
 * The position of the next page.
 */
export type CursorPagination = {
    /**
     * The maximum number of items per page.
     */
    limit: number;
    /**
     * The `offset` of the next page. Null on the last page.
     */
    next_offset: string | null;
};

/**
 * A calendar day, `YYYY-MM-DD`.
 */
export type Day = `${number}-${number}-${number}`;

/**
 * A payroll deduction of the most recent statement period.
 */
export type Deduction = {
    /**
     * The name of the benefit.
     */
    benefit_name: string;
    /**
     * The deduction of the pay period, in cents. Negative for a refund.
     */
    deduction_amount_in_cents: number;
    /**
     * Reserved. Currently always null.
     */
    deduction_category: string | null;
    /**
     * The pay frequency.
     */
    frequency: string;
    /**
     * The first day of the pay period.
     */
    period_start_date: Day;
    /**
     * The last day of the pay period.
     */
    period_end_date: Day;
    /**
     * Whether the deduction is pre-tax or post-tax.
     */
    tax_classification: DeductionTaxClassification;
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
};

/**
 * deduction: the regular deduction of the pay period. correction: the difference between what is due for earlier pay periods and what was deducted for them, signed. manual_adjustment: booked by the operator. arrears: an amount that payroll did not deduct before.
 */
export type DeductionLineKind = 'deduction' | 'correction' | 'manual_adjustment' | 'arrears';

/**
 * annualized: twelve monthly amounts are spread evenly over the paydays of a year. per_month: each monthly amount is spread over the paydays of its month.
 */
export type DeductionMethod = 'annualized' | 'per_month';

/**
 * Compares the amounts due in a year with the collected ones, to the cent.
 */
export type DeductionProof = {
    employee_id: EmployeeId;
    /**
     * The calendar year.
     */
    year: number;
    /**
     * The last day of the employer's latest statement. Null without a statement.
     */
    through: Day | null;
    /**
     * The enrollments.
     */
    enrollments: Array<{
        enrollment_id: EnrollmentId;
        /**
         * The name of the benefit.
         */
        benefit_name: string;
        /**
         * The employee's share of the premiums for all charged months of the year, in cents.
         */
        due_in_cents: number;
        /**
         * The part of `due_in_cents` in pay periods with a statement.
         */
        scheduled_in_cents: number;
        /**
         * The sum of all lines of statements for this year.
         */
        collected_in_cents: number;
        /**
         * The part of `collected_in_cents` from corrections.
         */
        corrections_in_cents: number;
        /**
         * scheduled_in_cents less collected_in_cents, which the next statement corrects. After the last paycheck, only a refund is corrected; other due amounts are outstanding.
         */
        difference_in_cents: number;
        /**
         * The manual adjustments of the operator for months of the year.
         */
        manual_adjustments_in_cents: number;
        /**
         * The amount requested again because payroll had not deducted it.
         */
        arrears_in_cents: number;
        /**
         * Everything that statements requested from payroll, including arrears.
         */
        requested_in_cents: number;
        /**
         * The amount that payroll reported as deducted in the pay periods of the year. Periods without a report count as 0. Null without any report.
         */
        taken_in_cents: number | null;
        /**
         * The amount that payroll must still deduct: reported late, booked manually, not deducted before, or due after the last paycheck.
         */
        outstanding_in_cents: number;
        /**
         * The amount that is waived after the last paycheck, depending on `final_deductions`.
         */
        waived_in_cents: number;
    }>;
    /**
     * The employee's share of the premiums for all charged months of the year, in cents.
     */
    due_in_cents: number;
    /**
     * The part of `due_in_cents` in pay periods with a statement.
     */
    scheduled_in_cents: number;
    /**
     * The sum of all lines of statements for this year.
     */
    collected_in_cents: number;
    /**
     * The part of `collected_in_cents` from corrections.
     */
    corrections_in_cents: number;
    /**
     * scheduled_in_cents less collected_in_cents, which the next statement corrects. After the last paycheck, only a refund is corrected; other due amounts are outstanding.
     */
    difference_in_cents: number;
    /**
     * The manual adjustments of the operator for months of the year.
     */
    manual_adjustments_in_cents: number;
    /**
     * The amount requested again because payroll had not deducted it.
     */
    arrears_in_cents: number;
    /**
     * Everything that statements requested from payroll, including arrears.
     */
    requested_in_cents: number;
    /**
     * The amount that payroll reported as deducted in the pay periods of the year. Periods without a report count as 0. Null without any report.
     */
    taken_in_cents: number | null;
    /**
     * The amount that payroll must still deduct: reported late, booked manually, not deducted before, or due after the last paycheck.
     */
    outstanding_in_cents: number;
    /**
     * The amount that is waived after the last paycheck, depending on `final_deductions`.
     */
    waived_in_cents: number;
};

export type DeductionProofResponse = {
    data: DeductionProof;
};

export type DeductionTaxClassification = 'Unknown' | 'Pre-tax' | 'Post-tax';

export type DeletedNote = {
    /**
     * The deleted note.
     */
    id: NoteId;
};

export type DeletedNoteResponse = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: DeletedNote;
};

/**
 * A spouse, domestic partner or child of a person, who can be covered together with that person.
 */
export type Dependent = {
    id: DependentId;
    /**
     * The person whose dependent this is, independent of the employer.
     */
    member_id: MemberId;
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
     * The suffix of the name, such as Jr. or III. Null without a suffix.
     */
    suffix: string | null;
    /**
     * The date of birth.
     */
    date_of_birth: Day;
    /**
     * The gender that the person reported. Null if unknown.
     */
    gender: string | null;
    /**
     * Null if the dependent lives at the address of the employee, or if no address is known.
     */
    address: Address | null;
    /**
     * False after the dependent was removed.
     */
    active: boolean;
    /**
     * The last day as a dependent. Null without an end.
     */
    ended_on: Day | null;
    /**
     * The last day on which the dependent can be covered. For a child, the last day of the month of the 26th birthday, unless disabled. For a removed dependent, the last day of that month, if that is earlier. Null if there is no such day.
     */
    covered_until: Day | null;
    /**
     * Whether the operator approved a disability. A disabled child has no age limit.
     */
    disabled: boolean;
    verification: DependentVerification;
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
 * Data of a dependent that a benefit requires. `address`: the address of the dependent, or else of the employee. `verification`: documents that are pending or verified.
 */
export type DependentField = 'address' | 'gender' | 'verification';

/**
 * The dependent. Its id begins with `dep_`.
 */
export type DependentId = string;

export type DependentPage = {
    data: Array<Dependent>;
    pagination: Pagination;
};

/**
 * The relationship of the dependent to the employee. A person has at most one spouse or domestic partner at a time. Both belong to the same coverage levels, but the part of a deduction that covers a domestic partner is post-tax. A child can be added until the end of the month of the 26th birthday, or at any age if disabled.
 */
export type DependentRelationship = 'spouse' | 'domestic_partner' | 'child';

export type DependentResponse = {
    data: Dependent;
};

/**
 * Whether documents prove the relationship.
 */
export type DependentVerification = {
    status: DependentVerificationStatus;
    /**
     * Null without a decision.
     */
    decided_at: Timestamp | null;
    /**
     * The reason for the decision. The employee can read it. Null if not provided.
     */
    reason: string | null;
};

/**
 * unverified: no document was attached, or the relationship or date of birth changed since. pending: documents were attached since the last decision. verified, rejected: decided.
 */
export type DependentVerificationStatus = 'unverified' | 'pending' | 'verified' | 'rejected';

/**
 * Why deliveries stopped. requested: you disabled the subscription. gone: the receiver returned 410. failing: no delivery succeeded for 5 days.
 */
export type DisabledReason = 'requested' | 'gone' | 'failing';

/**
 * A version of a document of the library, in one language.
 */
export type Document = {
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
    organization_id: OrganizationId;
    scope: DocumentScope;
    /**
     * The name of the employer. Null for all employers.
     */
    employer_name: string | null;
    /**
     * The name of the plan. Null for all plans.
     */
    plan_name: string | null;
    /**
     * The first document of all versions and translations.
     */
    series_id: DocumentId;
    /**
     * The number of the version in its language, from 1.
     */
    version: number;
    audience: DocumentAudience;
    status: DocumentStatus;
    /**
     * The name of the file, as sent.
     */
    file_name: string;
    /**
     * The SHA-256 of the file in hexadecimal.
     */
    sha256: string;
    scan: FileScan;
    /**
     * The first day on which a later version is shown in its place. Null without a later version.
     */
    replaced_on: Day | null;
    /**
     * When it was withdrawn. Null until then.
     */
    withdrawn_at: Timestamp | null;
    /**
     * The permanent link to the current version. It needs no key. Null unless the audience is `public`.
     */
    public_url: string | null;
    /**
     * The number of employees who opened this version.
     */
    opened_count: number;
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
 * The people who see a document. `members`: members of the organization. `employees`: also the employer and the employees whom it concerns. `public`: also everyone who has its `public_url`.
 */
export type DocumentAudience = 'members' | 'employees' | 'public';

export type DocumentId = string;

/**
 * The kind of a document. `sbc`: Summary of Benefits and Coverage. `spd`: summary plan description. `summary`: another summary. `guide`: a benefits guide. `notice`: a legal notice. `form`: a form to fill in.
 */
export type DocumentKind = 'sbc' | 'spd' | 'summary' | 'guide' | 'notice' | 'form';

export type DocumentPage = {
    data: Array<Document>;
    pagination: Pagination;
};

export type DocumentResponse = {
    data: Document;
};

/**
 * The kind of resource that the document concerns.
 */
export type DocumentScope = 'organization' | 'employer' | 'plan_year' | 'plan';

/**
 * The status of a version today. `scheduled`: before `effective_on`. `replaced`: a later version took its place.
 */
export type DocumentStatus = 'scheduled' | 'current' | 'replaced' | 'withdrawn';

/**
 * A signed link that is valid for 15 minutes.
 */
export type DownloadLink = {
    /**
     * Returns the file with GET, without a key. Anyone with the link can download it.
     */
    download_url: string;
    /**
     * The link returns 404 from then on, or sooner if its API key ends or changes roles.
     */
    expires_at: Timestamp;
};

export type DownloadLinkResponse = {
    data: DownloadLink;
};

export type DroppableRelationship = 'spouse' | 'domestic_partner' | 'child';

/**
 * How an election or waiver was made. `employee`: with an employee token. `partner`: an API key. `operator`: a correction. `renewal`: the election of the previous plan year was carried over. `return`: the employee returned in time, and the earlier election was resumed.
 */
export type ElectedBy = 'employee' | 'partner' | 'operator' | 'renewal' | 'return';

/**
 * The elected plan.
 */
export type ElectedPlan = {
    id: PlanId;
    /**
     * The name of the plan.
     */
    name: string;
    /**
     * The name of the carrier.
     */
    carrier: string;
};

export type Election = {
    /**
     * One of the `plans` of the enrollment.
     */
    plan_id: PlanId;
    coverage_tier: CoverageTier;
    /**
     * The dependents to cover. By default, all dependents who fit the coverage level. Null means the same as omitting the field.
     */
    dependent_ids?: Array<DependentId> | null;
    /**
     * The plan that the employee bought. Required for ICHRA_REIMBURSEMENT_ONLY, and refused for all other benefits. Null means the same as omitting the field.
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
     * For ICHRA, whether the plan was bought on an exchange, in which case deductions are never pre-tax. Required with `individual_plan`. Otherwise the default is false. Null means the same as omitting the field.
     */
    bought_on_exchange?: boolean | null;
};

/**
 * Enrolled, Waived: the latest decision of the employee. Pending: no decision yet. Expired: no decision, and no window is open or planned.
 */
export type ElectionStatus = 'Enrolled' | 'Waived' | 'Pending' | 'Expired';

/**
 * `employee_class`: the policy covers its classes. `measured`: it covers employees of its classes while they are full-time by hours of service. The administrative period before a stability period takes the place of the waiting period. Until an employee is measured, the class Full Time is covered.
 */
export type EligibilityBasis = 'employee_class' | 'measured';

/**
 * Explains whether an employee is eligible on a day, and when coverage by each benefit starts.
 */
export type EligibilityExplanation = {
    employee_id: EmployeeId;
    employer_id: EmployerId;
    /**
     * The day to which the result applies.
     */
    as_of: Day;
    status: EligibilityStatus;
    reason_code: EligibilityReasonCode;
    /**
     * The reason as a human-readable sentence.
     */
    reason: string;
    /**
     * The first day of employment. Null if unknown.
     */
    hire_date: Day | null;
    /**
     * The last day of employment. Null if there is no end date.
     */
    termination_date: Day | null;
    /**
     * The class on that day. Null if it is unknown. Full Time is then assumed.
     */
    employee_class: string | null;
    /**
     * The compensation type on that day. Null if it is unknown.
     */
    compensation_type: string | null;
    /**
     * The classes of this employment, oldest first, including changes that are effective after that day.
     */
    class_history: Array<{
        /**
         * The reported class.
         */
        employee_class: string;
        /**
         * The first day of the class. For the first class, the first day of the employment.
         */
        effective_on: Day;
    }>;
    /**
     * The policy that is in force on that day for benefits without a policy of their own. If no such policy exists, the first policy for specific benefits. Null if no policy applies.
     */
    eligibility_policy: PolicyInForce | null;
    /**
     * The hire date, or the day on which the employee entered an eligible class. Null if there is no waiting period.
     */
    anchor: Day | null;
    /**
     * The first day of eligibility: the day after the waiting period. Null if the employee had no eligible class by that day.
     */
    eligible_on: Day | null;
    /**
     * The first day on which the employee is no longer eligible. Null while eligible.
     */
    eligibility_lost_on: Day | null;
    /**
     * The last day of the month in which eligibility was lost. Null if there is no end date.
     */
    covered_until: Day | null;
    /**
     * The benefits.
     */
    benefits: Array<BenefitExplanation>;
    /**
     * Benefits with a policy of their own that has not covered the employee on any day so far, with the reason.
     */
    benefits_without_period: Array<BenefitWithoutPeriod>;
    /**
     * Problems to review, which did not cause a refusal. Empty if there are none.
     */
    warnings: Array<EligibilityWarning>;
};

export type EligibilityExplanationResponse = {
    data: EligibilityExplanation;
};

/**
 * The eligibility policy. Its id begins with `epol_`.
 */
export type EligibilityPolicyId = string;

/**
 * The reason as a stable, machine-readable code.
 */
export type EligibilityReasonCode = 'waiting_period_ended' | 'waiting' | 'employment_ended' | 'not_employed_yet' | 'no_policy' | 'pay_not_covered' | 'class_not_covered' | 'not_measured_full_time';

/**
 * eligible: the waiting period has ended. waiting: in the waiting period. not_eligible: not in a covered class, or not employed.
 */
export type EligibilityStatus = 'eligible' | 'waiting' | 'not_eligible';

export type EligibilityWarning = {
    /**
     * A stable, machine-readable code.
     */
    code: EligibilityWarningCode;
    /**
     * A message for people. Its wording may change.
     */
    message: string;
};

export type EligibilityWarningCode = 'class_unknown' | 'compensation_type_unknown' | 'hire_date_unknown' | 'policy_came_later' | 'coverage_capped' | 'plan_year_ends_first' | 'not_offered_in_state';

export type Email = string;

export type Employee = {
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
};

export type EmployeeClass = 'Full Time' | 'Part Time' | 'Temporary' | 'Intern' | 'Seasonal' | 'Individual Contractor';

/**
 * The employment. A person has one per employer. Its id begins with `empl_`.
 */
export type EmployeeId = string;

export type EmployeeResponse = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: Employee;
};

export type Employer = {
    id: EmployerId;
    organization_id: OrganizationId;
    /**
     * The display name.
     */
    name: string;
    /**
     * The legal business name.
     */
    legal_name: string;
    /**
     * The employer identification number (EIN), masked except for the last four digits.
     */
    ein: string;
    /**
     * Your own reference. Null if not provided.
     */
    reference_id: string | null;
    /**
     * The email address for billing and communications.
     */
    email: string;
    /**
     * 10 digits. Null if unknown.
     */
    phone_number: string | null;
    /**
     * Whether the employer is active. Only your requests change it.
     */
    active: boolean;
    /**
     * A US address.
     */
    address: Address;
    /**
     * The active eligibility policy. Null if none is assigned.
     */
    eligibility_policy_id: EligibilityPolicyId | null;
    /**
     * The member of your organization responsible for the employer. Null without an owner, after the owner has left, and for tokens bound to the employer.
     */
    owner: {
        user_id: UserId;
        /**
         * The name of the member.
         */
        name: string;
    } | null;
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
 * A person who administers benefits at the employer.
 */
export type EmployerAdmin = {
    /**
     * The id of the admin.
     */
    id: EmployerAdminId;
    employer_id: EmployerId;
    /**
     * The email address. Not case-sensitive.
     */
    email: string;
    /**
     * The name of the admin. Null if unknown.
     */
    name: string | null;
    /**
     * A US phone number of 10 digits. Null if unknown.
     */
    phone: string | null;
    /**
     * When the record was created.
     */
    created_at: Timestamp;
};

export type EmployerAdminId = string;

export type EmployerAdminPage = {
    data: Array<EmployerAdmin>;
    pagination: Pagination;
};

export type EmployerAdminResponse = {
    data: EmployerAdmin;
};

/**
 * Which monthly cost of coverage is affordable for the full-time employees of an employer.
 */
export type EmployerAffordability = {
    employer_id: EmployerId;
    plan_year_start: Day;
    /**
     * The largest share of income that affordable coverage may cost. Null if unknown.
     */
    required_contribution_percentage: number | null;
    /**
     * The current employees who count as full-time.
     */
    full_time_count: number;
    /**
     * The highest monthly cost that is affordable for everyone by the federal poverty line. Null if the figures of the year are unknown.
     */
    poverty_line_cost_in_cents: number | null;
    /**
     * The highest monthly cost that is affordable for every full-time employee. Null if the figures are unknown.
     */
    affordable_cost_in_cents: number | null;
    /**
     * The full-time employees for whom `cost_in_cents` is not affordable. Null without a cost.
     */
    unaffordable_count: number | null;
    /**
     * The employees for whom the cost is not affordable, lowest limit first, at most 100. All employees if no cost is known.
     */
    employees: Array<{
        employee_id: EmployeeId;
        /**
         * The legal first name.
         */
        first_name: string;
        /**
         * The legal last name.
         */
        last_name: string;
        /**
         * Null if no wage was reported.
         */
        monthly_wage_in_cents: number | null;
        /**
         * The highest cost that is affordable for this employee.
         */
        affordable_cost_in_cents: number;
        safe_harbor: AffordabilityLimit;
    }>;
};

export type EmployerAffordabilityResponse = {
    data: EmployerAffordability;
};

/**
 * enrollment_closes: the last day of open enrollment. coverage_starts: the first day of the first plan year. goes_live: the go-live day. renews: the day after the end of the plan year.
 */
export type EmployerDateKind = 'enrollment_closes' | 'coverage_starts' | 'goes_live' | 'renews';

/**
 * The employer. Its id begins with `empr_`.
 */
export type EmployerId = string;

/**
 * onboarding: no coverage has started. open_enrollment: in an open enrollment. active: coverage is in force. renewal: coverage ends within 90 days. cancelled: the subscription has ended.
 */
export type EmployerLifecycleStage = 'cancelled' | 'onboarding' | 'open_enrollment' | 'renewal' | 'active';

export type EmployerPage = {
    data: Array<EmployerRow>;
    pagination: Pagination;
};

export type EmployerResponse = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: Employer;
};

/**
 * An employer with the computed columns of the employer book.
 */
export type EmployerRow = {
    id: EmployerId;
    organization_id: OrganizationId;
    /**
     * The display name.
     */
    name: string;
    /**
     * The legal business name.
     */
    legal_name: string;
    /**
     * The employer identification number (EIN), masked except for the last four digits.
     */
    ein: string;
    /**
     * Your own reference. Null if not provided.
     */
    reference_id: string | null;
    /**
     * The email address for billing and communications.
     */
    email: string;
    /**
     * 10 digits. Null if unknown.
     */
    phone_number: string | null;
    /**
     * Whether the employer is active. Only your requests change it.
     */
    active: boolean;
    /**
     * A US address.
     */
    address: Address;
    /**
     * The active eligibility policy. Null if none is assigned.
     */
    eligibility_policy_id: EligibilityPolicyId | null;
    /**
     * The member of your organization responsible for the employer. Null without an owner, after the owner has left, and for tokens bound to the employer.
     */
    owner: {
        user_id: UserId;
        /**
         * The name of the member.
         */
        name: string;
    } | null;
    /**
     * When the record was created.
     */
    created_at: Timestamp;
    /**
     * When the record last changed.
     */
    updated_at: Timestamp;
    /**
     * The same as `id`.
     */
    employer_id: EmployerId;
    /**
     * The numbers of eligible and enrolled employees.
     */
    enrollment_rate_summary: EnrollmentRate;
    /**
     * The families of active benefits.
     */
    benefit_families: Array<BenefitFamilyTag>;
    /**
     * The payroll or HRIS connection. Null if not connected.
     */
    hris_status: {
        /**
         * The identifier of the payroll system, such as `gusto`.
         */
        provider: string;
        /**
         * The display name of the payroll system.
         */
        provider_label: string;
        status: HrisStatus;
    } | null;
    /**
     * The lifecycle stage of the employer, with its date.
     */
    benefit_lifecycle_stage: {
        stage: EmployerLifecycleStage;
        /**
         * The date of the stage. Null if unknown.
         */
        as_of_date: Day | null;
    };
    /**
     * The day after the end of the current or last plan year. Null if there was none.
     */
    renews_on: Day | null;
    /**
     * The number of current employees.
     */
    employee_count: number;
    /**
     * The total of the latest issued invoice, which covers one month and may contain adjustments of earlier months. Null without an issued invoice, or if your role and scopes do not include money.
     */
    monthly_premium_in_cents: number | null;
    /**
     * The next date to prepare for. Null without an upcoming date, or if the employer is cancelled.
     */
    next_date: {
        kind: EmployerDateKind;
        date: Day;
    } | null;
};

export type EmployerSettings = {
    /**
     * The pay frequency.
     */
    pay_frequency: PayFrequency;
    /**
     * A payday, from which all others are calculated. Null if pay periods follow the calendar.
     */
    first_pay_date: Day | null;
    /**
     * How monthly amounts become deductions per pay period.
     */
    deduction_method: DeductionMethod;
    /**
     * How a census treats employees who are missing from it.
     */
    census_mode: CensusMode;
    /**
     * The texts in roster files and the values they stand for. The console applies them to uploaded files. A census must contain the values.
     */
    census_values: Array<CensusValue>;
    /**
     * 24 or 48. Null for one deduction per payday.
     */
    deductions_per_year: number | null;
    /**
     * The deduction from the last paycheck of an employee who leaves. `collect`: everything due until coverage ends. `waive`: only its regular deduction. Later paychecks deduct nothing.
     */
    final_deductions: FinalDeductions;
    /**
     * How much of a regular deduction a pay period may deduct in addition, to catch up on missed deductions.
     */
    arrears_limit_percent: number;
    /**
     * The go-live day, set by the operator. Earlier coverage is history and is neither deducted nor billed. Null if there is no start date.
     */
    administered_from: Day | null;
    /**
     * The correction window: how many months back invoices are adjusted and deductions are corrected. Set by the operator. Older amounts are booked manually.
     */
    correction_reach_months: number;
};

export type EmployerSettingsResponse = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: EmployerSettings;
};

/**
 * The steps until the first coverage of an employer starts.
 */
export type EmployerSetup = {
    employer_id: EmployerId;
    /**
     * The number of completed steps.
     */
    done_count: number;
    /**
     * The number of steps.
     */
    step_count: number;
    /**
     * Whether the employer has an active subscription. Employees cannot be added without one.
     */
    is_subscribed: boolean;
    /**
     * The steps, in the usual order.
     */
    steps: Array<EmployerSetupItem>;
    /**
     * The open request for a plan year. Null without an open request.
     */
    plan_year_request: PlanYearRequest | null;
};

export type EmployerSetupItem = {
    step: EmployerSetupStep;
    status: EmployerSetupStepStatus;
    /**
     * The party that completes the step: your organization, or the operator. Null if no one has to act.
     */
    actor: 'organization' | 'operator' | null;
    /**
     * The first day of coverage, for the steps `plan_year` and `go_live`. Null for other steps, and without a plan year.
     */
    starts_on: Day | null;
};

export type EmployerSetupResponse = {
    data: EmployerSetup;
};

/**
 * details: name, EIN and address. eligibility: a policy is active. payroll_calendar: `pay_frequency` or `first_pay_date` was set. contacts: an admin with a name exists. plan_year: a plan year is open. census: the roster has employees. invitations: the schedule of messages was saved, or a message was sent. go_live: the subscription is active and the first coverage has started.
 */
export type EmployerSetupStep = 'details' | 'eligibility' | 'payroll_calendar' | 'contacts' | 'plan_year' | 'census' | 'invitations' | 'go_live';

/**
 * done: complete. open: can be done now. waiting: waits for the operator, or for the first day of coverage.
 */
export type EmployerSetupStepStatus = 'done' | 'open' | 'waiting';

/**
 * active: until the end of the last day. terminated: from the day after.
 */
export type EmploymentStatus = 'active' | 'terminated';

/**
 * The benefit of the enrollment.
 */
export type EnrolledBenefit = {
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
    product_code: ProductCode;
};

export type Enrollment = {
    id: EnrollmentId;
    employee_id: EmployeeId;
    employer_id: EmployerId;
    benefit: EnrolledBenefit;
    /**
     * The data that each dependent must have before the benefit can cover them.
     */
    required_dependent_fields: Array<DependentField>;
    status: EnrollmentStatus;
    election_status: ElectionStatus;
    /**
     * The first day of coverage.
     */
    coverage_start: Day;
    /**
     * The last day of coverage. Null if no end is known. Before `coverage_start` if coverage never began.
     */
    coverage_end: Day | null;
    /**
     * The monthly amount in cents. 0 unless enrolled.
     */
    employee_deduction_in_cents: number;
    /**
     * The monthly amount in cents. 0 unless enrolled.
     */
    employer_contribution_in_cents: number;
    /**
     * The part of the deduction that covers a domestic partner, which is post-tax. 0 if no domestic partner is covered.
     */
    domestic_partner_share_in_cents: number;
    /**
     * When the employee last elected or waived, even if that repeated the earlier decision. Null if the employee has done neither.
     */
    answered_at: Timestamp | null;
    /**
     * How the election or waiver was made. Null without one, or if this was not recorded.
     */
    elected_by: ElectedBy | null;
    /**
     * When the enrollment ended, because eligibility or the plan year did. Coverage lasts until `coverage_end`. Null until it ends.
     */
    terminated_at: Timestamp | null;
    /**
     * When the record was created.
     */
    created_at: Timestamp;
    /**
     * When the record last changed.
     */
    updated_at: Timestamp;
    benefit_plan_year_id: BenefitPlanYearId;
    /**
     * The choice group of the benefit in the plan year, such as `medical`. An employee can elect one of its benefits. Null if the benefit is in no group.
     */
    choice_group: string | null;
    /**
     * The first day of coverage of the plan year.
     */
    plan_year_start: Day;
    /**
     * The last day of coverage of the plan year.
     */
    plan_year_end: Day;
    /**
     * The plan. Null unless enrolled.
     */
    plan: ElectedPlan | null;
    /**
     * The first day of this election, if it replaced an earlier one. Null if it applies since `coverage_start`.
     */
    elected_from: Day | null;
    /**
     * The coverage level. Null without coverage.
     */
    coverage_tier: CoverageTier | null;
    /**
     * The full monthly premium, in cents. Null unless enrolled.
     */
    premium_in_cents: number | null;
    /**
     * The plan that the employee bought, for ICHRA_REIMBURSEMENT_ONLY. The employee also reports its premium. Null for other benefits.
     */
    individual_plan_name: string | null;
    /**
     * For ICHRA, whether the elected plan was bought on an exchange. If so, deductions are never pre-tax. Null for other benefits.
     */
    bought_on_exchange: boolean | null;
    /**
     * The covered dependents.
     */
    dependent_ids: Array<DependentId>;
    /**
     * The election that takes effect on a later day, after a change of coverage that had already begun. Null if there is no such election.
     */
    upcoming_election: {
        /**
         * The first day on which it applies.
         */
        effective_on: Day;
        plan: ElectedPlan;
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
        /**
         * The dependents who are covered with the employee. Empty if there are none.
         */
        dependent_ids: Array<DependentId>;
    } | null;
    /**
     * The first and last day of the open election window. Null if no window is open.
     */
    window: {
        /**
         * The first day of the window.
         */
        start: Day;
        /**
         * The last day of the window.
         */
        end: Day;
    } | null;
    /**
     * The changes that the open windows allow. The window of the grant and open enrollment allow all changes. Other windows allow the changes that are consistent with their life events. Null if no window is open.
     */
    allowed_changes: {
        /**
         * Whether the employee and dependents can be added.
         */
        add: boolean;
        /**
         * The relationships of dependents who can be dropped. After a death, only one dependent.
         */
        drop: Array<DroppableRelationship>;
        /**
         * Whether another plan can be elected.
         */
        change_plan: boolean;
        /**
         * Whether coverage can be waived, or ended if it has begun.
         */
        waive: boolean;
    } | null;
};

/**
 * granted: by eligibility and the offered benefits. elected, waived: by a submission. renewed: carried over by a renewal. resumed: restored for an employee who returned in time. resumption_withdrawn: a resumption was undone. corrected: by the operator. terminated, reissued: ended, or reopened, on request. ended: eligibility or the plan year ended. end_changed: the last day moved or was withdrawn. reinstated: a loss of coverage was withdrawn. dependents_changed: the coverage of a dependent ended or was restored. amended: the plan year changed.
 */
export type EnrollmentAction = 'granted' | 'elected' | 'waived' | 'renewed' | 'resumed' | 'resumption_withdrawn' | 'corrected' | 'terminated' | 'reissued' | 'ended' | 'end_changed' | 'reinstated' | 'dependents_changed' | 'amended';

/**
 * employee: an employee token. partner: a key or session of your organization. operator: a correction. renewal, rule: the service itself.
 */
export type EnrollmentActorKind = 'employee' | 'partner' | 'operator' | 'renewal' | 'rule';

export type EnrollmentAgreementId = string;

export type EnrollmentAnswer = 'enrolled' | 'waived';

export type EnrollmentConfirmationId = string;

export type EnrollmentDetail = {
    id: EnrollmentId;
    employee_id: EmployeeId;
    employer_id: EmployerId;
    benefit: EnrolledBenefit;
    /**
     * The data that each dependent must have before the benefit can cover them.
     */
    required_dependent_fields: Array<DependentField>;
    status: EnrollmentStatus;
    election_status: ElectionStatus;
    /**
     * The first day of coverage.
     */
    coverage_start: Day;
    /**
     * The last day of coverage. Null if no end is known. Before `coverage_start` if coverage never began.
     */
    coverage_end: Day | null;
    /**
     * The monthly amount in cents. 0 unless enrolled.
     */
    employee_deduction_in_cents: number;
    /**
     * The monthly amount in cents. 0 unless enrolled.
     */
    employer_contribution_in_cents: number;
    /**
     * The part of the deduction that covers a domestic partner, which is post-tax. 0 if no domestic partner is covered.
     */
    domestic_partner_share_in_cents: number;
    /**
     * When the employee last elected or waived, even if that repeated the earlier decision. Null if the employee has done neither.
     */
    answered_at: Timestamp | null;
    /**
     * How the election or waiver was made. Null without one, or if this was not recorded.
     */
    elected_by: ElectedBy | null;
    /**
     * When the enrollment ended, because eligibility or the plan year did. Coverage lasts until `coverage_end`. Null until it ends.
     */
    terminated_at: Timestamp | null;
    /**
     * When the record was created.
     */
    created_at: Timestamp;
    /**
     * When the record last changed.
     */
    updated_at: Timestamp;
    benefit_plan_year_id: BenefitPlanYearId;
    /**
     * The choice group of the benefit in the plan year, such as `medical`. An employee can elect one of its benefits. Null if the benefit is in no group.
     */
    choice_group: string | null;
    /**
     * The first day of coverage of the plan year.
     */
    plan_year_start: Day;
    /**
     * The last day of coverage of the plan year.
     */
    plan_year_end: Day;
    /**
     * The plan. Null unless enrolled.
     */
    plan: ElectedPlan | null;
    /**
     * The first day of this election, if it replaced an earlier one. Null if it applies since `coverage_start`.
     */
    elected_from: Day | null;
    /**
     * The coverage level. Null without coverage.
     */
    coverage_tier: CoverageTier | null;
    /**
     * The full monthly premium, in cents. Null unless enrolled.
     */
    premium_in_cents: number | null;
    /**
     * The plan that the employee bought, for ICHRA_REIMBURSEMENT_ONLY. The employee also reports its premium. Null for other benefits.
     */
    individual_plan_name: string | null;
    /**
     * For ICHRA, whether the elected plan was bought on an exchange. If so, deductions are never pre-tax. Null for other benefits.
     */
    bought_on_exchange: boolean | null;
    /**
     * The covered dependents.
     */
    dependent_ids: Array<DependentId>;
    /**
     * The election that takes effect on a later day, after a change of coverage that had already begun. Null if there is no such election.
     */
    upcoming_election: {
        /**
         * The first day on which it applies.
         */
        effective_on: Day;
        plan: ElectedPlan;
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
        /**
         * The dependents who are covered with the employee. Empty if there are none.
         */
        dependent_ids: Array<DependentId>;
    } | null;
    /**
     * The first and last day of the open election window. Null if no window is open.
     */
    window: {
        /**
         * The first day of the window.
         */
        start: Day;
        /**
         * The last day of the window.
         */
        end: Day;
    } | null;
    /**
     * The changes that the open windows allow. The window of the grant and open enrollment allow all changes. Other windows allow the changes that are consistent with their life events. Null if no window is open.
     */
    allowed_changes: {
        /**
         * Whether the employee and dependents can be added.
         */
        add: boolean;
        /**
         * The relationships of dependents who can be dropped. After a death, only one dependent.
         */
        drop: Array<DroppableRelationship>;
        /**
         * Whether another plan can be elected.
         */
        change_plan: boolean;
        /**
         * Whether coverage can be waived, or ended if it has begun.
         */
        waive: boolean;
    } | null;
    /**
     * The plans that can be elected, with the monthly cost for this employee. For ICHRA, a premium is null while it depends on dependents who were not added, or on the plan that the employee buys. The contribution is then the maximum.
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
     * The affordability of an ICHRA for the employee alone. Null for other benefits, and if a figure is missing.
     */
    affordability: Affordability | null;
    /**
     * Why the affordability of an ICHRA is null: the missing figures. Null for other benefits.
     */
    missing_figures: Array<MissingFigure> | null;
    /**
     * For ICHRA, the day by which the employee must receive the notice. For new employees, the first day of coverage. Null for other benefits.
     */
    notice_due_on: Day | null;
};

export type EnrollmentDetailResponse = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: EnrollmentDetail;
};

/**
 * An entry in the history of an enrollment. Entries never change.
 */
export type EnrollmentEvidence = {
    action: EnrollmentAction;
    /**
     * When the entry was recorded.
     */
    recorded_at: Timestamp;
    /**
     * The actor. `rule`: the change follows from facts.
     */
    actor: {
        kind: EnrollmentActorKind;
        /**
         * The employee of the token, or the API key of the partner. Null for others and for bound tokens.
         */
        id: string | null;
    };
    /**
     * The reason, as text. Null if not provided.
     */
    reason: string | null;
    /**
     * The reason for the waiver. Null without a waiver or a code.
     */
    reason_code: WaiverReason | null;
    /**
     * The election window in which it was submitted, or that a grant opened. Null without a window.
     */
    window: {
        kind: EnrollmentWindowKind;
        /**
         * The first day of the window.
         */
        start: Day;
        /**
         * The last day of the window.
         */
        end: Day;
        /**
         * The life event. Null without a life event.
         */
        life_event_id: LifeEventId | null;
    } | null;
    /**
     * The start of coverage after this action. For a grant, the current start.
     */
    coverage_start: Day;
    /**
     * The last day of coverage. Null if there is no end date.
     */
    coverage_end: Day | null;
    /**
     * Whether the employee is enrolled or has waived after this action. Null if the employee has done neither.
     */
    answer: EnrollmentAnswer | null;
    /**
     * The elections at that time, including parts that take effect later, with monthly amounts. Null if there were none.
     */
    elections: Array<{
        plan_id: PlanId;
        coverage_tier: CoverageTier;
        /**
         * The full monthly premium in cents. Null for an ICHRA plan that was only offered, because its premium depends on the person.
         */
        premium_in_cents: number | null;
        /**
         * The monthly employer contribution in cents. Null for an ICHRA.
         */
        employer_contribution_in_cents: number | null;
        /**
         * The monthly employee deduction in cents. Null for an ICHRA.
         */
        employee_deduction_in_cents: number | null;
        /**
         * The first day of the election. Null if it applies since the start of coverage.
         */
        effective_on: Day | null;
        /**
         * The dependents who are covered with the employee. Empty if there are none.
         */
        dependent_ids: Array<DependentId>;
    }> | null;
    /**
     * For a waiver: the plans that the employee could have elected, with monthly amounts. ICHRA amounts are null.
     */
    offered: Array<{
        plan_id: PlanId;
        coverage_tier: CoverageTier;
        /**
         * The full monthly premium in cents. Null for an ICHRA plan that was only offered, because its premium depends on the person.
         */
        premium_in_cents: number | null;
        /**
         * The monthly employer contribution in cents. Null for an ICHRA.
         */
        employer_contribution_in_cents: number | null;
        /**
         * The monthly employee deduction in cents. Null for an ICHRA.
         */
        employee_deduction_in_cents: number | null;
    }> | null;
    /**
     * The signature on an election or waiver. Null without a signature.
     */
    signature: {
        /**
         * The name that the employee typed.
         */
        name: string;
        /**
         * When the employee signed.
         */
        signed_at: Timestamp;
        /**
         * Whether the employee agreed to pre-tax deductions.
         */
        pre_tax_consent: boolean;
        /**
         * The language in which the employee read the agreements.
         */
        language: Language;
        /**
         * The agreements that the employee signed.
         */
        agreements: Array<{
            /**
             * The version. Null for the default text.
             */
            id: EnrollmentAgreementId | null;
            /**
             * The number of the version.
             */
            version: number;
            /**
             * The text as the employee read it.
             */
            text: string;
        }>;
        /**
         * The IP address from which the employee signed. Null for bound tokens.
         */
        address: string | null;
    } | null;
    /**
     * The stored confirmation of the submission. Null for elections and waivers that were not submitted with `enrollment-answers`.
     */
    confirmation: {
        /**
         * The confirmation in `enrollment-confirmations` of the employee.
         */
        id: EnrollmentConfirmationId;
        /**
         * The SHA-256 of its PDF in hexadecimal. Null until the PDF is rendered.
         */
        sha256: string | null;
    } | null;
};

export type EnrollmentEvidencePage = {
    data: Array<EnrollmentEvidence>;
    pagination: Pagination;
};

/**
 * The enrollment. Its id begins with `enrl_`.
 */
export type EnrollmentId = string;

export type EnrollmentPage = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: Array<Enrollment>;
    pagination: Pagination;
};

export type EnrollmentRate = {
    /**
     * The number of eligible employees.
     */
    eligible: number;
    /**
     * The number of enrolled employees.
     */
    enrolled: number;
    /**
     * In whole percent, rounded half up. 0 if no employee is eligible.
     */
    percentage: number;
};

/**
 * pending: no decision yet. enrolled, waived: the latest decision of the employee. inactive: ended, or no longer offered.
 */
export type EnrollmentStatus = 'pending' | 'enrolled' | 'waived' | 'inactive';

export type EnrollmentSummary = {
    /**
     * The id of the enrollment.
     */
    id: string;
    status: EnrollmentStatus;
    /**
     * When the employee last elected or waived. Null if the employee has done neither.
     */
    answered_at: Timestamp | null;
};

/**
 * The reason for the window: a new grant, open enrollment or a life event.
 */
export type EnrollmentWindowKind = 'grant' | 'open_enrollment' | 'life_event';

/**
 * The result of the scan. `none` if no scanner is configured.
 */
export type FileScan = 'none' | 'waiting' | 'clean' | 'refused';

/**
 * collect: the last paycheck includes everything due until coverage ends. waive: it includes only its regular deduction, and nothing is deducted later.
 */
export type FinalDeductions = 'collect' | 'waive';

/**
 * A dependent, with the person to whom they belong and that person's employers.
 */
export type FoundDependent = {
    id: DependentId;
    /**
     * The person whose dependent this is, independent of the employer.
     */
    member_id: MemberId;
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
     * The suffix of the name, such as Jr. or III. Null without a suffix.
     */
    suffix: string | null;
    /**
     * The date of birth.
     */
    date_of_birth: Day;
    /**
     * The gender that the person reported. Null if unknown.
     */
    gender: string | null;
    /**
     * Null if the dependent lives at the address of the employee, or if no address is known.
     */
    address: Address | null;
    /**
     * False after the dependent was removed.
     */
    active: boolean;
    /**
     * The last day as a dependent. Null without an end.
     */
    ended_on: Day | null;
    /**
     * The last day on which the dependent can be covered. For a child, the last day of the month of the 26th birthday, unless disabled. For a removed dependent, the last day of that month, if that is earlier. Null if there is no such day.
     */
    covered_until: Day | null;
    /**
     * Whether the operator approved a disability. A disabled child has no age limit.
     */
    disabled: boolean;
    verification: DependentVerification;
    /**
     * When the record was created.
     */
    created_at: Timestamp;
    /**
     * When the record last changed.
     */
    updated_at: Timestamp;
    /**
     * The first name of the person to whom the dependent belongs.
     */
    member_first_name: string;
    /**
     * The last name of that person.
     */
    member_last_name: string;
    /**
     * Present and former employments at each employer, newest first. Empty for people who are only in a group.
     */
    employments: Array<{
        employee_id: EmployeeId;
        employer_id: EmployerId;
        /**
         * The display name of the employer.
         */
        employer_name: string;
        /**
         * Your own reference. Null if not provided.
         */
        reference_id: string | null;
        status: EmploymentStatus;
    }>;
};

export type FoundDependentPage = {
    data: Array<FoundDependent>;
    pagination: Pagination;
};

/**
 * The group. Its id begins with `grp_`.
 */
export type GroupId = string;

export type GroupMemberFailure = {
    operation: GroupMemberOperation;
    /**
     * A code, such as `plan_not_found` or `member_in_other_group`.
     */
    reason: string;
    /**
     * Your own reference.
     */
    reference_id: string;
};

export type GroupMemberId = string;

/**
 * The requested operation. Only `add` can fail.
 */
export type GroupMemberOperation = 'add' | 'remove';

export type GroupMemberSync = {
    /**
     * The member sync. Use it to read the outcome.
     */
    request_id: GroupMemberSyncId;
    group_id: GroupId;
    /**
     * When the service accepted the submission, which is then processed in the background.
     */
    accepted_at: Timestamp;
    /**
     * Null until the request completes.
     */
    completed_at: Timestamp | null;
    /**
     * Null until the request completes.
     */
    results: {
        /**
         * The group members that were added.
         */
        added_group_member_ids: Array<GroupMemberId>;
        /**
         * The group members that were removed.
         */
        removed_group_member_ids: Array<GroupMemberId>;
        /**
         * The refused rows. All other rows were processed.
         */
        failures: Array<GroupMemberFailure>;
    } | null;
};

export type GroupMemberSyncId = string;

export type GroupMemberSyncPage = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: Array<GroupMemberSyncRow>;
    pagination: Pagination;
};

export type GroupMemberSyncResponse = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: GroupMemberSync;
};

export type GroupMemberSyncRow = {
    /**
     * The member sync. Use it to read the outcome.
     */
    request_id: GroupMemberSyncId;
    group_id: GroupId;
    /**
     * When the service accepted the submission, which is then processed in the background.
     */
    accepted_at: Timestamp;
    organization_id: OrganizationId;
    /**
     * Null until the request completes.
     */
    completed_at: Timestamp | null;
    /**
     * The number of group members added. Null until the request completes.
     */
    added_count: number | null;
    /**
     * The number of group members removed. Null until the request completes.
     */
    removed_count: number | null;
    /**
     * The number of rows that failed. Null until the request completes.
     */
    failure_count: number | null;
};

/**
 * `waiting`: to be fetched or retried. The others are the states of the census.
 */
export type HrisRunState = 'waiting' | 'queued' | 'processing' | 'completed' | 'held' | 'failed';

/**
 * pending: nothing has been synced yet. active: kept in sync. paused: not in sync, and you may edit the roster. inactive: the payroll system rejected our credentials.
 */
export type HrisStatus = 'active' | 'pending' | 'inactive' | 'paused';

/**
 * service: this service. external_idp: an identity provider in which the organization has a tenant.
 */
export type IdpProvider = 'service' | 'external_idp';

export type InvitationId = string;

/**
 * pending: can be accepted. accepted: used. expired: more than 7 days old. revoked: withdrawn, or its sender may no longer invite.
 */
export type InvitationStatus = 'pending' | 'accepted' | 'expired' | 'revoked';

/**
 * The invoice of an employer for a month.
 */
export type Invoice = {
    /**
     * The id of the invoice, also in paths.
     */
    invoice_id: string;
    employer_id: EmployerId;
    /**
     * The billed month, `YYYY-MM`. Adjustments are for earlier months.
     */
    period: string;
    status: InvoiceStatus;
    /**
     * The total in dollars. See `total_in_cents` for cents.
     */
    total: number;
    /**
     * The sum of the premiums of its lines. Negative if it refunds more than it bills.
     */
    total_in_cents: number;
    /**
     * The employer's share of the total.
     */
    employer_contribution_in_cents: number;
    /**
     * The employees' share of the total, which is deducted from paychecks.
     */
    employee_deduction_in_cents: number;
    /**
     * The number of lines.
     */
    line_count: number;
    /**
     * The day on which the invoice was drafted.
     */
    drafted_on: Day;
    /**
     * The day on which the invoice was issued. Null for a draft.
     */
    issued_on: Day | null;
    /**
     * The due date, 30 days after the issue date. Null for a draft.
     */
    due_on: Day | null;
    /**
     * The day of payment. Null unless paid.
     */
    paid_on: Day | null;
    /**
     * The day on which the invoice was voided. Null unless void.
     */
    voided_on: Day | null;
    /**
     * Why the invoice is void. Null if it is not void, or if no reason was given.
     */
    void_reason: string | null;
    /**
     * The id of the invoice that bills the amounts of this void invoice: a new one of the same month, or the first later one whose correction window includes it. Null if this invoice is not void or not billed again yet.
     */
    replaced_by: string | null;
    /**
     * The payment page at Stripe. Null unless the invoice is open and collected by Stripe.
     */
    payment_url: string | null;
};

/**
 * The time since the due date: not due, 1 to 30 days, 31 to 60 days, 61 to 90 days, or longer.
 */
export type InvoiceAge = 'not_due' | 'to_30_days' | 'to_60_days' | 'to_90_days' | 'longer';

/**
 * The amounts that an employer owes, by age.
 */
export type InvoiceAging = {
    employer_id: EmployerId;
    /**
     * The display name of the employer.
     */
    employer_name: string;
    oldest_due_on: Day;
    /**
     * Number of invoices that are issued and neither paid nor void.
     */
    invoice_count: number;
    /**
     * The total of invoices that are due today or later.
     */
    not_due_in_cents: number;
    /**
     * The total of invoices that were due 1 to 30 days ago, in cents.
     */
    overdue_to_30_days_in_cents: number;
    /**
     * The total of invoices that were due 31 to 60 days ago, in cents.
     */
    overdue_to_60_days_in_cents: number;
    /**
     * The total of invoices that were due 61 to 90 days ago, in cents.
     */
    overdue_to_90_days_in_cents: number;
    /**
     * The total of invoices that were due more than 90 days ago, in cents.
     */
    overdue_longer_in_cents: number;
    /**
     * The total of all open invoices, in cents.
     */
    total_in_cents: number;
};

export type InvoiceAgingPage = {
    data: Array<InvoiceAging>;
    /**
     * The totals of all employers.
     */
    totals: {
        /**
         * Number of invoices that are issued and neither paid nor void.
         */
        invoice_count: number;
        /**
         * The total of invoices that are due today or later.
         */
        not_due_in_cents: number;
        /**
         * The total of invoices that were due 1 to 30 days ago, in cents.
         */
        overdue_to_30_days_in_cents: number;
        /**
         * The total of invoices that were due 31 to 60 days ago, in cents.
         */
        overdue_to_60_days_in_cents: number;
        /**
         * The total of invoices that were due 61 to 90 days ago, in cents.
         */
        overdue_to_90_days_in_cents: number;
        /**
         * The total of invoices that were due more than 90 days ago, in cents.
         */
        overdue_longer_in_cents: number;
        /**
         * The total of all open invoices, in cents.
         */
        total_in_cents: number;
    };
    pagination: Pagination;
};

export type InvoiceAmounts = {
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
 * The charge for an enrollment and a month. Lines never change.
 */
export type InvoiceLine = {
    kind: InvoiceLineKind;
    /**
     * Why the month is adjusted. Null if the line is not an adjustment.
     */
    reason: AdjustmentReason | null;
    /**
     * The cause of the adjustment. Null for coverage, and if it does not follow from the enrollment, for example from the employer's subscription.
     */
    cause: AdjustmentCause | null;
    /**
     * A month, `YYYY-MM`.
     */
    month: string;
    employee_id: EmployeeId;
    /**
     * The name of the employee when the record was created.
     */
    employee_name: string;
    enrollment_id: EnrollmentId;
    /**
     * The name of the benefit.
     */
    benefit_name: string;
    /**
     * The name of the plan.
     */
    plan_name: string;
    /**
     * The coverage level.
     */
    coverage_tier: string;
    /**
     * The full premium, which is the sum of both shares, in cents.
     */
    premium_in_cents: number;
    /**
     * The employer's share of the premium, in cents.
     */
    employer_contribution_in_cents: number;
    /**
     * The employee's share of the premium, in cents.
     */
    employee_deduction_in_cents: number;
};

/**
 * `coverage`: the month of the invoice. `adjustment`: a signed correction of an earlier month. `manual_adjustment`: an amount that the operator booked for a month outside the correction window.
 */
export type InvoiceLineKind = 'coverage' | 'adjustment' | 'manual_adjustment';

export type InvoiceLinePage = {
    data: Array<InvoiceLine>;
    pagination: Pagination;
};

export type InvoicePage = {
    data: Array<Invoice>;
    totals: InvoiceTotals;
    pagination: CursorPagination;
    /**
     * The same value as `pagination.next_offset`. Null on the last page.
     */
    next_offset: string | null;
};

/**
 * An invoice in the list across employers.
 */
export type InvoiceRow = {
    /**
     * The id of the invoice, also in paths.
     */
    invoice_id: string;
    employer_id: EmployerId;
    /**
     * The billed month, `YYYY-MM`. Adjustments are for earlier months.
     */
    period: string;
    status: InvoiceStatus;
    /**
     * The total in dollars. See `total_in_cents` for cents.
     */
    total: number;
    /**
     * The sum of the premiums of its lines. Negative if it refunds more than it bills.
     */
    total_in_cents: number;
    /**
     * The employer's share of the total.
     */
    employer_contribution_in_cents: number;
    /**
     * The employees' share of the total, which is deducted from paychecks.
     */
    employee_deduction_in_cents: number;
    /**
     * The number of lines.
     */
    line_count: number;
    /**
     * The day on which the invoice was drafted.
     */
    drafted_on: Day;
    /**
     * The day on which the invoice was issued. Null for a draft.
     */
    issued_on: Day | null;
    /**
     * The due date, 30 days after the issue date. Null for a draft.
     */
    due_on: Day | null;
    /**
     * The day of payment. Null unless paid.
     */
    paid_on: Day | null;
    /**
     * The day on which the invoice was voided. Null unless void.
     */
    voided_on: Day | null;
    /**
     * Why the invoice is void. Null if it is not void, or if no reason was given.
     */
    void_reason: string | null;
    /**
     * The id of the invoice that bills the amounts of this void invoice: a new one of the same month, or the first later one whose correction window includes it. Null if this invoice is not void or not billed again yet.
     */
    replaced_by: string | null;
    /**
     * The payment page at Stripe. Null unless the invoice is open and collected by Stripe.
     */
    payment_url: string | null;
    /**
     * The current name of the employer.
     */
    employer_name: string;
    /**
     * How long the invoice is overdue. Null for drafts and for paid or void invoices.
     */
    age: InvoiceAge | null;
};

export type InvoiceRowPage = {
    data: Array<InvoiceRow>;
    pagination: CursorPagination;
    /**
     * The same value as `pagination.next_offset`. Null on the last page.
     */
    next_offset: string | null;
};

/**
 * draft: may still change. open: issued. paid: settled. void: no longer owed.
 */
export type InvoiceStatus = 'draft' | 'open' | 'paid' | 'void';

/**
 * The amounts that the employer owes, regardless of filters.
 */
export type InvoiceTotals = {
    /**
     * The total of open invoices, in cents.
     */
    open_in_cents: number;
    /**
     * The total of open invoices that were due before today, in cents.
     */
    overdue_in_cents: number;
    /**
     * The total credit of open invoices with a negative total, in cents.
     */
    credit_in_cents: number;
};

export type IssuedApiKey = {
    id: ApiKeyId;
    /**
     * The purpose of the key. Null if the key has no name.
     */
    name: string | null;
    /**
     * The member who owns the key, whose role it has.
     */
    user_id: UserId;
    /**
     * The organization that the key is bound to. Null if the key is unbound.
     */
    organization_id: OrganizationId | null;
    mode: ApiKeyMode;
    /**
     * The last four characters of the secret.
     */
    last_four: string;
    /**
     * Scopes of the key: `read`, `write`, and the areas `people`, `money`, `webhooks`, `keys` and `tax`. Employers, plan years and the catalog need no area. Each operation lists the scopes it requires, and a key needs all of them.
     */
    scopes: Array<ApiKeyScope>;
    /**
     * The pages whose browsers may send bound tokens of the key. An empty list allows none. Null applies the origins that the operator configured as the default.
     */
    allowed_origins: Array<string> | null;
    status: ApiKeyStatus;
    /**
     * When the record was created.
     */
    created_at: Timestamp;
    /**
     * The member or operator who created the key. Null if the installation created it.
     */
    created_by: UserId | null;
    /**
     * When the key or one of its tokens was last used. Up to a minute behind. Null if it was never used.
     */
    last_used_at: Timestamp | null;
    /**
     * When the key expires. Null if it does not expire.
     */
    expires_at: Timestamp | null;
    /**
     * When the secret was last rotated. Null if it was never rotated.
     */
    rotated_at: Timestamp | null;
    /**
     * When the previous secret expires. Null if there is no valid previous secret.
     */
    former_secret_expires_at: Timestamp | null;
    /**
     * When the key was revoked. Null if it is not revoked.
     */
    revoked_at: Timestamp | null;
    /**
     * Why the key was revoked. `leaked` means that it was reported as found. Null if it is not revoked.
     */
    revoked_because: RevokedBecause | null;
    /**
     * The secret of the key. Only this response shows it.
     */
    api_key: string;
};

export type IssuedApiKeyResponse = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: IssuedApiKey;
};

export type Language = 'en' | 'es';

/**
 * An event in the life of an employee that opens a special enrollment period.
 */
export type LifeEvent = {
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
};

/**
 * The life event. Its id begins with `qle_`.
 */
export type LifeEventId = string;

export type LifeEventPage = {
    data: Array<LifeEvent>;
    pagination: Pagination;
};

/**
 * pending: waiting for the operator. approved: opened an election window. declined: opened no window.
 */
export type LifeEventStatus = 'pending' | 'approved' | 'declined';

/**
 * An amount that the operator booked manually for a month before the correction window. It can't be changed.
 */
export type ManualAdjustment = {
    /**
     * The id of the adjustment.
     */
    id: ManualAdjustmentId;
    employer_id: EmployerId;
    employee_id: EmployeeId;
    enrollment_id: EnrollmentId;
    /**
     * A month, `YYYY-MM`.
     */
    month: string;
    /**
     * The monthly cost to the employee, in cents.
     */
    employee_deduction_in_cents: number;
    /**
     * The monthly contribution of the employer, in cents.
     */
    employer_contribution_in_cents: number;
    tax_classification: TaxClassification;
    /**
     * The reason that the operator gave.
     */
    reason: string;
    /**
     * The day on which the operator booked the adjustment.
     */
    booked_on: Day;
    /**
     * When the record was created.
     */
    created_at: Timestamp;
};

export type ManualAdjustmentId = string;

export type ManualAdjustmentPage = {
    data: Array<ManualAdjustment>;
    pagination: Pagination;
};

/**
 * A person within one organization, regardless of their employers.
 */
export type Member = {
    id: MemberId;
    organization_id: OrganizationId;
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
     * The email address. Null only for people who were never employed, such as group members.
     */
    email: string | null;
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
     * A US address. Null if unknown.
     */
    address: Residence | null;
    /**
     * Present and former employments at each employer, newest first. Empty for people who are only in a group.
     */
    employments: Array<{
        employee_id: EmployeeId;
        employer_id: EmployerId;
        /**
         * The display name of the employer.
         */
        employer_name: string;
        /**
         * Your own reference. Null if not provided.
         */
        reference_id: string | null;
        status: EmploymentStatus;
    }>;
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
 * The person, across all employers. Its id begins with `mbr_`.
 */
export type MemberId = string;

export type MemberInvitation = {
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
    organization_id: OrganizationId;
    role: MembershipRole;
};

export type MemberInvitationList = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: Array<MemberInvitation>;
    pagination: Pagination;
};

export type MemberInvitationResponse = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: MemberInvitation;
};

export type MemberPage = {
    data: Array<Member>;
    pagination: Pagination;
};

export type MemberResponse = {
    data: Member;
};

/**
 * ADMIN: everything. OPERATIONS: everything except members, keys and webhooks. ENROLLMENT_AGENT: people and their enrollments. SALES: employers and plan years, but no people.
 */
export type MembershipRole = 'ADMIN' | 'OPERATIONS' | 'SALES' | 'ENROLLMENT_AGENT';

export type MissingFigure = {
    figure: AffordabilityFigure;
    /**
     * The calendar year of the figure.
     */
    year: number;
};

/**
 * The minimum and maximum in cents per month.
 */
export type MonthlyRange = {
    /**
     * The minimum, in cents per month.
     */
    min_cents: number;
    /**
     * The maximum, in cents per month.
     */
    max_cents: number;
};

export type NewEmployerAdmin = {
    /**
     * The email address, by which the employer can be found.
     */
    email: Email;
    /**
     * The name of the admin. Null means the same as omitting the field.
     */
    name?: string | null;
    /**
     * A US phone number of 10 digits. Null means the same as omitting the field.
     */
    phone?: Phone | null;
};

export type NewMemberInvitation = {
    /**
     * The name of the invited person.
     */
    name: string;
    /**
     * The person must sign in with this email address.
     */
    email: Email;
    role: MembershipRole;
};

export type NewNote = {
    /**
     * The note as plain text. Line breaks are kept, and markup is not interpreted.
     */
    text: string;
    /**
     * Whether the employer sees the note, with tokens bound to it. Otherwise only your organization and the operator see it. The default is false. Null means the same as omitting the field.
     */
    shared_with_employer?: boolean | null;
    /**
     * The members of your organization whom the note mentions. Each of them gets a task. `GET /v1/organization-members` lists them. A note about an employee can mention only roles that see employees. Null means the same as omitting the field.
     */
    mentioned_user_ids?: Array<UserId> | null;
};

/**
 * A note about an employer or an employee.
 */
export type Note = {
    /**
     * The note.
     */
    id: NoteId;
    employer_id: EmployerId;
    /**
     * The employee that the note is about. Null if it is about the employer.
     */
    employee_id: EmployeeId | null;
    /**
     * The note as plain text. Line breaks are kept, and markup is not interpreted.
     */
    text: string;
    /**
     * Whether the employer sees the note, with tokens bound to it. Otherwise only your organization and the operator see it.
     */
    shared_with_employer: boolean;
    author: NoteAuthor;
    /**
     * The user who wrote the note. Null if an operator wrote it, unless you are one; for operators, null if a member wrote it. Null for tokens bound to an employer.
     */
    author_user_id: UserId | null;
    /**
     * The name of the author. Null if an operator wrote the note, unless you are an operator.
     */
    author_name: string | null;
    /**
     * The mentioned members. Empty for tokens bound to an employer.
     */
    mentions: Array<{
        user_id: UserId;
        /**
         * The name of the member.
         */
        name: string;
        /**
         * When the member marked the mention as done. Null until then.
         */
        done_at: Timestamp | null;
    }>;
    /**
     * When the record was created.
     */
    created_at: Timestamp;
    /**
     * When the text was last changed. Null if it was never changed.
     */
    edited_at: Timestamp | null;
};

/**
 * The party that wrote the note.
 */
export type NoteAuthor = 'organization' | 'operator';

/**
 * Only the fields you send change.
 */
export type NoteChanges = {
    /**
     * The note as plain text. Line breaks are kept, and markup is not interpreted. Null means the same as omitting the field.
     */
    text?: string | null;
    /**
     * Whether the employer sees the note, with tokens bound to it. Otherwise only your organization and the operator see it. Null means the same as omitting the field.
     */
    shared_with_employer?: boolean | null;
    /**
     * The members of your organization whom the note mentions. Each of them gets a task. `GET /v1/organization-members` lists them. A note about an employee can mention only roles that see employees. Replaces the mentions. Tasks of remaining mentions are kept, and former members can stay mentioned. Null means the same as omitting the field.
     */
    mentioned_user_ids?: Array<UserId> | null;
};

export type NoteId = string;

export type NotePage = {
    data: Array<Note>;
    pagination: Pagination;
};

export type NoteResponse = {
    data: Note;
};

export type Organization = {
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
};

/**
 * The organization. Its id begins with `org_`.
 */
export type OrganizationId = string;

export type OrganizationType = 'BROKERAGE' | 'TPA' | 'GENERAL_AGENT' | 'CHANNEL_PARTNER' | 'CONSULTING_FIRM' | 'API_PLATFORM';

/**
 * The position of this page in the whole list.
 */
export type Pagination = {
    /**
     * The maximum number of items per page.
     */
    limit: number;
    /**
     * The page number, from 1.
     */
    page: number;
    /**
     * The number of items on all pages.
     */
    total: number;
    /**
     * The number of pages. 0 if the list is empty.
     */
    total_pages: number;
};

/**
 * How a month is billed in which coverage starts or ends. `full_month_on_first`: the full month if the 1st is covered. `15th_rule`: the full month if the 15th and 16th are covered. `daily`: prorated by covered days, rounded half up.
 */
export type PartialMonthRule = 'full_month_on_first' | '15th_rule' | 'daily';

export type PayFrequency = 'weekly' | 'bi_weekly' | 'semi_monthly' | 'monthly';

/**
 * The deductions of one pay period. Statements never change.
 */
export type PayrollDeductionStatement = {
    id: StatementId;
    employer_id: EmployerId;
    /**
     * The first day of the pay period.
     */
    period_start_date: Day;
    /**
     * The last day of the pay period.
     */
    period_end_date: Day;
    /**
     * The pay frequency.
     */
    frequency: PayFrequency;
    /**
     * The calendar year of period_end_date.
     */
    year: number;
    /**
     * The number of the pay period in the year, from 1.
     */
    number: number;
    /**
     * Number of pay periods in the year.
     */
    period_count: number;
    /**
     * Number of employees with lines.
     */
    employee_count: number;
    /**
     * The number of lines.
     */
    line_count: number;
    /**
     * The sum of the lines, including corrections.
     */
    total_in_cents: number;
    /**
     * When the statement was generated. It never changes afterwards.
     */
    generated_at: Timestamp;
    csv: DownloadLink;
    /**
     * The same value as `id`.
     */
    statement_id: StatementId;
    /**
     * The same value as `period_start_date`.
     */
    period_start: Day;
    /**
     * The same value as `period_end_date`.
     */
    period_end: Day;
    /**
     * The day of `generated_at` in New York.
     */
    run_date: Day;
    /**
     * The same value as `total_in_cents`.
     */
    total_deduction_cents: number;
    /**
     * The same value as `csv.download_url`.
     */
    csv_file_url: string;
    /**
     * The same value as `frequency`.
     */
    deduction_frequency: PayFrequency;
    /**
     * The pay frequency as text.
     */
    deduction_frequency_label: string;
};

export type PayrollDeductionStatementPage = {
    data: Array<PayrollDeductionStatement>;
    pagination: Pagination;
};

/**
 * A payroll deduction statement in the list across employers.
 */
export type PayrollDeductionStatementRow = {
    id: StatementId;
    employer_id: EmployerId;
    /**
     * The first day of the pay period.
     */
    period_start_date: Day;
    /**
     * The last day of the pay period.
     */
    period_end_date: Day;
    /**
     * The pay frequency.
     */
    frequency: PayFrequency;
    /**
     * The calendar year of period_end_date.
     */
    year: number;
    /**
     * The number of the pay period in the year, from 1.
     */
    number: number;
    /**
     * Number of pay periods in the year.
     */
    period_count: number;
    /**
     * Number of employees with lines.
     */
    employee_count: number;
    /**
     * The number of lines.
     */
    line_count: number;
    /**
     * The sum of the lines, including corrections.
     */
    total_in_cents: number;
    /**
     * When the statement was generated. It never changes afterwards.
     */
    generated_at: Timestamp;
    csv: DownloadLink;
    /**
     * The same value as `id`.
     */
    statement_id: StatementId;
    /**
     * The same value as `period_start_date`.
     */
    period_start: Day;
    /**
     * The same value as `period_end_date`.
     */
    period_end: Day;
    /**
     * The day of `generated_at` in New York.
     */
    run_date: Day;
    /**
     * The same value as `total_in_cents`.
     */
    total_deduction_cents: number;
    /**
     * The same value as `csv.download_url`.
     */
    csv_file_url: string;
    /**
     * The same value as `frequency`.
     */
    deduction_frequency: PayFrequency;
    /**
     * The pay frequency as text.
     */
    deduction_frequency_label: string;
    /**
     * The current name of the employer.
     */
    employer_name: string;
};

export type PayrollDeductionStatementRowPage = {
    data: Array<PayrollDeductionStatementRow>;
    pagination: CursorPagination;
    /**
     * The same value as `pagination.next_offset`. Null on the last page.
     */
    next_offset: string | null;
};

/**
 * A US phone number of 10 digits. Punctuation and a leading +1 or 1 are removed.
 */
export type Phone = string;

/**
 * The facts by which people compare plans.
 */
export type PlanFacts = {
    /**
     * The annual deductible of one person in the network. Null if unknown.
     */
    deductible_in_cents: number | null;
    /**
     * The annual deductible of a family in the network. Null if unknown.
     */
    family_deductible_in_cents: number | null;
    /**
     * The annual out-of-pocket maximum of one person in the network. Null if unknown.
     */
    out_of_pocket_limit_in_cents: number | null;
    /**
     * The annual out-of-pocket maximum of a family in the network. Null if unknown.
     */
    family_out_of_pocket_limit_in_cents: number | null;
    /**
     * The percentage that the person pays after the deductible, in the network. Null if unknown.
     */
    coinsurance_percentage: number | null;
    /**
     * The annual deductible of one person outside the network. Null if unknown.
     */
    out_of_network_deductible_in_cents: number | null;
    /**
     * The annual deductible of a family outside the network. Null if unknown.
     */
    out_of_network_family_deductible_in_cents: number | null;
    /**
     * The annual out-of-pocket maximum of one person outside the network. Null if unknown.
     */
    out_of_network_out_of_pocket_limit_in_cents: number | null;
    /**
     * The annual out-of-pocket maximum of a family outside the network. Null if unknown.
     */
    out_of_network_family_out_of_pocket_limit_in_cents: number | null;
    /**
     * The percentage that the person pays after the deductible, outside the network. 100 if the plan does not cover care there. Null if unknown.
     */
    out_of_network_coinsurance_percentage: number | null;
    /**
     * The copays, such as `Primary care: $25`.
     */
    copays: Array<string>;
    /**
     * The metal level, such as `Silver`. Null if unknown.
     */
    metal_level: string | null;
    /**
     * Whether the plan is compatible with a health savings account. Null if unknown.
     */
    hsa_eligible: boolean | null;
    /**
     * The page of the network on which people find a doctor. Null if unknown.
     */
    provider_directory_url: string | null;
    /**
     * The page of the carrier on which members get their ID card. Null if unknown.
     */
    id_card_url: string | null;
    /**
     * The phone number of the member services of the carrier. Null if unknown.
     */
    member_services_phone: string | null;
    /**
     * The website of the carrier for members. Null if unknown.
     */
    member_services_url: string | null;
};

/**
 * The plan. Its id begins with `pln_`.
 */
export type PlanId = string;

export type PlanYearEligibilityPolicy = {
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
    /**
     * Coverage ends at the end of a month after the last day of employment or eligibility.
     */
    termination_rule: 'END_OF_N_MONTHS';
    /**
     * The number of months after the month of that day. Always 0: coverage ends with that month.
     */
    termination_n_months: number;
    /**
     * The covered employees, class by class.
     */
    rules: Array<{
        /**
         * A covered class.
         */
        employee_class: EmployeeClass;
        compensation_type: RuleCompensationType;
        /**
         * Where the employees of the class live.
         */
        eligible_geographical_location: {
            type: RuleLocationType;
            /**
             * The states. Empty means everywhere.
             */
            state_codes: Array<string>;
        };
    }>;
};

/**
 * A plan year that you requested from the operator.
 */
export type PlanYearRequest = {
    /**
     * The first day of coverage.
     */
    coverage_start: Day;
    /**
     * The last day of coverage. Null for one year of coverage.
     */
    coverage_end: Day | null;
    /**
     * The first day of open enrollment. Null if the operator chooses the day.
     */
    open_enrollment_start: Day | null;
    /**
     * The last day of open enrollment. Null if the operator chooses the day.
     */
    open_enrollment_end: Day | null;
    /**
     * The requested plans.
     */
    plans: Array<{
        id: PlanId;
        /**
         * The name of the plan.
         */
        name: string;
        benefit_id: BenefitId;
        /**
         * The name of the benefit.
         */
        benefit_name: string;
    }>;
    /**
     * A message to the operator. Null if there is no message.
     */
    message: string | null;
    /**
     * When the run was requested.
     */
    requested_at: Timestamp;
};

/**
 * `full_time` covers the class Full Time, `part_time` the class Part Time. `all` covers every class except Individual Contractor, which only `employee_classes` can list.
 */
export type PolicyClassification = 'full_time' | 'part_time' | 'all';

export type PolicyInForce = {
    id: EligibilityPolicyId;
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
};

/**
 * `exact`: coverage can start on the day on which the waiting period ends. `first_of_month`: coverage starts on the first of a month on or after that day. This is never more than 90 days after the anchor.
 */
export type PolicyStartAlignment = 'exact' | 'first_of_month';

/**
 * The waiting period after the hire date, or after entering an eligible class, before coverage can start.
 */
export type PolicyWaitingPeriod = 'first_of_following_month' | '30_days' | '60_days' | 'none';

/**
 * The price of a plan for a coverage level, with the contribution rule of the employer.
 */
export type PricedTier = {
    benefit_id: BenefitId;
    coverage_tier: CoverageTier;
    /**
     * Whether the employer contributes a fixed amount or a percentage.
     */
    method: 'fixed' | 'percentage';
    /**
     * The employer contribution per month. Null for a percentage.
     */
    amount_in_cents: number | null;
    /**
     * Percentage of the premium that the employer pays. Null for a fixed amount.
     */
    percentage: number | null;
    /**
     * The plan.
     */
    benefit_plan_id: PlanId;
    /**
     * The name of the plan.
     */
    benefit_plan_name: string;
    /**
     * The coverage level as text.
     */
    benefit_plan_tier_name: string;
    /**
     * The full premium per month.
     */
    premium_in_cents: number;
    /**
     * The employer contribution per month.
     */
    employer_contribution_in_cents: number;
    /**
     * The employee deduction per month in cents.
     */
    cost: number;
    /**
     * The additional cost of each dependent in cents. Always 0, since a coverage level has one price.
     */
    cost_per_dependent: number;
    /**
     * Whether the coverage level requires children.
     */
    dependents_required_in: boolean;
    /**
     * Whether the coverage level requires a spouse.
     */
    spouse_required_in: boolean;
};

export type ProductCode = 'EBA' | 'VPC' | 'VPC_CORE' | 'MEC' | 'MEC2' | 'MEC_PLUS' | 'MVP' | 'MVP2' | 'MVPSL' | 'MVPSL2' | 'VD' | 'VV' | 'ICHRA' | 'ICHRA_PREMIUM_PLUS' | 'ICHRA_REIMBURSEMENT_ONLY';

/**
 * Compares the billed amounts with the amounts due.
 */
export type Reconciliation = {
    /**
     * The id of the invoice, also in paths.
     */
    invoice_id: string;
    /**
     * The months that the invoice could bill or adjust. All amounts below refer to them.
     */
    months: Array<string>;
    /**
     * The recomputed sum of the lines of the invoice. `difference_in_cents` to its total is 0.
     */
    lines: {
        /**
         * The number of lines.
         */
        line_count: number;
        /**
         * The sum of the lines, in cents.
         */
        total_in_cents: number;
        /**
         * The difference from the total of the invoice, in cents.
         */
        difference_in_cents: number;
    };
    /**
     * The current cost of the enrollments.
     */
    due: InvoiceAmounts;
    /**
     * The amounts on all invoices that are not void.
     */
    billed: InvoiceAmounts;
    /**
     * The amount due less the billed amount, in cents. 0 if the invoice is correct.
     */
    difference: InvoiceAmounts;
    /**
     * Number of enrollments and months in which due and billed amounts differ.
     */
    difference_count: number;
    /**
     * The first 100 differences, latest month first.
     */
    differences: Array<{
        employee_id: EmployeeId;
        /**
         * The current name of the employee.
         */
        employee_name: string;
        enrollment_id: EnrollmentId;
        /**
         * The name of the benefit.
         */
        benefit_name: string;
        /**
         * A month, `YYYY-MM`.
         */
        month: string;
        /**
         * The cause: the latest fact of the enrollment since an invoice billed the month. Null if no fact explains it.
         */
        cause: AdjustmentCause | null;
        /**
         * The current cost of the enrollments.
         */
        due: InvoiceAmounts;
        /**
         * The amounts on all invoices that are not void.
         */
        billed: InvoiceAmounts;
        /**
         * The amount due less the billed amount, in cents. 0 if the invoice is correct.
         */
        difference: InvoiceAmounts;
    }>;
    /**
     * Covers the whole year so far, regardless of the invoice. At the end of the year, both sides are equal. Before that, they differ because pay periods and months end on different days.
     */
    deductions: {
        /**
         * The calendar year.
         */
        year: number;
        /**
         * The end of the latest pay period with a statement. Null without a statement.
         */
        through: Day | null;
        /**
         * The employees' share of all live invoices for the months of the year so far.
         */
        billed_in_cents: number;
        /**
         * The employees' share of the operator's manual adjustments for these months.
         */
        manual_adjustments_in_cents: number;
        /**
         * The amount that the statements of the employer requested for that year. Arrears count once.
         */
        collected_in_cents: number;
        /**
         * The billed amount plus manual adjustments, less the collected amount, in cents.
         */
        difference_in_cents: number;
        /**
         * Number of enrollments with a difference.
         */
        difference_count: number;
        /**
         * The 100 largest differences.
         */
        differences: Array<{
            employee_id: EmployeeId;
            /**
             * The current name of the employee.
             */
            employee_name: string;
            enrollment_id: EnrollmentId;
            /**
             * The name of the benefit.
             */
            benefit_name: string;
            /**
             * The billed amount, in cents.
             */
            billed_in_cents: number;
            /**
             * The manually booked amount, in cents.
             */
            manual_adjustments_in_cents: number;
            /**
             * The amount requested from payroll, in cents.
             */
            collected_in_cents: number;
            /**
             * The billed amount plus manual adjustments, less the collected amount, in cents.
             */
            difference_in_cents: number;
        }>;
    };
};

export type ReconciliationResponse = {
    data: Reconciliation;
};

/**
 * How employees who neither elect nor waive are treated. `passive`: they keep their election or waiver from the end of the previous plan year. `active`: they have no coverage.
 */
export type Renewal = 'passive' | 'active';

/**
 * `carried`: the election or waiver was carried over, or will be. `answered`: the employee has already elected or waived. `lapses`: coverage ends with the previous plan year unless the employee elects. `not_carried`: there is nothing to carry over, or the employee is not eligible.
 */
export type RenewalOutcome = 'carried' | 'answered' | 'lapses' | 'not_carried';

export type RenewalReason = 'coverage_ended' | 'nothing_to_carry' | 'benefit_not_offered' | 'not_eligible' | 'coverage_gap' | 'active_renewal' | 'choice_group' | 'plan_not_offered' | 'tier_not_offered' | 'no_premium' | 'after_renewal';

export type Residence = {
    /**
     * The street and number.
     */
    address_line_1: string;
    /**
     * The apartment, suite or similar. Null if the address has none.
     */
    address_line_2: string | null;
    /**
     * The city.
     */
    city: string;
    /**
     * A US state or territory, by its two-letter code.
     */
    state: string;
    /**
     * The ZIP code of five or nine digits.
     */
    zipcode: string;
    /**
     * The county, which determines the ICHRA rating area. Null if unknown.
     */
    county: string | null;
};

export type RevokedApiKey = {
    id: ApiKeyId;
    /**
     * When the key was revoked.
     */
    revoked_at: Timestamp;
};

export type RevokedApiKeyResponse = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: RevokedApiKey;
};

/**
 * requested: an admin or the operator revoked the key. leaked: someone who found it reported it.
 */
export type RevokedBecause = 'requested' | 'leaked';

/**
 * The compensation type of the class. `All` for every type.
 */
export type RuleCompensationType = 'Salary' | 'Hourly' | 'All';

/**
 * Whether the plan year is offered everywhere or in some states.
 */
export type RuleLocationType = 'All' | 'StateCodes';

export type Session = {
    /**
     * The id of the session.
     */
    id: SessionId;
    user_id: UserId;
    /**
     * The name of the user.
     */
    user_name: string;
    signed_in_with: SignedInWith;
    /**
     * The User-Agent header of the browser. Null if the browser did not send one.
     */
    user_agent: string | null;
    status: SessionStatus;
    /**
     * When the record was created.
     */
    created_at: Timestamp;
    /**
     * When the session was last used. Up to a minute behind.
     */
    last_used_at: Timestamp;
    /**
     * When the session ends at the latest. It ends earlier if it is unused for an hour.
     */
    expires_at: Timestamp;
    /**
     * When it was revoked. Null unless revoked.
     */
    revoked_at: Timestamp | null;
};

export type SessionId = string;

export type SessionList = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: Array<Session>;
    pagination: Pagination;
};

export type SessionResponse = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: Session;
};

/**
 * active: accepted. ended: the session reached its maximum age, or was not used for an hour. revoked: signed out.
 */
export type SessionStatus = 'active' | 'ended' | 'revoked';

/**
 * An ICHRA allowance and the employees to whom it applies. The first match applies.
 */
export type ShownIchraClass = {
    /**
     * The name of the class of employees.
     */
    name: string;
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
    state: State | null;
    /**
     * The coverage level that the rule applies to. Null for every coverage level.
     */
    coverage_tier: CoverageTier | null;
    /**
     * Cents per month.
     */
    allowance_in_cents: number;
    benefit_id: BenefitId;
    /**
     * Identifies a class within a plan year by its position.
     */
    contribution_class_id: string;
    /**
     * The same value as `allowance_in_cents`.
     */
    amount_in_cents: number;
    /**
     * The same value as `employee_class`, or `Unspecified` for all classes.
     */
    employment: string;
    /**
     * Always `Unspecified`, since allowances do not depend on the compensation type.
     */
    compensation: string;
    /**
     * The same value as `coverage_tier`, or `Unspecified` for all coverage levels.
     */
    family_status: string;
    /**
     * `State` for one state, else `Unspecified`.
     */
    location: 'State' | 'Unspecified';
    /**
     * The same value as `state`. Null for all states.
     */
    location_value: string | null;
};

export type ShownMemberInvitation = {
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
    organization_id: OrganizationId;
    role: MembershipRole;
    /**
     * The invitation link, shown once. It can be used once within 7 days.
     */
    url: string;
};

export type ShownMemberInvitationResponse = {
    /**
     * The content of the response: one resource, or the items of this page.
     */
    data: ShownMemberInvitation;
};

/**
 * openid: through the OpenID Connect provider. sandbox: by choosing a person of the sandbox.
 */
export type SignedInWith = 'openid' | 'sandbox';

/**
 * A US state or territory. Requests may also use the full name (`California`), in any case.
 */
export type State = 'AL' | 'AK' | 'AZ' | 'AR' | 'CA' | 'CO' | 'CT' | 'DC' | 'DE' | 'FL' | 'GA' | 'HI' | 'ID' | 'IL' | 'IN' | 'IA' | 'KS' | 'KY' | 'LA' | 'ME' | 'MD' | 'MA' | 'MI' | 'MN' | 'MS' | 'MO' | 'MT' | 'NE' | 'NV' | 'NH' | 'NJ' | 'NM' | 'NY' | 'NC' | 'ND' | 'OH' | 'OK' | 'OR' | 'PA' | 'RI' | 'SC' | 'SD' | 'TN' | 'TX' | 'UT' | 'VT' | 'VA' | 'WA' | 'WI' | 'WV' | 'WY' | 'PR' | 'GU' | 'AS' | 'VI' | 'MP' | 'MH' | 'PW' | 'FM' | 'AE' | 'AA' | 'AP';

/**
 * The statement. Its id begins with `stmt_`.
 */
export type StatementId = string;

export type TaskId = string;

/**
 * Whether the deduction is pre-tax or post-tax.
 */
export type TaxClassification = 'Pre-tax' | 'Post-tax';

/**
 * An instant, ISO 8601 in UTC.
 */
export type Timestamp = string;

/**
 * The user. Its id begins with `usr_`.
 */
export type UserId = string;

/**
 * The other coverage or reason. `public_plan`: Medicare, Medicaid and similar programs.
 */
export type WaiverReason = 'spouse_plan' | 'parent_plan' | 'public_plan' | 'other_plan' | 'too_expensive' | 'other';

/**
 * A delivery of an event to a subscription.
 */
export type WebhookDelivery = {
    id: WebhookDeliveryId;
    webhook_event_id: WebhookEventId;
    /**
     * The subscription.
     */
    subscription_id: WebhookSubscriptionId;
    status: WebhookDeliveryStatus;
    /**
     * Number of finished attempts, up to 14.
     */
    attempts: number;
    /**
     * The status of the last attempt. Null without a response.
     */
    response_status: number | null;
    /**
     * The first KiB of the response. Null if there was no response.
     */
    response_body: string | null;
    /**
     * The start of the first attempt. Null until it starts.
     */
    started_at: Timestamp | null;
    /**
     * When the receiver accepted the event. Null until then.
     */
    delivered_at: Timestamp | null;
    /**
     * When the last retry failed. Null unless the delivery failed permanently.
     */
    failed_at: Timestamp | null;
    /**
     * Why the last attempt failed. Empty if it did not fail.
     */
    failure_reason: string;
    /**
     * When the next attempt is due. Null if no attempt is planned.
     */
    next_attempt_at: Timestamp | null;
    /**
     * When the record was created.
     */
    created_at: Timestamp;
};

/**
 * The delivery. Its id begins with `wdlv_`.
 */
export type WebhookDeliveryId = string;

export type WebhookDeliveryPage = {
    data: Array<WebhookDelivery>;
    pagination: Pagination;
};

/**
 * Pending: waiting for an attempt. In Progress: being sent. Delivered: the receiver accepted it. Failed: the last retry failed.
 */
export type WebhookDeliveryStatus = 'Pending' | 'In Progress' | 'Delivered' | 'Failed';

/**
 * The fact that a resource changed, without personal data. Read the resource for details.
 */
export type WebhookEvent = {
    id: WebhookEventId;
    /**
     * The name of the event.
     */
    event_name: WebhookEventName;
    /**
     * The type of the resource: the part of the event name before the dot.
     */
    resource_type: string;
    /**
     * The id of the resource that changed.
     */
    resource_id: string;
    organization_id: OrganizationId;
    /**
     * Counts the events of this resource from 1, so that you can order them.
     */
    sequence: number;
    /**
     * When the record was created.
     */
    created_at: Timestamp;
};

/**
 * The event. Its id begins with `wevt_`.
 */
export type WebhookEventId = string;

export type WebhookEventName = 'benefit_plan_year.amended' | 'dependent.coverage_ending' | 'dependent.coverage_ended' | 'dependent.coverage_reinstated' | 'dependent.verification_requested' | 'dependent.verification_decided' | 'document.created' | 'document.updated' | 'document.withdrawn' | 'employer.created' | 'employer.updated' | 'employer.eligibility_policy_created' | 'employer.user_mentioned' | 'employee.created' | 'employee.updated' | 'employee.eligibility_granted' | 'employee.eligibility_terminated' | 'employee.measured_full_time' | 'employee.stability_ended' | 'employee.deactivated' | 'employee.rehired' | 'employee.reinstated' | 'employee.deduction_created' | 'employee.document_opened' | 'employee.email_bounced' | 'employee.tax_form_posted' | 'employee.user_mentioned' | 'enrollment.invitation_due' | 'enrollment.reminder_due' | 'enrollment.granted' | 'enrollment.started' | 'enrollment.elected' | 'enrollment.accepted' | 'enrollment.waived' | 'enrollment.renewed' | 'enrollment.resumed' | 'enrollment.resumption_withdrawn' | 'enrollment.terminated' | 'enrollment.termination_rescheduled' | 'enrollment.reissued' | 'enrollment.reinstated' | 'enrollment.amended' | 'census_sync.completed' | 'group_member_sync.completed' | 'invoice.issued' | 'api_key.created' | 'api_key.rotated' | 'api_key.revoked' | 'webhook_subscription.disabled' | 'webhook_subscription.test';

export type WebhookEventPage = {
    data: Array<WebhookEvent>;
    pagination: Pagination;
};

/**
 * Sends events of a period that the subscription has not received.
 */
export type WebhookReplay = {
    /**
     * The subscription.
     */
    subscription_id: WebhookSubscriptionId;
    /**
     * The start of the period, inclusive.
     */
    since: Timestamp;
    /**
     * The end of the period.
     */
    until: Timestamp;
};

export type WebhookReplayResponse = {
    data: WebhookReplay;
};

/**
 * A URL that receives the events of an organization.
 */
export type WebhookSubscription = {
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
};

/**
 * The webhook subscription. Its id begins with `wsub_`.
 */
export type WebhookSubscriptionId = string;

export type WebhookSubscriptionPage = {
    data: Array<WebhookSubscription>;
    pagination: Pagination;
};

/**
 * The body of every 4xx and 5xx response.
 */
export type ErrorBody = {
    /**
     * The error.
     */
    error: {
        /**
         * A stable, machine-readable code. Later versions may add codes: handle an unknown code by its HTTP status.
         */
        code: string;
        /**
         * A human-readable message, which includes the first detail.
         */
        message: string;
        /**
         * The invalid fields, at most 100. Empty if no field is invalid.
         */
        details: Array<{
            /**
             * The path of the field, with indexes from 0: `employees[3].address.zipcode`.
             */
            field: string;
            /**
             * The reason why the field is invalid.
             */
            message: string;
        }>;
        /**
         * The page about this code: its cause, what to do, and an example.
         */
        doc_url: string;
    };
    /**
     * Always equals `error.code`.
     */
    app_error_code: string;
    /**
     * Repeats `error.message`.
     */
    message: string;
    /**
     * The time of the response, in UTC.
     */
    timestamp: Timestamp;
    /**
     * Identifies the request in our log. Equals the `X-Request-Id` header.
     */
    trace_id: string;
};

// Generated from openapi.json by npm run gen.

export type AccessToken = {
    /**
     * To be sent as `Authorization: Bearer …`.
     */
    access_token: string;
    /**
     * Always `Bearer`.
     */
    token_type: 'Bearer';
    /**
     * In how many seconds it ends.
     */
    expires_in: number;
    /**
     * What the token is bound to, and all that it reaches. null: nothing, as its API key.
     */
    bound_entity: {
        /**
         * Its kind.
         */
        type: BoundEntityType;
        /**
         * Its id.
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
     * What the token is bound to, and all that it reaches. null: as absent.
     */
    bound_entity?: BoundEntity | null;
};

export type Address = {
    /**
     * The street and number.
     */
    address_line_1: string;
    /**
     * The apartment, suite or the like. null when there is none.
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
     * The ZIP code, of five or nine digits.
     */
    zipcode: string;
};

/**
 * The fact that an adjustment follows from, and who reported it when.
 */
export type AdjustmentCause = {
    /**
     * What was done.
     */
    action: AdjustmentCauseAction;
    /**
     * The request that reported it, as the audit log names it. Null for background work, and where it was not kept.
     */
    operation: string | null;
    /**
     * When it was reported.
     */
    reported_at: Timestamp;
    /**
     * The caller that reported it. rule: background work, such as a census. Null if it was not kept.
     */
    reported_by: {
        /**
         * Its kind.
         */
        kind: EnrollmentActorKind;
        /**
         * The employee, or the API key of the partner. Null for others, and for bound tokens.
         */
        id: string | null;
    } | null;
    /**
     * Since then. Null if the enrollment did not change.
     */
    coverage_start: Day | null;
    /**
     * Since then. Null if it has no end or did not change.
     */
    coverage_end: Day | null;
    /**
     * Null if no reason was given.
     */
    reason: string | null;
};

/**
 * The action on the enrollment, as its history names it. invoice_voided: an invoice that had billed the month was voided. manual_adjustment: the operator booked it by hand.
 */
export type AdjustmentCauseAction = 'elected' | 'waived' | 'renewed' | 'resumed' | 'resumption_withdrawn' | 'corrected' | 'terminated' | 'reissued' | 'ended' | 'end_changed' | 'reinstated' | 'dependents_changed' | 'amended' | 'invoice_voided' | 'manual_adjustment';

/**
 * Why it is there: the month was not billed; what was billed is not due at all; another plan or tier was in force; or the price, or who bears what, was another.
 */
export type AdjustmentReason = 'not_billed_before' | 'no_longer_due' | 'coverage_changed' | 'price_changed';

export type Affordability = 'Affordable' | 'Not Affordable';

/**
 * lowest_cost_silver_premium: of the state or county and age, imported by the operator. required_contribution_percentage: the part of income that coverage may cost, published by the IRS. poverty_guidelines: published by the Department of Health and Human Services.
 */
export type AffordabilityFigure = 'lowest_cost_silver_premium' | 'required_contribution_percentage' | 'poverty_guidelines';

/**
 * What changed in a plan year from a day on.
 */
export type Amendment = {
    /**
     * Its id.
     */
    id: BenefitPlanYearAmendmentId;
    benefit_plan_year_id: BenefitPlanYearId;
    /**
     * From which day on it holds.
     */
    effective_on: Day;
    /**
     * Why.
     */
    reason: string;
    /**
     * Plans whose rates were taken from the catalog anew.
     */
    repriced_plan_ids: Array<PlanId>;
    /**
     * What the employer pays of these benefits from then on, as it was said.
     */
    contributions: Array<{
        benefit_id: BenefitId;
        /**
         * What the employer pays of the premium in each tier: the first that fits counts.
         */
        contribution_tiers?: Array<{
            [key: string]: unknown;
        }>;
        /**
         * The allowances of an ICHRA: the first that fits counts.
         */
        ichra_contribution_classes?: Array<{
            [key: string]: unknown;
        }>;
    }>;
    /**
     * Plans that are offered from then on.
     */
    added_plan_ids: Array<PlanId>;
    /**
     * Plans that cover nobody from then on.
     */
    closed_plan_ids: Array<PlanId>;
    /**
     * Benefits that are offered from then on, as it was said.
     */
    added_benefits: Array<{
        benefit_id: BenefitId;
        /**
         * What the employer pays of the premium in each tier: the first that fits counts.
         */
        contribution_tiers?: Array<{
            [key: string]: unknown;
        }>;
        /**
         * The allowances of an ICHRA: the first that fits counts.
         */
        ichra_contribution_classes?: Array<{
            [key: string]: unknown;
        }>;
        /**
         * Its plans that were named.
         */
        plan_ids?: Array<PlanId>;
    }>;
    /**
     * Benefits that cover nobody from then on.
     */
    withdrawn_benefit_ids: Array<BenefitId>;
    /**
     * The last day of coverage. null while no end is known.
     */
    coverage_end: Day | null;
    /**
     * When the operator told of it.
     */
    reported_at: Timestamp;
    /**
     * When it was taken back; null: it holds.
     */
    withdrawn_at: Timestamp | null;
    /**
     * Why it was taken back; null: it holds.
     */
    withdrawal_reason: string | null;
};

export type AmendmentPage = {
    data: Array<Amendment>;
    pagination: Pagination;
};

/**
 * What answers come to, by the rules that payroll is told by.
 */
export type AnswerQuote = {
    employee_id: EmployeeId;
    /**
     * Whether nothing was changed, and only told.
     */
    dry_run: boolean;
    /**
     * Each answer, in the order sent.
     */
    answers: Array<{
        enrollment_id: EnrollmentId;
        benefit: EnrolledBenefit;
        /**
         * What the answer is.
         */
        answer: GivenAnswer;
        /**
         * The plan; null of a waiver.
         */
        plan_id: PlanId | null;
        /**
         * Whom it covers at the end; null of a waiver.
         */
        coverage_tier: CoverageTier | null;
        /**
         * Who is covered with the employee; empty: nobody.
         */
        dependent_ids: Array<DependentId>;
        /**
         * From which day on it holds; null of a waiver.
         */
        effective_on: Day | null;
        /**
         * Per month.
         */
        premium_in_cents: number;
        /**
         * Per month.
         */
        employer_contribution_in_cents: number;
        /**
         * Per month.
         */
        employee_deduction_in_cents: number;
        /**
         * What one paycheck takes once all has begun, in cents; it may differ by a cent.
         */
        per_paycheck_in_cents: number;
        /**
         * The first that something is taken from by this answer; null when nothing is.
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
             * What it takes for this benefit, with what earlier ones should have.
             */
            amount_in_cents: number;
        } | null;
    }>;
    /**
     * Others that are waived or end since they share a choice.
     */
    gives_way: Array<EnrollmentId>;
    /**
     * Others that do not end, since what was to follow is waived.
     */
    goes_on: Array<EnrollmentId>;
    /**
     * All of the answers, per month.
     */
    employee_deduction_in_cents: number;
    /**
     * All of the answers, per month.
     */
    employer_contribution_in_cents: number;
    /**
     * All of the answers.
     */
    per_paycheck_in_cents: number;
};

export type AnswerQuoteAnswer = {
    data: AnswerQuote;
};

export type AnyLifeEventType = 'marriage' | 'divorce' | 'birth' | 'adoption' | 'placement' | 'death_of_dependent' | 'loss_of_coverage' | 'gain_of_coverage' | 'change_of_residence' | 'change_of_employment' | 'other' | 'dependent_coverage_ended';

export type ApiKey = {
    id: ApiKeyId;
    /**
     * What it is for. null: made before keys had names, or not told.
     */
    name: string | null;
    /**
     * Whose key it is: it has the role of that member.
     */
    user_id: UserId;
    /**
     * The organization that it is bound to. null: it is open to several.
     */
    organization_id: OrganizationId | null;
    /**
     * How it is meant. null: made before modes counted; it reaches both.
     */
    mode: ApiKeyMode | null;
    /**
     * The last four characters of its secret. null: not known until its next use.
     */
    last_four: string | null;
    /**
     * What the key is for: `read` and `write`, and beside employers, plan years and the catalog the areas `people`, `money`, `webhooks` and `keys`. An operation needs each that it names.
     */
    scopes: Array<ApiKeyScope>;
    /**
     * From which pages bound tokens of the key may be sent; empty: none. null: those that the operator set for keys that say nothing.
     */
    allowed_origins: Array<string> | null;
    /**
     * Its state.
     */
    status: ApiKeyStatus;
    /**
     * When made.
     */
    created_at: Timestamp;
    /**
     * The user who made it, a member or an operator. null: made before this was written down.
     */
    created_by: UserId | null;
    /**
     * When it or one of its tokens was used last, at most a minute behind. null: not yet.
     */
    last_used_at: Timestamp | null;
    /**
     * When it ends. null: it has no end.
     */
    expires_at: Timestamp | null;
    /**
     * When its secret was made anew. null: never.
     */
    rotated_at: Timestamp | null;
    /**
     * Until when the secret before the last rotation opens as well. null: there is none.
     */
    former_secret_expires_at: Timestamp | null;
    /**
     * When it was revoked. null: it is not.
     */
    revoked_at: Timestamp | null;
    /**
     * `leaked`: somebody who had it reported it. null: it is not revoked.
     */
    revoked_because: RevokedBecause | null;
};

export type ApiKeyAnswer = {
    /**
     * Answer.
     */
    data: ApiKey;
};

export type ApiKeyChanges = {
    /**
     * What the key is for, to know it again. null: as absent.
     */
    name?: string | null;
    /**
     * From which pages bound tokens of the key may be sent; empty: none. null: those that the operator set for keys that say nothing. Absent: left as it is.
     */
    allowed_origins?: Array<string> | null;
};

/**
 * The API key.
 */
export type ApiKeyId = string;

/**
 * `test` keys reach sandbox organizations, `live` keys the others.
 */
export type ApiKeyMode = 'live' | 'test';

export type ApiKeyPage = {
    /**
     * Answer.
     */
    data: Array<ApiKey>;
    pagination: Pagination;
};

export type ApiKeyScope = 'read' | 'write' | 'people' | 'money' | 'webhooks' | 'keys';

/**
 * active: it opens. expired: its end has come. revoked: it was ended.
 */
export type ApiKeyStatus = 'active' | 'expired' | 'revoked';

/**
 * Who read or did what, when and from where. It holds nothing personal.
 */
export type AuditEntry = {
    /**
     * Its id.
     */
    id: AuditEntryId;
    /**
     * Null: it was of no one organization.
     */
    organization_id: OrganizationId | null;
    /**
     * By the calendar, also where a sandbox has a clock of its own.
     */
    occurred_at: Timestamp;
    /**
     * The id of the operation.
     */
    operation: string;
    /**
     * What was read, made or changed: the last thing that the path names. null when it is about nothing.
     */
    resource_id: string | null;
    /**
     * refused: a status from 400 on; failed: from 500 on.
     */
    outcome: AuditEntryOutcome;
    /**
     * The HTTP status of the answer.
     */
    status: number;
    /**
     * Who did it.
     */
    actor: {
        /**
         * api_key, access_token, employer_token, employee_token or operator; session: who signed in; stranger: a credential that is not good. More kinds may come.
         */
        kind: string;
        /**
         * The key; of a bound token the key, a slash, and what it is bound to. null when there is none.
         */
        id: string | null;
        /**
         * The user. null when it was none.
         */
        user_id: UserId | null;
    };
    /**
     * Where it came from. null when it is not known.
     */
    address: string | null;
    /**
     * The `X-Request-Id` of the answer.
     */
    trace_id: string;
    /**
     * The names of the body's fields, never their values; null where nothing was changed.
     */
    fields: Array<string> | null;
};

export type AuditEntryId = string;

/**
 * succeeded: answered with 2xx. refused: 4xx. failed: 5xx.
 */
export type AuditEntryOutcome = 'succeeded' | 'refused' | 'failed';

export type AuditEntryPage = {
    data: Array<AuditEntry>;
    pagination: CursorPagination;
    /**
     * The same as `pagination.next_offset`. null on the last one.
     */
    next_offset: string | null;
};

export type BenefitCategory = 'Medical' | 'Dental' | 'Vision' | 'Hospital';

/**
 * Who of an employer is eligible for benefits, and how soon.
 */
export type BenefitEligibilityPolicy = PolicyInForce & {
    /**
     * Whether it is a current policy of its employer.
     */
    active: boolean;
    employer_id: EmployerId;
    /**
     * When made.
     */
    created_at: Timestamp;
    /**
     * When last changed.
     */
    updated_at: Timestamp;
};

export type BenefitEligibilityPolicyAnswer = {
    data: BenefitEligibilityPolicy;
};

export type BenefitEligibilityPolicyPage = {
    data: Array<BenefitEligibilityPolicy>;
    pagination: Pagination;
};

export type BenefitExplanation = {
    /**
     * The benefit.
     */
    benefit: {
        id: BenefitId;
        /**
         * What kind of benefit it is.
         */
        category: string;
        /**
         * Its name.
         */
        name: string;
        /**
         * The product of the benefit.
         */
        product_code: string;
    };
    benefit_plan_year_id: BenefitPlanYearId;
    /**
     * The day that the waiting period counts from.
     */
    anchor: Day;
    /**
     * The waiting period.
     */
    rule: PolicyWaitingPeriod;
    /**
     * When the waiting period is over by the rule alone.
     */
    raw_day: Day;
    /**
     * On which day after it coverage can start.
     */
    start_alignment: PolicyStartAlignment;
    /**
     * The raw day, or the first of a month that follows, by the alignment.
     */
    aligned_day: Day;
    /**
     * Of who came back in time: the first day of the service that counts. The waiting goes on from it, and is over on the first of the next month at the earliest, or at once with `none`. null: they are new, or came back too late.
     */
    service_from: Day | null;
    /**
     * The policy that was waited out.
     */
    eligibility_policy_id: EligibilityPolicyId;
    /**
     * Not before: the start of the plan year, of the benefit, or of a policy that came later, whichever is last.
     */
    floor: Day;
    /**
     * For medical products the waiting is over by this day, 90 days after the anchor, whatever its rule. null: nothing caps it.
     */
    cap: Day | null;
    /**
     * The result: the latest of the end of the waiting period, the start of the plan year and the start of the benefit. Null if eligibility is lost before that day, so that no coverage can start.
     */
    coverage_start: Day | null;
    /**
     * The enrollment that was granted, if any; a life event, a correction or earlier coverage may have moved its days. null when none was granted.
     */
    enrollment: {
        id: EnrollmentId;
        /**
         * The first day of coverage.
         */
        coverage_start: Day;
        /**
         * The last day of coverage. null while no end is known.
         */
        coverage_end: Day | null;
    } | null;
    /**
     * What to look at, though nothing was refused; empty when there is nothing.
     */
    warnings: Array<EligibilityWarning>;
};

export type BenefitFamily = 'mec' | 'mvp' | 'ichra' | 'vpc' | 'dental' | 'vision';

export type BenefitFamilyTag = 'MEC' | 'MVP' | 'ICHRA' | 'VPC' | 'DENTAL' | 'VISION';

/**
 * The benefit.
 */
export type BenefitId = string;

export type BenefitPlanYear = {
    /**
     * Same as benefit_plan_year_id.
     */
    id: BenefitPlanYearId;
    benefit_plan_year_id: BenefitPlanYearId;
    /**
     * The leading benefit, of which the fields up to the contributions speak.
     */
    benefit_id: BenefitId;
    /**
     * The year that it is called by, that of its start unless said.
     */
    year: number;
    /**
     * The family of the benefit.
     */
    family: BenefitFamily;
    /**
     * The name of the leading benefit.
     */
    product_name: string;
    /**
     * Of the plan with the premium; null when nothing is priced.
     */
    carrier: string | null;
    /**
     * The networks of the plan.
     */
    network_names: Array<string>;
    /**
     * The lowest monthly premium of an employee alone, in cents; null when nothing is priced.
     */
    premium_in_cents: number | null;
    /**
     * Per month, over plans and tiers of the leading benefit. null: nothing is priced.
     */
    employee_contribution: MonthlyRange | null;
    /**
     * Per month, over plans and tiers of the leading benefit. null: nothing is priced.
     */
    employer_contribution: MonthlyRange | null;
    /**
     * Its state.
     */
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
     * The first day on which everybody may choose; the start of coverage where there is no open enrollment.
     */
    open_enrollment_start: Day;
    /**
     * The last day of open enrollment; null when there is none.
     */
    open_enrollment_end: Day | null;
    /**
     * Empty: everywhere.
     */
    offered_states: Array<string>;
    /**
     * What becomes of who does not answer when the plan year begins.
     */
    renewal: Renewal;
    /**
     * Of plans that are not offered again, by their id: the plan that takes their place.
     */
    plan_successors: {
        [key: string]: string;
    };
    /**
     * By when employees are to have the notice of an ICHRA: 90 days before the start; null without one.
     */
    notice_due_on: Day | null;
    /**
     * The benefits.
     */
    benefits: Array<{
        id: BenefitId;
        /**
         * What kind of benefit it is.
         */
        category: BenefitCategory;
        /**
         * Its name.
         */
        name: string;
        /**
         * The product of the benefit.
         */
        product_code: string;
        /**
         * How many are eligible, and how many of them enrolled.
         */
        enrollment_rate: EnrollmentRate;
    }>;
    /**
     * Of the benefits of each an employee may hold one at a time: electing one waives the others, or ends them with the day before.
     */
    choice_groups: Array<{
        /**
         * Its name.
         */
        name: string;
        /**
         * The benefits it is for; empty: all that have none of their own.
         */
        benefit_ids: Array<BenefitId>;
    }>;
    /**
     * The families of all its benefits, in upper case.
     */
    benefit_families: Array<string>;
    /**
     * How many are eligible, and how many of them enrolled.
     */
    enrollment_rate: EnrollmentRate;
    /**
     * The summary plan description of the leading benefit. null when none was given.
     */
    spd_file_url: string | null;
    /**
     * What the employer pays.
     */
    contribution_strategy: {
        /**
         * What each plan costs in each tier. Of benefits other than ICHRA.
         */
        contribution_tiers: Array<PricedTier>;
        /**
         * The rules behind it, as the operator said them.
         */
        contribution_rules: Array<{
            /**
             * null: every tier.
             */
            coverage_tier: CoverageTier | null;
            /**
             * An amount.
             */
            method: 'fixed';
            /**
             * Per month.
             */
            amount_in_cents: number;
            benefit_id: BenefitId;
        } | {
            /**
             * null: every tier.
             */
            coverage_tier: CoverageTier | null;
            /**
             * A part of the premium.
             */
            method: 'percentage';
            /**
             * Of the premium, with at most two decimals; rounded half up to cents.
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
     * The active one of the employer. null when there is none.
     */
    eligibility_policy: PlanYearEligibilityPolicy | null;
};

export type BenefitPlanYearAmendmentId = string;

export type BenefitPlanYearAnswer = {
    /**
     * Answer.
     */
    data: BenefitPlanYear;
};

/**
 * The plan year.
 */
export type BenefitPlanYearId = string;

export type BenefitPlanYearRow = {
    /**
     * Same as benefit_plan_year_id.
     */
    id: BenefitPlanYearId;
    benefit_plan_year_id: BenefitPlanYearId;
    /**
     * The leading benefit, of which the fields up to the contributions speak.
     */
    benefit_id: BenefitId;
    /**
     * The year that it is called by, that of its start unless said.
     */
    year: number;
    /**
     * The family of the benefit.
     */
    family: BenefitFamily;
    /**
     * The name of the leading benefit.
     */
    product_name: string;
    /**
     * Of the plan with the premium; null when nothing is priced.
     */
    carrier: string | null;
    /**
     * The networks of the plan.
     */
    network_names: Array<string>;
    /**
     * The lowest monthly premium of an employee alone, in cents; null when nothing is priced.
     */
    premium_in_cents: number | null;
    /**
     * Per month, over plans and tiers of the leading benefit. null: nothing is priced.
     */
    employee_contribution: MonthlyRange | null;
    /**
     * Per month, over plans and tiers of the leading benefit. null: nothing is priced.
     */
    employer_contribution: MonthlyRange | null;
    /**
     * Its state.
     */
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
     * The first day on which everybody may choose; the start of coverage where there is no open enrollment.
     */
    open_enrollment_start: Day;
    /**
     * The last day of open enrollment; null when there is none.
     */
    open_enrollment_end: Day | null;
    /**
     * Empty: everywhere.
     */
    offered_states: Array<string>;
    /**
     * What becomes of who does not answer when the plan year begins.
     */
    renewal: Renewal;
    /**
     * Of plans that are not offered again, by their id: the plan that takes their place.
     */
    plan_successors: {
        [key: string]: string;
    };
    /**
     * By when employees are to have the notice of an ICHRA: 90 days before the start; null without one.
     */
    notice_due_on: Day | null;
    /**
     * The benefits.
     */
    benefits: Array<{
        id: BenefitId;
        /**
         * What kind of benefit it is.
         */
        category: BenefitCategory;
        /**
         * Its name.
         */
        name: string;
        /**
         * The product of the benefit.
         */
        product_code: string;
    }>;
    /**
     * The families of all its benefits, in upper case.
     */
    benefit_families: Array<string>;
    /**
     * How many are eligible, and how many of them enrolled.
     */
    enrollment_rate: EnrollmentRate;
    /**
     * Whether coverage runs today.
     */
    is_current: boolean;
};

export type BenefitPlanYearRowListAnswer = {
    /**
     * Answer.
     */
    data: Array<BenefitPlanYearRow>;
};

/**
 * upcoming, open_enrollment: coverage is still to come, and today is in the window or not. active: coverage runs. inactive: it is over.
 */
export type BenefitPlanYearStatus = 'active' | 'upcoming' | 'open_enrollment' | 'inactive';

export type BenefitWithoutPeriod = {
    benefit_id: BenefitId;
    benefit_plan_year_id: BenefitPlanYearId;
    /**
     * The policy that decides who is eligible, and from when. null when there is none.
     */
    eligibility_policy: PolicyInForce | null;
    reason_code: EligibilityReasonCode;
    /**
     * Why.
     */
    reason: string;
};

export type BoundCredential = {
    /**
     * Its kind.
     */
    kind: BoundCredentialKind;
    /**
     * The employer or employee that the token is bound to.
     */
    bound_entity: {
        /**
         * Its kind.
         */
        type: BoundEntityType;
        /**
         * Its id.
         */
        id: string;
    };
    /**
     * The organization of the entity, with its branding.
     */
    organization: {
        id: OrganizationId;
        /**
         * Its name.
         */
        name: string;
        /**
         * Whether it is a sandbox.
         */
        sandbox: boolean;
        /**
         * Color of its widgets. null: not set.
         */
        accent_color: string | null;
    };
    /**
     * From this instant on the token opens nothing.
     */
    expires_at: Timestamp;
    /**
     * Today at the organization that the credential acts as, else in New York.
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
     * Its kind.
     */
    type: BoundEntityType;
    /**
     * Its id.
     */
    id: string;
};

export type BoundEntityType = 'employee' | 'employer';

export type Branding = {
    /**
     * Such as `#2748b3`, which reads on white (4.5 to 1). null: that of OpenBenefits.
     */
    accent_color: string | null;
};

export type BrandingAnswer = {
    /**
     * Answer.
     */
    data: Branding;
};

export type CensusAcceptance = {
    /**
     * When it was accepted.
     */
    accepted_at: Timestamp;
    employer_id: EmployerId;
    census_sync_id: CensusSyncId;
};

export type CensusAcceptanceAnswer = {
    /**
     * Answer.
     */
    data: CensusAcceptance;
};

export type CensusCounts = {
    /**
     * How many are new.
     */
    created: number;
    /**
     * How many changed.
     */
    updated: number;
    /**
     * How many are as they were.
     */
    unchanged: number;
    /**
     * How many are employed again.
     */
    rehired: number;
    /**
     * How many employments end.
     */
    terminated: number;
    /**
     * How many rows were refused.
     */
    failed: number;
};

export type CensusFailure = {
    /**
     * Its place in the submission, from 0.
     */
    index: number;
    /**
     * Your own reference. null when none was given.
     */
    reference_id: string | null;
    /**
     * Which field is to blame. null when it is the row as a whole.
     */
    field: string | null;
    /**
     * What is wrong with the row, or to be looked at, without personal data.
     */
    reason: string;
};

/**
 * A person who is missing from a replacing census.
 */
export type CensusMissing = {
    employee_id: EmployeeId;
    /**
     * Legal first name.
     */
    first_name: string;
    /**
     * Legal last name.
     */
    last_name: string;
    /**
     * Your own reference. null when none was given.
     */
    reference_id: string | null;
};

/**
 * `merge`: who is missing is left alone. `replace`: who is missing is terminated.
 */
export type CensusMode = 'merge' | 'replace';

/**
 * api: it was sent. hris: a payroll system was asked for it.
 */
export type CensusOrigin = 'api' | 'hris';

export type CensusOutcome = {
    /**
     * Null for a dry run, which is not kept.
     */
    census_sync_id: CensusSyncId | null;
    employer_id: EmployerId;
    /**
     * Where it came from.
     */
    origin: CensusOrigin;
    /**
     * How it is meant.
     */
    mode: CensusMode;
    /**
     * Whether nothing was changed, and only told.
     */
    dry_run: boolean;
    /**
     * How far it has come.
     */
    state: CensusSyncState;
    /**
     * How many rows there are.
     */
    row_count: number;
    /**
     * Rows done so far.
     */
    processed_count: number;
    /**
     * What became of the rows.
     */
    counts: CensusCounts;
    /**
     * Set when held: how many people would be terminated. null unless held.
     */
    missing_count: number | null;
    /**
     * The first 1000 people who are missing and would be terminated, by name. Set when held, and for a dry run. Else null.
     */
    missing: Array<CensusMissing> | null;
    /**
     * What was refused, row by row; all else was done.
     */
    failures: Array<CensusFailure>;
    warnings: Array<CensusWarning>;
    /**
     * Of a dry run: the first 1000 rows that change something. Else null.
     */
    planned: Array<CensusPlannedRow> | null;
    /**
     * When it was accepted.
     */
    accepted_at: Timestamp;
    /**
     * When the last of it was done. null until then.
     */
    completed_at: Timestamp | null;
};

export type CensusOutcomeAnswer = {
    /**
     * Answer.
     */
    data: CensusOutcome;
};

/**
 * What a row would change.
 */
export type CensusPlannedRow = {
    /**
     * Its place in the submission, from 0.
     */
    index: number;
    /**
     * What came of it.
     */
    outcome: CensusRowOutcome;
    /**
     * null: new.
     */
    employee_id: EmployeeId | null;
    /**
     * What would change.
     */
    differences: Array<{
        /**
         * As a row names it.
         */
        field: string;
        /**
         * null: nothing.
         */
        before: string | null;
        /**
         * null: nothing.
         */
        after: string | null;
    }>;
};

export type CensusRow = {
    /**
     * Legal first name.
     */
    first_name: string;
    /**
     * Legal last name.
     */
    last_name: string;
    /**
     * The e-mail address, upper or lower case alike.
     */
    email: Email;
    /**
     * A US phone number of 10 digits.
     */
    phone: Phone;
    /**
     * The birthday.
     */
    date_of_birth: Day;
    /**
     * A US address. null: as absent.
     */
    address?: NewResidence | null;
    /**
     * How the person is paid. null: as absent.
     */
    compensation_type?: CompensationType | null;
    /**
     * The class, which tells eligibility and allowances apart. null: as absent.
     */
    employee_class?: EmployeeClass | null;
    /**
     * Your own reference. null: as absent.
     */
    reference_id?: string | null;
    /**
     * The first day employed. null: as absent.
     */
    start_date?: Day | null;
    /**
     * The last day employed. null: as absent.
     */
    termination_date?: Day | null;
    /**
     * What follows the name, such as Jr. or III. null: as absent.
     */
    suffix?: string | null;
    /**
     * As the person says it. null: as absent.
     */
    gender?: Gender | null;
    /**
     * The person, if the organization knows them. null: as absent.
     */
    member_id?: MemberId | null;
    /**
     * The same, by one of their employments at whichever employer. null: as absent.
     */
    employee_id?: EmployeeId | null;
    /**
     * True: a new person, however alike; needs an e-mail of their own. null: as absent.
     */
    distinct?: boolean | null;
};

/**
 * What would become of it.
 */
export type CensusRowOutcome = 'created' | 'updated' | 'rehired' | 'terminated';

export type CensusSubmission = {
    /**
     * The rows, at most 10,000.
     */
    employees: Array<CensusRow>;
};

export type CensusSync = {
    census_sync_id: CensusSyncId;
    /**
     * Where it came from.
     */
    origin: CensusOrigin;
    /**
     * How it is meant.
     */
    mode: CensusMode;
    /**
     * How far it has come.
     */
    state: CensusSyncState;
    /**
     * How many rows there are.
     */
    row_count: number;
    /**
     * What became of the rows.
     */
    counts: CensusCounts;
    /**
     * Set when held: how many people would be terminated. null unless held.
     */
    missing_count: number | null;
    /**
     * When it was accepted.
     */
    accepted_at: Timestamp;
    /**
     * When the last of it was done. null until then.
     */
    completed_at: Timestamp | null;
};

/**
 * The census, by which its outcome is read.
 */
export type CensusSyncId = string;

export type CensusSyncPage = {
    /**
     * Answer.
     */
    data: Array<CensusSync>;
    pagination: Pagination;
};

/**
 * `held`: it waits for a confirmation.
 */
export type CensusSyncState = 'queued' | 'processing' | 'completed' | 'held' | 'failed';

/**
 * A row that was processed, and a field to check in it: corrected, not taken over, or unknown (a class counts as Full Time).
 */
export type CensusWarning = {
    /**
     * Its place in the submission, from 0.
     */
    index: number;
    /**
     * Your own reference. null when none was given.
     */
    reference_id: string | null;
    /**
     * Which field is to blame. null when it is the row as a whole.
     */
    field: string | null;
    /**
     * What is wrong with the row, or to be looked at, without personal data.
     */
    reason: string;
};

export type CompensationType = 'Salary' | 'Hourly';

/**
 * What is not sent stays; null clears the phone.
 */
export type ContactChanges = {
    /**
     * The e-mail address, upper or lower case alike. null: as absent.
     */
    email?: Email | null;
    /**
     * A US phone number of 10 digits. null clears it.
     */
    phone?: Phone | null;
    /**
     * A US address. null: as absent.
     */
    address?: ResidentialAddress | null;
};

/**
 * Why there is a correction. not_taken_before: nothing was deducted. no_longer_due: nothing is due. taxed_otherwise: the tax classification changed. amount_changed: another amount is due.
 */
export type CorrectionReason = 'not_taken_before' | 'no_longer_due' | 'taxed_otherwise' | 'amount_changed';

/**
 * EE: the employee. ES: with the spouse. EC: with children. EF: the family.
 */
export type CoverageTier = 'EE' | 'ES' | 'EC' | 'EF';

/**
 * What a credential is. A bound token has neither an owner nor roles nor scopes.
 */
export type Credential = KeyCredential | BoundCredential;

export type CredentialAnswer = {
    /**
     * Answer.
     */
    data: Credential;
};

/**
 * Where the next page is.
 */
export type CursorPagination = {
    /**
     * How many rows a page has at most.
     */
    limit: number;
    /**
     * The `offset` of the next page; null on the last one.
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
     * What is taken in the pay period, in cents; negative: given back.
     */
    deduction_amount_in_cents: number;
    /**
     * Reserved. null for now.
     */
    deduction_category: string | null;
    /**
     * How often people are paid.
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
     * Whether it is taken before taxes or after.
     */
    tax_classification: DeductionTaxClassification;
    /**
     * Its kind.
     */
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
 * annualized: twelve months spread evenly over the paydays of a year. per_month: each month over its own.
 */
export type DeductionMethod = 'annualized' | 'per_month';

/**
 * Whether what was due in a year was collected, to the cent.
 */
export type DeductionProof = {
    employee_id: EmployeeId;
    /**
     * The calendar year.
     */
    year: number;
    /**
     * The last day of the employer's newest statement. null without one.
     */
    through: Day | null;
    /**
     * The enrollments, one by one.
     */
    enrollments: Array<{
        enrollment_id: EnrollmentId;
        /**
         * The name of the benefit.
         */
        benefit_name: string;
        /**
         * The employee parts of the charged months of the whole year.
         */
        due_in_cents: number;
        /**
         * What of it falls into the pay periods that have a statement.
         */
        scheduled_in_cents: number;
        /**
         * All lines of the statements for this year.
         */
        collected_in_cents: number;
        /**
         * Those of them that are corrections.
         */
        corrections_in_cents: number;
        /**
         * scheduled_in_cents less collected_in_cents: what the next statement corrects. After the last paycheck that only gives back; what is due besides is outstanding.
         */
        difference_in_cents: number;
        /**
         * What the operator booked by hand for months of the year.
         */
        manual_adjustments_in_cents: number;
        /**
         * What was asked for once more, since payroll had not taken it.
         */
        arrears_in_cents: number;
        /**
         * All that statements asked payroll to take, arrears included.
         */
        requested_in_cents: number;
        /**
         * What payroll told that it took in the pay periods of the year; a period of which nothing was told adds nothing. null while it told nothing.
         */
        taken_in_cents: number | null;
        /**
         * What of it all has still to be taken: told late, booked by hand, not taken, or due after the last paycheck.
         */
        outstanding_in_cents: number;
        /**
         * What is not collected after the last paycheck, by final_deductions.
         */
        waived_in_cents: number;
    }>;
    /**
     * The employee parts of the charged months of the whole year.
     */
    due_in_cents: number;
    /**
     * What of it falls into the pay periods that have a statement.
     */
    scheduled_in_cents: number;
    /**
     * All lines of the statements for this year.
     */
    collected_in_cents: number;
    /**
     * Those of them that are corrections.
     */
    corrections_in_cents: number;
    /**
     * scheduled_in_cents less collected_in_cents: what the next statement corrects. After the last paycheck that only gives back; what is due besides is outstanding.
     */
    difference_in_cents: number;
    /**
     * What the operator booked by hand for months of the year.
     */
    manual_adjustments_in_cents: number;
    /**
     * What was asked for once more, since payroll had not taken it.
     */
    arrears_in_cents: number;
    /**
     * All that statements asked payroll to take, arrears included.
     */
    requested_in_cents: number;
    /**
     * What payroll told that it took in the pay periods of the year; a period of which nothing was told adds nothing. null while it told nothing.
     */
    taken_in_cents: number | null;
    /**
     * What of it all has still to be taken: told late, booked by hand, not taken, or due after the last paycheck.
     */
    outstanding_in_cents: number;
    /**
     * What is not collected after the last paycheck, by final_deductions.
     */
    waived_in_cents: number;
};

export type DeductionProofAnswer = {
    data: DeductionProof;
};

export type DeductionTaxClassification = 'Unknown' | 'Pre-tax' | 'Post-tax';

/**
 * A spouse or child of a person, who can be covered with them.
 */
export type Dependent = {
    id: DependentId;
    /**
     * The person whose dependent this is, whoever employs them.
     */
    member_id: MemberId;
    /**
     * What the person is to the employee.
     */
    relationship: DependentRelationship;
    /**
     * Legal first name.
     */
    first_name: string;
    /**
     * Legal last name.
     */
    last_name: string;
    /**
     * What follows the name, such as Jr. or III. null when there is none.
     */
    suffix: string | null;
    /**
     * The birthday.
     */
    date_of_birth: Day;
    /**
     * As the person says it. null when it is not known.
     */
    gender: string | null;
    /**
     * Whether this is a dependent still: not ended.
     */
    active: boolean;
    /**
     * The last day as a dependent. null while it has not ended.
     */
    ended_on: Day | null;
    /**
     * The last day on which coverage is possible: for a child the last day of the month of the 26th birthday, unless disabled; for one who ended the last day of that month, whichever is earlier. null: no end is known.
     */
    covered_until: Day | null;
    /**
     * Approved by the operator: a child then has no age limit.
     */
    disabled: boolean;
    /**
     * When made.
     */
    created_at: Timestamp;
    /**
     * When last changed.
     */
    updated_at: Timestamp;
};

export type DependentAnswer = {
    data: Dependent;
};

/**
 * Only the fields that are sent change; a refused field changes nothing.
 */
export type DependentChanges = {
    /**
     * What the person is to the employee. null: as absent.
     */
    relationship?: DependentRelationship | null;
    /**
     * Legal first name. null: as absent.
     */
    first_name?: string | null;
    /**
     * Legal last name. null: as absent.
     */
    last_name?: string | null;
    /**
     * null clears it.
     */
    suffix?: string | null;
    /**
     * The birthday. null: as absent.
     */
    date_of_birth?: Day | null;
    /**
     * null clears it.
     */
    gender?: Gender | null;
};

/**
 * The dependent.
 */
export type DependentId = string;

export type DependentPage = {
    data: Array<Dependent>;
    pagination: Pagination;
};

/**
 * What the person is to the employee. One spouse or domestic partner at a time, in the same tiers; what a partner adds to a deduction is post-tax. A child is added no later than in the month of the 26th birthday, unless disabled.
 */
export type DependentRelationship = 'spouse' | 'domestic_partner' | 'child';

/**
 * requested: by you. gone: the receiver answered 410. failing: nothing was taken for 5 days.
 */
export type DisabledReason = 'requested' | 'gone' | 'failing';

/**
 * A signed link of 15 minutes.
 */
export type DownloadLink = {
    /**
     * Opens with GET, without a key. Whoever has it has the file.
     */
    download_url: string;
    /**
     * From then on the link is a 404; sooner, if the key that asked for it ends before, or its role changes.
     */
    expires_at: Timestamp;
};

export type DownloadLinkAnswer = {
    data: DownloadLink;
};

export type DroppableRelationship = 'spouse' | 'domestic_partner' | 'child';

/**
 * Who gave an answer. employee: by their token; partner: by an API key; operator: by a correction; renewal: nobody, and that of the former plan year holds again; return: they came back in time, and what they had elected holds again.
 */
export type ElectedBy = 'employee' | 'partner' | 'operator' | 'renewal' | 'return';

/**
 * A plan, as it is elected.
 */
export type ElectedPlan = {
    id: PlanId;
    /**
     * Its name.
     */
    name: string;
    /**
     * The name of the carrier.
     */
    carrier: string;
};

export type Election = {
    /**
     * One of the plans that the enrollment shows.
     */
    plan_id: PlanId;
    /**
     * Who is covered together.
     */
    coverage_tier: CoverageTier;
    /**
     * Who is covered with the employee; without it, everybody who fits the tier. null: as absent.
     */
    dependent_ids?: Array<DependentId> | null;
    /**
     * The plan that the employee bought: of ICHRA_REIMBURSEMENT_ONLY, and needed there. null: as absent.
     */
    individual_plan?: {
        /**
         * Its name.
         */
        name: string;
        /**
         * Per month.
         */
        premium_in_cents: number;
    } | null;
    /**
     * Of ICHRA: whether the plan was bought on an exchange, so that nothing of it is pre-tax. Needed with individual_plan, and false unless sent otherwise. null: as absent.
     */
    bought_on_exchange?: boolean | null;
};

/**
 * Enrolled, Waived: the last answer. Pending: none yet. Expired: none, and no window is open any more.
 */
export type ElectionStatus = 'Enrolled' | 'Waived' | 'Pending' | 'Expired';

export type ElectionStatusFilter = 'enrolled' | 'waived' | 'pending' | 'expired';

/**
 * Why an employee is eligible from which day, per benefit.
 */
export type EligibilityExplanation = {
    employee_id: EmployeeId;
    employer_id: EmployerId;
    /**
     * The day that it is told of.
     */
    as_of: Day;
    /**
     * Its state.
     */
    status: EligibilityStatus;
    reason_code: EligibilityReasonCode;
    /**
     * A sentence for people.
     */
    reason: string;
    /**
     * The first day employed. null when it is not known.
     */
    hire_date: Day | null;
    /**
     * The last day employed. null when no end is known.
     */
    termination_date: Day | null;
    /**
     * On that day; a missing class counts as Full Time. null: not known, or every class.
     */
    employee_class: string | null;
    /**
     * On that day. null when it is not known.
     */
    compensation_type: string | null;
    /**
     * In force on that day for the benefits without one of their own, or else for the first that has one. null when there is none.
     */
    eligibility_policy: PolicyInForce | null;
    /**
     * The hire date, or the day of entering an eligible class. null when nobody waits.
     */
    anchor: Day | null;
    /**
     * The first day after the waiting period. null when there is nothing to wait for.
     */
    waiting_period_ends_on: Day | null;
    /**
     * The first day no longer eligible. null while eligible.
     */
    eligibility_lost_on: Day | null;
    /**
     * The last day of the month of that loss. null while no end is known.
     */
    covered_until: Day | null;
    /**
     * The benefits.
     */
    benefits: Array<BenefitExplanation>;
    /**
     * Benefits with a policy of their own that covers the employee on no day until then, and why.
     */
    benefits_out_of_reach: Array<BenefitWithoutPeriod>;
    /**
     * What to look at, though nothing was refused; empty when there is nothing.
     */
    warnings: Array<EligibilityWarning>;
};

export type EligibilityExplanationAnswer = {
    data: EligibilityExplanation;
};

/**
 * The eligibility policy.
 */
export type EligibilityPolicyId = string;

/**
 * The reason, for programs.
 */
export type EligibilityReasonCode = 'waiting_is_over' | 'waiting' | 'employment_ended' | 'not_employed_yet' | 'no_policy' | 'pay_not_covered' | 'class_not_covered';

/**
 * waiting: the waiting period is not over. not_eligible: of no class that is covered, or not employed.
 */
export type EligibilityStatus = 'eligible' | 'waiting' | 'not_eligible';

export type EligibilityWarning = {
    /**
     * What programs decide by.
     */
    code: EligibilityWarningCode;
    /**
     * A sentence for people.
     */
    message: string;
};

export type EligibilityWarningCode = 'class_unknown' | 'compensation_type_unknown' | 'hire_date_unknown' | 'policy_came_later' | 'coverage_capped' | 'plan_year_ends_first' | 'not_offered_in_state';

export type Email = string;

export type Employee = {
    id: EmployeeId;
    member_id: MemberId;
    /**
     * Your own reference. null when none was given.
     */
    reference_id: string | null;
    /**
     * Legal first name.
     */
    first_name: string;
    /**
     * Legal last name.
     */
    last_name: string;
    /**
     * What follows the name, such as Jr. or III. null when there is none.
     */
    suffix: string | null;
    /**
     * The e-mail address, upper or lower case alike.
     */
    email: string;
    /**
     * The birthday.
     */
    date_of_birth: Day;
    /**
     * As the person says it. null when it is not known.
     */
    gender: string | null;
    /**
     * A US phone number of 10 digits. null when it is not known.
     */
    phone: string | null;
    /**
     * The class, which tells eligibility and allowances apart. null: not known, or every class.
     */
    employee_class: EmployeeClass | null;
    /**
     * Its state.
     */
    status: EmploymentStatus;
    /**
     * The first day employed. null when it is not known.
     */
    hire_date: Day | null;
    /**
     * The last day employed; in the future when scheduled. null when no end is known.
     */
    termination_date: Day | null;
    /**
     * A US address. null when it is not known.
     */
    address: Residence | null;
    /**
     * The enrollments, one by one.
     */
    enrollments: Array<EnrollmentSummary>;
    /**
     * When made.
     */
    created_at: Timestamp;
    /**
     * When last changed.
     */
    updated_at: Timestamp;
    employer_id: EmployerId;
    /**
     * The display name of the employer.
     */
    employer_name: string;
    /**
     * The same as hire_date. null when it is not known.
     */
    start_date: Day | null;
    /**
     * From when on the class holds. null when it is not known.
     */
    classification_effective_date: Day | null;
    /**
     * How the person is paid. null when it is not known.
     */
    compensation_type: CompensationType | null;
    /**
     * From when on the compensation type holds. null when it is not known.
     */
    compensation_type_effective_date: Day | null;
    deductions: Array<Deduction>;
};

export type EmployeeAnswer = {
    /**
     * Answer.
     */
    data: Employee;
};

export type EmployeeChanges = {
    /**
     * The day from which the class and the compensation type hold. Not after today.
     */
    effective_date: Day;
    /**
     * The e-mail address, upper or lower case alike. null: as absent.
     */
    email?: Email | null;
    /**
     * A US phone number of 10 digits. null clears it.
     */
    phone?: Phone | null;
    /**
     * As the person says it. null clears it.
     */
    gender?: Gender | null;
    /**
     * A US address. null: as absent.
     */
    address?: ResidentialAddress | null;
    /**
     * The class, which tells eligibility and allowances apart. null: as absent.
     */
    employee_class?: EmployeeClass | null;
    /**
     * The first day employed. null: as absent.
     */
    start_date?: Day | null;
    /**
     * How the person is paid. null: as absent.
     */
    compensation_type?: CompensationType | null;
};

export type EmployeeClass = 'Full Time' | 'Part Time' | 'Temporary' | 'Intern' | 'Seasonal' | 'Individual Contractor';

/**
 * One employment of a person.
 */
export type EmployeeId = string;

export type EmployeePage = {
    /**
     * Answer.
     */
    data: Array<Employee>;
    pagination: Pagination;
};

export type Employer = {
    id: EmployerId;
    organization_id: OrganizationId;
    /**
     * Display name.
     */
    name: string;
    /**
     * Legal business name.
     */
    legal_name: string;
    /**
     * Masked but for its last four digits.
     */
    ein: string;
    /**
     * Your own reference. null when none was given.
     */
    reference_id: string | null;
    /**
     * Billing and communications address.
     */
    email: string;
    /**
     * 10 digits. null when it is not known.
     */
    phone_number: string | null;
    /**
     * Whether the employer is currently active; you say so.
     */
    active: boolean;
    /**
     * A US address.
     */
    address: Address;
    /**
     * The active policy; null when none is assigned.
     */
    eligibility_policy_id: EligibilityPolicyId | null;
    /**
     * When made.
     */
    created_at: Timestamp;
    /**
     * When last changed.
     */
    updated_at: Timestamp;
};

export type EmployerAnswer = {
    /**
     * Answer.
     */
    data: Employer;
};

/**
 * Only the fields that are sent change; a refused field changes nothing.
 */
export type EmployerChanges = {
    /**
     * Display name. null: as absent.
     */
    name?: string | null;
    /**
     * Legal business name. null: as absent.
     */
    legal_name?: string | null;
    /**
     * Can not be changed: one that differs is refused. null: as absent.
     */
    ein?: string | null;
    /**
     * The e-mail address, upper or lower case alike. null: as absent.
     */
    email?: Email | null;
    /**
     * null clears it.
     */
    phone_number?: Phone | null;
    /**
     * null clears it.
     */
    reference_id?: string | null;
    /**
     * Replaces the address as a whole. null: as absent.
     */
    address?: NewAddress | null;
    /**
     * Whether the employer is currently active. null: as absent.
     */
    active?: boolean | null;
};

export type EmployerHris = {
    /**
     * Null when there is no connection.
     */
    hris: {
        /**
         * Take it as a filter value of the employer book.
         */
        provider: string;
        /**
         * For people to read.
         */
        provider_label: string;
        /**
         * Its state.
         */
        status: HrisStatus;
        /**
         * The day of the last successful sync, in New York. null before the first.
         */
        last_sync_on: Day | null;
        /**
         * Rows of that sync that could be used. null before the first.
         */
        synced_row_count: number | null;
        /**
         * The last 10 syncs, newest first.
         */
        recent_runs: Array<{
            /**
             * A US state or territory, by its two-letter code.
             */
            state: HrisRunState;
            /**
             * When it was asked for.
             */
            requested_at: Timestamp;
            /**
             * What became of the rows. null until it is known.
             */
            counts: CensusCounts | null;
        }>;
    } | null;
};

export type EmployerHrisAnswer = {
    /**
     * Answer.
     */
    data: EmployerHris;
};

/**
 * Its employer.
 */
export type EmployerId = string;

/**
 * onboarding: no coverage has begun. open_enrollment: today is in a window. active: coverage runs. renewal: it ends within 90 days. cancelled: the subscription ended.
 */
export type EmployerLifecycleStage = 'cancelled' | 'onboarding' | 'open_enrollment' | 'renewal' | 'active';

export type EmployerPage = {
    data: Array<EmployerRow>;
    pagination: Pagination;
};

/**
 * An employer with the computed columns of the employer book.
 */
export type EmployerRow = Employer & {
    /**
     * Same as id.
     */
    employer_id: EmployerId;
    /**
     * How many are eligible, and how many of them enrolled.
     */
    enrollment_rate_summary: EnrollmentRate;
    /**
     * The families of active benefits.
     */
    benefit_families: Array<BenefitFamilyTag>;
    /**
     * The payroll or HRIS connection; null when there is none.
     */
    hris_status: {
        /**
         * The payroll system, as a filter names it.
         */
        provider: string;
        /**
         * The payroll system, for people.
         */
        provider_label: string;
        /**
         * Its state.
         */
        status: HrisStatus;
    } | null;
    /**
     * Where the employer stands in its year, and since or until when.
     */
    benefit_lifecycle_stage: {
        /**
         * Where the employer stands in its year.
         */
        stage: EmployerLifecycleStage;
        /**
         * The day that goes with the stage. null when none is known.
         */
        as_of_date: Day | null;
    };
    /**
     * The day after the end of the plan year that runs, or of the last one; null before there was any.
     */
    renews_on: Day | null;
};

export type EmployerSettings = {
    /**
     * How often people are paid.
     */
    pay_frequency: PayFrequency;
    /**
     * A payday, from which the others are counted. null: pay periods follow the calendar.
     */
    first_pay_date: Day | null;
    /**
     * How monthly amounts become deductions per pay period.
     */
    deduction_method: DeductionMethod;
    /**
     * What a census means for people who are missing from it.
     */
    census_mode: CensusMode;
    /**
     * 24, 48, or null: as many as there are paydays.
     */
    deductions_per_year: number | null;
    /**
     * What the last paycheck takes of who leaves: `collect`, all that is due until coverage ends; `waive`, its own part. Later ones take nothing.
     */
    final_deductions: FinalDeductions;
    /**
     * How much of a normal deduction may be taken once more in a pay period for what payroll did not take.
     */
    arrears_limit_percent: number;
    /**
     * Its go-live day, which the operator sets: coverage before it is history, and nothing before it is deducted or billed. Null: since ever.
     */
    administered_from: Day | null;
    /**
     * How many months before its own an invoice still adjusts, and deductions are corrected; the operator sets it. What is older is booked by hand.
     */
    correction_reach_months: number;
};

export type EmployerSettingsAnswer = {
    /**
     * Answer.
     */
    data: EmployerSettings;
};

/**
 * Only the fields that are sent change.
 */
export type EmployerSettingsChanges = {
    /**
     * How often people are paid. null: as absent.
     */
    pay_frequency?: PayFrequency | null;
    /**
     * null: pay periods follow the calendar.
     */
    first_pay_date?: Day | null;
    /**
     * How monthly amounts become deductions per pay period. null: as absent.
     */
    deduction_method?: DeductionMethod | null;
    /**
     * What a census means for people who are missing from it. null: as absent.
     */
    census_mode?: CensusMode | null;
    /**
     * 24 with bi_weekly pay: the third payday of a month takes nothing; 48 with weekly pay: the fifth one. null, and another pay_frequency: each payday takes its part.
     */
    deductions_per_year?: 24 | 48 | null;
    /**
     * What the last paycheck takes of who leaves. null: as absent.
     */
    final_deductions?: FinalDeductions | null;
    /**
     * How much of a normal deduction may be taken once more in a pay period. null: as absent.
     */
    arrears_limit_percent?: number | null;
};

/**
 * active: to the end of the last day. terminated: from the day after.
 */
export type EmploymentStatus = 'active' | 'terminated';

/**
 * The benefit that it is of.
 */
export type EnrolledBenefit = {
    id: BenefitId;
    /**
     * What kind of benefit it is.
     */
    category: BenefitCategory;
    /**
     * Its name.
     */
    name: string;
    /**
     * The product of the benefit.
     */
    product_code: ProductCode;
};

export type Enrollment = {
    id: EnrollmentId;
    employee_id: EmployeeId;
    employer_id: EmployerId;
    benefit: EnrolledBenefit;
    /**
     * Its state.
     */
    status: EnrollmentStatus;
    /**
     * The first day of coverage.
     */
    coverage_start: Day;
    /**
     * The last day of coverage; null while no end is known; before coverage_start when it never began.
     */
    coverage_end: Day | null;
    /**
     * Per month; 0 unless enrolled.
     */
    employee_deduction_in_cents: number;
    /**
     * Per month; 0 unless enrolled.
     */
    employer_contribution_in_cents: number;
    /**
     * What of the deduction is for a domestic partner, and post-tax: 0 where none is covered.
     */
    domestic_partner_share_in_cents: number;
    /**
     * When the employee last enrolled or waived, also when that repeats the answer before. null before an answer.
     */
    answered_at: Timestamp | null;
    /**
     * Who gave the answer; null while there is none, and where it was not noted.
     */
    elected_by: ElectedBy | null;
    /**
     * When eligibility or the plan year ended, and with it the enrollment; coverage lasts until coverage_end. null while it has not.
     */
    terminated_at: Timestamp | null;
    /**
     * When made.
     */
    created_at: Timestamp;
    /**
     * When last changed.
     */
    updated_at: Timestamp;
    benefit_plan_year_id: BenefitPlanYearId;
    /**
     * The first day of coverage of the plan year.
     */
    plan_year_start: Day;
    /**
     * The last day of coverage of the plan year.
     */
    plan_year_end: Day;
    /**
     * The plan. null unless enrolled.
     */
    plan: ElectedPlan | null;
    /**
     * Since which day it is as elected here, where it was changed; null: since coverage_start.
     */
    elected_from: Day | null;
    /**
     * Who is covered together. null: every tier, or nobody is covered yet.
     */
    coverage_tier: CoverageTier | null;
    /**
     * The whole monthly premium, in cents. null unless enrolled.
     */
    premium_in_cents: number | null;
    /**
     * The plan that the employee bought, of ICHRA_REIMBURSEMENT_ONLY; the premium is what they told. null for other benefits.
     */
    individual_plan_name: string | null;
    /**
     * Of ICHRA: whether the elected plan was bought on an exchange; then nothing is pre-tax. null for other benefits.
     */
    bought_on_exchange: boolean | null;
    /**
     * Who is covered with the employee.
     */
    dependent_ids: Array<DependentId>;
    /**
     * What was elected for a day ahead, when coverage that has begun was changed. null when nothing was.
     */
    upcoming_election: {
        /**
         * From which day on it holds.
         */
        effective_on: Day;
        plan: ElectedPlan;
        /**
         * Who is covered together.
         */
        coverage_tier: CoverageTier;
        /**
         * The whole monthly premium, in cents.
         */
        premium_in_cents: number;
        /**
         * What the employer pays of a month, in cents.
         */
        employer_contribution_in_cents: number;
        /**
         * What the employee pays of a month, in cents.
         */
        employee_deduction_in_cents: number;
        /**
         * Who is covered with the employee; empty: nobody.
         */
        dependent_ids: Array<DependentId>;
    } | null;
    /**
     * First and last day of the window in which to choose that is open; null when none is.
     */
    window: {
        /**
         * The first day.
         */
        start: Day;
        /**
         * The last day.
         */
        end: Day;
    } | null;
    /**
     * The changes that the open windows allow: all in the window of the grant and in open enrollment, otherwise those that are consistent with the life events. Null if no window is open.
     */
    allowed_changes: {
        /**
         * Whether the employee and dependents may join.
         */
        add: boolean;
        /**
         * The relationships of dependents who may be dropped; after a death, one of them.
         */
        drop: Array<DroppableRelationship>;
        /**
         * Whether another plan may be elected.
         */
        change_plan: boolean;
        /**
         * Whether the coverage may be waived, or ended once it has begun.
         */
        waive: boolean;
    } | null;
};

/**
 * granted: by eligibility and what is offered. elected, waived: an answer. renewed: carried by a renewal. resumed: elected again for who came back in time. resumption_withdrawn: they did not, after all. corrected: set right by the operator. terminated, reissued: ended, and opened anew, on request. ended: eligibility or the plan year is over. end_changed: the last day moved, or was taken back. reinstated: a loss was withdrawn. dependents_changed: coverage of a dependent ended, or did not after all. amended: the plan year changed.
 */
export type EnrollmentAction = 'granted' | 'elected' | 'waived' | 'renewed' | 'resumed' | 'resumption_withdrawn' | 'corrected' | 'terminated' | 'reissued' | 'ended' | 'end_changed' | 'reinstated' | 'dependents_changed' | 'amended';

/**
 * employee: by a token of their own. partner: by a key or session of yours. renewal, rule: the service itself.
 */
export type EnrollmentActorKind = 'employee' | 'partner' | 'operator' | 'renewal' | 'rule';

export type EnrollmentCounts = {
    /**
     * How many may have it.
     */
    eligible: number;
    /**
     * How many have elected.
     */
    enrolled: number;
    /**
     * How many have waived.
     */
    waived: number;
    /**
     * Not answered yet.
     */
    pending: number;
    /**
     * Not answered in time.
     */
    expired: number;
};

export type EnrollmentDetail = Enrollment & {
    /**
     * What can be elected, per month, at what this employee would pay. Of ICHRA a premium is null while it depends on dependents that nobody has told of, or on the plan that the employee buys; the contribution is the most then.
     */
    plans: Array<{
        id: PlanId;
        /**
         * Its name.
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
         * Where the summary plan description is. null when none was given.
         */
        spd_file_url: string | null;
        facts: PlanFacts;
        /**
         * What it costs in each coverage tier.
         */
        tiers: Array<{
            /**
             * Who is covered together.
             */
            coverage_tier: CoverageTier;
            /**
             * The whole monthly premium, in cents. null of ICHRA, while it depends on the plan that is bought.
             */
            premium_in_cents: number | null;
            /**
             * What the employer would pay of a month, in cents. null of ICHRA, while it depends on the plan that is bought.
             */
            employer_contribution_in_cents: number | null;
            /**
             * What the employee would pay of a month, in cents. null of ICHRA, while it depends on the plan that is bought.
             */
            employee_deduction_in_cents: number | null;
        }>;
    }>;
    /**
     * Of ICHRA, for the employee alone; null for other benefits, and where a figure is not known.
     */
    affordability: Affordability | null;
    /**
     * Why the affordability of an ICHRA is null: the figures that the service does not have.
     */
    missing_figures: Array<MissingFigure> | null;
    /**
     * Of ICHRA: by when the employee is to have the notice; for newcomers the first day of coverage. null for other benefits.
     */
    notice_due_on: Day | null;
};

export type EnrollmentDetailAnswer = {
    /**
     * Answer.
     */
    data: EnrollmentDetail;
};

/**
 * One thing that happened to an enrollment; it never changes.
 */
export type EnrollmentEvidence = {
    /**
     * What was done.
     */
    action: EnrollmentAction;
    /**
     * When it was written down.
     */
    recorded_at: Timestamp;
    /**
     * Who did it; rule: it follows from facts. null: done before evidence was kept.
     */
    actor: {
        /**
         * Its kind.
         */
        kind: EnrollmentActorKind;
        /**
         * The employee whose token it was, or the API key of the partner; null for others, and to bound tokens.
         */
        id: string | null;
    } | null;
    /**
     * Why. null when none was given.
     */
    reason: string | null;
    /**
     * Why it was waived. null: no waiver, or without a code.
     */
    reason_code: WaiverReason | null;
    /**
     * The window in which it was answered, or that a grant opened. null when there is none.
     */
    window: {
        /**
         * Its kind.
         */
        kind: EnrollmentWindowKind;
        /**
         * The first day.
         */
        start: Day;
        /**
         * The last day.
         */
        end: Day;
        /**
         * The life event. null when it has nothing to do with one.
         */
        life_event_id: LifeEventId | null;
    } | null;
    /**
     * As it was after this; of a grant, as it is.
     */
    coverage_start: Day;
    /**
     * The last day of coverage. null while no end is known.
     */
    coverage_end: Day | null;
    /**
     * The answer that stood after this. null while nothing is.
     */
    answer: GivenAnswer | null;
    /**
     * What was elected then, the steps ahead included, per month; null where nothing was said.
     */
    elections: Array<{
        plan_id: PlanId;
        /**
         * Who is covered together.
         */
        coverage_tier: CoverageTier;
        /**
         * null where it depends on the person (ICHRA), of what was offered.
         */
        premium_in_cents: number | null;
        /**
         * What the employer pays of a month, in cents; null of ICHRA.
         */
        employer_contribution_in_cents: number | null;
        /**
         * What the employee pays of a month, in cents; null of ICHRA.
         */
        employee_deduction_in_cents: number | null;
        /**
         * null: from the start of coverage.
         */
        effective_on: Day | null;
        /**
         * Who is covered with the employee; empty: nobody.
         */
        dependent_ids: Array<DependentId>;
    }> | null;
    /**
     * Of a waiver: what could have been elected, per month. ICHRA amounts are null.
     */
    offered: Array<{
        plan_id: PlanId;
        /**
         * Who is covered together.
         */
        coverage_tier: CoverageTier;
        /**
         * null where it depends on the person (ICHRA), of what was offered.
         */
        premium_in_cents: number | null;
        /**
         * What the employer pays of a month, in cents; null of ICHRA.
         */
        employer_contribution_in_cents: number | null;
        /**
         * What the employee pays of a month, in cents; null of ICHRA.
         */
        employee_deduction_in_cents: number | null;
    }> | null;
};

export type EnrollmentEvidencePage = {
    data: Array<EnrollmentEvidence>;
    pagination: Pagination;
};

/**
 * The enrollment.
 */
export type EnrollmentId = string;

export type EnrollmentPage = {
    /**
     * Answer.
     */
    data: Array<Enrollment>;
    pagination: Pagination;
};

export type EnrollmentRate = {
    /**
     * How many people are eligible.
     */
    eligible: number;
    /**
     * How many of them are enrolled.
     */
    enrolled: number;
    /**
     * Whole percent, half up; 0 when nobody is eligible.
     */
    percentage: number;
};

export type EnrollmentReissue = {
    /**
     * Why. null: as absent.
     */
    reason?: string | null;
};

/**
 * pending: waits for an answer. enrolled, waived: as answered. inactive: it ended, or is not offered any more.
 */
export type EnrollmentStatus = 'pending' | 'enrolled' | 'waived' | 'inactive';

export type EnrollmentSummary = {
    /**
     * Its id.
     */
    id: string;
    /**
     * Its state.
     */
    status: EnrollmentStatus;
    /**
     * When the employee last enrolled or waived. null before an answer.
     */
    answered_at: Timestamp | null;
};

export type EnrollmentTermination = {
    /**
     * Why. null: as absent.
     */
    reason?: string | null;
    /**
     * The approved life event in whose window this is; without it, any whose window is open. null: as absent.
     */
    life_event_id?: LifeEventId | null;
    /**
     * The last day of coverage, the last of a month; without it, the last of this one. null: as absent.
     */
    coverage_end?: Day | null;
};

/**
 * What opened it: being granted, an open enrollment, or a life event.
 */
export type EnrollmentWindowKind = 'grant' | 'open_enrollment' | 'life_event';

/**
 * collect: what is due until coverage ends is taken on the last paycheck. waive: nothing is taken after it.
 */
export type FinalDeductions = 'collect' | 'waive';

export type FormatFilter = 'csv' | 'ndjson';

/**
 * A dependent, with the person they belong to and where that person works.
 */
export type FoundDependent = Dependent & {
    /**
     * The first name of the person whose dependent this is.
     */
    member_first_name: string;
    /**
     * The last name of that person.
     */
    member_last_name: string;
    /**
     * At each employer, former ones included, newest first; empty for who is in a group alone.
     */
    employments: Array<{
        employee_id: EmployeeId;
        employer_id: EmployerId;
        /**
         * The display name of the employer.
         */
        employer_name: string;
        /**
         * Your own reference. null when none was given.
         */
        reference_id: string | null;
        /**
         * Its state.
         */
        status: EmploymentStatus;
    }>;
};

export type FoundDependentPage = {
    data: Array<FoundDependent>;
    pagination: Pagination;
};

export type Gender = 'Male' | 'Female' | 'Transgender' | 'Non-binary' | 'Prefer not to respond';

export type GivenAnswer = 'enrolled' | 'waived';

export type Group = {
    id: GroupId;
    organization_id: OrganizationId;
    /**
     * Its name.
     */
    name: string;
    /**
     * Your own reference, unique within the organization.
     */
    external_reference_id: string;
    /**
     * When made.
     */
    created_at: Timestamp;
    /**
     * When last changed.
     */
    updated_at: Timestamp;
};

export type GroupAnswer = {
    /**
     * Answer.
     */
    data: Group;
};

/**
 * Only the fields that are sent change.
 */
export type GroupChanges = {
    /**
     * Your own reference, unique within the organization. null: as absent.
     */
    external_reference_id?: string | null;
    /**
     * Its name. null: as absent.
     */
    name?: string | null;
};

/**
 * The group.
 */
export type GroupId = string;

export type GroupMember = {
    /**
     * Its id.
     */
    id: GroupMemberId;
    group_id: GroupId;
    /**
     * The person, who may be an employee as well.
     */
    member_id: MemberId;
    /**
     * Your own reference.
     */
    reference_id: string;
    plan_id: PlanId;
    /**
     * Legal first name.
     */
    first_name: string;
    /**
     * Legal last name.
     */
    last_name: string;
    /**
     * The e-mail address, upper or lower case alike. null when it is not known.
     */
    email: string | null;
    /**
     * A US phone number of 10 digits. null when it is not known.
     */
    phone: string | null;
    /**
     * The birthday.
     */
    date_of_birth: Day;
    /**
     * A US address. null when it is not known.
     */
    address: Address | null;
    /**
     * Since when the person belongs to the group; who comes back joins anew.
     */
    joined_at: Timestamp;
    /**
     * When last changed.
     */
    updated_at: Timestamp;
};

export type GroupMemberAddress = {
    /**
     * The street and number.
     */
    address_line_1: string;
    /**
     * The apartment, suite or the like. null: as absent.
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
     * The ZIP code, of five or nine digits.
     */
    zipcode: Zipcode;
};

export type GroupMemberFailure = {
    /**
     * What was to be done.
     */
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
 * What was asked for the member.
 */
export type GroupMemberOperation = 'add' | 'remove';

export type GroupMemberPage = {
    /**
     * Answer.
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
     * Legal first name.
     */
    first_name: string;
    /**
     * Legal last name.
     */
    last_name: string;
    /**
     * The e-mail address, upper or lower case alike. null: as absent.
     */
    email?: Email | null;
    /**
     * A US phone number of 10 digits.
     */
    phone: Phone;
    /**
     * The birthday.
     */
    date_of_birth: Day;
    /**
     * A US address.
     */
    address: GroupMemberAddress;
    /**
     * A plan of the organization, see `GET /v1/plans`.
     */
    plan_id: string;
    /**
     * The person, if the organization knows them. null: as absent.
     */
    member_id?: MemberId | null;
    /**
     * True: a new person, however alike; needs an e-mail of their own. null: as absent.
     */
    distinct?: boolean | null;
};

/**
 * All members of the group; an empty list empties it.
 */
export type GroupMemberSubmission = {
    /**
     * The rows, at most 10,000; nobody: the group is emptied.
     */
    members: Array<GroupMemberRow>;
};

export type GroupMemberSync = {
    /**
     * The member sync, by which its outcome is read.
     */
    request_id: GroupMemberSyncId;
    group_id: GroupId;
    /**
     * When it was accepted.
     */
    accepted_at: Timestamp;
    /**
     * Null while the request is in flight.
     */
    completed_at: Timestamp | null;
    /**
     * Null while the request is in flight.
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
         * What was refused, row by row; all else was done.
         */
        failures: Array<GroupMemberFailure>;
    } | null;
};

export type GroupMemberSyncAcceptance = {
    /**
     * The member sync, by which its outcome is read.
     */
    request_id: GroupMemberSyncId;
    group_id: GroupId;
    /**
     * When it was accepted.
     */
    accepted_at: Timestamp;
};

export type GroupMemberSyncAcceptanceAnswer = {
    /**
     * Answer.
     */
    data: GroupMemberSyncAcceptance;
};

export type GroupMemberSyncAnswer = {
    /**
     * Answer.
     */
    data: GroupMemberSync;
};

export type GroupMemberSyncId = string;

export type GroupMemberSyncPage = {
    /**
     * Answer.
     */
    data: Array<GroupMemberSyncRow>;
    pagination: Pagination;
};

export type GroupMemberSyncRow = {
    /**
     * The member sync, by which its outcome is read.
     */
    request_id: GroupMemberSyncId;
    group_id: GroupId;
    /**
     * When it was accepted.
     */
    accepted_at: Timestamp;
    organization_id: OrganizationId;
    /**
     * Null while the request is in flight.
     */
    completed_at: Timestamp | null;
    /**
     * How many group members were added. null while the request is in flight.
     */
    added_count: number | null;
    /**
     * How many were removed. null while the request is in flight.
     */
    removed_count: number | null;
    /**
     * How many rows failed. null while the request is in flight.
     */
    failure_count: number | null;
};

export type GroupPage = {
    /**
     * Answer.
     */
    data: Array<Group>;
    pagination: Pagination;
};

export type HiredEmployee = Employee & {
    /**
     * Fields of the request that a linked person does not adopt. Absent if there are none.
     */
    warnings?: Array<{
        /**
         * As the request names it.
         */
        field: string;
        /**
         * A sentence for people.
         */
        message: string;
    }>;
};

export type HiredEmployeeAnswer = {
    /**
     * Answer.
     */
    data: HiredEmployee;
};

export type HrisProviderList = {
    /**
     * Answer.
     */
    data: Array<{
        /**
         * Take it as a filter value of the employer book.
         */
        provider: string;
        /**
         * For people to read.
         */
        provider_label: string;
    }>;
};

/**
 * `waiting` to be fetched, or to be tried again; then as its census.
 */
export type HrisRunState = 'waiting' | 'queued' | 'processing' | 'completed' | 'held' | 'failed';

/**
 * pending: being connected. active: followed. paused: rests, and the roster is yours to write. inactive: cut off.
 */
export type HrisStatus = 'active' | 'pending' | 'inactive' | 'paused';

/**
 * service: this service. external_idp: an identity provider, which has a tenant for the organization.
 */
export type IdpProvider = 'service' | 'external_idp';

export type InvitationId = string;

/**
 * pending: can be accepted. expired: after 7 days. revoked: taken back, or its sender may invite nobody any more.
 */
export type InvitationStatus = 'pending' | 'accepted' | 'expired' | 'revoked';

/**
 * What an employer is billed for a month.
 */
export type Invoice = {
    /**
     * The id of the invoice, in paths too.
     */
    invoice_id: string;
    employer_id: EmployerId;
    /**
     * The month that it bills, `YYYY-MM`; adjustments are of months before it.
     */
    period: string;
    /**
     * Its state.
     */
    status: InvoiceStatus;
    /**
     * What the employer is billed, in dollars; `total_in_cents` says it in cents.
     */
    total: number;
    /**
     * The sum of the premiums of its lines. Negative when more is given back than billed.
     */
    total_in_cents: number;
    /**
     * What the employer bears of the total.
     */
    employer_contribution_in_cents: number;
    /**
     * What the employees bear of the total, through their deductions.
     */
    employee_deduction_in_cents: number;
    /**
     * How many lines it has.
     */
    line_count: number;
    /**
     * The day on which it was drafted.
     */
    drafted_on: Day;
    /**
     * Null in a draft.
     */
    issued_on: Day | null;
    /**
     * 30 days after it was issued; null in a draft.
     */
    due_on: Day | null;
    /**
     * The day on which it was paid. null while it is not.
     */
    paid_on: Day | null;
    /**
     * The day on which it was voided. null while it is not.
     */
    voided_on: Day | null;
    /**
     * Why the invoice is void. Null if it is not void, or if no reason was given.
     */
    void_reason: string | null;
    /**
     * The id of the invoice that bills what this void invoice billed: another one of the same month, or the first one of a later month that reaches it. Null if it is not void, or not billed again yet.
     */
    replaced_by: string | null;
    /**
     * Where it is paid at Stripe; null unless it is open, and collected there.
     */
    payment_url: string | null;
};

/**
 * How long ago it was due, as the sums by age tell it: not yet, 1 to 30 days, 31 to 60, 61 to 90, longer.
 */
export type InvoiceAge = 'not_due' | 'to_30_days' | 'to_60_days' | 'to_90_days' | 'longer';

/**
 * What an employer owes, by how long ago it was due.
 */
export type InvoiceAging = {
    employer_id: EmployerId;
    /**
     * The display name of the employer.
     */
    employer_name: string;
    oldest_due_on: Day;
    /**
     * How many invoices are issued and neither paid nor void.
     */
    invoice_count: number;
    /**
     * Of invoices whose due date is today or ahead.
     */
    not_due_in_cents: number;
    /**
     * Due 1 to 30 days ago.
     */
    overdue_to_30_days_in_cents: number;
    /**
     * Due 31 to 60 days ago.
     */
    overdue_to_60_days_in_cents: number;
    /**
     * Due 61 to 90 days ago.
     */
    overdue_to_90_days_in_cents: number;
    /**
     * Due more than 90 days ago.
     */
    overdue_longer_in_cents: number;
    /**
     * All of it.
     */
    total_in_cents: number;
};

export type InvoiceAgingPage = {
    data: Array<InvoiceAging>;
    /**
     * Of all employers together.
     */
    totals: {
        /**
         * How many invoices are issued and neither paid nor void.
         */
        invoice_count: number;
        /**
         * Of invoices whose due date is today or ahead.
         */
        not_due_in_cents: number;
        /**
         * Due 1 to 30 days ago.
         */
        overdue_to_30_days_in_cents: number;
        /**
         * Due 31 to 60 days ago.
         */
        overdue_to_60_days_in_cents: number;
        /**
         * Due 61 to 90 days ago.
         */
        overdue_to_90_days_in_cents: number;
        /**
         * Due more than 90 days ago.
         */
        overdue_longer_in_cents: number;
        /**
         * All of it.
         */
        total_in_cents: number;
    };
    pagination: Pagination;
};

export type InvoiceAmounts = {
    /**
     * The whole monthly premium, in cents.
     */
    premium_in_cents: number;
    /**
     * What the employer pays of a month, in cents.
     */
    employer_contribution_in_cents: number;
    /**
     * What the employee pays of a month, in cents.
     */
    employee_deduction_in_cents: number;
};

/**
 * What is billed for an enrollment and a month. It never changes.
 */
export type InvoiceLine = {
    /**
     * Its kind.
     */
    kind: InvoiceLineKind;
    /**
     * null: no adjustment.
     */
    reason: AdjustmentReason | null;
    /**
     * The cause of the adjustment. Null for coverage, and if it follows from no fact of the enrollment, such as the subscription of the employer.
     */
    cause: AdjustmentCause | null;
    /**
     * A month, `YYYY-MM`.
     */
    month: string;
    employee_id: EmployeeId;
    /**
     * The name of the employee, as it was then.
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
     * Who is covered together.
     */
    coverage_tier: string;
    /**
     * The two parts together.
     */
    premium_in_cents: number;
    /**
     * What the employer bears.
     */
    employer_contribution_in_cents: number;
    /**
     * What the employee bears.
     */
    employee_deduction_in_cents: number;
};

/**
 * `coverage`: the month of the invoice. `adjustment`: what an earlier month was billed wrongly, signed. `manual_adjustment`: what the operator booked by hand for a month that no invoice reaches any more.
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
     * The same as `pagination.next_offset`. null on the last one.
     */
    next_offset: string | null;
};

/**
 * An invoice in the list across employers.
 */
export type InvoiceRow = Invoice & {
    /**
     * The name of the employer as it is now.
     */
    employer_name: string;
    /**
     * null: not issued, paid or void.
     */
    age: InvoiceAge | null;
};

export type InvoiceRowPage = {
    data: Array<InvoiceRow>;
    pagination: CursorPagination;
    /**
     * The same as `pagination.next_offset`. null on the last one.
     */
    next_offset: string | null;
};

/**
 * draft: may still change. open: issued. paid: settled. void: it is owed no more.
 */
export type InvoiceStatus = 'draft' | 'open' | 'paid' | 'void';

/**
 * What the employer owes, whatever the list is narrowed to.
 */
export type InvoiceTotals = {
    /**
     * To be paid.
     */
    open_in_cents: number;
    /**
     * What of it was due before today.
     */
    overdue_in_cents: number;
    /**
     * What open invoices below nothing give back.
     */
    credit_in_cents: number;
};

export type IssuedApiKey = ApiKey & {
    /**
     * The key itself, shown this once.
     */
    api_key: string;
};

export type IssuedApiKeyAnswer = {
    /**
     * Answer.
     */
    data: IssuedApiKey;
};

export type KeyCredential = {
    /**
     * Its kind.
     */
    kind: KeyCredentialKind;
    /**
     * The key, or the key that issued the token. null: a session.
     */
    api_key: {
        id: ApiKeyId;
        /**
         * What it is for. null: it has no name.
         */
        name: string | null;
        /**
         * The last four characters of its secret. null: not known yet.
         */
        last_four: string | null;
    } | null;
    /**
     * The owner of the key or session.
     */
    user: {
        id: UserId;
        /**
         * Its name.
         */
        name: string;
        /**
         * The e-mail address, upper or lower case alike. null when it is not known.
         */
        email: string | null;
    };
    /**
     * The organization acted as. null: it reaches none, or several; name one.
     */
    organization: {
        id: OrganizationId;
        /**
         * Its name.
         */
        name: string;
        /**
         * Whether it is a sandbox.
         */
        sandbox: boolean;
        /**
         * Color of its widgets. null: not set.
         */
        accent_color: string | null;
    } | null;
    /**
     * null: it is bound to nothing.
     */
    bound_entity: null;
    /**
     * The owner's role in each organization that the credential is open to.
     */
    roles: Array<{
        organization_id: OrganizationId;
        /**
         * What the user may do there.
         */
        role: MembershipRole;
    }>;
    /**
     * Whether it reads across every organization.
     */
    super_in: boolean;
    /**
     * What it is for.
     */
    scopes: Array<ApiKeyScope>;
    /**
     * How it is meant. null: made before modes counted; it reaches both.
     */
    mode: ApiKeyMode | null;
    /**
     * When its owner signed in with a browser. null: it is of no session.
     */
    signed_in_at: Timestamp | null;
    /**
     * From this instant on it opens nothing. null: it has no end.
     */
    expires_at: Timestamp | null;
    /**
     * Today at the organization that the credential acts as, else in New York.
     */
    today: Day;
};

/**
 * An API key, a token of a session, or an unbound access token.
 */
export type KeyCredentialKind = 'api_key' | 'session_token' | 'access_token';

export type LanguageFilter = 'en' | 'es';

export type LeakReport = {
    /**
     * The key that was found, whole.
     */
    api_key: string;
};

/**
 * Something that happened to an employee and lets them choose again.
 */
export type LifeEvent = {
    id: LifeEventId;
    employee_id: EmployeeId;
    employer_id: EmployerId;
    /**
     * dependent_coverage_ended is not reported: it opens by itself, on the day after.
     */
    type: AnyLifeEventType;
    /**
     * The day on which it happened.
     */
    occurred_on: Day;
    /**
     * What it is about, for people. null when none was given.
     */
    description: string | null;
    /**
     * Its state.
     */
    status: LifeEventStatus;
    /**
     * When it was approved or declined. null until then.
     */
    decided_at: Timestamp | null;
    /**
     * Why it was declined, or why the operator allowed any change by an exception. null when none was given.
     */
    decision_reason: string | null;
    /**
     * The first day of the window that the approval opened. null while there is none.
     */
    window_start: Day | null;
    /**
     * The last day of it. null while there is none.
     */
    window_end: Day | null;
    /**
     * What proves it.
     */
    attachments: Array<LifeEventAttachment>;
    /**
     * When made.
     */
    created_at: Timestamp;
    /**
     * When last changed.
     */
    updated_at: Timestamp;
};

export type LifeEventAnswer = {
    data: LifeEvent;
};

export type LifeEventAttachment = {
    /**
     * Its id.
     */
    id: LifeEventAttachmentId;
    /**
     * As it was sent.
     */
    file_name: string;
    /**
     * What a scanner said of it.
     */
    scan: Scan;
    /**
     * null while a scanner is waited for, and when it refused.
     */
    file: DownloadLink | null;
    /**
     * When made.
     */
    created_at: Timestamp;
};

export type LifeEventAttachmentId = string;

export type LifeEventAttachmentList = {
    /**
     * Answer.
     */
    data: Array<LifeEventAttachment>;
};

/**
 * The life event.
 */
export type LifeEventId = string;

export type LifeEventPage = {
    data: Array<LifeEvent>;
    pagination: Pagination;
};

/**
 * pending: waits for the operator. approved: it opened a window. declined: it opened none.
 */
export type LifeEventStatus = 'pending' | 'approved' | 'declined';

/**
 * placement: of a child with the employee, for adoption or foster care.
 */
export type LifeEventType = 'marriage' | 'divorce' | 'birth' | 'adoption' | 'placement' | 'death_of_dependent' | 'loss_of_coverage' | 'gain_of_coverage' | 'change_of_residence' | 'change_of_employment' | 'other';

export type Location = 'State' | 'Unspecified';

/**
 * What the operator booked by hand for a month that corrections reach no more. It never changes.
 */
export type ManualAdjustment = {
    /**
     * Its id.
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
     * What the employee pays of a month, in cents.
     */
    employee_deduction_in_cents: number;
    /**
     * What the employer pays of a month, in cents.
     */
    employer_contribution_in_cents: number;
    /**
     * Whether it is taken before taxes or after.
     */
    tax_classification: TaxClassification;
    /**
     * Why.
     */
    reason: string;
    /**
     * The day on which it was booked.
     */
    booked_on: Day;
    /**
     * When made.
     */
    created_at: Timestamp;
};

export type ManualAdjustmentId = string;

export type ManualAdjustmentPage = {
    data: Array<ManualAdjustment>;
    pagination: Pagination;
};

/**
 * A person within one organization, whoever employs them.
 */
export type Member = {
    id: MemberId;
    organization_id: OrganizationId;
    /**
     * Legal first name.
     */
    first_name: string;
    /**
     * Legal last name.
     */
    last_name: string;
    /**
     * What follows the name, such as Jr. or III. null when there is none.
     */
    suffix: string | null;
    /**
     * null only for who was never employed, such as in a group.
     */
    email: string | null;
    /**
     * The birthday.
     */
    date_of_birth: Day;
    /**
     * As the person says it. null when it is not known.
     */
    gender: string | null;
    /**
     * A US phone number of 10 digits. null when it is not known.
     */
    phone: string | null;
    /**
     * A US address. null when it is not known.
     */
    address: Residence | null;
    /**
     * At each employer, former ones included, newest first; empty for who is in a group alone.
     */
    employments: Array<{
        employee_id: EmployeeId;
        employer_id: EmployerId;
        /**
         * The display name of the employer.
         */
        employer_name: string;
        /**
         * Your own reference. null when none was given.
         */
        reference_id: string | null;
        /**
         * Its state.
         */
        status: EmploymentStatus;
    }>;
    /**
     * When made.
     */
    created_at: Timestamp;
    /**
     * When last changed.
     */
    updated_at: Timestamp;
};

export type MemberAnswer = {
    data: Member;
};

/**
 * The person, at every employer.
 */
export type MemberId = string;

export type MemberInvitation = {
    /**
     * Its id.
     */
    id: InvitationId;
    /**
     * Its name.
     */
    name: string;
    /**
     * The e-mail address, upper or lower case alike.
     */
    email: string;
    /**
     * Its state.
     */
    status: InvitationStatus;
    /**
     * The user who sent it. null when a command did.
     */
    invited_by: UserId | null;
    /**
     * When made.
     */
    created_at: Timestamp;
    /**
     * From this instant on it is good for nothing.
     */
    expires_at: Timestamp;
    /**
     * When it was accepted. null until then.
     */
    accepted_at: Timestamp | null;
    /**
     * The user who took it. null until then.
     */
    accepted_by: UserId | null;
    /**
     * When it was revoked. null while it is good.
     */
    revoked_at: Timestamp | null;
    organization_id: OrganizationId;
    /**
     * What the user may do there.
     */
    role: MembershipRole;
};

export type MemberInvitationAnswer = {
    /**
     * Answer.
     */
    data: MemberInvitation;
};

export type MemberInvitationList = {
    /**
     * Answer.
     */
    data: Array<MemberInvitation>;
    pagination: Pagination;
};

export type MemberPage = {
    data: Array<Member>;
    pagination: Pagination;
};

/**
 * ADMIN: everything. OPERATIONS: all but members, keys and webhooks. ENROLLMENT_AGENT: people and their enrollments. SALES: the book and plan years, and nobody in it.
 */
export type MembershipRole = 'ADMIN' | 'OPERATIONS' | 'SALES' | 'ENROLLMENT_AGENT';

export type MissingFigure = {
    figure: AffordabilityFigure;
    /**
     * The calendar year that the figure is of.
     */
    year: number;
};

/**
 * The least and the most, in cents a month.
 */
export type MonthlyRange = {
    /**
     * The least, in cents a month.
     */
    min_cents: number;
    /**
     * The most, in cents a month.
     */
    max_cents: number;
};

export type MyOrganization = Organization & {
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
     * How many there are in all.
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
     * The apartment, suite or the like. null: as absent.
     */
    address_line_2?: string | null;
    /**
     * The city.
     */
    city: string;
    /**
     * A US state or territory, by its two-letter code.
     */
    state: State;
    /**
     * The ZIP code, of five or nine digits.
     */
    zipcode: Zipcode;
};

export type NewAnswers = {
    /**
     * One for each enrollment.
     */
    answers: Array<{
        enrollment_id: EnrollmentId;
        /**
         * What is elected; this or `waive`. null: as absent.
         */
        elect?: Election | null;
        /**
         * Waives the benefit. null: as absent.
         */
        waive?: Waiver | null;
    }>;
    /**
     * true: tell what it would cost, and write nothing. null: as absent.
     */
    dry_run?: boolean | null;
};

export type NewApiKey = {
    /**
     * What the key is for, to know it again.
     */
    name: string;
    /**
     * The member whose key it is, and whose role it has; the caller unless said. null: as absent.
     */
    user_id?: UserId | null;
    /**
     * What the key is for: `read` and `write`, and beside employers, plan years and the catalog the areas `people`, `money`, `webhooks` and `keys`. An operation needs each that it names. All of the maker’s unless said. null: as absent.
     */
    scopes?: Array<ApiKeyScope> | null;
    /**
     * When the key ends, and its tokens with it; without an end unless said. null: as absent.
     */
    expires_at?: Timestamp | null;
    /**
     * From which pages bound tokens of the key may be sent; empty: none. null: those that the operator set for keys that say nothing.
     */
    allowed_origins?: Array<string> | null;
};

export type NewBenefitEligibilityPolicy = {
    /**
     * The classes that are covered, by one word. null: as absent.
     */
    classification?: PolicyClassification | null;
    /**
     * The classes that are covered, instead of `classification`. null: as absent.
     */
    employee_classes?: Array<EmployeeClass> | null;
    /**
     * Only who is paid like that is covered, and nobody of whom it is not known. null: everybody.
     */
    compensation_types?: Array<CompensationType> | null;
    /**
     * How long who is new waits.
     */
    waiting_period: PolicyWaitingPeriod;
    /**
     * On which day after it coverage can start. null: as absent.
     */
    start_alignment?: PolicyStartAlignment | null;
    /**
     * 13 unless sent. null: as absent.
     */
    service_credit_weeks?: number | null;
    /**
     * The benefits that the policy is for. Empty: all that have no policy of their own. null: as absent.
     */
    benefit_ids?: Array<BenefitId> | null;
};

export type NewDependent = {
    /**
     * What the person is to the employee.
     */
    relationship: DependentRelationship;
    /**
     * Legal first name.
     */
    first_name: string;
    /**
     * Legal last name.
     */
    last_name: string;
    /**
     * What follows the name, such as Jr. or III. null: as absent.
     */
    suffix?: string | null;
    /**
     * Not after today.
     */
    date_of_birth: Day;
    /**
     * As the person says it. null: as absent.
     */
    gender?: Gender | null;
    /**
     * A child past the month of the 26th birthday is only added so, and can be covered once the operator has approved it. null: as absent.
     */
    disabled?: boolean | null;
};

export type NewEmployee = {
    /**
     * Legal first name.
     */
    first_name: string;
    /**
     * Legal last name.
     */
    last_name: string;
    /**
     * The e-mail address, upper or lower case alike.
     */
    email: Email;
    /**
     * The birthday.
     */
    date_of_birth: Day;
    /**
     * The first day employed.
     */
    start_date: Day;
    /**
     * A US phone number of 10 digits. null: as absent.
     */
    phone?: Phone | null;
    /**
     * What follows the name, such as Jr. or III. null: as absent.
     */
    suffix?: string | null;
    /**
     * As the person says it. null: as absent.
     */
    gender?: Gender | null;
    /**
     * A US address. null: as absent.
     */
    address?: ResidentialAddress | null;
    /**
     * The class, which tells eligibility and allowances apart. null: as absent.
     */
    employee_class?: EmployeeClass | null;
    /**
     * How the person is paid. null: as absent.
     */
    compensation_type?: CompensationType | null;
    /**
     * Your own reference. null: as absent.
     */
    reference_id?: string | null;
    /**
     * The person, if the organization knows them. null: as absent.
     */
    member_id?: MemberId | null;
    /**
     * The same, by one of their employments at whichever employer. null: as absent.
     */
    employee_id?: EmployeeId | null;
    /**
     * True: a new person, however alike; needs an e-mail of their own. null: as absent.
     */
    distinct?: boolean | null;
};

export type NewEmployer = {
    /**
     * Display name.
     */
    name: string;
    /**
     * Legal business name.
     */
    legal_name: string;
    /**
     * Shown masked in every answer.
     */
    ein: string;
    /**
     * Billing and communications address; becomes the first admin of the employer.
     */
    email: Email;
    address: NewAddress;
    /**
     * A US phone number of 10 digits. null: as absent.
     */
    phone_number?: Phone | null;
    /**
     * Your own reference. null: as absent.
     */
    reference_id?: string | null;
};

export type NewGroup = {
    /**
     * Your own stable id of the group, unique within the organization.
     */
    external_reference_id: string;
    /**
     * A name for people.
     */
    name: string;
};

export type NewLifeEvent = {
    /**
     * Its kind.
     */
    type: LifeEventType;
    /**
     * The day on which it happened: up to 60 days past, never after today.
     */
    occurred_on: Day;
    /**
     * What happened; required for `other`. null: as absent.
     */
    description?: string | null;
};

export type NewLifeEventAttachment = {
    /**
     * Shown as it is.
     */
    file_name: string;
    /**
     * The file in base64, at most 10 MiB.
     */
    content: string;
};

export type NewMemberInvitation = {
    /**
     * Its name.
     */
    name: string;
    /**
     * Whoever accepts has to sign in with this address.
     */
    email: Email;
    /**
     * What the user may do there.
     */
    role: MembershipRole;
};

export type NewOrganization = {
    /**
     * Its name.
     */
    name: string;
    /**
     * Its kind. null: as absent.
     */
    type?: OrganizationType | null;
};

export type NewPayrollActual = {
    /**
     * One employment of a person. null: as absent.
     */
    employee_id?: EmployeeId | null;
    /**
     * Instead of employee_id: your own reference of the employee. null: as absent.
     */
    reference_id?: string | null;
    /**
     * The enrollment. null: as absent.
     */
    enrollment_id?: EnrollmentId | null;
    /**
     * Instead of enrollment_id: as the statement calls it. null: as absent.
     */
    benefit_name?: string | null;
    /**
     * What was taken from pay; 0: nothing, negative: given back.
     */
    taken_in_cents: number;
};

/**
 * A US address; the county tells rating areas of ICHRA apart.
 */
export type NewResidence = NewAddress & {
    /**
     * The county, with or without the word County or Parish. null: as absent.
     */
    county?: string | null;
};

export type NewWebhookReplay = {
    /**
     * From here on: at most 60 days ago.
     */
    since: Timestamp;
    /**
     * Now unless said.
     */
    until?: Timestamp;
};

export type NewWebhookSubscription = {
    /**
     * Where events are posted to: https, on the open internet, at port 443 or one from 1024 on.
     */
    url: string;
    /**
     * Which events are sent. Empty: all of them, and those that later versions add. null: as absent.
     */
    event_names?: Array<SubscribedEventName> | null;
    /**
     * Whatever helps you to know it again. null: as absent.
     */
    description?: string | null;
};

export type Organization = {
    id: OrganizationId;
    /**
     * Its name.
     */
    name: string;
    /**
     * Its kind. null when none was given.
     */
    type: OrganizationType | null;
    /**
     * The tenant at the identity provider; null until the provider has confirmed it.
     */
    idp_org_id: string | null;
    /**
     * Who signs people in.
     */
    idp_provider: IdpProvider;
    /**
     * Whether its members read across every organization.
     */
    super_in: boolean;
};

/**
 * Whose it is.
 */
export type OrganizationId = string;

export type OrganizationType = 'BROKERAGE' | 'TPA' | 'GENERAL_AGENT' | 'CHANNEL_PARTNER' | 'CONSULTING_FIRM' | 'API_PLATFORM';

export type OutcomeFilter = 'failed' | 'waiting' | 'any';

/**
 * Where this page stands in the whole list.
 */
export type Pagination = {
    /**
     * How many rows a page has at most.
     */
    limit: number;
    /**
     * Which page this is, from 1.
     */
    page: number;
    /**
     * How many there are in all.
     */
    total: number;
    /**
     * How many pages there are; 0 when there is nothing.
     */
    total_pages: number;
};

/**
 * How a month is billed in which coverage starts or ends. `full_month_on_first`: in full when its 1st is covered; `15th_rule`: in full when its 15th and 16th are; `daily`: by the days covered, rounded half up.
 */
export type PartialMonthRule = 'full_month_on_first' | '15th_rule' | 'daily';

export type PayFrequency = 'weekly' | 'bi_weekly' | 'semi_monthly' | 'monthly';

/**
 * What is taken from one paycheck of an employee.
 */
export type Paycheck = {
    /**
     * null: none is written yet, and this lies ahead.
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
     * What it is made of.
     */
    lines: Array<{
        enrollment_id: EnrollmentId;
        /**
         * The name of the benefit.
         */
        benefit_name: string;
        /**
         * Its kind.
         */
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
         * The fact that a correction follows from: the newest one of the enrollment since the previous statement. Null for other lines, and if no fact explains it, such as after an invoice was voided.
         */
        cause: AdjustmentCause | null;
        /**
         * The year that it counts for.
         */
        year: number;
        /**
         * Negative: given back.
         */
        amount_in_cents: number;
        /**
         * Whether it is taken before taxes or after.
         */
        tax_classification: TaxClassification;
    }>;
};

export type PaycheckList = {
    data: Array<Paycheck>;
};

/**
 * What payroll told that it took for an enrollment in a pay period.
 */
export type PayrollActual = {
    employee_id: EmployeeId;
    enrollment_id: EnrollmentId;
    /**
     * What the statement asked for; of claims, what was given back.
     */
    requested_in_cents: number;
    /**
     * What payroll took, in cents; negative: given back.
     */
    taken_in_cents: number;
    /**
     * Requested less taken: arrears.
     */
    difference_in_cents: number;
    /**
     * When payroll told of it.
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
     * How many rows there are.
     */
    row_count: number;
    /**
     * For how many enrollments it is known now what was taken.
     */
    recorded_count: number;
    /**
     * The rows that say nothing we know of; all others are recorded.
     */
    failures: Array<{
        /**
         * Which row, from 0.
         */
        index: number;
        /**
         * Which field is to blame.
         */
        field: string;
        /**
         * Why.
         */
        reason: string;
    }>;
};

export type PayrollActualsOutcomeAnswer = {
    /**
     * Answer.
     */
    data: PayrollActualsOutcome;
};

export type PayrollActualsUpload = {
    /**
     * What payroll took, row by row.
     */
    actuals: Array<NewPayrollActual>;
};

/**
 * What is taken from pay in one pay period. It never changes.
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
     * How often people are paid.
     */
    frequency: PayFrequency;
    /**
     * The calendar year of period_end_date.
     */
    year: number;
    /**
     * Which of the pay periods of the year, from 1.
     */
    number: number;
    /**
     * How many pay periods the year has.
     */
    period_count: number;
    /**
     * Employees with lines.
     */
    employee_count: number;
    /**
     * How many lines it has.
     */
    line_count: number;
    /**
     * The sum of the lines, corrections included.
     */
    total_in_cents: number;
    /**
     * When it was written; it never changes since.
     */
    generated_at: Timestamp;
    csv: DownloadLink;
    /**
     * The same as `id`.
     */
    statement_id: StatementId;
    /**
     * The same as `period_start_date`.
     */
    period_start: Day;
    /**
     * The same as `period_end_date`.
     */
    period_end: Day;
    /**
     * The day of `generated_at` in New York.
     */
    run_date: Day;
    /**
     * The same as `total_in_cents`.
     */
    total_deduction_cents: number;
    /**
     * The same as `csv.download_url`.
     */
    csv_file_url: string;
    /**
     * The same as `frequency`.
     */
    deduction_frequency: PayFrequency;
    /**
     * How often people are paid, in words.
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
export type PayrollDeductionStatementRow = PayrollDeductionStatement & {
    /**
     * The name of the employer as it is now.
     */
    employer_name: string;
};

export type PayrollDeductionStatementRowPage = {
    data: Array<PayrollDeductionStatementRow>;
    pagination: CursorPagination;
    /**
     * The same as `pagination.next_offset`. null on the last one.
     */
    next_offset: string | null;
};

/**
 * A US phone number.
 */
export type Phone = string;

export type Plan = {
    id: PlanId;
    /**
     * Its name.
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
     * Where the summary plan description is. null when none was given.
     */
    spd_file_url: string | null;
    partial_month_rule: PartialMonthRule;
};

/**
 * What people compare a plan by.
 */
export type PlanFacts = {
    /**
     * What one pays in a year before the plan does. null: not told.
     */
    deductible_in_cents: number | null;
    /**
     * The most that one pays in a year. null: not told.
     */
    out_of_pocket_limit_in_cents: number | null;
    /**
     * What a visit costs: `Primary care: $25`.
     */
    copays: Array<string>;
    /**
     * Such as `Silver`. null: not told.
     */
    metal_level: string | null;
    /**
     * Whether it goes with a health savings account. null: not told.
     */
    hsa_eligible: boolean | null;
    /**
     * The summary of benefits and coverage. null: not told.
     */
    sbc_file_url: string | null;
};

/**
 * The plan.
 */
export type PlanId = string;

export type PlanPage = {
    /**
     * Answer.
     */
    data: Array<Plan>;
    pagination: Pagination;
};

export type PlanYearEligibilityPolicy = BenefitEligibilityPolicy & {
    /**
     * When coverage ends after the last day of work or of being eligible: with the end of a month.
     */
    termination_rule: 'END_OF_N_MONTHS';
    /**
     * How many months after that day: 0, with the end of its own month.
     */
    termination_n_months: number;
    /**
     * Whom it covers, class by class.
     */
    rules: Array<{
        /**
         * A class that is covered.
         */
        employee_class: EmployeeClass;
        /**
         * How the person is paid.
         */
        compensation_type: RuleCompensationType;
        /**
         * Where its people live.
         */
        eligible_geographical_location: {
            /**
             * Its kind.
             */
            type: RuleLocationType;
            /**
             * Those states; empty: everywhere.
             */
            state_codes: Array<string>;
        };
    }>;
};

export type PlanYearEnrollmentPage = {
    /**
     * Answer.
     */
    data: Array<PlanYearEnrollmentRow>;
    pagination: Pagination;
};

export type PlanYearEnrollmentRow = {
    member_id: MemberId;
    employee_id: EmployeeId;
    /**
     * Your own reference of the employee. null when none was given.
     */
    employee_external_reference_id: string | null;
    /**
     * Legal first name.
     */
    member_first_name: string;
    /**
     * Legal last name.
     */
    member_last_name: string;
    /**
     * Expired: not answered, and no window is open or still to come.
     */
    election_status: ElectionStatus;
    /**
     * null unless enrolled. Cancelled: coverage never began.
     */
    policy_status: PolicyStatus | null;
    /**
     * Who is covered with the employee.
     */
    dependent_count: number;
    /**
     * The name of the carrier. null when no plan is meant yet.
     */
    carrier: string | null;
    /**
     * The name of the elected plan; null unless enrolled.
     */
    plan: string | null;
    /**
     * Who is covered together. null unless enrolled.
     */
    tier: CoverageTier | null;
    /**
     * The whole monthly cost of the plan. null unless enrolled.
     */
    premium_in_cents: number | null;
    /**
     * What the employer pays of a month, in cents. null unless enrolled.
     */
    employer_contribution_in_cents: number | null;
    /**
     * What the employee pays of a month, in cents. null unless enrolled.
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
     * The last day of coverage. null while no end is known.
     */
    coverage_end: Day | null;
    /**
     * The last day on which it can be answered; null when no window is left.
     */
    window_ends_on: Day | null;
    /**
     * Of ICHRA, for the employee alone; null for other benefits, and where a figure is not known.
     */
    affordability: Affordability | null;
    /**
     * Why the affordability of an ICHRA is null: the figures that the service does not have.
     */
    missing_figures: Array<MissingFigure> | null;
};

/**
 * How the enrollments of a plan year stand.
 */
export type PlanYearEnrollmentSummary = {
    /**
     * Each once; `enrolled` with anything elected, and `pending` with anything left, be it both.
     */
    people: EnrollmentCounts;
    /**
     * The benefits.
     */
    benefits: Array<{
        benefit_id: BenefitId;
        /**
         * What became of the rows.
         */
        counts: EnrollmentCounts;
    }>;
    /**
     * The whole list as CSV, for 15 minutes.
     */
    csv_url: string;
};

export type PlanYearEnrollmentSummaryAnswer = {
    data: PlanYearEnrollmentSummary;
};

/**
 * full_time: class Full Time. part_time: class Part Time. all: every class but Individual Contractor, which only `employee_classes` can name.
 */
export type PolicyClassification = 'full_time' | 'part_time' | 'all';

export type PolicyInForce = {
    id: EligibilityPolicyId;
    /**
     * With `employee_classes`: `full_time` or `part_time` if the policy covers exactly that class, otherwise `all`. `employee_classes` lists the classes that it covers.
     */
    classification: PolicyClassification;
    /**
     * The classes that are covered.
     */
    employee_classes: Array<EmployeeClass>;
    /**
     * Only who is paid like that is covered, and nobody of whom it is not known. null: everybody.
     */
    compensation_types: Array<CompensationType> | null;
    /**
     * How long who is new waits.
     */
    waiting_period: PolicyWaitingPeriod;
    /**
     * On which day after it coverage can start.
     */
    start_alignment: PolicyStartAlignment;
    /**
     * Who comes back within so many weeks, rehired or to a covered class, does not wait again: coverage begins on the first of the next month, or at once with `none`, and what they had elected in the plan year holds again. 0: they begin anew.
     */
    service_credit_weeks: number;
    /**
     * The benefits that the policy is for. Empty: all that have no policy of their own.
     */
    benefit_ids: Array<BenefitId>;
};

/**
 * exact: coverage can start on the day on which the waiting period is over. first_of_month: on the first of a month on or after it; that is never more than 90 days after the anchor.
 */
export type PolicyStartAlignment = 'exact' | 'first_of_month';

/**
 * Where coverage stands. Cancelled: it ended before it began.
 */
export type PolicyStatus = 'Coverage Upcoming' | 'Coverage Effective' | 'Coverage Ended' | 'Cancelled';

/**
 * How long after being hired, or entering an eligible class, coverage can start.
 */
export type PolicyWaitingPeriod = 'first_of_following_month' | '30_days' | '60_days' | 'none';

/**
 * What a plan costs in a tier, and by which rule the employer pays.
 */
export type PricedTier = {
    benefit_id: BenefitId;
    /**
     * Who is covered together.
     */
    coverage_tier: CoverageTier;
    /**
     * How the employer pays: an amount, or a part.
     */
    method: PricedTierMethod;
    /**
     * What the employer pays a month. null: a part of the premium.
     */
    amount_in_cents: number | null;
    /**
     * Of the premium, which the employer pays. null: an amount.
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
     * The coverage tier for people.
     */
    benefit_plan_tier_name: string;
    /**
     * The whole price per month.
     */
    premium_in_cents: number;
    /**
     * What the employer pays of it.
     */
    employer_contribution_in_cents: number;
    /**
     * What the employee pays of it, per month, in cents.
     */
    cost: number;
    /**
     * What each dependent costs besides, in cents: 0, since a tier has one price.
     */
    cost_per_dependent: number;
    /**
     * Whether the tier is for who has children.
     */
    dependents_required_in: boolean;
    /**
     * Whether the tier is for who has a spouse.
     */
    spouse_required_in: boolean;
};

export type PricedTierMethod = 'fixed' | 'percentage';

export type ProductCode = 'EBA' | 'VPC' | 'VPC_CORE' | 'MEC' | 'MEC2' | 'MEC_PLUS' | 'MVP' | 'MVP2' | 'MVPSL' | 'MVPSL2' | 'VD' | 'VV' | 'ICHRA' | 'ICHRA_PREMIUM_PLUS' | 'ICHRA_REIMBURSEMENT_ONLY';

/**
 * Whether what was billed is what was to be billed.
 */
export type Reconciliation = {
    /**
     * The id of the invoice, in paths too.
     */
    invoice_id: string;
    /**
     * The months that the invoice could bill or adjust; all below is of them.
     */
    months: Array<string>;
    /**
     * The lines of the invoice, added up anew; `difference_in_cents` to its total is 0.
     */
    lines: {
        /**
         * How many lines it has.
         */
        line_count: number;
        /**
         * The sum of the lines, in cents.
         */
        total_in_cents: number;
        /**
         * By how much the two differ, in cents.
         */
        difference_in_cents: number;
    };
    /**
     * What the enrollments cost, as they are known now.
     */
    due: InvoiceAmounts;
    /**
     * What all invoices that are not void billed for it, up to now.
     */
    billed: InvoiceAmounts;
    /**
     * What is due less what was billed: 0 where the invoice is right.
     */
    difference: InvoiceAmounts;
    /**
     * In how many enrollments and months due and billed differ.
     */
    difference_count: number;
    /**
     * The first 100 of them, newest month first.
     */
    differences: Array<{
        employee_id: EmployeeId;
        /**
         * As it is now.
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
         * Its cause: the newest fact of the enrollment since an invoice billed the month. Null if no fact explains it.
         */
        cause: AdjustmentCause | null;
        /**
         * What the enrollments cost, as they are known now.
         */
        due: InvoiceAmounts;
        /**
         * What all invoices that are not void billed for it, up to now.
         */
        billed: InvoiceAmounts;
        /**
         * What is due less what was billed: 0 where the invoice is right.
         */
        difference: InvoiceAmounts;
    }>;
    /**
     * Of the whole year up to now, whichever of its invoices is asked for. At its end both come to the same; before it pay periods and months end apart.
     */
    deductions: {
        /**
         * The calendar year.
         */
        year: number;
        /**
         * The end of the newest pay period with a statement. null without one.
         */
        through: Day | null;
        /**
         * The employees' part in what all invoices that are not void billed for the months of the year, up to now.
         */
        billed_in_cents: number;
        /**
         * Their part in what the operator booked by hand for those months.
         */
        manual_adjustments_in_cents: number;
        /**
         * What the statements of the employer asked payroll for, for that year; arrears once.
         */
        collected_in_cents: number;
        /**
         * Billed + manual adjustments − collected.
         */
        difference_in_cents: number;
        /**
         * In how many enrollments it is not 0.
         */
        difference_count: number;
        /**
         * The 100 largest of them.
         */
        differences: Array<{
            employee_id: EmployeeId;
            /**
             * As it is now.
             */
            employee_name: string;
            enrollment_id: EnrollmentId;
            /**
             * The name of the benefit.
             */
            benefit_name: string;
            /**
             * Billed for it.
             */
            billed_in_cents: number;
            /**
             * Booked by hand.
             */
            manual_adjustments_in_cents: number;
            /**
             * Asked of payroll.
             */
            collected_in_cents: number;
            /**
             * By how much the two differ, in cents.
             */
            difference_in_cents: number;
        }>;
    };
};

export type ReconciliationAnswer = {
    data: Reconciliation;
};

export type Rehire = {
    /**
     * The first day employed.
     */
    start_date: Day;
    /**
     * The class, which tells eligibility and allowances apart. null: as absent.
     */
    employee_class?: EmployeeClass | null;
    /**
     * How the person is paid. null: as absent.
     */
    compensation_type?: CompensationType | null;
    /**
     * Your own reference. null: as absent.
     */
    reference_id?: string | null;
};

export type Reinstatement = {
    /**
     * Kept with the correction, which the operator can list. null: as absent.
     */
    reason?: string | null;
};

/**
 * passive: whoever was enrolled or had waived at the end of the former plan year and does not answer keeps what they had. active: who does not answer has nothing.
 */
export type Renewal = 'passive' | 'active';

/**
 * carried: what they had is elected or waived again, or is going to be. answered: by somebody. lapses: coverage ends with the plan year before, unless somebody answers. not_carried: there is nothing to carry, or nobody to carry it for.
 */
export type RenewalOutcome = 'carried' | 'answered' | 'lapses' | 'not_carried';

export type RenewalPage = {
    data: Array<RenewalRow>;
    pagination: Pagination;
};

export type RenewalReason = 'coverage_ended' | 'nothing_to_carry' | 'benefit_not_offered' | 'not_eligible' | 'coverage_gap' | 'active_renewal' | 'choice_group' | 'plan_not_offered' | 'tier_not_offered' | 'no_premium' | 'after_renewal';

/**
 * What becomes of somebody's coverage by a benefit in the next plan year.
 */
export type RenewalRow = {
    member_id: MemberId;
    employee_id: EmployeeId;
    /**
     * Your own reference of the employee. null when none was given.
     */
    employee_external_reference_id: string | null;
    /**
     * Legal first name.
     */
    member_first_name: string;
    /**
     * Legal last name.
     */
    member_last_name: string;
    benefit_id: BenefitId;
    /**
     * The name of the benefit.
     */
    benefit_name: string;
    /**
     * In the plan year before. null when there was none.
     */
    former_enrollment_id: EnrollmentId | null;
    /**
     * What covered them on its last day; null without coverage.
     */
    former_plan: string | null;
    /**
     * Who was covered together before. null without coverage.
     */
    former_coverage_tier: CoverageTier | null;
    /**
     * In this plan year; null until granted.
     */
    enrollment_id: EnrollmentId | null;
    /**
     * What came of it.
     */
    outcome: RenewalOutcome;
    /**
     * Why they are not carried. coverage_ended: before the last day of the plan year. nothing_to_carry: they had not answered. benefit_not_offered: any more. not_eligible: no enrollment could begin. coverage_gap: the plan year before did not end the day before. active_renewal: it asks for an answer. choice_group: they have another benefit of it. plan_not_offered: nor a successor. tier_not_offered: that fits who may still be covered. no_premium: for one of them, where they live. after_renewal: what would carry them came after. null when none was given.
     */
    reason: RenewalReason | null;
    /**
     * What is answered, or will be by the renewal; null for who is not carried.
     */
    answer: GivenAnswer | null;
    /**
     * The first day of coverage. null when it is not known.
     */
    coverage_start: Day | null;
    /**
     * The plan. null unless enrolled.
     */
    plan: {
        id: PlanId;
        /**
         * Its name.
         */
        name: string;
        /**
         * The name of the carrier.
         */
        carrier: string;
    } | null;
    /**
     * Who is covered together. null: every tier, or nobody is covered yet.
     */
    coverage_tier: CoverageTier | null;
    /**
     * Per month, at the price of this plan year; null unless enrolled.
     */
    premium_in_cents: number | null;
    /**
     * What the employer pays of a month, in cents. null unless enrolled.
     */
    employer_contribution_in_cents: number | null;
    /**
     * What the employee pays of a month, in cents. null unless enrolled.
     */
    employee_deduction_in_cents: number | null;
    /**
     * Who is covered with the employee; empty: nobody.
     */
    dependent_ids: Array<DependentId>;
};

export type Residence = Address & {
    /**
     * The county, which tells rating areas of ICHRA apart. null when it is not known.
     */
    county: string | null;
};

export type ResidentialAddress = {
    /**
     * The street and number. null: as absent.
     */
    address_line_1?: string | null;
    /**
     * The apartment, suite or the like. null: as absent.
     */
    address_line_2?: string | null;
    /**
     * Another name of address_line_1. null: as absent.
     */
    street_1?: string | null;
    /**
     * Another name of address_line_2. null: as absent.
     */
    street_2?: string | null;
    /**
     * The city.
     */
    city: string;
    /**
     * A US state or territory, by its two-letter code.
     */
    state: State;
    /**
     * The ZIP code, of five or nine digits. null: as absent.
     */
    zipcode?: Zipcode | null;
    /**
     * Another name of zipcode. null: as absent.
     */
    zip_code?: Zipcode | null;
    /**
     * Tells rating areas of ICHRA apart. null: as absent.
     */
    county?: string | null;
};

export type ResourceTypeFilter = 'benefit_plan_year' | 'dependent' | 'employer' | 'employee' | 'enrollment' | 'census_sync' | 'group_member_sync' | 'invoice' | 'api_key' | 'webhook_subscription';

export type RevokedApiKey = {
    id: ApiKeyId;
    /**
     * When it was revoked.
     */
    revoked_at: Timestamp;
};

export type RevokedApiKeyAnswer = {
    /**
     * Answer.
     */
    data: RevokedApiKey;
};

/**
 * leaked: somebody who had it reported it.
 */
export type RevokedBecause = 'requested' | 'leaked';

export type Rotation = {
    /**
     * For how many hours the former secret opens as well; 0 to 168, 24 unless said.
     */
    overlap_hours?: number;
};

/**
 * How its people are paid; `All`: however they are.
 */
export type RuleCompensationType = 'Salary' | 'Hourly' | 'All';

/**
 * Whether the plan year is offered everywhere or in some states.
 */
export type RuleLocationType = 'All' | 'StateCodes';

export type Scan = 'none' | 'waiting' | 'clean' | 'refused';

export type Session = {
    /**
     * Its id.
     */
    id: SessionId;
    user_id: UserId;
    /**
     * The name of the user.
     */
    user_name: string;
    /**
     * By what the user signed in.
     */
    signed_in_with: SignedInWith;
    /**
     * As the browser called itself. null when it did not.
     */
    user_agent: string | null;
    /**
     * Its state.
     */
    status: SessionStatus;
    /**
     * When made.
     */
    created_at: Timestamp;
    /**
     * At most a minute old.
     */
    last_used_at: Timestamp;
    /**
     * When it ends at the latest; an hour after its last use unless sooner.
     */
    expires_at: Timestamp;
    /**
     * When it was revoked. null while it is good.
     */
    revoked_at: Timestamp | null;
};

export type SessionAnswer = {
    /**
     * Answer.
     */
    data: Session;
};

export type SessionId = string;

export type SessionList = {
    /**
     * Answer.
     */
    data: Array<Session>;
    pagination: Pagination;
};

/**
 * active: in use. ended: by time, or an hour after its last use. revoked: signed out.
 */
export type SessionStatus = 'active' | 'ended' | 'revoked';

/**
 * An allowance of an ICHRA, and whom it fits: the first that does.
 */
export type ShownIchraClass = {
    /**
     * Its name.
     */
    name: string;
    /**
     * The class, which tells eligibility and allowances apart. null: not known, or every class.
     */
    employee_class: EmployeeClass | null;
    /**
     * The youngest age that it is for. null: from birth.
     */
    min_age: number | null;
    /**
     * The oldest age that it is for. null: and above.
     */
    max_age: number | null;
    /**
     * A US state or territory, by its two-letter code. Null for every state.
     */
    state: State | null;
    /**
     * null: every tier.
     */
    coverage_tier: CoverageTier | null;
    /**
     * Per month.
     */
    allowance_in_cents: number;
    benefit_id: BenefitId;
    /**
     * Tells the classes of a plan year apart, by their place among them.
     */
    contribution_class_id: string;
    /**
     * The same as `allowance_in_cents`.
     */
    amount_in_cents: number;
    /**
     * The same as `employee_class`; `Unspecified` for all.
     */
    employment: string;
    /**
     * Always `Unspecified`: allowances do not ask how people are paid.
     */
    compensation: string;
    /**
     * The same as `coverage_tier`; `Unspecified` for all.
     */
    family_status: string;
    /**
     * Whether it is for a state; `Unspecified` for all.
     */
    location: Location;
    /**
     * The same as `state`. null: everywhere.
     */
    location_value: string | null;
};

export type ShownMemberInvitation = MemberInvitation & {
    /**
     * The link to hand over, shown this once: it is good for 7 days, and once.
     */
    url: string;
};

export type ShownMemberInvitationAnswer = {
    /**
     * Answer.
     */
    data: ShownMemberInvitation;
};

/**
 * openid: at the OpenID provider. sandbox: as one of the people of a sandbox.
 */
export type SignedInWith = 'openid' | 'sandbox';

export type SortFilter = 'newest' | 'name' | 'window_end' | 'coverage_start' | 'coverage_end';

/**
 * A US state or territory. Requests may also name it in full (`California`), in any case.
 */
export type State = 'AL' | 'AK' | 'AZ' | 'AR' | 'CA' | 'CO' | 'CT' | 'DC' | 'DE' | 'FL' | 'GA' | 'HI' | 'ID' | 'IL' | 'IN' | 'IA' | 'KS' | 'KY' | 'LA' | 'ME' | 'MD' | 'MA' | 'MI' | 'MN' | 'MS' | 'MO' | 'MT' | 'NE' | 'NV' | 'NH' | 'NJ' | 'NM' | 'NY' | 'NC' | 'ND' | 'OH' | 'OK' | 'OR' | 'PA' | 'RI' | 'SC' | 'SD' | 'TN' | 'TX' | 'UT' | 'VT' | 'VA' | 'WA' | 'WI' | 'WV' | 'WY' | 'PR' | 'GU' | 'AS' | 'VI' | 'MP' | 'MH' | 'PW' | 'FM' | 'AE' | 'AA' | 'AP';

/**
 * The statement.
 */
export type StatementId = string;

export type StatusFilter = 'draft' | 'open' | 'overdue' | 'paid' | 'void';

export type SubscribedEventName = 'benefit_plan_year.amended' | 'dependent.coverage_ending' | 'dependent.coverage_ended' | 'dependent.coverage_reinstated' | 'employer.created' | 'employer.updated' | 'employer.eligibility_policy_created' | 'employee.created' | 'employee.updated' | 'employee.eligibility_granted' | 'employee.eligibility_terminated' | 'employee.deactivated' | 'employee.rehired' | 'employee.reinstated' | 'employee.deduction_created' | 'enrollment.granted' | 'enrollment.started' | 'enrollment.elected' | 'enrollment.accepted' | 'enrollment.waived' | 'enrollment.renewed' | 'enrollment.resumed' | 'enrollment.resumption_withdrawn' | 'enrollment.terminated' | 'enrollment.termination_rescheduled' | 'enrollment.reissued' | 'enrollment.reinstated' | 'enrollment.amended' | 'census_sync.completed' | 'group_member_sync.completed' | 'invoice.issued' | 'api_key.created' | 'api_key.rotated' | 'api_key.revoked' | 'webhook_subscription.disabled';

/**
 * Whether it is taken before or after taxes.
 */
export type TaxClassification = 'Pre-tax' | 'Post-tax';

export type Termination = {
    /**
     * The last day employed; up to 60 days past, or in the future.
     */
    termination_date: Day;
    /**
     * Why. null: as absent.
     */
    reason?: string | null;
};

/**
 * An instant, ISO 8601 in UTC.
 */
export type Timestamp = string;

export type ToldWage = {
    /**
     * The wage of a month, in cents.
     */
    monthly_wage_in_cents: number;
    /**
     * From which day on it holds.
     */
    effective_on: Day;
};

/**
 * The user.
 */
export type UserId = string;

export type Wage = {
    /**
     * The wage of a month, in cents.
     */
    monthly_wage_in_cents: number;
    /**
     * From this day on.
     */
    effective_on: Day;
};

export type WageAnswer = {
    /**
     * Answer.
     */
    data: Wage;
};

export type WagePage = {
    /**
     * Answer.
     */
    data: Array<ToldWage>;
    pagination: Pagination;
};

export type Waiver = {
    /**
     * Why. null: as absent.
     */
    reason?: string | null;
    /**
     * Why, as a code. null: as absent.
     */
    reason_code?: WaiverReason | null;
};

/**
 * Whose plan covers them, or why else. public_plan: Medicare, Medicaid and the like.
 */
export type WaiverReason = 'spouse_plan' | 'parent_plan' | 'public_plan' | 'other_plan' | 'too_expensive' | 'other';

/**
 * An event on its way to a subscription.
 */
export type WebhookDelivery = {
    id: WebhookDeliveryId;
    webhook_event_id: WebhookEventId;
    subscription_id: WebhookSubscriptionId;
    /**
     * Its state.
     */
    status: WebhookDeliveryStatus;
    /**
     * Attempts that have ended, up to 14.
     */
    attempts: number;
    /**
     * Of the last attempt; null when there was no answer.
     */
    response_status: number | null;
    /**
     * The first KiB of that answer. null when there was no answer.
     */
    response_body: string | null;
    /**
     * The begin of the first attempt. null until then.
     */
    started_at: Timestamp | null;
    /**
     * When the receiver took it. null until then.
     */
    delivered_at: Timestamp | null;
    /**
     * When no further attempt was to be made. null unless it was.
     */
    failed_at: Timestamp | null;
    /**
     * Why the last attempt failed; empty when none did.
     */
    failure_reason: string;
    /**
     * When it is tried next. null when it is not.
     */
    next_attempt_at: Timestamp | null;
    /**
     * When made.
     */
    created_at: Timestamp;
};

export type WebhookDeliveryAnswer = {
    data: WebhookDelivery;
};

/**
 * The delivery.
 */
export type WebhookDeliveryId = string;

export type WebhookDeliveryPage = {
    data: Array<WebhookDelivery>;
    pagination: Pagination;
};

/**
 * Pending: due, or due again later. In Progress: being sent. Delivered: taken. Failed: given up.
 */
export type WebhookDeliveryStatus = 'Pending' | 'In Progress' | 'Delivered' | 'Failed';

/**
 * The fact that something changed, and no personal data. Read the rest.
 */
export type WebhookEvent = {
    id: WebhookEventId;
    /**
     * What happened.
     */
    event_name: WebhookEventName;
    /**
     * What `resource_id` names: the part of the name before the dot.
     */
    resource_type: string;
    /**
     * What it is about.
     */
    resource_id: string;
    organization_id: OrganizationId;
    /**
     * Counts the events of this resource from 1: tells which came later.
     */
    sequence: number;
    /**
     * When made.
     */
    created_at: Timestamp;
};

export type WebhookEventAnswer = {
    data: WebhookEvent;
};

/**
 * The event.
 */
export type WebhookEventId = string;

export type WebhookEventName = 'benefit_plan_year.amended' | 'dependent.coverage_ending' | 'dependent.coverage_ended' | 'dependent.coverage_reinstated' | 'employer.created' | 'employer.updated' | 'employer.eligibility_policy_created' | 'employee.created' | 'employee.updated' | 'employee.eligibility_granted' | 'employee.eligibility_terminated' | 'employee.deactivated' | 'employee.rehired' | 'employee.reinstated' | 'employee.deduction_created' | 'enrollment.granted' | 'enrollment.started' | 'enrollment.elected' | 'enrollment.accepted' | 'enrollment.waived' | 'enrollment.renewed' | 'enrollment.resumed' | 'enrollment.resumption_withdrawn' | 'enrollment.terminated' | 'enrollment.termination_rescheduled' | 'enrollment.reissued' | 'enrollment.reinstated' | 'enrollment.amended' | 'census_sync.completed' | 'group_member_sync.completed' | 'invoice.issued' | 'api_key.created' | 'api_key.rotated' | 'api_key.revoked' | 'webhook_subscription.disabled' | 'webhook_subscription.test';

export type WebhookEventPage = {
    data: Array<WebhookEvent>;
    pagination: Pagination;
};

/**
 * What is posted to a subscription, signed as Standard Webhooks 1.0 says: `webhook-id` is the event, `webhook-timestamp` when it was sent, in Unix seconds, and `webhook-signature` signs both and the body.
 */
export type WebhookMessage = {
    /**
     * What happened: the name of the event.
     */
    type: string;
    /**
     * When it happened.
     */
    timestamp: Timestamp;
    /**
     * The event, without anything personal.
     */
    data: {
        /**
         * The event: the same in every attempt, by which to know repeats.
         */
        event_id: WebhookEventId;
        /**
         * The same as `type`.
         */
        event_name: string;
        /**
         * What `resource_id` names: the part of the name before the dot.
         */
        resource_type: string;
        /**
         * What it happened to. Read it, to learn what it is now.
         */
        resource_id: string;
        organization_id: OrganizationId;
        /**
         * The same as `timestamp`.
         */
        created_at: Timestamp;
        /**
         * Counts the events of the resource from 1: tells which came later.
         */
        sequence: number;
    };
};

/**
 * What the subscription has not got of that time is sent again.
 */
export type WebhookReplay = {
    subscription_id: WebhookSubscriptionId;
    /**
     * From this instant on.
     */
    since: Timestamp;
    /**
     * Up to this instant.
     */
    until: Timestamp;
};

export type WebhookReplayAnswer = {
    data: WebhookReplay;
};

/**
 * Where events of an organization are sent.
 */
export type WebhookSubscription = {
    id: WebhookSubscriptionId;
    organization_id: OrganizationId;
    /**
     * Where events are posted to.
     */
    url: string;
    /**
     * Empty: all.
     */
    event_names: Array<WebhookEventName>;
    /**
     * What it is about, for people. null when none was given.
     */
    description: string | null;
    /**
     * Whether events are sent.
     */
    enabled: boolean;
    /**
     * When deliveries stopped. null while enabled.
     */
    disabled_at: Timestamp | null;
    /**
     * `requested` by you, `gone` since the receiver answered 410, `failing` for 5 days. null while enabled.
     */
    disabled_reason: DisabledReason | null;
    /**
     * The first failed attempt since the last good one. null while it does not.
     */
    failing_since: Timestamp | null;
    /**
     * Set after a rotation: until then the last of the former secrets signs too. null unless it does.
     */
    former_secret_until: Timestamp | null;
    /**
     * When made.
     */
    created_at: Timestamp;
    /**
     * When last changed.
     */
    updated_at: Timestamp;
};

export type WebhookSubscriptionAnswer = {
    data: WebhookSubscription;
};

export type WebhookSubscriptionChanges = {
    /**
     * Where events are posted to: https, on the open internet, at port 443 or one from 1024 on. null: as absent.
     */
    url?: string | null;
    /**
     * Which events are sent. Empty: all of them, and those that later versions add. null: as absent.
     */
    event_names?: Array<SubscribedEventName> | null;
    /**
     * Whatever helps you to know it again. null: as absent.
     */
    description?: string | null;
    /**
     * False stops deliveries, true takes them up again. Replay what was missed in between. null: as absent.
     */
    enabled?: boolean | null;
};

/**
 * The webhook subscription.
 */
export type WebhookSubscriptionId = string;

export type WebhookSubscriptionPage = {
    data: Array<WebhookSubscription>;
    pagination: Pagination;
};

export type WebhookSubscriptionWithSecret = WebhookSubscription & {
    /**
     * Signs what is sent (Standard Webhooks 1.0). Shown now and never again.
     */
    secret: string;
};

export type WebhookSubscriptionWithSecretAnswer = {
    /**
     * Answer.
     */
    data: WebhookSubscriptionWithSecret;
};

/**
 * Five or nine digits: `94105`, `94105-1234` or `941051234`.
 */
export type Zipcode = string;

/**
 * Every 4xx and 5xx answer.
 */
export type ErrorBody = {
    /**
     * What went wrong.
     */
    error: {
        /**
         * What programs decide by. Later versions may add codes: treat one that you do not know by its status.
         */
        code: string;
        /**
         * What is wrong, for people: the first detail where there is one.
         */
        message: string;
        /**
         * What is wrong, field by field: at most 100. Empty where no field is to blame.
         */
        details: Array<{
            /**
             * Where in the request, counted from 0: `employees[3].address.zipcode`.
             */
            field: string;
            /**
             * What is wrong there.
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
     * When it was answered, in UTC.
     */
    timestamp: Timestamp;
    /**
     * Finds the request in our log; also the `X-Request-Id` of the answer.
     */
    trace_id: string;
};

export type ListOrganizationsQuery = {
    /**
     * Items per page, 1 to 100; 20 when only `page` is sent.
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
     * Instead of the keys of the organization those that its members have for several organizations, and that reach it: who made them and when they were used last. Their names and origins are not told, and they are not changed here.
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
     * Only what happened from this instant on.
     */
    occurred_after?: Timestamp;
    /**
     * Only what happened before this instant.
     */
    occurred_before?: Timestamp;
    /**
     * Only of this credential or user, by its id.
     */
    actor?: string;
    /**
     * Only this operation, by its id.
     */
    operation?: string;
    /**
     * Only of this resource.
     */
    resource_id?: string;
    /**
     * Only this request, by its `X-Request-Id`.
     */
    trace_id?: string;
    /**
     * What came of it.
     */
    outcome?: AuditEntryOutcome;
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * The `next_offset` of the page before; opaque, and only good for the same list.
     */
    offset?: string;
};

export type AuditEntriesExportQuery = {
    /**
     * Only what happened from this instant on.
     */
    occurred_after?: Timestamp;
    /**
     * Only what happened before this instant.
     */
    occurred_before?: Timestamp;
    /**
     * Only of this credential or user, by its id.
     */
    actor?: string;
    /**
     * Only this operation, by its id.
     */
    operation?: string;
    /**
     * Only of this resource.
     */
    resource_id?: string;
    /**
     * Only this request, by its `X-Request-Id`.
     */
    trace_id?: string;
    /**
     * What came of it.
     */
    outcome?: AuditEntryOutcome;
    /**
     * ndjson: an AuditEntry on each line.
     */
    format?: FormatFilter;
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

export type EmployersListQuery = {
    /**
     * Part of the name or legal name, or exactly the EIN (with or without its dash), the employer id, or the e-mail address of an admin who is not disabled.
     */
    search?: string;
    /**
     * Keeps employers with an active benefit in one of these families.
     */
    benefit_family?: Array<BenefitFamily>;
    /**
     * Keeps employers in one of these stages.
     */
    benefit_lifecycle_stage?: Array<EmployerLifecycleStage>;
    /**
     * Keeps employers connected to one of these providers; case-insensitive, take values from the HRIS providers.
     */
    hris_provider?: Array<string>;
    /**
     * Keeps employers whose connection is in one of these states.
     */
    hris_status?: Array<HrisStatus>;
    /**
     * Cancelled employers are hidden unless this is true or their stage is asked for.
     */
    include_cancelled?: boolean;
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
     * The day that is asked about; today unless said.
     */
    as_of?: Day;
};

export type EmployersListBenefitPlanYearsQuery = {
    /**
     * Only plan years of this year.
     */
    year?: number;
};

export type EmployersListBenefitPlanYearEnrollmentsQuery = {
    /**
     * Keeps enrollments in one of these; case-insensitive.
     */
    election_status?: Array<ElectionStatusFilter>;
    /**
     * `window_end` and `coverage_end`: what ends next first.
     */
    sort?: SortFilter;
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * Page number, from 1.
     */
    page?: number;
    /**
     * Part of the name, without regard to case and accents, or exactly your reference of the employee or group member, the `mbr_`, the `empl_` or the `grpmbr_` id.
     */
    search?: string;
};

export type EmployeesListEnrollmentsQuery = {
    /**
     * Each as it was, or will be, on this day, by what is known now. Today unless said.
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

export type PayrollDeductionStatementsListQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * The `next_offset` of the page before; opaque, and only good for the same organization.
     */
    offset?: string;
    /**
     * Those that end in this month or later.
     */
    period_from?: string;
    /**
     * Those that end in this month or before.
     */
    period_to?: string;
    /**
     * Part of the name or legal name of an employer, of whom 100 are found at most.
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
     * The calendar year; the present one unless said.
     */
    year?: number;
};

export type EmployeesListPaychecksQuery = {
    /**
     * The calendar year; the present one unless said.
     */
    year?: number;
};

export type EmployeesGetConfirmationQuery = {
    /**
     * In which language.
     */
    language?: LanguageFilter;
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

export type InvoicesListQuery = {
    /**
     * Items per page, 1 to 100.
     */
    limit?: number;
    /**
     * The `next_offset` of the page before; opaque, and only good for the same organization.
     */
    offset?: string;
    /**
     * `overdue`: open, and due before today.
     */
    status?: Array<StatusFilter>;
    /**
     * From this month on.
     */
    period_from?: string;
    /**
     * To this month.
     */
    period_to?: string;
    /**
     * Show drafts too, which are neither final nor to be paid.
     */
    include_drafts?: boolean;
    /**
     * Keeps what is issued and neither paid nor void, by how long ago it was due: not yet, 1 to 30 days, 31 to 60, 61 to 90, or longer.
     */
    age?: Array<InvoiceAge>;
    /**
     * Only those of this employer.
     */
    employer_id?: EmployerId;
    /**
     * Part of the name or legal name of an employer, of whom 100 are found at most; or the id of an invoice, or its number alone.
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
     * The `next_offset` of the page before; opaque, and only good for the same employer.
     */
    offset?: string;
    /**
     * `overdue`: open, and due before today.
     */
    status?: Array<StatusFilter>;
    /**
     * From this month on.
     */
    period_from?: string;
    /**
     * To this month.
     */
    period_to?: string;
    /**
     * Show drafts too, which are neither final nor to be paid.
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
     * Only those who are.
     */
    employment_status?: EmploymentStatus;
    /**
     * Part of a name or e-mail address, without regard to case.
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
     * Part of a name or e-mail address, without regard to case; or, in full, a `member_id`, an `employee_id` or a `reference_id` that an employer gave.
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
     * How the full name or the last name of the dependent begins, without regard to case and accents; or a `dependent_id`.
     */
    search?: string;
};

export type EmployersSubmitCensusSyncQuery = {
    /**
     * Instead of the employer's `census_mode`.
     */
    mode?: CensusMode;
    /**
     * Tell the outcome and change nothing.
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
     * Exactly the one of the group.
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
    resource_type?: Array<ResourceTypeFilter>;
    /**
     * Only events of this resource.
     */
    resource_id?: string;
    /**
     * Only events of this employer, its people and what belongs to them; not of dependents.
     */
    employer_id?: EmployerId;
    /**
     * Only events that the request with this `X-Request-Id` caused at once, not those of its jobs.
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
     * Only events that were committed after this one, the oldest first: none is missed and none comes twice.
     */
    after?: WebhookEventId;
    /**
     * When the first page would be empty, waits so many seconds, 0 to 20, for an event to be on it. The oldest come first.
     */
    wait?: number;
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
     * Sends the newest event of this name, as it was, instead of one that says nothing.
     */
    event_name?: WebhookEventName;
};

export type WebhookSubscriptionsListDeliveriesQuery = {
    /**
     * `failed`: given up, the last first; meant unless said. `waiting`: to be tried, the next first. `any`: those of the newest 500 events, the last first.
     */
    outcome?: OutcomeFilter;
    /**
     * Only of events of this name, among the first 10,000.
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

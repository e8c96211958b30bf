// Generated from openapi.operator.json by npm run gen.

/**
 * A benefit that is offered from then on, at the prices of the catalog on that day.
 */
export type AddedBenefit = {
    benefit_id: BenefitId;
    /**
     * Unless sent: every plan of the benefit that has a rate on coverage_start. null: as absent.
     */
    plan_ids?: Array<PlanId> | null;
    /**
     * For all but ICHRA. A tier for which none fits is paid by the employee. null: as absent.
     */
    contribution_tiers?: Array<ContributionTier> | null;
    /**
     * For ICHRA. Unless sent: the allowances of the catalog's plans. Whom none fits is allowed nothing. null: as absent.
     */
    ichra_contribution_classes?: Array<IchraContributionClass> | null;
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

export type AffordabilityFigures = {
    /**
     * The calendar year.
     */
    year: number;
    /**
     * null: not known.
     */
    required_contribution_percentage: number | null;
    /**
     * In dollars a year; null: not known.
     */
    poverty_guidelines: {
        /**
         * Of the contiguous states and the District of Columbia.
         */
        contiguous: number;
        /**
         * Of Alaska.
         */
        alaska: number;
        /**
         * Of Hawaii.
         */
        hawaii: number;
    } | null;
};

export type AffordabilityFiguresList = {
    /**
     * Answer.
     */
    data: Array<AffordabilityFigures>;
};

/**
 * What the employer pays of a benefit from then on, as a whole.
 */
export type AmendedContribution = {
    benefit_id: BenefitId;
    /**
     * For all but ICHRA. null: as absent.
     */
    contribution_tiers?: Array<ContributionTier> | null;
    /**
     * For ICHRA. null: as absent.
     */
    ichra_contribution_classes?: Array<IchraContributionClass> | null;
};

export type AmendedSums = {
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

export type AmendmentAnswer = {
    data: Amendment;
};

export type AmendmentPage = {
    data: Array<Amendment>;
    pagination: Pagination;
};

/**
 * What would become of everybody who is enrolled in a benefit that the amendment touches, a row for each, the newest enrollment first.
 */
export type AmendmentPreview = {
    /**
     * Answer.
     */
    data: Array<PreviewedEnrollment>;
    /**
     * Of all pages together; null beyond 5000 enrollments: then add up the rows.
     */
    totals: AmendmentTotals | null;
    pagination: Pagination;
};

/**
 * What an amendment would come to.
 */
export type AmendmentTotals = {
    /**
     * Employees with an enrollment that is touched.
     */
    employee_count: number;
    /**
     * Of whom a month changes, or coverage ends.
     */
    changed_employee_count: number;
    /**
     * Who lose coverage, on their `loses_coverage_on`.
     */
    losing_employee_count: number;
    /**
     * Of those, who may choose another plan of the benefit within 30 days.
     */
    choosing_employee_count: number;
    /**
     * What the months that change cost together before.
     */
    before: AmendedSums;
    /**
     * What they cost together after; who loses a plan is as if they chose no other.
     */
    after: AmendedSums;
};

export type AmendmentWithdrawal = {
    /**
     * Why, for whoever reads the books.
     */
    reason: string;
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

/**
 * The plan year.
 */
export type BenefitPlanYearId = string;

export type BenefitPlanYearListAnswer = {
    /**
     * Answer.
     */
    data: Array<BenefitPlanYear>;
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

export type BillingSystem = 'built_in' | 'stripe';

export type BillingSystemChanges = {
    /**
     * Who collects invoices: we, or Stripe.
     */
    billing_system: BillingSystem;
    /**
     * Kept as it is when absent. Never shown. null: as absent.
     */
    stripe_secret_key?: string | null;
    /**
     * Kept as it is when absent. Never shown. null: as absent.
     */
    stripe_webhook_secret?: string | null;
};

/**
 * Where the invoices of an organization are collected.
 */
export type BillingSystemSettings = {
    organization_id: OrganizationId;
    /**
     * Who collects invoices: we, or Stripe.
     */
    billing_system: BillingSystem;
    /**
     * Whether everything is there that the billing system needs.
     */
    configured: boolean;
    /**
     * Whether a secret key is kept.
     */
    stripe_secret_key_set: boolean;
    /**
     * Whether a signing secret is kept.
     */
    stripe_webhook_secret_set: boolean;
    /**
     * When last changed. null while it never did.
     */
    updated_at: Timestamp | null;
};

export type BillingSystemSettingsAnswer = {
    data: BillingSystemSettings;
};

export type CarrierId = string;

/**
 * What the employers of an organization can offer.
 */
export type Catalog = {
    /**
     * The carriers.
     */
    carriers: Array<{
        /**
         * Its id.
         */
        id: CarrierId;
        /**
         * Its name.
         */
        name: string;
    }>;
    /**
     * The benefits.
     */
    benefits: Array<{
        id: BenefitId;
        /**
         * Its name.
         */
        name: string;
        /**
         * The product of the benefit.
         */
        product_code: ProductCode;
        /**
         * What kind of benefit it is.
         */
        category: BenefitCategory;
        /**
         * The family of the benefit.
         */
        family: BenefitFamily;
        /**
         * The plans.
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
            carrier: {
                /**
                 * Its id.
                 */
                id: CarrierId;
                /**
                 * Its name.
                 */
                name: string;
            };
            /**
             * The networks of the plan.
             */
            network_names: Array<string>;
            /**
             * Where the summary plan description is. null when none was given.
             */
            spd_file_url: string | null;
            facts: PlanFacts;
            partial_month_rule: PartialMonthRule;
            /**
             * The premiums by coverage tier.
             */
            tier_rates: Array<{
                /**
                 * Its id.
                 */
                id: TierRateId;
                /**
                 * Who is covered together.
                 */
                coverage_tier: CoverageTier;
                /**
                 * The whole monthly premium, in cents.
                 */
                premium_in_cents: number;
                /**
                 * From which day on it holds.
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
                 * The county; null: where no county has its own.
                 */
                county: string | null;
                /**
                 * From which day on it holds.
                 */
                effective_on: Day;
                /**
                 * The premiums.
                 */
                rates: Array<{
                    /**
                     * Whom it covers; null: it is by age.
                     */
                    coverage_tier: CoverageTier | null;
                    /**
                     * The youngest age that it is for. null: from birth.
                     */
                    min_age: number | null;
                    /**
                     * The oldest age that it is for. null: and above.
                     */
                    max_age: number | null;
                    /**
                     * The whole monthly premium, in cents.
                     */
                    premium_in_cents: number;
                }>;
            }>;
            /**
             * The allowances.
             */
            ichra_allowances: Array<{
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
                state: string | null;
                /**
                 * Who is covered together. null: every tier, or nobody is covered yet.
                 */
                coverage_tier: CoverageTier | null;
                /**
                 * What the employer reimburses a month at most, in cents.
                 */
                allowance_in_cents: number;
            }>;
        }>;
    }>;
};

export type CatalogAnswer = {
    data: Catalog;
};

export type CatalogImport = {
    rows: Array<CatalogRow>;
};

/**
 * What the import did with each thing that it speaks of; one that several rows speak of counts once.
 */
export type CatalogImportOutcome = {
    /**
     * The carriers.
     */
    carriers: {
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
    };
    /**
     * The benefits.
     */
    benefits: {
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
    };
    /**
     * The plans.
     */
    plans: {
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
    };
    /**
     * Premiums, those of rating areas too.
     */
    rates: {
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
    };
    /**
     * The allowances.
     */
    allowances: {
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
         * How many are gone.
         */
        removed: number;
    };
    /**
     * Of a dry run: the first 1000 changes, in the order of the rows. Else null.
     */
    planned: Array<CatalogPlannedChange> | null;
};

export type CatalogImportOutcomeAnswer = {
    data: CatalogImportOutcome;
};

/**
 * Of what it is a change.
 */
export type CatalogKind = 'carrier' | 'benefit' | 'plan' | 'premium' | 'allowance';

/**
 * What would become of it.
 */
export type CatalogOutcome = 'created' | 'updated' | 'removed';

/**
 * What an import would change.
 */
export type CatalogPlannedChange = {
    /**
     * The row that first speaks of it, from 0; null: of an allowance that no row names any more.
     */
    index: number | null;
    /**
     * Its kind.
     */
    kind: CatalogKind;
    /**
     * What came of it.
     */
    outcome: CatalogOutcome;
    /**
     * What is meant, for people: of a premium or an allowance its plan, and whom it is for.
     */
    name: string;
    /**
     * What would change of it.
     */
    differences: Array<{
        /**
         * As a row names it.
         */
        field: string;
        /**
         * As a row would say it; null: nothing.
         */
        before: string | number | Array<string> | null;
        /**
         * As a row would say it; null: nothing.
         */
        after: string | number | Array<string> | null;
    }>;
};

/**
 * A plan. With `premium_in_cents` also its premium for one coverage tier, or in a rating area (`state`, perhaps `county`) for an age or a tier; with `allowance_in_cents` also an ICHRA allowance for those who fit all that the row says of class, age, state and coverage tier.
 */
export type CatalogRow = {
    /**
     * The name of the carrier.
     */
    carrier: string;
    /**
     * The product of the benefit.
     */
    product_code: ProductCode;
    /**
     * The name of the benefit as people read it. By default a plain name of the product. null: as absent.
     */
    benefit?: string | null;
    /**
     * By default Dental for VD, Vision for VV, else Medical; a benefit that is there keeps its own, for good once a plan year has offered it. null: as absent.
     */
    category?: BenefitCategory | null;
    /**
     * The name of the plan.
     */
    plan: string;
    /**
     * A list, or one text with `;` between the names. Absent, a plan that is there keeps its networks. null: as absent.
     */
    networks?: Array<string> | string | null;
    /**
     * Where the summary plan description is. Absent, a plan that is there keeps its own. null: as absent.
     */
    spd_file_url?: string | null;
    /**
     * Absent, a plan that is there keeps its own; one that is new has `full_month_on_first`. null: as absent.
     */
    partial_month_rule?: PartialMonthRule | null;
    /**
     * What one pays in a year before the plan does. null: as absent.
     */
    deductible_in_cents?: number | null;
    /**
     * The most that one pays in a year. null: as absent.
     */
    out_of_pocket_limit_in_cents?: number | null;
    /**
     * A list, or one text with `;` between them: `Primary care: $25; Specialist: $50`. null: as absent.
     */
    copays?: Array<string> | string | null;
    /**
     * How much of the usual costs it bears. null: as absent.
     */
    metal_level?: MetalLevel | null;
    /**
     * Whether it goes with a health savings account. null: as absent.
     */
    hsa_eligible?: boolean | string | null;
    /**
     * Where the summary of benefits and coverage is. null: as absent.
     */
    sbc_file_url?: string | null;
    /**
     * Of the premium, or of the allowance. null: as absent.
     */
    coverage_tier?: CoverageTier | null;
    /**
     * Per month, from `effective_on` until a later rate. null: as absent.
     */
    premium_in_cents?: number | null;
    /**
     * The first day of the premium; required with it. null: as absent.
     */
    effective_on?: Day | null;
    /**
     * Per month, for those who fit the row. Of ICHRA products. null: as absent.
     */
    allowance_in_cents?: number | null;
    /**
     * Of the allowance; absent: every class. null: as absent.
     */
    employee_class?: EmployeeClass | null;
    /**
     * Of the allowance, inclusive. null: as absent.
     */
    min_age?: number | null;
    /**
     * Of the allowance, inclusive. null: as absent.
     */
    max_age?: number | null;
    /**
     * Of the allowance; absent: every state. Of a premium: where it holds, by age or by tier. null: as absent.
     */
    state?: State | null;
    /**
     * Of a premium in a state; absent: where no county has its own. null: as absent.
     */
    county?: string | null;
    /**
     * Of a premium in a state: of whom. `21`, `0-14`, `64+` or `64 and over`; in place of a tier. null: as absent.
     */
    age?: string | null;
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

/**
 * What would become of it.
 */
export type CensusRowOutcome = 'created' | 'updated' | 'rehired' | 'terminated';

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

/**
 * Benefits of which an employee may hold one at a time.
 */
export type ChoiceGroup = {
    /**
     * Plan years of an employer that name it alike have one group between them.
     */
    name: string;
    /**
     * The benefits it is for; empty: all that have none of their own.
     */
    benefit_ids: Array<BenefitId>;
};

export type ClockMove = {
    /**
     * The day on which the organization is to be, its present day or a later one.
     */
    today: Day;
};

export type Columns = 'reference_id' | 'first_name' | 'last_name' | 'suffix' | 'email' | 'phone' | 'date_of_birth' | 'gender' | 'start_date' | 'termination_date' | 'employee_class' | 'compensation_type' | 'address_line_1' | 'address_line_2' | 'city' | 'state' | 'zipcode';

export type CompensationType = 'Salary' | 'Hourly';

/**
 * What the employer pays in a tier. The first that fits counts.
 */
export type ContributionTier = {
    /**
     * null: every tier.
     */
    coverage_tier?: CoverageTier | null;
    /**
     * An amount.
     */
    method: 'fixed';
    /**
     * Per month.
     */
    amount_in_cents: number;
} | {
    /**
     * null: every tier.
     */
    coverage_tier?: CoverageTier | null;
    /**
     * A part of the premium.
     */
    method: 'percentage';
    /**
     * Of the premium, with at most two decimals; rounded half up to cents.
     */
    percentage: number;
};

export type CorrectedEmployee = {
    /**
     * Answer.
     */
    data: Employee;
    /**
     * Coverage that had been in force and is no more: by law that may need a notice.
     */
    warnings: Array<{
        /**
         * What programs decide by.
         */
        code: 'rescission';
        /**
         * A sentence for people.
         */
        message: string;
        enrollment_id: EnrollmentId;
        /**
         * The first day on which coverage is taken away.
         */
        lost_from: Day;
        /**
         * The last such day, today at the latest.
         */
        lost_until: Day;
    }>;
    /**
     * The enrollments of the employee that this changed, or in a dry run would change.
     */
    enrollments: Array<EnrollmentChange>;
};

/**
 * An enrollment that was set right, and what changed with it.
 */
export type CorrectedEnrollment = {
    /**
     * Answer.
     */
    data: EnrollmentDetail;
    /**
     * The enrollments of the employee that this changed, or in a dry run would change.
     */
    enrollments: Array<EnrollmentChange>;
};

/**
 * Why there is a correction. not_taken_before: nothing was deducted. no_longer_due: nothing is due. taxed_otherwise: the tax classification changed. amount_changed: another amount is due.
 */
export type CorrectionReason = 'not_taken_before' | 'no_longer_due' | 'taxed_otherwise' | 'amount_changed';

/**
 * EE: the employee. ES: with the spouse. EC: with children. EF: the family.
 */
export type CoverageTier = 'EE' | 'ES' | 'EC' | 'EF';

export type CredentialUsage = {
    /**
     * An API key, also of the tokens that were issued by it, a session, or the key of an operator.
     */
    credential_id: string;
    /**
     * Requests of operations, whatever was answered.
     */
    request_count: number;
    /**
     * Of those, refused: statuses 400 to 499 but 429.
     */
    refused_count: number;
    /**
     * Of those, beyond the rate limit: 429.
     */
    limited_count: number;
    /**
     * Of those, failed: from 500 on.
     */
    failed_count: number;
    /**
     * When the last of them was answered.
     */
    last_used_at: Timestamp;
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

export type Declining = {
    /**
     * Shown to the partner and the employee.
     */
    reason: string;
};

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

export type Disability = {
    /**
     * What it was approved by; kept.
     */
    reason: string;
};

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

export type EmployeeClass = 'Full Time' | 'Part Time' | 'Temporary' | 'Intern' | 'Seasonal' | 'Individual Contractor';

export type EmployeeCorrection = {
    /**
     * What was done.
     */
    action: EmployeeCorrectionAction;
    /**
     * The last day employed that was set or taken back, or the first day that the correction affects.
     */
    effective_on: Day;
    /**
     * Why. null when none was given.
     */
    reason: string | null;
    /**
     * The credential of who set it right.
     */
    credential_id: string;
    /**
     * When it was set right.
     */
    corrected_at: Timestamp;
};

export type EmployeeCorrectionAction = 'terminated' | 'reinstated' | 'corrected';

export type EmployeeCorrectionPage = {
    /**
     * Answer.
     */
    data: Array<EmployeeCorrection>;
    pagination: Pagination;
};

/**
 * One employment of a person.
 */
export type EmployeeId = string;

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

/**
 * Somebody who looks after an employer there.
 */
export type EmployerAdmin = {
    /**
     * Its id.
     */
    id: EmployerAdminId;
    employer_id: EmployerId;
    /**
     * The e-mail address, upper or lower case alike.
     */
    email: string;
    /**
     * Their name; null when it is not known.
     */
    name: string | null;
    /**
     * A US phone number of 10 digits. null when it is not known.
     */
    phone: string | null;
    /**
     * When made.
     */
    created_at: Timestamp;
};

export type EmployerAdminAnswer = {
    data: EmployerAdmin;
};

export type EmployerAdminId = string;

export type EmployerAdminPage = {
    data: Array<EmployerAdmin>;
    pagination: Pagination;
};

/**
 * Only the fields that are sent change.
 */
export type EmployerAdministration = {
    /**
     * The go-live day. A month is deducted and billed when its 1st is not before it. What was taken or billed otherwise by then is corrected, as far as corrections reach. null: since ever.
     */
    administered_from?: Day | null;
    /**
     * From 0 to 12 months; 3 unless said. Invoices and statements alike. null: as absent.
     */
    correction_reach_months?: number | null;
};

export type EmployerAnswer = {
    /**
     * Answer.
     */
    data: Employer;
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

/**
 * An enrollment that changed.
 */
export type EnrollmentChange = {
    /**
     * As it was; null: it was granted, in a dry run would be.
     */
    before: Enrollment | null;
    /**
     * As it is; of a dry run as it would be, one that is new without a lasting id.
     */
    after: Enrollment;
};

/**
 * What is set right; what is not sent stays.
 */
export type EnrollmentCorrection = {
    /**
     * Why; kept with the enrollment for good.
     */
    reason: string;
    /**
     * What was chosen, as it should have been noted. null: as absent.
     */
    election?: Election | null;
    /**
     * Whether it was waived. null: as absent.
     */
    waive?: boolean | null;
    /**
     * The first day of coverage; null: as the rules say.
     */
    coverage_start?: Day | null;
    /**
     * The last day of coverage, the day before coverage_start if it never began; null: as the rules say.
     */
    coverage_end?: Day | null;
    /**
     * true: tell what would become of it, and change nothing. null: as absent.
     */
    dry_run?: boolean | null;
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

export type GivenAnswer = 'enrolled' | 'waived';

/**
 * The group.
 */
export type GroupId = string;

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

export type HealthFilter = 'failing' | 'disabled';

export type HrisAccess = {
    /**
     * Stored encrypted and never shown.
     */
    access_token: string;
};

export type HrisConnection = {
    id: HrisConnectionId;
    organization_id: OrganizationId;
    employer_id: EmployerId;
    /**
     * Who is asked.
     */
    source: HrisSource;
    /**
     * Take it as a filter value of the employer book.
     */
    provider: string;
    /**
     * For people to read.
     */
    provider_label: string;
    /**
     * Null when disconnected.
     */
    status: HrisStatus | null;
    /**
     * The columns of files that are called otherwise than usual, by field.
     */
    columns: {
        [key: string]: string;
    };
    /**
     * When it was connected.
     */
    connected_at: Timestamp;
    /**
     * When it was paused. null while it is not.
     */
    paused_at: Timestamp | null;
    /**
     * When it was disconnected. null while it is not.
     */
    disconnected_at: Timestamp | null;
    /**
     * When it was last tried. null before the first time.
     */
    last_attempt_at: Timestamp | null;
    /**
     * When it last succeeded. null before the first time.
     */
    last_synced_at: Timestamp | null;
    /**
     * How many rows of that could be used. null before the first.
     */
    synced_row_count: number | null;
    /**
     * Why the latest run did not succeed; null once one has.
     */
    last_error: {
        /**
         * What programs decide by.
         */
        code: string;
        /**
         * A sentence for people.
         */
        message: string;
    } | null;
    /**
     * The night of the next sync; null: none by itself.
     */
    next_sync_on: Day | null;
};

export type HrisConnectionAnswer = {
    /**
     * Answer.
     */
    data: HrisConnection;
};

/**
 * The HRIS connection.
 */
export type HrisConnectionId = string;

export type HrisConnectionList = {
    /**
     * Answer.
     */
    data: Array<HrisConnection>;
};

export type HrisConnectionPage = {
    /**
     * Answer.
     */
    data: Array<HrisConnection>;
    pagination: Pagination;
};

export type HrisPerson = {
    [key in Columns]?: string | null;
};

export type HrisRun = {
    id: HrisRunId;
    hris_connection_id: HrisConnectionId;
    employer_id: EmployerId;
    /**
     * Why it was run.
     */
    cause: HrisRunCause;
    /**
     * How far it has come.
     */
    state: HrisRunState;
    /**
     * When it was asked for.
     */
    requested_at: Timestamp;
    /**
     * How often it was tried.
     */
    attempt_count: number;
    /**
     * When everybody was there and handed to the census. null until then.
     */
    fetched_at: Timestamp | null;
    /**
     * When it ended. null while it has not.
     */
    ended_at: Timestamp | null;
    /**
     * Why the latest run did not succeed; null once one has.
     */
    error: {
        /**
         * What programs decide by.
         */
        code: string;
        /**
         * A sentence for people.
         */
        message: string;
    } | null;
    /**
     * The census that it became, with each row that failed. null until something did.
     */
    outcome: CensusOutcome | null;
};

export type HrisRunAnswer = {
    /**
     * Answer.
     */
    data: HrisRun;
};

export type HrisRunCause = 'schedule' | 'operator' | 'upload' | 'drop';

/**
 * The run of an HRIS connection.
 */
export type HrisRunId = string;

export type HrisRunPage = {
    /**
     * Answer.
     */
    data: Array<HrisRunRow>;
    pagination: Pagination;
};

/**
 * Somebody whom a run changed.
 */
export type HrisRunPerson = {
    employee_id: EmployeeId;
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
     * What came of it.
     */
    outcome: HrisRunPersonOutcome;
    /**
     * When it last changed something of them.
     */
    changed_at: Timestamp;
    /**
     * What the run changed, field by field: of who is new all that their row told, of who was missing their last day. null: the run was before this was kept.
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
    }> | null;
};

/**
 * Of several the first counts. created: hired. rehired: hired again. reinstated: an end was taken back. terminated: a last day was told, or they were missing. updated: something else of them changed.
 */
export type HrisRunPersonOutcome = 'created' | 'rehired' | 'reinstated' | 'terminated' | 'updated';

export type HrisRunPersonPage = {
    data: Array<HrisRunPerson>;
    pagination: Pagination;
};

export type HrisRunRow = {
    id: HrisRunId;
    hris_connection_id: HrisConnectionId;
    employer_id: EmployerId;
    /**
     * Why it was run.
     */
    cause: HrisRunCause;
    /**
     * How far it has come.
     */
    state: HrisRunState;
    /**
     * When it was asked for.
     */
    requested_at: Timestamp;
    /**
     * How often it was tried.
     */
    attempt_count: number;
    /**
     * When everybody was there and handed to the census. null until then.
     */
    fetched_at: Timestamp | null;
    /**
     * When it ended. null while it has not.
     */
    ended_at: Timestamp | null;
    /**
     * Why the latest run did not succeed; null once one has.
     */
    error: {
        /**
         * What programs decide by.
         */
        code: string;
        /**
         * A sentence for people.
         */
        message: string;
    } | null;
    /**
     * Null until everybody was fetched.
     */
    row_count: number | null;
    /**
     * What became of the rows. null until it is known.
     */
    counts: CensusCounts | null;
};

/**
 * `waiting` to be fetched, or to be tried again; then as its census.
 */
export type HrisRunState = 'waiting' | 'queued' | 'processing' | 'completed' | 'held' | 'failed';

export type HrisSource = 'finch' | 'csv' | 'sandbox';

/**
 * pending: being connected. active: followed. paused: rests, and the roster is yours to write. inactive: cut off.
 */
export type HrisStatus = 'active' | 'pending' | 'inactive' | 'paused';

/**
 * The whole roster. Columns are found by their names, in most of the ways in which payroll systems call them.
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
 * The allowance for people of a class, age, state and tier; null fits whichever. The first that fits counts.
 */
export type IchraContributionClass = {
    /**
     * Its name.
     */
    name: string;
    /**
     * The class, which tells eligibility and allowances apart. null: as absent.
     */
    employee_class?: EmployeeClass | null;
    /**
     * The youngest age that it is for. null: as absent.
     */
    min_age?: number | null;
    /**
     * The oldest age that it is for. null: as absent.
     */
    max_age?: number | null;
    /**
     * A US state or territory, by its two-letter code. null: as absent.
     */
    state?: State | null;
    /**
     * null: every tier.
     */
    coverage_tier?: CoverageTier | null;
    /**
     * Per month.
     */
    allowance_in_cents: number;
};

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

export type InvoiceAnswer = {
    data: Invoice;
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

export type InvoicePayment = {
    /**
     * The day on which it was paid: not before it was issued, and not after today; today unless said. null: as absent.
     */
    paid_on?: Day | null;
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
 * An invoice day that the worker has been asked for.
 */
export type InvoiceRun = {
    employer_id: EmployerId;
    /**
     * A month, `YYYY-MM`.
     */
    period: string;
};

export type InvoiceRunAnswer = {
    data: InvoiceRun;
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

export type InvoiceVoiding = {
    /**
     * Why the invoice is voided, for the partner. It is shown on the invoice and its PDF. null: as absent.
     */
    reason?: string | null;
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

/**
 * Work that is done beside requests. Done, it is gone.
 */
export type Job = {
    /**
     * Its number.
     */
    id: string;
    /**
     * What it does.
     */
    task: string;
    /**
     * What it is about: a later job of the same key takes its place. Of its own where that is nothing. null: a later one is in its place.
     */
    key: string | null;
    /**
     * Whose it is. null when it belongs to none.
     */
    organization_id: OrganizationId | null;
    /**
     * A US state or territory, by its two-letter code.
     */
    state: JobState;
    /**
     * How often it was begun.
     */
    attempts: number;
    /**
     * How often it may be.
     */
    max_attempts: number;
    /**
     * Whether its last attempt failed; the log says how, by its number.
     */
    has_failed: boolean;
    /**
     * When it is begun at the earliest.
     */
    run_at: Timestamp;
    /**
     * Since when it runs. null: it does not.
     */
    started_at: Timestamp | null;
    /**
     * When made.
     */
    created_at: Timestamp;
};

export type JobAnswer = {
    data: Job;
};

export type JobPage = {
    data: Array<Job>;
    pagination: Pagination;
};

/**
 * `waiting`: for its time or its turn. `gave_up`: it failed as often as it may, and is tried no more.
 */
export type JobState = 'waiting' | 'running' | 'gave_up';

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

export type LifeEventApproval = {
    /**
     * Why any change is allowed in the window, also one that is not consistent with the event. Shown to the partner and the employee. null: as absent.
     */
    exception?: string | null;
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

export type Location = 'State' | 'Unspecified';

export type LowestCostSilverImport = {
    /**
     * The rows, at most 10,000.
     */
    rows: Array<LowestCostSilverRow>;
};

export type LowestCostSilverImportOutcome = {
    /**
     * How many rows there are.
     */
    row_count: number;
    /**
     * How many rows changed something.
     */
    changed_count: number;
};

export type LowestCostSilverImportOutcomeAnswer = {
    /**
     * Answer.
     */
    data: LowestCostSilverImportOutcome;
};

export type LowestCostSilverPage = {
    /**
     * Answer.
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
     * The county; null: where no county has its own.
     */
    county: string | null;
    /**
     * From which day on it holds.
     */
    effective_on: Day;
    /**
     * The youngest age that it is for.
     */
    min_age: number;
    /**
     * null: and above.
     */
    max_age: number | null;
    /**
     * The whole monthly premium, in cents.
     */
    premium_in_cents: number;
};

export type LowestCostSilverRow = {
    /**
     * A US state or territory, by its two-letter code.
     */
    state: State;
    /**
     * The county, with or without the word County or Parish. null: as absent.
     */
    county?: string | null;
    /**
     * Of whom: `21`, `0-14` or `64+`.
     */
    age: string;
    /**
     * From which day on it holds.
     */
    effective_on: Day;
    /**
     * Per month, of one person.
     */
    premium_in_cents: number;
};

export type MadeOperator = Operator & {
    /**
     * Their first key, shown this once.
     */
    key: ShownOperatorKey;
};

export type MadeOperatorAnswer = {
    /**
     * Answer.
     */
    data: MadeOperator;
};

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

export type ManualAdjustmentAnswer = {
    data: ManualAdjustment;
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

export type Membership = {
    organization_id: OrganizationId;
    user_id: UserId;
    /**
     * What the user may do there.
     */
    role: MembershipRole;
};

export type MembershipAnswer = {
    /**
     * Answer.
     */
    data: Membership;
};

export type MembershipOfUser = {
    organization_id: OrganizationId;
    user_id: UserId;
    /**
     * What the user may do there.
     */
    role: MembershipRole;
    /**
     * Its name.
     */
    name: string;
    /**
     * The e-mail address, upper or lower case alike. null when it is not known.
     */
    email: string | null;
    /**
     * Since when.
     */
    created_at: Timestamp;
    /**
     * When it ended. null: it has not.
     */
    ended_at: Timestamp | null;
};

export type MembershipPage = {
    /**
     * Answer.
     */
    data: Array<MembershipOfUser>;
    pagination: Pagination;
};

/**
 * ADMIN: everything. OPERATIONS: all but members, keys and webhooks. ENROLLMENT_AGENT: people and their enrollments. SALES: the book and plan years, and nobody in it.
 */
export type MembershipRole = 'ADMIN' | 'OPERATIONS' | 'SALES' | 'ENROLLMENT_AGENT';

export type MetalLevel = 'Catastrophic' | 'Bronze' | 'Expanded Bronze' | 'Silver' | 'Gold' | 'Platinum';

export type Misbehaviour = 'late' | 'duplicate' | 'rehire' | 'future_termination' | 'changed_email' | 'half_page' | 'server_errors' | 'rate_limited' | 'garbage' | 'access_lost';

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

export type MovedClock = {
    organization_id: OrganizationId;
    /**
     * The present day of the organization.
     */
    today: Day;
    /**
     * How many days it lives ahead of the calendar in New York.
     */
    clock_offset_days: number;
    /**
     * How many days were run on the way.
     */
    days_turned: number;
};

export type MovedClockAnswer = {
    /**
     * Answer.
     */
    data: MovedClock;
};

export type NewAffordabilityFigures = {
    /**
     * The calendar year that they are of.
     */
    year: number;
    /**
     * The part of income that coverage may cost at most, of plan years that begin in it. null: as absent.
     */
    required_contribution_percentage?: number | null;
    /**
     * The federal poverty guidelines of the year for one person, in dollars a year. null: as absent.
     */
    poverty_guidelines?: {
        /**
         * Of the contiguous states and the District of Columbia.
         */
        contiguous: number;
        /**
         * Of Alaska.
         */
        alaska: number;
        /**
         * Of Hawaii.
         */
        hawaii: number;
    } | null;
};

export type NewAmendment = {
    /**
     * The first of a month of the plan year; or its first day, which corrects it from its start.
     */
    effective_on: Day;
    /**
     * Why, for whoever reads the books.
     */
    reason: string;
    /**
     * true: tell what would become of everybody, change nothing. null: as absent.
     */
    dry_run?: boolean | null;
    /**
     * Of a dry run: items per page, 20 unless said. null: as absent.
     */
    limit?: number | null;
    /**
     * Of a dry run: page number, from 1. null: as absent.
     */
    page?: number | null;
    /**
     * Plans whose rates are taken from the catalog anew, as they are on effective_on. null: as absent.
     */
    repriced_plan_ids?: Array<PlanId> | null;
    /**
     * What the employer pays of benefits from then on; null or absent: as before.
     */
    contributions?: Array<AmendedContribution> | null;
    /**
     * Plans of benefits that are offered: at the rates of the catalog. null: as absent.
     */
    added_plan_ids?: Array<PlanId> | null;
    /**
     * Plans that cover nobody from then on: who has one may choose another of its benefit. null: as absent.
     */
    closed_plan_ids?: Array<PlanId> | null;
    /**
     * Benefits that are offered from then on; null or absent: none.
     */
    added_benefits?: Array<AddedBenefit> | null;
    /**
     * Benefits that cover nobody from then on. null: as absent.
     */
    withdrawn_benefit_ids?: Array<BenefitId> | null;
    /**
     * The last day of the plan year; not before effective_on, and at most 366 days in all. null: as absent.
     */
    coverage_end?: Day | null;
};

export type NewApiKey = {
    /**
     * The user whose key it is, and whose role it has in each organization.
     */
    user_id: UserId;
    /**
     * The organization that the key is bound to; without it the key is open to those that the user belongs to now. null: as absent.
     */
    organization_id?: OrganizationId | null;
    /**
     * Of a key that is bound to none: whether it is open to what the user comes to belong to later too. null: as absent.
     */
    follows_memberships?: boolean | null;
    /**
     * How it is meant.
     */
    mode: ApiKeyMode;
    /**
     * What the key is for, to know it again. null: as absent.
     */
    name?: string | null;
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

export type NewEmployerAdmin = {
    /**
     * Their address, by which the employer is found.
     */
    email: Email;
    /**
     * Their name. null: as absent.
     */
    name?: string | null;
    /**
     * A US phone number of 10 digits. null: as absent.
     */
    phone?: Phone | null;
};

export type NewHrisConnection = {
    /**
     * Who is asked: `finch`; `csv`, files that are uploaded or laid down in a folder; `sandbox`, a fake payroll.
     */
    source: HrisSource;
    /**
     * The payroll system behind it, such as `gusto`; the source unless said. null: as absent.
     */
    provider?: string | null;
    /**
     * Its name for people; with `provider` only. null: as absent.
     */
    provider_label?: string | null;
    /**
     * Required for finch. Stored encrypted, never shown. null: as absent.
     */
    access_token?: string | null;
    /**
     * The column of each field, for files whose columns are called otherwise than usual. null: as absent.
     */
    columns?: {
        [key in Columns]?: string;
    } | null;
};

export type NewManualAdjustment = {
    /**
     * The month that it is of, `YYYY-MM`.
     */
    month: string;
    /**
     * What payroll is to take from the employee, and the invoice to bill for it; negative: given back.
     */
    employee_deduction_in_cents: number;
    /**
     * What the invoice is to bill the employer besides; 0 unless said. null: as absent.
     */
    employer_contribution_in_cents?: number | null;
    /**
     * `Post-tax` unless said. null: as absent.
     */
    tax_classification?: TaxClassification | null;
    /**
     * Why, for whoever reads the books.
     */
    reason: string;
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

export type NewMembership = {
    user_id: UserId;
    /**
     * What the user may do there.
     */
    role: MembershipRole;
};

export type NewOperator = {
    /**
     * Its name.
     */
    name: string;
    /**
     * The e-mail address, upper or lower case alike.
     */
    email: Email;
    /**
     * What the user may do there.
     */
    role: OperatorRole;
    /**
     * Their first key; named "First key" unless said. null: as absent.
     */
    key?: NewOperatorKey | null;
};

export type NewOperatorInvitation = {
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
    role: OperatorRole;
};

export type NewOperatorKey = {
    /**
     * What it is for.
     */
    name: string;
    /**
     * When it ends: within 366 days; after 90 days unless said. null: as absent.
     */
    expires_at?: Timestamp | null;
};

export type NewPlanYear = {
    /**
     * The year of coverage_start unless sent. null: as absent.
     */
    year?: number | null;
    /**
     * The first day of coverage.
     */
    coverage_start: Day;
    /**
     * The last day; unless sent, a year after coverage_start less a day. At most 366 days in all. null: as absent.
     */
    coverage_end?: Day | null;
    /**
     * Sent together with open_enrollment_end. null: as absent.
     */
    open_enrollment_start?: Day | null;
    /**
     * The last day, not after coverage_end. null: as absent.
     */
    open_enrollment_end?: Day | null;
    /**
     * Where it is offered; [] means everywhere. null: as absent.
     */
    offered_states?: Array<State> | null;
    /**
     * active unless sent. null: as absent.
     */
    renewal?: Renewal | null;
    /**
     * Of plans that are not offered again, by their id: the plan of the same benefit that takes their place. Replaced as a whole. null: as absent.
     */
    plan_successors?: {
        [key in PlanId]?: PlanId;
    } | null;
    /**
     * The first leads the plan year.
     */
    benefits: Array<NewPlanYearBenefit>;
    /**
     * Unless sent: EBA, MEC, MVP and ICHRA products are one group, `medical`. []: none. null: as absent.
     */
    choice_groups?: Array<ChoiceGroup> | null;
    /**
     * true: tell what would become of it, and change nothing. null: as absent.
     */
    dry_run?: boolean | null;
    /**
     * Of a dry run: employees per page, 20 unless said. null: as absent.
     */
    limit?: number | null;
    /**
     * Of a dry run: page number, from 1. null: as absent.
     */
    page?: number | null;
};

/**
 * A benefit that a plan year offers.
 */
export type NewPlanYearBenefit = {
    benefit_id: BenefitId;
    /**
     * Unless sent: every plan of the benefit that has a rate on coverage_start. null: as absent.
     */
    plan_ids?: Array<PlanId> | null;
    /**
     * Its first day, coverage_start unless sent. null: as absent.
     */
    starts_on?: Day | null;
    /**
     * For all but ICHRA. A tier for which none fits is paid by the employee. null: as absent.
     */
    contribution_tiers?: Array<ContributionTier> | null;
    /**
     * For ICHRA. Unless sent: the allowances of the catalog's plans. Whom none fits is allowed nothing. null: as absent.
     */
    ichra_contribution_classes?: Array<IchraContributionClass> | null;
};

export type NewSubscription = {
    /**
     * The first day.
     */
    started_on: Day;
};

export type NewUser = {
    /**
     * Its name.
     */
    name: string;
    /**
     * The e-mail address, upper or lower case alike. null: as absent.
     */
    email?: Email | null;
};

export type OpenCensusSync = CensusSync & {
    organization_id: OrganizationId;
    employer_id: EmployerId;
    /**
     * The name of the employer.
     */
    employer_name: string;
    /**
     * Rows done so far.
     */
    processed_count: number;
    /**
     * Since when it is held. null: it is not.
     */
    held_at: Timestamp | null;
};

export type OpenCensusSyncPage = {
    /**
     * Answer.
     */
    data: Array<OpenCensusSync>;
    pagination: Pagination;
};

export type OpenedPlanYear = {
    /**
     * Answer.
     */
    data: BenefitPlanYear;
    /**
     * Of a dry run; else null.
     */
    preview: PlanYearPreview | null;
};

/**
 * An organization, and how it stands.
 */
export type OperatedOrganization = Organization & {
    /**
     * Whether it is a sandbox.
     */
    sandbox: boolean;
    /**
     * How many employers it has.
     */
    employer_count: number;
    /**
     * How many people it knows.
     */
    member_count: number;
    /**
     * Its present day.
     */
    today: Day;
    /**
     * The last day that was run for it. null: none yet.
     */
    last_day_run_on: Day | null;
    /**
     * Whether a day has come that is not run yet; from midnight until it is.
     */
    late: boolean;
    /**
     * When made.
     */
    created_at: Timestamp;
};

export type OperatedOrganizationAnswer = {
    data: OperatedOrganization;
};

export type OperatedOrganizationPage = {
    data: Array<OperatedOrganization>;
    pagination: Pagination;
};

/**
 * A user, with where they belong.
 */
export type OperatedUser = {
    id: UserId;
    /**
     * Its name.
     */
    name: string;
    /**
     * The e-mail address, upper or lower case alike. null when it is not known.
     */
    email: string | null;
    /**
     * When made.
     */
    created_at: Timestamp;
    /**
     * As what they operate the installation. null: they do not.
     */
    operator_role: OperatorRole | null;
    /**
     * Where they belong or belonged, the first first.
     */
    memberships: Array<{
        organization_id: OrganizationId;
        /**
         * Its name.
         */
        organization_name: string;
        /**
         * What the user may do there.
         */
        role: MembershipRole;
        /**
         * Since when.
         */
        created_at: Timestamp;
        /**
         * When it ended. null: it has not.
         */
        ended_at: Timestamp | null;
    }>;
};

export type OperatedUserAnswer = {
    data: OperatedUser;
};

export type OperatedUserPage = {
    data: Array<OperatedUser>;
    pagination: Pagination;
};

export type OperationUsage = {
    /**
     * By the calendar, in Eastern time.
     */
    day: Day;
    /**
     * Whose it is. null: at no one organization.
     */
    organization_id: OrganizationId | null;
    /**
     * The id of the operation.
     */
    operation: string;
    /**
     * Requests of operations, whatever was answered.
     */
    request_count: number;
    /**
     * Of those, refused: statuses 400 to 499 but 429.
     */
    refused_count: number;
    /**
     * Of those, beyond the rate limit: 429.
     */
    limited_count: number;
    /**
     * Of those, failed: from 500 on.
     */
    failed_count: number;
    /**
     * When the last of them was answered.
     */
    last_used_at: Timestamp;
};

export type OperationUsagePage = {
    /**
     * Answer.
     */
    data: Array<OperationUsage>;
    pagination: Pagination;
};

export type Operator = {
    id: UserId;
    /**
     * Its name.
     */
    name: string;
    /**
     * The e-mail address, upper or lower case alike. null when it is not known.
     */
    email: string | null;
    /**
     * What the user may do there.
     */
    role: OperatorRole;
    /**
     * When made.
     */
    created_at: Timestamp;
    /**
     * Since when they are no operator any more. null while it has not.
     */
    ended_at: Timestamp | null;
};

export type OperatorAnswer = {
    /**
     * Answer.
     */
    data: Operator;
};

export type OperatorChanges = {
    /**
     * What the user may do there.
     */
    role: OperatorRole;
};

export type OperatorCredential = {
    /**
     * The operator.
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
     * What the user may do there.
     */
    role: OperatorRole;
    /**
     * The key that was sent. null: it is the token of a session.
     */
    operator_key: {
        id: OperatorKeyId;
        /**
         * What it is for.
         */
        name: string;
        /**
         * The last four characters of the key.
         */
        last_four: string;
    } | null;
    /**
     * When the operator signed in with a browser. null: it is of no session.
     */
    signed_in_at: Timestamp | null;
    /**
     * From this instant on it opens nothing.
     */
    expires_at: Timestamp;
};

export type OperatorCredentialAnswer = {
    /**
     * Answer.
     */
    data: OperatorCredential;
};

export type OperatorEmployeeChanges = {
    /**
     * The class, which tells eligibility and allowances apart. null: as absent.
     */
    employee_class?: EmployeeClass | null;
    /**
     * How the person is paid. null: as absent.
     */
    compensation_type?: CompensationType | null;
    /**
     * The first day of the employment, however long ago. null: as absent.
     */
    start_date?: Day | null;
    /**
     * The day from which the class and compensation type are effective. Default: today. null: as absent.
     */
    effective_date?: Day | null;
    /**
     * Kept with the correction, which the operator can list.
     */
    reason: string;
    /**
     * true: tell what would become of it, and change nothing. null: as absent.
     */
    dry_run?: boolean | null;
};

export type OperatorInvitation = {
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
    /**
     * What the user may do there.
     */
    role: OperatorRole;
};

export type OperatorInvitationAnswer = {
    /**
     * Answer.
     */
    data: OperatorInvitation;
};

export type OperatorInvitationList = {
    /**
     * Answer.
     */
    data: Array<OperatorInvitation>;
    pagination: Pagination;
};

export type OperatorKey = {
    id: OperatorKeyId;
    /**
     * The operator.
     */
    operator_id: UserId;
    /**
     * Its name.
     */
    name: string;
    /**
     * The last four characters of the key.
     */
    last_four: string;
    /**
     * The operator who made it; null: a command did.
     */
    created_by: UserId | null;
    /**
     * When made.
     */
    created_at: Timestamp;
    /**
     * When it was used last, at most a minute behind. null: not yet.
     */
    last_used_at: Timestamp | null;
    /**
     * From this instant on it is good for nothing.
     */
    expires_at: Timestamp;
    /**
     * When it was revoked. null while it is good.
     */
    revoked_at: Timestamp | null;
};

export type OperatorKeyAnswer = {
    /**
     * Answer.
     */
    data: OperatorKey;
};

/**
 * The key of an operator.
 */
export type OperatorKeyId = string;

export type OperatorKeyList = {
    /**
     * Answer.
     */
    data: Array<OperatorKey>;
    pagination: Pagination;
};

export type OperatorList = {
    /**
     * Answer.
     */
    data: Array<Operator>;
    pagination: Pagination;
};

export type OperatorReinstatement = {
    /**
     * Kept with the correction, which the operator can list.
     */
    reason: string;
    /**
     * true: tell what would become of it, and change nothing. null: as absent.
     */
    dry_run?: boolean | null;
};

export type OperatorReissue = {
    /**
     * Why; kept with the enrollment for good.
     */
    reason: string;
    /**
     * true: tell what would become of it, and change nothing. null: as absent.
     */
    dry_run?: boolean | null;
};

/**
 * `owner` may do everything; `operations` all but money and operators; `billing` reads and moves money; `support` reads.
 */
export type OperatorRole = 'owner' | 'operations' | 'billing' | 'support';

export type OperatorTermination = {
    /**
     * The last day employed, however long ago, or in the future.
     */
    termination_date: Day;
    /**
     * Kept with the correction, which the operator can list.
     */
    reason: string;
    /**
     * true: tell what would become of it, and change nothing. null: as absent.
     */
    dry_run?: boolean | null;
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

export type OrganizationAnswer = {
    /**
     * Answer.
     */
    data: Organization;
};

export type OrganizationClock = {
    organization_id: OrganizationId;
    /**
     * The present day of the organization.
     */
    today: Day;
    /**
     * How many days it lives ahead of the calendar in New York.
     */
    clock_offset_days: number;
    /**
     * Whether work about its employers waits: what its days brought still comes, and it is not moved.
     */
    has_work: boolean;
};

export type OrganizationClockAnswer = {
    /**
     * Answer.
     */
    data: OrganizationClock;
};

/**
 * Whose it is.
 */
export type OrganizationId = string;

export type OrganizationSetup = {
    /**
     * Its name.
     */
    name: string;
    /**
     * Its kind. null: as absent.
     */
    type?: OrganizationType | null;
    /**
     * Whether its members read across every organization; false unless said. null: as absent.
     */
    super_in?: boolean | null;
    /**
     * Whether it is a sandbox; the installation's own setting unless said. null: as absent.
     */
    sandbox?: boolean | null;
    /**
     * The user who becomes its ADMIN, if any. null: as absent.
     */
    admin_user_id?: UserId | null;
};

export type OrganizationType = 'BROKERAGE' | 'TPA' | 'GENERAL_AGENT' | 'CHANNEL_PARTNER' | 'CONSULTING_FIRM' | 'API_PLATFORM';

export type OutcomeFilter = 'failed' | 'waiting' | 'any';

/**
 * What happened since yesterday, and whether the service keeps up.
 */
export type Overview = {
    /**
     * The beginning of yesterday in Eastern time.
     */
    since: Timestamp;
    /**
     * What happened since then, of all organizations; what happened most comes first.
     */
    happened: Array<{
        /**
         * What happened.
         */
        event_name: WebhookEventName;
        /**
         * How often.
         */
        event_count: number;
    }>;
    /**
     * Whether that is all: at most the latest 10,000 events are counted.
     */
    is_whole: boolean;
    /**
     * Requests answered with 500 or more on those days. Written down every 30 seconds.
     */
    failed_request_count: number;
    /**
     * Jobs that failed as often as they may, at most 1000.
     */
    jobs_given_up: number;
    /**
     * Since how many seconds the oldest job is due that nobody took; 0: none is late.
     */
    job_late_seconds: number;
    /**
     * Since how many seconds the job runs that was begun first: hours mean that it does not end.
     */
    job_running_seconds: number;
    /**
     * Since how many seconds the oldest webhook is due that nobody sent; 0: none is late.
     */
    webhook_late_seconds: number;
    /**
     * Organizations whose day is not run an hour after midnight, at most 1000.
     */
    organizations_late: number;
    /**
     * The earliest day that was run last in any organization. null: none was ever run.
     */
    last_day_run_on: Day | null;
};

export type OverviewAnswer = {
    data: Overview;
};

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

/**
 * Only the fields that are sent change; null leaves as it is, but for the open enrollment, which it clears.
 */
export type PlanYearChanges = {
    /**
     * Unless it was called otherwise, the plan year follows the year of coverage_start. null: as absent.
     */
    year?: number | null;
    /**
     * The first day of coverage. null: as absent.
     */
    coverage_start?: Day | null;
    /**
     * The last day of coverage. null: as absent.
     */
    coverage_end?: Day | null;
    /**
     * null, sent together with a null for open_enrollment_end: no open enrollment.
     */
    open_enrollment_start?: Day | null;
    /**
     * The last day, not after coverage_end. null clears it.
     */
    open_enrollment_end?: Day | null;
    /**
     * Where it is offered; [] means everywhere. null: as absent.
     */
    offered_states?: Array<State> | null;
    /**
     * May still change after coverage_start. null: as absent.
     */
    renewal?: Renewal | null;
    /**
     * May still change after coverage_start. null: as absent.
     */
    plan_successors?: {
        [key in PlanId]?: PlanId;
    } | null;
    /**
     * Replaced as a whole; one that is not named is withdrawn. null: as absent.
     */
    benefits?: Array<NewPlanYearBenefit> | null;
    /**
     * Replaced as a whole. Unless sent, what is offered keeps its group; of what is new EBA, MEC, MVP and ICHRA products are one group, `medical`. null: as absent.
     */
    choice_groups?: Array<ChoiceGroup> | null;
    /**
     * true: tell what would become of it, and change nothing. null: as absent.
     */
    dry_run?: boolean | null;
    /**
     * Of a dry run: employees per page, 20 unless said. null: as absent.
     */
    limit?: number | null;
    /**
     * Of a dry run: page number, from 1. null: as absent.
     */
    page?: number | null;
};

export type PlanYearCopy = {
    /**
     * The day after the end of the former unless sent. null: as absent.
     */
    coverage_start?: Day | null;
    /**
     * Sent together with open_enrollment_end. Unless sent, the open enrollment of the former is moved by as much as coverage_start, and left out if it would be over by today. null: as absent.
     */
    open_enrollment_start?: Day | null;
    /**
     * The last day, not after coverage_end. null: as absent.
     */
    open_enrollment_end?: Day | null;
    /**
     * passive unless sent. null: as absent.
     */
    renewal?: Renewal | null;
    /**
     * Plans that are not offered again, each with the one of its benefit that is offered in its place. null: as absent.
     */
    plan_successors?: {
        [key in PlanId]?: PlanId;
    } | null;
    /**
     * true: tell what would become of it, and change nothing. null: as absent.
     */
    dry_run?: boolean | null;
    /**
     * Of a dry run: employees per page, 20 unless said. null: as absent.
     */
    limit?: number | null;
    /**
     * Of a dry run: page number, from 1. null: as absent.
     */
    page?: number | null;
};

export type PlanYearEligibilityPolicy = PolicyInForce & {
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

/**
 * Who would be granted what, and who would pay what.
 */
export type PlanYearPreview = {
    /**
     * The day on which it would be granted, by what is known today: that of its open enrollment.
     */
    as_of: Day;
    /**
     * Of each employee of the page a row for each benefit, the newest employee first.
     */
    data: Array<PreviewedOffer>;
    /**
     * Of all pages together; null beyond 1000 employees: then add up the rows.
     */
    totals: PlanYearTotals | null;
    /**
     * Of employees.
     */
    pagination: Pagination;
};

/**
 * What a plan year would come to.
 */
export type PlanYearTotals = {
    /**
     * Employees of the employer who are not gone by then.
     */
    employee_count: number;
    /**
     * Who would have an enrollment.
     */
    granted_employee_count: number;
    /**
     * Who would be carried over, or have answered.
     */
    carried_employee_count: number;
    /**
     * Who would lose a benefit unless they answer.
     */
    lapsing_employee_count: number;
    /**
     * To whom something is affordable.
     */
    affordable_employee_count: number;
    /**
     * Who are offered what is judged, and nothing affordable.
     */
    unaffordable_employee_count: number;
    /**
     * What is elected in the plan year before, per month.
     */
    before: PreviewedSums;
    /**
     * What is elected in this one, or would be by the renewal, per month.
     */
    after: PreviewedSums;
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
 * How long after being hired, or entering an eligible class, coverage can start.
 */
export type PolicyWaitingPeriod = 'first_of_following_month' | '30_days' | '60_days' | 'none';

/**
 * Whether what an employer is judged by is affordable.
 */
export type PreviewedAffordability = {
    /**
     * Whether the employee can afford it.
     */
    verdict: Affordability;
    /**
     * What it is affordable by: the federal poverty line, or else the pay that was told. W-2 wages are known late. null: it is not.
     */
    safe_harbor: SafeHarbor | null;
    /**
     * What the cheapest plan for the employee alone leaves them to pay, per month.
     */
    self_only_cost_in_cents: number;
};

/**
 * What is elected, per month.
 */
export type PreviewedCost = {
    plan_id: PlanId;
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
};

export type PreviewedEnrollment = {
    enrollment_id: EnrollmentId;
    employee_id: EmployeeId;
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
     * The first day without coverage, of who loses the plan, the benefit, or the plan year; null: of nobody else.
     */
    loses_coverage_on: Day | null;
    /**
     * Whether a plan is lost whose benefit goes on: it is granted anew, with 30 days to choose.
     */
    chooses_again: boolean;
    /**
     * What the months that change cost together before.
     */
    before: AmendedSums;
    /**
     * What they cost together after; who loses a plan is as if they chose no other.
     */
    after: AmendedSums;
    /**
     * Those that change, in order.
     */
    months: Array<{
        /**
         * `YYYY-MM`
         */
        month: string;
        /**
         * Of the month; null: not covered.
         */
        before: {
            plan_id: PlanId;
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
        } | null;
        /**
         * Of the month; null: not covered.
         */
        after: {
            plan_id: PlanId;
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
        } | null;
        /**
         * Whether statements and invoices follow by themselves; false: the month is beyond their reach, and is booked by hand if at all.
         */
        is_corrected: boolean;
    }>;
};

/**
 * What a plan year is to an employee, by a benefit.
 */
export type PreviewedOffer = {
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
     * Of their enrollment in the plan year; null: they would be granted none.
     */
    status: EnrollmentStatus | null;
    /**
     * The first day of coverage. null when it is not known.
     */
    coverage_start: Day | null;
    /**
     * What they could elect, per month, at what they would pay; empty where nothing is granted.
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
     * Of ICHRA and of plans of minimum value (MVP); null of others, and where a figure is missing.
     */
    affordability: PreviewedAffordability | null;
    /**
     * Why the affordability of an ICHRA or MVP is null: the figures that the service does not have.
     */
    missing_figures: Array<MissingFigure> | null;
    /**
     * What they had elected in the plan year before; null: nothing.
     */
    former: PreviewedCost | null;
    /**
     * What becomes of what they had; null: they had nothing, and have not answered.
     */
    outcome: RenewalOutcome | null;
    /**
     * Why they are not carried. coverage_ended: before the last day of the plan year. nothing_to_carry: they had not answered. benefit_not_offered: any more. not_eligible: no enrollment could begin. coverage_gap: the plan year before did not end the day before. active_renewal: it asks for an answer. choice_group: they have another benefit of it. plan_not_offered: nor a successor. tier_not_offered: that fits who may still be covered. no_premium: for one of them, where they live. after_renewal: what would carry them came after. null when none was given.
     */
    reason: RenewalReason | null;
    /**
     * What is answered, or would be by the renewal. null while nothing is.
     */
    answer: GivenAnswer | null;
    /**
     * What is elected, or would be by the renewal; null: nothing.
     */
    elected: PreviewedCost | null;
};

/**
 * Per month.
 */
export type PreviewedSums = {
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

/**
 * passive: whoever was enrolled or had waived at the end of the former plan year and does not answer keeps what they had. active: who does not answer has nothing.
 */
export type Renewal = 'passive' | 'active';

/**
 * carried: what they had is elected or waived again, or is going to be. answered: by somebody. lapses: coverage ends with the plan year before, unless somebody answers. not_carried: there is nothing to carry, or nobody to carry it for.
 */
export type RenewalOutcome = 'carried' | 'answered' | 'lapses' | 'not_carried';

export type RenewalReason = 'coverage_ended' | 'nothing_to_carry' | 'benefit_not_offered' | 'not_eligible' | 'coverage_gap' | 'active_renewal' | 'choice_group' | 'plan_not_offered' | 'tier_not_offered' | 'no_premium' | 'after_renewal';

/**
 * A life event as the operator sees it, with the organization that it was reported in.
 */
export type ReportedLifeEvent = LifeEvent & {
    organization_id: OrganizationId;
};

export type ReportedLifeEventAnswer = {
    data: ReportedLifeEvent;
};

export type ReportedLifeEventPage = {
    data: Array<ReportedLifeEvent>;
    pagination: Pagination;
};

export type Residence = Address & {
    /**
     * The county, which tells rating areas of ICHRA apart. null when it is not known.
     */
    county: string | null;
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

/**
 * How its people are paid; `All`: however they are.
 */
export type RuleCompensationType = 'Salary' | 'Hourly' | 'All';

/**
 * Whether the plan year is offered everywhere or in some states.
 */
export type RuleLocationType = 'All' | 'StateCodes';

export type SafeHarbor = 'federal_poverty_line' | 'rate_of_pay';

export type SandboxPayroll = {
    /**
     * Whom it employs from now on; as before unless said. null: as absent.
     */
    people?: Array<HrisPerson> | null;
    /**
     * None unless said. null: as absent.
     */
    misbehaviour?: Misbehaviour | null;
    /**
     * It misbehaves in so many attempts of each run; always unless said. null: as absent.
     */
    times?: number | null;
};

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

export type ShownOperatorInvitation = OperatorInvitation & {
    /**
     * The link to hand over, shown this once: it is good for 7 days, and once.
     */
    url: string;
};

export type ShownOperatorInvitationAnswer = {
    /**
     * Answer.
     */
    data: ShownOperatorInvitation;
};

export type ShownOperatorKey = OperatorKey & {
    /**
     * The key itself, shown this once.
     */
    operator_key: string;
};

export type ShownOperatorKeyAnswer = {
    /**
     * Answer.
     */
    data: ShownOperatorKey;
};

/**
 * openid: at the OpenID provider. sandbox: as one of the people of a sandbox.
 */
export type SignedInWith = 'openid' | 'sandbox';

/**
 * A US state or territory. Requests may also name it in full (`California`), in any case.
 */
export type State = 'AL' | 'AK' | 'AZ' | 'AR' | 'CA' | 'CO' | 'CT' | 'DC' | 'DE' | 'FL' | 'GA' | 'HI' | 'ID' | 'IL' | 'IN' | 'IA' | 'KS' | 'KY' | 'LA' | 'ME' | 'MD' | 'MA' | 'MI' | 'MN' | 'MS' | 'MO' | 'MT' | 'NE' | 'NV' | 'NH' | 'NJ' | 'NM' | 'NY' | 'NC' | 'ND' | 'OH' | 'OK' | 'OR' | 'PA' | 'RI' | 'SC' | 'SD' | 'TN' | 'TX' | 'UT' | 'VT' | 'VA' | 'WA' | 'WI' | 'WV' | 'WY' | 'PR' | 'GU' | 'AS' | 'VI' | 'MP' | 'MH' | 'PW' | 'FM' | 'AE' | 'AA' | 'AP';

export type StateFilter = 'queued' | 'processing' | 'held';

/**
 * The statement.
 */
export type StatementId = string;

export type StatementRun = {
    /**
     * Through which day statements are due. Not after today; today unless said. null: as absent.
     */
    day?: Day | null;
};

export type StatementRunAccepted = {
    employer_id: EmployerId;
    /**
     * Through which day statements are due.
     */
    day: Day;
    /**
     * What was not there yet, in the order of the periods.
     */
    opened_statement_ids: Array<StatementId>;
};

export type StatementRunAcceptedAnswer = {
    /**
     * Answer.
     */
    data: StatementRunAccepted;
};

export type StatusFilter = 'draft' | 'open' | 'overdue' | 'paid' | 'void';

export type Subscription = {
    id: SubscriptionId;
    employer_id: EmployerId;
    /**
     * The first day.
     */
    started_on: Day;
    /**
     * The first day without it. null while it has not ended.
     */
    ended_on: Day | null;
};

export type SubscriptionAnswer = {
    /**
     * Answer.
     */
    data: Subscription;
};

export type SubscriptionEnd = {
    /**
     * The first day without it.
     */
    ended_on: Day;
};

/**
 * The webhook subscription.
 */
export type SubscriptionId = string;

export type SubscriptionPage = {
    /**
     * Answer.
     */
    data: Array<Subscription>;
    pagination: Pagination;
};

/**
 * Work that waits for an operator. A completed task disappears from the list.
 */
export type Task = {
    /**
     * Its id.
     */
    id: TaskId;
    /**
     * Its kind.
     */
    kind: TaskKind;
    /**
     * Whose it is. Null if it concerns no single organization.
     */
    organization_id: OrganizationId | null;
    /**
     * The name of that organization. Null if it concerns no single organization.
     */
    organization_name: string | null;
    /**
     * Its employer. null when it is about none.
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
     * Further ids, days, numbers and webhook addresses by name. Nothing personal.
     */
    details: {
        [key: string]: string | number | boolean | null;
    };
    /**
     * Since when it waits.
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

export type TaskId = string;

/**
 * termination_beyond_reach: a roster reports a last day of employment more than 60 days ago. reinstatement_beyond_reach: a roster lists an employee whom an earlier roster left out more than 60 days ago. start_beyond_reach: a roster reports a first day that would take away coverage of more than 60 days ago. For these three, `resource_id` is the employee. enrollment_lapsing: an employee enrolled at the end of a plan year has neither elected nor waived in the next one and is not rolled over; `resource_id` is the enrollment in the next plan year. choice_group_doubled: an employee holds two benefits of one choice group; `resource_id` is the employee. enrollment_superseded: a loss was withdrawn after the employee had made another election; `resource_id` is the enrollment that continues. census_held: a census that would terminate many employees waits for confirmation; `resource_id` is the census, which can be discarded instead. life_event_pending: a reported life event waits for approval. hris_access_lost: the payroll system rejected our credentials; renewing them resumes the connection. webhook_disabled: a receiver was gone or failed for 5 days; resuming the subscription sends the missed events. webhook_deliveries_failed: a receiver did not accept an event in 14 attempts, but accepts others. invoice_drafted: a draft that is issued automatically on the third day. job_gave_up: a job that used up its attempts; `resource_id` is the job. daily_run_late: the daily run of an organization has not finished an hour after midnight; `resource_id` is the organization. affordability_figure_missing: a public figure that affordability needs for plan years that begin within 120 days; `resource_id` is the year.
 */
export type TaskKind = 'enrollment_lapsing' | 'termination_beyond_reach' | 'reinstatement_beyond_reach' | 'start_beyond_reach' | 'choice_group_doubled' | 'census_held' | 'enrollment_superseded' | 'life_event_pending' | 'hris_access_lost' | 'webhook_disabled' | 'webhook_deliveries_failed' | 'invoice_drafted' | 'job_gave_up' | 'daily_run_late' | 'affordability_figure_missing';

export type TaskPage = {
    data: Array<Task>;
    pagination: Pagination;
};

/**
 * Whether it is taken before or after taxes.
 */
export type TaxClassification = 'Pre-tax' | 'Post-tax';

export type TierRateId = string;

/**
 * An instant, ISO 8601 in UTC.
 */
export type Timestamp = string;

export type UsagePage = {
    /**
     * Answer.
     */
    data: Array<CredentialUsage>;
    pagination: Pagination;
};

export type User = {
    id: UserId;
    /**
     * Its name.
     */
    name: string;
    /**
     * The e-mail address, upper or lower case alike. null when it is not known.
     */
    email: string | null;
    /**
     * When made.
     */
    created_at: Timestamp;
};

export type UserAnswer = {
    /**
     * Answer.
     */
    data: User;
};

/**
 * The user.
 */
export type UserId = string;

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
 * How many events there were of each name, day by day.
 */
export type WebhookEventsByDay = {
    /**
     * The earliest first; of a day, what happened most comes first.
     */
    days: Array<{
        /**
         * A day on which something happened.
         */
        day: Day;
        /**
         * What happened on it.
         */
        happened: Array<{
            /**
             * What happened.
             */
            event_name: WebhookEventName;
            /**
             * How often on that day.
             */
            event_count: number;
        }>;
    }>;
    /**
     * Whether that is all: at most the earliest 20,000 are counted.
     */
    is_whole: boolean;
};

export type WebhookEventsByDayAnswer = {
    data: WebhookEventsByDay;
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

/**
 * The webhook subscription.
 */
export type WebhookSubscriptionId = string;

export type WebhookSubscriptionPage = {
    data: Array<WebhookSubscription>;
    pagination: Pagination;
};

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

export type OperatorListOperatorsQuery = {
    /**
     * Whether those who are no operators any more are listed too.
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
     * Those of one user.
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
     * The first day; 30 days ago unless said. Kept for 90 days.
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
     * The first day; 30 days ago unless said. Kept for 90 days.
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
    /**
     * Only of this organization.
     */
    organization_id?: OrganizationId;
};

export type OperatorExportAuditEntriesQuery = {
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
    /**
     * Only of this organization.
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
     * Only those that hold in this county: its own, and its state's.
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
     * Its kind.
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
     * Only those of this organization, of which `search` finds any part of a name.
     */
    organization_id?: OrganizationId;
    /**
     * How a name or legal name begins, or in full an id, an EIN or an administrator's e-mail address; at least 3 characters. At most 1000 are found: say more.
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

export type OperatorImportCatalogQuery = {
    /**
     * Tell what would change, row by row, and change nothing.
     */
    dry_run?: boolean;
};

export type OperatorExplainEligibilityQuery = {
    /**
     * The day that is asked about; today unless said.
     */
    as_of?: Day;
};

export type OperatorListEmployeeEnrollmentsQuery = {
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
     * Only those that are.
     */
    status?: LifeEventStatus;
    /**
     * Only those of this organization.
     */
    organization_id?: OrganizationId;
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

export type OperatorListAllPayrollDeductionStatementsQuery = {
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
     * The calendar year; the present one unless said.
     */
    year?: number;
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

export type OperatorListAllInvoicesQuery = {
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
     * The `next_offset` of the page before; opaque, and only good for the same employer.
     */
    offset?: string;
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

export type OperatorFindDependentsQuery = {
    /**
     * How the last name of the dependent begins, or a `dependent_id` in full; at least 3 characters. At most 1000 are found: say more.
     */
    search?: string;
    /**
     * Only those of this organization.
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
     * How a last name begins, or in full an e-mail address, a `member_id`, an `employee_id` or a `reference_id` that an employer gave; at least 3 characters. At most 1000 are found: say more.
     */
    search?: string;
    /**
     * Only those of this organization.
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

export type OperatorListOpenCensusSyncsQuery = {
    /**
     * Only those in this state.
     */
    state?: StateFilter;
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
     * Only those with one of these outcomes.
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
     * Only those whose last sync did not succeed.
     */
    failing?: boolean;
    /**
     * Only those of this organization.
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
     * Only those that are not completed.
     */
    under_way?: boolean;
    /**
     * Only those of this organization.
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

export type OperatorListWebhookSubscriptionsQuery = {
    /**
     * `failing`: the last attempt failed, and they are still sent to. `disabled`: nothing is sent any more.
     */
    health?: HealthFilter;
    /**
     * Only those of this organization.
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
};

export type OperatorCountWebhookEventsQuery = {
    /**
     * The first day that is counted, in Eastern time.
     */
    from?: Day;
};

export type OperatorListWebhookDeliveriesQuery = {
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

export type OperatorListJobsQuery = {
    /**
     * Those in this state; what was given up unless said.
     */
    state?: JobState;
    /**
     * Only those of this organization.
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
     * How a name begins, or in full an id or e-mail address; at least 3 characters. At most 1000 are found: say more.
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
     * How a name begins, or in full an id; at least 3 characters. At most 1000 are found: say more.
     */
    search?: string;
    /**
     * Only those whose daily run is late. Not beside `search`, which finds all.
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
     * The keys that are bound to this organization.
     */
    organization_id?: OrganizationId | null;
    /**
     * The keys of this user.
     */
    user_id?: UserId | null;
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

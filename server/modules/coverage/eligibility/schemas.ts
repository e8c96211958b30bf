import { z } from 'zod'
import { ResponseDay, DayText, Id, optional, Timestamp } from '../../../kernel/fields.ts'
import { pageOf } from '../../../kernel/pages.ts'
import { EmployeeClass, CompensationType } from '../../directory/catalog/schemas.ts'

const Classification = z.enum(['full_time', 'part_time', 'all']).meta({
  id: 'PolicyClassification',
  description:
    '`full_time` covers the class Full Time, `part_time` the class Part Time. ' +
    '`all` covers every class except Individual Contractor, which only `employee_classes` can list.',
})

/**
 * The longest waiting period of medical products (45 CFR 147.116). The SQL function `coverage_starts_on` applies it; a
 * test compares the two.
 */
export const max_waiting_days = 90

const WaitingPeriod = z.enum(['first_of_following_month', '30_days', '60_days', 'none']).meta({
  id: 'PolicyWaitingPeriod',
  description:
    'The waiting period after the hire date, or after entering an eligible class, before coverage can start.',
})

const StartAlignment = z.enum(['exact', 'first_of_month']).meta({
  id: 'PolicyStartAlignment',
  description:
    '`exact`: coverage can start on the day on which the waiting period ends. ' +
    '`first_of_month`: coverage starts on the first of a month on or after that day. This is never more than ' +
    `${max_waiting_days} days after the anchor.`,
})

const EmployeeClasses = z.array(EmployeeClass).meta({ description: 'The classes that the policy covers.' })

const CompensationTypes = z.array(CompensationType).meta({
  description:
    'Covers only employees with one of these compensation types, and no employees whose type is unknown. Null ' +
    'covers all types.',
})

const ServiceCreditWeeks = z
  .int()
  .min(0)
  .max(52)
  .meta({
    description:
      'The maximum absence in weeks after which an employee who is rehired, or returns to a covered class, does not ' +
      'wait again. Coverage then begins on the first of the next month, or immediately with the waiting period ' +
      '`none`, and the elections of the plan year apply again. With 0, every return begins a new waiting period.',
  })

const EligibilityBasis = z.enum(['employee_class', 'measured']).meta({
  id: 'EligibilityBasis',
  description:
    '`employee_class`: the policy covers its classes. `measured`: it covers employees of its classes while they are ' +
    'full-time by hours of service. The administrative period before a stability period takes the place of the ' +
    'waiting period. Until an employee is measured, the class Full Time is covered.',
})

const BenefitIds = z.array(Id('bprd')).max(100).meta({
  description: 'The benefits that the policy applies to. Empty for all benefits without a policy of their own.',
})

const distinct = <Item>(items: Item[]): Item[] => [...new Set(items)]

const isObject = ({ value }: { value: unknown }) => typeof value === 'object' && value !== null

const hasField = (value: object, field: string) => ((value as Record<string, unknown>)[field] ?? null) !== null

export const NewBenefitEligibilityPolicy = z
  .object({
    classification: optional(Classification),
    employee_classes: optional(EmployeeClasses.min(1).transform(distinct)).meta({
      description: 'The classes that the policy covers. Send this or `classification`.',
    }),
    compensation_types: optional(CompensationTypes.min(1).transform(distinct)),
    waiting_period: WaitingPeriod,
    start_alignment: optional(StartAlignment),
    service_credit_weeks: optional(ServiceCreditWeeks).meta({
      description: 'The service credit in weeks, as in BenefitEligibilityPolicy. The default is 13.',
    }),
    benefit_ids: optional(BenefitIds.transform(distinct)),
    eligibility_basis: optional(EligibilityBasis).meta({ description: 'The default is `employee_class`.' }),
  })
  // Reported together with all other errors of the request.
  .refine((input) => hasField(input, 'classification') || hasField(input, 'employee_classes'), {
    path: ['classification'],
    error: 'is required unless you send employee_classes',
    when: isObject,
  })
  .refine((input) => !hasField(input, 'classification') || !hasField(input, 'employee_classes'), {
    path: ['employee_classes'],
    error: 'must not be sent together with classification',
    when: isObject,
  })
  .meta({ id: 'NewBenefitEligibilityPolicy' })

export type NewBenefitEligibilityPolicy = z.input<typeof NewBenefitEligibilityPolicy>

const input = {
  classification: Classification.meta({
    description:
      'With `employee_classes`: `full_time` or `part_time` if the policy covers exactly that class, otherwise `all`. ' +
      '`employee_classes` lists the classes that it covers.',
  }),
  employee_classes: EmployeeClasses,
  compensation_types: CompensationTypes.nullable(),
  waiting_period: WaitingPeriod,
  start_alignment: StartAlignment,
  service_credit_weeks: ServiceCreditWeeks,
  benefit_ids: BenefitIds,
  eligibility_basis: EligibilityBasis,
}

export const BenefitEligibilityPolicy = z
  .object({
    id: Id('epol'),
    active: z.boolean().meta({ description: 'Whether this policy is in force. False if it is archived.' }),
    employer_id: Id('empr'),
    ...input,
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({
    id: 'BenefitEligibilityPolicy',
    description:
      'The rules that decide which employees of an employer are eligible for benefits, and after which waiting ' +
      'period.',
  })

export const BenefitEligibilityPolicyPage = pageOf('BenefitEligibilityPolicyPage', BenefitEligibilityPolicy)

const PolicyInForce = z.object({ id: Id('epol'), ...input }).meta({ id: 'PolicyInForce' })
export type PolicyInForce = z.output<typeof PolicyInForce>

export const EligibilityQuery = z.object({
  as_of: DayText.optional().meta({ description: 'The day to explain. The default is today.' }),
})

const Warning = z
  .object({
    code: z
      .enum([
        'class_unknown',
        'compensation_type_unknown',
        'hire_date_unknown',
        'policy_came_later',
        'coverage_capped',
        'plan_year_ends_first',
        'not_offered_in_state',
      ])
      .meta({ id: 'EligibilityWarningCode' }),
    message: z.string(),
  })
  .meta({ id: 'EligibilityWarning' })
export type Warning = z.output<typeof Warning>

const ExplainedBenefit = z.object({
  id: Id('bprd'),
  category: z.string(),
  name: z.string(),
  product_code: z.string(),
})

const BenefitExplanation = z
  .object({
    benefit: ExplainedBenefit,
    benefit_plan_year_id: Id('plyr'),
    anchor: ResponseDay.meta({ description: 'The first day of the waiting period.' }),
    rule: WaitingPeriod,
    raw_day: ResponseDay.meta({
      description:
        'The first day after the waiting period by its rule alone, before `start_alignment`, `floor` and `cap` apply.',
    }),
    start_alignment: StartAlignment,
    aligned_day: ResponseDay.meta({
      description: 'The raw day, or the first of the next month if `start_alignment` requires it.',
    }),
    service_from: ResponseDay.nullable().meta({
      description:
        'For an employee who returned within the service credit: the first day of the earlier service, from which ' +
        'the waiting period continues. Coverage begins on the first of the next month at the earliest, or ' +
        'immediately with the waiting period `none`. Null for new employees and for those who returned too late.',
    }),
    eligibility_policy_id: Id('epol').meta({ description: 'The policy whose waiting period applies.' }),
    floor: ResponseDay.meta({
      description:
        'The earliest possible day: the start of the plan year, of the benefit, or of a policy that was created ' +
        'later, whichever is last.',
    }),
    cap: ResponseDay.nullable().meta({
      description:
        'The latest first day after the waiting period for medical products under any rule, ' +
        `${max_waiting_days} days after the anchor.`,
    }),
    coverage_start: ResponseDay.nullable().meta({
      description:
        'The first day of coverage: the latest of the day after the waiting period, the start of the plan year and ' +
        'the start of the benefit. Null if eligibility is lost before that day, so that coverage cannot start.',
    }),
    enrollment: z
      .object({ id: Id('enrl'), coverage_start: ResponseDay, coverage_end: ResponseDay.nullable() })
      .nullable()
      .meta({
        description:
          'The enrollment that was granted, if any. A life event, a correction or earlier coverage can have ' +
          'moved its days.',
      }),
    warnings: z.array(Warning),
  })
  .meta({ id: 'BenefitExplanation' })

const ReasonCode = z
  .enum([
    'waiting_period_ended',
    'waiting',
    'employment_ended',
    'not_employed_yet',
    'no_policy',
    'pay_not_covered',
    'class_not_covered',
    'not_measured_full_time',
  ])
  .meta({ id: 'EligibilityReasonCode', description: 'The reason as a stable, machine-readable code.' })

const BenefitWithoutPeriod = z
  .object({
    benefit: ExplainedBenefit,
    benefit_plan_year_id: Id('plyr'),
    eligibility_policy: PolicyInForce.nullable(),
    reason_code: ReasonCode,
    reason: z.string(),
  })
  .meta({ id: 'BenefitWithoutPeriod' })

export const EligibilityExplanation = z
  .object({
    employee_id: Id('empl'),
    employer_id: Id('empr'),
    as_of: ResponseDay,
    status: z.enum(['eligible', 'waiting', 'not_eligible']).meta({
      id: 'EligibilityStatus',
      description:
        'eligible: the waiting period has ended. waiting: in the waiting period. not_eligible: not in a covered ' +
        'class, or not employed.',
    }),
    reason_code: ReasonCode,
    reason: z.string().meta({ description: 'The reason as a human-readable sentence.' }),
    hire_date: ResponseDay.nullable(),
    termination_date: ResponseDay.nullable(),
    employee_class: z
      .string()
      .nullable()
      .meta({ description: 'The class on that day. Null if it is unknown. Full Time is then assumed.' }),
    compensation_type: z
      .string()
      .nullable()
      .meta({ description: 'The compensation type on that day. Null if it is unknown.' }),
    class_history: z
      .array(
        z.object({
          employee_class: z.string().meta({ description: 'The reported class.' }),
          effective_on: ResponseDay.meta({
            description: 'The first day of the class. For the first class, the first day of the employment.',
          }),
        }),
      )
      .meta({
        description:
          'The classes of this employment, oldest first, including changes that are effective after that day.',
      }),
    eligibility_policy: PolicyInForce.nullable().meta({
      description:
        'The policy that is in force on that day for benefits without a policy of their own. If no such policy ' +
        'exists, the first policy for specific benefits.',
    }),
    anchor: ResponseDay.nullable().meta({
      description: 'The hire date, or the day on which the employee entered an eligible class.',
    }),
    eligible_on: ResponseDay.nullable(),
    eligibility_lost_on: ResponseDay.nullable().meta({
      description: 'The first day on which the employee is no longer eligible.',
    }),
    covered_until: ResponseDay.nullable().meta({
      description: 'The last day of the month in which eligibility was lost.',
    }),
    benefits: z.array(BenefitExplanation),
    benefits_without_period: z.array(BenefitWithoutPeriod).meta({
      description:
        'Benefits with a policy of their own that has not covered the employee on any day so far, with the reason.',
    }),
    warnings: z.array(Warning),
  })
  .meta({
    id: 'EligibilityExplanation',
    description: 'Explains whether an employee is eligible on a day, and when coverage by each benefit starts.',
  })
export type EligibilityExplanation = z.output<typeof EligibilityExplanation>

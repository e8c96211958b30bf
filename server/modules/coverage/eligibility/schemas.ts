import { z } from 'zod'
import { DayAnswer, DayText, Id, optional, Timestamp } from '../../../kernel/fields.ts'
import { pageQuery, Pagination } from '../../../kernel/pages.ts'
import { employee_classes } from '../../directory/catalog/schemas.ts'

const Classification = z.enum(['full_time', 'part_time', 'all']).meta({
  id: 'PolicyClassification',
  description:
    'full_time: class Full Time. part_time: class Part Time. all: every class but Individual Contractor, which only ' +
    '`employee_classes` can name.',
})

const WaitingPeriod = z.enum(['first_of_following_month', '30_days', '60_days', 'none']).meta({
  id: 'PolicyWaitingPeriod',
  description: 'How long after being hired, or entering an eligible class, coverage can start.',
})

const StartAlignment = z.enum(['exact', 'first_of_month']).meta({
  id: 'PolicyStartAlignment',
  description:
    'exact: coverage can start on the day on which the waiting period is over. first_of_month: on the first of a ' +
    'month on or after it; that is never more than 90 days after the anchor.',
})

const EmployeeClasses = z.array(z.enum(employee_classes)).meta({ description: 'The classes that are covered.' })

const CompensationTypes = z.array(z.enum(['Salary', 'Hourly'])).meta({
  description: 'Only who is paid like that is covered, and nobody of whom it is not known. null: everybody.',
})

const ServiceCreditWeeks = z
  .int()
  .min(0)
  .max(52)
  .meta({
    description:
      'Who comes back within so many weeks, rehired or to a covered class, does not wait again: ' +
      'coverage begins on the first of the next month, or at once with `none`, and what they had ' +
      'elected in the plan year holds again. 0: they begin anew.',
  })

const BenefitIds = z.array(Id('bprd')).max(100).meta({
  description: 'The benefits that the policy is for. Empty: all that have no policy of their own.',
})

const distinct = <Item>(items: Item[]): Item[] => [...new Set(items)]

const isObject = ({ value }: { value: unknown }) => typeof value === 'object' && value !== null

const isSaid = (said: object, field: string) => ((said as Record<string, unknown>)[field] ?? null) !== null

export const NewBenefitEligibilityPolicy = z
  .object({
    classification: optional(Classification),
    employee_classes: optional(EmployeeClasses.min(1).transform(distinct)).meta({
      description: 'The classes that are covered, instead of `classification`.',
    }),
    compensation_types: optional(CompensationTypes.min(1).transform(distinct)),
    waiting_period: WaitingPeriod,
    start_alignment: optional(StartAlignment),
    service_credit_weeks: optional(ServiceCreditWeeks).meta({ description: '13 unless sent.' }),
    benefit_ids: optional(BenefitIds.transform(distinct)),
  })
  // Told with whatever else is wrong.
  .refine((said) => isSaid(said, 'classification') || isSaid(said, 'employee_classes'), {
    path: ['classification'],
    error: 'is required unless employee_classes are named',
    when: isObject,
  })
  .refine((said) => !isSaid(said, 'classification') || !isSaid(said, 'employee_classes'), {
    path: ['employee_classes'],
    error: 'must not be named beside a classification',
    when: isObject,
  })
  .meta({ id: 'NewBenefitEligibilityPolicy' })

export type NewBenefitEligibilityPolicy = z.input<typeof NewBenefitEligibilityPolicy>

const said = {
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
}

export const BenefitEligibilityPolicy = z
  .object({
    id: Id('epol'),
    active: z.boolean().meta({ description: 'Whether it is a current policy of its employer.' }),
    employer_id: Id('empr'),
    ...said,
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'BenefitEligibilityPolicy', description: 'Who of an employer is eligible for benefits, and how soon.' })

export const PolicyPaging = z.object(pageQuery)
export const BenefitEligibilityPolicyPage = z
  .object({ data: z.array(BenefitEligibilityPolicy), pagination: Pagination })
  .meta({ id: 'BenefitEligibilityPolicyPage' })

const PolicyInForce = z.object({ id: Id('epol'), ...said }).meta({ id: 'PolicyInForce' })
export type PolicyInForce = z.output<typeof PolicyInForce>

export const EligibilityQuery = z.object({
  as_of: DayText.optional().meta({ description: 'The day that is asked about; today unless said.' }),
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

const BenefitExplanation = z
  .object({
    benefit: z.object({
      id: Id('bprd'),
      category: z.string(),
      name: z.string(),
      product_code: z.string(),
    }),
    benefit_plan_year_id: Id('plyr'),
    anchor: DayAnswer.meta({ description: 'The day that the waiting period counts from.' }),
    rule: WaitingPeriod,
    raw_day: DayAnswer.meta({ description: 'When the waiting period is over by the rule alone.' }),
    start_alignment: StartAlignment,
    aligned_day: DayAnswer.meta({
      description: 'The raw day, or the first of a month that follows, by the alignment.',
    }),
    service_from: DayAnswer.nullable().meta({
      description:
        'Of who came back in time: the first day of the service that counts. The waiting goes on from it, and is ' +
        'over on the first of the next month at the earliest, or at once with `none`. null: they are new, or ' +
        'came back too late.',
    }),
    eligibility_policy_id: Id('epol').meta({ description: 'The policy that was waited out.' }),
    floor: DayAnswer.meta({
      description:
        'Not before: the start of the plan year, of the benefit, or of a policy that came later, whichever is last.',
    }),
    cap: DayAnswer.nullable().meta({
      description: 'For medical products the waiting is over by this day, 90 days after the anchor, whatever its rule.',
    }),
    coverage_start: DayAnswer.nullable().meta({
      description:
        'The result: the latest of the end of the waiting period, the start of the plan year and the start of the ' +
        'benefit. Null if eligibility is lost before that day, so that no coverage can start.',
    }),
    enrollment: z
      .object({ id: Id('enrl'), coverage_start: DayAnswer, coverage_end: DayAnswer.nullable() })
      .nullable()
      .meta({
        description:
          'The enrollment that was granted, if any; ' +
          'a life event, a correction or earlier coverage may have moved its days.',
      }),
    warnings: z.array(Warning),
  })
  .meta({ id: 'BenefitExplanation' })

const ReasonCode = z
  .enum([
    'waiting_is_over',
    'waiting',
    'employment_ended',
    'not_employed_yet',
    'no_policy',
    'pay_not_covered',
    'class_not_covered',
  ])
  .meta({ id: 'EligibilityReasonCode', description: 'The reason, for programs.' })

const BenefitWithoutPeriod = z
  .object({
    benefit_id: Id('bprd'),
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
    as_of: DayAnswer,
    status: z.enum(['eligible', 'waiting', 'not_eligible']).meta({ id: 'EligibilityStatus' }),
    reason_code: ReasonCode,
    reason: z.string().meta({ description: 'A sentence for people.' }),
    hire_date: DayAnswer.nullable(),
    termination_date: DayAnswer.nullable(),
    employee_class: z.string().nullable().meta({ description: 'On that day; a missing class counts as Full Time.' }),
    compensation_type: z.string().nullable().meta({ description: 'On that day.' }),
    eligibility_policy: PolicyInForce.nullable().meta({
      description:
        'In force on that day for the benefits without one of their own, or else for the first that has one.',
    }),
    anchor: DayAnswer.nullable().meta({ description: 'The hire date, or the day of entering an eligible class.' }),
    waiting_period_ends_on: DayAnswer.nullable(),
    eligibility_lost_on: DayAnswer.nullable().meta({ description: 'The first day no longer eligible.' }),
    covered_until: DayAnswer.nullable().meta({ description: 'The last day of the month of that loss.' }),
    benefits: z.array(BenefitExplanation),
    benefits_out_of_reach: z.array(BenefitWithoutPeriod).meta({
      description: 'Benefits with a policy of their own that covers the employee on no day until then, and why.',
    }),
    warnings: z.array(Warning),
  })
  .meta({ id: 'EligibilityExplanation', description: 'Why an employee is eligible from which day, per benefit.' })
export type EligibilityExplanation = z.output<typeof EligibilityExplanation>

import { z } from 'zod'
import { DayAnswer, DayText, Id, Timestamp } from '../../kernel/fields.ts'

const Classification = z.enum(['full_time', 'part_time', 'all']).meta({
  description: 'full_time: class Full Time. part_time: class Part Time. all: every class.',
})

const WaitingPeriod = z.enum(['first_of_following_month', '30_days', '60_days', 'none']).meta({
  description: 'How long after being hired, or entering an eligible class, coverage can start.',
})

export const NewBenefitEligibilityPolicy = z
  .object({ classification: Classification, waiting_period: WaitingPeriod })
  .meta({ id: 'NewBenefitEligibilityPolicy' })

export type NewBenefitEligibilityPolicy = z.output<typeof NewBenefitEligibilityPolicy>

export const BenefitEligibilityPolicy = z
  .object({
    id: Id('epol'),
    active: z.boolean().meta({ description: 'Whether it is the current policy of its employer.' }),
    classification: Classification,
    employer_id: Id('empr'),
    waiting_period: WaitingPeriod,
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'BenefitEligibilityPolicy', description: 'Who of an employer is eligible for benefits, and how soon.' })

export const EligibilityQuery = z.object({
  as_of: DayText.optional().meta({ description: 'The day that is asked about; today unless said.' }),
})

const Warning = z
  .object({
    code: z.enum([
      'class_unknown',
      'hire_date_unknown',
      'policy_came_later',
      'coverage_capped',
      'plan_year_ends_first',
      'not_offered_in_state',
    ]),
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
    floor: DayAnswer.meta({
      description:
        'Not before: the start of the plan year, of the benefit, or of a policy that came later, whichever is last.',
    }),
    cap: DayAnswer.nullable().meta({
      description: 'For medical products the waiting is over by this day, 90 days after the anchor, whatever its rule.',
    }),
    coverage_start: DayAnswer.meta({
      description:
        'What follows: the last of the end of the waiting, the start of the plan year and that of the benefit.',
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

export const EligibilityExplanation = z
  .object({
    employee_id: Id('empl'),
    employer_id: Id('empr'),
    as_of: DayAnswer,
    status: z.enum(['eligible', 'waiting', 'not_eligible']),
    reason: z.string().meta({ description: 'A sentence for people.' }),
    hire_date: DayAnswer.nullable(),
    termination_date: DayAnswer.nullable(),
    employee_class: z.string().nullable().meta({ description: 'On that day; a missing class counts as Full Time.' }),
    eligibility_policy: z
      .object({ id: Id('epol'), classification: Classification, waiting_period: WaitingPeriod })
      .nullable()
      .meta({ description: 'In force on that day.' }),
    anchor: DayAnswer.nullable().meta({ description: 'The hire date, or the day of entering an eligible class.' }),
    waiting_period_ends_on: DayAnswer.nullable(),
    eligibility_lost_on: DayAnswer.nullable().meta({ description: 'The first day no longer eligible.' }),
    covered_until: DayAnswer.nullable().meta({ description: 'The last day of the month of that loss.' }),
    benefits: z.array(BenefitExplanation),
    warnings: z.array(Warning),
  })
  .meta({ id: 'EligibilityExplanation', description: 'Why an employee is eligible from which day, per benefit.' })
export type EligibilityExplanation = z.output<typeof EligibilityExplanation>

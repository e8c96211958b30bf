import { z } from 'zod'
import { clearable, DayAnswer, DayText, Id, optional, State, text, trimmed } from '../../../kernel/fields.ts'
import { BenefitCategory, BenefitFamily, coverage_tiers, employee_classes } from '../../directory/catalog/schemas.ts'
import { BenefitEligibilityPolicy } from '../eligibility/schemas.ts'
import { EnrollmentRate } from '../../directory/employers/schemas.ts'

const Tier = z.enum(coverage_tiers)
const cents = z.int().min(0)
/** At most a billion dollars, like the amounts of the catalog. */
const Cents = cents.max(100_000_000_000).meta({ description: 'Per month.' })

/** A number that floating point holds as near as any with two decimals. */
const Percentage = z
  .number()
  .min(0)
  .max(100)
  .refine((value) => Number(value.toFixed(2)) === value, 'must have at most two decimals')
  .meta({ description: 'Of the premium, with at most two decimals; rounded half up to cents.', example: 62.5 })

/** null, or absent: whichever. */
const either = <Shape extends z.ZodType>(shape: Shape) => shape.nullable().default(null)
const ForTier = either(Tier).meta({ description: 'null: every tier.' })

const fixed = z.object({
  coverage_tier: ForTier,
  method: z.literal('fixed').meta({ description: 'An amount.' }),
  amount_in_cents: Cents,
})
const percentage = z.object({
  coverage_tier: ForTier,
  method: z.literal('percentage').meta({ description: 'A part of the premium.' }),
  percentage: Percentage,
})

export const ContributionTier = z
  .discriminatedUnion('method', [fixed, percentage], { error: 'must be one of fixed, percentage' })
  .meta({ id: 'ContributionTier', description: 'What the employer pays in a tier. The first that fits counts.' })

const Age = either(z.int().min(0).max(150))
const ichraClass = z.object({
  name: text(),
  employee_class: either(z.enum(employee_classes)),
  min_age: Age,
  max_age: Age,
  state: either(State),
  coverage_tier: ForTier,
  allowance_in_cents: Cents,
})

export const IchraContributionClass = ichraClass
  .refine(({ min_age, max_age }) => min_age === null || max_age === null || min_age <= max_age, {
    error: 'must not be below min_age',
    path: ['max_age'],
  })
  .meta({
    id: 'IchraContributionClass',
    description:
      'The allowance for people of a class, age, state and tier; null fits whichever. The first that fits counts.',
  })

export const ContributionStrategy = z.object({
  contribution_tiers: z.array(ContributionTier),
  ichra_contribution_classes: z.array(IchraContributionClass),
})
export type ContributionStrategy = z.output<typeof ContributionStrategy>

/** A list of 1 to `most` that holds nothing twice. */
export const distinct = <Shape extends z.ZodType>(
  shape: Shape,
  most: number,
  keyOf: (item: z.output<Shape>) => unknown,
) =>
  z
    .array(shape)
    .min(1)
    .max(most)
    .superRefine((items, context) => {
      const keys = items.map(keyOf)
      keys.forEach((key, at) => {
        if (keys.indexOf(key) < at) context.addIssue({ code: 'custom', path: [at], message: 'must not be there twice' })
      })
    })

export const NewPlanYearBenefit = z
  .object({
    benefit_id: Id('bprd'),
    plan_ids: optional(distinct(Id('pln'), 100, (id) => id)).meta({
      description: 'Unless sent: every plan of the benefit that has a rate on coverage_start.',
    }),
    starts_on: optional(DayText).meta({ description: 'Its first day, coverage_start unless sent.' }),
    contribution_tiers: optional(z.array(ContributionTier).max(50)).meta({
      description: 'For all but ICHRA. A tier for which none fits is paid by the employee.',
    }),
    ichra_contribution_classes: optional(z.array(IchraContributionClass).max(200)).meta({
      description: "For ICHRA. Unless sent: the allowances of the catalog's plans. Whom none fits is allowed nothing.",
    }),
  })
  .meta({ id: 'NewPlanYearBenefit', description: 'A benefit that a plan year offers.' })

const window = {
  open_enrollment_start: optional(DayText).meta({ description: 'Sent together with open_enrollment_end.' }),
  open_enrollment_end: optional(DayText).meta({ description: 'The last day, not after coverage_end.' }),
}
const Year = optional(z.int().min(1900).max(2199))
const States = optional(
  z
    .array(State)
    .max(1000)
    .overwrite((codes) => [...new Set(codes)]),
).meta({
  description: 'Where it is offered; [] means everywhere.',
})

const ChoiceGroup = z
  .object({
    name: text().meta({ description: 'Plan years of an employer that name it alike have one group between them.' }),
    benefit_ids: distinct(Id('bprd'), 50, (id) => id),
  })
  .meta({ id: 'ChoiceGroup', description: 'Benefits of which an employee may hold one at a time.' })

const ChoiceGroups = z
  .array(ChoiceGroup)
  .max(50)
  .superRefine((groups, context) => {
    const seen = new Set<string>()
    const take = (key: string, path: PropertyKey[]) => {
      if (seen.has(key)) context.addIssue({ code: 'custom', path: [...path], message: 'must not be in two groups' })
      seen.add(key)
    }
    groups.forEach(({ name, benefit_ids }, at) => {
      take(`name ${name}`, [at, 'name'])
      benefit_ids.forEach((id, place) => take(id, [at, 'benefit_ids', place]))
    })
  })
const usual_groups = 'EBA, MEC, MVP and ICHRA products are one group, `medical`'

const Benefits = distinct(NewPlanYearBenefit, 50, ({ benefit_id }) => benefit_id)

const Renewal = z.enum(['passive', 'active']).meta({
  id: 'Renewal',
  description:
    'passive: whoever was enrolled or had waived at the end of the former plan year and does not answer keeps what ' +
    'they had. active: who does not answer has nothing.',
})
const Successors = z
  .record(Id('pln'), Id('pln'))
  .refine((successors) => Object.keys(successors).length <= 100, 'must have at most 100 entries')
const PlanSuccessors = Successors.meta({
  description:
    'Of plans that are not offered again, by their id: the plan of the same benefit that takes their place. Replaced ' +
    'as a whole.',
  example: {},
})

export const NewPlanYear = z.object({
  year: Year.meta({ description: 'The year of coverage_start unless sent.' }),
  coverage_start: DayText,
  coverage_end: optional(DayText).meta({
    description: 'The last day; unless sent, a year after coverage_start less a day. At most 366 days in all.',
  }),
  ...window,
  offered_states: States,
  renewal: optional(Renewal).meta({ description: 'active unless sent.' }),
  plan_successors: optional(PlanSuccessors),
  benefits: Benefits.meta({ description: 'The first leads the plan year.' }),
  choice_groups: optional(ChoiceGroups).meta({ description: `Unless sent: ${usual_groups}. []: none.` }),
})
export type NewPlanYear = z.output<typeof NewPlanYear>

export const PlanYearChanges = z.object({
  year: Year.meta({
    description: 'Unless it was called otherwise, the plan year follows the year of coverage_start.',
  }),
  coverage_start: optional(DayText),
  coverage_end: optional(DayText),
  open_enrollment_start: clearable(DayText).meta({
    description: 'null, sent together with a null for open_enrollment_end: no open enrollment.',
  }),
  open_enrollment_end: clearable(DayText).meta({ description: 'The last day, not after coverage_end.' }),
  offered_states: States,
  renewal: optional(Renewal).meta({ description: 'May still change after coverage_start.' }),
  plan_successors: optional(PlanSuccessors).meta({ description: 'May still change after coverage_start.' }),
  benefits: optional(Benefits).meta({ description: 'Replaced as a whole; one that is not named is withdrawn.' }),
  choice_groups: optional(ChoiceGroups).meta({
    description: `Replaced as a whole. Unless sent, what is offered keeps its group; of what is new ${usual_groups}.`,
  }),
})
export type PlanYearChanges = Partial<z.output<typeof PlanYearChanges>>

export const PlanYearCopy = z.object({
  coverage_start: optional(DayText).meta({ description: 'The day after the end of the former unless sent.' }),
  open_enrollment_start: window.open_enrollment_start.meta({
    description:
      'Sent together with open_enrollment_end. Unless sent, the open enrollment of the former is moved by as much as ' +
      'coverage_start, and left out if it would be over by today.',
  }),
  open_enrollment_end: window.open_enrollment_end,
  renewal: optional(Renewal).meta({ description: 'passive unless sent.' }),
  plan_successors: optional(PlanSuccessors).meta({
    description: 'Plans that are not offered again, each with the one of its benefit that is offered in its place.',
  }),
})
export type PlanYearCopy = z.output<typeof PlanYearCopy>

const Range = z
  .object({ min_cents: cents, max_cents: cents })
  .meta({ id: 'MonthlyRange', description: 'The least and the most, in cents a month.' })
  .nullable()
  .meta({ description: 'Per month, over plans and tiers of the leading benefit.' })

const Benefit = z.object({
  id: Id('bprd'),
  category: BenefitCategory,
  name: z.string(),
  product_code: z.string(),
})

const Status = z.enum(['active', 'upcoming', 'open_enrollment', 'inactive']).meta({ id: 'BenefitPlanYearStatus' })

const common = {
  id: Id('plyr').meta({ description: 'Same as benefit_plan_year_id.' }),
  benefit_plan_year_id: Id('plyr'),
  benefit_id: Id('bprd').meta({
    description: 'The leading benefit, of which the fields up to the contributions speak.',
  }),
  year: z.int().meta({ description: 'The year that it is called by, that of its start unless said.' }),
  family: BenefitFamily,
  product_name: z.string(),
  carrier: z.string().nullable().meta({ description: 'Of the plan with the premium; null when nothing is priced.' }),
  network_names: z.array(z.string()),
  premium_in_cents: cents
    .nullable()
    .meta({ description: 'The lowest monthly premium of an employee alone, in cents; null when nothing is priced.' }),
  employee_contribution: Range,
  employer_contribution: Range,
  status: Status,
  coverage_start: DayAnswer,
  coverage_end: DayAnswer.meta({ description: 'The last day of coverage.' }),
  open_enrollment_start: DayAnswer.meta({
    description:
      'The first day on which everybody may choose; the start of coverage where there is no open enrollment.',
  }),
  open_enrollment_end: DayAnswer.nullable().meta({
    description: 'The last day of open enrollment; null when there is none.',
  }),
  offered_states: z.array(z.string()).meta({ description: 'Empty: everywhere.' }),
  renewal: Renewal,
  plan_successors: z
    .record(z.string(), z.string())
    .meta({ description: 'Of plans that are not offered again, by their id: the plan that takes their place.' }),
  notice_due_on: DayAnswer.nullable().meta({
    description: 'By when employees are to have the notice of an ICHRA: 90 days before the start; null without one.',
  }),
}

const roll_up = {
  benefit_families: z.array(z.string()).meta({ description: 'The families of all its benefits, in upper case.' }),
  enrollment_rate: EnrollmentRate,
}

export const BenefitPlanYearRow = z
  .object({
    ...common,
    benefits: z.array(Benefit),
    ...roll_up,
    is_current: z.boolean().meta({ description: 'Whether coverage runs today.' }),
  })
  .meta({ id: 'BenefitPlanYearRow' })

const ofBenefit = { benefit_id: Id('bprd') }

const PricedTier = z
  .object({
    ...ofBenefit,
    coverage_tier: Tier,
    method: z.enum(['fixed', 'percentage']).meta({ description: 'How the employer pays: an amount, or a part.' }),
    amount_in_cents: cents.nullable().meta({
      description: 'What the employer pays a month.',
      on_null: 'null: a part of the premium.',
    }),
    percentage: z.number().nullable().meta({
      description: 'Of the premium, which the employer pays.',
      on_null: 'null: an amount.',
    }),
    benefit_plan_id: Id('pln').meta({ description: 'The plan.' }),
    benefit_plan_name: z.string().meta({ description: 'The name of the plan.' }),
    benefit_plan_tier_name: z
      .string()
      .meta({ description: 'The coverage tier for people.', example: 'Employee and spouse' }),
    premium_in_cents: cents.meta({ description: 'The whole price per month.' }),
    employer_contribution_in_cents: cents.meta({ description: 'What the employer pays of it.' }),
    cost: cents.meta({ description: 'What the employee pays of it, per month, in cents.' }),
    cost_per_dependent: cents.meta({
      description: 'What each dependent costs besides, in cents: 0, since a tier has one price.',
    }),
    dependents_required_in: z.boolean().meta({ description: 'Whether the tier is for who has children.' }),
    spouse_required_in: z.boolean().meta({ description: 'Whether the tier is for who has a spouse.' }),
  })
  .meta({ id: 'PricedTier', description: 'What a plan costs in a tier, and by which rule the employer pays.' })

const ShownIchraClass = ichraClass
  .extend({
    ...ofBenefit,
    contribution_class_id: z.string().meta({
      description: 'Tells the classes of a plan year apart, by their place among them.',
      example: 'iccl_0b6a1f4f8c2d9e3a7b5c1d0e2f',
    }),
    amount_in_cents: cents.meta({ description: 'The same as `allowance_in_cents`.' }),
    employment: z.string().meta({ description: 'The same as `employee_class`; `Unspecified` for all.' }),
    compensation: z.string().meta({ description: 'Always `Unspecified`: allowances do not ask how people are paid.' }),
    family_status: z.string().meta({ description: 'The same as `coverage_tier`; `Unspecified` for all.' }),
    location: z.enum(['State', 'Unspecified']).meta({
      description: 'Whether it is for a state; `Unspecified` for all.',
    }),
    location_value: z.string().nullable().meta({ description: 'The same as `state`.', on_null: 'null: everywhere.' }),
  })
  .meta({ id: 'ShownIchraClass', description: 'An allowance of an ICHRA, and whom it fits: the first that does.' })

const PolicyInOtherWords = BenefitEligibilityPolicy.extend({
  termination_rule: z.literal('END_OF_N_MONTHS').meta({
    description: 'When coverage ends after the last day of work or of being eligible: with the end of a month.',
  }),
  termination_n_months: z.int().meta({
    description: 'How many months after that day: 0, with the end of its own month.',
  }),
  rules: z
    .array(
      z.object({
        employee_class: z.enum(employee_classes).meta({ description: 'A class that is covered.' }),
        compensation_type: z
          .enum(['Salary', 'Hourly', 'All'])
          .meta({ id: 'RuleCompensationType', description: 'How its people are paid; `All`: however they are.' }),
        eligible_geographical_location: z
          .object({
            type: z.enum(['All', 'StateCodes']).meta({
              id: 'RuleLocationType',
              description: 'Whether the plan year is offered everywhere or in some states.',
            }),
            state_codes: z.array(z.string()).meta({ description: 'Those states; empty: everywhere.' }),
          })
          .meta({ description: 'Where its people live.' }),
      }),
    )
    .meta({ description: 'Whom it covers, class by class.' }),
}).meta({ id: 'PlanYearEligibilityPolicy' })

export const BenefitPlanYear = z
  .object({
    ...common,
    benefits: z.array(Benefit.extend({ enrollment_rate: EnrollmentRate })),
    choice_groups: z.array(z.object({ name: z.string(), benefit_ids: z.array(Id('bprd')) })).meta({
      description:
        'Of the benefits of each an employee may hold one at a time: electing one waives the others, or ends them ' +
        'with the day before.',
    }),
    ...roll_up,
    spd_file_url: z.string().nullable().meta({ description: 'The summary plan description of the leading benefit.' }),
    contribution_strategy: z.object({
      contribution_tiers: z.array(PricedTier).meta({
        description: 'What each plan costs in each tier. Of benefits other than ICHRA.',
      }),
      contribution_rules: z
        .array(z.discriminatedUnion('method', [fixed.extend(ofBenefit), percentage.extend(ofBenefit)]))
        .meta({ description: 'The rules behind it, as the operator said them.' }),
      ichra_contribution_classes: z.array(ShownIchraClass).meta({ description: 'The allowances of an ICHRA.' }),
    }),
    eligibility_policy: PolicyInOtherWords.nullable().meta({ description: 'The active one of the employer.' }),
  })
  .meta({ id: 'BenefitPlanYear' })

export const PlanYearFilter = z.object({
  year: z
    .string()
    .overwrite(trimmed)
    .regex(/^\d{4}$/, 'must be a year, as YYYY')
    .transform(Number)
    .pipe(z.int())
    .optional()
    .meta({ description: 'Only plan years of this year.', example: 2026 }),
})
export type PlanYearFilter = z.output<typeof PlanYearFilter>

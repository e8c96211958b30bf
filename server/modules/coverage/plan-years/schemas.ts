import { ichra_notice_days } from '../../directory/ichra/rules.ts'
import { z } from 'zod'
import { clearable, ResponseDay, DayText, Id, optional, State, text, trimValue } from '../../../kernel/fields.ts'
import { BenefitCategory, CoverageTier, EmployeeClass } from '../../directory/catalog/schemas.ts'
import { BenefitEligibilityPolicy } from '../eligibility/schemas.ts'
import { EnrollmentRate, BenefitFamily } from '../../directory/employers/schemas.ts'
import {
  cents,
  fixed,
  percentage,
  ContributionTier,
  ichraClass,
  IchraContributionClass,
} from './contribution-schemas.ts'

/** A list of 1 to `most` items without duplicates. */
export const distinctList = <Shape extends z.ZodType>(
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
      keys.forEach((key, index) => {
        if (keys.indexOf(key) < index)
          context.addIssue({ code: 'custom', path: [index], message: 'must not be repeated' })
      })
    })

export const NewPlanYearBenefit = z
  .object({
    benefit_id: Id('bprd'),
    plan_ids: optional(distinctList(Id('pln'), 100, (id) => id)).meta({
      description: 'The plans to offer. The default is every plan of the benefit that has a rate on coverage_start.',
    }),
    starts_on: optional(DayText).meta({ description: 'The first day of the benefit. The default is coverage_start.' }),
    contribution_tiers: optional(z.array(ContributionTier).max(50)).meta({
      description:
        'The contributions by coverage level, for all benefits except ICHRA. Without a match for a coverage level, ' +
        'the employee pays the full premium.',
    }),
    ichra_contribution_classes: optional(z.array(IchraContributionClass).max(200)).meta({
      description:
        "The allowances, for ICHRA. The default is the allowances of the catalog's plans. Employees without a match " +
        'get no ' +
        'allowance.',
    }),
  })
  .meta({ id: 'NewPlanYearBenefit', description: 'A benefit that a plan year offers.' })

const window = {
  open_enrollment_start: optional(DayText).meta({
    description: 'The first day of open enrollment. Required with open_enrollment_end.',
  }),
  open_enrollment_end: optional(DayText).meta({
    description: 'The last day of open enrollment. Must not be after coverage_end.',
  }),
}
const Year = optional(z.int().min(1900).max(2199))
const States = optional(
  z
    .array(State)
    .max(1000)
    .overwrite((codes) => [...new Set(codes)]),
).meta({
  description: 'The states where the plan year is offered. An empty list means everywhere.',
})

const ChoiceGroup = z
  .object({
    name: text().meta({
      description: 'The name of the group. Plan years of an employer that use the same name share one group.',
    }),
    benefit_ids: distinctList(Id('bprd'), 50, (id) => id),
  })
  .meta({ id: 'ChoiceGroup', description: 'Benefits of which an employee can hold one at a time.' })

const ChoiceGroups = z
  .array(ChoiceGroup)
  .max(50)
  .superRefine((groups, context) => {
    const seen = new Set<string>()
    const take = (key: string, path: PropertyKey[]) => {
      if (seen.has(key)) context.addIssue({ code: 'custom', path: [...path], message: 'must not be in two groups' })
      seen.add(key)
    }
    groups.forEach(({ name, benefit_ids }, index) => {
      take(`name ${name}`, [index, 'name'])
      benefit_ids.forEach((id, position) => take(id, [index, 'benefit_ids', position]))
    })
  })
const default_groups = 'all EBA, MEC, MVP and ICHRA products form one group, `medical`'

const Benefits = distinctList(NewPlanYearBenefit, 50, ({ benefit_id }) => benefit_id)

export const Renewal = z.enum(['passive', 'active']).meta({
  id: 'Renewal',
  description:
    'How employees who neither elect nor waive are treated. `passive`: they keep their election or waiver from the ' +
    'end of the previous plan year. `active`: they have no coverage.',
})
const Successors = z
  .record(Id('pln'), Id('pln'))
  .refine((successors) => Object.keys(successors).length <= 100, 'must have at most 100 entries')
const PlanSuccessors = Successors.meta({
  description:
    'The replacements of plans that are no longer offered. Each key is the id of a former plan, and its value is the ' +
    'id of an offered plan of the same benefit. Replaces the whole map.',
  example: {},
})

export const max_plan_year_days = 366

export const NewPlanYear = z.object({
  year: Year.meta({ description: 'The year of the plan year. The default is the year of coverage_start.' }),
  coverage_start: DayText,
  coverage_end: optional(DayText).meta({
    description:
      'The last day of coverage. The default is one year after coverage_start, minus one day. ' +
      `At most ${max_plan_year_days} days in total.`,
  }),
  ...window,
  offered_states: States,
  renewal: optional(Renewal).meta({
    description: 'How employees who neither elect nor waive are treated. The default is active.',
  }),
  plan_successors: optional(PlanSuccessors),
  benefits: Benefits.meta({
    description: 'The offered benefits. Singular fields of the plan year, such as `carrier`, describe the first one.',
  }),
  choice_groups: optional(ChoiceGroups).meta({
    description: `By default, ${default_groups}. An empty list means no groups.`,
  }),
})
export type NewPlanYear = z.output<typeof NewPlanYear>

export const PlanYearChanges = z.object({
  year: Year.meta({
    description: 'The year of the plan year. Unless you set it, it is the year of coverage_start.',
  }),
  coverage_start: optional(DayText),
  coverage_end: optional(DayText),
  open_enrollment_start: clearable(DayText).meta({
    description: 'The first day of open enrollment. To remove it, send null here and for open_enrollment_end.',
  }),
  open_enrollment_end: clearable(DayText).meta({
    description: 'The last day of open enrollment. Must not be after coverage_end.',
  }),
  offered_states: States,
  renewal: optional(Renewal).meta({
    description: 'How employees who neither elect nor waive are treated. It can still change after coverage_start.',
  }),
  plan_successors: optional(PlanSuccessors).meta({
    description:
      'The replacements of plans that are no longer offered. Each key is the id of a former plan, and its value is ' +
      'the id of an offered plan of the same benefit. Replaces the whole map. It can still change after ' +
      'coverage_start.',
  }),
  benefits: optional(Benefits).meta({
    description: 'The offered benefits. Replaces the whole list: omitted benefits are withdrawn.',
  }),
  choice_groups: optional(ChoiceGroups).meta({
    description:
      'Replaces the whole list. By default, existing benefits keep their group, and among new benefits, ' +
      `${default_groups}.`,
  }),
})
export type PlanYearChanges = Partial<z.output<typeof PlanYearChanges>>

export const PlanYearCopy = z.object({
  coverage_start: optional(DayText).meta({
    description: 'The first day of coverage. The default is the day after the end of the previous plan year.',
  }),
  open_enrollment_start: window.open_enrollment_start.meta({
    description:
      'The first day of open enrollment. Required with open_enrollment_end. By ' +
      'default, the open enrollment of the previous plan year moves by the same number of days as coverage_start. It ' +
      'is omitted if it would end before today.',
  }),
  open_enrollment_end: window.open_enrollment_end,
  renewal: optional(Renewal).meta({
    description: 'How employees who neither elect nor waive are treated. The default is passive.',
  }),
  plan_successors: optional(PlanSuccessors).meta({
    description:
      'The replacements of plans that are no longer offered. Each key is the id of a former plan, and its value is ' +
      'the id of an offered plan of the same benefit.',
  }),
})
export type PlanYearCopy = z.output<typeof PlanYearCopy>

const Range = z
  .object({ min_cents: cents, max_cents: cents })
  .meta({ id: 'MonthlyRange', description: 'The minimum and maximum in cents per month.' })
  .nullable()
  .meta({
    description: 'The lowest and highest monthly amount across the plans and coverage levels of the first benefit.',
  })

const Benefit = z.object({
  id: Id('bprd'),
  category: BenefitCategory,
  name: z.string(),
  product_code: z.string(),
})

const Status = z.enum(['active', 'upcoming', 'open_enrollment', 'inactive']).meta({
  id: 'BenefitPlanYearStatus',
  description:
    'upcoming: coverage has not started, and open enrollment is not open. open_enrollment: coverage has not started, ' +
    'and open enrollment is open. active: coverage is in force. inactive: coverage has ended.',
})

const common = {
  id: Id('plyr').meta({ description: 'The same value as `benefit_plan_year_id`.' }),
  benefit_plan_year_id: Id('plyr'),
  benefit_id: Id('bprd').meta({
    description: 'The first of `benefits`. Singular fields, such as `carrier`, describe it.',
  }),
  year: z.int().meta({ description: 'The year of the plan year. By default, the year of its start.' }),
  family: BenefitFamily,
  product_name: z.string(),
  carrier: z
    .string()
    .nullable()
    .meta({ description: 'The carrier of the plan with the lowest premium. Null if no plan has a price.' }),
  network_names: z.array(z.string()),
  premium_in_cents: cents
    .nullable()
    .meta({ description: 'The lowest monthly premium for an employee alone in cents. Null if no plan has a price.' }),
  employee_contribution: Range,
  employer_contribution: Range,
  status: Status,
  coverage_start: ResponseDay,
  coverage_end: ResponseDay.meta({ description: 'The last day of coverage.' }),
  open_enrollment_start: ResponseDay.meta({
    description: 'The first day of open enrollment. Without open enrollment, the start of coverage.',
  }),
  open_enrollment_end: ResponseDay.nullable().meta({
    description: 'The last day of open enrollment. Null without open enrollment.',
  }),
  offered_states: z.array(z.string()).meta({ description: 'The states where it is offered. Empty means everywhere.' }),
  renewal: Renewal,
  plan_successors: z.record(z.string(), z.string()).meta({
    description:
      'The replacements of plans that are no longer offered. Each key is the id of a former plan, and its value is ' +
      'the id of the plan that replaces it.',
  }),
  notice_due_on: ResponseDay.nullable().meta({
    description:
      `The day by which employees must receive the notice of an ICHRA, ${ichra_notice_days} days before the start. ` +
      'Null without an ICHRA.',
  }),
}

const roll_up = {
  benefit_families: z.array(z.string()).meta({ description: 'The families of all benefits, in upper case.' }),
  enrollment_rate: EnrollmentRate,
}

export const BenefitPlanYearRow = z
  .object({
    ...common,
    benefits: z.array(Benefit),
    ...roll_up,
    is_current: z.boolean().meta({ description: 'Whether today is within the coverage dates.' }),
  })
  .meta({ id: 'BenefitPlanYearRow' })

const ofBenefit = { benefit_id: Id('bprd') }

const PricedTier = z
  .object({
    ...ofBenefit,
    coverage_tier: CoverageTier,
    method: z
      .enum(['fixed', 'percentage'])
      .meta({ description: 'Whether the employer contributes a fixed amount or a percentage.' }),
    amount_in_cents: cents.nullable().meta({
      description: 'The employer contribution per month. Null for a percentage.',
    }),
    percentage: z.number().nullable().meta({
      description: 'Percentage of the premium that the employer pays. Null for a fixed amount.',
    }),
    benefit_plan_id: Id('pln').meta({ description: 'The plan.' }),
    benefit_plan_name: z.string().meta({ description: 'The name of the plan.' }),
    benefit_plan_tier_name: z
      .string()
      .meta({ description: 'The coverage level as text.', example: 'Employee and spouse' }),
    premium_in_cents: cents.meta({ description: 'The full premium per month.' }),
    employer_contribution_in_cents: cents.meta({ description: 'The employer contribution per month.' }),
    cost: cents.meta({ description: 'The employee deduction per month in cents.' }),
    cost_per_dependent: cents.meta({
      description: 'The additional cost of each dependent in cents. Always 0, since a coverage level has one price.',
    }),
    dependents_required_in: z.boolean().meta({ description: 'Whether the coverage level requires children.' }),
    spouse_required_in: z.boolean().meta({ description: 'Whether the coverage level requires a spouse.' }),
  })
  .meta({
    id: 'PricedTier',
    description: 'The price of a plan for a coverage level, with the contribution rule of the employer.',
  })

const ShownIchraClass = ichraClass
  .extend({
    ...ofBenefit,
    contribution_class_id: z.string().meta({
      description: 'Identifies a class within a plan year by its position.',
      example: 'iccl_0b6a1f4f8c2d9e3a7b5c1d0e2f',
    }),
    amount_in_cents: cents.meta({ description: 'The same value as `allowance_in_cents`.' }),
    employment: z
      .string()
      .meta({ description: 'The same value as `employee_class`, or `Unspecified` for all classes.' }),
    compensation: z
      .string()
      .meta({ description: 'Always `Unspecified`, since allowances do not depend on the compensation type.' }),
    family_status: z
      .string()
      .meta({ description: 'The same value as `coverage_tier`, or `Unspecified` for all coverage levels.' }),
    location: z.enum(['State', 'Unspecified']).meta({ description: '`State` for one state, else `Unspecified`.' }),
    location_value: z.string().nullable().meta({ description: 'The same value as `state`. Null for all states.' }),
  })
  .meta({
    id: 'ShownIchraClass',
    description: 'An ICHRA allowance and the employees to whom it applies. The first match applies.',
  })

const PolicyInOtherWords = BenefitEligibilityPolicy.extend({
  termination_rule: z.literal('END_OF_N_MONTHS').meta({
    description: 'Coverage ends at the end of a month after the last day of employment or eligibility.',
  }),
  termination_n_months: z.int().meta({
    description: 'The number of months after the month of that day. Always 0: coverage ends with that month.',
  }),
  rules: z
    .array(
      z.object({
        employee_class: EmployeeClass.meta({ description: 'A covered class.' }),
        compensation_type: z.enum(['Salary', 'Hourly', 'All']).meta({
          id: 'RuleCompensationType',
          description: 'The compensation type of the class. `All` for every type.',
        }),
        eligible_geographical_location: z
          .object({
            type: z.enum(['All', 'StateCodes']).meta({
              id: 'RuleLocationType',
              description: 'Whether the plan year is offered everywhere or in some states.',
            }),
            state_codes: z.array(z.string()).meta({ description: 'The states. Empty means everywhere.' }),
          })
          .meta({ description: 'Where the employees of the class live.' }),
      }),
    )
    .meta({ description: 'The covered employees, class by class.' }),
}).meta({ id: 'PlanYearEligibilityPolicy' })

export const BenefitPlanYear = z
  .object({
    ...common,
    benefits: z.array(Benefit.extend({ enrollment_rate: EnrollmentRate })),
    choice_groups: z.array(z.object({ name: z.string(), benefit_ids: z.array(Id('bprd')) })).meta({
      description:
        'An employee can hold one benefit of each group at a time. Electing one waives the others, or ends them ' +
        'on the day before.',
    }),
    ...roll_up,
    spd_file_url: z
      .string()
      .nullable()
      .meta({ description: 'The URL of the summary plan description of the first benefit.' }),
    contribution_strategy: z.object({
      contribution_tiers: z.array(PricedTier).meta({
        description: 'The price of each plan for each coverage level, for all benefits except ICHRA.',
      }),
      contribution_rules: z
        .array(z.discriminatedUnion('method', [fixed.extend(ofBenefit), percentage.extend(ofBenefit)]))
        .meta({ description: 'The contribution rules that the operator sent.' }),
      ichra_contribution_classes: z.array(ShownIchraClass).meta({ description: 'The allowances of an ICHRA.' }),
    }),
    eligibility_policy: PolicyInOtherWords.nullable().meta({ description: 'The active policy of the employer.' }),
  })
  .meta({ id: 'BenefitPlanYear' })

export const PlanYearFilter = z.object({
  year: z
    .string()
    .overwrite(trimValue)
    .regex(/^\d{4}$/, 'must be a year in the format YYYY')
    .transform(Number)
    .pipe(z.int())
    .optional()
    .meta({ description: 'Returns only plan years of this year.', example: 2026 }),
})
export type PlanYearFilter = z.output<typeof PlanYearFilter>

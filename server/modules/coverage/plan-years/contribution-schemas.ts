import { z } from 'zod'
import { State, text } from '../../../kernel/fields.ts'
import { CoverageTier, EmployeeClass } from '../../directory/catalog/schemas.ts'

export const cents = z.int().min(0)

export const monthly_cost = {
  premium_in_cents: cents,
  employer_contribution_in_cents: cents,
  employee_deduction_in_cents: cents,
}
/** At most a billion dollars, like the amounts of the catalog. */
const Cents = cents.max(100_000_000_000).meta({ description: 'Cents per month.' })

/** A percentage with at most two decimals, allowing for floating-point inaccuracy. */
const Percentage = z
  .number()
  .min(0)
  .max(100)
  .refine((value) => Number(value.toFixed(2)) === value, 'must have at most two decimals')
  .meta({
    description: 'The percentage of the premium, with at most two decimals. Amounts are rounded half up to cents.',
    example: 62.5,
  })

/** Null and an omitted field are equivalent. */
const either = <Shape extends z.ZodType>(shape: Shape) => shape.nullable().default(null)
const ForTier = either(CoverageTier).meta({
  description: 'The coverage level that the rule applies to. Null for every coverage level.',
})

export const fixed = z.object({
  coverage_tier: ForTier,
  method: z.literal('fixed').meta({ description: 'A fixed amount.' }),
  amount_in_cents: Cents,
})
export const percentage = z.object({
  coverage_tier: ForTier,
  method: z.literal('percentage').meta({ description: 'A percentage of the premium.' }),
  percentage: Percentage,
})

export const ContributionTier = z
  .discriminatedUnion('method', [fixed, percentage], { error: 'must be one of fixed, percentage' })
  .meta({
    id: 'ContributionTier',
    description: 'The contribution of the employer for a coverage level. The first match applies.',
  })

const Age = either(z.int().min(0).max(150))
export const ichraClass = z.object({
  name: text(),
  employee_class: either(EmployeeClass),
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
      'The allowance for employees of a class, age, state and coverage level. Null matches every value. The ' +
      'first match applies.',
  })

export const ContributionStrategy = z.object({
  contribution_tiers: z.array(ContributionTier),
  ichra_contribution_classes: z.array(IchraContributionClass),
})
export type ContributionStrategy = z.output<typeof ContributionStrategy>

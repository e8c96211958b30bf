import { ageOn, type Day } from '../../../kernel/days.ts'
import { missingFiguresOf, type MissingFigure } from '../../directory/ichra/figure-rules.ts'
import { affordabilityOf, ichraCost, type Affordability, type AffordabilityFacts } from '../../directory/ichra/rules.ts'
import type { ContributionStrategy } from './contribution-schemas.ts'

/** The monthly premium of a plan for a coverage level. */
export type Premium = { premium_in_cents: number; coverage_tier: string }

/**
 * How a plan year prices a plan: by coverage level (`tier`), by age and area (`area`, ICHRA), or by the premium that
 * the employee reports for a bought plan (third value).
 */
export type Pricing = 'tier' | 'area' | 'reported'

/** The facts about a person that an ICHRA allowance depends on. A missing class counts as Full Time. */
export type Person = { employee_class: string | null; age: number; state: string | null }

/** Monthly amounts. The premium is the sum of contribution and deduction. */
export type Cost = {
  premium_in_cents: number
  employer_contribution_in_cents: number
  employee_deduction_in_cents: number
}

/**
 * The monthly cost of an election. The first contribution class that fits the person applies (ICHRA), otherwise the
 * first contribution tier that fits. Without a match, the employer contributes nothing. The contribution never exceeds
 * the premium. Without a person (null), only classes without conditions match. A plan that the employee bought
 * (ICHRA_REIMBURSEMENT_ONLY) is reimbursed, so nothing is deducted.
 */
export function costOf(
  rate: Premium & { pricing?: Pricing },
  strategy: ContributionStrategy,
  person: Person | null,
): Cost {
  const { contribution_tiers, ichra_contribution_classes: classes } = strategy
  const { premium_in_cents, coverage_tier } = rate
  const allowed =
    classes.length > 0
      ? allowanceOf(strategy, coverage_tier, person)
      : shareOf(
          premium_in_cents,
          contribution_tiers.find((tier) => isOfTier(tier, coverage_tier)),
        )
  const employer_contribution_in_cents = Math.min(allowed ?? 0, premium_in_cents)
  return {
    premium_in_cents,
    employer_contribution_in_cents,
    employee_deduction_in_cents: rate.pricing === 'reported' ? 0 : premium_in_cents - employer_contribution_in_cents,
  }
}

export const no_cost: Cost = {
  premium_in_cents: 0,
  employer_contribution_in_cents: 0,
  employee_deduction_in_cents: 0,
}

export const addCost = (a: Cost, b: Cost | null): Cost => ({
  premium_in_cents: a.premium_in_cents + (b?.premium_in_cents ?? 0),
  employer_contribution_in_cents: a.employer_contribution_in_cents + (b?.employer_contribution_in_cents ?? 0),
  employee_deduction_in_cents: a.employee_deduction_in_cents + (b?.employee_deduction_in_cents ?? 0),
})

/** The maximum monthly ICHRA allowance of a person for a coverage level. */
export const allowanceOf = (
  { ichra_contribution_classes: classes }: ContributionStrategy,
  coverage_tier: string,
  person: Person | null,
): number =>
  classes.find(
    (contribution_class) => isOfTier(contribution_class, coverage_tier) && isInClass(contribution_class, person),
  )?.allowance_in_cents ?? 0

export type ContributionClass = ContributionStrategy['ichra_contribution_classes'][number]

const isOfTier = (contribution: { coverage_tier: string | null }, tier: string): boolean =>
  contribution.coverage_tier === null || contribution.coverage_tier === tier

const hasNoConditions = ({ employee_class, min_age, max_age, state }: ContributionClass): boolean =>
  [employee_class, min_age, max_age, state].every((value) => value === null)

function isInClass(contribution_class: ContributionClass, person: Person | null): boolean {
  if (person === null) return hasNoConditions(contribution_class)
  return (
    (contribution_class.employee_class === null ||
      contribution_class.employee_class === (person.employee_class ?? 'Full Time')) &&
    (contribution_class.min_age === null || contribution_class.min_age <= person.age) &&
    (contribution_class.max_age === null || person.age <= contribution_class.max_age) &&
    (contribution_class.state === null || contribution_class.state === person.state)
  )
}

/** Rounds half up, once. Hundredths of a percent are integers, so the arithmetic is exact. */
function shareOf(
  premium: number,
  tier: ContributionStrategy['contribution_tiers'][number] | undefined,
): number | undefined {
  if (tier?.method !== 'percentage') return tier?.amount_in_cents
  const hundredths = BigInt(Math.round(tier.percentage * 100))
  return Number((BigInt(premium) * hundredths + 5_000n) / 10_000n)
}

/** The minimum and maximum employer contribution for any employee at this price. */
export function contributionRange(
  rate: Premium & { pricing?: Pricing },
  strategy: ContributionStrategy,
): { least: number; most: number } {
  const classes = strategy.ichra_contribution_classes.filter((contribution_class) =>
    isOfTier(contribution_class, rate.coverage_tier),
  )
  // A class without conditions matches everyone, so later classes never apply.
  const last = classes.findIndex(hasNoConditions)
  const reached = last < 0 ? classes : classes.slice(0, last + 1)
  // A price that depends on the person can be any amount, so it does not limit the allowance.
  const premium = (rate.pricing ?? 'tier') === 'tier' ? rate.premium_in_cents : Number.MAX_SAFE_INTEGER
  const paidAllowance = (contribution_class: ContributionClass) =>
    Math.min(contribution_class.allowance_in_cents, premium)
  const amounts = [
    ...reached.map(paidAllowance),
    ...(last < 0 ? [costOf(rate, strategy, null).employer_contribution_in_cents] : []),
  ]
  return { least: Math.min(...amounts), most: Math.max(...amounts) }
}

/** The facts that decide whether ICHRA is affordable to an employee. */
export type PersonalAffordability = Omit<AffordabilityFacts, 'allowance_in_cents'> & {
  /** The location of the premium, and its ZIP code. Null if unknown. */
  location: 'residence' | 'worksite'
  zipcode: string | null
  coverage_start: Day
  date_of_birth: Day
  employee_class: string | null
  contribution_strategy: ContributionStrategy
}

const withAllowance = ({ contribution_strategy, ...facts }: PersonalAffordability): AffordabilityFacts => {
  const person = { ...facts, age: ageOn(facts.date_of_birth, facts.coverage_start) }
  return { ...facts, allowance_in_cents: allowanceOf(contribution_strategy, 'EE', person) }
}

/** Whether an ICHRA is affordable to an employee on the first day of coverage. Null if a figure is missing. */
export const affordabilityFor = (facts: PersonalAffordability): Affordability | null =>
  affordabilityOf(withAllowance(facts))

/** The figures that the affordability of an ICHRA needs and the service does not have. */
export const missingFiguresFor = ({
  plan_year_start,
  coverage_start,
  lowest_silver_in_cents,
  figures,
}: PersonalAffordability): MissingFigure[] => [
  ...(lowest_silver_in_cents === null
    ? [{ figure: 'lowest_cost_silver_premium' as const, year: Number(coverage_start.slice(0, 4)) }]
    : []),
  ...missingFiguresOf(plan_year_start, figures ?? []),
]

/** The employee's monthly cost of the lowest-cost silver plan after the ICHRA allowance. Null if unknown. */
export const ichraCostFor = (facts: PersonalAffordability): number | null => ichraCost(withAllowance(facts))

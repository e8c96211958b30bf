import { ageOn, type Day } from '../../../kernel/days.ts'
import {
  affordabilityOf,
  ichraCost,
  missingFiguresOf,
  type Affordability,
  type AffordabilityFacts,
  type MissingFigure,
} from '../../directory/ichra/rules.ts'
import { allowanceOf } from './rules.ts'
import type { ContributionStrategy } from './schemas.ts'

/** The facts that decide whether ICHRA is affordable to an employee. */
export type PersonalAffordability = Omit<AffordabilityFacts, 'allowance_in_cents'> & {
  coverage_start: Day
  date_of_birth: Day
  employee_class: string | null
  contribution_strategy: ContributionStrategy
}

const withAllowance = ({ contribution_strategy, ...facts }: PersonalAffordability): AffordabilityFacts => {
  const person = { ...facts, age: ageOn(facts.date_of_birth, facts.coverage_start) }
  return { ...facts, allowance_in_cents: allowanceOf(contribution_strategy, 'EE', person) }
}

/** Whether ICHRA is affordable to an employee on the first day of coverage; null where a figure is missing. */
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

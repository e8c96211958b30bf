import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { BenefitPlanYear, Catalog } from 'openbenefits/operator'
import { operator } from '../../../api.ts'
import { formatCount, formatDollars, fullName } from '../../../format.ts'
import { resourceQuery } from '../../../queries.ts'

const route = getRouteApi('/partners/employers/$employer_id/plan-years/build')

/** The number of people that are named. */
const max_named = 10

type PricedTier = BenefitPlanYear['contribution_strategy']['contribution_tiers'][number]

const costOf = ({ premium_in_cents, employer_contribution_in_cents }: PricedTier): number =>
  premium_in_cents - employer_contribution_in_cents

type AffordableCostProps = { opened: BenefitPlanYear; benefits: Catalog['benefits'] }

/**
 * The full-time employees for whom the lowest-cost plan of minimum value is not affordable, and the employer
 * contribution that makes it affordable for everyone.
 */
export function AffordableCost({ opened, benefits }: AffordableCostProps) {
  const { employer_id } = route.useParams()
  const of_value = benefits
    .filter(({ product_code }) => product_code === 'MVP')
    .flatMap(({ plans }) => plans.map(({ id }) => id))
  const [cheapest] = opened.contribution_strategy.contribution_tiers
    .filter(({ coverage_tier, benefit_plan_id }) => coverage_tier === 'EE' && of_value.includes(benefit_plan_id))
    .toSorted((a, b) => costOf(a) - costOf(b))
  const query = {
    plan_year_start: opened.coverage_start,
    ...(cheapest && { cost_in_cents: costOf(cheapest) }),
  }
  const found = useQuery({
    ...resourceQuery(['affordability', employer_id, query], (options) =>
      operator.employers.getAffordability(employer_id, query, options),
    ),
    enabled: cheapest !== undefined,
    placeholderData: keepPreviousData,
  })
  const limits = found.data
  if (!cheapest || !limits || limits.affordable_cost_in_cents === null || !limits.unaffordable_count) return null
  const contribution = Math.max(0, cheapest.premium_in_cents - limits.affordable_cost_in_cents)
  return (
    <details className="note">
      <summary>
        {cheapest.benefit_plan_name} costs {formatDollars(costOf(cheapest))} a month, which is not affordable for{' '}
        {limits.unaffordable_count} of {formatCount(limits.full_time_count, 'full-time employee')}. An employer
        contribution of <strong>{formatDollars(contribution)}</strong> makes it affordable for everyone.
      </summary>
      <ul className="lines">
        {limits.employees.slice(0, max_named).map((person) => (
          <li key={person.employee_id}>
            <Link to="/people/$employee_id" params={{ employee_id: person.employee_id }}>
              {fullName(person)}
            </Link>
            <span>affordable up to {formatDollars(person.affordable_cost_in_cents)}</span>
          </li>
        ))}
        {limits.unaffordable_count > max_named && <li>And {limits.unaffordable_count - max_named} more.</li>}
      </ul>
    </details>
  )
}

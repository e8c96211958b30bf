import type { ProposedCosts, RenewalProposal } from 'openbenefits'
import { formatCount, formatDollars, formatNumber } from '../../../format.ts'
import { tier_names } from '../../../parts/benefits/labels.ts'

const parts = [
  ['Total premium', 'premium_in_cents', 'premium_change_percent'],
  ['Employer pays', 'employer_contribution_in_cents', 'employer_change_percent'],
  ['Employees pay', 'employee_deduction_in_cents', 'employee_change_percent'],
] as const

type Amounts = ProposedCosts['per_head'] & Partial<ProposedCosts['per_year']>

/** `+4.1%`, with a minus sign for a decrease. */
const formatPercent = (change: number) =>
  `${change > 0 ? '+' : change < 0 ? '−' : ''}${formatNumber(Math.abs(change))}%`

/** The costs of the current plan year and of each scenario, side by side, as the service calculated them. */
export function ProposalComparison({ of, is_former }: { of: RenewalProposal; is_former: boolean }) {
  const all: (ProposedCosts & { name: string })[] = [{ ...of.current, name: 'Current year' }, ...of.scenarios]
  const rows = (
    key: string,
    amountsIn: (costs: ProposedCosts) => Amounts | undefined,
    shown: readonly Part[] = parts,
  ) =>
    shown.map(([label, amount, change]) => (
      <tr key={`${key} ${label}`}>
        <th scope="row">{label}</th>
        {all.map((costs, at) => {
          const amounts = amountsIn(costs)
          const percent = amounts?.[change] ?? null
          return (
            <td key={at} className="number">
              {amounts ? formatDollars(amounts[amount]) : '–'}
              {percent !== null && <span className="quiet block">{formatPercent(percent)}</span>}
            </td>
          )
        })}
      </tr>
    ))
  const heading = (title: string) => (
    <tr key={title}>
      <th scope="rowgroup" colSpan={all.length + 1}>
        {title}
      </th>
    </tr>
  )
  return (
    // The region scrolls on narrow screens, and a region that scrolls must be reachable by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="comparison" role="region" aria-label="Comparison of scenarios" tabIndex={0} data-former={is_former}>
      <table aria-label="Cost by scenario">
        <thead>
          <tr>
            <th scope="col">
              <span className="unseen">Cost</span>
            </th>
            {all.map(({ name }, at) => (
              <th key={at} scope="col" className="number">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {heading('Per year')}
          {rows('year', ({ per_year }) => per_year)}
          {heading('Per enrolled employee per year')}
          {rows('head', ({ per_head }) => per_head)}
          {of.current.tiers.flatMap(({ coverage_tier, enrollment_count }) => [
            heading(`${tier_names[coverage_tier]}, ${formatCount(enrollment_count, 'enrollment')}, per year`),
            ...rows(
              coverage_tier,
              ({ tiers }) => tiers.find((tier) => tier.coverage_tier === coverage_tier),
              parts.slice(1),
            ),
          ])}
        </tbody>
      </table>
    </div>
  )
}

type Part = (typeof parts)[number]

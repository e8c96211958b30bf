import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { BenefitPlanYearRow } from 'openbenefits'
import { formatDay, formatDistance } from '../../format.ts'
import { Section } from '../../parts/page/page.tsx'
import { employerRowQuery } from '../../queries.ts'
import { latestUnrenewedYear } from './renewal-due.ts'

type UpcomingRenewalProps = { employer_id: string; years: BenefitPlanYearRow[]; today: string }

/** The next step of an employer whose last plan year ends soon. */
export function UpcomingRenewal({ employer_id, years, today }: UpcomingRenewalProps) {
  const row = useQuery(employerRowQuery(employer_id))
  const last = row.data && latestUnrenewedYear(years, row.data.benefit_lifecycle_stage.stage, today)
  if (!last) return null
  return (
    <Section
      title={`Renewal ${formatDistance(last.coverage_end, today)}`}
      actions={
        <Link
          className="button main"
          to="/employers/$employer_id/plan-years/$plan_year_id/renewal"
          params={{ employer_id, plan_year_id: last.id }}
        >
          Propose renewal
        </Link>
      }
    >
      <p className="quiet">
        The last plan year ends on {formatDay(last.coverage_end)}, and no plan year follows it. Compare new rates and
        contributions in a proposal. The operator opens the next plan year from it.
      </p>
    </Section>
  )
}

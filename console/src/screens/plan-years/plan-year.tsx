import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { BenefitPlanYear, PlanYearEnrollmentRow } from 'openbenefits'
import { formatDay, formatDollars, formatNumber, formatDayRange } from '../../format.ts'
import {
  affordabilityLabel,
  describeClasses,
  coverageLevelLabel,
  describeMissingFigures,
} from '../../parts/benefits/labels.ts'
import { useChangeSearch, NoMatches } from '../../parts/page/links.tsx'
import { Empty, type Fact, Facts, Loaded, Dash, Section, EnrolledShare, Status } from '../../parts/page/page.tsx'
import { Export } from '../../parts/table/export.tsx'
import { SearchField, ToggleFilter } from '../../parts/table/filters.tsx'
import { linkColumn } from '../../parts/table/row-link.tsx'
import { loadedRows, useRows } from '../../parts/table/rows.ts'
import { type Column, moneyColumn, Table } from '../../parts/table/table.tsx'
import { employerRowQuery, planYearQuery, planYearEnrollmentsList, planYearProgressQuery } from '../../queries.ts'
import { election_statuses } from '../../routes/filter-values.ts'
import { isRoleAllowed } from '../../session.ts'
import { Proposals } from './proposals.tsx'

const route = getRouteApi('/employers/$employer_id/plan-years/$plan_year_id')

const columns: Column<PlanYearEnrollmentRow>[] = [
  linkColumn(
    'Person',
    (row) => [
      `${row.member_first_name} ${row.member_last_name}`,
      { to: '/people/$employee_id', params: { employee_id: row.employee_id }, search: { why: row.enrollment_id } },
    ],
    { width: 16 },
  ),
  {
    name: 'Benefit',
    cell: ({ benefit_name, affordability, missing_figures }) => (
      <>
        {benefit_name}
        {missing_figures && <span className="quiet block">{affordabilityLabel(affordability)}</span>}
      </>
    ),
  },
  { name: 'Election', cell: ({ election_status }) => <Status of={election_status} /> },
  {
    name: 'Plan',
    width: 20,
    only: 'middle',
    cell: ({ plan, tier }) => (plan ? [plan, tier && coverageLevelLabel(tier)].filter(Boolean).join(', ') : <Dash />),
  },
  {
    name: 'Coverage',
    width: 17,
    only: 'wide',
    cell: ({ policy_status }) => (policy_status ? <Status of={policy_status.toLowerCase()} /> : <Dash />),
  },
  moneyColumn('Employee pays per month', 'employee_deduction_in_cents', { only: 'middle' }),
  moneyColumn('Employer pays per month', 'employer_contribution_in_cents', { only: 'wide' }),
]

export function PlanYearPage() {
  const { employer_id, plan_year_id } = route.useParams()
  const year = useQuery(planYearQuery(employer_id, plan_year_id))
  return (
    <>
      <Loaded query={year} lines={6}>
        {(found) => <PlanYearFacts year={found} />}
      </Loaded>
      <Proposals />
      {isRoleAllowed('people') && (
        <>
          {year.data && <EnrollmentProgress year={year.data} />}
          <Enrollments />
        </>
      )}
    </>
  )
}

/** The polling interval during open enrollment. */
const poll_ms = 5000

/** The progress of open enrollment. */
function EnrollmentProgress({ year: { open_enrollment_end } }: { year: BenefitPlanYear }) {
  const { employer_id, plan_year_id } = route.useParams()
  const stage = useQuery(employerRowQuery(employer_id)).data?.benefit_lifecycle_stage
  const is_open = stage?.stage === 'open_enrollment' && stage.as_of_date === open_enrollment_end
  const progress = useQuery({
    ...planYearProgressQuery(employer_id, plan_year_id),
    enabled: is_open,
    refetchInterval: poll_ms,
  })
  if (!is_open || !open_enrollment_end) return null
  return (
    <Section
      title="Enrollment progress"
      actions={<span className="quiet">Open enrollment closes {formatDay(open_enrollment_end)}</span>}
    >
      <Loaded query={progress} lines={1}>
        {({ people: { eligible, enrolled, waived, pending } }) => (
          <div className="headline">
            <EnrolledShare of="people" enrolled={eligible - pending} eligible={eligible} />{' '}
            <span className="quiet">
              have responded for every benefit. {formatNumber(enrolled)} enrolled in at least one,{' '}
              {formatNumber(waived)} waived all.
            </span>
          </div>
        )}
      </Loaded>
    </Section>
  )
}

function PlanYearFacts({ year }: { year: BenefitPlanYear }) {
  const { employer_id } = route.useParams()
  const { coverage_start, coverage_end, open_enrollment_start, open_enrollment_end, benefits } = year
  return (
    <Section
      title={formatDayRange(coverage_start, coverage_end)}
      actions={
        <>
          <Status of={year.status} />
          <Link
            className="button"
            to="/employers/$employer_id/plan-years/$plan_year_id/renewal"
            params={{ employer_id, plan_year_id: year.id }}
          >
            Propose renewal
          </Link>
        </>
      }
    >
      <Facts
        of={[
          [
            'Open enrollment',
            `${formatDay(open_enrollment_start)} – ${open_enrollment_end ? formatDay(open_enrollment_end) : 'no end'}`,
          ],
          [
            'Renewal',
            year.renewal === 'passive' ? 'Passive: elections carry over' : 'Active: each employee elects again',
          ],
          [
            'Eligible',
            year.eligibility_policy &&
              `${describeClasses(year.eligibility_policy)}, waiting period: ` +
                year.eligibility_policy.waiting_period.replaceAll('_', ' '),
          ],
          ['States', year.offered_states.length > 0 ? year.offered_states.join(', ') : 'All'],
          ...(isRoleAllowed('keys')
            ? [['Agreement', <Agreement employer_id={employer_id} year={year.id} />] as Fact]
            : []),
        ]}
      />
      <ul className="lines">
        {benefits.map(({ id, name, category, enrollment_rate }) => (
          <li key={id}>
            <span>
              {name} {category !== name && <span className="quiet">{category}</span>}
            </span>
            <span className="quiet only-middle">{describeContribution(year, id)}</span>
            <EnrolledShare
              of="eligible people enrolled"
              enrolled={enrollment_rate.enrolled}
              eligible={enrollment_rate.eligible}
            />
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** A link to an agreement that employees sign for this plan year only. */
const Agreement = ({ employer_id, year }: { employer_id: string; year: string }) => (
  <Link to="/settings/agreements" search={{ add: 'yes', employer: employer_id, year }}>
    Write a text for this plan year
  </Link>
)

const describeLevels = (tiers: { coverage_tier: string | null }[]): string =>
  [...new Set(tiers.map(({ coverage_tier }) => coverageLevelLabel(coverage_tier) ?? 'other levels'))].join(', ')

/** The agreed employer contribution of a benefit. */
function describeContribution({ contribution_strategy }: BenefitPlanYear, benefit_id: string): string {
  // Plans of a benefit may share the same contribution.
  const by_amount = Map.groupBy(
    contribution_strategy.contribution_tiers.filter((tier) => tier.benefit_id === benefit_id),
    ({ amount_in_cents, percentage }) => (amount_in_cents === null ? `${percentage}%` : formatDollars(amount_in_cents)),
  )
  const tiers = [...by_amount].map(([amount, those]) =>
    by_amount.size === 1 ? `${amount} at every coverage level` : `${describeLevels(those)}: ${amount}`,
  )
  const classes = contribution_strategy.ichra_contribution_classes
    .filter((each) => each.benefit_id === benefit_id)
    .map(({ name, allowance_in_cents }) => `${name}: ${formatDollars(allowance_in_cents)}`)
  return [...new Set([...tiers, ...classes])].join(' · ')
}

function Enrollments() {
  const { employer_id, plan_year_id } = route.useParams()
  const { search, status } = route.useSearch()
  const list = planYearEnrollmentsList(employer_id, plan_year_id, { search, election_status: status })
  const rows = useRows(list)
  const missing = describeMissingFigures(loadedRows(rows))
  const change = useChangeSearch()
  return (
    <Section title="Enrollments">
      <div className="filters">
        <SearchField label="Name or reference" value={search} search={(search) => void change({ search })} />
        <ToggleFilter
          label="Election"
          values={election_statuses}
          chosen={status}
          choose={(status) => void change({ status })}
        />
        <Export
          name="enrollments"
          list={list}
          scheduled={{
            list: 'enrollments',
            parameters: { employer_id, benefit_plan_year_id: plan_year_id, search, election_status: status },
          }}
        />
      </div>
      {missing && <p className="quiet note">Affordability is unknown because a figure is missing: {missing}.</p>}
      <Table
        label="Enrollments"
        columns={columns}
        rows={rows}
        empty={
          search || status ? (
            <NoMatches rows="enrollments" />
          ) : (
            <Empty title="No enrollments yet.">Eligible people get one for each benefit.</Empty>
          )
        }
      />
    </Section>
  )
}

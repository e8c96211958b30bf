import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useRouteContext } from '@tanstack/react-router'
import type { BenefitPlanYear, PlanYearEnrollmentRow } from 'openbenefits'
import { affordabilityIn, missingIn } from '../../parts/affordability.ts'
import { Search, Several } from '../../parts/filters.tsx'
import { Empty, Facts, Loaded, Nothing, Section, Share, Status } from '../../parts/page.tsx'
import { classesOf } from '../../parts/policy.ts'
import { RowLink } from '../../parts/row-link.tsx'
import { allOf, useRows } from '../../parts/rows.ts'
import { Table, type Column } from '../../parts/table.tsx'
import { dayOf, inDollars, inWords, sentence } from '../../parts/words.ts'
import { employerRow, planYear, planYearEnrollments, planYearProgress } from '../../queries.ts'
import { election_statuses } from '../../routes.tsx'
import { may } from '../../session.ts'

const route = getRouteApi('/employers/$employer_id/plan-years/$plan_year_id')

const money = (cents: number | null) => (cents === null ? <Nothing /> : inDollars(cents))

const columns: Column<PlanYearEnrollmentRow>[] = [
  {
    name: 'Person',
    width: 16,
    cell: ({ employee_id, enrollment_id, member_first_name, member_last_name }) => (
      <RowLink to="/people/$employee_id" params={{ employee_id }} search={{ why: enrollment_id }}>
        {member_first_name} {member_last_name}
      </RowLink>
    ),
  },
  {
    name: 'Benefit',
    cell: ({ benefit_name, affordability, missing_figures }) => (
      <>
        {benefit_name}
        {missing_figures && <span className="quiet block">{affordabilityIn(affordability)}</span>}
      </>
    ),
  },
  { name: 'Election', cell: ({ election_status }) => <Status of={election_status} /> },
  {
    name: 'Plan',
    width: 20,
    only: 'middle',
    cell: ({ plan, tier }) => (plan ? `${plan}${tier ? `, ${tier}` : ''}` : <Nothing />),
  },
  {
    name: 'Coverage',
    width: 17,
    only: 'wide',
    cell: ({ policy_status }) => (policy_status ? <Status of={policy_status} /> : <Nothing />),
  },
  {
    name: 'Employee pays',
    align: 'end',
    only: 'middle',
    cell: ({ employee_deduction_in_cents }) => money(employee_deduction_in_cents),
  },
  {
    name: 'Employer pays',
    align: 'end',
    only: 'wide',
    cell: ({ employer_contribution_in_cents }) => money(employer_contribution_in_cents),
  },
]

export function PlanYear() {
  const { employer_id, plan_year_id } = route.useParams()
  const { session } = useRouteContext({ from: '__root__' })
  const year = useQuery(planYear(employer_id, plan_year_id))
  return (
    <>
      <Loaded query={year} lines={6}>
        {(found) => <About year={found} />}
      </Loaded>
      {may(session, 'people') && (
        <>
          {year.data && <Progress year={year.data} />}
          <Enrollments />
        </>
      )}
    </>
  )
}

/** So often it is asked again who has answered, while people choose. */
const live_ms = 5000

/** How far the people of an employer have come with choosing, while they may. */
function Progress({ year: { open_enrollment_end } }: { year: BenefitPlanYear }) {
  const { employer_id, plan_year_id } = route.useParams()
  const stage = useQuery(employerRow(employer_id)).data?.benefit_lifecycle_stage
  const is_open = stage?.stage === 'open_enrollment' && stage.as_of_date === open_enrollment_end
  const progress = useQuery({
    ...planYearProgress(employer_id, plan_year_id),
    enabled: is_open,
    refetchInterval: live_ms,
  })
  if (!is_open || !open_enrollment_end) return null
  return (
    <Section
      title="Answers so far"
      actions={<span className="quiet">Open enrollment closes {dayOf(open_enrollment_end)}</span>}
    >
      <Loaded query={progress} lines={1}>
        {({ people: { eligible, enrolled, waived, pending } }) => (
          <div className="headline">
            <Share of="people answered everything" enrolled={eligible - pending} eligible={eligible} />
            <span className="quiet">
              answered for every benefit; {inWords(enrolled)} enrolled in at least one, {inWords(waived)} waived all
            </span>
          </div>
        )}
      </Loaded>
    </Section>
  )
}

function About({ year }: { year: BenefitPlanYear }) {
  const { coverage_start, coverage_end, open_enrollment_start, open_enrollment_end, benefits } = year
  return (
    <Section title={`${dayOf(coverage_start)} – ${dayOf(coverage_end)}`} actions={<Status of={year.status} />}>
      <Facts
        of={[
          [
            'Open enrollment',
            `${dayOf(open_enrollment_start)} – ${open_enrollment_end ? dayOf(open_enrollment_end) : 'no end'}`,
          ],
          ['Renewal', `${sentence(year.renewal)}`],
          [
            'Eligible',
            year.eligibility_policy &&
              `${classesOf(year.eligibility_policy)}, waiting period: ` +
                year.eligibility_policy.waiting_period.replaceAll('_', ' '),
          ],
          ['States', year.offered_states.length > 0 ? year.offered_states.join(', ') : 'All'],
        ]}
      />
      <ul className="lines">
        {benefits.map(({ id, name, category, enrollment_rate }) => (
          <li key={id}>
            <span>
              {name} {category !== name && <span className="quiet">{category}</span>}
            </span>
            <span className="quiet only-middle">{contributionOf(year, id)}</span>
            <Share
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

/** What the employer pays of a benefit, as it was agreed. */
function contributionOf({ contribution_strategy }: BenefitPlanYear, benefit_id: string): string {
  // Plans of a benefit may share what is paid of them.
  const by_amount = Map.groupBy(
    contribution_strategy.contribution_tiers.filter((tier) => tier.benefit_id === benefit_id),
    ({ amount_in_cents, percentage }) => (amount_in_cents === null ? `${percentage}%` : inDollars(amount_in_cents)),
  )
  const tiers = [...by_amount].map(([amount, those]) =>
    by_amount.size === 1
      ? `${amount} in every tier`
      : `${[...new Set(those.map(({ coverage_tier }) => coverage_tier ?? 'other tiers'))].join(', ')}: ${amount}`,
  )
  const classes = contribution_strategy.ichra_contribution_classes
    .filter((each) => each.benefit_id === benefit_id)
    .map(({ name, allowance_in_cents }) => `${name}: ${inDollars(allowance_in_cents)}`)
  return [...new Set([...tiers, ...classes])].join(' · ')
}

function Enrollments() {
  const { employer_id, plan_year_id } = route.useParams()
  const { search, status } = route.useSearch()
  const navigate = route.useNavigate()
  const rows = useRows(planYearEnrollments(employer_id, plan_year_id, { search, election_status: status }))
  const missing = missingIn(allOf(rows))
  const say = (said: Partial<ReturnType<typeof route.useSearch>>) =>
    void navigate({ search: (before) => ({ ...before, ...said }), replace: true, resetScroll: false })
  return (
    <Section title="Enrollments">
      <div className="filters">
        <Search label="Name or reference" value={search} search={(search) => say({ search })} />
        <Several
          label="Election"
          options={election_statuses.map((value) => ({ value, label: sentence(value) }))}
          chosen={status}
          choose={(status) => say({ status: status as (typeof election_statuses)[number][] })}
        />
      </div>
      {missing && <p className="quiet note">Affordability is unknown where a figure is missing: {missing}.</p>}
      <Table
        label="Enrollments"
        columns={columns}
        rows={rows}
        empty={
          search || status ? (
            <Empty title="No one matches." />
          ) : (
            <Empty title="No enrollments yet.">Eligible people are granted one for each benefit.</Empty>
          )
        }
      />
    </Section>
  )
}

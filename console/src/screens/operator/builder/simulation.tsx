import type { BenefitPlanYear, Catalog, PlanYearPreview, PreviewedOffer } from 'openbenefits/operator'
import { missingIn } from '../../../parts/affordability.ts'
import { Changed } from '../../../parts/changed.tsx'
import { Nothing, Status } from '../../../parts/page.tsx'
import { Plan } from '../../../parts/plan.tsx'
import { rowsOf } from '../../../parts/rows.ts'
import { Table, type Column } from '../../../parts/table.tsx'
import { count, dayOf, inDollars, inWords } from '../../../parts/words.ts'
import { differencesOf, type Difference } from './differences.ts'

type SimulationProps = {
  opened: BenefitPlanYear
  /** the plan year that it was copied from */
  like: BenefitPlanYear | undefined
  preview: PlanYearPreview
  benefits: Catalog['benefits']
  /** it is of what was set before, while what is set now is reckoned */
  is_former: boolean
  open: () => Promise<unknown>
  back: () => void
}

/** Who would pay what: per plan and tier, of all together, and person by person from the real roster. */
export function Simulation({ opened, like, preview, benefits, is_former, open, back }: SimulationProps) {
  const { totals, data, as_of, pagination } = preview
  const nameOf = (id: string) => benefits.find((benefit) => benefit.id === id)?.name ?? id
  return (
    <div data-former={is_former}>
      {totals && <Sums of={totals} />}
      {totals && <Affordability of={totals} missing={missingIn(data)} />}
      <Plan
        title={`If opened today: enrollments granted on ${dayOf(as_of)}`}
        parts={[
          { name: 'can enroll', count: totals?.granted_employee_count ?? pagination.total, tone: 'good' },
          { name: 'keep coverage or have elected', count: totals?.carried_employee_count ?? 0, tone: 'good' },
          { name: 'would lose coverage unless they answer', count: totals?.lapsing_employee_count ?? 0, tone: 'bad' },
        ]}
        button={`Open it for ${count(totals?.granted_employee_count ?? pagination.total, 'person', 'people')}`}
        unless={is_former ? 'Being calculated…' : undefined}
        apply={open}
        back={back}
      />
      {like && <Differences of={differencesOf(like, opened)} from={like} />}
      <h3>Per plan and tier, a month</h3>
      <Table
        label="Per plan and tier"
        columns={tier_columns}
        rows={rowsOf(underTheirPlans(opened.contribution_strategy.contribution_tiers))}
        empty={<p className="quiet">By age and place: what the catalog allows.</p>}
      />
      <h3>Person by person, a month</h3>
      <Table label="Person by person" columns={columnsOf(nameOf)} rows={rowsOf(data)} empty={<Nothing />} />
      {pagination.total > pagination.limit && (
        <p className="quiet">And {count(pagination.total - pagination.limit, 'more person', 'more people')}.</p>
      )}
    </div>
  )
}

const change = (before: number, after: number) =>
  before === 0 || before === after ? null : (
    <span className="quiet"> {after > before ? `+${inDollars(after - before)}` : `−${inDollars(before - after)}`}</span>
  )

type Totals = NonNullable<PlanYearPreview['totals']>

const Sums = ({ of: { before, after } }: { of: Totals }) => (
  <dl className="facts">
    {(
      [
        ['Premium a month', 'premium_in_cents'],
        ['The employer pays', 'employer_contribution_in_cents'],
        ['Employees pay', 'employee_deduction_in_cents'],
      ] as const
    ).map(([name, field]) => (
      <div key={field}>
        <dt>{name}</dt>
        <dd className="number">
          <strong>{inDollars(after[field])}</strong>
          {change(before[field], after[field])}
        </dd>
      </div>
    ))}
  </dl>
)

/** Whether who is offered what an employer is judged by can afford it, by which safe harbor. */
type AffordabilityProps = { of: Totals; missing: string | undefined }

function Affordability({
  of: { affordable_employee_count, unaffordable_employee_count },
  missing,
}: AffordabilityProps) {
  const judged = affordable_employee_count + unaffordable_employee_count
  if (judged === 0)
    return (
      <p className="quiet note">
        Affordability is unknown: {missing ?? 'nobody is offered an ICHRA or a plan of minimum value (MVP) here'}.
      </p>
    )
  return (
    <p className="note">
      <Status
        of={`affordable to ${inWords(affordable_employee_count)} of ${inWords(judged)}`}
        tone={unaffordable_employee_count > 0 ? 'bad' : 'good'}
      />{' '}
      <span className="quiet">
        By the cheapest plan for the employee alone, and the federal poverty line or else the pay that was told. What a
        W-2 says is known only after the year.{missing && ` Unknown for some: ${missing}.`}
      </span>
    </p>
  )
}

const difference_columns: Column<Difference & { rows: Difference[] }>[] = [
  { name: 'What', width: 40, wraps: true, cell: ({ of }) => of },
  {
    name: 'Difference',
    wraps: true,
    cell: ({ rows }) =>
      rows.map(({ field, before, after }) => (
        <span key={field} className="block">
          <Changed field={field} before={before} after={after ?? 'no more'} />
        </span>
      )),
  },
]

/** What a copy says otherwise than the plan year that it is of. */
const Differences = ({ of, from }: { of: Difference[]; from: BenefitPlanYear }) => (
  <>
    <h3>What differs from the plan year of {dayOf(from.coverage_start)}</h3>
    <Table
      label="Differences"
      columns={difference_columns}
      rows={rowsOf([...Map.groupBy(of, (one) => one.of).values()].map((rows) => ({ ...rows[0]!, rows })))}
      empty={<p className="quiet">Nothing: all is as it was.</p>}
    />
  </>
)

type PricedTier = BenefitPlanYear['contribution_strategy']['contribution_tiers'][number]
type Priced = PricedTier & { is_first_of_plan: boolean }

const underTheirPlans = (tiers: PricedTier[]): Priced[] =>
  tiers.map((tier, at) => ({ ...tier, is_first_of_plan: tier.benefit_plan_id !== tiers[at - 1]?.benefit_plan_id }))

const tier_columns: Column<Priced>[] = [
  {
    name: 'Plan',
    width: 32,
    phone: 30,
    // Said once for the eye; each row is read with its plan.
    cell: ({ benefit_plan_name, is_first_of_plan }) => (
      <span className={is_first_of_plan ? undefined : 'unseen'}>{benefit_plan_name}</span>
    ),
  },
  { name: 'Tier', width: 9, phone: 12, cell: ({ coverage_tier }) => coverage_tier },
  { name: 'Premium', align: 'end', only: 'middle', cell: ({ premium_in_cents }) => inDollars(premium_in_cents) },
  { name: 'Employer', align: 'end', cell: (tier) => inDollars(tier.employer_contribution_in_cents) },
  {
    name: 'Employee',
    align: 'end',
    cell: (tier) => inDollars(tier.premium_in_cents - tier.employer_contribution_in_cents),
  },
]

const outcomes = {
  carried: 'keeps coverage',
  answered: 'has elected',
  lapses: 'would lose coverage',
  not_carried: 'can enroll',
} as const
/** Of who waived. */
const without_coverage = { ...outcomes, carried: 'stays waived', answered: 'has waived' } as const
const tones = { carried: 'good', answered: 'good', lapses: 'bad', not_carried: 'wait' } as const

const harbors = {
  federal_poverty_line: 'Affordable by poverty line',
  rate_of_pay: 'Affordable by pay',
} as const

const columnsOf = (nameOf: (benefit_id: string) => string): Column<PreviewedOffer>[] => [
  {
    name: 'Person',
    width: 20,
    cell: (one) => (
      <>
        {one.member_first_name} {one.member_last_name}{' '}
        <span className="quiet only-phone">{nameOf(one.benefit_id)}</span>
      </>
    ),
  },
  {
    name: 'Benefit',
    only: 'middle',
    width: 22,
    cell: ({ benefit_id, affordability }) => (
      <>
        {nameOf(benefit_id)}
        {affordability && (
          <span className="quiet block" title={`${inDollars(affordability.self_only_cost_in_cents)} a month alone`}>
            {affordability.safe_harbor ? harbors[affordability.safe_harbor] : 'Not affordable'}
          </span>
        )}
      </>
    ),
  },
  {
    name: 'Outcome',
    width: 26,
    phone: 34,
    cell: ({ outcome, status, answer }) =>
      outcome ? (
        <Status of={(answer === 'waived' ? without_coverage : outcomes)[outcome]} tone={tones[outcome]} />
      ) : (
        <Status of={status === null ? 'not eligible' : 'can enroll'} tone={status === null ? 'over' : 'wait'} />
      ),
  },
  {
    name: 'Pays now',
    align: 'end',
    only: 'wide',
    cell: ({ former }) => (former ? inDollars(former.employee_deduction_in_cents) : <Nothing />),
  },
  {
    name: 'Would pay',
    align: 'end',
    cell: ({ elected }) => (elected ? inDollars(elected.employee_deduction_in_cents) : <Nothing />),
  },
]

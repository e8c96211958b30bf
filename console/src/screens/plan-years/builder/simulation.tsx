import type { BenefitPlanYear, Catalog, PlanYearPreview, PreviewedOffer } from 'openbenefits/operator'
import { formatCount, formatDay, formatDollars, formatNumber, toSentence, formatDayRange } from '../../../format.ts'
import { AffordableCost } from './affordable-cost.tsx'
import { coverageLevelLabel, describeMissingFigures } from '../../../parts/benefits/labels.ts'
import { ChangePlan } from '../../../parts/form/change-plan.tsx'
import { ChangedField, Dash, Status } from '../../../parts/page/page.tsx'
import { fixedRows } from '../../../parts/table/rows.ts'
import { type Column, moneyColumn, Table } from '../../../parts/table/table.tsx'

type SimulationProps = {
  opened: BenefitPlanYear
  /** the plan year it was copied from */
  like: BenefitPlanYear | undefined
  preview: PlanYearPreview
  benefits: Catalog['benefits']
  /** whether this result is outdated while a new one is being calculated */
  is_former: boolean
  open: () => Promise<unknown>
  back: () => void
}

/** The cost preview: totals, costs per plan and tier, and costs per person on the real roster. */
export function Simulation({ opened, like, preview, benefits, is_former, open, back }: SimulationProps) {
  const { totals, data, as_of, pagination } = preview
  const nameOf = (id: string) => benefits.find((benefit) => benefit.id === id)?.name ?? id
  return (
    <div data-former={is_former}>
      {totals && <TotalsTable of={totals} />}
      {totals && <AffordabilityTable of={totals} missing={describeMissingFigures(data)} />}
      <AffordableCost opened={opened} benefits={benefits} />
      <ChangePlan
        title={`If opened today: enrollments granted on ${formatDay(as_of)}`}
        parts={[
          { name: 'can enroll', count: totals?.granted_employee_count ?? pagination.total, tone: 'good' },
          { name: 'keep coverage or have elected', count: totals?.carried_employee_count ?? 0, tone: 'good' },
          { name: 'lose coverage unless they respond', count: totals?.lapsing_employee_count ?? 0, tone: 'bad' },
        ]}
        button={`Open for ${formatCount(totals?.granted_employee_count ?? pagination.total, 'person', 'people')}`}
        unless={is_former ? 'Calculating…' : undefined}
        apply={open}
        back={back}
      />
      {like && <PlanYearDifferences of={planYearDifferences(like, opened)} from={like} />}
      <h3>Monthly cost per plan and tier</h3>
      <Table
        label="Per plan and tier"
        columns={tier_columns}
        rows={fixedRows(groupByPlan(opened.contribution_strategy.contribution_tiers))}
        empty={<p className="quiet">Allowances depend on age and location, as in the catalog.</p>}
      />
      <h3>Monthly cost per person</h3>
      <Table label="Person by person" columns={columnsOf(nameOf)} rows={fixedRows(data)} empty={<Dash />} />
      {pagination.total > pagination.limit && (
        <p className="quiet">And {formatCount(pagination.total - pagination.limit, 'more person', 'more people')}.</p>
      )}
    </div>
  )
}

const formatChange = (before: number, after: number) =>
  before === 0 || before === after ? null : (
    <span className="quiet">
      {' '}
      {after > before ? `+${formatDollars(after - before)}` : `−${formatDollars(before - after)}`}
    </span>
  )

type Totals = NonNullable<PlanYearPreview['totals']>

const TotalsTable = ({ of: { before, after } }: { of: Totals }) => (
  <dl className="facts">
    {(
      [
        ['Monthly premium', 'premium_in_cents'],
        ['The employer pays', 'employer_contribution_in_cents'],
        ['Employees pay', 'employee_deduction_in_cents'],
      ] as const
    ).map(([name, field]) => (
      <div key={field}>
        <dt>{name}</dt>
        <dd className="number">
          <strong>{formatDollars(after[field])}</strong>
          {formatChange(before[field], after[field])}
        </dd>
      </div>
    ))}
  </dl>
)

/** Whether the offered coverage is affordable, and by which safe harbor. */
type AffordabilityProps = { of: Totals; missing: string | undefined }

function AffordabilityTable({
  of: { affordable_employee_count, unaffordable_employee_count },
  missing,
}: AffordabilityProps) {
  const judged = affordable_employee_count + unaffordable_employee_count
  if (judged === 0)
    return (
      <p className="quiet note">
        Affordability is unknown: {missing ?? 'this plan year offers no ICHRA and no minimum value plan (MVP)'}.
      </p>
    )
  return (
    <p className="note">
      <Status
        of={`affordable to ${formatNumber(affordable_employee_count)} of ${formatNumber(judged)}`}
        tone={unaffordable_employee_count > 0 ? 'bad' : 'good'}
      />{' '}
      <span className="quiet">
        Based on the lowest-cost employee-only plan and the federal poverty line, or else the reported pay. W-2 wages
        are known only after the year.{missing && ` Unknown for some: ${missing}.`}
      </span>
    </p>
  )
}

const difference_columns: Column<Difference & { rows: Difference[] }>[] = [
  { name: 'Item', width: 40, wraps: true, cell: ({ of }) => of },
  {
    name: 'Difference',
    wraps: true,
    cell: ({ rows }) =>
      rows.map(({ field, before, after }) => (
        <span key={field} className="block">
          <ChangedField field={field} before={before} after={after ?? 'removed'} />
        </span>
      )),
  },
]

/** The differences between a copy and its source. */
const PlanYearDifferences = ({ of, from }: { of: Difference[]; from: BenefitPlanYear }) => (
  <>
    <h3>Differences from the plan year of {formatDay(from.coverage_start)}</h3>
    <Table
      label="Differences"
      columns={difference_columns}
      rows={fixedRows([...Map.groupBy(of, (one) => one.of).values()].map((rows) => ({ ...rows[0]!, rows })))}
      empty={<p className="quiet">No differences.</p>}
    />
  </>
)

type PricedTier = BenefitPlanYear['contribution_strategy']['contribution_tiers'][number]
type Priced = PricedTier & { is_first_of_plan: boolean }

const groupByPlan = (tiers: PricedTier[]): Priced[] =>
  tiers.map((tier, at) => ({ ...tier, is_first_of_plan: tier.benefit_plan_id !== tiers[at - 1]?.benefit_plan_id }))

const tier_columns: Column<Priced>[] = [
  {
    name: 'Plan',
    width: 32,
    phone: 30,
    // Visible only in the first row of a plan. Screen readers read it in every row.
    cell: ({ benefit_plan_name, is_first_of_plan }) => (
      <span className={is_first_of_plan ? undefined : 'unseen'}>{benefit_plan_name}</span>
    ),
  },
  { name: 'Coverage level', width: 18, phone: 24, cell: ({ coverage_tier }) => coverageLevelLabel(coverage_tier) },
  moneyColumn('Premium', 'premium_in_cents', { only: 'middle' }),
  moneyColumn('Employer', 'employer_contribution_in_cents'),
  {
    name: 'Employee',
    align: 'end',
    cell: (tier) => formatDollars(tier.premium_in_cents - tier.employer_contribution_in_cents),
  },
]

const outcomes = {
  carried: 'keeps coverage',
  answered: 'has elected',
  lapses: 'would lose coverage',
  not_carried: 'can enroll',
} as const
/** Labels for people who waived. */
const without_coverage = { ...outcomes, carried: 'stays waived', answered: 'has waived' } as const
const tones = { carried: 'good', answered: 'good', lapses: 'bad', not_carried: 'wait' } as const

const safe_harbor_labels = {
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
          <span
            className="quiet block"
            title={`${formatDollars(affordability.self_only_cost_in_cents)} per month, employee only`}
          >
            {affordability.safe_harbor ? safe_harbor_labels[affordability.safe_harbor] : 'Not affordable'}
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
    cell: ({ former }) => (former ? formatDollars(former.employee_deduction_in_cents) : <Dash />),
  },
  {
    name: 'Would pay',
    align: 'end',
    cell: ({ elected }) => (elected ? formatDollars(elected.employee_deduction_in_cents) : <Dash />),
  },
]

type Fact = { of: string; field: string; value: string }

/** A difference between two plan years: the item, the field, the old and the new value. Null if the value is absent. */
export type Difference = { of: string; field: string; before: string | null; after: string | null }

const toFact = (of: string, field: string, value: string | null): Fact[] =>
  value === null ? [] : [{ of, field, value }]
const formatDays = (from: string, to: string | null) => (to === null ? null : formatDayRange(from, to))

/** The formatted fields of a plan year. */
function planYearFacts(year: BenefitPlanYear): Fact[] {
  const { contribution_rules, contribution_tiers } = year.contribution_strategy
  const nameOf = (id: string) => year.benefits.find((benefit) => benefit.id === id)?.name ?? id
  const its = 'Plan year'
  return [
    ...toFact(its, 'Coverage', formatDays(year.coverage_start, year.coverage_end)),
    ...toFact(its, 'Open enrollment', formatDays(year.open_enrollment_start, year.open_enrollment_end)),
    ...toFact(its, 'Without a response', year.renewal === 'passive' ? 'coverage carries over' : 'coverage ends'),
    ...toFact(its, 'Offered in', year.offered_states.join(', ') || 'every state'),
    ...toFact(its, 'Notice due', year.notice_due_on && formatDay(year.notice_due_on)),
    ...year.choice_groups.flatMap(({ name, benefit_ids }) =>
      toFact(
        its,
        `One of ${toSentence(name).toLowerCase()}`,
        benefit_ids.map(nameOf).join(', ') || 'all other benefits',
      ),
    ),
    ...year.benefits.flatMap(({ name }) => toFact(name, 'Benefit', 'offered')),
    ...contribution_rules.flatMap((rule) =>
      toFact(
        nameOf(rule.benefit_id),
        `Employer pays, ${rule.coverage_tier ? coverageLevelLabel(rule.coverage_tier) : 'other levels'}`,
        rule.method === 'percentage' ? `${rule.percentage}%` : formatDollars(rule.amount_in_cents),
      ),
    ),
    ...contribution_tiers.flatMap((tier) => {
      const of = `${tier.benefit_plan_name}, ${coverageLevelLabel(tier.coverage_tier)}`
      return [
        ...toFact(of, 'Premium', formatDollars(tier.premium_in_cents)),
        ...toFact(of, 'Employer', formatDollars(tier.employer_contribution_in_cents)),
        ...toFact(of, 'Employee', formatDollars(tier.cost)),
      ]
    }),
  ]
}

/** The fields that differ between two plan years, in order. */
export function planYearDifferences(before: BenefitPlanYear, after: BenefitPlanYear): Difference[] {
  const [was, is] = [planYearFacts(before), planYearFacts(after)]
  const valueIn = (facts: Fact[], { of, field }: Fact) =>
    facts.find((one) => one.of === of && one.field === field)?.value ?? null
  return [
    ...is.map((one) => ({ of: one.of, field: one.field, before: valueIn(was, one), after: one.value })),
    ...was.flatMap((one) =>
      valueIn(is, one) === null ? [{ of: one.of, field: one.field, before: one.value, after: null }] : [],
    ),
  ].filter((one) => one.before !== one.after)
}

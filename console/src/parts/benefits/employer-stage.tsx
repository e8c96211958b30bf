import type { BenefitPlanYearRow, EmployerRow } from 'openbenefits'
import type { ReactNode } from 'react'
import { formatDay, formatDayRange } from '../../format.ts'
import { Empty, orDash, PayrollStatus, EnrolledShare, Status } from '../page/page.tsx'
import type { Column, Layout } from '../table/table.tsx'

type StageOf = EmployerRow['benefit_lifecycle_stage']

/** Labels of the date that belongs to each stage. */
const stage_day_labels: Partial<Record<StageOf['stage'], string>> = {
  onboarding: 'starts',
  open_enrollment: 'closes',
  renewal: 'renews',
}

/** The stage of an employer, with its date. */
export const EmployerStage = ({ of: { stage, as_of_date } }: { of: StageOf }) => (
  <>
    <Status of={stage} />{' '}
    {as_of_date && (
      <span className="quiet only-wide">
        {stage_day_labels[stage] ?? 'since'} {formatDay(as_of_date)}
      </span>
    )}
  </>
)

type Year = Pick<BenefitPlanYearRow, 'status' | 'coverage_start' | 'coverage_end' | 'enrollment_rate'> &
  Partial<Pick<BenefitPlanYearRow, 'is_current' | 'open_enrollment_start'>>

/** The plan year relevant for enrollment today: the one in open enrollment, or else the current or the next one. */
export const enrollmentYear = <Found extends Year>(years: Found[]): Found | undefined =>
  years.find(({ status }) => status === 'open_enrollment') ??
  years.find(({ status, is_current }) => is_current ?? status === 'active') ??
  years.findLast(({ status }) => status === 'upcoming')

type EnrolledSummaryProps = { year: Year | undefined; children?: ReactNode }

/** The share of eligible people who are enrolled in a plan year. */
export function EnrolledSummary({ year, children }: EnrolledSummaryProps) {
  if (!year || (year.enrollment_rate.eligible === 0 && year.status !== 'upcoming'))
    return (
      <Empty title="No eligible people yet.">
        People become eligible once the employer has an eligibility policy, a plan year and a roster.
      </Empty>
    )
  const period = formatDayRange(year.coverage_start, year.coverage_end)
  if (year.enrollment_rate.eligible === 0)
    return (
      <Empty title="Enrollment has not started.">
        {year.open_enrollment_start
          ? `Open enrollment for the plan year ${period} starts on ${formatDay(year.open_enrollment_start)}.`
          : `The plan year ${period} has no open enrollment.`}
      </Empty>
    )
  return (
    <div className="headline">
      <span className="figure number">{year.enrollment_rate.percentage}%</span>
      <EnrolledShare
        of="eligible people enrolled"
        enrolled={year.enrollment_rate.enrolled}
        eligible={year.enrollment_rate.eligible}
      />
      <span className="quiet">in the plan year {period}</span>
      {children}
    </div>
  )
}

/** A column with the share of eligible people who are enrolled. */
export const makeEnrolledColumn = <Row,>(
  rateOf: (row: Row) => { enrolled: number; eligible: number },
  layout: Layout,
): Column<Row> => ({
  name: 'Enrolled',
  ...layout,
  cell: (row) => <EnrolledShare of="eligible people enrolled" {...rateOf(row)} />,
})

/** The stage, the enrollment rate and the payroll connection of the employers in a list. */
export const stage_column: Column<EmployerRow> = {
  name: 'Stage',
  width: 27,
  phone: 38,
  cell: ({ benefit_lifecycle_stage }) => <EmployerStage of={benefit_lifecycle_stage} />,
}
export const enrolled_column = makeEnrolledColumn<EmployerRow>((row) => row.enrollment_rate_summary, {
  width: 19,
  phone: 24,
})
export const payroll_column: Column<EmployerRow> = {
  name: 'Payroll',
  only: 'wide',
  cell: ({ hris_status }) =>
    orDash(hris_status, ({ provider_label, status }) => (
      <span className="named-status">
        {provider_label} <PayrollStatus of={status} />
      </span>
    )),
}

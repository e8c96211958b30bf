import type { ReactNode } from 'react'
import type { BenefitPlanYearRow } from 'openbenefits'
import { Empty, Share } from '../page/page.tsx'
import { periodOf } from '../../format.ts'

type Year = Pick<BenefitPlanYearRow, 'status' | 'coverage_start' | 'coverage_end' | 'enrollment_rate'> &
  Partial<Pick<BenefitPlanYearRow, 'is_current'>>

/** The plan year relevant for enrollment today: the one in open enrollment, or else the current or the next one. */
export const enrollmentYear = <Found extends Year>(years: Found[]): Found | undefined =>
  years.find(({ status }) => status === 'open_enrollment') ??
  years.find(({ status, is_current }) => is_current ?? status === 'active') ??
  years.findLast(({ status }) => status === 'upcoming')

type EnrolledProps = { year: Year | undefined; children?: ReactNode }

/** The share of eligible people who are enrolled in a plan year. */
export const Enrolled = ({ year, children }: EnrolledProps) =>
  year && year.enrollment_rate.eligible > 0 ? (
    <div className="headline">
      <span className="figure number">{year.enrollment_rate.percentage}%</span>
      <Share
        of="eligible people enrolled"
        enrolled={year.enrollment_rate.enrolled}
        eligible={year.enrollment_rate.eligible}
      />
      <span className="quiet">
        in the plan year {periodOf({ period_start_date: year.coverage_start, period_end_date: year.coverage_end })}
      </span>
      {children}
    </div>
  ) : (
    <Empty title="No eligible people yet.">
      People become eligible once the employer has an eligibility policy, a plan year and a roster.
    </Empty>
  )

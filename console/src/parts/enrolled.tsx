import type { ReactNode } from 'react'
import type { EmployerRow } from 'openbenefits'
import { Empty, Share } from './page.tsx'

type EnrolledProps = { of: EmployerRow['enrollment_rate_summary'] | undefined; children?: ReactNode }

/** Of an employer, how many of those who are eligible are enrolled; what belongs to it stands beside. */
export const Enrolled = ({ of, children }: EnrolledProps) =>
  of && of.eligible > 0 ? (
    <div className="headline">
      <span className="figure number">{of.percentage}%</span>
      <Share of="eligible people enrolled" enrolled={of.enrolled} eligible={of.eligible} />
      {children}
    </div>
  ) : (
    <Empty title="No one is eligible yet.">
      People become eligible once there is an eligibility policy, a plan year and a roster.
    </Empty>
  )

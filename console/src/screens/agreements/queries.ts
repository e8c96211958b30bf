import type { EnrollmentAgreement } from 'openbenefits'
import { ob } from '../../api.ts'
import { resourceQuery } from '../../queries.ts'

/** The latest versions of the agreements that employees sign, newest first, and the default text last. */
export const agreementsQuery = () => resourceQuery(['agreements'], (options) => ob.enrollments.listAgreements(options))

/** The latest text of a plan year, or the latest text for all plan years if the id is null. */
export const latestAgreement = (all: EnrollmentAgreement[], year_id: string | null): EnrollmentAgreement | undefined =>
  all.filter(({ benefit_plan_year_id: id }) => id === year_id).toSorted((one, other) => other.version - one.version)[0]

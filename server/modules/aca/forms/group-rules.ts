import type { Day } from '../../../kernel/days.ts'
import { hoursIn } from '../measurement/hour-rules.ts'
import { isEmployedIn, type DayRange, type FormFacts } from './fact-rules.ts'

/** The hours of service at an ALE member in a month, and the first day of employment there. */
type MemberMonth = { ein_employer_id: string; is_own: boolean; hundredths: number; since: Day }

/** The hours of the employments under one EIN in a month. */
function memberMonthOf(employments: readonly FormFacts[], month: DayRange): MemberMonth {
  const { ein_employer_id, is_own } = employments[0]!
  const hours = employments.flatMap(({ group_hours }) => group_hours)
  return {
    ein_employer_id,
    is_own,
    hundredths: hoursIn(hours, { starts_on: month.first, ends_on: month.last }),
    since: employments.map(({ hired_on }) => hired_on ?? '').sort()[0]!,
  }
}

const byHours = (a: MemberMonth, b: MemberMonth): number => {
  if (a.hundredths !== b.hundredths) return b.hundredths - a.hundredths
  return [a.since, a.ein_employer_id] < [b.since, b.ein_employer_id] ? -1 : 1
}

/**
 * Whether another ALE member of the group is the employer in a month: the one with the most hours of service of the
 * person (54.4980H-4(d) and 54.4980H-5(d)). Only that member reports the person for the month (Instructions for Forms
 * 1094-C and 1095-C). With equal hours, the group may choose: the member with the longest employment is the employer.
 */
export function isEmployedElsewhere(employments: readonly FormFacts[], month: DayRange): boolean {
  const employed = employments.filter((one) => isEmployedIn(one, month))
  const members = [...Map.groupBy(employed, ({ ein_employer_id }) => ein_employer_id).values()]
  const [employer] = members.map((one) => memberMonthOf(one, month)).toSorted(byHours)
  return employer !== undefined && !employer.is_own
}

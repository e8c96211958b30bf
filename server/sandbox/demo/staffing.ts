import type { EmployerKey } from '../../modules/access/auth/queries.ts'
import { saveAssignment } from '../../modules/aca/assignments/queries.ts'
import { NewAssignment } from '../../modules/aca/assignments/schemas.ts'
import { requestMeasurement } from '../../modules/aca/ale-groups/actions.ts'
import { requestForms } from '../../modules/aca/forms/derive-actions.ts'
import { insertHours, type FirstHours } from '../../modules/aca/hours/insert-queries.ts'
import { insertReport } from '../../modules/aca/hours/queries.ts'
import { setPolicies } from '../../modules/aca/measurement/actions.ts'
import { withDefaults } from '../../modules/aca/measurement/policy-rules.ts'
import { storeTaxIdentifier } from '../../modules/aca/tax-identifiers/actions.ts'
import { yearOf } from '../../modules/directory/ichra/figure-rules.ts'
import { saveWages } from '../../modules/directory/ichra/queries.ts'
import { submitCensus } from '../../modules/roster/census/actions.ts'
import { chunk_size, CensusSubmission } from '../../modules/roster/census/schemas.ts'
import { stageRows } from '../../kernel/concurrency/staged-rows.ts'
import { addDays, day_ms, earliest, monthsAfter, type Day } from '../../kernel/days.ts'
import { newId } from '../../kernel/ids.ts'
import type { Ctx } from '../../runtime/ctx.ts'
import type { Employer } from '../employer.ts'
import { nextMonth, type Timeline } from '../timeline.ts'
import { fileForms } from './filing.ts'
import { pseudorandom, referenceOf, rowOf, topics, type DemoLocation, type DemoWorker } from './people.ts'
import { listMembers } from './queries.ts'

/**
 * A staffing firm with 300 hourly people: more than two years of hours by week, look-back measurement, assignments to
 * clients and tax identifiers. Everything depends only on the number of a person and today's date.
 */

/**
 * Months of hours before the first plan year: a standard measurement and its administrative period, so that coverage is
 * offered from the first day that hours decide.
 */
const months_before_coverage = 14

/** The days from the announcement of a plan year to its first day. */
export const days_of_notice = 40

/** The first days of the announced plan years, which are calendar years. The first one is the past year. */
export const planYearsOf = ({ today }: Timeline): Day[] =>
  [-1, 0, 1]
    .map((years) => `${yearOf(today) + years}-01-01`)
    .filter((start) => addDays(start, -days_of_notice) <= today)

/** The months before the current one in which people are hired, for those who are not there from the beginning. */
const hire_months = [-17, -15, -13, -12, -9, -6, -3, -2] as const

/**
 * The days on which people submit their choices: one half in open enrollment, then the other, and every month those who
 * became full-time.
 */
export function staffingAnswers(timeline: Timeline): { day: Day; half: number }[] {
  const years = planYearsOf(timeline)
  const enrollments = years.flatMap((start) => [27, 22].map((days, half) => ({ day: addDays(start, -days), half })))
  const monthly = monthsSince(years[0]!, timeline).flatMap((first) =>
    [0, 1].map((half) => ({ day: addDays(first, 19), half })),
  )
  return [...enrollments, ...monthly].filter(({ day }) => day <= timeline.today)
}

/** The first days of months from a first day of a month through today. */
function monthsSince(first: Day, { today }: Timeline): Day[] {
  const days: Day[] = []
  for (let day = first; day <= today; day = nextMonth(day)) days.push(day)
  return days
}

/** One in this many people is hired later, one in this many has left, and so on. */
const one_in = { hired_later: 4, left: 23, on_leave: 37, away: 29, without_identifier: 41, in_office: 25 } as const

const isOneIn = (many: number, { at }: DemoWorker, shift = 0): boolean => (at + shift) % many === 0

/** The first day of employment. The first people were hired years ago. */
function startDate(worker: DemoWorker, timeline: Timeline): Day {
  if (!isOneIn(one_in.hired_later, worker)) return timeline.day(-40 - (worker.at % 50), 1 + (worker.at % 28))
  const month = hire_months[Math.floor(worker.at / one_in.hired_later) % hire_months.length]!
  return timeline.day(month, 3 + (worker.at % 9))
}

/** The last day of employment of those who have left. */
function lastDay(worker: DemoWorker, timeline: Timeline): Day | null {
  if (isOneIn(one_in.hired_later, worker) || !isOneIn(one_in.left, worker, 5)) return null
  return timeline.day(-1 - (worker.at % 9), 4 + (worker.at % 20))
}

const isInOffice = (worker: DemoWorker) => isOneIn(one_in.in_office, worker, 2)

/** The hourly rate in cents, in steps of 25 cents. */
const hourlyRate = (worker: DemoWorker): number =>
  isInOffice(worker) ? 2_900 : 1_275 + 25 * Math.floor(pseudorandom(worker.at, topics.wage) * 34)

/** A census row. The hours of all people outside the office vary. */
function staffingRow(
  worker: DemoWorker,
  location: DemoLocation,
  timeline: Timeline,
  day: Day,
): ReturnType<typeof rowOf> {
  const termination_date = lastDay(worker, timeline)
  return {
    ...rowOf(worker, location, day),
    start_date: startDate(worker, timeline),
    employee_class: isInOffice(worker) ? 'Full Time' : 'Temporary',
    compensation_type: 'Hourly',
    ...(termination_date && termination_date <= day && { termination_date }),
  }
}

/** The usual hours a week in hundredths: most are full-time, some are near 30 hours, and some are below. */
function usualHours(worker: DemoWorker, week: number): number {
  if (isInOffice(worker)) return 4_000
  const drawn = pseudorandom(worker.at, topics.class)
  // Some people worked less until 20 weeks ago, and now approach 30 hours a week.
  if (drawn > 0.94) return week < 20 ? 3_350 : 2_300
  if (drawn > 0.75) return 2_150 + Math.round(900 * pseudorandom(worker.at, topics.pay))
  if (drawn > 0.62) return 2_800
  return 3_300 + Math.round(700 * pseudorandom(worker.at, topics.pay))
}

/** The hours of a week in quarters of an hour. `week`: the number of weeks before today. */
function hoursIn(worker: DemoWorker, week: number): number {
  const noise = isInOffice(worker) ? 0 : pseudorandom(worker.at * 1_000 + week, topics.vision) - 0.5
  return Math.round((usualHours(worker, week) + 700 * noise) / 25) * 25
}

/** Whether a person has no assignment in a week, which is shorter than a break in service. */
const isAway = (worker: DemoWorker, week: number): boolean =>
  isOneIn(one_in.away, worker, 7) && (week < 7 || (week > 58 && week < 66))

/** Weeks ago of leave under the FMLA. */
const leave_weeks = { first: 12, last: 5 }

/** A Monday. Weeks are counted from it. */
const a_monday = Date.parse('2024-01-01')
const week_ms = 7 * day_ms
const mondayOnOrAfter = (day: Day): Day =>
  new Date(a_monday + Math.ceil((Date.parse(day) - a_monday) / week_ms) * week_ms).toISOString().slice(0, 10)

/** The last Sunday before a day. */
const sundayBefore = (day: Day): Day => addDays(mondayOnOrAfter(addDays(day, -6)), -1)

const weeksBetween = (from: Day, to: Day): number => Math.round((Date.parse(to) - Date.parse(from)) / week_ms)

/** The hours of a person in whole weeks from a day through another one. */
function hoursOf(worker: DemoWorker, employee_id: string, from: Day, through: Day, timeline: Timeline): FirstHours[] {
  const start = startDate(worker, timeline)
  const until = earliest(lastDay(worker, timeline), through)!
  const this_week = mondayOnOrAfter(timeline.today)
  const rows: FirstHours[] = []
  for (let day = mondayOnOrAfter(start > from ? start : from); addDays(day, 6) <= until; day = addDays(day, 7)) {
    const week = weeksBetween(day, this_week)
    const is_on_leave = isOneIn(one_in.on_leave, worker, 3) && week <= leave_weeks.first && week >= leave_weeks.last
    if (isAway(worker, week)) continue
    const kind = is_on_leave ? 'special_unpaid_leave' : 'worked'
    const hundredths = is_on_leave ? 0 : hoursIn(worker, week)
    rows.push({ employee_id, starts_on: day, ends_on: addDays(day, 6), kind, hundredths })
  }
  return rows
}

const clients = [
  ['Harvest Foods', '4100 Packing House Rd', 'Wichita', 'KS', '67219'],
  ['Cottonwood Distribution', '900 Freight Way', 'Newton', 'KS', '67114'],
  ['Flint Hills Hospital', '18 Mercy Dr', 'Emporia', 'KS', '66801'],
  ['Redwing Plastics', '77 Industrial Ave', 'Salina', 'KS', '67401'],
  ['Panhandle Produce', '2300 Route 60', 'Amarillo', 'TX', '79101'],
  ['Cimarron Hotels', '5 Union Sq', 'Tulsa', 'OK', '74103'],
] as const

/** The present assignment, and for some a former one. */
async function assign(ctx: Ctx, key: EmployerKey & { employee_id: string }, worker: DemoWorker, since: Day) {
  const assignment = (at: number, starts_on: Day, ends_on?: Day) => {
    const [client_name, address_line_1, city, state, zipcode] = clients[at % clients.length]!
    const worksite = { address_line_1, city, state, zipcode }
    const hourly_rate_in_cents = hourlyRate(worker)
    const input = NewAssignment.parse({ client_name, worksite, starts_on, ends_on, hourly_rate_in_cents })
    return saveAssignment(ctx, { ...key, assignment_id: newId('asgn') }, input)
  }
  const moved_on = monthsAfter(since, 5)
  if (worker.at % 5 !== 0 || moved_on >= ctx.today) return assignment(worker.at, since)
  await assignment(worker.at + 1, since, addDays(moved_on, -1))
  return assignment(worker.at, moved_on)
}

/** An assignable Social Security number of the area 219, which depends only on the person. */
const identifierOf = ({ at }: DemoWorker): string => `219-${String(10 + (at % 89))}-${String(1000 + at)}`

/** The firm, whose first plan year begins on `begins`, and its people. */
export type StaffingFirm = {
  employer: Employer
  location: DemoLocation
  people: DemoWorker[]
  joined: Day
  begins: Day
}

/** The history of a staffing firm: its roster, its hours with their measurement, and the staff's assignments. */
export function recordStaffing(timeline: Timeline, firm: StaffingFirm): void {
  const { employer, joined, begins, people } = firm
  const key = () => employer.key()
  const first_day_of_hours = monthsAfter(begins, -months_before_coverage)
  let reported_through = addDays(first_day_of_hours, -1)
  const report = async (ctx: Ctx) => {
    const through = sundayBefore(ctx.today)
    const days = { from: addDays(reported_through, 1), through }
    reported_through = through
    await reportHours(ctx, timeline, firm, days)
  }
  let known_until = addDays(joined, 3)
  census(timeline, firm, known_until, '0001-01-01')
  timeline.on(addDays(joined, 5), async (ctx) => {
    const standard_starts_on = first_day_of_hours
    await setPolicies(ctx, key(), [withDefaults({ method: 'look_back', standard_starts_on })])
    await report(ctx)
  })
  for (const day of [...hire_months.map((month) => timeline.day(month, 15)), timeline.ago(1)]) {
    const hasChanged = (worker: DemoWorker) =>
      [startDate(worker, timeline), lastDay(worker, timeline)].some((date) => isBetween(date, known_until, day))
    if (!people.some(hasChanged)) continue
    census(timeline, firm, day, known_until)
    known_until = day
  }
  const quarters = monthsSince(nextMonth(joined), timeline).filter((day) =>
    ['02', '05', '08', '11'].includes(day.slice(5, 7)),
  )
  for (const day of quarters) if (addDays(day, 7) < timeline.today) timeline.on(addDays(day, 7), report)
  timeline.on(timeline.today, report)
  const past = yearOf(begins)
  for (const tax_year of [past, past + 1])
    timeline.on(timeline.today, (ctx) => requestForms(ctx, { ...key(), tax_year }))
  fileForms(timeline, employer, past)
}

const isBetween = (day: Day | null, after: Day, until: Day): boolean => day !== null && day > after && day <= until

/** Adds the people hired after a day, and terminates those who left since, then records their wages and assignments. */
function census(timeline: Timeline, { employer, location, people }: StaffingFirm, day: Day, after: Day): void {
  const added = people.filter(
    (worker) =>
      isBetween(startDate(worker, timeline), after, day) && !isBetween(lastDay(worker, timeline), '0001-01-01', after),
  )
  const left = people.filter((worker) => isBetween(lastDay(worker, timeline), after, day))
  const rows = [...new Set([...added, ...left])].map((worker) => staffingRow(worker, location, timeline, day))
  timeline.record(day, { operation: 'employers_submit_census_sync', fields: ['employees'] }, async (ctx) => {
    const { employees } = CensusSubmission.parse({ employees: rows })
    return (await submitCensus(ctx, employer.key(), stageRows(employees, chunk_size), undefined)).census_sync_id
  })
  timeline.on(addDays(day, 1), async (ctx) => {
    const key = employer.key()
    const members = await listMembers(ctx, key)
    const known = added.map((worker) => ({ worker, ...members.get(referenceOf(worker, location))! }))
    const wages = known.map(({ worker, employee_id }) => ({
      employee_id,
      effective_on: ctx.today,
      monthly_wage_in_cents: 130 * hourlyRate(worker),
    }))
    await saveWages(ctx, key.organization_id, wages)
    for (const { worker, employee_id, member_id } of known) {
      if (!isInOffice(worker)) await assign(ctx, { ...key, employee_id }, worker, startDate(worker, timeline))
      if (isOneIn(one_in.without_identifier, worker, 1)) continue
      const person = { organization_id: key.organization_id, member_id, person_id: member_id }
      await storeTaxIdentifier(ctx, person, identifierOf(worker))
    }
  })
}

/** Reports the hours of all people in whole weeks from a day through another one. The job measures them. */
async function reportHours(
  ctx: Ctx,
  timeline: Timeline,
  { employer, location, people }: StaffingFirm,
  { from, through }: { from: Day; through: Day },
): Promise<void> {
  const key = employer.key()
  const members = await listMembers(ctx, key)
  const rows = people.flatMap((worker) => {
    const found = members.get(referenceOf(worker, location))
    return found ? hoursOf(worker, found.employee_id, from, through, timeline) : []
  })
  await insertHours(ctx, key, rows)
  await insertReport(ctx, {
    ...key,
    hours_report_id: newId('hrep'),
    origin: 'api',
    row_count: rows.length,
    added_count: rows.length,
    changed_count: 0,
    removed_count: 0,
    unchanged_count: 0,
    late_count: 0,
    failed_count: 0,
    failures: '[]',
    period_starts_on: from,
    period_ends_on: through,
  })
  await requestMeasurement(ctx, key)
}

/** The submission of an employee of the firm for a benefit. Each person elects one medical plan at most. */
export function staffingAnswer({ at }: DemoWorker, benefit: string) {
  const drawn = pseudorandom(at, topics.medical)
  if (drawn > 0.96) return undefined
  const wanted = drawn < 0.4 ? 'Major Medical Bronze' : drawn < 0.8 ? 'Essential Care Base' : undefined
  return wanted?.startsWith(benefit) ? ({ plan: wanted, tier: 'EE' } as const) : 'waived'
}

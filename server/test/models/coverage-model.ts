import type { Database } from '../../database/query/database.ts'
import { every_organization } from '../../database/query/rows-of.ts'
import { addDays, monthEnd, type Day } from '../../kernel/days.ts'

/** A second implementation of the days of coverage, one day at a time, for tests that compare it with the engine. */

type Policy = { effective_on: Day; waiting_period: string; start_alignment: string; service_credit_weeks: number }

/**
 * Consecutive days in an eligible class: [anchor, lost), or without an end if null. `before` is the person's previous
 * run. `begins_again`: the employer has returned. `left`: the run ends because the employer leaves.
 */
export type ModelRun = {
  anchor: Day
  lost: Day | null
  before: ModelRun | null
  begins_again: boolean
  left: boolean
}

const later = (...days: (Day | null)[]): Day => days.reduce<Day>((a, b) => (b !== null && b > a ? b : a), '')

const isWaitedOut: Record<string, (anchor: Day, day: Day) => boolean> = {
  none: () => true,
  first_of_following_month: (anchor, day) => day > anchor && day.endsWith('-01'),
  '30_days': (anchor, day) => day >= addDays(anchor, 30),
  '60_days': (anchor, day) => day >= addDays(anchor, 60),
}

const policyOn = (policies: Policy[], day: Day): Policy =>
  policies.findLast(({ effective_on }) => effective_on <= day) ?? policies[0]!

/** Whether a person returned within the number of weeks for which earlier service counts. */
export function isBack({ anchor, before, begins_again }: ModelRun, policies: Policy[]): boolean {
  const { service_credit_weeks: weeks } = policyOn(policies, anchor)
  return (
    !begins_again && before !== null && before.lost !== null && weeks > 0 && anchor <= addDays(before.lost, 7 * weeks)
  )
}

/** The first day of service, ignoring short breaks. */
const servedFrom = (run: ModelRun, policies: Policy[]): Day =>
  isBack(run, policies) ? servedFrom(run.before!, policies) : run.anchor

/**
 * The first day on which the waiting period of the policy of that day, or of the run's last policy, is over. Policies
 * are oldest first. A person who returns in time continues their waiting period, but does not start in the month of
 * their return unless there is no waiting period.
 */
function waitedOn(run: ModelRun, policies: Policy[]): Day {
  const { anchor, lost } = run
  const served_from = servedFrom(run, policies)
  for (let day = anchor; ; day = addDays(day, 1)) {
    const policy = policyOn(policies, lost !== null && lost <= day ? addDays(lost, -1) : day)
    if (policy.start_alignment !== 'exact' && !day.endsWith('-01')) continue
    const is_over = isWaitedOut[policy.waiting_period]!
    const may_begin = policy.waiting_period === 'none' || day.slice(0, 7) > anchor.slice(0, 7)
    if (is_over(anchor, day) || (may_begin && is_over(served_from, day))) return day
  }
}

/**
 * The run of an enrollment. An enrollment is granted for one run, identified by its first day at that time, and belongs
 * to the run that still includes that day. If the hire date moves later, the enrollment moves to the run that begins
 * with it, unless the enrollment was over by then. Undefined if its run was withdrawn: no other run inherits it.
 */
export function runOf(
  runs: ModelRun[],
  { granted_for, hired_on, inactive_on }: { granted_for: Day; hired_on: Day; inactive_on: Day | null },
): ModelRun | undefined {
  if (granted_for < hired_on)
    return inactive_on !== null && inactive_on <= hired_on ? undefined : runs.find(({ anchor }) => anchor === hired_on)
  return runs.find(({ anchor, lost }) => anchor <= granted_for && (lost === null || granted_for < lost))
}

type ModelOffer = { year_start: Day; year_end: Day; benefit_start: Day; medical: boolean }

/** The first day of coverage, after any earlier coverage. */
function startOf(run: ModelRun, waited: Day, offer: ModelOffer, covered_until: Day | null): Day {
  const cap = addDays(run.anchor, 90)
  const over = offer.medical && waited > cap ? cap : waited
  return later(over, offer.year_start, offer.benefit_start, covered_until && addDays(covered_until, 1))
}

/** The last day of coverage that begins on `start`. Null if no end is known. */
function endOf(run: ModelRun, start: Day, year_end: Day, terminated_on: Day | null): Day | null {
  if (run.lost === null || run.lost > addDays(year_end, 1)) return null
  if (run.lost <= start) return addDays(start, -1)
  const left = run.left || (terminated_on !== null && addDays(terminated_on, 1) === run.lost)
  const last = monthEnd(left ? addDays(run.lost, -1) : run.lost)
  return last < year_end ? last : year_end
}

/** A potential dependent: a spouse or a child. */
export type ModelPerson = { id: string; relationship: string; date_of_birth: Day }

/**
 * A plan with covered people. `pays_for` are the relationships that the tier covers, even when no such person is left.
 */
type Choice = { plan_id: string; people: string[]; pays_for: string[] }

/**
 * The facts about an enrollment when it was elected. `regular`: the window of its grant or open enrollment was open.
 * `joins`: the window of a life event was open, so people can join no later than the first of the next month.
 */
type ModelEnrollment = { enrolled: boolean; coverage_start: Day; regular: boolean; arrivals: Day[]; joins: boolean }

const days = Array.from({ length: 730 }, (_, at) => addDays('2026-01-01', at))
const indexOf = (day: Day) => days.indexOf(day)
const union = (one: string[], other: string[]) => [...new Set([...one, ...other])].sort()
const tiers: Record<string, string> = { '': 'EE', spouse: 'ES', child: 'EC', 'child,spouse': 'EF' }

/** The choice of each enrollment on each day of 2026 and 2027. */
export class ChoicesByDay {
  readonly #choices = new Map<string, Choice[]>()

  /** The plan, tier and people of a day, as text. */
  on(enrollment_id: string, day: Day): string {
    const { plan_id, people, pays_for } = this.#choices.get(enrollment_id)![indexOf(day)]!
    return [plan_id, tiers[pays_for.join()], ...people].join(' ')
  }

  has(enrollment_id: string): boolean {
    return this.#choices.has(enrollment_id)
  }

  /** Restores the choice of the last day before a person left, for dependents who are still eligible. */
  resume(enrollment_id: string, former_id: string, last_day: Day): void {
    const choice = this.#choices.get(former_id)![indexOf(last_day)]!
    this.#choices.set(
      enrollment_id,
      days.map(() => choice),
    )
  }

  waive(enrollment_id: string): void {
    this.#choices.delete(enrollment_id)
  }

  elect(enrollment_id: string, was: ModelEnrollment, plan_id: string, people: ModelPerson[], today: Day): void {
    const former = this.#choices.get(enrollment_id)
    const next_month = addDays(monthEnd(today), 1)
    const max_running = today < was.coverage_start || (!was.enrolled && was.regular)
    const from = max_running ? was.coverage_start : next_month
    const arrivals = was.arrivals.map((day) => later(day, was.coverage_start)).sort()
    const openings = was.joins ? [...arrivals, next_month] : arrivals
    const came = ({ date_of_birth }: ModelPerson, day: Day) =>
      openings.some((arrival) => date_of_birth <= arrival && arrival <= day)
    const present = former?.[indexOf(next_month) - 1]?.people ?? []
    const chosen = days.map((day, at) => {
      if (day >= from) {
        const there = people.filter((one) => one.date_of_birth <= from || came(one, day))
        return { plan_id, ...this.#of(there) }
      }
      const findHiredPerson = people.filter((one) => !present.includes(one.id) && came(one, day))
      const added = this.#of(findHiredPerson)
      const before = former?.[at] ?? { plan_id, people: [], pays_for: [] }
      return {
        plan_id: before.plan_id,
        people: union(before.people, added.people),
        pays_for: union(before.pays_for, added.pays_for),
      }
    })
    // The choice of the first day of coverage also applies if that day moves.
    const start = was.enrolled || max_running ? was.coverage_start : (arrivals[0] ?? next_month)
    this.#choices.set(enrollment_id, chosen.fill(chosen[indexOf(start)]!, 0, indexOf(start)))
  }

  #of = (people: ModelPerson[]) => ({
    people: people.map(({ id }) => id).sort(),
    pays_for: union(
      people.map(({ relationship }) => relationship),
      [],
    ),
  })
}

type Row = {
  id: string
  employee_id: string
  person: string
  hired_on: Day
  anchored_on: Day
  inactive_on: Day | null
  answer: string | null
  coverage_start: Day
  coverage_end: Day | null
  start_fixed: boolean
  end_fixed: boolean
  active: boolean
  ended_by: string | null
  terminated_on: Day | null
  policies: Policy[]
  elections: string[]
} & ModelOffer

/** Every enrollment with the facts that determine its days, after earlier enrollments of the same person. */
async function readRows(database: Database, today: Day): Promise<Row[]> {
  const reads = database.reads(every_organization)
  const rows: Row[] = []
  for (const { id } of await reads.rows<{ id: string }>('select id from organizations'))
    rows.push(...(await reads.rows<Row>(rows_of_one, [today, id])))
  return rows
}

const rows_of_one = `
  select enrollment.id, enrollment.employee_id,
         concat_ws(' ', employee.member_id, enrollment.plan_year_id, enrollment.benefit_id) as person,
         employee.hired_on, enrollment.anchored_on, enrollment.inactive_on, enrollment.answer,
         enrollment.coverage_start, enrollment.coverage_end,
         enrollment.coverage_start_fixed as start_fixed, enrollment.coverage_end_fixed as end_fixed,
         coalesce(enrollment.inactive_on > $1, true) as active, enrollment.ended_by, employee.terminated_on,
         year.coverage_start as year_start, year.coverage_end as year_end, benefit.starts_on as benefit_start,
         product.category = 'Medical' as medical,
         (select json_agg(json_build_object('effective_on', effective_on, 'waiting_period', waiting_period,
                                            'start_alignment', start_alignment,
                                            'service_credit_weeks', service_credit_weeks) order by effective_on)
            from benefit_eligibility_policies
           where organization_id = $2 and employer_id = enrollment.employer_id
             and (archived_on is null or archived_on > effective_on)) as policies,
         array(select concat_ws(' ', election.effective_on, election.plan_id, election.coverage_tier, (
                        select string_agg(dependent_id, ' ' order by dependent_id) from covered_dependents
                         where organization_id = $2 and enrollment_id = enrollment.id
                           and effective_on = election.effective_on))
                 from elections as election
                where election.organization_id = $2 and election.enrollment_id = enrollment.id
                order by election.effective_on) as elections
    from enrollments as enrollment
    join employees as employee on employee.organization_id = $2 and employee.id = enrollment.employee_id
    join benefit_plan_years as year on year.organization_id = $2 and year.id = enrollment.plan_year_id
    join benefit_products as product on product.organization_id = $2 and product.id = enrollment.benefit_id
    join plan_year_benefits as benefit
      on benefit.organization_id = $2 and benefit.plan_year_id = year.id and benefit.benefit_id = product.id
   where enrollment.organization_id = $2
   order by employee.hired_on, enrollment.anchored_on, enrollment.granted_on, enrollment.id`

/**
 * The enrollments whose days or choices differ from the model, each with both, and the number of compared ones.
 * `granted_for` is the first day of the run for which each was granted, as known on the day of the grant.
 */
export async function differencesFrom(
  database: Database,
  runs: Map<string, ModelRun[]>,
  { choices, granted_for }: { choices: ChoicesByDay; granted_for: Map<string, Day> },
  today: Day,
) {
  const rows = await readRows(database, today)
  const compared = { starts: 0, ends: 0, days: 0, withdrawn: 0 }
  const differences: unknown[] = []
  const covered = new Map<string, Day>()
  for (const row of rows) {
    const run = runOf(runs.get(row.employee_id) ?? [], { ...row, granted_for: granted_for.get(row.id)! })
    const ends_by_facts = !row.end_fixed && !['operator', 'offer'].includes(row.ended_by ?? '')
    if (!run && ends_by_facts) {
      compared.withdrawn++
      if (row.active || (row.coverage_end ?? '9') >= row.coverage_start) differences.push({ row, run: 'withdrawn' })
    }
    if (row.active && run && row.anchored_on !== run.anchor) differences.push({ row, run })
    const before = covered.get(row.person) ?? null
    const { coverage_start: start, coverage_end, year_end } = row
    if (row.active && !row.start_fixed && run) {
      compared.starts++
      const expected = startOf(run, waitedOn(run, row.policies), row, before)
      if (start !== expected) differences.push({ row, run, before, start: expected })
    }
    if (row.answer === 'enrolled') {
      if (!row.end_fixed && run) {
        compared.ends++
        const expected = endOf(run, start, year_end, row.terminated_on) ?? (year_end < today ? year_end : null)
        // An enrollment that never began, or that ended for a reason other than a loss or the plan year, is not covered
        // any longer.
        const follows = row.active || (coverage_end! >= start && ['loss', 'plan_year'].includes(row.ended_by!))
        const differs = follows ? coverage_end !== expected : (coverage_end ?? '9') > (expected ?? '9')
        if (differs) differences.push({ row, run, end: expected })
      }
      const last = coverage_end ?? year_end
      if (start <= last) covered.set(row.person, later(before, last))
      for (let day = start; day <= last; day = addDays(day, 1)) {
        compared.days++
        const chosen = choices.on(row.id, day)
        const election = row.elections.findLast((text) => text.split(' ')[0]! <= day)
        if (election?.slice(election.indexOf(' ') + 1) === chosen) continue
        differences.push({ row, day, chosen })
        break
      }
    }
  }
  return { compared, differences }
}

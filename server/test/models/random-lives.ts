import fc from 'fast-check'
import type { Ctx } from '../../runtime/ctx.ts'
import { addDays, type Day } from '../../kernel/days.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { correctEnrollment, electEnrollment, waiveEnrollment } from '../../modules/coverage/elections/actions.ts'
import type { EmployeeKey } from '../../modules/access/auth/queries.ts'
import { addDependent } from '../../modules/coverage/dependents/actions.ts'
import { reinstateEmployee } from '../../modules/roster/employee-corrections/actions.ts'
import { rehireEmployee, terminateEmployee } from '../../modules/roster/employees/actions.ts'
import { changeEmployee } from '../../modules/roster/employees/change-actions.ts'
import { EmployeeChanges } from '../../modules/roster/employees/schemas.ts'
import { approveLifeEvent, reportLifeEvent } from '../../modules/coverage/life-events/actions.ts'
import { locateLifeEvent } from '../../modules/coverage/life-events/queries.ts'
import { theEmployee, theEnrollment } from '../fixtures.ts'
import { ChoicesByDay, type ModelPerson } from './coverage-model.ts'

/** Random lives of employees: the possible actions, and how they are performed. */

/** The number of actions in a life. */
const actions_of_each = 22

const classes = ['Full Time', 'Part Time', 'Seasonal'] as const

/** An action: its kind, a number of days back or ahead, and a choice among the options. */
const action = fc.record({
  kind: fc.constantFrom(
    'class',
    'class',
    'start',
    'terminate',
    'reinstate',
    'rehire',
    'elect',
    'elect',
    'waive',
    'move',
    'event',
    'family',
    'correct',
  ),
  days: fc.integer({ min: 0, max: 70 }),
  choice: fc.nat(1000),
})
export type Action = typeof action extends fc.Arbitrary<infer T> ? T : never

export const history = fc.record({
  employer: fc.nat(3),
  employee_class: fc.constantFrom(...classes),
  hired_before: fc.nat(120),
  actions: fc.array(action, { minLength: actions_of_each - 1, maxLength: actions_of_each - 1 }),
})

export type Person = { ids: string[]; history: typeof history extends fc.Arbitrary<infer T> ? T : never }

/** Attempts an action. A refused action has no effect. */
export async function attempt(ctx: Ctx, work: () => Promise<unknown>): Promise<boolean> {
  await ctx.db.rows('savepoint action')
  try {
    await work()
    return true
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    await ctx.db.rows('rollback to savepoint action')
    return false
  } finally {
    await ctx.db.rows('release savepoint action')
  }
}

type Known = {
  id: string
  employee_id: string
  plan_ids: string[]
  enrolled: boolean
  coverage_start: Day
  regular: boolean
}

export const enrollmentsOf = async (ctx: Ctx, person: Person) =>
  ctx.db.rows<Known>(
    `select enrollment.id, enrollment.employee_id, enrollment.coverage_start,
            coalesce(enrollment.answer = 'enrolled', false) as enrolled,
            $2 between enrollment.granted_on and enrollment.window_ends_on
              or coalesce($2 between year.open_enrollment_start and year.open_enrollment_end, false) as regular,
            array(select distinct rate.plan_id from plan_year_rates as rate
                   where rate.plan_year_id = enrollment.plan_year_id and rate.benefit_id = enrollment.benefit_id
                   order by 1) as plan_ids
       from enrollments as enrollment join benefit_plan_years as year on year.id = enrollment.plan_year_id
      where employee_id = any($1) order by enrollment.created_at desc, enrollment.id desc limit 4`,
    [person.ids, ctx.today],
  )

/** The reported facts about all people, for the independent model. */
export class Facts {
  /** The choices by day. */
  choices = new ChoicesByDay()
  /** Approved births: the employee, the day of the birth and the day of approval. */
  births: { employee_id: string; occurred_on: Day; approved_on: Day }[] = []
  /** All approved life events, including births. */
  events: { employee_id: string; approved_on: Day }[] = []
  /** Employees who moved, with the day. */
  moves = new Set<string>()
}

/** Elects a plan and some dependents for one enrollment. */
export async function elect(
  ctx: Ctx,
  { id, employee_id, plan_ids, ...was }: Known,
  choice: number,
  reported: Facts,
): Promise<void> {
  const family = await ctx.db.rows<ModelPerson>(
    `select dependent.id, dependent.relationship, dependent.date_of_birth from dependents as dependent
       join employees as employee on employee.member_id = dependent.member_id
      where employee.id = $1 order by dependent.id`,
    [employee_id],
  )
  const people = family.filter((_, at) => (choice >> at) % 2 === 1)
  const [spouse, child] = ['spouse', 'child'].map((kind) => people.some(({ relationship }) => relationship === kind))
  const coverage_tier = spouse ? (child ? 'EF' : 'ES') : child ? 'EC' : 'EE'
  const plan_id = plan_ids[choice % plan_ids.length]!
  await electEnrollment(ctx, await theEnrollment(ctx, id), {
    plan_id,
    coverage_tier,
    dependent_ids: people.map((one) => one.id),
  })
  const arrivals = reported.births
    .filter(
      (one) =>
        one.employee_id === employee_id &&
        addDays(one.approved_on, 30) >= ctx.today &&
        addDays(one.occurred_on, 30) >= ctx.today,
    )
    .map(({ occurred_on }) => occurred_on)
  const joins = reported.events.some(
    (one) => one.employee_id === employee_id && addDays(one.approved_on, 30) >= ctx.today,
  )
  reported.choices.elect(id, { ...was, arrivals, joins }, plan_id, people, ctx.today)
}

const addTo = (ctx: Ctx, employee: EmployeeKey, relationship: 'spouse' | 'child', date_of_birth: Day, name: number) =>
  addDependent(ctx, employee, {
    relationship,
    first_name: `Kid ${name}`,
    last_name: date_of_birth,
    suffix: undefined,
    date_of_birth,
    gender: undefined,
  })

/** The latest employment of a person. */
const present = (ctx: Ctx, { ids }: Person) => theEmployee(ctx, ids.at(-1)!)

/** Performs an action if the rules allow it. Otherwise throws the Refusal. */
export const does: Record<
  Action['kind'],
  (ctx: Ctx, person: Person, action: Action, reported: Facts) => Promise<unknown>
> = {
  class: async (ctx, person, { days, choice }) =>
    changeEmployee(
      ctx,
      await present(ctx, person),
      EmployeeChanges.parse({
        effective_date: addDays(ctx.today, -days),
        employee_class: classes[choice % 3],
      }),
    ),
  start: async (ctx, person, { days }) =>
    changeEmployee(
      ctx,
      await present(ctx, person),
      EmployeeChanges.parse({ effective_date: ctx.today, start_date: addDays(ctx.today, -days) }),
    ),
  terminate: async (ctx, person, { days, choice }) =>
    terminateEmployee(ctx, await present(ctx, person), {
      termination_date: addDays(ctx.today, choice % 2 ? days : -days),
      reason: undefined,
    }),
  reinstate: async (ctx, person) => reinstateEmployee(ctx, await present(ctx, person), { reason: undefined }),
  rehire: async (ctx, person, { days }) => {
    const rehire = {
      start_date: addDays(ctx.today, -days),
      employee_class: undefined,
      compensation_type: undefined,
      bargaining_unit: undefined,
      reference_id: undefined,
    }
    person.ids.push(await rehireEmployee(ctx, await present(ctx, person), rehire))
  },
  elect: async (ctx, person, { choice }, reported) => {
    const enrollments = await enrollmentsOf(ctx, person)
    const one = enrollments[choice % Math.max(enrollments.length, 1)]
    return one && elect(ctx, one, choice, reported)
  },
  waive: async (ctx, person, { choice }, reported) => {
    const enrollments = await enrollmentsOf(ctx, person)
    const one = enrollments[choice % Math.max(enrollments.length, 1)]
    if (!one) return
    await waiveEnrollment(ctx, await theEnrollment(ctx, one.id), { reason: undefined })
    reported.choices.waive(one.id)
  },
  family: async (ctx, person, { choice }) => {
    const born = choice % 3 ? '2015-01-01' : '1990-01-01'
    return addTo(ctx, await present(ctx, person), choice % 3 ? 'child' : 'spouse', born, choice)
  },
  move: async (ctx, person, { choice }, reported) => {
    reported.moves.add(`${person.ids.at(-1)} ${ctx.today}`)
    return changeEmployee(
      ctx,
      await present(ctx, person),
      EmployeeChanges.parse({
        effective_date: ctx.today,
        address: { address_line_1: '1 Main St', city: 'X', state: ['NY', 'NV', 'TX'][choice % 3], zipcode: '12207' },
      }),
    )
  },
  event: async (ctx, person, { choice, days }, reported) => {
    const employee = await present(ctx, person)
    const { employee_id } = employee
    const type = (['birth', 'change_of_employment'] as const)[choice % 2]!
    const occurred_on = addDays(ctx.today, type === 'birth' ? -(days % 50) : 0)
    const life_event_id = await reportLifeEvent(ctx, employee, { type, occurred_on, description: undefined })
    // The approval allows every change here. Other tests check which changes each type of event allows.
    await approveLifeEvent(ctx, (await locateLifeEvent(ctx, { life_event_id }))!, 'Random')
    reported.events.push({ employee_id, approved_on: ctx.today })
    if (type !== 'birth') return
    reported.births.push({ employee_id, occurred_on, approved_on: ctx.today })
    await addTo(ctx, employee, 'child', occurred_on, choice)
    for (const [at, one] of (await enrollmentsOf(ctx, person)).entries())
      await attempt(ctx, () => elect(ctx, one, choice >> at, reported))
  },
  correct: async (ctx, person, { choice, days }) => {
    const [one] = choice % 4 ? [] : await enrollmentsOf(ctx, person)
    const nothing = { election: undefined, waive: undefined, coverage_start: undefined }
    return (
      one &&
      correctEnrollment(ctx, await theEnrollment(ctx, one.id), {
        ...nothing,
        reason: 'R',
        coverage_end: choice % 8 ? addDays(ctx.today, days - 30) : null,
      })
    )
  },
}

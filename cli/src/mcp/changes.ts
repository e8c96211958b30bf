import type { CallOptions, CensusOutcome, CensusRow, EnrollmentDetail, OpenBenefits } from 'openbenefits'
import { z } from 'zod'
import {
  address,
  compensation_type,
  day,
  employee_class,
  employee_id,
  employer_id,
  enrollment_id,
  id,
  text,
} from './fields.ts'
import { differences } from './plans.ts'

/** What a plan can't be made of, said to whoever planned. */
export class PlanError extends Error {
  override name = 'PlanError'
}

/**
 * A change that is planned before it is made. `look` reads what it is based on: two looks between which nothing has
 * changed are equal. `show` says by it what would change, and `make` makes the change.
 */
export type Change<Input = never, Basis = never> = {
  name: string
  title: string
  description: string
  input: z.ZodType<Input> & z.ZodObject
  look: (ob: OpenBenefits, input: Input, options: CallOptions) => Promise<unknown>
  show: (basis: Basis, input: Input) => unknown
  make: (ob: OpenBenefits, input: Input, options: CallOptions) => PromiseLike<unknown>
}

const change = <Input extends z.ZodObject, Basis>(made: {
  name: string
  title: string
  description: string
  input: Input
  look: (ob: OpenBenefits, input: z.output<Input>, options: CallOptions) => Promise<Basis>
  show: (basis: NoInfer<Basis>, input: z.output<Input>) => unknown
  make: (ob: OpenBenefits, input: z.output<Input>, options: CallOptions) => PromiseLike<unknown>
}) => made as unknown as Change

/** The fields that are sent and differ from what is there. */
function changed(before: object, sent: object) {
  const known = before as Record<string, unknown>
  const found = Object.entries(sent).flatMap(([name, value]) =>
    value === undefined ? [] : differences(known[name] ?? null, value, name),
  )
  if (found.length === 0) throw new PlanError('Nothing would change: all of it is so already.')
  return { differences: found }
}

const census_row = z.strictObject({
  first_name: text,
  last_name: text,
  email: text,
  phone: text.describe('10 digits, US'),
  date_of_birth: day,
  start_date: day.optional(),
  termination_date: day.optional(),
  employee_class: employee_class.optional(),
  compensation_type: compensation_type.optional(),
  reference_id: text.optional().describe('your own, by which the same person is known again'),
  suffix: text.optional(),
  gender: text.optional(),
  address: address.optional(),
})

const census = change({
  name: 'plan_census',
  title: 'Plan a census',
  description:
    'Rehearses a census of an employer: how many people would be created, updated, rehired, terminated or refused.',
  input: z.strictObject({
    employer_id,
    employees: z.array(census_row).min(1).max(10_000),
    mode: z
      .enum(['merge', 'replace'])
      .optional()
      .describe('replace ends who is missing, merge leaves them; the setting of the employer unless said'),
  }),
  look: async (ob, { employer_id, employees, mode }, options) => {
    const rows = employees as CensusRow[]
    const outcome = await ob.census.sync(employer_id, rows, { ...options, ...(mode && { mode }), dry_run: true })
    const { accepted_at: _, completed_at: __, ...told } = outcome
    return told
  },
  show: (outcome) => outcome,
  make: async (ob, { employer_id, employees, mode }, options) =>
    ob.census.sync(employer_id, employees as CensusRow[], { ...options, ...(mode && { mode }) }),
})

const census_confirmation = change({
  name: 'plan_census_confirmation',
  title: 'Plan to confirm a held census',
  description:
    'A census that would terminate many people is held. Shows how many and who; applying the plan terminates them.',
  input: z.strictObject({ employer_id, census_sync_id: id('csyn') }),
  look: (ob, input, options): Promise<CensusOutcome> => ob.census.get(input.employer_id, input.census_sync_id, options),
  show: ({ state, missing_count, missing, counts }) => {
    if (state !== 'held')
      throw new PlanError(`census_sync_id: only a held census can be confirmed; this one is ${state}.`)
    return { people_to_be_terminated: missing_count, missing: missing?.slice(0, 50), counts }
  },
  make: (ob, input, options) => ob.census.confirm(input.employer_id, input.census_sync_id, options),
})

const employee_creation = change({
  name: 'plan_employee_creation',
  title: 'Plan to hire somebody',
  description: 'Shows whom an employer would get, and who has the same e-mail address there already.',
  input: z.strictObject({
    employer_id,
    employee: census_row
      .omit({ termination_date: true, phone: true, start_date: true })
      .extend({ start_date: day, phone: text.optional() }),
  }),
  look: async (ob, { employer_id, employee: { email } }, options) => {
    const { id, name, active } = await ob.employers.get(employer_id, options)
    const { data } = await ob.employees.list(employer_id, { search: email, limit: 100 }, options)
    const same = data.filter((each) => each.email.toLowerCase() === email.toLowerCase())
    const with_same_email = same.map((each) => ({ employee_id: each.id, status: each.status }))
    return { employer: { id, name, active }, with_same_email }
  },
  show: (basis, { employee }) => ({ ...basis, differences: differences({}, employee) }),
  make: (ob, { employer_id, employee }, options) =>
    ob.employees.create(employer_id, employee as Parameters<typeof ob.employees.create>[1], options),
})

/** A person as plans are based on them: what pay takes is not part of it. */
const lookAtEmployee = async (ob: OpenBenefits, { employee_id: id }: { employee_id: string }, options: CallOptions) => {
  const { deductions: _, ...employee } = await ob.employees.get(id, options)
  return employee
}

const employee_update = change({
  name: 'plan_employee_update',
  title: 'Plan to change an employee',
  description: 'Shows field by field what would be another. Class and compensation type hold from effective_date on.',
  input: z.strictObject({
    employee_id,
    changes: z.strictObject({
      effective_date: day,
      email: text.optional(),
      phone: text.nullable().optional(),
      gender: text.nullable().optional(),
      address: address.optional(),
      employee_class: employee_class.optional(),
      start_date: day.optional(),
      compensation_type: compensation_type.optional(),
    }),
  }),
  look: lookAtEmployee,
  show: (before, { changes: { effective_date, ...sent } }) => ({ effective_date, ...changed(before, sent) }),
  make: (ob, { employee_id, changes }, options) =>
    ob.employees.update(employee_id, changes as Parameters<typeof ob.employees.update>[1], options),
})

const termination = change({
  name: 'plan_termination',
  title: 'Plan to end an employment',
  description: 'Shows who would leave, and which enrollments end by it. Coverage lasts until the end of that month.',
  input: z.strictObject({
    employee_id,
    termination_date: day.describe('the last day employed'),
    reason: text.optional(),
  }),
  look: async (ob, input, options) => {
    const { data, pagination } = await ob.enrollments.list(input.employee_id, { limit: 100 }, options)
    const open = data.filter(({ status }) => status !== 'inactive')
    return { employee: await lookAtEmployee(ob, input, options), open, enrollments: pagination.total }
  },
  show: ({ employee, open }, { termination_date }) => ({
    employee: `${employee.first_name} ${employee.last_name}`,
    differences: differences({ termination_date: employee.termination_date }, { termination_date }),
    enrollments_that_end: open.map(({ id, benefit, status, coverage_start, coverage_end }) => ({
      id,
      benefit: benefit.name,
      status,
      coverage_start,
      coverage_end,
    })),
  }),
  make: (ob, { employee_id, ...body }, options) => ob.employees.terminate(employee_id, body, options),
})

const rehire = change({
  name: 'plan_rehire',
  title: 'Plan to rehire somebody',
  description: 'Shows who would come back, as a new employment.',
  input: z.strictObject({
    employee_id,
    start_date: day,
    employee_class: employee_class.optional(),
    compensation_type: compensation_type.optional(),
  }),
  look: lookAtEmployee,
  show: (former, { employee_id: _, ...sent }) => {
    if (former.status !== 'terminated') throw new PlanError('employee_id: they have not left.')
    const { first_name, last_name, termination_date } = former
    return {
      employee: `${first_name} ${last_name}`,
      left_on: termination_date,
      ...changed({ ...former, start_date: null }, sent),
    }
  },
  make: (ob, { employee_id, ...body }, options) => ob.employees.rehire(employee_id, body, options),
})

const reinstatement = change({
  name: 'plan_reinstatement',
  title: 'Plan to take back a termination',
  description: 'Shows whose termination would be undone as if it had never been told; coverage comes back.',
  input: z.strictObject({ employee_id, reason: text.optional() }),
  look: lookAtEmployee,
  show: ({ first_name, last_name, termination_date }) => {
    if (termination_date === null) throw new PlanError('employee_id: there is no termination to take back.')
    return { employee: `${first_name} ${last_name}`, ...changed({ termination_date }, { termination_date: null }) }
  },
  make: (ob, { employee_id, ...body }, options) => ob.employees.reinstate(employee_id, body, options),
})

const lookAtEnrollment = (ob: OpenBenefits, { enrollment_id: id }: { enrollment_id: string }, options: CallOptions) =>
  ob.enrollments.get(id, options)

/** An enrollment as far as an answer changes it. */
const answerOf = ({ status, plan, coverage_tier, ...told }: EnrollmentDetail) => ({
  status,
  plan: plan?.name ?? null,
  coverage_tier,
  premium_in_cents: told.premium_in_cents,
  employer_contribution_in_cents: told.employer_contribution_in_cents,
  employee_deduction_in_cents: told.employee_deduction_in_cents,
})

const election = change({
  name: 'plan_election',
  title: 'Plan an election',
  description: 'Shows plan, tier and monthly cents before and after somebody elects.',
  input: z.strictObject({
    enrollment_id,
    plan_id: id('pln').describe('one of the plans that get_enrollment shows'),
    coverage_tier: z.enum(['EE', 'ES', 'EC', 'EF']),
    dependent_ids: z.array(id('dep')).max(50).optional(),
  }),
  look: lookAtEnrollment,
  show: (before, { plan_id, coverage_tier, dependent_ids }) => {
    const plan = before.plans.find((each) => each.id === plan_id)
    if (!plan) throw new PlanError('plan_id: not one of the plans that the enrollment shows.')
    const tier = plan.tiers.find((each) => each.coverage_tier === coverage_tier)
    if (!tier) throw new PlanError('coverage_tier: this plan has none of this name.')
    const after = { status: 'enrolled', plan: plan.name, ...tier }
    return {
      window: before.window,
      dependent_ids: dependent_ids ?? 'whoever fits the tier',
      ...changed(answerOf(before), after),
    }
  },
  make: (ob, { enrollment_id, ...body }, options) => ob.enrollments.elect(enrollment_id, body, options),
})

const waiver = change({
  name: 'plan_waiver',
  title: 'Plan a waiver',
  description: 'Shows what somebody would give up.',
  input: z.strictObject({ enrollment_id, reason: text.optional() }),
  look: lookAtEnrollment,
  show: (before) => ({ window: before.window, ...changed(answerOf(before), { status: 'waived' }) }),
  make: (ob, { enrollment_id, ...body }, options) => ob.enrollments.waive(enrollment_id, body, options),
})

const employer_update = change({
  name: 'plan_employer_update',
  title: 'Plan to change an employer',
  description: 'Shows field by field what would be another.',
  input: z.strictObject({
    employer_id,
    changes: z.strictObject({
      name: text.optional(),
      legal_name: text.optional(),
      email: text.optional(),
      phone_number: text.nullable().optional(),
      reference_id: text.nullable().optional(),
      address: address.optional(),
    }),
  }),
  look: (ob, input, options) => ob.employers.get(input.employer_id, options),
  show: (before, { changes }) => changed(before, changes),
  make: (ob, { employer_id, changes }, options) =>
    ob.employers.update(employer_id, changes as Parameters<typeof ob.employers.update>[1], options),
})

/** Every change that can be planned. */
export const changes: Change[] = [
  census,
  census_confirmation,
  employee_creation,
  employee_update,
  termination,
  rehire,
  reinstatement,
  election,
  waiver,
  employer_update,
]

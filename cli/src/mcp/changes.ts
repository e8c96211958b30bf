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

/** An input that cannot become a plan. The message goes to the caller. */
export class PlanError extends Error {
  override name = 'PlanError'
}

/**
 * A change in two steps. `read` loads the data on which the change is based. If a later `read` returns an equal value,
 * nothing has changed in between. `show` describes the change, and `make` performs it.
 */
export type Change<Input = never, Basis = never> = {
  name: string
  title: string
  description: string
  input: z.ZodType<Input> & z.ZodObject
  read: (ob: OpenBenefits, input: Input, options: CallOptions) => Promise<unknown>
  show: (basis: Basis, input: Input) => unknown
  make: (ob: OpenBenefits, input: Input, options: CallOptions) => PromiseLike<unknown>
}

const change = <Input extends z.ZodObject, Basis>(made: {
  name: string
  title: string
  description: string
  input: Input
  read: (ob: OpenBenefits, input: z.output<Input>, options: CallOptions) => Promise<Basis>
  show: (basis: NoInfer<Basis>, input: z.output<Input>) => unknown
  make: (ob: OpenBenefits, input: z.output<Input>, options: CallOptions) => PromiseLike<unknown>
}) => made as unknown as Change

/** The sent fields that differ from the current values. */
function changed(before: object, sent: object) {
  const known = before as Record<string, unknown>
  const found = Object.entries(sent).flatMap(([name, value]) =>
    value === undefined ? [] : differences(known[name] ?? null, value, name),
  )
  if (found.length === 0) throw new PlanError('Nothing would change: the values are already set.')
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
  bargaining_unit: text.optional().describe('the name of the bargaining unit under a collective bargaining agreement'),
  reference_id: text.optional().describe('your own id, which identifies the same person again'),
  suffix: text.optional(),
  gender: text.optional(),
  address: address.optional(),
})

const census = change({
  name: 'plan_census',
  title: 'Plan a census',
  description:
    'Dry-runs a census of an employer: how many people would be created, updated, rehired, terminated or refused.',
  input: z.strictObject({
    employer_id,
    employees: z.array(census_row).min(1).max(10_000),
    mode: z
      .enum(['merge', 'replace'])
      .optional()
      .describe('replace terminates missing people, merge keeps them (default: the setting of the employer)'),
  }),
  read: async (ob, { employer_id, employees, mode }, options) => {
    const rows = employees as CensusRow[]
    const outcome = await ob.census.sync(employer_id, rows, { ...options, ...(mode && { mode }), dry_run: true })
    const { accepted_at: _, completed_at: __, ...basis } = outcome
    return basis
  },
  show: (outcome) => outcome,
  make: async (ob, { employer_id, employees, mode }, options) =>
    ob.census.sync(employer_id, employees as CensusRow[], { ...options, ...(mode && { mode }) }),
})

const census_confirmation = change({
  name: 'plan_census_confirmation',
  title: 'Plan to confirm a held census',
  description:
    'A census that would terminate many people is held. Shows these people. Applying the plan terminates them.',
  input: z.strictObject({ employer_id, census_sync_id: id('csyn') }),
  read: (ob, input, options): Promise<CensusOutcome> => ob.census.get(input.employer_id, input.census_sync_id, options),
  show: ({ state, missing_count, missing, counts }) => {
    if (state !== 'held')
      throw new PlanError(`census_sync_id: only a held census can be confirmed; this one is ${state}.`)
    return { people_to_be_terminated: missing_count, missing: missing?.slice(0, 50), counts }
  },
  make: (ob, input, options) => ob.census.confirm(input.employer_id, input.census_sync_id, options),
})

const employee_creation = change({
  name: 'plan_employee_creation',
  title: 'Plan a hire',
  description: 'Shows the new employee, and existing employees with the same email address.',
  input: z.strictObject({
    employer_id,
    employee: census_row
      .omit({ termination_date: true, phone: true, start_date: true })
      .extend({ start_date: day, phone: text.optional() }),
  }),
  read: async (ob, { employer_id, employee: { email } }, options) => {
    const { id, name, active } = await ob.employers.get(employer_id, options)
    const { data } = await ob.employees.list(employer_id, { search: email, limit: 100 }, options)
    const same = data.filter((employee) => employee.email.toLowerCase() === email.toLowerCase())
    const with_same_email = same.map((employee) => ({ employee_id: employee.id, status: employee.status }))
    return { employer: { id, name, active }, with_same_email }
  },
  show: (basis, { employee }) => ({ ...basis, differences: differences({}, employee) }),
  make: (ob, { employer_id, employee }, options) =>
    ob.employees.create(employer_id, employee as Parameters<typeof ob.employees.create>[1], options),
})

/** An employee without deductions. Deductions change with each payday, which must not invalidate a plan. */
const readEmployee = async (ob: OpenBenefits, { employee_id: id }: { employee_id: string }, options: CallOptions) => {
  const { deductions: _, ...employee } = await ob.employees.get(id, options)
  return employee
}

const employee_update = change({
  name: 'plan_employee_update',
  title: 'Plan a change of an employee',
  description: 'Shows the changed fields. Class and compensation type apply starting on effective_date.',
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
      bargaining_unit: text.nullable().optional().describe('null if the employee is in no unit'),
    }),
  }),
  read: readEmployee,
  show: (before, { changes: { effective_date, ...sent } }) => ({ effective_date, ...changed(before, sent) }),
  make: (ob, { employee_id, changes }, options) =>
    ob.employees.update(employee_id, changes as Parameters<typeof ob.employees.update>[1], options),
})

const termination = change({
  name: 'plan_termination',
  title: 'Plan a termination',
  description: 'Shows the employee and the enrollments that would end. Coverage lasts until the end of that month.',
  input: z.strictObject({
    employee_id,
    termination_date: day.describe('the last day of employment'),
    reason: text.optional(),
  }),
  read: async (ob, input, options) => {
    const { data, pagination } = await ob.enrollments.list(input.employee_id, { limit: 100 }, options)
    const open = data.filter(({ status }) => status !== 'inactive')
    return { employee: await readEmployee(ob, input, options), open, enrollments: pagination.total }
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
  title: 'Plan a rehire',
  description: 'Shows the person and the new employment.',
  input: z.strictObject({
    employee_id,
    start_date: day,
    employee_class: employee_class.optional(),
    compensation_type: compensation_type.optional(),
    bargaining_unit: text.optional(),
  }),
  read: readEmployee,
  show: (former, { employee_id: _, ...sent }) => {
    if (former.status !== 'terminated') throw new PlanError('employee_id: this employee is not terminated.')
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
  title: 'Plan a reinstatement',
  description: 'Shows the termination that would be undone as if it had never been reported. Coverage is restored.',
  input: z.strictObject({ employee_id, reason: text.optional() }),
  read: readEmployee,
  show: ({ first_name, last_name, termination_date }) => {
    if (termination_date === null) throw new PlanError('employee_id: this employee has no termination to reverse.')
    return { employee: `${first_name} ${last_name}`, ...changed({ termination_date }, { termination_date: null }) }
  },
  make: (ob, { employee_id, ...body }, options) => ob.employees.reinstate(employee_id, body, options),
})

const readEnrollment = (ob: OpenBenefits, { enrollment_id: id }: { enrollment_id: string }, options: CallOptions) =>
  ob.enrollments.get(id, options)

/** The fields of an enrollment that an election or waiver changes. */
const choiceOf = ({ status, plan, coverage_tier, ...costs }: EnrollmentDetail) => ({
  status,
  plan: plan?.name ?? null,
  coverage_tier,
  premium_in_cents: costs.premium_in_cents,
  employer_contribution_in_cents: costs.employer_contribution_in_cents,
  employee_deduction_in_cents: costs.employee_deduction_in_cents,
})

const election = change({
  name: 'plan_election',
  title: 'Plan an election',
  description: 'Shows plan, tier and monthly cents before and after an election.',
  input: z.strictObject({
    enrollment_id,
    plan_id: id('pln').describe('one of the plans returned by get_enrollment'),
    coverage_tier: z.enum(['EE', 'ES', 'EC', 'EF']),
    dependent_ids: z.array(id('dep')).max(50).optional(),
  }),
  read: readEnrollment,
  show: (before, { plan_id, coverage_tier, dependent_ids }) => {
    const plan = before.plans.find((candidate) => candidate.id === plan_id)
    if (!plan) throw new PlanError('plan_id: not offered by this enrollment.')
    const tier = plan.tiers.find((candidate) => candidate.coverage_tier === coverage_tier)
    if (!tier) throw new PlanError('coverage_tier: not offered by this plan.')
    const after = { status: 'enrolled', plan: plan.name, ...tier }
    return {
      window: before.window,
      dependent_ids: dependent_ids ?? 'all dependents who fit the tier',
      ...changed(choiceOf(before), after),
    }
  },
  make: (ob, { enrollment_id, ...body }, options) => ob.enrollments.elect(enrollment_id, body, options),
})

const waiver = change({
  name: 'plan_waiver',
  title: 'Plan a waiver',
  description: 'Shows the election that would be waived.',
  input: z.strictObject({ enrollment_id, reason: text.optional() }),
  read: readEnrollment,
  show: (before) => ({ window: before.window, ...changed(choiceOf(before), { status: 'waived' }) }),
  make: (ob, { enrollment_id, ...body }, options) => ob.enrollments.waive(enrollment_id, body, options),
})

const employer_update = change({
  name: 'plan_employer_update',
  title: 'Plan a change of an employer',
  description: 'Shows the changed fields.',
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
  read: (ob, input, options) => ob.employers.get(input.employer_id, options),
  show: (before, { changes }) => changed(before, changes),
  make: (ob, { employer_id, changes }, options) =>
    ob.employers.update(employer_id, changes as Parameters<typeof ob.employers.update>[1], options),
})

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

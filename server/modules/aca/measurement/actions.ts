import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { task } from '../../../jobs/worker.ts'
import { chunksOf, lastOf } from '../../../kernel/concurrency/chunks.ts'
import { mapInSteps, runInSlices } from '../../../kernel/concurrency/time-slices.ts'
import type { Day } from '../../../kernel/days.ts'
import type { Ctx, DailyChunk, ReadCtx } from '../../../runtime/ctx.ts'
import { recordEventOfEach } from '../../../runtime/events.ts'
import { inEmployer, readInOrganization, type Runtime } from '../../../runtime/runtime.ts'
import type { EmployerKey } from '../../access/auth/queries.ts'
import { listEmployeesAfter } from '../../coverage/eligibility/queries.ts'
import { recalculate } from '../../coverage/enrollments/actions.ts'
import { requestMeasurement } from '../ale-groups/actions.ts'
import {
  deletePolicies,
  findPolicies,
  findWorkFacts,
  hasPolicies,
  insertPolicies,
  isMeasured,
  listDue,
  listSiblings,
  listWorkFacts,
  replaceStatuses,
  saveMeasurements,
  type StoredResult,
} from './queries.ts'
import { shownPolicy, type StoredPolicy } from './policy-rules.ts'
import { explainStatus, isNewlyFullTime, measureEmployee, type WorkFacts } from './rules.ts'

/** Replaces the measurement policies of an employer. A job measures its employees. */
export async function setPolicies(ctx: Ctx, employer: EmployerKey, policies: StoredPolicy[]): Promise<void> {
  await deletePolicies(ctx, employer)
  if (policies.length > 0) await insertPolicies(ctx, { ...employer, policies: JSON.stringify(policies) })
  await requestMeasurement(ctx, employer)
}

/** The `MeasurementPolicies` of an employer as JSON. Undefined if it is out of reach. */
export async function showPolicies(ctx: ReadCtx, key: { employer_id: string }): Promise<string | undefined> {
  const found = await findPolicies(ctx, key)
  return found && JSON.stringify({ ...found, policies: found.policies.map(shownPolicy) })
}

/** The `AcaStatus` of an employee as JSON. Undefined if the employee is out of reach. */
export async function showStatus(ctx: ReadCtx, employee_id: string, as_of: Day): Promise<string | undefined> {
  const facts = await findWorkFacts(ctx, { employee_id })
  return facts && JSON.stringify(explainStatus(facts, as_of, ctx.today))
}

/**
 * Measures employees of one employer, and saves and publishes the differences. Measuring again changes nothing. The
 * organization or the employer must be locked.
 */
async function measureEmployees(ctx: Ctx, employer: EmployerKey, employee_ids: string[]): Promise<void> {
  if (employee_ids.length === 0) return
  const { organization_id, employer_id } = employer
  const key = { organization_id, employer_id }
  const found: (WorkFacts & StoredResult)[] = await listWorkFacts(ctx, { organization_id, employee_ids })
  const results = await runInSlices(
    mapInSteps(found, (facts) => ({ facts, measured: measureEmployee(facts, ctx.today) })),
  )
  const changed = results.filter(({ facts, measured }) => !isDeepStrictEqual(facts.statuses ?? [], measured.statuses))
  const changed_ids = changed.map(({ facts }) => facts.employee_id)
  if (changed.length > 0) {
    const statuses = changed.flatMap(({ measured: { employee_id, statuses } }) =>
      statuses.map((status) => ({ employee_id, ...status })),
    )
    await replaceStatuses(ctx, { ...key, employee_ids: changed_ids, statuses: JSON.stringify(statuses) })
  }
  const measured = results.map(({ measured: { statuses: _, ...state } }) => state)
  await saveMeasurements(ctx, { ...key, measured: JSON.stringify(measured) })
  await recalculate(ctx, organization_id, changed_ids)
  const newly = changed.filter(({ facts, measured }) => isNewlyFullTime(facts.statuses ?? [], measured, ctx.today))
  const ended = results.filter(({ facts, measured }) => facts.is_full_time && measured.is_full_time === false)
  const idsOf = (some: typeof results) => some.map(({ facts }) => facts.employee_id)
  await recordEventOfEach(ctx, 'employee.measured_full_time', organization_id, idsOf(newly))
  await recordEventOfEach(ctx, 'employee.stability_ended', organization_id, idsOf(ended))
}

/** Employees measured in one transaction. */
const employees_per_transaction = 500

/**
 * Measures all employees of an employer, after its policies or hours changed, and the same people at other employers
 * of its aggregated ALE group. An employer without policies gets rows without a status: their time shows the daily
 * derivation of forms that the hours of the group changed. A killed job starts again.
 */
async function measureEmployer(runtime: Runtime, employer: EmployerKey): Promise<void> {
  const { organization_id } = employer
  if (await readInOrganization(runtime, organization_id, (ctx) => isMeasured(ctx, employer)))
    await measureAll(runtime, employer)
  for (const { employer_id, employee_ids } of await readInOrganization(runtime, organization_id, (ctx) =>
    listSiblings(ctx, employer),
  ))
    for (const chunk of chunksOf(employee_ids, employees_per_transaction))
      await inEmployer(runtime, { organization_id, employer_id }, (ctx) =>
        measureEmployees(ctx, { organization_id, employer_id }, chunk),
      )
}

async function measureAll(runtime: Runtime, employer: EmployerKey): Promise<void> {
  let some: string[] = []
  do {
    some = await readInOrganization(runtime, employer.organization_id, (ctx) =>
      listEmployeesAfter(ctx, employer, some.at(-1), employees_per_transaction),
    )
    await inEmployer(runtime, employer, (ctx) => measureEmployees(ctx, employer, some))
  } while (some.length === employees_per_transaction)
}

/** The daily run: measures the employees whose measurement ended, who are new, or who changed. */
async function dailyMeasurements(ctx: Ctx, organization_id: string, chunk: DailyChunk): Promise<string | null> {
  const due = await listDue(ctx, { organization_id, ...chunk })
  for (const employer_id of new Set(due.map((one) => one.employer_id))) {
    const theirs = due.filter((one) => one.employer_id === employer_id).map(({ id }) => id)
    await measureEmployees(ctx, { organization_id, employer_id }, theirs)
  }
  return lastOf(
    due.map(({ id }) => id),
    chunk,
  )
}

/** The tables, jobs and daily run of this module, for the list of modules. */
export const measurement_work = {
  tables: ['measurement_policies', 'measured_statuses', 'employee_measurements'],
  tasks: {
    measure_employer: task(z.object({ organization_id: z.string(), employer_id: z.string() }), measureEmployer),
  },
  runDay: [dailyMeasurements],
  hasDailyRun: hasPolicies,
}

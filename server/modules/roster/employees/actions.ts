import { correction_window_days } from '../../directory/tasks/rules.ts'
import { chunksOf, lastOf } from '../../../kernel/concurrency/chunks.ts'
import type { Ctx, DailyChunk } from '../../../runtime/ctx.ts'
import { earliest, type Day } from '../../../kernel/days.ts'
import type { EventName } from '../../../runtime/event-types.ts'
import { recordEventOfEach, recordEvents } from '../../../runtime/events.ts'
import { requireOrganizationLock } from '../../../runtime/runtime.ts'
import { newId } from '../../../kernel/ids.ts'
import { refuse, Refusal } from '../../../kernel/refusal.ts'
import type { EmployeeKey, EmployerKey } from '../../access/auth/queries.ts'
import { addToRosterCount, hasActiveSubscription } from '../../directory/employers/queries.ts'
import { refusals as employers_refusals } from '../../directory/employers/rules.ts'
import { hasPolicies } from '../../coverage/eligibility/queries.ts'
import { recalculate } from '../../coverage/enrollments/actions.ts'
import { addToMemberCount } from '../../access/organizations/queries.ts'
import { closeTasks } from '../../directory/tasks/actions.ts'
import { insertMembers, lockIdentities, saveMembers } from '../../directory/people/queries.ts'
import { sameMember } from '../../directory/people/rules.ts'
import { insertHistory, saveHistory } from './fact-queries.ts'
import { findHiredPerson } from './hire-rules.ts'
import { loadPeople } from './loading-actions.ts'
import {
  saveAbsences,
  saveDeactivations,
  findEmployee,
  findEmployeesOf,
  findEmployments,
  findReferenced,
  insertEmployees,
  isKeptByHris,
  saveEmployees,
  saveSearchKeys,
  saveTerminationReason,
} from './queries.ts'
import {
  addEmployment,
  firstHistoryEntriesOf,
  type Employment,
  hashOfDetails,
  isTerminated,
  noChanges,
  refusals,
  type RosterChanges,
  whyNotRecord,
  whyNotReference,
  whyNotRehire,
  whyNotTerminate,
} from './rules.ts'
import type { NewEmployee, Rehire, Termination } from './schemas.ts'

/**
 * Saves changes of a roster and their consequences, with a fixed number of statements. `since` is the earliest affected
 * day if it is more than 92 days ago. (`changes` already holds it for first days that move.) The caller must have
 * locked the organization.
 */
export async function saveRoster(
  ctx: Ctx,
  employer: EmployerKey,
  changes: RosterChanges,
  { known_at = ctx.now, ...options }: { known_at?: string } & SettleOptions = {},
): Promise<void> {
  await writeRoster(ctx, employer, changes, known_at)
  await settleRoster(ctx, employer.organization_id, employer, changes, options)
}

/** `touches_coverage`: false if the changes cannot affect eligibility or enrollments. */
type SettleOptions = { touches_coverage?: boolean; since?: Day | null }

/** Saves known people first: a newcomer may have an email or phone that one of them gave up. */
export async function writePeople(
  ctx: Ctx,
  organization_id: string,
  { new_members, changed_members }: Pick<RosterChanges, 'new_members' | 'changed_members'>,
): Promise<void> {
  await ctx.db.send([
    changed_members.length > 0 && saveMembers(ctx, organization_id, changed_members),
    new_members.length > 0 && insertMembers(ctx, organization_id, new_members),
    ctx.db.distribution && updateDerivedColumns(ctx, organization_id, changed_members, new_members),
  ])
}

/** On a distributed database, performs the updates that triggers make on a single server. */
async function updateDerivedColumns(ctx: Ctx, organization_id: string, changed: { id: string }[], added: unknown[]) {
  const changed_ids = changed.map(({ id }) => id)
  await Promise.all([
    changed.length > 0 && saveSearchKeys(ctx, { organization_id, member_ids: changed_ids }),
    added.length > 0 && addToMemberCount(ctx, { organization_id, added: added.length }),
  ])
}

/** Writes changes of a roster in pipelined statements. */
export async function writeRoster(
  ctx: Ctx,
  employer: EmployerKey,
  changes: RosterChanges,
  known_at: string,
): Promise<void> {
  const { changed_employments, new_employments } = changes
  const beginnings = firstHistoryEntriesOf(new_employments)
  await ctx.db.send([
    writePeople(ctx, employer.organization_id, changes),
    changed_employments.length > 0 && saveEmployees(ctx, employer, changed_employments),
    new_employments.length > 0 && insertEmployees(ctx, employer, new_employments, known_at),
    new_employments.length > 0 && addToRosterCount(ctx, { ...employer, added: new_employments.length }),
    insertHistory(ctx, employer, beginnings),
  ])
  await saveHistory(ctx, employer, changes.facts)
}

/**
 * Publishes the changes and recalculates eligibility and enrollments. The order of events: people who joined or
 * changed, the resulting changes of coverage, and finally people who left. `employer` is null for changes of people
 * alone.
 */
export async function settleRoster(
  ctx: Ctx,
  organization_id: string,
  employer: EmployerKey | null,
  changes: RosterChanges,
  { touches_coverage = true, since = null }: SettleOptions = {},
): Promise<void> {
  const published = new Set(changes.events.map(({ employee_id }) => employee_id))
  const member_ids = changes.changed_members.map(({ id }) => id)
  const ids_of_members = member_ids.length > 0 ? await findEmployeesOf(ctx, { organization_id, member_ids }) : []
  const publish = (events: RosterChanges['events']) =>
    recordEvents(
      ctx,
      events.map(({ event_name, employee_id }) => ({ event_name, organization_id, resource_id: employee_id })),
    )
  const updated = ids_of_members.filter((employee_id) => !published.has(employee_id))
  const isDeactivation = ({ event_name }: { event_name: EventName }) => event_name === 'employee.deactivated'
  const [has_policies] = await Promise.all([
    touches_coverage && employer !== null && published.size > 0 && hasPolicies(ctx, employer),
    publish([
      ...changes.events.filter((event) => !isDeactivation(event)),
      ...updated.map((employee_id) => ({ event_name: 'employee.updated', employee_id }) as const),
    ]),
  ])
  if (touches_coverage) {
    const ids_of_changes = has_policies ? published : []
    const employee_ids = [...new Set([...ids_of_changes, ...ids_of_members])]
    await recalculateAll(ctx, organization_id, employee_ids, earliest(since, changes.since))
  }
  await publish(changes.events.filter(isDeactivation))
}

/** The maximum number of employees per recalculation. */
const employees_per_recalculation = 5000

async function recalculateAll(
  ctx: Ctx,
  organization_id: string,
  employee_ids: string[],
  since: Day | null = null,
): Promise<void> {
  for (const chunk of chunksOf(employee_ids, employees_per_recalculation))
    await recalculate(ctx, organization_id, chunk, { since })
}

/** Refuses an employer without an active subscription today. */
export async function requireSubscription(ctx: Ctx, employer_id: string): Promise<void> {
  if (!(await hasActiveSubscription(ctx, { employer_id, day: ctx.today })))
    refuse(employers_refusals.employer_has_no_active_subscription)
}

/** Refuses an employer whose roster is maintained by an HRIS connection. */
export async function requireOwnRoster(ctx: Ctx, employer: EmployerKey): Promise<void> {
  if (await isKeptByHris(ctx, employer)) refuse(refusals.employer_has_hris_connection)
}

/**
 * Adds a person to an employer's roster and returns the new employee. An existing person is linked, not duplicated. A
 * new person needs only the lock of the employer. Linking an existing person may change coverage at other employers, so
 * it needs the lock of the organization.
 */
export async function hireEmployee(
  ctx: Ctx,
  employer: EmployerKey,
  hire: NewEmployee,
): Promise<{ id: string; json: string | undefined }> {
  refuse(whyNotRecord(hire, ctx.today))
  await ctx.db.send([lockIdentities(ctx, employer.organization_id, hire)])
  const [{ people, roster }, has_policies] = await Promise.all([
    loadPeople(ctx, employer, [hire]),
    hasPolicies(ctx, employer),
    requireOwnRoster(ctx, employer),
    requireSubscription(ctx, employer.employer_id),
  ])
  const hired = findHiredPerson(hire, roster, people, () => newId('mbr'))
  if (hired instanceof Refusal) throw hired
  if (hired.known) requireOrganizationLock(ctx)

  const changes = noChanges()
  if (!hired.known) changes.new_members.push(hired.member)
  else if (!sameMember(hired.known, hired.member)) changes.changed_members.push(hired.member)
  const employment: Employment = {
    id: newId('empl'),
    member_id: hired.member.id,
    reference_id: hire.reference_id ?? null,
    hired_on: hire.start_date,
    terminated_on: null,
    employee_class: hire.employee_class ?? 'Full Time',
    compensation_type: hire.compensation_type ?? null,
    bargaining_unit: hire.bargaining_unit ?? null,
    report_hash: hashOfDetails(hire),
    absent_on: null,
    reported_last_day: null,
  }
  addEmployment(changes, employment, ctx.today, 'employee.created')
  const { id } = employment
  const show = () => findEmployee(ctx, { employee_id: id })
  if (hired.known) {
    await saveRoster(ctx, employer, changes)
    return { id, json: await show() }
  }
  await writeRoster(ctx, employer, changes, ctx.now)
  await recordEventOfEach(ctx, 'employee.created', employer.organization_id, [id])
  // The employee is read in the same round trip, after the statements that grant enrollments.
  const [, json] = await Promise.all([
    has_policies && recalculate(ctx, employer.organization_id, [id], { multiple_ids: [] }),
    show(),
  ])
  return { id, json }
}

/** Returns an employment, and all employments of the same person at the employer. */
export async function readEmployments(ctx: Ctx, employee: EmployeeKey) {
  const employments = await findEmployments(ctx, { ...employee, member_ids: [employee.member_id] })
  return { employment: employments.find(({ id }) => id === employee.employee_id)!, employments }
}

/**
 * Sets the last day of an employment, which may be in the future and can then still be changed. `window_days` is how
 * many days back the day may be, or null for the operator, who has no limit.
 */
export async function terminateEmployee(
  ctx: Ctx,
  employee: EmployeeKey,
  { termination_date, reason }: Termination,
  window_days: number | null = correction_window_days,
): Promise<void> {
  const { employee_id } = employee
  const { employment } = await readEmployments(ctx, employee)
  refuse(whyNotTerminate(employment, termination_date, ctx.today, window_days))
  const ended = { ...employment, terminated_on: termination_date, absent_on: null, reported_last_day: null }
  const changes = noChanges()
  changes.changed_employments.push(ended)
  changes.events.push({ event_name: 'employee.updated', employee_id })
  if (isTerminated(ended, ctx.today)) changes.events.push({ event_name: 'employee.deactivated', employee_id })
  await saveRoster(ctx, employee, changes, { since: termination_date })
  await saveTerminationReason(ctx, employee, employee_id, reason ?? null)
  await closeTasks(ctx, { organization_id: employee.organization_id, kinds: ['termination_too_old'] }, [employee_id])
}

/** The person's most recent employment. */
export const latestOf = (employments: Employment[]): Employment =>
  employments.reduce((a, b) => ((a.hired_on ?? '') >= (b.hired_on ?? '') ? a : b))

/** Creates a new employment for a former employee and returns its id. */
export async function rehireEmployee(ctx: Ctx, employee: EmployeeKey, rehire: Rehire): Promise<string> {
  const { member_id, employer_id } = employee
  const { employments } = await readEmployments(ctx, employee)
  const latest = latestOf(employments)
  refuse(whyNotRehire(latest, rehire.start_date, ctx.today))
  await requireSubscription(ctx, employer_id)
  const reference_id = rehire.reference_id ?? latest.reference_id
  const holders = reference_id === null ? [] : await findReferenced(ctx, { ...employee, reference_ids: [reference_id] })
  refuse(whyNotReference(holders, member_id))
  const changes = noChanges()
  const employment: Employment = {
    id: newId('empl'),
    member_id,
    reference_id,
    hired_on: rehire.start_date,
    terminated_on: null,
    employee_class: rehire.employee_class ?? latest.employee_class,
    compensation_type: rehire.compensation_type ?? latest.compensation_type,
    bargaining_unit: rehire.bargaining_unit ?? latest.bargaining_unit,
    report_hash: latest.report_hash,
    absent_on: null,
    reported_last_day: null,
  }
  addEmployment(changes, employment, ctx.today, 'employee.rehired')
  await saveRoster(ctx, employee, changes)
  return employment.id
}

/** Terminates, as of today, people who are missing from a roster of their employer. */
export async function terminateMissing(
  ctx: Ctx,
  { organization_id }: EmployerKey,
  employee_ids: string[],
): Promise<void> {
  if (employee_ids.length === 0) return
  await saveAbsences(ctx, { organization_id, employee_ids })
  await recordEventOfEach(ctx, 'employee.updated', organization_id, employee_ids)
  await recalculateAll(ctx, organization_id, employee_ids)
}

/** Part of the daily run: publishes the end of every employment of an organization whose last day has passed. */
export async function deactivateEmployees(
  ctx: Ctx,
  organization_id: string,
  chunk: DailyChunk,
): Promise<string | null> {
  const ended_ids = await saveDeactivations(ctx, { organization_id, most: chunk.most })
  await recordEventOfEach(ctx, 'employee.deactivated', organization_id, ended_ids)
  return lastOf(ended_ids, chunk)
}

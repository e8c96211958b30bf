import { earliest, type Day } from '../../../kernel/days.ts'
import { refuse } from '../../../kernel/refusal.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import type { EmployeeKey } from '../../access/auth/queries.ts'
import { whyNotBySelf } from '../../coverage/elections/rules.ts'
import { backdateMove, findMembers, findNamesakes } from '../../directory/people/queries.ts'
import { People, sameMember, takenDetails, withDetails, type Member } from '../../directory/people/rules.ts'
import { correction_window_days } from '../../directory/tasks/rules.ts'
import { readEmployments, settleRoster, writePeople } from './actions.ts'
import { saveHistory } from './fact-queries.ts'
import { withinCorrectionWindow } from './loss-actions.ts'
import { saveEmployees } from './queries.ts'
import {
  isDayOfMove,
  noChanges,
  refusals,
  whyNotEffective,
  whyNotMoveStart,
  whyNotOwnEmail,
  whyNotRecord,
  type Employment,
  type HistoryEntry,
} from './rules.ts'
import type { ContactChanges, EmployeeChanges } from './schemas.ts'

/**
 * Changes a person's contact data. Employees may do so with their own token until their last day, except for their
 * email.
 */
export async function changeContact(ctx: Ctx, employee: EmployeeKey, changes: ContactChanges): Promise<void> {
  const { employment } = await readEmployments(ctx, employee)
  refuse(whyNotBySelf({ last_day: employment.terminated_on }, ctx))
  refuse(whyNotOwnEmail(changes, ctx.caller.kind))
  await changeEmployee(ctx, employee, { ...omitted, ...changes, effective_date: ctx.today })
}

/** The fields that a change of contact data does not touch. */
const omitted = { gender: undefined, employee_class: undefined, start_date: undefined, compensation_type: undefined }

/** The employment and the person before and after a change, and the entries that it adds to the history. */
type PlannedChange = {
  effective_date: Day
  employment: { before: Employment; after: Employment }
  member: { before: Member; after: Member }
  history: HistoryEntry[]
  moves_start: boolean
  /** Whether the effective day of the change is also the day of a move to another address. */
  dates_move: boolean
}

/**
 * Changes the details of an employee, all or nothing. A refused change is `invalid_employee_update`. Returns whether
 * anything changed. `window_days` is how many days back coverage may be lost, or null for the operator, who has no
 * limit.
 */
export async function changeEmployee(
  ctx: Ctx,
  employee: EmployeeKey,
  input: EmployeeChanges,
  window_days: number | null = correction_window_days,
): Promise<boolean> {
  const { organization_id } = employee
  const [{ employment, employments }, [member], holders] = await Promise.all([
    readEmployments(ctx, employee),
    findMembers(ctx, { organization_id, member_ids: [employee.member_id] }),
    findNamesakes(ctx, organization_id, [{ email: input.email, phone: input.phone }]),
  ])
  const change = planChange(employee.employee_id, employment, member!, input)
  const changes_history = change.history.length > 0

  refuse(whyNotRecord({ date_of_birth: member!.date_of_birth, start_date: input.start_date }, ctx.today))
  if (input.start_date !== undefined) refuse(whyNotMoveStart(employment, employments, input.start_date))
  refuse(whyNotEffective(input.effective_date, change.employment.after, changes_history, ctx.today))
  const [taken] = takenDetails(input, member!, new People(holders))
  if (taken) refuse(refusals.invalid_employee_update, { field: taken, message: 'belongs to another person' })

  const save = () => saveChange(ctx, employee, change)
  if (window_days === null || !(change.moves_start || changes_history)) return save()
  const employee_ids = employments.map(({ id }) => id)
  const field = change.moves_start ? 'start_date' : 'effective_date'
  return withinCorrectionWindow(ctx, { organization_id, employee_ids }, window_days, field, save)
}

/** Applies the requested values to an employment and its person. */
function planChange(
  employee_id: string,
  employment: Employment,
  member: Member,
  { effective_date, start_date, employee_class, compensation_type, bargaining_unit, ...details }: EmployeeChanges,
): PlannedChange {
  const history = Object.entries({ employee_class, compensation_type, bargaining_unit })
    .filter(([, value]) => value !== undefined)
    .map(([fact, value]) => ({ fact, employee_id, effective_on: effective_date, value }) as HistoryEntry)
  const moved = { ...employment, hired_on: start_date ?? employment.hired_on }
  const changed_member = withDetails(member, details)
  return {
    effective_date,
    employment: { before: employment, after: moved },
    member: { before: member, after: changed_member },
    history,
    moves_start: moved.hired_on !== employment.hired_on,
    dates_move: isDayOfMove(details, member, changed_member, history.length > 0),
  }
}

/** Saves a change and recalculates the coverage that it affects. Returns whether anything changed. */
async function saveChange(
  ctx: Ctx,
  employee: EmployeeKey,
  { effective_date, employment, member, history, moves_start, dates_move }: PlannedChange,
): Promise<boolean> {
  const { employee_id, organization_id } = employee
  const changes = noChanges()
  const member_changed = !sameMember(member.before, member.after)
  // Settling publishes this change for all employments of the person, including this one.
  if (member_changed) changes.changed_members.push(member.after)
  if (moves_start) changes.since = earliest(employment.before.hired_on, employment.after.hired_on)
  await writePeople(ctx, organization_id, changes)
  if (effective_date < ctx.today && dates_move)
    await backdateMove(ctx, { organization_id, member_id: member.before.id, moved_on: effective_date })
  const saved_history = await saveHistory(ctx, employee, history)
  const employment_changed = moves_start || saved_history.length > 0
  if (!member_changed && !employment_changed) return false
  if (employment_changed) await saveEmployees(ctx, employee, [employment.after])
  if (!member_changed) changes.events.push({ event_name: 'employee.updated', employee_id })
  // The state is the only detail of a person that affects coverage.
  const changes_state = member.before.address?.state !== member.after.address?.state
  await settleRoster(ctx, organization_id, employee, changes, {
    touches_coverage: employment_changed || changes_state,
    since: effective_date,
  })
  return true
}

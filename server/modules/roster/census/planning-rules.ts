import { Refusal } from '../../../kernel/refusal.ts'
import { mapInSteps } from '../../../kernel/concurrency/time-slices.ts'
import { noChanges, refusals as employees_refusals } from '../employees/rules.ts'
import {
  differingFields,
  findDetailExchanges,
  takenDetails,
  type Member,
  type OwnDetail,
  lines,
  named,
} from '../../directory/people/rules.ts'
import { planRosterRow, possibleMatches } from './row-rules.ts'
import {
  isUnusable,
  noCounts,
  refusals,
  type CensusKnowledge,
  type CensusPlan,
  type CensusPlanning,
  type RowOutcome,
  type Rostered,
  type RowRefusal,
  type StagedRow,
  type Unusable,
  type DoneRow,
} from './rules.ts'
import { type CensusWarning, max_planned_rows, type CensusPlannedRow } from './schemas.ts'
import type { Day } from '../../../kernel/days.ts'

const noPlan = (): CensusPlan => ({
  changes: noChanges(),
  counts: noCounts(),
  failures: [],
  warnings: [],
  seen: new Set(),
  detail_hashes: [],
  exchanging: [],
  waiting: [],
  has_unmatched_rows: false,
  before_window: [],
  within_window: [],
  done: [],
})

/**
 * Plans rows of a census one after the other, each as if the rows before it were already written. With `may_wait`, rows
 * that clash with another person's email or phone are deferred until all others are done. Has no side effects except on
 * `from`, which is kept up to date, and on new ids. Dry runs and real runs use the same plan.
 */
export function* planCensus(
  rows: StagedRow[],
  first_index: number,
  from: CensusKnowledge,
  may_wait: boolean,
): Generator<void, CensusPlan> {
  const planning: CensusPlanning = { ...from, plan: noPlan() }
  for (const [index, row] of rows.entries()) {
    planRow(row, row.index ?? first_index + index, planning, may_wait)
    yield
  }
  return planning.plan
}

/**
 * Plans the deferred rows of people who may be exchanging emails and phones. All rows that can exchange with each other
 * are planned at once. The rest remain deferred.
 */
export function* planExchanges(rows: StagedRow[], from: CensusKnowledge): Generator<void, CensusPlan> {
  const planning: CensusPlanning = { ...from, plan: noPlan() }
  const judged = yield* mapInSteps(rows, (row) => (isUnusable(row) ? undefined : planRosterRow(row, planning)))
  const parties = judged.flatMap(({ member, after } = {}, index) =>
    member && after ? [{ at: index, member, after, distinct: rows[index]!.distinct }] : [],
  )
  const groups = yield* findDetailExchanges(parties, planning.people)
  yield* mapInSteps(rows, (row, index) => {
    const judgement = judged[index]
    const spared = groups.get(index)
    if (spared && judgement?.way)
      applyRow(() => judgement.way!(spared), judgement.member, planning, { ...row, index: row.index! })
    else planning.plan.waiting.push(row)
  })
  return planning.plan
}

function planRow(row: StagedRow, index: number, planning: CensusPlanning, may_wait: boolean): void {
  if (isUnusable(row)) return refuseRow(row, index, row.unusable, planning)
  const known = planning.unchanged.get(row)
  if (known) return countUnchanged(known, row, index, planning)
  const { why, way, member, after, blocked, spare, before_window } = planRosterRow(row, planning)
  if (before_window) planning.plan.before_window.push(before_window)
  const refused = why ?? blocked
  const waiting = after ? planning.plan.exchanging : planning.plan.waiting
  if (refused && may_wait && isClash(refused)) waiting.push({ ...row, index })
  else if (refused && !spare) refuseRow(row, index, failureOf(refused), planning)
  else applyRow(() => way!(spare), member, planning, { ...row, index })
}

/** Counts a row that reports only known facts as unchanged, unless another row already matched that person. */
function countUnchanged(
  { employee_id, member_id }: { employee_id: string; member_id: string },
  row: StagedRow,
  index: number,
  planning: CensusPlanning,
): void {
  const { claimed, plan } = planning
  if (claimed.has(member_id)) return refuseRow(row, index, failureOf(refusals.repeated_person), planning)
  claimed.add(member_id)
  plan.seen.add(member_id)
  plan.within_window.push(employee_id)
  plan.counts.unchanged++
}

/** Processes a row. Only its own person is marked as seen: a namesake may have the same phone. */
function applyRow(
  way: () => RowOutcome,
  member: Member | undefined,
  planning: CensusPlanning,
  row: StagedRow & { index: number },
): void {
  const { plan } = planning
  if (member) plan.seen.add(member.id)
  const former = knownOf(member?.id, planning)
  const { new_employments } = plan.changes
  const joined = new_employments.length
  const done = way()
  plan.counts[done]++
  const after = knownOf(new_employments[joined]?.member_id ?? member?.id, planning)
  // A newcomer has no earlier state. A returning person has the state in which they left.
  if (done !== 'unchanged' && after) plan.done.push({ index: row.index, outcome: done, before: former, after })
  if (after) plan.warnings.push(...warningsOf(row, member, after, planning))
}

/** The warnings of a processed row: facts that it corrects, and facts that it reports without effect. */
function warningsOf(
  row: StagedRow & { index: number },
  before: Member | undefined,
  { member, employment }: Rostered,
  { people }: CensusPlanning,
): CensusWarning[] {
  const warning = (field: string, reason: string) => ({
    index: row.index,
    reference_id: row.reference_id ?? null,
    field,
    reason,
  })
  const taken = takenDetails(row, member, people)
  const warnings = differingFields(row, member).map((field) =>
    taken.includes(field as OwnDetail)
      ? warning(field, `${field}_taken: belongs to another person, so the row was processed without it`)
      : warning(field, 'kept_as_known: keeps the value that another employer or a group reported'),
  )
  if (before && before.date_of_birth !== member.date_of_birth)
    warnings.push(warning('date_of_birth', 'date_of_birth_corrected: replaces an earlier date'))
  if (!row.employee_class && !employment.employee_class)
    warnings.push(warning('employee_class', 'is unknown and counts as Full Time'))
  return warnings
}

function knownOf(member_id: string | undefined, { people, roster }: CensusPlanning): Rostered | undefined {
  const member = people.get(member_id ?? '')
  const employment = member && roster.employments(member.id).at(-1)
  return employment && { member, employment }
}

/** Reports a row that cannot be used. Everyone it may refer to counts as seen, so that none of them is missing. */
function refuseRow(
  row: StagedRow,
  index: number,
  { field, reason, repeats }: Unusable,
  planning: CensusPlanning,
): void {
  const { plan } = planning
  for (const { id } of possibleMatches(row, planning)) plan.seen.add(id)
  plan.counts.failed++
  plan.failures.push({ index, reference_id: row.reference_id ?? null, field, reason })
  plan.has_unmatched_rows ||= !repeats
}

function failureOf(why: RowRefusal): Unusable {
  const [detail] = why instanceof Refusal ? why.details : []
  const { code, message } = why instanceof Refusal ? why.kind : why
  return {
    field: detail?.field ?? null,
    reason: `${code}: ${detail?.message ?? message}`,
    repeats: why === refusals.repeated_person,
  }
}

/** Whether a refusal may no longer apply once all other rows are processed. */
const isClash = (why: RowRefusal): boolean =>
  why instanceof Refusal &&
  [
    employees_refusals.ambiguous_person,
    employees_refusals.email_taken,
    employees_refusals.invalid_account_update,
    employees_refusals.reference_of_other_person,
  ].includes(why.kind)

type EmploymentFacts = Record<string, string | null>

/** The known facts of a person, by the field names of census rows. */
const factsOf = ({ member, employment }: Rostered): EmploymentFacts => ({
  ...Object.fromEntries(named.map((name) => [name, member[name] ?? null])),
  ...Object.fromEntries(lines.map((line) => [`address.${line}`, member.address?.[line] ?? null])),
  'address.county': member.address?.county ?? null,
  reference_id: employment.reference_id,
  start_date: employment.hired_on,
  termination_date: employment.terminated_on,
  employee_class: employment.employee_class,
  compensation_type: employment.compensation_type,
  bargaining_unit: employment.bargaining_unit,
})

const differencesBetween = (before: EmploymentFacts, after: EmploymentFacts): CensusPlannedRow['differences'] =>
  Object.keys(after)
    .map((field) => ({ field, before: before[field] ?? null, after: after[field] ?? null }))
    .filter(({ before, after }) => before !== after)

const differencesOf = ({ before, after }: Pick<DoneRow, 'before' | 'after'>) =>
  differencesBetween(before ? factsOf(before) : {}, factsOf(after))

/** The changes of a row: the differences of a known person, or all facts of a new one. */
export type CensusChange = { employee_id: string } & (
  | { differences: CensusPlannedRow['differences']; facts?: undefined }
  | { differences?: undefined; facts: EmploymentFacts }
)

export const rosterChangesOf = (done: DoneRow[]): CensusChange[] =>
  done.map(({ before, after }) => {
    const [employee_id, facts] = [after.employment.id, factsOf(after)]
    return before ? { employee_id, differences: differencesBetween(factsOf(before), facts) } : { employee_id, facts }
  })

/** The changes for people who are missing from a roster: today becomes their last day. */
export const absenceChangesOf = (missing: { id: string; ends_on: Day | null }[], today: Day): CensusChange[] =>
  missing.map(({ id, ends_on }) => ({
    employee_id: id,
    differences: [{ field: 'termination_date', before: ends_on, after: today }],
  }))

/** The result of a dry run: the first rows in order, each with its differences. */
export const plannedOf = (done: DoneRow[]): CensusPlannedRow[] =>
  done
    .toSorted((a, b) => a.index - b.index)
    .slice(0, max_planned_rows)
    .map(({ index, outcome, before, after }) => ({
      index,
      outcome,
      employee_id: before?.employment.id === after.employment.id ? after.employment.id : null,
      differences: differencesOf({ before, after }),
    }))

import { Refusal } from '../../../kernel/refusal.ts'
import { each } from '../../../kernel/slices.ts'
import { noChanges, refusals as employees_refusals } from '../employees/rules.ts'
import {
  differingFields,
  exchangesAmong,
  takenDetails,
  type Member,
  type OwnDetail,
} from '../../directory/people/rules.ts'
import { judge, perhapsMeant } from './row-rules.ts'
import {
  isUnusable,
  noCounts,
  refusals,
  type CensusKnowledge,
  type CensusPlan,
  type CensusPlanning,
  type Done,
  type Rostered,
  type RowRefusal,
  type StagedRow,
  type Unusable,
} from './rules.ts'
import type { CensusWarning } from './schemas.ts'

const noPlan = (): CensusPlan => ({
  changes: noChanges(),
  counts: noCounts(),
  failures: [],
  warnings: [],
  seen: new Set(),
  said: [],
  exchanging: [],
  waiting: [],
  unsure: false,
  beyond_reach: [],
  within_reach: [],
  done: [],
})

/**
 * Plans rows of a census, one after the other: each as if the rows before it were written. Rows that clash with
 * somebody's e-mail or phone wait until all others are done, if they `may_wait`. Pure but for new ids; the planning is
 * kept in step. The same plan serves the dry run and the real one.
 */
export function* planCensus(
  rows: StagedRow[],
  first_index: number,
  from: CensusKnowledge,
  may_wait: boolean,
): Generator<void, CensusPlan> {
  const planning: CensusPlanning = { ...from, plan: noPlan() }
  for (const [at, row] of rows.entries()) {
    planRow(row, row.index ?? first_index + at, planning, may_wait)
    yield
  }
  return planning.plan
}

/**
 * Plans the rows of people who may exchange e-mails and phones, when all others are done: those who can do so among
 * each other, all at once. The rest wait on.
 */
export function* planExchanges(rows: StagedRow[], from: CensusKnowledge): Generator<void, CensusPlan> {
  const planning: CensusPlanning = { ...from, plan: noPlan() }
  const judged = yield* each(rows, (row) => (isUnusable(row) ? undefined : judge(row, planning)))
  const parties = judged.flatMap(({ member, after } = {}, at) =>
    member && after ? [{ at, member, after, distinct: rows[at]!.distinct }] : [],
  )
  const together = yield* exchangesAmong(parties, planning.people)
  yield* each(rows, (row, at) => {
    const judgement = judged[at]
    const spared = together.get(at)
    if (spared && judgement?.way)
      note(() => judgement.way!(spared), judgement.member, planning, { ...row, index: row.index! })
    else planning.plan.waiting.push(row)
  })
  return planning.plan
}

function planRow(row: StagedRow, index: number, planning: CensusPlanning, may_wait: boolean): void {
  if (isUnusable(row)) return refuseRow(row, index, row.unusable, planning)
  const known = planning.as_said.get(row)
  if (known) return leave(known, row, index, planning)
  const { why, way, member, after, blocked, spare, beyond_reach } = judge(row, planning)
  if (beyond_reach) planning.plan.beyond_reach.push(beyond_reach)
  const refused = why ?? blocked
  const waiting = after ? planning.plan.exchanging : planning.plan.waiting
  if (refused && may_wait && isClash(refused)) waiting.push({ ...row, index })
  else if (refused && !spare) refuseRow(row, index, failureOf(refused), planning)
  else note(() => way!(spare), member, planning, { ...row, index })
}

/** Does nothing for a row that tells nothing but what is known, unless another was taken for that person. */
function leave(
  { employee_id, member_id }: { employee_id: string; member_id: string },
  row: StagedRow,
  index: number,
  planning: CensusPlanning,
): void {
  const { claimed, plan } = planning
  if (claimed.has(member_id)) return refuseRow(row, index, failureOf(refusals.repeated_person), planning)
  claimed.add(member_id)
  plan.seen.add(member_id)
  plan.within_reach.push(employee_id)
  plan.counts.unchanged++
}

/** Processes a row. Its person is not missing: they alone, since a twin may have the same phone. */
function note(
  way: () => Done,
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
  // A newcomer has no state before; a person who comes back has the one in which they left.
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
      : warning(field, 'kept_as_known: stays as another employer or a group reported it'),
  )
  if (before && before.date_of_birth !== member.date_of_birth)
    warnings.push(warning('date_of_birth', 'date_of_birth_corrected: replaces an earlier one'))
  if (!row.employee_class && !employment.employee_class)
    warnings.push(warning('employee_class', 'is not known: it counts as Full Time'))
  return warnings
}

function knownOf(member_id: string | undefined, { people, roster }: CensusPlanning): Rostered | undefined {
  const member = people.get(member_id ?? '')
  const employment = member && roster.employments(member.id).at(-1)
  return employment && { member, employment }
}

/** Reports a row that can't be taken. Whoever it may speak of is not missing, and nobody knows whether it is they. */
function refuseRow(
  row: StagedRow,
  index: number,
  { field, reason, repeats }: Unusable,
  planning: CensusPlanning,
): void {
  const { plan } = planning
  for (const { id } of perhapsMeant(row, planning)) plan.seen.add(id)
  plan.counts.failed++
  plan.failures.push({ index, reference_id: row.reference_id ?? null, field, reason })
  plan.unsure ||= !repeats
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

/** Whether a refusal may no longer apply when all other rows are done. */
const isClash = (why: RowRefusal): boolean =>
  why instanceof Refusal &&
  [
    employees_refusals.ambiguous_person,
    employees_refusals.email_taken,
    employees_refusals.invalid_account_update,
    employees_refusals.reference_of_another,
  ].includes(why.kind)

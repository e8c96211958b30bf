import type { Day } from '../../../kernel/days.ts'
import { declareRefusals, type Refusal, type RefusalKind } from '../../../kernel/refusal.ts'
import { mergeChanges, whyNotRecord, type Employment, type Roster, type RosterChanges } from '../employees/rules.ts'
import type { Member, OwnDetail, People } from '../../directory/people/rules.ts'
import type { CensusCounts, CensusFailure, CensusOrigin, CensusWarning, RosterRow } from './schemas.ts'
import { comparableNameKey } from '../../../kernel/person-names.ts'
import { mapInSteps } from '../../../kernel/concurrency/time-slices.ts'
import { repetitionsAt } from '../../directory/identities/rules.ts'

export const refusals = declareRefusals({
  census_sync_not_held: [
    409,
    'Only a census that is held can be confirmed or discarded.',
    'Read its outcome. There is nothing to decide.',
  ],
  census_sync_superseded: [
    409,
    'A later census of this employer was accepted. It determines which people are missing.',
    'Confirm the later one, if it is held.',
  ],
  repeated_person: [400, 'Another row of this census is about the same person.', 'Send one row for each person.'],
  overlaps_former_employment: [
    409,
    'This person has left. A new employment must start after the last day of the former one.',
    'Send a first day after the last day of the former employment, or reinstate the employee.',
  ],
})

/** Why a row cannot be used. `repeats`: an earlier row is about the same person. */
export type Unusable = { field: string | null; reason: string; repeats?: boolean }
/** A row that cannot be used, with the fields that may still identify the person. */
type UnusableRow = Partial<RosterRow> & { unusable: Unusable }
/** `index` is the row's position in the submission. Set when it does not follow from the position in the chunk. */
export type StagedRow = (RosterRow | UnusableRow) & { index?: number }

export const isUnusable = (row: StagedRow): row is UnusableRow => 'unusable' in row

/**
 * Whether a row may report only known facts: it identifies the person by a reference alone, reports no termination, and
 * was not deferred.
 */
export const couldBeUnchanged = (row: StagedRow, today: Day): row is RosterRow =>
  !isUnusable(row) &&
  row.index === undefined &&
  row.reference_id !== undefined &&
  [row.member_id, row.employee_id, row.distinct, row.termination_date].every((value) => value === undefined) &&
  whyNotRecord(row, today) === undefined

/** Whether a row reports a last day before today. */
export const hasLeft = ({ termination_date }: Partial<RosterRow>, today: Day): boolean =>
  termination_date !== undefined && termination_date < today

export const noCounts = (): CensusCounts => ({
  created: 0,
  updated: 0,
  unchanged: 0,
  rehired: 0,
  terminated: 0,
  failed: 0,
})

/**
 * The effects of some rows of a census, and the people they refer to. A replacing census never treats those people as
 * missing.
 */
export type CensusPlan = {
  changes: RosterChanges
  counts: CensusCounts
  failures: CensusFailure[]
  /** Warnings about rows that were processed. */
  warnings: CensusWarning[]
  seen: Set<string>
  /** New hashes of the employer's report, for people who were already on the roster. */
  detail_hashes: { employee_id: string; report_hash: string }[]
  /** Rows of known people whose email or phone belongs to another person. They may be exchanging them. */
  exchanging: StagedRow[]
  /** Other rows that clash with an email or phone that another person may give up. */
  waiting: StagedRow[]
  /** Whether a row failed that no other row replaces. It may refer to any person on the roster. */
  has_unmatched_rows: boolean
  /** Employees whose termination, reinstatement or first day lies before the correction window of partners. */
  before_window: { kind: (typeof kinds_before_window)[number]; employee_id: string; day: Day }[]
  /** Employees whose row was processed. Their open tasks before the correction window are closed. */
  within_window: string[]
  done: DoneRow[]
}

/** Merges plans that apply one after the other. */
export function mergePlans(plans: CensusPlan[]): CensusPlan {
  const counts = noCounts()
  for (const name of Object.keys(counts) as (keyof CensusCounts)[])
    for (const plan of plans) counts[name] += plan.counts[name]
  return {
    changes: mergeChanges(plans.map(({ changes }) => changes)),
    counts,
    failures: plans.flatMap(({ failures }) => failures),
    warnings: plans.flatMap(({ warnings }) => warnings),
    seen: new Set(plans.flatMap(({ seen }) => [...seen])),
    detail_hashes: plans.flatMap(({ detail_hashes }) => detail_hashes),
    exchanging: plans.flatMap(({ exchanging }) => exchanging),
    waiting: plans.flatMap(({ waiting }) => waiting),
    has_unmatched_rows: plans.some(({ has_unmatched_rows }) => has_unmatched_rows),
    before_window: plans.flatMap(({ before_window }) => before_window),
    within_window: plans.flatMap(({ within_window }) => within_window),
    done: plans.flatMap(({ done }) => done),
  }
}

/** The effect of a row, and the person's state before it (undefined for newcomers) and after it. */
export type DoneRow = {
  index: number
  outcome: Exclude<RowOutcome, 'unchanged'>
  before: Rostered | undefined
  after: Rostered
}
export type Rostered = { member: Member; employment: Employment }

/** Changes that only the operator may make, because they lie before the correction window. */
export const kinds_before_window = ['termination_too_old', 'reinstatement_too_old', 'start_too_old'] as const

/** The data that planning reads, kept up to date with the planned rows. */
export type CensusKnowledge = {
  people: People
  roster: Roster
  /** People on whom other employers or groups report too. */
  shared: Set<string>
  /** People already matched by a row. */
  claimed: Set<string>
  /** Rows that report only known facts, with their employees. These people are not in `people`. */
  unchanged: Map<StagedRow, { employee_id: string; member_id: string }>
  /** Employments whose new first day would remove coverage from before the correction window. */
  rescinding: Set<string>
  today: Day
  origin: CensusOrigin
}

/** The known data, and the plan so far. */
export type CensusPlanning = CensusKnowledge & { plan: CensusPlan }

/** The outcome of a row that was processed. */
export type RowOutcome = Exclude<keyof CensusCounts, 'failed'>
export type RowRefusal = Refusal | RefusalKind

/**
 * The effect of a row, or the refusal: permanent (`why`), or until a reported detail no longer belongs to another
 * person (`blocked`).
 */
export type Judgement = {
  why?: RowRefusal
  /** Processes the row. Called without the details that stay with another person. */
  way?: (without?: OwnDetail[]) => RowOutcome
  member?: Member | undefined
  /** The existing person as the row reports them. */
  after?: Member
  blocked?: Refusal | undefined
  /** The blocked details, if the row can be processed without all of them. */
  spare?: OwnDetail[] | undefined
  before_window?: CensusPlan['before_window'][number] | undefined
}

/**
 * Whether a replacing census is held. It is if the censuses of the last week would together terminate more than 5
 * people and more than 20% of the roster, or if anyone is missing while a failed row may refer to them. `recent`
 * counts the people who went missing in earlier censuses of that week and are still missing.
 */
export const isHeld = (missing: number, recent: number, roster: number, has_unmatched_rows: boolean): boolean =>
  missing > 0 && (has_unmatched_rows || (missing + recent > 5 && (missing + recent) * 5 > roster + recent))

/**
 * Marks rows that repeat another one. Payroll systems keep a row for each employment, so of two rows for one person,
 * the current employee's row wins over a former employee's, the later last day wins over an earlier one, and otherwise
 * the first row wins.
 */
export function* withoutRepetitions(rows: StagedRow[], today: Day): Generator<void, StagedRow[]> {
  const positions_by_last_day = new Map<Day, number[]>()
  yield* mapInSteps(rows, (row, index) => {
    if (isUnusable(row)) return
    const last_day = hasLeft(row, today) ? row.termination_date! : today
    positions_by_last_day.getOrInsertComputed(last_day, () => []).push(index)
  })
  const days = [...positions_by_last_day.keys()].toSorted().toReversed()
  const positions = days.flatMap((day) => positions_by_last_day.get(day)!)
  const ordered = positions.map((position) => rows[position] as RosterRow)
  const repeated = yield* repetitionsAt(ordered)
  const reason = `${refusals.repeated_person.code}: ${refusals.repeated_person.message}`
  const marked = new Map(
    repeated.map(({ index, field, earlier }) => {
      const [row, former] = [ordered[index]!, ordered[earlier]!]
      // A reference that was entered twice by mistake must not hide another person.
      const repeats = field !== 'reference_id' || comparableNameKey(row) === comparableNameKey(former)
      return [positions[index]!, { field, reason, repeats }]
    }),
  )
  return rows.map((row, index) => {
    const unusable = marked.get(index)
    return unusable ? { ...row, unusable } : row
  })
}

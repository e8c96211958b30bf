import type { Day } from '../../../kernel/days.ts'
import { declareRefusals, type Refusal, type RefusalKind } from '../../../kernel/refusal.ts'
import { changesTogether, whyNotRecord, type Employment, type Roster, type RosterChanges } from '../employees/rules.ts'
import type { Member, OwnDetail, People } from '../../directory/people/rules.ts'
import type { CensusCounts, CensusFailure, CensusOrigin, CensusWarning, RosterRow } from './schemas.ts'

export const refusals = declareRefusals({
  census_sync_not_held: [
    409,
    'Only a census that is held can be confirmed or discarded.',
    'Read its outcome: there is nothing to decide.',
  ],
  census_sync_superseded: [
    409,
    'A later census of this employer was accepted: it says who is missing.',
    'Confirm the later one, if it is held.',
  ],
  repeated_person: [400, 'Another row of this census speaks of the same person.', 'Send one row for each person.'],
  overlaps_former_employment: [
    409,
    'This person has left: only a first day after their last one employs them again.',
    'Send the first day of the new employment, after the last one of the former; or reinstate.',
  ],
})

/** Why a row can't be used. `repeats`: whom it means, an earlier row speaks of. */
export type Unusable = { field: string | null; reason: string; repeats?: boolean }
/** A row that can't be used, with whatever it tells of whom it means. */
export type UnusableRow = Partial<RosterRow> & { unusable: Unusable }
/** `index`: its place in the submission, where that of its chunk does not tell. */
export type StagedRow = (RosterRow | UnusableRow) & { index?: number }

export const isUnusable = (row: StagedRow): row is UnusableRow => 'unusable' in row

/**
 * Whether a row may be one that tells nothing but what is known: it says who by a reference alone, tells of no leave,
 * and did not wait.
 */
export const mayBeAsSaid = (row: StagedRow, today: Day): row is RosterRow =>
  !isUnusable(row) &&
  row.index === undefined &&
  row.reference_id !== undefined &&
  [row.member_id, row.employee_id, row.distinct, row.termination_date].every((said) => said === undefined) &&
  whyNotRecord(row, today) === undefined

/** Whether a row tells of a leave before today. */
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
 * What some rows of a census do, and whom they speak of: nobody spoken of is missing from a replacing census.
 */
export type CensusPlan = {
  changes: RosterChanges
  counts: CensusCounts
  failures: CensusFailure[]
  /** rows that were taken, and what to look at in them */
  warnings: CensusWarning[]
  seen: Set<string>
  /** what the employer now says of people who were on the roster */
  said: { employee_id: string; said_hash: string }[]
  /** rows of people who are known, whose e-mail or phone is somebody else's: they may exchange them */
  exchanging: StagedRow[]
  /** other rows that clash with the e-mail or phone of somebody who may give it up */
  waiting: StagedRow[]
  /** whether a row was refused that no other row stands for: it may speak of anybody */
  unsure: boolean
  /** employees whom rows would end or bring back, from further back than partners may */
  beyond_reach: { kind: (typeof kinds_beyond_reach)[number]; employee_id: string; day: Day }[]
  /** employees of whom a row was taken: nothing of theirs is left to the operator */
  within_reach: string[]
  /** what the rows do that change something */
  done: DoneRow[]
}

/** What several plans do, one after the other. */
export function plansTogether(plans: CensusPlan[]): CensusPlan {
  const counts = noCounts()
  for (const name of Object.keys(counts) as (keyof CensusCounts)[])
    for (const one of plans) counts[name] += one.counts[name]
  return {
    changes: changesTogether(plans.map(({ changes }) => changes)),
    counts,
    failures: plans.flatMap(({ failures }) => failures),
    warnings: plans.flatMap(({ warnings }) => warnings),
    seen: new Set(plans.flatMap(({ seen }) => [...seen])),
    said: plans.flatMap(({ said }) => said),
    exchanging: plans.flatMap(({ exchanging }) => exchanging),
    waiting: plans.flatMap(({ waiting }) => waiting),
    unsure: plans.some(({ unsure }) => unsure),
    beyond_reach: plans.flatMap(({ beyond_reach }) => beyond_reach),
    within_reach: plans.flatMap(({ within_reach }) => within_reach),
    done: plans.flatMap(({ done }) => done),
  }
}

/** What a row does, and what is known of whom it means: before it, where they are here, and after it. */
export type DoneRow = {
  index: number
  outcome: Exclude<Done, 'unchanged'>
  before: Rostered | undefined
  after: Rostered
}
export type Rostered = { member: Member; employment: Employment }

/** What is left to the operator of a row. */
export const kinds_beyond_reach = [
  'termination_beyond_reach',
  'reinstatement_beyond_reach',
  'start_beyond_reach',
] as const

/** What is known before a census is planned, and kept in step with it. */
export type CensusKnowledge = {
  people: People
  roster: Roster
  /** people of whom others speak too */
  shared: Set<string>
  /** people for whom a row was taken */
  claimed: Set<string>
  /** rows that tell nothing but what is known, and of whom: these people are not among those who are known */
  as_said: Map<StagedRow, { employee_id: string; member_id: string }>
  /** employments whose new first day would take away coverage of more than 60 days ago */
  rescinding: Set<string>
  today: Day
  origin: CensusOrigin
}

/** What is known, with what was planned so far. */
export type CensusPlanning = CensusKnowledge & { plan: CensusPlan }

/** What a row that was taken does. */
export type Done = Exclude<keyof CensusCounts, 'failed'>
export type RowRefusal = Refusal | RefusalKind

/** What a row would do, or why it can't: for good, or as long as a detail that it reports belongs to another person. */
export type Judgement = {
  why?: RowRefusal
  /** processes the row, at the end without the details that stay with another person */
  way?: (without?: OwnDetail[]) => Done
  member?: Member | undefined
  /** who is here already, as the row reports them */
  after?: Member
  blocked?: Refusal | undefined
  /** the blocked details, where the row can do without all of them */
  spare?: OwnDetail[] | undefined
  beyond_reach?: CensusPlan['beyond_reach'][number] | undefined
}

/**
 * Whether a replacing census stops to ask: it and those of the last week together would have ended more than 5 people
 * and more than 20 % of the roster, or it anybody at all when a row was refused that may speak of them. `recent`: who
 * was missing from those before, and did not come back.
 */
export const isHeld = (missing: number, recent: number, roster: number, unsure: boolean): boolean =>
  missing > 0 && (unsure || (missing + recent > 5 && (missing + recent) * 5 > roster + recent))

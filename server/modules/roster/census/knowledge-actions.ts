import { chunksOf } from '../../../kernel/concurrency/chunks.ts'
import { mapInSteps, runInSlices } from '../../../kernel/concurrency/time-slices.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import type { EmployerKey } from '../../access/auth/queries.ts'
import { loadPeople } from '../employees/loading-actions.ts'
import { findRescindingMoves } from '../employees/loss-actions.ts'
import { findShared } from '../employees/fact-queries.ts'
import { movedEmploymentOf } from './row-rules.ts'
import { couldBeUnchanged, type CensusKnowledge, type StagedRow } from './rules.ts'
import { findUnchanged } from './knowledge-queries.ts'
import { chunk_size, type CensusOrigin } from './schemas.ts'

/**
 * Reads everything the rows may refer to before any of them is processed. `roster_count` is the number of employees.
 */
export async function readKnowledge(
  ctx: Ctx,
  employer: EmployerKey,
  rows: StagedRow[],
  { origin, roster_count }: { origin: CensusOrigin; roster_count: number | null },
): Promise<CensusKnowledge> {
  const unchanged = roster_count === 0 ? new Map() : await readUnchanged(ctx, employer, rows)
  const others = unchanged.size === 0 ? rows : rows.filter((row) => !unchanged.has(row))
  const { people, roster } = await loadPeople(ctx, employer, others, { repeats: true })
  const ids = people.ids()
  const shared = new Set(ids.length > 0 ? await findShared(ctx, { ...employer, member_ids: ids }) : [])
  const knowledge = { people, roster, shared, claimed: new Set<string>(), unchanged, rescinding: new Set<string>() }
  return withRescinding(ctx, employer, others, { ...knowledge, today: ctx.today, origin })
}

/** Adds the employments whose first day the rows must not move. */
async function withRescinding(
  ctx: Ctx,
  employer: EmployerKey,
  rows: StagedRow[],
  known: CensusKnowledge,
): Promise<CensusKnowledge> {
  if (known.people.ids().length === 0) return known
  const moved = (await runInSlices(mapInSteps(rows, (row) => movedEmploymentOf(row, known)))).filter(
    (employment) => employment !== undefined,
  )
  const each_once = new Map(moved.map((employment) => [employment.id, employment]))
  return { ...known, rescinding: await findRescindingMoves(ctx, employer, [...each_once.values()]) }
}

/** Finds the rows that report only known facts, with their people. Nothing else is read for these rows. */
async function readUnchanged(
  ctx: Ctx,
  employer: EmployerKey,
  rows: StagedRow[],
): Promise<CensusKnowledge['unchanged']> {
  const unchanged: CensusKnowledge['unchanged'] = new Map()
  // A dry run reads all rows at once. One statement for all of them would delay other clients.
  for (const chunk of chunksOf(
    rows.filter((row) => couldBeUnchanged(row, ctx.today)),
    chunk_size,
  ))
    for (const [position, known] of await findUnchanged(ctx, employer, chunk)) unchanged.set(chunk[position]!, known)
  return unchanged
}

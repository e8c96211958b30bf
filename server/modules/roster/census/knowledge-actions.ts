import { chunksOf } from '../../../kernel/chunks.ts'
import { each, unhurried } from '../../../kernel/slices.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import type { EmployerKey } from '../../access/auth/queries.ts'
import { loadPeople } from '../employees/loading-actions.ts'
import { findRescindingMoves } from '../employees/loss-actions.ts'
import { findShared } from '../employees/report-queries.ts'
import { movedBy } from './row-rules.ts'
import { mayBeAsSaid, type CensusKnowledge, type StagedRow } from './rules.ts'
import { findAsSaid } from './said-queries.ts'
import { chunk_size, type CensusOrigin } from './schemas.ts'

/** All that rows may speak of, before any of them is done; `roster_count`: how many are employed there. */
export async function readKnowledge(
  ctx: Ctx,
  employer: EmployerKey,
  rows: StagedRow[],
  { origin, roster_count }: { origin: CensusOrigin; roster_count: number | null },
): Promise<CensusKnowledge> {
  const as_said = roster_count === 0 ? new Map() : await readAsSaid(ctx, employer, rows)
  const others = as_said.size === 0 ? rows : rows.filter((row) => !as_said.has(row))
  const { people, roster } = await loadPeople(ctx, employer, others, { repeats: true })
  const ids = people.ids()
  const shared = new Set(ids.length > 0 ? await findShared(ctx, employer, ids) : [])
  const knowledge = { people, roster, shared, claimed: new Set<string>(), as_said, rescinding: new Set<string>() }
  return withRescinding(ctx, employer, others, { ...knowledge, today: ctx.today, origin })
}

/** The same with the employments whose first day rows must not move. */
async function withRescinding(
  ctx: Ctx,
  employer: EmployerKey,
  rows: StagedRow[],
  known: CensusKnowledge,
): Promise<CensusKnowledge> {
  if (known.people.ids().length === 0) return known
  const moved = (await unhurried(each(rows, (row) => movedBy(row, known)))).filter((one) => one !== undefined)
  const each_once = new Map(moved.map((one) => [one.id, one]))
  return { ...known, rescinding: await findRescindingMoves(ctx, employer, [...each_once.values()]) }
}

/** Finds the rows that report only known facts, and their people. Nothing else is read for these rows. */
async function readAsSaid(ctx: Ctx, employer: EmployerKey, rows: StagedRow[]): Promise<CensusKnowledge['as_said']> {
  const as_said: CensusKnowledge['as_said'] = new Map()
  // A dry run queries all rows. One statement for all of them would delay other clients.
  for (const asked of chunksOf(
    rows.filter((row) => mayBeAsSaid(row, ctx.today)),
    chunk_size,
  ))
    for (const [place, known] of await findAsSaid(ctx, employer, asked)) as_said.set(asked[place]!, known)
  return as_said
}

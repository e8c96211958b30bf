import { setImmediate } from 'node:timers/promises'
import { unhurried } from './slices.ts'

/** Items in their order, in pieces of a size; the last one has what is left. */
export const chunksOf = <Item>(items: Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size))

/** The last of a chunk, when it is full and more may follow; null when it was the last chunk. */
export const lastOf = (ids: string[], { most }: { most: number }): string | null =>
  ids.length < most ? null : ids.at(-1)!

/** Rows that wait, at the place of the first of them. */
export type Chunk<Row> = { first_index: number; rows: Row[] }

/**
 * Rows that are planned while those before them are written. While the first are, nothing is written, so they are few;
 * to write a row takes four times as long as to plan it, so that each piece may be four times the one before.
 */
const planned_at_first = 50
const growth = 4
const planned_at_once = 800

/** A chunk in the pieces in which it is planned, each while the one before it is written. */
export function piecesToPlan<Row>({ first_index, rows }: Chunk<Row>): Chunk<Row>[] {
  const pieces: Chunk<Row>[] = []
  for (
    let at = 0, size = planned_at_first;
    at === 0 || at < rows.length;
    at += size, size = Math.min(growth * size, planned_at_once)
  )
    pieces.push({ first_index: first_index + at, rows: rows.slice(at, at + size) })
  return pieces
}

/** A chunk of several rows in two. `placeOf`: where a row is, unless they follow one another. */
export function halvesOf<Row>(
  { first_index, rows }: Chunk<Row>,
  placeOf = (at: number) => first_index + at,
): Chunk<Row>[] {
  const half = Math.ceil(rows.length / 2)
  return [
    { first_index: placeOf(0), rows: rows.slice(0, half) },
    { first_index: placeOf(half), rows: rows.slice(half) },
  ]
}

/** How many pieces are read before they are worked on: all that they hold lives until then. */
const pieces_ahead = 3

/**
 * Works on pieces in their order, each once it has been read, while the next few are and what came of those before is
 * written: over a connection on which statements are sent ahead, neither side waits for the other. Others are let in
 * before each is worked on, and in the midst of it. Ends early once `isAwaited` says so, though never before the first
 * piece was done; returns how many were. Throws what failed first, when nothing is under way any more.
 */
export async function readAhead<Piece, Found, Made>(
  pieces: Piece[],
  read: (piece: Piece) => Promise<Found>,
  work: (found: Found) => Generator<void, Made>,
  write: (made: Made) => Promise<unknown>,
  isAwaited: () => Promise<boolean>,
): Promise<number> {
  const under_way: Promise<void>[] = []
  // Whoever waits hears what failed; before that nobody does. What it came to is not kept.
  const begin = <T>(begun: Promise<T>): Promise<T> => {
    const over = begun.then(() => undefined)
    over.catch(() => undefined)
    under_way.push(over)
    return begun
  }
  const ahead: Promise<Found>[] = []
  const readNext = (piece: Piece | undefined) => piece !== undefined && ahead.push(begin(read(piece)))
  pieces.slice(0, pieces_ahead).forEach(readNext)
  let is_awaited = false
  let done = 0
  try {
    for (; done < pieces.length; done++) {
      const its = await ahead.shift()!
      if (is_awaited && done > 0) break
      begin(isAwaited().then((awaited) => (is_awaited ||= awaited)))
      readNext(pieces[done + pieces_ahead])
      await setImmediate()
      const made = await unhurried(work(its))
      await setImmediate()
      begin(write(made))
    }
    await Promise.all(under_way)
  } finally {
    await Promise.allSettled(under_way)
  }
  return done
}

/**
 * Works on pieces in turn, and writes what comes of each while the next is worked on; returns what came of each. Others
 * are let in before each. For a connection on which statements are sent ahead: they are done in the order in which
 * `write` sends them, and behind them those of `follow`, which is what follows from all. Throws what failed first, when
 * nothing is under way any more.
 */
export async function writeBehind<Piece, Made>(
  pieces: Piece[],
  make: (piece: Piece) => Promise<Made>,
  write: (made: Made) => Promise<unknown>,
  follow?: (made: Made[]) => Promise<unknown>,
): Promise<Made[]> {
  const made: Made[] = []
  const written: Promise<unknown>[] = []
  const begin = (begun: Promise<unknown>): void => {
    // Whoever waits below hears what failed; before that nobody does.
    begun.catch(() => undefined)
    written.push(begun)
  }
  try {
    for (const piece of pieces) {
      await setImmediate()
      const one = await make(piece)
      made.push(one)
      begin(write(one))
    }
    if (follow) begin(follow(made))
  } finally {
    await Promise.allSettled(written)
    await Promise.all(written)
  }
  return made
}

/**
 * Works on items in their order, so many beside each other: each further lane is opened once the work of the one before
 * says that it is in, or is over. Once one has failed no other is begun; throws what failed first, when nothing is
 * under way.
 */
export async function inLanes<Item>(
  lanes: number,
  items: Item[],
  work: (item: Item, isIn: () => void) => Promise<void>,
): Promise<void> {
  const waiting = items.values()
  let failed: { error: unknown } | undefined
  const lane = async (isIn: () => void) => {
    for (const item of waiting) {
      if (failed) break
      await work(item, isIn).catch((error: unknown) => void (failed ??= { error }))
    }
    isIn()
  }
  const under_way: Promise<void>[] = []
  while (under_way.length < lanes) {
    const { promise, resolve } = Promise.withResolvers<void>()
    under_way.push(lane(resolve))
    await promise
  }
  await Promise.all(under_way)
  if (failed) throw (failed as { error: unknown }).error
}

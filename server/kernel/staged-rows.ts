import { chunksOf, writeBehind, type Chunk } from './chunks.ts'
import { atOnce, each } from './slices.ts'

/**
 * Rows that wait for the work on them, so many in each piece: JSON in UTF-8, in memory of its own, which goes to
 * another thread and to PostgreSQL as it is.
 */
export type StagedRows = { count: number; pieces: Uint8Array<ArrayBuffer>[] }

const encoder = new TextEncoder()
const decoder = new TextDecoder()

const inWords = (rows: unknown[]): Uint8Array<ArrayBuffer> => encoder.encode(JSON.stringify(rows))

/** Rows in pieces of a size. */
export const stageRows = (rows: unknown[], size: number): StagedRows => atOnce(stageRowsInTurn(rows, size))

/** The same, a step for each piece. */
export function* stageRowsInTurn(rows: unknown[], size: number): Generator<void, StagedRows> {
  return { count: rows.length, pieces: yield* each(chunksOf(rows, size), inWords) }
}

/** The rows again, a step for each piece. */
export function* readStaged<Row>({ pieces }: StagedRows): Generator<void, Row[]> {
  const read = yield* each(pieces, (piece) => JSON.parse(decoder.decode(piece)) as Row[])
  return read.flat()
}

/** Rows that wait as they are written: JSON in UTF-8, at the place of the first of them. */
export type ChunkInWords = { first_index: number; rows: Uint8Array }

/**
 * Sends chunks in turn to be written, each put into words while those before it are written.
 */
export const sendChunks = async <Row>(
  chunks: Chunk<Row>[],
  send: (chunk: ChunkInWords) => Promise<unknown>,
): Promise<void> =>
  void (await writeBehind(chunks, async ({ first_index, rows }) => ({ first_index, rows: inWords(rows) }), send))

/** Sends rows that are in words already, in pieces of a size. */
export const sendStaged = async (
  { pieces }: StagedRows,
  size: number,
  send: (chunk: ChunkInWords) => Promise<unknown>,
): Promise<void> => void (await Promise.all(pieces.map((rows, at) => send({ first_index: at * size, rows }))))

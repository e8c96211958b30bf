import { chunksOf, pipelineWrites, type Chunk } from './chunks.ts'
import { runToEnd, mapInSteps } from './time-slices.ts'

/** Rows that wait for a job, in pieces of JSON text in UTF-8. Threads and PostgreSQL receive the text as it is. */
export type StagedRows = { count: number; pieces: Uint8Array<ArrayBuffer>[] }

const encoder = new TextEncoder()
const decoder = new TextDecoder()

const inWords = (rows: unknown[]): Uint8Array<ArrayBuffer> => encoder.encode(JSON.stringify(rows))

/** Serializes rows in pieces of a size. */
export const stageRows = (rows: unknown[], size: number): StagedRows => runToEnd(stageRowsInTurn(rows, size))

/** Serializes rows in steps, one per piece. */
export function* stageRowsInTurn(rows: unknown[], size: number): Generator<void, StagedRows> {
  return { count: rows.length, pieces: yield* mapInSteps(chunksOf(rows, size), inWords) }
}

/** Parses staged rows in steps, one per piece. */
export function* readStaged<Row>({ pieces }: StagedRows): Generator<void, Row[]> {
  const read = yield* mapInSteps(pieces, (piece) => JSON.parse(decoder.decode(piece)) as Row[])
  return read.flat()
}

/** A chunk of rows as JSON text in UTF-8, with the index of its first row. */
export type ChunkInWords = { first_index: number; rows: Uint8Array }

/** Writes chunks in order. Each is serialized while earlier ones are written. */
export const sendChunks = async <Row>(
  chunks: Chunk<Row>[],
  send: (chunk: ChunkInWords) => Promise<unknown>,
): Promise<void> =>
  void (await pipelineWrites(chunks, async ({ first_index, rows }) => ({ first_index, rows: inWords(rows) }), send))

/** Writes staged rows. `size`: the rows of each piece. */
export const sendStaged = async (
  { pieces }: StagedRows,
  size: number,
  send: (chunk: ChunkInWords) => Promise<unknown>,
): Promise<void> => void (await Promise.all(pieces.map((rows, index) => send({ first_index: index * size, rows }))))

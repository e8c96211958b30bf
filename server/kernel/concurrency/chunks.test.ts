import { describe, expect, it } from 'vitest'
import { chunksOf, halvesOf, runInLanes, planningPieces, readAhead, pipelineWrites } from './chunks.ts'

describe('the halves of a refused chunk', () => {
  it.each([
    [2, [10], [11]],
    [3, [10, 11], [12]],
    [4, [10, 11], [12, 13]],
    [5, [10, 11, 12], [13, 14]],
  ])('of %i rows have the index of their first row', (count, first, second) => {
    const rows = Array.from({ length: count }, (_, at) => 10 + at)
    expect(halvesOf({ first_index: 10, rows })).toEqual([
      { first_index: first[0], rows: first },
      { first_index: second[0], rows: second },
    ])
  })

  it('have the index of their first row if the rows are not consecutive', () => {
    const rows = [4, 9, 17]
    expect(halvesOf({ first_index: 24, rows }, (at) => 60 + rows[at]!)).toEqual([
      { first_index: 64, rows: [4, 9] },
      { first_index: 77, rows: [17] },
    ])
  })

  it('can be divided down to single rows', () => {
    const splitCompletely = (chunk: { first_index: number; rows: number[] }): number[][] =>
      chunk.rows.length === 1 ? [[chunk.first_index, chunk.rows[0]!]] : halvesOf(chunk).flatMap(splitCompletely)
    const rows = Array.from({ length: 500 }, (_, at) => at)
    for (const chunk of chunksOf(rows, 137).map((some) => ({ first_index: some[0]!, rows: some })))
      expect(splitCompletely(chunk)).toEqual(chunk.rows.map((row) => [row, row]))
  })
})

describe('pipelineWrites', () => {
  it('writes each result in order before the next piece starts, and awaits all writes at the end', async () => {
    const noted: string[] = []
    const over = Promise.withResolvers<void>()
    const done = pipelineWrites(
      ['a', 'b'],
      async (piece) => (noted.push(`make ${piece}`), piece),
      async (piece) => (noted.push(`send ${piece}`), over.promise),
    )
    await expect.poll(() => noted).toHaveLength(4)
    expect(noted).toEqual(['make a', 'send a', 'make b', 'send b'])
    over.resolve()
    expect(await done).toEqual(['a', 'b'])
  })

  it('sends the final statements after the last piece without waiting for it', async () => {
    const noted: string[] = []
    const over = Promise.withResolvers<void>()
    const done = pipelineWrites(
      ['a', 'b'],
      async (piece) => piece,
      async (piece) => (noted.push(`send ${piece}`), over.promise),
      async (made) => (noted.push(`send what follows from ${made.join(' and ')}`), over.promise),
    )
    await expect.poll(() => noted).toHaveLength(3)
    expect(noted).toEqual(['send a', 'send b', 'send what follows from a and b'])
    over.resolve()
    expect(await done).toEqual(['a', 'b'])
  })

  it('throws the first failure when no write is in progress', async () => {
    const over = Promise.withResolvers<void>()
    const done = pipelineWrites(
      [1, 2],
      async (piece) => {
        if (piece === 2) throw new Error('not made')
        return piece
      },
      () => over.promise,
    )
    const ended = done.catch((error: Error) => error.message)
    expect(await Promise.race([ended, new Promise((resolve) => setImmediate(resolve, 'waits'))])).toBe('waits')
    over.resolve()
    expect(await ended).toBe('not made')
    const refused = pipelineWrites(
      [1, 2],
      async (piece) => piece,
      async (piece) => Promise.reject(new Error(`${piece}`)),
    )
    await expect(refused).rejects.toThrow('1')
  })
})

describe('readAhead', () => {
  const pieces = [1, 2, 3, 4, 5, 6]
  // oxlint-disable-next-line require-yield
  const unchanged = function* (piece: number): Generator<void, number> {
    return piece
  }
  const never = async () => false

  it('reads at most three pieces ahead, and processes and writes all pieces in order', async () => {
    const written: number[] = []
    const ahead: number[] = []
    let read = 0
    const done = await readAhead(
      pieces,
      async (piece) => (read++, piece),
      (piece) => (ahead.push(read - piece), unchanged(piece)),
      async (piece) => written.push(piece),
      never,
    )
    expect(done).toBe(6)
    expect(written).toEqual(pieces)
    expect(ahead).toEqual([3, 3, 3, 2, 1, 0])
  })

  it('ends after the first piece if others wait, and writes all processed pieces', async () => {
    const written: number[] = []
    const doneOf = (isAwaited: () => Promise<boolean>) =>
      readAhead(
        pieces,
        async (piece) => piece,
        unchanged,
        async (piece) => written.push(piece),
        isAwaited,
      )
    expect(await doneOf(async () => true)).toBe(1)
    expect(written).toEqual([1])
    let requested = 0
    expect(await doneOf(async () => ++requested === 3)).toBe(3)
    expect(written).toEqual([1, 1, 2, 3])
  })

  it.each(['read', 'write', 'ask'] as const)(
    'throws when it fails to %s, once no read or write is in progress',
    async (part) => {
      const over = Promise.withResolvers<void>()
      const failIn = async (where: string) => {
        if (where === part) throw new Error('failed')
      }
      const done = readAhead(
        pieces,
        async (piece) => (await failIn(piece === 3 ? 'read' : ''), piece),
        unchanged,
        async (piece) => (piece === 1 ? over.promise : failIn('write')),
        async () => (await failIn('ask'), false),
      )
      const ended = done.catch((error: Error) => error.message)
      for (let turns = 0; turns < 50; turns++) await new Promise((resolve) => setImmediate(resolve))
      expect(await Promise.race([ended, 'waits'])).toBe('waits')
      over.resolve()
      expect(await ended).toBe('failed')
    },
  )
})

it.each([1, 250, 251, 1000])('divides a chunk of %i rows into pieces with each row once and at its index', (count) => {
  const rows = Array.from({ length: count }, (_, at) => 7000 + at)
  const pieces = planningPieces({ first_index: 7000, rows })
  expect(pieces.flatMap(({ rows: some }) => some)).toEqual(rows)
  for (const piece of pieces) expect(piece.first_index).toBe(piece.rows[0])
})

describe('runInLanes', () => {
  const items = [1, 2, 3, 4]

  it('starts items in order, as soon as a lane is free', async () => {
    const ends = new Map(items.map((item) => [item, Promise.withResolvers<void>()]))
    const begun: number[] = []
    const done = runInLanes(2, items, (item, startNextLane) => {
      begun.push(item)
      startNextLane()
      return ends.get(item)!.promise
    })
    await expect.poll(() => begun).toEqual([1, 2])
    ends.get(2)!.resolve()
    await expect.poll(() => begun).toEqual([1, 2, 3])
    for (const { resolve } of ends.values()) resolve()
    await done
    expect(begun).toEqual(items)
  })

  it('opens the second lane only after the first calls startNextLane', async () => {
    const over = Promise.withResolvers<void>()
    const begun: number[] = []
    const isInOf = new Map<number, () => void>()
    const done = runInLanes(2, items, (item, startNextLane) => {
      begun.push(item)
      isInOf.set(item, startNextLane)
      return over.promise
    })
    await new Promise((resolve) => setImmediate(resolve))
    expect(begun).toEqual([1])
    isInOf.get(1)!()
    await expect.poll(() => begun).toEqual([1, 2])
    isInOf.get(2)!()
    over.resolve()
    await done
    expect(begun).toEqual(items)
  })

  it('starts no item after a failure, and throws the first failure when all lanes have ended', async () => {
    const other = Promise.withResolvers<void>()
    const begun: number[] = []
    const work = async (item: number, startNextLane: () => void) => {
      begun.push(item)
      startNextLane()
      if (item === 2) throw new Error('refused')
      await other.promise
      throw new Error('refused later')
    }
    const ended = runInLanes(2, items, work).catch((error: Error) => error.message)
    expect(await Promise.race([ended, new Promise((resolve) => setImmediate(resolve, 'waits'))])).toBe('waits')
    other.resolve()
    expect([await ended, begun]).toEqual(['refused', [1, 2]])
  })
})

import { describe, expect, it, vi } from 'vitest'
import { chunksOf, halvesOf, inLanes, piecesToPlan, readAhead, writeBehind } from './chunks.ts'

describe('the halves of a refused chunk', () => {
  it.each([
    [2, [10], [11]],
    [3, [10, 11], [12]],
    [4, [10, 11], [12, 13]],
    [5, [10, 11, 12], [13, 14]],
  ])('of %i rows are at the places of their first', (count, first, second) => {
    const rows = Array.from({ length: count }, (_, at) => 10 + at)
    expect(halvesOf({ first_index: 10, rows })).toEqual([
      { first_index: first[0], rows: first },
      { first_index: second[0], rows: second },
    ])
  })

  it('are where their rows say when these do not follow one another', () => {
    const rows = [4, 9, 17]
    expect(halvesOf({ first_index: 24, rows }, (at) => 60 + rows[at]!)).toEqual([
      { first_index: 64, rows: [4, 9] },
      { first_index: 77, rows: [17] },
    ])
  })

  it('are apart down to each row', () => {
    const apart = (chunk: { first_index: number; rows: number[] }): number[][] =>
      chunk.rows.length === 1 ? [[chunk.first_index, chunk.rows[0]!]] : halvesOf(chunk).flatMap(apart)
    const rows = Array.from({ length: 500 }, (_, at) => at)
    for (const chunk of chunksOf(rows, 137).map((some) => ({ first_index: some[0]!, rows: some })))
      expect(apart(chunk)).toEqual(chunk.rows.map((row) => [row, row]))
  })
})

describe('what is written while the next piece is worked on', () => {
  it('is sent in the order of the pieces, before the next is worked on, and waited for at the end', async () => {
    const noted: string[] = []
    const over = Promise.withResolvers<void>()
    const done = writeBehind(
      ['a', 'b'],
      async (piece) => (noted.push(`make ${piece}`), piece),
      async (piece) => (noted.push(`send ${piece}`), over.promise),
    )
    await vi.waitFor(() => expect(noted).toHaveLength(4))
    expect(noted).toEqual(['make a', 'send a', 'make b', 'send b'])
    over.resolve()
    expect(await done).toEqual(['a', 'b'])
  })

  it('has what follows from all pieces sent behind the last, before that is done', async () => {
    const noted: string[] = []
    const over = Promise.withResolvers<void>()
    const done = writeBehind(
      ['a', 'b'],
      async (piece) => piece,
      async (piece) => (noted.push(`send ${piece}`), over.promise),
      async (made) => (noted.push(`send what follows from ${made.join(' and ')}`), over.promise),
    )
    await vi.waitFor(() => expect(noted).toHaveLength(3))
    expect(noted).toEqual(['send a', 'send b', 'send what follows from a and b'])
    over.resolve()
    expect(await done).toEqual(['a', 'b'])
  })

  it('throws what failed, when nothing is under way any more', async () => {
    const over = Promise.withResolvers<void>()
    const done = writeBehind(
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
    const refused = writeBehind(
      [1, 2],
      async (piece) => piece,
      async (piece) => Promise.reject(new Error(`${piece}`)),
    )
    await expect(refused).rejects.toThrow('1')
  })
})

describe('what is read ahead', () => {
  const pieces = [1, 2, 3, 4, 5, 6]
  // oxlint-disable-next-line require-yield
  const asItIs = function* (piece: number): Generator<void, number> {
    return piece
  }
  const nobody = async () => false

  it('is of three pieces at most, worked on in their order, and all of it is written', async () => {
    const written: number[] = []
    const ahead: number[] = []
    let read = 0
    const done = await readAhead(
      pieces,
      async (piece) => (read++, piece),
      (piece) => (ahead.push(read - piece), asItIs(piece)),
      async (piece) => written.push(piece),
      nobody,
    )
    expect(done).toBe(6)
    expect(written).toEqual(pieces)
    expect(ahead).toEqual([3, 3, 3, 2, 1, 0])
  })

  it('ends when somebody waits, though not before the first piece, and all that was worked on is written', async () => {
    const written: number[] = []
    const doneOf = (isAwaited: () => Promise<boolean>) =>
      readAhead(
        pieces,
        async (piece) => piece,
        asItIs,
        async (piece) => written.push(piece),
        isAwaited,
      )
    expect(await doneOf(async () => true)).toBe(1)
    expect(written).toEqual([1])
    let asked = 0
    expect(await doneOf(async () => ++asked === 3)).toBe(3)
    expect(written).toEqual([1, 1, 2, 3])
  })

  it.each(['read', 'write', 'ask'] as const)('throws when it fails to %s, once nothing is under way', async (what) => {
    const over = Promise.withResolvers<void>()
    const failIn = async (where: string) => {
      if (where === what) throw new Error('failed')
    }
    const done = readAhead(
      pieces,
      async (piece) => (await failIn(piece === 3 ? 'read' : ''), piece),
      asItIs,
      async (piece) => (piece === 1 ? over.promise : failIn('write')),
      async () => (await failIn('ask'), false),
    )
    const ended = done.catch((error: Error) => error.message)
    for (let turns = 0; turns < 50; turns++) await new Promise((resolve) => setImmediate(resolve))
    expect(await Promise.race([ended, 'waits'])).toBe('waits')
    over.resolve()
    expect(await ended).toBe('failed')
  })
})

it.each([1, 50, 51, 300, 1000])('plans a chunk of %i rows piece by piece, each row once and at its place', (count) => {
  const rows = Array.from({ length: count }, (_, at) => 7000 + at)
  const pieces = piecesToPlan({ first_index: 7000, rows })
  expect(pieces.flatMap(({ rows: some }) => some)).toEqual(rows)
  for (const piece of pieces) expect(piece.first_index).toBe(piece.rows[0])
})

describe('what is worked on in lanes', () => {
  const items = [1, 2, 3, 4]

  it('is begun in its order, as soon as there is a lane', async () => {
    const ends = new Map(items.map((item) => [item, Promise.withResolvers<void>()]))
    const begun: number[] = []
    const done = inLanes(2, items, (item, isIn) => {
      begun.push(item)
      isIn()
      return ends.get(item)!.promise
    })
    await vi.waitFor(() => expect(begun).toEqual([1, 2]))
    ends.get(2)!.resolve()
    await vi.waitFor(() => expect(begun).toEqual([1, 2, 3]))
    for (const { resolve } of ends.values()) resolve()
    await done
    expect(begun).toEqual(items)
  })

  it('has no second lane before the first is in', async () => {
    const over = Promise.withResolvers<void>()
    const begun: number[] = []
    const isInOf = new Map<number, () => void>()
    const done = inLanes(2, items, (item, isIn) => {
      begun.push(item)
      isInOf.set(item, isIn)
      return over.promise
    })
    await new Promise((resolve) => setImmediate(resolve))
    expect(begun).toEqual([1])
    isInOf.get(1)!()
    await vi.waitFor(() => expect(begun).toEqual([1, 2]))
    isInOf.get(2)!()
    over.resolve()
    await done
    expect(begun).toEqual(items)
  })

  it('is not begun any more once one has failed; what failed first is thrown when the others are done', async () => {
    const other = Promise.withResolvers<void>()
    const begun: number[] = []
    const work = async (item: number, isIn: () => void) => {
      begun.push(item)
      isIn()
      if (item === 2) throw new Error('refused')
      await other.promise
      throw new Error('refused later')
    }
    const ended = inLanes(2, items, work).catch((error: Error) => error.message)
    expect(await Promise.race([ended, new Promise((resolve) => setImmediate(resolve, 'waits'))])).toBe('waits')
    other.resolve()
    expect([await ended, begun]).toEqual(['refused', [1, 2]])
  })
})

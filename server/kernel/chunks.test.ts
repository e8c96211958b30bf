import { describe, expect, it } from 'vitest'
import { chunksOf, halvesOf } from './chunks.ts'

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

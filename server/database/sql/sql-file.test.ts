import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { sqlFile } from './sql-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'openbenefits-sql-'))
afterAll(() => rmSync(folder, { recursive: true }))

const fileOf = (text: string) => {
  const path = join(folder, 'a-statement.sql')
  writeFileSync(path, text)
  return pathToFileURL(path)
}

describe('of a file, everything is read but its comments and its end:', () => {
  it.each([
    ['a line of its own', '-- What there is.\n\n  -- And why.\nselect :a\n', 'select :a'],
    ['the end of a line', 'select :a -- the first\n  from b\n', 'select :a\n  from b'],
    ['the semicolon that ends it', 'select 1;\n', 'select 1'],
    ['a block', 'select /* a\nb */ 1', 'select  1'],
    ['but not what is a string', `select '--', 'it''s -- so', "--"`, `select '--', 'it''s -- so', "--"`],
  ])('%s', (_, text, read) => expect(sqlFile(fileOf(text))).toBe(read))
})

it('a file that holds no statement is refused', () => {
  expect(() => sqlFile(fileOf('-- Nothing yet.\n'))).toThrow('holds no statement')
})

describe('a piece that statements share', () => {
  const inReach = (organization: string, employer: string) => `${organization} = :a and ${employer} = :b`

  it('is put where the file names it, in parentheses', () => {
    const file = fileOf('select 1 from a left join lateral shared.latest() as b on true where shared.latest()')
    expect(sqlFile(file, { latest: 'select 2' })).toBe(
      'select 1 from a left join lateral (select 2) as b on true where (select 2)',
    )
  })

  it('is asked for the columns that the file names', () => {
    expect(sqlFile(fileOf('select shared.in_reach(a.x,\n  a.y)'), { in_reach: inReach })).toBe(
      'select (a.x = :a and a.y = :b)',
    )
  })

  it('is nothing in a string or a comment', () => {
    expect(sqlFile(fileOf(`select 'shared.a()' -- shared.b()\n`))).toBe(`select 'shared.a()'`)
  })

  it('is refused when the file names it and nobody gives it, and the other way round', () => {
    expect(() => sqlFile(fileOf('select shared.to_string()'))).toThrow('names shared.to_string, which it is not given')
    expect(() => sqlFile(fileOf('select 1'), { latest: '2' })).toThrow('has no use for shared.latest')
  })
})

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

describe('sqlFile removes from a file', () => {
  it.each([
    ['a line comment', '-- A comment.\n\n  -- Another one.\nselect :a\n', 'select :a'],
    ['a comment at the end of a line', 'select :a -- the first\n  from b\n', 'select :a\n  from b'],
    ['the semicolon that ends it', 'select 1;\n', 'select 1'],
    ['a block comment', 'select /* a\nb */ 1', 'select  1'],
    ['but not the dashes in a string', `select '--', 'it''s -- so', "--"`, `select '--', 'it''s -- so', "--"`],
  ])('%s', (_, text, read) => expect(sqlFile(fileOf(text))).toBe(read))
})

it('refuses a file without a statement', () => {
  expect(() => sqlFile(fileOf('-- Nothing yet.\n'))).toThrow('contains no statement')
})

describe('a shared piece of SQL', () => {
  const inReach = (organization: string, employer: string) => `${organization} = :a and ${employer} = :b`

  it('is inserted at its name, in parentheses', () => {
    const file = fileOf('select 1 from a left join lateral shared.latest() as b on true where shared.latest()')
    expect(sqlFile(file, { latest: 'select 2' })).toBe(
      'select 1 from a left join lateral (select 2) as b on true where (select 2)',
    )
  })

  it('receives the columns that the file passes', () => {
    expect(sqlFile(fileOf('select shared.in_reach(a.x,\n  a.y)'), { in_reach: inReach })).toBe(
      'select (a.x = :a and a.y = :b)',
    )
  })

  it('is not replaced in a string or a comment', () => {
    expect(sqlFile(fileOf(`select 'shared.a()' -- shared.b()\n`))).toBe(`select 'shared.a()'`)
  })

  it('must be both named in the file and passed', () => {
    expect(() => sqlFile(fileOf('select shared.to_string()'))).toThrow('uses shared.to_string, which was not passed')
    expect(() => sqlFile(fileOf('select 1'), { latest: '2' })).toThrow('does not use shared.latest')
  })
})

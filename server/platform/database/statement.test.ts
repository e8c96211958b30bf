import { describe, expect, it } from 'vitest'
import type { Db } from './database.ts'
import { compile, statement, variants } from './statement.ts'

/** A connection that tells what it was asked. */
const listening = () => {
  const asked: { text: string; values: unknown[] | undefined }[] = []
  const note = async (text: string, values?: unknown[]) => {
    asked.push({ text, values })
    return [] as never
  }
  return { asked, db: { rows: note, row: note, json: note } as unknown as Db }
}

describe('a parameter is numbered by its name,', () => {
  it.each([
    ['where it stands first', 'select :a, :b, :a', 'select $1, $2, $1', ['a', 'b']],
    ['beside a cast', 'select :a::text, now()::date', 'select $1::text, now()::date', ['a']],
    ['and not in a string', `select ':a', 'it''s :b', :c`, `select ':a', 'it''s :b', $1`, ['c']],
    ['nor in a quoted name', 'select ":a", :b', 'select ":a", $1', ['b']],
    ['nor in a comment', 'select 1 -- :a\n/* :b */ , :c', 'select 1 -- :a\n/* :b */ , $1', ['c']],
    ['nor in a slice', 'select x[1:2], x[:a]', 'select x[1:2], x[$1]', ['a']],
  ])('%s', (_, text, compiled, parameters) => {
    expect(compile(text)).toEqual({ text: compiled, parameters })
  })
})

it('is sent with its name, and with what it takes in the order of its numbers', async () => {
  const { asked, db } = listening()
  const found = statement('test.found', 'select :b, :today::date, :reach_employer_id where :a')
  const caller = { reach: { organization_ids: null, employer_id: null, employee_id: null } } as never
  await found.rows({ db, today: '2026-03-10', caller }, { a: true, b: 2 })
  expect(asked).toEqual([
    { text: '/* test.found */ select $1, $2::date, $3 where $4', values: [2, '2026-03-10', null, true] },
  ])
})

it('is refused when it lacks a value, or its name is taken', async () => {
  const { db } = listening()
  const lacking = statement('test.lacking', 'select :a, :now')
  expect(() => lacking.rows({ db, now: 'x' })).toThrow('test.lacking takes :a, and got nothing for it.')
  expect(() => lacking.rows({ db }, { a: 1 })).toThrow('test.lacking takes :now, and got nothing for it.')
  expect(() => statement('test.lacking', 'select 1')).toThrow('There are two statements named test.lacking.')
})

it('has a variant for each choice of filters', () => {
  const listed = variants(
    'test.listed',
    { status: [null, 'active', 'terminated'], search: [false, true] },
    ({ status, search }) =>
      `select 1${status ? ` where status = '${status}'` : ''}${search ? ' and name ~ :search' : ''}`,
  )
  expect(listed({ status: null, search: false }).text).toBe('/* test.listed() */ select 1')
  expect(listed({ status: 'active', search: true })).toMatchObject({
    text: `/* test.listed(active, search) */ select 1 where status = 'active' and name ~ $1`,
    parameters: ['search'],
  })
})

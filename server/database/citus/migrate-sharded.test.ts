import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'
import { describe, expect, inject, it } from 'vitest'
import { run } from '../../test/setup.ts'
import { dumpSchema } from '../../tools/schema-dump.ts'
import { databaseUrl } from '../../../packages/embedded-postgres/cluster.ts'
import { commandsOf, dividedCommand, statementsOf } from './migrate-sharded.ts'
import { lockRows } from '../schema/row-level-security.ts'

describe('what a migration does where tenants are divided', () => {
  it.each([
    [
      'to a table is done one by one',
      `alter table a\n add column b text default 'x, (',\n -- Of it, too.\n add check (c in ('d', 'e')), drop column f`,
      [
        `alter table a add column b text default 'x, ('`,
        `alter table a add check (c in ('d', 'e'))`,
        'alter table a drop column f',
      ],
    ],
    ['to indexes too', 'drop index a, b', ['drop index a', 'drop index b']],
    ['to one thing stays as it is', '-- So.\ncreate index a on b (c, d)', ['create index a on b (c, d)']],
  ])('%s', (_, statement, commands) => {
    expect(commandsOf(statement)).toEqual(commands)
  })

  it.each([
    ['has its triggers of statements wait', 'create trigger refers after insert on enrollments for each statement'],
    ['has the storage of a column wait', 'alter table census_chunks alter column rows set storage external'],
  ])('%s for the way back', (_, command) => {
    expect(dividedCommand(command)).toEqual([`insert into set_aside (brought_back_by) values ('${command}')`])
  })

  it('keeps foreign keys that stand there for triggers, and forgets those that were set aside', () => {
    expect(dividedCommand('alter table employees drop constraint employees_member_id_organization_id_fkey')).toEqual([])
    const command = 'alter table members drop constraint members_organization_id_fkey'
    expect(dividedCommand(command)).toEqual([
      expect.stringMatching(/delete from set_aside where .*'alter table members add constraint members_org[^]*if not/),
    ])
  })

  it('is otherwise what it is', () => {
    for (const command of ['create trigger stays after delete on organizations for each row', 'drop table a'])
      expect(dividedCommand(command)).toEqual([command])
  })
})

describe('the statements of a migration', () => {
  it.each([
    ['end with a semicolon', 'drop table a; drop table b;\n', ['drop table a', 'drop table b']],
    ['or with the file', 'drop table a', ['drop table a']],
    ['are none where only something is said', '-- Nothing; as yet.\n\n;', []],
    ['keep what is said of them', '-- One; two.\ndrop table a;', ['-- One; two.\ndrop table a']],
    [
      'keep text',
      `select ';', 'it''s; so', ";" from a; drop table a`,
      [`select ';', 'it''s; so', ";" from a`, 'drop table a'],
    ],
    [
      'keep bodies',
      'do $$ begin drop table a; end $$; do $a$ begin; $$ end $a$',
      ['do $$ begin drop table a; end $$', 'do $a$ begin; $$ end $a$'],
    ],
    [
      'keep bodies that are read at once',
      'create function a() begin atomic select 1; select 2; end; drop table a',
      ['create function a() begin atomic select 1; select 2; end', 'drop table a'],
    ],
    [
      'keep what is set apart',
      '/* one; two */ drop table a; drop table b',
      ['/* one; two */ drop table a', 'drop table b'],
    ],
  ])('%s', (_, sql, statements) => {
    expect(statementsOf(sql)).toEqual(statements)
  })

  it('make the schema one by one', { timeout: 120_000 }, async () => {
    const name = `test_${randomUUID().replaceAll('-', '')}`
    await run(inject('maintenance_url'), `create database ${name} template template0`)
    const client = new pg.Client({ connectionString: databaseUrl({ url: inject('maintenance_url') }, name) })
    await client.connect()
    try {
      await client.query(
        'create table migrations (name text primary key, applied_at timestamptz not null default now())',
      )
      const folder = new URL('../../migrations/', import.meta.url)
      for (const file of (await readdir(folder)).filter((found) => found.endsWith('.sql')).sort()) {
        const statements = statementsOf(await readFile(new URL(file, folder), 'utf8'))
        // By this protocol PostgreSQL takes one statement and no more.
        for (const text of ['begin', ...statements, 'commit'])
          await client.query({ text, queryMode: 'extended' } as pg.QueryConfig)
      }
      await lockRows(client)
      const schema = await readFile(new URL('../../schema.sql', import.meta.url), 'utf8')
      expect(await dumpSchema(async (text) => (await client.query(text)).rows)).toBe(schema)
    } finally {
      await client.end()
      await run(inject('maintenance_url'), `drop database ${name}`)
    }
  })
})

import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'
import { describe, expect, inject, it } from 'vitest'
import { run } from '../../test/setup.ts'
import { dumpTables } from '../../tools/gen/tables-dump.ts'
import { databaseUrl } from '../../../packages/embedded-postgres/cluster.ts'
import { splitStatements } from '../sql/split-statements.ts'
import { commandsOf, shardedCommand } from './migrate-sharded.ts'
import { readDefinitions } from '../schema/definitions.ts'
import { lockRows } from '../schema/row-level-security.ts'

describe('a migration of a sharded database', () => {
  it.each([
    [
      'changes a table one command at a time',
      `alter table a\n add column b text default 'x, (',\n -- A comment.\n add check (c in ('d', 'e')), drop column f`,
      [
        `alter table a add column b text default 'x, ('`,
        `alter table a add check (c in ('d', 'e'))`,
        'alter table a drop column f',
      ],
    ],
    ['drops indexes one at a time', 'drop index a, b', ['drop index a', 'drop index b']],
    ['does not split a single command', '-- A comment.\ncreate index a on b (c, d)', ['create index a on b (c, d)']],
  ])('%s', (_, statement, commands) => {
    expect(commandsOf(statement)).toEqual(commands)
  })

  it('sets a statement trigger aside and replaces its previous definition', () => {
    const command = 'create or replace trigger check_references after insert on enrollments for each statement'
    const deletion = expect.stringMatching(
      /^delete from unsharding_steps\s+where .*trigger check_references.*enrollments/,
    )
    expect(shardedCommand(command)).toEqual([
      deletion,
      `insert into unsharding_steps (statement) values ('${command}')`,
    ])
    expect(shardedCommand('drop trigger if exists check_references on enrollments')).toEqual([deletion])
  })

  it('sets the storage of a column aside', () => {
    const command = 'alter table census_chunks alter column rows set storage external'
    expect(shardedCommand(command)).toEqual([`insert into unsharding_steps (statement) values ('${command}')`])
  })

  it('keeps foreign keys that replace triggers, and deletes those that were set aside', () => {
    expect(shardedCommand('alter table employees drop constraint employees_member_id_organization_id_fkey')).toEqual([])
    const command = 'alter table members drop constraint members_organization_id_fkey'
    expect(shardedCommand(command)).toEqual([
      expect.stringMatching(
        /delete from unsharding_steps where .*'alter table members add constraint members_org[^]*if not/,
      ),
    ])
  })

  it('leaves other commands unchanged', () => {
    for (const command of ['create trigger keep_rows after delete on organizations for each row', 'drop table a'])
      expect(shardedCommand(command)).toEqual([command])
  })
})

describe('the statements of a migration', () => {
  it.each([
    ['end with a semicolon', 'drop table a; drop table b;\n', ['drop table a', 'drop table b']],
    ['end with the file', 'drop table a', ['drop table a']],
    ['do not include lone comments', '-- A comment; only.\n\n;', []],
    ['keep the comment before them', '-- One; two.\ndrop table a;', ['-- One; two.\ndrop table a']],
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
      'keep bodies of begin atomic',
      'create function a() begin atomic select 1; select 2; end; drop table a',
      ['create function a() begin atomic select 1; select 2; end', 'drop table a'],
    ],
    [
      'keep block comments',
      '/* one; two */ drop table a; drop table b',
      ['/* one; two */ drop table a', 'drop table b'],
    ],
  ])('%s', (_, sql, statements) => {
    expect(splitStatements(sql)).toEqual(statements)
  })

  it('create the schema one by one', async () => {
    const name = `test_${randomUUID().replaceAll('-', '')}`
    await run(inject('maintenance_url'), `create database ${name} template template0`)
    const client = new pg.Client({ connectionString: databaseUrl({ url: inject('maintenance_url') }, name) })
    await client.connect()
    try {
      const migrations = new URL('../../migrations/', import.meta.url)
      const texts = (await readdir(migrations)).sort().map((file) => readFile(new URL(file, migrations), 'utf8'))
      const definitions = (await readDefinitions()).map(({ sql }) => sql)
      const statements = [...(await Promise.all(texts)).flatMap(splitStatements), ...definitions]
      await client.query(`
        create table migrations
          (name text primary key, hash text not null, applied_at timestamptz not null default now())`)
      // This protocol accepts only one statement per message.
      for (const text of ['begin', ...statements, 'commit'])
        await client.query({ text, queryMode: 'extended' } as pg.QueryConfig)
      await lockRows(client)
      const schema = await readFile(new URL('../../schema.sql', import.meta.url), 'utf8')
      expect(await dumpTables(async (text) => (await client.query(text)).rows)).toBe(schema)
    } finally {
      await client.end()
      await run(inject('maintenance_url'), `drop database ${name}`)
    }
  })
})

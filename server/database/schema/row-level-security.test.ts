import pg from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import { createEmployee, createEmployer } from '../../test/fixtures.ts'
import { urlOf, useApi } from '../../test/harness.ts'
import { openAsFound } from '../citus/sharding-state.ts'
import { openPipeline } from '../query/pipeline.ts'
import { every_organization, no_organization, scopeOf, type RowsOf } from '../query/rows-of.ts'
import { unlocked_tables } from './row-level-security.ts'

const api = useApi()
const seen = 'select organization_id from employers group by 1 order by 1'

let harbor: string
let rival: string

beforeAll(async () => {
  harbor = api.story.organization_id
  rival = api.story.rival_organization_id
  await createEmployer(api)
  await createEmployer(api, {}, { key: api.story.rival_api_key })
})

/** Scopes and the organizations whose rows they show. */
const scopes = (): [RowsOf, string[]][] => [
  [[harbor], [harbor]],
  [[rival], [rival]],
  [[harbor, rival], [harbor, rival].sort()],
  [no_organization, []],
  [['*', `,${harbor},${rival},`, ''], []],
  [every_organization, [harbor, rival].sort()],
  [Array.from({ length: 1001 }, () => 'org_0'), [harbor, rival].sort()],
]

/** Reads that fail: at parsing, at run time, by a cancel, or without their scope. */
const failures = [
  ['select nothing', '42703'],
  ['select 1 / count(*) from employers where name = $1', '22012'],
  ['select pg_cancel_backend(pg_backend_pid()), pg_sleep(5)', '57014'],
  [`select set_config('openbenefits.organizations', '', true), in_scope('org_0')`, '42501'],
] as const

describe('reads of many organizations on one connection', () => {
  it.each([true, false])('see only their own rows, even after failed reads (own session: %s)', async (is_ours) => {
    const { distribution } = api.runtime.database
    const [prepared, is_set_up] = [is_ours && !distribution, is_ours && distribution !== undefined]
    const pipeline = openPipeline(
      { connectionString: await urlOf(api) },
      { prepared, is_set_up, distribution, limit: 0 },
    )
    const requested = Array.from({ length: 400 }, (_, n) => {
      const [rows_of, shown] = scopes()[(n * 7) % scopes().length]!
      const scope = scopeOf(rows_of)
      const [text, code] = failures[n % failures.length]!
      const failing = { text, values: text.includes('$1') ? ['none'] : [], scope }
      if (n % 3 === 0) return expect(pipeline.query(failing), text).rejects.toMatchObject({ code })
      const query = { text: seen, values: [], scope, ...(prepared && { name: 'seen' }) }
      return expect(pipeline.query(query).then(({ rows }) => rows.map((row) => row.organization_id))).resolves.toEqual(
        shown,
      )
    })
    await Promise.all(requested)
    await pipeline.end()
  })
})

/** The error of a statement without a scope. On a worker of a distributed database the setting may not exist. */
const no_scope = /No scope is set|unrecognized configuration parameter "openbenefits\.organizations"/

describe('a connection without a scope', () => {
  it('gets an error instead of no rows', async () => {
    const client = new pg.Client({ connectionString: await urlOf(api) })
    await client.connect()
    await expect(client.query(seen)).rejects.toMatchObject({ code: '42704' })
    await client.query(`begin; set local openbenefits.organizations = '${harbor}'; commit`)
    await expect(client.query(seen)).rejects.toThrow(no_scope)
    await client.end()
  })

  it('still has none after each transaction, committed or not', async () => {
    const database = await openAsFound({ url: await urlOf(api), write_connections: 1 })
    const shown = (rows_of: RowsOf) =>
      database.transaction(rows_of, async (db) =>
        (await db.rows<{ organization_id: string }>(seen)).map((row) => row.organization_id),
      )
    for (const [rows_of, organizations] of scopes()) {
      expect(await shown(rows_of)).toEqual(organizations)
      await expect(database.pool.query(seen)).rejects.toThrow(no_scope)
      await expect(database.transaction(rows_of, (db) => db.rows('select nothing'))).rejects.toThrow('nothing')
      await expect(database.pool.query(seen)).rejects.toThrow(no_scope)
    }
    await database.close()
  })
})

it('cannot add a row to another organization or move one there', async () => {
  const write = (text: string) => api.runtime.database.transaction([harbor], (db) => db.rows(text, [rival]))
  const refused = { code: '42501', message: expect.stringContaining('row-level security') }
  // In a distributed database rows cannot be moved at all.
  await expect(write('update employers set organization_id = $1')).rejects.toThrow(
    /row-level security|modifying the partition value/,
  )
  await expect(
    write(
      `insert into carriers (id, organization_id, name, created_at, updated_at)
       values ('car_1', $1, 'X', now(), now())`,
    ),
  ).rejects.toMatchObject(refused)
  expect(await write('delete from employers where organization_id = $1 returning id')).toEqual([])
})

it('does not find people of another organization, even by functions that bypass row-level security', async () => {
  const key = api.story.rival_api_key
  const employer_id = await createEmployer(api, {}, { key })
  await createEmployee(api, employer_id, { first_name: 'Zebedee' }, { key })
  const found = (tenant: string) =>
    api.runtime.database.transaction([tenant], async (db) => [
      ...(await db.rows('select id from people_found($1, $2, $3)', [rival, ['%zebedee%'], []])),
      ...(await db.rows(`select * from search_roster($1, $2, $3, $4, true, null, '2026-03-10', 99, 0, 20)`, [
        employer_id,
        rival,
        ['%zebedee%'],
        [],
      ])),
      ...(await db.rows('select id from employers_found($1, $2) where id = $3', [rival, '%llc%', employer_id])),
      ...(await db.rows('select id from employers_found_in_all($1) where id = $2', ['%llc%', employer_id])),
    ])
  expect(await found(rival)).toHaveLength(4)
  expect(await found(harbor)).toEqual([])
})

it('covers every table with an organization except the listed ones', async () => {
  const { rows } = await api.database.pool.query<{ name: string; whole: string; locked: boolean; policies: number }>(
    `select class.oid::regclass::text as name,
            coalesce(pg_partition_root(class.oid), class.oid)::regclass::text as whole,
            relrowsecurity as locked, (select count(*)::int from pg_policy where polrelid = class.oid) as policies
       from pg_class as class join pg_attribute on attrelid = class.oid and attname = 'organization_id'
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
  )
  expect(rows.length).toBeGreaterThan(80)
  const open = rows.filter(({ locked }) => !locked)
  expect([...new Set(open.map(({ whole }) => whole))].sort()).toEqual(Object.keys(unlocked_tables).sort())
  for (const { name, whole, locked, policies } of rows) if (locked) expect(policies > 0, name).toBe(name === whole)
})

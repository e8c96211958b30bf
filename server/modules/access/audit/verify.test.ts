import { beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { toldOf, verifyAudit } from '../../../cli/audit.ts'
import type { Db } from '../../../database/query/database.ts'
import { keepPartitions } from '../../../database/schema/partitions.ts'
import { createEmployee, createEmployer } from '../../../test/cast.ts'
import { saidBy } from '../../../test/command.ts'
import { urlOf, useApi } from '../../../test/harness.ts'
import { blockOf } from '../../../test/pasted.ts'
import { verifyTrail } from './actions.ts'

const api = useApi()

/** What the superuser of the database can do: nothing refuses it. */
const tamper = async (statement: string) => {
  const client = await api.database.pool.connect()
  try {
    await client.query('begin; set local session_replication_role = replica')
    const { rows } = await client.query(statement)
    await client.query('commit')
    return rows[0] as { id: string; number: string }
  } finally {
    client.release()
  }
}

const verify = (more: object = {}) =>
  verifyTrail(api.database.reads, api.runtime.secrets, { now: api.runtime.clock(), retention_years: 6, ...more })
const faults = async (more: object = {}) => (await verify(more)).faults

let employee_id: string
beforeAll(async () => {
  employee_id = (await createEmployee(api, await createEmployer(api))).id
})

/** Some reads and writes of a new day, and the trail of it as it was written; the former days are sealed. */
let day = ''
const days = Array.from({ length: 20 }, (_, at) => `2026-03-${String(11 + at)}`)
beforeEach(async () => {
  day = days.shift()!
  api.moveTo(day)
  for (let count = 0; count < 3; count++) {
    // At once, so that they stand on one sheet however busy the machine is.
    await Promise.all([1, 2, 3].map(() => api.get(`/v1/employees/${employee_id}`)))
    await api.runtime.trail.close()
    await api.patch(`/v1/employees/${employee_id}`, { effective_date: '2026-03-10', phone: `202555010${count}` })
  }
  await api.runDays()
})

const of_reads = () => `where day = '${day}' and strand > 0 and organization_id <> ''`
const a_sheet = () => `(select id from audit_sheets ${of_reads()} and number = 2)`

it('nothing is found in what is as it was written', async () => {
  expect(await faults()).toEqual([])
  expect((await verify({ from: day })).entries).toBeGreaterThanOrEqual(12)
})

it('nor in what is written while it is read', async () => {
  let chains_read = 0
  const reads = api.database.reads
  const busy: Db = {
    ...reads,
    async rows<Row extends object>(text: string, values?: unknown[]) {
      const rows = await reads.rows<Row>(text, values)
      if (text.includes('from audit_chains where day') && !text.includes('union')) {
        chains_read++
        await api.get(`/v1/employees/${employee_id}`)
        await api.runtime.trail.close()
        await api.patch(`/v1/employees/${employee_id}`, { effective_date: '2026-03-10', phone: '2025550199' })
      }
      return rows
    },
  }
  const before = await verify({ from: day })
  const now = api.runtime.clock()
  const found = await verifyTrail(busy, api.runtime.secrets, { now, retention_years: 6, from: day })
  expect([found.faults, found.entries, chains_read]).toEqual([[], before.entries, 1])
  expect((await verify({ from: day })).entries).toBeGreaterThan(before.entries)
})

describe('an entry is found and named', () => {
  it.each([
    ['resource_ids', `resource_ids[2] = 'empl_other'`],
    ['operations', `operations[2] = 'employees_gex'`],
    ['statuses', 'statuses[2] = 403'],
    ['occurred_at', `occurred_at[2] = occurred_at[2] + interval '1 microsecond'`],
    ['addresses', `addresses[2] = '127.0.0.2'`],
    ['actor_ids', 'actor_ids[2] = null'],
  ])('that was changed by one byte of its %s', async (_, change) => {
    const { id } = await tamper(`update audit_sheets set ${change} ${of_reads()} and number = 2 returning id`)
    expect(await faults({ from: day })).toEqual([expect.stringContaining(`changed: ${id.slice(0, -1)}1`)])
  })

  it('that was removed with its sheet', async () => {
    await tamper(`delete from audit_sheets where id = ${a_sheet()}`)
    expect(await faults({ from: day })).toEqual([
      expect.stringMatching(/sheet 2 was removed, behind aud_\w+ of .* and before/),
    ])
  })

  it('that was removed at the end, with where the chain ends: by the seal of the day', async () => {
    api.moveTo(days[0]!)
    await api.runDays()
    const { number } = await tamper(`delete from audit_sheets ${of_reads()} and number = 3 returning number`)
    expect(number).toBe('3')
    await tamper(`update audit_chains as chain set sheets = 2, last_hash = sheet.hash from audit_sheets as sheet
                   where chain.day = sheet.day and chain.organization_id = sheet.organization_id
                     and chain.strand = sheet.strand and sheet.day = '${day}' and sheet.strand > 0 and sheet.number = 2
                     and sheet.organization_id <> ''`)
    expect(await faults({ from: day, to: day })).toEqual([expect.stringContaining('after the day was sealed')])
  })

  it('that was put in, with or without where the chain ends', async () => {
    const columns = `organization_id, day, strand, occurred_at, operations, resource_ids, statuses, actor_kinds,
      actor_ids, user_ids, addresses, trace_ids, fields, checks, hash`
    await tamper(`insert into audit_sheets (id, number, ${columns})
                  select 'aud_01kdq7b4w8e9rs2mh3n5t6v000', 4, ${columns} from audit_sheets where id = ${a_sheet()}`)
    expect(await faults({ from: day })).toEqual([
      expect.stringMatching(/sheet 4 was put in behind the end of its chain: aud_01kdq7b4w8e9rs2mh3n5t6v000/),
    ])
    await tamper(`update audit_chains set sheets = 4 ${of_reads()}`)
    expect(await faults({ from: day })).toEqual([
      expect.stringMatching(/sheet 4 \(aud_01kdq7b4w8e9rs2mh3n5t6v000\) is not what was written/),
      expect.stringContaining('ends otherwise'),
    ])
  })

  it('of a whole day that is gone', async () => {
    api.moveTo(days[0]!)
    await api.runDays()
    await tamper(`delete from audit_sheets where day = '${day}'`)
    await tamper(`delete from audit_chains where day = '${day}'`)
    expect(await faults({ from: day, to: day })).toEqual([expect.stringContaining('after the day was sealed')])
  })
})

it('a trail that was written anew by who has the database, and not the key, is found by it', async () => {
  await tamper(`with anew as (
                  update audit_sheets set operations[1] = 'groups_list', hash = sha256(hash)
                  ${of_reads()} and number = 3
                  returning day, organization_id, strand, hash)
                update audit_chains as chain set last_hash = anew.hash from anew
                 where chain.day = anew.day and chain.organization_id = anew.organization_id
                   and chain.strand = anew.strand`)
  expect((await faults({ from: day })).length).toBeGreaterThan(0)
})

it('a seal that was noted elsewhere tells of one that was made anew', async () => {
  api.moveTo(days[0]!)
  await api.runDays()
  const { last_seal } = await verify()
  expect(last_seal!.day).toBe(day)
  const known = new Map([[day, last_seal!.seal.toString('hex')]])
  const former = await faults({ known })
  await tamper(`delete from audit_seals where day = '${day}'`)
  expect(await faults({ known })).toEqual([...former, `${day}: the seal is gone that was noted elsewhere`])
})

it('the command says what it found, and how it ends', async () => {
  const { encryption_keys, hash_key, token_key, operator_key } = inject('secret_keys')
  const env = {
    DATABASE_URL: await urlOf(api),
    ENCRYPTION_KEYS: encryption_keys,
    HASH_KEY: hash_key,
    TOKEN_KEY: token_key,
    OPERATOR_KEY: operator_key,
  }
  const run = async (): Promise<[boolean, string[]]> => {
    const found = await verifyAudit(env, { from: day, to: day, seal: [] })
    return [found.faults.length === 0, toldOf(found)]
  }
  const [is_whole, said] = await run()
  expect([is_whole, said.at(-1)]).toEqual([
    true,
    expect.stringMatching(/^\d+ entries of 1 days are as they were written\.$/),
  ])
  const command = blockOf('docs/operations.md', 'npx openbenefits audit verify').replace('2026-11-01', day)
  expect(await saidBy(command, env)).toContain('are as they were written')
  await tamper(`delete from audit_sheets where id = ${a_sheet()}`)
  const [is_still_whole, told] = await run()
  expect([is_still_whole, told.at(-1)]).toEqual([false, expect.stringMatching(/, and 1 faults\.$/)])
  expect(told[0]).toMatch(/^! .*sheet 2 was removed/)
})

it('days whose time is over are dropped by the month, and nothing is wrong then', async () => {
  const partitions = async () => {
    const { rows } = await api.database.pool.query(
      `select inhrelid::regclass::text as name from pg_inherits
        where inhparent in ('audit_sheets'::regclass, 'audit_chains'::regclass) order by 1`,
    )
    return rows.map(({ name }) => name)
  }
  const at = (instant: string) => () => Date.parse(instant)
  const keep = (clock: () => number, years: number) => keepPartitions({ ...api.runtime, clock }, years)
  await keep(at('2019-01-15T12:00:00Z'), 6)
  expect(await partitions()).toContain('audit_sheets_2019_03')
  await keep(at('2025-02-27T12:00:00Z'), 6)
  expect((await partitions()).filter((name) => name.includes('2019'))).toEqual([
    'audit_chains_2019_02',
    'audit_chains_2019_03',
    'audit_sheets_2019_02',
    'audit_sheets_2019_03',
  ])
  // Whatever is asked for: a year is kept, by the clock of the database.
  const now = Date.now()
  await keep(() => now, 6)
  await keep(() => now + 100 * 365 * 86_400_000, 1)
  expect(await partitions()).toContain(`audit_sheets_${new Date(now).toISOString().slice(0, 7).replace('-', '_')}`)
})

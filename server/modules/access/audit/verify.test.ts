import { beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { linesOf, verifyAudit } from '../../../cli/audit.ts'
import type { Db } from '../../../database/query/database.ts'
import { keepPartitions } from '../../../database/schema/partitions.ts'
import { createEmployee, createEmployer } from '../../../test/fixtures.ts'
import { commandOutput } from '../../../test/clients/command-output.ts'
import { urlOf, useApi } from '../../../test/harness.ts'
import { blockOf } from '../../../test/guides/code-blocks.ts'
import { verifyAuditLog } from './actions.ts'

const api = useApi()

/** Changes rows with the rights of the database superuser, without triggers. */
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
  verifyAuditLog(api.database.reads, api.runtime.secrets, { now: api.runtime.clock(), retention_years: 6, ...more })
const faults = async (more: object = {}) => (await verify(more)).faults

let employee_id: string
beforeAll(async () => {
  employee_id = (await createEmployee(api, await createEmployer(api))).id
})

/** Writes some reads and writes on a new day, and returns the resulting log. Earlier days are sealed. */
let day = ''
const days = Array.from({ length: 20 }, (_, at) => `2026-03-${String(11 + at)}`)
beforeEach(async () => {
  day = days.shift()!
  api.moveTo(day)
  for (let count = 0; count < 3; count++) {
    // The requests are concurrent, so that they are stored in one batch even on a busy machine.
    await Promise.all([1, 2, 3].map(() => api.get(`/v1/employees/${employee_id}`)))
    await api.runtime.audit_log.close()
    await api.patch(`/v1/employees/${employee_id}`, { effective_date: '2026-03-10', phone: `202555010${count}` })
  }
  await api.runDays()
})

const of_reads = () => `where day = '${day}' and shard > 0 and organization_id <> ''`
const a_batch = () => `(select id from audit_batches ${of_reads()} and number = 2)`

it('an unchanged log has no faults', async () => {
  expect(await faults()).toEqual([])
  expect((await verify({ from: day })).entries).toBeGreaterThanOrEqual(12)
})

it('entries written during the verification cause no faults', async () => {
  let chains_read = 0
  const reads = api.database.reads
  const busy: Db = {
    ...reads,
    async rows<Row extends object>(text: string, values?: unknown[]) {
      const rows = await reads.rows<Row>(text, values)
      if (text.includes('from audit_chains where day') && !text.includes('union')) {
        chains_read++
        await api.get(`/v1/employees/${employee_id}`)
        await api.runtime.audit_log.close()
        await api.patch(`/v1/employees/${employee_id}`, { effective_date: '2026-03-10', phone: '2025550199' })
      }
      return rows
    },
  }
  const before = await verify({ from: day })
  const now = api.runtime.clock()
  const found = await verifyAuditLog(busy, api.runtime.secrets, { now, retention_years: 6, from: day })
  expect([found.faults, found.entries, chains_read]).toEqual([[], before.entries, 1])
  expect((await verify({ from: day })).entries).toBeGreaterThan(before.entries)
})

describe('the verification detects', () => {
  it.each([
    ['resource_ids', `resource_ids[2] = 'empl_other'`],
    ['operations', `operations[2] = 'employees_gex'`],
    ['statuses', 'statuses[2] = 403'],
    ['occurred_at', `occurred_at[2] = occurred_at[2] + interval '1 microsecond'`],
    ['addresses', `addresses[2] = '127.0.0.2'`],
    ['actor_ids', 'actor_ids[2] = null'],
  ])('an entry whose %s was changed by one byte', async (_, change) => {
    const { id } = await tamper(`update audit_batches set ${change} ${of_reads()} and number = 2 returning id`)
    expect(await faults({ from: day })).toEqual([expect.stringContaining(`changed: ${id.slice(0, -1)}1`)])
  })

  it('an entry that was removed with its batch', async () => {
    await tamper(`delete from audit_batches where id = ${a_batch()}`)
    expect(await faults({ from: day })).toEqual([
      expect.stringMatching(/batch 2 was removed, after aud_\w+ of .* and before/),
    ])
  })

  it('an entry that was removed together with the end of its chain, by the seal of the day', async () => {
    api.moveTo(days[0]!)
    await api.runDays()
    const { number } = await tamper(`delete from audit_batches ${of_reads()} and number = 3 returning number`)
    expect(number).toBe('3')
    await tamper(`update audit_chains as chain set batch_count = 2, last_hash = batch.hash from audit_batches as batch
                   where chain.day = batch.day and chain.organization_id = batch.organization_id
                     and chain.shard = batch.shard and batch.day = '${day}' and batch.shard > 0 and batch.number = 2
                     and batch.organization_id <> ''`)
    expect(await faults({ from: day, to: day })).toEqual([expect.stringContaining('after the day was sealed')])
  })

  it('an entry that was inserted, with or without a matching end of the chain', async () => {
    const columns = `organization_id, day, shard, occurred_at, operations, resource_ids, statuses, actor_kinds,
      actor_ids, user_ids, addresses, trace_ids, fields, checks, hash`
    await tamper(`insert into audit_batches (id, number, ${columns})
                  select 'aud_01kdq7b4w8e9rs2mh3n5t6v000', 4, ${columns} from audit_batches where id = ${a_batch()}`)
    expect(await faults({ from: day })).toEqual([
      expect.stringMatching(/batch 4 was inserted after the end of its chain: aud_01kdq7b4w8e9rs2mh3n5t6v000/),
    ])
    await tamper(`update audit_chains set batch_count = 4 ${of_reads()}`)
    expect(await faults({ from: day })).toEqual([
      expect.stringMatching(/batch 4 \(aud_01kdq7b4w8e9rs2mh3n5t6v000\) is not what was written/),
      expect.stringContaining('the last hash of the chain differs'),
    ])
  })

  it('the loss of a whole day', async () => {
    api.moveTo(days[0]!)
    await api.runDays()
    await tamper(`delete from audit_batches where day = '${day}'`)
    await tamper(`delete from audit_chains where day = '${day}'`)
    expect(await faults({ from: day, to: day })).toEqual([expect.stringContaining('after the day was sealed')])
  })
})

it('the verification detects a log that was rewritten without the key', async () => {
  await tamper(`with renewed as (
                  update audit_batches set operations[1] = 'groups_list', hash = sha256(hash)
                  ${of_reads()} and number = 3
                  returning day, organization_id, shard, hash)
                update audit_chains as chain set last_hash = renewed.hash from renewed
                 where chain.day = renewed.day and chain.organization_id = renewed.organization_id
                   and chain.shard = renewed.shard`)
  expect((await faults({ from: day })).length).toBeGreaterThan(0)
})

it('a copy of a seal detects that the day was sealed again', async () => {
  api.moveTo(days[0]!)
  await api.runDays()
  const { last_seal } = await verify()
  expect(last_seal!.day).toBe(day)
  const known = new Map([[day, last_seal!.seal.toString('hex')]])
  const former = await faults({ known })
  await tamper(`delete from audit_seals where day = '${day}'`)
  expect(await faults({ known })).toEqual([...former, `${day}: the seal is missing, but a copy was kept elsewhere`])
})

it('the command prints the faults and sets its exit code', async () => {
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
    return [found.faults.length === 0, linesOf(found)]
  }
  const [is_complete, input] = await run()
  expect([is_complete, input.at(-1)]).toEqual([true, expect.stringMatching(/^Entries: \d+\. Days: 1\. Faults: 0\.$/)])
  const command = blockOf('docs/operating/access.md', 'npx openbenefits audit verify').replace('2026-11-01', day)
  expect(await commandOutput(command, env)).toContain('Faults: 0.')
  await tamper(`delete from audit_batches where id = ${a_batch()}`)
  const [is_still_whole, reported] = await run()
  expect([is_still_whole, reported.at(-1)]).toEqual([false, expect.stringMatching(/Faults: 1\.$/)])
  expect(reported[0]).toMatch(/^! .*batch 2 was removed/)
})

it('days past retention are dropped by the month without causing faults', async () => {
  const partitions = async () => {
    const { rows } = await api.database.pool.query(
      `select inhrelid::regclass::text as name from pg_inherits
        where inhparent in ('audit_batches'::regclass, 'audit_chains'::regclass) order by 1`,
    )
    return rows.map(({ name }) => name)
  }
  const at = (instant: string) => () => Date.parse(instant)
  const keep = (clock: () => number, years: number) => keepPartitions({ ...api.runtime, clock }, years)
  await keep(at('2019-01-15T12:00:00Z'), 6)
  expect(await partitions()).toContain('audit_batches_2019_03')
  await keep(at('2025-02-27T12:00:00Z'), 6)
  expect((await partitions()).filter((name) => name.includes('2019'))).toEqual([
    'audit_batches_2019_02',
    'audit_batches_2019_03',
    'audit_chains_2019_02',
    'audit_chains_2019_03',
  ])
  // The database always keeps the last year by its own clock, regardless of the setting.
  const now = Date.now()
  await keep(() => now, 6)
  await keep(() => now + 100 * 365 * 86_400_000, 1)
  expect(await partitions()).toContain(`audit_batches_${new Date(now).toISOString().slice(0, 7).replace('-', '_')}`)
})

import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../kernel/ids.ts'
import { createEmployer } from '../../test/fixtures.ts'
import { useApi } from '../../test/harness.ts'
import { keepPartitions } from './partitions.ts'

const api = useApi()

const keep = () => keepPartitions(api.runtime, 6)
const partitionsOf = async (table: string) => {
  const { rows } = await api.database.pool.query<{ name: string }>(
    'select inhrelid::regclass::text as name from pg_inherits where inhparent = $1::regclass order by 1',
    [table],
  )
  return rows.map(({ name }) => name)
}
/** The partitions that contain rows. */
const placementsOf = async (table: string) => {
  const { rows } = await api.database.pool.query<{ name: string }>(
    `select distinct tableoid::regclass::text as name from ${table} order by 1`,
  )
  return rows.map(({ name }) => name)
}

/** The current month and the next two, as partitions are named. */
const months = [0, 1, 2].map((more) =>
  Temporal.Now.plainDateISO('UTC').with({ day: 1 }).add({ months: more }).toString().slice(0, 7).replace('-', '_'),
)

/** Today and the next seven days, as partitions are named. */
const days = [0, 1, 2, 3, 4, 5, 6, 7].map((more) =>
  Temporal.Now.plainDateISO('UTC').add({ days: more }).toString().replaceAll('-', '_'),
)

beforeAll(keep)

describe('partitions', () => {
  it('exist for the current and the next months, and for all other rows', async () => {
    const of_deliveries = months.map((month) => `webhook_deliveries_${month}`)
    expect(await partitionsOf('webhook_deliveries')).toEqual([...of_deliveries, 'webhook_deliveries_other'])
    expect(await partitionsOf('audit_batches')).toEqual(
      expect.arrayContaining(['audit_batches_2026_03', 'audit_batches_other']),
    )
    // A run that began on the previous day also has the partition of that day.
    const of_keys = days.map((day) => `idempotency_keys_${day}`)
    expect(await partitionsOf('idempotency_keys')).toEqual(
      expect.arrayContaining([...of_keys, 'idempotency_keys_other']),
    )
  })

  it('are created once, even by concurrent calls', async () => {
    const before = await partitionsOf('idempotency_keys')
    await Promise.all([keep(), keep(), keep()])
    expect(await partitionsOf('idempotency_keys')).toEqual(before)
  })

  it('can be used but not changed by the service', async () => {
    const served = api.runtime.database.pool
    await expect(served.query(`drop table webhook_deliveries_${months[0]}`)).rejects.toMatchObject({ code: '42501' })
    await expect(served.query('create table mine (id int)')).rejects.toMatchObject({ code: '42501' })
  })

  it('store a delivery by the time in its id, which also finds it', async () => {
    const { body } = await api.post('/v1/webhook-subscriptions', { url: 'https://example.com/hooks' })
    const delivery = await api.post(`/v1/webhook-subscriptions/${body.data.id}/test`)
    expect(delivery.status, delivery.text).toBeLessThan(300)
    expect(await placementsOf('webhook_deliveries')).toEqual([`webhook_deliveries_${months[0]}`])
    const { rows } = await api.database.pool.query(
      `explain (costs off) select from webhook_deliveries where id = '${newId('wdlv')}'`,
    )
    expect(JSON.stringify(rows)).toContain(`webhook_deliveries_${months[0]}`)
    expect(JSON.stringify(rows)).not.toContain(`webhook_deliveries_${months[1]}`)
  })

  it('are dropped when they are empty', async () => {
    const owner = api.database.pool
    const low = `aaa`
    await owner.query(`create table webhook_deliveries_2020_01 partition of webhook_deliveries
                         for values from ('${low}') to ('${low}z')`)
    await owner.query(`create table idempotency_keys_2020_01_01 partition of idempotency_keys
                         for values from ('2020-01-01Z') to ('2020-01-02Z')`)
    await owner.query('alter table webhook_deliveries_2020_01 owner to openbenefits_owner')
    await owner.query('alter table idempotency_keys_2020_01_01 owner to openbenefits_owner')
    await owner.query(`insert into idempotency_keys (credential_id, method, path, key, fingerprint, status, created_at)
                       values ('key', 'POST', '/', 'k', '', 200, '2020-01-01T12:00:00Z')`)
    await keep()
    expect(await partitionsOf('webhook_deliveries')).not.toContain('webhook_deliveries_2020_01')
    expect(await partitionsOf('idempotency_keys')).toContain('idempotency_keys_2020_01_01')
    await api.runDays()
    await keep()
    expect(await partitionsOf('idempotency_keys')).not.toContain('idempotency_keys_2020_01_01')
  })
})

it('events and lines of an organization are in one partition each', async () => {
  await createEmployer(api)
  await createEmployer(api, {}, { key: api.story.rival_api_key })
  for (const table of ['webhook_events', 'deduction_lines', 'invoice_lines']) {
    expect(await partitionsOf(table)).toHaveLength(8)
    const { rows } = await api.database.pool.query(
      `explain (costs off) select from ${table} where organization_id = '${api.story.organization_id}'`,
    )
    expect(new Set(JSON.stringify(rows).match(new RegExp(`${table}_\\d`, 'g'))).size).toBe(1)
  }
  const { rows } = await api.database.pool.query(
    `select count(distinct tableoid) as partitions from webhook_events group by organization_id`,
  )
  expect(rows.every(({ partitions }) => Number(partitions) === 1)).toBe(true)
})

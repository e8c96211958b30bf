import { describe, expect, it } from 'vitest'
import type { CensusProgress, CensusRow } from 'openbenefits'
import { refusal, scriptedClient, type Scripted } from './scripted-client.ts'

const rows = (count: number): CensusRow[] =>
  Array.from({ length: count }, (_, at) => ({
    first_name: 'Kim',
    last_name: `No${at}`,
    email: `kim${at}@example.com`,
    phone: '2125550100',
    date_of_birth: '1990-01-01',
    reference_id: `R-${at}`,
  }))

const accepted = (id: string): Scripted => ({
  status: 202,
  body: { data: { accepted_at: '2026-03-10T16:00:00.000Z', employer_id: 'empr_1', census_sync_id: id } },
})
const counts = { created: 1, updated: 2, unchanged: 3, rehired: 0, terminated: 0, failed: 1 }
const outcome = (id: string, state: string, values: object = {}): Scripted => ({
  body: {
    data: {
      census_sync_id: id,
      employer_id: 'empr_1',
      origin: 'api',
      mode: 'merge',
      dry_run: false,
      state,
      row_count: 10,
      processed_count: state === 'queued' ? 0 : 5,
      counts,
      missing_count: null,
      failures: [{ index: 4, reference_id: 'R-4', field: 'email', reason: 'no' }],
      warnings: [],
      accepted_at: '2026-03-10T16:00:00.000Z',
      completed_at: null,
      ...values,
    },
  },
})
const settings = (census_mode: string): Scripted => ({ body: { data: { census_mode } } })

describe('a census', () => {
  it('is submitted without waiting for its completion unless `wait` is set', async () => {
    const { ob, sent } = scriptedClient([accepted('csyn_1')])
    const submitted = await ob.census.sync('empr_1', rows(2), { mode: 'replace', idempotencyKey: 'k' })
    expect(submitted).toEqual({
      employer_id: 'empr_1',
      census_sync_ids: ['csyn_1'],
      accepted_at: '2026-03-10T16:00:00.000Z',
    })
    expect(sent).toMatchObject([
      { path: '/v1/employers/empr_1/census-sync?mode=replace', body: { employees: rows(2) } },
    ])
    expect(sent[0]!.headers.get('idempotency-key')).toBe('k')
  })

  it('is polled with growing pauses until it is done, and reports progress', async () => {
    const { ob, sent, pauses } = scriptedClient([
      accepted('csyn_1'),
      outcome('csyn_1', 'queued'),
      outcome('csyn_1', 'processing'),
      outcome('csyn_1', 'processing'),
      outcome('csyn_1', 'completed', { processed_count: 10 }),
    ])
    const reported: CensusProgress[] = []
    const result = await ob.census.sync('empr_1', rows(10), {
      wait: true,
      onProgress: (progress) => reported.push(progress),
    })
    expect(result).toMatchObject({ state: 'completed', census_sync_ids: ['csyn_1'], counts, row_count: 10 })
    expect(reported.map(({ state, processed_count }) => `${state} ${processed_count}`)).toEqual([
      'queued 0',
      'processing 5',
      'completed 10',
    ])
    expect(pauses).toHaveLength(4)
    expect(pauses).toEqual(pauses.toSorted((a, b) => a - b))
    expect(sent.at(-1)!.path).toBe('/v1/employers/empr_1/census-sync/csyn_1')
  })

  it('returns immediately when it is held', async () => {
    const { ob } = scriptedClient([accepted('csyn_1'), outcome('csyn_1', 'held', { missing_count: 7 })])
    const result = await ob.census.sync('empr_1', rows(10), { wait: true })
    expect(result).toMatchObject({ state: 'held', missing_count: 7 })
  })

  it('returns a dry run without waiting', async () => {
    const { ob, sent } = scriptedClient([outcome('', 'completed', { census_sync_id: null, dry_run: true })])
    const result = await ob.census.sync('empr_1', rows(10), { dry_run: true })
    expect(result).toMatchObject({ dry_run: true, census_sync_ids: [], failures: [{ index: 4 }] })
    expect(sent.map(({ path }) => path)).toEqual(['/v1/employers/empr_1/census-sync?dry_run=true'])
  })
})

describe('more rows than fit in a submission', () => {
  it('are split into several submissions with one combined outcome', async () => {
    const { ob, sent } = scriptedClient([
      settings('merge'),
      accepted('csyn_1'),
      accepted('csyn_2'),
      outcome('csyn_1', 'completed', { processed_count: 10_000 }),
      outcome('csyn_2', 'held', { processed_count: 1 }),
    ])
    const result = await ob.census.sync('empr_1', rows(10_001), { wait: true, idempotencyKey: 'k' })
    expect(sent.slice(1, 3).map(({ body }) => (body as { employees: unknown[] }).employees.length)).toEqual([10_000, 1])
    expect(sent.slice(1, 3).map(({ headers }) => headers.get('idempotency-key'))).toEqual(['k-0', 'k-1'])
    expect(sent[1]!.path).toContain('?mode=merge')
    expect(result).toMatchObject({
      state: 'held',
      census_sync_ids: ['csyn_1', 'csyn_2'],
      row_count: 10_001,
      processed_count: 10_001,
      counts: { created: 2, updated: 4, unchanged: 6, failed: 2 },
      failures: [{ index: 4 }, { index: 10_004 }],
    })
  })

  it('are refused in replace mode before anything is sent', async () => {
    const reported = scriptedClient([accepted('csyn_1')])
    await expect(reported.ob.census.sync('empr_1', rows(10_001), { mode: 'replace' })).rejects.toThrow(RangeError)
    expect(reported.sent).toEqual([])
    const by_setting = scriptedClient([settings('replace')])
    await expect(by_setting.ob.census.sync('empr_1', rows(10_001))).rejects.toThrow(
      'A census in replace mode can have at most 10000 rows.',
    )
    expect(by_setting.sent.map(({ path }) => path)).toEqual(['/v1/employers/empr_1/settings'])
  })

  it('continue where an earlier call ended', async () => {
    const first = scriptedClient([accepted('csyn_1'), { status: 500, body: refusal('internal_error') }], {
      maxRetries: 0,
    })
    let known: string[] = []
    const onProgress = ({ census_sync_ids }: CensusProgress) => void (known = census_sync_ids)
    const options = { mode: 'merge', wait: true, onProgress } as const
    await expect(first.ob.census.sync('empr_1', rows(10_001), options)).rejects.toThrow('internal_error')
    expect(known).toEqual(['csyn_1'])

    const second = scriptedClient([
      outcome('csyn_1', 'processing'),
      accepted('csyn_2'),
      outcome('csyn_1', 'completed'),
      outcome('csyn_2', 'completed'),
    ])
    const result = await second.ob.census.sync('empr_1', rows(10_001), { ...options, resume: known })
    expect(result).toMatchObject({ state: 'completed', census_sync_ids: ['csyn_1', 'csyn_2'] })
    expect(second.sent.map(({ method }) => method)).toEqual(['GET', 'POST', 'GET', 'GET'])
  })
})

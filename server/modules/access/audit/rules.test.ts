import { describe, expect, it } from 'vitest'
import { linkOf, sealOf, checksOf, type AuditBatch } from '../../../http/audit/audit.ts'
import { DayReader, digestOf, entryId, faultsInSeals, sealOfDay, type Chain, type StoredBatch } from './rules.ts'

const key = Buffer.alloc(32, 7)
const day = '2026-03-10'
const organization_id = 'org_01kdq7b4w8e9rs2mh3n5t6v7xz'
const idOf = (number: number) => `aud_01kdq7b4w8e9rs2mh3n5t6v${number}000`

function aBatch(number: number, count = 3): AuditBatch {
  const each = <T>(value: (at: number) => T) => Array.from({ length: count }, (_, at) => value(at))
  const batch = {
    id: idOf(number),
    organization_id,
    shard: 1,
    occurred_at: each((at) => `2026-03-10T16:00:0${number}.00${at}Z`),
    operations: each(() => 'employees_get'),
    resource_ids: each((at) => `empl_${number}${at}`),
    statuses: each(() => 200),
    actor_kinds: each(() => 'api_key'),
    actor_ids: each(() => 'key_1'),
    user_ids: each(() => 'usr_1'),
    addresses: each(() => '127.0.0.1'),
    trace_ids: each((at) => `trace ${number}${at}`),
    fields: each(() => null),
  }
  return { ...batch, checks: checksOf(batch) }
}

/** A valid chain of batches. */
function aChain(count: number): { chain: Chain; batches: StoredBatch[] } {
  const batches: StoredBatch[] = []
  for (let number = 1; number <= count; number++) {
    const batch = aBatch(number)
    const seal = sealOf(key, day, batch)
    const hash = number === 1 ? seal : linkOf(key, batches.at(-1)!.hash, number, seal)
    batches.push({ ...batch, number, hash, is_after_end: false })
  }
  return { chain: { organization_id, shard: 1, batch_count: count, last_hash: batches.at(-1)!.hash }, batches }
}

function faultsOf(chains: Chain[], batches: StoredBatch[]): string[] {
  const reader = new DayReader(key, day, chains)
  return [...batches.flatMap((batch) => reader.read(batch)), ...reader.end()]
}

it('reports no faults in an unchanged log', () => {
  const { chain, batches } = aChain(5)
  expect(faultsOf([chain], batches)).toEqual([])
})

it('ignores batches written after the chains were read, which the next run verifies', () => {
  const { chain, batches } = aChain(3)
  const before = { ...chain, batch_count: 2, last_hash: batches[1]!.hash }
  expect(faultsOf([before], batches)).toEqual([])
  expect(faultsOf([], batches)).toEqual([])
})

it('derives the id of an entry from its position', () => {
  expect([0, 31, 32, 1024, 32_766].map((at) => entryId({ id: idOf(1) }, at).slice(-3))).toEqual([
    '000',
    '00z',
    '010',
    '100',
    'zzy',
  ])
})

describe('detects and identifies', () => {
  const columns = Object.keys(aBatch(1)).filter((name) => Array.isArray(aBatch(1)[name as keyof AuditBatch]))

  it.each(columns)('a change of the %s of one entry, in the first, a middle and the last batch', (column) => {
    for (const number of [1, 3, 5]) {
      const { chain, batches } = aChain(5)
      const values = batches[number - 1]![column as 'statuses']
      values[1] = (typeof values[1] === 'number' ? values[1] + 1 : `${values[1]}x`) as number
      const faults = faultsOf([chain], batches)
      expect(faults).toHaveLength(1)
      expect(faults[0]).toContain(`changed: ${entryId({ id: idOf(number) }, 1)}`)
    }
  })

  it('a change of only a hash', () => {
    for (const number of [1, 3, 5]) {
      const { chain, batches } = aChain(5)
      batches[number - 1]!.hash = Buffer.alloc(32, 9)
      const faults = faultsOf([chain], batches)
      expect(faults.length).toBe(1)
      expect(faults[0]).toContain(`batch ${number} (${idOf(number)})`)
    }
  })

  it.each([
    [1, 'at the beginning and before aud_'],
    [3, 'after aud_01kdq7b4w8e9rs2mh3n5t6v2002'],
    [5, 'and at the end'],
  ])('the removal of batch %i', (number, where) => {
    const { chain, batches } = aChain(5)
    const faults = faultsOf([chain], batches.toSpliced(number - 1, 1))
    expect(faults).toEqual([expect.stringContaining(`batch ${number} was removed`)])
    expect(faults[0]).toContain(where)
  })

  it('an entry that was removed from a batch or inserted into it', () => {
    for (const [count, part] of [
      [-1, '1 of its entries was removed at or after aud_01kdq7b4w8e9rs2mh3n5t6v3001'],
      [1, '1 of its entries was inserted at or before aud_01kdq7b4w8e9rs2mh3n5t6v3001'],
    ] as const) {
      const { chain, batches } = aChain(5)
      const batch = batches[2]!
      for (const column of columns) {
        if (column === 'checks') continue
        const values = batch[column as 'operations']
        if (count < 0) values.splice(1, 1)
        else values.splice(1, 0, values[0]!)
      }
      expect(faultsOf([chain], batches)).toEqual([expect.stringContaining(part)])
    }
  })

  it('a batch that was inserted after the end of a chain, into a missing chain, or as a replacement', () => {
    const { chain, batches } = aChain(3)
    const more = { ...aBatch(4), number: 4, hash: Buffer.alloc(32), is_after_end: true }
    expect(faultsOf([chain], [...batches, more])).toEqual([expect.stringContaining('was inserted')])
    expect(faultsOf([{ ...chain, batch_count: 4 }], [...batches, more])[0]).toContain('or inserted')
    expect(
      faultsOf(
        [],
        batches.map((batch) => ({ ...batch, is_after_end: true })),
      ),
    ).toHaveLength(3)
    const {
      chain: other,
      batches: [, two],
    } = aChain(2)
    const first = { ...aBatch(1), number: 1, hash: Buffer.alloc(32), is_after_end: false }
    expect(faultsOf([other], [first, two!])).toHaveLength(1)
  })

  it('two batches that were swapped', () => {
    const { chain, batches } = aChain(4)
    const [one, two, three, four] = batches
    const swapped = [one!, { ...three!, number: 2 }, { ...two!, number: 3 }, four!]
    expect(faultsOf([chain], swapped).length).toBeGreaterThan(0)
  })

  it('a chain without its batches', () => {
    const { chain } = aChain(3)
    expect(faultsOf([chain], [])).toEqual([expect.stringContaining('all 3 batches of the chain were removed')])
  })
})

describe('seals', () => {
  const { chain } = aChain(3)
  const keyOf = () => key
  const first = { day, ...digestOf([chain]) }
  const seal = sealOfDay(key, first)
  const second = { ...first, day: '2026-03-11' }
  const seals = [
    { ...first, seal },
    { ...second, seal: sealOfDay(key, second, seal) },
  ]

  it('are valid if nothing changed', () => {
    expect(faultsInSeals(keyOf, seals, new Map([[day, [chain]]]))).toEqual([])
  })

  it.each([
    ['a different end of a chain', seals, { ...chain, last_hash: Buffer.alloc(32) }, 1],
    ['a truncated chain', seals, { ...chain, batch_count: 2 }, 1],
    ['a removed seal', seals.slice(1), chain, 1],
    ['a changed seal', [{ ...seals[0]!, seal: Buffer.alloc(32) }, seals[1]!], chain, 2],
    ['a different number of batches', [{ ...seals[0]!, batch_count: 2 }, seals[1]!], chain, 1],
  ])('detect %s', (_, given, found, count) => {
    expect(faultsInSeals(keyOf, given, new Map([[day, [found]]]))).toHaveLength(count)
  })
})

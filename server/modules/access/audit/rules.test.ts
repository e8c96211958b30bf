import { describe, expect, it } from 'vitest'
import { linkOf, sealOf, checksOf, type Sheet } from '../../../http/audit/audit.ts'
import { DayReader, digestOf, entryId, faultsInSeals, sealOfDay, type Chain, type StoredSheet } from './rules.ts'

const key = Buffer.alloc(32, 7)
const day = '2026-03-10'
const organization_id = 'org_01kdq7b4w8e9rs2mh3n5t6v7xz'
const idOf = (number: number) => `aud_01kdq7b4w8e9rs2mh3n5t6v${number}000`

function aSheet(number: number, count = 3): Sheet {
  const each = <T>(value: (at: number) => T) => Array.from({ length: count }, (_, at) => value(at))
  const sheet = {
    id: idOf(number),
    organization_id,
    strand: 1,
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
  return { ...sheet, checks: checksOf(sheet) }
}

/** A chain of sheets as it was written. */
function aChain(count: number): { chain: Chain; sheets: StoredSheet[] } {
  const sheets: StoredSheet[] = []
  for (let number = 1; number <= count; number++) {
    const sheet = aSheet(number)
    const seal = sealOf(key, day, sheet)
    const hash = number === 1 ? seal : linkOf(key, sheets.at(-1)!.hash, number, seal)
    sheets.push({ ...sheet, number, hash, is_behind_end: false })
  }
  return { chain: { organization_id, strand: 1, sheets: count, last_hash: sheets.at(-1)!.hash }, sheets }
}

function faultsOf(chains: Chain[], sheets: StoredSheet[]): string[] {
  const reader = new DayReader(key, day, chains)
  return [...sheets.flatMap((sheet) => reader.read(sheet)), ...reader.end()]
}

it('finds nothing in what is as it was written', () => {
  const { chain, sheets } = aChain(5)
  expect(faultsOf([chain], sheets)).toEqual([])
})

it('passes over what was written since the chains were read, which the next time will judge', () => {
  const { chain, sheets } = aChain(3)
  const before = { ...chain, sheets: 2, last_hash: sheets[1]!.hash }
  expect(faultsOf([before], sheets)).toEqual([])
  expect(faultsOf([], sheets)).toEqual([])
})

it('tells the id of an entry by its place', () => {
  expect([0, 31, 32, 1024, 32_766].map((at) => entryId({ id: idOf(1) }, at).slice(-3))).toEqual([
    '000',
    '00z',
    '010',
    '100',
    'zzy',
  ])
})

describe('finds, and names', () => {
  const columns = Object.keys(aSheet(1)).filter((name) => Array.isArray(aSheet(1)[name as keyof Sheet]))

  it.each(columns)('one changed entry by its %s, in the first, a middle and the last sheet', (column) => {
    for (const number of [1, 3, 5]) {
      const { chain, sheets } = aChain(5)
      const values = sheets[number - 1]![column as 'statuses']
      values[1] = (typeof values[1] === 'number' ? values[1] + 1 : `${values[1]}x`) as number
      const faults = faultsOf([chain], sheets)
      expect(faults).toHaveLength(1)
      expect(faults[0]).toContain(`changed: ${entryId({ id: idOf(number) }, 1)}`)
    }
  })

  it('a changed hash, and nothing else', () => {
    for (const number of [1, 3, 5]) {
      const { chain, sheets } = aChain(5)
      sheets[number - 1]!.hash = Buffer.alloc(32, 9)
      const faults = faultsOf([chain], sheets)
      expect(faults.length).toBe(1)
      expect(faults[0]).toContain(`sheet ${number} (${idOf(number)})`)
    }
  })

  it.each([
    [1, 'at the beginning and before aud_'],
    [3, 'behind aud_01kdq7b4w8e9rs2mh3n5t6v2002'],
    [5, 'and at the end'],
  ])('sheet %i that was removed', (number, where) => {
    const { chain, sheets } = aChain(5)
    const faults = faultsOf([chain], sheets.toSpliced(number - 1, 1))
    expect(faults).toEqual([expect.stringContaining(`sheet ${number} was removed`)])
    expect(faults[0]).toContain(where)
  })

  it('an entry that was removed from a sheet, and one that was put in', () => {
    for (const [count, what] of [
      [-1, '1 of its entries was removed, at aud_01kdq7b4w8e9rs2mh3n5t6v3001'],
      [1, '1 of its entries was put in, at aud_01kdq7b4w8e9rs2mh3n5t6v3001'],
    ] as const) {
      const { chain, sheets } = aChain(5)
      const sheet = sheets[2]!
      for (const column of columns) {
        if (column === 'checks') continue
        const values = sheet[column as 'operations']
        if (count < 0) values.splice(1, 1)
        else values.splice(1, 0, values[0]!)
      }
      expect(faultsOf([chain], sheets)).toEqual([expect.stringContaining(what)])
    }
  })

  it('a sheet that was put in behind the end, in a chain that is not there, or for another', () => {
    const { chain, sheets } = aChain(3)
    const more = { ...aSheet(4), number: 4, hash: Buffer.alloc(32), is_behind_end: true }
    expect(faultsOf([chain], [...sheets, more])).toEqual([expect.stringContaining('was put in')])
    expect(faultsOf([{ ...chain, sheets: 4 }], [...sheets, more])[0]).toContain('or put in')
    expect(
      faultsOf(
        [],
        sheets.map((sheet) => ({ ...sheet, is_behind_end: true })),
      ),
    ).toHaveLength(3)
    const {
      chain: other,
      sheets: [, two],
    } = aChain(2)
    const first = { ...aSheet(1), number: 1, hash: Buffer.alloc(32), is_behind_end: false }
    expect(faultsOf([other], [first, two!])).toHaveLength(1)
  })

  it('two sheets in the place of each other', () => {
    const { chain, sheets } = aChain(4)
    const [one, two, three, four] = sheets
    const swapped = [one!, { ...three!, number: 2 }, { ...two!, number: 3 }, four!]
    expect(faultsOf([chain], swapped).length).toBeGreaterThan(0)
  })

  it('a chain without its sheets', () => {
    const { chain } = aChain(3)
    expect(faultsOf([chain], [])).toEqual([expect.stringContaining('all 3 sheets of the chain were removed')])
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

  it('hold as long as nothing changes', () => {
    expect(faultsInSeals(keyOf, seals, new Map([[day, [chain]]]))).toEqual([])
  })

  it.each([
    ['the end of a chain', seals, { ...chain, last_hash: Buffer.alloc(32) }, 1],
    ['the end cut off', seals, { ...chain, sheets: 2 }, 1],
    ['a seal removed', seals.slice(1), chain, 1],
    ['a seal changed', [{ ...seals[0]!, seal: Buffer.alloc(32) }, seals[1]!], chain, 2],
    ['another number of sheets', [{ ...seals[0]!, sheets: 2 }, seals[1]!], chain, 1],
  ])('tell of %s', (_, given, found, count) => {
    expect(faultsInSeals(keyOf, given, new Map([[day, [found]]]))).toHaveLength(count)
  })
})

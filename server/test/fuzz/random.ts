import fc from 'fast-check'

/** Random choices that are the same for the same seed, so that a fault can be reproduced. */
export type Random = {
  /** From 0 (inclusive) to 1 (exclusive). */
  next(): number
  chance(share: number): boolean
  whole(from: number, to: number): number
  pick<Item>(items: readonly Item[]): Item
  /** Chooses by weight. An item of weight 0 is never chosen. */
  weigh<Item>(items: readonly (readonly [weight: number, item: Item])[]): Item
}

/** Mulberry32: small, fast, and good enough for choosing requests. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const whole = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  return {
    next,
    whole,
    chance: (share) => next() < share,
    pick: (items) => items[whole(0, items.length - 1)]!,
    weigh: (items) => {
      let left = next() * items.reduce((sum, [weight]) => sum + weight, 0)
      return (items.find(([weight]) => (left -= weight) < 0) ?? items.at(-1)!)[1]
    },
  }
}

/** Unusual values, in addition to those of fast-check. */
const classic_values: unknown[] = [
  '',
  ' ',
  '\u0000',
  'a\nb',
  'x\r\ny: z',
  '12-3456789\n',
  '\u2028',
  '\ud800',
  '\ufeff',
  'İstanbul ﬁ ß ı',
  'e\u0301'.repeat(40),
  '👨‍👩‍👧‍👦🏳️‍🌈',
  '\u202eevil',
  "' or 1=1 --",
  '%00',
  '%',
  '\\',
  '${7*7}',
  '<script>alert(1)</script>',
  '=cmd|x',
  'null',
  'undefined',
  'NaN',
  '__proto__',
  'constructor',
  '../../etc/passwd',
  'a'.repeat(256),
  'a'.repeat(3000),
  'é'.repeat(300),
  '2026-02-30',
  '2026-03-10T00:00:00Z',
  '0000-00-00',
  '9999-12-31',
  '1899-12-31',
  '2199-12-31',
  '-1',
  '1e400',
  '0x10',
  '99999999999999999999',
  'P.O. Box 12',
  '1 Pobox Street',
  'http://127.0.0.1/',
  'https://[::1]/',
  0,
  -0,
  -1,
  1.5,
  1e21,
  1e308,
  Number.MAX_SAFE_INTEGER,
  2 ** 31,
  2 ** 63,
  true,
  false,
  null,
  [],
  {},
  [null],
  [[]],
  { a: { b: { c: [] } } },
  { toString: 1 },
]

/** Values that pass or crash a careless check. Generated once per seed. */
export function hostileValues(seed: number): unknown[] {
  const options = { seed, numRuns: 150 }
  return [
    ...classic_values,
    ...classic_values,
    ...fc.sample(fc.string({ unit: 'binary', maxLength: 60 }), options),
    ...fc.sample(fc.string({ unit: 'grapheme', maxLength: 60 }), options),
    ...fc.sample(fc.jsonValue({ maxDepth: 3 }), options),
    ...fc
      .sample(fc.double({ noNaN: true }), { seed, numRuns: 40 })
      .map((value) => (Number.isFinite(value) ? value : 0)),
  ]
}

/** A value as text, even if it is an unusual object. */
export const asText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

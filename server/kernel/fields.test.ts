import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DayText, Email, Instant, Phone, State, text, Zipcode } from './fields.ts'
import { isId, newId, prefixes } from './ids.ts'

const parse = (schema: { safeParse(value: unknown): { success: boolean; data?: unknown } }, value: unknown) => {
  const parsed = schema.safeParse(value)
  return parsed.success ? parsed.data : undefined
}

describe('the direction of text', () => {
  const reversing = [0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069]

  it.each(reversing.map((code) => [`U+${code.toString(16).toUpperCase()}`, String.fromCodePoint(code)]))(
    'cannot be changed by %s in a name or file name',
    (_, character) => {
      for (const name of [`Ada${character}gnp.exe`, `${character}Ada`, `Ada${character}`])
        expect(text().safeParse(name).error?.issues[0]?.message).toBe(
          'must not contain characters that change the direction of the text around them',
        )
    },
  )

  it.each([
    ['a Persian name with a zero-width non-joiner', 'علی\u200cرضا'],
    ['a Sinhala name with a zero-width joiner', 'ශ\u200dරී'],
    ['an emoji with a zero-width joiner', '👩\u200d💻'],
    ['a Hebrew name with a right-to-left mark', 'דנה\u200f (HR)'],
    ['an Arabic name', 'ليلى'],
  ])('is kept unchanged for %s', (_, name) => expect(text().safeParse(name).data).toBe(name))
})

describe('values', () => {
  it.each([
    ['(415) 555-0123', '4155550123'],
    ['+1 415 555 0123', '4155550123'],
    ['1-415-555-0123', '4155550123'],
    ['+1512555123', undefined],
    ['++14155550123', undefined],
    ['415.555.0123', '4155550123'],
    ['0000000000', '0000000000'],
    ['415555012', undefined],
    ['24155550123', undefined],
    ['415555012x', undefined],
    ['', undefined],
  ])('parses the phone number %j as %j', (input, kept) => expect(parse(Phone, input)).toBe(kept))

  it.each([
    ['12345', '12345'],
    ['123456789', '12345-6789'],
    ['12345-6789', '12345-6789'],
    [' 12345 ', '12345'],
    ['1234', undefined],
    ['12345-', undefined],
    ['1234567', undefined],
    ['１２３４５', undefined],
  ])('parses the ZIP code %j as %j', (input, kept) => expect(parse(Zipcode, input)).toBe(kept))

  it.each([
    ['ca', 'CA'],
    [' pr ', 'PR'],
    ['AE', 'AE'],
    ['XX', undefined],
    ['', undefined],
    ['Texas', 'TX'],
    [' new  york ', 'NY'],
    ['WEST VIRGINIA', 'WV'],
    ['Washington', 'WA'],
    ['Washington, D.C.', 'DC'],
    ['U.S. Virgin Islands', 'VI'],
    ['Armed Forces Pacific', 'AP'],
    ['Armed Forces Europe, the Middle East, and Canada', 'AE'],
    ['New\nYork', undefined],
    ['Ontario', undefined],
    ['constructor', undefined],
  ])('parses the state %j as %j', (input, kept) => expect(parse(State, input)).toBe(kept))

  it.each(['a@b.co', "o'neil+tag@sub.example.org", 'UPPER@Example.COM', `${'a'.repeat(60)}@example.com`])(
    'accepts the email address %s',
    (input) => {
      expect(parse(Email, ` ${input} `)).toBe(input)
    },
  )

  it.each(['a', 'a@b', '@b.co', 'a b@c.de', 'a@b..co', 'a@-b.co', 'a@b.c\n', `${'a'.repeat(250)}@b.co`, 'ü@b.co'])(
    'refuses the email address %j',
    (input) => expect(parse(Email, input)).toBeUndefined(),
  )

  it.each([
    ['a text', text(), 'Ana'],
    ['a phone number', Phone, '4155550123'],
    ['a ZIP code', Zipcode, '12345'],
    ['a state', State, 'CA'],
    ['a day', DayText, '2026-03-10'],
  ])('accepts %s with spaces around it, and refuses it with a line break or a tab', (_, schema, input) => {
    for (const blanks of [' ', '\u00a0', '\u2003 ']) expect(parse(schema, blanks + input + blanks)).toBe(input)
    for (const unexpected of ['\n', '\r\n', '\t', '\u0000', '\u0085'])
      for (const written of [input + unexpected, unexpected + input]) expect(parse(schema, written)).toBeUndefined()
  })

  it.each([
    ['2026-03-10T14:05:09.123Z', '2026-03-10T14:05:09.123Z'],
    ['2026-03-10 14:05:09Z', '2026-03-10T14:05:09Z'],
    ['2026-03-10 14:05:09.5-0500', '2026-03-10T14:05:09.5-05:00'],
    ['2026-03-10T14:05:09 0530', '2026-03-10T14:05:09+05:30'],
    ['2026-03-10 14:05:09 05:30', '2026-03-10T14:05:09+05:30'],
    [' 2026-03-10T14:05:09+00:00 ', '2026-03-10T14:05:09+00:00'],
    ['2026-03-10', undefined],
    ['2026-03-10T14:05:09', undefined],
    ['2026-03-10  14:05:09Z', undefined],
    ['2026-02-30T14:05:09Z', undefined],
    ['2026-03-10T25:05:09Z', undefined],
    ['1773151509', undefined],
    [`2026-03-10 ${'1'.repeat(1000)}`, undefined],
    ['2026-11-28 22:25:04 +0000', '2026-11-28T22:25:04+00:00'],
    ['2026-11-28 22:25:04  0000', '2026-11-28T22:25:04+00:00'],
    ['2026-11-28 22:25:04 -0500', '2026-11-28T22:25:04-05:00'],
    ['2026-11-28 22:25:04.123 +05:30', '2026-11-28T22:25:04.123+05:30'],
    ['2026-11-28 22:25:04 + 0000', undefined],
    ['2026-11-28 22:25:04 +-0000', undefined],
  ])('parses the instant %j as %j', (input, kept) => expect(parse(Instant, input)).toBe(kept))

  it('normalizes any text, and does so idempotently', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (input) => {
        const kept = parse(text(), input) as string | undefined
        if (kept === undefined) return
        expect(kept).toBe(kept.normalize('NFC').trim())
        expect(kept.length).toBeLessThanOrEqual(255)
        expect(parse(text(), kept)).toBe(kept)
      }),
    )
  })
})

describe('ids', () => {
  it('have their prefix, sort by creation time, and are recognized', () => {
    for (const prefix of prefixes) {
      const ids = Array.from({ length: 50 }, () => newId(prefix))
      expect(ids.toSorted()).toEqual(ids)
      expect(ids.every((id) => isId(prefix, id) && !isId(prefix === 'org' ? 'usr' : 'org', id))).toBe(true)
    }
  })
})

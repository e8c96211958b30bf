import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  changedDetails,
  hasChanged,
  einDigits,
  type EmployerDetails,
  isPoBox,
  refusals,
  type Taken,
  whyCollides,
  whyNotEnd,
  whyNotItsEin,
  whyNotSubscribe,
  whyNotAtAddress,
} from './rules.ts'

const decidedBoxes = [
  'PO Box 123',
  'P.O. Box 9',
  'P O BOX 5',
  'POB 12',
  'POBox44',
  'Post Office Box 7',
  'Postal Box 3',
  'PO-Box 11',
  'P.O. Drawer 9',
  'Box 77',
  'Lockbox 12',
  'Post Box 4',
  'PO BX 9',
  '123 Main St PO Box 5',
  'P. O. Box #12',
  'P/O Box 3',
]
const decidedStreets = [
  '12 Boxwood Ln',
  '100 Post Oak Rd',
  'RR 2 Box 15',
  'HC 1 Box 4',
  'PSC 123 Box 456',
  '55 Drawer Ct',
  '1 Polk Ave',
  '88 Post Rd',
  '200 Box Elder Dr',
  '9 Boxer St',
  '500 Caller Way',
  '77 Mailbox Ln',
]
const furtherBoxes = [
  'po box 123',
  'p.o.box9',
  'P.O.B. 12',
  'P\u00a0O\u2003Box\u202f5',
  'P\u200bO Box 5',
  'ＰＯ Ｂｏｘ １２',
  'P0 B0X 5',
  'GPO Box 8',
  'PO Box',
  'PO Box No. 12',
  'Post Office Drawer 4',
  'post off. box 9',
  'Box #77',
  'BOX NO 3',
  'Box B12',
  'Lock Box 4',
  'Drawer 9',
  'PO Boxes 4-6',
  'P_O_Box_7',
  '4 Elm St., P.O. Box A',
  'Pó Bóx 12',
  'POB#9',
  'POBox',
  'GPOBox A',
  '4 Elm St POBox 7',
  'POBox No. 3, 4 Elm St',
]
const furtherStreets = [
  '1 Main St',
  '12 Box Elder Ct',
  'Box Canyon Rd 5',
  'Rural Route 2 Box 15',
  'Unit 2050 Box 4190',
  'CMR 1250 Box 12',
  '9 Expo Box Pl',
  '4 Lockboxer Way',
  '12 Postal Way',
  '1 Post Office Sq',
  '7 Pobst Ave',
  '30 Oboxo St',
  'Suite 400',
  'PMB 12',
  '12 Depot Box Ln',
  '1 Po Boxwood Ln',
  'Drawerside 4',
  '1 Pobox Street',
  '22 POBox Ln',
]

describe('a PO Box', () => {
  it.each([...decidedBoxes, ...furtherBoxes])('is detected in %s', (line) => expect(isPoBox(line)).toBe(true))
  it.each([...decidedStreets, ...furtherStreets])('is not detected in %s', (line) => expect(isPoBox(line)).toBe(false))

  const separator = fc.constantFrom(' ', '  ', '. ', '-', '/', '\u00a0', '\u2009', ', ', ' #')
  const casing = (words: string) =>
    fc
      .array(fc.boolean(), { minLength: words.length, maxLength: words.length })
      .map((upper) =>
        [...words].map((letter, at) => (upper[at] ? letter.toUpperCase() : letter.toLowerCase())).join(''),
      )

  it('is detected in any case and with any punctuation', () => {
    const spelling = fc.tuple(casing('po'), separator, casing('box'), separator, fc.nat(99_999))
    fc.assert(fc.property(spelling, (parts) => isPoBox(parts.join(''))))
  })

  it('is detected after any street', () => {
    const line = fc.tuple(
      fc.nat(9999),
      fc.stringMatching(/^[A-Z][a-z]{2,12}$/),
      fc.constantFrom(...decidedBoxes.filter((box) => /^p/i.test(box))),
    )
    fc.assert(fc.property(line, ([house, street, box]) => isPoBox(`${house} ${street} St ${box}`)))
  })

  it('is never detected in a street without box or drawer in it', () => {
    const street = fc.stringMatching(/^[A-Za-z]{1,14}$/).filter((name) => !/b[o0]?x|drawer|^p?ob$/i.test(name))
    const line = fc.tuple(
      fc.integer({ min: 1, max: 9999 }),
      separator,
      street,
      fc.constantFrom(' St', ' Ave', '\u00a0Rd', ' Ln 4'),
    )
    fc.assert(fc.property(line, (parts) => !isPoBox(parts.join(''))))
  })

  it('is detected regardless of case', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...decidedBoxes, ...decidedStreets).chain((line) => fc.tuple(fc.constant(line), casing(line))),
        ([line, other]) => isPoBox(line) === isPoBox(other),
      ),
    )
  })

  const address = { address_line_1: '1 Main St', address_line_2: null, city: 'Reno', state: 'NV', zipcode: '89501' }
  it.each([
    ['the first line', { ...address, address_line_1: 'PO Box 1' }, 'address.address_line_1'],
    ['the second line', { ...address, address_line_2: 'PO Box 1' }, 'address.address_line_2'],
  ])('is refused in %s', (_, sent, field) => expect(whyNotAtAddress(sent)?.details[0]?.field).toBe(field))
  it('is not detected in a street address', () => expect(whyNotAtAddress(address)).toBeUndefined())
})

describe('an EIN', () => {
  it.each([
    ['12-3456789', '123456789'],
    ['123456789', '123456789'],
    [' 12-3456789 ', '123456789'],
    ['1-23456789', undefined],
    ['12-345678', undefined],
    ['１２-3456789', undefined],
  ])('%s has the digits %s', (written, digits) => expect(einDigits(written)).toBe(digits))

  const own = { last_four: '6789', isOfEmployer: (digits: string) => digits === '123456789' }
  it.each([undefined, '12-3456789', '123456789', '**-***6789'])('may be sent back as %s', (sent) =>
    expect(whyNotItsEin(sent, own)).toBeUndefined(),
  )
  it.each(['12-3456780', '**-***6780', '', 'none'])('may not change to %j', (sent) => {
    const why = whyNotItsEin(sent, own)
    expect([why?.kind.status, why?.details[0]?.field]).toEqual([400, 'ein'])
  })
})

describe('collisions', () => {
  const free: Taken = { ein: false, name: false, legal_name: false, email: false, phone_number: false }
  it('do not occur if every value is free', () => expect(whyCollides(free)).toBeUndefined())
  it.each([
    [['ein', 'name', 'legal_name', 'email', 'phone_number'], 'EIN_ALREADY_EXISTS'],
    [['name', 'legal_name', 'email', 'phone_number'], 'NAME_ALREADY_EXISTS'],
    [['legal_name', 'email', 'phone_number'], 'LEGAL_NAME_ALREADY_EXISTS'],
    [['email', 'phone_number'], 'EMAIL_ALREADY_EXISTS'],
    [['phone_number'], 'PHONE_ALREADY_EXISTS'],
  ])('of %j are reported as %s', (fields, code) => {
    const taken = { ...free, ...Object.fromEntries(fields.map((field) => [field, true])) }
    expect(whyCollides(taken)?.kind.code).toBe(code)
  })
})

describe('a change', () => {
  const stored: EmployerDetails = {
    name: 'Oak',
    legal_name: 'Oak LLC',
    email: 'a@oak.example',
    phone_number: '4155550123',
    reference_id: 'r1',
    owner_user_id: null,
    active: true,
    address_line_1: '1 Main St',
    address_line_2: 'Floor 2',
    city: 'Reno',
    state: 'NV',
    zipcode: '89501',
  }
  it('keeps absent fields', () => expect(hasChanged(stored, changedDetails(stored, {}))).toBe(false))
  it('clears a phone number and a reference with null', () =>
    expect(changedDetails(stored, { phone_number: null, reference_id: null })).toEqual({
      ...stored,
      phone_number: null,
      reference_id: null,
    }))
  it('replaces the address as a whole', () => {
    const address = { address_line_1: '2 Elm St', address_line_2: null, city: 'Elko', state: 'NV', zipcode: '89801' }
    expect(changedDetails(stored, { address })).toEqual({ ...stored, ...address })
  })
  it('to the same value is no change', () =>
    expect(hasChanged(stored, changedDetails(stored, { name: 'Oak', active: true }))).toBe(false))
  it('of the case of letters is a change', () =>
    expect(hasChanged(stored, changedDetails(stored, { name: 'OAK' }))).toBe(true))
})

describe('a subscription', () => {
  const subscription = (ended_on: string | null) => ({
    id: 'sub_1',
    employer_id: 'empr_1',
    started_on: '2026-01-01',
    ended_on,
  })
  it.each([
    ['the first one', undefined, '2026-01-01', undefined],
    ['one on the day the previous one ended', subscription('2026-02-01'), '2026-02-01', undefined],
    [
      'one a day before the previous one ends',
      subscription('2026-02-01'),
      '2026-01-31',
      refusals.employer_has_active_subscription,
    ],
    ['one next to another without an end', subscription(null), '2026-06-01', refusals.employer_has_active_subscription],
  ])('may start unless it overlaps: %s', (_, latest, day, why) => expect(whyNotSubscribe(latest, day)).toBe(why))

  it.each([
    ['no subscription', undefined, '2026-03-10', refusals.employer_has_no_active_subscription],
    ['one that has ended', subscription('2026-03-10'), '2026-04-01', refusals.employer_has_no_active_subscription],
    ['one with a future end', subscription('2026-03-11'), '2026-04-01', undefined],
    ['one without an end', subscription(null), '2026-01-02', undefined],
    ['one on its first day', subscription(null), '2026-01-01', refusals.subscription_ends_before_it_starts],
  ])('can end unless it has ended: %s', (_, latest, day, why) => expect(whyNotEnd(latest, day, '2026-03-10')).toBe(why))
})

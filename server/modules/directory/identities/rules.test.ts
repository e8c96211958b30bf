import { describe, expect, it } from 'vitest'
import { People, type Member } from '../people/rules.ts'
import { identify, Repetitions, type Candidate, type Register } from './rules.ts'

const at = (zipcode: string) => ({ address_line_1: '1 A', address_line_2: null, city: 'B', state: 'NY', zipcode })

const aMember = (id: string, candidate: Partial<Member>): Member => ({
  id,
  first_name: id,
  last_name: id,
  suffix: null,
  email: null,
  phone: null,
  date_of_birth: '1970-01-01',
  gender: null,
  address: null,
  ...candidate,
})

/** Olga is employed here; Greta was. Ada and all others are employed elsewhere in the organization. */
const olga = aMember('olga', {
  first_name: 'Olga',
  last_name: 'Petrova',
  email: 'olga@example.com',
  phone: '2025550101',
  date_of_birth: '1985-04-02',
  address: at('12207-0001'),
})
const greta = aMember('greta', {
  first_name: 'Greta',
  last_name: 'Lind',
  email: 'desk@example.com',
  phone: '2025550102',
  date_of_birth: '1960-06-06',
  address: at('10001'),
})
const ada = aMember('ada', {
  first_name: 'Ada',
  last_name: "O'Brien-Díaz",
  email: 'ada@example.com',
  phone: '2025550103',
  date_of_birth: '1990-12-10',
  address: at('94105'),
})
/** A father and son with the same name and email address. */
const father = aMember('father', {
  first_name: 'Sam',
  last_name: 'Poe',
  email: 'poe@example.com',
  phone: '2025550104',
  date_of_birth: '1960-01-01',
})
/** Two namesakes who share birthday and ZIP code, but are known to be distinct. */
const [one, two] = ['one', 'two'].map((id, n) =>
  aMember(id, {
    first_name: 'Kim',
    last_name: 'Lee',
    email: `${id}@example.com`,
    phone: '2025550105',
    date_of_birth: '1980-08-08',
    address: at(n === 0 ? '60601' : '60601-1234'),
  }),
) as [Member, Member]
/** A member of a group without a known email address. */
const nora = aMember('nora', { first_name: 'Nora', last_name: 'Holm', phone: '2025550106', address: at('73301') })
const population = Array.from({ length: 21 }, (_, n) =>
  aMember(`crowd${n}`, {
    first_name: 'Test',
    last_name: 'User',
    email: `t${n}@example.com`,
    date_of_birth: '1990-01-01',
    address: at('30301'),
  }),
)

const all_people = [olga, greta, ada, father, one, two, nora, ...population]
const people = new People(all_people)

type Held = { reference_id: string; member: Member; present: boolean }
const held: Held[] = [
  { reference_id: 'O-1', member: olga, present: true },
  { reference_id: 'G-1', member: greta, present: false },
  { reference_id: 'K-1', member: one, present: true },
  { reference_id: 'K-2', member: two, present: true },
  { reference_id: 'PASSED', member: greta, present: false },
  { reference_id: 'PASSED', member: olga, present: false },
]
const register: Register = {
  keeps_references: true,
  holders: (reference_id) => held.filter((each) => each.reference_id === reference_id),
  presentReference: (id) => held.find((each) => each.present && each.member.id === id)?.reference_id ?? null,
  isHere: (id) => held.some((each) => each.member.id === id),
  employed: (employee_id) => people.get(employee_id.replace('empl_', '')),
  repeated: () => undefined,
}

/** A person without similarities to any other. */
const client: Candidate = {
  first_name: 'Xenia',
  last_name: 'Yule',
  email: 'xenia@example.com',
  phone: '2025550199',
  date_of_birth: '1999-09-09',
  address: at('99501'),
}
const { id: _, ...asOlga } = olga
const { id: __, ...asGreta } = greta
const { id: ___, ...asAda } = ada
const { id: ____, ...asFather } = father
const { id: _____, ...asOne } = one
const nothing = { email: undefined, phone: undefined, address: undefined }

/** The result in one word, with the matching or conflicting field. */
function reported(candidate: Candidate, from = register): string {
  const identity = identify(candidate, people, from)
  if (identity.is === 'known') return `${identity.member.id} by ${identity.by}`
  return 'field' in identity ? `${identity.is} ${identity.field}` : identity.is
}

type Case = [title: string, input: Partial<Candidate>, expected: string]

/** A test for each addition to `base`. */
const cases = (base: Candidate, rows: Case[]) =>
  it.each(rows)('%s', (_title, candidate, expected) => expect(reported({ ...base, ...candidate })).toBe(expected))

describe('one of our ids identifies', () => {
  cases(client, [
    ['the person', { member_id: 'olga' }, 'olga by member_id'],
    ['the person of an employment', { employee_id: 'empl_ada' }, 'ada by employee_id'],
    ['both, if they agree', { member_id: 'ada', employee_id: 'empl_ada' }, 'ada by member_id'],
    ['neither, if they disagree', { member_id: 'ada', employee_id: 'empl_olga' }, 'ambiguous employee_id'],
    ['no person, if it is unknown', { member_id: 'gone' }, 'unknown member_id'],
    ['no employment, if it is unknown', { employee_id: 'empl_gone' }, 'unknown employee_id'],
    ['no new person', { member_id: 'ada', distinct: true }, 'ambiguous distinct'],
    ['the person, even with the email address of another', { member_id: 'ada', email: olga.email }, 'ada by member_id'],
    [
      'the person, even if another has the same name, birthday, phone and ZIP code',
      { ...asOne, member_id: 'two' },
      'two by member_id',
    ],
    ['neither, with the reference of another person', { member_id: 'ada', reference_id: 'O-1' }, 'handed_on'],
    ['neither, with the reference of a former employee', { member_id: 'ada', reference_id: 'G-1' }, 'handed_on'],
    ['the person, with their own reference', { member_id: 'olga', reference_id: 'O-1' }, 'olga by member_id'],
    [
      'the person, with a new reference although they are employed here',
      { member_id: 'olga', reference_id: 'NEW' },
      'olga by member_id',
    ],
  ])
})

describe('a reference identifies its holder by two matching facts, including first name or email address', () => {
  const { date_of_birth, first_name, last_name, email } = asOlga
  const facts = { date_of_birth, first_name, last_name, email }
  const names = Object.keys(facts) as (keyof typeof facts)[]
  const subsets = Array.from({ length: 16 }, (_, bits) => names.filter((_name, at) => bits & (1 << at)))
  const is_enough = (agreeing: string[]) =>
    agreeing.length >= 2 && (agreeing.includes('first_name') || agreeing.includes('email'))

  it.each(subsets.map((agreeing) => [agreeing.join(', ') || 'nothing', agreeing] as const))(
    'of a current or former employee: %s',
    (_title, agreeing) => {
      for (const { member, reference_id } of [
        { member: olga, reference_id: 'O-1' },
        { member: greta, reference_id: 'G-1' },
      ]) {
        const candidate = Object.fromEntries(agreeing.map((name) => [name, member[name]]))
        const expected = is_enough(agreeing) ? `${member.id} by reference_id` : 'handed_on'
        expect(reported({ ...client, ...candidate, reference_id })).toBe(expected)
      }
    },
  )

  cases(client, [
    ['in any case', { reference_id: 'O-1', first_name: 'OLGA', last_name: 'petrova' }, 'olga by reference_id'],
    ['but not by phone and address', { reference_id: 'O-1', phone: olga.phone, address: olga.address }, 'handed_on'],
    [
      'but not a twin who was given the other reference by mistake',
      { ...asOlga, first_name: 'Nina', email: 'nina@example.com', reference_id: 'O-1' },
      'handed_on',
    ],
    [
      'but not a new employee with the reference of a former one and the same birthday',
      { reference_id: 'G-1', date_of_birth: greta.date_of_birth },
      'handed_on',
    ],
    [
      'and the matching one of two holders',
      { reference_id: 'PASSED', date_of_birth: olga.date_of_birth, first_name: 'Olga' },
      'olga by reference_id',
    ],
    ['but neither of two holders without a match', { reference_id: 'PASSED' }, 'handed_on'],
    ['after a marriage', { ...asOlga, last_name: 'Sokolova', reference_id: 'O-1' }, 'olga by reference_id'],
    [
      'with a corrected birthday',
      { ...asOlga, date_of_birth: '1985-02-04', reference_id: 'O-1' },
      'olga by reference_id',
    ],
  ])
})

describe('rules that identify different people are ambiguous', () => {
  cases(client, [
    [
      'by reference and email address',
      { ...asOne, email: two.email, phone: undefined, reference_id: 'K-1' },
      'ambiguous email',
    ],
    [
      'by a reference that fits two former holders',
      {
        reference_id: 'PASSED',
        email: olga.email,
        last_name: 'Petrova',
        first_name: 'Greta',
        date_of_birth: greta.date_of_birth,
      },
      'ambiguous reference_id',
    ],
    [
      'by email address and ZIP code of namesakes',
      { ...asOne, email: 'other@example.com', phone: undefined },
      'ambiguous address.zipcode',
    ],
    ['except with the email address of one namesake and the phone of both', { ...asOne }, 'one by email'],
    ['except with the email address of the other', { ...asOne, email: two.email }, 'two by email'],
    [
      'except with the email address and reference of the other',
      { ...asOne, email: two.email, reference_id: 'K-2' },
      'two by reference_id',
    ],
    [
      'by the reference of one and the email address of the other',
      { ...asOne, email: two.email, reference_id: 'K-1' },
      'ambiguous email',
    ],
    ['by the phone of both without an email address', { ...asOne, email: undefined }, 'ambiguous phone'],
    [
      'by a new reference and the phone of both',
      { ...asOne, email: undefined, reference_id: 'NEW' },
      'ambiguous phone',
    ],
  ])
})

describe('an email address identifies its holder', () => {
  cases({ ...client, date_of_birth: ada.date_of_birth }, [
    ['with both names', { email: 'ADA@example.com', first_name: 'ada', last_name: 'obrien diaz' }, 'ada by email'],
    [
      'with differently spelled names',
      { email: ada.email, first_name: 'Áda', last_name: 'O’Brien\u2011Diaz' },
      'ada by email',
    ],
    [
      'with names that contain invisible characters',
      { email: ada.email, first_name: 'A\u200bda', last_name: 'OBri\u00adenDiaz' },
      'ada by email',
    ],
  ])
  cases(client, [
    [
      'with another birthday at the same employer, as a correction',
      { ...asOlga, date_of_birth: '1985-02-04' },
      'olga by email',
    ],
    ['with another birthday at a former employer', { ...asGreta, date_of_birth: '1961-06-06' }, 'greta by email'],
    ['but not with another birthday at another employer', { ...asAda, date_of_birth: '1990-10-12' }, 'email_taken'],
    [
      'but not with another first name and birthday, as in a couple',
      { email: ada.email, first_name: 'Bob', last_name: ada.last_name },
      'email_taken',
    ],
    ['but not with another first name, as in twins', { ...asAda, first_name: 'Eva', phone: undefined }, 'email_taken'],
    [
      'but not with another last name, as after a marriage',
      { ...asAda, last_name: 'Lovelace', phone: undefined },
      'email_taken',
    ],
    ['but not without other similarities, as with a reassigned address', { email: greta.email }, 'email_taken'],
    ['but not with another name, as with a typo', { email: olga.email, first_name: 'Nina' }, 'email_taken'],
    [
      'but not the son who lives with his father',
      { ...asFather, suffix: 'Jr.', date_of_birth: '1988-03-03', phone: undefined },
      'email_taken',
    ],
    [
      'but not the son who works with his father',
      { ...asOlga, suffix: 'Jr.', date_of_birth: '2005-03-03' },
      'email_taken',
    ],
    ['even if the son has the same name', { ...asFather, phone: undefined }, 'father by email'],
    ['even if the suffix Sr. was added', { ...asFather, suffix: 'Sr.', phone: undefined }, 'father by email'],
  ])
})

describe('birthday and both names identify a person', () => {
  cases({ ...asAda, ...nothing }, [
    ['with the phone', { phone: ada.phone }, 'ada by phone'],
    ['with the phone and a new email address', { phone: ada.phone, email: 'new@example.com' }, 'ada by phone'],
    ['with the ZIP code', { address: at('94105-9999') }, 'ada by address.zipcode'],
    ['with email address, phone and ZIP code', asAda, 'ada by email'],
    ['but not alone', {}, 'new'],
    ['but not with another ZIP code', { address: at('94107') }, 'new'],
    ['but not with another phone and email address', { phone: '2025550188', email: 'b@example.com' }, 'new'],
    ['but not with the phone of another person', { phone: olga.phone }, 'new'],
    ['with the phone and an unknown ZIP code', { phone: ada.phone, address: at('94107') }, 'ada by phone'],
    ['with the phone and the email address of another person', { phone: ada.phone, email: olga.email }, 'ada by phone'],
    ['with a first reference here', { phone: ada.phone, reference_id: 'A-1' }, 'ada by phone'],
    ['but not with the reference of another person', { phone: ada.phone, reference_id: 'O-1' }, 'handed_on'],
  ])
})

describe('a person without an email address is identified', () => {
  cases({ ...client, first_name: 'Nora', last_name: 'Holm' }, [
    ['by birthday and phone', { date_of_birth: nora.date_of_birth, phone: nora.phone }, 'nora by phone'],
    [
      'by birthday and ZIP code',
      { date_of_birth: nora.date_of_birth, address: nora.address },
      'nora by address.zipcode',
    ],
    ['but not with another birthday', { phone: nora.phone }, 'new'],
  ])
})

describe('the same phone number is ambiguous', () => {
  cases({ ...client, phone: olga.phone }, [
    [
      'with birthday and last name, as in twins',
      { date_of_birth: olga.date_of_birth, last_name: 'Petrova' },
      'ambiguous phone',
    ],
    [
      'with birthday and last name even if the email address is taken',
      { date_of_birth: olga.date_of_birth, last_name: 'Petrova', email: ada.email },
      'ambiguous phone',
    ],
    ['but not with both names, as in father and son', { first_name: 'Olga', last_name: 'Petrova' }, 'new'],
    ['but not with the last name alone, as in a household', { last_name: 'Petrova' }, 'new'],
    ['but not with the birthday alone', { date_of_birth: olga.date_of_birth }, 'new'],
    ['but not without other similarities', {}, 'new'],
  ])
})

describe('a different reference', () => {
  cases({ ...asOlga, reference_id: 'O-2' }, [
    ['is ambiguous for a current employee', {}, 'ambiguous reference_id'],
    ['is ambiguous for a current employee matched by phone', { email: undefined }, 'ambiguous reference_id'],
    [
      'is ambiguous for a current employee matched by ZIP code',
      { email: undefined, phone: undefined },
      'ambiguous reference_id',
    ],
    ['is accepted for a former employee', { ...asGreta }, 'greta by email'],
    ['is accepted for an employee of another employer', { ...asAda }, 'ada by email'],
    ['is not a conflict if the candidate has none', { reference_id: undefined }, 'olga by email'],
    ['is not a conflict if the person is given by id', { member_id: 'olga' }, 'olga by member_id'],
  ])
})

const oneOfMany = { ...client, first_name: 'Test', last_name: 'User', date_of_birth: '1990-01-01' }
describe('among more than 20 namesakes', () => {
  cases(oneOfMany, [
    ['a new person is ambiguous', {}, 'ambiguous last_name'],
    ['a new person with a new ZIP code is ambiguous', { address: at('30301') }, 'ambiguous last_name'],
    ['a new person with a new reference is ambiguous', { reference_id: 'NEW' }, 'ambiguous last_name'],
    ['a person is identified by the email address', { email: 'T7@example.com' }, 'crowd7 by email'],
    ['a person is identified by id', { member_id: 'crowd3' }, 'crowd3 by member_id'],
    ['a distinct person is new', { distinct: true }, 'new'],
  ])
})

describe('a distinct candidate', () => {
  cases({ ...client, distinct: true }, [
    ['is new', {}, 'new'],
    [
      'is new with the birthday, last name and phone of a twin',
      { ...asOlga, first_name: 'Nina', email: 'nina@example.com' },
      'new',
    ],
    ['is new with all details of a namesake except the email address', { ...asAda, email: 'other@example.com' }, 'new'],
    ['is new even if the email address is taken', { email: olga.email }, 'new'],
    ['is the person with the same row before', asAda, 'ada by email'],
    [
      'is the person with the same reference before',
      { ...asOlga, email: 'new@example.com', reference_id: 'O-1' },
      'olga by reference_id',
    ],
    [
      'is the person with the same row before whose reference changed',
      { ...asAda, reference_id: 'NEW' },
      'ada by email',
    ],
    [
      'is not a namesake here with the same birthday and email address but another reference',
      { ...asOlga, reference_id: 'O-2' },
      'new',
    ],
    [
      'is the holder of the reference after a marriage',
      { reference_id: 'O-1', first_name: 'Olga', date_of_birth: olga.date_of_birth },
      'olga by reference_id',
    ],
    [
      'is the holder of the reference with a corrected birthday',
      { reference_id: 'O-1', first_name: 'Olga', last_name: 'Petrova' },
      'olga by reference_id',
    ],
    [
      'is the holder of the reference by email address',
      { reference_id: 'O-1', first_name: 'Olga', email: olga.email },
      'olga by reference_id',
    ],
    [
      'is not the twin whose reference was given by mistake',
      { ...asOlga, first_name: 'Nina', email: 'nina@example.com', reference_id: 'O-1' },
      'handed_on',
    ],
    [
      'is not the holder of both reference and email address without a matching name',
      { reference_id: 'O-1', email: olga.email },
      'handed_on',
    ],
    ['is not the current holder of the reference', { reference_id: 'O-1', first_name: 'Olga' }, 'handed_on'],
    [
      'is not the former holder of the reference',
      { reference_id: 'G-1', date_of_birth: greta.date_of_birth },
      'handed_on',
    ],
    [
      'is the former holder with the same details',
      { ...asGreta, email: 'new@example.com', reference_id: 'G-1' },
      'greta by reference_id',
    ],
    [
      'is ambiguous if all details except the email address match here by phone',
      { ...asOlga, email: 'new@example.com' },
      'perhaps_repeated phone',
    ],
    [
      'is ambiguous if all details except the email address match here by ZIP code',
      { ...asOlga, email: 'new@example.com', phone: undefined },
      'perhaps_repeated address.zipcode',
    ],
    ['is new with a different reference', { ...asOlga, email: 'new@example.com', reference_id: 'NEW' }, 'new'],
    ['is not one of several holders of a reference', { reference_id: 'PASSED' }, 'handed_on'],
  ])
})

describe('a candidate without similarities', () => {
  cases(client, [
    ['is new', {}, 'new'],
    ['is new with an unknown reference', { reference_id: 'NEW' }, 'new'],
    ['is new without email address, phone and address', nothing, 'new'],
    ['is new with the ZIP code of another person', { address: olga.address }, 'new'],
    ['is new with the name of another person', { first_name: 'Olga', last_name: 'Petrova' }, 'new'],
    ['is new with the birthday of another person', { date_of_birth: olga.date_of_birth }, 'new'],
    [
      'is new with the ZIP code, birthday and last name of a twin',
      { ...asOlga, ...nothing, first_name: 'Nina', address: olga.address },
      'new',
    ],
  ])
})

it('a phone shared by more than 20 people counts as an office phone, and does not make a candidate ambiguous', () => {
  const shared = Array.from({ length: 21 }, (_, n) =>
    aMember(`shared${n}`, { phone: '2025550177', last_name: 'Yule', date_of_birth: '1999-09-09' }),
  )
  const all = new People([...shared, { ...ada, phone: '2025550177' }])
  const candidate = { ...asAda, ...nothing, phone: '2025550177' }
  expect(identify(candidate, all, register)).toMatchObject({ is: 'known', by: 'phone' })
  expect(identify({ ...client, phone: '2025550177' }, all, register)).toEqual({ is: 'new' })
})

describe('a row that repeats the details of an earlier one identifies the same person', () => {
  const repeats = (member: Member): Register => ({ ...register, repeated: () => member })
  const from = (member: Member, candidate: Partial<Candidate>) => reported({ ...client, ...candidate }, repeats(member))
  it.each<[string, Member, Partial<Candidate>, string]>([
    ['without other similarities', olga, {}, 'olga by email'],
    ['with their reference', olga, { reference_id: 'O-1' }, 'olga by reference_id'],
    ['as a distinct person', olga, { distinct: true }, 'olga by email'],
    ['even if their email address now belongs to another person', olga, { email: ada.email }, 'olga by email'],
    ['but not with the reference of another person', olga, { reference_id: 'G-1' }, 'handed_on'],
    ['but not with a reference other than their current one', olga, { reference_id: 'O-2' }, 'ambiguous reference_id'],
    ['unless one of our ids identifies another person', olga, { member_id: 'ada' }, 'ada by member_id'],
  ])('%s', (_title, member, candidate, expected) => expect(from(member, candidate)).toBe(expected))
})

it('references that can be reused do not identify former holders', () => {
  const free: Register = { ...register, keeps_references: false }
  expect(reported({ ...client, reference_id: 'G-1' }, free)).toBe('new')
  expect(reported({ ...client, reference_id: 'G-1', distinct: true }, free)).toBe('new')
  expect(reported({ ...client, reference_id: 'G-1', member_id: 'ada' }, free)).toBe('ada by member_id')
  expect(reported({ ...asGreta, email: undefined, phone: undefined, reference_id: 'G-1' }, free)).toBe(
    'greta by reference_id',
  )
  expect(reported({ ...client, reference_id: 'O-1' }, free)).toBe('handed_on')
})

describe('two candidates of one request', () => {
  it.each<[string, Partial<Candidate>, Partial<Candidate>, string | undefined]>([
    ['share a reference', { reference_id: 'A' }, { ...asAda, reference_id: 'A' }, 'reference_id'],
    ['share a person id', { member_id: 'm' }, { ...asAda, member_id: 'm' }, 'member_id'],
    ['share an employment', { employee_id: 'e' }, { ...asAda, employee_id: 'e' }, 'employee_id'],
    ['share email address and names', {}, { phone: '2', address: undefined, email: 'XENIA@example.com' }, 'email'],
    [
      'share email address and names, but not the birthday',
      {},
      { phone: '2', address: undefined, date_of_birth: '1950-01-01' },
      'email',
    ],
    [
      'are father and son with one email address',
      {},
      { phone: '2', date_of_birth: '1950-01-01', suffix: 'Sr.' },
      undefined,
    ],
    [
      'are a couple with one email address',
      {},
      { first_name: 'Y', date_of_birth: '1950-01-01', phone: '2' },
      undefined,
    ],
    ['are twins with one email address', {}, { first_name: 'Y', phone: '2' }, undefined],
    ['share names, birthday and phone', {}, { email: 'y@example.com', address: undefined }, 'phone'],
    [
      'share names, birthday and phone, with two references',
      { reference_id: 'A' },
      { email: 'y@example.com', reference_id: 'B' },
      'phone',
    ],
    ['share names, birthday and ZIP code', {}, { email: 'y@example.com', phone: '2' }, 'address.zipcode'],
    [
      'share names, birthday and ZIP code, with one reference',
      { reference_id: 'A' },
      { email: 'y@example.com', phone: '2' },
      'address.zipcode',
    ],
    [
      'share names, birthday and ZIP code, with two references',
      { reference_id: 'A' },
      { email: 'y@example.com', phone: '2', reference_id: 'B' },
      undefined,
    ],
    [
      'share names, birthday and ZIP code, but one is distinct',
      {},
      { email: 'y@example.com', distinct: true },
      undefined,
    ],
    [
      'share names, birthday and ZIP code, but one has an id',
      {},
      { email: 'y@example.com', member_id: 'm' },
      undefined,
    ],
    ['nothing', {}, asAda, undefined],
  ])('%s', (_title, first, second, field) => {
    const [a, b] = [
      { ...client, ...first },
      { ...client, ...second },
    ]
    for (const [x, y] of [
      [a, b],
      [b, a],
    ] as const) {
      const repetitions = new Repetitions()
      expect(repetitions.find(x, 7)).toBeUndefined()
      expect(repetitions.find(y, 8)).toEqual(field && { field, earlier: 7 })
    }
  })
})

import { describe, expect, it } from 'vitest'
import { People, type Member } from '../people/rules.ts'
import { identify, Repetitions, type Candidate, type Register } from './rules.ts'

const at = (zipcode: string) => ({ address_line_1: '1 A', address_line_2: null, city: 'B', state: 'NY', zipcode })

const aMember = (id: string, said: Partial<Member>): Member => ({
  id,
  first_name: id,
  last_name: id,
  suffix: null,
  email: null,
  phone: null,
  date_of_birth: '1970-01-01',
  gender: null,
  address: null,
  ...said,
})

/** Olga is employed here, Greta was; Ada is employed elsewhere in the organization, and so are all others. */
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
/** Father and son of one name and one mailbox. */
const father = aMember('father', {
  first_name: 'Sam',
  last_name: 'Poe',
  email: 'poe@example.com',
  phone: '2025550104',
  date_of_birth: '1960-01-01',
})
/** Two who share name, birthday and ZIP code, and were told apart. */
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
/** A member of a group, of whom no e-mail is known. */
const nora = aMember('nora', { first_name: 'Nora', last_name: 'Holm', phone: '2025550106', address: at('73301') })
const crowd = Array.from({ length: 21 }, (_, n) =>
  aMember(`crowd${n}`, {
    first_name: 'Test',
    last_name: 'User',
    email: `t${n}@example.com`,
    date_of_birth: '1990-01-01',
    address: at('30301'),
  }),
)

const everybody = [olga, greta, ada, father, one, two, nora, ...crowd]
const people = new People(everybody)

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

/** Somebody with nothing in common with anybody. */
const stranger: Candidate = {
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

/** What was answered, in one word, and by or in which field. */
function told(said: Candidate, from = register): string {
  const identity = identify(said, people, from)
  if (identity.is === 'known') return `${identity.member.id} by ${identity.by}`
  return 'field' in identity ? `${identity.is} ${identity.field}` : identity.is
}

type Case = [title: string, said: Partial<Candidate>, expected: string]

/** `base` said besides. */
const cases = (base: Candidate, rows: Case[]) =>
  it.each(rows)('%s', (_title, said, expected) => expect(told({ ...base, ...said })).toBe(expected))

describe('an id of ours says who is meant', () => {
  cases(stranger, [
    ['the person', { member_id: 'olga' }, 'olga by member_id'],
    ['an employment', { employee_id: 'empl_ada' }, 'ada by employee_id'],
    ['both, in step', { member_id: 'ada', employee_id: 'empl_ada' }, 'ada by member_id'],
    ['both, of two people', { member_id: 'ada', employee_id: 'empl_olga' }, 'ambiguous employee_id'],
    ['nobody', { member_id: 'gone' }, 'unknown member_id'],
    ['no employment', { employee_id: 'empl_gone' }, 'unknown employee_id'],
    ['and that they are new', { member_id: 'ada', distinct: true }, 'ambiguous distinct'],
    ['whoever has the e-mail', { member_id: 'ada', email: olga.email }, 'ada by member_id'],
    ['whoever else has name, birthday, phone and ZIP', { ...asOne, member_id: 'two' }, 'two by member_id'],
    ['but not with the reference of another', { member_id: 'ada', reference_id: 'O-1' }, 'handed_on'],
    ['nor with that of one who left', { member_id: 'ada', reference_id: 'G-1' }, 'handed_on'],
    ['with their own reference', { member_id: 'olga', reference_id: 'O-1' }, 'olga by member_id'],
    ['with a new reference, though they are here', { member_id: 'olga', reference_id: 'NEW' }, 'olga by member_id'],
  ])
})

describe('a reference leads to its holder by two of four facts, one of them the first name or e-mail', () => {
  const { date_of_birth, first_name, last_name, email } = asOlga
  const facts = { date_of_birth, first_name, last_name, email }
  const names = Object.keys(facts) as (keyof typeof facts)[]
  const subsets = Array.from({ length: 16 }, (_, bits) => names.filter((_name, at) => bits & (1 << at)))
  const is_enough = (agreeing: string[]) =>
    agreeing.length >= 2 && (agreeing.includes('first_name') || agreeing.includes('email'))

  it.each(subsets.map((agreeing) => [agreeing.join(', ') || 'nothing', agreeing] as const))(
    'of a colleague and of a leaver: %s',
    (_title, agreeing) => {
      for (const { member, reference_id } of [
        { member: olga, reference_id: 'O-1' },
        { member: greta, reference_id: 'G-1' },
      ]) {
        const said = Object.fromEntries(agreeing.map((name) => [name, member[name]]))
        const expected = is_enough(agreeing) ? `${member.id} by reference_id` : 'handed_on'
        expect(told({ ...stranger, ...said, reference_id })).toBe(expected)
      }
    },
  )

  cases(stranger, [
    ['in any case', { reference_id: 'O-1', first_name: 'OLGA', last_name: 'petrova' }, 'olga by reference_id'],
    ['not by the phone and address', { reference_id: 'O-1', phone: olga.phone, address: olga.address }, 'handed_on'],
    [
      'not for a twin who got the other reference by mistake',
      { ...asOlga, first_name: 'Nina', email: 'nina@example.com', reference_id: 'O-1' },
      'handed_on',
    ],
    [
      'not for a newcomer who got the reference of a leaver of the same birthday',
      { reference_id: 'G-1', date_of_birth: greta.date_of_birth },
      'handed_on',
    ],
    [
      'of two holders the one who fits',
      { reference_id: 'PASSED', date_of_birth: olga.date_of_birth, first_name: 'Olga' },
      'olga by reference_id',
    ],
    ['of two holders neither', { reference_id: 'PASSED' }, 'handed_on'],
    ['after a marriage', { ...asOlga, last_name: 'Sokolova', reference_id: 'O-1' }, 'olga by reference_id'],
    [
      'with a corrected birthday',
      { ...asOlga, date_of_birth: '1985-02-04', reference_id: 'O-1' },
      'olga by reference_id',
    ],
  ])
})

describe('two rules that lead to two people lead to nobody', () => {
  cases(stranger, [
    ['reference and e-mail', { ...asOne, email: two.email, phone: undefined, reference_id: 'K-1' }, 'ambiguous email'],
    [
      'a reference that fits two who had it',
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
      'e-mail and ZIP of namesakes',
      { ...asOne, email: 'other@example.com', phone: undefined },
      'ambiguous address.zipcode',
    ],
    ['e-mail of one namesake, phone of both', { ...asOne }, 'one by email'],
    ['e-mail of the other', { ...asOne, email: two.email }, 'two by email'],
    ['e-mail and reference of the other', { ...asOne, email: two.email, reference_id: 'K-2' }, 'two by reference_id'],
    [
      'the reference of one and the e-mail of the other',
      { ...asOne, email: two.email, reference_id: 'K-1' },
      'ambiguous email',
    ],
    ['the phone of both, and no e-mail', { ...asOne, email: undefined }, 'ambiguous phone'],
    ['a new reference and the phone of both', { ...asOne, email: undefined, reference_id: 'NEW' }, 'ambiguous phone'],
  ])
})

describe('the same e-mail leads to its holder', () => {
  cases({ ...stranger, date_of_birth: ada.date_of_birth }, [
    ['with both names', { email: 'ADA@example.com', first_name: 'ada', last_name: 'obrien diaz' }, 'ada by email'],
    [
      'with names written otherwise',
      { email: ada.email, first_name: 'Áda', last_name: 'O’Brien\u2011Diaz' },
      'ada by email',
    ],
    [
      'with names that contain invisible characters',
      { email: ada.email, first_name: 'A\u200bda', last_name: 'OBri\u00adenDiaz' },
      'ada by email',
    ],
  ])
  cases(stranger, [
    [
      'with another birthday at the same employer: a correction',
      { ...asOlga, date_of_birth: '1985-02-04' },
      'olga by email',
    ],
    ['with another birthday at a former employer', { ...asGreta, date_of_birth: '1961-06-06' }, 'greta by email'],
    ['not with another birthday at another employer', { ...asAda, date_of_birth: '1990-10-12' }, 'email_taken'],
    [
      'not with another first name and birthday: a couple',
      { email: ada.email, first_name: 'Bob', last_name: ada.last_name },
      'email_taken',
    ],
    [
      'not with the birthday and another first name: twins',
      { ...asAda, first_name: 'Eva', phone: undefined },
      'email_taken',
    ],
    ['not with another last name: a marriage', { ...asAda, last_name: 'Lovelace', phone: undefined }, 'email_taken'],
    ['not with nothing else: an address that was passed on', { email: greta.email }, 'email_taken'],
    ['not with one that was mistyped', { email: olga.email, first_name: 'Nina' }, 'email_taken'],
    [
      'not the son who lives with his father',
      { ...asFather, suffix: 'Jr.', date_of_birth: '1988-03-03', phone: undefined },
      'email_taken',
    ],
    ['not the son who works with him', { ...asOlga, suffix: 'Jr.', date_of_birth: '2005-03-03' }, 'email_taken'],
    ['the father himself', { ...asFather, phone: undefined }, 'father by email'],
    ['the father who is Sr. now', { ...asFather, suffix: 'Sr.', phone: undefined }, 'father by email'],
  ])
})

describe('birthday and both names lead to somebody', () => {
  cases({ ...asAda, ...nothing }, [
    ['with the phone', { phone: ada.phone }, 'ada by phone'],
    ['with the phone and a new e-mail', { phone: ada.phone, email: 'new@example.com' }, 'ada by phone'],
    ['with the ZIP code', { address: at('94105-9999') }, 'ada by address.zipcode'],
    ['with e-mail, phone and ZIP code', asAda, 'ada by email'],
    ['not alone', {}, 'new'],
    ['not with another ZIP code', { address: at('94107') }, 'new'],
    ['not with another phone and e-mail', { phone: '2025550188', email: 'b@example.com' }, 'new'],
    ['not with the phone of somebody else', { phone: olga.phone }, 'new'],
    ['with the phone, and the ZIP code of nobody', { phone: ada.phone, address: at('94107') }, 'ada by phone'],
    ['with the phone, and the e-mail of somebody else', { phone: ada.phone, email: olga.email }, 'ada by phone'],
    ['with a first reference here', { phone: ada.phone, reference_id: 'A-1' }, 'ada by phone'],
    ['not with the reference of somebody else', { phone: ada.phone, reference_id: 'O-1' }, 'handed_on'],
  ])
})

describe('who is not known by an e-mail is known by phone or ZIP', () => {
  cases({ ...stranger, first_name: 'Nora', last_name: 'Holm' }, [
    ['with the birthday and phone', { date_of_birth: nora.date_of_birth, phone: nora.phone }, 'nora by phone'],
    [
      'with the birthday and ZIP',
      { date_of_birth: nora.date_of_birth, address: nora.address },
      'nora by address.zipcode',
    ],
    ['not with another birthday', { phone: nora.phone }, 'new'],
  ])
})

describe('the same phone is too much alike', () => {
  cases({ ...stranger, phone: olga.phone }, [
    [
      'with birthday and last name: twins',
      { date_of_birth: olga.date_of_birth, last_name: 'Petrova' },
      'ambiguous phone',
    ],
    [
      'also when the e-mail is taken: a conflict goes first',
      { date_of_birth: olga.date_of_birth, last_name: 'Petrova', email: ada.email },
      'ambiguous phone',
    ],
    ['not with both names: father and son', { first_name: 'Olga', last_name: 'Petrova' }, 'new'],
    ['not with the last name alone: a household', { last_name: 'Petrova' }, 'new'],
    ['not with the birthday alone', { date_of_birth: olga.date_of_birth }, 'new'],
    ['not with nothing else', {}, 'new'],
  ])
})

describe('a different reference', () => {
  cases({ ...asOlga, reference_id: 'O-2' }, [
    ['while the other is employed here', {}, 'ambiguous reference_id'],
    ['by phone too', { email: undefined }, 'ambiguous reference_id'],
    ['by ZIP too', { email: undefined, phone: undefined }, 'ambiguous reference_id'],
    ['of who left is taken', { ...asGreta }, 'greta by email'],
    ['of who is employed elsewhere is taken', { ...asAda }, 'ada by email'],
    ['is no matter where none is said', { reference_id: undefined }, 'olga by email'],
    ['is no matter where the person is named', { member_id: 'olga' }, 'olga by member_id'],
  ])
})

const oneOfMany = { ...stranger, first_name: 'Test', last_name: 'User', date_of_birth: '1990-01-01' }
describe('of more than 20 namesakes', () => {
  cases(oneOfMany, [
    ['somebody new can not be told', {}, 'ambiguous last_name'],
    ['nor by the ZIP code', { address: at('30301') }, 'ambiguous last_name'],
    ['nor by a reference that nobody has', { reference_id: 'NEW' }, 'ambiguous last_name'],
    ['one is known by the e-mail', { email: 'T7@example.com' }, 'crowd7 by email'],
    ['one is known by id', { member_id: 'crowd3' }, 'crowd3 by member_id'],
    ['a distinct one is new', { distinct: true }, 'new'],
  ])
})

describe('who is distinct', () => {
  cases({ ...stranger, distinct: true }, [
    ['is new', {}, 'new'],
    [
      'is new with the birthday, last name and phone of a twin',
      { ...asOlga, first_name: 'Nina', email: 'nina@example.com' },
      'new',
    ],
    ['is new with all but the e-mail of a namesake', { ...asAda, email: 'other@example.com' }, 'new'],
    ['is new where the e-mail is somebody’s, which is taken', { email: olga.email }, 'new'],
    ['is who came by the same row before', asAda, 'ada by email'],
    [
      'is who came with the same reference before',
      { ...asOlga, email: 'new@example.com', reference_id: 'O-1' },
      'olga by reference_id',
    ],
    ['is who came by the same row before, whose reference changed', { ...asAda, reference_id: 'NEW' }, 'ada by email'],
    [
      'is not a namesake of one birthday and e-mail who is here by another reference: the e-mail is taken',
      { ...asOlga, reference_id: 'O-2' },
      'new',
    ],
    [
      'is who has the reference here, though they married',
      { reference_id: 'O-1', first_name: 'Olga', date_of_birth: olga.date_of_birth },
      'olga by reference_id',
    ],
    [
      'is who has the reference here, though the birthday was set right',
      { reference_id: 'O-1', first_name: 'Olga', last_name: 'Petrova' },
      'olga by reference_id',
    ],
    [
      'is who has the reference here, by e-mail',
      { reference_id: 'O-1', first_name: 'Olga', email: olga.email },
      'olga by reference_id',
    ],
    [
      'is not the twin whose reference was given by mistake',
      { ...asOlga, first_name: 'Nina', email: 'nina@example.com', reference_id: 'O-1' },
      'handed_on',
    ],
    ['nor who has the e-mail too', { reference_id: 'O-1', email: olga.email }, 'handed_on'],
    ['has not the reference of another', { reference_id: 'O-1', first_name: 'Olga' }, 'handed_on'],
    ['nor that of one who left', { reference_id: 'G-1', date_of_birth: greta.date_of_birth }, 'handed_on'],
    ['is who left with it', { ...asGreta, email: 'new@example.com', reference_id: 'G-1' }, 'greta by reference_id'],
    [
      'can not be told from somebody here with all but the e-mail',
      { ...asOlga, email: 'new@example.com' },
      'perhaps_repeated phone',
    ],
    [
      'nor by the ZIP code',
      { ...asOlga, email: 'new@example.com', phone: undefined },
      'perhaps_repeated address.zipcode',
    ],
    ['can by a reference of their own', { ...asOlga, email: 'new@example.com', reference_id: 'NEW' }, 'new'],
    ['has not one that was passed on', { reference_id: 'PASSED' }, 'handed_on'],
  ])
})

describe('somebody with nothing in common', () => {
  cases(stranger, [
    ['is new', {}, 'new'],
    ['is new with an unheard reference', { reference_id: 'NEW' }, 'new'],
    ['is new without e-mail, phone and address', nothing, 'new'],
    ['is new with the ZIP code of somebody', { address: olga.address }, 'new'],
    ['is new with the name of somebody', { first_name: 'Olga', last_name: 'Petrova' }, 'new'],
    ['is new with the birthday of somebody', { date_of_birth: olga.date_of_birth }, 'new'],
    [
      'is new with the ZIP code, birthday and last name: twins',
      { ...asOlga, ...nothing, first_name: 'Nina', address: olga.address },
      'new',
    ],
  ])
})

it('a phone of more than 20 people is an office: it matches by name and birthday, and is no evidence of a twin', () => {
  const shared = Array.from({ length: 21 }, (_, n) =>
    aMember(`shared${n}`, { phone: '2025550177', last_name: 'Yule', date_of_birth: '1999-09-09' }),
  )
  const all = new People([...shared, { ...ada, phone: '2025550177' }])
  const said = { ...asAda, ...nothing, phone: '2025550177' }
  expect(identify(said, all, register)).toMatchObject({ is: 'known', by: 'phone' })
  expect(identify({ ...stranger, phone: '2025550177' }, all, register)).toEqual({ is: 'new' })
})

describe('a row that repeats the details of an earlier one means the same person', () => {
  const repeats = (member: Member): Register => ({ ...register, repeated: () => member })
  const from = (member: Member, said: Partial<Candidate>) => told({ ...stranger, ...said }, repeats(member))
  it.each<[string, Member, Partial<Candidate>, string]>([
    ['with nothing else in common any more', olga, {}, 'olga by email'],
    ['by their reference', olga, { reference_id: 'O-1' }, 'olga by reference_id'],
    ['as a distinct person', olga, { distinct: true }, 'olga by email'],
    ['though their e-mail is that of another person now', olga, { email: ada.email }, 'olga by email'],
    ['but not by the reference of another', olga, { reference_id: 'G-1' }, 'handed_on'],
    ['nor by another reference than they have now', olga, { reference_id: 'O-2' }, 'ambiguous reference_id'],
    ['unless an id of ours says otherwise', olga, { member_id: 'ada' }, 'ada by member_id'],
  ])('%s', (_title, member, said, expected) => expect(from(member, said)).toBe(expected))
})

it('where references are free again, who left has nothing to do with whoever has theirs', () => {
  const free: Register = { ...register, keeps_references: false }
  expect(told({ ...stranger, reference_id: 'G-1' }, free)).toBe('new')
  expect(told({ ...stranger, reference_id: 'G-1', distinct: true }, free)).toBe('new')
  expect(told({ ...stranger, reference_id: 'G-1', member_id: 'ada' }, free)).toBe('ada by member_id')
  expect(told({ ...asGreta, email: undefined, phone: undefined, reference_id: 'G-1' }, free)).toBe(
    'greta by reference_id',
  )
  expect(told({ ...stranger, reference_id: 'O-1' }, free)).toBe('handed_on')
})

describe('of two candidates of one body', () => {
  it.each<[string, Partial<Candidate>, Partial<Candidate>, string | undefined]>([
    ['one reference', { reference_id: 'A' }, { ...asAda, reference_id: 'A' }, 'reference_id'],
    ['one person by id', { member_id: 'm' }, { ...asAda, member_id: 'm' }, 'member_id'],
    ['one employment', { employee_id: 'e' }, { ...asAda, employee_id: 'e' }, 'employee_id'],
    ['e-mail and names', {}, { phone: '2', address: undefined, email: 'XENIA@example.com' }, 'email'],
    [
      'e-mail and names, another birthday',
      {},
      { phone: '2', address: undefined, date_of_birth: '1950-01-01' },
      'email',
    ],
    ['father and son with one e-mail', {}, { phone: '2', date_of_birth: '1950-01-01', suffix: 'Sr.' }, undefined],
    ['a couple with one e-mail', {}, { first_name: 'Y', date_of_birth: '1950-01-01', phone: '2' }, undefined],
    ['twins with one e-mail', {}, { first_name: 'Y', phone: '2' }, undefined],
    ['names, birthday and phone', {}, { email: 'y@example.com', address: undefined }, 'phone'],
    ['the same with two references', { reference_id: 'A' }, { email: 'y@example.com', reference_id: 'B' }, 'phone'],
    ['names, birthday and ZIP', {}, { email: 'y@example.com', phone: '2' }, 'address.zipcode'],
    ['the same with one reference', { reference_id: 'A' }, { email: 'y@example.com', phone: '2' }, 'address.zipcode'],
    [
      'the same with two references',
      { reference_id: 'A' },
      { email: 'y@example.com', phone: '2', reference_id: 'B' },
      undefined,
    ],
    ['the same, one distinct', {}, { email: 'y@example.com', distinct: true }, undefined],
    ['the same, one named', {}, { email: 'y@example.com', member_id: 'm' }, undefined],
    ['nothing', {}, asAda, undefined],
  ])('%s', (_title, first, second, field) => {
    const [a, b] = [
      { ...stranger, ...first },
      { ...stranger, ...second },
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

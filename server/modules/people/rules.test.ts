import { describe, expect, it } from 'vitest'
import { foldName, isSomebodyElse, People, takenDetail, whoIs, withBlanksFilled, type Member } from './rules.ts'

describe('names', () => {
  it.each([
    ['José  NÚÑEZ', 'jose nunez'],
    ['Groß', 'GROSS'],
    ['Łukasz', 'lukasz'],
    ['Sørensen', 'SORENSEN'],
    ['Işık', 'ISIK'],
    ['Æsa', 'aesa'],
    ['Zoe\u0308', 'ZOË'],
    ['Đorđe', 'dorde'],
  ])('%s compares as %s', (one, other) => expect(foldName(one)).toBe(foldName(other)))

  it.each([
    ['रीना', 'रानी'],
    ['Ann', 'Anna'],
    ['ไม้', 'ไม'],
  ])('%s does not compare as %s', (one, other) => {
    expect(foldName(one)).not.toBe(foldName(other))
  })
})

describe('who somebody is', () => {
  const address = { address_line_1: '1 A', address_line_2: null, city: 'B', state: 'NY', zipcode: '12207-0001' }
  const ada: Member = {
    id: 'ada',
    first_name: 'Ada',
    last_name: 'Byron',
    suffix: null,
    email: 'ada@example.com',
    phone: '2025550101',
    date_of_birth: '1990-12-10',
    gender: null,
    address,
  }
  const people = new People([
    ada,
    { ...ada, id: 'twin', first_name: 'Eva', email: 'eva@example.com', phone: '2025550102' },
  ])
  const stranger = { first_name: 'X', last_name: 'Y', email: 'x@example.com', date_of_birth: '1970-01-01' }

  it.each([
    ['the same e-mail and birthday', { email: 'ADA@example.com', date_of_birth: '1990-12-10' }, ['ada']],
    ['the same e-mail and last name', { email: 'ada@example.com', last_name: 'BYRON' }, ['ada']],
    ['the same e-mail alone', { email: 'ada@example.com' }, []],
    [
      'birthday, names and phone',
      { first_name: 'ada', last_name: 'Býron', date_of_birth: '1990-12-10', phone: '2025550101' },
      ['ada'],
    ],
    [
      'birthday, names and ZIP',
      { first_name: 'Ada', last_name: 'Byron', date_of_birth: '1990-12-10', address: { ...address, zipcode: '12207' } },
      ['ada'],
    ],
    ['birthday and names alone', { first_name: 'Ada', last_name: 'Byron', date_of_birth: '1990-12-10' }, []],
    [
      'birthday, last name and ZIP of twins',
      { first_name: 'Ida', last_name: 'Byron', date_of_birth: '1990-12-10', address },
      [],
    ],
  ])('by %s', (_, said, found) => {
    expect(whoIs({ ...stranger, ...said }, [], people).map(({ id }) => id)).toEqual(found)
  })

  it('is never told by an e-mail address that nobody has', () => {
    const { email: _, ...unsaid } = { ...stranger, last_name: 'Byron' }
    const without = new People([{ ...ada, email: null }])
    expect(whoIs(unsaid, [], people)).toEqual([])
    expect(whoIs(unsaid, [], without)).toEqual([])
    expect(takenDetail({ email: null }, undefined, without)).toBeUndefined()
    expect(isSomebodyElse(unsaid, { ...ada, email: null })).toBe(true)
    expect(withBlanksFilled({ ...ada, email: null }, stranger).email).toBe(stranger.email)
  })

  it('is first of all who holds the reference', () => {
    expect(whoIs({ ...stranger, email: 'eva@example.com', last_name: 'Byron' }, [ada], people)).toEqual([ada])
  })
})

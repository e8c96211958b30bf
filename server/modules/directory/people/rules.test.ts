import { describe, expect, it } from 'vitest'
import { runToEnd } from '../../../kernel/concurrency/time-slices.ts'
import {
  differingFields,
  findDetailExchanges,
  max_namesakes,
  People,
  takenDetails,
  withBlanksFilled,
  type Member,
  newMember,
  sameMember,
  withDetails,
} from './rules.ts'
import { County } from '../../../kernel/fields.ts'
import { hashOfDetails } from '../../roster/employees/rules.ts'

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
const eva: Member = { ...ada, id: 'eva', first_name: 'Eva', email: 'eva@example.com', phone: '2025550102' }

describe('people', () => {
  it('are found by their current details only', () => {
    const people = new People([ada])
    people.put({ ...ada, email: 'NEW@example.com', phone: null, address: null, last_name: 'Lovelace' })
    expect(people.holderOfEmail('ada@example.com')).toBeUndefined()
    expect(people.holderOfEmail('new@example.com')?.id).toBe('ada')
    expect(people.holdersOfPhone(ada.phone)).toEqual([])
    expect(people.namesakes(ada).members()).toEqual([])
    expect(people.namesakes(ada).near('12207').size).toBe(0)
    expect(people.namesakes({ ...ada, last_name: 'Love-Lace' }).members()).toHaveLength(1)
  })

  it('with the same name and birthday are distinguished by ZIP code, regardless of how many there are', () => {
    const near = (people: People, zip: string) => [...people.namesakes(ada).near(zip)]
    const twin = { ...ada, id: 'twin', address: { ...address, zipcode: '10001' } }
    const people = new People([ada])
    expect([near(people, '12207'), near(people, '10001')]).toEqual([['ada'], []])
    people.put(twin)
    expect([near(people, '12207'), near(people, '10001')]).toEqual([['ada'], ['twin']])
    people.put({ ...twin, address })
    expect([near(people, '12207'), near(people, '10001')]).toEqual([['ada', 'twin'], []])
    people.put({ ...ada, address: null })
    expect(near(people, '12207')).toEqual(['twin'])
    expect(new People([{ ...ada, address: null }]).namesakes(ada).near(undefined).size).toBe(0)
  })

  it('can swap an email address one after the other', () => {
    const people = new People([ada, eva])
    people.put({ ...ada, email: eva.email })
    people.put({ ...eva, email: ada.email })
    expect([people.holderOfEmail(ada.email)?.id, people.holderOfEmail(eva.email)?.id]).toEqual(['eva', 'ada'])
  })

  it('are ambiguous with 21 or more namesakes, permanently', () => {
    const population = Array.from({ length: max_namesakes + 1 }, (_, at) => ({
      ...ada,
      id: `${at}`,
      email: null,
      phone: null,
    }))
    const people = new People(population.slice(1))
    expect(people.namesakes(ada).crowded).toBe(false)
    people.put(population[0]!)
    expect(people.namesakes(ada).crowded).toBe(true)
    people.put({ ...population[0]!, first_name: 'Other' })
    expect(people.namesakes(ada).crowded).toBe(true)
  })

  it('have their own email address, and their own phone unless they are distinct', () => {
    const people = new People([ada, eva])
    expect(takenDetails({ email: 'EVA@example.com' }, ada, people)).toEqual(['email'])
    expect(takenDetails({ phone: eva.phone }, ada, people)).toEqual(['phone'])
    expect(takenDetails({ phone: eva.phone }, undefined, people)).toEqual(['phone'])
    expect(takenDetails({ email: eva.email, phone: eva.phone }, ada, people)).toEqual(['email', 'phone'])
    expect(takenDetails({ phone: eva.phone, distinct: true }, undefined, people)).toEqual([])
    expect(takenDetails({ phone: eva.phone, email: eva.email }, eva, people)).toEqual([])
    expect(takenDetails({ email: null }, undefined, new People([{ ...ada, email: null }]))).toEqual([])
    const twin = { ...eva, id: 'twin', email: null, phone: ada.phone }
    expect(takenDetails({ phone: ada.phone }, twin, new People([ada, twin]))).toEqual([])
  })

  it('can swap details, and omit a phone number that its holder keeps', () => {
    const ben: Member = { ...ada, id: 'ben', email: 'ben@example.com', phone: '2025550103' }
    const people = new People([ada, eva, ben])
    const among = (...afters: Member[]) =>
      Object.fromEntries(
        runToEnd(
          findDetailExchanges(
            afters.map((after, at) => ({ at, member: people.get(after.id)!, after })),
            people,
          ),
        ),
      )
    const [of_eva, of_ada] = [
      { ...ada, email: eva.email, phone: eva.phone },
      { ...eva, email: ada.email, phone: ada.phone },
    ]
    expect(among(of_eva, of_ada)).toEqual({ 0: [], 1: [] })
    expect(among(of_eva, { ...eva, email: ada.email })).toEqual({ 0: ['phone'], 1: [] })
    expect(among(of_eva, { ...eva, phone: ada.phone })).toEqual({ 1: ['phone'] })
    // Ben keeps his phone, so Ada keeps hers, and therefore Eva keeps hers.
    expect(among({ ...ada, phone: ben.phone, email: 'new@example.com' }, of_ada)).toEqual({
      0: ['phone'],
      1: ['phone'],
    })
    expect(among({ ...ada, phone: '2025550109' }, { ...eva, phone: '2025550109' })).toEqual({ 0: [], 1: ['phone'] })
  })

  it('differ from a report in the reported fields', () => {
    expect(differingFields(ada, ada)).toEqual([])
    expect(differingFields({ first_name: 'Ada', email: undefined }, ada)).toEqual([])
    expect(differingFields({ ...eva, gender: 'Female', address: { ...address, city: 'C' } }, ada)).toEqual([
      'first_name',
      'email',
      'phone',
      'gender',
      'address',
    ])
    expect(differingFields({ address: { ...address, county: 'Cook' } }, ada)).toEqual(['address'])
    expect(differingFields({ address }, { ...ada, address: { ...address, county: 'Cook' } })).toEqual([])
  })

  it('keep their details when they are linked, and get the missing ones', () => {
    const input = { ...eva, address: { ...address, city: 'C' } }
    expect(withBlanksFilled({ ...ada, email: null, address: null }, input)).toEqual({
      ...ada,
      email: eva.email,
      address: input.address,
    })
    expect(withBlanksFilled(ada, input)).toEqual(ada)
  })
})

describe('a county', () => {
  const address = { address_line_1: '1 A', address_line_2: null, city: 'B', state: 'IL', zipcode: '60601' }
  const input = { first_name: 'Ada', last_name: 'Byron', date_of_birth: '1990-05-17' }
  const member = newMember('mbr_1', { ...input, address: { ...address, county: 'Cook' } })

  describe('the county of a person', () => {
    it.each([
      ['stays if a roster has the address without a county', address, 'Cook'],
      ['stays within a ZIP code', { ...address, address_line_1: '2 B', zipcode: '60601-1234' }, 'Cook'],
      ['is unknown in another ZIP code', { ...address, zipcode: '60002' }, undefined],
      ['is unknown in another state', { ...address, state: 'IN' }, undefined],
      ['is the reported one', { ...address, county: 'Lake' }, 'Lake'],
    ])('%s', (_, sent, county) => expect(withDetails(member, { address: sent }).address?.county).toBe(county))

    it('does not change if the same address is reported without it', () => {
      expect(sameMember(member, withDetails(member, { ...input, address }))).toBe(true)
      expect(sameMember(member, withDetails(member, { address: { ...address, county: 'Lake' } }))).toBe(false)
    })

    it('changes the hash of a report only if it is reported', () => {
      const hash = hashOfDetails({ ...input, address })
      expect(hashOfDetails({ ...input, address: { ...address, county: undefined } })).toBe(hash)
      expect(hashOfDetails({ ...input, address: { ...address, county: 'Cook' } })).not.toBe(hash)
    })

    it.each([
      ['Cook County', 'Cook'],
      ['cook  county', 'cook'],
      ['Orleans Parish', 'Orleans'],
      ['St. Louis city', 'St. Louis city'],
      ['County', 'County'],
    ])('is normalized to %s', (sent, county) => expect(County.parse(sent)).toBe(county))
  })
})

import { describe, expect, it } from 'vitest'
import { County } from '../../../kernel/fields.ts'
import { hashOfDetails } from '../../roster/employees/rules.ts'
import { newMember, sameMember, withDetails } from './rules.ts'

const address = { address_line_1: '1 A', address_line_2: null, city: 'B', state: 'IL', zipcode: '60601' }
const said = { first_name: 'Ada', last_name: 'Byron', date_of_birth: '1990-05-17' }
const member = newMember('mbr_1', { ...said, address: { ...address, county: 'Cook' } })

describe('the county of a person', () => {
  it.each([
    ['stays when a roster tells the address without it', address, 'Cook'],
    ['stays within a ZIP code', { ...address, address_line_1: '2 B', zipcode: '60601-1234' }, 'Cook'],
    ['is not known of another ZIP code', { ...address, zipcode: '60002' }, undefined],
    ['is not known of another state', { ...address, state: 'IN' }, undefined],
    ['is the one that is told', { ...address, county: 'Lake' }, 'Lake'],
  ])('%s', (_, sent, county) => expect(withDetails(member, { address: sent }).address?.county).toBe(county))

  it('is no change when the same address comes again without it', () => {
    expect(sameMember(member, withDetails(member, { ...said, address }))).toBe(true)
    expect(sameMember(member, withDetails(member, { address: { ...address, county: 'Lake' } }))).toBe(false)
  })

  it('changes the hash of what was told only where it is told', () => {
    const hash = hashOfDetails({ ...said, address })
    expect(hashOfDetails({ ...said, address: { ...address, county: undefined } })).toBe(hash)
    expect(hashOfDetails({ ...said, address: { ...address, county: 'Cook' } })).not.toBe(hash)
  })

  it.each([
    ['Cook County', 'Cook'],
    ['cook  county', 'cook'],
    ['Orleans Parish', 'Orleans'],
    ['St. Louis city', 'St. Louis city'],
    ['County', 'County'],
  ])('is said as %s', (sent, county) => expect(County.parse(sent)).toBe(county))
})

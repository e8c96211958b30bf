import { describe, expect, it } from 'vitest'
import { County } from '../../../kernel/fields.ts'
import { hashOfDetails } from '../../roster/employees/rules.ts'
import { newMember, sameMember, withDetails } from './rules.ts'

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

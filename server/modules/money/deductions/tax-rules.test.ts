import { describe, expect, it } from 'vitest'
import { taxOf, type TaxFacts } from './tax-rules.ts'

describe('what is taken', () => {
  const facts: TaxFacts = { category: 'Medical', coverage_start: '2027-01-01', hired_on: '2020-01-01', arrivals: [] }
  const birth = { occurred_on: '2027-03-10', start: '2027-03-10', end: '2027-04-09' }
  it.each<[string, Partial<TaxFacts>, string, string, string]>([
    ['elected before the month', {}, '2027-03-01', '2027-02-28', 'Pre-tax'],
    ['elected before tax in every category', { category: 'Vision' }, '2027-03-01', '2027-02-28', 'Pre-tax'],
    ['for hospital', { category: 'Hospital' }, '2027-03-01', '2027-02-28', 'Post-tax'],
    ['elected on the 1st', {}, '2027-03-01', '2027-03-01', 'Post-tax'],
    ['elected later', {}, '2027-03-01', '2027-04-15', 'Post-tax'],
    ['of a later month, elected late', {}, '2027-05-01', '2027-04-15', 'Pre-tax'],
    ['elected after a birth', { arrivals: [birth] }, '2027-04-01', '2027-04-05', 'Pre-tax'],
    ['of the month of a birth', { arrivals: [birth] }, '2027-03-01', '2027-04-05', 'Pre-tax'],
    ['of a month before a birth', { arrivals: [birth] }, '2027-02-01', '2027-04-05', 'Post-tax'],
    ['elected after the window of a birth', { arrivals: [birth] }, '2027-04-01', '2027-04-10', 'Post-tax'],
    [
      'elected by a new hire within 30 days',
      { hired_on: '2027-03-01', coverage_start: '2027-03-01' },
      '2027-03-01',
      '2027-03-31',
      'Pre-tax',
    ],
    [
      'elected by a new hire on the 31st day',
      { hired_on: '2027-03-01', coverage_start: '2027-03-01' },
      '2027-03-01',
      '2027-04-01',
      'Post-tax',
    ],
    [
      'elected by a new hire who waited',
      { hired_on: '2027-03-01', coverage_start: '2027-04-01' },
      '2027-04-01',
      '2027-04-02',
      'Post-tax',
    ],
    ['of who was hired nobody knows when', { hired_on: null }, '2027-03-01', '2027-03-02', 'Post-tax'],
  ])('%s', (_, said, month, elected_on, tax) => {
    expect(taxOf({ ...facts, ...said }, month, { elected_on })).toBe(tax)
  })
})

it('is taken after tax for what was bought on an exchange', () => {
  const facts: TaxFacts = { category: 'Medical', coverage_start: '2027-01-01', hired_on: null, arrivals: [] }
  expect(taxOf(facts, '2027-03-01', { elected_on: '2027-01-01', bought_on_exchange: true })).toBe('Post-tax')
})

import { describe, expect, it } from 'vitest'
import { figuresOf } from '../../directory/ichra/figure-rules.ts'
import { countOffers, exposureInCents, exposureOf, passesOfferTest, reductionOf, type OfferedMonth } from './rules.ts'

const full_time = { status: 'full_time', is_offered: true, is_protected: true } as const
const without_offer = { status: 'full_time', is_offered: false, is_protected: false } as const
const unaffordable = { status: 'full_time', is_offered: true, is_protected: false } as const
const times = (count: number, month: OfferedMonth): OfferedMonth[] => Array.from({ length: count }, () => month)
const paymentsOf = (year: number) => figuresOf(year, []).assessable_payments!
const monthOf = (people: OfferedMonth[], year = 2026) => exposureOf(countOffers(people), paymentsOf(year))
const yearOf = (people: OfferedMonth[], year = 2026) =>
  exposureInCents(Array.from({ length: 12 }, () => monthOf(people, year)))

describe('the offer test of a month (54.4980H-4(a))', () => {
  it.each([
    ['passes with an offer to 95 of 100', [...times(95, full_time), ...times(5, without_offer)], true],
    ['fails with an offer to 94 of 100', [...times(94, full_time), ...times(6, without_offer)], false],
    [
      'passes if five of 20 have no offer, because five is greater than five percent',
      [...times(15, full_time), ...times(5, without_offer)],
      true,
    ],
    ['fails if six of 20 have no offer', [...times(14, full_time), ...times(6, without_offer)], false],
    ['passes with an offer to 950 of 1,000', [...times(950, full_time), ...times(50, without_offer)], true],
    ['fails with an offer to 949 of 1,000', [...times(949, full_time), ...times(51, without_offer)], false],
    ['passes without full-time employees', times(40, { ...without_offer, status: 'part_time' }), true],
    [
      'leaves out employees in a limited non-assessment period',
      [...times(10, full_time), ...times(30, { ...without_offer, status: 'limited_non_assessment' })],
      true,
    ],
    ['leaves out people who are not employed', times(30, { ...without_offer, status: 'not_employed' }), true],
  ])('%s', (_, people, passes) => expect(passesOfferTest(countOffers(people))).toBe(passes))

  it('counts full-time employees, offers and those without protection', () =>
    expect(countOffers([full_time, without_offer, unaffordable, { ...without_offer, status: 'part_time' }])).toEqual({
      full_time_count: 3,
      offered_count: 2,
      unprotected_count: 2,
    }))
})

describe('the exposure', () => {
  it('of 100 full-time employees without offers in 2026 is $233,800', () =>
    expect(yearOf(times(100, without_offer))).toBe(23_380_000))

  it('of 100 full-time employees without offers in 2027 is $264,600', () =>
    expect(yearOf(times(100, without_offer), 2027)).toBe(26_460_000))

  it('of ten employees with unaffordable offers among 100 in 2026 is $50,100', () =>
    expect(yearOf([...times(90, full_time), ...times(10, unaffordable)])).toBe(5_010_000))

  it('of ten employees with unaffordable offers among 100 in 2027 is $56,700', () =>
    expect(yearOf([...times(90, full_time), ...times(10, unaffordable)], 2027)).toBe(5_670_000))

  it('of unaffordable offers is at most that of no offers (54.4980H-5(a))', () =>
    expect(yearOf(times(100, unaffordable))).toBe(23_380_000))

  it('is zero if every full-time employee is covered or has an affordable offer', () => {
    expect(monthOf(times(100, full_time))).toEqual({ kind: 'none', employee_count: 0, twelfths: 0 })
    expect(yearOf(times(100, full_time))).toBe(0)
  })

  it('is zero below 31 full-time employees without offers', () => expect(yearOf(times(30, without_offer))).toBe(0))

  it('of one month is one twelfth, rounded to the cent', () =>
    expect(exposureInCents([monthOf(times(31, without_offer))])).toBe(27_833))
})

describe('the reduction by 30 in an aggregated ALE group (54.4980H-4(e))', () => {
  it.each([
    ['is 30 for a single member', 100, 100, 30],
    ['is shared by full-time employees', 75, 100, 23],
    ['is rounded up', 25, 100, 8],
    ['is zero in a group without full-time employees', 0, 0, 0],
  ])('%s', (_, own, group, reduction) => expect(reductionOf(own, group)).toBe(reduction))

  it('applies to the exposure of the member', () => {
    const test = countOffers(times(75, without_offer))
    expect(exposureInCents([exposureOf(test, [1_200, 2_400], 100)])).toBe((75 - 23) * 10_000)
  })
})

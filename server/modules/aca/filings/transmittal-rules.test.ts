import { describe, expect, it } from 'vitest'
import type { YearCounts } from '../forms/derivation-rules.ts'
import { listedMembers, transmittalOf } from './transmittal-rules.ts'

const countsOf = (full_time_count: number, offered_count: number, affordable_form_count = 98): YearCounts => ({
  form_count: 100,
  affordable_form_count,
  unreported_hours_count: 0,
  unreported_ids: [],
  has_qualifying_offer: false,
  months: Array.from({ length: 12 }, () => ({
    full_time_count,
    offered_count,
    unprotected_count: 0,
    total_count: full_time_count + 5,
  })),
})
const alone = { uses_98_percent_method: false, form_type: '1095-C', other_member_count: 0 } as const

describe('Form 1094-C', () => {
  it('indicates an offer to 95 percent of full-time employees, with the counts of each month', () => {
    const [month] = transmittalOf(countsOf(200, 190), alone).months
    expect(month).toMatchObject({
      minimum_essential_coverage: { value: true, reason: '190 of 200 full-time employees were offered coverage.' },
      full_time_count: { value: 200 },
      total_count: { value: 205 },
    })
    expect(transmittalOf(countsOf(200, 189), alone).months[0]!.minimum_essential_coverage.value).toBe(false)
  })

  it('leaves the full-time counts empty by the 98% Offer Method, if the employer is eligible', () => {
    const used = { ...alone, uses_98_percent_method: true }
    const eligible = transmittalOf(countsOf(200, 190), used)
    expect([eligible.uses_98_percent_method.value, eligible.months[0]!.full_time_count.value]).toEqual([true, null])
    const missed = transmittalOf(countsOf(200, 190, 97), used)
    expect([missed.uses_98_percent_method.value, missed.months[0]!.full_time_count.value]).toEqual([false, 200])
  })

  it('lists at most 30 other members of the group, those with the most full-time employees first', () => {
    const members = Array.from({ length: 40 }, (_, size) => ({ size, counts: countsOf(size, 0) }))
    const listed = listedMembers([{ size: -1, counts: null }, ...members])
    expect(listed.map(({ size }) => size)).toEqual(Array.from({ length: 30 }, (_, at) => 39 - at))
  })
})

describe('Form 1094-B', () => {
  it('has only the number of forms', () => {
    const { form_count, months, ...flags } = transmittalOf(countsOf(20, 20), { ...alone, form_type: '1095-B' })
    expect([form_count.value, months]).toEqual([100, []])
    for (const { value } of Object.values(flags)) expect(value).toBe(false)
  })
})

import { describe, expect, it } from 'vitest'
import { monthsAfter } from '../../../kernel/days.ts'
import { equivalent_hundredths, largeEmployerStatus, type MonthlyWorkforce } from './rules.ts'

/** Some employees with the same hours of service in a month. */
type Group = { count: number; hours: number; seasonal?: boolean }

function workforceOf(groups: Group[], month: string): MonthlyWorkforce {
  const sum = (chosen: Group[], value: (group: Group) => number) =>
    chosen.reduce((total, group) => total + group.count * value(group), 0)
  const full_time = groups.filter(({ hours }) => hours >= 130)
  const others = groups.filter(({ hours }) => hours < 130)
  const capped = ({ hours }: Group) => Math.min(hours * 100, equivalent_hundredths)
  return {
    month,
    full_time_count: sum(full_time, () => 1),
    seasonal_full_time_count: sum(
      full_time.filter(({ seasonal }) => seasonal),
      () => 1,
    ),
    part_time_hundredths: sum(others, capped),
    seasonal_part_time_hundredths: sum(
      others.filter(({ seasonal }) => seasonal),
      capped,
    ),
  }
}

/** The status by the workforce of each month of 2015. */
const status = (groupsOf: (month: number) => Group[]) =>
  largeEmployerStatus(
    Array.from({ length: 12 }, (_, index) => workforceOf(groupsOf(index + 1), monthsAfter('2015-01-01', index))),
  )

const full_time = (count: number) => ({ count, hours: 152 })
const seasonal = (count: number, hours = 152) => ({ count, hours, seasonal: true })

/** The examples of 54.4980H-2(d). Later ones are about the expectations of a new employer, which are not modeled. */
describe('54.4980H-2(d)', () => {
  it('Example 1: counts the employees of a controlled group together', () => {
    expect(status(() => [full_time(40)])).toMatchObject({ is_large: false, reason: 'fewer_than_50' })
    expect(status(() => [full_time(40), full_time(60)])).toMatchObject({ is_large: true, average_count: 100 })
  })

  it('Example 2: 20 full-time employees and 40 with 90 hours a month are 50 employees', () => {
    const result = status(() => [full_time(20), { count: 40, hours: 90 }])
    expect(result).toMatchObject({ is_large: true, reason: 'at_least_50', average_count: 50 })
    expect(result.months[0]).toMatchObject({ full_time_count: 20, equivalents_in_hundredths: 3000 })
    expect(result.months_above, 'months with more than 50').toEqual([])
  })

  it('Example 3: 80 seasonal workers in four months do not make an employer of 40 large', () => {
    const result = status((month) => [full_time(40), ...(month >= 9 ? [seasonal(80)] : [])])
    expect(result).toMatchObject({ is_large: false, reason: 'seasonal_worker_exception', average_count: 66 })
    expect(result.months_above).toEqual(['2015-09-01', '2015-10-01', '2015-11-01', '2015-12-01'])
  })

  it('Example 4: a fifth month above 50 ends the exception', () => {
    const result = status((month) => [
      full_time(40),
      ...(month === 8 ? [seasonal(20, 120)] : []),
      ...(month >= 9 ? [seasonal(80)] : []),
    ])
    expect(result).toMatchObject({ is_large: true, reason: 'at_least_50', average_count: 68 })
  })
})

describe('54.4980H-2', () => {
  it('(b)(2): the seasonal exception does not apply if other employees alone exceed 50', () => {
    const result = status((month) => [full_time(40), ...(month >= 9 ? [full_time(11), seasonal(69)] : [])])
    expect(result).toMatchObject({ is_large: true, reason: 'at_least_50' })
  })

  it('(c)(2): counts at most 120 hours of an employee', () => {
    expect(status(() => [{ count: 60, hours: 129 }])).toMatchObject({ average_count: 60 })
  })

  it('(b)(1): rounds the average down', () => {
    expect(status((month) => [full_time(month === 1 ? 49 : 50)])).toMatchObject({ is_large: false, average_count: 49 })
  })

  it('(c)(2): rounds equivalents to hundredths', () => {
    expect(status(() => [{ count: 1, hours: 100 }]).months[0]!.equivalents_in_hundredths).toBe(83)
  })
})

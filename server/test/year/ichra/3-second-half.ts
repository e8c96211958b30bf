// January to July 2027: a mistake, and everyone a year older.

import { expect, it } from 'vitest'
import { pick, sure } from '../../pick.ts'
import { done } from '../employer-client.ts'
import { studio, affordable, area } from './1-offered.ts'

it('terminates Quinn by mistake for a namesake on January 20', async () => {
  await studio.until('2027-01-20')
  await studio.news()
  done(await studio.requests('Quinn', 'terminate', { termination_date: '2027-01-19' }))
  expect(await studio.status('Quinn')).toContain(
    'Own Choice 2026, enrolled, Silver, EE, from 2026-07-01, until 2027-01-31',
  )
  await studio.until('2027-02-04')
  expect(Object.keys(await studio.paycheck('2027-02-15'))).toEqual(['Omar', 'Priya', 'Tomas', 'Una', 'Wanda'])
  expect(Object.keys(await studio.bill('2027-02'))).not.toContain('Quinn')
})

it('reinstates Quinn without a gap on February 5, and deducts and bills February', async () => {
  await studio.until('2027-02-05')
  done(await studio.requests('Quinn', 'reinstate', { reason: 'It was a different person' }))
  expect(await studio.status('Quinn')).toContain('Own Choice 2026, enrolled, Silver, EE, from 2026-07-01')
  expect((await studio.news())['2027-02-05']).toEqual(
    expect.arrayContaining(['Quinn: employee.reinstated', "Quinn's Own Choice 2026: enrollment.reinstated"]),
  )
  await studio.until('2027-03-01')
  expect(await studio.paycheck('2027-02-28')).toMatchObject({
    Quinn: 'Own Choice 75.00, Own Choice correction 75.00',
  })
  expect(await studio.bill('2027-03')).toMatchObject({
    total: '4905.00, of it employees 1455.00',
    Quinn: 'Own Choice EE 600.00, Own Choice adjustment of 2027-02 EE 600.00',
  })
  expect(await studio.reconciles('2027-03')).toBe(true)
})

it('is renewed in March for July, at the premiums that the carriers have filed by then', async () => {
  await studio.until('2027-03-15')
  // Texas costs 10.50 for each year of age starting in July. The other areas are unchanged.
  await studio.stock(area({ state: 'TX' }, 1_050, '2027-07-01'))
  const window = { open_enrollment_start: '2027-05-01', open_enrollment_end: '2027-05-31' }
  const id = await studio.renews(sure(studio.years.get('2026')), '2027', window)
  const years = done(await studio.api.get(`/v1/employers/${studio.employer_id}/benefit-plan-years`)).data
  expect(pick(years, (year) => year.id === id)).toMatchObject({ notice_due_on: '2027-04-02', renewal: 'passive' })
  const renewal = await studio.renewal('2027', 'Silver')
  expect(renewal).toMatchObject({
    // 56 × 9.00; 34 and 63 in New York; 26 × 12.00; 64 × 9.00; 28 × 9.00.
    Omar: 'carried Silver EE 504.00, of it 54.00',
    Quinn: 'carried Silver EE 600.00, of it 150.00',
    Rosa: 'carried Silver EE 312.00, of it 12.00',
    Tomas: 'carried Silver EE 576.00, of it 126.00',
    Una: 'carried Silver EE 252.00, of it 102.00',
    Viktor: 'carried waived',
    Wanda: 'carried Silver EE 600.00, of it 300.00',
    // 38 + 40 + 24 + 21, and those now below 21: 18 + 15 + 14. That is 170 years at 10.50.
    Priya: 'carried Silver EF 1785.00, of it 885.00',
  })
  // Sven's own plan continues at the premium that he reported.
  expect(await studio.renewal('2027', 'Bought')).toMatchObject({ Sven: 'carried Bought EE 410.00, of it 0.00' })
})

it('carries over employees without a submission on June 1, and enrolls Una with her husband', async () => {
  await studio.until('2027-05-10')
  await studio.brings('Una', ['spouse', 'Yann', '1997-07-01'])
  // 28 + 30 on July 1, at 9.00.
  expect(await studio.elects('Una', 'Silver', 'ES')).toMatchObject({
    premium_in_cents: 52_200,
    employee_deduction_in_cents: 37_200,
  })
  await studio.news()
  await studio.until('2027-06-01')
  const { '2027-06-01': today = [] } = await studio.news()
  for (const name of ['Omar', 'Priya', 'Quinn', 'Rosa', 'Tomas', 'Viktor', 'Wanda'])
    expect(today).toContain(`${name}'s Own Choice 2027: enrollment.renewed`)
  expect(today).not.toContain("Una's Own Choice 2027: enrollment.renewed")
})

it('begins its second plan year at the new price of each employee', async () => {
  await studio.until('2027-07-01')
  expect(await studio.paycheck('2027-06-30')).toMatchObject({ Omar: 'Own Choice 22.50', Una: 'Own Choice 46.50' })
  expect(await studio.paycheck('2027-07-15')).toEqual({
    Omar: 'Own Choice 27.00',
    Priya: 'Own Choice 442.50',
    Quinn: 'Own Choice 75.00',
    Rosa: 'Own Choice 6.00',
    Tomas: 'Own Choice 63.00 post-tax',
    Una: 'Own Choice 186.00',
    Wanda: 'Own Choice 150.00',
  })
  expect(await studio.bill('2027-07')).toEqual({
    // 54.00 + 885.00 + 150.00 + 12.00 + 126.00 + 372.00 + 300.00
    total: '4899.00, of it employees 1899.00',
    Omar: 'Own Choice EE 504.00',
    Priya: 'Own Choice EF 1785.00',
    Quinn: 'Own Choice EE 600.00',
    Rosa: 'Own Choice EE 312.00',
    Tomas: 'Own Choice EE 576.00',
    Una: 'Own Choice ES 522.00',
    Wanda: 'Own Choice EE 600.00',
  })
  expect(await studio.reconciles('2027-07')).toBe(true)
  // The required contribution percentage of 2027 will come with a later release, so affordability is unknown.
  expect(new Set(Object.values(await affordable(studio, '2027')))).toEqual(new Set([null]))
})

import { fixed, share, type Employer } from './employer.ts'
import type { Timeline } from './timeline.ts'

const staff = [
  ['Agnes Brandt', '1984-03-02', '2016-05-02'],
  ['Bo Chen', '1996-07-30', '2021-09-13'],
  ['Clara Dunn', '1999-01-12', '2022-04-04'],
  ['Dov Eisen', '1990-10-10', '2019-02-18'],
  ['Elsa Falk', '1975-05-21', '2016-05-02'],
  ['Femi Garba', '1988-12-01', '2020-08-24'],
  ['Gil Hart', '2002-02-20', '2023-06-05'],
  ['Hana Sato', '1994-06-06', '2021-01-11'],
  ['Ivo Jonas', '1998-08-18', '2022-10-03'],
  ['Jun Kato', '2001-11-03', '2023-03-20'],
  ['Kei Lund', '1993-09-09', '2018-07-16'],
  ['Nora Olsen', '1980-04-14', '2017-11-06'],
] as const

/**
 * A café of twelve that was taken over in its plan year, pays more since an amendment, and is in renewal. Eleven
 * employees are carried over. Nora is not, because her plan ends.
 */
export function timelineOfTheCafe(timeline: Timeline, cafe: Employer): void {
  takeOver(timeline, cafe)
  makesMistakes(timeline, cafe)
  paysMore(timeline, cafe)
  renew(timeline, cafe)
}

/** The employees report their elections with the café's previous administrator. */
function takeOver({ day }: Timeline, cafe: Employer): void {
  cafe.settles(day(-6, 3), { pay_frequency: 'monthly', arrears_limit_percent: 50 })
  cafe.startsAdministration(day(-6, 3), day(-5, 1))
  cafe.adopts(day(-6, 3), { classification: 'full_time', waiting_period: '60_days', start_alignment: 'first_of_month' })
  for (const [name, date_of_birth, start_date] of staff)
    cafe.hires(day(-6, 4), name, date_of_birth, start_date, { compensation_type: 'Hourly' })
  cafe.offers(day(-6, 6), { coverage_start: day(-11, 1) }, [
    { benefit: 'Essential Care', ...share(62.5, 50) },
    { benefit: 'Dental', ...fixed(1_000) },
  ])
  for (const name of ['Agnes', 'Bo', 'Femi']) cafe.chooses(day(-6, 8), name, { 'Essential Care Base': 'EE' })
  for (const [name] of staff) {
    const [first_name] = name.split(' ') as [string]
    cafe.chooses(day(-6, 9), first_name, { [first_name === 'Nora' ? 'Brightside DHMO' : 'Brightside PPO']: 'EE' })
  }
  for (let month = -5; month <= -1; month++) cafe.pays(day(month, 24))
}

/**
 * One roster omitted Ivo, and the next one included him again. Payroll could not deduct Femi's share during her unpaid
 * leave.
 */
function makesMistakes({ day, turns }: Timeline, cafe: Employer): void {
  cafe.connects(day(-4, 2), { source: 'csv', provider: 'paylocity', provider_label: 'Paylocity' })
  cafe.syncs(day(-4, 2))
  cafe.syncsWithout(day(-2, 5), 'Ivo')
  turns(day(-2, 6))
  cafe.syncs(day(-2, 9))
  cafe.takesNothing(day(-1, 26), 'Femi', 'Dental')
}

/** The café pays 75 % for employees who enroll alone, since two months ago and in the next plan year. */
const amended = share(75, 50)

function paysMore({ day }: Timeline, cafe: Employer): void {
  const reason = 'The café pays more for employees who enroll alone'
  cafe.amends(day(-3, 10), day(-2, 1), reason, [{ benefit: 'Essential Care', ...amended }])
}

/** Employees who submit nothing keep their coverage from next month on. Brightside DHMO is no longer offered. */
function renew({ day }: Timeline, cafe: Employer): void {
  const window = { open_enrollment_start: day(-1, 1), open_enrollment_end: day(-1, 14) }
  cafe.renews(day(-2, 20), window, [
    { benefit: 'Essential Care', ...amended },
    { benefit: 'Dental', plans: ['Brightside PPO'], ...fixed(1_000) },
  ])
}

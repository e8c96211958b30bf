import { fixed, share, type Employer } from './employer.ts'
import type { Timeline } from './timeline.ts'

/** The bakery is in its second plan year. Its people cover the possible states of an enrollment. */
export function timelineOfTheBakery(timeline: Timeline, bakery: Employer): void {
  firstYear(timeline, bakery)
  secondYear(timeline, bakery)
  reportLifeEvents(timeline, bakery)
  hireAndTerminate(timeline, bakery)
  invoicesCome(timeline, bakery)
}

/**
 * Last plan year, which has ended: Amara covers her family, Ben and Dmitri only themselves, and Edith a son who turns
 * 26 soon.
 */
function firstYear({ day }: Timeline, bakery: Employer): void {
  bakery.adopts(day(-17, 6), { classification: 'full_time', waiting_period: 'first_of_following_month' })
  const details = { compensation_type: 'Salary', gender: 'Female', phone: '5185550101' } as const
  bakery.hires(day(-17, 9), 'Amara Nwosu', '1984-02-29', '2019-04-01', details)
  bakery.hires(day(-17, 9), 'Ben Castillo', '1991-07-04', '2022-08-15', { compensation_type: 'Hourly' })
  bakery.hires(day(-17, 9), 'Dmitri Volkov', '1979-03-30', '2020-11-02')
  bakery.hires(day(-17, 9), 'Edith Larsen', '1961-09-08', '2014-02-10', { compensation_type: 'Salary' })
  bakery.hires(day(-17, 9), 'Farid Rahimi', '1995-05-12', day(-18, 20), { employee_class: 'Seasonal' })

  const election = { open_enrollment_start: day(-16, 1), open_enrollment_end: day(-16, 14) }
  bakery.offers(day(-17, 20), { coverage_start: day(-15, 1), ...election }, [
    { benefit: 'Essential Care', ...share(100, 50) },
    { benefit: 'Dental', ...fixed(2_000) },
  ])
  family(bakery, 'Amara', day(-16, 2), [
    ['spouse', 'Chidi', 'Nwosu', '1983-10-11'],
    ['child', 'Ada', 'Nwosu', '2013-05-20'],
    ['child', 'Obi', 'Nwosu', '2017-12-03'],
  ])
  bakery.chooses(day(-16, 2), 'Amara', { 'Essential Care Base': 'EF', 'Brightside PPO': 'EF' })
  bakery.chooses(day(-16, 3), 'Ben', { 'Essential Care Base': 'EE', 'Brightside PPO': 'waived' })
  bakery.chooses(day(-16, 8), 'Dmitri', { 'Essential Care Base': 'EE' })
  const birthday = day(1, 10)
  family(bakery, 'Edith', day(-16, 9), [
    ['child', 'Nils', 'Larsen', `${Number(birthday.slice(0, 4)) - 26}${birthday.slice(4)}`],
  ])
  bakery.chooses(day(-16, 9), 'Edith', { 'Essential Care Base': 'EC', 'Brightside PPO': 'EC' })
}

/**
 * This year, there is a second shop and vision coverage, Ben works part time, and benefits are limited to three states.
 */
function secondYear({ day }: Timeline, bakery: Employer): void {
  bakery.changes(day(-5, 12), 'Ben', { employee_class: 'Part Time' })
  bakery.offers(
    day(-5, 20),
    {
      coverage_start: day(-3, 1),
      open_enrollment_start: day(-4, 1),
      open_enrollment_end: day(-4, 14),
      offered_states: ['NY', 'NJ', 'CT'],
    },
    [
      { benefit: 'Essential Care', ...share(100, 50) },
      { benefit: 'Dental', ...fixed(2_000) },
      { benefit: 'Vision', ...share(50, 50) },
    ],
  )
  bakery.hires(day(-4, 2), 'Gwen Ito', '1988-01-17', day(-4, 1))
  bakery.hires(day(-4, 2), 'Henrik Solberg', '1975-08-30', day(-4, 1))
  bakery.hires(day(-4, 2), 'Imani Brooks', '1993-11-05', day(-4, 1))
  bakery.hires(day(-4, 2), 'Jonas Weber', '1986-04-21', day(-4, 1))
  bakery.hires(day(-4, 2), 'Luis Ortega', '1998-02-14', day(-4, 1))
  family(bakery, 'Gwen', day(-4, 5), [['spouse', 'Ren', 'Ito', '1987-07-07']])
  family(bakery, 'Henrik', day(-4, 6), [['spouse', 'Astrid', 'Solberg', '1976-03-03']])

  const [medical, dental, vision] = ['Essential Care Base', 'Brightside PPO', 'Clearview Basic'] as const
  bakery.chooses(day(-4, 4), 'Amara', { [medical]: 'EF', [dental]: 'EF', [vision]: 'waived' })
  bakery.chooses(day(-4, 5), 'Gwen', { [medical]: 'ES' })
  bakery.chooses(day(-4, 6), 'Henrik', { [medical]: 'ES', [vision]: 'ES' })
  bakery.chooses(day(-4, 7), 'Imani', { [medical]: 'EE' })
  bakery.chooses(day(-4, 7), 'Dmitri', { [medical]: 'EE', [dental]: 'EE' })
  bakery.chooses(day(-4, 12), 'Edith', { [medical]: 'EC', [dental]: 'EC' })
  const found = 'Elected on paper within the window; the form was found later.'
  // Early enough that a deduction statement has included the missed amount by today.
  for (const plan of [medical, dental]) bakery.corrects(day(-1, 10), 'Luis', plan, found)
}

/** Gwen is divorced, Imani has a daughter, Jonas's late request is declined, and Farid's is open. */
function reportLifeEvents({ day, ago }: Timeline, bakery: Employer): void {
  bakery.reports(day(-3, 12), 'Gwen', { type: 'divorce', occurred_on: day(-3, 10) })
  bakery.ends(day(-3, 12), 'Ren')
  bakery.approves(day(-3, 14), "Gwen's divorce")
  bakery.chooses(day(-3, 16), 'Gwen', { 'Essential Care Base': 'EE' })

  family(bakery, 'Imani', ago(19), [['child', 'Zuri', 'Brooks', ago(20)]])
  bakery.reports(ago(19), 'Imani', { type: 'birth', occurred_on: ago(20), description: 'A daughter, Zuri' })
  bakery.approves(ago(8), "Imani's birth")
  bakery.chooses(ago(6), 'Imani', { 'Essential Care Base': 'EC' })

  bakery.reports(ago(12), 'Jonas', { type: 'other', occurred_on: ago(12), description: 'Would like dental after all' })
  bakery.declines(
    ago(10),
    "Jonas's other",
    'A change of mind is not a qualifying life event. Choose in open enrollment.',
  )
}

/**
 * People who left before and after coverage began, returned, will leave soon, live in another state, or have just
 * started.
 */
function hireAndTerminate({ day, ago }: Timeline, bakery: Employer): void {
  bakery.loses(day(-3, 21), 'Farid', day(-3, 20), 'End of season')
  bakery.rehires(day(-1, 6), 'Farid', { employee_class: 'Full Time' })
  bakery.chooses(day(-1, 8), 'Farid', {
    'Essential Care Base': 'waived',
    'Brightside PPO': 'waived',
    'Clearview Basic': 'waived',
  })
  bakery.reports(ago(2), 'Farid', { type: 'loss_of_coverage', occurred_on: ago(4) })

  bakery.hires(day(-2, 9), 'Mira Patel', '1997-09-27', day(-2, 9))
  bakery.chooses(day(-2, 10), 'Mira', { 'Essential Care Base': 'EE' })
  bakery.loses(day(-2, 21), 'Mira', day(-2, 20), 'Found something else')

  const address = { address_line_1: '5 Maple St', city: 'Bennington', state: 'VT', zipcode: '05201' }
  bakery.hires(day(-2, 9), 'Kavya Rao', '1990-12-12', day(-2, 9), { address })
  bakery.loses(day(-1, 19), 'Dmitri', day(-1, 18), 'Moved away')
  bakery.loses(ago(5), 'Edith', ago(-30), 'Retires')

  // The day is always in the current month, so that coverage begins next month.
  const begin = ago(9) > day(0, 1) ? ago(9) : day(0, 1)
  bakery.hires(begin, 'Chloe Ek', '2001-11-19', begin, { phone: '5185550103' })
  bakery.chooses(begin, 'Chloe', { 'Essential Care Base': 'EE' })
}

/**
 * The bakery paid each invoice in its month until three months ago. The current one was drafted again after Imani added
 * her daughter.
 */
function invoicesCome({ day, ago }: Timeline, bakery: Employer): void {
  for (let month = -15; month <= -3; month++) bakery.pays(day(month, 20))
  bakery.redrafts(ago(1))
}

type Relative = [relationship: 'spouse' | 'child', first_name: string, last_name: string, date_of_birth: string]

/** An employee adds family members. */
function family(bakery: Employer, name: string, day: string, relatives: Relative[]): void {
  for (const [relationship, first_name, last_name, date_of_birth] of relatives)
    bakery.adds(day, name, { relationship, first_name, last_name, date_of_birth })
}

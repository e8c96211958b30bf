import { submitCensus } from '../../modules/roster/census/actions.ts'
import { stageRows } from '../../kernel/concurrency/staged-rows.ts'
import { chunk_size, CensusSubmission } from '../../modules/roster/census/schemas.ts'
import { insertDependents } from '../../modules/coverage/dependents/queries.ts'
import { updateEmployer } from '../../modules/directory/employers/actions.ts'
import { saveWages } from '../../modules/directory/ichra/queries.ts'
import type { Ctx } from '../../runtime/ctx.ts'
import { addDays, type Day } from '../../kernel/days.ts'
import { newId } from '../../kernel/ids.ts'
import { HrisError, type HrisPerson } from '../../integrations/payroll/provider.ts'
import type { CatalogIds } from '../catalog.ts'
import { Employer, fixed, share } from '../employer.ts'
import { nextMonth, type Timeline } from '../timeline.ts'
import type { DemoPayroll, DemoEmployer } from './employers.ts'
import {
  topics,
  dateBefore,
  pseudorandom,
  referenceOf,
  rowOf,
  wageOf,
  type DemoWorker,
  type DemoLocation,
} from './people.ts'
import { listMembers } from './queries.ts'
import { days_of_notice, planYearsOf, recordStaffing, staffingAnswers } from './staffing.ts'

/**
 * The month in which the first plan year began, relative to the current one. Half of the `renewal` employers began a
 * month later.
 */
const starts = {
  second_year: -14,
  renewal: -11,
  settled: -5,
  recent: -2,
  left: -6,
  choosing: -1,
} as const

const isOffering = (stage: DemoEmployer['stage']): stage is keyof typeof starts => stage in starts

type Members = Awaited<ReturnType<typeof listMembers>>

/** One in this many people is hired later, with the second census. */
const newcomers_of = 12

/** An employer of the demo data and its history. `at` is its number in the organization, `people` are its employees. */
export class Company {
  readonly written: DemoEmployer
  readonly employer: Employer
  readonly people: DemoWorker[]
  readonly location: DemoLocation
  readonly #timeline: Timeline
  readonly #at: number

  constructor(timeline: Timeline, catalog_ids: CatalogIds, written: DemoEmployer, at: number, people: DemoWorker[]) {
    this.#timeline = timeline
    this.employer = new Employer(timeline, catalog_ids)
    this.written = written
    this.people = people
    this.#at = at
    const { name, area_code, city, state, zipcode } = written
    const words = name.toLowerCase().split(' ')
    const prefix = name.match(/\b[A-Z]/g)!.join('')
    this.location = { domain: `${words[0]}-${words[1]}.example.com`, area_code, prefix, city, state, zipcode }
  }

  /** The first day of its first plan year. Undefined if nothing is offered yet. */
  get begins(): Day | undefined {
    const { stage } = this.written
    if (stage === 'staffing') return planYearsOf(this.#timeline)[0]
    if (!isOffering(stage)) return undefined
    return this.#timeline.day(starts[stage] + (stage === 'renewal' ? this.#at % 2 : 0), 1)
  }

  /**
   * The days on which employees submit their choices: one half, then the other. For `choosing`, also recent days for
   * the next plan year.
   */
  get answering(): { day: Day; half: number }[] {
    const { begins } = this
    if (begins === undefined) return []
    if (this.written.stage === 'staffing') return staffingAnswers(this.#timeline)
    const { ago } = this.#timeline
    const days = [addDays(begins, -27), addDays(begins, -22)]
    const these_days = this.written.stage === 'choosing' ? [ago(4), ago(2)] : []
    return [...days, ...these_days].map((day, index) => ({ day, half: index % 2 }))
  }

  records(owner_user_id: string): void {
    const { begins, employer } = this
    const { ago, today } = this.#timeline
    const { stage } = this.written
    const lately = ago(stage === 'joined' ? 2 + (this.#at % 5) : 34 + (this.#at % 9))
    const joined = begins ? addDays(begins, -52) : lately
    employer.joins(joined, this.#details())
    // One employer in four has no owner.
    if (this.#at % 4 !== 3) this.#isOwnedBy(owner_user_id, joined)
    if (stage === 'joined') return
    employer.settles(joined, { pay_frequency: 'monthly' })
    if (begins && stage === 'staffing') return this.#staffs(joined, begins)
    const waits = (['first_of_following_month', '30_days', '60_days'] as const)[this.#at % 3]!
    employer.adopts(addDays(joined, 1), {
      classification: this.#at % 4 === 0 ? 'all' : 'full_time',
      waiting_period: waits,
      start_alignment: 'first_of_month',
    })
    if (begins) this.#offers(begins)
    this.#enlists(addDays(joined, 3), joined)
    if (stage === 'left') employer.leaves(ago(20))
    if (today > addDays(joined, 120)) this.#changes(this.#timeline.day(-2, 11))
  }

  /** Measures hours and offers minimum essential coverage, or a plan of minimum value, to everyone who is full-time. */
  #staffs(joined: Day, begins: Day): void {
    const { employer, people, location } = this
    employer.adopts(addDays(joined, 1), {
      classification: 'all',
      waiting_period: 'first_of_following_month',
      start_alignment: 'first_of_month',
      eligibility_basis: 'measured',
    })
    const benefits = [
      { benefit: 'Essential Care', ...share(80, 40) },
      { benefit: 'Major Medical', plans: ['Major Medical Bronze'], ...fixed(13_000) },
    ]
    for (const start of planYearsOf(this.#timeline)) {
      const window = { open_enrollment_start: addDays(start, -30), open_enrollment_end: addDays(start, -12) }
      const announced_on = addDays(start, -days_of_notice)
      if (start > begins) employer.renews(announced_on, window, benefits)
      else employer.offers(announced_on, { coverage_start: begins, ...window, choice_groups: [] }, benefits)
    }
    recordStaffing(this.#timeline, { employer, people, location, joined, begins })
  }

  /** Makes a member of the organization responsible for the employer. */
  #isOwnedBy(owner_user_id: string, day: Day): void {
    this.#timeline.record(day, { operation: 'employers_update', fields: ['owner_user_id'] }, async (ctx) => {
      const key = this.employer.key()
      await updateEmployer(ctx, key, { owner_user_id })
      return key.employer_id
    })
  }

  #details() {
    const { name, legal, city, state, zipcode, area_code } = this.written
    return {
      name,
      legal_name: legal,
      ein: `${40 + this.#at}-${3_017_000 + this.people.length * 1_009 + this.#at * 70_001}`,
      email: `benefits@${this.location.domain}`,
      phone_number: `${area_code}5550100`,
      reference_id: `${this.location.prefix}-${100 + this.#at}`,
      address: { address_line_1: `${100 + this.#at * 17} Main St`, city, state, zipcode },
    }
  }

  /**
   * Each employer offers either essential or major medical, because a person can hold only one of them. The `choosing`
   * employers had a short first plan year.
   */
  #offers(begins: Day): void {
    const { employer, written } = this
    const { ago, day } = this.#timeline
    const medical = this.#at % 3 === 0 ? 'Essential Care' : 'Major Medical'
    const benefits = [
      { benefit: medical, ...share(60 + 10 * (this.#at % 5), 40 + 10 * (this.#at % 3)) },
      { benefit: 'Dental', ...fixed(1_000 + 500 * (this.#at % 3)) },
      ...(this.#at % 2 === 0 ? [{ benefit: 'Vision', ...share(50, 50) }] : []),
      ...(this.#at % 5 === 0
        ? [
            { benefit: 'Virtual Primary Care', ...share(100, 100) },
            { benefit: 'Hospital and Life', ...fixed(1_200) },
          ]
        : []),
    ]
    const year = {
      coverage_start: begins,
      open_enrollment_start: addDays(begins, -30),
      open_enrollment_end: addDays(begins, -12),
      ...(written.stage === 'choosing' && { coverage_end: addDays(day(2, 1), -1) }),
    }
    employer.offers(addDays(begins, -40), year, benefits)
    const next = { open_enrollment_start: day(-3, 1), open_enrollment_end: day(-3, 14) }
    if (written.stage === 'second_year') employer.renews(day(-4, 20), next, benefits)
    const these_days = { open_enrollment_start: ago(5), open_enrollment_end: ago(-9) }
    if (written.stage === 'choosing') employer.renews(ago(20), these_days, benefits)
  }

  /** Adds employees by census or through the payroll system, then their wages and families. */
  #enlists(day: Day, joined: Day): void {
    const { payroll } = this.written
    const present = this.people.filter((_, index) => index % newcomers_of !== newcomers_of - 1)
    if (payroll) this.#isKept(payroll, joined, day, present)
    else this.#sends(day, present)
    this.#timeline.on(addDays(day, 1), async (ctx) => {
      const members = await listMembers(ctx, this.employer.key())
      await this.#recordPay(ctx, members, present)
      await this.#recordFamilies(ctx, members, present)
    })
  }

  #sends(day: Day, people: DemoWorker[], rows = people.map((person) => rowOf(person, this.location, day))): void {
    this.#timeline.record(day, { operation: 'employers_submit_census_sync', fields: ['employees'] }, async (ctx) => {
      const { employees } = CensusSubmission.parse({ employees: rows })
      return (await submitCensus(ctx, this.employer.key(), stageRows(employees, chunk_size), undefined)).census_sync_id
    })
  }

  /** Saves the wages, and future raises of some employees who have been there for more than a year. */
  async #recordPay(ctx: Ctx, members: Members, people: DemoWorker[]): Promise<void> {
    const rows = people.flatMap((person) => {
      const { employee_id } = members.get(referenceOf(person, this.location))!
      const { at, years_employed } = person
      const wage = { employee_id, effective_on: ctx.today, monthly_wage_in_cents: wageOf(person) }
      const raised = Math.round((wage.monthly_wage_in_cents * (102 + (at % 4))) / 10_000) * 100
      return years_employed > 1 && at % 3 === 0
        ? [wage, { employee_id, effective_on: nextMonth(addDays(ctx.today, 60)), monthly_wage_in_cents: raised }]
        : [wage]
    })
    await saveWages(ctx, this.#timeline.organization_id, rows)
  }

  async #recordFamilies(ctx: Ctx, members: Members, people: DemoWorker[]): Promise<void> {
    const rows = people.flatMap((person) => {
      const { member_id } = members.get(referenceOf(person, this.location))!
      return person.family.map(({ age, ...relative }, index) => ({
        ...relative,
        id: newId('dep'),
        member_id,
        suffix: null,
        gender: null,
        address: null,
        date_of_birth: dateBefore(ctx.today, age, person.at + index),
      }))
    })
    await insertDependents(ctx, this.#timeline.organization_id, rows)
  }

  /** Some employees change class or compensation type, a few leave, and new ones are hired. */
  #changes(day: Day): void {
    if (this.written.payroll) return
    const known_on = addDays(this.begins!, -49)
    const changed = this.people.flatMap((person, index): ReturnType<typeof rowOf>[] => {
      const row = rowOf(person, this.location, known_on)
      const drawn = pseudorandom(person.at, topics.change)
      if (index % newcomers_of === newcomers_of - 1) return [{ ...row, start_date: addDays(day, -8) }]
      if (drawn < 0.05) return [{ ...row, compensation_type: 'Salary' }]
      if (drawn < 0.09 && row.employee_class === 'Part Time') return [{ ...row, employee_class: 'Full Time' }]
      return drawn > 0.965 ? [{ ...row, termination_date: addDays(day, -3) }] : []
    })
    if (changed.length > 0) this.#sends(day, [], changed)
  }

  /** The roster comes from a payroll system or from files. */
  #isKept(payroll: DemoPayroll, joined: Day, day: Day, people: DemoWorker[]): void {
    const { employer } = this
    const { ago, today } = this.#timeline
    const roster = people.map((person) => personOf(rowOf(person, this.location, day)))
    if (payroll === 'was_out' || payroll === 'is_out') {
      employer.connects(joined, { source: 'sandbox', provider: 'gusto', provider_label: 'Gusto' })
      employer.employs(joined, roster)
      employer.answers(day, roster)
      const refused = new HrisError('access_lost', 'Gusto rejected the access token. Let the employer sign in again.')
      employer.answers(payroll === 'was_out' ? ago(38) : ago(1), refused)
      if (payroll === 'is_out') return
      employer.resumes(ago(36))
      employer.answers(ago(36), roster)
      // Responds to the sync that is due today, since nothing waits for a response after the seed.
      employer.answers(today, roster)
      return
    }
    const [provider, provider_label] = payroll === 'paused' ? ['adp', 'ADP'] : ['paychex', 'Paychex']
    employer.connects(joined, { source: 'csv', provider: provider!, provider_label: provider_label! })
    employer.answers(day, roster)
    if (payroll === 'paused') employer.pauses(ago(30))
    if (payroll === 'held_file') employer.answers(ago(2), roster.slice(0, Math.ceil(roster.length / 2)))
    if (payroll !== 'fixed_file') return
    const spoiled = roster.map((person, index) =>
      index % 9 === 4 ? { ...person, date_of_birth: '31/02/1990' } : person,
    )
    employer.answers(ago(25), spoiled)
    employer.answers(ago(24), roster)
  }
}

/** Converts a census row to the format of a payroll system. */
const personOf = ({ address, ...row }: ReturnType<typeof rowOf>): HrisPerson => ({
  ...(row as HrisPerson),
  ...(address as HrisPerson),
})

import type { Ctx } from '../runtime/ctx.ts'
import type { Day } from '../kernel/days.ts'
import { listOrganizationMembers } from '../modules/access/organizations/queries.ts'
import { updateEmployer } from '../modules/directory/employers/actions.ts'
import { addNote } from '../modules/directory/notes/actions.ts'
import { timelineOfTheBakery } from './bakery.ts'
import { harborsCatalog, rivalsCatalog, seedCatalog, type CatalogIds } from './catalog.ts'
import { Employer, fixed, share } from './employer.ts'
import { type Jobs, onDay, Timeline } from './timeline.ts'
import type { z } from 'zod'
import { createGroup, submitGroupMembers } from '../modules/roster/groups/actions.ts'
import { chunk_size, GroupMemberSubmission, NewGroup, type GroupMemberRow } from '../modules/roster/groups/schemas.ts'
import { stageRows } from '../kernel/concurrency/staged-rows.ts'

const sunrise = {
  name: 'Sunrise Bakery',
  legal_name: 'Sunrise Bakery LLC',
  ein: '61-4420917',
  email: 'office@sunrise-bakery.example.com',
  phone_number: '5185550142',
  reference_id: 'SUNRISE',
  address: { address_line_1: '100 Post Oak Rd', city: 'Albany', state: 'NY', zipcode: '12207' },
}

const maple_row = {
  name: 'Maple Row Clinic',
  legal_name: 'Maple Row Clinic PLLC',
  ein: '36-8810442',
  email: 'office@maple-row.example.com',
  address: { address_line_1: '88 Post Rd', city: 'Madison', state: 'WI', zipcode: '53703' },
}

const granite = {
  name: 'Granite Freight',
  legal_name: 'Granite Freight Inc.',
  ein: '52-6103377',
  email: 'people@granite-freight.example.com',
  reference_id: 'GRANITE',
  address: { address_line_1: '1 Polk Ave', city: 'Austin', state: 'TX', zipcode: '78701' },
}

const juniper = {
  name: 'Juniper Books',
  legal_name: 'Juniper Books Inc.',
  ein: '27-5548120',
  email: 'hello@juniper-books.example.com',
  address: { address_line_1: '200 Box Elder Dr', city: 'Portland', state: 'OR', zipcode: '97205' },
}

const ironwood = {
  name: 'Ironwood Tools',
  legal_name: 'Ironwood Tool & Die Inc.',
  ein: '38-1190456',
  email: 'hr@ironwood-tools.example.com',
  address: { address_line_1: '9 Boxer St', city: 'Toledo', state: 'OH', zipcode: '43604' },
}

const copper_kettle = {
  name: 'Copper Kettle Café',
  legal_name: 'Copper Kettle LLC',
  ein: '45-9077213',
  email: 'hello@copper-kettle.example.com',
  reference_id: 'KETTLE',
  address: { address_line_1: '3 Mill Race', city: 'Ithaca', state: 'NY', zipcode: '14850' },
}

const larkspur = {
  name: 'Larkspur Dental',
  legal_name: 'Larkspur Dental Studio PC',
  ein: '84-7003128',
  email: 'front.desk@larkspur-dental.example.com',
  address: { address_line_1: '12 Boxwood Ln', address_line_2: 'Suite 4', city: 'Boise', state: 'ID', zipcode: '83702' },
}

/** Creates Harbor's employers, one in every stage, with their history from `since` until today. */
export async function seedHarborsBook(ctx: Ctx, jobs: Jobs, organization_id: string, since: Day): Promise<void> {
  const timeline = new Timeline(ctx, jobs, organization_id)
  const catalog_ids = await seedCatalog(onDay(ctx, since), organization_id, harborsCatalog(since, timeline.day(-3, 1)))
  const employer = () => new Employer(timeline, catalog_ids)
  const bakery = employer()
  bakery.joins(timeline.day(-17, 6), sunrise)
  timelineOfTheBakery(timeline, bakery)
  // Paused, so that partners can hire at the bakery.
  bakery.connects(timeline.today, { source: 'csv', provider: 'adp', provider_label: 'ADP' })
  bakery.pauses(timeline.today)
  const clinic = employer()
  timelineOfTheClinic(timeline, clinic)
  const freight = employer()
  timelineOfTheFreightCompany(timeline, freight)
  writeNotes(timeline, freight)
  timelineOfTheBookshop(timeline, employer())
  timelineOfTheGrowers(timeline, catalog_ids)
  const cafe = employer()
  cafe.joins(timeline.day(-6, 3), copper_kettle)
  timelineOfTheCafe(timeline, cafe)

  const tools = employer()
  tools.joins(timeline.day(-10, 8), ironwood)
  tools.leaves(timeline.today)
  const dentist = employer()
  dentist.joins(timeline.ago(2), larkspur)
  dentist.connects(timeline.ago(1), { source: 'csv', provider: 'paychex', provider_label: 'Paychex' })
  ownedBy(timeline, 0, [freight])
  ownedBy(timeline, 1, [bakery, clinic, cafe])
  await timeline.run()
}

/** The members of the organization by name. */
async function membersOf(ctx: Ctx, { organization_id }: Timeline): Promise<string[]> {
  const page = await listOrganizationMembers(ctx, organization_id, { limit: 10, page: 1 })
  return (JSON.parse(page!).data as { user_id: string }[]).map(({ user_id }) => user_id)
}

/** Makes a member responsible for employers. */
function ownedBy(timeline: Timeline, member: number, employers: Employer[]): void {
  timeline.on(timeline.ago(20), async (ctx) => {
    const owner_user_id = (await membersOf(ctx, timeline))[member]
    for (const employer of employers) await updateEmployer(ctx, employer.key(), { owner_user_id })
  })
}

/** The first member of the organization writes notes that the employer sees too. */
function writeNotes(timeline: Timeline, employer: Employer): void {
  const { ago } = timeline
  const note = (day: Day, text: string) =>
    timeline.on(day, async (ctx) => {
      const [user_id] = await membersOf(ctx, timeline)
      const as_member = { ...ctx, caller: { ...ctx.caller, user_id: user_id! } }
      const shared = { text, shared_with_employer: true, mentioned_user_ids: undefined }
      await addNote(as_member, employer.key(), shared)
    })
  note(ago(6), 'Open enrollment starts tomorrow. Reminders go out halfway and three days before the last day.')
  note(ago(2), 'Quinn would like to know whether the allowance changes next year. It stays the same.')
}

/** Rival has the same bakery among its employers, and a smaller catalog. */
export async function seedRivalsBook(ctx: Ctx, jobs: Jobs, organization_id: string, since: Day): Promise<void> {
  const timeline = new Timeline(ctx, jobs, organization_id)
  const catalog_ids = await seedCatalog(onDay(ctx, since), organization_id, rivalsCatalog(since))
  new Employer(timeline, catalog_ids).joins(timeline.today, sunrise)
  await timeline.run()
}

/** The clinic is in renewal: its plan year ends soon, and the next one is not open yet. */
function timelineOfTheClinic({ day, ago, turns }: Timeline, clinic: Employer): void {
  clinic.joins(day(-11, 8), maple_row)
  clinic.settles(day(-11, 8), { pay_frequency: 'monthly' })
  clinic.adopts(day(-11, 9), { classification: 'full_time', waiting_period: '60_days' })
  clinic.hires(day(-11, 10), 'Rosa Quist', '1977-01-31', '2015-06-01')
  clinic.hires(day(-11, 10), 'Samir Aziz', '1990-10-02', '2021-02-15')
  clinic.earns(day(-11, 11), 'Rosa', 610_000)
  clinic.earns(day(-11, 11), 'Samir', 430_000)
  clinic.offers(day(-11, 20), { coverage_start: day(-10, 1) }, [
    { benefit: 'Major Medical', ...share(80, 50) },
    { benefit: 'Virtual Primary Care', ...share(100, 100) },
  ])
  clinic.chooses(day(-10, 5), 'Rosa', { 'Major Medical Silver': 'EE', 'Nearby Anytime': 'EE' })
  clinic.chooses(day(-10, 6), 'Samir', { 'Major Medical Bronze': 'waived', 'Nearby Anytime': 'EE' })
  // The clinic had no enrollments on the 1st. Its first invoice is drafted after Rosa's election and issued three days
  // later.
  for (const each of [6, 9]) turns(day(-10, each))
  for (let month = -10; month <= -1; month++) clinic.pays(day(month, 25))
  // Its payroll synced until a few days ago.
  clinic.connects(ago(40), {
    source: 'finch',
    provider: 'gusto',
    provider_label: 'Gusto',
    access_token: 'of the story',
  })
  clinic.syncs(ago(40))
  clinic.losesAccess(ago(1))
}

/**
 * The freight company is in open enrollment. It offers allowances, and its people are choosing for the next plan year.
 */
function timelineOfTheFreightCompany({ day, ago, today }: Timeline, freight: Employer): void {
  freight.joins(day(-12, 3), granite)
  freight.settles(day(-12, 3), { pay_frequency: 'semi_monthly', deduction_method: 'per_month' })
  freight.adopts(day(-12, 3), { classification: 'all', waiting_period: '30_days' })
  freight.hires(day(-12, 5), 'Owen Pryce', '1979-12-24', '2012-09-17')
  freight.hires(day(-12, 5), 'Priya Nair', '1996-04-08', '2022-03-01')
  freight.hires(day(-12, 5), 'Quinn Abara', '1988-08-19', '2019-11-04', { employee_class: 'Part Time' })
  freight.hires(day(-12, 5), 'Noor Haddad', '1986-05-05', '2018-10-01')
  for (const [relationship, first_name, born] of [
    ['spouse', 'Sami', '1988-02-11'],
    ['child', 'Lina', '2014-09-01'],
    ['child', 'Zaid', '2019-04-17'],
  ] as const)
    freight.adds(day(-12, 6), 'Noor', { relationship, first_name, last_name: 'Haddad', date_of_birth: born })
  // With the sample premiums, the ICHRA is affordable for all but Quinn, who works part time and gets a small
  // allowance.
  for (const [name, monthly_wage_in_cents] of [
    ['Owen', 480_000],
    ['Priya', 390_000],
    ['Quinn', 260_000],
    ['Noor', 520_000],
  ] as const)
    freight.earns(day(-12, 7), name, monthly_wage_in_cents)
  const offered = [{ benefit: 'Own Choice' }, { benefit: 'Dental', ...fixed(1_500) }]
  const election = { open_enrollment_start: day(-11, 1), open_enrollment_end: day(-11, 14) }
  freight.offers(day(-12, 20), { coverage_start: day(-10, 1), ...election }, offered)
  freight.chooses(day(-11, 4), 'Owen', { 'Own Choice Medical': 'EE', 'Brightside DHMO': 'EE' })
  freight.chooses(day(-11, 6), 'Priya', { 'Own Choice Medical': 'waived', 'Brightside DHMO': 'waived' })
  freight.chooses(day(-11, 8), 'Noor', { 'Lone Star Silver': 'EF' })
  freight.chooses(day(-11, 9), 'Quinn', { 'Own Choice Medical': 'EE' })

  const next_election = { open_enrollment_start: ago(5), open_enrollment_end: ago(-9) }
  for (let month = -10; month <= -2; month++) freight.pays(day(month, 28))
  // The election of the next plan year includes beneficiaries.
  const insured = [...offered, { benefit: 'Hospital and Life', ...fixed(1_200) }]
  freight.offers(ago(15), { coverage_start: day(2, 1), ...next_election }, insured)
  freight.chooses(ago(3), 'Owen', { 'Own Choice Medical': 'EE' })
  freight.connects(today, { source: 'csv', provider: 'rippling', provider_label: 'Rippling' })
  freight.syncs(today)
}

/** The bookshop is onboarding: its first plan year is in the future. */
function timelineOfTheBookshop({ day, ago }: Timeline, bookshop: Employer): void {
  bookshop.joins(ago(25), juniper)
  bookshop.adopts(ago(24), { classification: 'full_time', waiting_period: 'none' })
  bookshop.hires(ago(24), 'Tess Moreau', '1982-06-06', '2018-05-14')
  bookshop.hires(ago(24), 'Umar Bello', '1999-03-13', '2024-01-08')
  const election = { open_enrollment_start: day(1, 1), open_enrollment_end: day(1, 14) }
  bookshop.offers(ago(20), { coverage_start: day(2, 1), ...election }, [
    { benefit: 'Essential Care', ...share(100, 50) },
    { benefit: 'Vision', ...fixed(500) },
  ])
}

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
  importPriorElections(timeline, cafe)
  makeMistakes(timeline, cafe)
  raiseWages(timeline, cafe)
  renew(timeline, cafe)
}

/** The employees report their elections with the café's previous administrator. */
function importPriorElections({ day }: Timeline, cafe: Employer): void {
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
function makeMistakes({ day, turns }: Timeline, cafe: Employer): void {
  cafe.connects(day(-4, 2), { source: 'csv', provider: 'paylocity', provider_label: 'Paylocity' })
  cafe.syncs(day(-4, 2))
  cafe.syncsWithout(day(-2, 5), 'Ivo')
  turns(day(-2, 6))
  cafe.syncs(day(-2, 9))
  cafe.takesNothing(day(-1, 26), 'Femi', 'Dental')
}

/** The café pays 75% for employees who enroll alone, since two months ago and in the next plan year. */
const amended = share(75, 50)

function raiseWages({ day }: Timeline, cafe: Employer): void {
  const reason = 'The café pays more for employees who enroll alone'
  cafe.amends(day(-3, 10), day(-2, 1), reason, [{ benefit: 'Essential Care', ...amended }])
}

/** Employees who submit nothing keep their coverage starting next month. Brightside DHMO is no longer offered. */
function renew({ day }: Timeline, cafe: Employer): void {
  const window = { open_enrollment_start: day(-1, 1), open_enrollment_end: day(-1, 14) }
  cafe.renews(day(-2, 20), window, [
    { benefit: 'Essential Care', ...amended },
    { benefit: 'Dental', plans: ['Brightside PPO'], ...fixed(1_000) },
  ])
}

type GroupRowSent = z.input<typeof GroupMemberRow>

/** A group in a timeline: created once, then synchronized with all its members any number of times. */
class Group {
  readonly #timeline: Timeline
  #id = ''

  constructor(timeline: Timeline) {
    this.#timeline = timeline
  }

  isFounded(day: Day, input: z.input<typeof NewGroup>): void {
    const { organization_id } = this.#timeline
    this.#timeline.on(
      day,
      async (ctx) => void (this.#id = await createGroup(ctx, organization_id, NewGroup.parse(input))),
    )
  }

  has(day: Day, members: GroupRowSent[]): void {
    const { organization_id } = this.#timeline
    this.#timeline.on(day, (ctx) => {
      const group = { organization_id, group_id: this.#id }
      const checked = GroupMemberSubmission.parse({ members })
      return submitGroupMembers(ctx, group, stageRows(checked.members, chunk_size))
    })
  }
}

const winters = { city: 'Winters', state: 'CA', zipcode: '95694' }

/** The growers are a group without an employer. One member also works at the clinic, and one has left. */
export function timelineOfTheGrowers(timeline: Timeline, catalog_ids: CatalogIds): void {
  const plan = (name: string) => catalog_ids.plans.get(name)!.plan_id
  const [anton, nora, rosa, yusuf]: [GroupRowSent, GroupRowSent, GroupRowSent, GroupRowSent] = [
    {
      reference_id: 'VG-001',
      first_name: 'Anton',
      last_name: 'Berg',
      phone: '5305550101',
      date_of_birth: '1961-09-03',
      address: { address_line_1: '1 Orchard Way', ...winters },
      plan_id: plan('Essential Care Base'),
    },
    {
      reference_id: 'VG-002',
      first_name: 'Nora',
      last_name: 'Castellano',
      email: 'nora.castellano@example.com',
      phone: '5305550102',
      date_of_birth: '1984-06-30',
      address: { address_line_1: '4 Orchard Way', ...winters },
      plan_id: plan('Essential Care Base'),
    },
    {
      reference_id: 'VG-003',
      first_name: 'Rosa',
      last_name: 'Quist',
      email: 'rosa.quist@example.com',
      phone: '6085550103',
      date_of_birth: '1977-01-31',
      address: { address_line_1: '7 Lakeside Rd', city: 'Madison', state: 'WI', zipcode: '53703' },
      plan_id: plan('Clearview Basic'),
    },
    {
      reference_id: 'VG-004',
      first_name: 'Yusuf',
      last_name: 'Demir',
      phone: '5305550104',
      date_of_birth: '1993-11-12',
      address: { address_line_1: '22 Creek Ln', ...winters },
      plan_id: plan('Nearby Anytime'),
    },
  ]
  const growers = new Group(timeline)
  growers.isFounded(timeline.day(-6, 4), {
    external_reference_id: 'VALLEY-GROWERS',
    name: 'Valley Growers Cooperative',
  })
  growers.has(timeline.day(-6, 5), [anton, nora, rosa])
  const too_young: GroupRowSent = {
    ...yusuf,
    reference_id: 'VG-005',
    first_name: 'Leyla',
    date_of_birth: timeline.ago(5000),
  }
  growers.has(timeline.day(-2, 3), [nora, { ...rosa, plan_id: plan('Brightside PPO') }, yusuf, too_young])
}

import { beforeAll, describe, expect, it } from 'vitest'
import { addDays, monthEnd } from '../kernel/days.ts'
import { tasks } from '../worker-tasks.ts'
import { serviceCaller } from '../runtime/caller.ts'
import { inTransaction } from '../runtime/runtime.ts'
import { seedStory, type Story } from './story.ts'
import { aPerson } from '../test/fixtures.ts'
import type { BenefitExplanation, EmployerRow, Invoice, PlanYearEnrollmentRow } from '../../sdk/src/v1/types.gen.ts'
import { useApi } from '../test/harness.ts'
import { type DataOf } from '../test/response.ts'
import { first, only, pick, sure } from '../test/pick.ts'
import { share } from '../test/case-count.ts'

const api = useApi()

/** An ordinary day. `RUNS=1` adds a leap day and the ends of months and years, and `RUNS=2` adds more days. */
const days = ['2026-03-10']
if (share >= 1) days.push('2028-02-29', '2026-01-01', '2026-02-28', '2026-08-31', '2026-12-31')
if (share >= 2) days.push('2026-01-31', '2026-11-22', '2028-03-01')

describe.each(days)('the sandbox, seeded on %s', (today) => {
  let story: Story
  let book: EmployerRow[]

  const read = async <Path extends string>(path: Path) => {
    const { body } = await api.get(path, { key: story.api_key })
    return (body as { data: DataOf<'GET', Path> }).data
  }
  const ofEmployer = (name: string) => pick(book, (row) => row.name === name)
  const plans = (name: string) => read(`/v1/employers/${ofEmployer(name).id}/benefit-plan-years`)
  const enrollments = (name: string, year: { id: string }) =>
    read(`/v1/employers/${ofEmployer(name).id}/benefit-plan-years/${year.id}/enrollments?limit=100`)
  const roster = (name: string) => read(`/v1/employers/${ofEmployer(name).id}/employees?limit=100`)
  const invoices = (name: string) => read(`/v1/employers/${ofEmployer(name).id}/invoices?limit=100&include_drafts=true`)
  /** The statements of an employer without their download links, which differ in every response. */
  const statements = async (name: string) => {
    const rows = await read(`/v1/employers/${ofEmployer(name).id}/payroll-deduction-statements?limit=100`)
    return rows.map(({ csv, ...statement }) => statement)
  }
  const baker = async (first_name: string) =>
    pick(await roster('Sunrise Bakery'), (row) => row.first_name === first_name && row.status === 'active')

  beforeAll(async () => {
    api.moveTo(today)
    story = await seedStory(api.runtime, tasks)
    book = await read('/v1/employers?include_cancelled=true')
  })

  it('has employers in every stage, with plan years in every status', async () => {
    const seen = book.map(async ({ name, benefit_lifecycle_stage, benefit_families }) => {
      const years = (await plans(name)).map((year) => year.status)
      return [name, [benefit_lifecycle_stage.stage, ...years, benefit_families.join()]]
    })
    expect(Object.fromEntries(await Promise.all(seen))).toEqual({
      'Sunrise Bakery': ['active', 'active', 'inactive', 'DENTAL,MEC,VISION'],
      'Copper Kettle Café': ['renewal', 'upcoming', 'active', 'DENTAL,MEC'],
      'Granite Freight': ['open_enrollment', 'open_enrollment', 'active', 'DENTAL,ICHRA'],
      'Maple Row Clinic': ['renewal', 'active', 'MVP,VPC'],
      'Juniper Books': ['onboarding', 'upcoming', ''],
      'Larkspur Dental': ['onboarding', ''],
      'Ironwood Tools': ['cancelled', ''],
    })
  })

  it('has an HRIS connection in every state, and lets partners hire at the bakery', async () => {
    const shown = book.map(({ name, hris_status }) => [name, hris_status && Object.values(hris_status).join(', ')])
    expect(Object.fromEntries(shown)).toEqual({
      'Sunrise Bakery': 'adp, ADP, paused',
      'Copper Kettle Café': 'paylocity, Paylocity, active',
      'Granite Freight': 'rippling, Rippling, active',
      'Maple Row Clinic': 'gusto, Gusto, inactive',
      'Juniper Books': null,
      'Larkspur Dental': 'paychex, Paychex, pending',
      'Ironwood Tools': null,
    })
    const { hris } = await read(`/v1/employers/${ofEmployer('Granite Freight').id}/hris`)
    expect(hris).toMatchObject({ last_sync_on: today, synced_row_count: 4 })
    const refused = await api.post(
      `/v1/employers/${ofEmployer('Granite Freight').id}/employees`,
      aPerson({ start_date: '2025-06-02' }),
      {
        key: story.api_key,
      },
    )
    expect(refused.error.code).toBe('employer_has_hris_connection')
    const dry_run = await api.post(
      `/v1/employers/${ofEmployer('Sunrise Bakery').id}/census-sync?dry_run=true`,
      { employees: [aPerson({ start_date: undefined })] },
      { key: story.api_key },
    )
    expect(dry_run.body.data.counts.created).toBe(1)
  })

  it('has enrollments of every kind in the plan year of the bakery', async () => {
    const current = first(await plans('Sunrise Bakery'))
    const rows = await enrollments('Sunrise Bakery', current)
    const input = (row: PlanYearEnrollmentRow) =>
      [row.election_status, row.policy_status, row.tier, row.dependent_count || null].filter(Boolean).join(', ')
    const theirs = Object.groupBy(rows, (row) => row.member_first_name)
    const table = Object.entries(theirs).map(([name, some]) => [
      name,
      Object.fromEntries((some ?? []).map((row) => [row.benefit_name, input(row)])),
    ])
    const answers = (medical: string, dental: string, vision: string) => ({
      'Essential Care': medical,
      Dental: dental,
      Vision: vision,
    })
    expect(Object.fromEntries(table)).toEqual({
      Amara: answers('Enrolled, Coverage Effective, EF, 3', 'Enrolled, Coverage Effective, EF, 3', 'Waived'),
      Chloe: answers('Enrolled, Coverage Upcoming, EE', 'Pending', 'Pending'),
      Dmitri: answers('Enrolled, Coverage Ended, EE', 'Enrolled, Coverage Ended, EE', 'Expired'),
      Edith: answers('Enrolled, Coverage Effective, EC, 1', 'Enrolled, Coverage Effective, EC, 1', 'Expired'),
      Farid: answers('Waived', 'Waived', 'Waived'),
      Gwen: answers('Enrolled, Coverage Effective, EE', 'Expired', 'Expired'),
      Henrik: answers('Enrolled, Coverage Effective, ES, 1', 'Expired', 'Enrolled, Coverage Effective, ES, 1'),
      Imani: answers('Enrolled, Coverage Effective, EC, 1', 'Pending', 'Pending'),
      Jonas: answers('Expired', 'Expired', 'Expired'),
      Luis: answers('Enrolled, Coverage Effective, EE', 'Enrolled, Coverage Effective, EE', 'Expired'),
      Mira: answers('Enrolled, Cancelled, EE', 'Expired', 'Expired'),
    })
    expect(current.enrollment_rate).toEqual({ eligible: 9, enrolled: 7, percentage: 78 })
  })

  it('has people in every state, with enrollments in every status', async () => {
    const rows = await roster('Sunrise Bakery')
    const states = rows.map((row) => {
      const statuses = [...new Set(row.enrollments.map((each) => each.status))].sort()
      return [row.first_name, row.status, row.employee_class, ...statuses].join(', ')
    })
    expect(states.sort()).toEqual([
      'Amara, active, Full Time, enrolled, inactive, waived',
      'Ben, active, Part Time, inactive',
      'Chloe, active, Full Time, enrolled, pending',
      'Dmitri, terminated, Full Time, inactive',
      'Edith, active, Full Time, enrolled, inactive, pending',
      'Farid, active, Full Time, waived',
      'Farid, terminated, Seasonal',
      'Gwen, active, Full Time, enrolled, pending',
      'Henrik, active, Full Time, enrolled, pending',
      'Imani, active, Full Time, enrolled, pending',
      'Jonas, active, Full Time, pending',
      'Kavya, active, Full Time',
      'Luis, active, Full Time, enrolled, pending',
      'Mira, terminated, Full Time, inactive',
    ])
  })

  it('explains pending waiting periods, ineligible employees, and employees in states without an offer', async () => {
    const state = async (name: string) => read(`/v1/employees/${(await baker(name)).id}/eligibility`)
    expect((await state('Amara')).status).toBe('eligible')
    expect((await state('Chloe')).status).toBe('waiting')
    expect(await state('Ben')).toMatchObject({ status: 'not_eligible', employee_class: 'Part Time' })
    const { status, benefits } = await state('Kavya')
    expect(status).toBe('eligible')
    const offered = (each: BenefitExplanation) => [each.enrollment, each.warnings.map(({ code }) => code)]
    expect(benefits.map(offered)).toEqual(benefits.map(() => [null, ['not_offered_in_state']]))
  })

  it('has dependents who reach the age limit or have ended, and a scheduled end of coverage', async () => {
    const dependents = async (name: string) => read(`/v1/employees/${(await baker(name)).id}/dependents`)
    const covered_until = monthEnd(addDays(monthEnd(today), 1))
    expect(await dependents('Edith')).toMatchObject([{ first_name: 'Nils', active: true, covered_until }])
    expect(await dependents('Gwen')).toMatchObject([{ first_name: 'Ren', active: false }])
    expect(await dependents('Amara')).toHaveLength(3)
    const theirs = await read(`/v1/employees/${(await baker('Edith')).id}/enrollments`)
    const enrolled = theirs.filter((each) => each.status === 'enrolled')
    expect(enrolled.map((each) => each.coverage_end)).toEqual(enrolled.map(() => monthEnd(addDays(today, 30))))
  })

  it('has life events that are open, approved and declined', async () => {
    const { organization_id } = story
    const path = `/operator/v1/qualifying-life-events?organization_id=${organization_id}` as const
    const { data } = (await api.get(path, { key: api.operator_key })).body
    expect(data.map((event) => [event.type, event.status]).sort()).toEqual([
      ['birth', 'approved'],
      ['dependent_coverage_ended', 'approved'],
      ['divorce', 'approved'],
      ['loss_of_coverage', 'pending'],
      ['other', 'declined'],
    ])
  })

  it('has a statement for every pay period of the bakery up to today, generated on its first day', async () => {
    const rows = await statements('Sunrise Bakery')
    expect(rows.length).toBeGreaterThan(30)
    const newest = first(rows)
    expect(newest.period_start_date <= today && today <= newest.period_end_date).toBe(true)
    rows.forEach((row, at) => {
      const before = rows[at + 1]
      if (before) expect(row.period_start_date).toBe(addDays(before.period_end_date, 1))
      expect(row).toMatchObject({
        frequency: 'bi_weekly',
        generated_at: expect.stringContaining(row.period_start_date),
      })
    })
    for (const [name, frequency] of [
      ['Maple Row Clinic', 'monthly'],
      ['Granite Freight', 'semi_monthly'],
    ] as const)
      expect((await statements(name))[0]).toMatchObject({ frequency, period_end_date: expect.any(String) })
  })

  it('shows employees their deductions, and catches up on a late correction', async () => {
    const { deductions } = await baker('Amara')
    const { period_start_date, period_end_date } = first(await statements('Sunrise Bakery'))
    expect(deductions).toEqual(
      ['Dental', 'Essential Care'].map((benefit_name) =>
        expect.objectContaining({ benefit_name, period_start_date, period_end_date, tax_classification: 'Pre-tax' }),
      ),
    )
    const { id } = await baker('Luis')
    const years = await Promise.all(
      [0, 1].map((ago) => read(`/v1/employees/${id}/deductions/proof?year=${Number(today.slice(0, 4)) - ago}`)),
    )
    const dental = years.flatMap((year) => year.enrollments).filter((each) => each.benefit_name === 'Dental')
    expect(Math.max(...dental.map((each) => each.corrections_in_cents))).toBeGreaterThan(0)
    expect(years.map((year) => year.difference_in_cents)).toEqual([0, 0])
  })

  it('has invoices of the bakery in every state, one overdue and one with adjustments', async () => {
    const rows = await invoices('Sunrise Bakery')
    expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(['draft', 'open', 'paid', 'void']))
    expect(rows.filter(({ status, due_on }) => status === 'open' && sure(due_on) < today)).not.toEqual([])
    expect(rows[0]?.period).toBe(today.slice(0, 7))
    const months = rows.filter(({ status }) => status !== 'void').map(({ period }) => period)
    expect(months).toHaveLength(16)
    expect(new Set(months).size).toBe(16)
    const pathOf = ({ invoice_id }: Invoice) =>
      `/v1/employers/${ofEmployer('Sunrise Bakery').id}/invoices/${invoice_id}` as const
    expect((await read(`${pathOf(first(rows))}/reconciliation`)).difference_count).toBe(0)
    // On the 1st, the draft of the previous day was drafted again and already has the adjustment.
    const drafts = rows.filter(({ status }) => status === 'draft')
    const lines = await Promise.all(drafts.map((row) => read(`${pathOf(row)}/lines?limit=100`)))
    const adjusted = lines.flat().filter(({ kind }) => kind === 'adjustment')
    expect(adjusted.map((line) => line.employee_name)).toContain('Luis Ortega')
  })

  it('has a group with members who stayed, joined and left, one of them also an employee', async () => {
    const groups = await read('/v1/groups')
    expect(groups).toMatchObject([{ name: 'Valley Growers Cooperative', external_reference_id: 'VALLEY-GROWERS' }])
    const members = await read(`/v1/groups/${only(groups).id}/members`)
    expect(members.map((member) => [member.reference_id, member.first_name])).toEqual([
      ['VG-004', 'Yusuf'],
      ['VG-003', 'Rosa'],
      ['VG-002', 'Nora'],
    ])
    const rosa = pick(await roster('Maple Row Clinic'), (row) => row.first_name === 'Rosa')
    expect(rosa).toMatchObject({ member_id: members[1]?.member_id, phone: '6085550103' })
    const current = first(await plans('Maple Row Clinic'))
    const search =
      `/v1/employers/${rosa.employer_id}/benefit-plan-years/${current.id}/enrollments?search=VG-003` as const
    expect((await read(search)).map((row) => row.employee_id)).toEqual([rosa.id, rosa.id])
  })

  it('has a café that was taken over during its plan year, and whose errors were corrected', async () => {
    const { id } = ofEmployer('Copper Kettle Café')
    const month = (offset: number) => Temporal.PlainDate.from(today).with({ day: 1 }).add({ months: offset }).toString()
    expect((await read(`/v1/employers/${id}/settings`)).administered_from).toBe(month(-5))
    const billed = (await invoices('Copper Kettle Café')).map(({ period }) => `${period}-01`)
    expect(billed).toEqual([0, -1, -2, -3, -4, -5].map(month))
    const [current] = (await plans('Copper Kettle Café')).slice(1)
    expect(current?.coverage_start).toBe(month(-11))

    const people = await roster('Copper Kettle Café')
    const [ivo, femi] = ['Ivo', 'Femi'].map((name) => pick(people, ({ first_name }) => first_name === name))
    expect(ivo?.status).toBe('active')
    const reported = (await read(`/v1/webhook-events?resource_id=${ivo?.id}&limit=100`)).map((each) => each.event_name)
    expect(reported).toEqual(expect.arrayContaining(['employee.deactivated', 'employee.reinstated']))
    // Payroll deducted nothing of last month's 22.00, so half of that deduction is due again.
    const dental = femi?.deductions.filter(({ benefit_name }) => benefit_name === 'Dental')
    expect(dental?.map((each) => each.deduction_amount_in_cents).sort()).toEqual([1_100, 2_200])
  })

  it('has an active plan year with an amendment that raises the contribution, also in the next year', async () => {
    const { id } = ofEmployer('Copper Kettle Café')
    const month = (offset: number) => Temporal.PlainDate.from(today).with({ day: 1 }).add({ months: offset }).toString()
    const [next, current] = await plans('Copper Kettle Café')
    const years = [sure(current), sure(next)] as const
    const [amended] = await read(`/v1/employers/${id}/benefit-plan-years/${years[0].id}/amendments`)
    expect(amended).toMatchObject({
      effective_on: month(-2),
      reported_at: expect.stringContaining(month(-3).slice(0, 8)),
    })
    // Essential Care costs 89.00. The café paid 62.5%, which is 55.63, and has paid 75% since the amendment. The
    // premium is 93.00 next year.
    const agnes = pick(await roster('Copper Kettle Café'), ({ first_name }) => first_name === 'Agnes')
    const hers = (await read(`/v1/employees/${agnes.id}/enrollments`)).filter(
      ({ benefit }) => benefit.product_code === 'MEC',
    )
    const costs = years.map(({ id: plan_year_id }) => {
      const enrollment = pick(hers, (one) => one.benefit_plan_year_id === plan_year_id)
      return [enrollment.premium_in_cents, enrollment.employer_contribution_in_cents]
    })
    expect(costs).toEqual([
      [8_900, 6_675],
      [9_300, 6_975],
    ])
    expect(agnes.deductions.map((each) => [each.benefit_name, each.deduction_amount_in_cents]).sort()).toEqual([
      ['Dental', 2_200],
      ['Essential Care', 2_225],
    ])
    // Three people are enrolled alone in Essential Care. Dental costs 22.00 for eleven people and 4.50 for Nora.
    const billed = (await invoices('Copper Kettle Café')).map((row) => [
      `${row.period}-01`,
      row.employee_deduction_in_cents,
    ])
    expect([-3, -2, -1].map((at) => Object.fromEntries(billed)[month(at)])).toEqual([
      3 * 3_337 + 11 * 2_200 + 450,
      3 * 2_225 + 11 * 2_200 + 450,
      3 * 2_225 + 11 * 2_200 + 450,
    ])
  })

  it('has a renewal that carries over eleven people and opens a task for the twelfth', async () => {
    const { id } = ofEmployer('Copper Kettle Café')
    const next = first(await plans('Copper Kettle Café'))
    const rows = await read(`/v1/employers/${id}/benefit-plan-years/${next.id}/renewal?limit=100`)
    const dental = rows.filter((row) => row.benefit_name === 'Dental')
    expect(dental.filter((row) => row.outcome === 'carried')).toHaveLength(11)
    const [nora, ...others] = dental.filter((row) => row.outcome !== 'carried')
    expect(nora).toMatchObject({ member_first_name: 'Nora', outcome: 'lapses', reason: 'plan_not_offered' })
    expect(others).toEqual([])
    const open = `/operator/v1/tasks?employer_id=${id}&kind=enrollment_lapsing` as const
    const tasks = (await api.get(open, { key: api.operator_key })).body.data
    expect(tasks).toMatchObject([{ kind: 'enrollment_lapsing', resource_id: nora?.enrollment_id }])
  })

  it('has a family with an ICHRA, whose premium depends on their ages', async () => {
    const noor = pick(await roster('Granite Freight'), ({ first_name }) => first_name === 'Noor')
    const enrolled = pick(
      await read(`/v1/employees/${noor.id}/enrollments`),
      (each) => each.status === 'enrolled' && each.plan?.name === 'Lone Star Silver',
    )
    const age = (born: string) =>
      Temporal.PlainDate.from(born).until(enrolled.coverage_start, { largestUnit: 'years' }).years
    // 9.50 for each year of age. Children below 15 count as 14.
    const premium_in_cents = 950 * (age('1986-05-05') + age('1988-02-11') + 14 + 14)
    expect(enrolled).toMatchObject({
      premium_in_cents,
      employer_contribution_in_cents: 60_000,
      employee_deduction_in_cents: premium_in_cents - 60_000,
    })
  })

  it('does not change when everything is recalculated', async () => {
    const everything = async () => {
      const years = await Promise.all(book.map(async ({ name }) => ({ name, of: await plans(name) })))
      const rows = years.flatMap(({ name, of }) => of.map((year) => enrollments(name, year)))
      const people = await Promise.all(book.map((row) => roster(row.name)))
      const theirs = people.flat().map((person) => read(`/v1/employees/${person.id}/enrollments?limit=100`))
      const money = book.map(async ({ name }) => [await statements(name), await invoices(name)])
      const reported = await api.database.reads.rows('select count(*) as events from webhook_events')
      return [
        await read('/v1/employers?include_cancelled=true'),
        years,
        people,
        await Promise.all([...rows, ...theirs, ...money]),
        reported,
      ]
    }
    const waiting = async () =>
      (await api.database.reads.row<{ jobs: number }>('select count(*) as jobs from graphile_worker.jobs'))!.jobs
    const before = await everything()
    await inTransaction(api.runtime, serviceCaller(null), async (ctx) => {
      for (const { id: employer_id } of book)
        await ctx.enqueue('recalculate_employer', { organization_id: story.organization_id, employer_id })
    })
    expect(await waiting()).toBe(book.length)
    await api.work()
    expect(await waiting()).toBe(0)
    expect(await everything()).toEqual(before)
  })

  it('has a PDF of every invoice, including drafts', async () => {
    const rows = (await Promise.all(book.map((row) => invoices(row.name)))).flat()
    const pdfs = rows.map(async ({ employer_id, invoice_id }) => {
      const path = `/v1/employers/${employer_id}/invoices/${invoice_id}/pdf` as const
      return (await fetch((await api.get(path, { key: story.api_key })).body.data.download_url)).status
    })
    for (const status of await Promise.all(pdfs)) expect(status).toBe(200)
  })

  it('gives Rival the same bakery, a smaller catalog and no data of Harbor', async () => {
    const key = story.rival_api_key
    const theirs = (await api.get('/v1/employers', { key })).body.data
    expect(theirs).toEqual([expect.objectContaining({ name: 'Sunrise Bakery', ein: '**-***0917' })])
    const plans = async (options: object) => (await api.get('/v1/plans', options)).body.pagination.total
    expect([await plans({ key }), await plans({ key: story.api_key })]).toEqual([2, 10])
  })
})

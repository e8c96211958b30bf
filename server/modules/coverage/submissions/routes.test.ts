import { extractText } from 'unpdf'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  createEmployee,
  createEmployer,
  importCatalog,
  openPlanYear,
  boundToken,
  addPolicy,
} from '../../../test/fixtures.ts'
import { refusalOf } from '../../../test/response.ts'
import { useApi } from '../../../test/harness.ts'
import { first, sure } from '../../../test/pick.ts'
import type { EnrollmentQuote } from './schemas.ts'

const api = useApi({ rate_limit: { per_minute: 1e6, burst: 1e6 } })
let catalog: Awaited<ReturnType<typeof importCatalog>>
let employer_id: string

type Input = { enrollment_id: string; elect?: object; waive?: object }

/** An employee with a family, hired on March 9, 2026 for coverage from April, and an employee token. */
async function aFamily() {
  const { id } = await createEmployee(api, employer_id, { start_date: '2026-03-09' })
  const key = await boundToken(api, 'employee', id)
  const add = async (relationship: string, first_name: string, date_of_birth: string): Promise<string> => {
    const who = { relationship, first_name, last_name: `Costa ${id.slice(-6)}`, date_of_birth }
    return (await api.post(`/v1/employees/${id}/dependents`, who, { key })).body.data.id
  }
  const dependent_ids = [await add('spouse', 'Sam', '1991-02-03'), await add('child', 'Lina', '2015-02-03')]
  const { data } = (await api.get(`/v1/employees/${id}/enrollments`, { key })).body
  const of = (benefit_id: string) => sure(data.find(({ benefit }) => benefit.id === benefit_id)).id
  const [mvp, mec, dental, vision] = [catalog.mvp, catalog.mec, catalog.dental, catalog.vision].map(
    ({ benefit_id, plan_id }) => ({ enrollment_id: of(benefit_id), plan_id }),
  ) as [Position, Position, Position, Position]
  const answer = (answers: Input[], more: object = {}) =>
    api.post(`/v1/employees/${id}/enrollment-answers`, { answers, ...more }, { key })
  const statuses = async () => {
    const rows = (await api.get(`/v1/employees/${id}/enrollments`, { key })).body.data
    return rows.map(({ benefit, status }) => `${benefit.product_code} ${status}`).toSorted()
  }
  return { id, key, dependent_ids, mvp, mec, dental, vision, answer, statuses }
}
type Position = { enrollment_id: string; plan_id: string }

const elect = ({ enrollment_id, plan_id }: Position, dependent_ids: string[] = [], coverage_tier = 'EE'): Input => ({
  enrollment_id,
  elect: { plan_id, coverage_tier, dependent_ids },
})

const nothing = { contribution_tiers: [{ coverage_tier: null, method: 'percentage', percentage: 0 }] }

/**
 * An employer with weekly payroll that offers MEC and MVP in 2026 and 2027. The tests compare the deductions of its
 * employees with their answers.
 */
async function aWeeklyPayroll() {
  const employer = await createEmployer(api)
  await api.put(`/v1/employers/${employer}/settings`, { pay_frequency: 'weekly' })
  await addPolicy(api, employer)
  const contribution_tiers = [{ coverage_tier: null, method: 'percentage', percentage: 50 }]
  const benefits = [catalog.mec, catalog.mvp].map(({ benefit_id }) => ({ benefit_id, contribution_tiers }))
  const year = await openPlanYear(api, employer, catalog, { benefits })
  const open = { open_enrollment_start: '2026-11-01', open_enrollment_end: '2026-11-30' }
  await openPlanYear(api, employer, catalog, { coverage_start: '2027-01-01', benefits, ...open })
  await api.work()
  const of = async (id: string, kind: 'mec' | 'mvp', year = '2026') => {
    const { data } = (await api.get(`/v1/employees/${id}/enrollments`)).body
    const is = (row: (typeof data)[number]) => row.benefit.id === catalog[kind].benefit_id
    return sure(data.find((row) => is(row) && row.coverage_start.startsWith(year))).id
  }
  const hire = async (start_date: string, kind?: 'mec' | 'mvp'): Promise<string> => {
    const { id } = await createEmployee(api, employer, { start_date })
    if (kind) {
      const elect = { plan_id: catalog[kind].plan_id, coverage_tier: 'EE' }
      const enrollment = await of(id, kind)
      expect((await api.post(`/v1/enrollments/${enrollment}/elect`, elect)).status).toBe(200)
    }
    return id
  }
  const amend = async (input: object) => {
    const path = `/operator/v1/benefit-plan-years/${year}/amendments` as const
    const answer = await api.post(path, { reason: 'Less is paid', ...input }, { key: api.operator_key })
    expect(answer.status, answer.text).toBe(201)
    await api.work()
  }
  const childOf = async (id: string, occurred_on: string) => {
    const child = { relationship: 'child', first_name: 'Ada', last_name: `Costa ${id.slice(-6)}` }
    await api.post(`/v1/employees/${id}/dependents`, { ...child, date_of_birth: occurred_on })
    const { body } = await api.post(`/v1/employees/${id}/qualifying-life-events`, { type: 'birth', occurred_on })
    const path = `/operator/v1/qualifying-life-events/${body.data.id}/approve` as const
    await api.post(path, {}, { key: api.operator_key })
  }
  /**
   * Requests a quote, then submits the answers. The first paycheck must equal the quoted one, and from `settled` on,
   * each regular deduction must equal the quoted amount per paycheck.
   */
  const bears = async (id: string, answers: Input[], settled: string) => {
    const path = `/v1/employees/${id}/enrollment-answers` as const
    const quoted = await api.post(path, { answers, dry_run: true })
    expect(quoted.status, quoted.text).toBe(200)
    const reported = quoted.body.data
    expect({ ...(await api.post(path, { answers })).body.data, dry_run: true }).toEqual(reported)
    const taken = []
    for (const year of ['2026', '2027']) {
      const { data } = (await api.get(`/v1/employees/${id}/paychecks?year=${year}`)).body
      taken.push(...data.filter(({ statement_id }) => statement_id === null))
    }
    for (const { enrollment_id, answer, first_paycheck, per_paycheck_in_cents } of reported.answers) {
      const own = taken.map(({ period_start_date, period_end_date, lines }) => ({
        days: { period_start_date, period_end_date },
        lines: lines.filter((line) => line.enrollment_id === enrollment_id),
      }))
      const sum = (lines: { amount_in_cents: number }[]) =>
        lines.reduce((cents, { amount_in_cents }) => cents + amount_in_cents, 0)
      const from = own.find(({ days }) => days.period_end_date === first_paycheck?.period_end_date)
      const corrections_in_cents = sum((from?.lines ?? []).filter(({ kind }) => kind !== 'deduction'))
      expect(from ? { ...from.days, amount_in_cents: sum(from.lines), corrections_in_cents } : null).toEqual(
        first_paycheck,
      )
      const regular = own
        .filter(({ days, lines }) => days.period_end_date >= settled && lines.length > 0)
        .map(({ lines }) => sum(lines.filter(({ kind }) => kind === 'deduction')))
      expect(regular.length > 0).toBe(answer === 'enrolled')
      if (from && from.days.period_end_date >= settled)
        expect(sum(from.lines) - corrections_in_cents).toBe(per_paycheck_in_cents)
      for (const cents of regular) expect(Math.abs(cents - per_paycheck_in_cents)).toBeLessThanOrEqual(1)
    }
    return { reported, taken }
  }
  return { of, hire, amend, childOf, bears }
}

beforeAll(async () => {
  catalog = await importCatalog(api)
  employer_id = await createEmployer(api)
  await addPolicy(api, employer_id, { waiting_period: 'first_of_following_month' })
  const half = { contribution_tiers: [{ coverage_tier: null, method: 'percentage', percentage: 50 }] }
  await openPlanYear(api, employer_id, catalog, {
    benefits: [catalog.mvp, catalog.mec, catalog.dental, catalog.vision].map(({ benefit_id }) => ({
      benefit_id,
      ...half,
    })),
  })
  await api.runDays()
  await api.work()
})

/** Checks that the PDF contains each answer with the names, the deduction and the next paychecks. */
async function confirms(id: string, answers: EnrollmentQuote['answers'], ahead: { total_in_cents: number }[]) {
  const path = `/v1/employees/${id}/enrollment-answers/pdf?language=es` as const
  const link = (await api.get(path, { key: await boundToken(api, 'employee', id) })).body.data
  const file = await fetch(link.download_url)
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  expect(file.headers.get('content-disposition')).toBe('attachment; filename="benefits-2026-03-10.pdf"')
  const { text } = await extractText(new Uint8Array(await file.arrayBuffer()), { mergePages: true })
  const dollars = (cents: number) => (cents / 100).toLocaleString('es-US', { style: 'currency', currency: 'USD' })
  const elected = answers.filter(({ answer }) => answer === 'enrolled')
  expect(elected).toHaveLength(2)
  for (const { benefit, employee_deduction_in_cents: month, per_paycheck_in_cents: paycheck } of elected)
    for (const input of [benefit.name, dollars(month), dollars(paycheck)]) expect(text).toContain(input)
  for (const input of ['Confirmación de sus beneficios', 'Sam, Lina', 'Renunció', '1 abr 2026'])
    expect(text).toContain(input)
  for (const { total_in_cents } of ahead.slice(0, 2)) expect(text).toContain(dollars(total_in_cents))
  const other = await aFamily()
  expect((await api.get(path, { key: other.key })).status).toBe(404)
  expect((await api.get(path.replace('=es', '=fr') as typeof path)).status).toBe(400)
}

describe('employees_answer_enrollments', () => {
  it('quotes the cost of elections without saving them, and later deducts exactly that', async () => {
    const { id, dependent_ids, mvp, dental, vision, answer, statuses } = await aFamily()
    const input = [
      elect(mvp, dependent_ids, 'EF'),
      elect(dental, dependent_ids, 'EF'),
      { enrollment_id: vision.enrollment_id, waive: { reason: 'Covered by a spouse' } },
    ]
    const before = await statuses()
    const reported = (await answer(input, { dry_run: true })).body.data
    expect([await statuses(), reported.dry_run]).toEqual([before, true])
    expect(reported.answers.map(({ benefit, answer, coverage_tier }) => [benefit.name, answer, coverage_tier])).toEqual(
      [
        ['Major Medical', 'enrolled', 'EF'],
        ['Dental', 'enrolled', 'EF'],
        ['Vision', 'waived', null],
      ],
    )
    // Half of 1,218.00 and of 103.00 a month.
    expect(reported.answers.map((one) => one.employee_deduction_in_cents)).toEqual([60_900, 5_150, 0])
    expect(reported.employee_deduction_in_cents).toBe(66_050)
    const done = (await answer(input)).body.data
    expect({ ...done, dry_run: true }).toEqual(reported)
    expect(await statuses()).toEqual(['MEC waived', 'MVP enrolled', 'VD enrolled', 'VV waived'])
    expect(reported.replaced).toHaveLength(1)

    const ahead = async () => (await api.get(`/v1/employees/${id}/paychecks`)).body.data
    const foreseen = await ahead()
    await confirms(id, reported.answers, foreseen)
    const [paycheck] = foreseen
    for (const { enrollment_id, first_paycheck } of reported.answers.filter(({ first_paycheck }) => first_paycheck)) {
      const lines = first(foreseen).lines.filter((line) => line.enrollment_id === enrollment_id)
      expect(lines.map(({ amount_in_cents }) => amount_in_cents)).toEqual([first_paycheck?.amount_in_cents])
      expect(first_paycheck?.period_end_date).toBe(paycheck?.period_end_date)
    }
    expect(foreseen.every(({ statement_id }) => statement_id === null)).toBe(true)

    // Statements must then deduct what was quoted, line by line.
    api.moveTo('2026-04-30')
    await api.runDays()
    await api.work()
    const written = (await ahead()).filter(({ statement_id }) => statement_id !== null)
    expect(written.length).toBeGreaterThan(1)
    expect(written.map((one) => ({ ...one, statement_id: null }))).toEqual(foreseen.slice(0, written.length))
    api.moveTo('2026-03-10')
  })

  it('saves all elections or none, and names the refused one', async () => {
    const { mvp, mec, dental, dependent_ids, answer, statuses } = await aFamily()
    const before = await statuses()
    const of = async (answers: Input[]) => refusalOf(await answer(answers))
    expect(await of([elect(dental), elect(mvp, dependent_ids, 'ES')])).toEqual([
      422,
      'dependents_do_not_fit_tier',
      'answers[1].coverage_tier',
    ])
    expect(
      await of([elect(dental), { ...elect(mvp), elect: { ...elect(mvp).elect, plan_id: dental.plan_id } }]),
    ).toEqual([422, 'plan_not_offered', 'answers[1].plan_id'])
    expect(await of([elect(mvp), elect(mec)])).toEqual([422, 'choice_group_conflict', 'answers[1].enrollment_id'])
    expect(await of([elect(mvp), elect(mvp)])).toEqual([400, 'invalid_request', 'answers[1].enrollment_id'])
    expect(await of([{ enrollment_id: mvp.enrollment_id }])).toEqual([400, 'invalid_request', 'answers[0].elect'])
    const other = await aFamily()
    expect(await of([elect(dental), elect(other.dental)])).toEqual([
      422,
      'enrollment_of_other_employee',
      'answers[1].enrollment_id',
    ])
    expect(await statuses()).toEqual(before)
  })

  it('refuses elections after the window, and by former employees', async () => {
    const { id, key, dental, answer } = await aFamily()
    api.moveTo('2026-05-20')
    const late = api.post(`/v1/employees/${id}/enrollment-answers`, { answers: [elect(dental)] })
    expect(refusalOf(await late).slice(0, 2)).toEqual([409, 'enrollment_window_closed'])
    api.moveTo('2026-03-10')
    await api.post(`/v1/employees/${id}/terminate`, { termination_date: '2026-03-09' })
    const left = [409, 'employee_is_not_employed']
    expect(refusalOf(await answer([elect(dental)])).slice(0, 2)).toEqual(left)
    const contact = await api.patch(`/v1/employees/${id}/contact`, { phone: '4155550123' }, { key })
    expect(refusalOf(contact).slice(0, 2)).toEqual(left)
    const child = { relationship: 'child', first_name: 'Lina', last_name: 'Hopper', date_of_birth: '2015-02-03' }
    for (const [path, body] of [
      [`/v1/employees/${id}/qualifying-life-events`, { type: 'marriage', occurred_on: '2026-03-01' }],
      [`/v1/employees/${id}/dependents`, child],
      [`/v1/enrollments/${dental.enrollment_id}/elect`, elect(dental).elect],
      [`/v1/enrollments/${dental.enrollment_id}/waive`, {}],
    ] as const)
      expect([path, ...refusalOf(await api.post(path, body, { key })).slice(0, 2)]).toEqual([path, ...left])
    for (const rest of ['', '/enrollments', '/eligibility', '/dependents', '/qualifying-life-events', '/paychecks'])
      expect([rest, (await api.get(`/v1/employees/${id}${rest}`, { key })).status]).toEqual([rest, 200])
    expect((await api.get(`/v1/employees/${id}/deductions/proof`, { key })).body.data.employee_id).toBe(id)
  })
})

describe('employees_update_contact', () => {
  it('lets employees correct their own phone and address, but not their email', async () => {
    const { id, key } = await aFamily()
    const address = { address_line_1: '1 New St', city: 'Troy', state: 'NY', zipcode: '12180' }
    const changed = await api.patch(`/v1/employees/${id}/contact`, { phone: '(415) 555-0199', address }, { key })
    expect(changed.body.data).toMatchObject({ phone: '4155550199', address: { city: 'Troy' } })
    const contact = (email: string, by: { key?: string } = { key }) =>
      api.patch(`/v1/employees/${id}/contact`, { email }, by)
    expect(refusalOf(await contact('no'))).toEqual([400, 'invalid_request', 'email'])
    // If employees could claim any email address, a later hire with that address would be matched to the wrong person.
    expect(refusalOf(await contact('somebody.else@example.com'))).toEqual([400, 'invalid_employee_update', 'email'])
    expect((await contact('new.address@example.com', {})).body.data.email).toBe('new.address@example.com')
  })
})

describe('the quote', () => {
  let weekly: Awaited<ReturnType<typeof aWeeklyPayroll>>
  beforeAll(async () => {
    api.moveTo('2026-03-10')
    weekly = await aWeeklyPayroll()
  })

  it('equals the later deductions for a child, with months charged by the election on their first day', async () => {
    const { of, bears, hire, childOf } = weekly
    const silver = { plan_id: catalog.mvp.plan_id, coverage_tier: 'EC' }
    const bronze = { ...silver, plan_id: catalog.mvp.other_plan_id }

    // Until April, a child born on March 5 costs nothing.
    const mother = await hire('2026-01-05', 'mvp')
    await childOf(mother, '2026-03-05')
    const { reported: born } = await bears(
      mother,
      [{ enrollment_id: await of(mother, 'mvp'), elect: silver }],
      '2026-04-01',
    )
    expect(first(born.answers)).toMatchObject({ effective_on: '2026-03-05', employee_deduction_in_cents: 38_850 })
    expect(first(born.answers).first_paycheck?.period_end_date).toBe('2026-04-01')

    // A child joins the current plan, and the other plan begins in April.
    const father = await hire('2026-01-05', 'mvp')
    await childOf(father, '2026-02-15')
    const { reported: changed } = await bears(
      father,
      [{ enrollment_id: await of(father, 'mvp'), elect: bronze }],
      '2026-04-01',
    )
    expect(first(changed.answers)).toMatchObject({ effective_on: '2026-02-15', employee_deduction_in_cents: 29_150 })
    expect(first(changed.answers).first_paycheck?.period_end_date).toBe('2026-03-11')
  })

  it('lists the enrollments that end and continue if an employee returns to the current benefit', async () => {
    const { of, bears, hire } = weekly
    const back = await hire('2026-01-05', 'mec')
    const [mec, mvp] = [await of(back, 'mec'), await of(back, 'mvp')]
    const to_mvp = elect({ enrollment_id: mvp, plan_id: catalog.mvp.plan_id })
    const to_mec = elect({ enrollment_id: mec, plan_id: catalog.mec.plan_id })
    const ways = async (answers: Input[]) => {
      const { reported, taken } = await bears(back, answers, '2026-04-01')
      const of_april = ({ period_end_date }: { period_end_date: string }) => period_end_date > '2026-04-01'
      const lines = taken.filter(of_april).flatMap((paycheck) => paycheck.lines.map((line) => line.enrollment_id))
      return [reported.replaced, reported.continued, [...new Set(lines)]]
    }
    expect(await ways([to_mvp])).toEqual([[mec], [], [mvp]])
    expect(await ways([to_mec])).toEqual([[mvp], [], [mec]])
    expect(await ways([to_mvp])).toEqual([[mec], [], [mvp]])
    expect(await ways([{ enrollment_id: mvp, waive: {} }])).toEqual([[], [mec], [mec]])
    expect(await ways([to_mvp])).toEqual([[mec], [], [mvp]])
    expect(await ways([{ enrollment_id: mvp, waive: {} }, to_mec])).toEqual([[], [], [mec]])
  })

  it('includes the effect of later prices on a deduction that is spread over the year', async () => {
    const { of, bears, hire, amend } = weekly
    await amend({ effective_on: '2026-08-01', contributions: [{ benefit_id: catalog.mvp.benefit_id, ...nothing }] })
    const hired = await hire('2026-03-10')
    const { reported } = await bears(
      hired,
      [elect({ ...catalog.mvp, enrollment_id: await of(hired, 'mvp') })],
      '2026-04-08',
    )
    // The four months before August are spread over 18 paychecks. Without the change, nine months over 39 paychecks
    // would be 4,846.
    expect(first(reported.answers)).toMatchObject({ employee_deduction_in_cents: 21_000, per_paycheck_in_cents: 4_666 })
  })

  it('is confirmed by a PDF with the plan years of the latest submission, each with its own days', async () => {
    const { of, hire } = weekly
    api.moveTo('2026-11-10')
    const hired = await hire('2026-11-02')
    const [now, next] = [await of(hired, 'mec', '2026'), await of(hired, 'mec', '2027')]
    const [year_now, year_next] = ['Plan year Jan 1, 2026 – Dec 31, 2026', 'Plan year Jan 1, 2027 – Dec 31, 2027']
    const submit = async (answers: object[]) => {
      const answer = await api.post(`/v1/employees/${hired}/enrollment-answers`, { answers })
      expect(answer.status, answer.text).toBe(200)
      const link = (await api.get(`/v1/employees/${hired}/enrollment-answers/pdf`)).body.data
      const file = await fetch(link.download_url)
      return (await extractText(new Uint8Array(await file.arrayBuffer()), { mergePages: true })).text
    }
    const elected = (enrollment_id: string) => elect({ enrollment_id, plan_id: catalog.mec.plan_id })
    const first_text = await submit([elected(now)])
    expect([first_text.includes(year_now), first_text.includes(year_next)]).toEqual([true, false])
    api.moveTo('2026-11-11')
    const next_text = await submit([{ enrollment_id: next, waive: {} }])
    expect([next_text.includes(year_now), next_text.includes(year_next)]).toEqual([false, true])
    expect(next_text).toContain('Waived')
    api.moveTo('2026-11-12')
    const both = await submit([elected(now), { enrollment_id: next, waive: {} }])
    expect(both.indexOf(year_now)).toBeLessThan(both.indexOf(year_next))
    expect(both.lastIndexOf('Waived')).toBeGreaterThan(both.indexOf(year_next))
    api.moveTo('2026-03-10')
  })

  it('allows one choice for each plan year, which later plan years do not replace', async () => {
    const { of, bears, hire } = weekly
    api.moveTo('2026-11-10')
    const hired = await hire('2026-11-02')
    const ids = async (kind: 'mec' | 'mvp') => [await of(hired, kind, '2026'), await of(hired, kind, '2027')] as const
    const [[mec_2026, mec_2027], [mvp_2026, mvp_2027]] = [await ids('mec'), await ids('mvp')]
    const base = elect({ enrollment_id: mec_2026, plan_id: catalog.mec.plan_id })
    const silver = (enrollment_id: string) => elect({ enrollment_id, plan_id: catalog.mvp.plan_id })
    const both = [base, silver(mvp_2027)]
    const { reported } = await bears(hired, both, '2026-12-01')
    expect([reported.replaced.toSorted(), reported.continued]).toEqual([[mvp_2026, mec_2027].toSorted(), []])
    const waiver = await bears(hired, [{ enrollment_id: mvp_2027, waive: {} }], '2027-01-01')
    const again = await bears(hired, [silver(mvp_2027)], '2027-01-01')
    for (const { reported: way } of [waiver, again]) expect([way.replaced, way.continued]).toEqual([[], []])
    const others = await api.post(`/v1/employees/${hired}/enrollment-answers`, {
      answers: [base, silver(mvp_2026)],
    })
    expect(refusalOf(others)).toEqual([422, 'choice_group_conflict', 'answers[1].enrollment_id'])
    api.moveTo('2026-03-10')
  })
})

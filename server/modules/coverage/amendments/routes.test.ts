import { beforeAll, describe, expect, it } from 'vitest'
import { codeOf as statusAndCode } from '../../../test/response.ts'
import { createEmployee, importCatalog, openPlanYear, createOfferingEmployer } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { only, pick } from '../../../test/pick.ts'
import { repriceElections } from '../elections/price-actions.ts'
import { previewOf } from './rules.ts'

const api = useApi()
const asOperator = () => ({ key: api.operator_key })

const silver = {
  carrier: 'Evergreen Health',
  product_code: 'MVP',
  benefit: 'Major Medical',
  plan: 'Major Medical Silver',
}
const aged = {
  carrier: 'Evergreen Health',
  product_code: 'ICHRA',
  benefit: 'By Age',
  plan: 'By Age Silver',
  state: 'NY',
}
let catalog: Awaited<ReturnType<typeof importCatalog>>
let by_age: { benefit_id: string; plan_id: string }
beforeAll(async () => {
  catalog = await importCatalog(api, [
    { ...silver, coverage_tier: 'EE', premium_in_cents: 44_000, effective_on: '2026-07-01' },
    { ...aged, age: '0-150', premium_in_cents: 60_000, effective_on: '2026-01-01' },
    { ...aged, age: '0-35', premium_in_cents: 61_000, effective_on: '2026-07-01' },
    { ...aged, age: '36-150', premium_in_cents: 90_000, effective_on: '2026-07-01' },
  ])
  const path = `/operator/v1/organizations/${api.story.organization_id}/catalog` as const
  const { benefits } = (await api.get(path, asOperator())).body.data
  const benefit = pick(benefits, ({ name }) => name === 'By Age')
  by_age = { benefit_id: benefit.id, plan_id: only(benefit.plans).id }
})

const codeOf = (answer: Parameters<typeof statusAndCode>[0]) => statusAndCode(answer)[1]

const half = [{ coverage_tier: null, method: 'percentage', percentage: 50 }]
const pathOf = (plan_year_id: string) => `/operator/v1/benefit-plan-years/${plan_year_id}/amendments` as const
const publish = (plan_year_id: string, body: object, headers: Record<string, string> = {}) =>
  api.post(pathOf(plan_year_id), { reason: 'The carrier corrected its rates', ...body }, { ...asOperator(), headers })
const listed = async (plan_year_id: string) => (await api.get(pathOf(plan_year_id), asOperator())).body.data

/** An employer with some benefits in 2026, without a waiting period. */
async function anEmployerWithYear(
  benefits: object[] = [{ benefit_id: catalog.mvp.benefit_id, contribution_tiers: half }],
) {
  const { employer_id, plan_year_id } = await createOfferingEmployer(api, catalog, { benefits })
  return { employer_id, plan_year_id }
}

async function a_person(employer_id: string, plan_id: string, input: object = {}) {
  const { id } = await createEmployee(api, employer_id, { start_date: '2026-03-10', ...input })
  const enrollment = only((await api.get(`/v1/employees/${id}/enrollments`)).body.data)
  const answer = await api.post(`/v1/enrollments/${enrollment.id}/elect`, { plan_id, coverage_tier: 'EE' })
  expect(answer.status, answer.text).toBe(200)
  return { employee_id: id, enrollment_id: enrollment.id }
}
const enrollment = async (id: string) => (await api.get(`/v1/enrollments/${id}`)).body.data

describe('operator_amend_benefit_plan_year', () => {
  it('is saved once for one idempotency key', async () => {
    const { plan_year_id } = await anEmployerWithYear()
    const input = { effective_on: '2026-07-01', repriced_plan_ids: [catalog.mvp.plan_id] }
    const headers = { 'idempotency-key': 'amend-once' }
    const answers = [await publish(plan_year_id, input, headers), await publish(plan_year_id, input, headers)]
    expect(answers.map(({ status }) => status)).toEqual([201, 201])
    expect(await listed(plan_year_id)).toHaveLength(1)
  })

  it.each<[string, object, string]>([
    ['a day within a month', { effective_on: '2026-07-02', coverage_end: '2026-11-30' }, 'invalid_amendment'],
    ['nothing', {}, 'invalid_amendment'],
    ['an unknown plan', { repriced_plan_ids: ['pln_01kdq7b4w8e9rs2mh3n5t6v7xz'] }, 'invalid_amendment'],
    ['an unknown added plan', { added_plan_ids: ['pln_01kdq7b4w8e9rs2mh3n5t6v7xz'] }, 'unknown_plan'],
    ['an unknown benefit', { added_benefits: [{ benefit_id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v7xz' }] }, 'unknown_benefit'],
    ['a malformed id', { closed_plan_ids: ['silver'] }, 'invalid_request'],
    ['a day without a calendar', { effective_on: '2026-02-30' }, 'invalid_request'],
  ])('refuses %s, and changes nothing', async (_, input, code) => {
    const { plan_year_id } = await anEmployerWithYear()
    expect(codeOf(await publish(plan_year_id, { effective_on: '2026-07-01', ...input }))).toBe(code)
    expect(await listed(plan_year_id)).toEqual([])
  })

  it('refuses contributions and plans that do not fit the benefits', async () => {
    const { employer_id, plan_year_id } = await anEmployerWithYear()
    const { mvp, ichra, dental } = catalog
    const on = { effective_on: '2026-07-01' }
    const classes = [{ name: 'All', allowance_in_cents: 100 }]
    const wrong = [{ benefit_id: mvp.benefit_id, ichra_contribution_classes: classes }]
    expect(codeOf(await publish(plan_year_id, { ...on, contributions: wrong }))).toBe('contribution_does_not_fit')
    const tiers = [{ benefit_id: ichra.benefit_id, contribution_tiers: half }]
    expect(codeOf(await publish(plan_year_id, { ...on, added_benefits: tiers }))).toBe('contribution_does_not_fit')
    const bare = [{ benefit_id: by_age.benefit_id }]
    expect(codeOf(await publish(plan_year_id, { ...on, added_benefits: bare }))).toBe('contribution_missing')
    const early = {
      effective_on: '2026-01-01',
      added_benefits: [{ benefit_id: dental.benefit_id, plan_ids: [mvp.plan_id] }],
    }
    expect(codeOf(await publish(plan_year_id, early))).toBe('unknown_plan')
    await openPlanYear(api, employer_id, catalog, {
      coverage_start: '2026-04-01',
      benefits: [{ benefit_id: dental.benefit_id }],
    })
    const taken = { ...on, added_benefits: [{ benefit_id: dental.benefit_id }] }
    expect(codeOf(await publish(plan_year_id, taken))).toBe('plan_year_overlaps')
  })

  it('is visible only to partners of the organization', async () => {
    const { employer_id, plan_year_id } = await anEmployerWithYear()
    await publish(plan_year_id, { effective_on: '2026-07-01', repriced_plan_ids: [catalog.mvp.plan_id] })
    const path = `/v1/employers/${employer_id}/benefit-plan-years/${plan_year_id}/amendments` as const
    expect((await api.get(path)).body).toEqual((await api.get(pathOf(plan_year_id), asOperator())).body)
    expect((await api.get(path, { key: api.story.rival_api_key })).status).toBe(404)
    expect((await publish('plyr_01kdq7b4w8e9rs2mh3n5t6v7xz', {})).status).not.toBe(201)
  })

  it('applies to employees who elect before all employees are updated, and to days that pass before that', async () => {
    const { employer_id, plan_year_id } = await anEmployerWithYear()
    const first = await a_person(employer_id, catalog.mvp.plan_id)
    await publish(plan_year_id, { effective_on: '2026-07-01', repriced_plan_ids: [catalog.mvp.plan_id] })
    const second = await a_person(employer_id, catalog.mvp.plan_id)
    expect((await enrollment(second.enrollment_id)).upcoming_election?.premium_in_cents).toBe(44_000)
    api.moveTo('2026-03-11')
    await api.runDays()
    await api.work()
    const both = [first, second].map(({ enrollment_id }) => enrollment_id)
    for (const id of both) expect((await enrollment(id)).upcoming_election?.premium_in_cents).toBe(44_000)
    expect(await api.act((ctx) => repriceElections(ctx, api.story.organization_id, both))).toEqual([])
    api.moveTo('2026-07-01')
    expect((await enrollment(first.enrollment_id)).premium_in_cents).toBe(44_000)
    const { plans } = await enrollment(first.enrollment_id)
    const tiers = pick(plans!, ({ id }) => id === catalog.mvp.plan_id).tiers
    expect(pick(tiers, ({ coverage_tier }) => coverage_tier === 'EE').premium_in_cents).toBe(44_000)
    api.moveTo('2026-03-10')
  })

  it('reprices ICHRA by age and area, and by the allowance of the day', async () => {
    const all = { name: 'All', allowance_in_cents: 30_000 }
    const offer = { benefit_id: by_age.benefit_id, ichra_contribution_classes: [all] }
    const { employer_id, plan_year_id } = await anEmployerWithYear([offer])
    const address = { address_line_1: '1 Main St', city: 'Albany', state: 'NY', zipcode: '12207' }
    const young = await a_person(employer_id, by_age.plan_id, { date_of_birth: '1995-01-01', address })
    const old = await a_person(employer_id, by_age.plan_id, { date_of_birth: '1970-01-01', address })
    const input = {
      effective_on: '2026-07-01',
      repriced_plan_ids: [by_age.plan_id],
      contributions: [
        {
          benefit_id: by_age.benefit_id,
          ichra_contribution_classes: [{ ...all, min_age: 40, allowance_in_cents: 50_000 }, all],
        },
      ],
    }
    const preview = await publish(plan_year_id, { ...input, dry_run: true })
    const after = Object.fromEntries(
      preview.body.data.map((row) => [row.enrollment_id, row.months[0]?.after?.employee_deduction_in_cents]),
    )
    expect(after).toEqual({ [young.enrollment_id]: 31_000, [old.enrollment_id]: 40_000 })
    expect((await publish(plan_year_id, input)).status).toBe(201)
    await api.work()
    for (const [id, cents] of Object.entries(after))
      expect((await enrollment(id)).upcoming_election?.employee_deduction_in_cents).toBe(cents)
    expect((await enrollment(old.enrollment_id)).employee_deduction_in_cents).toBe(30_000)
  })
})

describe('operator_withdraw_benefit_plan_year_amendment', () => {
  it('withdraws each amendment once, and none of another plan year', async () => {
    const { plan_year_id } = await anEmployerWithYear()
    const other = await anEmployerWithYear()
    await publish(plan_year_id, { effective_on: '2026-07-01', coverage_end: '2026-11-30' })
    const { id } = only(await listed(plan_year_id))
    const withdraw = (of: string) => api.post(`${pathOf(of)}/${id}/withdraw`, { reason: 'Mistaken' }, asOperator())
    expect((await withdraw(other.plan_year_id)).status).toBe(404)
    expect((await withdraw(plan_year_id)).status).toBe(200)
    expect(codeOf(await withdraw(plan_year_id))).toBe('amendment_is_withdrawn')
    expect(only(await listed(plan_year_id)).withdrawal_reason).toBe('Mistaken')
  })

  it('is refused if another plan year covers the time by then', async () => {
    const { employer_id, plan_year_id } = await anEmployerWithYear()
    await publish(plan_year_id, { effective_on: '2026-04-01', coverage_end: '2026-06-30' })
    const benefits = [{ benefit_id: catalog.mvp.benefit_id, contribution_tiers: half }]
    await openPlanYear(api, employer_id, catalog, { coverage_start: '2026-07-01', benefits })
    const { id } = only(await listed(plan_year_id))
    const answer = await api.post(`${pathOf(plan_year_id)}/${id}/withdraw`, { reason: 'Mistaken' }, asOperator())
    expect(codeOf(answer)).toBe('plan_year_overlaps')
    expect(only(await listed(plan_year_id)).withdrawn_at).toBeNull()
  })
})

describe('operator_change_benefit_plan_year', () => {
  it('prevents other changes to a plan year with amendments', async () => {
    const { employer_id } = await anEmployerWithYear()
    const benefits = [{ benefit_id: catalog.mvp.benefit_id, contribution_tiers: half }]
    const id = await openPlanYear(api, employer_id, catalog, { coverage_start: '2027-01-01', benefits })
    expect((await publish(id, { effective_on: '2027-01-01', coverage_end: '2027-11-30' })).status).toBe(201)
    const change = () =>
      api.patch(`/operator/v1/benefit-plan-years/${id}`, { coverage_end: '2027-10-31' }, asOperator())
    expect(codeOf(await change())).toBe('plan_year_is_amended')
    const { id: amendment_id } = only(await listed(id))
    await api.post(`${pathOf(id)}/${amendment_id}/withdraw`, { reason: 'Changed instead' }, asOperator())
    expect((await change()).status).toBe(200)
  })
})

describe('coverage that an amendment changes', () => {
  const election = (effective_on: string, premium_in_cents: number) => ({
    effective_on,
    plan_id: 'silver',
    coverage_tier: 'EE' as const,
    dependent_ids: [],
    premium_in_cents,
    employer_contribution_in_cents: 100,
    employee_deduction_in_cents: premium_in_cents - 100,
  })
  const base = {
    enrollment: { coverage_start: '2026-03-10', coverage_end: null },
    before: { loses_on: '2027-01-01', elections: [election('-infinity', 1000)] },
    lapses: [],
    first_open_month: '2026-06-01',
    partial_month_rules: {},
  }
  it('is shown as the changed months, with those within the correction window', () => {
    const elections = [election('-infinity', 1000), election('2026-05-01', 1200)]
    const { loses_coverage_on, months } = previewOf({ ...base, after: { loses_on: '2026-08-01', elections } })
    expect(loses_coverage_on).toBe('2026-08-01')
    expect(
      months.map((one) => [one.month, one.before?.premium_in_cents, one.after?.premium_in_cents, one.is_corrected]),
    ).toEqual([
      ['2026-05', 1000, 1200, false],
      ['2026-06', 1000, 1200, true],
      ['2026-07', 1000, 1200, true],
      ...['08', '09', '10', '11', '12'].map((month) => [`2026-${month}`, 1000, undefined, true]),
    ])
  })

  it('continues in an extended plan year, unless it ended for another reason', () => {
    const after = { loses_on: '2027-02-01', elections: base.before.elections }
    const monthsOf = (coverage_end: string | null) =>
      previewOf({ ...base, enrollment: { ...base.enrollment, coverage_end }, after }).months.map(({ month }) => month)
    expect(monthsOf(null)).toEqual(['2027-01'])
    expect(monthsOf('2026-12-31')).toEqual(['2027-01'])
    expect(monthsOf('2026-10-31')).toEqual([])
  })
})

import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../kernel/ids.ts'
import { aPerson, createEmployee, createEmployer, importCatalog, openPlanYear } from '../../test/cast.ts'
import { codeOf, refusalOf } from '../../test/answer.ts'
import type { BenefitPlanYear } from '../../test/contract-types.ts'
import { useApi } from '../../test/harness.ts'
import { pick, first, only, sure } from '../../test/pick.ts'
import { addToPlanYearCounts } from './queries.ts'

const api = useApi()
let catalog: Awaited<ReturnType<typeof importCatalog>>
let rivals: Awaited<ReturnType<typeof importCatalog>>

beforeAll(async () => {
  catalog = await importCatalog(api, [
    { carrier: 'Aspen Mutual', product_code: 'VV', benefit: 'Vision', plan: 'Unpriced yet' },
    {
      carrier: 'Aspen Mutual',
      product_code: 'MEC',
      benefit: 'Essential Care',
      plan: 'Essential Care Plus',
      networks: ['Multi Plan', 'First Health'],
      spd_file_url: 'https://plans.example.com/plus.pdf',
      coverage_tier: 'EE',
      premium_in_cents: 12_000,
      effective_on: '2025-01-01',
    },
  ])
  rivals = await importCatalog(api, [], api.story.rival_organization_id)
})

const operator = () => ({ key: api.operator_key })
const ofEmployer = (employer_id: string) => `/operator/v1/employers/${employer_id}/benefit-plan-years` as const
const ofYear = (id: string) => `/operator/v1/benefit-plan-years/${id}` as const
const open = (employer_id: string, body: object) => api.post(ofEmployer(employer_id), body, operator())
const change = (id: string, body: object) => api.patch(ofYear(id), body, operator())
const copy = (id: string, body: object = {}) => api.post(`${ofYear(id)}/copy`, body, operator())

const listed = async (employer_id: string, query = '') =>
  (await api.get(`/v1/employers/${employer_id}/benefit-plan-years${query}`)).body.data
const detail = async (employer_id: string, id: string) =>
  (await api.get(`/v1/employers/${employer_id}/benefit-plan-years/${id}`)).body.data

const tokenOf = async (type: 'employer' | 'employee', id: string) =>
  (await api.post('/v1/auth/access-tokens', { grant_type: 'client_credentials', bound_entity: { type, id } })).body
    .access_token

const fixed = (amount_in_cents: number, coverage_tier: string | null = null) => ({
  coverage_tier,
  method: 'fixed',
  amount_in_cents,
})
const nextYear = { coverage_start: '2027-01-01' }
const mec = (said: object = {}) => ({ benefit_id: catalog.mec.benefit_id, ...said })
const none = { eligible: 0, enrolled: 0, percentage: 0 }

describe('operator_open_benefit_plan_year', () => {
  it('opens a plan year at the prices of the catalog and shows it in full', async () => {
    const employer_id = await createEmployer(api)
    const body = {
      coverage_start: '2026-04-01',
      open_enrollment_start: '2026-03-01',
      open_enrollment_end: '2026-03-20',
      offered_states: ['NY', 'nj', 'NY'],
      benefits: [
        mec({ contribution_tiers: [fixed(5_000, 'EE'), { method: 'percentage', percentage: 62.55 }] }),
        { benefit_id: catalog.ichra.benefit_id, starts_on: '2026-05-01' },
      ],
    }
    const answer = await open(employer_id, body)
    expect(answer.status, answer.text).toBe(201)
    const { id } = answer.body.data
    const words = {
      EE: 'Employee only',
      ES: 'Employee and spouse',
      EC: 'Employee and children',
      EF: 'Employee and family',
    }
    const priced = (plan: string, tier: keyof typeof words, premium: number, employer: number, cost: number) => ({
      benefit_id: catalog.mec.benefit_id,
      coverage_tier: tier,
      ...(tier === 'EE'
        ? { method: 'fixed', amount_in_cents: 5_000, percentage: null }
        : { method: 'percentage', amount_in_cents: null, percentage: 62.55 }),
      benefit_plan_id: plan === 'Base' ? catalog.mec.plan_id : expect.stringMatching(/^pln_/),
      benefit_plan_name: `Essential Care ${plan}`,
      benefit_plan_tier_name: words[tier],
      premium_in_cents: premium,
      employer_contribution_in_cents: employer,
      cost,
      cost_per_dependent: 0,
      dependents_required_in: tier === 'EC' || tier === 'EF',
      spouse_required_in: tier === 'ES' || tier === 'EF',
    })
    const allowance = (name: string, allowance_in_cents: number, said: object) => {
      const about = { benefit_id: catalog.ichra.benefit_id, name, employee_class: 'Full Time', ...said }
      return {
        min_age: null,
        max_age: null,
        state: null,
        coverage_tier: null,
        ...about,
        allowance_in_cents,
        contribution_class_id: expect.stringMatching(/^iccl_[0-9a-f]{26}$/),
        amount_in_cents: allowance_in_cents,
        employment: about.employee_class,
        compensation: 'Unspecified',
        family_status: 'Unspecified',
        location: 'Unspecified',
        location_value: null,
      }
    }
    expect(answer.body.data).toEqual({
      id: expect.stringMatching(/^plyr_/),
      benefit_plan_year_id: id,
      benefit_id: catalog.mec.benefit_id,
      year: 2026,
      family: 'mec',
      product_name: 'Essential Care',
      carrier: 'Evergreen Health',
      network_names: ['First Health', 'Multi Plan'],
      premium_in_cents: 8_900,
      // EE of the cheaper plan, and EF: 62.55 % of 24 900 is 15 574.95.
      employee_contribution: { min_cents: 3_900, max_cents: 9_325 },
      employer_contribution: { min_cents: 5_000, max_cents: 15_575 },
      status: 'open_enrollment',
      coverage_start: '2026-04-01',
      coverage_end: '2027-03-31',
      open_enrollment_start: '2026-03-01',
      open_enrollment_end: '2026-03-20',
      offered_states: ['NY', 'NJ'],
      renewal: 'active',
      plan_successors: {},
      choice_groups: [{ name: 'medical', benefit_ids: [catalog.mec.benefit_id, catalog.ichra.benefit_id] }],
      notice_due_on: '2026-01-01',
      benefits: [
        {
          id: catalog.mec.benefit_id,
          category: 'Medical',
          name: 'Essential Care',
          product_code: 'MEC',
          enrollment_rate: none,
        },
        {
          id: catalog.ichra.benefit_id,
          category: 'Medical',
          name: 'Own Choice',
          product_code: 'ICHRA',
          enrollment_rate: none,
        },
      ],
      benefit_families: ['ICHRA', 'MEC'],
      enrollment_rate: none,
      spd_file_url: 'https://plans.example.com/plus.pdf',
      contribution_strategy: {
        // 62.55 % of 17 500 is 10 946.25, of 16 500 it is 10 320.75.
        contribution_tiers: [
          priced('Base', 'EE', 8_900, 5_000, 3_900),
          priced('Base', 'ES', 17_500, 10_946, 6_554),
          priced('Base', 'EC', 16_500, 10_321, 6_179),
          priced('Base', 'EF', 24_900, 15_575, 9_325),
          priced('Plus', 'EE', 12_000, 5_000, 7_000),
        ],
        contribution_rules: [
          { benefit_id: catalog.mec.benefit_id, ...fixed(5_000, 'EE') },
          { benefit_id: catalog.mec.benefit_id, coverage_tier: null, method: 'percentage', percentage: 62.55 },
        ],
        ichra_contribution_classes: [
          allowance('Full Time, 0 to 39', 30_000, { max_age: 39 }),
          allowance('Full Time, 40 to any age', 45_000, { min_age: 40 }),
          allowance('Part Time', 15_000, { employee_class: 'Part Time' }),
        ],
      },
      eligibility_policy: null,
    })
    expect(await detail(employer_id, id)).toEqual(answer.body.data)
    expect((await api.get(ofEmployer(employer_id), operator())).body.data).toEqual([answer.body.data])
    expect(await api.events(id)).toEqual([])
  })

  it('tells of the eligibility policy whom it covers, where, and when coverage ends', async () => {
    const employer_id = await createEmployer(api)
    await api.post(`/v1/employers/${employer_id}/benefit-eligibility-policies`, {
      employee_classes: ['Full Time', 'Seasonal'],
      compensation_types: ['Salary'],
      waiting_period: '30_days',
    })
    const id = await openPlanYear(api, employer_id, catalog, { offered_states: ['NY'] })
    const where = { type: 'StateCodes', state_codes: ['NY'] }
    const ruleFor = (employee_class: string) => ({
      employee_class,
      compensation_type: 'Salary',
      eligible_geographical_location: where,
    })
    expect((await detail(employer_id, id)).eligibility_policy).toMatchObject({
      waiting_period: '30_days',
      termination_rule: 'END_OF_N_MONTHS',
      termination_n_months: 0,
      rules: [ruleFor('Full Time'), ruleFor('Seasonal')],
    })
    const elsewhere = await createEmployer(api)
    await api.post(`/v1/employers/${elsewhere}/benefit-eligibility-policies`, {
      classification: 'full_time',
      waiting_period: 'none',
    })
    const everywhere = await detail(elsewhere, await openPlanYear(api, elsewhere, catalog))
    expect(everywhere.eligibility_policy!.rules).toEqual([
      {
        employee_class: 'Full Time',
        compensation_type: 'All',
        eligible_geographical_location: { type: 'All', state_codes: [] },
      },
    ])
  })

  it('opens one that runs already, and one that is over', async () => {
    const employer_id = await createEmployer(api)
    await openPlanYear(api, employer_id, catalog)
    await openPlanYear(api, employer_id, catalog, {
      coverage_start: '2024-03-01',
      coverage_end: '2025-02-28',
      year: 2025,
    })
    expect(await listed(employer_id)).toMatchObject([
      { year: 2026, status: 'active', is_current: true },
      { year: 2025, status: 'inactive', is_current: false, coverage_end: '2025-02-28' },
    ])
  })

  it('asks for the recalculation of the employer, once for several changes', async () => {
    const employer_id = await createEmployer(api)
    const id = await openPlanYear(api, employer_id, catalog, nextYear)
    await change(id, { offered_states: ['NY'] })
    const jobs = await api.database.reads.rows<{ count: number }>(
      `select count(*) as count from graphile_worker.jobs where key = $1`,
      [`recalculate:${employer_id}`],
    )
    expect(jobs).toEqual([{ count: 1 }])
  })

  it.each([
    ['on its last day', { coverage_start: '2026-12-31' }, 409],
    ['on its first day', { coverage_start: '2025-06-01', coverage_end: '2026-01-01' }, 409],
    ['within it', { coverage_start: '2026-03-01', coverage_end: '2026-04-01' }, 409],
    ['around it', { coverage_start: '2025-12-31', coverage_end: '2027-01-01' }, 409],
    ['on the day before', { coverage_start: '2025-06-01', coverage_end: '2025-12-31' }, 201],
    ['on the day after', nextYear, 201],
  ])('offers a benefit in one plan year at a time: another one %s', async (_, days, status) => {
    const employer_id = await createEmployer(api)
    await openPlanYear(api, employer_id, catalog)
    const answer = await open(employer_id, { ...days, benefits: [mec()] })
    expect(codeOf(answer)).toEqual([status, status === 409 ? 'plan_year_overlaps' : undefined])
  })

  it('opens one of ten that come at once', async () => {
    const employer_id = await createEmployer(api)
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => open(employer_id, { ...nextYear, benefits: [mec()] })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(9).fill(409)])
  })

  it.each<[string, () => object, string, string]>([
    ['days in the wrong order', () => ({ coverage_end: '2026-12-01' }), 'invalid_plan_year', 'coverage_end'],
    ['half a window', () => ({ open_enrollment_end: '2026-12-01' }), 'invalid_plan_year', 'open_enrollment_start'],
    [
      'a benefit that is none',
      () => ({ benefits: [mec(), { benefit_id: newId('bprd') }] }),
      'unknown_benefit',
      'benefits[1].benefit_id',
    ],
    [
      "another organization's benefit",
      () => ({ benefits: [{ benefit_id: rivals.mec.benefit_id }] }),
      'unknown_benefit',
      'benefits[0].benefit_id',
    ],
    [
      "another organization's plan",
      () => ({ benefits: [mec({ plan_ids: [rivals.mec.plan_id] })] }),
      'unknown_plan',
      'benefits[0].plan_ids[0]',
    ],
    [
      "another benefit's plan",
      () => ({ benefits: [mec({ plan_ids: [catalog.dental.plan_id] })] }),
      'unknown_plan',
      'benefits[0].plan_ids[0]',
    ],
    [
      'a day before the first rate',
      () => ({ coverage_start: '2019-12-31', benefits: [mec()] }),
      'plan_has_no_rate',
      'benefits[0].benefit_id',
    ],
    [
      'classes for MEC',
      () => ({ benefits: [mec({ ichra_contribution_classes: [{ name: 'All', allowance_in_cents: 1 }] })] }),
      'contribution_does_not_fit',
      'benefits[0].ichra_contribution_classes',
    ],
    [
      'no classes for ICHRA',
      () => ({ benefits: [{ benefit_id: catalog.ichra.benefit_id, ichra_contribution_classes: [] }] }),
      'contribution_missing',
      'benefits[0].ichra_contribution_classes',
    ],
  ])('refuses %s', async (_, said, code, field) => {
    const employer_id = await createEmployer(api)
    expect(refusalOf(await open(employer_id, { ...nextYear, benefits: [mec()], ...said() }))).toEqual([
      422,
      code,
      field,
    ])
    expect(await listed(employer_id)).toEqual([])
  })

  it('refuses a plan that has no rate yet, and leaves it out of all plans', async () => {
    const employer_id = await createEmployer(api)
    const benefits = (await api.get(`/operator/v1/organizations/${api.story.organization_id}/catalog`, operator())).body
      .data.benefits
    const { id, plans } = pick(benefits, (benefit) => benefit.name === 'Vision')
    const unpriced = pick(plans, (plan) => plan.name === 'Unpriced yet').id
    const refused = await open(employer_id, { ...nextYear, benefits: [{ benefit_id: id, plan_ids: [unpriced] }] })
    expect(refusalOf(refused)).toEqual([422, 'plan_has_no_rate', 'benefits[0].plan_ids[0]'])
    const { body } = await open(employer_id, { ...nextYear, benefits: [{ benefit_id: id }] })
    expect(body.data).toMatchObject({ carrier: 'Clearview Vision', premium_in_cents: 790 })
  })

  it.each<[string, () => unknown, string]>([
    ['benefits', () => [], 'benefits'],
    ['benefits', () => [mec(), mec()], 'benefits[1]'],
    ['benefits', () => [mec({ plan_ids: [] })], 'benefits[0].plan_ids'],
    ['benefits', () => [mec({ plan_ids: [catalog.mec.plan_id, catalog.mec.plan_id] })], 'benefits[0].plan_ids[1]'],
    ['benefits', () => [mec({ contribution_tiers: [fixed(-1)] })], 'benefits[0].contribution_tiers[0].amount_in_cents'],
    [
      'benefits',
      () => [mec({ contribution_tiers: [{ method: 'percentage', percentage: 33.333 }] })],
      'benefits[0].contribution_tiers[0].percentage',
    ],
    ['benefits', () => [mec({ contribution_tiers: [{ method: 'half' }] })], 'benefits[0].contribution_tiers[0].method'],
    [
      'benefits',
      () => [mec({ ichra_contribution_classes: [{ name: 'A', min_age: 40, max_age: 39, allowance_in_cents: 1 }] })],
      'benefits[0].ichra_contribution_classes[0].max_age',
    ],
    ['coverage_start', () => '2027-02-29', 'coverage_start'],
    ['offered_states', () => ['XX'], 'offered_states[0]'],
    ['coverage_end', () => '9999-12-31', 'coverage_end'],
    ['year', () => 27, 'year'],
    ['year', () => 2200, 'year'],
  ])('names the field: %s', async (name, value, field) => {
    const employer_id = await createEmployer(api)
    const answer = await open(employer_id, { ...nextYear, benefits: [mec()], [name]: value() })
    expect(refusalOf(answer)).toEqual([400, 'invalid_request', field])
  })
})

describe('operator_change_benefit_plan_year', () => {
  const opened = async (said: object = {}) => {
    const employer_id = await createEmployer(api)
    return {
      employer_id,
      id: await openPlanYear(api, employer_id, catalog, { ...nextYear, ...said }),
    }
  }

  it('changes what is sent, and nothing else', async () => {
    const { employer_id, id } = await opened()
    const before = await detail(employer_id, id)
    const changes = {
      year: 2028,
      open_enrollment_start: '2026-11-01',
      open_enrollment_end: '2026-11-30',
      offered_states: ['NY'],
    }
    const answer = await change(id, changes)
    expect([answer.status, answer.body.data]).toEqual([200, { ...before, ...changes }])
    expect((await change(id, {})).body.data).toEqual({ ...before, ...changes })
    expect((await change(id, { year: null, offered_states: [] })).body.data.offered_states).toEqual([])
  })

  it('calls the plan year after its first day until somebody calls it otherwise', async () => {
    const { id } = await opened({ coverage_end: '2027-06-30' })
    const changed = async (body: object) => (await change(id, body)).body.data.year
    expect(await changed({ coverage_start: '2026-12-01' })).toBe(2026)
    expect(await changed({ coverage_start: '2027-01-01', year: 2030 })).toBe(2030)
    expect(await changed({ coverage_start: '2026-12-01' })).toBe(2030)
    expect(await changed({ year: 2026 })).toBe(2026)
    expect(await changed({ coverage_start: '2027-01-01' })).toBe(2027)
  })

  it('clears the open enrollment with null for both of its days', async () => {
    const window = { open_enrollment_start: '2026-11-01', open_enrollment_end: '2026-11-30' }
    const { employer_id, id } = await opened(window)
    for (const name of ['open_enrollment_start', 'open_enrollment_end'])
      expect(refusalOf(await change(id, { [name]: null }))).toEqual([422, 'invalid_plan_year', name])
    expect(await detail(employer_id, id)).toMatchObject(window)
    const none = { open_enrollment_start: null, open_enrollment_end: null }
    const year = (await change(id, none)).body.data
    expect(year).toMatchObject({ open_enrollment_start: year.coverage_start, open_enrollment_end: null })
    expect(refusalOf(await change(id, { open_enrollment_start: '2026-11-01' }))).toEqual([
      422,
      'invalid_plan_year',
      'open_enrollment_end',
    ])
  })

  it('names what was sent when days don’t fit together', async () => {
    const { id } = await opened({ open_enrollment_start: '2027-02-01', open_enrollment_end: '2027-03-01' })
    for (const [name, day, why] of [
      ['coverage_start', '2027-12-31', 'must be before coverage_end'],
      ['coverage_start', '2026-12-30', 'must be within 366 days of coverage_end'],
      ['coverage_end', '2027-02-28', 'must not be before open_enrollment_end'],
      ['open_enrollment_start', '2027-03-02', 'must not be after open_enrollment_end'],
    ] as const) {
      const { status, error } = await change(id, { [name]: day })
      expect([status, error.details]).toEqual([422, [{ field: name, message: why }]])
    }
  })

  it('tells those who are enrolled of a window that it opens today', async () => {
    const employer_id = await createEmployer(api)
    await api.post(`/v1/employers/${employer_id}/benefit-eligibility-policies`, {
      classification: 'all',
      waiting_period: 'none',
    })
    const id = await openPlanYear(api, employer_id, catalog, { coverage_start: '2026-07-01' })
    const employee = await createEmployee(api, employer_id)
    await api.work()
    const enrollment = first((await api.get(`/v1/employees/${employee.id}/enrollments`)).body.data)
    const started = async () => (await api.events(enrollment.id)).filter((name) => name === 'enrollment.started').length
    const set = async (open_enrollment_start: string | null, open_enrollment_end: string | null) => {
      expect((await change(id, { open_enrollment_start, open_enrollment_end })).status).toBe(200)
      await api.work()
      return started()
    }
    expect(await started()).toBe(1)
    api.moveTo('2026-05-10')
    expect(await set('2026-05-11', '2026-05-20')).toBe(1)
    expect(await set('2026-05-01', '2026-05-09')).toBe(1)
    expect(await set('2026-05-01', '2026-05-10')).toBe(2)
    expect(await set('2026-05-10', '2026-05-20')).toBe(2)
    expect(await set(null, null)).toBe(2)
    expect(await set('2026-05-10', '2026-05-20')).toBe(3)
    api.moveTo('2026-03-10')
  })

  it('moves the plan year with its benefits, but for those that begin on a day of their own', async () => {
    const { id } = await opened({
      benefits: [mec(), { benefit_id: catalog.dental.benefit_id, starts_on: '2027-03-01' }],
    })
    const moved = await change(id, { coverage_start: '2027-02-01' })
    expect(moved.body.data).toMatchObject({ coverage_start: '2027-02-01', coverage_end: '2027-12-31', year: 2027 })
    const refused = await change(id, { coverage_start: '2027-03-02' })
    expect(refusalOf(refused)).toEqual([422, 'invalid_plan_year', ''])
    expect(refused.error.details[0]?.message).toBe(
      `benefit ${catalog.dental.benefit_id}: starts_on must be within the plan year`,
    )
    expect((await change(id, { coverage_start: '2027-03-01' })).status).toBe(200)
  })

  it('takes the prices of the catalog anew', async () => {
    const { employer_id, id } = await opened({ benefits: [{ benefit_id: catalog.dental.benefit_id }] })
    const vision = { carrier: 'Brightside Dental', product_code: 'VD', benefit: 'Dental', plan: 'Brightside PPO' }
    await importCatalog(api, [{ ...vision, coverage_tier: 'EE', premium_in_cents: 3_300, effective_on: '2026-12-01' }])
    expect((await detail(employer_id, id)).premium_in_cents).toBe(3_200)
    expect((await change(id, {})).body.data.premium_in_cents).toBe(3_300)
  })

  it('replaces the benefits as a whole; one that was withdrawn comes back when it is named again', async () => {
    const { employer_id, id } = await opened()
    const answer = await change(id, { benefits: [{ benefit_id: catalog.vision.benefit_id }, mec()] })
    const names = (data: BenefitPlanYear) => data.benefits.map(({ name }) => name)
    expect(names(answer.body.data)).toEqual(['Vision', 'Essential Care'])
    expect(answer.body.data).toMatchObject({
      benefit_id: catalog.vision.benefit_id,
      family: 'vision',
      benefit_families: ['MEC', 'VISION'],
      employer_contribution: { min_cents: 0, max_cents: 0 },
      contribution_strategy: { contribution_rules: [] },
    })
    await change(id, { benefits: [{ benefit_id: catalog.dental.benefit_id }] })
    expect(names(await detail(employer_id, id))).toEqual(['Dental'])
  })

  it('is refused from the first day on', async () => {
    const { id } = await opened({ coverage_start: '2026-03-11' })
    expect((await change(id, { year: 2026 })).status).toBe(200)
    api.moveTo('2026-03-11')
    expect(refusalOf(await change(id, { year: 2027 }))).toEqual([409, 'plan_year_has_started', undefined])
    api.moveTo('2026-03-10')
  })

  it('may not run into another plan year of its benefits, and a refused change changes nothing', async () => {
    const { employer_id, id } = await opened()
    await openPlanYear(api, employer_id, catalog)
    const before = await detail(employer_id, id)
    expect(refusalOf(await change(id, { coverage_start: '2026-12-31', year: 2020 }))).toEqual([
      409,
      'plan_year_overlaps',
      '',
    ])
    expect(refusalOf(await change(id, { year: 2020, benefits: [{ benefit_id: newId('bprd') }] }))).toEqual([
      422,
      'unknown_benefit',
      'benefits[0].benefit_id',
    ])
    expect(await detail(employer_id, id)).toEqual(before)
  })

  it('keeps what somebody has elected, at its price', async () => {
    const { employer_id, id } = await opened()
    const { enrollment_id } = await enroll(employer_id, id, catalog.dental, { answer: 'enrolled' })
    const has = [409, 'plan_year_has_elections', undefined]
    const { benefits, ...before } = await detail(employer_id, id)
    expect(refusalOf(await change(id, { coverage_end: '2027-12-30' }))).toEqual(has)
    expect(refusalOf(await change(id, { benefits: [mec()] }))).toEqual(has)

    const dental = { carrier: 'Brightside Dental', product_code: 'VD', benefit: 'Dental', plan: 'Brightside PPO' }
    await importCatalog(api, [{ ...dental, coverage_tier: 'EE', premium_in_cents: 4_400, effective_on: '2026-12-02' }])
    const more = [...benefits.map(({ id }) => ({ benefit_id: id })), { benefit_id: catalog.vision.benefit_id }]
    const open_enrollment = { open_enrollment_start: '2026-11-01', open_enrollment_end: '2026-11-30' }
    const added = await change(id, { ...open_enrollment, offered_states: ['NY'], benefits: more })
    expect(added.status, added.text).toBe(200)
    expect(added.body.data).toMatchObject({
      ...open_enrollment,
      contribution_strategy: { contribution_rules: before.contribution_strategy.contribution_rules },
      benefits: [...benefits, { id: catalog.vision.benefit_id }],
    })
    const prices = () =>
      api.database.reads.rows<{ premium_in_cents: number }>(
        `select premium_in_cents from plan_year_rates where plan_year_id = $1 and benefit_id = $2 and coverage_tier = 'EE'`,
        [id, catalog.dental.benefit_id],
      )
    expect(await prices()).not.toEqual([{ premium_in_cents: 4_400 }])

    await api.act(({ db }) =>
      db.rows(`update enrollments set inactive_on = '2026-03-10' where id = $1`, [enrollment_id]),
    )
    expect((await change(id, { coverage_end: '2027-12-30' })).status).toBe(200)
    expect(await prices()).toEqual([{ premium_in_cents: 4_400 }])
  })
})

describe('operator_copy_benefit_plan_year', () => {
  it('opens the next plan year like it, at the prices of then', async () => {
    const employer_id = await createEmployer(api)
    const benefits = [
      mec({ plan_ids: [catalog.mec.plan_id], contribution_tiers: [fixed(100)] }),
      { benefit_id: catalog.ichra.benefit_id, starts_on: '2026-06-01' },
    ]
    const id = await openPlanYear(api, employer_id, catalog, { benefits, offered_states: ['NY'] })
    const before = await detail(employer_id, id)
    const base = {
      carrier: 'Evergreen Health',
      product_code: 'MEC',
      benefit: 'Essential Care',
      plan: 'Essential Care Base',
    }
    await importCatalog(api, [{ ...base, coverage_tier: 'EE', premium_in_cents: 9_100, effective_on: '2027-01-01' }])

    const window = { open_enrollment_start: '2026-11-01', open_enrollment_end: '2026-11-30' }
    const answer = await copy(id, window)
    expect(answer.status, answer.text).toBe(201)
    expect(answer.body.data).toEqual({
      ...before,
      ...window,
      renewal: 'passive',
      id: expect.not.stringContaining(id),
      benefit_plan_year_id: answer.body.data.id,
      year: 2027,
      coverage_start: '2027-01-01',
      coverage_end: '2027-12-31',
      notice_due_on: '2026-10-03',
      status: 'upcoming',
      premium_in_cents: 9_100,
      employee_contribution: { min_cents: 9_000, max_cents: 24_800 },
      contribution_strategy: {
        contribution_tiers: before.contribution_strategy.contribution_tiers.map((row) =>
          row.coverage_tier === 'EE' ? { ...row, premium_in_cents: 9_100, cost: 9_000 } : row,
        ),
        contribution_rules: before.contribution_strategy.contribution_rules,
        ichra_contribution_classes: before.contribution_strategy.ichra_contribution_classes.map((row) => ({
          ...row,
          contribution_class_id: expect.not.stringContaining(row.contribution_class_id),
        })),
      },
    })
    const begins = await api.database.reads.rows(
      'select distinct starts_on from plan_year_benefits where plan_year_id = $1',
      [answer.body.data.id],
    )
    expect(begins).toEqual([{ starts_on: '2027-01-01' }])
    expect(await detail(employer_id, id)).toEqual(before)
    expect(refusalOf(await copy(id))).toEqual([409, 'plan_year_overlaps', ''])
    expect((await copy(id, { coverage_start: '2029-01-01' })).body.data).toMatchObject({ coverage_end: '2029-12-31' })
  })

  it('leaves withdrawn benefits behind', async () => {
    const employer_id = await createEmployer(api)
    const id = await openPlanYear(api, employer_id, catalog, { ...nextYear })
    await change(id, { benefits: [mec()] })
    expect((await copy(id)).body.data.benefits).toHaveLength(1)
  })

  it('is refused where the catalog has no rate any more or yet', async () => {
    const employer_id = await createEmployer(api)
    const id = await openPlanYear(api, employer_id, catalog)
    const refused = await copy(id, { coverage_start: '2019-01-01' })
    expect(refusalOf(refused)).toEqual([422, 'plan_has_no_rate', ''])
    expect(refused.error.details[0]?.message).toMatch(
      new RegExp(`^benefit ${catalog.mec.benefit_id}: plan pln_\\w+ has no rate on 2019-01-01$`),
    )
  })
})

describe('the daily run', () => {
  it('brings the book into step with every plan year, window and benefit that begins or ends', async () => {
    const employer_id = await createEmployer(api)
    await openPlanYear(api, employer_id, catalog, {
      coverage_start: '2026-03-12',
      open_enrollment_start: '2026-03-11',
      open_enrollment_end: '2026-03-11',
    })
    const held = () =>
      api.database.reads.row<object>(
        'select holds_from, holds_until, families from employer_benefits where employer_id = $1',
        [employer_id],
      )
    expect(await held()).toEqual({ holds_from: '-infinity', holds_until: '2026-03-11', families: [] })
    for (const [day, holds_until, families] of [
      ['2026-03-11', '2026-03-12', []],
      ['2026-03-12', '2027-03-12', ['DENTAL', 'MEC']],
    ]) {
      api.moveTo(day as string)
      await api.runDays()
      expect(await held()).toEqual({ holds_from: day, holds_until, families })
    }
    api.moveTo('2026-03-10')
  })
})

describe('employers_list_benefit_plan_years', () => {
  const days: [string, string, boolean][] = [
    ['2026-10-31', 'upcoming', false],
    ['2026-11-01', 'open_enrollment', false],
    ['2026-11-30', 'open_enrollment', false],
    ['2026-12-01', 'upcoming', false],
    ['2026-12-31', 'upcoming', false],
    ['2027-01-01', 'active', true],
    ['2027-12-31', 'active', true],
    ['2028-01-01', 'inactive', false],
  ]
  it('tells where a plan year stands on each day', async () => {
    const employer_id = await createEmployer(api)
    await openPlanYear(api, employer_id, catalog, {
      ...nextYear,
      open_enrollment_start: '2026-11-01',
      open_enrollment_end: '2026-11-30',
    })
    const seen = []
    for (const [day] of days) {
      api.moveTo(day)
      const { status, is_current } = first(await listed(employer_id))
      seen.push([day, status, is_current])
    }
    api.moveTo('2026-03-10')
    expect(seen).toEqual(days)
  })

  it('calls a running plan year active while its window is open', async () => {
    const employer_id = await createEmployer(api)
    await openPlanYear(api, employer_id, catalog, {
      open_enrollment_start: '2026-03-01',
      open_enrollment_end: '2026-03-31',
    })
    expect((await listed(employer_id))[0]).toMatchObject({ status: 'active', is_current: true })
  })

  it('lists the newest first, the row without what only the detail tells, and narrows to a year', async () => {
    const employer_id = await createEmployer(api)
    const id = await openPlanYear(api, employer_id, catalog)
    const next = (await copy(id)).body.data.id
    const rows = await listed(employer_id)
    expect(rows.map((row: { id: string }) => row.id)).toEqual([next, id])
    const {
      spd_file_url: _,
      contribution_strategy: __,
      eligibility_policy: ___,
      choice_groups: ____,
      benefits,
      ...common
    } = await detail(employer_id, id)
    const bare = benefits.map(({ enrollment_rate: _, ...benefit }: { enrollment_rate: object }) => benefit)
    expect(rows[1]).toEqual({ ...common, benefits: bare, is_current: true })
    expect(await listed(employer_id, '?year=2026')).toEqual([rows[1]])
    expect(await listed(employer_id, '?year=2020')).toEqual([])
    expect(refusalOf(await api.get(`/v1/employers/${employer_id}/benefit-plan-years?year=next`))).toEqual([
      400,
      'invalid_request',
      'year',
    ])
  })

  it('counts who is eligible and enrolled, of the plan year and of each benefit', async () => {
    const employer_id = await createEmployer(api)
    const id = await openPlanYear(api, employer_id, catalog)
    const { benefit_id } = catalog.mec
    const changed = (benefit_id: string | null, eligible: number, enrolled: number) => ({
      plan_year_id: id,
      benefit_id,
      eligible,
      enrolled,
    })
    await api.act((ctx) =>
      addToPlanYearCounts(ctx, api.story.organization_id, [
        changed(null, 6, 2),
        changed(benefit_id, 7, 5),
        changed(catalog.dental.benefit_id, 0, 0),
      ]),
    )
    await api.act((ctx) =>
      addToPlanYearCounts(ctx, api.story.organization_id, [changed(null, 2, -1), changed(benefit_id, -1, -1)]),
    )
    const shown = await detail(employer_id, id)
    // 1 of 8 is 12.5 %, 4 of 6 are 66.7 %.
    expect(shown.enrollment_rate).toEqual({ eligible: 8, enrolled: 1, percentage: 13 })
    expect(shown.benefits.map((benefit) => benefit.enrollment_rate)).toEqual([
      { eligible: 6, enrolled: 4, percentage: 67 },
      none,
    ])
    expect((await listed(employer_id))[0]?.enrollment_rate).toEqual(shown.enrollment_rate)
  })

  it('shows the active eligibility policy in the detail', async () => {
    const employer_id = await createEmployer(api)
    const id = await openPlanYear(api, employer_id, catalog)
    const said = { classification: 'all', waiting_period: 'none' }
    await api.post(`/v1/employers/${employer_id}/benefit-eligibility-policies`, { ...said, waiting_period: '30_days' })
    const { body } = await api.post(`/v1/employers/${employer_id}/benefit-eligibility-policies`, said)
    expect((await detail(employer_id, id)).eligibility_policy).toMatchObject(body.data)
  })

  it('is for the organization and for the employer’s own token alone', async () => {
    const employer_id = await createEmployer(api)
    const other = await createEmployer(api)
    const id = await openPlanYear(api, employer_id, catalog)
    const employee = await createEmployee(api, employer_id)
    const list = `/v1/employers/${employer_id}/benefit-plan-years` as const
    for (const path of [list, `${list}/${id}`, `${list}/${id}/enrollments`]) {
      const status = async (key: string) => (await api.get(path, { key })).status
      expect(await status(await tokenOf('employer', employer_id))).toBe(200)
      expect(await status(await tokenOf('employer', other))).toBe(404)
      expect(await status(await tokenOf('employee', employee.id))).toBe(404)
      expect(await status(api.story.rival_api_key)).toBe(404)
      expect(await status(api.story.super_api_key)).toBe(200)
    }
    for (const path of [`${list}/${newId('plyr')}`, `/v1/employers/${other}/benefit-plan-years/${id}`]) {
      expect((await api.get(path)).status).toBe(404)
      expect((await api.get(`${path}/enrollments`)).status).toBe(404)
    }
  })
})

/** An employee with an enrollment as it is stored, and perhaps an election of the EE tier. */
async function enroll(
  employer_id: string,
  plan_year_id: string,
  of: { benefit_id: string; plan_id: string },
  said: Record<string, unknown> = {},
  person: Record<string, unknown> = {},
) {
  api.wait(1000)
  const employee = await createEmployee(api, employer_id, { reference_id: newId('org'), ...person })
  const enrollment_id = newId('enrl')
  const days = {
    window_ends_on: '2026-02-01',
    coverage_start: '2026-02-01',
    coverage_end: null,
    inactive_on: null,
    ...said,
  }
  const { organization_id } = api.story
  await api.act(async ({ db, now }) => {
    await db.rows(
      `insert into enrollments (id, organization_id, employer_id, employee_id, plan_year_id, benefit_id, anchored_on, granted_on,
                                window_ends_on, coverage_start, coverage_end, inactive_on, answer, answered_at, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, '2026-01-01', '2026-01-01', $7, $8, $9, $10, $11::text, case when $11 is not null then $12::timestamptz end, $12, $12)`,
      [
        enrollment_id,
        organization_id,
        employer_id,
        employee.id,
        plan_year_id,
        of.benefit_id,
        days.window_ends_on,
        days.coverage_start,
        days.coverage_end,
        days.inactive_on,
        said.answer ?? null,
        now,
      ],
    )
    await db.rows('update benefit_plan_years set enrollment_count = enrollment_count + 1 where id = $1', [plan_year_id])
    if (said.answer === 'enrolled')
      await db.rows(
        `insert into elections (organization_id, enrollment_id, effective_on, plan_id, coverage_tier, tier_id, premium_in_cents,
                                employer_contribution_in_cents, employee_deduction_in_cents, elected_at)
         values ($1, $2, $3, $4, 'EE', 'tier', 8900, 8000, 900, $5)`,
        [organization_id, enrollment_id, days.coverage_start, of.plan_id, now],
      )
  })
  return { enrollment_id, employee_id: employee.id, member_id: employee.member_id, reference_id: employee.reference_id }
}

describe('employers_list_benefit_plan_year_enrollments', () => {
  let path: `/v1/employers/${string}/benefit-plan-years/${string}/enrollments`
  const people: Record<string, Awaited<ReturnType<typeof enroll>>> = {}
  const rows = async (query = '') => (await api.get(`${path}${query}`)).body.data
  const names = async (query = '') => (await rows(query)).map((row) => row.member_first_name)

  beforeAll(async () => {
    const employer_id = await createEmployer(api)
    const id = await openPlanYear(api, employer_id, catalog)
    path = `/v1/employers/${employer_id}/benefit-plan-years/${id}/enrollments`
    const enrolled = { answer: 'enrolled' }
    const cast: [string, string, Record<string, unknown>][] = [
      ['Abe', 'Effective', enrolled],
      ['Bea', 'Today', { ...enrolled, coverage_start: '2026-03-10' }],
      ['Cid', 'Upcoming', { ...enrolled, coverage_start: '2026-03-11' }],
      ['Dua', 'Last Day', { ...enrolled, coverage_end: '2026-03-10', inactive_on: '2026-03-11' }],
      ['Eve', 'Ended', { ...enrolled, coverage_end: '2026-03-09', inactive_on: '2026-03-10' }],
      [
        'Fay',
        'Cancelled',
        { ...enrolled, coverage_start: '2026-04-01', coverage_end: '2026-03-31', inactive_on: '2026-03-01' },
      ],
      ['Gil', 'Waived', { answer: 'waived' }],
      ['Hal', 'Window', { window_ends_on: '2026-03-10' }],
      ['Ida', 'Late', { window_ends_on: '2026-03-09' }],
      ['Jón', 'Ævarsson', { window_ends_on: '2026-03-09' }],
      ['Kim', 'Inactive', { window_ends_on: '2026-12-31', inactive_on: '2026-03-10' }],
      ['Leo', '100%', { window_ends_on: '2026-12-31', inactive_on: '2026-03-11' }],
    ]
    for (const [first_name, last_name, said] of cast)
      people[first_name] = await enroll(employer_id, id, catalog.mec, said, { first_name, last_name })
    await api.act(async ({ db, now }) => {
      const event = (id: string, employee_id: string, decision: string | null, last: string) =>
        db.rows(
          `insert into qualifying_life_events (id, organization_id, employer_id, employee_id, type, occurred_on, decision, decided_at,
                                               window_start, window_end, created_at, updated_at)
           values ($1, $2, $3, $4, 'birth', '2026-02-01', $5::text, case when $5 is not null then $7::timestamptz end,
                   case when $5 = 'approved' then date '2026-02-01' end, case when $5 = 'approved' then $6::date end, $7, $7)`,
          [id, api.story.organization_id, employer_id, employee_id, decision, last, now],
        )
      await event('qle_1', people.Ida!.employee_id, 'approved', '2026-03-09')
      await event('qle_2', people.Ida!.employee_id, 'declined', '2026-12-31')
      await event('qle_3', people.Jón!.employee_id, 'approved', '2026-03-10')
    })
  })

  it('shows what was elected, where coverage stands, and what it costs', async () => {
    const { enrollment_id, employee_id, member_id, reference_id } = people.Abe!
    expect(await rows(`?search=${employee_id}`)).toEqual([
      {
        member_id,
        employee_id,
        employee_external_reference_id: reference_id,
        member_first_name: 'Abe',
        member_last_name: 'Effective',
        election_status: 'Enrolled',
        policy_status: 'Coverage Effective',
        dependent_count: 0,
        carrier: 'Evergreen Health',
        plan: 'Essential Care Base',
        tier: 'EE',
        premium_in_cents: 8_900,
        employer_contribution_in_cents: 8_000,
        employee_deduction_in_cents: 900,
        enrollment_id,
        benefit_id: catalog.mec.benefit_id,
        benefit_name: 'Essential Care',
        affordability: null,
      },
    ])
    expect((await rows(`?search=${people.Gil!.employee_id}`))[0]).toMatchObject({
      election_status: 'Waived',
      policy_status: null,
      carrier: null,
      plan: null,
      tier: null,
      premium_in_cents: null,
    })
  })

  it('lists all of them, newest first, with the standing of each', async () => {
    const all = await rows()
    expect(all.map((row) => [row.member_first_name, row.election_status, row.policy_status]).toReversed()).toEqual([
      ['Abe', 'Enrolled', 'Coverage Effective'],
      ['Bea', 'Enrolled', 'Coverage Effective'],
      ['Cid', 'Enrolled', 'Coverage Upcoming'],
      ['Dua', 'Enrolled', 'Coverage Effective'],
      ['Eve', 'Enrolled', 'Coverage Ended'],
      ['Fay', 'Enrolled', 'Cancelled'],
      ['Gil', 'Waived', null],
      ['Hal', 'Pending', null],
      ['Ida', 'Expired', null],
      ['Jón', 'Pending', null],
      ['Kim', 'Expired', null],
      ['Leo', 'Pending', null],
    ])
  })

  it('waits for an open enrollment that is open or still to come', async () => {
    const employer_id = await createEmployer(api)
    const window = { open_enrollment_start: '2026-11-01', open_enrollment_end: '2026-11-30' }
    const id = await openPlanYear(api, employer_id, catalog, window)
    await enroll(employer_id, id, catalog.mec)
    const status = async (day: string) => {
      api.moveTo(day)
      return (await api.get(`/v1/employers/${employer_id}/benefit-plan-years/${id}/enrollments`)).body.data[0]
        ?.election_status
    }
    expect(await status('2026-11-30')).toBe('Pending')
    expect(await status('2026-12-01')).toBe('Expired')
    expect(await status('2026-03-10')).toBe('Pending')
  })

  it('counts the dependents who are covered, and shows the election that is in force', async () => {
    const { enrollment_id, employee_id, member_id } = people.Abe!
    await api.act(async ({ db, now }) => {
      const { organization_id } = api.story
      await db.rows(
        `insert into elections select organization_id, enrollment_id, '2026-05-01', plan_id, 'EF', tier_id, 24900, 8000, 16900, $2 from elections where enrollment_id = $1`,
        [enrollment_id, now],
      )
      for (const [id, effective_on, until] of [
        ['dep_1', '2026-05-01', null],
        ['dep_2', '2026-05-01', '2026-05-31'],
        ['dep_3', '2026-02-01', '2026-03-10'],
      ]) {
        await db.rows(
          `insert into dependents (id, organization_id, member_id, relationship, first_name, last_name, date_of_birth, created_at, updated_at)
           values ($1, $2, $3, 'child', 'A', 'B', '2020-01-01', $4, $4)`,
          [id, organization_id, member_id, now],
        )
        await db.rows(
          `insert into covered_dependents (organization_id, enrollment_id, effective_on, dependent_id, covered_until) values ($1, $2, $3, $4, $5)`,
          [organization_id, enrollment_id, effective_on, id, until],
        )
      }
    })
    const on = async (day: string) => {
      api.moveTo(day)
      const { tier, premium_in_cents, dependent_count } = only(await rows(`?search=${employee_id}`))
      return [tier, premium_in_cents, dependent_count]
    }
    expect(await on('2026-03-11')).toEqual(['EE', 8_900, 0])
    expect(await on('2026-05-01')).toEqual(['EF', 24_900, 2])
    expect(await on('2026-06-01')).toEqual(['EF', 24_900, 1])
    expect(await on('2026-03-10')).toEqual(['EE', 8_900, 1])
  })

  it.each([
    ['?election_status=Pending', ['Leo', 'Jón', 'Hal']],
    ['?election_status=EXPIRED', ['Kim', 'Ida']],
    ['?election_status=waived&election_status=Expired', ['Kim', 'Ida', 'Gil']],
    ['?election_status[]=waived,expired', ['Kim', 'Ida', 'Gil']],
    ['?search=ana', []],
    ['?search=EFFECT', ['Abe']],
    ['?search=jon%20aev', ['Jón']],
    ['?search=JÓN', ['Jón']],
    ['?search=100%25', ['Leo']],
    ['?search=%25', ['Leo']],
    ['?search=_', []],
    ['?search=%CC%81', []],
    ['?search=i&election_status=expired', ['Kim', 'Ida']],
    ['?search=grpmbr_01kdq7b4w8e9rs2mh3n5t6v7xz', []],
  ])('finds %s', async (query, found) => {
    expect(await names(query)).toEqual(found)
    expect((await api.get(`${path}${query}`)).body.pagination.total).toBe(found.length)
  })

  it('finds by exactly the reference, the member or the employee', async () => {
    const { reference_id, member_id, employee_id } = people.Bea!
    for (const id of [sure(reference_id), member_id, employee_id]) {
      expect(await names(`?search=${id}`)).toEqual(['Bea'])
      expect(await names(`?search=${id.slice(0, -1)}`)).toEqual([])
    }
  })

  it('pages, and is honest past the end', async () => {
    const { body } = await api.get(`${path}?limit=5&page=3`)
    expect(body.data.map((row) => row.member_first_name)).toEqual(['Bea', 'Abe'])
    expect(body.pagination).toEqual({ limit: 5, page: 3, total: 12, total_pages: 3 })
    expect((await api.get(`${path}?page=99999`)).body).toMatchObject({ data: [], pagination: { total: 12 } })
    expect((await api.get(`${path}?search=e&limit=1&page=2`)).body.pagination.total).toBeGreaterThan(1)
  })

  it('names a status that is none', async () => {
    expect(refusalOf(await api.get(`${path}?election_status=lost`))).toEqual([
      400,
      'invalid_request',
      'election_status[0]',
    ])
  })

  it('does not find people of another employer by their ids', async () => {
    const other = await createEmployee(api, await createEmployer(api), aPerson())
    expect(await names(`?search=${other.id}`)).toEqual([])
  })
})

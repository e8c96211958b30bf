import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../kernel/ids.ts'
import { createEmployee, createEmployer, importCatalog, openPlanYear, addPolicy } from '../../../test/fixtures.ts'
import { codeOf, refusalOf } from '../../../test/response.ts'
import { useApi } from '../../../test/harness.ts'
import { only, pick } from '../../../test/pick.ts'
import { fixed, none_enrolled, planYearsOf } from '../../../test/clients/plan-years.ts'
import { databaseContents } from '../../../test/postgres/database-contents.ts'

const api = useApi()
const { open, change, shownToOperator, listed, detail } = planYearsOf(api)
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

const nextYear = { coverage_start: '2027-01-01' }
const mec = (input: object = {}) => ({ benefit_id: catalog.mec.benefit_id, ...input })

describe('operator_open_benefit_plan_year', () => {
  it('opens a plan year at the prices of the catalog and returns all fields', async () => {
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
    const allowance = (name: string, allowance_in_cents: number, input: object) => {
      const about = { benefit_id: catalog.ichra.benefit_id, name, employee_class: 'Full Time', ...input }
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
      // EE of the cheaper plan, and EF: 62.55% of 24,900 is 15,574.95.
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
          enrollment_rate: none_enrolled,
        },
        {
          id: catalog.ichra.benefit_id,
          category: 'Medical',
          name: 'Own Choice',
          product_code: 'ICHRA',
          enrollment_rate: none_enrolled,
        },
      ],
      benefit_families: ['ICHRA', 'MEC'],
      enrollment_rate: none_enrolled,
      spd_file_url: 'https://plans.example.com/plus.pdf',
      contribution_strategy: {
        // 62.55% of 17,500 is 10,946.25, and of 16,500 it is 10,320.75.
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
    expect(await shownToOperator(employer_id)).toEqual([answer.body.data])
    expect(await api.events(id)).toEqual([])
  })

  it('shows the classes and states of the eligibility policy, and when coverage ends', async () => {
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
    await addPolicy(api, elsewhere, { classification: 'full_time' })
    const everywhere = await detail(elsewhere, await openPlanYear(api, elsewhere, catalog))
    expect(everywhere.eligibility_policy!.rules).toEqual([
      {
        employee_class: 'Full Time',
        compensation_type: 'All',
        eligible_geographical_location: { type: 'All', state_codes: [] },
      },
    ])
  })

  it('opens plan years that have started or are over', async () => {
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

  it('enqueues one recalculation of the employer for several changes', async () => {
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

  it('opens only one of ten identical plan years that are sent at the same time', async () => {
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
      'an unknown benefit',
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
  ])('refuses %s', async (_, input, code, field) => {
    const employer_id = await createEmployer(api)
    expect(refusalOf(await open(employer_id, { ...nextYear, benefits: [mec()], ...input() }))).toEqual([
      422,
      code,
      field,
    ])
    expect(await listed(employer_id)).toEqual([])
  })

  it('shows the offers and costs of a new or changed plan year with dry_run, without writing it', async () => {
    const employer_id = await createEmployer(api)
    await addPolicy(api, employer_id)
    const { id: employee_id } = await createEmployee(api, employer_id, { start_date: '2026-01-01' })
    await api.work()
    const { benefit_id } = catalog.dental
    const paying = (amount: number) => ({ benefits: [{ benefit_id, contribution_tiers: [fixed(amount)] }] })
    const dates = {
      coverage_start: '2026-04-01',
      open_enrollment_start: '2026-03-01',
      open_enrollment_end: '2026-03-20',
    }
    const before = await databaseContents(api)
    const tried = await open(employer_id, { ...dates, ...paying(500), dry_run: true })
    expect([tried.status, await databaseContents(api)], tried.text).toEqual([200, before])
    const offered = only(tried.body.preview!.data)
    expect(offered).toMatchObject({ employee_id, benefit_id, status: 'pending', former: null, elected: null })

    const { id } = (await open(employer_id, { ...dates, ...paying(500) })).body.data
    await api.work()
    const enrollment_id = only((await api.get(`/v1/employees/${employee_id}/enrollments`)).body.data).id
    const granted = async () => (await api.get(`/v1/enrollments/${enrollment_id}`)).body.data
    expect(await granted()).toMatchObject({ plans: offered.plans, coverage_start: offered.coverage_start })

    const opened = await databaseContents(api)
    const dry_run = await change(id, { ...paying(700), dry_run: true })
    expect([dry_run.status, await databaseContents(api)], dry_run.text).toEqual([200, opened])
    const { plans } = only(dry_run.body.preview!.data)
    expect(plans).not.toEqual(offered.plans)
    await change(id, paying(700))
    await api.work()
    expect((await granted()).plans).toEqual(plans)
  })

  it('refuses a plan that has no rate yet, and excludes it from the default plans', async () => {
    const employer_id = await createEmployer(api)
    const path = `/operator/v1/organizations/${api.story.organization_id}/catalog` as const
    const { benefits } = (await api.get(path, { key: api.operator_key })).body.data
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

import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../kernel/ids.ts'
import {
  createEmployee,
  createEmployer,
  importCatalog,
  openPlanYear,
  createOfferingEmployer,
} from '../../../test/fixtures.ts'
import { refusalOf } from '../../../test/response.ts'
import type { BenefitPlanYear } from '../../../../sdk/src/v1/types.gen.ts'
import { useApi } from '../../../test/harness.ts'
import { first } from '../../../test/pick.ts'
import { enroll, fixed, planYearsOf } from '../../../test/clients/plan-years.ts'

const api = useApi()
const { change, copy, detail } = planYearsOf(api)
let catalog: Awaited<ReturnType<typeof importCatalog>>

beforeAll(async () => void (catalog = await importCatalog(api)))

const nextYear = { coverage_start: '2027-01-01' }
const mec = (input: object = {}) => ({ benefit_id: catalog.mec.benefit_id, ...input })

describe('operator_change_benefit_plan_year', () => {
  const opened = async (input: object = {}) => {
    const employer_id = await createEmployer(api)
    return {
      employer_id,
      id: await openPlanYear(api, employer_id, catalog, { ...nextYear, ...input }),
    }
  }

  it('changes the fields that are sent, and no others', async () => {
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

  it('sets the year by the first day until it is set explicitly', async () => {
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

  it('names the field that was sent if the days contradict each other', async () => {
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

  it('publishes an event to enrolled employees for a window that it opens today', async () => {
    const { employer_id, plan_year_id: id } = await createOfferingEmployer(api, catalog, {
      coverage_start: '2026-07-01',
    })
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

  it('moves the plan year with its benefits, except those with a first day of their own', async () => {
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

  it('uses the current prices of the catalog', async () => {
    const { employer_id, id } = await opened({ benefits: [{ benefit_id: catalog.dental.benefit_id }] })
    const vision = { carrier: 'Brightside Dental', product_code: 'VD', benefit: 'Dental', plan: 'Brightside PPO' }
    await importCatalog(api, [{ ...vision, coverage_tier: 'EE', premium_in_cents: 3_300, effective_on: '2026-12-01' }])
    expect((await detail(employer_id, id)).premium_in_cents).toBe(3_200)
    expect((await change(id, {})).body.data.premium_in_cents).toBe(3_300)
  })

  it('replaces the whole list of benefits, and a withdrawn benefit returns if it is listed again', async () => {
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

  it('must not overlap another plan year with its benefits, and a refused change changes nothing', async () => {
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

  it('keeps elected offers at their prices', async () => {
    const { employer_id, id } = await opened()
    const { enrollment_id } = await enroll(api, employer_id, id, catalog.dental, { answer: 'enrolled' })
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
        `select premium_in_cents from plan_year_rates
          where plan_year_id = $1 and benefit_id = $2 and coverage_tier = 'EE'`,
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
  it('opens a plan year like the previous one, at later prices', async () => {
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

  it('keeps the open enrollment a year later, unless the body contains another one', async () => {
    const employer_id = await createEmployer(api)
    const window = { open_enrollment_start: '2026-11-01', open_enrollment_end: '2026-11-15' }
    const id = await openPlanYear(api, employer_id, catalog, { ...nextYear, ...window })
    const next = { open_enrollment_start: '2027-11-01', open_enrollment_end: '2027-11-15' }
    expect((await copy(id, { dry_run: true })).body.data).toMatchObject({ renewal: 'passive', ...next })
    expect(refusalOf(await copy(id, { open_enrollment_start: '2027-10-01' }))).toEqual([
      422,
      'invalid_plan_year',
      'open_enrollment_end',
    ])
    const others = { open_enrollment_start: '2027-10-01', open_enrollment_end: '2027-10-31' }
    expect((await copy(id, others)).body.data).toMatchObject(others)
  })

  it('omits withdrawn benefits', async () => {
    const employer_id = await createEmployer(api)
    const id = await openPlanYear(api, employer_id, catalog, { ...nextYear })
    await change(id, { benefits: [mec()] })
    expect((await copy(id)).body.data.benefits).toHaveLength(1)
  })

  it('is refused if the catalog has no rate for that day', async () => {
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
  it('updates the book for every plan year, window and benefit that begins or ends', async () => {
    const employer_id = await createEmployer(api)
    await openPlanYear(api, employer_id, catalog, {
      coverage_start: '2026-03-12',
      open_enrollment_start: '2026-03-11',
      open_enrollment_end: '2026-03-11',
    })
    const held = () =>
      api.database.reads.row<object>(
        'select valid_from, valid_until, families from employer_benefits where employer_id = $1',
        [employer_id],
      )
    expect(await held()).toEqual({ valid_from: '-infinity', valid_until: '2026-03-11', families: [] })
    for (const [day, valid_until, families] of [
      ['2026-03-11', '2026-03-12', []],
      ['2026-03-12', '2027-03-12', ['DENTAL', 'MEC']],
    ]) {
      api.moveTo(day as string)
      await api.runDays()
      expect(await held()).toEqual({ valid_from: day, valid_until, families })
    }
    api.moveTo('2026-03-10')
  })
})

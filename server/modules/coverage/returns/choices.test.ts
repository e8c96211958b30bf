import { beforeAll, describe, expect, it } from 'vitest'
import { createEmployee, createEmployer, importCatalog, openPlanYear } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { pick } from '../../../test/pick.ts'
import { returnedElection } from './rules.ts'
import type { DependentFacts, ElectionFacts } from '../elections/rules.ts'

/**
 * An employee changes from Essential Care to Own Choice in another plan year, and then to Major Medical before Own
 * Choice has begun. A late report then makes the employee part-time for some days in June, so that the return is within
 * the existing coverage.
 */
const api = useApi({ begins_on: '2026-01-05' })
let catalog: Awaited<ReturnType<typeof importCatalog>>
beforeAll(async () => {
  catalog = await importCatalog(api)
})
type Kind = 'mec' | 'mvp' | 'ichra'

async function goOn(day: string): Promise<void> {
  api.moveTo(day)
  await api.work()
}

async function employer(service_credit_weeks: number): Promise<string> {
  const employer_id = await createEmployer(api)
  const policy = { classification: 'full_time', waiting_period: 'none', service_credit_weeks }
  await api.post(`/v1/employers/${employer_id}/benefit-eligibility-policies`, policy)
  const { mec, mvp, ichra } = catalog
  const offering = (...kinds: { benefit_id: string }[]) => kinds.map(({ benefit_id }) => ({ benefit_id }))
  await openPlanYear(api, employer_id, catalog, { benefits: offering(mec, mvp) })
  const of_april = { coverage_start: '2026-04-01', coverage_end: '2027-03-31', benefits: offering(ichra) }
  await openPlanYear(api, employer_id, catalog, of_april)
  await api.work()
  return employer_id
}

/** The latest enrollment of an employee in a benefit. */
const of = async (employee_id: string, kind: Kind) => {
  const { data } = (await api.get(`/v1/employees/${employee_id}/enrollments?limit=100`)).body
  return pick(data, ({ benefit }) => benefit.id === catalog[kind].benefit_id)
}

async function elect(employee_id: string, kind: Kind): Promise<void> {
  const path = `/v1/enrollments/${(await of(employee_id, kind)).id}/elect` as const
  const answer = await api.post(path, { plan_id: catalog[kind].plan_id, coverage_tier: 'EE' })
  expect(answer.status, answer.text).toBe(200)
  await api.work()
}

async function classify(employee_id: string, employee_class: string, effective_date: string): Promise<void> {
  const answer = await api.patch(`/v1/employees/${employee_id}`, { employee_class, effective_date })
  expect(answer.status, answer.text).toBe(200)
  await api.work()
}

async function gain(employee_id: string, occurred_on: string): Promise<void> {
  const input = { type: 'change_of_employment', occurred_on }
  const { body } = await api.post(`/v1/employees/${employee_id}/qualifying-life-events`, input)
  await api.post(`/operator/v1/qualifying-life-events/${body.data.id}/approve`, {}, { key: api.operator_key })
}

async function backAgain(service_credit_weeks: number): Promise<string> {
  api.moveTo('2026-01-05')
  const { id } = await createEmployee(api, await employer(service_credit_weeks), { start_date: '2026-01-05' })
  await api.work()
  await elect(id, 'mec')
  await goOn('2026-01-23')
  await elect(id, 'ichra')
  await goOn('2026-02-19')
  await gain(id, '2026-02-15')
  await elect(id, 'mvp')
  await goOn('2026-06-07')
  await classify(id, 'Part Time', '2026-06-03')
  await goOn('2026-08-09')
  await classify(id, 'Full Time', '2026-06-20')
  return id
}

describe('an employee who returns while the last choice still covers them', () => {
  it('has it again from the day after, once', async () => {
    const id = await backAgain(13)
    expect(await of(id, 'mvp')).toMatchObject({ status: 'enrolled', coverage_start: '2026-07-01', coverage_end: null })
    expect((await of(id, 'mec')).status).toBe('waived')
    const { data } = (await api.get(`/v1/employees/${id}/enrollments?limit=100`)).body
    expect(data.filter(({ benefit }) => benefit.id === catalog.mvp.benefit_id)).toHaveLength(2)
  })

  it('keeps the new choice if service does not count', async () => {
    const id = await backAgain(0)
    await elect(id, 'mvp')
    expect(await of(id, 'mvp')).toMatchObject({ status: 'enrolled', coverage_start: '2026-07-01', coverage_end: null })
  })
})

const election = (input: Partial<ElectionFacts>): ElectionFacts => ({
  effective_on: '-infinity',
  plan_id: 'silver',
  coverage_tier: 'EE',
  dependent_ids: [],
  premium_in_cents: 10_000,
  employer_contribution_in_cents: 5_000,
  employee_deduction_in_cents: 5_000,
  ...input,
})
const spouse: DependentFacts = {
  id: 'sam',
  relationship: 'spouse',
  date_of_birth: '1990-01-01',
  ended_on: null,
  covered_until: null,
}
const child: DependentFacts = { ...spouse, id: 'kim', relationship: 'child', date_of_birth: '2000-07-04' }
const family = election({ coverage_tier: 'EF', dependent_ids: ['sam', 'kim'] })
const back = (elections: ElectionFacts[], dependents: DependentFacts[] = [spouse, child]) =>
  returnedElection(elections, dependents, '2026-04-30', '2026-07-01')

describe('a resumed election', () => {
  it.each<[string, DependentFacts[], string, string[]]>([
    ['is the plan with all covered dependents', [spouse, child], 'EF', ['sam', 'kim']],
    [
      'omits ended dependents',
      [{ ...spouse, ended_on: '2026-05-01', covered_until: '2026-05-31' }, child],
      'EC',
      ['kim'],
    ],
    ['omits children over the age limit', [spouse, { ...child, covered_until: '2026-06-30' }], 'ES', ['sam']],
    [
      'keeps dependents who can be covered on the first day',
      [spouse, { ...child, covered_until: '2026-07-31' }],
      'EF',
      ['sam', 'kim'],
    ],
    ['adds no other dependents', [spouse, child, { ...child, id: 'new' }], 'EF', ['sam', 'kim']],
  ])('%s', (_, dependents, coverage_tier, dependent_ids) => {
    const step = { day: '2026-07-01', plan_id: 'silver', coverage_tier, dependent_ids }
    expect(back([family], dependents)?.step).toEqual(step)
  })

  it('is the election on the last day, not an upcoming one', () => {
    const later = election({ effective_on: '2026-04-01', plan_id: 'bronze' })
    const ahead = election({ effective_on: '2026-05-01', plan_id: 'gold' })
    expect(back([family, later, ahead])?.step.plan_id).toBe('bronze')
    expect(back([])).toBeUndefined()
  })

  it('contains the reported data about a bought plan', () => {
    expect(back([family])?.reported).toEqual({ individual_plan: undefined, bought_on_exchange: undefined })
    const own = election({ individual_plan_name: 'Own', bought_on_exchange: true, premium_in_cents: 42_000 })
    expect(back([own])?.reported).toEqual({
      individual_plan: { name: 'Own', premium_in_cents: 42_000 },
      bought_on_exchange: true,
    })
  })
})

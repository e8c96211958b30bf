import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { createEmployee, createEmployer, importCatalog, openPlanYear } from '../../../test/fixtures.ts'
import { refusalOf } from '../../../test/response.ts'
import { useApi } from '../../../test/harness.ts'
import { pick } from '../../../test/pick.ts'
import { addDays, type Day } from '../../../kernel/days.ts'
import { recalculate } from '../enrollments/actions.ts'

/** Policies for classes, compensation types and benefits, and policies with an aligned start. */
const api = useApi()
const classes = ['Full Time', 'Part Time', 'Intern'] as const
let catalog: Awaited<ReturnType<typeof importCatalog>>
beforeAll(async () => {
  catalog = await importCatalog(api)
})

const all_people = { classification: 'all', waiting_period: 'none' }
const adopt = (employer_id: string, policy: object) =>
  api.post(`/v1/employers/${employer_id}/benefit-eligibility-policies`, policy)

async function served(...policies: object[]): Promise<string> {
  const employer_id = await createEmployer(api)
  for (const policy of policies) expect((await adopt(employer_id, policy)).status).toBe(201)
  await openPlanYear(api, employer_id, catalog)
  await api.work()
  return employer_id
}

/** The first day of coverage by category that an employee hired today is granted. */
async function grantedTo(employer_id: string, input: object): Promise<Record<string, Day>> {
  const { id } = await createEmployee(api, employer_id, { start_date: '2026-03-10', ...input })
  const { data } = (await api.get(`/v1/employees/${id}/enrollments`)).body
  return Object.fromEntries(data.map((row) => [row.benefit.category, row.coverage_start]))
}

describe('a policy', () => {
  it.each([
    ['for all does not cover contractors', {}, { employee_class: 'Individual Contractor' }, {}],
    [
      'for contractors covers only them',
      { classification: undefined, employee_classes: ['Individual Contractor'] },
      { employee_class: 'Individual Contractor' },
      { Medical: '2026-03-10', Dental: '2026-03-10' },
    ],
    [
      'for hourly employees does not cover salaried ones',
      { compensation_types: ['Hourly'] },
      { compensation_type: 'Salary' },
      {},
    ],
    [
      'for hourly employees covers them',
      { compensation_types: ['Hourly'] },
      { compensation_type: 'Hourly' },
      { Medical: '2026-03-10', Dental: '2026-03-10' },
    ],
    [
      'with an aligned start begins on a first',
      { waiting_period: '30_days', start_alignment: 'first_of_month' },
      {},
      { Medical: '2026-05-01', Dental: '2026-05-01' },
    ],
  ])('%s', async (_, policy, person, expected) => {
    expect(await grantedTo(await served({ ...all_people, ...policy }), person)).toEqual(expected)
  })

  it('for hourly employees ends coverage with the month in which the compensation type becomes Salary', async () => {
    const employer_id = await served({ ...all_people, compensation_types: ['Hourly'] })
    const { id } = await createEmployee(api, employer_id, { start_date: '2026-01-02', compensation_type: 'Hourly' })
    const { data } = (await api.get(`/v1/employees/${id}/enrollments`)).body
    const dental = pick(data, (row) => row.benefit.category === 'Dental')
    await api.post(`/v1/enrollments/${dental.id}/elect`, { plan_id: catalog.dental.plan_id, coverage_tier: 'EE' })
    const salary = (effective_date: Day) =>
      api.patch(`/v1/employees/${id}`, { compensation_type: 'Salary', effective_date })
    expect(refusalOf(await salary('2026-01-02'))).toEqual([400, 'invalid_employee_update', 'effective_date'])
    expect((await salary('2026-03-05')).status).toBe(200)
    expect((await api.get(`/v1/enrollments/${dental.id}`)).body.data.coverage_end).toBe('2026-03-31')
  })
})

describe('policies for some benefits', () => {
  it('coexist with one for the remaining benefits, and each explains its own benefits', async () => {
    const dental_only = { employee_classes: ['Full Time'], waiting_period: '60_days' }
    const employer_id = await served(all_people, { ...dental_only, benefit_ids: [catalog.dental.benefit_id] })
    expect(await grantedTo(employer_id, {})).toEqual({ Medical: '2026-03-10', Dental: '2026-05-09' })
    expect(await grantedTo(employer_id, { employee_class: 'Part Time' })).toEqual({ Medical: '2026-03-10' })

    const intern = await createEmployee(api, employer_id, { start_date: '2026-03-10', employee_class: 'Intern' })
    const { data } = (await api.get(`/v1/employees/${intern.id}/eligibility`)).body
    expect(data.status).toBe('eligible')
    expect(data.benefits.map((one) => [one.benefit.product_code, one.rule])).toEqual([['MEC', 'none']])
    expect(data.benefits_without_period).toMatchObject([
      {
        benefit: { id: catalog.dental.benefit_id, category: 'Dental' },
        eligibility_policy: dental_only,
        reason: 'The policy covers Full Time, and the class is Intern.',
      },
    ])
  })

  it('replace the general policy on their first day, without a new waiting period', async () => {
    api.moveTo('2026-02-01')
    const employer_id = await served(all_people)
    const { id } = await createEmployee(api, employer_id, { start_date: '2026-01-02' })
    api.moveTo('2026-03-10')
    const policy = { classification: 'all', waiting_period: '60_days', benefit_ids: [catalog.dental.benefit_id] }
    expect((await adopt(employer_id, policy)).status).toBe(201)
    await api.work()
    const { data } = (await api.get(`/v1/employees/${id}/enrollments`)).body
    expect(data.map((row) => [row.status, row.coverage_start])).toEqual([
      ['pending', '2026-01-02'],
      ['pending', '2026-01-02'],
    ])
  })

  it('archive only the policies that they replace completely', async () => {
    const { mec, dental, vision } = catalog
    const employer_id = await createEmployer(api)
    const rest = (await adopt(employer_id, all_people)).body.data.id
    const own = async (...benefits: { benefit_id: string }[]) =>
      adopt(employer_id, { ...all_people, benefit_ids: benefits.map(({ benefit_id }) => benefit_id) })
    const ids = [(await own(dental)).body.data.id, (await own(vision)).body.data.id]
    const active = () =>
      Promise.all(
        [rest, ...ids].map(async (id) => (await api.get(`/v1/benefit-eligibility-policies/${id}`)).body.data.active),
      )
    expect(await active()).toEqual([true, true, true])
    ids.push((await own(dental)).body.data.id)
    expect(await active()).toEqual([true, false, true, true])
    ids.push((await own(dental, vision, mec)).body.data.id)
    expect(await active()).toEqual([true, false, false, false, true])
    expect((await api.get(`/v1/employers/${employer_id}`)).body.data.eligibility_policy_id).toBe(rest)

    expect(refusalOf(await own(vision))).toEqual([409, 'benefit_has_policy', 'benefit_ids[0]'])
    const unknown = { benefit_id: 'bprd_01kdq7b4w8e9rs2mh3n5t6v7xz' }
    expect(refusalOf(await own(dental, unknown))).toEqual([422, 'policy_benefit_unknown', 'benefit_ids[1]'])
    expect(await active()).toEqual([true, false, false, false, true])
  })
})

const policy = fc.record({
  employee_classes: fc.subarray([...classes], { minLength: 1 }),
  compensation_types: fc.constantFrom(null, ['Hourly'], ['Salary', 'Hourly']),
  waiting_period: fc.constantFrom('none', 'first_of_following_month', '30_days', '60_days'),
  start_alignment: fc.constantFrom('exact', 'first_of_month'),
  service_credit_weeks: fc.constantFrom(13, 13, 4, 0),
  of: fc.constantFrom('', '', 'dental', 'mec', 'both'),
  days: fc.integer({ min: 0, max: 50 }),
})
const entries = <Value>(...values: Value[]) =>
  fc.uniqueArray(fc.record({ days: fc.integer({ min: -60, max: 300 }), value: fc.constantFrom(...values) }), {
    maxLength: 4,
    selector: ({ days }) => days,
  })
const person = fc.record({ class: entries(...classes), pay: entries('Hourly', 'Salary') })

type Rule = (typeof policy extends fc.Arbitrary<infer T> ? T : never) & { on: Day; benefit_ids: string[] }
type Entry = { days: number; value: string }
type Period = { id: string; scope: string; anchored_on: Day; waited_on: Day; lost_on: Day | null }

const begin = '2026-01-05'
const horizon = addDays(begin, 600)

/** The policies that were not replaced on the day of their creation, oldest first. */
const lasting = (rules: Rule[]): Rule[] => {
  const replaces = (later: Rule, one: Rule) =>
    one.benefit_ids.length === 0
      ? later.benefit_ids.length === 0
      : one.benefit_ids.every((id) => later.benefit_ids.includes(id))
  return rules.filter((one, at) => !rules.slice(at + 1).some((later) => later.on === one.on && replaces(later, one)))
}

/**
 * The policy of a benefit on a day: its own since the first of these, before that the general one. The first policy
 * also applies to all days before it.
 */
function ruleOn(rules: Rule[], scope: string, day: Day): Rule | undefined {
  const own = rules.filter(({ benefit_ids }) => benefit_ids.includes(scope))
  const rest = rules.filter(({ benefit_ids }) => benefit_ids.length === 0)
  const began = (list: Rule[]) => list.findLast(({ on }) => on <= day)
  const [first_own, first_rest] = [own[0], rest[0]]
  const first = first_own && !(first_rest && first_rest.on < first_own.on) ? first_own : first_rest
  return began(own) ?? began(rest) ?? first
}

const entryOn = (entries: Entry[], day: Day): string | undefined =>
  entries
    .filter(({ days }) => addDays(begin, days) <= day)
    .sort((a, b) => a.days - b.days)
    .at(-1)?.value

const isOver = (rule: Rule, anchor: Day, day: Day): boolean =>
  (rule.start_alignment === 'exact' || day.endsWith('-01')) &&
  {
    none: true,
    first_of_following_month: day > anchor && day.endsWith('-01'),
    '30_days': day >= addDays(anchor, 30),
    '60_days': day >= addDays(anchor, 60),
  }[rule.waiting_period]!

/**
 * Whether the waiting period of a returning employee is over: as if they had never left, but not before the month after
 * the return.
 */
const isOverAgain = (rule: Rule, served_from: Day, anchor: Day, day: Day): boolean =>
  isOver(rule, served_from, day) && (rule.waiting_period === 'none' || day.slice(0, 7) > anchor.slice(0, 7))

/**
 * The periods of an employee, calculated by checking for each day of a benefit whether a policy covers the employee.
 */
function periodsOf(id: string, scope: string, rules: Rule[], one: { class: Entry[]; pay: Entry[] }): Period[] {
  const periods: Period[] = []
  const covers = (day: Day): boolean => {
    const rule = ruleOn(rules, scope, day)
    if (!rule?.employee_classes.includes((entryOn(one.class, day) ?? 'Full Time') as 'Intern')) return false
    return (rule.compensation_types as string[] | null)?.includes(entryOn(one.pay, day) ?? 'unknown') ?? true
  }
  for (let day = begin, former = false; day < horizon; day = addDays(day, 1)) {
    const covered = covers(day)
    if (covered && !former) periods.push({ id, scope, anchored_on: day, waited_on: '', lost_on: null })
    if (!covered && former) periods.at(-1)!.lost_on = day
    former = covered
  }
  let served_from = ''
  for (const [at, period] of periods.entries()) {
    const { anchored_on: anchor, lost_on } = period
    const weeks = ruleOn(rules, scope, anchor)!.service_credit_weeks
    const away_from = periods[at - 1]?.lost_on
    const is_back = !!away_from && weeks > 0 && anchor <= addDays(away_from, 7 * weeks)
    if (!is_back) served_from = anchor
    const ruled = (day: Day) => ruleOn(rules, scope, lost_on !== null && lost_on <= day ? addDays(lost_on, -1) : day)!
    let day = anchor
    while (!isOver(ruled(day), anchor, day) && !isOverAgain(ruled(day), served_from, anchor, day)) day = addDays(day, 1)
    period.waited_on = day
  }
  return periods
}

/** Creates policies for employers in the course of a year. Returns the accepted policies of each employer. */
async function adoptThem(employers: string[]): Promise<Rule[][]> {
  const { mec, dental } = catalog
  const benefits: Record<string, string[]> = {
    '': [],
    dental: [dental.benefit_id],
    mec: [mec.benefit_id],
    both: [dental.benefit_id, mec.benefit_id],
  }
  const adopted: Rule[][] = employers.map(() => [])
  for (const [number, input] of fc.sample(policy, { seed: 75, numRuns: 60 }).entries()) {
    const at = number % employers.length
    const rule = { ...input, on: addDays(begin, Math.floor(number / 3) * 15 + (input.days % 15)) }
    api.moveTo(rule.on)
    const { days, of, on, ...body } = { ...rule, benefit_ids: benefits[input.of]! }
    const answer = await adopt(employers[at]!, body)
    if (answer.status === 201) adopted[at]!.push({ ...body, days, of, on })
    else expect(refusalOf(answer)[1]).toBe('benefit_has_policy')
  }
  return adopted.map(lasting)
}

describe('the periods of each benefit', () => {
  it('agree with a day-by-day calculation', async () => {
    api.moveTo(begin)
    const employers = [await createEmployer(api), await createEmployer(api), await createEmployer(api)]
    const rules = await adoptThem(employers)
    api.moveTo(addDays(begin, 400))
    const people = fc.sample(person, { seed: 75, numRuns: 60 })
    const ids: string[] = []
    for (const number of people.keys())
      ids.push((await createEmployee(api, employers[number % 3]!, { start_date: begin })).id)
    await api.act(async (ctx) => {
      await ctx.db.rows('delete from employee_classifications where employee_id = any($1)', [ids])
      const insert = (table: string, column: string, id: string, { days, value }: Entry) =>
        ctx.db.rows(
          `insert into ${table} (organization_id, employee_id, effective_on, ${column}, created_at)
           values ($1, $2, $3, $4, now())`,
          [api.story.organization_id, id, addDays(begin, days), value],
        )
      for (const [number, one] of people.entries()) {
        for (const entry of one.class) await insert('employee_classifications', 'employee_class', ids[number]!, entry)
        for (const entry of one.pay) await insert('employee_compensations', 'compensation_type', ids[number]!, entry)
      }
      await recalculate(ctx, api.story.organization_id, ids)
    })

    const expected = ids.flatMap((id, number) => {
      const theirs = rules[number % 3]!
      const scopes = new Set(theirs.flatMap(({ benefit_ids }) => benefit_ids))
      const has_rest = theirs.some(({ benefit_ids }) => benefit_ids.length === 0)
      return [...(has_rest ? [''] : []), ...scopes].flatMap((scope) => periodsOf(id, scope, theirs, people[number]!))
    })
    const stored = await api.database.reads.rows<Period>(
      `select employee_id as id, scope, anchored_on, waited_on, lost_on from employee_eligibilities
        where employee_id = any($1)`,
      [ids],
    )
    const lines = (periods: Period[]) => periods.map((one) => Object.values(one).join(' ')).sort()
    expect(lines(stored)).toEqual(lines(expected))
    expect(stored.length).toBeGreaterThan(150)
  })
})

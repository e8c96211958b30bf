import fc from 'fast-check'
import { beforeAll, expect, it, describe } from 'vitest'
import { createEmployee, createEmployer, importCatalog, openPlanYear, aPerson } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { addDays, type Day } from '../../../kernel/days.ts'
import { caseCount } from '../../../test/case-count.ts'
import { statements } from '../../../database/sql/statement.ts'
import { lostCoverage, type CoveredDays } from './rules.ts'

const api = useApi()

let employer_id: string

beforeAll(async () => {
  employer_id = await createEmployer(api)
  await openPlanYear(api, employer_id, await importCatalog(api))
  const policy = { classification: 'full_time', compensation_types: ['Salary'], waiting_period: '30_days' }
  await api.post(`/v1/employers/${employer_id}/benefit-eligibility-policies`, policy)
  await api.work()
})

type Fact = { effective_date: Day; employee_class?: string; compensation_type?: string; start_date?: Day }

const dayFrom = fc.integer({ min: 0, max: 60 }).map((days) => addDays('2026-01-05', days))
const valuesOf = <Name extends string>(name: Name, values: string[]) =>
  fc.uniqueArray(
    fc.record({ effective_date: dayFrom, value: fc.constantFrom(...values) }).map(({ effective_date, value }) => ({
      effective_date,
      [name]: value,
    })),
    { selector: ({ effective_date }) => effective_date, maxLength: 4 },
  )
const story = fc
  .tuple(
    valuesOf('employee_class', ['Full Time', 'Part Time', 'Seasonal']),
    valuesOf('compensation_type', ['Salary', 'Hourly']),
    fc.option(fc.constantFrom<Day>('2025-12-01', '2026-01-05'), { nil: undefined }),
  )
  .chain(([classes, compensations, start_date]) => {
    const moves: Fact[] = start_date ? [{ effective_date: '2026-03-10', start_date }] : []
    const facts: Fact[] = [...classes, ...compensations, ...moves]
    return fc.record({
      facts: fc.constant(facts),
      shuffled: fc.shuffledSubarray(facts, { minLength: facts.length }),
      by_operator: fc.array(fc.boolean(), { minLength: facts.length, maxLength: facts.length }),
    })
  })

/** Hires an employee, reports the facts in this order, and returns the outcome. */
async function outcomeOf(facts: Fact[], by_operator: boolean[]) {
  const hire = { start_date: '2025-12-22', employee_class: 'Full Time', compensation_type: 'Salary' }
  const { id } = await createEmployee(api, employer_id, hire)
  for (const [at, fact] of facts.entries()) {
    const answer = by_operator[at]
      ? await api.post(
          `/operator/v1/employees/${id}/corrections`,
          { ...fact, reason: 'Reported by the employer' },
          { key: api.operator_key },
        )
      : await api.patch(`/v1/employees/${id}`, fact)
    expect(answer.status, answer.text).toBe(200)
  }
  const { data } = (await api.get(`/v1/employees/${id}`)).body
  const periods = await api.act((ctx) =>
    ctx.db.rows(
      `select scope, anchored_on, waited_on, lost_on, covered_until from employee_eligibilities
        where employee_id = $1 order by scope, anchored_on`,
      [id],
    ),
  )
  return {
    start_date: data.start_date,
    classes: [data.employee_class, data.classification_effective_date],
    compensations: [data.compensation_type, data.compensation_type_effective_date],
    periods,
  }
}

it('gives the same state and eligibility for the same facts in any order', async () => {
  await fc.assert(
    fc.asyncProperty(story, async ({ facts, shuffled, by_operator }) => {
      expect(await outcomeOf(shuffled, by_operator)).toEqual(await outcomeOf(facts, by_operator))
    }),
    { numRuns: caseCount(25), seed: Number(process.env.HISTORIES_SEED ?? 9) },
  )
})

it.each(['employees.findReferenced', 'employees.findEmployments'])(
  'uses an index for each person at an employer that joined after the last analyze (%s)',
  async (name) => {
    const known = await createEmployer(api)
    for (let number = 0; number < 30; number++)
      await createEmployee(api, known, aPerson({ reference_id: `E-${number}`, email: `${name}${number}@example.com` }))
    const young = await createEmployer(api)
    // The tables and indexes of a new database. Dead rows of earlier test files would change the estimates.
    await api.database.pool.query('vacuum full employees')
    const plan = await api.act(async ({ db }) => {
      // The statistics now place every employee at the first employer and contain nothing about the second.
      await db.rows('analyze employees')
      await db.rows('set local plan_cache_mode = force_custom_plan')
      await db.rows('set local enable_seqscan = off')
      const found = statements.get(name)!
      const { text, parameters } = found
      const values: Record<string, unknown> = {
        employer_id: young,
        organization_id: api.story.organization_id,
        reference_ids: ['E-1'],
        member_ids: ['mbr_1'],
      }
      const rows = await db.rows<{ 'QUERY PLAN': string }>(
        `explain ${db.distribution?.rewrite(found, true).text ?? text}`,
        parameters.map((parameter) => values[parameter]),
      )
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    })
    expect(plan).toMatch(/Index Scan using employees_(by_reference|of_member)(_\d+)? on employees/)
    expect(plan).not.toContain('employees_roster')
  },
)

const covered = (from: Day, until: Day, enrollment_id = 'enrl_1', benefit_id = 'dental'): CoveredDays => ({
  employee_id: 'empl_1',
  benefit_id,
  enrollment_id,
  from,
  until,
})
const january_to_march = covered('2026-01-01', '2026-03-10')

describe('a change loses the coverage', () => {
  it.each([
    ['after a new end date', [covered('2026-01-01', '2026-01-31')], [covered('2026-02-01', '2026-03-10')]],
    ['before a new start date', [covered('2026-02-25', '2026-03-10')], [covered('2026-01-01', '2026-02-24')]],
    ['of all days if no enrollment is left', [], [january_to_march]],
    [
      'of the gap between two enrollments',
      [covered('2026-01-01', '2026-01-31'), covered('2026-03-01', '2026-03-10', 'enrl_2')],
      [covered('2026-02-01', '2026-02-28')],
    ],
    [
      'of days that only another benefit now covers',
      [covered('2026-01-01', '2026-03-10', 'enrl_2', 'vision')],
      [january_to_march],
    ],
    ['of no day that another enrollment covers', [covered('2025-12-01', '2026-04-30', 'enrl_2')], []],
    ['of no day if nothing changes', [january_to_march], []],
  ])('%s', (_, after, lost) => expect(lostCoverage([january_to_march], after)).toEqual(lost))

  it('of exactly those days that only the old enrollments cover', () => {
    const span = fc.tuple(fc.nat(30), fc.nat(10), fc.constantFrom('dental', 'vision'))
    const spans = fc.array(
      span.map(([start, days, benefit_id]) => {
        const from = addDays('2026-01-01', start)
        return covered(from, addDays(from, days), 'enrl_1', benefit_id)
      }),
      { maxLength: 6 },
    )
    const daysOf = (some: CoveredDays[]) =>
      new Set(
        some.flatMap(({ benefit_id, from, until }) => {
          const days: string[] = []
          for (let day = from; day <= until; day = addDays(day, 1)) days.push(`${benefit_id} ${day}`)
          return days
        }),
      )
    fc.assert(
      fc.property(spans, spans, (before, after) => {
        expect(daysOf(lostCoverage(before, after))).toEqual(daysOf(before).difference(daysOf(after)))
      }),
    )
  })
})

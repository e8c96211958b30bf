import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { createEmployee, createEmployer, importCatalog, openPlanYear } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { addDays, type Day } from '../../../kernel/days.ts'
import { caseCount } from '../../../test/case-count.ts'

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
}, 120_000)

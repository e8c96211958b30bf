import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { monthEnd } from '../../../kernel/days.ts'
import { caseCount } from '../../../test/case-count.ts'
import { createEmployee, createEmployer } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'

/** An employer that measures months. Today is March 10, 2026. */
const api = useApi()
let employer_id: string
beforeAll(async () => {
  employer_id = await createEmployer(api)
  const policies = [{ method: 'look_back', standard_starts_on: '2025-10-15' }]
  await api.put(`/v1/employers/${employer_id}/measurement-policies`, { policies })
})

const aMonth = fc.integer({ min: 1, max: 14 }).map((number) => {
  const starts_on = `${number > 12 ? 2026 : 2025}-${String(((number - 1) % 12) + 1).padStart(2, '0')}-01`
  return { period_starts_on: starts_on, period_ends_on: monthEnd(starts_on) }
})
const aRow = fc.tuple(
  aMonth,
  fc.oneof(
    fc.record({ kind: fc.constantFrom('worked', 'paid_leave'), hours: fc.integer({ min: 0, max: 200 }) }),
    fc.record({ kind: fc.constant('special_unpaid_leave') }),
  ),
)
const rows = fc
  .uniqueArray(aRow, { selector: ([{ period_starts_on }, { kind }]) => `${period_starts_on} ${kind}`, minLength: 1 })
  .map((pairs) => pairs.map(([period, hours]) => ({ ...period, ...hours })))

const inPieces = <Item>(items: Item[], size: number): Item[][] =>
  items.flatMap((_, at) => (at % size === 0 ? [items.slice(at, at + size)] : []))

/** The rows in another order and in several reports, and some of them in later reports again. */
const orders = rows.chain((given) =>
  fc.record({
    given: fc.constant(given),
    reports: fc
      .tuple(
        fc.shuffledSubarray(given, { minLength: given.length }),
        fc.subarray(given),
        fc.integer({ min: 1, max: 5 }),
      )
      .map(([all, again, size]) => [...inPieces(all, size), ...inPieces(again, size)]),
  }),
)

async function known(reports: object[][]) {
  const { id } = await createEmployee(api, employer_id, { start_date: '2025-01-01', employee_class: 'Part Time' })
  for (const report of reports) {
    const answer = await api.post(`/v1/employers/${employer_id}/hours`, {
      rows: report.map((row) => ({ ...row, employee_id: id })),
    })
    expect(answer.body.data, answer.text).toMatchObject({ failed_count: 0 })
  }
  await api.work()
  const { data } = (await api.get(`/v1/employees/${id}/hours?limit=100`)).body
  const statuses = await api.database.reads.rows(
    'select starts_on, ends_on, is_full_time, reason from measured_statuses where employee_id = $1 order by starts_on',
    [id],
  )
  return { hours: data.map(({ employee_id: _, ...row }) => row), statuses }
}

it('the same rows give the same result in any order, in any number of reports, and when repeated', async () => {
  await fc.assert(
    fc.asyncProperty(orders, async ({ given, reports }) => {
      expect(await known(reports)).toEqual(await known([given]))
    }),
    { numRuns: caseCount(40, 8), endOnFailure: true },
  )
})

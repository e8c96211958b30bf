import { expect, it } from 'vitest'
import { aMemberKey } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { first } from '../../../test/pick.ts'
import { codeOf } from '../../../test/response.ts'

const api = useApi({ with_story: 'usual_day' })
const key = () => api.story.api_key
const monthsOf = async (query = '', as = key()) => (await api.get(`/v1/trends${query}`, { key: as })).body.data.months
const employerCalled = async (name: string) =>
  first((await api.get(`/v1/employers?search=${encodeURIComponent(name)}`, { key: key() })).body.data)

it('shows the invoices of the last twelve months by month, with drafts and without voided ones', async () => {
  const months = await monthsOf()
  expect([months.length, months[0]?.month, months.at(-1)?.month]).toEqual([12, '2025-04', '2026-03'])
  const employers = (await api.get('/v1/employers?include_cancelled=true&limit=100', { key: key() })).body.data
  const billed: Record<string, number> = {}
  for (const { id } of employers) {
    const invoices = (await api.get(`/v1/employers/${id}/invoices?limit=100&include_drafts=true`, { key: key() })).body
      .data
    for (const { period, status, total_in_cents } of invoices)
      if (status !== 'void') billed[period] = (billed[period] ?? 0) + total_in_cents
  }
  for (const { month, premium_in_cents } of months)
    expect([month, premium_in_cents]).toEqual([month, billed[month] ?? 0])
  expect(months.at(-1)?.premium_in_cents).toBeGreaterThan(0)
})

it('shows how many employees of an employer had coverage on the first of each month', async () => {
  const { id } = await employerCalled('Sunrise Bakery')
  const roster = (await api.get(`/v1/employers/${id}/employees?limit=100`, { key: key() })).body.data
  const enrolled = new Set<string>()
  for (const employee of roster) {
    const list = await api.get(`/v1/employees/${employee.id}/enrollments?as_of=2026-03-01&limit=100`, { key: key() })
    for (const { status, coverage_start, coverage_end } of list.body.data)
      if (status === 'enrolled' && coverage_start <= '2026-03-01' && (coverage_end ?? '9999') >= '2026-03-01')
        enrolled.add(employee.id)
  }
  const months = await monthsOf(`?employer_id=${id}`)
  expect(months.at(-1)?.participation.enrolled).toBe(enrolled.size)
  expect(months.at(-1)?.participation.eligible).toBeGreaterThanOrEqual(enrolled.size)
  const whole = await monthsOf()
  expect(whole.at(-1)?.participation.enrolled).toBeGreaterThan(enrolled.size)
})

it('hides the premium without access to money, and other organizations', async () => {
  const sales = await aMemberKey(api, api.story.organization_id, 'SALES')
  expect(new Set((await monthsOf('', sales)).map((one) => one.premium_in_cents))).toEqual(new Set([null]))
  const { id } = await employerCalled('Sunrise Bakery')
  const rivals = await monthsOf(`?employer_id=${id}`, api.story.rival_api_key)
  expect(rivals.every((one) => one.premium_in_cents === 0 && one.participation.eligible === 0)).toBe(true)
  expect(codeOf(await api.get('/v1/trends', { key: api.story.super_api_key }))).toEqual([400, 'organization_required'])
})

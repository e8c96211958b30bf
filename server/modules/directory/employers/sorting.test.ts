import { expect, it } from 'vitest'
import { aMemberKey } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { pick } from '../../../test/pick.ts'
import { codeOf } from '../../../test/response.ts'

const api = useApi({ with_story: 'usual_day' })

type Row = Awaited<ReturnType<typeof bookOf>>[number]
const bookOf = async (query = '', key = api.story.api_key) =>
  (await api.get(`/v1/employers?limit=100&include_cancelled=true&${query}`, { key })).body.data

/** The names in a sorted list, read two rows at a time. */
async function pagesOf(query: string): Promise<string[]> {
  const names: string[] = []
  for (let page = 1, pages = 1; page <= pages; page++) {
    const { data, pagination } = (
      await api.get(`/v1/employers?limit=2&include_cancelled=true&page=${page}&${query}`, { key: api.story.api_key })
    ).body
    names.push(...data.map(({ name }) => name))
    pages = pagination.total_pages
  }
  return names
}

const shareOf = ({ enrollment_rate_summary: { enrolled, eligible } }: Row) =>
  eligible === 0 ? null : Math.floor((10_000 * enrolled) / eligible)

it.each<[sort: string, valueOf: (row: Row) => string | number | null]>([
  ['name', ({ name }) => name.toLowerCase()],
  ['employee_count', ({ employee_count }) => employee_count],
  ['monthly_premium', ({ monthly_premium_in_cents }) => monthly_premium_in_cents],
  ['next_date', ({ next_date }) => next_date?.date ?? null],
  ['enrollment', shareOf],
])('sorts the book by %s in both directions, employers without a value last', async (sort, valueOf) => {
  const book = await bookOf()
  const sorted = (sign: number) =>
    book
      .map((row) => ({ name: row.name, id: row.id, value: valueOf(row) }))
      .toSorted((a, b) => {
        if (a.value === null || b.value === null) {
          if (a.value !== b.value) return a.value === null ? 1 : -1
        } else if (a.value !== b.value) return a.value < b.value ? -sign : sign
        return a.id < b.id ? -sign : sign
      })
      .map(({ name }) => name)
  expect(await pagesOf(`sort=${sort}`)).toEqual(sorted(1))
  expect(await pagesOf(`sort=${sort}&order=desc`)).toEqual(sorted(-1))
})

it('shows the employees, the latest invoice and the next date of each employer', async () => {
  for (const row of await bookOf()) {
    const roster = await api.get(`/v1/employers/${row.id}/employees?employment_status=active&limit=1`, {
      key: api.story.api_key,
    })
    expect([row.name, row.employee_count]).toEqual([row.name, roster.body.pagination.total])
    const { data } = (await api.get(`/v1/employers/${row.id}/invoices`, { key: api.story.api_key })).body
    const latest = data.find(({ status }) => status !== 'void')
    expect([row.name, row.monthly_premium_in_cents]).toEqual([row.name, latest?.total_in_cents ?? null])
  }
  const granite = pick(await bookOf(), ({ name }) => name === 'Granite Freight')
  expect(granite.next_date?.kind).toBe('enrollment_closes')
  expect(granite.next_date?.date).toBe(granite.benefit_lifecycle_stage.as_of_date)
})

it('hides the premium from members without access to money, also from the order', async () => {
  const key = await aMemberKey(api, api.story.organization_id, 'SALES')
  const book = await bookOf('sort=monthly_premium', key)
  expect(new Set(book.map((row) => row.monthly_premium_in_cents))).toEqual(new Set([null]))
  expect(book.map(({ id }) => id)).toEqual(book.map(({ id }) => id).toSorted())
})

it('counts the employers of one organization by filter, among the employers that match the other filters', async () => {
  const counts = async (query: string, key = api.story.api_key) =>
    (await api.get(`/v1/employers/counts?${query}`, { key })).body.data
  const live = (await bookOf()).filter((row) => row.benefit_lifecycle_stage.stage !== 'cancelled')
  const dental = live.filter((row) => row.benefit_families.includes('DENTAL'))
  const { benefit_lifecycle_stage, benefit_family } = await counts('benefit_family=dental')
  const sum = benefit_lifecycle_stage.reduce((total, { employer_count }) => total + employer_count, 0)
  expect(sum).toBe(dental.length)
  expect(pick(benefit_family, ({ value }) => value === 'DENTAL').employer_count).toBe(dental.length)
  const { hris_status } = await counts('search=Granite')
  expect(hris_status.every(({ employer_count }) => employer_count === 1)).toBe(true)
  expect((await counts('', api.story.rival_api_key)).benefit_family).toEqual([])
})

it('sorts and counts only the book of one organization', async () => {
  const key = api.story.super_api_key
  expect(codeOf(await api.get('/v1/employers?sort=name', { key }))).toEqual([400, 'organization_required'])
  expect(codeOf(await api.get('/v1/employers/counts', { key }))).toEqual([400, 'organization_required'])
})

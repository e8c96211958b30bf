import { describe, expect, it } from 'vitest'
import { aPerson, createEmployer } from '../../test/fixtures.ts'
import { useApi } from '../../test/harness.ts'
import { PageAnchors, type RowKey } from './page-anchors.ts'

const api = useApi()

const key = (id: string): RowKey => ['2026-03-10', id]

describe('page anchors', () => {
  it('are found by the nearest earlier page', () => {
    const anchors = new PageAnchors()
    anchors.note('list', { page: 1, key: key('a') })
    anchors.note('list', { page: 3, key: key('c') })
    expect([1, 2, 3, 4, 9].map((page) => anchors.before('list', page)?.page)).toEqual([undefined, 1, 1, 3, 3])
    expect(anchors.before('another', 2)).toBeUndefined()
  })

  it('after a changed one are dropped', () => {
    const anchors = new PageAnchors()
    for (const page of [1, 2, 3]) anchors.note('list', { page, key: key(String(page)) })
    anchors.note('list', { page: 1, key: key('1') })
    expect(anchors.before('list', 4)?.page).toBe(3)
    anchors.note('list', { page: 1, key: key('other') })
    expect(anchors.before('list', 4)?.page).toBe(1)
  })

  it('are limited per list', () => {
    const anchors = new PageAnchors()
    for (let page = 1; page <= 100; page++) anchors.note('list', { page, key: key(String(page)) })
    expect(anchors.before('list', 50)).toBeUndefined()
    expect(anchors.before('list', 101)?.page).toBe(100)
  })
})

describe('a list that is read page by page while rows leave it', () => {
  /** Creates an employer with this many people, the newest first. */
  const staff = async (count: number) => {
    const employer_id = await createEmployer(api)
    const ids: string[] = []
    for (let n = 0; n < count; n++) {
      const { body } = await api.post(`/v1/employers/${employer_id}/employees`, aPerson())
      ids.unshift(body.data.id)
    }
    return { path: `/v1/employers/${employer_id}/employees` as const, ids }
  }
  const read = async (path: `/v1/employers/${string}/employees`, page: number, more = '', limit = 2) => {
    const { body } = await api.get(`${path}?employment_status=active&limit=${limit}&page=${page}${more}`)
    return { ids: body.data.map(({ id }) => id), ...body.pagination }
  }
  const terminate = (id: string) => api.post(`/v1/employees/${id}/terminate`, { termination_date: '2026-03-09' })

  it('misses no person, even if only pages up to the reported last one are read', async () => {
    const { path, ids } = await staff(5)
    const first = await read(path, 1)
    expect(first).toMatchObject({ ids: ids.slice(0, 2), total: 5, total_pages: 3 })
    await terminate(ids[0]!)
    await terminate(ids[1]!)
    expect(await read(path, 2)).toMatchObject({ ids: ids.slice(2, 4), total: 3, total_pages: 3 })
    await terminate(ids[3]!)
    expect(await read(path, 3)).toMatchObject({ ids: ids.slice(4), total: 2, total_pages: 3 })
    expect(await read(path, 4)).toMatchObject({ ids: [], total: 2 })
  })

  it('finds the start of a deep page of active employees from the terminated employees', async () => {
    const { path } = await staff(0)
    const values = [api.story.organization_id, path.split('/')[3]]
    await api.database.pool.query(
      `with people as (
         select new_id('mbr') as member_id, new_id('empl') as id, number from generate_series(1, 2500) as number
       ), known as (
         insert into members (id, organization_id, first_name, last_name, name_key, date_of_birth, created_at,
                              updated_at)
         select member_id, $1, 'Ana', 'Costa', 'ana|costa', '1990-01-01', now(), now() from people
       ), counted as (
         update employers set employee_count = 2500 where organization_id = $1 and id = $2)
       insert into employees (id, organization_id, employer_id, member_id, hired_on, terminated_on, known_at,
                              created_at, updated_at, roster_number, report_hash, search_key)
       select id, $1, $2, member_id, '2026-01-05',
              case when number % 7 < 3 then date '2026-02-01' when number % 7 = 3 then date '2026-12-01' end,
              now(), now(), now(), number, id, 'ana' from people`,
      values,
    )
    const { rows } = await api.database.pool.query<{ id: string }>(
      `select id from employees where organization_id = $1 and employer_id = $2
          and (terminated_on is null or terminated_on > '2026-03-10') order by roster_number desc`,
      values,
    )
    const ids = rows.map(({ id }) => id)
    for (const page of [16, 15, 12, 11, 10]) {
      const found = await read(path, page, '', 100)
      expect(found).toMatchObject({ ids: ids.slice(100 * (page - 1), 100 * page), total: ids.length })
    }
  })

  it('starts over with its first page', async () => {
    const { path, ids } = await staff(4)
    await read(path, 1)
    await terminate(ids[0]!)
    await terminate(ids[1]!)
    expect(await read(path, 1)).toMatchObject({ ids: ids.slice(2), total: 2, total_pages: 1 })
    expect(await read(path, 2)).toMatchObject({ ids: [], total: 2, total_pages: 1 })
  })

  it('continues from the nearest page that was read, or else from the start', async () => {
    const { path, ids } = await staff(7)
    expect((await read(path, 3)).ids).toEqual(ids.slice(4, 6))
    await read(path, 1)
    await terminate(ids[1]!)
    expect((await read(path, 3)).ids).toEqual(ids.slice(4, 6))
    expect((await read(path, 2, '&search=example')).ids).toEqual([ids[3], ids[4]])
  })

  it('shows each person once although others are added before them, and counts those in its total', async () => {
    const { path, ids } = await staff(4)
    await read(path, 1)
    await api.get(`${path}?limit=2`)
    for (let joined = 0; joined < 2; joined++) await api.post(path, aPerson())
    expect(await read(path, 2)).toMatchObject({ ids: ids.slice(2), total: 6, total_pages: 3 })
    const whole = await api.get(`${path}?limit=2&page=2`)
    expect(whole.body.data.map(({ id }) => id)).toEqual(ids.slice(2))
    expect(whole.body.pagination).toEqual({ limit: 2, page: 2, total: 6, total_pages: 3 })
  })
})

describe('pages', () => {
  const api = useApi()

  it('pages of two organizations that one key reads do not share anchors', async () => {
    const { organization_id, rival_organization_id, multi_organization_api_key: key } = api.story
    const at = (id: string) => ({ key, headers: { 'x-service-organization': id } })
    const names = async (id: string, page: number) => {
      const { status, body, text } = await api.get(`/v1/employers?limit=2&page=${page}`, at(id))
      expect(status, text).toBe(200)
      return body.data.map(({ name }) => name)
    }
    for (const name of ['Rival C', 'Rival B', 'Rival A']) {
      api.wait(1000)
      await createEmployer(api, { name }, at(rival_organization_id))
    }
    for (const name of ['Harbor D', 'Harbor C', 'Harbor B', 'Harbor A']) {
      api.wait(1000)
      await createEmployer(api, { name }, at(organization_id))
    }
    expect(await names(organization_id, 1)).toEqual(['Harbor A', 'Harbor B'])
    expect(await names(rival_organization_id, 2)).toEqual(['Rival C'])
    expect(await names(rival_organization_id, 1)).toEqual(['Rival A', 'Rival B'])
    expect(await names(organization_id, 2)).toEqual(['Harbor C', 'Harbor D'])
  })
})

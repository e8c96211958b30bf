import { describe, expect, it } from 'vitest'
import { createEmployee, createEmployer } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { first, only, pick, sure } from '../../../test/pick.ts'

const api = useApi({ with_story: 'usual_day' })

const worksite = { address_line_1: '7 Pier Rd', city: 'Astoria', state: 'OR', zipcode: '97103', county: 'Clatsop' }

describe('assignments', () => {
  it('are added, listed by their first day, replaced and deleted', async () => {
    const { id: employee_id } = await createEmployee(api, await createEmployer(api))
    const path = `/v1/employees/${employee_id}/assignments` as const
    const added = await api.post(path, {
      client_name: 'Harbor Cannery',
      worksite,
      starts_on: '2026-01-05',
      hourly_rate_in_cents: 1850,
    })
    expect(added.status, added.text).toBe(201)
    expect(added.body.data).toMatchObject({
      employee_id,
      ends_on: null,
      worksite: { ...worksite, address_line_2: null },
    })
    await api.post(path, { client_name: 'Orchard', starts_on: '2026-02-16' })
    const listed = async () => (await api.get(path)).body.data.map(({ client_name, ends_on }) => [client_name, ends_on])
    expect(await listed()).toEqual([
      ['Orchard', null],
      ['Harbor Cannery', null],
    ])
    const one = `/v1/assignments/${added.body.data.id}` as const
    const ended = await api.put(one, { client_name: 'Harbor Cannery', starts_on: '2026-01-05', ends_on: '2026-02-13' })
    expect(ended.body.data).toMatchObject({ ends_on: '2026-02-13', worksite: null, hourly_rate_in_cents: null })
    expect((await api.call('DELETE', one)).body.data).toEqual({ id: added.body.data.id })
    expect((await api.call('DELETE', one)).status).toBe(404)
    expect(await listed()).toEqual([['Orchard', null]])
  })

  it('refuse a last day before the first one, and a worksite without a state', async () => {
    const { id } = await createEmployee(api, await createEmployer(api))
    const assignment = { client_name: 'Orchard', starts_on: '2026-02-16' }
    const fieldsOf = async (more: object) =>
      (await api.post(`/v1/employees/${id}/assignments`, { ...assignment, ...more })).error.details.map(
        (one) => one.field,
      )
    expect(await fieldsOf({ ends_on: '2026-02-15' })).toEqual(['ends_on'])
    expect(await fieldsOf({ worksite: { ...worksite, state: undefined } })).toEqual(['worksite.state'])
    expect(await fieldsOf({ hourly_rate_in_cents: 0 })).toEqual(['hourly_rate_in_cents'])
  })

  it('stay deleted if other requests replace them at the same time', async () => {
    const { id: employee_id } = await createEmployee(api, await createEmployer(api))
    const assignment = { client_name: 'Orchard', starts_on: '2026-02-16' }
    for (let round = 0; round < 5; round += 1) {
      const { id } = (await api.post(`/v1/employees/${employee_id}/assignments`, assignment)).body.data
      const path = `/v1/assignments/${id}` as const
      const deletion = api.call('DELETE', path)
      await Promise.all([api.put(path, assignment), api.put(path, assignment), api.put(path, assignment)])
      expect((await deletion).status).toBe(200)
      expect((await api.put(path, assignment)).status).toBe(404)
    }
  })

  it('are hidden from other organizations', async () => {
    const { id } = await createEmployee(api, await createEmployer(api))
    const path = `/v1/employees/${id}/assignments` as const
    const assignment = { client_name: 'Orchard', starts_on: '2026-02-16' }
    const added = await api.post(path, assignment)
    const key = { key: api.story.rival_api_key }
    expect((await api.get(path, key)).status).toBe(404)
    expect((await api.post(path, assignment, key)).status).toBe(404)
    expect((await api.put(`/v1/assignments/${added.body.data.id}`, assignment, key)).status).toBe(404)
    expect((await api.call('DELETE', `/v1/assignments/${added.body.data.id}`, key)).status).toBe(404)
  })

  it('determine by their worksite whether an ICHRA is affordable', async () => {
    const employer = only((await api.get('/v1/employers?search=Granite+Freight')).body.data)
    const year = sure((await api.get(`/v1/employers/${employer.id}/benefit-plan-years`)).body.data.at(-1))
    const judged = async () => {
      const path = `/v1/employers/${employer.id}/benefit-plan-years/${year.id}/enrollments` as const
      const rows = (await api.get(path)).body.data.filter(({ missing_figures }) => missing_figures)
      return pick(rows, ({ member_first_name }) => member_first_name === 'Quinn')
    }
    const before = await judged()
    expect(before.affordability).toBe('Not Affordable')
    const [quinn] = (await api.get(`/v1/employers/${employer.id}/employees?search=Quinn`)).body.data
    const path = `/v1/employees/${sure(quinn).id}/assignments` as const
    const added = await api.post(path, { client_name: 'Harbor Cannery', worksite, starts_on: '2020-01-01' })
    expect(await judged()).toMatchObject({
      affordability: null,
      missing_figures: [{ figure: 'lowest_cost_silver_premium' }],
    })
    const silver = { state: 'OR', county: 'Clatsop', age: '0+', premium_in_cents: 1 }
    const rows = [`${year.coverage_start.slice(0, 7)}-01`].map((effective_on) => ({ ...silver, effective_on }))
    await api.post('/operator/v1/lowest-cost-silver-premiums/import', { rows }, { key: api.operator_key })
    expect(await judged()).toMatchObject({ affordability: 'Affordable', missing_figures: [] })
    const ended = { client_name: 'Harbor Cannery', worksite, starts_on: '2020-01-01', ends_on: '2020-12-31' }
    await api.put(`/v1/assignments/${added.body.data.id}`, ended)
    expect((await judged()).affordability).toBe('Not Affordable')
    expect(first((await api.get(path)).body.data).ends_on).toBe('2020-12-31')
  })

  it('report their worksite instead of the residence on Form 1095-C of an ICHRA', async () => {
    const employer = only((await api.get('/v1/employers?search=Granite+Freight')).body.data)
    const year = sure((await api.get(`/v1/employers/${employer.id}/benefit-plan-years`)).body.data.at(-1))
    const priya = only((await api.get(`/v1/employers/${employer.id}/employees?search=Priya`)).body.data)
    const [tax_year, last_month] = year.coverage_end.split('-')
    const reported = async () => {
      const form = (await api.get(`/v1/employees/${priya.id}/form-1095c?tax_year=${tax_year}`)).body.data
      return pick(form.months, ({ month }) => month === Number(last_month))
    }
    const home = { address_line_1: '1 Elm St', city: 'Dallas', state: employer.address.state, zipcode: '75001-1234' }
    const moved = await api.patch(`/v1/employees/${priya.id}/contact`, { address: home })
    expect(moved.status, moved.text).toBe(200)
    expect(await reported()).toMatchObject({ line_14: { value: '1N' }, line_17: { value: '75001' } })
    const effective_on = `${year.coverage_start.slice(0, 7)}-01`
    const rows = [{ state: 'OR', county: 'Clatsop', age: '0+', premium_in_cents: 1, effective_on }]
    await api.post('/operator/v1/lowest-cost-silver-premiums/import', { rows }, { key: api.operator_key })
    const assignment = { client_name: 'Harbor Cannery', worksite, starts_on: '2020-01-01' }
    await api.post(`/v1/employees/${priya.id}/assignments`, assignment)
    expect(await reported()).toMatchObject({ line_14: { value: '1Q' }, line_17: { value: '97103' } })
  })
})

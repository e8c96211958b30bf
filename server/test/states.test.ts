import { expect, it } from 'vitest'
import {
  aGroupMember,
  anEmployer,
  aPerson,
  createEmployee,
  createEmployer,
  createGroup,
  importCatalog,
  openPlanYear,
} from './fixtures.ts'
import { useApi } from './harness.ts'
import { only, pick } from './pick.ts'

/** A state's full name is accepted wherever a state is, and returned as its code. */
const api = useApi()
const operator = () => ({ key: api.operator_key })
const living = (state: string) => ({ address_line_1: '1 Main St', city: 'Reno', state, zipcode: '89501' })

it('accepts the full name of a state for an employer', async () => {
  const created = await api.post('/v1/employers', anEmployer({ address: living('nevada') }))
  expect(created.body.data.address.state).toBe('NV')
  const changed = await api.put(`/v1/employers/${created.body.data.id}`, { address: living('New Mexico') })
  expect(changed.body.data.address.state).toBe('NM')
})

it('accepts the full name of a state for an employee in a hire, a change and a census', async () => {
  const employer_id = await createEmployer(api)
  const hired = await createEmployee(api, employer_id, { address: living('Texas') })
  expect(hired.address?.state).toBe('TX')
  const moved = { street_1: '2 Main St', city: 'San Juan', state: 'Puerto Rico', zip_code: '00901' }
  const changed = await api.patch(`/v1/employees/${hired.id}`, { effective_date: '2026-03-10', address: moved })
  expect(changed.body.data.address?.state).toBe('PR')

  const row = aPerson({ address: living('ARMED FORCES PACIFIC') })
  await api.post(`/v1/employers/${employer_id}/census-sync`, { employees: [row] })
  await api.work()
  const roster = (await api.get(`/v1/employers/${employer_id}/employees`)).body.data
  expect(pick(roster, ({ email }) => email === row.email).address?.state).toBe('AP')
})

it('accepts the full name of a state for a member of a group', async () => {
  const catalog = await importCatalog(api)
  const group_id = await createGroup(api)
  const members = [aGroupMember(catalog.mvp.plan_id, { address: living('west virginia') })]
  await api.post(`/v1/groups/${group_id}/members/sync`, { members })
  await api.work()
  expect(only((await api.get(`/v1/groups/${group_id}/members`)).body.data).address?.state).toBe('WV')
})

it('accepts the full name of a state in a plan year and in silver premiums', async () => {
  const catalog = await importCatalog(api)
  const employer_id = await createEmployer(api)
  const year_id = await openPlanYear(api, employer_id, catalog, { offered_states: ['Texas', 'TX', 'ny'] })
  const year = await api.get(`/v1/employers/${employer_id}/benefit-plan-years/${year_id}`)
  expect(year.body.data.offered_states).toEqual(['TX', 'NY'])

  const silver = { state: 'Idaho', age: '0-63', effective_on: '2026-01-01', premium_in_cents: 30_000 }
  await api.post('/operator/v1/lowest-cost-silver-premiums/import', { rows: [silver] }, operator())
  const listed = await api.get('/operator/v1/lowest-cost-silver-premiums?state=idaho', operator())
  expect(only(listed.body.data)).toMatchObject({ state: 'ID', premium_in_cents: 30_000 })
})

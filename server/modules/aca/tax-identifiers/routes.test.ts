import { beforeAll, describe, expect, it } from 'vitest'
import { aMemberKey, createEmployee, createEmployer } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { refusalOf } from '../../../test/response.ts'

const api = useApi()

describe('the tax identifiers of a family', () => {
  let employer_id: string
  let employee: { id: string; member_id: string }
  let dependent_id: string
  const path = () => `/v1/employees/${employee.id}/tax-identifier` as const
  const of_dependent = () => `/v1/dependents/${dependent_id}/tax-identifier` as const
  const listed = async () =>
    (await api.get(path())).body.data.map(({ person_id, relationship, last_four }) => [
      person_id,
      relationship,
      last_four,
    ])

  beforeAll(async () => {
    employer_id = await createEmployer(api)
    employee = await createEmployee(api, employer_id)
    const child = { relationship: 'child', first_name: 'Ida', last_name: 'Costa', date_of_birth: '2018-05-06' }
    dependent_id = (await api.post(`/v1/employees/${employee.id}/dependents`, child)).body.data.id
  })

  it('are stored once, replaced later, and shown with their last four digits only', async () => {
    expect(await listed()).toEqual([
      [employee.member_id, 'employee', null],
      [dependent_id, 'child', null],
    ])
    const stored = await api.put(path(), { tax_identifier: '219-09-9999' })
    expect(stored.status, stored.text).toBe(200)
    expect(stored.body.data).toMatchObject({ person_id: employee.member_id, last_four: '9999' })
    expect(stored.text).not.toMatch(/219/)
    const of_child = await api.put(of_dependent(), { tax_identifier: '078051120' })
    expect(of_child.body.data).toMatchObject({ person_id: dependent_id, relationship: 'child', last_four: '1120' })
    await api.put(path(), { tax_identifier: '219-09-8888' })
    expect(await listed()).toEqual([
      [employee.member_id, 'employee', '8888'],
      [dependent_id, 'child', '1120'],
    ])
  })

  it('are the same at each employment of the person', async () => {
    const second = await createEmployer(api)
    const person = { first_name: 'Noa', last_name: 'Lind', date_of_birth: '1991-02-03', email: 'noa.lind@example.com' }
    const first = await createEmployee(api, employer_id, person)
    const other = await createEmployee(api, second, person)
    expect(other.member_id).toBe(first.member_id)
    await api.put(`/v1/employees/${first.id}/tax-identifier`, { tax_identifier: '212-34-5678' })
    expect((await api.get(`/v1/employees/${other.id}/tax-identifier`)).text).toContain('5678')
  })

  it.each([
    ['555-12-345', 'must have nine digits, such as 219-09-9999'],
    ['12-3456789', 'must have nine digits, such as 219-09-9999'],
    ['666-12-3456', 'must be a number that is assigned to people'],
  ])('refuse %s without repeating it', async (tax_identifier, message) => {
    const answer = await api.put(path(), { tax_identifier })
    expect(refusalOf(answer)[1]).toBe('invalid_request')
    expect(answer.text).toContain(message)
    expect(answer.text).not.toContain(tax_identifier)
  })

  it('refuse a body without a number, and still refuse the field ssn', async () => {
    expect((await api.put(path(), {})).status).toBe(400)
    expect((await api.put(path(), { tax_identifier: '219-09-9999', ssn: '219-09-9999' })).status).toBe(400)
  })

  it('require the scope tax and a role that operates rosters', async () => {
    const { api_key } = (await api.post('/v1/api-keys', { name: 'No tax', scopes: ['read', 'write', 'people'] })).body
      .data
    const agent = await aMemberKey(api, api.story.organization_id, 'ENROLLMENT_AGENT')
    for (const key of [api_key, agent]) {
      expect((await api.get(path(), { key })).status).toBe(403)
      expect((await api.put(path(), { tax_identifier: '219-09-9999' }, { key })).status).toBe(403)
      expect((await api.put(of_dependent(), { tax_identifier: '219-09-9999' }, { key })).status).toBe(403)
    }
  })

  it('do not exist for another organization', async () => {
    const key = api.story.rival_api_key
    expect((await api.get(path(), { key })).status).toBe(404)
    expect((await api.put(path(), { tax_identifier: '219-09-9999' }, { key })).status).toBe(404)
    expect((await api.put(of_dependent(), { tax_identifier: '219-09-9999' }, { key })).status).toBe(404)
    expect(await listed()).toContainEqual([employee.member_id, 'employee', '8888'])
  })

  it('are in no other response, and in the audit log by operation and not by value', async () => {
    for (const other of [`/v1/employees/${employee.id}`, `/v1/employees/${employee.id}/dependents`] as const)
      expect((await api.get(other)).text).not.toMatch(/8888|1120/)
    const query = `resource_id=${employee.id}&operation=employees_set_tax_identifier` as const
    const entries = await api.get(`/v1/audit-entries?${query}`)
    // Refusals have entries too, which are written later and in any order.
    const writes = entries.body.data.filter(({ fields }) => fields !== null)
    expect(writes.length).toBeGreaterThanOrEqual(2)
    for (const { fields } of writes) expect(fields).toEqual(['tax_identifier'])
    expect(entries.text).not.toMatch(/219-?09/)
  })
})

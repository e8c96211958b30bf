import { expect, it } from 'vitest'
import { aMemberKey, boundToken } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { first, pick } from '../../../test/pick.ts'
import { codeOf } from '../../../test/response.ts'

const api = useApi({ with_story: 'usual_day' })
const key = () => api.story.api_key
const listed = async (query: string, as = key()) => (await api.get(`/v1/activity?limit=100${query}`, { key: as })).body
const employerCalled = async (name: string) =>
  first((await api.get(`/v1/employers?search=${encodeURIComponent(name)}`, { key: key() })).body.data)

it('lists the changes at an employer with the names of people and benefits, as the events do', async () => {
  const { id } = await employerCalled('Sunrise Bakery')
  const { data } = await listed(`&employer_id=${id}`)
  const events = (await api.get(`/v1/webhook-events?limit=100&employer_id=${id}`, { key: key() })).body.data
  const others = events.filter(({ event_name }) => event_name !== 'employee.deduction_created')
  expect(data.filter(({ payday }) => payday === null).slice(0, others.length)).toMatchObject(
    others.map((event) => ({ id: event.id, event_name: event.event_name })),
  )
  const elected = pick(data, ({ event_name }) => event_name === 'enrollment.elected')
  expect(elected).toMatchObject({ employer_id: id, employer_name: 'Sunrise Bakery' })
  const employee = (await api.get(`/v1/employees/${elected.employee_id}`, { key: key() })).body.data
  expect(elected.person_name).toBe(`${employee.first_name} ${employee.last_name}`)
  const enrollment = (await api.get(`/v1/enrollments/${elected.resource_id}`, { key: key() })).body.data
  expect(elected.benefit_name).toBe(enrollment.benefit.name)
})

it('lists the deductions of a payday as one entry, with the total only for roles that see money', async () => {
  const { id } = await employerCalled('Sunrise Bakery')
  const path = `/v1/employers/${id}/payroll-deduction-statements` as const
  const statements = (await api.get(`${path}?limit=100`, { key: key() })).body.data
  const paydaysFor = async (as: string) => {
    const pages = [await listed(`&employer_id=${id}`, as), await listed(`&employer_id=${id}&page=2`, as)]
    const entries = pages.flatMap(({ data }) => data)
    const total = pages[0]!.pagination.total
    expect(entries.length).toBe(Math.min(200, total))
    expect(entries.map(({ created_at }) => created_at)).toEqual(
      entries
        .map(({ created_at }) => created_at)
        .toSorted()
        .toReversed(),
    )
    return entries.filter(({ event_name }) => event_name === 'employee.deduction_created')
  }
  const newest = first(await paydaysFor(key()))
  const statement = pick(statements, (one) => one.id === newest.resource_id)
  expect(newest).toMatchObject({
    id: statement.id,
    payday: statement.period_end_date,
    total_in_cents: statement.total_in_cents,
    employee_id: null,
  })
  expect(newest.people_count).toBeGreaterThan(0)
  const agent = await aMemberKey(api, api.story.organization_id, 'ENROLLMENT_AGENT')
  expect(first(await paydaysFor(agent))).toEqual({ ...newest, total_in_cents: null })
})

it('names the documents of an employer and those that an employee opened', async () => {
  const { id: employer_id } = await employerCalled('Sunrise Bakery')
  const file = { file_name: 'rules.pdf', content: Buffer.from('%PDF-1.7').toString('base64') }
  const body = { ...file, employer_id, kind: 'guide', title: 'Bakery rules' }
  const { id } = (await api.post('/v1/documents', body, { key: key() })).body.data
  const amara = first((await api.get(`/v1/employers/${employer_id}/employees?search=nwosu`, { key: key() })).body.data)
  const path = `/v1/employees/${amara.id}/documents/${id}/open` as const
  expect((await api.post(path, {}, { key: await boundToken(api, 'employee', amara.id, { key: key() }) })).status).toBe(
    200,
  )
  const { data } = await listed(`&employer_id=${employer_id}`)
  expect(data.slice(0, 2)).toMatchObject([
    { event_name: 'employee.document_opened', person_name: 'Amara Nwosu', document_title: 'Bakery rules' },
    { event_name: 'document.created', employer_id, employer_name: 'Sunrise Bakery', document_title: 'Bakery rules' },
  ])
})

it('names documents, and the totals of issued invoices for roles that see money', async () => {
  const file = { file_name: 'guide.pdf', content: Buffer.from('%PDF-1.7').toString('base64') }
  await api.post('/v1/documents', { ...file, kind: 'guide', title: 'Benefits guide' }, { key: key() })
  const { data } = await listed('')
  const added = pick(data, ({ event_name }) => event_name === 'document.created')
  expect(added.document_title).toBe('Benefits guide')
  const { id: clinic } = await employerCalled('Maple Row Clinic')
  const [invoice] = (await api.get(`/v1/employers/${clinic}/invoices`, { key: key() })).body.data
  const issuedFor = async (as: string) =>
    pick((await listed(`&employer_id=${clinic}`, as)).data, (one) => one.resource_id === invoice?.invoice_id)
  expect(await issuedFor(key())).toMatchObject({ total_in_cents: invoice?.total_in_cents, document_title: null })
  const agent = await aMemberKey(api, api.story.organization_id, 'ENROLLMENT_AGENT')
  expect(await issuedFor(agent)).toMatchObject({ total_in_cents: null })
})

it('lists the changes of one person with those of their enrollments and dependents', async () => {
  const { id } = await employerCalled('Sunrise Bakery')
  const amara = first((await api.get(`/v1/employers/${id}/employees?search=nwosu`, { key: key() })).body.data)
  const { data } = await listed(`&employee_id=${amara.id}`)
  const about = new Set(data.map(({ resource_id }) => resource_id.split('_')[0]))
  expect(about).toContain('empl')
  expect(about).toContain('enrl')
  expect(data.every(({ employee_id }) => employee_id === null || employee_id === amara.id)).toBe(true)
})

it('lists the changes of a whole organization, without those of keys and webhooks', async () => {
  const { data, pagination } = await listed('')
  expect(data.filter(({ event_name }) => /^(api_key|webhook_subscription)\./.test(event_name))).toEqual([])
  const last = await listed(`&page=${pagination.total_pages}`)
  expect((pagination.total_pages - 1) * 100 + last.data.length).toBe(pagination.total)
})

it('hides the people of other organizations, and all people from roles without access to them', async () => {
  const { id } = await employerCalled('Sunrise Bakery')
  expect((await listed(`&employer_id=${id}`, api.story.rival_api_key)).data).toEqual([])
  const amara = first((await api.get(`/v1/employers/${id}/employees?search=nwosu`, { key: key() })).body.data)
  expect((await listed(`&employee_id=${amara.id}`, api.story.rival_api_key)).data).toEqual([])
  const sales = await aMemberKey(api, api.story.organization_id, 'SALES')
  expect(codeOf(await api.get('/v1/activity', { key: sales }))).toEqual([403, 'forbidden'])
  expect(codeOf(await api.get('/v1/activity', { key: api.story.super_api_key }))).toEqual([
    400,
    'organization_required',
  ])
})

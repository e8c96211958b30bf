import { expect, it } from 'vitest'
import { endpoints } from '../modules.ts'
import { newId } from '../kernel/ids.ts'
import { verifyAuditLog } from '../modules/access/audit/actions.ts'
import { aPerson, anEmployer, createGroup, importCatalog, openPlanYear } from './fixtures.ts'
import { useApi } from './harness.ts'
import { first } from './pick.ts'

const api = useApi()

/** The personal data in this test. None of it may appear in the audit log. */
const person = {
  first_name: 'Wilhelmina',
  last_name: 'Quackenbush',
  email: 'wilhelmina.quackenbush@example.org',
  phone: '2025559173',
  date_of_birth: '1987-11-23',
  address: { address_line_1: '17 Periwinkle Terrace', city: 'Schenectady', state: 'NY', zipcode: '12345' },
}
const employer = {
  legal_name: 'Quackenbush & Daughters LLC',
  ein: '47-1193365',
  email: 'office@quackenbush.example.org',
}
const personal = /Wilhelmina|Quackenbush|2025559173|1987-11-23|Periwinkle|Schenectady|47-?1193365|\b12345\b/i

it('1,000 reads and writes of every kind leave 1,000 entries without personal data', async () => {
  const trace_ids: string[] = []
  const call: typeof api.call = async (method, path, options) => {
    const answer = await api.call(method, path, options)
    expect([429, 503], `${method} ${path}`).not.toContain(answer.status)
    trace_ids.push(answer.headers.get('x-request-id')!)
    return answer
  }
  const counting = {
    ...api,
    call,
    get: (path: string, more: object) => call('GET', path, more),
    post: (path: string, body: unknown, more: object) => call('POST', path, { body, ...more }),
  } as typeof api

  const made = await call('POST', '/v1/employers', { body: anEmployer(employer) })
  const employer_id: string = made.body.data.id
  const policy = { classification: 'all', waiting_period: 'none' }
  await call('POST', `/v1/employers/${employer_id}/benefit-eligibility-policies`, { body: policy })
  const catalog = await importCatalog(counting)
  const benefit_plan_year_id = await openPlanYear(counting, employer_id, catalog)
  const hired = await call('POST', `/v1/employers/${employer_id}/employees`, { body: aPerson(person) })
  expect(hired.status, hired.text).toBe(201)
  const { id: employee_id, member_id, enrollments } = hired.body.data
  const ids: Record<string, string> = {
    organization_id: api.story.organization_id,
    employer_id,
    benefit_plan_year_id,
    employee_id,
    member_id,
    enrollment_id: first(enrollments as { id: string }[]).id,
    group_id: await createGroup(counting),
  }
  const spouse = { ...person, relationship: 'spouse', first_name: 'Archibald Quackenbush' }
  await call('POST', `/v1/employees/${employee_id}/dependents`, { body: spouse })
  await call('POST', `/v1/employers/${employer_id}/census-sync`, { body: { employees: [aPerson(person)] } })
  await call('GET', `/v1/members?search=${person.last_name}`)
  await call('GET', `/v1/employees/${person.email}`)
  const token = await call('POST', '/v1/auth/access-tokens', {
    body: { grant_type: 'client_credentials', bound_entity: { type: 'employee', id: employee_id } },
  })

  const reads = endpoints.filter(({ method }) => method === 'GET')
  const pathOf = ({ path, params = {} }: (typeof endpoints)[number]) =>
    path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const kind = params[name]!
      return ids[name] ?? (kind === 'text' ? 'Quackenbush' : newId(kind))
    })
  while (trace_ids.length < 1000) {
    for (const read of reads) {
      if (trace_ids.length >= 900) break
      const key = read.path.startsWith('/operator/') ? api.operator_key : api.story.api_key
      await call('GET', `${pathOf(read)}?search=${person.first_name}`, { key })
    }
    for (const key of [token.body.access_token as string, api.story.rival_api_key, 'obk_test_Quackenbush'])
      if (trace_ids.length < 1000) await call('GET', `/v1/employees/${employee_id}/dependents`, { key })
    const change = { effective_date: '2026-03-10', phone: person.phone, address: person.address }
    if (trace_ids.length < 1000) await call('PATCH', `/v1/employees/${employee_id}`, { body: change })
  }
  await api.runtime.audit_log.close()

  const { rows } = await api.database.pool.query<{ trace_id: string; operation: string }>(
    'select trace_id, operation from audit_entries where trace_id = any($1)',
    [trace_ids],
  )
  expect(rows.map(({ trace_id }) => trace_id).sort()).toEqual(trace_ids.toSorted())
  expect(rows).toHaveLength(1000)
  expect(new Set(rows.map(({ operation }) => operation)).size).toBeGreaterThan(reads.length)
  const stored = await api.database.pool.query<{ text: string }>(`
    select row_to_json(batch)::text as text from audit_batches as batch
     union all select row_to_json(chain)::text from audit_chains as chain`)
  expect(stored.rows.filter(({ text }) => personal.test(text))).toEqual([])
  const audit_log = await verifyAuditLog(api.database.reads, api.runtime.secrets, {
    now: api.runtime.clock(),
    retention_years: 6,
  })
  expect(audit_log.faults).toEqual([])
  expect(audit_log.entries).toBeGreaterThanOrEqual(1000)
})

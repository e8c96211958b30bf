import { endpoints } from '../../modules.ts'
import type { Actor } from './actors.ts'
import type { KnownIds } from './known-ids.ts'
import type { FuzzRequest } from './requests.ts'

type Case = {
  operation: string
  by?: string
  query?: string
  headers?: Record<string, string>
  body?: unknown
  raw?: string | Buffer
}

const employer = {
  name: 'Quillon Mill',
  legal_name: 'Quillon Mill LLC',
  ein: '12-3456789',
  email: 'office@mill.example.com',
  address: { address_line_1: '1 Pobox Street', city: 'Albany', state: 'NY', zipcode: '12207' },
}
const twin = { first_name: 'Test', last_name: 'User Quillon', date_of_birth: '1990-01-01', start_date: '2026-01-05' }
const twins = Array.from({ length: 300 }, (_, at) => ({ ...twin, email: `twin${at}@example.com` }))
const empties = (count: number) => Array.from({ length: count }, () => ({}))

/** Requests that once had a wrong response, or might have one, exactly as sent. */
const cases: Case[] = [
  { operation: 'employers_create', body: employer },
  { operation: 'employers_create', body: { ...employer, ein: '12-3456780\n' } },
  { operation: 'employers_create', body: { ...employer, email: `${'a'.repeat(60_000)}@example.com` } },
  { operation: 'employers_create', body: { ...employer, name: 'a\u0000b' } },
  { operation: 'employers_create', raw: 'null' },
  { operation: 'employers_create', raw: '{"name":"a","name":"b"}' },
  { operation: 'employers_create', raw: Buffer.from([0x7b, 0xff, 0x7d]) },
  { operation: 'employers_create', raw: '{}', headers: { 'content-type': 'application/json; charset=utf-16' } },
  { operation: 'employers_create', raw: '{}', headers: { 'content-type': '' } },
  { operation: 'employers_create', raw: '{}', headers: { expect: '100-continue' } },
  { operation: 'employers_create', raw: '{}', headers: { authorization: 'Bearer x' } },
  { operation: 'employers_create', raw: '{}', headers: { 'x-service-organization': '' } },
  { operation: 'employers_list', query: 'limit[a]=1' },
  { operation: 'employers_list', query: 'search=%00' },
  { operation: 'employers_list', query: `search=${'x'.repeat(9000)}` },
  { operation: 'employers_list', query: 'page=9007199254740993' },
  { operation: 'employers_list', query: '__proto__=1&constructor=2&toString=3' },
  { operation: 'employers_list_employees', query: 'search=a' },
  { operation: 'employers_list_employees', query: 'search=%25' },
  { operation: 'employers_list_benefit_plan_years', query: 'year=2026%0A' },
  { operation: 'employers_list_invoices', query: 'offset=x.y' },
  { operation: 'employers_submit_census_sync', by: 'an employee', body: { employees: empties(10_000) } },
  { operation: 'employers_submit_census_sync', body: { employees: empties(10_000) } },
  { operation: 'employers_submit_census_sync', body: { employees: twins } },
  { operation: 'employers_submit_census_sync', body: { employees: [{ ...twin, email: 'x'.repeat(6 << 20) }] } },
  { operation: 'employers_submit_census_sync', raw: '', headers: { 'content-type': 'text/csv' } },
  { operation: 'employers_submit_census_sync', raw: 'email\n"', headers: { 'content-type': 'text/csv' } },
  { operation: 'groups_submit_member_sync', body: { members: empties(10_001) } },
  {
    operation: 'issue_access_token',
    body: { grant_type: 'client_credentials', bound_entity: { type: 'employee', id: 'x' } },
  },
  { operation: 'webhook_subscriptions_create', body: { url: 'https://' } },
  { operation: 'webhook_subscriptions_create', body: { url: 'https://example.com:22/' } },
  { operation: 'operator_import_catalog', by: 'the operator', body: { rows: empties(10_000) } },
  { operation: 'operator_move_clock', by: 'the operator', body: { today: '2199-12-31' } },
]

export function corpusOf(actors: Actor[], known_ids: KnownIds): FuzzRequest[] {
  return cases.map(({ operation, by = "Harbor's key", query, headers = {}, body, raw = JSON.stringify(body) }) => {
    const endpoint = endpoints.find((one) => one.operation === operation)!
    const actor = actors.find(({ name }) => name === by)!
    const kinds = Object.entries(endpoint.params ?? {}).map(([name, kind]) => (kind === 'text' ? name : kind))
    const named = kinds.map((kind) => known_ids.take(kind, actor.organizations)!)
    const ids = named.map(({ id }) => id)
    const content: [string, string][] = raw === undefined ? [] : [['content-type', 'application/json']]
    return {
      endpoint,
      actor,
      method: endpoint.method,
      path: endpoint.path.replaceAll(/\{\w+\}/g, () => ids.shift()!) + (query ? `?${query}` : ''),
      headers: [
        ['authorization', `Bearer ${actor.credential}`],
        ...('content-type' in headers ? [] : content),
        ...Object.entries(headers),
      ],
      body: raw,
      named,
    }
  })
}

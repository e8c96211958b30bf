/** A partner who fills the service over HTTP with generated people, with the SDK as real partners do. */
import { setTimeout as sleep } from 'node:timers/promises'
import { day, OpenBenefits, type CensusRow } from '../../../sdk/src/index.ts'
import { OpenBenefitsOperator } from '../../../sdk/src/operator.ts'
import { secondsOf } from './figures.ts'
import { easternDay } from '../../kernel/days.ts'
import { sized, type Service } from './service.ts'

/** Clients that never retry, so that the first response is measured. */
const once = { maxRetries: 0, timeout: 600_000 }
const partner = ({ sandbox: { base_url, api_key } }: Service) =>
  new OpenBenefits({ ...once, baseUrl: base_url, apiKey: api_key })
const operator = ({ sandbox: { base_url, operator_key } }: Service) =>
  new OpenBenefitsOperator({ ...once, baseUrl: base_url, apiKey: operator_key })

/**
 * Sends a request and returns its `data`. Uses Harbor's key, or for another organization the key that reaches all of
 * them.
 */
export async function call<Data>(
  { sandbox }: Service,
  method: string,
  path: string,
  body?: unknown,
  organization_id?: string,
): Promise<Data> {
  const default_key = path.startsWith('/operator/') ? sandbox.operator_key : sandbox.api_key
  const response = await fetch(sandbox.base_url + path, {
    method,
    headers: {
      authorization: `Bearer ${organization_id === undefined ? default_key : sandbox.super_api_key}`,
      ...(organization_id !== undefined && { 'x-service-organization': organization_id }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${text.slice(0, 500)}`)
  return JSON.parse(text).data as Data
}

let employers = 0
let people = 0

/** A new employer. The number makes its names unique in the organization. */
export const anEmployer = (number: number) => ({
  name: `Bakery ${number}`,
  legal_name: `Bakery ${number} LLC`,
  ein: `12-${3_000_000 + number}`,
  email: `office${number}@bakery.example.com`,
  address: { address_line_1: `${number} Post Rd`, city: 'Albany', state: 'NY', zipcode: '12207' } as const,
})

/** Creates an employer. In a sandbox it has a subscription immediately. */
export const createEmployer = async (service: Service): Promise<string> =>
  (await partner(service).employers.create(anEmployer(++employers))).id

/** Returns census rows of `count` new people, with every optional field. */
export const newPeople = (count: number): CensusRow[] => Array.from({ length: count }, () => aPerson('E'))

/** A new person who starts today. The reference differs from those of inserted people. */
export const newHire = () => ({ ...aPerson('H'), start_date: easternDay(Date.now()) })

function aPerson(prefix: string): CensusRow {
  const number = ++people
  const two = (value: number) => String(value).padStart(2, '0')
  return {
    first_name: `Ana ${number % 97}`,
    last_name: `Costa ${number}`,
    email: `ana.costa${number}@bakery.example.com`,
    phone: `2${String(number).padStart(9, '0')}`,
    date_of_birth: day(`${1960 + (number % 40)}-${two((number % 12) + 1)}-${two((number % 28) + 1)}`),
    gender: number % 2 === 0 ? 'Female' : 'Male',
    address: { address_line_1: `${number} Boxwood Ln`, city: 'Arlington', state: 'VA', zipcode: '22201' },
    start_date: day(`2024-${two((number % 12) + 1)}-01`),
    employee_class: number % 5 === 0 ? 'Part Time' : 'Full Time',
    compensation_type: number % 3 === 0 ? 'Hourly' : 'Salary',
    reference_id: `${prefix}-${number}`,
  }
}

/** Submits a census. Returns when it is accepted. */
export const submitCensus = (service: Service, employer_id: string, employees: CensusRow[]) =>
  partner(service).census.submit(employer_id, { employees }) as Promise<{ census_sync_id: string }>

/** Waits until a census is completed. Throws unless it created `created` employees, by default one for each row. */
export async function awaitCensus(
  service: Service,
  employer_id: string,
  census_sync_id: string,
  created?: number,
): Promise<void> {
  const { census } = partner(service)
  await untilCompleted(async () => {
    const { state, counts, row_count } = await census.get(employer_id, census_sync_id)
    return { state, is_expected: counts.created === (created ?? row_count) }
  })
}

/** Reads the state of background work until it is completed. Throws if the result is not as expected. */
async function untilCompleted(read: () => Promise<{ state: string; is_expected: boolean }>): Promise<void> {
  for (;;) {
    const { state, is_expected } = await read()
    if (state === 'completed' && is_expected) return
    if (!['queued', 'processing'].includes(state)) throw new Error(`The work is ${state} with an unexpected result.`)
    await sleep(20)
  }
}

/** Adds `count` people to a roster, in censuses of at most 10,000 rows. */
export async function fillRoster(service: Service, employer_id: string, count: number): Promise<void> {
  for (let left = count; left > 0; left -= 10_000) {
    const { census_sync_id } = await submitCensus(service, employer_id, newPeople(Math.min(left, 10_000)))
    await awaitCensus(service, employer_id, census_sync_id)
  }
}

/** Connects an employer to a payroll system that exports files. Returns the id of the connection. */
export async function connectHris(service: Service, employer_id: string): Promise<string> {
  return (await operator(service).hris.connect(employer_id, { source: 'csv' })).id
}

/** Uploads people as a file of a payroll system. Returns the id of the run when the file is accepted. */
export async function uploadHris(service: Service, connection_id: string, people: CensusRow[]): Promise<string> {
  const lines = people.map(({ address, ...person }) => Object.values({ ...person, ...address }).join(','))
  const { address, ...person } = people[0]!
  const header = Object.keys({ ...person, ...address }).join(',')
  return (await operator(service).hris.uploadFile(connection_id, [header, ...lines].join('\n'))).id
}

/** Waits until a run is completed. Throws unless it created `created` employees. */
export async function awaitHris(service: Service, run_id: string, created: number): Promise<void> {
  const { hris } = operator(service)
  await untilCompleted(async () => {
    const { state, outcome } = await hris.getRun(run_id)
    return { state, is_expected: outcome?.counts.created === created }
  })
}

/** Requests per round, one after the other. */
const requests = sized(20, 1)

/** The mean milliseconds of a GET with the key that reaches all organizations, optionally for one of them. */
export async function millisecondsOf(service: Service, path: string, organization_id?: string): Promise<number> {
  const { base_url, super_api_key } = service.sandbox
  const chosen = organization_id !== undefined && { 'x-service-organization': organization_id }
  const seconds = await secondsOf(async () => {
    for (let at = 0; at < requests; at++) {
      const response = await fetch(base_url + path, {
        headers: { authorization: `Bearer ${super_api_key}`, ...chosen },
      })
      const text = await response.text()
      if (!response.ok) throw new Error(`GET ${path} returned ${response.status}: ${text.slice(0, 500)}`)
    }
  })
  return (seconds * 1000) / requests
}

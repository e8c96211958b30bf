/** A partner who fills the service over HTTP with made people, with the SDK: the way in that real ones have. */
import { setTimeout as sleep } from 'node:timers/promises'
import { day, OpenBenefits, type CensusOutcome, type CensusRow, type GroupMemberRow } from '../../sdk/src/index.ts'
import { OpenBenefitsOperator } from '../../sdk/src/operator.ts'
import { secondsOf } from './figures.ts'
import type { Service } from './stage.ts'

/** Clients of a sandbox, which try nothing again: what is measured is the first answer. */
const once = { maxRetries: 0, timeout: 600_000 }
const partner = ({ sandbox: { base_url, api_key } }: Service) =>
  new OpenBenefits({ ...once, baseUrl: base_url, apiKey: api_key })
const operator = ({ sandbox: { base_url, operator_key } }: Service) =>
  new OpenBenefitsOperator({ ...once, baseUrl: base_url, apiKey: operator_key })

/**
 * Makes a request and returns the data answered: as Harbor, or as one who reaches all in the name of another
 * organization.
 */
export async function call<Data>(
  { sandbox }: Service,
  method: string,
  path: string,
  body?: unknown,
  organization_id?: string,
): Promise<Data> {
  const answer = await fetch(sandbox.base_url + path, {
    method,
    headers: {
      authorization: `Bearer ${organization_id === undefined ? sandbox.api_key : sandbox.super_api_key}`,
      ...(organization_id !== undefined && { 'x-service-organization': organization_id }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path} was answered with ${answer.status}: ${text.slice(0, 500)}`)
  return JSON.parse(text).data as Data
}

/** The same as the operator; a text is sent as comma-separated values. */
export async function operate<Data>(
  { sandbox }: Service,
  method: string,
  path: string,
  body?: object | string,
): Promise<Data> {
  const answer = await fetch(`${sandbox.base_url}/operator/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${sandbox.operator_key}`,
      ...(body !== undefined && { 'content-type': typeof body === 'string' ? 'text/csv' : 'application/json' }),
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path} was answered with ${answer.status}: ${text.slice(0, 500)}`)
  return JSON.parse(text).data as Data
}

let employers = 0
let groups = 0
let people = 0
let crowds = 0

/** Creates an employer; in the sandbox it has a subscription at once. */
export async function createEmployer(service: Service): Promise<string> {
  const number = ++employers
  const { id } = await partner(service).employers.create({
    name: `Bakery ${number}`,
    legal_name: `Bakery ${number} LLC`,
    ein: `12-${3_000_000 + number}`,
    email: `office${number}@bakery.example.com`,
    address: { address_line_1: `${number} Post Rd`, city: 'Albany', state: 'NY', zipcode: '12207' },
  })
  return id
}

/** So many people like no others, as rows of a census with everything said that a row may say of somebody employed. */
export const newPeople = (count: number): CensusRow[] => Array.from({ length: count }, aPerson)

function aPerson(): CensusRow {
  const number = ++people
  const two = (value: number) => String(value).padStart(2, '0')
  return {
    first_name: `Ana ${number % 97}`,
    last_name: `Costa ${number}`,
    email: `ana.costa${number}@example.com`,
    phone: `2${String(number).padStart(9, '0')}`,
    date_of_birth: day(`${1960 + (number % 40)}-${two((number % 12) + 1)}-${two((number % 28) + 1)}`),
    gender: number % 2 === 0 ? 'Female' : 'Male',
    address: { address_line_1: `${number} Boxwood Ln`, city: 'Arlington', state: 'VA', zipcode: '22201' },
    start_date: day(`2024-${two((number % 12) + 1)}-01`),
    employee_class: number % 5 === 0 ? 'Part Time' : 'Full Time',
    compensation_type: number % 3 === 0 ? 'Hourly' : 'Salary',
    reference_id: `E-${number}`,
  }
}

/** Submits a census and returns at its acceptance. */
export const submitCensus = (service: Service, employer_id: string, employees: CensusRow[]) =>
  partner(service).census.submit(employer_id, { employees }) as Promise<{ census_sync_id: string }>

/**
 * So many people of one name and birthday, who have nothing else in common; those of another call have another
 * birthday.
 */
export function alikePeople(count: number): CensusRow[] {
  const alike = { first_name: 'Test', last_name: 'User', date_of_birth: day(`${1950 + (crowds++ % 50)}-01-01`) }
  return newPeople(count).map(({ address: _, ...person }) => ({ ...person, ...alike }))
}

/** Tells what a census would do. */
export const rehearseCensus = (service: Service, employer_id: string, employees: CensusRow[]) =>
  partner(service).census.submit(employer_id, { employees }, { dry_run: true }) as Promise<CensusOutcome>

/** Waits until every row of a census is done; throws unless so many of them, or every one, made a new employee. */
export async function awaitCensus(
  service: Service,
  employer_id: string,
  census_sync_id: string,
  created?: number,
): Promise<void> {
  const { census } = partner(service)
  for (;;) {
    const outcome = await census.get(employer_id, census_sync_id)
    if (outcome.state === 'completed' && outcome.counts.created === (created ?? outcome.row_count)) return
    if (!['queued', 'processing'].includes(outcome.state)) {
      throw new Error(`The census ended otherwise than meant: ${JSON.stringify(outcome).slice(0, 1000)}`)
    }
    await sleep(20)
  }
}

/** Adds so many people to a roster, in as many censuses as that takes. */
export async function fillRoster(service: Service, employer_id: string, count: number): Promise<void> {
  for (let left = count; left > 0; left -= 10_000) {
    const { census_sync_id } = await submitCensus(service, employer_id, newPeople(Math.min(left, 10_000)))
    await awaitCensus(service, employer_id, census_sync_id)
  }
}

/** Creates a group. */
export async function createGroup(service: Service): Promise<string> {
  const number = ++groups
  const group = { external_reference_id: `coop-${number}`, name: `Cooperative ${number}` }
  return (await partner(service).groups.create(group)).id
}

/** So many people like no others, as members of a group who are in a plan. */
export const newMembers = (count: number, plan_id: string): GroupMemberRow[] =>
  newPeople(count).map(({ first_name, last_name, email, phone, date_of_birth, address, reference_id }) => ({
    first_name,
    last_name,
    email,
    phone,
    date_of_birth,
    address: address!,
    reference_id: reference_id!,
    plan_id,
  }))

/** Submits the members of a group and returns at the acceptance. */
export const submitMembers = (service: Service, group_id: string, members: GroupMemberRow[]) =>
  partner(service).groups.syncMembers(group_id, { members })

/** Waits until a member sync is completed; throws unless it added, removed and refused so many. */
export async function awaitMembers(
  service: Service,
  group_id: string,
  request_id: string,
  counts: number[],
): Promise<void> {
  const ob = partner(service)
  for (;;) {
    const { results } = await ob.groups.getMemberSync(group_id, request_id)
    if (results) {
      const { added_group_member_ids, removed_group_member_ids, failures } = results
      const told = [added_group_member_ids, removed_group_member_ids, failures].map(({ length }) => length)
      if (told.join() === counts.join()) return
      throw new Error(`The member sync ended otherwise than meant: ${told.join()}`)
    }
    await sleep(10)
  }
}

/** Connects an employer to a payroll system that exports files; returns the connection's id. */
export async function connectHris(service: Service, employer_id: string): Promise<string> {
  return (await operator(service).hris.connect(employer_id, { source: 'csv' })).id
}

/** Uploads these people as the file that a payroll system exports; returns the run at its acceptance. */
export async function uploadHris(service: Service, connection_id: string, people: CensusRow[]): Promise<string> {
  const lines = people.map(({ address, ...person }) => Object.values({ ...person, ...address }).join(','))
  const { address, ...person } = people[0]!
  const header = Object.keys({ ...person, ...address }).join(',')
  return (await operator(service).hris.uploadFile(connection_id, [header, ...lines].join('\n'))).id
}

/** Waits until every row of a run is done; throws unless every one made a new employee. */
export async function awaitHris(service: Service, run_id: string): Promise<void> {
  const { hris } = operator(service)
  for (;;) {
    const { state, outcome } = await hris.getRun(run_id)
    if (state === 'completed' && outcome?.counts.created === outcome?.row_count) return
    if (!['queued', 'processing'].includes(state)) {
      throw new Error(`The run ended otherwise than meant: ${JSON.stringify(outcome).slice(0, 1000)}`)
    }
    await sleep(20)
  }
}

/** How often something is asked in a round: one after the other, so that nobody waits for another. */
const requests = 20

/** A path, and as which organization it is asked; undefined: as one who reaches all. */
export type Question = { path: string; organization_id?: string }

/** The milliseconds that a request takes, asked again and again as one who reaches all. */
export async function askAgain({ sandbox }: Service, { path, organization_id }: Question): Promise<number> {
  const headers = {
    authorization: `Bearer ${sandbox.super_api_key}`,
    ...(organization_id !== undefined && { 'x-service-organization': organization_id }),
  }
  const seconds = await secondsOf(async () => {
    for (let at = 0; at < requests; at++) {
      const answer = await fetch(sandbox.base_url + path, { headers })
      const text = await answer.text()
      if (!answer.ok) throw new Error(`GET ${path} was answered with ${answer.status}: ${text.slice(0, 500)}`)
    }
  })
  return (seconds * 1000) / requests
}

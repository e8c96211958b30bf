import type { Finch } from '@tryfinch/finch-api'
import { boundedFetch, unboundedIn, type Unbounded } from '../outbound/bounded.ts'
import { HrisError, most_people, type HrisPerson, type HrisProvider } from './provider.ts'

export type FinchOptions = {
  url: string
  /** how long one request may take */
  timeout_ms?: number
  /** how often a request is sent again by the SDK, which waits as long as a 429 says */
  retries?: number
}

const page_size = 1000
/** People in one request for details: fewer requests meet fewer rate limits, and each stays small enough to repeat. */
const batch_size = 500

/** Of one answer, some 16 kB for each person of a batch; and of all that 100,000 people take. */
const most_bytes = 8 * 1024 * 1024
const most_bytes_in_all = 256 * 1024 * 1024

/**
 * Finch, which stands before some 200 payroll systems, through its official SDK, which is loaded when it is first used.
 * The directory is paged; what is known of people and of their employments comes in batches, in which each answer has a
 * code of its own. Social security numbers and incomes are never asked for.
 */
export const finch = (options: FinchOptions): HrisProvider => ({
  async fetch({ access_token }) {
    const { Finch, APIError } = await import('@tryfinch/finch-api')
    const time_limit = options.timeout_ms ?? 180_000
    const client = new Finch({
      accessToken: access_token,
      baseURL: options.url,
      timeout: time_limit,
      fetch: boundedFetch({ most_bytes, most_bytes_in_all, time_limit }),
      maxRetries: options.retries ?? 3,
      // By itself it would write requests to the console, and in debugging their headers.
      logLevel: 'off',
    })
    try {
      return await fetchEverybody(client)
    } catch (error) {
      const unbounded = unboundedIn(error)
      if (unbounded) throw reasons[unbounded.why]
      throw error instanceof APIError ? reasonFor(error.status, codeIn(error.error)) : asUnreadable(error)
    }
  },
})

async function fetchEverybody(client: Finch): Promise<HrisPerson[]> {
  const ids = await fetchDirectory(client)
  const people: HrisPerson[] = []
  for (let at = 0; at < ids.length; at += batch_size) {
    const requests = ids.slice(at, at + batch_size).map((individual_id) => ({ individual_id }))
    const persons = bodiesOf((await client.hris.individuals.retrieveMany({ requests })).responses, requests.length)
    const employments = bodiesOf((await client.hris.employments.retrieveMany({ requests })).responses, requests.length)
    for (const { individual_id } of requests) {
      const employment = employments.get(individual_id)!
      // Nobody can say since when: like whoever is not told of at all.
      if (hasLeft(employment) && employment.end_date === null) continue
      people.push(personOf(individual_id, persons.get(individual_id)!, employment))
    }
  }
  return people
}

/**
 * The ids of everybody. People may come and go while we page: whoever was ever counted must be there, and once. When
 * somebody goes, all behind them move up, and one would be passed over at the next page.
 */
async function fetchDirectory(client: Finch): Promise<string[]> {
  const ids = new Set<string>()
  let counted = 0
  for await (const page of (await client.hris.directory.list({ limit: page_size, offset: 0 })).iterPages()) {
    // Without a count the SDK asks for no further page.
    if (typeof page.paging.count !== 'number')
      throw new HrisError('incomplete', 'Finch does not count its people: nothing was applied.')
    counted = Math.max(counted, page.paging.count)
    if (counted > most_people)
      throw new HrisError('too_many_people', `Finch counts ${counted} people; at most ${most_people} are taken.`)
    for (const { id } of page.individuals) ids.add(id)
    if (page.individuals.length === 0) break
  }
  if (ids.size < counted)
    throw new HrisError('incomplete', `Finch counts ${counted} people and sent ${ids.size}: nothing was applied.`)
  return [...ids]
}

type BatchAnswer<Body> = { individual_id: string; code: number; body: Body | BatchError }
type BatchError = { code: number; message: string; name: string; finch_code?: string }

/** What a batch answered, by person; throws unless it answered for all of them. */
function bodiesOf<Body extends { id: string }>(answers: BatchAnswer<Body>[], asked: number): Map<string, Body> {
  const bodies = new Map<string, Body>()
  for (const { individual_id, code, body } of answers) {
    if (code === 200 && 'id' in body) bodies.set(individual_id, body)
    else if (code === 401) throw reasonFor(code, codeIn(body))
  }
  if (bodies.size < asked)
    throw new HrisError('incomplete', `Finch answered for ${bodies.size} of ${asked} people: nothing was applied.`)
  return bodies
}

type Individual = Extract<Finch.HRIS.Individual, { id: string }>
type FinchEmployment = Extract<Finch.HRIS.EmploymentData, { id: string }>

/** Where Finch does not know whether somebody is active, the status tells. */
const hasLeft = ({ is_active, employment_status }: FinchEmployment): boolean =>
  is_active === null
    ? ['terminated', 'retired', 'deceased'].includes(employment_status ?? '')
    : !is_active && !['prehire', 'onboarding', 'leave'].includes(employment_status ?? '')

/** Somebody who came back has the first day of that; who is here has no last day, though a former one may be told. */
function personOf(reference_id: string, individual: Individual, employment: FinchEmployment): HrisPerson {
  const { residence } = individual
  const lives_here = residence && (residence.country === null || /^usa?$/i.test(residence.country))
  const numbers = (individual.phone_numbers ?? []).filter((phone) => phone !== null)
  const { type, subtype } = employment.employment ?? {}
  const start_date = employment.latest_rehire_date ?? employment.start_date
  const ends = hasLeft(employment) || (employment.end_date ?? '') > (start_date ?? '')
  return {
    reference_id,
    first_name: individual.first_name ?? employment.first_name,
    last_name: individual.last_name ?? employment.last_name,
    email: preferred(individual.emails ?? [], 'work'),
    phone: preferred(numbers, 'personal'),
    date_of_birth: individual.dob,
    gender: individual.gender,
    start_date,
    termination_date: ends ? employment.end_date : null,
    employee_class: type === 'contractor' ? 'individual_contractor' : (subtype ?? null),
    ...(lives_here && {
      address_line_1: residence.line1,
      address_line_2: residence.line2,
      city: residence.city,
      state: residence.state,
      zipcode: residence.postal_code,
    }),
  }
}

/** The one of a kind, or else the first that there is. */
const preferred = (all: { data: string | null; type: string | null }[], kind: string): string | null =>
  (all.find(({ data, type }) => data && type === kind) ?? all.find(({ data }) => data))?.data ?? null

const codeIn = (body: unknown): string | undefined => {
  const { finch_code, name } = (body ?? {}) as { finch_code?: unknown; name?: unknown }
  return [finch_code, name].find((code) => typeof code === 'string')
}

const access_lost =
  'Finch no longer lets us in: have the employer sign in again, then resume, or renew the access token.'

/** What a status of Finch means here. Its messages are left out, since they may speak of somebody. */
function reasonFor(status: number | undefined, code: string | undefined): HrisError {
  const why = [status, code].filter(Boolean).join(' ')
  if (status === 401 || status === 403) return new HrisError('access_lost', `${access_lost} (${why})`)
  if (status === 429) return new HrisError('rate_limited', 'Finch asks us to come back later. (429)')
  if (status === undefined)
    return new HrisError('unavailable', 'Finch could not be reached, or did not answer in time.')
  return new HrisError('unavailable', `Finch answered with an error. (${why})`)
}

const reasons = {
  too_large: new HrisError('unreadable', 'Finch sends more than we take: 8 MiB in one answer, 256 MiB in all.'),
  redirected: new HrisError('unavailable', 'Finch leads us to another address, where we do not go: see FINCH_URL.'),
  too_late: new HrisError('unavailable', 'Finch could not be reached, or did not answer in time.'),
} satisfies Record<Unbounded['why'], HrisError>

function asUnreadable(error: unknown): unknown {
  if (error instanceof HrisError) return error
  return new HrisError('unreadable', 'Finch answered with something that is not of its published shape.')
}

import type { Finch } from '@tryfinch/finch-api'
import { boundedFetch, findBrokenLimit, type Unbounded } from '../outbound/response-limits.ts'
import { HrisError, max_people, type HrisPerson, type HrisProvider } from './provider.ts'

export type FinchOptions = {
  url: string
  timeout_ms?: number
  retries?: number
  /** the longest wait before a retry */
  wait_ms?: number
}

/** Finch counts the requests of the last 60 seconds. */
const rate_limit_window_ms = 60_000

const page_size = 1000
/** People in one request for details: fewer requests meet fewer rate limits, and each stays small enough to repeat. */
const batch_size = 500

/** The size limits of one response (about 16 kB per person of a batch) and of all responses for 100,000 people. */
const max_bytes = 8 * 1024 * 1024
const max_total_bytes = 256 * 1024 * 1024

/**
 * Finch, an interface to about 200 payroll systems. Its official SDK is loaded with the first use. The directory is
 * paged. People and employments come in batches, in which each item has its own status code. Social security numbers
 * and incomes are never requested.
 */
export const finch = (options: FinchOptions): HrisProvider => ({
  async fetch({ access_token }) {
    const { Finch, APIError } = await import('@tryfinch/finch-api')
    const time_limit = options.timeout_ms ?? 180_000
    const client = new Finch({
      accessToken: access_token,
      baseURL: options.url,
      timeout: time_limit,
      fetch: withBoundedWait(
        boundedFetch({ max_bytes, max_total_bytes, time_limit }),
        options.wait_ms ?? rate_limit_window_ms,
      ),
      maxRetries: options.retries ?? 3,
      // By default the SDK logs requests to the console, and their headers when debugging.
      logLevel: 'off',
    })
    try {
      return await fetchAllPeople(client)
    } catch (error) {
      const unbounded = findBrokenLimit(error)
      if (unbounded) throw reasons[unbounded.why]
      throw error instanceof APIError ? reasonFor(error.status, codeIn(error.error)) : asUnreadable(error)
    }
  },
})

/**
 * Makes the SDK wait at most for the window of the rate limit before a retry. Otherwise a `Retry-After` of a day would
 * block the other connections in its queue, and a 429 without one would use up all retries within seconds. Finch
 * documents a rolling window of 60 seconds for each product, and no `Retry-After`.
 */
const withBoundedWait =
  (fetch: typeof globalThis.fetch, max_ms: number): typeof globalThis.fetch =>
  async (url, init) => {
    const response = await fetch(url, init)
    const retry_after = response.headers.get('retry-after')
    if (response.status !== 429 && retry_after === null) return response
    const headers = new Headers(response.headers)
    const wanted_ms = Number(retry_after ?? Infinity) * 1000
    headers.set('retry-after-ms', String(wanted_ms >= 0 ? Math.min(wanted_ms, max_ms) : max_ms))
    return new Response(response.body, { status: response.status, headers })
  }

async function fetchAllPeople(client: Finch): Promise<HrisPerson[]> {
  const ids = await fetchDirectory(client)
  const people: HrisPerson[] = []
  for (let index = 0; index < ids.length; index += batch_size) {
    const requests = ids.slice(index, index + batch_size).map((individual_id) => ({ individual_id }))
    const persons = bodiesOf((await client.hris.individuals.retrieveMany({ requests })).responses, requests.length)
    const employments = bodiesOf((await client.hris.employments.retrieveMany({ requests })).responses, requests.length)
    for (const { individual_id } of requests) {
      const employment = employments.get(individual_id)!
      // Without a last day, a person who left is treated like one who is missing in the directory.
      if (hasLeft(employment) && employment.end_date === null) continue
      people.push(personOf(individual_id, persons.get(individual_id)!, employment))
    }
  }
  return people
}

/**
 * Returns the ids of all people. The directory may change between pages: after a removal, everyone behind moves up and
 * the next page would skip one person. So at least as many ids as the largest reported count must arrive.
 */
async function fetchDirectory(client: Finch): Promise<string[]> {
  const ids = new Set<string>()
  let counted = 0
  const { data: first, response } = await client.hris.directory.list({ limit: page_size, offset: 0 }).withResponse()
  if (response.status === 202)
    throw new HrisError('incomplete', 'Finch is still preparing the data of this connection. Nothing was applied.')
  for await (const page of first.iterPages()) {
    // Without a count the SDK stops after this page.
    if (typeof page.paging.count !== 'number')
      throw new HrisError('incomplete', 'Finch did not report the number of people. Nothing was applied.')
    counted = Math.max(counted, page.paging.count)
    if (counted > max_people)
      throw new HrisError('too_many_people', `Finch reports ${counted} people. The limit is ${max_people}.`)
    for (const { id } of page.individuals) ids.add(id)
    if (page.individuals.length === 0) break
  }
  if (ids.size < counted)
    throw new HrisError('incomplete', `Finch reported ${counted} people but sent ${ids.size}. Nothing was applied.`)
  return [...ids]
}

type BatchItem<Body> = { individual_id: string; code: number; body: Body | BatchError }
type BatchError = { code: number; message: string; name: string; finch_code?: string }

/** The items of a batch by person. Throws if one is missing. */
function bodiesOf<Body extends { id: string }>(items: BatchItem<Body>[], requested: number): Map<string, Body> {
  const bodies = new Map<string, Body>()
  for (const { individual_id, code, body } of items) {
    if (code === 200 && 'id' in body) bodies.set(individual_id, body)
    else if (code === 401) throw reasonFor(code, codeIn(body))
  }
  if (bodies.size < requested)
    throw new HrisError('incomplete', `Finch returned ${bodies.size} of ${requested} people. Nothing was applied.`)
  return bodies
}

type Individual = Extract<Finch.HRIS.Individual, { id: string }>
type FinchEmployment = Extract<Finch.HRIS.EmploymentData, { id: string }>

/** Uses the employment status if Finch does not report whether the person is active. */
const hasLeft = ({ is_active, employment_status }: FinchEmployment): boolean =>
  is_active === null
    ? ['terminated', 'retired', 'deceased'].includes(employment_status ?? '')
    : !is_active && !['prehire', 'onboarding', 'leave'].includes(employment_status ?? '')

/**
 * Rehired people get their latest start date. Active people get no last day, though Finch may report an earlier one.
 */
function personOf(reference_id: string, individual: Individual, employment: FinchEmployment): HrisPerson {
  const { residence } = individual
  const is_us_address = residence && (residence.country === null || /^usa?$/i.test(residence.country))
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
    ...(is_us_address && {
      address_line_1: residence.line1,
      address_line_2: residence.line2,
      city: residence.city,
      state: residence.state,
      zipcode: residence.postal_code,
    }),
  }
}

/** The first value of a type, or else the first value. */
const preferred = (all: { data: string | null; type: string | null }[], kind: string): string | null =>
  (all.find(({ data, type }) => data && type === kind) ?? all.find(({ data }) => data))?.data ?? null

const codeIn = (body: unknown): string | undefined => {
  const { finch_code, name } = (body ?? {}) as { finch_code?: unknown; name?: unknown }
  return [finch_code, name].find((code) => typeof code === 'string')
}

const access_lost =
  'Finch rejected the access token. Let the employer sign in again, then resume the connection, or renew the token.'

/** Translates a status of Finch. Its messages are dropped, since they may contain personal data. */
function reasonFor(status: number | undefined, code: string | undefined): HrisError {
  const why = [status, code].filter(Boolean).join(' ')
  if (status === 401 || status === 403) return new HrisError('access_lost', `${access_lost} (${why})`)
  if (status === 429)
    return new HrisError('rate_limited', 'Finch limits the rate of requests. The sync will be retried. (429)')
  if (status === undefined)
    return new HrisError('unavailable', 'Finch could not be reached, or did not respond in time.')
  return new HrisError('unavailable', `Finch returned an error. (${why})`)
}

const reasons = {
  too_large: new HrisError(
    'unreadable',
    'The response of Finch is too large. The limit is 8 MiB per response and 256 MiB in total.',
  ),
  redirected: new HrisError('unavailable', 'Finch redirected the request, which is not allowed. Check FINCH_URL.'),
  too_late: new HrisError('unavailable', 'Finch could not be reached, or did not respond in time.'),
} satisfies Record<Unbounded['why'], HrisError>

function asUnreadable(error: unknown): unknown {
  if (error instanceof HrisError) return error
  return new HrisError('unreadable', 'The response of Finch does not have the documented format.')
}

import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'

type Answered = {
  status: number
  body: {
    data?: { id?: string; access_token?: string }
    access_token?: string
    error?: { code?: string }
    pagination?: { total?: number }
    next_offset?: string | null
  }
}

export type Partners = {
  /** Unexpected responses. */
  wrong: string[]
  /** The number of requests sent. */
  count(): number
  /** Resolves when every caller has completed another round. */
  round(): Promise<void>
  stop(): Promise<void>
}

/** A resource created earlier, which must be found and returned unchanged. */
export type EarlierRequest = { employer: { ein: string }; key: string; id: string }

/**
 * Simulates partners until they are stopped. Each creates employers, repeats requests, searches by hashed values,
 * issues tokens and reads with them, and pages through lists. `anEmployer` returns another body at each call.
 */
export function startPartners(
  url: string,
  api_key: string,
  earlier: EarlierRequest,
  anEmployer: () => { ein: string },
  partners: number,
): Partners {
  const wrong: string[] = []
  const over = new AbortController()
  const counted = { requests: 0, rounds: 0 }
  const send: SendRequest = async (method, path, body, headers = {}) => {
    counted.requests++
    const answer = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${api_key}`, ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: (await answer.json()) as Answered['body'] }
  }
  const demand: Demand = (subject, { status, body }, is_right) => {
    if (!is_right) wrong.push(`${subject}: ${status} ${JSON.stringify(body).slice(0, 200)}`)
  }
  const round = async (caller: number) => {
    await goRound(send, demand, anEmployer, earlier, caller === 0)
    counted.rounds++
  }
  const working = Array.from({ length: partners }, async (_, caller) => {
    while (!over.signal.aborted)
      await round(caller).catch((error: Error) => wrong.push(`${error.message} ${error.cause}`))
  })
  return {
    wrong,
    count: () => counted.requests,
    async round() {
      const until = counted.rounds + 2 * partners
      while (counted.rounds < until) await pause(20)
    },
    async stop() {
      over.abort()
      await Promise.all(working)
    },
  }
}

type SendRequest = (method: string, path: string, body?: object, headers?: object) => Promise<Answered>
type Demand = (subject: string, answer: Answered, is_right: boolean) => void

/** `replays` is whether the round repeats the earlier request, which only one caller may do at a time. */
async function goRound(
  send: SendRequest,
  demand: Demand,
  anEmployer: () => { ein: string },
  earlier: EarlierRequest,
  replays: boolean,
) {
  const make = (employer: object, key: string) => send('POST', '/v1/employers', employer, { 'idempotency-key': key })
  const isTaken = ({ status, body }: Answered) => status === 409 && body.error?.code === 'EIN_ALREADY_EXISTS'
  const [employer, key] = [anEmployer(), randomUUID()]
  const made = await make(employer, key)
  demand('create an employer', made, made.status === 201)
  const repeated = await make(employer, key)
  demand('repeat a request', repeated, repeated.body.data?.id === made.body.data?.id)
  if (replays) {
    const replayed = await make(earlier.employer, earlier.key)
    demand('repeat an earlier request', replayed, replayed.body.data?.id === earlier.id)
  }
  for (const { ein } of [employer, earlier.employer]) {
    const second = await make({ ...anEmployer(), ein }, randomUUID())
    demand(`reuse the EIN ${ein}`, second, isTaken(second))
    const found = await send('GET', `/v1/employers?search=${ein}`)
    demand(`find the EIN ${ein}`, found, found.body.pagination?.total === 1)
  }
  const token = await send('POST', '/v1/auth/access-tokens', { grant_type: 'client_credentials' })
  demand('issue a token', token, token.status === 200 || token.status === 201)
  const by_token = { authorization: `Bearer ${token.body.access_token ?? token.body.data?.access_token}` }
  const read = await send('GET', '/v1/employers?limit=1', undefined, by_token)
  demand('read with a token', read, read.status === 200)
  const page = await send('GET', '/v1/audit-entries?limit=1')
  const next = await send('GET', `/v1/audit-entries?limit=1&offset=${page.body.next_offset}`)
  demand('page through a list', next, next.status === 200)
}

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

export type Callers = {
  /** what was not answered as it should be */
  wrong: string[]
  /** how many requests were sent */
  count(): number
  /** Resolves when every caller has gone through all that it does once more. */
  round(): Promise<void>
  stop(): Promise<void>
}

/** What was made before, and is to be found and answered as it was. */
export type Former = { employer: { ein: string }; key: string; id: string }

/**
 * Partners at work until they are stopped: each makes employers, repeats requests, looks for what is there by what is
 * kept hashed, signs tokens and reads with them, and goes on with lists. `anEmployer`: another at each call.
 */
export function callersOf(
  url: string,
  api_key: string,
  former: Former,
  anEmployer: () => { ein: string },
  callers: number,
): Callers {
  const wrong: string[] = []
  const over = new AbortController()
  const counted = { requests: 0, rounds: 0 }
  const ask: Ask = async (method, path, body, headers = {}) => {
    counted.requests++
    const answer = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${api_key}`, ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: (await answer.json()) as Answered['body'] }
  }
  const demand: Demand = (what, { status, body }, is_right) => {
    if (!is_right) wrong.push(`${what}: ${status} ${JSON.stringify(body).slice(0, 200)}`)
  }
  const round = async (caller: number) => {
    await goRound(ask, demand, anEmployer, former, caller === 0)
    counted.rounds++
  }
  const working = Array.from({ length: callers }, async (_, caller) => {
    while (!over.signal.aborted)
      await round(caller).catch((error: Error) => wrong.push(`${error.message} ${error.cause}`))
  })
  return {
    wrong,
    count: () => counted.requests,
    async round() {
      const until = counted.rounds + 2 * callers
      while (counted.rounds < until) await pause(20)
    },
    async stop() {
      over.abort()
      await Promise.all(working)
    },
  }
}

type Ask = (method: string, path: string, body?: object, headers?: object) => Promise<Answered>
type Demand = (what: string, answer: Answered, is_right: boolean) => void

/** `replays`: whether it repeats the request from before, which two may not do at once. */
async function goRound(ask: Ask, demand: Demand, anEmployer: () => { ein: string }, former: Former, replays: boolean) {
  const make = (employer: object, key: string) => ask('POST', '/v1/employers', employer, { 'idempotency-key': key })
  const isTaken = ({ status, body }: Answered) => status === 409 && body.error?.code === 'EIN_ALREADY_EXISTS'
  const [employer, key] = [anEmployer(), randomUUID()]
  const made = await make(employer, key)
  demand('an employer is made', made, made.status === 201)
  const repeated = await make(employer, key)
  demand('a request is repeated', repeated, repeated.body.data?.id === made.body.data?.id)
  if (replays) {
    const replayed = await make(former.employer, former.key)
    demand('one from before is repeated', replayed, replayed.body.data?.id === former.id)
  }
  for (const { ein } of [employer, former.employer]) {
    const second = await make({ ...anEmployer(), ein }, randomUUID())
    demand(`the EIN ${ein} is taken`, second, isTaken(second))
    const found = await ask('GET', `/v1/employers?search=${ein}`)
    demand(`the EIN ${ein} is found`, found, found.body.pagination?.total === 1)
  }
  const token = await ask('POST', '/v1/auth/access-tokens', { grant_type: 'client_credentials' })
  demand('a token is issued', token, token.status === 200 || token.status === 201)
  const by_token = { authorization: `Bearer ${token.body.access_token ?? token.body.data?.access_token}` }
  const read = await ask('GET', '/v1/employers?limit=1', undefined, by_token)
  demand('a token reads', read, read.status === 200)
  const page = await ask('GET', '/v1/audit-entries?limit=1')
  const next = await ask('GET', `/v1/audit-entries?limit=1&offset=${page.body.next_offset}`)
  demand('a list goes on', next, next.status === 200)
}

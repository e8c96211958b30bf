import { setTimeout as sleep } from 'node:timers/promises'
import { line, ratios } from './figures.ts'
import { latenciesOf, type Latency } from './latency.ts'
import { call, createEmployer, newPeople, operate } from './partner.ts'
import type { Attack, Body, Repelled } from './senders.ts'
import { sized } from './sizes.ts'
import { answerOf, startCrowd, startService, type Options, type Service } from './stage.ts'

const at_once = sized(32, 2)
const most_rows = sized(10_000, 100)
/** Milliseconds: longer than anybody who was refused often waits, so that no attack is still felt in the next calm. */
const settled_after = sized(12_000, 0)

/** Of the largest body that a census takes. */
const megabyte = sized(1024 * 1024, 4096)

const repeated = (text: string, times: number, before = '', after = ''): Body => ({ before, text, times, after })
const rows = (row: string, count = most_rows) => repeated(`${row},`, count - 1, '{"employees":[', `${row}]}`)
const person = (said: object) => JSON.stringify({ ...newPeople(1)[0], ...said })
const fields = (count: number, value: string) =>
  Array.from({ length: count }, (_, at) => `"field_${at}":${value}`).join()

/** The worst bodies that we can think of, by what is wrong with them. */
const bodies = {
  'no row, not let': rows('{}'),
  'no row': rows('{}'),
  'many fields': repeated(fields(sized(499_000, 500), '0'), 1, '{"employees":[{', '}]}'),
  'same fields': repeated(`"a":1,`, sized(900_000, 500), '{"employees":[{', '"a":1}]}'),
  'odd rows': rows(`{${fields(100, '1')}}`),
  'long e-mail': rows(person({ email: `${'x'.repeat(6 * megabyte)}@example.com` }), 1),
  'long text': repeated(String.raw`\"`, 8 * megabyte - 100, '{"employees":["', '"]}'),
  deep: repeated('[', 8 * megabyte),
  'many values': repeated('0,', 8 * megabyte - 100, '{"employees":[', '0]}'),
  'numbers in text': rows(person({ phone: 5, date_of_birth: 19_900_101, start_date: '45000' })),
  'last is wrong': { ...rows(person({}), most_rows - 1), after: '{}]}' },
  'bad charset': rows(person({})),
  slow: { ...rows(person({})), slowly: true as const },
} satisfies Record<string, Body>
type Wrong = keyof typeof bodies
/** Those that cost most are sent by the key of a live caller too, which has a rate limit; the others by one without. */
const cases: { wrong: Wrong; limited: boolean }[] = [
  ...(Object.keys(bodies) as Wrong[]).map((wrong) => ({ wrong, limited: false })),
  ...(['many fields', 'many values', 'bad charset'] as const).map((wrong) => ({ wrong, limited: true })),
]

/**
 * How long a read of one organization takes while 32 connections of another send nothing but bodies that are wrong,
 * each again as soon as it is answered, beside the same reads when nobody sends anything; and how many of those were
 * answered.
 */
export async function hostile({ rounds, seconds }: Options): Promise<void> {
  const service = await startService()
  const path = await plantInnocent(service)
  const attackOf = await armOthers(service)
  const helper = startCrowd('senders.ts')
  const authorization = `Bearer ${service.sandbox.rival_api_key}`
  const ask = async () => {
    const answer = await fetch(service.sandbox.base_url + path, { headers: { authorization } })
    await answer.text()
    if (!answer.ok) throw new Error(`The innocent read was answered with ${answer.status}.`)
  }
  const listen = async () => (await latenciesOf({ read: { ask, every: 10 } }, seconds)).read
  const beside = async (wrong: Wrong, limited: boolean) => {
    helper.send(await attackOf(wrong, limited))
    const repelled = answerOf<Repelled>(helper)
    const taken = await listen()
    helper.send('stop')
    const answered = await repelled
    await sleep(settled_after)
    return { taken, repelled: answered }
  }
  // Not counted: the first of everything.
  await beside('last is wrong', false)
  for (const { wrong, limited } of cases) {
    const calm: Latency[] = []
    const harassed: Latency[] = []
    let last: Repelled = {}
    for (let round = 0; round < rounds; round++) {
      calm.push(await listen())
      const { taken, repelled } = await beside(wrong, limited)
      harassed.push(taken)
      last = repelled
    }
    report(`${wrong}${limited ? ', rate limited' : ''}`, calm, harassed, last, seconds)
  }
}

/** Somebody at another organization, to be read over and over. */
async function plantInnocent(service: Service): Promise<string> {
  const { rival_organization_id: organization_id } = service.sandbox
  const employer = {
    name: 'Innocent',
    legal_name: 'Innocent LLC',
    ein: '98-7654321',
    email: 'office@innocent.example.com',
  }
  const address = { address_line_1: '1 Post Rd', city: 'Albany', state: 'NY', zipcode: '12207' }
  const { id } = await call<{ id: string }>(service, 'POST', '/v1/employers', { ...employer, address }, organization_id)
  return `/v1/employers/${id}`
}

/**
 * Makes the organizations of the others, a sandbox's for keys without a rate limit and a real one for live keys, each
 * with somebody in it.
 */
async function armOthers(service: Service): Promise<(wrong: Wrong, limited: boolean) => Promise<Attack>> {
  const unlimited = await armOrganization(service, 'test')
  const limited_ones = await armOrganization(service, 'live')
  return async (wrong, limited) => {
    const { path, makeKey, makeToken } = limited ? limited_ones : unlimited
    return {
      url: service.sandbox.base_url,
      path,
      // A credential of its own for each attack: what the one before owes would hold it back.
      authorization: `Bearer ${await (wrong === 'no row, not let' ? makeToken() : makeKey())}`,
      ...(wrong === 'bad charset' && { headers: { 'content-type': 'application/json; charset=utf-16' } }),
      body: bodies[wrong],
      at_once,
    }
  }
}

type Armed = { path: string; makeKey: () => Promise<string>; makeToken: () => Promise<string> }

async function armOrganization(service: Service, mode: 'live' | 'test'): Promise<Armed> {
  const name = `Hostile ${mode}`
  const { id: user_id } = await operate<{ id: string }>(service, 'POST', '/users', { name })
  const organization = { name, admin_user_id: user_id, sandbox: mode === 'test' }
  const { id: organization_id } = await operate<{ id: string }>(service, 'POST', '/organizations', organization)
  const makeKey = async () =>
    (await operate<{ api_key: string }>(service, 'POST', '/api-keys', { user_id, organization_id, mode })).api_key
  const own = { ...service, sandbox: { ...service.sandbox, api_key: await makeKey() } }
  const employer_id = await createEmployer(own)
  if (mode === 'live')
    await operate(service, 'POST', `/employers/${employer_id}/subscriptions`, { started_on: '2026-01-01' })
  const { id } = await call<{ id: string }>(own, 'POST', `/v1/employers/${employer_id}/employees`, newPeople(1)[0])
  const makeToken = async () => {
    const answer = await fetch(`${own.sandbox.base_url}/v1/auth/access-tokens`, {
      method: 'POST',
      headers: { authorization: `Bearer ${own.sandbox.api_key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ grant_type: 'client_credentials', bound_entity: { type: 'employee', id } }),
    })
    return ((await answer.json()) as { access_token: string }).access_token
  }
  return { path: `/v1/employers/${employer_id}/census-sync`, makeKey, makeToken }
}

function report(wrong: string, calm: Latency[], harassed: Latency[], repelled: Repelled, seconds: number): void {
  const told = Object.entries(repelled).map(([status, count]) => `${Math.round(count / seconds)}/s ${status}`)
  console.log(`  ${wrong}${told.length > 0 ? `: ${told.join(', ')}` : ''}`)
  for (const what of ['median', 'p99'] as const) {
    const of = (series: Latency[]) => series.map((latency) => latency[what])
    console.log(line(`${what} calm`, of(calm), 'ms'))
    console.log(line(`${what} beside`, of(harassed), 'ms'))
    console.log(line('ratio', ratios(of(harassed), of(calm))))
  }
}

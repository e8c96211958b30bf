import { setTimeout as sleep } from 'node:timers/promises'
import { line, ratios } from './harness/figures.ts'
import { latenciesOf, type Latency } from './harness/latency.ts'
import { call, createEmployer, newPeople } from './harness/partner.ts'
import type { Attack, Body, Statuses } from './processes/hostile-clients.ts'
import { answerOf, is_smoke, sized, startLoad, startService, type Options, type Service } from './harness/service.ts'

const max_running = sized(32, 2)
const most_rows = sized(10_000, 100)
/** Milliseconds: longer than the longest penalty, so that no attack affects the next calm measurement. */
const pause_ms = sized(12_000, 0)

/** The unit of the largest body that a census accepts. */
const megabyte = sized(1024 * 1024, 4096)

const repeated = (text: string, times: number, before = '', after = ''): Body => ({ before, text, times, after })
const rows = (row: string, count = most_rows) => repeated(`${row},`, count - 1, '{"employees":[', `${row}]}`)
const person = (input: object) => JSON.stringify({ ...newPeople(1)[0], ...input })
const fields = (count: number, value: string) =>
  Array.from({ length: count }, (_, at) => `"field_${at}":${value}`).join()

/** The most expensive invalid bodies, by their defect. */
const bodies = {
  'no row, not let': rows('{}'),
  'no row': rows('{}'),
  'many fields': repeated(fields(sized(499_000, 500), '0'), 1, '{"employees":[{', '}]}'),
  'same fields': repeated(`"a":1,`, sized(900_000, 500), '{"employees":[{', '"a":1}]}'),
  'odd rows': rows(`{${fields(100, '1')}}`),
  'long email': rows(person({ email: `${'x'.repeat(6 * megabyte)}@example.com` }), 1),
  'long text': repeated(String.raw`\"`, 8 * megabyte - 100, '{"employees":["', '"]}'),
  deep: repeated('[', 8 * megabyte),
  'many values': repeated('0,', 8 * megabyte - 100, '{"employees":[', '0]}'),
  'numbers in text': rows(person({ phone: 5, date_of_birth: 19_900_101, start_date: '45000' })),
  'last is wrong': { ...rows(person({}), most_rows - 1), after: '{}]}' },
  'bad charset': rows(person({})),
  slow: { ...rows(person({})), slowly: true as const },
} satisfies Record<string, Body>
type Wrong = keyof typeof bodies
/** Test keys have no rate limit. The most expensive bodies are also sent with a live key, which has one. */
const cases: { wrong: Wrong; limited: boolean }[] = [
  ...(Object.keys(bodies) as Wrong[]).map((wrong) => ({ wrong, limited: false })),
  ...(['many fields', 'many values', 'bad charset'] as const).map((wrong) => ({ wrong, limited: true })),
]

/**
 * How long a read of one organization takes while 32 connections of another one send invalid bodies as fast as they are
 * answered, beside the same read without them.
 */
export async function hostile({ rounds, seconds }: Options): Promise<void> {
  const service = await startService()
  const path = await seedVictim(service)
  const attackOf = await openAttackers(service)
  const helper = startLoad('hostile-clients.ts')
  const authorization = `Bearer ${service.sandbox.rival_api_key}`
  const send = async () => {
    const answer = await fetch(service.sandbox.base_url + path, { headers: { authorization } })
    await answer.text()
    if (!answer.ok) throw new Error(`The read returned ${answer.status}.`)
  }
  const measure = async () => (await latenciesOf({ read: { send, every: 10 } }, seconds)).read
  const harass = async (wrong: Wrong, limited: boolean) => {
    helper.send(await attackOf(wrong, limited))
    const statuses = answerOf<Statuses>(helper)
    const taken = await measure()
    helper.send('stop')
    const answered = await statuses
    await sleep(pause_ms)
    return { taken, statuses: answered }
  }
  // Warm-up, excluded from the result.
  if (!is_smoke) await harass('last is wrong', false)
  for (const { wrong, limited } of is_smoke ? cases.slice(-3) : cases) {
    const calm: Latency[] = []
    const harassed: Latency[] = []
    let last: Statuses = {}
    for (let round = 0; round < rounds; round++) {
      calm.push(await measure())
      const { taken, statuses } = await harass(wrong, limited)
      harassed.push(taken)
      last = statuses
    }
    report(`${wrong}${limited ? ', rate limited' : ''}`, calm, harassed, last, seconds)
  }
}

/** Creates the employer that is read, at an organization of its own. Returns its path. */
async function seedVictim(service: Service): Promise<string> {
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
 * Creates the attackers' organizations, each with an employee: a sandbox for test keys and a real one for live keys.
 */
async function openAttackers(service: Service): Promise<(wrong: Wrong, limited: boolean) => Promise<Attack>> {
  const unlimited = await openAttacker(service, 'test')
  const limited_ones = await openAttacker(service, 'live')
  return async (wrong, limited) => {
    const { path, makeKey, makeToken } = limited ? limited_ones : unlimited
    return {
      url: service.sandbox.base_url,
      path,
      // Each attack has a new credential, since penalties stay with the old one.
      authorization: `Bearer ${await (wrong === 'no row, not let' ? makeToken() : makeKey())}`,
      ...(wrong === 'bad charset' && { headers: { 'content-type': 'application/json; charset=utf-16' } }),
      body: bodies[wrong],
      max_running,
    }
  }
}

type Attacker = { path: string; makeKey: () => Promise<string>; makeToken: () => Promise<string> }

async function openAttacker(service: Service, mode: 'live' | 'test'): Promise<Attacker> {
  const name = `Hostile ${mode}`
  const { id: user_id } = await call<{ id: string }>(service, 'POST', '/operator/v1/users', { name })
  const organization = { name, admin_user_id: user_id, sandbox: mode === 'test' }
  const { id: organization_id } = await call<{ id: string }>(
    service,
    'POST',
    '/operator/v1/organizations',
    organization,
  )
  const makeKey = async () =>
    (await call<{ api_key: string }>(service, 'POST', '/operator/v1/api-keys', { user_id, organization_id, mode }))
      .api_key
  const own = { ...service, sandbox: { ...service.sandbox, api_key: await makeKey() } }
  const employer_id = await createEmployer(own)
  if (mode === 'live')
    await call(service, 'POST', `/operator/v1/employers/${employer_id}/subscriptions`, { started_on: '2026-01-01' })
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

function report(wrong: string, calm: Latency[], harassed: Latency[], statuses: Statuses, seconds: number): void {
  const reported = Object.entries(statuses).map(([status, count]) => `${Math.round(count / seconds)}/s ${status}`)
  console.log(`  ${wrong}${reported.length > 0 ? `: ${reported.join(', ')}` : ''}`)
  for (const subject of ['median', 'p99'] as const) {
    const of = (series: Latency[]) => series.map((latency) => latency[subject])
    console.log(line(`${subject} calm`, of(calm), 'ms'))
    console.log(line(`${subject} beside`, of(harassed), 'ms'))
    console.log(line('ratio', ratios(of(harassed), of(calm))))
  }
}

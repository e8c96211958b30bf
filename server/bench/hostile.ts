import { setTimeout as sleep } from 'node:timers/promises'
import { compare, latenciesOf, median, percentile } from './harness/figures.ts'
import { call, createEmployer, newPeople } from './harness/partner.ts'
import { is_smoke, sized, startBackgroundLoader, startService, type Options, type Service } from './harness/service.ts'
import type { Loaded } from './processes/load.ts'

const connections = sized(32, 2)
const max_rows = sized(10_000, 100)
/** Milliseconds: longer than the longest penalty, so that no attack affects the next calm measurement. */
const pause_ms = sized(12_000, 0)

/** The unit of the largest body that a census accepts. */
const megabyte = sized(1024 * 1024, 4096)

const rows = (row: string, count = max_rows) => `{"employees":[${`${row},`.repeat(count - 1)}${row}]}`
const person = (input: object) => JSON.stringify({ ...newPeople(1)[0], ...input })
const fields = (count: number, value: string) =>
  Array.from({ length: count }, (_, at) => `"field_${at}":${value}`).join()

/** Expensive invalid bodies, by their defect. */
const bodies: Record<string, () => string> = {
  'no row': () => rows('{}'),
  'many fields': () => rows(`{${fields(sized(499_000, 500), '0')}}`, 1),
  'odd rows': () => rows(`{${fields(100, '1')}}`),
  'long email': () => rows(person({ email: `${'x'.repeat(6 * megabyte)}@example.com` }), 1),
  deep: () => '['.repeat(8 * megabyte),
  'many values': () => `{"employees":[${'0,'.repeat(8 * megabyte - 100)}0]}`,
  'last is wrong': () => `{"employees":[${`${person({})},`.repeat(max_rows - 1)}{}]}`,
}

/**
 * How long a read of one organization takes while 32 connections of another one send invalid bodies as fast as they get
 * responses, compared with the same read without them.
 */
export async function hostile({ rounds, seconds }: Options): Promise<void> {
  const service = await startService()
  const victim = `/v1/employers/${await createEmployer(service)}`
  const url = service.sandbox.base_url
  const { path, createKey } = await createAttacker(service)
  const load = startBackgroundLoader()
  const read = { every: 10, send: () => call(service, 'GET', victim) }
  const measure = async () => (await latenciesOf({ read }, seconds)).read
  const attack = async (body: string) => {
    // Each attack has a new key, since penalties stay with the old one.
    const headers = { authorization: `Bearer ${await createKey()}` }
    const loading = load({ url, paths: [path], headers, body, connections, seconds: seconds + 1 })
    const taken = await measure()
    const loaded = await loading
    await sleep(pause_ms)
    return { taken, loaded }
  }
  // Warm-up, excluded from the result.
  if (!is_smoke) await attack(bodies['last is wrong']!())
  for (const [wrong, bodyOf] of Object.entries(bodies).slice(is_smoke ? -2 : 0)) {
    const body = bodyOf()
    const calm: number[][] = []
    const beside: number[][] = []
    let last: Loaded | undefined
    for (let round = 0; round < rounds; round++) {
      calm.push(await measure())
      const { taken, loaded } = await attack(body)
      beside.push(taken)
      last = loaded
    }
    report(wrong, calm, beside, last!)
  }
}

/** Creates a sandbox organization with an employer. Returns the path to attack, and a function that creates keys. */
async function createAttacker(service: Service): Promise<{ path: string; createKey: () => Promise<string> }> {
  const operate = <Data>(path: string, input: object) => call<Data>(service, 'POST', `/operator/v1/${path}`, input)
  const { id: user_id } = await operate<{ id: string }>('users', { name: 'Hostile' })
  const organization = { name: 'Hostile', admin_user_id: user_id, sandbox: true }
  const { id: organization_id } = await operate<{ id: string }>('organizations', organization)
  const createKey = async () =>
    (await operate<{ api_key: string }>('api-keys', { user_id, organization_id, mode: 'test' })).api_key
  const own = { ...service, sandbox: { ...service.sandbox, api_key: await createKey() } }
  return { path: `/v1/employers/${await createEmployer(own)}/census-sync`, createKey }
}

function report(wrong: string, calm: number[][], beside: number[][], { statuses, seconds }: Loaded): void {
  const rates = Object.entries(statuses).map(([status, count]) => `${Math.round(count / seconds)}/s ${status}`)
  console.log(`  ${wrong}${rates.length > 0 ? `: ${rates.join(', ')}` : ''}`)
  const p99 = (milliseconds: number[]) => percentile(milliseconds, 0.99)
  compare(['median beside', beside.map(median)], ['median calm', calm.map(median)], 'ms')
  compare(['p99 beside', beside.map(p99)], ['p99 calm', calm.map(p99)], 'ms')
}

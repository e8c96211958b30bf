import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { OpenBenefits } from 'openbenefits'
import { OpenBenefitsOperator } from 'openbenefits/operator'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addOperatorCommands } from '../cli/commands.ts'
import { urlOfRunning } from '../platform/postgres/cluster.ts'
import { newSecretKeys, openSecrets, type SecretKeys } from '../platform/secrets.ts'
import { start } from '../../cli/test/command.ts'
import { callersOf, type Former } from './callers.ts'
import { blockOf } from './pasted.ts'
import { startServiceProcess, type ServiceProcess } from './service.ts'

/** A service as operators have it, whose keys are replaced while it runs. */
const DATA_DIR = mkdtempSync(join(tmpdir(), 'openbenefits-rotation-'))
let service: ServiceProcess | undefined
let api_key: string
let ob: OpenBenefits
let operator: OpenBenefitsOperator

const keptIn = (file: string) => JSON.parse(readFileSync(join(DATA_DIR, file), 'utf8')) as Record<string, string>
const keptKeys = () => keptIn('secrets.json')

/** What only whoever runs the service can do, at a terminal beside it. */
const command = (line: string, settings: Record<string, string> = {}) =>
  start(line, { DATA_DIR, ...settings }, '', undefined, [addOperatorCommands]).ended

/** A command of the guide. */
const asShown = (block: string) => block.trim().replace('npx openbenefits ', '')

async function told(line: string) {
  const { out, err } = await command(`${line} --json`)
  expect(err).toBe('')
  return JSON.parse(out)
}

beforeAll(async () => {
  service = await startServiceProcess({ DATA_DIR })
  const { operator_key, ...sandbox } = keptIn('sandbox.json')
  api_key = sandbox.api_key!
  ob = new OpenBenefits({ baseUrl: service!.url!, apiKey: api_key })
  operator = new OpenBenefitsOperator({ baseUrl: service!.url!, apiKey: operator_key! })
}, 240_000)

afterAll(async () => {
  await service?.end('SIGTERM')
  rmSync(DATA_DIR, { recursive: true, force: true })
})

let employers = 0
const anEmployer = () => {
  const number = ++employers
  return {
    name: `Employer ${number}`,
    legal_name: `Employer ${number} LLC`,
    ein: `${10 + Math.floor(number / 1e6)}-${String(number).padStart(7, '0')}`,
    email: `hello@employer${number}.example`,
    address: { address_line_1: '18 Harbor St', city: 'San Francisco', state: 'CA', zipcode: '94105' },
  } as const
}

/** A session as the superuser of the embedded database. */
async function superuser(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: (await urlOfRunning(DATA_DIR, keptKeys().database_password!))! })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

it('every secret is replaced under load, and nobody notices', { timeout: 180_000 }, async () => {
  const before = keptKeys()
  const client = await superuser()
  const former = await whatWasMade(client)
  const callers = callersOf(service!.url!, api_key, former, anEmployer, 4)
  await callers.round()

  const begun = (await told(asShown(blockOf('docs/operations.md', 'npx openbenefits secrets rotate\n')))).secrets
  expect(begun.map(({ secret, state }: Record<string, string>) => `${secret} ${state}`).sort()).toEqual([
    'ENCRYPTION_KEYS overlaps',
    'HASH_KEY overlaps',
    'OPERATOR_KEY replaced',
    'TOKEN_KEY overlaps',
  ])
  const both = keptKeys()
  for (const name of rings) expect(both[name]!.split(',').indexOf(before[name]!)).toBe(1)
  expect(await readsWith(former.token)).toBe(200)
  expect((await told('doctor')).findings).toContainEqual(
    expect.objectContaining({ check: 'rotation', state: 'look', found: expect.stringContaining('HASH_KEY') }),
  )
  // The times of what was signed are not over yet.
  const finish = asShown(blockOf('docs/operations.md', 'npx openbenefits secrets rotate --finish'))
  expect((await told(finish)).secrets).toHaveLength(4)
  expect(keptKeys()).toEqual(both)

  await callers.round()
  await told(`${finish} --now`)
  await callers.round()
  await callers.stop()
  expect(callers.wrong).toEqual([])
  expect(callers.count()).toBeGreaterThan(200)

  const after = keptKeys()
  for (const name of rings) expect(after[name]).toBe(both[name]!.split(',')[0])
  expect(after.operator_key).not.toBe(before.operator_key)
  expect(await readsWith(former.token)).toBe(401)
  expect(await sealedOtherwise(client, after.encryption_keys!)).toEqual({ rows: expect.any(Number), otherwise: [] })
  const { rows } = await client.query<{ sealed: Buffer }>(
    'select access_sealed as sealed from hris_connections where access_sealed is not null',
  )
  expect(openSecrets(after as SecretKeys).decrypt(rows[0]!.sealed)).toBe('an access token')
  const verified = await told('audit verify')
  expect([verified.faults, verified.entries > 100]).toEqual([[], true])
  const audited = await client.query(`select operation, count(*)::int from audit_sheets, unnest(operations) as operation
    where operation like '%_secret' group by 1 order by 1`)
  expect(audited.rows).toEqual([
    { operation: 'retire_secret', count: 3 },
    { operation: 'use_secret', count: 4 },
  ])
  await client.end()
  const stale = await command('doctor', { ENCRYPTION_KEYS: before.encryption_keys! })
  expect(stale.out).toMatch(/^WRONG +keys +The encryption key k2 is missing/m)
})

const rings = ['encryption_keys', 'hash_key', 'token_key'] as const

const readsWith = async (token: string): Promise<number> =>
  (await fetch(`${service!.url}/v1/employers`, { headers: { authorization: `Bearer ${token}` } })).status

/** Something of each kind that keys have made. */
async function whatWasMade(client: pg.Client): Promise<Former & { token: string }> {
  const [employer, key] = [anEmployer(), 'from before']
  const { id, organization_id } = await ob.employers.create(employer, { idempotencyKey: key })
  await ob.webhookSubscriptions.create({ url: 'https://hooks.example.com/benefits' })
  const stripe = { stripe_secret_key: 'sk_test_1', stripe_webhook_secret: 'whsec_1' }
  await operator.billingSystem.choose(organization_id, { billing_system: 'built_in', ...stripe })
  await operator.hris.connect(id, { source: 'csv' })
  const sealed = openSecrets(keptKeys() as SecretKeys).encrypt('an access token')
  await client.query('update hris_connections set access_sealed = $1 where disconnected_at is null', [sealed])
  const [haulier] = (await ob.employers.list({ search: 'Granite' })).data
  const [priya] = (await ob.employees.list(haulier!.id, { search: 'Priya' })).data
  const { today } = await ob.authentication.getToken()
  const event = await ob.lifeEvents.create(priya!.id, { type: 'marriage', occurred_on: today })
  await ob.lifeEvents.attach(event.id, { file_name: 'certificate.pdf', content: 'JVBERi0xLjcK' })
  const { access_token } = await ob.tokens.issue({ grant_type: 'client_credentials' })
  return { employer, key, id, token: access_token }
}

/** How many values are kept encrypted, wherever they are, and those that another key than the first encrypted. */
async function sealedOtherwise(client: pg.Client, encryption_keys: string) {
  const id = encryption_keys.split(':')[0]!
  const mark = Buffer.concat([Buffer.from([id.length]), Buffer.from(id)])
  const { rows: columns } = await client.query<{ of: string; name: string }>(
    `select attrelid::regclass::text as of, attname as name from pg_attribute join pg_class on pg_class.oid = attrelid
      where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace
        and (attname like '%sealed' or (relname, attname) = ('idempotency_keys', 'body')) order by 1, 2`,
  )
  expect(columns.map(({ of, name }) => `${of}.${name}`)).toEqual([
    'billing_systems.stripe_secret_key_sealed',
    'billing_systems.stripe_webhook_secret_sealed',
    'employers.ein_sealed',
    'hris_connections.access_sealed',
    'idempotency_keys.body',
    'life_event_attachment_pieces.content_sealed',
    'secret_keys.key_sealed',
    'webhook_subscriptions.former_secret_sealed',
    'webhook_subscriptions.secret_sealed',
  ])
  const otherwise: string[] = []
  let rows = 0
  for (const { of, name } of columns) {
    const counted = await client.query<{ all: number; others: number }>(
      `select count(${name})::int as all,
              count(*) filter (where not starts_with(encode(${name}, 'hex'), $1))::int as others
         from ${of}`,
      [mark.toString('hex')],
    )
    const { all, others } = counted.rows[0]!
    rows += all
    if (others > 0 || (all === 0 && name !== 'former_secret_sealed'))
      otherwise.push(`${of}.${name}: ${others} of ${all}`)
  }
  return { rows, otherwise }
}

it('whoever was stopped while keys follow each other goes on', { timeout: 120_000 }, async () => {
  const path = join(DATA_DIR, 'secrets.json')
  const kept = keptKeys()
  const put = (hash_key: string) => writeFileSync(path, JSON.stringify({ ...kept, hash_key }, null, 2))
  const finish = async () => (await told('secrets rotate HASH_KEY --finish --now')).secrets[0].state
  const fresh = newSecretKeys().hash_key
  // Killed when the new key was told, and nothing else.
  put(`${kept.hash_key},${fresh}`)
  expect([await finish(), keptKeys().hash_key]).toEqual(['replaced', fresh])
  // Killed when the former was found to be needed no more, and before it was taken away.
  put(`${fresh},${kept.hash_key}`)
  expect([await finish(), keptKeys().hash_key]).toEqual(['replaced', fresh])
  expect(await finish()).toBe('unchanged')
  // One that was replaced is not taken up again, and the process goes on with what it has.
  expect((await command('doctor', { HASH_KEY: `${kept.hash_key},${fresh}` })).out).toContain(
    'with a key that was replaced',
  )
  expect((await told('audit verify')).faults).toEqual([])

  // Not in a file of ours: told, step by step.
  const { secrets } = await (async () =>
    JSON.parse((await command('secrets rotate TOKEN_KEY --json', { TOKEN_KEY: kept.token_key! })).out))()
  expect(secrets).toEqual([
    { secret: 'TOKEN_KEY', state: 'to_set', value: expect.stringMatching(/^[^,]+,[^,]+$/), last: false },
  ])
  expect(secrets[0].value.split(',')[0]).toBe(kept.token_key)
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { OpenBenefits } from 'openbenefits'
import { OpenBenefitsOperator } from 'openbenefits/operator'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addOperatorCommands } from '../cli/commands.ts'
import { retryWithNewPassword, sessionOf, SteadyPool } from '../database/query/session.ts'
import { readStoredKeys } from '../security/keys.ts'
import { findRunning } from '../../packages/embedded-postgres/cluster.ts'
import { roleUrls, servicePasswordAt } from '../../packages/embedded-postgres/roles.ts'
import { openSecrets, type SecretKeys } from '../security/secrets.ts'
import { start } from '../../cli/test/command.ts'
import { startPartners, type EarlierRequest } from './clients/concurrent-partners.ts'
import { blockOf } from './guides/code-blocks.ts'
import { startServiceProcess, type ServiceProcess } from './service/service-process.ts'

/** A service as operators have it, whose keys are replaced while it runs. */
const DATA_DIR = mkdtempSync(join(tmpdir(), 'openbenefits-rotation-'))
let service: ServiceProcess | undefined
let api_key: string
let ob: OpenBenefits
let operator: OpenBenefitsOperator

const readIn = (file: string) => JSON.parse(readFileSync(join(DATA_DIR, file), 'utf8')) as Record<string, string>
const keptKeys = () => readIn('secrets.json')

/** Runs a command that requires access to the machine of the service. */
const command = (line: string, settings: Record<string, string> = {}) =>
  start(line, { DATA_DIR, ...settings }, '', undefined, [addOperatorCommands]).ended

/** The arguments of a command as the guide shows it. */
const asShown = (block: string) => block.trim().replace('npx openbenefits ', '')

async function jsonOf(line: string) {
  const { out, err } = await command(`${line} --json`)
  expect(err).toBe('')
  return JSON.parse(out)
}

beforeAll(async () => {
  service = await startServiceProcess({ DATA_DIR })
  const { operator_key, ...sandbox } = readIn('sandbox.json')
  api_key = sandbox.api_key!
  ob = new OpenBenefits({ baseUrl: service!.url!, apiKey: api_key })
  operator = new OpenBenefitsOperator({ baseUrl: service!.url!, apiKey: operator_key! })
})

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

/** A session as the superuser of the embedded database. A killed command may replace the password in the meantime. */
const superuser = (): Promise<pg.Client> =>
  retryWithNewPassword(async () => {
    const { database_password, next_database_password } = keptKeys()
    const { url } = (await findRunning(DATA_DIR, database_password!, next_database_password))!
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => undefined)
    await client.connect()
    return client
  })

it('replaces every secret under load without failed requests', async () => {
  const before = keptKeys()
  const client = await superuser()
  const earlier = await whatWasMade(client)
  const partners = startPartners(service!.url!, api_key, earlier, anEmployer, 4)
  await partners.round()

  const begun = (await jsonOf(asShown(blockOf('docs/operating/access.md', 'npx openbenefits secrets rotate\n'))))
    .secrets
  expect(begun.map(({ secret, state }: Record<string, string>) => `${secret} ${state}`).sort()).toEqual([
    'DATABASE_PASSWORD replaced',
    'ENCRYPTION_KEYS overlaps',
    'HASH_KEY overlaps',
    'OPERATOR_KEY replaced',
    'TOKEN_KEY overlaps',
  ])
  const both = keptKeys()
  for (const name of rings) expect(both[name]!.split(',').indexOf(before[name]!)).toBe(1)
  expect(await readsWith(earlier.token)).toBe(200)
  expect((await jsonOf('doctor')).findings).toContainEqual(
    expect.objectContaining({ check: 'rotation', state: 'warning', found: expect.stringContaining('HASH_KEY') }),
  )
  // Signed values are still within their lifetime.
  const finish = asShown(blockOf('docs/operating/access.md', 'npx openbenefits secrets rotate --finish'))
  const early = [await command(finish), await command(`${finish} --json`)]
  expect(early.map(({ code }) => code)).toEqual([1, 1])
  expect(early[0]!.out).toMatch(
    /^(\w+: \S+ is in use\. .+\n){3}It is too early to finish\. Run this command again at that time\.\n$/,
  )
  expect(JSON.parse(early[1]!.out).secrets).toHaveLength(5)
  expect(keptKeys()).toEqual(both)

  await partners.round()
  const finished = await command(`${finish} --now`)
  expect([finished.err, finished.out.trim().split('\n').sort()]).toEqual([
    '',
    ['ENCRYPTION_KEYS', 'HASH_KEY', 'TOKEN_KEY'].map((name) => expect.stringMatching(`^${name} is replaced: `)),
  ])
  await partners.round()
  await partners.stop()
  expect(partners.wrong).toEqual([])
  expect(partners.count()).toBeGreaterThan(200)

  const after = keptKeys()
  for (const name of rings) expect(after[name]).toBe(both[name]!.split(',')[0])
  expect(after.operator_key).not.toBe(before.operator_key)
  expect(after.database_password).not.toBe(before.database_password)
  expect(await readsWith(earlier.token)).toBe(401)
  expect(await sealedOtherwise(client, after.encryption_keys!)).toEqual({ rows: expect.any(Number), otherwise: [] })
  const { rows } = await client.query<{ sealed: Buffer }>(
    'select access_sealed as sealed from hris_connections where access_sealed is not null',
  )
  expect(openSecrets(after as SecretKeys).decrypt(rows[0]!.sealed)).toBe('an access token')
  const verified = await jsonOf('audit verify')
  expect([verified.faults, verified.entries > 100]).toEqual([[], true])
  const audited =
    await client.query(`select operation, count(*)::int from audit_batches, unnest(operations) as operation
    where operation like '%_secret' group by 1 order by 1`)
  expect(audited.rows).toEqual([
    { operation: 'retire_secret', count: 3 },
    { operation: 'use_secret', count: 5 },
  ])
  await client.end()
  const outdated = await command('doctor', { ENCRYPTION_KEYS: before.encryption_keys! })
  expect(outdated.out).toMatch(/^WRONG +keys +The encryption key k2 is missing/m)
})

const rings = ['encryption_keys', 'hash_key', 'token_key'] as const

const readsWith = async (token: string): Promise<number> =>
  (await fetch(`${service!.url}/v1/employers`, { headers: { authorization: `Bearer ${token}` } })).status

/** Creates something of each kind that depends on the keys. */
async function whatWasMade(client: pg.Client): Promise<EarlierRequest & { token: string }> {
  const [employer, key] = [anEmployer(), 'from before']
  const { id, organization_id } = await ob.employers.create(employer, { idempotencyKey: key })
  await ob.webhookSubscriptions.create({ url: 'https://hooks.example.com/benefits' })
  const stripe = { stripe_secret_key: 'sk_test_1', stripe_webhook_secret: 'whsec_1' }
  await operator.billingSystem.choose(organization_id, { billing_system: 'built_in', ...stripe })
  await operator.hris.connect(id, { source: 'csv' })
  const sealed = openSecrets(keptKeys() as SecretKeys).encrypt('an access token')
  await client.query('update hris_connections set access_sealed = $1 where disconnected_at is null', [sealed])
  const [freight] = (await ob.employers.list({ search: 'Granite' })).data
  const [priya] = (await ob.employees.list(freight!.id, { search: 'Priya' })).data
  await ob.employees.setTaxIdentifier(priya!.id, { tax_identifier: '219-09-9999' })
  // A confirmation whose PDF is not rendered yet.
  await client.query(
    `insert into enrollment_confirmations
       (organization_id, id, employee_id, submitted_at, language, enrollment_ids, document_sealed)
     select organization_id, 'conf_waiting', id, now(), 'en', '{}', $2 from employees where id = $1`,
    [priya!.id, sealed],
  )
  await client.query(
    `insert into released_forms
       (organization_id, employer_id, tax_year, member_id, version, position, employee_id, content_hash,
        employer_hash, is_due, document_sealed, released_at)
     select organization_id, employer_id, 2025, member_id, 1, 1, id, '', '', true, $2, now()
       from employees where id = $1`,
    [priya!.id, sealed],
  )
  await client.query(
    `insert into form_transmissions
       (organization_id, id, employer_id, tax_year, number, type, is_test, form_count, header_sealed, made_at)
     select organization_id, 'transmission', employer_id, 2025, 1, 'O', false, 1, $2, now()
       from employees where id = $1`,
    [priya!.id, sealed],
  )
  const { today } = await ob.authentication.getToken()
  const event = await ob.lifeEvents.create(priya!.id, { type: 'marriage', occurred_on: today })
  await ob.lifeEvents.attach(event.id, { file_name: 'certificate.pdf', content: 'JVBERi0xLjcK' })
  const { access_token } = await ob.tokens.issue({ grant_type: 'client_credentials' })
  return { employer, key, id, token: access_token }
}

/** The number of encrypted values in all tables, and of those encrypted with another key than the first. */
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
    'enrollment_confirmations.document_sealed',
    'file_pieces.content_sealed',
    'form_transmissions.header_sealed',
    'hris_connections.access_sealed',
    'idempotency_keys.body',
    'released_forms.document_sealed',
    'secret_keys.key_sealed',
    'tax_identifiers.sealed',
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

it('replaces the database password while sessions are opened with it', async () => {
  const before = keptKeys().database_password
  const opened = (await findRunning(DATA_DIR, before!))!
  const { url } = roleUrls(opened, before!, 'openbenefits')
  const password = servicePasswordAt(opened, () => readStoredKeys(DATA_DIR))
  const over = new AbortController()
  const failed: unknown[] = []
  let sessions = 0
  const opening = Array.from({ length: 3 }, async () => {
    while (!over.signal.aborted) {
      const pool = new SteadyPool({ ...sessionOf({ url, password }), max: 1 })
      await pool.query('select').then(
        () => sessions++,
        (error) => failed.push(error),
      )
      await pool.end()
    }
  })
  for (let time = 0; time < 3; time++) {
    const { secrets } = await jsonOf('secrets rotate DATABASE_PASSWORD')
    expect(secrets).toEqual([{ secret: 'DATABASE_PASSWORD', state: 'replaced', key: expect.any(String) }])
  }
  over.abort()
  await Promise.all(opening)
  expect([failed, sessions > 10]).toEqual([[], true])
  const finish = 'secrets rotate DATABASE_PASSWORD --finish'
  expect((await jsonOf(finish)).secrets[0].state).toBe('unchanged')
  expect((await command(finish)).out).toBe('No rotation of DATABASE_PASSWORD is in progress.\n')
  await expect(new pg.Client({ connectionString: opened.url }).connect()).rejects.toMatchObject({ code: '28P01' })
})

/** Ends all sessions of the service, and lets it open new ones and write. */
async function writesInNewSessions(client: pg.Client): Promise<void> {
  await client.query(`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'openbenefits_service'`)
  await expect.poll(async () => (await fetch(`${service!.url}/health/ready`)).status).toBe(200)
  await ob.employers.create(anEmployer())
}

const cli = join(import.meta.dirname, '../cli/cli.ts')

/** Runs the command in a separate process, and kills it when a condition is true. */
async function killedAt(line: string, is_there: () => boolean | Promise<boolean>): Promise<void> {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const child = spawn(process.execPath, [cli, ...line.split(' ')], {
    env: { PATH, NODE_COMPILE_CACHE, DATA_DIR },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(child, 'exit')
  await expect.poll(is_there, { interval: 20 }).toBe(true)
  child.kill('SIGKILL')
  expect(await ended).toEqual([null, 'SIGKILL'])
}

/** Kills the command while it waits for a lock, when another condition is true too. */
async function killedBehind(held: string, line: string, is_so: () => boolean | Promise<boolean> = () => true) {
  const [holder, watcher] = [await superuser(), await superuser()]
  await holder.query(`begin; ${held}`)
  const blocked = 'select from pg_stat_activity where $1 = any(pg_blocking_pids(pid)) limit 1'
  const { rows } = await holder.query<{ pid: number }>('select pg_backend_pid() as pid')
  await killedAt(line, async () => (await watcher.query(blocked, [rows[0]!.pid])).rowCount === 1 && (await is_so()))
  await holder.query('rollback')
  await Promise.all([holder.end(), watcher.end()])
}

it('resumes an interrupted replacement of secrets when the command runs again', async () => {
  const before = keptKeys()
  // When the lock is released, the command is already dead, but PostgreSQL still executes its statement.
  await killedBehind('lock table pg_authid in share mode', 'secrets rotate DATABASE_PASSWORD')
  const { database_password, next_database_password } = keptKeys()
  expect([database_password, next_database_password]).toEqual([before.database_password, expect.any(String)])
  let client = await superuser()
  await writesInNewSessions(client)
  expect((await jsonOf('doctor')).well).toBe(true)
  expect((await jsonOf('secrets rotate DATABASE_PASSWORD')).secrets[0].state).toBe('replaced')
  expect(keptKeys()).toMatchObject({ database_password: next_database_password })
  expect(Object.keys(keptKeys())).not.toContain('next_database_password')
  await client.end()
  client = await superuser()
  await writesInNewSessions(client)

  const rotate = `secrets rotate ENCRYPTION_KEYS HASH_KEY TOKEN_KEY`
  // The new keys are published, and the stopped service has not read them.
  service!.child.kill('SIGSTOP')
  await killedAt(rotate, () => rings.every((name) => keptKeys()[name]!.includes(',')))
  service!.child.kill('SIGCONT')
  const both = keptKeys()
  for (const name of rings) expect(both[name]!.split(',')[0]).toBe(before[name])
  // A new key is first in its list but not recorded.
  await killedBehind('lock table secret_keys in exclusive mode', rotate, () => isInFront(both))
  // Some values are re-encrypted.
  const last = `(select id from organizations order by id desc limit 1)`
  await killedBehind(`select from organizations where id = ${last} for update`, rotate)
  expect((await sealedOtherwise(client, keptKeys().encryption_keys!)).otherwise).not.toEqual([])
  // An old key is considered unused, and still exists.
  const is_retired = async () =>
    (await client.query("select from secret_keys where retired_at > now() - interval '1 minute'")).rowCount! > 0
  await killedBehind('lock table audit_batches in exclusive mode', `${rotate} --now`, is_retired)
  await writesInNewSessions(client)

  const { secrets } = await jsonOf(`${rotate} --now`)
  expect(secrets.map(({ state }: Record<string, string>) => state)).toEqual(['replaced', 'replaced', 'replaced'])
  const after = keptKeys()
  for (const name of rings) expect(after[name]).toBe(both[name]!.split(',')[1])
  expect((await sealedOtherwise(client, after.encryption_keys!)).otherwise).toEqual([])
  expect((await jsonOf('audit verify')).faults).toEqual([])
  const used = await client.query(
    `select count(*)::int as times
       from audit_batches, unnest(operations, resource_ids) as entry (operation, resource_id)
      where operation = 'use_secret' and resource_id !~ '^(DATABASE_PASSWORD|OPERATOR_KEY)' group by resource_id`,
  )
  expect(used.rows).toEqual(Array.from({ length: 6 }, () => ({ times: 1 })))
  await client.end()
})

const isInFront = (both: Record<string, string>): boolean =>
  rings.some((name) => keptKeys()[name]!.split(',')[0] === both[name]!.split(',')[1])

it('replaces keys in the environment with the values that the command prints', async () => {
  const kept = keptKeys()
  const settings = Object.fromEntries(rings.map((name) => [name.toUpperCase(), kept[name]!]))
  const rotate = async (line: string) => {
    const { out, err } = await command(`secrets rotate ENCRYPTION_KEYS HASH_KEY TOKEN_KEY --json${line}`, settings)
    expect(err).toBe('')
    return JSON.parse(out).secrets as Record<string, string>[]
  }
  const restart = async () => {
    await service!.end()
    service = await startServiceProcess({ DATA_DIR, ...settings })
    ob = new OpenBenefits({ baseUrl: service.url!, apiKey: api_key })
    await ob.employers.create(anEmployer())
  }
  const lasts: unknown[] = []
  for (const line of ['', ' --finish', ' --finish --now']) {
    const reported_to = await rotate(line)
    for (const { secret, state, value, last } of reported_to) {
      expect([secret, state]).toEqual([expect.stringMatching(/_KEYS?$/), 'to_set'])
      settings[secret!] = value!
      lasts.push(last)
    }
    await restart()
  }
  expect(lasts).toEqual([false, false, false, false, false, false, true, true, true])
  for (const name of rings) {
    expect(settings[name.toUpperCase()]).not.toContain(',')
    expect(settings[name.toUpperCase()]).not.toBe(kept[name])
  }
  expect((await rotate(' --finish')).map(({ state }) => state)).toEqual(rings.map(() => 'unchanged'))
  // A replaced key is not accepted again.
  const earlier = await command('doctor', { ...settings, HASH_KEY: `${kept.hash_key},${settings.HASH_KEY}` })
  expect(earlier.out).toContain('with a key that was replaced')
  const verified = JSON.parse((await command('audit verify --json', settings)).out)
  expect(verified.faults).toEqual([])
})

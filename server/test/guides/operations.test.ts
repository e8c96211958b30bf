import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text as readAll } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { OpenBenefits } from 'openbenefits'
import { OpenBenefitsOperator } from 'openbenefits/operator'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addOperatorCommands } from '../../cli/commands.ts'
import { findRunning, startCluster } from '../../../packages/embedded-postgres/cluster.ts'
import { newSecretKeys } from '../../security/secrets.ts'
import { readPidFile } from '../../../packages/embedded-postgres/process.ts'
import { start, startWith, type Ended } from '../../../cli/test/command.ts'
import { dataFolder } from '../postgres/data-folder.ts'
import { blockOf, blocksIn, maskVariables, readDocument, runStepsIn, stepsIn } from './code-blocks.ts'
import { startServiceProcess, type ServiceProcess } from '../service/service-process.ts'

/** A live installation as operators have it: one process on its embedded database, starting with an empty folder. */
const base = dataFolder('operating')
const DATA_DIR = join(base, '.data')
const [backups, vault] = [join(base, 'backups'), join(base, 'vault')]
const collected: string[] = []
const collector = createServer((request, response) => {
  void readAll(request).then((body) => collected.push(body))
  response.end('{}')
})
let service: ServiceProcess | undefined
let api_key: string
let ob: OpenBenefits
let operator: OpenBenefitsOperator

const keptKeys = () => JSON.parse(readFileSync(join(DATA_DIR, 'secrets.json'), 'utf8')) as Record<string, string>

/** Runs a command that requires access to the machine of the service. */
const command = (line: string, settings: Record<string, string> = {}) =>
  start(line, { DATA_DIR, SANDBOX: 'false', ...settings }, '', undefined, [addOperatorCommands]).ended
/** A command of the guide, with the folders of the test. */
const asShown = (block: string) =>
  block
    .trim()
    .replace(/^.*npx openbenefits /, '')
    .replace('/backups/2026-11-20', join(backups, 'loaded'))
    .replace('/vault/openbenefits', vault)
const jsonOf = async (line: string) => JSON.parse((await command(`${line} --json`)).out)

beforeAll(async () => {
  await once(collector.listen(0, '127.0.0.1'), 'listening')
  await once(terminal.listen(0, '127.0.0.1'), 'listening')
  service = await startServiceProcess({ DATA_DIR, SANDBOX: 'false', METRICS_PORT: '0', ...collecting() })
})

afterAll(async () => {
  await service?.end('SIGTERM')
  collector.close()
  terminal.close()
  rmSync(base, { recursive: true, force: true })
})

const collecting = () => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
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

/** Runs the commands of shells in documents, and waits until no job is due. */
const terminal = createServer((request, response) => {
  const done = request.url === '/sleep' ? waitForJobs() : typed(request)
  void done.then(({ code, out, err }) => response.writeHead(code === 0 ? 200 : 422).end(out + err))
})

/** A command as a shell sends it: its environment and its words. */
async function typed(request: IncomingMessage): Promise<Ended> {
  const [settings = '', words = ''] = (await readAll(request)).split('\u0001')
  const env = settings.split('\0').map((each) => [each.split('=', 1)[0], each.slice(each.indexOf('=') + 1)])
  const former = process.cwd()
  process.chdir(base)
  try {
    const own = { ...Object.fromEntries(env), XDG_CONFIG_HOME: base }
    return await startWith(words.split('\0').slice(0, -1), own, '', undefined, [addOperatorCommands]).ended
  } finally {
    process.chdir(former)
  }
}

async function waitForJobs(): Promise<Ended> {
  const client = await superuser(DATA_DIR)
  const due = 'select from graphile_worker.jobs where run_at <= now() and attempts < max_attempts'
  while ((await client.query(due)).rowCount! > 0) await pause(50)
  await client.end()
  return { code: 0, out: '', err: '' }
}

const shell = () => {
  const at = `http://127.0.0.1:${(terminal.address() as AddressInfo).port}`
  return `npm() { :; }
sleep() { curl -s ${at}/sleep; }
npx() {
  shift
  output=$(mktemp)
  status=$({ env -0; printf '\\001'; printf '%s\\0' "$@"; } |
    curl -s -o $output -w '%{http_code}' --data-binary @- ${at}/)
  cat $output
  rm $output
  [ "$status" = 200 ]
}`
}

it('runs the commands of the first hour and of an upgrade as documented', async () => {
  const steps = ['first-hour', 'upgrading'].flatMap((page) =>
    stepsIn(blocksIn(readDocument(`docs/operating/${page}.md`))),
  )
  expect(steps.length).toBeGreaterThan(8)
  const here = steps.map(({ command, shown }) => ({
    command: command.replaceAll('http://127.0.0.1:8080', service!.url!),
    shown,
  }))
  const { input, complaints } = await runStepsIn(base, shell(), here)
  expect([input.map(maskVariables), complaints]).toEqual([steps.map(({ shown }) => maskVariables(shown)), ''])
})

it('lets an operator onboard a partner', async () => {
  const { operator_key } = await jsonOf('owner --name Ada --email ada@example.com')
  operator = new OpenBenefitsOperator({ baseUrl: service!.url!, apiKey: operator_key })
  const user = await operator.users.create({ name: 'Pia Lund', email: 'pia@example.com' })
  const northwind = { name: 'Northwind', type: 'BROKERAGE', admin_user_id: user.id } as const
  const { id: organization_id } = await operator.organizations.create(northwind)
  const key = await operator.apiKeys.create({
    user_id: user.id,
    organization_id,
    name: 'first',
    mode: 'live',
  })
  api_key = key.api_key
  ob = new OpenBenefits({ baseUrl: service!.url!, apiKey: api_key })
})

it('reports a healthy installation with the doctor command, and names the problems of another', async () => {
  const findings = await jsonOf('doctor')
  const wrong = findings.findings.filter(({ state }: { state: string }) => state === 'wrong')
  expect([findings.well, wrong]).toEqual([true, []])
  const checks = findings.findings.map(({ check }: { check: string }) => check)
  for (const check of ['settings', 'database', 'workers', 'clock', 'migrations', 'keys', 'jobs', 'daily run', 'disk'])
    expect(checks).toContain(check)
  const people = await command(asShown(blockOf('docs/operating/monitoring.md', 'npx openbenefits doctor\n')))
  expect(people.out).toMatch(/^warning +settings +PUBLIC_URL is not set$/m)
  expect(people.out).toMatch(/^settings: Set it to the URL at which partners reach the service/m)

  const client = await superuser(DATA_DIR)
  await client.query(
    `select graphile_worker.add_job('run_days', run_at := now() + interval '1 year', job_key := 'stuck')`,
  )
  await client.query(`select graphile_worker.permanently_fail_jobs(array(
    select id from graphile_worker.jobs where key = 'stuck'))`)
  const unwell = await command('doctor')
  expect(unwell.code).toBe(1)
  expect(unwell.out).toMatch(/^WRONG +failed jobs +1 failed in all attempts$/m)
  await client.query(
    `select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs where key = 'stuck'))`,
  )
  await client.end()

  const other_key = await command('doctor', { HASH_KEY: keptKeys().token_key! })
  expect([other_key.code, other_key.out]).toEqual([1, expect.stringMatching(/^WRONG +keys +The hash key differs/m)])
  const misspelled = await command('doctor', { PORT: 'none' })
  expect([misspelled.code, misspelled.out]).toEqual([1, expect.stringMatching(/^WRONG +settings +The setting PORT/m)])
  expect(await jsonOf('migrate')).toEqual({ applied: [], warnings: [] })
})

it('reads settings from files, and refuses a setting given in both ways', async () => {
  const file = join(base, 'hash_key')
  writeFileSync(file, `${keptKeys().hash_key}\n`)
  expect((await command('doctor', { HASH_KEY_FILE: file })).code).toBe(0)
  const both = await command('doctor', { HASH_KEY_FILE: file, HASH_KEY: keptKeys().hash_key! })
  expect(both.out).toContain('The settings HASH_KEY and HASH_KEY_FILE are both set')
  expect((await command('doctor', { HASH_KEY_FILE: join(base, 'none') })).out).toContain('cannot be read (ENOENT)')
})

it('serves the metrics on a separate port', async () => {
  const text = await (await fetch(service!.metrics_url!)).text()
  expect(text).toMatch(/^http_requests_total\{operation="employers_create",method="POST",status="201"\} \d+$/m)
  expect(text).toMatch(/^job_runs_total\{task="run_days",outcome="done"\} \d+$/m)
})

async function superuserUrl(data_dir: string): Promise<string> {
  const { database_password } = JSON.parse(readFileSync(join(data_dir, 'secrets.json'), 'utf8'))
  return (await findRunning(data_dir, database_password))!.url
}

/** A session as the superuser of the embedded database in a folder. */
async function superuser(data_dir: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: await superuserUrl(data_dir) })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

type Rows = Map<string, string[]>

/** Every row of every table, as text. */
async function rowsOf(client: pg.Client): Promise<Rows> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class where relkind in ('r', 'p') and not relispartition
      and relnamespace in (select oid from pg_namespace where nspname in ('public', 'graphile_worker'))`,
  )
  const found: Rows = new Map()
  for (const { name } of tables) {
    const { rows } = await client.query<{ row: string }>(`select whole::text as row from ${name} as whole order by 1`)
    found.set(
      name,
      rows.map(({ row }) => row),
    )
  }
  return found
}

const positionOf = (lsn: string) => {
  const [high = '', low = ''] = lsn.split('/')
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}

/** Creates employers until stopped. Returns each with a later position in PostgreSQL's log. */
function loadOf(url: string, writers: number) {
  const pool = new pg.Pool({ connectionString: url, max: writers })
  const made: { id: string; by: bigint }[] = []
  const over = new AbortController()
  const write = async () => {
    while (!over.signal.aborted) {
      const { id } = await ob.employers.create(anEmployer())
      const { rows } = await pool.query<{ lsn: string }>('select pg_current_wal_insert_lsn() as lsn')
      made.push({ id, by: positionOf(rows[0]!.lsn) })
    }
  }
  const writing = Promise.all(Array.from({ length: writers }, write))
  const stop = () => {
    over.abort()
    return writing.then(() => pool.end())
  }
  return { made, stop }
}

/** Tables to which the load only adds rows. */
const only_added = ['employers', 'employer_admins', 'webhook_events', 'audit_batches']

it('restores exactly the rows of a backup that was made under load', async () => {
  const client = await superuser(DATA_DIR)
  for (let count = 0; count < 20; count++) await ob.employers.create(anEmployer())
  const before = await rowsOf(client)
  const load = loadOf(await superuserUrl(DATA_DIR), 4)
  const folder = join(backups, 'loaded')
  const info = await jsonOf(asShown(blockOf('docs/operating/database.md', 'npx openbenefits backup /backups/2026')))
  await load.stop()
  const live = await rowsOf(client)
  await client.end()
  expect(info.keys).toMatch(/^[0-9a-f]{16}$/)
  expect(readdirSync(vault)).toEqual([`keys-${info.keys}.json`])
  expect(readFileSync(join(folder, 'backup.json'), 'utf8')).not.toContain(keptKeys().hash_key)

  // Keys that do not match the data must be detected now, while the correct ones still exist.
  const { hash_key } = newSecretKeys()
  const other = await command(`backup ${join(backups, 'other')} --keys ${vault}`, { HASH_KEY: hash_key })
  expect([other.code, other.err]).toEqual([1, expect.stringContaining('HASH_KEY')])
  expect([existsSync(join(backups, 'other')), readdirSync(vault)]).toEqual([false, [`keys-${info.keys}.json`]])

  // Destroys everything: both processes at once, and every file.
  const postgres = readPidFile(join(DATA_DIR, 'postgres'))!.pid
  await service!.end('SIGKILL')
  process.kill(postgres, 'SIGKILL')
  const full = await command(`restore ${folder} --keys ${vault}`)
  expect([full.code, full.err]).toEqual([2, expect.stringContaining('contains data')])
  rmSync(DATA_DIR, { recursive: true, maxRetries: 20 })
  expect((await command('doctor')).out).toContain(`There is no database in ${DATA_DIR}.`)
  expect(existsSync(DATA_DIR), 'the doctor command changes nothing').toBe(false)

  const damaged = damage(folder)
  const refused = await command(`restore ${folder} --keys ${vault}`)
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('was changed')])
  expect(existsSync(join(DATA_DIR, 'postgres'))).toBe(false)
  damaged.restore()
  // The remains of a restore that was killed after the database was renamed but before the keys were written.
  mkdirSync(join(DATA_DIR, 'postgres'))
  writeFileSync(join(DATA_DIR, 'secrets.json.new-restored'), '{}')
  expect((await command(`restore ${folder} --keys ${base}`)).err).toMatch(
    /keys of this backup: keys-[0-9a-f]+\.json\.$/m,
  )
  const restore = asShown(
    blockOf('docs/operating/database.md', 'DATA_DIR=/var/lib/openbenefits npx openbenefits restore'),
  )
  const restored = await command(restore)
  expect([restored.code, restored.err]).toEqual([0, ''])
  expect(restored.out).toMatch(/is the live database as of .*\. All \d+ rows in \d+ tables are readable\./)

  const cluster = await startCluster({ data_dir: DATA_DIR, password: keptKeys().database_password! })
  const again = await superuser(DATA_DIR)
  const back = await rowsOf(again)
  await again.end()
  await cluster.stop()
  const end = positionOf(info.end_lsn)
  const held = load.made.filter(({ by }) => by <= end)
  const ids = new Set(back.get('employers')!.map((row) => /empr_\w+/.exec(row)![0]))
  expect(held.length, 'written while it was copied').toBeGreaterThan(0)
  expect(held.filter(({ id }) => !ids.has(id))).toEqual([])
  for (const name of only_added) {
    const [were, are] = [new Set(live.get(name)), new Set(back.get(name))]
    expect(
      [...are].filter((row) => !were.has(row)),
      name,
    ).toEqual([])
    expect(
      before.get(name)!.filter((row) => !are.has(row)),
      name,
    ).toEqual([])
  }
  const untouched = [...live.keys()].filter((name) => isSame(before.get(name)!, live.get(name)!))
  expect(untouched.length).toBeGreaterThan(40)
  for (const name of untouched) expect(back.get(name), name).toEqual(live.get(name))

  // The restored keys find the values that they hashed.
  service = await startServiceProcess({ DATA_DIR, SANDBOX: 'false', ...collecting() })
  ob = new OpenBenefits({ baseUrl: service!.url!, apiKey: api_key })
  const { ein } = anEmployer()
  await ob.employers.create({ ...anEmployer(), ein })
  await expect(ob.employers.create({ ...anEmployer(), ein })).rejects.toMatchObject({ code: 'EIN_ALREADY_EXISTS' })
})

it('sends requests and jobs to a trace collector, below the span of the caller', async () => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  const headers = { traceparent, authorization: `Bearer ${api_key}` }
  expect((await fetch(`${service!.url}/v1/employers?search=secret`, { headers })).status).toBe(200)
  expect(await service!.end()).toBe(0)
  service = undefined
  const spans = collected.join('')
  expect(spans).toContain('"service.name"')
  expect(spans).toMatch(
    /"traceId":"0af7651916cd43dd8448eb211c80319c"[^}]*"parentSpanId":"b7ad6b7169203331"[^}]*"employers_list"/,
  )
  expect(spans).toContain('"run_days"')
  expect(spans).not.toContain('secret')
})

const isSame = (a: string[], b: string[]) => a.length === b.length && a.every((row, at) => row === b[at])

/** Changes the hash of one file in the manifest, as if the file had changed since. */
function damage(folder: string) {
  const path = join(folder, 'backup_manifest')
  const whole = readFileSync(path, 'utf8')
  const changed = whole.replace(/("Path": "PG_VERSION"[^}]*"Checksum": ")[0-9a-f]{8}/, '$100000000')
  expect(changed).not.toBe(whole)
  const upto = changed.slice(0, changed.lastIndexOf('"Manifest-Checksum"'))
  const checksum = createHash('sha256').update(upto).digest('hex')
  writeFileSync(path, `${upto}"Manifest-Checksum": "${checksum}"}\n`)
  return { restore: () => writeFileSync(path, whole) }
}

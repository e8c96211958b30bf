import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi, describe } from 'vitest'
import { dataFolder } from '../../server/test/postgres/data-folder.ts'
import { findPackage, preparePrograms } from './programs.ts'
import { databaseUrl, startCluster, type Cluster } from './cluster.ts'
import { ensureDatabase } from './roles.ts'
import { memorySettings } from './data-directory.ts'

const is_root = process.geteuid?.() === 0
const has_namespaces = spawnSync('unshare', ['--user', '--map-user=65534', 'true']).status === 0
const has_mounts = spawnSync('unshare', ['--mount', 'setpriv', '--reuid=65534', 'true']).status === 0
const other_user = 65534
const password = 'p@ss word/%'

const base = dataFolder('c')
const template_folder = join(base, 'made-once')
const processes: ChildProcess[] = []
const clusters: Cluster[] = []

beforeAll(async () => {
  // Other users run these programs, so they must be able to read them.
  chmodSync(base, 0o755)
  await (await start({ data_dir: template_folder })).stop()
})

afterAll(async () => {
  for (const child of processes) child.kill('SIGKILL')
  await Promise.all(clusters.map((cluster) => cluster.stop()))
  for (const folder of readdirSync(base)) {
    const pid = serverPid(join(base, folder))
    if (pid && isAlive(pid)) process.kill(pid, 'SIGQUIT')
  }
  rmSync(base, { recursive: true })
})

type Options = Partial<Parameters<typeof startCluster>[0]> & { data_dir: string }

async function start(options: Options): Promise<Cluster> {
  const cluster = await startCluster({ password, ...options })
  clusters.push(cluster)
  try {
    await ensureDatabase(cluster, 'openbenefits')
  } catch (error) {
    await cluster.stop()
    throw error
  }
  return cluster
}

let folders = 0
/** Copies a folder with a stopped cluster, which takes a tenth of the time of creating one. */
function madeFolder(): string {
  const folder = join(base, `made-${folders++}`)
  cpSync(template_folder, folder, { recursive: true })
  return folder
}
const newFolder = () => join(base, `new-${folders++}`)

async function query(cluster: { url: string }, text: string) {
  const client = new pg.Client({ connectionString: cluster.url })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

/** Starts the cluster in another process, which prints the result and then runs `next`. */
async function startElsewhere(options: Options, { next = '', uid }: { next?: string; uid?: number } = {}) {
  const script = `
    import pg from ${JSON.stringify(import.meta.resolve('pg'))}
    import { startCluster } from ${JSON.stringify(new URL('cluster.ts', import.meta.url).href)}
    import { ensureDatabase } from ${JSON.stringify(new URL('roles.ts', import.meta.url).href)}
    const print = (message) => console.log(JSON.stringify(message))
    process.on('SIGINT', () => {})
    try {
      const { at = 0, ...options } = ${JSON.stringify({ password, ...options })}
      while (Date.now() < at);
      const cluster = await startCluster(options)
      await ensureDatabase(cluster, 'openbenefits')
      print({ url: cluster.url, adopted: cluster.adopted })
      setInterval(() => {}, 1000)
      ${next}
    } catch ({ message }) { print({ refused: message }); process.exitCode = 1 }`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
    uid,
    cwd: '/',
  })
  processes.push(child)
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]()
  const receive = async () => JSON.parse((await lines.next()).value ?? '{}')
  return { child, receive, kill: () => kill(child) }
}

function kill(child: ChildProcess) {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  return ended
}

const serverPid = (data_dir: string) => {
  const file = join(data_dir, 'postgres', 'postmaster.pid')
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : undefined
}

function isAlive(pid: number) {
  try {
    // In a container without an init process, dead processes stay as zombies without a command.
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== ''
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('a first start creates the database openbenefits, private to this user and crash-safe', async () => {
  const data_dir = newFolder()
  const cluster = await start({ data_dir })
  expect(cluster.adopted).toBe(false)
  const [settings] = await query(
    cluster,
    `select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit,
       current_setting('full_page_writes') as pages, current_setting('listen_addresses') as tcp,
       current_setting('timezone') as timezone, current_setting('jit') as jit, datname as database,
       datlocprovider as provider, datlocale as locale, pg_encoding_to_char(encoding) as encoding
     from pg_database where datname = current_database()`,
  )
  expect(settings).toEqual({
    database: 'openbenefits',
    fsync: 'on',
    commit: 'on',
    pages: 'on',
    tcp: '',
    timezone: 'UTC',
    jit: 'off',
    provider: 'b',
    locale: 'C.UTF-8',
    encoding: 'UTF8',
  })
  expect(statSync(data_dir).mode & 0o777).toBe(is_root ? 0o710 : 0o700)
  expect(statSync(join(data_dir, 'postgres')).mode & 0o777).toBe(0o700)
  expect(readdirSync(data_dir).toSorted()).toEqual(['lock', 'owner', 'postgres', 'postgres.log'])
  for (const file of ['lock', 'owner', 'postgres.log'])
    expect(statSync(join(data_dir, file)).mode & 0o777, file).toBe(0o600)

  const wrong = cluster.url.replace(encodeURIComponent(password), 'wrong')
  await expect(query({ url: wrong }, 'select')).rejects.toThrow('password authentication failed')

  const other = await ensureDatabase(cluster, 'other "one"')
  expect(await ensureDatabase(cluster, 'other "one"')).toBe(other)
  expect(databaseUrl(cluster, 'other "one"')).toBe(other)
  expect(await query({ url: other }, 'select current_database() as name')).toEqual([{ name: 'other "one"' }])
  await cluster.stop()
})

test('a restart keeps the data, and stopping twice is harmless', async () => {
  const data_dir = madeFolder()
  const first = await start({ data_dir })
  await query(first, `create table notes as select 'kept' as text`)
  const pid = serverPid(data_dir)!
  await Promise.all([first.stop(), first.stop()])
  expect(isAlive(pid)).toBe(false)
  expect(readdirSync(data_dir)).not.toContain('owner')

  const second = await start({ data_dir })
  expect(second.adopted).toBe(false)
  expect(await query(second, 'select text from notes')).toEqual([{ text: 'kept' }])
  await second.stop()
})

test('adopts the server of a killed process with all acknowledged writes', async () => {
  const data_dir = madeFolder()
  const next = `
    const client = new pg.Client({ connectionString: cluster.url })
    await client.connect()
    await client.query('create table notes (number int)')
    for (let number = 1; ; number++) { await client.query('insert into notes values ($1)', [number]); print(number) }`
  const other = await startElsewhere({ data_dir }, { next })
  const { url } = await other.receive()
  while ((await other.receive()) < 20);
  const pid = serverPid(data_dir)
  await other.kill()
  let acknowledged = 20
  for (let number = await other.receive(); typeof number === 'number'; number = await other.receive())
    acknowledged = number

  const cluster = await start({ data_dir })
  expect(cluster).toMatchObject({ adopted: true, url })
  expect(serverPid(data_dir)).toBe(pid)
  const [{ count }] = await query(cluster, 'select count(*)::int from notes')
  expect(count).toBeGreaterThanOrEqual(acknowledged)
  await cluster.stop()
  expect(isAlive(pid!)).toBe(false)
})

test('a server left running with other settings is stopped, not adopted', async () => {
  const data_dir = madeFolder()
  const other = await startElsewhere({ data_dir, durable: false })
  await query(await other.receive(), `create table notes as select 'kept' as text`)
  await other.kill()

  const cluster = await start({ data_dir })
  expect(cluster.adopted).toBe(false)
  expect(await query(cluster, `select text, current_setting('fsync') as fsync from notes`)).toEqual([
    { text: 'kept', fsync: 'on' },
  ])
  await cluster.stop()
})

test('a second process is refused with the name of the first one', async () => {
  const data_dir = madeFolder()
  const other = await startElsewhere({ data_dir })
  const { url } = await other.receive()
  await expect(start({ data_dir })).rejects.toThrow(`in use by process ${other.child.pid} (node`)
  expect(await query({ url }, 'select 1 as answer')).toEqual([{ answer: 1 }])
  await other.kill()

  const cluster = await start({ data_dir })
  await expect(start({ data_dir }), 'the same process, a second time').rejects.toThrow(
    `in use by process ${process.pid} (node`,
  )
  expect(await query(cluster, 'select 1 as answer')).toEqual([{ answer: 1 }])
  await cluster.stop()
})

test('if several processes start on a new directory at the same time, exactly one succeeds', async () => {
  const options = { data_dir: newFolder(), at: Date.now() + 700 }
  const others = await Promise.all([1, 2, 3].map(() => startElsewhere(options)))
  const received = await Promise.all(others.map(({ receive }) => receive()))
  const winner = others[received.findIndex(({ url }) => url)]!
  expect(received.filter(({ url }) => url)).toHaveLength(1)
  for (const { refused } of received.filter(({ url }) => !url))
    expect(refused).toContain(`in use by process ${winner.child.pid}`)
  await winner.kill()
  await (await start(options)).stop()
})

test('a process killed during initdb does not break the next start', async () => {
  const data_dir = newFolder()
  const other = await startElsewhere({ data_dir })
  const isMaking = () => readdirSync(data_dir).some((name) => existsSync(join(data_dir, name, 'data', 'base')))
  while (!existsSync(data_dir) || !isMaking()) await sleep(5)
  await other.kill()
  expect(existsSync(join(data_dir, 'postgres'))).toBe(false)

  const cluster = await start({ data_dir })
  expect(await query(cluster, 'select 1 as answer')).toEqual([{ answer: 1 }])
  await cluster.stop()
  while (readdirSync(data_dir).some((name) => name.startsWith('postgres.new'))) {
    // initdb outlived its parent and the removal of its folder, and has failed by now.
    await (await start({ data_dir })).stop()
  }
})

test('after a crash, a reused pid of another process is ignored', async () => {
  const data_dir = madeFolder()
  const other = await startElsewhere({ data_dir })
  await query(await other.receive(), `create table notes as select 'kept' as text`)
  const pid_file = join(data_dir, 'postgres', 'postmaster.pid')
  const pid = serverPid(data_dir)!
  process.kill(pid, 'SIGKILL')
  await other.kill()
  const bystander = spawn('sleep', ['60'])
  processes.push(bystander)
  writeFileSync(pid_file, readFileSync(pid_file, 'utf8').replace(`${pid}`, `${bystander.pid}`))

  const cluster = await start({ data_dir })
  expect(cluster.adopted).toBe(false)
  expect(await query(cluster, 'select text from notes')).toEqual([{ text: 'kept' }])
  expect(bystander.exitCode ?? bystander.signalCode).toBe(null)
  await cluster.stop()
})

test('Ctrl-C in a terminal does not reach the server, nor do PostgreSQL’s own variables', async () => {
  vi.stubEnv('PGPORT', '99')
  const data_dir = madeFolder()
  const other = await startElsewhere({ data_dir })
  const { url } = await other.receive()
  process.kill(-other.child.pid!, 'SIGINT')
  expect(await query({ url }, `select current_setting('port') as port`)).toEqual([{ port: '5432' }])
  await other.kill()
  await (await start({ data_dir })).stop()
  vi.unstubAllEnvs()
})

test.runIf(process.platform === 'linux')('the server gets no secrets of the service', async () => {
  vi.stubEnv('STRIPE_KEY', 'sk_secret')
  const data_dir = madeFolder()
  const cluster = await start({ data_dir })
  expect(readFileSync(`/proc/${serverPid(data_dir)}/environ`, 'utf8')).not.toContain('sk_secret')
  expect(readFileSync(`/proc/${serverPid(data_dir)}/cmdline`, 'utf8')).not.toContain(password)
  await cluster.stop()
  vi.unstubAllEnvs()
})

test('refuses another major version, foreign files, a lost password and broken settings', async () => {
  const older = newFolder()
  mkdirSync(join(older, 'postgres'), { recursive: true })
  writeFileSync(join(older, 'postgres', 'PG_VERSION'), '17\n')
  await expect(start({ data_dir: older })).rejects.toThrow(
    /was written by PostgreSQL 17 and this release includes PostgreSQL 18/,
  )

  rmSync(join(older, 'postgres', 'PG_VERSION'))
  writeFileSync(join(older, 'postgres', 'photo.jpg'), '')
  await expect(start({ data_dir: older })).rejects.toThrow(/holds files but no PostgreSQL database/)

  const data_dir = madeFolder()
  await expect(start({ data_dir, password: 'wrong' })).rejects.toThrow(/refuses the stored password/)

  writeFileSync(join(data_dir, 'postgres', 'postgresql.conf'), `shared_buffers = 'plenty'`)
  await expect(start({ data_dir })).rejects.toThrow(/did not start, and its log .* ends with:\n[^]*shared_buffers/)
})

test('a path too long for a socket gets a private folder, never one of another user', async () => {
  const data_dir = join(newFolder(), 'a-long-name-'.repeat(8))
  cpSync(template_folder, data_dir, { recursive: true })
  const cluster = await start({ data_dir })
  const socket_folder = new URL(cluster.url).searchParams.get('host')!
  expect(statSync(socket_folder).mode & 0o777).toBe(0o700)
  expect(await query(cluster, 'select 1 as answer')).toEqual([{ answer: 1 }])
  await cluster.stop()

  rmSync(socket_folder, { recursive: true })
  symlinkSync(base, socket_folder)
  await expect(start({ data_dir })).rejects.toThrow(/is not a private folder/)
  rmSync(socket_folder)
})

/** Information about the machine that a superuser of the database can get by reading files and running programs. */
async function spy(cluster: Cluster, secrets: string) {
  const refusalOf = (text: string) =>
    query(cluster, text).then(
      () => 'not refused',
      (error: Error) => error.message.split(':').at(-1)!.trim(),
    )
  await query(cluster, 'create table if not exists identity (line text)')
  await query(cluster, `copy identity from program 'id -u; id -g; id -G; grep CapEff /proc/self/status | cut -f 2'`)
  const reported = (await query(cluster, 'table identity')).map(({ line }) => line)
  return {
    passwords: await refusalOf(`select pg_read_file('/etc/shadow')`),
    secrets: await refusalOf(`select pg_read_file('${secrets}')`),
    identity: reported,
  }
}

test.runIf(is_root)('as root, a superuser of the database cannot read files of root', async () => {
  const data_dir = newFolder()
  const cluster = await start({ data_dir, durable: false })
  const secrets = join(data_dir, 'secrets.json')
  writeFileSync(secrets, '{}', { mode: 0o600 })
  const { uid, gid } = statSync(join(data_dir, 'postgres'))
  expect(await spy(cluster, secrets)).toMatchObject({
    passwords: 'Permission denied',
    secrets: 'Permission denied',
    identity: [`${uid}`, `${gid}`, `${gid}`, '0000000000000000'],
  })
  expect(uid, 'an unused user id').toBe(60_720)
  expect(statSync(data_dir)).toMatchObject({ uid: 0, gid, mode: 0o40710 })
  await cluster.stop()
})

test.runIf(is_root && has_mounts)(
  'as root, a data directory below a folder of root is reachable, but nothing else in it',
  async () => {
    const home = newFolder()
    mkdirSync(home, { mode: 0o700 })
    writeFileSync(join(home, 'letter'), 'for root', { mode: 0o644 })
    const data_dir = join(home, 'far', 'data')
    const cluster = await start({ data_dir, durable: false })
    expect(await spy(cluster, join(home, 'letter'))).toMatchObject({
      passwords: 'Permission denied',
      secrets: 'No such file or directory',
    })
    expect(statSync(home).mode & 0o777).toBe(0o700)
    expect(readdirSync(home).toSorted()).toEqual(['far', 'letter'])
    await cluster.stop()

    await expect(start({ data_dir, abilities: { mounts: false } })).rejects.toThrow(
      `That user cannot enter ${home}. Let other users enter it (chmod o+x ${home})`,
    )
  },
)

test.runIf(is_root && has_namespaces)('data that root created, and a server left on it, change owners', async () => {
  const data_dir = newFolder()
  const before = { data_dir, durable: false, abilities: { other_users: false } }
  const input: string[] = []
  const other = await startElsewhere(before)
  await query(await other.receive(), `create table notes as select 'kept' as text`)
  expect(statSync(join(data_dir, 'postgres')).uid).toBe(0)
  const pid = serverPid(data_dir)!
  await other.kill()

  const cluster = await start({ data_dir, durable: false })
  expect(cluster.adopted, 'it ran as root by another name').toBe(false)
  expect(isAlive(pid)).toBe(false)
  expect(await query(cluster, 'select text from notes')).toEqual([{ text: 'kept' }])
  expect((await spy(cluster, join(data_dir, 'lock'))).passwords).toBe('Permission denied')
  await cluster.stop()
  const files = readdirSync(join(data_dir, 'postgres'), { recursive: true, encoding: 'utf8' })
  expect(files.filter((file) => statSync(join(data_dir, 'postgres', file)).uid !== 60_720)).toEqual([])

  // If PostgreSQL cannot run as a separate user, the start logs a warning about the risk.
  const alone = await start({ ...before, data_dir: newFolder(), log: (message) => input.push(message) })
  expect(await query(alone, 'select 1 as answer')).toEqual([{ answer: 1 }])
  expect(input).toContainEqual(expect.stringContaining('can read every file that this process can'))
  await alone.stop()
})

test.runIf(is_root)('data of an ordinary user keeps its owner when root starts it', async () => {
  const data_dir = madeFolder()
  spawnSync('chown', ['-R', `${other_user}:${other_user}`, join(data_dir, 'postgres')])
  const cluster = await start({ data_dir, durable: false })
  expect(statSync(join(data_dir, 'postgres')).uid).toBe(other_user)
  expect((await spy(cluster, join(data_dir, 'lock'))).identity[0]).toBe(`${other_user}`)
  await cluster.stop()
})

test.runIf(is_root)('programs that the user cannot reach are copied', () => {
  const { native, version } = findPackage()
  const checkout = newFolder()
  mkdirSync(checkout, { mode: 0o700 })
  cpSync(native, join(checkout, 'native'), { recursive: true, verbatimSymlinks: true })
  const data_dir = newFolder()
  mkdirSync(data_dir, { mode: 0o755 })
  const user = { uid: other_user, gid: other_user }
  const owner = { prefix: [], user, files: user }
  const programs = preparePrograms({ native: join(checkout, 'native'), version, is_ours: true }, owner, data_dir)
  expect(programs).toBe(join(data_dir, `programs-${version}`))
  const { stdout } = spawnSync(join(programs, 'bin', 'initdb'), ['--version'], { ...user, encoding: 'utf8' })
  expect(stdout).toContain('PostgreSQL')
})

const other_user_can_run =
  is_root &&
  spawnSync(process.execPath, [findPackage().native, '--version'], { uid: other_user, gid: other_user }).status !== null
test.runIf(other_user_can_run)('an ordinary user needs no special setup', async () => {
  const data_dir = newFolder()
  mkdirSync(data_dir)
  chownSync(data_dir, other_user, other_user)
  const other = await startElsewhere({ data_dir, durable: false }, { uid: other_user })
  const { url } = await other.receive()
  expect(await query({ url }, 'select 1 as answer')).toEqual([{ answer: 1 }])
  expect(statSync(join(data_dir, 'postgres')).uid).toBe(other_user)
  await other.kill()

  const cluster = await start({ data_dir, durable: false })
  expect(cluster.adopted, 'root after the user, once with sudo').toBe(true)
  await cluster.stop()
})

test('uses another PostgreSQL if its bin folder is set, and refuses an invalid folder', async () => {
  const other = join(base, 'other')
  cpSync(findPackage().native, other, { recursive: true, verbatimSymlinks: true })
  const bin = join(other, 'bin')
  const data_dir = madeFolder()
  const cluster = await start({ data_dir, postgres_bin: bin })
  expect(await query(cluster, 'select 1 as one')).toEqual([{ one: 1 }])
  expect(readFileSync(join(data_dir, 'postgres', 'postmaster.opts'), 'utf8')).toContain(join(bin, 'postgres'))
  await cluster.stop()

  const none = (folder: string) => expect(() => findPackage(folder)).toThrow('must be the bin folder of a PostgreSQL')
  none(join(base, 'nowhere', 'bin'))
  none(other)
  writeFileSync(join(bin, 'postgres'), '#!/bin/sh\necho "postgres (PostgreSQL) 17.6"\n')
  expect(() => findPackage(bin)).toThrow('POSTGRES_BIN has PostgreSQL 17.6; 18 or later is needed.')
})

describe('the memory settings', () => {
  const GiB = 2 ** 30

  test.each([
    [0.5 * GiB, '128MB', '256MB', '64MB', '1024MB'],
    [2 * GiB, '512MB', '1024MB', '128MB', '1024MB'],
    [8 * GiB, '1024MB', '4096MB', '256MB', '2048MB'],
    [64 * GiB, '1024MB', '32768MB', '256MB', '4096MB'],
  ])('derives the settings of PostgreSQL from %s bytes of memory', (bytes, ...expected) => {
    expect(Object.values(memorySettings(bytes))).toEqual(expected)
  })
})

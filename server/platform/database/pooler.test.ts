import { afterAll, describe, expect, inject, it } from 'vitest'
import { setTimeout as pause } from 'node:timers/promises'
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { makeOwner } from '../../cli/owner.ts'
import { anEmployer, aPerson } from '../../test/cast.ts'
import { pooler_version, startPooler } from '../../test/pooler.ts'
import { startServiceProcess, type ServiceProcess } from '../../test/service.ts'
import { roles_password, run } from '../../test/setup.ts'
import { roleUrls } from '../postgres/roles.ts'
import { newSecretKeys } from '../secrets.ts'
import { readSettings } from '../settings.ts'
import { openDatabase } from './database.ts'
import { no_organization } from './rows-of.ts'

if (pooler_version === undefined) console.warn('PgBouncer is not installed here: nothing is tried behind it.')

const closing: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closing.reverse()) await close()
})

/** More than wait for a session at once, so that each is handed around. */
const sessions = 4

/** A new database with a pooler in front, and the settings of processes that go by it. */
async function stage() {
  const maintenance_url = inject('maintenance_url')
  const name = `pooled_${randomUUID().replaceAll('-', '')}`
  await run(maintenance_url, `create database ${name} owner openbenefits_owner`)
  closing.push(() => run(maintenance_url, `drop database ${name} with (force)`))
  const { url, migration_url } = roleUrls({ url: maintenance_url }, roles_password, name)
  const pooler = await startPooler(url, sessions)
  closing.push(() => pooler.stop())
  const secrets = Object.entries(newSecretKeys()).map(([key, value]) => [key.toUpperCase(), value])
  const settings: Record<string, string> = {
    ...(Object.fromEntries(secrets) as Record<string, string>),
    DATABASE_URL: pooler.url,
    DIRECT_DATABASE_URL: url,
    MIGRATION_DATABASE_URL: migration_url,
    PREPARED_STATEMENTS: 'false',
    SANDBOX: 'false',
    DRAIN_SECONDS: '1',
  }
  const start = async (ROLE: string) => {
    const started = await startServiceProcess({ ...settings, ROLE })
    closing.push(() => started.child.exitCode === null && started.end('SIGKILL'))
    return started
  }
  return { url, pooler, settings, start }
}

type Told = { id: string; api_key: string; name: string; census_sync_id: string; state: string }
type Answered = { status: number; body: { data: Told; pagination: { total: number } } }

/** Requests that go to processes that are ready, in turns, and what was answered wrongly. */
function openFront(processes: ServiceProcess[]) {
  const errors: string[] = []
  let turn = 0
  const ask = async (key: string, method: string, path: string, body?: object): Promise<Answered> => {
    const headers = { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) }
    const { url } = processes[turn++ % processes.length]!
    try {
      const answer = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
      const text = await answer.text()
      if (!answer.ok) errors.push(`${method} ${path}: ${answer.status} ${text}`)
      return { status: answer.status, body: JSON.parse(text) as Answered['body'] }
    } catch (error) {
      errors.push(`${method} ${path}: ${String(error)}`)
      return { status: 0, body: {} as Answered['body'] }
    }
  }
  return { ask, errors }
}

type Front = ReturnType<typeof openFront>

/** A partner with a key that is not limited, made as an operator makes one. */
async function aPartner({ ask }: Front, operator_key: string, name: string): Promise<string> {
  const operate = async (path: string, body: object) =>
    (await ask(operator_key, 'POST', `/operator/v1${path}`, body)).body.data
  const { id: user_id } = await operate('/users', {
    name: `${name} Lund`,
    email: `${name.toLowerCase()}@partner.example`,
  })
  const organization = { name: `${name} Benefits`, type: 'BROKERAGE', admin_user_id: user_id }
  const { id: organization_id } = await operate('/organizations', organization)
  const wanted = { user_id, organization_id, mode: 'live', name, rate_limited: false }
  return (await operate('/api-keys', wanted)).api_key
}

/** Writes and reads as one partner until told to stop; every employer that it sees must be its own. */
async function work({ ask, errors }: Front, key: string, name: string, over: AbortSignal): Promise<number> {
  let made = 0
  while (!over.aborted) {
    const employer = anEmployer()
    employer.name = `${name} ${employer.name}`
    made++
    const employer_id = (await ask(key, 'POST', '/v1/employers', employer)).body.data?.id
    for (const { body } of await Promise.all([1, 2, 3].map(() => ask(key, 'GET', '/v1/employers?limit=100'))))
      for (const seen of (body.data ?? []) as unknown as Told[])
        if (!seen.name.startsWith(`${name} `)) errors.push(`${name} saw ${seen.name}`)
    await ask(key, 'GET', `/v1/employers/${employer_id}`)
  }
  return made
}

/** A census of an employer, which the worker works off. */
async function census({ ask }: Front, operator_key: string, key: string, employer_id: string): Promise<void> {
  await ask(operator_key, 'POST', `/operator/v1/employers/${employer_id}/subscriptions`, { started_on: '2026-01-01' })
  const path = `/v1/employers/${employer_id}/census-sync`
  const { body } = await ask(key, 'POST', path, { employees: [aPerson(), aPerson()] })
  while ((await ask(key, 'GET', `${path}/${body.data.census_sync_id}`)).body.data?.state !== 'completed')
    await pause(50)
}

describe.skipIf(pooler_version === undefined)(`behind PgBouncer ${pooler_version} in transaction mode`, () => {
  it('serves organizations apart while processes are replaced, and leaves nothing in the sessions', async () => {
    const { url, pooler, settings, start } = await stage()
    const former = await start('api')
    const serving = [former, await start('api')]
    const worker = await start('worker')
    const front = openFront(serving)
    const owner = await makeOwner(readSettings(settings), { name: 'Olive Marsh', email: 'olive@example.com' })
    const names = ['Harbor', 'Rival', 'Lookout']
    const keys = await Promise.all(names.map((name) => aPartner(front, owner, name)))

    const over = new AbortController()
    const working = names.flatMap((name, at) => [1, 2, 3].map(() => work(front, keys[at]!, name, over.signal)))
    // The next one takes over before the former is told to end, of each kind.
    serving.push(await start('api'))
    serving.splice(serving.indexOf(former), 1)
    expect(await former.end()).toBe(0)
    await start('worker')
    expect(await worker.end()).toBe(0)
    over.abort()
    const made = (await Promise.all(working)).reduce((sum, count) => sum + count, 0)

    const lists = await Promise.all(keys.map((key) => front.ask(key, 'GET', '/v1/employers?limit=1')))
    const pick = await front.ask(keys[0]!, 'GET', '/v1/employers?limit=1')
    await census(front, owner, keys[0]!, (pick.body.data as unknown as Told[])[0]!.id)
    expect(front.errors).toEqual([])
    expect(lists.reduce((sum, { body }) => sum + body.pagination.total, 0)).toBe(made)
    expect(await leftBehind(pooler.url, url)).toEqual({ statement_timeout: ['0'], scope: [''], locks_of_migrations: 0 })
  }, 120_000)

  it('holds each statement to its time, though the session is told nothing', async () => {
    const { pooler } = await stage()
    const database = openDatabase({ url: pooler.url, prepared_statements: false })
    closing.push(() => database.close())
    const limit = `select current_setting('statement_timeout') as limit`
    expect(await database.readsOf('somebody', no_organization).json(limit)).toBe('100ms')
    expect(await database.files(no_organization).json(limit)).toBe('1min')
    expect(await database.transaction(no_organization, (db) => db.json(limit))).toBe('1min')
  })
})

/** What the sessions that the pooler hands around were told and still hold. */
async function leftBehind(pooled: string, direct: string) {
  const clients = Array.from({ length: sessions }, () => new pg.Client({ connectionString: pooled }))
  for (const client of clients) await client.connect()
  const found: { limit: string; scope: string | null }[] = []
  for (const client of clients) {
    // Each keeps its session until all have one.
    await client.query('begin')
    const told = `select current_setting('statement_timeout') as limit,
                         coalesce(current_setting('openbenefits.organizations', true), '') as scope`
    found.push((await client.query(told)).rows[0])
  }
  for (const client of clients) await client.end()
  const looking = new pg.Client({ connectionString: direct })
  await looking.connect()
  const { rows } = await looking.query(
    `select count(*)::int as count from pg_locks
      where locktype = 'advisory' and (classid, objid) = (0, hashtext('openbenefits migrations')::bigint::int)`,
  )
  await looking.end()
  const each = <T>(values: T[]) => [...new Set(values)]
  return {
    statement_timeout: each(found.map(({ limit }) => limit)),
    scope: each(found.map(({ scope }) => scope ?? '')),
    locks_of_migrations: rows[0].count,
  }
}

import { setTimeout as pause } from 'node:timers/promises'
import closeWithGrace from 'close-with-grace'
import { buildApp } from './app.ts'
import { claimDatabase } from './claim.ts'
import { greeting, loadKeys, openSandbox, writeSandbox } from './installation.ts'
import { attend, crontab, tasks, turnDay, turnDays } from './modules.ts'
import { readConfig, type Config } from './platform/config.ts'
import { openDatabase } from './platform/db.ts'
import { hrisProvidersOf } from './platform/hris-providers.ts'
import { identityProviderOf } from './platform/identity-provider.ts'
import { openOutbound } from './platform/outbound.ts'
import { startWorker } from './platform/worker.ts'
import { openLog } from './platform/log.ts'
import { migrate } from './platform/migrate.ts'
import { startCluster } from './platform/postgres.ts'
import { openSecrets } from './platform/secrets.ts'
import { stripeAt } from './platform/stripe.ts'
import { Walks } from './platform/walks.ts'
import type { World } from './platform/world.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)

/** Waits for something to end, but not longer than so many milliseconds: what comes after must be closed too. */
const within = (ms: number, ending: Promise<unknown>): Promise<unknown> =>
  Promise.race([ending, pause(ms, undefined, { ref: false })]).catch(() => undefined)

/** Requests and jobs, which end by themselves when given a moment; and what to undo after them, the last first. */
const draining: (() => Promise<unknown>)[] = []
const closing: (() => Promise<unknown>)[] = []

/** Stops everything within 10 seconds. */
async function closeAll(): Promise<void> {
  await Promise.all(draining.splice(0).map((drain) => within(5000, drain())))
  for (const close of closing.splice(0).reverse()) await close()
}

/** Opens the database and all else that requests and jobs need. */
async function openWorld(config: Config): Promise<{ world: World; url: string; operator_key: string }> {
  const keys = loadKeys(config)
  const log = openLog(config.LOG_LEVEL ?? (config.DATABASE_URL ? 'info' : 'warn'))
  let url = config.DATABASE_URL
  if (!url) {
    const starting = startCluster({ data_dir: config.DATA_DIR, password: keys.database_password, log: say })
    // Before it runs: a signal that comes meanwhile must not leave it behind.
    closing.push(async () => (await starting.catch(() => undefined))?.stop())
    const cluster = await starting
    void cluster.ended.then(() => {
      // Whoever supervises us starts both anew; what was committed is there.
      throw new Error(`PostgreSQL has ended by itself; its last words are in ${config.DATA_DIR}/postgres.log.`)
    })
    url = cluster.url
  }
  const database = openDatabase({ url, prepared_statements: config.PREPARED_STATEMENTS })
  closing.push(() => within(500, database.close()))
  await migrate(database)
  const kind = await claimDatabase(database, keys, config)
  const world: World = {
    database,
    clock: Date.now,
    log,
    secrets: openSecrets(keys),
    settings: { sandbox: kind === 'sandbox', public_url: config.PUBLIC_URL ?? null },
    identity_provider: identityProviderOf(config),
    outbound: openOutbound({ allow_loopback: config.ALLOW_PRIVATE_WEBHOOKS }),
    stripe: stripeAt({ url: config.STRIPE_API_URL }),
    hris_providers: hrisProvidersOf(config),
    walks: new Walks(),
    turnDay,
  }
  closing.push(() => within(500, world.outbound.close()))
  return { world, url, operator_key: keys.operator_key }
}

async function listen(world: World, config: Config): Promise<string> {
  const app = await buildApp(world, {
    cors_origins: config.CORS_ORIGINS,
    rate_limit: { per_minute: config.RATE_LIMIT_PER_MINUTE, burst: config.RATE_LIMIT_BURST },
    trusted_proxies: config.TRUSTED_PROXIES,
  })
  draining.push(() => app.close())
  return app.listen({ port: config.PORT, host: config.HOST })
}

async function work(world: World, url: string, config: Config): Promise<void> {
  // What can't be turned for one organization must not keep the service from all; the schedule tries again.
  await turnDays(world).catch((error) => world.log.error({ err: error }, 'not all days could be turned'))
  const worker = await startWorker(world, url, {
    tasks,
    crontab,
    concurrency: config.WORKER_CONCURRENCY,
    prepared_statements: config.PREPARED_STATEMENTS,
  })
  draining.push(worker.stop, attend(world, url).stop)
}

async function start(): Promise<void> {
  const config = readConfig(process.env)
  const { world, url, operator_key } = await openWorld(config)
  const story = world.settings.sandbox ? await openSandbox(world, config) : undefined
  if (config.ROLE !== 'api') await work(world, url, config)
  if (config.ROLE === 'worker') {
    say('The worker of OpenBenefits is ready.')
    return
  }
  const address = await listen(world, config)
  if (story) writeSandbox(config, { base_url: address, ...story, operator_key })
  for (const line of greeting(address, config, story?.api_key, process.stdout.isTTY)) say(line)
}

let stopping = false

closeWithGrace({ delay: 10_000 }, async ({ err }) => {
  stopping = true
  if (err) process.stderr.write(`${err.stack}\n`)
  await closeAll()
})

try {
  await start()
} catch (error) {
  if (!stopping) await giveUp(error)
}

async function giveUp(error: unknown): Promise<void> {
  process.stderr.write(`OpenBenefits can't start: ${sentenceOf(error)}\n`)
  await closeAll()
  process.exit(1)
}

function sentenceOf(error: unknown): string {
  const { code, message, address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number }
  if (code === 'EADDRINUSE') return `another program listens on ${address}:${port}; set PORT to a free one.`
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND') return `the database of DATABASE_URL can't be reached (${code}).`
  return message
}

/**
 * The project's own benchmarks: `npm run bench`, or `npm run bench -- reads` for one. Machines are noisy and differ, so
 * each tells a ratio to something simple that is measured in turns with it, within the same run. Nothing is asserted.
 */
import { parseArgs } from 'node:util'
import closeWithGrace from 'close-with-grace'
import { book } from './book.ts'
import { census } from './census.ts'
import { engine } from './engine.ts'
import { fuzz } from './fuzz.ts'
import { groups } from './groups.ts'
import { hostile } from './hostile.ts'
import { memory } from './memory.ts'
import { neighbours } from './neighbours.ts'
import { others } from './others.ts'
import { outgrown } from './outgrown.ts'
import { picture } from './picture.ts'
import { planting } from './planting.ts'
import { pooler } from './pooler.ts'
import { reads } from './reads.ts'
import { replica } from './replica.ts'
import { restarts } from './restarts.ts'
import { rolling } from './rolling.ts'
import { is_smoke } from './sizes.ts'
import { closeAll, type Options } from './stage.ts'
import { starts } from './starts.ts'
import { statements } from './statements.ts'
import { storm } from './storm.ts'
import { webhooks } from './webhooks.ts'
import { writers } from './writers.ts'

const benchmarks = {
  reads: { run: reads, title: 'reads: the service beside a bare server with the same statements' },
  others: { run: others, title: 'others: the same reads beside Platformatic DB, PostGraphile and NestJS with Prisma' },
  neighbours: {
    run: neighbours,
    title: 'neighbours: a list of 30 beside 50 searches at once on an employer of 100,000',
  },
  outgrown: { run: outgrown, title: 'outgrown: reads among --size people in 2,000 employers of 20 organizations' },
  census: { run: census, title: 'census: 10,000 new people by census and HRIS sync beside copy of the same rows' },
  groups: { run: groups, title: 'groups: a sync of 10,000 new members beside copy of the same rows' },
  book: { run: book, title: 'book: pages of the employer book at 10,000 employers beside 1,000' },
  engine: { run: engine, title: 'engine: everybody of an employer of --size people beside one of a tenth' },
  statements: {
    run: statements,
    title: 'statements: a month of an employer of 10,000, and what partners notice of it',
  },
  webhooks: { run: webhooks, title: 'webhooks: deliveries to 5 receivers beside a bare loop of signed posts' },
  storm: { run: storm, title: 'storm: 10,000 events to rough receivers while the worker is killed 20 times' },
  restarts: { run: restarts, title: 'restarts: PostgreSQL restarted again and again under a busy worker' },
  rolling: { run: rolling, title: 'rolling: two processes that serve and two that work, replaced under load' },
  writers: { run: writers, title: 'writers: 16 who elect at one organization beside one, and beside 16 organizations' },
  replica: { run: replica, title: 'replica: reads from a streaming replica beside reads from the primary' },
  pooler: { run: pooler, title: 'pooler: the service behind PgBouncer beside itself without' },
  hostile: { run: hostile, title: 'hostile: an innocent read beside 32 senders of wrong bodies' },
  memory: { run: memory, title: 'memory: of the service when it is ready, and after ten censuses of 10,000' },
  stage: { run: planting, title: 'stage: until the three large organizations of a sandbox are there' },
  starts: { run: starts, title: 'starts: until the service is ready' },
  picture: { run: picture, title: 'picture: of the figures in docs/performance.md' },
  fuzz: { run: fuzz, title: 'fuzz: generated requests, right and wrong, at the service with the sandbox in it' },
}

/** Those that are done once, and not in rounds. */
const once: string[] = ['engine', 'storm', 'restarts', 'rolling', 'memory', 'picture', 'fuzz']

/** Those that are only done when they are asked for: the fuzzer takes long and compares nothing, PgBouncer may be missing, and others are installed. */
const by_name: string[] = ['fuzz', 'others', 'picture', 'pooler']

/** Those that a test of `npm test` runs at their smallest size already, which takes half a minute each. */
const run_by_tests: Partial<Record<keyof typeof benchmarks, string>> = {
  rolling: 'server/test/rolling.test.ts',
  restarts: 'server/jobs/worker-restarts.test.ts',
}

const usage = `Use: npm run bench -- [${Object.keys(benchmarks).join(' | ')}] [--rounds 5] [--seconds 3] [--requests 100000] [--seed 1] [--restarts 300] [--size …] [--smoke]`

function readArguments(): { chosen: (keyof typeof benchmarks)[]; options: Options } {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      seconds: { type: 'string', default: '3' },
      rounds: { type: 'string', default: '5' },
      requests: { type: 'string', default: '100000' },
      seed: { type: 'string', default: '1' },
      restarts: { type: 'string', default: '300' },
      size: { type: 'string' },
      smoke: { type: 'boolean', default: false },
    },
  })
  const unknown = positionals.find((name) => !Object.hasOwn(benchmarks, name))
  if (unknown !== undefined) throw new Error(`There is no benchmark ${unknown}. ${usage}`)
  if (values.smoke) return { chosen: namesOf(positionals, () => true), options: smallest }
  const options = {
    seconds: Number(values.seconds),
    rounds: Number(values.rounds),
    requests: Number(values.requests),
    seed: Number(values.seed),
    restarts: Number(values.restarts),
    size: values.size === undefined ? undefined : Number(values.size),
  }
  if (!Object.values(options).every((value = 1) => Number.isInteger(value) && value > 0)) {
    throw new Error(
      `--seconds, --rounds, --requests, --seed, --restarts and --size take whole numbers from 1. ${usage}`,
    )
  }
  return { chosen: namesOf(positionals, (name) => !by_name.includes(name)), options }
}

/** The benchmarks that are named, or else those that are done unless others are named. */
const namesOf = (named: string[], isUsual: (name: string) => boolean) =>
  (named.length > 0 ? named : Object.keys(benchmarks).filter(isUsual)) as (keyof typeof benchmarks)[]

/** The smallest run of each benchmark (`--smoke`), as smoke.test.ts uses it. */
const smallest: Options = { seconds: 0.2, rounds: 1, requests: 60, seed: 1, restarts: 2, size: undefined }

let stopping = false
closeWithGrace({ delay: 30_000 }, async ({ err }) => {
  stopping = true
  if (err) console.error(err)
  await closeAll()
})

try {
  const { chosen, options } = readArguments()
  for (const name of chosen) {
    const spread = once.includes(name) ? '' : `: median (least – most) of ${options.rounds} rounds`
    console.log(`${benchmarks[name].title}${spread}`)
    const test = is_smoke ? run_by_tests[name] : undefined
    if (test) console.log(`  NOT RUN: ${test} runs it`)
    else await benchmarks[name].run(options)
    await closeAll()
  }
} catch (error) {
  // What fails because we are ending it is no news.
  if (!stopping) {
    console.error((error as Error).message)
    await closeAll()
    process.exit(1)
  }
}

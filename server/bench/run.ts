/**
 * The benchmarks: `npm run bench`, or `npm run bench -- reads` for one. Machines differ and are noisy, so most figures
 * are ratios to a control that is measured in turns with the service in the same run. Nothing is asserted.
 */
import { parseArgs } from 'node:util'
import closeWithGrace from 'close-with-grace'
import { census } from './census.ts'
import { engine } from './engine.ts'
import { growth } from './growth.ts'
import { closeAll, countClosing, is_smoke, startService, type Options } from './harness/service.ts'
import { hostile } from './hostile.ts'
import { hours } from './hours.ts'
import { neighbors } from './neighbors.ts'
import { reads } from './reads.ts'
import { webhooks } from './webhooks.ts'
import { writes } from './writes.ts'

const benchmarks = {
  reads: { run: reads, title: 'the service compared with a bare server that runs the same statements' },
  census: { run: census, title: '10,000 new people by census and HRIS sync compared with COPY of the same rows' },
  hours: { run: hours, title: 'a month of hours of --size people compared with COPY of the same rows' },
  engine: { run: engine, title: 'an employer of --size people compared with one of a tenth' },
  neighbors: {
    run: neighbors,
    title: 'requests of one organization alongside the work of another, and compared with the same rows by SQL',
  },
  webhooks: { run: webhooks, title: 'deliveries to 5 receivers compared with a bare loop of signed posts' },
  writes: { run: writes, title: 'four writes of partners compared with a bare server that inserts the same rows' },
  growth: { run: growth, title: 'reads among --size people, compared with a tenth of them' },
  hostile: { run: hostile, title: 'a read alongside 32 clients that send invalid bodies' },
}
type Name = keyof typeof benchmarks

const names = Object.keys(benchmarks).join(' | ')
const usage = `Usage: npm run bench -- [${names}] [--rounds 5] [--seconds 3] [--size 100000]`

function readArguments(): { chosen: Name[]; options: Options } {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      seconds: { type: 'string', default: '3' },
      rounds: { type: 'string', default: '5' },
      size: { type: 'string' },
      smoke: { type: 'boolean', default: false },
    },
  })
  const names = Object.keys(benchmarks) as Name[]
  const unknown = positionals.find((name) => !Object.hasOwn(benchmarks, name))
  if (unknown !== undefined) throw new Error(`Unknown benchmark: ${unknown}. ${usage}`)
  const [seconds, rounds, size] = [values.seconds, values.rounds, values.size ?? 1].map(Number)
  if (![seconds, rounds, size].every((value) => Number.isInteger(value) && value! > 0))
    throw new Error(`--seconds, --rounds and --size must be positive integers. ${usage}`)
  return {
    chosen: names.filter((name) => positionals.length === 0 || positionals.includes(name)),
    options: is_smoke
      ? { seconds: 0.1, rounds: 1, size: undefined }
      : { seconds: seconds!, rounds: rounds!, size: values.size === undefined ? undefined : size! },
  }
}

let stopping = false
closeWithGrace({ delay: 30_000 }, async ({ err }) => {
  stopping = true
  if (err) console.error(err)
  await closeAll()
})

try {
  const { chosen, options } = readArguments()
  if (is_smoke) await startService()
  const kept = countClosing()
  for (const name of chosen) {
    console.log(`${name}: ${benchmarks[name].title}. Medians (least – most) of ${options.rounds} rounds.`)
    await benchmarks[name].run(options)
    await closeAll(kept)
  }
  await closeAll()
} catch (error) {
  // Ignore errors caused by our own shutdown.
  if (!stopping) {
    console.error((error as Error).message)
    await closeAll()
    process.exit(1)
  }
}

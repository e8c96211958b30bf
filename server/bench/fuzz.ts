import { openDatabase } from '../platform/database/database.ts'
import { every_organization } from '../platform/database/rows-of.ts'
import { startCluster } from '../platform/postgres/cluster.ts'
import { ensureRoles } from '../platform/postgres/roles.ts'
import { fuzz as fire, tableOf, type Target } from '../test/fuzz/fuzz.ts'
import type { Done, Greeting, Request } from './fuzz-service.ts'
import { answerOf, later, startHelper, temporaryFolder, type Options } from './stage.ts'

/** Fires generated requests at the service, and tells what was wrong with the answers: test/fuzz/fuzz.ts says how. */
export async function fuzz({ requests, seed }: Options): Promise<void> {
  const report = await fire(await openTarget(), { requests, seed })
  const { slowest, longest_hold, faults, undone } = report
  for (const line of tableOf(report)) console.log(line)
  console.log(`  never done: ${undone.join(', ') || 'nothing'}`)
  console.log(`  slowest answer: ${Math.round(slowest.ms)} ms, ${slowest.operation}`)
  console.log(`  longest hold of the event loop: ${Math.round(longest_hold.ms)} ms, during ${longest_hold.during}`)
  for (const { operation, fault, times, curl } of faults)
    console.log(`! ${operation} ${fault} (${times} times)\n  ${curl.slice(0, 3000)}`)
  console.log(`  ${report.requests} requests, seed ${seed}: ${faults.length === 0 ? 'nothing' : faults.length} wrong`)
}

/** The service with the sandbox's story on a database of its own, in another process. */
async function openTarget(): Promise<Target> {
  const starting = startCluster({ data_dir: temporaryFolder(), password: 'bench', durable: false })
  later(() => starting.then((cluster) => cluster.stop()).catch(() => undefined))
  const cluster = await starting
  const { url, migration_url } = await ensureRoles(cluster, 'bench', 'openbenefits')
  const database = openDatabase({ url: cluster.url, read_connections: 1 })
  later(() => database.close())
  const helper = startHelper('fuzz-service.ts', { DATABASE_URL: url, MIGRATION_DATABASE_URL: migration_url })
  const greeting = await answerOf<Greeting>(helper)

  let today = '2026-03-10'
  let number = 0
  const waiting = new Map<number, (done: Done) => void>()
  helper.on('message', (done: Done) => waiting.get(done.number)?.(done))
  const ask = async (request: Pick<Request, 'do' | 'ms'>): Promise<Done> => {
    const asked = ++number
    const done = await new Promise<Done>((resolve) => {
      waiting.set(asked, resolve)
      helper.send({ ...request, number: asked } satisfies Request)
    })
    waiting.delete(asked)
    today = done.today
    return done
  }
  return {
    ...greeting,
    db: database.reads(every_organization),
    work: async () => void (await ask({ do: 'work' })),
    pass: async (ms) => void (await ask({ do: 'pass', ms })),
    today: () => today,
    hold: async () => (await ask({ do: 'hold' })).hold_ms,
  }
}

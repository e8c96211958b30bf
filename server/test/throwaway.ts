import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { startCluster, type Cluster } from '../../packages/embedded-postgres/cluster.ts'
import { ensureDatabase } from '../../packages/embedded-postgres/roles.ts'
import { dataFolder } from './folders.ts'

/**
 * A PostgreSQL for a run of tests, in a folder of its own. It ends with the run, however that ends: a process that only
 * waits for the end of the pipe from us, which the system closes when we are killed, stops what we could not.
 */
export async function startThrowawayPostgres(): Promise<Pick<Cluster, 'url' | 'stop'>> {
  const folder = dataFolder('test')
  // In a group of its own, which Ctrl-C does not reach.
  const heir = spawn(process.execPath, [join(import.meta.dirname, 'heir.ts'), folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  heir.unref()
  heir.stdin.on('error', () => undefined)
  const cluster = await startCluster({ data_dir: folder, password: 'test', durable: false })
  await ensureDatabase(cluster, 'openbenefits')
  return {
    url: cluster.url,
    stop: async () => {
      await cluster.stop()
      rmSync(folder, { recursive: true, force: true })
      heir.stdin.end()
    },
  }
}

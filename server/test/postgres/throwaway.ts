import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { startCluster, type Cluster } from '../../../packages/embedded-postgres/cluster.ts'
import { ensureDatabase } from '../../../packages/embedded-postgres/roles.ts'
import { dataFolder } from './data-folder.ts'

/**
 * Starts a PostgreSQL for a test run in a separate folder. It ends with the run in any case: a helper process waits for
 * the pipe to close, which the system does even if the run is killed, and then stops PostgreSQL.
 */
export async function startThrowawayPostgres(): Promise<Pick<Cluster, 'url' | 'stop'>> {
  const folder = dataFolder('test')
  // In a separate process group, which does not receive Ctrl-C.
  const cleanup = spawn(process.execPath, [join(import.meta.dirname, 'stop-on-exit.ts'), folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  cleanup.unref()
  cleanup.stdin.on('error', () => undefined)
  const cluster = await startCluster({ data_dir: folder, password: 'test', durable: false })
  await ensureDatabase(cluster, 'openbenefits')
  return {
    url: cluster.url,
    stop: async () => {
      await cluster.stop()
      rmSync(folder, { recursive: true, force: true })
      cleanup.stdin.end()
    },
  }
}

import { restartUnderLoad } from '../test/restarts.ts'
import { line } from './figures.ts'
import { temporaryFolder, type Options } from './stage.ts'

/**
 * Restarts of PostgreSQL, fast and immediate in turns, under a worker that always has jobs: seconds until it goes on.
 */
export async function restarts({ restarts }: Options): Promise<void> {
  const seconds = { SIGINT: [] as number[], SIGQUIT: [] as number[] }
  await restartUnderLoad(temporaryFolder(), restarts, ({ manner, ms }) => seconds[manner].push(ms / 1000))
  console.log(line('fast', seconds.SIGINT, 'seconds until a new job was done'))
  console.log(line('immediate', seconds.SIGQUIT, 'seconds until a new job was done'))
}

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { line } from './figures.ts'
import { createEmployer, fillRoster } from './partner.ts'
import { sized } from './sizes.ts'
import { startAgain, startService, type Service } from './stage.ts'

const run = promisify(execFile)

/** What a process of ours has in memory, in megabytes. */
async function residentOf({ server }: Service): Promise<number> {
  const { stdout } = await run('ps', ['-o', 'rss=', '-p', String(server.pid)])
  return Number(stdout) / 1024
}

/** Resident memory of the service, without PostgreSQL: when it is ready, and after ten censuses of 10,000 people. */
export async function memory(): Promise<void> {
  // Not the one that makes the database and its sandbox, which happens once.
  const service = await startAgain(await startService())
  const idle = await residentOf(service)
  for (let count = 0; count < 10; count++) await fillRoster(service, await createEmployer(service), sized(10_000, 20))
  console.log(line('idle', [idle], 'MB'))
  console.log(line('after ten', [await residentOf(service)], 'MB, after ten censuses of 10,000'))
}

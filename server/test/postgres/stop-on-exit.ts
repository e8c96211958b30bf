/**
 * Waits until its parent process has ended. Then stops the PostgreSQL whose data is in a folder, if it still runs, and
 * removes the folder.
 */
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { findServer, stopServer } from '../../../packages/embedded-postgres/process.ts'
import { findPackage } from '../../../packages/embedded-postgres/programs.ts'

const folder = process.argv[2]!
const pgdata = join(folder, 'postgres')
await once(process.stdin.resume(), 'close')
const pid = findServer(pgdata)
if (pid !== undefined) await stopServer({ pgdata, programs: findPackage().native }, pid, 1_000)
rmSync(folder, { recursive: true, force: true })

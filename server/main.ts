/**
 * The door. Where the service brings its own PostgreSQL, that is started before the rest is even loaded, and gets ready
 * meanwhile.
 */
import { setImmediate as turn } from 'node:timers/promises'
import { startOwnAhead } from '../packages/embedded-postgres/own.ts'

startOwnAhead(process.env)
// To load the rest is one long turn of the event loop: what starts PostgreSQL comes before it.
await turn()
await import('./service.ts')

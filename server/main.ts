/**
 * The entry point. An embedded PostgreSQL starts before the rest of the service is loaded, so that both happen at the
 * same time.
 */
import { setImmediate as turn } from 'node:timers/promises'
import { startEmbeddedAhead } from '../packages/embedded-postgres/embedded-cluster.ts'

startEmbeddedAhead(process.env)
// Loading the rest blocks the event loop, so PostgreSQL must be started first.
await turn()
await import('./service.ts')

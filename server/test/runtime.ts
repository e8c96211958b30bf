import { integrations, runDay } from '../modules.ts'
import type { Clock } from '../runtime/ctx.ts'
import type { Database } from '../database/query/database.ts'
import { openEventWaits } from '../runtime/event-waits.ts'
import { readConfig } from '../kernel/config.ts'
import { openIntegrations } from '../kernel/integration.ts'
import { queueIn } from '../jobs/enqueue.ts'
import { openLog } from '../runtime/log.ts'
import { openOutbound, type OutboundOptions } from '../integrations/outbound/outbound.ts'
import { openSecrets, type SecretKeys } from '../security/secrets.ts'
import { PageAnchors } from '../database/sql/page-anchors.ts'
import type { Runtime } from '../runtime/runtime.ts'
import { openTrail } from '../http/audit/audit-log.ts'

/** Noon in New York on a day, as epoch milliseconds: where the clock of the tests stands. */
export const noon = (day: string): number =>
  Temporal.PlainDate.from(day).toZonedDateTime({ timeZone: 'America/New_York', plainTime: '12:00' }).epochMilliseconds

/** Where every name leads unless a test says otherwise: to the open internet, without asking it. */
const somewhere = async () => [{ address: '93.184.216.34', family: 4 }]

/** A runtime over a test database. LOG_LEVEL shows what the service logs. */
export const testRuntime = (
  database: Database,
  keys: SecretKeys,
  clock: Clock,
  outbound: OutboundOptions = { allow_loopback: false, resolve: somewhere },
): Runtime => {
  const log = openLog(process.env.LOG_LEVEL ?? 'silent')
  const secrets = openSecrets(keys)
  return {
    database,
    clock,
    log,
    secrets,
    settings: { sandbox: true, public_url: null, audit_retention_years: 6 },
    // Nobody is there: a test that wants Stripe puts its fake here, and one that wants Finch says where its fake is.
    integrations: openIntegrations(
      integrations,
      readConfig({ STRIPE_API_URL: 'http://127.0.0.1:1', FINCH_URL: 'http://127.0.0.1:9' }, integrations),
    ),
    outbound: openOutbound(outbound),
    page_anchors: new PageAnchors(),
    runDay,
    queueIn,
    event_waits: openEventWaits(database, clock),
    trail: openTrail({ database, clock, secrets, log }),
  }
}

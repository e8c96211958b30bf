import { reads } from '../interface-reads.ts'
import { integrations } from '../modules.ts'
import { hasDailyWork, runDay } from '../daily-run.ts'
import type { Clock } from '../runtime/ctx.ts'
import type { Database } from '../database/query/database.ts'
import { openEventWaits } from '../runtime/event-waits.ts'
import { readConfig } from '../kernel/config.ts'
import { openIntegrations } from '../kernel/integration.ts'
import { openQueue } from '../jobs/enqueue.ts'
import { openLog } from '../runtime/process/log.ts'
import { openOutbound, type OutboundOptions } from '../integrations/outbound/outbound.ts'
import { openSecrets, type SecretKeys } from '../security/secrets.ts'
import { PageAnchors } from '../database/sql/page-anchors.ts'
import type { Runtime } from '../runtime/runtime.ts'
import { openAuditLog } from '../http/audit/audit-log.ts'

/** Noon in New York on a day as epoch milliseconds, which is the time of the test clock. */
export const noon = (day: string): number =>
  Temporal.PlainDate.from(day).toZonedDateTime({ timeZone: 'America/New_York', plainTime: '12:00' }).epochMilliseconds

/** Resolves every name to a public address without a query, unless a test overrides it. */
const somewhere = async () => [{ address: '93.184.216.34', family: 4 }]

/** A runtime with a test database. LOG_LEVEL shows the log of the service. */
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
    // Unreachable addresses. Tests of Stripe and Finch replace them with a fake.
    integrations: openIntegrations(
      integrations,
      readConfig({ STRIPE_API_URL: 'http://127.0.0.1:1', FINCH_URL: 'http://127.0.0.1:9' }, integrations),
    ),
    outbound: openOutbound(outbound),
    page_anchors: new PageAnchors(),
    runDay,
    hasDailyWork,
    reads,
    queueIn: openQueue(database),
    event_waits: openEventWaits(database, clock),
    audit_log: openAuditLog({ database, clock, secrets, log }),
  }
}

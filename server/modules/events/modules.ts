import type { Module } from '../../runtime/module.ts'
import * as scheduledExports from './scheduled-exports/routes.ts'
import * as webhooks from './webhooks/routes.ts'
import * as activity from './activity/routes.ts'
import * as webhookDeliveries from './webhook-deliveries/routes.ts'
import { mailer } from '../../integrations/mail/mailer.ts'
import { dailyExports, tasks as scheduled_exports_tasks } from './scheduled-exports/actions.ts'
import { hasExportsDue } from './scheduled-exports/queries.ts'
import { cleanUpDeliveries, tasks as webhook_deliveries_tasks } from './webhook-deliveries/actions.ts'
import { deliverWebhooks } from './webhook-deliveries/background.ts'

/** The modules of the district in order: each imports only from those above, and from districts below. */
export const events_modules: Module[] = [
  { name: 'webhooks', tables: ['webhook_subscriptions'], endpoints: webhooks.endpoints },
  { name: 'activity', tables: [], endpoints: activity.endpoints },
  {
    name: 'scheduled-exports',
    integrations: [mailer],
    tables: ['scheduled_exports', 'export_deliveries'],
    endpoints: scheduledExports.endpoints,
    tasks: scheduled_exports_tasks,
    runDay: [dailyExports],
    hasDailyRun: hasExportsDue,
  },
  {
    name: 'webhook-deliveries',
    tables: ['webhook_deliveries'],
    endpoints: webhookDeliveries.endpoints,
    tasks: webhook_deliveries_tasks,
    cleanUp: cleanUpDeliveries,
    background: deliverWebhooks,
  },
]

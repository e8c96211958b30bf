import type { Block } from './code-blocks.ts'

const pagesOf = (folder: string, names: string): string[] => names.split(' ').map((name) => `docs/${folder}/${name}.md`)

/** Pages for integrators, in the order in which one shell runs their commands. */
export const integrating = pagesOf(
  'integrating',
  'first-enrollment authentication errors requests employers people enrollments documents money rosters webhooks',
)

/** Pages for operators, in the order in which one shell runs their commands. */
export const operating = pagesOf(
  'operating',
  'settings database access organizations plan-years daily-work payroll-and-billing monitoring installing',
)

/** The position of a block in lists: its file, heading and first line. */
export function positionOf(file: string, { heading, code }: Block): string {
  const first = code.split('\n').find((line) => line.trim() !== '') ?? ''
  return `${file}: ${heading}: ${first.slice(0, 40)}`
}

/** Blocks outside of shell sessions, each with the test that runs it or compares it with real output. */
export const tested_by: Record<string, string> = {
  'docs/integrating/requests.md: Rate limits: 429': 'server/test/guides/guides.test.ts',
  'docs/integrating/enrollments.md: Enrollments: { "plan_id": "pln_…", "coverage_tier": "':
    'server/modules/directory/ichra/routes.test.ts',
  'docs/integrating/webhooks.md: : {"type":"employee.created","timestamp":"':
    'server/modules/events/webhook-deliveries/delivery.test.ts',
  'docs/integrating/webhooks.md: Reading events without a receiver: npx openbenefits listen --forward-to htt':
    'cli/test/listen.test.ts',
  'docs/scaling.md: Sharding tenants with Citus: npx openbenefits migrate': 'server/test/postgres/sharding.test.ts',
  'docs/operating/settings.md: Sandbox or live: begin;': 'server/test/guides/guides.test.ts',
  'docs/operating/database.md: Your own server: create role benefits_owner login passwor':
    'server/database/schema/roles.test.ts',
  'docs/operating/database.md: Your own server: begin;': 'server/database/schema/roles.test.ts',
  'docs/operating/database.md: Your own server: select count(*) from employers;':
    'server/database/schema/roles.test.ts',
  'docs/operating/database.md: Your own server: alter database benefits owner to benefit':
    'server/database/schema/roles.test.ts',
  'docs/operating/access.md: Secrets: npx openbenefits secrets rotate': 'server/test/key-rotation.test.ts',
  'docs/operating/access.md: Secrets: npx openbenefits secrets rotate --finish': 'server/test/key-rotation.test.ts',
  'docs/operating/access.md: Operators: curl -s $URL/operator/v1/operators -H "A':
    'server/modules/access/operators/routes.test.ts',
  'docs/operating/access.md: Operators: npx openbenefits owner --name "Ada Lindg':
    'server/modules/access/operators/routes.test.ts',
  'docs/operating/monitoring.md: Webhooks: select count(*), now() - min(due_at) as ':
    'server/test/guides/guides.test.ts',
  'docs/operating/monitoring.md: Health and metrics: http_requests_total{operation="employers':
    'server/test/guides/guides.test.ts',
  'docs/operating/monitoring.md: Logs: {"level":30,"time":1795207018392,"pid":2':
    'server/http/observe/request-log.test.ts',
  'docs/operating/access.md: Audit log: npx openbenefits audit verify --from 202':
    'server/modules/access/audit/verify.test.ts',
  'docs/operating/database.md: Backup and restore: npx openbenefits backup /backups/2026-11':
    'server/test/guides/operations.test.ts',
  'docs/operating/database.md: Backup and restore: DATA_DIR=/var/lib/openbenefits npx openb':
    'server/test/guides/operations.test.ts',
  'docs/operating/monitoring.md: Checking the installation: npx openbenefits doctor':
    'server/test/guides/operations.test.ts',
  "docs/operating/email.md: Setting up: SMTP_URL='smtp://user:password@mail.exam":
    'server/modules/coverage/enrollment-messages/sending.test.ts',
  'docs/operating/installing.md: Install: tar xzf openbenefits-service-*.tgz': 'server/test/install.test.ts',
  "docs/widgets.md: Install from npm: import '@openbenefits/widgets/employee-d": 'widgets/test/stage.ts',
  'docs/widgets.md: Back and deep links: const dashboard = document.querySelector': 'widgets/test/details.test.ts',
  'docs/operating/installing.md: Deploy: docker build -f deploy/Containerfile -t ': 'server/test/deploy.test.ts',
}

/** Whether a block is in that list. */
export const isTestedElsewhere = (file: string, block: Block): boolean => positionOf(file, block) in tested_by

import type { Block } from './pasted.ts'

/** How a block is called in lists: by its file, heading and first line. */
export function placeOf(file: string, { heading, code }: Block): string {
  const first = code.split('\n').find((line) => line.trim() !== '') ?? ''
  return `${file}: ${heading}: ${first.slice(0, 40)}`
}

/** Blocks that are no part of a shell's session, each with the test that runs it or holds it against what happens. */
export const held_by: Record<string, string> = {
  'docs/integrating.md: Rate limits: 429': 'server/test/guides.test.ts',
  'docs/integrating.md: Eligibility and enrollments: { "plan_id": "pln_…", "coverage_tier": "':
    'server/modules/directory/ichra/routes.test.ts',
  'docs/integrating.md: Webhooks: {"type":"employee.created","timestamp":"':
    'server/modules/events/webhook-deliveries/delivery.test.ts',
  'docs/integrating.md: Webhooks: npx openbenefits listen --forward-to htt': 'cli/test/listen.test.ts',
  'docs/scaling.md: Tenants over several PostgreSQL: npx openbenefits migrate': 'server/test/dividing.test.ts',
  'docs/operations.md: Settings: begin;': 'server/test/guides.test.ts',
  'docs/operations.md: The database: embedded or your own: create role benefits_owner login passwor':
    'server/database/schema/roles.test.ts',
  'docs/operations.md: The database: embedded or your own: begin;': 'server/database/schema/roles.test.ts',
  'docs/operations.md: The database: embedded or your own: select count(*) from employers;':
    'server/database/schema/roles.test.ts',
  'docs/operations.md: The database: embedded or your own: alter database benefits owner to benefit':
    'server/database/schema/roles.test.ts',
  'docs/operations.md: Secrets and their rotation: npx openbenefits secrets rotate': 'server/test/rotation.test.ts',
  'docs/operations.md: Secrets and their rotation: npx openbenefits secrets rotate --finish':
    'server/test/rotation.test.ts',
  'docs/operations.md: Operators: curl -s $URL/operator/v1/operators -H "A':
    'server/modules/access/operators/routes.test.ts',
  'docs/operations.md: Operators: npx openbenefits owner --name "Ada Lindg':
    'server/modules/access/operators/routes.test.ts',
  'docs/operations.md: Webhooks: select count(*), now() - min(due_at) as ': 'server/test/guides.test.ts',
  'docs/operations.md: Health and metrics: http_requests_total{operation="employers': 'server/test/guides.test.ts',
  'docs/operations.md: Logs: {"level":30,"time":1795207018392,"pid":2': 'server/http/observe/request-log.test.ts',
  'docs/operations.md: The audit trail: npx openbenefits audit verify --from 202':
    'server/modules/access/audit/verify.test.ts',
  'docs/operations.md: Back-up and restore: npx openbenefits backup /backups/2026-11': 'server/test/operating.test.ts',
  'docs/operations.md: Back-up and restore: DATA_DIR=/var/lib/openbenefits npx openb': 'server/test/operating.test.ts',
  'docs/operations.md: Whether all is well: npx openbenefits doctor': 'server/test/operating.test.ts',
  'docs/operations.md: Installing it: tar xzf openbenefits-service-*.tgz': 'server/test/install.test.ts',
  "docs/widgets.md: From npm: import '@openbenefits/widgets/employee-d": 'widgets/test/stage.ts',
  'docs/operations.md: Deploying: docker build -f deploy/Containerfile -t ': 'server/test/deploy.test.ts',
}

/** Whether a block is one of them. */
export const isBeyond = (file: string, block: Block): boolean => placeOf(file, block) in held_by

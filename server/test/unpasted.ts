import type { Block } from './pasted.ts'

/** How a block is called in lists: by its file, heading and first line. */
export function placeOf(file: string, { heading, code }: Block): string {
  const first = code.split('\n').find((line) => line.trim() !== '') ?? ''
  return `${file}: ${heading}: ${first.slice(0, 40)}`
}

/** Blocks of code on pages that no test runs or compares yet, and those of another machine. It may only shrink. */
export const unpasted: string[] = [
  'docs/integrating.md: Rate limits: 429',
  'docs/integrating.md: Eligibility and enrollments: { "plan_id": "pln_…", "coverage_tier": "',
  'docs/integrating.md: Census: {"error":{"code":"invalid_request","mess',
  'docs/integrating.md: Census: {"data":{"census_sync_id":"csyn_01m7xacp',
  'docs/integrating.md: Census: /** Submits a census and waits until it ',
  'docs/integrating.md: Webhooks: {"type":"employee.created","timestamp":"',
  'docs/integrating.md: Webhooks: import os',
  'docs/integrating.md: Webhooks: class HooksController < ActionController',
  'docs/integrating.md: Webhooks: webhook, err := standardwebhooks.NewWebh',
  'docs/integrating.md: Webhooks: @RestController',
  'docs/integrating.md: Webhooks: npx openbenefits listen --forward-to htt',
  'sdk/README.md: : npm install openbenefits',
  'docs/operations.md: Settings: begin;',
  'docs/operations.md: The database: embedded or your own: PGPASSWORD=$(node -p "require(\'./.data/s',
  'docs/operations.md: The database: embedded or your own: create role benefits_owner login passwor',
  'docs/operations.md: The database: embedded or your own: alter database benefits owner to benefit',
  'docs/operations.md: Operators: curl -s $URL/operator/v1/operators -H "A',
  'docs/operations.md: Operators: npx openbenefits owner --name "Ada Lindg',
  'docs/operations.md: Deciding about life events: POST   /operator/v1/dependents/{dependen',
  'docs/operations.md: Setting an enrollment right: curl -s $URL/operator/v1/enrollments/$EN',
  'docs/operations.md: Collecting with Stripe: curl -s -X PUT $URL/operator/v1/organiza',
  'docs/operations.md: Webhooks: select count(*), now() - min(due_at) as ',
  'docs/operations.md: Health and metrics: curl -s $URL/metrics -H "$OPERATOR" | gr',
  'docs/operations.md: Health and metrics: http_requests_total{operation="employers',
  'docs/operations.md: Logs: {"level":30,"time":1795207018392,"pid":2',
  'docs/operations.md: The audit trail: npx openbenefits audit verify --from 202',
  'docs/operations.md: Back-up and restore: npx openbenefits backup /backups/2026-11',
  'docs/operations.md: Back-up and restore: DATA_DIR=/var/lib/openbenefits npx openb',
  'docs/operations.md: Whether all is well: npx openbenefits doctor',
  'docs/operations.md: PgBouncer: ignore_startup_parameters = statement_ti',
]

/** Whether a block is one of them. */
export const isBeyond = (file: string, block: Block): boolean => unpasted.includes(placeOf(file, block))

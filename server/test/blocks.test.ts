import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { sources } from '../platform/docs/contents.ts'
import { blocksIn, readDocument, type Block } from './pasted.ts'

/** Every block of code of every page is pasted, shown as an answer or run as a program, or is named here. */
const files = [...new Set(sources.map(({ file }) => file))]

/** The blocks of a file that are on pages. */
function shownIn(file: string): Block[] {
  const { chapters } = sources.find((source) => source.file === file)!
  return blocksIn(readDocument(file)).filter(
    ({ heading }) => typeof chapters === 'string' || chapters.includes(heading),
  )
}

/** What others than guides.test.ts paste, by the file and heading: readme.test.ts, and year/guides.test.ts. */
const elsewhere = [
  'README.md: The first request',
  'README.md: A short tour',
  'docs/integrating.md: A year with an employer',
  'docs/operations.md: A year of administration',
]

/** Guides that guides.test.ts pastes whole. */
const pasted = [
  'docs/payroll-company.md',
  'docs/broker.md',
  'docs/staffing-platform.md',
  'docs/going-live.md',
  'docs/test-data.md',
  'docs/integrating.md',
]

/** Programs that samples.test.ts runs, by the file, heading and language. */
const programs = ['docs/integrating.md: Errors: ts', 'docs/integrating.md: Webhooks: ts']

/** A document whose programs sdk/test compiles, and runs where they show something. */
const sdk = 'sdk/README.md'

const firstLine = ({ code }: Block) => code.split('\n').find((line) => line.trim() !== '') ?? ''

/** Whether a test runs a block, or holds what it shows against what is answered. */
function isHeld(file: string, block: Block, before: Block[]): boolean {
  const place = `${file}: ${block.heading}`
  if (elsewhere.includes(place)) return true
  if (programs.includes(`${place}: ${block.language}`)) return true
  if (file === sdk && block.language !== 'sh') return true
  if (!pasted.includes(file) || block.code.startsWith('npx openbenefits listen')) return false
  if (block.language === 'sh') return true
  const is_answer = block.more === '' && ['', 'json'].includes(block.language)
  return is_answer && before.some((other) => other.language === 'sh' && other.heading === block.heading)
}

it('each block is held by a test, or is on the list of those that none can run yet', () => {
  const unheld = files.flatMap((file) => {
    const blocks = shownIn(file)
    return blocks
      .filter((block, at) => !isHeld(file, block, blocks.slice(0, at)))
      .map((block) => `${file}: ${block.heading}: ${firstLine(block).slice(0, 40)}`)
  })
  expect(unheld).toEqual(known_unheld)
})

it('every guide is a page', () => {
  const guides = readdirSync(join(import.meta.dirname, '../../docs')).filter((name) => name.endsWith('.md'))
  expect(guides.map((name) => `docs/${name}`).filter((file) => !files.includes(file))).toEqual([])
})

/** Blocks that no test runs, by the file, the heading and their first line. This list may only shrink. */
const known_unheld: string[] = [
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
  'docs/operations.md: The database: embedded or your own: MIGRATION_DATABASE_URL=postgresql://bene',
  'docs/operations.md: The database: embedded or your own: alter database benefits owner to benefit',
  'docs/operations.md: Secrets and their rotation: node -e "const key = () => require(\'cryp',
  'docs/operations.md: Operators: curl -s $URL/operator/v1/operators -H "A',
  'docs/operations.md: Operators: OPERATOR="Authorization: Bearer $(sandbo',
  'docs/operations.md: Operators: Month end',
  'docs/operations.md: Operators: npx openbenefits owner --name "Ada Lindg',
  'docs/operations.md: Signing in: curl -s $URL/operator/v1/operator-invita',
  'docs/operations.md: Signing in: pending',
  'docs/operations.md: Handing out credentials: USER_ID=$(curl -s $URL/operator/v1/users',
  'docs/operations.md: Handing out credentials: {"data":{"id":"key_01m7x9ykr9fex808naczz',
  'docs/operations.md: Handing out credentials: curl -s $URL/operator/v1/employers/$EMPL',
  'docs/operations.md: Handing out credentials: {"data":{"id":"sub_01m7x9ym4wfex808png4t',
  'docs/operations.md: Giving an organization its catalog: curl -s $URL/operator/v1/organizations/$',
  'docs/operations.md: Giving an organization its catalog: {"data":{"carriers":{"created":1,"update',
  "docs/operations.md: Giving an organization its catalog: cat > catalog.csv <<'END'",
  'docs/operations.md: Giving an organization its catalog: {"data":{"carriers":{"created":1,"update',
  "docs/operations.md: Giving an organization its catalog: cat > rates.csv <<'END'",
  'docs/operations.md: Giving an organization its catalog: curl -s $URL/operator/v1/lowest-cost-sil',
  'docs/operations.md: Opening a plan year: CATALOG=$URL/operator/v1/organizations/$',
  'docs/operations.md: Opening a plan year: curl -s -X PATCH $URL/operator/v1/benefi',
  'docs/operations.md: Opening a plan year: curl -s $URL/operator/v1/benefit-plan-ye',
  'docs/operations.md: Opening a plan year: curl -s $URL/operator/v1/benefit-plan-ye',
  'docs/operations.md: What needs somebody today: curl -s "$URL/operator/v1/open-matters?l',
  'docs/operations.md: Deciding about life events: LIFE_EVENT=$(curl -s "$URL/operator/v1/q',
  'docs/operations.md: Deciding about life events: curl -s $URL/operator/v1/qualifying-life',
  'docs/operations.md: Deciding about life events: POST   /operator/v1/dependents/{dependen',
  'docs/operations.md: Setting an enrollment right: curl -s $URL/operator/v1/enrollments/$EN',
  'docs/operations.md: Setting an employment right: curl -s $URL/operator/v1/employees/$EMPL',
  'docs/operations.md: Taking an employer over: curl -s -X PATCH $URL/operator/v1/employ',
  'docs/operations.md: Corrections, and what lies beyond them: curl -s -X PATCH $URL/operator/v1/employ',
  'docs/operations.md: Corrections, and what lies beyond them: curl -s $URL/operator/v1/enrollments/$EN',
  'docs/operations.md: Running a statement day: curl -s $URL/operator/v1/employers/$EMPL',
  'docs/operations.md: Running a statement day: {"data":{"employer_id":"empr_01m7x9ym19f',
  'docs/operations.md: Invoices: INVOICES=$URL/operator/v1/employers/$EMP',
  'docs/operations.md: Collecting with Stripe: curl -s -X PUT $URL/operator/v1/organiza',
  'docs/operations.md: Connecting payroll systems: CONNECTION=$(curl -s $URL/operator/v1/em',
  "docs/operations.md: Connecting payroll systems: cat > roster.csv <<'END'",
  'docs/operations.md: Connecting payroll systems: [{"index":1,"reference_id":"1002","field',
  'docs/operations.md: Connecting payroll systems: curl -s -X PUT $URL/operator/v1/hris-con',
  'docs/operations.md: The test clock of a sandbox: day() { node -p "new Date(Date.now() + $',
  'docs/operations.md: The test clock of a sandbox: {"data":{"organization_id":"org_01m7x9yk',
  'docs/operations.md: Webhooks: select count(*), now() - min(due_at) as ',
  'docs/operations.md: Health and metrics: curl -s $URL/metrics -H "$OPERATOR" | gr',
  'docs/operations.md: Health and metrics: http_requests_total{operation="employers',
  'docs/operations.md: Logs: {"level":30,"time":1795207018392,"pid":2',
  'docs/operations.md: The audit trail: curl -s "$URL/operator/v1/audit-entries?',
  'docs/operations.md: The audit trail: npx openbenefits audit verify --from 202',
  'docs/operations.md: Back-up and restore: cp -a .data /backups/openbenefits-2026-1',
  'docs/operations.md: PgBouncer: ignore_startup_parameters = statement_ti',
]

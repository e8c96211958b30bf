/**
 * Checks that no statement gets more expensive as other organizations join: explains each statement with a few
 * organizations and again with five times as many, and reports those whose estimated cost grows. Part of `npm run check
 * -- --whole`.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
// oxlint-disable-next-line import/no-unassigned-import -- for their statements, which nothing else here declares
import '../runtime/process/installation-lock.ts'
// oxlint-disable-next-line import/no-unassigned-import
import '../app.ts'
import { makeReady } from '../database/schema/roles.ts'
import { scope_setting } from '../database/query/rows-of.ts'
import { statements } from '../database/sql/statement.ts'
import { databaseUrl, startCluster } from '../../packages/embedded-postgres/cluster.ts'
import { ensureRoles } from '../../packages/embedded-postgres/roles.ts'
import { isPlanned } from '../tools/plans/plans.ts'
import { seedPopulation } from './harness/population.ts'
import { openDatabase } from '../database/query/open-database.ts'
import { newSecretKeys } from '../security/secrets.ts'
import { testRuntime } from '../test/runtime.ts'

const all_organizations = 'reads all organizations when none is named, with one index lookup for each'
const bounded = 'looks up at most 1,000 rows that exist in many organizations but not in few'
const few_in_a_partition = 'PostgreSQL underestimates the number of organizations in a partition of events'
const on_each_server = 'reads all organizations of a sharded database, with one query per server'

/** Statements whose cost grows with other organizations, in some variant, and why. This list may only shrink. */
const known_growth: Record<string, string> = {
  'employers.listEmployers': 'counts all employers in reach that a filter keeps',
  'employers.filterEmployers': 'adds up the employers of each kind in all organizations within reach',
  'billing.saveDrafts':
    'scans all invoices of an organization when there are few, and finds each by its key when there are many',
  'employers.bookKeys': on_each_server,
  'employers.bookTotals': on_each_server,
  'overview.findOverview': bounded,
  'organizations.savePassed': 'runs the day of many idle organizations at once',
  'sandbox.findByNames': 'scans all people of an organization, in a sandbox, where there are few',
  'webhooks.listEvents': all_organizations,
  'webhooks.eventsKeys': on_each_server,
  'webhooks.eventsTotals': on_each_server,
  'events.listUnnumberedOnShards':
    'reads the events without a position, and no reader has numbered those of this population',
  'webhooks.followEvents': few_in_a_partition,
}

const begun = { people: 4000, employers: 200, organizations: 10, largest_share: 0.1 }
const joined = { people: 16_000, employers: 800, organizations: 40, largest_share: 0.025 }

/**
 * The tolerated growth of a statement's cost, since indexes get another level and statistics are samples. `more` allows
 * for a few dozen pages, in units of PostgreSQL's planner.
 */
const tolerated = { times: 2, more: 100 }

type Costs = Map<string, number>

/** The cost that PostgreSQL expects for each statement, planned as in the service for any values. */
async function costsOf(client: pg.Client): Promise<Costs> {
  const costs: Costs = new Map()
  for (const statement of statements.values()) {
    if (!isPlanned(statement)) continue
    const { rows } = await client.query(`explain (generic_plan, format json) ${statement.text}`)
    costs.set(statement.name, rows[0]['QUERY PLAN'][0].Plan['Total Cost'])
  }
  return costs
}

/** Each statement whose cost has grown, with both costs. */
const grownOf = (few: Costs, many: Costs): Grown[] =>
  [...many].flatMap(([name, cost]) => {
    const before = few.get(name)!
    if (cost <= before * tolerated.times || cost <= before + tolerated.more) return []
    return {
      name,
      complaint: `${name} costs ${Math.round(before)} with few organizations and ${Math.round(cost)} with many`,
    }
  })

type Grown = { name: string; complaint: string }

/** The name of a statement without its variant. */
const baseOf = (name: string): string => name.replace(/\(.*$/, '')

async function measure(data_dir: string): Promise<Grown[]> {
  const cluster = await startCluster({ data_dir, password: 'growth', durable: false })
  const { url, migration_url } = await ensureRoles(cluster, 'growth', 'openbenefits')
  const owner = new pg.Client({ connectionString: databaseUrl(cluster, 'openbenefits') })
  const service = new pg.Client({ connectionString: url })
  const database = openDatabase({ url })
  const runtime = testRuntime(database, newSecretKeys(), Date.now)
  try {
    await makeReady({ url, migration_url })
    await Promise.all([owner.connect(), service.connect()])
    await service.query(`set enable_seqscan = off; set ${scope_setting} = '*'`)
    await seedPopulation(runtime, owner, begun)
    const few = await costsOf(service)
    await seedPopulation(runtime, owner, joined)
    return grownOf(few, await costsOf(service))
  } finally {
    await Promise.all([owner.end(), service.end(), database.close()])
    await cluster.stop()
  }
}

const data_dir = await mkdtemp(join(tmpdir(), 'openbenefits-growth-'))
const grown = await measure(data_dir).finally(() => rm(data_dir, { recursive: true, force: true }))
const complaints = [
  ...grown.flatMap(({ name, complaint }) => (baseOf(name) in known_growth ? [] : complaint)),
  ...Object.keys(known_growth)
    .filter((base) => !grown.some(({ name }) => baseOf(name) === base))
    .map((base) => `${base} no longer costs more: remove it from known_growth.`),
]
for (const complaint of complaints) process.stderr.write(`${complaint}\n`)
if (complaints.length > 0) process.exitCode = 1

/**
 * Holds that no statement costs more because others have come: explains each at a database of some organizations and
 * again when there are five times as many people, all at other organizations, and complains of every statement that
 * PostgreSQL then expects to cost more. Part of `npm run check -- --whole`.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
// oxlint-disable-next-line import/no-unassigned-import -- for their statements, which nothing else here declares
import '../runtime/installation-lock.ts'
// oxlint-disable-next-line import/no-unassigned-import
import '../app.ts'
import { makeReady } from '../database/schema/roles.ts'
import { scope_setting } from '../database/query/rows-of.ts'
import { statements, type Statement } from '../database/sql/statement.ts'
import { databaseUrl, startCluster } from '../../packages/embedded-postgres/cluster.ts'
import { ensureRoles } from '../../packages/embedded-postgres/roles.ts'
import { plantCrowd } from './crowd.ts'
import { known_growth } from './growth-known.ts'

const begun = { people: 4000, employers: 200, organizations: 10, largest_share: 0.1 }
const joined = { people: 16_000, employers: 800, organizations: 40, largest_share: 0.025 }

/**
 * A statement may cost this many times as much, since indexes get a level and statistics are samples, and that much in
 * any case: a few dozen pages, in units of PostgreSQL's planner.
 */
const tolerated = { times: 2, more: 100 }

type Costs = Map<string, number>

/** What PostgreSQL expects each statement to cost, planned as the service has it planned, for any values. */
async function costsOf(client: pg.Client): Promise<Costs> {
  const costs: Costs = new Map()
  for (const statement of statements.values()) {
    if (!isPlanned(statement)) continue
    const { rows } = await client.query(`explain (generic_plan, format json) ${statement.text}`)
    costs.set(statement.name, rows[0]['QUERY PLAN'][0].Plan['Total Cost'])
  }
  return costs
}

/** PostgreSQL plans what reads and writes rows, and not what sets something. */
const isPlanned = ({ text }: Statement): boolean => /\*\/\s*(?:select|insert|update|delete|merge|with)\b/i.test(text)

/** Each statement that costs more among many than among few, with both costs. */
const grownOf = (few: Costs, many: Costs): Grown[] =>
  [...many].flatMap(([name, cost]) => {
    const before = few.get(name)!
    if (cost <= before * tolerated.times || cost <= before + tolerated.more) return []
    return { name, complaint: `${name} costs ${Math.round(before)} among few and ${Math.round(cost)} among many` }
  })

type Grown = { name: string; complaint: string }

/** The name of a statement without its variant. */
const baseOf = (name: string): string => name.replace(/\(.*$/, '')

async function measure(data_dir: string): Promise<Grown[]> {
  const cluster = await startCluster({ data_dir, password: 'growth', durable: false })
  const { url, migration_url } = await ensureRoles(cluster, 'growth', 'openbenefits')
  const owner = new pg.Client({ connectionString: databaseUrl(cluster, 'openbenefits') })
  const service = new pg.Client({ connectionString: url })
  try {
    await makeReady({ url, migration_url })
    await Promise.all([owner.connect(), service.connect()])
    await service.query(`set enable_seqscan = off; set ${scope_setting} = '*'`)
    await plantCrowd(owner, begun)
    const few = await costsOf(service)
    await plantCrowd(owner, joined)
    return grownOf(few, await costsOf(service))
  } finally {
    await Promise.all([owner.end(), service.end()])
    await cluster.stop()
  }
}

const data_dir = await mkdtemp(join(tmpdir(), 'openbenefits-growth-'))
const grown = await measure(data_dir).finally(() => rm(data_dir, { recursive: true, force: true }))
const complaints = [
  ...grown.flatMap(({ name, complaint }) => (baseOf(name) in known_growth ? [] : complaint)),
  ...Object.keys(known_growth)
    .filter((base) => !grown.some(({ name }) => baseOf(name) === base))
    .map((base) => `${base} no longer costs more: take it off the list in growth-known.ts.`),
]
for (const complaint of complaints) process.stderr.write(`${complaint}\n`)
if (complaints.length > 0) process.exitCode = 1

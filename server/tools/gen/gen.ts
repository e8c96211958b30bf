import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
// oxlint-disable-next-line import/no-unassigned-import -- for their statements, which nothing else here declares
import '../../runtime/process/installation-lock.ts'
// oxlint-disable-next-line import/no-unassigned-import
import '../../app.ts'
// oxlint-disable-next-line import/no-unassigned-import
import '../../daily-run.ts'
import { endpoints, incoming } from '../../modules.ts'
import { interfaces } from '../../http/openapi/interfaces.ts'
import { documentOf } from '../../http/openapi/openapi.ts'
import { makeReady } from '../../database/schema/roles.ts'
import { statements } from '../../database/sql/statement.ts'
import { startCluster } from '../../../packages/embedded-postgres/cluster.ts'
import { ensureRoles } from '../../../packages/embedded-postgres/roles.ts'
import { sdkSources } from '../../../sdk/tools/sources.ts'
import { contractTypes, type OpenDocument } from './contract-types.ts'
import { describeAll } from './describe.ts'
import { dumpTables } from './tables-dump.ts'
import { permissionsDocument } from './permissions.ts'
import { refusalsDocument } from './refusals.ts'
import { known_plans } from '../plans/plans-known.ts'
import { faultsInPlans } from '../plans/plans.ts'
import { faultsInShards } from '../plans/shards.ts'
import { statementTypes, type Described } from './statements.ts'

type Generated = { file: URL; content: string }

const root = new URL('../../../', import.meta.url)

/** The schema after all migrations and the descriptions of all statements, from a temporary PostgreSQL. */
type PostgresAnswers = { schema: string; described: Described[]; faults: string[]; shard_faults: string[] }

async function describeInPostgres(): Promise<PostgresAnswers> {
  const data_dir = await mkdtemp(join(tmpdir(), 'openbenefits-gen-'))
  const cluster = await startCluster({ data_dir, password: 'gen', durable: false })
  const { url, migration_url } = await ensureRoles(cluster, 'gen', 'openbenefits')
  const owner = new pg.Client({ connectionString: migration_url })
  const service = new pg.Client({ connectionString: url })
  try {
    await makeReady({ url, migration_url })
    await Promise.all([owner.connect(), service.connect()])
    const descriptions = await describeAll(service, statements.values())
    const faults = await faultsInPlans({ service, owner }, statements.values())
    return {
      faults,
      shard_faults: await faultsInShards(owner, statements),
      schema: await dumpTables(async (text) => (await owner.query(text)).rows),
      described: [...statements.values()].map((statement) => ({
        statement,
        description: descriptions.get(statement.name)!,
      })),
    }
  } finally {
    await Promise.all([owner.end(), service.end()])
    await cluster.stop()
    await rm(data_dir, { recursive: true, force: true })
  }
}

/** All generated files of the repository. */
async function generated({ schema, described }: PostgresAnswers): Promise<Generated[]> {
  const documents = interfaces.map((each) => ({
    file: new URL(each.file, root),
    content: documentOf(each, { endpoints, incoming }),
  }))
  const sources = await sdkSources(documents.map(({ content }) => content) as [partner: string, operator: string])
  return [
    ...documents,
    ...Object.entries(sources).map(([name, content]) => ({ file: new URL(name, root), content })),
    {
      file: new URL('server/test/contract-types.ts', root),
      content: contractTypes(documents.map(({ content }) => JSON.parse(content)) as [OpenDocument, OpenDocument]),
    },
    { file: new URL('docs/permissions.md', root), content: permissionsDocument(endpoints) },
    { file: new URL('docs-site/refusals.json', root), content: refusalsDocument(endpoints) },
    { file: new URL('server/schema.sql', root), content: schema },
    { file: new URL('server/database/sql/statement-types.ts', root), content: statementTypes(described) },
  ]
}

const isCurrent = async ({ file, content }: Generated): Promise<boolean> =>
  (await readFile(file, 'utf8').catch(() => '')) === content

// Writes the generated files. With --check, only reports by the exit code whether they are up to date.
const check = process.argv.includes('--check')
const requested = await describeInPostgres()
if (check) {
  const gone = Object.keys(known_plans).filter((fault) => !requested.faults.includes(fault))
  const complaints = [
    ...requested.faults.filter((fault) => !(fault in known_plans)),
    ...requested.shard_faults,
    ...gone.map((fault) => `${fault} no longer occurs. Remove it from the list in plans-known.ts.`),
  ]
  for (const complaint of complaints) process.stderr.write(`${complaint}\n`)
  if (complaints.length > 0) process.exitCode = 1
}
for (const each of await generated(requested)) await writeOrCheck(each)

async function writeOrCheck(each: Generated): Promise<void> {
  if (await isCurrent(each)) return
  const name = each.file.pathname.slice(root.pathname.length)
  if (check) {
    process.stderr.write(`${name} is outdated. Run npm run gen and commit it.\n`)
    process.exitCode = 1
  } else {
    await writeFile(each.file, each.content)
    process.stdout.write(`${name} written\n`)
  }
}

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { documentOf, interfaces } from '../platform/http/docs.ts'
import { openDatabase } from '../platform/database/database.ts'
import { migrate } from '../platform/database/migrate.ts'
import { startCluster } from '../platform/postgres/cluster.ts'
import { dumpSchema } from './schema-dump.ts'

type Generated = { file: URL; content: string }

const root = new URL('../../', import.meta.url)

/** The schema after all migrations, from a PostgreSQL that lives only for this. */
async function schema(): Promise<string> {
  const data_dir = await mkdtemp(join(tmpdir(), 'openbenefits-gen-'))
  const cluster = await startCluster({ data_dir, password: 'gen', durable: false })
  const database = openDatabase({ url: cluster.url })
  try {
    await migrate(database)
    return await dumpSchema(async (text) => (await database.pool.query(text)).rows)
  } finally {
    await database.close()
    await cluster.stop()
    await rm(data_dir, { recursive: true, force: true })
  }
}

/** Every file of the repository that is written by a program. */
const generated = async (): Promise<Generated[]> => [
  ...interfaces.map((each) => ({ file: new URL(each.file, root), content: documentOf(each) })),
  { file: new URL('server/schema.sql', root), content: await schema() },
]

const isCurrent = async ({ file, content }: Generated): Promise<boolean> =>
  (await readFile(file, 'utf8').catch(() => '')) === content

// Writes the generated files; with --check only tells, by its exit code, whether they are up to date.
const check = process.argv.includes('--check')
for (const each of await generated()) {
  if (await isCurrent(each)) continue
  const name = each.file.pathname.slice(root.pathname.length)
  if (check) {
    process.stderr.write(`${name} is not what the code says; run npm run gen and commit it.\n`)
    process.exitCode = 1
  } else {
    await writeFile(each.file, each.content)
    process.stdout.write(`${name} written\n`)
  }
}

/** Inserts copies of some rows in one statement per request, over as many connections as there are clients. */
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { newId } from '../../kernel/ids.ts'

const rows = JSON.parse(process.env.ROWS!) as { table: string; columns: string; row: object }[]
const inserts = rows.map(
  ({ table, columns }, at) =>
    `inserted_${at} as (
       insert into ${table} (${columns}) select ${columns} from jsonb_populate_record(null::${table}, $${at + 1}::jsonb)
       on conflict do nothing)`,
)
const statement = { name: 'write', text: `with ${inserts.join(', ')} select 1` }
const texts = rows.map(({ row }) => JSON.stringify(row))

const clients = await Promise.all(
  Array.from({ length: Number(process.env.CONNECTIONS) }, async () => {
    const client = new pg.Client({ connectionString: process.env.DATABASE_URL! })
    await client.connect()
    await client.query('set session_replication_role = replica; set plan_cache_mode = force_generic_plan')
    return client
  }),
)

/** The rows with new ids, hashes and email addresses. Organizations, plans and plan years keep their ids. */
function newCopy(): string[] {
  const renamed = new Map<string, string>()
  const rename = (id: string, prefix: string) => renamed.get(id) ?? renamed.set(id, newId(prefix as 'org')).get(id)!
  return texts.map((text) =>
    text
      .replaceAll(/\b((?!org_|plan_|bprod_|pyr_)[a-z]+)_[0-9a-z]{26}\b/g, rename)
      .replaceAll(/\\\\x[0-9a-f]{64}"/g, () => `\\\\x${randomBytes(32).toString('hex')}"`)
      .replaceAll(/(\\n)?[a-z.]+\d+@/g, (_, line_break = '') => `${line_break}a${randomBytes(6).toString('hex')}1@`),
  )
}

const server = createServer(async (_, response) => {
  const client = clients.pop()!
  await client.query({ ...statement, values: newCopy() })
  clients.push(client)
  response.end('{}')
})
process.on('disconnect', () => process.exit())
server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port))

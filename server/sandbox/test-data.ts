import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../database/query/database.ts'
import { statement } from '../database/sql/statement.ts'
import type { Runtime } from '../runtime/runtime.ts'

const found = statement(
  'sandbox.findByNames',
  `select named.id, named.name
     from (
       select employer.id, employer.name, employer.created_at
         from employers as employer
        where lower(employer.name) = any(:names::text[]) and employer.organization_id = :organization_id
        union all
       select employee.id, member.first_name || ' ' || member.last_name, employee.created_at
         from members as member
         join employees as employee
           on employee.member_id = member.id and employee.organization_id = member.organization_id
        where lower(member.email) = any(:emails::text[]) and member.organization_id = :organization_id) as named
    order by named.created_at, named.id`,
)

const emailOf = (name: string): string => `${name.replace(' ', '.')}@example.com`.toLowerCase()

/**
 * The ids of employers and employees in the story, by name. A rehired person has the id of the latest employment.
 * Unknown names are omitted.
 */
export async function findByNames(db: Db, organization_id: string, names: string[]): Promise<Map<string, string>> {
  const rows = await found.rows<{ id: string; name: string }>(
    { db },
    { organization_id, names: names.map((name) => name.toLowerCase()), emails: names.map(emailOf) },
  )
  return new Map(rows.filter(({ name }) => names.includes(name)).map(({ id, name }) => [name, id]))
}

const page = new URL('../../docs/test-data.md', import.meta.url)

/** The employers and employees in the first column of the tables in `docs/test-data.md`. */
export const namesInTestData = (): string[] => [
  ...new Set([...readFileSync(page, 'utf8').matchAll(/^\| (\p{Lu}[^|]*?) (?=\|)/gmu)].map(([, name]) => name!)),
]

/** Serves the ids of people and employers in this sandbox for the documentation page about test data. */
export function serveTestIds(app: FastifyInstance, { database }: Runtime, organization_id: string): void {
  app.get('/docs/test-ids.json', async () =>
    Object.fromEntries(await findByNames(database.reads([organization_id]), organization_id, namesInTestData())),
  )
}

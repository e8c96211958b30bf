import type { Db } from '../database/query/database.ts'
import { statement } from '../database/sql/statement.ts'

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

/** The address that everybody of the story has. */
const emailOf = (name: string): string => `${name.replace(' ', '.')}@example.com`.toLowerCase()

/**
 * The ids of employers and employees of the story, by their names; of who came back, the latest employment. Names that
 * nobody has, or has any more, are left out.
 */
export async function findByNames(db: Db, organization_id: string, names: string[]): Promise<Map<string, string>> {
  const rows = await found.rows<{ id: string; name: string }>(
    { db },
    { organization_id, names: names.map((name) => name.toLowerCase()), emails: names.map(emailOf) },
  )
  return new Map(rows.filter(({ name }) => names.includes(name)).map(({ id, name }) => [name, id]))
}

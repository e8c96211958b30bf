/**
 * Encrypts and hashes stored values again with the current keys. Each organization is locked for one chunk of rows at a
 * time, so that requests run in between. Values show which key made them, so an interrupted run skips finished rows.
 */
import { serviceCaller } from '../runtime/caller.ts'
import { lockOrganization } from '../runtime/locks.ts'
import { easternDay } from '../kernel/days.ts'
import type { Database } from '../database/query/database.ts'
import { every_organization, no_organization } from '../database/query/rows-of.ts'
import { statement } from '../database/sql/statement.ts'
import { first_response, resealResponses, type ResponseKey } from '../http/idempotency.ts'
import type { ReEncryption } from './re-encryption.ts'
import { resealHashKeys } from './secret-keys.ts'
import type { Secrets } from './secrets.ts'

/** Rows in one transaction: a few milliseconds of work. */
const rows_in_a_chunk = 200

const listed = statement(
  're-encrypt.listOrganizations',
  'select id from organizations where id > :after order by id limit 500',
)
const counted = statement(
  're-encrypt.countOrganizations',
  `select coalesce(sum(row_count), 0)::int as count from directory_counts where of_table = 'organizations'`,
)

/** Re-encrypts all organizations. `onProgress` receives the number of finished organizations and of all. */
export async function reEncryptAll(
  database: Database,
  secrets: Secrets,
  re_encryptions: ReEncryption[],
  onProgress: (done: number, all: number) => void,
): Promise<void> {
  const { count } = (await counted.row({ db: database.reads(no_organization) }))!
  let done = 0
  for (let after = ''; ;) {
    const rows = await listed.rows<{ id: string }>({ db: database.reads(every_organization) }, { after })
    for (const { id } of rows) {
      await reEncryptOrganization(database, secrets, re_encryptions, id)
      onProgress(++done, count)
    }
    if (rows.length === 0) break
    after = rows.at(-1)!.id
  }
  for (let cursor: ResponseKey | undefined = first_response; cursor;) {
    const from: ResponseKey = cursor
    cursor = await database.transaction(no_organization, (db) =>
      resealResponses({ db, secrets }, from, rows_in_a_chunk),
    )
  }
  await database.transaction(no_organization, (db) => resealHashKeys(db, secrets))
}

async function reEncryptOrganization(
  database: Database,
  secrets: Secrets,
  re_encryptions: ReEncryption[],
  organization_id: string,
) {
  let left = re_encryptions.map((reEncrypt) => ({ reEncrypt, after: '' }))
  while (left.length > 0) {
    left = await database.transaction([organization_id], async (db) => {
      await lockOrganization(db, organization_id)
      const now = new Date().toISOString()
      const today = easternDay(Date.parse(now))
      const scope = { db, secrets, caller: serviceCaller(organization_id), today, now, real_now: now }
      const more: typeof left = []
      for (const { reEncrypt, after } of left) {
        const next = await reEncrypt(scope, organization_id, { after, most: rows_in_a_chunk })
        if (next !== null) more.push({ reEncrypt, after: next })
      }
      return more
    })
  }
}

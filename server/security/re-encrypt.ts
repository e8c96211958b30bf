/**
 * What was encrypted or hashed by keys that others follow is made anew with those of now: organization by organization,
 * each locked for a chunk of rows at a time, so that others get in between. What is done is known by what it is; begun
 * anew, it passes over it.
 */
import { serviceCaller } from '../runtime/caller.ts'
import { lockClock } from '../runtime/clock.ts'
import type { DailyChunk, WriteScope } from '../runtime/ctx.ts'
import { easternDay } from '../kernel/days.ts'
import type { Database } from '../database/query/database.ts'
import { every_organization, no_organization } from '../database/query/rows-of.ts'
import { statement } from '../database/sql/statement.ts'
import { first_answer, resealAnswers, type AnswerPlace } from '../http/idempotency.ts'
import { resealHashKeys } from './secret-keys.ts'
import type { Secrets } from './secrets.ts'

/**
 * Makes anew what a module keeps of one organization, which is locked: one chunk, and returns after which row to go on
 * when there may be more.
 */
export type Remake = (
  scope: WriteScope & { secrets: Secrets },
  organization_id: string,
  chunk: DailyChunk,
) => Promise<string | null>

/** Rows in one transaction: a few milliseconds of work. */
const rows_in_a_chunk = 200

const listed = statement(
  'remake.listOrganizations',
  'select id from organizations where id > :after order by id limit 500',
)
const counted = statement(
  'remake.countOrganizations',
  `select coalesce(sum(row_count), 0)::int as count from directory_counts where of_table = 'organizations'`,
)

/** Makes all anew, and tells how many organizations are done, and of how many. */
export async function remakeAll(
  database: Database,
  secrets: Secrets,
  remakes: Remake[],
  onProgress: (done: number, all: number) => void,
): Promise<void> {
  const { count } = (await counted.row({ db: database.reads(no_organization) }))!
  let done = 0
  for (let after = ''; ;) {
    const rows = await listed.rows<{ id: string }>({ db: database.reads(every_organization) }, { after })
    for (const { id } of rows) {
      await remakeOf(database, secrets, remakes, id)
      onProgress(++done, count)
    }
    if (rows.length === 0) break
    after = rows.at(-1)!.id
  }
  for (let place: AnswerPlace | undefined = first_answer; place;) {
    const from: AnswerPlace = place
    place = await database.transaction(no_organization, (db) => resealAnswers({ db, secrets }, from, rows_in_a_chunk))
  }
  await database.transaction(no_organization, (db) => resealHashKeys(db, secrets))
}

async function remakeOf(database: Database, secrets: Secrets, remakes: Remake[], organization_id: string) {
  let left = remakes.map((remake) => ({ remake, after: null as string | null }))
  while (left.length > 0) {
    left = await database.transaction([organization_id], async (db) => {
      await lockClock(db, organization_id)
      const now = new Date().toISOString()
      const today = easternDay(Date.parse(now))
      const scope = { db, secrets, caller: serviceCaller(organization_id), today, now, real_now: now }
      const more: typeof left = []
      for (const { remake, after } of left) {
        const next = await remake(scope, organization_id, { after, most: rows_in_a_chunk })
        if (next !== null) more.push({ remake, after: next })
      }
      return more
    })
  }
}

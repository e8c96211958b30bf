import { inReach } from '../../../database/sql/reach.ts'
import type { ReadCtx } from '../../../runtime/ctx.ts'
import { addDays, easternDay } from '../../../kernel/days.ts'
import { max_found } from '../../../kernel/pages.ts'
import type { Db } from '../../../database/query/database.ts'
import { pageJson, pageValues } from '../../../database/sql/pages.ts'
import { read, statement } from '../../../database/sql/statement.ts'
import type { UsageFilter } from './schemas.ts'

const saved = statement(
  'usage.saveUsage',
  `insert into credential_usage as usage
     (day, organization_id, credential_id, operation, request_count, refused_count, limited_count, failed_count,
      last_used_at)
   select day, organization_id, credential_id, operation, request_count, refused_count, limited_count, failed_count,
          last_used_at
     from jsonb_to_recordset(:counted::jsonb) as counted (
            day date, organization_id text, credential_id text, operation text, request_count bigint,
            refused_count bigint, limited_count bigint, failed_count bigint, last_used_at timestamptz)
    order by credential_id, day, operation, organization_id
   on conflict (credential_id, day, operation, organization_id) do update
     set request_count = usage.request_count + excluded.request_count,
         refused_count = usage.refused_count + excluded.refused_count,
         limited_count = usage.limited_count + excluded.limited_count,
         failed_count = usage.failed_count + excluded.failed_count,
         last_used_at = greatest(usage.last_used_at, excluded.last_used_at)`,
)

/** How often a credential called an operation on a day. */
export type CountedUse = {
  day: string
  organization_id: string
  credential_id: string
  operation: string
  request_count: number
  refused_count: number
  limited_count: number
  failed_count: number
  last_used_at: string
}

/** Adds the counts. Each combination of credential, day and operation must occur once. */
export const saveUsage = (db: Db, counted: CountedUse[]) => saved.rows({ db }, { counted: JSON.stringify(counted) })

const sums = `
  sum(usage.request_count)::bigint as request_count, sum(usage.refused_count)::bigint as refused_count,
  sum(usage.limited_count)::bigint as limited_count, sum(usage.failed_count)::bigint as failed_count,
  iso(max(usage.last_used_at)) as last_used_at`

const of_organization = read(
  'usage.listUsage',
  `with found as materialized (
     select usage.credential_id, ${sums}, row_number() over (order by sum(usage.request_count) desc,
            usage.credential_id) as position
       from credential_usage as usage
      where usage.organization_id = :organization_id and usage.day >= :since::date
        and ${inReach('usage.organization_id')}
      group by usage.credential_id)
   ${pageJson(
     `select json_build_object('credential_id', credential_id, 'request_count', request_count,
                               'refused_count', refused_count, 'limited_count', limited_count,
                               'failed_count', failed_count, 'last_used_at', last_used_at) as item, position as position
        from found order by position limit :limit::int offset :offset::bigint`,
     '(select count(*) from found)',
   )}`,
)

/** The first day, by default 30 days ago. */
const sinceOf = (ctx: ReadCtx, since: string | undefined) => since ?? addDays(easternDay(Date.parse(ctx.real_now)), -30)

/** A page of the usage of an organization's credentials since a day, in descending order of requests. */
export const listUsage = (ctx: ReadCtx, organization_id: string, { since, ...page }: UsageFilter) =>
  of_organization.json(ctx, { organization_id, since: sinceOf(ctx, since), ...pageValues(page) })

const of_key = read(
  'usage.listOperationUsage',
  `with found as materialized (
     select usage.*, row_number() over (order by usage.day desc, usage.operation, usage.organization_id) as position
       from credential_usage as usage
      where usage.credential_id = :api_key_id and usage.day >= :since::date
        and ${inReach("nullif(usage.organization_id, '')")}
      order by usage.day desc, usage.operation, usage.organization_id limit ${max_found})
   ${pageJson(
     `select json_build_object('day', usage.day, 'organization_id', nullif(usage.organization_id, ''),
                               'operation', usage.operation, 'request_count', usage.request_count,
                               'refused_count', usage.refused_count, 'limited_count', usage.limited_count,
                               'failed_count', usage.failed_count, 'last_used_at', iso(usage.last_used_at)) as item,
             usage.position as position
        from found as usage order by usage.position limit :limit::int offset :offset::bigint`,
     '(select count(*) from found)',
   )}`,
)

/** A page of the usage of a key since a day, by day and operation, latest day first. At most 1,000 rows. */
export const listOperationUsage = (ctx: ReadCtx, api_key_id: string, { since, ...page }: UsageFilter) =>
  of_key.json(ctx, { api_key_id, since: sinceOf(ctx, since), ...pageValues(page) })

/** Deletes at most `most` counts from before a day. Returns how many were deleted. */
export const purgeUsage = statement(
  'usage.purgeUsage',
  `with gone as (
     delete from credential_usage
      where ctid = any(array(select ctid from credential_usage where day < :before::date limit :most::bigint))
     returning 1)
   select count(*) as count from gone`,
).value

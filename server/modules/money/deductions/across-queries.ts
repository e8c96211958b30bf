import { inReach } from '../../../database/sql/reach.ts'
import type { ReadCtx } from '../../../runtime/ctx.ts'
import { readVariants } from '../../../database/sql/statement.ts'
import type { Day } from '../../../kernel/days.ts'
import { linkStatement, statementFields, type StatementRowFound } from './queries.ts'
import type { StatementRowFilter } from './schemas.ts'

/** So many employers are found by a part of a name at most. */
const most_employers = 100

const in_order = 'order by statement.period_end_date desc, statement.id desc'

/** SQL: statements that lie ahead, in the wanted months; one that is still being written is not there yet. */
const liesAhead = `
  ${inReach('statement.organization_id', 'statement.employer_id')} and statement.organization_id = :organization_id
  and statement.generated_at is not null
  and statement.period_end_date >= (case when :period_from::date is null then '-infinity' else :period_from end)
  and statement.period_end_date < (case when :period_to::date is null then 'infinity'
                                        else :period_to + interval '1 month' end)
  and (statement.period_end_date, statement.id)
      < (case when :after_day::date is null then 'infinity' else :after_day end,
         case when :after_id::text is null then '' else :after_id end)`

const sources = {
  all: `select statement.* from deduction_statements as statement
         where ${liesAhead} and statement.period_end_date > '-infinity' ${in_order} limit :limit::int + 1`,
  search: `
    select statement.*
      from (select employer.id from employers as employer
             where employer.organization_id = :organization_id and ${inReach('employer.organization_id')}
               and (employer.name ilike :name_pattern::text or employer.legal_name ilike :name_pattern)
             order by employer.id limit ${most_employers}) as employer
     cross join lateral (
       select statement.* from deduction_statements as statement
        where statement.employer_id = employer.id and ${liesAhead} ${in_order} limit :limit::int + 1) as statement`,
}

const listed = readVariants(
  'deductions.listStatementsAcross',
  { source: Object.keys(sources) as (keyof typeof sources)[] },
  ({ source }) => `
    select coalesce((
             select json_agg(shown order by shown.period_end_date desc, shown.id desc)
               from (select ${statementFields}, employer.name as employer_name
                       from (select * from (${sources[source]}) as statement ${in_order} limit :limit + 1) as statement
                       join employers as employer
                         on employer.id = statement.employer_id
                        and employer.organization_id = :organization_id) as shown), '[]') as rows
      from organizations as organization
     where organization.id = :organization_id and ${inReach('organization.id')}`,
)

type FoundStatement = StatementRowFound & { employer_name: string }

export type StatementsAcrossWanted = Pick<StatementRowFilter, 'limit' | 'search'> & {
  /** the first of a month; null: from the first, to the last */
  period_from: Day | null
  period_to: Day | null
  after: [Day, string] | undefined
}

/**
 * The statements of an organization after one of them, newest first, with a link to the lines of each, and after which
 * to go on: null when there are no more. Undefined out of reach.
 */
export async function listStatementsAcross(ctx: ReadCtx, organization_id: string, wanted: StatementsAcrossWanted) {
  const { limit, search, period_from, period_to, after } = wanted
  const found = await listed({ source: search === undefined ? 'all' : 'search' }).row<{ rows: FoundStatement[] }>(ctx, {
    organization_id,
    limit,
    name_pattern: search === undefined ? null : `%${search.replace(/[\\%_]/g, '\\$&')}%`,
    period_from,
    period_to,
    after_day: after?.[0] ?? null,
    after_id: after?.[1] ?? null,
  })
  if (!found) return undefined
  const page = found.rows.slice(0, limit)
  const last = found.rows.length > limit ? page.at(-1) : undefined
  const data = await Promise.all(page.map((row) => linkStatement(ctx, row)))
  return { data, next: last ? ([last.period_end_date, last.id] as const) : null }
}

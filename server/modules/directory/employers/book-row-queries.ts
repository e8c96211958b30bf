import { inReach } from '../../../database/sql/reach.ts'
import { most_found } from '../../../kernel/pages.ts'
import { beginsWith, keyOf } from '../../../database/sql/pages.ts'
import { sqlFile } from '../../../database/sql/sql-file.ts'
import { employerFields, enrollmentRateJson } from './queries.ts'

/** SQL: whether an `employer` is cancelled. */
export const isCancelled = 'coalesce(employer.subscription_ended_on <= :today::date, false)'

const stage = `
  lifecycle_stage(employer.subscription_ended_on, benefits.latest_coverage_end, benefits.open_enrollment_start,
                  benefits.open_enrollment_end, :today::date)`

/** The day of each stage (decisions.md, section 3). */
const stageDay = `
  case ${stage}
  when 'cancelled' then employer.subscription_ended_on
  when 'onboarding' then benefits.first_coverage_start
  when 'open_enrollment' then benefits.open_enrollment_end
  when 'renewal' then benefits.latest_coverage_end + 1
  else benefits.coverage_start end`

/** SQL: the rows of the book of the employers of a `page`. */
export const book_rows = sqlFile(new URL('book-rows.sql', import.meta.url), {
  employer_fields: `select ${employerFields}`,
  enrollment_rate: enrollmentRateJson,
  key_of: (row) => keyOf(row),
  stage,
  stage_day: stageDay,
})

/** SQL: whether the filters keep what a row of the book is, an entry or a kind. */
export const isWanted = (row: string): string => `(
  (:with_cancelled::boolean or ${row}.stage <> 'cancelled')
  and (:stages::text[] = '{}' or ${row}.stage = any (:stages))
  and (:families::text[] = '{}' or string_to_array(${row}.families, ',') && :families)
  and (:hris_providers::text[] = '{}' or ${row}.provider = any (:hris_providers))
  and (:hris_statuses::text[] = '{}' or ${row}.hris_status = any (:hris_statuses)))`

/** SQL: employers of any organization that are looked up, by what an index finds. */
export const found_employers = sqlFile(new URL('found-employers.sql', import.meta.url), {
  in_reach: inReach,
  begins: (name_key: string) => beginsWith(name_key, 'lower(:search::text collate pg_c_utf8)'),
  most: () => String(most_found),
})

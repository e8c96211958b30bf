import { inReach } from '../../../database/sql/reach.ts'
import { readVariants } from '../../../database/sql/statement.ts'
import { canSeeMoney } from '../../../runtime/caller.ts'
import type { ReadCtx } from '../../../runtime/ctx.ts'
import { enrollmentRateJson } from '../../directory/employers/queries.ts'
import type { TrendFilter } from './schemas.ts'

const trends = readVariants('trends.findTrends', { of_employer: [false, true] }, ({ of_employer }) => {
  const isOurs = (row: string, newest: string) => `
    ${row}.organization_id = :organization_id and ${inReach(`${row}.organization_id`, `${row}.employer_id`)}
    and ${of_employer ? `${row}.employer_id = :employer_id` : `${row}.${newest} > '-infinity'`}`
  return `
    with months as materialized (
      select month::date as first_day
        from generate_series(date_trunc('month', :today::date) - interval '11 months',
                             date_trunc('month', :today::date), interval '1 month') as month),
    covered as (
      select months.first_day, count(distinct enrollment.employee_id) as eligible_count,
             count(distinct enrollment.employee_id) filter (where enrollment.answer = 'enrolled') as enrolled_count
        from benefit_plan_years as year
        join months on months.first_day between year.coverage_start and year.coverage_end
        join enrollments as enrollment
          on enrollment.plan_year_id = year.id and enrollment.organization_id = :organization_id
         and months.first_day between enrollment.coverage_start and coalesce(enrollment.coverage_end, year.coverage_end)
         and coalesce(enrollment.inactive_on > months.first_day, true)
       where ${isOurs('year', 'coverage_end')} and year.coverage_end >= (select min(first_day) from months)
       group by months.first_day),
    billed as (
      select invoice.period, sum(invoice.total_in_cents)::bigint as premium_in_cents
        from invoices as invoice
       where :sees_money::boolean and ${isOurs('invoice', 'period')}
         and invoice.period >= (select min(first_day) from months)
         and invoice.voided_at is null
       group by invoice.period)
    select json_build_object('data', json_build_object('months', (
      select json_agg(json_build_object(
               'month', to_char(months.first_day, 'YYYY-MM'),
               'participation', ${enrollmentRateJson('covered')},
               'premium_in_cents', case when :sees_money then coalesce(billed.premium_in_cents, 0) end)
             order by months.first_day)
        from months
        left join covered on covered.first_day = months.first_day
        left join billed on billed.period = months.first_day)))::text as json`
})

/** The participation and the premium of the last twelve months, for an organization or one employer. */
export const findTrends = (ctx: ReadCtx, organization_id: string, { employer_id }: TrendFilter) =>
  trends({ of_employer: employer_id !== undefined }).json(ctx, {
    organization_id,
    employer_id: employer_id ?? null,
    sees_money: canSeeMoney(ctx.caller),
  })

import type { Ctx } from '../../platform/ctx.ts'
import { statement } from '../../platform/database/statement.ts'
import { namedInvoice, type Named } from '../billing/queries.ts'

const amounts = ['premium_in_cents', 'employer_contribution_in_cents', 'employee_deduction_in_cents'] as const

const amountsJson = (of: (name: string) => string) =>
  `json_build_object(${amounts.map((name) => `'${name}', ${of(name)}`).join(', ')})`

const booksJson = (of: (side: string, name: string) => string) => `
  'due', ${amountsJson((name) => of('due', name))}, 'billed', ${amountsJson((name) => of('billed', name))},
  'difference', ${amountsJson((name) => `${of('due', name)} - ${of('billed', name)}`)}`

/**
 * SQL: the months in reach of the invoice, and whether the employer is administered and subscribed on their first day:
 * asked once for each.
 */
const months = `
  select month.day::date as day,
         coalesce(place.administered_from <= month.day, true) and coalesce((select ended_on > month.day or ended_on is null from employer_subscriptions
                    where employer_id = place.employer_id and organization_id = place.organization_id
                      and started_on <= month.day
                    order by started_on desc limit 1), true) as is_charged
    from place
   cross join lateral generate_series(
     place.first_month::timestamp, place.period::timestamp, interval '1 month') as month (day)`

/**
 * SQL: what each month in reach of the invoice costs for each enrollment of the employer as it is known now. Said once
 * more and not by the rule that the lines are made by, so that the one proves the other.
 */
const due = `
  select enrollment.employee_id, enrollment.id as enrollment_id, month.day as month,
         ${amounts.map((name) => `election.${name} as due_${name}, 0 as billed_${name}`).join(', ')}
    from place
   cross join lateral (
     select id, coverage_end from benefit_plan_years
      where employer_id = place.employer_id and organization_id = place.organization_id
        and coverage_start <= place.period and coverage_end >= place.first_month offset 0) as year
   cross join lateral (
     select * from enrollments
      where plan_year_id = year.id and organization_id = place.organization_id and answer = 'enrolled' offset 0
   ) as enrollment
   cross join lateral (
     select *, lead(effective_on, 1, 'infinity') over (order by effective_on) as until from elections
      where enrollment_id = enrollment.id and organization_id = place.organization_id offset 0) as election
   cross join months as month
   where month.is_charged
     and month.day between enrollment.coverage_start and least(enrollment.coverage_end, year.coverage_end)
     and month.day >= election.effective_on and month.day < election.until`

/** SQL: what the invoices of the employer that are not void billed for those months. */
const billed = `
  select line.employee_id, line.enrollment_id, line.month, ${amounts.map((name) => `0, line.${name}`).join(', ')}
    from place
   cross join lateral (
     select invoice_id from invoices
      where employer_id = place.employer_id and organization_id = place.organization_id
        and drafted_at is not null and voided_at is null
        and period between place.first_month and place.last_period offset 0) as invoice
   cross join lateral (
     select * from invoice_lines
      where invoice_id = invoice.invoice_id and organization_id = place.organization_id offset 0) as line
   where line.month between place.first_month and place.period`

/**
 * SQL: the employees' part in what was billed for the year of the invoice so far, and what was deducted for that year.
 */
const deductions = `
  select extract(year from place.period)::int as year,
         (select max(statement.period_end_date) from deduction_statements as statement
           where statement.employer_id = place.employer_id and statement.organization_id = place.organization_id
             and statement.generated_at is not null) as through,
         (select coalesce(sum(line.employee_deduction_in_cents), 0)
            from (select invoice_id from invoices
                   where employer_id = place.employer_id and organization_id = place.organization_id
                     and drafted_at is not null and voided_at is null
                     and period between place.year_start and place.last_period offset 0) as invoice
           cross join lateral (
             select * from invoice_lines
              where invoice_id = invoice.invoice_id and organization_id = place.organization_id offset 0) as line
           where line.month between place.year_start and place.period) as billed_in_cents,
         (select coalesce(sum(line.amount_in_cents), 0)
            from (select id from deduction_statements
                   where employer_id = place.employer_id and organization_id = place.organization_id
                     and generated_at is not null
                     and period_end_date between place.year_start and place.year_start + interval '2 years' offset 0
                 ) as statement
           cross join lateral (
             select * from deduction_lines
              where statement_id = statement.id and organization_id = place.organization_id offset 0) as line
           where line.year = extract(year from place.period)) as collected_in_cents
    from place`

const sums = (name: string) => `coalesce(sum(${name}), 0)`

const added = (side: string, name: string) => `sum(${side}_${name})::bigint as ${side}_${name}`

const found = statement(
  'reconciliation.findReconciliation',
  `with place as materialized (
     select invoice.organization_id, invoice.employer_id, invoice.invoice_id, invoice.period, invoice.line_count,
            invoice.total_in_cents, (invoice.period - interval '3 months')::date as first_month,
            (invoice.period + interval '3 months')::date as last_period,
            make_date(extract(year from invoice.period)::int, 1, 1) as year_start, employer.administered_from
       from invoices as invoice
       join employers as employer
         on employer.id = invoice.employer_id and employer.organization_id = invoice.organization_id
      where ${namedInvoice}
   ), months as materialized (${months}), books as materialized (
     select employee_id, enrollment_id, month,
            ${amounts.map((name) => `${added('due', name)}, ${added('billed', name)}`).join(', ')}
       from (${due} union all ${billed}) as entry group by employee_id, enrollment_id, month
   ), differing as materialized (
     select *, row_number() over (order by month desc, employee_id, enrollment_id) as position from books
      where ${amounts.map((name) => `due_${name} <> billed_${name}`).join(' or ')}
   )
   select json_build_object(
            'invoice_id', place.invoice_id,
            'months', (select json_agg(to_char(day, 'YYYY-MM') order by day) from months),
            'lines', (select json_build_object(
                               'line_count', count(*), 'total_in_cents', ${sums('premium_in_cents')},
                               'difference_in_cents', place.total_in_cents - ${sums('premium_in_cents')})
                        from invoice_lines as line
                       where line.invoice_id = place.invoice_id and line.organization_id = place.organization_id),
            ${booksJson((side, name) => `(select ${sums(`${side}_${name}`)} from books)`)},
            'difference_count', (select count(*) from differing),
            'differences', (select coalesce(json_agg(json_build_object(
                                     'employee_id', employee_id, 'enrollment_id', enrollment_id,
                                     'month', to_char(month, 'YYYY-MM'),
                                     ${booksJson((side, name) => `${side}_${name}`)}) order by position), '[]')
                              from differing where position <= 100),
            'deductions', (select json_build_object(
                                    'year', year, 'through', through, 'billed_in_cents', billed_in_cents,
                                    'collected_in_cents', collected_in_cents,
                                    'difference_in_cents', billed_in_cents - collected_in_cents)
                             from (${deductions}) as deducted))::text as json
     from place`,
)

/** The Reconciliation of an invoice as JSON; undefined out of reach. */
export const findReconciliation = (ctx: Ctx, invoice: Named) => found.json(ctx, invoice)

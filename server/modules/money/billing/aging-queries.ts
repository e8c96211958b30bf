import type { Page } from '../../../kernel/pages.ts'
import { inReach } from '../../../database/sql/reach.ts'
import type { ReadCtx } from '../../../runtime/ctx.ts'
import { pageJson, pageValues } from '../../../database/sql/pages.ts'
import { read } from '../../../database/sql/statement.ts'

/** SQL: what is owed of a stretch of days after the due date; without an end, of all later ones. */
const overdue = (from: number, to?: number) =>
  `coalesce(sum(invoice.total_in_cents) filter (
     where invoice.due_on <= :today::date - ${from}
       ${to ? `and invoice.due_on > :today::date - ${to}` : ''}), 0)::bigint`

/** What is owed by its age, in the order of the interface: each column and what it adds up. */
const amounts = {
  not_due_in_cents: `coalesce(sum(invoice.total_in_cents) filter (where invoice.due_on >= :today::date), 0)::bigint`,
  overdue_to_30_days_in_cents: overdue(1, 31),
  overdue_to_60_days_in_cents: overdue(31, 61),
  overdue_to_90_days_in_cents: overdue(61, 91),
  overdue_longer_in_cents: overdue(91),
  total_in_cents: 'sum(invoice.total_in_cents)::bigint',
}
const names = Object.keys(amounts)
const sums = Object.entries(amounts).map(([name, sum]) => `${sum} as ${name}`)

const listed = read(
  'billing.listInvoiceAging',
  `with owed as materialized (
     select invoice.employer_id, count(*)::int as invoice_count, min(invoice.due_on) as oldest_due_on,
            ${sums.join(', ')}
       from invoices as invoice
      where invoice.organization_id = :organization_id
        and ${inReach('invoice.organization_id', 'invoice.employer_id')}
        and invoice.issued_at is not null and invoice.paid_at is null and invoice.voided_at is null
      group by invoice.employer_id),
   whole as (
     select row_to_json(summed) as totals from (
       select coalesce(sum(invoice_count), 0)::int as invoice_count,
              ${names.map((name) => `coalesce(sum(${name}), 0)::bigint as ${name}`).join(', ')}
         from owed) as summed)
   select '{"totals":' || whole.totals || ',' || substr(paged.json, 2) as json
     from (select from organizations where id = :organization_id and ${inReach('id')}) as organization
    cross join whole cross join (
       ${pageJson(
         `select (select row_to_json(shown) from (
                    select page.employer_id, employer.name as employer_name, page.invoice_count, page.oldest_due_on,
                           ${names.map((name) => `page.${name}`).join(', ')}) as shown) as item,
                 row_number() over (order by page.oldest_due_on, page.employer_id) as position
            from (select * from owed order by oldest_due_on, employer_id
                   limit :limit::int offset :offset::bigint) as page
            join employers as employer
              on employer.id = page.employer_id and employer.organization_id = :organization_id`,
         '(select count(*) from owed)',
       )}) as paged`,
)

/**
 * A page of what the employers of an organization owe, by its age, as the whole answer: the longest overdue first;
 * undefined out of reach.
 */
export const listInvoiceAging = (ctx: ReadCtx, organization_id: string, page: Page) =>
  listed.json(ctx, { organization_id, ...pageValues(page) })

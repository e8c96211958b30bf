import { invoiceId } from '../../../kernel/ids.ts'
import { inReach } from '../../../database/sql/reach.ts'
import type { ReadCtx } from '../../../runtime/ctx.ts'
import { readVariants } from '../../../database/sql/statement.ts'
import type { Day } from '../../../kernel/days.ts'
import { hasRequestedStatus, invoiceJson, isOpenInvoice, type InvoicePosition } from './queries.ts'
import type { InvoiceRowFilter } from './schemas.ts'
import { pageJson, pageList } from '../../../database/sql/pages.ts'

/**
 * The maximum number of invoices that a page scans. A page that reaches this limit is short, and its next_offset
 * continues from there.
 */
const max_rows_scanned = 10_000

/** The maximum number of employers that a search by name returns. */
const max_employers = 100

/** SQL: the age of a row `invoice` by its due date. Null if it is not owed. */
const age = `
  case when not (${isOpenInvoice('invoice')}) then null
       when invoice.due_on >= :today::date then 'not_due' when invoice.due_on > :today::date - 31 then 'to_30_days'
       when invoice.due_on > :today::date - 61 then 'to_60_days'
       when invoice.due_on > :today::date - 91 then 'to_90_days' else 'longer' end`

/** SQL: whether a row `invoice` passes the filters. */
const isWanted = `
  ${hasRequestedStatus} and (cardinality(:ages::text[]) = 0 or (${age}) = any(:ages))`

/**
 * SQL: whether a row `invoice` follows the anchor and is in the requested months. Excludes invoices that are still
 * being written.
 */
const isAfterAnchor = `
  ${inReach('invoice.organization_id', 'invoice.employer_id')} and invoice.organization_id = :organization_id
  and invoice.drafted_at is not null
  and invoice.period >= (case when :period_from::date is null then '-infinity' else :period_from end)
  and invoice.period <= (case when :period_to::date is null then 'infinity' else :period_to end)
  and (invoice.period, invoice.number) < (case when :after_period::date is null then 'infinity' else :after_period end,
                                          case when :after_number::bigint is null then 0 else :after_number end)`

const in_order = 'order by invoice.period desc, invoice.number desc'

/** SQL: the invoices of an organization in order, either all or the owed ones, each with its own index. */
const inOrderOf = (of: 'all' | 'owed') => `
  select invoice.* from invoices as invoice
   where ${isAfterAnchor} and ${of === 'owed' ? isOpenInvoice('invoice') : "invoice.period > '-infinity'"} ${in_order}`

const isCalled = '(employer.name ilike :name_pattern::text or employer.legal_name ilike :name_pattern)'

/** SQL: the matching invoices of a row `employer`, as many as a page needs. */
const ofEmployer = (condition = 'true') => `
  select invoice.* from invoices as invoice
   where invoice.employer_id = employer.id and ${condition} and ${isAfterAnchor} and ${isWanted}
   ${in_order} limit :limit::int + 1`

/** SQL: the invoices of one employer. A search can match the employer, or an invoice number. */
const of_one = `
  select invoice.*
    from employers as employer
   cross join lateral (
     ${ofEmployer(`(:name_pattern::text is null or ${isCalled} or invoice.invoice_id = :invoice_id)`)}) as invoice
   where employer.organization_id = :organization_id and employer.id = :employer_id
     and ${inReach('employer.organization_id', 'employer.id')}`

/** SQL: the invoices of employers with a matching name, and the invoice with a matching number. */
const searched = `
  select invoice.*
    from (select employer.id from employers as employer
           where employer.organization_id = :organization_id and ${isCalled}
             and ${inReach('employer.organization_id')}
           order by employer.id limit ${max_employers}) as employer
   cross join lateral (${ofEmployer()}) as invoice
   union
  select invoice.* from invoices as invoice
   where invoice.invoice_id = :invoice_id and ${isAfterAnchor} and ${isWanted}`

const sources = { all: inOrderOf('all'), owed: inOrderOf('owed'), employer: of_one, search: searched }

type Source = keyof typeof sources

const isInOrder = (source: Source) => source === 'all' || source === 'owed'

/** SQL: the position of the next page after a short page: after the last scanned invoice. */
const scannedOf = (source: Source) =>
  isInOrder(source)
    ? `(select json_build_array(invoice.period, invoice.number)
          from (${sources[source]} offset ${max_rows_scanned - 1} limit 1) as invoice)`
    : 'null::json'

const listed = readVariants(
  'billing.listInvoicesAcross',
  { source: Object.keys(sources) as Source[] },
  ({ source }) => `
    with page as materialized (
      select invoice.*, row_number() over (${in_order}) as position
        from (${sources[source]} ${isInOrder(source) ? `limit ${max_rows_scanned}` : ''}) as invoice
       where ${isWanted} ${in_order} limit :limit::int + 1)
    select coalesce((
             select string_agg(shown.item::text, ',' order by invoice.position)
               from page as invoice
               join employers as employer
                 on employer.id = invoice.employer_id and employer.organization_id = :organization_id
              cross join lateral (${invoiceJson(`employer.name as employer_name, ${age} as age,`)}) as shown
              where invoice.position <= :limit), '') as items,
           case when (select count(*) from page) > :limit
                then (select json_build_array(period, number) from page where position = :limit)
                else ${scannedOf(source)} end as next
      from organizations as organization
     where organization.id = :organization_id and ${inReach('organization.id')}`,
)

type InvoicesAcrossWanted = Pick<
  InvoiceRowFilter,
  'limit' | 'include_drafts' | 'status' | 'age' | 'employer_id' | 'search'
> & {
  /** The 1st of a month. Null for no limit. */
  period_from: Day | null
  period_to: Day | null
  after: InvoicePosition | undefined
}

/** The id of the invoice with a number, with or without its prefix. Null if the string is not a number. */
function idOfNumber(search: string | undefined): string | null {
  const number = /^(?:inv-)?0*(\d{1,15})$/i.exec(search ?? '')?.[1]
  return number === undefined ? null : invoiceId(number)
}

function sourceOf({ search, employer_id, status, age }: InvoicesAcrossWanted): Source {
  if (employer_id !== undefined) return 'employer'
  if (search !== undefined) return 'search'
  const is_owed =
    status.length > 0 && status.every((listed_status) => listed_status === 'open' || listed_status === 'overdue')
  return is_owed || age.length > 0 ? 'owed' : 'all'
}

/**
 * A page of the invoices of an organization, newest first, as the text of a JSON array without its brackets, and the
 * position of the next page. The position is null on the last page. A page may be short without being the last.
 * Undefined if out of reach.
 */
export function listInvoicesAcross(ctx: ReadCtx, organization_id: string, wanted: InvoicesAcrossWanted) {
  const { limit, status, age, employer_id, search, period_from, period_to, after } = wanted
  return listed({ source: sourceOf(wanted) }).row<{ items: string; next: [Day, number] | null }>(ctx, {
    organization_id,
    limit,
    include_drafts: wanted.include_drafts || status.includes('draft'),
    statuses: status,
    ages: age,
    employer_id: employer_id ?? null,
    name_pattern: search === undefined ? null : `%${search.replace(/[\\%_]/g, '\\$&')}%`,
    invoice_id: idOfNumber(search),
    period_from,
    period_to,
    after_period: after?.period ?? null,
    after_number: after?.number ?? null,
  })
}

/** SQL: the amount that has been overdue for a range of days. Without `to`, the range has no end. */
const overdue = (from: number, to?: number) =>
  `coalesce(sum(invoice.total_in_cents) filter (
     where invoice.due_on <= :today::date - ${from}
       ${to ? `and invoice.due_on > :today::date - ${to}` : ''}), 0)::bigint`

/** The owed amounts by age, in the documented order: each column and its sum. */
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

/**
 * A page of the amounts that the employers of an organization owe, by age, longest overdue first. Undefined if out of
 * reach.
 */
export const listInvoiceAging = pageList(
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

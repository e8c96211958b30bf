import { inReach } from '../../../database/sql/reach.ts'
import type { ReadCtx } from '../../../runtime/ctx.ts'
import { readVariants } from '../../../database/sql/statement.ts'
import type { Day } from '../../../kernel/days.ts'
import { hasStatus, invoiceJson, isOwed, type InvoicePosition } from './queries.ts'
import type { InvoiceRowFilter } from './schemas.ts'

/** So many invoices are looked through for a page at most; behind them it ends, and says where to go on. */
const most_looked_through = 10_000

/** So many employers are found by a part of a name at most. */
const most_employers = 100

/** SQL: how long ago a row `invoice` was due, if it is owed. */
const age = `
  case when not (${isOwed('invoice')}) then null
       when invoice.due_on >= :today::date then 'not_due' when invoice.due_on > :today::date - 31 then 'to_30_days'
       when invoice.due_on > :today::date - 61 then 'to_60_days'
       when invoice.due_on > :today::date - 91 then 'to_90_days' else 'longer' end`

/** SQL: whether the filters keep a row `invoice`. */
const isWanted = `
  ${hasStatus} and (cardinality(:ages::text[]) = 0 or (${age}) = any(:ages))`

/** SQL: whether a row `invoice` lies ahead, in the wanted months; one that is still being written is not there yet. */
const liesAhead = `
  ${inReach('invoice.organization_id', 'invoice.employer_id')} and invoice.organization_id = :organization_id
  and invoice.drafted_at is not null
  and invoice.period >= (case when :period_from::date is null then '-infinity' else :period_from end)
  and invoice.period <= (case when :period_to::date is null then 'infinity' else :period_to end)
  and (invoice.period, invoice.number) < (case when :after_period::date is null then 'infinity' else :after_period end,
                                          case when :after_number::bigint is null then 0 else :after_number end)`

const in_order = 'order by invoice.period desc, invoice.number desc'

/** SQL: those of an organization in their order: of all, or of those that are owed, which have an index each. */
const walked = (of: 'all' | 'owed') => `
  select invoice.* from invoices as invoice
   where ${liesAhead} and ${of === 'owed' ? isOwed('invoice') : "invoice.period > '-infinity'"} ${in_order}`

const isCalled = '(employer.name ilike :name_pattern::text or employer.legal_name ilike :name_pattern)'

/** SQL: those of a row `employer` that are wanted, as many as a page needs. */
const ofEmployer = (condition = 'true') => `
  select invoice.* from invoices as invoice
   where invoice.employer_id = employer.id and ${condition} and ${liesAhead} and ${isWanted}
   ${in_order} limit :limit::int + 1`

/** SQL: those of one employer, of whom a search may find all, or the one of that number. */
const of_one = `
  select invoice.*
    from employers as employer
   cross join lateral (
     ${ofEmployer(`(:name_pattern::text is null or ${isCalled} or invoice.invoice_id = :invoice_id)`)}) as invoice
   where employer.organization_id = :organization_id and employer.id = :employer_id
     and ${inReach('employer.organization_id', 'employer.id')}`

/** SQL: those of the employers whom a part of a name finds, and the one whose number it is. */
const searched = `
  select invoice.*
    from (select employer.id from employers as employer
           where employer.organization_id = :organization_id and ${isCalled}
             and ${inReach('employer.organization_id')}
           order by employer.id limit ${most_employers}) as employer
   cross join lateral (${ofEmployer()}) as invoice
   union
  select invoice.* from invoices as invoice
   where invoice.invoice_id = :invoice_id and ${liesAhead} and ${isWanted}`

const sources = { all: walked('all'), owed: walked('owed'), employer: of_one, search: searched }

type Source = keyof typeof sources

const isWalked = (source: Source) => source === 'all' || source === 'owed'

/** SQL: where the next page begins when this one is not full: behind all that was looked through for it. */
const lookedThrough = (source: Source) =>
  isWalked(source)
    ? `(select json_build_array(invoice.period, invoice.number)
          from (${sources[source]} offset ${most_looked_through - 1} limit 1) as invoice)`
    : 'null::json'

const listed = readVariants(
  'billing.listInvoicesAcross',
  { source: Object.keys(sources) as Source[] },
  ({ source }) => `
    with page as materialized (
      select invoice.*, row_number() over (${in_order}) as position
        from (${sources[source]} ${isWalked(source) ? `limit ${most_looked_through}` : ''}) as invoice
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
                else ${lookedThrough(source)} end as next
      from organizations as organization
     where organization.id = :organization_id and ${inReach('organization.id')}`,
)

export type InvoicesAcrossWanted = Pick<
  InvoiceRowFilter,
  'limit' | 'include_drafts' | 'status' | 'age' | 'employer_id' | 'search'
> & {
  /** the first of a month; null: from the first, to the last */
  period_from: Day | null
  period_to: Day | null
  after: InvoicePosition | undefined
}

/** The id of the invoice that somebody means who says its number; null when it is none. */
function idOfNumber(search: string | undefined): string | null {
  const number = /^(?:inv-)?0*(\d{1,15})$/i.exec(search ?? '')?.[1]
  return number === undefined ? null : `INV-${number.padStart(6, '0')}`
}

function sourceOf({ search, employer_id, status, age }: InvoicesAcrossWanted): Source {
  if (employer_id !== undefined) return 'employer'
  if (search !== undefined) return 'search'
  const is_owed = status.length > 0 && status.every((one) => one === 'open' || one === 'overdue')
  return is_owed || age.length > 0 ? 'owed' : 'all'
}

/**
 * The invoices of an organization after one of them, newest first, as the text of a JSON array without its brackets,
 * and from where to go on: null when there are no more. There may be more behind a page that is not full. Undefined out
 * of reach.
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

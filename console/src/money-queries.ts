import { queryOptions } from '@tanstack/react-query'
import type {
  CallOptions,
  InvoiceAging,
  InvoiceAgingPage,
  InvoiceRow,
  InvoicesListQuery,
  PayrollDeductionStatementRow,
  PayrollDeductionStatementsListQuery,
} from 'openbenefits'
import { ob, operator } from './api.ts'
import { page_size, type Listing, type Trail } from './queries.ts'

/** What is asked about invoices and statements of all employers, by members of their organization and by operators of each. */

export type InvoiceFilter = Pick<
  InvoicesListQuery,
  'employer_id' | 'search' | 'status' | 'age' | 'period_from' | 'period_to'
>

export type StatementFilter = Pick<PayrollDeductionStatementsListQuery, 'search' | 'period_from' | 'period_to'>

type Stretch<Row> = PromiseLike<{ data: Row[]; next_offset: string | null }>
type Ask = {
  invoices: (query: InvoicesListQuery) => Stretch<InvoiceRow>
  statements: (query: PayrollDeductionStatementsListQuery) => Stretch<PayrollDeductionStatementRow>
  aging: (query: { limit: number; page: number }, options: CallOptions) => PromiseLike<InvoiceAgingPage>
}

/** A page may be empty while others come behind it: so many are looked through before one is asked whether to go on. */
const most_pages = 20

const moneyOf = (whose: string, ask: Ask) => {
  const key = ['money', whose]
  const aged = async (page: number, signal: AbortSignal) => ask.aging({ limit: page_size, page }, { signal })
  return {
    invoices: (filter: InvoiceFilter): Trail<InvoiceRow> => ({
      key: [...key, 'invoices', filter],
      from: async (offset) => {
        const query = { ...filter, limit: page_size, include_drafts: true }
        let page = await ask.invoices({ ...query, ...(offset && { offset }) })
        for (let more = 1; more < most_pages && page.data.length === 0 && page.next_offset !== null; more++)
          page = await ask.invoices({ ...query, offset: page.next_offset })
        return page
      },
    }),
    statements: (filter: StatementFilter): Trail<PayrollDeductionStatementRow> => ({
      key: [...key, 'statements', filter],
      from: async (offset) => ask.statements({ ...filter, limit: page_size, ...(offset && { offset }) }),
    }),
    aging: (): Listing<InvoiceAging> => ({ key: [...key, 'aging'], page: aged }),
    /** Of the first page of the same list: no request of its own. */
    agingTotals: () =>
      queryOptions({
        queryKey: [...key, 'aging', 'page', 1],
        queryFn: ({ signal }) => aged(1, signal),
        select: ({ totals }) => totals,
      }),
  }
}
export type MoneyOf = ReturnType<typeof moneyOf>

/** Of the organization that one is at. */
export const moneyHere = moneyOf('here', {
  invoices: (query) => ob.invoices.listAll(query),
  statements: (query) => ob.statements.listAll(query),
  aging: (query, options) => ob.invoices.listAging(query, options),
})

/** Of an organization, for operators. */
export const moneyAt = (organization_id: string) =>
  moneyOf(organization_id, {
    invoices: (query) => operator.invoices.listAll(organization_id, query),
    statements: (query) => operator.statements.listAll(organization_id, query),
    aging: (query, options) => operator.invoices.listAging(organization_id, query, options),
  })

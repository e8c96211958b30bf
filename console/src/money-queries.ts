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
import { page_size, type PagedList, type CursorList } from './queries.ts'

/** Queries about the invoices and statements of all employers, for members of an organization and for operators. */

export type InvoiceFilter = Pick<
  InvoicesListQuery,
  'employer_id' | 'search' | 'status' | 'age' | 'period_from' | 'period_to'
>

export type StatementFilter = Pick<PayrollDeductionStatementsListQuery, 'search' | 'period_from' | 'period_to'>

type CursorPage<Row> = PromiseLike<{ data: Row[]; next_offset: string | null }>
type MoneyRequests = {
  invoices: (query: InvoicesListQuery) => CursorPage<InvoiceRow>
  statements: (query: PayrollDeductionStatementsListQuery) => CursorPage<PayrollDeductionStatementRow>
  aging: (query: { limit: number; page: number }, options: CallOptions) => PromiseLike<InvoiceAgingPage>
}

/**
 * A page may be empty although later pages have rows. After this many empty pages the user decides whether to continue.
 */
const max_pages = 20

const makeMoneyQueries = (owner: string, requests: MoneyRequests) => {
  const key = ['money', owner]
  const aged = async (page: number, signal: AbortSignal) => requests.aging({ limit: page_size, page }, { signal })
  return {
    invoices: (filter: InvoiceFilter): CursorList<InvoiceRow> => ({
      key: [...key, 'invoices', filter],
      from: async (offset) => {
        const query = { ...filter, limit: page_size, include_drafts: true }
        let page = await requests.invoices({ ...query, ...(offset && { offset }) })
        for (let more = 1; more < max_pages && page.data.length === 0 && page.next_offset !== null; more++)
          page = await requests.invoices({ ...query, offset: page.next_offset })
        return page
      },
    }),
    statements: (filter: StatementFilter): CursorList<PayrollDeductionStatementRow> => ({
      key: [...key, 'statements', filter],
      from: async (offset) => requests.statements({ ...filter, limit: page_size, ...(offset && { offset }) }),
    }),
    aging: (): PagedList<InvoiceAging> => ({ key: [...key, 'aging'], page: aged }),
    /** The totals by age, read from the first page of the same list without another request. */
    agingTotals: () =>
      queryOptions({
        queryKey: [...key, 'aging', 'page', 1],
        queryFn: ({ signal }) => aged(1, signal),
        select: ({ totals }) => totals,
      }),
  }
}
export type MoneyQueries = ReturnType<typeof makeMoneyQueries>

/** For members of an organization. */
export const memberMoney = makeMoneyQueries('here', {
  invoices: (query) => ob.invoices.listAll(query),
  statements: (query) => ob.statements.listAll(query),
  aging: (query, options) => ob.invoices.listAging(query, options),
})

/** For operators, about one organization. */
export const operatorMoney = (organization_id: string) =>
  makeMoneyQueries(organization_id, {
    invoices: (query) => operator.invoices.listAll(organization_id, query),
    statements: (query) => operator.statements.listAll(organization_id, query),
    aging: (query, options) => operator.invoices.listAging(organization_id, query, options),
  })

import { keepPreviousData, useInfiniteQuery, useQueries } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { page_size, type PagedList, type CursorList } from '../../queries.ts'

/** The rows of a list for a table: the loaded rows and the total. */
export type Rows<Row> = {
  /** undefined until the first page has loaded */
  total: number | undefined
  rowAt: (index: number) => Row | undefined
  /** reports the visible rows, so that their pages are loaded */
  want: (first: number, last: number) => void
  error: Error | null
  retry: () => void
  /** whether the rows still belong to the previous filter */
  is_former: boolean
  more?: (() => void) | undefined
}

const pageAt = (index: number) => Math.floor(index / page_size) + 1

/** The query of a page of a list. */
export const pageQuery = <Row>({ key, page }: PagedList<Row>, number: number) => ({
  queryKey: [...key, 'page', number],
  queryFn: ({ signal }: { signal: AbortSignal }) => page(number, signal),
})

/** The polling interval for rows in progress. */
const poll_ms = 3000

/**
 * A paged list that loads only visible pages, and polls them while any row `isUnderWay`.
 */
export function useRows<Row>(list: PagedList<Row>, isUnderWay?: (rows: Row[]) => boolean): Rows<Row> {
  const whole_key = JSON.stringify(list.key)
  const [wanted, setWanted] = useState({ key: whole_key, pages: [1] })
  const pages = wanted.key === whole_key ? wanted.pages : [1]
  const queries = useQueries({
    queries: pages.map((number) => ({
      ...pageQuery(list, number),
      placeholderData: keepPreviousData,
      refetchInterval: ({ state: { data } }: { state: { data: { data: Row[] } | undefined } }) =>
        data && isUnderWay?.(data.data) ? poll_ms : (false as const),
    })),
  })
  const found = new Map(pages.map((number, at) => [number, queries[at]!]))
  const want = useCallback(
    (first: number, last: number) =>
      setWanted((before) => {
        const from = pageAt(first)
        const visible = Array.from({ length: pageAt(last) - from + 1 }, (_, at) => from + at)
        const pages = [...new Set([1, ...visible])]
        return before.key === whole_key && String(before.pages) === String(pages) ? before : { key: whole_key, pages }
      }),
    [whole_key],
  )
  return {
    total: found.get(1)?.data?.pagination.total,
    rowAt: (index) => found.get(pageAt(index))?.data?.data[index % page_size],
    want,
    error: queries.find(({ error }) => error)?.error ?? null,
    retry: () => void Promise.all(queries.map(({ refetch }) => refetch())),
    is_former: found.get(1)?.isPlaceholderData ?? false,
  }
}

/** A list with cursor pagination. */
export function useCursorRows<Row>({ key, from }: CursorList<Row>): Rows<Row> {
  const query = useInfiniteQuery({
    queryKey: [...key, 'trail'],
    queryFn: ({ pageParam }) => from(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_offset }) => next_offset ?? undefined,
    placeholderData: keepPreviousData,
  })
  const rows = query.data?.pages.flatMap(({ data }) => data)
  return {
    total: rows?.length,
    rowAt: (index) => rows?.[index],
    want: () => undefined,
    error: query.error,
    retry: () => void query.refetch(),
    is_former: query.isPlaceholderData,
    more: query.hasNextPage ? () => void query.fetchNextPage() : undefined,
  }
}

/** The loaded rows of a list. */
export const loadedRows = <Row>({ total = 0, rowAt }: Rows<Row>): Row[] =>
  Array.from({ length: total }, (_, at) => rowAt(at)).filter((row) => row !== undefined)

/** Rows that are already loaded. */
export const fixedRows = <Row>(rows: readonly Row[]): Rows<Row> => ({
  total: rows.length,
  rowAt: (index) => rows[index],
  want: () => undefined,
  error: null,
  retry: () => undefined,
  is_former: false,
})

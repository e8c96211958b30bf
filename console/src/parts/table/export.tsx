import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { NewScheduledExport } from 'openbenefits'
import type { ListColumn } from 'openbenefits/list-columns'
import { useState } from 'react'
import { formatNumber } from '../../format.ts'
import { type CursorList, type PagedList, page_size } from '../../queries.ts'
import { isOperator, isRoleAllowed } from '../../session.ts'
import { useAction } from '../form/use-action.ts'
import { ErrorMessage } from '../page/page.tsx'
import { Menu } from './menu.tsx'
import { pageQuery } from './rows.ts'

export type ExportColumn<Row> = ListColumn<Row>

/** A list to load page by page, or rows that are already loaded. */
type List<Row> = PagedList<Row> | CursorList<Row> | readonly Row[]

/** Reads all rows of a list, page by page. `report` receives the number of rows read so far. */
async function allRows<Row>(list: List<Row>, report: (count: number) => void): Promise<Row[]> {
  if ('length' in list) return [...list]
  const rows: Row[] = []
  let offset: string | undefined
  for (let page = 1; ; page++) {
    const result = 'page' in list ? await list.page(page, new AbortController().signal) : await list.from(offset)
    rows.push(...result.data)
    report(rows.length)
    if ('next_offset' in result) {
      if (result.next_offset === null) return rows
      offset = result.next_offset
    } else if (result.data.length < page_size) return rows
  }
}

const no_page = { queryKey: ['no-page'], queryFn: () => null }

/** Whether a list is loaded and has no rows. The table of the list sends the request. */
function useIsEmpty<Row>(list: List<Row>): boolean {
  const query = useQuery<{ pagination: { total: number } } | null>({
    ...('page' in list ? pageQuery(list, 1) : no_page),
    enabled: false,
  })
  return 'length' in list ? list.length === 0 : query.data?.pagination.total === 0
}

/** A list of the service with columns of its own, and the parameters with which it can be sent by email. */
export type Scheduled = { list: NewScheduledExport['list']; parameters?: object; hides?: string }

type ExportProps<Row> = { name: string; list: List<Row> } & (
  | { columns: readonly ExportColumn<Row>[]; scheduled?: undefined }
  | { scheduled: Scheduled; columns?: undefined }
)

/**
 * Downloads all rows that match the filters of a list, not only the loaded rows. Hidden if there are none, except that
 * an empty list can still be scheduled.
 */
export function Export<Row>({ name, list, columns, scheduled }: ExportProps<Row>) {
  const [count, setCount] = useState(0)
  const save = useAction({
    mutationFn: async (format: 'csv' | 'xlsx') => {
      const { downloadTable } = await import('./export-file.ts')
      await downloadTable({ name, format, columns: columns ?? scheduled, rows: await allRows(list, setCount) })
    },
    onSettled: () => setCount(0),
  })
  const is_empty = useIsEmpty(list)
  const may_schedule = scheduled && !isOperator() && isRoleAllowed('settings')
  if (is_empty && !may_schedule) return null
  return (
    <Menu label="Export" end>
      {(['csv', 'xlsx'] as const).map((format) => (
        <button
          key={format}
          type="button"
          className="plain"
          disabled={save.isPending || is_empty}
          onClick={() => save.mutate(format)}
        >
          {format === 'csv' ? 'CSV' : 'Excel'}
        </button>
      ))}
      {may_schedule && (
        <Link
          to="/settings/exports"
          search={{ add: 'yes', list: scheduled.list, parameters: JSON.stringify(scheduled.parameters ?? {}) }}
        >
          By email
        </Link>
      )}
      <span role="status" className="quiet">
        {is_empty && 'No rows'}
        {save.isPending && count > 0 && `${formatNumber(count)} rows`}
      </span>
      {save.error && <ErrorMessage error={save.error} />}
    </Menu>
  )
}

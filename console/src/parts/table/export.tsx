import { Link } from '@tanstack/react-router'
import type { NewScheduledExport } from 'openbenefits'
import type { ListColumn } from 'openbenefits/list-columns'
import { useState } from 'react'
import { inWords } from '../../format.ts'
import { type CursorList, type Listing, page_size } from '../../queries.ts'
import { isOperator, may } from '../../session.ts'
import { useAction } from '../form/use-action.ts'
import { Trouble } from '../page/page.tsx'
import { Menu } from './menu.tsx'

export type ExportColumn<Row> = ListColumn<Row>

type List<Row> = Listing<Row> | CursorList<Row>

/** Reads all rows of a list, page by page. `report` receives the number of rows read so far. */
async function allRows<Row>(list: List<Row>, report: (count: number) => void): Promise<Row[]> {
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

/** A list of the service with columns of its own, and the parameters with which it can be sent by email. */
export type Scheduled = { list: NewScheduledExport['list']; parameters?: object; hides?: string }

type ExportProps<Row> = { name: string; list: List<Row> } & (
  | { columns: readonly ExportColumn<Row>[]; scheduled?: undefined }
  | { scheduled: Scheduled; columns?: undefined }
)

/** Downloads all rows that match the filters of a list, not only the loaded rows. */
export function Export<Row>({ name, list, columns, scheduled }: ExportProps<Row>) {
  const [count, setCount] = useState(0)
  const save = useAction({
    mutationFn: async (format: 'csv' | 'xlsx') => {
      const { downloadTable } = await import('./export-file.ts')
      await downloadTable({ name, format, columns: columns ?? scheduled, rows: await allRows(list, setCount) })
    },
    onSettled: () => setCount(0),
  })
  return (
    <Menu label="Export" end>
      {(['csv', 'xlsx'] as const).map((format) => (
        <button
          key={format}
          type="button"
          className="plain"
          disabled={save.isPending}
          onClick={() => save.mutate(format)}
        >
          {format === 'csv' ? 'CSV' : 'Excel'}
        </button>
      ))}
      {scheduled && !isOperator() && may('settings') && (
        <Link
          to="/settings/exports"
          search={{ add: 'yes', list: scheduled.list, parameters: JSON.stringify(scheduled.parameters ?? {}) }}
        >
          By email
        </Link>
      )}
      <span role="status" className="quiet">
        {save.isPending && count > 0 && `${inWords(count)} rows`}
      </span>
      {save.error && <Trouble error={save.error} />}
    </Menu>
  )
}

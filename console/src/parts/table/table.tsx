import { type CSSProperties, memo, type ReactNode, Suspense, useDeferredValue, useEffect, useRef } from 'react'
import { lazyPart } from '../../frame/screen.ts'
import { formatDay, formatDollars, formatNumber } from '../../format.ts'
import { Timestamp, orDash, ErrorMessage } from '../page/page.tsx'
import type { Rows } from './rows.ts'

/** How a column is laid out. */
export type Layout = {
  /** percent of the table width. The other columns share the rest */
  width?: number
  /** the same on a phone */
  phone?: number
  /** wraps text, in short lists only */
  wraps?: boolean
  /** the widths at which the column is shown */
  only?: 'wide' | 'middle' | 'phone'
}

export type Column<Row> = Layout & {
  name: string
  cell: (row: Row) => ReactNode
  align?: 'end'
  /** the API's sort field, and the order after the first click */
  sort?: { by: string; first: Order }
}

type Order = 'asc' | 'desc'
/** The sort order of a list. Without `by`, the API's default order. */
export type Sorting = { by: string | undefined; order: Order; change: (by?: string, order?: Order) => void }

type FieldOf<Row, Value> = { [Name in keyof Row]: Row[Name] extends Value | null ? Name : never }[keyof Row]

const columnOf =
  <Value,>(show: (value: Value) => ReactNode) =>
  <Row,>(name: string, field: FieldOf<Row, Value>, layout: Layout = {}): Column<Row> => ({
    name,
    align: 'end',
    ...layout,
    cell: (row) => orDash(row[field] as Value | null, show),
  })

/** Columns of a field with dates, amounts, numbers or instants. A dash stands for null. */
export const dateColumn = columnOf(formatDay)
export const moneyColumn = columnOf(formatDollars)
export const numberColumn = columnOf(formatNumber)
export const timeColumn = columnOf((instant: string) => <Timestamp of={instant} />)

type TableProps<Row> = {
  label: string
  columns: Column<Row>[]
  rows: Rows<Row>
  empty: ReactNode
  /** marks the selected row */
  isChosen?: (row: Row) => boolean
  sorting?: Sorting
}

/** The number of placeholders until the first rows load. Most lists of a page are short, so more would make it jump. */
const placeholder_rows = 3

/** Up to this many rows are all rendered, so that the browser can search and print them. */
const max_unwindowed = 200

const LongRows = lazyPart(() => import('./long-rows.tsx'), 'LongRows')

/** The first rows of a long list, rendered while the code for the others loads. */
const first_rendered = 40

const classOf = <Row,>({ align, only, wraps }: Column<Row>) =>
  [align === 'end' && 'number', only && `only-${only}`, wraps && 'wraps'].filter(Boolean).join(' ') || undefined

/** The id of a row. With it as key, the focus stays on a row's link when a refetch inserts rows above it. */
const keyOf = (row: unknown) => (row as { id?: string } | undefined)?.id

const widthsOf = <Row,>({ width, phone }: Column<Row>) =>
  ({ ...(width && { width: `${width}%` }), ...(phone && { '--phone': `${phone}%` }) }) as CSSProperties

/**
 * The only table component. The first column is the row header. Long lists render only visible rows, and rows that have
 * not loaded keep their place.
 */
export function Table<Row>({ label, columns, rows: known, empty, isChosen, sorting }: TableProps<Row>) {
  // Render loaded rows between inputs.
  const rows = useDeferredValue(known)
  const { total = placeholder_rows, error, retry, is_former } = rows
  const frame = useRef<HTMLDivElement>(null)
  const is_long = total > max_unwindowed
  const { want } = rows
  useEffect(() => {
    if (!is_long) want(0, total - 1)
  }, [is_long, total, want])
  const line = (index: number) => {
    const row = rows.rowAt(index)
    return <MemoizedRow key={keyOf(row) ?? index} index={index} row={row} columns={columns} isChosen={isChosen} />
  }
  if (error && rows.total === undefined) return <ErrorMessage error={error} retry={retry} />
  if (rows.total === 0) return empty
  return (
    <div className="table-frame" ref={frame}>
      <table
        aria-label={label}
        aria-rowcount={total + 1}
        aria-busy={rows.total === undefined}
        data-former={is_former}
        data-long={is_long}
      >
        <colgroup>
          {columns.map((column) => (
            <col key={column.name} className={classOf(column)} style={widthsOf(column)} />
          ))}
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map((column) => (
              <ColumnHeading key={column.name} of={column} sorting={sorting} />
            ))}
          </tr>
        </thead>
        <tbody>
          {is_long ? (
            <Suspense fallback={<TableRows count={first_rendered} line={line} after={total - first_rendered} />}>
              <LongRows frame={frame} total={total} want={want} line={line} />
            </Suspense>
          ) : (
            <TableRows count={total} line={line} />
          )}
        </tbody>
      </table>
      {error && <ErrorMessage error={error} retry={retry} />}
      {rows.more && (
        <button type="button" className="button more" onClick={rows.more}>
          Show more
        </button>
      )}
    </div>
  )
}

export const row_height = 36

/** A spacer for rows that are not rendered. It has no colspan, because a phone shows fewer columns. */
const Spacer = ({ rows }: { rows: number }) => (
  <tr aria-hidden="true" className="gap">
    <td style={{ height: rows * row_height }}>{'\u00a0'}</td>
  </tr>
)

type TableRowsProps = {
  first?: number
  count: number
  line: (index: number) => ReactNode
  /** the number of rows below that are not rendered */
  after?: number
}

/** Some rows of a list in a row, with spacers for the others. */
export const TableRows = ({ first = 0, count, line, after = 0 }: TableRowsProps) => (
  <>
    {first > 0 && <Spacer rows={first} />}
    {Array.from({ length: count }, (_, at) => line(first + at))}
    {after > 0 && <Spacer rows={after} />}
  </>
)

/**
 * The heading of a column, with a button if the list can be sorted by it. A third click restores the default order.
 */
function ColumnHeading<Row>({ of: column, sorting }: { of: Column<Row>; sorting: Sorting | undefined }) {
  const { name, sort } = column
  if (!sorting || !sort)
    return (
      <th scope="col" className={classOf(column)}>
        {name}
      </th>
    )
  const order = sorting.by === sort.by ? sorting.order : undefined
  const next = order === undefined ? sort.first : order === sort.first ? (order === 'asc' ? 'desc' : 'asc') : undefined
  return (
    <th scope="col" className={classOf(column)} aria-sort={order && (order === 'asc' ? 'ascending' : 'descending')}>
      <button type="button" className="sort" onClick={() => sorting.change(next && sort.by, next)}>
        {name}
        <span aria-hidden="true">{order ? (order === 'asc' ? '↑' : '↓') : '↕'}</span>
      </button>
    </th>
  )
}

function TableRow<Row>({
  index,
  row,
  columns,
  isChosen,
}: {
  index: number
  row: Row | undefined
  columns: Column<Row>[]
  isChosen: ((row: Row) => boolean) | undefined
}) {
  return (
    <tr aria-rowindex={index + 2} aria-current={row && isChosen?.(row) ? 'true' : undefined}>
      {columns.map((column, at) => {
        const inside = row ? column.cell(row) : <span className="bone" />
        return at === 0 && row ? (
          <th key={column.name} scope="row" className={classOf(column)}>
            {inside}
          </th>
        ) : (
          <td key={column.name} className={classOf(column)}>
            {inside}
          </td>
        )
      })}
    </tr>
  )
}

/** Unchanged rows are not rendered again. */
const MemoizedRow = memo(TableRow) as typeof TableRow

import { useQuery } from '@tanstack/react-query'
import type { TrendMonth } from 'openbenefits'
import { lazy, Suspense } from 'react'
import { formatDollars, formatMonth } from '../../format.ts'
import { trendsQuery } from '../../queries.ts'
import { isRoleAllowed } from '../../session.ts'
import { Loaded, Section, EnrolledShare, LoadingPlaceholder } from '../page/page.tsx'
import { fixedRows } from '../table/rows.ts'
import { type Column, Table } from '../table/table.tsx'

/** If the chart cannot load, the table still shows the numbers. */
const Chart = lazy(() =>
  import('./chart.tsx').then(({ Chart }) => ({ default: Chart })).catch(() => ({ default: NoChart })),
)
const NoChart: typeof import('./chart.tsx').Chart = ({ title, latest }) => (
  <p>
    {title} <span className="quiet">{latest}</span>
  </p>
)

const columns: Column<TrendMonth>[] = [
  { name: 'Month', width: 30, phone: 34, cell: ({ month }) => formatMonth(month) },
  {
    name: 'Enrolled',
    phone: 34,
    cell: ({ participation }) => <EnrolledShare of="eligible people enrolled" {...participation} />,
  },
  { name: 'Participation', align: 'end', only: 'middle', cell: ({ participation }) => `${participation.percentage}%` },
]
const premium_column: Column<TrendMonth> = {
  name: 'Premium',
  align: 'end',
  cell: ({ premium_in_cents }) => formatDollars(premium_in_cents ?? 0),
}

/** Without participation in any month and without premium, there is nothing to draw. */
const isEmpty = (months: TrendMonth[]) =>
  months.every(({ participation, premium_in_cents }) => participation.eligible === 0 && !premium_in_cents)

const short_month = new Intl.DateTimeFormat('en-US', { month: 'short', timeZone: 'UTC' })

/** Participation and premium over the last twelve months, as charts and as a table. */
export function Trends({ employer_id }: { employer_id?: string }) {
  const found = useQuery(trendsQuery(employer_id))
  if (found.data && isEmpty(found.data.months)) return null
  const has_money = isRoleAllowed('money')
  return (
    <Section title="The last twelve months">
      <Loaded query={found} lines={6}>
        {({ months }) => {
          const names = months.map(({ month }) => short_month.format(Date.parse(`${month}-01`)))
          const last = months.at(-1)!
          return (
            <>
              <Suspense fallback={<LoadingPlaceholder lines={6} />}>
                <div className="charts">
                  <Chart
                    title="Participation"
                    latest={`${last.participation.percentage}% in ${formatMonth(last.month)}`}
                    names={names}
                    values={months.map(({ participation: { eligible, percentage } }) =>
                      eligible > 0 ? percentage : null,
                    )}
                    max={100}
                    format={(value) => `${value}%`}
                  />
                  {has_money && (
                    <Chart
                      title="Premium"
                      latest={`${formatDollars(last.premium_in_cents ?? 0)} in ${formatMonth(last.month)}`}
                      names={names}
                      values={months.map(({ premium_in_cents }) => (premium_in_cents ?? 0) / 100)}
                      format={(value) => `$${compact.format(value)}`}
                      bars
                    />
                  )}
                </div>
              </Suspense>
              <details>
                <summary>Show as a table</summary>
                <Table
                  label="The last twelve months"
                  columns={has_money ? [...columns, premium_column] : columns}
                  rows={fixedRows(months)}
                  empty={null}
                />
              </details>
            </>
          )
        }}
      </Loaded>
    </Section>
  )
}

const compact = new Intl.NumberFormat('en-US', { notation: 'compact' })

import { getRouteApi } from '@tanstack/react-router'
import type { AcaOverview, MeasuredEmployee } from 'openbenefits'
import { formatCount, formatDay, formatNumber, type Tone } from '../../format.ts'
import { HereLink, useChangeSearch } from '../../parts/page/links.tsx'
import { Empty, Facts, Dash, Section, Status } from '../../parts/page/page.tsx'
import { Export, type ExportColumn } from '../../parts/table/export.tsx'
import { linkColumn } from '../../parts/table/row-link.tsx'
import { useRows } from '../../parts/table/rows.ts'
import { type Column, dateColumn, Table, timeColumn } from '../../parts/table/table.tsx'
import { aca_prefix, defaultYear, type WorkforceFilter, workforceList } from './queries.ts'

const route = getRouteApi('/employers/$employer_id/aca')

const describeStatus = (one: MeasuredEmployee): [words: string, tone: Tone] => {
  const { is_full_time, reason_code, is_in_administrative_period } = one
  if (is_in_administrative_period) return ['Administrative period', 'wait']
  if (reason_code === 'measuring') return ['Initial measurement', 'wait']
  if (is_full_time === null) return ['No status', 'bad']
  return is_full_time ? ['Full-time', 'good'] : ['Not full-time', 'over']
}

const columns: Column<MeasuredEmployee>[] = [
  linkColumn(
    'Name',
    (one) => [
      one.person_name,
      { to: '/people/$employee_id', params: { employee_id: one.employee_id }, search: { why: aca_prefix } },
    ],
    { width: 18, phone: 44 },
  ),
  {
    name: 'Status',
    width: 16,
    cell: (one) => {
      const [words, tone] = describeStatus(one)
      return <Status of={words} tone={tone} />
    },
  },
  {
    name: 'Trend',
    width: 15,
    only: 'middle',
    cell: ({ is_trending }) => (is_trending ? <Status of="30 hours or more" tone="wait" /> : <Dash />),
  },
  dateColumn('Since', 'status_starts_on', { only: 'wide' }),
  dateColumn('Until', 'status_ends_on', { only: 'middle' }),
  dateColumn('Next change', 'next_change_on', { only: 'wide' }),
  timeColumn('Measured', 'measured_at', { only: 'wide', width: 15 }),
]

const exported: readonly ExportColumn<MeasuredEmployee>[] = [
  { name: 'Name', of: ({ person_name }) => person_name },
  { name: 'Status', of: (one) => describeStatus(one)[0] },
  { name: 'Near full-time', of: ({ is_trending }) => (is_trending ? 'yes' : 'no') },
  { name: 'Since', kind: 'day', of: ({ status_starts_on }) => status_starts_on },
  { name: 'Until', kind: 'day', of: ({ status_ends_on }) => status_ends_on },
  { name: 'Next change', kind: 'day', of: ({ next_change_on }) => next_change_on },
  { name: 'Measured', of: ({ measured_at }) => measured_at },
  { name: 'Employee', of: ({ employee_id }) => employee_id },
]

const groups = ['full_time', 'not_full_time', 'trending', 'unreported'] as const
type Group = (typeof groups)[number]

const groupFilters = (tax_year: number): Record<Group, WorkforceFilter> => ({
  full_time: { is_full_time: true },
  not_full_time: { is_full_time: false },
  trending: { is_trending: true },
  unreported: { hours_not_reported_in: tax_year },
})

const groupLabels = (tax_year: number): Record<Group, string> => ({
  full_time: 'Full-time',
  not_full_time: 'Not full-time',
  trending: 'Near full-time',
  unreported: `No hours reported in months of ${tax_year}`,
})

/** The current employees by full-time status, and those who approach it. */
export function Workforce({ employer_id, overview }: { employer_id: string; overview: AcaOverview }) {
  const { group, year } = route.useSearch()
  const change = useChangeSearch()
  const chosen = groups.find((one) => one === group)
  const tax_year = Number(year ?? defaultYear(overview.as_of))
  const list = workforceList(employer_id, chosen ? groupFilters(tax_year)[chosen] : {})
  const rows = useRows(list)
  const { counts, trending_count, hours_reported_through: through } = overview
  return (
    <>
      <p className="aca-summary">
        <strong className="figure number">{formatNumber(counts.full_time)}</strong>
        <span>
          of {formatCount(overview.employee_count, 'employee')} {counts.full_time === 1 ? 'is' : 'are'} full-time.{' '}
          {trending_count > 0 && (
            <HereLink change={{ group: 'trending' }}>
              {formatCount(trending_count, 'person averages', 'people average')} 30 hours or more and may become
              full-time.
            </HereLink>
          )}
        </span>
      </p>
      <Facts
        of={[
          ['Full-time', formatNumber(counts.full_time)],
          ['Not full-time', formatNumber(counts.not_full_time)],
          ['Initial measurement', formatNumber(counts.initial_measurement)],
          ['Administrative period', formatNumber(counts.administrative_period)],
          ['Not measured', formatNumber(counts.not_measured)],
          [
            'Hours reported through',
            <>
              {through === null ? 'No hours yet' : formatDay(through)}{' '}
              <HereLink change={{ show: 'hours', group: undefined }}>Import hours</HereLink>
            </>,
          ],
        ]}
      />
      {counts.not_measured > 0 && (
        <p>
          {overview.has_measurement_policies
            ? `${formatCount(counts.not_measured, 'person is', 'people are')} without a policy, or contractors. `
            : 'The employer has no measurement policy, so hours are not measured. '}
          <HereLink change={{ show: 'measurement', group: undefined }}>
            {overview.has_measurement_policies ? 'Change the measurement policies' : 'Set a measurement policy'}
          </HereLink>
        </p>
      )}
      <Section title="Employees">
        <div className="filters">
          <label>
            Show{' '}
            <select value={chosen ?? ''} onChange={({ target }) => void change({ group: target.value || undefined })}>
              <option value="">All employees</option>
              {groups.map((one) => (
                <option key={one} value={one}>
                  {groupLabels(tax_year)[one]}
                </option>
              ))}
            </select>
          </label>
          <span className="quiet" role="status">
            {rows.total !== undefined && formatCount(rows.total, 'employee')}
          </span>
          <Export name="full-time-status" list={list} columns={exported} />
        </div>
        <Table label="Full-time status" columns={columns} rows={rows} empty={<Empty title="No employees match." />} />
      </Section>
    </>
  )
}

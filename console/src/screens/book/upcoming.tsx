import type { EmployerRow } from 'openbenefits'
import { useEffect } from 'react'
import { formatCount, formatMonth, toSentence } from '../../format.ts'
import { enrolled_column } from '../../parts/benefits/employer-stage.tsx'
import { Empty, Page, Section, Status, ErrorMessage, LoadingPlaceholder } from '../../parts/page/page.tsx'
import { Export, type ExportColumn } from '../../parts/table/export.tsx'
import { linkColumn } from '../../parts/table/row-link.tsx'
import { loadedRows, fixedRows, useRows } from '../../parts/table/rows.ts'
import { type Column, dateColumn, Table } from '../../parts/table/table.tsx'
import { employersList } from '../../queries.ts'

/** The date that belongs to each stage. */
const upcoming_labels = {
  onboarding: 'Coverage starts for the first time',
  open_enrollment: 'Open enrollment closes',
  renewal: 'The next plan year starts',
} as const

type UpcomingEmployer = EmployerRow & { stage: keyof typeof upcoming_labels; day: string }

const upcomingDates = (row: EmployerRow): UpcomingEmployer[] => {
  const { stage, as_of_date: day } = row.benefit_lifecycle_stage
  return day !== null && stage in upcoming_labels ? [{ ...row, stage: stage as keyof typeof upcoming_labels, day }] : []
}

/** The chart counts at most this many employers, one page of the list per 100. */
const max_employers = 2000

const columns: Column<UpcomingEmployer>[] = [
  linkColumn('Employer', ({ id, name }) => [name, { to: '/employers/$employer_id', params: { employer_id: id } }], {
    width: 24,
    phone: 30,
  }),
  { name: 'Event', only: 'middle', width: 26, cell: ({ stage }) => upcoming_labels[stage] },
  { name: 'Stage', width: 18, phone: 38, cell: ({ stage }) => <Status of={stage} /> },
  { ...enrolled_column, only: 'middle' },
  dateColumn('Date', 'day', { phone: 32 }),
]

const exported: ExportColumn<UpcomingEmployer>[] = [
  { name: 'Employer', of: ({ name }) => name },
  { name: 'Event', of: ({ stage }) => upcoming_labels[stage] },
  { name: 'Stage', of: ({ stage }) => toSentence(stage) },
  { name: 'Enrolled', of: ({ enrollment_rate_summary: { enrolled } }) => enrolled },
  { name: 'Eligible', of: ({ enrollment_rate_summary: { eligible } }) => eligible },
  { name: 'Date', kind: 'day', of: ({ day }) => day },
]

/** Plan year ends by month, and employers that start, enroll or renew soon. */
export function UpcomingPage() {
  const rows = useRows(employersList({}))
  const { total, want } = rows
  useEffect(() => {
    if (total !== undefined && total > 0) want(0, Math.min(total, max_employers) - 1)
  }, [total, want])
  const there = loadedRows(rows)
  const found = there.flatMap(upcomingDates).toSorted((a, b) => a.day.localeCompare(b.day))
  const is_complete = total !== undefined && there.length >= Math.min(total, max_employers)
  return (
    <Page title="Upcoming dates" breadcrumbs={[{ label: 'Employers', link: { to: '/employers' } }]}>
      {rows.error && <ErrorMessage error={rows.error} retry={rows.retry} />}
      {!is_complete && !rows.error && <LoadingPlaceholder lines={8} />}
      {is_complete && (
        <>
          <Section
            title="Next 90 days"
            actions={
              <>
                <span className="quiet">{formatCount(found.length, 'employer')}</span>
                <Export name="upcoming-dates" list={found} columns={exported} />
              </>
            }
          >
            <Table
              label="Next 90 days"
              columns={columns}
              rows={fixedRows(found)}
              empty={
                <Empty title="No upcoming dates.">
                  First plan years, closing open enrollments, and renewals within the next 90 days appear here.
                </Empty>
              }
            />
          </Section>
          <RenewalMonths of={there} />
        </>
      )}
      {total !== undefined && total > max_employers && (
        <p className="quiet">
          Of the {formatCount(max_employers, 'employer')} most recently added. Find the others under Employers.
        </p>
      )}
    </Page>
  )
}

/** The number of plan years that end with each month. */
function RenewalMonths({ of }: { of: EmployerRow[] }) {
  const months = [...Map.groupBy(of, ({ renews_on }) => renews_on?.slice(0, 7))]
    .flatMap(([month, those]) => (month === undefined ? [] : [{ month, those }]))
    .toSorted((a, b) => a.month.localeCompare(b.month))
  if (months.length === 0) return null
  const longest = Math.max(...months.map(({ those }) => those.length))
  return (
    <Section title="Renewals by month">
      <ul className="lines bars">
        {months.map(({ month, those }) => (
          <li key={month}>
            <span className="bars-name">{formatMonth(month)}</span>
            <span className="bars-line" aria-hidden="true">
              <span style={{ width: `${(those.length / longest) * 100}%` }} />
            </span>
            <span className="number">{formatCount(those.length, 'employer')}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

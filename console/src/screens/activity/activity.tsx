import { getRouteApi, Link } from '@tanstack/react-router'
import type { ActivityEntry } from 'openbenefits'
import { useState } from 'react'
import { Empty, Dash, Page, Section } from '../../parts/page/page.tsx'
import { Export, type ExportColumn } from '../../parts/table/export.tsx'
import { type Rows, useRows } from '../../parts/table/rows.ts'
import { type Column, Table, timeColumn } from '../../parts/table/table.tsx'
import { type ActivityFilter, activityList } from '../../queries.ts'
import { activitySentence } from './sentences.ts'

/** The change as a sentence, with a link to its person. */
const change_column: Column<ActivityEntry> = {
  name: 'Change',
  width: 56,
  phone: 64,
  wraps: true,
  cell: (entry) =>
    entry.employee_id === null ? (
      activitySentence(entry)
    ) : (
      <Link to="/people/$employee_id" params={{ employee_id: entry.employee_id }} className="row-link">
        {activitySentence(entry)}
      </Link>
    ),
}

/** The change with its employer, which has a column of its own on wider screens. */
const change_at_employer: Column<ActivityEntry> = {
  ...change_column,
  cell: (entry) => (
    <>
      {change_column.cell(entry)} <span className="quiet only-phone">{entry.employer_name}</span>
    </>
  ),
}

const employer_column: Column<ActivityEntry> = {
  name: 'Employer',
  only: 'middle',
  cell: ({ employer_id, employer_name }) =>
    employer_id === null ? (
      <Dash />
    ) : (
      <Link to="/employers/$employer_id" params={{ employer_id }}>
        {employer_name}
      </Link>
    ),
}

const time_column = timeColumn<ActivityEntry>('Time', 'created_at', { width: 20, phone: 36 })

type ActivityTableProps = { rows: Rows<ActivityEntry>; columns: Column<ActivityEntry>[] }

const ActivityTable = ({ rows, columns }: ActivityTableProps) => (
  <Table
    label="Activity"
    columns={columns}
    rows={rows}
    empty={<Empty title="No activity yet.">Hires, elections, renewals and other changes appear here.</Empty>}
  />
)

type ListProps = { filter: ActivityFilter; columns: Column<ActivityEntry>[] }

/** Changes, newest first, updated live. */
const ActivityList = ({ filter, columns }: ListProps) => (
  <ActivityTable rows={useRows(activityList(filter), () => true)} columns={columns} />
)

const exported: ExportColumn<ActivityEntry>[] = [
  { name: 'Time', of: ({ created_at }) => created_at },
  { name: 'Change', of: activitySentence },
  { name: 'Person', of: ({ person_name }) => person_name },
  { name: 'Benefit', of: ({ benefit_name }) => benefit_name },
  { name: 'Employer', of: ({ employer_name }) => employer_name },
]

/** The activity of all employers. */
export const Activity = () => (
  <Page title="Activity" actions={<Export name="activity" list={activityList({})} columns={exported} />}>
    <ActivityList filter={{}} columns={[change_at_employer, employer_column, time_column]} />
  </Page>
)

const of_employer = getRouteApi('/employers/$employer_id/activity')

/** The activity of an employer and its people. */
export const EmployerActivity = () => (
  <ActivityList filter={of_employer.useParams()} columns={[change_column, time_column]} />
)

/** The number of changes of a person that are shown before a click. Most of them are deductions. */
const max_latest_changes = 8

/** The latest activity of a person, below the facts of the page. */
export function PersonActivity({ employee_id }: { employee_id: string }) {
  const [shows_all, setShowsAll] = useState(false)
  const rows = useRows(activityList({ employee_id }), () => true)
  const { total } = rows
  const is_cut = !shows_all && total !== undefined && total > max_latest_changes
  return (
    <Section title="Activity">
      <ActivityTable
        rows={is_cut ? { ...rows, total: max_latest_changes, more: () => setShowsAll(true) } : rows}
        columns={[{ ...change_column, cell: activitySentence }, time_column]}
      />
    </Section>
  )
}

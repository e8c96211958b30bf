import { Link } from '@tanstack/react-router'
import { type ReactNode, useId, useState } from 'react'
import type { AcaOverview, HoursOutcome, HoursReport } from 'openbenefits'
import { ApiError, ob, refetch } from '../../api.ts'
import { formatCount, formatDay, formatNumber, toSentence, formatDayRange } from '../../format.ts'
import { FileDrop } from '../../parts/form/file-drop.tsx'
import { ChangePlan } from '../../parts/form/change-plan.tsx'
import { refreshLater } from '../../parts/form/use-action.ts'
import { Timestamp, Empty, Section } from '../../parts/page/page.tsx'
import { readText } from '../../parts/roster/file-text.ts'
import { Export, type ExportColumn } from '../../parts/table/export.tsx'
import { useRows } from '../../parts/table/rows.ts'
import { type Column, dateColumn, numberColumn, Table } from '../../parts/table/table.tsx'
import { acaKey, hoursReportsQuery } from './queries.ts'

const formatOrigin = ({ origin }: HoursReport) => (origin === 'hris' ? 'Payroll' : 'Import or API')

const columns: Column<HoursReport>[] = [
  { name: 'Reported', width: 22, phone: 36, cell: ({ reported_at }) => <Timestamp of={reported_at} /> },
  { name: 'From', only: 'middle', cell: formatOrigin },
  dateColumn('First day', 'period_starts_on', { only: 'middle' }),
  dateColumn('Last day', 'period_ends_on', { phone: 36 }),
  numberColumn('Rows', 'row_count'),
  numberColumn('Changed', 'changed_count', { only: 'wide' }),
  numberColumn('Removed', 'removed_count', { only: 'wide' }),
  numberColumn('Late', 'late_count', { only: 'wide' }),
  numberColumn('Failed', 'failed_count', { only: 'middle' }),
]

const exported: ExportColumn<HoursReport>[] = [
  { name: 'Reported', of: ({ reported_at }) => reported_at },
  { name: 'From', of: formatOrigin },
  { name: 'First day', kind: 'day', of: ({ period_starts_on }) => period_starts_on },
  { name: 'Last day', kind: 'day', of: ({ period_ends_on }) => period_ends_on },
  { name: 'Rows', of: ({ row_count }) => row_count },
  { name: 'Added', of: ({ added_count }) => added_count },
  { name: 'Changed', of: ({ changed_count }) => changed_count },
  { name: 'Removed', of: ({ removed_count }) => removed_count },
  { name: 'Late', of: ({ late_count }) => late_count },
  { name: 'Failed', of: ({ failed_count }) => failed_count },
]

/** The reports of hours, and the import of a file. */
export function Hours({ employer_id, overview }: { employer_id: string; overview: AcaOverview }) {
  const { hours_reported_through: through } = overview
  const list = hoursReportsQuery(employer_id)
  const reports = useRows(list)
  const latest = reports.rowAt(0)
  return (
    <>
      <Section title="Import hours">
        <p className="aca-line">
          {through === null ? 'No hours are reported yet.' : `Hours are reported through ${formatDay(through)}.`}
        </p>
        <HoursImport employer_id={employer_id} />
      </Section>
      <Section title="Reports" actions={<Export name="hours-reports" list={list} columns={exported} />}>
        <Table
          label="Reports of hours"
          columns={columns}
          rows={reports}
          empty={<Empty title="No reports yet.">Import a file, or report hours through the API.</Empty>}
        />
      </Section>
      {latest && latest.failures.length > 0 && (
        <Section title="Failed rows of the latest report">
          <ul className="lines">
            {latest.failures.map(({ employee_id, reference_id, field, reason }, at) => (
              <li key={at}>
                <span>{reference_id ?? employee_id ?? 'No reference'}</span>
                <span>
                  <code>{field}</code> {reason}
                </span>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  )
}

type CheckedFile = { name: string; csv: string; outcome: HoursOutcome }

/** Checks a file by a dry run, shows the effects, and then records it. */
function HoursImport({ employer_id }: { employer_id: string }) {
  const [checked, setChecked] = useState<CheckedFile>()
  const [done, setDone] = useState<string>()
  const [faults, setFaults] = useState<ApiError['details']>([])
  const read = async (file: File) => {
    setDone(undefined)
    setFaults([])
    const csv = await readText(file)
    try {
      const outcome = await ob.hours.report(employer_id as never, csv, { dry_run: true })
      setChecked({ name: file.name, csv, outcome })
    } catch (error) {
      if (!(error instanceof ApiError) || error.details.length === 0) throw error
      setFaults(error.details)
    }
  }
  if (!checked)
    return (
      <>
        <FileDrop read={read}>
          With the columns reference_id, period_starts_on, period_ends_on, kind and hours. You see the effects before
          anything is recorded.
        </FileDrop>
        {faults.length > 0 && <FileProblems of={faults} />}
        <p role="status">{done}</p>
      </>
    )
  const { name, csv, outcome } = checked
  const recorded = outcome.added_count + outcome.changed_count + outcome.removed_count
  const apply = async () => {
    await ob.hours.report(employer_id as never, csv)
    setDone(`${formatCount(recorded, 'row')} of ${name} recorded.`)
    setChecked(undefined)
    await refetch(acaKey(employer_id))
    refreshLater(() => refetch(acaKey(employer_id)))
  }
  return (
    <ChangePlan
      title={name}
      parts={[
        {
          name: outcome.status_changes.length === 1 ? 'status change' : 'status changes',
          count: outcome.status_changes.length,
          tone: 'wait',
          details: <StatusChanges of={outcome} />,
        },
        { name: 'added', count: outcome.added_count, tone: 'good' },
        { name: 'changed', count: outcome.changed_count, tone: 'wait', details: <HoursChanges of={outcome} /> },
        {
          name: 'removed',
          count: outcome.removed_count,
          tone: 'bad',
          details: outcome.changed_count === 0 && <HoursChanges of={outcome} />,
        },
        { name: 'late', count: outcome.late_count, tone: 'wait' },
        { name: 'unchanged', count: outcome.unchanged_count, tone: 'over' },
        { name: 'failed', count: outcome.failed_count, tone: 'bad', details: <Failures of={outcome} /> },
      ]}
      button={`Record ${formatCount(recorded, 'row')}`}
      unless={recorded === 0 ? 'The file changes nothing.' : undefined}
      apply={apply}
      back={() => setChecked(undefined)}
    />
  )
}

/** The number of a line of the file: the first line has the names of the columns, and row 1 is below it. */
const formatLineNumber = (index: number) => `line ${formatNumber(index + 2)}`

/** The faults for which a file is refused. */
const FileProblems = ({ of }: { of: ApiError['details'] }) => (
  <div className="trouble" role="alert">
    <p>Nothing was recorded. Correct the file, and choose it again.</p>
    {of.map(({ field = '', message }, at) => {
      const [, index, column] = /^rows\[(\d+)\]\.?(.*)$/.exec(field) ?? []
      return (
        <p key={at}>
          {index === undefined ? <code>{field}</code> : toSentence(formatLineNumber(Number(index)))}{' '}
          {column && <code>{column}</code>}{' '}
          {message.replace(/\brow (\d+)\b/, (_, row) => formatLineNumber(Number(row) - 1))}
        </p>
      )
    })}
  </div>
)

const max_shown = 20

/** The first lines of a part of the plan, under its name. */
function LimitedList<One>({
  name,
  of,
  total,
  line,
}: {
  name: string
  of: One[]
  total: number
  line: (one: One) => ReactNode
}) {
  const id = useId()
  return (
    <>
      <h3 id={id} className="plan-part">
        {name}
      </h3>
      <ul className="lines" aria-labelledby={id}>
        {of.slice(0, max_shown).map((one, at) => (
          <li key={at}>{line(one)}</li>
        ))}
        {total > max_shown && <li className="quiet">{formatNumber(total - max_shown)} more</li>}
      </ul>
    </>
  )
}

const changedPeriod = ({ index, period_starts_on, period_ends_on }: HoursOutcome['changes'][number]): string =>
  `${toSentence(formatLineNumber(index))}, ${formatDay(period_starts_on)} – ${formatDay(period_ends_on)}`

const HoursChanges = ({ of: { changes, changed_count, removed_count } }: { of: HoursOutcome }) => (
  <LimitedList
    name="Changed and removed hours"
    of={changes}
    total={changed_count + removed_count}
    line={(one) => (
      <span>
        {changedPeriod(one)}: {one.hours_before ?? 'no'} hours before, {one.hours_after ?? 'no'} hours after
        {one.is_late && ' (late)'}
      </span>
    )}
  />
)

const describeStatus = (is_full_time: boolean | null) =>
  is_full_time === null ? 'No status' : is_full_time ? 'Full-time' : 'Not full-time'

/** The people whose full-time status would change, from which day, and to what. */
const StatusChanges = ({ of: { status_changes } }: { of: HoursOutcome }) => (
  <LimitedList
    name="Status changes"
    of={status_changes}
    total={status_changes.length}
    line={(one) => (
      <>
        {/* In a new tab, because the checked file would be lost. */}
        <Link to="/people/$employee_id" params={{ employee_id: one.employee_id }} target="_blank">
          {one.person_name}
        </Link>
        <span>{one.ends_on ? formatDayRange(one.starts_on, one.ends_on) : `From ${formatDay(one.starts_on)}`}</span>
        <span className="changes">
          <del>{describeStatus(one.is_full_time_before)}</del> <ins>{describeStatus(one.is_full_time_after)}</ins>
        </span>
      </>
    )}
  />
)

const Failures = ({ of: { failures, failed_count } }: { of: HoursOutcome }) => (
  <LimitedList
    name="Failed rows"
    of={failures}
    total={failed_count}
    line={({ index, field, reason }) => (
      <span>
        {toSentence(formatLineNumber(index))}: <code>{field}</code> {reason}
      </span>
    )}
  />
)

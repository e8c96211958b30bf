import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { CensusFailure, CensusOutcome, HrisRun, HrisRunPerson } from 'openbenefits/operator'
import { labelOf, rowNumber } from 'openbenefits/census-columns'
import { operator, refetch } from '../../api.ts'
import { formatCount, formatInstant, formatNumber, fullName, toSentence } from '../../format.ts'
import { formatReason, formatDaysIn } from '../../reasons.ts'
import { runQuery, runPeopleList } from './queries.ts'
import { RequiresRole } from '../../parts/access/requires-role.tsx'
import { useChangeSearch } from '../../parts/page/links.tsx'
import { ChangedField, Empty, Facts, Loaded, Dash, Page, Section, Status } from '../../parts/page/page.tsx'
import { OutcomeCounts, MissingPeople, TerminateMissing } from '../../parts/roster/people-list.tsx'
import { ToggleFilter } from '../../parts/table/filters.tsx'
import { Export, type ExportColumn } from '../../parts/table/export.tsx'
import { linkColumn } from '../../parts/table/row-link.tsx'
import { fixedRows, useRows } from '../../parts/table/rows.ts'
import { type Column, Table, timeColumn } from '../../parts/table/table.tsx'
import { run_outcomes } from '../../routes/filter-values.ts'

const route = getRouteApi('/partners/runs/$run_id')

const is_under_way = ['waiting', 'queued', 'processing']

/** A sync run of a payroll system, with the result of each row. */
export function RunPage() {
  const { run_id } = route.useParams()
  const found = useQuery({
    ...runQuery(run_id),
    refetchInterval: ({ state: { data } }) => (data && is_under_way.includes(data.state) ? 1000 : false),
  })
  const employer_id = found.data?.employer_id
  return (
    <Page
      title={found.data ? `Run of ${formatInstant(found.data.requested_at)}` : '\u00a0'}
      breadcrumbs={[
        { label: 'Partners', link: { to: '/partners' } },
        ...(employer_id
          ? [
              {
                label: 'Payroll',
                link: { to: '/partners/employers/$employer_id/hris', params: { employer_id } },
              } as const,
            ]
          : []),
      ]}
      badge={found.data && <Status of={found.data.state} />}
    >
      <Loaded query={found}>{(run) => <RunSummary of={run} />}</Loaded>
    </Page>
  )
}

function RunSummary({ of: run }: { of: HrisRun }) {
  const { cause, attempt_count, fetched_at, ended_at, error, outcome, state } = run
  return (
    <>
      {error && (
        <div className="trouble" role="alert">
          <p>{error.message}</p>
        </div>
      )}
      <Section title="About">
        <Facts
          of={[
            ['Started by', run_causes[cause]],
            ['Attempts', formatNumber(attempt_count)],
            ['Fetched', fetched_at && formatInstant(fetched_at)],
            ['Ended', ended_at && formatInstant(ended_at)],
            [
              'Processed',
              outcome && `${formatNumber(outcome.processed_count)} of ${formatCount(outcome.row_count, 'row')}`,
            ],
          ]}
        />
      </Section>
      {state === 'held' && outcome && <HeldRun run_id={run.id} of={outcome} />}
      {outcome && (
        <Section title="Rows">
          <OutcomeCounts of={outcome.counts} />
        </Section>
      )}
      {outcome && outcome.processed_count > 0 && (
        <ChangedPeople run_id={run.id} is_under_way={is_under_way.includes(state)} />
      )}
      {outcome && (
        <Section
          title="Refused rows"
          actions={<Export name="refused-rows" list={outcome.failures} columns={exported_rows} />}
        >
          <Table
            label="Refused rows"
            columns={row_columns}
            rows={fixedRows(outcome.failures)}
            empty={<Empty title={is_under_way.includes(state) ? 'None yet.' : 'No refused rows.'} />}
          />
        </Section>
      )}
      {outcome && outcome.warnings.length > 0 && (
        <Section title="Rows to check">
          <Table label="Rows to check" columns={row_columns} rows={fixedRows(outcome.warnings)} empty={<Dash />} />
        </Section>
      )}
    </>
  )
}

const people_columns: Column<HrisRunPerson>[] = [
  linkColumn(
    'Name',
    (person) => [fullName(person), { to: '/people/$employee_id', params: { employee_id: person.employee_id } }],
    { width: 20, phone: 30 },
  ),
  {
    name: 'Outcome',
    width: 14,
    phone: 28,
    cell: ({ outcome }) => <Status of={outcome} tone={tones[outcome]} />,
  },
  {
    name: 'Changes',
    wraps: true,
    cell: (person) => <PersonChanges of={person} />,
  },
  { name: 'Reference', only: 'middle', width: 12, cell: ({ reference_id }) => reference_id ?? <Dash /> },
  timeColumn('Time', 'changed_at', { only: 'wide', width: 18 }),
]
const tones = { created: 'good', rehired: 'good', reinstated: 'good', terminated: 'bad', updated: 'wait' } as const

/** Fields that already have their own columns. */
const fields_in_other_columns = ['first_name', 'last_name', 'reference_id']

/** The changed fields of a person. For a new person, the fields of the row. */
function PersonChanges({ of: { outcome, differences } }: { of: HrisRunPerson }) {
  if (!differences?.length) return <Dash />
  if (outcome !== 'created')
    return differences.map(({ field, before, after }) => (
      <span key={field} className="block">
        <ChangedField
          field={labelOf(field)}
          before={before && formatDaysIn(before)}
          after={formatDaysIn(after ?? 'nothing')}
        />
      </span>
    ))
  const [lines, others] = [true, false].map((is_line) =>
    differences.filter(
      ({ field }) => field.startsWith('address.') === is_line && !fields_in_other_columns.includes(field),
    ),
  )
  const facts = others!.map(({ field, after }) => [labelOf(field), formatDaysIn(after!)])
  if (lines!.length > 0) facts.push(['Address', lines!.map(({ after }) => after).join(', ')])
  return (
    <span className="told">
      {facts.map(([name, value]) => (
        <span key={name}>
          <span className="quiet">{name}</span> {value}
        </span>
      ))}
    </span>
  )
}

type RunChangesProps = { run_id: string; is_under_way: boolean }

const exported_people: ExportColumn<HrisRunPerson>[] = [
  { name: 'Name', of: fullName },
  { name: 'Outcome', of: ({ outcome }) => toSentence(outcome) },
  {
    name: 'Changes',
    of: ({ differences }) =>
      differences
        ?.map(({ field, before, after }) => `${labelOf(field)}: ${before ? `${before} → ` : ''}${after ?? 'nothing'}`)
        .join('; '),
  },
  { name: 'Reference', of: ({ reference_id }) => reference_id },
  { name: 'Time', of: ({ changed_at }) => changed_at },
]

/** The people changed by the run, field by field. */
function ChangedPeople({ run_id, is_under_way }: RunChangesProps) {
  const { outcome } = route.useSearch()
  const change = useChangeSearch()
  const list = runPeopleList(run_id, outcome ? { outcome } : {})
  const rows = useRows(list, () => is_under_way)
  return (
    <Section title="People changed" actions={<Export name="changed-people" list={list} columns={exported_people} />}>
      <div className="filters">
        <ToggleFilter
          label="Outcome"
          values={run_outcomes}
          chosen={outcome}
          choose={(outcome) => void change({ outcome })}
        />
        <span className="quiet" role="status">
          {rows.total !== undefined && formatCount(rows.total, 'person', 'people')}
        </span>
      </div>
      <Table
        label="People changed"
        columns={people_columns}
        rows={rows}
        empty={
          <Empty title={outcome ? 'No people with this outcome.' : 'No people changed.'}>
            Refused rows are listed below. All other people are unchanged.
          </Empty>
        }
      />
    </Section>
  )
}

const row_columns: Column<CensusFailure>[] = [
  { name: 'Row', width: 10, phone: 14, cell: ({ index }) => formatNumber(rowNumber(index)) },
  { name: 'Reference', width: 18, phone: 26, cell: ({ reference_id }) => reference_id ?? <Dash /> },
  { name: 'Field', width: 18, only: 'middle', cell: ({ field }) => (field ? <code>{field}</code> : <Dash />) },
  { name: 'Reason', wraps: true, cell: ({ reason }) => formatReason(reason) },
]

const exported_rows: ExportColumn<CensusFailure>[] = [
  { name: 'Row', of: ({ index }) => rowNumber(index) },
  { name: 'Reference', of: ({ reference_id }) => reference_id },
  { name: 'Field', of: ({ field }) => field && labelOf(field) },
  { name: 'Reason', of: ({ reason }) => formatReason(reason) },
]

/** A held run: too many people are missing to terminate them without a confirmation. */
function HeldRun({ run_id, of }: { run_id: string; of: CensusOutcome }) {
  const act = async () => {
    await operator.hris.confirmRun(run_id)
    await refetch(runQuery(run_id).queryKey)
  }
  return (
    <Section title="Held">
      <MissingPeople of={of} source="roster">
        <RequiresRole area="administer" action="Terminate">
          <TerminateMissing missing={null} missing_count={of.missing_count ?? 0} act={act} />
        </RequiresRole>
      </MissingPeople>
    </Section>
  )
}

/** Labels for the causes of a sync run. */
export const run_causes: Record<HrisRun['cause'], string> = {
  schedule: 'Nightly sync',
  operator: 'Operator',
  upload: 'File upload',
  drop: 'File drop',
}

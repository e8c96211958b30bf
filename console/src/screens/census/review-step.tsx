import { getRouteApi } from '@tanstack/react-router'
import type { CensusMode, CensusPlannedRow, EmployerSettings } from 'openbenefits'
import { type CensusLine, labelOf, rowNumber, rowOf } from 'openbenefits/census-columns'
import { ob, query_client, refetch } from '../../api.ts'
import { formatCount, formatNumber, toSentence } from '../../format.ts'
import { type PlannedChange, ChangePlan } from '../../parts/form/change-plan.tsx'
import { useChangeSearch } from '../../parts/page/links.tsx'
import { PeopleNames, formatPeople } from '../../parts/roster/people-list.tsx'
import { type RosterDraft, removeRows } from '../../parts/roster/roster-draft.ts'
import { Export, type ExportColumn } from '../../parts/table/export.tsx'
import { settingsQuery } from '../../queries.ts'
import { RowDifferences, SkippedRows, RowWarnings, describeRow } from './census-rows.tsx'
import { type RosterToCheck, type DryRun, modeOption } from './use-dry-run.ts'

const route = getRouteApi('/employers/$employer_id/census')

type ReviewProps = {
  present: RosterToCheck
  outcome: DryRun
  is_checked: boolean
  setDraft: (draft: RosterDraft | undefined) => void
  back: () => void
}

/** Shows the changes that a roster would make, and applies them. */
export function ReviewStep({ present: { draft, lines, sent }, outcome, is_checked, setDraft, back }: ReviewProps) {
  const { employer_id } = route.useParams()
  const { mode } = route.useSearch()
  const navigate = route.useNavigate()
  const change = useChangeSearch()
  const apply = async () => {
    await rememberValues(employer_id, draft)
    const { census_sync_ids } = await ob.census.sync(
      employer_id,
      sent.map((index) => rowOf(lines[index]!)),
      modeOption(mode),
    )
    const [census_sync_id] = census_sync_ids
    const leaving = (outcome.missing ?? []).map(({ employee_id }) => employee_id)
    setDraft({ ...draft, sent: { census_sync_id: census_sync_id!, removed: draft.removed, leaving } })
    await navigate({ search: (before) => ({ ...before, sync: census_sync_id }) })
  }
  return (
    <>
      <div className="filters">
        <label>
          People missing from the file{' '}
          <select
            value={mode ?? ''}
            onChange={({ target }) => void change({ mode: (target.value || undefined) as CensusMode | undefined })}
          >
            <option value="">as in settings</option>
            <option value="merge">are kept</option>
            <option value="replace">are terminated</option>
          </select>
        </label>
        <span className="quiet">{draft.spreadsheet.name}</span>
        <Export name="planned-changes" list={outcome.planned ?? []} columns={exportedColumns(lines)} />
      </div>
      <SkippedRows draft={draft} change={setDraft} replaces={outcome.mode === 'replace'} />
      <ChangePlan
        title={`Changes from ${formatCount(sent.length, 'row')}`}
        parts={plannedChanges(outcome, lines, (index) => setDraft(removeRows(draft, [index])))}
        button={applyLabel(outcome)}
        ends={describeTerminations(outcome)}
        unless={is_checked ? (applyLabel(outcome) === '' ? 'Nothing would change.' : undefined) : 'Checking…'}
        apply={apply}
        back={back}
      />
    </>
  )
}

const exportedColumns = (lines: CensusLine[]): ExportColumn<CensusPlannedRow>[] => [
  { name: 'Row', of: ({ index }) => rowNumber(index) },
  { name: 'Person', of: ({ index }) => describeRow(lines[index], index) },
  { name: 'Outcome', of: ({ outcome }) => toSentence(outcome) },
  {
    name: 'Changes',
    of: ({ differences }) =>
      differences
        .map(({ field, before, after }) => `${labelOf(field)}: ${before ? `${before} → ` : ''}${after ?? 'nothing'}`)
        .join('; '),
  },
]

/** Saves the meanings of values for the next file of the employer. */
async function rememberValues(employer_id: string, { meanings }: RosterDraft): Promise<void> {
  const census_values = Object.entries(meanings).flatMap(([field, of_field]) =>
    Object.entries(of_field).map(([text, value]) => ({ field, text, value: value === '' ? null : value })),
  )
  const { queryKey } = settingsQuery(employer_id)
  const known = query_client.getQueryData<EmployerSettings>(queryKey)?.census_values
  if (JSON.stringify(census_values) === JSON.stringify(known)) return
  await ob.employers.updateSettings(employer_id, { census_values })
  await refetch(queryKey)
}

/** The number of people to terminate: those with a last day, and those missing from a file that replaces the roster. */
const countTerminated = ({ counts, missing_count }: DryRun) => counts.terminated + (missing_count ?? 0)

/** `Terminate 18, add 2 and change 5`. Empty if nothing would change. */
function applyLabel(outcome: DryRun): string {
  const { created, updated, rehired } = outcome.counts
  const actions = Object.entries({
    terminate: countTerminated(outcome),
    add: created,
    change: updated,
    rehire: rehired,
  })
    .filter(([, number]) => number > 0)
    .map(([action, number]) => `${action} ${formatNumber(number)}`)
  return toSentence(new Intl.ListFormat('en-US').format(actions).replace(', and ', ' and '))
}

function describeTerminations(outcome: DryRun) {
  const terminated = countTerminated(outcome)
  return terminated > 0
    ? {
        people: terminated,
        consequence: `${formatPeople(terminated)} named above will be terminated: employment and coverage end.`,
      }
    : undefined
}

function plannedChanges(outcome: DryRun, lines: CensusLine[], skip: (index: number) => void): PlannedChange[] {
  const { counts, warnings, planned, missing, missing_count } = outcome
  const part = (
    name: string,
    outcome: 'created' | 'updated' | 'rehired' | 'terminated',
    tone: PlannedChange['tone'],
    of = counts[outcome],
  ): PlannedChange => {
    const rows = (planned ?? []).filter((row) => row.outcome === outcome)
    return {
      name,
      count: of,
      tone,
      details: <RowDifferences title={name} rows={rows} lines={lines} of={of} skip={skip} />,
    }
  }
  // Unless the census is held, `counts.terminated` includes the people who are missing.
  const absent = missing_count ?? missing?.length ?? 0
  return [
    {
      name: 'missing, to be terminated',
      count: absent,
      tone: 'bad',
      details: <PeopleNames title="missing from the file" of={missing ?? []} total={absent} />,
    },
    part('terminated', 'terminated', 'bad', counts.terminated - (missing_count === null ? absent : 0)),
    part('changed', 'updated', 'wait'),
    part('new', 'created', 'good'),
    part('rehired', 'rehired', 'good'),
    { name: 'unchanged', count: counts.unchanged, tone: 'over' },
    {
      name: 'to check',
      count: new Set(warnings.map(({ index }) => index)).size,
      tone: 'wait',
      details: <RowWarnings warnings={warnings} lines={lines} />,
    },
  ]
}

import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import type { CensusMode, CensusOutcome } from 'openbenefits'
import { census_fields, type CensusLine, type RowFailure, rowOf } from 'openbenefits/census-columns'
import { ob, refetch } from '../../api.ts'
import { count, inWords, sentence } from '../../format.ts'
import { UpTo } from '../../parts/access/permitted.tsx'
import { DropFile } from '../../parts/form/file-drop.tsx'
import { type Part, Plan } from '../../parts/form/plan.tsx'
import { Loaded, Section, Status, Waiting } from '../../parts/page/page.tsx'
import { Columns } from '../../parts/roster/column-mapping.tsx'
import { useDraft } from '../../parts/roster/draft-storage.ts'
import { Names, TerminateMissing } from '../../parts/roster/people-list.tsx'
import { draftOf, isLeft, linesIn, type RosterDraft, sentRows, withoutRow } from '../../parts/roster/roster-draft.ts'
import { readSpreadsheet } from '../../parts/roster/spreadsheet.ts'
import { censusOf } from '../../queries.ts'
import { Differences, Failures, failuresOf, Removed, Warnings } from './census-rows.tsx'

const route = getRouteApi('/employers/$employer_id/census')

/** The result of a dry run. */
type DryRun = Pick<CensusOutcome, 'counts' | 'failures' | 'warnings' | 'planned' | 'missing_count' | 'missing' | 'mode'>

/** The census mode: from the URL, or else from the employer's settings. */
const optionsOf = (mode: CensusMode | undefined) => (mode ? { mode } : {})

/** Uploads a roster: map columns and values, check a dry run, fix rows, apply, and watch the progress. */
export const Census = () => (
  <UpTo area="employment">
    <Roster />
  </UpTo>
)

type DraftProps = { draft: RosterDraft; setDraft: (draft: RosterDraft | undefined) => void }

/** The step is in the URL and the file in session storage, so a reload loses nothing. */
function Roster() {
  const { employer_id } = route.useParams()
  const { sync, step } = route.useSearch()
  const [draft, setDraft] = useDraft(employer_id)
  const goTo = useStep()
  const other = () => {
    setDraft(undefined)
    void goTo(undefined)
  }
  if (sync) return <Progress key={sync} census_sync_id={sync} draft={draft} setDraft={setDraft} />
  if (draft && step === 'plan') return <DryRunPlan draft={draft} setDraft={setDraft} other={other} />
  if (draft && step === 'columns')
    return (
      <Columns draft={draft} setDraft={setDraft} fields={census_fields} take={() => void goTo('plan')} other={other} />
    )
  return <Drop draft={draft} setDraft={setDraft} />
}

/** Navigates to a step: choosing a file, mapping columns, or the preview. */
function useStep() {
  const navigate = route.useNavigate()
  return (step: 'columns' | 'plan' | undefined) =>
    navigate({ search: (before) => ({ ...before, step, sync: undefined, ...(step ? {} : { mode: undefined }) }) })
}

const most_rows = 10_000

type DropProps = { draft: RosterDraft | undefined; setDraft: DraftProps['setDraft'] }

function Drop({ draft, setDraft }: DropProps) {
  const goTo = useStep()
  const read = async (file: File) => {
    const spreadsheet = await readSpreadsheet(file)
    if (spreadsheet.lines.length > most_rows) throw new Error('A census can have at most 10,000 rows. Split the file.')
    setDraft(draftOf(spreadsheet, census_fields))
    await goTo('columns')
  }
  return (
    <Section title="Upload a roster">
      {draft && (
        <div className="form-end">
          <button type="button" className="button" onClick={() => void goTo('columns')}>
            Continue with {draft.spreadsheet.name}
          </button>
          <button type="button" className="plain" onClick={() => setDraft(undefined)}>
            Discard
          </button>
        </div>
      )}
      <DropFile read={read}>
        The first line must contain the column names. You can review every change before it is made. The file stays in
        this browser tab until you apply or discard it.
      </DropFile>
    </Section>
  )
}

/** The pause before cells that are being corrected are checked again. */
const pause_ms = 800

/** A checked draft: its rows, and their positions in the file. */
type Checked = { draft: RosterDraft; lines: CensusLine[]; sent: number[]; mode: CensusMode | undefined }

/**
 * Dry-runs a draft. Changed rows are checked after a short pause, or at once when nothing is left to correct. `refused`
 * has the format errors of rows that have not changed since. They stay visible, with the user's input, while other rows
 * are checked.
 */
function useDryRun(employer_id: string, present: Checked) {
  const [checked, setChecked] = useState(present)
  const preview = useQuery({
    queryKey: ['census', employer_id, checked.draft, checked.mode],
    queryKeyHashFn: hashOf,
    queryFn: async () => {
      const { lines, sent, mode } = checked
      const outcome = await ob.census.sync(
        employer_id,
        sent.map((index) => rowOf(lines[index]!)),
        { ...optionsOf(mode), dry_run: true },
      )
      return inFile(outcome, sent)
    },
    staleTime: Infinity,
  })
  const [rejection, setRejection] = useState({ by: undefined as Checked | undefined, failures: [] as RowFailure[] })
  if (!preview.isPending && rejection.by !== checked)
    setRejection({ by: checked, failures: failuresOf(preview.error, checked.sent) })
  const refused = rejection.by
    ? rejection.failures.filter((one) => isLeft(one, rejection.by!.draft, present.draft))
    : []
  const failed = preview.data?.failures ?? []
  const is_left = refused.length > 0 || failed.some((one) => isLeft(one, checked.draft, present.draft))
  const is_checked = present.draft === checked.draft && present.mode === checked.mode
  useEffect(() => {
    if (is_checked) return undefined
    const wait = setTimeout(() => setChecked(present), is_left ? pause_ms : 0)
    return () => clearTimeout(wait)
  }, [present, is_checked, is_left])
  return { preview, refused, is_checked }
}

/** Drafts are compared by identity, because 10,000 rows as text would make a huge cache key. */
const numbers = new WeakMap<RosterDraft, number>()
let last_number = 0
function hashOf(key: readonly unknown[]): string {
  const [, employer_id, draft, mode] = key as [string, string, RosterDraft, CensusMode | undefined]
  if (!numbers.has(draft)) numbers.set(draft, ++last_number)
  return ['census', employer_id, numbers.get(draft), mode].join()
}

/** An outcome with its row indexes mapped to positions in the file. */
function inFile<Outcome extends DryRun>(outcome: Outcome, sent: number[]): Outcome {
  const placed = <Row extends { index: number }>(row: Row): Row => ({ ...row, index: sent[row.index]! })
  return {
    ...outcome,
    failures: outcome.failures.map(placed),
    warnings: outcome.warnings.map(placed),
    planned: outcome.planned?.map(placed) ?? null,
  }
}

function DryRunPlan({ draft, setDraft, other }: DraftProps & { other: () => void }) {
  const { employer_id } = route.useParams()
  const { mode } = route.useSearch()
  const navigate = route.useNavigate()
  const goTo = useStep()
  const lines = useMemo(() => linesIn(draft), [draft])
  const present = useMemo(() => ({ draft, lines, sent: sentRows(draft), mode }), [draft, lines, mode])
  const { preview, refused, is_checked } = useDryRun(employer_id, present)
  const apply = async () => {
    const { census_sync_ids } = await ob.census.sync(
      employer_id,
      present.sent.map((index) => rowOf(lines[index]!)),
      optionsOf(mode),
    )
    setDraft({ ...draft, sent: { census_sync_id: census_sync_ids[0]!, removed: draft.removed } })
    await navigate({ search: (before) => ({ ...before, sync: census_sync_ids[0] }) })
  }
  const rows = count(present.sent.length, 'row')
  const replaces = (preview.data?.mode ?? mode) === 'replace'
  return (
    <>
      <div className="filters">
        <label>
          People missing from the file{' '}
          <select
            value={mode ?? ''}
            onChange={({ target }) =>
              void navigate({
                search: (before) => ({ ...before, mode: (target.value || undefined) as CensusMode | undefined }),
                replace: true,
                resetScroll: false,
              })
            }
          >
            <option value="">as in settings</option>
            <option value="merge">are kept</option>
            <option value="replace">are terminated</option>
          </select>
        </label>
        <span className="quiet">{draft.spreadsheet.name}</span>
        <button type="button" className="plain" onClick={other}>
          Choose another file
        </button>
      </div>
      <Removed draft={draft} change={setDraft} replaces={replaces} />
      {present.sent.length === 0 ? (
        <Section title="All rows are removed">
          <BackToColumns back={() => void goTo('columns')} />
        </Section>
      ) : refused.length > 0 ? (
        <Section title={`${rowCount(refused)} to correct first`}>
          <Failures failures={refused} lines={lines} draft={draft} change={setDraft} />
          <BackToColumns back={() => void goTo('columns')} />
        </Section>
      ) : preview.error && !is_checked ? (
        <Waiting lines={6} />
      ) : (
        <Loaded query={preview} lines={6}>
          {(outcome) => (
            <Plan
              title={`Changes from ${rows}`}
              parts={partsOf(outcome, { draft, lines, change: setDraft })}
              button={buttonOf(outcome)}
              ends={endsOf(outcome)}
              unless={is_checked ? (isIdle(outcome) ? 'Nothing would change.' : undefined) : 'Checking…'}
              apply={apply}
              back={() => void goTo('columns')}
            />
          )}
        </Loaded>
      )}
    </>
  )
}

const BackToColumns = ({ back }: { back: () => void }) => (
  <div className="form-end">
    <button type="button" className="button" onClick={back}>
      Back
    </button>
  </div>
)

const rowCount = (failures: RowFailure[]) => count(new Set(failures.map(({ index }) => index)).size, 'row')

const touched = ({ counts }: DryRun) => counts.created + counts.updated + counts.rehired + counts.terminated

const isIdle = (outcome: DryRun) => touched(outcome) + (outcome.missing_count ?? 0) === 0

const people = (of: number) => count(of, 'person', 'people')

function buttonOf(outcome: DryRun): string {
  const { counts, missing_count } = outcome
  const others = touched(outcome) - counts.terminated
  const actions = [
    ...(others > 0 ? [`apply to ${people(others)}`] : []),
    ...(counts.terminated > 0 ? [`terminate ${people(counts.terminated)}`] : []),
    ...(missing_count ? [`decide about ${people(missing_count)}`] : []),
  ]
  const without = counts.failed > 0 ? `, without ${count(counts.failed, 'failed row')}` : ''
  return sentence(actions.join(', then ')) + without
}

/** The people terminated by the rows. If the census is held, missing people are decided later. */
const endsOf = ({ counts: { terminated } }: DryRun) =>
  terminated > 0
    ? {
        people: terminated,
        consequence: `${people(terminated)} named above will be terminated: employment and coverage end.`,
      }
    : undefined

type PartsProps = { draft: RosterDraft; lines: CensusLine[]; change: (draft: RosterDraft) => void }

function partsOf(outcome: DryRun, { draft, lines, change }: PartsProps): Part[] {
  const { counts, failures, warnings, planned, missing, missing_count } = outcome
  const rowsOf = (outcome: string) => (planned ?? []).filter((row) => row.outcome === outcome)
  const remove = (index: number) => change(withoutRow(draft, index))
  const part = (
    name: string,
    outcome: 'created' | 'updated' | 'rehired' | 'terminated',
    tone: Part['tone'],
    of = counts[outcome],
  ): Part => ({
    name,
    count: of,
    tone,
    details: <Differences title={name} rows={rowsOf(outcome)} lines={lines} of={of} remove={remove} />,
  })
  // Unless the census is held, `counts.terminated` includes the people who are missing.
  const absent = missing_count ?? missing?.length ?? 0
  return [
    {
      name: 'refused',
      count: counts.failed,
      tone: 'bad',
      details: (
        <>
          <h3>{count(counts.failed, 'row')} to correct</h3>
          <Failures failures={failures} lines={lines} draft={draft} change={change} />
        </>
      ),
    },
    {
      name: missing_count ? 'missing, pending your decision' : 'missing, to be terminated',
      count: absent,
      tone: 'bad',
      details: (
        <>
          <Names title="missing from the file" of={missing ?? []} total={absent} />
          {missing_count !== null && (
            <p className="quiet note">
              Applying does not terminate the people on this list. You decide about them on the next page.
            </p>
          )}
        </>
      ),
    },
    part('terminated', 'terminated', 'bad', counts.terminated - (missing_count === null ? absent : 0)),
    part('changed', 'updated', 'wait'),
    part('new', 'created', 'good'),
    part('rehired', 'rehired', 'good'),
    { name: 'unchanged', count: counts.unchanged, tone: 'over' },
    ...(warnings.length > 0
      ? [
          {
            name: 'to check',
            count: new Set(warnings.map(({ index }) => index)).size,
            tone: 'wait' as const,
            details: <Warnings warnings={warnings} lines={lines} />,
          },
        ]
      : []),
  ]
}

type ProgressProps = {
  census_sync_id: string
  draft: RosterDraft | undefined
  setDraft: (draft: RosterDraft | undefined) => void
}

function Progress({ census_sync_id, draft, setDraft }: ProgressProps) {
  const { employer_id } = route.useParams()
  const goTo = useStep()
  const census = useQuery({
    ...censusOf(employer_id, census_sync_id),
    refetchInterval: ({ state: { data } }) => (data && ['queued', 'processing'].includes(data.state) ? 700 : false),
  })
  // The draft belongs to this census only if it was the submitted file.
  const sent = draft?.sent?.census_sync_id === census_sync_id ? sentRows({ ...draft, ...draft.sent }) : undefined
  const is_done = census.data?.state === 'completed' && census.data.failures.length === 0
  useEffect(() => {
    // The file is no longer needed.
    if (sent && is_done) setDraft(undefined)
  }, [sent, is_done, setDraft])
  const other = () => {
    setDraft(undefined)
    void goTo(undefined)
  }
  return (
    <Loaded query={census}>
      {(outcome) => {
        const { failures, warnings, missing_count, missing } = sent ? inFile(outcome, sent) : outcome
        const lines = sent && draft ? linesIn(draft) : []
        return (
          <Section title="Census" actions={<Status of={outcome.state} />}>
            <label>
              <span className="block">
                {inWords(outcome.processed_count)} of {count(outcome.row_count, 'row')} done
              </span>
              <progress max={outcome.row_count} value={outcome.processed_count} />
            </label>
            <ul className="counts">
              {Object.entries(outcome.counts).map(([name, number]) => (
                <li key={name} className={number > 0 ? '' : 'none'}>
                  <strong className="number">{inWords(number)}</strong> {name}
                </li>
              ))}
            </ul>
            {outcome.state === 'held' && (
              <>
                <h3>{people(missing_count ?? 0)} missing from the file</h3>
                <p className="quiet note">They are not terminated until you confirm.</p>
                <Names of={missing ?? []} total={missing_count ?? 0} />
                <div className="form-end">
                  <TerminateMissing
                    missing={null}
                    missing_count={missing_count ?? 0}
                    act={async () => {
                      await ob.census.confirm(employer_id, census_sync_id)
                      await refetch(censusOf(employer_id, census_sync_id).queryKey)
                    }}
                  />
                </div>
              </>
            )}
            {failures.length > 0 && (
              <>
                <h3>{rowCount(failures)} failed</h3>
                <Failures failures={failures} lines={lines} draft={sent && draft} />
              </>
            )}
            {warnings.length > 0 && <Warnings warnings={warnings} lines={lines} />}
            <div className="form-end">
              {failures.length > 0 && sent && (
                <button type="button" className="button" onClick={() => void goTo('plan')}>
                  Correct failed rows
                </button>
              )}
              <button type="button" className="button" onClick={other}>
                Choose another file
              </button>
            </div>
          </Section>
        )
      }}
    </Loaded>
  )
}

import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import type { CensusMode, CensusOutcome } from 'openbenefits'
import { type CensusLine, type RowFailure, rowOf } from 'openbenefits/census-columns'
import { ob } from '../../api.ts'
import { count, sentence } from '../../format.ts'
import { type Part, Plan } from '../../parts/form/plan.tsx'
import { useChangeSearch } from '../../parts/page/links.tsx'
import { Loaded, Section, Waiting } from '../../parts/page/page.tsx'
import { Names, people } from '../../parts/roster/people-list.tsx'
import { isLeft, linesIn, type RosterDraft, sentRows, withoutRow } from '../../parts/roster/roster-draft.ts'
import { Differences, Failures, failuresOf, inFile, Removed, rowCount, Warnings } from './census-rows.tsx'

const route = getRouteApi('/employers/$employer_id/census')

/** The result of a dry run. */
type DryRun = Pick<CensusOutcome, 'counts' | 'failures' | 'warnings' | 'planned' | 'missing_count' | 'missing' | 'mode'>

/** The census mode: from the URL, or else from the employer's settings. */
const optionsOf = (mode: CensusMode | undefined) => (mode ? { mode } : {})

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

type DryRunPlanProps = {
  draft: RosterDraft
  setDraft: (draft: RosterDraft | undefined) => void
  /** returns to the mapping of columns */
  back: () => void
  other: () => void
}

/** A preview of the changes that a roster would make. Refused rows are corrected first. */
export function DryRunPlan({ draft, setDraft, back, other }: DryRunPlanProps) {
  const { employer_id } = route.useParams()
  const { mode } = route.useSearch()
  const navigate = route.useNavigate()
  const change = useChangeSearch()
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
            onChange={({ target }) => void change({ mode: (target.value || undefined) as CensusMode | undefined })}
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
          <Back back={back} />
        </Section>
      ) : refused.length > 0 ? (
        <Section title={`${rowCount(refused)} to correct first`}>
          <Failures failures={refused} lines={lines} draft={draft} change={setDraft} />
          <Back back={back} />
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
              back={back}
            />
          )}
        </Loaded>
      )}
    </>
  )
}

const Back = ({ back }: { back: () => void }) => (
  <div className="form-end">
    <button type="button" className="button" onClick={back}>
      Back
    </button>
  </div>
)

const touched = ({ counts }: DryRun) => counts.created + counts.updated + counts.rehired + counts.terminated

const isIdle = (outcome: DryRun) => touched(outcome) + (outcome.missing_count ?? 0) === 0

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
    {
      name: 'to check',
      count: new Set(warnings.map(({ index }) => index)).size,
      tone: 'wait',
      details: <Warnings warnings={warnings} lines={lines} />,
    },
  ]
}

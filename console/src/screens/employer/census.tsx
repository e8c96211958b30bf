import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { CensusMode, CensusOutcome } from 'openbenefits'
import { census_fields, rowOf, type CensusLine, type Sheet } from 'openbenefits/census-columns'
import { useDeed } from '../../parts/deed.ts'
import { ob } from '../../api.ts'
import { Columns } from '../../parts/columns.tsx'
import { DropFile } from '../../parts/drop-file.tsx'
import { Loaded, Section, Status, Trouble, Waiting } from '../../parts/page.tsx'
import { Plan, type Part } from '../../parts/plan.tsx'
import { readSheet } from '../../parts/sheet.ts'
import { UpTo } from '../../parts/up-to.tsx'
import { count, inWords } from '../../parts/words.ts'
import { censusOf } from '../../queries.ts'
import { Differences, Failures, failuresOf, type Failure } from './census-rows.tsx'

const route = getRouteApi('/employers/$employer_id/census')

/** What a dry run tells of. */
type Rehearsed = Pick<CensusOutcome, 'counts' | 'failures' | 'planned' | 'missing_count'>

/** As the settings say, unless one said otherwise. */
const optionsOf = (mode: string) => (mode === '' ? {} : { mode: mode as CensusMode })

/** A roster from a file: its columns matched, rehearsed, applied, followed, and what failed mended in place. */
export const Census = () => (
  <UpTo area="employment">
    <Roster />
  </UpTo>
)

function Roster() {
  const { sync } = route.useSearch()
  const [sheet, setSheet] = useState<Sheet>()
  const [lines, setLines] = useState<CensusLine[]>()
  if (sync) return <Progress census_sync_id={sync} lines={lines} />
  if (lines) return <Rehearsal lines={lines} setLines={setLines} back={() => setLines(undefined)} />
  if (sheet) return <Columns sheet={sheet} fields={census_fields} take={setLines} back={() => setSheet(undefined)} />
  return <Drop take={setSheet} />
}

const most_rows = 10_000

function Drop({ take }: { take: (sheet: Sheet) => void }) {
  const read = async (file: File) => {
    const sheet = await readSheet(file)
    if (sheet.lines.length > most_rows) throw new Error('A census has at most 10,000 rows: divide the file.')
    take(sheet)
  }
  return (
    <Section title="Upload a roster">
      <DropFile read={read}>The first line names the columns. You see every change before it is made.</DropFile>
    </Section>
  )
}

type RehearsalProps = { lines: CensusLine[]; setLines: (lines: CensusLine[]) => void; back: () => void }

/** Whoever mends several cells is not checked after each of them. */
const pause_ms = 800

/**
 * What lines would do: those that were `checked` last, a moment after they changed, or at once when nothing is left to
 * mend. `refused`: what is wrong with them as a whole, of rows that nobody has changed since; they stay while others are
 * checked, and so does what is typed there.
 */
function useRehearsed(employer_id: string, lines: CensusLine[], mode: string) {
  const [checked, setChecked] = useState(lines)
  const rehearsed = useQuery({
    queryKey: ['census', employer_id, checked, mode],
    queryFn: () => ob.census.sync(employer_id, checked.map(rowOf), { ...optionsOf(mode), dry_run: true }),
    staleTime: Infinity,
  })
  const [told, setTold] = useState({ of: lines, mode, failures: [] as Failure[] })
  const failures = rehearsed.isPending ? told.failures : failuresOf(rehearsed.error)
  if (!rehearsed.isPending && (told.of !== checked || told.mode !== mode || told.failures.length !== failures.length))
    setTold({ of: checked, mode, failures })
  const isLeft = ({ index }: Failure) => lines[index] === told.of[index]
  const refused = told.failures.filter(isLeft)
  const is_left = refused.length > 0 || (rehearsed.data?.failures ?? []).some(isLeft)
  useEffect(() => {
    if (lines === checked) return undefined
    const wait = setTimeout(() => setChecked(lines), is_left ? pause_ms : 0)
    return () => clearTimeout(wait)
  }, [lines, checked, is_left])
  return { rehearsed, refused, is_checked: lines === checked }
}

function Rehearsal({ lines, setLines, back }: RehearsalProps) {
  const { employer_id } = route.useParams()
  const navigate = route.useNavigate()
  const [mode, setMode] = useState('')
  const { rehearsed, refused, is_checked } = useRehearsed(employer_id, lines, mode)
  const apply = async () => {
    const { census_sync_ids } = await ob.census.sync(employer_id, lines.map(rowOf), optionsOf(mode))
    await navigate({ search: (before) => ({ ...before, sync: census_sync_ids[0] }) })
  }
  const mend = (index: number, field: string, value: string) =>
    setLines(lines.map((line, at) => (at === index ? { ...line, [field]: value } : line)))
  return (
    <>
      <div className="filters">
        <label>
          People missing from the file{' '}
          <select value={mode} onChange={({ target }) => setMode(target.value)}>
            <option value="">as in settings</option>
            <option value="merge">are kept</option>
            <option value="replace">are terminated</option>
          </select>
        </label>
      </div>
      {refused.length > 0 ? (
        <Section title={`${count(refused.length, 'row')} to correct first`}>
          <Failures failures={refused} lines={lines} mend={mend} />
        </Section>
      ) : rehearsed.error && !is_checked ? (
        <Waiting lines={6} />
      ) : (
        <Loaded query={rehearsed} lines={6}>
          {(outcome) => (
            <Plan
              title={`What ${count(lines.length, 'row')} would change`}
              parts={partsOf(outcome, lines, mend)}
              button={buttonOf(outcome)}
              unless={is_checked ? (touched(outcome) === 0 ? 'Nothing would change.' : undefined) : 'Checking again…'}
              apply={apply}
              back={back}
            />
          )}
        </Loaded>
      )}
    </>
  )
}

const touched = ({ counts, missing_count }: Rehearsed) =>
  counts.created + counts.updated + counts.rehired + counts.terminated + (missing_count ?? 0)

const buttonOf = (outcome: Rehearsed) =>
  outcome.counts.failed > 0
    ? `Apply to ${count(touched(outcome), 'person', 'people')}, without the ${inWords(outcome.counts.failed)} that fail`
    : `Apply to ${count(touched(outcome), 'person', 'people')}`

type Mend = (index: number, field: string, value: string) => void

function partsOf({ counts, failures, planned, missing_count }: Rehearsed, lines: CensusLine[], mend: Mend): Part[] {
  const rowsOf = (outcome: string) => (planned ?? []).filter((row) => row.outcome === outcome)
  const part = (name: string, outcome: 'created' | 'updated' | 'rehired' | 'terminated', tone: Part['tone']): Part => ({
    name,
    count: counts[outcome],
    tone,
    details: <Differences title={name} rows={rowsOf(outcome)} lines={lines} of={counts[outcome]} />,
  })
  return [
    {
      name: 'refused',
      count: counts.failed,
      tone: 'bad',
      details: (
        <>
          <h3>{count(counts.failed, 'row')} to correct</h3>
          <Failures failures={failures} lines={lines} mend={mend} />
        </>
      ),
    },
    part('changed', 'updated', 'wait'),
    part('new', 'created', 'good'),
    part('rehired', 'rehired', 'good'),
    part('terminated', 'terminated', 'bad'),
    { name: 'missing, to be terminated', count: missing_count ?? 0, tone: 'bad' },
    { name: 'unchanged', count: counts.unchanged, tone: 'over' },
  ]
}

function Progress({ census_sync_id, lines }: { census_sync_id: string; lines: CensusLine[] | undefined }) {
  const { employer_id } = route.useParams()
  const client = useQueryClient()
  const navigate = route.useNavigate()
  const census = useQuery({
    ...censusOf(employer_id, census_sync_id),
    refetchInterval: ({ state: { data } }) => (data && ['queued', 'processing'].includes(data.state) ? 700 : false),
  })
  const confirm = useDeed({
    mutationFn: () => ob.census.confirm(employer_id, census_sync_id),
    onSuccess: () => client.invalidateQueries(censusOf(employer_id, census_sync_id)),
  })
  const again = () => void navigate({ search: (before) => ({ ...before, sync: undefined }) })
  return (
    <Loaded query={census}>
      {(outcome) => (
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
            <div className="form-end">
              <button
                type="button"
                className="button main"
                disabled={confirm.isPending}
                onClick={() => confirm.mutate()}
              >
                Terminate {count(outcome.missing_count ?? 0, 'person', 'people')}
              </button>
              <span className="quiet">They are missing from the file. Nothing happens to them until you confirm.</span>
            </div>
          )}
          {confirm.error && <Trouble error={confirm.error} />}
          {outcome.failures.length > 0 && (
            <>
              <h3>{count(outcome.failures.length, 'row')} failed</h3>
              <Failures failures={outcome.failures} lines={lines ?? []} />
            </>
          )}
          <div className="form-end">
            <button type="button" className="button" onClick={again}>
              {outcome.failures.length > 0 && lines ? 'Correct what failed' : 'Another file'}
            </button>
          </div>
        </Section>
      )}
    </Loaded>
  )
}

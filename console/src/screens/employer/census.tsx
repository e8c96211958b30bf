import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { CensusMode, CensusOutcome } from 'openbenefits'
import { census_fields, linesOf, matchColumns, rowOf, type CensusLine, type Sheet } from 'openbenefits/census-columns'
import { ApiError, ob } from '../../api.ts'
import { DropFile } from '../../parts/drop-file.tsx'
import { Loaded, Section, Status, Trouble } from '../../parts/page.tsx'
import { Plan, type Part } from '../../parts/plan.tsx'
import { count, inWords } from '../../parts/words.ts'
import { censusOf } from '../../queries.ts'
import { readSheet } from './census-file.ts'
import { Differences, Failures, type Failure } from './census-rows.tsx'

const route = getRouteApi('/employers/$employer_id/census')

/** What a dry run tells of. */
type Rehearsed = Pick<CensusOutcome, 'counts' | 'failures' | 'planned' | 'missing_count'>

/** As the settings say, unless one said otherwise. */
const optionsOf = (mode: string) => (mode === '' ? {} : { mode: mode as CensusMode })

/** A roster from a file: its columns matched, rehearsed, applied, followed, and what failed mended in place. */
export function Census() {
  const { sync } = route.useSearch()
  const [sheet, setSheet] = useState<Sheet>()
  const [lines, setLines] = useState<CensusLine[]>()
  if (sync) return <Progress census_sync_id={sync} lines={lines} />
  if (lines) return <Rehearsal lines={lines} setLines={setLines} back={() => setLines(undefined)} />
  if (sheet) return <Columns sheet={sheet} take={setLines} back={() => setSheet(undefined)} />
  return <Drop take={setSheet} />
}

const Drop = ({ take }: { take: (sheet: Sheet) => void }) => (
  <Section title="A roster from a file">
    <DropFile read={async (file) => take(await readSheet(file))}>
      Its first line names the columns. You will see what it would change before anything is changed.
    </DropFile>
  </Section>
)

type ColumnsProps = { sheet: Sheet; take: (lines: CensusLine[]) => void; back: () => void }

function Columns({ sheet, take, back }: ColumnsProps) {
  const [matched, setMatched] = useState(() => matchColumns(sheet.columns))
  const missing = census_fields.filter(({ name, needed }) => needed && !matched[name])
  const left_out = sheet.columns.filter((column) => !Object.values(matched).includes(column))
  const choose = (field: string, column: string) =>
    setMatched(({ [field]: _, ...rest }) => (column === '' ? rest : { ...rest, [field]: column }))
  return (
    <Section title={`${sheet.name}, ${count(sheet.lines.length, 'row')}`}>
      <table className="small-table" aria-label="Columns">
        <thead>
          <tr>
            <th scope="col">What a row says</th>
            <th scope="col">By the column</th>
            <th scope="col" className="only-middle">
              Such as
            </th>
          </tr>
        </thead>
        <tbody>
          {census_fields.map(({ name, label, needed }) => (
            <tr key={name}>
              <th scope="row">
                {label}
                {needed && <span className="quiet"> needed</span>}
              </th>
              <td>
                <select
                  aria-label={`Column of ${label}`}
                  value={matched[name] ?? ''}
                  onChange={({ target }) => choose(name, target.value)}
                >
                  <option value="">None</option>
                  {sheet.columns.map((column) => (
                    <option key={column}>{column}</option>
                  ))}
                </select>
              </td>
              <td className="quiet only-middle">{matched[name] ? sheet.lines[0]?.[matched[name]] : ''}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="quiet note">
        {left_out.length > 0 ? `Left out: ${left_out.join(', ')}.` : 'Every column is used.'}
      </p>
      <div className="form-end">
        <button
          type="button"
          className="button main"
          disabled={missing.length > 0}
          onClick={() => take(linesOf(sheet, matched))}
        >
          See what it would change
        </button>
        <button type="button" className="button" onClick={back}>
          Another file
        </button>
        {missing.length > 0 && (
          <span className="quiet">Missing: {missing.map(({ label }) => label.toLowerCase()).join(', ')}.</span>
        )}
      </div>
    </Section>
  )
}

type RehearsalProps = { lines: CensusLine[]; setLines: (lines: CensusLine[]) => void; back: () => void }

/** What is wrong with a submission as a whole, by its rows. */
const failuresOf = (error: Error | null): Failure[] =>
  error instanceof ApiError
    ? error.details.flatMap(({ field, message }) => {
        const [, index, name] = /^employees\[(\d+)\]\.?(.*)$/.exec(field) ?? []
        return index === undefined ? [] : [{ index: Number(index), field: name || null, reason: message }]
      })
    : []

function Rehearsal({ lines, setLines, back }: RehearsalProps) {
  const { employer_id } = route.useParams()
  const navigate = route.useNavigate()
  const [mode, setMode] = useState('')
  const rehearsed = useQuery({
    queryKey: ['census', employer_id, lines, mode],
    queryFn: () => ob.census.sync(employer_id, lines.map(rowOf), { ...optionsOf(mode), dry_run: true }),
    staleTime: Infinity,
  })
  const apply = async () => {
    const { census_sync_ids } = await ob.census.sync(employer_id, lines.map(rowOf), optionsOf(mode))
    await navigate({ search: (before) => ({ ...before, sync: census_sync_ids[0] }) })
  }
  const mend = (index: number, field: string, value: string) =>
    setLines(lines.map((line, at) => (at === index ? { ...line, [field]: value } : line)))
  const refused = failuresOf(rehearsed.error)
  return (
    <>
      <div className="filters">
        <label>
          Who is missing from it{' '}
          <select value={mode} onChange={({ target }) => setMode(target.value)}>
            <option value="">as the settings say</option>
            <option value="merge">is left alone</option>
            <option value="replace">is terminated</option>
          </select>
        </label>
      </div>
      {refused.length > 0 ? (
        <Section title={`${count(refused.length, 'row')} to mend first`}>
          <Failures failures={refused} lines={lines} mend={mend} />
        </Section>
      ) : (
        <Loaded query={rehearsed} lines={6}>
          {(outcome) => (
            <Plan
              title={`What ${count(lines.length, 'row')} would change`}
              parts={partsOf(outcome, lines, mend)}
              button={buttonOf(outcome)}
              unless={touched(outcome) === 0 ? 'Nothing would change.' : undefined}
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
          <h3>{count(counts.failed, 'row')} to mend</h3>
          <Failures failures={failures} lines={lines} mend={mend} />
        </>
      ),
    },
    part('changed', 'updated', 'wait'),
    part('new', 'created', 'good'),
    part('hired again', 'rehired', 'good'),
    part('ended', 'terminated', 'bad'),
    { name: 'missing, to be ended', count: missing_count ?? 0, tone: 'bad' },
    { name: 'as they are', count: counts.unchanged, tone: 'over' },
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
  const confirm = useMutation({
    mutationFn: () => ob.census.confirm(employer_id, census_sync_id),
    onSuccess: () => client.invalidateQueries(censusOf(employer_id, census_sync_id)),
  })
  const again = () => void navigate({ search: (before) => ({ ...before, sync: undefined }) })
  return (
    <Loaded query={census}>
      {(outcome) => (
        <Section title="The census" actions={<Status of={outcome.state} />}>
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
              <button type="button" className="button main" onClick={() => confirm.mutate()}>
                End the employment of {count(outcome.missing_count ?? 0, 'person', 'people')}
              </button>
              <span className="quiet">
                They are missing from the file. Nothing is done to them until this is confirmed.
              </span>
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
              {outcome.failures.length > 0 && lines ? 'Mend what failed' : 'Another file'}
            </button>
          </div>
        </Section>
      )}
    </Loaded>
  )
}

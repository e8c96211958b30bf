import { useState } from 'react'
import type { CensusOutcome, CensusPlannedRow } from 'openbenefits'
import {
  census_fields,
  type CensusLine,
  labelOf,
  reasonInFile,
  type RowFailure,
  type RowField,
  rowNumber,
} from 'openbenefits/census-columns'
import { ApiError } from '../../api.ts'
import { count, inWords, reasonOf, withDays } from '../../format.ts'
import { Changed, Nothing } from '../../parts/page/page.tsx'
import { downloadFailures, type RosterDraft, withCell, withoutRow } from '../../parts/roster/roster-draft.ts'

const whoOf = (line: CensusLine | undefined, index: number) =>
  [line?.first_name, line?.last_name].filter(Boolean).join(' ') || `Row ${rowNumber(index)}`

/** `row 3, E-1007` */
const positionOf = (line: CensusLine | undefined, index: number) =>
  [`row ${rowNumber(index)}`, line?.reference_id].filter(Boolean).join(', ')

/** The failures of a refused submission, by row. `sent` maps its rows to positions in the file. */
export const failuresOf = (error: Error | null, sent: number[]): RowFailure[] =>
  error instanceof ApiError
    ? error.details.flatMap(({ field, message }) => {
        const [, index, name] = /^(?:employees|members)\[(\d+)\]\.?(.*)$/.exec(field) ?? []
        return index === undefined
          ? []
          : [{ index: sent[Number(index)]!, field: name || null, reason: reasonInFile(message, sent) }]
      })
    : []

/** An outcome with its row indexes mapped to positions in the file. */
export function inFile<Outcome extends Pick<CensusOutcome, 'failures' | 'warnings' | 'planned'>>(
  outcome: Outcome,
  sent: number[],
): Outcome {
  const placed = <Row extends { index: number }>(row: Row): Row => ({ ...row, index: sent[row.index]! })
  return {
    ...outcome,
    failures: outcome.failures.map(placed),
    warnings: outcome.warnings.map(placed),
    planned: outcome.planned?.map(placed) ?? null,
  }
}

/** The number of different rows, in words. */
export const rowCount = (rows: { index: number }[]) => count(new Set(rows.map(({ index }) => index)).size, 'row')

type FailuresProps = {
  failures: RowFailure[]
  lines: CensusLine[]
  fields?: readonly RowField[]
  /** The file, if it is known. Its rows can be downloaded, and corrected if `change` is given. */
  draft?: RosterDraft | undefined
  change?: (draft: RosterDraft) => void
}

/** Failed rows with their reasons. If possible, the user can correct cells and remove rows. */
export function Failures({ failures, lines, fields = census_fields, draft, change }: FailuresProps) {
  return (
    <>
      <ul className="lines corrections">
        {failures.map(({ index, field, reason }) => (
          <li key={`${index}${field}${reason}`}>
            <span>
              {whoOf(lines[index], index)} <span className="quiet">{positionOf(lines[index], index)}</span>
              <span className="wrong block">
                {field && `${labelOf(field, fields)}: `}
                {reasonOf(reason)}
              </span>
            </span>
            {draft && change && (
              <>
                <Cell
                  who={whoOf(lines[index], index)}
                  field={fields.find(({ name }) => name === (field ?? 'reference_id'))}
                  value={lines[index]?.[field ?? 'reference_id'] ?? ''}
                  save={(value) => change(withCell(draft, index, field ?? 'reference_id', value))}
                />
                <RemoveRow
                  index={index}
                  who={whoOf(lines[index], index)}
                  remove={() => change(withoutRow(draft, index))}
                />
              </>
            )}
          </li>
        ))}
      </ul>
      {draft && (
        <button type="button" className="button more" onClick={() => downloadFailures(draft, failures)}>
          Download these rows as CSV
        </button>
      )}
    </>
  )
}

type RemoveRowProps = { index: number; who: string; remove: (index: number) => void }

const RemoveRow = ({ index, who, remove }: RemoveRowProps) => (
  <button
    type="button"
    className="plain"
    aria-label={`Remove row ${rowNumber(index)}, ${who}`}
    onClick={({ currentTarget }) => {
      remove(index)
      focusNextRow(currentTarget)
    }}
  >
    Remove
  </button>
)

/** After removing a row, focus the next one. */
function focusNextRow(of: HTMLElement): void {
  const { nextElementSibling, previousElementSibling } = of.closest('li')!
  const next = nextElementSibling ?? previousElementSibling
  next?.querySelector<HTMLElement>('input, button')?.focus()
}

const named_at_most = 12

/** Accepted rows with warnings, grouped by warning. */
export function Warnings({ warnings, lines }: { warnings: RowFailure[]; lines: CensusLine[] }) {
  const alike = Map.groupBy(warnings, ({ field, reason }) => `${field ? `${labelOf(field)}: ` : ''}${reasonOf(reason)}`)
  return (
    <>
      <h3>{rowCount(warnings)} to check</h3>
      <ul className="lines">
        {[...alike].map(([words, rows]) => (
          <li key={words}>
            <span>
              {words}
              <span className="quiet block">
                {rows
                  .slice(0, named_at_most)
                  .map(({ index }) => `${whoOf(lines[index], index)} (${positionOf(lines[index], index)})`)
                  .join('; ')}
                {rows.length > named_at_most && ` and ${inWords(rows.length - named_at_most)} more`}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}

type RemovedProps = { draft: RosterDraft; change: (draft: RosterDraft) => void; replaces?: boolean }

/** The rows removed from a file, with a button to restore them. */
export function Removed({ draft, change, replaces = false }: RemovedProps) {
  const { removed } = draft
  if (removed.length === 0) return null
  return (
    <p className="note" role="status">
      {count(removed.length, 'row')} removed: {removed.map(rowNumber).join(', ')}.{' '}
      {replaces && 'People on these rows count as missing from the file. '}
      <button type="button" className="plain" onClick={() => change({ ...draft, removed: [] })}>
        Restore
      </button>
    </p>
  )
}

function Cell({
  who,
  field,
  value,
  save,
}: {
  who: string
  field: RowField | undefined
  value: string
  save: (value: string) => void
}) {
  const [text, setText] = useState(value)
  if (!field) return <Nothing />
  return (
    <form
      className="cell"
      onSubmit={(event) => {
        event.preventDefault()
        save(text.trim())
        focusNextRow(event.currentTarget)
      }}
    >
      <input aria-label={`${field.label} of ${who}`} value={text} onChange={({ target }) => setText(target.value)} />
      <button type="submit" className="button" disabled={text.trim() === value}>
        Save
      </button>
    </form>
  )
}

const shown_at_first = 20

type DifferencesProps = {
  title: string
  rows: CensusPlannedRow[]
  lines: CensusLine[]
  of: number
  remove: (index: number) => void
}

/** The planned changes of rows, field by field. */
export function Differences({ title, rows, lines, of, remove }: DifferencesProps) {
  const [most, setMost] = useState(shown_at_first)
  const is_new = rows[0]?.outcome === 'created'
  return (
    <>
      <h3>
        {inWords(of)} {title}
      </h3>
      <ul className="lines">
        {rows.slice(0, most).map(({ index, differences }) => (
          <li key={index}>
            <span>{whoOf(lines[index], index)}</span>
            <span className="changes">
              {is_new
                ? ['employee_class', 'start_date', 'reference_id'].map((field) => {
                    const value = differences.find((one) => one.field === field)?.after
                    return value && <span key={field}>{withDays(value)}</span>
                  })
                : differences.map(({ field, before, after }) => (
                    <span key={field}>
                      <Changed
                        field={labelOf(field)}
                        before={before && withDays(before)}
                        after={withDays(after ?? 'nothing')}
                      />
                    </span>
                  ))}
            </span>
            <RemoveRow index={index} who={whoOf(lines[index], index)} remove={remove} />
          </li>
        ))}
      </ul>
      {rows.length > most && (
        <button type="button" className="button more" onClick={() => setMost(rows.length)}>
          Show all {inWords(rows.length)}
        </button>
      )}
      {of > rows.length && most >= rows.length && (
        <p className="quiet">And {inWords(of - rows.length)} more, not listed here.</p>
      )}
    </>
  )
}

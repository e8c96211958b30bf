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
import { formatCount, formatNumber } from '../../format.ts'
import { formatReason, formatDaysIn } from '../../reasons.ts'
import { valueLabel } from '../../parts/benefits/labels.ts'
import { ChangedField, Dash } from '../../parts/page/page.tsx'
import { downloadRows, type RosterDraft, setCells, removeRows } from '../../parts/roster/roster-draft.ts'

export const describeRow = (line: CensusLine | undefined, index: number) =>
  [line?.first_name, line?.last_name].filter(Boolean).join(' ') || `Row ${rowNumber(index)}`

/** `row 3, E-1007` */
const describePosition = (line: CensusLine | undefined, index: number) =>
  [`row ${rowNumber(index)}`, line?.reference_id].filter(Boolean).join(', ')

/** The failures of a refused submission, by row. `sent` maps its rows to positions in the file. */
export const rowFailures = (error: Error | null, sent: number[]): RowFailure[] =>
  error instanceof ApiError
    ? error.details.flatMap(({ field, message }) => {
        const [, index, name] = /^(?:employees|members)\[(\d+)\]\.?(.*)$/.exec(field) ?? []
        return index === undefined
          ? []
          : [{ index: sent[Number(index)]!, field: name || null, reason: reasonInFile(message, sent) }]
      })
    : []

/** An outcome with its row indexes mapped to positions in the file. */
export function mapToFile<Outcome extends Pick<CensusOutcome, 'failures' | 'warnings' | 'planned'>>(
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
export const formatRowCount = (rows: { index: number }[]) =>
  formatCount(new Set(rows.map(({ index }) => index)).size, 'row')

type FailuresProps = {
  failures: RowFailure[]
  lines: CensusLine[]
  fields?: readonly RowField[]
  /** The file and its change, if the user can fix cells and skip rows. */
  draft?: RosterDraft | undefined
  change?: (draft: RosterDraft) => void
}

/** Failed rows with their reasons. If possible, the user can fix cells and skip rows. */
export const RowFailures = ({ failures, lines, fields = census_fields, draft, change }: FailuresProps) => (
  <ul className="lines corrections">
    {groupFailures(failures, lines).map((same) => {
      const { index, field, reason } = same[0]!
      const indexes = same.map((one) => one.index)
      const name = same.length === 1 ? describeRow(lines[index], index) : formatCount(same.length, 'row')
      return (
        <li key={`${index}${field}${reason}`}>
          <span>
            {name}{' '}
            <span className="quiet">
              {same.length === 1 ? describePosition(lines[index], index) : listNames(same, lines)}
            </span>
            <span className="wrong block">
              {field && `${labelOf(field, fields)}: `}
              {formatReason(reason)}
            </span>
          </span>
          {draft && change && (
            <>
              <CellInput
                who={name}
                field={fields.find((one) => one.name === (field ?? 'reference_id'))}
                value={lines[index]?.[field ?? 'reference_id'] ?? ''}
                save={(value) => change(setCells(draft, indexes, field ?? 'reference_id', value))}
              />
              <SkipRows indexes={indexes} who={name} skip={() => change(removeRows(draft, indexes))} />
            </>
          )}
        </li>
      )
    })}
  </ul>
)

/** Fields in which the same text means the same in every row, so that one fix applies to all of them. */
const shared_fields = ['employee_class', 'compensation_type', 'gender', 'address.state', 'plan_id']

/** Groups failures that one fix can correct: the same text in the same field, refused for the same reason. */
const groupFailures = (failures: RowFailure[], lines: CensusLine[]): RowFailure[][] => [
  ...Map.groupBy(failures, ({ index, field, reason }) => {
    const text = field !== null && shared_fields.includes(field) ? lines[index]?.[field] : undefined
    return JSON.stringify(text === undefined ? [field, reason, index] : [field, reason, text])
  }).values(),
]

type SkipRowsProps = { indexes: number[]; who: string; skip: () => void }

const SkipRows = ({ indexes, who, skip }: SkipRowsProps) => (
  <button
    type="button"
    className="plain"
    aria-label={indexes.length === 1 ? `Skip row ${rowNumber(indexes[0]!)}, ${who}` : `Skip ${who}`}
    onClick={({ currentTarget }) => {
      skip()
      focusNextRow(currentTarget)
    }}
  >
    Skip
  </button>
)

/** After a row is fixed or skipped, focus the next one. */
function focusNextRow(of: HTMLElement): void {
  const { nextElementSibling, previousElementSibling } = of.closest('li')!
  const next = nextElementSibling ?? previousElementSibling
  next?.querySelector<HTMLElement>('input, button')?.focus()
}

const max_named = 12

/** `Ann Lee (row 1, E-1); Bo Ray (row 2, E-2) and 3 more` */
const listNames = (rows: RowFailure[], lines: CensusLine[]): string =>
  rows
    .slice(0, max_named)
    .map(({ index }) => `${describeRow(lines[index], index)} (${describePosition(lines[index], index)})`)
    .join('; ') + (rows.length > max_named ? ` and ${formatNumber(rows.length - max_named)} more` : '')

/** Accepted rows with warnings, grouped by warning. */
export function RowWarnings({ warnings, lines }: { warnings: RowFailure[]; lines: CensusLine[] }) {
  const groups = Map.groupBy(
    warnings,
    ({ field, reason }) => `${field ? `${labelOf(field)}: ` : ''}${formatReason(reason)}`,
  )
  return (
    <>
      <h3>{formatRowCount(warnings)} to check</h3>
      <ul className="lines">
        {[...groups].map(([words, rows]) => (
          <li key={words}>
            <span>
              {words}
              <span className="quiet block">{listNames(rows, lines)}</span>
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}

type SkippedProps = { draft: RosterDraft; change?: (draft: RosterDraft) => void; replaces?: boolean }

/** The skipped rows of a file, with buttons to save them as a file and to restore them. */
export function SkippedRows({ draft, change, replaces = false }: SkippedProps) {
  const { removed } = draft
  if (removed.length === 0) return null
  const rows = removed.map((index) => ({ index, field: null, reason: 'skipped' }))
  return (
    <p className="note" role="status">
      {formatCount(removed.length, 'row')} skipped: {removed.slice(0, max_named).map(rowNumber).join(', ')}
      {removed.length > max_named && ` and ${formatNumber(removed.length - max_named)} more`}.{' '}
      {replaces && 'People on these rows count as missing from the file. '}
      <button type="button" className="plain" onClick={() => downloadRows(draft, 'skipped', rows)}>
        Download
      </button>
      {change && (
        <>
          {' or '}
          <button type="button" className="plain" onClick={() => change({ ...draft, removed: [] })}>
            Restore
          </button>
        </>
      )}
    </p>
  )
}

function CellInput({
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
  if (!field) return <Dash />
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
  skip: (index: number) => void
}

/** The planned changes of rows, field by field. */
export function RowDifferences({ title, rows, lines, of, skip }: DifferencesProps) {
  const [most, setMost] = useState(shown_at_first)
  const is_new = rows[0]?.outcome === 'created'
  return (
    <>
      <h3>
        {formatNumber(of)} {title}
      </h3>
      <ul className="lines">
        {rows.slice(0, most).map(({ index, differences }) => (
          <li key={index}>
            <span>{describeRow(lines[index], index)}</span>
            <span className="changes">
              {is_new
                ? ['employee_class', 'start_date', 'reference_id'].map((field) => {
                    const value = differences.find((one) => one.field === field)?.after
                    return value && <span key={field}>{formatDaysIn(valueLabel(field, value))}</span>
                  })
                : differences.map(({ field, before, after }) => (
                    <span key={field}>
                      <ChangedField
                        field={labelOf(field)}
                        before={before && formatDaysIn(valueLabel(field, before))}
                        after={formatDaysIn(valueLabel(field, after ?? 'nothing'))}
                      />
                    </span>
                  ))}
            </span>
            <SkipRows indexes={[index]} who={describeRow(lines[index], index)} skip={() => skip(index)} />
          </li>
        ))}
      </ul>
      {rows.length > most && (
        <button type="button" className="button more" onClick={() => setMost(rows.length)}>
          Show all {formatNumber(rows.length)}
        </button>
      )}
      {of > rows.length && most >= rows.length && (
        <p className="quiet">And {formatNumber(of - rows.length)} more, not listed here.</p>
      )}
    </>
  )
}

import { useState } from 'react'
import type { CensusPlannedRow } from 'openbenefits'
import { census_fields, labelOf, type CensusLine, type RowField } from 'openbenefits/census-columns'
import { ApiError } from '../../api.ts'
import { Changed } from '../../parts/changed.tsx'
import { Nothing } from '../../parts/page.tsx'
import { inWords, reasonOf, withDays } from '../../parts/words.ts'

export type Failure = { index: number; field: string | null; reason: string }

const whoOf = (line: CensusLine | undefined, index: number) =>
  [line?.first_name, line?.last_name].filter(Boolean).join(' ') || `Row ${index + 1}`

/** What is wrong with a submission as a whole, by its rows. */
export const failuresOf = (error: Error | null): Failure[] =>
  error instanceof ApiError
    ? error.details.flatMap(({ field, message }) => {
        const [, index, name] = /^(?:employees|members)\[(\d+)\]\.?(.*)$/.exec(field) ?? []
        return index === undefined ? [] : [{ index: Number(index), field: name || null, reason: message }]
      })
    : []

type FailuresProps = {
  failures: Failure[]
  lines: CensusLine[]
  fields?: readonly RowField[]
  mend?: (index: number, field: string, value: string) => void
}

/** The rows that can't be taken, each with what is wrong, and where there is a remedy, the cell to mend. */
export function Failures({ failures, lines, fields = census_fields, mend }: FailuresProps) {
  return (
    <ul className="lines mend">
      {failures.map(({ index, field, reason }) => (
        <li key={`${index}${field}${reason}`}>
          <span>
            {whoOf(lines[index], index)} <span className="quiet">row {index + 1}</span>
            <span className="wrong block">
              {field && `${labelOf(field, fields)} `}
              {reasonOf(reason)}
            </span>
          </span>
          {mend && (
            <Cell
              who={whoOf(lines[index], index)}
              field={fields.find(({ name }) => name === (field ?? 'reference_id'))}
              value={lines[index]?.[field ?? 'reference_id'] ?? ''}
              save={(value) => mend(index, field ?? 'reference_id', value)}
            />
          )}
        </li>
      ))}
    </ul>
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
        // The row goes, and the focus goes on to the next.
        const { nextElementSibling, previousElementSibling } = event.currentTarget.closest('li')!
        const next = nextElementSibling ?? previousElementSibling
        next?.querySelector('input')?.focus()
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

type DifferencesProps = { title: string; rows: CensusPlannedRow[]; lines: CensusLine[]; of: number }

/** What rows would do, field by field. */
export function Differences({ title, rows, lines, of }: DifferencesProps) {
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
                    const said = differences.find((one) => one.field === field)?.after
                    return said && <span key={field}>{withDays(said)}</span>
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

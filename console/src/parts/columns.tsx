import { useState } from 'react'
import { linesOf, matchColumns, type CensusLine, type RowField, type Sheet } from 'openbenefits/census-columns'
import { Section } from './page.tsx'
import { count, presentDay } from './words.ts'

type ColumnsProps = {
  sheet: Sheet
  fields: readonly RowField[]
  take: (lines: CensusLine[]) => void
  back: () => void
}

/** Which column of a file says which field: guessed, and for whoever looks at it to set right. */
export function Columns({ sheet, fields, take, back }: ColumnsProps) {
  const [matched, setMatched] = useState(() => matchColumns(sheet.columns, fields))
  const missing = fields.filter(({ name, needed }) => needed && !matched[name])
  const left_out = sheet.columns.filter((column) => !Object.values(matched).includes(column))
  const choose = (field: string, column: string) =>
    setMatched(({ [field]: _, ...rest }) => (column === '' ? rest : { ...rest, [field]: column }))
  return (
    <Section title={`${sheet.name}, ${count(sheet.lines.length, 'row')}`}>
      <table className="small-table" aria-label="Columns">
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Column</th>
            <th scope="col" className="only-middle">
              Example
            </th>
          </tr>
        </thead>
        <tbody>
          {fields.map(({ name, label, needed }) => (
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
        {left_out.length > 0 ? `Not used: ${left_out.join(', ')}.` : 'Every column is used.'}
      </p>
      <div className="form-end">
        <button
          type="button"
          className="button main"
          disabled={missing.length > 0}
          onClick={() => take(linesOf(sheet, matched, { today: presentDay() }))}
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

import { useState } from 'react'
import { choicesOf, labelOf, meaningKey, valuesOf, type ColumnValue, type RowField } from 'openbenefits/census-columns'
import { Section } from '../page/page.tsx'
import { censusLines, type RosterDraft } from './roster-draft.ts'
import { formatCount, formatNumber } from '../../format.ts'
import { valueLabel } from '../benefits/labels.ts'

type ColumnMappingProps = {
  draft: RosterDraft
  setDraft: (draft: RosterDraft) => void
  fields: readonly RowField[]
  /** the label of the button that continues */
  next: string
  take: () => void
  /** returns to the upload */
  back: () => void
}

/** Maps columns to fields and values to meanings. Both are guessed and can be corrected. */
export function ColumnMapping({ draft, setDraft, fields, next, take, back }: ColumnMappingProps) {
  const { spreadsheet, matched } = draft
  const missing = fields.filter(({ name, needed }) => needed && !matched[name])
  const left_out = spreadsheet.columns.filter((column) => !Object.values(matched).includes(column))
  const unknown = valuesToMap(draft).filter(isUnknown)
  const [example] = censusLines({ ...draft, spreadsheet: { ...spreadsheet, lines: spreadsheet.lines.slice(0, 1) } })
  const choose = (field: string, column: string) => {
    const { [field]: _, ...rest } = matched
    setDraft({ ...draft, matched: column === '' ? rest : { ...rest, [field]: column } })
  }
  return (
    <Section title={`${spreadsheet.name}, ${formatCount(spreadsheet.lines.length, 'row')}`}>
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
                {needed && <span className="quiet"> required</span>}
              </th>
              <td>
                <select
                  aria-label={`Column of ${label}`}
                  value={matched[name] ?? ''}
                  onChange={({ target }) => choose(name, target.value)}
                >
                  <option value="">None</option>
                  {spreadsheet.columns.map((column) => (
                    <option key={column}>{column}</option>
                  ))}
                </select>
              </td>
              <td className="quiet only-middle">{example?.[name]}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="quiet note">
        {left_out.length > 0 ? `Not used: ${left_out.join(', ')}.` : 'Every column is used.'}
      </p>
      <ValueMapping draft={draft} setDraft={setDraft} />
      <div className="form-end">
        <button
          type="button"
          className="button main"
          disabled={missing.length > 0 || unknown.length > 0}
          onClick={take}
        >
          {next}
        </button>
        <button type="button" className="button" onClick={back}>
          Back
        </button>
        {missing.length > 0 && (
          <span className="quiet">Missing: {missing.map(({ label }) => label.toLowerCase()).join(', ')}.</span>
        )}
        {missing.length === 0 && unknown.length > 0 && (
          <span className="quiet">Choose what {listValues(unknown)} means.</span>
        )}
      </div>
    </Section>
  )
}

/** Values in another format than the service's. */
const valuesToMap = ({ spreadsheet, matched, meanings }: RosterDraft): ColumnValue[] =>
  valuesOf(spreadsheet, matched, meanings).filter(({ text, meaning }) => text !== meaning)

const isUnknown = ({ meaning }: ColumnValue) => meaning === undefined

const shown_at_first = 12

/** The meanings of the values in a file. One choice applies to all rows with the same text. */
function ValueMapping({ draft, setDraft }: Pick<ColumnMappingProps, 'draft' | 'setDraft'>) {
  const [most, setMost] = useState(shown_at_first)
  const values = valuesToMap(draft)
  if (values.length === 0) return null
  const choose = ({ field, text }: ColumnValue, meaning: string) => {
    const { [meaningKey(text)]: _, ...others } = draft.meanings[field] ?? {}
    const chosen = meaning === unchosen ? others : { ...others, [meaningKey(text)]: meaning }
    setDraft({ ...draft, meanings: { ...draft.meanings, [field]: chosen } })
  }
  return (
    <>
      <h3>Values</h3>
      <p className="quiet note">Each choice applies to all rows with the same text.</p>
      <table className="small-table" aria-label="Values">
        <thead>
          <tr>
            <th scope="col">In the file</th>
            <th scope="col">Means</th>
            <th scope="col" className="number">
              Rows
            </th>
          </tr>
        </thead>
        <tbody>
          {values.slice(0, most).map((value) => (
            <tr key={`${value.field} ${value.text}`}>
              <th scope="row">
                {value.text} <span className="quiet">{labelOf(value.field).toLowerCase()}</span>
              </th>
              <td>
                <select
                  aria-label={`Meaning of ${value.text} in ${labelOf(value.field)}`}
                  value={value.meaning ?? unchosen}
                  onChange={({ target }) => choose(value, target.value)}
                >
                  {value.meaning === undefined && <option value={unchosen}>Choose</option>}
                  {choicesOf(value.field)!.map((choice) => (
                    <option key={choice} value={choice}>
                      {valueLabel(value.field, choice)}
                    </option>
                  ))}
                  <option value="">Leave out</option>
                </select>
              </td>
              <td className="quiet number">{formatNumber(value.row_count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {values.length > most && (
        <button type="button" className="button more" onClick={() => setMost(values.length)}>
          Show all {formatNumber(values.length)}
        </button>
      )}
    </>
  )
}

const max_listed = 3

const listValues = (values: ColumnValue[]): string =>
  [
    ...values.slice(0, max_listed).map(({ text }) => `“${text}”`),
    ...(values.length > max_listed ? [`${formatNumber(values.length - max_listed)} more`] : []),
  ].join(', ')

/** The marker for an empty value. */
const unchosen = '?'

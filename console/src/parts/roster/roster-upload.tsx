import { type ReactNode, useState } from 'react'
import { matchColumns, type RowField, type Spreadsheet } from 'openbenefits/census-columns'
import { formatCount } from '../../format.ts'
import { FileDrop } from '../form/file-drop.tsx'
import { takeFocus } from '../page/interaction.ts'
import { readWorksheets, type Worksheet, spreadsheetOf } from './spreadsheet.ts'

type RosterUploadProps = {
  fields: readonly RowField[]
  max_rows?: number
  /** receives the chosen sheet */
  take: (spreadsheet: Spreadsheet) => void
  children: ReactNode
}

/** Reads a roster from a CSV or Excel file. If several sheets of a workbook have people, the user chooses one. */
export function RosterUpload({ fields, max_rows = Infinity, take, children }: RosterUploadProps) {
  const [choice, setChoice] = useState<{ name: string; worksheets: Worksheet[] }>()
  const read = async (file: File) => {
    setChoice(undefined)
    const all = await readWorksheets(file)
    const with_people = all.filter(({ columns }) => hasPeopleColumns(columns, fields))
    const worksheets = (with_people.length > 0 ? with_people : all).filter(({ cells }) => cells.length <= max_rows)
    if (worksheets.length === 0)
      throw new Error(`A roster can have at most ${formatCount(max_rows, 'row')}. Split the file.`)
    if (worksheets.length === 1) take(spreadsheetOf(file.name, worksheets[0]!))
    else setChoice({ name: file.name, worksheets })
  }
  return (
    <>
      <FileDrop read={read} takes_excel>
        {children}
      </FileDrop>
      {choice && (
        <div role="group" aria-label={`Sheets of ${choice.name}`}>
          <h3 tabIndex={-1} ref={takeFocus}>
            Which sheet has the roster?
          </h3>
          <ul className="lines">
            {choice.worksheets.map((worksheet) => (
              <li key={worksheet.name}>
                <span>
                  {worksheet.name} <span className="quiet">{formatCount(worksheet.cells.length, 'row')}</span>
                </span>
                <button type="button" className="button" onClick={() => take(spreadsheetOf(choice.name, worksheet))}>
                  Use {worksheet.name}
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  )
}

/** Whether the columns include a required field. Sheets with notes or code lists do not. */
function hasPeopleColumns(columns: string[], fields: readonly RowField[]): boolean {
  const matched = matchColumns(columns, fields)
  return fields.some(({ name, needed }) => needed && matched[name])
}

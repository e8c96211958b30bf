import {
  failedRows,
  labelOf,
  linesOf,
  matchColumns,
  type CensusLine,
  type Meanings,
  type RowFailure,
  type RowField,
  type Spreadsheet,
} from 'openbenefits/census-columns'
import { downloadCsv } from './spreadsheet.ts'
import { easternToday } from '../../format.ts'

/** A roster file before it is applied: its cells, the mapping of columns and values, and the removed rows. */
export type RosterDraft = {
  spreadsheet: Spreadsheet
  /** Columns by field. */
  matched: Record<string, string>
  meanings: Meanings
  /** 0-based positions in the file of rows that are not sent. */
  removed: number[]
  /** The submitted census, the rows that it omitted, and the ids of the people whose termination was confirmed. */
  sent?: { census_sync_id: string; removed: number[]; leaving: string[] }
}

export const newDraft = (
  spreadsheet: Spreadsheet,
  fields: readonly RowField[],
  meanings: Meanings = {},
): RosterDraft => ({
  spreadsheet,
  matched: matchColumns(spreadsheet.columns, fields),
  meanings,
  removed: [],
})

/** The contents of each row of the file, in file order. */
export const censusLines = ({ spreadsheet, matched, meanings }: RosterDraft): CensusLine[] =>
  linesOf(spreadsheet, matched, { today: easternToday(), meanings })

/** Positions in the file of the sent rows. A submission numbers its rows in this order. */
export const rowsToSend = ({ spreadsheet, removed }: Pick<RosterDraft, 'spreadsheet' | 'removed'>): number[] => {
  const without = new Set(removed)
  return [...spreadsheet.lines.keys()].filter((index) => !without.has(index))
}

/** Returns the draft with new text in a field of the given rows. Adds a column if the field has none. */
export function setCells(draft: RosterDraft, indexes: number[], field: string, text: string): RosterDraft {
  const column = draft.matched[field] ?? labelOf(field)
  const { columns, lines } = draft.spreadsheet
  const spreadsheet = {
    ...draft.spreadsheet,
    columns: columns.includes(column) ? columns : [...columns, column],
    lines: lines.map((line, index) => (indexes.includes(index) ? { ...line, [column]: text } : line)),
  }
  return { ...draft, spreadsheet, matched: { ...draft.matched, [field]: column } }
}

export const removeRows = (draft: RosterDraft, indexes: number[]): RosterDraft => ({
  ...draft,
  removed: [...new Set([...draft.removed, ...indexes])],
})

/** Whether a failure is unresolved: neither its cell was corrected nor its row removed since then. */
export function isUnresolved({ index, field }: RowFailure, before: RosterDraft, now: RosterDraft): boolean {
  if (now.removed.includes(index)) return false
  const [was, is] = [before, now].map(({ spreadsheet: { lines }, matched }) =>
    field && matched[field] ? lines[index]?.[matched[field]] : lines[index],
  )
  return was === is
}

/** Downloads rows with their reasons, so that the user can correct them in a spreadsheet. */
export const downloadRows = ({ spreadsheet }: RosterDraft, kind: 'failures' | 'skipped', rows: RowFailure[]): void =>
  downloadCsv(`${spreadsheet.name.replace(/\.\w+$/, '')}.${kind}.csv`, failedRows(spreadsheet, rows))

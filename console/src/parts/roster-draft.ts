import { useCallback, useState } from 'react'
import { useRouteContext } from '@tanstack/react-router'
import {
  failedRows,
  labelOf,
  linesOf,
  matchColumns,
  type CensusLine,
  type Meanings,
  type RowFailure,
  type RowField,
  type Sheet,
} from 'openbenefits/census-columns'
import { draftPrefix, forgetDrafts, keepDraft, keptDraft } from './draft-storage.ts'
import { csvOf } from './sheet.ts'
import { presentDay } from './words.ts'

/** A file on its way to becoming a roster: its cells, what its columns and values mean, and the rows taken out. */
export type RosterDraft = {
  sheet: Sheet
  /** Columns by field. */
  matched: Record<string, string>
  meanings: Meanings
  /** Places in the file, from 0, of the rows that are not sent. */
  removed: number[]
  /** The census that was sent, and the rows that were not. */
  sent?: { census_sync_id: string; removed: number[] }
}

export const draftOf = (sheet: Sheet, fields: readonly RowField[]): RosterDraft => ({
  sheet,
  matched: matchColumns(sheet.columns, fields),
  meanings: {},
  removed: [],
})

/** The contents of each row of the file, in file order. */
export const linesIn = ({ sheet, matched, meanings }: RosterDraft): CensusLine[] =>
  linesOf(sheet, matched, { today: presentDay(), meanings })

/** The places in the file of the rows that are sent: a submission counts its rows in this order. */
export const sentRows = ({ sheet, removed }: Pick<RosterDraft, 'sheet' | 'removed'>): number[] => {
  const without = new Set(removed)
  return [...sheet.lines.keys()].filter((index) => !without.has(index))
}

/** A draft with another text in a cell. A field without a column gets one. */
export function withCell(draft: RosterDraft, index: number, field: string, text: string): RosterDraft {
  const column = draft.matched[field] ?? labelOf(field)
  const { columns, lines } = draft.sheet
  const sheet = {
    ...draft.sheet,
    columns: columns.includes(column) ? columns : [...columns, column],
    lines: lines.with(index, { ...lines[index], [column]: text }),
  }
  return { ...draft, sheet, matched: { ...draft.matched, [field]: column } }
}

export const withoutRow = (draft: RosterDraft, index: number): RosterDraft => ({
  ...draft,
  removed: [...draft.removed, index],
})

/** Whether a failure still stands: since then neither its cell was corrected nor its row removed. */
export function isLeft({ index, field }: RowFailure, before: RosterDraft, now: RosterDraft): boolean {
  if (now.removed.includes(index)) return false
  const [was, is] = [before, now].map(({ sheet: { lines }, matched }) =>
    field && matched[field] ? lines[index]?.[matched[field]] : lines[index],
  )
  return was === is
}

/** Downloads the failed rows of a file with the reasons, to be corrected in a spreadsheet and chosen again. */
export function downloadFailures({ sheet }: RosterDraft, failures: RowFailure[]): void {
  const link = document.createElement('a')
  link.download = `${sheet.name.replace(/\.\w+$/, '')}.failures.csv`
  link.href = URL.createObjectURL(new Blob([csvOf(failedRows(sheet, failures))], { type: 'text/csv;charset=utf-8' }))
  link.click()
  URL.revokeObjectURL(link.href)
}

/** The draft of a place, such as an employer: it survives a reload of the page. */
export function useDraft(place: string): [RosterDraft | undefined, (draft: RosterDraft | undefined) => void] {
  const { session } = useRouteContext({ from: '__root__' })
  const mine = `${draftPrefix}${session.user.id}:`
  const key = mine + place
  const [draft, setDraft] = useState(() => {
    forgetDrafts(mine)
    return keptDraft(key)
  })
  const change = useCallback(
    (next: RosterDraft | undefined) => {
      keepDraft(key, next)
      setDraft(next)
    },
    [key],
  )
  return [draft, change]
}

import { useCallback, useState } from 'react'
import type { RosterDraft } from './roster-draft.ts'
import { draft_prefix, deleteDrafts, session } from '../../session.ts'

type StoredDraft = Omit<RosterDraft, 'spreadsheet'> & { name: string; columns: string[]; cells: string[][] }

/** Stores a draft. If it exceeds the quota of the browser, it is not stored, and a reload starts over. */
function storeDraft(key: string, draft: RosterDraft | undefined): void {
  sessionStorage.removeItem(key)
  if (!draft) return
  const { spreadsheet, ...rest } = draft
  const cells = spreadsheet.lines.map((line) => spreadsheet.columns.map((column) => line[column] ?? ''))
  try {
    sessionStorage.setItem(
      key,
      JSON.stringify({ ...rest, name: spreadsheet.name, columns: spreadsheet.columns, cells }),
    )
  } catch {
    // The quota of the tab is exceeded.
  }
}

function readDraft(key: string): RosterDraft | undefined {
  const text = sessionStorage.getItem(key)
  if (text === null) return undefined
  const { name, columns, cells, ...rest } = JSON.parse(text) as StoredDraft
  const lines = cells.map((row) => Object.fromEntries(columns.map((column, at) => [column, row[at]!])))
  return { ...rest, spreadsheet: { name, columns, lines } }
}

/** The draft of the roster of `owner_id`, an employer or a group. It survives a reload of the page. */
export function useDraft(owner_id: string): [RosterDraft | undefined, (draft: RosterDraft | undefined) => void] {
  const mine = `${draft_prefix}${session.user.id}:`
  const key = mine + owner_id
  const [draft, setDraft] = useState(() => {
    deleteDrafts(mine)
    return readDraft(key)
  })
  const change = useCallback(
    (next: RosterDraft | undefined) => {
      storeDraft(key, next)
      setDraft(next)
    },
    [key],
  )
  return [draft, change]
}

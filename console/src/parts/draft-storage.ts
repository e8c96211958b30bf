import type { RosterDraft } from './roster-draft.ts'

/**
 * Keeps the draft of a roster across a reload. A roster holds personal data, so the draft is in the session storage of
 * this tab, which other tabs cannot read and which is deleted with the tab. Its key names the user and the employer. The
 * draft is deleted when it is applied or discarded, when the user signs out, and when the console opens signed out or
 * for another user (docs/decisions/0265).
 */
export const draftPrefix = 'roster:'

/** Deletes the drafts of this tab, except those whose keys begin with `mine`. */
export function forgetDrafts(mine?: string): void {
  for (const key of Object.keys(sessionStorage))
    if (key.startsWith(draftPrefix) && !(mine && key.startsWith(mine))) sessionStorage.removeItem(key)
}

type Kept = Omit<RosterDraft, 'sheet'> & { name: string; columns: string[]; cells: string[][] }

/** Keeps a draft. One that is too large for the storage of the browser is not kept: a reload then starts over. */
export function keepDraft(key: string, draft: RosterDraft | undefined): void {
  sessionStorage.removeItem(key)
  if (!draft) return
  const { sheet, ...rest } = draft
  const cells = sheet.lines.map((line) => sheet.columns.map((column) => line[column] ?? ''))
  try {
    sessionStorage.setItem(key, JSON.stringify({ ...rest, name: sheet.name, columns: sheet.columns, cells }))
  } catch {
    // Over the quota of the tab.
  }
}

export function keptDraft(key: string): RosterDraft | undefined {
  const text = sessionStorage.getItem(key)
  if (text === null) return undefined
  const { name, columns, cells, ...rest } = JSON.parse(text) as Kept
  const lines = cells.map((row) => Object.fromEntries(columns.map((column, at) => [column, row[at]!])))
  return { ...rest, sheet: { name, columns, lines } }
}

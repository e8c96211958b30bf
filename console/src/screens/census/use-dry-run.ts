import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { CensusMode, CensusOutcome } from 'openbenefits'
import { type CensusLine, type RowFailure, rowOf } from 'openbenefits/census-columns'
import { ob } from '../../api.ts'
import { isUnresolved, type RosterDraft } from '../../parts/roster/roster-draft.ts'
import { rowFailures, mapToFile } from './census-rows.tsx'

/** The result of a dry run. */
export type DryRun = Pick<
  CensusOutcome,
  'counts' | 'failures' | 'warnings' | 'planned' | 'missing_count' | 'missing' | 'mode'
>

/** A draft to check: its rows, and the file positions of the rows to send. */
export type RosterToCheck = { draft: RosterDraft; lines: CensusLine[]; sent: number[]; mode: CensusMode | undefined }

/** The census mode: from the URL, or else from the employer's settings. */
export const modeOption = (mode: CensusMode | undefined) => (mode ? { mode } : {})

/** A submission that is refused reports at most 100 invalid fields. This limits how often the rest is checked. */
const max_rounds = 5

/**
 * Checks all rows. One invalid field refuses a whole submission, so the rest is checked again without the invalid rows:
 * the user sees all failures at once. The outcome is null if no row is left.
 */
async function runChecks(employer_id: string, input: RosterToCheck) {
  const { lines, sent, mode } = input
  const invalid: RowFailure[] = []
  let rows = sent
  for (let round = 1; rows.length > 0; round++) {
    try {
      const outcome: DryRun = await ob.census.sync(
        employer_id,
        rows.map((index) => rowOf(lines[index]!)),
        { ...modeOption(mode), dry_run: true },
      )
      const placed = mapToFile(outcome, rows)
      return { input, outcome: placed, failures: sortByRow([...invalid, ...placed.failures]) }
    } catch (error) {
      const failures = rowFailures(error as Error, rows)
      if (failures.length === 0) throw error
      invalid.push(...failures)
      if (round === max_rounds) break
      const wrong = new Set(failures.map(({ index }) => index))
      rows = rows.filter((index) => !wrong.has(index))
    }
  }
  return { input, outcome: null, failures: sortByRow(invalid) }
}

const sortByRow = (failures: RowFailure[]) => failures.toSorted((one, other) => one.index - other.index)

/** The delay before edited rows are checked again. */
const debounce_ms = 800

/**
 * Dry-runs a draft. Changed rows are checked after a short pause, or immediately when nothing is left to fix.
 * `failures` has the failures of rows that have not changed since they were checked.
 */
export function useDryRun(employer_id: string, present: RosterToCheck) {
  const [checked, setChecked] = useState(present)
  const preview = useQuery({
    queryKey: ['census', employer_id, checked.draft, checked.mode],
    queryKeyHashFn: hashKey,
    queryFn: () => runChecks(employer_id, checked),
    staleTime: Infinity,
    placeholderData: (previous) => previous,
  })
  const { data } = preview
  const failures = data?.failures.filter((failure) => isUnresolved(failure, data.input.draft, present.draft)) ?? []
  const is_sent = present.draft === checked.draft && present.mode === checked.mode
  const is_left = failures.length > 0
  useEffect(() => {
    if (is_sent) return undefined
    const wait = setTimeout(() => setChecked(present), is_left ? debounce_ms : 0)
    return () => clearTimeout(wait)
  }, [present, is_sent, is_left])
  return { preview, failures, is_checked: is_sent && !preview.isPlaceholderData && !preview.isPending }
}

/** Drafts are compared by identity, because 10,000 rows as text would make a huge cache key. */
const draft_numbers = new WeakMap<RosterDraft, number>()
let last_number = 0
function hashKey(key: readonly unknown[]): string {
  const [, employer_id, draft, mode] = key as [string, string, RosterDraft, CensusMode | undefined]
  if (!draft_numbers.has(draft)) draft_numbers.set(draft, ++last_number)
  return ['census', employer_id, draft_numbers.get(draft), mode].join()
}

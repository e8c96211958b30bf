import type { RowFailure } from 'openbenefits/census-columns'
import { formatCount } from '../../format.ts'
import { Section } from '../../parts/page/page.tsx'
import { downloadRows, type RosterDraft, removeRows } from '../../parts/roster/roster-draft.ts'
import { RowFailures, formatRowCount, SkippedRows } from './census-rows.tsx'
import type { RosterToCheck } from './use-dry-run.ts'

type FixProps = {
  present: RosterToCheck
  failures: RowFailure[]
  is_checked: boolean
  setDraft: (draft: RosterDraft) => void
  back: () => void
  next: () => void
}

/** Fixes or skips the rows that the service would refuse. */
export function FixStep({ present: { draft, lines, sent }, failures, is_checked, setDraft, back, next }: FixProps) {
  const indexes = [...new Set(failures.map(({ index }) => index))]
  const is_done = is_checked && failures.length === 0
  return (
    <Section title={stepTitle(failures, sent.length, is_checked)}>
      <SkippedRows draft={draft} change={setDraft} />
      {failures.length > 0 && <RowFailures failures={failures} lines={lines} draft={draft} change={setDraft} />}
      {is_done && (
        <p className="note">{sent.length > 0 ? `${formatCount(sent.length, 'row')} can be imported.` : ''}</p>
      )}
      <div className="form-end">
        <button type="button" className="button main" disabled={!is_done || sent.length === 0} onClick={next}>
          Review changes
        </button>
        {failures.length > 0 && (
          <>
            <button type="button" className="button" onClick={() => setDraft(removeRows(draft, indexes))}>
              Skip {formatCount(indexes.length, 'row')}
            </button>
            <button type="button" className="button" onClick={() => downloadRows(draft, 'failures', failures)}>
              Download as CSV
            </button>
          </>
        )}
        <button type="button" className="button" onClick={back}>
          Back
        </button>
        {!is_checked && (
          <span className="quiet" role="status">
            Checking…
          </span>
        )}
      </div>
    </Section>
  )
}

function stepTitle(failures: RowFailure[], sent_count: number, is_checked: boolean): string {
  if (failures.length > 0) return `${formatRowCount(failures)} to fix`
  if (sent_count === 0) return 'All rows are skipped'
  return is_checked ? 'Nothing to fix' : 'Checking the rows'
}

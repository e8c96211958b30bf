import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { CensusOutcome } from 'openbenefits'
import type { RowFailure } from 'openbenefits/census-columns'
import { ob, refetch } from '../../api.ts'
import { formatCount, formatNumber } from '../../format.ts'
import { useAction } from '../../parts/form/use-action.ts'
import { Loaded, Section, Status, ErrorMessage } from '../../parts/page/page.tsx'
import { OutcomeCounts, MissingPeople, TerminateMissing } from '../../parts/roster/people-list.tsx'
import { downloadRows, censusLines, type RosterDraft, rowsToSend } from '../../parts/roster/roster-draft.ts'
import { censusQuery, employerRowQuery } from '../../queries.ts'
import { RowFailures, mapToFile, formatRowCount, SkippedRows, RowWarnings } from './census-rows.tsx'

const route = getRouteApi('/employers/$employer_id/census')

type DoneProps = {
  census_sync_id: string
  draft: RosterDraft | undefined
  setDraft: (draft: RosterDraft | undefined) => void
  /** returns to an earlier step */
  open: (step: 'fix' | 'review') => void
  other: () => void
}

/** Whether the termination of everyone who is missing was confirmed before the census was submitted. */
const areTerminationsConfirmed = ({ state, missing, missing_count }: CensusOutcome, leaving: string[]) =>
  state === 'held' && missing?.length === missing_count && missing.every((one) => leaving.includes(one.employee_id))

/** The progress and the outcome of a submitted census. */
export function DoneStep({ census_sync_id, draft, setDraft, open, other }: DoneProps) {
  const { employer_id } = route.useParams()
  const of_census = censusQuery(employer_id, census_sync_id)
  const census = useQuery({
    ...of_census,
    refetchInterval: ({ state: { data } }) => (data && ['queued', 'processing'].includes(data.state) ? 700 : false),
  })
  const confirm = async () => {
    await ob.census.confirm(employer_id, census_sync_id)
    await refetch(of_census.queryKey)
  }
  // The draft belongs to this census only if it was the submitted file.
  const sent = draft?.sent?.census_sync_id === census_sync_id ? draft.sent : undefined
  const is_confirmed =
    census.data !== undefined && sent !== undefined && areTerminationsConfirmed(census.data, sent.leaving)
  const confirmation = useAction({ mutationFn: confirm })
  const { mutate } = confirmation
  useEffect(() => {
    if (is_confirmed) mutate()
    // Confirms once. A failure is shown with the button that repeats it.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [is_confirmed])
  const is_completed = census.data?.state === 'completed'
  const is_done = is_completed && census.data?.failures.length === 0
  useEffect(() => {
    // The file is needed only to download skipped rows.
    if (sent?.removed.length === 0 && is_done) setDraft(undefined)
  }, [sent, is_done, setDraft])
  return (
    <Loaded query={census}>
      {(outcome) => {
        const file = sent && draft ? { ...draft, ...sent } : undefined
        const { failures, warnings, missing_count } = file ? mapToFile(outcome, rowsToSend(file)) : outcome
        const lines = file ? censusLines(file) : []
        return (
          <Section title="Import" actions={<Status of={outcome.state} />}>
            <label>
              <span className="block">
                {formatNumber(outcome.processed_count)} of {formatCount(outcome.row_count, 'row')} done
              </span>
              <progress max={outcome.row_count} value={outcome.processed_count} />
            </label>
            <OutcomeCounts of={outcome.counts} />
            {file && <SkippedRows draft={file} />}
            {outcome.state === 'held' && (!is_confirmed || confirmation.error) && (
              <MissingPeople of={outcome} source="file">
                <TerminateMissing missing={null} missing_count={missing_count ?? 0} act={confirm} />
              </MissingPeople>
            )}
            {confirmation.error && <ErrorMessage error={confirmation.error} />}
            {failures.length > 0 && (
              <>
                <h3>{formatRowCount(failures)} failed</h3>
                <RowFailures failures={failures} lines={lines} />
              </>
            )}
            {warnings.length > 0 && <RowWarnings warnings={warnings} lines={lines} />}
            <div className="form-end">
              {is_completed && <NextStepLinks employer_id={employer_id} />}
              {file && <FailedRows of={file} failures={failures} fix={() => open('fix')} />}
              {outcome.state === 'held' && file && (
                <button type="button" className="button" onClick={() => open('review')}>
                  Back to review
                </button>
              )}
              <button type="button" className="button" onClick={other}>
                Import another file
              </button>
            </div>
          </Section>
        )
      }}
    </Loaded>
  )
}

type FailedRowsProps = { of: RosterDraft; failures: RowFailure[]; fix: () => void }

/** Fixes or downloads the rows that failed. */
const FailedRows = ({ of, failures, fix }: FailedRowsProps) =>
  failures.length > 0 && (
    <>
      <button type="button" className="button" onClick={fix}>
        Fix failed rows
      </button>
      <button type="button" className="button" onClick={() => downloadRows(of, 'failures', failures)}>
        Download failed rows as CSV
      </button>
    </>
  )

/** The links after an import: to the setup of a new employer, and to the roster. */
function NextStepLinks({ employer_id }: { employer_id: string }) {
  // The roster and the setup of the employer have changed.
  useEffect(() => void refetch(['employers', employer_id]), [employer_id])
  const row = useQuery(employerRowQuery(employer_id)).data
  const is_in_setup = row?.benefit_lifecycle_stage.stage === 'onboarding'
  return (
    <>
      {is_in_setup && (
        <Link className="button main" to="/employers/$employer_id" params={{ employer_id }}>
          Continue setup
        </Link>
      )}
      <Link
        className={is_in_setup ? 'button' : 'button main'}
        to="/employers/$employer_id/roster"
        params={{ employer_id }}
      >
        See the roster
      </Link>
    </>
  )
}

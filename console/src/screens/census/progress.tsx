import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect } from 'react'
import { ob, refetch } from '../../api.ts'
import { count, inWords } from '../../format.ts'
import { Loaded, Section, Status } from '../../parts/page/page.tsx'
import { Counts, MissingPeople, TerminateMissing } from '../../parts/roster/people-list.tsx'
import { linesIn, type RosterDraft, sentRows } from '../../parts/roster/roster-draft.ts'
import { censusOf } from '../../queries.ts'
import { Failures, inFile, rowCount, Warnings } from './census-rows.tsx'

const route = getRouteApi('/employers/$employer_id/census')

type ProgressProps = {
  census_sync_id: string
  draft: RosterDraft | undefined
  setDraft: (draft: RosterDraft | undefined) => void
  /** returns to the preview with the failed rows */
  correct: () => void
  other: () => void
}

/** The progress and the outcome of a submitted census. */
export function Progress({ census_sync_id, draft, setDraft, correct, other }: ProgressProps) {
  const { employer_id } = route.useParams()
  const census = useQuery({
    ...censusOf(employer_id, census_sync_id),
    refetchInterval: ({ state: { data } }) => (data && ['queued', 'processing'].includes(data.state) ? 700 : false),
  })
  // The draft belongs to this census only if it was the submitted file.
  const sent = draft?.sent?.census_sync_id === census_sync_id ? sentRows({ ...draft, ...draft.sent }) : undefined
  const is_done = census.data?.state === 'completed' && census.data.failures.length === 0
  useEffect(() => {
    // The file is no longer needed.
    if (sent && is_done) setDraft(undefined)
  }, [sent, is_done, setDraft])
  return (
    <Loaded query={census}>
      {(outcome) => {
        const { failures, warnings, missing_count } = sent ? inFile(outcome, sent) : outcome
        const lines = sent && draft ? linesIn(draft) : []
        return (
          <Section title="Census" actions={<Status of={outcome.state} />}>
            <label>
              <span className="block">
                {inWords(outcome.processed_count)} of {count(outcome.row_count, 'row')} done
              </span>
              <progress max={outcome.row_count} value={outcome.processed_count} />
            </label>
            <Counts of={outcome.counts} />
            {outcome.state === 'held' && (
              <MissingPeople of={outcome} source="file">
                <TerminateMissing
                  missing={null}
                  missing_count={missing_count ?? 0}
                  act={async () => {
                    await ob.census.confirm(employer_id, census_sync_id)
                    await refetch(censusOf(employer_id, census_sync_id).queryKey)
                  }}
                />
              </MissingPeople>
            )}
            {failures.length > 0 && (
              <>
                <h3>{rowCount(failures)} failed</h3>
                <Failures failures={failures} lines={lines} draft={sent && draft} />
              </>
            )}
            {warnings.length > 0 && <Warnings warnings={warnings} lines={lines} />}
            <div className="form-end">
              {failures.length > 0 && sent && (
                <button type="button" className="button" onClick={correct}>
                  Correct failed rows
                </button>
              )}
              <button type="button" className="button" onClick={other}>
                Choose another file
              </button>
            </div>
          </Section>
        )
      }}
    </Loaded>
  )
}

import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useMemo } from 'react'
import { Loaded } from '../../parts/page/page.tsx'
import { censusLines, type RosterDraft, rowsToSend } from '../../parts/roster/roster-draft.ts'
import { FixStep } from './fix-step.tsx'
import { ReviewStep } from './review-step.tsx'
import { type RosterToCheck, useDryRun } from './use-dry-run.ts'

const route = getRouteApi('/employers/$employer_id/census')

export type CheckProps = {
  draft: RosterDraft
  setDraft: (draft: RosterDraft | undefined) => void
  step: 'fix' | 'review'
  open: (step: 'map' | 'fix' | 'review', replace?: boolean) => void
}

/** Dry-runs a roster for the steps Fix and Review. */
export function CheckedRoster({ draft, setDraft, step, open }: CheckProps) {
  const { employer_id } = route.useParams()
  const { mode } = route.useSearch()
  const lines = useMemo(() => censusLines(draft), [draft])
  const present: RosterToCheck = useMemo(() => ({ draft, lines, sent: rowsToSend(draft), mode }), [draft, lines, mode])
  const { preview, failures, is_checked } = useDryRun(employer_id, present)
  const is_refused = step === 'review' && is_checked && failures.length > 0
  useEffect(() => {
    if (is_refused) open('fix', true)
  }, [is_refused, open])
  return (
    <Loaded query={preview} lines={6}>
      {({ outcome }) =>
        step === 'review' && outcome && failures.length === 0 ? (
          <ReviewStep
            present={present}
            outcome={outcome}
            is_checked={is_checked}
            setDraft={setDraft}
            back={() => open('fix')}
          />
        ) : (
          <FixStep
            present={present}
            failures={failures}
            is_checked={is_checked}
            setDraft={setDraft}
            back={() => open('map')}
            next={() => open('review')}
          />
        )
      }
    </Loaded>
  )
}

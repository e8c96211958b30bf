import { useQuery } from '@tanstack/react-query'
import type { LifeEventId, Task } from 'openbenefits/operator'
import { operator } from '../../api.ts'
import { formatCount } from '../../format.ts'
import { operatedCensusQuery } from '../../operator-queries.ts'
import { BulkAction } from '../../parts/form/bulk-action.tsx'
import { Form } from '../../parts/form/form.tsx'
import { takeFocus } from '../../parts/page/interaction.ts'
import { Loaded } from '../../parts/page/page.tsx'
import { TerminateMissing } from '../../parts/roster/people-list.tsx'
import { approveLater } from './actions.tsx'

type ConfirmedTaskProps = { of: Task; cancel: () => void; refresh: () => Promise<void> }

const confirmationTitle = (title: string, { person_name, employer_name }: Task) =>
  [title, person_name, employer_name].filter(Boolean).join(', ')

/** Declines a life event with a reason. */
export const DeclineLifeEvent = ({ of: task, title, cancel, refresh }: ConfirmedTaskProps & { title: string }) => (
  <div className="note">
    <div className="section-head">
      <h3 tabIndex={-1} ref={takeFocus}>
        {confirmationTitle(title, task)}
      </h3>
      <button type="button" className="plain" onClick={cancel}>
        Close
      </button>
    </div>
    <Form
      fields={[{ name: 'reason', label: 'Reason', kind: 'long', hint: 'Shown to the employee and the partner.' }]}
      submit={async ({ reason = '' }) => {
        await operator.lifeEvents.decline(task.resource_id as LifeEventId, { reason })
        cancel()
        await refresh()
      }}
      button="Decline"
    />
  </div>
)

/** The people that a held census would terminate, with the confirmation. */
export function ConfirmHeldCensus({
  of: { resource_id, employer_name, details },
  cancel,
  refresh,
}: ConfirmedTaskProps) {
  const held = useQuery(operatedCensusQuery(resource_id))
  const act = async () => {
    await operator.census.confirm(resource_id)
    await refresh()
  }
  return (
    <Loaded query={held} lines={2}>
      {({ missing }) => (
        <TerminateMissing
          missing={missing}
          missing_count={Number(details.missing_count)}
          among={`${formatCount(Number(details.roster_count), 'person', 'people')} of ${employer_name}`}
          act={act}
          back={cancel}
        />
      )}
    </Loaded>
  )
}

type ApproveTogetherProps = {
  of: { task: Task; title: string }[]
  back: () => void
}

/** Approves the selected life events together, after a delay. */
export const BulkApproval = ({ of, back }: ApproveTogetherProps) => (
  <BulkAction
    action="Approve"
    of={of.map(({ task, title }) => ({ id: task.resource_id, label: confirmationTitle(title, task) }))}
    act={approveLater}
    back={back}
  >
    Approval opens a 30-day special enrollment period for each and notifies the partners. You can undo it for 10
    seconds.
  </BulkAction>
)

import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { LifeEventId, ReportedLifeEvent, Task } from 'openbenefits/operator'
import { operator, refetch } from '../../api.ts'
import { count } from '../../format.ts'
import { operatedCensus, reportedLifeEvents, tasks } from '../../operator-queries.ts'
import { Documents } from '../../parts/benefits/life-event-documents.tsx'
import { Confirm } from '../../parts/form/confirm.tsx'
import { Form } from '../../parts/form/form.tsx'
import { asItFollows, useAction } from '../../parts/form/use-action.ts'
import { takeFocus } from '../../parts/page/interaction.ts'
import { useChangeSearch } from '../../parts/page/links.tsx'
import { Empty, Loaded, Nothing, Section, Trouble } from '../../parts/page/page.tsx'
import { TerminateMissing } from '../../parts/roster/people-list.tsx'
import { allOf, useRows } from '../../parts/table/rows.ts'
import { type Column, dateColumn, Table } from '../../parts/table/table.tsx'
import { may } from '../../session.ts'
import { type Act, actions, ActionsOf, type ActionsProps, type Confirmation } from './actions.tsx'
import { detailsOf, titleOf } from './task-words.ts'

const route = getRouteApi('/today')

/** The employer and partner of a task. */
function TaskOwner({ of: { employer_id, employer_name, organization_id, organization_name } }: { of: Task }) {
  if (organization_id === null) return <Nothing />
  const partner = (
    <Link to="/partners/$organization_id" params={{ organization_id }}>
      {organization_name ?? organization_id}
    </Link>
  )
  if (employer_id === null) return partner
  return (
    <>
      <Link to="/partners/employers/$employer_id" params={{ employer_id }}>
        {employer_name ?? employer_id}
      </Link>
      <span className="quiet block">{organization_name}</span>
    </>
  )
}

function columnsOf(actions: ActionsProps, life_events: ReportedLifeEvent[]): Column<Task>[] {
  const eventOf = ({ resource_id }: Task) => life_events.find(({ id }) => id === resource_id)
  return [
    {
      name: 'Task',
      width: 44,
      phone: 68,
      wraps: true,
      cell: (task) => (
        <>
          {titleOf(task, eventOf(task))}
          <span className="quiet block">
            {[task.person_name, detailsOf(task), eventOf(task)?.description].filter(Boolean).join(' · ')}
            <Documents of={eventOf(task)} />
          </span>
          <span className="only-phone">
            <TaskOwner of={task} />
          </span>
        </>
      ),
    },
    { name: 'Employer', only: 'middle', wraps: true, cell: (task) => <TaskOwner of={task} /> },
    dateColumn('Open since', 'opened_at', { only: 'middle', width: 15 }),
    {
      name: 'Action',
      align: 'end',
      width: 19,
      phone: 32,
      wraps: true,
      cell: (task) => <ActionsOf of={task} {...actions} />,
    },
  ]
}

/** The open tasks, each with its actions. */
export function Tasks() {
  const { confirming, action } = route.useSearch()
  const change = useChangeSearch()
  const rows = useRows(tasks())
  const life_events = allOf(useRows(reportedLifeEvents()))
  const refresh = () => refetch(tasks().key)
  const confirm = (confirming?: string, confirmation?: Confirmation) => {
    const action = confirmation === 'approve' ? confirmation : undefined
    void change({ confirming, action })
  }
  const act = useAction<unknown, Act>({
    mutationFn: async ({ action, task }) => actions[action](task),
    // Refresh even after an error, because another operator may have resolved the task. Jobs finish a bit later.
    onSettled: () => {
      asItFollows(refresh)
      return refresh()
    },
  })
  const to_confirm = may('administer') ? allOf(rows).find(({ resource_id }) => resource_id === confirming) : undefined
  return (
    <Section
      title={rows.total ? `Tasks: ${rows.total}` : 'Tasks'}
      actions={
        <span role="status" className="quiet">
          {act.isSuccess && 'Done. Resolved tasks disappear shortly.'}
        </span>
      }
    >
      {act.error && <Trouble error={act.error} />}
      {to_confirm?.kind === 'life_event_pending' && (
        <Decide
          key={`${to_confirm.id}${action}`}
          of={to_confirm}
          title={titleOf(
            to_confirm,
            life_events.find(({ id }) => id === to_confirm.resource_id),
          )}
          cancel={() => {
            confirm()
            void refresh()
          }}
          refresh={refresh}
        />
      )}
      {to_confirm?.kind === 'census_held' && (
        <Terminate key={to_confirm.id} of={to_confirm} cancel={() => confirm()} refresh={refresh} />
      )}
      <Table
        label="Tasks"
        columns={columnsOf({ act: act.mutate, confirm, is_busy: act.isPending }, life_events)}
        rows={rows}
        isChosen={({ id }) => id === to_confirm?.id}
        empty={
          <Empty title="No open tasks.">
            Life events to decide, held censuses, failing connections and webhooks, and drafts to issue appear here.
          </Empty>
        }
      />
    </Section>
  )
}

type ConfirmedTaskProps = { of: Task; cancel: () => void; refresh: () => Promise<void> }

const headOf = (title: string, { person_name, employer_name }: Task) =>
  [title, person_name, employer_name].filter(Boolean).join(', ')

/** Approves a life event after a confirmation, or declines it with a reason. */
function Decide(props: ConfirmedTaskProps & { title: string }) {
  const { action } = route.useSearch()
  return action === 'approve' ? <Approve {...props} /> : <Decline {...props} />
}

const Approve = ({ of: task, title, cancel, refresh }: ConfirmedTaskProps & { title: string }) => (
  <Confirm
    action="Approve"
    variant="main"
    act={async () => {
      await operator.lifeEvents.approve(task.resource_id as LifeEventId)
      await refresh()
    }}
    back={cancel}
  >
    {headOf(title, task)}. Approval opens a 30-day special enrollment period and notifies the partner. You can’t undo
    this.
  </Confirm>
)

const Decline = ({ of: task, title, cancel, refresh }: ConfirmedTaskProps & { title: string }) => (
  <div className="note">
    <div className="section-head">
      <h3 tabIndex={-1} ref={takeFocus}>
        {headOf(title, task)}
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
function Terminate({ of: { resource_id, employer_name, details }, cancel, refresh }: ConfirmedTaskProps) {
  const held = useQuery(operatedCensus(resource_id))
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
          among={`${count(Number(details.roster_count), 'person', 'people')} of ${employer_name}`}
          act={act}
          back={cancel}
        />
      )}
    </Loaded>
  )
}

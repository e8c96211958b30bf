import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useRouteContext } from '@tanstack/react-router'
import type { LifeEventId, Task, ReportedLifeEvent } from 'openbenefits/operator'
import { operator } from '../../api.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { useAction } from '../../parts/use-action.ts'
import { Documents } from '../../parts/documents.tsx'
import { asItFollows } from '../../parts/follow.ts'
import { Form } from '../../parts/form.tsx'
import { Empty, Loaded, Nothing, Section, Trouble } from '../../parts/page.tsx'
import { allOf, useRows } from '../../parts/rows.ts'
import { Table, type Column } from '../../parts/table.tsx'
import { takeFocus } from '../../parts/take-focus.ts'
import { TerminateMissing } from '../../parts/terminate-missing.tsx'
import { count, dayOf } from '../../parts/words.ts'
import { tasks, operatedCensus, reportedLifeEvents } from '../../operator-queries.ts'
import { may } from '../../session.ts'
import { actions, ActionsOf, type Act, type ActionsProps, type Asked } from './actions.tsx'
import { detailsOf, titleOf } from './task-words.ts'

const route = getRouteApi('/today')

/** Whose a task is: the employer, and the partner who keeps it. */
function Whose({ of: { employer_id, employer_name, organization_id, organization_name } }: { of: Task }) {
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
            <Whose of={task} />
          </span>
        </>
      ),
    },
    { name: 'Employer', only: 'middle', wraps: true, cell: (task) => <Whose of={task} /> },
    { name: 'Open since', align: 'end', only: 'middle', width: 15, cell: ({ opened_at }) => dayOf(opened_at) },
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

/** All that needs somebody, each with what settles it. */
export function Tasks() {
  const { asking, action } = route.useSearch()
  const { session } = useRouteContext({ from: '__root__' })
  const navigate = route.useNavigate()
  const client = useQueryClient()
  const rows = useRows(tasks())
  const life_events = allOf(useRows(reportedLifeEvents()))
  const refresh = () => client.invalidateQueries({ queryKey: tasks().key })
  const ask = (asking?: string, asked?: Asked) => {
    const action = asked === 'approve' ? asked : undefined
    void navigate({ search: (before) => ({ ...before, asking, action }), replace: true, resetScroll: false })
  }
  const act = useAction<unknown, Act>({
    mutationFn: async ({ action, task }) => actions[action](task),
    // What was refused may have been settled by somebody else; what a job does follows.
    onSettled: () => {
      asItFollows(refresh)
      return refresh()
    },
  })
  const asked = may(session, 'administer') ? allOf(rows).find(({ resource_id }) => resource_id === asking) : undefined
  return (
    <Section
      title={rows.total ? `Tasks: ${rows.total}` : 'Tasks'}
      actions={
        <span role="status" className="quiet">
          {act.isSuccess && 'Done. What is settled leaves the list in a moment.'}
        </span>
      }
    >
      {act.error && <Trouble error={act.error} />}
      {asked?.kind === 'life_event_pending' && (
        <Decide
          key={`${asked.id}${action}`}
          of={asked}
          title={titleOf(
            asked,
            life_events.find(({ id }) => id === asked.resource_id),
          )}
          stay={() => {
            ask()
            void refresh()
          }}
          refresh={refresh}
        />
      )}
      {asked?.kind === 'census_held' && <Terminate key={asked.id} of={asked} stay={() => ask()} refresh={refresh} />}
      <Table
        label="Tasks"
        columns={columnsOf({ act: act.mutate, ask, is_busy: act.isPending }, life_events)}
        rows={rows}
        isChosen={({ id }) => id === asked?.id}
        empty={
          <Empty title="Nothing needs you.">
            Life events to decide, held censuses, failing connections and webhooks, and drafts to issue appear here.
          </Empty>
        }
      />
    </Section>
  )
}

type AskedProps = { of: Task; stay: () => void; refresh: () => Promise<void> }

const headOf = (title: string, { person_name, employer_name }: Task) =>
  [title, person_name, employer_name].filter(Boolean).join(', ')

/** Of a life event: approved, after it was said what comes of it, or declined for a reason. */
function Decide(props: AskedProps & { title: string }) {
  const { action } = route.useSearch()
  return action === 'approve' ? <Approve {...props} /> : <Decline {...props} />
}

const Approve = ({ of: task, title, stay, refresh }: AskedProps & { title: string }) => (
  <Confirm
    action="Approve"
    look="main"
    act={async () => {
      await operator.lifeEvents.approve(task.resource_id as LifeEventId)
      await refresh()
    }}
    back={stay}
  >
    {headOf(title, task)}. For 30 days they can choose anew. The partner is told, and it can’t be taken back.
  </Confirm>
)

const Decline = ({ of: task, title, stay, refresh }: AskedProps & { title: string }) => (
  <div className="note">
    <div className="section-head">
      <h3 tabIndex={-1} ref={takeFocus}>
        {headOf(title, task)}
      </h3>
      <button type="button" className="plain" onClick={stay}>
        Close
      </button>
    </div>
    <Form
      fields={[
        { name: 'reason', label: 'Why it is declined', kind: 'long', hint: 'The employee and the partner read it.' },
      ]}
      submit={async ({ reason = '' }) => {
        await operator.lifeEvents.decline(task.resource_id as LifeEventId, { reason })
        stay()
        await refresh()
      }}
      button="Decline"
    />
  </div>
)

/** The people whom a held census would terminate, by name, before somebody confirms it. */
function Terminate({ of: { resource_id, employer_name, details }, stay, refresh }: AskedProps) {
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
          back={stay}
        />
      )}
    </Loaded>
  )
}

import { getRouteApi, Link } from '@tanstack/react-router'
import type { ReportedLifeEvent, Task } from 'openbenefits/operator'
import { type ReactNode, Suspense } from 'react'
import { refetch } from '../../api.ts'
import { lazyPart } from '../../frame/screen.ts'
import { reportedLifeEventsQuery, operatorTasksList } from '../../operator-queries.ts'
import { LifeEventDocuments } from '../../parts/benefits/life-event-documents.tsx'
import { useDelayed } from '../../parts/form/delayed.ts'
import { refreshLater, useAction } from '../../parts/form/use-action.ts'
import { HereLink, useChangeSearch } from '../../parts/page/links.tsx'
import { Empty, Dash, Section, ErrorMessage } from '../../parts/page/page.tsx'
import { Export, type ExportColumn } from '../../parts/table/export.tsx'
import { loadedRows, useRows } from '../../parts/table/rows.ts'
import { type Column, dateColumn, Table } from '../../parts/table/table.tsx'
import { isRoleAllowed } from '../../session.ts'
import { type TaskAction, actions, TaskActions, type ActionsProps } from './actions.tsx'
import { taskDetails, taskTitle } from './task-words.ts'

const route = getRouteApi('/today')

/** The employer and partner of a task. */
function TaskOwner({ of: { employer_id, employer_name, organization_id, organization_name } }: { of: Task }) {
  if (organization_id === null) return <Dash />
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

/** The person of a task, whose page shows the facts for a decision. */
function TaskPerson({ of: { person_name, resource_id, details } }: { of: Task }) {
  if (person_name === null) return null
  const employee_id = details.employee_id ?? resource_id
  if (typeof employee_id !== 'string' || !employee_id.startsWith('empl_')) return <>{person_name} · </>
  return (
    <>
      <Link className="in-text" to="/people/$employee_id" params={{ employee_id }}>
        {person_name}
      </Link>
      {' · '}
    </>
  )
}

const loadConfirmations = () => import('./confirmations.tsx')
const DeclineLifeEvent = lazyPart(loadConfirmations, 'DeclineLifeEvent')
const ConfirmHeldCensus = lazyPart(loadConfirmations, 'ConfirmHeldCensus')
const ApproveTogether = lazyPart(loadConfirmations, 'BulkApproval')

const exported: ExportColumn<Task>[] = [
  { name: 'Task', of: (task) => taskTitle(task, undefined) },
  { name: 'Person', of: ({ person_name }) => person_name },
  { name: 'Facts', of: taskDetails },
  { name: 'Employer', of: ({ employer_name }) => employer_name },
  { name: 'Partner', of: ({ organization_name }) => organization_name },
  { name: 'Open since', of: ({ opened_at }) => opened_at },
]

type ColumnOptions = {
  actions: ActionsProps
  life_events: ReportedLifeEvent[]
  confirmation: (task: Task) => ReactNode
}

function columnsOf({ actions, life_events, confirmation }: ColumnOptions): Column<Task>[] {
  const eventOf = ({ resource_id }: Task) => life_events.find(({ id }) => id === resource_id)
  return [
    {
      name: 'Task',
      width: 44,
      phone: 68,
      wraps: true,
      cell: (task) => (
        <>
          {taskTitle(task, eventOf(task))}
          <span className="quiet block">
            <TaskPerson of={task} />
            {[taskDetails(task), eventOf(task)?.description].filter(Boolean).join(' · ')}
            <LifeEventDocuments of={eventOf(task)} />
          </span>
          <span className="only-phone">
            <TaskOwner of={task} />
          </span>
          {confirmation(task)}
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
      cell: (task) => <TaskActions of={task} {...actions} />,
    },
  ]
}

/** The open tasks, each with its actions. */
export function OperatorTasks() {
  const { confirming, together } = route.useSearch()
  const change = useChangeSearch()
  const rows = useRows(operatorTasksList())
  const life_events = loadedRows(useRows(reportedLifeEventsQuery()))
  const refresh = () => refetch(operatorTasksList().key)
  const confirm = (confirming: string) => void change({ confirming })
  const act = useAction<unknown, TaskAction>({
    mutationFn: async ({ action, task }) => actions[action](task),
    // Refresh even after an error, because another operator may have resolved the task. Jobs finish a bit later.
    onSettled: () => {
      refreshLater(refresh)
      return refresh()
    },
  })
  const to_confirm = isRoleAllowed('administer')
    ? loadedRows(rows).find(({ resource_id }) => resource_id === confirming)
    : undefined
  const titleIn = (task: Task) =>
    taskTitle(
      task,
      life_events.find(({ id }) => id === task.resource_id),
    )
  const delayed = useDelayed()?.ids ?? []
  const pending = loadedRows(rows).filter(
    ({ kind, resource_id }) => kind === 'life_event_pending' && !delayed.includes(resource_id),
  )
  const close = () => {
    void change({ confirming: undefined, together: undefined })
    void refresh()
  }
  const confirmation = (task: Task) =>
    task.id === to_confirm?.id && <RowConfirmation of={task} title={titleIn(task)} close={close} refresh={refresh} />
  return (
    <Section
      title={rows.total ? `Tasks: ${rows.total}` : 'Tasks'}
      actions={
        <>
          <span role="status" className="quiet">
            {act.isSuccess && 'Done. Resolved tasks disappear shortly.'}
          </span>
          {isRoleAllowed('administer') && pending.length > 1 && !together && (
            <HereLink className="button" change={{ together: 'yes', confirming: undefined }}>
              Approve {pending.length} life events
            </HereLink>
          )}
          <Export name="tasks" list={operatorTasksList()} columns={exported} />
        </>
      }
    >
      {act.error && <ErrorMessage error={act.error} />}
      {together && isRoleAllowed('administer') && pending.length > 0 && (
        <Suspense>
          <ApproveTogether of={pending.map((task) => ({ task, title: titleIn(task) }))} back={close} />
        </Suspense>
      )}
      <Table
        label="Tasks"
        columns={columnsOf({
          actions: { act: act.mutate, confirm, is_busy: act.isPending },
          life_events,
          confirmation,
        })}
        rows={rows}
        isChosen={({ id }) => id === to_confirm?.id}
        empty={
          <Empty title="No open tasks.">
            Life events to decide, held censuses, requested plan years, failing connections and webhooks, and drafts to
            issue appear here.
          </Empty>
        }
      />
    </Section>
  )
}

type RowConfirmationProps = { of: Task; title: string; close: () => void; refresh: () => Promise<void> }

/** The confirmation of a task, in its row. */
const RowConfirmation = ({ of: task, title, close, refresh }: RowConfirmationProps) => (
  <Suspense>
    {task.kind === 'life_event_pending' && (
      <DeclineLifeEvent of={task} title={title} cancel={close} refresh={refresh} />
    )}
    {task.kind === 'census_held' && <ConfirmHeldCensus of={task} cancel={close} refresh={refresh} />}
  </Suspense>
)

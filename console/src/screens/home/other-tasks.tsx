import { getRouteApi, Link } from '@tanstack/react-router'
import type { DependentId, NoteId, PartnerTask, PartnerTaskPage, WebhookSubscriptionId } from 'openbenefits'
import { Suspense, useState } from 'react'
import { ob, refetch } from '../../api.ts'
import { lazyPart } from '../../frame/screen.ts'
import { delay, undo, useDelayed } from '../../parts/form/delayed.ts'
import { useAction } from '../../parts/form/use-action.ts'
import { HereLink, useChangeSearch } from '../../parts/page/links.tsx'
import { Dash, Section, ErrorMessage } from '../../parts/page/page.tsx'
import { fixedRows } from '../../parts/table/rows.ts'
import { Table, type Column } from '../../parts/table/table.tsx'
import { formatCount, formatDay, formatDistance } from '../../format.ts'
import { task_kinds } from '../../routes/filter-values.ts'
import { TaskLink } from './task-link.tsx'
import { column_widths } from './sections.tsx'
import { taskFacts, groupTitle, taskTitle } from './task-words.ts'

const route = getRouteApi('/')

type Kind = (typeof task_kinds)[number]
type Group = PartnerTaskPage['groups'][number] & { kind: Kind; tasks: PartnerTask[]; is_open: boolean }
/** A group of several tasks, or a single task. The tasks of an expanded group are listed below it. */
type Row = { group: Group } | { task: PartnerTask; is_below: boolean }

const isGrouped = (kind: string): kind is Kind => (task_kinds as readonly string[]).includes(kind)

function taskRows({ groups, data }: PartnerTaskPage, show: Kind | undefined): Row[] {
  return groups.flatMap(({ kind, ...group }): Row[] => {
    if (!isGrouped(kind)) return []
    const tasks = data.filter((task) => task.kind === kind)
    if (group.total === 1) return tasks.map((task) => ({ task, is_below: false }))
    const is_open = show === kind
    const below = is_open ? tasks.map((task) => ({ task, is_below: true })) : []
    return [{ group: { ...group, kind, tasks, is_open } }, ...below]
  })
}

function TaskEmployer({ of: { employer_id, employer_name } }: { of: PartnerTask }) {
  if (employer_id === null) return <Dash />
  return (
    <Link to="/employers/$employer_id" params={{ employer_id }}>
      {employer_name}
    </Link>
  )
}

/** The number of employers of a group, or the name of the only one. */
function describeEmployers({ tasks, total }: Group): string {
  const names = [...new Set(tasks.flatMap(({ employer_name }) => employer_name ?? []))]
  if (names.length === 1) return names[0]!
  return names.length > 1 && tasks.length === total ? formatCount(names.length, 'employer') : ''
}

/** The deadline of a task, or the day on which it was opened. */
function DueDate({ due_on, opened_at, today }: { due_on: string | null; opened_at?: string; today: string }) {
  if (due_on === null)
    return opened_at ? (
      <span className="quiet">since {formatDay(opened_at)}</span>
    ) : (
      <span className="only-middle">
        <Dash />
      </span>
    )
  return (
    <>
      {formatDay(due_on)}
      <span className="quiet block">{formatDistance(due_on, today)}</span>
    </>
  )
}

const verification_kind = 'dependent_verification_pending'

/** Verifies dependents after a delay, since each employee is informed. */
const verifyLater = (ids: string[]): void =>
  delay({
    ids,
    act: verify,
    words: (total) =>
      `Verifying ${formatCount(total, 'dependent')}: ` +
      'the employees see the decision and can no longer change documents.',
    now: 'Verify now',
    after: () => refetch(['tasks'], ['employees']),
  })

const verify = (id: string) =>
  ob.dependents.decideVerification(id as DependentId, { status: 'verified' }, { keepalive: true })

const BulkVerification = lazyPart(() => import('../../parts/form/bulk-action.tsx'), 'BulkAction')
const HeldCensus = lazyPart(() => import('./held-census.tsx'), 'HeldCensus')

/** Actions that complete a task without leaving the page. */
type RowActions = {
  /** the resource of the task to confirm */
  confirming: string | undefined
  confirm: (resource_id: string | undefined) => void
  enable: (task: PartnerTask) => void
  is_busy: boolean
}

const columnsOf = (today: string, of_one_employer: boolean, actions: RowActions): Column<Row>[] => [
  {
    name: 'Task',
    width: of_one_employer ? 62 : column_widths.name,
    phone: 60,
    wraps: true,
    cell: (row) => {
      if ('group' in row) return groupTitle(row.group.kind, row.group.total)
      const { task, is_below } = row
      return (
        <span className={is_below ? 'below' : undefined}>
          {taskTitle(task)}
          <span className="quiet block">{taskFacts(task)}</span>
          {!of_one_employer && task.employer_id !== null && (
            <span className="only-phone">
              <TaskEmployer of={task} />
            </span>
          )}
          {task.kind === 'census_held' && actions.confirming === task.resource_id && (
            <Suspense>
              <HeldCensus of={task} close={() => actions.confirm(undefined)} />
            </Suspense>
          )}
        </span>
      )
    },
  },
  ...(of_one_employer
    ? []
    : [
        {
          name: 'Employer',
          only: 'middle' as const,
          width: column_widths.fact,
          wraps: true,
          cell: (row: Row) =>
            'group' in row ? describeEmployers(row.group) || <Dash /> : <TaskEmployer of={row.task} />,
        },
        {
          name: 'Owner',
          only: 'wide' as const,
          width: column_widths.owner,
          cell: (row: Row) => ('task' in row && row.task.owner?.name) || <Dash />,
        },
      ]),
  {
    name: 'Due',
    align: 'end',
    width: of_one_employer ? 24 : column_widths.amount,
    phone: 40,
    wraps: true,
    cell: (row) => (
      <>
        <DueDate today={today} {...('group' in row ? { due_on: row.group.due_on } : row.task)} />
        <span className="only-phone">
          <RowAction row={row} {...actions} />
        </span>
      </>
    ),
  },
  {
    name: 'Action',
    align: 'end',
    width: column_widths.last,
    only: 'middle',
    cell: (row) => <RowAction row={row} {...actions} />,
  },
]

/**
 * A button that marks the mention of a note as done. The row stays until the page refreshes, so that the user can
 * undo it.
 */
function MentionAction({ of }: { of: PartnerTask }) {
  const [is_done, setDone] = useState(false)
  const mark = useAction({
    mutationFn: () => ob.notes.markMention(of.resource_id as NoteId, { done: !is_done }),
    onSuccess: () => setDone(!is_done),
  })
  return (
    <>
      <span role="status">{is_done ? 'Done. ' : <TaskLink of={of} />}</span>{' '}
      <button type="button" className="plain" disabled={mark.isPending} onClick={() => mark.mutate()}>
        {is_done ? 'Undo' : 'Done'}
      </button>
    </>
  )
}

/** Verifies a dependent after a delay. */
function VerifyAction({ of: task }: { of: PartnerTask }) {
  const delayed = useDelayed()
  const is_delayed = delayed?.ids.includes(task.resource_id)
  const turn = () => (is_delayed ? undo(task.resource_id) : verifyLater([task.resource_id]))
  return (
    <span className="actions">
      {is_delayed && <span className="quiet">Verifying</span>}
      {!(is_delayed && delayed?.is_running) && (
        <button type="button" className="plain" onClick={turn}>
          {is_delayed ? 'Undo' : 'Verify'}
        </button>
      )}
      {!is_delayed && <TaskLink of={task} />}
    </span>
  )
}

/** The action of a task: a button that resolves it, a link to its page, or a button that opens and closes a group. */
function RowAction({ row, confirming, confirm, enable, is_busy }: RowActions & { row: Row }) {
  const delayed = useDelayed()?.ids ?? []
  if ('task' in row) {
    const { kind, resource_id } = row.task
    if (kind === 'note_mention') return <MentionAction of={row.task} />
    if (kind === verification_kind) return <VerifyAction of={row.task} />
    if (kind === 'webhook_disabled')
      return (
        <span className="actions">
          <button type="button" className="plain" disabled={is_busy} onClick={() => enable(row.task)}>
            Enable
          </button>
          <TaskLink of={row.task} />
        </span>
      )
    if (kind === 'census_held' && confirming !== resource_id)
      return (
        <span className="actions">
          <button type="button" className="plain" onClick={() => confirm(resource_id)}>
            Terminate
          </button>
          <TaskLink of={row.task} />
        </span>
      )
    return <TaskLink of={row.task} />
  }
  const { kind, total, is_open, tasks } = row.group
  // Only loaded tasks can be selected, which are the most urgent of all kinds.
  const can_verify = kind === verification_kind && tasks.some(({ resource_id }) => !delayed.includes(resource_id))
  return (
    <span className="actions">
      {can_verify && confirming !== verification_kind && (
        <HereLink change={{ confirming: verification_kind }} aria-label="Verify dependents together">
          Verify
        </HereLink>
      )}
      <HereLink
        change={{ show: is_open ? undefined : kind }}
        aria-label={`${is_open ? 'Hide' : 'Show'}: ${groupTitle(kind, total)}`}
      >
        {is_open ? 'Hide' : 'Show'}
      </HereLink>
    </span>
  )
}

type NeedsProps = { of: PartnerTaskPage; today: string; of_one_employer: boolean }

/** The tasks without a section of their own, grouped by kind, the most urgent first. */
export function OtherTasks({ of, today, of_one_employer }: NeedsProps) {
  const { show, confirming } = route.useSearch()
  const change = useChangeSearch()
  const turn = useAction({
    mutationFn: async ({ resource_id, enabled }: { resource_id: string; enabled: boolean }) => {
      await ob.webhookSubscriptions.update(resource_id as WebhookSubscriptionId, { enabled })
      await refetch(['tasks'])
    },
  })
  const actions: RowActions = {
    confirming,
    confirm: (confirming) => void change({ confirming }),
    enable: ({ resource_id }) => turn.mutate({ resource_id, enabled: true }),
    is_busy: turn.isPending,
  }
  const rows = taskRows(of, show)
  const done = turn.isSuccess ? turn.variables : undefined
  const delayed = useDelayed()?.ids ?? []
  const to_verify =
    confirming === verification_kind
      ? of.data.filter(({ kind, resource_id }) => kind === verification_kind && !delayed.includes(resource_id))
      : []
  if (rows.length === 0 && !done) return null
  const open = rows.flatMap((row) => ('group' in row && row.group.is_open ? row.group : []))[0]
  return (
    <Section
      title="Needs your attention"
      actions={
        <span role="status" className="quiet">
          {done?.enabled && (
            <>
              Webhook enabled.{' '}
              <button type="button" className="plain" onClick={() => turn.mutate({ ...done, enabled: false })}>
                Undo
              </button>
            </>
          )}
        </span>
      }
    >
      {turn.error && <ErrorMessage error={turn.error} />}
      {to_verify.length > 0 && (
        <Suspense>
          <BulkVerification
            action="Verify"
            of={to_verify.map((task) => ({
              id: task.resource_id,
              label: [taskTitle(task), task.person_name, task.employer_name].filter(Boolean).join(', '),
            }))}
            act={verifyLater}
            back={() => void change({ confirming: undefined })}
          >
            You confirm that these are dependents of the employees, who see the decision. Review their documents first.
            You can undo it for 10 seconds.
          </BulkVerification>
        </Suspense>
      )}
      <Table
        label="Needs your attention"
        columns={columnsOf(today, of_one_employer, actions)}
        rows={fixedRows(rows)}
        empty={null}
      />
      {open && open.tasks.length < open.total && (
        <p className="quiet">
          Shows the {open.tasks.length} most urgent of {open.total}. Others appear as these are resolved.
        </p>
      )}
    </Section>
  )
}

import { Link } from '@tanstack/react-router'
import type { Day, LifeEventId, Task } from 'openbenefits/operator'
import { operator, refetch } from '../../api.ts'
import { formatCount } from '../../format.ts'
import { operatorTasksList } from '../../operator-queries.ts'
import { RequiresRole } from '../../parts/access/requires-role.tsx'
import { delay, undo, useDelayed } from '../../parts/form/delayed.ts'

/** The actions that resolve a task with one click. */
export const actions = {
  discard: ({ resource_id: id }: Task) => operator.census.discard(id),
  run: ({ resource_id: id }: Task) => operator.jobs.run(id),
  runDay: ({ resource_id: id }: Task) => operator.organizations.runDay(id),
  resume: ({ resource_id: id }: Task) => operator.webhookSubscriptions.resume(id),
}

const approve = (id: string) => operator.lifeEvents.approve(id as LifeEventId, {}, { keepalive: true })

/** Approves life events after a delay, since an approval notifies the partner and can’t be withdrawn. */
export const approveLater = (ids: string[]): void =>
  delay({
    ids,
    act: approve,
    words: (total) =>
      `Approving ${formatCount(total, 'life event')}: ` +
      'a 30-day special enrollment period opens and the partner is notified.',
    now: 'Approve now',
    after: () => refetch(operatorTasksList().key),
  })

export type TaskAction = { action: keyof typeof actions; task: Task }

/** The actions of each kind of task: immediate, after a delay, or with input or a confirmation first. */
const kind_actions: Partial<Record<Task['kind'], [label: string, action: TaskAction['action'] | 'ask' | 'approve'][]>> =
  {
    life_event_pending: [
      ['Approve', 'approve'],
      ['Decline', 'ask'],
    ],
    census_held: [
      ['Terminate', 'ask'],
      ['Discard', 'discard'],
    ],
    job_failed: [['Retry', 'run']],
    daily_run_late: [['Run now', 'runDay']],
    webhook_disabled: [['Resume', 'resume']],
    webhook_deliveries_failed: [['Send again', 'resume']],
  }

export type ActionsProps = {
  act: (act: TaskAction) => void
  confirm: (resource_id: string) => void
  is_busy: boolean
}

/** The buttons that resolve a task, and a link to its details. */
export function TaskActions({ of: task, act, confirm, is_busy }: ActionsProps & { of: Task }) {
  const found = kind_actions[task.kind]
  const delayed = useDelayed()
  if (delayed?.ids.includes(task.resource_id))
    return (
      <span className="actions">
        <span className="quiet">Approving</span>
        {!delayed.is_running && (
          <button type="button" className="plain" onClick={() => undo(task.resource_id)}>
            Undo
          </button>
        )}
      </span>
    )
  const start = (action: TaskAction['action'] | 'ask' | 'approve') => {
    if (action === 'approve') return approveLater([task.resource_id])
    return action === 'ask' ? confirm(task.resource_id) : act({ action, task })
  }
  return (
    <span className="actions">
      {found && (
        <RequiresRole area="administer">
          {found.map(([label, action]) => (
            <button key={label} type="button" className="plain" disabled={is_busy} onClick={() => start(action)}>
              {label}
            </button>
          ))}
        </RequiresRole>
      )}
      <TaskPageLink of={task} />
    </span>
  )
}

/** The pages of an employer that resolve a task. */
const pages: Partial<
  Record<Task['kind'], [label: string, to: `/partners/employers/$employer_id/${'hris' | 'plan-years/build'}`]>
> = {
  hris_access_lost: ['Reconnect', '/partners/employers/$employer_id/hris'],
  plan_year_requested: ['Build', '/partners/employers/$employer_id/plan-years/build'],
}

/** A link to the page that resolves a task, if it is not just its employer. */
function TaskPageLink({ of: task }: { of: Task }) {
  const { kind, employer_id, resource_id, details } = task
  const page = employer_id !== null && pages[kind]
  if (page)
    return (
      <Link to={page[1]} params={{ employer_id }}>
        {page[0]}
      </Link>
    )
  // The operator reviews the invoice before issuing it.
  if (employer_id !== null && kind === 'invoice_drafted')
    return (
      <Link
        to="/partners/employers/$employer_id/invoices/$invoice_id"
        params={{ employer_id, invoice_id: resource_id }}
        search={{ action: 'issue' }}
      >
        Review
      </Link>
    )
  if (kind === 'affordability_figure_missing')
    return (
      <Link to="/affordability" search={{ year: resource_id }}>
        Enter figure
      </Link>
    )
  const correction = corrections[kind]
  if (!correction) return null
  const { label, owner, search } = correction
  return (
    <Link
      to="/people/$employee_id/change"
      params={{ employee_id: owner === 'employee' ? resource_id : String(details.employee_id) }}
      search={search(task)}
    >
      {label}
    </Link>
  )
}

type CorrectionSearch = { action?: 'end' | 'enrollment'; enrollment?: string; day?: Day }
type CorrectionLink = { label: string; owner: 'employee' | 'enrollment'; search: (task: Task) => CorrectionSearch }

const enrollmentSearch = ({ resource_id }: Task): CorrectionSearch => ({
  action: 'enrollment',
  enrollment: resource_id,
})

/** Tasks that are resolved by a correction on a person's page. */
const corrections: Partial<Record<Task['kind'], CorrectionLink>> = {
  enrollment_lapsing: { label: 'Elect for them', owner: 'enrollment', search: enrollmentSearch },
  enrollment_superseded: { label: 'Correct', owner: 'enrollment', search: enrollmentSearch },
  termination_too_old: {
    label: 'Terminate',
    owner: 'employee',
    search: ({ details }) => ({ action: 'end', day: details.last_day_employed as Day }),
  },
  start_too_old: {
    label: 'Correct',
    owner: 'employee',
    search: ({ details }) => ({ day: details.start_date as Day }),
  },
  reinstatement_too_old: { label: 'Reinstate', owner: 'employee', search: () => ({ action: 'end' }) },
}

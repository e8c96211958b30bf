import { Link } from '@tanstack/react-router'
import type { Day, Task } from 'openbenefits/operator'
import { operator } from '../../api.ts'
import { UpTo } from '../../parts/up-to.tsx'

/** What settles a task with one press, by what it is about. */
export const actions = {
  discard: ({ resource_id: id }: Task) => operator.census.discard(id),
  run: ({ resource_id: id }: Task) => operator.jobs.run(id),
  runDay: ({ resource_id: id }: Task) => operator.organizations.runDay(id),
  resume: ({ resource_id: id }: Task) => operator.webhookSubscriptions.resume(id),
}

export type Act = { action: keyof typeof actions; task: Task }

/** What is asked about first: whether so many, or why; and whether somebody may choose again, which stays so. */
export type Asked = 'ask' | 'approve'

/** What can be done about a task here: at once, or after a question. */
const actions_of: Partial<Record<Task['kind'], [label: string, action: Act['action'] | Asked][]>> = {
  life_event_pending: [
    ['Approve', 'approve'],
    ['Decline', 'ask'],
  ],
  census_held: [
    ['Terminate them', 'ask'],
    ['Terminate nobody', 'discard'],
  ],
  job_gave_up: [['Retry', 'run']],
  daily_run_late: [['Run now', 'runDay']],
  webhook_disabled: [['Resume', 'resume']],
  webhook_deliveries_failed: [['Send again', 'resume']],
}

export type ActionsProps = {
  act: (act: Act) => void
  ask: (resource_id: string, asked: Asked) => void
  is_busy: boolean
}

/** The buttons that settle a task, and the way to where it is looked at. */
export function ActionsOf({ of: task, act, ask, is_busy }: ActionsProps & { of: Task }) {
  const found = actions_of[task.kind]
  return (
    <span className="actions">
      {found && (
        <UpTo area="administer">
          {found.map(([label, action]) => (
            <button
              key={label}
              type="button"
              className="plain"
              disabled={is_busy}
              onClick={() =>
                action === 'ask' || action === 'approve' ? ask(task.resource_id, action) : act({ action, task })
              }
            >
              {label}
            </button>
          ))}
        </UpTo>
      )}
      <Where of={task} />
    </span>
  )
}

/** The way to where a task is settled or looked at, where that says more than its partner and employer do. */
function Where({ of: task }: { of: Task }) {
  const { kind, employer_id, resource_id, details } = task
  if (employer_id !== null && kind === 'hris_access_lost')
    return (
      <Link to="/partners/employers/$employer_id/hris" params={{ employer_id }}>
        Renew access
      </Link>
    )
  // It is looked at before it is issued, which is asked there.
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
        Enter it
      </Link>
    )
  if (kind === 'life_event_pending')
    return (
      <Link to="/people/$employee_id" params={{ employee_id: String(details.employee_id) }}>
        Person
      </Link>
    )
  const correction = corrections[kind]
  if (!correction) return null
  const { label, whose, search } = correction
  return (
    <Link
      to="/people/$employee_id/change"
      params={{ employee_id: whose === 'employee' ? resource_id : String(details.employee_id) }}
      search={search(task)}
    >
      {label}
    </Link>
  )
}

type Way = { action?: 'end' | 'enrollment'; enrollment?: string; day?: Day }
type Settling = { label: string; whose: 'employee' | 'enrollment'; search: (task: Task) => Way }

const itsEnrollment = ({ resource_id }: Task): Way => ({ action: 'enrollment', enrollment: resource_id })

/** What is set right at a person: of whom it is, and which of their facts. */
const corrections: Partial<Record<Task['kind'], Settling>> = {
  enrollment_lapsing: { label: 'Choose for them', whose: 'enrollment', search: itsEnrollment },
  enrollment_superseded: { label: 'Correct', whose: 'enrollment', search: itsEnrollment },
  choice_group_doubled: {
    label: 'Correct',
    whose: 'employee',
    search: ({ details }) => ({ action: 'enrollment', enrollment: String(details.enrollment_id) }),
  },
  termination_beyond_reach: {
    label: 'Terminate',
    whose: 'employee',
    search: ({ details }) => ({ action: 'end', day: details.last_day_employed as Day }),
  },
  start_beyond_reach: {
    label: 'Correct',
    whose: 'employee',
    search: ({ details }) => ({ day: details.start_date as Day }),
  },
  reinstatement_beyond_reach: { label: 'Reinstate', whose: 'employee', search: () => ({ action: 'end' }) },
}

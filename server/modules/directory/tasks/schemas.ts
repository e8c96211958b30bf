import { z } from 'zod'
import { Id, Timestamp } from '../../../kernel/fields.ts'
import { pageQuery, Pagination } from '../../../kernel/pages.ts'
import { correction_window_days, task_kinds } from './rules.ts'

const TaskKind = z.enum(task_kinds).meta({
  id: 'TaskKind',
  description:
    'termination_too_old: a roster reports a last day of employment more than ' +
    `${correction_window_days} days ago. ` +
    'reinstatement_too_old: a roster lists an employee whom an earlier roster left out more than ' +
    `${correction_window_days} days ago. ` +
    'start_too_old: a roster reports a first day that would take away coverage of more than ' +
    `${correction_window_days} days ago. For ` +
    'these three, `resource_id` is the employee. enrollment_lapsing: an employee enrolled at the end of a plan year ' +
    'has neither elected nor waived in the next one and is not rolled over; `resource_id` is the enrollment in the ' +
    'next plan year. enrollment_superseded: a loss was withdrawn after the employee had made another election; ' +
    '`resource_id` is the enrollment that continues. census_held: a census that would terminate many employees ' +
    'waits for confirmation; `resource_id` is the census, which can be discarded instead. life_event_pending: a ' +
    'reported life event waits for approval. hris_access_lost: the payroll system rejected our credentials; renewing ' +
    'them resumes the connection. webhook_disabled: a receiver was gone or failed for 5 days; resuming the ' +
    'subscription sends the missed events. webhook_deliveries_failed: a receiver did not accept an event in 14 ' +
    'attempts, but accepts others. invoice_drafted: a draft that is issued automatically on the third day. ' +
    'job_failed: a job that used up its attempts; `resource_id` is the job. daily_run_late: the daily run of an ' +
    'organization has not finished an hour after midnight; `resource_id` is the organization. ' +
    'affordability_figure_missing: a public figure that affordability needs for plan years that begin within 120 ' +
    'days; `resource_id` is the year.',
})

export const Task = z
  .object({
    id: Id('task'),
    kind: TaskKind,
    organization_id: Id('org').nullable().meta({ on_null: 'Null if it concerns no single organization.' }),
    organization_name: z
      .string()
      .nullable()
      .meta({ description: 'The name of that organization.', on_null: 'Null if it concerns no single organization.' }),
    employer_id: Id('empr').nullable(),
    employer_name: z
      .string()
      .nullable()
      .meta({ description: 'The name of that employer.', on_null: 'Null if it concerns no single employer.' }),
    person_name: z.string().nullable().meta({
      description: 'The name of the person that it concerns.',
      on_null: 'Null if it concerns no single person.',
    }),
    resource_id: z.string().meta({ description: 'The id of the resource that it concerns.' }),
    details: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
      .meta({ description: 'Further ids, days, numbers and webhook addresses by name. Nothing personal.' }),
    opened_at: Timestamp,
    action: z
      .object({
        operation: z.string().meta({ description: 'The operation id.' }),
        method: z.string().meta({ description: 'The HTTP method.' }),
        path: z.string().meta({ description: 'The path, with ids filled in.' }),
      })
      .meta({ description: 'The operation that completes the task.' }),
  })
  .meta({ id: 'Task', description: 'Work that waits for an operator. A completed task disappears from the list.' })

export const TaskPage = z.object({ data: z.array(Task), pagination: Pagination }).meta({ id: 'TaskPage' })

export const TaskFilter = z.object({
  ...pageQuery,
  kind: TaskKind.optional().meta({ description: 'Only tasks of this kind.' }),
  organization_id: Id('org').optional().meta({ description: 'Only tasks of this organization.' }),
  employer_id: Id('empr').optional().meta({ description: 'Only tasks of this employer.' }),
})
export type TaskFilter = z.output<typeof TaskFilter>

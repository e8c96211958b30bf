import { z } from 'zod'
import { many } from '../../../http/endpoint.ts'
import { ResponseDay, Id, Timestamp } from '../../../kernel/fields.ts'
import { pageOf, pageQuery, Pagination } from '../../../kernel/pages.ts'
import {
  census_days,
  correction_window_days,
  max_setups,
  partner_task_kinds,
  renewal_days,
  task_kinds,
  verification_days,
} from './rules.ts'

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
    'has neither elected nor waived in the next one and is not carried over; `resource_id` is the enrollment in the ' +
    'next plan year. enrollment_superseded: a loss was withdrawn after the employee had made another election; ' +
    '`resource_id` is the enrollment that continues. census_held: a census that would terminate many employees ' +
    'waits for confirmation; `resource_id` is the census, which can be discarded instead. life_event_pending: a ' +
    'reported life event waits for approval. hris_access_lost: the payroll system rejected our credentials; renewing ' +
    'them resumes the connection. webhook_disabled: a receiver was gone or failed for 5 days; resuming the ' +
    'subscription sends the missed events. webhook_deliveries_failed: a receiver did not accept an event in 14 ' +
    'attempts, but accepts others. invoice_drafted: a draft that is issued automatically after three days. ' +
    'plan_year_requested: a partner requests a plan year; `resource_id` is the employer. ' +
    'job_failed: a job that used up its attempts; `resource_id` is the job. daily_run_late: the daily run of an ' +
    'organization has not finished an hour after midnight; `resource_id` is the organization. ' +
    'affordability_figure_missing: a public figure is missing, and affordability or the assessable payments of large ' +
    'employers need it within 120 days; `resource_id` is the year.',
})

const employer_name = z
  .string()
  .nullable()
  .meta({ description: 'The name of that employer. Null if it concerns no single employer.' })
const person_name = z.string().nullable().meta({
  description: 'The name of the person that it concerns. Null if it concerns no single person.',
})
const resource_id = z.string().meta({ description: 'The id of the resource that it concerns.' })
const Details = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
const Operation = z.object({
  operation: z.string().meta({ description: 'The operation id.' }),
  method: z.string().meta({ description: 'The HTTP method.' }),
  path: z.string().meta({ description: 'The path, with ids filled in.' }),
})

export const Task = z
  .object({
    id: Id('task'),
    kind: TaskKind,
    organization_id: Id('org').nullable().meta({ on_null: 'Null if it concerns no single organization.' }),
    organization_name: z
      .string()
      .nullable()
      .meta({ description: 'The name of that organization. Null if it concerns no single organization.' }),
    employer_id: Id('empr').nullable(),
    employer_name,
    person_name,
    resource_id,
    details: Details.meta({
      description: 'Further ids, days, numbers and webhook addresses by name. No personal data.',
    }),
    opened_at: Timestamp,
    action: Operation.meta({ description: 'The operation that completes the task.' }),
  })
  .meta({ id: 'Task', description: 'Work that waits for an operator. A completed task disappears from the list.' })

export const TaskPage = pageOf('TaskPage', Task)

export const TaskFilter = z.object({
  ...pageQuery,
  kind: TaskKind.optional().meta({ description: 'Only tasks of this kind.' }),
  organization_id: Id('org').optional().meta({ description: 'Only tasks of this organization.' }),
  employer_id: Id('empr').optional().meta({ description: 'Only tasks of this employer.' }),
})
export type TaskFilter = z.output<typeof TaskFilter>

const PartnerTaskKind = z.enum(partner_task_kinds).meta({
  id: 'PartnerTaskKind',
  description:
    'life_event_pending: a reported life event waits for the decision of the operator. ' +
    'dependent_verification_pending: documents of a dependent wait for your decision; `resource_id` is the ' +
    'dependent. open_enrollment_pending: people have not responded in an ' +
    'open enrollment window; `resource_id` is the plan year. enrollment_lapsing: an ' +
    'employee enrolled at the end of a plan year has neither elected nor waived in the next one and is not carried ' +
    'over; `resource_id` is the enrollment in the next plan year. renewal_due: a plan year ends within ' +
    `${renewal_days} days, or has ended, and none follows it; ` +
    '`resource_id` is the plan year. employer_setup: the first coverage of an employer has not started, and steps of ' +
    `its setup are open, for the latest ${max_setups} employers. note_mention: a note mentions you, until you mark ` +
    'the mention as done; `resource_id` is the note. ' +
    `census_held: a census that would ` +
    'terminate many employees waits for confirmation. census_failed: the latest census of an employer failed, or ' +
    `rows of it did, within the last ${census_days} days. hris_access_lost: the payroll system rejected our ` +
    'credentials; the operator renews them. hris_sync_failed: the latest sync with the payroll system failed for ' +
    'another reason and is repeated. For these two, `resource_id` is the connection. full_time_trend: part-time ' +
    'employees average at least 30 hours a week so far in a measurement that continues; `resource_id` is ' +
    'the employer. tax_identifiers_missing: Forms 1095-C or 1095-B lack tax identifiers. tax_forms_due: those of the ' +
    'past year were not released. tax_forms_unmailed: released forms of the past year were not mailed, although ' +
    'the people did not consent to electronic delivery or the notice failed. tax_forms_unfiled: Forms 1095-C of the ' +
    'past year were released, and the IRS has accepted no transmission of them. Both disappear at the end of the ' +
    'year. tax_form_errors: the IRS rejected a transmission of these forms, to be replaced within 60 days, or ' +
    'reported errors in forms, until a later transmission contains them. For these five, `resource_id` is the ' +
    'employer with the EIN. ' +
    'invoice_overdue: an issued ' +
    'invoice is not paid. invoice_drafted: a draft that is issued automatically after three days. webhook_disabled: ' +
    'a receiver was gone or failed for 5 days. webhook_deliveries_failed: a receiver did not accept an event in 14 ' +
    'attempts, but accepts others. For these two, `resource_id` is the subscription.',
})

const people_count = z
  .int()
  .nullable()
  .meta({
    description:
      'The number of people that it concerns: those who have not responded, are enrolled, would be terminated, ' +
      'are in a row that failed, are trending toward full-time status, or have a tax form. Null if it concerns no ' +
      'people.',
  })
const due_on = ResponseDay.nullable().meta({
  description:
    'The deadline: the last day of the window or of the plan year, the due date of the invoice, the day on which a ' +
    'draft is issued, ' +
    `${verification_days} days after a document of a dependent, the day on which coverage would end, ` +
    'the day before a status can change, or ' +
    'the last day to furnish or to file tax forms.',
  on_null: 'Null if it has no deadline.',
})

const PartnerTask = z
  .object({
    id: Id('task'),
    kind: PartnerTaskKind,
    employer_id: Id('empr').nullable(),
    employer_name,
    owner: z
      .object({ user_id: Id('usr'), name: z.string().meta({ description: 'The name of the member.' }) })
      .nullable()
      .meta({
        description:
          'The member who is responsible: you for your mentions, otherwise the owner of the employer. Null if the ' +
          'employer has no owner, or if the task concerns no employer.',
      }),
    employee_id: Id('empl')
      .nullable()
      .meta({ description: 'The person that it concerns. Null if it concerns no single person.' }),
    person_name,
    people_count,
    resource_id,
    details: Details.meta({
      description:
        'Further ids, days, numbers and words by name, such as `type` of a life event, `benefit_name` of an ' +
        'enrollment, `eligible_count` of a window and `total_in_cents` of an invoice.',
    }),
    opened_at: Timestamp,
    due_on,
    action: Operation.meta({
      description: 'The operation that completes the task, or the one that shows its resource.',
    }),
  })
  .meta({ id: 'PartnerTask', description: 'Work that waits for you. A completed task disappears from the list.' })

const PartnerTaskGroup = z
  .object({
    kind: PartnerTaskKind,
    total: z.int().meta({ description: 'The number of tasks of this kind.' }),
    people_count,
    due_on: due_on.meta({ description: 'The earliest deadline. Null if none has a deadline.' }),
  })
  .meta({ id: 'PartnerTaskGroup', description: 'The tasks of a kind.' })

export const PartnerTaskPage = z
  .object({
    groups: z.array(PartnerTaskGroup).meta({
      description: 'The tasks by kind, on all pages and regardless of `kind`. The most urgent kind is first.',
    }),
    data: z.array(PartnerTask),
    pagination: Pagination,
  })
  .meta({ id: 'PartnerTaskPage' })

export const PartnerTaskFilter = z.object({
  ...pageQuery,
  kind: many(PartnerTaskKind).meta({ description: 'Only tasks of these kinds.' }),
  employer_id: Id('empr').optional().meta({ description: 'Only tasks of this employer.' }),
  owner_user_id: z.array(Id('usr')).default([]).meta({
    description: 'Only tasks that one of these members owns.',
  }),
})
export type PartnerTaskFilter = z.output<typeof PartnerTaskFilter>

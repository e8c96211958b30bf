import { z } from 'zod'
import { Id, Timestamp } from '../../kernel/fields.ts'
import { pageQuery, Pagination } from '../../kernel/pages.ts'
import { matter_kinds } from './rules.ts'

const MatterKind = z.enum(matter_kinds).meta({
  id: 'OpenMatterKind',
  description:
    'termination_beyond_reach: a roster tells of a last day more than 60 days ago; reinstatement_beyond_reach: it ' +
    'tells of somebody whom an earlier one left out more than 60 days ago; start_beyond_reach: its first day of an ' +
    'employee would take away coverage of more than 60 days ago; of these `resource_id` is the employee. ' +
    'enrollment_lapsing: who was enrolled at the end of a plan year has not answered for the next, and is not ' +
    'carried over; `resource_id` is the enrollment in the next. choice_group_doubled: somebody holds two benefits of ' +
    'a choice group since before there were groups; `resource_id` is the employee. enrollment_superseded: a loss ' +
    'was withdrawn after somebody had elected anew, something else; `resource_id` is the enrollment that goes on. ' +
    'census_held: a census that would end many people waits; `resource_id` is the census, which may be discarded ' +
    'instead. life_event_pending: an employee ' +
    'reported something, to be approved or declined. hris_access_lost: a payroll system lets us in no longer; access ' +
    'renewed, the connection is resumed. webhook_disabled: a receiver was gone or failed for 5 days; once it is ' +
    'there again, what it missed is sent. webhook_deliveries_failed: a receiver did not take something in 14 ' +
    'attempts, and takes other things. invoice_drafted: an invoice that is issued by itself on the third day. ' +
    'job_gave_up: work that failed as often as it may; `resource_id` is the job. daily_run_late: an organization ' +
    'whose day is not run an hour after midnight; `resource_id` is the organization. affordability_figure_missing: ' +
    'a public figure that affordability needs for plan years that begin within 120 days; `resource_id` is its year.',
})

export const OpenMatter = z
  .object({
    id: Id('omat'),
    kind: MatterKind,
    organization_id: Id('org').nullable().meta({ on_null: 'null: it is of none, or of all.' }),
    organization_name: z
      .string()
      .nullable()
      .meta({ description: 'The name of that organization.', on_null: 'null: it is of none, or of all.' }),
    employer_id: Id('empr').nullable(),
    employer_name: z
      .string()
      .nullable()
      .meta({ description: 'The name of that employer.', on_null: 'null: it is of no one employer.' }),
    person_name: z
      .string()
      .nullable()
      .meta({ description: 'Whom it concerns, by name.', on_null: 'null: it is of no one person.' }),
    resource_id: z.string().meta({ description: 'What it is about.' }),
    details: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
      .meta({ description: 'Ids, days, numbers and addresses of webhooks by name; nothing personal.' }),
    opened_at: Timestamp,
    deed: z
      .object({
        operation: z.string().meta({ description: 'Its operation id.' }),
        method: z.string().meta({ description: 'Its method.' }),
        path: z.string().meta({ description: 'Its path, with the ids in it.' }),
      })
      .meta({ description: 'The operation that settles it, and where it is called.' }),
  })
  .meta({ id: 'OpenMatter', description: 'What needs somebody of the operator. Once it is settled, it is gone.' })

export const OpenMatterPage = z
  .object({ data: z.array(OpenMatter), pagination: Pagination })
  .meta({ id: 'OpenMatterPage' })

export const OpenMatterFilter = z.object({
  ...pageQuery,
  kind: MatterKind.optional(),
  organization_id: Id('org').optional().meta({ description: 'Only those of this organization.' }),
  employer_id: Id('empr').optional().meta({ description: 'Only those of this employer.' }),
})
export type OpenMatterFilter = z.output<typeof OpenMatterFilter>

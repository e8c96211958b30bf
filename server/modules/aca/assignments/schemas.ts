import { z } from 'zod'
import { ResponseDay, DayText, Id, NewResidence, optional, Residence, text, Timestamp } from '../../../kernel/fields.ts'
import { pageOf, pageQuery } from '../../../kernel/pages.ts'

export const NewAssignment = z
  .object({
    client_name: text().meta({ description: 'The company that the employee works for.', example: 'Harbor Cannery' }),
    worksite: optional(NewResidence).meta({
      description: 'Where the employee works. The county determines the ICHRA rating area.',
    }),
    starts_on: DayText.meta({ description: 'The first day of the assignment.' }),
    ends_on: optional(DayText).meta({ description: 'The last day of the assignment, if it is known.' }),
    hourly_rate_in_cents: optional(z.int().min(1).max(10_000_000)).meta({
      description: 'The hourly wage, in cents.',
      example: 1850,
    }),
  })
  .superRefine(({ starts_on, ends_on }, check) => {
    if (ends_on !== undefined && ends_on < starts_on)
      check.addIssue({ code: 'custom', path: ['ends_on'], message: 'must not be before starts_on' })
  })
  .meta({ id: 'NewAssignment' })
export type NewAssignment = z.output<typeof NewAssignment>

export const Assignment = z
  .object({
    id: Id('asgn'),
    employee_id: Id('empl'),
    client_name: z.string().meta({ description: 'The company that the employee works for.' }),
    worksite: Residence.nullable().meta({ description: 'Where the employee works. Null if not provided.' }),
    starts_on: ResponseDay.meta({ description: 'The first day of the assignment.' }),
    ends_on: ResponseDay.nullable().meta({ description: 'The last day of the assignment. Null if it has no end.' }),
    hourly_rate_in_cents: z.int().nullable().meta({ description: 'The hourly wage, in cents. Null if not provided.' }),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'Assignment', description: 'Work of an employee at a client of the employer, such as a temporary job.' })

export const AssignmentPage = pageOf('AssignmentPage', Assignment)

export const AssignmentPaging = z.object(pageQuery)

export const DeletedAssignment = z
  .object({ id: Id('asgn').meta({ description: 'The deleted assignment.' }) })
  .meta({ id: 'DeletedAssignment' })

import { z } from 'zod'
import { ResponseDay, Id, Timestamp } from '../../../kernel/fields.ts'
import { pageOf, pageQuery } from '../../../kernel/pages.ts'
import { EventName } from '../webhooks/schemas.ts'

const ActivityEntry = z
  .object({
    id: z.string().meta({
      description: 'The id of the webhook event about the same change, or of the deduction statement of a payday.',
    }),
    event_name: EventName,
    resource_id: z.string().meta({ description: 'The resource that changed.' }),
    employer_id: Id('empr').nullable().meta({ on_null: 'Null if the change concerns no employer.' }),
    employer_name: z
      .string()
      .nullable()
      .meta({ description: 'The name of the employer. Null if the change concerns no employer.' }),
    employee_id: Id('empl').nullable().meta({
      description: 'The employee that the change concerns. Null if the change does not concern one employee.',
    }),
    person_name: z.string().nullable().meta({
      description: 'The name of the employee or dependent. Null if the change does not concern one person.',
    }),
    benefit_name: z
      .string()
      .nullable()
      .meta({ description: 'The name of the benefit. Null if the change concerns no enrollment.' }),
    payday: ResponseDay.nullable().meta({
      description: 'The last day of the pay period whose deductions were calculated. Null for other changes.',
    }),
    people_count: z
      .int()
      .nullable()
      .meta({ description: 'The number of people with these deductions. Null for other changes.' }),
    total_in_cents: z
      .int()
      .nullable()
      .meta({
        description:
          'The total of these deductions or of the issued invoice, in cents. Null for other changes, and for ' +
          'callers who may not read money.',
      }),
    document_title: z
      .string()
      .nullable()
      .meta({ description: 'The title of the document. Null if the change concerns no document.' }),
    created_at: Timestamp.meta({ description: 'When the change happened.' }),
  })
  .meta({
    id: 'ActivityEntry',
    description: 'A change with the current names of its person, employer, benefit and document.',
  })

export const ActivityPage = pageOf('ActivityPage', ActivityEntry)

export const ActivityFilter = z.object({
  employer_id: Id('empr').optional().meta({
    description: 'Only changes to this employer, its employees and their enrollments.',
  }),
  employee_id: Id('empl').optional().meta({
    description: 'Only changes to this employee, their enrollments and their dependents.',
  }),
  ...pageQuery,
})
export type ActivityFilter = z.output<typeof ActivityFilter>

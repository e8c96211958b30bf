import { z } from 'zod'
import { Id, Timestamp } from '../../../kernel/fields.ts'
import { pageQuery, Pagination } from '../../../kernel/pages.ts'
import { EventName } from '../webhooks/schemas.ts'

const ActivityEntry = z
  .object({
    id: Id('wevt').meta({ description: 'The id of the webhook event about the same change.' }),
    event_name: EventName,
    resource_id: z.string().meta({ description: 'The resource that changed.' }),
    employer_id: Id('empr').nullable().meta({ on_null: 'Null if it concerns no employer.' }),
    employer_name: z
      .string()
      .nullable()
      .meta({ description: 'The name of that employer.', on_null: 'Null if it concerns no employer.' }),
    employee_id: Id('empl')
      .nullable()
      .meta({ description: 'The employee that it concerns.', on_null: 'Null if it concerns no single employee.' }),
    person_name: z.string().nullable().meta({
      description: 'The name of that employee or dependent.',
      on_null: 'Null if it concerns no single person.',
    }),
    benefit_name: z
      .string()
      .nullable()
      .meta({ description: 'The name of the benefit.', on_null: 'Null if it concerns no enrollment.' }),
    created_at: Timestamp.meta({ description: 'When the change happened.' }),
  })
  .meta({ id: 'ActivityEntry', description: 'A change with the current names of its person, employer and benefit.' })

export const ActivityPage = z
  .object({ data: z.array(ActivityEntry), pagination: Pagination })
  .meta({ id: 'ActivityPage' })

export const ActivityFilter = z.object({
  employer_id: Id('empr').optional().meta({
    description: 'Only changes at this employer, of its employees and their enrollments.',
  }),
  employee_id: Id('empl').optional().meta({
    description: 'Only changes of this employee and of their enrollments and dependents.',
  }),
  ...pageQuery,
})
export type ActivityFilter = z.output<typeof ActivityFilter>

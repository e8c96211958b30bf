import { z } from 'zod'
import { pageQuery, Pagination } from '../../kernel/pages.ts'
import { clearable, DayAnswer, DayText, Id, optional, text, Timestamp } from '../../kernel/fields.ts'
import { Gender } from '../people/schemas.ts'

const Relationship = z.enum(['spouse', 'child']).meta({
  description: 'What the person is to the employee. One spouse at a time; a child is under 26 when added.',
})

export const NewDependent = z
  .object({
    relationship: Relationship,
    first_name: text(),
    last_name: text(),
    suffix: optional(text()),
    date_of_birth: DayText.meta({ description: 'Not after today.' }),
    gender: optional(Gender),
  })
  .meta({ id: 'NewDependent' })
export type NewDependent = z.output<typeof NewDependent>

export const DependentChanges = z
  .object({
    relationship: optional(Relationship),
    first_name: optional(text()),
    last_name: optional(text()),
    suffix: clearable(text()).meta({ description: 'null clears it.' }),
    date_of_birth: optional(DayText),
    gender: clearable(Gender).meta({ description: 'null clears it.' }),
  })
  .meta({
    id: 'DependentChanges',
    description: 'Only the fields that are sent change; a refused field changes nothing.',
  })
export type DependentChanges = Partial<z.output<typeof DependentChanges>>

export const Dependent = z
  .object({
    id: Id('dep'),
    member_id: Id('mbr').meta({ description: 'The person whose dependent this is, whoever employs them.' }),
    relationship: Relationship,
    first_name: z.string(),
    last_name: z.string(),
    suffix: z.string().nullable(),
    date_of_birth: DayAnswer,
    gender: z.string().nullable(),
    active: z.boolean().meta({ description: 'Whether this is a dependent still: not ended.' }),
    ended_on: DayAnswer.nullable().meta({ description: 'The last day as a dependent.' }),
    covered_until: DayAnswer.nullable().meta({
      description:
        'The last day on which coverage is possible: for a child the last day of the month of the 26th birthday, ' +
        'for one who ended the last day of that month, whichever is earlier. null: no end is known.',
    }),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'Dependent', description: 'A spouse or child of a person, who can be covered with them.' })

export const DependentPage = z
  .object({ data: z.array(Dependent), pagination: Pagination })
  .meta({ id: 'DependentPage' })

export const DependentFilter = z.object(pageQuery)

import { z } from 'zod'
import { pageQuery, Pagination } from '../../../kernel/pages.ts'
import { clearable, DayAnswer, DayText, Id, optional, text, Timestamp } from '../../../kernel/fields.ts'
import { Gender } from '../../directory/people/schemas.ts'

const Relationship = z.enum(['spouse', 'domestic_partner', 'child']).meta({
  id: 'DependentRelationship',
  description:
    'What the person is to the employee. One spouse or domestic partner at a time, in the same tiers; what a partner ' +
    'adds to a deduction is post-tax. A child is added no later than in the month of the ' +
    '26th birthday, unless disabled.',
})

export const NewDependent = z
  .object({
    relationship: Relationship,
    first_name: text(),
    last_name: text(),
    suffix: optional(text()),
    date_of_birth: DayText.meta({ description: 'Not after today.' }),
    gender: optional(Gender),
    disabled: optional(z.boolean()).meta({
      description:
        'A child past the month of the 26th birthday is only added so, and can be covered once the operator has ' +
        'approved it.',
    }),
  })
  .meta({ id: 'NewDependent' })
export type NewDependent = Omit<z.output<typeof NewDependent>, 'disabled'> & { disabled?: boolean | undefined }

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
        'unless disabled; for one who ended the last day of that month, whichever is earlier. null: no end is known.',
    }),
    disabled: z.boolean().meta({ description: 'Approved by the operator: a child then has no age limit.' }),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'Dependent', description: 'A spouse or child of a person, who can be covered with them.' })

export const Disability = z
  .object({ reason: text(1000).meta({ description: 'What it was approved by; kept.' }) })
  .meta({ id: 'Disability' })
export type Disability = z.output<typeof Disability>

export const DependentPage = z
  .object({ data: z.array(Dependent), pagination: Pagination })
  .meta({ id: 'DependentPage' })

export const DependentFilter = z.object(pageQuery)

import { z } from 'zod'
import { Id, optional, text, Timestamp } from '../../../kernel/fields.ts'
import { pageOf, pageQuery } from '../../../kernel/pages.ts'

/** The maximum number of ALE members of a group, and of other employers of an ALE member. */
const max_members = 100
const max_employers = 1000

const NewAleMember = z
  .object({
    employer_id: Id('empr').meta({
      description: 'The employer whose EIN the ALE member has, such as the staffing firm.',
    }),
    employer_ids: optional(z.array(Id('empr')).max(max_employers)).meta({
      description:
        'Other employers whose people the ALE member employs, such as the clients of a staffing firm. The hours of ' +
        'a person at all of them add up.',
    }),
  })
  .meta({ id: 'NewAleMember' })

export const NewAleGroup = z
  .object({
    name: text().meta({ description: 'The name of the group.', example: 'Northwind Staffing' }),
    members: z
      .array(NewAleMember)
      .min(1, 'must contain at least one ALE member')
      .max(max_members)
      .meta({ description: 'The ALE members. An employer belongs to at most one, in one group.' }),
  })
  .meta({ id: 'NewAleGroup' })
export type NewAleGroup = z.output<typeof NewAleGroup>

const AleEmployer = z
  .object({ employer_id: Id('empr'), employer_name: z.string() })
  .meta({ id: 'AleEmployer', description: 'An employer whose people an ALE member employs.' })

const AleMember = z
  .object({
    employer_id: Id('empr').meta({ description: 'The employer whose EIN the ALE member has.' }),
    legal_name: z.string().meta({ description: 'The legal business name of that employer.' }),
    ein: z.string().meta({
      description: 'The employer identification number (EIN), masked except for the last four digits.',
      example: '**-***5386',
    }),
    employers: z.array(AleEmployer).meta({ description: 'The other employers of the ALE member, by name.' }),
  })
  .meta({ id: 'AleMember' })

export const AleGroup = z
  .object({
    id: Id('aleg'),
    name: z.string().meta({ description: 'The name of the group.' }),
    members: z.array(AleMember).meta({ description: 'The ALE members, by legal name.' }),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({
    id: 'AleGroup',
    description: 'An aggregated ALE group: employers that count as one employer under section 414 of the tax code.',
  })

export const AleGroupPage = pageOf('AleGroupPage', AleGroup)

export const AleGroupPaging = z.object(pageQuery)

export const DeletedAleGroup = z
  .object({ id: Id('aleg').meta({ description: 'The deleted group.' }) })
  .meta({ id: 'DeletedAleGroup' })

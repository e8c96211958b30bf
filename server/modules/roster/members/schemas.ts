import { z } from 'zod'
import { DayAnswer, Id, Residence, Timestamp, sought } from '../../../kernel/fields.ts'
import { lookup, pageQuery, Pagination } from '../../../kernel/pages.ts'
import { Dependent } from '../../coverage/dependents/schemas.ts'
import { EmploymentStatus } from '../employees/schemas.ts'

const MemberEmployment = z.object({
  employee_id: Id('empl'),
  employer_id: Id('empr'),
  employer_name: z.string(),
  reference_id: z.string().nullable(),
  status: EmploymentStatus,
})

export const Member = z
  .object({
    id: Id('mbr'),
    organization_id: Id('org'),
    first_name: z.string(),
    last_name: z.string(),
    suffix: z.string().nullable(),
    email: z.string().nullable().meta({ description: 'null only for who was never employed, such as in a group.' }),
    date_of_birth: DayAnswer,
    gender: z.string().nullable(),
    phone: z.string().nullable(),
    address: Residence.nullable(),
    employments: z.array(MemberEmployment).meta({
      description: 'At each employer, former ones included, newest first; empty for who is in a group alone.',
    }),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'Member', description: 'A person within one organization, whoever employs them.' })

export const MemberPage = z.object({ data: z.array(Member), pagination: Pagination }).meta({ id: 'MemberPage' })

export const MemberFilter = z.object({
  ...pageQuery,
  search: sought()
    .optional()
    .meta({
      description:
        'Part of a name or e-mail address, without regard to case; or, in full, a `member_id`, an `employee_id` or a ' +
        '`reference_id` that an employer gave.',
    }),
})
export type MemberFilter = z.output<typeof MemberFilter>

export const OperatorMemberFilter = z.object({
  search: lookup(
    'How a last name begins, or in full an e-mail address, a `member_id`, an `employee_id` or a `reference_id` that ' +
      'an employer gave',
  ),
  organization_id: Id('org').optional().meta({ description: 'Only those of this organization.' }),
  ...pageQuery,
})
export type OperatorMemberFilter = z.output<typeof OperatorMemberFilter>

const FoundDependent = Dependent.extend({
  member_first_name: z.string().meta({ description: 'The first name of the person whose dependent this is.' }),
  member_last_name: z.string().meta({ description: 'The last name of that person.' }),
  employments: Member.shape.employments,
}).meta({
  id: 'FoundDependent',
  description: 'A dependent, with the person they belong to and where that person works.',
})

export const FoundDependentPage = z
  .object({ data: z.array(FoundDependent), pagination: Pagination })
  .meta({ id: 'FoundDependentPage' })

export const DependentSearch = z.object({
  ...pageQuery,
  search: sought().meta({
    description:
      'How the full name or the last name of the dependent begins, without regard to case and accents; or a ' +
      '`dependent_id`.',
    example: 'Anne',
  }),
})
export type DependentSearch = z.output<typeof DependentSearch>

export const OperatorDependentSearch = z.object({
  search: lookup('How the last name of the dependent begins, or a `dependent_id` in full'),
  organization_id: Id('org').optional().meta({ description: 'Only those of this organization.' }),
  ...pageQuery,
})
export type OperatorDependentSearch = z.output<typeof OperatorDependentSearch>

export const MemberPaging = z.object(pageQuery)

import { z } from 'zod'
import { ResponseDay, Id, Residence, Timestamp, searchText } from '../../../kernel/fields.ts'
import { searchParameter, pageOf, pageQuery } from '../../../kernel/pages.ts'
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
    email: z
      .string()
      .nullable()
      .meta({ description: 'The email address. Null only for people who were never employed, such as group members.' }),
    date_of_birth: ResponseDay,
    gender: z.string().nullable(),
    phone: z.string().nullable(),
    address: Residence.nullable(),
    employments: z.array(MemberEmployment).meta({
      description:
        'Present and former employments at each employer, newest first. Empty for people who are only in a group.',
    }),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'Member', description: 'A person within one organization, regardless of their employers.' })

export const MemberPage = pageOf('MemberPage', Member)

export const MemberFilter = z.object({
  ...pageQuery,
  search: searchText()
    .optional()
    .meta({
      description:
        'Part of a name or email address, or several words of the name in any order, ignoring case and accents. Or a ' +
        'full `member_id`, `employee_id` or `reference_id`.',
    }),
})
export type MemberFilter = z.output<typeof MemberFilter>

export const OperatorMemberFilter = z.object({
  search: searchParameter(
    'The beginning of a last name, a first and full last name in either order, or a full email address, `member_id`, ' +
      '`employee_id` or `reference_id`',
  ),
  organization_id: Id('org').optional().meta({ description: 'Only people of this organization.' }),
  employer_id: Id('empr').optional().meta({ description: 'Only present and former employees of this employer.' }),
  ...pageQuery,
})
export type OperatorMemberFilter = z.output<typeof OperatorMemberFilter>

const FoundDependent = Dependent.extend({
  member_first_name: z.string().meta({ description: 'The first name of the person to whom the dependent belongs.' }),
  member_last_name: z.string().meta({ description: 'The last name of that person.' }),
  employments: Member.shape.employments,
}).meta({
  id: 'FoundDependent',
  description: "A dependent, with the person to whom they belong and that person's employers.",
})

export const FoundDependentPage = pageOf('FoundDependentPage', FoundDependent)

export const DependentSearch = z.object({
  ...pageQuery,
  search: searchText().meta({
    description:
      'The beginning of the full name or last name of the dependent, or the full last name and then the first name, ' +
      'ignoring case and accents. Or a `dependent_id`.',
    example: 'Anne',
  }),
})
export type DependentSearch = z.output<typeof DependentSearch>

export const OperatorDependentSearch = z.object({
  search: searchParameter(
    'The beginning of the last name of the dependent, a first and full last name in either order, or a full ' +
      '`dependent_id`',
  ),
  organization_id: Id('org').optional().meta({ description: 'Only dependents of this organization.' }),
  ...pageQuery,
})
export type OperatorDependentSearch = z.output<typeof OperatorDependentSearch>

import { z } from 'zod'
import { pageOf } from '../../../kernel/pages.ts'
import {
  Address,
  clearable,
  ResponseDay,
  DayText,
  Gender,
  Id,
  NewAddress,
  optional,
  text,
  Timestamp,
} from '../../../kernel/fields.ts'

const Relationship = z.enum(['spouse', 'domestic_partner', 'child']).meta({
  id: 'DependentRelationship',
  description:
    'The relationship of the dependent to the employee. A person has at most one spouse or domestic partner at ' +
    'a time. Both belong to the same coverage levels, but the part of a deduction that covers a domestic ' +
    'partner is post-tax. A child can be added until the end of the month of the 26th birthday, or at any age ' +
    'if disabled.',
})

export const NewDependent = z
  .object({
    relationship: Relationship,
    first_name: text(),
    last_name: text(),
    suffix: optional(text()),
    date_of_birth: DayText.meta({ description: 'The date of birth, which must not be in the future.' }),
    gender: optional(Gender),
    address: optional(NewAddress).meta({ description: 'The address, if it differs from that of the employee.' }),
    disabled: optional(z.boolean()).meta({
      description:
        'Allows you to add a child after the month of the 26th birthday. The child can be covered once the ' +
        'operator has approved the disability.',
    }),
  })
  .meta({ id: 'NewDependent' })
export type NewDependent = Omit<z.output<typeof NewDependent>, 'disabled' | 'address'> &
  Partial<Pick<z.output<typeof NewDependent>, 'disabled' | 'address'>>

export const DependentChanges = z
  .object({
    relationship: optional(Relationship),
    first_name: optional(text()),
    last_name: optional(text()),
    suffix: clearable(text()).meta({ description: 'Null clears it.' }),
    date_of_birth: optional(DayText),
    gender: clearable(Gender).meta({ description: 'Null clears it.' }),
    address: clearable(NewAddress).meta({ description: 'Null: the dependent lives at the address of the employee.' }),
  })
  .meta({
    id: 'DependentChanges',
    description: 'Only the fields that you send change. If one field is refused, nothing changes.',
  })
export type DependentChanges = Partial<z.output<typeof DependentChanges>>

export const Dependent = z
  .object({
    id: Id('dep'),
    member_id: Id('mbr').meta({ description: 'The person whose dependent this is, independent of the employer.' }),
    relationship: Relationship,
    first_name: z.string(),
    last_name: z.string(),
    suffix: z.string().nullable(),
    date_of_birth: ResponseDay,
    gender: z.string().nullable(),
    address: Address.nullable().meta({
      description: 'Null if the dependent lives at the address of the employee, or if no address is known.',
    }),
    active: z.boolean().meta({ description: 'False after the dependent was removed.' }),
    ended_on: ResponseDay.nullable().meta({ description: 'The last day as a dependent.' }),
    covered_until: ResponseDay.nullable().meta({
      description:
        'The last day on which the dependent can be covered. For a child, the last day of the month of the 26th ' +
        'birthday, unless disabled. For a removed dependent, the last day of that month, if that is ' +
        'earlier. Null if there is no such day.',
    }),
    disabled: z
      .boolean()
      .meta({ description: 'Whether the operator approved a disability. A disabled child has no age limit.' }),
    verification: z
      .object({
        status: z.enum(['unverified', 'pending', 'verified', 'rejected']).meta({
          id: 'DependentVerificationStatus',
          description:
            'unverified: no document was attached, or the relationship or date of birth changed since. pending: ' +
            'documents were attached since the last decision. verified, rejected: decided.',
        }),
        decided_at: Timestamp.nullable().meta({ description: 'Null without a decision.' }),
        reason: z.string().nullable().meta({ description: 'The reason for the decision. The employee can read it.' }),
      })
      .meta({
        id: 'DependentVerification',
        description: 'Whether documents prove the relationship.',
      }),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({
    id: 'Dependent',
    description: 'A spouse, domestic partner or child of a person, who can be covered together with that person.',
  })

export const Disability = z
  .object({
    reason: text(1000).meta({ description: 'The evidence for the approval. It is stored with the dependent.' }),
  })
  .meta({ id: 'Disability' })
export type Disability = z.output<typeof Disability>

export const VerificationDecision = z
  .object({
    status: z.enum(['verified', 'rejected']).meta({
      id: 'DependentVerificationDecision',
      description: 'Whether the documents prove the relationship.',
    }),
    reason: optional(text(1000)).meta({
      description: 'The reason, which the employee can read. Required if you reject the documents.',
    }),
  })
  .refine(({ status, reason }) => status === 'verified' || reason, {
    path: ['reason'],
    message: 'is required if status is rejected',
  })
  .meta({ id: 'NewDependentVerification' })
export type VerificationDecision = z.output<typeof VerificationDecision>

export const DependentPage = pageOf('DependentPage', Dependent)

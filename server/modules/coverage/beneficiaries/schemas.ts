import { z } from 'zod'
import { ResponseDay, DayText, Id, optional, text, Timestamp } from '../../../kernel/fields.ts'

const max_beneficiaries = 20

const levels = ['primary', 'contingent'] as const
const types = ['person', 'estate', 'trust'] as const

const Relationship = z
  .enum(['spouse', 'domestic_partner', 'child', 'parent', 'sibling', 'other'])
  .meta({ id: 'BeneficiaryRelationship', description: 'The relationship of the person to the employee.' })

const level = z.enum(levels).meta({
  id: 'BeneficiaryLevel',
  description: 'Contingent beneficiaries receive the benefit if no primary beneficiary is alive.',
})
const type = z
  .enum(types)
  .meta({ id: 'BeneficiaryType', description: 'A person, the estate of the employee or a trust.' })

/** A percentage with at most two decimals, so that the shares add up to exactly 100. */
const Share = z
  .number()
  .positive('must be more than 0')
  .max(100, 'must be at most 100')
  .refine((share) => Number.isInteger(Math.round(share * 1e6) / 1e4), 'must have at most two decimals')
  .meta({ description: 'The share in percent, with at most two decimals.' })

const NewBeneficiary = z
  .object({
    level,
    type,
    name: optional(text(200)).meta({ description: 'The full name of the person or trust. Absent for the estate.' }),
    relationship: optional(Relationship).meta({ description: 'Required for a person.' }),
    date_of_birth: optional(DayText).meta({ description: 'The date of birth of a person.' }),
    share_percentage: Share,
  })
  .superRefine(({ type: kind, name, relationship, date_of_birth }, check) => {
    const wrong = (field: string, message: string) => check.addIssue({ code: 'custom', path: [field], message })
    if (kind !== 'estate' && name === undefined) wrong('name', 'is required')
    if (kind === 'estate' && name !== undefined) wrong('name', 'must be absent for the estate')
    if (kind === 'person' && relationship === undefined) wrong('relationship', 'is required for a person')
    if (kind !== 'person' && relationship !== undefined) wrong('relationship', 'is for a person only')
    if (kind !== 'person' && date_of_birth !== undefined) wrong('date_of_birth', 'is for a person only')
  })

/** Hundredths of a percent, which are whole numbers. */
const hundredthsOf = (shares: { share_percentage: number }[]): number =>
  shares.reduce((sum, { share_percentage }) => sum + Math.round(share_percentage * 100), 0)

export const BeneficiariesInput = z
  .object({
    beneficiaries: z
      .array(NewBeneficiary)
      .max(max_beneficiaries, `must contain at most ${max_beneficiaries} beneficiaries`)
      .superRefine((beneficiaries, check) => {
        for (const level of levels) {
          const of_level = beneficiaries.filter((beneficiary) => beneficiary.level === level)
          const is_missing = level === 'primary' && beneficiaries.length > 0 && of_level.length === 0
          if (is_missing) check.addIssue({ code: 'custom', message: 'must contain a primary beneficiary' })
          else if (of_level.length > 0 && hundredthsOf(of_level) !== 10_000)
            check.addIssue({
              code: 'custom',
              message: `the shares of ${level} beneficiaries must add up to 100 percent`,
            })
        }
      })
      .meta({ description: 'The beneficiaries. The shares of each level add up to 100. Empty removes all.' }),
  })
  .meta({ id: 'BeneficiariesInput', description: 'Replaces the earlier beneficiaries of the benefit.' })
export type BeneficiariesInput = z.output<typeof BeneficiariesInput>

const Beneficiary = z
  .object({
    level,
    type,
    name: z.string().nullable().meta({ description: 'The full name. Null for the estate.' }),
    relationship: Relationship.nullable().meta({
      description: 'The relationship to the employee. Null for an estate or a trust.',
    }),
    date_of_birth: ResponseDay.nullable().meta({ description: 'The date of birth. Null if it was not given.' }),
    share_percentage: z.number().meta({ description: 'The share in percent.' }),
  })
  .meta({ id: 'Beneficiary', description: 'A person, estate or trust that receives a benefit when the employee dies.' })

const designation = {
  beneficiaries: z.array(Beneficiary).meta({ description: 'The beneficiaries. Empty without a designation.' }),
  designated_at: Timestamp.nullable().meta({
    description: 'When the beneficiaries were designated. Null if they never were.',
  }),
  designated_by: z
    .enum(['employee', 'partner', 'operator', 'rule'])
    .meta({ id: 'DesignatedBy' })
    .nullable()
    .meta({ description: 'The kind of caller that sent them. Null without a designation.' }),
}

export const BenefitBeneficiaries = z
  .object({
    benefit_id: Id('bprd'),
    benefit_name: z.string().meta({ description: 'The name of the benefit.' }),
    ...designation,
  })
  .meta({ id: 'BenefitBeneficiaries', description: 'The beneficiaries of one benefit of an employee.' })

export const BenefitBeneficiariesList = z
  .object({ data: z.array(BenefitBeneficiaries) })
  .meta({ id: 'BenefitBeneficiariesList' })

export const BeneficiaryHistory = z
  .object({ data: z.array(z.object(designation).meta({ id: 'BeneficiaryDesignation' })) })
  .meta({ id: 'BeneficiaryHistory', description: 'The designations of beneficiaries for a benefit.' })

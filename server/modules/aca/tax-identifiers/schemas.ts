import { z } from 'zod'
import { text, Timestamp } from '../../../kernel/fields.ts'
import { digitsOf, isAssignable } from './rules.ts'

export const NewTaxIdentifier = z
  .object({
    tax_identifier: text()
      .refine((value) => digitsOf(value) !== undefined, {
        message: 'must have nine digits, such as 219-09-9999',
        abort: true,
      })
      .refine((value) => isAssignable(digitsOf(value)!), 'must be a number that is assigned to people')
      .meta({
        description:
          'The Social Security number or individual taxpayer identification number. It is encrypted when it is ' +
          'stored, and no response contains it.',
        example: '219-09-9999',
        writeOnly: true,
      }),
  })
  .meta({ id: 'NewTaxIdentifier' })
export type NewTaxIdentifier = z.output<typeof NewTaxIdentifier>

export const TaxIdentifier = z
  .object({
    person_id: z.string().meta({ description: 'The member id of the employee, or the id of the dependent.' }),
    relationship: z
      .enum(['employee', 'spouse', 'domestic_partner', 'child'])
      .meta({ id: 'TaxIdentifierHolder', description: 'The employee, or the relationship of the dependent.' }),
    last_four: z
      .string()
      .nullable()
      .meta({ description: 'The last four digits. Null if no tax identifier is stored.', example: '9999' }),
    updated_at: Timestamp.nullable().meta({ on_null: 'Null if no tax identifier is stored.' }),
  })
  .meta({ id: 'TaxIdentifier', description: 'Whether the tax identifier of a person is stored. Never the number.' })

export const TaxIdentifierList = z.object({ data: z.array(TaxIdentifier) }).meta({ id: 'TaxIdentifierList' })

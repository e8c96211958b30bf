import { z } from 'zod'
import { ResponseDay, Id, Language } from '../../../kernel/fields.ts'
import { DeductionProofQuery } from '../../money/deductions/schemas.ts'

export const BenefitsStatementQuery = DeductionProofQuery

export const BenefitsStatementPdfQuery = DeductionProofQuery.extend({
  language: Language.default('en').meta({ description: 'The language of the document.' }),
})

const amounts = {
  employee_in_cents: z.int().meta({ description: 'The share of the employee for the year, in cents.' }),
  employer_in_cents: z.int().meta({ description: 'The contribution of the employer for the year, in cents.' }),
  total_in_cents: z.int().meta({ description: 'The cost for the year: both shares, in cents.' }),
}

export const BenefitsStatement = z
  .object({
    employee_id: Id('empl'),
    year: z.int().meta({ description: 'The calendar year.' }),
    benefits: z
      .array(
        z.object({
          enrollment_id: Id('enrl'),
          benefit_name: z.string().meta({ description: 'The name of the benefit.' }),
          months: z.int().meta({ description: 'The number of months that are charged.' }),
          ...amounts,
        }),
      )
      .meta({ description: 'The benefits with a cost in the year.' }),
    ...amounts,
    deducted_in_cents: z
      .int()
      .meta({ description: 'The part of the employee share that was deducted so far, in cents.' }),
    through: ResponseDay.nullable().meta({
      description: 'The last day of the latest deduction statement. Null before the first statement.',
    }),
  })
  .meta({
    id: 'BenefitsStatement',
    description:
      'The cost of the benefits of an employee in a year. ' +
      'Months before the correction window have the amounts that invoices billed, and others follow the elections.',
  })
export type BenefitsStatement = z.output<typeof BenefitsStatement>

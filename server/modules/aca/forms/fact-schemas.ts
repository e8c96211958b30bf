import { z } from 'zod'
import { Id } from '../../../kernel/fields.ts'

const year_meaning = 'The calendar year that the form reports.'
const tax_year = z.int().min(2020).max(2199).meta({ description: year_meaning })

const fact_months = z
  .array(z.int().min(1).max(12))
  .max(12, 'must contain at most 12 months')
  .refine((months) => new Set(months).size === months.length, 'must not repeat a month')

const ContinuationCoverage = z
  .object({
    months: fact_months.min(1).meta({
      description: 'The months with continuation coverage, or with an offer of it that was declined, from 1 to 12.',
    }),
    is_enrolled: z.boolean().meta({ description: 'Whether the employee elected continuation coverage.' }),
    monthly_premium_in_cents: z.int().min(0).max(100_000_000).meta({
      description: 'The monthly premium for the employee alone of the lowest-cost plan of minimum value.',
    }),
  })
  .meta({ id: 'ContinuationCoverage' })

const tax_facts = {
  w2_wages_in_cents: z
    .int()
    .min(0)
    .max(100_000_000_000)
    .nullable()
    .meta({ description: 'The wages in box 1 of Form W-2. Null if they are unknown.' }),
  multiemployer_months: fact_months.meta({
    description: 'The months with contributions to a multiemployer plan that offers affordable coverage (code 2E).',
  }),
  continuation_coverage: z
    .array(ContinuationCoverage)
    .max(12, 'must contain at most 12 periods')
    .refine((periods) => {
      const months = periods.flatMap((period) => period.months)
      return new Set(months).size === months.length
    }, 'must not repeat a month')
    .meta({
      description:
        'Periods of COBRA. Each continues the last medical coverage that began before the end of its first month.',
    }),
}

export const TaxFacts = z
  .object(tax_facts)
  .meta({ id: 'TaxFacts', description: 'The facts of an employment and a tax year that only the employer knows.' })

const TaxFactsOfEmployee = z
  .object({
    employee_id: Id('empl'),
    w2_wages_in_cents: tax_facts.w2_wages_in_cents.optional(),
    multiemployer_months: tax_facts.multiemployer_months.optional(),
    continuation_coverage: tax_facts.continuation_coverage.optional(),
  })
  .meta({ id: 'TaxFactsOfEmployee' })
export const EmployeeTaxFactsInput = TaxFactsOfEmployee.omit({ employee_id: true })
  .extend({
    tax_year,
    dry_run: z.boolean().default(false).meta({ description: 'Returns the form with the facts, and saves nothing.' }),
  })
  .meta({ id: 'EmployeeTaxFactsInput' })
export type EmployeeTaxFactsInput = z.output<typeof EmployeeTaxFactsInput>

export const TaxFactsInput = z
  .object({
    tax_year,
    employees: z
      .array(TaxFactsOfEmployee)
      .min(1)
      .max(1000, 'must contain at most 1,000 employees')
      .meta({ description: 'The employees, each once.' }),
  })
  .meta({ id: 'TaxFactsInput' })
export type TaxFactsInput = z.output<typeof TaxFactsInput>

export const TaxFactsSaved = z
  .object({
    employer_id: Id('empr'),
    tax_year: z.int().meta({ description: year_meaning }),
  })
  .meta({ id: 'TaxFactsSaved' })

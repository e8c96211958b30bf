import { z } from 'zod'
import { AdjustmentCause } from '../../directory/evidence/schemas.ts'
import { line_kind_fields } from '../../../kernel/deduction-lines.ts'
import { DownloadLink } from '../../../http/files/download-link.ts'
import { cursorPageOf, cursorQuery, pageOf } from '../../../kernel/pages.ts'
import {
  ResponseDay,
  DayText,
  Id,
  MonthText,
  Timestamp,
  optional,
  searchText,
  trimValue,
} from '../../../kernel/fields.ts'
import { PayFrequency } from '../../directory/employers/schemas.ts'

export const TaxClassification = z.enum(['Pre-tax', 'Post-tax']).meta({
  id: 'TaxClassification',
  description: 'Whether the deduction is pre-tax or post-tax.',
})

export const PayrollDeductionStatement = z
  .object({
    id: Id('stmt'),
    employer_id: Id('empr'),
    period_start_date: ResponseDay,
    period_end_date: ResponseDay,
    frequency: PayFrequency,
    year: z.int().meta({ description: 'The calendar year of period_end_date.' }),
    number: z.int().meta({ description: 'The number of the pay period in the year, from 1.' }),
    period_count: z.int().meta({ description: 'Number of pay periods in the year.' }),
    employee_count: z.int().meta({ description: 'Number of employees with lines.' }),
    line_count: z.int(),
    total_in_cents: z.int().meta({ description: 'The sum of the lines, including corrections.' }),
    generated_at: Timestamp,
    csv: DownloadLink,
    statement_id: Id('stmt').meta({ description: 'The same value as `id`.' }),
    period_start: ResponseDay.meta({ description: 'The same value as `period_start_date`.' }),
    period_end: ResponseDay.meta({ description: 'The same value as `period_end_date`.' }),
    run_date: ResponseDay.meta({ description: 'The day of `generated_at` in New York.' }),
    total_deduction_cents: z.int().meta({ description: 'The same value as `total_in_cents`.' }),
    csv_file_url: z.url().meta({ description: 'The same value as `csv.download_url`.' }),
    deduction_frequency: PayFrequency.meta({ description: 'The same value as `frequency`.' }),
    deduction_frequency_label: z.string().meta({ description: 'The pay frequency as text.', example: 'Bi-weekly' }),
  })
  .meta({ id: 'PayrollDeductionStatement', description: 'The deductions of one pay period. Statements never change.' })
export type PayrollDeductionStatement = z.output<typeof PayrollDeductionStatement>

export const StatementPage = pageOf('PayrollDeductionStatementPage', PayrollDeductionStatement)

export const StatementRowPage = cursorPageOf(
  'PayrollDeductionStatementRowPage',
  PayrollDeductionStatement.extend({
    employer_name: z.string().meta({ description: 'The current name of the employer.' }),
  }).meta({
    id: 'PayrollDeductionStatementRow',
    description: 'A payroll deduction statement in the list across employers.',
  }),
)

export const StatementRowFilter = z.object({
  ...cursorQuery('organization'),
  period_from: MonthText.optional().meta({
    description: 'Only statements that end in this month or later.',
    example: '2026-01',
  }),
  period_to: MonthText.optional().meta({
    description: 'Only statements that end in this month or earlier.',
    example: '2026-12',
  }),
  search: searchText()
    .optional()
    .meta({ description: 'Part of the name or legal name of an employer. At most 100 employers.' }),
})
export type StatementRowFilter = z.output<typeof StatementRowFilter>

const sums = {
  due_in_cents: z
    .int()
    .meta({ description: "The employee's share of the premiums for all charged months of the year, in cents." }),
  scheduled_in_cents: z.int().meta({ description: 'The part of `due_in_cents` in pay periods with a statement.' }),
  collected_in_cents: z.int().meta({ description: 'The sum of all lines of statements for this year.' }),
  corrections_in_cents: z.int().meta({ description: 'The part of `collected_in_cents` from corrections.' }),
  difference_in_cents: z.int().meta({
    description:
      'scheduled_in_cents less collected_in_cents, which the next statement corrects. After the last paycheck, ' +
      'only a refund is corrected; other due amounts are outstanding.',
  }),
  manual_adjustments_in_cents: z
    .int()
    .meta({ description: 'The manual adjustments of the operator for months of the year.' }),
  arrears_in_cents: z.int().meta({ description: 'The amount requested again because payroll had not deducted it.' }),
  requested_in_cents: z
    .int()
    .meta({ description: 'Everything that statements requested from payroll, including arrears.' }),
  taken_in_cents: z
    .int()
    .nullable()
    .meta({
      description:
        'The amount that payroll reported as deducted in the pay periods of the year. Periods without a report ' +
        'count as 0. Null without any report.',
    }),
  outstanding_in_cents: z.int().meta({
    description:
      'The amount that payroll must still deduct: reported late, booked manually, not deducted before, or due after ' +
      'the last paycheck.',
  }),
  waived_in_cents: z
    .int()
    .meta({ description: 'The amount that is waived after the last paycheck, depending on `final_deductions`.' }),
}

export const DeductionProof = z
  .object({
    employee_id: Id('empl'),
    year: z.int(),
    through: ResponseDay.nullable().meta({ description: "The last day of the employer's latest statement." }),
    enrollments: z.array(z.object({ enrollment_id: Id('enrl'), benefit_name: z.string(), ...sums })),
    ...sums,
  })
  .meta({
    id: 'DeductionProof',
    description: 'Compares the amounts due in a year with the collected ones, to the cent.',
  })

export const DeductionProofQuery = z.object({
  year: z
    .string()
    .overwrite(trimValue)
    .regex(/^(19|20|21)\d\d$/, 'must be a year from 1900 to 2199')
    .transform(Number)
    .pipe(z.int())
    .optional()
    .meta({ description: 'The calendar year. Default: the current one.', example: 2026 }),
})

const Paycheck = z
  .object({
    statement_id: Id('stmt').nullable().meta({
      description: 'The statement that contains the paycheck. Null for an upcoming paycheck without a statement.',
    }),
    period_start_date: ResponseDay,
    period_end_date: ResponseDay,
    total_in_cents: z.int(),
    lines: z
      .array(
        z.object({
          enrollment_id: Id('enrl'),
          benefit_name: z.string(),
          ...line_kind_fields,
          cause: AdjustmentCause.nullable().meta({
            description:
              'The cause of a correction: the latest change of the enrollment since the previous statement. Null for ' +
              'other lines, and if no recorded change explains it.',
          }),
          year: z.int().meta({ description: 'The calendar year that the deduction belongs to.' }),
          amount_in_cents: z.int().meta({ description: 'The amount in cents. Negative for a refund.' }),
          tax_classification: TaxClassification,
        }),
      )
      .meta({ description: 'The deductions of the paycheck, line by line.' }),
  })
  .meta({ id: 'Paycheck', description: 'The deductions of one paycheck of an employee.' })

export const PaycheckList = z.object({ data: z.array(Paycheck) }).meta({ id: 'PaycheckList' })

export const StatementRun = z
  .object({
    day: optional(DayText).meta({
      description: 'The last day for which statements are generated. At most today, which is the default.',
    }),
  })
  .meta({ id: 'StatementRun' })

export const StatementRunAccepted = z
  .object({
    employer_id: Id('empr'),
    day: ResponseDay.meta({ description: 'The day through which statements are generated.' }),
    opened_statement_ids: z
      .array(Id('stmt'))
      .meta({ description: 'The statements that this request opened, in the order of their periods.' }),
  })
  .meta({ id: 'StatementRunAccepted' })

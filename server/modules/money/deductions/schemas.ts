import { z } from 'zod'
import { AdjustmentCause } from '../../directory/evidence/schemas.ts'
import { line_kind_fields } from '../../../kernel/deduction-lines.ts'
import { DownloadLink } from '../../../http/files/download-link.ts'
import { CursorPagination, pageQuery, Pagination } from '../../../kernel/pages.ts'
import { DayAnswer, DayText, Id, MonthText, Timestamp, optional, sought, trimmed } from '../../../kernel/fields.ts'

const frequencies = ['weekly', 'bi_weekly', 'semi_monthly', 'monthly'] as const

export const PayrollDeductionStatement = z
  .object({
    id: Id('stmt'),
    employer_id: Id('empr'),
    period_start_date: DayAnswer,
    period_end_date: DayAnswer,
    frequency: z.enum(frequencies),
    year: z.int().meta({ description: 'The calendar year of period_end_date.' }),
    number: z.int().meta({ description: 'Which of the pay periods of the year, from 1.' }),
    period_count: z.int().meta({ description: 'How many pay periods the year has.' }),
    employee_count: z.int().meta({ description: 'Employees with lines.' }),
    line_count: z.int(),
    total_in_cents: z.int().meta({ description: 'The sum of the lines, corrections included.' }),
    generated_at: Timestamp,
    csv: DownloadLink,
    statement_id: Id('stmt').meta({ description: 'The same as `id`.' }),
    period_start: DayAnswer.meta({ description: 'The same as `period_start_date`.' }),
    period_end: DayAnswer.meta({ description: 'The same as `period_end_date`.' }),
    run_date: DayAnswer.meta({ description: 'The day of `generated_at` in New York.' }),
    total_deduction_cents: z.int().meta({ description: 'The same as `total_in_cents`.' }),
    csv_file_url: z.url().meta({ description: 'The same as `csv.download_url`.' }),
    deduction_frequency: z.enum(frequencies).meta({ description: 'The same as `frequency`.' }),
    deduction_frequency_label: z
      .string()
      .meta({ description: 'How often people are paid, in words.', example: 'Bi-weekly' }),
  })
  .meta({ id: 'PayrollDeductionStatement', description: 'What is taken from pay in one pay period. It never changes.' })
export type PayrollDeductionStatement = z.output<typeof PayrollDeductionStatement>

export const StatementPage = z
  .object({ data: z.array(PayrollDeductionStatement), pagination: Pagination })
  .meta({ id: 'PayrollDeductionStatementPage' })

export const StatementFilter = z.object(pageQuery)

export const StatementRowPage = z
  .object({
    data: z.array(
      PayrollDeductionStatement.extend({
        employer_name: z.string().meta({ description: 'The name of the employer as it is now.' }),
      }).meta({
        id: 'PayrollDeductionStatementRow',
        description: 'A payroll deduction statement in the list across employers.',
      }),
    ),
    pagination: CursorPagination,
    next_offset: z.string().nullable().meta({ description: 'The same as `pagination.next_offset`.' }),
  })
  .meta({ id: 'PayrollDeductionStatementRowPage' })

export const StatementRowFilter = z.object({
  limit: pageQuery.limit,
  offset: z
    .string()
    .max(1000, 'must be the next_offset of a page of this list')
    .optional()
    .meta({ description: 'The `next_offset` of the page before; opaque, and only good for the same organization.' }),
  period_from: MonthText.optional().meta({ description: 'Those that end in this month or later.', example: '2026-01' }),
  period_to: MonthText.optional().meta({ description: 'Those that end in this month or before.', example: '2026-12' }),
  search: sought()
    .optional()
    .meta({ description: 'Part of the name or legal name of an employer, of whom 100 are found at most.' }),
})
export type StatementRowFilter = z.output<typeof StatementRowFilter>

const sums = {
  due_in_cents: z.int().meta({ description: 'The employee parts of the charged months of the whole year.' }),
  scheduled_in_cents: z.int().meta({ description: 'What of it falls into the pay periods that have a statement.' }),
  collected_in_cents: z.int().meta({ description: 'All lines of the statements for this year.' }),
  corrections_in_cents: z.int().meta({ description: 'Those of them that are corrections.' }),
  difference_in_cents: z.int().meta({
    description:
      'scheduled_in_cents less collected_in_cents: what the next statement corrects. After the last paycheck that ' +
      'only gives back; what is due besides is outstanding.',
  }),
  manual_adjustments_in_cents: z
    .int()
    .meta({ description: 'What the operator booked by hand for months of the year.' }),
  arrears_in_cents: z.int().meta({ description: 'What was asked for once more, since payroll had not taken it.' }),
  requested_in_cents: z.int().meta({ description: 'All that statements asked payroll to take, arrears included.' }),
  taken_in_cents: z
    .int()
    .nullable()
    .meta({
      description:
        'What payroll told that it took in the pay periods of the year; a period of which nothing was' +
        ' told adds nothing. null while it told nothing.',
    }),
  outstanding_in_cents: z.int().meta({
    description:
      'What of it all has still to be taken: told late, booked by hand, not taken, or due after the last paycheck.',
  }),
  waived_in_cents: z.int().meta({ description: 'What is not collected after the last paycheck, by final_deductions.' }),
}

export const DeductionProof = z
  .object({
    employee_id: Id('empl'),
    year: z.int(),
    through: DayAnswer.nullable().meta({ description: "The last day of the employer's newest statement." }),
    enrollments: z.array(z.object({ enrollment_id: Id('enrl'), benefit_name: z.string(), ...sums })),
    ...sums,
  })
  .meta({ id: 'DeductionProof', description: 'Whether what was due in a year was collected, to the cent.' })

export const DeductionProofQuery = z.object({
  year: z
    .string()
    .overwrite(trimmed)
    .regex(/^(19|20|21)\d\d$/, 'must be a year from 1900 to 2199')
    .transform(Number)
    .pipe(z.int())
    .optional()
    .meta({ description: 'The calendar year; the present one unless said.', example: 2026 }),
})

const Paycheck = z
  .object({
    statement_id: Id('stmt').nullable().meta({ description: 'null: none is written yet, and this lies ahead.' }),
    period_start_date: DayAnswer,
    period_end_date: DayAnswer,
    total_in_cents: z.int(),
    lines: z
      .array(
        z.object({
          enrollment_id: Id('enrl'),
          benefit_name: z.string(),
          ...line_kind_fields,
          cause: AdjustmentCause.nullable().meta({
            description:
              'The fact that a correction follows from: the newest one of the enrollment since the previous ' +
              'statement. Null for other lines, and if no fact explains it, such as after an invoice was voided.',
          }),
          year: z.int().meta({ description: 'The year that it counts for.' }),
          amount_in_cents: z.int().meta({ description: 'Negative: given back.' }),
          tax_classification: z.enum(['Pre-tax', 'Post-tax']),
        }),
      )
      .meta({ description: 'What it is made of.' }),
  })
  .meta({ id: 'Paycheck', description: 'What is taken from one paycheck of an employee.' })

export const PaycheckList = z.object({ data: z.array(Paycheck) }).meta({ id: 'PaycheckList' })

export const StatementRun = z
  .object({
    day: optional(DayText).meta({
      description: 'Through which day statements are due. Not after today; today unless said.',
    }),
  })
  .meta({ id: 'StatementRun' })

export const StatementRunAccepted = z
  .object({
    employer_id: Id('empr'),
    day: DayAnswer.meta({ description: 'Through which day statements are due.' }),
    opened_statement_ids: z
      .array(Id('stmt'))
      .meta({ description: 'What was not there yet, in the order of the periods.' }),
  })
  .meta({ id: 'StatementRunAccepted' })

import { z } from 'zod'
import type { SentBody } from '../../../http/endpoint.ts'
import { Id, optional, text, Timestamp } from '../../../kernel/fields.ts'
import { pageOf } from '../../../kernel/pages.ts'

/** The maximum number of rows per request. */
const max_rows = 10_000

const max_cents = 1_000_000_000

export const NewActual = z
  .object({
    employee_id: optional(Id('empl')),
    reference_id: optional(text()).meta({
      description: 'Your own reference of the employee, instead of `employee_id`.',
    }),
    enrollment_id: optional(Id('enrl')),
    benefit_name: optional(text()).meta({
      description: 'The benefit name in the statement, instead of `enrollment_id`.',
    }),
    taken_in_cents: z.int().min(-max_cents).max(max_cents).meta({
      description: 'The amount that payroll deducted, in cents. Negative for a refund.',
      example: 1200,
    }),
  })
  .meta({ id: 'NewPayrollActual' })
export type NewActual = z.output<typeof NewActual>

const PayrollActualsUpload = z
  .object({ actuals: z.array(NewActual).min(1).max(max_rows) })
  .meta({ id: 'PayrollActualsUpload' })

export const sent_actuals = {
  body: PayrollActualsUpload,
  rows: { field: 'actuals', most: max_rows },
  csv: 'any',
  csv_numbers: ['taken_in_cents'],
  body_limit: 4 * 1024 * 1024,
} as const satisfies SentBody

export const PayrollActualsOutcome = z
  .object({
    statement_id: Id('stmt'),
    row_count: z.int(),
    recorded_count: z.int().meta({ description: 'Number of enrollments with a recorded amount.' }),
    failures: z
      .array(
        z.object({
          index: z.int().meta({ description: 'The index of the row, from 0.' }),
          field: z.string(),
          reason: z.string(),
        }),
      )
      .meta({ description: 'The rows without a match. All others are recorded.' }),
  })
  .meta({ id: 'PayrollActualsOutcome' })

const PayrollActual = z
  .object({
    employee_id: Id('empl'),
    enrollment_id: Id('enrl'),
    requested_in_cents: z.int().meta({ description: 'The amount that the statement requested, or refunded.' }),
    taken_in_cents: z.int(),
    difference_in_cents: z.int().meta({ description: 'The requested amount less the deducted amount: arrears.' }),
    reported_at: Timestamp,
  })
  .meta({
    id: 'PayrollActual',
    description: 'The amount that payroll reported as deducted for an enrollment in a pay period.',
  })

export const PayrollActualPage = pageOf('PayrollActualPage', PayrollActual)

import { z } from 'zod'
import { DayAnswer } from './fields.ts'

/** Why a paycheck takes or gives back what earlier ones should have. */
export const correction_reasons = ['not_taken_before', 'no_longer_due', 'taxed_otherwise', 'amount_changed'] as const

/** The fields that describe the purpose of a deduction line, wherever lines are shown. */
export const line_kind_fields = {
  kind: z.enum(['deduction', 'correction', 'manual_adjustment', 'arrears']).meta({
    id: 'DeductionLineKind',
    description:
      'deduction: the regular deduction of the pay period. correction: the difference between what is due for ' +
      'earlier pay periods and what was deducted for them, signed. manual_adjustment: booked by the operator. ' +
      'arrears: an amount that payroll did not deduct before.',
  }),
  reason: z
    .enum(correction_reasons)
    .meta({
      id: 'CorrectionReason',
      description:
        'Why there is a correction. not_taken_before: nothing was deducted. no_longer_due: nothing is due. ' +
        'taxed_otherwise: the tax classification changed. amount_changed: another amount is due.',
    })
    .nullable()
    .meta({ description: 'Null if the line is not a correction.' }),
  corrected_period_start_date: DayAnswer.nullable().meta({
    description: 'The first day of the pay periods that a correction is for. Null if the line is not a correction.',
  }),
  corrected_period_end_date: DayAnswer.nullable().meta({
    description: 'The last day of the pay periods that a correction is for. Null if the line is not a correction.',
  }),
}

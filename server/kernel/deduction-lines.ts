import { z } from 'zod'
import { ResponseDay } from './fields.ts'

/** Reasons for a correction of earlier paychecks. */
export const correction_reasons = [
  'not_deducted_before',
  'no_longer_due',
  'tax_classification_changed',
  'amount_changed',
] as const

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
        'Why there is a correction. not_deducted_before: nothing was deducted. no_longer_due: nothing is due. ' +
        'tax_classification_changed: the tax classification changed. amount_changed: another amount is due.',
    })
    .nullable()
    .meta({ description: 'Null if the line is not a correction.' }),
  corrected_period_start_date: ResponseDay.nullable().meta({
    description: 'The first day of the pay periods that a correction is for. Null if the line is not a correction.',
  }),
  corrected_period_end_date: ResponseDay.nullable().meta({
    description: 'The last day of the pay periods that a correction is for. Null if the line is not a correction.',
  }),
}

import { z } from 'zod'
import { clearable, ResponseDay, DayText, Id, optional, text, Timestamp } from '../../../kernel/fields.ts'
import { pageOf } from '../../../kernel/pages.ts'
import { Employee } from '../employees/schemas.ts'
import { dry_run, enrollment_changes } from '../../coverage/enrollments/schemas.ts'
import { EmployeeClass, CompensationType } from '../../directory/catalog/schemas.ts'

const reason = text().meta({
  description: 'The reason. It is stored with the correction, which the operator can list.',
})

export const Reinstatement = z.object({ reason: optional(reason) }).meta({ id: 'Reinstatement' })
export type Reinstatement = z.output<typeof Reinstatement>

/** A termination by the operator, on any past day. */
export const OperatorTermination = z
  .object({
    termination_date: DayText.meta({
      description: 'The last day employed, in the future or any number of days ago, but not before the first day.',
    }),
    reason,
    dry_run,
  })
  .meta({ id: 'OperatorTermination' })
export type OperatorTermination = Omit<z.output<typeof OperatorTermination>, 'dry_run'>

export const OperatorReinstatement = z.object({ reason, dry_run }).meta({ id: 'OperatorReinstatement' })

/** The changes of an employment that the operator may make for any past day. */
export const OperatorEmployeeChanges = z
  .object({
    employee_class: optional(EmployeeClass),
    compensation_type: optional(CompensationType),
    bargaining_unit: clearable(text()),
    start_date: optional(DayText).meta({
      description: 'The first day of the employment. It may be any number of days ago.',
    }),
    effective_date: optional(DayText).meta({
      description: 'The day from which the class, the compensation type and the bargaining unit apply. Default: today.',
    }),
    reason,
    dry_run,
  })
  .meta({ id: 'OperatorEmployeeChanges' })
export type OperatorEmployeeChanges = Partial<z.output<typeof OperatorEmployeeChanges>> & { reason: string }

const actions = ['terminated', 'reinstated', 'corrected'] as const
export type CorrectionAction = (typeof actions)[number]

/** A corrected employee, with the enrollments that changed and the coverage that was removed. */
export const CorrectedEmployee = z
  .object({
    data: Employee,
    warnings: z
      .array(
        z.object({
          code: z.literal('rescission'),
          message: z.string(),
          enrollment_id: Id('enrl'),
          lost_from: ResponseDay.meta({ description: 'The first day of the removed coverage.' }),
          lost_until: ResponseDay.meta({ description: 'The last day of the removed coverage, today at the latest.' }),
        }),
      )
      .meta({ description: 'Removed past coverage. This may be a rescission, which requires notice to the employee.' }),
    enrollments: enrollment_changes,
  })
  .meta({ id: 'CorrectedEmployee' })

const EmployeeCorrection = z
  .object({
    action: z.enum(actions).meta({ id: 'EmployeeCorrectionAction' }),
    effective_on: ResponseDay.meta({
      description: 'The last day employed that was reported or reversed, or the first day that the correction affects.',
    }),
    reason: z.string().nullable(),
    credential_id: z.string().meta({ description: 'The credential of the caller who made the correction.' }),
    corrected_at: Timestamp,
  })
  .meta({ id: 'EmployeeCorrection' })

export const EmployeeCorrectionPage = pageOf('EmployeeCorrectionPage', EmployeeCorrection)

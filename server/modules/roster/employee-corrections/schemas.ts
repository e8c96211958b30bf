import { z } from 'zod'
import { DayAnswer, DayText, Id, optional, text, Timestamp } from '../../../kernel/fields.ts'
import { pageQuery, Pagination } from '../../../kernel/pages.ts'
import { CompensationType, Employee, EmployeeClass } from '../employees/schemas.ts'
import { dry_run, enrollment_changes } from '../../coverage/enrollments/schemas.ts'

const reason = text().meta({ description: 'Kept with the correction, which the operator can list.' })

export const Reinstatement = z.object({ reason: optional(reason) }).meta({ id: 'Reinstatement' })
export type Reinstatement = z.output<typeof Reinstatement>

/** What the operator tells of a termination, further back than partners may. */
export const OperatorTermination = z
  .object({
    termination_date: DayText.meta({ description: 'The last day employed, however long ago, or in the future.' }),
    reason,
    dry_run,
  })
  .meta({ id: 'OperatorTermination' })
export type OperatorTermination = Omit<z.output<typeof OperatorTermination>, 'dry_run'>

export const OperatorReinstatement = z.object({ reason, dry_run }).meta({ id: 'OperatorReinstatement' })

/** The changes of an employment that the operator may make further back than partners. */
export const OperatorEmployeeChanges = z
  .object({
    employee_class: optional(EmployeeClass),
    compensation_type: optional(CompensationType),
    start_date: optional(DayText).meta({ description: 'The first day of the employment, however long ago.' }),
    effective_date: optional(DayText).meta({
      description: 'The day from which the class and compensation type are effective. Default: today.',
    }),
    reason,
    dry_run,
  })
  .meta({ id: 'OperatorEmployeeChanges' })
export type OperatorEmployeeChanges = Partial<z.output<typeof OperatorEmployeeChanges>> & { reason: string }

const actions = ['terminated', 'reinstated', 'corrected'] as const
export type CorrectionAction = (typeof actions)[number]

/** An employee who was set right, with what that changed and took away. */
export const CorrectedEmployee = z
  .object({
    data: Employee,
    warnings: z
      .array(
        z.object({
          code: z.literal('rescission'),
          message: z.string(),
          enrollment_id: Id('enrl'),
          lost_from: DayAnswer.meta({ description: 'The first day on which coverage is taken away.' }),
          lost_until: DayAnswer.meta({ description: 'The last such day, today at the latest.' }),
        }),
      )
      .meta({ description: 'Coverage that had been in force and is no more: by law that may need a notice.' }),
    enrollments: enrollment_changes,
  })
  .meta({ id: 'CorrectedEmployee' })

export const EmployeeCorrection = z
  .object({
    action: z.enum(actions).meta({ id: 'EmployeeCorrectionAction' }),
    effective_on: DayAnswer.meta({
      description: 'The last day employed that was set or taken back, or the first day that the correction affects.',
    }),
    reason: z.string().nullable(),
    credential_id: z.string().meta({ description: 'The credential of who set it right.' }),
    corrected_at: Timestamp,
  })
  .meta({ id: 'EmployeeCorrection' })

export const EmployeeCorrectionPage = z
  .object({ data: z.array(EmployeeCorrection), pagination: Pagination })
  .meta({ id: 'EmployeeCorrectionPage' })

export const EmployeeCorrectionFilter = z.object({ ...pageQuery })

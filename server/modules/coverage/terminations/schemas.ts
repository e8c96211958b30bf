import { z } from 'zod'
import { DayText, Id, optional, text } from '../../../kernel/fields.ts'
import { dry_run } from '../enrollments/schemas.ts'

export const EnrollmentTermination = z
  .object({
    reason: optional(text()),
    life_event_id: optional(Id('qle')).meta({
      description: 'The approved life event whose window is used. By default, any life event with an open window.',
    }),
    coverage_end: optional(DayText).meta({
      description:
        'The last day of coverage, which must be the last day of a month. The default is the end of this month.',
    }),
  })
  .meta({ id: 'EnrollmentTermination' })
export type EnrollmentTermination = Partial<z.output<typeof EnrollmentTermination>>

export const EnrollmentReissue = z.object({ reason: optional(text()) }).meta({ id: 'EnrollmentReissue' })
export type EnrollmentReissue = Partial<z.output<typeof EnrollmentReissue>>

export const OperatorReissue = z
  .object({
    reason: text().meta({ description: 'The reason, which is stored permanently with the enrollment.' }),
    dry_run,
  })
  .meta({ id: 'OperatorReissue' })

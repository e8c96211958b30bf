import { z } from 'zod'
import { DayText, Id, optional, text } from '../../../kernel/fields.ts'
import { dry_run } from '../enrollments/schemas.ts'

export const EnrollmentTermination = z
  .object({
    reason: optional(text()),
    life_event_id: optional(Id('qle')).meta({
      description: 'The approved life event in whose window this is; without it, any whose window is open.',
    }),
    coverage_end: optional(DayText).meta({
      description: 'The last day of coverage, the last of a month; without it, the last of this one.',
    }),
  })
  .meta({ id: 'EnrollmentTermination' })
export type EnrollmentTermination = Partial<z.output<typeof EnrollmentTermination>>

export const EnrollmentReissue = z.object({ reason: optional(text()) }).meta({ id: 'EnrollmentReissue' })
export type EnrollmentReissue = Partial<z.output<typeof EnrollmentReissue>>

export const OperatorReissue = z
  .object({ reason: text().meta({ description: 'Why; kept with the enrollment for good.' }), dry_run })
  .meta({ id: 'OperatorReissue' })

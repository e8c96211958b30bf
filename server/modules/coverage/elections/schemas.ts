import { z } from 'zod'
import { DayText, Id, optional, text } from '../../../kernel/fields.ts'
import { CoverageTier, dry_run } from '../enrollments/schemas.ts'
import { WaiverReason } from '../../directory/evidence/schemas.ts'

export const Election = z
  .object({
    plan_id: Id('pln').meta({ description: 'One of the plans that the enrollment shows.' }),
    coverage_tier: CoverageTier,
    dependent_ids: optional(z.array(Id('dep')).max(50)).meta({
      description: 'Who is covered with the employee; without it, everybody who fits the tier.',
    }),
    individual_plan: optional(
      z.object({
        name: text(),
        premium_in_cents: z.int().min(0).max(100_000_000_000).meta({ description: 'Per month.' }),
      }),
    ).meta({ description: 'The plan that the employee bought: of ICHRA_REIMBURSEMENT_ONLY, and needed there.' }),
    bought_on_exchange: optional(z.boolean()).meta({
      description:
        'Of ICHRA: whether the plan was bought on an exchange, so that nothing of it is pre-tax. Needed with ' +
        'individual_plan, and false unless sent otherwise.',
    }),
  })
  .meta({ id: 'Election' })
type WholeElection = z.output<typeof Election>
type OfOwnPlan = 'individual_plan' | 'bought_on_exchange'
export type Election = Omit<WholeElection, OfOwnPlan> & Partial<Pick<WholeElection, OfOwnPlan>>

export const Waiver = z
  .object({ reason: optional(text()), reason_code: optional(WaiverReason).meta({ description: 'Why, as a code.' }) })
  .meta({ id: 'Waiver' })
export type Waiver = { reason?: string | undefined; reason_code?: WaiverReason | undefined }

export const EnrollmentCorrection = z
  .object({
    reason: text().meta({ description: 'Why; kept with the enrollment for good.' }),
    election: optional(Election).meta({ description: 'What was chosen, as it should have been noted.' }),
    waive: optional(z.boolean()).meta({ description: 'Whether it was waived.' }),
    coverage_start: DayText.nullable()
      .optional()
      .meta({ description: 'The first day of coverage; null: as the rules say.' }),
    coverage_end: DayText.nullable().optional().meta({
      description: 'The last day of coverage, the day before coverage_start if it never began; null: as the rules say.',
    }),
    dry_run,
  })
  .meta({ id: 'EnrollmentCorrection', description: 'What is set right; what is not sent stays.' })
export type EnrollmentCorrection = Omit<z.output<typeof EnrollmentCorrection>, 'dry_run'>

import { z } from 'zod'
import { DayText, Id, optional, text } from '../../../kernel/fields.ts'
import { dry_run } from '../enrollments/schemas.ts'
import { WaiverReason } from '../../directory/evidence/schemas.ts'
import { CoverageTier } from '../../directory/catalog/schemas.ts'

export const Election = z
  .object({
    plan_id: Id('pln').meta({ description: 'One of the `plans` of the enrollment.' }),
    coverage_tier: CoverageTier,
    dependent_ids: optional(z.array(Id('dep')).max(50)).meta({
      description: 'The dependents to cover. By default, all dependents who fit the coverage level.',
    }),
    individual_plan: optional(
      z.object({
        name: text(),
        premium_in_cents: z.int().min(0).max(100_000_000_000).meta({ description: 'Cents per month.' }),
      }),
    ).meta({
      description:
        'The plan that the employee bought. Required for ICHRA_REIMBURSEMENT_ONLY, and refused for all other ' +
        'benefits.',
    }),
    bought_on_exchange: optional(z.boolean()).meta({
      description:
        'For ICHRA, whether the plan was bought on an exchange, in which case deductions are never pre-tax. ' +
        'Required with `individual_plan`. Otherwise the default is false.',
    }),
  })
  .meta({ id: 'Election' })
type WholeElection = z.output<typeof Election>
type OfOwnPlan = 'individual_plan' | 'bought_on_exchange'
export type Election = Omit<WholeElection, OfOwnPlan> & Partial<Pick<WholeElection, OfOwnPlan>>

export const Waiver = z
  .object({
    reason: optional(text()),
    reason_code: optional(WaiverReason).meta({ description: 'The reason as a code.' }),
  })
  .meta({ id: 'Waiver' })
export type Waiver = { reason?: string | undefined; reason_code?: WaiverReason | undefined }

export const EnrollmentCorrection = z
  .object({
    reason: text().meta({ description: 'The reason, which is stored permanently with the enrollment.' }),
    election: optional(Election).meta({ description: 'The election as it should have been recorded.' }),
    waive: optional(z.boolean()).meta({ description: 'Whether the benefit was waived.' }),
    coverage_start: DayText.nullable()
      .optional()
      .meta({ description: 'The first day of coverage. Null removes the correction.' }),
    coverage_end: DayText.nullable()
      .optional()
      .meta({
        description:
          'The last day of coverage. If coverage never began, the day before coverage_start. Null removes the ' +
          'correction.',
      }),
    dry_run,
  })
  .meta({ id: 'EnrollmentCorrection', description: 'The fields to correct. Omitted fields stay unchanged.' })
export type EnrollmentCorrection = Omit<z.output<typeof EnrollmentCorrection>, 'dry_run'>

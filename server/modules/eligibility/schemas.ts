import { z } from 'zod'
import { Id, Timestamp } from '../../platform/values.ts'

const Classification = z.enum(['full_time', 'part_time', 'all']).meta({
  description: 'full_time: class Full Time. part_time: class Part Time. all: every class.',
})

const WaitingPeriod = z.enum(['first_of_following_month', '30_days', '60_days', 'none']).meta({
  description: 'How long after being hired, or entering an eligible class, coverage can start.',
})

export const NewBenefitEligibilityPolicy = z
  .object({ classification: Classification, waiting_period: WaitingPeriod })
  .meta({ id: 'NewBenefitEligibilityPolicy' })

export type NewBenefitEligibilityPolicy = z.output<typeof NewBenefitEligibilityPolicy>

export const BenefitEligibilityPolicy = z
  .object({
    id: Id('epol'),
    active: z.boolean().meta({ description: 'Whether it is the current policy of its employer.' }),
    classification: Classification,
    employer_id: Id('empr'),
    waiting_period: WaitingPeriod,
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'BenefitEligibilityPolicy', description: 'Who of an employer is eligible for benefits, and how soon.' })

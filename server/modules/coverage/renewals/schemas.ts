import { z } from 'zod'
import { DayAnswer, Id } from '../../../kernel/fields.ts'
import { pageQuery, Pagination } from '../../../kernel/pages.ts'
import { CoverageTier } from '../enrollments/schemas.ts'
import { GivenAnswer } from '../../directory/evidence/schemas.ts'
import { outcomes, reasons } from './rules.ts'

const cents = z.int().min(0).nullable()

export const RenewalRow = z
  .object({
    member_id: Id('mbr'),
    employee_id: Id('empl'),
    employee_external_reference_id: z.string().nullable().meta({ description: 'Your own reference of the employee.' }),
    member_first_name: z.string(),
    member_last_name: z.string(),
    benefit_id: Id('bprd'),
    benefit_name: z.string(),
    former_enrollment_id: Id('enrl').nullable().meta({ description: 'In the plan year before.' }),
    former_plan: z
      .string()
      .nullable()
      .meta({ description: 'What covered them on its last day; null without coverage.' }),
    former_coverage_tier: CoverageTier.nullable(),
    enrollment_id: Id('enrl').nullable().meta({ description: 'In this plan year; null until granted.' }),
    outcome: z.enum(outcomes).meta({
      id: 'RenewalOutcome',
      description:
        'carried: what they had is elected or waived again, or is going to be. answered: by somebody. lapses: ' +
        'coverage ends with the plan year before, unless somebody answers. not_carried: there is nothing to carry, ' +
        'or nobody to carry it for.',
    }),
    reason: z
      .enum(reasons)
      .meta({ id: 'RenewalReason' })
      .nullable()
      .meta({
        description:
          'Why they are not carried. coverage_ended: before the last day of the plan year. ' +
          'nothing_to_carry: they had not answered. benefit_not_offered: any more. not_eligible: no ' +
          'enrollment could begin. coverage_gap: the plan year before did not end the day before. ' +
          'active_renewal: it asks for an answer. choice_group: they have another benefit of it. ' +
          'plan_not_offered: nor a successor. tier_not_offered: that fits who may still be covered. ' +
          'no_premium: for one of them, where they live. after_renewal: what would carry them came ' +
          'after.',
      }),
    answer: GivenAnswer.nullable().meta({
      description: 'What is answered, or will be by the renewal; null for who is not carried.',
    }),
    coverage_start: DayAnswer.nullable(),
    plan: z.object({ id: Id('pln'), name: z.string(), carrier: z.string() }).nullable(),
    coverage_tier: CoverageTier.nullable(),
    premium_in_cents: cents.meta({ description: 'Per month, at the price of this plan year; null unless enrolled.' }),
    employer_contribution_in_cents: cents,
    employee_deduction_in_cents: cents,
    dependent_ids: z.array(Id('dep')),
  })
  .meta({ id: 'RenewalRow', description: "What becomes of somebody's coverage by a benefit in the next plan year." })

export const RenewalPage = z.object({ data: z.array(RenewalRow), pagination: Pagination }).meta({ id: 'RenewalPage' })

export const RenewalPaging = z.object(pageQuery)

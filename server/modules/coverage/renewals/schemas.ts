import { z } from 'zod'
import { ResponseDay, Id } from '../../../kernel/fields.ts'
import { pageOf } from '../../../kernel/pages.ts'
import { EnrollmentAnswer } from '../../directory/evidence/schemas.ts'
import { renewal_outcomes, renewal_reasons } from './rules.ts'
import { CoverageTier } from '../../directory/catalog/schemas.ts'

const cents = z.int().min(0).nullable()

export const RenewalRow = z
  .object({
    member_id: Id('mbr'),
    employee_id: Id('empl'),
    employee_external_reference_id: z.string().nullable().meta({ description: 'Your own reference for the employee.' }),
    member_first_name: z.string(),
    member_last_name: z.string(),
    benefit_id: Id('bprd'),
    benefit_name: z.string(),
    former_enrollment_id: Id('enrl').nullable().meta({ description: 'The enrollment in the previous plan year.' }),
    former_plan: z
      .string()
      .nullable()
      .meta({ description: 'The coverage on the last day of the previous plan year. Null without coverage.' }),
    former_coverage_tier: CoverageTier.nullable(),
    enrollment_id: Id('enrl')
      .nullable()
      .meta({ description: 'The enrollment in this plan year. Null until it is granted.' }),
    outcome: z.enum(renewal_outcomes).meta({
      id: 'RenewalOutcome',
      description:
        '`carried`: the election or waiver was carried over, or will be. `answered`: the employee has already ' +
        'elected or waived. `lapses`: coverage ends with the previous plan year unless the employee elects. ' +
        '`not_carried`: there is nothing to carry over, or the employee is not eligible.',
    }),
    reason: z
      .enum(renewal_reasons)
      .meta({ id: 'RenewalReason' })
      .nullable()
      .meta({
        description:
          'The reason why the employee is not carried over. `coverage_ended`: coverage ended before the last ' +
          'day of the plan year. `nothing_to_carry`: the employee had neither elected nor waived. ' +
          '`benefit_not_offered`: the ' +
          'benefit is no longer offered. `not_eligible`: no enrollment could begin. `coverage_gap`: the ' +
          'previous plan year did not end on the day before. `active_renewal`: the plan year requires each employee ' +
          'to elect. `choice_group`: the employee has another benefit of the choice group. `plan_not_offered`: ' +
          'neither the plan nor a successor is offered. `tier_not_offered`: the coverage level that fits the ' +
          'remaining dependents is not offered. `no_premium`: the plan has no premium for one of the people in ' +
          "the employee's area. `after_renewal`: the facts changed after the renewal.",
      }),
    answer: EnrollmentAnswer.nullable().meta({
      description:
        'Whether the employee is enrolled or has waived, stored or by a future renewal. Null if the employee is not ' +
        'carried over.',
    }),
    coverage_start: ResponseDay.nullable(),
    plan: z.object({ id: Id('pln'), name: z.string(), carrier: z.string() }).nullable(),
    coverage_tier: CoverageTier.nullable(),
    premium_in_cents: cents.meta({
      description: 'The full monthly premium in cents, at the price of this plan year. Null unless enrolled.',
    }),
    employer_contribution_in_cents: cents,
    employee_deduction_in_cents: cents,
    dependent_ids: z.array(Id('dep')),
  })
  .meta({
    id: 'RenewalRow',
    description: 'The effect of a renewal on the coverage of an employee by a benefit in the next plan year.',
  })

export const RenewalPage = pageOf('RenewalPage', RenewalRow)

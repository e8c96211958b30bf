import { z } from 'zod'
import { DayAnswer, Id, sought } from '../../../kernel/fields.ts'
import { pageQuery, Pagination } from '../../../kernel/pages.ts'
import { several } from '../../../http/endpoint.ts'
import { coverage_tiers } from '../../directory/catalog/schemas.ts'
import { MissingFigures } from '../../directory/ichra/schemas.ts'

const cents = z.int().min(0)

export const PlanYearEnrollmentRow = z
  .object({
    member_id: Id('mbr'),
    employee_id: Id('empl'),
    employee_external_reference_id: z.string().nullable().meta({ description: 'Your own reference of the employee.' }),
    member_first_name: z.string(),
    member_last_name: z.string(),
    election_status: z.enum(['Enrolled', 'Waived', 'Pending', 'Expired']).meta({
      description: 'Expired: not answered, and no window is open or still to come.',
    }),
    policy_status: z
      .enum(['Coverage Upcoming', 'Coverage Effective', 'Coverage Ended', 'Cancelled'])
      .nullable()
      .meta({ description: 'null unless enrolled. Cancelled: coverage never began.' }),
    dependent_count: z.int().meta({ description: 'Who is covered with the employee.' }),
    carrier: z.string().nullable(),
    plan: z.string().nullable().meta({ description: 'The name of the elected plan; null unless enrolled.' }),
    tier: z.enum(coverage_tiers).nullable(),
    premium_in_cents: cents.nullable().meta({ description: 'The whole monthly cost of the plan.' }),
    employer_contribution_in_cents: cents.nullable(),
    employee_deduction_in_cents: cents.nullable(),
    enrollment_id: Id('enrl'),
    benefit_id: Id('bprd'),
    benefit_name: z.string(),
    coverage_start: DayAnswer,
    coverage_end: DayAnswer.nullable(),
    window_ends_on: DayAnswer.nullable().meta({
      description: 'The last day on which it can be answered; null when no window is left.',
    }),
    affordability: z.enum(['Affordable', 'Not Affordable']).nullable().meta({
      description: 'Of ICHRA, for the employee alone; null for other benefits, and where a figure is not known.',
    }),
    missing_figures: MissingFigures.nullable().meta({
      description: 'Why the affordability of an ICHRA is null: the figures that the service does not have.',
      on_null: 'Null for other benefits.',
    }),
  })
  .meta({ id: 'PlanYearEnrollmentRow' })
export type PlanYearEnrollmentRow = z.output<typeof PlanYearEnrollmentRow>

export const PlanYearEnrollmentPage = z
  .object({ data: z.array(PlanYearEnrollmentRow), pagination: Pagination })
  .meta({ id: 'PlanYearEnrollmentPage' })

/** By what the list may be sorted. */
export const enrollment_orders = ['newest', 'name', 'window_end', 'coverage_start', 'coverage_end'] as const

export const PlanYearEnrollmentFilter = z.object({
  election_status: several(['enrolled', 'waived', 'pending', 'expired']).meta({
    description: 'Keeps enrollments in one of these; case-insensitive.',
  }),
  sort: z.enum(enrollment_orders).default('newest').meta({
    description: '`window_end` and `coverage_end`: what ends next first.',
  }),
  ...pageQuery,
  search: sought()
    .optional()
    .meta({
      description:
        'Part of the name, without regard to case and accents, or exactly your reference of the employee or group ' +
        'member, the `mbr_`, the `empl_` or the `grpmbr_` id.',
    }),
})
export type PlanYearEnrollmentFilter = z.output<typeof PlanYearEnrollmentFilter>

const EnrollmentCounts = z
  .object({
    eligible: z.int().meta({ description: 'How many may have it.' }),
    enrolled: z.int().meta({ description: 'How many have elected.' }),
    waived: z.int().meta({ description: 'How many have waived.' }),
    pending: z.int().meta({ description: 'Not answered yet.' }),
    expired: z.int().meta({ description: 'Not answered in time.' }),
  })
  .meta({ id: 'EnrollmentCounts' })

export const PlanYearEnrollmentSummary = z
  .object({
    people: EnrollmentCounts.meta({
      description: 'Each once; `enrolled` with anything elected, and `pending` with anything left, be it both.',
    }),
    benefits: z.array(z.object({ benefit_id: Id('bprd'), counts: EnrollmentCounts })),
    csv_url: z.url().meta({ description: 'The whole list as CSV, for 15 minutes.' }),
  })
  .meta({ id: 'PlanYearEnrollmentSummary', description: 'How the enrollments of a plan year stand.' })

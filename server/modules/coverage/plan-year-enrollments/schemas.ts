import { link_minutes } from '../../../http/files/download-link.ts'
import { z } from 'zod'
import { ResponseDay, Id, searchText } from '../../../kernel/fields.ts'
import { pageOf, pageQuery } from '../../../kernel/pages.ts'
import { many } from '../../../http/endpoint.ts'
import { CoverageTier } from '../../directory/catalog/schemas.ts'
import { MissingFigures } from '../../directory/ichra/schemas.ts'
import { ElectionStatus, Affordability } from '../enrollments/schemas.ts'

const cents = z.int().min(0)

export const PlanYearEnrollmentRow = z
  .object({
    member_id: Id('mbr'),
    employee_id: Id('empl'),
    employee_external_reference_id: z.string().nullable().meta({ description: 'Your own reference for the employee.' }),
    member_first_name: z.string(),
    member_last_name: z.string(),
    election_status: ElectionStatus,
    policy_status: z
      .enum(['Coverage Upcoming', 'Coverage Effective', 'Coverage Ended', 'Cancelled'])
      .nullable()
      .meta({ description: 'The state of the coverage. `Cancelled`: coverage never began. Null unless enrolled.' }),
    dependent_count: z.int().meta({ description: 'The number of covered dependents.' }),
    carrier: z.string().nullable(),
    plan: z.string().nullable().meta({ description: 'The name of the elected plan. Null unless enrolled.' }),
    tier: CoverageTier.nullable(),
    premium_in_cents: cents.nullable().meta({ description: 'The full monthly cost of the plan.' }),
    employer_contribution_in_cents: cents.nullable(),
    employee_deduction_in_cents: cents.nullable(),
    enrollment_id: Id('enrl'),
    benefit_id: Id('bprd'),
    benefit_name: z.string(),
    coverage_start: ResponseDay,
    coverage_end: ResponseDay.nullable(),
    window_ends_on: ResponseDay.nullable().meta({
      description: 'The last day on which the employee can elect or waive. Null if no window is open or planned.',
    }),
    affordability: Affordability.nullable().meta({
      description:
        'The affordability of an ICHRA for the employee alone. Null for other benefits, and if a figure is missing.',
    }),
    missing_figures: MissingFigures.nullable().meta({
      description: 'Why the affordability of an ICHRA is null: the missing figures. Null for other benefits.',
    }),
  })
  .meta({ id: 'PlanYearEnrollmentRow' })
export type PlanYearEnrollmentRow = z.output<typeof PlanYearEnrollmentRow>

export const PlanYearEnrollmentPage = pageOf('PlanYearEnrollmentPage', PlanYearEnrollmentRow)

/** The possible orders of the list. */
const enrollment_orders = ['newest', 'name', 'window_end', 'coverage_start', 'coverage_end'] as const

export const PlanYearEnrollmentFilter = z.object({
  election_status: many(z.enum(['enrolled', 'waived', 'pending', 'expired'])).meta({
    description: 'Returns only enrollments with one of these statuses. Case-insensitive.',
  }),
  sort: z.enum(enrollment_orders).default('newest').meta({
    description: '`window_end` and `coverage_end` sort the earliest future end first.',
  }),
  ...pageQuery,
  search: searchText()
    .optional()
    .meta({
      description:
        'Part of the name, or several words of it in any order, ignoring case and accents. Or the exact reference of ' +
        'the employee or group member, or the exact `mbr_`, `empl_` or `grpmbr_` id.',
    }),
})
export type PlanYearEnrollmentFilter = z.output<typeof PlanYearEnrollmentFilter>

const EnrollmentCounts = z
  .object({
    eligible: z.int().meta({ description: 'The number of employees who can elect.' }),
    enrolled: z.int().meta({ description: 'The number of employees who are enrolled.' }),
    waived: z.int().meta({ description: 'The number of employees who have waived.' }),
    pending: z.int().meta({ description: 'The number of employees who have not decided yet.' }),
    expired: z.int().meta({ description: 'The number of employees who did not decide in time.' }),
  })
  .meta({ id: 'EnrollmentCounts' })

export const PlanYearEnrollmentSummary = z
  .object({
    people: EnrollmentCounts.meta({
      description:
        'Counts each employee once. An employee with at least one election counts as `enrolled`, and with at ' +
        'least one open enrollment as `pending`, possibly as both.',
    }),
    benefits: z.array(z.object({ benefit_id: Id('bprd'), counts: EnrollmentCounts })),
    csv_url: z.url().meta({ description: `A link to the whole list as CSV, valid for ${link_minutes} minutes.` }),
  })
  .meta({ id: 'PlanYearEnrollmentSummary', description: 'The counts of the enrollments of a plan year.' })

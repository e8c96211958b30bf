import { z } from 'zod'
import { Id, text } from '../../kernel/fields.ts'
import { pageQuery, Pagination } from '../../kernel/pages.ts'
import { several } from '../../platform/endpoint.ts'
import { coverage_tiers } from '../catalog/schemas.ts'

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
    affordability: z.enum(['Affordable', 'Not Affordable']).nullable().meta({
      description: 'Of ICHRA, for the employee alone; null for other benefits, and where a figure is not known.',
    }),
  })
  .meta({ id: 'PlanYearEnrollmentRow' })

export const PlanYearEnrollmentPage = z
  .object({ data: z.array(PlanYearEnrollmentRow), pagination: Pagination })
  .meta({ id: 'PlanYearEnrollmentPage' })

export const PlanYearEnrollmentFilter = z.object({
  election_status: several(['enrolled', 'waived', 'pending', 'expired']).meta({
    description: 'Keeps enrollments in one of these; case-insensitive.',
  }),
  ...pageQuery,
  search: text()
    .optional()
    .meta({
      description:
        'Part of the name, without regard to case and accents, or exactly your reference of the employee or group ' +
        'member, the `mbr_`, the `empl_` or the `grpmbr_` id.',
    }),
})
export type PlanYearEnrollmentFilter = z.output<typeof PlanYearEnrollmentFilter>

import { z } from 'zod'
import { flag, several } from '../../../http/endpoint.ts'
import { lookup, pageQuery, Pagination } from '../../../kernel/pages.ts'
import {
  Address,
  DayAnswer,
  DayText,
  Email,
  Id,
  NewAddress,
  Phone,
  Timestamp,
  brief,
  clearable,
  optional,
  sought,
  text,
  trimmed,
} from '../../../kernel/fields.ts'

/** An EIN as written, `XX-XXXXXXX`. No employer has the prefix 00. */
const no_ein = 'must be an EIN, written XX-XXXXXXX'
const Ein = brief(no_ein)
  .overwrite(trimmed)
  .refine((value) => /^\d{2}-\d{7}$/.test(value), { error: no_ein, abort: true })
  .refine((value) => !value.startsWith('00'), 'must not start with 00')
  .meta({ description: 'Shown masked in every answer.', example: '47-2915386', pattern: '^\\d{2}-\\d{7}$' })

/** Absent and null mean the same: it stays as it is. */
const unchanged = <Shape extends z.ZodType>(shape: Shape) => optional(shape)

export const NewEmployer = z
  .object({
    name: text().meta({ description: 'Display name.', example: 'Blue Heron Coffee' }),
    legal_name: text().meta({ description: 'Legal business name.', example: 'Blue Heron Coffee Roasters LLC' }),
    ein: Ein,
    email: Email.meta({ description: 'Billing and communications address; becomes the first admin of the employer.' }),
    address: NewAddress,
    phone_number: optional(Phone),
    reference_id: optional(text().meta({ description: 'Your own reference.' })),
  })
  .meta({ id: 'NewEmployer' })

export type NewEmployer = z.output<typeof NewEmployer>

export const EmployerChanges = z
  .object({
    name: unchanged(text()).meta({ description: 'Display name.' }),
    legal_name: unchanged(text()).meta({ description: 'Legal business name.' }),
    ein: unchanged(brief('can not be changed')).meta({
      description: 'Can not be changed: one that differs is refused.',
    }),
    email: unchanged(Email),
    phone_number: clearable(Phone).meta({ description: 'null clears it.' }),
    reference_id: clearable(text()).meta({ description: 'null clears it.' }),
    address: unchanged(NewAddress).meta({ description: 'Replaces the address as a whole.' }),
    active: unchanged(z.boolean()).meta({ description: 'Whether the employer is currently active.' }),
  })
  .meta({
    id: 'EmployerChanges',
    description: 'Only the fields that are sent change; a refused field changes nothing.',
  })

export type EmployerChanges = Partial<z.output<typeof EmployerChanges>>

export const Employer = z
  .object({
    id: Id('empr'),
    organization_id: Id('org'),
    name: z.string().meta({ description: 'Display name.' }),
    legal_name: z.string().meta({ description: 'Legal business name.' }),
    ein: z.string().meta({ description: 'Masked but for its last four digits.', example: '**-***5386' }),
    reference_id: z.string().nullable(),
    email: z.string().meta({ description: 'Billing and communications address.' }),
    phone_number: z.string().nullable().meta({ description: '10 digits.', example: '4155550123' }),
    active: z.boolean().meta({ description: 'Whether the employer is currently active; you say so.' }),
    address: Address,
    eligibility_policy_id: Id('epol')
      .nullable()
      .meta({ description: 'The active policy; null when none is assigned.' }),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'Employer' })

export const benefit_families = ['mec', 'mvp', 'ichra', 'vpc', 'dental', 'vision'] as const
export const hris_statuses = ['active', 'pending', 'inactive', 'paused'] as const
export const lifecycle_stages = ['cancelled', 'onboarding', 'open_enrollment', 'renewal', 'active'] as const

const familyNames = benefit_families.map((family) => family.toUpperCase())

/** How many employees a plan year or benefit is for, and how many of them enrolled. */
export const EnrollmentRate = z
  .object({
    eligible: z.int(),
    enrolled: z.int(),
    percentage: z.int().meta({ description: 'Whole percent, half up; 0 when nobody is eligible.' }),
  })
  .meta({ id: 'EnrollmentRate' })

export const EmployerRow = Employer.extend({
  employer_id: Id('empr').meta({ description: 'Same as id.' }),
  enrollment_rate_summary: EnrollmentRate,
  benefit_families: z
    .array(z.enum(familyNames).meta({ id: 'BenefitFamilyTag' }))
    .meta({ description: 'The families of active benefits.' }),
  hris_status: z
    .object({ provider: z.string(), provider_label: z.string(), status: z.enum(hris_statuses) })
    .nullable()
    .meta({ description: 'The payroll or HRIS connection; null when there is none.' }),
  benefit_lifecycle_stage: z.object({
    stage: z.enum(lifecycle_stages).meta({ id: 'EmployerLifecycleStage' }),
    as_of_date: DayAnswer.nullable(),
  }),
  renews_on: DayAnswer.nullable().meta({
    description: 'The day after the end of the plan year that runs, or of the last one; null before there was any.',
  }),
}).meta({ id: 'EmployerRow', description: 'An employer with the computed columns of the employer book.' })

export const EmployerPage = z
  .object({ data: z.array(EmployerRow), pagination: Pagination })
  .meta({ id: 'EmployerPage' })

export const EmployerFilter = z.object({
  search: sought()
    .optional()
    .meta({
      description:
        'Part of the name or legal name, or exactly the EIN (with or without its dash), the employer id, or the ' +
        'e-mail address of an admin who is not disabled.',
    }),
  benefit_family: several(benefit_families).meta({
    description: 'Keeps employers with an active benefit in one of these families.',
  }),
  benefit_lifecycle_stage: several(lifecycle_stages).meta({ description: 'Keeps employers in one of these stages.' }),
  hris_provider: z.array(sought().toLowerCase()).default([]).meta({
    description:
      'Keeps employers connected to one of these providers; case-insensitive, take values from the HRIS providers.',
  }),
  hris_status: several(hris_statuses).meta({
    description: 'Keeps employers whose connection is in one of these states.',
  }),
  include_cancelled: flag.meta({
    description: 'Cancelled employers are hidden unless this is true or their stage is asked for.',
  }),
  ...pageQuery,
})

export type EmployerFilter = z.output<typeof EmployerFilter>

const pay_frequencies = ['weekly', 'bi_weekly', 'semi_monthly', 'monthly'] as const
const deduction_methods = ['annualized', 'per_month'] as const
const census_modes = ['merge', 'replace'] as const
const final_deductions = ['collect', 'waive'] as const

export const EmployerSettingsChanges = z
  .object({
    pay_frequency: unchanged(z.enum(pay_frequencies)),
    first_pay_date: clearable(DayText).meta({ description: 'null: pay periods follow the calendar.' }),
    deduction_method: unchanged(z.enum(deduction_methods)),
    census_mode: unchanged(z.enum(census_modes)),
    deductions_per_year: clearable(
      z.union([z.literal(24), z.literal(48)], 'must be 24 with bi_weekly pay or 48 with weekly pay'),
    ).meta({
      description:
        '24 with bi_weekly pay: the third payday of a month takes nothing; 48 with weekly pay: the fifth one. ' +
        'null, and another pay_frequency: each payday takes its part.',
    }),
    final_deductions: unchanged(z.enum(final_deductions)),
    arrears_limit_percent: unchanged(z.int().min(0).max(500)),
  })
  .meta({ id: 'EmployerSettingsChanges', description: 'Only the fields that are sent change.' })

export type EmployerSettingsChanges = Partial<z.output<typeof EmployerSettingsChanges>>

const AdministeredFrom = DayAnswer.nullable().meta({
  description:
    'Its go-live day, which the operator sets: coverage before it is history, and nothing before it is deducted or ' +
    'billed. Null: since ever.',
})

export const EmployerSettings = z
  .object({
    pay_frequency: z.enum(pay_frequencies),
    first_pay_date: DayAnswer.nullable(),
    deduction_method: z
      .enum(deduction_methods)
      .meta({ description: 'How monthly amounts become deductions per pay period.' }),
    census_mode: z.enum(census_modes).meta({ description: 'What a census means for people who are missing from it.' }),
    deductions_per_year: z.int().nullable().meta({ description: '24, 48, or null: as many as there are paydays.' }),
    final_deductions: z.enum(final_deductions).meta({
      description:
        'What the last paycheck takes of who leaves: `collect`, all that is due until coverage ends; `waive`, its ' +
        'own part. Later ones take nothing.',
    }),
    arrears_limit_percent: z.int().meta({
      description:
        'How much of a normal deduction may be taken once more in a pay period for what payroll did not take.',
    }),
    administered_from: AdministeredFrom,
    correction_reach_months: z.int().meta({
      description:
        'How many months before its own an invoice still adjusts, and deductions are corrected; the operator ' +
        'sets it. What is older is booked by hand.',
    }),
  })
  .meta({ id: 'EmployerSettings' })

/** What the operator decides of how an employer is administered. */
export const EmployerAdministration = z
  .object({
    administered_from: clearable(DayText).meta({
      description:
        'The go-live day. A month is deducted and billed when its 1st is not before it. What was taken or billed ' +
        'otherwise by then is corrected, as far as corrections reach. null: since ever.',
    }),
    correction_reach_months: unchanged(z.int().min(0).max(12)).meta({
      description: 'From 0 to 12 months; 3 unless said. Invoices and statements alike.',
    }),
  })
  .meta({ id: 'EmployerAdministration', description: 'Only the fields that are sent change.' })

export type EmployerAdministration = Partial<z.output<typeof EmployerAdministration>>

export const OperatorEmployerFilter = z.object({
  organization_id: Id('org').optional().meta({
    description: 'Only those of this organization, of which `search` finds any part of a name.',
  }),
  search: lookup(
    "How a name or legal name begins, or in full an id, an EIN or an administrator's e-mail address",
  ).optional(),
  ...pageQuery,
})
export type OperatorEmployerFilter = z.output<typeof OperatorEmployerFilter>

export const NewEmployerAdmin = z
  .object({
    email: Email.meta({ description: 'Their address, by which the employer is found.' }),
    name: optional(text().meta({ description: 'Their name.' })),
    phone: optional(Phone),
  })
  .meta({ id: 'NewEmployerAdmin' })
export type NewEmployerAdmin = z.output<typeof NewEmployerAdmin>

export const EmployerAdmin = z
  .object({
    id: Id('eadm'),
    employer_id: Id('empr'),
    email: z.string(),
    name: z.string().nullable().meta({ description: 'Their name; null when it is not known.' }),
    phone: z.string().nullable(),
    created_at: Timestamp,
  })
  .meta({ id: 'EmployerAdmin', description: 'Somebody who looks after an employer there.' })

export const EmployerAdminPage = z
  .object({ data: z.array(EmployerAdmin), pagination: Pagination })
  .meta({ id: 'EmployerAdminPage' })

export const EmployerAdminPaging = z.object(pageQuery)

import { z } from 'zod'
import { flag, many } from '../../../http/endpoint.ts'
import { pageOf, searchParameter, pageQuery } from '../../../kernel/pages.ts'
import {
  Address,
  ResponseDay,
  DayText,
  Email,
  Id,
  NewAddress,
  Phone,
  Timestamp,
  shortText,
  clearable,
  optional,
  searchText,
  text,
  trimValue,
} from '../../../kernel/fields.ts'

/** An EIN in the format `XX-XXXXXXX`. The prefix 00 does not exist. */
const no_ein = 'must be an EIN in the format XX-XXXXXXX'
const Ein = shortText(no_ein)
  .overwrite(trimValue)
  .refine((value) => /^\d{2}-\d{7}$/.test(value), { error: no_ein, abort: true })
  .refine((value) => !value.startsWith('00'), 'must not start with 00')
  .meta({
    description: 'The employer identification number (EIN). Responses mask it except for the last four digits.',
    example: '47-2915386',
    pattern: '^\\d{2}-\\d{7}$',
  })

/** Absent and null both keep the stored value. */
const unchanged = <Shape extends z.ZodType>(shape: Shape) => optional(shape)

export const NewEmployer = z
  .object({
    name: text().meta({ description: 'The display name.', example: 'Blue Heron Coffee' }),
    legal_name: text().meta({ description: 'The legal business name.', example: 'Blue Heron Coffee Roasters LLC' }),
    ein: Ein,
    email: Email.meta({
      description: 'The email address for billing and communications. Becomes the first admin of the employer.',
    }),
    address: NewAddress,
    phone_number: optional(Phone),
    reference_id: optional(text().meta({ description: 'Your own reference.' })),
  })
  .meta({ id: 'NewEmployer' })

export type NewEmployer = z.output<typeof NewEmployer>

export const EmployerChanges = z
  .object({
    name: unchanged(text()).meta({ description: 'The display name.' }),
    legal_name: unchanged(text()).meta({ description: 'The legal business name.' }),
    ein: unchanged(shortText('cannot be changed')).meta({
      description: 'The current EIN, if you send it. The EIN cannot change, so a different one is refused.',
    }),
    email: unchanged(Email),
    phone_number: clearable(Phone).meta({ description: 'Null clears it.' }),
    reference_id: clearable(text()).meta({ description: 'Null clears it.' }),
    owner_user_id: clearable(Id('usr')).meta({
      description: 'The member of your organization responsible for the employer. Null clears it.',
    }),
    address: unchanged(NewAddress).meta({ description: 'A US address, which replaces the whole address.' }),
    active: unchanged(z.boolean()).meta({ description: 'Whether the employer is currently active.' }),
  })
  .meta({
    id: 'EmployerChanges',
    description: 'Only the fields you send change. If any field is refused, nothing changes.',
  })

export type EmployerChanges = Partial<z.output<typeof EmployerChanges>>

export const Employer = z
  .object({
    id: Id('empr'),
    organization_id: Id('org'),
    name: z.string().meta({ description: 'The display name.' }),
    legal_name: z.string().meta({ description: 'The legal business name.' }),
    ein: z.string().meta({
      description: 'The employer identification number (EIN), masked except for the last four digits.',
      example: '**-***5386',
    }),
    reference_id: z.string().nullable(),
    email: z.string().meta({ description: 'The email address for billing and communications.' }),
    phone_number: z.string().nullable().meta({ description: '10 digits.', example: '4155550123' }),
    active: z.boolean().meta({ description: 'Whether the employer is active. Only your requests change it.' }),
    address: Address,
    eligibility_policy_id: Id('epol')
      .nullable()
      .meta({ description: 'The active eligibility policy. Null if none is assigned.' }),
    owner: z
      .object({ user_id: Id('usr'), name: z.string().meta({ description: 'The name of the member.' }) })
      .nullable()
      .meta({
        description:
          'The member of your organization responsible for the employer. Null without an owner, after the owner ' +
          'has left, and for tokens bound to the employer.',
      }),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'Employer' })

export const benefit_families = ['mec', 'mvp', 'ichra', 'vpc', 'dental', 'vision'] as const
export const BenefitFamily = z.enum(benefit_families).meta({ id: 'BenefitFamily' })
export const hris_statuses = ['active', 'pending', 'inactive', 'paused'] as const
export const HrisStatus = z.enum(hris_statuses).meta({
  id: 'HrisStatus',
  description:
    'pending: nothing has been synced yet. active: kept in sync. paused: not in sync, and you may edit the roster. ' +
    'inactive: the payroll system rejected our credentials.',
})
export const lifecycle_stages = ['cancelled', 'onboarding', 'open_enrollment', 'renewal', 'active'] as const
const LifecycleStage = z.enum(lifecycle_stages).meta({
  id: 'EmployerLifecycleStage',
  description:
    'onboarding: no coverage has started. open_enrollment: in an open enrollment. active: coverage is in force. ' +
    'renewal: coverage ends within 90 days. cancelled: the subscription has ended.',
})

const familyNames = benefit_families.map((family) => family.toUpperCase())

/** The number of employees eligible for a plan year or benefit, and how many of them enrolled. */
export const EnrollmentRate = z
  .object({
    eligible: z.int(),
    enrolled: z.int(),
    percentage: z.int().meta({ description: 'In whole percent, rounded half up. 0 if no employee is eligible.' }),
  })
  .meta({ id: 'EnrollmentRate' })

export const EmployerRow = Employer.extend({
  employer_id: Id('empr').meta({ description: 'The same as `id`.' }),
  enrollment_rate_summary: EnrollmentRate,
  benefit_families: z
    .array(z.enum(familyNames).meta({ id: 'BenefitFamilyTag' }))
    .meta({ description: 'The families of active benefits.' }),
  hris_status: z
    .object({ provider: z.string(), provider_label: z.string(), status: HrisStatus })
    .nullable()
    .meta({ description: 'The payroll or HRIS connection. Null if not connected.' }),
  benefit_lifecycle_stage: z.object({
    stage: LifecycleStage,
    as_of_date: ResponseDay.nullable(),
  }),
  renews_on: ResponseDay.nullable().meta({
    description: 'The day after the end of the current or last plan year. Null if there was none.',
  }),
  employee_count: z.int().meta({ description: 'The number of current employees.' }),
  monthly_premium_in_cents: z
    .int()
    .nullable()
    .meta({
      description:
        'The total of the latest issued invoice, which covers one month and may contain adjustments of earlier ' +
        'months. Null without an issued invoice, or if your role and scopes do not include money.',
    }),
  next_date: z
    .object({
      kind: z.enum(['enrollment_closes', 'coverage_starts', 'goes_live', 'renews']).meta({
        id: 'EmployerDateKind',
        description:
          'enrollment_closes: the last day of open enrollment. coverage_starts: the first day of the first plan ' +
          'year. goes_live: the go-live day. renews: the day after the end of the plan year.',
      }),
      date: ResponseDay,
    })
    .nullable()
    .meta({
      description: 'The next date to prepare for. Null without an upcoming date, or if the employer is cancelled.',
    }),
}).meta({ id: 'EmployerRow', description: 'An employer with the computed columns of the employer book.' })

export const EmployerPage = pageOf('EmployerPage', EmployerRow)

const book_orders = ['newest', 'name', 'employee_count', 'enrollment', 'monthly_premium', 'next_date'] as const

export const EmployerCountFilter = z.object({
  search: searchText()
    .optional()
    .meta({
      description:
        'Part of the name or legal name, or the exact EIN (with or without its dash), employer id, or email ' +
        'address of a current admin.',
    }),
  benefit_family: many(BenefitFamily).meta({
    description: 'Only employers with an active benefit in one of these families.',
  }),
  benefit_lifecycle_stage: many(LifecycleStage).meta({ description: 'Only employers in one of these stages.' }),
  hris_provider: z.array(searchText().toLowerCase()).default([]).meta({
    description:
      'Only employers connected to one of these providers, in any case. The HRIS providers endpoint lists the values.',
  }),
  hris_status: many(HrisStatus).meta({
    description: 'Only employers whose connection is in one of these states.',
  }),
  owner_user_id: z.array(Id('usr')).default([]).meta({
    description: 'Only employers that one of these members owns. Requires one organization.',
  }),
  include_cancelled: flag.meta({
    description: 'Whether to include cancelled employers. They are also included if you filter by their stage.',
  }),
})
export type EmployerCountFilter = z.output<typeof EmployerCountFilter>

export const EmployerFilter = EmployerCountFilter.extend({
  sort: z
    .enum(book_orders)
    .meta({ id: 'EmployerOrder' })
    .default('newest')
    .meta({
      description:
        'The order of the list. `enrollment` is the share of eligible employees who are enrolled. Employers ' +
        'without a value come last. All orders but `newest` require one organization.',
    }),
  order: z.enum(['asc', 'desc']).meta({ id: 'SortDirection' }).default('asc').meta({
    description: 'Ascending or descending. Has no effect on `newest`.',
  }),
  ...pageQuery,
})

export type EmployerFilter = z.output<typeof EmployerFilter>

const ValueCounts = z.array(
  z
    .object({
      value: z.string().meta({ description: 'The value of the filter.' }),
      employer_count: z.int().meta({ description: 'The number of employers with this value.' }),
    })
    .meta({ id: 'EmployerValueCount' }),
)

export const EmployerCounts = z
  .object({
    benefit_lifecycle_stage: ValueCounts.meta({ description: 'By stage, including `cancelled`.' }),
    benefit_family: ValueCounts.meta({ description: 'By benefit family, in uppercase.' }),
    hris_status: ValueCounts.meta({ description: 'By the state of the payroll connection.' }),
    hris_provider: ValueCounts.meta({ description: 'By the provider of the payroll connection.' }),
    owner: ValueCounts.meta({ description: 'By the user id of the owner.' }),
  })
  .meta({
    id: 'EmployerCounts',
    description:
      'The number of employers for each value of each filter, among the employers that match the search and the ' +
      'other filters. Values without employers are omitted.',
  })

export const PayFrequency = z.enum(['weekly', 'bi_weekly', 'semi_monthly', 'monthly']).meta({ id: 'PayFrequency' })
const DeductionMethod = z.enum(['annualized', 'per_month']).meta({
  id: 'DeductionMethod',
  description:
    'annualized: twelve monthly amounts are spread evenly over the paydays of a year. per_month: each monthly amount ' +
    'is spread over the paydays of its month.',
})
export const CensusMode = z.enum(['merge', 'replace']).meta({
  id: 'CensusMode',
  description: '`merge` leaves missing people unchanged. `replace` terminates them.',
})
export type CensusMode = z.output<typeof CensusMode>
const FinalDeductions = z.enum(['collect', 'waive']).meta({
  id: 'FinalDeductions',
  description:
    'collect: the last paycheck includes everything due until coverage ends. waive: it includes only its regular ' +
    'deduction, and nothing is deducted later.',
})

const CensusValue = z
  .object({
    field: text(50).meta({ description: 'The name of the field.', example: 'employee_class' }),
    text: text(200).meta({ description: 'The text in the file. Case and punctuation are ignored.', example: 'FT' }),
    value: text(100)
      .nullable()
      .meta({ description: 'The value that it stands for. Null omits the field.', example: 'Full Time' }),
  })
  .meta({ id: 'CensusValue', description: 'A text in the roster files of an employer, and the value it stands for.' })

export const EmployerSettingsChanges = z
  .object({
    pay_frequency: unchanged(PayFrequency),
    first_pay_date: clearable(DayText).meta({
      description: 'The first pay date. Null if pay periods follow the calendar.',
    }),
    deduction_method: unchanged(DeductionMethod),
    census_mode: unchanged(CensusMode),
    census_values: unchanged(z.array(CensusValue).max(1000)).meta({
      description: 'The texts in roster files and the values they stand for. Replaces the whole list.',
    }),
    deductions_per_year: clearable(
      z.union([z.literal(24), z.literal(48)], 'must be 24 with bi_weekly pay or 48 with weekly pay'),
    ).meta({
      description:
        '24 with bi_weekly pay: the third payday of a month has no deduction. 48 with weekly pay: the fifth ' +
        'payday has none. Null: every payday has one. Changing `pay_frequency` resets it to null.',
    }),
    final_deductions: unchanged(FinalDeductions),
    arrears_limit_percent: unchanged(z.int().min(0).max(500)),
  })
  .meta({ id: 'EmployerSettingsChanges', description: 'Only the fields that are sent change.' })

export type EmployerSettingsChanges = Partial<z.output<typeof EmployerSettingsChanges>>

const AdministeredFrom = ResponseDay.nullable().meta({
  description:
    'The go-live day, set by the operator. Earlier coverage is history and is neither deducted nor billed. Null ' +
    'if there is no start date.',
})

export const EmployerSettings = z
  .object({
    pay_frequency: PayFrequency,
    first_pay_date: ResponseDay.nullable(),
    deduction_method: DeductionMethod.meta({ description: 'How monthly amounts become deductions per pay period.' }),
    census_mode: CensusMode.meta({ description: 'How a census treats employees who are missing from it.' }),
    census_values: z.array(CensusValue).meta({
      description:
        'The texts in roster files and the values they stand for. The console applies them to uploaded files. A ' +
        'census must contain the values.',
    }),
    deductions_per_year: z.int().nullable().meta({ description: '24 or 48. Null for one deduction per payday.' }),
    final_deductions: FinalDeductions.meta({
      description:
        'The deduction from the last paycheck of an employee who leaves. `collect`: everything due until coverage ' +
        'ends. `waive`: only its regular deduction. Later paychecks deduct nothing.',
    }),
    arrears_limit_percent: z.int().meta({
      description:
        'How much of a regular deduction a pay period may deduct in addition, to catch up on missed deductions.',
    }),
    administered_from: AdministeredFrom,
    correction_reach_months: z.int().meta({
      description:
        'The correction window: how many months back invoices are adjusted and deductions are corrected. Set by ' +
        'the operator. Older amounts are booked manually.',
    }),
  })
  .meta({ id: 'EmployerSettings' })

/** The settings of an employer that only the operator can change. */
export const EmployerAdministration = z
  .object({
    administered_from: clearable(DayText).meta({
      description:
        'The go-live day. A month is deducted and billed if its 1st is on or after this day. Amounts that were ' +
        'already deducted or billed otherwise are corrected within the correction window. Null if there is no ' +
        'start date.',
    }),
    correction_reach_months: unchanged(z.int().min(0).max(12)).meta({
      description: 'The correction window of invoices and statements, from 0 to 12 months. The default is 3.',
    }),
  })
  .meta({ id: 'EmployerAdministration', description: 'Only the fields you send change.' })

export type EmployerAdministration = Partial<z.output<typeof EmployerAdministration>>

export const OperatorEmployerFilter = z.object({
  organization_id: Id('org').optional().meta({
    description: 'Only employers of this organization. With it, `search` matches any part of a name.',
  }),
  search: searchParameter('The start of a name or legal name, or the exact id, EIN or admin email address').optional(),
  ...pageQuery,
})
export type OperatorEmployerFilter = z.output<typeof OperatorEmployerFilter>

export const NewEmployerAdmin = z
  .object({
    email: Email.meta({ description: 'The email address, by which the employer can be found.' }),
    name: optional(text().meta({ description: 'The name of the admin.' })),
    phone: optional(Phone),
  })
  .meta({ id: 'NewEmployerAdmin' })
export type NewEmployerAdmin = z.output<typeof NewEmployerAdmin>

export const EmployerAdmin = z
  .object({
    id: Id('eadm'),
    employer_id: Id('empr'),
    email: z.string(),
    name: z.string().nullable().meta({ description: 'The name of the admin. Null if unknown.' }),
    phone: z.string().nullable(),
    created_at: Timestamp,
  })
  .meta({ id: 'EmployerAdmin', description: 'A person who administers benefits at the employer.' })

export const EmployerAdminPage = pageOf('EmployerAdminPage', EmployerAdmin)

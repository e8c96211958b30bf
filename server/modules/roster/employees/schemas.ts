import { z } from 'zod'
import { line_kind_fields } from '../../../kernel/deduction-lines.ts'
import { pageOf, pageQuery } from '../../../kernel/pages.ts'
import {
  County,
  ResponseDay,
  DayText,
  Email,
  Id,
  Phone,
  Residence,
  State,
  Timestamp,
  Zipcode,
  clearable,
  optional,
  searchText,
  text,
  Gender,
} from '../../../kernel/fields.ts'
import { correction_window_days } from '../../directory/tasks/rules.ts'
import { EnrollmentStatus } from '../../coverage/enrollments/schemas.ts'
import { EmployeeClass, CompensationType } from '../../directory/catalog/schemas.ts'

export const EmploymentStatus = z.enum(['active', 'terminated']).meta({
  id: 'EmploymentStatus',
  description: 'active: until the end of the last day. terminated: from the day after.',
})

/** A check that also runs when other fields of an object are invalid, so that a response lists all faults. */
const required = (field: string) => ({
  path: [field],
  message: 'is required',
  when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null,
})

/** A residential address. Payroll systems also send `street_1`, `street_2` and `zip_code`. */
const ResidentialAddress = z
  .object({
    address_line_1: text().nullish(),
    address_line_2: text().nullish(),
    street_1: text().nullish().meta({ description: 'An alias of `address_line_1`.' }),
    street_2: text().nullish().meta({ description: 'An alias of `address_line_2`.' }),
    city: text(),
    state: State,
    zipcode: Zipcode.nullish(),
    zip_code: Zipcode.nullish().meta({ description: 'An alias of `zipcode`.' }),
    county: optional(County).meta({ description: 'Determines the rating area for an ICHRA.', example: 'Cook' }),
  })
  .refine((sent) => (sent.address_line_1 ?? sent.street_1) != null, required('address_line_1'))
  .refine((sent) => (sent.zipcode ?? sent.zip_code) != null, required('zipcode'))
  .transform((sent) => ({
    address_line_1: sent.address_line_1 ?? sent.street_1 ?? '',
    address_line_2: sent.address_line_2 ?? sent.street_2 ?? null,
    city: sent.city,
    state: sent.state,
    zipcode: sent.zipcode ?? sent.zip_code ?? '',
    county: sent.county,
  }))
  .meta({ id: 'ResidentialAddress' })

const employment = {
  employee_class: optional(EmployeeClass),
  compensation_type: optional(CompensationType),
  bargaining_unit: optional(text()),
  reference_id: optional(text()),
}

/** Identifies the person where the details are ambiguous. */
export const settling = {
  member_id: optional(Id('mbr')).meta({ description: 'The person, if the organization knows them.' }),
  employee_id: optional(Id('empl')).meta({
    description: 'The person, by one of their employments at any employer.',
  }),
  distinct: optional(z.boolean()).meta({
    description: 'True for a new person, however similar to an existing one. Requires a separate email.',
  }),
}

export const NewEmployee = z
  .object({
    first_name: text(),
    last_name: text(),
    email: Email,
    date_of_birth: DayText,
    start_date: DayText,
    phone: optional(Phone),
    suffix: optional(text()),
    gender: optional(Gender),
    address: optional(ResidentialAddress),
    ...employment,
    ...settling,
  })
  .meta({ id: 'NewEmployee' })
export type NewEmployee = z.output<typeof NewEmployee>

export const EmployeeChanges = z
  .object({
    effective_date: DayText.meta({
      description:
        'The day from which the class, the compensation type and the bargaining unit apply, and the day of a move. ' +
        'Not after today.',
    }),
    email: optional(Email),
    phone: clearable(Phone),
    gender: clearable(Gender),
    address: optional(ResidentialAddress),
    employee_class: optional(EmployeeClass),
    start_date: optional(DayText),
    compensation_type: optional(CompensationType),
    bargaining_unit: clearable(text()),
  })
  .meta({ id: 'EmployeeChanges' })
export type EmployeeChanges = z.output<typeof EmployeeChanges>

export const ContactChanges = z
  .object({ email: optional(Email), phone: clearable(Phone), address: optional(ResidentialAddress) })
  .meta({
    id: 'ContactChanges',
    description: 'The contact data to change. Omitted fields stay unchanged, and null clears the phone.',
  })
export type ContactChanges = z.output<typeof ContactChanges>

export const Termination = z
  .object({
    termination_date: DayText.meta({
      description: `The last day employed: at most ${correction_window_days} days ago, or in the future.`,
    }),
    reason: optional(text()),
  })
  .meta({ id: 'Termination' })
export type Termination = z.output<typeof Termination>

export const Rehire = z.object({ start_date: DayText, ...employment }).meta({ id: 'Rehire' })
export type Rehire = z.output<typeof Rehire>

const EnrollmentSummary = z
  .object({
    id: z.string(),
    status: EnrollmentStatus,
    answered_at: Timestamp.nullable(),
  })
  .meta({ id: 'EnrollmentSummary' })

const Deduction = z
  .object({
    benefit_name: z.string(),
    deduction_amount_in_cents: z.int(),
    deduction_category: z.string().nullable(),
    frequency: z.string(),
    period_start_date: ResponseDay,
    period_end_date: ResponseDay,
    tax_classification: z.enum(['Unknown', 'Pre-tax', 'Post-tax']).meta({ id: 'DeductionTaxClassification' }),
    ...line_kind_fields,
  })
  .meta({ id: 'Deduction', description: 'A payroll deduction of the most recent statement period.' })

export const Employee = z
  .object({
    id: Id('empl'),
    member_id: Id('mbr'),
    reference_id: z.string().nullable(),
    first_name: z.string(),
    last_name: z.string(),
    suffix: z.string().nullable(),
    email: z.string(),
    date_of_birth: ResponseDay,
    gender: z.string().nullable(),
    phone: z.string().nullable(),
    employee_class: EmployeeClass.nullable(),
    status: EmploymentStatus,
    hire_date: ResponseDay.nullable(),
    termination_date: ResponseDay.nullable().meta({
      description: 'The last day employed. In the future if scheduled.',
    }),
    address: Residence.nullable(),
    enrollments: z.array(EnrollmentSummary),
    created_at: Timestamp,
    updated_at: Timestamp,
    employer_id: Id('empr'),
    employer_name: z.string(),
    start_date: ResponseDay.nullable().meta({ description: 'The same value as `hire_date`.' }),
    classification_effective_date: ResponseDay.nullable(),
    compensation_type: CompensationType.nullable(),
    compensation_type_effective_date: ResponseDay.nullable(),
    bargaining_unit: z.string().nullable(),
    bargaining_unit_effective_date: ResponseDay.nullable(),
    deductions: z.array(Deduction),
  })
  .meta({ id: 'Employee' })

/** A new employee, with the facts of the request that were not saved, because the linked person keeps others. */
export const HiredEmployee = Employee.extend({
  warnings: z
    .array(z.object({ field: z.string().meta({ description: 'The field name of the request.' }), message: z.string() }))
    .optional()
    .meta({
      description:
        'Fields of the request that were not saved, because the linked person keeps other values. Absent if there ' +
        'are none.',
    }),
}).meta({ id: 'HiredEmployee' })

export const EmployeePage = pageOf('EmployeePage', Employee)

export const EmployeeFilter = z.object({
  ...pageQuery,
  employment_status: EmploymentStatus.optional().meta({ description: 'Only employees with this status.' }),
  search: searchText().optional().meta({
    description:
      'Part of a name or email address, or several words of the name in any order. Ignores case and accents.',
  }),
})
export type EmployeeFilter = z.output<typeof EmployeeFilter>

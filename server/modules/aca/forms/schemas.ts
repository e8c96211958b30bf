import { z } from 'zod'
import { flag } from '../../../http/endpoint.ts'
import { ResponseDay, Id, Phone, text, Timestamp } from '../../../kernel/fields.ts'
import { pageOf, pageQuery, wholeNumber } from '../../../kernel/pages.ts'
import { month_statuses } from '../offers/rules.ts'
import { form_exceptions } from './derivation-rules.ts'
import { TaxFacts } from './fact-schemas.ts'
import { form_needs, form_types } from './rules.ts'
import { offer_codes, relief_codes } from './code-rules.ts'

const TaxYear = wholeNumber(2020, 2199)

const year_meaning = 'The calendar year that the form reports.'
const tax_year = z.int().meta({ description: year_meaning })

const default_year = 'Default: the current year.'

export const TaxYearQuery = z.object({
  tax_year: TaxYear.optional().meta({ description: `${year_meaning} ${default_year}`, example: 2026 }),
})
export const OfferTestQuery = z.object({
  year: TaxYear.optional().meta({ description: `The calendar year of the test. ${default_year}`, example: 2026 }),
})

export const FormType = z.enum(form_types).meta({
  id: 'TaxFormType',
  description:
    '1095-C: of an applicable large employer, with Form 1094-C. 1095-B: of another employer with a self-insured plan ' +
    'or an ICHRA, with Form 1094-B.',
})

const OfferCode = z.enum(offer_codes).meta({
  id: 'Form1095cOfferCode',
  description: 'A code of line 14, which describes the offer of coverage. 1L to 1U are about ICHRAs.',
})
const ReliefCode = z.enum(relief_codes).meta({
  id: 'Form1095cReliefCode',
  description: 'A code of line 16: the status of the employee, the enrollment, or an affordability safe harbor.',
})

const empty = 'Null if the cell is empty.'

const cellOf = <Value extends z.ZodType>(value: Value, description: string) =>
  z
    .object({
      value,
      reason: z.string().meta({ description: 'Why the cell has this value, or the reason of the override.' }),
      is_overridden: z.boolean().meta({ description: 'Whether a person set the cell.' }),
    })
    .meta({ description })

const FormMonth = z
  .object({
    month: z.int().meta({ description: 'The month, from 1 to 12.' }),
    status: z.enum(month_statuses).meta({
      id: 'MandateStatus',
      description:
        'full_time: a full-time employee. part_time: an employee who is not full-time. limited_non_assessment: in a ' +
        'period without an assessable payment, such as a waiting period. not_employed: not an employee on any day.',
    }),
    line_14: cellOf(OfferCode, 'Line 14: the offer of coverage.'),
    line_15_in_cents: cellOf(
      z.int().nullable().meta({ description: 'The amount.', on_null: empty }),
      'Line 15: the lowest monthly cost for the employee alone.',
    ),
    line_16: cellOf(
      ReliefCode.nullable().meta({ description: `The code. ${empty}` }),
      'Line 16: safe harbors and other relief.',
    ),
    line_17: cellOf(
      z.string().nullable().meta({ description: 'The ZIP code.', on_null: empty }),
      'Line 17: the ZIP code that determined the premium of an ICHRA.',
    ),
  })
  .meta({ id: 'Form1095cMonth' })

const person = {
  first_name: z.string(),
  last_name: z.string(),
  suffix: z.string().nullable(),
  date_of_birth: ResponseDay,
  tax_identifier_last_four: z
    .string()
    .nullable()
    .meta({ description: 'The last four digits of the tax identifier. Null if none is stored.' }),
}

const CoveredPerson = z
  .object({
    person_id: z.string().meta({ description: 'The member id of the employee, or the id of a dependent.' }),
    ...person,
    months: z.array(z.boolean()).meta({ description: 'For each month, whether at least one day was covered.' }),
  })
  .meta({ id: 'Form1095cCoveredPerson' })

const FormNeed = z.enum(form_needs).meta({
  id: 'Form1095cNeed',
  description:
    'full_time: the employee was full-time in at least one month. self_insured_coverage: the person was enrolled in ' +
    'self-insured coverage. not_full_time: no Form 1095-C is due. not_covered: no Form 1095-B is due.',
})
export const FormException = z.enum(form_exceptions).meta({
  id: 'Form1095cException',
  description:
    'no_offer: a month as a full-time employee without an offer or relief. unaffordable_offer: an offer without ' +
    'minimum value, or affordable by no safe harbor. cost_unknown: a premium is missing. hours_not_reported: a month ' +
    'counts as part-time only because no hours are reported. tax_identifier_missing and address_missing: the form ' +
    'lacks them. name_not_accepted: the first or last name of a person on the form has digits, or letters other than ' +
    'A to Z, which the IRS does not accept. Accents are removed. overridden: a person set a cell.',
})
const exceptions = z.array(FormException).meta({ description: 'The problems to check, the most urgent first.' })

const FilingError = z
  .object({
    code: z.string().meta({ description: 'The error code of the IRS.', example: 'AIRTN500' }),
    message: z.string().meta({ description: 'The error message of the IRS.' }),
    reported_at: Timestamp.meta({ description: 'When the acknowledgement was recorded.' }),
  })
  .meta({ id: 'FormFilingError' })

export const Form1095c = z
  .object({
    employee_id: Id('empl'),
    employer_id: Id('empr'),
    tax_year,
    form_type: FormType,
    need: FormNeed,
    employee: z.object(person).meta({ description: 'The employee of Part I.' }),
    months: z.array(FormMonth).meta({ description: 'Part II, January to December. Empty for Form 1095-B.' }),
    origin_of_coverage: z
      .enum(['B', 'G'])
      .nullable()
      .meta({ description: 'Line 8 of Form 1095-B. B: employer-sponsored coverage. G: ICHRA. Null for Form 1095-C.' }),
    covered_people: z.array(CoveredPerson).meta({
      description:
        'The people in self-insured coverage, the employee first: Part III of Form 1095-C, Part IV of Form 1095-B.',
    }),
    tax_facts: TaxFacts,
    exceptions,
    names_not_accepted: z.array(z.string()).meta({
      description: 'The first and last names, of the employee or a covered person, that the IRS does not accept.',
    }),
    filing_errors: z.array(FilingError).meta({
      description:
        'The errors that the IRS reported in filed forms and that no later transmission corrects, latest first.',
    }),
    override: z
      .object({ reason: z.string(), updated_at: Timestamp })
      .nullable()
      .meta({ description: 'The override of a person. Null if every cell is derived.' }),
  })
  .meta({
    id: 'Form1095c',
    description: 'Form 1095-C or 1095-B of an employee for a year, with a reason for each cell.',
  })

const cleared = 'Null empties the cell.'

const MonthChange = z
  .object({
    month: z.int().min(1).max(12).meta({ description: 'The month, from 1 to 12.' }),
    line_14: OfferCode.optional(),
    line_15_in_cents: z
      .int()
      .min(0)
      .max(100_000_000)
      .nullable()
      .optional()
      .meta({ description: `Line 15. ${cleared}` }),
    line_16: ReliefCode.nullable()
      .optional()
      .meta({ description: `Line 16. ${cleared}` }),
    line_17: z
      .string()
      .regex(/^\d{5}$/, 'must have five digits')
      .nullable()
      .optional()
      .meta({ description: `Line 17. ${cleared}` }),
  })
  .meta({ id: 'Form1095cMonthOverride' })

export const NewFormOverride = z
  .object({
    tax_year: z.int().min(2020).max(2199).meta({ description: year_meaning }),
    reason: text(500).meta({ description: 'Why the cells differ from the derived ones.' }),
    months: z
      .array(MonthChange)
      .max(12, 'must contain at most 12 months')
      .refine((months) => new Set(months.map(({ month }) => month)).size === months.length, 'must not repeat a month')
      .meta({
        description:
          'The cells to set, by month. Absent cells stay derived, and null empties a cell. An empty list removes the ' +
          'override.',
      }),
  })
  .meta({ id: 'NewForm1095cOverride' })
export type NewFormOverride = z.output<typeof NewFormOverride>

export const NewFormDerivation = z
  .object({ tax_year: z.int().min(2020).max(2199).meta({ description: year_meaning }) })
  .meta({ id: 'NewForm1095cDerivation' })

export const FormDerivation = z
  .object({ employer_id: Id('empr'), tax_year })
  .meta({ id: 'Form1095cDerivation', description: 'An accepted derivation of Forms 1095-C.' })

export const FormFilter = z.object({
  ...TaxYearQuery.shape,
  ...pageQuery,
  exception: FormException.optional().meta({ description: 'Only forms with this problem.' }),
  has_failed_notice: flag
    .unwrap()
    .optional()
    .meta({ description: 'Only forms of people whose notice of the posted form failed, or of all others.' }),
})
export type FormFilter = z.output<typeof FormFilter>

export const FormContact = z
  .object({ first_name: text(20), last_name: text(20), phone_number: Phone })
  .meta({ id: 'FormContact', description: 'The person whom the IRS may call about the forms.' })
export type FormContact = z.output<typeof FormContact>

const contact = FormContact.nullable()
const settings = {
  has_conditional_spouse_offer: z.boolean().meta({
    description: 'Whether the offer to a spouse depends on a condition, such as no other coverage (codes 1J and 1K).',
  }),
  uses_98_percent_method: z.boolean().meta({
    description: 'Whether Form 1094-C uses the 98% Offer Method.',
  }),
}

export const FormSettingsInput = z
  .object({
    tax_year: z.int().min(2020).max(2199).meta({ description: year_meaning }),
    form_type: FormType.default('1095-C'),
    contact: contact.default(null).meta({ description: 'The contact on Form 1094-C or 1094-B. Null for none.' }),
    ...settings,
  })
  .meta({ id: 'FormSettingsInput' })

export const FormSettings = z
  .object({
    employer_id: Id('empr'),
    tax_year,
    form_type: FormType,
    contact: contact.meta({ description: 'The contact on Form 1094-C or 1094-B. Null if none is named.' }),
    ...settings,
  })
  .meta({ id: 'FormSettings', description: 'The settings of the forms of a tax year, for the EIN of the employer.' })

const ReviewedForm = z
  .object({
    employee_id: Id('empl'),
    first_name: z.string(),
    last_name: z.string(),
    need: FormNeed,
    exceptions,
    line_14: z.array(OfferCode).meta({
      description: 'The codes of line 14, January to December. Empty for Form 1095-B.',
    }),
    line_16: z.array(ReliefCode.nullable()).meta({ description: 'The codes of line 16. Empty for Form 1095-B.' }),
  })
  .meta({ id: 'ReviewedForm1095c' })

export const FormPage = pageOf('Form1095cPage', ReviewedForm)

const ExposureKind = z.enum(['no_offer', 'unaffordable_offer', 'none']).meta({
  id: 'ExposureKind',
  description: 'The assessable payment of section 4980H(a), of section 4980H(b), or none.',
})

const TestedMonth = z
  .object({
    month: z.int().meta({ description: 'The month, from 1 to 12.' }),
    full_time_count: z.int().meta({ description: 'Full-time employees outside limited non-assessment periods.' }),
    offered_count: z
      .int()
      .meta({ description: 'Those who were offered coverage for themselves and their children for the whole month.' }),
    offered_percent: z
      .number()
      .nullable()
      .meta({
        description:
          'The percentage of full-time employees with an offer, rounded down to one decimal. Null if there are no ' +
          'full-time employees.',
      }),
    passes: z.boolean().meta({
      description: 'Whether at most 5 percent or, if greater, five full-time employees lack an offer.',
    }),
    unprotected_count: z.int().meta({
      description: 'Full-time employees who are neither covered nor offered affordable coverage of minimum value.',
    }),
    total_count: z.int().meta({ description: 'The employees on the last day of the month.' }),
    exposure_kind: ExposureKind.nullable().meta({
      description: 'The kind of the assessable payment. Null if the amounts are unknown, or for Forms 1095-B.',
    }),
    exposure_in_cents: z.int().nullable().meta({
      description: 'The highest assessable payment of the month. Null if `exposure_kind` is null.',
    }),
  })
  .meta({ id: 'OfferTestMonth' })

export const OfferTest = z
  .object({
    employer_id: Id('empr'),
    year: z.int(),
    form_type: FormType,
    derived_at: Timestamp.nullable().meta({
      description: 'When the forms were last derived. Null before the first derivation. The test then has no months.',
    }),
    form_count: z.int().meta({ description: 'The number of forms: line 20 of Form 1094-C, line 9 of Form 1094-B.' }),
    has_qualifying_offer: z.boolean().meta({ description: 'Whether box A of line 22 of Form 1094-C applies.' }),
    exposure_in_cents: z
      .int()
      .nullable()
      .meta({
        description:
          'The sum of the months. Null if the assessable payments of the year are unknown, and for an employer with ' +
          'Forms 1095-B, which owes none.',
      }),
    months: z.array(TestedMonth).meta({ description: 'January to December. Empty before the first derivation.' }),
  })
  .meta({
    id: 'OfferTest',
    description:
      'The 95 percent offer test of section 4980H by month, with the counts of Form 1094-C and the highest ' +
      'assessable payments. Overridden cells count as the form reports them. Payments are ' +
      'due only if a full-time employee receives a premium tax credit.',
  })

import { z } from 'zod'
import { DownloadLink } from '../../../http/files/download-link.ts'
import { Address, ResponseDay, DayText, Id, NewAddress, text, Timestamp } from '../../../kernel/fields.ts'
import { wholeNumber } from '../../../kernel/pages.ts'
import { copied_states } from '../forms/rules.ts'
import { reportedErrors } from './acknowledgement-rules.ts'
import { FormContact, FormException, FormType } from '../forms/schemas.ts'

const TaxYear = wholeNumber(2020, 2199)
const year_meaning = 'The calendar year that the forms report.'
const tax_year = z.int().meta({ description: year_meaning })

export const FilingQuery = z.object({
  tax_year: TaxYear.optional().meta({
    description: `${year_meaning} Default: the year before the current one.`,
    example: 2025,
  }),
})

export const PrintFileQuery = FilingQuery.extend({
  part: wholeNumber(1, 1000)
    .optional()
    .meta({ description: 'A part of the print file, one of `print_parts`. Default: 1.', example: 1 }),
})

export const NewFormRelease = z
  .object({ tax_year: z.int().min(2020).max(2199).meta({ description: year_meaning }) })
  .meta({ id: 'NewForm1095cRelease' })

export const FormMailing = z
  .object({
    tax_year: z.int().min(2020).max(2199).meta({ description: year_meaning }),
    mailed_on: DayText.meta({ description: 'The day of the mailing. Not after today.' }),
    is_mailed: z
      .boolean()
      .default(true)
      .meta({
        description:
          'True records the mailing of all forms of the print file that have none yet. False removes the mailing of ' +
          'this day, if it was recorded by mistake.',
      }),
  })
  .meta({ id: 'NewFormMailing' })

const Deadline = z
  .object({
    jurisdiction: z.enum(['IRS', ...copied_states]).meta({ description: 'The IRS, or a state where employees live.' }),
    step: z.enum(['furnish', 'file']).meta({ description: 'furnish: to the employees. file: with the jurisdiction.' }),
    form: z.string().meta({ description: 'The form.' }),
    due_on: ResponseDay.meta({ description: 'The last day.' }),
  })
  .meta({ id: 'FormDeadline' })

export const FormFiling = z
  .object({
    employer_id: Id('empr'),
    tax_year,
    form_type: FormType,
    derived_at: Timestamp.nullable().meta({
      description: 'When the forms were last derived. Null before the first derivation.',
    }),
    form_count: z.int().meta({ description: 'The forms that are due, by the last derivation.' }),
    unreported_hours_count: z.int().meta({
      description:
        'The people with a month that counts as part-time only because no hours are reported, by the last ' +
        'derivation. Those without a full-time month have no form, unless they are enrolled in self-insured coverage.',
    }),
    released_at: Timestamp.nullable().meta({
      description: 'When the forms were last released. Null before the first release.',
    }),
    released_count: z.int().meta({ description: 'The people with a released form that is due.' }),
    unreleased_count: z.int().meta({
      description: 'The people with a form that is due and without any released form, by the last derivation.',
    }),
    corrected_count: z.int().meta({ description: 'Those whose latest form is a corrected form.' }),
    changed_count: z.int().meta({
      description:
        'The forms that a release would store: new ones, those that differ from the latest released form or whose ' +
        'employer changed its name, EIN or address, and released forms that are no longer due.',
    }),
    print_count: z.int().meta({
      description:
        'The released forms to furnish on paper: of people without consent to electronic delivery, or with a failed ' +
        'notice.',
    }),
    print_parts: z.array(z.int()).meta({
      description: 'The parts of the print file that have forms. A released form never moves to another part.',
    }),
    unnotified_count: z.int().meta({
      description:
        'The people with a consent whose notice of the posted form failed: without an email address, with one that ' +
        'bounced, or refused by the mail server. Their forms are in the print file.',
    }),
    unmailed_count: z.int().meta({ description: 'The forms of the print file that no mailing was recorded for.' }),
    furnished_on: ResponseDay.nullable().meta({
      description:
        'The first day on which each person with a released form had received one, by mail or by a notice of the ' +
        'posted form. Compare it with the deadlines to furnish. Null until then.',
    }),
    mailings: z
      .array(
        z
          .object({
            mailed_on: ResponseDay.meta({ description: 'The day of the mailing.' }),
            form_count: z.int().meta({ description: 'The number of forms.' }),
            recorded_by_name: z
              .string()
              .nullable()
              .meta({
                description:
                  'The name of the user who recorded it. Null if an API key recorded it, or if the user was ' +
                  'deleted.',
              }),
          })
          .meta({ id: 'FormMailing' }),
      )
      .meta({ description: 'The recorded mailings of paper forms, including forms that were corrected since.' }),
    exceptions: z
      .array(
        z
          .object({ exception: FormException, form_count: z.int().meta({ description: 'The number of forms.' }) })
          .meta({ id: 'FormExceptionCount' }),
      )
      .meta({ description: 'The problems of the derived forms, the most urgent first.' }),
    deadlines: z.array(Deadline).meta({
      description: 'The deadlines of the IRS, and of the states with such laws in which employees live.',
    }),
  })
  .meta({
    id: 'FormFiling',
    description: 'The state of the forms of a tax year, for all people under the EIN of the employer.',
  })

const flag = z.boolean().meta({ description: 'Whether it applies.' })
const count = z.int().meta({ description: 'The number.' })

const cellOf = <Value extends z.ZodType>(value: Value, description: string) =>
  z.object({ value, reason: z.string().meta({ description: 'Why it has this value.' }) }).meta({ description })

const TransmittalMonth = z
  .object({
    month: z.int().meta({ description: 'The month, from 1 to 12.' }),
    minimum_essential_coverage: cellOf(flag, 'Column (a): an offer to 95 percent of full-time employees.'),
    full_time_count: cellOf(
      z.int().nullable().meta({ description: 'The count. Null with the 98% Offer Method.' }),
      'Column (b): full-time employees outside limited non-assessment periods.',
    ),
    total_count: cellOf(count, 'Column (c): the employees on the last day of the month.'),
  })
  .meta({ id: 'Form1094cMonth' })

const AleMember = z
  .object({
    legal_name: z.string().meta({ description: 'The legal name.' }),
    ein: z.string().meta({ description: 'The last four digits of the EIN, masked.', example: '**-***6789' }),
  })
  .meta({ id: 'Form1094cMember' })

const Transmittal = z
  .object({
    is_authoritative: cellOf(flag, 'Line 19: whether this is the authoritative transmittal.'),
    form_count: cellOf(count, 'Lines 18 and 20, or line 9 of Form 1094-B: the number of forms.'),
    is_in_group: cellOf(flag, 'Line 21: whether the ALE member is in an aggregated ALE group.'),
    has_qualifying_offer: cellOf(flag, 'Line 22, box A: the Qualifying Offer Method.'),
    uses_98_percent_method: cellOf(flag, 'Line 22, box D: the 98% Offer Method.'),
    months: z.array(TransmittalMonth).meta({ description: 'Lines 24 to 35. Empty for Form 1094-B.' }),
  })
  .meta({ id: 'Form1094cCells', description: 'Parts I to III of Form 1094-C.' })

export const Form1094c = z
  .object({
    employer_id: Id('empr'),
    tax_year,
    form_type: FormType,
    derived_at: Timestamp.nullable().meta({
      description: 'When the forms were last derived. Null before the first derivation.',
    }),
    employer: AleMember.meta({ description: 'The employer with the EIN.' }),
    form: Transmittal.nullable().meta({ description: 'The form. Null before the first derivation.' }),
    other_members: z.array(AleMember).meta({
      description: 'Part IV: at most 30 other members of the group, those with the most full-time employees first.',
    }),
  })
  .meta({ id: 'Form1094c', description: 'Form 1094-C or 1094-B of an employer, with a reason for each value.' })

export const ElectronicDeliveryInput = z
  .object({
    consents: z.boolean().meta({
      description: 'True to receive tax forms only electronically, or false to withdraw the consent.',
    }),
  })
  .meta({ id: 'ElectronicDeliveryInput' })

export const ElectronicDelivery = z
  .object({
    consents: z.boolean().meta({ description: 'Whether the consent is in force.' }),
    given_at: Timestamp.nullable().meta({
      description: 'When the employee last consented. Null if the employee never consented.',
    }),
    withdrawn_at: Timestamp.nullable().meta({
      description: 'When the employee withdrew the consent. Null if the consent is in force or was never given.',
    }),
  })
  .meta({
    id: 'ElectronicDelivery',
    description: 'The consent of a person to receive the tax forms of the EIN of the employer electronically.',
  })

const TaxForm = z
  .object({
    tax_year,
    form: FormType,
    version: z.int().meta({ description: 'The number of the release of this form, from 1.' }),
    is_corrected: z.boolean().meta({ description: 'Whether it corrects an earlier released form.' }),
    released_at: Timestamp.meta({ description: 'When the form was released.' }),
    file: DownloadLink,
  })
  .meta({ id: 'ReleasedTaxForm' })

const Furnisher = z
  .object({
    legal_name: z.string().meta({ description: 'The legal name.' }),
    address: Address,
    phone_number: z.string().nullable().meta({ description: '10 digits.', example: '4155550123' }),
    email: z.string().meta({ description: 'The email address.' }),
  })
  .meta({ id: 'TaxFormFurnisher' })

export const TaxForms = z
  .object({
    furnisher: Furnisher.meta({
      description: 'The employer with the EIN. Its contacts are part of the disclosures before a consent.',
    }),
    electronic_delivery: ElectronicDelivery,
    forms: z
      .array(TaxForm)
      .meta({ description: 'The latest released form of each tax year and EIN, newest year first.' }),
  })
  .meta({ id: 'EmployeeTaxForms', description: 'The released tax forms of an employee.' })

const Transmitter = NewAddress.extend({
  name: text(75).meta({ description: 'The legal name of the transmitter.' }),
  ein: text(10)
    .regex(/^\d{2}-\d{7}$/, 'must be an EIN in the format XX-XXXXXXX')
    .meta({ description: 'The EIN.' }),
  tcc: text(5)
    .regex(/^[A-Z0-9]{5}$/, 'must have five letters and digits')
    .meta({ description: 'The transmitter control code (TCC) of the IRS.' }),
  software_id: text(20)
    .regex(/^[A-Z0-9]+$/, 'must have letters and digits')
    .meta({
      description: 'The software id of the tax year that the IRS issued to the transmitter.',
    }),
}).meta({ id: 'FormTransmitter', description: 'The transmitter of information returns to the IRS.' })

export const NewTransmission = z
  .object({
    tax_year: z.int().min(2020).max(2199).meta({ description: year_meaning }),
    is_test: z.boolean().meta({ description: 'Whether the files are for the test system of the IRS (AATS).' }),
    contact: FormContact,
    transmitter: Transmitter,
  })
  .meta({ id: 'NewFormTransmission' })
export type NewTransmission = z.output<typeof NewTransmission>

const acknowledged = z
  .enum(['accepted', 'accepted_with_errors', 'rejected'])
  .meta({ id: 'FormTransmissionStatus', description: 'The status that the IRS reported.' })
const unique_record_id = 'The form, as `receipt|1|record`.'
const error = {
  code: text(40).meta({ description: 'The error code of the IRS.', example: 'AIRTN500' }),
  message: text(1000).meta({ description: 'The error message of the IRS.' }),
}

export const FormAcknowledgement = z
  .object({
    unique_transmission_id: text(100).meta({ description: 'The transmission.' }),
    receipt_id: text(80).meta({ description: 'The receipt id of the IRS.', example: '1095C-26-00001234' }),
    status: acknowledged,
    errors: z
      .array(z.object({ unique_record_id: text(100).nullish().meta({ description: unique_record_id }), ...error }))
      .max(10_000)
      .default([])
      .meta({ description: 'The errors of the acknowledgement. Empty without errors.' }),
    errors_xml: z
      .string()
      .max(1_000_000, 'must be at most 1,000,000 characters')
      .refine((xml) => reportedErrors(xml) !== undefined, 'must be the error file of an acknowledgement')
      .optional()
      .meta({ description: 'The error file of the acknowledgement (XML), instead of `errors`.' }),
  })
  .refine(({ errors, errors_xml }) => errors_xml === undefined || errors.length === 0, {
    path: ['errors_xml'],
    error: 'cannot be combined with errors',
  })
  .meta({ id: 'FormAcknowledgement' })
export type FormAcknowledgement = z.output<typeof FormAcknowledgement>

const FormTransmission = z
  .object({
    unique_transmission_id: z.string().meta({ description: 'The unique transmission id in the manifest.' }),
    type: z
      .enum(['O', 'R', 'C'])
      .meta({ description: 'O: original. R: replacement after a rejection. C: correction.' }),
    is_test: z.boolean().meta({ description: 'Whether the files are for the test system of the IRS.' }),
    form_count: z.int().meta({ description: 'The number of forms, without the transmittal.' }),
    made_at: Timestamp.meta({ description: 'When the transmission was made.' }),
    status: acknowledged.nullable().meta({ on_null: 'Null before the acknowledgement.' }),
    receipt_id: z.string().nullable().meta({
      description: 'The receipt id of the IRS. Null before the acknowledgement.',
    }),
    errors: z
      .array(
        z.object({
          unique_record_id: z
            .string()
            .nullable()
            .meta({ description: unique_record_id, on_null: 'Null if it concerns no form.' }),
          employee_id: Id('empl').nullable().meta({
            description: 'The employee on the form. Null if the error concerns no form.',
          }),
          code: z.string().meta({ description: 'The error code.' }),
          message: z.string().meta({ description: 'The error message.' }),
        }),
      )
      .meta({ description: 'The errors that the IRS reported.' }),
    acknowledged_at: Timestamp.nullable().meta({
      description: 'When the acknowledgement was recorded. Null before the acknowledgement.',
    }),
    request: DownloadLink.meta({ description: 'The file with the forms.' }),
    manifest: DownloadLink.meta({ description: 'The manifest.' }),
  })
  .meta({ id: 'FormTransmission', description: 'Files of released forms for the IRS.' })

export const FormTransmissions = z.array(FormTransmission).meta({ description: 'The transmissions, latest first.' })

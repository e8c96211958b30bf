import { z } from 'zod'
import { DownloadLink } from '../../../http/files/download-link.ts'
import { DayAnswer, Id, Timestamp } from '../../../kernel/fields.ts'
import { wholeNumber } from '../../../kernel/pages.ts'
import { copied_states } from '../forms/deadline-rules.ts'

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
    .meta({ description: 'The part of the print file, from 1 to `print_part_count`. Default: 1.', example: 1 }),
})

export const NewFormRelease = z
  .object({ tax_year: z.int().min(2020).max(2199).meta({ description: year_meaning }) })
  .meta({ id: 'NewForm1095cRelease' })

const Deadline = z
  .object({
    jurisdiction: z.enum(['IRS', ...copied_states]).meta({ description: 'The IRS, or a state where employees live.' }),
    step: z.enum(['furnish', 'file']).meta({ description: 'furnish: to the employees. file: with the jurisdiction.' }),
    form: z.string().meta({ description: 'The form.' }),
    due_on: DayAnswer.meta({ description: 'The last day.' }),
  })
  .meta({ id: 'FormDeadline' })

export const FormFiling = z
  .object({
    employer_id: Id('empr'),
    tax_year,
    derived_at: Timestamp.nullable().meta({
      description: 'When the forms were last derived.',
      on_null: 'Null before the first derivation.',
    }),
    form_count: z.int().meta({ description: 'The forms that are due, by the last derivation.' }),
    released_at: Timestamp.nullable().meta({
      description: 'When the forms were last released.',
      on_null: 'Null before the first release.',
    }),
    released_count: z.int().meta({ description: 'The people with a released form.' }),
    corrected_count: z.int().meta({ description: 'Those whose latest form is a corrected form.' }),
    changed_count: z.int().meta({
      description: 'The derived forms without a release, or that differ from the latest released form.',
    }),
    print_count: z.int().meta({ description: 'The released forms of people without consent to electronic delivery.' }),
    print_part_count: z.int().meta({ description: 'The number of parts of the print file.' }),
    deadlines: z.array(Deadline).meta({
      description: 'The deadlines of the IRS, and of the states with such laws in which employees live.',
    }),
  })
  .meta({
    id: 'FormFiling',
    description: 'The state of the Forms 1095-C of a tax year, for all people under the EIN of the employer.',
  })

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
      description: 'When the employee last consented.',
      on_null: 'Null if the employee never consented.',
    }),
    withdrawn_at: Timestamp.nullable().meta({
      description: 'When the employee withdrew the consent.',
      on_null: 'Null if the consent is in force or was never given.',
    }),
  })
  .meta({ id: 'ElectronicDelivery', description: 'The consent of a person to receive tax forms electronically.' })

const TaxForm = z
  .object({
    tax_year,
    form: z.enum(['1095-C']).meta({ description: 'The form.' }),
    version: z.int().meta({ description: 'The number of the release of this form, from 1.' }),
    is_corrected: z.boolean().meta({ description: 'Whether it corrects an earlier released form.' }),
    released_at: Timestamp.meta({ description: 'When the form was released.' }),
    file: DownloadLink,
  })
  .meta({ id: 'ReleasedTaxForm' })

export const TaxForms = z
  .object({
    electronic_delivery: ElectronicDelivery,
    forms: z.array(TaxForm).meta({ description: 'The latest released form of each tax year, newest year first.' }),
  })
  .meta({ id: 'EmployeeTaxForms', description: 'The released tax forms of an employee.' })

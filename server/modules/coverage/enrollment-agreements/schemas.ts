import { z } from 'zod'
import { ResponseDay, Id, optional, paragraphs, text, Timestamp, Language } from '../../../kernel/fields.ts'

const max_characters = 4000

export const NewEnrollmentAgreement = z
  .object({
    benefit_plan_year_id: optional(Id('plyr')).meta({
      description:
        'The plan year for which the text replaces your general text. Without it, the text applies to all plan years.',
    }),
    text_en: paragraphs(max_characters).meta({ description: 'The English text. Line breaks are kept.' }),
    text_es: paragraphs(max_characters).meta({ description: 'The Spanish text. Line breaks are kept.' }),
  })
  .meta({ id: 'NewEnrollmentAgreement' })
export type NewEnrollmentAgreement = z.output<typeof NewEnrollmentAgreement>

export const EnrollmentAgreement = z
  .object({
    id: Id('eagr').nullable().meta({
      description: 'The version of the text. Null for the default text, which applies until you create your own.',
    }),
    benefit_plan_year_id: Id('plyr').nullable().meta({
      description: 'The plan year of the text. Null if it applies to all plan years without their own text.',
    }),
    plan_year: z
      .object({
        employer_id: Id('empr'),
        employer_name: z.string(),
        coverage_start: ResponseDay,
        coverage_end: ResponseDay,
      })
      .nullable()
      .meta({ description: 'The employer and the days of the plan year. Null if the text applies to all plan years.' }),
    version: z.int().meta({ description: 'The number of the version, from 1. 0 for the default text.' }),
    text_en: z.string().meta({ description: 'The English text.' }),
    text_es: z.string().meta({ description: 'The Spanish text.' }),
    created_at: Timestamp.nullable().meta({ description: 'When the version was created. Null for the default text.' }),
  })
  .meta({ id: 'EnrollmentAgreement', description: 'An agreement that employees sign with their elections.' })
export type EnrollmentAgreement = z.output<typeof EnrollmentAgreement>

export const EnrollmentAgreementList = z
  .object({ data: z.array(EnrollmentAgreement) })
  .meta({ id: 'EnrollmentAgreementList' })

export const NewSignature = z
  .object({
    name: text(200).meta({ description: 'The name that the employee typed. It may differ from the name on record.' }),
    agreement_ids: z
      .array(Id('eagr'))
      .max(25)
      .meta({ description: 'The ids of the agreements that the employee read. The default text has no id.' }),
    pre_tax_consent: z.literal(true, 'must be true').meta({
      description: 'The employee agrees to pre-tax deductions where the law allows them.',
    }),
    language: Language.meta({ description: 'The language in which the employee read the agreements.' }),
  })
  .meta({ id: 'NewEnrollmentSignature', description: 'The signature of an employee on elections and waivers.' })
export type NewSignature = z.output<typeof NewSignature>

import { z } from 'zod'
import { DownloadLink } from '../../../http/files/download-link.ts'
import { ResponseDay, Id, optional, Timestamp, Language } from '../../../kernel/fields.ts'
import { Election, Waiver } from '../elections/schemas.ts'
import { NewSignature } from '../enrollment-agreements/schemas.ts'
import { onePerEnrollment } from '../enrollment-drafts/schemas.ts'
import { EnrolledBenefit } from '../enrollments/schemas.ts'
import { CoverageTier } from '../../directory/catalog/schemas.ts'
import { EnrollmentAnswer } from '../../directory/evidence/schemas.ts'

const Answer = z
  .object({
    enrollment_id: Id('enrl'),
    elect: optional(Election).meta({ description: 'The election. Send either this or `waive`.' }),
    waive: optional(Waiver).meta({ description: 'Waives the benefit.' }),
  })
  .refine(({ elect, waive }) => (elect === undefined) !== (waive === undefined), {
    path: ['elect'],
    message: 'must contain either elect or waive',
  })

export const EnrollmentAnswers = z
  .object({
    answers: onePerEnrollment(Answer)
      .min(1, 'must contain at least one answer')
      .meta({ description: 'One election or waiver for each enrollment.' }),
    signature: optional(NewSignature).meta({
      description: 'The signature of the employee. It is stored with the elections and shown in their history.',
    }),
    dry_run: optional(z.boolean()).meta({ description: 'If true, the response shows the cost and nothing changes.' }),
  })
  .meta({ id: 'EnrollmentAnswers' })
export type EnrollmentAnswers = z.output<typeof EnrollmentAnswers>

export const ConfirmationQuery = z.object({
  language: Language.default('en').meta({ description: 'The language of the document.' }),
})

const cents = (description: string) => z.int().meta({ description })

const per_paycheck = cents(
  'The regular deduction of the first paycheck after the whole election has taken effect, in cents. Later ' +
    'paychecks can differ by a cent, so that the year adds up exactly.',
)

const QuotedAnswer = z.object({
  enrollment_id: Id('enrl'),
  benefit: EnrolledBenefit,
  answer: EnrollmentAnswer.meta({ description: 'Whether it is an election or a waiver.' }),
  plan_id: Id('pln').nullable().meta({ description: 'The plan. Null for a waiver.' }),
  coverage_tier: CoverageTier.nullable().meta({
    description: 'The coverage level after the whole election has taken effect. Null for a waiver.',
  }),
  dependent_ids: z.array(Id('dep')),
  effective_on: ResponseDay.nullable().meta({
    description: 'The first day on which the election applies. Null for a waiver.',
  }),
  premium_in_cents: cents('Cents per month.'),
  employer_contribution_in_cents: cents('Cents per month.'),
  employee_deduction_in_cents: cents('Cents per month.'),
  per_paycheck_in_cents: per_paycheck,
  first_paycheck: z
    .object({
      period_start_date: ResponseDay,
      period_end_date: ResponseDay,
      amount_in_cents: cents('The deduction for this benefit in cents, including corrections for earlier paychecks.'),
      corrections_in_cents: cents('The part of the amount that is for earlier paychecks, in cents.'),
    })
    .nullable()
    .meta({ description: 'The first paycheck with a deduction for this election. Null without such a paycheck.' }),
})

export const EnrollmentQuote = z
  .object({
    employee_id: Id('empl'),
    dry_run: z.boolean(),
    answers: z
      .array(QuotedAnswer)
      .meta({ description: 'The elections and waivers in the order in which they were sent.' }),
    replaced: z
      .array(Id('enrl'))
      .meta({ description: 'Other enrollments of the same choice group that are waived or end.' }),
    continued: z
      .array(Id('enrl'))
      .meta({ description: 'Other enrollments that continue, because their replacement is waived.' }),
    employee_deduction_in_cents: cents('The monthly total of all elections, in cents.'),
    employer_contribution_in_cents: cents('The monthly total of all elections, in cents.'),
    per_paycheck_in_cents: cents('The total of all elections per paycheck, in cents.'),
  })
  .meta({
    id: 'EnrollmentQuote',
    description: 'The cost of the elections, calculated by the rules of payroll deductions.',
  })
export type EnrollmentQuote = z.output<typeof EnrollmentQuote>

const EnrollmentConfirmation = z
  .object({
    id: Id('conf').meta({ description: 'The id, as in the history of the enrollments.' }),
    submitted_at: Timestamp.meta({ description: 'When the elections and waivers were submitted.' }),
    language: Language.meta({ description: 'The language of the document.' }),
    enrollment_ids: z.array(Id('enrl')).meta({ description: 'The enrollments of the submission.' }),
    sha256: z
      .string()
      .nullable()
      .meta({
        description:
          'The SHA-256 of the PDF in hexadecimal. The PDF never changes. Null for a few seconds, until the PDF is ' +
          'rendered.',
      }),
    file: DownloadLink.meta({ description: 'The download link of the PDF.' }),
  })
  .meta({ id: 'EnrollmentConfirmation', description: 'The stored confirmation of a submission.' })
export type EnrollmentConfirmation = z.output<typeof EnrollmentConfirmation>

export const EnrollmentConfirmationList = z
  .object({ data: z.array(EnrollmentConfirmation) })
  .meta({ id: 'EnrollmentConfirmationList' })

import { z } from 'zod'
import { ResponseDay, Id, optional, text, Timestamp } from '../../../kernel/fields.ts'
import { WaiverReason } from '../../directory/evidence/schemas.ts'

/** More than the number of benefits and dependents of any employee. */
const max_answers = 25
const max_dependents = 50

const dependents = z.array(Id('dep')).max(max_dependents, `must contain at most ${max_dependents} dependents`)

const IndividualPlan = z.object({
  name: text(),
  premium_in_cents: z.int().min(0).max(100_000_000_000).meta({ description: 'Cents per month.' }),
})

const drafted_election = {
  plan_id: Id('pln').meta({ description: 'One of the `plans` of the enrollment.' }),
  dependent_ids: dependents.meta({ description: 'The dependents to cover.' }),
  individual_plan: optional(IndividualPlan).meta({ description: 'The plan that the employee bought, for ICHRA.' }),
  bought_on_exchange: optional(z.boolean()).meta({ description: 'Whether that plan was bought on an exchange.' }),
}

const DraftedAnswer = z
  .object({
    enrollment_id: Id('enrl'),
    elect: optional(z.object(drafted_election)).meta({
      description: 'The plan and the dependents chosen so far. Send either this or `waive`.',
    }),
    waive: optional(z.object({ reason_code: optional(WaiverReason) })).meta({
      description: 'The employee wants to waive the benefit.',
    }),
  })
  .refine(({ elect, waive }) => (elect === undefined) !== (waive === undefined), {
    path: ['elect'],
    message: 'must contain either elect or waive',
  })

/** A list of answers with at most one for each enrollment. */
export const onePerEnrollment = <Answer extends z.ZodType<{ enrollment_id: string }>>(answer: Answer) =>
  z
    .array(answer)
    .max(max_answers, `must contain at most ${max_answers} answers`)
    .superRefine((answers, check) => {
      const ids = answers.map(({ enrollment_id }) => enrollment_id)
      ids.forEach((id, index) => {
        if (ids.indexOf(id) < index)
          check.addIssue({ code: 'custom', path: [index, 'enrollment_id'], message: 'must appear only once' })
      })
    })

export const EnrollmentDraftInput = z
  .object({
    dependent_ids: dependents.meta({ description: 'The dependents to cover unless a benefit differs.' }),
    answers: onePerEnrollment(DraftedAnswer).meta({
      description: 'The choices so far, at most one for each enrollment. Undecided benefits are absent.',
    }),
    version: z
      .string()
      .max(64)
      .nullable()
      .optional()
      .meta({
        description:
          'The `version` of the draft that the employee continued. Null without a draft. The request is refused if ' +
          'another device has saved other choices since. Without this field, the request replaces any draft.',
      }),
  })
  .meta({ id: 'EnrollmentDraftInput', description: 'An unfinished election. It replaces the saved draft.' })
export type EnrollmentDraftInput = z.output<typeof EnrollmentDraftInput>

const ShownAnswer = z
  .object({
    enrollment_id: Id('enrl'),
    elect: z
      .object({
        ...drafted_election,
        individual_plan: z
          .object({ name: z.string(), premium_in_cents: z.int().meta({ description: 'Cents per month.' }) })
          .nullable()
          .meta({ description: 'The plan that the employee bought, for ICHRA. Null for other benefits.' }),
        bought_on_exchange: z.boolean().nullable().meta({
          description: 'Whether that plan was bought on an exchange. Null for other benefits.',
        }),
      })
      .nullable()
      .meta({ description: 'The chosen plan and dependents. Null for a waiver.' }),
    waive: z
      .object({ reason_code: WaiverReason.nullable().meta({ description: 'The reason. Null if none was chosen.' }) })
      .nullable()
      .meta({ description: 'The intended waiver. Null for an election.' }),
  })
  .meta({ id: 'DraftedAnswer', description: 'A choice that is not submitted yet.' })

export const EnrollmentDraft = z
  .object({
    employee_id: Id('empl'),
    dependent_ids: z
      .array(Id('dep'))
      .meta({ description: 'The dependents to cover unless a benefit differs. Ended dependents are left out.' }),
    answers: z.array(ShownAnswer).meta({
      description: 'The choices that can still be made. Those for closed enrollments or withdrawn plans are left out.',
    }),
    window_ends_on: ResponseDay.nullable().meta({
      description: 'The last day of the open window, after which the draft is discarded. Null if no window is open.',
    }),
    saved_at: Timestamp.nullable().meta({ description: 'When the draft was last saved. Null without a draft.' }),
    version: z
      .string()
      .nullable()
      .meta({
        description:
          'Identifies the saved choices. Send it with the next save. Equal choices have the same version. Null ' +
          'without a draft.',
      }),
  })
  .meta({ id: 'EnrollmentDraft', description: 'The unfinished election of an employee. Empty without a draft.' })
export type EnrollmentDraft = z.output<typeof EnrollmentDraft>

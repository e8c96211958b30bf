import { z } from 'zod'
import { DayAnswer, Id, optional } from '../../../kernel/fields.ts'
import { Election, Waiver } from '../elections/schemas.ts'
import { CoverageTier, EnrolledBenefit } from '../enrollments/schemas.ts'

/** More than anybody is offered. */
const most_answers = 25

const Answer = z
  .object({
    enrollment_id: Id('enrl'),
    elect: optional(Election).meta({ description: 'What is elected; this or `waive`.' }),
    waive: optional(Waiver).meta({ description: 'Waives the benefit.' }),
  })
  .refine(({ elect, waive }) => (elect === undefined) !== (waive === undefined), {
    path: ['elect'],
    message: 'send either elect or waive',
  })

export const NewAnswers = z
  .object({
    answers: z
      .array(Answer)
      .min(1, 'must hold at least one answer')
      .max(most_answers, `must hold at most ${most_answers} answers`)
      .superRefine((answers, check) => {
        const ids = answers.map(({ enrollment_id }) => enrollment_id)
        ids.forEach((id, at) => {
          if (ids.indexOf(id) < at)
            check.addIssue({ code: 'custom', path: [at, 'enrollment_id'], message: 'is answered twice' })
        })
      })
      .meta({ description: 'One for each enrollment.' }),
    dry_run: optional(z.boolean()).meta({ description: 'true: tell what it would cost, and write nothing.' }),
  })
  .meta({ id: 'NewAnswers' })
export type NewAnswers = z.output<typeof NewAnswers>

export const ConfirmationQuery = z.object({
  language: z.enum(['en', 'es']).default('en').meta({ description: 'In which language.' }),
})

const cents = (description: string) => z.int().meta({ description })

const per_paycheck = cents('What one paycheck takes once all has begun, in cents; it may differ by a cent.')

const QuotedAnswer = z.object({
  enrollment_id: Id('enrl'),
  benefit: EnrolledBenefit,
  answer: z.enum(['enrolled', 'waived']).meta({ description: 'What the answer is.' }),
  plan_id: Id('pln').nullable().meta({ description: 'The plan; null of a waiver.' }),
  coverage_tier: CoverageTier.nullable().meta({ description: 'Whom it covers at the end; null of a waiver.' }),
  dependent_ids: z.array(Id('dep')),
  effective_on: DayAnswer.nullable().meta({ description: 'From which day on it holds; null of a waiver.' }),
  premium_in_cents: cents('Per month.'),
  employer_contribution_in_cents: cents('Per month.'),
  employee_deduction_in_cents: cents('Per month.'),
  per_paycheck_in_cents: per_paycheck,
  first_paycheck: z
    .object({
      period_start_date: DayAnswer,
      period_end_date: DayAnswer,
      amount_in_cents: cents('What it takes for this benefit, with what earlier ones should have.'),
    })
    .nullable()
    .meta({ description: 'The first that something is taken from by this answer; null when nothing is.' }),
})

export const AnswerQuote = z
  .object({
    employee_id: Id('empl'),
    dry_run: z.boolean(),
    answers: z.array(QuotedAnswer).meta({ description: 'Each answer, in the order sent.' }),
    gives_way: z.array(Id('enrl')).meta({ description: 'Others that are waived or end since they share a choice.' }),
    goes_on: z.array(Id('enrl')).meta({ description: 'Others that do not end, since what was to follow is waived.' }),
    employee_deduction_in_cents: cents('All of the answers, per month.'),
    employer_contribution_in_cents: cents('All of the answers, per month.'),
    per_paycheck_in_cents: cents('All of the answers.'),
  })
  .meta({ id: 'AnswerQuote', description: 'What answers come to, by the rules that payroll is told by.' })
export type AnswerQuote = z.output<typeof AnswerQuote>

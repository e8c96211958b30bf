import { z } from 'zod'
import { ResponseDay, DayText, Id, optional, text, Timestamp } from '../../../kernel/fields.ts'
import { actors, max_plans, setup_steps, step_statuses } from './rules.ts'

const day_words = {
  coverage_start: 'The first day of coverage.',
  coverage_end: 'The last day of coverage.',
  open_enrollment_start: 'The first day of open enrollment.',
  open_enrollment_end: 'The last day of open enrollment.',
}

const message = { description: 'A message to the operator.' }

export const NewPlanYearRequest = z
  .object({
    coverage_start: DayText.meta({
      description: `${day_words.coverage_start} At most one year ago or two years ahead.`,
    }),
    coverage_end: optional(DayText).meta({
      description: `${day_words.coverage_end} At most, and by default, one year of coverage.`,
    }),
    open_enrollment_start: optional(DayText).meta({ description: day_words.open_enrollment_start }),
    open_enrollment_end: optional(DayText).meta({ description: day_words.open_enrollment_end }),
    plan_ids: optional(z.array(Id('pln')).max(max_plans)).meta({
      description: 'The plans to offer, from the catalog of your organization.',
    }),
    message: optional(text(1000)).meta(message),
  })
  .superRefine(({ coverage_start, coverage_end, open_enrollment_start, open_enrollment_end }, check) => {
    const report = (field: string, message: string) => check.addIssue({ code: 'custom', path: [field], message })
    if (coverage_end && coverage_end <= coverage_start) report('coverage_end', 'must be after coverage_start')
    if (!open_enrollment_end) return
    if (!open_enrollment_start) report('open_enrollment_start', 'is required with open_enrollment_end')
    else if (open_enrollment_end < open_enrollment_start)
      report('open_enrollment_end', 'must not be before open_enrollment_start')
  })
  .meta({ id: 'NewPlanYearRequest' })
export type NewPlanYearRequest = z.output<typeof NewPlanYearRequest>

const PlanYearRequest = z
  .object({
    coverage_start: ResponseDay.meta({ description: day_words.coverage_start }),
    coverage_end: ResponseDay.nullable().meta({
      description: day_words.coverage_end,
      on_null: 'Null for one year of coverage.',
    }),
    open_enrollment_start: ResponseDay.nullable().meta({
      description: day_words.open_enrollment_start,
      on_null: 'Null if the operator chooses the day.',
    }),
    open_enrollment_end: ResponseDay.nullable().meta({
      description: day_words.open_enrollment_end,
      on_null: 'Null if the operator chooses the day.',
    }),
    plans: z
      .array(z.object({ id: Id('pln'), name: z.string(), benefit_id: Id('bprd'), benefit_name: z.string() }))
      .meta({ description: 'The requested plans.' }),
    message: z
      .string()
      .nullable()
      .meta({ ...message, on_null: 'Null if there is no message.' }),
    requested_at: Timestamp,
  })
  .meta({ id: 'PlanYearRequest', description: 'A plan year that you requested from the operator.' })

const SetupStep = z
  .object({
    step: z.enum(setup_steps).meta({
      id: 'EmployerSetupStep',
      description:
        'details: name, EIN and address. eligibility: a policy is active. payroll_calendar: `pay_frequency` or ' +
        '`first_pay_date` was set. contacts: an admin with a name exists. plan_year: a plan year is open. census: ' +
        'the roster has employees. invitations: the schedule of messages was saved, or a message was sent. go_live: ' +
        'the subscription is active and the first coverage has started.',
    }),
    status: z.enum(step_statuses).meta({
      id: 'EmployerSetupStepStatus',
      description:
        'done: complete. open: can be done now. waiting: waits for the operator, or for the first day of coverage.',
    }),
    actor: z.enum(actors).nullable().meta({
      description: 'The party that completes the step: your organization, or the operator. Null if no one has to act.',
    }),
    starts_on: ResponseDay.nullable().meta({
      description:
        'The first day of coverage, for the steps `plan_year` and `go_live`. Null for other steps, and without a ' +
        'plan year.',
    }),
  })
  .meta({ id: 'EmployerSetupItem' })

export const EmployerSetup = z
  .object({
    employer_id: Id('empr'),
    done_count: z.int().meta({ description: 'The number of completed steps.' }),
    step_count: z.int().meta({ description: 'The number of steps.' }),
    is_subscribed: z.boolean().meta({
      description: 'Whether the employer has an active subscription. Employees cannot be added without one.',
    }),
    steps: z.array(SetupStep).meta({ description: 'The steps, in the usual order.' }),
    plan_year_request: PlanYearRequest.nullable().meta({
      description: 'The open request for a plan year. Null without an open request.',
    }),
  })
  .meta({ id: 'EmployerSetup', description: 'The steps until the first coverage of an employer starts.' })

import type { Ctx } from '../../../runtime/ctx.ts'
import { addDays, type Day } from '../../../kernel/days.ts'
import { refuse, Refusal } from '../../../kernel/refusal.ts'
import type { EmployeeKey } from '../../access/auth/queries.ts'
import { whyNotElectBeforeReading } from '../../directory/documents/actions.ts'
import { findPaycheckFacts } from '../../money/deductions/paycheck-queries.ts'
import { paychecksAhead } from '../../money/deductions/paycheck-rules.ts'
import { sumOfAmounts } from '../../money/deductions/rules.ts'
import {
  electEnrollment,
  addPriceSteps,
  planElection,
  planWaiver,
  pricedSteps,
  waiveEnrollment,
  type PlannedElection,
} from '../elections/actions.ts'
import { replacedChoices } from '../elections/choice-rules.ts'
import type { ElectionRecord } from '../elections/price-rules.ts'
import { agreementsToSign, saveSignature } from '../enrollment-agreements/actions.ts'
import { deleteDraft } from '../enrollment-drafts/queries.ts'
import { locateEnrollment, type EnrollmentKey } from '../enrollments/queries.ts'
import { listBenefits, listResumed } from './queries.ts'
import { storeConfirmation } from './confirmation-actions.ts'
import {
  lastPaycheckDay,
  refusalOfAnswer,
  refusals,
  paycheckDeductionsOf,
  effectOnRival,
  whyNotElectBoth,
  withChange,
  type AnswerEffect,
  type ElectedChoice,
} from './rules.ts'
import type { EnrollmentQuote, EnrollmentAnswers } from './schemas.ts'

type AnswerInput = EnrollmentAnswers['answers'][number]

type Planned = { key: EnrollmentKey; input: AnswerInput; elected?: ElectedSteps }
type ElectedSteps = { planned: PlannedElection; start: Day; elections: ElectionRecord[] }

/**
 * Saves several answers of an employee, all or nothing, or only returns a quote. The quote and the changes come from
 * the same plan, so that they can't differ.
 */
export async function submitAnswers(
  ctx: Ctx,
  employee: EmployeeKey,
  input: EnrollmentAnswers,
): Promise<EnrollmentQuote> {
  const { answers, signature, dry_run = false } = input
  const planned: Planned[] = []
  for (const [index, answer] of answers.entries())
    planned.push(await naming(index, () => planAnswer(ctx, employee, answer)))
  refuse(whyNotElectBoth(electedOf(planned)))
  const agreements = signature && (await agreementsToSign(ctx, employee.employee_id, signature))
  if (signature || (!dry_run && ctx.caller.kind === 'employee_token'))
    refuse(await whyNotElectBeforeReading(ctx, employee, { ...answeredBy(answers), language: signature?.language }))
  const quote = await quoteOf(ctx, employee, planned)
  if (!dry_run) {
    for (const [index, { key, input: answer }] of planned.entries())
      await naming(index, async () => {
        if (answer.elect) await electEnrollment(ctx, key, answer.elect)
        else await waiveEnrollment(ctx, key, answer.waive!)
      })
    const enrollment_ids = answers.map(({ enrollment_id }) => enrollment_id)
    if (signature && agreements) await saveSignature(ctx, employee, signature, { agreements, enrollment_ids })
    await storeConfirmation(ctx, employee, { language: signature?.language ?? 'en', enrollment_ids })
    await deleteDraft(ctx, { employee_id: employee.employee_id, organization_id: employee.organization_id })
  }
  return { ...quote, dry_run }
}

const answeredBy = (answers: AnswerInput[]) => ({
  enrollment_ids: answers.map(({ enrollment_id }) => enrollment_id),
  plan_ids: answers.flatMap(({ elect }) => elect?.plan_id ?? []),
})

/** Runs the work for one of several answers. A refusal names that answer in its fields. */
async function naming<T>(index: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof Refusal ? refusalOfAnswer(index, error) : error
  }
}

async function planAnswer(ctx: Ctx, employee: EmployeeKey, answer_input: AnswerInput): Promise<Planned> {
  const { enrollment_id, elect } = answer_input
  const key = await locateEnrollment(ctx, { enrollment_id })
  if (key?.employee_id !== employee.employee_id)
    throw new Refusal(refusals.enrollment_of_other_employee, [
      { field: 'enrollment_id', message: 'does not belong to this employee' },
    ])
  if (!elect) {
    await planWaiver(ctx, key)
    return { key, input: answer_input }
  }
  const planned = await planElection(ctx, key, elect)
  return { key, input: answer_input, elected: { planned, ...pricedSteps(planned) } }
}

const electedOf = (answers: Planned[]): ElectedChoice[] =>
  answers.flatMap(({ key, elected }, index) => {
    if (!elected) return []
    const { enrollment, rivals } = elected.planned
    const through = enrollment.coverage_end ?? enrollment.plan_year_end
    const rival_ids = rivals.map(({ id }) => id)
    return [{ index, enrollment_id: key.enrollment_id, from: elected.start, through, rival_ids }]
  })

/** The enrollments that answers waive: those that are waived by their own answer, and others of the choice groups. */
function waivedBy(answers: Planned[], today: Day): Set<string> {
  const waived = answers.flatMap(({ key, elected }) => {
    if (!elected) return [key.enrollment_id]
    const { enrollment, rivals, steps } = elected.planned
    return replacedChoices(enrollment, rivals, steps[0]!.day, today).waived.map(({ id }) => id)
  })
  const elected = new Set(answers.flatMap((answer) => (answer.elected ? [answer.key.enrollment_id] : [])))
  return new Set(waived).difference(elected)
}

/**
 * The effects of answers on enrollments: on those that are answered, on those that give way, and on those that
 * continue.
 */
async function changesOf(ctx: Ctx, organization_id: string, answers: Planned[]): Promise<Map<string, AnswerEffect>> {
  const waived = waivedBy(answers, ctx.today)
  const elected_ids = answers.flatMap(({ key, elected }) => (elected ? [key.enrollment_id] : []))
  const resumed = await listResumed(ctx, organization_id, { waived: [...waived], elected: elected_ids })
  const changes = new Map<string, AnswerEffect>([...resumed].map(([id, last_day]) => [id, { last_day }]))
  for (const { elected } of answers) {
    if (!elected) continue
    const from = elected.planned.steps[0]!.day
    // Coverage that has begun ends when its replacement begins. In another plan year, it keeps its days.
    for (const { id, answer, coverage_start, coverage_end, plan_year_end } of elected.planned.rivals) {
      const last_day = resumed.get(id) ?? coverage_end ?? plan_year_end
      if (answer === 'enrolled' && coverage_start < from && from <= last_day)
        changes.set(id, { last_day: addDays(from, -1) })
    }
  }
  for (const id of waived) changes.set(id, 'waived')
  for (const { key, elected } of answers)
    if (elected) {
      const { start } = elected
      const elections = addPriceSteps(elected.planned, elected)
      changes.set(key.enrollment_id, { elections, start, last_day: resumed.get(key.enrollment_id) })
    }
  return changes
}

async function quoteOf(ctx: Ctx, { employee_id, organization_id }: EmployeeKey, answers: Planned[]) {
  const ids = answers.map(({ key }) => key.enrollment_id)
  const changes = await changesOf(ctx, organization_id, answers)
  const benefits = await listBenefits(ctx, organization_id, ids)
  const facts = (await findPaycheckFacts(ctx, { employee_id, year: Number(ctx.today.slice(0, 4)) }))!
  const enrollments = facts.enrollments.map((enrollment) =>
    withChange(enrollment, changes.get(enrollment.enrollment_id), ctx.today),
  )
  const starts = answers.flatMap(({ elected }) => (elected ? [elected.start, elected.planned.steps.at(-1)!.day] : []))
  const paychecks = paychecksAhead({ ...facts, enrollments }, ctx.today, lastPaycheckDay(ctx.today, starts))
  const quoted = answers.map(({ key: { enrollment_id }, elected }) => {
    const benefit = benefits.get(enrollment_id)!
    if (!elected) return { enrollment_id, benefit, ...of_a_waiver }
    const last = elected.elections.at(-1)!
    const { enrollment, steps } = elected.planned
    const effective_on = steps[0]!.day
    const settled_on = steps.findLast(({ day }) => day <= enrollment.plan_year_end)!.day
    return {
      enrollment_id,
      benefit,
      answer: 'enrolled' as const,
      plan_id: last.plan_id,
      coverage_tier: last.coverage_tier,
      dependent_ids: last.dependent_ids,
      effective_on,
      premium_in_cents: last.premium_in_cents,
      employer_contribution_in_cents: last.employer_contribution_in_cents,
      employee_deduction_in_cents: last.employee_deduction_in_cents,
      ...paycheckDeductionsOf(enrollment_id, paychecks, { effective_on, settled_on }),
    }
  })
  const total = (column: 'employee_deduction_in_cents' | 'employer_contribution_in_cents' | 'per_paycheck_in_cents') =>
    sumOfAmounts(quoted.map((answer) => answer[column]))
  const others = (way: ReturnType<typeof effectOnRival>) =>
    facts.enrollments
      .filter(
        (enrollment) =>
          !ids.includes(enrollment.enrollment_id) &&
          effectOnRival(enrollment, changes.get(enrollment.enrollment_id)) === way,
      )
      .map(({ enrollment_id }) => enrollment_id)
  return {
    employee_id,
    answers: quoted,
    replaced: others('replaced'),
    continued: others('continued'),
    employee_deduction_in_cents: total('employee_deduction_in_cents'),
    employer_contribution_in_cents: total('employer_contribution_in_cents'),
    per_paycheck_in_cents: total('per_paycheck_in_cents'),
  }
}

const of_a_waiver = {
  answer: 'waived' as const,
  plan_id: null,
  coverage_tier: null,
  dependent_ids: [],
  effective_on: null,
  premium_in_cents: 0,
  employer_contribution_in_cents: 0,
  employee_deduction_in_cents: 0,
  per_paycheck_in_cents: 0,
  first_paycheck: null,
}

import type { z } from 'zod'
import type { ConfirmationDocument, ConfirmedChoice } from '../../../documents/confirmation.ts'
import { renderForOrganization } from '../../../documents/pdf-rendering.ts'
import type { Day } from '../../../kernel/days.ts'
import { findClock, withClock } from '../../../runtime/clock.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import type { Download } from '../../../http/files/downloads.ts'
import { displayNameIn } from '../../access/organizations/rules.ts'
import { findPaycheckFacts } from '../../money/deductions/paycheck-queries.ts'
import { paycheckOf, paychecksAhead, type Paycheck } from '../../money/deductions/paycheck-rules.ts'
import { findLastSignature } from '../enrollment-agreements/queries.ts'
import { listEnrollments } from '../enrollments/queries.ts'
import type { Enrollment as EnrollmentSchema } from '../enrollments/schemas.ts'
import { findConfirmed } from './queries.ts'
import { lastPaycheckDay, paycheckDeductionsOf } from './rules.ts'

type Enrollment = z.output<typeof EnrollmentSchema>

/** More than the current enrollments of any employee. */
const most = 100

/** The number of paychecks that are shown. The first one can contain corrections for earlier ones. */
const paychecks_shown = 2

/** Renders the PDF with the elections of an employee at the time of download. */
const openConfirmation =
  (language: ConfirmationDocument['language']): Download =>
  async (ctx, { organization_id, id }) => {
    const at_home = withClock(ctx, await findClock(ctx.db, organization_id))
    const document = await confirmationOf(at_home, { organization_id, employee_id: id }, language)
    if (!document) return undefined
    const body = await renderForOrganization(organization_id, 'confirmation', JSON.stringify(document))
    return { file_name: `benefits-${at_home.today}.pdf`, content_type: 'application/pdf', bytes: body.length, body }
  }

/** The download kinds, one for each language. */
export const present_elections = { confirmation_en: openConfirmation('en'), confirmation_es: openConfirmation('es') }

/** The elections and waivers of an employee after the latest submission. */
export async function confirmationOf(
  ctx: Ctx,
  employee: { organization_id: string; employee_id: string },
  language: ConfirmationDocument['language'],
): Promise<ConfirmationDocument | undefined> {
  const { today } = ctx
  const found = await findConfirmed(ctx, employee)
  const facts = await findPaycheckFacts(ctx, employee.employee_id, Number(today.slice(0, 4)))
  const listed = await listEnrollments(ctx, employee.employee_id, { page: 1, limit: most })
  if (!found || !facts || !listed) return undefined
  const all = (JSON.parse(listed) as { data: Enrollment[] }).data
  const submitted_at = lastSubmissionOf(all)
  const submitted = submittedOf(all, submitted_at)
  const signature = await findLastSignature(ctx, employee)
  const starts = submitted.flatMap(({ coverage_start, upcoming_election: next }) => [
    coverage_start as Day,
    ...(next ? [next.effective_on as Day] : []),
  ])
  const ids = new Set<string>(submitted.map(({ id }) => id))
  const paychecks = paychecksAhead(facts, today, lastPaycheckDay(today, starts)).map(({ lines, ...paycheck }) =>
    paycheckOf({ ...paycheck, lines: lines.filter(({ enrollment_id }) => ids.has(enrollment_id)) }),
  )
  const { organization_name, employer_name, first_name, last_name, family, display_names } = found
  const displayName = displayNameIn(language, display_names)
  const renamed = <Row extends { benefit_name: string }>(row: Row) => ({
    ...row,
    benefit_name: displayName(row.benefit_name),
  })
  return {
    language,
    organization_name,
    employer_name,
    employee_name: `${first_name} ${last_name}`,
    // An earlier signature does not cover a later submission without one.
    signature: signature && signature.signed_at === submitted_at ? signature : null,
    today,
    plan_years: [...Map.groupBy(submitted, planYearOf).values()].map((those) => ({
      start: those[0]!.plan_year_start,
      end: those[0]!.plan_year_end,
      answers: those.flatMap((one) => confirmed(one, [first_name, family], paychecks)).map(renamed),
    })),
    paychecks: paychecks
      .filter(({ lines }) => lines.length > 0)
      .slice(0, paychecks_shown)
      .map((one) => ({ ...one, lines: one.lines.map(renamed) })),
  }
}

const isAnswered = ({ status }: Enrollment): boolean => status === 'enrolled' || status === 'waived'

/** The time of the latest submission, which all its answers have. Undefined if nothing was submitted. */
const lastSubmissionOf = (all: Enrollment[]): string | undefined =>
  all
    .filter(isAnswered)
    .map(({ answered_at }) => answered_at ?? '')
    .sort()
    .at(-1)

/** The elections and waivers of the plan years of the latest submission, the earliest plan year first. */
function submittedOf(all: Enrollment[], submitted_at: string | undefined): Enrollment[] {
  const answered = all.filter(isAnswered)
  const years = new Set<string>(
    answered.filter((one) => (one.answered_at ?? '') === submitted_at).map((one) => one.benefit_plan_year_id),
  )
  return answered.filter((one) => years.has(one.benefit_plan_year_id)).sort(byPlanYearAndBenefit)
}

/** The days of a plan year, which group benefits of plan years with the same days. */
const planYearOf = ({ plan_year_start, plan_year_end }: Enrollment): string => `${plan_year_start} ${plan_year_end}`

const byPlanYearAndBenefit = (a: Enrollment, b: Enrollment): number =>
  planYearOf(a).localeCompare(planYearOf(b)) ||
  a.benefit.name.localeCompare(b.benefit.name) ||
  (a.coverage_start < b.coverage_start ? -1 : 1)

/** A confirmed answer, and an upcoming election as a separate one. */
function confirmed(
  one: Enrollment,
  [first_name, family]: [string, Record<string, string>],
  paychecks: Paycheck[],
): ConfirmedChoice[] {
  const { id, benefit, status, plan, upcoming_election: next } = one
  const named = (ids: string[]) => [first_name, ...ids.flatMap((dependent) => family[dependent] ?? [])]
  if (status !== 'enrolled') {
    const nothing = { plan_name: null, covered: [], effective_on: null }
    const none = { per_month_in_cents: null, per_paycheck_in_cents: null }
    return [{ benefit_name: benefit.name, answer: 'waived', ...nothing, ...none }]
  }
  const steps = [...(plan ? [{ ...one, plan, effective_on: one.coverage_start }] : []), ...(next ? [next] : [])]
  return steps.map(({ plan: { name }, dependent_ids, effective_on, employee_deduction_in_cents }, at) => {
    const is_last = at === steps.length - 1
    const taken = paycheckDeductionsOf(id, paychecks, {
      effective_on: effective_on as Day,
      settled_on: effective_on as Day,
    })
    const is_taken = is_last && taken.first_paycheck !== null
    return {
      benefit_name: benefit.name,
      answer: 'enrolled',
      plan_name: name,
      covered: named(dependent_ids),
      effective_on,
      per_month_in_cents: is_last ? employee_deduction_in_cents : null,
      per_paycheck_in_cents: is_taken ? taken.per_paycheck_in_cents : null,
    }
  })
}

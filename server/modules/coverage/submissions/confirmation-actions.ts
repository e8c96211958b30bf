import { z } from 'zod'
import type { ConfirmationDocument, ConfirmedBeneficiary, ConfirmedChoice } from '../../../documents/confirmation.ts'
import { renderForOrganization } from '../../../documents/pdf-rendering.ts'
import type { Day } from '../../../kernel/days.ts'
import { findClock, withClock } from '../../../runtime/clock.ts'
import type { Ctx, ReadCtx } from '../../../runtime/ctx.ts'
import { type Download, downloadLink } from '../../../http/files/downloads.ts'
import { displayNameIn } from '../../access/organizations/rules.ts'
import { findPaycheckFacts } from '../../money/deductions/paycheck-queries.ts'
import { sumOfAmounts } from '../../money/deductions/rules.ts'
import { paycheckOf, paychecksAhead, type Paycheck } from '../../money/deductions/paycheck-rules.ts'
import { listBeneficiaries } from '../beneficiaries/queries.ts'
import type { BenefitBeneficiaries as BenefitBeneficiariesSchema } from '../beneficiaries/schemas.ts'
import { findLastSignature } from '../enrollment-agreements/queries.ts'
import { listEnrollments } from '../enrollments/queries.ts'
import type { Enrollment as EnrollmentSchema } from '../enrollments/schemas.ts'
import {
  findConfirmed,
  findSealedConfirmation,
  insertConfirmation,
  listConfirmations,
  saveRendered,
  type ConfirmationKey,
} from './queries.ts'
import { lastPaycheckDay, paycheckDeductionsOf } from './rules.ts'
import { createHash } from 'node:crypto'
import { task } from '../../../jobs/worker.ts'
import { newId } from '../../../kernel/ids.ts'
import { serviceCaller } from '../../../runtime/caller.ts'
import { contextOf, inOrganization, type Runtime } from '../../../runtime/runtime.ts'
import { reEncryptionOf } from '../../../security/re-encryption.ts'
import { openFile, storeDocument } from '../../directory/files/actions.ts'
import type { EmployeeKey } from '../../access/auth/queries.ts'

type Enrollment = z.output<typeof EnrollmentSchema>
type BenefitBeneficiaries = z.output<typeof BenefitBeneficiariesSchema>

/** More than the current enrollments of any employee. */
const most = 100

/** The number of paychecks that are shown. The first one can contain corrections for earlier ones. */
const paychecks_shown = 2

/** Renders the PDF with the elections of an employee at the time of download. */
const openCurrentElections =
  (language: ConfirmationDocument['language']): Download =>
  async (ctx, { organization_id, id }) => {
    const at_home = withClock(ctx, await findClock(ctx.db, organization_id))
    const document = await confirmationOf(at_home, { organization_id, employee_id: id }, language)
    if (!document) return undefined
    const body = await renderForOrganization(organization_id, 'confirmation', JSON.stringify(document))
    return { file_name: `benefits-${at_home.today}.pdf`, content_type: 'application/pdf', bytes: body.length, body }
  }

/** The elections and waivers of an employee after the latest submission. */
async function confirmationOf(
  ctx: Ctx,
  employee: { organization_id: string; employee_id: string },
  language: ConfirmationDocument['language'],
): Promise<ConfirmationDocument | undefined> {
  const { today } = ctx
  const found = await findConfirmed(ctx, employee)
  const facts = await findPaycheckFacts(ctx, { employee_id: employee.employee_id, year: Number(today.slice(0, 4)) })
  const listed = await listEnrollments(ctx, employee.employee_id, { page: 1, limit: most })
  if (!found || !facts || !listed) return undefined
  const enrollments = (JSON.parse(listed) as { data: Enrollment[] }).data
  const submitted_at = lastSubmissionOf(enrollments)
  const submitted = submittedOf(enrollments, submitted_at)
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
    plan_years: [...Map.groupBy(submitted, planYearOf).values()].map((of_plan_year) => ({
      start: of_plan_year[0]!.plan_year_start,
      end: of_plan_year[0]!.plan_year_end,
      answers: of_plan_year
        .flatMap((enrollment) => confirmed(enrollment, [first_name, family], paychecks))
        .map(renamed),
    })),
    beneficiaries: (await beneficiariesOf(ctx, employee.employee_id, submitted)).map(renamed),
    paychecks: paychecks
      .filter(({ lines }) => lines.length > 0)
      .slice(0, paychecks_shown)
      .map(({ period_end_date, total_in_cents, lines }) => {
        const corrections = lines.filter(({ kind }) => kind !== 'deduction')
        const corrections_in_cents = sumOfAmounts(corrections.map(({ amount_in_cents }) => amount_in_cents))
        return { period_end_date, total_in_cents, corrections_in_cents }
      }),
  }
}

/** The beneficiaries of the benefits that are elected, primary ones first. */
async function beneficiariesOf(
  ctx: Ctx,
  employee_id: string,
  submitted: Enrollment[],
): Promise<ConfirmedBeneficiary[]> {
  const listed = await listBeneficiaries(ctx, { employee_id })
  const elected = new Set(submitted.filter(({ status }) => status === 'enrolled').map(({ benefit }) => benefit.id))
  return (JSON.parse(listed ?? '[]') as BenefitBeneficiaries[])
    .filter(({ benefit_id }) => elected.has(benefit_id as never))
    .flatMap(({ benefit_name, beneficiaries }) =>
      beneficiaries
        .map(({ date_of_birth: _, ...beneficiary }) => ({ benefit_name, ...beneficiary }))
        .toSorted((a, b) => b.level.localeCompare(a.level)),
    )
}

const isAnswered = ({ status }: Enrollment): boolean => status === 'enrolled' || status === 'waived'

/** The time of the latest submission, which all its answers have. Undefined if nothing was submitted. */
const lastSubmissionOf = (enrollments: Enrollment[]): string | undefined =>
  enrollments
    .filter(isAnswered)
    .map(({ answered_at }) => answered_at ?? '')
    .sort()
    .at(-1)

/** The elections and waivers of the plan years of the latest submission, the earliest plan year first. */
function submittedOf(enrollments: Enrollment[], submitted_at: string | undefined): Enrollment[] {
  const answered = enrollments.filter(isAnswered)
  const years = new Set<string>(
    answered
      .filter((enrollment) => (enrollment.answered_at ?? '') === submitted_at)
      .map((enrollment) => enrollment.benefit_plan_year_id),
  )
  return answered.filter((enrollment) => years.has(enrollment.benefit_plan_year_id)).sort(byPlanYearAndBenefit)
}

/** The days of a plan year, which group benefits of plan years with the same days. */
const planYearOf = ({ plan_year_start, plan_year_end }: Enrollment): string => `${plan_year_start} ${plan_year_end}`

const byPlanYearAndBenefit = (a: Enrollment, b: Enrollment): number =>
  planYearOf(a).localeCompare(planYearOf(b)) ||
  a.benefit.name.localeCompare(b.benefit.name) ||
  (a.coverage_start < b.coverage_start ? -1 : 1)

/** A confirmed answer, and an upcoming election as a separate one. */
function confirmed(
  enrollment: Enrollment,
  [first_name, family]: [string, Record<string, string>],
  paychecks: Paycheck[],
): ConfirmedChoice[] {
  const { id, benefit, status, plan, upcoming_election: next, individual_plan_name } = enrollment
  const named = (ids: string[]) => [first_name, ...ids.flatMap((dependent) => family[dependent] ?? [])]
  if (status !== 'enrolled') {
    const nothing = { plan_name: null, covered: [], effective_on: null }
    const no_amounts = { per_month_in_cents: null, per_paycheck_in_cents: null, reimbursed_in_cents: null }
    return [{ benefit_name: benefit.name, answer: 'waived', ...nothing, ...no_amounts }]
  }
  const current = plan && {
    ...enrollment,
    plan: { name: individual_plan_name ?? plan.name },
    effective_on: enrollment.coverage_start,
  }
  const steps = [...(current ? [current] : []), ...(next ? [next] : [])]
  return steps.map((step, index) => {
    const { plan: elected, dependent_ids, effective_on, employee_deduction_in_cents } = step
    const is_last = index === steps.length - 1
    const taken = paycheckDeductionsOf(id, paychecks, {
      effective_on: effective_on as Day,
      settled_on: effective_on as Day,
    })
    const is_taken = is_last && taken.first_paycheck !== null
    return {
      benefit_name: benefit.name,
      answer: 'enrolled',
      plan_name: elected.name,
      covered: named(dependent_ids),
      effective_on,
      per_month_in_cents: is_last ? employee_deduction_in_cents : null,
      per_paycheck_in_cents: is_taken ? taken.per_paycheck_in_cents : null,
      reimbursed_in_cents: individual_plan_name === null ? null : step.employer_contribution_in_cents,
    }
  })
}

/**
 * Stores the confirmation of a submission, in the transaction of the submission. Its contents are encrypted
 * immediately, and a job renders them as a PDF, which never changes again.
 */
export async function storeConfirmation(
  ctx: Ctx,
  { employee_id, organization_id }: EmployeeKey,
  { language, enrollment_ids }: { language: 'en' | 'es'; enrollment_ids: string[] },
): Promise<void> {
  const document = await confirmationOf(ctx, { organization_id, employee_id }, language)
  const key = { organization_id, confirmation_id: newId('conf') }
  const document_sealed = ctx.secrets.encrypt(JSON.stringify(document))
  await insertConfirmation(ctx, { ...key, employee_id, language, enrollment_ids, document_sealed })
  await ctx.enqueue('render_confirmation', key, { key: `render_confirmation:${key.confirmation_id}` })
}

/** The confirmations of an employee with download links, latest first. Undefined if the employee is out of reach. */
export async function showConfirmations(ctx: ReadCtx, employee_id: string): Promise<string | undefined> {
  const found = await listConfirmations(ctx, { employee_id })
  if (!found) return undefined
  const { organization_id, confirmations } = found
  const linked = confirmations.map(async (confirmation) => ({
    ...confirmation,
    file: await downloadLink(ctx, { kind: 'enrollment_confirmation', organization_id, id: confirmation.id }),
  }))
  return JSON.stringify(await Promise.all(linked))
}

/** Renders the PDF of a confirmation and stores it encrypted, unless it is stored. Returns the PDF if it was not. */
async function renderConfirmation(runtime: Runtime, key: ConfirmationKey): Promise<Buffer | undefined> {
  const { organization_id, confirmation_id: file_id } = key
  const ctx = contextOf(runtime, serviceCaller(organization_id), runtime.database.reads([organization_id]))
  const found = await findSealedConfirmation(ctx, key)
  if (!found?.document_sealed) return undefined
  const bytes = await renderForOrganization(
    organization_id,
    'confirmation',
    ctx.secrets.decryptBytes(found.document_sealed).toString(),
  )
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  await inOrganization(runtime, organization_id, async (writing) => {
    if (!(await saveRendered(writing, { ...key, sha256 }))) return
    await storeDocument(writing, { organization_id, file_id }, { bytes, content_type: 'application/pdf', sha256 })
  })
  return bytes
}

/** Opens the PDF of a confirmation. Renders it first if its job has not run yet. */
const openConfirmation: Download = async (ctx, { organization_id, id }, runtime) => {
  const openStored = () => openFile(ctx, { organization_id, file_id: id }, `benefits-${id}`)
  const stored = await openStored()
  if (stored) return stored
  const body = await renderConfirmation(runtime, { organization_id, confirmation_id: id })
  // The job may have stored the PDF in the meantime.
  if (!body) return openStored()
  return { file_name: `benefits-${id}.pdf`, content_type: 'application/pdf', bytes: body.length, body }
}

/** The download kinds: the stored confirmations, and the current elections in each language. */
export const downloads = {
  enrollment_confirmation: openConfirmation,
  confirmation_en: openCurrentElections('en'),
  confirmation_es: openCurrentElections('es'),
}

/** Encrypts again with the current key the confirmations of an organization that have no PDF yet. */
export const reEncryptConfirmations = reEncryptionOf({
  table: 'enrollment_confirmations',
  key: ['id'],
  sealed: ['document_sealed'],
  where: 'document_sealed is not null',
})

export const tasks = {
  render_confirmation: task(
    z.object({ organization_id: z.string(), confirmation_id: z.string() }),
    async (runtime, key) => void (await renderConfirmation(runtime, key)),
  ),
}

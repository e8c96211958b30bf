import { refuse } from '../../../kernel/refusal.ts'
import { lastOf } from '../../../kernel/concurrency/chunks.ts'
import type { Ctx, DailyChunk, ReadCtx } from '../../../runtime/ctx.ts'
import type { EmployeeKey } from '../../access/auth/queries.ts'
import { closeDrafts, deleteDraft, findDraft, saveDraft } from './queries.ts'
import { isEmpty, lastDayOf, shownDraft, storedAnswers, whyNotReplace, whyNotSave } from './rules.ts'
import type { EnrollmentDraftInput } from './schemas.ts'

/** The draft of an employee as JSON. Undefined if the employee is out of reach. */
export async function showDraft(ctx: ReadCtx, employee_id: string): Promise<string | undefined> {
  const found = await findDraft(ctx, { employee_id })
  return found && JSON.stringify(shownDraft(employee_id, found.saved, found))
}

/**
 * Saves the unfinished election of an employee, and deletes it if nothing is chosen. Refused with 409 without an open
 * window or if another device has saved other choices, and with 422 if it refers to an enrollment, plan or dependent
 * that cannot be chosen.
 */
export async function replaceDraft(
  ctx: Ctx,
  { employee_id, organization_id }: EmployeeKey,
  input: EnrollmentDraftInput,
): Promise<void> {
  const facts = (await findDraft(ctx, { employee_id }))!
  refuse(whyNotSave(input, facts) ?? whyNotReplace(input, facts.saved))
  if (isEmpty(input)) {
    await deleteDraft(ctx, { organization_id, employee_id })
    return
  }
  await saveDraft(ctx, {
    organization_id,
    employee_id,
    plan_year_ids: [...new Set(facts.open.map(({ plan_year_id }) => plan_year_id))],
    window_ends_on: lastDayOf(facts.open)!,
    dependent_ids: input.dependent_ids,
    answers: JSON.stringify(storedAnswers(input)),
  })
}

/** Daily step: discards the drafts of windows that closed yesterday or earlier. */
export async function dailyDrafts(ctx: Ctx, organization_id: string, chunk: DailyChunk): Promise<string | null> {
  return lastOf(await closeDrafts(ctx, { organization_id, ...chunk }), chunk)
}

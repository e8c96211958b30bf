import { declareRefusals, Refusal, type Detail } from '../../../kernel/refusal.ts'
import type { Day } from '../../../kernel/days.ts'
import { refusals as elections_refusals } from '../elections/rules.ts'
import type { EnrollmentDraft, EnrollmentDraftInput } from './schemas.ts'

export const refusals = declareRefusals({
  enrollment_not_open: [
    422,
    'One of the enrollments does not belong to this employee, or its window is closed.',
    'Use enrollments of the employee with an open `window`.',
  ],
  draft_has_changed: [
    409,
    'Another device has saved other choices since this draft was loaded.',
    'Load the draft again, and let the employee continue from it.',
  ],
})

/** An enrollment that can be elected or waived today. */
export type OpenEnrollment = { enrollment_id: string; plan_year_id: string; window_ends_on: Day; plan_ids: string[] }

/** The facts that a draft refers to: the open enrollments of an employee, and the active dependents. */
export type DraftFacts = { open: OpenEnrollment[]; dependent_ids: string[] }

export type SavedDraft = Pick<EnrollmentDraft, 'dependent_ids' | 'answers' | 'saved_at' | 'version'>

/** Whether a draft contains no choice. It is deleted rather than saved, so that enrollment does not count as begun. */
export const isEmpty = ({ dependent_ids, answers }: EnrollmentDraftInput): boolean =>
  dependent_ids.length === 0 && answers.length === 0

/** Returns why a draft cannot replace the saved one: another device has saved other choices in the meantime. */
export const whyNotReplace = ({ version }: EnrollmentDraftInput, saved: SavedDraft | null): Refusal | undefined =>
  version === undefined || version === (saved?.version ?? null)
    ? undefined
    : new Refusal(refusals.draft_has_changed, [{ field: 'version', message: 'is not the version of the saved draft' }])

/** Returns why a draft cannot be saved. Prices, coverage levels and required benefits are checked at submission. */
export function whyNotSave({ dependent_ids, answers }: EnrollmentDraftInput, facts: DraftFacts): Refusal | undefined {
  if (facts.open.length === 0) return new Refusal(elections_refusals.enrollment_window_closed)
  const refused = (kind: Refusal['kind'], field: string, message: string) => new Refusal(kind, [{ field, message }])
  const unknownIn = (ids: string[], field: string): Detail | undefined => {
    const index = ids.findIndex((id) => !facts.dependent_ids.includes(id))
    return index < 0
      ? undefined
      : { field: `${field}[${index}]`, message: 'is not an active dependent of the employee' }
  }
  const unlisted = unknownIn(dependent_ids, 'dependent_ids')
  if (unlisted) return new Refusal(elections_refusals.dependent_not_coverable, [unlisted])
  for (const [index, { enrollment_id, elect }] of answers.entries()) {
    const path = `answers[${index}]`
    const enrollment = facts.open.find((candidate) => candidate.enrollment_id === enrollment_id)
    if (!enrollment)
      return refused(refusals.enrollment_not_open, `${path}.enrollment_id`, 'cannot be elected or waived today')
    if (!elect) continue
    if (!enrollment.plan_ids.includes(elect.plan_id))
      return refused(elections_refusals.plan_not_offered, `${path}.elect.plan_id`, 'is not offered')
    const unknown = unknownIn(elect.dependent_ids, `${path}.elect.dependent_ids`)
    if (unknown) return new Refusal(elections_refusals.dependent_not_coverable, [unknown])
  }
  return undefined
}

/** The draft as a response: without choices whose enrollment, plan or dependents are gone. */
export function shownDraft(employee_id: string, saved: SavedDraft | null, facts: DraftFacts) {
  const { open } = facts
  const activeOnly = (ids: string[]) => ids.filter((id) => facts.dependent_ids.includes(id))
  const kept = open.length === 0 ? null : saved
  const answers = (kept?.answers ?? []).flatMap(({ enrollment_id, elect, waive }) => {
    const enrollment = open.find((candidate) => candidate.enrollment_id === enrollment_id)
    if (!enrollment || (elect && !enrollment.plan_ids.includes(elect.plan_id))) return []
    return [{ enrollment_id, elect: elect && { ...elect, dependent_ids: activeOnly(elect.dependent_ids) }, waive }]
  })
  return {
    employee_id,
    dependent_ids: activeOnly(kept?.dependent_ids ?? []),
    answers,
    window_ends_on: lastDayOf(open),
    saved_at: kept?.saved_at ?? null,
    version: kept?.version ?? null,
  }
}

/** The last day on which any of the enrollments can be elected or waived. Null if none can be. */
export const lastDayOf = (open: OpenEnrollment[]): Day | null =>
  open
    .map(({ window_ends_on }) => window_ends_on)
    .sort()
    .at(-1) ?? null

/** The choices of a request, as stored and shown. */
export const storedAnswers = ({ answers }: EnrollmentDraftInput): SavedDraft['answers'] =>
  answers.map(({ enrollment_id, elect, waive }) => ({
    enrollment_id,
    elect: elect
      ? {
          plan_id: elect.plan_id,
          dependent_ids: elect.dependent_ids,
          individual_plan: elect.individual_plan ?? null,
          bought_on_exchange: elect.bought_on_exchange ?? null,
        }
      : null,
    waive: waive ? { reason_code: waive.reason_code ?? null } : null,
  }))

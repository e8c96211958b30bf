import { newId } from '../../../kernel/ids.ts'
import { invalid, refuse, type Refusal } from '../../../kernel/refusal.ts'
import type { Download } from '../../../http/files/downloads.ts'
import { isBound } from '../../../runtime/caller.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import { recordEvents } from '../../../runtime/events.ts'
import type { EventName } from '../../../runtime/event-types.ts'
import { openFile, storeFile } from '../files/actions.ts'
import {
  findAudience,
  findScope,
  findTitle,
  hasLanguage,
  insertDocument,
  insertReceipt,
  insertVersion,
  listUnopened,
  lockSeries,
  saveChange,
  saveReplacement,
  saveWithdrawal,
} from './queries.ts'
import { refusals, whyNotChange, requiredReading, type DocumentKey } from './rules.ts'
import type { DocumentChange, NewDocument, NewDocumentTranslation, NewDocumentVersion } from './schemas.ts'

type DocumentEvent = Extract<EventName, `document.${string}`>

const publish = (ctx: Ctx, event_name: DocumentEvent, organization_id: string, resource_id: string) =>
  recordEvents(ctx, [{ event_name, organization_id, resource_id }])

/** The scope of a new document. Refused with 400 if it is not of the organization. */
async function scopeOf(ctx: Ctx, organization_id: string, input: NewDocument) {
  const { employer_id = null, benefit_plan_year_id: plan_year_id = null, plan_id = null } = input
  const found = await findScope(ctx, organization_id, { employer_id, plan_year_id, plan_id })
  const wrong = (field: string, noun: string) => invalid({ field, message: `is not ${noun} of this organization` })
  if (employer_id && !found.has_employer) throw wrong('employer_id', 'an employer')
  if (plan_year_id && !found.employer_of_year) throw wrong('benefit_plan_year_id', 'a plan year')
  if (plan_id && !found.has_plan) throw wrong('plan_id', 'a plan')
  return { employer_id: employer_id ?? found.employer_of_year, plan_year_id, plan_id }
}

export async function addDocument(ctx: Ctx, organization_id: string, input: NewDocument): Promise<string> {
  const scope = await scopeOf(ctx, organization_id, input)
  const id = newId('doc')
  await storeFile(ctx, { organization_id, file_id: id }, input.content)
  const { kind, title, language, audience, is_required_at_election, file_name, effective_on = null } = input
  const fields = { kind, title, language, audience, is_required_at_election, file_name, effective_on }
  await insertDocument(ctx, { id, organization_id, ...scope, ...fields })
  await publish(ctx, 'document.created', organization_id, id)
  return id
}

type NewFile = { language: string; title: string } & Omit<NewDocumentVersion, 'title'>

async function addVersion(ctx: Ctx, { organization_id, document_id }: DocumentKey, input: NewFile): Promise<string> {
  const { title, language, file_name, effective_on = null } = input
  const id = newId('doc')
  await storeFile(ctx, { organization_id, file_id: id }, input.content)
  await insertVersion(ctx, { id, organization_id, document_id, title, language, file_name, effective_on })
  await publish(ctx, 'document.created', organization_id, id)
  return id
}

/** Replaces the latest version of a document starting on a day. The replaced version is kept. Returns the new id. */
export async function replaceDocument(ctx: Ctx, document: DocumentKey, input: NewDocumentVersion): Promise<string> {
  refuse(whyNotChange(document))
  const { organization_id, document_id, series_id, language } = document
  await lockSeries(ctx, { organization_id, series_id })
  const effective_on = input.effective_on ?? null
  const is_latest = await saveReplacement(ctx, { organization_id, document_id, effective_on })
  refuse(is_latest ? undefined : refusals.document_is_replaced)
  return addVersion(ctx, document, { ...input, language, title: input.title ?? document.title })
}

/** Adds a document in another language. Returns its id. */
export async function translateDocument(ctx: Ctx, document: DocumentKey, input: NewDocumentTranslation) {
  const { organization_id, series_id } = document
  refuse(whyNotChange(document))
  await lockSeries(ctx, { organization_id, series_id })
  const exists = await hasLanguage(ctx, { organization_id, series_id, language: input.language })
  refuse(exists ? refusals.document_language_exists : undefined)
  return addVersion(ctx, document, input)
}

/** Changes the title of a document, and the other fields of all its versions and translations. */
export async function changeDocument(ctx: Ctx, document: DocumentKey, change: DocumentChange): Promise<void> {
  const { organization_id, document_id, series_id } = document
  const { title = null, kind = null, audience = null, is_required_at_election = null } = change
  await saveChange(ctx, { organization_id, document_id, series_id, title, kind, audience, is_required_at_election })
  const now = (await findAudience(ctx, { organization_id, document_id }))!
  if (now.audience === 'members' && now.is_required_at_election)
    throw invalid({ field: 'is_required_at_election', message: 'must be false if the audience is `members`' })
  await publish(ctx, 'document.updated', organization_id, document_id)
}

/** Withdraws a version. It is no longer shown, and its file and receipts are kept. */
export async function withdrawDocument(ctx: Ctx, document: DocumentKey): Promise<void> {
  const { organization_id, document_id, series_id } = document
  await lockSeries(ctx, { organization_id, series_id })
  const is_withdrawn = !(await saveWithdrawal(ctx, { organization_id, document_id }))
  refuse(is_withdrawn ? refusals.document_is_withdrawn : undefined)
  await publish(ctx, 'document.withdrawn', organization_id, document_id)
}

type EmployeeDocumentKey = { organization_id: string; employee_id: string; document_id: string }

/** Records that an employee opens a document. The first time publishes an event. */
export async function openDocument(ctx: Ctx, { organization_id, employee_id, document_id }: EmployeeDocumentKey) {
  const reported_by = isBound(ctx.caller.kind) ? 'employee' : 'partner'
  if (!(await insertReceipt(ctx, { organization_id, employee_id, document_id, reported_by }))) return
  await recordEvents(ctx, [{ event_name: 'employee.document_opened', organization_id, resource_id: employee_id }])
}

/** Opens the file of a document for download, under its title. */
export const openDocumentFile: Download = async (ctx, { organization_id, id }) => {
  const { title = id } = (await findTitle(ctx, { organization_id, document_id: id })) ?? {}
  return openFile(ctx, { organization_id, file_id: id }, title)
}

/** The enrollments and elected plans of an employee's answers, and the language in which documents are named. */
type AnsweredBenefits = { enrollment_ids: string[]; plan_ids: string[]; language?: 'en' | 'es' | undefined }

/** Returns why an employee can't answer enrollments yet: required documents were not opened. */
export const whyNotElectBeforeReading = async (
  ctx: Ctx,
  { organization_id, employee_id }: { organization_id: string; employee_id: string },
  { language = 'en', ...answered }: AnsweredBenefits,
): Promise<Refusal | undefined> =>
  requiredReading(await listUnopened(ctx, { organization_id, employee_id, language, ...answered }))

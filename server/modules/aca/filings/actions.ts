import { z } from 'zod'
import { renderForOrganization } from '../../../documents/pdf-rendering.ts'
import { downloadLink, type Download } from '../../../http/files/downloads.ts'
import { task } from '../../../jobs/worker.ts'
import { mapInSteps, runInSlices } from '../../../kernel/concurrency/time-slices.ts'
import { invalid, refuse } from '../../../kernel/refusal.ts'
import type { Ctx, ReadCtx } from '../../../runtime/ctx.ts'
import { inEmployer, type Runtime } from '../../../runtime/runtime.ts'
import { reEncryptionOf } from '../../../security/re-encryption.ts'
import type { EmployeeKey, EmployerKey } from '../../access/auth/queries.ts'
import { form_exceptions } from '../forms/derivation-rules.ts'
import { deadlinesOf } from '../forms/rules.ts'
import { filerOf } from '../forms/actions.ts'
import { deriveMembers } from '../forms/derive-actions.ts'
import { listFilingScopes, saveRelease, type FormYearKey } from '../forms/derived-queries.ts'
import {
  copyOf,
  copyWithoutEmployment,
  documentOf,
  fileNameOf,
  hashOf,
  type ReleasedForm,
} from '../forms/document-rules.ts'
import { findFormEmployer } from '../forms/queries.ts'
import {
  findFiling,
  findReleased,
  findTaxForms,
  insertReleased,
  listNotDue,
  listPrinted,
  listUnreleased,
  saveConsent,
  saveMailing,
  withdrawConsent,
} from './queries.ts'
import { enqueueNotices, notice_tasks } from './notice-actions.ts'
import type { FormMailing } from './schemas.ts'
import { transmittal_downloads } from './transmittal-actions.ts'
import { changedCountOf, employerHash, refusals, whyNotRelease } from './rules.ts'

/** The `FormFiling` of an employer and a tax year as JSON. Undefined if the employer is out of reach. */
export async function readFiling(ctx: ReadCtx, employer_id: string, tax_year: number): Promise<string | undefined> {
  const found = await findFiling(ctx, { employer_id, tax_year })
  if (!found) return undefined
  const { derived_at, released_at, form_count, released_count, corrected_count, print_count, print_parts } = found
  const { unreleased_count, unnotified_count, unmailed_count, furnished_on, mailings, exceptions } = found
  return JSON.stringify({
    employer_id: found.employer_id,
    tax_year,
    form_type: found.form_type,
    derived_at,
    form_count,
    unreported_hours_count: found.unreported_hours_count,
    released_at,
    released_count,
    unreleased_count,
    corrected_count,
    changed_count: changedCountOf(found, filerOf(ctx, found)),
    print_count,
    print_parts,
    unnotified_count,
    unmailed_count,
    furnished_on,
    mailings,
    exceptions: form_exceptions.flatMap((exception) => {
      const form_count = exceptions[exception]
      return form_count === undefined ? [] : [{ exception, form_count }]
    }),
    deadlines: deadlinesOf(tax_year, found.states, found.form_type),
  })
}

/**
 * Releases the forms of an EIN and a tax year to the employees. A job stores a sealed version of each form that differs
 * from the latest released one, which makes it a corrected form.
 */
export async function releaseForms(ctx: Ctx, { organization_id, employer_id }: EmployerKey, tax_year: number) {
  const filing = (await findFiling(ctx, { employer_id, tax_year }))!
  refuse(whyNotRelease(tax_year, filing.derived_at, ctx.today))
  const key = { organization_id, employer_id: filing.ein_employer_id, tax_year }
  await saveRelease(ctx, key)
  await ctx.enqueue('release_forms', key, { key: `release_forms:${key.employer_id}:${tax_year}` })
}

/** Records that the forms of the print file were mailed on a day, or removes that record. */
export async function recordMailing(
  ctx: Ctx,
  { organization_id, employer_id }: EmployerKey,
  mailing: z.output<typeof FormMailing>,
): Promise<void> {
  const { mailed_on, is_mailed, tax_year } = mailing
  if (mailed_on > ctx.today) throw invalid({ field: 'mailed_on', message: 'must not be after today' })
  const found = await saveMailing(ctx, { organization_id, employer_id, ...mailing, user_id: ctx.caller.user_id })
  if (found || !is_mailed) return
  const { unmailed_count } = (await findFiling(ctx, { employer_id, tax_year }))!
  if (unmailed_count > 0)
    refuse(refusals.mailed_before_release, {
      field: 'mailed_on',
      message: 'must not be before the release of the forms',
    })
}

/** Forms that are sealed in one transaction. */
const forms_per_transaction = 250

/** Stores the versions of a release. A killed job continues with the forms that are not stored. */
async function storeRelease(runtime: Runtime, key: FormYearKey): Promise<void> {
  let after: string | undefined = ''
  while (after !== undefined) {
    const from: string = after
    after = await inEmployer(runtime, key, (ctx) => releaseChanged(ctx, key, from))
  }
  while (await inEmployer(runtime, key, (ctx) => correctNotDue(ctx, key)));
}

/** Releases the next derived forms that differ from the released ones. Returns where to continue. */
async function releaseChanged(ctx: Ctx, key: FormYearKey, after: string): Promise<string | undefined> {
  const employer = filerOf(ctx, (await findFormEmployer(ctx, { employer_id: key.employer_id }))!)
  const employer_hash = employerHash(employer)
  const forms = await listUnreleased(ctx, { ...key, employer_hash, after, most: forms_per_transaction })
  const sealed = await runInSlices(
    mapInSteps(forms, (form) => {
      const is_corrected = form.version > 1
      const released = { copy: JSON.parse(form.content), employer, made_on: ctx.today, is_corrected }
      return { ...form, employer_hash, document_sealed: sealForm(ctx, released) }
    }),
  )
  if (sealed.length > 0) await enqueueNotices(ctx, key, await insertReleased(ctx, { ...key, is_due: true }, sealed))
  return forms.length === forms_per_transaction ? forms.at(-1)!.member_id : undefined
}

/**
 * Releases corrected forms for the next people who got a form but needed none. A filed form cannot be withdrawn, so the
 * corrected form reports the actual months: part-time, or not employed under the EIN (Instructions for Forms 1094-C and
 * 1095-C, line 16, codes 2A and 2B), and no month on Form 1095-B. Returns whether there may be more.
 */
async function correctNotDue(ctx: Ctx, key: FormYearKey): Promise<boolean> {
  const { organization_id, tax_year } = key
  const forms = await listNotDue(ctx, { ...key, most: forms_per_transaction })
  const own = forms.flatMap(({ employer_id, member_id }) => (employer_id === key.employer_id ? [member_id] : []))
  const scope = (await listFilingScopes(ctx, key)).find(({ ein_employer_id }) => ein_employer_id === key.employer_id)
  const derived = scope && own.length > 0 ? await deriveMembers(ctx, scope, own) : []
  const copies = new Map(derived.map((form) => [form.facts.person.person_id, copyOf(form, tax_year)]))
  for (const [employer_id, list] of Map.groupBy(forms, (form) => form.employer_id)) {
    const corrected = list.map(({ member_id, employee_id, version, employer_hash, document_sealed }) => {
      const former = openForm(ctx, document_sealed)
      const current = employer_id === key.employer_id ? copies.get(member_id) : undefined
      const copy = current?.form_type === '1095-C' ? current : copyWithoutEmployment(former.copy)
      const released = { ...former, copy, made_on: ctx.today, is_corrected: true }
      const sealed = { document_sealed: sealForm(ctx, released), content_hash: hashOf(JSON.stringify(copy)) }
      return { member_id, employee_id, version: version + 1, employer_hash, ...sealed }
    })
    const form_year = { organization_id, employer_id, tax_year }
    await enqueueNotices(ctx, form_year, await insertReleased(ctx, { ...form_year, is_due: false }, corrected))
  }
  return forms.length === forms_per_transaction
}

const sealForm = (ctx: Ctx, form: ReleasedForm): Buffer => ctx.secrets.encrypt(JSON.stringify(form))

/** A released form. */
export const openForm = (ctx: ReadCtx, sealed: Buffer): ReleasedForm => JSON.parse(ctx.secrets.decrypt(sealed))

/** The `EmployeeTaxForms` of an employee as JSON, with download links. Undefined if the employee is out of reach. */
export async function readTaxForms(ctx: ReadCtx, employee_id: string): Promise<string | undefined> {
  const found = await findTaxForms(ctx, { employee_id })
  if (!found) return undefined
  const { organization_id, furnisher, electronic_delivery, forms } = found
  const linked = forms.map(async ({ id, tax_year, form, version, released_at }) => ({
    tax_year,
    form,
    version,
    is_corrected: version > 1,
    released_at,
    file: await downloadLink(ctx, { kind: 'released_form_1095c', organization_id, id }),
  }))
  return JSON.stringify({ furnisher, electronic_delivery, forms: await Promise.all(linked) })
}

/**
 * Records that an employee consents to electronic delivery of the forms of the employer's EIN, or withdraws the
 * consent.
 */
export const setDelivery = (ctx: Ctx, { organization_id, employer_id, member_id }: EmployeeKey, is_given: boolean) =>
  (is_given ? saveConsent : withdrawConsent)(ctx, { organization_id, employer_id, member_id })

/** Opens the PDF of a released form. The id names the EIN, the person, the tax year and the version. */
const openReleased: Download = async (ctx, { organization_id, id }) => {
  const [employer_id = '', member_id = '', tax_year, version] = id.split('.')
  const key = { organization_id, employer_id, member_id, tax_year: Number(tax_year), version: Number(version) }
  const found = await findReleased(ctx, key)
  if (!found) return undefined
  const document = documentOf(openForm(ctx, found.document_sealed))
  const body = await renderForOrganization(organization_id, 'form_1095', JSON.stringify([document]))
  return { file_name: fileNameOf(document), content_type: 'application/pdf', bytes: body.length, body }
}

/** Opens a part of the print file. The id names the employer, the tax year and the part. */
const openPrintFile: Download = async (ctx, { organization_id, id }) => {
  const [employer_id = '', tax_year, part] = id.split('.')
  const key = { organization_id, employer_id, tax_year: Number(tax_year) }
  const found = await listPrinted(ctx, key, Number(part))
  if (found.length === 0) return undefined
  const documents = found.map(({ document_sealed }) => documentOf(openForm(ctx, document_sealed)))
  const body = await renderForOrganization(organization_id, 'form_1095', JSON.stringify(documents))
  const file_name = fileNameOf(documents[0]!, Number(part))
  return { file_name, content_type: 'application/pdf', bytes: body.length, body }
}

/** A link to a part of the print file as JSON. Undefined if the employer is out of reach or the part has no forms. */
export async function linkPrintFile(ctx: ReadCtx, employer_id: string, tax_year: number, part: number) {
  const filing = await findFiling(ctx, { employer_id, tax_year })
  if (!filing?.print_parts.includes(part)) return undefined
  const { organization_id, ein_employer_id } = filing
  const id = `${ein_employer_id}.${tax_year}.${part}`
  return JSON.stringify(await downloadLink(ctx, { kind: 'forms_1095c_print', organization_id, id }))
}

/** Re-encrypts the released forms of an organization with the current key. */
export const reEncryptForms = reEncryptionOf({
  table: 'released_forms',
  key: ['employer_id', 'tax_year', 'member_id', 'version'],
  sealed: ['document_sealed'],
})

const form_year = z.object({ organization_id: z.string(), employer_id: z.string(), tax_year: z.number() })

/** The tables, downloads and jobs of this module, for the list of modules. */
export const filing_work = {
  tables: ['released_forms', 'electronic_deliveries', 'form_transmissions'],
  downloads: { released_form_1095c: openReleased, forms_1095c_print: openPrintFile, ...transmittal_downloads },
  tasks: { release_forms: task(form_year, storeRelease), ...notice_tasks },
}

import { z } from 'zod'
import { renderForOrganization } from '../../../documents/pdf-rendering.ts'
import { downloadLink, type Download } from '../../../http/files/downloads.ts'
import { task } from '../../../jobs/worker.ts'
import { each, runInSlices } from '../../../kernel/concurrency/time-slices.ts'
import { refuse } from '../../../kernel/refusal.ts'
import { findClock, withClock } from '../../../runtime/clock.ts'
import type { Ctx, ReadCtx } from '../../../runtime/ctx.ts'
import { inEmployer, type Runtime } from '../../../runtime/runtime.ts'
import type { ReEncryption } from '../../../security/re-encrypt.ts'
import { reseal } from '../../../security/secrets.ts'
import type { EmployeeKey, EmployerKey } from '../../access/auth/queries.ts'
import { deadlinesOf } from '../forms/deadline-rules.ts'
import { saveRelease, type FormYearKey } from '../forms/derived-queries.ts'
import { documentOf } from '../forms/document-rules.ts'
import { findFormEmployer } from '../forms/queries.ts'
import {
  findFiling,
  findReleased,
  findTaxForms,
  insertReleased,
  listOutdatedForms,
  listPrinted,
  listUnreleased,
  saveConsent,
  saveSealedForm,
  withdrawConsent,
} from './queries.ts'
import { transmittal_downloads } from './transmittal-actions.ts'
import { forms_per_part, partsOf, whyNotRelease } from './rules.ts'

/** The `FormFiling` of an employer and a tax year as JSON. Undefined if the employer is out of reach. */
export async function readFiling(ctx: ReadCtx, employer_id: string, tax_year: number): Promise<string | undefined> {
  const found = await findFiling(ctx, employer_id, tax_year)
  if (!found) return undefined
  const { ein_employer_id: _, organization_id: __, states, ...filing } = found
  const deadlines = deadlinesOf(tax_year, states)
  return JSON.stringify({ ...filing, tax_year, print_part_count: partsOf(filing.print_count), deadlines })
}

/**
 * Releases the forms of an EIN and a tax year to the employees. A job stores a sealed version of each form that differs
 * from the latest released one, which makes it a corrected form.
 */
export async function releaseForms(ctx: Ctx, { organization_id, employer_id }: EmployerKey, tax_year: number) {
  const filing = (await findFiling(ctx, employer_id, tax_year))!
  refuse(whyNotRelease(tax_year, filing.derived_at, ctx.today))
  const key = { organization_id, employer_id: filing.ein_employer_id, tax_year }
  await saveRelease(ctx, key)
  await ctx.enqueue('release_forms', key, { key: `release_forms:${key.employer_id}:${tax_year}` })
}

/** Forms that are sealed in one transaction. */
const forms_per_transaction = 250

/** Stores the versions of a release. A killed job continues with the forms that are not stored. */
async function storeRelease(runtime: Runtime, key: FormYearKey): Promise<void> {
  let after: string | undefined = ''
  while (after !== undefined) {
    const from: string = after
    after = await inEmployer(runtime, key, async (ctx) => {
      const employer = (await findFormEmployer(ctx, key.employer_id))!
      const party = { ...employer, ein: ctx.secrets.decrypt(employer.ein_sealed) }
      const forms = await listUnreleased(ctx, key, from, forms_per_transaction)
      const sealed = await runInSlices(
        each(forms, (form) => {
          const is_corrected = form.version > 1
          const document = documentOf(JSON.parse(form.content), party, { made_on: ctx.today, is_corrected })
          return { ...form, document_sealed: ctx.secrets.encrypt(JSON.stringify(document)) }
        }),
      )
      if (sealed.length > 0) await insertReleased(ctx, key, sealed)
      return forms.length === forms_per_transaction ? forms.at(-1)!.member_id : undefined
    })
  }
}

/** The `EmployeeTaxForms` of an employee as JSON, with download links. Undefined if the employee is out of reach. */
export async function readTaxForms(ctx: ReadCtx, employee_id: string): Promise<string | undefined> {
  const found = await findTaxForms(ctx, employee_id)
  if (!found) return undefined
  const { organization_id, furnisher, electronic_delivery, forms } = found
  const linked = forms.map(async ({ id, tax_year, version, released_at }) => ({
    tax_year,
    form: '1095-C',
    version,
    is_corrected: version > 1,
    released_at,
    file: await downloadLink(ctx, { kind: 'released_form_1095c', organization_id, id }),
  }))
  return JSON.stringify({ furnisher, electronic_delivery, forms: await Promise.all(linked) })
}

/** Records that an employee consents to electronic delivery, or withdraws the consent. */
export const setDelivery = (ctx: Ctx, { organization_id, member_id }: EmployeeKey, is_given: boolean) =>
  (is_given ? saveConsent : withdrawConsent)(ctx, { organization_id, member_id })

/** Opens the PDF of a released form. The id names the EIN, the person, the tax year and the version. */
const openReleased: Download = async (ctx, { organization_id, id }) => {
  const [employer_id = '', member_id = '', tax_year, version] = id.split('.')
  const key = { organization_id, employer_id, member_id, tax_year: Number(tax_year), version: Number(version) }
  const found = await findReleased(ctx, key)
  if (!found) return undefined
  const document = ctx.secrets.decrypt(found.document_sealed)
  const body = await renderForOrganization(organization_id, 'form_1095c', `[${document}]`)
  return { file_name: `form-1095c-${tax_year}.pdf`, content_type: 'application/pdf', bytes: body.length, body }
}

/** Opens a part of the print file. The id names the employer, the tax year and the part. */
const openPrintFile: Download = async (ctx, { organization_id, id }) => {
  const [employer_id = '', tax_year, part] = id.split('.')
  const key = { organization_id, employer_id, tax_year: Number(tax_year) }
  const paging = { limit: forms_per_part, offset: (Number(part) - 1) * forms_per_part }
  const found = await listPrinted(withClock(ctx, await findClock(ctx.db, organization_id)), key, paging)
  if (found.length === 0) return undefined
  const documents = found.map(({ document_sealed }) => ctx.secrets.decrypt(document_sealed))
  const body = await renderForOrganization(organization_id, 'form_1095c', `[${documents.join(',')}]`)
  const file_name = `forms-1095c-${tax_year}-part-${part}.pdf`
  return { file_name, content_type: 'application/pdf', bytes: body.length, body }
}

/** A link to a part of the print file as JSON. Undefined if the employer is out of reach or the part is empty. */
export async function linkPrintFile(ctx: ReadCtx, employer_id: string, tax_year: number, part: number) {
  const filing = await findFiling(ctx, employer_id, tax_year)
  if (!filing || part > partsOf(filing.print_count)) return undefined
  const { organization_id, ein_employer_id } = filing
  const id = `${ein_employer_id}.${tax_year}.${part}`
  return JSON.stringify(await downloadLink(ctx, { kind: 'forms_1095c_print', organization_id, id }))
}

/** Re-encrypts the released forms of an organization with the current key. */
export const reEncryptForms: ReEncryption = async (scope, organization_id, { most }) => {
  const { secrets } = scope
  const outdated = await listOutdatedForms(scope, { organization_id, mark: secrets.mark(), most })
  for (const { document_sealed, ...key } of outdated)
    await saveSealedForm(scope, { organization_id, ...key, document_sealed: reseal(secrets, document_sealed) })
  return outdated.length === most ? '' : null
}

const form_year = z.object({ organization_id: z.string(), employer_id: z.string(), tax_year: z.number() })

/** The tables, downloads and jobs of this module, for the list of modules. */
export const filing_work = {
  tables: ['released_forms', 'electronic_deliveries'],
  downloads: { released_form_1095c: openReleased, forms_1095c_print: openPrintFile, ...transmittal_downloads },
  tasks: { release_forms: task(form_year, storeRelease) },
}
